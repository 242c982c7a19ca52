//! The search: whether a color wins, by alpha-beta over everything that can be played.

use super::board::{SmallBoard, Value};
use super::node::Node;
use super::solver::{Solver, Spent};

/// No limit of plies.
const TO_THE_END: u32 = u32::MAX;

/// What it is worth to the defender that a place is closed where the attacker might capture: more than
/// anything that lines are worth. It is what brings proofs of draws to an end.
const CLOSED_GROUP: i32 = 4000;

/// A color asks whether it wins.
#[derive(Clone, Copy, Debug)]
struct Question {
    attacker: u8,
    /// The plies after which the answer is no for want of a win.
    plies: u32,
}

impl Question {
    /// The question that is left after a ply.
    fn after_a_ply(self) -> Question {
        let plies = if self.plies == TO_THE_END { TO_THE_END } else { self.plies - 1 };
        Question { plies, ..self }
    }
}

impl Solver {
    /// Whether a color wins an open position.
    pub(super) fn wins(&mut self, board: &SmallBoard, attacker: u8) -> Result<bool, Spent> {
        self.wins_within(board, attacker, TO_THE_END)
    }

    /// Whether a color is found to win an open position within that many plies, or later.
    pub(super) fn wins_within(
        &mut self,
        board: &SmallBoard,
        attacker: u8,
        plies: u32,
    ) -> Result<bool, Spent> {
        let node = match self.rules.look(board, attacker) {
            Ok(node) => node,
            Err(answer) => return Ok(answer),
        };
        let question = Question { attacker, plies };
        if let Some(answer) = self.remembered(&node, question) {
            return Ok(answer);
        }
        self.open.clear();
        self.search(&node, question)
    }

    /// Whether a color wins after a move, if that is known without a search.
    pub(super) fn known(&self, board: &SmallBoard, bit: u32, attacker: u8) -> Option<bool> {
        let (next, end) = self.rules.play(board, bit);
        if let Some(value) = end {
            return Some(value == Value::win(attacker.into()));
        }
        match self.rules.look(&next, attacker) {
            Ok(node) => self.table.answer(node.key?, node.worst, node.best),
            Err(answer) => Some(answer),
        }
    }

    fn search(&mut self, node: &Node, question: Question) -> Result<bool, Spent> {
        self.count_node()?;
        let begin = self.open.len();
        let wanted = node.board.color == question.attacker;
        let answer = if self.has_known_move(node, question) {
            wanted
        } else {
            self.search_moves(begin, question, wanted)?
        };
        self.open.truncate(begin);
        self.remember(node, question, answer);
        Ok(answer)
    }

    /// Looks at the positions after all moves; whether one is known to have the answer that the mover
    /// wants. If none is, the open ones are put aside for the search.
    fn has_known_move(&mut self, node: &Node, question: Question) -> bool {
        let attacker = question.attacker;
        let defends = node.board.color != attacker;
        let begin = self.open.len();
        let moves = self.rules.ranked(node, attacker);
        // What was good elsewhere says something about lines, and misleads where stones are captured.
        let learned = u32::from(node.exposed == 0);
        let history = self.history[usize::from(node.board.color & 1)];
        for (bit, rank) in moves.iter() {
            let (next, end) = self.rules.play(&node.board, bit);
            let seen = match end {
                Some(value) => Err(value == Value::win(attacker.into())),
                None => self.rules.look(&next, attacker),
            };
            match seen {
                Err(answer) if answer != defends => return true,
                Err(_) => {}
                Ok(next) => {
                    let exposed = if defends { next.exposed as i32 } else { 0 };
                    let settled = (learned * history[bit as usize & 63] / 51) as i32;
                    let rank = rank + settled - CLOSED_GROUP * exposed;
                    self.open.push(Node { bit: bit as u8, rank, ..next });
                }
            }
        }
        // The table is asked in one go, so that the memory answers many questions at a time.
        let after = question.after_a_ply();
        let mut kept = begin;
        let mut found = false;
        for index in begin..self.open.len() {
            let next = self.open[index];
            if let Some(answer) = self.remembered(&next, after) {
                found |= answer != defends;
            } else {
                self.open[kept] = next;
                kept += 1;
            }
        }
        self.open.truncate(kept);
        found
    }

    /// Searches the positions that were put aside, until one has the answer that the mover wants.
    fn search_moves(
        &mut self,
        begin: usize,
        question: Question,
        wanted: bool,
    ) -> Result<bool, Spent> {
        let after = question.after_a_ply();
        for index in begin..self.open.len() {
            let left = index..self.open.len();
            let best = left.max_by_key(|&other| self.open[other].rank).unwrap_or(index);
            self.open.swap(index, best);
            let next = self.open[index];
            // It may have been met since it was put aside.
            let answer = match self.remembered(&next, after) {
                Some(answer) => answer,
                None => self.search(&next, after)?,
            };
            if answer == wanted {
                self.reward(&next);
                return Ok(wanted);
            }
        }
        Ok(!wanted)
    }

    /// Counts that the last move settled a position.
    fn reward(&mut self, next: &Node) {
        let mover = usize::from(next.board.color & 1 == 0);
        let history = &mut self.history[mover];
        let count = &mut history[usize::from(next.bit & 63)];
        *count += self.rules.empty(&next.board).count_ones();
        if *count > 1 << 18 {
            *history = history.map(|count| count / 2);
        }
    }

    /// The answer for a position, as far as it is remembered or the plies do not suffice.
    fn remembered(&self, node: &Node, question: Question) -> Option<bool> {
        let known = node.key.and_then(|key| self.table.answer(key, node.worst, node.best));
        if known.is_some() || question.plies == TO_THE_END {
            return known;
        }
        // Wins at once are seen without a search. A defender who is not threatened lasts for two plies.
        let quiet = node.points == self.rules.empty(&node.board);
        let least = if node.board.color == question.attacker || !quiet { 1 } else { 2 };
        let failed = node.key.map_or(0, |key| self.failed.failed_plies(key, node.worst));
        (question.plies <= least.max(failed)).then_some(false)
    }

    fn remember(&mut self, node: &Node, question: Question, answer: bool) {
        let Some(key) = node.key else { return };
        if answer {
            self.table.put_won(key, node.worst);
        } else if question.plies == TO_THE_END {
            self.table.put_not_won(key, node.best);
        } else {
            self.failed.put_failed(key, node.best, question.plies);
        }
    }
}
