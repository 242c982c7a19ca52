//! JSON lines in, JSON lines out.

use crate::analyzer::{AnalysisError, Analyzer, Stop};
use crate::answer::{Answer, Problem};
use crate::json_lines::{HangUp, Line, Output, OutputLines, Patience, next_line, output_channel};
use crate::query::{Analysis, Lines, Query};
use crate::request::{Action, FieldError, GameQuery, Reader, Request};
use pentarch_core::rules::Ruleset;
use pentarch_protocol::input::{ByteBudget, LineReader};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufReader, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

/// What holds for queries that do not say.
#[derive(Clone, Debug, PartialEq)]
pub struct Defaults {
    /// What is played.
    pub rules: Ruleset,
    /// The nodes of a search that has no other bound.
    pub nodes: u64,
}

/// Answers queries, a JSON object a line, until the input ends and all are answered. `watch` gets what
/// ends everything at once, for when nobody reads the output any more: else only the next line shows
/// it.
///
/// # Errors
/// Writing failed, which ends all that runs; a closed output is [`io::ErrorKind::BrokenPipe`].
pub fn serve(
    input: impl Read + Send + 'static,
    output: &mut impl Write,
    analyzer: Analyzer,
    defaults: &Defaults,
    watch: impl FnOnce(HangUp),
) -> io::Result<()> {
    let (sender, lines) = output_channel();
    watch(lines.hang_up());
    let server = Arc::new(Server { analyzer, queue: Queue::default() });
    let reader = Reader::new(&defaults.rules, defaults.nodes);
    let theirs = Arc::clone(&server);
    let read = move || theirs.read(input, reader, &sender);
    thread::Builder::new().name("stdin-reader".to_owned()).spawn(read)?;
    let written = write(output, &lines);
    drop(lines);
    if written.is_err() {
        server.queue.close();
        server.queue.wait_idle(PATIENCE);
        // Other engines end here; the thread that reads may never.
        server.analyzer.clear();
    }
    written
}

/// How long to wait for searches to end when nobody wants their answers.
const PATIENCE: Duration = Duration::from_secs(2);

fn write(output: &mut impl Write, lines: &OutputLines) -> io::Result<()> {
    let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
    while let Some(line) = lines.next().map_err(gone)? {
        output.write_all(line.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

struct Server {
    analyzer: Analyzer,
    queue: Queue,
}

impl Server {
    /// Reads to the end of the input.
    fn read(self: &Arc<Server>, input: impl Read, mut reader: Reader, output: &Output) {
        let mut input = LineReader::new(BufReader::with_capacity(1 << 16, input));
        loop {
            let line = match next_line(&mut input) {
                Ok(Some(line)) => line,
                Ok(None) => return,
                Err(error) => {
                    let reason = format!("reading input failed: {error}");
                    return output.send(&Problem::new(None, None, reason), Patience::Input);
                }
            };
            self.take(&line, &mut reader, output);
        }
    }

    fn take(self: &Arc<Server>, line: &Line, reader: &mut Reader, output: &Output) {
        let mut warnings = Vec::new();
        let request = match line {
            Line::Bytes(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => return,
            Line::Bytes(bytes) => reader.read(bytes, &mut warnings),
            Line::TooLong(id) => {
                let reason = "a line longer than 1 MiB was not read".to_owned();
                Err(Problem::new(id.as_deref(), None, reason))
            }
        };
        for warning in warnings {
            output.send(&warning, Patience::Input);
        }
        match request {
            Ok(Request::Analyze(query)) => {
                for field in self.analyzer.ignored(&query) {
                    let doubt =
                        FieldError::new(field, "another engine is asked for its move alone");
                    output.send(&doubt.about(Some(&query.id)).warning(), Patience::Input);
                }
                self.enqueue(query, output);
            }
            Ok(Request::Act(action, sent)) => {
                let ended = self.act(&action);
                output.send(&action.echo(sent), Patience::Input);
                for job in ended {
                    self.queue.finish(&job);
                    let answer = Answer::empty(&job.query().id, job.turn());
                    output.send(&answer, Patience::Input);
                }
            }
            Err(problem) => output.send(&problem, Patience::Input),
        }
    }

    fn enqueue(self: &Arc<Server>, query: Box<GameQuery>, output: &Output) {
        match self.queue.push(query) {
            Err(query) => {
                let error = FieldError::new("id", "a query of this id is not answered in full yet");
                output.send(&error.about(Some(&query.id)), Patience::Input);
            }
            Ok(turns) => {
                for _ in 0..turns {
                    let (server, output) = (Arc::clone(self), output.clone());
                    // Whichever is next by then.
                    self.analyzer.spawn(move || server.answer_next(&output));
                }
            }
        }
    }

    /// Does what an action asks for; returns the turns that it has taken out of the queue.
    fn act(&self, action: &Action) -> Vec<Job> {
        match action {
            Action::Terminate { id, turns } => {
                self.queue.terminate(id.as_deref(), turns.as_deref())
            }
            Action::ClearCache => {
                self.analyzer.clear();
                Vec::new()
            }
            Action::QueryVersion => Vec::new(),
        }
    }

    fn answer_next(&self, output: &Output) {
        let Some(job) = self.queue.take() else { return };
        let (query, turn) = (job.query(), job.turn());
        let answered = query.query(turn).and_then(|asked| {
            let found = self.analyze(&job, &asked, output);
            match found {
                Ok(found) => Ok(Answer::new(&query.id, turn, &asked.game, &found, query.include)),
                Err(AnalysisError::Stopped) => Ok(Answer::empty(&query.id, turn)),
                Err(error) => {
                    Err(Problem::new(Some(&query.id), error.field(), error.to_string()).at(turn))
                }
            }
        });
        self.queue.finish(&job);
        match answered {
            Ok(answer) => output.send(&answer, Patience::Search),
            Err(problem) => output.send(&problem, Patience::Search),
        }
    }

    /// Analyzes a turn, and reports from time to time if the query wants it.
    fn analyze(
        &self,
        job: &Job,
        asked: &Query,
        output: &Output,
    ) -> Result<Analysis, AnalysisError> {
        let Some(interval) = job.query().report_every else {
            return self.analyzer.analyze_here(asked, &job.stop, &mut |_| ());
        };
        let ticker = Ticker::default();
        let report = |found: &Analysis| {
            let (query, turn) = (job.query(), job.turn());
            let answer = Answer::new(&query.id, turn, &asked.game, found, query.include);
            output.offer(&Answer { is_during_search: true, ..answer });
        };
        thread::scope(|scope| {
            let tick = || ticker.run(interval, report);
            let thread = thread::Builder::new().name("reports".to_owned());
            if let Err(error) = thread.spawn_scoped(scope, tick) {
                log::warn!("no reports during the search: {error}");
            }
            let mut sink = |lines: &Lines| ticker.show(lines.so_far());
            let found = self.analyzer.analyze_here(asked, &job.stop, &mut sink);
            ticker.end();
            found
        })
    }
}

/// Reports what a search knows, every so often.
#[derive(Default)]
struct Ticker {
    state: Mutex<Known>,
    ended: Condvar,
}

#[derive(Default)]
struct Known {
    found: Option<Analysis>,
    ended: bool,
}

impl Ticker {
    /// Reports until the search ends.
    fn run(&self, interval: Duration, report: impl Fn(&Analysis)) {
        let mut due = Instant::now() + interval;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.ended {
            let wait = due.saturating_duration_since(Instant::now());
            let waited = self.ended.wait_timeout_while(state, wait, |state| !state.ended);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if let (false, Some(found)) = (state.ended, state.found.clone()) {
                // The search goes on while the report is written.
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

// The queries that wait and those that are being answered.

/// The most bytes of queries that wait: about 40,000 short ones. A client that sends more than this
/// before it reads an answer has to wait.
const LIMIT: usize = 32 << 20;

/// Where a turn stands in line: by priority, then by age, then in the order of the query.
type Place = (Reverse<i64>, u64, u32);

/// Turns of queries, ordered by who is next.
#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    budget: ByteBudget,
}

impl Default for Queue {
    fn default() -> Queue {
        let budget = ByteBudget::new(LIMIT);
        Queue { state: Mutex::default(), changed: Condvar::new(), budget }
    }
}

#[derive(Debug, Default)]
struct State {
    waiting: BTreeMap<Place, Arc<Pending>>,
    running: HashMap<Place, Stop>,
    /// By id, with how many of their turns are not answered.
    unfinished: HashMap<String, (Arc<Pending>, usize)>,
    /// How many queries there have been.
    count: u64,
}

/// A query that is not answered in full.
#[derive(Debug)]
struct Pending {
    number: u64,
    query: Box<GameQuery>,
}

impl Pending {
    fn place(&self, index: usize) -> Place {
        (Reverse(self.query.turns[index].1), self.number, index as u32)
    }
}

/// One turn of a query, taken out of the queue to be answered.
#[derive(Debug)]
pub(super) struct Job {
    place: Place,
    pending: Arc<Pending>,
    /// Ends its analysis.
    pub stop: Stop,
}

impl Job {
    fn new(place: Place, pending: Arc<Pending>) -> Job {
        Job { place, pending, stop: Stop::new() }
    }

    /// The query.
    pub(super) fn query(&self) -> &GameQuery {
        &self.pending.query
    }

    /// How many of its moves lead to the position.
    pub(super) fn turn(&self) -> u32 {
        self.query().turns[self.place.2 as usize].0
    }
}

impl Queue {
    /// Adds a query as soon as there is room, and says how many turns it has. Refused, and given
    /// back, if one of its id is not answered in full.
    pub(super) fn push(&self, query: Box<GameQuery>) -> Result<usize, Box<GameQuery>> {
        let size = query.size();
        self.budget.acquire(size);
        let mut state = self.lock();
        if state.unfinished.contains_key(&query.id) {
            self.budget.release(size);
            return Err(query);
        }
        let turns = query.turns.len();
        let pending = Arc::new(Pending { number: state.count, query });
        for index in 0..turns {
            state.waiting.insert(pending.place(index), Arc::clone(&pending));
        }
        state.count += 1;
        state.unfinished.insert(pending.query.id.clone(), (pending, turns));
        Ok(turns)
    }

    /// Takes the turn that is next, if one is left.
    pub(super) fn take(&self) -> Option<Job> {
        let mut state = self.lock();
        let (place, pending) = state.waiting.pop_first()?;
        let job = Job::new(place, pending);
        state.running.insert(place, job.stop.clone());
        Some(job)
    }

    /// Forgets a job that is done. Its answer goes out afterwards, so that whoever has read the last
    /// one of a query can use its id again.
    pub(super) fn finish(&self, job: &Job) {
        let mut state = self.lock();
        state.running.remove(&job.place);
        let query = job.query();
        if let Some((_, left)) = state.unfinished.get_mut(&query.id) {
            *left -= 1;
            if *left == 0 {
                state.unfinished.remove(&query.id);
                self.budget.release(query.size());
            }
        }
        self.changed.notify_all();
    }

    /// Ends the queries of an id, or all, and of them certain turns, or all. Those that run will be
    /// answered by what they know; those that wait are returned and are no longer waiting.
    pub(super) fn terminate(&self, id: Option<&str>, turns: Option<&[u32]>) -> Vec<Job> {
        let mut state = self.lock();
        let meant: Vec<Arc<Pending>> = match id {
            Some(id) => state.unfinished.get(id).map(|(p, _)| Arc::clone(p)).into_iter().collect(),
            None => state.unfinished.values().map(|(pending, _)| Arc::clone(pending)).collect(),
        };
        let mut ended = Vec::new();
        for pending in meant {
            for (index, (turn, _)) in pending.query.turns.iter().enumerate() {
                if turns.is_some_and(|turns| !turns.contains(turn)) {
                    continue;
                }
                let place = pending.place(index);
                if let Some(stop) = state.running.get(&place) {
                    stop.stop();
                } else if state.waiting.remove(&place).is_some() {
                    ended.push(Job::new(place, Arc::clone(&pending)));
                }
            }
        }
        ended.sort_by_key(|job| (job.place.1, job.place.2));
        ended
    }

    /// Ends everything at once; nothing more is waited for, and nothing more begins.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        self.budget.close();
        state.waiting.clear();
        state.running.values().for_each(Stop::stop);
        self.changed.notify_all();
    }

    /// Waits until nothing runs, but not for long.
    pub(super) fn wait_idle(&self, most: Duration) {
        let busy = |state: &mut State| !state.running.is_empty();
        drop(self.changed.wait_timeout_while(self.lock(), most, busy));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Box<GameQuery> {
        let mut reader = Reader::new(&"gomoku".parse().unwrap(), 1);
        match reader.read(text.as_bytes(), &mut Vec::new()) {
            Ok(Request::Analyze(query)) => query,
            other => panic!("{other:?}"),
        }
    }

    fn name(job: &Job) -> String {
        format!("{}{}", job.query().id, job.turn())
    }

    #[test]
    fn the_urgent_come_first_then_the_old() {
        let queue = Queue::default();
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
    fn an_id_is_free_again_when_all_its_turns_are_answered() {
        let queue = Queue::default();
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
        assert_eq!(queue.budget.used(), query(text).size() + ByteBudget::OVERHEAD);
    }
}
