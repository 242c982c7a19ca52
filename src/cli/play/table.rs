//! The game with those who play it, its clocks, and what was taken back.

use super::Sitter;
use pentarch_arena::{ClockControl, TimeControl, Timer};
use pentarch_core::game::{Move, Outcome, Seat, Side};
use pentarch_engine::search::Report;
use pentarch_engine::{Game, GameError};
use pentarch_records::{RecordedGame, RecordedPly, to_millis};
use std::time::Duration;

/// A game in play.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    game: Game,
    /// The position that it began at.
    start: Game,
    sitters: Vec<Sitter>,
    clock: Option<ClockControl>,
    timers: Vec<Timer>,
    played: Vec<Played>,
    /// Moves taken back, the last one first to be played again.
    taken_back: Vec<Move>,
    fault: Option<Fault>,
    /// The record that it goes on from.
    pub(super) record: Option<RecordedGame>,
}

/// A move that was played.
#[derive(Clone, Debug)]
pub(super) struct Ply {
    pub seat: Seat,
    pub mv: Move,
    /// How long it took, if that is known.
    time: Option<Duration>,
    /// What the engine said of the position before it.
    report: Option<Report>,
}

impl Ply {
    /// The move as a record has it.
    pub(super) fn recorded(&self, game: &Game) -> RecordedPly {
        let ply = RecordedPly::of_move(game, self.mv, self.report.as_ref());
        RecordedPly { seat: self.seat.0 + 1, time: self.time.map(to_millis), ..ply }
    }
}

/// A move, and the clocks before it.
#[derive(Clone, Debug)]
struct Played {
    ply: Ply,
    timers: Vec<Timer>,
}

/// How a seat can end a game beside the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It gave up.
    Resigned(Seat),
    /// Its time was over.
    FlagFall(Seat),
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Rules(Outcome),
    Fault(Fault),
}

/// Why a move was not made.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    #[error(transparent)]
    Move(#[from] GameError),
    #[error("the game is over; `undo` takes back, `new` starts another")]
    Over,
}

impl Fault {
    pub(super) const fn seat(self) -> Seat {
        match self {
            Fault::Resigned(seat) | Fault::FlagFall(seat) => seat,
        }
    }

    /// The word for records, that of the arena.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Fault::Resigned(_) => "resigned",
            Fault::FlagFall(_) => "time",
        }
    }
}

impl Table {
    /// A game as it stands; its moves can be taken back.
    pub(crate) fn new(game: &Game, sitters: Vec<Sitter>, clock: Option<ClockControl>) -> Table {
        let start = game.start();
        let moves = game.moves();
        let timer = Timer::new(TimeControl { clock, ..TimeControl::default() });
        let timers = vec![timer; usize::from(game.seats())];
        let mut table = Table {
            game: start.clone(),
            start,
            sitters,
            clock,
            timers,
            played: Vec::new(),
            taken_back: Vec::new(),
            fault: None,
            record: None,
        };
        for mv in moves {
            // They were legal in the game that was handed over.
            let _ = table.put(mv, None, None);
        }
        table
    }

    /// The same players at another game; with another number of seats those that are usual.
    pub(super) fn anew(&self, game: &Game, level: u32) -> Table {
        let same = game.seats() == self.game.seats();
        let usual = || Sitter::you_against_engines(game.seats(), level);
        let sitters = if same { self.sitters.clone() } else { usual() };
        Table::new(game, sitters, self.clock)
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn start(&self) -> &Game {
        &self.start
    }

    pub(super) fn sitters(&self) -> &[Sitter] {
        &self.sitters
    }

    pub(super) fn set_sitters(&mut self, sitters: Vec<Sitter>) {
        self.sitters = sitters;
    }

    /// Who is to move.
    pub(super) fn mover(&self) -> &Sitter {
        &self.sitters[self.game.to_move().index()]
    }

    pub(super) fn clock(&self) -> Option<ClockControl> {
        self.clock
    }

    /// The clock of a seat.
    pub(super) fn timer(&self, seat: Seat) -> &Timer {
        &self.timers[seat.index()]
    }

    pub(super) fn plies(&self) -> impl Iterator<Item = &Ply> {
        self.played.iter().map(|played| &played.ply)
    }

    /// How the game has ended, or none while it is open.
    pub(super) fn end(&self) -> Option<End> {
        let fault = self.fault.map(End::Fault);
        self.game.outcome().map(End::Rules).or(fault)
    }

    /// The side that has won, and whether somebody has.
    pub(super) fn winner(&self) -> Option<Side> {
        match self.end()? {
            End::Rules(outcome) => outcome.winner,
            End::Fault(fault) if self.game.rules().seating().sides() == 2 => {
                Some(Side(1 - self.game.side_of(fault.seat()).0 % 2))
            }
            // Of many sides none has won by the fault of one.
            End::Fault(_) => None,
        }
    }

    /// Plays a move; its time goes off the clock, and the game is lost by a flag that falls.
    pub(super) fn play(
        &mut self,
        mv: Move,
        time: Duration,
        margin: Duration,
        report: Option<Report>,
    ) -> Result<(), Refusal> {
        if self.end().is_some() {
            return Err(Refusal::Over);
        }
        let seat = self.game.to_move();
        let before = self.timers.clone();
        self.put(mv, Some(time), report)?;
        self.taken_back.clear();
        if self.timers[seat.index()].spend(time, margin).is_err() {
            // A move after the flag was not made.
            self.timers = before;
            self.played.pop();
            self.game.undo();
            self.fault = Some(Fault::FlagFall(seat));
        }
        Ok(())
    }

    fn put(
        &mut self,
        mv: Move,
        time: Option<Duration>,
        report: Option<Report>,
    ) -> Result<(), GameError> {
        let seat = self.game.to_move();
        self.game.play_move(mv)?;
        let ply = Ply { seat, mv, time, report };
        self.played.push(Played { ply, timers: self.timers.clone() });
        Ok(())
    }

    /// Takes back the last move of a person and what was played after it; where only engines play,
    /// the last move. Returns how many moves, or none if there is none to take back.
    pub(super) fn undo(&mut self) -> Option<usize> {
        if self.fault.take().is_some() {
            return Some(0);
        }
        let is_person = |played: &Played| self.sitters[played.ply.seat.index()].is_person();
        let last = if self.sitters.iter().any(Sitter::is_person) {
            self.played.iter().rposition(is_person)?
        } else {
            self.played.len().checked_sub(1)?
        };
        let count = self.played.len() - last;
        for played in self.played.drain(last..).rev() {
            self.game.undo();
            self.taken_back.push(played.ply.mv);
            self.timers = played.timers;
        }
        Some(count)
    }

    /// Plays again what was taken back, up to a person's turn. Returns how many moves.
    pub(super) fn redo(&mut self) -> usize {
        let mut count = 0;
        while let Some(mv) = self.taken_back.pop() {
            if self.put(mv, None, None).is_err() {
                break;
            }
            count += 1;
            if self.mover().is_person() {
                break;
            }
        }
        count
    }

    /// The seat to move loses the game.
    pub(super) fn lose(&mut self, fault: Fault) -> Result<(), Refusal> {
        if self.end().is_some() {
            return Err(Refusal::Over);
        }
        self.fault = Some(fault);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_TIME: Duration = Duration::ZERO;

    fn table(spec: &str, players: &str, moves: &str) -> Table {
        let game = Game::new(spec.parse().unwrap());
        let sitters = Sitter::parse_all(players, game.seats(), 5).unwrap();
        let mut table = Table::new(&game, sitters, Some("2+1".parse().unwrap()));
        for text in moves.split_whitespace() {
            let mv = table.game().parse_move(text).unwrap();
            table.play(mv, NO_TIME, NO_TIME, None).unwrap();
        }
        table
    }

    #[test]
    fn undo_goes_back_to_a_person_and_redo_forward_to_one() {
        let mut against_engine = table("pente", "you,engine", "j10 k10 l11 m12");
        assert_eq!(against_engine.undo(), Some(2));
        assert_eq!(against_engine.game().ply(), 2);
        assert_eq!((against_engine.redo(), against_engine.redo()), (2, 0));
        let mut friends = table("pente", "Ann,Bob", "j10 k10 l11");
        assert_eq!(friends.undo(), Some(1));
        let mut second = table("pente", "engine,you", "j10");
        assert_eq!(second.undo(), None, "it was not your move");
        let mut engines = table("pente-3", "engine,engine,engine", "j10 k10 l11");
        assert_eq!(engines.undo(), Some(1));
    }

    #[test]
    fn a_new_move_forgets_what_was_taken_back_and_clocks_go_back() {
        let mut table = table("pente", "Ann,Bob", "j10");
        let left = table.timer(Seat(1)).limit();
        let mv = table.game().parse_move("k10").unwrap();
        table.play(mv, Duration::from_secs(1), NO_TIME, None).unwrap();
        table.undo().unwrap();
        assert_eq!(table.timer(Seat(1)).limit(), left);
        table.play(mv, NO_TIME, NO_TIME, None).unwrap();
        assert_eq!(table.redo(), 0);
    }

    #[test]
    fn a_flag_or_giving_up_loses_to_the_other_side_and_can_be_taken_back() {
        let mut game = table("pente", "Ann,Bob", "j10");
        let mv = game.game().parse_move("k10").unwrap();
        game.play(mv, Duration::from_secs(9), NO_TIME, None).unwrap();
        assert_eq!(game.end(), Some(End::Fault(Fault::FlagFall(Seat(1)))));
        assert_eq!((game.winner(), game.game().ply()), (Some(Side(0)), 1));
        assert!(game.play(mv, NO_TIME, NO_TIME, None).is_err());
        assert_eq!((game.undo(), game.end()), (Some(0), None));
        let mut three = table("pente-3", "a,b,c", "j10");
        three.lose(Fault::Resigned(Seat(1))).unwrap();
        assert!(three.end().is_some() && three.winner().is_none());
    }
}
