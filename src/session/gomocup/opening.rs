//! Swap openings: `SWAP2BOARD`, and Yixin's steps of it.

use super::think::Pending;
use super::{CommandResult, Gomocup};
use crate::state::SessionState;
use pentarch_core::game::{Move, MoveKind, Seat};
use pentarch_engine::Game;
use pentarch_engine::search::Limits;
use pentarch_protocol::gomocup::{Point, Response};
use std::error::Error;
use std::time::Instant;

/// The answer to an opening that is being worked out.
pub(super) struct OpeningAnswer {
    /// The seat that answers with all its stones.
    seat: Seat,
    /// The stones so far.
    stones: Vec<Point>,
    /// Which of Yixin's steps was asked for; none for `SWAP2BOARD`.
    step: Option<u8>,
}

impl Gomocup {
    /// Answers `SWAP2BOARD`.
    pub(super) fn open_with(
        &mut self,
        state: &mut SessionState,
        points: &[Point],
    ) -> CommandResult {
        self.set_opening(state, points)?;
        let seat = state.game.to_move();
        self.think_of_opening(state, OpeningAnswer { seat, stones: Vec::new(), step: None })
    }

    /// Answers one of Yixin's steps. The stones are those on the board.
    pub(super) fn open_step(&mut self, state: &mut SessionState, step: u8) -> CommandResult {
        let (points, expected) = match step {
            1 => (Vec::new(), 0),
            2 => (self.points(&state.game), 3),
            _ => (self.points(&state.game), 5),
        };
        if points.len() != expected {
            let found = points.len();
            return Err(
                format!("YXSWAP2STEP{step}: expected {expected} stones, found {found}").into()
            );
        }
        self.set_opening(state, &points)?;
        let seat = state.game.to_move();
        self.think_of_opening(state, OpeningAnswer { seat, stones: Vec::new(), step: Some(step) })
    }

    /// Sets the opening with these stones on the board.
    fn set_opening(
        &self,
        state: &mut SessionState,
        points: &[Point],
    ) -> Result<(), Box<dyn Error>> {
        let start = self.new_game(state)?;
        let game = self.codec.opening(start.rules(), points)?;
        state.set_game(game);
        Ok(())
    }

    /// The stones of a game in the order in which they were placed, as far as a list of points can
    /// say: where nothing was captured.
    fn points(&self, game: &Game) -> Vec<Point> {
        game.grid().map(|grid| self.codec.points(grid, &game.moves())).unwrap_or_default()
    }

    /// Starts to look for the seat's next stone or choice.
    fn think_of_opening(
        &mut self,
        state: &mut SessionState,
        opening: OpeningAnswer,
    ) -> CommandResult {
        let limits = self.settings.limits();
        // One answer takes up to three searches.
        let limits = Limits { move_time: limits.move_time.map(|time| time / 3), ..limits };
        state.think(limits, false)?;
        self.pending = Some(Pending { started: Instant::now(), opening: Some(opening) });
        Ok(Vec::new())
    }

    /// Goes on with an opening after a stone or a choice of its seat, or answers.
    pub(super) fn opened(
        &mut self,
        mut opening: OpeningAnswer,
        mv: Move,
        state: &mut SessionState,
    ) -> CommandResult {
        let grid = state.game.grid().ok_or("this game has no points")?;
        opening.stones.extend(mv.cell().map(|cell| self.codec.point(grid, cell)));
        let goes_on = state.game.outcome().is_none() && state.game.to_move() == opening.seat;
        let Some(step) = opening.step else {
            if goes_on {
                return self.think_of_opening(state, opening);
            }
            return Ok(vec![self.codec.opening_answer(opening.stones)]);
        };
        // Here the first stone after a color was kept is asked for by `BOARD`.
        let is_settled = matches!(mv.kind(), MoveKind::Swap | MoveKind::Keep);
        if goes_on && !is_settled {
            return self.think_of_opening(state, opening);
        }
        let answer = step_answer(step, &opening.stones, goes_on);
        // What follows comes stone by stone, whoever chooses which color.
        let points = self.points(&state.game);
        let start = self.new_game(state)?;
        let game = self.codec.place(&start, points)?;
        state.set_game(game);
        Ok(answer)
    }
}

/// The answer to a step in Yixin's words: each stone, or whether the brain takes the first color.
fn step_answer(step: u8, stones: &[Point], goes_on: bool) -> Vec<Response> {
    let message = |text: String| Response::Message(format!("SWAP2 {text}"));
    if stones.is_empty() {
        let word = if goes_on { "NO" } else { "YES" };
        let choice = if step == 2 { 1 } else { 2 };
        return vec![message(format!("SWAP{choice} {word}"))];
    }
    let first = if step == 1 { 1 } else { 4 };
    let moves = (first..).zip(stones);
    moves.map(|(number, point)| message(format!("MOVE{number} {} {}", point.x, point.y))).collect()
}
