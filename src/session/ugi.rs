//! Sessions in UGI and UCI.

use super::codec::ugi::{Codec, VARIANT};
use super::line_protocol::{LineProtocol, LineResult};
use super::state::{SessionConfig, SessionState};
use pentarch_core::game::{Seat, Side};
use pentarch_engine::search::{Report, SearchResult};
use pentarch_engine::{Game, OptionError, OptionRow};
use pentarch_protocol::SyntaxError;
use pentarch_protocol::ugi::{Command, EngineId, Flavor, Go, Query, Response};
use pentarch_records::picture::{self, ColumnLetters};

/// A session in UGI or UCI.
pub(super) struct UgiSession {
    codec: Codec,
    /// Whether the search parameters are listed among the options.
    tunable: bool,
}

/// The largest depth of `perft`; no deeper one would ever complete.
const MAX_PERFT_DEPTH: u32 = 30;

type CommandResult = LineResult<Response>;

impl UgiSession {
    pub(super) fn new(flavor: Flavor, config: &SessionConfig) -> UgiSession {
        UgiSession { codec: Codec(flavor), tunable: config.tunable }
    }
}

impl LineProtocol for UgiSession {
    type Command = Command;
    type Response = Response;
    const QUIT: Command = Command::Quit;
    const IMMEDIATE: &'static [Command] = &[Command::IsReady, Command::Stop, Command::PonderHit];

    fn parse(&self, line: &str) -> Result<Command, SyntaxError> {
        self.codec.0.command(line)
    }

    fn format(&self, response: &Response) -> String {
        self.codec.0.response_text(response)
    }

    fn execute(&mut self, command: Command, state: &mut SessionState) -> CommandResult {
        let codec = self.codec;
        match command {
            Command::IsReady => Ok(vec![Response::ReadyOk]),
            Command::Stop => {
                state.stop();
                Ok(Vec::new())
            }
            Command::PonderHit => {
                state.ponder_hit();
                Ok(Vec::new())
            }
            Command::Ugi => Ok(identify(state, codec, self.tunable)),
            Command::UgiNewGame => {
                state.restart();
                Ok(Vec::new())
            }
            Command::SetOption { name, value } => {
                set_option(state, codec, &name, value.as_deref().unwrap_or_default())
            }
            Command::Position { start, moves } => {
                state.game = codec.game(state.start(), &start, &moves)?;
                Ok(Vec::new())
            }
            Command::Moves(moves) => {
                codec.play(&mut state.game, &moves)?;
                Ok(Vec::new())
            }
            Command::Go(go) => start_search(state, codec, &go),
            Command::Query(query) => Ok(vec![Response::Answer(query_answer(state, codec, query))]),
            Command::Show => Ok(show(state, codec)),
            Command::Perft(depth) if depth > MAX_PERFT_DEPTH => {
                Err(format!("perft: expected a depth of {MAX_PERFT_DEPTH} at most").into())
            }
            Command::Perft(0) => Ok(vec![text("perft 0 1")]),
            Command::Perft(depth) => {
                state.start_perft(depth)?;
                Ok(Vec::new())
            }
            Command::Eval => Ok(vec![text(match state.engine.evaluate(&state.game) {
                Some(score) => format!("static value for the side to move: {score}"),
                None => "the game is over".to_owned(),
            })]),
            Command::Quit => Ok(Vec::new()),
        }
    }

    fn error(&self, message: String) -> Response {
        Response::Error(message)
    }

    fn search_report(&self, report: &Report, state: &SessionState) -> Vec<Response> {
        vec![Response::Info(self.codec.info(&state.game, report))]
    }

    fn search_ended(&mut self, result: SearchResult, state: &mut SessionState) -> CommandResult {
        Ok(vec![self.codec.best_move(&state.game, result.best)])
    }

    fn perft_ended(&self, nodes: &[u64]) -> Vec<Response> {
        let line = |(depth, nodes)| text(format!("perft {depth} {nodes}"));
        (1..).zip(nodes).map(line).collect()
    }
}

fn text(text: impl Into<String>) -> Response {
    Response::Text(text.into())
}

fn identify(state: &SessionState, codec: Codec, tunable: bool) -> Vec<Response> {
    let mut lines = vec![
        Response::Id(EngineId::Name(pentarch_engine::NAME_AND_VERSION.to_owned())),
        Response::Id(EngineId::Author(pentarch_engine::AUTHOR.to_owned())),
    ];
    let options = codec.declarations(state.game.rules(), state.engine.options(), tunable);
    lines.extend(options.into_iter().map(Response::Option));
    lines.push(Response::UgiOk);
    lines
}

/// Sets an option. Case does not matter in its name.
fn set_option(state: &mut SessionState, codec: Codec, name: &str, value: &str) -> CommandResult {
    if name.trim().eq_ignore_ascii_case(VARIANT) {
        return set_variant(state, codec, value.trim());
    }
    let row = OptionRow::find(name).ok_or_else(|| OptionError::unknown(name, &[VARIANT]));
    let mut options = state.engine.options().clone();
    row?.set(&mut options, value)?;
    state.engine.set_options(options);
    Ok(Vec::new())
}

/// Changes the game and resets the position to its start.
fn set_variant(state: &mut SessionState, codec: Codec, spec: &str) -> CommandResult {
    if spec.is_empty() {
        return Err(format!("option `{VARIANT}`: expected a game, such as `pro-pente`").into());
    }
    let rules = codec.rules(spec)?;
    state.set_rules(rules);
    Ok(Vec::new())
}

fn start_search(state: &mut SessionState, codec: Codec, go: &Go) -> CommandResult {
    let limits = codec.limits(&state.game, go)?;
    if let Some(outcome) = state.game.outcome() {
        return Ok(codec.no_move(outcome));
    }
    state.start_search(limits, go.ponder)?;
    Ok(Vec::new())
}

fn show(state: &SessionState, codec: Codec) -> Vec<Response> {
    let mut lines: Vec<_> =
        picture::board(&state.game, ColumnLetters::All).lines().map(text).collect();
    lines.push(text(format!("variant: {}", codec.variant(state.game.rules()))));
    lines.push(text(format!("position: {}", state.game.text())));
    lines
}

fn query_answer(state: &SessionState, codec: Codec, query: Query) -> String {
    let game = &state.game;
    let side = game.side_of(game.to_move());
    match query {
        Query::PlayerTurn(number) => (Side(number.wrapping_sub(1)) == side).to_string(),
        Query::GameOver => game.outcome().is_some().to_string(),
        Query::Result => codec.result(game.outcome()),
        Query::Turn => game.to_move().to_string(),
        Query::Side => side.to_string(),
        Query::Color => Seat(game.color_to_move().0).to_string(),
        Query::LegalMoves => {
            let mut texts = codec.move_texts(game, &game.legal_moves());
            texts.sort_unstable();
            texts.join(" ")
        }
        Query::Captures => game.captures().iter().map(u16::to_string).collect::<Vec<_>>().join(","),
        Query::Fen => game.text(),
        Query::Variant => codec.variant(game.rules()),
        Query::Reason => game.outcome().map_or("none".to_owned(), |o| o.reason.to_string()),
        Query::Threats => threats(game),
    }
}

/// Returns the threats on the board: the number of the color, the name and the stones of each.
fn threats(game: &Game) -> String {
    let threats = game.threats();
    let texts = threats.iter().map(|threat| {
        let label = |&cell| game.cell_text(cell);
        let stones: Vec<_> = threat.stones.iter().map(label).collect();
        format!("{}:{}:{}", threat.color.0 + 1, threat.call, stones.join(","))
    });
    texts.collect::<Vec<_>>().join(" ")
}
