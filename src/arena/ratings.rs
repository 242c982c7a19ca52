//! Ratings of many engines by maximum likelihood.
//!
//! An engine has a strength; a game of two or more sides is won by each with a probability that grows
//! with the exponential of its strength, a side's being the mean of its seats'. For two sides that is the
//! model of Bradley and Terry (*Rank analysis of incomplete block designs*, 1952), with logistic Elo as
//! the unit; for more it is the first place of Plackett and Luce (R. L. Plackett, *The analysis of
//! permutations*, 1975): records say who won, not who came second. A draw gives each of k sides 1/k of
//! a win, two sides a half, as Ordo and Elostat have it.
//!
//! Newton's method finds the one maximum. The error of a rating is 1.96 times the root of its
//! variance in the inverse of the Fisher information, with the mean of all ratings fixed at 0; draws,
//! which vary less than wins and losses, make it a little too large.
//!
//! A maximum exists if from every engine points went to every other one, directly or along others
//! (L. R. Ford, *Solution of a ranking problem from binary comparisons*, 1957). Where that does not hold -
//! somebody won or lost everything, or two groups have not met - each engine gets one drawn game
//! against the mean of all, as a weak prior, and the ratings are marked.

use crate::schedule::Entrant;
use crate::standings::Standing;
use std::f64::consts::LN_10;

/// A rating in Elo, where 0 is the mean of all engines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating.
    pub elo: f64,
    /// Half the width of its interval of 95 %.
    pub error: f64,
    /// The number of games it comes from.
    pub games: u32,
}

/// The ratings of all engines.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By entrant.
    pub rows: Vec<Rating>,
    /// Whether games of more than two sides count.
    pub many_sides: bool,
    /// Engines within a group have lost points to each other in both directions, directly or along others;
    /// one group alone has ratings by its games, more of them need a prior.
    pub groups: Vec<Vec<Entrant>>,
}

/// Games of the same sides: the weights of the engines in each side, how many games, and the wins of each
/// side.
#[derive(Clone, Debug)]
struct Contest {
    sides: Vec<Vec<(usize, f64)>>,
    games: f64,
    wins: Vec<f64>,
}

/// Elo of one unit of strength.
const UNIT: f64 = 400.0 / LN_10;

/// The longest step of an iteration, so that ratings far off are reached without overshooting.
const STEP: f64 = 2.0;

impl Ratings {
    /// The ratings of a standing, none without games.
    pub fn of(standing: &Standing) -> Option<Ratings> {
        let count = standing.names.len();
        let contests = standing.contests.iter().map(|(sides, (games, shares))| {
            let weighed = |side: &Vec<Entrant>| {
                side.iter().map(|seat| (seat.index(), 1.0 / side.len() as f64)).collect()
            };
            let sides = sides.iter().map(weighed).collect();
            Contest { sides, games: f64::from(*games), wins: shares.clone() }
        });
        Ratings::fit(count, contests.collect())
    }

    fn fit(count: usize, mut contests: Vec<Contest>) -> Option<Ratings> {
        contests.retain(|contest| contest.sides.len() > 1 && contest.games > 0.0);
        if contests.is_empty() {
            return None;
        }
        let mut games = vec![0.0; count];
        for contest in &contests {
            let mut seen: Vec<usize> = contest.sides.iter().flatten().map(|&(at, _)| at).collect();
            seen.sort_unstable();
            seen.dedup();
            for at in seen {
                games[at] += contest.games;
            }
        }
        let groups = groups(count, &contests);
        let prior = groups.len() > 1;
        let many_sides = contests.iter().any(|contest| contest.sides.len() > 2);
        let (strengths, variances) = maximize(count, &contests, prior);
        let row = |at: usize| Rating {
            // What is nothing but the error of sums is nothing, without a sign.
            elo: (strengths[at] * UNIT * 1e9).round() / 1e9 + 0.0,
            error: 1.96 * variances[at].max(0.0).sqrt() * UNIT,
            games: games[at] as u32,
        };
        Some(Ratings { rows: (0..count).map(row).collect(), many_sides, groups })
    }

    /// The name of the model.
    pub fn model(&self) -> &'static str {
        if self.many_sides { "Plackett-Luce, first places" } else { "Bradley-Terry" }
    }

    /// Whether the games alone determine the ratings.
    pub fn is_connected(&self) -> bool {
        self.groups.len() == 1
    }
}

/// The strengths of the greatest likelihood and their variances.
fn maximize(count: usize, contests: &[Contest], prior: bool) -> (Vec<f64>, Vec<f64>) {
    let mut strengths = vec![0.0; count];
    for _ in 0..200 {
        let (gradient, information) = slope(&strengths, contests, prior);
        let Some(inverse) = inverse(information) else { break };
        let mut step: Vec<f64> =
            inverse.iter().map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum()).collect();
        let longest = step.iter().fold(0.0f64, |most, part| most.max(part.abs()));
        if longest > STEP {
            step = step.iter().map(|part| part * STEP / longest).collect();
        }
        strengths.iter_mut().zip(&step).for_each(|(strength, part)| *strength += part);
        let mean = strengths.iter().sum::<f64>() / count as f64;
        strengths = strengths.iter().map(|strength| strength - mean).collect();
        if longest < 1e-10 {
            break;
        }
    }
    let (_, information) = slope(&strengths, contests, prior);
    // The sum of all, which the games say nothing of, has variance 1 in it by construction.
    let fixed = 1.0 / (count * count) as f64;
    let variances = match inverse(information) {
        Some(inverse) => (0..count).map(|at| inverse[at][at] - fixed).collect(),
        None => vec![f64::INFINITY; count],
    };
    (strengths, variances)
}

/// The gradient of the logarithm of the likelihood, and the Fisher information with the sum of all
/// strengths fixed.
fn slope(strengths: &[f64], contests: &[Contest], prior: bool) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = strengths.len();
    let mut gradient = vec![0.0; count];
    let mut information = vec![vec![1.0; count]; count];
    for Contest { sides, games, wins } in contests {
        let chances = chances(strengths, sides);
        let mut mean = vec![0.0; count];
        for ((side, chance), won) in sides.iter().zip(&chances).zip(wins) {
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

/// How likely each side is to win.
fn chances(strengths: &[f64], sides: &[Vec<(usize, f64)>]) -> Vec<f64> {
    let strength = |side: &Vec<(usize, f64)>| {
        side.iter().map(|&(at, weight)| strengths[at] * weight).sum::<f64>()
    };
    let values: Vec<f64> = sides.iter().map(strength).collect();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: Vec<f64> = values.iter().map(|value| (value - most).exp()).collect();
    let sum: f64 = odds.iter().sum();
    odds.iter().map(|odd| odd / sum).collect()
}

/// The inverse of a symmetric positive matrix by elimination; none if it has none.
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

/// The strongly connected parts of the graph in which points go from the losing to the winning side.
fn groups(count: usize, contests: &[Contest]) -> Vec<Vec<Entrant>> {
    let mut reaches = vec![vec![false; count]; count];
    for Contest { sides, wins, .. } in contests {
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
    fn duel(first: usize, second: usize, [wins, draws, losses]: [u32; 3]) -> Contest {
        let (draws, sides) =
            (f64::from(draws) / 2.0, vec![vec![(first, 1.0)], vec![(second, 1.0)]]);
        let wins = vec![f64::from(wins) + draws, f64::from(losses) + draws];
        Contest { sides, games: wins.iter().sum(), wins }
    }

    /// What Ordo 1.2.6 says to these results (`ordo -a 0 -N 4`, without an advantage of White). Its scale
    /// is a little wider: a score of 76 % are 202 points, by its manual, and not 400 log10(76/24).
    #[test]
    fn ratings_are_those_of_ordo() {
        let contests = vec![
            duel(0, 1, [7, 4, 3]),
            duel(0, 2, [9, 2, 3]),
            duel(0, 3, [10, 3, 1]),
            duel(1, 2, [6, 5, 3]),
            duel(1, 3, [8, 2, 4]),
            duel(2, 3, [5, 6, 3]),
        ];
        let ratings = Ratings::fit(4, contests).unwrap();
        assert!(ratings.is_connected());
        let scale = 400.0 * (76.0f64 / 24.0).log10() / 202.0;
        for (rating, ordo) in ratings.rows.iter().zip([130.5777, 19.2402, -47.3613, -102.4566]) {
            let ordo = ordo * scale;
            assert!((rating.elo - ordo).abs() < 1e-3, "{rating:?}, Ordo {ordo}");
            assert_eq!(rating.games, 42);
        }
    }

    /// What `BayesElo` 0057 says to the same results without their draws and with them (`prior 0`,
    /// `advantage 0`, `drawelo 0.01`, `scale 1`, `mm`, `covariance`, `ratings`), in whole points. In its
    /// model a draw is as likely as a win times a loss, and so counts like one of each.
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
            let contests = results.map(|(first, second, [wins, draws, losses])| {
                let draws = draws * counts_draws;
                duel(first, second, [wins + draws, 0, losses + draws])
            });
            let ratings = Ratings::fit(4, contests.to_vec()).unwrap();
            for (rating, (elo, error)) in ratings.rows.iter().zip(expected) {
                assert!((rating.elo - elo).abs() < 0.6, "{rating:?}, BayesElo {elo}");
                assert!((rating.error - error).abs() < 0.6, "{rating:?}, BayesElo {error}");
            }
        }
    }

    /// How often journals of statistics cite each other, by S. M. Stigler, *Citation patterns in the
    /// journals of statistics and probability* (1994), with the abilities and the one error that H. Turner
    /// and D. Firth print in *Bradley-Terry models in R: the `BradleyTerry2` package* (2012), where
    /// Biometrika is 0.
    #[test]
    fn strengths_are_those_of_bradley_terry2() {
        let contests = vec![
            duel(0, 1, [730, 0, 33]),
            duel(0, 2, [498, 0, 320]),
            duel(0, 3, [221, 0, 284]),
            duel(1, 2, [68, 0, 813]),
            duel(1, 3, [17, 0, 276]),
            duel(2, 3, [142, 0, 325]),
        ];
        let ratings = Ratings::fit(4, contests).unwrap();
        let strength = |at: usize| (ratings.rows[at].elo - ratings.rows[0].elo) / UNIT;
        for (at, published) in [(1, -2.949_07), (2, -0.479_57), (3, 0.268_95)] {
            assert!((strength(at) - published).abs() < 1e-4, "{at}: {}", strength(at));
        }
    }

    /// Two engines with equal scores of n games: the strengths differ by 0 with variance 4 / n, and
    /// each of them is half of that difference away from the mean.
    #[test]
    fn errors_worked_out_by_hand() {
        let ratings = Ratings::fit(2, vec![duel(0, 1, [50, 0, 50])]).unwrap();
        for rating in &ratings.rows {
            assert!(rating.elo.abs() < 1e-9);
            assert!((rating.error - 1.96 * 0.1 * UNIT).abs() < 1e-6, "{rating:?}");
        }
    }

    /// Where all always sit at one board, the odds are those of the wins.
    #[test]
    fn three_at_a_board_have_the_odds_of_their_wins() {
        let sides = (0..3).map(|at| vec![(at, 1.0)]).collect();
        let contest = Contest { sides, games: 10.0, wins: vec![5.0, 3.0, 2.0] };
        let ratings = Ratings::fit(3, vec![contest]).unwrap();
        assert!(ratings.many_sides && ratings.is_connected());
        let odds = |a: usize, b: usize| ((ratings.rows[a].elo - ratings.rows[b].elo) / UNIT).exp();
        assert!((odds(0, 1) - 5.0 / 3.0).abs() < 1e-9);
        assert!((odds(1, 2) - 1.5).abs() < 1e-9);
    }

    #[test]
    fn what_games_do_not_determine_is_marked() {
        // The first won everything; the last two have not met the others.
        let contests = vec![duel(0, 1, [4, 0, 0]), duel(2, 3, [1, 2, 1])];
        let ratings = Ratings::fit(4, contests).unwrap();
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
