//! Random games, for measuring the rules, for sampling and for search.

use super::layers::Placements;
use super::{Pentomino, Position, Spot};
use crate::game::{Move, Outcome, Position as _};
use fastrand::Rng;

/// Plays random games to the end: each move draws a tile, then a legal place of it. Buffers are reused from
/// game to game.
///
/// ```
/// use pentarch_core::game::Position as _;
/// use pentarch_core::stacking::{Playout, Position};
/// let mut position = Position::new("pent-up".parse().unwrap());
/// Playout::default().run(&mut position, &mut fastrand::Rng::with_seed(1));
/// assert!(position.outcome().is_some());
/// assert_eq!(position.ply(), 24);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Playout {
    places: Vec<Placements>,
}

impl Playout {
    /// Plays a game to its end and returns the outcome.
    pub fn run(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Outcome> {
        while let Some(mv) = self.draw(position, rng) {
            position.play(mv);
        }
        position.outcome()
    }

    /// A random move: a tile of the mover at one of its legal places; `None` after the end.
    pub fn draw(&mut self, position: &Position, rng: &mut Rng) -> Option<Move> {
        if position.outcome().is_some() {
            return None;
        }
        let left = position.shapes_left(position.color_to_move());
        let shape = Pentomino::all().filter(|s| left >> s.index() & 1 != 0);
        let shape = shape.into_iter().nth(below(rng, left.count_ones()) as usize)?;
        self.draw_place(position, shape, rng)
    }

    /// A random legal move of a shape that the mover has left.
    pub(crate) fn draw_place(
        &mut self,
        position: &Position,
        shape: Pentomino,
        rng: &mut Rng,
    ) -> Option<Move> {
        self.places.clear();
        let mut count = 0;
        position.places(shape, |places| {
            count += places.count();
            self.places.push(places);
        });
        let mut number = below(rng, count);
        for &places in &self.places {
            match number.checked_sub(places.count()) {
                Some(rest) => number = rest,
                None => return places.spots().nth(number as usize).map(|spot| tile(places, spot)),
            }
        }
        None
    }
}

#[inline]
fn tile(places: Placements, spot: Spot) -> Move {
    Move::tile(places.orientation, spot.place())
}

/// A number below `count`, by the multiplication method (Lemire 2019).
#[inline]
fn below(rng: &mut Rng, count: u32) -> u32 {
    ((u64::from(rng.u32(..)) * u64::from(count)) >> 32) as u32
}
