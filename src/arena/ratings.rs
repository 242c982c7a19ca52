//! Ratings of many engines by maximum likelihood.
//!
//! Each engine has a strength. A game of two or more sides is won by each side with a probability
//! proportional to the exponential of its strength, which is the mean of its seats'. For two sides
//! that is the model of Bradley and Terry (*Rank analysis of incomplete block designs*, 1952), with
//! logistic Elo as the unit; for more sides it is the first place of Plackett and Luce (R. L.
//! Plackett, *The analysis of permutations*, 1975): records say who won, not who came second. A
//! draw gives each of k sides 1/k of a win, as in Ordo and Elostat.
//!
//! Newton's method finds the unique maximum. The error of a rating is 1.96 times the root of its
//! variance, with the mean of all ratings fixed at 0: the inverse of the Fisher information, less what
//! draws of two sides take from the variance of a game, as in Ordo.
//!
//! A maximum exists if points went from every engine to every other one, directly or through others
//! (L. R. Ford, *Solution of a ranking problem from binary comparisons*, 1957). If that does not
//! hold, because an engine won or lost everything or two groups have not met, each engine gets one
//! drawn game against the mean of all as a weak prior, and the ratings are marked.

use crate::schedule::Entrant;
use crate::standings::TournamentResults;
use crate::statistics::Z_95;
use std::f64::consts::LN_10;

/// A rating in Elo; 0 is the mean of all engines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    pub elo: f64,
    /// Half the width of the 95 % confidence interval.
    pub error: f64,
    /// The number of games that it is based on.
    pub games: u32,
}

/// The ratings of all engines.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By entrant.
    pub rows: Vec<Rating>,
    /// The name of the model.
    pub model: &'static str,
    /// The groups of engines within which points went in both directions, directly or through
    /// others. With more than one group a prior is needed.
    pub groups: Vec<Vec<Entrant>>,
}

/// Games between the same sides: the engines of each side with their weights, the number of games,
/// and the points of each side.
#[derive(Clone, Debug)]
struct RatedMatchup {
    sides: Vec<Vec<(usize, f64)>>,
    games: f64,
    draws: f64,
    wins: Vec<f64>,
}

/// Elo per unit of strength.
const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// The maximum step of an iteration, which prevents overshooting.
const MAX_STEP: f64 = 2.0;

impl Ratings {
    /// The model of two engines.
    pub(crate) const DIFFERENCE: &str = "Elo difference";

    /// The ratings; `None` without games. Two engines have half of their Elo difference each, with
    /// half of its error, which is based on pairs of games.
    pub fn of(results: &TournamentResults) -> Option<Ratings> {
        let count = results.names.len();
        if let Some(ratings) = Ratings::of_two(results) {
            return Some(ratings);
        }
        let matchups = results.totals_by_sides.iter().map(|(sides, totals)| {
            let weighed = |side: &Vec<Entrant>| {
                side.iter().map(|seat| (seat.index(), 1.0 / side.len() as f64)).collect()
            };
            let sides = sides.iter().map(weighed).collect();
            let (games, draws) = (f64::from(totals.games), f64::from(totals.draws));
            RatedMatchup { sides, games, draws, wins: totals.points.clone() }
        });
        Ratings::fit(count, matchups.collect())
    }

    fn of_two(results: &TournamentResults) -> Option<Ratings> {
        let head_to_head = results.head_to_head.get(&(Entrant(0), Entrant(1)))?;
        let games = head_to_head.total().games();
        if results.names.len() != 2 || games != results.games() {
            return None;
        }
        let estimate = head_to_head.elo_estimate()?;
        let error = estimate.error / 2.0;
        let rows = [0.5, -0.5].map(|half| Rating { elo: estimate.elo * half + 0.0, error, games });
        let groups = vec![Entrant::BOTH.to_vec()];
        Some(Ratings { rows: rows.to_vec(), model: Ratings::DIFFERENCE, groups })
    }

    fn fit(count: usize, mut matchups: Vec<RatedMatchup>) -> Option<Ratings> {
        matchups.retain(|matchup| matchup.sides.len() > 1 && matchup.games > 0.0);
        if matchups.is_empty() {
            return None;
        }
        let mut games = vec![0.0; count];
        for matchup in &matchups {
            let mut seen: Vec<usize> = matchup.sides.iter().flatten().map(|&(at, _)| at).collect();
            seen.sort_unstable();
            seen.dedup();
            for at in seen {
                games[at] += matchup.games;
            }
        }
        let groups = groups(count, &matchups);
        let prior = groups.len() > 1;
        let many_sides = matchups.iter().any(|matchup| matchup.sides.len() > 2);
        let (strengths, variances) = maximize(count, &matchups, prior);
        let row = |at: usize| Rating {
            // Removes rounding errors and the sign of zero.
            elo: (strengths[at] * ELO_PER_UNIT * 1e9).round() / 1e9 + 0.0,
            error: Z_95 * variances[at].max(0.0).sqrt() * ELO_PER_UNIT,
            games: games[at] as u32,
        };
        let model = if many_sides { "Plackett-Luce, first places" } else { "Bradley-Terry" };
        Some(Ratings { rows: (0..count).map(row).collect(), model, groups })
    }

    /// Whether the games alone determine the ratings.
    pub fn is_connected(&self) -> bool {
        self.groups.len() == 1
    }
}

/// The strengths of maximum likelihood and their variances.
fn maximize(count: usize, matchups: &[RatedMatchup], prior: bool) -> (Vec<f64>, Vec<f64>) {
    let mut strengths = vec![0.0; count];
    for _ in 0..200 {
        let (gradient, information) = gradient_and_information(&strengths, matchups, prior);
        let Some(inverse) = inverse(information) else { break };
        let mut step: Vec<f64> =
            inverse.iter().map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum()).collect();
        let longest = step.iter().fold(0.0f64, |most, part| most.max(part.abs()));
        if longest > MAX_STEP {
            step = step.iter().map(|part| part * MAX_STEP / longest).collect();
        }
        strengths.iter_mut().zip(&step).for_each(|(estimate, part)| *estimate += part);
        let mean = strengths.iter().sum::<f64>() / count as f64;
        strengths = strengths.iter().map(|estimate| estimate - mean).collect();
        if longest < 1e-10 {
            break;
        }
    }
    let (_, information) = gradient_and_information(&strengths, matchups, prior);
    let variances = match inverse(information) {
        Some(inverse) => (0..count).map(|at| variance(&inverse, matchups, at)).collect(),
        None => vec![f64::INFINITY; count],
    };
    (strengths, variances)
}

/// The variance of a strength. Draws vary less than wins and losses, so that a matchup of two sides
/// contributes less than its Fisher information.
fn variance(inverse: &[Vec<f64>], matchups: &[RatedMatchup], at: usize) -> f64 {
    // By construction the sum of all strengths, which the games do not determine, has variance 1.
    let fixed = 1.0 / (inverse.len() * inverse.len()) as f64;
    let excess = |matchup: &RatedMatchup| {
        let [first, second] = matchup.sides.as_slice() else { return 0.0 };
        let along = |side: &[(usize, f64)]| {
            side.iter().map(|&(other, weight)| inverse[at][other] * weight).sum::<f64>()
        };
        matchup.draws / 4.0 * (along(first) - along(second)).powi(2)
    };
    inverse[at][at] - fixed - matchups.iter().map(excess).sum::<f64>()
}

/// The gradient of the log-likelihood, and the Fisher information with the sum of all strengths
/// fixed.
fn gradient_and_information(
    strengths: &[f64],
    matchups: &[RatedMatchup],
    prior: bool,
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = strengths.len();
    let mut gradient = vec![0.0; count];
    let mut information = vec![vec![1.0; count]; count];
    for RatedMatchup { sides, games, wins, .. } in matchups {
        let win_probabilities = win_probabilities(strengths, sides);
        let mut mean = vec![0.0; count];
        for ((side, chance), won) in sides.iter().zip(&win_probabilities).zip(wins) {
            for &(at, weight) in side {
                gradient[at] += (won - games * chance) * weight;
                mean[at] += chance * weight;
                for &(other, other_weight) in side {
                    information[at][other] += games * chance * weight * other_weight;
                }
            }
        }
        let seated: Vec<usize> = (0..count).filter(|&at| mean[at] != 0.0).collect();
        for &at in &seated {
            for &other in &seated {
                information[at][other] -= games * mean[at] * mean[other];
            }
        }
    }
    if prior {
        for at in 0..count {
            let chance = 1.0 / (1.0 + (-strengths[at]).exp());
            gradient[at] += 0.5 - chance;
            information[at][at] += chance * (1.0 - chance);
        }
    }
    (gradient, information)
}

/// The probability of each side to win.
fn win_probabilities(strengths: &[f64], sides: &[Vec<(usize, f64)>]) -> Vec<f64> {
    let estimate = |side: &Vec<(usize, f64)>| {
        side.iter().map(|&(at, weight)| strengths[at] * weight).sum::<f64>()
    };
    let values: Vec<f64> = sides.iter().map(estimate).collect();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: Vec<f64> = values.iter().map(|value| (value - most).exp()).collect();
    let sum: f64 = odds.iter().sum();
    odds.iter().map(|odd| odd / sum).collect()
}

/// The inverse of a symmetric positive definite matrix by elimination; `None` if it is singular.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    let unit = |at: usize| (0..count).map(|other| f64::from(u8::from(at == other))).collect();
    let mut inverse: Vec<Vec<f64>> = (0..count).map(unit).collect();
    for column in 0..count {
        let by_size =
            |a: &usize, b: &usize| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs());
        let pivot = (column..count).max_by(by_size)?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let divisor = matrix[column][column];
        for row in [&mut matrix[column], &mut inverse[column]] {
            *row = row.iter().map(|value| value / divisor).collect();
        }
        let (lead, lead_inverse) = (matrix[column].clone(), inverse[column].clone());
        for row in (0..count).filter(|&row| row != column) {
            let factor = matrix[row][column];
            matrix[row].iter_mut().zip(&lead).for_each(|(value, part)| *value -= factor * part);
            inverse[row]
                .iter_mut()
                .zip(&lead_inverse)
                .for_each(|(value, part)| *value -= factor * part);
        }
    }
    Some(inverse)
}

/// The strongly connected components of the graph in which points go from the losing to the winning
/// side.
fn groups(count: usize, matchups: &[RatedMatchup]) -> Vec<Vec<Entrant>> {
    let mut reaches = vec![vec![false; count]; count];
    for RatedMatchup { sides, wins, .. } in matchups {
        for (side, _) in sides.iter().zip(wins).filter(|(_, won)| **won > 0.0) {
            let others = sides.iter().filter(|other| *other != side).flatten();
            for &(loser, _) in others {
                for &(winner, _) in side {
                    reaches[loser][winner] = true;
                }
            }
        }
    }
    for over in 0..count {
        let onward = reaches[over].clone();
        for row in reaches.iter_mut().filter(|row| row[over]) {
            row.iter_mut().zip(&onward).for_each(|(reached, more)| *reached |= more);
        }
    }
    let mut groups: Vec<Vec<Entrant>> = Vec::new();
    for (at, reached) in reaches.iter().enumerate() {
        let together = |group: &Vec<Entrant>| {
            let first = group[0].index();
            reached[first] && reaches[first][at]
        };
        match groups.iter_mut().find(|group| together(group)) {
            Some(group) => group.push(Entrant(at as u8)),
            None => groups.push(vec![Entrant(at as u8)]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of two engines: wins, draws and losses of the first.
    fn games_between(first: usize, second: usize, [wins, draws, losses]: [u32; 3]) -> RatedMatchup {
        let (draws, sides) = (f64::from(draws), vec![vec![(first, 1.0)], vec![(second, 1.0)]]);
        let wins = vec![f64::from(wins) + draws / 2.0, f64::from(losses) + draws / 2.0];
        RatedMatchup { sides, games: wins.iter().sum(), draws, wins }
    }

    /// Ordo 1.2.6 on the same results (`ordo -a 0 -N 4`, without an advantage of White). Its scale
    /// is a little wider: according to its manual a score of 76 % is 202 points, not 400
    /// log10(76/24).
    #[test]
    fn ratings_are_those_of_ordo() {
        let matchups = vec![
            games_between(0, 1, [7, 4, 3]),
            games_between(0, 2, [9, 2, 3]),
            games_between(0, 3, [10, 3, 1]),
            games_between(1, 2, [6, 5, 3]),
            games_between(1, 3, [8, 2, 4]),
            games_between(2, 3, [5, 6, 3]),
        ];
        let ratings = Ratings::fit(4, matchups).unwrap();
        assert!(ratings.is_connected());
        let scale = 400.0 * (76.0f64 / 24.0).log10() / 202.0;
        for (rating, ordo) in ratings.rows.iter().zip([130.5777, 19.2402, -47.3613, -102.4566]) {
            let ordo = ordo * scale;
            assert!((rating.elo - ordo).abs() < 1e-3, "{rating:?}, Ordo {ordo}");
            assert_eq!(rating.games, 42);
        }
    }

    /// `BayesElo` 0057 on the same results without and with draws (`prior 0`, `advantage 0`,
    /// `drawelo 0.01`, `scale 1`, `mm`, `covariance`, `ratings`), in whole points. In its model a
    /// draw has the probability of a win times a loss, so it counts like one of each.
    #[test]
    fn ratings_and_errors_are_those_of_bayes_elo() {
        let results = [
            (0, 1, [7, 4, 3]),
            (0, 2, [9, 2, 3]),
            (0, 3, [10, 3, 1]),
            (1, 2, [6, 5, 3]),
            (1, 3, [8, 2, 4]),
            (2, 3, [5, 6, 3]),
        ];
        for (counts_draws, expected) in [
            (0, [(174.0, 110.0), (21.0, 99.0), (-56.0, 104.0), (-140.0, 108.0)]),
            (1, [(104.0, 78.0), (17.0, 72.0), (-40.0, 71.0), (-81.0, 74.0)]),
        ] {
            let matchups = results.map(|(first, second, [wins, draws, losses])| {
                let draws = draws * counts_draws;
                games_between(first, second, [wins + draws, 0, losses + draws])
            });
            let ratings = Ratings::fit(4, matchups.to_vec()).unwrap();
            for (rating, (elo, error)) in ratings.rows.iter().zip(expected) {
                assert!((rating.elo - elo).abs() < 0.6, "{rating:?}, BayesElo {elo}");
                assert!((rating.error - error).abs() < 0.6, "{rating:?}, BayesElo {error}");
            }
        }
    }

    /// Citations between journals of statistics, by S. M. Stigler, *Citation patterns in the
    /// journals of statistics and probability* (1994), with the abilities and the error that H.
    /// Turner and D. Firth print in *Bradley-Terry models in R: the `BradleyTerry2` package*
    /// (2012), where Biometrika is 0.
    #[test]
    fn strengths_are_those_of_bradley_terry2() {
        let matchups = vec![
            games_between(0, 1, [730, 0, 33]),
            games_between(0, 2, [498, 0, 320]),
            games_between(0, 3, [221, 0, 284]),
            games_between(1, 2, [68, 0, 813]),
            games_between(1, 3, [17, 0, 276]),
            games_between(2, 3, [142, 0, 325]),
        ];
        let ratings = Ratings::fit(4, matchups).unwrap();
        let estimate = |at: usize| (ratings.rows[at].elo - ratings.rows[0].elo) / ELO_PER_UNIT;
        for (at, published) in [(1, -2.949_07), (2, -0.479_57), (3, 0.268_95)] {
            assert!((estimate(at) - published).abs() < 1e-4, "{at}: {}", estimate(at));
        }
    }

    /// Two engines with equal scores of n games: the strengths differ by 0 with variance 4 / n, and
    /// each is half of that difference from the mean.
    #[test]
    fn errors_worked_out_by_hand() {
        let ratings = Ratings::fit(2, vec![games_between(0, 1, [50, 0, 50])]).unwrap();
        for rating in &ratings.rows {
            assert!(rating.elo.abs() < 1e-9);
            assert!((rating.error - Z_95 * 0.1 * ELO_PER_UNIT).abs() < 1e-6, "{rating:?}");
        }
    }

    /// Ordo 1.2.6 on equal engines of which half of the games are drawn (`ordo -a 0 -s 5000 -N 3`); it
    /// simulates the errors.
    #[test]
    fn errors_with_draws_are_those_of_ordo() {
        let scale = 400.0 * (76.0f64 / 24.0).log10() / 202.0;
        for (matchups, expected) in [
            (vec![(0, 1, [2500, 5000, 2500])], vec![2.43, 2.43]),
            (vec![(0, 1, [5000, 0, 5000])], vec![3.44, 3.44]),
            (
                vec![(0, 1, [250, 500, 250]), (0, 2, [250, 500, 250]), (1, 2, [250, 500, 250])],
                vec![7.32, 7.32, 7.32],
            ),
            (
                vec![
                    (0, 1, [1000, 2000, 1000]),
                    (0, 2, [250, 500, 250]),
                    (1, 3, [500, 1000, 500]),
                    (2, 3, [250, 500, 250]),
                ],
                vec![6.05, 5.64, 8.33, 6.84],
            ),
        ] {
            let games = matchups.iter().map(|&(a, b, results)| games_between(a, b, results));
            let ratings = Ratings::fit(expected.len(), games.collect()).unwrap();
            for (rating, ordo) in ratings.rows.iter().zip(&expected) {
                let error = rating.error / scale;
                assert!((error / ordo - 1.0).abs() < 0.02, "{error}, Ordo {ordo}");
            }
        }
    }

    /// If the same three always play, the odds are those of the wins.
    #[test]
    fn three_at_a_board_have_the_odds_of_their_wins() {
        let sides = (0..3).map(|at| vec![(at, 1.0)]).collect();
        let matchup = RatedMatchup { sides, games: 10.0, draws: 0.0, wins: vec![5.0, 3.0, 2.0] };
        let ratings = Ratings::fit(3, vec![matchup]).unwrap();
        assert!(ratings.model.starts_with("Plackett-Luce") && ratings.is_connected());
        let odds =
            |a: usize, b: usize| ((ratings.rows[a].elo - ratings.rows[b].elo) / ELO_PER_UNIT).exp();
        assert!((odds(0, 1) - 5.0 / 3.0).abs() < 1e-9);
        assert!((odds(1, 2) - 1.5).abs() < 1e-9);
    }

    #[test]
    fn what_games_do_not_determine_is_marked() {
        // The first won everything; the last two have not met the others.
        let matchups = vec![games_between(0, 1, [4, 0, 0]), games_between(2, 3, [1, 2, 1])];
        let ratings = Ratings::fit(4, matchups).unwrap();
        assert!(!ratings.is_connected());
        let groups: Vec<_> = ratings.groups.iter().map(Vec::len).collect();
        assert_eq!(groups, [1, 1, 2]);
        assert!(
            ratings.rows.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite())
        );
        assert!(ratings.rows[0].elo > 100.0 && ratings.rows[1].elo < -100.0);
        assert!(Ratings::fit(2, Vec::new()).is_none());
    }
}
