//! How a game ends: runs, capture goals, and what `boat`, `poof` and Ninuki-Renju make of them.

use super::board::Point;
use super::captures::{Effect, Placement, groups};
use super::moves::Move;
use super::ruleset::FiveRule;
use super::{Kind, Outcome, Referee, Stone};

/// A five that the other seats may still answer (`boat`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The color of the five.
    pub maker: usize,
    /// How many seats still have a move.
    pub replies: usize,
}

impl Referee {
    /// Whether a run of `mover` stood between a placement and its removals, where jokers are read as
    /// the mover likes (S1).
    pub(super) fn stood(&self, mover: usize, effect: &Effect) -> bool {
        self.rules.jokers > 0 && super::lines::wins(&self.rules, &effect.placed, mover)
    }

    /// How the game stands after a stone of `mover`, which `survived` or was lost by its own move, and
    /// before whose removals a run may have `stood`.
    pub(super) fn judge(&mut self, mover: usize, survived: bool, stood: bool) -> Option<Outcome> {
        let has_run = stood || survived && self.has_run(mover);
        // If the move that makes an open four reaches the goal, the game is a draw (S3).
        if !has_run && self.has_open_four(mover) {
            return Some(Outcome { winner: None, kind: Kind::Captures });
        }
        match (self.rules.five, self.pending) {
            (FiveRule::Perfect, _) => self.judge_perfect(mover),
            (FiveRule::Boat, Some(pending)) => self.judge_reply(mover, has_run, pending),
            (FiveRule::BoatStrict, Some(pending)) if self.has_run(pending.maker) => {
                Some(self.won(pending.maker, Kind::Line))
            }
            _ => self.judge_turn(mover, has_run),
        }
    }

    /// A move that answers no five.
    fn judge_turn(&mut self, mover: usize, has_run: bool) -> Option<Outcome> {
        self.pending = None;
        let by_captures = self.winner_by_captures(mover);
        if !has_run {
            return by_captures.map(|winner| self.won(winner, Kind::Captures));
        }
        let replies = match self.rules.five {
            // Five and goal in one move win at once.
            _ if by_captures.is_some() => 0,
            FiveRule::Boat if self.rules.teams => 1,
            FiveRule::Boat => self.rules.seats - 1,
            FiveRule::BoatStrict => usize::from(self.is_breakable(mover)),
            _ => 0,
        };
        if replies == 0 {
            return Some(self.won(mover, Kind::Line));
        }
        self.pending = Some(Pending { maker: mover, replies });
        None
    }

    /// A move that answers a five, in `boat`.
    fn judge_reply(&mut self, mover: usize, has_run: bool, pending: Pending) -> Option<Outcome> {
        let Pending { maker, replies } = pending;
        if has_run {
            return Some(self.won(mover, Kind::Line));
        }
        let by_captures = self.winner_by_captures(mover);
        if by_captures == Some(mover) {
            return Some(self.won(mover, Kind::Captures));
        }
        if !self.has_run(maker) {
            self.pending = None;
            return by_captures.map(|winner| self.won(winner, Kind::Captures));
        }
        if replies == 1 {
            return Some(self.won(maker, Kind::Line));
        }
        self.pending = Some(Pending { maker, replies: replies - 1 });
        None
    }

    /// A move of Ninuki-Renju (PBM).
    fn judge_perfect(&self, mover: usize) -> Option<Outcome> {
        let enemy = 1 - mover;
        // The enemy moves next, and cannot capture from its own five.
        let stands = self.board.runs(enemy, 5).iter().any(|run| run.len() == 5);
        if self.has_perfect_five(mover) {
            Some(self.won(mover, Kind::Line))
        } else if self.winner_by_captures(mover) == Some(mover) {
            if stands {
                Some(Outcome { winner: None, kind: Kind::Captures })
            } else {
                Some(self.won(mover, Kind::Captures))
            }
        } else if stands {
            Some(self.won(enemy, Kind::Line))
        } else {
            None
        }
    }

    /// Whether a color has exactly five stones in a row of which the other one, who moves next,
    /// can capture none.
    fn has_perfect_five(&self, color: usize) -> bool {
        let enemy = 1 - color;
        let fives = self.board.runs(color, 5).into_iter().filter(|run| run.len() == 5);
        fives.into_iter().any(|five| {
            let mut captures = self.captures_of(enemy);
            !captures.any(|(_, taken)| five.iter().any(|stone| taken.contains(stone)))
        })
    }

    /// Every empty point on which a plain stone of a color captures something, and what.
    fn captures_of(&self, mover: usize) -> impl Iterator<Item = (Point, Vec<Point>)> {
        let empty = self.board.points().filter(|&point| self.board.is_empty(point));
        let taken = move |point| {
            let content = Stone::Stone(mover as u8);
            let stone = Placement { point, content, mover, is_bomb: false, fresh_joker: None };
            (point, groups(&self.rules, &self.board, stone).concat())
        };
        empty.map(taken).filter(|(_, taken)| !taken.is_empty())
    }

    /// Whether the seat to move could capture, by a legal move, a stone of every long run (PO).
    fn is_breakable(&self, maker: usize) -> bool {
        let captures: Vec<_> = self
            .captures_of(self.color())
            .filter(|(point, _)| self.allowed(&Move::Stone(*point, String::new())).is_ok())
            .collect();
        let runs = self.board.runs(maker, self.rules.length);
        runs.iter().all(|run| {
            captures.iter().any(|(_, taken)| run.iter().any(|stone| taken.contains(stone)))
        })
    }

    /// Whether a color has a run that wins, by itself.
    pub(super) fn has_run(&self, color: usize) -> bool {
        super::lines::wins(&self.rules, &self.board, color)
    }

    pub(super) fn has_open_four(&self, color: usize) -> bool {
        self.rules.anti.is_some()
            && super::lines::has_open_four(&self.rules, &self.board, color, None)
    }

    fn won(&self, color: usize, kind: Kind) -> Outcome {
        Outcome { winner: Some(self.side(color)), kind }
    }

    /// The color that has won by captures after a stone of `mover`.
    pub(super) fn winner_by_captures(&self, mover: usize) -> Option<usize> {
        let goal = self.rules.capture_goal?;
        let count = |color: usize| -> u16 {
            let side = self.side(color);
            let partners = (0..self.rules.seats).filter(|&other| self.side(other) == side);
            partners.map(|partner| self.captured[partner]).sum()
        };
        if !self.rules.poof {
            return (count(mover) >= goal).then_some(mover);
        }
        // One can lose by one's own move; at equal counts play goes on (S3, PO).
        let enemy = 1 - mover;
        let colors = [mover, enemy].into_iter();
        let ahead = |&color: &usize| count(color) >= goal && count(color) > count(1 - color);
        colors.into_iter().find(ahead)
    }

    /// The end of a game that nobody has won: no point left, no legal move, too many plies.
    pub(super) fn stale(&self) -> Option<Outcome> {
        let draw = |kind| Some(Outcome { winner: None, kind });
        let kind = if self.board.is_full() {
            Kind::Full
        } else if !self.has_legal_move() {
            Kind::NoMove
        } else if self.plies >= self.rules.max_plies {
            return draw(Kind::Plies);
        } else {
            return None;
        };
        match self.pending {
            // No legal reply: the five wins.
            Some(pending) => Some(self.won(pending.maker, Kind::Line)),
            None => draw(kind),
        }
    }
}
