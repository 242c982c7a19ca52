//! Hands out the games of a tournament in order and keeps track of those played.

use crate::pairing::{Numbering, PairingGenerator};
use crate::schedule::{Entrant, FirstMove, MatchScore, Matchup, ScheduledGame, Shard};
use crate::score::ScoredGame;
use std::collections::HashSet;

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NextGame {
    /// Play this game.
    Play(ScheduledGame),
    /// Wait until a game ends.
    Wait,
    /// Nothing is left to play.
    Over,
}

/// The state of a tournament: games played, games in progress, the next game.
#[derive(Clone, Debug)]
pub(crate) struct Scheduler {
    pairings: PairingGenerator,
    first: FirstMove,
    shard: Option<Shard>,
    /// The number of stages that were paired.
    stages: u32,
    numbering: Numbering,
    matchups: Vec<MatchupState>,
    /// The first matchup that may have games left.
    open: usize,
    history: Vec<MatchScore>,
    /// The numbers of the games played.
    played: HashSet<u32>,
    /// The number of games in progress.
    running: u32,
    stopped: bool,
}

/// A matchup of the current stage.
#[derive(Clone, Debug)]
struct MatchupState {
    matchup: Matchup,
    /// How many of its games were handed out or skipped.
    handed: u32,
    running: u32,
    /// The engine with the first seat in the next game, if the last result determines it.
    next_first: Option<Entrant>,
}

impl Scheduler {
    /// A tournament without games played.
    pub(crate) fn new(
        pairings: PairingGenerator,
        first: FirstMove,
        shard: Option<Shard>,
    ) -> Scheduler {
        let mut scheduler = Scheduler {
            pairings,
            first,
            shard,
            stages: 0,
            numbering: Numbering::default(),
            matchups: Vec::new(),
            open: 0,
            history: Vec::new(),
            played: HashSet::new(),
            running: 0,
            stopped: false,
        };
        scheduler.pair_stage();
        scheduler
    }

    /// Whether each game of a matchup waits for the one before it.
    fn in_turn(&self) -> bool {
        self.first == FirstMove::Loser
    }

    /// Pairs the next stage; returns false after the last one.
    fn pair_stage(&mut self) -> bool {
        let drawn = self.pairings.stage(self.stages, &self.history, &mut self.numbering);
        let Some(matchups) = drawn else { return false };
        self.stages += 1;
        let state = |matchup| MatchupState { matchup, handed: 0, running: 0, next_first: None };
        self.matchups = matchups.into_iter().map(state).collect();
        self.open = 0;
        true
    }

    /// The game with this number, if it belongs to the current stage.
    fn find(&self, number: u32) -> Option<ScheduledGame> {
        let after = self.matchups.partition_point(|state| state.matchup.first_game <= number);
        let state = self.matchups.get(after.checked_sub(1)?)?;
        let game = number - state.matchup.first_game;
        (game < state.matchup.games).then(|| self.game(state, game))
    }

    fn game(&self, state: &MatchupState, game: u32) -> ScheduledGame {
        if !self.in_turn() {
            return state.matchup.game(game);
        }
        // Every game has an opening of its own, because consecutive games may have the same seats.
        let mut scheduled = state.matchup.game(0);
        let begins = state.next_first.unwrap_or(scheduled.seats[0]);
        if begins != scheduled.seats[0] {
            scheduled = state.matchup.game(1);
        }
        let rounds = (scheduled.round - 1) * state.matchup.games;
        let number = state.matchup.first_game + game;
        ScheduledGame { number, set: game, opening: rounds + game, ..scheduled }
    }

    /// The next game.
    pub(crate) fn next(&mut self) -> NextGame {
        loop {
            if let Some(scheduled) = self.take() {
                self.running += 1;
                return NextGame::Play(scheduled);
            }
            if self.running > 0 && (self.in_turn() || self.pairings.format.follows_results()) {
                return NextGame::Wait;
            }
            let drawn =
                !self.stopped && self.pairings.format.follows_results() && self.pair_stage();
            if !drawn {
                return NextGame::Over;
            }
        }
    }

    /// The next game of this stage that is neither played nor in progress.
    fn take(&mut self) -> Option<ScheduledGame> {
        let in_turn = self.in_turn();
        for index in self.open..self.matchups.len() {
            loop {
                let state = &self.matchups[index];
                let game = state.handed;
                if game >= state.matchup.games {
                    if index == self.open {
                        self.open += 1;
                    }
                    break;
                }
                if in_turn && state.running > 0 {
                    break;
                }
                let size = state.matchup.set_size();
                if self.stopped && (in_turn || game.is_multiple_of(size)) {
                    // No new set begins.
                    break;
                }
                let scheduled = self.game(state, game);
                let set = state.matchup.first_set + game / size;
                let mine = self.shard.is_none_or(|shard| shard.holds(set));
                let state = &mut self.matchups[index];
                state.handed += 1;
                if mine && !self.played.contains(&scheduled.number) {
                    state.running += 1;
                    return Some(scheduled);
                }
            }
            if self.stopped {
                // Later matchups have not begun.
                return None;
            }
        }
        None
    }

    /// Ends the tournament early: sets in progress are finished, no new one begins.
    pub(crate) fn stop(&mut self) {
        self.stopped = true;
    }

    /// Records the result of a game that [`Scheduler::next`] has handed out.
    pub(crate) fn finish(&mut self, score: &ScoredGame) {
        self.running = self.running.saturating_sub(1);
        if let Some(state) = self.matchup_mut(score.matchup) {
            state.running = state.running.saturating_sub(1);
        }
        self.note(score);
    }

    /// Records games played before, in the order of their numbers. The error is the number of the
    /// first game that does not fit.
    pub(crate) fn resume<'a>(
        &mut self,
        scores: impl Iterator<Item = &'a ScoredGame>,
    ) -> Result<(), u32> {
        for score in scores {
            let scheduled = loop {
                match self.find(score.number) {
                    Some(scheduled) => break scheduled,
                    None if self.is_stage_over() && self.pair_stage() => {}
                    None => return Err(score.number),
                }
            };
            let same = scheduled.seats == score.seats
                && scheduled.variant == score.variant
                && scheduled.matchup == score.matchup;
            if !same {
                return Err(score.number);
            }
            self.note(score);
        }
        Ok(())
    }

    /// Whether all games of a stage were played on whose results the next one depends.
    fn is_stage_over(&self) -> bool {
        let over = |state: &MatchupState| {
            let mut games = (0..state.matchup.games).map(|game| state.matchup.first_game + game);
            games.all(|number| self.played.contains(&number))
        };
        self.pairings.format.follows_results() && self.matchups.iter().all(over)
    }

    fn matchup_mut(&mut self, matchup: u32) -> Option<&mut MatchupState> {
        let first = self.matchups.first()?.matchup.number;
        self.matchups.get_mut(matchup.checked_sub(first)? as usize)
    }

    fn note(&mut self, score: &ScoredGame) {
        self.played.insert(score.number);
        let in_turn = self.in_turn();
        if let Some(state) = self.matchup_mut(score.matchup).filter(|_| in_turn) {
            let other = || score.seats.iter().copied().find(|&seat| seat != score.seats[0]);
            let winner = score.winner();
            let loser = score.seats.iter().copied().find(|&seat| Some(seat) != winner);
            state.next_first = if winner.is_some() { loser } else { other() };
        }
        if self.pairings.format.follows_results() && !score.is_spoiled {
            self.note_meeting(score);
        }
    }

    fn note_meeting(&mut self, score: &ScoredGame) {
        let Some(state) = self.matchup_mut(score.matchup) else { return };
        let (round, &[a, b]) = (state.matchup.round, state.matchup.members.as_slice()) else {
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
