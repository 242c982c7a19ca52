//! The announcements of Pente: trias, tesseras, threes and fours on the board (rule S1).

use pentarch_core::board::{CENTER, RADIUS};
use pentarch_core::game::{Cell, Color};
use pentarch_core::placement::Position;
use pentarch_core::rules::LineRule;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A kind of announced threat. The numbers are those of games of five in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    /// A four that more than one cell completes.
    Tessera,
    /// A four that one cell completes.
    Four,
    /// A three, with or without a gap, that one move makes a tessera.
    Tria,
    /// A three that one move makes a four, and none a tessera.
    Three,
}

/// An announced threat on the board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Threat {
    /// The color of the stones.
    pub color: Color,
    /// The kind of threat.
    pub call: Call,
    /// The stones, in order along the line.
    pub stones: Vec<Cell>,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Call::Tessera => "tessera",
            Call::Four => "four",
            Call::Tria => "tria",
            Call::Three => "three",
        })
    }
}

/// All announced threats on the board, by color and then by urgency. Captures that would answer a threat are ignored.
pub fn threats(position: &Position) -> Vec<Threat> {
    let mut found = BTreeSet::new();
    let seats = position.rules().seating().seats;
    for color in (0..seats).map(Color) {
        for cell in position.grid().iter() {
            for direction in 0..4 {
                if begins_line(position, cell, direction) {
                    let line = CallLine::new(position, color, cell, direction);
                    found.extend(line.threats(position, color));
                }
            }
        }
    }
    found.into_iter().collect()
}

/// Whether a cell is the first of its line in a direction.
fn begins_line(position: &Position, cell: Cell, direction: usize) -> bool {
    let below = position.board().map().walls(cell).lane(direction) >> (CENTER - 1);
    below & 1 != 0
}

/// A line of the board: its own and its empty cells as bits from its first cell on.
struct CallLine {
    first: Cell,
    step: i16,
    own: u64,
    empty: u64,
    rule: LineRule,
}

impl CallLine {
    fn new(position: &Position, color: Color, first: Cell, direction: usize) -> CallLine {
        let map = position.board().map();
        let number = map.lines_of(first).line[direction & 3];
        let seats = position.rules().seating().seats;
        let stones = |color| position.board().line(Color(color), number) >> RADIUS;
        let taken = (0..seats).map(stones).fold(map.wall(number) >> RADIUS, |all, bits| all | bits);
        // Bits beyond the far wall are no cells.
        let cells = u64::from(u32::MAX);
        let own = stones(color.0);
        CallLine {
            first,
            step: map.step(direction),
            own,
            empty: !taken & cells,
            rule: position.rules().line(),
        }
    }

    fn threats(&self, position: &Position, color: Color) -> Vec<Threat> {
        let fours = self.fours(self.own);
        let mut calls: BTreeMap<u64, Call> = fours.clone();
        for point in bits(self.empty) {
            for (stones, call) in self.fours(self.own | point) {
                let three = stones & !point;
                if stones & point == 0 || fours.keys().any(|four| four & three == three) {
                    continue;
                }
                let call = if call == Call::Tessera { Call::Tria } else { Call::Three };
                let known = calls.entry(three).or_insert(call);
                *known = (*known).min(call);
            }
        }
        let threat = |(stones, call): (u64, Call)| Threat {
            color,
            call,
            stones: bits(stones).into_iter().map(|bit| self.cell(position, bit)).collect(),
        };
        calls.into_iter().map(threat).collect()
    }

    /// The fours among `own` stones: groups one stone short of a winning run.
    fn fours(&self, own: u64) -> BTreeMap<u64, Call> {
        let mut fours: BTreeMap<u64, Call> = BTreeMap::new();
        for point in bits(self.empty & !own) {
            for stones in self.rule.completed_groups(own, point) {
                let again = fours.contains_key(&stones);
                fours.insert(stones, if again { Call::Tessera } else { Call::Four });
            }
        }
        fours
    }

    fn cell(&self, position: &Position, bit: u64) -> Cell {
        let cell = Cell((self.first.0 as i16 + self.step * bit.trailing_zeros() as i16) as u16);
        debug_assert!(position.grid().contains(cell));
        cell
    }
}

/// The bits of a set, each as a word.
fn bits(mut set: u64) -> Vec<u64> {
    let mut single = Vec::new();
    while set != 0 {
        single.push(set & set.wrapping_neg());
        set &= set - 1;
    }
    single
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first player's threats after some moves. The second player stays on the lowest row.
    fn calls(moves: &str) -> Vec<String> {
        let mut position = Position::new("pente-freestyle".parse().unwrap());
        for text in moves.split(' ') {
            use pentarch_core::game::Position as _;
            position.try_play(position.parse_move(text).unwrap()).unwrap();
        }
        let found = threats(&position);
        let label = |cell: &Cell| position.grid().label(*cell);
        let text = |t: &Threat| {
            let stones: Vec<_> = t.stones.iter().map(label).collect();
            format!("{} {}", t.call, stones.join(","))
        };
        found.iter().filter(|t| t.color == Color(0)).map(text).collect()
    }

    #[test]
    fn trias_may_have_a_gap() {
        assert_eq!(calls("j10 a1 k10 c1 l10"), ["tria j10,k10,l10"]);
        assert_eq!(calls("j10 a1 k10 c1 m10"), ["tria j10,k10,m10"]);
        assert_eq!(calls("j10 a1 k11 c1 l12"), ["tria j10,k11,l12"]);
    }

    #[test]
    fn blocked_threes_and_fours_are_no_trias_and_tesseras() {
        assert_eq!(calls("j10 i10 k10 c1 l10"), ["three j10,k10,l10"]);
        assert_eq!(calls("j10 i10 k10 c1 l10 e1 m10"), ["four j10,k10,l10,m10"]);
        assert_eq!(calls("j10 a1 k10 c1 l10 e1 m10"), ["tessera j10,k10,l10,m10"]);
        let split = calls("a10 a1 c10 c1 d10 e1 e10 g1 f10");
        assert_eq!(split, ["tessera c10,d10,e10,f10", "four a10,c10,d10,e10"]);
    }

    #[test]
    fn lines_without_room_are_not_announced() {
        assert!(calls("j10 a1 k10 c1").is_empty());
        assert!(calls("j10 i10 k10 n10 l10").is_empty());
    }
}
