//! Pentarch plays five-in-a-row games with a bite: Pente and its variants, Ninuki and Gomoku;
//! Pentalath and Yavalath on hexagons; and Pent-Up, a game of tiles.
//!
//! ```
//! use pentarch::engine::{Engine, Game, Options};
//! use pentarch::picture::{ColumnLetters, board};
//! use pentarch::search::{Limits, Signal};
//!
//! let mut game = Game::new("pro-pente".parse()?);
//! for text in ["j10", "k11", "m10"] {
//!     game.play(text)?;
//! }
//! assert!(game.play("j10").is_err(), "the point is occupied");
//!
//! // The engine goes on against itself; every iteration of a search reports what it sees.
//! let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
//! while game.outcome().is_none() && game.ply() < 6 {
//!     let found = engine.think_here(&game, Limits::nodes(1_000), &Signal::new(), |report| {
//!         let line: Vec<_> = report.pv.iter().map(|&mv| game.move_text(mv)).collect();
//!         println!("depth {}, value {}: {}", report.depth, report.score, line.join(" "));
//!     })?;
//!     game.play_move(found.best.expect("an open game has moves"))?;
//! }
//! println!("{}", board(&game, ColumnLetters::All));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game of any variant is an [`engine::Game`]. Many positions at once are for
//! [`analysis::Analyzer`]; [`analysis::review`] finds the mistakes of whole games, and
//! [`records::read`] reads these from files of any format. The example `review` puts them together in
//! 30 lines: `cargo run --example review -- games.sgf`.
//!
//! Text comes in, becomes a typed command, the session applies it to a position or hands the
//! position to a searcher, and typed responses go out. Arrows between the modules point one way:
//! [`game`] and [`board`] know nothing else; [`rules`] describe games as data; [`placement`],
//! [`hexes`] and [`stacking`] play them; [`search`] is generic over [`game::Position`]; [`eval`]
//! tells it what positions are worth; [`engine`] puts them together; [`dialects`] put its values
//! into the words of protocols, for [`session`], [`arena`] and [`compliance`]; [`analysis`] answers
//! many questions at once, also about the engines of the arena, and reviews games with the proofs of
//! [`tactics`]; `training` makes the numbers of [`eval`]; `cli` comes last. A dialect is known to
//! all of them by its [facts](pentarch_protocol::Dialect::facts); [`session`] and [`arena`] have a
//! module each for what is said in it.
//! [`proof`] finds the values of small games and checks strategies that show them;
//! [`picture`] draws games, [`page`] writes them to be stepped through in a browser, and [`puzzle`]
//! plays alone with tiles. The crate `pentarch-protocol` stands below all of
//! them; [`rules`] asks it only for the nearest word.

#![warn(missing_docs)]

pub use pentarch_analysis::{self as analysis, proof, puzzle, tactics};
pub use pentarch_arena::{self as arena, compliance};
#[cfg(feature = "cli")]
pub use pentarch_cli as cli;
pub use pentarch_core::{board, game, hexes, placement, rules, stacking};
pub use pentarch_engine::{self as engine, AUTHOR, NAME_AND_VERSION, eval, search};
#[cfg(feature = "lab")]
pub use pentarch_lab as training;
pub use pentarch_records::{self as records, page, picture};
pub use pentarch_session::{self as session, dialects};
