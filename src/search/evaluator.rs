//! What a family of games tells the search beyond its rules.

use super::Score;
use crate::game::{Move, MoveList, Position};

/// Opinions on the positions of a search, kept up to date move by move.
///
/// The search calls [`Evaluator::reset`] once and then mirrors every `play` and `undo` of its
/// position; see [`Tree`](super::Tree). The defaults know nothing: every move is a candidate, and
/// the search is then plain alpha-beta.
pub trait Evaluator<P: Position>: Clone + Send + Sync {
    /// Starts afresh at a position.
    fn reset(&mut self, position: &P);

    /// Follows a play: the position is the one after it, and its
    /// [`changes`](Position::changes) are those of that play.
    fn advance(&mut self, position: &P);

    /// Takes back the last [`Evaluator::advance`]: the position is still the one before `undo`.
    fn retract(&mut self, position: &P);

    /// The worth of an open position to the side to move, by looking only.
    fn value(&self, position: &P) -> Score;

    /// The proven value of an open position, if looking suffices: a draw that nobody can avoid,
    /// say.
    fn settled(&self, position: &P) -> Option<Score> {
        let _ = position;
        None
    }

    /// A move that wins the game at once, if there is one. Never a wrong one; all are found.
    fn winning_move(&self, position: &P) -> Option<Move> {
        let _ = position;
        None
    }

    /// Whether the opponent threatens to win with his next move. If so, adds every legal move
    /// that may prevent it, and perhaps others; adding none means that nothing prevents it.
    /// Asked only when there is no [`Evaluator::winning_move`].
    fn replies(&self, position: &P, moves: &mut MoveList) -> bool {
        let _ = (position, moves);
        false
    }

    /// Adds the legal moves worth searching, at least one if the position is open.
    fn candidates(&self, position: &P, moves: &mut MoveList) {
        position.legal_moves(moves);
    }

    /// How promising a move looks: those with higher numbers are searched first.
    fn priority(&self, position: &P, mv: Move) -> i32 {
        let _ = (position, mv);
        0
    }
}
