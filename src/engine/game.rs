//! [`Game`], a game of any variant with its moves, and the only dispatch over the families of games.

use crate::eval::{Threat, threats};
use pentarch_core::board::{Grid, HexGrid, StoneTextError};
use pentarch_core::game::{
    Cell, Change, Color, EndReason, Move, MoveList, Outcome, Position as _, PositionTextError,
    Seat, Side, perft_until, rows_text,
};
use pentarch_core::rules::{BoardRules, Ruleset};
use pentarch_core::{hexes, placement, stacking};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The directions of lines on a board of squares, as steps of column and row.
const SQUARE_AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
/// The directions of lines on a board of hexagons, in skewed coordinates.
const HEX_AXES: [(i32, i32); 3] = [(1, 0), (0, 1), (1, 1)];

/// A game of any variant: its rules, its starting position and the moves played from there.
///
/// ```
/// use pentarch_engine::Game;
/// let mut game = Game::new("pro-pente".parse().unwrap());
/// game.play("j10").unwrap();
/// game.play("k10").unwrap();
/// let error = game.play("j11").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "illegal move `j11`: this stone must keep a distance of 3 or more from the center",
/// );
/// assert_eq!(game.moves().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Ruleset>,
    position: Family,
}

/// The position of a game, by family of games.
#[derive(Clone, Debug)]
pub(super) enum Family {
    Placement(Box<placement::Position>),
    Stacking(Box<stacking::Position>),
    Hexes(Box<hexes::Position>),
}

/// Evaluates an expression with the position of any family. The macro serves methods that all position types
/// have, with different error types.
macro_rules! with_position {
    ($family:expr, $position:ident => $body:expr) => {
        match $family {
            Family::Placement($position) => $body,
            Family::Stacking($position) => $body,
            Family::Hexes($position) => $body,
        }
    };
}

/// Implements the conversion of a position type to [`Family`].
macro_rules! family {
    ($position:ty, $family:ident) => {
        impl From<$position> for Family {
            fn from(position: $position) -> Family {
                Family::$family(Box::new(position))
            }
        }
    };
}

family!(placement::Position, Placement);
family!(stacking::Position, Stacking);
family!(hexes::Position, Hexes);

/// Why a text is not a move of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// In a game of stones on squares or hexagons.
    #[error(transparent)]
    Stone(#[from] StoneTextError),
    /// In a game of tiles.
    #[error(transparent)]
    Tile(#[from] stacking::TileTextError),
}

/// Why a move is illegal, by family of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// On squares.
    #[error(transparent)]
    Square(#[from] placement::IllegalPlacement),
    /// On hexagons.
    #[error(transparent)]
    Hex(#[from] hexes::IllegalHexMove),
    /// In a game of tiles.
    #[error(transparent)]
    Tile(#[from] stacking::IllegalTileMove),
}

/// Why a move was not played. The game has not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The text is not a move.
    #[error("illegal move `{}`: {}", shorten(.0), .1)]
    Text(String, MoveTextError),
    /// The move is illegal in this position.
    #[error("illegal move `{}`: {}", shorten(.0), .1)]
    Illegal(String, IllegalMove),
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Game {
    /// Returns the start of a game.
    pub fn new(rules: Ruleset) -> Game {
        let position = match *rules.board() {
            BoardRules::Squares(board) => placement::Position::new(rules.on(board)).into(),
            BoardRules::Hexes(board) => hexes::Position::new(rules.on(board)).into(),
            BoardRules::Tiles(board) => stacking::Position::new(rules.on(board)).into(),
        };
        Game { rules: Arc::new(rules), position }
    }

    /// Returns a game that starts at the position of a text.
    pub fn from_text(rules: Ruleset, text: &str) -> Result<Game, PositionTextError> {
        Game::new(rules).with_text(text)
    }

    /// Returns a game of the same rules that starts at the position of a text.
    pub fn with_text(&self, text: &str) -> Result<Game, PositionTextError> {
        let position = with_position!(&self.position, position => position.with_text(text)?.into());
        Ok(Game { rules: Arc::clone(&self.rules), position })
    }

    /// Returns a game of the same rules that starts with these stones on the board of squares, the color `first`
    /// to move and no captures. The stones need not be reachable by legal moves. If the opening rules do
    /// not allow them, the game starts at the first later ply that is valid.
    ///
    /// Fails if no ply makes the position valid, for example if the stones contain a winning line.
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
        // The plies of this color if the seats alternate come first.
        let least = stones.len() as u32 + 1;
        let seats = u32::from(self.seats());
        let mut plies: Vec<u32> = (least..least + 2 * seats).collect();
        plies.sort_by_key(|ply| (ply - 1) % seats != u32::from(first.0));
        let text = |ply: u32| format!("{board} {letter} {captures} - {ply}");
        let mut games = plies.iter().map(|&ply| self.with_text(&text(ply)));
        let nearest = games.next().unwrap_or_else(|| self.with_text(&text(least)));
        nearest.or_else(|error| games.find_map(Result::ok).ok_or(error))
    }

    /// Returns the first field of a position text, which lists the rows from the top.
    fn board_text(&self, stones: &BTreeMap<Cell, Color>) -> String {
        let Some(grid) = self.grid() else { return String::new() };
        let names = self.rules().color_names();
        let letter = |cell| stones.get(&cell).map(|&color| names.letter(color));
        let rows = (0..grid.rows()).rev();
        rows_text(rows.map(|row| (0..grid.columns()).map(move |c| letter(grid.at(c, row)))))
    }

    pub(super) fn family(&self) -> &Family {
        &self.position
    }

    /// Returns the position of a game of stones on squares.
    pub fn placement(&self) -> Option<&placement::Position> {
        if let Family::Placement(position) = &self.position { Some(position) } else { None }
    }

    /// Returns the position of a game of tiles.
    pub fn stacking(&self) -> Option<&stacking::Position> {
        if let Family::Stacking(position) = &self.position { Some(position) } else { None }
    }

    /// Returns the position of a game on hexagons.
    pub fn hexes(&self) -> Option<&hexes::Position> {
        if let Family::Hexes(position) = &self.position { Some(position) } else { None }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Returns the board of a game on squares.
    pub fn grid(&self) -> Option<Grid> {
        self.placement().map(placement::Position::grid)
    }

    /// Returns the board of a game on hexagons.
    pub fn hex_grid(&self) -> Option<HexGrid> {
        self.hexes().map(hexes::Position::grid)
    }

    /// Returns the label of a cell, such as `j10`; empty in games of tiles.
    pub fn cell_text(&self, cell: Cell) -> String {
        with_position!(&self.position, position => position.label(cell))
    }

    /// Returns the color of the stone at a column and row of a board of squares, counted from 0 at the lower left.
    pub fn stone(&self, column: u8, row: u8) -> Option<Color> {
        let position = self.placement()?;
        let cell = position.grid().get(column.into(), row.into())?;
        position.board().content(cell).color()
    }

    /// Returns the color of the stone on a cell.
    pub fn content(&self, cell: Cell) -> Option<Color> {
        with_position!(&self.position, position => position.stone(cell))
    }

    /// Returns the cells of the board in ascending order. Games of tiles, whose table has no edges, have none.
    pub fn cells(&self) -> Vec<Cell> {
        with_position!(&self.position, position => position.cells().collect())
    }

    /// Returns the seat to move.
    pub fn to_move(&self) -> Seat {
        with_position!(&self.position, position => position.to_move())
    }

    /// Returns the number of seats.
    pub fn seats(&self) -> u8 {
        self.rules().seating().seats
    }

    /// Returns the side to which a seat belongs.
    pub fn side_of(&self, seat: Seat) -> Side {
        with_position!(&self.position, position => position.side_of(seat))
    }

    /// Returns the color that the seat to move places.
    pub fn color_to_move(&self) -> Color {
        with_position!(&self.position, position => position.color_to_move())
    }

    /// Returns the seat that plays a color, which a swap opening can change.
    pub fn seat_of(&self, color: Color) -> Seat {
        match &self.position {
            Family::Placement(position) => position.seat_of(color),
            Family::Hexes(position) => position.seat_of(color),
            Family::Stacking(_) => Seat(color.0),
        }
    }

    /// Returns the cells that the last ply changed, in the order of the changes; none in games of tiles.
    pub fn changes(&self) -> &[Change] {
        with_position!(&self.position, position => position.changes())
    }

    /// Whether the next move is the choice of a color in a swap opening.
    pub fn is_choice(&self) -> bool {
        with_position!(&self.position, position => position.is_choice())
    }

    /// Returns the result of the game, or `None` if it is not finished.
    pub fn outcome(&self) -> Option<Outcome> {
        with_position!(&self.position, position => position.outcome())
    }

    /// Returns the number of plies, including those before the starting position.
    pub fn ply(&self) -> u32 {
        with_position!(&self.position, position => position.ply())
    }

    /// Returns the number of captured stones that each color scores.
    pub fn captures(&self) -> Vec<u16> {
        let colors = (0..self.seats()).map(Color);
        with_position!(&self.position, position => colors.map(|c| position.captures(c)).collect())
    }

    /// Returns the moves from the starting position.
    pub fn moves(&self) -> Vec<Move> {
        with_position!(&self.position, position => position.moves().collect())
    }

    /// Returns the legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        with_position!(&self.position, position => position.legal_moves(&mut moves));
        moves
    }

    /// Parses a canonical move text. The move may be illegal.
    pub fn parse_move(&self, text: &str) -> Result<Move, GameError> {
        let parsed = with_position!(
            &self.position,
            position => position.parse_move(text).map_err(MoveTextError::from)
        );
        parsed.map_err(|error| GameError::Text(text.to_owned(), error))
    }

    /// Parses a move whose cells are written in another notation, which `cell` parses. Tiles have one notation.
    pub fn parse_move_by<E>(
        &self,
        text: &str,
        cell: impl Fn(&str) -> Result<Cell, E>,
    ) -> Result<Move, E>
    where
        E: From<StoneTextError> + From<stacking::TileTextError>,
    {
        with_position!(&self.position, position => position.parse_move_by(text, cell))
    }

    /// Returns the text of a move with its cells written by `label`.
    pub fn move_text_by(&self, mv: Move, label: impl Fn(Cell) -> String) -> String {
        with_position!(&self.position, position => position.move_text_by(mv, label))
    }

    /// Returns the threats on the board: fours and threes, open ones as tesseras and trias. Empty except in games of
    /// stones on squares.
    pub fn threats(&self) -> Vec<Threat> {
        self.placement().map(threats).unwrap_or_default()
    }

    /// Returns the canonical text of a move.
    pub fn move_text(&self, mv: Move) -> String {
        with_position!(&self.position, position => position.move_text(mv))
    }

    /// Checks whether a move is legal.
    pub fn check_move(&self, mv: Move) -> Result<(), IllegalMove> {
        with_position!(&self.position, position => position.check(mv).map_err(IllegalMove::from))
    }

    /// Plays a move given as canonical text, and returns it.
    pub fn play(&mut self, text: &str) -> Result<Move, GameError> {
        let mv = self.parse_move(text)?;
        self.play_move(mv)?;
        Ok(mv)
    }

    /// Plays a move.
    pub fn play_move(&mut self, mv: Move) -> Result<(), GameError> {
        let played: Result<(), IllegalMove> = with_position!(
            &mut self.position,
            position => position.try_play(mv).map_err(IllegalMove::from)
        );
        played.map_err(|reason| GameError::Illegal(self.move_text_or_bits(mv), reason))
    }

    /// Returns the text of a move, or its bits if its cell is not on the board.
    fn move_text_or_bits(&self, mv: Move) -> String {
        let cells = self.cells();
        let on_board = mv.cell().is_none_or(|cell| cells.is_empty() || cells.contains(&cell));
        if on_board { self.move_text(mv) } else { format!("{:#x}", mv.bits()) }
    }

    /// Takes the last move back and returns it. `None` if there is no move.
    pub fn undo(&mut self) -> Option<Move> {
        with_position!(&mut self.position, position => position.undo())
    }

    /// Returns the game at its starting position, without moves.
    pub fn start(&self) -> Game {
        let mut start = self.clone();
        while start.undo().is_some() {}
        start
    }

    /// Returns an iterator that replays the moves from the starting position.
    pub fn replay(&self) -> Replay {
        Replay { position: self.start(), moves: self.moves().into_iter() }
    }

    /// Returns the canonical texts of a line of moves that starts at this position. The texts end before the
    /// first illegal move.
    pub fn line_texts(&self, line: &[Move]) -> Vec<String> {
        let mut game = self.clone();
        let mut texts = Vec::with_capacity(line.len());
        for &mv in line {
            // The text of a capture with signs depends on the position.
            let text = game.check_move(mv).map(|()| game.move_text(mv));
            let (Ok(text), Ok(())) = (text, game.play_move(mv)) else { break };
            texts.push(text);
        }
        texts
    }

    /// Returns the cells of the lines that ended the game, in ascending order: the winning lines, or the
    /// shorter lines by which a side lost. Empty if the game is not finished or ended in another way.
    ///
    /// If lines contain a stone of the last move, only those count. In `boat-pente`, where the opponent may
    /// break a line with its next move, the winning line contains none.
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
        let has_last_move = |line: &Vec<Cell>| line.iter().any(|cell| placed.contains(cell));
        if lines.iter().any(has_last_move) {
            lines.retain(has_last_move);
        }
        let mut cells: Vec<Cell> = lines.into_iter().flatten().collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Returns the least length of a winning line; `None` in games of tiles.
    pub fn winning_length(&self) -> Option<u8> {
        let squares = self.placement().map(|position| position.rules().line().length());
        squares.or_else(|| self.hexes().map(|position| position.rules().board().line))
    }

    /// Returns the length of a line that loses, in games that have such lines.
    fn losing_length(&self) -> Option<u8> {
        self.hexes().and_then(|position| position.rules().board().losing_line)
    }

    /// Returns the maximal runs of a color that have at least `least` stones. Power stones belong to every run.
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

    /// Returns the cell `n` steps along an axis.
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

    /// Returns the position as text.
    pub fn text(&self) -> String {
        with_position!(&self.position, position => position.text())
    }

    /// Counts the sequences of legal moves of `depth` plies ([perft](https://www.chessprogramming.org/Perft)).
    /// `None` if `stop` was set.
    pub fn perft(&mut self, depth: u32, stop: &AtomicBool) -> Option<u64> {
        with_position!(&mut self.position, position => perft_until(position.as_mut(), depth, stop))
    }
}

/// An iterator over the moves of a game that also gives the position after each; see [`Game::replay`].
///
/// ```
/// use pentarch_engine::Game;
/// let mut game = Game::new("pente".parse().unwrap());
/// for text in ["j10", "k10", "a1", "l10", "m10"] {
///     game.play(text).unwrap();
/// }
/// let mut replay = game.replay();
/// let mut captured = Vec::new();
/// while replay.next().is_some() {
///     captured.push(replay.position().captures()[0]);
/// }
/// assert_eq!(captured, [0, 0, 0, 0, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    position: Game,
    moves: std::vec::IntoIter<Move>,
}

impl Replay {
    /// Returns the position after the moves returned so far.
    pub fn position(&self) -> &Game {
        &self.position
    }
}

impl Iterator for Replay {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let mv = self.moves.next()?;
        self.position.play_move(mv).ok()?;
        Some(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_stones_sets_the_board_and_the_turn() {
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
    fn stones_that_the_opening_forbids_start_the_game_after_it() {
        let start = Game::new("pro-pente".parse().unwrap());
        for (count, ply) in [(1, 1), (2, 3)] {
            let stones = (0..count).map(|cell| (Cell(cell), Color(0))).collect();
            assert_eq!(start.with_stones(&stones, Color(1)).unwrap().ply(), ply);
        }
    }

    #[test]
    fn with_stones_rejects_a_winning_line() {
        let start = Game::new("gomoku".parse().unwrap());
        let stones: BTreeMap<_, _> = (0..5).map(|cell| (Cell(cell), Color(1))).collect();
        let won = start.with_stones(&stones, Color(1)).unwrap_err();
        assert!(won.to_string().contains("board"), "{won}");
    }

    fn deciding(spec: &str, moves: &str) -> String {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves.split(' ') {
            game.play(text).unwrap();
        }
        let labels = game.deciding_stones().into_iter().map(|cell| game.cell_text(cell));
        labels.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn deciding_stones_are_the_winning_lines() {
        let five = "h8 a1 i8 a3 j8 a5 k8 a7";
        assert_eq!(deciding("gomoku", &format!("{five} l8")), "h8 i8 j8 k8 l8");
        assert_eq!(deciding("gomoku", five), "");
        // Both lines of a double win, and no other stone.
        let two = "e1 a1 d2 a3 c3 a5 b4 a7 a9 j1 b9 j3 c9 j5 d9 j7 e9";
        assert_eq!(deciding("gomoku", two), "a9 b9 c9 d9 e9");
        assert_eq!(deciding("gomoku+line=3", "a3 j1 b2 j3 c1"), "c1 b2 a3");
    }

    #[test]
    fn lines_on_hexagons_have_three_directions() {
        for (moves, line) in [
            ("a1 g3 a2 g5 a4 g7 a5 g9 a3", "a1 a2 a3 a4 a5"),
            ("a1 g3 b1 g5 c1 g7 d1 g9 e1", "a1 b1 c1 d1 e1"),
            ("a1 g3 b2 g5 c3 g7 d4 g9 e5", "a1 b2 c3 d4 e5"),
        ] {
            assert_eq!(deciding("pentalath", moves), line);
        }
        // Three in a row lose. They are the stones of the loser.
        assert_eq!(deciding("yavalath", "a1 i1 a2 i3 a3"), "a1 a2 a3");
    }

    #[test]
    fn a_win_by_captures_has_no_deciding_stones() {
        let mut game = Game::new("pente+goal=3".parse().unwrap());
        let moves = "j10 k10 a1 l10 m10 k12 a3 k11 k13 a7 k10 g12 a5 g11 g13 c7 g10";
        for text in moves.split(' ') {
            game.play(text).unwrap();
        }
        assert_eq!(game.outcome().unwrap().reason, EndReason::Captures);
        assert!(game.deciding_stones().is_empty());
    }
}
