//! Those who analyze one position at a time: our engine, or another one behind the same door.

use super::memory::Memory;
use super::query::{Analysis, Lines, Query};
use pentarch_arena::CancelToken;
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Report, SearchResult, Signal};
use pentarch_engine::{Engine, EngineError, Options};
use std::sync::Arc;

/// Why a position is not analyzed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// Our engine cannot think.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Another engine did something wrong; it is started again for the next position.
    #[error("the engine `{name}`: {reason}")]
    Other {
        /// What it is called.
        name: String,
        /// What it did.
        reason: String,
    },
    /// Another engine cannot be asked that.
    #[error("the engine `{name}` cannot be asked: {reason}")]
    Unaskable {
        /// What it is called.
        name: String,
        /// The field of the query.
        field: &'static str,
        /// Why not.
        reason: &'static str,
    },
    /// It was stopped before anything was known.
    #[error("stopped before anything was known")]
    Stopped,
}

impl AnalysisError {
    /// The field of the query that it is about, if it is about one.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            AnalysisError::Unaskable { field, .. } => Some(field),
            _ => None,
        }
    }
}

/// Ends an analysis from elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    search: Arc<Signal>,
    engine: CancelToken,
}

impl Stop {
    /// For an analysis that is about to begin.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Ends it; what is known so far is its result.
    pub fn stop(&self) {
        self.engine.cancel();
        self.search.stop();
    }

    /// Whether it is to end.
    pub fn is_stopped(&self) -> bool {
        self.search.is_stopped()
    }

    /// The same for a conversation with an engine.
    pub(super) fn token(&self) -> &CancelToken {
        &self.engine
    }
}

/// One who analyzes a position at a time.
pub(super) trait Analyst: Send {
    /// Analyzes an open game. What is known on the way goes to `sink`.
    fn analyze(
        &mut self,
        query: &Query,
        stop: &Stop,
        sink: &mut (dyn FnMut(&Lines) + Send),
    ) -> Result<Analysis, AnalysisError>;

    /// Forgets all that it can do without, and gives its memory back.
    fn clear(&mut self);
}

/// Our engine. It forgets a position before it looks at the next, so that no answer depends on
/// the ones before.
pub(super) struct OwnEngine {
    /// Engines by the rules that they have made their tables for, the last one used first.
    engines: Vec<(Ruleset, Engine)>,
    options: Options,
    memory: Arc<Memory>,
}

/// How many games an analyst knows at the same time: queries about them may alternate.
const GAMES: usize = 4;

impl OwnEngine {
    pub(super) fn new(options: Options, memory: &Arc<Memory>) -> OwnEngine {
        let options = Options { threads: 1, ..options };
        OwnEngine { engines: Vec::new(), options, memory: Arc::clone(memory) }
    }

    /// An engine that knows some rules, if one does.
    fn engine(&mut self, rules: &Ruleset) -> &mut Engine {
        match self.engines.iter().position(|(known, _)| known == rules) {
            Some(index) => self.engines[..=index].rotate_right(1),
            None => self.engines.insert(0, (rules.clone(), Engine::new(self.options.clone()))),
        }
        self.engines.truncate(GAMES);
        &mut self.engines[0].1
    }
}

impl Analyst for OwnEngine {
    fn analyze(
        &mut self,
        query: &Query,
        stop: &Stop,
        sink: &mut (dyn FnMut(&Lines) + Send),
    ) -> Result<Analysis, AnalysisError> {
        let useful = Engine::useful_hash(&query.game, &query.limits);
        let share = self.memory.share_of(useful);
        let memory = Arc::clone(&self.memory);
        let share = memory.take(share, stop).ok_or(AnalysisError::Stopped)?;
        let multi_pv = query.multi_pv.max(self.options.multi_pv);
        let options = Options { hash: share.mebibytes, multi_pv, ..self.options.clone() };
        let engine = self.engine(query.game.rules());
        engine.set_options(options);
        let mut lines = Lines::default();
        let report = |report: &Report| {
            lines.take(report);
            sink(&lines);
        };
        let limits = query.limits.clone();
        let found = engine.think_on_this_thread(&query.game, limits, &stop.search, report);
        engine.clear();
        let found: SearchResult = found?;
        if found.report.depth == 0 && stop.is_stopped() {
            return Err(AnalysisError::Stopped);
        }
        Ok(lines.finish(&found))
    }

    fn clear(&mut self) {
        self.engines.clear();
    }
}
