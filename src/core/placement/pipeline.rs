//! What a move does, step by step, in one fixed order that no variant changes: place, captures,
//! lines, victory, whose turn. Rule components fill the steps. Here are the steps of plain stones,
//! pairs, longer groups and lines, which is where searches spend their time; [`variant`](super::variant)
//! has all of them.

use super::variant::Extra;
use crate::board::SquareBoard;
use crate::game::{Cell, Color, Journal, Move, MoveKind, Outcome, Reason, Seat};
use crate::rules::{Capture, Captured, OpeningLimit, SquareRules, Stage};

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
    pub extra: Extra,
}

impl State {
    /// Goes on by a ply, to the turn of the next seat with its color.
    #[inline]
    pub(super) fn pass_turn(&mut self, rules: &SquareRules) {
        self.ply += 1;
        self.seat = rules.seating().next(self.seat);
        self.color = Color(self.seat.0 ^ u8::from(self.extra.swapped));
    }
}

/// The board and the state: a position without history.
#[derive(Clone, Debug)]
pub(super) struct Core {
    pub board: SquareBoard,
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
            extra: Extra::start(rules),
        }
    }
}

impl Core {
    /// Plays a legal move.
    #[inline]
    pub(super) fn play<J: Journal>(&mut self, rules: &SquareRules, journal: &mut J, mv: Move) {
        match mv.kind() {
            MoveKind::Stone(cell)
                if rules.is_plain() || rules.plays_lines() && self.is_past_opening(rules) =>
            {
                self.play_stone(rules, journal, cell);
            }
            _ => self.play_variant(rules, journal, mv),
        }
    }

    /// Whether the stones that only the long pipeline remembers something of are all on the board.
    #[inline]
    fn is_past_opening(&self, rules: &SquareRules) -> bool {
        let settled = rules.plays_plainly() || self.state.stones > u32::from(rules.seating().seats);
        settled && self.state.extra.stage == Stage::Play
    }

    /// Plays a stone of the color to move on a legal cell.
    #[inline]
    pub(super) fn play_stone<J: Journal>(
        &mut self,
        rules: &SquareRules,
        journal: &mut J,
        cell: Cell,
    ) {
        let color = self.state.color;
        let own = self.board.place(color, cell);
        journal.placed(cell, color);
        if let Some(capture) = rules.capture() {
            let enemy = self.board.windows(color.opponent(), cell);
            let captured = capture.captured(own, enemy);
            if !captured.is_empty() {
                self.capture(journal, cell, captured);
            }
        }
        self.state.outcome = if rules.line_of(color).wins(own) {
            Some(self.win(rules, Reason::Line))
        } else if self.reached_goal(rules.capture()) {
            Some(self.win(rules, Reason::Captures))
        } else {
            None
        };
        self.end_turn(rules);
    }

    /// Takes all captured groups off the board together and counts them.
    #[cold]
    fn capture<J: Journal>(&mut self, journal: &mut J, cell: Cell, captured: Captured) {
        let color = self.state.color;
        let count = &mut self.state.counts[color.index() & 3];
        *count = count.saturating_add(captured.stones() as u16);
        for taken in captured.cells(cell, self.board.map().steps()) {
            self.board.lift(color.opponent(), taken);
            journal.removed(taken, color.opponent());
        }
    }

    #[inline]
    fn reached_goal(&self, capture: Option<Capture>) -> bool {
        let goal = capture.and_then(|capture| capture.goal);
        goal.is_some_and(|goal| self.state.counts[self.state.color.index() & 3] >= goal)
    }

    fn win(&self, rules: &SquareRules, reason: Reason) -> Outcome {
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
        if self.board.empty() == 0 {
            return Some(Outcome::draw(Reason::FullBoard));
        }
        if self.is_opening_limited(rules)
            && !self.board.grid().iter().any(|cell| self.is_open(rules, cell))
        {
            return Some(Outcome::draw(Reason::NoMove));
        }
        if rules.forbids(self.state.color) && !self.has_legal_move(rules) {
            return Some(Outcome::draw(Reason::NoMove));
        }
        (self.state.ply >= rules.max_plies()).then_some(Outcome::draw(Reason::PlyCap))
    }

    /// Whether the opening may still limit where the next stone goes.
    #[inline]
    pub(super) fn is_opening_limited(&self, rules: &SquareRules) -> bool {
        self.state.stones < rules.limited_stones()
    }

    /// Whether a stone may go to an empty cell as far as the opening is concerned.
    pub(super) fn is_open(&self, rules: &SquareRules, cell: Cell) -> bool {
        self.board.content(cell).color().is_none() && self.opening_allows(rules, cell).is_ok()
    }

    /// Asks the opening about a cell.
    pub(super) fn opening_allows(
        &self,
        rules: &SquareRules,
        cell: Cell,
    ) -> Result<(), OpeningLimit> {
        if !self.is_opening_limited(rules) {
            return Ok(());
        }
        let (seats, stones) = (rules.seating().seats, self.state.stones);
        rules.opening().check(self.board.grid(), seats, stones, || self.first_stone(), cell)
    }

    /// Where the first color's first stone lies. Within the limited stones it has only one, and
    /// none can have been captured.
    fn first_stone(&self) -> Option<Cell> {
        if self.state.extra.first.is_some() {
            return self.state.extra.first;
        }
        let first = Some(Color(0));
        self.board.grid().iter().find(|&cell| self.board.content(cell).color() == first)
    }
}
