//! The pairs of a knockout.
//!
//! The engines are seeded in the order in which they are named: the first meets the last, and the
//! first two can meet in the final only. Places that are left over in the first round give the first
//! engines a rest. A meeting is won by more points; then by more games won from the second seat; then by
//! the better seed.

use super::{Entrant, MatchScore};

/// The pairs of a round, from 1, in the order of the bracket; none after the final.
pub(super) fn round(entrants: u8, round: u32, history: &[MatchScore]) -> Option<Vec<[Entrant; 2]>> {
    let mut bracket: Vec<Option<Entrant>> = seeding(entrants);
    for played in 1..round {
        bracket = bracket.chunks(2).map(|pair| winner(pair, played, history)).collect();
    }
    let full = |pair: &[Option<Entrant>]| match *pair {
        [Some(a), Some(b)] => Some([a.min(b), a.max(b)]),
        _ => None,
    };
    (bracket.len() > 1).then(|| bracket.chunks(2).filter_map(full).collect())
}

/// The engines in the order of the bracket; places without an engine are a rest.
fn seeding(entrants: u8) -> Vec<Option<Entrant>> {
    let size = usize::from(entrants.max(1)).next_power_of_two();
    let mut seeds = vec![0usize];
    while seeds.len() < size {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    let engine = |seed: usize| (seed < usize::from(entrants)).then_some(Entrant(seed as u8));
    seeds.into_iter().map(engine).collect()
}

fn winner(pair: &[Option<Entrant>], round: u32, history: &[MatchScore]) -> Option<Entrant> {
    let (a, b) = match *pair {
        [Some(a), Some(b)] => (a, b),
        [a, b] => return a.or(b),
        _ => return None,
    };
    let meeting = history.iter().find(|meeting| {
        meeting.round == round && meeting.members.contains(&a) && meeting.members.contains(&b)
    });
    meeting.map_or(Some(a.min(b)), |meeting| Some(advances(meeting)))
}

/// Who goes on after a meeting.
pub(super) fn advances(meeting: &MatchScore) -> Entrant {
    let [a, b] = meeting.members;
    let key = |at: usize| (meeting.half_points[at], meeting.wins_as_second[at]);
    match key(0).cmp(&key(1)) {
        std::cmp::Ordering::Greater => a,
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Equal => a.min(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(pairs: Option<Vec<[Entrant; 2]>>) -> Vec<[u8; 2]> {
        pairs.unwrap().iter().map(|pair| pair.map(|entrant| entrant.0)).collect()
    }

    #[test]
    fn the_better_half_rests_and_the_first_two_meet_last() {
        assert_eq!(numbers(round(8, 1, &[])), [[0, 7], [3, 4], [1, 6], [2, 5]]);
        assert_eq!(numbers(round(6, 1, &[])), [[3, 4], [2, 5]]);
        assert_eq!(numbers(round(2, 1, &[])), [[0, 1]]);
        assert_eq!(round(2, 2, &[]), None);
        // Without results the better seed goes on.
        assert_eq!(numbers(round(6, 2, &[])), [[0, 3], [1, 2]]);
        assert_eq!(numbers(round(6, 3, &[])), [[0, 1]]);
        assert_eq!(round(6, 4, &[]), None);
    }

    #[test]
    fn ties_are_broken_as_stated() {
        let meeting = |half_points, wins_as_second| MatchScore {
            round: 1,
            members: [Entrant(0), Entrant(1)],
            half_points,
            wins_as_second,
        };
        assert_eq!(advances(&meeting([1, 3], [0, 0])), Entrant(1));
        assert_eq!(advances(&meeting([2, 2], [0, 1])), Entrant(1));
        assert_eq!(advances(&meeting([2, 2], [1, 1])), Entrant(0));
    }
}
