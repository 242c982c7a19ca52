//! What a move does, step by step, in one fixed order that no variant changes: place, captures,
//! lines, victory, whose turn.

use crate::board::{SquareBoard, Windows};
use crate::game::{
    CaptureSigns, Cell, ChangeListener, Color, EndReason, Move, MoveKind, Outcome, PLY_CAP_HORIZON,
    Seat, mix,
};
use crate::rules::{
    CaptureRule, CapturedGroups, OpeningStage, OpeningViolation, RuleTier, SquareRules, SwapRule,
};

/// Everything of a position that is not on the board, small enough to be saved at each ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The seat to move.
    pub seat: Seat,
    /// The color it places.
    pub color: Color,
    /// How the game ended.
    pub outcome: Option<Outcome>,
    /// Plies played.
    pub ply: u32,
    /// Stones placed, captured ones included.
    pub stones: u32,
    /// Counted captured stones by capturing color.
    pub counts: [u16; 4],
    /// What only some rulesets have.
    pub variant: VariantState,
}

impl State {
    /// Goes on by a ply, to the turn of the next seat with its color.
    #[inline]
    pub(super) fn pass_turn(&mut self, rules: &SquareRules) {
        self.ply += 1;
        self.seat = rules.seating().next(self.seat);
        self.color = Color(self.seat.0 ^ u8::from(self.variant.swapped));
    }
}

/// The board and the state: a position without history.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub squares: SquareBoard,
    pub state: State,
}

impl State {
    pub(super) fn start(rules: &SquareRules) -> State {
        State {
            seat: Seat(0),
            color: Color(0),
            outcome: None,
            ply: 0,
            stones: 0,
            counts: [0; 4],
            variant: VariantState::start(rules),
        }
    }
}

impl Board {
    /// Plays a legal move.
    #[inline]
    pub(super) fn play<J: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut J,
        mv: Move,
    ) {
        match mv.kind() {
            MoveKind::Stone(cell) if self.plays_plain_stone(rules) => {
                self.play_stone(rules, listener, cell);
            }
            _ => self.play_variant(rules, listener, mv),
        }
    }

    /// Whether the next stone needs the steps of plain rules only.
    #[inline]
    fn plays_plain_stone(&self, rules: &SquareRules) -> bool {
        rules.tier() < RuleTier::Full && self.state.variant.stage == OpeningStage::Play
    }

    /// Plays a stone of the color to move on a legal cell.
    #[inline]
    pub(super) fn play_stone<J: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut J,
        cell: Cell,
    ) {
        let color = self.state.color;
        let own = self.squares.place(color, cell);
        listener.placed(cell, color);
        if let Some(capture) = rules.capture() {
            let enemy = self.squares.windows(color.opponent(), cell);
            let captured = capture.captured(own, enemy);
            if !captured.is_empty() {
                self.capture(listener, cell, captured);
            }
        }
        self.state.outcome = if rules.line_of(color).wins(own) {
            Some(self.win(rules, EndReason::Line))
        } else if self.reached_goal(rules.capture()) {
            Some(self.win(rules, EndReason::Captures))
        } else {
            None
        };
        self.end_turn(rules);
    }

    /// Takes all captured groups off the board together and counts them.
    #[cold]
    fn capture<J: ChangeListener>(
        &mut self,
        listener: &mut J,
        cell: Cell,
        captured: CapturedGroups,
    ) {
        let color = self.state.color;
        let count = &mut self.state.counts[color.index() & 3];
        *count = count.saturating_add(captured.stones() as u16);
        for taken in captured.cells(cell, self.squares.map().steps()) {
            self.squares.remove(color.opponent(), taken);
            listener.removed(taken, color.opponent());
        }
    }

    #[inline]
    fn reached_goal(&self, capture: Option<CaptureRule>) -> bool {
        let goal = capture.and_then(|capture| capture.goal);
        goal.is_some_and(|goal| self.state.counts[self.state.color.index() & 3] >= goal)
    }

    fn win(&self, rules: &SquareRules, reason: EndReason) -> Outcome {
        Outcome::win(rules.seating().side_of(self.state.seat), reason)
    }

    /// Hands the turn on, and ends a game that nobody can or may go on with.
    #[inline]
    fn end_turn(&mut self, rules: &SquareRules) {
        let state = &mut self.state;
        state.stones += 1;
        state.pass_turn(rules);
        if state.outcome.is_none() {
            self.state.outcome = self.stalemate(rules);
        }
    }

    /// The draw, if nobody can go on or nobody may.
    #[inline]
    pub(super) fn stalemate(&self, rules: &SquareRules) -> Option<Outcome> {
        if self.squares.empty() == 0 {
            return Some(Outcome::draw(EndReason::FullBoard));
        }
        if self.is_opening_limited(rules)
            && !self.squares.grid().iter().any(|cell| self.is_open(rules, cell))
        {
            return Some(Outcome::draw(EndReason::NoMove));
        }
        if rules.renju_restricts(self.state.color) && !self.has_legal_move(rules) {
            return Some(Outcome::draw(EndReason::NoMove));
        }
        (self.state.ply >= rules.max_plies()).then_some(Outcome::draw(EndReason::PlyCap))
    }

    /// Whether the opening may still limit where the next stone goes.
    #[inline]
    pub(super) fn is_opening_limited(&self, rules: &SquareRules) -> bool {
        self.state.stones < rules.limited_stones()
    }

    /// Whether a stone may go to an empty cell as far as the opening is concerned.
    pub(super) fn is_open(&self, rules: &SquareRules, cell: Cell) -> bool {
        self.squares.content(cell).color().is_none() && self.opening_allows(rules, cell).is_ok()
    }

    /// Asks the opening about a cell.
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

    /// Where the first color's first stone lies. Within the limited stones it has only one, and
    /// none can have been captured.
    fn first_stone(&self) -> Option<Cell> {
        if self.state.variant.first.is_some() {
            return self.state.variant.first;
        }
        let first = Some(Color(0));
        self.squares.grid().iter().find(|&cell| self.squares.content(cell).color() == first)
    }
}

/// The part of the state that only some rulesets have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct VariantState {
    /// How far the swap opening has come.
    pub stage: OpeningStage,
    /// Whether the first seat owns the second color.
    pub swapped: bool,
    /// Neutral stones placed, by color.
    pub neutral: [u8; 4],
    /// Bombs or power stones placed, by color; no game has both.
    pub special: [u8; 4],
    /// Where the last ply put a power stone.
    pub power: Option<Cell>,
    /// A five that is being answered.
    pub five: Option<PendingFive>,
    /// Whether a run of five or more of either color stands, in games whose fives must be perfect to win:
    /// what is captured makes no new one, only a perfect one of an old one. Where fives can be answered or
    /// power stones complete them, whether one stood when the position was set up: a later one is known.
    pub stands: bool,
    /// Where the first ply put something, as long as the opening asks for it.
    pub first: Option<Cell>,
}

/// A five that the others may still answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PendingFive {
    /// Who made it.
    pub maker: Color,
    /// How many answers are left.
    pub left: u8,
}

impl VariantState {
    pub(super) fn start(rules: &SquareRules) -> VariantState {
        VariantState { stage: rules.first_stage(), ..VariantState::default() }
    }
}

impl State {
    /// Works out whose turn it is from the stage and the number of stones.
    pub(super) fn set_turn(&mut self, rules: &SquareRules) {
        self.color = if rules.swap().is_some() {
            SwapRule::color(self.stones)
        } else {
            rules.seating().color(self.stones)
        };
        let owner = Seat(self.color.0 ^ u8::from(self.variant.swapped));
        self.seat = self.variant.stage.seat().unwrap_or(owner);
    }
}

impl Board {
    /// Plays a legal move of any kind.
    pub(super) fn play_variant<J: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut J,
        mv: Move,
    ) {
        match mv.kind() {
            MoveKind::Stone(cell) => self.play_on(rules, listener, cell, None),
            MoveKind::Signed(cell, signs) => self.play_on(rules, listener, cell, Some(signs)),
            MoveKind::Neutral(cell) => {
                self.state.variant.neutral[self.state.color.index() & 3] += 1;
                self.put(listener, Color::NEUTRAL, cell);
                let stood = self.power_run_exists(rules, None);
                self.state.outcome = self.judge(rules, cell, stood);
            }
            MoveKind::Bomb(cell) => {
                self.state.variant.special[self.state.color.index() & 3] += 1;
                self.put(listener, self.state.color, cell);
                self.clear_around(listener, cell);
                self.state.outcome = self.judge(rules, cell, false);
            }
            MoveKind::Power(cell, bonus) => self.play_power(rules, listener, cell, bonus),
            choice => self.choose(choice),
        }
        self.state.variant.power = match mv.kind() {
            MoveKind::Power(cell, _) => Some(cell),
            _ => None,
        };
        self.end_variant_turn(rules, mv.cell());
    }

    /// A plain stone with its captures.
    fn play_on<J: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut J,
        cell: Cell,
        signs: Option<CaptureSigns>,
    ) {
        self.put(listener, self.state.color, cell);
        self.resolve(rules, listener, cell, (None, signs));
    }

    /// A power stone, and the bonus stone unless the power stone has won (S1).
    fn play_power<J: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut J,
        cell: Cell,
        bonus: Option<Cell>,
    ) {
        self.state.variant.special[self.state.color.index() & 3] += 1;
        self.put(listener, Color::POWER, cell);
        self.resolve(rules, listener, cell, (None, None));
        if let Some(bonus) = bonus.filter(|_| self.state.outcome.is_none()) {
            self.put(listener, self.state.color, bonus);
            self.resolve(rules, listener, bonus, (Some(cell), None));
        }
    }

    /// Carries out what a stone captures that has just been placed, and judges how the game stands then. A
    /// `fresh` power stone was placed before it with the same turn.
    fn resolve<J: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut J,
        cell: Cell,
        (fresh, signs): (Option<Cell>, Option<CaptureSigns>),
    ) {
        let sight = self.sight(rules, self.state.color, cell, fresh);
        let stood = self.power_run_exists(rules, Some(sight.own));
        self.take(rules, listener, (cell, sight), signs);
        self.state.outcome = self.judge(rules, cell, stood);
    }

    pub(super) fn put<J: ChangeListener>(&mut self, listener: &mut J, what: Color, cell: Cell) {
        self.squares.place(what, cell);
        listener.placed(cell, what);
    }

    pub(super) fn remove<J: ChangeListener>(&mut self, listener: &mut J, cell: Cell) {
        if let Some(what) = self.squares.content(cell).color() {
            self.squares.remove(what, cell);
            listener.removed(cell, what);
        }
    }

    /// A bomb: the stones of all players around it vanish, and nobody scores them (S3).
    pub(super) fn clear_around<J: ChangeListener>(&mut self, listener: &mut J, cell: Cell) {
        for other in self.squares.grid().neighbors(cell) {
            let what = self.squares.content(other).color();
            if what.is_some_and(|what| what != Color::NEUTRAL) {
                self.remove(listener, other);
            }
        }
    }

    fn choose(&mut self, choice: MoveKind) {
        let variant = &mut self.state.variant;
        if choice == MoveKind::More {
            variant.stage = OpeningStage::More;
        } else {
            variant.swapped = choice == MoveKind::Swap;
            variant.stage = OpeningStage::Play;
        }
    }

    /// Hands the turn on, and ends a game that nobody can or may go on with.
    fn end_variant_turn(&mut self, rules: &SquareRules, placed: Option<Cell>) {
        let state = &mut self.state;
        state.ply += 1;
        if let Some(cell) = placed {
            if state.stones == 0 && rules.opening().measures_from_first() {
                state.variant.first = Some(cell);
            }
            state.stones += 1;
            if state.stones > u32::from(rules.seating().seats) {
                state.variant.first = None;
            }
            if let Some(swap) = rules.swap() {
                state.variant.stage = swap.after_stone(state.variant.stage, state.stones);
            }
        }
        self.state.set_turn(rules);
        if self.state.outcome.is_none() {
            self.state.outcome = self.variant_stalemate(rules);
        }
    }

    /// The end of a game that nobody can or may go on with. A five that nobody can answer has won.
    pub(super) fn variant_stalemate(&self, rules: &SquareRules) -> Option<Outcome> {
        let five =
            self.state.variant.five.map(|five| self.won_by(rules, five.maker, EndReason::Line));
        if self.squares.empty() == 0 {
            return five.or(Some(Outcome::draw(EndReason::FullBoard)));
        }
        if !self.has_legal_move(rules) {
            return five.or(Some(Outcome::draw(EndReason::NoMove)));
        }
        (self.state.ply >= rules.max_plies()).then_some(Outcome::draw(EndReason::PlyCap))
    }

    /// The win of whoever owns a color.
    pub(super) fn won_by(&self, rules: &SquareRules, color: Color, reason: EndReason) -> Outcome {
        let seat = Seat(color.0 ^ u8::from(self.state.variant.swapped));
        Outcome::win(rules.seating().side_of(seat), reason)
    }

    /// The windows of all that a color may use as its own.
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
        // Nearly always so, and asked for with every stone.
        if rules.seating().seats == 2 {
            return self.squares.windows(color.opponent(), cell);
        }
        let others = (0..rules.seating().seats).map(Color).filter(|&other| other != color);
        Windows(others.fold(0, |bits, other| bits | self.squares.windows(other, cell).0))
    }
}

/// Odd factors for words that are scrambled together.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];

impl State {
    /// All of the state as a number, for the key: the `counts` that a goal depends on, how much of the opening
    /// is over and how many plies are left to the cap are the caller's.
    ///
    /// It is asked for twice a ply, so the words of what can differ are scrambled together instead of one after
    /// the other. Odd factors keep them apart until then.
    #[inline]
    pub(super) fn variant_key(&self, counts: [u16; 4], opened: u32, plies_left: u32) -> u64 {
        let VariantState { stage, swapped, neutral, special, five, first, .. } = self.variant;
        let counts = counts.into_iter().rev().fold(0, |all, count| all << 16 | u64::from(count));
        let placed =
            u64::from(u32::from_le_bytes(neutral)) << 32 | u64::from(u32::from_le_bytes(special));
        let five = five.map_or(0, |five| u64::from(five.maker.0) << 2 | u64::from(five.left));
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn whatever_differs_in_states_their_keys_tell_it() {
        let start = State::start(&"pente-plus".parse().unwrap());
        let five = |maker, left| Some(PendingFive { maker: Color(maker), left });
        let others: [fn(&mut State); 13] = [
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
            states.push(changed(start, |state| state.variant.five = five));
        }
        let left = [0, 1, PLY_CAP_HORIZON - 1, PLY_CAP_HORIZON];
        let counts = [[0; 4], [2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 2]];
        let mut keys = BTreeSet::new();
        for (state, counts) in states.iter().flat_map(|state| counts.map(|counts| (state, counts)))
        {
            let key = |opened| left.map(|left| state.variant_key(counts, opened, left));
            keys.extend([0, 1, 8].into_iter().flat_map(key));
        }
        assert_eq!(keys.len(), states.len() * counts.len() * 3 * left.len());
        assert_eq!(
            start.variant_key([0; 4], 0, PLY_CAP_HORIZON),
            start.variant_key([0; 4], 0, PLY_CAP_HORIZON + 1)
        );
    }

    fn changed(mut state: State, change: impl FnOnce(&mut State)) -> State {
        change(&mut state);
        state
    }
}
