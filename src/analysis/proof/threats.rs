//! Where a stone would win at once, and where it would capture.

use super::board::SmallBoard;
use super::rules::{LONGEST_SIDE, STEPS, SmallRules, bits};

/// One of the eight ways to look along a line.
#[derive(Clone, Copy, Debug)]
struct Ray {
    step: u32,
    forward: bool,
}

impl Ray {
    const ALL: [Ray; 8] = {
        let mut rays = [Ray { step: 0, forward: false }; 8];
        let mut index = 0;
        while index < 8 {
            rays[index] = Ray { step: STEPS[index / 2], forward: index % 2 == 0 };
            index += 1;
        }
        rays
    };

    /// The points from which a point of the set lies that many steps along the ray.
    #[inline]
    const fn before(self, set: u64, distance: u32) -> u64 {
        let shift = self.step * distance;
        if self.forward { set >> shift } else { set << shift }
    }
}

impl SmallRules {
    /// The empty points where a stone of a color would win at once, and those where it would capture.
    #[inline]
    pub(super) fn wins(&self, board: &SmallBoard, color: usize) -> (u64, u64) {
        let empty = self.empty(board);
        let mut wins = empty & self.gaps(board.stones[color]);
        let captures = self.captures(board, color);
        // No stone captures in more than eight directions.
        let most = 8 * self.longest_group as u8;
        if board.captured[color] + most >= self.goal {
            for bit in bits(captures) {
                let gain: u32 = self.taken(board, color, bit).map(u64::count_ones).sum();
                if board.captured[color] + gain as u8 >= self.goal {
                    wins |= 1 << bit;
                }
            }
        }
        (wins, captures)
    }

    /// The points whose line of the set lacks no other point.
    #[inline]
    fn gaps(&self, own: u64) -> u64 {
        let mut gaps = 0;
        for step in STEPS {
            // By length: the points with a run of at least that length behind them, and before them.
            let mut behind = [!0; LONGEST_SIDE as usize];
            let mut before = behind;
            for length in 1..self.line as usize {
                let shift = step * length as u32;
                behind[length] = behind[length - 1] & own << shift;
                before[length] = before[length - 1] & own >> shift;
            }
            for length in 0..self.line as usize {
                gaps |= behind[length] & before[self.line as usize - 1 - length];
            }
        }
        gaps
    }

    /// The empty points where a stone of a color would capture.
    #[inline]
    pub(super) fn captures(&self, board: &SmallBoard, color: usize) -> u64 {
        if self.longest_group == 0 {
            return 0;
        }
        let (own, enemy) = (board.stones[color], board.stones[1 - color]);
        let mut captures = 0;
        for ray in Ray::ALL {
            let two = ray.before(enemy, 1) & ray.before(enemy, 2);
            captures |= two & ray.before(own, 3);
            if self.longest_group > 2 {
                captures |= two & ray.before(enemy, 3) & ray.before(own, 4);
            }
        }
        captures & self.empty(board)
    }
}
