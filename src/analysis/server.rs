//! JSON lines in, JSON lines out.

use super::action::Action;
use super::analyst::AnalysisError;
use super::analyzer::Analyzer;
use super::answer::{Answer, Problem};
use super::fields::FieldError;
use super::input::{Line, next_line};
use super::output::{self, HangUp, Output, Patience};
use super::query::{Analysis, Lines, Query};
use super::queue::{Job, Queue};
use super::request::{GameQuery, Reader, Request};
use pentarch_core::rules::Ruleset;
use std::io::{self, BufReader, Read, Write};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

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
    let (sender, lines) = output::channel();
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

fn write(output: &mut impl Write, lines: &output::Lines) -> io::Result<()> {
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
        let mut input = BufReader::with_capacity(1 << 16, input);
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
