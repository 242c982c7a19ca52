//! `pente-org`, the text of pente.org: headers and moves, as in PGN.
//!
//! ```ebnf
//! game   = { header } , blank line , { number , "." , move , [ move ] } , [ result ] ;
//! header = "[" , key , " " , '"' , value , '"' , "]" ;
//! ```
//!
//! Keys may have spaces and apostrophes: `Player 1 Name`, `Player's Swapped?` (rainwolf/pente.org,
//! `PGNGameFormat.java`). Moves are points of GTP. Read are also `Resign` and `Forfeit` among the
//! moves, the keys of `BrainKing` (`GameType`, `White`, `Black` and their ratings), and lists of
//! moves without headers.
//!
//! Data that the format lacks is written in additional headers, which pente.org ignores: `Variant`
//! with the spec of the rules, `Position` with the position text of the start, `Special` with the
//! moves that are not plain stones, `Player 3 Name` and so on, `Termination`, `Game Number`.
//! `[Special "5 swap, 7 N@K10"]` says that the fifth move is `swap` and that the seventh, whose
//! point is among the moves, is a neutral stone. Choices are not among the moves, as in the files
//! of the site.

use crate::RecordedGame;
use crate::coordinates::{from_gtp_points, to_gtp_points};
use crate::date::normalize_date;
use crate::format::ParsedGame;
use crate::line_formats::{read_result, result_text};
use crate::read::TextLines;
use crate::write::LostData;
use pentarch_core::game::MoveKind;
use pentarch_core::rules::Ruleset;
use pentarch_core::rules::catalog::{PENTE_ORG_GAMES, pente_org_spec_of_name};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;

/// The games of a file, read line by line.
pub(super) struct PenteOrgGames {
    lines: TextLines,
    rules: Ruleset,
    /// Whether the user has named the rules.
    is_variant_named: bool,
}

impl PenteOrgGames {
    pub(super) fn new(lines: TextLines, rules: Ruleset, is_variant_named: bool) -> PenteOrgGames {
        PenteOrgGames { lines, rules, is_variant_named }
    }
}

impl Iterator for PenteOrgGames {
    type Item = io::Result<ParsedGame>;

    /// A header after moves begins the next game.
    fn next(&mut self) -> Option<io::Result<ParsedGame>> {
        let mut text = GameText::default();
        let mut first = 0;
        let mut wrong = None;
        loop {
            let line = match self.lines.next() {
                None => break,
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(line)) => line,
            };
            let content = line.text.trim();
            let header = content.starts_with('[');
            if header && (!text.words.is_empty() || text.is_over) {
                self.lines.push_back(line);
                break;
            }
            if text.is_over && !content.is_empty() && !content.starts_with('#') {
                self.lines.push_back(line);
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
            Some((line, reason)) => Some(Ok(ParsedGame { line, game: Err(reason) })),
            None if first == 0 => None,
            None => {
                let game = text.game(&self.rules, self.is_variant_named);
                Some(Ok(ParsedGame { line: first, game }))
            }
        }
    }
}

/// The headers that are read, in addition to those of players by number.
const KNOWN_HEADERS: [&str; 21] = [
    "Game",
    "GameType",
    "Variant",
    "Game Number",
    "Date",
    "Time",
    "Event",
    "Site",
    "Round",
    "Section",
    "Rated",
    "Result",
    "Position",
    "Special",
    "Termination",
    "TimeControl",
    "Player's Swapped?",
    "White",
    "Black",
    "WhiteRating",
    "BlackRating",
];

/// Returns whether a word among the moves says how the game ended.
fn is_termination(word: &str) -> bool {
    word == "Resign" || word == "Forfeit"
}

/// The headers and words of a game.
#[derive(Default)]
struct GameText {
    headers: BTreeMap<String, String>,
    /// The earlier values of repeated headers.
    repeated: Vec<String>,
    words: Vec<String>,
    is_over: bool,
}

impl GameText {
    fn take(&mut self, line: &str, is_header: bool) -> Result<(), String> {
        if is_header {
            let (key, value) =
                header(line).ok_or("expected a header such as `[Game \"Pente\"]`")?;
            if let Some(before) = self.headers.insert(key.to_owned(), value.to_owned()) {
                self.repeated.push(format!("{key}[{before}]"));
            }
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

    fn game(&self, rules: &Ruleset, is_variant_named: bool) -> Result<RecordedGame, String> {
        let spec = match (self.get("Variant"), self.either("Game", "GameType")) {
            (Some(spec), _) => spec.to_owned(),
            (None, Some(name)) if !is_variant_named => match pente_org_spec_of_name(name) {
                Some(spec) => spec.to_owned(),
                None => {
                    return Err(format!(
                        "the game `{name}` is not known; --variant names its rules"
                    ));
                }
            },
            _ => rules.to_string(),
        };
        let rules: Ruleset = spec
            .parse()
            .map_err(|error: pentarch_core::rules::VariantSpecError| error.to_string())?;
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
        self.add_unread(&mut game, seats);
        Ok(game)
    }

    /// Lists the headers that are not read and the values that are not understood.
    fn add_unread(&self, game: &mut RecordedGame, seats: usize) {
        let of_player = |key: &str| {
            let words: Vec<&str> = key.split(' ').collect();
            let ["Player", number, what] = words.as_slice() else { return false };
            let is_seat = number.parse::<usize>().is_ok_and(|number| (1..=seats).contains(&number));
            is_seat && ["Name", "Rating", "Type", "Control"].contains(what)
        };
        game.unread.extend(self.repeated.iter().cloned());
        for (key, value) in &self.headers {
            if self.get(key).is_none() {
                continue;
            }
            let kept = match key.as_str() {
                "Result" => game.result.is_some(),
                "Rated" => matches!(value.as_str(), "Y" | "N"),
                "Game Number" => game.game.is_some(),
                "Time" => self.get("Date").is_some(),
                "Player's Swapped?" => matches!(value.as_str(), "Yes" | "No"),
                key if key.ends_with("Rating") => value.parse::<u32>().is_ok(),
                key if key.ends_with("Type") && key.starts_with("Player ") => {
                    matches!(value.as_str(), "Computer" | "Human")
                }
                _ => true,
            };
            if !KNOWN_HEADERS.contains(&key.as_str()) && !of_player(key) {
                game.unread.push(key.clone());
            } else if !kept {
                game.unread.push(format!("{key}[{value}]"));
            }
        }
        if let Some(end) = self.words.iter().find(|word| is_termination(word))
            && game.reason.is_empty()
        {
            game.reason = end.to_ascii_lowercase();
        }
        let ends = self.words.iter().filter(|word| is_termination(word)).count();
        if ends > 1 || ends == 1 && self.words.last().is_none_or(|word| !is_termination(word)) {
            game.unread.push("`Resign` or `Forfeit` among the moves".to_owned());
        }
    }

    /// Returns the date, with the time of day if both are given.
    fn date(&self) -> String {
        let text = self.text("Date");
        let time = self.get("Time");
        let date = match text.split(['/', '.', '-']).collect::<Vec<_>>().as_slice() {
            [month, day, year] if year.len() == 4 => format!("{year}-{month}-{day}"),
            [year, month, day] if year.len() == 4 => format!("{year}-{month}-{day}"),
            _ => String::new(),
        };
        let moment = time.map_or_else(|| date.clone(), |time| format!("{date}T{time}Z"));
        // A date that is not in the calendar stays unchanged.
        let as_it_is = || [text.as_str(), time.unwrap_or_default()].join(" ").trim().to_owned();
        normalize_date(&moment).unwrap_or_else(as_it_is)
    }

    /// Returns the moves, including those that are in headers.
    fn moves(&self, rules: &Ruleset) -> Result<Vec<String>, String> {
        let squares = rules.squares().is_some();
        let canonical = |text: &str| {
            if squares { from_gtp_points(text) } else { Ok(text.to_ascii_lowercase()) }
        };
        let words = self.words.iter().filter(|word| !is_termination(word));
        let mut moves = words.map(|text| canonical(text)).collect::<Result<Vec<_>, _>>()?;
        for special in self.get("Special").into_iter().flat_map(|text| text.split(", ")) {
            let wrong = || format!("`{special}` in `Special` is not a number and a move");
            let (number, text) = special.trim().split_once(' ').ok_or_else(wrong)?;
            let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let text = canonical(text)?;
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

/// Splits a header into key and value. The value is between the first and the last quotation mark.
fn header(line: &str) -> Option<(&str, &str)> {
    let inside = line.strip_prefix('[')?.strip_suffix(']')?;
    let (key, rest) = inside.split_once('"')?;
    Some((key.trim(), rest.rsplit_once('"')?.0.trim()))
}

/// The maximum length of a line of moves.
const MAX_LINE_LENGTH: usize = 80;

/// Writes a game, with the headers of the site first, in their order.
pub(crate) fn write(game: &RecordedGame, rules: &Ruleset, lost: &mut LostData) -> String {
    lost.check_plies(game);
    lost.add_if(!game.comment.is_empty(), "comments");
    lost.add_if(!game.detail.is_empty(), "details of results");
    lost.add_if(game.opening_plies.is_some(), "numbers of plies in the opening");
    lost.check_other_fields(game);
    let (words, special) = split_moves(game, rules);
    let mut text = Headers(String::new());
    text.push_event(game, rules);
    text.push_players(game, rules);
    text.push("Result", &result_text(game.result));
    let spec = rules.to_string();
    if matches!(spec.as_str(), "d-pente" | "dk-pente") {
        let swapped = game.moves.iter().any(|text| text == "swap");
        text.push("Player's Swapped?", if swapped { "Yes" } else { "No" });
    }
    text.push("Variant", &spec);
    text.push_if_known("Position", game.initial_position.as_deref().unwrap_or_default());
    text.push_if_known("Special", &special);
    text.push_if_known("Termination", &game.reason);
    text.push_if_known(
        "Game Number",
        &game.game.map_or(String::new(), |number| number.to_string()),
    );
    let mut text = text.0 + "\n";
    push_moves(&mut text, &words, &result_text(game.result));
    text
}

/// The headers of a game.
struct Headers(String);

impl Headers {
    fn push(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.0, "[{key} \"{}\"]", if value.is_empty() { "?" } else { value });
    }

    fn push_if_known(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.push(key, value);
        }
    }

    /// Adds the game, the event, the date and the time control.
    fn push_event(&mut self, game: &RecordedGame, rules: &Ruleset) {
        let spec = rules.to_string();
        let known = PENTE_ORG_GAMES.iter().find(|(.., known)| *known == spec);
        self.push("Game", known.map_or(&spec, |row| row.1));
        for (key, value) in [
            ("Site", &game.site),
            ("Event", &game.event),
            ("Round", &game.round),
            ("Section", &game.section),
        ] {
            self.push(key, if value.is_empty() { "-" } else { value });
        }
        let (date, time) = split_date(&game.date);
        self.push_if_known("Date", &date);
        self.push_if_known("Time", time.unwrap_or_default());
        self.push("TimeControl", site_time_control(game).unwrap_or("-"));
        if let Some(rated) = game.rated {
            self.push("Rated", if rated { "Y" } else { "N" });
        }
    }

    fn push_players(&mut self, game: &RecordedGame, rules: &Ruleset) {
        let seats = 0..usize::from(rules.seating().seats);
        for seat in seats.clone() {
            self.push(&format!("Player {} Name", seat + 1), game.player(seat));
        }
        for seat in seats {
            let rating = game.ratings.get(seat).copied().flatten();
            let rating = rating.map_or(String::new(), |rating| rating.to_string());
            self.push(&format!("Player {} Rating", seat + 1), &rating);
        }
        for (kind, number) in game.computers.iter().zip(1..) {
            let kind = kind.map_or("", |kind| if kind { "Computer" } else { "Human" });
            self.push_if_known(&format!("Player {number} Type"), kind);
        }
        if site_time_control(game).is_none() {
            for (control, number) in game.time_controls.iter().zip(1..) {
                self.push(&format!("Player {number} Control"), control);
            }
        }
    }
}

/// Returns the time control if it is one of the site: minutes, or minutes and an increment.
fn site_time_control(game: &RecordedGame) -> Option<&str> {
    let [control] = game.time_controls.as_slice() else { return None };
    let known = control.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+');
    known.then_some(control)
}

/// Returns the points among the moves, and the value of the header `Special`.
fn split_moves(game: &RecordedGame, rules: &Ruleset) -> (Vec<String>, String) {
    let squares = rules.squares().is_some();
    let written = |text: &str| if squares { to_gtp_points(text) } else { text.to_owned() };
    let (mut words, mut special) = (Vec::new(), Vec::new());
    for (number, text) in (1..).zip(&game.moves) {
        let is_word = MoveKind::from_word(text).is_some();
        let bare = text.split_once('@').map_or(text.as_str(), |(_, points)| points);
        let bare = if squares { bare.split(',').next().unwrap_or_default() } else { bare };
        let bare = bare.trim_end_matches(['+', '-']);
        if is_word || bare != text {
            special.push(format!("{number} {}", written(text)));
        }
        words.extend((!is_word).then(|| written(bare)));
    }
    (words, special.join(", "))
}

fn push_moves(text: &mut String, words: &[String], result: &str) {
    let pairs = (1..).zip(words.chunks(2));
    let numbered = pairs.flat_map(|(number, pair)| {
        std::iter::once(format!("{number}.")).chain(pair.iter().cloned())
    });
    let mut width = 0;
    for word in numbered.chain([result.to_owned()]) {
        if width > 0 {
            let wraps = width + 1 + word.len() > MAX_LINE_LENGTH;
            text.push(if wraps { '\n' } else { ' ' });
            width = if wraps { 0 } else { width + 1 };
        }
        *text += &word;
        width += word.len();
    }
    text.push('\n');
}

/// Splits a date into `01/31/2026` and the time of day. A date in another format stays unchanged.
fn split_date(date: &str) -> (String, Option<&str>) {
    let (day, time) = date.split_once('T').unwrap_or((date, ""));
    let time = time.strip_suffix('Z').filter(|time| !time.is_empty());
    match day.split('-').collect::<Vec<_>>().as_slice() {
        [year, month, day] if normalize_date(date).as_deref() == Some(date) => {
            (format!("{month}/{day}/{year}"), time)
        }
        _ => (date.to_owned(), None),
    }
}
