//! Analysis: positions in, values and best lines out, many at once.
//!
//! A [`Query`] is a position and how to look at it, an [`Analysis`] is what was found. An
//! [`Analyzer`] answers any number of queries on its threads, one single-threaded search each, so
//! that with a limit of nodes an answer depends on its query alone:
//!
//! ```
//! use pentarch_analysis::{Analyzer, Query, Settings};
//! use pentarch_engine::Game;
//! use pentarch_engine::search::Limits;
//!
//! let mut game = Game::new("pro-pente".parse()?);
//! for text in ["j10", "k11", "m10", "k10", "k12"] {
//!     game.play(text)?;
//! }
//! // Every position of the game, from its start on.
//! let queries = Query::of_game(&game, &Limits::nodes(500));
//! let analyzer = Analyzer::new(&Settings { workers: 2, ..Settings::default() })?;
//! for (query, analysis) in queries.iter().zip(analyzer.analyze(&queries)?) {
//!     let best = &analysis.lines[0];
//!     println!(
//!         "ply {}: {} wins with {:.0} %",
//!         query.game.ply(),
//!         query.game.move_text(best.mv),
//!         100.0 * analysis.score.expect("our engine values positions").win_probability(),
//!     );
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`review`] judges the moves of whole games by such analyses. [`serve`] is the same for scripts: JSON lines after the model of
//! [`KataGo`'s analysis engine](https://github.com/lightvector/KataGo/blob/master/docs/Analysis_Engine.md),
//! described in `protocol/SPEC.md`.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod analyzer;
mod answer;
mod book;
mod json_lines;
pub mod proof;
pub mod puzzle;
mod query;
mod request;
pub mod review;
mod server;
pub mod tactics;

pub use analyzer::{AnalysisError, Analyzer, Settings, Stop};
pub use answer::{Answer, Bounded, CalledThreat, Ended, Include, MoveInfo, RootInfo, SCHEMA};
pub use book::{BookOfGames, Expansion, ExpansionError};
pub use json_lines::HangUp;
pub use query::{Analysis, Line, Query};
pub use server::{Defaults, serve};
