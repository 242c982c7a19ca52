//! An iteration expects about the value of the one before
//! ([aspiration windows](https://www.chessprogramming.org/Aspiration_Windows)): in a narrow window
//! more moves are cut off, and only a value outside of it costs a second search.

use super::Handicap;
use super::worker::Worker;
use crate::search::{Aborted, Score, ThreatGenerator, Window};
use pentarch_core::game::Position;

/// A window that would have to be wider is opened to that side.
const WIDEST_MARGIN: i32 = 1000;

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// The value to expect of an iteration, if a narrow window tells all that is wanted of it: not
    /// the values of several moves, not those that are misjudged, no shorter win.
    pub(super) fn aspired_value(&self, depth: u32) -> Option<Score> {
        let settings = &self.shared.settings;
        let plain = settings.multi_pv == 1 && settings.handicap == Handicap::none();
        let known = self.roots.first()?.score;
        // Shallower iterations are over at once, and their values jump about.
        let deep = depth as i32 >= settings.parameters.aspiration_depth;
        (plain && deep && known.mate().is_none()).then_some(known)
    }

    /// [`Worker::search_root`] by a window around a value, which is widened
    /// until the true one is within.
    pub(super) fn search_root_near(&mut self, known: Score, depth: u32) -> Result<(), Aborted> {
        let mut margin = self.shared.settings.parameters.aspiration_margin;
        let mut window = Window { alpha: known.plus(-margin), beta: known.plus(margin) };
        loop {
            self.search_root_with(window, depth, 0)?;
            let score = self.roots[0].score;
            margin *= 2;
            let open = margin > WIDEST_MARGIN || score.mate().is_some();
            if score <= window.alpha && window.alpha > Window::FULL.alpha {
                window.alpha = if open { Window::FULL.alpha } else { score.plus(-margin) };
                self.forget_bounds(depth);
            } else if score >= window.beta && window.beta < Window::FULL.beta {
                window.beta = if open { Window::FULL.beta } else { score.plus(margin) };
            } else {
                return Ok(());
            }
        }
    }

    /// That a move is no better than a window says nothing about it beside one that loses: the
    /// iteration has yet to look at it.
    fn forget_bounds(&mut self, depth: u32) {
        for root in self.roots.iter_mut().filter(|root| root.seen == depth) {
            root.seen = depth - 1;
        }
    }
}
