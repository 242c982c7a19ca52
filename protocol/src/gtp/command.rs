//! The commands of a controller.

use nom::Parser;
use nom::combinator::{map_opt, verify};

use super::{Analyze, Color, Request, SyntaxError, analysis};
use crate::grammar::{
    Mismatch, Parsed, end, exact, exact_number, expect, grammar, joined, text, word, words,
};

grammar! {
    ignore_case: false;
    /// A command from the controller to the engine.
    pub enum Command {
        /// `protocol_version`: answer `2`.
        ProtocolVersion = "protocol_version",
        /// `name` of the engine.
        Name = "name",
        /// `version` of the engine.
        Version = "version",
        /// `known_command NAME`: answer `true` or `false`.
        KnownCommand(String) = "known_command" => expect("the name of a command", word),
        /// `list_commands`: all names, one a line.
        ListCommands = "list_commands" | "help",
        /// `quit`: answer, then end.
        Quit = "quit",
        /// `boardsize N`, `boardsize COLUMNS ROWS` or `rectangular_boardsize COLUMNS ROWS`.
        BoardSize {
            /// The width.
            columns: u32,
            /// The height.
            rows: u32,
        } in &["boardsize", "rectangular_boardsize"] => board_size => board_size_text,
        /// `clear_board`: return to the start position.
        ClearBoard = "clear_board",
        /// `komi X`: any number; the games here have no use for it.
        Komi(String) = "komi" => komi,
        /// `get_komi`: the number of the last `komi`.
        GetKomi = "get_komi",
        /// `query_boardsize`: the number of columns, and of rows if it is another one.
        QueryBoardSize = "query_boardsize",
        /// `play COLOR MOVE`.
        Play {
            /// The color that moves.
            color: Color,
            /// A vertex, `pass`, a word of a swap opening, or longer move text with vertices in it.
            vertex: String,
        } = "play" => stone => |color: &Color, vertex: &str| format!("{color} {vertex}"),
        /// `gogui-play_sequence COLOR MOVE COLOR MOVE ...`: all of them, or none.
        PlaySequence(Vec<(Color, String)>) = "gogui-play_sequence" => stones => stones_text,
        /// `gogui-setup COLOR VERTEX ...`: stones that are there from the start, on an empty board.
        Setup(Vec<(Color, String)>) = "gogui-setup" => stones => stones_text,
        /// `set_position COLOR VERTEX ...`: `gogui-setup` after `clear_board`.
        SetPosition(Vec<(Color, String)>) = "set_position" => stones => stones_text,
        /// `gogui-setup_player COLOR`: the color to move after a setup.
        SetupPlayer(Color) = "gogui-setup_player" => color,
        /// `fixed_handicap N`: that many stones of the first player on the handicap points of Go.
        FixedHandicap(u32) = "fixed_handicap" => stone_count,
        /// `place_free_handicap N`: that many stones of the first player.
        PlaceFreeHandicap(u32) = "place_free_handicap" => stone_count,
        /// `set_free_handicap VERTEX ...`: stones of the first player.
        SetFreeHandicap(Vec<String>) = "set_free_handicap" => vertices => |vertices: &Vec<String>| joined(vertices),
        /// `get_handicap`: the number of handicap stones.
        GetHandicap = "get_handicap",
        /// `genmove COLOR`: choose a move and play it.
        GenMove(Color) = "genmove" | "genmove_debug" => color => lowercase,
        /// `reg_genmove COLOR` or `kata-search COLOR`: choose a move and do not play it.
        RegGenMove(Color) = "reg_genmove" | "kata-search" | "kata-search_debug" => color => lowercase,
        /// `kata-search_cancellable COLOR`: the same, until the next line comes.
        CancellableSearch(Color) = "kata-search_cancellable" => color => lowercase,
        /// `lz-analyze`, `kata-genmove_analyze` and similar commands: report on a search while it runs.
        Analyze(Analyze) in &Analyze::NAMES => analysis::analyze,
        /// `level N`: the playing strength, 10 or more for the maximum.
        Level(u32) = "level" => level,
        /// `list_stones COLOR`: the vertices of that player's stones.
        ListStones(Color) = "list_stones" => color => lowercase,
        /// `captures COLOR`: the number of stones that this player has captured.
        Captures(Color) = "captures" => color => lowercase,
        /// `all_legal COLOR`: the vertices on which this player may play.
        AllLegal(Color) = "all_legal" => color => lowercase,
        /// `move_history`: the moves from the last to the first, each with its color.
        MoveHistory = "move_history",
        /// `top_moves`, `top_moves_black` or `top_moves_white`: the best moves with their values.
        TopMoves(Option<Color>) in &TOP_MOVES => top_moves => top_moves_text,
        /// `cputime` or `gomill-cpu_time`: the seconds spent on searches for moves.
        CpuTime = "cputime" | "gomill-cpu_time",
        /// `stop`: end an analysis, as any line does.
        Stop = "stop",
        /// `undo`: take back one move.
        Undo = "undo",
        /// `gg-undo N`: take back that many moves; a bare `gg-undo` is one.
        GgUndo(u32) = "gg-undo" => undo_count,
        /// `time_settings MAIN BYO_YOMI STONES`, in seconds.
        TimeSettings {
            /// The time before the first byo-yomi period.
            main_s: u32,
            /// The length of a period; 0 means that there is only the main time.
            byo_yomi_s: u32,
            /// The moves to make in a period; 0 with a period means no limit.
            stones: u32,
        } = "time_settings" => time_settings => |main_s: &u32, byo_yomi_s: &u32, stones: &u32| {
            format!("{main_s} {byo_yomi_s} {stones}")
        },
        /// `kgs-time_settings KIND TIMES`, with the first four kinds of `kata-time_settings`.
        KgsTimeSettings(KataTime) = "kgs-time_settings" => |input| kata_time(input, 4),
        /// `kata-list_time_settings`: the kinds of `kata-time_settings`.
        KataListTimeSettings = "kata-list_time_settings",
        /// `kata-time_settings KIND TIMES`, in seconds with decimals.
        KataTimeSettings(KataTime) = "kata-time_settings" => |input| kata_time(input, usize::MAX),
        /// `time_left COLOR SECONDS STONES`, decimals allowed.
        TimeLeft {
            /// The color of the clock.
            color: Color,
            /// The time left of the main time or of the period.
            milliseconds: i64,
            /// The moves left in the period; 0 in the main time.
            stones: u32,
        } = "time_left" => time_left => |color: &Color, milliseconds: &i64, stones: &u32| {
            format!("{color} {} {stones}", seconds_text(*milliseconds))
        },
        /// `kata-get-rules`: the rules of Go that were set, as JSON.
        KataGetRules = "kata-get-rules",
        /// `kata-set-rules RULES`: a name or JSON.
        KataSetRules(String) = "kata-set-rules" => some_text("rules"),
        /// `kata-set-rule RULE VALUE`.
        KataSetRule {
            /// The name of the rule.
            rule: String,
            /// Its new value.
            value: String,
        } = "kata-set-rule" => (expect("a rule", word.map(str::to_owned)), some_text("a value").map(str::to_owned))
            => |rule: &str, value: &str| format!("{rule} {value}"),
        /// `kgs-rules NAME`.
        KgsRules(String) = "kgs-rules" => some_text("rules"),
        /// `kata-list-params`: the names of the parameters.
        KataListParams = "kata-list-params",
        /// `kata-get-param NAME`.
        KataGetParam(String) = "kata-get-param" => expect("the name of a parameter", word),
        /// `kata-get-params`: all parameters as JSON.
        KataGetParams = "kata-get-params",
        /// `kata-set-param NAME [VALUE]`.
        KataSetParam {
            /// The name of the parameter.
            name: String,
            /// Its new value, which may be empty.
            value: String,
        } = "kata-set-param" => (expect("the name of a parameter", word.map(str::to_owned)), text.map(str::to_owned))
            => |name: &str, value: &str| format!("{name} {value}"),
        /// `kata-set-params JSON`: several parameters, all or none.
        KataSetParams(String) = "kata-set-params" => some_text("a JSON object"),
        /// `kata-get-models`: the model as JSON.
        KataGetModels = "kata-get-models",
        /// `kata-benchmark VISITS`: the speed of a search with that many nodes.
        KataBenchmark(u64) = "kata-benchmark" => visits,
        /// A command about `KataGo`'s own structures, which is refused.
        KataInternal(String) in &KATA_INTERNAL => text,
        /// `final_score`: who won.
        FinalScore = "final_score",
        /// `final_status_list STATUS`: the stones that are `alive`, `dead` or `seki`.
        FinalStatusList(String) = "final_status_list" => expect("a status", word),
        /// `showboard`: print the board for a human.
        ShowBoard = "showboard",
        /// `list_games`: the games that `set_game` knows, one a line.
        ListGames = "list_games",
        /// `set_game NAME`: change to this game; the name may contain blanks.
        SetGame(String) = "set_game" => some_text("the name of a game"),
        /// `loadsgf FILE [MOVE]`: the game of a file, up to the move before the one of that number.
        LoadSgf {
            /// The path, in which single blanks may occur.
            file: String,
            /// The number of the first move that is left out, from 1.
            before: Option<u32>,
        } = "loadsgf" => load_sgf => load_sgf_text,
        /// `printsgf [FILE]`: the game as SGF, as the answer or into a file.
        PrintSgf(Option<String>) = "printsgf" => print_sgf => |file: &Option<String>| file.clone().unwrap_or_default(),
        /// `clear_cache`: clear the transposition table.
        ClearCache = "clear_cache",
        /// A command of `GoGui`'s rules extension.
        Rules(RulesQuery) in RulesQuery::KEYWORDS => |input| RulesQuery::GRAMMAR.read(input),
        /// A dialog of settings: returns the settings, one a line, or changes one of them.
        Parameters {
            /// The dialog.
            group: ParameterGroup,
            /// The key of a setting and its new value, which may be empty.
            change: Option<(String, String)>,
        } in ParameterGroup::KEYWORDS => parameters => parameters_text,
        /// `gogui-analyze_commands`: the entries of the analyze menu, one a line.
        AnalyzeCommands = "gogui-analyze_commands",
        /// An entry of the analyze menu.
        Menu(MenuCommand) in MenuCommand::KEYWORDS => |input| MenuCommand::GRAMMAR.read(input),
        /// `gogui-interrupt`: whether the engine reacts to the comment line `# interrupt`.
        Interrupt = "gogui-interrupt",
        /// `gogui-title`: a title for the window.
        Title = "gogui-title",
        /// `gogui-version VERSION`: the version of `GoGui`.
        GuiVersion(String) = "gogui-version" => some_text("a version"),
    }
}

grammar! {
    ignore_case: false;
    /// What `GoGui` asks an engine that is the referee of a game.
    #[derive(Copy)]
    pub enum RulesQuery {
        /// `gogui-rules_game_id`: a name for the rules.
        GameId = "gogui-rules_game_id",
        /// `gogui-rules_board_size`: `19`, `15 10` or `13 hex`.
        BoardSize = "gogui-rules_board_size",
        /// `gogui-rules_board`: rows from the top, `X`, `O`, `.`, and `?` where there is no cell.
        Board = "gogui-rules_board",
        /// `gogui-rules_board_gfx`: what the four characters cannot show, as graphics.
        BoardGraphics = "gogui-rules_board_gfx",
        /// `gogui-rules_legal_moves`: vertices; none when the game is over.
        LegalMoves = "gogui-rules_legal_moves",
        /// `gogui-rules_side_to_move`: `black` or `white`.
        SideToMove = "gogui-rules_side_to_move",
        /// `gogui-rules_captured_count`: stones captured by Black, then by White.
        CapturedCount = "gogui-rules_captured_count",
        /// `gogui-rules_final_result`: how the game ended, as a sentence.
        FinalResult = "gogui-rules_final_result",
    }
}

grammar! {
    ignore_case: false;
    /// A dialog of settings, an entry of the analyze menu of the type `param`.
    #[derive(Copy)]
    pub enum ParameterGroup {
        /// `gogui-param_general`: strength, time and game.
        General = "gogui-param_general",
        /// `gogui-param_search`: options of the search.
        Search = "gogui-param_search",
    }
}

grammar! {
    ignore_case: false;
    /// The entries of the analyze menu. All answer with graphics except the last three.
    #[derive(Copy)]
    pub enum MenuCommand {
        /// The threats on the board: trias, tesseras, threes and fours.
        Threats = "pentarch-threats",
        /// The best moves with their values, by a search.
        BestMoves = "pentarch-best_moves",
        /// The principal variation of a search.
        Variation = "pentarch-variation",
        /// The best moves of a short search, colored by their values.
        Candidates = "pentarch-candidates",
        /// The moves that capture now, and the stones that they capture.
        Captures = "pentarch-captures",
        /// The legal points.
        LegalMap = "pentarch-legal_map",
        /// Whose turn it is and what can be done, in words.
        Status = "pentarch-status",
        /// The position as text.
        Position = "pentarch-position",
        /// The rules in words.
        Rules = "pentarch-rules",
    }
}

grammar! {
    ignore_case: false;
    /// The argument of `kata-time_settings`. Times are in milliseconds here, in seconds with decimals
    /// on the line.
    #[derive(Copy)]
    pub enum KataTime {
        /// No limit.
        None = "none",
        /// A main time only.
        Absolute {
            /// The time for the game.
            main: u64,
        } = "absolute" => time => time_text,
        /// A main time, then periods that each move may use up.
        ByoYomi {
            /// The time before the first period.
            main: u64,
            /// The length of a period.
            period: u64,
            /// The number of periods.
            periods: u32,
        } = "byoyomi" => (time, time, exact_number("a number of periods")) => periods_text,
        /// A main time, then a number of moves in each period.
        Canadian {
            /// The time before the first period.
            main: u64,
            /// The length of a period.
            period: u64,
            /// The moves to make in it.
            stones: u32,
        } = "canadian" => (time, time, stone_count) => periods_text,
        /// A main time, to which each move adds an increment.
        Fischer {
            /// The time at the start.
            main: u64,
            /// What each move adds.
            increment: u64,
        } = "fischer" => (time, time) => |main: &u64, increment: &u64| {
            format!("{} {}", time_text(main), time_text(increment))
        },
        /// [`KataTime::Fischer`] with a limit on the clock and on each move.
        FischerCapped {
            /// The time at the start.
            main: u64,
            /// What each move adds.
            increment: u64,
            /// The most that the clock may show, if it is limited.
            cap: Option<u64>,
            /// The most that a move may take, if it is limited.
            move_cap: Option<u64>,
        } = "fischer-capped" => (time, time, cap, cap) => fischer_capped_text,
    }
}

/// Commands about the network and the search tree of `KataGo`.
const KATA_INTERNAL: [&str; 4] =
    ["kata-raw-nn", "kata-raw-human-nn", "kata-debug-print-tc", "debug_moves"];

/// Commands that [`Command::names`] leaves out. Sabaki would read the win rates of the last two as numbers
/// up to 10000 if they were listed.
const UNLISTED: [&str; 6] = {
    let [a, b, c, d] = KATA_INTERNAL;
    [a, b, c, d, "analyze", "genmove_analyze"]
};

/// The names of [`Command::TopMoves`].
const TOP_MOVES: [&str; 3] = ["top_moves", "top_moves_black", "top_moves_white"];

/// `top-moves = "top_moves" | "top_moves_black" | "top_moves_white" ;`
fn top_moves(input: &str) -> Parsed<'_, Option<Color>> {
    let color = |name: &str| match name {
        "top_moves_black" => Some(Color::Black),
        "top_moves_white" => Some(Color::White),
        _ => None,
    };
    word.map(color).parse(input)
}

fn top_moves_text(color: &Option<Color>) -> &'static str {
    match color {
        None => "top_moves",
        Some(Color::Black) => "top_moves_black",
        Some(Color::White) => "top_moves_white",
    }
}

impl Command {
    /// Returns the command of a request.
    ///
    /// # Errors
    /// The name is not known, or the arguments are wrong.
    pub fn parse(request: &Request) -> Result<Self, SyntaxError> {
        let line = format!("{} {}", request.name, joined(&request.args));
        Ok(Self::GRAMMAR.parse(&line, |keyword| keyword)?)
    }

    /// Returns the names of the commands that an engine lists.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::GRAMMAR.keywords().filter(|name| !UNLISTED.contains(name))
    }

    /// Returns the request that a controller sends for this command.
    pub fn request(&self, id: Option<u32>) -> Request {
        let line = self.to_string();
        let mut words = line.split(' ').filter(|word| !word.is_empty()).map(str::to_owned);
        Request { id, name: words.next().unwrap_or_default(), args: words.collect() }
    }
}

impl KataTime {
    /// Returns the names of the kinds, as `kata-list_time_settings` gives them.
    pub fn kinds() -> impl Iterator<Item = &'static str> {
        Self::GRAMMAR.keywords()
    }
}

pub(super) fn color(input: &str) -> Parsed<'_, Color> {
    expect("a color, `b` or `w`", map_opt(word, |word| Color::parse(word).ok())).parse(input)
}

fn lowercase(color: &Color) -> &'static str {
    color.lowercase()
}

/// A text that is not empty.
fn some_text<'a>(
    expected: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Mismatch<'a>> {
    expect(expected, verify(text, |text: &str| !text.is_empty()))
}

/// `board-size = "boardsize" , natural , [ natural ] | "rectangular_boardsize" , natural , natural ;`
/// where one number is both sides.
fn board_size(input: &str) -> Parsed<'_, (u32, u32)> {
    let (rest, name) = word(input)?;
    if name == "rectangular_boardsize" {
        return (exact_number("a number of columns"), exact_number("a number of rows")).parse(rest);
    }
    let (rest, columns) = exact_number("a board size, a whole number").parse(rest)?;
    if end(rest).is_ok() {
        return Ok((rest, (columns, columns)));
    }
    exact_number("a number of rows").map(|rows| (columns, rows)).parse(rest)
}

fn board_size_text(columns: &u32, rows: &u32) -> String {
    if columns == rows {
        format!("boardsize {columns}")
    } else {
        format!("rectangular_boardsize {columns} {rows}")
    }
}

/// `komi = number ;` with or without decimals, of any sign.
fn komi(input: &str) -> Parsed<'_, &str> {
    let is_number = |word: &str| word.parse::<f64>().is_ok_and(f64::is_finite);
    expect("a number", verify(word, is_number)).parse(input)
}

/// `stone = color , word ;`
fn stone(input: &str) -> Parsed<'_, (Color, String)> {
    (color, expect("a vertex or `pass`", word).map(str::to_owned)).parse(input)
}

/// `stones = { stone } ;`
fn stones(input: &str) -> Parsed<'_, Vec<(Color, String)>> {
    let (mut rest, mut stones) = (input, Vec::new());
    while end(rest).is_err() {
        let (after, stone) = stone(rest)?;
        stones.push(stone);
        rest = after;
    }
    Ok((rest, stones))
}

fn stones_text(stones: &Vec<(Color, String)>) -> String {
    let stones = stones.iter().map(|(color, vertex)| format!("{color} {vertex}"));
    joined(&stones.collect::<Vec<_>>())
}

fn level(input: &str) -> Parsed<'_, u32> {
    exact_number("a level").parse(input)
}

fn visits(input: &str) -> Parsed<'_, u64> {
    exact_number("a number of visits").parse(input)
}

fn stone_count(input: &str) -> Parsed<'_, u32> {
    exact_number("a number of stones").parse(input)
}

/// `vertices = word , { word } ;`
fn vertices(input: &str) -> Parsed<'_, Vec<String>> {
    expect("a vertex", verify(words, |words: &Vec<String>| !words.is_empty())).parse(input)
}

/// `gg-undo = [ natural ] ;`
fn undo_count(input: &str) -> Parsed<'_, u32> {
    if end(input).is_ok() { Ok((input, 1)) } else { exact_number("a number of moves").parse(input) }
}

/// `time_settings = natural , natural , natural ;`
fn time_settings(input: &str) -> Parsed<'_, (u32, u32, u32)> {
    (
        exact_number("the main time in whole seconds"),
        exact_number("the byo-yomi time in whole seconds"),
        stone_count,
    )
        .parse(input)
}

/// `time_left = color , number , natural ;`
fn time_left(input: &str) -> Parsed<'_, (Color, i64, u32)> {
    let seconds = expect("a time in seconds", map_opt(word, milliseconds));
    (color, seconds, stone_count).parse(input)
}

/// `kata-time = "none" | "absolute" , time | "byoyomi" , time , time , natural
///            | "canadian" , time , time , natural | "fischer" , time , time
///            | "fischer-capped" , time , time , cap , cap ;` of which the first `count` are allowed.
fn kata_time(input: &str, count: usize) -> Parsed<'_, KataTime> {
    let kinds: Vec<_> = KataTime::kinds().take(count).collect();
    let expected = format!("one of `{}`", kinds.join("`, `"));
    expect(expected.clone(), verify(word, |kind: &str| kinds.contains(&kind))).parse(input)?;
    expect(expected, |input| KataTime::GRAMMAR.read(input)).parse(input)
}

/// `time = natural , [ "." , natural ] ;` in seconds.
fn time(input: &str) -> Parsed<'_, u64> {
    let time = |word: &str| u64::try_from(milliseconds(word)?).ok();
    expect("a time in seconds, not negative", map_opt(word, time)).parse(input)
}

fn time_text(milliseconds: &u64) -> String {
    seconds_text(i64::try_from(*milliseconds).unwrap_or(i64::MAX))
}

fn periods_text(main: &u64, period: &u64, count: &u32) -> String {
    format!("{} {} {count}", time_text(main), time_text(period))
}

/// `cap = time | "-" , natural , [ "." , natural ] ;` where anything negative is no limit.
fn cap(input: &str) -> Parsed<'_, Option<u64>> {
    let cap = expect("a time in seconds, or -1", map_opt(word, milliseconds));
    cap.map(|time| u64::try_from(time).ok()).parse(input)
}

fn fischer_capped_text(
    main: &u64,
    increment: &u64,
    cap: &Option<u64>,
    move_cap: &Option<u64>,
) -> String {
    let limit = |time: &Option<u64>| time.as_ref().map_or("-1".to_owned(), time_text);
    format!("{} {} {} {}", time_text(main), time_text(increment), limit(cap), limit(move_cap))
}

/// Converts seconds with decimals to milliseconds, if they fit 64 bits.
pub(super) fn milliseconds(text: &str) -> Option<i64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
    let seconds = text.parse::<f64>().ok().filter(|seconds| plain && seconds.abs() < 9.3e18)?;
    Some((seconds * 1000.0).round() as i64)
}

/// Converts milliseconds to seconds, with no more decimals than necessary.
pub(super) fn seconds_text(milliseconds: i64) -> String {
    let sign = if milliseconds < 0 { "-" } else { "" };
    let (whole, rest) = (milliseconds.unsigned_abs() / 1000, milliseconds.unsigned_abs() % 1000);
    if rest == 0 {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{rest:03}").trim_end_matches('0').to_owned()
}

/// `parameters = name , [ word , { word } ] ;` the key and the new value.
fn parameters(input: &str) -> Parsed<'_, (ParameterGroup, Option<(String, String)>)> {
    let (rest, group) = ParameterGroup::GRAMMAR.read(input)?;
    if end(rest).is_ok() {
        return Ok((rest, (group, None)));
    }
    let change = (word.map(str::to_owned), text.map(str::to_owned));
    change.map(|change| (group, Some(change))).parse(rest)
}

fn parameters_text(group: &ParameterGroup, change: &Option<(String, String)>) -> String {
    match change {
        None => group.to_string(),
        Some((key, value)) => format!("{group} {key} {value}"),
    }
}

/// `loadsgf = word , { word } , [ natural ] ;` where a number at the end is no part of the name.
fn load_sgf(input: &str) -> Parsed<'_, (String, Option<u32>)> {
    let (rest, text) = some_text("the name of a file").parse(input)?;
    let split = text.rsplit_once(' ').and_then(|(file, word)| Some((file, exact(word)?)));
    let (file, before) = split.map_or((text, None), |(file, before)| (file, Some(before)));
    Ok((rest, (file.to_owned(), before)))
}

fn load_sgf_text(file: &str, before: &Option<u32>) -> String {
    before.map_or_else(|| file.to_owned(), |before| format!("{file} {before}"))
}

fn print_sgf(input: &str) -> Parsed<'_, Option<String>> {
    text.map(|file| Some(file.to_owned()).filter(|file| !file.is_empty())).parse(input)
}
