//! Canonical texts of tiles: five points with commas, `c4,c5,c6,d4,d5`, by column, then by row.

use super::{Oriented, Position, Spot, SpotError};
use crate::game::{Cell, Move, MoveKind};

/// A text that is no tile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileTextError {
    /// Not five points.
    #[error("a tile is five points with commas, such as `c4,c5,c6,d4,d5`; {0} found")]
    Count(usize),
    /// One of them is no point.
    #[error(transparent)]
    Spot(#[from] SpotError),
    /// A point twice.
    #[error("{0} is named twice")]
    Twice(Spot),
    /// Five points that do not hang together by edges.
    #[error("these five points are no pentomino: they must hang together by their edges")]
    NoTile,
}

/// Reads a tile: its points in any order, in either case. It need not be legal.
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
    let orientation = Oriented::find(cells).ok_or(TileTextError::NoTile)?;
    Ok(Move::tile(orientation, Spot { column: left, row: low }.place()))
}

/// The canonical text of a tile or of a word; empty for stones and for a tile that is not on the
/// table.
pub fn canonical(mv: Move) -> String {
    let MoveKind::Tile(orientation, place) = mv.kind() else {
        return mv.kind().word().unwrap_or_default().to_owned();
    };
    let Some(spot) = Spot::at(place) else { return String::new() };
    let cells = Oriented::of(orientation).cells.iter();
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

    /// Reads a move; tiles have the same texts whatever the convention for cells.
    pub fn parse_move_by<E: From<TileTextError>>(
        &self,
        text: &str,
        _: impl Fn(&str) -> Result<Cell, E>,
    ) -> Result<Move, E> {
        Ok(self.parse_move(text)?)
    }

    /// The canonical text of a move.
    pub fn move_text(&self, mv: Move) -> String {
        canonical(mv)
    }

    /// The text of a move; tiles have the same texts whatever the convention for cells.
    pub fn move_text_by(&self, mv: Move, _: impl Fn(Cell) -> String) -> String {
        canonical(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_read_in_any_order_and_case() {
        let mv = parse_tile("D5,c6,C4,d4,c5").unwrap();
        assert_eq!(canonical(mv), "c4,c5,c6,d4,d5");
        assert_eq!(parse_tile(&canonical(mv)), Ok(mv));
        // By column number and row number, not by letters.
        let mv = parse_tile("aa9,z9,aa10,ab9,z10").unwrap();
        assert_eq!(canonical(mv), "z9,z10,aa9,aa10,ab9");
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
