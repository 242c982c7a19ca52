//! The results of a tournament: everything that is counted, as a function of the set of finished
//! games. Interrupted and resumed runs and merged shards therefore give the same numbers as one run
//! with the same results.

use crate::schedule::{Entrant, TournamentFormat};
use crate::score::{ScoredGame, SearchEffort, round_points};
use crate::statistics::{HeadToHead, WinDrawLoss};
use pentarch_records::GameResult;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The results of a tournament so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TournamentResults {
    pub names: Vec<String>,
    pub format: TournamentFormat,
    pub points: PointsTable,
    /// The games between two engines with a side each, from the view of the one with the lower
    /// number.
    pub head_to_head: BTreeMap<(Entrant, Entrant), HeadToHead>,
    /// The number of games and the points of each side, by the engines on the sides.
    pub totals_by_sides: BTreeMap<Vec<Vec<Entrant>>, SideTotals>,
    /// The games of two sides from the view of the first player.
    pub first_player: WinDrawLoss,
    /// The number of games that the machine spoiled, which do not count.
    pub spoiled: u32,
    /// The number of games by reason of their end.
    pub endings: BTreeMap<String, u32>,
    /// The number of losses of each engine by reason.
    pub losses: BTreeMap<(Entrant, String), u32>,
    /// The lengths of the games.
    pub lengths: Option<GameLengths>,
    pub efforts: Vec<SearchEffort>,
    /// Meetings by round and engines.
    meetings: BTreeMap<(u32, BTreeSet<Entrant>), Meeting>,
}

/// The games between the same sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideTotals {
    pub games: u32,
    pub draws: u32,
    /// The points of each side.
    pub points: Vec<f64>,
}

/// The lengths of games in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLengths {
    pub games: u32,
    /// The sum over all games.
    pub total: u64,
    pub shortest: u32,
    pub longest: u32,
}

/// The result of two engines in a round.
#[derive(Clone, Debug, Default, PartialEq)]
struct Meeting {
    games: u32,
    points: BTreeMap<Entrant, f64>,
}

/// An engine in the ranking.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedEngine {
    pub entrant: Entrant,
    /// Its results without byes.
    pub game_points: EnginePoints,
    /// Its points, including those for byes.
    pub points: f64,
    /// The sum of the opponents' points, each opponent counted once a round.
    pub buchholz: f64,
    /// The sum of the opponents' points, each weighted by the share of points taken from it.
    pub sonneborn_berger: f64,
    /// The number of byes.
    pub rests: u32,
}

impl TournamentResults {
    pub fn new(names: Vec<String>, format: TournamentFormat) -> TournamentResults {
        TournamentResults {
            efforts: vec![SearchEffort::default(); names.len()],
            names,
            format,
            ..TournamentResults::default()
        }
    }

    /// Counts a finished game.
    pub fn count(&mut self, score: &ScoredGame) {
        if score.is_spoiled {
            self.spoiled += 1;
            return;
        }
        self.points.count(score);
        *self.endings.entry(score.reason.clone()).or_default() += 1;
        let sides = score.sides();
        self.count_sides(score, &sides);
        self.count_length(score.plies);
        for (&seat, &effort) in score.seats.iter().zip(&score.effort) {
            if let Some(sum) = self.efforts.get_mut(seat.index()) {
                *sum = sum.plus(effort);
            }
        }
        let shares = score.shares();
        for (side, share) in sides.iter().zip(&shares) {
            if *share == 0.0 {
                for &entrant in side.iter().collect::<BTreeSet<_>>() {
                    *self.losses.entry((entrant, score.reason.clone())).or_default() += 1;
                }
            }
        }
        let totals = self.totals_by_sides.entry(sides).or_default();
        totals.games += 1;
        totals.draws += u32::from(score.result == GameResult::Draw && score.fault.is_none());
        totals.points.resize(shares.len(), 0.0);
        for (sum, share) in totals.points.iter_mut().zip(&shares) {
            *sum = round_points(*sum + share);
        }
    }

    /// Counts the parts that only games of two sides have.
    fn count_sides(&mut self, score: &ScoredGame, sides: &[Vec<Entrant>]) {
        let [one, two] = sides else { return };
        let alone = |side: &[Entrant]| {
            let first = *side.first()?;
            side.iter().all(|&entrant| entrant == first).then_some(first)
        };
        let (Some(one), Some(two)) = (alone(one), alone(two)) else { return };
        match score.winner() {
            None => self.first_player.draws += 1,
            Some(winner) if winner == one => self.first_player.wins += 1,
            Some(_) => self.first_player.losses += 1,
        }
        if one == two {
            return;
        }
        let first = one.min(two);
        self.head_to_head.entry((first, one.max(two))).or_default().count(score, first);
        let key = (score.round, BTreeSet::from([one, two]));
        let meeting = self.meetings.entry(key).or_default();
        meeting.games += 1;
        for (entrant, share) in [one, two].into_iter().zip(score.shares()) {
            *meeting.points.entry(entrant).or_default() += share;
        }
    }

    fn count_length(&mut self, plies: u32) {
        let none = GameLengths { games: 0, total: 0, shortest: u32::MAX, longest: 0 };
        let sum = self.lengths.get_or_insert(none);
        sum.games += 1;
        sum.total += u64::from(plies);
        sum.shortest = sum.shortest.min(plies);
        sum.longest = sum.longest.max(plies);
    }

    pub fn games(&self) -> u32 {
        self.points.games()
    }

    /// The engines by number.
    pub fn entrants(&self) -> impl Iterator<Item = Entrant> + use<> {
        (0..self.names.len() as u8).map(Entrant)
    }

    /// The name of an engine.
    pub fn name(&self, entrant: Entrant) -> &str {
        self.names.get(entrant.index()).map_or("?", String::as_str)
    }

    /// The games between the first two engines, from the view of the first.
    pub fn first_pair(&self) -> HeadToHead {
        self.head_to_head.get(&(Entrant(0), Entrant(1))).cloned().unwrap_or_default()
    }

    /// All engines, the best first: by points, in a Swiss by Buchholz, by Sonneborn-Berger, then by
    /// number. Points decide even if engines have played different numbers of games.
    pub fn ranking(&self) -> Vec<RankedEngine> {
        let points: Vec<f64> = self.entrants().map(|entrant| self.points_of(entrant)).collect();
        let mut rows: Vec<RankedEngine> =
            self.entrants().map(|entrant| self.row(entrant, &points)).collect();
        let swiss = self.format == TournamentFormat::Swiss;
        rows.sort_by(|a, b| {
            let buchholz =
                if swiss { b.buchholz.total_cmp(&a.buchholz) } else { std::cmp::Ordering::Equal };
            b.points
                .total_cmp(&a.points)
                .then(buchholz)
                .then(b.sonneborn_berger.total_cmp(&a.sonneborn_berger))
                .then(a.entrant.cmp(&b.entrant))
        });
        rows
    }

    fn row(&self, entrant: Entrant, points: &[f64]) -> RankedEngine {
        let (mut buchholz, mut sonneborn_berger) = (0.0, 0.0);
        for ((_, members), meeting) in &self.meetings {
            let Some(other) = members.iter().find(|&&other| other != entrant) else { continue };
            if members.contains(&entrant) {
                let theirs = points.get(other.index()).copied().unwrap_or(0.0);
                buchholz += theirs;
                let mine = meeting.points.get(&entrant).copied().unwrap_or(0.0);
                sonneborn_berger += theirs * mine / f64::from(meeting.games);
            }
        }
        RankedEngine {
            entrant,
            game_points: self.points.rows().get(entrant.index()).copied().unwrap_or_default(),
            points: points[entrant.index()],
            buchholz,
            sonneborn_berger,
            rests: self.rests(entrant),
        }
    }

    /// The points of an engine; a bye counts as a won meeting.
    fn points_of(&self, entrant: Entrant) -> f64 {
        let played = self.points.rows().get(entrant.index()).map_or(0.0, |row| row.points);
        let games = self.meetings.values().map(|meeting| meeting.games).max().unwrap_or(0);
        played + f64::from(self.rests(entrant)) * f64::from(games)
    }

    /// The number of byes of an engine in a Swiss: rounds in which all others have met.
    fn rests(&self, entrant: Entrant) -> u32 {
        if self.format != TournamentFormat::Swiss || self.names.len().is_multiple_of(2) {
            return 0;
        }
        let mut rounds: BTreeMap<u32, BTreeSet<Entrant>> = BTreeMap::new();
        for (round, members) in self.meetings.keys() {
            rounds.entry(*round).or_default().extend(members);
        }
        let all = self.names.len() - 1;
        let rested =
            |playing: &&BTreeSet<Entrant>| playing.len() == all && !playing.contains(&entrant);
        rounds.values().filter(rested).count() as u32
    }
}

/// The results of one engine. A game has one point: it goes to the winning side, or is shared
/// equally by all sides of a draw; the seats of a side share its point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnginePoints {
    /// The number of seats taken.
    pub seats: u32,
    /// Seats that won.
    pub wins: u32,
    /// Seats that drew, or remained when another player was at fault.
    pub draws: u32,
    /// Seats that lost.
    pub losses: u32,
    pub points: f64,
}

/// The points of all engines, for any number of seats at a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointsTable {
    rows: Vec<EnginePoints>,
    games: u32,
}

impl PointsTable {
    /// Counts a finished game.
    pub fn count(&mut self, score: &ScoredGame) {
        self.games += 1;
        let shares = score.shares();
        let seats_a_side = score.seats.len() as f64 / shares.len() as f64;
        for (seat, &Entrant(number)) in score.seats.iter().enumerate() {
            let side = seat % shares.len();
            let row = usize::from(number);
            self.rows.resize_with(self.rows.len().max(row + 1), EnginePoints::default);
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
            row.points = round_points(row.points + shares[side] / seats_a_side);
        }
    }

    /// The results by entrant.
    pub fn rows(&self) -> &[EnginePoints] {
        &self.rows
    }

    pub fn games(&self) -> u32 {
        self.games
    }
}

/// The points of all engines in their order.
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

    /// Concurrent games end in any order.
    #[test]
    fn the_order_of_the_games_does_not_count() {
        let score = |result| ScoredGame::new(&[0, 1, 2].map(Entrant), 3, result);
        let third = || score(GameResult::Draw);
        let won = || score(GameResult::Win(Side(0)));
        let points = |games: [ScoredGame; 4]| {
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
            ScoredGame::new(&seats, sides, result)
        };
        points.count(&score(&[0, 1, 2], 3, GameResult::Win(Side(1))));
        points.count(&score(&[1, 2, 0], 3, GameResult::Draw));
        let faulty = score(&[2, 0, 1], 3, GameResult::Draw);
        points.count(&ScoredGame { fault: Some(Side(0)), ..faulty });
        let points: Vec<_> = points.rows().iter().map(|row| (row.points * 6.0).round()).collect();
        assert_eq!(points, [5.0, 11.0, 2.0]);
        let mut teams = PointsTable::default();
        teams.count(&score(&[0, 1, 0, 1], 2, GameResult::Win(Side(0))));
        assert_eq!(teams.to_string(), "1.00-0.00");
    }
}
