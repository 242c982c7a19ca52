//! Searches: what they are for, how they begin, and what is answered when they end.

use super::super::output::Output;
use super::super::state::SessionState;
use super::analysis::Stream;
use super::{CommandResult, Gtp, Played, Reply, charts, is_to_move, success};
use crate::dialects::gtp::{color, is_plain, side_color};
use pentarch_core::game::{Move, MoveKind};
use pentarch_engine::search::{Limits, Report, SearchResult};
use pentarch_protocol::gtp::{Chart, Color, Response};
use std::io;
use std::time::{Duration, Instant};

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To play the move that it finds.
    Play,
    /// To show it.
    Show,
    /// To show it, unless another line comes before.
    ShowUnlessStopped,
    /// To be watched, until another line comes.
    Watch,
    /// To draw what it finds.
    Chart(Chart),
}

/// A search that will answer a command.
pub(super) struct Pending {
    pub(super) id: Option<u32>,
    pub(super) color: Color,
    pub(super) started: Instant,
    pub(super) purpose: Purpose,
    pub(super) limits: Limits,
    /// Where lines are written while it runs.
    pub(super) stream: Option<Stream>,
    /// The last report for each rank.
    pub(super) reports: Vec<Report>,
    /// The reports of the iteration that is under way.
    coming: Vec<Report>,
    /// Whether a line ended it.
    pub(super) stopped: bool,
    /// Whether `keep` was chosen on the way to a vertex that says so.
    kept: bool,
}

impl Pending {
    /// Whether any line ends it.
    pub(super) fn ends_with_next_line(&self) -> bool {
        matches!(self.purpose, Purpose::Watch | Purpose::ShowUnlessStopped)
    }

    /// When the next line is due.
    pub(super) fn next_line_at(&self) -> Option<Instant> {
        self.stream.as_ref().filter(|_| !self.reports.is_empty()).map(|stream| stream.due)
    }

    /// Takes a report. The ranks of an iteration come one by one, and stand together for those of
    /// the last one only when they are as many.
    pub(super) fn take(&mut self, report: &Report) {
        if let Some(stream) = &mut self.stream {
            stream.fresh = true;
        }
        if report.multipv <= 1 {
            self.coming.clear();
        }
        self.coming.push(report.clone());
        if self.coming.len() >= self.reports.len() {
            self.reports.clone_from(&self.coming);
        }
    }
}

/// The moves that the chart of the best ones shows.
const CHARTED: u32 = 5;
/// The moves that the map of candidates shows, and the nodes that are enough for it.
const CANDIDATES: u32 = 10;
const CANDIDATE_NODES: u64 = 20_000;

impl Gtp {
    /// Starts to look for a move, unless the answer is plain.
    pub(super) fn generate(
        &mut self,
        state: &mut SessionState,
        id: Option<u32>,
        color: Color,
        purpose: Purpose,
    ) -> CommandResult {
        if let Some(text) = self.without_search(state, color, purpose) {
            return success(text);
        }
        self.search(state, Pending::new(id, color, purpose, self.limits(state, color), None), 1)?;
        Ok(Reply::Later)
    }

    /// The answer to `genmove` where nothing is to be thought about. A pass is no move of the game
    /// then, but one for the controller to undo.
    pub(super) fn without_search(
        &mut self,
        state: &SessionState,
        color: Color,
        purpose: Purpose,
    ) -> Option<&'static str> {
        let game = &state.game;
        let lost = |outcome: pentarch_core::game::Outcome| {
            outcome.winner.is_some_and(|side| side_color(side) != color)
        };
        match game.outcome() {
            Some(outcome) if lost(outcome) => return Some("resign"),
            None if is_to_move(game, color) => return None,
            _ => (),
        }
        if purpose == Purpose::Play {
            self.plays.push(Played::Moves(0));
        }
        Some("pass")
    }

    /// The limits of a search for a move of that color.
    pub(super) fn limits(&self, state: &SessionState, color: Color) -> Limits {
        Limits { search_moves: self.known_moves(state), ..self.clock.limits(color) }
    }

    /// The moves that the client understands, or an empty list where they are all.
    fn known_moves(&self, state: &SessionState) -> Vec<Move> {
        let special = state.game.rules().tiles().is_none() && !self.codec.extended;
        let mut moves = if special { state.game.legal_moves() } else { Vec::new() };
        if moves.iter().all(|&mv| is_plain(mv)) {
            return Vec::new();
        }
        moves.retain(|&mv| is_plain(mv));
        moves
    }

    pub(super) fn search(
        &mut self,
        state: &mut SessionState,
        pending: Pending,
        moves: u32,
    ) -> Result<(), String> {
        let begun = state.think_of_many(pending.limits.clone(), moves);
        begun.map_err(|error| error.to_string())?;
        self.pending = Some(pending);
        Ok(())
    }

    /// Starts the search that a chart is drawn from.
    pub(super) fn search_chart(
        &mut self,
        state: &mut SessionState,
        id: Option<u32>,
        chart: Chart,
    ) -> CommandResult {
        if state.game.outcome().is_some() {
            return success("TEXT the game is over");
        }
        let color = color(state.game.to_move());
        let limits = self.limits(state, color);
        let (moves, limits) = match chart {
            Chart::BestMoves => (CHARTED, limits),
            Chart::Candidates => (CANDIDATES, Limits { nodes: Some(CANDIDATE_NODES), ..limits }),
            _ => (1, limits),
        };
        self.search(state, Pending::new(id, color, Purpose::Chart(chart), limits, None), moves)?;
        Ok(Reply::Later)
    }

    /// Ends a command with what its search found.
    pub(super) fn answer(
        &mut self,
        mut pending: Pending,
        found: &SearchResult,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        if pending.reports.is_empty() && !found.report.pv.is_empty() {
            pending.take(&found.report);
        }
        match pending.purpose {
            Purpose::Watch => return self.end_stream(&mut pending, state, out, None),
            Purpose::Chart(chart) => {
                let text = charts::searched(state, chart, &pending.reports, self.codec);
                return out.send(&Response::success(pending.id, text).to_string());
            }
            Purpose::ShowUnlessStopped if pending.stopped => {
                return self.end(&mut pending, Ok("cancelled".to_owned()), state, out);
            }
            Purpose::Play | Purpose::Show | Purpose::ShowUnlessStopped => (),
        }
        let Some(mv) = found.best else {
            return self.end(&mut pending, Err("no move was found".to_owned()), state, out);
        };
        let Some(text) = self.codec.move_text(&state.game, mv) else {
            return self.say_by_next_stone(pending, mv, state, out);
        };
        let done = self.settle(&pending, mv, state).map(|()| text);
        self.end(&mut pending, done, state, out)
    }

    /// Plays a move if that is asked for, and leaves the game as it was if not.
    fn settle(
        &mut self,
        pending: &Pending,
        mv: Move,
        state: &mut SessionState,
    ) -> Result<(), String> {
        let kept = usize::from(pending.kept);
        if pending.purpose == Purpose::Play {
            self.clock.spend(pending.color, pending.started.elapsed());
            state.game.play_move(mv).map_err(|error| error.to_string())?;
            self.plays.push(Played::Moves(1 + kept));
        } else if pending.kept {
            state.game.undo();
        }
        Ok(())
    }

    /// There are fewer stones than choices: `keep` is said by the stone that comes next, which the
    /// same player places.
    fn say_by_next_stone(
        &mut self,
        pending: Pending,
        mv: Move,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        let mut failed =
            |error: String| out.send(&Response::failure(pending.id, error).to_string());
        if mv.kind() != MoveKind::Keep || pending.kept {
            return failed(format!("no vertex stands for `{}`", state.game.move_text(mv)));
        }
        if let Err(error) = state.game.play_move(mv) {
            return failed(error.to_string());
        }
        let (id, mover, purpose) = (pending.id, pending.color, pending.purpose);
        let limits = Limits { search_moves: self.known_moves(state), ..pending.limits };
        let limits = half(limits);
        let again = Pending {
            kept: true,
            started: pending.started,
            ..Pending::new(id, mover, purpose, limits, pending.stream)
        };
        match self.search(state, again, 1) {
            Ok(()) => Ok(()),
            Err(error) => {
                state.game.undo();
                out.send(&Response::failure(id, error).to_string())
            }
        }
    }

    /// Writes the answer, at the end of a stream or alone.
    fn end(
        &mut self,
        pending: &mut Pending,
        result: Result<String, String>,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        if pending.stream.is_some() {
            let text = result.unwrap_or_else(|_| "pass".to_owned());
            return self.end_stream(pending, state, out, Some(&text));
        }
        let response = match result {
            Ok(text) => Response::success(pending.id, text),
            Err(error) => Response::failure(pending.id, error),
        };
        out.send(&response.to_string())
    }
}

/// Half of the time for a move, for the second of two searches.
fn half(limits: Limits) -> Limits {
    let half = |time: Duration| time / 2;
    Limits { move_time: limits.move_time.map(half), ..limits }
}

impl Pending {
    pub(super) fn new(
        id: Option<u32>,
        color: Color,
        purpose: Purpose,
        limits: Limits,
        stream: Option<Stream>,
    ) -> Pending {
        Pending {
            id,
            color,
            started: Instant::now(),
            purpose,
            limits,
            stream,
            reports: Vec::new(),
            coming: Vec::new(),
            stopped: false,
            kept: false,
        }
    }
}
