//! What a search knows of a family of games in addition to its rules: values, moves, threats.

use super::{Score, ThreatWin, Window};
use pentarch_core::game::{Key, Move, MoveList, Position};

/// Evaluates the positions of a search and is updated incrementally.
///
/// [`SearchPosition`](super::SearchPosition) calls [`Evaluator::reset`] once, and [`Evaluator::advance`] and
/// [`Evaluator::retract`] with every move.
pub trait Evaluator<P: Position>: Clone + Send + Sync {
    /// Starts at a position.
    fn reset(&mut self, position: &P);

    /// Updates after a move. The position is the one after the move, with its
    /// [`changes`](Position::changes).
    fn advance(&mut self, position: &P);

    /// Undoes the last [`Evaluator::advance`]. The position is still the one after the move.
    fn retract(&mut self, position: &P);

    /// The static value of a position that is not finished, for the side to move. Updates that only the value needs
    /// may be deferred until this is called.
    fn value(&mut self, position: &P) -> Score;

    /// Bounds of [`Evaluator::value`], with rare exceptions, that cost less to compute
    /// ([lazy evaluation](https://www.chessprogramming.org/Lazy_Evaluation)).
    fn value_bounds(&mut self, position: &P) -> Window {
        let _ = position;
        Window::FULL
    }

    /// Whether the position is [quiescent](https://www.chessprogramming.org/Quiescence_Search), so
    /// that [`Evaluator::value`] may replace a shallow search. Called only if the side to move is not in check.
    fn is_quiescent(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// The scores that a position can have, both ends included: for example no win for a side that can no longer
    /// make a line.
    fn range(&self, position: &P) -> Window {
        let _ = position;
        Window::FULL
    }

    /// The key under which results for a position are stored. Positions with the same key, such as mirror images,
    /// must have the same score. Moves are stored only if this is the key of the position itself. May be called
    /// before [`Evaluator::advance`].
    fn table_key(&self, position: &P) -> Key {
        position.key()
    }
}

/// What a list of moves is known to contain, and so what it means if every listed move loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coverage {
    /// Every legal move, except moves that score no more than a listed one.
    All,
    /// Every legal move that may prevent a win of the opponent with its next move. Every other move loses
    /// to that win.
    AgainstThreat,
    /// Some moves. A better one may be missing, so that losses of all listed moves prove nothing.
    #[default]
    Selective,
}

impl Coverage {
    /// Whether the position is lost if every listed move loses.
    pub const fn proves_loss(self) -> bool {
        !matches!(self, Coverage::Selective)
    }
}

/// Lists and orders the moves of a search. With the defaults every move is a candidate, and the search is plain
/// alpha-beta.
pub trait MoveGenerator<P: Position>: Evaluator<P> {
    /// A move that wins the game at once. `None` means that there is none.
    fn winning_move(&self, position: &P) -> Option<Move> {
        let _ = position;
        None
    }

    /// Whether a move that won at once in another position wins here too. It may miss a win, but never reports a wrong
    /// one. May be called before [`Evaluator::advance`].
    fn refutes(&self, position: &P, mv: Move) -> bool {
        let _ = (position, mv);
        false
    }

    /// If the opponent threatens to win with its next move (the side to move is in check), adds legal moves that may
    /// prevent it, and possibly others, and returns what the list covers. Returns `None` if there is no threat. An
    /// empty list that [proves a loss](Coverage::proves_loss) means that nothing prevents the win. Called only if
    /// there is no [`MoveGenerator::winning_move`].
    fn defenses(&self, position: &P, moves: &mut MoveList) -> Option<Coverage> {
        let _ = (position, moves);
        None
    }

    /// Adds the moves that [`MoveGenerator::defenses`] left out of a [selective](Coverage::Selective) list
    /// although they may prevent the win, and possibly others. Called when every listed defense loses.
    fn remaining_defenses(&self, position: &P, moves: &mut MoveList) {
        position.legal_moves(moves);
    }

    /// Adds the legal moves that are not [quiet](MoveGenerator::is_quiet), each once. They are searched first, and the
    /// other candidates are listed only if they are needed.
    fn tactical_moves(&self, position: &P, moves: &mut MoveList) {
        let _ = (position, moves);
    }

    /// Adds the legal moves worth searching, at least one, and returns what the list covers.
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

    /// The least ordering score of tactical moves that are searched before quiet moves are listed. Tactical moves with
    /// lower scores are ordered among the quiet moves. By default all tactical moves come first.
    fn quiet_threshold(&self, position: &P) -> i32 {
        let _ = position;
        i32::MIN
    }

    /// The ordering score of a move. Moves with higher scores are searched first
    /// ([move ordering](https://www.chessprogramming.org/Move_Ordering)).
    fn ordering_score(&self, position: &P, mv: Move) -> i32 {
        let _ = (position, mv);
        0
    }

    /// Adds the ordering scores of several moves, which may depend on the whole position. By default these are the
    /// [`MoveGenerator::ordering_score`]s.
    fn add_ordering_scores(&mut self, position: &P, moves: &mut [(Move, i32)]) {
        for (mv, score) in moves {
            *score += self.ordering_score(position, *mv);
        }
    }

    /// Whether a move makes no threat and answers none. [Tactical](MoveGenerator::tactical_moves) moves are all
    /// others.
    fn is_quiet(&self, position: &P, mv: Move) -> bool {
        let _ = (position, mv);
        true
    }

    /// Fills an empty list with the quiet candidates.
    fn quiet_moves(&self, position: &P, moves: &mut MoveList) {
        self.candidates(position, moves);
        moves.retain(|&mv| self.is_quiet(position, mv));
    }

    /// Whether [`MoveGenerator::is_quiet`] distinguishes moves, so that late moves may be reduced and pruned.
    fn distinguishes_quiet_moves(&self) -> bool {
        false
    }

    /// Whether the ordering scores are trained, so that late move pruning is allowed at any depth.
    fn has_trained_ordering(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// Whether the trained ordering is good enough for stronger reductions and singular extensions.
    fn has_reliable_ordering(&self, position: &P) -> bool {
        let _ = position;
        false
    }
}

/// Lists threats and what answers them, for a [`ThreatSolver`](super::ThreatSolver). With the defaults there are no
/// threats.
pub trait ThreatGenerator<P: Position>: MoveGenerator<P> {
    /// Adds the legal moves that threaten to win with the next one, and possibly others. If `narrow`, only moves that
    /// often lead to other threats, because they make more than one or capture.
    fn threat_moves(&self, position: &P, narrow: bool, moves: &mut MoveList) {
        let _ = (position, narrow, moves);
    }

    /// A win by continuous threats that the patterns show without a search. Called only if neither side has a win in
    /// one.
    fn static_vcf(&self, position: &P) -> Option<ThreatWin> {
        let _ = position;
        None
    }

    /// A win by threats of every kind that the patterns show without a search.
    fn static_win(&self, position: &P) -> Option<ThreatWin> {
        self.static_vcf(position)
    }

    /// Whether the opponent could make an open four after a null move: a threat that nothing prevents, so that it wins
    /// with its move after that. If so, adds every legal move that may prevent it now, and possibly others. An empty
    /// list means that nothing does. Called only if neither side has a win in one.
    fn open_four_defenses(&self, position: &P, moves: &mut MoveList) -> bool {
        let _ = (position, moves);
        false
    }

    /// Whether a search for a win that the opponent could force after a null move is worth its nodes.
    fn may_be_threatened(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// Whether a move may lead to a threat by what it makes, not only by what it prevents.
    fn may_threaten(&self, position: &P, mv: Move) -> bool {
        let _ = (position, mv);
        true
    }

    /// Whether a narrow search for continuous threats follows an answer to a threat, which may be a threat as well.
    fn continues_vcf(&self, position: &P, mv: Move) -> bool {
        let _ = (position, mv);
        true
    }

    /// Whether a threat depends on an `earlier` one of the same side, because the two are on a line or because it
    /// captures. Independent threats can be made in any order with the same result.
    fn depends_on(&self, position: &P, mv: Move, earlier: Move) -> bool {
        let _ = (position, mv, earlier);
        true
    }

    /// Adds moves that threaten to win by a capture, if one capture is missing.
    fn capture_threats(&self, position: &P, moves: &mut MoveList) {
        let _ = (position, moves);
    }

    /// Adds the part of a relevance zone that a position of the defender contributes: each move of the defender that
    /// could change the proof here if it had been made earlier, because the defender could then win, capture more, or
    /// block. Returns `false` if these moves are not known.
    fn defense_dependencies(&self, position: &P, moves: &mut MoveList) -> bool {
        let _ = (position, moves);
        false
    }

    /// Adds the part of a relevance zone that the captures of `mv` contribute: each move of the other side that could
    /// change them if it had been made earlier.
    fn capture_dependencies(&self, position: &P, mv: Move, moves: &mut MoveList) {
        let _ = (position, mv, moves);
    }
}

/// An evaluator that knows only the rules: every position has the draw score and every legal move is a candidate.
/// For exact searches of games without an evaluator of their own.
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
