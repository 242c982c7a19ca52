//! Training games, and their positions as examples for a fit.

use super::training_file::{JsonLinesError, TrainingFile};
use super::training_game::{GameTextError, PositionLabel, TrainingGame};
use pentarch_core::game::{Key, MoveList, Position, mix_bytes};
use pentarch_core::rules::RuleTier;
use pentarch_core::rules::{HexRules, OpeningStage, Ruleset, SquareRules};
use pentarch_core::{hexes, placement};
use pentarch_engine::Game;
use pentarch_engine::eval::{
    HexEvaluator, HexGame, HexTables, LineEvaluator, RuleClass, StoneTables, VariantEvaluator,
    WeightedEvaluator,
};
use pentarch_engine::search::{
    SearchPosition, TableTooLarge, ThreatBudget, ThreatGenerator, ThreatSolver, TranspositionTable,
    Unlimited,
};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The games of some training files.
#[derive(Clone, Debug, Default)]
pub struct TrainingGames {
    games: Vec<TrainingGame>,
    sources: Vec<TrainingSource>,
}

/// A training file that was read. `Display` prints its name, the number of its games, their hash and its
/// manifest.
#[derive(Clone, Debug)]
pub struct TrainingSource {
    path: PathBuf,
    games: usize,
    hash: u64,
    manifest: String,
}

/// A training example.
#[derive(Clone, Debug)]
pub(super) struct Example<T> {
    /// The input of the fit.
    pub features: T,
    /// The search result and the game result.
    pub label: PositionLabel,
    /// Whether the example is in the validation set: all positions of every tenth game.
    pub held_out: bool,
}

/// Evaluation tables by the text of their ruleset.
type TablesByVariant<T> = HashMap<String, Arc<T>>;

/// One game in this many is held out for validation.
const HELD_OUT: usize = 10;

/// Why files are not usable for a fit.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] JsonLinesError),
    /// A game cannot be replayed.
    #[error("game {number}: {error}")]
    Game {
        /// The number of the game, from 1, over all files.
        number: usize,
        /// What is wrong with it.
        error: GameTextError,
    },
    /// The games use different weight sets.
    #[error("{0} uses other weights than the games before it, which use those of {1}")]
    MixedWeights(String, String),
    /// The transposition table of the threat search cannot be allocated.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// No position passes the filter.
    #[error("there are no positions in these files that the evaluation is used for")]
    Empty,
}

impl TrainingGames {
    /// Reads training files.
    pub fn read(paths: &[PathBuf]) -> Result<TrainingGames, CorpusError> {
        let mut games = TrainingGames::default();
        for path in paths {
            games.add(path)?;
        }
        Ok(games)
    }

    fn add(&mut self, path: &Path) -> Result<(), CorpusError> {
        let (mut hash, before) = (0, self.games.len());
        let manifest = TrainingFile::read(path, |game| {
            hash = mix_bytes(hash, game.text().bytes());
            self.games.push(game);
        })?;
        let manifest = serde_json::to_string(&manifest).expect("strings and numbers serialize");
        let games = self.games.len() - before;
        self.sources.push(TrainingSource { path: path.to_owned(), games, hash, manifest });
        Ok(())
    }

    /// The files, in the order in which they were read.
    pub fn sources(&self) -> &[TrainingSource] {
        &self.sources
    }

    fn truncated(&self, games: usize) -> TrainingGames {
        let games = self.games.iter().take(games).cloned().collect();
        TrainingGames { games, sources: self.sources.clone() }
    }

    /// Builds the tables of each ruleset. `build` also returns the weight set of a ruleset, which must be
    /// the same for all; it is `None` if there are no games.
    fn tables<K: Copy + PartialEq + fmt::Display, T>(
        &self,
        build: impl Fn(&str) -> Result<(K, T), GameTextError>,
    ) -> Result<(Option<K>, TablesByVariant<T>), CorpusError> {
        let (mut tables, mut shared) = (TablesByVariant::new(), None);
        for (index, TrainingGame { variant, .. }) in self.games.iter().enumerate() {
            if tables.contains_key(variant) {
                continue;
            }
            let (weight_set, table) =
                build(variant).map_err(|error| CorpusError::Game { number: index + 1, error })?;
            let first = *shared.get_or_insert(weight_set);
            if weight_set != first {
                return Err(CorpusError::MixedWeights(variant.clone(), first.to_string()));
            }
            tables.insert(variant.clone(), Arc::new(table));
        }
        Ok((shared, tables))
    }

    /// Extracts one example of each distinct position. `begin` returns for a game the function that
    /// extracts the key and the features of its positions, or `None` to leave a position out.
    fn examples<T: Send, F: FnMut(&Game, PositionLabel) -> Option<(Key, T)>>(
        &self,
        begin: impl Fn(&TrainingGame) -> Result<F, CorpusError> + Sync,
    ) -> Result<Vec<Example<T>>, CorpusError> {
        let games = self.games.par_iter().enumerate();
        let found = games.map(|(index, game)| {
            let (mut extract, mut examples) = (begin(game)?, Vec::new());
            let held_out = index % HELD_OUT == HELD_OUT - 1;
            let visitor = |game: &Game, label: PositionLabel| {
                let found = extract(game, label);
                examples.extend(
                    found.map(|(key, features)| (key, Example { features, label, held_out })),
                );
            };
            game.visit(visitor).map_err(|error| CorpusError::Game { number: index + 1, error })?;
            Ok(examples)
        });
        let found: Result<Vec<_>, CorpusError> = found.collect();
        let mut known = HashSet::new();
        let new = found?.into_iter().flatten().filter(|(key, _)| known.insert(key.0));
        let examples: Vec<_> = new.map(|(_, example)| example).collect();
        if examples.is_empty() { Err(CorpusError::Empty) } else { Ok(examples) }
    }
}

impl fmt::Display for TrainingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let TrainingSource { games, hash, manifest, .. } = self;
        write!(f, "{name}: {games} games, hash {hash:016x}, {manifest}")
    }
}

/// Which positions become examples. In all of them the mover has no immediate win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PositionFilter {
    /// Positions of which alpha-beta takes the static value: no side has an immediate win, and the mover
    /// has no short VCF.
    Quiet,
    /// Positions in which no side has an immediate win.
    NoWinInOne,
    /// Positions in which the mover has no immediate win. For games of three or more colors, and for
    /// games in which a threat needs two stones to answer.
    MoverHasNoWin,
}

impl PositionFilter {
    fn accepts<P: Position, E: ThreatGenerator<P>>(
        self,
        tree: &mut SearchPosition<P, E>,
        table: &TranspositionTable,
    ) -> bool {
        if tree.evaluator.winning_move(&tree.position).is_some() {
            return false;
        }
        if self == PositionFilter::MoverHasNoWin {
            return true;
        }
        tree.evaluator.defenses(&tree.position, &mut MoveList::new()).is_none()
            && (self == PositionFilter::NoWinInOne || !has_short_vcf(tree, table))
    }
}

/// The budget of the threat search that precedes a static evaluation.
const VCF_BUDGET: ThreatBudget = ThreatBudget { nodes: 24, threats: 6, narrow: true };

fn has_short_vcf<P: Position, E: ThreatGenerator<P>>(
    tree: &mut SearchPosition<P, E>,
    table: &TranspositionTable,
) -> bool {
    let found = ThreatSolver::new(table).vcf(tree, &mut Unlimited, VCF_BUDGET);
    found.is_ok_and(|found| found.win().is_some())
}

/// Games of stones on squares that share one weight set.
#[derive(Debug)]
pub struct Corpus {
    games: TrainingGames,
    tables: TablesByVariant<StoneTables>,
    rule_class: RuleClass,
}

/// An evaluator of stones on squares whose weights can be fitted.
pub(super) trait FittableEvaluator: WeightedEvaluator<placement::Position> {
    /// Creates the evaluator from the tables of a ruleset.
    fn of_tables(tables: Arc<StoneTables>) -> Self;

    /// Whether the engine uses this evaluator for a ruleset.
    fn serves(rules: &SquareRules) -> bool;
}

impl FittableEvaluator for LineEvaluator {
    fn of_tables(tables: Arc<StoneTables>) -> LineEvaluator {
        LineEvaluator::new(tables, false, 0)
    }

    fn serves(rules: &SquareRules) -> bool {
        rules.tier() < RuleTier::Full
    }
}

impl<const N: usize> FittableEvaluator for VariantEvaluator<N> {
    fn of_tables(tables: Arc<StoneTables>) -> VariantEvaluator<N> {
        VariantEvaluator::new(tables, false, 0)
    }

    fn serves(rules: &SquareRules) -> bool {
        rules.tier() == RuleTier::Full
    }
}

impl Corpus {
    /// Reads training files.
    pub fn read(paths: &[PathBuf]) -> Result<Corpus, CorpusError> {
        Corpus::new(TrainingGames::read(paths)?)
    }

    /// Fails if the games do not share one weight set.
    pub fn new(games: TrainingGames) -> Result<Corpus, CorpusError> {
        let (rule_class, tables) = games.tables(|variant| {
            let rules: Ruleset = variant.parse()?;
            let rules: SquareRules =
                rules.narrow().ok_or_else(|| GameTextError::Kind(variant.to_owned()))?;
            Ok((RuleClass::of(&rules), StoneTables::new(&rules)))
        })?;
        Ok(Corpus { games, tables, rule_class: rule_class.unwrap_or(RuleClass::Lines) })
    }

    /// The weight set of the games.
    pub fn rule_class(&self) -> RuleClass {
        self.rule_class
    }

    /// The files that the games were read from.
    pub fn sources(&self) -> &[TrainingSource] {
        self.games.sources()
    }

    pub(super) fn games(&self) -> usize {
        self.games.games.len()
    }

    pub(super) fn truncated(&self, games: usize) -> Corpus {
        let games = self.games.truncated(games);
        Corpus { games, tables: self.tables.clone(), rule_class: self.rule_class }
    }

    /// Extracts one example of each distinct position that passes the filter and that the evaluator `E`
    /// is used for, once the opening rules no longer apply. `extract` may leave a position out.
    pub(super) fn examples<E: FittableEvaluator, T: Send>(
        &self,
        filter: PositionFilter,
        extract: impl Fn(&E, &placement::Position, PositionLabel) -> Option<T> + Sync,
    ) -> Result<Vec<Example<T>>, CorpusError> {
        self.games.examples(|game| {
            let evaluator = E::of_tables(Arc::clone(&self.tables[&game.variant]));
            let table = TranspositionTable::new(1)?;
            let extract = &extract;
            Ok(move |game: &Game, label: PositionLabel| {
                let position = game.placement()?;
                let is_used = E::serves(position.rules())
                    && position.stage() == OpeningStage::Play
                    && !position.is_opening_limited();
                if !is_used {
                    return None;
                }
                let mut tree = SearchPosition::new(position.clone(), evaluator.clone());
                if !filter.accepts(&mut tree, &table) {
                    return None;
                }
                Some((position.key(), extract(&tree.evaluator, position, label)?))
            })
        })
    }
}

/// Games on hexagons that share one weight set.
#[derive(Debug)]
pub struct HexCorpus {
    games: TrainingGames,
    tables: TablesByVariant<HexTables>,
    game: HexGame,
}

impl HexCorpus {
    /// Fails if the games do not share one weight set.
    pub fn new(games: TrainingGames) -> Result<HexCorpus, CorpusError> {
        let (game, tables) = games.tables(|variant| {
            let rules = hex_rules(variant)?;
            let game = HexGame::of(&rules);
            let game = game.ok_or_else(|| GameTextError::Kind(variant.to_owned()))?;
            Ok((game, HexTables::new(&rules)))
        })?;
        let game = game.ok_or(CorpusError::Empty)?;
        Ok(HexCorpus { games, tables, game })
    }

    /// Whether the first game is played on hexagons.
    pub fn accepts(games: &TrainingGames) -> bool {
        games.games.first().is_some_and(|game| hex_rules(&game.variant).is_ok())
    }

    /// The weight set of the games.
    pub fn game(&self) -> HexGame {
        self.game
    }

    pub(super) fn games(&self) -> usize {
        self.games.games.len()
    }

    pub(super) fn truncated(&self, games: usize) -> HexCorpus {
        let games = self.games.truncated(games);
        HexCorpus { games, tables: self.tables.clone(), game: self.game }
    }

    /// Extracts one example of each distinct position that passes the filter. `extract` may leave a
    /// position out.
    pub(super) fn examples<T: Send>(
        &self,
        filter: PositionFilter,
        extract: impl Fn(&HexEvaluator, &hexes::Position, PositionLabel) -> Option<T> + Sync,
    ) -> Result<Vec<Example<T>>, CorpusError> {
        self.games.examples(|game| {
            let evaluator = HexEvaluator::new(Arc::clone(&self.tables[&game.variant]), 0);
            let table = TranspositionTable::new(1)?;
            let extract = &extract;
            Ok(move |game: &Game, label: PositionLabel| {
                let position = game.hexes().filter(|position| !position.is_choice())?;
                let mut tree = SearchPosition::new(position.clone(), evaluator.clone());
                if !filter.accepts(&mut tree, &table) {
                    return None;
                }
                Some((position.key(), extract(&tree.evaluator, position, label)?))
            })
        })
    }
}

fn hex_rules(variant: &str) -> Result<HexRules, GameTextError> {
    let rules: Ruleset = variant.parse()?;
    rules.narrow().ok_or_else(|| GameTextError::Kind(variant.to_owned()))
}
