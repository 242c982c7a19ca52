//! Search, generic over [`Position`]: it compiles without any game.
//!
//! [`Searcher`] is the door. It leads to [`AlphaBeta`], which asks an [`Evaluator`] for
//! everything that is an opinion or a short cut, and [`Mcts`], which asks a [`Guide`]; both ask the
//! position for everything that is a rule.

mod alpha_beta;
mod evaluator;
mod limits;
mod mcts;
mod node_counter;
mod paranoid;
mod prefetch;
mod report;
mod score;
mod search_stack;
mod signal;
mod table;
mod threats;
mod time_manager;
mod tree;
mod win_line;
mod zeroed;

pub use alpha_beta::{AlphaBeta, AlphaBetaSettings, Handicap, Parameter, Parameters};
pub use evaluator::{Coverage, Evaluator, MoveGenerator, PlainEvaluator, ThreatGenerator};
pub use limits::{Clock, Limits};
pub use mcts::{Decided, Guide, Mcts, MctsSettings, Rewards};
pub use node_counter::{Aborted, NodeCounter, Unlimited};
pub use paranoid::{Camps, Paranoid};
pub use report::{Report, SearchResult, Sink};
pub use score::{Bound, Score, Window};
pub use signal::Signal;
pub use table::{Entry, TableTooLarge, TranspositionTable};
pub use threats::{ThreatBudget, ThreatResult, ThreatSolver, ThreatWin};
pub use time_manager::TimeManager;
pub use tree::Tree;

use pentarch_core::game::Position;

/// Something that looks for the best move.
pub trait Searcher<P: Position> {
    /// Searches an open position until the limits are reached or `signal` is raised. Progress
    /// goes to `sink`; the last report before the return has the final counts.
    fn search(
        &mut self,
        position: &P,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> SearchResult;
}
