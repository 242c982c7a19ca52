//! What each step of Gomocup says and wants to hear.

use super::super::game::refilled;
use super::super::{Finding, StepResult, missing, wrong};
use super::super::{LEAVING, LONGEST, millis};
use super::{Client, TOLERANCE};
use pentarch_engine::Game;
use pentarch_protocol::gomocup::{Command, Info, Point, Rectangle, Response, Setting, Size};
use pentarch_session::dialects::gomocup::start;
use std::time::{Duration, Instant};

impl Client {
    pub(super) fn about(&mut self) -> StepResult {
        self.talk.say(Command::About);
        let answer = match self.hear() {
            Err(Finding::Lost(_)) if self.talk.is_running() => {
                return missing("no answer to `ABOUT`");
            }
            answer => answer?,
        };
        match answer {
            Response::About(about) if about.get("name").is_some_and(|name| !name.is_empty()) => {
                Ok(())
            }
            Response::About(_) => wrong("no `name`"),
            Response::Text(_) => missing("a text instead of `name=\"...\"`, as old brains have it"),
            other => wrong(format!("`{other}` instead of `name=\"...\"`")),
        }
    }

    pub(super) fn start(&mut self) -> StepResult {
        self.new_game().map(|_| ())
    }

    pub(super) fn info(&mut self) -> StepResult {
        self.new_game()?;
        for line in ["INFO game_type 1", "INFO max_memory 83886080", "INFO no_such_key 7"] {
            self.talk.say(line);
        }
        match self.talk.listen(Duration::from_millis(300))?.first() {
            Some(line) => wrong(format!("`{line}` answers an INFO")),
            None => Ok(()),
        }
    }

    pub(super) fn begin(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        self.answer(&mut game, &[Command::Begin]).map(|_| ())
    }

    pub(super) fn turns(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        for _ in 0..2 {
            let turn = self.opponent(&mut game)?;
            self.answer(&mut game, &[turn])?;
        }
        Ok(())
    }

    pub(super) fn board(&mut self) -> StepResult {
        for plies in [1, 4] {
            self.new_game()?;
            let mut game = self.opened(plies);
            let board = self.list(&game);
            self.answer(&mut game, &board)?;
            let turn = self.opponent(&mut game)?;
            self.answer(&mut game, &[turn])?;
        }
        Ok(())
    }

    pub(super) fn captures(&mut self) -> StepResult {
        let is_point = |game: &Game, mv| self.codec.point_of(game, mv).is_some();
        let Some(mut game) = refilled(&self.subject.rules, is_point) else {
            return missing("no game with captures could be found to ask about");
        };
        self.new_game()?;
        let board = self.list(&game);
        self.answer(&mut game, &board).map(|_| ())
    }

    pub(super) fn time(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let asked = Instant::now();
        let turn = self.opponent(&mut game)?;
        self.answer(&mut game, &[turn])?;
        let (taken, limit) = (asked.elapsed(), self.subject.move_time);
        if taken <= limit + TOLERANCE {
            return Ok(());
        }
        wrong(format!("{} ms for a move, {} were allowed", taken.as_millis(), limit.as_millis()))
    }

    pub(super) fn stop(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let long = millis(self.subject.patience.saturating_mul(100));
        self.inform(Info::Number(Setting::TimeoutTurn, long));
        let turn = self.opponent(&mut game)?;
        self.talk.say(&turn);
        let early = self.talk.listen(Duration::from_millis(300))?;
        let moved = |line: &&String| matches!(Response::parse(line), Ok(Response::Moves(_)));
        if let Some(line) = early.iter().find(moved) {
            return missing(format!("it does not use its time: `{line}`"));
        }
        let asked = Instant::now();
        self.answer(&mut game, &[Command::Stop]).map(|_| ())?;
        if asked.elapsed() <= LEAVING { Ok(()) } else { missing("it moves late after YXSTOP") }
    }

    pub(super) fn restart(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        self.answer(&mut game, &[Command::Begin])?;
        self.must(&Command::Restart)?;
        let mut game = Game::new(self.subject.rules.clone());
        self.answer(&mut game, &[Command::Begin]).map(|_| ())
    }

    pub(super) fn rectangle(&mut self) -> StepResult {
        self.talk.say(Command::RectStart(Rectangle { columns: 12, rows: 10 }));
        match self.hear()? {
            Response::Ok => Ok(()),
            Response::Error(why) | Response::Unknown(why) => missing(why),
            other => wrong(format!("`{other}` instead of `OK`, `ERROR` or `UNKNOWN`")),
        }
    }

    pub(super) fn take_back(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let turn = self.opponent(&mut game)?;
        let own = self.answer(&mut game, std::slice::from_ref(&turn))?;
        self.must(&Command::TakeBack(own))?;
        let Command::Turn(opponents) = turn else { return Ok(()) };
        self.must(&Command::TakeBack(opponents))?;
        let mut game = Game::new(self.subject.rules.clone());
        let turn = self.opponent(&mut game)?;
        self.answer(&mut game, &[turn]).map(|_| ())
    }

    pub(super) fn swap2(&mut self) -> StepResult {
        let Ok(opening) = self.subject.rules.with("swap2") else {
            return missing("this game has no swap2");
        };
        let stones = [(7, 7), (8, 8), (7, 9), (3, 3), (11, 4)];
        for count in [0, 3, 5] {
            self.new_game()?;
            self.talk.say(Command::Swap2Board);
            let placed = stones.iter().take(count);
            placed.for_each(|&(x, y)| self.talk.say(Point::new(x, y)));
            self.talk.say(Command::Done);
            let points = match self.hear()? {
                Response::Unknown(_) => return missing("it does not know `SWAP2BOARD`"),
                Response::Swap if count > 0 => continue,
                Response::Moves(points) => points,
                other => return wrong(format!("`{other}` with {count} stones")),
            };
            let allowed: &[usize] = match count {
                0 => &[3],
                3 => &[1, 2],
                _ => &[1],
            };
            if !allowed.contains(&points.len()) {
                return wrong(format!("{} points with {count} stones", points.len()));
            }
            let mut game = Game::new(opening.clone());
            let placed = stones.iter().take(count).map(|&(x, y)| Point::new(x, y));
            let three = placed.chain(points).take(3);
            for point in three {
                self.play(&mut game, point)?;
            }
        }
        Ok(())
    }

    pub(super) fn unknown(&mut self) -> StepResult {
        self.talk.say("NOSUCHCOMMAND 1,1");
        match self.hear()? {
            Response::Unknown(_) => self.start(),
            Response::Error(_) => missing("it says ERROR instead"),
            other => wrong(format!("`{other}` instead of `UNKNOWN`")),
        }
    }

    pub(super) fn errors(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let turn = self.opponent(&mut game)?;
        let own = self.answer(&mut game, std::slice::from_ref(&turn))?;
        for command in [turn, Command::Turn(Point::new(99, 99))] {
            self.talk.say(&command);
            match self.hear()? {
                Response::Error(_) => {}
                other => return wrong(format!("`{command}` gives `{other}`, not `ERROR`")),
            }
        }
        let turn = self.opponent(&mut game)?;
        let second = self.answer(&mut game, std::slice::from_ref(&turn))?;
        if let Command::Turn(theirs) = turn {
            self.position_is_kept(&[second, theirs, own])?;
        }
        self.talk.say(Command::Start(Size { columns: 1000, rows: 1000 }));
        match self.hear()? {
            Response::Error(_) => Ok(()),
            other => wrong(format!("a board of 1000 gives `{other}`, not `ERROR`")),
        }
    }

    /// Takes stones back, the last one first, by those engines that can.
    fn position_is_kept(&mut self, stones: &[Point]) -> StepResult {
        for &stone in stones {
            match self.must(&Command::TakeBack(stone)) {
                Err(Finding::Missing(_)) => return Ok(()),
                Err(Finding::Wrong(why)) => {
                    return wrong(format!("what it refused has changed the position: {why}"));
                }
                other => other?,
            }
        }
        Ok(())
    }

    pub(super) fn carriage_returns(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let start = start(self.grid).to_string().to_lowercase();
        self.talk.say(format!("{start}\r"));
        match self.hear()? {
            Response::Ok => {}
            other => return wrong(format!("`{start}` gives `{other}`, not `OK`")),
        }
        self.talk.say("begin\r");
        self.answer(&mut game, &[]).map(|_| ())
    }

    pub(super) fn whole_game(&mut self) -> StepResult {
        let mut game = self.new_game()?;
        let quick = millis(self.subject.move_time / 5);
        self.inform(Info::Number(Setting::TimeoutTurn, quick));
        while game.outcome().is_none() && game.moves().len() < LONGEST {
            let is_first = game.moves().is_empty();
            let question = if is_first { vec![Command::Begin] } else { self.list(&game) };
            self.answer(&mut game, &question)?;
            self.must(&Command::Restart).or_else(|finding| match finding {
                Finding::Missing(_) => self.must(&start(self.grid)),
                finding => Err(finding),
            })?;
        }
        Ok(())
    }

    pub(super) fn end(&mut self) -> StepResult {
        self.new_game()?;
        self.talk.say(Command::End);
        self.talk.ends_within(LEAVING, false)?;
        Err(Finding::Gone)
    }

    pub(super) fn end_of_input(&mut self) -> StepResult {
        self.new_game()?;
        self.talk.ends_within(LEAVING, true)?;
        Err(Finding::Gone)
    }
}
