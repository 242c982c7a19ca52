//! Winning lines, capture goals, and fives that can be answered.

use super::Answered;
use super::axis::Axis;
use super::shapes::rows_of;
use crate::board::{Content, Windows};
use crate::game::{Cell, Color, Outcome, Reason};
use crate::placement::pipeline::{Core, State};
use crate::rules::{Boat, Capture, Forbidden, SquareRules, Stage};

impl Core {
    /// Whether a run of the mover stands with older power stones read as the mover's own: whoever
    /// places a stone chooses how each is read, so it counts even if one of them is captured now (S1).
    pub(super) fn stands_with_power(&self, rules: &SquareRules) -> bool {
        rules.stones().power.is_some() && self.has_run(rules, self.state.color)
    }

    /// How the game stands after the mover's placement on `cell` and its removals, before which a run
    /// may have `stood`.
    pub(super) fn judge(
        &mut self,
        rules: &SquareRules,
        cell: Cell,
        stood: bool,
    ) -> Option<Outcome> {
        if rules.has_perfect_fives() {
            return self.judge_perfect(rules, cell);
        }
        let five = stood || self.makes_line(rules, cell);
        let goal = self.goal(rules);
        // The goal reached by a move that `anti` forbids otherwise draws (MOK).
        if let Some(Forbidden::Fours(fours)) = rules.forbidden()
            && !five
            && goal == Some(self.state.color)
            && self.has_open_four(rules, fours)
        {
            self.state.extra.five = None;
            return Some(Outcome::draw(Reason::Captures));
        }
        if let Some(boat) = rules.boat() {
            return self.judge_answerable(rules, boat, five, goal);
        }
        if five {
            return Some(self.won_by(rules, self.state.color, Reason::Line));
        }
        goal.map(|color| self.won_by(rules, color, Reason::Captures))
    }

    /// Whether a line of the mover wins: through the stone just placed, or, where older power stones
    /// may complete one, anywhere (S1).
    pub(super) fn makes_line(&self, rules: &SquareRules, cell: Cell) -> bool {
        let color = self.state.color;
        if rules.stones().power.is_some() {
            return self.has_run(rules, color);
        }
        self.board.content(cell) == Content::stone(color) && self.line_through(rules, color, cell)
    }

    /// Whether a winning run of a color goes through a cell that holds its stone.
    pub(super) fn line_through(&self, rules: &SquareRules, color: Color, cell: Cell) -> bool {
        let own = self.board.windows(color, cell);
        rules.line_of(color).wins_beside(own, self.enemies_if_needed(rules, color, cell))
    }

    pub(super) fn enemies_if_needed(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
    ) -> Windows {
        if rules.line().is_caro() { self.enemy_windows(rules, color, cell) } else { Windows(0) }
    }

    /// Whether a winning run of a color stands anywhere, power stones counted as its own.
    pub(in crate::placement) fn has_run(&self, rules: &SquareRules, color: Color) -> bool {
        rows_of(&self.board, color, rules.line().length()).any(|row| {
            // All of a row wins, or nothing.
            row.cells(&self.board).take(1).any(|cell| {
                let enemy = self.enemies_if_needed(rules, color, cell);
                rules.line_of(color).wins_beside(self.own_windows(color, cell), enemy)
            })
        })
    }

    /// The color whose captured stones win now: the mover's, or with poofs the opponent's, who then
    /// needs more than the other (S3, PO).
    pub(super) fn goal(&self, rules: &SquareRules) -> Option<Color> {
        let capture = rules.capture()?;
        let goal = capture.goal?;
        let mover = self.state.color;
        let count = |color: Color| {
            let own = self.state.counts[color.index() & 3];
            let partner = self.state.counts[(color.index() + 2) & 3];
            if rules.seating().teams { own + partner } else { own }
        };
        if !capture.poof {
            return (count(mover) >= goal).then_some(mover);
        }
        let other = mover.opponent();
        let has_won = |a: Color, b: Color| count(a) >= goal && count(a) > count(b);
        [(mover, other), (other, mover)].into_iter().find(|&(a, b)| has_won(a, b)).map(|(a, _)| a)
    }

    /// Where a five can be answered with one move (S3; strictly: PO, AP, BGA).
    fn judge_answerable(
        &mut self,
        rules: &SquareRules,
        boat: Boat,
        five: bool,
        goal: Option<Color>,
    ) -> Option<Outcome> {
        let mover = self.state.color;
        let by_captures = goal.map(|color| self.won_by(rules, color, Reason::Captures));
        let by_line = |core: &Core, color| Some(core.won_by(rules, color, Reason::Line));
        if let Some(Answered { maker, left }) = self.state.extra.five.take() {
            let stands = self.has_run(rules, maker);
            match boat {
                Boat::AnyReply if five => return by_line(self, mover),
                Boat::AnyReply if goal == Some(mover) => return by_captures,
                Boat::AnyReply if stands && left > 1 => {
                    self.state.extra.five = Some(Answered { maker, left: left - 1 });
                    return None;
                }
                _ if stands => return by_line(self, maker),
                Boat::AnyReply => return by_captures,
                Boat::Strict => (),
            }
        }
        if !five {
            return by_captures;
        }
        let answerable = boat == Boat::AnyReply || self.can_be_broken(rules);
        if goal == Some(mover) || !answerable {
            return by_line(self, mover);
        }
        let seating = rules.seating();
        let left = if seating.teams { 1 } else { seating.seats - 1 };
        self.state.extra.five = Some(Answered { maker: mover, left });
        None
    }

    /// Whether every winning run of the mover has a stone that the next player can capture with a
    /// legal move.
    fn can_be_broken(&self, rules: &SquareRules) -> bool {
        let Some(capture) = rules.capture() else { return false };
        let mut next = self.state;
        next.stones += 1;
        next.ply += 1;
        next.set_turn(rules);
        let mut rows = rows_of(&self.board, self.state.color, rules.line().length());
        rows.all(self.is_capturable(rules, capture, next))
    }

    /// Ninuki-Renju: perfect fives of either color, on the whole board (PBM).
    fn judge_perfect(&mut self, rules: &SquareRules, cell: Cell) -> Option<Outcome> {
        let mover = self.state.color;
        let other = mover.opponent();
        let own = self.board.windows(mover, cell);
        if !self.state.extra.stands && !makes_run(rules, mover, own) {
            return self.goal(rules).map(|color| self.won_by(rules, color, Reason::Captures));
        }
        self.state.extra.stands = self.has_runs(rules);
        if self.has_perfect_five(rules, mover) {
            return Some(self.won_by(rules, mover, Reason::Line));
        }
        let theirs = self.has_perfect_five(rules, other);
        match (self.goal(rules), theirs) {
            (Some(_), true) => Some(Outcome::draw(Reason::Captures)),
            (Some(color), false) => Some(self.won_by(rules, color, Reason::Captures)),
            (None, true) => Some(self.won_by(rules, other, Reason::Line)),
            (None, false) => None,
        }
    }

    /// Whether a run of the winning length or more stands anywhere, whosever it is.
    pub(in crate::placement) fn has_runs(&self, rules: &SquareRules) -> bool {
        let length = rules.line().length();
        let mut colors = (0..rules.seating().seats).map(Color);
        colors.any(|color| rows_of(&self.board, color, length).next().is_some())
    }

    /// Whether a color's plain stone on an empty cell would win, where fives must be perfect and a look at
    /// the lines through it tells: it captures nothing, no capture has reached the goal, and no run stands
    /// that might become perfect. Elsewhere it takes a copy of the board to judge.
    pub(in crate::placement) fn wins_at_a_look(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
    ) -> Option<bool> {
        if !rules.has_perfect_fives() || self.state.extra.stands {
            return None;
        }
        let captures_nothing = |capture: Capture| {
            let [own, enemy] = [color, color.opponent()].map(|c| self.board.windows(c, cell));
            let reached = |&count: &u16| capture.goal.is_some_and(|goal| count >= goal);
            capture.captured(own, enemy).is_empty() && !self.state.counts.iter().any(reached)
        };
        if !rules.capture().is_none_or(captures_nothing) {
            return None;
        }
        if !self.would_make_line(rules, color, cell) {
            return Some(false);
        }
        // What the opening or special stones do to it, the copy knows.
        let is_plain = rules.stones().power.is_none() && self.state.extra.stage == Stage::Play;
        let is_open = is_plain && !self.is_opening_limited(rules);
        is_open.then(|| self.makes_perfect_five(rules, color, cell))
    }

    /// Whether a color's stone on an empty cell would make five of which no stone could then be captured.
    /// Neither the stone nor such a capture is a double three: five excuses the one, breaking it the other.
    fn makes_perfect_five(&self, rules: &SquareRules, color: Color, cell: Cell) -> bool {
        let Some(capture) = rules.capture() else { return true };
        let axes = Axis::through(&self.board, color, cell, &[], &[]);
        let fives = axes.into_iter().enumerate();
        let mut fives = fives.filter_map(|(direction, axis)| Some((direction, axis.five()?)));
        fives.any(|(direction, five)| {
            let mut stones = self.board.map().cells_around(cell, direction, five);
            let enemy = color.opponent();
            stones.all(|stone| {
                let placed = Some(cell);
                self.capture_points(rules, capture, enemy, stone, placed).next().is_none()
            })
        })
    }

    /// Whether a color has a run of exactly five of which no stone can be captured by the next
    /// move. Whose move that is decides: nobody captures their own stones.
    fn has_perfect_five(&self, rules: &SquareRules, color: Color) -> bool {
        let length = rules.line().length();
        let fives = rows_of(&self.board, color, length);
        let mut fives = fives.filter(|five| five.length() == u32::from(length));
        let next = State { color: self.state.color.opponent(), ..self.state };
        match rules.capture().filter(|_| next.color != color) {
            None => fives.next().is_some(),
            Some(capture) => !fives.all(self.is_capturable(rules, capture, next)),
        }
    }
}

/// Whether a run of the winning length or more goes through the center of a color's windows.
fn makes_run(rules: &SquareRules, color: Color, own: Windows) -> bool {
    rules.line_of(color).with_exact(false).wins(own)
}
