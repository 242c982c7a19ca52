//! UGI, the Universal Game Interface, and UCI, a flavor of it.
//!
//! The client sends [`Command`]s, the engine answers with [`Response`]s; each is one line. The dialect
//! is that of `kz04px/ugi` with more `query` words, the incremental `moves`, and `d`, `show`, `perft`
//! and `eval`. UCI has other words for some of UGI's: a [`Flavor`] reads and prints both.
//!
//! Moves and position texts are opaque words.

use std::fmt;

use nom::Parser;
use nom::combinator::{map_opt, opt, rest, verify};
use nom::sequence::preceded;

pub use crate::grammar::SyntaxError;
use crate::grammar::{
    Mismatch, OneLine, Parsed, end, expect, grammar, integer, integer32, joined, keyword, natural,
    natural32, number, other_line, parse_lines, text, word, words, words_until,
};
use crate::input::clean;

grammar! {
    ignore_case: true;
    /// A line from the client to the engine. Case does not matter in its first word.
    pub enum Command {
        /// `ugi`: identify the engine and list its options.
        Ugi = "ugi",
        /// `isready`: answer `readyok` once all earlier commands are done.
        IsReady = "isready",
        /// `uginewgame`: the next position belongs to another game.
        UgiNewGame = "uginewgame",
        /// `stop`: end the search and answer now.
        Stop = "stop",
        /// `quit`: end the process.
        Quit = "quit",
        /// `ponderhit`: the expected move was played; the search is timed from now on.
        PonderHit = "ponderhit",
        /// `setoption name N [value V]`.
        SetOption {
            /// The option; it may contain blanks, but not the word `value`.
            name: String,
            /// The new value, which may contain blanks; `None` presses a button.
            value: Option<String>,
        } = "setoption" => set_option => set_option_text,
        /// `position startpos [moves M...]` or `position fen F [moves M...]`.
        Position {
            /// Where the game starts.
            start: StartPosition,
            /// The moves played from there.
            moves: Vec<String>,
        } = "position" => position => position_text,
        /// `moves M...`: play these moves from the current position.
        Moves(Vec<String>) = "moves" => moves => |moves: &Vec<String>| joined(moves),
        /// `go ...`: search.
        Go(Go) = "go" => go,
        /// `query Q`: a question about the current position.
        Query(Query) = "query" => query,
        /// `d` or `show`: print the board for a human.
        Show = "d" | "show",
        /// `perft N`: count the leaves of the game tree at this depth.
        Perft(u32) = "perft" => number("a depth, a whole number"),
        /// `eval`: print the static evaluation of the position.
        Eval = "eval",
        /// `debug ...` or `register ...` of UCI, which have no effect.
        Ignored(String) in &["debug", "register"] => text,
    }
}

grammar! {
    ignore_case: false;
    /// The position at which a game starts.
    pub enum StartPosition {
        /// The variant's start position.
        StartPos = "startpos",
        /// A position as text, its words separated by single blanks. It does not contain the word
        /// `moves`.
        Fen(String) = "fen" => fen,
    }
}

grammar! {
    ignore_case: false;
    /// A question of the command `query`; the engine answers with one `response`.
    #[derive(Copy)]
    pub enum Query {
        /// `p1turn` to `p4turn`: whether this player, counted from 1, is to move.
        PlayerTurn(u8) in &["p1turn", "p2turn", "p3turn", "p4turn"] => player_turn => player_turn_text,
        /// `gameover`: whether the game has ended.
        GameOver = "gameover",
        /// `result`: who won.
        Result = "result",
        /// `turn`: the number of the seat to move.
        Turn = "turn",
        /// `side`: the number of the side to move.
        Side = "side",
        /// `colour`: the number of the color that the mover places.
        Color = "colour" | "color",
        /// `legalmoves`: all legal moves.
        LegalMoves = "legalmoves",
        /// `captures`: the captured stones of each color.
        Captures = "captures",
        /// `fen`: the position as text.
        Fen = "fen",
        /// `variant`: the ruleset as text.
        Variant = "variant",
        /// `reason`: why the game ended.
        Reason = "reason",
        /// `threats`: what each side threatens.
        Threats = "threats",
    }
}

grammar! {
    ignore_case: false;
    /// A line from the engine to the client.
    ///
    /// Any line is a response, except for a malformed `option` or `bestmove`. Every response that is
    /// sent during a search has at least eight bytes with its line end, because cutergames removes that
    /// many.
    pub enum Response {
        /// `id ...`: the name or the author of the engine.
        Id(EngineId) = "id" => |input| EngineId::GRAMMAR.read(input),
        /// `option ...`: an option that can be set.
        Option(OptionDecl) = "option" => option,
        /// `ugiok`: the end of the answer to `ugi`.
        UgiOk = "ugiok",
        /// `readyok`: the answer to `isready`.
        ReadyOk = "readyok",
        /// `info string error: X`: the last command was refused.
        Error(String) in &["info"] => error => error_text,
        /// `info ...`: what the search has found so far.
        Info(Info) = "info" => info,
        /// `bestmove M [ponder R]`: the end of a search; `None` prints `bestmove none`.
        BestMove(Option<BestMove>) = "bestmove" => best_move => best_move_text,
        /// `response X`: the answer to a query; a bare `response` when empty.
        Answer(String) = "response" => text,
        /// Any other line, such as a line of a board drawn for a human.
        Text(String) => other_line(|first| matches!(first, "option" | "bestmove")),
    }
}

parse_lines!(Command Response);

impl Command {
    /// Returns the names of all commands.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::GRAMMAR.keywords()
    }
}

grammar! {
    ignore_case: false;
    /// What an engine says of itself.
    pub enum EngineId {
        /// `id name X`.
        Name(String) = "name" => text,
        /// `id author X`.
        Author(String) = "author" => text,
    }
}

/// The move that a search chose.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BestMove {
    /// The move.
    pub mv: String,
    /// The expected reply, on which the engine would ponder.
    pub ponder: Option<String>,
}

impl From<String> for BestMove {
    /// A move without an expected reply.
    fn from(mv: String) -> BestMove {
        BestMove { mv, ponder: None }
    }
}

/// `setoption = "name" , word , { word } , [ "value" , { word } ] ;`
///
/// The name ends at the first word `value`. The value `<empty>` is the empty one.
fn set_option(input: &str) -> Parsed<'_, (String, Option<String>)> {
    let (input, _) = expect("the word `name`", keyword("name")).parse(input)?;
    let (rest, name) = words_until(|word| word == "value").parse(input)?;
    if name.is_empty() {
        return Err(Mismatch::stop("the name of an option", input));
    }
    let value = text.map(|text| if text == EMPTY { String::new() } else { text.to_owned() });
    let (rest, value) = opt(preceded(keyword("value"), value)).parse(rest)?;
    Ok((rest, (name.join(" "), value)))
}

fn set_option_text(name: &str, value: &Option<String>) -> String {
    match value {
        None => format!("name {name}"),
        Some(value) => format!("name {name} value {}", value_text(value)),
    }
}

/// `position = ( "startpos" | "fen" , word , { word } ) , [ "moves" , { word } ] ;`
fn position(input: &str) -> Parsed<'_, (StartPosition, Vec<String>)> {
    let start = |input| StartPosition::GRAMMAR.read(input);
    let (rest, start) = expect("`startpos` or `fen`", start).parse(input)?;
    if end(rest).is_ok() {
        return Ok((rest, (start, Vec::new())));
    }
    let (rest, _) = expect("the word `moves`", keyword("moves")).parse(rest)?;
    words.map(|moves| (start.clone(), moves)).parse(rest)
}

fn position_text(start: &StartPosition, moves: &[String]) -> String {
    if moves.is_empty() { start.to_string() } else { format!("{start} moves {}", joined(moves)) }
}

/// `fen = word , { word } ;` up to the first word `moves`.
fn fen(input: &str) -> Parsed<'_, String> {
    let (rest, words) = words_until(|word| word == "moves").parse(input)?;
    if words.is_empty() {
        return Err(Mismatch::stop("a position text", input));
    }
    Ok((rest, words.join(" ")))
}

/// `moves = word , { word } ;`
fn moves(input: &str) -> Parsed<'_, Vec<String>> {
    let (rest, moves) = words(input)?;
    if moves.is_empty() { Err(Mismatch::stop("a move", input)) } else { Ok((rest, moves)) }
}

/// `query = "p1turn" | "p2turn" | "p3turn" | "p4turn" | "gameover" | "result" | "turn"
///        | "side" | "colour" | "color" | "legalmoves" | "captures" | "fen" | "variant"
///        | "reason" | "threats" ;`
fn query(input: &str) -> Parsed<'_, Query> {
    let query = |input| Query::GRAMMAR.read(input);
    expect("a question such as `p1turn`, `gameover` or `result`", query).parse(input)
}

fn player_turn(input: &str) -> Parsed<'_, u8> {
    let number = |word: &str| word.strip_prefix('p')?.strip_suffix("turn")?.parse().ok();
    map_opt(word, number).parse(input)
}

fn player_turn_text(player: &u8) -> String {
    format!("p{player}turn")
}

/// `error = "info" , "string" , "error:" , text ;` with no other field in the `info`.
fn error(input: &str) -> Parsed<'_, String> {
    let parse = |input: &str| {
        let (_, mut info) = info(input).ok()?;
        let text = info.text.take().filter(|_| info == Info::default())?;
        let (message, _) = keyword("error:").parse(text.as_str()).ok()?;
        Some(message.trim_matches(' ').to_owned())
    };
    // Most lines are no errors and need not be parsed twice.
    let line = verify(rest, |line: &str| line.contains("error:"));
    preceded(keyword("info"), map_opt(line, parse)).parse(input)
}

fn error_text(message: &str) -> String {
    let message = if message.is_empty() { String::new() } else { format!(" {message}") };
    format!("info string error:{message}")
}

/// `best-move = ( "none" | "(none)" | word ) , [ "ponder" , [ "none" | "(none)" | word ] ] ;`
fn best_move(input: &str) -> Parsed<'_, Option<BestMove>> {
    let (rest, best) = expect("a move or `none`", word).parse(input)?;
    let (rest, ponder) = opt(preceded(keyword("ponder"), opt(word))).parse(rest)?;
    let is_move = |word: &&str| !matches!(*word, "none" | "(none)");
    let ponder = ponder.flatten().filter(is_move).map(str::to_owned);
    Ok((rest, Some(best).filter(is_move).map(|mv| BestMove { mv: mv.to_owned(), ponder })))
}

fn best_move_text(best: &Option<BestMove>) -> String {
    match best {
        None => "none".to_owned(),
        Some(BestMove { mv, ponder: None }) => mv.clone(),
        Some(BestMove { mv, ponder: Some(reply) }) => format!("{mv} ponder {reply}"),
    }
}

/// UGI or UCI.
///
/// UCI has `uci`, `uciok` and `ucinewgame`, the clocks `wtime`, `btime`, `winc` and `binc` for the
/// first two seats, and `bestmove (none)`. All else is the same; what the numbers of `mate` count,
/// plies in UGI and moves in UCI, does not concern this crate.
///
/// ```
/// use pentarch_protocol::ugi::{Command, Flavor};
///
/// let command = Flavor::Uci.command("ucinewgame").unwrap();
/// assert_eq!(command, Command::UgiNewGame);
/// assert_eq!(Flavor::Uci.command_text(&command), "ucinewgame");
/// assert_eq!(Flavor::Ugi.command_text(&command), "uginewgame");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flavor {
    /// The Universal Game Interface.
    Ugi,
    /// The Universal Chess Interface.
    Uci,
}

/// Lines of UGI that UCI writes in another way.
const UCI_LINES: [(&str, &str); 4] = [
    ("ugi", "uci"),
    ("ugiok", "uciok"),
    ("uginewgame", "ucinewgame"),
    ("bestmove none", "bestmove (none)"),
];

/// Words of UGI's `go` that UCI writes in another way.
const UCI_CLOCKS: [(&str, &str); 4] =
    [("p1time", "wtime"), ("p2time", "btime"), ("p1inc", "winc"), ("p2inc", "binc")];

/// Replaces a text of UGI by that of UCI, if there is another one.
fn in_uci<'a>(table: &[(&'a str, &'a str)], text: &'a str) -> &'a str {
    table.iter().find(|(ugi, _)| *ugi == text).map_or(text, |(_, uci)| uci)
}

/// The commands that the document of UCI lists.
const UCI_COMMANDS: [&str; 11] = [
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "debug",
    "register",
];

impl Flavor {
    /// Parses a client's line. UCI skips unknown words before a command.
    ///
    /// # Errors
    /// The line is not a command of this flavor.
    pub fn command(self, line: &str) -> Result<Command, SyntaxError> {
        let parse = |line: &str| Command::GRAMMAR.parse(line, |keyword| self.spell(keyword));
        let error = match parse(line) {
            Err(error @ SyntaxError::Unknown { .. }) if self == Self::Uci => error,
            other => return other,
        };
        let line = clean(line);
        let mut rest = line.trim_start_matches(' ');
        while let Some((_, after)) = rest.split_once(' ') {
            rest = after.trim_start_matches(' ');
            let first = rest.split(' ').next().unwrap_or_default();
            if UCI_COMMANDS.iter().any(|command| first.eq_ignore_ascii_case(command)) {
                return parse(rest);
            }
        }
        Err(error)
    }

    /// Parses an engine's line.
    ///
    /// # Errors
    /// The line is a malformed `option` or `bestmove`.
    pub fn response(self, line: &str) -> Result<Response, SyntaxError> {
        Response::GRAMMAR.parse(line, |keyword| self.spell(keyword))
    }

    /// Returns the text of a command.
    pub fn command_text(self, command: &Command) -> String {
        self.respell(command.to_string())
    }

    /// Returns the text of a response.
    pub fn response_text(self, response: &Response) -> String {
        match response {
            Response::Text(_) => response.to_string(),
            _ => self.respell(response.to_string()),
        }
    }

    /// Replaces the words of a line of UGI by those of this flavor.
    fn respell(self, line: String) -> String {
        if self == Self::Ugi {
            return line;
        }
        match line.strip_prefix("go ") {
            Some(limits) => {
                let words = limits.split(' ').map(|word| in_uci(&UCI_CLOCKS, word));
                format!("go {}", words.collect::<Vec<_>>().join(" "))
            }
            None => in_uci(&UCI_LINES, &line).to_owned(),
        }
    }

    /// Returns this flavor's keyword for one of UGI.
    fn spell(self, keyword: &'static str) -> &'static str {
        match self {
            Self::Ugi => keyword,
            Self::Uci => in_uci(&UCI_LINES, keyword),
        }
    }
}

/// A time in milliseconds. It is negative once the flag has fallen.
pub type Millis = i64;

/// The arguments of `go`; the default is a bare `go`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Go {
    /// The time left on the clock of each seat: `p1time` to `p4time`.
    pub time: [Option<Millis>; 4],
    /// What each move adds to the clock of each seat: `p1inc` to `p4inc`.
    pub increment: [Option<Millis>; 4],
    /// The moves until more time is added to the clocks.
    pub moves_to_go: Option<u32>,
    /// The time for this move.
    pub move_time: Option<Millis>,
    /// The maximum depth, in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// Look for a win in this many plies.
    pub mate: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search in the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Consider only these moves; empty means all.
    pub search_moves: Vec<String>,
}

/// The keywords in the arguments of `go`.
const GO_KEYWORDS: [&str; 20] = [
    "p1time",
    "p2time",
    "p3time",
    "p4time",
    "p1inc",
    "p2inc",
    "p3inc",
    "p4inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
];

/// `go = { limit } ;`
fn go(input: &str) -> Parsed<'_, Go> {
    let mut go = Go::default();
    let mut rest = input;
    while !rest.trim_start_matches(' ').is_empty() {
        (rest, ()) = limit(&mut go, rest)?;
    }
    Ok((rest, go))
}

impl Go {
    /// Parses the arguments of a line with the command `go`, and skips what is unknown or cannot be read, as
    /// UCI requires. A limit without a readable value becomes the smallest, so that an answer comes soon.
    ///
    /// Returns the first thing that was skipped too, if there is one.
    pub fn parse_leniently(line: &str) -> (Self, Option<SyntaxError>) {
        let line = clean(line);
        let mut rest = word(&line).map_or("", |(arguments, _)| arguments);
        let (mut go, mut skipped) = (Self::default(), None);
        while let Ok((after, name)) = word(rest) {
            let error = match limit(&mut go, rest) {
                Ok((after, ())) => {
                    rest = after;
                    continue;
                }
                Err(error) => error,
            };
            skipped.get_or_insert_with(|| Mismatch::in_command(error, "go"));
            rest = after;
            if GO_KEYWORDS.contains(&name) && name != "searchmoves" {
                let _ = limit(&mut go, &format!("{name} 1"));
                let value = word(after).ok().filter(|(_, value)| !GO_KEYWORDS.contains(value));
                rest = value.map_or(after, |(after, _)| after);
            }
        }
        (go, skipped)
    }
}

/// `limit = clock , integer | "movetime" , integer | "nodes" , natural
///        | ( "movestogo" | "depth" | "mate" ) , natural
///        | "infinite" | "ponder" | "searchmoves" , move , { move } ;`
///
/// A `move` is any word that is not a keyword of `go`. Of a limit that is given twice, the last counts.
fn limit<'a>(go: &mut Go, input: &'a str) -> Parsed<'a, ()> {
    const WHOLE: &str = "a whole number";
    const MILLIS: &str = "a number of milliseconds";
    let (mut rest, name) = word(input)?;
    if let Some(clock) = clock(go, name) {
        (rest, *clock) = value_after(name, MILLIS, integer, rest)?;
        return Ok((rest, ()));
    }
    match name {
        "movetime" => (rest, go.move_time) = value_after(name, MILLIS, integer, rest)?,
        "movestogo" => (rest, go.moves_to_go) = value_after(name, WHOLE, natural32, rest)?,
        "depth" => (rest, go.depth) = value_after(name, WHOLE, natural32, rest)?,
        "nodes" => (rest, go.nodes) = value_after(name, WHOLE, natural, rest)?,
        "mate" => (rest, go.mate) = value_after(name, WHOLE, natural32, rest)?,
        "infinite" => go.infinite = true,
        "ponder" => go.ponder = true,
        "searchmoves" => {
            let (after, moves) = words_until(|word| GO_KEYWORDS.contains(&word)).parse(rest)?;
            if moves.is_empty() {
                return Err(Mismatch::stop("a move after `searchmoves`", rest));
            }
            go.search_moves.extend(moves);
            rest = after;
        }
        _ => return Err(Mismatch::stop("a limit such as `movetime` or `depth`", input)),
    }
    Ok((rest, ()))
}

/// `clock = "p1time" | "p2time" | "p3time" | "p4time" | "wtime" | "btime"
///        | "p1inc" | "p2inc" | "p3inc" | "p4inc" | "winc" | "binc" ;`
fn clock<'g>(go: &'g mut Go, name: &str) -> Option<&'g mut Option<Millis>> {
    let (clocks, seat) = match name {
        "p1time" | "wtime" => (&mut go.time, 0),
        "p2time" | "btime" => (&mut go.time, 1),
        "p3time" => (&mut go.time, 2),
        "p4time" => (&mut go.time, 3),
        "p1inc" | "winc" => (&mut go.increment, 0),
        "p2inc" | "binc" => (&mut go.increment, 1),
        "p3inc" => (&mut go.increment, 2),
        "p4inc" => (&mut go.increment, 3),
        _ => return None,
    };
    clocks.get_mut(seat)
}

/// Parses the number that must follow the keyword `name`.
fn value_after<'a, T>(
    name: &str,
    what: &str,
    read: fn(&str) -> Option<T>,
    input: &'a str,
) -> Parsed<'a, Option<T>> {
    expect(format!("{what} after `{name}`"), map_opt(word, read)).map(Some).parse(input)
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = Fields { f, is_first: true };
        for (clocks, name) in [(&self.time, "time"), (&self.increment, "inc")] {
            for (clock, seat) in clocks.iter().zip(1..) {
                fields.add(&format!("p{seat}{name}"), *clock)?;
            }
        }
        fields.add("movestogo", self.moves_to_go)?;
        fields.add("movetime", self.move_time)?;
        fields.add("depth", self.depth)?;
        fields.add("nodes", self.nodes)?;
        fields.add("mate", self.mate)?;
        fields.add("infinite", self.infinite.then_some(""))?;
        fields.add("ponder", self.ponder.then_some(""))?;
        let moves = (!self.search_moves.is_empty()).then(|| joined(&self.search_moves));
        fields.add("searchmoves", moves)
    }
}

/// Prints keywords with values, separated by blanks.
struct Fields<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    is_first: bool,
}

impl Fields<'_, '_> {
    /// Prints a field if it has a value.
    fn add(&mut self, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
        let Some(value) = value.map(|value| value.to_string()) else { return Ok(()) };
        self.f.write_str(if std::mem::take(&mut self.is_first) { "" } else { " " })?;
        self.f.write_str(name)?;
        if value.is_empty() { Ok(()) } else { write!(self.f, " {}", OneLine(&value)) }
    }
}

/// One line of `info`; the default says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Info {
    /// The depth reached, in plies.
    pub depth: Option<u32>,
    /// The selective depth, in plies.
    pub seldepth: Option<u32>,
    /// The rank of this line among several, from 1.
    pub multipv: Option<u32>,
    /// The value of the position for the seat to move.
    pub score: Option<Score>,
    /// Set if the score is only a bound.
    pub bound: Option<ScoreBound>,
    /// The chances to win, to draw and to lose for the seat to move, in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// The nodes searched so far.
    pub nodes: Option<u64>,
    /// The nodes searched per second.
    pub nps: Option<u64>,
    /// How full the transposition table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The time used so far, in milliseconds.
    pub time_ms: Option<u64>,
    /// The expected reply to the best move.
    pub ponder: Option<String>,
    /// The principal variation, from the position searched.
    pub pv: Vec<String>,
    /// Free text, `string ...`, up to the end of the line; never empty.
    pub text: Option<String>,
}

grammar! {
    ignore_case: false;
    /// The value of a position for the seat to move.
    #[derive(Copy)]
    pub enum Score {
        /// `cp N`: an estimate, positive if the seat is ahead.
        Centipawns(i32) = "cp" => map_opt(word, integer32),
        /// `mate N`: a forced win in that many plies (moves in UCI), negative for a loss.
        Mate(i32) = "mate" => map_opt(word, integer32),
    }
}

/// The direction in which the true score may differ from the one given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScoreBound {
    /// `lowerbound`: the true score is at least this.
    Lower,
    /// `upperbound`: the true score is at most this.
    Upper,
}

/// The keywords of `info`, which end a `pv`, with those of other engines.
const INFO_KEYWORDS: [&str; 20] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "lowerbound",
    "upperbound",
    "nodes",
    "nps",
    "hashfull",
    "time",
    "ponder",
    "pv",
    "string",
    "currmove",
    "currmovenumber",
    "currline",
    "refutation",
    "tbhits",
    "cpuload",
    "wdl",
];

/// `info = { field | word } ;`
///
/// Skips unknown words, and keywords whose value cannot be read; nothing is an error.
#[allow(clippy::unnecessary_wraps, reason = "the type of a parser")]
fn info(input: &str) -> Parsed<'_, Info> {
    let mut info = Info::default();
    let mut rest = input;
    while let Ok((after, keyword)) = word(rest) {
        rest = field(&mut info, keyword, after);
    }
    Ok(("", info))
}

/// `field = ( "depth" | "seldepth" | "multipv" | "hashfull" ) , natural
///        | ( "nodes" | "nps" | "time" ) , natural
///        | "score" , ( "cp" | "mate" ) , integer | "lowerbound" | "upperbound"
///        | "wdl" , natural , natural , natural
///        | "ponder" , move | "pv" , { move } | "string" , { word } ;`
///
/// A `move` is any word that is not a keyword of `info`. Returns the rest of the line.
fn field<'a>(info: &mut Info, keyword: &str, rest: &'a str) -> &'a str {
    let mv = |word: &str| (!INFO_KEYWORDS.contains(&word)).then(|| word.to_owned());
    match keyword {
        "depth" => set(&mut info.depth, map_opt(word, natural32), rest),
        "seldepth" => set(&mut info.seldepth, map_opt(word, natural32), rest),
        "multipv" => set(&mut info.multipv, map_opt(word, natural32), rest),
        "hashfull" => set(&mut info.hashfull, map_opt(word, natural32), rest),
        "nodes" => set(&mut info.nodes, map_opt(word, natural), rest),
        "nps" => set(&mut info.nps, map_opt(word, natural), rest),
        "time" => set(&mut info.time_ms, map_opt(word, natural), rest),
        "score" => set(&mut info.score, |input| Score::GRAMMAR.read(input), rest),
        "lowerbound" => {
            info.bound = Some(ScoreBound::Lower);
            rest
        }
        "upperbound" => {
            info.bound = Some(ScoreBound::Upper);
            rest
        }
        "wdl" => {
            let number = || map_opt(word, natural32);
            let chances = (number(), number(), number());
            set(&mut info.wdl, chances.map(|(win, draw, loss)| [win, draw, loss]), rest)
        }
        "ponder" => set(&mut info.ponder, map_opt(word, mv), rest),
        "pv" => match words_until(|word| INFO_KEYWORDS.contains(&word)).parse(rest) {
            Ok((rest, moves)) => {
                info.pv = moves;
                rest
            }
            Err(_) => rest,
        },
        "string" => {
            let text = rest.trim_matches(' ');
            info.text = (!text.is_empty()).then(|| text.to_owned());
            ""
        }
        _ => rest,
    }
}

/// Reads a value into `slot` and returns the rest; leaves both if it cannot be read.
fn set<'a, T>(
    slot: &mut Option<T>,
    mut parser: impl Parser<&'a str, Output = T, Error = Mismatch<'a>>,
    input: &'a str,
) -> &'a str {
    let Ok((rest, value)) = parser.parse(input) else { return input };
    *slot = Some(value);
    rest
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::default() {
            // A bare `info` would be shorter than the eight bytes that cutergames needs of every
            // line during a search.
            return f.write_str("string");
        }
        let mut fields = Fields { f, is_first: true };
        fields.add("depth", self.depth)?;
        fields.add("seldepth", self.seldepth)?;
        fields.add("multipv", self.multipv)?;
        fields.add("score", self.score)?;
        fields.add("lowerbound", (self.bound == Some(ScoreBound::Lower)).then_some(""))?;
        fields.add("upperbound", (self.bound == Some(ScoreBound::Upper)).then_some(""))?;
        fields.add("wdl", self.wdl.map(|chances| joined(&chances)))?;
        fields.add("nodes", self.nodes)?;
        fields.add("nps", self.nps)?;
        fields.add("hashfull", self.hashfull)?;
        fields.add("time", self.time_ms)?;
        fields.add("ponder", self.ponder.as_deref())?;
        fields.add("pv", (!self.pv.is_empty()).then(|| joined(&self.pv)))?;
        fields.add("string", self.text.as_deref())
    }
}

/// An option that an engine declares.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OptionDecl {
    /// The name; it may contain blanks, but not the word `type`.
    pub name: String,
    /// The type, the default and the range.
    pub kind: OptionKind,
}

grammar! {
    ignore_case: false;
    /// The values that an option takes.
    pub enum OptionKind {
        /// `check`: true or false.
        Check {
            /// The default value.
            default: bool,
        } = "check" => check => |default: &bool| format!("default {default}"),
        /// `spin`: a whole number in a range.
        Spin {
            /// The default value.
            default: i64,
            /// The smallest value.
            min: i64,
            /// The largest value.
            max: i64,
        } = "spin" => spin => |default: &i64, min: &i64, max: &i64| {
            format!("default {default} min {min} max {max}")
        },
        /// `combo`: one of several words. Blanks are allowed, the words `default` and `var` are not.
        Combo {
            /// The default value.
            default: String,
            /// All values, in the order in which a client shows them.
            choices: Vec<String>,
        } = "combo" => combo => combo_text,
        /// `button`: no value; setting it has an effect.
        Button = "button",
        /// `string`: any text.
        Text {
            /// The default value.
            default: String,
        } = "string" => text_default => |default: &str| format!("default {}", value_text(default)),
    }
}

/// How an empty value is written.
const EMPTY: &str = "<empty>";

/// Returns a value as it is printed.
fn value_text(value: &str) -> &str {
    if value.is_empty() { EMPTY } else { value }
}

/// `option = "name" , word , { word } , "type" , kind ;`
fn option(input: &str) -> Parsed<'_, OptionDecl> {
    const KINDS: &str = "`check`, `spin`, `combo`, `button` or `string`";
    let (input, _) = expect("the word `name`", keyword("name")).parse(input)?;
    let (rest, name) = words_until(|word| word == "type").parse(input)?;
    if name.is_empty() {
        return Err(Mismatch::stop("the name of an option", input));
    }
    let (rest, _) = expect("the word `type`", keyword("type")).parse(rest)?;
    let kind = |input| OptionKind::GRAMMAR.read(input);
    let (rest, kind) = expect(KINDS, kind).parse(rest)?;
    Ok((rest, OptionDecl { name: name.join(" "), kind }))
}

/// `check = attributes ;` where any `default` but `true` is false.
fn check(input: &str) -> Parsed<'_, bool> {
    attributes.map(|attributes| attributes.value("default") == Some("true")).parse(input)
}

/// `spin = attributes ;` with `default`, `min` and `max`.
fn spin(input: &str) -> Parsed<'_, (i64, i64, i64)> {
    let (rest, attributes) = attributes(input)?;
    let number = |key: &'static str| {
        let value = attributes.value(key).and_then(integer);
        value.ok_or_else(|| Mismatch::stop(format!("a number as `{key}`"), input))
    };
    Ok((rest, (number("default")?, number("min")?, number("max")?)))
}

/// `combo = attributes ;` with any number of `var`.
fn combo(input: &str) -> Parsed<'_, (String, Vec<String>)> {
    let (rest, attributes) = attributes(input)?;
    let default = attributes.value("default").unwrap_or_default().to_owned();
    Ok((rest, (default, attributes.values("var").map(str::to_owned).collect())))
}

fn combo_text(default: &str, choices: &[String]) -> String {
    let choices = choices.iter().map(|choice| format!(" var {}", value_text(choice)));
    format!("default {}{}", value_text(default), choices.collect::<String>())
}

/// `text-default = [ "default" , { word } ] ;` to the end of the line.
#[allow(clippy::unnecessary_wraps, reason = "the type of a parser")]
fn text_default(input: &str) -> Parsed<'_, String> {
    let text = keyword("default").parse(input).map_or("", |(text, _)| text.trim_matches(' '));
    Ok(("", if text == EMPTY { String::new() } else { text.to_owned() }))
}

/// `attributes = { ( "default" | "min" | "max" | "var" ) , { word } } ;`
///
/// A value ends at the next of these keywords.
fn attributes(input: &str) -> Parsed<'_, Attributes> {
    let is_keyword = |word: &str| matches!(word, "default" | "min" | "max" | "var");
    let mut pairs = Vec::new();
    let (mut rest, _) = words_until(is_keyword).parse(input)?;
    while let Ok((after, key)) = word(rest) {
        let (after, value) = words_until(is_keyword).parse(after)?;
        let value = value.join(" ");
        pairs.push((key.to_owned(), if value == EMPTY { String::new() } else { value }));
        rest = after;
    }
    Ok((rest, Attributes(pairs)))
}

/// The keywords and values after the type of an option.
struct Attributes(Vec<(String, String)>);

impl Attributes {
    /// Returns all values of a keyword.
    fn values(&self, key: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// Returns the first value of a keyword.
    fn value(&self, key: &str) -> Option<&str> {
        self.values(key).next()
    }
}

impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type {}", OneLine(&self.name), self.kind)
    }
}
