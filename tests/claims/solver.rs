//! Decides whether a camp wins within a number of plies, by the rules alone: no evaluator, no search
//! of the engine. Every move of the defender is tried; the attacker may be advised, which changes
//! the time that an answer takes and never the answer.

use std::collections::HashMap;
use std::hash::Hash;

/// The rules of a game in play, as the solver needs them.
pub(crate) trait Rules {
    type Move: Clone + Eq + Hash;

    /// Every legal move, none when the game is over.
    fn moves(&self) -> Vec<Self::Move>;

    /// Plays a legal move.
    fn play(&mut self, mv: &Self::Move);

    /// Takes the last move back.
    fn undo(&mut self);

    /// The side to move.
    fn side(&self) -> usize;

    /// `None` while the game is open, `Some(None)` for a draw, else the winning side.
    #[allow(clippy::option_option, reason = "open, drawn or won")]
    fn result(&self) -> Option<Option<usize>>;

    /// The same for two positions only if their games continue alike, the plies left included.
    fn key(&self) -> Option<u64>;
}

/// Those who try to win: one side alone, or all others together against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Camp {
    Side(usize),
    AllBut(usize),
}

impl Camp {
    pub(crate) fn has(self, side: usize) -> bool {
        match self {
            Camp::Side(own) => side == own,
            Camp::AllBut(other) => side != other,
        }
    }
}

/// More plies than any game that the solver follows to its end.
pub(crate) const WHOLE_GAME: u32 = 10_000;
/// Attackers' nodes with at least this many plies left ask for advice.
const ADVISED_PLIES: u32 = 5;
/// Up to this many plies a node is searched for shorter wins first.
const DEEPENED: u32 = 64;

/// The moves that a solver may play are used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfPlays;

/// Suggests a move of the attacker after a line of moves, to win within a number of plies.
pub(crate) type Advisor<'a, M> = dyn FnMut(&[M], u32) -> Option<M> + 'a;

/// What is known of a position for one camp.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// The camp wins within this many plies; 0 if no win is known.
    wins_in: u32,
    /// The camp does not win within this many plies.
    no_win_in: u32,
}

/// A search for the wins of one camp.
pub(crate) struct Solver<'a, M> {
    camp: Camp,
    known: HashMap<u64, Known>,
    /// By ply from the root: the move that decided the last node there.
    decisive: Vec<Option<M>>,
    history: HashMap<M, u32>,
    line: Vec<M>,
    /// Whether the last answer depends on how many plies were allowed.
    is_cut: bool,
    advisor: Option<Box<Advisor<'a, M>>>,
    /// The number of moves that may still be played.
    pub(crate) plays: u64,
}

impl<'a, M: Clone + Eq + Hash> Solver<'a, M> {
    pub(crate) fn new(camp: Camp, plays: u64) -> Self {
        Solver {
            camp,
            known: HashMap::new(),
            decisive: Vec::new(),
            history: HashMap::new(),
            line: Vec::new(),
            is_cut: false,
            advisor: None,
            plays,
        }
    }

    pub(crate) fn advised_by(
        self,
        advisor: impl FnMut(&[M], u32) -> Option<M> + 'a,
    ) -> Solver<'a, M> {
        Solver { advisor: Some(Box::new(advisor)), ..self }
    }

    /// Whether the camp wins within that many plies.
    pub(crate) fn wins<R: Rules<Move = M>>(
        &mut self,
        rules: &mut R,
        plies: u32,
    ) -> Result<bool, OutOfPlays> {
        self.line.clear();
        if let Some(result) = rules.result() {
            return Ok(self.is_won(result));
        }
        let shorter = (1..plies).take_while(|&shorter| shorter <= DEEPENED.min(plies / 2 + 4));
        for plies in shorter.chain([plies]) {
            self.is_cut = false;
            if self.node(rules, plies)? {
                return Ok(true);
            }
            if !self.is_cut {
                break;
            }
        }
        Ok(false)
    }

    /// The move that decided the last answer, that many plies after the position asked about.
    pub(crate) fn decisive(&self, ply: usize) -> Option<&M> {
        self.decisive.get(ply)?.as_ref()
    }

    /// The same after a move.
    pub(crate) fn wins_after<R: Rules<Move = M>>(
        &mut self,
        rules: &mut R,
        mv: &M,
        plies: u32,
    ) -> Result<bool, OutOfPlays> {
        rules.play(mv);
        self.line.push(mv.clone());
        let wins = match rules.result() {
            Some(result) => Ok(self.is_won(result)),
            None => self.node(rules, plies),
        };
        self.line.clear();
        rules.undo();
        wins
    }

    fn is_won(&self, result: Option<usize>) -> bool {
        result.is_some_and(|winner| self.camp.has(winner))
    }

    fn play<R: Rules<Move = M>>(&mut self, rules: &mut R, mv: &M) -> Result<(), OutOfPlays> {
        self.plays = self.plays.checked_sub(1).ok_or(OutOfPlays)?;
        rules.play(mv);
        Ok(())
    }

    /// The value of an open position.
    fn node<R: Rules<Move = M>>(&mut self, rules: &mut R, plies: u32) -> Result<bool, OutOfPlays> {
        if plies == 0 {
            self.is_cut = true;
            return Ok(false);
        }
        let key = rules.key();
        let known = key.and_then(|key| self.known.get(&key).copied()).unwrap_or_default();
        if known.wins_in > 0 && known.wins_in <= plies {
            return Ok(true);
        }
        if known.no_win_in >= plies {
            self.is_cut |= known.no_win_in < WHOLE_GAME;
            return Ok(false);
        }
        let was_cut = std::mem::take(&mut self.is_cut);
        let wins_in = if self.camp.has(rules.side()) {
            self.attack(rules, plies, known.no_win_in)?
        } else {
            self.defend(rules, plies)?.then_some(plies)
        };
        if let Some(key) = key {
            let known = self.known.entry(key).or_default();
            match wins_in {
                Some(plies) if known.wins_in == 0 || known.wins_in > plies => known.wins_in = plies,
                Some(_) => (),
                None if self.is_cut => known.no_win_in = known.no_win_in.max(plies),
                None => known.no_win_in = WHOLE_GAME,
            }
        }
        self.is_cut |= was_cut;
        Ok(wins_in.is_some())
    }

    /// The number of plies in which a move of the camp wins, at most `plies`.
    fn attack<R: Rules<Move = M>>(
        &mut self,
        rules: &mut R,
        plies: u32,
        refuted: u32,
    ) -> Result<Option<u32>, OutOfPlays> {
        let moves = self.ordered(rules);
        let mut open = Vec::with_capacity(moves.len());
        for mv in moves {
            self.play(rules, &mv)?;
            let result = rules.result();
            rules.undo();
            match result {
                Some(result) if self.is_won(result) => {
                    self.decides(mv);
                    return Ok(Some(1));
                }
                Some(_) => (),
                None => open.push(mv),
            }
        }
        if plies == 1 {
            self.is_cut |= !open.is_empty();
            return Ok(None);
        }
        if plies >= ADVISED_PLIES
            && let Some(advisor) = &mut self.advisor
            && let Some(advice) = advisor(&self.line, plies)
            && let Some(place) = open.iter().position(|mv| *mv == advice)
        {
            open[..=place].rotate_right(1);
            if self.descend(rules, &advice, plies - 1)? {
                self.decides(advice);
                return Ok(Some(plies));
            }
        }
        let shorter = (refuted.max(1) + 1..plies).filter(|_| plies <= DEEPENED);
        for plies in shorter.chain([plies]) {
            for mv in &open {
                if self.descend(rules, mv, plies - 1)? {
                    self.decides(mv.clone());
                    return Ok(Some(plies));
                }
            }
        }
        Ok(None)
    }

    /// Whether every move of the others loses within that many plies.
    fn defend<R: Rules<Move = M>>(
        &mut self,
        rules: &mut R,
        plies: u32,
    ) -> Result<bool, OutOfPlays> {
        for mv in self.ordered(rules) {
            if !self.descend(rules, &mv, plies - 1)? {
                self.decides(mv);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the camp wins after a move.
    fn descend<R: Rules<Move = M>>(
        &mut self,
        rules: &mut R,
        mv: &M,
        plies: u32,
    ) -> Result<bool, OutOfPlays> {
        self.play(rules, mv)?;
        self.line.push(mv.clone());
        let wins = match rules.result() {
            Some(result) => Ok(self.is_won(result)),
            None => self.node(rules, plies),
        };
        self.line.pop();
        rules.undo();
        wins
    }

    /// The legal moves, those first that decided other nodes.
    fn ordered<R: Rules<Move = M>>(&self, rules: &R) -> Vec<M> {
        let mut moves = rules.moves();
        moves.sort_by_cached_key(|mv| u32::MAX - self.history.get(mv).copied().unwrap_or(0));
        if let Some(Some(decisive)) = self.decisive.get(self.line.len())
            && let Some(place) = moves.iter().position(|mv| mv == decisive)
        {
            moves[..=place].rotate_right(1);
        }
        moves
    }

    fn decides(&mut self, mv: M) {
        let ply = self.line.len();
        if self.decisive.len() <= ply {
            self.decisive.resize(ply + 1, None);
        }
        *self.history.entry(mv.clone()).or_default() += 1;
        self.decisive[ply] = Some(mv);
    }
}
