//! The UGI side of a session, and UCI, which is the same loop.

use super::output::Output;
use super::speaker::{Answer, Speaker};
use super::state::{Preferences, SessionState};
use crate::dialects::ugi::{Codec, VARIANT};
use pentarch_core::game::{Seat, Side};
use pentarch_engine::search::{Report, SearchResult};
use pentarch_engine::{Game, OptionError, OptionRow};
use pentarch_protocol::SyntaxError;
use pentarch_protocol::ugi::{Command, Flavor, Go, Id, Query, Response, Start};
use pentarch_records::picture::{self, ColumnLetters};
use std::io;

/// Answers commands of UGI or UCI.
pub(super) struct Ugi {
    codec: Codec,
    /// Whether the numbers of the search are listed among the options.
    tunable: bool,
}

/// Deeper counts would outlast any user.
const PERFT_DEPTH: u32 = 30;

type CommandResult = Answer<Response>;

impl Ugi {
    pub(super) fn new(flavor: Flavor, preferences: &Preferences) -> Ugi {
        Ugi { codec: Codec(flavor), tunable: preferences.tunable }
    }
}

impl Speaker for Ugi {
    type Command = Command;
    type Response = Response;
    const QUIT: Command = Command::Quit;
    const AT_ONCE: &'static [Command] = &[Command::IsReady, Command::Stop, Command::PonderHit];

    fn read(&self, line: &str) -> Result<Command, SyntaxError> {
        self.codec.0.command(line)
    }

    fn write(&self, response: &Response, out: &mut Output) -> io::Result<()> {
        out.line(&self.codec.0.write(response))
    }

    fn obey(&mut self, command: Command, state: &mut SessionState) -> CommandResult {
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
            Command::Ugi => Ok(greeting(state, codec, self.tunable)),
            Command::UgiNewGame => {
                state.restart();
                Ok(Vec::new())
            }
            Command::SetOption { name, value } => {
                set_option(state, codec, &name, value.as_deref().unwrap_or_default())
            }
            Command::Position { start, moves } => position(state, codec, &start, &moves),
            Command::Moves(moves) => play_on(state, codec, &moves),
            Command::Go(go) => start_search(state, codec, &go),
            Command::Query(query) => Ok(vec![Response::Answer(answer(state, codec, query))]),
            Command::Show => Ok(show(state, codec)),
            Command::Perft(depth) if depth > PERFT_DEPTH => {
                Err(format!("perft: expected a depth of {PERFT_DEPTH} at most").into())
            }
            Command::Perft(0) => Ok(vec![text("perft 0 1")]),
            Command::Perft(depth) => {
                state.perft(depth)?;
                Ok(Vec::new())
            }
            Command::Eval => Ok(vec![text(match state.engine.evaluate(&state.game) {
                Some(score) => format!("static value for the side to move: {score}"),
                None => "the game is over".to_owned(),
            })]),
            Command::Quit => Ok(Vec::new()),
        }
    }

    fn refusal(&self, _: &str, reason: String) -> Response {
        Response::Error(reason)
    }

    fn report(&self, report: &Report, state: &SessionState) -> Vec<Response> {
        vec![Response::Info(self.codec.info(&state.game, report))]
    }

    fn found(&mut self, found: SearchResult, state: &mut SessionState) -> CommandResult {
        Ok(vec![self.codec.best_move(&state.game, found.best)])
    }

    fn counted(&self, nodes: &[u64]) -> Vec<Response> {
        let line = |(depth, nodes)| text(format!("perft {depth} {nodes}"));
        (1..).zip(nodes).map(line).collect()
    }
}

fn text(text: impl Into<String>) -> Response {
    Response::Text(text.into())
}

fn greeting(state: &SessionState, codec: Codec, tunable: bool) -> Vec<Response> {
    let mut lines = vec![
        Response::Id(Id::Name(pentarch_engine::NAME_AND_VERSION.to_owned())),
        Response::Id(Id::Author(pentarch_engine::AUTHOR.to_owned())),
    ];
    let options = codec.declarations(state.game.rules(), state.engine.options(), tunable);
    lines.extend(options.into_iter().map(Response::Option));
    lines.push(Response::UgiOk);
    lines
}

/// Sets an option, or says why not. Names are compared without case.
fn set_option(state: &mut SessionState, codec: Codec, name: &str, value: &str) -> CommandResult {
    if name.trim().eq_ignore_ascii_case(VARIANT) {
        return set_variant(state, codec, value.trim());
    }
    let row = OptionRow::find(name).ok_or_else(|| OptionError::unknown(name, &[VARIANT]));
    let mut options = state.engine.options().clone();
    let set = row.and_then(|row| row.set(&mut options, value));
    set?;
    state.engine.set_options(options);
    Ok(Vec::new())
}

/// Acts at once: the position becomes the start of that game.
fn set_variant(state: &mut SessionState, codec: Codec, spec: &str) -> CommandResult {
    if spec.is_empty() {
        return Err(format!("option `{VARIANT}`: expected a game, such as `pro-pente`").into());
    }
    let rules = codec.rules(spec)?;
    state.set_rules(rules);
    Ok(Vec::new())
}

/// Sets the game, or leaves it as it was if any of it is wrong.
fn position(
    state: &mut SessionState,
    codec: Codec,
    start: &Start,
    moves: &[String],
) -> CommandResult {
    let game = codec.game(state.start(), start, moves)?;
    state.game = game;
    Ok(Vec::new())
}

/// Plays moves from the current position, all or none.
fn play_on(state: &mut SessionState, codec: Codec, moves: &[String]) -> CommandResult {
    codec.play(&mut state.game, moves)?;
    Ok(Vec::new())
}

fn start_search(state: &mut SessionState, codec: Codec, go: &Go) -> CommandResult {
    let limits = codec.limits(&state.game, go)?;
    if let Some(outcome) = state.game.outcome() {
        return Ok(codec.no_move(outcome));
    }
    state.think(limits, go.ponder)?;
    Ok(Vec::new())
}

fn show(state: &SessionState, codec: Codec) -> Vec<Response> {
    let mut lines: Vec<_> =
        picture::board(&state.game, ColumnLetters::All).lines().map(text).collect();
    lines.push(text(format!("variant: {}", codec.variant(state.game.rules()))));
    lines.push(text(format!("position: {}", state.game.text())));
    lines
}

fn answer(state: &SessionState, codec: Codec, query: Query) -> String {
    let game = &state.game;
    let side = game.side_of(game.to_move());
    match query {
        Query::PlayerTurn(number) => (Side(number.wrapping_sub(1)) == side).to_string(),
        Query::GameOver => game.outcome().is_some().to_string(),
        Query::Result => codec.result(game.outcome()),
        Query::Turn => game.to_move().to_string(),
        Query::Side => side.to_string(),
        Query::Color => Seat(game.color_to_move().0).to_string(),
        Query::LegalMoves => legal_texts(game, codec).join(" "),
        Query::Captures => game.captures().iter().map(u16::to_string).collect::<Vec<_>>().join(","),
        Query::Fen => game.text(),
        Query::Variant => codec.variant(game.rules()),
        Query::Reason => game.outcome().map_or("none".to_owned(), |o| o.reason.to_string()),
        Query::Threats => threats(state),
    }
}

/// The texts of all legal moves in byte order.
fn legal_texts(game: &Game, codec: Codec) -> Vec<String> {
    let mut texts = codec.move_texts(game, &game.legal_moves());
    texts.sort_unstable();
    texts
}

/// Every call on the board: the color's number, what it is, and its stones.
fn threats(state: &SessionState) -> String {
    let game = &state.game;
    let calls = game.threats();
    let named = calls.iter().map(|threat| {
        let label = |&cell| game.cell_text(cell);
        let stones: Vec<_> = threat.stones.iter().map(label).collect();
        format!("{}:{}:{}", threat.color.0 + 1, threat.call, stones.join(","))
    });
    named.collect::<Vec<_>>().join(" ")
}
