//! What can be said of a position without a search: stones that nobody can capture any more, who can
//! still win, and stones that no longer matter.
//!
//! A stone is **safe** if in every group that it could be captured with another point is settled
//! against that: a safe stone of the enemy between, or a safe stone of its own color as a bracket.
//! The safe stones are the greatest set of which this holds. The first of them to be captured would
//! need all the others gone, so none ever is; the argument is that of Benson for Go ("Life in the
//! game of Go", 1976).

use super::rules::{SmallBoard, SmallRules, runs, spread, steps};

/// What is settled in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    /// The stones that are never captured.
    pub safe: u64,
    /// Whether each color could still win if the other helped.
    pub may_win: [bool; 2],
    /// The safe stones whose color matters to no line and no capture any more.
    pub idle: u64,
}

impl SmallRules {
    /// What is settled in a position.
    pub(super) fn settled(&self, board: &SmallBoard) -> Settled {
        let safe = self.safe_stones(board);
        let mut may_win = [false; 2];
        let mut live = 0;
        for (color, may_win) in may_win.iter_mut().enumerate() {
            // A color never comes to points with safe stones of the other.
            let open = self.full & !(board.stones[1 - color] & safe);
            for step in steps() {
                live |= spread(runs(open, step, self.line()), step, self.line());
            }
            live |= self.capturable(open, safe);
            *may_win = steps().iter().any(|&step| runs(open, step, self.line()) != 0)
                || self.capturable(open, safe) != 0;
        }
        Settled { safe, may_win, idle: safe & !live }
    }

    /// The points of all groups, brackets included, that may yet be captured by a color for which
    /// those points are open.
    fn capturable(&self, open: u64, safe: u64) -> u64 {
        let inner = self.full & !safe;
        let mut points = 0;
        for length in 2..=self.longest_group() {
            for step in steps() {
                let between = runs(inner, step, length) >> step;
                let lowest = open & between & open >> (step * (length + 1));
                points |= spread(lowest, step, length + 2);
            }
        }
        points
    }

    /// The stones that are never captured.
    fn safe_stones(&self, board: &SmallBoard) -> u64 {
        let mut safe = board.stones[0] | board.stones[1];
        if self.longest_group() == 0 {
            return safe;
        }
        loop {
            let mut exposed = 0;
            for color in 0..2 {
                let own = board.stones[color] & safe;
                let enemy = board.stones[1 - color] & safe;
                // Where the enemy may come to stand, and where stones may be captured.
                let (bracket, prey) = (self.full & !own, self.full & !enemy);
                for length in 2..=self.longest_group() {
                    for step in steps() {
                        let between = runs(prey, step, length) >> step;
                        let far = bracket >> (step * (length + 1));
                        let lowest = bracket & between & far;
                        exposed |= own & spread(lowest << step, step, length);
                    }
                }
            }
            if exposed == 0 {
                return safe;
            }
            safe &= !exposed;
        }
    }
}
