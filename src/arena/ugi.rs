//! Players that speak UGI or UCI.

use super::child::Dialect;
use super::fault::{Failure, Fault};
use super::player::{Answer, Choice, Setup, Turn};
use super::process::{Deadline, Process};
use crate::engine::Wording;
use crate::rules::Ruleset;
use pentarch_protocol::nearest;
use pentarch_protocol::ugi::{Command, Flavor, Go, Id, OptionDecl, OptionKind, Response, Start};
use std::time::{Duration, Instant};

/// The client's side of UGI and UCI.
#[derive(Clone, Debug)]
pub(super) struct Ugi {
    /// Which of the two it speaks.
    pub(super) flavor: Flavor,
    /// What is played.
    pub(super) rules: Ruleset,
    /// Options to set, in this order.
    pub(super) options: Vec<(String, String)>,
}

/// The option that selects what is played.
const VARIANT: &str = "UCI_Variant";

impl Dialect for Ugi {
    fn name(&self) -> &'static str {
        match self.flavor {
            Flavor::Ugi => "UGI",
            Flavor::Uci => "UCI",
        }
    }

    fn introduce(&mut self, process: &mut Process) -> Result<Option<String>, Failure> {
        let mut name = None;
        let mut declared = Vec::new();
        self.ask(process, &Command::Ugi, |response| match response {
            Response::Id(Id::Name(given)) => {
                name = Some(given).filter(|given| !given.is_empty());
                Ok(false)
            }
            Response::Option(option) => {
                declared.push(option);
                Ok(false)
            }
            response => Ok(response == Response::UgiOk),
        })?;
        if find(&declared, VARIANT).is_none() {
            log::warn!("{} has no option {VARIANT} and plays what it likes", process.label());
        }
        for command in self.settings(&declared)? {
            process.send(&self.flavor.write(&command).to_string());
        }
        self.is_ready(process, "setoption")?;
        Ok(name)
    }

    fn new_game(&mut self, process: &mut Process, _: &Setup<'_>) -> Result<(), Failure> {
        process.send(&self.flavor.write(&Command::UgiNewGame).to_string());
        self.is_ready(process, "new game")
    }

    fn choose(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<Answer, Failure> {
        process.skip_pending();
        process.send(&self.position(turn).to_string());
        let go = self.flavor.write(&Command::Go(go(turn))).to_string();
        let deadline = Deadline::after(process.patience().for_move(turn.timer().limit()));
        process.send(&go);
        let mut answered = self.best_move(process, &go, deadline);
        if let Err(Failure::Fault(Fault::Hang { .. })) = answered {
            process.send(&Command::Stop.to_string());
            let deadline = deadline.extended(process.patience().grace());
            answered = self.best_move(process, &go, deadline);
        }
        let (text, at) = answered?;
        let time = at.saturating_duration_since(deadline.start());
        if text.eq_ignore_ascii_case("resign") {
            return Ok(Answer { choice: Choice::Resign, time });
        }
        let text = Wording(self.flavor).read(turn.game, &text);
        Ok(Answer { choice: Choice::Move(text), time })
    }
}

impl Ugi {
    /// The options to set in an engine that has these.
    fn settings(&self, declared: &[OptionDecl]) -> Result<Vec<Command>, Fault> {
        let variant = (VARIANT.to_owned(), Wording(self.flavor).game(&self.rules));
        let asked = self.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(VARIANT));
        let known = find(declared, VARIANT).is_some();
        let variant = (known && !asked).then_some(&variant);
        variant.into_iter().chain(&self.options).map(|pair| setting(pair, declared)).collect()
    }

    /// Waits until the engine has done what it was told, which it must not refuse.
    fn is_ready(&self, process: &mut Process, told: &str) -> Result<(), Failure> {
        self.ask(process, &Command::IsReady, |response| match response {
            Response::Error(answer) => Err(Fault::Refused { command: told.to_owned(), answer }),
            response => Ok(response == Response::ReadyOk),
        })
    }

    /// Sends a command and hands the answers over until one of them is the last.
    fn ask(
        &self,
        process: &mut Process,
        command: &Command,
        mut is_last: impl FnMut(Response) -> Result<bool, Fault>,
    ) -> Result<(), Failure> {
        let command = self.flavor.write(command).to_string();
        process.send(&command);
        let deadline = Deadline::after(process.patience().silence);
        loop {
            let (_, line) = process.read(&command, deadline)?;
            // A malformed option of a foreign engine is one that is not set.
            let Ok(response) = self.flavor.response(&line) else { continue };
            if is_last(response)? {
                return Ok(());
            }
        }
    }

    /// Waits for the best move: its text, and when it came.
    fn best_move(
        &self,
        process: &mut Process,
        go: &str,
        deadline: Deadline,
    ) -> Result<(String, Instant), Failure> {
        loop {
            let (at, line) = process.read(go, deadline)?;
            match self.flavor.response(&line) {
                Ok(Response::BestMove(Some(text))) => return Ok((text, at)),
                Ok(Response::BestMove(None)) => return Err(Fault::NoMove.into()),
                Err(_) if line.trim_start().starts_with("bestmove") => {
                    return Err(Fault::Garbled(line).into());
                }
                Ok(_) | Err(_) => {}
            }
        }
    }

    fn position(&self, turn: &Turn<'_>) -> Command {
        let start = match &turn.opening.position {
            Some(text) => Start::Fen(text.clone()),
            None => Start::StartPos,
        };
        let moves = turn.moves.iter().map(|(_, text)| text.clone()).collect();
        Command::Position { start, moves: Wording(self.flavor).write(turn.game, moves) }
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

fn go(turn: &Turn<'_>) -> Go {
    let millis = |time: Duration| (time.as_millis() as i64).max(1);
    let own = turn.timer();
    let mut go = Go {
        move_time: own.control().move_time.map(millis),
        depth: own.control().depth,
        nodes: own.control().nodes,
        moves_to_go: own.clock().and_then(|clock| clock.moves_to_go),
        ..Go::default()
    };
    if own.clock().is_none() {
        return go;
    }
    for (seat, timer) in turn.timers.iter().enumerate().take(go.time.len()) {
        if let Some(clock) = timer.clock() {
            go.time[seat] = Some(millis(clock.left));
            go.increment[seat] = Some(clock.increment.as_millis() as i64);
        }
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Opening, TimeControl, Timer};
    use crate::engine::Game;
    use crate::game::Seat;

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
            let moves = [(Seat(0), "h8".to_owned()), (Seat(1), "h9".to_owned())];
            let (game, opening, moves) = (&game, &opening, moves.as_slice());
            let turn = Turn { game, opening, moves, timers: &timers };
            assert_eq!(Command::Go(go(&turn)).to_string(), expected);
            for (flavor, moves) in [(Flavor::Ugi, "h8 h9"), (Flavor::Uci, "P@h8 P@h9")] {
                let ugi = Ugi { flavor, rules: game.rules().clone(), options: Vec::new() };
                let expected = format!("position fen P - 1 moves {moves}");
                assert_eq!(ugi.position(&turn).to_string(), expected);
            }
        }
    }
}
