//! Position text: one line that holds the whole state, both ways. The grammar is in the protocol
//! crate's `SPEC.md`.

use super::Position;
use super::phase::{self, Phase};
use super::pipeline::State;
use crate::board::Content;
use crate::game::{Cell, Color, Outcome, Position as _, PositionTextError, Reason, Seat};
use crate::rules::SquareRules;
use std::fmt::Write;

fn wrong<T>(field: usize, reason: impl Into<String>) -> Result<T, PositionTextError> {
    Err(PositionTextError::new(field, reason))
}

impl Position {
    /// Writes the position, without the history that led to it.
    pub fn text(&self) -> String {
        let state = &self.core.state;
        let palette = self.rules().palette();
        let mut text = board_text(self);
        text.push(' ');
        text.push(palette.letter(state.color));
        text.push(' ');
        if self.rules().capture().is_some() {
            let seats = usize::from(self.rules().seating().seats);
            let counts: Vec<_> = state.counts.iter().take(seats).map(u16::to_string).collect();
            text += &counts.join(",");
        } else {
            text.push('-');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, " {} {}", phase::text(self.rules(), state), state.ply + 1);
        text
    }

    /// Reads a position of these rules. It has no history, so its first move cannot be undone.
    pub fn from_text(rules: SquareRules, text: &str) -> Result<Position, PositionTextError> {
        Position::new(rules).with_text(text)
    }

    /// Reads another position of the same rules; cheaper than starting from the rules.
    pub fn with_text(&self, text: &str) -> Result<Position, PositionTextError> {
        let rules = self.rules();
        let fields: Vec<&str> = text.split_whitespace().collect();
        let &[board, color, captures, phase, ply] = fields.as_slice() else {
            let got = fields.len();
            return wrong(got.min(4), format!("expected five fields, found {got}"));
        };
        let palette = rules.palette();
        let stones = parse_board(board, rules)?;
        let color = parse_color(color, rules)?;
        let counts = parse_captures(captures, rules)?;
        let phase = phase::parse(rules, phase).or_else(|reason| wrong(3, reason))?;
        let ply = parse_ply(ply)?;
        let Some(placed) = ply.checked_sub(phase.choices) else {
            return wrong(3, "more choices than plies");
        };
        let (extra, seat) = (phase.extra, Seat(color.0));
        let state = State { seat, color, outcome: None, ply, stones: placed, counts, extra };
        let mut position = self.clone();
        position.set_up(&stones, state);
        if position.color_to_move() != color {
            let mover = palette.name(position.color_to_move());
            let ply = ply + 1;
            return wrong(4, format!("ply {ply} is {mover}'s, not that of the color to move"));
        }
        if rules.is_plain() {
            position.check_opening(&stones)?;
            position.core.state.outcome = position.judge()?;
        } else {
            position.core.state.outcome = position.judge_variant(&phase)?;
        }
        Ok(position)
    }

    /// How a game with more than plain stones stands. What ended it is told, because it may not be
    /// seen; without that it is open, if it can go on.
    fn judge_variant(&self, phase: &Phase) -> Result<Option<Outcome>, PositionTextError> {
        let rules = self.rules();
        if phase.outcome.is_some() {
            return Ok(phase.outcome);
        }
        let may_stand =
            rules.boat().is_some() || rules.has_perfect_fives() || rules.stones().power.is_some();
        let seats = rules.seating().seats;
        if !may_stand && (0..seats).any(|color| self.core.has_run(rules, Color(color))) {
            return wrong(0, "a winning line stands, but no `result=` is given");
        }
        Ok(self.core.variant_stalemate(rules))
    }

    /// While a limit is open, the stones must be exactly those of the plies before.
    fn check_opening(&self, stones: &[(Cell, Color)]) -> Result<(), PositionTextError> {
        if !self.is_opening_limited() {
            return Ok(());
        }
        let seats = u32::from(self.rules().seating().seats);
        for seat in 0..seats {
            let placed = stones.iter().filter(|(_, color)| u32::from(color.0) == seat).count();
            let expected = (self.ply() + seats - 1 - seat) / seats;
            if placed != expected as usize {
                let name = self.rules().palette().name(Color(seat as u8));
                let ply = self.ply() + 1;
                return wrong(
                    4,
                    format!("before ply {ply} {name} has {expected} stones, the board {placed}"),
                );
            }
        }
        Ok(())
    }

    /// How a game that stands so has ended: by the last move only, anything older would have
    /// ended it before.
    fn judge(&self) -> Result<Option<Outcome>, PositionTextError> {
        let mover = self.color_to_move();
        let last = mover.opponent();
        if self.has_line(mover) {
            return wrong(0, "the color to move already has a winning line");
        }
        let goal = self.rules().capture().and_then(|capture| capture.goal);
        let at_goal = |color| goal.is_some_and(|goal| self.captures(color) >= goal);
        if at_goal(mover) {
            return wrong(2, "the color to move has already captured enough to win");
        }
        let winner = self.rules().seating().side_of(Seat(last.0));
        Ok(if self.has_line(last) {
            Some(Outcome::win(winner, Reason::Line))
        } else if at_goal(last) {
            Some(Outcome::win(winner, Reason::Captures))
        } else {
            self.core.stalemate(self.rules())
        })
    }

    /// Whether a winning run of a color stands anywhere.
    fn has_line(&self, color: Color) -> bool {
        let board = self.board();
        let mut own = self.grid().iter().filter(|&c| board.content(c) == Content::stone(color));
        own.any(|cell| self.rules().line().wins(board.windows(color, cell)))
    }
}

/// Rows from the top, `/` between them, a number for a run of empty points.
fn board_text(position: &Position) -> String {
    let (grid, palette) = (position.grid(), position.rules().palette());
    let mut text = String::new();
    for row in (0..grid.rows()).rev() {
        let mut run = 0;
        for column in 0..grid.columns() {
            let Some(color) = position.board().content(grid.at(column, row)).color() else {
                run += 1;
                continue;
            };
            if run > 0 {
                text += &run.to_string();
                run = 0;
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

fn parse_board(text: &str, rules: &SquareRules) -> Result<Vec<(Cell, Color)>, PositionTextError> {
    let grid = rules.grid();
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(grid.rows()) {
        return wrong(0, format!("expected {} rows, found {}", grid.rows(), rows.len()));
    }
    let mut stones = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let number = grid.rows() - index as u8;
        parse_row(row, number, rules, &mut stones)?;
    }
    Ok(stones)
}

/// Reads the row of that number, counted from 1 at the bottom.
fn parse_row(
    text: &str,
    number: u8,
    rules: &SquareRules,
    stones: &mut Vec<(Cell, Color)>,
) -> Result<(), PositionTextError> {
    let grid = rules.grid();
    let mut column = 0u32;
    let mut run = 0u32;
    for letter in text.chars() {
        if let Some(digit) = letter.to_digit(10) {
            run = (run * 10 + digit).min(1000);
            continue;
        }
        column += std::mem::take(&mut run);
        let Some(color) = stone_of(letter, rules) else {
            return wrong(0, format!("row {number}: `{letter}` is neither a number nor a color"));
        };
        if let Some(cell) = grid.get(column as i32, i32::from(number) - 1) {
            stones.push((cell, color));
        }
        column += 1;
    }
    let width = column + run;
    if width != u32::from(grid.columns()) {
        let columns = grid.columns();
        return wrong(0, format!("row {number}: expected {columns} points, found {width}"));
    }
    Ok(())
}

/// The stone of a letter, if the game has such stones.
fn stone_of(letter: char, rules: &SquareRules) -> Option<Color> {
    let stones = rules.stones();
    rules.palette().stone(letter).filter(|&color| match color {
        Color::NEUTRAL => stones.neutral > 0,
        Color::POWER => stones.power.is_some(),
        color => color.0 < rules.seating().seats,
    })
}

fn parse_color(text: &str, rules: &SquareRules) -> Result<Color, PositionTextError> {
    let mut letters = text.chars();
    let seats = rules.seating().seats;
    let color = letters.next().and_then(|letter| stone_of(letter, rules));
    if let (Some(color), None) = (color.filter(|color| color.0 < seats), letters.next()) {
        return Ok(color);
    }
    let colors = (0..seats).map(Color);
    let known: Vec<_> =
        colors.map(|color| format!("`{}`", rules.palette().letter(color))).collect();
    wrong(1, format!("expected {}", known.join(" or ")))
}

fn parse_captures(text: &str, rules: &SquareRules) -> Result<[u16; 4], PositionTextError> {
    let mut counts = [0; 4];
    if rules.capture().is_none() {
        return if text == "-" {
            Ok(counts)
        } else {
            wrong(2, "expected `-`, nothing is captured")
        };
    }
    let seats = usize::from(rules.seating().seats);
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

/// Beyond any count that play can come to.
const MOST_CAPTURES: u32 = 65_536;

/// Reads a number below a limit, digits only.
fn number(text: &str, limit: u32) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten().filter(|&number| number < limit)
}

fn parse_ply(text: &str) -> Result<u32, PositionTextError> {
    match number(text, 1_000_001) {
        Some(ply) if ply > 0 => Ok(ply - 1),
        _ => wrong(4, "expected the number of the next ply, from 1"),
    }
}
