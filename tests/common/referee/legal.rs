//! Which moves are legal.

use super::captures::{Placement, groups, sign_choices};
use super::moves::{Move, point_text};
use super::openings::Stage;
use super::ruleset::Forbidden;
use super::{Point, Referee, Stone, forbidden, lines};

impl Referee {
    /// Every move that could be legal, each once.
    pub(super) fn candidates(&self) -> Box<dyn Iterator<Item = Move> + '_> {
        if matches!(self.stage, Stage::Choosing { .. }) {
            return Box::new([Move::Keep, Move::More, Move::Swap].into_iter());
        }
        let empty = self.board.points().filter(|&point| self.board.is_empty(point));
        Box::new(empty.flat_map(|point| {
            let stones = self.sign_choices(point).into_iter();
            let mut moves: Vec<_> = stones.map(|signs| Move::Stone(point, signs)).collect();
            let mover = self.color();
            if self.neutrals[mover] > 0 {
                moves.push(Move::Neutral(point));
            }
            if self.bombs[mover] > 0 {
                moves.push(Move::Bomb(point));
            }
            if self.jokers[mover] > 0 {
                let bonus = self.bonus_choices(point).into_iter();
                moves.extend(bonus.map(|bonus| Move::Joker(point, bonus)));
            }
            moves
        }))
    }

    /// The signs that a stone on a point may have; without `plus-minus` none.
    fn sign_choices(&self, point: Point) -> Vec<String> {
        if !self.rules.plus_minus {
            return vec![String::new()];
        }
        let mover = self.color();
        let content = Stone::Stone(mover as u8);
        let stone = Placement { point, content, mover, is_bomb: false, fresh_joker: None };
        let taken = groups(&self.rules, &self.board, stone);
        let lengths: Vec<_> = taken.iter().map(Vec::len).collect();
        sign_choices(&lengths, self.captured[1 - mover])
    }

    /// Whether the player to move may make a move, in a game that is not over; whether its signs
    /// or its bonus stone are right is left to [`Referee::fits`].
    pub(super) fn allowed(&self, mv: &Move) -> Result<(), String> {
        let Some(point) = mv.point() else {
            return self.allows_choice(mv);
        };
        if matches!(self.stage, Stage::Choosing { .. }) {
            return Err("a color must be chosen".to_owned());
        }
        match self.board.get(point) {
            None => return Err(format!("{} is not on the board", point_text(point))),
            Some(Stone::Empty) => (),
            Some(_) => return Err(format!("{} is occupied", point_text(point))),
        }
        self.allows_kind(mv)?;
        let opening = self.rules.opening;
        let center = (self.columns() / 2 + 1, self.rows() / 2 + 1);
        match self.first {
            None => opening.allows_first(point, center)?,
            Some(first) if self.placed == self.rules.seats => {
                opening.allows_second(point, first)?;
            }
            Some(_) => (),
        }
        self.allows_lines(mv)
    }

    fn allows_choice(&self, mv: &Move) -> Result<(), String> {
        match (mv, self.stage) {
            (Move::Swap | Move::Keep, Stage::Choosing { .. })
            | (Move::More, Stage::Choosing { more: true, .. }) => Ok(()),
            _ => Err(format!("`{}` is no choice here", mv.text())),
        }
    }

    /// Whether the player has what the move would place; the stones of a stage are plain stones.
    fn allows_kind(&self, mv: &Move) -> Result<(), String> {
        let mover = self.color();
        let left = match mv {
            Move::Neutral(_) => self.neutrals[mover],
            Move::Bomb(_) => self.bombs[mover],
            Move::Joker(..) => self.jokers[mover],
            _ => return Ok(()),
        };
        if left == 0 || self.stage != Stage::Over {
            return Err(format!("`{}` is not to be had", mv.text()));
        }
        Ok(())
    }

    /// Whether the signs or the bonus stone of a move are among those that it may have.
    pub(super) fn fits(&self, mv: &Move) -> Result<(), String> {
        let fits = match mv {
            // Bare means all `+`, which is always possible.
            Move::Stone(point, signs) => {
                signs.is_empty() || self.sign_choices(*point).contains(signs)
            }
            Move::Joker(point, bonus) => self.bonus_choices(*point).contains(bonus),
            _ => true,
        };
        if fits { Ok(()) } else { Err(format!("`{}` is not possible", mv.text())) }
    }

    /// Where the bonus stone may go after a power stone: nowhere if that wins, or if no diamond
    /// is empty after its captures (S1).
    fn bonus_choices(&self, joker: Point) -> Vec<Option<Point>> {
        let mv = Move::Joker(joker, None);
        let mover = self.color();
        let effect = self.effect(&mv);
        let mut after = self.clone();
        after.take(&mv, mover, &effect);
        let stood = self.stood(mover, &effect);
        let wins = stood || after.has_run(mover) || after.winner_by_captures(mover).is_some();
        let free = self.rules.diamonds.iter().copied();
        let free: Vec<_> = free.filter(|&point| after.board.is_empty(point)).collect();
        if wins || free.is_empty() { vec![None] } else { free.into_iter().map(Some).collect() }
    }

    /// Whether what the move leads to is allowed: in a stage, by `anti`, at a forbidden point.
    fn allows_lines(&self, mv: &Move) -> Result<(), String> {
        let mover = self.color();
        let point = mv.point().expect("a move on a point");
        if self.stage != Stage::Over && self.with(mv).has_run(mover) {
            return Err("a stone of the opening may not win".to_owned());
        }
        match self.rules.forbidden {
            Forbidden::Nothing => (),
            Forbidden::Renju => {
                if mover == 0 && forbidden::in_renju(&self.board, point, mover) {
                    return Err(format!("{} is forbidden", point_text(point)));
                }
            }
            Forbidden::DoubleThree => {
                let effect = self.effect(mv);
                if forbidden::in_ninuki_renju(&self.board, point, mover, &effect) {
                    return Err(format!("{} is a double-three", point_text(point)));
                }
            }
        }
        if self.rules.anti.is_some() { self.allows_four(mv) } else { Ok(()) }
    }

    /// The game right after the stone of a move, before anything is judged.
    fn with(&self, mv: &Move) -> Referee {
        let mut after = self.clone();
        after.take(mv, self.color(), &self.effect(mv));
        after
    }

    /// Whether `anti` allows a move: no open four of the mover may be left, unless the move makes
    /// a five or reaches the capture goal (S3).
    fn allows_four(&self, mv: &Move) -> Result<(), String> {
        let mover = self.color();
        let effect = self.effect(mv);
        // Where nothing is removed, a new four goes through the new stone.
        let anywhere = effect.removed || self.stands_forbidden;
        let through = if anywhere { None } else { mv.point() };
        if !lines::has_open_four(&self.rules, &effect.board, mover, through) {
            return Ok(());
        }
        let after = self.with(mv);
        let is_five = effect.survived && after.has_run(mover);
        if is_five || after.winner_by_captures(mover) == Some(mover) {
            return Ok(());
        }
        Err("an open four is forbidden".to_owned())
    }
}
