//! Which moves are searched deeper, and how deep a search is done again.

use super::parameters::Parameters;
use super::worker::Worker;
use crate::search::{Aborted, Bound, Entry, Score, ThreatGenerator, Window};
use pentarch_core::game::Position;

/// What it is worth that one move is better than all others, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Singular {
    /// Several moves are too good for the opponent.
    Cut(Score),
    /// The move from the table is searched that much deeper.
    Extension(i32),
}

/// The table knows the move well enough if its result is at most this much shallower.
const SHALLOWER: i32 = 2;
/// No line is made longer than this many times the depth of the iteration.
const LONGEST: u32 = 2;

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// Whether lines may be made longer at a ply.
    pub(super) fn may_extend(&self, ply: u32) -> bool {
        ply < LONGEST * self.root_depth()
    }

    /// Searches all moves but the one from the table half as deep, to see whether any comes close to it
    /// ([singular extensions](https://www.chessprogramming.org/Singular_Extensions); Anantharaman,
    /// Campbell and Hsu 1990). If several are too good, the node is cut
    /// ([multi-cut](https://www.chessprogramming.org/Multi-Cut); Björnsson and Marsland 2001). The
    /// position must be open, with nothing to answer.
    pub(super) fn singular(
        &mut self,
        window: Window,
        depth: i32,
        ply: u32,
        entry: Entry,
    ) -> Result<Singular, Aborted> {
        let settings = &self.shared.settings;
        let Parameters { singular_depth, singular_margin, singular_double, .. } =
            settings.parameters;
        let known = entry.bound != Bound::Upper
            && i32::from(entry.depth) + SHALLOWER >= depth
            && entry.score.mate().is_none();
        let asks = known && depth >= singular_depth && !settings.exact;
        let mv = entry.mv.filter(|&mv| asks && self.tree.is_legal(mv));
        let (Some(mv), true) = (mv, self.tree.has_sure_order()) else {
            return Ok(Singular::Extension(0));
        };
        let beta = entry.score.plus(-singular_margin * depth);
        let node = &mut self.stack.at(ply).node;
        let expects_cut = node.expects_cut;
        node.excluded = Some(mv);
        let others = self.node(Window::null(beta.plus(-1)), depth / 2, ply);
        let node = &mut self.stack.at(ply).node;
        node.excluded = None;
        node.expects_cut = expects_cut;
        self.stack.at(ply).pv.clear();
        self.stack.at(ply).list.clear();
        let others = others?;
        Ok(match () {
            () if others < beta && !self.may_extend(ply) => Singular::Extension(0),
            () if others < beta.plus(-singular_double) && window.is_null() => {
                Singular::Extension(2)
            }
            () if others < beta => Singular::Extension(1),
            () if beta >= window.beta && window.is_null() => Singular::Cut(beta),
            () => Singular::Extension(-i32::from(entry.score >= window.beta)),
        })
    }
}

impl Parameters {
    /// How much deeper a move is searched again whose search, `reduction` plies less deep than `depth`,
    /// found a value above alpha: deeper if it is far above, less deep if it is hardly better than the
    /// best so far. Read in Rapfi's search.
    pub(super) fn deeper_again(
        &self,
        found: Score,
        [alpha, best]: [Score; 2],
        depth: i32,
        reduction: i32,
    ) -> i32 {
        let above = found.value() - alpha.value() - self.deeper_slope * reduction;
        let (deeper, deepest) = (above > self.deeper_margin, above > self.deepest_margin);
        let shallower = found.value() < best.value() + self.shallower_slope * depth;
        i32::from(deeper) + i32::from(deepest) - i32::from(shallower)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_done_again_the_deeper_the_better_it_looks() {
        let numbers = Parameters::DEFAULT;
        let again = |found: i32, best: i32| {
            let bounds = [0, best].map(Score::points);
            numbers.deeper_again(Score::points(found), bounds, 5, 3)
        };
        let (much, very_much) = (
            numbers.deeper_margin + 3 * numbers.deeper_slope,
            numbers.deepest_margin + 3 * numbers.deeper_slope,
        );
        assert_eq!(again(very_much + 1, -100), 2);
        assert_eq!(again(much + 1, -100), 1);
        assert_eq!(again(much, -100), 0);
        assert_eq!(again(1, 0), -1);
    }
}
