//! A position and its evaluator, moved together.

use super::{Coverage, Evaluator, MoveGenerator, Score, ThreatGenerator, ThreatWin, Window};
use pentarch_core::game::{Key, Move, MoveList, Outcome, Position, Seat, Side};

/// The pair that a search walks with. It alone plays and takes back, so that the evaluator can
/// never be out of step. What it is asked it passes on to the one of the two that knows.
#[derive(Clone, Debug)]
pub struct Tree<P, E> {
    position: P,
    evaluator: E,
    /// Whether the evaluator has not seen the last move.
    ahead: bool,
    /// The moves that were played, to hold the counted nodes to.
    #[cfg(debug_assertions)]
    pub(super) plays: u64,
}

impl<P: Position, E: Evaluator<P>> Tree<P, E> {
    /// Starts at a position.
    pub fn new(position: P, mut evaluator: E) -> Tree<P, E> {
        evaluator.reset(&position);
        Tree {
            position,
            evaluator,
            ahead: false,
            #[cfg(debug_assertions)]
            plays: 0,
        }
    }

    /// The position.
    #[inline]
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The evaluator, which has seen every move but one of [`Tree::play_ahead`].
    #[inline]
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.play_ahead(mv);
        self.catch_up();
    }

    /// Plays a legal move that the evaluator does not see before [`Tree::catch_up`], which must come
    /// before the next move. Until then only the position and [`Tree::table_key`] may be asked. Where the
    /// table knows enough, that saves the evaluator its work.
    #[inline]
    pub fn play_ahead(&mut self, mv: Move) {
        debug_assert!(!self.ahead, "the evaluator has not seen the last move");
        self.position.play(mv);
        self.ahead = true;
        #[cfg(debug_assertions)]
        {
            self.plays += 1;
        }
    }

    /// What [`Tree::table_key`] will most likely be after a legal move.
    #[inline]
    pub fn key_after(&self, mv: Move) -> Key {
        self.position.key_after(mv)
    }

    /// Shows the evaluator a move of [`Tree::play_ahead`], if it has not seen it.
    #[inline]
    pub fn catch_up(&mut self) {
        if self.ahead {
            self.evaluator.advance(&self.position);
            self.ahead = false;
        }
    }

    /// Hands the turn on without a move
    /// ([null move](https://www.chessprogramming.org/Null_Move)), if the game can be looked at so;
    /// [`Tree::undo`] takes it back.
    pub fn null_move(&mut self) -> bool {
        let passed = self.position.null_move();
        if passed {
            self.evaluator.advance(&self.position);
        }
        passed
    }

    /// Takes the last move back.
    #[inline]
    pub fn undo(&mut self) {
        if !std::mem::take(&mut self.ahead) {
            self.evaluator.retract(&self.position);
        }
        self.position.undo();
    }

    /// How the game stands after these moves, which are taken back. The evaluator does not follow,
    /// which makes this cheap. None also if one of them is not legal.
    pub fn outcome_after(&mut self, moves: &[Move]) -> Option<Outcome> {
        let mut played = 0;
        while let Some(&mv) = moves.get(played)
            && self.position.try_play(mv).is_ok()
        {
            played += 1;
        }
        let outcome = if played == moves.len() { self.position.outcome() } else { None };
        for _ in 0..played {
            self.position.undo();
        }
        outcome
    }

    /// See [`Position::outcome`].
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    /// The seat to move.
    #[inline]
    pub fn to_move(&self) -> Seat {
        self.position.to_move()
    }

    /// The side of the seat to move.
    #[inline]
    pub fn side_to_move(&self) -> Side {
        self.position.side_of(self.position.to_move())
    }

    /// See [`Position::key`].
    #[inline]
    pub fn key(&self) -> Key {
        self.position.key()
    }

    /// See [`Position::is_legal`].
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.position.is_legal(mv)
    }

    /// See [`Evaluator::value`].
    #[inline]
    pub fn value(&mut self) -> Score {
        self.evaluator.value(&self.position)
    }

    /// See [`Evaluator::value_bounds`].
    #[inline]
    pub fn value_bounds(&mut self) -> Window {
        self.evaluator.value_bounds(&self.position)
    }

    /// [`Tree::value`], or if it lies beyond a window, perhaps a bound for it that does so too.
    #[inline]
    pub fn value_within(&mut self, window: Window) -> Score {
        let bounds = self.value_bounds();
        match () {
            () if bounds.alpha >= window.beta => bounds.alpha,
            () if bounds.beta <= window.alpha => bounds.beta,
            () => self.value(),
        }
    }

    /// See [`Evaluator::is_quiescent`].
    #[inline]
    pub fn is_quiescent(&self) -> bool {
        self.evaluator.is_quiescent(&self.position)
    }

    /// See [`Evaluator::range`].
    #[inline]
    pub fn range(&self) -> Window {
        self.evaluator.range(&self.position)
    }

    /// See [`Evaluator::table_key`].
    #[inline]
    pub fn table_key(&self) -> Key {
        self.evaluator.table_key(&self.position)
    }
}

impl<P: Position, E: MoveGenerator<P>> Tree<P, E> {
    /// See [`MoveGenerator::winning_move`].
    #[inline]
    pub fn winning_move(&self) -> Option<Move> {
        self.evaluator.winning_move(&self.position)
    }

    /// See [`MoveGenerator::wins_again`], which may also be asked after [`Tree::play_ahead`].
    #[inline]
    pub fn wins_again(&self, mv: Move) -> bool {
        self.evaluator.wins_again(&self.position, mv)
    }

    /// See [`MoveGenerator::defenses`].
    #[inline]
    pub fn defenses(&self, moves: &mut MoveList) -> Option<Coverage> {
        self.evaluator.defenses(&self.position, moves)
    }

    /// See [`MoveGenerator::remaining_defenses`].
    pub fn remaining_defenses(&self, moves: &mut MoveList) {
        self.evaluator.remaining_defenses(&self.position, moves);
    }

    /// Whether the opponent threatens to win with its next move; if so, lists every move that may prevent
    /// it, so that the position is lost if all of them lose.
    pub fn all_defenses(&self, moves: &mut MoveList) -> bool {
        let Some(coverage) = self.defenses(moves) else { return false };
        if !coverage.proves_loss() {
            let mut remaining = MoveList::new();
            self.remaining_defenses(&mut remaining);
            append_new(moves, remaining);
        }
        true
    }

    /// Lists every legal move that matters, the [candidates](MoveGenerator::candidates) first.
    pub fn all_candidates(&self, moves: &mut MoveList) {
        if !self.candidates(moves).proves_loss() {
            let mut legal = MoveList::new();
            self.position.legal_moves(&mut legal);
            append_new(moves, legal);
        }
    }

    /// See [`MoveGenerator::tactical_moves`].
    #[inline]
    pub fn tactical_moves(&self, moves: &mut MoveList) {
        self.evaluator.tactical_moves(&self.position, moves);
    }

    /// See [`MoveGenerator::candidates`].
    #[inline]
    pub fn candidates(&self, moves: &mut MoveList) -> Coverage {
        self.evaluator.candidates(&self.position, moves)
    }

    /// Whether the other side wins with its next move after a legal move of the side to move, or has won by
    /// that move.
    pub fn loses_at_once(&mut self, mv: Move) -> bool {
        let side = self.side_to_move();
        self.position.play(mv);
        let loses = match self.position.outcome() {
            Some(outcome) => outcome.winner.is_some_and(|winner| winner != side),
            None if self.side_to_move() == side => false,
            None => {
                self.evaluator.advance(&self.position);
                let wins = self.win_this_turn().is_some();
                self.evaluator.retract(&self.position);
                wins
            }
        };
        self.position.undo();
        loses
    }

    /// A move with which the side to move wins before the other side moves: at once, or where a turn has
    /// several stones, with the next stone.
    pub fn win_this_turn(&mut self) -> Option<Move> {
        if let Some(mv) = self.winning_move() {
            return Some(mv);
        }
        let side = self.side_to_move();
        let mut moves = MoveList::new();
        self.tactical_moves(&mut moves);
        for mv in moves {
            self.position.play(mv);
            let is_open = self.position.outcome().is_none();
            let keeps_turn = self.side_to_move() == side;
            let mut wins = false;
            if is_open && keeps_turn {
                self.evaluator.advance(&self.position);
                wins = self.winning_move().is_some();
                self.evaluator.retract(&self.position);
            }
            self.position.undo();
            if wins {
                return Some(mv);
            }
            if is_open && !keeps_turn {
                break;
            }
        }
        None
    }

    /// See [`MoveGenerator::ordering_score`].
    #[inline]
    pub fn ordering_score(&self, mv: Move) -> i32 {
        self.evaluator.ordering_score(&self.position, mv)
    }

    /// See [`MoveGenerator::add_ordering_scores`].
    #[inline]
    pub fn add_ordering_scores(&mut self, moves: &mut [(Move, i32)]) {
        self.evaluator.add_ordering_scores(&self.position, moves);
    }

    /// See [`MoveGenerator::quiet_ceiling`].
    #[inline]
    pub fn quiet_ceiling(&self) -> i32 {
        self.evaluator.quiet_ceiling(&self.position)
    }

    /// See [`MoveGenerator::is_quiet`].
    #[inline]
    pub fn is_quiet(&self, mv: Move) -> bool {
        self.evaluator.is_quiet(&self.position, mv)
    }

    /// See [`MoveGenerator::quiet_moves`].
    #[inline]
    pub fn quiet_moves(&self, moves: &mut MoveList) {
        self.evaluator.quiet_moves(&self.position, moves);
    }

    /// See [`MoveGenerator::knows_quiet_moves`].
    #[inline]
    pub fn knows_quiet_moves(&self) -> bool {
        self.evaluator.knows_quiet_moves()
    }

    /// See [`MoveGenerator::has_fitted_order`].
    #[inline]
    pub fn has_fitted_order(&self) -> bool {
        self.evaluator.has_fitted_order(&self.position)
    }

    /// See [`MoveGenerator::has_sure_order`].
    #[inline]
    pub fn has_sure_order(&self) -> bool {
        self.evaluator.has_sure_order(&self.position)
    }
}

impl<P: Position, E: ThreatGenerator<P>> Tree<P, E> {
    /// See [`ThreatGenerator::threat_moves`].
    #[inline]
    pub fn threat_moves(&self, thrifty: bool, moves: &mut MoveList) {
        self.evaluator.threat_moves(&self.position, thrifty, moves);
    }

    /// See [`ThreatGenerator::sure_vcf`].
    #[inline]
    pub fn sure_vcf(&self) -> Option<ThreatWin> {
        self.evaluator.sure_vcf(&self.position)
    }

    /// See [`ThreatGenerator::sure_win`].
    #[inline]
    pub fn sure_win(&self) -> Option<ThreatWin> {
        self.evaluator.sure_win(&self.position)
    }

    /// See [`ThreatGenerator::open_four_defenses`].
    #[inline]
    pub fn open_four_defenses(&self, moves: &mut MoveList) -> bool {
        self.evaluator.open_four_defenses(&self.position, moves)
    }

    /// See [`ThreatGenerator::may_be_threatened`].
    #[inline]
    pub fn may_be_threatened(&self) -> bool {
        self.evaluator.may_be_threatened(&self.position)
    }

    /// See [`ThreatGenerator::may_threaten`].
    #[inline]
    pub fn may_threaten(&self, mv: Move) -> bool {
        self.evaluator.may_threaten(&self.position, mv)
    }

    /// See [`ThreatGenerator::leads_on`].
    #[inline]
    pub fn leads_on(&self, mv: Move) -> bool {
        self.evaluator.leads_on(&self.position, mv)
    }

    /// See [`ThreatGenerator::builds_on`].
    #[inline]
    pub fn builds_on(&self, mv: Move, earlier: Move) -> bool {
        self.evaluator.builds_on(&self.position, mv, earlier)
    }

    /// See [`ThreatGenerator::capture_threats`].
    #[inline]
    pub fn capture_threats(&self, moves: &mut MoveList) {
        self.evaluator.capture_threats(&self.position, moves);
    }

    /// See [`ThreatGenerator::defense_zone`].
    #[inline]
    pub fn defense_zone(&self, moves: &mut MoveList) -> bool {
        self.evaluator.defense_zone(&self.position, moves)
    }

    /// See [`ThreatGenerator::capture_zone`].
    #[inline]
    pub fn capture_zone(&self, mv: Move, moves: &mut MoveList) {
        self.evaluator.capture_zone(&self.position, mv, moves);
    }
}

/// Appends the moves that are not listed yet.
fn append_new(moves: &mut MoveList, mut others: MoveList) {
    let mut listed = moves.clone();
    listed.sort_unstable();
    others.retain(|mv| listed.binary_search(mv).is_err());
    moves.append(&mut others);
}
