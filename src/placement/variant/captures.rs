//! Captures of every kind, and poofs, all found on the one position right after the placement.

use crate::board::Content;
use crate::game::{Cell, Color, Journal, Signs};
use crate::placement::pipeline::Core;
use crate::rules::{Capture, SquareRules};

/// The eight directions.
const RAYS: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];

/// What a placement takes off the board.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    /// The captured stones, group after group.
    pub captured: Vec<Cell>,
    /// How many of the groups are longer than pairs, and pairs.
    pub groups: [u8; 2],
    /// The mover's own stones that are lost, each once.
    pub poofed: Vec<Cell>,
}

impl Taken {
    /// Whether nothing goes.
    pub(super) fn is_empty(&self) -> bool {
        self.captured.is_empty() && self.poofed.is_empty()
    }
}

impl Core {
    /// Takes off the board what a stone that has just been placed captures or loses, and counts it.
    /// Without signs every group adds.
    pub(super) fn take<J: Journal>(
        &mut self,
        rules: &SquareRules,
        journal: &mut J,
        cell: Cell,
        signs: Option<Signs>,
    ) {
        let Some(capture) = rules.capture() else { return };
        let taken = self.taken(rules, capture, cell, Some(cell));
        if !taken.is_empty() {
            let signed = signs.map(|signs| signs.stones(capture.longest()));
            self.carry_out(rules, journal, &taken, signed);
        }
    }

    /// [`Core::take`] for a bonus stone: the power stone just placed cannot be captured (S1).
    pub(super) fn take_with_fresh<J: Journal>(
        &mut self,
        rules: &SquareRules,
        journal: &mut J,
        cell: Cell,
        fresh: Option<Cell>,
    ) {
        let Some(capture) = rules.capture() else { return };
        let taken = self.taken(rules, capture, cell, fresh);
        if !taken.is_empty() {
            self.carry_out(rules, journal, &taken, None);
        }
    }

    fn carry_out<J: Journal>(
        &mut self,
        rules: &SquareRules,
        journal: &mut J,
        taken: &Taken,
        signed: Option<[u16; 2]>,
    ) {
        let color = self.state.color;
        let counted = |cell: &&Cell| match self.board.content(**cell).color() {
            Some(Color::POWER) | None => true,
            // A partner's stones count nothing (S1).
            Some(other) => !rules.seating().teams || (other.0 ^ color.0) & 1 != 0,
        };
        let captured = taken.captured.iter().filter(counted).count() as u16;
        let counts = &mut self.state.counts;
        let [add, less] = signed.unwrap_or([captured, 0]);
        let mine = &mut counts[color.index() & 3];
        *mine = mine.saturating_add(add);
        let theirs = &mut counts[color.opponent().index() & 3];
        *theirs = theirs.saturating_add(taken.poofed.len() as u16).saturating_sub(less);
        for &cell in taken.captured.iter().chain(&taken.poofed) {
            self.remove(journal, cell);
        }
    }

    /// What the stone of the mover on `cell` takes off the board. The power stone on `fresh` is
    /// the mover's for this turn.
    pub(super) fn taken(
        &self,
        rules: &SquareRules,
        capture: Capture,
        cell: Cell,
        fresh: Option<Cell>,
    ) -> Taken {
        let mut taken = Taken::default();
        for ray in RAYS {
            let stones = self.captured_along(rules, capture, cell, ray, fresh);
            if stones > 0 {
                taken.captured.extend((1..=stones).filter_map(|n| self.along(cell, ray, n)));
                taken.groups[usize::from(stones == 2)] += 1;
            }
        }
        if capture.poof {
            for axis in RAYS.iter().step_by(2) {
                self.add_poofed(capture, cell, *axis, &mut taken.poofed);
            }
        }
        taken
    }

    /// The number of stones captured on a ray: the longer group, if two lengths would do (S1).
    fn captured_along(
        &self,
        rules: &SquareRules,
        capture: Capture,
        cell: Cell,
        ray: (i32, i32),
        fresh: Option<Cell>,
    ) -> i32 {
        let color = self.state.color;
        let at = |n: i32| self.along(cell, ray, n).map(|c| (c, self.board.content(c)));
        let foreign = |n: i32| match at(n) {
            Some((other, Content(what))) if what > 0 => match Color(what - 1) {
                Color::POWER => fresh != Some(other),
                other => other != color && other.0 < rules.seating().seats,
            },
            _ => false,
        };
        let bracket = |n: i32| match at(n).and_then(|(_, content)| content.color()) {
            Some(what) => what == color || what == Color::POWER,
            None => false,
        };
        if !foreign(1) || !foreign(2) {
            return 0;
        }
        let longer = capture.longer.map(i32::from);
        let longer = longer.filter(|&length| (3..=length).all(foreign) && bracket(length + 1));
        longer.or(bracket(3).then_some(2)).unwrap_or(0)
    }

    /// Adds the mover's run through `cell` along an axis if it is lost: of a length that is
    /// captured, and between two enemy stones (S3, PO, AP). The edge bounds nothing.
    fn add_poofed(&self, capture: Capture, cell: Cell, axis: (i32, i32), lost: &mut Vec<Cell>) {
        let own = Content::stone(self.state.color);
        let enemy = Content::stone(self.state.color.opponent());
        let what = |n: i32| self.along(cell, axis, n).map(|c| self.board.content(c));
        let reach = |sign: i32| (1..5).take_while(|n| what(sign * n) == Some(own)).count() as i32;
        let (below, above) = (reach(-1), reach(1));
        let length = below + above + 1;
        let long_enough = capture.lengths().any(|captured| i32::from(captured) == length);
        let bounded = what(-below - 1) == Some(enemy) && what(above + 1) == Some(enemy);
        if long_enough && bounded {
            let run = (-below..=above).filter_map(|n| self.along(cell, axis, n));
            for stone in run {
                if !lost.contains(&stone) {
                    lost.push(stone);
                }
            }
        }
    }

    /// The cell that many steps away, if it is on the board.
    fn along(&self, cell: Cell, (dx, dy): (i32, i32), steps: i32) -> Option<Cell> {
        let grid = self.board.grid();
        grid.get(i32::from(grid.column(cell)) + dx * steps, i32::from(grid.row(cell)) + dy * steps)
    }
}
