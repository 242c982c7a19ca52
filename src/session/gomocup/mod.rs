//! The Gomocup side of a session.
//!
//! Its managers set limits and rules by `INFO`, which is never answered: what cannot be kept becomes
//! the nearest that can, and a message says so.

mod limits;
mod lists;
mod messages;
mod opening;
mod think;
mod variant;

use super::speaker::{Answer, Speaker};
use super::state::{Preferences, SessionState};
use crate::dialects::gomocup::Codec;
use limits::InfoSettings;
use lists::{List, Purpose};
use pentarch_engine::search::{Report, SearchResult};
use pentarch_engine::{Game, Options};
use pentarch_protocol::gomocup::{
    About, Command, Info, Point, Rectangle, Response, Setting, Size, SyntaxError,
};
use std::time::Instant;
use think::Pending;
use variant::Variant;

/// Answers commands of Gomocup.
pub(super) struct Gomocup {
    variant: Variant,
    /// Columns and rows, once `START` has come.
    size: Option<(u32, u32)>,
    codec: Codec,
    settings: InfoSettings,
    /// Whether the client shows what the search is at, as Yixin-Board does.
    detail: bool,
    list: Option<List>,
    /// Whether a list of stones may follow that belongs to a command which is not known.
    skips_list: bool,
    pending: Option<Pending>,
}

type CommandResult = Answer<Response>;

impl Gomocup {
    pub(super) fn new(preferences: &Preferences) -> Gomocup {
        Gomocup {
            variant: Variant::new(preferences),
            size: None,
            codec: Codec(preferences.coordinates),
            settings: InfoSettings::new(preferences.options.clone(), preferences.move_time),
            detail: false,
            list: None,
            skips_list: false,
            pending: None,
        }
    }

    /// Obeys a command that wants an answer.
    fn request(&mut self, command: &Command, state: &mut SessionState) -> CommandResult {
        match *command {
            Command::Start(Size { columns, rows })
            | Command::RectStart(Rectangle { columns, rows }) => self.start(state, columns, rows),
            _ if self.size.is_none() => Err("no board yet: expected START or RECTSTART".into()),
            Command::Restart => {
                state.engine.clear();
                state.set_game(self.new_game(state)?);
                self.settings.restart();
                Ok(vec![Response::Ok])
            }
            Command::Begin if state.game.ply() > 0 => {
                Err("BEGIN: the board is not empty, expected RESTART before".into())
            }
            Command::Begin => {
                let game = self.new_game(state)?;
                self.think(state, game)
            }
            Command::Turn(point) => self.turn(state, point),
            Command::Board => Ok(self.open_list(Purpose::Board)),
            Command::YxBoard => Ok(self.open_list(Purpose::YxBoard)),
            Command::Swap2Board => Ok(self.open_list(Purpose::Swap2Board)),
            Command::TakeBack(point) => self.take_back(state, point),
            Command::Play(point) => {
                self.codec.play(&mut state.game, point)?;
                Ok(vec![Response::Moves(vec![point])])
            }
            Command::ShowForbid => Ok(vec![self.forbidden(state)]),
            Command::NBest(count) => self.best_moves(state, count),
            Command::Swap2Step1 => self.open_step(state, 1),
            Command::Swap2Step2 => self.open_step(state, 2),
            Command::Swap2Step3 => self.open_step(state, 3),
            _ => Ok(Vec::new()),
        }
    }

    /// Takes an `INFO`. What cannot be had becomes the nearest that can, which a message says: the
    /// manager waits for no answer, and the next one must be that to its next question.
    fn info(&mut self, info: Info, state: &mut SessionState) -> Vec<Response> {
        let told = match info {
            Info::Number(Setting::Rule, rule) => self.variant.set_rule(rule, self.detail),
            Info::Variant(spec) => self.variant.set_spec(&spec),
            Info::Number(Setting::ShowDetail, level) => {
                self.detail = level > 0;
                None
            }
            Info::Number(setting, number) => {
                let told = self.settings.set(setting, number);
                state.engine.set_options(self.settings.options());
                told
            }
            Info::Coordinates(coordinates) => {
                self.codec = Codec(coordinates);
                None
            }
            Info::Other { .. } => None,
        };
        told.into_iter().map(Response::Message).collect()
    }

    fn start(&mut self, state: &mut SessionState, columns: u32, rows: u32) -> CommandResult {
        let before = self.size.replace((columns, rows));
        let game = self.new_game(state).inspect_err(|_| self.size = before)?;
        state.engine.clear();
        state.set_game(game);
        self.settings.restart();
        Ok(vec![Response::Ok])
    }

    /// The start of a game by the rules that hold now; `INFO` may have changed them since `START`.
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
            return Err("this protocol has no words for several stones in one turn".into());
        }
        self.think(state, game)
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

    /// The empty points on which the side to move may not play.
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
        state.think_of_many(limits, count)?;
        self.pending = Some(Pending { started: Instant::now(), opening: None });
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

/// Whether a line was meant to be an `INFO`.
fn is_of_info(error: &SyntaxError) -> bool {
    matches!(error, SyntaxError::Malformed { command, .. } if command == "INFO")
}

impl Speaker for Gomocup {
    type Command = Command;
    type Response = Response;
    const QUIT: Command = Command::End;
    const AT_ONCE: &'static [Command] = &[Command::Stop];

    fn obey(&mut self, command: Command, state: &mut SessionState) -> CommandResult {
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
                Ok(messages::largest_settings())
            }
            Command::Stone(stone) => {
                Err(format!("{}: no list of stones is open", stone.point).into())
            }
            Command::Done => Err("DONE: no list of stones is open".into()),
            command => match self.variant.trouble() {
                Some(trouble) => Err(trouble.into()),
                None => self.request(&command, state),
            },
        }
    }

    fn refusal(&self, _: &str, reason: String) -> Response {
        Response::Error(reason)
    }

    fn answer(
        &mut self,
        line: &str,
        command: Result<Command, SyntaxError>,
        state: &mut SessionState,
    ) -> CommandResult {
        // Yixin-Board sends lists after commands for its database, at each move.
        let skipped = matches!(command, Ok(Command::Stone(_) | Command::Done));
        if skipped && self.skips_list {
            self.skips_list = command != Ok(Command::Done);
            return Ok(Vec::new());
        }
        let is_unknown = matches!(command, Err(SyntaxError::Unknown { .. }));
        self.skips_list = self.list.is_none() && is_for_yixin(line) && is_unknown;
        match (self.list.take(), command) {
            (Some(list), command) => self.list_line(list, command, state),
            (None, Ok(command)) => self.obey(command, state),
            (None, Err(error)) if is_of_info(&error) => {
                Ok(vec![Response::Message(error.to_string())])
            }
            (None, Err(error @ SyntaxError::Unknown { .. })) => {
                Ok(vec![Response::Unknown(error.to_string())])
            }
            (None, Err(error)) => Err(error.into()),
        }
    }

    fn report(&self, report: &Report, state: &SessionState) -> Vec<Response> {
        messages::report(report, &state.game, self.codec, self.detail)
    }

    fn found(&mut self, found: SearchResult, state: &mut SessionState) -> CommandResult {
        match self.pending.take() {
            Some(pending) => self.moved(pending, &found, state),
            None => Ok(Vec::new()),
        }
    }
}

/// Whether a line is a command that only Yixin has, or one that this engine shares with it.
fn is_for_yixin(line: &str) -> bool {
    line.trim_start().get(..2).is_some_and(|start| start.eq_ignore_ascii_case("yx"))
}
