//! The twelve pentominoes, their 63 fixed orientations, and the points of the table on which they lie.

use crate::game::{Color, Move, Orientation, Place, mix};
use std::fmt;

/// A pentomino, numbered from 0 in the order of its usual letter: F I L N P T U V W X Y Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pentomino(u8);

/// A cell of a tile: column and row from the lower left corner of the tile's bounding box.
pub(super) type Offset = (u8, u8);

/// A pentomino in one of its distinct orientations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrientedTile {
    /// The pentomino.
    pub shape: Pentomino,
    /// The cells, by column, then by row.
    pub cells: [Offset; 5],
    /// The columns of the bounding box.
    pub width: u8,
    /// The rows of the bounding box.
    pub height: u8,
}

/// All orientations, ordered by shape.
pub const ORIENTATIONS: [OrientedTile; COUNT] = orientations();

/// The number of orientations (S2: tiles may be flipped).
const COUNT: usize = 63;
const LETTERS: [char; 12] = ['F', 'I', 'L', 'N', 'P', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z'];
/// The index of the first orientation of each shape, followed by the number of orientations.
const FIRST: [u8; 13] = firsts();

/// One orientation of each shape, that of its letter.
const SHAPES: [[Offset; 5]; 12] = [
    [(0, 1), (1, 0), (1, 1), (1, 2), (2, 2)],
    [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)],
    [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)],
    [(0, 0), (0, 1), (1, 1), (1, 2), (1, 3)],
    [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)],
    [(0, 2), (1, 0), (1, 1), (1, 2), (2, 2)],
    [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)],
    [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0)],
    [(0, 1), (0, 2), (1, 0), (1, 1), (2, 0)],
    [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)],
    [(0, 2), (1, 0), (1, 1), (1, 2), (1, 3)],
    [(0, 2), (1, 0), (1, 1), (1, 2), (2, 0)],
];

impl Pentomino {
    /// The number of pentominoes.
    pub const COUNT: usize = 12;

    /// All pentominoes.
    pub fn all() -> impl Iterator<Item = Pentomino> {
        (0..Pentomino::COUNT as u8).map(Pentomino)
    }

    /// The pentomino of a letter. Case is ignored.
    pub fn from_letter(letter: char) -> Option<Pentomino> {
        let index = LETTERS.iter().position(|known| known.eq_ignore_ascii_case(&letter))?;
        Some(Pentomino(index as u8))
    }

    /// The usual letter.
    pub const fn letter(self) -> char {
        LETTERS[self.0 as usize]
    }

    /// The number of the pentomino as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The orientations.
    pub fn orientations(self) -> impl Iterator<Item = Orientation> {
        (FIRST[self.index()]..FIRST[self.index() + 1]).map(Orientation)
    }

    /// The longer side of the bounding box.
    pub(crate) fn longer_side(self) -> u8 {
        let any = &ORIENTATIONS[usize::from(FIRST[self.index()])];
        any.width.max(any.height)
    }
}

impl fmt::Display for Pentomino {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl OrientedTile {
    /// The tile of an orientation; the first one if the number is out of range.
    #[inline]
    pub fn of(orientation: Orientation) -> &'static OrientedTile {
        static TABLE: [OrientedTile; COUNT] = ORIENTATIONS;
        TABLE.get(orientation.index()).unwrap_or(&TABLE[0])
    }

    /// The orientation with these cells in any order, `None` if there is none.
    pub fn find(mut cells: [Offset; 5]) -> Option<Orientation> {
        cells.sort_unstable();
        let index = ORIENTATIONS.iter().position(|oriented| oriented.cells == cells)?;
        Some(Orientation(index as u8))
    }
}

/// The cells of a tile in one of eight ways, in order and with the bounding box at the origin: bits 0 and 1
/// mirror columns and rows, bit 2 transposes.
const fn turned(cells: [Offset; 5], way: u8) -> [Offset; 5] {
    let mut turned = cells;
    let mut n = 0;
    while n < 5 {
        let (mut x, mut y) = cells[n];
        if way & 1 != 0 {
            x = 4 - x;
        }
        if way & 2 != 0 {
            y = 4 - y;
        }
        turned[n] = if way & 4 != 0 { (y, x) } else { (x, y) };
        n += 1;
    }
    sorted(at_origin(turned))
}

const fn at_origin(mut cells: [Offset; 5]) -> [Offset; 5] {
    let (mut left, mut low) = (u8::MAX, u8::MAX);
    let mut n = 0;
    while n < 5 {
        if cells[n].0 < left {
            left = cells[n].0;
        }
        if cells[n].1 < low {
            low = cells[n].1;
        }
        n += 1;
    }
    n = 0;
    while n < 5 {
        cells[n] = (cells[n].0 - left, cells[n].1 - low);
        n += 1;
    }
    cells
}

const fn code(cell: Offset) -> u16 {
    cell.0 as u16 * 8 + cell.1 as u16
}

const fn sorted(mut cells: [Offset; 5]) -> [Offset; 5] {
    let mut end = 4;
    while end > 0 {
        let mut n = 0;
        while n < end {
            if code(cells[n]) > code(cells[n + 1]) {
                (cells[n], cells[n + 1]) = (cells[n + 1], cells[n]);
            }
            n += 1;
        }
        end -= 1;
    }
    cells
}

const fn same(a: &[Offset; 5], b: &[Offset; 5]) -> bool {
    let mut n = 0;
    while n < 5 {
        if code(a[n]) != code(b[n]) {
            return false;
        }
        n += 1;
    }
    true
}

const fn orientations() -> [OrientedTile; COUNT] {
    let empty = OrientedTile { shape: Pentomino(0), cells: [(0, 0); 5], width: 0, height: 0 };
    let mut all = [empty; COUNT];
    let (mut count, mut shape) = (0, 0);
    while shape < Pentomino::COUNT {
        let first = count;
        let mut way = 0;
        while way < 8 {
            let cells = turned(SHAPES[shape], way);
            let mut known = false;
            let mut n = first;
            while n < count {
                known |= same(&all[n].cells, &cells);
                n += 1;
            }
            if !known {
                all[count] = oriented(Pentomino(shape as u8), cells);
                count += 1;
            }
            way += 1;
        }
        shape += 1;
    }
    assert!(count == COUNT);
    all
}

const fn oriented(shape: Pentomino, cells: [Offset; 5]) -> OrientedTile {
    let (mut width, mut height) = (0, 0);
    let mut n = 0;
    while n < 5 {
        if cells[n].0 >= width {
            width = cells[n].0 + 1;
        }
        if cells[n].1 >= height {
            height = cells[n].1 + 1;
        }
        n += 1;
    }
    OrientedTile { shape, cells, width, height }
}

const fn firsts() -> [u8; 13] {
    let all = orientations();
    let mut first = [COUNT as u8; 13];
    let mut n = COUNT;
    while n > 0 {
        n -= 1;
        first[all[n].shape.index()] = n as u8;
    }
    first
}

/// A point of the table. The rules have no edge; texts and moves use a table of
/// [`Spot::SIDE`] x [`Spot::SIDE`], which no game that begins in its middle can leave.
///
/// ```
/// use pentarch_core::stacking::Spot;
/// let spot: Spot = "CG85".parse().unwrap();
/// assert_eq!((spot.column, spot.row), (84, 84));
/// assert_eq!(spot.to_string(), "cg85");
/// assert!("fm1".parse::<Spot>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// The column, from 0 at the left.
    pub column: u8,
    /// The row, from 0 at the bottom.
    pub row: u8,
}

/// Why a text does not name a point of the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpotError {
    /// Not column letters and a row number.
    #[error("`{0}` is no point: expected column letters and a row number, such as `cg85`")]
    Malformed(String),
    /// A point beyond the last column or row.
    #[error("`{0}` is not on the table: its last point is `fl168`")]
    OffTable(String),
}

const ALPHABET: u32 = 26;

impl Spot {
    /// The number of columns and of rows of the table.
    pub const SIDE: u8 = 168;

    /// The spot at a column and a row, `None` if it is not on the table.
    pub fn new(column: i32, row: i32) -> Option<Spot> {
        let inside = |n: i32| (0..i32::from(Spot::SIDE)).contains(&n);
        (inside(column) && inside(row)).then_some(Spot { column: column as u8, row: row as u8 })
    }

    /// The spot as the number of a place in a move.
    #[inline]
    pub const fn place(self) -> Place {
        Place(self.row as u16 * Spot::SIDE as u16 + self.column as u16)
    }

    /// The spot of a number, `None` if it is not on the table.
    #[inline]
    pub fn at(place: Place) -> Option<Spot> {
        let side = u16::from(Spot::SIDE);
        Spot::new(i32::from(place.0 % side), i32::from(place.0 / side))
    }

    /// The name of a column: `a` to `z`, `aa` to `az`, `ba` and so on; no letter is skipped.
    pub fn column_name(column: u8) -> String {
        let letter = |n: u32| char::from(b'a' + (n % ALPHABET) as u8);
        let column = u32::from(column);
        match (column / ALPHABET).checked_sub(1) {
            None => letter(column).to_string(),
            Some(first) => String::from_iter([letter(first), letter(column)]),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Spot::column_name(self.column), u16::from(self.row) + 1)
    }
}

impl std::str::FromStr for Spot {
    type Err = SpotError;

    /// `point = letter , [ letter ] , natural ;`. Case is ignored.
    fn from_str(text: &str) -> Result<Spot, SpotError> {
        let malformed = || SpotError::Malformed(text.chars().take(20).collect());
        let end = text.find(|c: char| !c.is_ascii_alphabetic()).ok_or_else(malformed)?;
        let (letters, digits) = text.split_at(end);
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        if letters.is_empty() || !plain || digits.len() > 9 {
            return Err(malformed());
        }
        let off = || SpotError::OffTable(text.chars().take(20).collect());
        let column = letters.bytes().take(4).fold(0, |sum, letter| {
            sum * ALPHABET as i32 + i32::from(letter.to_ascii_lowercase() - b'a') + 1
        });
        let row: i32 = digits.parse().map_err(|_| malformed())?;
        Spot::new(column - 1, row - 1).ok_or_else(off)
    }
}

/// A tile on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedTile {
    /// The pentomino and its orientation.
    pub orientation: Orientation,
    /// The lower left corner of the bounding box.
    pub spot: Spot,
    /// The level, from 1.
    pub level: u8,
    /// The color of the player who placed it.
    pub color: Color,
}

impl PlacedTile {
    /// The move that placed it.
    pub fn as_move(self) -> Move {
        Move::tile(self.orientation, self.spot.place())
    }

    /// The oriented pentomino.
    pub fn oriented(self) -> &'static OrientedTile {
        OrientedTile::of(self.orientation)
    }

    /// The cells on the table.
    pub fn cells(self) -> impl Iterator<Item = Spot> {
        self.oriented()
            .cells
            .iter()
            .map(move |&(dx, dy)| Spot { column: self.spot.column + dx, row: self.spot.row + dy })
    }

    /// The number of the tile in position keys, which are the XOR of these numbers (Zobrist 1970).
    #[inline]
    pub(super) fn hash(self) -> u64 {
        let color = u64::from(self.color.0);
        mix(u64::from(self.as_move().bits()) | u64::from(self.level) << 32 | color << 40)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientations_of_each_shape() {
        let counts: Vec<_> = Pentomino::all().map(|shape| shape.orientations().count()).collect();
        assert_eq!(counts, [8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4]);
        for shape in Pentomino::all() {
            assert!(shape.orientations().all(|o| OrientedTile::of(o).shape == shape));
            assert_eq!(Pentomino::from_letter(shape.letter().to_ascii_lowercase()), Some(shape));
        }
    }

    #[test]
    fn every_orientation_is_connected_and_found_by_its_cells() {
        for (index, oriented) in ORIENTATIONS.iter().enumerate() {
            let mut reached = vec![oriented.cells[0]];
            while let Some(next) = oriented.cells.iter().find(|&&(x, y)| {
                let touches = |&(a, b): &Offset| x.abs_diff(a) + y.abs_diff(b) == 1;
                !reached.contains(&(x, y)) && reached.iter().any(touches)
            }) {
                reached.push(*next);
            }
            assert_eq!(reached.len(), 5);
            let mut shuffled = oriented.cells;
            shuffled.reverse();
            assert_eq!(OrientedTile::find(shuffled), Some(Orientation(index as u8)));
        }
        assert_eq!(OrientedTile::find([(0, 0), (0, 1), (0, 2), (0, 3), (3, 3)]), None);
    }

    #[test]
    fn every_point_is_read_back() {
        for number in 0..u16::from(Spot::SIDE) * u16::from(Spot::SIDE) {
            let spot = Spot::at(Place(number)).unwrap();
            assert_eq!(spot.place(), Place(number));
            assert_eq!(spot.to_string().parse(), Ok(spot));
        }
        assert_eq!(Spot::at(Place(28_224)), None);
    }

    #[test]
    fn names_of_columns() {
        for (column, name) in
            [(0, "a"), (25, "z"), (26, "aa"), (51, "az"), (52, "ba"), (84, "cg"), (167, "fl")]
        {
            assert_eq!(Spot::column_name(column), name);
        }
    }

    #[test]
    fn what_is_no_point() {
        for text in ["", "a", "1", "a0", "a01", "a-1", "é1", "a1b", "a9999999999"] {
            assert!(matches!(text.parse::<Spot>(), Err(SpotError::Malformed(_))), "{text}");
        }
        for text in ["fm1", "a169", "zz1", "aaa1", "zzzzzzzzzz1"] {
            assert!(matches!(text.parse::<Spot>(), Err(SpotError::OffTable(_))), "{text}");
        }
    }
}
