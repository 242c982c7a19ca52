//! Many analyses at once.

use super::analyst::{AnalysisError, Analyst, OwnEngine, Stop};
use super::external::OtherEngine;
use super::memory::Memory;
use super::query::{Analysis, Lines, Query};
use super::request::GameQuery;
use pentarch_arena::{EngineKind, EngineSpec, Timeouts};
use pentarch_engine::{Engine, EngineError, Options};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

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
