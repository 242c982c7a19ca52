//! What people type: commands, and whatever else is a move.

use pentarch_protocol::nearest;

/// What somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// A move, or a number where something is to be chosen.
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

/// A command as people know it.
pub(super) struct Row {
    pub words: &'static [&'static str],
    pub arguments: &'static str,
    pub help: &'static str,
    /// Reads what stands after the word.
    read: fn(&str) -> Option<Command>,
}

const fn row(
    words: &'static [&'static str],
    arguments: &'static str,
    help: &'static str,
    read: fn(&str) -> Option<Command>,
) -> Row {
    Row { words, arguments, help, read }
}

/// A command without arguments.
macro_rules! alone {
    ($command:ident) => {
        |rest| rest.is_empty().then_some(Command::$command)
    };
}

/// Every command, in the order of help.
pub(super) const ROWS: [Row; 17] = [
    row(&["undo", "back", "u"], "", "take your last move back", alone!(Undo)),
    row(&["redo", "forward"], "", "play again what was taken back", alone!(Redo)),
    row(&["hint", "h"], "", "show what the engine would play", alone!(Hint)),
    row(&["threats", "t"], "", "show threes and fours, or no longer", alone!(Threats)),
    row(&["now"], "", "make the engine move at once", alone!(Now)),
    row(&["level"], "N", "set the engine's level, 1 to 10", |rest| {
        one_word(rest).map(Command::Level)
    }),
    row(&["players"], "P,P", "say who plays: `you,engine`, `engine:7,Ann`", |rest| {
        (!rest.is_empty()).then(|| Command::Players(rest.to_owned()))
    }),
    row(&["switch"], "", "exchange the seats", alone!(Switch)),
    row(&["new"], "[GAME]", "start anew, or another game: `new d-pente`", |rest| {
        let game = one_word(rest);
        (game.is_some() || rest.is_empty()).then_some(Command::New(game))
    }),
    row(&["save"], "FILE [FORMAT]", "write the game: `save game.sgf`", |rest| {
        let (file, format) =
            last_word(rest, |word| word.parse::<pentarch_records::RecordFormat>().is_ok());
        (!file.is_empty()).then(|| Command::Save(file.to_owned(), format.map(str::to_owned)))
    }),
    row(&["load", "open"], "FILE [N]", "go on with a game of a file, or its Nth", |rest| {
        let (file, number) = last_word(rest, |word| word.parse::<usize>().is_ok_and(|n| n > 0));
        let number = number.and_then(|word| word.parse().ok()).unwrap_or(1);
        (!file.is_empty()).then(|| Command::Load(file.to_owned(), number))
    }),
    row(&["resign"], "", "give the game up", alone!(Resign)),
    row(&["board", "show"], "", "show the board again", alone!(Board)),
    row(&["moves"], "", "list the moves of the game", alone!(Moves)),
    row(&["rules"], "", "print the rules of this game", alone!(Rules)),
    row(&["help", "?"], "", "list the commands and how moves are written", alone!(Help)),
    row(&["quit", "exit", "q"], "", "leave", alone!(Quit)),
];

fn one_word(text: &str) -> Option<String> {
    (!text.is_empty() && !text.contains(char::is_whitespace)).then(|| text.to_owned())
}

/// A text without its last word, if there are two and the last one is of that kind.
fn last_word(text: &str, is_kind: impl Fn(&str) -> bool) -> (&str, Option<&str>) {
    match text.rsplit_once(char::is_whitespace) {
        Some((rest, word)) if is_kind(word) => (rest.trim_end(), Some(word)),
        _ => (text, None),
    }
}

/// Reads a line. An error says how a command is written.
pub(super) fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let is_word = |row: &&Row| row.words.iter().any(|known| known.eq_ignore_ascii_case(word));
    match ROWS.iter().find(is_word) {
        Some(row) => (row.read)(rest.trim()).ok_or_else(|| {
            let usage = format!("{} {}", row.words[0], row.arguments);
            format!("write `{}`: {}", usage.trim_end(), row.help)
        }),
        None => Ok(Command::Move(line.to_owned())),
    }
}

/// The command that somebody may have meant by a text that is no move.
pub(super) fn meant(text: &str) -> Option<&'static str> {
    let word = text.split_whitespace().next()?;
    // Moves have digits.
    let is_word = word.len() > 2 && word.chars().all(|c| c.is_ascii_alphabetic());
    if is_word { nearest(word, ROWS.iter().map(|row| row.words[0])) } else { None }
}

/// A move as people may write it, as canonical text: `bomb j10`, `power j10 g7`, points of a tile with
/// blanks.
pub(super) fn canonical(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_moves() {
        let (save, load) = (
            |f: &str, k: Option<&str>| Command::Save(f.into(), k.map(str::to_owned)),
            Command::Load,
        );
        for (line, command) in [
            (" undo ", Command::Undo),
            ("HINT", Command::Hint),
            ("?", Command::Help),
            ("j10", Command::Move("j10".to_owned())),
            ("bomb j10", Command::Move("bomb j10".to_owned())),
            ("new", Command::New(None)),
            ("new d-pente", Command::New(Some("d-pente".to_owned()))),
            ("save my game.sgf", save("my game.sgf", None)),
            ("save game psq", save("game", Some("psq"))),
            ("load games.sgf 3", load("games.sgf".to_owned(), 3)),
            ("load 3", load("3".to_owned(), 1)),
            ("players you, engine:3", Command::Players("you, engine:3".to_owned())),
        ] {
            assert_eq!(parse(line), Ok(command), "{line}");
        }
        let refused = [
            ("save", "write `save FILE [FORMAT]`"),
            ("undo 3", "write `undo`"),
            ("level", "`level N`"),
        ];
        for (line, part) in refused {
            assert!(parse(line).unwrap_err().contains(part), "{line}");
        }
    }

    #[test]
    fn near_misses_are_known_and_moves_are_none() {
        assert_eq!((meant("hnit"), meant("untdo 3")), (Some("hint"), Some("undo")));
        assert_eq!((meant("j10"), meant("zebra"), meant("")), (None, None, None));
    }

    #[test]
    fn moves_are_written_in_words_too() {
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
            assert_eq!(canonical(text), mv);
        }
    }
}
