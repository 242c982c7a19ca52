//! Games whose rules only the engines know: moves are texts, and the engine is asked how it stands.

use super::{Ugi, resigns};
use crate::controller::ForeignController;
use crate::fault::{Failure, Fault};
use crate::player::{Action, Decision, ForeignMove, ForeignPosition, ForeignTurn, Opinion};
use crate::process::Process;
use crate::time::Timer;
use pentarch_core::game::Seat;
use pentarch_protocol::ugi::{Command, Query, Response, Start};
use pentarch_records::GameResult;
use pentarch_session::dialects::Heard;

/// The longest text that is taken for a move.
const LONGEST_MOVE: usize = 100;

impl ForeignController for Ugi {
    fn new_game(&mut self, process: &mut Process) -> Result<(), Failure> {
        process.send(&self.write(&Command::UgiNewGame));
        self.is_ready(process, "new game")
    }

    fn choose(
        &mut self,
        process: &mut Process,
        turn: &ForeignTurn<'_>,
    ) -> Result<Decision<ForeignMove>, Failure> {
        process.skip_pending();
        let timer = &turn.timers[turn.seat.index()];
        let clocks: Vec<_> = turn.timers.iter().map(Timer::clock).collect();
        let go = self.write(&Command::Go(self.codec.bounds(&timer.limits(), &clocks)));
        let question = [self.write(&position(&turn.position)), go];
        let (mut heard, mut pv) = (Heard::default(), Vec::new());
        let (limit, stop) = (timer.limit(), Some(Command::Stop));
        let (time, best) = process.ask_for_line(question, limit, stop, |line| {
            self.best_move(line, |info| {
                self.codec.hear_without_line(info, &mut heard);
                if !info.pv.is_empty() && info.multipv.is_none_or(|rank| rank == 1) {
                    pv.clone_from(&info.pv);
                }
            })
        })?;
        let (report, text) = (heard.report(), best.mv);
        if resigns(&text) {
            return Ok(Decision { action: Action::Resign, time, report });
        }
        if text.len() > LONGEST_MOVE {
            return Err(Fault::Garbled(text).into());
        }
        pv.retain(|mv| mv.len() <= LONGEST_MOVE);
        Ok(Decision { action: Action::Move(ForeignMove { text, pv }), time, report })
    }

    fn judge(
        &mut self,
        process: &mut Process,
        given: &ForeignPosition<'_>,
    ) -> Result<Opinion, Failure> {
        process.skip_pending();
        process.send(&self.write(&position(given)));
        let mut complaint = None;
        self.ask(process, &Command::IsReady, |response| {
            if let Response::Error(text) = &response {
                complaint.get_or_insert_with(|| text.clone());
            }
            Ok(response == Response::ReadyOk)
        })?;
        let over = self.truth(process, Query::GameOver)?;
        let result = if over { Some(self.result(process)?) } else { None };
        let turn =
            if over || self.truth(process, Query::PlayerTurn(1))? { Seat(0) } else { Seat(1) };
        let legal_moves = if over { None } else { self.legal_moves(process)? };
        Ok(Opinion { result, turn, legal_moves, complaint })
    }
}

impl Ugi {
    /// The answer to a question about the position; none if the engine does not know the question.
    fn answer(&self, process: &mut Process, query: Query) -> Result<Option<String>, Failure> {
        process.send(&self.write(&Command::Query(query)));
        let mut answer = None;
        self.ask(process, &Command::IsReady, |response| {
            if let Response::Answer(text) = &response {
                answer = Some(text.clone());
            }
            Ok(response == Response::ReadyOk)
        })?;
        Ok(answer)
    }

    fn truth(&self, process: &mut Process, query: Query) -> Result<bool, Failure> {
        let answer = self.answer(process, query)?;
        let is = |word: &str| answer.as_ref().is_some_and(|text| text.eq_ignore_ascii_case(word));
        match (is("true"), is("false")) {
            (false, false) => Err(refused(query, answer)),
            (is_true, _) => Ok(is_true),
        }
    }

    fn result(&self, process: &mut Process) -> Result<GameResult, Failure> {
        let answer = self.answer(process, Query::Result)?;
        let result = answer.clone().and_then(|text| GameResult::try_from(text).ok());
        let of_two = |result: &GameResult| !matches!(result, GameResult::Win(side) if side.0 > 1);
        result.filter(of_two).ok_or_else(|| refused(Query::Result, answer))
    }

    /// The legal moves, of an engine that lists them; an open game has some.
    fn legal_moves(&self, process: &mut Process) -> Result<Option<Vec<String>>, Failure> {
        let answer = self.answer(process, Query::LegalMoves)?.unwrap_or_default();
        let moves: Vec<String> = answer.split_whitespace().map(str::to_owned).collect();
        Ok(Some(moves).filter(|moves| !moves.is_empty()))
    }
}

fn position(position: &ForeignPosition<'_>) -> Command {
    let start = position.start.map_or(Start::StartPos, |text| Start::Fen(text.to_owned()));
    Command::Position { start, moves: position.moves.to_vec() }
}

/// An engine that does not answer as UGI asks it to.
fn refused(query: Query, answer: Option<String>) -> Failure {
    let answer = answer.map_or("no answer".to_owned(), |text| format!("`{text}`"));
    Fault::Refused { command: format!("query {query}"), answer }.into()
}
