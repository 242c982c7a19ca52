//! [`Engine`] searches games: it owns the options, the hash table and the threads, and selects the search method for
//! each family of games.

use super::game::Family;
use super::hexes::{self, HexSearcher};
use super::options::Level;
use super::stones::{self, StoneSearcher};
use super::tiles::TileSearcher;
use super::{Game, Options};
use crate::eval::{RuleClass, StoneTables, TileEvaluator};
use crate::search::{
    AlphaBetaSettings, Evaluator as _, Handicap, Limits, MoveGenerator, Report, Score,
    SearchResult, Signal, TableTooLarge, TranspositionTable,
};
use pentarch_core::game::{Move, MoveList, Position};
use pentarch_core::rules::SquareRules;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// Bytes of hash table per node with which the table stays at most half full.
const TABLE_BYTES_PER_NODE: u64 = 32;
/// Bytes of search tree per simulation: a simulation adds a child for each legal move, and games of tiles have
/// more than a thousand.
const TREE_BYTES_PER_NODE: u64 = 64 << 10;

/// Searches games. Tables and threads are created when they are first needed.
#[derive(Debug, Default)]
pub struct Engine {
    options: Options,
    table: Option<Arc<TranspositionTable>>,
    pool: Option<Arc<ThreadPool>>,
    stone_tables: Option<Arc<StoneTables>>,
}

/// Why the engine cannot search.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The hash table does not fit into memory.
    #[error("{0}; set a smaller hash size")]
    Table(#[from] TableTooLarge),
    /// The operating system did not start a thread, or a search thread panicked.
    #[error("cannot start search threads ({0}); set fewer threads")]
    Threads(String),
}

/// A search on its own thread. Dropping it stops the search.
#[derive(Debug)]
pub struct RunningSearch {
    signal: Arc<Signal>,
    thread: Option<JoinHandle<SearchResult>>,
}

impl RunningSearch {
    /// Returns the signal, which can stop the search from another thread.
    pub fn signal(&self) -> &Arc<Signal> {
        &self.signal
    }

    /// Asks the search to stop, which takes a few milliseconds.
    pub fn stop(&self) {
        self.signal.stop();
    }

    /// Waits for the end of the search. `None` if its thread panicked.
    pub fn join(mut self) -> Option<SearchResult> {
        self.thread.take().and_then(|thread| thread.join().ok())
    }
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.signal.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Engine {
    /// The stack size of a search thread in bytes, enough for the deepest recursion of a search.
    pub const STACK: usize = 16 << 20;

    /// Returns an engine.
    pub fn new(options: Options) -> Engine {
        Engine { options, table: None, pool: None, stone_tables: None }
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets the options and discards the tables and threads that no longer match them.
    pub fn set_options(&mut self, options: Options) {
        let old = &self.options;
        if (options.seed, options.exact) != (old.seed, old.exact) {
            self.table = None;
        }
        if options.eval_file != old.eval_file {
            self.table = None;
            self.stone_tables = None;
        }
        if options.threads != self.options.threads {
            self.pool = None;
        }
        self.options = options;
    }

    /// Clears the hash table. Call this between games, when no clock runs.
    pub fn clear(&mut self) {
        match self.table.as_mut().and_then(Arc::get_mut) {
            Some(table) => table.clear(),
            // A search that is being stopped still uses the table.
            None => self.table = None,
        }
    }

    /// Frees the hash table. The next search creates a new one.
    pub fn free_table(&mut self) {
        self.table = None;
    }

    /// Starts a search of a game that is not finished. The new thread calls `sink` with each report and `done` with
    /// the result.
    pub fn start_search(
        &mut self,
        game: &Game,
        limits: Limits,
        ponder: bool,
        mut sink: impl FnMut(&Game, &Report) + Send + 'static,
        done: impl FnOnce(&Game, &SearchResult) + Send + 'static,
    ) -> Result<RunningSearch, EngineError> {
        // The signal starts the clock, which includes the time to create the tables.
        let signal = Arc::new(if ponder { Signal::pondering() } else { Signal::new() });
        let searcher = self.searcher(game)?;
        let limits = self.limits_at_level(limits);
        let (game, search_signal) = (game.clone(), Arc::clone(&signal));
        let run = move || {
            let mut report = |report: &Report| sink(&game, report);
            let found = searcher.run(&game, &limits, &search_signal, &mut report);
            done(&game, &found);
            found
        };
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(Engine::STACK)
            .spawn(run)
            .map_err(|error| EngineError::Threads(error.to_string()))?;
        Ok(RunningSearch { signal, thread: Some(thread) })
    }

    /// Searches a game that is not finished on a new thread and waits for the result.
    pub fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        signal: &Signal,
        sink: impl FnMut(&Report) + Send,
    ) -> Result<SearchResult, EngineError> {
        let failed = |error: String| EngineError::Threads(error);
        thread::scope(|scope| {
            let run = || self.search_on_this_thread(game, limits, signal, sink);
            let builder = thread::Builder::new().stack_size(Engine::STACK);
            let thread = builder.spawn_scoped(scope, run).map_err(|e| failed(e.to_string()))?;
            thread.join().map_err(|_| failed("a search thread panicked".to_owned()))?
        })
    }

    /// Searches a game that is not finished on the current thread, whose stack must have [`Engine::STACK`] bytes.
    pub fn search_on_this_thread(
        &mut self,
        game: &Game,
        limits: Limits,
        signal: &Signal,
        mut sink: impl FnMut(&Report) + Send,
    ) -> Result<SearchResult, EngineError> {
        let limits = self.limits_at_level(limits);
        Ok(self.searcher(game)?.run(game, &limits, signal, &mut sink))
    }

    /// Returns the greatest size of the hash table or the search tree, in MiB, that a search with these limits can
    /// use. `None` if the limits do not bound the nodes.
    pub fn max_useful_hash(game: &Game, limits: &Limits) -> Option<usize> {
        let tree = game.stacking().is_some() || game.rules().seating().sides() > 2;
        let bytes = if tree { TREE_BYTES_PER_NODE } else { TABLE_BYTES_PER_NODE };
        let bytes = limits.nodes?.saturating_mul(bytes);
        Some((bytes >> 20).next_power_of_two() as usize)
    }

    /// Returns the static value of a position for the side to move, or `None` if the game is finished.
    pub fn evaluate(&mut self, game: &Game) -> Option<Score> {
        if game.outcome().is_some() {
            return None;
        }
        Some(match game.family() {
            Family::Placement(position) => {
                stones::evaluate(position, self.stone_tables(position.rules()), self.options.seed)
            }
            Family::Stacking(position) => TileEvaluator.value(position),
            Family::Hexes(position) => hexes::value(position, &self.options),
        })
    }

    /// Returns the legal moves with their [ordering scores](crate::search::MoveGenerator::ordering_score), in points of
    /// [`ORDERING_SCALE`](crate::eval::ORDERING_SCALE). They are equal in games without a trained ordering.
    pub fn ordering_scores(&mut self, game: &Game) -> Vec<(Move, i32)> {
        match game.family() {
            Family::Placement(position) => {
                let tables = self.stone_tables(position.rules());
                stones::ordering_scores(position, tables, self.options.seed)
            }
            Family::Stacking(position) => legal_ordering_scores(TileEvaluator, position),
            Family::Hexes(position) => hexes::ordering_scores(position, &self.options),
        }
    }

    /// Returns the pattern tables for the rules of a game, and keeps them for the next game of the same rules.
    fn stone_tables(&mut self, rules: &SquareRules) -> Arc<StoneTables> {
        let stone_tables = match &self.stone_tables {
            Some(stone_tables) if stone_tables.serve(rules) => Arc::clone(stone_tables),
            _ => Arc::new(StoneTables::with_file(rules, self.options.eval_file.as_deref())),
        };
        self.stone_tables = Some(Arc::clone(&stone_tables));
        stone_tables
    }

    /// Returns the limits, with the nodes restricted if the level is below full strength.
    fn limits_at_level(&self, limits: Limits) -> Limits {
        match Level::of(self.options.level) {
            Some(level) => level.limits(limits),
            None => limits,
        }
    }

    fn searcher(&mut self, game: &Game) -> Result<FamilySearcher, EngineError> {
        // If a table of a new size cannot be allocated, the old one remains for the next size.
        let table = match &self.table {
            Some(table) if table.mebibytes() == self.options.hash => Arc::clone(table),
            _ => Arc::new(TranspositionTable::new(self.options.hash)?),
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
        let stone_tables = game.placement().map(|position| self.stone_tables(position.rules()));
        Ok(FamilySearcher {
            options: self.options.clone(),
            table,
            pool: self.pool.clone(),
            stone_tables,
        })
    }
}

/// Returns the legal moves of a position with their ordering scores.
pub(super) fn legal_ordering_scores<P: Position>(
    mut evaluator: impl MoveGenerator<P>,
    position: &P,
) -> Vec<(Move, i32)> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut scored: Vec<(Move, i32)> = moves.into_iter().map(|mv| (mv, 0)).collect();
    evaluator.reset(position);
    evaluator.add_ordering_scores(position, &mut scored);
    scored
}

/// What a search uses, for a game of any family.
struct FamilySearcher {
    options: Options,
    table: Arc<TranspositionTable>,
    pool: Option<Arc<ThreadPool>>,
    stone_tables: Option<Arc<StoneTables>>,
}

impl FamilySearcher {
    fn run(
        self,
        game: &Game,
        limits: &Limits,
        signal: &Signal,
        sink: &mut (dyn crate::search::Sink + Send),
    ) -> SearchResult {
        let FamilySearcher { options, table, pool, stone_tables } = self;
        if let Some(found) = book_move(&options, game, limits) {
            sink.report(&found.report);
            return found;
        }
        let Options { multi_pv, exact, forced_wins, seed, parameters, .. } = options;
        let handicap = Level::of(options.level).map_or_else(Handicap::none, |level| level.handicap);
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
                let stone_tables =
                    stone_tables.unwrap_or_else(|| Arc::new(StoneTables::new(rules)));
                let searcher =
                    StoneSearcher { options, settings, table, pool, tables: stone_tables };
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

/// Returns a move of the opening book. `None` if the book has none, or if an analysis rather than a move to play is
/// requested.
fn book_move(options: &Options, game: &Game, limits: &Limits) -> Option<SearchResult> {
    let is_analysis = options.exact
        || options.multi_pv > 1
        || limits.infinite
        || limits.mate.is_some()
        || !limits.search_moves.is_empty();
    let book = options.book.as_ref().filter(|_| options.own_book && !is_analysis)?;
    book.choose(game, options.seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_useful_hash_grows_with_the_nodes() {
        let game = |spec: &str| Game::new(spec.parse().unwrap());
        for (spec, nodes, mebibytes) in [
            ("pente", 1, 1),
            ("pente", 2_000, 1),
            ("pente", 1_000_000, 32),
            ("pente-3", 2_000, 128),
            ("pent-up", 10, 1),
        ] {
            let size = Engine::max_useful_hash(&game(spec), &Limits::nodes(nodes));
            assert_eq!(size, Some(mebibytes), "{spec} {nodes}");
        }
        assert_eq!(Engine::max_useful_hash(&game("pente"), &Limits::depth(9)), None);
    }
}
