//! The referee of plain games once more, without texts and clones of rules: for proofs, in which it plays
//! hundreds of millions of moves.
//!
//! It is held to [`Referee`] at every ply of random games, and like that one it has never seen the engine.

use super::board::{DIRECTIONS, along};
use super::openings::Stage;
use super::ruleset::{FiveRule, Forbidden, LineRule};
use super::{Referee, Stone};

/// Two players, stones, captures that win, and lines, with no opening that limits anything any more.
#[derive(Clone, Debug)]
pub struct Plain {
    columns: usize,
    rows: usize,
    captures: Vec<i32>,
    goal: u16,
    length: usize,
    /// From each point the points up to the edge, in the order of the eight directions.
    rays: Vec<Vec<Vec<usize>>>,
    images: Vec<Vec<usize>>,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// What lies on each point, column by column and upwards in a column: nothing, or 1 or 2 for a
    /// stone of the first color or of the second.
    pub points: [u8; 64],
    /// Captured stones, by capturing color.
    pub captured: [u16; 2],
    /// The color to move.
    pub color: usize,
}

/// The end of a game, with the color that has won, if one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub winner: Option<usize>,
}

impl Plain {
    /// The game that a referee is in, and its position, if it is plain from now on.
    pub fn of(referee: &Referee) -> Option<(Plain, State)> {
        let rules = &referee.rules;
        let longest = rules.columns.max(rules.rows);
        let limits = (rules.opening.first_at_center, rules.opening.second_distance);
        let limited = match limits {
            (false, 0) => 0,
            (true, 0) => 1,
            _ => 3,
        };
        let is_plain = rules.seats == 2
            && rules.stones_a_turn == 1
            && rules.opening.stage_stones == 0
            && referee.stage == Stage::Over
            && referee.placed >= limited
            && !(rules.poof || rules.plus_minus)
            && (rules.line == LineRule::AtLeast
                || rules.line == LineRule::Exactly && rules.length == longest)
            && rules.five == FiveRule::Wins
            && rules.forbidden == Forbidden::Nothing
            && rules.anti.is_none()
            && rules.neutrals + rules.bombs + rules.jokers == 0
            && (rules.captures.is_empty() || rules.capture_goal.is_some())
            && rules.columns * rules.rows <= 64
            && rules.max_plies == 2500;
        if !is_plain || referee.outcome.is_some() {
            return None;
        }
        let all = || {
            (1..=rules.columns).flat_map(|column| (1..=rules.rows).map(move |row| (column, row)))
        };
        let place = |point| all().position(|other| other == point);
        let ray = |point, direction| {
            let places = (1..longest).map(|steps| place(along(point, direction, steps)));
            places.map_while(|place| place).collect()
        };
        let mut points = [0; 64];
        for (content, (column, row)) in points.iter_mut().zip(all()) {
            if let Some(Stone::Stone(color)) = referee.content(column, row) {
                *content = 1 + color;
            }
        }
        let (columns, rows) = (rules.columns as usize, rules.rows as usize);
        let plain = Plain {
            columns,
            rows,
            images: images(columns, rows),
            captures: rules.captures.clone(),
            goal: rules.capture_goal.unwrap_or_default(),
            length: rules.length as usize,
            rays: all().map(|point| DIRECTIONS.map(|way| ray(point, way)).to_vec()).collect(),
        };
        let captured = [referee.captured[0], referee.captured[1]];
        Some((plain, State { points, captured, color: referee.color() }))
    }

    /// The empty points, column by column and upwards in a column.
    pub fn empty(&self, state: &State) -> impl Iterator<Item = usize> {
        let State { points, .. } = *state;
        (0..self.columns * self.rows).filter(move |&point| points[point] == 0)
    }

    /// The point that a text names.
    pub fn point(&self, text: &str) -> Option<usize> {
        let column = usize::from(text.bytes().next()?.checked_sub(b'a')?);
        let row: usize = text[1..].parse().ok()?;
        let inside = column < self.columns && (1..=self.rows).contains(&row);
        inside.then(|| column * self.rows + row - 1)
    }

    /// For each symmetry of the board, the points in the order in which their images lie.
    pub fn images(&self) -> &[Vec<usize>] {
        &self.images
    }

    /// The position after a stone on an empty point, and how the game ends, if it does.
    pub fn after(&self, state: &State, point: usize) -> (State, Option<End>) {
        let (mover, own, enemy) = (state.color, 1 + state.color as u8, 2 - state.color as u8);
        let mut next = *state;
        next.color = 1 - mover;
        next.points[point] = own;
        for ray in &self.rays[point] {
            for length in self.captures.iter().map(|&length| length as usize) {
                if ray.len() > length
                    && state.points[ray[length]] == own
                    && ray[..length].iter().all(|&stone| state.points[stone] == enemy)
                {
                    ray[..length].iter().for_each(|&stone| next.points[stone] = 0);
                    next.captured[mover] += length as u16;
                }
            }
        }
        let reach =
            |ray: &Vec<usize>| ray.iter().take_while(|&&stone| next.points[stone] == own).count();
        let rays = &self.rays[point];
        let has_line =
            (0..4).any(|way| reach(&rays[way]) + 1 + reach(&rays[way + 4]) >= self.length);
        let has_goal = self.goal > 0 && next.captured[mover] >= self.goal;
        let is_full = self.empty(&next).next().is_none();
        let is_won = has_line || has_goal;
        let winner = is_won.then_some(mover);
        let end = (is_won || is_full).then_some(End { winner });
        (next, end)
    }
}

/// For each symmetry of a board, the points in the order in which their images lie.
fn images(columns: usize, rows: usize) -> Vec<Vec<usize>> {
    let count = if columns == rows { 8 } else { 4 };
    let image = |number: usize| {
        let points = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
        let place = |(column, row)| {
            let (column, row) = if number & 4 != 0 { (row, column) } else { (column, row) };
            let column = if number & 1 != 0 { columns - 1 - column } else { column };
            let row = if number & 2 != 0 { rows - 1 - row } else { row };
            column * rows + row
        };
        points.map(place).collect()
    };
    (0..count).map(image).collect()
}
