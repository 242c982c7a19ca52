//! What can be said of a position without a search: stones that nobody can capture any more, how many
//! stones a color can still capture, who can still win, and stones that no longer matter.
//!
//! A stone is **safe** if every group that it could be captured with is closed: a safe stone of the
//! enemy lies between, or a safe stone of its own color is a bracket, or both brackets are safe stones
//! of the enemy, so that none of them is ever placed. The safe stones are the greatest set of which this
//! holds. The first of them to be captured would need another one gone, so none ever is; the argument
//! is that of Benson for Go ("Life in the game of Go", 1976).
//!
//! A color captures a group only by placing one of its brackets while the other one stands, and the
//! points between are empty then. As long as the enemy captures nothing, brackets stay, and no stone
//! of a color can come to stand between them and be captured there. So it captures each group once at
//! most, and of two groups along one line, each with a bracket between those of the other, only one.

use super::board::SmallBoard;
use super::rules::{STEPS, SmallRules, runs, spread};

/// What is settled in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    /// The stones that are never captured.
    pub safe: u64,
    /// The safe stones whose color matters to no line and no capture any more.
    pub idle: u64,
    /// By color.
    pub chances: [Chances; 2],
}

/// What a color may still achieve, if the other helps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chances {
    /// Whether there is room for a line.
    pub line: bool,
    /// The places where it may capture.
    pub groups: u32,
    /// The most stones that it captures while none of its own are captured.
    captures: u32,
    /// The points of its lines, and of its groups with their brackets.
    live: u64,
}

impl Settled {
    /// The most stones that a color may still capture in the position, if there is a bound.
    pub(super) fn most_captures(&self, board: &SmallBoard, color: usize, goal: u8) -> Option<u32> {
        let enemy = 1 - color;
        // A capture of the enemy that wins ends the game: it opens nothing.
        let spared = self.chances[enemy].groups == 0 || board.captured[enemy] + 2 >= goal;
        let captures = self.chances[color].captures;
        (captures == 0 || spared).then_some(captures)
    }

    /// Whether a color can still win, if the other helps.
    pub(super) fn may_win(&self, board: &SmallBoard, color: usize, goal: u8) -> bool {
        let needed = u32::from(goal - board.captured[color]);
        self.chances[color].line
            || goal > 0 && self.most_captures(board, color, goal).is_none_or(|most| most >= needed)
    }
}

impl SmallRules {
    /// What is settled in a position.
    pub(super) fn settled(&self, board: &SmallBoard) -> Settled {
        let safe = self.safe_stones(board);
        let chances = [0, 1].map(|color| self.chances(board, safe, color));
        let idle = safe & !(chances[0].live | chances[1].live);
        Settled { safe, idle, chances }
    }

    fn chances(&self, board: &SmallBoard, safe: u64, color: usize) -> Chances {
        let mut chances = Chances::default();
        // A color never comes to points with safe stones of the other.
        let open = self.full & !(board.stones[1 - color] & safe);
        for step in STEPS {
            let lines = runs(open, step, self.line);
            chances.line |= lines != 0;
            chances.live |= spread(lines, step, self.line);
        }
        let (prey, taken) = (self.full & !safe, board.stones[color] & safe);
        for length in 2..=self.longest_group {
            for step in STEPS {
                let lowest = groups(open, taken, prey, step, length);
                chances.groups += lowest.count_ones();
                chances.captures += length * apart(lowest, step, length);
                chances.live |= spread(lowest, step, length + 2);
            }
        }
        chances
    }

    /// The stones that are never captured.
    fn safe_stones(&self, board: &SmallBoard) -> u64 {
        let mut safe = board.stones[0] | board.stones[1];
        if self.longest_group == 0 {
            return safe;
        }
        loop {
            let mut exposed = 0;
            for color in 0..2 {
                let own = board.stones[color] & safe;
                let enemy = board.stones[1 - color] & safe;
                let (open, prey) = (self.full & !own, self.full & !enemy);
                for length in 2..=self.longest_group {
                    for step in STEPS {
                        let lowest = groups(open, enemy, prey, step, length);
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

/// The lowest brackets of the groups that may be captured: both brackets are open to the color that
/// captures and not both taken by it for good, and the points between may hold its prey.
#[inline]
fn groups(open: u64, taken: u64, prey: u64, step: u32, length: u32) -> u64 {
    let other = step * (length + 1);
    let between = runs(prey, step, length) >> step;
    open & open >> other & between & !(taken & taken >> other)
}

/// How many of the groups can be captured if none leaves room for those that begin up to its length
/// higher on the line: a bracket of each lies between those of the other.
fn apart(mut lowest: u64, step: u32, length: u32) -> u32 {
    let mut count = 0;
    while lowest != 0 {
        let nearer = (1..=length).fold(0, |points, n| points | lowest << (step * n));
        let first = lowest & !nearer;
        count += first.count_ones();
        lowest &= !spread(first, step, length + 1);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Value;
    use pentarch_core::placement::Position;

    /// What is settled at any time holds to the end of a game in which both colors like to capture.
    #[test]
    fn what_is_settled_stays_so() {
        let mut rng = fastrand::Rng::with_seed(23);
        let mut bounded = 0;
        for spec in ["pente+size=5", "keryo-pente+size=5", "ninuki+size=6", "pente+size=7"] {
            let start = Position::new(spec.parse().unwrap());
            let rules = SmallRules::new(start.rules()).unwrap();
            for _ in 0..1500 {
                let mut board = rules.board(&start);
                let mut settled = Vec::new();
                let end = loop {
                    let now = rules.settled(&board);
                    settled.push((board, now));
                    let captures = rules.captures(&board, usize::from(board.color));
                    let legal = rules.legal(&board);
                    let liked = if rng.u8(..) < 200 { captures & legal } else { 0 };
                    let points = rules.in_order(if liked != 0 { liked } else { legal });
                    let (next, end) = rules.play(&board, points[rng.usize(..points.len())]);
                    board = next;
                    if let Some(end) = end {
                        break end;
                    }
                };
                for (then, now) in settled {
                    for color in 0..2 {
                        let taken = u32::from(board.captured[color] - then.captured[color]);
                        let stays = now.safe & then.stones[color] & !board.stones[color];
                        assert_eq!(stays, 0, "{spec} {then:?}");
                        if let Some(most) = now.most_captures(&then, color, rules.goal) {
                            assert!(taken <= most, "{spec} {then:?} {taken} {most}");
                            bounded += u32::from(taken > 0);
                        }
                        let won = end == Value::win(color);
                        assert!(!won || now.may_win(&then, color, rules.goal), "{spec} {then:?}");
                    }
                }
            }
        }
        assert!(bounded > 100, "{bounded}");
    }
}
