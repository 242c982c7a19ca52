//! The controller of engines that speak the Gomocup protocol.
//!
//! The protocol knows points only. Of the openings with a choice it knows only swap2: the answer to
//! `SWAP2BOARD` then contains several moves.

use crate::controller::Controller;
use crate::error::{ArenaError, Fault, PlayerError};
use crate::player::{Action, Decision, NewGame, Turn};
use crate::process::{Deadline, Process};
use crate::time_control::{ClockControl, TimeControl};
use pentarch_core::board::Grid;
use pentarch_core::game::Move;
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::gomocup::{Command, Info, Response, Stone};
use pentarch_session::codec::InfoAccumulator;
use pentarch_session::codec::gomocup::{
    self as dialect, Codec, GameLimits, OpeningError, board_commands, is_swap2_turn, time_left_info,
};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The manager's side of the protocol.
#[derive(Clone, Debug)]
pub(crate) struct Gomocup {
    rules: Ruleset,
    grid: Grid,
    codec: Codec,
    /// Additional `INFO` lines from the engine's spec.
    options: Vec<(String, String)>,
    /// How many moves of the game the engine knows; 0 during an opening.
    known: usize,
    /// Moves of an opening that the engine has already answered.
    pending: VecDeque<Move>,
}

impl Gomocup {
    pub(crate) fn new(
        rules: &Ruleset,
        options: &[(String, String)],
    ) -> Result<Gomocup, ArenaError> {
        let board =
            dialect::managed_board(rules).map_err(|error| ArenaError::Setup(error.to_string()))?;
        let (rules, grid, options) = (rules.clone(), board.grid, options.to_vec());
        let (codec, pending) = (Codec::default(), VecDeque::new());
        Ok(Gomocup { rules, grid, codec, options, known: 0, pending })
    }

    /// The commands that ask for the next move.
    fn question(&self, turn: &Turn<'_>) -> Vec<Command> {
        let stones = self.codec.points(self.grid, &turn.moves());
        if is_swap2_turn(turn.game) {
            let list = stones.into_iter().map(|point| Command::Stone(Stone { point, owner: None }));
            return [Command::Swap2Board].into_iter().chain(list).chain([Command::Done]).collect();
        }
        let new = turn.plies.len() - self.known;
        match stones.last() {
            None => vec![Command::Begin],
            Some(&last) if new == 1 => vec![Command::Turn(last)],
            Some(_) => board_commands(&stones),
        }
    }

    /// The question with the whole board, for an engine that refuses `TURN`: stock Rapfi accepts it
    /// only after its last search has stopped, which may be later than its last answer.
    fn full_question(&self, turn: &Turn<'_>) -> String {
        let commands = board_commands(&self.codec.points(self.grid, &turn.moves()));
        let lines: Vec<String> = commands.iter().map(Command::to_string).collect();
        lines.join("\n")
    }

    /// The moves that a response means.
    fn moves(&self, response: &Response, game: &Game) -> Result<VecDeque<Move>, Fault> {
        let moves = self.codec.moves(game, response).map_err(|error| match error {
            OpeningError::Point(error) => Fault::IllegalMove(error.to_string()),
            _ => Fault::Garbled(response.to_string()),
        });
        moves.map(VecDeque::from)
    }
}

/// Waits for the moves that answer a question; passes other responses to `hear`. An error that
/// quotes the move of the question is answered by `again`, once.
fn answer(
    process: &mut Process,
    question: &str,
    again: &mut Option<&dyn Fn() -> String>,
    deadline: Deadline,
    mut hear: impl FnMut(Response),
) -> Result<(Instant, Response), PlayerError> {
    let coordinates = question.strip_prefix("TURN ");
    loop {
        let (at, line) = process.read(question, deadline)?;
        match Response::parse(&line) {
            Ok(Response::Error(text) | Response::Unknown(text))
                if coordinates.is_some_and(|point| text.contains(point)) && again.is_some() =>
            {
                std::thread::sleep(RETRY_DELAY);
                if let Some(again) = again.take() {
                    process.send(&again());
                }
            }
            Ok(Response::Suggest(point)) => process.send(&Command::Play(point).to_string()),
            Ok(response @ (Response::Moves(_) | Response::Swap)) => return Ok((at, response)),
            Ok(Response::Text(text))
                if text.trim_start().starts_with(|c: char| c.is_ascii_digit()) =>
            {
                return Err(Fault::Garbled(text).into());
            }
            Ok(response) => hear(response),
            Err(_) => return Err(Fault::Garbled(line).into()),
        }
    }
}

/// Sends `START`, which the engine must accept. If the error quotes the size, the command is
/// repeated once: the last search may still be stopping.
fn start(process: &mut Process, grid: Grid) -> Result<(), PlayerError> {
    let start = dialect::start_command(grid);
    let text = start.to_string();
    let size = text.rsplit(' ').next().unwrap_or_default();
    match ask_for_board(process, &start) {
        Err(PlayerError::Fault(Fault::Refused { answer, .. })) if answer.ends_with(size) => {
            std::thread::sleep(RETRY_DELAY);
            ask_for_board(process, &start)
        }
        result => result,
    }
}

fn ask_for_board(process: &mut Process, start: &Command) -> Result<(), PlayerError> {
    process.ask(start, |line| match Response::parse(line) {
        Ok(Response::Ok) => Ok(Some(())),
        Ok(Response::Error(answer) | Response::Unknown(answer)) => {
            Err(Fault::Refused { command: start.to_string(), answer })
        }
        Ok(response @ (Response::Moves(_) | Response::Swap)) => {
            Err(Fault::Garbled(response.to_string()))
        }
        Ok(_) | Err(_) => Ok(None),
    })
}

/// The `INFO` lines for the limits of a game.
fn limits(control: &TimeControl) -> Vec<Info> {
    // The protocol has no byo-yomi; the length of a period is sent as the time for a move.
    let byo_yomi = control.clock.and_then(|clock| clock.byo_yomi);
    let time = control.clock.map(|clock| clock.time).filter(|_| byo_yomi.is_none());
    let limits = GameLimits {
        turn: control.move_time.or(byo_yomi.map(|byo_yomi| byo_yomi.length)),
        game: time,
        left: time,
        increment: control.clock.map(|clock| clock.increment).unwrap_or_default(),
        depth: control.depth,
        nodes: control.nodes,
    };
    limits.infos()
}

/// The timeout for the answer to `ABOUT`, which games do not need.
const ABOUT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long to wait before a question is repeated to an engine that was not ready for it.
const RETRY_DELAY: Duration = Duration::from_millis(20);

impl Controller for Gomocup {
    fn handshake(&mut self, process: &mut Process) -> Result<Option<String>, PlayerError> {
        let about = Command::About.to_string();
        process.send(&about);
        let deadline = Deadline::after(process.timeouts().response.min(ABOUT_TIMEOUT));
        let name = process.read_until(&about, deadline, |line| {
            Ok(match Response::parse(line) {
                Ok(Response::About(about)) => Some(about.get("name").map(str::to_owned)),
                // Old engines answer with free text.
                Ok(Response::Text(text)) if !text.trim().is_empty() => Some(Some(text)),
                Ok(Response::Unknown(_)) => Some(None),
                _ => None,
            })
        });
        match name {
            Ok((_, name)) => Ok(name.filter(|name| !name.is_empty())),
            // An engine that does not answer `ABOUT` can still play.
            Err(PlayerError::Fault(Fault::Hang { .. })) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    fn new_game(&mut self, process: &mut Process, new: &NewGame<'_>) -> Result<(), PlayerError> {
        process.discard_pending();
        start(process, self.grid)?;
        for info in [dialect::rule_info(&self.rules)].into_iter().chain(limits(new.timer.control()))
        {
            process.send(&Command::Info(info).to_string());
        }
        for (key, value) in self.options.clone() {
            process.send(&Command::Info(Info::Other { key, value }).to_string());
        }
        (self.known, self.pending) = (0, VecDeque::new());
        Ok(())
    }

    fn choose(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<Decision, PlayerError> {
        if let Some(mv) = self.pending.pop_front() {
            return Ok(Decision::prepared(mv));
        }
        process.discard_pending();
        let question = self.question(turn);
        let is_supported = |clock: &ClockControl| clock.byo_yomi.is_none();
        if turn.timer().control().clock.as_ref().is_some_and(is_supported)
            && let Some(clock) = turn.timer().clock()
        {
            process.send(&Command::Info(time_left_info(Some(clock))).to_string());
        }
        let lines: Vec<String> = question.iter().map(Command::to_string).collect();
        let name = lines.first().cloned().unwrap_or_default();
        let whole = || self.full_question(turn);
        let mut again: Option<&dyn Fn() -> String> = Some(&whole);
        let mut heard = InfoAccumulator::default();
        // An error may refer to an earlier line such as an `INFO`: it counts only if no move comes.
        let mut complaint = None;
        let mut hear = |response| match response {
            Response::Message(text) => self.codec.accumulate(turn.game, &text, &mut heard),
            Response::Error(text) | Response::Unknown(text) => complaint = Some(text),
            _ => {}
        };
        let (limit, stop) = (turn.timer().limit(), Command::Stop.to_string());
        let answered = process.ask_for_move(&lines, limit, Some(&stop), |process, deadline| {
            answer(process, &name, &mut again, deadline, &mut hear)
        });
        let (time, response) = answered.map_err(|failure| match (failure, complaint) {
            (PlayerError::Fault(Fault::Hang { command, .. }), Some(answer)) => {
                Fault::Refused { command, answer }.into()
            }
            (failure, _) => failure,
        })?;
        self.pending = self.moves(&response, turn.game)?;
        // After an opening the whole board is sent.
        self.known = if question[0] == Command::Swap2Board { 0 } else { turn.plies.len() + 1 };
        let garbled = || Fault::Garbled(response.to_string());
        let action = Action::Move(self.pending.pop_front().ok_or_else(garbled)?);
        Ok(Decision { action, time, report: heard.report() })
    }
}
