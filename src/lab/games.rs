//! The games of files, and their positions as examples for a fit.

use super::corpus::CorpusError;
use super::game_file::GameFile;
use super::training_game::{GameTextError, Searched, TrainingGame};
use pentarch_core::game::{Key, mix_bytes};
use pentarch_engine::Game;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Games of files.
#[derive(Clone, Debug, Default)]
pub struct Games {
    games: Vec<TrainingGame>,
    sources: Vec<Source>,
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

/// Tables by ruleset.
pub(super) type Tables<T> = HashMap<String, Arc<T>>;

/// One in so many games is held out.
const HELD_OUT: usize = 10;

impl Games {
    /// Reads files.
    pub fn read(paths: &[PathBuf]) -> Result<Games, CorpusError> {
        let mut games = Games::default();
        for path in paths {
            games.add(path)?;
        }
        Ok(games)
    }

    fn add(&mut self, path: &Path) -> Result<(), CorpusError> {
        let (mut hash, before) = (0, self.games.len());
        let manifest = GameFile::read(path, |game| {
            hash = mix_bytes(hash, game.text().bytes());
            self.games.push(game);
            Ok(())
        })?;
        let manifest = serde_json::to_string(&manifest).expect("text and numbers");
        let games = self.games.len() - before;
        self.sources.push(Source { path: path.to_owned(), games, hash, manifest });
        Ok(())
    }

    /// The games in their order.
    pub fn iter(&self) -> impl Iterator<Item = &TrainingGame> {
        self.games.iter()
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The first games alone.
    #[must_use]
    pub fn first(&self, games: usize) -> Games {
        let games = self.games.iter().take(games).cloned().collect();
        Games { games, sources: self.sources.clone() }
    }

    /// What the games are from, in lines of their own.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// What `make` makes of each ruleset, and the kind that it says, which all of them share.
    pub(super) fn tables<K: Copy + PartialEq + fmt::Display, T>(
        &self,
        make: impl Fn(&str) -> Result<(K, T), GameTextError>,
    ) -> Result<(Option<K>, Tables<T>), CorpusError> {
        let (mut tables, mut shared) = (Tables::new(), None);
        for (index, TrainingGame { variant, .. }) in self.games.iter().enumerate() {
            if tables.contains_key(variant) {
                continue;
            }
            let made = make(variant);
            let (kind, table) =
                made.map_err(|error| CorpusError::Game { number: index + 1, error })?;
            let first = *shared.get_or_insert(kind);
            if kind != first {
                return Err(CorpusError::Genres(variant.clone(), first.to_string()));
            }
            tables.insert(variant.clone(), Arc::new(table));
        }
        Ok((shared, tables))
    }

    /// Positions of the games, each once. `begin` gives for a game what takes from each of its positions
    /// what a fit needs, or leaves the position out.
    pub(super) fn examples<T: Send, L: FnMut(&Game, Searched) -> Option<(Key, T)>>(
        &self,
        begin: impl Fn(&TrainingGame) -> Result<L, CorpusError> + Sync,
    ) -> Result<Vec<Example<T>>, CorpusError> {
        let games = self.games.par_iter().enumerate();
        let found = games.map(|(index, game)| {
            let (mut look, mut examples) = (begin(game)?, Vec::new());
            let held_out = index % HELD_OUT == HELD_OUT - 1;
            let see = |game: &Game, searched: Searched| {
                let found = look(game, searched);
                examples.extend(
                    found.map(|(key, features)| (key, Example { features, searched, held_out })),
                );
            };
            game.visit(see).map_err(|error| CorpusError::Game { number: index + 1, error })?;
            Ok(examples)
        });
        let found: Result<Vec<_>, CorpusError> = found.collect();
        let mut known = HashSet::new();
        let new = found?.into_iter().flatten().filter(|(key, _)| known.insert(key.0));
        let examples: Vec<_> = new.map(|(_, example)| example).collect();
        if examples.is_empty() { Err(CorpusError::Empty) } else { Ok(examples) }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let Source { games, hash, manifest, .. } = self;
        write!(f, "{name}: {games} games, hash {hash:016x}, {manifest}")
    }
}
