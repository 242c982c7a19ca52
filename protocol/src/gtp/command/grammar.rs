//! The arguments of the commands that have any.

use super::{Command, ParameterGroup};
use crate::gtp::arguments::Arguments;
use crate::gtp::kata_time::milliseconds;
use crate::gtp::{Color, KataTime, SyntaxError};

/// Parses the words after a command's name.
type Grammar = fn(&mut Arguments<'_>) -> Result<Command, SyntaxError>;

/// The names of the commands with arguments, analysis aside, each with its grammar: what the parser
/// reads, `list_commands` lists and `known_command` knows.
pub(super) const TABLE: [(&str, Grammar); 28] = [
    ("known_command", |args| Ok(Command::KnownCommand(args.word("the name of a command")?.into()))),
    ("boardsize", board_size),
    ("rectangular_boardsize", rectangular_board_size),
    ("komi", komi),
    ("play", play),
    ("gogui-play_sequence", |args| Ok(Command::PlaySequence(stones(args)?))),
    ("gogui-setup", |args| Ok(Command::Setup(stones(args)?))),
    ("set_position", |args| Ok(Command::SetPosition(stones(args)?))),
    ("gogui-setup_player", |args| Ok(Command::SetupPlayer(args.color()?))),
    ("fixed_handicap", |args| Ok(Command::FixedHandicap(handicap(args)?))),
    ("place_free_handicap", |args| Ok(Command::PlaceFreeHandicap(handicap(args)?))),
    ("set_free_handicap", |args| Ok(Command::SetFreeHandicap(vertices(args)?))),
    ("genmove", |args| Ok(Command::GenMove(args.color()?))),
    ("reg_genmove", |args| Ok(Command::RegGenMove(args.color()?))),
    ("kata-search", |args| Ok(Command::RegGenMove(args.color()?))),
    ("kata-search_cancellable", |args| Ok(Command::CancellableSearch(args.color()?))),
    ("gg-undo", gg_undo),
    ("time_settings", time_settings),
    ("kgs-time_settings", |args| {
        Ok(Command::KgsTimeSettings(KataTime::parse(args, &KataTime::KGS_KINDS)?))
    }),
    ("kata-time_settings", |args| {
        Ok(Command::KataTimeSettings(KataTime::parse(args, &KataTime::KINDS)?))
    }),
    ("time_left", time_left),
    ("final_status_list", |args| Ok(Command::FinalStatusList(args.word("a status")?.into()))),
    ("set_game", |args| Ok(Command::SetGame(args.text("the name of a game")?))),
    ("loadsgf", load_sgf),
    ("printsgf", |args| {
        let file = if args.is_empty() { None } else { Some(args.text("the name of a file")?) };
        Ok(Command::PrintSgf(file))
    }),
    ("gogui-param_general", |args| Ok(parameters(ParameterGroup::General, args))),
    ("gogui-param_search", |args| Ok(parameters(ParameterGroup::Search, args))),
    ("gogui-version", |args| Ok(Command::GuiVersion(args.text("a version")?))),
];

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
    let (color, vertex) = stone(args)?;
    Ok(Command::Play { color, vertex })
}

/// `stones = { color , word } ;`
fn stones(args: &mut Arguments<'_>) -> Result<Vec<(Color, String)>, SyntaxError> {
    let mut stones = Vec::new();
    while !args.is_empty() {
        stones.push(stone(args)?);
    }
    Ok(stones)
}

fn stone(args: &mut Arguments<'_>) -> Result<(Color, String), SyntaxError> {
    let color = args.color()?;
    Ok((color, args.word("a vertex or `pass`")?.to_owned()))
}

/// `vertices = word , { word } ;`
fn vertices(args: &mut Arguments<'_>) -> Result<Vec<String>, SyntaxError> {
    let first = args.word("a vertex")?.to_owned();
    Ok([first].into_iter().chain(args.map(str::to_owned)).collect())
}

fn handicap(args: &mut Arguments<'_>) -> Result<u32, SyntaxError> {
    args.number("a number of stones")
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

/// `parameters = [ word , { word } ] ;` the key and the new value.
fn parameters(group: ParameterGroup, args: &mut Arguments<'_>) -> Command {
    let key = args.next().map(str::to_owned);
    let change = key.map(|key| (key, args.collect::<Vec<_>>().join(" ")));
    Command::Parameters { group, change }
}

/// `loadsgf = word , { word } , [ natural ] ;` where a number at the end is no part of the name.
fn load_sgf(args: &mut Arguments<'_>) -> Result<Command, SyntaxError> {
    let text = args.text("the name of a file")?;
    let number = |word: &str| word.parse().ok().filter(|_| !word.starts_with('+'));
    let split = text.rsplit_once(' ').and_then(|(file, word)| Some((file, number(word)?)));
    Ok(match split {
        Some((file, before)) => Command::LoadSgf { file: file.to_owned(), before: Some(before) },
        None => Command::LoadSgf { file: text, before: None },
    })
}
