//! Answers as JSON has them.

use super::query::{Analysis, Line};
use pentarch_engine::Game;
use pentarch_engine::search::{Bound, Score};
use pentarch_records::GameResult;
use pentarch_records::picture::{ColumnLetters, board, svg};
use serde::Serialize;

/// The version of the form of answers; it stands in each of them. A field that is added changes
/// nothing, one that changes its meaning does.
pub const SCHEMA: u32 = 1;

/// What was found out about one position, one JSON line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The query's name for itself.
    pub id: String,
    /// How many of the query's moves led to the position.
    pub turn_number: u32,
    /// Whether the search goes on, so that another answer follows.
    pub is_during_search: bool,
    /// Whether it was ended before anything was known; the rest is left out then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_results: bool,
    /// The position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_info: Option<RootInfo>,
    /// The best moves, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_infos: Option<Vec<MoveInfo>>,
    /// The board as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The board as SVG.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Every call on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threats: Option<Vec<CalledThreat>>,
}

/// A position. Values are for the seat to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RootInfo {
    /// The seat to move, from 1.
    pub seat: u8,
    /// Its side, from 1.
    pub side: u8,
    /// The number of the color that it places, from 1.
    pub color: u8,
    /// `KataGo`'s name of the player: `B` for the first seat, `W` for the second, by turns.
    pub current_player: String,
    /// Points, [`Score::SCALE`] of which are odds of e to 1. Null where an engine gives no value.
    pub score: Option<i32>,
    /// The plies to the end if it is decided, negative for a loss, else null.
    pub mate: Option<i32>,
    /// What the value says of the true one; null where there is none.
    pub bound: Option<Bounded>,
    /// [`Score::win_probability`]; null where there is no value.
    pub winrate: Option<f64>,
    /// Nodes that were visited.
    pub nodes: u64,
    /// The same under `KataGo`'s name.
    pub visits: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// The captured stones that count for each color.
    pub captures: Vec<u16>,
    /// How the game has ended, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Ended>,
}

/// A move, with what comes of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveInfo {
    /// The move as canonical text.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its rank, from 0.
    pub order: u32,
    /// As in [`RootInfo`], for the seat that makes the move.
    pub score: Option<i32>,
    /// The plies to the end if it is decided, negative for a loss, else null.
    pub mate: Option<i32>,
    /// What the value says of the true one; null where there is none.
    pub bound: Option<Bounded>,
    /// [`Score::win_probability`]; null where there is no value.
    pub winrate: Option<f64>,
    /// Those of the nodes that were spent on this move, as far as the engine says.
    pub nodes: u64,
    /// The same under `KataGo`'s name.
    pub visits: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// The best play for both sides, this move first.
    pub pv: Vec<String>,
}

/// What a value says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bounded {
    /// It is the true one, as far as the search sees.
    Exact,
    /// The true one is this or more.
    Lower,
    /// The true one is this or less.
    Upper,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ended {
    /// Who won.
    pub result: GameResult,
    /// Why, in one word.
    pub reason: String,
}

/// A call with the stones that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CalledThreat {
    /// The number of the color whose stones they are, from 1.
    pub color: u8,
    /// `tria`, `tessera`, `three` or `four`.
    pub call: String,
    /// The stones in order along their line.
    pub stones: Vec<String>,
}

/// What else is wanted of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Include {
    /// The board as text.
    pub board: bool,
    /// The board as SVG.
    pub picture: bool,
    /// The calls on the board.
    pub threats: bool,
}

impl Answer {
    /// An answer to the query of that name about its position after that many moves.
    pub fn new(id: &str, turn: u32, game: &Game, analysis: &Analysis, include: Include) -> Answer {
        let infos =
            (0..).zip(&analysis.lines).map(|(order, line)| MoveInfo::new(game, order, line));
        Answer {
            root_info: Some(RootInfo::new(game, analysis)),
            move_infos: Some(infos.collect()),
            board: include.board.then(|| board(game, ColumnLetters::All)),
            picture: include.picture.then(|| svg(game)),
            threats: include.threats.then(|| threats(game)),
            no_results: false,
            ..Answer::empty(id, turn)
        }
    }

    /// The answer where nothing is known.
    pub fn empty(id: &str, turn: u32) -> Answer {
        Answer {
            schema: SCHEMA,
            id: id.to_owned(),
            turn_number: turn,
            is_during_search: false,
            no_results: true,
            root_info: None,
            move_infos: None,
            board: None,
            picture: None,
            threats: None,
        }
    }
}

impl RootInfo {
    fn new(game: &Game, analysis: &Analysis) -> RootInfo {
        let seat = game.to_move();
        let values = Values::new(analysis.score, analysis.bound);
        let outcome = analysis
            .outcome
            .map(|outcome| Ended { result: outcome.into(), reason: outcome.reason.to_string() });
        RootInfo {
            seat: seat.0 + 1,
            side: game.side_of(seat).0 + 1,
            color: game.color_to_move().0 + 1,
            current_player: pentarch_session::dialects::gtp::color(seat).to_string().to_uppercase(),
            score: values.score,
            mate: values.mate,
            bound: values.bound,
            winrate: values.winrate,
            nodes: analysis.nodes,
            visits: analysis.nodes,
            depth: analysis.depth,
            captures: game.captures(),
            outcome,
        }
    }
}

impl MoveInfo {
    fn new(game: &Game, order: u32, line: &Line) -> MoveInfo {
        let values = Values::new(line.score, line.bound);
        MoveInfo {
            mv: game.move_text(line.mv),
            order,
            score: values.score,
            mate: values.mate,
            bound: values.bound,
            winrate: values.winrate,
            nodes: line.nodes,
            visits: line.nodes,
            depth: line.depth,
            pv: game.line_texts(&line.pv),
        }
    }
}

/// A score as answers have it.
struct Values {
    score: Option<i32>,
    mate: Option<i32>,
    bound: Option<Bounded>,
    winrate: Option<f64>,
}

impl Values {
    fn new(score: Option<Score>, bound: Bound) -> Values {
        let bound = match bound {
            Bound::Exact => Bounded::Exact,
            Bound::Lower => Bounded::Lower,
            Bound::Upper => Bounded::Upper,
        };
        let rounded = |score: Score| (score.win_probability() * 1e6).round() / 1e6;
        Values {
            score: score.map(Score::value),
            mate: score.and_then(Score::mate),
            bound: score.map(|_| bound),
            winrate: score.map(rounded),
        }
    }
}

fn threats(game: &Game) -> Vec<CalledThreat> {
    let calls = game.threats().into_iter();
    let called = calls.map(|threat| CalledThreat {
        color: threat.color.0 + 1,
        call: threat.call.to_string(),
        stones: threat.stones.iter().map(|&cell| game.cell_text(cell)).collect(),
    });
    called.collect()
}

/// What cannot be answered, or can but not as it was asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Problem {
    schema: u32,
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

impl Problem {
    /// An error.
    pub(super) fn new(id: Option<&str>, field: Option<&str>, error: String) -> Problem {
        Problem {
            schema: SCHEMA,
            id: id.map(str::to_owned),
            field: field.map(str::to_owned),
            turn_number: None,
            error: Some(error),
            warning: None,
        }
    }

    /// The same as a mere warning.
    pub(super) fn warning(self) -> Problem {
        Problem { warning: self.error, error: None, ..self }
    }

    /// The same for one of the query's turns.
    pub(super) fn at(self, turn: u32) -> Problem {
        Problem { turn_number: Some(turn), ..self }
    }
}
