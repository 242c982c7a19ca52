//! Searches: how they start, what is reported while they run, and the answer at their end.

use super::super::codec::gtp::{Codec, color, is_plain, side_color};
use super::super::state::SessionState;
use super::super::streams::Output;
use super::{
    CommandResult, GtpSession, Play, Reply, analyze_menu, gnugo, is_to_move, katago, success,
};
use pentarch_core::game::{Move, MoveKind, Outcome};
use pentarch_engine::search::{Limits, Report, SearchResult};
use pentarch_engine::{Game, Options};
use pentarch_protocol::gtp::{AnalysisFormat, Analyze, Color, MenuCommand, Response, SearchTask};
use std::io;
use std::time::{Duration, Instant};

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchPurpose {
    /// Play the best move.
    Play,
    /// Answer with the best move.
    Show,
    /// Answer with the best move, unless another line comes before.
    ShowUnlessStopped,
    /// Report until another line comes.
    Watch,
    /// Answer an entry of the analyze menu.
    Menu(MenuCommand),
    /// Answer with the best moves and their values.
    TopMoves,
    /// Answer with the speed of the search.
    Benchmark,
}

/// A search that will answer a command.
pub(super) struct PendingSearch {
    pub(super) id: Option<u32>,
    pub(super) color: Color,
    /// The start of the command.
    pub(super) started: Instant,
    /// The start of the search, which may be the second one of the command.
    searching: Instant,
    pub(super) purpose: SearchPurpose,
    pub(super) limits: Limits,
    /// The reports that are written while it runs.
    pub(super) stream: Option<AnalysisStream>,
    /// The last report for each rank.
    pub(super) reports: Vec<Report>,
    /// The reports of the current iteration.
    new_reports: Vec<Report>,
    /// Whether a line stopped it.
    pub(super) stopped: bool,
    /// Whether `keep` was played, so that the next vertex can express it.
    kept: bool,
}

impl PendingSearch {
    /// Returns whether any line ends it.
    pub(super) fn ends_with_next_line(&self) -> bool {
        matches!(self.purpose, SearchPurpose::Watch | SearchPurpose::ShowUnlessStopped)
    }

    /// Returns the time of the next report.
    pub(super) fn next_report_at(&self) -> Option<Instant> {
        self.stream.as_ref().filter(|_| !self.reports.is_empty()).map(|stream| stream.due)
    }

    /// Adds a report. The ranks of an iteration arrive one by one, and replace those of the previous
    /// iteration once they are as many.
    fn add(&mut self, report: &Report) {
        if let Some(stream) = &mut self.stream {
            stream.has_news = true;
        }
        if report.multipv <= 1 {
            self.new_reports.clear();
        }
        self.new_reports.push(report.clone());
        if self.new_reports.len() >= self.reports.len() {
            self.reports.clone_from(&self.new_reports);
        }
    }
}

/// The number of moves of [`MenuCommand::BestMoves`].
const BEST_MOVES: u32 = 5;
/// The number of moves of [`MenuCommand::Candidates`].
const CANDIDATES: u32 = 10;
/// The nodes of the search for [`MenuCommand::Candidates`].
const CANDIDATE_NODES: u64 = 20_000;

impl GtpSession {
    /// Starts a search for a move, unless the answer is known without.
    pub(super) fn generate(
        &mut self,
        state: &mut SessionState,
        id: Option<u32>,
        color: Color,
        purpose: SearchPurpose,
    ) -> CommandResult {
        if let Some(text) = self.answer_without_search(state, color, purpose) {
            return success(text);
        }
        let mut limits = self.limits(state, color);
        if state.game.is_choice() && !self.codec.extended {
            // The stone that expresses `keep` takes a second search.
            limits.move_time = limits.move_time.map(|time| time / 2);
        }
        self.search(state, PendingSearch::new(id, color, purpose, limits, None), 1)?;
        Ok(Reply::Later)
    }

    /// Returns the answer to `genmove` if it needs no search. A pass is then not a move of the game, but
    /// one that the controller can undo.
    fn answer_without_search(
        &mut self,
        state: &SessionState,
        color: Color,
        purpose: SearchPurpose,
    ) -> Option<&'static str> {
        let game = &state.game;
        let lost = |outcome: Outcome| outcome.winner.is_some_and(|side| side_color(side) != color);
        match game.outcome() {
            Some(outcome) if lost(outcome) => return Some("resign"),
            None if is_to_move(game, color) => return None,
            _ => (),
        }
        if purpose == SearchPurpose::Play {
            self.plays.push(Play::Moves(0));
        }
        Some("pass")
    }

    /// Returns the limits of a search for a move of a color.
    pub(super) fn limits(&self, state: &SessionState, color: Color) -> Limits {
        let limits = Limits { search_moves: self.known_moves(state), ..self.clock.limits(color) };
        self.katago.restrict(limits)
    }

    /// Returns the moves that the client understands; empty if these are all.
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
        pending: PendingSearch,
        moves: u32,
    ) -> Result<(), String> {
        let started = state.start_multi_pv(pending.limits.clone(), moves);
        started.map_err(|error| error.to_string())?;
        self.pending = Some(pending);
        Ok(())
    }

    /// Starts the search for an entry of the analyze menu.
    pub(super) fn search_for_menu(
        &mut self,
        state: &mut SessionState,
        id: Option<u32>,
        command: MenuCommand,
    ) -> CommandResult {
        if state.game.outcome().is_some() {
            return success("TEXT the game is over");
        }
        let color = color(state.game.to_move());
        let limits = self.limits(state, color);
        let (moves, limits) = match command {
            MenuCommand::BestMoves => (BEST_MOVES, limits),
            MenuCommand::Candidates => {
                (CANDIDATES, Limits { nodes: Some(CANDIDATE_NODES), ..limits })
            }
            _ => (1, limits),
        };
        self.search(
            state,
            PendingSearch::new(id, color, SearchPurpose::Menu(command), limits, None),
            moves,
        )?;
        Ok(Reply::Later)
    }

    /// Responds to a command with the result of its search.
    pub(super) fn finish_search(
        &mut self,
        mut pending: PendingSearch,
        result: &SearchResult,
        state: &mut SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        if pending.reports.is_empty() && !result.report.pv.is_empty() {
            pending.add(&result.report);
        }
        if matches!(
            pending.purpose,
            SearchPurpose::Play | SearchPurpose::Show | SearchPurpose::ShowUnlessStopped
        ) {
            self.searched += pending.searching.elapsed();
        }
        match pending.purpose {
            SearchPurpose::Watch => return self.end_stream(&mut pending, state, out, None),
            SearchPurpose::TopMoves => {
                let text = gnugo::top_moves(&state.game, &pending.reports, self.codec);
                return out.send(&Response::success(pending.id, text).to_string());
            }
            SearchPurpose::Benchmark => {
                let text = katago::benchmark(&result.report);
                return out.send(&Response::success(pending.id, text).to_string());
            }
            SearchPurpose::Menu(command) => {
                let reports = &pending.reports;
                let text = analyze_menu::search_report(&state.game, command, reports, self.codec);
                return out.send(&Response::success(pending.id, text).to_string());
            }
            SearchPurpose::ShowUnlessStopped if pending.stopped => {
                return self.end(&mut pending, Ok("cancelled".to_owned()), state, out);
            }
            SearchPurpose::Play | SearchPurpose::Show | SearchPurpose::ShowUnlessStopped => (),
        }
        let Some(mv) = result.best else {
            return self.end(&mut pending, Err("no move was found".to_owned()), state, out);
        };
        let Some(text) = self.codec.move_text(&state.game, mv) else {
            return self.keep_by_next_stone(pending, mv, state, out);
        };
        let result = self.play_found_move(&pending, mv, state).map(|()| text);
        self.end(&mut pending, result, state, out)
    }

    /// Plays the move if that is the purpose; otherwise restores the game.
    fn play_found_move(
        &mut self,
        pending: &PendingSearch,
        mv: Move,
        state: &mut SessionState,
    ) -> Result<(), String> {
        let kept = usize::from(pending.kept);
        if pending.purpose == SearchPurpose::Play {
            self.clock.spend(pending.color, pending.started.elapsed());
            state.game.play_move(mv).map_err(|error| error.to_string())?;
            self.plays.push(Play::Moves(1 + kept));
        } else if pending.kept {
            state.game.undo();
        }
        Ok(())
    }

    /// Expresses `keep` by the next stone, which the same player places, because there are fewer stones than
    /// choices.
    fn keep_by_next_stone(
        &mut self,
        pending: PendingSearch,
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
        let mut limits = Limits { search_moves: self.known_moves(state), ..pending.limits };
        if let Some(clock) = &mut limits.clock {
            clock.left = clock.left.saturating_sub(pending.started.elapsed());
        }
        let again = PendingSearch {
            kept: true,
            started: pending.started,
            ..PendingSearch::new(id, mover, purpose, limits, pending.stream)
        };
        match self.search(state, again, 1) {
            Ok(()) => Ok(()),
            Err(error) => {
                state.game.undo();
                out.send(&Response::failure(id, error).to_string())
            }
        }
    }

    /// Writes the response, or the end of an analysis.
    fn end(
        &mut self,
        pending: &mut PendingSearch,
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

impl PendingSearch {
    pub(super) fn new(
        id: Option<u32>,
        color: Color,
        purpose: SearchPurpose,
        limits: Limits,
        stream: Option<AnalysisStream>,
    ) -> PendingSearch {
        PendingSearch {
            id,
            color,
            started: Instant::now(),
            searching: Instant::now(),
            purpose,
            limits,
            stream,
            reports: Vec::new(),
            new_reports: Vec::new(),
            stopped: false,
            kept: false,
        }
    }
}

/// The reports of an analysis.
#[derive(Clone, Debug)]
pub(super) struct AnalysisStream {
    format: AnalysisFormat,
    root_info: bool,
    interval: Duration,
    /// The time of the next report.
    due: Instant,
    /// Whether the search has reported anything since the last report was written.
    has_news: bool,
}

/// The default time between two reports, in milliseconds.
const DEFAULT_INTERVAL: u32 = 500;
/// The default number of reported moves.
const DEFAULT_MOVES: u32 = 10;

impl AnalysisStream {
    fn new(analyze: &Analyze) -> AnalysisStream {
        let interval = analyze.interval.unwrap_or(DEFAULT_INTERVAL).max(1);
        AnalysisStream {
            format: analyze.format,
            root_info: analyze.root_info,
            interval: Duration::from_millis(interval.into()),
            // The first report is written as soon as it arrives.
            due: Instant::now(),
            has_news: false,
        }
    }

    /// Returns one line for all ranks.
    fn text(&self, codec: Codec, game: &Game, reports: &[Report]) -> String {
        codec.analysis(game, reports, self.format, self.root_info)
    }
}

impl GtpSession {
    pub(super) fn analyze(
        &mut self,
        state: &mut SessionState,
        id: Option<u32>,
        analyze: &Analyze,
    ) -> CommandResult {
        let mover = analyze.color.unwrap_or_else(|| color(state.game.to_move()));
        let purpose = match analyze.task {
            SearchTask::Watch => SearchPurpose::Watch,
            SearchTask::Play => SearchPurpose::Play,
            SearchTask::Search => SearchPurpose::Show,
            SearchTask::CancellableSearch => SearchPurpose::ShowUnlessStopped,
        };
        if purpose == SearchPurpose::Watch {
            if state.game.outcome().is_some() {
                return success("");
            }
            if !is_to_move(&state.game, mover) {
                return Err(format!(
                    "cannot analyze: it is player {}'s turn",
                    state.game.to_move()
                ));
            }
        } else if let Some(text) = self.answer_without_search(state, mover, purpose) {
            return success(format!("\nplay {text}"));
        }
        let mut limits = match purpose {
            SearchPurpose::Watch => Limits { infinite: true, ..Limits::default() },
            _ => self.limits(state, mover),
        };
        restrict(self.codec, state, analyze, &mut limits)?;
        let most = *Options::MULTI_PV.end();
        let least = analyze.min_moves.unwrap_or(1);
        let moves = analyze.max_moves.unwrap_or(DEFAULT_MOVES.max(least)).clamp(1, most);
        let pending =
            PendingSearch::new(id, mover, purpose, limits, Some(AnalysisStream::new(analyze)));
        self.search(state, pending, moves)?;
        Ok(Reply::Stream)
    }

    /// Adds a report, and writes a line if it is due.
    pub(super) fn add_report(
        &mut self,
        report: &Report,
        state: &SessionState,
        out: &mut Output,
    ) -> io::Result<()> {
        let Some(pending) = &mut self.pending else { return Ok(()) };
        pending.add(report);
        self.write_due_report(state, out)
    }

    /// Writes a report if it is due.
    pub(super) fn write_due_report(
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
        stream.has_news = false;
        out.line(&stream.text(codec, &state.game, &pending.reports))
    }

    /// Writes the last report if it is new, the chosen move if there is one, and the end.
    fn end_stream(
        &mut self,
        pending: &mut PendingSearch,
        state: &SessionState,
        out: &mut Output,
        chosen: Option<&str>,
    ) -> io::Result<()> {
        let mut text = String::new();
        if let Some(stream) = pending.stream.take().filter(|stream| stream.has_news) {
            // The report is about the position before the move.
            let mut game = state.game.clone();
            if chosen.is_some() && pending.purpose == SearchPurpose::Play {
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

/// Restricts the search to the moves that the command allows.
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
