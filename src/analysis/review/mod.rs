//! Reviews of games: the loss of each move, and the wins and defenses that were missed.
//!
//! Every position of a game is searched with the same limit. The loss of a move is the difference in
//! win probability ([`Score::win_probability`](pentarch_engine::search::Score::win_probability))
//! between the position before it and the one after it for the seat that made it, which also applies
//! to swap choices, double turns and teams. Where a mark would depend on the noise of these two
//! searches, the played move and the other moves are compared by longer ones. With three players,
//! whose scores are not related, the position is searched once more with the played move as the only
//! one.
//!
//! A missed win is proved, not only announced: in games of plain stones by the
//! [`MateProver`](crate::tactics::MateProver), which tries every defense, in other games by the
//! search itself. A missed defense is a move that allows a proved win of the opponent in some
//! number of plies, while another move is proved to allow none so short.
//!
//! ```
//! use pentarch_analysis::review::{ReviewBudget, Reviewer};
//! use pentarch_engine::Game;
//!
//! let mut game = Game::new("gomoku".parse()?);
//! for text in ["h8", "a1", "h9", "a2", "h10", "o15"] {
//!     game.play(text)?;
//! }
//! let reviewer = Reviewer::new(1, 16, ReviewBudget::nodes(500))?;
//! let review = reviewer.review_game(&game).expect("it is not interrupted");
//! let miss = &review.plies[5];
//! assert_eq!((miss.mv.as_str(), miss.seat), ("o15", 2));
//! assert!(miss.loss >= 0.0 && review.end.as_ref().unwrap().mate > Some(0));
//! println!("{}", review.summary);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod export;
mod judge;
mod report;
mod reviewer;
mod text;

pub use export::{game_view, puzzles, sgf_tree};
pub use report::{
    EndReview, GameReview, MissedDefense, MissedWin, MistakeClass, PlayerReview, PlyReview,
    ProofKind, ReviewBudget, ReviewFile, ReviewFileError, SCHEMA,
};
pub use reviewer::{ReviewEvent, ReviewTask, Reviewer};
pub use text::ReviewText;
