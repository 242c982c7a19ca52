//! Search, generic over [`Position`]: it compiles without any game.
//!
//! [`Searcher`] has two implementations: [`AlphaBeta`], which uses a [`ThreatGenerator`] for evaluation, moves and
//! threats, and [`Mcts`], which uses a [`Guide`]. Both ask the position for everything that is a rule.

mod alpha_beta;
mod evaluator;
mod limits;
mod mate_line;
mod mcts;
mod memory;
mod paranoid;
mod report;
mod score;
mod search_position;
mod search_stack;
mod table;
mod threats;

pub use alpha_beta::{AlphaBeta, AlphaBetaSettings, Handicap, Parameter, Parameters};
pub use evaluator::{Coverage, Evaluator, MoveGenerator, PlainEvaluator, ThreatGenerator};
pub use limits::{Clock, Limits, Signal, TimeManager};
pub use mcts::{Decided, Guide, Mcts, MctsSettings, Rewards};
pub use paranoid::{Paranoid, ParanoidEvaluator};
pub use report::{Aborted, NodeCounter, Report, SearchResult, Sink, Unlimited};
pub use score::{Bound, Score, Window};
pub use search_position::SearchPosition;
pub use table::{Entry, TableTooLarge, TranspositionTable};
pub use threats::{ThreatBudget, ThreatResult, ThreatSolver, ThreatWin};

use pentarch_core::game::Position;

/// A search for the best move.
pub trait Searcher<P: Position> {
    /// Searches a position that is not finished until a limit is reached or `signal` stops it. Reports go to `sink`; the
    /// last one has the final counts.
    fn search(
        &mut self,
        position: &P,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn Sink + Send),
    ) -> SearchResult;
}
