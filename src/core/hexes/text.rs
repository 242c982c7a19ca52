//! Position text: one line that holds the whole state, both ways. The grammar is in the protocol
//! crate's `SPEC.md`.

use super::Position;
use super::bitboards::{has_line, surrounded};
use super::position::{HexBoard, HexState, MoveRules};
use crate::board::{HexGrid, bit};
use crate::game::{
    Color, EndReason, Field, Outcome, PositionTextError, RowText, captures_text, fields, number,
    parse_captures, parse_color, parse_no_captures, parse_ply, parse_rows, rows_text,
};
use crate::rules::{ColorNames, HexRules};

impl Position {
    /// Writes the position, without the history that led to it.
    pub fn text(&self) -> String {
        let names = self.rules().color_names();
        let state = &self.board.state;
        let captures = if self.hexes().surround {
            captures_text(&state.captures[..usize::from(self.move_rules.seats)])
        } else {
            "-".to_owned()
        };
        let (board, color) = (board_text(self), names.letter(state.color));
        format!("{board} {color} {captures} {} {}", stage_text(state), state.ply + 1)
    }

    /// Reads a position of these rules. It has no history, so its first move cannot be undone.
    pub fn from_text(rules: HexRules, text: &str) -> Result<Position, PositionTextError> {
        Position::new(rules).with_text(text)
    }

    /// Reads another position of the same rules. Cheaper than [`Position::from_text`].
    pub fn with_text(&self, text: &str) -> Result<Position, PositionTextError> {
        let [rows, color, captures, stage, ply] = fields(text)?;
        let (rules, names) = (self.move_rules, self.rules().color_names());
        let letters = names.letters(rules.seats);
        let mut board = HexBoard::start(&rules);
        board.parse_board(rows, rules.hexes.grid, &letters)?;
        board.state.color = Color(parse_color(color, &letters)?);
        if rules.hexes.surround {
            board.state.captures = parse_captures(captures, rules.seats)?;
        } else {
            parse_no_captures(captures)?;
        }
        parse_stage(stage, &rules, &mut board.state)?;
        board.state.ply = parse_ply(ply)?;
        board.find_eliminated(&rules, names)?;
        board.check_ply(&rules, names)?;
        board.check_groups(&rules, names)?;
        board.state.outcome = board.outcome_of_last_move(&rules)?;
        let mut position = self.clone();
        position.set_up(board);
        Ok(position)
    }
}

impl HexBoard {
    /// Puts the stones of a text on an empty board.
    fn parse_board(
        &mut self,
        text: &str,
        grid: HexGrid,
        letters: &[char],
    ) -> Result<(), PositionTextError> {
        let row = |row: u8| RowText {
            name: char::from(b'a' + row).to_string(),
            length: grid.row_length(row),
            cells: "cells",
        };
        parse_rows(text, grid.rows(), row, |row, place, letter| {
            let letter = letter.to_ascii_lowercase();
            let color = letters.iter().position(|&known| known == letter);
            if let (Some(color), Some(cell)) = (color, grid.get(row, place)) {
                self.stones[color % 3] |= bit(cell);
                self.empty &= !bit(cell);
            }
            color.is_some()
        })
    }

    /// Marks the colors that are eliminated: those with a losing row and no winning one.
    fn find_eliminated(
        &mut self,
        rules: &MoveRules,
        names: ColorNames,
    ) -> Result<(), PositionTextError> {
        let short = rules.hexes.shortest_line();
        for color in (0..rules.seats).map(Color).filter(|_| rules.hexes.losing_line.is_some()) {
            let own = self.of(color);
            if has_line(own, short) && !has_line(own, rules.hexes.line) {
                self.state.out |= 1 << color.0;
                if color == self.state.color {
                    return Field::Color.wrong(format!("{} is out of the game", names.name(color)));
                }
            }
        }
        Ok(())
    }

    /// Tests that the ply matches the color to move, unless a color is eliminated, and the number of stones.
    fn check_ply(&self, rules: &MoveRules, names: ColorNames) -> Result<(), PositionTextError> {
        let HexState { ply, color, out, choosing, swapped, passes, .. } = self.state;
        let chosen = u32::from(rules.hexes.swap1 && ply >= 2);
        if choosing != (rules.hexes.swap1 && ply == 1) {
            return Field::Stage.wrong("`choice` belongs to ply 2 of games with `swap1`");
        }
        if swapped && chosen == 0 {
            return Field::Stage.wrong("`swapped` comes after the choice of games with `swap1`");
        }
        let mover = (ply - chosen) % u32::from(rules.seats);
        if out == 0 && mover != u32::from(color.0) {
            let name = names.name(Color(mover as u8));
            return Field::Ply
                .wrong(format!("ply {} is {name}'s, not that of the color to move", ply + 1));
        }
        let stones = self.stones.iter().map(|stones| stones.count_ones()).sum::<u32>();
        if stones + chosen + u32::from(passes) > ply {
            return Field::Ply
                .wrong(format!("{stones} stones lie there, too many before ply {}", ply + 1));
        }
        Ok(())
    }

    /// Tests that every group has a liberty.
    fn check_groups(&self, rules: &MoveRules, names: ColorNames) -> Result<(), PositionTextError> {
        for color in (0..rules.seats).map(Color).filter(|_| rules.hexes.surround) {
            let stones = self.of(color);
            if surrounded(stones, stones, self.empty) != 0 {
                let name = names.name(color);
                return Field::Board.wrong(format!("a group of {name} has no free cell beside it"));
            }
        }
        Ok(())
    }

    /// The outcome, which only the last move can have brought about.
    fn outcome_of_last_move(
        &self,
        rules: &MoveRules,
    ) -> Result<Option<Outcome>, PositionTextError> {
        let HexState { color, out, passes, .. } = self.state;
        let back = |by: u8| Color((color.0 + rules.seats - by) % rules.seats);
        // Eliminated colors have no turn, so the last mover may be further back.
        let last = (1..rules.seats).map(back).find(|last| out >> last.0 & 1 == 0);
        for other in (0..rules.seats).map(Color) {
            if has_line(self.of(other), rules.hexes.line) {
                if Some(other) != last || passes > 0 {
                    return Field::Board
                        .wrong("a winning row stands there, but not of the color before");
                }
                return Ok(Some(self.win(other, EndReason::Line)));
            }
        }
        if out.count_ones() + 1 == u32::from(rules.seats) {
            return Ok(Some(self.win(color, EndReason::ShortLine)));
        }
        Ok(self.stalemate(rules))
    }
}

fn board_text(position: &Position) -> String {
    let (grid, names) = (position.grid(), position.rules().color_names());
    let letter = |cell| position.stone(cell).map(|color| names.letter(color));
    let row = |row| (0..grid.row_length(row)).filter_map(move |place| grid.get(row, place));
    rows_text((0..grid.rows()).rev().map(|number| row(number).map(letter)))
}

/// The stage field: words with commas.
fn stage_text(state: &HexState) -> String {
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
fn parse_stage(
    text: &str,
    rules: &MoveRules,
    state: &mut HexState,
) -> Result<(), PositionTextError> {
    for word in text.split(',').filter(|_| text != "-") {
        match word.split_once('=') {
            None if word == "choice" => state.choosing = true,
            None if word == "swapped" => state.swapped = true,
            Some(("passes", count)) if rules.hexes.surround => {
                match number(count, u32::from(rules.seats) + 1) {
                    Some(count) => state.passes = count as u8,
                    None => return Field::Stage.wrong("more passes in a row than seats"),
                }
            }
            _ => {
                return Field::Stage
                    .wrong("expected `-`, or `choice`, `swapped` or `passes=N` with commas");
            }
        }
    }
    Ok(())
}
