//! Queries and answers as `KataGo`'s analysis engine has them, so that its clients work unchanged.
//!
//! The names and meanings of the fields are those of [its
//! documentation](https://github.com/lightvector/KataGo/blob/master/docs/Analysis_Engine.md); what this
//! engine makes of fields about Go is in `protocol/SPEC.md`.

use crate::answer::Answer;
use crate::query::{Analysis, AnalysisLine};
use crate::request::{FieldError, QueryFields, QueryPlayer, Step, move_list, parse_moves, wrong};
use pentarch_core::game::{Color, Move, MoveKind, Seat, mix_bytes};
use pentarch_core::rules::Ruleset;
use pentarch_engine::eval::ORDERING_SCALE;
use pentarch_engine::search::Score;
use pentarch_engine::{Game, choice_points};
use pentarch_protocol::gtp::{Color as GtpColor, Vertex};
use pentarch_session::codec::gtp::{self, Codec, VertexBoard};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// The number of best moves of a query that does not name it, as in `kata-analyze`.
pub(super) const MULTI_PV: u32 = 10;

/// The settings for clients of `KataGo`.
#[derive(Clone, Debug, PartialEq)]
pub struct KatagoSettings {
    /// For whom values are reported, `reportAnalysisWinratesAs`.
    pub perspective: Perspective,
    /// The visits of queries without a limit.
    pub max_visits: Option<u64>,
    /// The time of queries without a limit.
    pub max_time: Option<Duration>,
    /// The maximum length of a principal variation after its first move, `analysisPVLen`.
    pub pv_length: u32,
    /// Whether unknown fields are answered by warnings.
    pub warn_unused_fields: bool,
    /// Whether the end of the input stops all searches.
    pub quit_without_waiting: bool,
    /// The nodes of this engine for a visit: a visit evaluates a network, which takes `KataGo` about as
    /// long as this engine takes for some hundred nodes.
    pub nodes_per_visit: u64,
}

impl Default for KatagoSettings {
    fn default() -> KatagoSettings {
        KatagoSettings {
            perspective: Perspective::SideToMove,
            max_visits: None,
            max_time: None,
            pv_length: 15,
            warn_unused_fields: true,
            quit_without_waiting: false,
            nodes_per_visit: KatagoSettings::NODES_PER_VISIT,
        }
    }
}

impl KatagoSettings {
    /// The default of [`KatagoSettings::nodes_per_visit`].
    pub const NODES_PER_VISIT: u64 = 100;

    /// Checks that `KataGo`'s answers can express a game.
    ///
    /// # Errors
    /// The reason why they cannot.
    pub fn check(rules: &Ruleset) -> Result<(), String> {
        if rules.seating().sides() != 2 {
            return Err(format!("`{rules}` has more than two sides, Black and White"));
        }
        if rules.tiles().is_some() {
            return Err(format!("`{rules}` has no points, on which a move is a stone"));
        }
        Ok(())
    }

    /// Sets what a configuration says, as the name and value of a parameter.
    fn set(&mut self, key: &str, value: &str) -> Result<(), &'static str> {
        let number = || value.parse().ok().filter(|&number: &u64| number > 0);
        match key {
            "reportAnalysisWinratesAs" => self.perspective = value.parse()?,
            "maxVisits" => self.max_visits = Some(number().ok_or("a whole number from 1")?),
            "maxTime" => {
                let seconds = value.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
                // The maximum that KataGo accepts.
                let time = seconds.map(|seconds| Duration::try_from_secs_f64(seconds.min(1e20)));
                let time = time.ok_or("a number of seconds above 0")?;
                self.max_time = time.ok().filter(|time| time.as_secs() < 365 * 86_400);
            }
            "analysisPVLen" => {
                let length = number().filter(|&length| length <= 1000);
                self.pv_length = length.ok_or("a whole number from 1 to 1000")? as u32;
            }
            "warnUnusedFields" => {
                let flag = value.to_ascii_lowercase().parse();
                self.warn_unused_fields = flag.map_err(|_| "true or false")?;
            }
            "humanSLProfile" if !value.is_empty() => {
                return Err("no profile: there is no human model");
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads the fields of a query that only clients of `KataGo` send.
    pub(super) fn form(&self, fields: &mut QueryFields) -> Result<KatagoForm, FieldError> {
        const OVERRIDES: &str = "overrideSettings";
        let mut settings = self.clone();
        match fields.value(OVERRIDES) {
            None => {}
            Some(Value::Object(overrides)) => {
                for (key, value) in overrides {
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    settings.set(&key, text.trim()).map_err(|expected| {
                        FieldError::new(OVERRIDES, format!("`{key}`: expected {expected}"))
                    })?;
                }
            }
            Some(other) => return Err(wrong(OVERRIDES, "an object", &other)),
        }
        if let Some(length) = fields.number("analysisPVLen", 1, 1000)? {
            settings.pv_length = length as u32;
        }
        for field in WITHOUT_EFFECT {
            fields.value(field);
        }
        Ok(KatagoForm {
            perspective: settings.perspective,
            max_visits: settings.max_visits,
            max_time: settings.max_time,
            pv_length: settings.pv_length as usize + 1,
            nodes_per_visit: settings.nodes_per_visit.max(1),
            policy: fields.flag("includePolicy")?,
            ownership: [fields.flag("includeOwnership")?, fields.flag("includeOwnershipStdev")?],
            moves_ownership: [
                fields.flag("includeMovesOwnership")?,
                fields.flag("includeMovesOwnershipStdev")?,
            ],
            pv_visits: fields.flag("includePVVisits")?,
            no_result_value: fields.flag("includeNoResultValue")?,
        })
    }
}

/// The fields of a query that are about Go or about the search of `KataGo`, and accepted without effect.
const WITHOUT_EFFECT: [&str; 4] =
    ["komi", "whiteHandicapBonus", "rootFpuReductionMax", "rootPolicyTemperature"];

/// For whom values are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Perspective {
    /// The first side.
    Black,
    /// The second side.
    White,
    /// The side to move.
    SideToMove,
}

impl FromStr for Perspective {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Perspective, &'static str> {
        match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Perspective::Black),
            "w" | "white" => Ok(Perspective::White),
            "sidetomove" => Ok(Perspective::SideToMove),
            _ => Err("BLACK, WHITE or SIDETOMOVE"),
        }
    }
}

impl Perspective {
    /// Returns whether values for a player are values for the other side here.
    fn is_opposed_to(self, player: GtpColor) -> bool {
        match self {
            Perspective::Black => player != GtpColor::Black,
            Perspective::White => player != GtpColor::White,
            Perspective::SideToMove => false,
        }
    }
}

/// The parameters of `KataGo`'s configuration files and of `-override-config`.
#[derive(Clone, Debug, Default)]
pub struct KatagoConfig(BTreeMap<String, String>);

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KatagoConfigError {
    /// A file cannot be read.
    #[error("cannot read the configuration {}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// A line or an override is no parameter.
    #[error("{place}: expected `name = value`, found `{found}`")]
    Syntax {
        /// The file and the line, or the option.
        place: String,
        /// The text.
        found: String,
    },
    /// A parameter has a wrong value.
    #[error("`{key} = {value}` in the configuration: expected {expected}")]
    Value {
        /// The name of the parameter.
        key: String,
        /// Its value.
        value: String,
        /// What is expected.
        expected: String,
    },
}

impl KatagoConfig {
    /// Reads files, of which a later one takes precedence, and overrides: `name=value,name=value`.
    pub fn read(
        files: &[PathBuf],
        overrides: &[String],
    ) -> Result<KatagoConfig, KatagoConfigError> {
        let mut config = KatagoConfig::default();
        for path in files {
            config.read_file(path, 0)?;
        }
        for text in overrides.iter().flat_map(|text| text.split(',')) {
            config.add(text, || "-override-config".to_owned())?;
        }
        Ok(config)
    }

    fn read_file(&mut self, path: &Path, depth: u32) -> Result<(), KatagoConfigError> {
        let failed = |error| KatagoConfigError::File(path.to_owned(), error);
        let text = std::fs::read(path).map_err(failed)?;
        for (number, line) in (1..).zip(String::from_utf8_lossy(&text).lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            let Some(included) = line.strip_prefix("@include") else {
                self.add(line, || format!("{} line {number}", path.display()))?;
                continue;
            };
            if depth == MAX_INCLUDE_DEPTH {
                return Err(failed(io::Error::other("too many nested files")));
            }
            let included = Path::new(included.trim().trim_matches('"'));
            let folder = path.parent().unwrap_or(Path::new(""));
            self.read_file(&folder.join(included), depth + 1)?;
        }
        Ok(())
    }

    fn add(&mut self, text: &str, place: impl Fn() -> String) -> Result<(), KatagoConfigError> {
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return Ok(());
        }
        let Some((key, value)) = text.split_once('=') else {
            return Err(KatagoConfigError::Syntax { place: place(), found: text.to_owned() });
        };
        let value = value.trim().trim_matches('"');
        self.0.insert(key.trim().to_owned(), value.to_owned());
        Ok(())
    }

    /// Returns the value of a parameter, parsed; `None` if it is not set. `expected` describes the type.
    pub fn get<T: FromStr>(
        &self,
        key: &str,
        expected: &str,
    ) -> Result<Option<T>, KatagoConfigError> {
        let Some(value) = self.0.get(key) else { return Ok(None) };
        value.parse().map(Some).map_err(|_| Self::wrong(key, value, expected))
    }

    /// Returns the settings. Parameters without a meaning here are ignored.
    pub fn settings(&self) -> Result<KatagoSettings, KatagoConfigError> {
        let mut settings = KatagoSettings::default();
        for (key, value) in &self.0 {
            settings.set(key, value).map_err(|expected| Self::wrong(key, value, expected))?;
        }
        if let Some(nodes) = self.get("nodesPerVisit", "a whole number")? {
            settings.nodes_per_visit = nodes;
        }
        Ok(settings)
    }

    fn wrong(key: &str, value: &str, expected: &str) -> KatagoConfigError {
        let (key, value) = (key.to_owned(), value.to_owned());
        KatagoConfigError::Value { key, value, expected: expected.to_owned() }
    }
}

/// The maximum depth of files that include others.
const MAX_INCLUDE_DEPTH: u32 = 10;

/// Removes the rules from a query: rules of a game of this engine, or of Go, which are `None`.
pub(super) fn take_rules(fields: &mut QueryFields) -> Option<String> {
    let rules = fields.value("rules")?;
    let rules = rules.as_str()?;
    rules.parse::<Ruleset>().is_ok().then(|| rules.to_owned())
}

/// Replaces the locations of a query, such as `k10` and `(9,0)`, by vertices in upper case.
pub(super) fn use_vertices(fields: &mut QueryFields, start: &Game) -> Result<(), FieldError> {
    let Some(board) = VertexBoard::of(start) else {
        return Err(FieldError::new("rules", "this game has no points"));
    };
    let rows = board.size().1;
    let replace = |text: &mut Value| {
        if let Some(vertex) = text.as_str().and_then(|text| vertex_text(text, rows)) {
            *text = vertex.into();
        }
    };
    for field in ["moves", "initialStones"] {
        fields.change(field, |value| {
            let entries = value.as_array_mut().into_iter().flatten();
            entries.filter_map(|entry| entry.get_mut(1)).for_each(replace);
        });
    }
    for field in ["allowMoves", "avoidMoves"] {
        fields.change(field, |value| {
            let entries = value.as_array_mut().into_iter().flatten();
            let lists = entries.filter_map(|entry| entry.get_mut("moves")?.as_array_mut());
            lists.flatten().for_each(replace);
        });
    }
    Ok(())
}

/// Returns the vertex of a location: `location = letter , [ letter ] , digits | "(" , x , "," , y , ")"`,
/// with x from 0 at the left and y from 0 at the top. `None` if it is another text, such as `pass`.
fn vertex_text(text: &str, rows: u32) -> Option<String> {
    let text = text.trim();
    if let Some(point) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        let (x, y) = point.split_once(',')?;
        let (column, y): (u32, u32) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
        return Some(Vertex { column, row: rows.checked_sub(y.checked_add(1)?)? }.to_string());
    }
    let is_vertex = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.ends_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric());
    is_vertex.then(|| text.to_ascii_uppercase())
}

/// Plays the moves of a query. Two moves of a player in a row, and a pass in a game that has none, give
/// the turn to the other player. Returns the steps, and the number of steps before each turn.
pub(super) fn play_moves(
    game: &mut Game,
    value: Option<&Value>,
) -> Result<(Vec<Step>, Vec<u32>), FieldError> {
    const MOVES: &str = "moves";
    let (mut steps, mut steps_before) = (Vec::new(), vec![0]);
    for (number, entry) in move_list(MOVES, value)?.iter().enumerate() {
        let (player, text) = match (entry.as_array().map(Vec::as_slice), entry) {
            (Some([player, Value::String(text)]), _) => (Some(player), text),
            (_, Value::String(text)) => (None, text),
            _ => return Err(wrong(MOVES, "pairs such as [\"b\",\"K10\"]", entry)),
        };
        let failed = |reason: &str| {
            FieldError::new(MOVES, format!("Illegal move {number}: {text}: {reason}"))
        };
        let mut take = |step: Step, game: &mut Game| {
            step.take(game).map_err(|reason| failed(&reason))?;
            steps.push(step);
            Ok(())
        };
        let player = player.map(QueryPlayer::read).transpose().map_err(failed)?;
        let mover = player.unwrap_or(QueryPlayer::Seat(game.to_move()));
        let is_pass = MoveKind::from_word(text) == Some(MoveKind::Pass);
        if is_pass && game.check_move(MoveKind::Pass.into()).is_err() {
            give_turn(game, |seat| !mover.is(seat), &mut take)?;
        } else {
            give_turn(game, |seat| mover.is(seat), &mut take)?;
            let moves = parse_moves(game, text).map_err(|reason| failed(&reason))?;
            moves.into_iter().try_for_each(|mv| take(Step::Play(mv), game))?;
        }
        steps_before.push(steps.len() as u32);
    }
    Ok((steps, steps_before))
}

/// Gives the turn to a seat, unless the seat to move is one of those meant.
fn give_turn(
    game: &mut Game,
    is_meant: impl Fn(Seat) -> bool,
    take: &mut impl FnMut(Step, &mut Game) -> Result<(), FieldError>,
) -> Result<(), FieldError> {
    if is_meant(game.to_move()) || game.outcome().is_some() {
        return Ok(());
    }
    let mut colors = (0..game.seats()).map(Color);
    match colors.find(|&color| is_meant(game.seat_of(color))) {
        Some(color) => take(Step::GiveTurn(color), game),
        None => Ok(()),
    }
}

/// How to write the answers to a query.
#[derive(Clone, Debug)]
pub(super) struct KatagoForm {
    perspective: Perspective,
    pub max_visits: Option<u64>,
    pub max_time: Option<Duration>,
    pv_length: usize,
    pub nodes_per_visit: u64,
    policy: bool,
    /// The mean and the standard deviation.
    ownership: [bool; 2],
    moves_ownership: [bool; 2],
    pv_visits: bool,
    no_result_value: bool,
}

/// What the evaluation knows of a position without a search.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveEstimates {
    /// The probability of each legal move to be the best.
    moves: Vec<(Move, f64)>,
    /// The static value for the seat to move; `None` if it is unknown.
    value: Option<Score>,
}

impl MoveEstimates {
    /// Creates estimates from ordering scores by a softmax. Without scores all moves are equal.
    pub(super) fn new(scored: &[(Move, i32)], value: Option<Score>) -> MoveEstimates {
        let most = scored.iter().map(|&(_, score)| score).max().unwrap_or(0);
        let weight = |score: i32| (f64::from(score - most) / f64::from(ORDERING_SCALE)).exp();
        let sum: f64 = scored.iter().map(|&(_, score)| weight(score)).sum();
        let moves = scored.iter().map(|&(mv, score)| (mv, weight(score) / sum));
        MoveEstimates { moves: moves.collect(), value }
    }
}

/// The codec of the texts of moves.
const VERTICES: Codec = Codec { extended: false };

impl KatagoForm {
    /// Returns the answer with the fields of `KataGo` instead of `rootInfo` and `moveInfos`.
    pub(super) fn answer(
        &self,
        answer: Answer,
        game: &Game,
        analysis: &Analysis,
        estimates: &MoveEstimates,
    ) -> Value {
        let answer = Answer { root_info: None, move_infos: None, ..answer };
        let Ok(Value::Object(mut object)) = serde_json::to_value(answer) else {
            return Value::Null;
        };
        let policy = Policy::new(game, estimates);
        let infos = (0..).zip(&analysis.lines);
        let infos = infos.map(|(order, line)| self.move_info(game, analysis, order, line, &policy));
        object.insert("moveInfos".to_owned(), infos.collect());
        object.insert("rootInfo".to_owned(), self.root_info(game, analysis, estimates));
        if self.policy {
            object.insert(
                "policy".to_owned(),
                policy.by_vertex.iter().copied().map(rounded).collect(),
            );
        }
        let pv = analysis.lines.first().map_or(&[] as &[Move], |line| &line.pv);
        self.insert_ownership(&mut object, self.ownership, game, pv);
        Value::Object(object)
    }

    fn root_info(&self, game: &Game, analysis: &Analysis, estimates: &MoveEstimates) -> Value {
        let mut info = Map::new();
        let (player, visits) = (gtp::color(game.to_move()), self.visits(analysis.nodes));
        self.insert_values(&mut info, player, analysis.score, visits);
        if let Some(value) = estimates.value {
            let (rate, lead) = self.values(player, value);
            info.insert("rawWinrate".to_owned(), rounded(rate));
            info.insert("rawLead".to_owned(), rounded(lead));
            info.insert("rawScoreSelfplay".to_owned(), rounded(lead));
            info.insert("rawScoreSelfplayStdev".to_owned(), rounded(stdev(value)));
            info.insert("rawNoResultProb".to_owned(), json!(0.0));
        }
        info.insert("thisHash".to_owned(), hash_text(&game.text()).into());
        info.insert("symHash".to_owned(), hash_text(&game.canonical().text).into());
        info.insert("currentPlayer".to_owned(), player.to_string().to_uppercase().into());
        info.into()
    }

    fn move_info(
        &self,
        game: &Game,
        analysis: &Analysis,
        order: u32,
        line: &AnalysisLine,
        policy: &Policy,
    ) -> Value {
        let pv = &line.pv[..line.pv.len().min(self.pv_length)];
        let texts = VERTICES.line(game, pv).into_iter().map(|(_, text)| text);
        let texts: Vec<String> = texts.collect();
        let visits = self.visits(line.nodes);
        let mut info = Map::new();
        info.insert("move".to_owned(), texts.first().cloned().into());
        info.insert("order".to_owned(), order.into());
        let (rate, _) =
            self.insert_values(&mut info, gtp::color(game.to_move()), line.score, visits);
        info.insert("edgeVisits".to_owned(), visits.into());
        info.insert("edgeWeight".to_owned(), visits.into());
        info.insert("prior".to_owned(), rounded(policy.of(game, line.mv)));
        info.insert("lcb".to_owned(), rounded(rate));
        info.insert("utilityLcb".to_owned(), rounded(2.0 * rate - 1.0));
        let rank = analysis.lines.len() as u32 - order;
        info.insert("playSelectionValue".to_owned(), rank.into());
        if self.no_result_value {
            info.insert("noResultValue".to_owned(), json!(0.0));
        }
        if self.pv_visits {
            // Only the nodes of the first move are counted.
            let counts: Value =
                (0..texts.len()).map(|ply| if ply == 0 { visits } else { 0 }).collect();
            info.insert("pvVisits".to_owned(), counts.clone());
            info.insert("pvEdgeVisits".to_owned(), counts);
        }
        info.insert("pv".to_owned(), texts.into());
        self.insert_ownership(&mut info, self.moves_ownership, game, &line.pv);
        info.into()
    }

    /// Returns the visits of a number of nodes, at least one.
    fn visits(&self, nodes: u64) -> u64 {
        nodes.div_ceil(self.nodes_per_visit).max(1)
    }

    /// Returns the win rate and the lead, a score in hundreds of points, of a score for a player.
    fn values(&self, player: GtpColor, score: Score) -> (f64, f64) {
        let (rate, lead) = (score.win_probability(), f64::from(score.value()) / LEAD);
        if self.perspective.is_opposed_to(player) { (1.0 - rate, -lead) } else { (rate, lead) }
    }

    /// Inserts the fields that the root and the moves share. Returns the win rate and the lead.
    fn insert_values(
        &self,
        info: &mut Map<String, Value>,
        player: GtpColor,
        score: Option<Score>,
        visits: u64,
    ) -> (f64, f64) {
        let score = score.unwrap_or(Score::DRAW);
        let (rate, lead) = self.values(player, score);
        for (field, value) in [
            ("winrate", rate),
            ("utility", 2.0 * rate - 1.0),
            ("scoreLead", lead),
            ("scoreMean", lead),
            ("scoreSelfplay", lead),
            ("scoreStdev", stdev(score)),
        ] {
            info.insert(field.to_owned(), rounded(value));
        }
        info.insert("visits".to_owned(), visits.into());
        info.insert("weight".to_owned(), visits.into());
        (rate, lead)
    }

    /// Inserts the mean and the standard deviation of the occupancy of each point over the positions of a
    /// line, the current one included: 1 is a stone of the side for which values are reported.
    fn insert_ownership(
        &self,
        object: &mut Map<String, Value>,
        [mean, deviation]: [bool; 2],
        game: &Game,
        line: &[Move],
    ) {
        if !mean && !deviation {
            return;
        }
        let player = gtp::color(game.to_move());
        let for_black = (player == GtpColor::Black) != self.perspective.is_opposed_to(player);
        let sign = if for_black { 1.0 } else { -1.0 };
        let mut ahead = game.clone();
        let (mut sums, mut squares) = (Vec::new(), Vec::new());
        let mut positions = 0.0;
        let mut line = line.iter();
        loop {
            let occupied = occupancy(&ahead);
            sums.resize(occupied.len(), 0.0);
            squares.resize(occupied.len(), 0.0);
            for (index, value) in occupied.into_iter().enumerate() {
                sums[index] += sign * value;
                squares[index] += value * value;
            }
            positions += 1.0;
            let Some(&mv) = line.next() else { break };
            if ahead.play_move(mv).is_err() {
                break;
            }
        }
        if mean {
            let means = sums.iter().map(|sum| rounded(sum / positions));
            object.insert("ownership".to_owned(), means.collect());
        }
        if deviation {
            let deviations = sums.iter().zip(&squares).map(|(sum, square)| {
                let mean: f64 = sum / positions;
                let variance: f64 = square / positions - mean * mean;
                rounded(variance.max(0.0).sqrt())
            });
            object.insert("ownershipStdev".to_owned(), deviations.collect());
        }
    }
}

/// The points of a lead of one.
const LEAD: f64 = 100.0;

/// Returns the standard deviation of the lead of a score: that of the logistic distribution by which the
/// lead is above zero with the win rate. A proved score has none.
fn stdev(score: Score) -> f64 {
    if score.mate().is_some() {
        return 0.0;
    }
    Score::SCALE / LEAD * std::f64::consts::PI / 3.0_f64.sqrt()
}

/// Rounds a number to eight decimals.
fn rounded(number: f64) -> Value {
    json!((number * 1e8).round() / 1e8)
}

/// Returns the hash of a position by its text, without the number of the ply.
fn hash_text(text: &str) -> String {
    let text = text.rsplit_once(' ').map_or(text, |(position, _)| position);
    let (high, low) = (mix_bytes(0, text.bytes()), mix_bytes(1, text.bytes()));
    format!("{high:016X}{low:016X}")
}

/// The index of a vertex in lists of all vertices: by rows from the top, each from the left.
fn vertex_index(board: VertexBoard, vertex: Vertex) -> Option<usize> {
    let (columns, rows) = board.size();
    let from_top = rows.checked_sub(vertex.row + 1)?;
    (vertex.column < columns).then_some((from_top * columns + vertex.column) as usize)
}

/// Returns 1 for each vertex with a stone of Black, -1 for one of White, and 0 for others.
fn occupancy(game: &Game) -> Vec<f64> {
    let Some(board) = VertexBoard::of(game) else { return Vec::new() };
    let (columns, rows) = board.size();
    let mut values = vec![0.0; (columns * rows) as usize];
    for cell in game.cells() {
        let Some(color) = game.content(cell).filter(|color| color.0 < game.seats()) else {
            continue;
        };
        if let Some(index) = vertex_index(board, board.vertex(cell)) {
            let is_black = gtp::color(game.seat_of(color)) == GtpColor::Black;
            values[index] = if is_black { 1.0 } else { -1.0 };
        }
    }
    values
}

/// The probability of each vertex to be the next move, and of a pass at the end; -1 if there is no legal
/// move.
struct Policy {
    by_vertex: Vec<f64>,
}

impl Policy {
    fn new(game: &Game, estimates: &MoveEstimates) -> Policy {
        let size = VertexBoard::of(game).map_or(0, |board| {
            let (columns, rows) = board.size();
            (columns * rows) as usize
        });
        let mut by_vertex = vec![-1.0; size + 1];
        for &(mv, probability) in &estimates.moves {
            if let Some(index) = Policy::index(game, mv) {
                let entry: &mut f64 = &mut by_vertex[index];
                *entry = entry.max(0.0) + probability;
            }
        }
        Policy { by_vertex }
    }

    /// Returns the probability of the vertex of a move.
    fn of(&self, game: &Game, mv: Move) -> f64 {
        Policy::index(game, mv).map_or(0.0, |index| self.by_vertex[index].max(0.0))
    }

    /// Returns the index of the vertex of a move: that of its stone, or of the stone that represents a
    /// choice.
    fn index(game: &Game, mv: Move) -> Option<usize> {
        let board = VertexBoard::of(game)?;
        if mv.kind() == MoveKind::Pass {
            let (columns, rows) = board.size();
            return Some((columns * rows) as usize);
        }
        let choice = || choice_points(game).into_iter().find(|&(_, kind)| kind == mv.kind());
        let cell = mv.cell().or_else(|| choice().map(|(cell, _)| cell))?;
        vertex_index(board, board.vertex(cell))
    }
}
