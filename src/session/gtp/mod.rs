//! Sessions in GTP.
//!
//! This file reads requests and has the commands that change the game; `search` has the searches and
//! their reports, `gogui` the rules extension of `GoGui`, `analyze_menu` its menu and dialogs, `gnugo` the
//! questions of GNU Go's clients, `katago` the rules and parameters of `KataGo`'s, `clock` the clocks.

mod analyze_menu;
mod clock;
mod gnugo;
mod gogui;
mod katago;
mod search;

use super::codec::gtp::{self as codec, Codec, VertexBoard, color, is_extended_move_text};
use super::state::{JobResult, PresentAs, SessionConfig, SessionState};
use super::streams::{InputLine, Output};
use super::{Flow, Priority, ProtocolHandler};
use clock::GtpClock;
use gogui::{NextVertex, VertexMeaning, vertex_meaning};
use katago::KataGo;
use pentarch_core::board::Grid;
use pentarch_core::game::{Cell, Color as StoneColor, Move};
use pentarch_engine::search::Report;
use pentarch_engine::{Game, Options};
use pentarch_protocol::gtp::{
    Color, Command, KataTime, MenuCommand, Request, Response, is_interrupt,
};
use pentarch_records::picture::{self, ColumnLetters};
use pentarch_records::sgf::Tree;
use pentarch_records::{AtomicFile, read_regular_file};
use search::{PendingSearch, SearchPurpose};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// A session in GTP. The first player is `b`, regardless of the color of the stones.
pub(super) struct GtpSession {
    clock: GtpClock,
    /// The effects of the commands that played, for `undo`.
    plays: Vec<Play>,
    /// The search that will answer a command.
    pending: Option<PendingSearch>,
    /// Prints moves in extended texts once the client has used one.
    codec: Codec,
    /// Whether the client uses the engine as the referee, as `GoGui` does.
    is_referee: bool,
    /// The stones that were set up before the first move.
    setup: StartingStones,
    /// Whether the user or the client chose the game.
    explicit_game: bool,
    /// The other engine whose `name` and `version` are sent, if there is one.
    present_as: Option<PresentAs>,
    /// The number of `komi`, which has no effect.
    komi: String,
    /// The time spent on searches for moves.
    searched: Duration,
    /// The settings of `KataGo`'s commands.
    katago: KataGo,
}

/// The effect of a command that plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Play {
    /// A number of moves of the game; 0 for a pass that is not a move of the game.
    Moves(usize),
    /// A selection of the meaning of the next vertex.
    Selection(NextVertex),
}

impl Play {
    /// Returns the number of moves of the game.
    const fn moves(self) -> usize {
        match self {
            Play::Moves(count) => count,
            Play::Selection(_) => 0,
        }
    }
}

/// The reply to a command that succeeds.
enum Reply {
    /// The whole response.
    Success(String),
    /// The start of a response that grows while a search runs.
    Stream,
    /// None yet; the search will respond.
    Later,
}

type CommandResult = Result<Reply, String>;

#[allow(clippy::unnecessary_wraps, reason = "the type of an arm that may fail")]
fn success(text: impl Into<String>) -> CommandResult {
    Ok(Reply::Success(text.into()))
}

fn done() -> CommandResult {
    success("")
}

impl GtpSession {
    pub(super) fn new(config: &SessionConfig) -> GtpSession {
        GtpSession {
            clock: GtpClock::new(config.move_time),
            plays: Vec::new(),
            pending: None,
            codec: Codec { extended: config.extended_moves },
            is_referee: false,
            setup: StartingStones::default(),
            explicit_game: config.explicit_game,
            present_as: config.present_as,
            komi: "0".to_owned(),
            searched: Duration::ZERO,
            katago: KataGo::default(),
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
                success(supported_commands(&state.game).any(|known| known == name).to_string())
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
            Command::PrintSgf(file) => print_sgf(state, file.as_deref()),
            Command::GenMove(color) => self.generate(state, id, color, SearchPurpose::Play),
            Command::RegGenMove(color) => self.generate(state, id, color, SearchPurpose::Show),
            Command::CancellableSearch(color) => {
                self.generate(state, id, color, SearchPurpose::ShowUnlessStopped)
            }
            Command::Analyze(analyze) => self.analyze(state, id, &analyze),
            Command::Menu(
                command @ (MenuCommand::BestMoves
                | MenuCommand::Candidates
                | MenuCommand::Variation),
            ) => self.search_for_menu(state, id, command),
            Command::Menu(MenuCommand::Status) => {
                success(gogui::status(&state.game, self.next_vertex()))
            }
            Command::Menu(command) => success(analyze_menu::report(&state.game, command)),
            Command::AnalyzeCommands => success(analyze_menu::menu(&state.game)),
            Command::Rules(query) => {
                self.is_referee = true;
                success(gogui::answer(&state.game, self.next_vertex(), query))
            }
            Command::ClearCache => {
                state.engine.clear();
                done()
            }
            Command::Komi(komi) => {
                self.komi = komi;
                done()
            }
            Command::GetKomi => success(self.komi.as_str()),
            Command::GetHandicap => success(self.setup.handicap().to_string()),
            Command::Level(_)
            | Command::QueryBoardSize
            | Command::ListStones(_)
            | Command::Captures(_)
            | Command::AllLegal(_)
            | Command::MoveHistory
            | Command::TopMoves(_)
            | Command::CpuTime => self.gnugo_command(state, id, &command),
            Command::KataGetRules
            | Command::KataSetRules(_)
            | Command::KataSetRule { .. }
            | Command::KgsRules(_)
            | Command::KataListParams
            | Command::KataGetParam(_)
            | Command::KataGetParams
            | Command::KataSetParam { .. }
            | Command::KataSetParams(_)
            | Command::KataGetModels
            | Command::KataBenchmark(_)
            | Command::KataInternal(_) => self.katago_command(state, id, &command),
            Command::TimeSettings { .. }
            | Command::KgsTimeSettings(_)
            | Command::KataTimeSettings(_)
            | Command::TimeLeft { .. } => {
                self.clock.set(&command);
                done()
            }
            other => information(&other, state),
        }
    }

    /// Returns the name of the engine, with the game and the level if they were chosen, because programs
    /// list several engines by name.
    fn name(&self, state: &SessionState) -> String {
        if let Some(other) = self.present_as {
            return other.name().to_owned();
        }
        let mut name = "Pentarch".to_owned();
        if self.explicit_game {
            name = format!("{name} {}", state.game.rules());
        }
        match state.engine.options().level {
            level if level < *Options::LEVEL.end() => format!("{name} level {level}"),
            _ => name,
        }
    }

    /// Stops the pending search if any line ends it.
    fn stop_if_interruptible(&mut self, state: &SessionState) {
        if let Some(pending) = &mut self.pending
            && pending.ends_with_next_line()
        {
            pending.stopped = true;
            state.stop();
        }
    }
}

/// Responds to a command that changes nothing.
fn information(command: &Command, state: &SessionState) -> CommandResult {
    let names = |names: &mut dyn Iterator<Item = &'static str>| {
        success(names.collect::<Vec<_>>().join("\n"))
    };
    match command {
        Command::ProtocolVersion => success("2"),
        Command::ListCommands => names(&mut supported_commands(&state.game)),
        Command::ListGames => names(&mut codec::games()),
        Command::KataListTimeSettings => success(KataTime::kinds().collect::<Vec<_>>().join(" ")),
        Command::Title => success(format!("Pentarch, {}", state.game.rules())),
        Command::FinalScore => match state.game.outcome() {
            None => Err("cannot score: the game is not over".to_owned()),
            Some(outcome) => success(codec::final_score(outcome)),
        },
        Command::FinalStatusList(_) => Err("cannot score: stones have no status here".to_owned()),
        Command::ShowBoard => {
            success(format!("\n{}", picture::board(&state.game, ColumnLetters::WithoutI)))
        }
        // `quit`, `stop` and GoGui's own settings have no effect here.
        _ => done(),
    }
}

/// Returns the names of the commands. Without a board a client cannot use the engine as the referee.
fn supported_commands(game: &Game) -> impl Iterator<Item = &'static str> + use<> {
    let has_board = VertexBoard::of(game).is_some();
    Command::names().filter(move |name| has_board || !name.starts_with("gogui-rules_"))
}

/// Returns whether it is a color's turn.
fn is_to_move(game: &Game, mover: Color) -> bool {
    color(game.to_move()) == mover
}

impl ProtocolHandler for GtpSession {
    fn priority(&self, text: &str) -> Priority {
        if is_interrupt(text) {
            return Priority::Immediate;
        }
        let command = Request::parse(text).map(|request| Command::parse(&request));
        if command == Some(Ok(Command::Quit)) { Priority::Quit } else { Priority::Normal }
    }

    fn line_waits(&mut self, state: &mut SessionState) {
        self.stop_if_interruptible(state);
    }

    fn line(
        &mut self,
        line: InputLine,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<Flow> {
        let text = match &line {
            Ok(text) => text,
            Err(error) => {
                let failure = Response::failure(None, format!("syntax error: {error}"));
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
        self.add_report(report, state, out)
    }

    fn deadline(&self) -> Option<Instant> {
        self.pending.as_ref().and_then(PendingSearch::next_report_at)
    }

    fn deadline_reached(&mut self, state: &SessionState, out: &mut Output) -> io::Result<()> {
        self.write_due_report(state, out)
    }

    fn job_ended(
        &mut self,
        job: JobResult,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        match (job, self.pending.take()) {
            (JobResult::Search(result), Some(pending)) => {
                self.finish_search(pending, &result, state, out)
            }
            _ => Ok(()),
        }
    }
}

/// Stones that are on the board before the first move, and the color that makes it.
#[derive(Clone, Debug, Default)]
struct StartingStones {
    stones: BTreeMap<Cell, StoneColor>,
    first: Option<Color>,
}

impl StartingStones {
    /// Returns the color to move: the given one, else the one with fewer stones, the first if both have
    /// equally many.
    fn color_to_move(&self) -> StoneColor {
        let count = |color| self.stones.values().filter(|&&stone| stone == color).count();
        let fewer = count(StoneColor(1)) < count(StoneColor(0));
        self.first.map_or(StoneColor(u8::from(fewer)), stone_color)
    }

    /// Returns the number of handicap stones: those of the first player if the second one begins.
    fn handicap(&self) -> usize {
        let is_handicap = self.first == Some(Color::White)
            && self.stones.values().all(|&stone| stone == StoneColor(0));
        if is_handicap { self.stones.len() } else { 0 }
    }
}

/// Returns the stones of a color of the protocol in a setup.
const fn stone_color(color: Color) -> StoneColor {
    match color {
        Color::Black => StoneColor(0),
        Color::White => StoneColor(1),
    }
}

impl GtpSession {
    fn set_game(&mut self, state: &mut SessionState, name: &str) -> CommandResult {
        state.set_rules(codec::rules(name).map_err(|error| error.to_string())?);
        self.explicit_game = true;
        self.restart();
        done()
    }

    fn clear_board(&mut self, state: &mut SessionState) -> CommandResult {
        state.game = state.start().clone();
        self.restart();
        done()
    }

    /// Resets what belongs to one game.
    fn restart(&mut self) {
        self.plays.clear();
        self.clock.restart();
        self.setup = StartingStones::default();
    }

    /// Changes only the size of the board.
    fn board_size(&mut self, state: &mut SessionState, columns: u32, rows: u32) -> CommandResult {
        let Some(board) = VertexBoard::of(&state.game) else {
            return Err(
                "unacceptable size: this game is played with tiles on a table without edges, \
                 which programs for Go such as GoGui cannot show; `clear_board` restarts it"
                    .to_owned(),
            );
        };
        let resized = board.resized(state.game.rules(), columns, rows);
        match resized.map_err(|error| error.to_string())? {
            Some(rules) => state.set_rules(rules),
            None => state.game = state.start().clone(),
        }
        self.restart();
        done()
    }

    fn play(&mut self, state: &mut SessionState, mover: Color, text: &str) -> CommandResult {
        let played = self.try_play(state, mover, text)?;
        self.plays.push(played);
        done()
    }

    /// Returns the meaning of the next vertex of the player to move.
    fn next_vertex(&self) -> NextVertex {
        match self.plays.iter().rev().find(|&&played| played != Play::Moves(0)) {
            Some(&Play::Selection(next)) => next,
            _ => NextVertex::Plain,
        }
    }

    /// Plays the moves of a text; an error changes nothing.
    fn try_play(
        &mut self,
        state: &mut SessionState,
        mover: Color,
        text: &str,
    ) -> Result<Play, String> {
        let over = state.game.outcome().is_some();
        let to_move = is_to_move(&state.game, mover);
        if text.eq_ignore_ascii_case("resign") {
            return Err("illegal move: only its own side can resign".to_owned());
        }
        if text.eq_ignore_ascii_case("pass") && (over || !to_move) {
            return Ok(Play::Moves(0));
        }
        if over {
            return Err("illegal move: the game is over".to_owned());
        }
        if !to_move {
            return Err(format!("illegal move: it is player {}'s turn", state.game.to_move()));
        }
        let vertex = self.codec.cell(&state.game, text).ok().filter(|_| self.is_referee);
        let moves =
            match vertex.and_then(|cell| vertex_meaning(&state.game, self.next_vertex(), cell)) {
                Some(VertexMeaning::Selection(next)) => return Ok(Play::Selection(next)),
                Some(VertexMeaning::Move(mv)) => vec![mv],
                None => {
                    let read = self.codec.parse_move(&state.game, text);
                    read.map_err(|error| error.to_string())?
                }
            };
        let played = play_all(&mut state.game, &moves)?;
        self.codec.extended |= is_extended_move_text(text);
        Ok(Play::Moves(played))
    }

    /// Plays all moves, or none.
    fn play_sequence(
        &mut self,
        state: &mut SessionState,
        moves: &[(Color, String)],
    ) -> CommandResult {
        let (game, plays) = (state.game.clone(), self.plays.len());
        for (index, (color, vertex)) in moves.iter().enumerate() {
            match self.try_play(state, *color, vertex) {
                Ok(played) => self.plays.push(played),
                Err(error) => {
                    state.game = game;
                    self.plays.truncate(plays);
                    return Err(format!("{error}, at move {} of the sequence", index + 1));
                }
            }
        }
        done()
    }

    fn undo(&mut self, state: &mut SessionState, count: u32) -> CommandResult {
        let Some(left) = self.plays.len().checked_sub(count as usize) else {
            let left = self.plays.len();
            return Err(format!("cannot undo: {left} moves were played"));
        };
        let moves: usize = self.plays.drain(left..).map(Play::moves).sum();
        for _ in 0..moves {
            state.game.undo();
        }
        done()
    }

    /// Adds stones before the first move.
    fn set_up(&mut self, state: &mut SessionState, stones: &[(Color, String)]) -> CommandResult {
        if !self.plays.is_empty() {
            return Err("board not empty: clear the board first".to_owned());
        }
        let mut setup = self.setup.clone();
        for (color, text) in stones {
            let cell = self.codec.cell(&state.game, text).map_err(|error| error.to_string())?;
            setup.stones.insert(cell, stone_color(*color));
        }
        self.begin_with(state, setup)
    }

    /// Clears the board and sets up these stones.
    fn set_position(
        &mut self,
        state: &mut SessionState,
        stones: &[(Color, String)],
    ) -> CommandResult {
        for (index, (_, vertex)) in stones.iter().enumerate() {
            let is_same = |(_, other): &(Color, String)| other.eq_ignore_ascii_case(vertex);
            if stones.iter().skip(index + 1).any(is_same) {
                return Err(format!("illegal setup: {vertex} twice"));
            }
        }
        let old = (state.game.clone(), self.plays.clone(), self.setup.clone());
        state.game = state.start().clone();
        self.plays.clear();
        self.setup = StartingStones::default();
        let answer = self.set_up(state, stones);
        if answer.is_err() {
            (state.game, self.plays, self.setup) = old;
        }
        answer
    }

    /// Sets the color to move after a setup.
    fn set_player(&mut self, state: &mut SessionState, mover: Color) -> CommandResult {
        if !self.plays.is_empty() {
            return Err("board not empty: clear the board first".to_owned());
        }
        if self.setup.stones.is_empty() && color(state.start().to_move()) == mover {
            return done();
        }
        let setup = StartingStones { first: Some(mover), ..self.setup.clone() };
        self.begin_with(state, setup)
    }

    fn begin_with(&mut self, state: &mut SessionState, setup: StartingStones) -> CommandResult {
        if setup.stones.is_empty() && setup.first.is_none() {
            return done();
        }
        let game = state.start().with_stones(&setup.stones, setup.color_to_move());
        state.game = game.map_err(|error| format!("illegal setup: {error}"))?;
        self.setup = setup;
        done()
    }

    /// Sets up stones of the first player; the second is to move.
    fn set_handicap(&mut self, state: &mut SessionState, vertices: &[String]) -> CommandResult {
        if !self.plays.is_empty() || !self.setup.stones.is_empty() {
            return Err("board not empty".to_owned());
        }
        let mut setup = StartingStones { first: Some(Color::White), ..StartingStones::default() };
        for text in vertices {
            let cell = self
                .codec
                .cell(&state.game, text)
                .map_err(|_| format!("bad vertex list: {text}"))?;
            if setup.stones.insert(cell, StoneColor(0)).is_some() {
                return Err(format!("bad vertex list: {text} twice"));
            }
        }
        self.begin_with(state, setup)
    }

    /// Sets up stones on the handicap points of a Go board.
    fn place_handicap(&mut self, state: &mut SessionState, count: u32) -> CommandResult {
        let points = state.game.grid().and_then(|grid| handicap_points(grid, count));
        let Some((board, points)) = VertexBoard::of(&state.game).zip(points) else {
            return Err("invalid number of stones".to_owned());
        };
        let texts: Vec<String> =
            points.into_iter().map(|cell| board.vertex(cell).to_string()).collect();
        self.set_handicap(state, &texts)?;
        success(texts.join(" "))
    }
}

/// Plays all moves, or none, and returns their number.
fn play_all(game: &mut Game, moves: &[Move]) -> Result<usize, String> {
    for (index, &mv) in moves.iter().enumerate() {
        if let Err(reason) = game.check_move(mv) {
            for _ in 0..index {
                game.undo();
            }
            return Err(format!("illegal move: {reason}"));
        }
        game.play_move(mv).map_err(|error| error.to_string())?;
    }
    Ok(moves.len())
}

/// Returns the points of 2 to 9 handicap stones as GTP version 2 specifies them.
fn handicap_points(grid: Grid, count: u32) -> Option<Vec<Cell>> {
    let side = grid.columns();
    if side != grid.rows() || side < 7 || !(2..=9).contains(&count) {
        return None;
    }
    let near = if side < 13 { 2 } else { 3 };
    let (far, middle) = (side - 1 - near, side / 2);
    if count > 4 && (side.is_multiple_of(2) || side == 7) {
        return None;
    }
    let mut points = vec![(near, near), (far, far), (far, near), (near, far)];
    points.truncate(count as usize);
    if count > 5 {
        points.extend([(near, middle), (far, middle)]);
    }
    if count > 7 {
        points.extend([(middle, near), (middle, far)]);
    }
    if count > 4 && !count.is_multiple_of(2) {
        points.push((middle, middle));
    }
    Some(points.into_iter().map(|(column, row)| grid.at(column, row)).collect())
}

impl GtpSession {
    /// Loads the game of a file, up to the move before the one of a number. The rules are those that the
    /// file names, else the current ones on a board of its size.
    fn load_sgf(
        &mut self,
        state: &mut SessionState,
        file: &str,
        before: Option<u32>,
    ) -> CommandResult {
        let bytes = read_regular_file(Path::new(file))
            .map_err(|error| format!("cannot load file: {error}"))?;
        let fail = |error: &dyn ToString| format!("cannot load file: {}", error.to_string());
        let tree = Tree::parse_bytes(bytes).map_err(|error| fail(&error))?;
        let moves = before.map_or(usize::MAX, |number| (number as usize).saturating_sub(1));
        let game = tree.replay(state.game.rules(), moves).map_err(|error| fail(&error))?;
        if game.rules() != state.game.rules() {
            state.set_rules(game.rules().clone());
        }
        self.restart();
        self.plays = vec![Play::Moves(1); game.moves().len()];
        state.game = game;
        done()
    }
}

/// Prints the game as SGF, as the response or into a file.
fn print_sgf(state: &SessionState, file: Option<&str>) -> CommandResult {
    let sgf = Tree::of(&state.game).to_string();
    let Some(file) = file.filter(|&file| file != "-") else { return success(sgf) };
    AtomicFile::write(Path::new(file), (sgf + "\n").as_bytes())
        .map_err(|error| format!("cannot write file: {error}"))?;
    done()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handicap_stones_are_as_many_as_asked_for() {
        let grid = Grid::new(19, 19).unwrap();
        for count in 2..=9 {
            let mut points = handicap_points(grid, count).unwrap();
            points.sort_unstable();
            points.dedup();
            assert_eq!(points.len(), count as usize);
        }
        assert_eq!(handicap_points(grid, 1), None);
        assert_eq!(handicap_points(grid, 10), None);
        assert_eq!(handicap_points(Grid::new(8, 8).unwrap(), 5), None);
        assert_eq!(handicap_points(Grid::new(5, 5).unwrap(), 2), None);
    }
}
