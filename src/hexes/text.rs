//! Position text: one line that holds the whole state, both ways. The grammar is in the protocol
//! crate's `SPEC.md`.

use super::Position;
use super::core::{Core, Setup, State};
use super::groups::surrounded;
use super::lines::has_line;
use crate::board::{HexGrid, bit};
use crate::game::{Color, Outcome, PositionTextError, Reason};
use crate::rules::{HexRules, Palette};
use std::fmt::Write;

fn wrong<T>(field: usize, reason: impl Into<String>) -> Result<T, PositionTextError> {
    Err(PositionTextError::new(field, reason))
}

/// Beyond any count that play can come to.
const MOST_CAPTURES: u32 = 65_536;
/// Beyond any ply.
const MOST_PLIES: u32 = 1_000_001;

impl Position {
    /// Writes the position, without the history that led to it.
    pub fn text(&self) -> String {
        let palette = self.rules().palette();
        let state = &self.core.state;
        let mut text = board_text(self);
        let _ = write!(text, " {} ", palette.letter(state.color));
        if self.hexes().surround {
            let counts = state.taken.iter().take(self.setup.seats.into());
            text += &counts.map(u16::to_string).collect::<Vec<_>>().join(",");
        } else {
            text.push('-');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, " {} {}", stage_text(state), state.ply + 1);
        text
    }

    /// Reads a position of these rules. It has no history, so its first move cannot be undone.
    pub fn from_text(rules: HexRules, text: &str) -> Result<Position, PositionTextError> {
        Position::new(rules).with_text(text)
    }

    /// Reads another position of the same rules; cheaper than starting from the rules.
    pub fn with_text(&self, text: &str) -> Result<Position, PositionTextError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let &[board, color, captures, stage, ply] = fields.as_slice() else {
            let got = fields.len();
            return wrong(got.min(4), format!("expected five fields, found {got}"));
        };
        let (setup, palette) = (self.setup, self.rules().palette());
        let mut core = Core::start(&setup);
        parse_board(board, setup.hexes.grid, self.rules(), &mut core)?;
        core.state.color = parse_color(color, self.rules())?;
        core.state.taken = parse_captures(captures, &setup)?;
        parse_stage(stage, &setup, &mut core.state)?;
        core.state.ply = match number(ply, MOST_PLIES) {
            Some(ply) if ply > 0 => ply - 1,
            _ => return wrong(4, "expected the number of the next ply, from 1"),
        };
        core.find_those_out(&setup, palette)?;
        core.check_ply(&setup, palette)?;
        core.check_groups(&setup, palette)?;
        core.state.outcome = core.judge(&setup)?;
        let mut position = self.clone();
        position.set_up(core);
        Ok(position)
    }
}

impl Core {
    /// The colors whose rows have put them out: those with a losing row and no winning one.
    fn find_those_out(&mut self, setup: &Setup, palette: Palette) -> Result<(), PositionTextError> {
        let short = setup.hexes.shortest_line();
        for color in (0..setup.seats).map(Color).filter(|_| setup.hexes.losing_line.is_some()) {
            let own = self.of(color);
            if has_line(own, short) && !has_line(own, setup.hexes.line) {
                self.state.out |= 1 << color.0;
                if color == self.state.color {
                    return wrong(1, format!("{} is out of the game", name(palette, color)));
                }
            }
        }
        Ok(())
    }

    /// Plies and colors go together as long as nobody is out, and stones take plies.
    fn check_ply(&self, setup: &Setup, palette: Palette) -> Result<(), PositionTextError> {
        let State { ply, color, out, choosing, swapped, passes, .. } = self.state;
        let chosen = u32::from(setup.hexes.swap1 && ply >= 2);
        if choosing != (setup.hexes.swap1 && ply == 1) {
            return wrong(3, "`choice` belongs to ply 2 of games with `swap1`");
        }
        if swapped && chosen == 0 {
            return wrong(3, "`swapped` comes after the choice of games with `swap1`");
        }
        let mover = (ply - chosen) % u32::from(setup.seats);
        if out == 0 && mover != u32::from(color.0) {
            let name = name(palette, Color(mover as u8));
            return wrong(4, format!("ply {} is {name}'s, not that of the color to move", ply + 1));
        }
        let stones = self.stones.iter().map(|stones| stones.count_ones()).sum::<u32>();
        if stones + chosen + u32::from(passes) > ply {
            return wrong(4, format!("{stones} stones lie there, too many before ply {}", ply + 1));
        }
        Ok(())
    }

    /// After a move no group is without liberty.
    fn check_groups(&self, setup: &Setup, palette: Palette) -> Result<(), PositionTextError> {
        for color in (0..setup.seats).map(Color).filter(|_| setup.hexes.surround) {
            let stones = self.of(color);
            if surrounded(stones, stones, self.empty) != 0 {
                let name = name(palette, color);
                return wrong(0, format!("a group of {name} has no free cell beside it"));
            }
        }
        Ok(())
    }

    /// How a game that stands so has ended: by the last move only, anything older would have ended
    /// it before.
    fn judge(&self, setup: &Setup) -> Result<Option<Outcome>, PositionTextError> {
        let State { color, out, passes, .. } = self.state;
        let back = |by: u8| Color((color.0 + setup.seats - by) % setup.seats);
        // Those who were out already had no turn, so the last mover may be further back.
        let last = (1..setup.seats).map(back).find(|last| out >> last.0 & 1 == 0);
        for other in (0..setup.seats).map(Color) {
            if has_line(self.of(other), setup.hexes.line) {
                if Some(other) != last || passes > 0 {
                    return wrong(0, "a winning row stands there, but not of the color before");
                }
                return Ok(Some(self.win(other, Reason::Line)));
            }
        }
        if out.count_ones() + 1 == u32::from(setup.seats) {
            return Ok(Some(self.win(color, Reason::ShortLine)));
        }
        Ok(self.stalemate(setup))
    }
}

fn name(palette: Palette, color: Color) -> &'static str {
    palette.name(color)
}

/// Rows from the top, `/` between them, a number for a run of empty cells.
fn board_text(position: &Position) -> String {
    let (grid, palette) = (position.grid(), position.rules().palette());
    let mut text = String::new();
    for row in (0..grid.rows()).rev() {
        let mut run = 0;
        for cell in (0..grid.row_length(row)).filter_map(|place| grid.get(row, place)) {
            let Some(color) = position.stone(cell) else {
                run += 1;
                continue;
            };
            if run > 0 {
                text += &std::mem::take(&mut run).to_string();
            }
            text.push(palette.letter(color));
        }
        if run > 0 {
            text += &run.to_string();
        }
        if row > 0 {
            text.push('/');
        }
    }
    text
}

fn parse_board(
    text: &str,
    grid: HexGrid,
    rules: &HexRules,
    core: &mut Core,
) -> Result<(), PositionTextError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(grid.rows()) {
        return wrong(0, format!("expected {} rows, found {}", grid.rows(), rows.len()));
    }
    for (row, text) in (0..grid.rows()).rev().zip(rows) {
        parse_row(text, row, grid, rules, core)?;
    }
    Ok(())
}

fn parse_row(
    text: &str,
    row: u8,
    grid: HexGrid,
    rules: &HexRules,
    core: &mut Core,
) -> Result<(), PositionTextError> {
    let letter = char::from(b'a' + row);
    let (mut place, mut run) = (0u32, 0u32);
    for found in text.chars() {
        if let Some(digit) = found.to_digit(10) {
            run = (run * 10 + digit).min(1000);
            continue;
        }
        place += std::mem::take(&mut run);
        let Some(color) = color_of(found, rules) else {
            return wrong(0, format!("row {letter}: `{found}` is neither a number nor a color"));
        };
        if let Some(cell) = u8::try_from(place).ok().and_then(|place| grid.get(row, place)) {
            core.stones[color.index() % 3] |= bit(cell);
            core.empty &= !bit(cell);
        }
        place = (place + 1).min(1000);
    }
    place += run;
    let length = grid.row_length(row);
    if place != u32::from(length) {
        return wrong(0, format!("row {letter}: expected {length} cells, found {place}"));
    }
    Ok(())
}

/// The color of a letter, if somebody plays it.
fn color_of(letter: char, rules: &HexRules) -> Option<Color> {
    let seats = rules.seating().seats;
    rules.palette().stone(letter).filter(|color| color.0 < seats)
}

fn parse_color(text: &str, rules: &HexRules) -> Result<Color, PositionTextError> {
    let mut letters = text.chars();
    let color = letters.next().and_then(|letter| color_of(letter, rules));
    if let (Some(color), None) = (color, letters.next()) {
        return Ok(color);
    }
    let letters = (0..rules.seating().seats).map(|n| rules.palette().letter(Color(n)));
    let letters: Vec<_> = letters.map(|letter| format!("`{letter}`")).collect();
    wrong(1, format!("expected {}", letters.join(" or ")))
}

fn parse_captures(text: &str, setup: &Setup) -> Result<[u16; 3], PositionTextError> {
    let mut counts = [0; 3];
    if !setup.hexes.surround {
        let none = text == "-";
        return if none { Ok(counts) } else { wrong(2, "expected `-`, nothing is captured") };
    }
    let seats = usize::from(setup.seats);
    let parsed: Option<Vec<u16>> =
        text.split(',').map(|n| number(n, MOST_CAPTURES).map(|n| n as u16)).collect();
    match parsed {
        Some(parsed) if parsed.len() == seats => {
            counts[..seats].copy_from_slice(&parsed);
            Ok(counts)
        }
        _ => wrong(2, format!("expected {seats} numbers with commas, such as `0,0`")),
    }
}

/// What is due and what has happened, in words with commas.
fn stage_text(state: &State) -> String {
    let mut words: Vec<String> = Vec::new();
    if state.choosing {
        words.push("choice".to_owned());
    }
    if state.swapped {
        words.push("swapped".to_owned());
    }
    if state.passes > 0 {
        words.push(format!("passes={}", state.passes));
    }
    if words.is_empty() { "-".to_owned() } else { words.join(",") }
}

/// `stage = "-" | word , { "," , word } ; word = "choice" | "swapped" | "passes=" , digit ;`
fn parse_stage(text: &str, setup: &Setup, state: &mut State) -> Result<(), PositionTextError> {
    for word in text.split(',').filter(|_| text != "-") {
        match word.split_once('=') {
            None if word == "choice" => state.choosing = true,
            None if word == "swapped" => state.swapped = true,
            Some(("passes", count)) if setup.hexes.surround => {
                match number(count, u32::from(setup.seats) + 1) {
                    Some(count) => state.passes = count as u8,
                    None => return wrong(3, "more passes in a row than seats"),
                }
            }
            _ => return wrong(3, "expected `-`, or `choice`, `swapped` or `passes=N` with commas"),
        }
    }
    Ok(())
}

/// Reads a number below a limit, digits only.
fn number(text: &str, limit: u32) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten().filter(|&number| number < limit)
}
