//! Games in and out of SGF files.

use super::super::state::SessionState;
use super::{CommandResult, Gtp, Played, done, success};
use pentarch_records::sgf::Tree;
use pentarch_records::{AtomicFile, read_regular_file};
use std::path::Path;

impl Gtp {
    /// The game of a file, up to a move that is left out. The rules are those that the file names,
    /// or else those of now on a board of its size.
    pub(super) fn load_sgf(
        &mut self,
        state: &mut SessionState,
        file: &str,
        before: Option<u32>,
    ) -> CommandResult {
        let bytes = read_regular_file(Path::new(file))
            .map_err(|error| format!("cannot load file: {error}"))?;
        let fail = |error: &dyn ToString| format!("cannot load file: {}", error.to_string());
        let tree = Tree::parse_bytes(bytes).map_err(|error| fail(&error))?;
        let moves = before.map_or(usize::MAX, |number| (number as usize).saturating_sub(1));
        let game = tree.replay(state.game.rules(), moves).map_err(|error| fail(&error))?;
        if game.rules() != state.game.rules() {
            state.set_rules(game.rules().clone());
        }
        self.restart();
        self.plays = vec![Played::Moves(1); game.moves().len()];
        state.game = game;
        done()
    }
}

/// The game as SGF, as the answer or into a file.
pub(super) fn print_sgf(state: &SessionState, file: Option<&str>) -> CommandResult {
    let sgf = Tree::of(&state.game).to_string();
    let Some(file) = file else { return success(sgf) };
    AtomicFile::write(Path::new(file), (sgf + "\n").as_bytes())
        .map_err(|error| format!("cannot write file: {error}"))?;
    done()
}
