//! What a search knows of a family of games beyond its rules: values, moves, threats.

use super::{Score, ThreatWin, Window};
use pentarch_core::game::{Key, Move, MoveList, Position};

/// Opinions on the positions of a search, kept up to date move by move.
///
/// The search calls [`Evaluator::reset`] once and then mirrors every `play` and `undo` of its
/// position; see [`Tree`](super::Tree).
pub trait Evaluator<P: Position>: Clone + Send + Sync {
    /// Starts afresh at a position.
    fn reset(&mut self, position: &P);

    /// Follows a play: the position is the one after it, and its
    /// [`changes`](Position::changes) are those of that play.
    fn advance(&mut self, position: &P);

    /// Takes back the last [`Evaluator::advance`]: the position is still the one before `undo`.
    fn retract(&mut self, position: &P);

    /// The static value of an open position for the side to move. What only a value needs may be
    /// put off until it is asked for.
    fn value(&mut self, position: &P) -> Score;

    /// Bounds between which [`Evaluator::value`] lies but for rare exceptions, if they are quicker to have
    /// ([lazy evaluation](https://www.chessprogramming.org/Lazy_Evaluation)).
    fn value_bounds(&mut self, position: &P) -> Window {
        let _ = position;
        Window::FULL
    }

    /// Whether the position is [quiescent](https://www.chessprogramming.org/Quiescence_Search), so
    /// that [`Evaluator::value`] may stand for a search of a few plies if it is far above what
    /// matters. Asked only when the opponent does not threaten to win.
    fn is_quiescent(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// The values that an open position can have, both ends included, as far as can be seen at once:
    /// no win for a side that can no longer make a line, say.
    fn range(&self, position: &P) -> Window {
        let _ = position;
        Window::FULL
    }

    /// The key under which results for a position are remembered. Positions that share one must
    /// have the same value, mirror images say; moves are remembered only under a position's own.
    /// Asked of positions that [`Evaluator::advance`] has not seen as well.
    fn table_key(&self, position: &P) -> Key {
        position.key()
    }
}

/// What a list of moves is known to contain. It decides what follows if every listed move loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coverage {
    /// Every legal move, except moves that are worth no more than a listed one.
    All,
    /// Every legal move that may prevent a win of the opponent with its next move. Every other move loses
    /// to that win.
    AgainstThreat,
    /// Some moves. A better one may be missing, so that losses of all of them prove nothing.
    #[default]
    Selective,
}

impl Coverage {
    /// Whether the position is lost if every listed move loses.
    pub const fn proves_loss(self) -> bool {
        !matches!(self, Coverage::Selective)
    }
}

/// Which moves a search tries, and in which order. The defaults know nothing: every move is a
/// candidate, and the search is then plain alpha-beta.
pub trait MoveGenerator<P: Position>: Evaluator<P> {
    /// A move that wins the game at once, if there is one. Never a wrong one; all are found.
    fn winning_move(&self, position: &P) -> Option<Move> {
        let _ = position;
        None
    }

    /// Whether a move that won at once in another position does so here, as far as a quick look tells; never
    /// wrongly. Asked of positions that [`Evaluator::advance`] has not seen as well.
    fn wins_again(&self, position: &P, mv: Move) -> bool {
        let _ = (position, mv);
        false
    }

    /// If the opponent threatens to win with the next move, adds legal moves that may prevent it, and
    /// perhaps others, and returns what the list covers; `None` if there is no threat. An empty list that
    /// [proves a loss](Coverage::proves_loss) means that nothing prevents the win.
    /// Asked only when there is no [`MoveGenerator::winning_move`].
    fn defenses(&self, position: &P, moves: &mut MoveList) -> Option<Coverage> {
        let _ = (position, moves);
        None
    }

    /// Adds the moves that [`MoveGenerator::defenses`] left out of a [selective](Coverage::Selective) list
    /// although they may prevent the win, and perhaps others. Asked when every listed defense loses.
    fn remaining_defenses(&self, position: &P, moves: &mut MoveList) {
        position.legal_moves(moves);
    }

    /// Adds the legal moves that are not [quiet](MoveGenerator::is_quiet), each once. A search
    /// tries them first, and asks for the other candidates only if it needs them.
    fn tactical_moves(&self, position: &P, moves: &mut MoveList) {
        let _ = (position, moves);
    }

    /// Adds the legal moves worth searching, at least one if the position is open, and returns what the
    /// list covers.
    fn candidates(&self, position: &P, moves: &mut MoveList) -> Coverage {
        position.legal_moves(moves);
        Coverage::All
    }

    /// Whether the position has, by a quick estimate, more than `count` legal moves, so that a proof of a loss
    /// does not try them all.
    fn has_more_moves_than(&self, position: &P, count: usize) -> bool {
        let _ = (position, count);
        false
    }

    /// The ordering score down to which tactical moves are tried before the quiet ones are so much as listed;
    /// the others are tried together with them. By default all tactical moves are tried before.
    fn quiet_ceiling(&self, position: &P) -> i32 {
        let _ = position;
        i32::MIN
    }

    /// How promising a move looks: those with higher scores are searched first
    /// ([move ordering](https://www.chessprogramming.org/Move_Ordering)).
    fn ordering_score(&self, position: &P, mv: Move) -> i32 {
        let _ = (position, mv);
        0
    }

    /// Adds to scores how promising the moves look in the light of the whole position: by default what
    /// [`MoveGenerator::ordering_score`] says of each by itself.
    fn add_ordering_scores(&mut self, position: &P, moves: &mut [(Move, i32)]) {
        for (mv, score) in moves {
            *score += self.ordering_score(position, *mv);
        }
    }

    /// Whether a move neither threatens nor answers anything, so that it comes after the
    /// [tactical](MoveGenerator::tactical_moves) ones.
    fn is_quiet(&self, position: &P, mv: Move) -> bool {
        let _ = (position, mv);
        true
    }

    /// Fills an empty list with the candidates that are quiet, in their order.
    fn quiet_moves(&self, position: &P, moves: &mut MoveList) {
        self.candidates(position, moves);
        moves.retain(|&mv| self.is_quiet(position, mv));
    }

    /// Whether [`MoveGenerator::is_quiet`] means something, so that a search may reduce late moves
    /// and leave some out, the quiet ones above all.
    fn knows_quiet_moves(&self) -> bool {
        false
    }

    /// Whether the ordering scores are fitted so well that a node may do without all moves but the
    /// first few of them, at any depth.
    fn has_fitted_order(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// Whether they are so good besides that late moves may be reduced by all that is expected of them,
    /// and the only good one searched deeper.
    fn has_sure_order(&self, position: &P) -> bool {
        let _ = position;
        false
    }
}

/// What a [`ThreatSolver`](super::ThreatSolver) needs to know. The defaults know no threats, and
/// the solver then finds nothing.
pub trait ThreatGenerator<P: Position>: MoveGenerator<P> {
    /// Adds the legal moves that threaten to win with the next one, and perhaps others. A search
    /// for a win by continuous threats tries only these. If it is `thrifty`, only those are added that may lead
    /// to other threats, because they make more than one or capture, and often enough do: all that others can
    /// bring about is an answer.
    fn threat_moves(&self, position: &P, thrifty: bool, moves: &mut MoveList) {
        let _ = (position, thrifty, moves);
    }

    /// A win by continuous threats that can be seen at once, without a search. Asked only in open
    /// positions in which neither side has a win in one.
    fn sure_vcf(&self, position: &P) -> Option<ThreatWin> {
        let _ = position;
        None
    }

    /// The same by threats of every kind.
    fn sure_win(&self, position: &P) -> Option<ThreatWin> {
        self.sure_vcf(position)
    }

    /// Whether the opponent, if the side to move made a null move, could threaten to win in a way that
    /// nothing prevents any more, so that it would win with its move after that. If so, adds every legal
    /// move that may prevent it now, and perhaps others; adding none means that nothing does. Asked only
    /// where neither side has a win in one.
    fn open_four_defenses(&self, position: &P, moves: &mut MoveList) -> bool {
        let _ = (position, moves);
        false
    }

    /// Whether it is worth looking for a win that the opponent could force if the side to move made
    /// a null move.
    fn may_be_threatened(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// Whether a move may lead to a threat by what it makes itself, not only by what it prevents.
    fn may_threaten(&self, position: &P, mv: Move) -> bool {
        let _ = (position, mv);
        true
    }

    /// Whether a thrifty search for continuous threats should follow an answer to a threat, which may be a
    /// threat as well.
    fn leads_on(&self, position: &P, mv: Move) -> bool {
        let _ = (position, mv);
        true
    }

    /// Whether a threat may gain from an `earlier` one of the same side: because the two lie on a line,
    /// say, or because it captures. Two that do not can be made in any order and come to the same.
    fn builds_on(&self, position: &P, mv: Move, earlier: Move) -> bool {
        let _ = (position, mv, earlier);
        true
    }

    /// Adds moves that threaten to win with the next by a capture, where one capture is missing.
    fn capture_threats(&self, position: &P, moves: &mut MoveList) {
        let _ = (position, moves);
    }

    /// The part of a relevance zone that stems from a position in which the side to move must
    /// defend: adds each of its moves that could have made a difference here if it had been made
    /// earlier. It could then win, capture more, or stand in the way. False if these moves cannot be known.
    fn defense_zone(&self, position: &P, moves: &mut MoveList) -> bool {
        let _ = (position, moves);
        false
    }

    /// The part of a relevance zone that stems from what `mv` takes off the board: adds each move
    /// of the other side that could have made a difference to it if it had been made earlier.
    fn capture_zone(&self, position: &P, mv: Move, moves: &mut MoveList) {
        let _ = (position, mv, moves);
    }
}

/// An evaluator that knows the rules alone: every position is worth a draw and every legal move is a
/// candidate. It serves exact searches of games that no other evaluator serves.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainEvaluator;

impl<P: Position> Evaluator<P> for PlainEvaluator {
    fn reset(&mut self, _: &P) {}
    fn advance(&mut self, _: &P) {}
    fn retract(&mut self, _: &P) {}

    fn value(&mut self, _: &P) -> Score {
        Score::DRAW
    }
}

impl<P: Position> MoveGenerator<P> for PlainEvaluator {}

impl<P: Position> ThreatGenerator<P> for PlainEvaluator {}
