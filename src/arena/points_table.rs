//! What each engine of a match made of its games, however many sat at the board.

use super::schedule::{Entrant, Pairing};
use crate::game::Side;
use crate::records::GameResult;
use std::fmt;

/// The results of one engine. A game has one point to give: to the winning side, or in equal shares
/// to all sides of a draw; a side's point is shared by its seats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointsRow {
    /// Seats taken.
    pub seats: u32,
    /// Those that won.
    pub wins: u32,
    /// Those that drew, or were left when another player was at fault.
    pub draws: u32,
    /// Those that lost.
    pub losses: u32,
    /// All points.
    pub points: f64,
}

/// The results of all engines of a match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointsTable {
    rows: Vec<PointsRow>,
    games: u32,
}

impl PointsTable {
    /// Counts a finished game; `fault` is the side that ended a game of many sides by a fault.
    pub fn count(&mut self, pairing: &Pairing, sides: u8, result: GameResult, fault: Option<Side>) {
        self.games += 1;
        let seats_a_side = pairing.seats.len() as f64 / f64::from(sides.max(1));
        let others = f64::from(sides) - f64::from(u8::from(fault.is_some()));
        for (seat, &Entrant(number)) in pairing.seats.iter().enumerate() {
            let side = Side((seat % usize::from(sides.max(1))) as u8);
            let row = usize::from(number);
            self.rows.resize_with(self.rows.len().max(row + 1), PointsRow::default);
            let row = &mut self.rows[row];
            row.seats += 1;
            let (count, share) = match result {
                GameResult::Win(winner) if winner == side => (&mut row.wins, 1.0),
                GameResult::Win(_) => (&mut row.losses, 0.0),
                GameResult::Draw if fault == Some(side) => (&mut row.losses, 0.0),
                GameResult::Draw => (&mut row.draws, 1.0 / others),
            };
            *count += 1;
            row.points += share / seats_a_side;
        }
    }

    /// The results by entrant.
    pub fn rows(&self) -> &[PointsRow] {
        &self.rows
    }

    /// The number of games.
    pub fn games(&self) -> u32 {
        self.games
    }
}

/// The points of all, in the order of the engines.
impl fmt::Display for PointsTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points: Vec<_> = self.rows.iter().map(|row| format!("{:.2}", row.points)).collect();
        f.write_str(&points.join("-"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::opening::Opening;

    #[test]
    fn a_game_has_one_point_to_give() {
        let mut points = PointsTable::default();
        let pairing = |seats: &[u8]| Pairing {
            number: 1,
            seats: seats.iter().copied().map(Entrant).collect(),
            opening: Opening::default(),
        };
        points.count(&pairing(&[0, 1, 2]), 3, GameResult::Win(Side(1)), None);
        points.count(&pairing(&[1, 2, 0]), 3, GameResult::Draw, None);
        points.count(&pairing(&[2, 0, 1]), 3, GameResult::Draw, Some(Side(0)));
        let points: Vec<_> = points.rows().iter().map(|row| (row.points * 6.0).round()).collect();
        assert_eq!(points, [5.0, 11.0, 2.0]);
        let mut teams = PointsTable::default();
        teams.count(&pairing(&[0, 1, 0, 1]), 2, GameResult::Win(Side(0)), None);
        assert_eq!(teams.to_string(), "1.00-0.00");
    }
}
