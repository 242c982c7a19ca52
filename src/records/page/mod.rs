//! Pages to look at games: one self-contained HTML file with text, tables and plots, and a viewer in
//! which every game is stepped through on its board.
//!
//! A page links to nothing on the network. [`PageWriter`] writes it as a stream, so that ten
//! thousand games need no memory; [`PageSet`] cuts such a stream into files. What stands on a page
//! is made by [`Html`], which escapes all text, and by [`GameView`], a game with what is to be said
//! of its moves.
//!
//! The rules are asked here: the viewer gets the cells that each ply changes, and draws them. The
//! format that it reads is described in `encode.rs`.

mod encode;
mod html;
mod writer;

pub use html::{Align, Html, Plot, Series, Table, TableCell};
pub use writer::{PageError, PageSet, PageWriter};

use pentarch_core::game::{Move, Side};
use pentarch_engine::Game;
use pentarch_engine::search::Score;
use std::time::Duration;

// A game with what is to be said of it.

/// A game as a page shows it.
#[derive(Clone, Debug)]
pub struct GameView {
    /// The rules, the starting position and the moves.
    pub game: Game,
    /// What stands above the board.
    pub header: Header,
    /// What is to be said of each move, in order, from the starting position on. One more may follow,
    /// of the last position; missing ones say nothing.
    pub notes: Vec<Note>,
    /// Whose values the notes have.
    pub judges: Judges,
}

/// Who played, and how it ended. What is empty is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// What to call the game: its event, its round, the file that it is from.
    pub title: String,
    /// The names of the players by seat.
    pub players: Vec<String>,
    /// When it was played.
    pub date: String,
    /// Who won, where that is known: none in it is a draw.
    pub result: Option<Option<Side>>,
    /// Why it ended, in a word or a few.
    pub reason: String,
    /// A longer text, shown as it is written: a summary, or the last lines exchanged with a player
    /// that was at fault.
    pub detail: String,
}

/// Whose values the notes of a game have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Judges {
    /// One judge's of all positions, as in a review: one line of the graph.
    #[default]
    One,
    /// Each player's own, as in a match: a line for each.
    EachPlayer,
}

/// What is to be said of a move. Values are those of the position before the move, for the seat that
/// made it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Note {
    /// The value.
    pub score: Option<Score>,
    /// The probability to win from 0 to 1, if it is not that of [`Score::win_probability`].
    pub win_probability: Option<f64>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The nodes that it visited.
    pub nodes: Option<u64>,
    /// The time that the move took.
    pub time: Option<Duration>,
    /// What kind of move it was.
    pub mark: Option<Mark>,
    /// What a person would say.
    pub comment: String,
    /// Lines that could be played instead of the move, or that were expected with it, the best one
    /// first. Each begins at the position before the move and is cut at its first illegal move.
    pub lines: Vec<Line>,
}

/// A line of moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What to call it, such as `best`.
    pub name: String,
    /// Its value for the seat that makes the first move.
    pub score: Option<Score>,
    /// The moves.
    pub moves: Vec<Move>,
}

/// What kind of move it was. Those that are mistakes can be clicked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Worth a look, in a good sense.
    Good,
    /// A small mistake.
    Inaccuracy,
    /// A mistake.
    Mistake,
    /// A large mistake.
    Blunder,
    /// There was a proved win, and the move let it go.
    MissedWin,
    /// The loss could be held off, and the move did not.
    MissedDefense,
    /// Not a move but a fault of the player.
    Fault,
}

impl Mark {
    /// The name that the viewer knows it by.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Mark::Good => "good",
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
            Mark::MissedWin => "missed-win",
            Mark::MissedDefense => "missed-defense",
            Mark::Fault => "fault",
        }
    }
}

impl GameView {
    /// A game of which nothing is said yet but how it ended by the rules.
    pub fn new(game: Game) -> GameView {
        let outcome = game.outcome();
        let header = Header {
            result: outcome.map(|outcome| outcome.winner),
            reason: outcome.map_or_else(String::new, |outcome| outcome.reason.to_string()),
            ..Header::default()
        };
        GameView { game, header, notes: Vec::new(), judges: Judges::One }
    }
}
