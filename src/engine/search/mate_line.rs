//! Completes the line of a mate to the end of the game. The search may have only a line that a table hit cut,
//! or the first move.
//!
//! A win is a strategy: one answer to each defense. [`MateLine`] rebuilds it with the help of the table and measures
//! its length: the defender takes the defense that lasts longest, so that no defense exceeds the length, and the
//! line has exactly that length. The defenses are those of the searches that found the win: answers to a threat,
//! or the relevance zone of a null-move threat, or else all legal moves.

use super::{
    Aborted, Bound, NodeCounter, Report, Score, SearchPosition, ThreatBudget, ThreatGenerator,
    ThreatSolver, TranspositionTable,
};
use pentarch_core::game::{Key, Move, MoveList, Position, Side};
use std::collections::HashMap;

type Line = Vec<Move>;

/// The nodes of a search for continuous threats at a position of the attacker.
const VCF_NODES: u32 = 400;
/// The budget of the search for a null-move threat.
const NULL_MOVE_THREATS: ThreatBudget = ThreatBudget { nodes: 200, threats: 10, narrow: false };
/// The nodes of a search for threats of every kind.
const DFPN_NODES: u64 = 600;
/// The most plies left at which the attacker tries quiet moves.
const MAX_QUIET_PLIES: u32 = 5;

/// Builds the strategy of a win.
pub(super) struct MateLine<'a, 't, P, E, C> {
    tree: &'a mut SearchPosition<P, E>,
    /// The table of the search, which is only read.
    table: &'a TranspositionTable,
    solver: ThreatSolver<'t>,
    /// The side to move at the root, and whether it wins.
    root: (Side, bool),
    /// Results for positions with the attacker to move.
    known: &'a mut HashMap<Key, Known>,
    counter: &'a mut C,
}

/// Results for a position with the attacker to move.
#[derive(Clone, Debug, Default)]
struct Known {
    won: Option<Line>,
    /// The greatest number of plies within which no win was found.
    refuted: u32,
}

/// The results of completing a line, kept in case the completion continues later. They are not stored in the table
/// of the search, whose results must not depend on them.
#[derive(Debug, Default)]
pub(super) struct MateCache {
    known: HashMap<Key, Known>,
    table: Option<TranspositionTable>,
}

impl MateCache {
    /// Drops all results. Those of another line may be longer than necessary.
    pub(super) fn clear(&mut self) {
        *self = MateCache::default();
    }
}

/// Completes the line of a report of a mate, unless the counter aborts it. If the win turns out to be shorter, the
/// report is updated. With `of_position` a loss is that of the position, not of the reported move: its line begins
/// with the defense that lasts longest.
pub(super) fn complete<P: Position, E: ThreatGenerator<P>>(
    (tree, table): (&mut SearchPosition<P, E>, &TranspositionTable),
    memory: &mut MateCache,
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
    let mut line = MateLine { tree, table, solver, root, known, counter };
    // The known line comes first, in case the nodes do not suffice for the best defense and the shortest win.
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
    tree: &mut SearchPosition<P, E>,
    line: &[Move],
    counter: &mut impl NodeCounter,
) -> Result<bool, Aborted> {
    let Some((&mv, rest)) = line.split_first() else {
        return Ok(tree.position.outcome().is_some());
    };
    if tree.position.outcome().is_some() || !tree.position.is_legal(mv) {
        return Ok(false);
    }
    counter.count_node()?;
    tree.play(mv);
    let ends = is_end(tree, rest, counter);
    tree.undo();
    ends
}

impl<P: Position, E: ThreatGenerator<P>, C: NodeCounter> MateLine<'_, '_, P, E, C> {
    fn is_attacker(&self, side: Side) -> bool {
        (side == self.root.0) == self.root.1
    }

    /// The longest line of a strategy that wins within `most` plies, if one is found.
    fn win(&mut self, most: u32, hint: &[Move]) -> Result<Option<Line>, Aborted> {
        if let Some(outcome) = self.tree.position.outcome() {
            let won = outcome.winner.is_some_and(|side| self.is_attacker(side));
            return Ok(won.then(Line::new));
        }
        match self.is_attacker(self.tree.side_to_move()) {
            _ if most == 0 => Ok(None),
            true => self.attack(most, hint),
            false => self.defend(most, hint),
        }
    }

    /// [`MateLine::win`] that begins with a move.
    fn attempt(&mut self, mv: Move, most: u32, hint: &[Move]) -> Result<Option<Line>, Aborted> {
        self.after(mv, most, |line, most| line.win(most, hint))
    }

    /// A line, continued to a win if it does not end the game. `None` if a move is illegal.
    fn follow(&mut self, moves: &[Move], most: u32) -> Result<Option<Line>, Aborted> {
        match moves.split_first() {
            None => self.win(most, &[]),
            Some((&mv, rest)) => self.after(mv, most, |line, most| line.follow(rest, most)),
        }
    }

    /// The line that begins with a move and continues with the result of `find` after it.
    fn after(
        &mut self,
        mv: Move,
        most: u32,
        find: impl FnOnce(&mut Self, u32) -> Result<Option<Line>, Aborted>,
    ) -> Result<Option<Line>, Aborted> {
        if most == 0 || !self.tree.position.is_legal(mv) {
            return Ok(None);
        }
        self.counter.count_node()?;
        self.tree.play(mv);
        let rest = find(self, most - 1);
        self.tree.undo();
        Ok(rest?.map(|rest| std::iter::once(mv).chain(rest).collect()))
    }

    fn attack(&mut self, most: u32, hint: &[Move]) -> Result<Option<Line>, Aborted> {
        if let Some(mv) = self.tree.evaluator.winning_move(&self.tree.position) {
            return Ok(Some(vec![mv]));
        }
        let key = self.tree.position.key();
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

    /// Tries known and quickly found wins first, then all attacks.
    fn any_attack(&mut self, most: u32, hint: &[Move]) -> Result<Option<Line>, Aborted> {
        let mut tried = MoveList::new();
        if let Some((&mv, rest)) = hint.split_first() {
            tried.push(mv);
            if let Some(line) = self.attempt(mv, most, rest)? {
                return Ok(Some(line));
            }
        }
        let mut next = self.table_move();
        for step in 0.. {
            if let Some(mv) = next.filter(|mv| !tried.contains(mv)) {
                tried.push(mv);
                if let Some(line) = self.attempt(mv, most, &[])? {
                    return Ok(Some(line));
                }
            }
            next = match step {
                0 => self.by_continuous_threats(most)?,
                1 if most > MAX_QUIET_PLIES => self.by_threats()?,
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

    /// The winning move of the table of the search.
    fn table_move(&self) -> Option<Move> {
        let key = self.tree.position.key();
        let entry = self.table.probe(key).filter(|entry| entry.score.is_win())?;
        let is_own = self.tree.evaluator.table_key(&self.tree.position) == key
            && entry.bound != Bound::Upper;
        entry.mv.filter(|_| is_own)
    }

    fn by_continuous_threats(&mut self, most: u32) -> Result<Option<Move>, Aborted> {
        let budget = ThreatBudget { nodes: VCF_NODES, threats: most / 2, narrow: false };
        let found = self.solver.vcf_excluding_win_in_one(self.tree, self.counter, budget)?;
        Ok(found.win().map(|win| win.mv))
    }

    fn by_threats(&mut self) -> Result<Option<Move>, Aborted> {
        let found = self.solver.dfpn(self.tree, self.counter, DFPN_NODES)?;
        Ok(found.win().map(|win| win.mv))
    }

    /// The other moves to try, in order.
    fn attacks(&self, most: u32) -> MoveList {
        let mut moves = MoveList::new();
        if !self.tree.all_defenses(&mut moves) {
            if most <= MAX_QUIET_PLIES || !self.tree.evaluator.distinguishes_quiet_moves() {
                self.tree.evaluator.candidates(&self.tree.position, &mut moves);
            } else {
                self.tree.evaluator.tactical_moves(&self.tree.position, &mut moves);
                self.tree.evaluator.threat_moves(&self.tree.position, false, &mut moves);
                self.tree.evaluator.capture_threats(&self.tree.position, &mut moves);
            }
        }
        moves.sort_unstable();
        moves.dedup();
        moves.sort_by_cached_key(|&mv| {
            std::cmp::Reverse(self.tree.evaluator.ordering_score(&self.tree.position, mv))
        });
        moves
    }

    /// The longest line if every defense loses, else `None`.
    fn defend(&mut self, most: u32, hint: &[Move]) -> Result<Option<Line>, Aborted> {
        if most < 2 || self.tree.evaluator.winning_move(&self.tree.position).is_some() {
            return Ok(None);
        }
        let mut moves = MoveList::new();
        if self.tree.all_defenses(&mut moves) {
            if moves.is_empty() {
                // Every move loses to the next move, unless it loses at once by its own poofs.
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

    /// The longest line of a move that is not among the `listed` defenses. All such moves lose within `plies`.
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

    /// The candidates that are not among some moves, or else the legal moves that are not, in order.
    fn other_moves(&self, moves: &[Move]) -> MoveList {
        let mut others = MoveList::new();
        self.tree.evaluator.candidates(&self.tree.position, &mut others);
        others.retain(|mv| !moves.contains(mv));
        if others.is_empty() {
            self.tree.position.legal_moves(&mut others);
            others.retain(|mv| !moves.contains(mv));
        }
        others.sort_by_cached_key(|&mv| {
            std::cmp::Reverse(self.tree.evaluator.ordering_score(&self.tree.position, mv))
        });
        others
    }

    /// The longest line if each of these moves loses. `others` is the longest line of the moves that are not listed.
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
            (
                expected != Some(mv),
                std::cmp::Reverse(self.tree.evaluator.ordering_score(&self.tree.position, mv)),
            )
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
