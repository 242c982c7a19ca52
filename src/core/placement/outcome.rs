//! The outcome of a move: winning lines, capture goals, and fives that a reply may break.

use super::state::{Board, PendingFive, SquareState};
use crate::board::{CENTER, CellContent, LANE_LOW_BITS, Windows};
use crate::game::{CaptureSigns, Cell, Color, EndReason, Outcome};
use crate::line::{LineWindow, run_exists, runs_on_board};
use crate::rules::{
    BreakableFives, CaptureRule, ForbiddenRule, FourBan, OpeningStage, SquareRules,
};

impl Board {
    /// The outcome after the mover's placement on `cell` and its removals, `None` if the game is still
    /// open. `own` are the windows of the placed stone's color around it. `run_exists` says whether a run
    /// with power stones existed before the removals.
    #[inline]
    pub(super) fn outcome_after<const PLAIN: bool>(
        &mut self,
        rules: &SquareRules,
        cell: Cell,
        own: Windows,
        run_exists: bool,
    ) -> Option<Outcome> {
        let mover = self.state.color;
        if !PLAIN && rules.has_perfect_fives() {
            return self.outcome_with_perfect_fives(rules, cell);
        }
        let line = if PLAIN {
            rules.line_of(mover).wins(own)
        } else {
            // Captures only remove stones: a run with power stones after them existed before.
            run_exists || rules.stones().power.is_none() && self.makes_line(rules, cell)
        };
        if PLAIN && line {
            return Some(self.win_of(rules, mover, EndReason::Line));
        }
        let goal = self.goal_winner::<PLAIN>(rules);
        if !PLAIN {
            // Where `anti` forbids fours, a move that reaches the goal and leaves one draws (MOK).
            if let Some(ForbiddenRule::Fours(ban)) = rules.forbidden()
                && !line
                && goal == Some(mover)
                && self.has_open_four(rules, ban, mover)
            {
                self.state.variant.pending_five = None;
                return Some(Outcome::draw(EndReason::Captures));
            }
            if let Some(kind) = rules.breakable_fives() {
                return self.outcome_with_breakable_fives(rules, kind, line, goal);
            }
            if line {
                return Some(self.win_of(rules, mover, EndReason::Line));
            }
        }
        goal.map(|color| self.win_of(rules, color, EndReason::Captures))
    }

    /// The color whose captured stones win: the mover, or with poofs the opponent. With poofs a color must
    /// also have more than the other (S3, PO).
    #[inline]
    pub(super) fn goal_winner<const PLAIN: bool>(&self, rules: &SquareRules) -> Option<Color> {
        let capture = rules.capture()?;
        let goal = capture.goal?;
        let mover = self.state.color;
        let count = |color: Color| {
            let own = self.state.counts[color.index() & 3];
            let partner = self.state.counts[(color.index() + 2) & 3];
            if !PLAIN && rules.seating().teams { own + partner } else { own }
        };
        if PLAIN || !capture.poof {
            return (count(mover) >= goal).then_some(mover);
        }
        let other = mover.opponent();
        let has_won = |a: Color, b: Color| count(a) >= goal && count(a) > count(b);
        [(mover, other), (other, mover)].into_iter().find(|&(a, b)| has_won(a, b)).map(|(a, _)| a)
    }

    /// Whether the mover has a run with power stones read as own stones, perhaps through a stone just
    /// placed on `placed`. The mover chooses how each power stone is read, so the run counts even if one of
    /// them is captured by this ply (S1).
    #[inline]
    pub(super) fn power_run_exists(&self, rules: &SquareRules, placed: Option<Cell>) -> bool {
        rules.stones().power.is_some() && self.shared_run_exists(rules, self.state.color, placed)
    }

    /// Whether a color has a run that has not won yet, because power stones that may be read as its
    /// own complete it, or because it was set up.
    fn shared_run_exists(&self, rules: &SquareRules, color: Color, placed: Option<Cell>) -> bool {
        if self.state.variant.run_exists || rules.line().exact() {
            return self.winning_run_exists(rules, color);
        }
        // Games with power stones have two seats: runs with older power stones won with the stone after
        // them.
        let wins = |cell| rules.line_of(color).wins(self.own_windows(rules, color, cell));
        placed.is_some_and(wins) || self.state.variant.last_power.is_some_and(wins)
    }

    /// Whether the stone just placed on a cell is the mover's and wins by a line through it.
    pub(super) fn makes_line(&self, rules: &SquareRules, cell: Cell) -> bool {
        let color = self.state.color;
        self.squares.content(cell) == CellContent::stone(color)
            && self.wins_on_lines(rules, color, cell, self.squares.windows(color, cell))
    }

    /// Whether a color's stone on an empty cell would make a winning run. Its captures take no stone of
    /// its own.
    pub(super) fn would_make_line(&self, rules: &SquareRules, color: Color, cell: Cell) -> bool {
        let own = self.own_windows(rules, color, cell).0 | LANE_LOW_BITS << CENTER;
        self.wins_on_lines(rules, color, cell, Windows(own))
    }

    /// Whether a winning run goes through a cell, given the windows of a color's stones around it.
    fn wins_on_lines(&self, rules: &SquareRules, color: Color, cell: Cell, own: Windows) -> bool {
        let is_caro = rules.line().is_caro();
        let enemy = if is_caro { self.enemy_windows(rules, color, cell) } else { Windows(0) };
        rules.line_of(color).wins_against(own, enemy)
    }

    /// Whether a color has a winning run anywhere. Power stones count as its own.
    pub(super) fn winning_run_exists(&self, rules: &SquareRules, color: Color) -> bool {
        let (line, length) = (rules.line(), rules.line().length());
        let any = run_exists(&self.squares, color, length);
        if !line.exact() && !line.is_caro() {
            return any;
        }
        any && runs_on_board(&self.squares, color, length).any(|run| {
            // One cell decides for the whole run.
            let wins =
                |cell| self.wins_on_lines(rules, color, cell, self.own_windows(rules, color, cell));
            run.cells(&self.squares).next().is_some_and(wins)
        })
    }

    /// Whether any color has a run of the winning length or more, even one that does not win.
    pub(super) fn any_run_exists(&self, rules: &SquareRules) -> bool {
        let length = rules.line().length();
        let mut colors = (0..rules.seating().seats).map(Color);
        colors.any(|color| run_exists(&self.squares, color, length))
    }

    /// The outcome where a reply may break a five (S3; only by a capture: PO, AP, BGA). `line` says whether
    /// the mover made a winning run, `goal` who has reached the capture goal.
    fn outcome_with_breakable_fives(
        &mut self,
        rules: &SquareRules,
        kind: BreakableFives,
        line: bool,
        goal: Option<Color>,
    ) -> Option<Outcome> {
        let mover = self.state.color;
        let by_captures = goal.map(|color| self.win_of(rules, color, EndReason::Captures));
        let by_line = |board: &Board, color| Some(board.win_of(rules, color, EndReason::Line));
        if let Some(PendingFive { maker, left }) = self.state.variant.pending_five.take() {
            let unbroken = self.winning_run_exists(rules, maker);
            match kind {
                BreakableFives::ByAnyReply if line => return by_line(self, mover),
                BreakableFives::ByAnyReply if goal == Some(mover) => return by_captures,
                BreakableFives::ByAnyReply if unbroken && left > 1 => {
                    self.state.variant.pending_five = Some(PendingFive { maker, left: left - 1 });
                    return None;
                }
                _ if unbroken => return by_line(self, maker),
                BreakableFives::ByAnyReply => return by_captures,
                BreakableFives::OnlyByCapture => (),
            }
        }
        if !line {
            return by_captures;
        }
        let breakable = kind == BreakableFives::ByAnyReply || self.can_be_broken(rules);
        if goal == Some(mover) || !breakable {
            return by_line(self, mover);
        }
        let seating = rules.seating();
        let left = if seating.teams { 1 } else { seating.seats - 1 };
        self.state.variant.pending_five = Some(PendingFive { maker: mover, left });
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
        let mut runs = runs_on_board(&self.squares, self.state.color, rules.line().length());
        runs.all(self.is_capturable(rules, capture, next))
    }

    /// The outcome in Ninuki-Renju, where perfect fives of either color win, on the whole board (PBM).
    fn outcome_with_perfect_fives(&mut self, rules: &SquareRules, cell: Cell) -> Option<Outcome> {
        let mover = self.state.color;
        let other = mover.opponent();
        let any_run = rules.line_of(mover).with_exact(false);
        if !self.state.variant.run_exists && !any_run.wins(self.squares.windows(mover, cell)) {
            let goal = self.goal_winner::<false>(rules);
            return goal.map(|color| self.win_of(rules, color, EndReason::Captures));
        }
        self.state.variant.run_exists = self.any_run_exists(rules);
        if self.has_perfect_five(rules, mover) {
            return Some(self.win_of(rules, mover, EndReason::Line));
        }
        let other_wins = self.has_perfect_five(rules, other);
        match (self.goal_winner::<false>(rules), other_wins) {
            (Some(_), true) => Some(Outcome::draw(EndReason::Captures)),
            (Some(color), false) => Some(self.win_of(rules, color, EndReason::Captures)),
            (None, true) => Some(self.win_of(rules, other, EndReason::Line)),
            (None, false) => None,
        }
    }

    /// Whether a color has a run of exactly five of which the next move can capture no stone. The color to
    /// move next decides: nobody captures their own stones.
    fn has_perfect_five(&self, rules: &SquareRules, color: Color) -> bool {
        let length = rules.line().length();
        if !run_exists(&self.squares, color, length) {
            return false;
        }
        let runs = runs_on_board(&self.squares, color, length);
        let mut fives = runs.filter(|run| run.length() == u32::from(length));
        let next = SquareState { color: self.state.color.opponent(), ..self.state };
        match rules.capture().filter(|_| next.color != color) {
            None => fives.next().is_some(),
            Some(capture) => !fives.all(self.is_capturable(rules, capture, next)),
        }
    }
}

/// What a stone would make and capture.
#[derive(Clone, Copy, Debug)]
struct StoneEffect {
    color: Color,
    cell: Cell,
    /// The number of stones that it captures.
    captured: u16,
    /// Whether its captures reach the goal.
    goal: bool,
    /// Whether it makes a line that wins unless it is broken.
    line: bool,
}

/// Wins that the lines through a stone show. All other moves are tried on a copy of the board.
impl Board {
    /// Whether a color's stone on an empty cell would win, or `None` if the lines through it do not show
    /// that. Without signs every group adds to its count.
    pub(super) fn is_obvious_win(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
        signs: Option<CaptureSigns>,
    ) -> Option<bool> {
        let stone = self.stone_effect(rules, color, cell, signs)?;
        let wins = if rules.has_perfect_fives() {
            self.wins_with_perfect_five(rules, stone)
        } else {
            match (rules.forbidden(), rules.breakable_fives()) {
                (None, None) => Some(stone.line || stone.goal),
                (None, Some(kind)) => self.wins_with_breakable_five(rules, kind, stone),
                (Some(ForbiddenRule::Fours(ban)), None) => {
                    self.wins_without_four(rules, ban, stone)
                }
                _ => None,
            }
        };
        // Opening limits and the end of the game are left to the copy.
        let is_open = self.state.variant.stage == OpeningStage::Play
            && self.state.outcome.is_none()
            && !self.is_opening_limited(rules);
        wins.filter(|&wins| is_open || !wins)
    }

    /// What a color's stone on an empty cell would make and capture. `None` if that takes a copy of the
    /// board: with more than two seats, if the stone is lost itself, if its captures change its lines, or if
    /// somebody has reached the goal before.
    fn stone_effect(
        &self,
        rules: &SquareRules,
        color: Color,
        cell: Cell,
        signs: Option<CaptureSigns>,
    ) -> Option<StoneEffect> {
        let power = rules.stones().power.is_some();
        let captured = self.count_captured(rules, color, cell)?;
        let changes_line = captured > 0 && rules.line().is_caro() || power && rules.line().exact();
        if rules.seating().seats > 2 || changes_line {
            return None;
        }
        let counts = self.state.counts;
        let goal = match rules.capture().and_then(|capture| capture.goal) {
            Some(goal) if counts.iter().any(|&count| count >= goal) => return None,
            Some(goal) => {
                let longest = rules.capture().map_or(2, CaptureRule::longest_group);
                let added = signs.map_or(captured, |signs| signs.stones(longest)[0]);
                counts[color.index() & 3] + added >= goal
            }
            None => false,
        };
        let line = self.would_make_line(rules, color, cell)
            || power && !goal && self.shared_run_exists(rules, color, None);
        Some(StoneEffect { color, cell, captured, goal, line })
    }

    /// Whether a stone wins where fives must be perfect, `None` if a run exists that might become so.
    fn wins_with_perfect_five(&self, rules: &SquareRules, stone: StoneEffect) -> Option<bool> {
        if self.state.variant.run_exists || stone.captured > 0 || rules.stones().power.is_some() {
            return None;
        }
        // The stone is no forbidden double three, and neither is a capture that breaks the five.
        let length = u32::from(rules.line().length());
        Some(stone.line && self.makes_uncapturable_run(rules, stone, |stones| stones == length))
    }

    /// Whether a stone wins where `anti` forbids fours: captures that reach the goal and leave a four draw.
    fn wins_without_four(
        &self,
        rules: &SquareRules,
        ban: FourBan,
        StoneEffect { color, cell, goal, line, .. }: StoneEffect,
    ) -> Option<bool> {
        if line || !goal {
            return Some(line);
        }
        let capture = rules.capture().filter(|_| rules.only_captures_open_fours())?;
        let captured = self.captured_groups(rules, capture, color, cell);
        // A four that exists before the stone was set up.
        let leaves_four = self.leaves_four_around(rules, ban, color, cell, captured)
            || self.has_open_four(rules, ban, color);
        Some(!leaves_four)
    }

    /// Whether a stone wins where a reply may break a five, for a color that has no pending five.
    fn wins_with_breakable_five(
        &self,
        rules: &SquareRules,
        kind: BreakableFives,
        stone: StoneEffect,
    ) -> Option<bool> {
        let five = self.state.variant.pending_five;
        // After the last stone on the board nobody replies.
        if self.squares.empty() < 2 || five.is_some_and(|five| five.maker == stone.color) {
            return None;
        }
        match (kind, five) {
            (BreakableFives::ByAnyReply, None) => Some(stone.goal),
            (BreakableFives::ByAnyReply, Some(_)) => Some(stone.line || stone.goal),
            (BreakableFives::OnlyByCapture, None) if stone.goal || !stone.line => Some(stone.goal),
            (BreakableFives::OnlyByCapture, None) => self.makes_unbreakable_five(rules, stone),
            // The pending five is not broken.
            (BreakableFives::OnlyByCapture, Some(_)) if stone.captured == 0 => Some(false),
            (BreakableFives::OnlyByCapture, Some(_)) => None,
        }
    }

    /// Whether a stone makes a run of the winning length or more that no capture can break.
    fn makes_unbreakable_five(&self, rules: &SquareRules, stone: StoneEffect) -> Option<bool> {
        if stone.captured > 0 || rules.stones().power.is_some() || self.state.variant.run_exists {
            return None;
        }
        let length = u32::from(rules.line().length());
        Some(self.makes_uncapturable_run(rules, stone, |stones| stones >= length))
    }

    /// Whether a stone would make a run of a length that `counts`, of which the other color could
    /// then capture no stone.
    fn makes_uncapturable_run(
        &self,
        rules: &SquareRules,
        StoneEffect { color, cell, .. }: StoneEffect,
        counts: impl Fn(u32) -> bool,
    ) -> bool {
        let Some(capture) = rules.capture() else { return true };
        let enemy = color.opponent();
        let is_safe =
            |stone| self.capture_points(rules, capture, enemy, stone, Some(cell)) == Windows(0);
        let lines = LineWindow::around(&self.squares, color, cell, &[], &[]);
        lines.into_iter().map(LineWindow::run).enumerate().any(|(direction, run)| {
            let mut stones = self.squares.map().window_cells(cell, direction, run);
            counts(run.count_ones()) && stones.all(is_safe)
        })
    }
}
