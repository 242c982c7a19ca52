//! The UGI side of a session, and UCI, which is the same loop.

use super::desk::{Desk, Finished};
use super::output::Output;
use super::{Adapter, Flow, ugi_options};
use crate::engine::{Game, Wording};
use crate::game::{Outcome, Seat, Side};
use crate::picture::{self, Letters};
use crate::search::{self, Bound, Clock, Limits, Report, SearchResult};
use pentarch_protocol::frame::Line;
use pentarch_protocol::ugi::{
    BoundWord, Command, Flavor, Go, Id, Info, Millis, Query, Response, Start,
};
use std::io;
use std::time::Duration;

/// Answers commands of UGI or UCI.
pub(super) struct Ugi {
    flavor: Flavor,
}

/// Deeper counts would outlast any user.
const PERFT_DEPTH: u32 = 30;

/// What a command comes to: lines to write, or the one error line.
type Answer = Result<Vec<Response>, String>;

impl Ugi {
    pub(super) fn new(flavor: Flavor) -> Ugi {
        Ugi { flavor }
    }

    fn command(&self, command: Command, desk: &mut Desk) -> Answer {
        let wording = Wording(self.flavor);
        match command {
            Command::IsReady => Ok(vec![Response::ReadyOk]),
            Command::Stop => {
                desk.stop();
                Ok(Vec::new())
            }
            Command::PonderHit => {
                desk.ponder_hit();
                Ok(Vec::new())
            }
            _ if desk.is_busy() => {
                let name = self.flavor.write(&command).to_string();
                let name = name.split(' ').next().unwrap_or_default();
                Err(format!("`{name}` must wait until the search has ended or was stopped"))
            }
            Command::Ugi => Ok(greeting(desk, wording)),
            Command::UgiNewGame => {
                desk.engine.clear();
                desk.game = desk.start().clone();
                Ok(Vec::new())
            }
            Command::SetOption { name, value } => {
                ugi_options::set(desk, wording, &name, value.as_deref()).map(|()| Vec::new())
            }
            Command::Position { start, moves } => position(desk, wording, &start, &moves),
            Command::Moves(moves) => play_on(desk, wording, &moves),
            Command::Go(go) => start_search(desk, wording, &go),
            Command::Query(query) => Ok(vec![Response::Answer(answer(desk, wording, query))]),
            Command::Show => Ok(show(desk, wording)),
            Command::Perft(depth) if depth > PERFT_DEPTH => {
                Err(format!("perft: expected a depth of {PERFT_DEPTH} at most"))
            }
            Command::Perft(0) => Ok(vec![text("perft 0 1")]),
            Command::Perft(depth) => {
                desk.perft(depth).map(|()| Vec::new()).map_err(|error| error.to_string())
            }
            Command::Eval => Ok(vec![text(match desk.engine.evaluate(&desk.game) {
                Some(score) => format!("static value for the side to move: {score}"),
                None => "the game is over".to_owned(),
            })]),
            Command::Quit => Ok(Vec::new()),
        }
    }
}

impl Ugi {
    fn say(&self, out: &mut Output, response: &Response) -> io::Result<()> {
        out.line(&self.flavor.write(response))
    }
}

impl Adapter for Ugi {
    fn hears_while_busy(&self) -> bool {
        true
    }

    fn line(&mut self, line: Line, desk: &mut Desk, out: &mut Output) -> io::Result<Flow> {
        let command = match line {
            Line::Text(text) if text.trim().is_empty() => return Ok(Flow::Continue),
            Line::Text(text) => self.flavor.command(&text).map_err(|error| error.to_string()),
            Line::TooLong => Err("a line longer than 1 MiB was not read".to_owned()),
            Line::NotUtf8 => Err("a line that is not UTF-8 was not read".to_owned()),
        };
        if command == Ok(Command::Quit) {
            return Ok(Flow::Quit);
        }
        match command.and_then(|command| self.command(command, desk)) {
            Ok(responses) => responses.iter().try_for_each(|response| self.say(out, response))?,
            Err(error) => self.say(out, &Response::Error(error))?,
        }
        Ok(Flow::Continue)
    }

    fn report(&mut self, report: &Report, desk: &Desk, out: &mut Output) -> io::Result<()> {
        self.say(out, &Response::Info(info(report, desk, Wording(self.flavor))))
    }

    fn finished(&mut self, job: Finished, desk: &mut Desk, out: &mut Output) -> io::Result<()> {
        match job {
            Finished::Search(found) => {
                self.say(out, &best_move(&found, desk, Wording(self.flavor)))
            }
            Finished::Perft(counts) => {
                for (index, nodes) in counts.iter().enumerate() {
                    self.say(out, &text(format!("perft {} {nodes}", index + 1)))?;
                }
                Ok(())
            }
        }
    }
}

fn text(text: impl Into<String>) -> Response {
    Response::Text(text.into())
}

fn greeting(desk: &Desk, wording: Wording) -> Vec<Response> {
    let mut lines = vec![
        Response::Id(Id::Name(crate::NAME_AND_VERSION.to_owned())),
        Response::Id(Id::Author(crate::AUTHOR.to_owned())),
    ];
    lines.extend(ugi_options::declarations(desk, wording).into_iter().map(Response::Option));
    lines.push(Response::UgiOk);
    lines
}

/// Sets the game, or leaves it as it was if any of it is wrong.
fn position(desk: &mut Desk, wording: Wording, start: &Start, moves: &[String]) -> Answer {
    let mut game = match start {
        Start::StartPos => desk.start().clone(),
        Start::Fen(text) => {
            let text = wording.position(desk.start(), text);
            desk.start().with_text(&text).map_err(|error| error.to_string())?
        }
    };
    for (index, text) in moves.iter().enumerate() {
        game.play(&wording.read(&game, text))
            .map_err(|error| format!("move {}: {error}", index + 1))?;
    }
    desk.game = game;
    Ok(Vec::new())
}

/// Plays moves from the current position, all or none.
fn play_on(desk: &mut Desk, wording: Wording, moves: &[String]) -> Answer {
    for (index, text) in moves.iter().enumerate() {
        let text = wording.read(&desk.game, text);
        if let Err(error) = desk.game.play(&text) {
            for _ in 0..index {
                desk.game.undo();
            }
            return Err(format!("move {}: {error}", index + 1));
        }
    }
    Ok(Vec::new())
}

fn start_search(desk: &mut Desk, wording: Wording, go: &Go) -> Answer {
    let limits = limits(desk, wording, go)?;
    if let Some(outcome) = desk.game.outcome() {
        return Ok(no_move(outcome, wording));
    }
    desk.think(limits, go.ponder).map(|()| Vec::new()).map_err(|error| error.to_string())
}

/// What there is to say of a finished game. Tools that know UCI alone see its result in the score.
fn no_move(outcome: Outcome, wording: Wording) -> Vec<Response> {
    let score = match outcome.winner {
        Some(_) => search::Score::loss_in(0),
        None => search::Score::DRAW,
    };
    let score = Info { depth: Some(0), score: Some(wording.score(score)), ..Info::default() };
    let score = (wording.0 == Flavor::Uci).then_some(Response::Info(score));
    score.into_iter().chain([Response::BestMove(None)]).collect()
}

fn limits(desk: &Desk, wording: Wording, go: &Go) -> Result<Limits, String> {
    let clock = own(&desk.game, &go.time).map(|left| Clock {
        left: duration(left),
        increment: duration(own(&desk.game, &go.increment).unwrap_or(0)),
        moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
    });
    let mut search_moves = Vec::new();
    for text in &go.search_moves {
        let text = wording.read(&desk.game, text);
        let mv = desk.game.parse_move(&text).map_err(|error| error.to_string())?;
        if desk.game.outcome().is_none() {
            let legal = desk.game.check_move(mv);
            let shown = desk.game.move_text(mv);
            legal.map_err(|why| format!("searchmoves: illegal move `{shown}`: {why}"))?;
        }
        search_moves.push(mv);
    }
    let mut limits = Limits {
        depth: go.depth,
        nodes: go.nodes,
        mate: go.mate.map(|count| wording.mate_plies(count)),
        move_time: go.move_time.map(duration),
        clock,
        infinite: go.infinite,
        search_moves,
    };
    // A bare `go`, or one that knows only the other side's clock, is endless as in UCI.
    limits.infinite |= !limits.is_bounded();
    Ok(limits)
}

/// The time of the seat to move. Arenas for two players know the clocks of the sides alone, and
/// partners have one clock there.
fn own(game: &Game, times: &[Option<Millis>]) -> Option<Millis> {
    let seat = game.to_move();
    let side = game.side_of(seat);
    let time = |index: usize| times.get(index).copied().flatten();
    time(seat.index()).or_else(|| time(side.0.into()))
}

/// A flag that has fallen leaves no time, but no less.
fn duration(time: Millis) -> Duration {
    Duration::from_millis(u64::try_from(time).unwrap_or(0))
}

fn info(report: &Report, desk: &Desk, wording: Wording) -> Info {
    let bound = match report.bound {
        Bound::Exact => None,
        Bound::Lower => Some(BoundWord::Lower),
        Bound::Upper => Some(BoundWord::Upper),
    };
    let line = wording.texts(&desk.game, &report.pv);
    Info {
        depth: Some(report.depth),
        seldepth: Some(report.seldepth),
        multipv: Some(report.multipv),
        score: Some(wording.score(report.score)),
        bound,
        nodes: Some(report.nodes),
        nps: Some(report.nps()),
        hashfull: Some(report.hashfull),
        time_ms: Some(u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX)),
        ponder: line.get(1).cloned(),
        pv: line,
        ..Info::default()
    }
}

fn best_move(found: &SearchResult, desk: &Desk, wording: Wording) -> Response {
    let best: Vec<_> = found.best.into_iter().collect();
    Response::BestMove(wording.texts(&desk.game, &best).pop())
}

fn show(desk: &Desk, wording: Wording) -> Vec<Response> {
    let mut lines: Vec<_> = picture::board(&desk.game, Letters::All).lines().map(text).collect();
    lines.push(text(format!("variant: {}", wording.game(desk.game.rules()))));
    lines.push(text(format!("position: {}", desk.game.text())));
    lines
}

fn answer(desk: &Desk, wording: Wording, query: Query) -> String {
    let game = &desk.game;
    let side = game.side_of(game.to_move());
    match query {
        Query::PlayerTurn(number) => (Side(number.wrapping_sub(1)) == side).to_string(),
        Query::GameOver => game.outcome().is_some().to_string(),
        Query::Result => match game.outcome() {
            None => "none".to_owned(),
            Some(Outcome { winner: None, .. }) => "draw".to_owned(),
            Some(Outcome { winner: Some(side), .. }) => format!("p{side}win"),
        },
        Query::Turn => game.to_move().to_string(),
        Query::Side => side.to_string(),
        Query::Color => Seat(game.color_to_move().0).to_string(),
        Query::LegalMoves => legal_texts(game, wording).join(" "),
        Query::Captures => game.captures().iter().map(u16::to_string).collect::<Vec<_>>().join(","),
        Query::Fen => game.text(),
        Query::Variant => wording.game(game.rules()),
        Query::Reason => game.outcome().map_or("none".to_owned(), |o| o.reason.to_string()),
        Query::Threats => threats(desk),
    }
}

/// The texts of all legal moves in byte order.
fn legal_texts(game: &Game, wording: Wording) -> Vec<String> {
    let mut texts = wording.texts(game, &game.legal_moves());
    texts.sort_unstable();
    texts
}

/// Every call on the board: the color's number, what it is, and its stones.
fn threats(desk: &Desk) -> String {
    let game = &desk.game;
    let calls = game.threats();
    let named = calls.iter().map(|threat| {
        let label = |&cell| game.cell_text(cell);
        let stones: Vec<_> = threat.stones.iter().map(label).collect();
        format!("{}:{}:{}", threat.color.0 + 1, threat.call, stones.join(","))
    });
    named.collect::<Vec<_>>().join(" ")
}
