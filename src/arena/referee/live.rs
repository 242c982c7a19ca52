//! A game in play, whoever knows its rules: whose turn it is, the clocks, the faults, the record.

use super::{Players, Referee};
use crate::fault::{ArenaError, Ending, Failure, Fault};
use crate::player::{Action, Decision, Player};
use crate::schedule::{Entrant, Pairing};
use crate::time::Timer;
use pentarch_core::game::{Seat, Side};
use pentarch_engine::search::Report;
use pentarch_records::{GameRecord, GameResult, RecordedPly, millis, utc_text};
use std::time::SystemTime;

/// Who knows the rules of a game, and the position in it.
pub(super) trait Board {
    /// What a move is.
    type Move;

    /// The rules as the record names them.
    fn rules(&self) -> String;

    /// The word for the referee, if it is not the arena.
    fn referee(&self) -> Option<String> {
        None
    }

    /// The position text that the game began at, unless it was its start.
    fn initial_position(&self) -> Option<String>;

    /// The moves of the opening.
    fn opening(&self) -> Vec<RecordedPly>;

    /// The seat to move.
    fn to_move(&self) -> Seat;

    /// The captured stones that count for each color.
    fn captures(&self) -> Vec<u16> {
        Vec::new()
    }

    /// The board for those who look on, if it can be drawn.
    fn picture(&self) -> Option<String> {
        None
    }

    /// Prepares a player for the game.
    fn prepare(&self, player: &mut dyn Player, new: Beginning<'_>) -> Result<(), Failure>;

    /// How the game has ended, none while it goes on; the one place where a game ends that no player
    /// ends by resigning or by a fault of its move. The seats' players are in `players`.
    fn end(
        &mut self,
        plies: &[RecordedPly],
        players: &mut Seats<'_>,
    ) -> Result<Option<End>, ArenaError>;

    /// Asks the player whose turn it is.
    fn ask(
        &self,
        player: &mut dyn Player,
        timers: &[Timer],
    ) -> Result<Decision<Self::Move>, Failure>;

    /// Plays a move, if it is legal. What the player said of it is for the record.
    fn play(&mut self, mv: Self::Move, report: Option<&Report>) -> Result<RecordedPly, Illegal>;
}

/// What a player is told of a game that begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beginning<'a> {
    pub(super) number: u32,
    pub(super) seat: Seat,
    pub(super) timer: &'a Timer,
}

/// How a game ends.
pub(super) enum End {
    /// By its rules or by a verdict.
    Result(GameResult, Ending),
    /// By a fault of this seat.
    By(Seat, Fault),
}

/// A move that is not played.
pub(super) enum Illegal {
    /// It is a fault of the player.
    Fault(Fault),
    /// The engines do not agree on it.
    Disputed(String),
}

/// The players of a game by seat.
pub(super) struct Seats<'a> {
    players: &'a mut Players,
    seats: &'a [Entrant],
}

impl Seats<'_> {
    pub(super) fn player(&mut self, seat: Seat) -> &mut dyn Player {
        let entrant = self.seats[seat.index() % self.seats.len().max(1)];
        self.players[entrant.index()].as_mut()
    }
}

/// A game in play.
pub(super) struct LiveGame<'a, B> {
    referee: &'a Referee<'a>,
    pairing: &'a Pairing,
    board: B,
    opening_plies: usize,
    plies: Vec<RecordedPly>,
    timers: Vec<Timer>,
    fault: Option<Side>,
    /// The seat whose player did something wrong, and the last lines exchanged with it.
    culprit: Option<Seat>,
    exchange: Vec<String>,
}

impl<'a, B: Board> LiveGame<'a, B> {
    pub(super) fn new(referee: &'a Referee<'a>, pairing: &'a Pairing, board: B) -> LiveGame<'a, B> {
        let timer = |&entrant: &Entrant| Timer::new(referee.terms.control_of(entrant));
        let timers = pairing.seats.iter().map(timer).collect();
        let plies = board.opening();
        LiveGame {
            referee,
            pairing,
            board,
            opening_plies: plies.len(),
            plies,
            timers,
            fault: None,
            culprit: None,
            exchange: Vec::new(),
        }
    }

    pub(super) fn run(
        &mut self,
        players: &mut Players,
    ) -> Result<(GameResult, Ending), ArenaError> {
        let mut seats = Seats { players, seats: &self.pairing.seats };
        let ended = self.play(&mut seats);
        if let Some(seat) = self.culprit {
            self.exchange = seats.player(seat).exchange();
        }
        for seat in self.first_seats() {
            seats.player(seat).end_game();
        }
        ended
    }

    fn play(&mut self, seats: &mut Seats<'_>) -> Result<(GameResult, Ending), ArenaError> {
        for seat in self.first_seats() {
            let new =
                Beginning { number: self.pairing.number, seat, timer: &self.timers[seat.index()] };
            if let Err(failure) = self.board.prepare(seats.player(seat), new) {
                return failure.fault().map(|fault| self.lost_by(seat, Ending::Fault(fault)));
            }
        }
        loop {
            match self.board.end(&self.plies, seats)? {
                None => {}
                Some(End::Result(result, ending)) => return Ok((result, ending)),
                Some(End::By(seat, fault)) => return Ok(self.lost_by(seat, Ending::Fault(fault))),
            }
            let (number, moves) = (self.pairing.number, self.plies.len());
            self.referee.watch.show(number, moves, || self.board.picture());
            let seat = self.board.to_move();
            let decided = self.board.ask(seats.player(seat), &self.timers);
            match decided.and_then(|decision| self.take(decision)) {
                Ok(None) => {}
                Ok(Some(ending @ Ending::Disagreement(_))) => {
                    return Ok((GameResult::Draw, ending));
                }
                Ok(Some(ending)) => return Ok(self.lost_by(seat, ending)),
                Err(failure) => {
                    return failure.fault().map(|fault| self.lost_by(seat, Ending::Fault(fault)));
                }
            }
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

    /// Does what a player has decided, which may end the game.
    fn take(&mut self, decision: Decision<B::Move>) -> Result<Option<Ending>, Failure> {
        let Decision { action, time, report } = decision;
        let seat = self.board.to_move();
        let spent = self.timers[seat.index()].spend(time, self.referee.terms.timeouts.margin);
        spent.map_err(Fault::FlagFall)?;
        let Action::Move(mv) = action else { return Ok(Some(Ending::Resigned)) };
        let ply = match self.board.play(mv, report.as_ref()) {
            Ok(ply) => ply,
            Err(Illegal::Fault(fault)) => return Err(fault.into()),
            Err(Illegal::Disputed(text)) => return Ok(Some(Ending::Disagreement(text))),
        };
        self.plies.push(RecordedPly { seat: seat.0 + 1, time: Some(millis(time)), ..ply });
        Ok(None)
    }

    /// The end by a fault of a seat. Its opponents have won; of many sides none has.
    fn lost_by(&mut self, seat: Seat, ending: Ending) -> (GameResult, Ending) {
        self.culprit = matches!(ending, Ending::Fault(_)).then_some(seat);
        let strict = self.referee.terms.adjudication.strict_time;
        let ending = match ending {
            Ending::Fault(Fault::MachineBusy { otherwise, .. }) if strict => {
                Ending::Fault(*otherwise)
            }
            ending if ending.is_no_fault_of_players() => return (GameResult::Draw, ending),
            ending => ending,
        };
        let sides = self.referee.terms.rules.sides();
        let loser = Side(seat.0 % sides.max(1));
        if sides > 2 {
            self.fault = Some(loser);
            return (GameResult::Draw, ending);
        }
        (GameResult::Win(Side(1 - loser.0 % 2)), ending)
    }

    pub(super) fn record(self, result: GameResult, ending: &Ending) -> GameRecord {
        let by_seat = |text: &dyn Fn(Entrant) -> String| {
            self.pairing.seats.iter().map(|&entrant| text(entrant)).collect()
        };
        GameRecord {
            game: self.pairing.number,
            date: utc_text(SystemTime::now()),
            rules: self.board.rules(),
            referee: self.board.referee(),
            players: by_seat(&|entrant| self.referee.names[entrant.index()].clone()),
            time_controls: by_seat(&|entrant| self.referee.terms.control_of(entrant).to_string()),
            initial_position: self.board.initial_position(),
            opening_plies: self.opening_plies,
            moves: self.plies.iter().map(|ply| ply.mv.clone()).collect(),
            times: self.plies.iter().filter_map(|ply| ply.time).collect(),
            captures: self.board.captures(),
            plies: self.plies,
            result,
            reason: ending.to_string(),
            detail: ending.detail(),
            exchange: self.exchange,
            fault_seat: self.fault.map(|side| side.0 + 1),
            tournament: None,
        }
    }
}
