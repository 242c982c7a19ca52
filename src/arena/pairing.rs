//! Pairings: which engines meet in which round.
//!
//! In a Swiss, engines with equal points meet, and none meet twice as long as that can be avoided.
//! Engines are ordered by points, then by number. In a group of equal points the first half meets
//! the second half (the Dutch system, FIDE Handbook C.04.3); where that would repeat a meeting, now
//! or because the remaining rounds could not be paired, the search takes the nearest other engine.
//! With an odd number of engines the last one of those with the fewest byes has the bye, which
//! scores as a won meeting.
//!
//! In a knockout the engines are seeded in the order in which they are named: the first meets the
//! last, and the first two can meet only in the final. Byes in the first round go to the first
//! engines. A meeting is won by more points, then by more games won from the second seat, then by
//! the better seed.

use crate::schedule::{Entrant, MatchScore, Matchup, TournamentFormat};
use std::cmp::Reverse;

/// Generates the matchups of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingGenerator {
    pub format: TournamentFormat,
    /// The number of engines.
    pub entrants: u8,
    /// The number of cycles; in a Swiss the number of rounds.
    pub rounds: u32,
    pub variants: Vec<PairingVariant>,
}

/// The properties of a variant on which pairings depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingVariant {
    /// The format of this variant.
    pub format: TournamentFormat,
    /// The number of games of a matchup.
    pub games: u32,
    /// The number of seats at the board.
    pub seats: u8,
}

/// The counters from which matchups, games and sets get their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbering {
    matchups: u32,
    games: u32,
    sets: u32,
}

impl PairingGenerator {
    /// The matchups of a stage, from 0: all of them if pairings do not depend on results, otherwise
    /// those of a round. `None` after the last stage. `history` contains the meetings of earlier
    /// stages.
    pub(crate) fn stage(
        &self,
        stage: u32,
        history: &[MatchScore],
        numbering: &mut Numbering,
    ) -> Option<Vec<Matchup>> {
        let mut found = Vec::new();
        if self.format.follows_results() {
            let round = stage + 1;
            for pair in self.meetings(round, history)? {
                for variant in 0..self.variants.len() {
                    found.push(self.matchup(round, variant, pair.to_vec(), numbering));
                }
            }
            return Some(found);
        }
        if stage > 0 {
            return None;
        }
        for round in 1..=self.rounds.max(1) {
            for (variant, drawn) in self.variants.iter().enumerate() {
                for members in groups(drawn.format, self.entrants, drawn.seats) {
                    found.push(self.matchup(round, variant, members, numbering));
                }
            }
        }
        Some(found)
    }

    /// The matchups that are known before any result: all of them, or those of the first round.
    pub fn first_matchups(&self) -> Vec<Matchup> {
        self.stage(0, &[], &mut Numbering::default()).unwrap_or_default()
    }

    /// The pairs of a round of a Swiss or a knockout; `None` after the last round.
    fn meetings(&self, round: u32, history: &[MatchScore]) -> Option<Vec<[Entrant; 2]>> {
        match self.format {
            TournamentFormat::Knockout => knockout_round(self.entrants, round, history),
            _ if round > self.rounds => None,
            _ => {
                let rounds = (round, self.rounds);
                Some(swiss_round(self.entrants, rounds, history, self.games_a_meeting()))
            }
        }
    }

    fn games_a_meeting(&self) -> u32 {
        self.variants.iter().map(|variant| variant.games).sum()
    }

    fn matchup(
        &self,
        round: u32,
        variant: usize,
        members: Vec<Entrant>,
        numbering: &mut Numbering,
    ) -> Matchup {
        let PairingVariant { games, seats, .. } = self.variants[variant];
        let matchup = Matchup {
            number: numbering.matchups + 1,
            round,
            variant,
            seats,
            members,
            games,
            first_game: numbering.games + 1,
            first_set: numbering.sets,
        };
        numbering.matchups += 1;
        numbering.games += games;
        numbering.sets += matchup.sets();
        matchup
    }

    /// The number of games of the tournament.
    pub fn games(&self) -> u32 {
        let engines = u32::from(self.entrants);
        match self.format {
            TournamentFormat::Swiss => self.rounds * (engines / 2) * self.games_a_meeting(),
            TournamentFormat::Knockout => engines.saturating_sub(1) * self.games_a_meeting(),
            _ => {
                let games = self.variants.iter().map(|variant| {
                    let groups = groups(variant.format, self.entrants, variant.seats).len() as u32;
                    groups.saturating_mul(variant.games)
                });
                games.fold(0u32, u32::saturating_add).saturating_mul(self.rounds.max(1))
            }
        }
    }

    pub fn rounds(&self) -> u32 {
        match self.format {
            TournamentFormat::Knockout => u32::from(self.entrants).next_power_of_two().ilog2(),
            _ => self.rounds.max(1),
        }
    }
}

/// The matchups of a round whose pairings do not depend on results.
fn groups(format: TournamentFormat, entrants: u8, seats: u8) -> Vec<Vec<Entrant>> {
    let all: Vec<Entrant> = (0..entrants).map(Entrant).collect();
    match format {
        TournamentFormat::Gauntlet => {
            (1..entrants).map(|other| vec![Entrant(0), Entrant(other)]).collect()
        }
        TournamentFormat::Pyramid => {
            let older = |new| (0..new).map(move |old| vec![Entrant(new), Entrant(old)]);
            (1..entrants).flat_map(older).collect()
        }
        TournamentFormat::Seats if entrants > seats => combinations(&all, usize::from(seats)),
        TournamentFormat::Pair | TournamentFormat::Seats => vec![all],
        TournamentFormat::RoundRobin | TournamentFormat::Swiss | TournamentFormat::Knockout => {
            circle(entrants)
        }
    }
}

/// A round robin by the circle method: the first stays, the others move by one place a turn, so
/// that all have played almost equally many games at any time (J. Schurig's tables, 1886).
fn circle(entrants: u8) -> Vec<Vec<Entrant>> {
    let size = entrants.next_multiple_of(2);
    let mut pairs = Vec::new();
    for turn in 0..size.saturating_sub(1) {
        for place in 0..size / 2 {
            let at = |place: u8| match place {
                0 => 0,
                place => 1 + (place - 1 + turn) % (size - 1),
            };
            let (a, b) = (at(place), at(size - 1 - place));
            // Without the swap the first engine would always have the first seat.
            let (a, b) = if place == 0 && turn % 2 == 1 { (b, a) } else { (a, b) };
            if a.max(b) < entrants {
                pairs.push(vec![Entrant(a), Entrant(b)]);
            }
        }
    }
    pairs
}

/// All combinations of this size.
fn combinations(all: &[Entrant], size: usize) -> Vec<Vec<Entrant>> {
    match (size, all.split_first()) {
        (0, _) => vec![Vec::new()],
        (_, None) => Vec::new(),
        (size, Some((&first, rest))) => {
            let with = combinations(rest, size - 1).into_iter();
            let with = with.map(|group| [vec![first], group].concat());
            with.chain(combinations(rest, size)).collect()
        }
    }
}

/// The number of pairs tried before a repeated meeting is accepted, and in each look ahead at the
/// remaining rounds. Tournaments of a few dozen engines need some hundreds.
const SEARCH_BUDGET: u32 = 20_000;

/// What the pairing of a round needs to know of an engine.
#[derive(Clone, Copy, Debug)]
struct SwissPlayer {
    entrant: Entrant,
    half_points: u32,
    firsts: u32,
    rests: u32,
}

/// How often two engines met, by the numbers of both; the number after the last means a bye.
type MeetingCounts = Vec<Vec<u32>>;

/// The pairs of round `round` of `rounds`, given the earlier results. The first of a pair has the
/// first seat.
fn swiss_round(
    entrants: u8,
    (round, rounds): (u32, u32),
    history: &[MatchScore],
    games: u32,
) -> Vec<[Entrant; 2]> {
    let mut players: Vec<SwissPlayer> =
        (0..entrants).map(|number| player(Entrant(number), round, history, games)).collect();
    players.sort_by_key(|player| (Reverse(player.half_points), player.entrant));
    let met = met(&players, history);
    // Meetings may repeat once everybody has met everybody.
    let cycle = u32::from(entrants.next_multiple_of(2)).saturating_sub(1).max(1);
    let left = (rounds - round).min(cycle - 1 - (round - 1) % cycle);
    let fewest = (round - 1) / cycle + 1;
    let found = (fewest..=round).find_map(|most| {
        let mut search = Search { met: &met, most, left, budget: SEARCH_BUDGET };
        search.pairs(&players)
    });
    found.unwrap_or_default().into_iter().map(|pair| first_seat(pair, round)).collect()
}

/// Counts meetings and byes.
fn met(players: &[SwissPlayer], history: &[MatchScore]) -> MeetingCounts {
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

fn player(entrant: Entrant, round: u32, history: &[MatchScore], games: u32) -> SwissPlayer {
    let mine = history.iter().filter(|meeting| meeting.members.contains(&entrant));
    let (mut half_points, mut firsts, mut meetings) = (0, 0, 0);
    for meeting in mine {
        let at = usize::from(meeting.members[0] != entrant);
        half_points += meeting.half_points[at];
        firsts += u32::from(at == 0);
        meetings += 1;
    }
    let rests = (round - 1).saturating_sub(meetings);
    SwissPlayer { entrant, half_points: half_points + rests * 2 * games, firsts, rests }
}

/// The candidates for the bye, the best first; empty if the number of players is even.
fn bye_candidates(players: &[SwissPlayer]) -> Vec<usize> {
    if players.len().is_multiple_of(2) {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..players.len()).rev().collect();
    order.sort_by_key(|&index| players[index].rests);
    order
}

/// All players but the one with the bye.
fn seated(players: &[SwissPlayer], bye_candidates: Option<usize>) -> Vec<SwissPlayer> {
    let all = players.iter().enumerate();
    all.filter(|&(index, _)| Some(index) != bye_candidates).map(|(_, player)| *player).collect()
}

/// The search for the pairs of a round.
struct Search<'a> {
    met: &'a MeetingCounts,
    /// Engines that have met less often than this may meet.
    most: u32,
    /// The number of later rounds that must remain possible under the same limit.
    left: u32,
    budget: u32,
}

impl Search<'_> {
    /// The best pairs, if there are any.
    fn pairs(&mut self, players: &[SwissPlayer]) -> Option<Vec<[SwissPlayer; 2]>> {
        let candidates: Vec<Option<usize>> = match bye_candidates(players).as_slice() {
            [] => vec![None],
            some => some.iter().copied().map(Some).collect(),
        };
        candidates.into_iter().find_map(|rest| {
            let mut pairs = Vec::new();
            let bye_candidates = rest.map(|rest| players[rest].entrant);
            if bye_candidates
                .is_some_and(|entrant| !self.may_meet(entrant.index(), self.met.len() - 1))
            {
                return None;
            }
            self.pair_up(&seated(players, rest), &mut pairs, bye_candidates).then_some(pairs)
        })
    }

    fn may_meet(&self, a: usize, b: usize) -> bool {
        self.met[a][b] < self.most
    }

    /// Pairs the first player with the best opponent that leaves pairs for all others.
    fn pair_up(
        &mut self,
        players: &[SwissPlayer],
        pairs: &mut Vec<[SwissPlayer; 2]>,
        bye_candidates: Option<Entrant>,
    ) -> bool {
        let Some((first, rest)) = players.split_first() else {
            return self.leaves_pairable_rounds(pairs, bye_candidates);
        };
        for index in by_preference(first, rest) {
            if !self.may_meet(first.entrant.index(), rest[index].entrant.index()) {
                continue;
            }
            let Some(budget) = self.budget.checked_sub(1) else { return false };
            self.budget = budget;
            let mut left = rest.to_vec();
            pairs.push([*first, left.remove(index)]);
            if self.pair_up(&left, pairs, bye_candidates) {
                return true;
            }
            pairs.pop();
        }
        false
    }

    /// Whether the remaining rounds can be paired after these pairs.
    fn leaves_pairable_rounds(
        &self,
        pairs: &[[SwissPlayer; 2]],
        bye_candidates: Option<Entrant>,
    ) -> bool {
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
        if let Some(bye_candidates) = bye_candidates {
            meet(bye_candidates.index(), size - 1);
        }
        let all: Vec<usize> = (0..size).collect();
        can_pair_rounds(&mut used, &all, self.left, &mut { SEARCH_BUDGET })
    }
}

/// Whether this number of further rounds can be paired without the used pairs. Returns true if the
/// budget is exhausted.
fn can_pair_rounds(used: &mut [Vec<bool>], free: &[usize], rounds: u32, budget: &mut u32) -> bool {
    let Some((&a, rest)) = free.split_first() else {
        let all: Vec<usize> = (0..used.len()).collect();
        return rounds == 1 || can_pair_rounds(used, &all, rounds - 1, budget);
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
        if can_pair_rounds(used, &others, rounds, budget) {
            return true;
        }
        (used[a][b], used[b][a]) = (false, false);
    }
    false
}

/// The opponents of the first player by preference: in its group of points from the middle
/// outwards, then the lower groups.
fn by_preference(first: &SwissPlayer, rest: &[SwissPlayer]) -> Vec<usize> {
    let same = rest.iter().take_while(|other| other.half_points == first.half_points).count();
    let ideal = same / 2;
    let mut order: Vec<usize> = (0..rest.len()).collect();
    order.sort_by_key(|&index| {
        let group = if index < same { 0 } else { first.half_points - rest[index].half_points + 1 };
        (group, if index < same { index.abs_diff(ideal) } else { index })
    });
    order
}

/// The engine that had the first seat less often has it; on a tie they alternate by round.
fn first_seat([a, b]: [SwissPlayer; 2], round: u32) -> [Entrant; 2] {
    let swap = match a.firsts.cmp(&b.firsts) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => round.is_multiple_of(2),
        std::cmp::Ordering::Greater => true,
    };
    if swap { [b.entrant, a.entrant] } else { [a.entrant, b.entrant] }
}

/// The pairs of a round, from 1, in the order of the bracket; `None` after the final.
fn knockout_round(entrants: u8, round: u32, history: &[MatchScore]) -> Option<Vec<[Entrant; 2]>> {
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

/// The engines in the order of the bracket; places without an engine are byes.
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

/// The winner of a meeting.
pub(crate) fn advances(meeting: &MatchScore) -> Entrant {
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
    use std::collections::{BTreeSet, HashSet};

    #[test]
    fn a_round_robin_has_every_pair_once() {
        for entrants in 2..9 {
            let pairs = circle(entrants);
            let sets: BTreeSet<_> = pairs.iter().map(BTreeSet::from_iter).collect();
            let expected = usize::from(entrants) * usize::from(entrants - 1) / 2;
            assert_eq!((pairs.len(), sets.len()), (expected, expected), "{entrants}");
            assert!(sets.iter().all(|pair| pair.len() == 2));
            // In a turn of the circle nobody plays twice.
            let turn = usize::from(entrants) / 2;
            for turn in pairs.chunks(turn) {
                let players: BTreeSet<_> = turn.iter().flatten().collect();
                assert_eq!(players.len(), 2 * turn.len(), "{entrants}");
            }
        }
    }

    #[test]
    fn in_a_pyramid_the_newest_meets_all_before_it() {
        let pairs = groups(TournamentFormat::Pyramid, 4, 2);
        let numbers: Vec<_> = pairs.iter().map(|pair| (pair[0].0, pair[1].0)).collect();
        assert_eq!(numbers, [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]);
    }

    #[test]
    fn groups_of_seats_are_all_different() {
        let groups = groups(TournamentFormat::Seats, 6, 4);
        assert_eq!(groups.iter().collect::<BTreeSet<_>>().len(), 15);
        assert!(groups.iter().all(|group| group.len() == 4));
    }

    /// Plays a Swiss in which the engine with the lower number wins every meeting.
    fn played(entrants: u8, rounds: u32) -> Vec<MatchScore> {
        let mut history = Vec::new();
        for number in 1..=rounds {
            for members in swiss_round(entrants, (number, rounds), &history, 1) {
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
        let pairs = swiss_round(8, (1, 5), &[], 1);
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
        // Two engines have no choice; with more rounds than opponents everybody meets everybody
        // equally often.
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
        let leaders: Vec<_> = swiss_round(8, (3, 3), &history, 1)[0].to_vec();
        let won = |entrant: Entrant| {
            let winners = history.iter().map(|meeting| meeting.members[0].min(meeting.members[1]));
            winners.filter(|&winner| winner == entrant).count()
        };
        assert!(leaders.iter().all(|&entrant| won(entrant) == 2), "{leaders:?}");
    }

    fn numbers(pairs: Option<Vec<[Entrant; 2]>>) -> Vec<[u8; 2]> {
        pairs.unwrap().iter().map(|pair| pair.map(|entrant| entrant.0)).collect()
    }

    #[test]
    fn the_better_half_rests_and_the_first_two_meet_last() {
        assert_eq!(numbers(knockout_round(8, 1, &[])), [[0, 7], [3, 4], [1, 6], [2, 5]]);
        assert_eq!(numbers(knockout_round(6, 1, &[])), [[3, 4], [2, 5]]);
        assert_eq!(numbers(knockout_round(2, 1, &[])), [[0, 1]]);
        assert_eq!(knockout_round(2, 2, &[]), None);
        // Without results the better seed advances.
        assert_eq!(numbers(knockout_round(6, 2, &[])), [[0, 3], [1, 2]]);
        assert_eq!(numbers(knockout_round(6, 3, &[])), [[0, 1]]);
        assert_eq!(knockout_round(6, 4, &[]), None);
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
