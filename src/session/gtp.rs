//! The GTP side of a session.

use super::desk::{Desk, Finished, Preferences};
use super::gtp_clock::GtpClock;
use super::output::Output;
use super::{Adapter, Flow};
use crate::board::Grid;
use crate::engine::{StoneTextError, TileTextError};
use crate::game::{Cell, Illegal, Outcome, Seat};
use crate::picture::{self, Letters};
use crate::rules::SpecError;
use crate::rules::catalog::CATALOG;
use crate::search::{Found, Report};
use pentarch_protocol::frame::Line;
use pentarch_protocol::gtp::{Color, Command, KataTime, Request, Response, Vertex, is_interrupt};
use std::io;
use std::time::Instant;

/// Answers GTP commands. The first player is `b`, whatever his stones look like.
pub(super) struct Gtp {
    clock: GtpClock,
    /// What was played, for `undo`: a pass that stands for no move is there as well.
    plays: Vec<Play>,
    /// The `genmove` that is being answered.
    pending: Option<Pending>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Play {
    Move,
    EmptyPass,
}

struct Pending {
    id: Option<u32>,
    color: Color,
    started: Instant,
    /// Whether the move is to be played, or only told.
    plays: bool,
}

/// What a command comes to: a success, a failure, or an answer that the search will give.
enum Reply {
    Success(String),
    Later,
}

type Answer = Result<Reply, String>;

#[allow(clippy::unnecessary_wraps, reason = "an arm of a match over commands that may fail")]
fn success(text: impl Into<String>) -> Answer {
    Ok(Reply::Success(text.into()))
}

fn done() -> Answer {
    success("")
}

impl Gtp {
    pub(super) fn new(preferences: &Preferences) -> Gtp {
        Gtp { clock: GtpClock::new(preferences.move_time), plays: Vec::new(), pending: None }
    }

    fn command(&mut self, command: Command, id: Option<u32>, desk: &mut Desk) -> Answer {
        match command {
            Command::ProtocolVersion => success("2"),
            Command::Name => success("Pentarch"),
            Command::Version => success(env!("CARGO_PKG_VERSION")),
            Command::KnownCommand(name) => {
                success(Command::names().any(|known| known == name).to_string())
            }
            Command::ListCommands => success(Command::names().collect::<Vec<_>>().join("\n")),
            Command::ListGames => {
                success(CATALOG.iter().map(|row| row.name).collect::<Vec<_>>().join("\n"))
            }
            Command::SetGame(spec) => {
                desk.set_rules(spec.parse().map_err(|error: SpecError| error.to_string())?);
                self.restart();
                done()
            }
            Command::BoardSize { columns, rows } => self.board_size(desk, columns, rows),
            Command::ClearBoard => {
                desk.game = desk.start().clone();
                self.restart();
                done()
            }
            Command::Play { color, vertex } => self.play(desk, color, &vertex),
            Command::GenMove(color) => self.generate(desk, id, color, true),
            Command::RegGenMove(color) => self.generate(desk, id, color, false),
            Command::Undo => self.undo(desk, 1),
            Command::GgUndo(count) => self.undo(desk, count),
            Command::TimeSettings { main_s, byo_yomi_s, stones } => {
                self.clock.set(main_s, byo_yomi_s, stones);
                done()
            }
            Command::KataListTimeSettings => success(KataTime::KINDS.join(" ")),
            Command::KataTimeSettings(settings) => {
                self.clock.set_kata(settings);
                done()
            }
            Command::TimeLeft { color, milliseconds, stones } => {
                self.clock.set_left(color, milliseconds, stones);
                done()
            }
            Command::FinalScore => final_score(desk),
            Command::FinalStatusList(_) => {
                Err("cannot score: stones have no status here".to_owned())
            }
            Command::ShowBoard => {
                success(format!("\n{}", picture::board(&desk.game, Letters::WithoutI)))
            }
            Command::Komi(_) | Command::Quit => done(),
        }
    }

    fn restart(&mut self) {
        self.plays.clear();
        self.clock.restart();
    }

    /// Changes the size of the board and nothing else about the rules.
    fn board_size(&mut self, desk: &mut Desk, columns: u32, rows: u32) -> Answer {
        let Some(grid) = desk.game.grid() else {
            return Err("unacceptable size: this game is played on a table without edges; \
                        `clear_board` starts it anew"
                .to_owned());
        };
        if (columns, rows) == (grid.columns().into(), grid.rows().into()) {
            desk.game = desk.start().clone();
        } else {
            let size =
                if columns == rows { columns.to_string() } else { format!("{columns}x{rows}") };
            let rules = desk.game.rules().with(&format!("size={size}"));
            desk.set_rules(rules.map_err(|error| format!("unacceptable size: {error}"))?);
        }
        self.restart();
        done()
    }

    fn play(&mut self, desk: &mut Desk, color: Color, text: &str) -> Answer {
        let illegal = |reason: String| Err(format!("illegal move: {reason}"));
        let over = desk.game.outcome().is_some();
        let to_move = desk.game.to_move() == seat(color);
        if text.eq_ignore_ascii_case("resign") {
            return illegal("nobody can resign for the other side".to_owned());
        }
        if text.eq_ignore_ascii_case("pass") && (over || !to_move) {
            self.plays.push(Play::EmptyPass);
            return done();
        }
        if over {
            return illegal("the game is over".to_owned());
        }
        if !to_move {
            return illegal(format!("it is player {}'s turn", desk.game.to_move()));
        }
        let mv = desk.game.parse_move_by(text, |point| cell(desk, point));
        let mv = mv.map_err(|BadMove(why)| why)?;
        if let Err(reason) = desk.game.check_move(mv) {
            return illegal(reason.to_string());
        }
        desk.game.play_move(mv).map_err(|error| error.to_string())?;
        self.plays.push(Play::Move);
        done()
    }

    /// Starts to look for a move, unless the answer is plain.
    fn generate(&mut self, desk: &mut Desk, id: Option<u32>, color: Color, plays: bool) -> Answer {
        if let Some(Outcome { winner, .. }) = desk.game.outcome() {
            let side = desk.game.side_of(seat(color));
            if winner.is_some_and(|winner| winner != side) {
                return success("resign");
            }
            return self.pass(plays);
        }
        if desk.game.to_move() != seat(color) {
            return self.pass(plays);
        }
        let limits = self.clock.limits(color);
        desk.think(limits, false).map_err(|error| error.to_string())?;
        self.pending = Some(Pending { id, color, started: Instant::now(), plays });
        Ok(Reply::Later)
    }

    /// Answers with a pass, which is no move of the game but one for the controller to undo.
    fn pass(&mut self, plays: bool) -> Answer {
        if plays {
            self.plays.push(Play::EmptyPass);
        }
        success("pass")
    }

    /// Ends a `genmove` with the move that was found.
    fn generated(&mut self, pending: &Pending, found: &Found, desk: &mut Desk) -> Response {
        self.clock.spend(pending.color, pending.started.elapsed());
        let Some(mv) = found.best else {
            return Response::failure(pending.id, "no move was found");
        };
        let text = desk.game.move_text_by(mv, |cell| vertex(desk, cell));
        if pending.plays {
            if let Err(error) = desk.game.play_move(mv) {
                return Response::failure(pending.id, error.to_string());
            }
            self.plays.push(Play::Move);
        }
        Response::success(pending.id, text)
    }

    fn undo(&mut self, desk: &mut Desk, count: u32) -> Answer {
        if count as usize > self.plays.len() {
            let left = self.plays.len();
            return Err(format!("cannot undo: {left} moves were played"));
        }
        for _ in 0..count {
            if self.plays.pop() == Some(Play::Move) {
                desk.game.undo();
            }
        }
        done()
    }
}

impl Adapter for Gtp {
    fn hears_while_busy(&self) -> bool {
        false
    }

    fn overhear(&mut self, line: &Line, desk: &mut Desk) -> bool {
        let interrupt = matches!(line, Line::Text(text) if is_interrupt(text));
        if interrupt {
            desk.stop();
        }
        interrupt
    }

    fn line(&mut self, line: Line, desk: &mut Desk, out: &mut Output) -> io::Result<Flow> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => return refuse(out, "a line longer than 1 MiB was not read"),
            Line::NotUtf8 => return refuse(out, "a line that is not UTF-8 was not read"),
        };
        let Some(request) = Request::parse(&text) else { return Ok(Flow::Continue) };
        let id = request.id;
        let command = Command::parse(&request).map_err(|error| error.to_string());
        let flow = if command == Ok(Command::Quit) { Flow::Quit } else { Flow::Continue };
        match command.and_then(|command| self.command(command, id, desk)) {
            Ok(Reply::Success(text)) => out.send(&Response::success(id, text).to_string())?,
            Ok(Reply::Later) => (),
            Err(error) => out.send(&Response::failure(id, error).to_string())?,
        }
        Ok(flow)
    }

    fn report(&mut self, _: &Report, _: &Desk, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn finished(&mut self, job: Finished, desk: &mut Desk, out: &mut Output) -> io::Result<()> {
        if let (Finished::Search(found), Some(pending)) = (job, self.pending.take()) {
            out.send(&self.generated(&pending, &found, desk).to_string())?;
        }
        Ok(())
    }
}

fn refuse(out: &mut Output, why: &str) -> io::Result<Flow> {
    out.send(&Response::failure(None, format!("syntax error: {why}")).to_string())?;
    Ok(Flow::Continue)
}

const fn seat(color: Color) -> Seat {
    match color {
        Color::Black => Seat(0),
        Color::White => Seat(1),
    }
}

/// Why a text is no move here, as GTP has it.
struct BadMove(String);

impl From<StoneTextError> for BadMove {
    fn from(error: StoneTextError) -> BadMove {
        BadMove(format!("illegal move: {error}"))
    }
}

/// A client that knows only vertices learns here that it cannot play with tiles.
impl From<TileTextError> for BadMove {
    fn from(error: TileTextError) -> BadMove {
        BadMove(format!("illegal move: {error}"))
    }
}

/// The cell of a vertex.
fn cell(desk: &Desk, text: &str) -> Result<Cell, BadMove> {
    let vertex = Vertex::parse(text).map_err(|error| BadMove(error.to_string()))?;
    let place = |n: u32| i32::try_from(n).unwrap_or(-1);
    let grid = desk.game.grid();
    let cell = grid.and_then(|grid| grid.get(place(vertex.column), place(vertex.row)));
    cell.ok_or_else(|| BadMove(format!("illegal move: {}", Illegal::OffBoard)))
}

fn vertex(desk: &Desk, cell: Cell) -> String {
    let point =
        |grid: Grid| Vertex { column: grid.column(cell).into(), row: grid.row(cell).into() };
    desk.game.grid().map_or_else(String::new, |grid| point(grid).to_string())
}

fn final_score(desk: &Desk) -> Answer {
    match desk.game.outcome() {
        None => Err("cannot score: the game is not over".to_owned()),
        Some(Outcome { winner: None, .. }) => success("0"),
        Some(Outcome { winner: Some(side), .. }) => {
            success(if side.index() == 0 { "B+1" } else { "W+1" })
        }
    }
}
