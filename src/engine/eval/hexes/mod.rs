//! Evaluation of games on hexagons: Pentalath, Yavalath and games like them.

mod guide;
mod tactics;
mod tuples;
mod weights;

pub use guide::HexGuide;
pub use weights::{HexGame, HexTables, HexWeights};

use super::terms::{ValueTerm, ValueTerms, WeightedEvaluator};
use crate::search::{Coverage, Evaluator, MoveGenerator, Score, ThreatGenerator};
use pentarch_core::board::{Bitboard, bit, cells_of, lowest_cell};
use pentarch_core::game::{Cell, Change, Color, Move, MoveList, Position as _, mix};
use pentarch_core::hexes::{Position, in_atari};
use std::sync::{Arc, OnceLock};
use tactics::{Completions, answers, building_cells, capturing_cells, threats, winning_cell};
use tuples::{HexOrderingIndex, HexValueIndex, MAX_CAPTURED, TupleContents, with_colors_exchanged};

/// Evaluates games on hexagons between two colors by the tuples of the board, updated with each move, and by the
/// groups in atari. Every move that matters is a candidate, so that exact searches prove values.
#[derive(Clone, Debug)]
pub struct HexEvaluator {
    tables: Arc<HexTables>,
    seed: u64,
    contents: Vec<TupleContents>,
    /// The states of all positions since the reset, the current one last.
    plies: Vec<PlyState>,
}

/// What the evaluator knows of a position.
#[derive(Clone, Debug)]
struct PlyState {
    /// The sums of the values of all tuples for each color.
    totals: [i32; 3],
    completions: [Completions; 2],
    /// Computed when first asked for.
    atari: OnceLock<[Atari; 2]>,
    tactical: OnceLock<Bitboard>,
}

/// A color's groups with a single liberty.
#[derive(Clone, Copy, Debug, Default)]
struct Atari {
    stones: u32,
    liberties: Bitboard,
}

/// The most points by which a seed changes a value.
const NOISE: i32 = 20;

impl HexEvaluator {
    /// An evaluator for the ruleset of the tables. A `seed` other than 0 disturbs values a little.
    pub fn new(tables: Arc<HexTables>, seed: u64) -> HexEvaluator {
        HexEvaluator { tables, seed, contents: Vec::new(), plies: Vec::new() }
    }

    fn completions(&self, color: Color) -> Completions {
        self.plies
            .last()
            .map_or_else(Completions::default, |state| state.completions[color.index() & 1])
    }

    fn atari(&self, position: &Position) -> [Atari; 2] {
        let find = || {
            [Color(0), Color(1)].map(|color| {
                let (stones, liberties) = in_atari(position.stones(color), position.empty());
                Atari { stones: stones.count_ones(), liberties }
            })
        };
        if !position.hexes().surround {
            return [Atari::default(); 2];
        }
        self.plies.last().map_or_else(find, |state| *state.atari.get_or_init(find))
    }

    /// The sensible cells where a stone makes or blocks a row that lacks one more stone, captures, or saves a group.
    fn tactical_cells(&self, position: &Position) -> Bitboard {
        let find = || {
            let mover = position.color_to_move();
            let building = building_cells(position, mover);
            let blocking = building_cells(position, mover.opponent());
            let atari = self.atari(position).map(|group| group.liberties);
            self.sensible(position, building | blocking | atari[0] | atari[1])
        };
        self.plies.last().map_or_else(find, |state| *state.tactical.get_or_init(find))
    }

    /// The legal ones of some cells, without those that lose at once by a short row, unless all legal cells do.
    fn sensible(&self, position: &Position, cells: Bitboard) -> Bitboard {
        let mover = position.color_to_move();
        let losses = self.completions(mover).losses;
        let legal = position.legal_among(mover, cells & position.empty());
        if losses == 0 || position.empty() & !losses == 0 { legal } else { legal & !losses }
    }

    /// The number of stones that a move captures, and whether it is on the last liberty of an own group.
    fn captures_and_saves(&self, position: &Position, cell: Cell) -> (usize, bool) {
        let mover = position.color_to_move();
        let atari = self.atari(position);
        let is_last_liberty = |color: Color| atari[color.index() & 1].liberties & bit(cell) != 0;
        let captured = if is_last_liberty(mover.opponent()) {
            position.captured_by(mover, cell).count_ones() as usize
        } else {
            0
        };
        (captured, is_last_liberty(mover))
    }

    /// The points that the seed adds to the value of a position.
    fn noise(&self, position: &Position) -> i32 {
        if self.seed == 0 {
            return 0;
        }
        (mix(position.key().0 ^ self.seed) % (2 * NOISE as u64 + 1)) as i32 - NOISE
    }

    /// The value for the color to move in points of the tables, whoever owns the color.
    fn points(&self, position: &Position) -> i32 {
        let Some(state) = self.plies.last() else { return 0 };
        let terms = &self.tables.scores.terms;
        let mut value = self.tables.lead(position, &state.totals) + terms.tempo;
        let atari = self.atari(position);
        let mover = position.color_to_move().index() & 1;
        value += terms.enemy_in_atari * atari[1 - mover].stones as i32;
        value += terms.own_in_atari * atari[mover].stones as i32;
        value
    }
}

/// The color of the stone that was placed or removed, and whether it was placed.
#[inline]
fn stone_of(change: Change) -> (Color, bool) {
    (Color(change.before.max(change.after).saturating_sub(1)), change.after != 0)
}

fn push_stones(cells: Bitboard, moves: &mut MoveList) {
    moves.extend(cells_of(cells).map(Move::stone));
}

impl Evaluator<Position> for HexEvaluator {
    fn reset(&mut self, position: &Position) {
        self.tables.tuples.read(position, &mut self.contents);
        let totals = self.tables.totals(&self.contents);
        let completions = [Color(0), Color(1)].map(|color| Completions::of(position, color));
        let (atari, tactical) = (OnceLock::new(), OnceLock::new());
        self.plies.clear();
        self.plies.push(PlyState { totals, completions, atari, tactical });
    }

    #[inline]
    fn advance(&mut self, position: &Position) {
        let Some(last) = self.plies.last() else { return };
        let (mut totals, mut completions) = (last.totals, last.completions);
        let scores = &self.tables.scores;
        for change in position.changes() {
            let (color, is_placed) = stone_of(*change);
            self.tables.tuples.set_stone(
                &mut self.contents,
                change.cell,
                color,
                is_placed,
                |[before, after]| {
                    let values = scores.values(after).into_iter().zip(scores.values(before));
                    for (total, (after, before)) in totals.iter_mut().zip(values) {
                        *total += i32::from(after) - i32::from(before);
                    }
                },
            );
            completions[color.index() & 1] = Completions::of(position, color);
        }
        let (atari, tactical) = (OnceLock::new(), OnceLock::new());
        self.plies.push(PlyState { totals, completions, atari, tactical });
    }

    #[inline]
    fn retract(&mut self, position: &Position) {
        self.plies.pop();
        for change in position.changes() {
            let (color, is_placed) = stone_of(*change);
            let tuples = &self.tables.tuples;
            tuples.set_stone(&mut self.contents, change.cell, color, !is_placed, |_| ());
        }
    }

    /// The player who chooses a color takes the better one.
    fn value(&mut self, position: &Position) -> Score {
        let value = self.points(position);
        let value = if position.is_choice() { value.abs() } else { value };
        self.tables.scores.scale.score(value).plus(self.noise(position))
    }
}

impl MoveGenerator<Position> for HexEvaluator {
    fn winning_move(&self, position: &Position) -> Option<Move> {
        if position.is_choice() {
            return None;
        }
        let cell = winning_cell(position, &self.completions(position.color_to_move()))?;
        Some(Move::stone(lowest_cell(cell)))
    }

    fn defenses(&self, position: &Position, moves: &mut MoveList) -> Option<Coverage> {
        if position.is_choice() {
            return None;
        }
        let next = position.next_color();
        let threats = threats(position, next, &self.completions(next));
        if threats == 0 {
            return None;
        }
        let losses = self.completions(position.color_to_move()).losses;
        push_stones(answers(position, threats, next) & !losses, moves);
        Some(Coverage::AgainstThreat)
    }

    fn tactical_moves(&self, position: &Position, moves: &mut MoveList) {
        if !position.is_choice() {
            push_stones(self.tactical_cells(position), moves);
        }
    }

    fn candidates(&self, position: &Position, moves: &mut MoveList) -> Coverage {
        let before = moves.len();
        if !position.is_choice() {
            push_stones(self.sensible(position, position.empty()), moves);
        }
        if moves.len() == before {
            position.legal_moves(moves);
        }
        Coverage::All
    }

    fn ordering_score(&self, position: &Position, mv: Move) -> i32 {
        let Some(cell) = mv.cell() else { return 0 };
        let mover = position.color_to_move();
        let terms = &self.tables.scores.terms;
        let mut ordering_score = self.tables.ordering_score(mover, cell, &self.contents);
        let (captured, saves) = self.captures_and_saves(position, cell);
        ordering_score += terms.captured[captured.min(MAX_CAPTURED)];
        ordering_score + if saves { terms.saves } else { 0 }
    }

    fn is_quiet(&self, position: &Position, mv: Move) -> bool {
        mv.cell().is_none_or(|cell| self.tactical_cells(position) & bit(cell) == 0)
    }

    fn distinguishes_quiet_moves(&self) -> bool {
        true
    }

    fn quiet_threshold(&self, _: &Position) -> i32 {
        if self.tables.scores.is_fitted { i32::MAX } else { i32::MIN }
    }

    fn has_trained_ordering(&self, _: &Position) -> bool {
        self.tables.scores.is_fitted
    }

    /// At 20,000 nodes a move this scored 63-37 in `pentalath` and 50-49-1 in `yavalath`.
    fn has_reliable_ordering(&self, _: &Position) -> bool {
        self.tables.scores.is_fitted
    }
}

impl ThreatGenerator<Position> for HexEvaluator {
    fn threat_moves(&self, position: &Position, _: bool, moves: &mut MoveList) {
        if position.is_choice() {
            return;
        }
        let mover = position.color_to_move();
        let capturing = if position.hexes().surround {
            self.atari(position)[1 - (mover.index() & 1)].liberties
        } else {
            capturing_cells(position, mover)
        };
        let cells = building_cells(position, mover) | capturing;
        let losses = self.completions(mover).losses;
        push_stones(position.legal_among(mover, cells & position.empty()) & !losses, moves);
    }
}

/// If the weights are fitted. The indices are those of [`HexWeights`].
impl WeightedEvaluator<Position> for HexEvaluator {
    fn value_terms(&self, position: &Position) -> ValueTerms {
        let mover = position.color_to_move();
        let contents = self.contents.iter();
        let mut indices: Vec<u16> =
            contents.map(|&contents| HexValueIndex::of(seen_by(mover, contents))).collect();
        indices.sort_unstable();
        let equal = indices.chunk_by(|a, b| a == b);
        let mut terms: Vec<ValueTerm> =
            equal.map(|indices| (indices[0], indices.len() as i16)).collect();
        let atari = self.atari(position);
        let [own, enemy] =
            [mover, mover.opponent()].map(|color| atari[color.index() & 1].stones as i16);
        let others = [
            (HexValueIndex::TEMPO, 1),
            (HexValueIndex::ENEMY_IN_ATARI, enemy),
            (HexValueIndex::OWN_IN_ATARI, own),
        ];
        terms.extend(others.into_iter().filter(|&(_, count)| count != 0));
        ValueTerms { sum: terms, others: Vec::new() }
    }

    fn scale_percent(&self) -> i32 {
        self.tables.scores.scale.percent()
    }

    fn ordering_terms(&self, position: &Position, mv: Move) -> Vec<u16> {
        let Some(cell) = mv.cell() else { return Vec::new() };
        let (captured, saves) = self.captures_and_saves(position, cell);
        let captured = (captured > 0).then(|| HexOrderingIndex::captured(captured));
        let saved = saves.then_some(HexOrderingIndex::SAVES);
        let mover = position.color_to_move();
        let in_tuples = self.tables.tuples.for_ordering(cell).iter().map(|at| {
            let contents = seen_by(mover, self.contents[usize::from(at.tuple)]);
            HexOrderingIndex::of(contents, at.place)
        });
        in_tuples.chain(captured).chain(saved).collect()
    }
}

/// Contents from the perspective of a color.
fn seen_by(color: Color, contents: TupleContents) -> TupleContents {
    if color == Color(0) { contents } else { with_colors_exchanged(contents) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    #[test]
    fn a_seed_moves_values_by_some_points() {
        let position = Position::new("yavalath".parse().unwrap());
        let tables = Arc::new(HexTables::new(position.rules()));
        let values = (0..20).map(|seed| {
            let mut evaluator = HexEvaluator::new(Arc::clone(&tables), seed);
            evaluator.reset(&position);
            evaluator.value(&position).value()
        });
        let values: Vec<i32> = values.collect();
        let (least, most) = (values.iter().min().unwrap(), values.iter().max().unwrap());
        assert!((10..=40).contains(&(most - least)), "{values:?}");
    }

    /// A fit sees the same values and ordering scores as play, from the perspective of either color.
    #[test]
    fn values_and_ordering_scores_are_the_sums_of_their_terms() {
        for (spec, game) in [("pentalath", HexGame::Pentalath), ("yavalath", HexGame::Yavalath)] {
            let weights = HexWeights::built_in(game);
            let mut position = Position::new(spec.parse().unwrap());
            let tables = Arc::new(HexTables::new(position.rules()));
            let (mut evaluator, mut rng) = (HexEvaluator::new(tables, 0), Rng::with_seed(5));
            evaluator.reset(&position);
            let mut seen = [0; 2];
            for _ in 0..2000 {
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                if moves.is_empty() {
                    position = Position::new(spec.parse().unwrap());
                    evaluator.reset(&position);
                    continue;
                }
                let terms = evaluator.value_terms(&position);
                let of = |&(index, count): &ValueTerm| {
                    i32::from(weights.values()[usize::from(index)]) * i32::from(count)
                };
                assert!(terms.others.is_empty());
                let quarters: i32 = terms.sum.iter().map(of).sum();
                assert_eq!(evaluator.value(&position), Score::points(quarters / 4));
                let mv = moves[rng.usize(..moves.len())];
                let terms = evaluator.ordering_terms(&position, mv);
                let of = |&index: &u16| i32::from(weights.ordering()[usize::from(index)]);
                let sum: i32 = terms.iter().map(of).sum();
                assert_eq!(evaluator.ordering_score(&position, mv), sum);
                seen[position.color_to_move().index()] += u32::from(quarters != 0 && sum != 0);
                position.play(mv);
                evaluator.advance(&position);
            }
            assert!(seen.iter().all(|&seen| seen > 500), "{spec}: {seen:?}");
        }
    }
}
