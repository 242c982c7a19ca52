//! The lines that decided a game.

use super::Game;
use pentarch_core::game::{Cell, Color, EndReason};

/// The axes of a board of squares.
const SQUARE_AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
/// The axes of a board of hexagons in skewed coordinates.
const HEX_AXES: [(i32, i32); 3] = [(1, 0), (0, 1), (1, 1)];

impl Game {
    /// The stones of the lines that ended the game, in the order of the cells: those that won, or
    /// the short ones that lost. None in a game that is open or ended in another way.
    ///
    /// Lines through a stone of the last move count if there are any; a line that was answered
    /// first, as in `boat-pente`, has none.
    ///
    /// ```
    /// use pentarch_engine::Game;
    /// let mut game = Game::new("gomoku+size=5x5+line=3".parse().unwrap());
    /// for text in ["c3", "a1", "b2", "a2", "d4"] {
    ///     assert!(game.deciding_stones().is_empty());
    ///     game.play(text).unwrap();
    /// }
    /// let line: Vec<_> = game.deciding_stones().iter().map(|&cell| game.cell_text(cell)).collect();
    /// assert_eq!(line, ["b2", "c3", "d4"]);
    /// ```
    pub fn deciding_stones(&self) -> Vec<Cell> {
        let Some(outcome) = self.outcome() else { return Vec::new() };
        let (length, is_winners) = match outcome.reason {
            EndReason::Line => (self.winning_length(), true),
            EndReason::ShortLine => (self.losing_length(), false),
            _ => return Vec::new(),
        };
        let Some(length) = length.map(usize::from) else { return Vec::new() };
        let of_side = |color: &Color| {
            let is_winner = Some(self.side_of(self.seat_of(*color))) == outcome.winner;
            is_winner == is_winners
        };
        let colors = (0..self.seats()).map(Color).filter(of_side);
        let mut lines: Vec<_> = colors.flat_map(|color| self.runs(color, length)).collect();
        let placed: Vec<Cell> = self.changes().iter().map(|change| change.cell).collect();
        let is_fresh = |line: &Vec<Cell>| line.iter().any(|cell| placed.contains(cell));
        if lines.iter().any(is_fresh) {
            lines.retain(is_fresh);
        }
        let mut cells: Vec<Cell> = lines.into_iter().flatten().collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// The stones in a row that win at least.
    pub fn winning_length(&self) -> Option<u8> {
        let squares = self.placement().map(|position| position.rules().line().length());
        squares.or_else(|| self.hexes().map(|position| position.rules().board().line))
    }

    /// The stones in a row that lose, in games that know such rows.
    fn losing_length(&self) -> Option<u8> {
        self.hexes().and_then(|position| position.rules().board().losing_line)
    }

    /// The longest rows of a color that have at least that many stones; power stones count as its
    /// own.
    fn runs(&self, color: Color, least: usize) -> Vec<Vec<Cell>> {
        let own = |cell: &Cell| {
            let content = self.content(*cell);
            content == Some(color) || content == Some(Color::POWER)
        };
        let axes: &[(i32, i32)] = if self.grid().is_some() { &SQUARE_AXES } else { &HEX_AXES };
        let mut runs = Vec::new();
        for &axis in axes {
            for cell in self.cells().into_iter().filter(own) {
                if self.step(cell, axis, -1).as_ref().is_some_and(own) {
                    continue;
                }
                let on = |n| self.step(cell, axis, n).filter(own);
                let run: Vec<Cell> = (0..).map_while(on).collect();
                if run.len() >= least {
                    runs.push(run);
                }
            }
        }
        runs
    }

    /// The cell that many steps along an axis.
    fn step(&self, cell: Cell, (dx, dy): (i32, i32), n: i32) -> Option<Cell> {
        if let Some(grid) = self.grid() {
            let (column, row) = (i32::from(grid.column(cell)), i32::from(grid.row(cell)));
            return grid.get(column + n * dx, row + n * dy);
        }
        let grid = self.hex_grid()?;
        let column = i32::from(grid.skewed_column(cell)) + n * dx;
        let row = i32::from(grid.row(cell)) + n * dy;
        grid.at_skewed(u32::try_from(row).ok()?, u32::try_from(column).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deciding(spec: &str, moves: &str) -> String {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves.split(' ') {
            game.play(text).unwrap();
        }
        let labels = game.deciding_stones().into_iter().map(|cell| game.cell_text(cell));
        labels.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_line_that_won_is_found() {
        let five = "h8 a1 i8 a3 j8 a5 k8 a7";
        assert_eq!(deciding("gomoku", &format!("{five} l8")), "h8 i8 j8 k8 l8");
        assert_eq!(deciding("gomoku", five), "");
        // Both lines of a double one, and no other stone.
        let two = "e1 a1 d2 a3 c3 a5 b4 a7 a9 j1 b9 j3 c9 j5 d9 j7 e9";
        assert_eq!(deciding("gomoku", two), "a9 b9 c9 d9 e9");
        assert_eq!(deciding("gomoku+line=3", "a3 j1 b2 j3 c1"), "c1 b2 a3");
    }

    #[test]
    fn rows_of_hexagons_are_followed_in_three_directions() {
        for (moves, line) in [
            ("a1 g3 a2 g5 a4 g7 a5 g9 a3", "a1 a2 a3 a4 a5"),
            ("a1 g3 b1 g5 c1 g7 d1 g9 e1", "a1 b1 c1 d1 e1"),
            ("a1 g3 b2 g5 c3 g7 d4 g9 e5", "a1 b2 c3 d4 e5"),
        ] {
            assert_eq!(deciding("pentalath", moves), line);
        }
        // Three in a row lose: those of the loser.
        assert_eq!(deciding("yavalath", "a1 i1 a2 i3 a3"), "a1 a2 a3");
    }

    #[test]
    fn a_game_that_captures_decide_has_no_line() {
        let mut game = Game::new("pente+goal=3".parse().unwrap());
        let moves = "j10 k10 a1 l10 m10 k12 a3 k11 k13 a7 k10 g12 a5 g11 g13 c7 g10";
        for text in moves.split(' ') {
            game.play(text).unwrap();
        }
        assert_eq!(game.outcome().unwrap().reason, EndReason::Captures);
        assert!(game.deciding_stones().is_empty());
    }
}
