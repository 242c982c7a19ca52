//! Stage two of reading GTP: what a request means.

use std::fmt;

use super::arguments::Arguments;
use super::kata_time::{milliseconds, seconds_text};
use super::{Color, KataTime, Request, SyntaxError};
use crate::nearest;

/// A command from the controller to the engine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Command {
    /// `protocol_version`: answer `2`.
    ProtocolVersion,
    /// `name` of the engine.
    Name,
    /// `version` of the engine.
    Version,
    /// `known_command NAME`: answer `true` or `false`.
    KnownCommand(String),
    /// `list_commands`: all names, one a line.
    ListCommands,
    /// `quit`: answer, then end.
    Quit,
    /// `boardsize N`, `boardsize COLUMNS ROWS` or `rectangular_boardsize COLUMNS ROWS`.
    BoardSize {
        /// The width.
        columns: u32,
        /// The height.
        rows: u32,
    },
    /// `clear_board`: back to the start position.
    ClearBoard,
    /// `komi X`: any number; the games here have no use for it.
    Komi(String),
    /// `play COLOR MOVE`.
    Play {
        /// The colour that moves.
        color: Color,
        /// A vertex, `pass`, a word of a swap opening, or longer move text with
        /// vertices in it.
        vertex: String,
    },
    /// `genmove COLOR`: choose a move and play it.
    GenMove(Color),
    /// `reg_genmove COLOR`: choose a move and do not play it.
    RegGenMove(Color),
    /// `undo`: take back one move.
    Undo,
    /// `gg-undo N`: take back so many moves; a bare `gg-undo` is one.
    GgUndo(u32),
    /// `time_settings MAIN BYO_YOMI STONES`, in seconds.
    TimeSettings {
        /// The time before the first byo-yomi period.
        main_s: u32,
        /// The length of a period; 0 means that the main time is all there is.
        byo_yomi_s: u32,
        /// The moves to make in a period; 0 with a period means no limit.
        stones: u32,
    },
    /// `kata-list_time_settings`: the kinds that the next command knows.
    KataListTimeSettings,
    /// `kata-time_settings KIND TIMES`, in seconds with decimals.
    KataTimeSettings(KataTime),
    /// `time_left COLOR SECONDS STONES`, decimals allowed.
    TimeLeft {
        /// Whose clock it is.
        color: Color,
        /// What is left of the main time or of the period.
        milliseconds: i64,
        /// The moves left in the period; 0 in the main time.
        stones: u32,
    },
    /// `final_score`: who won.
    FinalScore,
    /// `final_status_list STATUS`: the stones that are `alive`, `dead` or `seki`.
    FinalStatusList(String),
    /// `showboard`: print the board for a human.
    ShowBoard,
    /// `list_games`: the games that `set_game` knows, one a line.
    ListGames,
    /// `set_game NAME`: change to this game; the name may contain blanks.
    SetGame(String),
}

/// Parses the words after a command's name.
type Grammar = fn(&mut Arguments<'_>) -> Result<Command, SyntaxError>;

/// Every command's name with the grammar of its arguments: what the parser
/// reads, `list_commands` lists and `known_command` knows.
const TABLE: [(&str, Grammar); 24] = [
    ("protocol_version", |_| Ok(Command::ProtocolVersion)),
    ("name", |_| Ok(Command::Name)),
    ("version", |_| Ok(Command::Version)),
    ("known_command", |args| Ok(Command::KnownCommand(args.word("the name of a command")?.into()))),
    ("list_commands", |_| Ok(Command::ListCommands)),
    ("quit", |_| Ok(Command::Quit)),
    ("boardsize", board_size),
    ("rectangular_boardsize", rectangular_board_size),
    ("clear_board", |_| Ok(Command::ClearBoard)),
    ("komi", komi),
    ("play", play),
    ("genmove", |args| Ok(Command::GenMove(args.color()?))),
    ("reg_genmove", |args| Ok(Command::RegGenMove(args.color()?))),
    ("undo", |_| Ok(Command::Undo)),
    ("gg-undo", gg_undo),
    ("time_settings", time_settings),
    ("kata-list_time_settings", |_| Ok(Command::KataListTimeSettings)),
    ("kata-time_settings", |args| Ok(Command::KataTimeSettings(KataTime::parse(args)?))),
    ("time_left", time_left),
    ("final_score", |_| Ok(Command::FinalScore)),
    ("final_status_list", |args| Ok(Command::FinalStatusList(args.word("a status")?.into()))),
    ("showboard", |_| Ok(Command::ShowBoard)),
    ("list_games", |_| Ok(Command::ListGames)),
    ("set_game", set_game),
];

impl Command {
    /// What a request means. Words that are left over are an error.
    pub fn parse(request: &Request) -> Result<Self, SyntaxError> {
        let known = TABLE.iter().find(|(name, _)| *name == request.name);
        let Some((_, grammar)) = known else {
            let nearest = nearest(&request.name, Self::names()).map(str::to_owned);
            return Err(SyntaxError::UnknownCommand { nearest });
        };
        let mut args = Arguments::new(&request.args);
        let command = grammar(&mut args)?;
        args.end()?;
        Ok(command)
    }

    /// The names of all commands.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TABLE.iter().map(|(name, _)| *name)
    }

    /// The request that a controller sends for this command.
    pub fn request(&self, id: Option<u32>) -> Request {
        let (name, args) = self.words();
        Request { id, name: name.to_owned(), args }
    }
}

/// `boardsize = natural , [ natural ] ;` where one number is both sides.
fn board_size(args: &mut Arguments<'_>) -> Result<Command, SyntaxError> {
    let columns = args.number("a board size, a whole number")?;
    let rows = if args.is_empty() { columns } else { args.number("a number of rows")? };
    Ok(Command::BoardSize { columns, rows })
}

/// `rectangular_boardsize = natural , natural ;`
fn rectangular_board_size(args: &mut Arguments<'_>) -> Result<Command, SyntaxError> {
    let columns = args.number("a number of columns")?;
    let rows = args.number("a number of rows")?;
    Ok(Command::BoardSize { columns, rows })
}

/// `komi = number ;` with or without decimals, of any sign.
fn komi(args: &mut Arguments<'_>) -> Result<Command, SyntaxError> {
    const EXPECTED: &str = "a number";
    let word = args.word(EXPECTED)?;
    match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Command::Komi(word.to_owned())),
        _ => Err(SyntaxError::expected(EXPECTED, word)),
    }
}

/// `play = color , word ;`
fn play(args: &mut Arguments<'_>) -> Result<Command, SyntaxError> {
    let color = args.color()?;
    let vertex = args.word("a vertex or `pass`")?.to_owned();
    Ok(Command::Play { color, vertex })
}

/// `gg-undo = [ natural ] ;`
fn gg_undo(args: &mut Arguments<'_>) -> Result<Command, SyntaxError> {
    let moves = if args.is_empty() { 1 } else { args.number("a number of moves")? };
    Ok(Command::GgUndo(moves))
}

/// `time_settings = natural , natural , natural ;`
fn time_settings(args: &mut Arguments<'_>) -> Result<Command, SyntaxError> {
    let main_s = args.number("the main time in whole seconds")?;
    let byo_yomi_s = args.number("the byo-yomi time in whole seconds")?;
    let stones = args.number("a number of stones")?;
    Ok(Command::TimeSettings { main_s, byo_yomi_s, stones })
}

/// `time_left = color , number , natural ;`
fn time_left(args: &mut Arguments<'_>) -> Result<Command, SyntaxError> {
    const EXPECTED: &str = "a time in seconds";
    let color = args.color()?;
    let seconds = args.word(EXPECTED)?;
    let milliseconds =
        milliseconds(seconds).ok_or_else(|| SyntaxError::expected(EXPECTED, seconds))?;
    let stones = args.number("a number of stones")?;
    Ok(Command::TimeLeft { color, milliseconds, stones })
}

/// `set_game = word , { word } ;`
fn set_game(args: &mut Arguments<'_>) -> Result<Command, SyntaxError> {
    let first = args.word("the name of a game")?.to_owned();
    let name = args.by_ref().fold(first, |name, word| name + " " + word);
    Ok(Command::SetGame(name))
}

impl Command {
    /// The name and the arguments as they are printed.
    fn words(&self) -> (&'static str, Vec<String>) {
        match self {
            Self::ProtocolVersion => ("protocol_version", Vec::new()),
            Self::Name => ("name", Vec::new()),
            Self::Version => ("version", Vec::new()),
            Self::KnownCommand(name) => ("known_command", vec![name.clone()]),
            Self::ListCommands => ("list_commands", Vec::new()),
            Self::Quit => ("quit", Vec::new()),
            Self::BoardSize { columns, rows } if columns == rows => {
                ("boardsize", vec![columns.to_string()])
            }
            Self::BoardSize { columns, rows } => {
                ("rectangular_boardsize", vec![columns.to_string(), rows.to_string()])
            }
            Self::ClearBoard => ("clear_board", Vec::new()),
            Self::Komi(komi) => ("komi", vec![komi.clone()]),
            Self::Play { color, vertex } => ("play", vec![color.to_string(), vertex.clone()]),
            Self::GenMove(color) => ("genmove", vec![color.lower().to_owned()]),
            Self::RegGenMove(color) => ("reg_genmove", vec![color.lower().to_owned()]),
            Self::Undo => ("undo", Vec::new()),
            Self::GgUndo(moves) => ("gg-undo", vec![moves.to_string()]),
            Self::TimeSettings { main_s, byo_yomi_s, stones } => {
                ("time_settings", [main_s, byo_yomi_s, stones].map(u32::to_string).to_vec())
            }
            Self::KataListTimeSettings => ("kata-list_time_settings", Vec::new()),
            Self::KataTimeSettings(settings) => ("kata-time_settings", settings.words()),
            Self::TimeLeft { color, milliseconds, stones } => {
                let seconds = seconds_text(*milliseconds);
                ("time_left", vec![color.to_string(), seconds, stones.to_string()])
            }
            Self::FinalScore => ("final_score", Vec::new()),
            Self::FinalStatusList(status) => ("final_status_list", vec![status.clone()]),
            Self::ShowBoard => ("showboard", Vec::new()),
            Self::ListGames => ("list_games", Vec::new()),
            Self::SetGame(name) => {
                ("set_game", name.split_whitespace().map(str::to_owned).collect())
            }
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.request(None).fmt(f)
    }
}
