//! Parses a line of input to a request.

use crate::answer::{Include, ProblemReply, SCHEMA};
use crate::json_lines::{MAX_ID_BYTES, recover_id};
use crate::katago::{self, KatagoForm, KatagoSettings};
use crate::query::AnalysisQuery;
use pentarch_core::game::{Color, Move, MoveKind, Seat};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::Limits;
use pentarch_engine::{Game, NAME_AND_VERSION, Options};
use pentarch_protocol::gtp::Color as GtpColor;
use pentarch_protocol::nearest;
use pentarch_session::PresentAs;
use pentarch_session::codec::gtp;
use pentarch_session::codec::gtp::{Codec, VertexBoard};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::time::Duration;

/// A request of a client.
#[derive(Debug)]
pub(super) enum ClientRequest {
    /// Analyze positions of a game.
    Analyze(Box<GameQuery>),
    /// Any other action, with the object that was sent.
    Control(ControlAction, Map<String, Value>),
}

/// A query: positions of one game to analyze with the same settings. Queries wait in this form
/// because it is small.
#[derive(Debug)]
pub(super) struct GameQuery {
    pub id: String,
    /// The rules, which take much less memory than a game of them.
    rules: Ruleset,
    position: Option<String>,
    steps: Vec<Step>,
    /// The turns to analyze.
    pub turns: Vec<Turn>,
    pub limits: Limits,
    pub multi_pv: u32,
    restrictions: Vec<RootRestriction>,
    /// The time until the first answer during the search, and between two of them.
    pub report_every: Option<[Duration; 2]>,
    pub include: Include,
    /// How to write the answers for clients of `KataGo`.
    pub katago: Option<KatagoForm>,
}

/// A turn of a game to analyze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// The number that the client gives it.
    pub number: u32,
    /// The number of steps before it.
    pub steps: u32,
    /// Turns with a higher priority are answered first.
    pub priority: i64,
}

/// A step from a position of a game to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Play(Move),
    /// Gives the turn to a color without a move. The game starts there.
    GiveTurn(Color),
}

impl Step {
    /// Takes the step.
    pub(super) fn take(self, game: &mut Game) -> Result<(), String> {
        match self {
            Step::Play(mv) => game.play_move(mv).map_err(|error| error.to_string()),
            Step::GiveTurn(color) => {
                *game = with_turn(game, color).ok_or("the turn cannot change in this position")?;
                Ok(())
            }
        }
    }
}

/// Returns the position with the turn given to a color, at the first later ply that is valid.
fn with_turn(game: &Game, color: Color) -> Option<Game> {
    let text = game.text();
    let fields: Vec<&str> = text.split(' ').collect();
    let &[board, _, captures, stage, ply] = fields.as_slice() else { return None };
    let letter = game.rules().color_names().letter(color);
    let ply: u32 = ply.parse().ok()?;
    let later = ply..ply + 2 * u32::from(game.seats());
    let mut texts = later.map(|ply| format!("{board} {letter} {captures} {stage} {ply}"));
    texts.find_map(|text| game.with_text(&text).ok())
}

impl GameQuery {
    /// Returns the position after that many steps.
    fn game(&self, steps: u32) -> Result<Game, String> {
        let mut game = Game::new(self.rules.clone());
        if let Some(text) = &self.position {
            game = game.with_text(text).map_err(|error| error.to_string())?;
        }
        for step in self.steps.iter().take(steps as usize) {
            step.take(&mut game)?;
        }
        Ok(game)
    }

    /// Returns the analysis query for the position of a turn.
    pub(super) fn query(&self, turn: Turn) -> Result<AnalysisQuery, ProblemReply> {
        let game = self.game(turn.steps);
        let game = game.map_err(|error| ProblemReply::new(Some(&self.id), Some("moves"), error))?;
        let mut limits = self.limits.clone();
        if game.outcome().is_none() {
            for restriction in &self.restrictions {
                let applied = restriction.apply(&game, &mut limits.search_moves);
                applied.map_err(|error| error.reply_to(Some(&self.id)).at_turn(turn.number))?;
            }
        }
        Ok(AnalysisQuery { game, limits, multi_pv: self.multi_pv })
    }

    /// Returns the approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let restrictions: usize = self.restrictions.iter().map(RootRestriction::bytes).sum();
        let position = self.position.as_ref().map_or(0, String::len);
        let steps = self.steps.len() * size_of::<Step>();
        // A waiting turn is also an entry of the queue.
        let turns = self.turns.len() * 4 * size_of::<Turn>();
        size_of::<GameQuery>() + 3 * self.id.len() + position + steps + turns + restrictions + 256
    }
}

/// The fields of a query.
const FIELDS: [&str; 25] = [
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
    "firstReportDuringSearchAfter",
    "includeBoard",
    "includePicture",
    "includeThreats",
    "boardXSize",
    "boardYSize",
];

/// Parses lines to requests.
#[derive(Debug)]
pub(super) struct RequestReader {
    /// The rules of queries that name none.
    rules: String,
    /// The nodes of queries that have no limit.
    nodes: u64,
    /// Reads queries as `KataGo` does.
    katago: Option<KatagoSettings>,
    /// The rules of the last query, and the start of their game.
    last: Option<(String, Game)>,
}

impl RequestReader {
    pub(super) fn new(rules: &Ruleset, nodes: u64) -> RequestReader {
        RequestReader { rules: rules.to_string(), nodes, katago: None, last: None }
    }

    /// Reads queries as `KataGo` does, if there are settings for that.
    pub(super) fn with_katago(self, katago: Option<KatagoSettings>) -> RequestReader {
        RequestReader { katago, ..self }
    }

    /// Parses a line. Warnings are added to `warnings`.
    pub(super) fn read(
        &mut self,
        line: &[u8],
        warnings: &mut Vec<ProblemReply>,
    ) -> Result<ClientRequest, ProblemReply> {
        let object = parse(line)?;
        let sent = object.contains_key("action").then(|| object.clone());
        let mut fields = QueryFields::new(object);
        let no_id = |error: FieldError| error.reply_to(None);
        let id = fields.text("id").map_err(no_id)?;
        let id =
            id.ok_or_else(|| no_id(FieldError::new("id", "expected a text; it is missing")))?;
        if id.len() > MAX_ID_BYTES {
            let reason = format!("longer than {MAX_ID_BYTES} bytes");
            return Err(no_id(FieldError::new("id", reason)));
        }
        let for_query = |error: FieldError| error.reply_to(Some(&id));
        if let Some(name) = fields.text("action").map_err(for_query)? {
            let action = ControlAction::read(&name, &mut fields).map_err(for_query)?;
            warnings.extend(unknown_fields(&id, fields, &["terminateId", "turnNumbers"]));
            return Ok(ClientRequest::Control(action, sent.unwrap_or_default()));
        }
        let mut field_warnings = Vec::new();
        let query = self.game_query(&id, &mut fields, &mut field_warnings).map_err(for_query)?;
        let field_warnings = field_warnings.into_iter().map(|w| for_query(w).into_warning());
        warnings.extend(field_warnings);
        if self.katago.as_ref().is_none_or(|katago| katago.warn_unused_fields) {
            warnings.extend(unknown_fields(&id, fields, &FIELDS));
        }
        Ok(ClientRequest::Analyze(Box::new(query)))
    }

    fn game_query(
        &mut self,
        id: &str,
        fields: &mut QueryFields,
        warnings: &mut Vec<FieldError>,
    ) -> Result<GameQuery, FieldError> {
        let katago = match &self.katago {
            Some(settings) => Some(settings.form(fields)?),
            None => None,
        };
        let start = self.start(fields)?;
        if katago.is_some() {
            katago::use_vertices(fields, &start)?;
        }
        let stones = take_initial_position(fields, &start)?;
        let position = fields.text("initialPosition")?;
        if stones.is_some() && position.is_some() {
            let reason = "the position is already given by `initialPosition`";
            return Err(FieldError::new("initialStones", reason));
        }
        let position = position.or(stones);
        let mut game = match &position {
            None => start.clone(),
            Some(text) => {
                start.with_text(text).map_err(|e| FieldError::new("initialPosition", e))?
            }
        };
        let moves = fields.value("moves");
        let (steps, steps_before) = if katago.is_some() {
            katago::play_moves(&mut game, moves.as_ref())?
        } else {
            let moves = play_moves(&mut game, "moves", moves.as_ref())?;
            let turns = 0..=moves.len() as u32;
            (moves.into_iter().map(Step::Play).collect(), turns.collect())
        };
        let mut restrictions = Vec::new();
        for field in ["allowMoves", "avoidMoves"] {
            let value = fields.value(field);
            restrictions.extend(RootRestriction::read(field, value.as_ref(), warnings)?);
        }
        let query = GameQuery {
            id: id.to_owned(),
            rules: start.rules().clone(),
            position,
            turns: take_turns(fields, &steps_before)?,
            steps,
            limits: self.limits(fields, katago.as_ref(), warnings)?,
            multi_pv: multi_pv(fields, if katago.is_some() { katago::MULTI_PV } else { 1 })?,
            restrictions,
            report_every: report_intervals(fields)?,
            include: Include {
                board: fields.flag("includeBoard")?,
                picture: fields.flag("includePicture")?,
                threats: fields.flag("includeThreats")?,
            },
            katago,
        };
        Ok(query)
    }

    /// Returns the start of the game of a query, on a board of the given size.
    fn start(&mut self, fields: &mut QueryFields) -> Result<Game, FieldError> {
        let rules = match &self.katago {
            Some(_) => katago::take_rules(fields).unwrap_or_else(|| self.rules.clone()),
            None => fields.text("rules")?.unwrap_or_else(|| self.rules.clone()),
        };
        let start = match &self.last {
            Some((written, start)) if *written == rules => start.clone(),
            _ => {
                let parsed = rules.parse::<Ruleset>();
                let parsed = parsed.map_err(|error| FieldError::new("rules", error))?;
                if self.katago.is_some() {
                    KatagoSettings::check(&parsed)
                        .map_err(|reason| FieldError::new("rules", reason))?;
                }
                let start = Game::new(parsed);
                self.last = Some((rules, start.clone()));
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
            Some(rules) => Ok(Game::new(rules)),
        }
    }

    /// Returns the limits of each search; without any, the default number of nodes.
    fn limits(
        &self,
        fields: &mut QueryFields,
        katago: Option<&KatagoForm>,
        warnings: &mut Vec<FieldError>,
    ) -> Result<Limits, FieldError> {
        let nodes = fields.number("maxNodes", 1, u64::MAX)?;
        let visits = fields.number("maxVisits", 1, u64::MAX)?;
        if nodes.is_some() && visits.is_some() {
            warnings.push(FieldError::new("maxVisits", "`maxNodes` counts"));
        }
        let visits = visits.or(katago.and_then(|form| form.max_visits));
        let nodes_per_visit = katago.map_or(1, |form| form.nodes_per_visit);
        let mut limits = Limits {
            nodes: nodes.or(visits.map(|visits| visits.saturating_mul(nodes_per_visit))),
            move_time: fields.seconds("maxTime")?.or(katago.and_then(|form| form.max_time)),
            depth: take_plies(fields, "maxDepth")?,
            mate: take_plies(fields, "mate")?,
            ..Limits::default()
        };
        if limits.nodes.is_none() && limits.move_time.is_none() && limits.depth.is_none() {
            limits.nodes = Some(self.nodes);
        }
        Ok(limits)
    }
}

/// Parses the object in a line.
fn parse(line: &[u8]) -> Result<Map<String, Value>, ProblemReply> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let wrong = |reason: String| ProblemReply::new(recover_id(line).as_deref(), None, reason);
    let text = std::str::from_utf8(line).map_err(|_| wrong("the line is not UTF-8".to_owned()))?;
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(wrong("expected a JSON object in the line".to_owned())),
        Err(error) => Err(wrong(format!("the line is not JSON: {error}"))),
    }
}

fn take_plies(fields: &mut QueryFields, field: &str) -> Result<Option<u32>, FieldError> {
    Ok(fields.number(field, 1, u32::MAX.into())?.map(|plies| plies as u32))
}

fn multi_pv(fields: &mut QueryFields, default: u32) -> Result<u32, FieldError> {
    let (least, most) = (*Options::MULTI_PV.start(), *Options::MULTI_PV.end());
    Ok(fields.number("multiPV", least.into(), most.into())?.map_or(default, |lines| lines as u32))
}

/// Returns the time until the first answer during a search, and between two of them. A missing
/// interval after the first answer is as long as a search may take.
fn report_intervals(fields: &mut QueryFields) -> Result<Option<[Duration; 2]>, FieldError> {
    const NEVER: Duration = Duration::from_hours(365 * 24);
    let every = fields.seconds("reportDuringSearchEvery")?;
    let first = fields.seconds("firstReportDuringSearchAfter")?.or(every);
    Ok(first.map(|first| [first, every.unwrap_or(NEVER)]))
}

/// Returns the turns to analyze, each once. The default is the last turn. `steps_before` has the
/// number of steps before each turn.
fn take_turns(fields: &mut QueryFields, steps_before: &[u32]) -> Result<Vec<Turn>, FieldError> {
    const NUMBERS: &str = "a list of whole numbers";
    let last = steps_before.len() as u32 - 1;
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
    let turns = turns.into_iter().zip(priorities).map(|(number, priority)| Turn {
        number,
        steps: steps_before[number as usize],
        priority,
    });
    let turns: Vec<Turn> = turns.filter(|turn| seen.insert(turn.number)).collect();
    if turns.is_empty() {
        return Err(wrong("analyzeTurns", "one turn at least", &Value::Array(Vec::new())));
    }
    Ok(turns)
}

/// The fields of an object that are not read yet.
///
/// A struct with derived `Deserialize` would not name the field of a value of the wrong type, would
/// refuse whole numbers written as `5.0`, and would lose the warnings about unknown fields after an
/// error; see the test `errors_name_the_field_and_what_it_expects`.
#[derive(Debug)]
pub(super) struct QueryFields(Map<String, Value>);

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

    /// Converts the error to a reply to the query with an id.
    pub(super) fn reply_to(self, id: Option<&str>) -> ProblemReply {
        let FieldError { field, reason } = self;
        ProblemReply::new(id, Some(&field), format!("`{}`: {reason}", shorten(&field)))
    }
}

impl QueryFields {
    pub(super) fn new(object: Map<String, Value>) -> QueryFields {
        QueryFields(object)
    }

    /// Removes a value and returns it. `null` counts as missing.
    pub(super) fn value(&mut self, field: &str) -> Option<Value> {
        self.0.remove(field).filter(|value| !value.is_null())
    }

    /// Removes a value and deserializes it. `expected` describes the type in an error.
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

    /// Changes a value in place.
    pub(super) fn change(&mut self, field: &str, change: impl FnOnce(&mut Value)) {
        if let Some(value) = self.0.get_mut(field) {
            change(value);
        }
    }

    /// Removes a flag. A missing flag is false.
    pub(super) fn flag(&mut self, field: &str) -> Result<bool, FieldError> {
        Ok(self.take(field, "true or false")?.unwrap_or(false))
    }

    /// Removes a whole number in a range. It may be written as `5.0`, as programs do whose numbers
    /// are all floating-point.
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

    /// Removes a time in seconds, above zero and below a year.
    pub(super) fn seconds(&mut self, field: &str) -> Result<Option<Duration>, FieldError> {
        const YEAR: f64 = 365.0 * 86_400.0;
        let Some(value) = self.value(field) else { return Ok(None) };
        let seconds = value.as_f64().filter(|&seconds| seconds > 0.0 && seconds < YEAR);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let time = time.map(|time| time.max(Duration::from_millis(1)));
        time.map(Some).ok_or_else(|| wrong(field, "a number of seconds above 0", &value))
    }

    /// Returns the fields that were not read.
    pub(super) fn rest(self) -> impl Iterator<Item = (String, Value)> {
        self.0.into_iter()
    }
}

/// Creates the error for a value that does not fit its field.
pub(super) fn wrong(field: &str, expected: &str, found: &Value) -> FieldError {
    let found = shorten(&found.to_string());
    FieldError::new(field, format!("expected {expected}, found `{found}`"))
}

/// Shortens a text to 40 characters.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A request that is not a query.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ControlAction {
    /// Ends the queries with an id, or all queries; of these some turns, or all.
    Terminate {
        id: Option<String>,
        turns: Option<Vec<u32>>,
    },
    ClearCache,
    QueryVersion,
    QueryModels,
}

/// The names of the actions.
const ACTION_NAMES: [&str; 5] =
    ["terminate", "terminate_all", "clear_cache", "query_version", "query_models"];

impl ControlAction {
    /// Parses an action by its name and the other fields.
    pub(super) fn read(name: &str, fields: &mut QueryFields) -> Result<ControlAction, FieldError> {
        let target = fields.text("terminateId")?;
        let turns = fields.take("turnNumbers", "a list of turns")?;
        match name {
            "terminate" if target.is_none() => {
                Err(FieldError::new("terminateId", "expected the id of the query to end"))
            }
            "terminate" => Ok(ControlAction::Terminate { id: target, turns }),
            "terminate_all" => Ok(ControlAction::Terminate { id: None, turns }),
            "clear_cache" => Ok(ControlAction::ClearCache),
            "query_version" => Ok(ControlAction::QueryVersion),
            "query_models" => Ok(ControlAction::QueryModels),
            _ => {
                let expected = match nearest(name, ACTION_NAMES) {
                    Some(near) => format!("an action, perhaps `{near}`"),
                    None => format!("one of the actions {}", ACTION_NAMES.join(", ")),
                };
                Err(wrong("action", &expected, &Value::from(name)))
            }
        }
    }

    /// Returns the reply: the object that was sent, and what it requests, with the version of
    /// `KataGo` for its clients.
    pub(super) fn echo(&self, mut sent: Map<String, Value>, for_katago: bool) -> Value {
        match self {
            ControlAction::QueryVersion => {
                let own = env!("CARGO_PKG_VERSION");
                let version = if for_katago { PresentAs::Katago.version() } else { own };
                sent.insert("version".to_owned(), version.into());
                sent.insert("name".to_owned(), NAME_AND_VERSION.into());
                sent.insert("git_hash".to_owned(), "<omitted>".into());
            }
            ControlAction::QueryModels => {
                let model = json!({
                    "name": NAME_AND_VERSION,
                    "internalName": NAME_AND_VERSION,
                    "maxBatchSize": 1,
                    "usesHumanSLProfile": false,
                    "version": 0,
                    "usingFP16": "false",
                });
                sent.insert("models".to_owned(), json!([model]));
            }
            ControlAction::Terminate { .. } | ControlAction::ClearCache => {}
        }
        sent.insert("schema".to_owned(), SCHEMA.into());
        Value::Object(sent)
    }
}

/// Returns a warning for each unknown field.
pub(super) fn unknown_fields(
    id: &str,
    fields: QueryFields,
    known: &[&'static str],
) -> Vec<ProblemReply> {
    let rest =
        fields.rest().filter(|(_, value)| !matches!(value, Value::Null | Value::Bool(false)));
    let warned = rest.map(|(field, _)| {
        let hint = match nearest(&field, known.iter().copied()) {
            Some(near) => format!("unknown field, ignored; did you mean `{near}`?"),
            None => "unknown field, ignored".to_owned(),
        };
        FieldError::new(&field, hint).reply_to(Some(id)).into_warning()
    });
    warned.collect()
}

/// Parses a list of moves and plays them. A move is a canonical text, or a pair of `KataGo` with a
/// player and a vertex of GTP, `K10`, in capitals without the letter I. In a pair, a text in lower
/// case is canonical too, so that a move of an answer can be sent back unchanged.
pub(super) fn play_moves(
    game: &mut Game,
    field: &str,
    value: Option<&Value>,
) -> Result<Vec<Move>, FieldError> {
    let mut played = Vec::new();
    for (number, entry) in (1..).zip(move_list(field, value)?) {
        let failed = |reason: String| FieldError::new(field, format!("move {number}: {reason}"));
        let moves = match (entry.as_str(), entry.as_array().map(Vec::as_slice)) {
            (Some(text), _) => vec![game.parse_move(text).map_err(|e| failed(e.to_string()))?],
            (_, Some([player, Value::String(text)])) => {
                let player =
                    QueryPlayer::read(player).map_err(|reason| failed(reason.to_owned()))?;
                if !player.is(game.to_move()) && game.outcome().is_none() {
                    let seat = game.to_move();
                    return Err(failed(format!("it is the turn of seat {seat}")));
                }
                parse_moves(game, text).map_err(failed)?
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

/// A player in a query: a color of GTP, which may stand for two seats, or the number of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueryPlayer {
    Color(GtpColor),
    Seat(Seat),
}

impl QueryPlayer {
    pub(super) fn read(value: &Value) -> Result<QueryPlayer, &'static str> {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_lowercase);
        match text.as_str() {
            "b" | "black" => Ok(QueryPlayer::Color(GtpColor::Black)),
            "w" | "white" => Ok(QueryPlayer::Color(GtpColor::White)),
            "1" | "2" | "3" | "4" => Ok(QueryPlayer::Seat(Seat(text.as_bytes()[0] - b'1'))),
            _ => Err("expected the player `b` or `w`, or the number of a seat"),
        }
    }

    /// Returns whether a seat is that player.
    pub(super) fn is(self, seat: Seat) -> bool {
        match self {
            QueryPlayer::Color(color) => gtp::color(seat) == color,
            QueryPlayer::Seat(own) => own == seat,
        }
    }
}

/// Parses a move text of `KataGo`, which may stand for several moves.
pub(super) fn parse_moves(game: &Game, text: &str) -> Result<Vec<Move>, String> {
    let point = text.split_once('@').map_or(text, |(_, point)| point);
    let is_vertex = point.starts_with(|c: char| c.is_ascii_uppercase());
    if is_vertex && MoveKind::from_word(text).is_none() {
        let moves = Codec { extended: true }.parse_move(game, text);
        return moves.map_err(|error| format!("`{}`: {error}", shorten(text)));
    }
    game.parse_move(text).map(|mv| vec![mv]).map_err(|error| error.to_string())
}

/// Moves that are allowed or avoided at the root.
#[derive(Clone, Debug)]
pub(super) struct RootRestriction {
    field: &'static str,
    allow: bool,
    /// The player whose moves are restricted; `None` for all players.
    player: Option<QueryPlayer>,
    moves: Vec<MoveName>,
}

/// A move text.
#[derive(Clone, Debug)]
struct MoveName {
    text: String,
    is_vertex: bool,
}

impl RootRestriction {
    /// Parses `allowMoves` or `avoidMoves`. Unsupported options are added to `warnings`.
    pub(super) fn read(
        field: &'static str,
        value: Option<&Value>,
        warnings: &mut Vec<FieldError>,
    ) -> Result<Vec<RootRestriction>, FieldError> {
        let allow = field == "allowMoves";
        let (mut own, mut all) = (Vec::new(), Vec::new());
        for entry in move_list(field, value)? {
            match entry {
                Value::String(text) => own.push(MoveName { text: text.clone(), is_vertex: false }),
                Value::Object(object) => {
                    let player = object.get("player").map(QueryPlayer::read).transpose();
                    let player = player.map_err(|reason| FieldError::new(field, reason))?;
                    if object.get("untilDepth").is_some_and(|depth| depth.as_u64() != Some(1)) {
                        let reason =
                            "only the position itself is restricted, as with `untilDepth` 1";
                        warnings.push(FieldError::new(field, reason));
                    }
                    let texts = move_list(field, object.get("moves"))?.iter().map(|mv| match mv {
                        Value::String(text) => Ok(MoveName { text: text.clone(), is_vertex: true }),
                        _ => Err(wrong(field, "moves such as \"K10\"", mv)),
                    });
                    let moves = texts.collect::<Result<_, _>>()?;
                    all.push(RootRestriction { field, allow, player, moves });
                }
                _ => {
                    let expected = "moves, or objects with `player`, `moves`, `untilDepth`";
                    return Err(wrong(field, expected, entry));
                }
            }
        }
        if !own.is_empty() {
            all.push(RootRestriction { field, allow, player: None, moves: own });
        }
        Ok(all)
    }

    /// Returns the approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let texts = self.moves.iter().map(|named| named.text.len() + size_of::<MoveName>());
        size_of::<RootRestriction>() + texts.sum::<usize>()
    }

    /// Removes the moves that are not allowed. An empty list means all legal moves.
    pub(super) fn apply(&self, game: &Game, moves: &mut Vec<Move>) -> Result<(), FieldError> {
        if self.player.is_some_and(|player| !player.is(game.to_move())) {
            return Ok(());
        }
        let failed = |reason: String| FieldError::new(self.field, reason);
        let mut named = Vec::new();
        for MoveName { text, is_vertex } in &self.moves {
            let read = if *is_vertex {
                parse_moves(game, text)
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

/// Returns the entries of a list. A missing list is empty.
pub(super) fn move_list<'a>(
    field: &str,
    value: Option<&'a Value>,
) -> Result<&'a [Value], FieldError> {
    match value {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(entries)) => Ok(entries),
        Some(other) => Err(wrong(field, "a list of moves", other)),
    }
}

const INITIAL_STONES: &str = "initialStones";
const INITIAL_PLAYER: &str = "initialPlayer";

/// Returns the position text of `initialStones` and `initialPlayer`, if they are given.
pub(super) fn take_initial_position(
    fields: &mut QueryFields,
    start: &Game,
) -> Result<Option<String>, FieldError> {
    let (stones, first) = (fields.value(INITIAL_STONES), fields.value(INITIAL_PLAYER));
    let colors = || (0..start.seats()).map(Color);
    let color = |field: &str, player: &Value| {
        let player = QueryPlayer::read(player).map_err(|reason| FieldError::new(field, reason))?;
        let mut own = colors().filter(|color| player.is(Seat(color.0)));
        own.next().ok_or_else(|| FieldError::new(field, "there is no such seat in this game"))
    };
    let mut board = BTreeMap::new();
    for entry in move_list(INITIAL_STONES, stones.as_ref())? {
        let pair = entry.as_array().map(Vec::as_slice);
        let Some([player, Value::String(text)]) = pair else {
            return Err(wrong(INITIAL_STONES, "pairs such as [\"b\",\"K10\"]", entry));
        };
        let read =
            parse_moves(start, text).map_err(|reason| FieldError::new(INITIAL_STONES, reason))?;
        let Some(MoveKind::Stone(cell)) = read.first().map(|mv| mv.kind()) else {
            return Err(wrong(INITIAL_STONES, "plain stones", entry));
        };
        board.insert(cell, color(INITIAL_STONES, player)?);
    }
    let first = first.map(|player| color(INITIAL_PLAYER, &player)).transpose()?;
    if board.is_empty() && first.is_none() {
        return Ok(None);
    }
    let first = first.unwrap_or(start.color_to_move());
    let game =
        start.with_stones(&board, first).map_err(|error| FieldError::new(INITIAL_STONES, error))?;
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
        let read = RootRestriction::read(field, Some(value), &mut warnings);
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

    /// What a struct with derived `Deserialize` would lose, with or without `serde_path_to_error`.
    #[test]
    fn errors_name_the_field_and_what_it_expects() {
        let mut reader = RequestReader::new(&"gomoku".parse().unwrap(), 1);
        let mut read = |text: &str| {
            let mut warnings = Vec::new();
            let read = reader.read(text.as_bytes(), &mut warnings);
            let replies = warnings.into_iter().chain(read.err());
            replies.map(|reply| serde_json::to_value(reply).unwrap()).collect::<Vec<_>>()
        };
        for (query, id, field, error) in [
            // The error quotes what was found and says what the field expects.
            (
                r#"{"id":"a","maxNodes":0.5}"#,
                json!("a"),
                "maxNodes",
                "`maxNodes`: expected a whole number from 1, found `0.5`",
            ),
            (
                r#"{"id":"a","analyzeTurns":[0,"x"]}"#,
                json!("a"),
                "analyzeTurns",
                "`analyzeTurns`: expected a list of whole numbers, found `[0,\"x\"]`",
            ),
            // The id is known even if its query is refused, and missing only if it is itself wrong.
            (r#"{"id":5}"#, Value::Null, "id", "`id`: expected a text, found `5`"),
            // Fields are checked in the order of their meaning, not of the text.
            (
                r#"{"maxTime":-1,"rules":7,"id":"a"}"#,
                json!("a"),
                "rules",
                "`rules`: expected a text, found `7`",
            ),
        ] {
            let replies = read(query);
            let [reply] = replies.as_slice() else { panic!("{replies:?}") };
            let expected = json!({ "schema": SCHEMA, "id": id, "field": field, "error": error });
            assert_eq!(*reply, expected, "{query}");
        }
        // Whole numbers may have a point, `null` is a missing field, and unknown fields are warnings.
        assert!(read(r#"{"id":"a","maxNodes":5.0,"mate":null,"later":false}"#).is_empty());
        let warnings = read(r#"{"id":"a","maxNode":5}"#);
        assert_eq!(
            warnings[0]["warning"],
            "`maxNode`: unknown field, ignored; did you mean `maxNodes`?"
        );
    }

    fn position(spec: &str, query: &Value) -> Result<Option<String>, String> {
        let start = Game::new(spec.parse().unwrap());
        let mut fields = QueryFields::new(query.as_object().unwrap().clone());
        take_initial_position(&mut fields, &start)
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
