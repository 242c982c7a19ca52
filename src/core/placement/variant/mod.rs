//! The pipeline of a move in full, for rulesets that the short one does not know: choices, special
//! stones, captures of all kinds, forbidden moves, fives that can be answered, whose turn it is.
//!
//! The steps and their order are those of the short pipeline; each has a file here.

mod axis;
mod captures;
mod fives;
mod fours;
mod key;
mod legal;
mod power;
mod renju;
mod shapes;

use super::pipeline::{Core, State};
use crate::board::Windows;
use crate::game::{Cell, Color, Journal, Move, MoveKind, Outcome, Reason, Signs};
use crate::rules::{SquareRules, Stage, Swap};

/// The part of the state that only some rulesets have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extra {
    /// How far the swap opening has come.
    pub stage: Stage,
    /// Whether the first seat owns the second color.
    pub swapped: bool,
    /// Neutral stones placed, by color.
    pub neutral: [u8; 4],
    /// Bombs or power stones placed, by color; no game has both.
    pub special: [u8; 4],
    /// Where the last ply put a power stone.
    pub power: Option<Cell>,
    /// A five that is being answered.
    pub five: Option<Answered>,
    /// Whether a run of five or more of either color stands, in games whose fives must be perfect to win:
    /// what is captured makes no new one, only a perfect one of an old one. Where fives can be answered or
    /// power stones complete them, whether one stood when the position was set up: a later one is known.
    pub stands: bool,
    /// Where the first ply put something, as long as the opening asks for it.
    pub first: Option<Cell>,
}

/// A five that the others may still answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answered {
    /// Who made it.
    pub maker: Color,
    /// How many answers are left.
    pub left: u8,
}

impl Extra {
    pub(super) fn start(rules: &SquareRules) -> Extra {
        Extra { stage: rules.first_stage(), ..Extra::default() }
    }
}

impl State {
    /// Works out whose turn it is from the stage and the number of stones.
    pub(super) fn set_turn(&mut self, rules: &SquareRules) {
        self.color = if rules.swap().is_some() {
            Swap::color(self.stones)
        } else {
            rules.seating().color(self.stones)
        };
        let owner = crate::game::Seat(self.color.0 ^ u8::from(self.extra.swapped));
        self.seat = self.extra.stage.seat().unwrap_or(owner);
    }
}

impl Core {
    /// Plays a legal move of any kind.
    pub(super) fn play_variant<J: Journal>(
        &mut self,
        rules: &SquareRules,
        journal: &mut J,
        mv: Move,
    ) {
        match mv.kind() {
            MoveKind::Stone(cell) => self.play_on(rules, journal, cell, None),
            MoveKind::Signed(cell, signs) => self.play_on(rules, journal, cell, Some(signs)),
            MoveKind::Neutral(cell) => {
                self.state.extra.neutral[self.state.color.index() & 3] += 1;
                self.put(journal, Color::NEUTRAL, cell);
                let stood = self.stands_with_power(rules, None);
                self.state.outcome = self.judge(rules, cell, stood);
            }
            MoveKind::Bomb(cell) => {
                self.state.extra.special[self.state.color.index() & 3] += 1;
                self.put(journal, self.state.color, cell);
                self.clear_around(journal, cell);
                self.state.outcome = self.judge(rules, cell, false);
            }
            MoveKind::Power(cell, bonus) => self.play_power(rules, journal, cell, bonus),
            choice => self.choose(choice),
        }
        self.state.extra.power = match mv.kind() {
            MoveKind::Power(cell, _) => Some(cell),
            _ => None,
        };
        self.end_variant_turn(rules, mv.cell());
    }

    /// A plain stone with its captures.
    fn play_on<J: Journal>(
        &mut self,
        rules: &SquareRules,
        journal: &mut J,
        cell: Cell,
        signs: Option<Signs>,
    ) {
        self.put(journal, self.state.color, cell);
        self.resolve(rules, journal, cell, (None, signs));
    }

    /// A power stone, and the bonus stone unless the power stone has won (S1).
    fn play_power<J: Journal>(
        &mut self,
        rules: &SquareRules,
        journal: &mut J,
        cell: Cell,
        bonus: Option<Cell>,
    ) {
        self.state.extra.special[self.state.color.index() & 3] += 1;
        self.put(journal, Color::POWER, cell);
        self.resolve(rules, journal, cell, (None, None));
        if let Some(bonus) = bonus.filter(|_| self.state.outcome.is_none()) {
            self.put(journal, self.state.color, bonus);
            self.resolve(rules, journal, bonus, (Some(cell), None));
        }
    }

    /// Carries out what a stone captures that has just been placed, and judges how the game stands then. A
    /// `fresh` power stone was placed before it with the same turn.
    fn resolve<J: Journal>(
        &mut self,
        rules: &SquareRules,
        journal: &mut J,
        cell: Cell,
        (fresh, signs): (Option<Cell>, Option<Signs>),
    ) {
        let sight = self.sight(rules, self.state.color, cell, fresh);
        let stood = self.stands_with_power(rules, Some(sight.own));
        self.take(rules, journal, (cell, sight), signs);
        self.state.outcome = self.judge(rules, cell, stood);
    }

    fn put<J: Journal>(&mut self, journal: &mut J, what: Color, cell: Cell) {
        self.board.place(what, cell);
        journal.placed(cell, what);
    }

    fn remove<J: Journal>(&mut self, journal: &mut J, cell: Cell) {
        if let Some(what) = self.board.content(cell).color() {
            self.board.lift(what, cell);
            journal.removed(cell, what);
        }
    }

    /// A bomb: the stones of all players around it vanish, and nobody scores them (S3).
    fn clear_around<J: Journal>(&mut self, journal: &mut J, cell: Cell) {
        for other in self.board.grid().neighbors(cell) {
            let what = self.board.content(other).color();
            if what.is_some_and(|what| what != Color::NEUTRAL) {
                self.remove(journal, other);
            }
        }
    }

    fn choose(&mut self, choice: MoveKind) {
        let extra = &mut self.state.extra;
        if choice == MoveKind::More {
            extra.stage = Stage::More;
        } else {
            extra.swapped = choice == MoveKind::Swap;
            extra.stage = Stage::Play;
        }
    }

    /// Hands the turn on, and ends a game that nobody can or may go on with.
    fn end_variant_turn(&mut self, rules: &SquareRules, placed: Option<Cell>) {
        let state = &mut self.state;
        state.ply += 1;
        if let Some(cell) = placed {
            if state.stones == 0 && rules.opening().measures_from_first() {
                state.extra.first = Some(cell);
            }
            state.stones += 1;
            if state.stones > u32::from(rules.seating().seats) {
                state.extra.first = None;
            }
            if let Some(swap) = rules.swap() {
                state.extra.stage = swap.after_stone(state.extra.stage, state.stones);
            }
        }
        self.state.set_turn(rules);
        if self.state.outcome.is_none() {
            self.state.outcome = self.variant_stalemate(rules);
        }
    }

    /// The end of a game that nobody can or may go on with. A five that nobody can answer has won.
    pub(in crate::placement) fn variant_stalemate(&self, rules: &SquareRules) -> Option<Outcome> {
        let five = self.state.extra.five.map(|five| self.won_by(rules, five.maker, Reason::Line));
        if self.board.empty() == 0 {
            return five.or(Some(Outcome::draw(Reason::FullBoard)));
        }
        if !self.has_legal_move(rules) {
            return five.or(Some(Outcome::draw(Reason::NoMove)));
        }
        (self.state.ply >= rules.max_plies()).then_some(Outcome::draw(Reason::PlyCap))
    }

    /// The win of whoever owns a color.
    fn won_by(&self, rules: &SquareRules, color: Color, reason: Reason) -> Outcome {
        let seat = crate::game::Seat(color.0 ^ u8::from(self.state.extra.swapped));
        Outcome::win(rules.seating().side_of(seat), reason)
    }

    /// The windows of all that a color may use as its own.
    #[inline]
    fn own_windows(&self, rules: &SquareRules, color: Color, cell: Cell) -> Windows {
        if rules.stones().power.is_none() {
            return self.board.windows(color, cell);
        }
        self.board.windows_of_either([color, Color::POWER], cell)
    }

    /// The windows of the other colors' stones.
    #[inline]
    fn enemy_windows(&self, rules: &SquareRules, color: Color, cell: Cell) -> Windows {
        // Nearly always so, and asked for with every stone.
        if rules.seating().seats == 2 {
            return self.board.windows(color.opponent(), cell);
        }
        let others = (0..rules.seating().seats).map(Color).filter(|&other| other != color);
        Windows(others.fold(0, |bits, other| bits | self.board.windows(other, cell).0))
    }
}
