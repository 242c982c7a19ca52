//! What a move does, in the order that all games share: place, take what is surrounded, lines,
//! victory, whose turn.

use super::IllegalHex;
use super::groups::{has_liberty, surrounded};
use super::lines::{completions, has_line};
use crate::board::{Bitboard, bit, each, grow, neighbors};
use crate::game::{Cell, Color, Illegal, Journal, Outcome, Reason, Seat, Side};
use crate::rules::{HexRules, Hexes};

/// The rules as far as a move asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveRules {
    pub hexes: Hexes,
    pub seats: u8,
    pub max_plies: u32,
}

/// Everything of a position that is not on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The color to move.
    pub color: Color,
    /// How the game ended.
    pub outcome: Option<Outcome>,
    /// Plies played.
    pub ply: u32,
    /// Passes in a row up to now.
    pub passes: u8,
    /// The colors that are out of the game, a bit each.
    pub out: u8,
    /// Whether the seat to move has to choose its color.
    pub choosing: bool,
    /// Whether the first two seats have swapped colors.
    pub swapped: bool,
    /// Taken stones by the color that took them.
    pub taken: [u16; 3],
}

/// The stones and the state: a position without history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Core {
    /// By color.
    pub stones: [Bitboard; 3],
    pub empty: Bitboard,
    pub state: State,
}

impl MoveRules {
    /// The rules of a game.
    pub(super) fn new(rules: &HexRules) -> MoveRules {
        let seats = rules.seating().seats.min(3);
        MoveRules { hexes: *rules.board(), seats, max_plies: rules.max_plies() }
    }
}

impl State {
    fn start() -> State {
        State {
            color: Color(0),
            outcome: None,
            ply: 0,
            passes: 0,
            out: 0,
            choosing: false,
            swapped: false,
            taken: [0; 3],
        }
    }

    /// The seat that owns a color.
    #[inline]
    pub(super) fn seat_of(&self, color: Color) -> Seat {
        Seat(if self.swapped { color.0 ^ 1 } else { color.0 })
    }

    /// The color after another one, of those still in the game.
    #[inline]
    fn next(&self, color: Color, seats: u8) -> Color {
        let mut next = color.0;
        for _ in 0..seats {
            next = if next + 1 >= seats { 0 } else { next + 1 };
            if self.out >> next & 1 == 0 {
                break;
            }
        }
        Color(next)
    }
}

impl Core {
    pub(super) fn start(rules: &MoveRules) -> Core {
        Core { stones: [0; 3], empty: rules.hexes.grid.all(), state: State::start() }
    }

    /// The stones of a color.
    #[inline]
    pub(super) fn of(&self, color: Color) -> Bitboard {
        self.stones[color.index() % 3]
    }

    /// The color whose turn is next.
    #[inline]
    pub(super) fn next_color(&self, rules: &MoveRules) -> Color {
        self.state.next(self.state.color, rules.seats)
    }

    /// The stones that a stone of a color on an empty cell would take.
    #[inline]
    pub(super) fn takes(&self, color: Color, cell: Cell) -> Bitboard {
        let empty = self.empty & !bit(cell);
        let beside = neighbors(cell);
        let mut dead = 0;
        for (index, &stones) in self.stones.iter().enumerate() {
            if index != color.index() && beside & stones != 0 {
                dead |= surrounded(stones, beside, empty);
            }
        }
        dead
    }

    /// Whether a color may place a stone on an empty cell of a game with surrounding: it needs a
    /// liberty when surrounded groups are gone.
    #[inline]
    pub(super) fn may_place(&self, color: Color, cell: Cell) -> bool {
        neighbors(cell) & self.empty != 0
            || has_liberty(self.of(color), cell, self.empty)
            || self.takes(color, cell) != 0
    }

    /// The cells where a color may place a stone if it is its turn.
    #[inline]
    pub(super) fn legal_cells(&self, rules: &MoveRules, color: Color) -> Bitboard {
        if rules.hexes.surround {
            let open = self.empty & grow(self.empty);
            let tight = each(self.empty & !open).filter(|&cell| self.may_place(color, cell));
            return tight.fold(open, |cells, cell| cells | bit(cell));
        }
        if rules.hexes.must_block {
            let line = rules.hexes.line;
            let next = self.state.next(color, rules.seats);
            let threats = completions(self.of(next), line) & self.empty;
            if threats != 0 {
                return threats | completions(self.of(color), line) & self.empty;
            }
        }
        self.empty
    }

    /// Why the color to move may not place a stone on a cell of the board.
    pub(super) fn check_cell(&self, rules: &MoveRules, cell: Cell) -> Result<(), IllegalHex> {
        if self.empty & bit(cell) == 0 {
            return Err(Illegal::Occupied.into());
        }
        if self.legal_cells(rules, self.state.color) & bit(cell) != 0 {
            return Ok(());
        }
        Err(if rules.hexes.surround { IllegalHex::Suicide } else { IllegalHex::MustBlock })
    }

    /// Places a stone of the color to move on a legal cell.
    #[inline]
    pub(super) fn place<J: Journal>(&mut self, rules: &MoveRules, journal: &mut J, cell: Cell) {
        let color = self.state.color;
        self.stones[color.index() % 3] |= bit(cell);
        self.empty &= !bit(cell);
        journal.placed(cell, color);
        if rules.hexes.surround {
            let dead = self.takes(color, cell);
            if dead != 0 {
                self.take(journal, dead);
            }
        }
        self.state.passes = 0;
        if neighbors(cell) & self.of(color) != 0 {
            self.judge_lines(rules);
        }
        self.end_turn(rules);
    }

    /// Takes dead stones off the board and counts them.
    #[cold]
    fn take<J: Journal>(&mut self, journal: &mut J, dead: Bitboard) {
        let count = &mut self.state.taken[self.state.color.index() % 3];
        *count = count.saturating_add(dead.count_ones() as u16);
        for (stones, color) in self.stones.iter_mut().zip((0..).map(Color)) {
            each(*stones & dead).for_each(|cell| journal.removed(cell, color));
            *stones &= !dead;
        }
        self.empty |= dead;
    }

    /// What the mover's lines mean.
    #[inline]
    fn judge_lines(&mut self, rules: &MoveRules) {
        let MoveRules { hexes, seats, .. } = rules;
        let color = self.state.color;
        let own = self.of(color);
        if has_line(own, hexes.line) {
            self.state.outcome = Some(self.win(color, Reason::Line));
        } else if hexes.losing_line.is_some_and(|length| has_line(own, length)) {
            self.state.out |= 1 << color.0;
            if self.state.out.count_ones() + 1 == u32::from(*seats) {
                let left = self.next_color(rules);
                self.state.outcome = Some(self.win(left, Reason::ShortLine));
            }
        }
    }

    /// The win of the seat that owns a color. Every seat is a side of its own.
    pub(super) fn win(&self, color: Color, reason: Reason) -> Outcome {
        Outcome::win(Side(self.state.seat_of(color).0), reason)
    }

    /// Makes the forced pass of the color to move.
    pub(super) fn pass(&mut self, rules: &MoveRules) {
        self.state.passes += 1;
        self.end_turn(rules);
    }

    /// Makes the choice after the first stone: the second color goes on, whoever owns it now.
    pub(super) fn choose(&mut self, rules: &MoveRules, swap: bool) {
        self.state.swapped = swap;
        self.state.choosing = false;
        self.state.ply += 1;
        self.state.outcome = self.stalemate(rules);
    }

    /// Hands the turn on, and ends a game that nobody can or may go on with.
    #[inline]
    fn end_turn(&mut self, rules: &MoveRules) {
        self.state.color = self.next_color(rules);
        self.state.choosing = rules.hexes.swap1 && self.state.ply == 0;
        self.state.ply += 1;
        if self.state.outcome.is_none() {
            self.state.outcome = self.stalemate(rules);
        }
    }

    /// The draw, if nobody can go on or nobody may.
    #[inline]
    pub(super) fn stalemate(&self, rules: &MoveRules) -> Option<Outcome> {
        if self.empty == 0 {
            return Some(Outcome::draw(Reason::FullBoard));
        }
        if self.state.passes >= rules.seats {
            return Some(Outcome::draw(Reason::NoMove));
        }
        (self.state.ply >= rules.max_plies).then_some(Outcome::draw(Reason::PlyCap))
    }
}
