//! The analysis server: queries as JSON lines in, answers as JSON lines out.

use crate::analyzer::{AnalysisError, Analyzer, StopHandle};
use crate::answer::{Answer, ProblemReply};
use crate::json_lines::{
    BackpressureLimit, CancelHandle, InputLine, LineReceiver, LineSender, next_line, output_channel,
};
use crate::katago::{KatagoSettings, MoveEstimates};
use crate::query::{Analysis, AnalysisQuery, LineCollector};
use crate::request::{ClientRequest, ControlAction, FieldError, GameQuery, RequestReader, Turn};
use pentarch_arena::Shard;
use pentarch_core::rules::Ruleset;
use pentarch_protocol::input::{ByteBudget, LineReader};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufReader, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

/// The settings of the analysis server.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerSettings {
    /// The rules of queries that name none.
    pub rules: Ruleset,
    /// The nodes of a search without any limit.
    pub nodes: u64,
    /// Speaks to clients of `KataGo`.
    pub katago: Option<KatagoSettings>,
    /// Answers only these lines of the input, counted from 0. Actions are executed by all shards.
    pub shard: Option<Shard>,
}

/// Answers queries, one JSON object a line, until the input ends and all are answered. `watch` gets
/// a handle that ends everything at once, for when the output has no reader any more. Without it,
/// that is noticed only when the next line is written.
///
/// # Errors
/// If writing fails, which ends all searches. A closed output is [`io::ErrorKind::BrokenPipe`].
pub fn serve(
    input: impl Read + Send + 'static,
    output: &mut impl Write,
    analyzer: Analyzer,
    settings: ServerSettings,
    watch: impl FnOnce(CancelHandle),
) -> io::Result<()> {
    let (sender, lines) = output_channel();
    watch(lines.cancel_handle());
    let reader =
        RequestReader::new(&settings.rules, settings.nodes).with_katago(settings.katago.clone());
    let server = Arc::new(Server { analyzer, queue: QueryQueue::default(), settings });
    let reading_server = Arc::clone(&server);
    let read = move || reading_server.read(input, reader, &sender);
    thread::Builder::new().name("stdin-reader".to_owned()).spawn(read)?;
    let written = write(output, &lines);
    drop(lines);
    if written.is_err() {
        server.queue.close();
        server.queue.wait_idle(STOP_TIMEOUT);
        // This ends external engines; the reading thread may never end.
        server.analyzer.clear();
    }
    written
}

/// How long to wait for searches to end after the output was closed.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

fn write(output: &mut impl Write, lines: &LineReceiver) -> io::Result<()> {
    let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
    while let Some(line) = lines.next().map_err(gone)? {
        output.write_all(line.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

struct Server {
    analyzer: Analyzer,
    queue: QueryQueue,
    settings: ServerSettings,
}

impl Server {
    /// Reads requests until the input ends.
    fn read(self: &Arc<Server>, input: impl Read, mut reader: RequestReader, output: &LineSender) {
        let mut input = LineReader::new(BufReader::with_capacity(1 << 16, input));
        let mut number = 0;
        loop {
            let line = match next_line(&mut input) {
                Ok(Some(InputLine::Bytes(bytes))) if bytes.iter().all(u8::is_ascii_whitespace) => {
                    continue;
                }
                Ok(Some(line)) => line,
                Ok(None) => {
                    let katago = self.settings.katago.as_ref();
                    if katago.is_some_and(|katago| katago.quit_without_waiting) {
                        self.queue.close();
                    }
                    return;
                }
                Err(error) => {
                    let reason = format!("reading input failed: {error}");
                    return output
                        .send(&ProblemReply::new(None, None, reason), BackpressureLimit::Input);
                }
            };
            let is_own = self.settings.shard.is_none_or(|shard| shard.holds(number));
            number += 1;
            self.handle(&line, is_own, &mut reader, output);
        }
    }

    fn handle(
        self: &Arc<Server>,
        line: &InputLine,
        is_own: bool,
        reader: &mut RequestReader,
        output: &LineSender,
    ) {
        let mut warnings = Vec::new();
        let request = match line {
            InputLine::Bytes(bytes) => reader.read(bytes, &mut warnings),
            InputLine::TooLong(id) => {
                let reason = "a line longer than 1 MiB was not read".to_owned();
                Err(ProblemReply::new(id.as_deref(), None, reason))
            }
        };
        if !is_own && !matches!(request, Ok(ClientRequest::Control(..))) {
            return;
        }
        for warning in warnings {
            output.send(&warning, BackpressureLimit::Input);
        }
        match request {
            Ok(ClientRequest::Analyze(query)) => {
                for field in self.analyzer.ignored_fields(&query) {
                    let warning =
                        FieldError::new(field, "an external engine is only asked for its move");
                    output.send(
                        &warning.reply_to(Some(&query.id)).into_warning(),
                        BackpressureLimit::Input,
                    );
                }
                self.enqueue(query, output);
            }
            Ok(ClientRequest::Control(action, sent)) => {
                let ended = self.execute(&action);
                let for_katago = self.settings.katago.is_some();
                output.send(&action.echo(sent, for_katago), BackpressureLimit::Input);
                for job in ended {
                    self.queue.finish(&job);
                    let answer = Answer::empty(&job.query().id, job.turn().number);
                    output.send(&answer, BackpressureLimit::Input);
                }
            }
            Err(problem) => output.send(&problem, BackpressureLimit::Input),
        }
    }

    fn enqueue(self: &Arc<Server>, query: Box<GameQuery>, output: &LineSender) {
        match self.queue.push(query) {
            Err(query) => {
                let error = FieldError::new("id", "a query with this id is not fully answered yet");
                output.send(&error.reply_to(Some(&query.id)), BackpressureLimit::Input);
            }
            Ok(turns) => {
                for _ in 0..turns {
                    let (server, output) = (Arc::clone(self), output.clone());
                    // The job takes the turn that is first when it runs.
                    self.analyzer.spawn(move || server.answer_next(&output));
                }
            }
        }
    }

    /// Executes an action. Returns the turns that it removed from the queue.
    fn execute(&self, action: &ControlAction) -> Vec<QueuedTurn> {
        match action {
            ControlAction::Terminate { id, turns } => {
                self.queue.terminate(id.as_deref(), turns.as_deref())
            }
            ControlAction::ClearCache => {
                self.analyzer.clear();
                Vec::new()
            }
            ControlAction::QueryVersion | ControlAction::QueryModels => Vec::new(),
        }
    }

    fn answer_next(&self, output: &LineSender) {
        let Some(job) = self.queue.take() else { return };
        let (query, turn) = (job.query(), job.turn());
        let answered = query.query(turn).and_then(|asked| {
            let position = PositionOfTurn {
                query,
                turn: turn.number,
                estimates: query.katago.as_ref().map(|_| self.analyzer.estimates(&asked.game)),
                asked,
            };
            match self.analyze(&job, &position, output) {
                Ok(found) => Ok(position.answer(&found, false)),
                Err(AnalysisError::Stopped) => Ok(AnswerLine::Own(Box::new(position.no_results()))),
                Err(error) => {
                    Err(ProblemReply::new(Some(&query.id), error.field(), error.to_string())
                        .at_turn(turn.number))
                }
            }
        });
        self.queue.finish(&job);
        match answered {
            Ok(answer) => output.send(&answer, BackpressureLimit::Search),
            Err(problem) => output.send(&problem, BackpressureLimit::Search),
        }
    }

    /// Analyzes a turn and sends intermediate answers if the query asks for them.
    fn analyze(
        &self,
        job: &QueuedTurn,
        position: &PositionOfTurn<'_>,
        output: &LineSender,
    ) -> Result<Analysis, AnalysisError> {
        let asked = &position.asked;
        let Some(intervals) = job.query().report_every else {
            return self.analyzer.analyze_here(asked, &job.stop, &mut |_| ());
        };
        let reporter = ProgressReporter::default();
        let report = |found: &Analysis| output.offer(&position.answer(found, true));
        thread::scope(|scope| {
            let tick = || reporter.run(intervals, report);
            let thread = thread::Builder::new().name("reports".to_owned());
            if let Err(error) = thread.spawn_scoped(scope, tick) {
                log::warn!("no reports during the search: {error}");
            }
            let mut sink = |lines: &LineCollector| reporter.show(lines.so_far());
            let found = self.analyzer.analyze_here(asked, &job.stop, &mut sink);
            reporter.end();
            found
        })
    }
}

/// The position of a turn, with what its answers need.
struct PositionOfTurn<'a> {
    query: &'a GameQuery,
    turn: u32,
    asked: AnalysisQuery,
    /// Only for clients of `KataGo`.
    estimates: Option<MoveEstimates>,
}

/// An answer in one of the two forms.
#[derive(Serialize)]
#[serde(untagged)]
enum AnswerLine {
    Own(Box<Answer>),
    Katago(serde_json::Value),
}

impl PositionOfTurn<'_> {
    fn answer(&self, found: &Analysis, is_during_search: bool) -> AnswerLine {
        let PositionOfTurn { query, turn, asked, estimates } = self;
        let answer = Answer::new(&query.id, *turn, &asked.game, found, query.include);
        let answer = Answer { is_during_search, ..answer };
        match (&query.katago, estimates) {
            (Some(form), Some(estimates)) => {
                AnswerLine::Katago(form.answer(answer, &asked.game, found, estimates))
            }
            _ => AnswerLine::Own(Box::new(answer)),
        }
    }

    fn no_results(&self) -> Answer {
        Answer::empty(&self.query.id, self.turn)
    }
}

/// Reports the intermediate results of a search at intervals.
#[derive(Default)]
struct ProgressReporter {
    state: Mutex<ReporterState>,
    ended: Condvar,
}

#[derive(Default)]
struct ReporterState {
    found: Option<Analysis>,
    ended: bool,
}

impl ProgressReporter {
    /// Reports until the search ends, after the first interval and then after each second one.
    fn run(&self, [first, interval]: [Duration; 2], report: impl Fn(&Analysis)) {
        let mut due = Instant::now() + first;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.ended {
            let wait = due.saturating_duration_since(Instant::now());
            let waited = self.ended.wait_timeout_while(state, wait, |state| !state.ended);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if let (false, Some(found)) = (state.ended, state.found.clone()) {
                // The lock is not held while the report is written.
                drop(state);
                report(&found);
                state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            }
            due = Instant::now().max(due + interval);
        }
    }

    fn show(&self, found: Option<Analysis>) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).found = found;
    }

    fn end(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).ended = true;
        self.ended.notify_all();
    }
}

/// The maximum size of waiting queries in bytes, about 40,000 short ones. A client that sends more
/// before it reads an answer is blocked.
const MAX_QUEUED_BYTES: usize = 32 << 20;

/// The order of turns: by priority, then by age, then by index in the query.
type TurnOrder = (Reverse<i64>, u64, u32);

/// The turns of queries that wait, in their order, and those that run.
#[derive(Debug)]
pub(super) struct QueryQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
    budget: ByteBudget,
}

impl Default for QueryQueue {
    fn default() -> QueryQueue {
        let budget = ByteBudget::new(MAX_QUEUED_BYTES);
        QueryQueue { state: Mutex::default(), changed: Condvar::new(), budget }
    }
}

#[derive(Debug, Default)]
struct QueueState {
    waiting: BTreeMap<TurnOrder, Arc<PendingQuery>>,
    running: HashMap<TurnOrder, StopHandle>,
    /// By id: the query and the number of its unanswered turns.
    unfinished: HashMap<String, (Arc<PendingQuery>, usize)>,
    /// The number of queries so far.
    count: u64,
}

/// A query with unanswered turns.
#[derive(Debug)]
struct PendingQuery {
    number: u64,
    query: Box<GameQuery>,
}

impl PendingQuery {
    fn place(&self, index: usize) -> TurnOrder {
        (Reverse(self.query.turns[index].priority), self.number, index as u32)
    }
}

/// A turn that was taken from the queue.
#[derive(Debug)]
pub(super) struct QueuedTurn {
    place: TurnOrder,
    pending: Arc<PendingQuery>,
    /// Stops its analysis.
    pub stop: StopHandle,
}

impl QueuedTurn {
    fn new(place: TurnOrder, pending: Arc<PendingQuery>) -> QueuedTurn {
        QueuedTurn { place, pending, stop: StopHandle::new() }
    }

    /// The query.
    pub(super) fn query(&self) -> &GameQuery {
        &self.pending.query
    }

    /// The turn.
    pub(super) fn turn(&self) -> Turn {
        self.query().turns[self.place.2 as usize]
    }
}

impl QueryQueue {
    /// Adds a query and returns the number of its turns. Blocks while the queue is full. Returns
    /// the query as an error if another with the same id is unanswered.
    pub(super) fn push(&self, query: Box<GameQuery>) -> Result<usize, Box<GameQuery>> {
        let size = query.bytes();
        self.budget.acquire(size);
        let mut state = self.lock();
        if state.unfinished.contains_key(&query.id) {
            self.budget.release(size);
            return Err(query);
        }
        let turns = query.turns.len();
        let pending = Arc::new(PendingQuery { number: state.count, query });
        for index in 0..turns {
            state.waiting.insert(pending.place(index), Arc::clone(&pending));
        }
        state.count += 1;
        state.unfinished.insert(pending.query.id.clone(), (pending, turns));
        Ok(turns)
    }

    /// Takes the first turn.
    pub(super) fn take(&self) -> Option<QueuedTurn> {
        let mut state = self.lock();
        let (place, pending) = state.waiting.pop_first()?;
        let job = QueuedTurn::new(place, pending);
        state.running.insert(place, job.stop.clone());
        Some(job)
    }

    /// Removes a turn that is done. Its answer is sent afterwards, so that a client that has read
    /// the last answer of a query can use its id again.
    pub(super) fn finish(&self, job: &QueuedTurn) {
        let mut state = self.lock();
        state.running.remove(&job.place);
        let query = job.query();
        if let Some((_, left)) = state.unfinished.get_mut(&query.id) {
            *left -= 1;
            if *left == 0 {
                state.unfinished.remove(&query.id);
                self.budget.release(query.bytes());
            }
        }
        self.changed.notify_all();
    }

    /// Ends the queries with an id, or all; of these some turns, or all. Running turns are stopped
    /// and answered with their results so far; waiting ones are removed and returned.
    pub(super) fn terminate(&self, id: Option<&str>, turns: Option<&[u32]>) -> Vec<QueuedTurn> {
        let mut state = self.lock();
        let meant: Vec<Arc<PendingQuery>> = match id {
            Some(id) => state.unfinished.get(id).map(|(p, _)| Arc::clone(p)).into_iter().collect(),
            None => state.unfinished.values().map(|(pending, _)| Arc::clone(pending)).collect(),
        };
        let mut ended = Vec::new();
        for pending in meant {
            for (index, turn) in pending.query.turns.iter().enumerate() {
                if turns.is_some_and(|turns| !turns.contains(&turn.number)) {
                    continue;
                }
                let place = pending.place(index);
                if let Some(stop) = state.running.get(&place) {
                    stop.stop();
                } else if state.waiting.remove(&place).is_some() {
                    ended.push(QueuedTurn::new(place, Arc::clone(&pending)));
                }
            }
        }
        ended.sort_by_key(|job| (job.place.1, job.place.2));
        ended
    }

    /// Stops all running turns and removes all waiting ones. No turn starts afterwards.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        self.budget.close();
        state.waiting.clear();
        state.running.values().for_each(StopHandle::stop);
        self.changed.notify_all();
    }

    /// Waits until no turn runs, at most for a given time.
    pub(super) fn wait_idle(&self, most: Duration) {
        let busy = |state: &mut QueueState| !state.running.is_empty();
        drop(self.changed.wait_timeout_while(self.lock(), most, busy));
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Box<GameQuery> {
        let mut reader = RequestReader::new(&"gomoku".parse().unwrap(), 1);
        match reader.read(text.as_bytes(), &mut Vec::new()) {
            Ok(ClientRequest::Analyze(query)) => query,
            other => panic!("{other:?}"),
        }
    }

    fn name(job: &QueuedTurn) -> String {
        format!("{}{}", job.query().id, job.turn().number)
    }

    #[test]
    fn turns_are_ordered_by_priority_then_by_age() {
        let queue = QueryQueue::default();
        for text in [
            r#"{"id":"a","moves":["h8"],"analyzeTurns":[1,0,1]}"#,
            r#"{"id":"b","priority":-1}"#,
            r#"{"id":"c","moves":["h8","h9"],"analyzeTurns":[0,1,2],"priorities":[0,7,1]}"#,
        ] {
            queue.push(query(text)).unwrap();
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.take()).map(|job| name(&job)).collect();
        assert_eq!(order, ["c1", "c2", "a1", "a0", "c0", "b0"]);
    }

    #[test]
    fn an_id_is_reusable_after_all_its_turns_are_answered() {
        let queue = QueryQueue::default();
        let text = r#"{"id":"a","moves":["h8"],"analyzeTurns":[0,1]}"#;
        assert_eq!(queue.push(query(text)).unwrap(), 2);
        let running = queue.take().unwrap();
        assert_eq!(queue.push(query(text)).unwrap_err().id, "a");
        let ended = queue.terminate(Some("a"), None);
        assert_eq!(ended.iter().map(name).collect::<Vec<_>>(), ["a1"]);
        assert!(running.stop.is_stopped() && queue.take().is_none());
        queue.finish(&ended[0]);
        assert!(queue.push(query(text)).is_err());
        queue.finish(&running);
        assert_eq!(queue.push(query(text)).unwrap(), 2);
        assert_eq!(queue.budget.used(), query(text).bytes() + ByteBudget::OVERHEAD);
    }
}
