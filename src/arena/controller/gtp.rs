//! The controller of engines that speak GTP.
//!
//! GTP has vertices and whole seconds. Moves are translated; times are sent with decimals to
//! engines that list `KataGo`'s `kata-time_settings` and rounded up for others. Limits of nodes and
//! depth cannot be sent: they belong on the engine's command line. So does the game, unless the
//! engine lists `set_game` and knows this name of the game.

use crate::controller::{Controller, warn_once};
use crate::error::{Fault, PlayerError};
use crate::player::{Action, Decision, NewGame, Turn};
use crate::process::Process;
use crate::time_control::{ByoYomi, ClockControl, Timer};
use pentarch_core::game::Move;
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::gtp::{
    AnalysisFormat, Analyze, Color, Command, Request, ResponseReader, SearchTask,
};
use pentarch_session::codec::InfoAccumulator;
use pentarch_session::codec::gtp::{
    self, Codec, MoveError, TimeLeft, TimeSettings, VertexBoard, color,
};

#[derive(Clone, Debug)]
pub(crate) struct Gtp {
    /// The rules of the game.
    rules: Ruleset,
    /// The board; `None` for tiles.
    board: Option<VertexBoard>,
    /// The commands that the engine lists.
    known: Vec<String>,
    /// How many moves of the game the engine has been sent or has made.
    sent: usize,
    /// A stone that the engine placed together with the choice that it implies.
    ahead: Option<Move>,
}

impl Gtp {
    pub(crate) fn new(rules: &Ruleset) -> Gtp {
        let rules = rules.clone();
        let board = VertexBoard::of(&Game::new(rules.clone()));
        Gtp { rules, board, known: Vec::new(), sent: 0, ahead: None }
    }

    /// The first move of an answer; a second one is kept in `ahead`.
    fn read(&mut self, game: &Game, answer: &str) -> Result<Move, Fault> {
        let moves = CODEC.parse_move(game, answer.trim()).map_err(|error| match error {
            MoveError::Vertex(_) => Fault::Garbled(answer.to_owned()),
            error => Fault::IllegalMove(format!("`{answer}`: {error}")),
        })?;
        let mut moves = moves.into_iter();
        let first = moves.next().ok_or_else(|| Fault::Garbled(answer.to_owned()))?;
        self.ahead = moves.next();
        Ok(first)
    }

    fn knows(&self, command: &str) -> bool {
        self.known.iter().any(|known| known == command)
    }

    /// Sends the name of the game. The engine may know it by another name, so the answer is
    /// ignored.
    fn set_game(&self, process: &mut Process) -> Result<(), PlayerError> {
        if self.knows("set_game") {
            let _answer = ask(process, &gtp::set_game(&self.rules).request(None))?;
        }
        Ok(())
    }

    /// Sends the size of the board, if there is a board.
    fn set_board_size(&self, process: &mut Process) -> Result<(), PlayerError> {
        let Some(board) = self.board else { return Ok(()) };
        must(process, &board.boardsize().request(None))
    }

    /// The time settings of a game in the form that the engine knows, if any.
    fn time_settings(&self, timer: &Timer) -> Option<Command> {
        let settings = settings(timer)?;
        if self.knows(KATA_TIME) {
            return Some(settings.kata_command());
        }
        self.knows("time_settings").then(|| settings.standard_command())
    }

    /// The command that asks for a move, with search reports if the engine supports them.
    fn question(&self, color: Color) -> Request {
        let knows = |name: &&(&str, AnalysisFormat)| self.knows(name.0);
        match GENMOVE_ANALYZE.iter().find(knows) {
            Some(&(_, flavor)) => {
                // More than one line would weaken a search. Leela Zero does not know the keyword.
                let max_moves = (flavor == AnalysisFormat::Kata).then_some(1);
                let (color, interval) = (Some(color), Some(REPORTS));
                let analyze = Analyze::new(SearchTask::Play, flavor);
                Command::Analyze(Analyze { color, interval, max_moves, ..analyze }).request(None)
            }
            None => Command::GenMove(color).request(None),
        }
    }

    /// Sends the moves that the engine does not know yet.
    fn play_moves(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<(), PlayerError> {
        for ply in turn.plies.iter().skip(self.sent) {
            let vertex = CODEC.move_text(turn.game, ply.mv).unwrap_or_default();
            must(process, &Command::Play { color: color(ply.seat), vertex }.request(None))?;
            self.sent += 1;
        }
        Ok(())
    }
}

/// `KataGo`'s command, which takes decimals and increments.
const KATA_TIME: &str = "kata-time_settings";

/// Commands that generate a move and report on the search, the most detailed first.
const GENMOVE_ANALYZE: [(&str, AnalysisFormat); 3] = [
    ("kata-genmove_analyze", AnalysisFormat::Kata),
    ("lz-genmove_analyze", AnalysisFormat::Leela),
    ("genmove_analyze", AnalysisFormat::Sabaki),
];

/// The interval between two reports, in milliseconds.
const REPORTS: u32 = 500;

/// The move in an answer; it follows the word `play` in answers with reports.
fn played(answer: &str) -> &str {
    let lines = || answer.lines().map(str::trim);
    let play = lines().find_map(|line| line.strip_prefix("play "));
    play.unwrap_or(answer).trim()
}

/// Moves are sent in the extended notation, which is unambiguous.
const CODEC: Codec = Codec { extended: true };

/// A player's clock in GTP's terms. A time per move is sent as a period of one move.
fn settings(timer: &Timer) -> Option<TimeSettings> {
    let control = timer.control();
    let none = TimeSettings::default();
    match (control.clock, control.move_time) {
        (Some(ClockControl { time: main, byo_yomi: Some(byo_yomi), .. }), _) => {
            let ByoYomi { length: period, periods } = byo_yomi;
            Some(TimeSettings { main, period, stones: 1, periods, ..none })
        }
        (Some(clock), _) => Some(match clock.moves {
            Some(stones) => TimeSettings { period: clock.time, stones, ..none },
            None => TimeSettings { main: clock.time, increment: clock.increment, ..none },
        }),
        (None, time) => time.map(|period| TimeSettings { period, stones: 1, ..none }),
    }
}

impl Controller for Gtp {
    fn handshake(&mut self, process: &mut Process) -> Result<Option<String>, PlayerError> {
        let name = ask(process, &Command::Name.request(None))?;
        let list = ask(process, &Command::ListCommands.request(None))?;
        self.known = list.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        self.set_game(process)?;
        self.set_board_size(process)?;
        Ok(name.ok().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()))
    }

    fn new_game(&mut self, process: &mut Process, new: &NewGame<'_>) -> Result<(), PlayerError> {
        let control = new.timer.control();
        if control.clock.is_none() && control.move_time.is_none() {
            let label = process.label();
            warn_once(&format!(
                "{label}: GTP cannot express a limit of nodes or depth; set one on the engine's command line"
            ));
        }
        self.set_board_size(process)?;
        must(process, &Command::ClearBoard.request(None))?;
        // Learned data would make a game depend on the games played before in this process.
        if self.knows("clear_cache") {
            must(process, &Command::ClearCache.request(None))?;
        }
        if let Some(settings) = self.time_settings(new.timer) {
            must(process, &settings.request(None))?;
        }
        self.sent = 0;
        self.ahead = None;
        Ok(())
    }

    fn choose(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<Decision, PlayerError> {
        if let Some(stone) = self.ahead.take() {
            self.sent += 1;
            return Ok(Decision::prepared(stone));
        }
        process.discard_pending();
        self.play_moves(process, turn)?;
        let color = color(turn.seat());
        if let Some(clock) = turn.timer().clock()
            && self.knows("time_left")
        {
            let knows_decimals = self.knows(KATA_TIME);
            let left = match turn.timer().byo_yomi() {
                None => TimeLeft { time: clock.left, stones: clock.moves_to_go.unwrap_or(0) },
                // KataGo counts periods, not stones; `time_settings` knows periods of one stone only.
                Some((main, ByoYomi { length: time, periods })) if main.is_zero() => {
                    TimeLeft { time, stones: if knows_decimals { periods } else { 1 } }
                }
                Some((time, _)) => TimeLeft { time, stones: 0 },
            };
            let command = if knows_decimals {
                left.kata_command(color)
            } else {
                left.standard_command(color)
            };
            must(process, &command.request(None))?;
        }
        let mut heard = InfoAccumulator::default();
        let request = self.question(color);
        // GTP has no `stop`: a late answer is awaited for the grace period.
        let (limit, stop) = (turn.timer().limit(), None::<Command>);
        let mut reader = ResponseReader::new();
        let (time, answer) = process.ask_for_line([&request], limit, stop, |line| {
            Ok(read_answer(line, &mut reader, |line| CODEC.accumulate(turn.game, line, &mut heard)))
        })?;
        let command = request.to_string();
        let text = answer.map_err(|answer| Fault::Refused { command, answer })?;
        let text = played(&text);
        let action = if text.trim().eq_ignore_ascii_case("resign") {
            Action::Resign
        } else {
            Action::Move(self.read(turn.game, text)?)
        };
        self.sent += 1;
        Ok(Decision { action, time, report: heard.report() })
    }
}

/// Sends a request and waits for its answer.
fn ask(process: &mut Process, request: &Request) -> Result<Result<String, String>, PlayerError> {
    let mut reader = ResponseReader::new();
    process.ask(request, |line| Ok(read_answer(line, &mut reader, |_| ())))
}

/// Returns the answer that ends with this line, if one does. Lines of analysis are passed to
/// `hear`.
fn read_answer(
    line: &str,
    reader: &mut ResponseReader,
    hear: impl FnOnce(&str),
) -> Option<Result<String, String>> {
    let said = line.strip_prefix('=').unwrap_or(line).trim_start();
    let is_info = said.starts_with("info ");
    if is_info {
        hear(said);
    }
    let rest = match line {
        _ if !is_info => line,
        // The line begins with the status character.
        _ if said.len() < line.len() => "=",
        _ => return None,
    };
    reader.push(rest).map(|response| response.result)
}

/// Sends a request that the engine must not refuse.
fn must(process: &mut Process, request: &Request) -> Result<(), PlayerError> {
    let refused = |answer| Fault::Refused { command: request.to_string(), answer };
    ask(process, request)?.map(drop).map_err(|answer| refused(answer).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time_control::TimeControl;
    use std::time::Duration;

    #[test]
    fn a_choice_may_come_as_a_stone() {
        let mut game = Game::new("swap2-pente".parse().unwrap());
        let mut gtp = Gtp::new(game.rules());
        let first = gtp.read(&game, "K10").unwrap();
        assert_eq!(game.move_text(first), "j10");
        for text in ["j10", "k10", "a1"] {
            game.play(text).unwrap();
        }
        for (answer, choice, ahead) in [
            ("K10", "swap", None),
            ("A1", "more", None),
            ("keep", "keep", None),
            ("B2", "keep", Some("b2")),
        ] {
            let first = gtp.read(&game, answer).unwrap();
            assert_eq!(game.move_text(first), choice);
            let second = gtp.ahead.map(|mv| game.move_text(mv));
            assert_eq!(second.as_deref(), ahead);
        }
    }

    #[test]
    fn time_settings_by_what_the_engine_knows() {
        let clock = |text: &str| TimeControl { clock: Some(text.parse().unwrap()), ..none() };
        let per_move = TimeControl { move_time: Some(Duration::from_millis(1500)), ..none() };
        for (control, plain, kata) in [
            (clock("10+0.1"), Some("time_settings 10 0 0"), Some("fischer 10 0.1")),
            (clock("40/59.5"), Some("time_settings 0 60 40"), Some("canadian 0 59.5 40")),
            (clock("0.2"), Some("time_settings 1 0 0"), Some("fischer 0.2 0")),
            (clock("60+3x10"), Some("time_settings 60 10 1"), Some("byoyomi 60 10 3")),
            (per_move, Some("time_settings 0 2 1"), Some("byoyomi 0 1.5 1")),
            (TimeControl { nodes: Some(5), ..none() }, None, None),
        ] {
            let sent = |known: &[&str]| {
                let mut gtp = Gtp::new(&"pente".parse().unwrap());
                gtp.known = known.iter().map(|&name| name.to_owned()).collect();
                gtp.time_settings(&Timer::new(control)).map(|sent| sent.to_string())
            };
            assert_eq!(sent(&["time_settings"]).as_deref(), plain);
            let kata = kata.map(|kata| format!("kata-time_settings {kata}"));
            assert_eq!(sent(&["time_settings", "kata-time_settings"]), kata);
            assert_eq!(sent(&[]), None);
        }
    }

    #[test]
    fn moves_are_asked_for_with_a_report() {
        let asked = |known: &[&str]| {
            let mut gtp = Gtp::new(&"pente".parse().unwrap());
            gtp.known = known.iter().map(|&name| name.to_owned()).collect();
            gtp.question(Color::Black).to_string()
        };
        assert_eq!(asked(&["genmove"]), "genmove b");
        assert_eq!(asked(&["genmove_analyze"]), "genmove_analyze b interval 50");
        let all = ["genmove", "genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"];
        assert_eq!(asked(&all[..3]), "lz-genmove_analyze b interval 50");
        assert_eq!(asked(&all), "kata-genmove_analyze b interval 50 maxmoves 1");
        for (answer, expected) in
            [("K10", "K10"), ("\nplay K10", "K10"), ("\nplay resign", "resign")]
        {
            assert_eq!(played(answer), expected);
        }
    }

    fn none() -> TimeControl {
        TimeControl::default()
    }
}
