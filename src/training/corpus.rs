//! The positions of files, as examples for a fit.

use super::game_file::GameFile;
use super::line_file::FileError;
use super::training_game::{GameTextError, Searched, TrainingGame};
use crate::eval::{Genre, LineEvaluator, PatternTables};
use crate::game::{MoveList, Position as _, mix_bytes};
use crate::placement::Position;
use crate::rules::{Ruleset, SquareRules, Stage};
use crate::search::{
    TableTooLarge, ThreatBudget, ThreatSolver, TranspositionTable, Tree, Unlimited,
};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Games of files, all of one genre.
#[derive(Debug)]
pub struct Corpus {
    games: Vec<TrainingGame>,
    tables: HashMap<String, Arc<PatternTables>>,
    sources: Vec<Source>,
    genre: Genre,
}

/// A file that games are from.
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
    games: usize,
    /// Of what was read.
    hash: u64,
    /// The first line.
    manifest: String,
}

/// Why files are no corpus.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A game cannot be played.
    #[error("game {number}: {error}")]
    Game {
        /// The number of the game, from 1, all files counted.
        number: usize,
        /// What is wrong with it.
        error: GameTextError,
    },
    /// The games have no weights in common.
    #[error("{0} has other weights than the games before it, which are of {1}")]
    Genres(String, Genre),
    /// There is no memory to look for threats.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// There is nothing to learn from.
    #[error("there are no positions in these files that an evaluation is asked about")]
    Empty,
}

/// A position with what is to be foretold of it.
#[derive(Clone, Debug)]
pub struct Example<T> {
    /// What a fit looks at.
    pub features: T,
    /// What was found.
    pub searched: Searched,
    /// Whether it is left out of the fit and foretold afterwards: all positions of every tenth game.
    pub held_out: bool,
}

/// Which positions are examples. In all of them neither side can win with its next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionKind {
    /// Those that a search asks for a value: the mover does not win by a few threats either.
    Quiet,
    /// Those in which a search puts moves in order.
    Open,
}

/// One in so many games is held out.
const HELD_OUT: usize = 10;

impl Corpus {
    /// Reads files.
    pub fn read(paths: &[PathBuf]) -> Result<Corpus, CorpusError> {
        let mut corpus = Corpus {
            games: Vec::new(),
            tables: HashMap::new(),
            sources: Vec::new(),
            genre: Genre::Lines,
        };
        for path in paths {
            corpus.add(path)?;
        }
        Ok(corpus)
    }

    fn add(&mut self, path: &Path) -> Result<(), CorpusError> {
        let (mut hash, before) = (0, self.games.len());
        let manifest = GameFile::read(path, |game| {
            hash = mix_bytes(hash, game.text().bytes());
            self.games.push(game);
            Ok(())
        })?;
        for (index, game) in self.games.iter().enumerate().skip(before) {
            if !self.tables.contains_key(&game.variant) {
                let failed = |error| CorpusError::Game { number: index + 1, error };
                let rules = square_rules(&game.variant).map_err(failed)?;
                let genre = Genre::of(&rules);
                if !self.tables.is_empty() && genre != self.genre {
                    return Err(CorpusError::Genres(game.variant.clone(), self.genre));
                }
                self.genre = genre;
                let tables = Arc::new(PatternTables::new(&rules));
                self.tables.insert(game.variant.clone(), tables);
            }
        }
        let manifest = serde_json::to_string(&manifest).expect("text and numbers");
        let games = self.games.len() - before;
        self.sources.push(Source { path: path.to_owned(), games, hash, manifest });
        Ok(())
    }

    /// The games that the files are of.
    pub fn genre(&self) -> Genre {
        self.genre
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The first games alone.
    #[must_use]
    pub fn first(&self, games: usize) -> Corpus {
        let games = self.games.iter().take(games).cloned().collect();
        Corpus {
            games,
            tables: self.tables.clone(),
            sources: self.sources.clone(),
            genre: self.genre,
        }
    }

    /// What the games are from, in lines of their own.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Positions of a kind, each once. `look` takes what a fit needs from each, or leaves it out.
    pub fn examples<T: Send>(
        &self,
        kind: PositionKind,
        look: impl Fn(&LineEvaluator, &Position, Searched) -> Option<T> + Sync,
    ) -> Result<Vec<Example<T>>, CorpusError> {
        let games = self.games.par_iter().enumerate();
        let found = games.map(|(index, game)| {
            let tables = Arc::clone(&self.tables[&game.variant]);
            let evaluator = LineEvaluator::new(tables, false, 0);
            let table = TranspositionTable::new(1)?;
            let mut examples = Vec::new();
            let see = |position: &Position, searched: Searched| {
                let mut tree = Tree::new(position.clone(), evaluator.clone());
                if !is_open(&tree) || (kind == PositionKind::Quiet && has_win(&mut tree, &table)) {
                    return;
                }
                let held_out = index % HELD_OUT == HELD_OUT - 1;
                examples
                    .extend(look(tree.evaluator(), position, searched).map(|features| {
                        (position.key(), Example { features, searched, held_out })
                    }));
            };
            let error = |error| CorpusError::Game { number: index + 1, error };
            game.visit(see).map_err(error)?;
            Ok(examples)
        });
        let found: Result<Vec<_>, CorpusError> = found.collect();
        let mut known = HashSet::new();
        let new = found?.into_iter().flatten().filter(|(key, _)| known.insert(key.0));
        let examples: Vec<_> = new.map(|(_, example)| example).collect();
        if examples.is_empty() { Err(CorpusError::Empty) } else { Ok(examples) }
    }
}

fn square_rules(variant: &str) -> Result<SquareRules, GameTextError> {
    let rules: Ruleset = variant.parse()?;
    rules.narrow().ok_or_else(|| GameTextError::Kind(variant.to_owned()))
}

/// The threats that a search looks at before it takes a static value.
const THREATS: ThreatBudget = ThreatBudget { nodes: 24, threats: 6, linked: true };

/// Whether a position is one of lines and captures alone in which neither side can win with its next
/// move.
fn is_open(tree: &Tree<Position, LineEvaluator>) -> bool {
    let position = tree.position();
    position.rules().plays_lines()
        && position.stage() == Stage::Play
        && !position.is_opening_limited()
        && tree.winning_move().is_none()
        && !tree.defenses(&mut MoveList::new())
}

/// Whether the mover wins by a few fours and captures, which a search finds by itself.
fn has_win(tree: &mut Tree<Position, LineEvaluator>, table: &TranspositionTable) -> bool {
    let found = ThreatSolver::new(table).vcf(tree, &mut Unlimited, THREATS);
    found.is_ok_and(|found| found.win().is_some())
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let Source { games, hash, manifest, .. } = self;
        write!(f, "{name}: {games} games, hash {hash:016x}, {manifest}")
    }
}
