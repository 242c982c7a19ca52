//! What a family of games tells the search beyond its rules.

use super::{Score, Window};
use crate::game::{Key, Move, MoveList, Position};

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

    /// The static value of an open position for the side to move.
    fn value(&self, position: &P) -> Score;

    /// Whether [`Evaluator::value`] may stand for a search of a few plies if it is far above what
    /// matters. Asked only when the opponent does not threaten to win.
    fn is_quiescent(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// The values that an open position can have, both ends included, as far as looking tells: no
    /// win for a side that can no longer make a line, say.
    fn range(&self, position: &P) -> Window {
        let _ = position;
        Window::FULL
    }

    /// The key under which results for a position are remembered. Positions that share one must
    /// have the same value, mirror images say; moves are remembered only under a position's own.
    fn table_key(&self, position: &P) -> Key {
        position.key()
    }

    /// A move that wins the game at once, if there is one. Never a wrong one; all are found.
    fn winning_move(&self, position: &P) -> Option<Move> {
        let _ = position;
        None
    }

    /// Whether the opponent threatens to win with his next move. If so, adds every legal move
    /// that may prevent it, and perhaps others; adding none means that nothing prevents it.
    /// Asked only when there is no [`Evaluator::winning_move`].
    fn defenses(&self, position: &P, moves: &mut MoveList) -> bool {
        let _ = (position, moves);
        false
    }

    /// Adds the legal moves that are not [quiet](Evaluator::is_quiet), each once. A search tries them
    /// first, and asks for the other candidates only if it needs them.
    fn tactical_moves(&self, position: &P, moves: &mut MoveList) {
        let _ = (position, moves);
    }

    /// Adds the legal moves worth searching, at least one if the position is open.
    fn candidates(&self, position: &P, moves: &mut MoveList) {
        position.legal_moves(moves);
    }

    /// How promising a move looks: those with higher numbers are searched first.
    fn ordering_score(&self, position: &P, mv: Move) -> i32 {
        let _ = (position, mv);
        0
    }

    /// Whether a move neither threatens nor answers anything, so that it comes after the
    /// [urgent](Evaluator::tactical_moves) ones.
    fn is_quiet(&self, position: &P, mv: Move) -> bool {
        let _ = (position, mv);
        true
    }

    /// Whether a search may give quiet moves less attention.
    fn knows_quiet_moves(&self) -> bool {
        false
    }

    /// Adds the legal moves that threaten to win with the next one, and perhaps others. A search
    /// for a forced win tries only these.
    fn threat_moves(&self, position: &P, moves: &mut MoveList) {
        let _ = (position, moves);
    }

    /// Whether it is worth looking for a win that the opponent would force if the side to move did
    /// nothing.
    fn may_be_threatened(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// Adds moves that threaten to win with the next by a capture, where one is missing.
    fn capture_threats(&self, position: &P, moves: &mut MoveList) {
        let _ = (position, moves);
    }

    /// Adds every move of the side to move, which must answer a threat to win, that could have made
    /// a difference here if it had been made earlier: it could then win, capture more, or stand in
    /// the way. False if that cannot be told.
    fn defense_zone(&self, position: &P, moves: &mut MoveList) -> bool {
        let _ = (position, moves);
        false
    }

    /// Adds every move of the other side that could have made a difference to what `mv` takes off
    /// the board, if it had been made earlier.
    fn capture_zone(&self, position: &P, mv: Move, moves: &mut MoveList) {
        let _ = (position, mv, moves);
    }
}
