//! HTML pages with text, tables and plots, and with a viewer that replays games. A page is one
//! self-contained file.
//!
//! A page loads nothing from the network. [`PageWriter`] writes it as a stream, so that ten
//! thousand games need no memory; [`PageSet`] splits such a stream into files. [`Html`] makes the
//! text, which it escapes; [`GameView`] is a game with annotations of its moves.
//!
//! The viewer knows no rules: it gets the cells that each ply changes. Its data format is described
//! in `encode.rs`.

mod encode;
mod html;
mod writer;

pub use html::{Align, Html, Plot, Series, Table, TableCell};
pub use writer::{PageError, PageSet, PageWriter};

use pentarch_core::game::{Move, Side};
use pentarch_engine::Game;
use pentarch_engine::search::Score;
use std::time::Duration;

/// A game on a page.
#[derive(Clone, Debug)]
pub struct GameView {
    /// The rules, the starting position and the moves.
    pub game: Game,
    /// The data above the board.
    pub header: GameHeader,
    /// The annotations of the moves, in order from the starting position on, and maybe one more of
    /// the last position. Missing ones are empty.
    pub notes: Vec<PlyNote>,
    /// The source of the scores.
    pub score_source: ScoreSource,
}

/// Players and result of a game. Empty fields are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameHeader {
    /// The title: the event, the round, the file.
    pub title: String,
    /// The names of the players by seat.
    pub players: Vec<String>,
    /// The date.
    pub date: String,
    /// The winner if the result is known. `Some(None)` is a draw.
    pub result: Option<Option<Side>>,
    /// The reason of the result in one or a few words.
    pub reason: String,
    /// A longer text, shown preformatted: a summary, or the last lines exchanged with a player at
    /// fault.
    pub detail: String,
}

/// The source of the scores of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoreSource {
    /// One engine scored all positions, as in a review. The graph has one line.
    #[default]
    Reviewer,
    /// Each player scored its own moves, as in a match. The graph has one line for each.
    Players,
}

/// The annotation of a move. Scores are of the position before it, for the seat that made it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlyNote {
    /// The score.
    pub score: Option<Score>,
    /// The win probability from 0 to 1, if it differs from [`Score::win_probability`].
    pub win_probability: Option<f64>,
    /// The search depth in plies.
    pub depth: Option<u32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// The time of the move.
    pub time: Option<Duration>,
    /// The kind of move.
    pub mark: Option<MoveMark>,
    /// A comment.
    pub comment: String,
    /// Alternative or expected lines, the best first. Each begins at the position before the move
    /// and ends at its first illegal move.
    pub lines: Vec<NamedLine>,
}

/// A line of moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedLine {
    /// The name, such as `best`.
    pub name: String,
    /// The score for the seat that makes the first move.
    pub score: Option<Score>,
    /// The moves.
    pub moves: Vec<Move>,
}

/// A kind of move. The viewer has buttons to step through the mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveMark {
    /// A good move.
    Good,
    /// A small mistake.
    Inaccuracy,
    /// A mistake.
    Mistake,
    /// A large mistake.
    Blunder,
    /// The move misses a proved win.
    MissedWin,
    /// The move allows a win that could be prevented.
    MissedDefense,
    /// A fault of the player instead of a move.
    Fault,
}

impl MoveMark {
    /// The name in the data of the viewer.
    pub(super) const fn key(self) -> &'static str {
        match self {
            MoveMark::Good => "good",
            MoveMark::Inaccuracy => "inaccuracy",
            MoveMark::Mistake => "mistake",
            MoveMark::Blunder => "blunder",
            MoveMark::MissedWin => "missed-win",
            MoveMark::MissedDefense => "missed-defense",
            MoveMark::Fault => "fault",
        }
    }
}

impl GameView {
    /// Creates a view without annotations, with the result by the rules.
    pub fn new(game: Game) -> GameView {
        let outcome = game.outcome();
        let header = GameHeader {
            result: outcome.map(|outcome| outcome.winner),
            reason: outcome.map_or_else(String::new, |outcome| outcome.reason.to_string()),
            ..GameHeader::default()
        };
        GameView { game, header, notes: Vec::new(), score_source: ScoreSource::Reviewer }
    }
}
