//! Many analyses at once.

use crate::query::{Analysis, Line, Lines, Query};
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

/// Who analyzes, and with how much of the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How many positions to analyze at the same time.
    pub workers: usize,
    /// Mebibytes for the tables of all of them together. One analysis takes what its limit of nodes can
    /// use, an eighth of this at most.
    pub hash: usize,
    /// The engine: ours by default.
    pub engine: EngineSpec,
    /// How patient to be with an engine that is not ours.
    pub timeouts: Timeouts,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            workers: thread::available_parallelism().map_or(1, usize::from),
            hash: 512,
            engine: EngineSpec::default(),
            timeouts: Timeouts::default(),
        }
    }
}

/// Analyzes positions on threads of its own, one after the other on each.
pub struct Analyzer {
    pool: ThreadPool,
    /// By thread.
    analysts: Vec<Mutex<Box<dyn Analyst>>>,
    /// Whether they are not ours.
    asks_others: bool,
}

impl std::fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyzer").field("pool", &self.pool).finish_non_exhaustive()
    }
}

impl Analyzer {
    /// Starts the threads. Engines that are not ours are started by the first position.
    pub fn new(settings: &Settings) -> Result<Analyzer, EngineError> {
        let memory = Arc::new(Memory::new(settings.hash));
        let analyst = |_| -> Mutex<Box<dyn Analyst>> {
            Mutex::new(match &settings.engine.kind {
                EngineKind::BuiltIn(options) => Box::new(OwnEngine::new(options.clone(), &memory)),
                EngineKind::Random(_) => Box::new(OwnEngine::new(Options::default(), &memory)),
                EngineKind::Child { .. } => Box::new(OtherEngine::new(settings)),
            })
        };
        let workers = settings.workers.max(1);
        let pool = ThreadPoolBuilder::new()
            .num_threads(workers)
            .stack_size(Engine::STACK)
            .thread_name(|index| format!("analysis-{index}"))
            .build()
            .map_err(|error| EngineError::Threads(error.to_string()))?;
        let asks_others = matches!(settings.engine.kind, EngineKind::Child { .. });
        Ok(Analyzer { pool, analysts: (0..workers).map(analyst).collect(), asks_others })
    }

    /// Analyzes positions, many at once; the answers are in the order of the queries. The first that is
    /// an error stands for all.
    pub fn analyze(&self, queries: &[Query]) -> Result<Vec<Analysis>, AnalysisError> {
        self.analyze_all(queries, || ()).into_iter().collect()
    }

    /// Analyzes positions, many at once; the answers, or why there is none, are in the order of the
    /// queries. `done` is called for each as soon as it is there.
    pub fn analyze_all(
        &self,
        queries: &[Query],
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

    /// Analyzes positions, many at once. Each answer goes to `done` with the number of its query as
    /// soon as it is there, on the thread that found it.
    pub fn analyze_each(
        &self,
        queries: &[Query],
        done: impl Fn(usize, Result<Analysis, AnalysisError>) + Sync,
    ) {
        self.pool.scope_fifo(|scope| {
            for (index, query) in queries.iter().enumerate() {
                let done = &done;
                scope.spawn_fifo(move |_| {
                    done(index, self.analyze_here(query, &Stop::new(), &mut |_| ()));
                });
            }
        });
    }

    /// The fields of a query that an engine that is not ours is not told of.
    pub(super) fn ignored(&self, query: &GameQuery) -> impl Iterator<Item = &'static str> {
        let asked = [
            ("multiPV", query.multi_pv > 1),
            ("mate", query.limits.mate.is_some()),
            ("reportDuringSearchEvery", query.report_every.is_some()),
        ];
        let others = self.asks_others;
        asked.into_iter().filter_map(move |(field, asked)| (others && asked).then_some(field))
    }

    /// Does a job on one of the threads, some time.
    pub(super) fn spawn(&self, job: impl FnOnce() + Send + 'static) {
        self.pool.spawn_fifo(job);
    }

    /// Analyzes a position on the thread that calls, which is one of the pool's.
    pub(super) fn analyze_here(
        &self,
        query: &Query,
        stop: &Stop,
        sink: &mut (dyn FnMut(&Lines) + Send),
    ) -> Result<Analysis, AnalysisError> {
        if let Some(outcome) = query.game.outcome() {
            return Ok(Analysis::ended(&query.game, outcome));
        }
        let number = self.pool.current_thread_index().unwrap_or(0);
        lock(&self.analysts[number]).analyze(query, stop, sink)
    }

    /// Forgets all that can be done without, and gives the memory back; engines that are not ours
    /// end. An analyst who is at work forgets when the work is done anyway.
    pub(super) fn clear(&self) {
        for analyst in &self.analysts {
            if let Ok(mut analyst) = analyst.try_lock() {
                analyst.clear();
            }
        }
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

// Those who analyze one position at a time: our engine, or another one behind the same door.

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
        let useful = Engine::max_useful_hash(&query.game, &query.limits);
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
        let found = engine.search_on_this_thread(&query.game, limits, &stop.search, report);
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

// Engines that are not ours, by the arena's players.

/// An engine in a process of its own. A position is a new game to it, so that no answer depends
/// on the ones before.
pub(super) struct OtherEngine {
    spec: EngineSpec,
    timeouts: Timeouts,
    /// The engine that runs and what it plays.
    running: Option<(Ruleset, ChildPlayer)>,
}

impl OtherEngine {
    pub(super) fn new(settings: &Settings) -> OtherEngine {
        OtherEngine { spec: settings.engine.clone(), timeouts: settings.timeouts, running: None }
    }

    /// What it is called in messages.
    fn name(&self) -> String {
        let command = match &self.spec.kind {
            EngineKind::Child { launch, .. } => launch.command_line(),
            _ => String::new(),
        };
        self.spec.name.clone().unwrap_or(command)
    }

    fn failed(&self, reason: impl Into<String>) -> AnalysisError {
        AnalysisError::Other { name: self.name(), reason: reason.into() }
    }

    fn error(&self, failure: PlayerError) -> AnalysisError {
        match failure {
            PlayerError::Arena(ArenaError::Canceled) => AnalysisError::Stopped,
            PlayerError::Arena(error) => self.failed(error.to_string()),
            PlayerError::Fault(fault) => self.failed(fault.to_string()),
        }
    }

    fn unaskable(&self, field: &'static str, reason: &'static str) -> AnalysisError {
        AnalysisError::Unaskable { name: self.name(), field, reason }
    }

    /// The engine for the rules of a query: the one that runs, if it plays them.
    fn player(&mut self, rules: &Ruleset, stop: &Stop) -> Result<ChildPlayer, PlayerError> {
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

    fn ask(
        &self,
        player: &mut ChildPlayer,
        query: &Query,
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

    /// The limits of a query that the arena can pass on; the engine's own come first.
    fn control(&self, query: &Query) -> TimeControl {
        let limits = &query.limits;
        self.spec.control.unwrap_or(TimeControl {
            clock: None,
            move_time: limits.move_time,
            nodes: limits.nodes,
            depth: limits.depth,
        })
    }

    fn analysis(&self, game: &Game, decision: &Decision) -> Result<Analysis, AnalysisError> {
        let Action::Move(mv) = decision.action else { return Err(self.failed("it resigns here")) };
        if let Err(reason) = game.check_move(mv) {
            let text = format!("illegal move `{}`: {reason}", game.move_text(mv));
            return Err(self.failed(text));
        }
        let nodes = decision.report.as_ref().map_or(0, |report| report.nodes);
        Ok(Analysis::of_lines(vec![line(mv, decision)], nodes))
    }
}

impl Analyst for OtherEngine {
    fn analyze(
        &mut self,
        query: &Query,
        stop: &Stop,
        _: &mut (dyn FnMut(&Lines) + Send),
    ) -> Result<Analysis, AnalysisError> {
        if !query.limits.search_moves.is_empty() {
            return Err(self.unaskable("allowMoves", "the arena's players choose among all moves"));
        }
        let rules = query.game.rules();
        let history = history(&query.game);
        let mut player = self.player(rules, stop).map_err(|failure| self.error(failure))?;
        if history.0.position.is_some() && !player.supports_positions() {
            self.running = Some((rules.clone(), player));
            let reason = "its protocol has no word for a position that no moves lead to";
            return Err(self.unaskable("initialPosition", reason));
        }
        match self.ask(&mut player, query, &history) {
            Ok(decision) => {
                self.running = Some((rules.clone(), player));
                self.analysis(&query.game, &decision)
            }
            // One that was interrupted is still thinking, and ends with the player.
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

/// Where a game began, and the moves from there on.
fn history(game: &Game) -> (Opening, Vec<PlayedMove>) {
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

/// What the engine says of the move it has chosen.
fn line(mv: Move, decision: &Decision) -> Line {
    let Some(report) = &decision.report else {
        return Line { mv, score: None, bound: Bound::Exact, nodes: 0, depth: 0, pv: vec![mv] };
    };
    let pv = if report.pv.first() == Some(&mv) { report.pv.clone() } else { vec![mv] };
    let (score, bound) = (Some(report.score), report.bound);
    Line { mv, score, bound, nodes: report.move_nodes, depth: report.depth, pv }
}

// The memory that searches share.

/// A number of mebibytes for all searches at a time. What one of them gets depends on its query
/// and the whole, never on who else is searching: else the same query would be answered in
/// different ways.
#[derive(Debug)]
pub(super) struct Memory {
    whole: usize,
    free: Mutex<usize>,
    freed: Condvar,
}

/// This many of the largest searches have room at the same time.
const PARTS: usize = 8;

/// How long a search that waits may overlook that it is stopped.
const SLICE: Duration = Duration::from_millis(50);

/// Mebibytes in use, free again when this is dropped.
#[derive(Debug)]
pub(super) struct Share<'a> {
    memory: &'a Memory,
    /// How many.
    pub mebibytes: usize,
}

impl Memory {
    pub(super) fn new(mebibytes: usize) -> Memory {
        let whole = mebibytes.max(1);
        Memory { whole, free: Mutex::new(whole), freed: Condvar::new() }
    }

    /// What a search gets that can use that much, or no matter how much.
    pub(super) fn share_of(&self, useful: Option<usize>) -> usize {
        let most = (self.whole / PARTS).max(1);
        useful.map_or(most, |useful| useful.clamp(1, most))
    }

    /// Waits until that much is free. None if the search is stopped before.
    pub(super) fn take(&self, mebibytes: usize, stop: &Stop) -> Option<Share<'_>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free < mebibytes {
            if stop.is_stopped() {
                return None;
            }
            let waited = self.freed.wait_timeout(free, SLICE);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= mebibytes;
        Some(Share { memory: self, mebibytes })
    }
}

impl Drop for Share<'_> {
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
        let memory = Memory::new(64);
        assert_eq!([None, Some(0), Some(3), Some(9)].map(|u| memory.share_of(u)), [8, 1, 3, 8]);
        assert_eq!(Memory::new(2).share_of(None), 1);
    }

    #[test]
    fn what_is_dropped_is_free_again() {
        let memory = Memory::new(2);
        let stop = Stop::new();
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
