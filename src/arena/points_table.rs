//! What each engine of a match made of its games, however many sat at the board.

use super::schedule::Entrant;
use super::score::{Score, exact};
use pentarch_records::GameResult;
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
    /// Counts a finished game.
    pub fn count(&mut self, score: &Score) {
        self.games += 1;
        let shares = score.shares();
        let seats_a_side = score.seats.len() as f64 / shares.len() as f64;
        for (seat, &Entrant(number)) in score.seats.iter().enumerate() {
            let side = seat % shares.len();
            let row = usize::from(number);
            self.rows.resize_with(self.rows.len().max(row + 1), PointsRow::default);
            let row = &mut self.rows[row];
            row.seats += 1;
            let count = match score.result {
                GameResult::Win(winner) if winner.index() == side => &mut row.wins,
                GameResult::Win(_) => &mut row.losses,
                GameResult::Draw if score.fault.is_some_and(|at| at.index() == side) => {
                    &mut row.losses
                }
                GameResult::Draw => &mut row.draws,
            };
            *count += 1;
            row.points = exact(row.points + shares[side] / seats_a_side);
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
    use pentarch_core::game::Side;

    /// Games that are played at the same time end in any order.
    #[test]
    fn the_order_of_the_games_does_not_count() {
        let score = |result| Score::new(&[0, 1, 2].map(Entrant), 3, result);
        let third = || score(GameResult::Draw);
        let won = || score(GameResult::Win(Side(0)));
        let points = |games: [Score; 4]| {
            let mut table = PointsTable::default();
            for game in &games {
                table.count(game);
            }
            table.rows()[0].points
        };
        for games in [[won(), third(), third(), third()], [third(), third(), third(), won()]] {
            assert!(points(games).total_cmp(&2.0).is_eq());
        }
    }

    #[test]
    fn a_game_has_one_point_to_give() {
        let mut points = PointsTable::default();
        let score = |seats: &[u8], sides, result| {
            let seats: Vec<_> = seats.iter().copied().map(Entrant).collect();
            Score::new(&seats, sides, result)
        };
        points.count(&score(&[0, 1, 2], 3, GameResult::Win(Side(1))));
        points.count(&score(&[1, 2, 0], 3, GameResult::Draw));
        let faulty = score(&[2, 0, 1], 3, GameResult::Draw);
        points.count(&Score { fault: Some(Side(0)), ..faulty });
        let points: Vec<_> = points.rows().iter().map(|row| (row.points * 6.0).round()).collect();
        assert_eq!(points, [5.0, 11.0, 2.0]);
        let mut teams = PointsTable::default();
        teams.count(&score(&[0, 1, 0, 1], 2, GameResult::Win(Side(0))));
        assert_eq!(teams.to_string(), "1.00-0.00");
    }
}
