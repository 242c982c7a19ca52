//! Who meets whom, round by round.

use super::{Encounter, Entrant, Format, knockout, swiss};

/// What a draw has to know of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// How the engines are brought together.
    pub format: Format,
    /// The number of engines.
    pub entrants: u8,
    /// How often everybody meets everybody; in a Swiss the number of rounds.
    pub rounds: u32,
    /// What they play.
    pub events: Vec<DrawnEvent>,
}

/// A variant as a draw sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnEvent {
    /// How the engines are brought together in it.
    pub format: Format,
    /// The number of games of an encounter.
    pub games: u32,
    /// The seats at the board.
    pub seats: u8,
}

/// How a meeting of two engines in a round has ended, over all variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchScore {
    /// The round, from 1.
    pub round: u32,
    /// The engine that had the first seat first, and the other one.
    pub members: [Entrant; 2],
    /// Half points of each.
    pub half_points: [u32; 2],
    /// Games that each won from a later seat than the other's.
    pub wins_as_second: [u32; 2],
}

/// What has been numbered so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counters {
    encounters: u32,
    games: u32,
    sets: u32,
}

impl Draw {
    /// The encounters of a stage, counted from 0: everything at once where no result matters, else a
    /// round. None after the last. `history` has the meetings of all stages before.
    pub(super) fn stage(
        &self,
        stage: u32,
        history: &[MatchScore],
        counters: &mut Counters,
    ) -> Option<Vec<Encounter>> {
        let mut found = Vec::new();
        if self.format.follows_results() {
            let round = stage + 1;
            for pair in self.meetings(round, history)? {
                for event in 0..self.events.len() {
                    found.push(self.encounter(round, event, pair.to_vec(), counters));
                }
            }
            return Some(found);
        }
        if stage > 0 {
            return None;
        }
        for round in 1..=self.rounds.max(1) {
            for (event, drawn) in self.events.iter().enumerate() {
                for members in groups(drawn.format, self.entrants, drawn.seats) {
                    found.push(self.encounter(round, event, members, counters));
                }
            }
        }
        Some(found)
    }

    /// What is known to be played before any result: everything, or the first round.
    pub fn first_encounters(&self) -> Vec<Encounter> {
        self.stage(0, &[], &mut Counters::default()).unwrap_or_default()
    }

    /// The pairs of a round of a Swiss or a knockout, none after the last.
    fn meetings(&self, round: u32, history: &[MatchScore]) -> Option<Vec<[Entrant; 2]>> {
        match self.format {
            Format::Knockout => knockout::round(self.entrants, round, history),
            _ if round > self.rounds => None,
            _ => {
                let rounds = (round, self.rounds);
                Some(swiss::round(self.entrants, rounds, history, self.games_a_meeting()))
            }
        }
    }

    fn games_a_meeting(&self) -> u32 {
        self.events.iter().map(|event| event.games).sum()
    }

    fn encounter(
        &self,
        round: u32,
        event: usize,
        members: Vec<Entrant>,
        counters: &mut Counters,
    ) -> Encounter {
        let DrawnEvent { games, seats, .. } = self.events[event];
        let encounter = Encounter {
            number: counters.encounters + 1,
            round,
            event,
            seats,
            members,
            games,
            first_game: counters.games + 1,
            first_set: counters.sets,
        };
        counters.encounters += 1;
        counters.games += games;
        counters.sets += encounter.sets();
        encounter
    }

    /// The number of games of the whole tournament.
    pub fn games(&self) -> u32 {
        let engines = u32::from(self.entrants);
        match self.format {
            Format::Swiss => self.rounds * (engines / 2) * self.games_a_meeting(),
            Format::Knockout => engines.saturating_sub(1) * self.games_a_meeting(),
            _ => {
                let games = self.events.iter().map(|event| {
                    let groups = groups(event.format, self.entrants, event.seats).len() as u32;
                    groups.saturating_mul(event.games)
                });
                games.fold(0u32, u32::saturating_add).saturating_mul(self.rounds.max(1))
            }
        }
    }

    /// The number of rounds.
    pub fn rounds(&self) -> u32 {
        match self.format {
            Format::Knockout => u32::from(self.entrants).next_power_of_two().ilog2(),
            _ => self.rounds.max(1),
        }
    }
}

/// Who meets in a round in which no result matters.
fn groups(format: Format, entrants: u8, seats: u8) -> Vec<Vec<Entrant>> {
    let all: Vec<Entrant> = (0..entrants).map(Entrant).collect();
    match format {
        Format::Gauntlet => (1..entrants).map(|other| vec![Entrant(0), Entrant(other)]).collect(),
        Format::Pyramid => {
            let older = |new| (0..new).map(move |old| vec![Entrant(new), Entrant(old)]);
            (1..entrants).flat_map(older).collect()
        }
        Format::Seats if entrants > seats => combinations(&all, usize::from(seats)),
        Format::Pair | Format::Seats => vec![all],
        Format::RoundRobin | Format::Swiss | Format::Knockout => circle(entrants),
    }
}

/// Everybody against everybody by the circle method: the first stays, the others move on by one place a
/// round, so that nobody is far ahead of the others. (J. Schurig's tables, 1886.)
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
            // The first of all would have the first seat always.
            let (a, b) = if place == 0 && turn % 2 == 1 { (b, a) } else { (a, b) };
            if a.max(b) < entrants {
                pairs.push(vec![Entrant(a), Entrant(b)]);
            }
        }
    }
    pairs
}

/// All groups of that size.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

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
        let pairs = groups(Format::Pyramid, 4, 2);
        let numbers: Vec<_> = pairs.iter().map(|pair| (pair[0].0, pair[1].0)).collect();
        assert_eq!(numbers, [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]);
    }

    #[test]
    fn groups_of_seats_are_all_different() {
        let groups = groups(Format::Seats, 6, 4);
        assert_eq!(groups.iter().collect::<BTreeSet<_>>().len(), 15);
        assert!(groups.iter().all(|group| group.len() == 4));
    }
}
