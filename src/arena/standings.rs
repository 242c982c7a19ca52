//! How a tournament stands: everything that is counted, as a function of the finished games alone, in
//! whatever order they ended. A run that was broken off and resumed, and parts that were played apart,
//! therefore come to the same numbers as one run with the same results.

use crate::schedule::{Entrant, Format};
use crate::score::{Effort, Score, exact};
use crate::statistics::{Standings, Tally};
use pentarch_records::GameResult;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The results of a tournament so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// The names of the engines.
    pub names: Vec<String>,
    /// How the engines are brought together.
    pub format: Format,
    /// The points of each engine.
    pub points: PointsTable,
    /// The games of two engines with a side each, as the one with the lower number sees them.
    pub duels: BTreeMap<(Entrant, Entrant), Standings>,
    /// All games by who sat on the sides: how many, and how the points were shared by side.
    pub contests: BTreeMap<Vec<Vec<Entrant>>, (u32, Vec<f64>)>,
    /// The games of two sides that the first player won, drew and lost.
    pub first_player: Tally,
    /// How games ended, and how often.
    pub endings: BTreeMap<String, u32>,
    /// How often each engine lost in which way.
    pub losses: BTreeMap<(Entrant, String), u32>,
    /// The moves of all games, the fewest and the most.
    pub plies: Option<Plies>,
    /// What each engine has spent.
    pub efforts: Vec<Effort>,
    /// Meetings by round, who had the first seat first, and the points of both.
    meetings: BTreeMap<(u32, BTreeSet<Entrant>), Meeting>,
}

/// How long games were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plies {
    /// The number of games.
    pub games: u32,
    /// All moves.
    pub total: u64,
    /// The fewest of a game.
    pub least: u32,
    /// The most of a game.
    pub most: u32,
}

/// What two engines made of a round.
#[derive(Clone, Debug, Default, PartialEq)]
struct Meeting {
    games: u32,
    points: BTreeMap<Entrant, f64>,
}

/// An engine's row in the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The engine.
    pub entrant: Entrant,
    /// Its seats and points.
    pub row: PointsRow,
    /// Its points with those for rounds in which it rested.
    pub points: f64,
    /// The points of its opponents, each counted once a round.
    pub buchholz: f64,
    /// The points of its opponents, each by the share of the points that it took from them.
    pub sonneborn_berger: f64,
    /// Rounds in which it rested.
    pub rests: u32,
}

impl Standing {
    /// A tournament without games.
    pub fn new(names: Vec<String>, format: Format) -> Standing {
        Standing {
            efforts: vec![Effort::default(); names.len()],
            names,
            format,
            ..Standing::default()
        }
    }

    /// Counts a finished game.
    pub fn count(&mut self, score: &Score) {
        self.points.count(score);
        *self.endings.entry(score.reason.clone()).or_default() += 1;
        let sides = score.sides();
        self.count_sides(score, &sides);
        self.count_plies(score.plies);
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
        let contest = self.contests.entry(sides).or_insert_with(|| (0, vec![0.0; shares.len()]));
        contest.0 += 1;
        contest.1.iter_mut().zip(&shares).for_each(|(sum, share)| *sum = exact(*sum + share));
    }

    /// Counts what only games of two sides have.
    fn count_sides(&mut self, score: &Score, sides: &[Vec<Entrant>]) {
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
        self.duels.entry((first, one.max(two))).or_default().count(score, first);
        let key = (score.round, BTreeSet::from([one, two]));
        let meeting = self.meetings.entry(key).or_default();
        meeting.games += 1;
        for (entrant, share) in [one, two].into_iter().zip(score.shares()) {
            *meeting.points.entry(entrant).or_default() += share;
        }
    }

    fn count_plies(&mut self, plies: u32) {
        let none = Plies { games: 0, total: 0, least: u32::MAX, most: 0 };
        let sum = self.plies.get_or_insert(none);
        sum.games += 1;
        sum.total += u64::from(plies);
        sum.least = sum.least.min(plies);
        sum.most = sum.most.max(plies);
    }

    /// The number of games.
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

    /// The results of the first two engines against each other, as the first sees them.
    pub fn duel(&self) -> Standings {
        self.duels.get(&(Entrant(0), Entrant(1))).cloned().unwrap_or_default()
    }

    /// All engines, the best first: by points, in rounds that follow results by Buchholz, by
    /// Sonneborn-Berger, by the number. Where engines have played unequally many games (the run is
    /// not over, or they rested), the points still decide.
    pub fn table(&self) -> Vec<Row> {
        let points: Vec<f64> = self.entrants().map(|entrant| self.points_of(entrant)).collect();
        let mut rows: Vec<Row> =
            self.entrants().map(|entrant| self.row(entrant, &points)).collect();
        let swiss = self.format == Format::Swiss;
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

    fn row(&self, entrant: Entrant, points: &[f64]) -> Row {
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
        Row {
            entrant,
            row: self.points.rows().get(entrant.index()).copied().unwrap_or_default(),
            points: points[entrant.index()],
            buchholz,
            sonneborn_berger,
            rests: self.rests(entrant),
        }
    }

    /// The points of an engine; a rest counts as a won meeting.
    fn points_of(&self, entrant: Entrant) -> f64 {
        let played = self.points.rows().get(entrant.index()).map_or(0.0, |row| row.points);
        let games = self.meetings.values().map(|meeting| meeting.games).max().unwrap_or(0);
        played + f64::from(self.rests(entrant)) * f64::from(games)
    }

    /// In how many rounds of a Swiss an engine rested: those in which all others have met.
    fn rests(&self, entrant: Entrant) -> u32 {
        if self.format != Format::Swiss || self.names.len().is_multiple_of(2) {
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
