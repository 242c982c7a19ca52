//! Who sits at the board.

use pentarch_engine::Options;
use pentarch_records::sanitize_line;
use std::fmt;

/// One who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sitter {
    /// Somebody at this terminal, by name.
    Person(String),
    /// The engine, at a level.
    Engine(u32),
}

/// The name of the person at the terminal unless they give another.
const YOU: &str = "you";
/// The longest name that is shown.
const LONGEST_NAME: usize = 20;

impl Sitter {
    /// The person at the terminal and engines on all other seats.
    pub(crate) fn you_against_engines(seats: u8, level: u32) -> Vec<Sitter> {
        let you = Sitter::Person(YOU.to_owned());
        let engines = (1..seats).map(|_| Sitter::Engine(level));
        [you].into_iter().chain(engines).collect()
    }

    /// Reads a list with commas, one for each seat: `engine`, `engine:LEVEL`, or else the name of a
    /// person.
    pub(crate) fn parse_all(text: &str, seats: u8, level: u32) -> Result<Vec<Sitter>, String> {
        let sitters = text.split(',').map(|text| Sitter::parse(text.trim(), level));
        let sitters = sitters.collect::<Result<Vec<_>, _>>()?;
        if sitters.len() == usize::from(seats) {
            return Ok(sitters);
        }
        let example = vec!["engine"; usize::from(seats) - 1].join(",");
        Err(format!("this game has {seats} seats; name {seats} players, such as `{YOU},{example}`"))
    }

    fn parse(text: &str, level: u32) -> Result<Sitter, String> {
        let (word, of_level) = text.split_once(':').map_or((text, None), |(w, l)| (w, Some(l)));
        if word.eq_ignore_ascii_case("engine") {
            return Ok(Sitter::Engine(of_level.map_or(Ok(level), parse_level)?));
        }
        let name: String = sanitize_line(text).chars().take(LONGEST_NAME).collect();
        if name.is_empty() {
            Err("a player without a name".to_owned())
        } else {
            Ok(Sitter::Person(name))
        }
    }

    /// Whom a record means by a name.
    pub(super) fn of_record(name: &str, seat: usize, is_computer: bool, level: u32) -> Sitter {
        let known = (1..=*Options::LEVEL.end()).map(Sitter::Engine);
        let known = known.into_iter().find(|engine| engine.recorded() == name);
        match known {
            Some(engine) => engine,
            None if is_computer => Sitter::Engine(level),
            None if name.is_empty() => Sitter::Person(format!("player {}", seat + 1)),
            None => Sitter::Person(sanitize_line(name).chars().take(LONGEST_NAME).collect()),
        }
    }

    /// The name in records.
    pub(super) fn recorded(&self) -> String {
        match self {
            Sitter::Person(name) => name.clone(),
            Sitter::Engine(level) => format!("Pentarch, level {level}"),
        }
    }

    pub(super) fn is_person(&self) -> bool {
        matches!(self, Sitter::Person(_))
    }
}

/// Reads a level.
pub(crate) fn parse_level(text: &str) -> Result<u32, String> {
    let range = Options::LEVEL;
    let level = text.trim().parse().ok().filter(|level| range.contains(level));
    level.ok_or_else(|| {
        let text: String = sanitize_line(text).chars().take(20).collect();
        format!("`{text}` is no level, expected {} to {}", range.start(), range.end())
    })
}

impl fmt::Display for Sitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sitter::Person(name) => f.write_str(name),
            Sitter::Engine(level) => write!(f, "engine, level {level}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_named_one_a_seat() {
        let read = |text, seats| Sitter::parse_all(text, seats, 5);
        let (ann, five) = (Sitter::Person("Ann".to_owned()), Sitter::Engine(5));
        assert_eq!(read("Ann, engine", 2), Ok(vec![ann.clone(), five.clone()]));
        let team = vec![Sitter::Engine(9), ann, five, Sitter::Person(YOU.to_owned())];
        assert_eq!(read("engine:9,Ann,ENGINE,you", 4), Ok(team));
        for (text, seats, part) in [
            ("you", 2, "name 2 players, such as `you,engine`"),
            ("you,", 2, "without a name"),
            ("you,engine:11", 2, "`11` is no level, expected 1 to 10"),
            ("you,engine:", 2, "`` is no level"),
        ] {
            let error = read(text, seats).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn records_keep_who_they_are() {
        for sitter in read_all("you,engine:3,Ann") {
            assert_eq!(Sitter::of_record(&sitter.recorded(), 0, false, 5), sitter);
        }
        assert_eq!(Sitter::of_record("rapfi", 0, true, 5), Sitter::Engine(5));
        assert_eq!(Sitter::of_record("", 1, false, 5).to_string(), "player 2");
    }

    fn read_all(text: &str) -> Vec<Sitter> {
        Sitter::parse_all(text, 3, 5).unwrap()
    }
}
