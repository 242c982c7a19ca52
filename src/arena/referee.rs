//! Plays one game: the rules are those of our own [`Game`], the clocks are the arena's.

use super::adjudication::{Prover, Verdict};
use super::fault::{ArenaError, Ending, Failure, Fault};
use super::player::{Action, Decision, NewGame, Player, Ply, Turn};
use super::runner::Match;
use super::schedule::{Entrant, Pairing};
use super::time::Timer;
use crate::engine::{Game, GameError};
use crate::game::{Seat, Side};
use crate::records::{GameRecord, GameResult, RecordedPly, utc_text};
use std::time::{Duration, SystemTime};

/// The engines of a match, in the order in which they were named.
pub(super) type Players = Vec<Box<dyn Player>>;

/// Holds the players of a match to its terms.
#[derive(Debug)]
pub(super) struct Referee<'a> {
    pub(super) terms: &'a Match,
    /// By entrant.
    pub(super) names: Vec<String>,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Played {
    pub(super) ending: Ending,
    pub(super) record: GameRecord,
}

/// How often a game is played again that was spoiled by too busy a machine.
const REPEATS: u32 = 2;

/// A game in play.
struct LiveGame<'a> {
    referee: &'a Referee<'a>,
    pairing: &'a Pairing,
    game: Game,
    plies: Vec<Ply>,
    timers: Vec<Timer>,
    fault: Option<Side>,
    prover: Option<Prover>,
}

impl Referee<'_> {
    /// Plays a game. Whatever a player does wrong ends it; an error is our own. A game that was spoiled
    /// by too busy a machine is played again.
    pub(super) fn play(
        &self,
        pairing: &Pairing,
        players: &mut Players,
    ) -> Result<Played, ArenaError> {
        let mut repeats = 0;
        let (game, result, ending) = loop {
            let mut game = LiveGame::new(self, pairing)?;
            let (result, ending) = game.run(players)?;
            if !ending.is_no_fault_of_players() {
                break (game, result, ending);
            }
            let (number, why) = (pairing.number, ending.detail().unwrap_or_default());
            if repeats == REPEATS {
                log::warn!("game {number} has no winner: {why}");
                break (game, result, ending);
            }
            repeats += 1;
            log::warn!(
                "game {number} is played again: {why}; lower --concurrency, or allow more time"
            );
        };
        Ok(Played { record: game.record(result, &ending), ending })
    }
}

impl<'a> LiveGame<'a> {
    fn new(referee: &'a Referee<'a>, pairing: &'a Pairing) -> Result<LiveGame<'a>, ArenaError> {
        let opening = &pairing.opening;
        let unplayable = |error: String| {
            ArenaError::Setup(format!("the opening of game {}: {error}", pairing.number))
        };
        let mut game =
            opening.start(&referee.terms.rules).map_err(|e| unplayable(e.to_string()))?;
        let mut plies = Vec::new();
        for &mv in &opening.moves {
            let seat = game.to_move();
            game.play_move(mv).map_err(|e| unplayable(e.to_string()))?;
            plies.push(Ply { seat, mv, time: None, report: None });
        }
        let timer = |&entrant: &Entrant| Timer::new(referee.terms.control_of(entrant));
        let timers = pairing.seats.iter().map(timer).collect();
        let prover = referee.terms.adjudication.proven.map(Prover::new);
        Ok(LiveGame { referee, pairing, game, plies, timers, fault: None, prover })
    }

    fn run(&mut self, players: &mut Players) -> Result<(GameResult, Ending), ArenaError> {
        for seat in self.first_seats() {
            let player = &mut players[self.pairing.entrant(seat).index()];
            if let Err(failure) = player.new_game(&self.new_game(seat)) {
                return failure.fault().map(|fault| self.lost_by(seat, Ending::Fault(fault)));
            }
        }
        loop {
            if let Some(end) = self.end()? {
                return Ok(end);
            }
            let seat = self.game.to_move();
            let player = &mut players[self.pairing.entrant(seat).index()];
            match self.ask(player.as_mut()).and_then(|decision| self.take(decision)) {
                Ok(None) => {}
                Ok(Some(ending)) => return Ok(self.lost_by(seat, ending)),
                Err(failure) => {
                    return failure.fault().map(|fault| self.lost_by(seat, Ending::Fault(fault)));
                }
            }
        }
    }

    /// How the game has ended, none while it goes on. The one place where a game ends that no player
    /// ends by resigning or by a fault.
    fn end(&mut self) -> Result<Option<(GameResult, Ending)>, ArenaError> {
        if let Some(outcome) = self.game.outcome() {
            return Ok(Some((outcome.into(), Ending::Rules(outcome.reason))));
        }
        let verdict = self.verdict()?;
        Ok(verdict.map(|verdict| {
            let result = verdict.winner().map_or(GameResult::Draw, GameResult::Win);
            (result, Ending::Adjudicated(verdict))
        }))
    }

    /// The arena's verdict on an open game. No clock runs meanwhile.
    fn verdict(&mut self) -> Result<Option<Verdict>, ArenaError> {
        let agreed = self.referee.terms.adjudication.judge(&self.game, &self.plies);
        match (&mut self.prover, agreed) {
            (Some(prover), None) => Ok(prover.judge(&self.game)?),
            (_, agreed) => Ok(agreed),
        }
    }

    fn new_game(&self, seat: Seat) -> NewGame<'_> {
        let (number, timer) = (self.pairing.number, &self.timers[seat.index()]);
        NewGame { number, seat, game: &self.game, timer }
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
        let spent = self.timers[seat.index()].spend(time, self.referee.terms.timeouts.margin);
        spent.map_err(Fault::FlagFall)?;
        let Action::Move(mv) = action else { return Ok(Some(Ending::Resigned)) };
        let illegal = |error: GameError| Fault::IllegalMove(error.to_string());
        self.game.play_move(mv).map_err(illegal)?;
        self.plies.push(Ply { seat, mv, time: Some(time), report });
        Ok(None)
    }

    /// The end by a fault of a seat. Its opponents have won; of many sides none has.
    fn lost_by(&mut self, seat: Seat, ending: Ending) -> (GameResult, Ending) {
        let ending = match ending {
            Ending::Fault(Fault::MachineBusy { otherwise, .. }) if self.is_strict() => {
                Ending::Fault(*otherwise)
            }
            ending if ending.is_no_fault_of_players() => return (GameResult::Draw, ending),
            ending => ending,
        };
        let loser = self.game.side_of(seat);
        if self.game.rules().seating().sides() > 2 {
            self.fault = Some(loser);
            return (GameResult::Draw, ending);
        }
        (GameResult::Win(Side(1 - loser.0 % 2)), ending)
    }

    fn is_strict(&self) -> bool {
        self.referee.terms.adjudication.strict_time
    }

    fn record(self, result: GameResult, ending: &Ending) -> GameRecord {
        let by_seat = |text: &dyn Fn(Entrant) -> String| {
            self.pairing.seats.iter().map(|&entrant| text(entrant)).collect()
        };
        GameRecord {
            game: self.pairing.number,
            date: utc_text(SystemTime::now()),
            rules: self.game.rules().to_string(),
            players: by_seat(&|entrant| self.referee.names[entrant.index()].clone()),
            time_controls: by_seat(&|entrant| self.referee.terms.control_of(entrant).to_string()),
            initial_position: self.pairing.opening.position.clone(),
            opening_plies: self.pairing.opening.moves.len(),
            moves: self.plies.iter().map(|ply| self.game.move_text(ply.mv)).collect(),
            times: self.plies.iter().filter_map(|ply| ply.time).map(millis).collect(),
            plies: self.plies.iter().map(|ply| recorded(&self.game, ply)).collect(),
            captures: self.game.captures(),
            result,
            reason: ending.to_string(),
            detail: ending.detail(),
            fault_seat: self.fault.map(|side| side.0 + 1),
            tournament: None,
        }
    }
}

/// A move as the record has it.
fn recorded(game: &Game, ply: &Ply) -> RecordedPly {
    let report = ply.report.as_ref();
    // An engine that leaves the depth or the nodes out has 0 here.
    RecordedPly {
        mv: game.move_text(ply.mv),
        seat: ply.seat.0 + 1,
        time: ply.time.map(millis),
        score: report.map(|report| report.score.value()),
        mate: report.and_then(|report| report.score.mate()),
        depth: report.map(|report| report.depth).filter(|&depth| depth > 0),
        nodes: report.map(|report| report.nodes).filter(|&nodes| nodes > 0),
        pv: report
            .map_or(Vec::new(), |report| report.pv.iter().map(|&mv| game.move_text(mv)).collect()),
        ..RecordedPly::default()
    }
}

/// Milliseconds with three decimals.
fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
