//! A node below the root, in named steps.

use super::pruning::Pruning;
use super::search_stack::{Frame, Stage};
use super::threads::{Busy, SHARED_DEPTH};
use super::worker::{Aborted, Worker};
use crate::game::{Move, Outcome, Position};
use crate::search::{Bound, Entry, Evaluator, Score, Window};

/// No line is followed further, for the sake of the stack and of values that count plies; a proof
/// that would have to is none.
const MAX_PLY: u32 = 1000;
/// What moves a killer forward in the order of search.
const KILLER: i32 = 3000;

/// What a node is expected to be (principal variation search: Marsland and Campbell 1982).
#[derive(Clone, Copy, Debug)]
pub(super) enum NodeType {
    /// On the best line: searched with the whole window.
    Pv,
    /// Not better than the best so far: searched with a null window first, `reduction` plies less
    /// deep.
    Scout { reduction: i32 },
}

impl<P: Position, E: Evaluator<P>> Worker<'_, P, E> {
    /// Plays a move, searches below it and takes it back. The value is seen from the node: the
    /// sign flips when the side to move changed, not when the ply did.
    pub(super) fn search_move(
        &mut self,
        mv: Move,
        window: Window,
        depth: i32,
        ply: u32,
        node_type: NodeType,
    ) -> Result<Score, Aborted> {
        self.count_node()?;
        let tag = self.enter(mv, depth);
        let position = self.tree.position();
        let side = position.side_of(position.to_move());
        self.tree.play(mv);
        let position = self.tree.position();
        let same = side == position.side_of(position.to_move());
        let mut below = |window: Window, depth: i32| {
            if same {
                self.node(window, depth - 1, ply + 1)
            } else {
                self.node(-window, depth - 1, ply + 1).map(|score| -score)
            }
        };
        let result = match node_type {
            NodeType::Pv => below(window, depth),
            NodeType::Scout { reduction } => {
                let null = Window::null(window.alpha);
                let mut result = below(null, depth - reduction);
                if reduction > 0 && result.is_ok_and(|score| score > window.alpha) {
                    result = below(null, depth);
                }
                match result {
                    Ok(score) if score > window.alpha && score < window.beta => {
                        below(window, depth)
                    }
                    other => other,
                }
            }
        };
        self.tree.undo();
        if let (Some(busy), Some(tag)) = (&self.shared.busy, tag) {
            busy.leave(tag);
        }
        result
    }

    /// Tells the other threads that this one is looking at a move, if they may care.
    fn enter(&self, mv: Move, depth: i32) -> Option<u64> {
        let busy = self.shared.busy.as_ref().filter(|_| depth >= SHARED_DEPTH)?;
        let tag = Busy::tag(self.tree.position().key(), mv, depth);
        busy.enter(tag);
        Some(tag)
    }

    /// Whether another thread is looking at a move.
    pub(super) fn is_busy(&self, mv: Move, depth: i32) -> bool {
        let busy = self.shared.busy.as_ref().filter(|_| depth >= SHARED_DEPTH);
        busy.is_some_and(|busy| busy.contains(Busy::tag(self.tree.position().key(), mv, depth)))
    }

    /// The value of the position the tree is at, for the side to move.
    fn node(&mut self, window: Window, depth: i32, ply: u32) -> Result<Score, Aborted> {
        self.stack.at(ply).pv.clear();
        self.seldepth = self.seldepth.max(ply);
        if ply >= MAX_PLY {
            let value = self.tree.evaluator().value(self.tree.position());
            return if self.shared.settings.exact { Err(Aborted) } else { Ok(value) };
        }
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
        let forced = self.list_defenses(ply);
        if depth <= 0 && !forced && !self.shared.settings.exact {
            return self.leaf(window, ply);
        }
        if forced && self.stack.at(ply).list.is_empty() {
            return Ok(Score::loss_in(ply + 2));
        }
        let pruning = self.pruning(window, depth, forced);
        if let Some(value) = pruning.reverse_futility(window.beta)
            && self.tree.evaluator().is_quiescent(self.tree.position())
        {
            return Ok(value);
        }
        let threat = if forced { None } else { self.list_null_move_defenses(ply, depth)? };
        // All other moves lose by that threat.
        let least = threat.map(|plies| Score::loss_in(ply + plies));
        let listed = forced || threat.is_some();
        if let Some(loss) = least.filter(|_| self.stack.at(ply).list.is_empty()) {
            return Ok(loss);
        }
        let table_move = entry.and_then(|entry| entry.mv).filter(|_| own_key);
        self.prepare_moves(ply, listed, table_move);
        // An answer to a threat leaves the question open: it takes no depth (reply extension).
        let extension = i32::from(forced && ply < 2 * self.root_depth);
        let pruning = Pruning { depth: depth.max(0) + extension, ..pruning };
        let (score, best) = self.search_moves(window, pruning, ply, listed)?;
        let score = least.map_or(score, |least| score.max(least));
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
            self.stack.at(ply).set_pv(mv);
            return Some(Score::win_in(ply + 1));
        }
        None
    }

    /// Lists the replies to a threat to win; false if there is no threat.
    pub(super) fn list_defenses(&mut self, ply: u32) -> bool {
        let list = &mut self.stack.at(ply).list;
        list.clear();
        self.tree.evaluator().defenses(self.tree.position(), list)
    }

    /// Gets ready to go through the moves of a node: the listed replies, or else the candidates,
    /// which are not even listed if the move from the table is good enough.
    fn prepare_moves(&mut self, ply: u32, forced: bool, table_move: Option<Move>) {
        let position = self.tree.position();
        let listed = |list: &[Move], mv: Move| {
            if forced { list.contains(&mv) } else { position.is_legal(mv) }
        };
        let frame = self.stack.at(ply);
        frame.table_move = table_move.filter(|&mv| listed(&frame.list, mv));
        frame.stage = Stage::TableMove { forced };
        frame.deferred.clear();
    }

    /// The next move to search, the most promising first.
    #[inline]
    fn next_move(&mut self, ply: u32) -> Option<Move> {
        let frame = self.stack.at(ply);
        if let Stage::TableMove { forced } = frame.stage {
            frame.stage = Stage::Scoring { forced };
            if frame.table_move.is_some() {
                return frame.table_move;
            }
        }
        if let Stage::Scoring { forced } = self.stack.at(ply).stage {
            if !forced {
                let list = &mut self.stack.at(ply).list;
                list.clear();
                self.tree.evaluator().tactical_moves(self.tree.position(), list);
            }
            self.stack.at(ply).moves.clear();
            self.score_moves(ply, true);
            self.stack.at(ply).stage = if forced { Stage::Rest } else { Stage::Tactical };
        }
        let picked = self.stack.at(ply).pick();
        if picked.is_some() || !matches!(self.stack.at(ply).stage, Stage::Tactical) {
            return picked;
        }
        let list = &mut self.stack.at(ply).list;
        list.clear();
        self.tree.evaluator().candidates(self.tree.position(), list);
        self.score_moves(ply, false);
        let frame = self.stack.at(ply);
        frame.stage = Stage::Rest;
        frame.pick()
    }

    /// [`Worker::next_move`], with moves that other threads are looking at put off to the end.
    #[inline]
    fn next_free_move(&mut self, ply: u32, index: usize, depth: i32) -> Option<Move> {
        while let Some(mv) = self.next_move(ply) {
            if index == 0 || !self.is_busy(mv, depth) {
                return Some(mv);
            }
            self.stack.at(ply).deferred.push(mv);
        }
        self.stack.at(ply).deferred.pop()
    }

    /// Gives each listed move but the one from the table its place in the order of search: all of
    /// them, or only the quiet ones.
    fn score_moves(&mut self, ply: u32, all: bool) {
        let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
        let seat = position.to_move().index();
        let Frame { list, moves, killers, table_move, .. } = self.stack.at(ply);
        for &mv in list.iter().filter(|&&mv| Some(mv) != *table_move) {
            if all || evaluator.is_quiet(position, mv) {
                let killer = if killers.contains(&Some(mv)) { KILLER } else { 0 };
                let history = self.history.get(seat, mv);
                moves.push((mv, evaluator.ordering_score(position, mv) + history + killer));
            }
        }
    }

    /// Searches the ranked moves until one is too good, and returns the best value with its move.
    fn search_moves(
        &mut self,
        mut window: Window,
        pruning: Pruning,
        ply: u32,
        forced: bool,
    ) -> Result<(Score, Option<Move>), Aborted> {
        let mut best = (-Score::INFINITE, None);
        let depth = pruning.depth;
        let prunes =
            !forced && !self.shared.settings.exact && self.tree.evaluator().knows_quiet_moves();
        let mut index = 0;
        while let Some(mv) = self.next_free_move(ply, index, depth) {
            let (position, evaluator) = (self.tree.position(), self.tree.evaluator());
            let quiet = prunes && evaluator.is_quiet(position, mv);
            if quiet && index > 0 && pruning.prunes(index, window.alpha, best.0) {
                continue;
            }
            let node_type = match index {
                0 => NodeType::Pv,
                _ => {
                    NodeType::Scout { reduction: if quiet { pruning.reduction(index) } else { 0 } }
                }
            };
            let score = self.search_move(mv, window, depth, ply, node_type)?;
            index += 1;
            if score > best.0 {
                best.0 = score;
                if score > window.alpha {
                    best.1 = Some(mv);
                    window.alpha = score;
                    self.stack.update_pv(ply, mv);
                }
            }
            if score >= window.beta {
                let seat = self.tree.position().to_move().index();
                self.history.reward(seat, mv, depth);
                self.stack.at(ply).remember_killer(mv);
                break;
            }
        }
        Ok(best)
    }

    /// What a node knows before it searches. A threat of the other side makes its value moot.
    fn pruning(&self, window: Window, depth: i32, forced: bool) -> Pruning {
        let wanted =
            !forced && !self.shared.settings.exact && Pruning::wants_static_value(depth, window);
        let value = wanted.then(|| self.tree.evaluator().value(self.tree.position()));
        Pruning { depth, is_pv: !window.is_null(), static_value: value }
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
