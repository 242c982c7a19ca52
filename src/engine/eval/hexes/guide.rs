//! Pentalath and Yavalath for tree search, for any number of sides.

use super::tables::HexTables;
use super::tactics::{Ends, answers, threats, win, winning_cells};
use super::tuples::Contents;
use crate::search::{Decided, Guide, Rewards};
use fastrand::Rng;
use pentarch_core::board::cells_of;
use pentarch_core::game::{Move, MoveList, Position as _};
use pentarch_core::hexes::{Playout, Position};
use pentarch_core::rules::HexRules;
use std::sync::Arc;

/// Plays games to the end with random moves that take wins and block them, prefers cells that
/// change much in the windows around them, and knows what is forced.
#[derive(Clone, Debug)]
pub struct HexGuide {
    tables: Arc<HexTables>,
    contents: Vec<Contents>,
}

/// What is added to a cell's ordering score, so that no cell is without weight.
const BASE_WEIGHT: i32 = 48;

impl HexGuide {
    /// A guide for a game of those rules. It goes by windows, which tell more than two sides apart.
    pub fn new(rules: &HexRules) -> HexGuide {
        let tables = Arc::new(HexTables::of_windows(rules));
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
        // What does not stop the next player loses to that player; with more than two sides
        // another move may lose to a third one.
        let next = position.next_color();
        let own = Ends::of(position, mover);
        let threats = threats(position, next, &Ends::of(position, next));
        // An answer that makes a losing row ends the game sooner than the threat does.
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
            let order = self.tables.order(mover, cell, &self.contents);
            (Move::stone(cell), (BASE_WEIGHT + order) as f32)
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

    /// A win with the next stone, or one of the only rival that nothing stops.
    fn decided(&mut self, position: &mut Position) -> Option<Decided> {
        if position.is_choice() {
            return None;
        }
        let mover = position.color_to_move();
        let seat = position.to_move();
        let own = Ends::of(position, mover);
        if win(position, &own).is_some() {
            return Some(Decided(Some(position.side_of(seat))));
        }
        let next = position.next_color();
        let threats = threats(position, next, &Ends::of(position, next));
        let lost = threats != 0 && answers(position, threats, next) & !own.losses == 0;
        (lost && position.opponents().count() == 1).then(|| {
            let other = position.side_of(position.seat_of(next));
            Decided(Some(other))
        })
    }
}
