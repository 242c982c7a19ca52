//! The commands that people type, and the help page.

use pentarch_engine::Game;
use pentarch_protocol::nearest;
use pentarch_records::RecordFormat;

/// A line that a person typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayCommand {
    /// A move, or the number of an option of a question.
    Move(String),
    Undo,
    Redo,
    Hint,
    Threats,
    /// The file, and the format if it is named.
    Save(String, Option<String>),
    /// The file, and the number of the game in it.
    Load(String, usize),
    New(Option<String>),
    Level(String),
    Players(String),
    Switch,
    Now,
    Resign,
    Board,
    Moves,
    Rules,
    Help,
    Quit,
}

struct CommandEntry {
    /// The name and its aliases.
    words: &'static [&'static str],
    arguments: &'static str,
    help: &'static str,
    /// Parses the arguments.
    parse: fn(&str) -> Option<PlayCommand>,
}

const fn entry(
    words: &'static [&'static str],
    arguments: &'static str,
    help: &'static str,
    parse: fn(&str) -> Option<PlayCommand>,
) -> CommandEntry {
    CommandEntry { words, arguments, help, parse }
}

/// The parser of a command without arguments.
macro_rules! no_arguments {
    ($command:ident) => {
        |rest| rest.is_empty().then_some(PlayCommand::$command)
    };
}

/// All commands, in the order of the help page.
const COMMANDS: [CommandEntry; 17] = [
    entry(&["undo", "back", "u"], "", "take your last move back", no_arguments!(Undo)),
    entry(&["redo", "forward"], "", "replay a move that was taken back", no_arguments!(Redo)),
    entry(&["hint", "h"], "", "show what the engine would play", no_arguments!(Hint)),
    entry(&["threats", "t"], "", "show or hide threes and fours", no_arguments!(Threats)),
    entry(&["now"], "", "make the engine move at once", no_arguments!(Now)),
    entry(&["level"], "N", "set the level of engines, 1 to 10", |rest| {
        one_word(rest).map(PlayCommand::Level)
    }),
    entry(&["players"], "P,P", "set the players: `you,engine`, `engine:7,Ann`", |rest| {
        (!rest.is_empty()).then(|| PlayCommand::Players(rest.to_owned()))
    }),
    entry(&["switch"], "", "swap the seats", no_arguments!(Switch)),
    entry(&["new"], "[GAME]", "start again, or another game: `new d-pente`", |rest| {
        let game = one_word(rest);
        (game.is_some() || rest.is_empty()).then_some(PlayCommand::New(game))
    }),
    entry(&["save"], "FILE [FORMAT]", "save the game: `save game.sgf`", |rest| {
        let (file, format) = split_last_word(rest, |word| word.parse::<RecordFormat>().is_ok());
        (!file.is_empty()).then(|| PlayCommand::Save(file.to_owned(), format.map(str::to_owned)))
    }),
    entry(&["load", "open"], "FILE [N]", "continue the first or N-th game of a file", |rest| {
        let (file, number) = split_last_word(rest, |word| word.parse().is_ok_and(|n: usize| n > 0));
        let number = number.and_then(|word| word.parse().ok()).unwrap_or(1);
        (!file.is_empty()).then(|| PlayCommand::Load(file.to_owned(), number))
    }),
    entry(&["resign"], "", "resign the game", no_arguments!(Resign)),
    entry(&["board", "show"], "", "print the board again", no_arguments!(Board)),
    entry(&["moves"], "", "list the moves of the game", no_arguments!(Moves)),
    entry(&["rules"], "", "print the rules of this game", no_arguments!(Rules)),
    entry(&["help", "?"], "", "list the commands and how to write moves", no_arguments!(Help)),
    entry(&["quit", "exit", "q"], "", "leave", no_arguments!(Quit)),
];

fn one_word(text: &str) -> Option<String> {
    (!text.is_empty() && !text.contains(char::is_whitespace)).then(|| text.to_owned())
}

/// Splits off the last word if it satisfies a condition and another word precedes it.
fn split_last_word(text: &str, condition: impl Fn(&str) -> bool) -> (&str, Option<&str>) {
    match text.rsplit_once(char::is_whitespace) {
        Some((rest, word)) if condition(word) => (rest.trim_end(), Some(word)),
        _ => (text, None),
    }
}

impl PlayCommand {
    /// Parses a line; what is not a command is a move. An error is the usage of the command.
    pub(super) fn parse(line: &str) -> Result<PlayCommand, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let is_named = |entry: &&CommandEntry| {
            entry.words.iter().any(|known| known.eq_ignore_ascii_case(word))
        };
        match COMMANDS.iter().find(is_named) {
            Some(entry) => (entry.parse)(rest.trim()).ok_or_else(|| {
                let usage = format!("{} {}", entry.words[0], entry.arguments);
                format!("write `{}`: {}", usage.trim_end(), entry.help)
            }),
            None => Ok(PlayCommand::Move(line.to_owned())),
        }
    }
}

/// The command that resembles a text that is no move.
pub(super) fn similar_command(text: &str) -> Option<&'static str> {
    let word = text.split_whitespace().next()?;
    // Moves have digits.
    let is_word = word.len() > 2 && word.chars().all(|c| c.is_ascii_alphabetic());
    if is_word { nearest(word, COMMANDS.iter().map(|entry| entry.words[0])) } else { None }
}

/// Converts a move in words to move text: `bomb j10`, `power j10 g7`, the points of a tile with spaces.
pub(super) fn canonical_move(text: &str) -> String {
    let words: Vec<&str> = text.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
    let special = |letter: char, points: &[&str]| format!("{letter}@{}", points.join(","));
    match words.split_first() {
        Some((word, points @ [_])) if word.eq_ignore_ascii_case("neutral") => special('N', points),
        Some((word, points @ [_])) if word.eq_ignore_ascii_case("bomb") => special('B', points),
        Some((word, points @ ([_] | [_, _]))) if word.eq_ignore_ascii_case("power") => {
            special('P', points)
        }
        _ if words.len() == 5 => words.join(","),
        _ => text.to_owned(),
    }
}

/// The help page: how to write moves in this game, the keys of the screen, the commands.
pub(super) fn help_page(game: &Game, has_screen: bool) -> Vec<String> {
    let mut page = vec!["Moves".to_owned()];
    page.extend(move_notations(game).into_iter().map(|line| format!("  {line}")));
    if has_screen {
        page.push(String::new());
        page.push("Keys".to_owned());
        for (key, help) in KEYS {
            page.push(format!("  {key:<12} {help}"));
        }
    }
    page.push(String::new());
    page.push("Commands".to_owned());
    for entry in &COMMANDS {
        let usage = format!("{} {}", entry.words[0], entry.arguments);
        page.push(format!("  {:<19} {}", usage.trim_end(), entry.help));
    }
    page
}

const KEYS: [(&str, &str); 9] = [
    ("arrows", "move the cursor; select an option of a question"),
    ("enter", "play at the cursor; execute the typed line; make the engine move"),
    ("space", "select a cell of a tile"),
    ("tab", "list what can be placed: bombs, neutral stones"),
    ("F1 or ?", "this page"),
    ("F2", "hint"),
    ("F3", "show threats"),
    ("F4, ctrl-Z", "undo"),
    ("ctrl-C", "leave"),
];

fn move_notations(game: &Game) -> Vec<String> {
    let mut lines = Vec::new();
    if game.stacking().is_some() {
        lines.push("cg85,cg86,cg87,cg88,cg89  the five points of a tile".to_owned());
        return lines;
    }
    let first = game.cells().first().map_or(String::new(), |&cell| game.cell_text(cell));
    lines.push(match game.hexes() {
        Some(_) => format!("{first:<14} letter of the row, and the place in it"),
        None => "j10            column and row".to_owned(),
    });
    let stones = game.rules().squares().map(|board| board.stones).unwrap_or_default();
    if stones.neutral > 0 {
        lines.push("neutral j10    a neutral stone, also N@j10".to_owned());
    }
    if stones.bombs > 0 {
        lines.push("bomb j10       a bomb, also B@j10".to_owned());
    }
    if stones.power.is_some() {
        lines.push("power j10 g7   a power stone with its bonus stone, also P@j10,g7".to_owned());
    }
    if game.rules().squares().and_then(|board| board.capture).is_some_and(|rule| rule.signs) {
        lines.push(
            "m10+, m10-     a capture that adds to yours, or subtracts from theirs".to_owned(),
        );
    }
    let has_swap = game.rules().squares().is_some_and(|board| board.swap.is_some())
        || game.rules().hexes().is_some_and(|board| board.swap1);
    if has_swap {
        lines.push("swap, keep     the choice of a color in a swap opening".to_owned());
    }
    if game.rules().hexes().is_some_and(|board| board.surround) {
        lines.push("pass           if nothing else can be played".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_moves() {
        let save = |file: &str, format: Option<&str>| {
            PlayCommand::Save(file.into(), format.map(str::to_owned))
        };
        let load = PlayCommand::Load;
        for (line, command) in [
            (" undo ", PlayCommand::Undo),
            ("HINT", PlayCommand::Hint),
            ("?", PlayCommand::Help),
            ("j10", PlayCommand::Move("j10".to_owned())),
            ("bomb j10", PlayCommand::Move("bomb j10".to_owned())),
            ("new", PlayCommand::New(None)),
            ("new d-pente", PlayCommand::New(Some("d-pente".to_owned()))),
            ("save my game.sgf", save("my game.sgf", None)),
            ("save game psq", save("game", Some("psq"))),
            ("load games.sgf 3", load("games.sgf".to_owned(), 3)),
            ("load 3", load("3".to_owned(), 1)),
            ("players you, engine:3", PlayCommand::Players("you, engine:3".to_owned())),
        ] {
            assert_eq!(PlayCommand::parse(line), Ok(command), "{line}");
        }
        let refused = [
            ("save", "write `save FILE [FORMAT]`"),
            ("undo 3", "write `undo`"),
            ("level", "`level N`"),
        ];
        for (line, part) in refused {
            assert!(PlayCommand::parse(line).unwrap_err().contains(part), "{line}");
        }
    }

    #[test]
    fn misspelled_commands_are_recognized() {
        let similar = similar_command;
        assert_eq!((similar("hnit"), similar("untdo 3")), (Some("hint"), Some("undo")));
        assert_eq!((similar("j10"), similar("zebra"), similar("")), (None, None, None));
    }

    #[test]
    fn moves_may_be_written_in_words() {
        for (text, mv) in [
            ("bomb j10", "B@j10"),
            ("Neutral k7", "N@k7"),
            ("power j10 g7", "P@j10,g7"),
            ("power j10", "P@j10"),
            ("cg85 cg86 cg87 cg88 cg89", "cg85,cg86,cg87,cg88,cg89"),
            ("cg85, cg86, cg87, cg88, cg89", "cg85,cg86,cg87,cg88,cg89"),
            ("j10+-", "j10+-"),
            ("bomb", "bomb"),
        ] {
            assert_eq!(canonical_move(text), mv);
        }
    }
}
