//! The positions of files, as examples for a fit.

use super::games::{Example, Games, Source, Tables};
use super::line_file::FileError;
use super::training_game::{GameTextError, Searched};
use pentarch_core::rules::RuleTier;
use pentarch_core::game::{self, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::{Ruleset, SquareRules, OpeningStage};
use pentarch_engine::Game;
use pentarch_engine::eval::{
    Genre, LineEvaluator, PatternTables, VariantEvaluator, WeightedEvaluator,
};
use pentarch_engine::search::{
    TableTooLarge, ThreatBudget, ThreatGenerator, ThreatSolver, TranspositionTable, Tree, Unlimited,
};
use std::path::PathBuf;
use std::sync::Arc;

/// Games of files, all of one genre.
#[derive(Debug)]
pub struct Corpus {
    games: Games,
    tables: Tables<PatternTables>,
    genre: Genre,
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
    Genres(String, String),
    /// There is no memory to look for threats.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// There is nothing to learn from.
    #[error("there are no positions in these files that an evaluation is asked about")]
    Empty,
}

/// Which positions are examples. In all of them the mover cannot win with the next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionKind {
    /// Those that alpha-beta asks for a value: nobody else could win at once, nor does the mover by a
    /// few threats.
    Quiet,
    /// Those in which it puts moves in order and nobody else could win at once.
    Open,
    /// All of them, as searches among many colors see them, and where it takes two stones to answer a
    /// threat.
    Undecided,
}

/// An evaluator of stones on squares whose weights can be fitted.
pub(super) trait StoneEvaluator: WeightedEvaluator<Position> {
    /// The evaluator with the tables of a ruleset.
    fn of_tables(tables: Arc<PatternTables>) -> Self;

    /// Whether it is what plays games of a ruleset.
    fn serves(rules: &SquareRules) -> bool;
}

impl StoneEvaluator for LineEvaluator {
    fn of_tables(tables: Arc<PatternTables>) -> LineEvaluator {
        LineEvaluator::new(tables, false, 0)
    }

    fn serves(rules: &SquareRules) -> bool {
        rules.tier() < RuleTier::Full
    }
}

impl<const N: usize> StoneEvaluator for VariantEvaluator<N> {
    fn of_tables(tables: Arc<PatternTables>) -> VariantEvaluator<N> {
        VariantEvaluator::new(tables, false, 0)
    }

    fn serves(rules: &SquareRules) -> bool {
        rules.tier() == RuleTier::Full
    }
}

impl Corpus {
    /// Reads files.
    pub fn read(paths: &[PathBuf]) -> Result<Corpus, CorpusError> {
        Corpus::of(Games::read(paths)?)
    }

    /// A corpus of games that share weights.
    pub fn of(games: Games) -> Result<Corpus, CorpusError> {
        let (genre, tables) = games.tables(|variant| {
            let rules = square_rules(variant)?;
            Ok((Genre::of(&rules), PatternTables::new(&rules)))
        })?;
        Ok(Corpus { games, tables, genre: genre.unwrap_or(Genre::Lines) })
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
        Corpus { games: self.games.first(games), tables: self.tables.clone(), genre: self.genre }
    }

    /// What the games are from, in lines of their own.
    pub fn sources(&self) -> &[Source] {
        self.games.sources()
    }

    /// Positions of lines and pairs of a kind, each once. `look` takes what a fit needs from each, or
    /// leaves it out.
    pub fn examples<T: Send>(
        &self,
        kind: PositionKind,
        look: impl Fn(&LineEvaluator, &Position, Searched) -> Option<T> + Sync,
    ) -> Result<Vec<Example<T>>, CorpusError> {
        self.examples_of(kind, look)
    }

    /// [`Corpus::examples`] of the positions that an evaluator is for.
    pub(super) fn examples_of<E: StoneEvaluator, T: Send>(
        &self,
        kind: PositionKind,
        look: impl Fn(&E, &Position, Searched) -> Option<T> + Sync,
    ) -> Result<Vec<Example<T>>, CorpusError> {
        self.games.examples(|game| {
            let evaluator = E::of_tables(Arc::clone(&self.tables[&game.variant]));
            let table = TranspositionTable::new(1)?;
            let look = &look;
            Ok(move |game: &Game, searched: Searched| {
                let position = game.placement()?;
                let plays = E::serves(position.rules())
                    && position.stage() == OpeningStage::Play
                    && !position.is_opening_limited();
                if !plays {
                    return None;
                }
                let mut tree = Tree::new(position.clone(), evaluator.clone());
                let fits = kind.fits(&mut tree, &table);
                let features = fits.then(|| look(tree.evaluator(), position, searched)).flatten();
                Some((position.key(), features?))
            })
        })
    }
}

impl PositionKind {
    /// Whether a position is of the kind.
    pub(super) fn fits<P: game::Position, E: ThreatGenerator<P>>(
        self,
        tree: &mut Tree<P, E>,
        table: &TranspositionTable,
    ) -> bool {
        let undecided = tree.winning_move().is_none();
        let open = || tree.defenses(&mut MoveList::new()).is_none();
        undecided
            && match self {
                PositionKind::Undecided => true,
                PositionKind::Open => open(),
                PositionKind::Quiet => open() && !has_win(tree, table),
            }
    }
}

fn square_rules(variant: &str) -> Result<SquareRules, GameTextError> {
    let rules: Ruleset = variant.parse()?;
    rules.narrow().ok_or_else(|| GameTextError::Kind(variant.to_owned()))
}

/// The threats that a search looks at before it takes a static value.
const THREATS: ThreatBudget = ThreatBudget { nodes: 24, threats: 6, thrifty: true };

/// Whether the mover wins by a few fours and captures, which a search finds by itself.
fn has_win<P: game::Position, E: ThreatGenerator<P>>(
    tree: &mut Tree<P, E>,
    table: &TranspositionTable,
) -> bool {
    let found = ThreatSolver::new(table).vcf(tree, &mut Unlimited, THREATS);
    found.is_ok_and(|found| found.win().is_some())
}
