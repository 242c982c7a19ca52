//! Tactics from recorded games.

use super::{Prover, Reach, Spent, Tactic, Win};
use pentarch_core::game::Key;
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_engine::eval::PatternTables;
use pentarch_records::{RecordedGame, ReplayError};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Looks for positions with a forced win shortly before the end of games.
#[derive(Clone, Debug)]
pub struct Miner {
    rules: Ruleset,
    tables: Option<Arc<PatternTables>>,
    /// How many plies before the end of a game to look.
    pub before_end: RangeInclusive<u32>,
    /// How many quiet moves a win may have; see [`Reach`].
    pub quiet: u32,
    /// The most nodes to spend on a position.
    pub nodes: u64,
}

/// What a game had to offer.
#[derive(Clone, Debug, Default)]
pub struct Mined {
    /// The positions that were looked at: the winner was to move.
    pub looked_at: usize,
    /// The positions that were not decided within the limit of nodes.
    pub undecided: usize,
    /// Those with a forced win no longer than the rest of the game.
    pub tactics: Vec<Tactic>,
}

impl Miner {
    /// A miner for games of these rules, where a record names no others.
    pub fn new(rules: Ruleset) -> Miner {
        let tables = rules.narrow().map(|rules| Arc::new(PatternTables::new(&rules)));
        Miner { rules, tables, before_end: 3..=9, quiet: 1, nodes: 1_000_000 }
    }

    /// Looks at a game.
    pub fn mine(&self, recorded: &RecordedGame) -> Result<Mined, ReplayError> {
        let mut game = recorded.replay(&self.rules)?;
        let mut mined = Mined::default();
        let Some(winner) = recorded.winner() else { return Ok(mined) };
        let length = game.moves().len();
        for before_end in 1..=*self.before_end.end() {
            if game.undo().is_none() {
                break;
            }
            let wanted = self.before_end.contains(&before_end);
            if !wanted || game.side_of(game.to_move()) != winner {
                continue;
            }
            mined.looked_at += 1;
            let ply = length - before_end as usize + 1;
            let source = format!("{}, ply {ply}", recorded.name);
            match self.prove(&game, before_end, source, recorded.initial_position.clone()) {
                Ok(tactic) => mined.tactics.extend(tactic),
                Err(Spent) => mined.undecided += 1,
            }
        }
        Ok(mined)
    }

    /// The position as a tactic if it is won within that number of plies.
    fn prove(
        &self,
        game: &Game,
        plies: u32,
        source: String,
        start: Option<String>,
    ) -> Result<Option<Tactic>, Spent> {
        let Some(position) = game.placement() else { return Ok(None) };
        let tables = match &self.tables {
            Some(tables) if tables.serve(position.rules()) => Arc::clone(tables),
            _ => Arc::new(PatternTables::new(position.rules())),
        };
        let mut prover = Prover::new(position, tables, self.nodes);
        let Some(Win { plies, .. }) = prover.shortest(Reach { plies, quiet: self.quiet })? else {
            return Ok(None);
        };
        let first = prover.first_moves(Reach { plies, quiet: self.quiet })?;
        // A game that began at a position text is written as the position itself.
        let start = start.map(|_| game.text());
        Ok(Some(Tactic { game: game.clone(), start, plies, first, source }))
    }
}

/// The positions met so far, so that each is kept once.
#[derive(Clone, Debug, Default)]
pub struct Seen(HashSet<(String, Option<Key>)>);

impl Seen {
    /// Whether a position is met for the first time.
    pub fn is_new(&mut self, tactic: &Tactic) -> bool {
        let key = tactic.game.placement().map(pentarch_core::game::Position::key);
        self.0.insert((tactic.game.rules().to_string(), key))
    }
}
