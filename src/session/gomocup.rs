//! Sessions in Gomocup's protocol.
//!
//! Managers set limits and rules by `INFO`, which is never answered: an invalid value becomes the nearest
//! valid one, and a message reports it.

use super::codec::gomocup::{self as codec, Codec, GameLimits, InfoValueError, is_own_turn};
use super::line_protocol::{LineProtocol, LineResult};
use super::state::{SessionConfig, SessionState};
use pentarch_core::game::{Move, MoveKind, Outcome, Seat, Side};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Bound, Limits, Report, SearchResult};
use pentarch_engine::{Game, OptionRow, Options};
use pentarch_protocol::gomocup::{
    About, Command, Info, InfoKey, Owner, Point, Response, Stone, SyntaxError,
};
use pentarch_protocol::input::clean;
use std::collections::BTreeSet;
use std::error::Error;
use std::time::{Duration, Instant};

/// A session in Gomocup's protocol.
pub(super) struct GomocupSession {
    variant: Variant,
    /// Columns and rows, `None` before `START`.
    size: Option<(u32, u32)>,
    codec: Codec,
    settings: InfoSettings,
    /// How the client displays the progress of the search.
    detail: ReportDetail,
    list: Option<StoneList>,
    /// Whether a list of stones of a refused command may follow, which is ignored.
    skips_list: bool,
    /// Whether the name of a file of a refused command follows, which is ignored.
    skips_file: bool,
    /// The points on which the brain must not move.
    blocked: BTreeSet<Point>,
    /// How full the transposition table was after the last search, in thousandths.
    hashfull: u32,
    pending: Option<PendingSearch>,
}

/// What is sent about a search in addition to the messages for humans.
#[derive(Clone, Copy, Debug, Default)]
struct ReportDetail {
    /// `MESSAGE REALTIME`, as Yixin-Board displays it.
    realtime: bool,
    /// `INFO`, as Rapfi's front ends display it.
    fields: bool,
}

impl ReportDetail {
    /// Returns whether the client is one for Yixin or Rapfi.
    const fn is_any(self) -> bool {
        self.realtime || self.fields
    }
}

type CommandResult = LineResult<Response>;

impl GomocupSession {
    pub(super) fn new(config: &SessionConfig) -> GomocupSession {
        GomocupSession {
            variant: Variant::new(config),
            size: None,
            codec: Codec(config.coordinates),
            settings: InfoSettings::new(config.options.clone(), config.move_time),
            detail: ReportDetail::default(),
            list: None,
            skips_list: false,
            skips_file: false,
            blocked: BTreeSet::new(),
            hashfull: 0,
            pending: None,
        }
    }

    /// Executes a command that needs a game.
    fn game_command(&mut self, command: &Command, state: &mut SessionState) -> CommandResult {
        match *command {
            Command::Start { columns, rows } | Command::RectStart { columns, rows } => {
                self.start_game(state, columns, rows)
            }
            _ if self.size.is_none() => Err("no board yet: expected START or RECTSTART".into()),
            Command::Restart => {
                self.hashfull = 0;
                state.engine.clear();
                state.set_game(self.new_game(state)?);
                self.settings.limits.restart();
                Ok(vec![Response::Ok])
            }
            Command::Begin if state.game.ply() > 0 => {
                Err("BEGIN: the board is not empty, expected RESTART before".into())
            }
            Command::Begin => {
                let game = self.new_game(state)?;
                self.search(state, game)
            }
            Command::Turn(point) => self.turn(state, point),
            Command::Board => Ok(self.open_list(ListCommand::Board)),
            Command::YxBoard => Ok(self.open_list(ListCommand::YxBoard)),
            Command::Swap2Board => Ok(self.open_list(ListCommand::Swap2Board)),
            Command::TakeBack(point) => self.take_back(state, point),
            Command::Play(point) => {
                self.codec.play(&mut state.game, point)?;
                Ok(vec![Response::Moves(vec![point])])
            }
            Command::ShowForbid => Ok(vec![self.forbidden(state)]),
            Command::NBest(count) => self.best_moves(state, count),
            Command::SearchDefend => self.best_moves(state, *Options::MULTI_PV.end()),
            Command::BalanceOne(bias) => self.balance(state, bias, false),
            Command::BalanceTwo(bias) => self.balance(state, bias, true),
            Command::Block => Ok(self.open_list(ListCommand::Block)),
            Command::BlockUndo => Ok(self.open_list(ListCommand::BlockUndo)),
            Command::BlockReset => {
                self.blocked.clear();
                Ok(Vec::new())
            }
            Command::Swap2Step1 => self.swap2_step(state, 1),
            Command::Swap2Step2 => self.swap2_step(state, 2),
            Command::Swap2Step3 => self.swap2_step(state, 3),
            _ => Ok(Vec::new()),
        }
    }

    /// Handles `INFO`. An invalid value becomes the nearest valid one, which a message reports: the manager
    /// takes the next response as that to its next command.
    fn info(&mut self, info: Info, state: &mut SessionState) -> Vec<Response> {
        let message = match info {
            Info::Number(InfoKey::Rule, rule) => self.variant.set_rule(rule, self.detail.is_any()),
            Info::Variant(spec) => self.variant.set_spec(&spec),
            Info::Number(InfoKey::ShowDetail, level) => {
                self.detail =
                    ReportDetail { realtime: level == 1 || level > 2, fields: level >= 2 };
                // Rapfi's front ends send the rule before.
                let is_yixin = self.detail.is_any() && self.variant.number == Some(YIXIN_RENJU);
                if is_yixin { self.variant.set_rule(YIXIN_RENJU, true) } else { None }
            }
            Info::Number(key, number) => {
                let message = self.settings.set(key, number);
                state.engine.set_options(self.settings.options());
                message
            }
            Info::Coordinates(coordinates) => {
                self.codec = Codec(coordinates);
                None
            }
            Info::Other { .. } => None,
        };
        message.into_iter().map(Response::Message).collect()
    }

    fn start_game(&mut self, state: &mut SessionState, columns: u32, rows: u32) -> CommandResult {
        let before = self.size.replace((columns, rows));
        let game = self.new_game(state).inspect_err(|_| self.size = before)?;
        self.hashfull = 0;
        state.engine.clear();
        state.set_game(game);
        self.settings.limits.restart();
        Ok(vec![Response::Ok])
    }

    /// Returns the start of a game of the current rules, which `INFO` may have changed since `START`.
    fn new_game(&self, state: &SessionState) -> Result<Game, String> {
        let (columns, rows) = self.size.unwrap_or_default();
        let rules = self.variant.rules(columns, rows)?;
        let same = rules == *state.start().rules();
        Ok(if same { state.start().clone() } else { Game::new(rules) })
    }

    fn turn(&mut self, state: &mut SessionState, point: Point) -> CommandResult {
        let mut game =
            if state.game.ply() == 0 { self.new_game(state)? } else { state.game.clone() };
        if let Some(outcome) = game.outcome() {
            return Err(game_over(outcome).into());
        }
        let opponent = game.to_move();
        self.codec.play(&mut game, point)?;
        if let Some(outcome) = game.outcome() {
            // The stone stays, so that it can be taken back.
            state.set_game(game);
            return Err(game_over(outcome).into());
        }
        if game.to_move() == opponent {
            return Err("this protocol cannot express several stones in one turn".into());
        }
        self.search(state, game)
    }

    fn take_back(&self, state: &mut SessionState, point: Point) -> CommandResult {
        let grid = state.game.grid().ok_or("this game has no points")?;
        let last = state.game.moves().last().and_then(|mv| mv.cell());
        let last = last.map(|cell| self.codec.point(grid, cell));
        match last {
            Some(last) if last == point => {
                state.game.undo();
                Ok(vec![Response::Ok])
            }
            Some(last) => Err(format!("TAKEBACK {point}: the last stone is on {last}").into()),
            None => Err(format!("TAKEBACK {point}: there is no move to take back").into()),
        }
    }

    /// Returns the empty points on which the side to move may not play.
    fn forbidden(&self, state: &SessionState) -> Response {
        let legal: Vec<_> = state.game.legal_moves().iter().filter_map(|mv| mv.cell()).collect();
        let open = state.game.outcome().is_none();
        let Some(grid) = state.game.grid().filter(|_| open) else {
            return Response::Forbid(Vec::new());
        };
        let is_empty = |cell| state.game.stone(grid.column(cell), grid.row(cell)).is_none();
        let closed = grid.iter().filter(|&cell| is_empty(cell) && !legal.contains(&cell));
        Response::Forbid(closed.map(|cell| self.codec.point(grid, cell)).collect())
    }

    fn best_moves(&mut self, state: &mut SessionState, count: u32) -> CommandResult {
        if !Options::MULTI_PV.contains(&count) {
            let (least, most) = (Options::MULTI_PV.start(), Options::MULTI_PV.end());
            return Err(format!("YXNBEST {count}: expected a number from {least} to {most}").into());
        }
        if let Some(outcome) = state.game.outcome() {
            return Err(game_over(outcome).into());
        }
        let limits = self.limits(&state.game)?;
        let lines = count.min(u32::try_from(state.game.legal_moves().len()).unwrap_or(count));
        self.start(state, limits, lines, SearchPurpose::Move)
    }

    /// Starts a search of several lines.
    fn start(
        &mut self,
        state: &mut SessionState,
        limits: Limits,
        lines: u32,
        purpose: SearchPurpose,
    ) -> CommandResult {
        state.start_multi_pv(limits, lines.max(1))?;
        self.pending = Some(PendingSearch::new(purpose, lines));
        Ok(Vec::new())
    }

    /// Searches for the move after which the position has a value for the side to move now, or for two moves.
    fn balance(&mut self, state: &mut SessionState, bias: i32, with_reply: bool) -> CommandResult {
        if let Some(outcome) = state.game.outcome() {
            return Err(game_over(outcome).into());
        }
        let side = state.game.side_of(state.game.to_move());
        let mut game = state.game.clone();
        let mut first = None;
        if with_reply {
            // The reply has to balance what the first move does, so a static value suffices for that.
            let candidates = self.balanced_moves(state, &game, bias, side)?;
            let &mv = candidates.first().ok_or("no move keeps the game open")?;
            game.play_move(mv)?;
            first = Some(mv);
        }
        let mut limits = self.limits(&game)?;
        limits.search_moves = self.balanced_moves(state, &game, bias, side)?;
        limits.search_moves.truncate(BALANCE_CANDIDATES);
        if limits.search_moves.is_empty() {
            return Err("no move keeps the game open".into());
        }
        let lines = u32::try_from(limits.search_moves.len()).unwrap_or(1);
        let before = std::mem::replace(&mut state.game, game);
        let purpose = SearchPurpose::Balance { bias, side, first };
        let started = self.start(state, limits, lines, purpose);
        if started.is_err() {
            state.game = before;
        }
        started
    }

    /// Returns the moves that do not end the game, those first after which the static value for a side is
    /// nearest to `bias`.
    fn balanced_moves(
        &self,
        state: &mut SessionState,
        game: &Game,
        bias: i32,
        side: Side,
    ) -> Result<Vec<Move>, String> {
        let open = self.limits(game)?.search_moves;
        let moves = if open.is_empty() { game.legal_moves() } else { open };
        let mut after = game.clone();
        let mut valued = Vec::new();
        for mv in moves {
            if after.play_move(mv).is_err() {
                continue;
            }
            if let Some(score) = state.engine.evaluate(&after) {
                let is_own = after.side_of(after.to_move()) == side;
                let value = if is_own { score.value() } else { -score.value() };
                valued.push((value.abs_diff(bias), mv));
            }
            after.undo();
        }
        valued.sort_by_key(|&(difference, _)| difference);
        Ok(valued.into_iter().map(|(_, mv)| mv).collect())
    }
}

/// The moves that a search for a balanced one values.
const BALANCE_CANDIDATES: usize = 24;

/// Returns the reason why no move can follow.
fn game_over(outcome: Outcome) -> String {
    format!("the game is over: {}", outcome.reason)
}

fn about() -> Response {
    let fields = [
        ("name", "Pentarch"),
        ("version", env!("CARGO_PKG_VERSION")),
        ("author", pentarch_engine::AUTHOR),
    ];
    let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    Response::About(About(fields.map(owned).to_vec()))
}

/// Returns whether the line is a malformed `INFO`.
fn is_malformed_info(error: &SyntaxError) -> bool {
    matches!(error, SyntaxError::Malformed { command, .. } if command == "INFO")
}

impl LineProtocol for GomocupSession {
    type Command = Command;
    type Response = Response;
    const QUIT: Command = Command::End;
    const IMMEDIATE: &'static [Command] = &[Command::Stop];

    fn execute(&mut self, command: Command, state: &mut SessionState) -> CommandResult {
        match command {
            Command::Info(info) => Ok(self.info(info, state)),
            Command::Stop => {
                state.stop();
                Ok(Vec::new())
            }
            Command::End => Ok(Vec::new()),
            Command::About => Ok(vec![about()]),
            Command::HashClear => {
                self.hashfull = 0;
                state.engine.clear();
                Ok(Vec::new())
            }
            Command::ShowInfo => {
                self.detail.realtime = true;
                Ok(largest_settings())
            }
            Command::HashUsage => {
                let full = self.hashfull;
                let text = format!("Transposition table full: {}.{}%", full / 10, full % 10);
                Ok(vec![Response::Message(text)])
            }
            Command::HashFile(text) => {
                self.skips_file = !text.contains(' ');
                let name = first_word(&text).to_ascii_uppercase();
                Err(format!("{name}: the hash table cannot be stored in files").into())
            }
            Command::Database(text) => {
                let name = first_word(&text).to_ascii_uppercase();
                let lists = ["YXQUERY", "YXEDIT", "YXDELETE", "YXSETBEST", "YXCLEARBEST"];
                let is_complete = text.to_ascii_uppercase().ends_with(" DONE");
                self.skips_list = !is_complete && lists.iter().any(|start| name.starts_with(start));
                self.skips_file = !text.contains(' ')
                    && !self.skips_list
                    && !["YXSAVEDATABASE", "YXDBCHECK", "YXDBFIX"].contains(&name.as_str());
                Err(format!("{name}: this engine has no database").into())
            }
            Command::Stone(stone) => {
                Err(format!("{}: no list of stones is open", stone.point).into())
            }
            Command::Done => Err("DONE: no list of stones is open".into()),
            command => match &self.variant.error {
                Some(error) => Err(error.clone().into()),
                None => self.game_command(&command, state),
            },
        }
    }

    fn error(&self, message: String) -> Response {
        Response::Error(message)
    }

    fn respond(
        &mut self,
        line: &str,
        command: Result<Command, SyntaxError>,
        state: &mut SessionState,
    ) -> CommandResult {
        if let Some(result) = self.words(line, state) {
            return result;
        }
        // Yixin-Board writes the name of a file on a line of its own.
        if std::mem::take(&mut self.skips_file)
            && matches!(command, Err(SyntaxError::Unknown { .. }))
        {
            return Ok(Vec::new());
        }
        // Yixin-Board sends lists after commands for its database, at each move.
        let skipped = matches!(command, Ok(Command::Stone(_) | Command::Done));
        if skipped && self.skips_list {
            self.skips_list = command != Ok(Command::Done);
            return Ok(Vec::new());
        }
        let is_unknown = matches!(command, Err(SyntaxError::Unknown { .. }));
        self.skips_list = self.list.is_none() && is_yixin_command(line) && is_unknown;
        match (self.list.take(), command) {
            (Some(list), command) => self.list_line(list, command, state),
            (None, Ok(command)) => self.execute(command, state),
            (None, Err(error)) if is_malformed_info(&error) => {
                Ok(vec![Response::Message(error.to_string())])
            }
            (None, Err(error @ SyntaxError::Unknown { .. })) => {
                Ok(vec![Response::Unknown(error.to_string())])
            }
            (None, Err(error)) => Err(error.into()),
        }
    }

    fn search_report(&mut self, report: &Report, state: &SessionState) -> Vec<Response> {
        let Some(pending) = &mut self.pending else { return Vec::new() };
        pending.reports.retain(|known| known.multipv != report.multipv);
        pending.reports.push(report.clone());
        report_messages(report, &state.game, self.codec, self.detail, pending.lines)
    }

    fn search_ended(&mut self, result: SearchResult, state: &mut SessionState) -> CommandResult {
        let Some(pending) = self.pending.take() else { return Ok(Vec::new()) };
        self.hashfull = result.report.hashfull;
        // Clients that keep the last message only find everything in it.
        let last =
            [Codec::summary(&result.report), self.codec.message(&state.game, &result.report)];
        let mut responses = last.map(Response::Message).to_vec();
        responses.extend(self.play_found_move(pending, &result, state)?);
        Ok(responses)
    }
}

fn first_word(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

/// Returns whether a line is a command of Yixin's extension.
fn is_yixin_command(line: &str) -> bool {
    line.trim_start().get(..2).is_some_and(|start| start.eq_ignore_ascii_case("yx"))
}

/// A search that will answer a command.
struct PendingSearch {
    started: Instant,
    purpose: SearchPurpose,
    /// The number of lines.
    lines: u32,
    /// The last report on each line.
    reports: Vec<Report>,
}

impl PendingSearch {
    fn new(purpose: SearchPurpose, lines: u32) -> PendingSearch {
        PendingSearch { started: Instant::now(), purpose, lines, reports: Vec::new() }
    }
}

/// The purpose of a search.
enum SearchPurpose {
    /// Make the best move.
    Move,
    /// Make the move whose value for a side is nearest to `bias`.
    Balance {
        bias: i32,
        side: Side,
        /// The move before it, which belongs to the answer.
        first: Option<Move>,
    },
    /// Answer in an opening.
    Opening(OpeningAnswer),
}

impl GomocupSession {
    /// Replaces the session's game and starts a search for one move.
    fn search(&mut self, state: &mut SessionState, game: Game) -> CommandResult {
        if let Some(outcome) = game.outcome() {
            return Err(game_over(outcome).into());
        }
        let limits = self.limits(&game)?;
        state.set_game(game);
        state.start_search(limits, false)?;
        self.pending = Some(PendingSearch::new(SearchPurpose::Move, 1));
        Ok(Vec::new())
    }

    /// Returns the limits of a search for a move that is one point and not blocked, unless all are.
    fn limits(&self, game: &Game) -> Result<Limits, String> {
        let grid = game.grid().ok_or("this game has no points to play on")?;
        let mut legal = game.legal_moves();
        let limits = self.settings.search_limits();
        let has_points_only = legal.iter().all(|mv| matches!(mv.kind(), MoveKind::Stone(_)));
        if has_points_only && self.blocked.is_empty() {
            return Ok(limits);
        }
        if !has_points_only {
            legal.retain(|&mv| self.codec.point_of(game, mv).is_some());
        }
        let is_open = |mv: &&Move| {
            mv.cell().is_some_and(|cell| !self.blocked.contains(&self.codec.point(grid, cell)))
        };
        let open: Vec<_> = legal.iter().filter(is_open).copied().collect();
        let search_moves = if open.is_empty() { legal } else { open };
        if search_moves.is_empty() {
            return Err("no legal move is a point".into());
        }
        Ok(Limits { search_moves, ..limits })
    }

    /// Plays the move that was found and answers with it, or continues an opening.
    fn play_found_move(
        &mut self,
        pending: PendingSearch,
        result: &SearchResult,
        state: &mut SessionState,
    ) -> CommandResult {
        self.settings.limits.spend(pending.started.elapsed());
        let mut mv = result.best.ok_or("no move was found")?;
        let mut moves = Vec::new();
        match pending.purpose {
            SearchPurpose::Opening(opening) => {
                state.game.play_move(mv)?;
                return self.continue_opening(opening, mv, state);
            }
            SearchPurpose::Balance { bias, side, first } => {
                let is_own = state.game.side_of(state.game.to_move()) == side;
                let difference = |report: &&Report| {
                    let value = report.score.value();
                    (if is_own { value } else { -value }).abs_diff(bias)
                };
                let nearest = pending.reports.iter().min_by_key(difference);
                mv = nearest.and_then(|report| report.pv.first()).copied().unwrap_or(mv);
                moves.extend(first);
            }
            SearchPurpose::Move => {}
        }
        state.game.play_move(mv)?;
        moves.push(mv);
        self.settings.limits.end_move();
        let grid = state.game.grid().ok_or("this game has no points")?;
        Ok(vec![Response::Moves(self.codec.points(grid, &moves))])
    }
}

/// An answer in an opening, of which the search has found a part.
struct OpeningAnswer {
    /// The seat that answers.
    seat: Seat,
    /// The stones found so far.
    stones: Vec<Point>,
    /// The number of Yixin's step; `None` for `SWAP2BOARD`.
    step: Option<u8>,
}

impl GomocupSession {
    /// Answers `SWAP2BOARD`.
    fn swap2_board(&mut self, state: &mut SessionState, points: &[Point]) -> CommandResult {
        self.set_opening(state, points)?;
        let seat = state.game.to_move();
        self.search_opening(state, OpeningAnswer { seat, stones: Vec::new(), step: None })
    }

    /// Answers one of Yixin's steps, with the stones on the board.
    fn swap2_step(&mut self, state: &mut SessionState, step: u8) -> CommandResult {
        let (points, expected) = match step {
            1 => (Vec::new(), 0),
            2 => (self.placed_points(&state.game), 3),
            _ => (self.placed_points(&state.game), 5),
        };
        if points.len() != expected {
            let found = points.len();
            return Err(
                format!("YXSWAP2STEP{step}: expected {expected} stones, found {found}").into()
            );
        }
        self.set_opening(state, &points)?;
        let seat = state.game.to_move();
        self.search_opening(state, OpeningAnswer { seat, stones: Vec::new(), step: Some(step) })
    }

    /// Starts the opening with these stones on the board.
    fn set_opening(
        &self,
        state: &mut SessionState,
        points: &[Point],
    ) -> Result<(), Box<dyn Error>> {
        let start = self.new_game(state)?;
        let game = self.codec.opening(start.rules(), points)?;
        state.set_game(game);
        Ok(())
    }

    /// Returns the points of a game in the order in which they were played.
    fn placed_points(&self, game: &Game) -> Vec<Point> {
        game.grid().map(|grid| self.codec.points(grid, &game.moves())).unwrap_or_default()
    }

    /// Starts a search for the seat's next stone or choice.
    fn search_opening(
        &mut self,
        state: &mut SessionState,
        opening: OpeningAnswer,
    ) -> CommandResult {
        let limits = self.settings.search_limits();
        // An answer takes up to three searches.
        let limits = Limits { move_time: limits.move_time.map(|time| time / 3), ..limits };
        state.start_search(limits, false)?;
        self.pending = Some(PendingSearch::new(SearchPurpose::Opening(opening), 1));
        Ok(Vec::new())
    }

    /// Continues an opening after a stone or a choice of its seat, or answers.
    fn continue_opening(
        &mut self,
        mut opening: OpeningAnswer,
        mv: Move,
        state: &mut SessionState,
    ) -> CommandResult {
        let grid = state.game.grid().ok_or("this game has no points")?;
        opening.stones.extend(mv.cell().map(|cell| self.codec.point(grid, cell)));
        let same_seat = state.game.outcome().is_none() && state.game.to_move() == opening.seat;
        let Some(step) = opening.step else {
            if same_seat {
                return self.search_opening(state, opening);
            }
            self.settings.limits.end_move();
            return Ok(vec![codec::opening_answer(opening.stones)]);
        };
        // In Yixin's steps `BOARD` asks for the first stone after a color was kept.
        let is_settled = matches!(mv.kind(), MoveKind::Swap | MoveKind::Keep);
        if same_seat && !is_settled {
            return self.search_opening(state, opening);
        }
        self.settings.limits.end_move();
        let answer = step_answer(step, &opening.stones, same_seat);
        // The following stones are sent one by one, regardless of the choice.
        let points = self.placed_points(&state.game);
        let start = self.new_game(state)?;
        let game = self.codec.place(&start, points)?;
        state.set_game(game);
        Ok(answer)
    }
}

/// Returns the answer to one of Yixin's steps: each stone, or whether the brain takes the first color.
fn step_answer(step: u8, stones: &[Point], same_seat: bool) -> Vec<Response> {
    let message = |text: String| Response::Message(format!("SWAP2 {text}"));
    if stones.is_empty() {
        let word = if same_seat { "NO" } else { "YES" };
        let choice = if step == 2 { 1 } else { 2 };
        return vec![message(format!("SWAP{choice} {word}"))];
    }
    let first = if step == 1 { 1 } else { 4 };
    let moves = (first..).zip(stones);
    moves.map(|(number, point)| message(format!("MOVE{number} {} {}", point.x, point.y))).collect()
}

/// A list of stones that is not closed yet.
struct StoneList {
    command: ListCommand,
    stones: Vec<Stone>,
    /// The first error in it.
    error: Option<String>,
}

/// The command that opened a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListCommand {
    Board,
    YxBoard,
    Swap2Board,
    Block,
    BlockUndo,
}

/// The longest list: more stones than any board has points, as captured ones are listed too.
const MAX_STONES: usize = 10_000;

/// The names of the commands that open a list.
const LISTS: [&str; 5] = ["BOARD", "YXBOARD", "SWAP2BOARD", "YXBLOCK", "YXBLOCKUNDO"];

impl GomocupSession {
    /// Handles a list of which several words are on one line, as Rapfi's front ends send it; `None` for other
    /// lines.
    fn words(&mut self, line: &str, state: &mut SessionState) -> Option<CommandResult> {
        let line = clean(line);
        let mut words = line.split_whitespace();
        let first = words.next()?;
        let opens = LISTS.iter().any(|name| name.eq_ignore_ascii_case(first));
        let continues = self.list.is_some() && first.starts_with(|c: char| c.is_ascii_digit());
        let has_rest = words.next().is_some_and(|word| {
            word.eq_ignore_ascii_case("DONE")
                || word.matches(',').count() > 0 && !word.starts_with(',')
        });
        if !(opens || continues) || !has_rest || first.ends_with(',') {
            return None;
        }
        let mut responses = Vec::new();
        for word in line.split_whitespace() {
            let command = word.parse();
            let is_done = command == Ok(Command::Done);
            let result = match self.list.take() {
                Some(list) => self.list_line(list, command, state),
                None => {
                    command.map_err(Into::into).and_then(|command| self.execute(command, state))
                }
            };
            match result {
                Ok(more) => responses.extend(more),
                Err(error) => return Some(Err(error)),
            }
            if is_done || self.list.is_none() {
                break;
            }
        }
        Some(Ok(responses))
    }

    fn open_list(&mut self, command: ListCommand) -> Vec<Response> {
        self.list = Some(StoneList { command, stones: Vec::new(), error: None });
        Vec::new()
    }

    /// Handles a line of an open list of stones.
    fn list_line(
        &mut self,
        mut list: StoneList,
        command: Result<Command, SyntaxError>,
        state: &mut SessionState,
    ) -> CommandResult {
        let mut responses = Vec::new();
        match command {
            Ok(Command::Done) => return self.close_list(list, state),
            Ok(Command::Stone(stone)) if list.stones.len() < MAX_STONES => {
                list.stones.push(stone);
            }
            Ok(Command::Stone(_)) => _ = list.error.get_or_insert("too many stones".to_owned()),
            Ok(Command::Info(info)) => responses = self.info(info, state),
            Ok(command) => {
                return Err(format!(
                    "expected a stone or DONE, found {command}: the list is dropped"
                )
                .into());
            }
            Err(error) if is_malformed_info(&error) => {
                responses = vec![Response::Message(error.to_string())];
            }
            Err(error) => _ = list.error.get_or_insert_with(|| error.to_string()),
        }
        self.list = Some(list);
        Ok(responses)
    }

    fn close_list(&mut self, list: StoneList, state: &mut SessionState) -> CommandResult {
        if let Some(error) = list.error {
            return Err(error.into());
        }
        let points = list.stones.iter().map(|stone| stone.point);
        match list.command {
            ListCommand::Block => {
                let grid = state.game.grid().ok_or("this game has no points")?;
                points.clone().try_for_each(|point| self.codec.cell(grid, point).map(|_| ()))?;
                self.blocked.extend(points);
                return Ok(Vec::new());
            }
            ListCommand::BlockUndo => {
                points.for_each(|point| _ = self.blocked.remove(&point));
                return Ok(Vec::new());
            }
            ListCommand::Board | ListCommand::YxBoard | ListCommand::Swap2Board => {}
        }
        let start = self.new_game(state)?;
        match list.command {
            ListCommand::YxBoard => {
                let game = self.codec.game(&start, &list.stones);
                state.set_game(game?);
                Ok(Vec::new())
            }
            ListCommand::Board if !is_own_turn(&list.stones) => {
                let own =
                    list.stones.iter().filter(|stone| stone.owner == Some(Owner::Own)).count();
                let rest = list.stones.len() - own;
                Err(format!("{own} own stones and {rest} of the opponent: it is not my turn")
                    .into())
            }
            ListCommand::Board => {
                let game = self.codec.game(&start, &list.stones);
                self.search(state, game?)
            }
            _ => {
                let points: Vec<_> = list.stones.into_iter().map(|stone| stone.point).collect();
                self.swap2_board(state, &points)
            }
        }
    }
}

/// The game that `INFO` or the command line has chosen.
#[derive(Clone, Debug)]
struct Variant {
    rules: Option<Ruleset>,
    /// Whether the user chose the game. Managers send `INFO rule 0` to every engine, so it does not replace
    /// such a game.
    is_explicit: bool,
    /// Why the game of the command line cannot be played.
    error: Option<String>,
    /// The last number of `INFO rule`.
    number: Option<i64>,
}

/// Renju in Yixin-Board's numbers of `INFO rule`.
const YIXIN_RENJU: i64 = 2;

impl Variant {
    fn new(config: &SessionConfig) -> Variant {
        let mut variant = Variant { rules: None, is_explicit: false, error: None, number: None };
        if config.explicit_game {
            let chosen = variant.choose(Ok(config.rules.clone()), true);
            variant.error = chosen.err().map(|error| format!("--variant: {error}"));
        } else {
            let _ = variant.set_rule(0, false);
            variant.number = None;
        }
        variant
    }

    /// Sets the game of `INFO rule`, in Yixin-Board's own numbers if `is_yixin`. An unknown number becomes
    /// the nearest known one; returns a message about it.
    fn set_rule(&mut self, rule: i64, is_yixin: bool) -> Option<String> {
        self.number = Some(rule);
        let rule = if is_yixin && rule == YIXIN_RENJU { 4 } else { rule };
        let (taken, message) = match codec::rules(rule) {
            Ok(_) => (rule, None),
            Err(error) => {
                let nearest = codec::nearest_rule(rule);
                (nearest, Some(format!("INFO rule {rule}: {error}; {nearest} is taken")))
            }
        };
        if taken != 0 || !self.is_explicit {
            let rules = codec::rules(taken).map_err(|error| error.to_string());
            if let Err(error) = self.choose(rules, false) {
                return Some(format!("INFO rule {rule}: {error}"));
            }
        }
        message
    }

    /// Sets the game of `INFO variant`. An unsupported game leaves the current one; returns a message about
    /// it.
    fn set_spec(&mut self, spec: &str) -> Option<String> {
        self.number = None;
        let rules = spec.parse::<Ruleset>().map_err(|error| error.to_string());
        let error = self.choose(rules, true).err()?;
        let kept = self.rules.as_ref().map_or("no game".to_owned(), Ruleset::to_string);
        Some(format!("INFO variant: {error}; it stays {kept}"))
    }

    fn choose(&mut self, rules: Result<Ruleset, String>, is_explicit: bool) -> Result<(), String> {
        let rules = rules.and_then(|rules| without_choice(&rules))?;
        (self.rules, self.is_explicit, self.error) = (Some(rules), is_explicit, None);
        Ok(())
    }

    /// Returns the rules on a board of a size.
    fn rules(&self, columns: u32, rows: u32) -> Result<Ruleset, String> {
        let rules = self.rules.as_ref().ok_or("no game was chosen")?;
        let size = if columns == rows { columns.to_string() } else { format!("{columns}x{rows}") };
        rules.with(&format!("size={size}")).map_err(|error| error.to_string())
    }
}

/// Returns the rules without swap2, which `SWAP2BOARD` requests.
fn without_choice(rules: &Ruleset) -> Result<Ruleset, String> {
    let board = codec::supported_board(rules).map_err(|error| error.to_string())?;
    if board.swap.is_none() {
        return Ok(rules.clone());
    }
    rules.with("free").map_err(|error| error.to_string())
}

/// The settings of `INFO`, and the clock.
#[derive(Clone, Debug)]
struct InfoSettings {
    /// The options of the command line.
    base: Options,
    /// The options with the changes by `INFO`.
    options: Options,
    /// The time for a move without other limits.
    move_time: Duration,
    limits: GameLimits,
    memory_mib: Option<usize>,
}

/// An upper bound of the memory of the process without the hash table, in MiB.
const OTHER_MEMORY: usize = 32;

impl InfoSettings {
    fn new(base: Options, move_time: Duration) -> InfoSettings {
        let limits = GameLimits::default();
        InfoSettings { options: base.clone(), base, move_time, limits, memory_mib: None }
    }

    /// Sets a value. An invalid one becomes the nearest valid one; returns a message about it.
    fn set(&mut self, key: InfoKey, number: i64) -> Option<String> {
        let Err(error) = self.try_set(key, number) else { return None };
        let min = i64::try_from(error.min).unwrap_or(i64::MAX);
        let taken = self.try_set(key, min).is_ok();
        Some(format!("{error}{}", if taken { format!("; {min} is taken") } else { String::new() }))
    }

    fn try_set(&mut self, key: InfoKey, number: i64) -> Result<(), InfoValueError> {
        if key == InfoKey::MaxMemory {
            self.memory_mib = memory(number)?;
        }
        self.limits.set(key, number)?;
        self.set_option(key, number)
    }

    /// Sets a value that is an option of the engine.
    fn set_option(&mut self, key: InfoKey, number: i64) -> Result<(), InfoValueError> {
        // Managers send numbers below 1 for no limit.
        let count = u64::try_from(number).unwrap_or(0);
        let (name, value) = match key {
            InfoKey::HashSize => ("Hash", Some(count.div_ceil(1024)).filter(|&mib| mib > 0)),
            InfoKey::ThreadNum if number < 1 => {
                return Err(InfoValueError { key, number, min: 1 });
            }
            InfoKey::ThreadNum => ("Threads", Some(count)),
            InfoKey::Strength => ("Level", Some(count / 10)),
            _ => return Ok(()),
        };
        if let Some(row) = OptionRow::find(name) {
            match value {
                Some(value) => row.set_clamped(&mut self.options, value),
                None => row.copy(&self.base, &mut self.options),
            }
        }
        Ok(())
    }

    /// Returns the limits of the next search.
    fn search_limits(&self) -> Limits {
        let limits = self.limits.next_search();
        if limits.is_bounded() {
            return limits;
        }
        Limits { move_time: Some(self.move_time), ..limits }
    }

    /// Returns the engine's options under these settings.
    fn options(&self) -> Options {
        let hash = self.options.hash;
        let most = self.memory_mib.map_or(hash, |mib| mib.saturating_sub(OTHER_MEMORY));
        Options { hash: hash.min(most).max(*Options::HASH.start()), ..self.options.clone() }
    }
}

/// Returns the whole MiB of `INFO max_memory`; `None` for no limit.
fn memory(bytes: i64) -> Result<Option<usize>, InfoValueError> {
    let mib = usize::try_from(bytes >> 20).unwrap_or(0);
    let needed = OTHER_MEMORY + 1;
    match bytes {
        0 => Ok(None),
        _ if mib < needed => Err(InfoValueError {
            key: InfoKey::MaxMemory,
            number: bytes,
            min: (needed << 20) as u64,
        }),
        _ => Ok(Some(mib)),
    }
}

/// Returns the messages of a progress report: a line for a human and, with `detail`, the lines of Yixin and
/// Rapfi.
fn report_messages(
    report: &Report,
    game: &Game,
    codec: Codec,
    detail: ReportDetail,
    all_lines: u32,
) -> Vec<Response> {
    let mut lines = vec![codec.message(game, report)];
    let points: Vec<_> = report.pv.iter().filter(|mv| mv.cell().is_some()).collect();
    let points: Vec<_> = points.into_iter().map(|&mv| codec.move_text(game, mv)).collect();
    // Yixin-Board reads points here and crashes on anything else, such as a choice in an opening.
    let is_point = report.pv.first().is_some_and(|mv| mv.cell().is_some());
    if let Some(first) = points.first().filter(|_| is_point && detail.realtime) {
        if report.multipv == 1 {
            lines.push(format!("REALTIME BEST {first}"));
            lines.push(format!("REALTIME VAL {}", report.score.value()));
            lines.push(format!("REALTIME PV {}", points.join(" ")));
        }
        let is_loss = report.score.mate().is_some_and(|plies| plies <= 0);
        if is_loss && report.bound != Bound::Lower {
            lines.push(format!("REALTIME LOST {first}"));
        }
    }
    let mut responses: Vec<_> = lines.into_iter().map(Response::Message).collect();
    if detail.fields && is_point {
        let fields = codec.details(game, report, all_lines);
        responses.extend(fields.into_iter().map(Response::Detail));
    }
    responses
}

/// Returns the largest settings of the engine in the form of Yixin-Board: threads, and the binary logarithm
/// of the hash table's KiB.
fn largest_settings() -> Vec<Response> {
    let hash = (*Options::HASH.end() * 1024).ilog2();
    let lines = [
        pentarch_engine::NAME_AND_VERSION.to_owned(),
        format!("INFO MAX_THREAD_NUM {}", Options::THREADS.end()),
        format!("INFO MAX_HASH_SIZE {hash}"),
    ];
    lines.map(Response::Message).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_protocol::gomocup::Coordinates;

    fn variant(named: Option<&str>) -> Variant {
        Variant::new(&SessionConfig {
            rules: named.unwrap_or("pente").parse().unwrap(),
            explicit_game: named.is_some(),
            options: Options::default(),
            move_time: Duration::from_secs(1),
            coordinates: Coordinates::Xy,
            extended_moves: false,
            present_as: None,
            tunable: false,
        })
    }

    fn name(variant: &Variant) -> String {
        variant.rules(15, 15).unwrap().to_string()
    }

    #[test]
    fn rules_by_number() {
        let mut variant = variant(None);
        assert_eq!(name(&variant), "gomoku");
        assert_eq!(variant.set_rule(1, false), None);
        assert_eq!(name(&variant), "gomoku-standard");
        // Bit 1, several games on one board, is ignored; other numbers become the nearest.
        for (unknown, nearest) in [
            (2, "gomoku"),
            (3, "gomoku-standard"),
            (5, "renju"),
            (6, "renju"),
            (-1, "gomoku"),
            (i64::MAX, "caro-standard"),
            (i64::MIN, "gomoku"),
        ] {
            let message = variant.set_rule(unknown, false).unwrap();
            assert!(message.contains(&unknown.to_string()), "{message}");
            assert!(message.contains("is taken"), "{message}");
            assert_eq!(
                variant.rules(15, 15).unwrap(),
                nearest.parse::<Ruleset>().unwrap().with("size=15").unwrap()
            );
        }
        assert_eq!(variant.set_rule(0, false), None);
        assert_eq!((name(&variant).as_str(), variant.error.clone()), ("gomoku", None));
    }

    #[test]
    fn only_rule_0_keeps_an_explicit_game() {
        let mut variant = variant(Some("keryo-pente"));
        assert_eq!(variant.set_rule(0, false), None);
        assert_eq!(name(&variant), "keryo-pente+size=15");
        variant.set_spec("pente");
        variant.set_rule(0, false);
        assert_eq!(name(&variant), "pente+size=15");
        variant.set_rule(1, false);
        variant.set_rule(0, false);
        assert_eq!(name(&variant), "gomoku");
    }

    #[test]
    fn unsupported_games() {
        let mut variant = variant(None);
        for (spec, message) in
            [("pent-up", "points only"), ("gomok", "unknown variant"), ("pente+", "+")]
        {
            let error = variant.set_spec(spec).unwrap();
            assert!(error.contains(message) && error.contains("it stays gomoku"), "{error}");
            assert_eq!(name(&variant), "gomoku");
        }
        assert!(super::tests::variant(Some("pent-up")).error.unwrap().contains("--variant"));
        assert!(variant.rules(2, 2).is_err());
        assert_eq!(variant.rules(20, 10).unwrap().to_string(), "gomoku+size=20x10");
    }

    fn settings(pairs: &[(InfoKey, i64)]) -> InfoSettings {
        let mut settings = InfoSettings::new(Options::default(), Duration::from_secs(1));
        for &(key, number) in pairs {
            assert_eq!(settings.set(key, number), None);
        }
        settings
    }

    fn millis(limits: &Limits) -> (Option<u128>, Option<u128>) {
        let clock = limits.clock.map(|clock| clock.left.as_millis());
        (limits.move_time.map(|time| time.as_millis()), clock)
    }

    #[test]
    fn times() {
        use InfoKey::{MaxDepth, MaxNode, TimeLeft, TimeoutMatch, TimeoutTurn};
        for (pairs, expected) in [
            (&[][..], (Some(1000), None)),
            (&[(TimeoutTurn, 500)], (Some(500), None)),
            (&[(TimeoutTurn, 0)], (Some(10), None)),
            (&[(TimeoutMatch, 0)], (Some(1000), None)),
            (&[(TimeoutMatch, 9000)], (None, Some(9000))),
            (&[(TimeoutMatch, 9000), (TimeLeft, 7000)], (None, Some(7000))),
            (&[(TimeoutTurn, 500), (TimeLeft, 2_147_483_647)], (Some(500), None)),
            (&[(TimeoutTurn, 500), (TimeLeft, -20)], (Some(500), Some(0))),
            (&[(TimeLeft, i64::MIN)], (None, Some(0))),
            (&[(MaxDepth, 3)], (None, None)),
            (&[(MaxDepth, 225), (MaxNode, -1)], (Some(1000), None)),
            (&[(MaxDepth, i64::MAX)], (Some(1000), None)),
            (&[(MaxNode, 10_000)], (None, None)),
        ] {
            let settings = settings(pairs);
            assert_eq!(millis(&settings.search_limits()), expected, "{pairs:?}");
            assert!(settings.search_limits().is_bounded());
        }
        let huge = settings(&[(TimeoutTurn, i64::MAX), (TimeoutMatch, i64::MAX)]);
        assert!(huge.search_limits().is_bounded());
    }

    #[test]
    fn clocks_of_the_specification() {
        crate::clock_table::check(pentarch_protocol::Dialect::Gomocup, |lines| {
            let mut settings = settings(&[]);
            for line in lines {
                let Ok(Command::Info(Info::Number(key, number))) = line.parse() else {
                    panic!("{line}")
                };
                assert_eq!(settings.set(key, number), None);
            }
            settings.search_limits()
        });
    }

    #[test]
    fn the_clock_runs_and_starts_again() {
        let mut settings =
            settings(&[(InfoKey::TimeoutMatch, 5000), (InfoKey::TimeIncrement, 100)]);
        // An answer of two searches is one move.
        settings.limits.spend(Duration::from_secs(1));
        settings.limits.spend(Duration::from_secs(1));
        assert_eq!(millis(&settings.search_limits()), (None, Some(3000)));
        settings.limits.end_move();
        assert_eq!(millis(&settings.search_limits()), (None, Some(3100)));
        settings.limits.restart();
        assert_eq!(millis(&settings.search_limits()), (None, Some(5000)));
    }

    #[test]
    fn memory_and_threads() {
        use InfoKey::{HashSize, MaxMemory, Strength, ThreadNum};
        let mib = 1 << 20;
        for (pairs, hash, threads, level) in [
            (&[][..], 64, 1, 10),
            (&[(MaxMemory, 367_001_600)], 64, 1, 10),
            (&[(MaxMemory, 48 * mib)], 16, 1, 10),
            (&[(MaxMemory, 33 * mib)], 1, 1, 10),
            (&[(MaxMemory, 0), (HashSize, 2048)], 2, 1, 10),
            (&[(HashSize, 1 << 20), (MaxMemory, 100 * mib)], 68, 1, 10),
            (&[(HashSize, 0), (ThreadNum, 4), (Strength, 35)], 64, 4, 3),
            (&[(ThreadNum, i64::MAX), (Strength, -1)], 64, 256, 1),
        ] {
            let options = settings(pairs).options();
            assert_eq!((options.hash, options.threads, options.level), (hash, threads, level));
        }
    }

    #[test]
    fn invalid_values_become_the_nearest() {
        use InfoKey::{MaxMemory, ThreadNum, TimeoutMatch, TimeoutTurn};
        for (key, number, message, time, hash) in [
            (TimeoutTurn, -1, "timeout_turn -1: expected 0 or more; 0 is taken", 10, 64),
            (TimeoutMatch, i64::MIN, "timeout_match", 1000, 64),
            (MaxMemory, 1_000_000, "34603008 or more; 34603008 is taken", 1000, 1),
            (MaxMemory, -5, "max_memory -5", 1000, 1),
            (ThreadNum, 0, "1 or more; 1 is taken", 1000, 64),
            (ThreadNum, -1, "thread_num -1", 1000, 64),
        ] {
            let mut settings = settings(&[(ThreadNum, 3)]);
            let found = settings.set(key, number).unwrap();
            assert!(found.contains(message), "{found}");
            assert_eq!(millis(&settings.search_limits()), (Some(time), None));
            let threads = if key == ThreadNum { 1 } else { 3 };
            assert_eq!((settings.options().hash, settings.options().threads), (hash, threads));
        }
    }
}
