//! The GTP side of a session.
//!
//! `mod` reads requests and answers the plain ones; `play` has what changes the game, `generate`
//! the searches, `analysis` what is reported while they run, `gogui` the rules extension, `charts` the
//! analyze menu, `parameters` its dialogs of settings, `files` SGF, `special` the stones of another
//! kind in `GoGui`.

mod analysis;
mod charts;
mod clock;
mod files;
mod generate;
mod gogui;
mod parameters;
mod play;
mod special;

use super::output::Output;
use super::state::{JobResult, Preferences, PresentAs, SessionState};
use super::{Adapter, Flow, Urgency};
use crate::dialects::gtp::{self, Board, Codec};
use clock::GtpClock;
use generate::{Pending, Purpose};
use pentarch_engine::search::Report;
use pentarch_engine::{Game, Options};
use pentarch_protocol::frame::Line;
use pentarch_protocol::gtp::{Chart, Color, Command, KataTime, Request, Response, is_interrupt};
use pentarch_records::picture::{self, ColumnLetters};
use play::StartingStones;
use special::Next;
use std::io;
use std::time::Instant;

/// Answers GTP commands. The first player is `b`, whatever color the stones have.
pub(super) struct Gtp {
    clock: GtpClock,
    /// What was played, for `undo`.
    plays: Vec<Played>,
    /// The search that will answer a command.
    pending: Option<Pending>,
    /// How moves are written: in extended texts once the client has used one.
    codec: Codec,
    /// Whether the client lets the engine be the referee, as `GoGui` does.
    is_ruler: bool,
    /// The stones that were set up before the first move.
    setup: StartingStones,
    /// Whether the game was chosen, and not left to the engine.
    names_game: bool,
    /// Which other engine answers to `name` and `version`, if one does.
    present_as: Option<PresentAs>,
}

/// What a command that plays came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Played {
    /// A number of moves of the game. A pass that stands for none is 0.
    Moves(usize),
    /// What the next vertex stands for.
    Next(Next),
}

impl Played {
    /// How many moves of the game it was.
    const fn moves(self) -> usize {
        match self {
            Played::Moves(count) => count,
            Played::Next(_) => 0,
        }
    }
}

/// What a command comes to: a success, the start of an answer that grows, or one that the search
/// will give.
enum Reply {
    Success(String),
    Stream,
    Later,
}

type CommandResult = Result<Reply, String>;

#[allow(clippy::unnecessary_wraps, reason = "an arm of a match over commands that may fail")]
fn success(text: impl Into<String>) -> CommandResult {
    Ok(Reply::Success(text.into()))
}

fn done() -> CommandResult {
    success("")
}

impl Gtp {
    pub(super) fn new(preferences: &Preferences) -> Gtp {
        Gtp {
            clock: GtpClock::new(preferences.move_time),
            plays: Vec::new(),
            pending: None,
            codec: Codec { extended: preferences.extended_moves },
            is_ruler: false,
            setup: StartingStones::default(),
            names_game: preferences.names_game,
            present_as: preferences.present_as,
        }
    }

    fn command(
        &mut self,
        command: Command,
        id: Option<u32>,
        state: &mut SessionState,
    ) -> CommandResult {
        match command {
            Command::KnownCommand(name) => {
                success(known_commands(&state.game).any(|known| known == name).to_string())
            }
            Command::Name => success(self.name(state)),
            Command::Version => {
                success(self.present_as.map_or(env!("CARGO_PKG_VERSION"), PresentAs::version))
            }
            Command::Parameters { group, change } => self.parameters(state, group, change.as_ref()),
            Command::SetGame(spec) => self.set_game(state, &spec),
            Command::BoardSize { columns, rows } => self.board_size(state, columns, rows),
            Command::ClearBoard => self.clear_board(state),
            Command::Play { color, vertex } => self.play(state, color, &vertex),
            Command::PlaySequence(moves) => self.play_sequence(state, &moves),
            Command::Setup(stones) => self.set_up(state, &stones),
            Command::SetPosition(stones) => self.set_position(state, &stones),
            Command::SetupPlayer(color) => self.set_player(state, color),
            Command::SetFreeHandicap(vertices) => self.set_handicap(state, &vertices),
            Command::FixedHandicap(count) | Command::PlaceFreeHandicap(count) => {
                self.place_handicap(state, count)
            }
            Command::Undo => self.undo(state, 1),
            Command::GgUndo(count) => self.undo(state, count),
            Command::LoadSgf { file, before } => self.load_sgf(state, &file, before),
            Command::PrintSgf(file) => files::print_sgf(state, file.as_deref()),
            Command::GenMove(color) => self.generate(state, id, color, Purpose::Play),
            Command::RegGenMove(color) => self.generate(state, id, color, Purpose::Show),
            Command::CancellableSearch(color) => {
                self.generate(state, id, color, Purpose::ShowUnlessStopped)
            }
            Command::Analyze(analyze) => self.analyze(state, id, &analyze),
            Command::Chart(chart @ (Chart::BestMoves | Chart::Candidates | Chart::Variation)) => {
                self.search_chart(state, id, chart)
            }
            Command::Chart(Chart::Status) => success(gogui::status(&state.game, self.next())),
            Command::Chart(chart) => success(charts::chart(state, chart)),
            Command::AnalyzeCommands => success(charts::menu(&state.game)),
            Command::Rules(query) => {
                self.is_ruler = true;
                success(gogui::answer(&state.game, self.next(), query))
            }
            Command::ClearCache => {
                state.engine.clear();
                done()
            }
            Command::TimeSettings { .. }
            | Command::KgsTimeSettings(_)
            | Command::KataTimeSettings(_)
            | Command::TimeLeft { .. } => {
                self.clock.set(&command);
                done()
            }
            other => answer(&other, state),
        }
    }

    /// The name of the engine, with the game and the level if they were chosen: programs list several
    /// engines by their names.
    fn name(&self, state: &SessionState) -> String {
        if let Some(other) = self.present_as {
            return other.name().to_owned();
        }
        let mut name = "Pentarch".to_owned();
        if self.names_game {
            name = format!("{name} {}", state.game.rules());
        }
        match state.engine.options().level {
            level if level < *Options::LEVEL.end() => format!("{name} level {level}"),
            _ => name,
        }
    }

    /// Takes the pending search if it is to end now: what may be ended by any line.
    fn cut_short(&mut self, state: &SessionState) {
        if let Some(pending) = &mut self.pending
            && pending.ends_with_next_line()
        {
            pending.stopped = true;
            state.stop();
        }
    }
}

/// Commands that change nothing.
fn answer(command: &Command, state: &SessionState) -> CommandResult {
    let names = |names: &mut dyn Iterator<Item = &'static str>| {
        success(names.collect::<Vec<_>>().join("\n"))
    };
    match command {
        Command::ProtocolVersion => success("2"),
        Command::ListCommands => names(&mut known_commands(&state.game)),
        Command::ListGames => names(&mut gtp::games()),
        Command::KataListTimeSettings => success(KataTime::KINDS.join(" ")),
        Command::Title => success(format!("Pentarch, {}", state.game.rules())),
        Command::FinalScore => final_score(state),
        Command::FinalStatusList(_) => Err("cannot score: stones have no status here".to_owned()),
        Command::ShowBoard => {
            success(format!("\n{}", picture::board(&state.game, ColumnLetters::WithoutI)))
        }
        // The rest is taken note of: `komi`, `quit`, `stop` and what GoGui says of itself.
        _ => done(),
    }
}

/// The names of the commands. Without a board there is nothing for a client to draw that lets the
/// engine be the referee.
fn known_commands(game: &Game) -> impl Iterator<Item = &'static str> + use<> {
    let has_board = Board::of(game).is_some();
    Command::names().filter(move |name| has_board || !name.starts_with("gogui-rules_"))
}

fn final_score(state: &SessionState) -> CommandResult {
    match state.game.outcome() {
        None => Err("cannot score: the game is not over".to_owned()),
        Some(outcome) => success(gtp::final_score(outcome)),
    }
}

/// Whether it is a color's turn. One player may have several in a row.
fn is_to_move(game: &Game, mover: Color) -> bool {
    gtp::color(game.to_move()) == mover
}

impl Adapter for Gtp {
    fn urgency(&self, text: &str) -> Urgency {
        if is_interrupt(text) {
            return Urgency::Now;
        }
        let command = Request::parse(text).map(|request| Command::parse(&request));
        if command == Some(Ok(Command::Quit)) { Urgency::Quit } else { Urgency::InTurn }
    }

    fn lines_wait(&mut self, state: &mut SessionState) {
        self.cut_short(state);
    }

    fn line(&mut self, line: Line, state: &mut SessionState, out: &mut Output) -> io::Result<Flow> {
        let text = match line.text() {
            Ok(text) => text,
            Err(unread) => {
                let failure = Response::failure(None, format!("syntax error: {unread}"));
                return out.send(&failure.to_string()).map(|()| Flow::Continue);
            }
        };
        if is_interrupt(text) {
            state.stop();
        }
        let Some(request) = Request::parse(text) else { return Ok(Flow::Continue) };
        let id = request.id;
        let command = Command::parse(&request).map_err(|error| error.to_string());
        let flow = if command == Ok(Command::Quit) { Flow::Quit } else { Flow::Continue };
        match command.and_then(|command| self.command(command, id, state)) {
            Ok(Reply::Success(text)) => out.send(&Response::success(id, text).to_string())?,
            Ok(Reply::Stream) => out.send(&Response::open(id))?,
            Ok(Reply::Later) => (),
            Err(error) => out.send(&Response::failure(id, error).to_string())?,
        }
        Ok(flow)
    }

    fn report(
        &mut self,
        report: &Report,
        state: &SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        self.take_report(report, state, out)
    }

    fn wakes_at(&self) -> Option<Instant> {
        self.pending.as_ref().and_then(Pending::next_line_at)
    }

    fn wake(&mut self, state: &SessionState, out: &mut Output) -> io::Result<()> {
        self.write_due_line(state, out)
    }

    fn job_ended(
        &mut self,
        job: JobResult,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        match (job, self.pending.take()) {
            (JobResult::Search(found), Some(pending)) => self.answer(pending, &found, state, out),
            _ => Ok(()),
        }
    }
}
