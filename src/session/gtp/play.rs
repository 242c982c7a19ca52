//! Commands that change the game.

use super::super::state::SessionState;
use super::special::{Meaning, Next, meaning};
use super::{CommandResult, Gtp, Played, done, is_to_move, success};
use crate::dialects::gtp::{self, Board, color, is_extended};
use pentarch_core::board::Grid;
use pentarch_core::game::{Cell, Color as StoneColor, Move};
use pentarch_engine::Game;
use pentarch_protocol::gtp::Color;
use std::collections::BTreeMap;

/// Stones that are on the board before the first move, and who makes it.
#[derive(Clone, Debug, Default)]
pub(super) struct StartingStones {
    stones: BTreeMap<Cell, StoneColor>,
    first: Option<Color>,
}

impl StartingStones {
    /// Who is to move: who was named, or the color that has fewer stones, the first if both have
    /// as many.
    fn first(&self) -> StoneColor {
        let count = |color| self.stones.values().filter(|&&stone| stone == color).count();
        let fewer = count(StoneColor(1)) < count(StoneColor(0));
        self.first.map_or(StoneColor(u8::from(fewer)), stone_color)
    }
}

/// The stones that a color of the protocol sets up.
const fn stone_color(color: Color) -> StoneColor {
    match color {
        Color::Black => StoneColor(0),
        Color::White => StoneColor(1),
    }
}

impl Gtp {
    pub(super) fn set_game(&mut self, state: &mut SessionState, name: &str) -> CommandResult {
        state.set_rules(gtp::rules(name).map_err(|error| error.to_string())?);
        self.names_game = true;
        self.restart();
        done()
    }

    pub(super) fn clear_board(&mut self, state: &mut SessionState) -> CommandResult {
        state.game = state.start().clone();
        self.restart();
        done()
    }

    /// Begins a game anew, as far as it is not the session's matter.
    pub(super) fn restart(&mut self) {
        self.plays.clear();
        self.clock.restart();
        self.setup = StartingStones::default();
    }

    /// Changes the size of the board and nothing else about the rules.
    pub(super) fn board_size(
        &mut self,
        state: &mut SessionState,
        columns: u32,
        rows: u32,
    ) -> CommandResult {
        let Some(board) = Board::of(&state.game) else {
            return Err(
                "unacceptable size: this game is played with tiles on a table without edges, \
                        which programs for Go, GoGui among them, cannot show; `clear_board` starts \
                        it anew"
                    .to_owned(),
            );
        };
        let resized = board.resized(state.game.rules(), columns, rows);
        match resized.map_err(|error| error.to_string())? {
            Some(rules) => state.set_rules(rules),
            None => state.game = state.start().clone(),
        }
        self.restart();
        done()
    }

    pub(super) fn play(
        &mut self,
        state: &mut SessionState,
        mover: Color,
        text: &str,
    ) -> CommandResult {
        let played = self.try_play(state, mover, text)?;
        self.plays.push(played);
        done()
    }

    /// What the next vertex of the player to move stands for.
    pub(super) fn next(&self) -> Next {
        match self.plays.iter().rev().find(|&&played| played != Played::Moves(0)) {
            Some(&Played::Next(next)) => next,
            _ => Next::Plain,
        }
    }

    /// Plays what a text stands for; an error changes nothing.
    fn try_play(
        &mut self,
        state: &mut SessionState,
        mover: Color,
        text: &str,
    ) -> Result<Played, String> {
        let over = state.game.outcome().is_some();
        let to_move = is_to_move(&state.game, mover);
        if text.eq_ignore_ascii_case("resign") {
            return Err("illegal move: only its own side can resign".to_owned());
        }
        if text.eq_ignore_ascii_case("pass") && (over || !to_move) {
            return Ok(Played::Moves(0));
        }
        if over {
            return Err("illegal move: the game is over".to_owned());
        }
        if !to_move {
            return Err(format!("illegal move: it is player {}'s turn", state.game.to_move()));
        }
        let vertex = self.codec.cell(&state.game, text).ok().filter(|_| self.is_ruler);
        let moves = match vertex.and_then(|cell| meaning(&state.game, self.next(), cell)) {
            Some(Meaning::Next(next)) => return Ok(Played::Next(next)),
            Some(Meaning::Move(mv)) => vec![mv],
            None => {
                let read = self.codec.parse_move(&state.game, text);
                read.map_err(|error| error.to_string())?
            }
        };
        let played = play_all(&mut state.game, &moves)?;
        self.codec.extended |= is_extended(text);
        Ok(Played::Moves(played))
    }

    /// Plays all of the moves, or none.
    pub(super) fn play_sequence(
        &mut self,
        state: &mut SessionState,
        moves: &[(Color, String)],
    ) -> CommandResult {
        let (game, plays) = (state.game.clone(), self.plays.len());
        for (index, (color, vertex)) in moves.iter().enumerate() {
            match self.try_play(state, *color, vertex) {
                Ok(played) => self.plays.push(played),
                Err(error) => {
                    state.game = game;
                    self.plays.truncate(plays);
                    return Err(format!("{error}, at move {} of the sequence", index + 1));
                }
            }
        }
        done()
    }

    pub(super) fn undo(&mut self, state: &mut SessionState, count: u32) -> CommandResult {
        let Some(left) = self.plays.len().checked_sub(count as usize) else {
            let left = self.plays.len();
            return Err(format!("cannot undo: {left} moves were played"));
        };
        let taken: usize = self.plays.drain(left..).map(Played::moves).sum();
        for _ in 0..taken {
            state.game.undo();
        }
        done()
    }

    /// Stones that are there from the start, more of them with each call.
    pub(super) fn set_up(
        &mut self,
        state: &mut SessionState,
        stones: &[(Color, String)],
    ) -> CommandResult {
        if !self.plays.is_empty() {
            return Err("board not empty: clear the board first".to_owned());
        }
        let mut setup = self.setup.clone();
        for (color, text) in stones {
            let cell = self.codec.cell(&state.game, text).map_err(|error| error.to_string())?;
            setup.stones.insert(cell, stone_color(*color));
        }
        self.begin_with(state, setup)
    }

    /// An empty board, then these stones.
    pub(super) fn set_position(
        &mut self,
        state: &mut SessionState,
        stones: &[(Color, String)],
    ) -> CommandResult {
        let old = (state.game.clone(), self.plays.clone(), self.setup.clone());
        state.game = state.start().clone();
        self.plays.clear();
        self.setup = StartingStones::default();
        let answer = self.set_up(state, stones);
        if answer.is_err() {
            (state.game, self.plays, self.setup) = old;
        }
        answer
    }

    /// Who is to move after a setup.
    pub(super) fn set_player(&mut self, state: &mut SessionState, mover: Color) -> CommandResult {
        if !self.plays.is_empty() {
            return Err("board not empty: clear the board first".to_owned());
        }
        if self.setup.stones.is_empty() && color(state.start().to_move()) == mover {
            return done();
        }
        let setup = StartingStones { first: Some(mover), ..self.setup.clone() };
        self.begin_with(state, setup)
    }

    fn begin_with(&mut self, state: &mut SessionState, setup: StartingStones) -> CommandResult {
        if setup.stones.is_empty() && setup.first.is_none() {
            return done();
        }
        let game = state.start().with_stones(&setup.stones, setup.first());
        state.game = game.map_err(|error| format!("illegal setup: {error}"))?;
        self.setup = setup;
        done()
    }

    /// Stones of the first player; the second is to move.
    pub(super) fn set_handicap(
        &mut self,
        state: &mut SessionState,
        vertices: &[String],
    ) -> CommandResult {
        if !self.plays.is_empty() || !self.setup.stones.is_empty() {
            return Err("board not empty".to_owned());
        }
        let mut setup = StartingStones { first: Some(Color::White), ..StartingStones::default() };
        for text in vertices {
            let cell = self
                .codec
                .cell(&state.game, text)
                .map_err(|_| format!("bad vertex list: {text}"))?;
            if setup.stones.insert(cell, StoneColor(0)).is_some() {
                return Err(format!("bad vertex list: {text} twice"));
            }
        }
        self.begin_with(state, setup)
    }

    /// Stones where a Go board has them.
    pub(super) fn place_handicap(&mut self, state: &mut SessionState, count: u32) -> CommandResult {
        let points = state.game.grid().and_then(|grid| handicap(grid, count));
        let Some((board, points)) = Board::of(&state.game).zip(points) else {
            return Err("invalid number of stones".to_owned());
        };
        let texts: Vec<String> =
            points.into_iter().map(|cell| board.vertex(cell).to_string()).collect();
        self.set_handicap(state, &texts)?;
        success(texts.join(" "))
    }
}

/// Plays moves, all or none, and returns how many there were.
fn play_all(game: &mut Game, moves: &[Move]) -> Result<usize, String> {
    for (index, &mv) in moves.iter().enumerate() {
        if let Err(reason) = game.check_move(mv) {
            for _ in 0..index {
                game.undo();
            }
            return Err(format!("illegal move: {reason}"));
        }
        game.play_move(mv).map_err(|error| error.to_string())?;
    }
    Ok(moves.len())
}

/// The points of 2 to 9 handicap stones, as GTP version 2 has them.
fn handicap(grid: Grid, count: u32) -> Option<Vec<Cell>> {
    let side = grid.columns();
    if side != grid.rows() || side < 7 || !(2..=9).contains(&count) {
        return None;
    }
    let near = if side < 13 { 2 } else { 3 };
    let (far, middle) = (side - 1 - near, side / 2);
    if count > 4 && (side.is_multiple_of(2) || side == 7) {
        return None;
    }
    let mut points = vec![(near, near), (far, far), (far, near), (near, far)];
    points.truncate(count as usize);
    if count > 5 {
        points.extend([(near, middle), (far, middle)]);
    }
    if count > 7 {
        points.extend([(middle, near), (middle, far)]);
    }
    if count > 4 && !count.is_multiple_of(2) {
        points.push((middle, middle));
    }
    Some(points.into_iter().map(|(column, row)| grid.at(column, row)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handicap_stones_are_as_many_as_asked_for() {
        let grid = Grid::new(19, 19).unwrap();
        for count in 2..=9 {
            let mut points = handicap(grid, count).unwrap();
            points.sort_unstable();
            points.dedup();
            assert_eq!(points.len(), count as usize);
        }
        assert_eq!(handicap(grid, 1), None);
        assert_eq!(handicap(grid, 10), None);
        assert_eq!(handicap(Grid::new(8, 8).unwrap(), 5), None);
        assert_eq!(handicap(Grid::new(5, 5).unwrap(), 2), None);
    }
}
