//! Tuning: the options of an engine are moved by games of the engine against itself.
//!
//! An iteration is some pairs of games. In each, two players with the values of now, moved in opposite
//! directions, play an opening from both seats; then the values go to where points were won. What an
//! iteration tries depends on the values, the seed and its number only, so that with a limit of nodes a
//! run that was broken off and gone on with equals an unbroken one, however many games are played at a time.

use super::line_file::{FileError, LineFile};
use super::spsa::{Attempt, Gains, Spsa};
use super::tunable::Tunable;
use pentarch_arena::{
    ArenaError, CancelToken, Entrant, Match, Opening, OpeningsError, Tournament, TuningMatch,
    first_seat_points,
};
use pentarch_records::GameRecord;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What is tuned, and by which games.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The numbers.
    pub tunables: Vec<Tunable>,
    /// How steps shrink.
    pub gains: Gains,
    /// How many pairs of games are played in all.
    pub pairs: u32,
    /// How many of them are played before the values change.
    pub batch: u32,
    /// Chooses what is tried.
    pub seed: u64,
    /// The games, which pairs take turns of: each a match of the engine against itself.
    pub matches: Vec<Match>,
}

/// Why tuning cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// Games cannot be played.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// There is no opening.
    #[error(transparent)]
    Opening(#[from] OpeningsError),
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The first line of a file: what the others depend on.
#[derive(Serialize)]
struct Manifest<'a> {
    program: &'a str,
    games: Vec<String>,
    /// A fingerprint of each match: its engine, options, openings and limits.
    matches: Vec<String>,
    pairs: u32,
    batch: u32,
    seed: u64,
    gains: Gains,
    parameters: &'a [Tunable],
}

/// A line: what was tried, and the values after it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Iteration {
    #[serde(rename = "iteration")]
    number: u32,
    pairs: Vec<PlayedPair>,
    values: Vec<f64>,
}

/// A pair of games of two players.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayedPair {
    /// What was played.
    rules: String,
    /// The values of the first player.
    plus: Vec<i64>,
    /// Those of the second.
    minus: Vec<i64>,
    /// The points of the first player in the game in which it began, and in the other.
    points: [f64; 2],
    /// Why the games ended.
    ends: [String; 2],
}

/// A game to play.
struct Job {
    /// The number of its pair among all, from 0.
    pair: u32,
    /// Whether the second player begins.
    is_second: bool,
    options: [Vec<(String, String)>; 2],
    opening: Opening,
}

/// A finished game: its pair, whether it is the second of it, the points of the first player, the end.
type Finished = (u32, bool, f64, String);

/// How far a run has come.
#[derive(Clone, Debug)]
pub struct Course {
    spsa: Spsa,
    /// Pairs of games that are played.
    pub pairs: u32,
    /// Games that a fault ended, such as a crash, and how the last of them did.
    pub faults: (u32, Option<String>),
    /// Whether it was ended from outside before its last game.
    pub interrupted: bool,
}

impl Course {
    /// The values now.
    pub fn values(&self) -> &[f64] {
        self.spsa.values()
    }

    /// The values now as the engine takes them.
    pub fn rounded(&self) -> Vec<i64> {
        self.spsa.rounded()
    }

    fn learn(&mut self, played: &[PlayedPair]) {
        let attempts = (self.pairs..).zip(played).map(|(pair, played)| {
            let won = 2.0 * played.points.iter().sum::<f64>() - 2.0;
            (pair, self.spsa.attempt(pair), won)
        });
        let attempts: Vec<(u32, Attempt, f64)> = attempts.collect();
        self.spsa.learn(&attempts);
        self.pairs += played.len() as u32;
        for end in played.iter().flat_map(|pair| &pair.ends).filter(|end| is_fault(end)) {
            self.faults.0 += 1;
            self.faults.1 = Some(end.clone());
        }
    }
}

/// Whether a game ended by what no values should do.
fn is_fault(end: &str) -> bool {
    matches!(
        end,
        "illegal-move"
            | "no-move-given"
            | "crash"
            | "hang"
            | "time"
            | "machine-busy"
            | "garbled"
            | "refused"
    )
}

/// A file of iterations, on the disk before the next one begins.
#[derive(Debug)]
pub struct TuningFile(LineFile);

impl Tuning {
    /// Where it begins.
    pub fn course(&self) -> Course {
        let (tunables, gains) = (self.tunables.clone(), self.gains);
        let spsa = Spsa::new(tunables, gains, self.pairs, self.seed);
        Course { spsa, pairs: 0, faults: (0, None), interrupted: false }
    }

    /// Begins a file, or with `resume` goes on with one, and returns where that leaves off.
    pub fn open(&self, path: &Path, resume: bool) -> Result<(TuningFile, Course), FileError> {
        let mut course = self.course();
        let matches = self.matches.iter().map(|terms| Tournament::of_match(terms.clone()).id());
        let manifest = Manifest {
            program: pentarch_engine::NAME_AND_VERSION,
            games: self.matches.iter().map(Match::conditions).collect(),
            matches: matches.collect(),
            pairs: self.pairs,
            batch: self.batch,
            seed: self.seed,
            gains: self.gains,
            parameters: &self.tunables,
        };
        let file = LineFile::open(path, &manifest, resume, |text| {
            let line: Iteration = serde_json::from_str(text).map_err(|error| error.to_string())?;
            let tried = line.pairs.iter().zip(course.pairs..).all(|(played, pair)| {
                let Attempt { plus, minus, .. } = course.spsa.attempt(pair);
                (&plus, &minus) == (&played.plus, &played.minus)
            });
            if !tried || line.pairs.len() != self.next_pairs(&course).len() {
                return Err("not what comes after the lines before it".to_owned());
            }
            course.learn(&line.pairs);
            Ok(())
        })?;
        Ok((TuningFile(file), course))
    }

    /// The numbers of the pairs of the next iteration.
    fn next_pairs(&self, course: &Course) -> std::ops::Range<u32> {
        course.pairs..self.pairs.min(course.pairs.saturating_add(self.batch.max(1)))
    }

    /// Plays what is left. Each iteration is written to the file, then shown to `report`; an error of
    /// that ends the run.
    pub fn run(
        &self,
        mut course: Course,
        mut file: Option<&mut TuningFile>,
        cancel: &CancelToken,
        mut report: impl FnMut(&Course) -> io::Result<()>,
    ) -> Result<Course, TuningError> {
        let workers = self.matches.first().map_or(1, |terms| terms.concurrency);
        let workers = workers.clamp(1, 2 * self.batch.max(1) as usize);
        thread::scope(|scope| {
            let (give, jobs) = mpsc::channel();
            let (finish, finished) = mpsc::channel();
            let jobs = Arc::new(Mutex::new(jobs));
            for number in 1..=workers {
                let (jobs, finish) = (jobs.clone(), finish.clone());
                let thread = thread::Builder::new().name(format!("game thread {number}"));
                let work = move || self.work(&jobs, &finish, cancel);
                thread.spawn_scoped(scope, work).map_err(ArenaError::Thread)?;
            }
            drop(finish);
            while course.pairs < self.pairs && !cancel.is_canceled() {
                match self.iterate(&course, &give, &finished) {
                    Err(TuningError::Arena(ArenaError::Canceled)) => break,
                    Err(error) => {
                        cancel.cancel();
                        return Err(error);
                    }
                    Ok(pairs) => {
                        course.learn(&pairs);
                        let number = course.pairs.div_ceil(self.batch.max(1));
                        let values = course.values().to_vec();
                        let line = Iteration { number, pairs, values };
                        let line = serde_json::to_string(&line).expect("text and numbers");
                        file.as_mut().map_or(Ok(()), |file| file.0.append(&line))?;
                        report(&course).map_err(ArenaError::Output)?;
                    }
                }
            }
            course.interrupted = course.pairs < self.pairs;
            Ok(course)
        })
    }

    /// Has the games of an iteration played.
    fn iterate(
        &self,
        course: &Course,
        give: &Sender<Job>,
        finished: &Receiver<Result<Finished, ArenaError>>,
    ) -> Result<Vec<PlayedPair>, TuningError> {
        let numbers = self.next_pairs(course);
        let mut pairs = Vec::new();
        for pair in numbers.clone() {
            let terms = self.terms(pair);
            let rules = terms.rules.built_in().ok_or_else(|| "the rules are not ours".to_owned());
            let number = pair / self.matches.len() as u32;
            let opening = terms.openings.get(number, rules.map_err(ArenaError::Setup)?)?;
            let Attempt { plus, minus, .. } = course.spsa.attempt(pair);
            for is_second in [false, true] {
                let options = [self.options(&plus), self.options(&minus)];
                let opening = opening.clone();
                // The workers are gone only after an error, which is heard below.
                let _ = give.send(Job { pair, is_second, options, opening });
            }
            let (points, ends) = ([0.0; 2], Default::default());
            pairs.push(PlayedPair { rules: terms.rules.to_string(), plus, minus, points, ends });
        }
        for _ in 0..2 * pairs.len() {
            let game = finished.recv().map_err(|_| ArenaError::Canceled)?;
            let (pair, is_second, points, end) = game?;
            let played = &mut pairs[(pair - numbers.start) as usize];
            played.points[usize::from(is_second)] = points;
            played.ends[usize::from(is_second)] = end;
        }
        Ok(pairs)
    }

    /// What a pair of games is played by.
    fn terms(&self, pair: u32) -> &Match {
        &self.matches[pair as usize % self.matches.len().max(1)]
    }

    /// Values as options.
    fn options(&self, values: &[i64]) -> Vec<(String, String)> {
        let pair = |(tunable, value): (&Tunable, &i64)| (tunable.name.clone(), value.to_string());
        self.tunables.iter().zip(values).map(pair).collect()
    }

    /// Plays games until none is left, with two players for each match.
    fn work(
        &self,
        jobs: &Mutex<Receiver<Job>>,
        finish: &Sender<Result<Finished, ArenaError>>,
        cancel: &CancelToken,
    ) {
        let mut rivals: Vec<Option<TuningMatch<'_>>> = self.matches.iter().map(|_| None).collect();
        loop {
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(job) = job else { return };
            let played = self.play(&job, &mut rivals, cancel).map(|record| {
                let first = first_seat_points(&record);
                let points = if job.is_second { 1.0 - first } else { first };
                (job.pair, job.is_second, points, record.reason)
            });
            if finish.send(played).is_err() {
                return;
            }
        }
    }

    fn play<'a>(
        &'a self,
        job: &Job,
        rivals: &mut [Option<TuningMatch<'a>>],
        cancel: &CancelToken,
    ) -> Result<GameRecord, ArenaError> {
        if cancel.is_canceled() {
            return Err(ArenaError::Canceled);
        }
        let index = job.pair as usize % rivals.len().max(1);
        let rivals = match &mut rivals[index] {
            Some(rivals) => rivals,
            none => none.insert(TuningMatch::start(&self.matches[index], cancel)?),
        };
        for (entrant, options) in Entrant::BOTH.into_iter().zip(&job.options) {
            rivals.set_options(entrant, options)?;
        }
        let first = Entrant(u8::from(job.is_second));
        let number = 2 * job.pair + 1 + u32::from(job.is_second);
        rivals.play(number, first, job.opening.clone())
    }
}
