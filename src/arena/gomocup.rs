//! Players that speak Gomocup's protocol.
//!
//! It knows points, and of all openings with a choice only swap2: a brain's answer to `SWAP2BOARD`
//! is then several of its moves at once.

use super::child::{Controller, read_moves};
use super::fault::{ArenaError, Failure, Fault};
use super::player::{Action, Decision, NewGame, Turn};
use super::process::{Deadline, Process};
use super::time::Timer;
use crate::board::Grid;
use crate::engine::Game;
use crate::game::Move;
use crate::rules::{Ruleset, Swap};
use pentarch_protocol::gomocup::{Command, Coordinates, Info, Owner, Point, Response, Setting};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The manager's side of the protocol.
#[derive(Clone, Debug)]
pub(super) struct Gomocup {
    rules: Ruleset,
    grid: Grid,
    /// `INFO` lines of the user.
    options: Vec<(String, String)>,
    /// How many of the game's moves the brain has been sent or has made; none of an opening.
    sent: usize,
    /// Moves of an opening that the brain has announced.
    announced: VecDeque<Move>,
}

/// `time_left` of a game without a clock.
const NO_CLOCK: i64 = 2_147_483_647;

/// The games that `INFO rule` can name.
const RULES: [(&str, i64); 5] =
    [("gomoku", 0), ("gomoku-standard", 1), ("renju", 4), ("caro", 8), ("caro-standard", 9)];

impl Gomocup {
    pub(super) fn new(
        rules: &Ruleset,
        options: &[(String, String)],
    ) -> Result<Gomocup, ArenaError> {
        is_playable(rules)?;
        let (rules, grid, options) = (rules.clone(), rules.grid(), options.to_vec());
        Ok(Gomocup { rules, grid, options, sent: 0, announced: VecDeque::new() })
    }

    /// The stones of the game so far, choices left out.
    fn stones(&self, turn: &Turn<'_>) -> Vec<Point> {
        let point = |mv: Move| point(self.grid, &self.grid.label(mv.cell()?));
        turn.moves().into_iter().filter_map(point).collect()
    }

    /// The commands that ask for the next move.
    fn question(&self, turn: &Turn<'_>) -> Vec<Command> {
        let stones = self.stones(turn);
        let bare = |point| Command::Stone { point, owner: None };
        if is_swap2_turn(turn.game, stones.len()) {
            let list = stones.into_iter().map(bare);
            return [Command::Swap2Board].into_iter().chain(list).chain([Command::Done]).collect();
        }
        let new = turn.plies.len() - self.sent;
        match stones.last() {
            None => vec![Command::Begin],
            Some(&last) if new == 1 => vec![Command::Turn(last)],
            Some(_) => {
                // The colors take turns, and the brain has the one of the stone to come.
                let next = stones.len() % 2;
                let list = stones.into_iter().enumerate().map(|(index, point)| {
                    let owner = if index % 2 == next { Owner::Own } else { Owner::Opponent };
                    Command::Stone { point, owner: Some(owner) }
                });
                [Command::Board].into_iter().chain(list).chain([Command::Done]).collect()
            }
        }
    }

    /// The moves that an answer means.
    fn moves(&self, response: &Response, game: &Game) -> Result<VecDeque<Move>, Fault> {
        let garbled = || Fault::Garbled(response.to_string());
        let points = match response {
            Response::Moves(points) => points.as_slice(),
            _ => &[],
        };
        let mut texts = Vec::new();
        for point in points {
            let off = || Fault::IllegalMove(format!("{point} is not on the board"));
            texts.push(text(self.grid, *point).ok_or_else(off)?);
        }
        let legal = |word: &str| game.parse_move(word).is_ok_and(|mv| game.check_move(mv).is_ok());
        match (is_choice(game), points.len()) {
            (false, 1) if *response != Response::Swap => {}
            (false, 3) if is_swap2_turn(game, 0) => {}
            (true, 2) if legal("more") => texts.insert(0, "more".to_owned()),
            (true, 0 | 1) => {
                texts.insert(0, choice(game, points.is_empty()).ok_or_else(garbled)?);
            }
            _ => return Err(garbled()),
        }
        Ok(read_moves(game, &texts)?.into())
    }
}

/// Refuses games of which the protocol has no words.
pub(crate) fn is_playable(rules: &Ruleset) -> Result<(), ArenaError> {
    let knows = if rules.tiles().is_some() {
        "points only"
    } else if rules.hexes().is_some() {
        "squares only"
    } else if rules.seating().seats != 2 {
        "two players only"
    } else if rules.seating().double_turns {
        "one stone a turn only"
    } else if rules.swap().is_some_and(|swap| swap != Swap::Two) {
        "of all openings with a choice swap2 only"
    } else {
        return Ok(());
    };
    let why = format!("`{rules}` cannot be played over proto=gomocup, which knows {knows}");
    Err(ArenaError::Setup(why))
}

/// The command that begins a game on that board.
pub(crate) fn start(grid: Grid) -> Command {
    let (columns, rows) = (grid.columns().into(), grid.rows().into());
    if columns == rows {
        Command::Start { columns, rows }
    } else {
        Command::RectStart { columns, rows }
    }
}

/// What is played: by number where there is one, whatever the size, else by name. Swap2 is not part
/// of it.
pub(crate) fn variant(wanted: &Ruleset) -> Info {
    let size = format!("size={}", wanted.grid());
    let same = |name: &str| {
        let rules = name.parse::<Ruleset>().and_then(|rules| rules.with(&size));
        rules.is_ok_and(|rules| {
            rules == *wanted || rules.with("swap2").is_ok_and(|rules| rules == *wanted)
        })
    };
    match RULES.into_iter().find(|(name, _)| same(name)) {
        Some((_, number)) => Info::Number(Setting::Rule, number),
        None => Info::Variant(wanted.to_string()),
    }
}

/// The point of a stone's text, none where it is no stone.
pub(crate) fn point(grid: Grid, text: &str) -> Option<Point> {
    let cell = grid.parse(text).ok()?;
    Some(Point::on_board(Coordinates::Xy, grid.column(cell), grid.row(cell), grid.rows()))
}

/// The text of a point, which need not lie on the board; none is far off.
pub(crate) fn text(grid: Grid, point: Point) -> Option<String> {
    let (column, row) = point.column_and_row(Coordinates::Xy, grid.rows());
    let letter = (b'a'..=b'z').nth(usize::try_from(column).ok()?)?;
    Some(format!("{}{}", char::from(letter), i64::from(row) + 1))
}

/// Whether the seat to move is asked by `SWAP2BOARD`: for the first three stones, or for a choice.
fn is_swap2_turn(game: &Game, stones: usize) -> bool {
    let opens = || game.rules().with("swap2").is_ok_and(|rules| rules == *game.rules());
    (stones == 0 && game.ply() == 0 && opens()) || is_choice(game)
}

/// Whether the seat to move must choose a color.
fn is_choice(game: &Game) -> bool {
    game.parse_move("swap").is_ok_and(|mv| game.check_move(mv).is_ok())
}

/// The choice after which the opponent is to move, or the chooser again.
fn choice(game: &Game, opponent_moves: bool) -> Option<String> {
    let seat = game.to_move();
    let fits = |word: &&str| {
        let mut game = game.clone();
        game.play(word).is_ok() && (game.to_move() != seat) == opponent_moves
    };
    ["swap", "keep"].into_iter().find(fits).map(str::to_owned)
}

/// Waits for the answer to a question.
fn answer(
    process: &mut Process,
    question: &str,
    deadline: Deadline,
) -> Result<(Instant, Response), Failure> {
    loop {
        let (at, line) = process.read(question, deadline)?;
        match Response::parse(&line) {
            Ok(Response::Suggest(point)) => process.send(&Command::Play(point).to_string()),
            Ok(Response::Error(answer) | Response::Unknown(answer)) => {
                return Err(Fault::Refused { command: question.to_owned(), answer }.into());
            }
            Ok(response @ (Response::Moves(_) | Response::Swap | Response::Ok)) => {
                return Ok((at, response));
            }
            Ok(Response::Text(text))
                if text.trim_start().starts_with(|c: char| c.is_ascii_digit()) =>
            {
                return Err(Fault::Garbled(text).into());
            }
            Ok(_) => {}
            Err(_) => return Err(Fault::Garbled(line).into()),
        }
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// What a manager sends of the limits before a game.
fn limits(timer: &Timer) -> Vec<Info> {
    let control = timer.control();
    let number = |setting, value: Option<i64>| value.map(|value| Info::Number(setting, value));
    let game = control.clock.map_or(0, |clock| millis(clock.time));
    let increment = control.clock.map(|clock| clock.increment).filter(|time| !time.is_zero());
    let infos = [
        number(Setting::TimeoutTurn, control.move_time.map(millis)),
        number(Setting::TimeoutMatch, Some(game)),
        number(Setting::TimeIncrement, increment.map(millis)),
        number(Setting::MaxDepth, control.depth.map(i64::from)),
        number(
            Setting::MaxNode,
            control.nodes.map(|nodes| i64::try_from(nodes).unwrap_or(i64::MAX)),
        ),
    ];
    infos.into_iter().flatten().collect()
}

impl Controller for Gomocup {
    fn name(&self) -> &'static str {
        "Gomocup's protocol"
    }

    fn farewell(&self) -> &'static str {
        "END"
    }

    fn knows_positions(&self) -> bool {
        false
    }

    fn introduce(&mut self, process: &mut Process) -> Result<Option<String>, Failure> {
        let about = Command::About.to_string();
        process.send(&about);
        let deadline = Deadline::after(process.timeouts().silence);
        let name = loop {
            let (_, line) = process.read(&about, deadline)?;
            match Response::parse(&line) {
                Ok(Response::About(about)) => break about.get("name").map(str::to_owned),
                // Old brains answer with a text for humans.
                Ok(Response::Text(text)) if !text.trim().is_empty() => break Some(text),
                Ok(Response::Unknown(_)) => break None,
                _ => {}
            }
        };
        Ok(name.filter(|name| !name.is_empty()))
    }

    fn new_game(&mut self, process: &mut Process, new: &NewGame<'_>) -> Result<(), Failure> {
        process.skip_pending();
        let start = start(self.grid).to_string();
        process.send(&start);
        let deadline = Deadline::after(process.timeouts().silence);
        let (_, response) = answer(process, &start, deadline)?;
        if response != Response::Ok {
            return Err(Fault::Garbled(response.to_string()).into());
        }
        for info in [variant(&self.rules)].into_iter().chain(limits(new.timer)) {
            process.send(&info.to_string());
        }
        for (key, value) in self.options.clone() {
            process.send(&Info::Other { key, value }.to_string());
        }
        (self.sent, self.announced) = (0, VecDeque::new());
        Ok(())
    }

    fn choose(&mut self, process: &mut Process, turn: &Turn<'_>) -> Result<Decision, Failure> {
        if let Some(mv) = self.announced.pop_front() {
            return Ok(Decision::announced(mv));
        }
        process.skip_pending();
        let question = self.question(turn);
        let left = turn.timer().clock().map_or(NO_CLOCK, |clock| millis(clock.left));
        process.send(&Info::Number(Setting::TimeLeft, left).to_string());
        let name = question.first().map(Command::to_string).unwrap_or_default();
        let deadline = Deadline::after(process.timeouts().for_move(turn.timer().limit()));
        for command in &question {
            process.send(&command.to_string());
        }
        let mut answered = answer(process, &name, deadline);
        if let Err(Failure::Fault(Fault::Hang { .. })) = answered {
            process.send(&Command::Stop.to_string());
            answered = answer(process, &name, deadline.extended(process.timeouts().grace()));
        }
        let (at, response) = answered?;
        self.announced = self.moves(&response, turn.game)?;
        // After an opening the whole board is sent.
        self.sent = if question[0] == Command::Swap2Board { 0 } else { turn.plies.len() + 1 };
        let garbled = || Fault::Garbled(response.to_string());
        let action = Action::Move(self.announced.pop_front().ok_or_else(garbled)?);
        let time = at.saturating_duration_since(deadline.start());
        Ok(Decision { action, time, report: None })
    }
}
