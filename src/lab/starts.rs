//! Positions of games to begin other games with.
//!
//! Games at few nodes that begin with random moves end soon, so boards half full are hardly ever seen in
//! them, and what is fitted to them alone foretells little there: over 1,000 games of gomoku at 300 ms a
//! move between engines of like strength a network made a loss of 0.639, where the weights that it was
//! to correct made 0.578.

use fastrand::Rng;
use pentarch_core::game::mix_bytes;
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_records::{self as records, ReadError, ReadOptions};
use std::path::Path;

/// Games, and what they are from.
#[derive(Clone, Debug, Default)]
pub struct Starts {
    /// The moves of each.
    games: Vec<Vec<String>>,
    sources: Vec<String>,
}

/// The last moves of a game, before which it is as good as decided.
const DECIDED: usize = 10;
/// How many positions are drawn before the search for one that can be played from is given up.
const TRIES: usize = 1000;

impl Starts {
    /// Adds the games of a file in any format of [`records`] that begin at the start of the game.
    pub fn add(&mut self, path: &Path) -> Result<(), ReadError> {
        let (mut hash, before) = (0, self.games.len());
        for game in records::read(path, &ReadOptions::default())? {
            let game = game?;
            if let Some(reason) = game.warnings.first() {
                let (path, reason) = (path.to_owned(), reason.clone());
                return Err(ReadError::Line { path, line: game.line, reason });
            }
            if game.initial_position.is_none() && game.moves.len() > DECIDED {
                hash = mix_bytes(hash, game.moves.iter().flat_map(|text| text.bytes()));
                self.games.push(game.moves);
            }
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let games = self.games.len() - before;
        self.sources.push(format!("{name}: {games} games, hash {hash:016x}"));
        Ok(())
    }

    /// What the games are from, file by file.
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// A position of a game after so many plies, in the middle of it, if these rules allow its moves.
    pub(super) fn draw(
        &self,
        rules: &Ruleset,
        [least, most]: [u32; 2],
        rng: &mut Rng,
    ) -> Option<Game> {
        (0..TRIES).find_map(|_| {
            let moves = rng.choice(&self.games)?;
            let last = moves.len().checked_sub(DECIDED)?.min(most as usize);
            let plies = (least as usize <= last).then(|| rng.usize(least as usize..=last))?;
            let mut game = Game::new(rules.clone());
            for text in &moves[..plies] {
                game.play(text).ok()?;
            }
            game.outcome().is_none().then_some(game)
        })
    }
}
