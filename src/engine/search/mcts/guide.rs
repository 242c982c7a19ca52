//! What a family of games gives the tree search beyond its rules.

use crate::search::Score;
use fastrand::Rng;
use pentarch_core::game::{Move, Outcome, Position, Side};

/// What each side gets, from 0 for a loss to 1 for a win, by the number of the side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewards(pub [f32; Rewards::SIDES]);

impl Rewards {
    /// The most sides that a game may have.
    pub const SIDES: usize = 4;
    /// What each side gets of a drawn game.
    pub const DRAW: f32 = 0.5;

    /// The rewards of a game that a side has won, or nobody.
    pub fn of_winner(winner: Option<Side>) -> Rewards {
        let reward = |side: usize| match winner {
            None => Rewards::DRAW,
            Some(winner) => f32::from(u8::from(winner.index() == side)),
        };
        Rewards(std::array::from_fn(reward))
    }

    /// What a side gets.
    #[inline]
    pub fn of(&self, side: Side) -> f32 {
        self.0[side.index() % Rewards::SIDES]
    }
}

/// A game that is decided: who wins it if all play well, or nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided(pub Option<Side>);

impl From<Outcome> for Decided {
    fn from(outcome: Outcome) -> Decided {
        Decided(outcome.winner)
    }
}

/// Opinions on the positions of a tree search. Each thread has one of its own, with whatever
/// memory it wants to keep from call to call.
pub trait Guide<P: Position>: Clone + Send + Sync {
    /// Lists moves of an open position that may deserve a node, at least one and at most that many,
    /// each with a weight above 0 that says how promising it looks beside the others. Returns
    /// whether every other move may be left out when it comes to proving that the position is lost.
    fn moves(&mut self, position: &P, most: usize, moves: &mut Vec<(Move, f32)>) -> bool;

    /// How an open position may end, by a game to the end or by looking. The position must be
    /// left as it was.
    fn estimate(&mut self, position: &mut P, rng: &mut Rng) -> Rewards;

    /// How an open position ends if all play well, where that is quickly seen.
    fn decided(&mut self, position: &mut P) -> Option<Decided> {
        let _ = position;
        None
    }

    /// What the mean of a side's rewards says about the results to expect of it.
    fn score(&self, position: &P, mean: f32) -> Score {
        let _ = position;
        Score::from_win_probability(mean.into())
    }

    /// Whether a game always lasts as long, whoever wins it.
    fn has_fixed_length(&self) -> bool {
        false
    }
}
