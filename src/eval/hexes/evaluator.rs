//! Pentalath and Yavalath for two in alpha-beta: rows, groups in atari, and what is forced.

use super::tactics::{Ends, answers, building_cells, capturing_cells, threats, win};
use super::windows::{Contents, HexTables, lead, one};
use crate::board::{Bitboard, bit, each, lowest};
use crate::eval::scale::Scale;
use crate::game::{Color, Move, MoveList, Position as _, mix};
use crate::hexes::{Position, in_atari};
use crate::search::{Evaluator, MoveGenerator, Score, ThreatGenerator};
use std::sync::{Arc, OnceLock};

/// Values positions of two sides by the windows that can still become winning rows, brought up to
/// date stone by stone, and by groups with one liberty. Every move that matters is a candidate, so
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
    /// What the windows give each color.
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

/// Points for each stone that the side to move could take, and for each that it could lose. Chosen
/// by matches of `pentalath` at 5000 nodes a move, 300 games a step; smaller ones are weaker, larger
/// ones no better.
const TAKEABLE: i32 = 80;
const LOSABLE: i32 = 50;
/// Points for being to move.
const TEMPO: i32 = 12;
/// What a taken stone adds to the ordering score.
const TAKEN: i32 = 60;
/// The most that a seed changes a value, in points.
const NOISE: u64 = 4;

impl HexEvaluator {
    /// An evaluator with the tables for the game. A seed other than 0 makes it waver a little.
    pub fn new(tables: Arc<HexTables>, seed: u64) -> HexEvaluator {
        HexEvaluator { tables, seed, contents: Vec::new(), facts: Vec::new() }
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
        let legal = position.legal_of(mover, cells & position.empty());
        if losses == 0 || position.empty() & !losses == 0 { legal } else { legal & !losses }
    }

    /// The value for the color to move of a position without a choice.
    fn value_to_mover(&self, position: &Position) -> i32 {
        let Some(facts) = self.now() else { return 0 };
        let mut value = lead(position, &facts.totals) + TEMPO;
        let atari = self.atari(position);
        let mover = position.color_to_move().index() & 1;
        value += TAKEABLE * atari[1 - mover].stones as i32;
        value -= LOSABLE * atari[mover].stones as i32;
        if self.seed != 0 {
            let noise = mix(position.key().0 ^ self.seed) % (2 * NOISE + 1);
            value += noise as i32 - NOISE as i32;
        }
        value
    }
}

/// The moves that place a stone on one of some cells.
fn stones_on(cells: Bitboard, moves: &mut MoveList) {
    moves.extend(each(cells).map(Move::stone));
}

impl Evaluator<Position> for HexEvaluator {
    fn reset(&mut self, position: &Position) {
        self.tables.count(position, &mut self.contents);
        let totals = self.tables.totals(&self.contents);
        let ends = [Color(0), Color(1)].map(|color| Ends::of(position, color));
        self.facts.clear();
        self.facts.push(Facts { totals, ends, atari: OnceLock::new(), tactical: OnceLock::new() });
    }

    #[inline]
    fn advance(&mut self, position: &Position) {
        let Some(last) = self.facts.last() else { return };
        let (mut totals, mut ends) = (last.totals, last.ends);
        for change in position.changes() {
            let color = Color(change.before.max(change.after).saturating_sub(1));
            let by = if change.after == 0 { one(color).wrapping_neg() } else { one(color) };
            for &window in self.tables.windows_of(change.cell) {
                let contents = &mut self.contents[usize::from(window)];
                let after = contents.wrapping_add(by);
                for color in [Color(0), Color(1)] {
                    totals[color.index()] +=
                        self.tables.value(color, after) - self.tables.value(color, *contents);
                }
                *contents = after;
            }
            ends[color.index() & 1] = Ends::of(position, color);
        }
        let (atari, tactical) = (OnceLock::new(), OnceLock::new());
        self.facts.push(Facts { totals, ends, atari, tactical });
    }

    #[inline]
    fn retract(&mut self, position: &Position) {
        self.facts.pop();
        for change in position.changes() {
            let color = Color(change.before.max(change.after).saturating_sub(1));
            let by = if change.after == 0 { one(color) } else { one(color).wrapping_neg() };
            for &window in self.tables.windows_of(change.cell) {
                let contents = &mut self.contents[usize::from(window)];
                *contents = contents.wrapping_add(by);
            }
        }
    }

    /// Whoever chooses colors takes the better one.
    fn value(&mut self, position: &Position) -> Score {
        let value = self.value_to_mover(position);
        let scale = Scale::of_hexes(*position.hexes());
        scale.score(if position.is_choice() { value.abs() } else { value })
    }
}

impl MoveGenerator<Position> for HexEvaluator {
    fn winning_move(&self, position: &Position) -> Option<Move> {
        if position.is_choice() {
            return None;
        }
        let cell = win(position, &self.ends(position.color_to_move()))?;
        Some(Move::stone(lowest(cell)))
    }

    fn defenses(&self, position: &Position, moves: &mut MoveList) -> bool {
        if position.is_choice() {
            return false;
        }
        let next = position.next_color();
        let threats = threats(position, next, &self.ends(next));
        if threats == 0 {
            return false;
        }
        let losses = self.ends(position.color_to_move()).losses;
        stones_on(answers(position, threats, next) & !losses, moves);
        true
    }

    fn tactical_moves(&self, position: &Position, moves: &mut MoveList) {
        if !position.is_choice() {
            stones_on(self.tactical_cells(position), moves);
        }
    }

    fn candidates(&self, position: &Position, moves: &mut MoveList) {
        let before = moves.len();
        if !position.is_choice() {
            stones_on(self.sensible(position, position.empty()), moves);
        }
        if moves.len() == before {
            position.legal_moves(moves);
        }
    }

    fn ordering_score(&self, position: &Position, mv: Move) -> i32 {
        let Some(cell) = mv.cell() else { return 0 };
        let mover = position.color_to_move();
        let mut ordering_score = 4 * self.tables.gain(mover, cell, &self.contents);
        let atari = self.atari(position);
        if atari[1 - (mover.index() & 1)].liberties & bit(cell) != 0 {
            ordering_score += TAKEN * (1 + position.takes(mover, cell).count_ones() as i32);
        }
        if atari[mover.index() & 1].liberties & bit(cell) != 0 {
            ordering_score += TAKEN;
        }
        ordering_score
    }

    fn is_quiet(&self, position: &Position, mv: Move) -> bool {
        mv.cell().is_none_or(|cell| self.tactical_cells(position) & bit(cell) == 0)
    }

    fn knows_quiet_moves(&self) -> bool {
        true
    }
}

impl ThreatGenerator<Position> for HexEvaluator {
    fn threat_moves(&self, position: &Position, moves: &mut MoveList) {
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
        stones_on(position.legal_of(mover, cells & position.empty()) & !losses, moves);
    }
}
