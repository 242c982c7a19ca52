//! What a stone on an empty cell would make of a line, looked up by what lies around the cell.

use super::weights::Weights;
use crate::board::{CENTRE, LANES, Windows};
use crate::rules::{Capture, LineRule, Ruleset};

/// What a line would become with a stone of one's own on the cell, in rising order of worth. The
/// names are those of games of five; in others they count from the winning length downwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Shape {
    /// Nothing much.
    Low,
    /// Two stones that can still grow to a three.
    Two,
    /// Two stones that can grow to an open three.
    OpenTwo,
    /// Three stones that can grow to a four.
    Three,
    /// Three stones that can grow to an open four.
    OpenThree,
    /// Four stones with one point that wins.
    Four,
    /// Four stones with more than one point that wins.
    OpenFour,
    /// A winning run.
    Five,
}

/// How much a cell matters, by the best that a stone there would make in all its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Urgency {
    /// Nothing that must be answered.
    Quiet,
    /// An open three.
    OpenThree,
    /// Two open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four and an open three.
    FourThree,
    /// An open four, or two fours.
    OpenFour,
    /// A winning run.
    Five,
}

impl Urgency {
    /// The number of classes.
    pub(super) const COUNT: usize = 7;

    /// Those of moves that are not quiet, the most urgent first.
    pub(super) const ABOVE_QUIET: [Urgency; 6] = [
        Urgency::Five,
        Urgency::OpenFour,
        Urgency::FourThree,
        Urgency::Four,
        Urgency::DoubleThree,
        Urgency::OpenThree,
    ];
}

const SHAPES: [Shape; 8] = [
    Shape::Low,
    Shape::Two,
    Shape::OpenTwo,
    Shape::Three,
    Shape::OpenThree,
    Shape::Four,
    Shape::OpenFour,
    Shape::Five,
];

/// What moves that all but win promise on top of what was fitted, by urgency: searches end where
/// they are found, so there was little to fit them to.
const AHEAD: [i32; Urgency::COUNT] = [0, 0, 0, 0, 2000, 4000, 9000];

/// The tables of a ruleset.
///
/// An entry describes one line through a cell: bits 0 to 2 the `Shape`, bits 3 to 5 the number of
/// stones that a stone there captures on that line, bit 6 whether it attacks a group there, bit 7
/// whether it exposes one of its own.
#[derive(Debug)]
pub struct PatternTables {
    line: LineRule,
    capture: Option<Capture>,
    radius: u32,
    pub(super) weights: &'static Weights,
    /// Indexed by own cells, then blocked cells, the centre left out.
    entries: Vec<u8>,
    /// What a cell is worth to the colour that is to move and to the other, indexed by four shapes
    /// of three bits.
    worths: Vec<[i16; 2]>,
    /// Indexed likewise.
    urgencies: Vec<Urgency>,
    /// What moves promise, by what they make and by what they stop, indexed likewise.
    promises: Vec<[i16; 2]>,
    /// Indexed by [`Lanes::contact`].
    contacts: Vec<Contact>,
}

impl PatternTables {
    /// Builds the tables for a ruleset by asking its line and capture rules.
    pub fn new(rules: &Ruleset) -> PatternTables {
        let (line, capture) = (rules.line(), rules.capture());
        let radius = line.reach().clamp(4, 5);
        let side = 1u32 << (2 * radius);
        let mut entries = vec![0; (side * side) as usize];
        let mut shapes = Shapes::new(line, radius);
        for blocked in 0..side {
            for own in (0..side).filter(|own| own & blocked == 0) {
                let (own_window, blocked_window) = (widen(own, radius), widen(blocked, radius));
                let shape = shapes.of(own_window | 1 << radius, blocked_window);
                let captured = captured(capture, radius, own_window, blocked_window);
                let attacks = attacks(capture, radius, own_window, blocked_window);
                entries[(own | blocked << (2 * radius)) as usize] =
                    shape as u8 | captured << 3 | attacks << 6;
            }
        }
        let weights = Weights::of(rules);
        let worths = (0..4096).map(|index| weights.cell(index).worth).collect();
        let promises = (0..4096).map(|index| weights.cell(index).promise).collect();
        let urgencies = (0..4096).map(urgency_of).collect();
        let contacts = (0..256).map(|index| Contact::of(index, weights)).collect();
        PatternTables {
            line,
            capture,
            radius,
            weights,
            entries,
            worths,
            urgencies,
            promises,
            contacts,
        }
    }

    /// Whether the tables serve a ruleset.
    pub fn serve(&self, rules: &Ruleset) -> bool {
        self.line == rules.line() && self.capture == rules.capture()
    }

    /// How far from a cell the tables look.
    pub fn radius(&self) -> u32 {
        self.radius
    }

    /// Whether a five in the tables is one by the rules for certain. Not so if the rule looks
    /// further than the tables do.
    pub fn sees_all(&self) -> bool {
        self.line.reach() <= self.radius
    }

    /// The entry for the windows of own and blocked cells, centre included, `R` cells to either
    /// side.
    #[inline]
    pub(super) fn entry<const R: u32>(&self, own: u64, blocked: u64) -> u8 {
        let index = squeeze::<R>(own) | squeeze::<R>(blocked) << (2 * R);
        self.entries[index as usize & (self.entries.len() - 1)]
    }

    /// What a cell is worth with these lines, to the colour to move and to the other.
    #[inline]
    pub(super) fn worth(&self, lanes: Lanes) -> [i16; 2] {
        self.worths[lanes.0 as usize & 0xfff]
    }

    /// How urgent a cell is with these lines.
    #[inline]
    pub(super) fn urgency(&self, lanes: Lanes) -> Urgency {
        self.urgencies[lanes.0 as usize & 0xfff]
    }

    /// What lines are worth on which a stone attacks or exposes groups, to the colour to move and to
    /// the other.
    #[inline]
    pub(super) fn contact(&self, lanes: Lanes) -> [i16; 2] {
        self.contacts[lanes.contact() & 0xff].worth
    }

    /// What a move promises by what a stone of its own makes on its cell.
    #[inline]
    pub(super) fn attack(&self, lanes: Lanes) -> i32 {
        i32::from(self.promises[lanes.0 as usize & 0xfff][0])
            + i32::from(self.weights.promise.takes[Lanes::class(lanes.captured_stones())])
            + i32::from(self.contacts[lanes.contact() & 0xff].promise[0])
    }

    /// What a move promises by what it keeps another colour from making on its cell.
    #[inline]
    pub(super) fn defence(&self, lanes: Lanes) -> i32 {
        i32::from(self.promises[lanes.0 as usize & 0xfff][1])
            + i32::from(self.weights.promise.saves[Lanes::class(lanes.captured_stones())])
            + i32::from(self.contacts[lanes.contact() & 0xff].promise[1])
    }

    /// What a move promises by the urgency of its cell, for the mover and for another colour.
    #[inline]
    pub(super) fn clash(&self, own: Lanes, their: Lanes) -> i32 {
        let [own, their] = [own, their].map(|lanes| self.urgency(lanes) as usize);
        i32::from(self.weights.promise.urgency[own][their]) + AHEAD[own]
    }
}

/// What it is worth and what it promises that a stone on a cell attacks or exposes groups: to the
/// colour to move and to the other, and by what is made and by what is stopped.
#[derive(Clone, Copy, Debug)]
struct Contact {
    worth: [i16; 2],
    promise: [i16; 2],
}

impl Contact {
    /// By the lines on which it attacks, four bits, and those on which it exposes, four more.
    fn of(lines: usize, weights: &Weights) -> Contact {
        let [attacks, exposes] = [lines & 15, lines >> 4].map(|lines| lines.count_ones() as usize);
        let Weights { flank, exposed, promise, .. } = weights;
        let worth = |role: usize| attacks as i16 * flank[role] + exposes as i16 * exposed[role];
        let [several, exposing] = [attacks.min(3), exposes.min(3)];
        Contact {
            worth: [worth(0), worth(1)],
            promise: [
                promise.attacks[several] + promise.exposes[exposing],
                promise.guards[several] + promise.spares[exposing],
            ],
        }
    }
}

/// The entries of a cell's four lines: in the lower half three bits of [`Shape`] a line and a bit
/// for attacking, in the upper half three bits a line for the number of stones captured on it and a
/// bit for exposing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lanes(u32);

/// The bits of the first line in [`Lanes`]: its shape and captures, and what is attacked and exposed.
const LINE: u32 = 0x0007_0007;
const FLAG: u32 = 0x1000_1000;

/// Entries as the bits of the first line.
static SPREAD: [u32; 256] = {
    let mut spread = [0; 256];
    let mut entry = 0;
    while entry < 256 {
        let (shape, captured) = (entry & 7, entry >> 3 & 7);
        spread[entry as usize] = shape | captured << 16 | (entry >> 6 & 1) << 12 | entry >> 7 << 28;
        entry += 1;
    }
    spread
};

impl Lanes {
    /// The bits of attacking and exposing.
    const CONTACT: u32 = 0xf000_f000;

    /// The lanes with another entry for a direction.
    #[inline]
    pub(super) const fn with(self, direction: usize, entry: u8) -> Lanes {
        let spread = SPREAD[entry as usize];
        let kept = self.0 & !(LINE << (3 * direction) | FLAG << direction);
        Lanes(kept | (spread & LINE) << (3 * direction) | (spread & FLAG) << direction)
    }

    /// The lines on which a stone attacks a group, four bits, and exposes one, four more.
    #[inline]
    const fn contact(self) -> usize {
        (self.0 >> 12 & 0x0f | self.0 >> 24 & 0xf0) as usize
    }

    /// Whether groups are attacked or exposed on other lines than in `other`.
    #[inline]
    pub(super) const fn differs_in_contact(self, other: Lanes) -> bool {
        (self.0 ^ other.0) & Lanes::CONTACT != 0
    }

    /// None, a pair, three stones, or more.
    #[inline]
    const fn class(stones: u32) -> usize {
        match stones {
            0 => 0,
            1 | 2 => 1,
            3 => 2,
            _ => 3,
        }
    }

    /// The number of stones captured on all four lines together.
    #[inline]
    pub(super) const fn captured_stones(self) -> u32 {
        let counts = self.0 >> 16;
        (counts & 7) + (counts >> 3 & 7) + (counts >> 6 & 7) + (counts >> 9 & 7)
    }

    /// Whether anything is captured.
    #[inline]
    pub(super) const fn captures(self) -> bool {
        self.0 >> 16 & 0xfff != 0
    }
}

/// Leaves the centre out of a window of `R` cells to either side.
#[inline]
fn squeeze<const R: u32>(window: u64) -> u64 {
    let low = (1 << R) - 1;
    (window & low) | (window >> 1 & low << R)
}

/// Puts an empty centre into a window without one.
fn widen(window: u32, radius: u32) -> u32 {
    let low = (1 << radius) - 1;
    (window & low) | (window & !low) << 1
}

/// The stones captured on a line, asked of the capture rule with one lane of windows. Blocked
/// cells between the centre and an own stone can only be enemies.
fn captured(capture: Option<Capture>, radius: u32, own: u32, blocked: u32) -> u8 {
    let Some(capture) = capture else { return 0 };
    let lane = |window: u32| Windows(u64::from(window) << (CENTRE - radius));
    capture.captured(lane(own), lane(blocked)).stones() as u8
}

/// Whether a stone at the centre attacks a group of the enemy, which it could capture next (bit 0),
/// and whether it makes a group of its own that the enemy could capture next (bit 1). The edge
/// counts as an enemy.
fn attacks(capture: Option<Capture>, radius: u32, own: u32, blocked: u32) -> u8 {
    let Some(capture) = capture else { return 0 };
    let lengths = 2..=2 + i32::from(capture.threes);
    let at = |set: u32, place: i32| set >> (radius as i32 + place) & 1 != 0;
    let is_open = |place: i32| !at(own | blocked, place);
    let both = |test: &dyn Fn(i32, i32) -> bool| {
        lengths.clone().any(|length| test(length, 1) || test(length, -1))
    };
    let attacks = both(&|length, sign| {
        (1..=length).all(|place| at(blocked, sign * place)) && is_open(sign * (length + 1))
    });
    let exposes = both(&|length, sign| {
        (0..length).any(|first| {
            let mut group = -first..length - first;
            let own = group.all(|place| place == 0 || at(own, sign * place));
            own && at(blocked, sign * (-first - 1)) && is_open(sign * (length - first))
        })
    });
    u8::from(attacks) | u8::from(exposes) << 1
}

/// Shapes of windows, each worked out once.
struct Shapes {
    line: LineRule,
    radius: u32,
    known: Vec<u8>,
}

impl Shapes {
    fn new(line: LineRule, radius: u32) -> Shapes {
        Shapes { line, radius, known: vec![u8::MAX; 1 << (2 * (2 * radius + 1))] }
    }

    /// The shape of a line whose own cells, the centre among them, and blocked cells are given.
    fn of(&mut self, own: u32, blocked: u32) -> Shape {
        let width = 2 * self.radius + 1;
        let index = (own | blocked << width) as usize;
        if let Some(&shape) = SHAPES.get(usize::from(self.known[index])) {
            return shape;
        }
        let shape = self.work_out(own, blocked, width);
        self.known[index] = shape as u8;
        shape
    }

    fn work_out(&mut self, own: u32, blocked: u32, width: u32) -> Shape {
        let window = Windows(u64::from(own) << (CENTRE - self.radius) & (LANES * 0x1fff));
        if self.line.wins(window) {
            return Shape::Five;
        }
        let free = (0..width).map(|bit| 1 << bit).filter(|bit| (own | blocked) & bit == 0);
        let grown: Vec<Shape> = free.map(|bit| self.of(own | bit, blocked)).collect();
        let best = grown.iter().copied().max().unwrap_or(Shape::Low);
        match best {
            Shape::Five if grown.iter().filter(|&&shape| shape == Shape::Five).count() > 1 => {
                Shape::OpenFour
            }
            Shape::Five => Shape::Four,
            Shape::OpenFour => Shape::OpenThree,
            Shape::Four => Shape::Three,
            Shape::OpenThree => Shape::OpenTwo,
            Shape::Three => Shape::Two,
            Shape::OpenTwo | Shape::Two | Shape::Low => Shape::Low,
        }
    }
}

/// The urgency of a cell by the shapes of its lines.
fn urgency_of(index: usize) -> Urgency {
    let shapes = [0, 3, 6, 9].map(|shift| SHAPES[index >> shift & 7]);
    let count = |wanted: Shape| shapes.iter().filter(|&&shape| shape == wanted).count();
    let fours = count(Shape::Four);
    let open_threes = count(Shape::OpenThree);
    match () {
        () if count(Shape::Five) > 0 => Urgency::Five,
        () if count(Shape::OpenFour) > 0 || fours > 1 => Urgency::OpenFour,
        () if fours > 0 && open_threes > 0 => Urgency::FourThree,
        () if fours > 0 => Urgency::Four,
        () if open_threes > 1 => Urgency::DoubleThree,
        () if open_threes > 0 => Urgency::OpenThree,
        () => Urgency::Quiet,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a window such as `..xx*.o..`: own, enemy, the cell asked about.
    fn shape(spec: &str, picture: &str) -> (Shape, u32) {
        let tables = PatternTables::new(&spec.parse().unwrap());
        let bits = |wanted: u8| -> u64 {
            picture.bytes().enumerate().filter(|(_, b)| *b == wanted).map(|(i, _)| 1 << i).sum()
        };
        let (own, blocked) = (bits(b'x'), bits(b'o'));
        let entry = match tables.radius() {
            4 => tables.entry::<4>(own, blocked),
            _ => tables.entry::<5>(own, blocked),
        };
        (SHAPES[usize::from(entry & 7)], Lanes::default().with(2, entry).captured_stones())
    }

    #[test]
    fn shapes_of_pente() {
        for (picture, expected) in [
            ("xxxx*....", Shape::Five),
            ("..xx*xx..", Shape::Five),
            ("..xx*x...", Shape::OpenFour),
            (".oxx*x...", Shape::Four),
            (".oxx*xo..", Shape::Low),
            ("x.xx*.x..", Shape::OpenFour),
            ("..x.*x...", Shape::OpenThree),
            (".ox.*x...", Shape::Three),
            ("....*x...", Shape::OpenTwo),
            ("oooo*x...", Shape::Two),
            ("oooo*....", Shape::Low),
        ] {
            assert_eq!(shape("pente", picture).0, expected, "{picture}");
        }
    }

    #[test]
    fn exact_fives_need_room_for_the_neighbour() {
        assert_eq!(shape("gomoku-standard", ".xxxx*.....").0, Shape::Five);
        assert_eq!(shape("gomoku-standard", "x.x.x*.....").0, Shape::Three);
        assert_eq!(shape("gomoku-standard", "..x.x*x.x..").0, Shape::OpenFour);
        assert_eq!(shape("gomoku-standard", "x.x.x*.....").0, Shape::Three);
    }

    #[test]
    fn captures_are_counted() {
        assert_eq!(shape("pente", "....*oox.").1, 2);
        assert_eq!(shape("pente", ".xoo*oox.").1, 4);
        assert_eq!(shape("pente", "....*ooox").1, 0);
        assert_eq!(shape("keryo-pente", "....*ooox").1, 3);
        assert_eq!(shape("keryo-pente", "xooo*oox.").1, 5);
        assert_eq!(shape("gomoku", "....*oox.").1, 0);
    }
}
