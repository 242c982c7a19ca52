//! Analysis of positions and games: batch analysis, reviews, books, mates, tactics, exact proofs
//! and puzzles.
//!
//! An [`AnalysisQuery`] is a position with search limits, an [`Analysis`] its result. An
//! [`Analyzer`] answers queries in parallel, each with a single-threaded search, so that with a
//! node limit a result depends on its query alone:
//!
//! ```
//! use pentarch_analysis::{AnalysisQuery, Analyzer, AnalyzerOptions};
//! use pentarch_engine::Game;
//! use pentarch_engine::search::Limits;
//!
//! let mut game = Game::new("pro-pente".parse()?);
//! for text in ["j10", "k11", "m10", "k10", "k12"] {
//!     game.play(text)?;
//! }
//! // Every position of the game, from its start on.
//! let queries = AnalysisQuery::of_game(&game, &Limits::nodes(500));
//! let analyzer = Analyzer::new(&AnalyzerOptions { workers: 2, ..AnalyzerOptions::default() })?;
//! for (query, analysis) in queries.iter().zip(analyzer.analyze(&queries)?) {
//!     let best = &analysis.lines[0];
//!     println!(
//!         "ply {}: {} wins with {:.0} %",
//!         query.game.ply(),
//!         query.game.move_text(best.mv),
//!         100.0 * analysis.score.expect("the built-in engine reports scores").win_probability(),
//!     );
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`review`] finds the mistakes of whole games by such analyses. [`serve`] is the same for
//! scripts: JSON lines, modeled on [`KataGo`'s analysis
//! engine](https://github.com/lightvector/KataGo/blob/master/docs/Analysis_Engine.md) and described
//! in `protocol/SPEC.md`. With [`KatagoSettings`] it also serves the clients of that engine.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod analyzer;
mod answer;
mod book;
mod json_lines;
mod katago;
pub mod proof;
pub mod puzzle;
mod query;
mod request;
pub mod review;
mod server;
pub mod tactics;

pub use analyzer::{AnalysisError, Analyzer, AnalyzerOptions, StopHandle};
pub use answer::{Answer, GameEnd, Include, MoveInfo, RootInfo, SCHEMA, ScoreBound, ThreatInfo};
pub use book::{BookFromGames, BookFromSearch, SearchBookError};
pub use json_lines::CancelHandle;
pub use katago::{KatagoConfig, KatagoConfigError, KatagoSettings, Perspective};
pub use query::{Analysis, AnalysisLine, AnalysisQuery};
pub use server::{ServerSettings, serve};

/// A search ended at its limit of nodes or time; nothing is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not decided within the limit of nodes or time")]
pub struct LimitReached;
