//! Pentalath and Yavalath for two in alpha-beta: rows, groups in atari, and what is forced.

use super::places::MOST_TAKEN;
use super::tables::HexTables;
use super::tactics::{Ends, answers, building_cells, capturing_cells, threats, win};
use super::tuples::Contents;
use crate::search::{Coverage, Evaluator, MoveGenerator, Score, ThreatGenerator};
use pentarch_core::board::{Bitboard, bit, cells_of, lowest_cell};
use pentarch_core::game::{Cell, Change, Color, Move, MoveList, Position as _, mix};
use pentarch_core::hexes::{Position, in_atari};
use std::sync::{Arc, OnceLock};

/// Values positions of two sides by the tuples of the board, cells in a row and around one, brought up
/// to date stone by stone, and by groups with one liberty. Every move that matters is a candidate, so
/// that exact searches prove values.
#[derive(Clone, Debug)]
pub struct HexEvaluator {
    tables: Arc<HexTables>,
    seed: u64,
    contents: Vec<Contents>,
    /// What is known of each position from the root on, the present one last.
    facts: Vec<Facts>,
}

/// What is known of a position.
#[derive(Clone, Debug)]
struct Facts {
    /// What the tuples give each color.
    totals: [i32; 3],
    ends: [Ends; 2],
    /// Worked out when first asked for.
    atari: OnceLock<[Atari; 2]>,
    tactical: OnceLock<Bitboard>,
}

/// A color's groups with a single liberty.
#[derive(Clone, Copy, Debug, Default)]
struct Atari {
    stones: u32,
    liberties: Bitboard,
}

/// The most that a seed changes a value, in points.
const NOISE: i32 = 20;

impl HexEvaluator {
    /// An evaluator with the tables for the game. A seed other than 0 makes it waver a little.
    pub fn new(tables: Arc<HexTables>, seed: u64) -> HexEvaluator {
        HexEvaluator { tables, seed, contents: Vec::new(), facts: Vec::new() }
    }

    pub(super) fn tables(&self) -> &HexTables {
        &self.tables
    }

    /// The contents of every tuple.
    pub(super) fn contents(&self) -> &[Contents] {
        &self.contents
    }

    /// The stones of a color that could be taken.
    pub(super) fn stones_in_atari(&self, position: &Position, color: Color) -> i16 {
        self.atari(position)[color.index() & 1].stones as i16
    }

    fn now(&self) -> Option<&Facts> {
        self.facts.last()
    }

    fn ends(&self, color: Color) -> Ends {
        self.now().map_or_else(Ends::default, |facts| facts.ends[color.index() & 1])
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
        self.now().map_or_else(find, |facts| *facts.atari.get_or_init(find))
    }

    /// The cells where a stone makes or stops a row of all stones but one, takes stones or saves
    /// some; legal, and not losing if there is another.
    fn tactical_cells(&self, position: &Position) -> Bitboard {
        let find = || {
            let mover = position.color_to_move();
            let building = building_cells(position, mover);
            let stopping = building_cells(position, mover.opponent());
            let atari = self.atari(position).map(|group| group.liberties);
            self.sensible(position, building | stopping | atari[0] | atari[1])
        };
        self.now().map_or_else(find, |facts| *facts.tactical.get_or_init(find))
    }

    /// The legal ones of some cells, without those that lose at once by a short row, unless all
    /// legal ones do.
    fn sensible(&self, position: &Position, cells: Bitboard) -> Bitboard {
        let mover = position.color_to_move();
        let losses = self.ends(mover).losses;
        let legal = position.legal_among(mover, cells & position.empty());
        if losses == 0 || position.empty() & !losses == 0 { legal } else { legal & !losses }
    }

    /// The stones that a move would take, and whether it touches a group of its own in danger.
    pub(super) fn rescues(&self, position: &Position, cell: Cell) -> (usize, bool) {
        let mover = position.color_to_move();
        let atari = self.atari(position);
        let in_danger = |color: Color| atari[color.index() & 1].liberties & bit(cell) != 0;
        let takes = if in_danger(mover.opponent()) {
            position.captured_by(mover, cell).count_ones() as usize
        } else {
            0
        };
        (takes, in_danger(mover))
    }

    /// What the seed adds to the value of a position, in points.
    fn noise(&self, position: &Position) -> i32 {
        if self.seed == 0 {
            return 0;
        }
        (mix(position.key().0 ^ self.seed) % (2 * NOISE as u64 + 1)) as i32 - NOISE
    }

    /// The value for the color to move of a position without a choice, before it is scaled.
    fn value_to_mover(&self, position: &Position) -> i32 {
        let Some(facts) = self.now() else { return 0 };
        let terms = &self.tables.worth.terms;
        let mut value = self.tables.lead(position, &facts.totals) + terms.tempo;
        let atari = self.atari(position);
        let mover = position.color_to_move().index() & 1;
        value += terms.takeable * atari[1 - mover].stones as i32;
        value += terms.losable * atari[mover].stones as i32;
        value
    }
}

/// The color of the stone that was placed or taken, and whether it was placed.
#[inline]
fn stone_of(change: Change) -> (Color, bool) {
    (Color(change.before.max(change.after).saturating_sub(1)), change.after != 0)
}

/// The moves that place a stone on one of some cells.
fn stones_on(cells: Bitboard, moves: &mut MoveList) {
    moves.extend(cells_of(cells).map(Move::stone));
}

impl Evaluator<Position> for HexEvaluator {
    fn reset(&mut self, position: &Position) {
        self.tables.tuples.read(position, &mut self.contents);
        let totals = self.tables.totals(&self.contents);
        let ends = [Color(0), Color(1)].map(|color| Ends::of(position, color));
        self.facts.clear();
        self.facts.push(Facts { totals, ends, atari: OnceLock::new(), tactical: OnceLock::new() });
    }

    #[inline]
    fn advance(&mut self, position: &Position) {
        let Some(last) = self.facts.last() else { return };
        let (mut totals, mut ends) = (last.totals, last.ends);
        let worth = &self.tables.worth;
        for change in position.changes() {
            let (color, placed) = stone_of(*change);
            self.tables.tuples.change(
                &mut self.contents,
                change.cell,
                color,
                placed,
                |[from, to]| {
                    let values = worth.value(to).into_iter().zip(worth.value(from));
                    for (total, (after, before)) in totals.iter_mut().zip(values) {
                        *total += i32::from(after) - i32::from(before);
                    }
                },
            );
            ends[color.index() & 1] = Ends::of(position, color);
        }
        let (atari, tactical) = (OnceLock::new(), OnceLock::new());
        self.facts.push(Facts { totals, ends, atari, tactical });
    }

    #[inline]
    fn retract(&mut self, position: &Position) {
        self.facts.pop();
        for change in position.changes() {
            let (color, placed) = stone_of(*change);
            self.tables.tuples.change(&mut self.contents, change.cell, color, !placed, |_| ());
        }
    }

    /// Whoever chooses colors takes the better one.
    fn value(&mut self, position: &Position) -> Score {
        let value = self.value_to_mover(position);
        let value = if position.is_choice() { value.abs() } else { value };
        self.tables.worth.scale.score(value).plus(self.noise(position))
    }
}

impl MoveGenerator<Position> for HexEvaluator {
    fn winning_move(&self, position: &Position) -> Option<Move> {
        if position.is_choice() {
            return None;
        }
        let cell = win(position, &self.ends(position.color_to_move()))?;
        Some(Move::stone(lowest_cell(cell)))
    }

    fn defenses(&self, position: &Position, moves: &mut MoveList) -> Option<Coverage> {
        if position.is_choice() {
            return None;
        }
        let next = position.next_color();
        let threats = threats(position, next, &self.ends(next));
        if threats == 0 {
            return None;
        }
        let losses = self.ends(position.color_to_move()).losses;
        stones_on(answers(position, threats, next) & !losses, moves);
        Some(Coverage::AgainstThreat)
    }

    fn tactical_moves(&self, position: &Position, moves: &mut MoveList) {
        if !position.is_choice() {
            stones_on(self.tactical_cells(position), moves);
        }
    }

    fn candidates(&self, position: &Position, moves: &mut MoveList) -> Coverage {
        let before = moves.len();
        if !position.is_choice() {
            stones_on(self.sensible(position, position.empty()), moves);
        }
        if moves.len() == before {
            position.legal_moves(moves);
        }
        Coverage::All
    }

    fn ordering_score(&self, position: &Position, mv: Move) -> i32 {
        let Some(cell) = mv.cell() else { return 0 };
        let mover = position.color_to_move();
        let terms = &self.tables.worth.terms;
        let mut ordering_score = self.tables.order(mover, cell, &self.contents);
        let (takes, saves) = self.rescues(position, cell);
        ordering_score += terms.takes[takes.min(MOST_TAKEN)];
        ordering_score + if saves { terms.saves } else { 0 }
    }

    fn is_quiet(&self, position: &Position, mv: Move) -> bool {
        mv.cell().is_none_or(|cell| self.tactical_cells(position) & bit(cell) == 0)
    }

    fn distinguishes_quiet_moves(&self) -> bool {
        true
    }

    fn quiet_threshold(&self, _: &Position) -> i32 {
        if self.tables.worth.fitted { i32::MAX } else { i32::MIN }
    }

    fn has_trained_ordering(&self, _: &Position) -> bool {
        self.tables.worth.fitted
    }

    /// At 20,000 nodes a move `pentalath` came to 63-37 with it, `yavalath` to 50-49-1.
    fn has_reliable_ordering(&self, _: &Position) -> bool {
        self.tables.worth.fitted
    }
}

impl ThreatGenerator<Position> for HexEvaluator {
    fn threat_moves(&self, position: &Position, _: bool, moves: &mut MoveList) {
        if position.is_choice() {
            return;
        }
        let mover = position.color_to_move();
        let taking = if position.hexes().surround {
            self.atari(position)[1 - (mover.index() & 1)].liberties
        } else {
            capturing_cells(position, mover)
        };
        let cells = building_cells(position, mover) | taking;
        let losses = self.ends(mover).losses;
        stones_on(position.legal_among(mover, cells & position.empty()) & !losses, moves);
    }
}
