//! A game to review.

use pentarch_core::game::Move;
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_records::{GameResult, RecordedGame, ReplayError, one_line};

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
                fault = Some(one_line(&format!("move {}: {error}", index + 1)));
                break;
            }
        }
        Ok(Task { file: one_line(file), ..Task::of(record, start, game, fault) })
    }

    /// A game that was played.
    pub fn of_game(game: &Game) -> Task {
        let mut start = game.clone();
        while start.undo().is_some() {}
        let record = RecordedGame { name: "game 1".to_owned(), ..RecordedGame::default() };
        Task::of(record, start, game.clone(), None)
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
        let mut game = self.start.clone();
        let mut texts = Vec::new();
        for &mv in &self.moves {
            texts.push(game.move_text(mv));
            let _ = game.play_move(mv);
        }
        texts
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
