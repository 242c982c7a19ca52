//! Plays one game: the rules are those of our own [`Game`], the clocks are the arena's.

use super::fault::{ArenaError, Ending, Failure, Fault};
use super::player::{Action, Decision, Player, Ply, Setup, Turn};
use super::schedule::{Entrant, Pairing};
use super::time::{TimeControl, Timer};
use crate::engine::{Game, GameError};
use crate::game::{Seat, Side};
use crate::records::{GameRecord, GameResult, utc_text};
use crate::rules::Ruleset;
use std::time::{Duration, SystemTime};

/// The engines of a match, in the order in which they were named.
pub(super) type Players = Vec<Box<dyn Player>>;

/// What stays the same from game to game.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) rules: Ruleset,
    /// By entrant.
    pub(super) controls: Vec<TimeControl>,
    /// By entrant.
    pub(super) names: Vec<String>,
    /// How much a move may take beyond its limit.
    pub(super) margin: Duration,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Played {
    pub(super) result: GameResult,
    /// The side that ended a game of more than two sides by a fault.
    pub(super) fault: Option<Side>,
    pub(super) ending: Ending,
    pub(super) record: GameRecord,
}

/// A game in play.
struct Play<'a> {
    table: &'a Table,
    pairing: &'a Pairing,
    game: Game,
    plies: Vec<Ply>,
    timers: Vec<Timer>,
    fault: Option<Side>,
}

impl Table {
    /// Plays a game. Whatever a player does wrong ends it; an error is our own.
    pub(super) fn play(
        &self,
        pairing: &Pairing,
        players: &mut Players,
    ) -> Result<Played, ArenaError> {
        let mut play = Play::new(self, pairing)?;
        let (result, ending) = play.run(players)?;
        let fault = play.fault;
        Ok(Played { result, fault, record: play.record(result, &ending), ending })
    }
}

impl<'a> Play<'a> {
    fn new(table: &'a Table, pairing: &'a Pairing) -> Result<Play<'a>, ArenaError> {
        let opening = &pairing.opening;
        let unplayable = |error: String| {
            ArenaError::Setup(format!("the opening of game {}: {error}", pairing.number))
        };
        let mut game = opening.start(&table.rules).map_err(|e| unplayable(e.to_string()))?;
        let mut plies = Vec::new();
        for &mv in &opening.moves {
            let seat = game.to_move();
            game.play_move(mv).map_err(|e| unplayable(e.to_string()))?;
            plies.push(Ply { seat, mv, time: None, report: None });
        }
        let control = |entrant: &Entrant| Timer::new(table.controls[entrant.index()]);
        let timers = pairing.seats.iter().map(control).collect();
        Ok(Play { table, pairing, game, plies, timers, fault: None })
    }

    fn run(&mut self, players: &mut Players) -> Result<(GameResult, Ending), ArenaError> {
        for seat in self.first_seats() {
            let setup = Setup {
                number: self.pairing.number,
                seat,
                game: &self.game,
                timer: &self.timers[seat.index()],
            };
            let player = &mut players[self.pairing.entrant(seat).index()];
            match player.new_game(&setup) {
                Ok(()) => {}
                Err(Failure::Fault(fault)) => return Ok(self.lost_by(seat, Ending::Fault(fault))),
                Err(Failure::Ours(error)) => return Err(error),
            }
        }
        loop {
            if let Some(outcome) = self.game.outcome() {
                return Ok((outcome.into(), Ending::Rules(outcome.reason)));
            }
            let seat = self.game.to_move();
            let player = &mut players[self.pairing.entrant(seat).index()];
            let ending = match self.ask(player.as_mut()).and_then(|decision| self.take(decision)) {
                Ok(None) => continue,
                Ok(Some(ending)) => ending,
                Err(Failure::Fault(fault)) => Ending::Fault(fault),
                Err(Failure::Ours(error)) => return Err(error),
            };
            return Ok(self.lost_by(seat, ending));
        }
    }

    /// The first seat of each engine.
    fn first_seats(&self) -> Vec<Seat> {
        let entrant = |seat: &Seat| self.pairing.entrant(*seat);
        let mut seats: Vec<Seat> = (0..self.pairing.seats.len() as u8).map(Seat).collect();
        seats.sort_by_key(entrant);
        seats.dedup_by_key(|seat| entrant(seat));
        seats.sort_unstable();
        seats
    }

    fn ask(&self, player: &mut dyn Player) -> Result<Decision, Failure> {
        let opening = &self.pairing.opening;
        let (game, plies, timers) = (&self.game, &self.plies, &self.timers);
        player.choose(&Turn { game, opening, plies, timers })
    }

    /// Does what a player has decided, which may end the game.
    fn take(&mut self, decision: Decision) -> Result<Option<Ending>, Failure> {
        let Decision { action, time, report } = decision;
        let seat = self.game.to_move();
        let spent = self.timers[seat.index()].spend(time, self.table.margin);
        spent.map_err(Fault::FlagFall)?;
        let Action::Move(mv) = action else { return Ok(Some(Ending::Resigned)) };
        let illegal = |error: GameError| Fault::IllegalMove(error.to_string());
        self.game.play_move(mv).map_err(illegal)?;
        self.plies.push(Ply { seat, mv, time: Some(time), report });
        Ok(None)
    }

    /// The end by a fault of a seat. Its opponents have won; of many sides none has.
    fn lost_by(&mut self, seat: Seat, ending: Ending) -> (GameResult, Ending) {
        let loser = self.game.side_of(seat);
        if self.game.rules().seating().sides() > 2 {
            self.fault = Some(loser);
            return (GameResult::Draw, ending);
        }
        (GameResult::Win(Side(1 - loser.0 % 2)), ending)
    }

    fn record(self, result: GameResult, ending: &Ending) -> GameRecord {
        let by_seat = |texts: Vec<String>| {
            self.pairing.seats.iter().map(|entrant| texts[entrant.index()].clone()).collect()
        };
        let millis = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        GameRecord {
            game: self.pairing.number,
            date: utc_text(SystemTime::now()),
            rules: self.table.rules.to_string(),
            players: by_seat(self.table.names.clone()),
            time_controls: by_seat(self.table.controls.iter().map(ToString::to_string).collect()),
            initial_position: self.pairing.opening.position.clone(),
            opening_plies: self.pairing.opening.moves.len(),
            plies: self.plies.len(),
            moves: self.plies.iter().map(|ply| self.game.move_text(ply.mv)).collect(),
            times: self.plies.iter().filter_map(|ply| ply.time).map(millis).collect(),
            captures: self.game.captures(),
            result,
            reason: ending.to_string(),
            detail: ending.detail(),
        }
    }
}

impl Played {
    /// The seat of the winner.
    pub(super) fn winner(&self) -> Option<Seat> {
        match self.result {
            GameResult::Win(Side(side)) => Some(Seat(side)),
            GameResult::Draw => None,
        }
    }
}
