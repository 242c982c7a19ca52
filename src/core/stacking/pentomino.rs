//! The twelve pentominoes and their 63 fixed orientations.

use crate::game::Orientation;
use std::fmt;

/// A pentomino, numbered from 0 in the order of its usual letter: F I L N P T U V W X Y Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape(u8);

/// A cell of a tile: column and row from the lower left corner of the tile's box.
pub(super) type Offset = (u8, u8);

/// A pentomino turned and flipped in one of the ways that look different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oriented {
    /// Which pentomino it is.
    pub shape: Shape,
    /// Its cells, by column, then by row.
    pub cells: [Offset; 5],
    /// The columns of its box.
    pub width: u8,
    /// The rows of its box.
    pub height: u8,
}

/// Every orientation, those of a shape together, the shapes in their order.
pub const ORIENTATIONS: [Oriented; COUNT] = orientations();

/// How many orientations there are (S2: tiles may be flipped).
const COUNT: usize = 63;
const LETTERS: [char; 12] = ['F', 'I', 'L', 'N', 'P', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z'];
/// The index of each shape's first orientation, and the end.
const FIRST: [u8; 13] = firsts();

/// One orientation of each shape, as the letter looks.
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

impl Shape {
    /// How many there are.
    pub const COUNT: usize = 12;

    /// All of them.
    pub fn all() -> impl Iterator<Item = Shape> {
        (0..Shape::COUNT as u8).map(Shape)
    }

    /// The shape of a letter, in either case.
    pub fn from_letter(letter: char) -> Option<Shape> {
        let index = LETTERS.iter().position(|known| known.eq_ignore_ascii_case(&letter))?;
        Some(Shape(index as u8))
    }

    /// Its usual letter.
    pub const fn letter(self) -> char {
        LETTERS[self.0 as usize]
    }

    /// The number of the shape as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its orientations.
    pub fn orientations(self) -> impl Iterator<Item = Orientation> {
        (FIRST[self.index()]..FIRST[self.index() + 1]).map(Orientation)
    }

    /// The longer side of its box.
    pub fn reach(self) -> u8 {
        let any = &ORIENTATIONS[usize::from(FIRST[self.index()])];
        any.width.max(any.height)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl Oriented {
    /// The tile of an orientation; a number that none has stands for the first.
    #[inline]
    pub fn of(orientation: Orientation) -> &'static Oriented {
        static TABLE: [Oriented; COUNT] = ORIENTATIONS;
        TABLE.get(orientation.index()).unwrap_or(&TABLE[0])
    }

    /// The orientation with these cells, which need not be in order.
    pub fn find(mut cells: [Offset; 5]) -> Option<Orientation> {
        cells.sort_unstable();
        let index = ORIENTATIONS.iter().position(|oriented| oriented.cells == cells)?;
        Some(Orientation(index as u8))
    }
}

/// A tile turned by a quarter for each of two bits and flipped for the third, its box at the
/// origin, its cells in order.
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

const fn orientations() -> [Oriented; COUNT] {
    let empty = Oriented { shape: Shape(0), cells: [(0, 0); 5], width: 0, height: 0 };
    let mut all = [empty; COUNT];
    let (mut count, mut shape) = (0, 0);
    while shape < Shape::COUNT {
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
                all[count] = oriented(Shape(shape as u8), cells);
                count += 1;
            }
            way += 1;
        }
        shape += 1;
    }
    assert!(count == COUNT);
    all
}

const fn oriented(shape: Shape, cells: [Offset; 5]) -> Oriented {
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
    Oriented { shape, cells, width, height }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientations_of_each_shape() {
        let counts: Vec<_> = Shape::all().map(|shape| shape.orientations().count()).collect();
        assert_eq!(counts, [8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4]);
        for shape in Shape::all() {
            assert!(shape.orientations().all(|o| Oriented::of(o).shape == shape));
            assert_eq!(Shape::from_letter(shape.letter().to_ascii_lowercase()), Some(shape));
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
            assert_eq!(Oriented::find(shuffled), Some(Orientation(index as u8)));
        }
        assert_eq!(Oriented::find([(0, 0), (0, 1), (0, 2), (0, 3), (3, 3)]), None);
    }
}
