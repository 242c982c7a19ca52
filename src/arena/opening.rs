//! Openings: where a game begins, so that strong engines do not repeat themselves.

use fastrand::Rng;
use pentarch_core::game::{Move, PositionTextError};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Limits, Signal};
use pentarch_engine::{Engine, EngineError, Game, GameError, Image, Options};
use pentarch_records::{self as records, ReadError, ReadOptions, RecordedGame};
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// Where a game begins: a position, or the start of the game, and moves from there on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// A position text; none is the start of the game.
    pub position: Option<String>,
    /// The moves from there on.
    pub moves: Vec<Move>,
}

/// Why there is no such opening.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file, or a game of it, cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file has no opening in it.
    #[error("no opening in {}; expected one a line, such as `j10 k10 n9`", .0.display())]
    Empty(PathBuf),
    /// A line is no opening.
    #[error("{} line {line}: {error}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        error: Unplayable,
    },
    /// Random moves always end the game.
    #[error("{0} random plies always end the game; use fewer with --random-plies")]
    TooManyPlies(u32),
    /// No random moves are balanced.
    #[error(
        "no balanced opening of {plies} random plies within {window} points; widen --balance or \
         change --random-plies"
    )]
    Unbalanced {
        /// How many moves.
        plies: u32,
        /// The greatest value asked for.
        window: u32,
    },
    /// Openings cannot be judged.
    #[error("cannot judge openings: {0}")]
    Engine(#[from] EngineError),
}

/// Why an opening cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// The position is none of these rules.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] GameError),
    /// Nothing is left to play.
    #[error("the game is over after this opening")]
    GameOver,
}

impl Opening {
    /// The game where the opening begins.
    pub fn start(&self, rules: &Ruleset) -> Result<Game, PositionTextError> {
        match &self.position {
            Some(text) => Game::from_text(rules.clone(), text),
            None => Ok(Game::new(rules.clone())),
        }
    }

    /// The game after the opening, which is open.
    pub fn play(&self, rules: &Ruleset) -> Result<Game, Unplayable> {
        let mut game = self.start(rules)?;
        for &mv in &self.moves {
            game.play_move(mv)?;
        }
        if game.outcome().is_some() { Err(Unplayable::GameOver) } else { Ok(game) }
    }

    /// The moves of a game from the start on.
    pub(crate) fn of(game: &Game) -> Opening {
        Opening { position: None, moves: game.moves() }
    }

    /// The moves of a record, played by these rules.
    fn of_record(record: &RecordedGame, rules: &Ruleset) -> Result<Opening, Unplayable> {
        let position = record.initial_position.clone();
        let mut opening = Opening { position, moves: Vec::new() };
        let mut game = opening.start(rules)?;
        for text in &record.moves {
            opening.moves.push(game.play(text)?);
        }
        if game.outcome().is_some() { Err(Unplayable::GameOver) } else { Ok(opening) }
    }
}

/// Where the openings of a match come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// These in their order, then again from the first; there is at least one.
    List(Vec<Opening>),
    /// Random moves near the stones. The same seed gives the same openings.
    Random {
        /// How many moves.
        plies: u32,
        /// Chooses the moves.
        seed: u64,
    },
    /// Random moves near the stones that leave both sides their chances. The same seed gives the
    /// same openings.
    Balanced {
        /// How many moves.
        plies: u32,
        /// Chooses the moves.
        seed: u64,
        /// What is balanced.
        balance: Balance,
    },
}

/// In a few words, for reports.
impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::List(list) => write!(f, "{} openings", list.len()),
            Openings::Random { plies: 0, .. } => f.write_str("no opening"),
            Openings::Random { plies, .. } => write!(f, "{plies} random plies"),
            Openings::Balanced { plies, balance, .. } => {
                write!(f, "{plies} plies balanced within {}", balance.window)
            }
        }
    }
}

impl Openings {
    /// Reads a file of openings in any format of [`records`]: a line of moves, pos and offset of
    /// Gomocup, or games whose moves all belong to the opening. The rules are these, whatever the
    /// file says.
    pub fn read(path: &Path, rules: &Ruleset) -> Result<Openings, OpeningError> {
        let hints = ReadOptions { rules: Some(rules.clone()), ..ReadOptions::default() };
        let mut list = Vec::new();
        for record in records::read(path, &hints)? {
            let record = record?;
            if let Some(reason) = record.warnings.first() {
                let (path, reason) = (path.to_owned(), reason.clone());
                return Err(ReadError::Line { path, line: record.line, reason }.into());
            }
            let opening = Opening::of_record(&record, rules).map_err(|error| {
                OpeningError::Line { path: path.to_owned(), line: record.line, error }
            })?;
            list.push(opening);
        }
        if list.is_empty() {
            Err(OpeningError::Empty(path.to_owned()))
        } else {
            Ok(Openings::List(list))
        }
    }

    /// The openings of a list in another order: shuffled, with a seed, and first as they are, then once more
    /// in each symmetry of the game that the rules allow.
    pub fn arranged(self, rules: &Ruleset, shuffle: Option<u64>, symmetries: bool) -> Openings {
        let Openings::List(mut list) = self else { return self };
        if let Some(seed) = shuffle {
            Rng::with_seed(seed).shuffle(&mut list);
        }
        if symmetries {
            let images = Game::new(rules.clone()).images();
            let seen = |image: &Image| {
                let opening = |opening: &Opening| {
                    let moves = opening.moves.iter().map(|&mv| image.apply(mv)).collect();
                    Opening { position: None, moves }
                };
                let plain = list.iter().filter(|opening| opening.position.is_none());
                plain.map(opening).filter(|opening| opening.play(rules).is_ok()).collect()
            };
            let others: Vec<Vec<Opening>> = images.iter().skip(1).map(seen).collect();
            list.extend(others.into_iter().flatten());
        }
        Openings::List(list)
    }

    /// Whether some opening begins at a position text, for which not every protocol has words.
    pub fn have_positions(&self) -> bool {
        matches!(self, Openings::List(list) if list.iter().any(|o| o.position.is_some()))
    }

    /// How many different openings there are, none if they do not soon repeat.
    pub fn count(&self) -> Option<u32> {
        match self {
            Openings::List(list) => Some(list.len() as u32),
            Openings::Random { plies: 0, .. } | Openings::Balanced { plies: 0, .. } => Some(1),
            Openings::Random { .. } | Openings::Balanced { .. } => None,
        }
    }

    /// The opening of that number, counted from 0. To find a balanced one takes some hundredths of
    /// a second for each that is not.
    pub fn get(&self, number: u32, rules: &Ruleset) -> Result<Opening, OpeningError> {
        match self {
            Openings::List(list) => {
                Ok(list.get(number as usize % list.len().max(1)).cloned().unwrap_or_default())
            }
            &Openings::Random { plies, seed } => {
                let mut rng = numbered(seed, number);
                random_open(rules, plies, &mut rng).map(|game| Opening::of(&game))
            }
            &Openings::Balanced { plies, seed, balance } => {
                let mut rng = numbered(seed, number);
                let draw = || random_open(rules, plies, &mut rng);
                let found = balance.first(draw)?;
                found.ok_or(OpeningError::Unbalanced { plies, window: balance.window })
            }
        }
    }
}

/// How often an opening that ends the game is drawn again.
const TRIES: u32 = 100;

/// The random numbers for the opening of that number.
fn numbered(seed: u64, number: u32) -> Rng {
    Rng::with_seed(seed ^ u64::from(number).rotate_right(32))
}

/// Random moves that do not end the game.
pub(crate) fn random_open(
    rules: &Ruleset,
    plies: u32,
    rng: &mut Rng,
) -> Result<Game, OpeningError> {
    let mut drawn = (0..TRIES).map(|_| random(rules, plies, rng));
    drawn.find_map(|drawn| drawn).ok_or(OpeningError::TooManyPlies(plies))
}

/// Random moves, unless they end the game.
fn random(rules: &Ruleset, plies: u32, rng: &mut Rng) -> Option<Game> {
    let mut game = Game::new(rules.clone());
    for _ in 0..plies {
        let mv = rng.choice(near_moves(&game))?;
        game.play_move(mv).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

/// The legal moves within two steps of a stone, or as few steps more as it takes to have any. On
/// an empty board the center counts as a stone.
fn near_moves(game: &Game) -> Vec<Move> {
    let Some(grid) = game.grid() else { return game.legal_moves() };
    let mut stones: Vec<_> = grid
        .iter()
        .filter(|&cell| game.stone(grid.column(cell), grid.row(cell)).is_some())
        .collect();
    if stones.is_empty() {
        stones.push(grid.center());
    }
    let steps = |mv: Move| {
        let steps = stones.iter().filter_map(|&stone| Some(grid.chebyshev(mv.cell()?, stone)));
        steps.min().unwrap_or(0).max(2)
    };
    let distances: Vec<_> = game.legal_moves().into_iter().map(|mv| (mv, steps(mv))).collect();
    let least = distances.iter().map(|&(_, steps)| steps).min();
    distances.into_iter().filter(|&(_, s)| Some(s) == least).map(|(mv, _)| mv).collect()
}

/// When an opening is balanced: a short search by one thread values it close to zero, a forced win
/// therefore excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// The greatest value for either side, in points of the engine's scale: 400 are odds of e to 1.
    pub window: u32,
    /// How many nodes the search visits.
    pub nodes: u64,
}

impl Balance {
    /// The window that is taken without a wish for another one: odds of at most 1.3 to 1.
    pub const WINDOW: u32 = 100;
    /// Enough nodes to see the tactics after the opening, in some tenths of a second. Of openings that
    /// 20,000 nodes had called balanced, two were worth -314 and -220 points to 200,000.
    pub const NODES: u64 = 100_000;
}

/// The share of the nodes that a first look takes.
const FIRST_LOOK: u64 = 16;
/// How many times as wide as the window the first look's is.
const FIRST_WINDOW: u32 = 3;

impl Default for Balance {
    fn default() -> Balance {
        Balance { window: Balance::WINDOW, nodes: Balance::NODES }
    }
}

/// How many openings are judged before the search for a balanced one is given up. Of those of four random
/// plies in gomoku one in some two hundred is balanced within 100 points: with 1000 tries, matches of 200
/// games broke off.
const BALANCE_TRIES: usize = 4000;

impl Balance {
    /// The first balanced opening of those that `draw` comes up with, none after too many tries.
    pub(crate) fn first(
        self,
        mut draw: impl FnMut() -> Result<Game, OpeningError>,
    ) -> Result<Option<Opening>, OpeningError> {
        let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
        for _ in 0..BALANCE_TRIES {
            let game = draw()?;
            if self.judge(&mut engine, &game)?.is_some() {
                return Ok(Some(Opening::of(&game)));
            }
        }
        Ok(None)
    }

    /// The value of a game for the side to move, if it is balanced.
    fn judge(self, engine: &mut Engine, game: &Game) -> Result<Option<i32>, OpeningError> {
        let first = Balance {
            window: self.window.saturating_mul(FIRST_WINDOW),
            nodes: (self.nodes / FIRST_LOOK).max(1),
        };
        match first.look(engine, game)? {
            Some(_) => self.look(engine, game),
            None => Ok(None),
        }
    }

    /// The value of a game for the side to move, if one search finds it balanced.
    fn look(self, engine: &mut Engine, game: &Game) -> Result<Option<i32>, OpeningError> {
        // Openings must not depend on those that were judged before.
        engine.clear();
        let limits = Limits::nodes(self.nodes);
        let found = engine.think_here(game, limits, &Signal::new(), |_| ())?;
        let score = found.report.score;
        // One against all others is always worse off: there only forced ends count.
        let alone = game.rules().seating().sides() > 2 && score.mate().is_none();
        let balanced = alone || score.value().unsigned_abs() <= self.window;
        Ok(balanced.then(|| score.value()))
    }

    /// Balanced openings with their values for the side to move, no two of them images of each other
    /// in a symmetry of the game. They end when too many draws in a row brought no new one.
    pub fn different(
        self,
        rules: &Ruleset,
        plies: u32,
        seed: u64,
    ) -> impl Iterator<Item = Result<(Game, i32), OpeningError>> + use<> {
        let rules = rules.clone();
        let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
        let (mut rng, mut known) = (Rng::with_seed(seed), HashSet::new());
        std::iter::from_fn(move || {
            for _ in 0..BALANCE_TRIES {
                let game = match random_open(&rules, plies, &mut rng) {
                    Ok(game) => game,
                    Err(error) => return Some(Err(error)),
                };
                // An opening that was judged before is not judged again.
                if !known.insert(game.canonical().text) {
                    continue;
                }
                match self.judge(&mut engine, &game) {
                    Ok(Some(value)) => return Some(Ok((game, value))),
                    Ok(None) => {}
                    Err(error) => return Some(Err(error)),
                }
            }
            None
        })
    }
}
