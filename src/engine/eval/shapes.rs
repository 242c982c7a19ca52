//! What a stone makes of a line, and how much that matters.

use pentarch_core::board::{CENTER, LANE_LOW_BITS, Windows};
use pentarch_core::rules::LineRule;

/// What a line would become with a stone of one's own on the cell, in rising order of value. The
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

    /// Those of moves that make a four.
    pub(super) const FOURS: [Urgency; 3] = [Urgency::OpenFour, Urgency::FourThree, Urgency::Four];

    /// Those of moves that make a four or win.
    pub(super) const FOURS_AND_FIVES: [Urgency; 4] =
        [Urgency::Five, Urgency::OpenFour, Urgency::FourThree, Urgency::Four];

    /// Those of moves that make two threes, two fours, or one of each, or more than a four.
    pub(super) const OF_SEVERAL: [Urgency; 4] =
        [Urgency::DoubleThree, Urgency::FourThree, Urgency::OpenFour, Urgency::Five];

    /// Those of moves that are not quiet, the most urgent first.
    pub(super) const ABOVE_QUIET: [Urgency; 6] = [
        Urgency::Five,
        Urgency::OpenFour,
        Urgency::FourThree,
        Urgency::Four,
        Urgency::DoubleThree,
        Urgency::OpenThree,
    ];

    /// The urgency of a cell by the shapes of its four lines, three bits each.
    pub(super) fn of_shapes(index: usize) -> Urgency {
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
}

pub(super) const SHAPES: [Shape; 8] = [
    Shape::Low,
    Shape::Two,
    Shape::OpenTwo,
    Shape::Three,
    Shape::OpenThree,
    Shape::Four,
    Shape::OpenFour,
    Shape::Five,
];

/// Shapes of windows, each worked out once.
pub(super) struct Shapes {
    line: LineRule,
    radius: u32,
    known: Vec<u8>,
}

impl Shapes {
    pub(super) fn new(line: LineRule, radius: u32) -> Shapes {
        Shapes { line, radius, known: vec![u8::MAX; 1 << (2 * (2 * radius + 1))] }
    }

    /// The shape of a line whose own cells, the center among them, and blocked cells are given.
    pub(super) fn of(&mut self, own: u32, blocked: u32) -> Shape {
        let width = 2 * self.radius + 1;
        let index = (own | blocked << width) as usize;
        if let Some(&shape) = SHAPES.get(usize::from(self.known[index])) {
            return shape;
        }
        let shape = self.work_out(own, blocked, width);
        self.known[index] = shape as u8;
        shape
    }

    /// Whether a shape short of a four is the better of its kind: of the windows of the winning length
    /// through the center that could still be filled, those with the most stones of one's own are many.
    /// Two stones side by side are so, with three cells between them they are not.
    pub(super) fn is_ample(&mut self, own: u32, blocked: u32) -> bool {
        let least = match self.of(own, blocked) {
            Shape::Low | Shape::OpenTwo => 3,
            Shape::Two | Shape::Three | Shape::OpenThree => 2,
            Shape::Four | Shape::OpenFour | Shape::Five => return false,
        };
        let length = u32::from(self.line.length()).min(self.radius + 1);
        let window = (1 << length) - 1;
        let windows = (self.radius + 1 - length..=self.radius).map(|first| window << first);
        let stones = windows.filter(|window| blocked & window == 0);
        let stones: Vec<u32> = stones.map(|window| (own & window).count_ones()).collect();
        let most = stones.iter().max();
        stones.iter().filter(|&count| Some(count) == most).count() >= least
    }

    fn work_out(&mut self, own: u32, blocked: u32, width: u32) -> Shape {
        let window = Windows(u64::from(own) << (CENTER - self.radius) & (LANE_LOW_BITS * 0x1fff));
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
