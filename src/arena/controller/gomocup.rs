//! Players that speak Gomocup's protocol.
//!
//! It knows points, and of all openings with a choice only swap2: a brain's answer to `SWAP2BOARD`
//! is then several of its moves at once.

use crate::controller::Controller;
use crate::error::{ArenaError, Failure, Fault};
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
    /// `INFO` lines of the user.
    options: Vec<(String, String)>,
    /// How many of the game's moves the brain knows; none of an opening.
    known: usize,
    /// Moves of an opening that the brain has announced.
    announced: VecDeque<Move>,
}

impl Gomocup {
    pub(crate) fn new(
        rules: &Ruleset,
        options: &[(String, String)],
    ) -> Result<Gomocup, ArenaError> {
        let board =
            dialect::managed_board(rules).map_err(|error| ArenaError::Setup(error.to_string()))?;
        let (rules, grid, options) = (rules.clone(), board.grid, options.to_vec());
        let (codec, announced) = (Codec::default(), VecDeque::new());
        Ok(Gomocup { rules, grid, codec, options, known: 0, announced })
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

    /// The whole question once more, for a brain that refuses a move it is told: stock Rapfi takes
    /// `TURN` only once its last search has wound up, which may be later than its last answer.
    fn whole_question(&self, turn: &Turn<'_>) -> String {
        let commands = board_commands(&self.codec.points(self.grid, &turn.moves()));
        let lines: Vec<String> = commands.iter().map(Command::to_string).collect();
        lines.join("\n")
    }

    /// The moves that an answer means.
    fn moves(&self, response: &Response, game: &Game) -> Result<VecDeque<Move>, Fault> {
        let moves = self.codec.moves(game, response).map_err(|error| match error {
            OpeningError::Point(error) => Fault::IllegalMove(error.to_string()),
            _ => Fault::Garbled(response.to_string()),
        });
        moves.map(VecDeque::from)
    }
}

/// Waits for the moves that answer a question, and hands on what else is said until then. A complaint
/// that quotes the move of the question is answered by `again`, once.
fn answer(
    process: &mut Process,
    question: &str,
    again: &mut Option<&dyn Fn() -> String>,
    deadline: Deadline,
    mut hear: impl FnMut(Response),
) -> Result<(Instant, Response), Failure> {
    let told = question.strip_prefix("TURN ");
    loop {
        let (at, line) = process.read(question, deadline)?;
        match Response::parse(&line) {
            Ok(Response::Error(text) | Response::Unknown(text))
                if told.is_some_and(|told| text.contains(told)) && again.is_some() =>
            {
                std::thread::sleep(BEFORE_ASKING_AGAIN);
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

/// Asks for a board, which the brain must not refuse. A complaint that quotes the size is answered by
/// asking again, once: the search for the last game's answer may still wind up.
fn start(process: &mut Process, grid: Grid) -> Result<(), Failure> {
    let start = dialect::start_command(grid);
    let text = start.to_string();
    let size = text.rsplit(' ').next().unwrap_or_default();
    match ask_for_board(process, &start) {
        Err(Failure::Fault(Fault::Refused { answer, .. })) if answer.ends_with(size) => {
            std::thread::sleep(BEFORE_ASKING_AGAIN);
            ask_for_board(process, &start)
        }
        result => result,
    }
}

fn ask_for_board(process: &mut Process, start: &Command) -> Result<(), Failure> {
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

/// What a manager says of the limits before a game.
fn limits(control: &TimeControl) -> Vec<Info> {
    // It has no word for byo-yomi: a period for each move loses none.
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

/// How long to wait for the answer to `ABOUT`, which games do not need.
const INTRODUCTION: Duration = Duration::from_secs(5);
/// What a brain that was not ready for a question is given to become so.
const BEFORE_ASKING_AGAIN: Duration = Duration::from_millis(20);

impl Controller for Gomocup {
    fn introduce(&mut self, process: &mut Process) -> Result<Option<String>, Failure> {
        let about = Command::About.to_string();
        process.send(&about);
        let deadline = Deadline::after(process.timeouts().silence.min(INTRODUCTION));
        let name = process.read_until(&about, deadline, |line| {
            Ok(match Response::parse(line) {
                Ok(Response::About(about)) => Some(about.get("name").map(str::to_owned)),
                // Old brains answer with a text for humans.
                Ok(Response::Text(text)) if !text.trim().is_empty() => Some(Some(text)),
                Ok(Response::Unknown(_)) => Some(None),
                _ => None,
            })
        });
        match name {
            Ok((_, name)) => Ok(name.filter(|name| !name.is_empty())),
            // A brain without a word for itself can still play.
            Err(Failure::Fault(Fault::Hang { .. })) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    fn new_game(&mut self, process: &mut Process, new: &NewGame<'_>) -> Result<(), Failure> {
        process.skip_pending();
        start(process, self.grid)?;
        for info in [dialect::rule_info(&self.rules)].into_iter().chain(limits(new.timer.control()))
        {
            process.send(&Command::Info(info).to_string());
        }
        for (key, value) in self.options.clone() {
            process.send(&Command::Info(Info::Other { key, value }).to_string());
        }
        (self.known, self.announced) = (0, VecDeque::new());
        Ok(())
    }

    fn choose(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<Decision, Failure> {
        if let Some(mv) = self.announced.pop_front() {
            return Ok(Decision::announced(mv));
        }
        process.skip_pending();
        let question = self.question(turn);
        let is_told = |clock: &ClockControl| clock.byo_yomi.is_none();
        if turn.timer().control().clock.as_ref().is_some_and(is_told)
            && let Some(clock) = turn.timer().clock()
        {
            process.send(&Command::Info(time_left_info(Some(clock))).to_string());
        }
        let lines: Vec<String> = question.iter().map(Command::to_string).collect();
        let name = lines.first().cloned().unwrap_or_default();
        let whole = || self.whole_question(turn);
        let mut again: Option<&dyn Fn() -> String> = Some(&whole);
        let mut heard = InfoAccumulator::default();
        // It may be about what was said before the question, such as an `INFO`: it counts if
        // nothing else comes.
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
            (Failure::Fault(Fault::Hang { command, .. }), Some(answer)) => {
                Fault::Refused { command, answer }.into()
            }
            (failure, _) => failure,
        })?;
        self.announced = self.moves(&response, turn.game)?;
        // After an opening the whole board is sent.
        self.known = if question[0] == Command::Swap2Board { 0 } else { turn.plies.len() + 1 };
        let garbled = || Fault::Garbled(response.to_string());
        let action = Action::Move(self.announced.pop_front().ok_or_else(garbled)?);
        Ok(Decision { action, time, report: heard.report() })
    }
}
