//! Review of games: what each move has given away, and which wins and defenses were missed.
//!
//! Every position of a game is searched with the same limit, and once more with the move that was
//! played as the only one. A move's loss is the difference of the two in win probability
//! ([`Score::win_probability`](pentarch_engine::search::Score::win_probability)), for the seat that made it: so
//! it means the same at a swap choice, in the middle of a double turn, among teams and three players.
//! What is proved by a later position corrects what an earlier search thought of the move to it.
//!
//! A missed win is one that is proved, not merely announced: in games of plain stones by the
//! [`Prover`](crate::tactics::Prover), which tries every defense, in the others by the search itself.
//! A missed defense is a move that leaves the opponent a proved win in some number of plies where
//! another move is proved to leave none so short.
//!
//! ```
//! use pentarch_analysis::review::{Budget, Reviewer};
//! use pentarch_engine::Game;
//!
//! let mut game = Game::new("gomoku".parse()?);
//! for text in ["h8", "a1", "h9", "a2", "h10", "o15"] {
//!     game.play(text)?;
//! }
//! let reviewer = Reviewer::new(1, 16, Budget::nodes(500))?;
//! let review = reviewer.review_game(&game).expect("it is never interrupted");
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
    Budget, Class, EndReview, GameReview, MissedDefense, MissedWin, PlayerReview, PlyReview, Proof,
    ReviewFile, ReviewFileError, SCHEMA,
};
pub use reviewer::{Progress, Reviewer, Task};
pub use text::Digest;
