//! The positions on hexagons of files, as examples for a fit.

use super::corpus::{CorpusError, PositionKind};
use super::games::{Example, Games, Tables};
use super::training_game::{GameTextError, Searched};
use pentarch_core::game::Position as _;
use pentarch_core::hexes::Position;
use pentarch_core::rules::{HexRules, Ruleset};
use pentarch_engine::Game;
use pentarch_engine::eval::{HexEvaluator, HexGame, HexTables};
use pentarch_engine::search::{TranspositionTable, Tree};
use std::sync::Arc;

/// Games on hexagons that share weights.
#[derive(Debug)]
pub struct HexCorpus {
    games: Games,
    tables: Tables<HexTables>,
    game: HexGame,
}

impl HexCorpus {
    /// A corpus of games that share weights.
    pub fn of(games: Games) -> Result<HexCorpus, CorpusError> {
        let (game, tables) = games.tables(|variant| {
            let rules = hex_rules(variant)?;
            let game = HexGame::of(&rules);
            let game = game.ok_or_else(|| GameTextError::Kind(variant.to_owned()))?;
            Ok((game, HexTables::new(&rules)))
        })?;
        let game = game.ok_or(CorpusError::Empty)?;
        Ok(HexCorpus { games, tables, game })
    }

    /// Whether games are on hexagons, by the first one.
    pub fn holds(games: &Games) -> bool {
        games.iter().next().is_some_and(|game| hex_rules(&game.variant).is_ok())
    }

    /// The game that the weights are of.
    pub fn game(&self) -> HexGame {
        self.game
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The first games alone.
    #[must_use]
    pub fn first(&self, games: usize) -> HexCorpus {
        HexCorpus { games: self.games.first(games), tables: self.tables.clone(), game: self.game }
    }

    /// Positions of a kind, each once. `look` takes what a fit needs from each, or leaves it out.
    pub(super) fn examples<T: Send>(
        &self,
        kind: PositionKind,
        look: impl Fn(&HexEvaluator, &Position, Searched) -> Option<T> + Sync,
    ) -> Result<Vec<Example<T>>, CorpusError> {
        self.games.examples(|game| {
            let evaluator = HexEvaluator::new(Arc::clone(&self.tables[&game.variant]), 0);
            let table = TranspositionTable::new(1)?;
            let look = &look;
            Ok(move |game: &Game, searched: Searched| {
                let position = game.hexes().filter(|position| !position.is_choice())?;
                let mut tree = Tree::new(position.clone(), evaluator.clone());
                let fits = kind.fits(&mut tree, &table);
                let features = fits.then(|| look(tree.evaluator(), position, searched)).flatten();
                Some((position.key(), features?))
            })
        })
    }
}

fn hex_rules(variant: &str) -> Result<HexRules, GameTextError> {
    let rules: Ruleset = variant.parse()?;
    rules.narrow().ok_or_else(|| GameTextError::Kind(variant.to_owned()))
}
