//! A line of input as a value.

use super::action::{self, Action};
use super::answer::{Include, Problem};
use super::fields::{FieldError, Fields, wrong};
use super::moves::{self, Restriction};
use super::query::Query;
use super::shallow;
use super::stones;
use pentarch_core::game::Move;
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::Limits;
use pentarch_engine::{Game, Options};
use pentarch_session::dialects::gtp::Board;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// What a line asks for.
#[derive(Debug)]
pub(super) enum Request {
    /// To analyze positions of a game.
    Analyze(Box<GameQuery>),
    /// To do something else; with all that was sent.
    Act(Action, Map<String, Value>),
}

/// Positions of one game to analyze in the same way. It waits in this form, which is small.
#[derive(Debug)]
pub(super) struct GameQuery {
    pub id: String,
    /// The start of a game of the rules.
    start: Arc<Game>,
    position: Option<String>,
    moves: Vec<Move>,
    /// The turns to analyze, each with its priority.
    pub turns: Vec<(u32, i64)>,
    pub limits: Limits,
    pub multi_pv: u32,
    restrictions: Vec<Restriction>,
    pub report_every: Option<Duration>,
    pub include: Include,
}

impl GameQuery {
    /// The position after that many moves.
    fn game(&self, turn: u32) -> Result<Game, String> {
        let mut game = match &self.position {
            Some(text) => self.start.with_text(text).map_err(|error| error.to_string())?,
            None => Game::clone(&self.start),
        };
        for &mv in self.moves.iter().take(turn as usize) {
            game.play_move(mv).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    /// What is asked of the position after that many moves.
    pub(super) fn query(&self, turn: u32) -> Result<Query, Problem> {
        let game = self.game(turn);
        let game = game.map_err(|error| Problem::new(Some(&self.id), Some("moves"), error))?;
        let mut limits = self.limits.clone();
        if game.outcome().is_none() {
            for restriction in &self.restrictions {
                let applied = restriction.apply(&game, &mut limits.search_moves);
                applied.map_err(|error| error.about(Some(&self.id)).at(turn))?;
            }
        }
        Ok(Query { game, limits, multi_pv: self.multi_pv })
    }

    /// Bytes that it takes while it waits, about.
    pub(super) fn size(&self) -> usize {
        let restrictions: usize = self.restrictions.iter().map(Restriction::size).sum();
        let position = self.position.as_ref().map_or(0, String::len);
        let moves = self.moves.len() * size_of::<Move>();
        // A waiting turn is an entry of the queue as well.
        let turns = self.turns.len() * 4 * size_of::<(u32, i64)>();
        size_of::<GameQuery>() + 3 * self.id.len() + position + moves + turns + restrictions + 256
    }
}

/// The fields of a query.
const FIELDS: [&str; 24] = [
    "id",
    "action",
    "rules",
    "moves",
    "initialPosition",
    "initialStones",
    "initialPlayer",
    "analyzeTurns",
    "maxNodes",
    "maxVisits",
    "maxTime",
    "maxDepth",
    "mate",
    "multiPV",
    "allowMoves",
    "avoidMoves",
    "priority",
    "priorities",
    "reportDuringSearchEvery",
    "includeBoard",
    "includePicture",
    "includeThreats",
    "boardXSize",
    "boardYSize",
];

/// Turns lines into requests.
#[derive(Debug)]
pub(super) struct Reader {
    /// What is played where a query does not say.
    rules: String,
    /// The limit of a query that has none of its own.
    nodes: u64,
    /// The start of the game that was asked for last, and how it was written.
    last: Option<(String, Arc<Game>)>,
}

impl Reader {
    pub(super) fn new(rules: &Ruleset, nodes: u64) -> Reader {
        Reader { rules: rules.to_string(), nodes, last: None }
    }

    /// Reads a line, or says what is wrong with it; warnings go to `warnings`.
    pub(super) fn read(
        &mut self,
        line: &[u8],
        warnings: &mut Vec<Problem>,
    ) -> Result<Request, Problem> {
        let object = parse(line)?;
        let sent = object.contains_key("action").then(|| object.clone());
        let mut fields = Fields::new(object);
        let no_id = |error: FieldError| error.about(None);
        let id = fields.text("id").map_err(no_id)?;
        let id =
            id.ok_or_else(|| no_id(FieldError::new("id", "expected a text; it is missing")))?;
        if id.len() > shallow::LONGEST_ID {
            let reason = format!("longer than {} bytes", shallow::LONGEST_ID);
            return Err(no_id(FieldError::new("id", reason)));
        }
        let about_it = |error: FieldError| error.about(Some(&id));
        if let Some(name) = fields.text("action").map_err(about_it)? {
            let read = Action::read(&name, &mut fields).map_err(about_it)?;
            warnings.extend(action::unknown(&id, fields, &["terminateId", "turnNumbers"]));
            return Ok(Request::Act(read, sent.unwrap_or_default()));
        }
        let mut doubts = Vec::new();
        let query = self.game_query(&id, &mut fields, &mut doubts).map_err(about_it)?;
        let doubts = doubts.into_iter().map(|doubt| about_it(doubt).warning());
        warnings.extend(doubts.chain(action::unknown(&id, fields, &FIELDS)));
        Ok(Request::Analyze(Box::new(query)))
    }

    fn game_query(
        &mut self,
        id: &str,
        fields: &mut Fields,
        doubts: &mut Vec<FieldError>,
    ) -> Result<GameQuery, FieldError> {
        let start = self.start(fields)?;
        let stones = stones::read(fields, &start)?;
        let position = fields.text("initialPosition")?;
        if stones.is_some() && position.is_some() {
            let reason = "the position is given by `initialPosition` already";
            return Err(FieldError::new("initialStones", reason));
        }
        let position = position.or(stones);
        let mut game = match &position {
            None => Game::clone(&start),
            Some(text) => {
                start.with_text(text).map_err(|e| FieldError::new("initialPosition", e))?
            }
        };
        let moves = moves::play(&mut game, "moves", fields.value("moves").as_ref())?;
        let mut restrictions = Vec::new();
        for field in ["allowMoves", "avoidMoves"] {
            let value = fields.value(field);
            restrictions.extend(Restriction::read(field, value.as_ref(), doubts)?);
        }
        let query = GameQuery {
            id: id.to_owned(),
            start,
            position,
            turns: turns(fields, moves.len() as u32)?,
            moves,
            limits: self.limits(fields, doubts)?,
            multi_pv: most_lines(fields)?,
            restrictions,
            report_every: fields.seconds("reportDuringSearchEvery")?,
            include: Include {
                board: fields.flag("includeBoard")?,
                picture: fields.flag("includePicture")?,
                threats: fields.flag("includeThreats")?,
            },
        };
        Ok(query)
    }

    /// The start of the game that a query names, on a board of the size that it names.
    fn start(&mut self, fields: &mut Fields) -> Result<Arc<Game>, FieldError> {
        let rules = fields.text("rules")?.unwrap_or_else(|| self.rules.clone());
        let start = match &self.last {
            Some((written, start)) if *written == rules => Arc::clone(start),
            _ => {
                let parsed = rules.parse::<Ruleset>();
                let parsed = parsed.map_err(|error| FieldError::new("rules", error))?;
                let start = Arc::new(Game::new(parsed));
                self.last = Some((rules, Arc::clone(&start)));
                start
            }
        };
        let columns = fields.number("boardXSize", 1, 255)?;
        let rows = fields.number("boardYSize", 1, 255)?;
        let (Some(board), Some(size)) = (Board::of(&start), columns.or(rows)) else {
            return Ok(start);
        };
        let (columns, rows) = (columns.unwrap_or(size) as u32, rows.unwrap_or(size) as u32);
        let resized = board.resized(start.rules(), columns, rows);
        match resized.map_err(|error| FieldError::new("boardXSize", error))? {
            None => Ok(start),
            Some(rules) => Ok(Arc::new(Game::new(rules))),
        }
    }

    /// What bounds each search; without a bound of its own the number of nodes for everyone.
    fn limits(
        &self,
        fields: &mut Fields,
        doubts: &mut Vec<FieldError>,
    ) -> Result<Limits, FieldError> {
        let nodes = fields.number("maxNodes", 1, u64::MAX)?;
        let visits = fields.number("maxVisits", 1, u64::MAX)?;
        if nodes.is_some() && visits.is_some() {
            doubts.push(FieldError::new("maxVisits", "`maxNodes` counts"));
        }
        let mut limits = Limits {
            nodes: nodes.or(visits),
            move_time: fields.seconds("maxTime")?,
            depth: plies(fields, "maxDepth")?,
            mate: plies(fields, "mate")?,
            ..Limits::default()
        };
        if limits.nodes.is_none() && limits.move_time.is_none() && limits.depth.is_none() {
            limits.nodes = Some(self.nodes);
        }
        Ok(limits)
    }
}

/// The object in a line.
fn parse(line: &[u8]) -> Result<Map<String, Value>, Problem> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let wrong = |reason: String| Problem::new(shallow::id(line).as_deref(), None, reason);
    let text = std::str::from_utf8(line).map_err(|_| wrong("the line is not UTF-8".to_owned()))?;
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(wrong("expected a JSON object in the line".to_owned())),
        Err(error) => Err(wrong(format!("the line is not JSON: {error}"))),
    }
}

fn plies(fields: &mut Fields, field: &str) -> Result<Option<u32>, FieldError> {
    Ok(fields.number(field, 1, u32::MAX.into())?.map(|plies| plies as u32))
}

fn most_lines(fields: &mut Fields) -> Result<u32, FieldError> {
    let (least, most) = (*Options::MULTI_PV.start(), *Options::MULTI_PV.end());
    Ok(fields.number("multiPV", least.into(), most.into())?.map_or(1, |lines| lines as u32))
}

/// The turns to analyze, each once, with their priorities; without any the last.
fn turns(fields: &mut Fields, last: u32) -> Result<Vec<(u32, i64)>, FieldError> {
    const NUMBERS: &str = "a list of whole numbers";
    let priority: i64 = fields.take("priority", "a whole number")?.unwrap_or(0);
    let turns: Option<Vec<u32>> = fields.take("analyzeTurns", NUMBERS)?;
    let priorities: Option<Vec<i64>> = fields.take("priorities", NUMBERS)?;
    let turns = turns.unwrap_or_else(|| vec![last]);
    if let Some(turn) = turns.iter().find(|&&turn| turn > last) {
        let reason = format!("turn {turn} of a game of {last} moves");
        return Err(FieldError::new("analyzeTurns", reason));
    }
    if priorities.as_ref().is_some_and(|priorities| priorities.len() != turns.len()) {
        let reason = format!("expected one for each of {} turns", turns.len());
        return Err(FieldError::new("priorities", reason));
    }
    let priorities = priorities.unwrap_or_else(|| vec![priority; turns.len()]);
    let mut seen = BTreeSet::new();
    let mut pairs: Vec<_> = turns.into_iter().zip(priorities).collect();
    pairs.retain(|&(turn, _)| seen.insert(turn));
    if pairs.is_empty() {
        return Err(wrong("analyzeTurns", "one turn at least", &Value::Array(Vec::new())));
    }
    Ok(pairs)
}
