//! Which moves are not worth a full search: quiet ones and, less so, tactical ones that come late in
//! order. What is left out may hide a defense, so nothing is while the best value is still a loss,
//! and a reduced search proves no less than a full one: what it calls a win or a loss is one.

use super::parameters::Parameters;
use crate::search::{Score, Window};
use pentarch_core::game::Move;
use std::ops::Range;
use std::sync::LazyLock;

/// What a move is to the node that searches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveClass {
    /// It threatens nothing and answers nothing.
    Quiet,
    /// It threatens something, or takes a point where the other side would.
    Tactical,
    /// It answers what a null move would lose to: it is reduced, but never left out.
    Answer,
    /// It answers a threat to win, or the search is exact: no less than a full search will do.
    Forced,
}

/// What else a node knows of a move that comes late.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LateMove {
    /// It was too good for the opponent in a sibling node.
    pub is_killer: bool,
    /// It goes on with what the move of the same side two plies before began: neither is quiet.
    pub goes_on: bool,
}

/// How far the order of the moves is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveOrder {
    /// Late moves are left out only close to the leaves and off the best line.
    Rough,
    /// Late moves are left out everywhere, more of them where the static value is no better than two
    /// plies before; if the order is `sure`, they are reduced by all that is expected of them as well.
    Fitted { improving: bool, sure: bool },
}

/// What a node knows when it decides how to search a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pruning<'a> {
    /// The numbers that decide.
    pub parameters: &'a Parameters,
    /// Plies left.
    pub depth: i32,
    /// Whether the window is wider than a null window.
    pub is_pv: bool,
    /// Whether some move is expected to be too good for the opponent.
    pub expects_cut: bool,
    /// The static value for the side to move, where it is of use, or what the table knows better.
    pub static_value: Option<Score>,
    /// Which moves may be left out for coming late.
    pub order: MoveOrder,
    /// Whether the side to move is looking for nothing but a win.
    pub attacks: bool,
}

impl Pruning<'_> {
    /// Whether a static value could prune anything here.
    pub(super) fn wants_static_value(
        parameters: &Parameters,
        depth: i32,
        window: Window,
        order: MoveOrder,
    ) -> bool {
        let deepest = parameters.rfp_depth.max(parameters.futility_depth);
        window.is_null() && (depth <= deepest || order != MoveOrder::Rough)
    }

    /// Whether the node should be searched a ply less deep because no search has found a good move
    /// for it yet
    /// ([internal iterative reductions](https://www.chessprogramming.org/Internal_Iterative_Reductions)).
    pub(super) fn lacks_move(&self, table_move: Option<Move>) -> bool {
        self.order != MoveOrder::Rough
            && self.depth >= self.parameters.iir_depth
            && table_move.is_none()
    }

    /// Whether the node should be searched a ply less deep because some move is expected to be too
    /// good for the opponent, and the static value is so already (fail-high reduction, read in
    /// Rapfi's search).
    pub(super) fn fails_high(&self, beta: Score) -> bool {
        let &Parameters { fail_high_margin, fail_high_slope, .. } = self.parameters;
        let margin = fail_high_margin + fail_high_slope * self.depth;
        let far = |value: Score| value.value() >= beta.value() + margin;
        self.order != MoveOrder::Rough && self.expects_cut && self.static_value.is_some_and(far)
    }

    /// What the moves are that answer a null-move threat.
    pub(super) fn answer(&self) -> MoveClass {
        if self.order == MoveOrder::Rough { MoveClass::Forced } else { MoveClass::Answer }
    }

    /// The value of a position that is so far above what the opponent can avoid elsewhere that it
    /// need not be searched
    /// ([reverse futility pruning](https://www.chessprogramming.org/Reverse_Futility_Pruning)).
    pub(super) fn reverse_futility(&self, beta: Score) -> Option<Score> {
        let is_far =
            |value: &Score| Pruning::is_futile_to_go_on(self.parameters, self.depth, *value, beta);
        self.static_value.filter(is_far)
    }

    /// Whether a static value is as good as that, with so many plies left.
    pub(super) fn is_futile_to_go_on(
        parameters: &Parameters,
        depth: i32,
        value: Score,
        beta: Score,
    ) -> bool {
        let &Parameters { rfp_depth, rfp_margin, .. } = parameters;
        depth <= rfp_depth && !beta.is_loss() && value.value() - rfp_margin * depth >= beta.value()
    }

    /// Whether a move, the `index`th in order, may be left out with all that come after it.
    pub(super) fn prunes_rest(
        &self,
        class: MoveClass,
        index: usize,
        alpha: Score,
        best: Score,
    ) -> bool {
        let may_be = matches!(class, MoveClass::Quiet | MoveClass::Tactical);
        may_be && Pruning::is_allowed(index, alpha, best) && self.move_count_pruning(index)
    }

    /// Whether a move, the `index`th in order, may be left out.
    pub(super) fn prunes(&self, class: MoveClass, index: usize, alpha: Score, best: Score) -> bool {
        let may_be = class == MoveClass::Quiet;
        may_be && Pruning::is_allowed(index, alpha, best) && self.futility_pruning(alpha)
    }

    /// Whether a move that is left out cannot hide the only defense.
    fn is_allowed(index: usize, alpha: Score, best: Score) -> bool {
        index > 0 && !best.is_loss() && !alpha.is_loss()
    }

    /// Whether depth and window let moves be left out that are only thought to be bad.
    fn is_shallow(&self, greatest_depth: i32) -> bool {
        !self.is_pv && self.depth <= greatest_depth
    }

    /// Whether enough better moves came before the `index`th
    /// ([move-count pruning](https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning)).
    /// That it may be done on the best line and at any depth is read in Rapfi's search.
    fn move_count_pruning(&self, index: usize) -> bool {
        let (numbers, depth) = (self.parameters, self.depth);
        match self.order {
            MoveOrder::Rough => {
                let count = numbers.rough_base + numbers.rough_square * depth * depth;
                self.is_shallow(numbers.rough_depth) && index >= count as usize
            }
            MoveOrder::Fitted { improving, .. } => {
                let linear = numbers.count_linear + numbers.count_square * depth;
                let count = (numbers.count_base + linear * depth) / 1000;
                let worse = if improving { 100 } else { numbers.count_worse };
                let share = if self.attacks { worse * numbers.win_count / 100 } else { worse };
                index >= (count * share / 100) as usize
            }
        }
    }

    /// Whether the position is too far below what a quiet move would have to reach
    /// ([futility pruning](https://www.chessprogramming.org/Futility_Pruning); Heinz 1998).
    fn futility_pruning(&self, alpha: Score) -> bool {
        let &Parameters { futility_depth, win_futility, .. } = self.parameters;
        let &Parameters { futility_margin, futility_base, .. } = self.parameters;
        let deepest = if self.attacks { win_futility } else { futility_depth };
        let gain = futility_base + futility_margin * self.depth;
        let hopeless = |value: Score| value.value() + gain <= alpha.value();
        self.is_shallow(deepest) && self.static_value.is_some_and(hopeless)
    }

    /// How many plies less a move, the `index`th in order, is searched at first
    /// ([late move reductions](https://www.chessprogramming.org/Late_Move_Reductions)): more the
    /// later it comes and the more plies are left.
    pub(super) fn reduction(&self, class: MoveClass, index: usize, late: LateMove) -> i32 {
        let numbers = self.parameters;
        let divisor = match class {
            MoveClass::Quiet => numbers.reduction_quiet,
            MoveClass::Tactical | MoveClass::Answer => numbers.reduction_tactical,
            MoveClass::Forced => return 0,
        };
        if self.depth < numbers.reduction_depth || (index as i32) < numbers.reduction_index {
            return 0;
        }
        let logs = logarithm(self.depth as usize) * logarithm(index);
        let less = if self.is_pv { numbers.reduction_pv } else { 0 };
        let besides = f64::from(numbers.reduction_base - less) / 100.0;
        let reduction = logs / (f64::from(divisor) / 100.0) + besides;
        let more = f64::from(self.more_reduction(reduction, late)) / 100.0;
        ((reduction + more) as i32).clamp(0, self.depth - 2)
    }

    fn is_sure(&self) -> bool {
        matches!(self.order, MoveOrder::Fitted { sure: true, .. })
    }

    /// Hundredths of plies more for what is known of node and move, where the order of moves is sure.
    /// That all of this makes a search stronger together is read in Rapfi's search.
    fn more_reduction(&self, reduction: f64, late: LateMove) -> i32 {
        let numbers = self.parameters;
        let MoveOrder::Fitted { improving, sure: true } = self.order else { return 0 };
        let cut = self.expects_cut && !late.is_killer;
        let worse = !improving && !self.is_pv && reduction > 1.0;
        i32::from(cut) * numbers.reduction_cut + i32::from(worse) * numbers.reduction_worse
            - i32::from(late.goes_on) * numbers.reduction_attack
    }

    /// How many plies less the moves after one are searched that raised alpha to `score` and left the
    /// window open: none of them is likely to be better still. Read in Rapfi's search.
    pub(super) fn less_after(&self, score: Score, window: Window) -> i32 {
        let open = score < window.beta && score.mate().is_none();
        i32::from(self.is_sure() && open && IMPROVED_DEPTHS.contains(&self.depth))
    }

    /// Whether the static value is so far below the window that only a win by continuous threats helps
    /// ([razoring](https://www.chessprogramming.org/Razoring)).
    pub(super) fn razors(&self, alpha: Score) -> bool {
        let &Parameters { razor_margin, razor_slope, .. } = self.parameters;
        let far =
            |value: Score| value.value() + razor_margin + razor_slope * self.depth < alpha.value();
        self.is_sure()
            && self.is_shallow(RAZOR_DEPTH)
            && !alpha.is_loss()
            && self.static_value.is_some_and(far)
    }
}

/// The natural logarithm of a depth or a number of moves, which is asked for at most moves of all nodes.
fn logarithm(number: usize) -> f64 {
    static KNOWN: LazyLock<Vec<f64>> =
        LazyLock::new(|| (0..512).map(|n| f64::from(n).ln()).collect());
    KNOWN.get(number).map_or_else(|| (number as f64).ln(), |&known| known)
}

/// Depths at which moves are searched less deep once one has raised alpha.
const IMPROVED_DEPTHS: Range<i32> = 3..12;
/// Greatest depth at which nodes are razored.
const RAZOR_DEPTH: i32 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    const FITTED: MoveOrder = MoveOrder::Fitted { improving: true, sure: true };

    fn cut_node(depth: i32, value: i32, order: MoveOrder) -> Pruning<'static> {
        Pruning {
            parameters: &Parameters::DEFAULT,
            depth,
            is_pv: false,
            expects_cut: true,
            static_value: Some(Score::points(value)),
            order,
            attacks: false,
        }
    }

    #[test]
    fn a_node_fails_high_where_a_cut_is_expected_and_the_value_is_far_above() {
        let beta = Score::points(40);
        let far =
            40 + Parameters::DEFAULT.fail_high_margin + 8 * Parameters::DEFAULT.fail_high_slope;
        assert!(cut_node(8, far, FITTED).fails_high(beta));
        assert!(!cut_node(8, far - 1, FITTED).fails_high(beta));
        assert!(!cut_node(8, far, MoveOrder::Rough).fails_high(beta));
        let all_node = Pruning { expects_cut: false, ..cut_node(8, far, FITTED) };
        assert!(!all_node.fails_high(beta));
    }

    #[test]
    fn an_answer_to_a_null_move_threat_is_reduced_and_never_left_out() {
        let (node, late) = (cut_node(8, 0, FITTED), 200);
        let (alpha, best) = (Score::points(0), Score::points(-300));
        assert_eq!(node.answer(), MoveClass::Answer);
        assert!(node.reduction(MoveClass::Answer, late, LateMove::default()) > 0);
        assert!(node.prunes_rest(MoveClass::Tactical, late, alpha, best));
        assert!(!node.prunes_rest(MoveClass::Answer, late, alpha, best));
        assert!(!node.prunes(MoveClass::Answer, late, alpha, best));
        assert_eq!(node.reduction(MoveClass::Forced, late, LateMove::default()), 0);
    }

    #[test]
    fn who_looks_for_nothing_but_a_win_tries_less() {
        let numbers = Parameters::DEFAULT;
        let numbers = Parameters { win_count: 50, win_futility: 7, ..numbers };
        let [attacker, other] = [true, false].map(|attacks| Pruning {
            parameters: &numbers,
            attacks,
            ..cut_node(7, 0, FITTED)
        });
        let (alpha, best) = (Score::points(i32::MAX), Score::DRAW);
        let tried = |node: Pruning<'_>| {
            (1..200)
                .find(|&index| node.prunes_rest(MoveClass::Tactical, index, alpha, best))
                .unwrap()
        };
        assert_eq!(tried(attacker), tried(other) / 2);
        assert!(attacker.prunes(MoveClass::Quiet, 1, alpha, best));
        assert!(!attacker.prunes(MoveClass::Tactical, 1, alpha, best));
        assert!(!other.prunes(MoveClass::Quiet, 1, alpha, best));
        let deeper = Pruning { depth: 8, ..attacker };
        assert!(!deeper.prunes(MoveClass::Quiet, 1, alpha, best));
    }

    #[test]
    fn late_moves_are_reduced_by_what_is_expected_of_them() {
        let [plain, killer] = [false, true].map(|is_killer| LateMove { is_killer, goes_on: false });
        let goes_on = LateMove { is_killer: false, goes_on: true };
        let cut = cut_node(12, 0, FITTED);
        let all = Pruning { expects_cut: false, ..cut };
        let worse = Pruning { order: MoveOrder::Fitted { improving: false, sure: true }, ..all };
        let unsure = Pruning { order: MoveOrder::Fitted { improving: false, sure: false }, ..cut };
        let quiet = |node: Pruning<'_>, late| node.reduction(MoveClass::Quiet, 6, late);
        assert!(quiet(cut, plain) > quiet(cut, killer));
        assert_eq!(quiet(cut, killer), quiet(all, plain));
        assert!(quiet(worse, plain) > quiet(all, plain));
        assert_eq!(quiet(unsure, plain), quiet(all, plain));
        // Half a ply less shows in one number of moves or another.
        let tactical = |late| (3..40).map(move |i| all.reduction(MoveClass::Tactical, i, late));
        assert!(tactical(goes_on).sum::<i32>() < tactical(plain).sum());
    }

    #[test]
    fn an_open_window_raised_is_searched_less_deep() {
        let node = Pruning { is_pv: true, ..cut_node(8, 0, FITTED) };
        let window = Window { alpha: Score::points(10), beta: Score::points(90) };
        assert_eq!(node.less_after(Score::points(10), window), 1);
        assert_eq!(node.less_after(Score::points(90), window), 0);
        assert_eq!(node.less_after(Score::loss_in(9), window), 0);
        assert_eq!(Pruning { depth: 12, ..node }.less_after(Score::points(10), window), 0);
    }

    #[test]
    fn shallow_nodes_far_below_the_window_are_razored() {
        let far = Parameters::DEFAULT.razor_margin + 2 * Parameters::DEFAULT.razor_slope;
        let alpha = Score::points(far);
        assert!(cut_node(2, -1, FITTED).razors(alpha));
        assert!(!cut_node(2, 0, FITTED).razors(alpha));
        assert!(!cut_node(3, -500, FITTED).razors(alpha));
        assert!(!cut_node(2, -1, MoveOrder::Rough).razors(alpha));
        assert!(!Pruning { is_pv: true, ..cut_node(2, -1, FITTED) }.razors(alpha));
        // Only a whole search may say that all is not lost.
        assert!(!cut_node(2, -9000, FITTED).razors(Score::loss_in(8)));
    }
}
