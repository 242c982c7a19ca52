//! What each step of UGI and UCI says and wants to hear.

use super::super::game::{finished, opened, refilled};
use super::super::{Finding, StepResult, missing, wrong};
use super::super::{LEAVING, LONGEST, SPECIAL_PLIES, millis};
use super::Client;
use pentarch_core::rules::Ruleset;
use pentarch_protocol::ugi::{Command, Flavor, Go, Id, OptionKind, Response};
use pentarch_session::dialects::ugi::VARIANT;
use std::time::Duration;

impl Client {
    pub(super) fn introduction(&mut self) -> StepResult {
        self.say(&Command::Ugi);
        let (mut name, mut author) = (None, None);
        loop {
            match self.hear()? {
                Response::Id(Id::Name(given)) => name = Some(given),
                Response::Id(Id::Author(given)) => author = Some(given),
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

    pub(super) fn is_ready(&mut self) -> StepResult {
        self.say(&Command::IsReady);
        self.await_response(&Response::ReadyOk)
    }

    pub(super) fn choose_game(&mut self) -> StepResult {
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

    pub(super) fn set_option(&mut self) -> StepResult {
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

    pub(super) fn new_game(&mut self) -> StepResult {
        self.say(&Command::UgiNewGame);
        self.is_ready()
    }

    pub(super) fn move_time(&mut self) -> StepResult {
        let mut game = opened(&self.subject.rules, 0);
        self.position(&game);
        let answer = self.legal_move(&mut game, self.quick())?;
        let Some(info) = answer.info else { return missing("no `info` with a score") };
        let whole = info.nodes.is_some() && info.nps.is_some() && info.time_ms.is_some();
        if whole { Ok(()) } else { missing("the last `info` lacks nodes, nps or time") }
    }

    pub(super) fn clocks(&mut self) -> StepResult {
        let seats = usize::from(self.subject.rules.seating().seats);
        let mut game = opened(&self.subject.rules, seats);
        self.position(&game);
        let left = millis(self.subject.move_time * 20);
        let (time, increment) = (Some(left), Some(left / 20));
        let each = |value: Option<i64>| [0, 1, 2, 3].map(|seat| value.filter(|_| seat < seats));
        let go = Go { time: each(time), increment: each(increment), ..Go::default() };
        self.legal_move(&mut game, go).map(|_| ())
    }

    pub(super) fn counted(&mut self) -> StepResult {
        let game = opened(&self.subject.rules, 2);
        let depth = Go { depth: Some(2), ..Go::default() };
        let nodes = Go { nodes: Some(500), ..Go::default() };
        for go in [depth, nodes] {
            self.position(&game);
            self.legal_move(&mut game.clone(), go)?;
        }
        Ok(())
    }

    pub(super) fn positions(&mut self) -> StepResult {
        for plies in [1, 4, 3] {
            let mut game = opened(&self.subject.rules, plies);
            self.position(&game);
            self.legal_move(&mut game, self.quick())?;
        }
        Ok(())
    }

    pub(super) fn turns(&mut self) -> StepResult {
        for plies in 0..4 {
            let game = opened(&self.subject.rules, plies);
            self.position(&game);
            self.expect(&game)?;
        }
        Ok(())
    }

    pub(super) fn end_of_game(&mut self) -> StepResult {
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

    pub(super) fn search_moves(&mut self) -> StepResult {
        let mut game = opened(&self.subject.rules, 2);
        self.position(&game);
        let Some(&only) = game.legal_moves().last() else { return missing("no move to search") };
        let only = self.codec.move_texts(&game, &[only]);
        let go = Go { search_moves: only.clone(), ..self.quick() };
        let best = self.legal_move(&mut game, go)?.best;
        if best == only.first().cloned() { Ok(()) } else { missing("it moves where it likes") }
    }

    pub(super) fn ponder(&mut self) -> StepResult {
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

    pub(super) fn stop(&mut self) -> StepResult {
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

    pub(super) fn bad_input(&mut self) -> StepResult {
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
    pub(super) fn bad_position(&mut self) -> StepResult {
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
    pub(super) fn special(&mut self, names: &[&str]) -> StepResult {
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

    pub(super) fn carriage_returns(&mut self) -> StepResult {
        self.talk.say("isready\r");
        self.await_response(&Response::ReadyOk)
    }

    pub(super) fn whole_game(&mut self) -> StepResult {
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

    pub(super) fn quit(&mut self) -> StepResult {
        self.say(&Command::Quit);
        self.talk.ends_within(LEAVING, false)?;
        Err(Finding::Gone)
    }

    pub(super) fn end_of_input(&mut self) -> StepResult {
        self.talk.ends_within(LEAVING, true)?;
        Err(Finding::Gone)
    }
}
