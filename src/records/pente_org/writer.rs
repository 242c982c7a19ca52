//! Games as text of pente.org.

use super::super::RecordedGame;
use super::super::date::iso_date;
use super::super::labels::to_capitals;
use super::super::list::result_text;
use super::super::losses::Losses;
use pentarch_core::game::MoveKind;
use pentarch_core::rules::Ruleset;
use pentarch_core::rules::catalog::PENTE_ORG_GAMES;
use std::fmt::Write;

/// The length of a line of moves.
const WIDTH: usize = 80;

/// Writes a game, with the headers of the site first, in their order.
pub(crate) fn write(game: &RecordedGame, rules: &Ruleset, losses: &mut Losses) -> String {
    losses.plies(game);
    losses.add_if(!game.comment.is_empty(), "comments");
    losses.add_if(!game.detail.is_empty(), "details of results");
    losses.add_if(game.opening_plies.is_some(), "numbers of plies in the opening");
    losses.other(game);
    let (words, special) = split_moves(game, rules);
    let mut text = Headers(String::new());
    text.push_occasion(game, rules);
    text.push_players(game, rules);
    text.push("Result", &result_text(game.result));
    let spec = rules.to_string();
    if matches!(spec.as_str(), "d-pente" | "dk-pente") {
        let swapped = game.moves.iter().any(|text| text == "swap");
        text.push("Player's Swapped?", if swapped { "Yes" } else { "No" });
    }
    text.push("Variant", &spec);
    text.push_known("Position", game.initial_position.as_deref().unwrap_or_default());
    text.push_known("Special", &special);
    text.push_known("Termination", &game.reason);
    text.push_known("Game Number", &game.game.map_or(String::new(), |number| number.to_string()));
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

    fn push_known(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.push(key, value);
        }
    }

    /// What was played, where, when and how fast.
    fn push_occasion(&mut self, game: &RecordedGame, rules: &Ruleset) {
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
        self.push_known("Date", &date);
        self.push_known("Time", time.unwrap_or_default());
        self.push("TimeControl", site_control(game).unwrap_or("-"));
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
            self.push_known(&format!("Player {number} Type"), kind);
        }
        if site_control(game).is_none() {
            for (control, number) in game.time_controls.iter().zip(1..) {
                self.push(&format!("Player {number} Control"), control);
            }
        }
    }
}

/// The time control as the site has it: minutes, or minutes and an increment.
fn site_control(game: &RecordedGame) -> Option<&str> {
    let [control] = game.time_controls.as_slice() else { return None };
    let known = control.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+');
    known.then_some(control)
}

/// The words among the moves, and the header `Special`.
fn split_moves(game: &RecordedGame, rules: &Ruleset) -> (Vec<String>, String) {
    let squares = rules.squares().is_some();
    let written = |text: &str| if squares { to_capitals(text) } else { text.to_owned() };
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
            let wraps = width + 1 + word.len() > WIDTH;
            text.push(if wraps { '\n' } else { ' ' });
            width = if wraps { 0 } else { width + 1 };
        }
        *text += &word;
        width += word.len();
    }
    text.push('\n');
}

/// `01/31/2026` and the time of day; a date that is none as it is.
fn split_date(date: &str) -> (String, Option<&str>) {
    let (day, time) = date.split_once('T').unwrap_or((date, ""));
    let time = time.strip_suffix('Z').filter(|time| !time.is_empty());
    match day.split('-').collect::<Vec<_>>().as_slice() {
        [year, month, day] if iso_date(date).as_deref() == Some(date) => {
            (format!("{month}/{day}/{year}"), time)
        }
        _ => (date.to_owned(), None),
    }
}
