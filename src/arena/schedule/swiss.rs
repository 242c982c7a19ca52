//! The pairs of a Swiss: engines with equal points, none twice as long as that can be avoided.
//!
//! The order is by points, then by number. In a group of equal points the first half meets the second
//! half (the Dutch system, FIDE Handbook C.04.3); where that would repeat a meeting, now or because the
//! rounds that are left could not be paired any more, the search goes on to the nearest other engine.
//! With an odd number of engines the last one of those who rested least rests, with the points of a
//! won meeting.

use super::{Entrant, MatchScore};
use std::cmp::Reverse;

/// How many pairs are tried before a meeting may repeat that need not, and in each look ahead at the
/// rounds that are left. Tournaments of a few dozen engines need some hundreds.
const BUDGET: u32 = 20_000;

/// What a round has to know of an engine.
#[derive(Clone, Copy, Debug)]
struct Player {
    entrant: Entrant,
    half_points: u32,
    firsts: u32,
    rests: u32,
}

/// The meetings that there were, as counts by both numbers; the number after the last is a rest.
type Met = Vec<Vec<u32>>;

/// The pairs of a round of that many, from the results of those before. The first of a pair has the first
/// seat.
pub(super) fn round(
    entrants: u8,
    (round, rounds): (u32, u32),
    history: &[MatchScore],
    games: u32,
) -> Vec<[Entrant; 2]> {
    let mut players: Vec<Player> =
        (0..entrants).map(|number| player(Entrant(number), round, history, games)).collect();
    players.sort_by_key(|player| (Reverse(player.half_points), player.entrant));
    let met = met(&players, history);
    // A meeting may repeat once everybody has met everybody, and so on.
    let cycle = u32::from(entrants.next_multiple_of(2)).saturating_sub(1).max(1);
    let left = (rounds - round).min(cycle - 1 - (round - 1) % cycle);
    let fewest = (round - 1) / cycle + 1;
    let found = (fewest..=round).find_map(|most| {
        let mut search = Search { met: &met, most, left, budget: BUDGET };
        search.pairs(&players)
    });
    found.unwrap_or_default().into_iter().map(|pair| first_seat(pair, round)).collect()
}

/// Who has met whom how often, and who rested how often.
fn met(players: &[Player], history: &[MatchScore]) -> Met {
    let size = players.len().next_multiple_of(2);
    let mut met = vec![vec![0; size]; size];
    for [a, b] in history.iter().map(|meeting| meeting.members) {
        met[a.index()][b.index()] += 1;
        met[b.index()][a.index()] += 1;
    }
    for player in players.iter().filter(|_| size > players.len()) {
        met[player.entrant.index()][size - 1] = player.rests;
        met[size - 1][player.entrant.index()] = player.rests;
    }
    met
}

fn player(entrant: Entrant, round: u32, history: &[MatchScore], games: u32) -> Player {
    let mine = history.iter().filter(|meeting| meeting.members.contains(&entrant));
    let (mut half_points, mut firsts, mut meetings) = (0, 0, 0);
    for meeting in mine {
        let at = usize::from(meeting.members[0] != entrant);
        half_points += meeting.half_points[at];
        firsts += u32::from(at == 0);
        meetings += 1;
    }
    let rests = (round - 1).saturating_sub(meetings);
    Player { entrant, half_points: half_points + rests * 2 * games, firsts, rests }
}

/// Who may rest, the likeliest first: nobody if the number is even.
fn resting(players: &[Player]) -> Vec<usize> {
    if players.len().is_multiple_of(2) {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..players.len()).rev().collect();
    order.sort_by_key(|&index| players[index].rests);
    order
}

/// All but the one who rests.
fn seated(players: &[Player], resting: Option<usize>) -> Vec<Player> {
    let all = players.iter().enumerate();
    all.filter(|&(index, _)| Some(index) != resting).map(|(_, player)| *player).collect()
}

/// A search for the pairs of a round.
struct Search<'a> {
    met: &'a Met,
    /// Pairs that have met less often than this may meet.
    most: u32,
    /// How many rounds after this one are to be possible without more meetings.
    left: u32,
    budget: u32,
}

impl Search<'_> {
    /// The best pairs, if there are any.
    fn pairs(&mut self, players: &[Player]) -> Option<Vec<[Player; 2]>> {
        let candidates: Vec<Option<usize>> = match resting(players).as_slice() {
            [] => vec![None],
            some => some.iter().copied().map(Some).collect(),
        };
        candidates.into_iter().find_map(|rest| {
            let mut pairs = Vec::new();
            let resting = rest.map(|rest| players[rest].entrant);
            if resting.is_some_and(|entrant| !self.may_meet(entrant.index(), self.met.len() - 1)) {
                return None;
            }
            self.pair_up(&seated(players, rest), &mut pairs, resting).then_some(pairs)
        })
    }

    fn may_meet(&self, a: usize, b: usize) -> bool {
        self.met[a][b] < self.most
    }

    /// Pairs the first player with the best opponent that leaves pairs for all others.
    fn pair_up(
        &mut self,
        players: &[Player],
        pairs: &mut Vec<[Player; 2]>,
        resting: Option<Entrant>,
    ) -> bool {
        let Some((first, rest)) = players.split_first() else {
            return self.goes_on(pairs, resting);
        };
        for index in by_preference(first, rest) {
            if !self.may_meet(first.entrant.index(), rest[index].entrant.index()) {
                continue;
            }
            let Some(budget) = self.budget.checked_sub(1) else { return false };
            self.budget = budget;
            let mut left = rest.to_vec();
            pairs.push([*first, left.remove(index)]);
            if self.pair_up(&left, pairs, resting) {
                return true;
            }
            pairs.pop();
        }
        false
    }

    /// Whether the rounds after these pairs can be played without more meetings than allowed.
    fn goes_on(&self, pairs: &[[Player; 2]], resting: Option<Entrant>) -> bool {
        if self.left == 0 {
            return true;
        }
        let size = self.met.len();
        let mut used: Vec<Vec<bool>> = (0..size)
            .map(|a| (0..size).map(|b| a == b || !self.may_meet(a, b)).collect())
            .collect();
        let mut meet = |a: usize, b: usize| (used[a][b], used[b][a]) = (true, true);
        for [a, b] in pairs {
            meet(a.entrant.index(), b.entrant.index());
        }
        if let Some(resting) = resting {
            meet(resting.index(), size - 1);
        }
        let all: Vec<usize> = (0..size).collect();
        lasts(&mut used, &all, self.left, &mut { BUDGET })
    }
}

/// Whether there are that many more rounds without a pair that was used; taken for granted once the
/// budget is spent.
fn lasts(used: &mut [Vec<bool>], free: &[usize], rounds: u32, budget: &mut u32) -> bool {
    let Some((&a, rest)) = free.split_first() else {
        let all: Vec<usize> = (0..used.len()).collect();
        return rounds == 1 || lasts(used, &all, rounds - 1, budget);
    };
    for (index, &b) in rest.iter().enumerate() {
        if used[a][b] {
            continue;
        }
        let Some(left) = budget.checked_sub(1) else { return true };
        *budget = left;
        (used[a][b], used[b][a]) = (true, true);
        let mut others = rest.to_vec();
        others.remove(index);
        if lasts(used, &others, rounds, budget) {
            return true;
        }
        (used[a][b], used[b][a]) = (false, false);
    }
    false
}

/// The opponents of the first player: in its group of points from the middle on, then those of the
/// groups below.
fn by_preference(first: &Player, rest: &[Player]) -> Vec<usize> {
    let same = rest.iter().take_while(|other| other.half_points == first.half_points).count();
    let ideal = same / 2;
    let mut order: Vec<usize> = (0..rest.len()).collect();
    order.sort_by_key(|&index| {
        let group = if index < same { 0 } else { first.half_points - rest[index].half_points + 1 };
        (group, if index < same { index.abs_diff(ideal) } else { index })
    });
    order
}

/// Who had the first seat less often has it; else the higher one in every other round.
fn first_seat([a, b]: [Player; 2], round: u32) -> [Entrant; 2] {
    let swap = match a.firsts.cmp(&b.firsts) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => round.is_multiple_of(2),
        std::cmp::Ordering::Greater => true,
    };
    if swap { [b.entrant, a.entrant] } else { [a.entrant, b.entrant] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Plays a Swiss in which the engine with the lower number wins every meeting.
    fn played(entrants: u8, rounds: u32) -> Vec<MatchScore> {
        let mut history = Vec::new();
        for number in 1..=rounds {
            for members in round(entrants, (number, rounds), &history, 1) {
                let lower = usize::from(members[0] > members[1]);
                let mut half_points = [0; 2];
                half_points[lower] = 2;
                let wins_as_second = [0; 2];
                history.push(MatchScore { round: number, members, half_points, wins_as_second });
            }
        }
        history
    }

    #[test]
    fn the_first_round_has_the_upper_half_against_the_lower() {
        let pairs = round(8, (1, 5), &[], 1);
        let pairs: Vec<_> = pairs.iter().map(|pair| pair.map(|entrant| entrant.0)).collect();
        assert_eq!(pairs, [[0, 4], [1, 5], [2, 6], [3, 7]]);
    }

    #[test]
    fn nobody_meets_twice_while_that_can_be_avoided() {
        for (entrants, rounds) in [(6, 5), (8, 7), (7, 7), (12, 11), (32, 7), (5, 5)] {
            let history = played(entrants, rounds);
            let mut met = HashSet::new();
            for meeting in &history {
                let [a, b] = meeting.members;
                assert!(met.insert((a.min(b), a.max(b))), "{entrants}: {a:?} and {b:?} again");
            }
            assert_eq!(history.len(), rounds as usize * usize::from(entrants / 2));
        }
        // Two engines have no choice; with more rounds than others everybody meets equally often.
        assert_eq!(played(2, 3).len(), 3);
        assert_eq!(played(3, 7).len(), 7);
        let history = played(4, 6);
        let count = |a: u8, b: u8| {
            let both = |meeting: &&MatchScore| {
                meeting.members.contains(&Entrant(a)) && meeting.members.contains(&Entrant(b))
            };
            history.iter().filter(both).count()
        };
        assert!((0..4).all(|a| (0..a).all(|b| count(a, b) == 2)), "{history:?}");
    }

    #[test]
    fn rests_and_first_seats_are_shared() {
        for (entrants, rounds) in [(7, 7), (8, 6), (5, 4)] {
            let history = played(entrants, rounds);
            for number in (0..entrants).map(Entrant) {
                let mine = history.iter().filter(|meeting| meeting.members.contains(&number));
                let meetings = mine.clone().count() as u32;
                assert!(meetings + 1 >= rounds, "{number:?} of {entrants} rested twice");
                let firsts = mine.filter(|meeting| meeting.members[0] == number).count() as u32;
                assert!(firsts.abs_diff(meetings - firsts) <= 2, "{number:?} of {entrants}");
            }
        }
    }

    #[test]
    fn leaders_meet() {
        let history = played(8, 2);
        let leaders: Vec<_> = round(8, (3, 3), &history, 1)[0].to_vec();
        let won = |entrant: Entrant| {
            let winners = history.iter().map(|meeting| meeting.members[0].min(meeting.members[1]));
            winners.filter(|&winner| winner == entrant).count()
        };
        assert!(leaders.iter().all(|&entrant| won(entrant) == 2), "{leaders:?}");
    }
}
