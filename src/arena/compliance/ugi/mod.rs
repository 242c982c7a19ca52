//! The steps of UGI and UCI.

mod steps;

use super::talk::Talk;
use super::{Check, Finding, SPECIAL, StepResult, Subject, millis, wrong};
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::ugi::{Command, Flavor, Go, Info, OptionDecl, OptionKind, Query, Response};
use pentarch_session::dialects::ugi::{Codec, VARIANT};

/// A client of UGI or UCI.
pub(super) struct Client {
    talk: Talk,
    subject: Subject,
    codec: Codec,
    options: Vec<OptionDecl>,
    is_greeted: bool,
}

/// What cutergames cuts off the lines of a search; a shorter line makes it fail.
const SHORTEST: usize = 8;

/// Where the step about `query` stands, which is UGI's alone.
const QUERIES: usize = 9;

/// The answer to `go`.
struct BestMove {
    best: Option<String>,
    /// The last `info` with more than a text.
    info: Option<Info>,
}

impl super::Client for Client {
    fn new(talk: Talk, subject: &Subject) -> Client {
        let (subject, codec) = (subject.clone(), Codec(subject.flavor()));
        Client { talk, subject, codec, options: Vec::new(), is_greeted: false }
    }

    fn talk(&mut self) -> &mut Talk {
        &mut self.talk
    }

    fn greet(&mut self) -> StepResult {
        if self.is_greeted {
            return Ok(());
        }
        // What is not right with either is for their own steps to say.
        [Client::introduction, Client::choose_game].into_iter().try_for_each(|greeting| {
            greeting(self).or_else(|finding| match finding {
                Finding::Lost(_) => Err(finding),
                _ => Ok(()),
            })
        })
    }

    fn checks(subject: &Subject) -> Vec<Check<Client>> {
        let mut checks: Vec<Check<Client>> = vec![
            ("introduces itself", Client::introduction),
            ("answers isready", Client::is_ready),
            ("can be told the game", Client::choose_game),
            ("takes an option", Client::set_option),
            ("begins a new game", Client::new_game),
            ("moves within a time", Client::move_time),
            ("moves with clocks", Client::clocks),
            ("moves within a depth and within nodes", Client::counted),
            ("takes positions with moves", Client::positions),
            ("sees the end of a game", Client::end_of_game),
            ("keeps to the moves it is to search", Client::search_moves),
            ("ponders until the move is played", Client::ponder),
            ("stops when told", Client::stop),
            ("survives what it does not know", Client::bad_input),
            ("keeps the position when one is refused", Client::bad_position),
            ("takes lines that end in CR LF", Client::carriage_returns),
            (SPECIAL[0].0, |client| client.special(SPECIAL[0].1)),
            (SPECIAL[1].0, |client| client.special(SPECIAL[1].1)),
            (SPECIAL[2].0, |client| client.special(SPECIAL[2].1)),
            ("plays a game against itself", Client::whole_game),
            ("leaves when told", Client::quit),
            ("leaves at the end of its input", Client::end_of_input),
        ];
        if subject.flavor() == Flavor::Ugi {
            checks.insert(QUERIES, ("says whose turn it is", Client::turns));
        }
        checks
    }
}

impl Client {
    fn say(&mut self, command: &Command) {
        self.talk.say(self.codec.0.write(command));
    }

    /// The next line as a response; what cannot be read is wrong.
    fn hear(&mut self) -> Result<Response, Finding> {
        let line = self.talk.hear()?;
        self.codec.0.response(&line).map_err(|error| Finding::Wrong(error.to_string()))
    }

    /// Waits for one response, past `info` and text.
    fn await_response(&mut self, wanted: &Response) -> StepResult {
        loop {
            match self.hear()? {
                response if response == *wanted => return Ok(()),
                Response::Error(error) => return wrong(format!("it refuses: {error}")),
                _ => {}
            }
        }
    }

    /// Sets a position.
    fn position(&mut self, game: &Game) {
        self.say(&self.codec.position(game, None, &game.moves()));
    }

    /// Asks for a move and reads up to it.
    fn go(&mut self, go: Go) -> Result<BestMove, Finding> {
        self.say(&Command::Go(go));
        self.best_move()
    }

    fn best_move(&mut self) -> Result<BestMove, Finding> {
        let mut last = None;
        loop {
            let line = self.talk.hear()?;
            if self.codec.0 == Flavor::Ugi && line.len() + 1 < SHORTEST {
                return wrong(format!("`{line}` has less than {SHORTEST} bytes with its end"));
            }
            let response = self.codec.0.response(&line);
            match response.map_err(|error| Finding::Wrong(error.to_string()))? {
                Response::BestMove(best) => {
                    if self.codec.0 == Flavor::Ugi && line.split_whitespace().count() != 2 {
                        return wrong("bestmove is not exactly two words");
                    }
                    return Ok(BestMove { best: best.map(|best| best.mv), info: last });
                }
                Response::Info(info) if info.score.is_some() => last = Some(info),
                Response::Error(error) => return wrong(format!("it refuses: {error}")),
                _ => {}
            }
        }
    }

    /// Asks for a move in a game, which it must be legal in.
    fn legal_move(&mut self, game: &mut Game, go: Go) -> Result<BestMove, Finding> {
        let answer = self.go(go)?;
        let Some(best) = &answer.best else { return wrong("no move in an open game") };
        self.play(game, best)?;
        Ok(answer)
    }

    /// Plays the engine's move, which must be legal.
    fn play(&self, game: &mut Game, text: &str) -> StepResult {
        let mv = self.codec.parse_move(game, text);
        let played = mv.and_then(|mv| game.play_move(mv));
        played.map_err(|error| Finding::Wrong(error.to_string()))
    }

    fn quick(&self) -> Go {
        Go { move_time: Some(millis(self.subject.move_time)), ..Go::default() }
    }

    /// Whether the engine lists a game, which is then chosen.
    fn listed_game(&mut self, rules: &Ruleset) -> Result<bool, Finding> {
        let name = self.codec.variant(rules);
        let is_listed = |option: &OptionDecl| match &option.kind {
            OptionKind::Combo { choices, .. } => option.name == VARIANT && choices.contains(&name),
            _ => false,
        };
        if !self.options.iter().any(is_listed) {
            return Ok(false);
        }
        self.say(&Command::SetOption { name: VARIANT.to_owned(), value: Some(name) });
        self.say(&Command::UgiNewGame);
        self.say(&Command::IsReady);
        self.await_response(&Response::ReadyOk).map(|()| true)
    }

    /// Asks a question of UGI.
    fn query(&mut self, query: Query) -> Result<String, Finding> {
        self.say(&Command::Query(query));
        loop {
            match self.hear()? {
                Response::Answer(answer) => return Ok(answer),
                Response::Error(error) => return wrong(format!("it refuses: {error}")),
                _ => {}
            }
        }
    }

    /// Asks the three questions of an arena.
    fn expect(&mut self, game: &Game) -> StepResult {
        let turn = game.side_of(game.to_move()).index() == 0;
        let result = self.codec.result(game.outcome());
        let over = game.outcome().is_some();
        for (query, expected) in [(Query::GameOver, over.to_string()), (Query::Result, result)]
            .into_iter()
            .chain((!over).then(|| (Query::PlayerTurn(1), turn.to_string())))
        {
            let answer = self.query(query)?;
            if answer != expected {
                return wrong(format!("`query {query}` gives `{answer}`, not `{expected}`"));
            }
        }
        Ok(())
    }
}
