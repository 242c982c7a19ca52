//! The order in which moves are looked at.

use super::node::Node;
use super::rules::{SmallRules, bits};

/// Moves with what it is worth to look at them early, the best ones first.
pub(super) struct Moves {
    list: [(i32, u8); 64],
    count: usize,
}

impl Moves {
    /// The bits of their points, and what they are worth.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, i32)> {
        self.list[..self.count].iter().map(|&(worth, bit)| (bit.into(), worth))
    }
}

impl SmallRules {
    /// Moves, those first that matter most to the lines and captures of the attacker, who has to
    /// make something of the game.
    pub(super) fn ranked(&self, node: &Node, attacker: u8) -> Moves {
        let Node { ref board, points, captures, safe, .. } = *node;
        let (attacker, mover) = (usize::from(attacker & 1), usize::from(board.color & 1));
        let (own, enemy) = (board.stones[attacker], board.stones[1 - attacker]);
        let mut worth = [0i32; 64];
        // Each stone of a line doubles what it is worth; one that can still be captured from it
        // makes it a quarter (Erdős and Selfridge, "On a combinatorial game", 1973).
        for &line in self.lines() {
            if line & enemy & safe != 0 {
                continue;
            }
            let stones = (line & own).count_ones();
            let line_worth = (80 << stones) >> (2 * (line & enemy).count_ones());
            add(&mut worth, line & points, line_worth);
        }
        let empty = self.empty(board);
        for group in self.segments() {
            let between = group.inner & board.stones[1 - mover];
            let mine = group.inner & board.stones[mover];
            // A capture that comes to be threatened, and one that is suffered.
            if between == group.inner && group.brackets & empty == group.brackets {
                add(&mut worth, group.brackets & points, 300);
            }
            let left = group.inner & !mine;
            let closed = (group.brackets & board.stones[1 - mover]).is_power_of_two();
            if between == 0
                && left.is_power_of_two()
                && closed
                && group.brackets & empty != 0
                && left & empty != 0
            {
                add(&mut worth, left & points, -1000);
            }
        }
        let taking = if mover == attacker { 3000 } else { 1000 };
        add(&mut worth, captures[mover] & points, taking);
        add(&mut worth, captures[1 - mover] & points, 1500);
        let mut moves = Moves { list: [(0, 0); 64], count: 0 };
        for bit in bits(points) {
            moves.list[moves.count & 63] = (worth[bit as usize & 63], bit as u8);
            moves.count += 1;
        }
        moves.list[..moves.count].sort_unstable_by(|one, two| two.cmp(one));
        moves
    }
}

/// Adds to the worth of all points of a set.
fn add(worth: &mut [i32; 64], points: u64, value: i32) {
    for bit in bits(points) {
        worth[bit as usize & 63] += value;
    }
}
