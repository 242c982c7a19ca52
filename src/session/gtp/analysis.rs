//! Searches that are reported while they run.

use super::super::output::Output;
use super::super::state::SessionState;
use super::generate::{Pending, Purpose};
use super::{CommandResult, Gtp, Reply, is_to_move, success};
use crate::dialects::gtp::{Codec, color};
use pentarch_core::game::Move;
use pentarch_engine::search::{Limits, Report};
use pentarch_engine::{Game, Options};
use pentarch_protocol::gtp::{Analyze, Flavor, Task};
use std::io;
use std::time::{Duration, Instant};

/// The lines of an analysis.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    flavor: Flavor,
    root_info: bool,
    interval: Duration,
    /// When the next line is to be written.
    pub(super) due: Instant,
    /// Whether something has come in since the last line.
    pub(super) fresh: bool,
}

/// Between two lines, when the client does not say.
const INTERVAL: u32 = 50;
/// How many moves are reported, when the client does not say.
const MOVES: u32 = 10;

impl Stream {
    fn new(analyze: &Analyze) -> Stream {
        let centiseconds = analyze.interval.unwrap_or(INTERVAL).max(1);
        Stream {
            flavor: analyze.flavor,
            root_info: analyze.root_info,
            interval: Duration::from_millis(10 * u64::from(centiseconds)),
            // The first line comes with the first report.
            due: Instant::now(),
            fresh: false,
        }
    }

    /// One line for all ranks.
    fn text(&self, codec: Codec, game: &Game, reports: &[Report]) -> String {
        codec.analysis(game, reports, self.flavor, self.root_info)
    }
}

impl Gtp {
    pub(super) fn analyze(
        &mut self,
        state: &mut SessionState,
        id: Option<u32>,
        analyze: &Analyze,
    ) -> CommandResult {
        let mover = analyze.color.unwrap_or_else(|| color(state.game.to_move()));
        let purpose = match analyze.task {
            Task::Watch => Purpose::Watch,
            Task::Play => Purpose::Play,
            Task::Search => Purpose::Show,
            Task::CancellableSearch => Purpose::ShowUnlessStopped,
        };
        if purpose == Purpose::Watch {
            if state.game.outcome().is_some() {
                return success("");
            }
            if !is_to_move(&state.game, mover) {
                return Err(format!(
                    "cannot analyze: it is player {}'s turn",
                    state.game.to_move()
                ));
            }
        } else if let Some(text) = self.without_search(state, mover, purpose) {
            return success(format!("\nplay {text}"));
        }
        let mut limits = match purpose {
            Purpose::Watch => Limits { infinite: true, ..Limits::default() },
            _ => self.limits(state, mover),
        };
        restrict(self.codec, state, analyze, &mut limits)?;
        let most = *Options::MULTI_PV.end();
        let least = analyze.min_moves.unwrap_or(1);
        let moves = analyze.max_moves.unwrap_or(MOVES.max(least)).clamp(1, most);
        let pending = Pending::new(id, mover, purpose, limits, Some(Stream::new(analyze)));
        self.search(state, pending, moves)?;
        Ok(Reply::Stream)
    }

    /// Keeps a report, and writes a line if one is due.
    pub(super) fn take_report(
        &mut self,
        report: &Report,
        state: &SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        let Some(pending) = &mut self.pending else { return Ok(()) };
        pending.take(report);
        self.write_due_line(state, out)
    }

    /// Writes a line if it is time.
    pub(super) fn write_due_line(
        &mut self,
        state: &SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        let codec = self.codec;
        let Some(pending) = &mut self.pending else { return Ok(()) };
        let Some(stream) = &mut pending.stream else { return Ok(()) };
        let now = Instant::now();
        if now < stream.due || pending.reports.is_empty() {
            return Ok(());
        }
        stream.due = now + stream.interval;
        stream.fresh = false;
        out.line(&stream.text(codec, &state.game, &pending.reports))
    }

    /// Writes what has not been reported yet, the move if one was looked for, and the end.
    pub(super) fn end_stream(
        &mut self,
        pending: &mut Pending,
        state: &SessionState,
        out: &mut Output,
        chosen: Option<&str>,
    ) -> io::Result<()> {
        let mut text = String::new();
        if let Some(stream) = pending.stream.take().filter(|stream| stream.fresh) {
            // A move that was played has to be taken back for its own line to be written.
            let mut game = state.game.clone();
            if chosen.is_some() && pending.purpose == Purpose::Play {
                for _ in 0..self.plays.last().map_or(0, |played| played.moves()) {
                    game.undo();
                }
            }
            text = stream.text(self.codec, &game, &pending.reports) + "\n";
        }
        if let Some(mv) = chosen {
            text = text + "play " + mv + "\n";
        }
        out.send(&(text + "\n"))
    }
}

/// Leaves the moves that the command allows.
fn restrict(
    codec: Codec,
    state: &SessionState,
    analyze: &Analyze,
    limits: &mut Limits,
) -> Result<(), String> {
    let game = &state.game;
    for rule in &analyze.restrictions {
        if !is_to_move(game, rule.color) || rule.plies == 0 {
            continue;
        }
        let mut named: Vec<Move> = Vec::new();
        for text in &rule.moves {
            let moves = codec.parse_move(game, text).map_err(|error| error.to_string())?;
            named.extend(moves.first());
        }
        if limits.search_moves.is_empty() {
            limits.search_moves = game.legal_moves();
        }
        limits.search_moves.retain(|mv| named.contains(mv) == rule.allow);
        if limits.search_moves.is_empty() {
            return Err("no legal move is left to analyze".to_owned());
        }
    }
    Ok(())
}
