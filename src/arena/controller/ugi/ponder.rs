//! Thinking in the opponent's time: the position after the expected reply is searched with `go ponder`,
//! until the reply is played (`ponderhit`) or another one is (`stop`).

use super::Ugi;
use crate::fault::Failure;
use crate::player::Turn;
use crate::process::Process;
use crate::time::Timer;
use pentarch_core::game::Move;
use pentarch_engine::search::Report;
use pentarch_protocol::ugi::{Best, Command, Go, Response};
use std::time::Duration;

/// A search in an opponent's time.
#[derive(Clone, Debug)]
pub(super) struct Pondering {
    /// The moves from where the game began on, the expected one last.
    moves: Vec<Move>,
}

impl Ugi {
    /// The reply that the engine expects to its move: the one that it names, or the second of its line.
    pub(super) fn expected(
        &self,
        turn: &Turn<'_>,
        mv: Move,
        best: &Best,
        report: Option<&Report>,
    ) -> Option<Move> {
        let mut game = turn.game.clone();
        // Whether the move is legal and in time is for the referee to say.
        game.play_move(mv).ok()?;
        let named = best.ponder.as_ref().and_then(|text| self.codec.parse_move(&game, text).ok());
        let of_line = report.filter(|report| report.pv.first() == Some(&mv));
        named.or_else(|| of_line.and_then(|report| report.pv.get(1).copied()))
    }

    /// Lets the engine think about the position after its move and that reply, if it is its turn again
    /// there.
    pub(super) fn ponder(
        &mut self,
        process: &mut Process,
        turn: &Turn<'_>,
        line: [Move; 2],
        time: Duration,
    ) {
        let mut game = turn.game.clone();
        for mv in line {
            let others = mv == line[0] || game.to_move() != turn.seat();
            if !others || game.play_move(mv).is_err() {
                return;
            }
        }
        if game.outcome().is_some() || game.to_move() != turn.seat() {
            return;
        }
        let mut moves = turn.moves();
        moves.extend(line);
        let mut timers = turn.timers.to_vec();
        let timer = &mut timers[turn.seat().index()];
        // A flag that falls ends the game, and this search with it.
        let _ = timer.spend(time, process.timeouts().margin);
        let limits = timer.limits();
        let clocks: Vec<_> = timers.iter().map(Timer::clock).collect();
        let go = Go { ponder: true, ..self.codec.go(&game, &limits, &clocks) };
        let position = self.codec.position(&game, turn.opening.position.as_deref(), &moves);
        process.send(&format!("{position}\n{}", self.write(&Command::Go(go))));
        self.pondering = Some(Pondering { moves });
    }

    /// Whether the search in the opponent's time is one of this position, so that it may go on; any other
    /// is ended.
    pub(super) fn end_pondering(
        &mut self,
        process: &mut Process,
        turn: &Turn<'_>,
    ) -> Result<bool, Failure> {
        let moves = turn.moves();
        if self.pondering.take_if(|pondering| pondering.moves == moves).is_some() {
            return Ok(true);
        }
        self.stop_pondering(process)?;
        process.skip_pending();
        Ok(false)
    }

    /// Ends the search in the opponent's time, if there is one. Its answer is thrown away.
    pub(super) fn stop_pondering(&mut self, process: &mut Process) -> Result<(), Failure> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        process.ask(Command::Stop, |line| {
            let is_answer = matches!(self.codec.0.response(line), Ok(Response::BestMove(_)))
                || line.trim_start().starts_with("bestmove");
            Ok(is_answer.then_some(()))
        })
    }
}
