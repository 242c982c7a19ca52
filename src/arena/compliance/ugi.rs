//! The compliance steps of UGI and UCI.

use crate::compliance::harness::{
    ComplianceSettings, Connection, DialectSteps, MAX_PLIES, NamedStep, StepError, StepResult,
    finished_game, legal, millis, random_game, unsupported, valid, wrong,
};
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_protocol::ugi::{
    Command, EngineId, Flavor, Go, Info, OptionDecl, OptionKind, Query, Response,
};
use pentarch_session::codec::ugi::{Codec, VARIANT};
use std::time::Duration;

/// The client's side of the protocol.
pub(crate) struct Client {
    connection: Connection,
    settings: ComplianceSettings,
    codec: Codec,
    options: Vec<OptionDecl>,
    is_greeted: bool,
}

/// cutegames fails on search output shorter than this, in bytes with the line end.
const SHORTEST: usize = 8;

/// The index of the step about `query`, which only UGI has.
const QUERIES: usize = 9;

/// The answer to `go`.
struct BestMove {
    best: Option<String>,
    /// The last `info` that has a score.
    info: Option<Info>,
}

impl DialectSteps for Client {
    fn new(connection: Connection, settings: &ComplianceSettings) -> Client {
        let (settings, codec) = (settings.clone(), Codec(settings.flavor()));
        Client { connection, settings, codec, options: Vec::new(), is_greeted: false }
    }

    fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }

    fn greet(&mut self) -> StepResult {
        if self.is_greeted {
            return Ok(());
        }
        // Errors other than silence are reported by the steps about these commands.
        [Client::introduction, Client::choose_game].into_iter().try_for_each(|greeting| {
            greeting(self).or_else(|finding| match finding {
                StepError::Lost(_) => Err(finding),
                _ => Ok(()),
            })
        })
    }

    fn steps(settings: &ComplianceSettings) -> Vec<NamedStep<Client>> {
        let mut steps: Vec<NamedStep<Client>> = vec![
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
        ];
        steps.extend(Client::special_steps());
        steps.extend::<[NamedStep<Client>; 3]>([
            ("plays a game against itself", Client::whole_game),
            ("leaves when told", Client::quits),
            ("leaves at the end of its input", Client::exits_at_end_of_input),
        ]);
        if settings.flavor() == Flavor::Ugi {
            steps.insert(QUERIES, ("says whose turn it is", Client::turns));
        }
        steps
    }

    fn send_quit(&mut self) -> StepResult {
        self.send(&Command::Quit);
        Ok(())
    }

    fn select_listed(&mut self, rules: &Ruleset) -> Result<bool, StepError> {
        let name = self.codec.variant(rules);
        let is_listed = |option: &OptionDecl| match &option.kind {
            OptionKind::Combo { choices, .. } => option.name == VARIANT && choices.contains(&name),
            _ => false,
        };
        if !self.options.iter().any(is_listed) {
            return Ok(false);
        }
        self.send(&Command::SetOption { name: VARIANT.to_owned(), value: Some(name) });
        self.send(&Command::UgiNewGame);
        self.send(&Command::IsReady);
        self.await_response(&Response::ReadyOk).map(|()| true)
    }

    fn select_own(&mut self) -> StepResult {
        self.choose_game()
    }

    fn move_in(&mut self, game: &Game) -> StepResult {
        self.position(game);
        if self.codec.0 == Flavor::Ugi {
            self.expect(game)?;
        }
        self.legal_move(&mut game.clone(), self.quick()).map(|_| ())
    }
}

impl Client {
    fn send(&mut self, command: &Command) {
        self.connection.send(self.codec.0.command_text(command));
    }

    /// Reads the next line as a response; a line that cannot be parsed is wrong.
    fn read(&mut self) -> Result<Response, StepError> {
        let line = self.connection.read()?;
        valid(self.codec.0.response(&line))
    }

    /// Waits for one response; ignores `info` and other text.
    fn await_response(&mut self, wanted: &Response) -> StepResult {
        loop {
            match self.read()? {
                response if response == *wanted => return Ok(()),
                Response::Error(error) => return wrong(format!("it refuses: {error}")),
                _ => {}
            }
        }
    }

    /// Sends a position.
    fn position(&mut self, game: &Game) {
        self.send(&self.codec.position(game, None, &game.moves()));
    }

    /// Sends `go` and reads up to `bestmove`.
    fn go(&mut self, go: Go) -> Result<BestMove, StepError> {
        self.send(&Command::Go(go));
        self.best_move()
    }

    fn best_move(&mut self) -> Result<BestMove, StepError> {
        let mut last = None;
        loop {
            let line = self.connection.read()?;
            if self.codec.0 == Flavor::Ugi && line.len() + 1 < SHORTEST {
                return wrong(format!("`{line}` has less than {SHORTEST} bytes with its end"));
            }
            match valid(self.codec.0.response(&line))? {
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

    /// Asks for a move in a game; the move must be legal.
    fn legal_move(&mut self, game: &mut Game, go: Go) -> Result<BestMove, StepError> {
        let answer = self.go(go)?;
        let Some(best) = &answer.best else { return wrong("no move in an open game") };
        self.play(game, best)?;
        Ok(answer)
    }

    /// Plays the engine's move, which must be legal.
    fn play(&mut self, game: &mut Game, text: &str) -> StepResult {
        let mv = legal(self.codec.parse_move(game, text))?;
        self.play_answer(game, &[mv])
    }

    fn quick(&self) -> Go {
        Go { move_time: Some(millis(self.settings.move_time)), ..Go::default() }
    }

    /// Sends a UGI query and returns its answer.
    fn query(&mut self, query: Query) -> Result<String, StepError> {
        self.send(&Command::Query(query));
        loop {
            match self.read()? {
                Response::Answer(answer) => return Ok(answer),
                Response::Error(error) => return wrong(format!("it refuses: {error}")),
                _ => {}
            }
        }
    }

    /// Checks the answers to the queries `gameover`, `result` and `p1turn`.
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
    fn introduction(&mut self) -> StepResult {
        self.send(&Command::Ugi);
        let (mut name, mut author) = (None, None);
        loop {
            match self.read()? {
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
            return unsupported("no `id author`");
        }
        Ok(())
    }

    fn is_ready(&mut self) -> StepResult {
        self.send(&Command::IsReady);
        self.await_response(&Response::ReadyOk)
    }

    fn choose_game(&mut self) -> StepResult {
        let name = self.codec.variant(&self.settings.rules);
        let Some(option) = self.options.iter().find(|option| option.name == VARIANT) else {
            return unsupported(format!("no option {VARIANT}: the game that it plays is unknown"));
        };
        let listed = match &option.kind {
            OptionKind::Combo { choices, .. } => choices.contains(&name),
            _ => return wrong(format!("{VARIANT} is not of type combo")),
        };
        self.send(&Command::SetOption { name: VARIANT.to_owned(), value: Some(name.clone()) });
        self.is_ready()?;
        // Combinations of modifiers are too many to list.
        if listed || name.contains('+') {
            Ok(())
        } else {
            unsupported(format!("{VARIANT} does not list `{name}`"))
        }
    }

    fn set_option(&mut self) -> StepResult {
        let spin = self.options.iter().find_map(|option| match option.kind {
            OptionKind::Spin { min, max, default } if (min..=max).contains(&default) => {
                Some((option.name.clone(), default))
            }
            _ => None,
        });
        let Some((name, value)) = spin else { return unsupported("no option with a number") };
        self.send(&Command::SetOption { name, value: Some(value.to_string()) });
        self.is_ready()
    }

    fn new_game(&mut self) -> StepResult {
        self.send(&Command::UgiNewGame);
        self.is_ready()
    }

    fn move_time(&mut self) -> StepResult {
        let mut game = random_game(&self.settings.rules, 0);
        self.position(&game);
        let answer = self.legal_move(&mut game, self.quick())?;
        let Some(info) = answer.info else { return unsupported("no `info` with a score") };
        let whole = info.nodes.is_some() && info.nps.is_some() && info.time_ms.is_some();
        if whole { Ok(()) } else { unsupported("the last `info` lacks nodes, nps or time") }
    }

    fn clocks(&mut self) -> StepResult {
        let seats = usize::from(self.settings.rules.seating().seats);
        let mut game = random_game(&self.settings.rules, seats);
        self.position(&game);
        let left = millis(self.settings.move_time * 20);
        let (time, increment) = (Some(left), Some(left / 20));
        let each = |value: Option<i64>| [0, 1, 2, 3].map(|seat| value.filter(|_| seat < seats));
        let go = Go { time: each(time), increment: each(increment), ..Go::default() };
        self.legal_move(&mut game, go).map(|_| ())
    }

    fn counted(&mut self) -> StepResult {
        let game = random_game(&self.settings.rules, 2);
        let depth = Go { depth: Some(2), ..Go::default() };
        let nodes = Go { nodes: Some(500), ..Go::default() };
        for go in [depth, nodes] {
            self.position(&game);
            self.legal_move(&mut game.clone(), go)?;
        }
        Ok(())
    }

    fn positions(&mut self) -> StepResult {
        for plies in [1, 4, 3] {
            let mut game = random_game(&self.settings.rules, plies);
            self.position(&game);
            self.legal_move(&mut game, self.quick())?;
        }
        Ok(())
    }

    fn turns(&mut self) -> StepResult {
        for plies in 0..4 {
            let game = random_game(&self.settings.rules, plies);
            self.position(&game);
            self.expect(&game)?;
        }
        Ok(())
    }

    fn end_of_game(&mut self) -> StepResult {
        let end = finished_game(&self.settings.rules)?;
        self.position(&end);
        if self.codec.0 == Flavor::Ugi {
            return self.expect(&end);
        }
        let answer = self.go(self.quick())?;
        match answer.best {
            None => Ok(()),
            Some(best) => unsupported(format!("it moves on after the end: {best}")),
        }
    }

    fn search_moves(&mut self) -> StepResult {
        let mut game = random_game(&self.settings.rules, 2);
        self.position(&game);
        let Some(&only) = game.legal_moves().last() else {
            return unsupported("no move to search");
        };
        let only = self.codec.move_texts(&game, &[only]);
        let go = Go { search_moves: only.clone(), ..self.quick() };
        let best = self.legal_move(&mut game, go)?.best;
        if best == only.first().cloned() { Ok(()) } else { unsupported("it ignores `searchmoves`") }
    }

    fn ponder(&mut self) -> StepResult {
        let mut game = random_game(&self.settings.rules, 3);
        self.position(&game);
        self.send(&Command::Go(Go { ponder: true, ..self.quick() }));
        let before =
            self.connection.read_for(self.settings.move_time + Duration::from_millis(200))?;
        if before.iter().any(|line| line.starts_with("bestmove")) {
            return unsupported("it does not wait for `ponderhit`");
        }
        self.send(&Command::PonderHit);
        let answer = self.best_move()?;
        let Some(best) = answer.best else { return wrong("no move in an open game") };
        self.play(&mut game, &best)
    }

    fn stop(&mut self) -> StepResult {
        let mut game = random_game(&self.settings.rules, 2);
        self.position(&game);
        self.send(&Command::Go(Go { infinite: true, ..Go::default() }));
        let before = self.connection.read_for(Duration::from_millis(300))?;
        if let Some(early) = before.iter().find(|line| line.starts_with("bestmove")) {
            return wrong(format!("`{early}` comes before `stop`"));
        }
        self.is_ready()?;
        self.send(&Command::Stop);
        let answer = self.best_move()?;
        let Some(best) = answer.best else { return wrong("no move in an open game") };
        self.play(&mut game, &best)
    }

    fn bad_input(&mut self) -> StepResult {
        let game = random_game(&self.settings.rules, 2);
        for line in ["nonsense", "position startpos moves zz99", ""] {
            self.connection.send(line);
        }
        // In UCI such a `go` is one without a depth.
        if self.codec.0 == Flavor::Ugi {
            self.connection.send("go depth many");
        }
        self.connection.send(format!("{} and more", "x".repeat(5000)));
        self.settle()?;
        self.position(&game);
        self.legal_move(&mut game.clone(), self.quick()).map(|_| ())
    }

    /// Waits until the engine has read all input; ignores its error messages.
    fn settle(&mut self) -> StepResult {
        self.send(&Command::IsReady);
        loop {
            match self.read()? {
                Response::ReadyOk => return Ok(()),
                Response::BestMove(_) => return wrong("it answers a `go` that makes no sense"),
                _ => {}
            }
        }
    }

    /// The position must be kept when invalid positions follow it: the same questions are asked
    /// again.
    fn bad_position(&mut self) -> StepResult {
        let end = finished_game(&self.settings.rules)?;
        self.position(&end);
        if self.codec.0 == Flavor::Uci && self.go(self.quick())?.best.is_some() {
            return unsupported("it does not see the end of a game");
        }
        for line in ["position startpos moves zz99", "position fen nonsense", "position"] {
            self.connection.send(line);
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

    fn carriage_returns(&mut self) -> StepResult {
        self.connection.send("isready\r");
        self.await_response(&Response::ReadyOk)
    }

    fn whole_game(&mut self) -> StepResult {
        let mut game = random_game(&self.settings.rules, 0);
        let quick = Go { move_time: Some(millis(self.settings.move_time / 5)), ..Go::default() };
        while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
            self.position(&game);
            self.legal_move(&mut game, quick.clone())?;
        }
        if self.codec.0 == Flavor::Uci {
            return Ok(());
        }
        self.position(&game);
        self.expect(&game)
    }
}
