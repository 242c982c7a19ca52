//! Analyzes many positions at once, with the built-in engine or external ones.

use crate::katago::MoveEstimates;
use crate::query::{Analysis, AnalysisLine, AnalysisQuery, LineCollector, score_of_outcome};
use crate::request::GameQuery;
use pentarch_arena::{
    Action, ArenaError, CancelToken, ChildPlayer, Decision, EngineKind, EngineSpec, NewGame,
    Opening, PlayedMove, Player as _, PlayerError, ProtocolSettings, TimeControl, Timeouts, Timer,
    Turn,
};
use pentarch_core::game::Move;
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Bound, Report, SearchResult, Signal};
use pentarch_engine::{Engine, EngineError, Game, Options};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The engine and the resources of an [`Analyzer`].
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyzerOptions {
    /// The number of positions analyzed at the same time.
    pub workers: usize,
    /// The size in MiB of all hash tables together. One analysis gets the size that its node limit
    /// can use, at most an eighth of this.
    pub hash: usize,
    /// The engine. By default the built-in one.
    pub engine: EngineSpec,
    /// The timeouts of external engines.
    pub timeouts: Timeouts,
}

impl Default for AnalyzerOptions {
    fn default() -> AnalyzerOptions {
        AnalyzerOptions {
            workers: thread::available_parallelism().map_or(1, usize::from),
            hash: 512,
            engine: EngineSpec::default(),
            timeouts: Timeouts::default(),
        }
    }
}

/// Analyzes positions on a pool of threads, one position at a time on each.
pub struct Analyzer {
    pool: ThreadPool,
    /// By thread.
    engines_by_thread: Vec<Mutex<Box<dyn PositionAnalyzer>>>,
    /// Whether the engine is external.
    is_external: bool,
}

impl std::fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyzer").field("pool", &self.pool).finish_non_exhaustive()
    }
}

impl Analyzer {
    /// Starts the threads. External engines are started by the first position.
    pub fn new(settings: &AnalyzerOptions) -> Result<Analyzer, EngineError> {
        let memory = Arc::new(HashMemory::new(settings.hash));
        let engine_of_thread = |_| -> Mutex<Box<dyn PositionAnalyzer>> {
            Mutex::new(match &settings.engine.kind {
                EngineKind::BuiltIn(options) => {
                    Box::new(BuiltInEngine::new(options.clone(), &memory))
                }
                EngineKind::Random(_) => Box::new(BuiltInEngine::new(Options::default(), &memory)),
                EngineKind::Child { .. } => Box::new(ExternalEngine::new(settings)),
            })
        };
        let workers = settings.workers.max(1);
        let pool = ThreadPoolBuilder::new()
            .num_threads(workers)
            .stack_size(Engine::STACK)
            .thread_name(|index| format!("analysis-{index}"))
            .build()
            .map_err(|error| EngineError::Threads(error.to_string()))?;
        let is_external = matches!(settings.engine.kind, EngineKind::Child { .. });
        Ok(Analyzer {
            pool,
            engines_by_thread: (0..workers).map(engine_of_thread).collect(),
            is_external,
        })
    }

    /// Analyzes positions and returns the results in the order of the queries, or the first error.
    pub fn analyze(&self, queries: &[AnalysisQuery]) -> Result<Vec<Analysis>, AnalysisError> {
        self.analyze_all(queries, || ()).into_iter().collect()
    }

    /// Analyzes positions and returns the results in the order of the queries. Calls `done` after
    /// each.
    pub fn analyze_all(
        &self,
        queries: &[AnalysisQuery],
        done: impl Fn() + Sync,
    ) -> Vec<Result<Analysis, AnalysisError>> {
        let found: Vec<_> = queries.iter().map(|_| Mutex::new(None)).collect();
        self.analyze_each(queries, |index, analysis| {
            *lock(&found[index]) = Some(analysis);
            done();
        });
        let taken = found.into_iter().map(Mutex::into_inner);
        let taken = taken.map(|slot| slot.unwrap_or_else(PoisonError::into_inner));
        taken.map(|analysis| analysis.unwrap_or(Err(AnalysisError::Stopped))).collect()
    }

    /// Analyzes positions. Calls `done` with the index of the query and the result of each, on the
    /// thread that analyzed it.
    pub fn analyze_each(
        &self,
        queries: &[AnalysisQuery],
        done: impl Fn(usize, Result<Analysis, AnalysisError>) + Sync,
    ) {
        self.pool.scope_fifo(|scope| {
            for (index, query) in queries.iter().enumerate() {
                let done = &done;
                scope.spawn_fifo(move |_| {
                    done(index, self.analyze_here(query, &StopHandle::new(), &mut |_| ()));
                });
            }
        });
    }

    /// Returns the fields of a query that an external engine ignores.
    pub(super) fn ignored_fields(&self, query: &GameQuery) -> impl Iterator<Item = &'static str> {
        let asked = [
            ("multiPV", query.multi_pv > 1),
            ("mate", query.limits.mate.is_some()),
            ("reportDuringSearchEvery", query.report_every.is_some()),
        ];
        let is_external = self.is_external;
        asked.into_iter().filter_map(move |(field, asked)| (is_external && asked).then_some(field))
    }

    /// Runs a job on one of the threads, later.
    pub(super) fn spawn(&self, job: impl FnOnce() + Send + 'static) {
        self.pool.spawn_fifo(job);
    }

    /// Analyzes a position on the calling thread, which must be one of the pool. Intermediate
    /// results go to `sink`.
    pub(super) fn analyze_here(
        &self,
        query: &AnalysisQuery,
        stop: &StopHandle,
        sink: &mut (dyn FnMut(&LineCollector) + Send),
    ) -> Result<Analysis, AnalysisError> {
        if let Some(outcome) = query.game.outcome() {
            return Ok(Analysis::ended(&query.game, outcome));
        }
        let number = self.pool.current_thread_index().unwrap_or(0);
        lock(&self.engines_by_thread[number]).analyze(query, stop, sink)
    }

    /// Estimates a position without a search, on the calling thread, which must be one of the pool.
    pub(super) fn estimates(&self, game: &Game) -> MoveEstimates {
        if game.outcome().is_some() {
            return MoveEstimates::default();
        }
        let number = self.pool.current_thread_index().unwrap_or(0);
        lock(&self.engines_by_thread[number]).estimates(game)
    }

    /// Frees caches and ends external engines, except of threads that are analyzing; they free
    /// their tables after each position.
    pub(super) fn clear(&self) {
        for engine_of_thread in &self.engines_by_thread {
            if let Ok(mut engine_of_thread) = engine_of_thread.try_lock() {
                engine_of_thread.clear();
            }
        }
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why a position cannot be analyzed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The built-in engine cannot search.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An external engine failed. It is started again for the next position.
    #[error("the engine `{name}`: {reason}")]
    External {
        /// The name of the engine.
        name: String,
        /// The failure.
        reason: String,
    },
    /// An external engine does not support the query.
    #[error("the engine `{name}` does not support this query: {reason}")]
    Unsupported {
        /// The name of the engine.
        name: String,
        /// The field of the query.
        field: &'static str,
        /// The reason.
        reason: &'static str,
    },
    /// The analysis was stopped before it had a result.
    #[error("stopped before anything was known")]
    Stopped,
}

impl AnalysisError {
    /// Returns the field of the query that the error is about.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            AnalysisError::Unsupported { field, .. } => Some(field),
            _ => None,
        }
    }
}

/// Stops an analysis from another thread.
#[derive(Clone, Debug, Default)]
pub struct StopHandle {
    search: Arc<Signal>,
    engine: CancelToken,
}

impl StopHandle {
    /// Creates a handle for one analysis.
    pub fn new() -> StopHandle {
        StopHandle::default()
    }

    /// Stops the analysis. Its result is what is known so far.
    pub fn stop(&self) {
        self.engine.cancel();
        self.search.stop();
    }

    /// Returns whether the analysis was stopped.
    pub fn is_stopped(&self) -> bool {
        self.search.is_stopped()
    }

    /// Returns the token that stops an external engine.
    pub(super) fn token(&self) -> &CancelToken {
        &self.engine
    }
}

/// An engine that analyzes one position at a time.
pub(super) trait PositionAnalyzer: Send {
    /// Analyzes an open game. Intermediate results go to `sink`.
    fn analyze(
        &mut self,
        query: &AnalysisQuery,
        stop: &StopHandle,
        sink: &mut (dyn FnMut(&LineCollector) + Send),
    ) -> Result<Analysis, AnalysisError>;

    /// Estimates a position without a search.
    fn estimates(&mut self, game: &Game) -> MoveEstimates {
        let moves: Vec<_> = game.legal_moves().into_iter().map(|mv| (mv, 0)).collect();
        MoveEstimates::new(&moves, None)
    }

    /// Frees caches, or ends the engine.
    fn clear(&mut self);
}

/// The built-in engine. Its tables are cleared after each position, so that no result depends on
/// earlier ones.
pub(super) struct BuiltInEngine {
    /// The engines by the rules of their tables, most recently used first.
    engines: Vec<(Ruleset, Engine)>,
    options: Options,
    memory: Arc<HashMemory>,
}

/// The number of rules for which engines are kept, for queries that alternate.
const MAX_ENGINES: usize = 4;

impl BuiltInEngine {
    pub(super) fn new(options: Options, memory: &Arc<HashMemory>) -> BuiltInEngine {
        let options = Options { threads: 1, ..options };
        BuiltInEngine { engines: Vec::new(), options, memory: Arc::clone(memory) }
    }

    /// Returns an engine with tables for these rules, if there is one.
    fn engine(&mut self, rules: &Ruleset) -> &mut Engine {
        match self.engines.iter().position(|(known, _)| known == rules) {
            Some(index) => self.engines[..=index].rotate_right(1),
            None => self.engines.insert(0, (rules.clone(), Engine::new(self.options.clone()))),
        }
        self.engines.truncate(MAX_ENGINES);
        // The shares of the memory allow for one table a thread.
        self.engines.iter_mut().skip(1).for_each(|(_, engine)| engine.free_table());
        &mut self.engines[0].1
    }
}

impl PositionAnalyzer for BuiltInEngine {
    fn analyze(
        &mut self,
        query: &AnalysisQuery,
        stop: &StopHandle,
        sink: &mut (dyn FnMut(&LineCollector) + Send),
    ) -> Result<Analysis, AnalysisError> {
        let useful = Engine::max_useful_hash(&query.game, &query.limits);
        let share = self.memory.share_of(useful);
        let memory = Arc::clone(&self.memory);
        let share = memory.take(share, stop).ok_or(AnalysisError::Stopped)?;
        let multi_pv = query.multi_pv.max(self.options.multi_pv);
        let options = Options { hash: share.mebibytes, multi_pv, ..self.options.clone() };
        let engine = self.engine(query.game.rules());
        engine.set_options(options);
        let mut lines = LineCollector::default();
        let report = |report: &Report| {
            lines.add(report);
            sink(&lines);
        };
        let limits = query.limits.clone();
        let found = engine.search_on_this_thread(&query.game, limits, &stop.search, report);
        engine.clear();
        let found: SearchResult = found?;
        if found.report.depth == 0 && stop.is_stopped() {
            return Err(AnalysisError::Stopped);
        }
        let analysis = lines.finish(&found);
        let missing = (multi_pv as usize).saturating_sub(analysis.lines.len());
        if missing == 0 || analysis.lines.is_empty() {
            return Ok(analysis);
        }
        let estimated = self.estimated_lines(query, &analysis, missing);
        Ok(analysis.with_lines(estimated))
    }

    fn estimates(&mut self, game: &Game) -> MoveEstimates {
        let engine = self.engine(game.rules());
        let value = engine.evaluate(game);
        MoveEstimates::new(&engine.ordering_scores(game), value)
    }

    fn clear(&mut self) {
        self.engines.clear();
    }
}

impl BuiltInEngine {
    /// Returns lines of one move for moves of which the search has no line, because it has proved
    /// enough or because its limits do not suffice: those that the ordering puts first, with the
    /// static values of the positions after them.
    fn estimated_lines(
        &mut self,
        query: &AnalysisQuery,
        analysis: &Analysis,
        count: usize,
    ) -> Vec<AnalysisLine> {
        let game = &query.game;
        let engine = self.engine(game.rules());
        let mut scored = engine.ordering_scores(game);
        let allowed = &query.limits.search_moves;
        scored.retain(|(mv, _)| {
            (allowed.is_empty() || allowed.contains(mv))
                && analysis.lines.iter().all(|line| line.mv != *mv)
        });
        scored.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        let side = |game: &Game| game.side_of(game.to_move());
        let two_sides = game.rules().seating().sides() == 2;
        let lines = scored.into_iter().take(count).filter_map(|(mv, _)| {
            let mut after = game.clone();
            after.play_move(mv).ok()?;
            let (score, bound) = match after.outcome() {
                Some(outcome) => (score_of_outcome(game, outcome, 1), Bound::Exact),
                None if side(game) == side(&after) => (engine.evaluate(&after)?, Bound::Upper),
                None if two_sides => (-engine.evaluate(&after)?, Bound::Upper),
                // The values of more sides are not related.
                None => (engine.evaluate(game)?, Bound::Upper),
            };
            Some(AnalysisLine { mv, score: Some(score), bound, nodes: 1, depth: 1, pv: vec![mv] })
        });
        lines.collect()
    }
}

/// An external engine. Each position is a new game to it, so that no result depends on earlier
/// ones.
pub(super) struct ExternalEngine {
    spec: EngineSpec,
    timeouts: Timeouts,
    /// The running engine and the rules of its game.
    running: Option<(Ruleset, ChildPlayer)>,
}

impl ExternalEngine {
    pub(super) fn new(settings: &AnalyzerOptions) -> ExternalEngine {
        ExternalEngine { spec: settings.engine.clone(), timeouts: settings.timeouts, running: None }
    }

    /// Returns the name for messages.
    fn name(&self) -> String {
        let command = match &self.spec.kind {
            EngineKind::Child { launch, .. } => launch.command_line(),
            _ => String::new(),
        };
        self.spec.name.clone().unwrap_or(command)
    }

    fn failed(&self, reason: impl Into<String>) -> AnalysisError {
        AnalysisError::External { name: self.name(), reason: reason.into() }
    }

    fn error(&self, failure: PlayerError) -> AnalysisError {
        match failure {
            PlayerError::Arena(ArenaError::Canceled) => AnalysisError::Stopped,
            PlayerError::Arena(error) => self.failed(error.to_string()),
            PlayerError::Fault(fault) => self.failed(fault.to_string()),
        }
    }

    fn unsupported(&self, field: &'static str, reason: &'static str) -> AnalysisError {
        AnalysisError::Unsupported { name: self.name(), field, reason }
    }

    /// Returns an engine for these rules: the running one if it plays them, else a new one.
    fn player(&mut self, rules: &Ruleset, stop: &StopHandle) -> Result<ChildPlayer, PlayerError> {
        if let Some((played, mut player)) = self.running.take()
            && played == *rules
        {
            player.set_cancel_token(stop.token().clone());
            return Ok(player);
        }
        let EngineKind::Child { launch, dialect, options } = &self.spec.kind else {
            return Err(ArenaError::Setup("it is built in".to_owned()).into());
        };
        let token = stop.token().clone();
        let label = self.name();
        let program = (launch, label.as_str());
        let rules = rules.clone().into();
        let conversation = ProtocolSettings { dialect: *dialect, options, ponder: false };
        let player = ChildPlayer::start(&rules, conversation, program, self.timeouts, token);
        player.map_err(PlayerError::from)
    }

    fn request_move(
        &self,
        player: &mut ChildPlayer,
        query: &AnalysisQuery,
        history: &(Opening, Vec<PlayedMove>),
    ) -> Result<Decision, PlayerError> {
        let game = &query.game;
        let timer = Timer::new(self.control(query));
        let seat = game.to_move();
        player.new_game(&NewGame { number: 1, seat, game, timer: &timer })?;
        let (opening, plies) = history;
        let timers = vec![timer; game.seats().into()];
        player.choose(&Turn { game, opening, plies, timers: &timers })
    }

    /// Returns the limits of a query that the arena can pass on. Those of the engine take
    /// precedence.
    fn control(&self, query: &AnalysisQuery) -> TimeControl {
        let limits = &query.limits;
        self.spec.control.unwrap_or(TimeControl {
            clock: None,
            move_time: limits.move_time,
            nodes: limits.nodes,
            depth: limits.depth,
        })
    }

    fn analysis(&self, game: &Game, decision: &Decision) -> Result<Analysis, AnalysisError> {
        let Action::Move(mv) = decision.action else { return Err(self.failed("it resigns")) };
        if let Err(reason) = game.check_move(mv) {
            let text = format!("illegal move `{}`: {reason}", game.move_text(mv));
            return Err(self.failed(text));
        }
        let nodes = decision.report.as_ref().map_or(0, |report| report.nodes);
        Ok(Analysis::of_lines(vec![to_line(mv, decision)], nodes))
    }
}

impl PositionAnalyzer for ExternalEngine {
    fn analyze(
        &mut self,
        query: &AnalysisQuery,
        stop: &StopHandle,
        _: &mut (dyn FnMut(&LineCollector) + Send),
    ) -> Result<Analysis, AnalysisError> {
        if !query.limits.search_moves.is_empty() {
            return Err(
                self.unsupported("allowMoves", "an external engine chooses among all moves")
            );
        }
        let rules = query.game.rules();
        let history = opening_and_plies(&query.game);
        let mut player = self.player(rules, stop).map_err(|failure| self.error(failure))?;
        if history.0.position.is_some() && !player.supports_positions() {
            self.running = Some((rules.clone(), player));
            let reason = "its protocol cannot express a position without the moves that lead to it";
            return Err(self.unsupported("initialPosition", reason));
        }
        match self.request_move(&mut player, query, &history) {
            Ok(decision) => {
                self.running = Some((rules.clone(), player));
                self.analysis(&query.game, &decision)
            }
            // An engine that was interrupted still searches; it ends when the player is dropped.
            Err(PlayerError::Arena(error)) => Err(self.error(error.into())),
            Err(failure) => {
                self.running = Some((rules.clone(), player));
                Err(self.error(failure))
            }
        }
    }

    fn clear(&mut self) {
        self.running = None;
    }
}

/// Returns the starting position and the moves of a game.
fn opening_and_plies(game: &Game) -> (Opening, Vec<PlayedMove>) {
    let mut replay = game.replay();
    let position = replay.position().text();
    let is_start = position == Game::new(game.rules().clone()).text();
    let position = (!is_start).then_some(position);
    let mut plies = Vec::new();
    let mut seat = replay.position().to_move();
    while let Some(mv) = replay.next() {
        plies.push(PlayedMove { seat, mv });
        seat = replay.position().to_move();
    }
    (Opening { position, moves: Vec::new() }, plies)
}

/// Returns the line of the engine's move.
fn to_line(mv: Move, decision: &Decision) -> AnalysisLine {
    let Some(report) = &decision.report else {
        return AnalysisLine {
            mv,
            score: None,
            bound: Bound::Exact,
            nodes: 0,
            depth: 0,
            pv: vec![mv],
        };
    };
    let pv = if report.pv.first() == Some(&mv) { report.pv.clone() } else { vec![mv] };
    let (score, bound) = (Some(report.score), report.bound);
    AnalysisLine { mv, score, bound, nodes: report.move_nodes, depth: report.depth, pv }
}

/// The hash memory shared by all searches. The share of a search depends only on its query and on
/// the total, not on other searches, so that equal queries have equal results.
#[derive(Debug)]
pub(super) struct HashMemory {
    whole: usize,
    free: Mutex<usize>,
    freed: Condvar,
}

/// The number of searches with the largest share that fit into the memory.
const MAX_SHARES: usize = 8;

/// The interval at which a waiting search checks whether it is stopped.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A part of the memory; it is freed on drop.
#[derive(Debug)]
pub(super) struct HashShare<'a> {
    memory: &'a HashMemory,
    /// The size in MiB.
    pub mebibytes: usize,
}

impl HashMemory {
    pub(super) fn new(mebibytes: usize) -> HashMemory {
        let whole = mebibytes.max(1);
        HashMemory { whole, free: Mutex::new(whole), freed: Condvar::new() }
    }

    /// Returns the share of a search that can use `useful` MiB; `None` is any size.
    pub(super) fn share_of(&self, useful: Option<usize>) -> usize {
        let most = (self.whole / MAX_SHARES).max(1);
        useful.map_or(most, |useful| useful.clamp(1, most))
    }

    /// Waits until the memory is free and takes it. Returns `None` if the search is stopped before.
    pub(super) fn take(&self, mebibytes: usize, stop: &StopHandle) -> Option<HashShare<'_>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free < mebibytes {
            if stop.is_stopped() {
                return None;
            }
            let waited = self.freed.wait_timeout(free, STOP_POLL_INTERVAL);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= mebibytes;
        Some(HashShare { memory: self, mebibytes })
    }
}

impl Drop for HashShare<'_> {
    fn drop(&mut self) {
        let mut free = self.memory.free.lock().unwrap_or_else(PoisonError::into_inner);
        *free += self.mebibytes;
        self.memory.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_get_what_they_can_use_up_to_an_eighth() {
        let memory = HashMemory::new(64);
        assert_eq!([None, Some(0), Some(3), Some(9)].map(|u| memory.share_of(u)), [8, 1, 3, 8]);
        assert_eq!(HashMemory::new(2).share_of(None), 1);
    }

    #[test]
    fn what_is_dropped_is_free_again() {
        let memory = HashMemory::new(2);
        let stop = StopHandle::new();
        let both = memory.take(2, &stop).unwrap();
        let waiting = std::thread::scope(|scope| {
            let waiter = scope.spawn(|| memory.take(1, &stop).map(|share| share.mebibytes));
            drop(both);
            waiter.join().unwrap()
        });
        assert_eq!(waiting, Some(1));
        let _all = memory.take(2, &stop).unwrap();
        stop.stop();
        assert!(memory.take(1, &stop).is_none());
    }
}
