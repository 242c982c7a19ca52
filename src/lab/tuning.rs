//! Tuning of engine options by SPSA over games of the engine against itself.
//!
//! An iteration is a batch of pairs of games. In each pair, two players with the current values perturbed
//! in opposite directions play one opening from both seats; then the values are updated. The perturbation
//! depends on the values, the seed and the number of the pair only. Hence, with a node limit, a run that was
//! interrupted and resumed equals an uninterrupted one, with any number of concurrent games.

use super::spsa::{Perturbation, Spsa, SpsaSchedule, Tunable};
use super::training_file::{JsonLinesError, JsonLinesFile};
use pentarch_arena::{
    ArenaError, CancelToken, Entrant, Match, Opening, OpeningsError, Tournament, TuningMatch,
    first_seat_points,
};
use pentarch_records::GameRecord;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What is tuned, and by which games.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The options to tune.
    pub tunables: Vec<Tunable>,
    /// The schedule of perturbations and steps.
    pub schedule: SpsaSchedule,
    /// The number of pairs of games.
    pub pairs: u32,
    /// The number of pairs between two updates of the values.
    pub batch: u32,
    /// The seed of the perturbations.
    pub seed: u64,
    /// The matches of the engine against itself, which pairs use in turn.
    pub matches: Vec<Match>,
}

/// Why tuning cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// A game cannot be played.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// No opening was found.
    #[error(transparent)]
    Opening(#[from] OpeningsError),
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] JsonLinesError),
}

/// The first line of a file: what the other lines depend on.
#[derive(Serialize)]
struct TuningManifest<'a> {
    program: &'a str,
    /// The conditions of the games, for readers.
    games: Vec<String>,
    /// A hash of each match: engine, options, openings and limits.
    matches: Vec<String>,
    pairs: u32,
    batch: u32,
    seed: u64,
    #[serde(rename = "gains")]
    schedule: SpsaSchedule,
    parameters: &'a [Tunable],
}

/// A line of a file: the games of an iteration, and the values after it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TuningIteration {
    #[serde(rename = "iteration")]
    number: u32,
    pairs: Vec<PlayedPair>,
    values: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayedPair {
    rules: String,
    /// The values of the first player.
    plus: Vec<i64>,
    /// The values of the second player.
    minus: Vec<i64>,
    /// The points of the first player: in the game in which it moves first, in the other game.
    points: [f64; 2],
    /// The reasons why the games ended.
    ends: [String; 2],
}

/// A game for a worker thread.
struct TuningGame {
    /// The number of its pair, from 0.
    pair: u32,
    /// Whether the second player moves first.
    is_second: bool,
    /// The options of both players.
    options: [Vec<(String, String)>; 2],
    opening: Opening,
}

struct TuningGameResult {
    pair: u32,
    is_second: bool,
    /// The points of the first player.
    points: f64,
    reason: String,
}

/// The progress of a run.
#[derive(Clone, Debug)]
pub struct TuningState {
    spsa: Spsa,
    /// The number of finished pairs of games.
    pub pairs: u32,
    /// The number of games that ended by a fault, such as a crash.
    pub faults: u32,
    /// The reason of the last game that ended by a fault.
    pub last_fault: Option<String>,
    /// Whether the run was canceled before its last game.
    pub interrupted: bool,
}

impl TuningState {
    /// The current values.
    pub fn values(&self) -> &[f64] {
        self.spsa.values()
    }

    fn update(&mut self, played: &[PlayedPair]) {
        let results = (self.pairs..).zip(played).map(|(pair, played)| {
            let won = 2.0 * played.points.iter().sum::<f64>() - 2.0;
            (pair, self.spsa.perturbation(pair), won)
        });
        let results: Vec<(u32, Perturbation, f64)> = results.collect();
        self.spsa.update(&results);
        self.pairs += played.len() as u32;
        for end in played.iter().flat_map(|pair| &pair.ends).filter(|end| is_fault(end)) {
            self.faults += 1;
            self.last_fault = Some(end.clone());
        }
    }
}

/// Whether the reason of a game's end is a fault, which no option value should cause.
fn is_fault(reason: &str) -> bool {
    matches!(
        reason,
        "illegal-move"
            | "no-move-given"
            | "crash"
            | "hang"
            | "time"
            | "machine-busy"
            | "arena-stopped"
            | "garbled"
            | "refused"
    )
}

/// A file of finished iterations. Each is written before the next one starts.
#[derive(Debug)]
pub struct TuningFile(JsonLinesFile);

impl Tuning {
    /// The state before the first game.
    pub fn initial_state(&self) -> TuningState {
        let spsa = Spsa::new(self.tunables.clone(), self.schedule, self.pairs, self.seed);
        TuningState { spsa, pairs: 0, faults: 0, last_fault: None, interrupted: false }
    }

    /// Creates a file, or with `resume` opens an existing one with the same settings. Returns the state
    /// after its last iteration.
    pub fn open(
        &self,
        path: &Path,
        resume: bool,
    ) -> Result<(TuningFile, TuningState), JsonLinesError> {
        let mut state = self.initial_state();
        let matches = self.matches.iter().map(|terms| Tournament::of_match(terms.clone()).id());
        let manifest = TuningManifest {
            program: pentarch_engine::NAME_AND_VERSION,
            games: self.matches.iter().map(Match::conditions).collect(),
            matches: matches.collect(),
            pairs: self.pairs,
            batch: self.batch,
            seed: self.seed,
            schedule: self.schedule,
            parameters: &self.tunables,
        };
        let file = JsonLinesFile::open(path, &manifest, resume, |text| {
            let line: TuningIteration =
                serde_json::from_str(text).map_err(|error| error.to_string())?;
            let is_next = line.pairs.iter().zip(state.pairs..).all(|(played, pair)| {
                let Perturbation { plus, minus, .. } = state.spsa.perturbation(pair);
                (&plus, &minus) == (&played.plus, &played.minus)
            });
            if !is_next || line.pairs.len() != self.next_pairs(&state).len() {
                return Err("not the iteration that follows the lines before it".to_owned());
            }
            state.update(&line.pairs);
            Ok(())
        })?;
        Ok((TuningFile(file), state))
    }

    /// The numbers of the pairs of the next iteration.
    fn next_pairs(&self, state: &TuningState) -> Range<u32> {
        state.pairs..self.pairs.min(state.pairs.saturating_add(self.batch.max(1)))
    }

    /// Plays the remaining games. After each iteration it is written to the file, then `report` is
    /// called; an error of `report` ends the run.
    pub fn run(
        &self,
        mut state: TuningState,
        mut file: Option<&mut TuningFile>,
        cancel: &CancelToken,
        mut report: impl FnMut(&TuningState) -> io::Result<()>,
    ) -> Result<TuningState, TuningError> {
        let workers = self.matches.first().map_or(1, |terms| terms.concurrency);
        let workers = workers.clamp(1, 2 * self.batch.max(1) as usize);
        thread::scope(|scope| {
            let (game_sender, games) = mpsc::channel();
            let (result_sender, results) = mpsc::channel();
            let games = Arc::new(Mutex::new(games));
            for number in 1..=workers {
                let (games, result_sender) = (games.clone(), result_sender.clone());
                let thread = thread::Builder::new().name(format!("game thread {number}"));
                let work = move || self.work(&games, &result_sender, cancel);
                thread.spawn_scoped(scope, work).map_err(ArenaError::Thread)?;
            }
            drop(result_sender);
            while state.pairs < self.pairs && !cancel.is_canceled() {
                match self.iterate(&state, &game_sender, &results) {
                    Err(TuningError::Arena(ArenaError::Canceled)) => break,
                    Err(error) => {
                        cancel.cancel();
                        return Err(error);
                    }
                    Ok(pairs) => {
                        state.update(&pairs);
                        let number = state.pairs.div_ceil(self.batch.max(1));
                        let values = state.values().to_vec();
                        let line = TuningIteration { number, pairs, values };
                        let line = serde_json::to_string(&line).expect("numbers serialize");
                        file.as_mut().map_or(Ok(()), |file| file.0.append(&line))?;
                        report(&state).map_err(ArenaError::Output)?;
                    }
                }
            }
            state.interrupted = state.pairs < self.pairs;
            Ok(state)
        })
    }

    /// Plays the games of the next iteration on the worker threads.
    fn iterate(
        &self,
        state: &TuningState,
        games: &Sender<TuningGame>,
        results: &Receiver<Result<TuningGameResult, ArenaError>>,
    ) -> Result<Vec<PlayedPair>, TuningError> {
        let numbers = self.next_pairs(state);
        let mut pairs = Vec::new();
        for pair in numbers.clone() {
            let terms = &self.matches[self.match_index(pair)];
            let rules = terms.rules.built_in().ok_or_else(|| "the rules are not ours".to_owned());
            let number = pair / self.matches.len() as u32;
            let opening = terms.openings.get(number, rules.map_err(ArenaError::Setup)?)?;
            let Perturbation { plus, minus, .. } = state.spsa.perturbation(pair);
            for is_second in [false, true] {
                let options = [self.options(&plus), self.options(&minus)];
                let opening = opening.clone();
                // Workers stop early only after an error, which is received below.
                let _ = games.send(TuningGame { pair, is_second, options, opening });
            }
            let (points, ends) = ([0.0; 2], Default::default());
            pairs.push(PlayedPair { rules: terms.rules.to_string(), plus, minus, points, ends });
        }
        for _ in 0..2 * pairs.len() {
            let game = results.recv().map_err(|_| ArenaError::Canceled)??;
            let played = &mut pairs[(game.pair - numbers.start) as usize];
            played.points[usize::from(game.is_second)] = game.points;
            played.ends[usize::from(game.is_second)] = game.reason;
        }
        Ok(pairs)
    }

    /// The index of the match of a pair of games.
    fn match_index(&self, pair: u32) -> usize {
        pair as usize % self.matches.len().max(1)
    }

    fn options(&self, values: &[i64]) -> Vec<(String, String)> {
        let pair = |(tunable, value): (&Tunable, &i64)| (tunable.name.clone(), value.to_string());
        self.tunables.iter().zip(values).map(pair).collect()
    }

    /// Plays games until the channel is closed. The players of each match are started once.
    fn work(
        &self,
        games: &Mutex<Receiver<TuningGame>>,
        results: &Sender<Result<TuningGameResult, ArenaError>>,
        cancel: &CancelToken,
    ) {
        let mut players: Vec<Option<TuningMatch<'_>>> = self.matches.iter().map(|_| None).collect();
        loop {
            let game = games.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(game) = game else { return };
            let result = self.play(&game, &mut players, cancel).map(|record| {
                let first = first_seat_points(&record);
                TuningGameResult {
                    pair: game.pair,
                    is_second: game.is_second,
                    points: if game.is_second { 1.0 - first } else { first },
                    reason: record.reason,
                }
            });
            if results.send(result).is_err() {
                return;
            }
        }
    }

    fn play<'a>(
        &'a self,
        game: &TuningGame,
        players: &mut [Option<TuningMatch<'a>>],
        cancel: &CancelToken,
    ) -> Result<GameRecord, ArenaError> {
        if cancel.is_canceled() {
            return Err(ArenaError::Canceled);
        }
        let index = self.match_index(game.pair);
        let players = match &mut players[index] {
            Some(players) => players,
            none => none.insert(TuningMatch::start(&self.matches[index], cancel)?),
        };
        for (entrant, options) in Entrant::BOTH.into_iter().zip(&game.options) {
            players.set_options(entrant, options)?;
        }
        let first = Entrant(u8::from(game.is_second));
        let number = 2 * game.pair + 1 + u32::from(game.is_second);
        players.play(number, first, game.opening.clone())
    }
}
