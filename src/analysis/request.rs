//! A line of input as a value.

use crate::answer::{Include, Problem, SCHEMA};
use crate::json_lines::{LONGEST_ID, recover_id};
use crate::query::Query;
use pentarch_core::game::{Color, Move, MoveKind, Seat};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::Limits;
use pentarch_engine::{Game, Options};
use pentarch_protocol::gtp::Color as GtpColor;
use pentarch_protocol::nearest;
use pentarch_session::codec::gtp;
use pentarch_session::codec::gtp::{Codec, VertexBoard};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
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
        if id.len() > LONGEST_ID {
            let reason = format!("longer than {LONGEST_ID} bytes");
            return Err(no_id(FieldError::new("id", reason)));
        }
        let about_it = |error: FieldError| error.about(Some(&id));
        if let Some(name) = fields.text("action").map_err(about_it)? {
            let read = Action::read(&name, &mut fields).map_err(about_it)?;
            warnings.extend(unknown_fields(&id, fields, &["terminateId", "turnNumbers"]));
            return Ok(Request::Act(read, sent.unwrap_or_default()));
        }
        let mut doubts = Vec::new();
        let query = self.game_query(&id, &mut fields, &mut doubts).map_err(about_it)?;
        let doubts = doubts.into_iter().map(|doubt| about_it(doubt).warning());
        warnings.extend(doubts.chain(unknown_fields(&id, fields, &FIELDS)));
        Ok(Request::Analyze(Box::new(query)))
    }

    fn game_query(
        &mut self,
        id: &str,
        fields: &mut Fields,
        doubts: &mut Vec<FieldError>,
    ) -> Result<GameQuery, FieldError> {
        let start = self.start(fields)?;
        let stones = read_stones(fields, &start)?;
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
        let moves = play_moves(&mut game, "moves", fields.value("moves").as_ref())?;
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
        let (Some(board), Some(size)) = (VertexBoard::of(&start), columns.or(rows)) else {
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
    let wrong = |reason: String| Problem::new(recover_id(line).as_deref(), None, reason);
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

// The fields of a query, each taken once by its name.

/// The members of an object that nobody has asked for yet.
#[derive(Debug)]
pub(super) struct Fields(Map<String, Value>);

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FieldError {
    pub field: String,
    pub reason: String,
}

impl FieldError {
    pub(super) fn new(field: &str, reason: impl Display) -> FieldError {
        FieldError { field: field.to_owned(), reason: reason.to_string() }
    }

    /// As an answer to the query of an id.
    pub(super) fn about(self, id: Option<&str>) -> Problem {
        let FieldError { field, reason } = self;
        Problem::new(id, Some(&field), format!("`{}`: {reason}", shorten(&field)))
    }
}

impl Fields {
    pub(super) fn new(object: Map<String, Value>) -> Fields {
        Fields(object)
    }

    /// Takes a value; `null` is as good as none.
    pub(super) fn value(&mut self, field: &str) -> Option<Value> {
        self.0.remove(field).filter(|value| !value.is_null())
    }

    /// Takes a value of a type that `expected` puts in words.
    pub(super) fn take<T: DeserializeOwned>(
        &mut self,
        field: &str,
        expected: &str,
    ) -> Result<Option<T>, FieldError> {
        let Some(value) = self.value(field) else { return Ok(None) };
        match T::deserialize(&value) {
            Ok(taken) => Ok(Some(taken)),
            Err(_) => Err(wrong(field, expected, &value)),
        }
    }

    pub(super) fn text(&mut self, field: &str) -> Result<Option<String>, FieldError> {
        self.take(field, "a text")
    }

    /// Takes whether something is wanted; what is not said is not.
    pub(super) fn flag(&mut self, field: &str) -> Result<bool, FieldError> {
        Ok(self.take(field, "true or false")?.unwrap_or(false))
    }

    /// Takes a whole number of a range. Programs that have no other numbers write it with a point.
    pub(super) fn number(
        &mut self,
        field: &str,
        least: u64,
        most: u64,
    ) -> Result<Option<u64>, FieldError> {
        let Some(value) = self.value(field) else { return Ok(None) };
        let whole = |number: f64| number.fract() == 0.0 && (0.0..9e15).contains(&number);
        let number =
            value.as_u64().or_else(|| value.as_f64().filter(|&n| whole(n)).map(|n| n as u64));
        let expected = match most {
            u64::MAX => format!("a whole number from {least}"),
            _ => format!("a whole number from {least} to {most}"),
        };
        let number = number.filter(|number| (least..=most).contains(number));
        number.map(Some).ok_or_else(|| wrong(field, &expected, &value))
    }

    /// Takes a time in seconds, more than none and less than a year.
    pub(super) fn seconds(&mut self, field: &str) -> Result<Option<Duration>, FieldError> {
        const YEAR: f64 = 365.0 * 86_400.0;
        let Some(value) = self.value(field) else { return Ok(None) };
        let seconds = value.as_f64().filter(|&seconds| seconds > 0.0 && seconds < YEAR);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let time = time.map(|time| time.max(Duration::from_millis(1)));
        time.map(Some).ok_or_else(|| wrong(field, "a number of seconds above 0", &value))
    }

    /// What was not asked for.
    pub(super) fn rest(self) -> impl Iterator<Item = (String, Value)> {
        self.0.into_iter()
    }
}

/// A value that does not fit its field.
pub(super) fn wrong(field: &str, expected: &str, found: &Value) -> FieldError {
    let found = shorten(&found.to_string());
    FieldError::new(field, format!("expected {expected}, found `{found}`"))
}

/// The beginning of a text that may be long.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

// Requests to do something else than to analyze.

/// What a line asks to do with the other queries.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    /// End queries: those of an id, or all; of some turns, or all.
    Terminate {
        id: Option<String>,
        turns: Option<Vec<u32>>,
    },
    ClearCache,
    QueryVersion,
}

/// The actions by name.
const NAMES: [&str; 4] = ["terminate", "terminate_all", "clear_cache", "query_version"];

impl Action {
    /// Reads the action of a name, of which only the fields are left.
    pub(super) fn read(name: &str, fields: &mut Fields) -> Result<Action, FieldError> {
        let target = fields.text("terminateId")?;
        let turns = fields.take("turnNumbers", "a list of turns")?;
        match name {
            "terminate" if target.is_none() => {
                Err(FieldError::new("terminateId", "expected the id of the query to end"))
            }
            "terminate" => Ok(Action::Terminate { id: target, turns }),
            "terminate_all" => Ok(Action::Terminate { id: None, turns }),
            "clear_cache" => Ok(Action::ClearCache),
            "query_version" => Ok(Action::QueryVersion),
            _ => {
                let expected = match nearest(name, NAMES) {
                    Some(near) => format!("an action, perhaps `{near}`"),
                    None => format!("one of the actions {}", NAMES.join(", ")),
                };
                Err(wrong("action", &expected, &Value::from(name)))
            }
        }
    }

    /// The answer: all that was sent, and the version if that was the question.
    pub(super) fn echo(&self, mut sent: Map<String, Value>) -> Value {
        if *self == Action::QueryVersion {
            sent.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
            sent.insert("name".to_owned(), pentarch_engine::NAME_AND_VERSION.into());
            sent.insert("git_hash".to_owned(), "<omitted>".into());
        }
        sent.insert("schema".to_owned(), SCHEMA.into());
        Value::Object(sent)
    }
}

/// A warning about each field that means nothing.
pub(super) fn unknown_fields(id: &str, fields: Fields, known: &[&'static str]) -> Vec<Problem> {
    let rest =
        fields.rest().filter(|(_, value)| !matches!(value, Value::Null | Value::Bool(false)));
    let warned = rest.map(|(field, _)| {
        let hint = match nearest(&field, known.iter().copied()) {
            Some(near) => format!("unknown field, ignored; did you mean `{near}`?"),
            None => "unknown field, ignored".to_owned(),
        };
        FieldError::new(&field, hint).about(Some(id)).warning()
    });
    warned.collect()
}

// Moves in queries: as canonical texts, or as `KataGo` writes them.
//
// `KataGo`'s pairs and objects have GTP's vertices in capitals, without the letter I: `K10`. A text in
// small letters is a canonical one there too, so that a move of an answer can be sent back as it is.

/// Reads a list of moves and plays them from a position on.
pub(super) fn play_moves(
    game: &mut Game,
    field: &str,
    value: Option<&Value>,
) -> Result<Vec<Move>, FieldError> {
    let mut played = Vec::new();
    for (number, entry) in (1..).zip(list(field, value)?) {
        let failed = |reason: String| FieldError::new(field, format!("move {number}: {reason}"));
        let moves = match (entry.as_str(), entry.as_array().map(Vec::as_slice)) {
            (Some(text), _) => vec![game.parse_move(text).map_err(|e| failed(e.to_string()))?],
            (_, Some([player, Value::String(text)])) => {
                let player = Player::read(player).map_err(|reason| failed(reason.to_owned()))?;
                if !player.is(game.to_move()) && game.outcome().is_none() {
                    let seat = game.to_move();
                    return Err(failed(format!("it is the turn of seat {seat}")));
                }
                vertices(game, text).map_err(failed)?
            }
            _ => {
                let expected = "moves such as \"j10\", or pairs such as [\"b\",\"K10\"]";
                return Err(wrong(field, expected, entry));
            }
        };
        for mv in moves {
            game.play_move(mv).map_err(|error| failed(error.to_string()))?;
            played.push(mv);
        }
    }
    Ok(played)
}

/// Who makes a move: a color of GTP, which may be that of two seats, or the number of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Player {
    Color(GtpColor),
    Seat(Seat),
}

impl Player {
    pub(super) fn read(value: &Value) -> Result<Player, &'static str> {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_lowercase);
        match text.as_str() {
            "b" | "black" => Ok(Player::Color(GtpColor::Black)),
            "w" | "white" => Ok(Player::Color(GtpColor::White)),
            "1" | "2" | "3" | "4" => Ok(Player::Seat(Seat(text.as_bytes()[0] - b'1'))),
            _ => Err("expected the player `b` or `w`, or the number of a seat"),
        }
    }

    /// Whether this is a seat.
    pub(super) fn is(self, seat: Seat) -> bool {
        match self {
            Player::Color(color) => gtp::color(seat) == color,
            Player::Seat(own) => own == seat,
        }
    }
}

/// The moves that a text of `KataGo`'s forms stands for.
pub(super) fn vertices(game: &Game, text: &str) -> Result<Vec<Move>, String> {
    let point = text.split_once('@').map_or(text, |(_, point)| point);
    let is_vertex = point.starts_with(|c: char| c.is_ascii_uppercase());
    if is_vertex && MoveKind::from_word(text).is_none() {
        let moves = Codec { extended: true }.parse_move(game, text);
        return moves.map_err(|error| format!("`{}`: {error}", shorten(text)));
    }
    game.parse_move(text).map(|mv| vec![mv]).map_err(|error| error.to_string())
}

/// Moves that alone may be looked at in a position, or that may not.
#[derive(Clone, Debug)]
pub(super) struct Restriction {
    field: &'static str,
    allow: bool,
    /// Whose moves they are; none is everybody's.
    player: Option<Player>,
    moves: Vec<Named>,
}

/// A move by its text.
#[derive(Clone, Debug)]
struct Named {
    text: String,
    is_vertex: bool,
}

impl Restriction {
    /// Reads `allowMoves` or `avoidMoves`; what cannot be done as it is asked goes to `warnings`.
    pub(super) fn read(
        field: &'static str,
        value: Option<&Value>,
        warnings: &mut Vec<FieldError>,
    ) -> Result<Vec<Restriction>, FieldError> {
        let allow = field == "allowMoves";
        let (mut own, mut all) = (Vec::new(), Vec::new());
        for entry in list(field, value)? {
            match entry {
                Value::String(text) => own.push(Named { text: text.clone(), is_vertex: false }),
                Value::Object(object) => {
                    let player = object.get("player").map(Player::read).transpose();
                    let player = player.map_err(|reason| FieldError::new(field, reason))?;
                    if object.get("untilDepth").is_some_and(|depth| depth.as_u64() != Some(1)) {
                        let reason =
                            "only the position itself is restricted, as with `untilDepth` 1";
                        warnings.push(FieldError::new(field, reason));
                    }
                    let texts = list(field, object.get("moves"))?.iter().map(|mv| match mv {
                        Value::String(text) => Ok(Named { text: text.clone(), is_vertex: true }),
                        _ => Err(wrong(field, "moves such as \"K10\"", mv)),
                    });
                    let moves = texts.collect::<Result<_, _>>()?;
                    all.push(Restriction { field, allow, player, moves });
                }
                _ => {
                    let expected = "moves, or objects with `player`, `moves`, `untilDepth`";
                    return Err(wrong(field, expected, entry));
                }
            }
        }
        if !own.is_empty() {
            all.push(Restriction { field, allow, player: None, moves: own });
        }
        Ok(all)
    }

    /// Bytes that it takes, about.
    pub(super) fn size(&self) -> usize {
        let texts = self.moves.iter().map(|named| named.text.len() + size_of::<Named>());
        size_of::<Restriction>() + texts.sum::<usize>()
    }

    /// Leaves of the moves of a position those that may be looked at; an empty list has them all.
    pub(super) fn apply(&self, game: &Game, moves: &mut Vec<Move>) -> Result<(), FieldError> {
        if self.player.is_some_and(|player| !player.is(game.to_move())) {
            return Ok(());
        }
        let failed = |reason: String| FieldError::new(self.field, reason);
        let mut named = Vec::new();
        for Named { text, is_vertex } in &self.moves {
            let read = if *is_vertex {
                vertices(game, text)
            } else {
                game.parse_move(text).map(|mv| vec![mv]).map_err(|error| error.to_string())
            };
            named.extend(read.map_err(failed)?.first().copied());
        }
        if moves.is_empty() {
            moves.extend(game.legal_moves());
        }
        moves.retain(|mv| named.contains(mv) == self.allow);
        if moves.is_empty() {
            return Err(failed("no legal move is left to look at".to_owned()));
        }
        Ok(())
    }
}

/// The entries of a list, none if it is not there.
pub(super) fn list<'a>(field: &str, value: Option<&'a Value>) -> Result<&'a [Value], FieldError> {
    match value {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(entries)) => Ok(entries),
        Some(other) => Err(wrong(field, "a list of moves", other)),
    }
}

// `KataGo`'s positions without moves: stones on the board, and who moves first.

const STONES: &str = "initialStones";
const FIRST: &str = "initialPlayer";

/// The position text of the stones that a query puts on the board of a game, if it does.
pub(super) fn read_stones(fields: &mut Fields, start: &Game) -> Result<Option<String>, FieldError> {
    let (stones, first) = (fields.value(STONES), fields.value(FIRST));
    let colors = || (0..start.seats()).map(Color);
    let color = |field: &str, player: &Value| {
        let player = Player::read(player).map_err(|reason| FieldError::new(field, reason))?;
        let mut own = colors().filter(|color| player.is(Seat(color.0)));
        own.next().ok_or_else(|| FieldError::new(field, "there is no such seat in this game"))
    };
    let mut board = BTreeMap::new();
    for entry in list(STONES, stones.as_ref())? {
        let pair = entry.as_array().map(Vec::as_slice);
        let Some([player, Value::String(text)]) = pair else {
            return Err(wrong(STONES, "pairs such as [\"b\",\"K10\"]", entry));
        };
        let read = vertices(start, text).map_err(|reason| FieldError::new(STONES, reason))?;
        let Some(MoveKind::Stone(cell)) = read.first().map(|mv| mv.kind()) else {
            return Err(wrong(STONES, "plain stones", entry));
        };
        board.insert(cell, color(STONES, player)?);
    }
    let first = first.map(|player| color(FIRST, &player)).transpose()?;
    if board.is_empty() && first.is_none() {
        return Ok(None);
    }
    let first = first.unwrap_or(start.color_to_move());
    let game = start.with_stones(&board, first).map_err(|error| FieldError::new(STONES, error))?;
    Ok(Some(game.text()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn played(spec: &str, moves: &Value) -> Result<Vec<String>, String> {
        let mut game = Game::new(spec.parse().unwrap());
        let moves = play_moves(&mut game, "moves", Some(moves)).map_err(|error| error.reason)?;
        let mut texts = Vec::new();
        for mv in moves.iter().rev() {
            game.undo();
            texts.push(game.move_text(*mv));
        }
        texts.reverse();
        Ok(texts)
    }

    #[test]
    fn both_forms_name_the_same_moves() {
        let texts = ["j10", "h8", "i9", "j11"];
        for moves in [
            json!(["j10", "H8", "i9", "j11"]),
            json!([["b", "K10"], ["W", "H8"], ["B", "J9"], ["w", "K11"]]),
            json!([["b", "j10"], ["w", "h8"], ["b", "i9"], ["w", "j11"]]),
            json!([["1", "j10"], [2, "h8"], ["black", "J9"], "j11"]),
        ] {
            assert_eq!(played("pente-freestyle", &moves).unwrap(), texts, "{moves}");
        }
        let swap = json!([["b", "K10"], ["b", "L10"], ["b", "A1"], ["w", "swap"], ["b", "B2"]]);
        let swap = played("swap2-pente", &swap).unwrap();
        assert_eq!(swap, ["j10", "k10", "a1", "swap", "b2"]);
        let drop = json!([["b", "N@K10"], ["w", "N@j11"]]);
        assert_eq!(played("neutral-pente", &drop).unwrap_or_default().len(), 2, "{drop}");
    }

    #[test]
    fn what_is_wrong_is_named_with_the_number_of_the_move() {
        for (moves, reason) in [
            (json!(["j10", "j10"]), "move 2: illegal move `j10`: the point is occupied"),
            (json!([["w", "K10"]]), "move 1: it is the turn of seat 1"),
            (json!([["x", "K10"]]), "move 1: expected the player"),
            (json!([["b", "K10"], ["w", "Z19"]]), "move 2: `Z19`: illegal move: "),
            (json!(["j10", 5]), "expected moves such as \"j10\", or pairs"),
            (json!("j10"), "expected a list of moves, found `\"j10\"`"),
        ] {
            let found = played("pente", &moves).unwrap_err();
            assert!(found.starts_with(reason), "{moves}: {found}");
        }
    }

    fn left(value: &Value, field: &'static str) -> Result<Vec<String>, String> {
        let mut game = Game::new("gomoku+size=3x3+line=3".parse().unwrap());
        game.play("a1").unwrap();
        let mut moves = Vec::new();
        let mut warnings = Vec::new();
        let read = Restriction::read(field, Some(value), &mut warnings);
        for restriction in read.map_err(|error| error.reason)? {
            restriction.apply(&game, &mut moves).map_err(|error| error.reason)?;
        }
        let texts = moves.iter().map(|&mv| game.move_text(mv));
        let warnings = warnings.into_iter().map(|warning| warning.reason);
        Ok(texts.chain(warnings).collect())
    }

    #[test]
    fn moves_are_allowed_and_avoided_in_both_forms() {
        let ours = json!(["b1"]);
        let theirs = json!([{ "player": "W", "moves": ["B1"], "untilDepth": 1 }]);
        let other = json!([{ "player": "B", "moves": ["B1"], "untilDepth": 1 }]);
        let deep = json!([{ "player": "w", "moves": ["b1"], "untilDepth": 5 }]);
        for value in [&ours, &theirs] {
            assert_eq!(left(value, "allowMoves").unwrap(), ["b1"]);
            let others = left(value, "avoidMoves").unwrap();
            assert_eq!((others.len(), others.contains(&"b1".to_owned())), (7, false), "{others:?}");
        }
        assert!(left(&other, "avoidMoves").unwrap().is_empty(), "every move is looked at");
        let warned = left(&deep, "allowMoves").unwrap();
        assert_eq!(warned.len(), 2, "{warned:?}");
        assert!(warned[1].contains("untilDepth"), "{warned:?}");
        let all = json!(["b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
        for (value, field) in [(json!(["a1"]), "allowMoves"), (all, "avoidMoves")] {
            assert_eq!(left(&value, field).unwrap_err(), "no legal move is left to look at");
        }
        for value in [json!(["q7"]), json!([5]), json!({}), json!([{ "moves": [1] }])] {
            assert!(left(&value, "avoidMoves").is_err(), "{value}");
        }
    }

    fn position(spec: &str, query: &Value) -> Result<Option<String>, String> {
        let start = Game::new(spec.parse().unwrap());
        let mut fields = Fields::new(query.as_object().unwrap().clone());
        read_stones(&mut fields, &start)
            .map_err(|error| format!("{}: {}", error.field, error.reason))
    }

    #[test]
    fn stones_and_the_first_player_make_a_position() {
        let stones = json!([["B", "A1"], ["w", "e5"]]);
        for (query, text) in [
            (json!({}), None),
            (json!({ "initialStones": [] }), None),
            (json!({ "initialStones": stones }), Some("4w/5/5/5/b4 b - - 3")),
            (json!({ "initialStones": stones, "initialPlayer": "W" }), Some("4w/5/5/5/b4 w - - 4")),
        ] {
            assert_eq!(position("gomoku+size=5", &query).unwrap().as_deref(), text, "{query}");
        }
        for (spec, query, reason) in [
            ("gomoku+size=5", json!({ "initialStones": ["a1"] }), "initialStones: expected pairs"),
            ("gomoku+size=5", json!({ "initialStones": [["b", "z9"]] }), "initialStones: "),
            ("gomoku+size=5", json!({ "initialPlayer": "x" }), "initialPlayer: expected"),
            ("gomoku+size=5", json!({ "initialPlayer": 3 }), "initialPlayer: there is no such"),
            ("pent-up", json!({ "initialStones": [["b", "a1"]] }), "initialStones: "),
        ] {
            let error = position(spec, &query).unwrap_err();
            assert!(error.starts_with(reason), "{query}: {error}");
        }
    }
}
