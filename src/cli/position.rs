//! The position that a command is about.

use clap::Args;
use pentarch_core::game::PositionTextError;
use pentarch_core::rules::Ruleset;
use pentarch_engine::{Game, GameError};

/// A position of a game.
#[derive(Clone, Debug, Args)]
pub(super) struct PositionArgs {
    /// The game: NAME[+modifier...]
    #[arg(long, value_name = "SPEC", default_value = "pente")]
    variant: Ruleset,
    /// Moves to play first, separated by blanks
    #[arg(long, value_name = "M M M", default_value = "", hide_default_value = true)]
    moves: String,
    /// The position to start from instead of the start of the game
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
}

/// Why there is no such position.
#[derive(Debug, thiserror::Error)]
pub(super) enum PositionError {
    #[error(transparent)]
    Text(#[from] PositionTextError),
    #[error(transparent)]
    Move(#[from] GameError),
}

impl PositionArgs {
    /// The game, with the moves played.
    pub(super) fn game(&self) -> Result<Game, PositionError> {
        let mut game = Game::new(self.variant.clone());
        if let Some(text) = &self.position {
            game = game.with_text(text)?;
        }
        for text in self.moves.split_whitespace() {
            game.play(text)?;
        }
        Ok(game)
    }
}
