//! The whole line of a win that was found: what a search announces with a line that a table cut
//! short, or with the first move alone, played out to the end.
//!
//! A win is a strategy: one answer to each defense. [`WinLine`] builds it anew, led by what the search
//! remembers, and measures it: the defender takes the defense that lasts longest, so that the length
//! is one that no defense exceeds, and the line has exactly that length. Defenses are those of the
//! searches that found the win: answers to a threat, or the relevance zone of the win that a null
//! move would allow, or else all legal moves.

use super::{
    Aborted, Bound, NodeCounter, Report, Score, ThreatBudget, ThreatGenerator, ThreatSolver,
    TranspositionTable, Tree,
};
use pentarch_core::game::{Key, Move, MoveList, Position, Side};
use std::collections::HashMap;

/// A line of moves.
type Line = Vec<Move>;

/// What a search for continuous threats may cost at a position of the attacker.
const VCF_NODES: u32 = 400;
/// What the search for a null-move threat may cost.
const NULL_MOVE_THREATS: ThreatBudget = ThreatBudget { nodes: 200, threats: 10, thrifty: false };
/// What a search for threats of every kind may cost.
const DFPN_NODES: u64 = 600;
/// With more plies left quiet moves of the attacker are not tried.
const QUIET_PLIES: u32 = 5;

/// Builds the strategy of a win.
pub(super) struct WinLine<'a, 't, P, E, C> {
    tree: &'a mut Tree<P, E>,
    /// What the search remembers; it is only read.
    table: &'a TranspositionTable,
    solver: ThreatSolver<'t>,
    /// The side to move at the root, and whether it is the one that wins.
    root: (Side, bool),
    /// What is known of positions with the attacker to move.
    known: &'a mut HashMap<Key, Known>,
    counter: &'a mut C,
}

/// What is known of a position with the attacker to move.
#[derive(Clone, Debug, Default)]
struct Known {
    won: Option<Line>,
    /// The most plies within which no win was found.
    refuted: u32,
}

/// What was found out by completing a line, for the case that it has to be gone on with. It is kept
/// apart from the table of the search: results of this kind must not change what that finds in it.
#[derive(Debug, Default)]
pub(super) struct WinMemory {
    known: HashMap<Key, Known>,
    table: Option<TranspositionTable>,
}

impl WinMemory {
    /// Forgets all: the wins of another line may be longer than they need be.
    pub(super) fn clear(&mut self) {
        *self = WinMemory::default();
    }
}

/// Completes the line of a report that announces a win or a loss, if the counter does not end it. If
/// the win turns out to be shorter, the report says so. A loss `of_position`, not of the reported move
/// alone, is as long as the defense that lasts longest, and the line begins with that.
pub(super) fn complete<P: Position, E: ThreatGenerator<P>>(
    (tree, table): (&mut Tree<P, E>, &TranspositionTable),
    memory: &mut WinMemory,
    report: &mut Report,
    of_position: bool,
    counter: &mut impl NodeCounter,
) -> Result<(), Aborted> {
    let Some(plies) = report.score.mate().filter(|&plies| plies != 0) else { return Ok(()) };
    let (wins, most) = (plies > 0, plies.unsigned_abs());
    if report.pv.len() as u32 == most && is_end(tree, &report.pv, counter)? {
        return Ok(());
    }
    if memory.table.is_none() {
        memory.table = TranspositionTable::new(1).ok();
    }
    let (known, Some(own)) = (&mut memory.known, &memory.table) else { return Ok(()) };
    let root = (tree.side_to_move(), wins);
    let solver = ThreatSolver::new(own);
    let mut line = WinLine { tree, table, solver, root, known, counter };
    // What is at hand first: there may not be the nodes for the best defense and the shortest win.
    if report.pv.len() > 1
        && let Some(pv) = line.follow(&report.pv, most)?.filter(|pv| pv.len() as u32 == most)
    {
        report.pv = pv;
    }
    let Some((&first, hint)) = report.pv.split_first() else { return Ok(()) };
    let found = if of_position && !wins {
        line.defend(most, &report.pv)
    } else {
        line.attempt(first, most, hint)
    };
    if let Some(pv) = found? {
        let length = pv.len() as u32;
        report.score = if wins { Score::win_in(length) } else { Score::loss_in(length) };
        if length == 1 {
            report.bound = Bound::Exact;
        }
        report.seldepth = report.seldepth.max(length);
        report.pv = pv;
    }
    Ok(())
}

/// Whether a line is legal and ends the game.
fn is_end<P: Position, E: ThreatGenerator<P>>(
    tree: &mut Tree<P, E>,
    line: &[Move],
    counter: &mut impl NodeCounter,
) -> Result<bool, Aborted> {
    let Some((&mv, rest)) = line.split_first() else { return Ok(tree.outcome().is_some()) };
    if tree.outcome().is_some() || !tree.is_legal(mv) {
        return Ok(false);
    }
    counter.count_node()?;
    tree.play(mv);
    let ends = is_end(tree, rest, counter);
    tree.undo();
    ends
}

impl<P: Position, E: ThreatGenerator<P>, C: NodeCounter> WinLine<'_, '_, P, E, C> {
    fn is_attacker(&self, side: Side) -> bool {
        (side == self.root.0) == self.root.1
    }

    /// The longest line of a strategy that wins within that many plies, if one is found.
    fn win(&mut self, most: u32, hint: &[Move]) -> Result<Option<Line>, Aborted> {
        if let Some(outcome) = self.tree.outcome() {
            let won = outcome.winner.is_some_and(|side| self.is_attacker(side));
            return Ok(won.then(Line::new));
        }
        match self.is_attacker(self.tree.side_to_move()) {
            _ if most == 0 => Ok(None),
            true => self.attack(most, hint),
            false => self.defend(most, hint),
        }
    }

    /// [`WinLine::win`] by a move, counted from before it.
    fn attempt(&mut self, mv: Move, most: u32, hint: &[Move]) -> Result<Option<Line>, Aborted> {
        self.after(mv, most, |line, most| line.win(most, hint))
    }

    /// A line, and what wins after it if that does not end the game; none if it cannot be played.
    fn follow(&mut self, moves: &[Move], most: u32) -> Result<Option<Line>, Aborted> {
        match moves.split_first() {
            None => self.win(most, &[]),
            Some((&mv, rest)) => self.after(mv, most, |line, most| line.follow(rest, most)),
        }
    }

    /// The line that begins with a move, counted from before it, and goes on with what is found after
    /// it.
    fn after(
        &mut self,
        mv: Move,
        most: u32,
        find: impl FnOnce(&mut Self, u32) -> Result<Option<Line>, Aborted>,
    ) -> Result<Option<Line>, Aborted> {
        if most == 0 || !self.tree.is_legal(mv) {
            return Ok(None);
        }
        self.counter.count_node()?;
        self.tree.play(mv);
        let rest = find(self, most - 1);
        self.tree.undo();
        Ok(rest?.map(|rest| std::iter::once(mv).chain(rest).collect()))
    }

    fn attack(&mut self, most: u32, hint: &[Move]) -> Result<Option<Line>, Aborted> {
        if let Some(mv) = self.tree.winning_move() {
            return Ok(Some(vec![mv]));
        }
        let key = self.tree.key();
        if let Some(known) = self.known.get(&key) {
            if let Some(line) = known.won.as_ref().filter(|line| line.len() as u32 <= most) {
                return Ok(Some(line.clone()));
            }
            if known.refuted >= most {
                return Ok(None);
            }
        }
        let found = if most < 2 { None } else { self.any_attack(most, hint)? };
        let known = self.known.entry(key).or_default();
        match &found {
            Some(line) => known.won = Some(line.clone()),
            None => known.refuted = most,
        }
        Ok(found)
    }

    /// Tries what is known or quickly found to win, then what may.
    fn any_attack(&mut self, most: u32, hint: &[Move]) -> Result<Option<Line>, Aborted> {
        let mut tried = MoveList::new();
        if let Some((&mv, rest)) = hint.split_first() {
            tried.push(mv);
            if let Some(line) = self.attempt(mv, most, rest)? {
                return Ok(Some(line));
            }
        }
        let mut next = self.remembered();
        for step in 0.. {
            if let Some(mv) = next.filter(|mv| !tried.contains(mv)) {
                tried.push(mv);
                if let Some(line) = self.attempt(mv, most, &[])? {
                    return Ok(Some(line));
                }
            }
            next = match step {
                0 => self.by_continuous_threats(most)?,
                1 if most > QUIET_PLIES => self.by_threats()?,
                _ => break,
            };
        }
        for mv in self.attacks(most) {
            if !tried.contains(&mv)
                && let Some(line) = self.attempt(mv, most, &[])?
            {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// The move that the search remembers as a win.
    fn remembered(&self) -> Option<Move> {
        let key = self.tree.key();
        let entry = self.table.probe(key).filter(|entry| entry.score.is_win())?;
        let is_own = self.tree.table_key() == key && entry.bound != Bound::Upper;
        entry.mv.filter(|_| is_own)
    }

    fn by_continuous_threats(&mut self, most: u32) -> Result<Option<Move>, Aborted> {
        let budget = ThreatBudget { nodes: VCF_NODES, threats: most / 2, thrifty: false };
        let found = self.solver.longer_vcf(self.tree, self.counter, budget)?;
        Ok(found.win().map(|win| win.mv))
    }

    fn by_threats(&mut self) -> Result<Option<Move>, Aborted> {
        let found = self.solver.dfpn(self.tree, self.counter, DFPN_NODES)?;
        Ok(found.win().map(|win| win.mv))
    }

    /// The other moves to try, the most promising first.
    fn attacks(&self, most: u32) -> MoveList {
        let mut moves = MoveList::new();
        if !self.tree.all_defenses(&mut moves) {
            if most <= QUIET_PLIES || !self.tree.knows_quiet_moves() {
                self.tree.candidates(&mut moves);
            } else {
                self.tree.tactical_moves(&mut moves);
                self.tree.threat_moves(false, &mut moves);
                self.tree.capture_threats(&mut moves);
            }
        }
        moves.sort_unstable();
        moves.dedup();
        moves.sort_by_cached_key(|&mv| std::cmp::Reverse(self.tree.ordering_score(mv)));
        moves
    }

    /// The longest line if every defense loses.
    fn defend(&mut self, most: u32, hint: &[Move]) -> Result<Option<Line>, Aborted> {
        if most < 2 || self.tree.winning_move().is_some() {
            return Ok(None);
        }
        let mut moves = MoveList::new();
        if self.tree.all_defenses(&mut moves) {
            if moves.is_empty() {
                // Whatever is played loses to the next move, unless it loses at once by its own poofs.
                return self.other_defenses(&[], 2, most);
            }
            return self.all_defenses(moves, most, hint, None);
        }
        let (tree, counter) = (&mut *self.tree, &mut *self.counter);
        let threat = self.solver.null_move_threat(tree, counter, NULL_MOVE_THREATS)?.win();
        if let Some(win) = threat.filter(|win| win.plies <= most) {
            let zone: MoveList = self.solver.zone().to_vec();
            let others = self.other_defenses(&zone, win.plies, most)?;
            return self.all_defenses(zone, most, hint, others);
        }
        self.tree.all_candidates(&mut moves);
        self.all_defenses(moves, most, hint, None)
    }

    /// The longest line of a move that is not among the `listed` defenses. All of them lose within `plies`.
    fn other_defenses(
        &mut self,
        listed: &[Move],
        plies: u32,
        most: u32,
    ) -> Result<Option<Line>, Aborted> {
        let mut longest: Option<Line> = None;
        for mv in self.other_moves(listed) {
            if let Some(line) = self.attempt(mv, most, &[])? {
                let length = line.len();
                if longest.as_ref().is_none_or(|longest| length > longest.len()) {
                    longest = Some(line);
                }
                if length as u32 >= plies {
                    break;
                }
            }
        }
        Ok(longest)
    }

    /// The candidates that are not among these, or else the legal moves, the most promising first.
    fn other_moves(&self, moves: &[Move]) -> MoveList {
        let mut others = MoveList::new();
        self.tree.candidates(&mut others);
        others.retain(|mv| !moves.contains(mv));
        if others.is_empty() {
            self.tree.position().legal_moves(&mut others);
            others.retain(|mv| !moves.contains(mv));
        }
        others.sort_by_cached_key(|&mv| std::cmp::Reverse(self.tree.ordering_score(mv)));
        others
    }

    /// The longest line if each of these moves loses; `others` is the line of one that is not listed.
    fn all_defenses(
        &mut self,
        mut moves: MoveList,
        most: u32,
        hint: &[Move],
        others: Option<Line>,
    ) -> Result<Option<Line>, Aborted> {
        let mut longest = others;
        let expected = hint.first().copied();
        moves.sort_by_cached_key(|&mv| {
            (expected != Some(mv), std::cmp::Reverse(self.tree.ordering_score(mv)))
        });
        for mv in moves {
            let hint = if expected == Some(mv) { &hint[1..] } else { &[] };
            let Some(line) = self.attempt(mv, most, hint)? else { return Ok(None) };
            if longest.as_ref().is_none_or(|longest| line.len() > longest.len()) {
                longest = Some(line);
            }
        }
        Ok(longest)
    }
}
