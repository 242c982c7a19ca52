//! The text of pente.org: headers and moves, as in PGN.
//!
//! ```ebnf
//! game   = { header } , blank line , { number , "." , move , [ move ] } , [ result ] ;
//! header = "[" , key , " " , '"' , value , '"' , "]" ;
//! ```
//!
//! Keys have blanks and an apostrophe in them: `Player 1 Name`, `Player's Swapped?`
//! (rainwolf/pente.org, `PGNGameFormat.java`). Moves are points of GTP. `Resign` and `Forfeit` are
//! read, as are the keys of `BrainKing` (`GameType`, `White`, `Black` and their ratings), and lists of
//! moves without headers.
//!
//! What the format lacks we add as headers, which pente.org passes over: `Variant` with our spec of
//! the rules, `Position` with the position text of the start, `Special` with the moves that are no
//! plain stones, `Player 3 Name` and so on, `Termination`, `Game Number`. `[Special "5 swap, 7 N@K10"]`
//! says that the fifth move is `swap` and that the seventh, whose point is among the moves, is a
//! neutral stone; choices are not among the moves, as in all files of the site.

mod writer;

pub(super) use writer::write;

use super::RecordedGame;
use super::labels::from_capitals;
use super::lines::Lines;
use super::list::read_result;
use super::read::Found;
use pentarch_core::game::MoveKind;
use pentarch_core::rules::Ruleset;
use pentarch_core::rules::pente_org::spec_of_name;
use std::collections::BTreeMap;
use std::io;

/// The games of a file, read line by line.
pub(super) struct Games(Lines);

impl Games {
    pub(super) fn new(lines: Lines) -> Games {
        Games(lines)
    }

    /// The next game. Headers after moves begin another.
    pub(super) fn next(&mut self, rules: &Ruleset, wanted: bool) -> Option<io::Result<Found>> {
        let mut text = GameText::default();
        let mut first = 0;
        let mut wrong = None;
        loop {
            let line = match self.0.next() {
                None => break,
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(line)) => line,
            };
            let content = line.text.trim();
            let header = content.starts_with('[');
            if header && (!text.words.is_empty() || text.is_over) {
                self.0.hand_back(line);
                break;
            }
            if text.is_over && !content.is_empty() && !content.starts_with('#') {
                self.0.hand_back(line);
                break;
            }
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            first = if first == 0 { line.number } else { first };
            if let Err(reason) = text.take(content, header) {
                wrong = wrong.or(Some((line.number, reason)));
            }
        }
        match wrong {
            Some((line, reason)) => Some(Ok((line, Err(reason)))),
            None if first == 0 => None,
            None => Some(Ok((first, text.game(rules, wanted)))),
        }
    }
}

/// The headers and words of a game.
#[derive(Default)]
struct GameText {
    headers: BTreeMap<String, String>,
    words: Vec<String>,
    is_over: bool,
}

impl GameText {
    fn take(&mut self, line: &str, is_header: bool) -> Result<(), String> {
        if is_header {
            let (key, value) =
                header(line).ok_or("expected a header such as `[Game \"Pente\"]`")?;
            self.headers.insert(key.to_owned(), value.to_owned());
            return Ok(());
        }
        for word in line.split_whitespace() {
            if read_result(word).is_some() || word == "?" {
                self.headers.entry("Result".to_owned()).or_insert_with(|| word.to_owned());
                self.is_over = true;
            } else if let Some((number, rest)) = word.split_once('.')
                && number.bytes().all(|byte| byte.is_ascii_digit())
            {
                self.words.extend((!rest.is_empty()).then(|| rest.to_owned()));
            } else {
                self.words.push(word.to_owned());
            }
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.headers.get(key).map(String::as_str).filter(|text| !matches!(*text, "" | "?" | "-"))
    }

    fn text(&self, key: &str) -> String {
        self.get(key).unwrap_or_default().to_owned()
    }

    fn either(&self, key: &str, other: &str) -> Option<&str> {
        self.get(key).or_else(|| self.get(other))
    }

    fn game(&self, rules: &Ruleset, wanted: bool) -> Result<RecordedGame, String> {
        let named = || self.either("Game", "GameType").and_then(spec_of_name);
        let spec = match self.get("Variant") {
            Some(spec) => spec.to_owned(),
            None if wanted => rules.to_string(),
            None => named().map_or_else(|| rules.to_string(), str::to_owned),
        };
        let rules: Ruleset =
            spec.parse().map_err(|error: pentarch_core::rules::SpecError| error.to_string())?;
        let seats = usize::from(rules.seating().seats);
        let mut game = RecordedGame {
            game: self.get("Game Number").and_then(|text| text.parse().ok()),
            date: self.date(),
            event: self.text("Event"),
            site: self.text("Site"),
            round: self.text("Round"),
            section: self.text("Section"),
            rated: self.get("Rated").map(|text| text == "Y"),
            result: self.get("Result").and_then(read_result),
            initial_position: self.get("Position").map(str::to_owned),
            moves: self.moves(&rules)?,
            reason: self.text("Termination"),
            rules: Some(spec),
            ..RecordedGame::default()
        };
        let control = |number: usize| self.get(&format!("Player {number} Control"));
        let own = (1..=seats).filter_map(control).map(str::to_owned);
        game.time_controls = own.collect();
        if game.time_controls.is_empty() {
            game.time_controls.extend(self.get("TimeControl").map(str::to_owned));
        }
        for number in 1..=seats {
            let other = ["", "White", "Black"].get(number).copied().unwrap_or_default();
            let name = self.either(&format!("Player {number} Name"), other);
            let rating = self.either(&format!("Player {number} Rating"), &format!("{other}Rating"));
            let kind = self.get(&format!("Player {number} Type"));
            game.players.push(name.unwrap_or_default().to_owned());
            game.ratings.push(rating.and_then(|text| text.parse().ok()));
            game.computers.push(kind.map(|text| text == "Computer"));
        }
        if game.players.iter().all(String::is_empty) {
            game.players.clear();
        }
        if game.ratings.iter().all(Option::is_none) {
            game.ratings.clear();
        }
        if game.computers.iter().all(Option::is_none) {
            game.computers.clear();
        }
        Ok(game)
    }

    /// The day with the hour, if both are there.
    fn date(&self) -> String {
        let text = self.text("Date");
        let date = match text.split(['/', '.', '-']).collect::<Vec<_>>().as_slice() {
            [month, day, year] if year.len() == 4 => format!("{year}-{month:0>2}-{day:0>2}"),
            [year, month, day] if year.len() == 4 => format!("{year}-{month:0>2}-{day:0>2}"),
            _ => return text,
        };
        match self.get("Time") {
            Some(time) => format!("{date}T{time}Z"),
            None => date,
        }
    }

    /// The moves, with those that are told by headers.
    fn moves(&self, rules: &Ruleset) -> Result<Vec<String>, String> {
        let squares = rules.squares().is_some();
        let canonical =
            |text: &str| if squares { from_capitals(text) } else { text.to_ascii_lowercase() };
        let ends = |word: &&String| word.as_str() == "Resign" || word.as_str() == "Forfeit";
        let words = self.words.iter().filter(|word| !ends(word));
        let mut moves: Vec<String> = words.map(|text| canonical(text)).collect();
        for special in self.get("Special").into_iter().flat_map(|text| text.split(", ")) {
            let wrong = || format!("`{special}` in `Special` is no number and move");
            let (number, text) = special.trim().split_once(' ').ok_or_else(wrong)?;
            let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let text = canonical(text);
            match index.filter(|&index| index <= moves.len()).ok_or_else(wrong)? {
                index if MoveKind::from_word(&text).is_some() => moves.insert(index, text),
                index => *moves.get_mut(index).ok_or_else(wrong)? = text,
            }
        }
        if let (Some(swapped), Some("d-pente" | "dk-pente")) = (
            self.get("Player's Swapped?"),
            self.get("Variant").is_none().then_some(&*rules.to_string()),
        ) && moves.len() >= 4
        {
            moves.insert(4, if swapped == "Yes" { "swap" } else { "keep" }.to_owned());
        }
        Ok(moves)
    }
}

/// Splits a header: the value is between the first and the last quotation mark.
fn header(line: &str) -> Option<(&str, &str)> {
    let inside = line.strip_prefix('[')?.strip_suffix(']')?;
    let (key, rest) = inside.split_once('"')?;
    Some((key.trim(), rest.rsplit_once('"')?.0.trim()))
}
