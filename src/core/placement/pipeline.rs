//! What a move does, step by step, in one fixed order that no variant changes: place, captures,
//! outcome, whose turn. The components of a ruleset fill the steps.
//!
//! The steps exist once. Most games need few of them: [`Board::play`] compiles the steps a second time
//! without what plain stones never need (`PLAIN`), and chooses by [`RuleTier`].

use super::captures::Removal;
use super::state::Board;
use crate::board::Windows;
use crate::game::{CaptureSigns, Cell, ChangeListener, Color, EndReason, Move, MoveKind, Outcome};
use crate::rules::{OpeningStage, RuleTier, SquareRules};

/// A stone that captures, and how.
#[derive(Clone, Copy, Debug)]
struct Placement {
    cell: Cell,
    /// The color of the stone, or [`Color::POWER`].
    stone: Color,
    /// Whether each captured group adds to the own count or is subtracted from the opponent's; all add by
    /// default.
    signs: Option<CaptureSigns>,
    /// A power stone of the same ply, which cannot be captured (S1).
    fresh_power: Option<Cell>,
}

impl Board {
    /// Plays a legal move.
    #[inline]
    pub(super) fn play<L: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut L,
        mv: Move,
    ) {
        let is_plain =
            rules.tier() < RuleTier::Full && self.state.variant.stage == OpeningStage::Play;
        match mv.kind() {
            MoveKind::Stone(cell) if is_plain => {
                self.play_ply::<true, L>(rules, listener, MoveKind::Stone(cell));
            }
            kind => self.play_ply::<false, L>(rules, listener, kind),
        }
    }

    /// Plays a legal move. `PLAIN` leaves out all steps that a stone does not need in games below
    /// [`RuleTier::Full`] once a swap opening is over.
    #[inline]
    pub(super) fn play_ply<const PLAIN: bool, L: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut L,
        kind: MoveKind,
    ) {
        let stone = self.state.color;
        let own = stone.index() & 3;
        let plain = |cell| Placement { cell, stone, signs: None, fresh_power: None };
        let placed = match kind {
            MoveKind::Stone(cell) => {
                self.place_and_capture::<PLAIN, L>(rules, listener, plain(cell));
                Some(cell)
            }
            _ if PLAIN => None,
            MoveKind::Signed(cell, signs) => {
                let signed = Placement { signs: Some(signs), ..plain(cell) };
                self.place_and_capture::<PLAIN, L>(rules, listener, signed);
                Some(cell)
            }
            MoveKind::Neutral(cell) => {
                self.state.variant.neutral[own] += 1;
                self.place(listener, Color::NEUTRAL, cell);
                let run_exists = self.power_run_exists(rules, None);
                self.state.outcome =
                    self.outcome_after::<PLAIN>(rules, cell, Windows(0), run_exists);
                Some(cell)
            }
            MoveKind::Bomb(cell) => {
                self.state.variant.special[own] += 1;
                let windows = self.place(listener, stone, cell);
                self.remove_around(listener, cell);
                self.state.outcome = self.outcome_after::<PLAIN>(rules, cell, windows, false);
                Some(cell)
            }
            MoveKind::Power(cell, bonus) => {
                self.state.variant.special[own] += 1;
                let power = Placement { stone: Color::POWER, ..plain(cell) };
                self.place_and_capture::<PLAIN, L>(rules, listener, power);
                // The bonus stone follows unless the power stone has won (S1).
                if let Some(bonus) = bonus.filter(|_| self.state.outcome.is_none()) {
                    let bonus = Placement { fresh_power: Some(cell), ..plain(bonus) };
                    self.place_and_capture::<PLAIN, L>(rules, listener, bonus);
                }
                Some(cell)
            }
            choice => {
                self.choose(choice);
                None
            }
        };
        if !PLAIN {
            let power = matches!(kind, MoveKind::Power(..));
            self.state.variant.last_power = placed.filter(|_| power);
        }
        self.end_turn::<PLAIN>(rules, placed);
    }

    /// Places a stone, removes what it captures or loses, and sets the outcome.
    #[inline]
    fn place_and_capture<const PLAIN: bool, L: ChangeListener>(
        &mut self,
        rules: &SquareRules,
        listener: &mut L,
        Placement { cell, stone, signs, fresh_power }: Placement,
    ) {
        let color = self.state.color;
        let own = self.place(listener, stone, cell);
        let run_exists = !PLAIN && self.power_run_exists(rules, Some(cell));
        if let Some(capture) = rules.capture() {
            let removal = if PLAIN {
                let enemy = self.squares.windows(color.opponent(), cell);
                Removal { captured: capture.captured(own, enemy), poofed: Windows(0) }
            } else {
                self.removal(rules, capture, cell, fresh_power)
            };
            if !removal.is_empty() {
                self.apply_removal::<PLAIN, L>(rules, listener, cell, removal, signs);
            }
        }
        self.state.outcome = self.outcome_after::<PLAIN>(rules, cell, own, run_exists);
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

    /// Gives the turn to the next seat, and ends a game in which it has no legal move.
    #[inline]
    fn end_turn<const PLAIN: bool>(&mut self, rules: &SquareRules, placed: Option<Cell>) {
        let state = &mut self.state;
        if PLAIN {
            state.stones += 1;
            state.pass_turn(rules);
        } else {
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
            state.set_turn(rules);
        }
        if state.outcome.is_none() {
            self.state.outcome = self.stalemate::<PLAIN>(rules);
        }
    }

    /// The outcome of a game that cannot continue: a draw, or the win of a five that nobody can break any
    /// more.
    #[inline]
    pub(super) fn stalemate<const PLAIN: bool>(&self, rules: &SquareRules) -> Option<Outcome> {
        let five = self.state.variant.pending_five.filter(|_| !PLAIN);
        let end = |reason| {
            let win = five.map(|five| self.win_of(rules, five.maker, EndReason::Line));
            Some(win.unwrap_or(Outcome::draw(reason)))
        };
        if self.squares.empty() == 0 {
            return end(EndReason::FullBoard);
        }
        if !self.has_legal_move::<PLAIN>(rules) {
            return end(EndReason::NoMove);
        }
        (self.state.ply >= rules.max_plies()).then_some(Outcome::draw(EndReason::PlyCap))
    }
}
