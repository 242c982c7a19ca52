//! The engine: options, tables, threads, and the search that runs.

use super::game::Family;
use super::hexes::{self, HexSearcher};
use super::level::Level;
use super::stones::{self, StoneSearcher};
use super::tiles::TileSearcher;
use super::{Game, Options};
use crate::eval::{RuleClass, StoneTables, TileEvaluator};
use crate::search::{
    AlphaBetaSettings, Evaluator as _, Handicap, Limits, Report, Score, SearchResult, Signal,
    TableTooLarge, TranspositionTable,
};
use pentarch_core::rules::SquareRules;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// Thinks about games. Tables and threads are made when they are first needed.
#[derive(Debug, Default)]
pub struct Engine {
    options: Options,
    table: Option<Arc<TranspositionTable>>,
    pool: Option<Arc<ThreadPool>>,
    patterns: Option<Arc<StoneTables>>,
}

/// Why the engine cannot think.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The hash table does not fit.
    #[error("{0}; set a smaller hash size")]
    Table(#[from] TableTooLarge),
    /// The system gives no threads.
    #[error("cannot start search threads ({0}); set fewer threads")]
    Threads(String),
}

/// A search under way on a thread of its own.
#[derive(Debug)]
pub struct Thinking {
    signal: Arc<Signal>,
    thread: Option<JoinHandle<SearchResult>>,
}

impl Thinking {
    /// The way to stop the search from elsewhere.
    pub fn signal(&self) -> &Arc<Signal> {
        &self.signal
    }

    /// Tells the search to end; it answers within milliseconds.
    pub fn stop(&self) {
        self.signal.stop();
    }

    /// Waits for the search to end. None if it died, which is a defect of the engine.
    pub fn join(mut self) -> Option<SearchResult> {
        self.thread.take().and_then(|thread| thread.join().ok())
    }
}

/// A search that nobody waits for is stopped.
impl Drop for Thinking {
    fn drop(&mut self) {
        self.signal.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Engine {
    /// Room for the longest line that a search can follow, in bytes.
    pub const STACK: usize = 16 << 20;

    /// An engine with those options.
    pub fn new(options: Options) -> Engine {
        Engine { options, table: None, pool: None, patterns: None }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes options; what no longer fits is made anew when it is next needed.
    pub fn set_options(&mut self, options: Options) {
        let old = &self.options;
        if (options.hash, options.seed, options.exact) != (old.hash, old.seed, old.exact) {
            self.table = None;
        }
        if options.eval_file != old.eval_file {
            self.table = None;
            self.patterns = None;
        }
        if options.threads != self.options.threads {
            self.pool = None;
        }
        self.options = options;
    }

    /// Forgets what earlier games taught. It takes its time here, when no clock runs.
    pub fn clear(&mut self) {
        match self.table.as_mut().and_then(Arc::get_mut) {
            Some(table) => table.clear(self.pool.as_deref()),
            // A search that nobody waits for still has it.
            None => self.table = None,
        }
    }

    /// Starts to think about an open game. Each report goes to `sink`, then the result to `done`,
    /// both on the search's own thread.
    pub fn think(
        &mut self,
        game: &Game,
        limits: Limits,
        ponder: bool,
        mut sink: impl FnMut(&Game, &Report) + Send + 'static,
        done: impl FnOnce(&Game, &SearchResult) + Send + 'static,
    ) -> Result<Thinking, EngineError> {
        // The clock runs from here on, while tables are made.
        let signal = Arc::new(if ponder { Signal::pondering() } else { Signal::new() });
        let searcher = self.searcher(game)?;
        let limits = self.leveled(limits);
        let (game, theirs) = (game.clone(), Arc::clone(&signal));
        let run = move || {
            let mut report = |report: &Report| sink(&game, report);
            let found = searcher.run(&game, &limits, &theirs, &mut report);
            done(&game, &found);
            found
        };
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(Engine::STACK)
            .spawn(run)
            .map_err(|error| EngineError::Threads(error.to_string()))?;
        Ok(Thinking { signal, thread: Some(thread) })
    }

    /// [`Engine::think`] that waits for the result.
    pub fn think_here(
        &mut self,
        game: &Game,
        limits: Limits,
        signal: &Signal,
        mut sink: impl FnMut(&Report) + Send,
    ) -> Result<SearchResult, EngineError> {
        let limits = self.leveled(limits);
        let searcher = self.searcher(game)?;
        let failed = |error: String| EngineError::Threads(error);
        thread::scope(|scope| {
            let run = || searcher.run(game, &limits, signal, &mut sink);
            let builder = thread::Builder::new().stack_size(Engine::STACK);
            let thread = builder.spawn_scoped(scope, run).map_err(|e| failed(e.to_string()))?;
            thread.join().map_err(|_| failed("a search thread died".to_owned()))
        })
    }

    /// [`Engine::think_here`] without a thread of its own: the stack of the thread that calls is of
    /// [`Engine::STACK`] bytes.
    pub fn think_on_this_thread(
        &mut self,
        game: &Game,
        limits: Limits,
        signal: &Signal,
        mut sink: impl FnMut(&Report) + Send,
    ) -> Result<SearchResult, EngineError> {
        let limits = self.leveled(limits);
        Ok(self.searcher(game)?.run(game, &limits, signal, &mut sink))
    }

    /// The static value of an open position for the side to move.
    pub fn evaluate(&mut self, game: &Game) -> Option<Score> {
        if game.outcome().is_some() {
            return None;
        }
        Some(match game.family() {
            Family::Placement(position) => {
                stones::evaluate(position, self.patterns(position.rules()), self.options.seed)
            }
            Family::Stacking(position) => TileEvaluator.value(position),
            Family::Hexes(position) => hexes::value(position, &self.options),
        })
    }

    /// The tables for a game's rules, made when the rules change.
    fn patterns(&mut self, rules: &SquareRules) -> Arc<StoneTables> {
        let patterns = match &self.patterns {
            Some(patterns) if patterns.serve(rules) => Arc::clone(patterns),
            _ => Arc::new(StoneTables::with_file(rules, self.options.eval_file.as_deref())),
        };
        self.patterns = Some(Arc::clone(&patterns));
        patterns
    }

    /// A weaker level looks at fewer nodes.
    fn leveled(&self, limits: Limits) -> Limits {
        match Level::of(self.options.level) {
            Some(level) => level.limits(limits),
            None => limits,
        }
    }

    fn searcher(&mut self, game: &Game) -> Result<FamilySearcher, EngineError> {
        let table = match &self.table {
            Some(table) => Arc::clone(table),
            None => Arc::new(TranspositionTable::new(self.options.hash)?),
        };
        self.table = Some(Arc::clone(&table));
        if self.options.threads > 1 && self.pool.is_none() {
            let pool = ThreadPoolBuilder::new()
                .num_threads(self.options.threads)
                .stack_size(Engine::STACK)
                .thread_name(|index| format!("search-{index}"))
                .build()
                .map_err(|error| EngineError::Threads(error.to_string()))?;
            self.pool = Some(Arc::new(pool));
        }
        let patterns = game.placement().map(|position| self.patterns(position.rules()));
        Ok(FamilySearcher {
            options: self.options.clone(),
            table,
            pool: self.pool.clone(),
            patterns,
        })
    }
}

/// Picks the searcher and the evaluator for a game.
struct FamilySearcher {
    options: Options,
    table: Arc<TranspositionTable>,
    pool: Option<Arc<ThreadPool>>,
    patterns: Option<Arc<StoneTables>>,
}

impl FamilySearcher {
    fn run(
        self,
        game: &Game,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn crate::search::Sink + Send),
    ) -> SearchResult {
        let FamilySearcher { options, table, pool, patterns } = self;
        if let Some(found) = from_book(&options, game, limits) {
            sink.report(&found.report);
            return found;
        }
        let Options { multi_pv, exact, forced_wins, seed, parameters, .. } = options;
        let handicap = Level::of(options.level).map_or_else(Handicap::none, Level::handicap);
        let forced_wins = forced_wins && handicap.forced_wins;
        let handicap = Handicap { forced_wins, ..handicap };
        let whole_lines = true;
        let settings =
            AlphaBetaSettings { multi_pv, exact, handicap, seed, whole_lines, parameters };
        match game.family() {
            Family::Placement(position) => {
                let rules = position.rules();
                let parameters = match RuleClass::of(rules) {
                    RuleClass::Captures => parameters.for_captures(),
                    RuleClass::Lines | RuleClass::Renju => parameters.for_lines(),
                    RuleClass::DoubleTurns | RuleClass::Many => parameters,
                };
                let settings = AlphaBetaSettings { parameters, ..settings };
                let patterns = patterns.unwrap_or_else(|| Arc::new(StoneTables::new(rules)));
                let searcher = StoneSearcher { options, settings, table, pool, patterns };
                searcher.search(position, limits, signal, sink)
            }
            Family::Stacking(position) => {
                TileSearcher { options, table, pool }.search(position, limits, signal, sink)
            }
            Family::Hexes(position) => HexSearcher { options, settings, table, pool }
                .search(position, limits, signal, sink),
        }
    }
}

/// A move of the book, where a move to play is all that is asked for.
fn from_book(options: &Options, game: &Game, limits: &Limits) -> Option<SearchResult> {
    let analyses = options.exact
        || options.multi_pv > 1
        || limits.infinite
        || limits.mate.is_some()
        || !limits.search_moves.is_empty();
    let book = options.book.as_ref().filter(|_| options.own_book && !analyses)?;
    book.choose(game, options.seed)
}
