//! Values of deeper searches for games that were played with fewer nodes.

use super::self_play::{SelfPlayError, search};
use super::training_game::{GameTextError, TrainingGame};
use pentarch_engine::{Engine, Game, Options};

/// Why a game cannot be searched again.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    /// It is not to be played.
    #[error(transparent)]
    Game(#[from] GameTextError),
    /// The engine cannot think.
    #[error(transparent)]
    Search(#[from] SelfPlayError),
}

/// The size of the table of a game's searches, in MiB.
const HASH: usize = 8;

/// The game with the values and the moves of searches of `nodes` nodes, on a thread with
/// [`SelfPlay::STACK`](super::SelfPlay::STACK) bytes of stack.
pub fn rescore(game: &TrainingGame, nodes: u64) -> Result<TrainingGame, RescoreError> {
    let mut found = TrainingGame { best: Vec::new(), ..game.clone() };
    let mut engine = Engine::new(Options { hash: HASH, ..Options::default() });
    let mut position = Game::new(game.rules()?);
    let mut aside = 0;
    for ply in 0..=game.moves.len() {
        if let Some(index) = ply.checked_sub(game.opening).filter(|&i| i < game.values.len()) {
            let best = search(&mut engine, &position, nodes)?;
            found.values[index] = best.report.score.value();
            if ply < game.moves.len() {
                found.best.extend(best.best.map(|mv| position.move_text(mv)));
            }
        }
        while let Some(beside) = found.asides.get_mut(aside).filter(|aside| aside.ply == ply) {
            position.play(&beside.mv).map_err(GameTextError::Move)?;
            let best = search(&mut engine, &position, nodes)?;
            beside.value = best.report.score.value();
            if let Some(mv) = best.best {
                beside.best = position.move_text(mv);
            }
            position.undo();
            aside += 1;
        }
        if let Some(text) = game.moves.get(ply) {
            position.play(text).map_err(GameTextError::Move)?;
        }
    }
    Ok(found)
}
