//! The values of patterns and the ordering scores of moves: numbers fitted to games of the engine
//! against itself.
//!
//! Values come from a logistic regression of what searches said of positions, mixed with how their
//! games ended; ordering scores from a multinomial one of the moves that searches chose. The
//! numbers stand in `weights/*.txt`, which say what they were fitted to. A line there is a key with
//! its numbers.

use super::shapes::{Shape, Urgency};
use crate::rules::SquareRules;
use std::sync::LazyLock;

/// The weights of an evaluation. Values are in the units of [`Score`](crate::search::Score), in
/// which 400 points are odds of e to 1. Pairs are for the color to move and for the other, in the
/// view of each.
#[derive(Debug, Default)]
pub(super) struct Weights {
    /// By the shapes that a stone on an empty cell would make in its four lines, three bits each.
    cells: Vec<CellWeights>,
    /// By the most urgent cell of the color to move and of the other, and by who has captures:
    /// nobody, only the other, only the one to move, both.
    threats: [[[i16; 4]; Urgency::COUNT]; Urgency::COUNT],
    /// The value of each point that captures, by tenths of the way to the goal.
    pub points: [[i16; 10]; 2],
    /// The value of captured stones, by tenths of the way to the goal.
    pub counts: [[i16; 10]; 2],
    /// The value of each line of a cell on which a stone would attack a group.
    pub capture_threat: [i16; 2],
    /// The value of each line of a cell on which a stone would expose a group of its own.
    pub vulnerable: [i16; 2],
    /// The ordering score of a move beyond its shapes.
    pub ordering: OrderingWeights,
}

/// The weights of a cell with the shapes of its four lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CellWeights {
    /// For the color to move and for the other.
    pub value: [i16; 2],
    /// Of a move there, by what it makes and by what it keeps the other from making.
    pub ordering: [i16; 2],
}

/// Ordering scores of moves. Stones are counted as none, a pair, three,
/// more; lines up to three.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OrderingWeights {
    /// By the stones that the move captures.
    pub takes: [i16; 4],
    /// By the stones that the other would capture there.
    pub saves: [i16; 4],
    /// By lines on which the move attacks a group.
    pub attacks: [i16; 4],
    /// By lines on which it exposes one of its own.
    pub exposes: [i16; 4],
    /// By lines on which the other would attack a group from there.
    pub guards: [i16; 4],
    /// By lines on which the other would expose one there.
    pub spares: [i16; 4],
    /// By the urgency of the cell for the mover and for the other.
    pub urgency: [[i16; Urgency::COUNT]; Urgency::COUNT],
}

static CAPTURES: LazyLock<Weights> = LazyLock::new(|| parse(include_str!("weights/captures.txt")));
static MANY: LazyLock<Weights> = LazyLock::new(|| parse(include_str!("weights/many.txt")));
static DOUBLE_TURNS: LazyLock<Weights> =
    LazyLock::new(|| parse(include_str!("weights/double_turns.txt")));
static LINES: LazyLock<Weights> = LazyLock::new(|| parse(include_str!("weights/lines.txt")));

impl Weights {
    /// The weights that suit a ruleset: those of more than two colors, of two stones a turn, of
    /// games in which captures win, or of those that only lines win.
    pub(super) fn of(rules: &SquareRules) -> &'static Weights {
        if rules.seating().seats > 2 {
            return &MANY;
        }
        if rules.seating().double_turns {
            return &DOUBLE_TURNS;
        }
        match rules.capture().and_then(|capture| capture.goal) {
            Some(_) => &CAPTURES,
            None => &LINES,
        }
    }

    /// The weights of a cell by the shapes of its lines, three bits each.
    pub(super) fn cell(&self, shapes: usize) -> CellWeights {
        self.cells.get(shapes).copied().unwrap_or_default()
    }

    /// The value for the color to move if these are the most urgent cells of both, and both have
    /// captures or not. The move itself has the value of nothing urgent and no captures.
    #[inline]
    pub(super) fn threat(&self, urgencies: [Urgency; 2], captures: [bool; 2]) -> i32 {
        let captures = usize::from(captures[0]) * 2 + usize::from(captures[1]);
        i32::from(self.threats[urgencies[0] as usize][urgencies[1] as usize][captures])
    }
}

/// Reads a table. What it does not name has the weight 0.
///
/// # Panics
///
/// If a line is not as this program wrote it; the tables are part of it, and a test reads them.
fn parse(text: &str) -> Weights {
    let cells = vec![CellWeights::default(); 1 << 12];
    let mut weights = Weights { cells, ..Weights::default() };
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (key, numbers) = line.split_once(' ').expect("a key");
        let ordering = &mut weights.ordering;
        match key {
            "cell" => read_cell(numbers, &mut weights.cells),
            "threat" => {
                let (row, rest) = read_row(numbers);
                let (column, rest) = read_row(rest);
                weights.threats[row][column] = read(rest);
            }
            "point" => read_role(numbers, &mut weights.points),
            "count" => read_role(numbers, &mut weights.counts),
            "capture_threat" => weights.capture_threat = read(numbers),
            "vulnerable" => weights.vulnerable = read(numbers),
            "takes" => ordering.takes = read(numbers),
            "saves" => ordering.saves = read(numbers),
            "attacks" => ordering.attacks = read(numbers),
            "exposes" => ordering.exposes = read(numbers),
            "guards" => ordering.guards = read(numbers),
            "spares" => ordering.spares = read(numbers),
            "urgency" => read_role(numbers, &mut ordering.urgency),
            _ => panic!("an unknown key: {line}"),
        }
    }
    weights
}

/// Reads exactly `N` numbers.
fn read<const N: usize>(numbers: &str) -> [i16; N] {
    let read: Vec<i16> = numbers.split(' ').map(|n| n.parse().expect("a number")).collect();
    read.try_into().expect("as many numbers as the key takes")
}

/// Reads the number of a row, in front of the row itself.
fn read_row(text: &str) -> (usize, &str) {
    let (row, rest) = text.split_once(' ').expect("a number and more");
    (row.parse().expect("a row"), rest)
}

fn read_role<const N: usize, const M: usize>(text: &str, rows: &mut [[i16; N]; M]) {
    let (row, rest) = read_row(text);
    rows[row] = read(rest);
}

/// Reads the weights of cells with some shapes, digits by [`Shape`], for the lines in every order.
fn read_cell(text: &str, cells: &mut [CellWeights]) {
    let (shapes, rest) = text.split_once(' ').expect("shapes and more");
    let [mover, other, makes, stops] = read(rest);
    let weights = CellWeights { value: [mover, other], ordering: [makes, stops] };
    let digits: Vec<usize> = shapes.bytes().map(|digit| usize::from(digit - b'0')).collect();
    assert!(digits.len() == 4 && digits.iter().all(|&shape| shape <= Shape::Five as usize));
    for order in 0..256usize {
        let places = [0, 2, 4, 6].map(|shift| order >> shift & 3);
        if places.iter().fold(0, |seen, place| seen | 1 << place) == 0b1111 {
            let directions = places.iter().enumerate();
            let index = directions
                .fold(0, |index, (direction, &place)| index | digits[place] << (3 * direction));
            cells[index] = weights;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_can_be_read_and_say_what_they_should() {
        for weights in [&*CAPTURES, &*LINES, &*MANY, &*DOUBLE_TURNS] {
            let value = |shapes| weights.cell(shapes).value;
            assert_eq!(value(0), [0, 0], "a cell that makes nothing");
            let four = Shape::Four as usize;
            assert!(value(four)[0] > 0);
            assert_eq!(value(four), value(four << 9), "the order of lines does not matter");
            let quiet = [Urgency::Quiet; 2];
            let threat = weights.threat([Urgency::OpenFour, Urgency::Quiet], [false; 2]);
            assert!(threat > weights.threat(quiet, [false; 2]));
        }
    }
}
