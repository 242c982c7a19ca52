//! Tree search for games on hexagons, with any number of sides.

use super::HexTables;
use super::tactics::{Completions, answers, threats, winning_cell, winning_cells};
use super::tuples::TupleContents;
use crate::search::{Decided, Guide, Rewards};
use fastrand::Rng;
use pentarch_core::board::cells_of;
use pentarch_core::game::{Move, MoveList, Position as _};
use pentarch_core::hexes::{Playout, Position};
use pentarch_core::rules::HexRules;
use std::sync::Arc;

/// Guides a tree search with the hand-chosen scores of windows, forced moves, and playouts of random moves that
/// take and block wins.
#[derive(Clone, Debug)]
pub struct HexGuide {
    tables: Arc<HexTables>,
    contents: Vec<TupleContents>,
}

/// Added to the ordering score of each move, so that no move has the weight 0.
const BASE_WEIGHT: i32 = 48;

impl HexGuide {
    /// A guide for a ruleset. It uses the scores of windows, which serve more than two colors.
    pub fn new(rules: &HexRules) -> HexGuide {
        let tables = Arc::new(HexTables::hand_chosen(rules));
        HexGuide { tables, contents: Vec::new() }
    }
}

impl Guide<Position> for HexGuide {
    fn moves(&mut self, position: &Position, most: usize, moves: &mut Vec<(Move, f32)>) -> bool {
        let mover = position.color_to_move();
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        if position.is_choice() || legal.iter().any(|mv| mv.cell().is_none()) {
            moves.extend(legal.into_iter().map(|mv| (mv, 1.0)));
            return true;
        }
        let mut cells = position.legal_cells(mover);
        let mut complete = true;
        // A move that does not stop the next player's win loses to that player. With more than two sides it may be
        // better than one that loses to a third player.
        let next = position.next_color();
        let own = Completions::of(position, mover);
        let threats = threats(position, next, &Completions::of(position, next));
        // An answer that completes a losing row loses sooner than the threat does.
        let answers = if threats == 0 { 0 } else { answers(position, threats, next) & cells };
        let answers = answers & !own.losses;
        if answers != 0 && winning_cells(position, mover, &own) == 0 {
            cells = answers;
            complete = position.opponents().count() == 1;
        }
        if cells & !own.losses != 0 {
            cells &= !own.losses;
        }
        self.tables.tuples.read(position, &mut self.contents);
        moves.extend(cells_of(cells).map(|cell| {
            let score = self.tables.ordering_score(mover, cell, &self.contents);
            (Move::stone(cell), (BASE_WEIGHT + score) as f32)
        }));
        if moves.len() > most {
            moves.select_nth_unstable_by(most, |a, b| b.1.total_cmp(&a.1));
            moves.truncate(most);
            complete = false;
        }
        complete
    }

    fn estimate(&mut self, position: &mut Position, rng: &mut Rng) -> Rewards {
        if let Some(outcome) = position.outcome() {
            return Rewards::of_winner(outcome.winner);
        }
        Rewards::of_winner(Playout::new(position).run_decisive(rng).winner)
    }

    /// A win in one, or an unstoppable win in one of the only rival.
    fn decided(&mut self, position: &mut Position) -> Option<Decided> {
        if position.is_choice() {
            return None;
        }
        let mover = position.color_to_move();
        let seat = position.to_move();
        let own = Completions::of(position, mover);
        if winning_cell(position, &own).is_some() {
            return Some(Decided(Some(position.side_of(seat))));
        }
        let next = position.next_color();
        let threats = threats(position, next, &Completions::of(position, next));
        let lost = threats != 0 && answers(position, threats, next) & !own.losses == 0;
        (lost && position.opponents().count() == 1).then(|| {
            let other = position.side_of(position.seat_of(next));
            Decided(Some(other))
        })
    }
}
