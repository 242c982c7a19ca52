//! Texts of tiles, five points with commas (`c4,c5,c6,d4,d5`, by column, then by row), and of
//! positions: one line that holds the whole state. The grammar is in the protocol crate's `SPEC.md`.

use super::{OrientedTile, Pentomino, PlacedTile, Position, Spot, SpotError};
use crate::game::{
    Cell, Color, Field, Move, MoveKind, Position as _, PositionTextError, fields, parse_color,
    parse_no_captures,
};
use crate::rules::TileRules;

/// Why a text is not a tile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileTextError {
    /// A number of points other than five.
    #[error("a tile is five points with commas, such as `c4,c5,c6,d4,d5`; {0} found")]
    Count(usize),
    /// A text that is not a point.
    #[error(transparent)]
    Spot(#[from] SpotError),
    /// A point that is named twice.
    #[error("{0} is named twice")]
    Twice(Spot),
    /// Five points that are not connected by edges.
    #[error("these five points are no pentomino: they must hang together by their edges")]
    NoTile,
}

/// Reads a tile from its points in any order. Case is ignored. The tile need not be legal.
///
/// `tile = point , "," , point , "," , point , "," , point , "," , point ;`
pub(super) fn parse_tile(text: &str) -> Result<Move, TileTextError> {
    let count = text.split(',').count();
    if count != 5 {
        return Err(TileTextError::Count(count));
    }
    let mut spots = [Spot { column: 0, row: 0 }; 5];
    for (spot, point) in spots.iter_mut().zip(text.split(',')) {
        *spot = point.parse()?;
    }
    spots.sort_unstable();
    if let Some(twice) = spots.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(TileTextError::Twice(twice[0]));
    }
    let left = spots.iter().map(|spot| spot.column).min().unwrap_or(0);
    let low = spots.iter().map(|spot| spot.row).min().unwrap_or(0);
    let cells = spots.map(|spot| (spot.column - left, spot.row - low));
    let orientation = OrientedTile::find(cells).ok_or(TileTextError::NoTile)?;
    Ok(Move::tile(orientation, Spot { column: left, row: low }.place()))
}

/// The text of a tile or of a word; empty for stones and for tiles that are not on the table.
fn tile_text(mv: Move) -> String {
    let MoveKind::Tile(orientation, place) = mv.kind() else {
        return mv.kind().word().unwrap_or_default().to_owned();
    };
    let Some(spot) = Spot::at(place) else { return String::new() };
    let cells = OrientedTile::of(orientation).cells.iter();
    let points = cells.map(|&(dx, dy)| {
        Spot { column: spot.column.saturating_add(dx), row: spot.row.saturating_add(dy) }
            .to_string()
    });
    points.collect::<Vec<_>>().join(",")
}

impl Position {
    /// Reads a move in canonical text. It need not be legal.
    pub fn parse_move(&self, text: &str) -> Result<Move, TileTextError> {
        match MoveKind::from_word(text) {
            Some(kind) => Ok(kind.into()),
            None => parse_tile(text),
        }
    }

    /// Reads a move. The notation of cells does not affect tiles.
    pub fn parse_move_by<E: From<TileTextError>>(
        &self,
        text: &str,
        _: impl Fn(&str) -> Result<Cell, E>,
    ) -> Result<Move, E> {
        Ok(self.parse_move(text)?)
    }

    /// The canonical text of a move.
    pub fn move_text(&self, mv: Move) -> String {
        tile_text(mv)
    }

    /// The text of a move. The notation of cells does not affect tiles.
    pub fn move_text_by(&self, mv: Move, _: impl Fn(Cell) -> String) -> String {
        tile_text(mv)
    }
}

/// The tiles in an order that depends only on their places and in which each touches or rests on earlier
/// ones: by level, then by cells; on the table each is the first that touches an earlier one.
fn in_text_order(position: &Position) -> Vec<PlacedTile> {
    let mut rest: Vec<PlacedTile> = position.tiles().collect();
    rest.sort_by_cached_key(|placed| (placed.level, placed.cells().collect::<Vec<_>>()));
    let mut ordered: Vec<PlacedTile> = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let on_table = |placed: &PlacedTile| placed.level == 1;
        let touches = |placed: &PlacedTile| ordered.iter().any(|&other| share_edge(*placed, other));
        let next = rest.iter().position(|tile| !on_table(tile) || touches(tile)).unwrap_or(0);
        // All tiles on the table come before those of higher levels.
        let next = if on_table(&rest[next]) || !on_table(&rest[0]) { next } else { 0 };
        ordered.push(rest.remove(next));
    }
    ordered
}

/// Whether two tiles share an edge as seen from above.
fn share_edge(one: PlacedTile, other: PlacedTile) -> bool {
    let near = |a: Spot, b: Spot| a.column.abs_diff(b.column) + a.row.abs_diff(b.row) == 1;
    one.cells().any(|a| other.cells().any(|b| near(a, b)))
}

impl Position {
    /// Writes the position, without the history that led to it.
    pub fn text(&self) -> String {
        let names = self.rules().color_names();
        let tile = |placed: PlacedTile| {
            format!("{}:{}", names.letter(placed.color), tile_text(placed.as_move()))
        };
        let tiles: Vec<_> = in_text_order(self).into_iter().map(tile).collect();
        let board = if tiles.is_empty() { "-".to_owned() } else { tiles.join("/") };
        format!("{board} {} - - {}", names.letter(self.color_to_move()), self.ply() + 1)
    }

    /// Reads a position of these rules. It has no history, so its first move cannot be undone.
    pub fn from_text(rules: TileRules, text: &str) -> Result<Position, PositionTextError> {
        Position::new(rules).with_text(text)
    }

    /// Reads another position of the same rules.
    pub fn with_text(&self, text: &str) -> Result<Position, PositionTextError> {
        let [board, color, captures, stage, ply] = fields(text)?;
        let mut position = Position::new(self.rules().as_ref().clone());
        let tiles = if board == "-" { "" } else { board };
        for (index, tile) in tiles.split('/').filter(|_| !tiles.is_empty()).enumerate() {
            position.set_up_tile(index + 1, tile)?;
        }
        position.check_room()?;
        position.check_turn(color)?;
        parse_no_captures(captures)?;
        if stage != "-" {
            return Field::Stage.wrong("expected `-`, the game has no stages");
        }
        let next = position.ply() + 1;
        if ply.bytes().any(|byte| !byte.is_ascii_digit()) || ply.parse() != Ok(next) {
            let tiles = position.ply();
            return Field::Ply.wrong(format!("expected {next}, as {tiles} tiles lie on the table"));
        }
        position.fix_tiles();
        Ok(position)
    }

    /// `tile = color , ":" , point , "," , point , "," , point , "," , point , "," , point ;`
    fn set_up_tile(&mut self, number: usize, text: &str) -> Result<(), PositionTextError> {
        let refuse = |why: String| Field::Board.wrong(format!("tile {number}: {why}"));
        let mut letters = text.chars();
        let color = letters.next().and_then(|letter| self.rules().color_names().color(letter));
        let (Some(color), Some(points)) = (color, letters.as_str().strip_prefix(':')) else {
            return refuse("expected `w:` or `b:` and five points".to_owned());
        };
        let mv = match parse_tile(points) {
            Ok(mv) => mv,
            Err(error) => return refuse(error.to_string()),
        };
        let MoveKind::Tile(orientation, place) = mv.kind() else { return Ok(()) };
        let Some(spot) = Spot::at(place) else { return Ok(()) };
        let level = match self.check_support(orientation, spot) {
            Ok(level) => level,
            Err(why) => return refuse(why.to_string()),
        };
        let placed = PlacedTile { orientation, spot, level, color };
        let shape = placed.oriented().shape;
        if self.shapes_left(color) >> shape.index() & 1 == 0 {
            return refuse(format!("the {shape} tile of this color lies there already"));
        }
        self.put(placed);
        Ok(())
    }

    /// Tests that no tile that is left can leave the table.
    fn check_room(&self) -> Result<(), PositionTextError> {
        let Some((low, high)) = self.bounds() else { return Ok(()) };
        let left = |color| {
            let left = self.shapes_left(color);
            let shapes = Pentomino::all().filter(move |shape| left >> shape.index() & 1 != 0);
            shapes.map(|shape| u32::from(shape.longer_side())).sum::<u32>()
        };
        let reach = left(Color(0)) + left(Color(1));
        let side = u32::from(Spot::SIDE);
        let near = u32::from(low.column.min(low.row)) < reach;
        let far = u32::from(high.column.max(high.row)) + reach >= side;
        if near || far {
            return Field::Board
                .wrong("the tiles lie too near to the edge of the table; begin at cg85");
        }
        Ok(())
    }

    fn check_turn(&self, text: &str) -> Result<(), PositionTextError> {
        let names = self.rules().color_names();
        let placed = |color| Pentomino::COUNT as u32 - self.shapes_left(color).count_ones();
        let (first, second) = (placed(Color(0)), placed(Color(1)));
        if first != second && first != second + 1 {
            let [name, other] = [names.names()[0], names.names()[1]];
            return Field::Board.wrong(format!(
                "{first} tiles of {name} and {second} of {other}: they alternate, {name} begins"
            ));
        }
        let due = self.color_to_move();
        if parse_color(text, &names.letters(2))? != due.0 {
            let name = names.name(due);
            return Field::Color.wrong(format!("with these tiles it is {name}'s turn"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_read_in_any_order_and_case() {
        let mv = parse_tile("D5,c6,C4,d4,c5").unwrap();
        assert_eq!(tile_text(mv), "c4,c5,c6,d4,d5");
        assert_eq!(parse_tile(&tile_text(mv)), Ok(mv));
        // By column number and row number, not by letters.
        let mv = parse_tile("aa9,z9,aa10,ab9,z10").unwrap();
        assert_eq!(tile_text(mv), "z9,z10,aa9,aa10,ab9");
    }

    #[test]
    fn what_is_no_tile() {
        for (text, error) in [
            ("", "a tile is five points with commas, such as `c4,c5,c6,d4,d5`; 1 found"),
            ("j10", "a tile is five points with commas, such as `c4,c5,c6,d4,d5`; 1 found"),
            (
                "a1,a2,a3,a4,a5,a6",
                "a tile is five points with commas, such as `c4,c5,c6,d4,d5`; 6 found",
            ),
            ("a1,a2,a3,a4,a4", "a4 is named twice"),
            (
                "a1,a2,a3,a4,b5",
                "these five points are no pentomino: they must hang together by their edges",
            ),
            (
                "a1,a2,a3,a4,",
                "`` is no point: expected column letters and a row number, such as `cg85`",
            ),
            ("a1,a2,a3,a4,a169", "`a169` is not on the table: its last point is `fl168`"),
        ] {
            assert_eq!(parse_tile(text).unwrap_err().to_string(), error);
        }
    }
}
