//! An engine and toolkit for five-in-a-row games: Pente and its variants, Ninuki and Gomoku; Pentalath and
//! Yavalath on hexagons; and Pent-Up, a game of tiles.
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
//! // The engine plays on against itself; each iteration of a search sends a report.
//! let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
//! while game.outcome().is_none() && game.ply() < 6 {
//!     let found = engine.search(&game, Limits::nodes(1_000), &Signal::new(), |report| {
//!         let line: Vec<_> = report.pv.iter().map(|&mv| game.move_text(mv)).collect();
//!         println!("depth {}, value {}: {}", report.depth, report.score, line.join(" "));
//!     })?;
//!     game.play_move(found.best.expect("an open game has moves"))?;
//! }
//! println!("{}", board(&game, ColumnLetters::All));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game of any variant is an [`engine::Game`]. [`analysis::Analyzer`] searches many positions at once,
//! [`analysis::review`] finds the mistakes in games, and [`records::read`] reads games from files of any
//! format. The example `review` combines them: `cargo run --example review -- games.sgf`.
//!
//! This crate re-exports the crates of the workspace, each of which depends only on those before it:
//!
//! - [`board`], [`game`], [`rules`] and the families [`placement`], [`hexes`] and [`stacking`] are games
//!   without search.
//! - [`search`] and [`eval`] are the searchers and the evaluators; [`engine`] combines them.
//! - [`records`] reads and writes game records, [`picture`] draws positions, [`page`] writes HTML pages.
//! - [`session`] answers protocol commands.
//! - [`arena`] plays matches and tournaments; [`compliance`] tests engines.
//! - [`analysis`] answers queries and reviews games; [`tactics`] proves forced wins, [`proof`] solves small
//!   games, [`puzzle`] solves the puzzles of Pent-Up.
//! - `training` (feature `lab`) trains the evaluation and tunes the search.
//! - `cli` (feature `cli`) is the command line.
//!
//! `.github/ARCHITECTURE.md` in the repository has the invariants and where to start for each change.

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
pub use pentarch_session::{self as session, codec};
