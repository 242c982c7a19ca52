//! Pent-Up for tree search: random games, and which moves look good.

use super::outlook::{last_tile, plies_left, shapes};
use crate::search::{Decided, Guide, Rewards};
use fastrand::Rng;
use pentarch_core::game::{Move, Position as _, Side};
use pentarch_core::stacking::{Playout, Position};

/// Plays games to the end at random, knows how the last two tiles end, and prefers tiles that
/// reach the levels that count without building a floor for the other side's, and those that will
/// be hard to place so later.
#[derive(Clone, Debug, Default)]
pub struct TileGuide {
    playout: Playout,
    places: Vec<Move>,
}

/// How much more promising a tile is for each level it reaches.
const LEVEL: f32 = 1.6;
/// How much less a place promises for each cell of its level that the tile touches there.
const CONTACT: f32 = 0.85;

/// A tile that fits in many places can still be forced to its level later and is better kept: each
/// of its places promises less by this power of their number. In misère, where the tile that must
/// climb is the one to be rid of while it need not, it is the other way round.
const KEPT: f32 = 0.4;
/// The number of places at which that makes no difference.
const TYPICAL_PLACES: f32 = 40.0;

impl Guide<Position> for TileGuide {
    fn moves(&mut self, position: &Position, most: usize, moves: &mut Vec<(Move, f32)>) -> bool {
        let color = position.color_to_move();
        let left = position.shapes_left(color);
        let top = i32::from(position.top());
        let power = if position.scoring().misere { KEPT } else { -KEPT };
        for shape in shapes(left) {
            self.places.clear();
            let places = &mut self.places;
            let level = i32::from(position.for_each_place(shape, |mv| places.push(mv)));
            let height = if position.scoring().misere { top - level } else { level - top };
            let kept = (places.len() as f32 / TYPICAL_PLACES).powf(power);
            let weight = LEVEL.powi(height) * kept;
            let counts = level >= top;
            moves.extend(places.iter().map(|&mv| {
                let contact = if counts { position.edge_contacts(mv) } else { 0 };
                (mv, weight * CONTACT.powi(contact as i32))
            }));
        }
        let complete = moves.len() <= most;
        if !complete {
            moves.select_nth_unstable_by(most, |a, b| b.1.total_cmp(&a.1));
            moves.truncate(most);
        }
        complete
    }

    fn estimate(&mut self, position: &mut Position, rng: &mut Rng) -> Rewards {
        let mut played = 0;
        while plies_left(position) > 1
            && let Some(mv) = self.playout.draw(position, rng)
        {
            position.play(mv);
            played += 1;
        }
        let winner = last_tile(position);
        for _ in 0..played {
            position.undo();
        }
        Rewards::of_winner(winner)
    }

    /// With one tile left the end is known; with two, every place of the first is tried.
    fn decided(&mut self, position: &mut Position) -> Option<Decided> {
        match plies_left(position) {
            0 | 1 => Some(Decided(last_tile(position))),
            2 => Some(Decided(self.last_two(position))),
            _ => None,
        }
    }

    fn has_fixed_length(&self) -> bool {
        true
    }
}

impl TileGuide {
    /// Who wins with two tiles left.
    fn last_two(&mut self, position: &mut Position) -> Option<Side> {
        let mover = position.side_of(position.to_move());
        let color = position.color_to_move();
        self.places.clear();
        let places = &mut self.places;
        for shape in shapes(position.shapes_left(color)) {
            position.for_each_place(shape, |mv| places.push(mv));
        }
        let mut best = Some(Side(1 - mover.0 % 2));
        for &mv in &self.places {
            position.play(mv);
            let winner = last_tile(position);
            position.undo();
            if winner == Some(mover) {
                return winner;
            }
            if winner.is_none() {
                best = None;
            }
        }
        best
    }
}
