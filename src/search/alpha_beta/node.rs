//! A node below the root, in named steps.

use super::frames::Frame;
use super::worker::{Aborted, Worker};
use crate::game::{Move, Outcome, Position};
use crate::search::{Bound, Entry, Evaluator, Score, Window};

/// Priorities above anything that an evaluator or the history says.
const TABLE_MOVE: i32 = i32::MAX;
const KILLER: i32 = 3000;

impl<P: Position, E: Evaluator<P>> Worker<'_, P, E> {
    /// Plays a move, searches below it and takes it back. The value is seen from the node: the
    /// sign flips when the side to move changed, not when the ply did. A move that is not
    /// expected to be best (`scout`) is first asked only whether it is better.
    pub(super) fn search_move(
        &mut self,
        mv: Move,
        window: Window,
        depth: i32,
        ply: u32,
        scout: bool,
    ) -> Result<Score, Aborted> {
        self.count_node()?;
        let position = self.tree.position();
        let side = position.side_of(position.to_move());
        self.tree.play(mv);
        let position = self.tree.position();
        let same = side == position.side_of(position.to_move());
        let mut below = |window: Window| {
            if same {
                self.node(window, depth - 1, ply + 1)
            } else {
                self.node(-window, depth - 1, ply + 1).map(|score| -score)
            }
        };
        let result = if scout && !window.is_null() {
            match below(Window::null(window.alpha)) {
                Ok(score) if score > window.alpha && score < window.beta => below(window),
                other => other,
            }
        } else {
            below(window)
        };
        self.tree.undo();
        result
    }

    /// The value of the position the tree is at, for the side to move.
    fn node(&mut self, window: Window, depth: i32, ply: u32) -> Result<Score, Aborted> {
        self.frames.at(ply).pv.clear();
        self.seldepth = self.seldepth.max(ply);
        if let Some(score) = self.known_value(ply) {
            return Ok(score);
        }
        let range = self.tree.evaluator().range(self.tree.position());
        let window = window.within(range);
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        let key = self.tree.evaluator().table_key(self.tree.position());
        let own_key = key == self.tree.position().key();
        let entry = self.shared.table.probe(key);
        if let Some(score) = entry.and_then(|entry| cut_by_table(entry, window, depth, ply)) {
            return Ok(score);
        }
        let forced = self.list_replies(ply);
        if depth <= 0 && !forced && !self.shared.settings.exact {
            return Ok(self.tree.evaluator().value(self.tree.position()));
        }
        if forced && self.frames.at(ply).list.is_empty() {
            return Ok(Score::loss_in(ply + 2));
        }
        if !forced {
            self.list_candidates(ply);
        }
        self.rank_moves(ply, entry.and_then(|entry| entry.mv).filter(|_| own_key));
        let (score, best) = self.search_moves(window, depth.max(0), ply)?;
        let bound = window.bound(score);
        let depth = depth.clamp(0, i32::from(u8::MAX)) as u8;
        let mv = best.filter(|_| own_key);
        self.shared.table.store(key, Entry { mv, score: score.at_node(ply), bound, depth });
        Ok(score)
    }

    /// The end of the game, or a win that is there for the taking.
    fn known_value(&mut self, ply: u32) -> Option<Score> {
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        if let Some(outcome) = position.outcome() {
            return Some(final_score(position, outcome, ply));
        }
        if let Some(mv) = evaluator.winning_move(position) {
            self.frames.at(ply).pv.push(mv);
            return Some(Score::win_in(ply + 1));
        }
        None
    }

    /// Lists the replies to a threat to win; false if there is no threat.
    fn list_replies(&mut self, ply: u32) -> bool {
        let list = &mut self.frames.at(ply).list;
        list.clear();
        self.tree.evaluator().replies(self.tree.position(), list)
    }

    fn list_candidates(&mut self, ply: u32) {
        let list = &mut self.frames.at(ply).list;
        list.clear();
        self.tree.evaluator().candidates(self.tree.position(), list);
    }

    /// Gives each listed move its place in the order of search.
    fn rank_moves(&mut self, ply: u32, table_move: Option<Move>) {
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        let seat = position.to_move().index();
        let Frame { list, moves, killers, .. } = self.frames.at(ply);
        moves.clear();
        for &mv in list.iter() {
            let priority = if Some(mv) == table_move {
                TABLE_MOVE
            } else {
                let killer = if killers.contains(&Some(mv)) { KILLER } else { 0 };
                evaluator.priority(position, mv) + self.history.get(seat, mv) + killer
            };
            moves.push((mv, priority));
        }
    }

    /// Searches the ranked moves until one is too good, and returns the best value with its move.
    fn search_moves(
        &mut self,
        mut window: Window,
        depth: i32,
        ply: u32,
    ) -> Result<(Score, Option<Move>), Aborted> {
        let mut best = (-Score::INFINITE, None);
        let mut first = true;
        while let Some(mv) = self.frames.at(ply).pick() {
            let score = self.search_move(mv, window, depth, ply, !first)?;
            first = false;
            if score > best.0 {
                best.0 = score;
                if score > window.alpha {
                    best.1 = Some(mv);
                    window.alpha = score;
                    self.frames.raise(ply, mv);
                }
            }
            if score >= window.beta {
                let seat = self.tree.position().to_move().index();
                self.history.reward(seat, mv, depth);
                self.frames.at(ply).remember_killer(mv);
                break;
            }
        }
        Ok(best)
    }
}

/// The value of an ended game for the side whose turn it would be.
fn final_score<P: Position>(position: &P, outcome: Outcome, ply: u32) -> Score {
    match outcome.winner {
        None => Score::DRAW,
        Some(winner) if winner == position.side_of(position.to_move()) => Score::win_in(ply),
        Some(_) => Score::loss_in(ply),
    }
}

/// The value from the table if it is deep enough to decide the node. A proven win or loss is deep
/// enough always.
fn cut_by_table(entry: Entry, window: Window, depth: i32, ply: u32) -> Option<Score> {
    let score = entry.score.at_root(ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    let proven = match entry.bound {
        Bound::Lower => score.is_win(),
        Bound::Upper => score.is_loss(),
        Bound::Exact => score.is_win() || score.is_loss(),
    };
    (decides && (i32::from(entry.depth) >= depth.min(i32::from(u8::MAX)) || proven))
        .then_some(score)
}
