//! Reviews many games in parallel, one job a position, in the order of the games.

use crate::review::judge::{PositionAnalysis, PositionSearch, ReviewProver, judge};
use crate::review::report::{GameReview, ReviewBudget};
use crate::{AnalysisError, Analyzer, AnalyzerOptions, StopHandle};
use pentarch_arena::CancelToken;
use pentarch_core::game::Move;
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::Limits;
use pentarch_engine::{EngineError, Game};
use pentarch_records::{GameResult, RecordedGame, ReplayError, sanitize_line};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Reviews games on a pool of threads. A review depends only on its game and the budget, not on the
/// number of threads.
#[derive(Debug)]
pub struct Reviewer {
    shared: Arc<ReviewContext>,
    workers: usize,
}

#[derive(Debug)]
struct ReviewContext {
    analyzer: Analyzer,
    prover: ReviewProver,
    budget: ReviewBudget,
    limits: Limits,
}

/// The progress of a run.
#[derive(Debug)]
pub enum ReviewEvent {
    /// A position was analyzed.
    Position,
    /// The next game is done.
    Game(Arc<ReviewTask>, Box<GameReview>),
}

/// The number of waiting jobs for each thread.
const JOBS_PER_THREAD: usize = 4;
/// The interval of checks whether the run was canceled.
const CANCEL_POLL_INTERVAL: Duration = Duration::from_millis(100);

impl Reviewer {
    /// Starts the threads, with hash tables of `hash` MiB for all of them together.
    pub fn new(workers: usize, hash: usize, budget: ReviewBudget) -> Result<Reviewer, EngineError> {
        let workers = workers.max(1);
        let analyzer =
            Analyzer::new(&AnalyzerOptions { workers, hash, ..AnalyzerOptions::default() })?;
        let (prover, limits) = (ReviewProver::new(&budget), Limits::nodes(budget.nodes));
        Ok(Reviewer {
            shared: Arc::new(ReviewContext { analyzer, prover, budget, limits }),
            workers,
        })
    }

    /// The limits of the reviews.
    pub fn budget(&self) -> &ReviewBudget {
        &self.shared.budget
    }

    /// Reviews one game. Returns `None` if the engine fails; the error is logged.
    pub fn review_game(&self, game: &Game) -> Option<GameReview> {
        let mut done = None;
        let reviewed =
            self.review(vec![ReviewTask::of_game(game)], &CancelToken::default(), |progress| {
                if let ReviewEvent::Game(_, review) = progress {
                    done = Some(*review);
                }
                ControlFlow::Continue(())
            });
        if let Err(error) = reviewed {
            log::error!("no review: {error}");
        }
        done
    }

    /// Reviews games. `take` gets the progress, with the games in their order. It ends the run by
    /// breaking; another thread ends it by `cancel`. Unfinished games are dropped.
    pub fn review(
        &self,
        tasks: Vec<ReviewTask>,
        cancel: &CancelToken,
        mut take: impl FnMut(ReviewEvent) -> ControlFlow<()>,
    ) -> Result<(), AnalysisError> {
        let (sender, receiver) = channel();
        let mut run = ReviewRun {
            shared: &self.shared,
            stop: StopHandle::new(),
            sender,
            waiting: tasks.into_iter().enumerate(),
            games: BTreeMap::new(),
            feed: None,
            running_jobs: 0,
            next: 0,
        };
        let ended = run.run(&receiver, self.workers * JOBS_PER_THREAD, cancel, &mut take);
        // The results of running jobs are not needed any more.
        run.stop.stop();
        ended
    }
}

/// The result of a job.
enum JobResult {
    Position { game: usize, ply: usize, analysis: Result<PositionAnalysis, AnalysisError> },
    Game { game: usize, review: Result<Box<GameReview>, AnalysisError> },
}

/// A game that is being reviewed.
struct GameInProgress {
    task: Arc<ReviewTask>,
    analyses: Vec<Option<PositionAnalysis>>,
    missing: usize,
    review: Option<Box<GameReview>>,
}

/// The game whose positions are being handed out.
struct PositionFeed {
    number: usize,
    task: Arc<ReviewTask>,
    ply: usize,
    game: Game,
}

struct ReviewRun<'a> {
    shared: &'a Arc<ReviewContext>,
    stop: StopHandle,
    sender: Sender<JobResult>,
    waiting: std::iter::Enumerate<std::vec::IntoIter<ReviewTask>>,
    games: BTreeMap<usize, GameInProgress>,
    feed: Option<PositionFeed>,
    running_jobs: usize,
    /// The number of the game to return next.
    next: usize,
}

impl ReviewRun<'_> {
    fn run(
        &mut self,
        found: &Receiver<JobResult>,
        most: usize,
        cancel: &CancelToken,
        take: &mut impl FnMut(ReviewEvent) -> ControlFlow<()>,
    ) -> Result<(), AnalysisError> {
        loop {
            while self.running_jobs < most && self.start_next_job() {}
            if self.running_jobs == 0 {
                return Ok(());
            }
            if cancel.is_canceled() {
                return Ok(());
            }
            let found = match found.recv_timeout(CANCEL_POLL_INTERVAL) {
                Ok(found) => found,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            self.running_jobs -= 1;
            let is_position = matches!(found, JobResult::Position { .. });
            self.store(found)?;
            if is_position && take(ReviewEvent::Position).is_break() {
                return Ok(());
            }
            while let Some(done) = self.next_done() {
                if take(done).is_break() {
                    return Ok(());
                }
            }
        }
    }

    /// Starts the job of a position. Returns false if none is left.
    fn start_next_job(&mut self) -> bool {
        let Some(mut feed) = self.feed.take() else { return self.start_next_game() };
        let PositionFeed { number, ref task, ply, ref mut game } = feed;
        if ply >= task.positions() {
            return self.start_next_game();
        }
        let (position, played) = (game.clone(), task.moves.get(ply).copied());
        if let Some(mv) = played {
            // The move was legal when the game was replayed.
            let _ = game.play_move(mv);
        }
        feed.ply += 1;
        self.feed = Some(feed);
        let (shared, sender, stop) =
            (Arc::clone(self.shared), self.sender.clone(), self.stop.clone());
        self.running_jobs += 1;
        self.shared.analyzer.spawn(move || {
            let ReviewContext { analyzer, prover, limits, .. } = &*shared;
            let search = PositionSearch { analyzer, limits, stop: &stop };
            let analysis = search.analyze(prover, &position, played);
            let _ = sender.send(JobResult::Position { game: number, ply, analysis });
        });
        true
    }

    /// Starts with the next game. Returns false if there is none.
    fn start_next_game(&mut self) -> bool {
        let Some((number, task)) = self.waiting.next() else { return false };
        let task = Arc::new(task);
        let missing = task.positions();
        let analyses = vec![None; missing];
        let in_progress =
            GameInProgress { task: Arc::clone(&task), analyses, missing, review: None };
        self.games.insert(number, in_progress);
        if missing == 0 {
            self.judge(number);
        }
        self.feed = Some(PositionFeed { number, ply: 0, game: task.start.clone(), task });
        true
    }

    fn store(&mut self, found: JobResult) -> Result<(), AnalysisError> {
        match found {
            JobResult::Position { game: number, ply, analysis } => {
                let analysis = analysis?;
                let Some(game) = self.games.get_mut(&number) else { return Ok(()) };
                game.analyses[ply] = Some(analysis);
                game.missing -= 1;
                if game.missing == 0 {
                    self.judge(number);
                }
            }
            JobResult::Game { game, review } => {
                let review = review?;
                if let Some(game) = self.games.get_mut(&game) {
                    game.review = Some(review);
                }
            }
        }
        Ok(())
    }

    /// Starts the job that judges a game whose positions are all analyzed.
    fn judge(&mut self, number: usize) {
        let Some(game) = self.games.get_mut(&number) else { return };
        let analyses: Vec<PositionAnalysis> =
            std::mem::take(&mut game.analyses).into_iter().flatten().collect();
        let (shared, sender, task) =
            (Arc::clone(self.shared), self.sender.clone(), Arc::clone(&game.task));
        let stop = self.stop.clone();
        self.running_jobs += 1;
        self.shared.analyzer.spawn(move || {
            let ReviewContext { analyzer, prover, limits, budget } = &*shared;
            let search = PositionSearch { analyzer, limits, stop: &stop };
            let review = judge(&task, analyses, budget, prover, &search).map(Box::new);
            let _ = sender.send(JobResult::Game { game: number, review });
        });
    }

    fn next_done(&mut self) -> Option<ReviewEvent> {
        self.games.get(&self.next)?.review.as_ref()?;
        let done = self.games.remove(&self.next)?;
        self.next += 1;
        Some(ReviewEvent::Game(done.task, done.review?))
    }
}

/// A game to review, replayed up to its first illegal move.
#[derive(Clone, Debug)]
pub struct ReviewTask {
    /// The recorded game.
    pub record: RecordedGame,
    /// The file of the game; empty if there is none.
    pub file: String,
    pub(super) start: Game,
    pub(super) end: Game,
    pub(super) moves: Vec<Move>,
    pub(super) fault: Option<String>,
}

impl ReviewTask {
    /// Creates a task from a recorded game, by its own rules or by `rules` if it names none. An
    /// illegal move ends the game there. An illegal start is an error.
    pub fn new(
        record: RecordedGame,
        file: &str,
        rules: &Ruleset,
    ) -> Result<ReviewTask, ReplayError> {
        let start = record.start(rules)?;
        let mut game = start.clone();
        let mut fault = None;
        for (index, text) in record.moves.iter().enumerate() {
            if let Err(error) = game.play(text) {
                fault = Some(sanitize_line(&format!("move {}: {error}", index + 1)));
                break;
            }
        }
        Ok(ReviewTask { file: sanitize_line(file), ..ReviewTask::of(record, start, game, fault) })
    }

    /// Creates a task from a game.
    pub fn of_game(game: &Game) -> ReviewTask {
        let record = RecordedGame { name: "game 1".to_owned(), ..RecordedGame::default() };
        ReviewTask::of(record, game.start(), game.clone(), None)
    }

    fn of(record: RecordedGame, start: Game, end: Game, fault: Option<String>) -> ReviewTask {
        let moves = end.moves();
        ReviewTask { record, file: String::new(), start, end, moves, fault }
    }

    /// The number of positions to analyze: those before the moves, and the last one if it is open.
    pub fn positions(&self) -> usize {
        self.moves.len() + usize::from(self.end.outcome().is_none())
    }

    /// Why the record is not replayed to its end.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Returns the position before a move, counted from 0.
    pub(super) fn position(&self, ply: usize) -> Game {
        let mut game = self.start.clone();
        for &mv in &self.moves[..ply] {
            // They were legal when the game was replayed.
            let _ = game.play_move(mv);
        }
        game
    }

    /// Returns the canonical texts of the moves.
    pub(super) fn move_texts(&self) -> Vec<String> {
        self.start.line_texts(&self.moves)
    }

    /// Returns the result, by the rules or else on record.
    pub(super) fn result(&self) -> Option<GameResult> {
        self.end.outcome().map(GameResult::from).or(self.record.result)
    }

    /// Returns the position text of the start, unless it is the start of the game.
    pub(super) fn initial_position(&self) -> Option<String> {
        let text = self.start.text();
        (text != Game::new(self.start.rules().clone()).text()).then_some(text)
    }

    /// Returns the name of the player of a seat, counted from 0, or `Player 1`.
    pub(super) fn player(&self, seat: usize) -> String {
        match self.record.player(seat) {
            "" => format!("Player {}", seat + 1),
            name => name.to_owned(),
        }
    }

    /// Returns whether the opening set a move, counted from 0.
    pub(super) fn is_opening(&self, ply: usize) -> bool {
        self.record.opening_plies.is_some_and(|plies| ply < plies)
    }
}
