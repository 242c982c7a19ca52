//! Games that begin with stones on the board.

use super::Game;
use pentarch_core::game::{Cell, Color, PositionTextError, rows_text};
use std::collections::BTreeMap;

impl Game {
    /// Another game of the same rules that begins with these stones, which color is to move
    /// first, and nothing captured. Nobody asks how the stones came there; where they are none that
    /// the opening allows, the game begins after it.
    pub fn with_stones(
        &self,
        stones: &BTreeMap<Cell, Color>,
        first: Color,
    ) -> Result<Game, PositionTextError> {
        let start = Game::new(self.rules().clone());
        if stones.is_empty() && first == start.color_to_move() {
            return Ok(start);
        }
        let text = start.text();
        let captures = text.split(' ').nth(2).unwrap_or("-");
        let board = self.board_text(stones);
        let letter = self.rules().color_names().letter(first);
        // Plies that are the color's own if everyone has one in turn, then any other.
        let least = stones.len() as u32 + 1;
        let seats = u32::from(self.seats());
        let mut plies: Vec<u32> = (least..least + 2 * seats).collect();
        plies.sort_by_key(|ply| (ply - 1) % seats != u32::from(first.0));
        let text = |ply: u32| format!("{board} {letter} {captures} - {ply}");
        let mut games = plies.iter().map(|&ply| self.with_text(&text(ply)));
        let nearest = games.next().unwrap_or_else(|| self.with_text(&text(least)));
        nearest.or_else(|error| games.find_map(Result::ok).ok_or(error))
    }

    /// The first field of a position text: rows from the top.
    fn board_text(&self, stones: &BTreeMap<Cell, Color>) -> String {
        let Some(grid) = self.grid() else { return String::new() };
        let palette = self.rules().color_names();
        let letter = |cell| stones.get(&cell).map(|&color| palette.letter(color));
        let rows = (0..grid.rows()).rev();
        rows_text(rows.map(|row| (0..grid.columns()).map(move |c| letter(grid.at(c, row)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_set_and_the_turn_follows() {
        let start = Game::new("gomoku+size=5".parse().unwrap());
        let stones = BTreeMap::from([(Cell(0), Color(0)), (Cell(24), Color(1))]);
        for (first, text) in [(Color(0), "4w/5/5/5/b4 b - - 3"), (Color(1), "4w/5/5/5/b4 w - - 4")]
        {
            assert_eq!(start.with_stones(&stones, first).unwrap().text(), text);
        }
        let none = BTreeMap::new();
        assert_eq!(start.with_stones(&none, Color(0)).unwrap().text(), start.text());
        assert_eq!(start.with_stones(&none, Color(1)).unwrap().to_move().index(), 1);
    }

    #[test]
    fn stones_that_the_opening_forbids_begin_the_game_after_it() {
        let start = Game::new("pro-pente".parse().unwrap());
        for (count, ply) in [(1, 1), (2, 3)] {
            let stones = (0..count).map(|cell| (Cell(cell), Color(0))).collect();
            assert_eq!(start.with_stones(&stones, Color(1)).unwrap().ply(), ply);
        }
    }

    #[test]
    fn stones_that_have_won_already_are_refused() {
        let start = Game::new("gomoku".parse().unwrap());
        let stones: BTreeMap<_, _> = (0..5).map(|cell| (Cell(cell), Color(1))).collect();
        let won = start.with_stones(&stones, Color(1)).unwrap_err();
        assert!(won.to_string().contains("board"), "{won}");
    }
}
