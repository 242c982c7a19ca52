//! The controller of engines that speak UGI or UCI.

use crate::controller::{Controller, ForeignController, warn_once};
use crate::error::{Fault, PlayerError};
use crate::player::{
    Action, Decision, ForeignMove, ForeignPosition, ForeignTurn, NewGame, StatusReport, Turn,
};
use crate::process::Process;
use crate::rulebook::Rulebook;
use crate::time_control::Timer;
use pentarch_core::game::{Move, Seat};
use pentarch_engine::search::Report;
use pentarch_protocol::nearest;
use pentarch_protocol::ugi::{
    BestMove, Command, EngineId, Flavor, Go, Info, OptionDecl, OptionKind, Query, Response,
    StartPosition,
};
use pentarch_records::GameResult;
use pentarch_session::codec::InfoAccumulator;
use pentarch_session::codec::ugi::{Codec, VARIANT};
use std::time::Duration;

#[derive(Clone, Debug)]
pub(crate) struct Ugi {
    codec: Codec,
    rules: Rulebook,
    /// The options to set, in this order.
    options: Vec<(String, String)>,
    /// Whether the engine ponders.
    ponders: bool,
    /// The ponder search in progress.
    pondering: Option<Pondering>,
    /// The last `position` command of the game and the number of its moves.
    last_sent: (String, usize),
}

impl Controller for Ugi {
    fn handshake(&mut self, process: &mut Process) -> Result<Option<String>, PlayerError> {
        let (name, declared) = self.greet(process)?;
        for command in self.settings(&declared)? {
            process.send(&self.write(&command));
        }
        self.sync(process, "setoption")?;
        match find(&declared, VARIANT) {
            // An engine for a single game needs no option for it.
            None if self.rules.built_in().is_none() => {}
            None => {
                let label = process.label();
                warn_once(&format!(
                    "{label} has no option {VARIANT}; the game that it plays is unknown"
                ));
            }
            Some(option) if self.declared(option).is_none() => self.check_variant(process)?,
            Some(_) => {}
        }
        Ok(name)
    }

    fn new_game(&mut self, process: &mut Process, _: &NewGame<'_>) -> Result<(), PlayerError> {
        // A process that was just started does not ponder.
        (self.pondering, self.last_sent) = (None, Default::default());
        process.send(&self.write(&Command::UgiNewGame));
        self.sync(process, "new game")
    }

    fn choose(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<Decision, PlayerError> {
        let hit = self.end_pondering(process, turn)?;
        let go = if hit { Command::PonderHit.to_string() } else { self.write(&self.go(turn)) };
        let mut heard = InfoAccumulator::default();
        // Both commands are sent in one write, so that the engine wakes up once.
        let position = (!hit).then(|| self.position(turn));
        let question = position.into_iter().chain([go]);
        let (limit, stop) = (turn.timer().limit(), Some(Command::Stop));
        let (time, best) = process.ask_for_line(question, limit, stop, |line| {
            self.best_move(line, |info| self.codec.accumulate(turn.game, info, &mut heard))
        })?;
        let report = heard.report();
        if is_resignation(&best.mv) {
            return Ok(Decision { action: Action::Resign, time, report });
        }
        let mv = self.codec.parse_move(turn.game, &best.mv);
        let mv = mv.map_err(|error| Fault::IllegalMove(error.to_string()))?;
        if self.ponders
            && let Some(reply) = self.expected(turn, mv, &best, report.as_ref())
        {
            self.ponder(process, turn, [mv, reply], time);
        }
        Ok(Decision { action: Action::Move(mv), time, report })
    }

    fn end_game(&mut self, process: &mut Process) -> Result<(), PlayerError> {
        self.stop_pondering(process)
    }

    fn set_options(
        &mut self,
        process: Option<&mut Process>,
        options: &[(String, String)],
    ) -> Result<(), PlayerError> {
        for (name, value) in options {
            self.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
            self.options.push((name.clone(), value.clone()));
        }
        let Some(process) = process else { return Ok(()) };
        for (name, value) in options.iter().cloned() {
            process.send(&self.write(&Command::SetOption { name, value: Some(value) }));
        }
        self.sync(process, "setoption")
    }

    fn declared_options(&mut self, process: &mut Process) -> Result<Vec<OptionDecl>, PlayerError> {
        Ok(self.greet(process)?.1)
    }

    fn foreign(&mut self) -> Option<&mut dyn ForeignController> {
        (self.codec.0 == Flavor::Ugi).then_some(self)
    }
}

/// The option that tells a UCI engine that it will ponder.
const PONDER: &str = "Ponder";

fn is_resignation(text: &str) -> bool {
    text.eq_ignore_ascii_case("resign")
}

impl Ugi {
    pub(crate) fn new(
        flavor: Flavor,
        rules: &Rulebook,
        options: &[(String, String)],
        ponders: bool,
    ) -> Ugi {
        let (codec, rules, options) = (Codec(flavor), rules.clone(), options.to_vec());
        Ugi { codec, rules, options, ponders, pondering: None, last_sent: Default::default() }
    }

    /// Does the handshake; returns the engine's name, if it has one, and its options.
    fn greet(
        &self,
        process: &mut Process,
    ) -> Result<(Option<String>, Vec<OptionDecl>), PlayerError> {
        let mut name = None;
        let mut declared = Vec::new();
        self.ask(process, &Command::Ugi, |response| match response {
            Response::Id(EngineId::Name(given)) => {
                name = Some(given).filter(|given| !given.is_empty());
                Ok(false)
            }
            Response::Option(option) => {
                declared.push(option);
                Ok(false)
            }
            response => Ok(response == Response::UgiOk),
        })?;
        Ok((name, declared))
    }

    /// The `setoption` commands for an engine that declares these options.
    fn settings(&self, declared: &[OptionDecl]) -> Result<Vec<Command>, Fault> {
        let asked = self.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(VARIANT));
        let variant = find(declared, VARIANT).filter(|_| !asked).map(|option| {
            let word = self.declared(option).map(str::to_owned);
            (VARIANT.to_owned(), word.unwrap_or_else(|| self.variant()))
        });
        let named = |name: &str| self.options.iter().any(|(set, _)| set.eq_ignore_ascii_case(name));
        let ponder = find(declared, PONDER).filter(|_| self.ponders && !named(PONDER));
        let ponder = ponder.map(|option| (option.name.clone(), "true".to_owned()));
        variant
            .iter()
            .chain(&ponder)
            .chain(&self.options)
            .map(|pair| setting(pair, declared))
            .collect()
    }

    /// The engine's name for the game, among those that the option lists.
    fn declared<'a>(&self, option: &'a OptionDecl) -> Option<&'a str> {
        match (&self.rules, &option.kind) {
            (Rulebook::BuiltIn(rules), _) => self.codec.declared(rules, option),
            (Rulebook::Engines(_), OptionKind::Combo { choices, .. }) => {
                choices.iter().map(String::as_str).find(|name| self.is_called(name))
            }
            (Rulebook::Engines(_), _) => None,
        }
    }

    fn variant(&self) -> String {
        match &self.rules {
            Rulebook::BuiltIn(rules) => self.codec.variant(rules),
            Rulebook::Engines(game) => game.name.clone(),
        }
    }

    /// Whether `name` is a name of the game.
    fn is_called(&self, name: &str) -> bool {
        match &self.rules {
            Rulebook::BuiltIn(rules) => self.codec.rules(name).is_ok_and(|read| read == *rules),
            Rulebook::Engines(game) => name.eq_ignore_ascii_case(&game.name),
        }
    }

    /// Asks an engine that does not list the game whether it plays it; logs a warning if it does
    /// not confirm that.
    fn check_variant(&self, process: &mut Process) -> Result<(), PlayerError> {
        process.send(&self.write(&Command::Query(Query::Variant)));
        let mut plays_it = false;
        self.ask(process, &Command::IsReady, |response| {
            if let Response::Answer(name) = &response {
                plays_it = self.is_called(name);
            }
            Ok(response == Response::ReadyOk)
        })?;
        if !plays_it {
            let (label, rules) = (process.label(), &self.rules);
            warn_once(&format!("{label} does not list `{rules}` in {VARIANT} and may not know it"));
        }
        Ok(())
    }

    /// Waits for `readyok`. `asked` names the request in the error if the engine refuses it.
    fn sync(&self, process: &mut Process, asked: &str) -> Result<(), PlayerError> {
        self.ask(process, &Command::IsReady, |response| match response {
            Response::Error(answer) => Err(Fault::Refused { command: asked.to_owned(), answer }),
            response => Ok(response == Response::ReadyOk),
        })
    }

    /// Sends a command and passes the responses to `is_last` until that returns true.
    fn ask(
        &self,
        process: &mut Process,
        command: &Command,
        mut is_last: impl FnMut(Response) -> Result<bool, Fault>,
    ) -> Result<(), PlayerError> {
        process.ask(self.write(command), |line| {
            // A malformed option declaration is ignored.
            let Ok(response) = self.codec.0.response(line) else { return Ok(None) };
            Ok(is_last(response)?.then_some(()))
        })
    }

    /// The best move, if the line contains it. `info` lines are passed to `hear`.
    fn best_move(&self, line: &str, hear: impl FnOnce(&Info)) -> Result<Option<BestMove>, Fault> {
        match self.codec.0.response(line) {
            Ok(Response::BestMove(Some(best))) => return Ok(Some(best)),
            Ok(Response::Info(info)) => hear(&info),
            Ok(Response::BestMove(None)) => return Err(Fault::NoMove),
            Err(_) if line.trim_start().starts_with("bestmove") => {
                return Err(Fault::Garbled(line.to_owned()));
            }
            Ok(_) | Err(_) => {}
        }
        Ok(None)
    }

    /// The `position` command. New moves are appended to the last command: formatting all moves
    /// anew takes longer than a fast engine thinks.
    fn position(&mut self, turn: &Turn<'_>) -> String {
        let moves = turn.moves();
        let (text, known) = &mut self.last_sent;
        if *known == 0 {
            let start = turn.opening.position.as_deref();
            *text = self.codec.position(turn.game, start, &moves).to_string();
        } else {
            let new = self.codec.move_texts(turn.game, &moves[*known..]);
            for mv in &new {
                text.extend([" ", mv]);
            }
        }
        *known = moves.len();
        text.clone()
    }

    fn go(&self, turn: &Turn<'_>) -> Command {
        let clocks: Vec<_> = turn.timers.iter().map(Timer::clock).collect();
        Command::Go(self.codec.go(turn.game, &turn.timer().limits(), &clocks))
    }

    fn write(&self, command: &Command) -> String {
        self.codec.0.command_text(command)
    }
}

fn find<'a>(declared: &'a [OptionDecl], name: &str) -> Option<&'a OptionDecl> {
    declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

fn setting((name, value): &(String, String), declared: &[OptionDecl]) -> Result<Command, Fault> {
    let names = || declared.iter().map(|option| option.name.as_str());
    let Some(option) = find(declared, name) else {
        let answer = match nearest(name, names()) {
            Some(near) => format!("it has no such option, did you mean `{near}`?"),
            None => {
                format!("it has no such option, only {}", names().collect::<Vec<_>>().join(", "))
            }
        };
        return Err(Fault::Refused { command: format!("option.{name}={value}"), answer });
    };
    let button = option.kind == OptionKind::Button;
    let value = (!button).then(|| value.clone());
    Ok(Command::SetOption { name: option.name.clone(), value })
}

/// A ponder search in progress.
#[derive(Clone, Debug)]
pub(crate) struct Pondering {
    /// The moves from the start of the game; the expected reply is the last.
    moves: Vec<Move>,
}

impl Ugi {
    /// The reply that the engine expects: the ponder move, or the second move of its principal
    /// variation.
    pub(crate) fn expected(
        &self,
        turn: &Turn<'_>,
        mv: Move,
        best: &BestMove,
        report: Option<&Report>,
    ) -> Option<Move> {
        let mut game = turn.game.clone();
        // The referee decides whether the move is legal and in time.
        game.play_move(mv).ok()?;
        let named = best.ponder.as_ref().and_then(|text| self.codec.parse_move(&game, text).ok());
        let of_line = report.filter(|report| report.pv.first() == Some(&mv));
        named.or_else(|| of_line.and_then(|report| report.pv.get(1).copied()))
    }

    /// Starts a ponder search of the position after the own move and the reply, if the engine is to
    /// move there.
    pub(crate) fn ponder(
        &mut self,
        process: &mut Process,
        turn: &Turn<'_>,
        line: [Move; 2],
        time: Duration,
    ) {
        let mut game = turn.game.clone();
        for mv in line {
            let others = mv == line[0] || game.to_move() != turn.seat();
            if !others || game.play_move(mv).is_err() {
                return;
            }
        }
        if game.outcome().is_some() || game.to_move() != turn.seat() {
            return;
        }
        let mut moves = turn.moves();
        moves.extend(line);
        let mut timers = turn.timers.to_vec();
        let timer = &mut timers[turn.seat().index()];
        // If the flag falls, the game ends and this search with it.
        let _ = timer.spend(time, process.timeouts().margin);
        let limits = timer.limits();
        let clocks: Vec<_> = timers.iter().map(Timer::clock).collect();
        let go = Go { ponder: true, ..self.codec.go(&game, &limits, &clocks) };
        let position = self.codec.position(&game, turn.opening.position.as_deref(), &moves);
        process.send(&format!("{position}\n{}", self.write(&Command::Go(go))));
        self.pondering = Some(Pondering { moves });
    }

    /// Returns true if the ponder search has this position, so that it can continue; stops any
    /// other one.
    pub(crate) fn end_pondering(
        &mut self,
        process: &mut Process,
        turn: &Turn<'_>,
    ) -> Result<bool, PlayerError> {
        let moves = turn.moves();
        if self.pondering.take_if(|pondering| pondering.moves == moves).is_some() {
            return Ok(true);
        }
        self.stop_pondering(process)?;
        process.discard_pending();
        Ok(false)
    }

    /// Stops the ponder search, if there is one, and discards its answer.
    pub(crate) fn stop_pondering(&mut self, process: &mut Process) -> Result<(), PlayerError> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        process.ask(Command::Stop, |line| {
            let is_answer = matches!(self.codec.0.response(line), Ok(Response::BestMove(_)))
                || line.trim_start().starts_with("bestmove");
            Ok(is_answer.then_some(()))
        })
    }
}

/// Longer texts are not accepted as moves.
const LONGEST_MOVE: usize = 100;

impl ForeignController for Ugi {
    fn new_game(&mut self, process: &mut Process) -> Result<(), PlayerError> {
        process.send(&self.write(&Command::UgiNewGame));
        self.sync(process, "new game")
    }

    fn choose(
        &mut self,
        process: &mut Process,
        turn: &ForeignTurn<'_>,
    ) -> Result<Decision<ForeignMove>, PlayerError> {
        process.discard_pending();
        let timer = &turn.timers[turn.seat.index()];
        let clocks: Vec<_> = turn.timers.iter().map(Timer::clock).collect();
        let go = self.write(&Command::Go(self.codec.go_without_moves(&timer.limits(), &clocks)));
        let question = [self.write(&position(&turn.position)), go];
        let (mut heard, mut pv) = (InfoAccumulator::default(), Vec::new());
        let (limit, stop) = (timer.limit(), Some(Command::Stop));
        let (time, best) = process.ask_for_line(question, limit, stop, |line| {
            self.best_move(line, |info| {
                self.codec.accumulate_without_pv(info, &mut heard);
                if !info.pv.is_empty() && info.multipv.is_none_or(|rank| rank == 1) {
                    pv.clone_from(&info.pv);
                }
            })
        })?;
        let (report, text) = (heard.report(), best.mv);
        if is_resignation(&text) {
            return Ok(Decision { action: Action::Resign, time, report });
        }
        if text.len() > LONGEST_MOVE {
            return Err(Fault::Garbled(text).into());
        }
        pv.retain(|mv| mv.len() <= LONGEST_MOVE);
        Ok(Decision { action: Action::Move(ForeignMove { text, pv }), time, report })
    }

    fn report_status(
        &mut self,
        process: &mut Process,
        given: &ForeignPosition<'_>,
    ) -> Result<StatusReport, PlayerError> {
        process.discard_pending();
        process.send(&self.write(&position(given)));
        let mut complaint = None;
        self.ask(process, &Command::IsReady, |response| {
            if let Response::Error(text) = &response {
                complaint.get_or_insert_with(|| text.clone());
            }
            Ok(response == Response::ReadyOk)
        })?;
        let over = self.truth(process, Query::GameOver)?;
        let result = if over { Some(self.result(process)?) } else { None };
        let turn =
            if over || self.truth(process, Query::PlayerTurn(1))? { Seat(0) } else { Seat(1) };
        let legal_moves = if over { None } else { self.legal_moves(process)? };
        Ok(StatusReport { result, turn, legal_moves, complaint })
    }
}

impl Ugi {
    /// The answer to a query about the position; `None` if the engine does not know the query.
    fn answer(&self, process: &mut Process, query: Query) -> Result<Option<String>, PlayerError> {
        process.send(&self.write(&Command::Query(query)));
        let mut answer = None;
        self.ask(process, &Command::IsReady, |response| {
            if let Response::Answer(text) = &response {
                answer = Some(text.clone());
            }
            Ok(response == Response::ReadyOk)
        })?;
        Ok(answer)
    }

    fn truth(&self, process: &mut Process, query: Query) -> Result<bool, PlayerError> {
        let answer = self.answer(process, query)?;
        let is = |word: &str| answer.as_ref().is_some_and(|text| text.eq_ignore_ascii_case(word));
        match (is("true"), is("false")) {
            (false, false) => Err(refused(query, answer)),
            (is_true, _) => Ok(is_true),
        }
    }

    fn result(&self, process: &mut Process) -> Result<GameResult, PlayerError> {
        let answer = self.answer(process, Query::Result)?;
        let result = answer.clone().and_then(|text| GameResult::try_from(text).ok());
        let of_two = |result: &GameResult| !matches!(result, GameResult::Win(side) if side.0 > 1);
        result.filter(of_two).ok_or_else(|| refused(Query::Result, answer))
    }

    /// The legal moves, if the engine lists them. A game in progress has at least one.
    fn legal_moves(&self, process: &mut Process) -> Result<Option<Vec<String>>, PlayerError> {
        let answer = self.answer(process, Query::LegalMoves)?.unwrap_or_default();
        let moves: Vec<String> = answer.split_whitespace().map(str::to_owned).collect();
        Ok(Some(moves).filter(|moves| !moves.is_empty()))
    }
}

fn position(position: &ForeignPosition<'_>) -> Command {
    let start =
        position.start.map_or(StartPosition::StartPos, |text| StartPosition::Fen(text.to_owned()));
    Command::Position { start, moves: position.moves.to_vec() }
}

/// The fault of an engine that does not answer a query as UGI requires.
fn refused(query: Query, answer: Option<String>) -> PlayerError {
    let answer = answer.map_or("no answer".to_owned(), |text| format!("`{text}`"));
    Fault::Refused { command: format!("query {query}"), answer }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::Opening;
    use crate::player::PlayedMove;
    use crate::time_control::TimeControl;
    use pentarch_engine::Game;
    use pentarch_engine::search::{Bound, Score};

    #[test]
    fn questions_as_the_engine_reads_them() {
        let clock = |text: &str| Some(text.parse().unwrap());
        let control = TimeControl::default();
        let clocked = TimeControl { clock: clock("40/60+0.5"), depth: Some(9), ..control };
        let other = TimeControl { clock: clock("0.5"), ..control };
        let fixed = TimeControl { move_time: Some(Duration::from_millis(250)), ..control };
        let counted = TimeControl { nodes: Some(1000), ..control };
        let two = "go p1time 60000 p2time 500 p1inc 500 p2inc 0 movestogo 40 depth 9";
        for (controls, expected) in [
            ([clocked, other], two),
            ([other, clocked], "go p1time 500 p2time 60000 p1inc 0 p2inc 500"),
            ([other, counted], "go p1time 500 p1inc 0"),
            ([fixed, clocked], "go movetime 250"),
            ([counted, clocked], "go nodes 1000"),
        ] {
            let timers = controls.map(Timer::new);
            let opening = Opening { position: Some("P - 1".to_owned()), moves: Vec::new() };
            let game = Game::new("gomoku".parse().unwrap());
            let plies = [(0, "h8"), (1, "h9")].map(|(seat, text)| {
                let mv = game.parse_move(text).unwrap();
                PlayedMove { seat: Seat(seat), mv }
            });
            let (game, opening, plies) = (&game, &opening, plies.as_slice());
            let turn = Turn { game, opening, plies, timers: &timers };
            for (flavor, moves) in [(Flavor::Ugi, "h8 h9"), (Flavor::Uci, "P@h8 P@h9")] {
                let mut ugi = Ugi::new(flavor, &game.rules().clone().into(), &[], false);
                assert_eq!(ugi.go(&turn).to_string(), expected);
                // The game grows from its start or from a later position.
                for known in [[0, 1, 2].as_slice(), &[1, 2], &[2]] {
                    ugi.last_sent = Default::default();
                    for &plies in known {
                        let moves: Vec<&str> = moves.split(' ').take(plies).collect();
                        let list = [&["moves"], &moves[..]].concat().join(" ");
                        let list = if plies == 0 { String::new() } else { format!(" {list}") };
                        let turn = Turn { plies: &turn.plies[..plies], ..turn };
                        assert_eq!(ugi.position(&turn), format!("position fen P - 1{list}"));
                    }
                }
            }
        }
    }

    /// Reads lines of a search as they come.
    fn heard(codec: Codec, game: &Game, lines: &[&str]) -> Option<Report> {
        let mut heard = InfoAccumulator::default();
        for line in lines {
            let Ok(Response::Info(info)) = codec.0.response(line) else { panic!("{line}") };
            codec.accumulate(game, &info, &mut heard);
        }
        heard.report()
    }

    #[test]
    fn what_an_engine_says_of_its_search() {
        let ugi = Codec(Flavor::Ugi);
        let game = Game::new("gomoku".parse().unwrap());
        assert_eq!(heard(ugi, &game, &["info depth 3 nodes 5", "info string cp 7"]), None);
        let lines = [
            "info depth 3 seldepth 5 score cp 20 upperbound nodes 50 time 9 pv h8 h9",
            "info depth 4 score cp -31 pv h9 h9 h10",
            "info depth 4 multipv 2 score cp -90 nodes 70 pv a1",
            "info nodes 99 time 12 hashfull 7",
        ];
        let report = heard(ugi, &game, &lines).unwrap();
        assert_eq!((report.depth, report.seldepth), (4, 4));
        assert_eq!((report.score, report.bound), (Score::points(-31), Bound::Exact));
        assert_eq!((report.nodes, report.time), (99, Duration::from_millis(12)));
        let pv: Vec<_> = report.pv.iter().map(|&mv| game.move_text(mv)).collect();
        assert_eq!(pv, ["h9"], "up to the first that is not legal");
    }
}
