//! The root of the tree: its moves keep their lines and values from one iteration to the next.

use super::node::Care;
use super::threads::Shared;
use super::worker::{Aborted, Worker};
use crate::game::{Move, MoveList, Position};
use crate::search::{Bound, Evaluator, Report, Score, Window};
use std::collections::VecDeque;

/// A move at the root with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    pub score: Score,
    pub bound: Bound,
    pub depth: u32,
    pub seldepth: u32,
    pub pv: Vec<Move>,
}

impl<P: Position, E: Evaluator<P>> Worker<'_, P, E> {
    /// The moves to search, the most promising first: those asked for, else a winning one, else
    /// the replies to a threat, else the candidates.
    pub(super) fn root_moves(&self) -> Vec<RootMove> {
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        let asked = &self.shared.limits.search_moves;
        let mut moves = MoveList::new();
        if asked.is_empty() {
            if let Some(mv) = evaluator.winning_move(position) {
                moves.push(mv);
            } else {
                evaluator.replies(position, &mut moves);
            }
            if moves.is_empty() || self.shared.settings.multi_pv > 1 {
                moves.clear();
                evaluator.candidates(position, &mut moves);
            }
        } else {
            moves.extend(asked.iter().filter(|&&mv| position.is_legal(mv)));
            moves.sort_unstable();
            moves.dedup();
        }
        moves.sort_by_key(|&mv| std::cmp::Reverse(evaluator.priority(position, mv)));
        let value = evaluator.value(position);
        moves.into_iter().map(|mv| RootMove::new(mv, value)).collect()
    }

    /// Searches the root moves from number `line` on and brings the best of them to that place.
    pub(super) fn search_root(&mut self, depth: u32, line: usize) -> Result<(), Aborted> {
        self.search_root_with(Window::FULL, depth, line)
    }

    /// [`Worker::search_root`] for values within a window.
    pub(super) fn search_root_with(
        &mut self,
        mut window: Window,
        depth: u32,
        line: usize,
    ) -> Result<(), Aborted> {
        let whole = window;
        self.root_depth = depth;
        let mut queue: VecDeque<Move> = self.roots[line..].iter().map(|root| root.mv).collect();
        let mut fresh = queue.len();
        let mut first = true;
        while let Some(mv) = queue.pop_front() {
            if fresh > 0 {
                fresh -= 1;
                if !first && self.is_busy(mv, depth as i32) {
                    queue.push_back(mv);
                    continue;
                }
            }
            let care = if first { Care::First } else { Care::Scout { reduction: 0 } };
            let score = self.search_move(mv, window, depth as i32, 0, care)?;
            if score > window.alpha || first {
                self.frames.raise(0, mv);
                let index = self.roots.iter().position(|root| root.mv == mv).unwrap_or(line);
                self.promote(index, line, score, whole.bound(score), depth);
                window.alpha = window.alpha.max(score);
            }
            first = false;
            if window.alpha >= window.beta {
                break;
            }
        }
        Ok(())
    }

    /// Moves a root move that turned out best to the front of those not yet ranked.
    fn promote(&mut self, from: usize, to: usize, score: Score, bound: Bound, depth: u32) {
        self.roots[to..=from].rotate_right(1);
        let root = &mut self.roots[to];
        root.score = score;
        root.bound = bound;
        root.depth = depth;
        root.seldepth = self.seldepth.max(1);
        root.pv.clone_from(&self.frames.at(0).pv);
    }
}

impl RootMove {
    /// What to tell of the move, which is the `rank`th best.
    pub(super) fn report(&self, rank: usize, shared: &Shared<'_>, nodes: u64) -> Report {
        Report {
            depth: self.depth,
            seldepth: self.seldepth,
            multipv: rank as u32,
            score: self.score,
            bound: self.bound,
            nodes,
            time: shared.budget.elapsed(),
            hashfull: shared.table.hashfull(),
            pv: self.pv.clone(),
        }
    }

    /// A move before any search, in a position that looks like `value`.
    fn new(mv: Move, value: Score) -> RootMove {
        RootMove { mv, score: value, bound: Bound::Exact, depth: 0, seldepth: 0, pv: vec![mv] }
    }
}
