//! The board and the state of a game of placed stones, without history.

use crate::board::{SquareBoard, Windows};
use crate::game::{
    Cell, ChangeListener, Color, EndReason, Outcome, PLY_CAP_HORIZON, Seat, mix, state_key,
};
use crate::rules::{OpeningStage, OpeningViolation, RuleTier, SquareRules, SwapRule};

/// Everything of a position that is not on the board, small enough to be saved at each ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SquareState {
    /// The seat to move.
    pub seat: Seat,
    /// The color that it places.
    pub color: Color,
    /// How the game ended, `None` while it is open.
    pub outcome: Option<Outcome>,
    /// The number of plies played.
    pub ply: u32,
    /// The number of stones placed, captured ones included.
    pub stones: u32,
    /// The captured stones that count, by capturing color.
    pub counts: [u16; 4],
    /// The part that only some rulesets use.
    pub variant: VariantState,
}

/// The part of the state that only some rulesets use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct VariantState {
    /// The stage of the swap opening.
    pub stage: OpeningStage,
    /// Whether the first seat owns the second color.
    pub swapped: bool,
    /// Neutral stones placed, by color.
    pub neutral: [u8; 4],
    /// Bombs or power stones placed, by color; no game has both.
    pub special: [u8; 4],
    /// The cell of the power stone that the last ply placed.
    pub last_power: Option<Cell>,
    /// A five that the opponents may still break.
    pub pending_five: Option<PendingFive>,
    /// Whether there is a run of the winning length or more that has not won. In games of perfect fives it
    /// may belong to either color: captures make no new run, but may make an old one perfect. In games of
    /// breakable fives or power stones it says so of the position that was set up only, because later runs
    /// are known.
    pub run_exists: bool,
    /// The cell of the first stone, while the opening rule measures a distance from it.
    pub first: Option<Cell>,
}

/// A five that the opponents may still break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PendingFive {
    /// The color that made it.
    pub maker: Color,
    /// The number of replies that are left.
    pub left: u8,
}

/// The stones and the state: a position without history.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub squares: SquareBoard,
    pub state: SquareState,
}

impl SquareState {
    pub(super) fn start(rules: &SquareRules) -> SquareState {
        let variant = VariantState { stage: rules.first_stage(), ..VariantState::default() };
        SquareState {
            seat: Seat(0),
            color: Color(0),
            outcome: None,
            ply: 0,
            stones: 0,
            counts: [0; 4],
            variant,
        }
    }

    /// Adds a ply and gives the turn to the next seat with its color, in games of single turns.
    #[inline]
    pub(super) fn pass_turn(&mut self, rules: &SquareRules) {
        self.ply += 1;
        self.seat = rules.seating().next(self.seat);
        self.color = Color(self.seat.0 ^ u8::from(self.variant.swapped));
    }

    /// Sets the color and the seat to move from the stage and the number of stones.
    pub(super) fn set_turn(&mut self, rules: &SquareRules) {
        self.color = if rules.swap().is_some() {
            SwapRule::color(self.stones)
        } else {
            rules.seating().color(self.stones)
        };
        self.seat = self.variant.stage.seat().unwrap_or_else(|| self.seat_of(self.color));
    }

    /// The seat that owns a color.
    #[inline]
    pub(super) fn seat_of(&self, color: Color) -> Seat {
        Seat(color.0 ^ u8::from(self.variant.swapped))
    }

    /// The part of a position's key that is not on the board: the color to move, the counts that a goal
    /// depends on, the opening, and the plies left to the ply cap where they are few.
    #[inline]
    pub(super) fn key(&self, rules: &SquareRules) -> u64 {
        let has_goal = rules.capture().is_some_and(|capture| capture.goal.is_some());
        let counts = if has_goal { self.counts } else { [0; 4] };
        let opened = self.stones.min(rules.limited_stones());
        let plies_left = rules.max_plies().saturating_sub(self.ply);
        if rules.tier() != RuleTier::Plain {
            return self.full_key(counts, opened, plies_left);
        }
        let shifts = [8, 20, 32, 44];
        let counts = counts.into_iter().zip(shifts).map(|(count, shift)| u64::from(count) << shift);
        let word = counts.fold(u64::from(self.color.0), |word, count| word | count);
        state_key(word | u64::from(opened) << 60, plies_left)
    }

    /// [`SquareState::key`] for rulesets that use the variant state.
    ///
    /// It is computed twice a ply, so the words are hashed together instead of one after the other. Odd
    /// factors keep them apart until then.
    #[inline]
    fn full_key(&self, counts: [u16; 4], opened: u32, plies_left: u32) -> u64 {
        const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];
        let VariantState { stage, swapped, neutral, special, pending_five, first, .. } =
            self.variant;
        let counts = counts.into_iter().rev().fold(0, |all, count| all << 16 | u64::from(count));
        let placed =
            u64::from(u32::from_le_bytes(neutral)) << 32 | u64::from(u32::from_le_bytes(special));
        let five =
            pending_five.map_or(0, |five| u64::from(five.maker.0) << 2 | u64::from(five.left));
        let turn = u64::from(self.color.0) | u64::from(self.seat.0) << 4 | (stage as u64) << 8;
        let rest = turn
            | u64::from(swapped) << 12
            | five << 16
            | u64::from(opened) << 24
            | u64::from(plies_left.min(PLY_CAP_HORIZON)) << 32
            | first.map_or(0, |cell| u64::from(cell.0) + 1) << 48;
        mix(counts ^ placed.wrapping_mul(FACTORS[0]) ^ rest.wrapping_mul(FACTORS[1]))
    }
}

impl Board {
    /// Puts a stone on an empty cell and returns the windows of its color around it.
    #[expect(
        clippy::inline_always,
        reason = "outlined, it costs one instruction in 150 of a search"
    )]
    #[inline(always)]
    pub(super) fn place<L: ChangeListener>(
        &mut self,
        listener: &mut L,
        stone: Color,
        cell: Cell,
    ) -> Windows {
        let windows = self.squares.place(stone, cell);
        listener.placed(cell, stone);
        windows
    }

    /// Takes the stone off a cell, if there is one.
    pub(super) fn remove<L: ChangeListener>(&mut self, listener: &mut L, cell: Cell) {
        if let Some(stone) = self.squares.content(cell).color() {
            self.squares.remove(stone, cell);
            listener.removed(cell, stone);
        }
    }

    /// Removes the stones of all colors around a bomb. Nobody scores them (S3).
    pub(super) fn remove_around<L: ChangeListener>(&mut self, listener: &mut L, cell: Cell) {
        for other in self.squares.grid().neighbors(cell) {
            if self.squares.content(other).color() != Some(Color::NEUTRAL) {
                self.remove(listener, other);
            }
        }
    }

    /// A win of the side that owns a color.
    pub(super) fn win_of(&self, rules: &SquareRules, color: Color, reason: EndReason) -> Outcome {
        Outcome::win(rules.seating().side_of(self.state.seat_of(color)), reason)
    }

    /// Whether the opening may limit where the next stone goes.
    #[inline]
    pub(super) fn is_opening_limited(&self, rules: &SquareRules) -> bool {
        self.state.stones < rules.limited_stones()
    }

    /// Whether a cell is empty and the opening allows a stone there.
    pub(super) fn is_open(&self, rules: &SquareRules, cell: Cell) -> bool {
        self.squares.content(cell).color().is_none() && self.opening_allows(rules, cell).is_ok()
    }

    /// Whether the opening allows a stone on a cell, and if not, why.
    pub(super) fn opening_allows(
        &self,
        rules: &SquareRules,
        cell: Cell,
    ) -> Result<(), OpeningViolation> {
        if !self.is_opening_limited(rules) {
            return Ok(());
        }
        let (seats, stones) = (rules.seating().seats, self.state.stones);
        rules.opening().check(self.squares.grid(), seats, stones, || self.first_stone(), cell)
    }

    /// The cell of the first color's first stone. Within the limited stones it has only one, and
    /// none can have been captured.
    fn first_stone(&self) -> Option<Cell> {
        let has_first = |cell: &Cell| self.squares.content(*cell).color() == Some(Color(0));
        self.state.variant.first.or_else(|| self.squares.grid().iter().find(has_first))
    }

    /// The windows of all stones that a color may use as its own.
    #[inline]
    pub(super) fn own_windows(&self, rules: &SquareRules, color: Color, cell: Cell) -> Windows {
        if rules.stones().power.is_none() {
            return self.squares.windows(color, cell);
        }
        self.squares.windows_of_pair([color, Color::POWER], cell)
    }

    /// The windows of the other colors' stones.
    #[inline]
    pub(super) fn enemy_windows(&self, rules: &SquareRules, color: Color, cell: Cell) -> Windows {
        // Almost all games have two seats, and this runs for every stone.
        if rules.seating().seats == 2 {
            return self.squares.windows(color.opponent(), cell);
        }
        let others = (0..rules.seating().seats).map(Color).filter(|&other| other != color);
        Windows(others.fold(0, |bits, other| bits | self.squares.windows(other, cell).0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn states_that_differ_have_different_keys() {
        let start = SquareState::start(&"pente-plus".parse().unwrap());
        let five = |maker, left| Some(PendingFive { maker: Color(maker), left });
        let others: [fn(&mut SquareState); 13] = [
            |_| (),
            |state| state.color = Color(1),
            |state| state.seat = Seat(1),
            |state| state.variant.stage = OpeningStage::More,
            |state| state.variant.swapped = true,
            |state| state.variant.neutral[0] = 1,
            |state| state.variant.neutral[3] = 1,
            |state| state.variant.special[0] = 1,
            |state| state.variant.special[0] = 2,
            |state| state.variant.special[1] = 1,
            |state| state.variant.special[3] = 1,
            |state| state.variant.first = Some(Cell(0)),
            |state| state.variant.first = Some(Cell(624)),
        ];
        let mut states: Vec<_> = others.into_iter().map(|change| changed(start, change)).collect();
        for five in [five(0, 1), five(0, 2), five(1, 1), five(3, 3)] {
            states.push(changed(start, |state| state.variant.pending_five = five));
        }
        let left = [0, 1, PLY_CAP_HORIZON - 1, PLY_CAP_HORIZON];
        let counts = [[0; 4], [2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 2]];
        let mut keys = BTreeSet::new();
        for (state, counts) in states.iter().flat_map(|state| counts.map(|counts| (state, counts)))
        {
            let key = |opened| left.map(|left| state.full_key(counts, opened, left));
            keys.extend([0, 1, 8].into_iter().flat_map(key));
        }
        assert_eq!(keys.len(), states.len() * counts.len() * 3 * left.len());
        assert_eq!(
            start.full_key([0; 4], 0, PLY_CAP_HORIZON),
            start.full_key([0; 4], 0, PLY_CAP_HORIZON + 1)
        );
    }

    fn changed(mut state: SquareState, change: impl FnOnce(&mut SquareState)) -> SquareState {
        change(&mut state);
        state
    }
}
