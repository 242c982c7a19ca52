//! Many games at once, a job a position, the reviews in the order of the games.

use crate::review::judge::{Look, Proofs, judge, look};
use crate::review::report::{Budget, GameReview};
use crate::{AnalysisError, Analyzer, Settings, Stop};
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

/// Reviews games on threads of its own. A review depends on its game and the budget alone, not on how
/// many threads there are.
#[derive(Debug)]
pub struct Reviewer {
    shared: Arc<Shared>,
    workers: usize,
}

#[derive(Debug)]
struct Shared {
    analyzer: Analyzer,
    proofs: Proofs,
    budget: Budget,
    limits: Limits,
}

/// What has come of a run.
#[derive(Debug)]
pub enum Progress {
    /// One more position was looked at.
    Position,
    /// The next game is done.
    Game(Arc<Task>, Box<GameReview>),
}

/// Jobs that wait for each thread, so that it never has to.
const WAITING: usize = 4;
/// How often to look whether the run must end.
const SLICE: Duration = Duration::from_millis(100);

impl Reviewer {
    /// Starts that many threads, with tables of that many mebibytes for all of them together.
    pub fn new(workers: usize, hash: usize, budget: Budget) -> Result<Reviewer, EngineError> {
        let workers = workers.max(1);
        let analyzer = Analyzer::new(&Settings { workers, hash, ..Settings::default() })?;
        let (proofs, limits) = (Proofs::new(&budget), Limits::nodes(budget.nodes));
        Ok(Reviewer { shared: Arc::new(Shared { analyzer, proofs, budget, limits }), workers })
    }

    /// How hard it looks.
    pub fn budget(&self) -> &Budget {
        &self.shared.budget
    }

    /// Reviews one game. None if the engine cannot think, of which it says why in the log.
    pub fn review_game(&self, game: &Game) -> Option<GameReview> {
        let mut done = None;
        let reviewed =
            self.review(vec![Task::of_game(game)], &CancelToken::default(), |progress| {
                if let Progress::Game(_, review) = progress {
                    done = Some(*review);
                }
                ControlFlow::Continue(())
            });
        if let Err(error) = reviewed {
            log::error!("no review: {error}");
        }
        done
    }

    /// Reviews games. They come to `take` in their order; it ends the run by breaking, another thread
    /// by the token. What was under way then is dropped.
    pub fn review(
        &self,
        tasks: Vec<Task>,
        cancel: &CancelToken,
        mut take: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), AnalysisError> {
        let (sender, receiver) = channel();
        let mut run = Run {
            shared: &self.shared,
            stop: Stop::new(),
            sender,
            waiting: tasks.into_iter().enumerate(),
            games: BTreeMap::new(),
            feeding: None,
            at_work: 0,
            next: 0,
        };
        let ended = run.run(&receiver, self.workers * WAITING, cancel, &mut take);
        // Nobody waits for what is left.
        run.stop.stop();
        ended
    }
}

/// What a thread has found.
enum Found {
    Look { game: usize, ply: usize, look: Result<Look, AnalysisError> },
    Game { game: usize, review: Box<GameReview> },
}

/// A game that is under way.
struct UnderWay {
    task: Arc<Task>,
    looks: Vec<Option<Look>>,
    missing: usize,
    review: Option<Box<GameReview>>,
}

/// The game whose positions are handed out.
struct Feeding {
    number: usize,
    task: Arc<Task>,
    ply: usize,
    game: Game,
}

struct Run<'a> {
    shared: &'a Arc<Shared>,
    stop: Stop,
    sender: Sender<Found>,
    waiting: std::iter::Enumerate<std::vec::IntoIter<Task>>,
    games: BTreeMap<usize, UnderWay>,
    feeding: Option<Feeding>,
    at_work: usize,
    /// The game to give out next.
    next: usize,
}

impl Run<'_> {
    fn run(
        &mut self,
        found: &Receiver<Found>,
        most: usize,
        cancel: &CancelToken,
        take: &mut impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), AnalysisError> {
        loop {
            while self.at_work < most && self.feed() {}
            if self.at_work == 0 {
                return Ok(());
            }
            if cancel.is_canceled() {
                return Ok(());
            }
            let found = match found.recv_timeout(SLICE) {
                Ok(found) => found,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            self.at_work -= 1;
            let is_look = matches!(found, Found::Look { .. });
            self.file(found)?;
            if is_look && take(Progress::Position).is_break() {
                return Ok(());
            }
            while let Some(done) = self.next_done() {
                if take(done).is_break() {
                    return Ok(());
                }
            }
        }
    }

    /// Hands a position to a thread; false if there is none left.
    fn feed(&mut self) -> bool {
        let Some(mut feeding) = self.feeding.take() else { return self.feed_next_game() };
        let Feeding { number, ref task, ply, ref mut game } = feeding;
        if ply >= task.positions() {
            return self.feed_next_game();
        }
        let (position, played) = (game.clone(), task.moves.get(ply).copied());
        if let Some(mv) = played {
            // It was legal when the game was replayed.
            let _ = game.play_move(mv);
        }
        feeding.ply += 1;
        self.feeding = Some(feeding);
        let (shared, sender, stop) =
            (Arc::clone(self.shared), self.sender.clone(), self.stop.clone());
        self.at_work += 1;
        self.shared.analyzer.spawn(move || {
            let Shared { analyzer, proofs, limits, .. } = &*shared;
            let look = look(analyzer, proofs, &position, played, limits, &stop);
            let _ = sender.send(Found::Look { game: number, ply, look });
        });
        true
    }

    /// Begins with the next game; false if there is none.
    fn feed_next_game(&mut self) -> bool {
        let Some((number, task)) = self.waiting.next() else { return false };
        let task = Arc::new(task);
        let missing = task.positions();
        let looks = vec![None; missing];
        let under_way = UnderWay { task: Arc::clone(&task), looks, missing, review: None };
        self.games.insert(number, under_way);
        if missing == 0 {
            self.judge(number);
        }
        self.feeding = Some(Feeding { number, ply: 0, game: task.start.clone(), task });
        true
    }

    fn file(&mut self, found: Found) -> Result<(), AnalysisError> {
        match found {
            Found::Look { game: number, ply, look } => {
                let look = look?;
                let Some(game) = self.games.get_mut(&number) else { return Ok(()) };
                game.looks[ply] = Some(look);
                game.missing -= 1;
                if game.missing == 0 {
                    self.judge(number);
                }
            }
            Found::Game { game, review } => {
                if let Some(game) = self.games.get_mut(&game) {
                    game.review = Some(review);
                }
            }
        }
        Ok(())
    }

    /// Lets a thread judge a game of which all is known.
    fn judge(&mut self, number: usize) {
        let Some(game) = self.games.get_mut(&number) else { return };
        let looks: Vec<Look> = std::mem::take(&mut game.looks).into_iter().flatten().collect();
        let (shared, sender, task) =
            (Arc::clone(self.shared), self.sender.clone(), Arc::clone(&game.task));
        self.at_work += 1;
        self.shared.analyzer.spawn(move || {
            let review = Box::new(judge(&task, &looks, &shared.budget, &shared.proofs));
            let _ = sender.send(Found::Game { game: number, review });
        });
    }

    fn next_done(&mut self) -> Option<Progress> {
        self.games.get(&self.next)?.review.as_ref()?;
        let done = self.games.remove(&self.next)?;
        self.next += 1;
        Some(Progress::Game(done.task, done.review?))
    }
}

// A game to review.

/// A game to review, replayed as far as the rules allow.
#[derive(Clone, Debug)]
pub struct Task {
    /// The game as it is on record.
    pub record: RecordedGame,
    /// The file that it is from; empty if it is from none.
    pub file: String,
    pub(super) start: Game,
    pub(super) end: Game,
    pub(super) moves: Vec<Move>,
    pub(super) fault: Option<String>,
}

impl Task {
    /// A game on record, by its own rules or else by these. A move that the rules refuse ends it
    /// there. An error if even its start is refused.
    pub fn new(record: RecordedGame, file: &str, rules: &Ruleset) -> Result<Task, ReplayError> {
        let start = record.start(rules)?;
        let mut game = start.clone();
        let mut fault = None;
        for (index, text) in record.moves.iter().enumerate() {
            if let Err(error) = game.play(text) {
                fault = Some(sanitize_line(&format!("move {}: {error}", index + 1)));
                break;
            }
        }
        Ok(Task { file: sanitize_line(file), ..Task::of(record, start, game, fault) })
    }

    /// A game that was played.
    pub fn of_game(game: &Game) -> Task {
        let record = RecordedGame { name: "game 1".to_owned(), ..RecordedGame::default() };
        Task::of(record, game.start(), game.clone(), None)
    }

    fn of(record: RecordedGame, start: Game, end: Game, fault: Option<String>) -> Task {
        let moves = end.moves();
        Task { record, file: String::new(), start, end, moves, fault }
    }

    /// How many positions there are to look at: those before the moves, and the last if it is open.
    pub fn positions(&self) -> usize {
        self.moves.len() + usize::from(self.end.outcome().is_none())
    }

    /// Why the record is not replayed to its end, if it is not.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The position before a move, counted from 0, by playing from the start.
    pub(super) fn position(&self, ply: usize) -> Game {
        let mut game = self.start.clone();
        for &mv in &self.moves[..ply] {
            // They were legal when the game was replayed.
            let _ = game.play_move(mv);
        }
        game
    }

    /// The moves as canonical texts.
    pub(super) fn move_texts(&self) -> Vec<String> {
        self.start.line_texts(&self.moves)
    }

    /// Who won: by the rules, or else on record.
    pub(super) fn result(&self) -> Option<GameResult> {
        self.end.outcome().map(GameResult::from).or(self.record.result)
    }

    /// The position text that the game begins at, unless that is the start of the game.
    pub(super) fn initial_position(&self) -> Option<String> {
        let text = self.start.text();
        (text != Game::new(self.start.rules().clone()).text()).then_some(text)
    }

    /// The name of the player on a seat, counted from 0, or what to say instead.
    pub(super) fn player(&self, seat: usize) -> String {
        match self.record.player(seat) {
            "" => format!("Player {}", seat + 1),
            name => name.to_owned(),
        }
    }

    /// Whether the opening has set a move, counted from 0.
    pub(super) fn is_opening(&self, ply: usize) -> bool {
        self.record.opening_plies.is_some_and(|plies| ply < plies)
    }
}
