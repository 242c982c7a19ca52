//! Plain minimax with the naive referee: every move of both sides to the full depth.
//!
//! There is no evaluation and no pruning except by the two values. Moves that decided an earlier position are
//! tried first, which changes the time but not the result.
use crate::common::referee::Referee;

/// A search with the moves that decided positions, by the number of plies left.
#[derive(Debug, Default)]
pub(crate) struct Solver {
    decisive: Vec<Vec<String>>,
    /// Whether a side that tries to win with three or more plies left tries only moves next to stones. It may
    /// then miss a win, but never reports a false one.
    pub(crate) attacks_nearby: bool,
}

/// The number of decisive moves that are kept for a depth.
const REMEMBERED: usize = 12;

impl Solver {
    /// Whether a side can force a win within `plies` plies.
    pub(crate) fn wins(&mut self, referee: &Referee, side: usize, plies: u32) -> bool {
        if let Some(outcome) = referee.outcome() {
            return outcome.winner == Some(side);
        }
        if plies == 0 {
            return false;
        }
        let attacks = referee.side_to_move() == side;
        for text in self.ordered(referee, plies, attacks) {
            let after = after(referee, &text);
            if self.wins(&after, side, plies - 1) == attacks {
                self.remember(plies, text);
                return attacks;
            }
        }
        !attacks
    }

    /// The moves with which the side to move forces a win within `plies` plies.
    pub(crate) fn winning(&mut self, referee: &Referee, plies: u32) -> Vec<String> {
        let side = referee.side_to_move();
        let moves = referee.legal_moves().into_iter();
        moves.filter(|text| self.wins(&after(referee, text), side, plies - 1)).collect()
    }

    /// The moves after which no other side can force a win within `plies` plies from now.
    pub(crate) fn holding(&mut self, referee: &Referee, plies: u32) -> Vec<String> {
        let moves = referee.legal_moves().into_iter();
        moves.filter(|text| self.holds(referee, text, plies)).collect()
    }

    pub(crate) fn holds(&mut self, referee: &Referee, text: &str, plies: u32) -> bool {
        let side = referee.side_to_move();
        let after = after(referee, text);
        let others = (0..referee.sides()).filter(|&other| other != side);
        !others.into_iter().any(|other| self.wins(&after, other, plies - 1))
    }

    /// The legal moves, ordered so that those that decided positions at this depth come first.
    fn ordered(&self, referee: &Referee, plies: u32, attacks: bool) -> Vec<String> {
        let mut moves = referee.legal_moves();
        if attacks && plies >= 3 && self.attacks_nearby {
            moves.retain(|text| referee.is_near(text));
        }
        let Some(decisive) = self.decisive.get(plies as usize) else { return moves };
        let rank = |text: &String| decisive.iter().rev().position(|other| other == text);
        moves.sort_by_key(|text| rank(text).unwrap_or(usize::MAX));
        moves
    }

    fn remember(&mut self, plies: u32, text: String) {
        let plies = plies as usize;
        if self.decisive.len() <= plies {
            self.decisive.resize(plies + 1, Vec::new());
        }
        let list = &mut self.decisive[plies];
        list.retain(|other| *other != text);
        list.push(text);
        if list.len() > REMEMBERED {
            list.remove(0);
        }
    }
}

/// The game after a legal move.
pub(crate) fn after(referee: &Referee, text: &str) -> Referee {
    let mut after = referee.clone();
    after.play(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    after
}
