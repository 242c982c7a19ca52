//! Sessions in UGI and UCI.

use super::codec::ugi::{ANALYSE_MODE, CLEAR_HASH, Codec, OPPONENT, SHOW_WDL, VARIANT};
use super::line_protocol::{LineProtocol, LineResult};
use super::state::{SessionConfig, SessionState};
use pentarch_core::game::{Outcome, Seat, Side};
use pentarch_engine::search::{Bound, Report, Score, SearchResult};
use pentarch_engine::{Game, OptionError, OptionRow, Options};
use pentarch_protocol::SyntaxError;
use pentarch_protocol::ugi::{Command, EngineId, Flavor, Go, Info, Query, Response};
use pentarch_records::picture::{self, ColumnLetters};
use std::fmt::Display;

/// A session in UGI or UCI.
pub(super) struct UgiSession {
    codec: Codec,
    /// Whether the search parameters are listed among the options.
    tunable: bool,
    /// Whether moves from the book are not played.
    analyse_mode: bool,
    /// Whether `info` has the chances to win, to draw and to lose.
    show_wdl: bool,
}

/// The largest depth of `perft`; no deeper one would ever complete.
const MAX_PERFT_DEPTH: u32 = 30;

type CommandResult = LineResult<Response>;

impl UgiSession {
    pub(super) fn new(flavor: Flavor, config: &SessionConfig) -> UgiSession {
        let (codec, tunable) = (Codec(flavor), config.tunable);
        UgiSession { codec, tunable, analyse_mode: false, show_wdl: false }
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
                self.set_option(state, &name, value.as_deref().unwrap_or_default())
            }
            Command::Position { start, moves } => {
                state.game = codec.game(state.start(), &start, &moves)?;
                Ok(Vec::new())
            }
            Command::Moves(moves) => {
                codec.play(&mut state.game, &moves)?;
                Ok(Vec::new())
            }
            Command::Go(go) => self.go(state, go),
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
            Command::Quit | Command::Ignored(_) => Ok(Vec::new()),
        }
    }

    fn error(&self, message: String) -> Response {
        Response::Error(message)
    }

    /// Starts the search of a malformed `go` of UCI too, because clients wait for its `bestmove`.
    fn respond(
        &mut self,
        line: &str,
        command: Result<Command, SyntaxError>,
        state: &mut SessionState,
    ) -> CommandResult {
        match command {
            Err(SyntaxError::Malformed { command, .. })
                if self.codec.0 == Flavor::Uci && command == "go" =>
            {
                let (mut go, skipped) = Go::parse_leniently(line);
                let timed = go.time.iter().any(Option::is_some) && !go.infinite;
                let limits = Go { search_moves: Vec::new(), ..go.clone() };
                let limits = self.codec.limits(&state.game, &limits);
                // The unreadable clock may be the only one, and that of the other side.
                if timed && !limits.is_ok_and(|limits| limits.is_bounded()) {
                    go.move_time = Some(1);
                }
                let mut responses: Vec<_> = skipped.iter().map(ignored).collect();
                responses.extend(self.go(state, go)?);
                Ok(responses)
            }
            command => self.execute(command?, state),
        }
    }

    fn search_report(&mut self, report: &Report, state: &SessionState) -> Vec<Response> {
        let mut info = self.codec.info(&state.game, report);
        let is_draw = state.engine.options().exact
            && (report.score, report.bound) == (Score::DRAW, Bound::Exact)
            && report.depth > 0;
        info.wdl = self.show_wdl.then(|| Codec::wdl(report.score, is_draw));
        vec![Response::Info(info)]
    }

    fn search_ended(&mut self, result: SearchResult, state: &mut SessionState) -> CommandResult {
        Ok(vec![self.codec.best_move(&state.game, result.best, &result.report.pv)])
    }

    fn wait_ended(&self, state: &SessionState) -> Vec<Response> {
        state.game.outcome().map_or_else(Vec::new, |outcome| self.no_move(outcome))
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

/// Returns the response to a part of a command that is left out.
fn ignored(reason: &impl Display) -> Response {
    Response::Info(Info { text: Some(format!("ignored: {reason}")), ..Info::default() })
}

impl UgiSession {
    /// Sets an option. Case does not matter in its name.
    fn set_option(&mut self, state: &mut SessionState, name: &str, value: &str) -> CommandResult {
        let is = |known: &str| name.trim().eq_ignore_ascii_case(known);
        let is_uci = self.codec.0 == Flavor::Uci;
        let switch = |name| {
            let value = value.trim().to_ascii_lowercase().parse::<bool>();
            value.map_err(|_| format!("option `{name}`: expected `true` or `false`"))
        };
        if is(VARIANT) {
            return set_variant(state, self.codec, value.trim());
        } else if is(CLEAR_HASH) {
            state.engine.clear();
        } else if is_uci && is(ANALYSE_MODE) {
            self.analyse_mode = switch(ANALYSE_MODE)?;
        } else if is_uci && is(SHOW_WDL) {
            self.show_wdl = switch(SHOW_WDL)?;
        } else if !(is_uci && is(OPPONENT)) {
            let row = OptionRow::find(name);
            let row = row.ok_or_else(|| OptionError::unknown(name, &[VARIANT, CLEAR_HASH]))?;
            let mut options = state.engine.options().clone();
            row.set(&mut options, value)?;
            state.engine.set_options(options);
        }
        Ok(Vec::new())
    }
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

impl UgiSession {
    /// Starts a search. In UCI every `go` is answered by `bestmove`: illegal moves of `searchmoves` are left
    /// out, and all moves are searched if no legal one is among them.
    fn go(&self, state: &mut SessionState, mut go: Go) -> CommandResult {
        let (codec, is_uci) = (self.codec, self.codec.0 == Flavor::Uci);
        let mut responses = Vec::new();
        if is_uci {
            go.search_moves.retain(|text| match codec.search_move(&state.game, text) {
                Ok(_) => true,
                Err(error) => {
                    responses.push(ignored(&error));
                    false
                }
            });
        }
        let limits = codec.limits(&state.game, &go)?;
        match state.game.outcome() {
            // The document of UCI forbids an answer before `stop` or `ponderhit`.
            Some(_) if is_uci && (go.infinite || go.ponder) => state.start_wait(!go.infinite),
            Some(outcome) => responses.extend(self.no_move(outcome)),
            None => {
                let options = state.engine.options().clone();
                let own_book = options.own_book && !self.analyse_mode;
                state.engine.set_options(Options { own_book, ..options.clone() });
                let started = state.start_search(limits, go.ponder);
                state.engine.set_options(options);
                started?;
            }
        }
        Ok(responses)
    }

    /// Returns the answer to `go` in a finished game.
    fn no_move(&self, outcome: Outcome) -> Vec<Response> {
        let mut responses = self.codec.no_move(outcome);
        for response in &mut responses {
            if let Response::Info(info) = response {
                let score = if outcome.winner.is_some() { Score::loss_in(0) } else { Score::DRAW };
                let chances = || Codec::wdl(score, outcome.winner.is_none());
                info.wdl = self.show_wdl.then(chances);
            }
        }
        responses
    }
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
