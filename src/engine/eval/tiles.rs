//! Evaluation of Pent-Up.
//!
//! The rules determine where a tile may go once the tile is chosen, so the last tile of a game has no choice:
//! its level is known before it is placed.

use crate::search::{
    Coverage, Decided, Evaluator, Guide, MoveGenerator, Rewards, Score, ThreatGenerator, Window,
};
use fastrand::Rng;
use pentarch_core::game::{Color, Move, MoveList, Position as _, Side};
use pentarch_core::stacking::{Layers, Pentomino, Playout, Position};

/// Evaluates positions by the tiles on each level and by bounds on what the remaining tiles can change. Every move
/// that matters is a candidate, so that exact searches prove values.
#[derive(Clone, Debug, Default)]
pub struct TileEvaluator;

/// The points for each tile more on the level that counts most. Each further level counts a third of the one before.
const TOP_TILE: f64 = 150.0;
/// The ordering score for each level.
const LEVEL_ORDERING_SCORE: i32 = 1000;

/// The value of a win at the end of the longest game.
const WIN: Score = Score::win_in(Position::TILES);

fn side_to_move(position: &Position) -> Side {
    position.side_of(position.to_move())
}

impl Evaluator<Position> for TileEvaluator {
    fn reset(&mut self, _: &Position) {}
    fn advance(&mut self, _: &Position) {}
    fn retract(&mut self, _: &Position) {}

    fn value(&mut self, position: &Position) -> Score {
        let own = position.counts(position.color_to_move());
        let other = position.counts(position.color_to_move().opponent());
        let lead = |level: usize| f64::from(own[level]) - f64::from(other[level]);
        let misere = position.scoring().misere;
        let top = usize::from(position.top());
        let (mut weight, mut value) = (TOP_TILE, 0.0);
        for step in 0..top.min(Layers::MAX_LEVEL) {
            value += weight * lead(if misere { step + 1 } else { top - step });
            weight /= 3.0;
        }
        Score::points(value as i32)
    }

    /// The result that the last tile brings, or else the best and the worst result that either side can imagine.
    fn range(&self, position: &Position) -> Window {
        let mover = side_to_move(position);
        let value = |winner: Option<Side>| match winner {
            None => Score::DRAW,
            Some(side) if side == mover => WIN,
            Some(_) => -WIN,
        };
        let other = Side(1 - mover.0 % 2);
        let (alpha, beta) = if plies_left(position) == 1 {
            let winner = winner_after_last_tile(position);
            (value(winner), value(winner))
        } else {
            (value(best_case_winner(position, other)), value(best_case_winner(position, mover)))
        };
        // Wins and losses may be nearer than the end of the longest game.
        Window {
            alpha: if alpha.is_loss() { -Score::INFINITE } else { alpha },
            beta: if beta.is_win() { Score::INFINITE } else { beta },
        }
    }
}

impl MoveGenerator<Position> for TileEvaluator {
    fn winning_move(&self, position: &Position) -> Option<Move> {
        let mover = side_to_move(position);
        if plies_left(position) != 1 || winner_after_last_tile(position) != Some(mover) {
            return None;
        }
        let mut moves = MoveList::new();
        self.candidates(position, &mut moves);
        moves.first().copied()
    }

    /// All legal moves; of the last tile one place, since all places have the same value.
    fn candidates(&self, position: &Position, moves: &mut MoveList) -> Coverage {
        if plies_left(position) > 1 {
            position.legal_moves(moves);
            return Coverage::All;
        }
        let mut first = None;
        for shape in shapes(position.shapes_left(position.color_to_move())) {
            position.for_each_place(shape, |mv| first = first.or(Some(mv)));
        }
        moves.extend(first);
        Coverage::All
    }

    /// Prefers the levels that count, and on a level the places that touch few other tiles of it.
    fn ordering_score(&self, position: &Position, mv: Move) -> i32 {
        let level = i32::from(position.level_of(mv));
        let sign = if position.scoring().misere { -1 } else { 1 };
        sign * LEVEL_ORDERING_SCORE * level - 10 * position.edge_contacts(mv) as i32
    }
}

impl ThreatGenerator<Position> for TileEvaluator {}

/// Guides a tree search: plays random games to the end and knows the result of the last two tiles. It prefers tiles
/// that reach the levels that count and prepare none for the other side, and tiles that will be hard to place there
/// later.
#[derive(Clone, Debug, Default)]
pub struct TileGuide {
    playout: Playout,
    places: Vec<Move>,
}

/// The factor of a move's weight for each level.
const LEVEL_WEIGHT: f32 = 1.6;
/// The factor for each cell of its level that the tile touches there.
const CONTACT_WEIGHT: f32 = 0.85;

/// A tile that fits in many places can still be forced to its level later and is better kept, so that the weight of
/// each of its places is divided by this power of their number. In misère the reverse holds: the tile that must climb
/// is best placed while it need not.
const KEEPING_POWER: f32 = 0.4;
/// The number of places for which that factor is 1.
const TYPICAL_PLACES: f32 = 40.0;

impl Guide<Position> for TileGuide {
    fn moves(&mut self, position: &Position, most: usize, moves: &mut Vec<(Move, f32)>) -> bool {
        let color = position.color_to_move();
        let left = position.shapes_left(color);
        let top = i32::from(position.top());
        let power = if position.scoring().misere { KEEPING_POWER } else { -KEEPING_POWER };
        for shape in shapes(left) {
            self.places.clear();
            let places = &mut self.places;
            let level = i32::from(position.for_each_place(shape, |mv| places.push(mv)));
            let height = if position.scoring().misere { top - level } else { level - top };
            let keeping = (places.len() as f32 / TYPICAL_PLACES).powf(power);
            let weight = LEVEL_WEIGHT.powi(height) * keeping;
            let counts = level >= top;
            moves.extend(places.iter().map(|&mv| {
                let contact = if counts { position.edge_contacts(mv) } else { 0 };
                (mv, weight * CONTACT_WEIGHT.powi(contact as i32))
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
        let winner = winner_after_last_tile(position);
        for _ in 0..played {
            position.undo();
        }
        Rewards::of_winner(winner)
    }

    /// With one tile left the result is known; with two, every place of the first is tried.
    fn decided(&mut self, position: &mut Position) -> Option<Decided> {
        match plies_left(position) {
            0 | 1 => Some(Decided(winner_after_last_tile(position))),
            2 => Some(Decided(self.winner_after_last_two(position))),
            _ => None,
        }
    }

    fn has_fixed_length(&self) -> bool {
        true
    }
}

impl TileGuide {
    /// The winner with two tiles left.
    fn winner_after_last_two(&mut self, position: &mut Position) -> Option<Side> {
        let mover = side_to_move(position);
        let color = position.color_to_move();
        self.places.clear();
        let places = &mut self.places;
        for shape in shapes(position.shapes_left(color)) {
            position.for_each_place(shape, |mv| places.push(mv));
        }
        let mut best = Some(Side(1 - mover.0 % 2));
        for &mv in &self.places {
            position.play(mv);
            let winner = winner_after_last_tile(position);
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

/// The shapes of a bit set.
fn shapes(set: u16) -> impl Iterator<Item = Pentomino> {
    Pentomino::all().filter(move |shape| set >> shape.index() & 1 != 0)
}

/// The number of tiles still to be placed.
#[inline]
fn plies_left(position: &Position) -> u32 {
    Position::TILES - position.ply()
}

/// The winner once the last tile is placed, if there is one: it can only go to one level.
fn winner_after_last_tile(position: &Position) -> Option<Side> {
    let color = position.color_to_move();
    let level =
        shapes(position.shapes_left(color)).next().map(|shape| position.highest_level(shape));
    let mut counts = [*position.counts(Color(0)), *position.counts(Color(1))];
    if let Some(level) = level {
        counts[color.index() & 1][usize::from(level)] += 1;
    }
    position.scoring().leader(&counts)
}

/// The winner, if there is one, in the best case for a side: all its tiles go to the best level and those of the other
/// side to the worst.
fn best_case_winner(position: &Position, side: Side) -> Option<Side> {
    let most = level_bound(position);
    let (best, worst) = if position.scoring().misere { (1, most) } else { (most, 1) };
    let mut counts = [*position.counts(Color(0)), *position.counts(Color(1))];
    for (index, counts) in counts.iter_mut().enumerate() {
        let left = position.shapes_left(Color(index as u8)).count_ones() as u8;
        counts[if index == side.index() { best } else { worst }] += left;
    }
    position.scoring().leader(&counts)
}

/// A level above which no tile can go any more: each new level needs two tiles on the one below.
fn level_bound(position: &Position) -> usize {
    let mut level = usize::from(position.top());
    let tiles = |level: usize| position.counts(Color(0))[level] + position.counts(Color(1))[level];
    let mut needed = 2_u32.saturating_sub(u32::from(tiles(level)));
    let mut left = plies_left(position);
    while left > needed && level < Layers::MAX_LEVEL {
        left -= needed;
        level += 1;
        needed = 2;
    }
    level
}
