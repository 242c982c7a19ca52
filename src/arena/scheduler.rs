//! Hands out the games of a tournament, one after the other, and knows which were played.

use crate::pairing::{Counters, Draw};
use crate::schedule::{Encounter, Entrant, First, Fixture, MatchScore, Shard};
use crate::score::Score;
use std::collections::HashSet;

/// What there is to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// This game.
    Play(Fixture),
    /// Nothing until a game ends.
    Wait,
    /// Nothing any more.
    Over,
}

/// The desk of the tournament's director: what was played, what is being played, what is next.
#[derive(Clone, Debug)]
pub(crate) struct Desk {
    draw: Draw,
    first: First,
    shard: Option<Shard>,
    /// How many stages were drawn.
    stages: u32,
    counters: Counters,
    tables: Vec<Table>,
    /// The first table that may have games left.
    open: usize,
    history: Vec<MatchScore>,
    /// Numbers of games that were played.
    played: HashSet<u32>,
    /// How many games are being played.
    running: u32,
    stopped: bool,
}

/// An encounter of the current stage.
#[derive(Clone, Debug)]
struct Table {
    encounter: Encounter,
    /// How many of its games were handed out or need not be.
    handed: u32,
    running: u32,
    /// Where the next game's first seat goes by the result of the last, if that matters.
    next_first: Option<Entrant>,
}

impl Desk {
    /// A tournament of which nothing was played.
    pub(crate) fn new(draw: Draw, first: First, shard: Option<Shard>) -> Desk {
        let mut desk = Desk {
            draw,
            first,
            shard,
            stages: 0,
            counters: Counters::default(),
            tables: Vec::new(),
            open: 0,
            history: Vec::new(),
            played: HashSet::new(),
            running: 0,
            stopped: false,
        };
        desk.draw_stage();
        desk
    }

    /// Whether a game waits for the one before it.
    fn in_turn(&self) -> bool {
        self.first == First::Loser
    }

    /// Draws the next stage, if there is one.
    fn draw_stage(&mut self) -> bool {
        let drawn = self.draw.stage(self.stages, &self.history, &mut self.counters);
        let Some(encounters) = drawn else { return false };
        self.stages += 1;
        let table = |encounter| Table { encounter, handed: 0, running: 0, next_first: None };
        self.tables = encounters.into_iter().map(table).collect();
        self.open = 0;
        true
    }

    /// The game of that number, if the current stage has it.
    fn find(&self, number: u32) -> Option<Fixture> {
        let after = self.tables.partition_point(|table| table.encounter.first_game <= number);
        let table = self.tables.get(after.checked_sub(1)?)?;
        let game = number - table.encounter.first_game;
        (game < table.encounter.games).then(|| self.fixture(table, game))
    }

    fn fixture(&self, table: &Table, game: u32) -> Fixture {
        if !self.in_turn() {
            return table.encounter.fixture(game);
        }
        // Every game has an opening of its own: the seats of a pair need not be different.
        let mut fixture = table.encounter.fixture(0);
        let begins = table.next_first.unwrap_or(fixture.seats[0]);
        if begins != fixture.seats[0] {
            fixture = table.encounter.fixture(1);
        }
        let rounds = (fixture.round - 1) * table.encounter.games;
        let number = table.encounter.first_game + game;
        Fixture { number, set: game, opening: rounds + game, ..fixture }
    }

    /// The next game.
    pub(crate) fn next(&mut self) -> Next {
        loop {
            if let Some(fixture) = self.take() {
                self.running += 1;
                return Next::Play(fixture);
            }
            if self.running > 0 && (self.in_turn() || self.draw.format.follows_results()) {
                return Next::Wait;
            }
            let drawn = !self.stopped && self.draw.format.follows_results() && self.draw_stage();
            if !drawn {
                return Next::Over;
            }
        }
    }

    /// The next game of this stage that nobody plays or has played.
    fn take(&mut self) -> Option<Fixture> {
        let in_turn = self.in_turn();
        for index in self.open..self.tables.len() {
            loop {
                let table = &self.tables[index];
                let game = table.handed;
                if game >= table.encounter.games {
                    if index == self.open {
                        self.open += 1;
                    }
                    break;
                }
                if in_turn && table.running > 0 {
                    break;
                }
                let size = table.encounter.set_size();
                if self.stopped && (in_turn || game.is_multiple_of(size)) {
                    // No set begins any more.
                    break;
                }
                let fixture = self.fixture(table, game);
                let set = table.encounter.first_set + game / size;
                let mine = self.shard.is_none_or(|shard| shard.holds(set));
                let table = &mut self.tables[index];
                table.handed += 1;
                if mine && !self.played.contains(&fixture.number) {
                    table.running += 1;
                    return Some(fixture);
                }
            }
            if self.stopped {
                // What follows has not begun.
                return None;
            }
        }
        None
    }

    /// Ends the tournament early: a set of games that has begun is finished, no other one begins.
    pub(crate) fn stop(&mut self) {
        self.stopped = true;
    }

    /// Notes the result of a game that [`Desk::next`] has handed out.
    pub(crate) fn finish(&mut self, score: &Score) {
        self.running = self.running.saturating_sub(1);
        if let Some(table) = self.table_of(score.encounter) {
            table.running = table.running.saturating_sub(1);
        }
        self.note(score);
    }

    /// Notes games that were played before, in the order of their numbers. The number of the first one
    /// that is none of the tournament's is an error.
    pub(crate) fn resume<'a>(
        &mut self,
        scores: impl Iterator<Item = &'a Score>,
    ) -> Result<(), u32> {
        for score in scores {
            let fixture = loop {
                match self.find(score.number) {
                    Some(fixture) => break fixture,
                    None if self.is_stage_over() && self.draw_stage() => {}
                    None => return Err(score.number),
                }
            };
            let same = fixture.seats == score.seats
                && fixture.event == score.event
                && fixture.encounter == score.encounter;
            if !same {
                return Err(score.number);
            }
            self.note(score);
        }
        Ok(())
    }

    /// Whether every game of a stage was played whose results the next stage needs.
    fn is_stage_over(&self) -> bool {
        let over = |table: &Table| {
            let mut games =
                (0..table.encounter.games).map(|game| table.encounter.first_game + game);
            games.all(|number| self.played.contains(&number))
        };
        self.draw.format.follows_results() && self.tables.iter().all(over)
    }

    fn table_of(&mut self, encounter: u32) -> Option<&mut Table> {
        let first = self.tables.first()?.encounter.number;
        self.tables.get_mut(encounter.checked_sub(first)? as usize)
    }

    fn note(&mut self, score: &Score) {
        self.played.insert(score.number);
        let in_turn = self.in_turn();
        if let Some(table) = self.table_of(score.encounter).filter(|_| in_turn) {
            let other = || score.seats.iter().copied().find(|&seat| seat != score.seats[0]);
            let winner = score.winner();
            let loser = score.seats.iter().copied().find(|&seat| Some(seat) != winner);
            table.next_first = if winner.is_some() { loser } else { other() };
        }
        if self.draw.format.follows_results() {
            self.note_meeting(score);
        }
    }

    fn note_meeting(&mut self, score: &Score) {
        let Some(table) = self.table_of(score.encounter) else { return };
        let (round, &[a, b]) = (table.encounter.round, table.encounter.members.as_slice()) else {
            return;
        };
        let found = self.history.iter().position(|m| m.round == round && m.members == [a, b]);
        let index = found.unwrap_or_else(|| {
            let (half_points, wins_as_second) = ([0; 2], [0; 2]);
            self.history.push(MatchScore { round, members: [a, b], half_points, wins_as_second });
            self.history.len() - 1
        });
        let meeting = &mut self.history[index];
        match score.winner() {
            None => meeting.half_points.iter_mut().for_each(|points| *points += 1),
            Some(winner) => {
                let at = usize::from(winner != a);
                meeting.half_points[at] += 2;
                meeting.wins_as_second[at] += u32::from(score.seats[0] != winner);
            }
        }
    }
}
