//! A position of a search, with what is seen of it at once.

use super::board::SmallBoard;
use super::rules::SmallRules;
use super::table::{Counts, Key};

/// An open position that is not decided at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub board: SmallBoard,
    /// The moves that are worth a look: the others lose at once.
    pub points: u64,
    /// The points where each color would capture.
    pub captures: [u64; 2],
    /// The stones that are never captured.
    pub safe: u64,
    /// What results are kept under; none while an opening limits where stones go.
    pub key: Option<Key>,
    /// Counts that have the same answer as those of the board, and so have all between: the worst for
    /// the color that asks, and the best.
    pub worst: Counts,
    pub best: Counts,
    /// The places where the color that asks may yet capture.
    pub exposed: u32,
    /// The point of the move that led here, and how early it is looked at.
    pub bit: u8,
    pub rank: i32,
}

impl SmallRules {
    /// A look at an open position: whether the attacker wins, if that is seen at once, or what a search
    /// starts from.
    ///
    /// A color that can win at once does. One that is threatened with a win at once either takes the
    /// point, if it is the only one, or captures; every other move loses. A color that can form no line
    /// and capture too little, even with help, does not win.
    pub(super) fn look(&self, board: &SmallBoard, attacker: u8) -> Result<Node, bool> {
        let mover = usize::from(board.color & 1);
        let limited = board.placed() < self.limited_stones();
        let (wins, mine) = self.wins(board, mover);
        let (threats, theirs) = self.wins(board, 1 - mover);
        let points = match threats.count_ones() {
            _ if limited => self.legal(board),
            _ if wins != 0 => return Err(board.color == attacker),
            0 => self.empty(board),
            1 => mine | threats,
            _ => mine,
        };
        if points == 0 {
            return Err(board.color != attacker);
        }
        let captures = if mover == 0 { [mine, theirs] } else { [theirs, mine] };
        let counts = Counts::of(board, attacker);
        let mut node = Node {
            board: *board,
            points,
            captures,
            safe: 0,
            key: None,
            worst: counts,
            best: counts,
            exposed: 0,
            bit: 0,
            rank: 0,
        };
        if !limited && !self.settle(&mut node, attacker) {
            return Err(false);
        }
        Ok(node)
    }

    /// Fills in what follows from what is settled; whether the attacker may still win.
    fn settle(&self, node: &mut Node, attacker: u8) -> bool {
        let own = usize::from(attacker & 1);
        let settled = self.settled(&node.board);
        if !settled.may_win(&node.board, own, self.goal) {
            return false;
        }
        // Counts that can no longer come to the goal are as good as any other that cannot.
        let most = [own, 1 - own].map(|color| {
            let most = settled.most_captures(&node.board, color, self.goal);
            let most = most.and_then(|most| self.goal.checked_sub(most as u8 + 1));
            most.filter(|&most| node.board.captured[color] <= most)
        });
        if let Some(most) = most[0] {
            (node.worst.own, node.best.own) = (0, most);
        }
        if let Some(most) = most[1] {
            (node.worst.enemy, node.best.enemy) = (most, 0);
        }
        let stones = node.board.stones.map(|stones| stones | settled.idle);
        node.key = Some(Key::new(self.least_image(stones), attacker, node.board.color));
        node.safe = settled.safe;
        node.exposed = settled.chances[own].groups;
        true
    }
}
