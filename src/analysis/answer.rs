//! The answers of the server, as JSON.

use super::query::{Analysis, AnalysisLine};
use pentarch_engine::Game;
use pentarch_engine::search::{Bound, Score};
use pentarch_records::GameResult;
use pentarch_records::picture::{ColumnLetters, board, svg};
use serde::Serialize;

/// The version of the format of answers; each answer has it. It changes if a field changes its
/// meaning, not if a field is added.
pub const SCHEMA: u32 = 1;

/// The analysis of one position, one JSON line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The id of the query.
    pub id: String,
    /// The number of moves of the query that lead to the position.
    pub turn_number: u32,
    /// Whether the search is still running, so that another answer follows.
    pub is_during_search: bool,
    /// Whether the query was ended before anything was known. The other fields are left out then.
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
    /// The threats on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threats: Option<Vec<ThreatInfo>>,
}

/// A position. Scores are for the seat to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RootInfo {
    /// The seat to move, from 1.
    pub seat: u8,
    /// Its side, from 1.
    pub side: u8,
    /// The color that it places, from 1.
    pub color: u8,
    /// The player as `KataGo` names it: `B` for the first and third seat, `W` for the others.
    pub current_player: String,
    /// The score in points; [`Score::SCALE`] points are odds of e to 1. Null if the engine reports
    /// no score.
    pub score: Option<i32>,
    /// The plies to a proved end, negative for a loss; else null.
    pub mate: Option<i32>,
    /// The kind of bound of the score; null if there is none.
    pub bound: Option<ScoreBound>,
    /// The win probability, [`Score::win_probability`]; null if there is no score.
    pub winrate: Option<f64>,
    /// The number of nodes.
    pub nodes: u64,
    /// The number of nodes, as `KataGo` names it.
    pub visits: u64,
    /// The search depth in plies.
    pub depth: u32,
    /// The counted captures of each color.
    pub captures: Vec<u16>,
    /// The result, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<GameEnd>,
}

/// A move and its analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveInfo {
    /// The move as canonical text.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its rank, from 0.
    pub order: u32,
    /// The score as in [`RootInfo`], for the seat that makes the move.
    pub score: Option<i32>,
    /// The plies to a proved end, negative for a loss; else null.
    pub mate: Option<i32>,
    /// The kind of bound of the score; null if there is none.
    pub bound: Option<ScoreBound>,
    /// The win probability, [`Score::win_probability`]; null if there is no score.
    pub winrate: Option<f64>,
    /// The nodes spent on this move, if the engine reports them.
    pub nodes: u64,
    /// The number of nodes, as `KataGo` names it.
    pub visits: u64,
    /// The search depth in plies.
    pub depth: u32,
    /// The principal variation, this move first.
    pub pv: Vec<String>,
}

/// The kind of bound of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreBound {
    /// The score is exact.
    Exact,
    /// The score is a lower bound.
    Lower,
    /// The score is an upper bound.
    Upper,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameEnd {
    /// The result.
    pub result: GameResult,
    /// The reason in one word.
    pub reason: String,
}

/// A threat that is announced in the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThreatInfo {
    /// The color of the stones, from 1.
    pub color: u8,
    /// `tria`, `tessera`, `three` or `four`.
    pub call: String,
    /// The stones in order along their line.
    pub stones: Vec<String>,
}

/// The optional parts of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Include {
    /// The board as text.
    pub board: bool,
    /// The board as SVG.
    pub picture: bool,
    /// The threats on the board.
    pub threats: bool,
}

impl Answer {
    /// Creates the answer to a query about its position after `turn` moves.
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

    /// Creates the answer of a query that was ended before anything was known.
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
        let values = ScoreFields::new(analysis.score, analysis.bound);
        let outcome = analysis
            .outcome
            .map(|outcome| GameEnd { result: outcome.into(), reason: outcome.reason.to_string() });
        RootInfo {
            seat: seat.0 + 1,
            side: game.side_of(seat).0 + 1,
            color: game.color_to_move().0 + 1,
            current_player: pentarch_session::codec::gtp::color(seat).to_string().to_uppercase(),
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
    fn new(game: &Game, order: u32, line: &AnalysisLine) -> MoveInfo {
        let values = ScoreFields::new(line.score, line.bound);
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

/// The fields of a score.
struct ScoreFields {
    score: Option<i32>,
    mate: Option<i32>,
    bound: Option<ScoreBound>,
    winrate: Option<f64>,
}

impl ScoreFields {
    fn new(score: Option<Score>, bound: Bound) -> ScoreFields {
        let bound = match bound {
            Bound::Exact => ScoreBound::Exact,
            Bound::Lower => ScoreBound::Lower,
            Bound::Upper => ScoreBound::Upper,
        };
        let rounded = |score: Score| (score.win_probability() * 1e6).round() / 1e6;
        ScoreFields {
            score: score.map(Score::value),
            mate: score.and_then(Score::mate),
            bound: score.map(|_| bound),
            winrate: score.map(rounded),
        }
    }
}

fn threats(game: &Game) -> Vec<ThreatInfo> {
    let calls = game.threats().into_iter();
    let called = calls.map(|threat| ThreatInfo {
        color: threat.color.0 + 1,
        call: threat.call.to_string(),
        stones: threat.stones.iter().map(|&cell| game.cell_text(cell)).collect(),
    });
    called.collect()
}

/// An error or a warning about a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProblemReply {
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

impl ProblemReply {
    /// Creates an error.
    pub(super) fn new(id: Option<&str>, field: Option<&str>, error: String) -> ProblemReply {
        ProblemReply {
            schema: SCHEMA,
            id: id.map(str::to_owned),
            field: field.map(str::to_owned),
            turn_number: None,
            error: Some(error),
            warning: None,
        }
    }

    /// Converts the error to a warning.
    pub(super) fn into_warning(self) -> ProblemReply {
        ProblemReply { warning: self.error, error: None, ..self }
    }

    /// Adds the turn that it is about.
    pub(super) fn at_turn(self, turn: u32) -> ProblemReply {
        ProblemReply { turn_number: Some(turn), ..self }
    }
}
