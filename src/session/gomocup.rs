//! Sessions in Gomocup's protocol.
//!
//! Managers set limits and rules by `INFO`, which is never answered: an invalid value becomes the nearest
//! valid one, and a message reports it.

use super::codec::gomocup::{self as codec, Codec, GameLimits, InfoValueError, is_own_turn};
use super::line_protocol::{LineProtocol, LineResult};
use super::state::{SessionConfig, SessionState};
use pentarch_core::game::{Move, MoveKind, Seat};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Limits, Report, SearchResult};
use pentarch_engine::{Game, OptionRow, Options};
use pentarch_protocol::gomocup::{
    About, Command, Info, InfoKey, Owner, Point, Response, Stone, SyntaxError,
};
use std::error::Error;
use std::time::{Duration, Instant};

/// A session in Gomocup's protocol.
pub(super) struct GomocupSession {
    variant: Variant,
    /// Columns and rows, `None` before `START`.
    size: Option<(u32, u32)>,
    codec: Codec,
    settings: InfoSettings,
    /// Whether the client displays the progress of the search, as Yixin-Board does.
    detail: bool,
    list: Option<StoneList>,
    /// Whether a list of stones of an unknown command may follow, which is ignored.
    skips_list: bool,
    pending: Option<PendingSearch>,
}

type CommandResult = LineResult<Response>;

impl GomocupSession {
    pub(super) fn new(config: &SessionConfig) -> GomocupSession {
        GomocupSession {
            variant: Variant::new(config),
            size: None,
            codec: Codec(config.coordinates),
            settings: InfoSettings::new(config.options.clone(), config.move_time),
            detail: false,
            list: None,
            skips_list: false,
            pending: None,
        }
    }

    /// Executes a command that needs a game.
    fn game_command(&mut self, command: &Command, state: &mut SessionState) -> CommandResult {
        match *command {
            Command::Start { columns, rows } | Command::RectStart { columns, rows } => {
                self.start(state, columns, rows)
            }
            _ if self.size.is_none() => Err("no board yet: expected START or RECTSTART".into()),
            Command::Restart => {
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
            Info::Number(InfoKey::Rule, rule) => self.variant.set_rule(rule, self.detail),
            Info::Variant(spec) => self.variant.set_spec(&spec),
            Info::Number(InfoKey::ShowDetail, level) => {
                self.detail = level > 0;
                None
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

    fn start(&mut self, state: &mut SessionState, columns: u32, rows: u32) -> CommandResult {
        let before = self.size.replace((columns, rows));
        let game = self.new_game(state).inspect_err(|_| self.size = before)?;
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
        let opponent = game.to_move();
        self.codec.play(&mut game, point)?;
        if game.outcome().is_none() && game.to_move() == opponent {
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
        let limits = self.limits(&state.game)?;
        state.start_multi_pv(limits, count)?;
        self.pending = Some(PendingSearch { started: Instant::now(), opening: None });
        Ok(Vec::new())
    }
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
                state.engine.clear();
                Ok(Vec::new())
            }
            Command::ShowInfo => {
                self.detail = true;
                Ok(largest_settings())
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
        // Yixin-Board sends lists after unknown commands for its database, at each move.
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

    fn search_report(&self, report: &Report, state: &SessionState) -> Vec<Response> {
        report_messages(report, &state.game, self.codec, self.detail)
    }

    fn search_ended(&mut self, result: SearchResult, state: &mut SessionState) -> CommandResult {
        match self.pending.take() {
            Some(pending) => self.play_found_move(pending, &result, state),
            None => Ok(Vec::new()),
        }
    }
}

/// Returns whether a line is a command of Yixin's extension.
fn is_yixin_command(line: &str) -> bool {
    line.trim_start().get(..2).is_some_and(|start| start.eq_ignore_ascii_case("yx"))
}

/// A search that will answer a command.
struct PendingSearch {
    started: Instant,
    /// The opening that it belongs to; `None` if one move is requested.
    opening: Option<OpeningAnswer>,
}

impl GomocupSession {
    /// Replaces the session's game and starts a search for one move.
    fn search(&mut self, state: &mut SessionState, game: Game) -> CommandResult {
        if let Some(outcome) = game.outcome() {
            return Err(format!("the game is over: {}", outcome.reason).into());
        }
        let limits = self.limits(&game)?;
        state.set_game(game);
        state.start_search(limits, false)?;
        self.pending = Some(PendingSearch { started: Instant::now(), opening: None });
        Ok(Vec::new())
    }

    /// Returns the limits of a search for a move that is one point.
    fn limits(&self, game: &Game) -> Result<Limits, String> {
        game.grid().ok_or("this game has no points to play on")?;
        let legal = game.legal_moves();
        let limits = self.settings.search_limits();
        if legal.iter().all(|mv| matches!(mv.kind(), MoveKind::Stone(_))) {
            return Ok(limits);
        }
        let is_point = |mv: &&Move| self.codec.point_of(game, **mv).is_some();
        let search_moves: Vec<_> = legal.iter().filter(is_point).copied().collect();
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
        let mv = result.best.ok_or("no move was found")?;
        state.game.play_move(mv)?;
        if let Some(opening) = pending.opening {
            return self.continue_opening(opening, mv, state);
        }
        let grid = state.game.grid().ok_or("this game has no points")?;
        let stone = mv.cell().map(|cell| self.codec.point(grid, cell));
        Ok(vec![Response::Moves(stone.into_iter().collect())])
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
        self.pending = Some(PendingSearch { started: Instant::now(), opening: Some(opening) });
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
            return Ok(vec![codec::opening_answer(opening.stones)]);
        };
        // In Yixin's steps `BOARD` asks for the first stone after a color was kept.
        let is_settled = matches!(mv.kind(), MoveKind::Swap | MoveKind::Keep);
        if same_seat && !is_settled {
            return self.search_opening(state, opening);
        }
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
}

/// The longest list: more stones than any board has points, as captured ones are listed too.
const MAX_STONES: usize = 10_000;

impl GomocupSession {
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
            ListCommand::Swap2Board => {
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
}

/// Renju in Yixin-Board's numbers of `INFO rule`.
const YIXIN_RENJU: i64 = 2;

impl Variant {
    fn new(config: &SessionConfig) -> Variant {
        let mut variant = Variant { rules: None, is_explicit: false, error: None };
        if config.explicit_game {
            let chosen = variant.choose(Ok(config.rules.clone()), true);
            variant.error = chosen.err().map(|error| format!("--variant: {error}"));
        } else {
            let _ = variant.set_rule(0, false);
        }
        variant
    }

    /// Sets the game of `INFO rule`, in Yixin-Board's own numbers if `is_yixin`. An unknown number becomes
    /// the nearest known one; returns a message about it.
    fn set_rule(&mut self, rule: i64, is_yixin: bool) -> Option<String> {
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
        let rules = spec.parse::<Ruleset>().map_err(|error| error.to_string());
        let error = self.choose(rules, true).err()?;
        let kept = self.rules.as_ref().map_or("no game".to_owned(), Ruleset::to_string);
        Some(format!("INFO variant: {error}; it stays {kept}"))
    }

    fn choose(&mut self, rules: Result<Ruleset, String>, is_explicit: bool) -> Result<(), String> {
        let rules = rules.and_then(|rules| without_choice(&rules))?;
        *self = Variant { rules: Some(rules), is_explicit, error: None };
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
                Some(value) => row.set_nearest(&mut self.options, value),
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

/// Returns the messages of a progress report: a line for a human and, with `detail`, Yixin's lines.
fn report_messages(report: &Report, game: &Game, codec: Codec, detail: bool) -> Vec<Response> {
    let mut lines = vec![codec.message(game, report)];
    let points: Vec<_> = report.pv.iter().filter(|mv| mv.cell().is_some()).collect();
    let points: Vec<_> = points.into_iter().map(|&mv| codec.move_text(game, mv)).collect();
    // Yixin-Board reads points here and crashes on anything else, such as a choice in an opening.
    let is_point = report.pv.first().is_some_and(|mv| mv.cell().is_some());
    if let Some(best) = points.first().filter(|_| is_point && detail && report.multipv == 1) {
        lines.push(format!("REALTIME BEST {best}"));
        lines.push(format!("REALTIME VAL {}", report.score.value()));
        lines.push(format!("REALTIME PV {}", points.join(" ")));
    }
    lines.into_iter().map(Response::Message).collect()
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
    fn the_clock_runs_and_starts_again() {
        let mut settings =
            settings(&[(InfoKey::TimeoutMatch, 5000), (InfoKey::TimeIncrement, 100)]);
        settings.limits.spend(Duration::from_secs(2));
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
