//! What a node knows before it searches, and what it takes its moves for.

use super::move_picker::NodeState;
use super::pruning::{MoveClass, MoveOrder, Pruning};
use super::worker::Worker;
use crate::search::{Bound, Entry, Score, ThreatGenerator, Window};
use pentarch_core::game::{Move, Position};

impl<'a, P: Position, E: ThreatGenerator<P>> Worker<'a, P, E> {
    /// What a move is where nothing must be answered.
    pub(super) fn class(&self, mv: Move) -> MoveClass {
        if !self.tells_moves_apart() {
            MoveClass::Forced
        } else if self.tree.is_quiet(mv) {
            MoveClass::Quiet
        } else {
            MoveClass::Tactical
        }
    }

    /// Whether quiet moves may be told from others.
    pub(super) fn tells_moves_apart(&self) -> bool {
        !self.shared.settings.exact && self.tree.knows_quiet_moves()
    }

    /// What a node knows before it searches. A threat of the other side makes its value moot.
    pub(super) fn pruning(
        &mut self,
        window: Window,
        depth: i32,
        threatened: bool,
        ply: u32,
        entry: Option<Entry>,
    ) -> Pruning<'a> {
        let parameters = &self.shared.settings.parameters;
        let order = if self.tree.has_fitted_order() {
            let (improving, sure) =
                (self.is_improving(threatened, ply), self.tree.has_sure_order());
            MoveOrder::Fitted { improving, sure }
        } else {
            MoveOrder::Rough
        };
        let wanted = !threatened
            && !self.shared.settings.exact
            && Pruning::wants_static_value(parameters, depth, window, order);
        let NodeState { static_value: known, expects_cut, .. } = self.stack.at(ply).node;
        let known = known.map(|(_, value)| value);
        let static_value = wanted.then(|| {
            let value = known.unwrap_or_else(|| self.tree.value());
            entry.map_or(value, |entry| sharpened(value, entry))
        });
        let (is_pv, attacks) = (!window.is_null(), self.is_attacker());
        Pruning { parameters, depth, is_pv, expects_cut, static_value, order, attacks }
    }

    /// [`Pruning::reverse_futility`] where bounds of the static value are enough to tell.
    pub(super) fn clear_reverse_futility(
        &mut self,
        window: Window,
        depth: i32,
        entry: Option<Entry>,
    ) -> Option<Score> {
        let settings = &self.shared.settings;
        if settings.exact || !window.is_null() {
            return None;
        }
        let parameters = &settings.parameters;
        let is_far =
            |value: &Score| Pruning::is_futile_to_go_on(parameters, depth, *value, window.beta);
        let value = Some(self.tree.value_bounds().alpha).filter(is_far)?;
        entry.is_none_or(|entry| is_far(&sharpened(value, entry))).then_some(value)
    }

    /// [`Pruning::reverse_futility`] by a value that [`Worker::remember_value`] has left in the table,
    /// which spares the evaluator the last move. A search of moves that came out as high would have left
    /// its best move with it.
    pub(super) fn known_futility(&self, window: Window, depth: i32, entry: Entry) -> Option<Score> {
        let Entry { mv, score, bound, .. } = entry;
        let settings = &self.shared.settings;
        let may_prune = !settings.exact && !self.seeks_win() && window.is_null();
        let is_static = mv.is_none() && bound == Bound::Lower && score.mate().is_none();
        let is_far =
            || Pruning::is_futile_to_go_on(&settings.parameters, depth, score, window.beta);
        (may_prune && is_static && is_far()).then_some(score)
    }

    /// Whether the static value is better than two plies before, as far as both are known
    /// ([improving](https://www.chessprogramming.org/Improving)); takes note of it.
    fn is_improving(&mut self, threatened: bool, ply: u32) -> bool {
        let wanted = !threatened && !self.shared.settings.exact;
        let now = wanted.then(|| (self.tree.side_to_move(), self.tree.value()));
        self.stack.at(ply).node.static_value = now;
        let before = ply.checked_sub(2).and_then(|ply| self.stack.at(ply).node.static_value);
        now.zip(before).is_none_or(|((side, now), (other, before))| {
            now > if side == other { before } else { -before }
        })
    }
}

/// A static value, or in its place the result of an earlier search where that says that the value
/// lies beyond it.
fn sharpened(value: Score, entry: Entry) -> Score {
    let at_value = Window { alpha: value, beta: value };
    let beyond = at_value.is_settled_by(entry.score, entry.bound);
    if beyond && entry.score.mate().is_none() { entry.score } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::AlphaBetaSettings;
    use crate::search::alpha_beta::worker::tests::with_worker;
    use pentarch_core::game::MoveList;

    #[test]
    fn a_result_replaces_the_value_only_where_it_lies_beyond() {
        let value = Score::points(50);
        let with = |points, bound| {
            let entry = Entry { mv: None, score: Score::points(points), bound, depth: 3 };
            sharpened(value, entry)
        };
        assert_eq!(with(20, Bound::Exact), Score::points(20));
        assert_eq!(with(80, Bound::Lower), Score::points(80));
        assert_eq!(with(20, Bound::Lower), value);
        assert_eq!(with(20, Bound::Upper), Score::points(20));
        assert_eq!(with(80, Bound::Upper), value);
        // A win may be many plies away from here: it is for the search to say.
        let entry = Entry { mv: None, score: Score::win_in(9), bound: Bound::Lower, depth: 3 };
        assert_eq!(sharpened(value, entry), value);
    }

    #[test]
    fn a_value_that_prunes_is_known_at_the_next_visit() {
        let settings = AlphaBetaSettings::default();
        with_worker(("gomoku", "h8 a1 i9 a15"), settings, 1, |worker| {
            let value = worker.tree.value();
            let window = Window::null(value.plus(-2000));
            let mut moves = MoveList::new();
            worker.tree.candidates(&mut moves);
            let mv = moves.first().copied();
            // Of a node that leaves out a move the value is not that of the position.
            worker.stack.at(1).node.excluded = mv;
            assert_eq!(worker.node(window, 3, 1), Ok(value));
            assert_eq!(worker.recall(), None);
            worker.stack.at(1).node.excluded = None;
            assert_eq!(worker.node(window, 3, 1), Ok(value));
            assert_eq!(worker.counter.own(), 0);
            let entry = worker.recall().unwrap();
            assert_eq!(entry, Entry { mv: None, score: value, bound: Bound::Lower, depth: 3 });
            assert_eq!(worker.known_futility(window, 4, entry), Some(value));
            assert_eq!(worker.known_futility(Window::null(value), 4, entry), None);
            assert_eq!(worker.known_futility(window, 4, Entry { mv, ..entry }), None);
            assert_eq!(worker.known_futility(window, 9, entry), None);
        });
    }
}
