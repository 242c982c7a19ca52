//! The steps of UGI and UCI.

use crate::compliance::harness::{
    Check, DialectSteps, Finding, LEAVING, LONGEST, SPECIAL, SPECIAL_PLIES, StepResult, Subject,
    Talk, finished, millis, missing, opened, refilled, wrong,
};
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::ugi::{
    Command, EngineId, Flavor, Go, Info, OptionDecl, OptionKind, Query, Response,
};
use pentarch_session::codec::ugi::{Codec, VARIANT};
use std::time::Duration;

/// A client of UGI or UCI.
pub(crate) struct Client {
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

impl DialectSteps for Client {
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
        self.talk.say(self.codec.0.command_text(command));
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

impl Client {
    pub(crate) fn introduction(&mut self) -> StepResult {
        self.say(&Command::Ugi);
        let (mut name, mut author) = (None, None);
        loop {
            match self.hear()? {
                Response::Id(EngineId::Name(given)) => name = Some(given),
                Response::Id(EngineId::Author(given)) => author = Some(given),
                Response::Option(option) => self.options.push(option),
                Response::UgiOk => break,
                _ => {}
            }
        }
        self.is_greeted = true;
        if name.is_none_or(|name| name.is_empty()) {
            return wrong("no `id name`");
        }
        if author.is_none() {
            return missing("no `id author`");
        }
        Ok(())
    }

    pub(crate) fn is_ready(&mut self) -> StepResult {
        self.say(&Command::IsReady);
        self.await_response(&Response::ReadyOk)
    }

    pub(crate) fn choose_game(&mut self) -> StepResult {
        let name = self.codec.variant(&self.subject.rules);
        let Some(option) = self.options.iter().find(|option| option.name == VARIANT) else {
            return missing(format!("no option {VARIANT}: it plays what it likes"));
        };
        let listed = match &option.kind {
            OptionKind::Combo { choices, .. } => choices.contains(&name),
            _ => return wrong(format!("{VARIANT} is not of type combo")),
        };
        self.say(&Command::SetOption { name: VARIANT.to_owned(), value: Some(name.clone()) });
        self.is_ready()?;
        // Of combinations there are too many to list.
        if listed || name.contains('+') {
            Ok(())
        } else {
            missing(format!("{VARIANT} does not list `{name}`"))
        }
    }

    pub(crate) fn set_option(&mut self) -> StepResult {
        let spin = self.options.iter().find_map(|option| match option.kind {
            OptionKind::Spin { min, max, default } if (min..=max).contains(&default) => {
                Some((option.name.clone(), default))
            }
            _ => None,
        });
        let Some((name, value)) = spin else { return missing("no option with a number") };
        self.say(&Command::SetOption { name, value: Some(value.to_string()) });
        self.is_ready()
    }

    pub(crate) fn new_game(&mut self) -> StepResult {
        self.say(&Command::UgiNewGame);
        self.is_ready()
    }

    pub(crate) fn move_time(&mut self) -> StepResult {
        let mut game = opened(&self.subject.rules, 0);
        self.position(&game);
        let answer = self.legal_move(&mut game, self.quick())?;
        let Some(info) = answer.info else { return missing("no `info` with a score") };
        let whole = info.nodes.is_some() && info.nps.is_some() && info.time_ms.is_some();
        if whole { Ok(()) } else { missing("the last `info` lacks nodes, nps or time") }
    }

    pub(crate) fn clocks(&mut self) -> StepResult {
        let seats = usize::from(self.subject.rules.seating().seats);
        let mut game = opened(&self.subject.rules, seats);
        self.position(&game);
        let left = millis(self.subject.move_time * 20);
        let (time, increment) = (Some(left), Some(left / 20));
        let each = |value: Option<i64>| [0, 1, 2, 3].map(|seat| value.filter(|_| seat < seats));
        let go = Go { time: each(time), increment: each(increment), ..Go::default() };
        self.legal_move(&mut game, go).map(|_| ())
    }

    pub(crate) fn counted(&mut self) -> StepResult {
        let game = opened(&self.subject.rules, 2);
        let depth = Go { depth: Some(2), ..Go::default() };
        let nodes = Go { nodes: Some(500), ..Go::default() };
        for go in [depth, nodes] {
            self.position(&game);
            self.legal_move(&mut game.clone(), go)?;
        }
        Ok(())
    }

    pub(crate) fn positions(&mut self) -> StepResult {
        for plies in [1, 4, 3] {
            let mut game = opened(&self.subject.rules, plies);
            self.position(&game);
            self.legal_move(&mut game, self.quick())?;
        }
        Ok(())
    }

    pub(crate) fn turns(&mut self) -> StepResult {
        for plies in 0..4 {
            let game = opened(&self.subject.rules, plies);
            self.position(&game);
            self.expect(&game)?;
        }
        Ok(())
    }

    pub(crate) fn end_of_game(&mut self) -> StepResult {
        let end = finished(&self.subject.rules)?;
        self.position(&end);
        if self.codec.0 == Flavor::Ugi {
            return self.expect(&end);
        }
        let answer = self.go(self.quick())?;
        match answer.best {
            None => Ok(()),
            Some(best) => missing(format!("it moves on after the end: {best}")),
        }
    }

    pub(crate) fn search_moves(&mut self) -> StepResult {
        let mut game = opened(&self.subject.rules, 2);
        self.position(&game);
        let Some(&only) = game.legal_moves().last() else { return missing("no move to search") };
        let only = self.codec.move_texts(&game, &[only]);
        let go = Go { search_moves: only.clone(), ..self.quick() };
        let best = self.legal_move(&mut game, go)?.best;
        if best == only.first().cloned() { Ok(()) } else { missing("it moves where it likes") }
    }

    pub(crate) fn ponder(&mut self) -> StepResult {
        let mut game = opened(&self.subject.rules, 3);
        self.position(&game);
        self.say(&Command::Go(Go { ponder: true, ..self.quick() }));
        let before = self.talk.listen(self.subject.move_time + Duration::from_millis(200))?;
        if before.iter().any(|line| line.starts_with("bestmove")) {
            return missing("it does not wait for `ponderhit`");
        }
        self.say(&Command::PonderHit);
        let answer = self.best_move()?;
        let Some(best) = answer.best else { return wrong("no move in an open game") };
        self.play(&mut game, &best)
    }

    pub(crate) fn stop(&mut self) -> StepResult {
        let mut game = opened(&self.subject.rules, 2);
        self.position(&game);
        self.say(&Command::Go(Go { infinite: true, ..Go::default() }));
        let before = self.talk.listen(Duration::from_millis(300))?;
        if let Some(early) = before.iter().find(|line| line.starts_with("bestmove")) {
            return wrong(format!("`{early}` comes before `stop`"));
        }
        self.is_ready()?;
        self.say(&Command::Stop);
        let answer = self.best_move()?;
        let Some(best) = answer.best else { return wrong("no move in an open game") };
        self.play(&mut game, &best)
    }

    pub(crate) fn bad_input(&mut self) -> StepResult {
        let game = opened(&self.subject.rules, 2);
        for line in ["nonsense", "go depth many", "position startpos moves zz99", ""] {
            self.talk.say(line);
        }
        self.talk.say(format!("{} and more", "x".repeat(5000)));
        self.settle()?;
        self.position(&game);
        self.legal_move(&mut game.clone(), self.quick()).map(|_| ())
    }

    /// Waits until the engine has read everything, past its complaints.
    fn settle(&mut self) -> StepResult {
        self.say(&Command::IsReady);
        loop {
            match self.hear()? {
                Response::ReadyOk => return Ok(()),
                Response::BestMove(_) => return wrong("it answers a `go` that makes no sense"),
                _ => {}
            }
        }
    }

    /// What is asked about the end of a game is asked again after positions that are none.
    pub(crate) fn bad_position(&mut self) -> StepResult {
        let end = finished(&self.subject.rules)?;
        self.position(&end);
        if self.codec.0 == Flavor::Uci && self.go(self.quick())?.best.is_some() {
            return missing("it does not see the end of a game");
        }
        for line in ["position startpos moves zz99", "position fen nonsense", "position"] {
            self.talk.say(line);
        }
        self.settle()?;
        if self.codec.0 == Flavor::Ugi {
            return self.expect(&end);
        }
        match self.go(self.quick())?.best {
            None => Ok(()),
            Some(best) => wrong(format!("it moves in another position: {best}")),
        }
    }

    /// Plays the first moves of those games that the engine lists.
    pub(crate) fn special(&mut self, names: &[&str]) -> StepResult {
        let mut is_listed = false;
        for rules in names.iter().filter_map(|name| name.parse::<Ruleset>().ok()) {
            if !self.listed_game(&rules)? {
                continue;
            }
            is_listed = true;
            let refilled = refilled(&rules, |_, _| true);
            let opened = SPECIAL_PLIES.map(|plies| opened(&rules, plies));
            for mut game in opened.into_iter().chain(refilled) {
                self.position(&game);
                if self.codec.0 == Flavor::Ugi {
                    self.expect(&game)?;
                }
                self.legal_move(&mut game, self.quick())?;
            }
        }
        let outcome = self.choose_game();
        if is_listed { outcome } else { missing(format!("it lists none of {}", names.join(", "))) }
    }

    pub(crate) fn carriage_returns(&mut self) -> StepResult {
        self.talk.say("isready\r");
        self.await_response(&Response::ReadyOk)
    }

    pub(crate) fn whole_game(&mut self) -> StepResult {
        let mut game = opened(&self.subject.rules, 0);
        let quick = Go { move_time: Some(millis(self.subject.move_time / 5)), ..Go::default() };
        while game.outcome().is_none() && game.moves().len() < LONGEST {
            self.position(&game);
            self.legal_move(&mut game, quick.clone())?;
        }
        if self.codec.0 == Flavor::Uci {
            return Ok(());
        }
        self.position(&game);
        self.expect(&game)
    }

    pub(crate) fn quit(&mut self) -> StepResult {
        self.say(&Command::Quit);
        self.talk.ends_within(LEAVING, false)?;
        Err(Finding::Gone)
    }

    pub(crate) fn end_of_input(&mut self) -> StepResult {
        self.talk.ends_within(LEAVING, true)?;
        Err(Finding::Gone)
    }
}
