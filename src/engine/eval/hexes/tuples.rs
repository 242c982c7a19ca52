//! Tuples of cells whose contents give the value of a position and the ordering scores of moves
//! ([n-tuple networks](https://www.chessprogramming.org/N-tuple_networks), Bledsoe and Browning 1959): windows
//! of cells in a row, and rings around cells.

use pentarch_core::board::{HEX_STEPS, HexGrid, cells_of};
use pentarch_core::game::{Cell, Color};
use pentarch_core::hexes::Position;
use pentarch_core::rules::HexBoardRules;

/// The contents of the cells of a tuple, two bits a cell, the first cell lowest: 0 for an empty cell, one more than
/// the number of a color, or [`OUTSIDE`]. The contents of rings are offset by [`RINGS`].
pub(super) type TupleContents = u16;

/// A cell that is not on the board, in games of two colors.
const OUTSIDE: TupleContents = 3;
/// The cells of a span, a window of the fitted weights.
pub(super) const SPAN: usize = 6;
/// The cells of a ring: one and its neighbors.
const RING: usize = 7;
/// The offset of the contents of rings.
const RINGS: TupleContents = 1 << (2 * SPAN);
/// One more than the greatest contents of spans and rings.
pub(super) const CONTENTS: usize = RINGS as usize + (1 << (2 * RING));

/// A place in a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TuplePlace {
    /// The number of the tuple.
    pub tuple: u16,
    /// The number of the cell in the tuple.
    pub place: u8,
}

/// The tuples of a board.
#[derive(Clone, Debug, Default)]
pub(super) struct Tuples {
    /// By cell, its places in all tuples.
    of_cell: Vec<Vec<TuplePlace>>,
    /// By cell, its places in the tuples that give the ordering score of a stone there: all but the rings around
    /// other cells.
    for_ordering: Vec<Vec<TuplePlace>>,
    /// By tuple, the contents on an empty board.
    empty: Vec<TupleContents>,
}

impl TuplePlace {
    /// The contents that a stone of a color adds.
    #[inline]
    fn stone(self, color: Color) -> TupleContents {
        (TupleContents::from(color.0 % 3) + 1) << (2 * self.place)
    }
}

impl Tuples {
    /// The windows of the winning length.
    pub(super) fn windows(hexes: HexBoardRules) -> Tuples {
        let mut tuples = Tuples::none();
        let length = usize::from(hexes.line);
        for row in rows(hexes.grid) {
            for window in row.windows(length) {
                tuples.add(0, window.iter().copied().map(Some), length);
            }
        }
        tuples
    }

    /// The spans, whose first and last cells may be beyond the edge, and the rings.
    pub(super) fn spans_and_rings(grid: HexGrid) -> Tuples {
        let mut tuples = Tuples::none();
        for row in rows(grid) {
            let outside = std::iter::once(None);
            let row: Vec<Option<Cell>> =
                outside.clone().chain(row.into_iter().map(Some)).chain(outside).collect();
            for span in row.windows(SPAN) {
                tuples.add(0, span.iter().copied(), SPAN);
            }
        }
        for cell in grid.iter() {
            tuples.add(RINGS, [Some(cell)].into_iter().chain(ring(grid, cell)), 1);
        }
        tuples
    }

    fn none() -> Tuples {
        let none = vec![Vec::new(); 128];
        Tuples { of_cell: none.clone(), for_ordering: none, empty: Vec::new() }
    }

    /// Adds a tuple whose contents are offset. Only its first `ordering` cells use it for ordering scores.
    fn add(
        &mut self,
        offset: TupleContents,
        cells: impl Iterator<Item = Option<Cell>>,
        ordering: usize,
    ) {
        let (tuple, mut contents) = (self.empty.len() as u16, offset);
        for (place, cell) in (0..).zip(cells) {
            let at = TuplePlace { tuple, place };
            match cell {
                Some(cell) => {
                    self.of_cell[cell.index()].push(at);
                    if usize::from(place) < ordering {
                        self.for_ordering[cell.index()].push(at);
                    }
                }
                None => contents += OUTSIDE << (2 * place),
            }
        }
        self.empty.push(contents);
    }

    /// The places of a cell in all tuples.
    #[inline]
    fn of_cell(&self, cell: Cell) -> &[TuplePlace] {
        &self.of_cell[cell.index() & 127]
    }

    /// The places of a cell in the tuples that give the ordering score of a stone there.
    #[inline]
    pub(super) fn for_ordering(&self, cell: Cell) -> &[TuplePlace] {
        &self.for_ordering[cell.index() & 127]
    }

    /// Places or removes a stone, and calls `changed` with the contents of every tuple of the cell before and after.
    #[inline]
    pub(super) fn set_stone(
        &self,
        contents: &mut [TupleContents],
        cell: Cell,
        color: Color,
        is_placed: bool,
        mut changed: impl FnMut([TupleContents; 2]),
    ) {
        for at in self.of_cell(cell) {
            let Some(contents) = contents.get_mut(usize::from(at.tuple)) else { continue };
            let (before, stone) = (*contents, at.stone(color));
            *contents =
                if is_placed { before.wrapping_add(stone) } else { before.wrapping_sub(stone) };
            changed([before, *contents]);
        }
    }

    /// Writes the contents of every tuple in a position.
    pub(super) fn read(&self, position: &Position, contents: &mut Vec<TupleContents>) {
        contents.clone_from(&self.empty);
        for color in (0..3).map(Color) {
            for cell in cells_of(position.stones(color)) {
                for at in self.of_cell(cell) {
                    contents[usize::from(at.tuple)] += at.stone(color);
                }
            }
        }
    }
}

/// The rows of a board along the three axes.
fn rows(grid: HexGrid) -> Vec<Vec<Cell>> {
    let onward = |cell: Cell, step: u32| {
        Some(Cell(cell.0 + step as u16)).filter(|&next| grid.contains(next))
    };
    let is_first = |cell: Cell, step: u32| {
        cell.0.checked_sub(step as u16).is_none_or(|before| !grid.contains(Cell(before)))
    };
    let firsts = HEX_STEPS.iter().flat_map(|&step| {
        grid.iter().filter(move |&cell| is_first(cell, step)).map(move |cell| (cell, step))
    });
    firsts
        .map(|(first, step)| std::iter::successors(Some(first), |&c| onward(c, step)).collect())
        .collect()
}

/// The neighbors of a cell in circular order, `None` beyond the edge.
fn ring(grid: HexGrid, cell: Cell) -> impl Iterator<Item = Option<Cell>> {
    let [along, across, back] = HEX_STEPS.map(|step| step as i32);
    [along, back, across, -along, -back, -across].into_iter().map(move |step| {
        let number = u16::try_from(i32::from(cell.0) + step).ok();
        number.map(Cell).filter(|&cell| grid.contains(cell))
    })
}

/// Indices into [`HexWeights::values`](super::HexWeights::values). Contents that are equal by symmetry share one.
pub(super) struct HexValueIndex;

impl HexValueIndex {
    pub(super) const COUNT: usize = CONTENTS + 3;
    /// The value of being to move.
    pub(super) const TEMPO: u16 = CONTENTS as u16;
    /// The value of each enemy stone in atari.
    pub(super) const ENEMY_IN_ATARI: u16 = HexValueIndex::TEMPO + 1;
    /// The value of each own stone in atari.
    pub(super) const OWN_IN_ATARI: u16 = HexValueIndex::TEMPO + 2;

    /// The index of a tuple with those contents, from the perspective of the color to move.
    pub(super) fn of(contents: TupleContents) -> u16 {
        match contents.checked_sub(RINGS) {
            None => contents.min(reversed(contents)),
            Some(ring) => RINGS + canonical_ring(ring),
        }
    }
}

/// Indices into [`HexWeights::ordering`](super::HexWeights::ordering). Moves that are equal by symmetry share one.
pub(super) struct HexOrderingIndex;

impl HexOrderingIndex {
    pub(super) const COUNT: usize = HexOrderingIndex::CAPTURED + MAX_CAPTURED + 1;
    /// The moves in spans come first, then those in the middle of a ring, by the contents around it.
    const IN_RINGS: usize = (RINGS as usize) << PLACE_BITS;
    const CAPTURED: usize = HexOrderingIndex::IN_RINGS + (1 << (2 * (RING - 1)));
    /// The index of moves that save own stones.
    pub(super) const SAVES: u16 = (HexOrderingIndex::CAPTURED + MAX_CAPTURED) as u16;

    /// The index of a move on an empty place of a tuple with those contents.
    pub(super) fn of(contents: TupleContents, place: u8) -> u16 {
        let index = match contents.checked_sub(RINGS) {
            None => {
                let back = HexOrderingIndex::raw(reversed(contents), SPAN as u8 - 1 - place);
                HexOrderingIndex::raw(contents, place).min(back)
            }
            Some(ring) => HexOrderingIndex::raw(RINGS + canonical_ring(ring), 0),
        };
        index as u16
    }

    /// The index of a move without regard to symmetry.
    #[inline]
    pub(super) fn raw(contents: TupleContents, place: u8) -> usize {
        match contents.checked_sub(RINGS) {
            None => usize::from(contents) << PLACE_BITS | usize::from(place),
            Some(ring) => HexOrderingIndex::IN_RINGS + usize::from(ring >> 2),
        }
    }

    /// The index of moves that capture that many stones, at least one.
    pub(super) fn captured(stones: usize) -> u16 {
        (HexOrderingIndex::CAPTURED + stones.clamp(1, MAX_CAPTURED) - 1) as u16
    }

    /// All moves in spans and rings in the order of [`HexOrderingIndex::raw`]. Indices of places beyond the end of a
    /// span stand for its last place.
    pub(super) fn all_moves() -> impl Iterator<Item = (TupleContents, u8)> {
        let places = 0..1 << PLACE_BITS;
        let in_spans = (0..RINGS).flat_map(move |contents| {
            places.clone().map(move |place: u8| (contents, place.min(SPAN as u8 - 1)))
        });
        let in_rings = 0..1 << (2 * (RING - 1));
        in_spans.chain(in_rings.map(|around: TupleContents| (RINGS + (around << 2), 0)))
    }
}

/// The bits of a place in a span.
pub(super) const PLACE_BITS: u32 = 3;
/// The number of captured stones from which on moves share an ordering score.
pub(super) const MAX_CAPTURED: usize = 5;

/// The contents of a span from its other end.
fn reversed(span: TupleContents) -> TupleContents {
    (0..SPAN).fold(0, |all, place| all << 2 | (span >> (2 * place) & 3))
}

/// The least of the contents that rotations and reflections make of a ring.
fn canonical_ring(ring: TupleContents) -> TupleContents {
    const AROUND: u32 = RING as u32 - 1;
    let (middle, around) = (ring & 3, ring >> 2);
    let digit = |n: u32| around >> (2 * (n % AROUND)) & 3;
    let image = |rotation: u32, is_reflected: bool| {
        (0..AROUND).fold(0, |all, n| {
            let n = if is_reflected { rotation + AROUND - n } else { rotation + n };
            all << 2 | digit(n)
        })
    };
    let images = (0..AROUND).flat_map(|rotation| [image(rotation, false), image(rotation, true)]);
    images.min().unwrap_or(around) << 2 | middle
}

/// Contents with the two colors exchanged.
pub(super) fn with_colors_exchanged(contents: TupleContents) -> TupleContents {
    let (offset, cells) = if contents < RINGS { (0, contents) } else { (RINGS, contents - RINGS) };
    offset + ((cells & 0x5555) << 1 | (cells >> 1 & 0x5555))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::board::neighbors;
    use pentarch_core::rules::HexRules;
    use std::collections::BTreeSet;

    fn hexes(spec: &str) -> HexBoardRules {
        *spec.parse::<HexRules>().unwrap().board()
    }

    #[test]
    fn windows_of_known_boards() {
        let count = |spec: &str| Tuples::windows(hexes(spec)).empty.len();
        // Rows of 7 to 13 hold 3 to 9 fives; each of the other axes has seven rows of 7, and one
        // each of 6 and 5 cells and less.
        assert_eq!(count("pentalath"), 42 + 2 * (7 * 3 + 2 + 1));
        // Rows of 5 to 9 and back to 5, on three axes.
        assert_eq!(count("pentalath-hex"), 3 * (1 + 2 + 3 + 4 + 5 + 4 + 3 + 2 + 1));
        assert_eq!(count("yavalath"), 3 * (2 + 3 + 4 + 5 + 6 + 5 + 4 + 3 + 2));
        assert_eq!(count("yavalath+side=2"), 0);
    }

    #[test]
    fn spans_reach_a_cell_beyond_each_edge_and_rings_go_around() {
        let grid = hexes("yavalath").grid;
        let tuples = Tuples::spans_and_rings(grid);
        // A row of n cells has n + 2 with those beyond, so n - 3 spans.
        let spans: usize = 3 * (2 + 3 + 4 + 5 + 6 + 5 + 4 + 3 + 2);
        assert_eq!(tuples.empty.len(), spans + grid.cells());
        let center = grid.center();
        assert_eq!(tuples.of_cell(center).len(), 3 * SPAN + RING);
        assert_eq!(tuples.for_ordering(center).len(), 3 * SPAN + 1);
        for cell in grid.iter() {
            let around: Vec<Cell> = ring(grid, cell).flatten().collect();
            let set: BTreeSet<Cell> = around.iter().copied().collect();
            assert_eq!(set, cells_of(neighbors(cell) & grid.all()).collect());
            let all: Vec<Option<Cell>> = ring(grid, cell).collect();
            for (n, one) in all.iter().enumerate() {
                if let (Some(one), Some(next)) = (one, all[(n + 1) % 6]) {
                    assert_eq!(grid.distance(*one, next), 1);
                }
            }
        }
    }

    /// Contents written as `.` for empty, `X` and `O` for the colors, `#` beyond the edge, a ring with its middle
    /// first; and the place of `*`, where a move goes.
    fn contents(cells: &str) -> (TupleContents, Option<u8>) {
        let offset = if cells.len() == RING { RINGS } else { 0 };
        let digit = |c: char| ".XO#".find(c).unwrap_or_default() as TupleContents;
        let digits = cells.chars().enumerate().map(|(place, c)| digit(c) << (2 * place));
        (offset + digits.sum::<TupleContents>(), cells.find('*').map(|place| place as u8))
    }

    #[test]
    fn indices_are_the_same_from_either_end_of_a_span_and_around_a_ring() {
        let value = |cells: &str| HexValueIndex::of(contents(cells).0);
        assert_eq!(value("#.OXX."), value(".XXO.#"));
        assert_ne!(value(".XXO.."), value(".XXO.#"));
        for ring in [".O.X...", "..X.O..", "....X.O", "..O...X"] {
            assert_eq!(value(ring), value(".X.O..."), "{ring}");
        }
        assert_ne!(value(".XO...."), value(".X.O..."));
        let ordering = |cells: &str| {
            let (contents, place) = contents(cells);
            HexOrderingIndex::of(contents, place.unwrap())
        };
        assert_eq!(ordering("#..X*."), ordering(".*X..#"));
        assert_ne!(ordering(".X*..#"), ordering(".*X..#"));
        assert_eq!(ordering("*.O.X.."), ordering("*X.O..."));
        assert_eq!(HexOrderingIndex::captured(9), HexOrderingIndex::captured(MAX_CAPTURED));
        assert_eq!(usize::from(HexOrderingIndex::SAVES) + 1, HexOrderingIndex::COUNT);
    }
}
