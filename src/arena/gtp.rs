//! Players that speak GTP.
//!
//! GTP knows vertices and whole seconds. Moves are translated; times are sent with
//! decimals to engines that list `KataGo`'s `kata-time_settings`, and rounded up to others.
//! Limits of nodes and depth cannot be told: they belong on the engine's command line. So does the
//! game, unless the engine lists `set_game` and knows the game by our name.

use super::child::{Dialect, read_moves};
use super::fault::{Failure, Fault};
use super::player::{Action, Decision, Setup, Turn};
use super::process::{Deadline, Process};
use super::time::Timer;
use crate::engine::{Board, Game, moves_at};
use crate::game::{Move, Seat};
use pentarch_protocol::gtp::{Color, Command, KataTime, Request, ResponseReader, Vertex};
use std::time::{Duration, Instant};

/// The controller's side of GTP.
#[derive(Clone, Debug)]
pub(super) struct Gtp {
    /// The game as a text.
    spec: String,
    /// What is played on; tiles need no board and have the same texts in GTP.
    board: Option<Board>,
    /// The commands that the engine lists.
    known: Vec<String>,
    /// How many of the game's moves the engine has been told or has made.
    told: usize,
    /// A stone that the engine has placed together with the choice that it stood for.
    ahead: Option<Move>,
}

impl Gtp {
    pub(super) fn new(spec: String, board: Option<Board>) -> Gtp {
        Gtp { spec, board, known: Vec::new(), told: 0, ahead: None }
    }

    /// The move that an answer stands for; the one behind it is kept.
    fn read(&mut self, game: &Game, answer: &str) -> Result<Move, Fault> {
        let garbled = || Fault::Garbled(answer.to_owned());
        let text = from_vertices(self.board, answer).ok_or_else(garbled)?;
        let mut moves = read_moves(game, &meant(self.board, game, &text))?.into_iter();
        let first = moves.next().ok_or_else(garbled)?;
        self.ahead = moves.next();
        Ok(first)
    }

    fn knows(&self, command: &str) -> bool {
        self.known.iter().any(|known| known == command)
    }

    /// Tells the game, which an engine may know by another name: what it says does not matter.
    fn tell_game(&self, process: &mut Process) -> Result<(), Failure> {
        if self.knows("set_game") {
            let (_, _answer) = ask(process, &Command::SetGame(self.spec.clone()).request(None))?;
        }
        Ok(())
    }

    /// Tells the size of the board, if there is a board.
    fn tell_board_size(&self, process: &mut Process) -> Result<(), Failure> {
        let Some(board) = self.board else { return Ok(()) };
        let (columns, rows) = board.size();
        must(process, &Command::BoardSize { columns, rows }.request(None))
    }

    /// The time settings for a game, if there are any and the engine knows how to take them.
    fn time_settings(&self, timer: &Timer) -> Option<Request> {
        let control = timer.control();
        let plain = |main_s, byo_yomi_s, stones| {
            Command::TimeSettings { main_s, byo_yomi_s, stones }.request(None)
        };
        if self.knows(KATA_TIME) {
            let settings = match (control.clock, control.move_time) {
                (Some(clock), _) => match clock.moves {
                    Some(stones) => {
                        KataTime::Canadian { main: 0, period: millis(clock.time), stones }
                    }
                    None => KataTime::Fischer {
                        main: millis(clock.time),
                        increment: millis(clock.increment),
                    },
                },
                (None, Some(time)) => {
                    KataTime::ByoYomi { main: 0, period: millis(time), periods: 1 }
                }
                (None, None) => return None,
            };
            return Some(Command::KataTimeSettings(settings).request(None));
        }
        if !self.knows("time_settings") {
            return None;
        }
        match (control.clock, control.move_time) {
            (Some(clock), _) => Some(match clock.moves {
                Some(moves) => plain(0, rounded_up(clock.time), moves),
                None => plain(rounded_up(clock.time), 0, 0),
            }),
            (None, time) => time.map(|time| plain(0, rounded_up(time), 1)),
        }
    }

    /// Tells the moves that the engine does not know yet.
    fn tell_moves(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<(), Failure> {
        for ply in turn.plies.iter().skip(self.told) {
            let vertex = to_vertices(self.board, &turn.game.move_text(ply.mv));
            must(process, &Command::Play { color: color(ply.seat), vertex }.request(None))?;
            self.told += 1;
        }
        Ok(())
    }
}

/// `KataGo`'s extension, which takes decimals and increments.
const KATA_TIME: &str = "kata-time_settings";

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}

/// Whole seconds, at least one: `time_settings 0 0 0` would mean something else.
fn rounded_up(time: Duration) -> u32 {
    (time.as_secs_f64().ceil() as u32).max(1)
}

impl Dialect for Gtp {
    fn name(&self) -> &'static str {
        "GTP"
    }

    fn introduce(&mut self, process: &mut Process) -> Result<Option<String>, Failure> {
        let (_, name) = ask(process, &Command::Name.request(None))?;
        let (_, list) = ask(process, &Command::ListCommands.request(None))?;
        self.known = list.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        self.tell_game(process)?;
        self.tell_board_size(process)?;
        Ok(name.ok().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()))
    }

    fn new_game(&mut self, process: &mut Process, setup: &Setup<'_>) -> Result<(), Failure> {
        self.tell_board_size(process)?;
        must(process, &Command::ClearBoard.request(None))?;
        if let Some(settings) = self.time_settings(setup.timer) {
            must(process, &settings)?;
        }
        self.told = 0;
        self.ahead = None;
        Ok(())
    }

    fn choose(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<Decision, Failure> {
        if let Some(stone) = self.ahead.take() {
            self.told += 1;
            return Ok(Decision::announced(stone));
        }
        process.skip_pending();
        self.tell_moves(process, turn)?;
        let color = color(turn.seat());
        if let Some(clock) = turn.timer().clock()
            && self.knows("time_left")
        {
            // Decimals to those who understand them, else whole seconds, rounded down.
            let exact = if self.knows(KATA_TIME) { 1 } else { 1000 };
            let milliseconds = (millis(clock.left) / exact * exact) as i64;
            let stones = clock.moves_to_go.unwrap_or(0);
            must(process, &Command::TimeLeft { color, milliseconds, stones }.request(None))?;
        }
        let patience = process.patience();
        let deadline = Deadline::after(patience.for_move(turn.timer().limit()));
        // GTP knows no `stop`; an engine that comes late is not yet one that hangs.
        let deadline = deadline.extended(patience.grace());
        let request = Command::GenMove(color).request(None).to_string();
        let (at, answer) = ask_until(process, &request, deadline)?;
        let text = answer.map_err(|answer| Fault::Refused { command: request, answer })?;
        let action = if text.trim().eq_ignore_ascii_case("resign") {
            Action::Resign
        } else {
            Action::Move(self.read(turn.game, &text)?)
        };
        self.told += 1;
        let time = at.saturating_duration_since(deadline.start());
        Ok(Decision { action, time, report: None })
    }
}

/// What an engine answered, and when.
type Answered = (Instant, Result<String, String>);

/// Sends a request and waits for its answer.
fn ask(process: &mut Process, request: &Request) -> Result<Answered, Failure> {
    let deadline = Deadline::after(process.patience().silence);
    ask_until(process, &request.to_string(), deadline)
}

fn ask_until(
    process: &mut Process,
    request: &str,
    deadline: Deadline,
) -> Result<Answered, Failure> {
    process.send(request);
    let mut reader = ResponseReader::new();
    loop {
        let (at, line) = process.read(request, deadline)?;
        if let Some(response) = reader.push(&line) {
            return Ok((at, response.result));
        }
    }
}

/// Sends a request that the engine must not refuse.
fn must(process: &mut Process, request: &Request) -> Result<(), Failure> {
    match ask(process, request)? {
        (_, Ok(_)) => Ok(()),
        (_, Err(answer)) => Err(Fault::Refused { command: request.to_string(), answer }.into()),
    }
}

/// The first player is black in the command language, whatever his stones look like, and so is the
/// third.
pub(crate) fn color(seat: Seat) -> Color {
    if seat.0.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// A canonical move text with GTP's vertices: `j10` is `K10`, `N@j10` is `N@K10`. Tiles have the
/// same texts.
pub(crate) fn to_vertices(board: Option<Board>, text: &str) -> String {
    let Some(board) = board else { return text.to_owned() };
    let vertex = |point: &str| board.vertex_of(point).map(|vertex| vertex.to_string());
    translate(text, vertex).unwrap_or_else(|| text.to_owned())
}

/// The canonical move text of a move with GTP's vertices, which need not lie on the board.
pub(crate) fn from_vertices(board: Option<Board>, text: &str) -> Option<String> {
    let text = text.trim();
    let Some(board) = board else { return Some(text.to_owned()) };
    if ["pass", "swap", "keep", "more"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Some(text.to_ascii_lowercase());
    }
    translate(text, |point| board.point_of(Vertex::parse(point).ok()?))
}

/// The moves that a canonical text stands for. Where a color is chosen engines that know only
/// vertices choose by a stone on the board, or keep their color by placing the next stone.
pub(crate) fn meant(board: Option<Board>, game: &Game, text: &str) -> Vec<String> {
    let here = board.filter(|_| game.is_choice());
    match here.and_then(|board| board.cell(board.vertex_of(text)?)) {
        Some(cell) => moves_at(game, cell).into_iter().map(|mv| game.move_text(mv)).collect(),
        None => vec![text.to_owned()],
    }
}

/// Replaces each point of a move text.
fn translate(text: &str, point: impl Fn(&str) -> Option<String>) -> Option<String> {
    let bare = text.trim_end_matches(['+', '-']);
    let signs = text.get(bare.len()..).unwrap_or_default();
    let (stone, points) = bare.rsplit_once('@').map_or((None, bare), |(s, p)| (Some(s), p));
    let points: Option<Vec<String>> = points.split(',').map(point).collect();
    let points = points?.join(",") + signs;
    Some(stone.map_or_else(|| points.clone(), |stone| format!("{stone}@{points}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::time::TimeControl;

    fn board(game: &str) -> Option<Board> {
        Board::of(&Game::new(game.parse().unwrap()))
    }

    #[test]
    fn hexagons_and_tiles_are_translated_as_well() {
        let hexes = board("pentalath");
        for (canonical, vertex) in [("a1", "A1"), ("g1", "A7"), ("g13", "N7")] {
            assert_eq!(to_vertices(hexes, canonical), vertex);
            assert_eq!(from_vertices(hexes, vertex).as_deref(), Some(canonical));
        }
        assert_eq!(from_vertices(hexes, "T19"), None);
        let tile = "cg85,cg86,cg87,cg88,cg89";
        assert_eq!(to_vertices(board("pent-up"), tile), tile);
        assert_eq!(from_vertices(board("pent-up"), tile).as_deref(), Some(tile));
    }

    #[test]
    fn moves_are_translated_both_ways() {
        let board = board("pente");
        for (canonical, vertices) in [
            ("j10", "K10"),
            ("h8", "H8"),
            ("i9", "J9"),
            ("a1", "A1"),
            ("s19", "T19"),
            ("N@j10", "N@K10"),
            ("P@j10,g7", "P@K10,G7"),
            ("j10+-", "K10+-"),
        ] {
            assert_eq!(to_vertices(board, canonical), vertices);
            assert_eq!(from_vertices(board, vertices).as_deref(), Some(canonical));
        }
        for word in ["swap", "keep", "more", "pass"] {
            assert_eq!(to_vertices(board, word), word);
            assert_eq!(from_vertices(board, &word.to_uppercase()).as_deref(), Some(word));
        }
        for text in ["", "I9", "hello", "K10 K11", "K10,", "@", "é@"] {
            assert_eq!(from_vertices(board, text), None, "{text:?}");
        }
    }

    #[test]
    fn a_choice_may_come_as_a_stone() {
        let mut game = Game::new("swap2-pente".parse().unwrap());
        let mut gtp = Gtp::new("swap2-pente".to_owned(), Board::of(&game));
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
            (per_move, Some("time_settings 0 2 1"), Some("byoyomi 0 1.5 1")),
            (TimeControl { nodes: Some(5), ..none() }, None, None),
        ] {
            let sent = |known: &[&str]| {
                let mut gtp = Gtp::new("pente".to_owned(), board("pente"));
                gtp.known = known.iter().map(|&name| name.to_owned()).collect();
                gtp.time_settings(&Timer::new(control)).map(|request| request.to_string())
            };
            assert_eq!(sent(&["time_settings"]).as_deref(), plain);
            let kata = kata.map(|kata| format!("kata-time_settings {kata}"));
            assert_eq!(sent(&["time_settings", "kata-time_settings"]), kata);
            assert_eq!(sent(&[]), None);
        }
    }

    fn none() -> TimeControl {
        TimeControl::default()
    }
}
