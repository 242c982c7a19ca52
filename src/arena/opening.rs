//! Openings: the positions in which games begin, so that strong engines do not repeat games.

use crate::schedule::Shard;
use fastrand::Rng;
use pentarch_core::game::{Move, PositionTextError};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Limits, Signal};
use pentarch_engine::{Engine, EngineError, Game, GameError, GameSymmetry, Options};
use pentarch_records::{self as records, ReadError, ReadOptions, RecordedGame};
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// An opening: an optional start position and moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// A position text; `None` is the start of the game.
    pub position: Option<String>,
    /// The moves from that position.
    pub moves: Vec<Move>,
}

/// Why openings cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file, or a game in it, cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file contains no opening.
    #[error("no opening in {}; expected one a line, such as `j10 k10 n9`", .0.display())]
    Empty(PathBuf),
    /// A line is not an opening.
    #[error("{} line {line}: {error}", .path.display())]
    Line {
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        error: UnplayableOpening,
    },
    /// This number of random moves always ends the game.
    #[error("{0} random plies always end the game; use fewer with --random-plies")]
    TooManyPlies(u32),
    /// No balanced opening was found.
    #[error(
        "no balanced opening of {plies} random plies within {window} points; widen --balance or \
         change --random-plies"
    )]
    Unbalanced {
        /// The number of random moves.
        plies: u32,
        /// The maximum absolute score, in points.
        window: u32,
    },
    /// The engine that evaluates openings failed.
    #[error("cannot evaluate openings: {0}")]
    Engine(#[from] EngineError),
}

/// Why an opening cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnplayableOpening {
    /// The position is invalid in this game.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// A move is illegal.
    #[error(transparent)]
    Move(#[from] GameError),
    /// The game is over after the opening.
    #[error("the game is over after this opening")]
    GameOver,
}

impl Opening {
    /// The game at the start position of the opening.
    pub fn start(&self, rules: &Ruleset) -> Result<Game, PositionTextError> {
        match &self.position {
            Some(text) => Game::from_text(rules.clone(), text),
            None => Ok(Game::new(rules.clone())),
        }
    }

    /// The game after the opening. It is an error if the game is over.
    pub fn play(&self, rules: &Ruleset) -> Result<Game, UnplayableOpening> {
        let mut game = self.start(rules)?;
        for &mv in &self.moves {
            game.play_move(mv)?;
        }
        if game.outcome().is_some() { Err(UnplayableOpening::GameOver) } else { Ok(game) }
    }

    /// The moves of a game from its start.
    pub(crate) fn of(game: &Game) -> Opening {
        Opening { position: None, moves: game.moves() }
    }

    /// The moves of a record, played by these rules.
    fn of_record(record: &RecordedGame, rules: &Ruleset) -> Result<Opening, UnplayableOpening> {
        let position = record.initial_position.clone();
        let mut opening = Opening { position, moves: Vec::new() };
        let mut game = opening.start(rules)?;
        for text in &record.moves {
            opening.moves.push(game.play(text)?);
        }
        if game.outcome().is_some() { Err(UnplayableOpening::GameOver) } else { Ok(opening) }
    }
}

/// Where the openings of a match come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// These openings in order, cyclically. The list is not empty.
    List(Vec<Opening>),
    /// Random moves near the stones. The same seed gives the same openings.
    Random {
        /// The number of random moves.
        plies: u32,
        /// The seed.
        seed: u64,
    },
    /// Random moves near the stones after which a search finds the position balanced. The same seed
    /// gives the same openings.
    Balanced {
        /// The number of random moves.
        plies: u32,
        /// The seed.
        seed: u64,
        /// When an opening is balanced.
        balance: BalanceCriterion,
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
    /// Gomocup, or games whose moves all belong to the opening. The file's own statement of the
    /// rules is ignored.
    pub fn read(path: &Path, rules: &Ruleset) -> Result<Openings, OpeningsError> {
        let hints = ReadOptions { rules: Some(rules.clone()), ..ReadOptions::default() };
        let mut list = Vec::new();
        for record in records::read(path, &hints)? {
            let record = record?;
            if let Some(reason) = record.warnings.first() {
                let (path, reason) = (path.to_owned(), reason.clone());
                return Err(ReadError::Line { path, line: record.line, reason }.into());
            }
            let opening = Opening::of_record(&record, rules).map_err(|error| {
                OpeningsError::Line { path: path.to_owned(), line: record.line, error }
            })?;
            list.push(opening);
        }
        if list.is_empty() {
            Err(OpeningsError::Empty(path.to_owned()))
        } else {
            Ok(Openings::List(list))
        }
    }

    /// Reorders a list of openings: shuffles it by a seed, and appends the images of all openings
    /// in each symmetry that the rules allow.
    pub fn reordered(self, rules: &Ruleset, shuffle: Option<u64>, symmetries: bool) -> Openings {
        let Openings::List(mut list) = self else { return self };
        if let Some(seed) = shuffle {
            Rng::with_seed(seed).shuffle(&mut list);
        }
        if symmetries {
            let images = Game::new(rules.clone()).symmetries();
            let seen = |image: &GameSymmetry| {
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

    /// Whether some opening has a start position, which not every protocol can express.
    pub fn have_positions(&self) -> bool {
        matches!(self, Openings::List(list) if list.iter().any(|o| o.position.is_some()))
    }

    /// The number of different openings; `None` if it is practically unlimited.
    pub fn count(&self) -> Option<u32> {
        match self {
            Openings::List(list) => Some(list.len() as u32),
            Openings::Random { plies: 0, .. } | Openings::Balanced { plies: 0, .. } => Some(1),
            Openings::Random { .. } | Openings::Balanced { .. } => None,
        }
    }

    /// The opening with this number, from 0. A balanced opening costs some hundredths of a second
    /// for each rejected candidate.
    pub fn get(&self, number: u32, rules: &Ruleset) -> Result<Opening, OpeningsError> {
        match self {
            Openings::List(list) => {
                Ok(list.get(number as usize % list.len().max(1)).cloned().unwrap_or_default())
            }
            &Openings::Random { plies, seed } => {
                let mut rng = opening_rng(seed, number);
                random_game(rules, plies, &mut rng).map(|game| Opening::of(&game))
            }
            &Openings::Balanced { plies, seed, balance } => {
                let mut rng = opening_rng(seed, number);
                let draw = || random_game(rules, plies, &mut rng);
                let found = balance.find_opening(draw)?;
                found.ok_or(OpeningsError::Unbalanced { plies, window: balance.window })
            }
        }
    }
}

/// How often a random opening that ends the game is replaced.
const TRIES: u32 = 100;

/// The random number generator for the opening with this number.
fn opening_rng(seed: u64, number: u32) -> Rng {
    Rng::with_seed(seed ^ u64::from(number).rotate_right(32))
}

/// A game after random moves that do not end it.
pub(crate) fn random_game(
    rules: &Ruleset,
    plies: u32,
    rng: &mut Rng,
) -> Result<Game, OpeningsError> {
    let mut drawn = (0..TRIES).map(|_| try_random_game(rules, plies, rng));
    drawn.find_map(|drawn| drawn).ok_or(OpeningsError::TooManyPlies(plies))
}

/// A game after random moves; `None` if they end it.
fn try_random_game(rules: &Ruleset, plies: u32, rng: &mut Rng) -> Option<Game> {
    let mut game = Game::new(rules.clone());
    for _ in 0..plies {
        let mv = rng.choice(near_moves(&game))?;
        game.play_move(mv).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

/// The legal moves within two steps of a stone, or within the smallest larger distance that has
/// any. On an empty board the center counts as a stone.
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

/// When an opening is balanced: a search with one thread scores it close to zero, which excludes
/// forced wins. From an opening that one seat wins by force, both engines of a pair win once and
/// the pair carries no information.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BalanceCriterion {
    /// The maximum absolute score, in points of the engine's scale: 400 points are odds of e to 1.
    pub window: u32,
    /// The number of nodes of the search.
    pub nodes: u64,
}

impl BalanceCriterion {
    /// The default window: odds of at most 1.3 to 1.
    pub const WINDOW: u32 = 100;
    /// The default number of nodes, enough to see the tactics after the opening, in some tenths of
    /// a second. Two openings that 20,000 nodes found balanced were scored -314 and -220 points by
    /// 200,000 nodes.
    pub const NODES: u64 = 100_000;
}

/// A shorter search with this fraction of the nodes rejects most candidates first.
const FILTER_NODES_DIVISOR: u64 = 16;
/// The window of the shorter search, as a multiple of the final one.
const FILTER_WINDOW_FACTOR: u32 = 3;

impl Default for BalanceCriterion {
    fn default() -> BalanceCriterion {
        BalanceCriterion { window: BalanceCriterion::WINDOW, nodes: BalanceCriterion::NODES }
    }
}

/// The number of candidates after which no balanced opening is found. About one in 200 gomoku
/// openings of four random plies is balanced within 100 points: with 1000 tries, matches of 200
/// games were aborted.
const BALANCE_TRIES: usize = 4000;

impl BalanceCriterion {
    /// The first balanced opening among those that `draw` returns; `None` after too many tries.
    pub(crate) fn find_opening(
        self,
        mut draw: impl FnMut() -> Result<Game, OpeningsError>,
    ) -> Result<Option<Opening>, OpeningsError> {
        let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
        for _ in 0..BALANCE_TRIES {
            let game = draw()?;
            if self.evaluate(&mut engine, &game)?.is_some() {
                return Ok(Some(Opening::of(&game)));
            }
        }
        Ok(None)
    }

    /// The score for the side to move if the game is balanced.
    fn evaluate(self, engine: &mut Engine, game: &Game) -> Result<Option<i32>, OpeningsError> {
        let first = BalanceCriterion {
            window: self.window.saturating_mul(FILTER_WINDOW_FACTOR),
            nodes: (self.nodes / FILTER_NODES_DIVISOR).max(1),
        };
        match first.search(engine, game)? {
            Some(_) => self.search(engine, game),
            None => Ok(None),
        }
    }

    /// The score for the side to move if one search finds the game balanced.
    fn search(self, engine: &mut Engine, game: &Game) -> Result<Option<i32>, OpeningsError> {
        // An opening must not depend on those evaluated before.
        engine.clear();
        let limits = Limits::nodes(self.nodes);
        let found = engine.search(game, limits, &Signal::new(), |_| ())?;
        let score = found.report.score;
        // With more than two sides, a single side is always behind the rest: only forced ends
        // count.
        let alone = game.rules().seating().sides() > 2 && score.mate().is_none();
        let balanced = alone || score.value().unsigned_abs() <= self.window;
        Ok(balanced.then(|| score.value()))
    }

    /// Balanced openings with their scores for the side to move, no two of them equivalent by
    /// symmetry. The iterator ends after too many candidates without a new opening. A shard
    /// searches only its own candidates, so that no opening is in two shards.
    pub fn distinct_openings(
        self,
        rules: &Ruleset,
        plies: u32,
        seed: u64,
        shard: Option<Shard>,
    ) -> impl Iterator<Item = Result<(Game, i32), OpeningsError>> + use<> {
        let rules = rules.clone();
        let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
        let (mut rng, mut known) = (Rng::with_seed(seed), HashSet::new());
        let tries = BALANCE_TRIES * shard.map_or(1, |shard| shard.of as usize);
        std::iter::from_fn(move || {
            for _ in 0..tries {
                let game = match random_game(&rules, plies, &mut rng) {
                    Ok(game) => game,
                    Err(error) => return Some(Err(error)),
                };
                // Skips openings that were evaluated before.
                let number = known.len() as u32;
                if !known.insert(game.canonical().text)
                    || shard.is_some_and(|shard| !shard.holds(number))
                {
                    continue;
                }
                match self.evaluate(&mut engine, &game) {
                    Ok(Some(value)) => return Some(Ok((game, value))),
                    Ok(None) => {}
                    Err(error) => return Some(Err(error)),
                }
            }
            None
        })
    }
}
