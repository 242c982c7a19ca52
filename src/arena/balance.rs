//! Balanced openings: random moves that leave both sides their chances. From an opening that one
//! seat wins by force, both engines of a pair win once, and the pair says nothing.
//!
//! Most draws are far from balanced and need no long search to be refused.

use super::opening::{Opening, OpeningError, random_open};
use fastrand::Rng;
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Limits, Signal};
use pentarch_engine::{Engine, Game, Options};
use std::collections::HashSet;

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
const TRIES: usize = 4000;

impl Balance {
    /// The first balanced opening of those that `draw` comes up with, none after too many tries.
    pub(super) fn first(
        self,
        mut draw: impl FnMut() -> Result<Game, OpeningError>,
    ) -> Result<Option<Opening>, OpeningError> {
        let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
        for _ in 0..TRIES {
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
            for _ in 0..TRIES {
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
