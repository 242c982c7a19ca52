//! Winning lines, capture goals, and fives that can be answered.

use super::pipeline::{Board, PendingFive, State};
use crate::board::{CellContent, Windows};
use crate::game::{CaptureSigns, Cell, Color, EndReason, Outcome};
use crate::line::{LineWindow, has_row, rows_of};
use crate::rules::{
    BreakableFives, CaptureRule, ForbiddenRule, FourBan, OpeningStage, SquareRules,
};

impl Board {
    /// Whether a run of the mover stands with power stones read as the mover's own, perhaps through a stone just
    /// placed, which sees `own` ones: whoever places a stone chooses how each is read, so it counts even if one
    /// of them is captured now (S1).
    #[inline]
    pub(super) fn power_run_exists(&self, rules: &SquareRules, own: Option<Windows>) -> bool {
        rules.stones().power.is_some() && self.has_shared_run(rules, self.state.color, own)
    }

    /// Whether a run of a color stands that has not won yet, because power stones that may be read as its
    /// own complete it, or because it was set up.
    #[inline]
    fn has_shared_run(&self, rules: &SquareRules, color: Color, own: Option<Windows>) -> bool {
        if self.state.variant.stands || rules.line().exact() {
            return self.has_run(rules, color);
        }
        // Two play games with power stones: what older ones complete has won with the stone after them.
        let wins = |own| rules.line_of(color).wins(own);
        let older = || self.state.variant.power.map(|cell| self.own_windows(rules, color, cell));
        own.is_some_and(wins) || older().is_some_and(wins)
    }

    /// How the game stands after the mover's placement on `cell` and its removals, before which a run
    /// may have `stood`, which is looked for in games with power stones.
    pub(super) fn judge(
        &mut self,
        rules: &SquareRules,
        cell: Cell,
        stood: bool,
    ) -> Option<Outcome> {
        if rules.has_perfect_fives() {
            return self.judge_perfect(rules, cell);
        }
        // Captures only take stones away: a run of power stones that stands after them stood before.
        let five = stood || rules.stones().power.is_none() && self.makes_line(rules, cell);
        let goal = self.goal(rules);
        // The goal reached by a move that `anti` forbids otherwise draws (MOK).
        if let Some(ForbiddenRule::Fours(fours)) = rules.forbidden()
            && !five
            && goal == Some(self.state.color)
            && self.has_open_four(rules, fours, self.state.color)
        {
            self.state.variant.five = None;
            return Some(Outcome::draw(EndReason::Captures));
        }
        if let Some(boat) = rules.breakable_fives() {
            return self.judge_answerable(rules, boat, five, goal);
        }
        if five {
            return Some(self.won_by(rules, self.state.color, EndReason::Line));
        }
        goal.map(|color| self.won_by(rules, color, EndReason::Captures))
    }

    /// Whether a line of the mover wins through the stone just placed, if it is the mover's.
    pub(super) fn makes_line(&self, rules: &SquareRules, cell: Cell) -> bool {
        let color = self.state.color;
        let is_own = self.squares.content(cell) == CellContent::stone(color);
        is_own && self.line_through(rules, color, cell)
    }

    /// Whether a winning run of a color goes through a cell that holds its stone.
    pub(super) fn line_through(&self, rules: &SquareRules, color: Color, cell: Cell) -> bool {
        let own = self.squares.windows(color, cell);
        rules.line_of(color).wins_against(own, self.enemies_if_needed(rules, color, cell))
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
    pub(super) fn has_run(&self, rules: &SquareRules, color: Color) -> bool {
        let (line, length) = (rules.line(), rules.line().length());
        let any = has_row(&self.squares, color, length);
        if !line.exact() && !line.is_caro() {
            return any;
        }
        any && rows_of(&self.squares, color, length).any(|row| {
            // All of a row wins, or nothing.
            row.cells(&self.squares).take(1).any(|cell| {
                let enemy = self.enemies_if_needed(rules, color, cell);
                rules.line_of(color).wins_against(self.own_windows(rules, color, cell), enemy)
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
        boat: BreakableFives,
        five: bool,
        goal: Option<Color>,
    ) -> Option<Outcome> {
        let mover = self.state.color;
        let by_captures = goal.map(|color| self.won_by(rules, color, EndReason::Captures));
        let by_line = |board: &Board, color| Some(board.won_by(rules, color, EndReason::Line));
        if let Some(PendingFive { maker, left }) = self.state.variant.five.take() {
            let stands = self.has_run(rules, maker);
            match boat {
                BreakableFives::ByAnyReply if five => return by_line(self, mover),
                BreakableFives::ByAnyReply if goal == Some(mover) => return by_captures,
                BreakableFives::ByAnyReply if stands && left > 1 => {
                    self.state.variant.five = Some(PendingFive { maker, left: left - 1 });
                    return None;
                }
                _ if stands => return by_line(self, maker),
                BreakableFives::ByAnyReply => return by_captures,
                BreakableFives::OnlyByCapture => (),
            }
        }
        if !five {
            return by_captures;
        }
        let answerable = boat == BreakableFives::ByAnyReply || self.can_be_broken(rules);
        if goal == Some(mover) || !answerable {
            return by_line(self, mover);
        }
        let seating = rules.seating();
        let left = if seating.teams { 1 } else { seating.seats - 1 };
        self.state.variant.five = Some(PendingFive { maker: mover, left });
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
        let mut rows = rows_of(&self.squares, self.state.color, rules.line().length());
        rows.all(self.is_capturable(rules, capture, next))
    }

    /// Ninuki-Renju: perfect fives of either color, on the whole board (PBM).
    fn judge_perfect(&mut self, rules: &SquareRules, cell: Cell) -> Option<Outcome> {
        let mover = self.state.color;
        let other = mover.opponent();
        let own = self.squares.windows(mover, cell);
        if !self.state.variant.stands && !makes_run(rules, mover, own) {
            return self.goal(rules).map(|color| self.won_by(rules, color, EndReason::Captures));
        }
        self.state.variant.stands = self.has_runs(rules);
        if self.has_perfect_five(rules, mover) {
            return Some(self.won_by(rules, mover, EndReason::Line));
        }
        let theirs = self.has_perfect_five(rules, other);
        match (self.goal(rules), theirs) {
            (Some(_), true) => Some(Outcome::draw(EndReason::Captures)),
            (Some(color), false) => Some(self.won_by(rules, color, EndReason::Captures)),
            (None, true) => Some(self.won_by(rules, other, EndReason::Line)),
            (None, false) => None,
        }
    }

    /// Whether a run of the winning length or more stands anywhere, whosever it is.
    pub(super) fn has_runs(&self, rules: &SquareRules) -> bool {
        let length = rules.line().length();
        let mut colors = (0..rules.seating().seats).map(Color);
        colors.any(|color| has_row(&self.squares, color, length))
    }

    /// Whether a color's stone on an empty cell would win, where a look at the lines through it tells.
    /// Without signs every group adds to its count. Elsewhere it takes a copy of the board to judge.
    pub(super) fn is_obvious_win(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
        signs: Option<CaptureSigns>,
    ) -> Option<bool> {
        let stone = self.glance(rules, color, cell, signs)?;
        let wins = if rules.has_perfect_fives() {
            self.wins_perfectly(rules, stone)
        } else {
            match (rules.forbidden(), rules.breakable_fives()) {
                (None, None) => Some(stone.line || stone.goal),
                (None, Some(boat)) => self.wins_unanswered(rules, boat, stone),
                (Some(ForbiddenRule::Fours(fours)), None) => {
                    self.wins_without_four(rules, fours, stone)
                }
                _ => None,
            }
        };
        // What the opening or the end of the game does to it, the copy knows as well.
        let is_open = self.state.variant.stage == OpeningStage::Play
            && self.state.outcome.is_none()
            && !self.is_opening_limited(rules);
        wins.filter(|&wins| is_open || !wins)
    }

    /// What a color's stone on an empty cell would make and capture, if that can be seen without a copy: two
    /// play, the stone loses nothing, what it captures changes nothing about its lines, and nobody has
    /// reached the goal before.
    fn glance(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
        signs: Option<CaptureSigns>,
    ) -> Option<Glance> {
        let power = rules.stones().power.is_some();
        let taken = self.count_taken(rules, color, cell)?;
        let changes_line = taken > 0 && rules.line().is_caro() || power && rules.line().exact();
        if rules.seating().seats > 2 || changes_line {
            return None;
        }
        let counts = self.state.counts;
        let goal = match rules.capture().and_then(|capture| capture.goal) {
            Some(goal) if counts.iter().any(|&count| count >= goal) => return None,
            Some(goal) => {
                let longest = rules.capture().map_or(2, CaptureRule::longest_group);
                let added = signs.map_or(taken, |signs| signs.stones(longest)[0]);
                counts[color.index() & 3] + added >= goal
            }
            None => false,
        };
        let line = self.would_make_line(rules, color, cell)
            || power && !goal && self.has_shared_run(rules, color, None);
        Some(Glance { color, cell, taken, goal, line })
    }

    /// Where fives must be perfect, and no run stands that might become so.
    fn wins_perfectly(&self, rules: &SquareRules, stone: Glance) -> Option<bool> {
        if self.state.variant.stands || stone.taken > 0 || rules.stones().power.is_some() {
            return None;
        }
        Some(stone.line && self.makes_perfect_five(rules, stone))
    }

    /// Where `anti` forbids fours: captures that reach the goal and open one draw.
    fn wins_without_four(
        &self,
        rules: &SquareRules,
        fours: FourBan,
        Glance { color, cell, goal, line, .. }: Glance,
    ) -> Option<bool> {
        if line || !goal {
            return Some(line);
        }
        let capture = rules.capture().filter(|_| rules.only_captures_open_fours())?;
        let captured = self.groups_taken(rules, capture, color, cell);
        // One that stands already was set up.
        let leaves_four = self.leaves_four_around(rules, fours, (color, cell), captured)
            || self.has_open_four(rules, fours, color);
        Some(!leaves_four)
    }

    /// Where a five can be answered, by whoever made none that is answered now.
    fn wins_unanswered(
        &self,
        rules: &SquareRules,
        boat: BreakableFives,
        stone: Glance,
    ) -> Option<bool> {
        let five = self.state.variant.five;
        // After the last stone on the board nobody answers.
        if self.squares.empty() < 2 || five.is_some_and(|five| five.maker == stone.color) {
            return None;
        }
        match (boat, five) {
            (BreakableFives::ByAnyReply, None) => Some(stone.goal),
            (BreakableFives::ByAnyReply, Some(_)) => Some(stone.line || stone.goal),
            (BreakableFives::OnlyByCapture, None) if stone.goal || !stone.line => Some(stone.goal),
            (BreakableFives::OnlyByCapture, None) => self.cannot_be_broken(rules, stone),
            // It still stands.
            (BreakableFives::OnlyByCapture, Some(_)) if stone.taken == 0 => Some(false),
            (BreakableFives::OnlyByCapture, Some(_)) => None,
        }
    }

    /// Whether a row of five or more that a stone makes cannot be broken then.
    fn cannot_be_broken(&self, rules: &SquareRules, stone: Glance) -> Option<bool> {
        if stone.taken > 0 || rules.stones().power.is_some() || self.state.variant.stands {
            return None;
        }
        let length = u32::from(rules.line().length());
        Some(self.makes_lasting_row(rules, stone, |stones| stones >= length))
    }

    /// Whether a stone would make five that cannot be broken then. Neither the stone nor a capture that
    /// breaks it is a double three: five excuses the one, breaking it the other.
    fn makes_perfect_five(&self, rules: &SquareRules, stone: Glance) -> bool {
        let length = u32::from(rules.line().length());
        self.makes_lasting_row(rules, stone, |stones| stones == length)
    }

    /// Whether a stone would make a row, of a number of stones that counts, of which the other color could
    /// then capture none.
    fn makes_lasting_row(
        &self,
        rules: &SquareRules,
        Glance { color, cell, .. }: Glance,
        counts: impl Fn(u32) -> bool,
    ) -> bool {
        let Some(capture) = rules.capture() else { return true };
        let axes = LineWindow::through(&self.squares, color, cell, &[], &[]);
        axes.into_iter().map(LineWindow::bits).enumerate().any(|(direction, row)| {
            let mut stones = self.squares.map().window_cells(cell, direction, row);
            let enemy = color.opponent();
            counts(row.count_ones())
                && stones.all(|stone| !self.may_be_captured(rules, capture, enemy, (stone, cell)))
        })
    }

    /// Whether a color has a run of exactly five of which no stone can be captured by the next
    /// move. Whose move that is decides: nobody captures their own stones.
    fn has_perfect_five(&self, rules: &SquareRules, color: Color) -> bool {
        let length = rules.line().length();
        if !has_row(&self.squares, color, length) {
            return false;
        }
        let fives = rows_of(&self.squares, color, length);
        let mut fives = fives.filter(|five| five.length() == u32::from(length));
        let next = State { color: self.state.color.opponent(), ..self.state };
        match rules.capture().filter(|_| next.color != color) {
            None => fives.next().is_some(),
            Some(capture) => !fives.all(self.is_capturable(rules, capture, next)),
        }
    }
}

/// What a stone would make and capture.
#[derive(Clone, Copy, Debug)]
struct Glance {
    color: Color,
    cell: Cell,
    /// The number of stones that it captures.
    taken: u16,
    /// Whether its captures reach the goal.
    goal: bool,
    /// Whether it makes a line that wins if nothing breaks it.
    line: bool,
}

/// Whether a run of the winning length or more goes through the center of a color's windows.
fn makes_run(rules: &SquareRules, color: Color, own: Windows) -> bool {
    rules.line_of(color).with_exact(false).wins(own)
}
