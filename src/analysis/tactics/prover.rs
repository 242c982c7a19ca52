//! An exhaustive search for forced wins that relies only on the rules.

use crate::LimitReached;
use pentarch_core::board::{CENTER, Windows};
use pentarch_core::game::{Cell, Color, Key, Move, MoveList, Position as _, Side};
use pentarch_core::placement::Position;
use pentarch_engine::eval::{LineEvaluator, StoneTables};
use pentarch_engine::search::{MoveGenerator as _, SearchPosition};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// The limits of a win that a [`MateProver`] looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofLimits {
    /// The plies to the end, including the winning move.
    pub plies: u32,
    /// The number of quiet moves of the attacker. A quiet move is neither a threat to win with the
    /// next move, nor an answer to such a threat, nor a win.
    pub quiet: u32,
}

/// A forced win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedWin {
    /// The plies to the end, including the winning move.
    pub plies: u32,
    /// The first move.
    pub first: Move,
}

/// Proves forced wins for the side to move.
///
/// **A proof holds against every defense.** A position counts as won only if the side to move has a
/// move that ends the game in its favor, or after which every legal move of the defender, each of
/// which is played, leads to a position that counts as won. The evaluator only decides what is
/// tried first: a move that it calls winning is played, and the rules decide whether it wins.
///
/// **What it may miss.** A negative result means that there is no win with at most
/// [`ProofLimits::quiet`] quiet moves of the attacker. Within three plies a quiet move never wins:
/// a defender's stone far from everything leaves it without a threat. So the search is complete for
/// wins within five plies with one quiet move, within seven with two, within nine with three (as in
/// Thomsen, "Lambda-search in game trees", 2000). This assumes that the evaluator finds every
/// winning cell and every move that may stop a threat, as the laws of `tests/eval.rs` check. On a
/// board so full that no far point is left, a win in three by a quiet move may be missed.
///
/// Results are stored by 64-bit position keys for the life of the prover. Two positions with the
/// same key would be confused (about once in 10^6 searches of a million positions).
#[derive(Debug)]
pub struct MateProver {
    tree: SearchPosition<Position, LineEvaluator>,
    attacker: Side,
    known: MateTable,
    /// By cell: how often a stone there was the defense that held.
    defense_history: Vec<u32>,
    /// The attacking move that won last, by remaining plies.
    killers: [Option<Move>; 32],
    nodes: u64,
    max_nodes: u64,
    until: Option<Instant>,
    /// The node count of the next check of the time.
    next_clock_check: u64,
    lists: Vec<MoveList>,
}

impl MateProver {
    /// Creates a prover for the side to move of a position. `tables` are those of its ruleset;
    /// `nodes` is the maximum number of moves played in total.
    pub fn new(position: &Position, tables: Arc<StoneTables>, nodes: u64) -> MateProver {
        let evaluator = LineEvaluator::new(tables, false, 0);
        let defense_history = vec![0; position.grid().cells()];
        let attacker = position.side_of(position.to_move());
        MateProver {
            tree: SearchPosition::new(position.clone(), evaluator),
            attacker,
            known: MateTable::default(),
            defense_history,
            killers: [None; 32],
            nodes: 0,
            max_nodes: nodes,
            until: None,
            next_clock_check: 0,
            lists: Vec::new(),
        }
    }

    /// Sets the time at which every search ends.
    pub fn until(mut self, moment: Instant) -> MateProver {
        self.until = Some(moment);
        self
    }

    /// Adds nodes. Stored results are kept.
    pub fn with_more(self, nodes: u64) -> MateProver {
        MateProver { max_nodes: self.nodes.saturating_add(nodes), ..self }
    }

    /// The number of nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns whether the side to move can force a win within the limits.
    pub fn wins(&mut self, limits: ProofLimits) -> Result<bool, LimitReached> {
        if self.tree.position.outcome().is_some() {
            return Ok(false);
        }
        self.attacker_wins(limits)
    }

    /// Returns the shortest win within the limits, if one is found.
    pub fn shortest(&mut self, limits: ProofLimits) -> Result<Option<ForcedWin>, LimitReached> {
        let (position, seating) = (&self.tree.position, self.tree.position.rules().seating());
        let seats =
            std::iter::successors(Some(position.to_move()), |&seat| Some(seating.next(seat)));
        // The last move of a win is one of the winning side.
        let ends: Vec<u32> = (1..=limits.plies)
            .zip(seats)
            .filter(|&(_, seat)| seating.side_of(seat) == self.attacker)
            .map(|(plies, _)| plies)
            .collect();
        for plies in ends {
            for quiet in 0..=limits.quiet {
                if self.wins(ProofLimits { plies, quiet })? {
                    return Ok(self.first_move().map(|first| ForcedWin { plies, first }));
                }
            }
        }
        Ok(None)
    }

    /// Returns the first move of the last win found.
    fn first_move(&self) -> Option<Move> {
        self.tree
            .evaluator
            .winning_move(&self.tree.position)
            .or_else(|| self.known.first(self.tree.position.key()))
    }

    /// Returns whether a move wins within the limits, which include it.
    pub fn wins_by(&mut self, mv: Move, limits: ProofLimits) -> Result<bool, LimitReached> {
        if !self.tree.position.is_legal(mv) || limits.plies == 0 {
            return Ok(false);
        }
        let forced = self.is_threatened();
        self.attack_wins(mv, limits, forced)
    }

    /// Returns every first move that wins within the limits.
    pub fn first_moves(&mut self, limits: ProofLimits) -> Result<MoveList, LimitReached> {
        let mut moves = MoveList::new();
        self.tree.position.legal_moves(&mut moves);
        let mut winning = MoveList::new();
        for mv in moves {
            if self.wins_by(mv, limits)? {
                winning.push(mv);
            }
        }
        Ok(winning)
    }

    /// Returns whether the attacker has won or can force a win, whichever side is to move.
    fn wins_from_here(&mut self, limits: ProofLimits) -> Result<bool, LimitReached> {
        let position = &self.tree.position;
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.winner == Some(self.attacker));
        }
        if limits.plies == 0 {
            return Ok(false);
        }
        let attacks = position.side_of(position.to_move()) == self.attacker;
        if attacks { self.attacker_wins(limits) } else { self.defender_loses(limits) }
    }

    /// Returns whether the attacker, who is to move, wins. The game is open.
    fn attacker_wins(&mut self, limits: ProofLimits) -> Result<bool, LimitReached> {
        if let Some(mv) = self.tree.evaluator.winning_move(&self.tree.position)
            && self.ends_in_win(&[mv])
        {
            return Ok(true);
        }
        if limits.plies < 2 {
            return Ok(false);
        }
        let key = self.tree.position.key();
        if let Some(known) = self.known.get(key, limits) {
            return Ok(known);
        }
        let mut list = self.lists.pop().unwrap_or_default();
        let won = self.attacker_wins_with(limits, &mut list);
        self.lists.push(list);
        let first = won?;
        self.known.put(key, limits, first);
        if let Some(slot) = self.killers.get_mut(limits.plies as usize) {
            *slot = first.or(*slot);
        }
        Ok(first.is_some())
    }

    /// [`MateProver::attacker_wins`] with a buffer, for a position without an immediate win.
    /// Returns the winning move.
    fn attacker_wins_with(
        &mut self,
        limits: ProofLimits,
        list: &mut MoveList,
    ) -> Result<Option<Move>, LimitReached> {
        list.clear();
        let forced = self.tree.evaluator.defenses(&self.tree.position, list).is_some();
        if !forced {
            push_threatening_moves(&self.tree.position, &self.tree.evaluator, list);
        }
        self.sort_attacks(list, limits);
        // Threats first, without quiet moves; wins with quiet moves are tried afterwards.
        for &mv in &*list {
            if self.attack_wins(mv, ProofLimits { quiet: 0, ..limits }, forced)? {
                return Ok(Some(mv));
            }
        }
        if limits.quiet == 0 || limits.plies <= 3 {
            return Ok(None);
        }
        if !forced {
            list.clear();
            self.tree.position.legal_moves(list);
            self.sort_attacks(list, limits);
        }
        for &mv in &*list {
            if self.attack_wins(mv, limits, forced)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Sorts attacks: first the one that won last with as many plies, then by the ordering score of
    /// the evaluator.
    fn sort_attacks(&self, list: &mut MoveList, limits: ProofLimits) {
        let won = self.killers.get(limits.plies as usize).copied().flatten();
        list.sort_by_cached_key(|&mv| {
            (won != Some(mv), Reverse(self.tree.evaluator.ordering_score(&self.tree.position, mv)))
        });
    }

    /// Returns whether a move of the attacker wins. `forced` says that it answers a threat.
    fn attack_wins(
        &mut self,
        mv: Move,
        limits: ProofLimits,
        forced: bool,
    ) -> Result<bool, LimitReached> {
        let color = self.tree.position.color_to_move();
        self.play(mv)?;
        let threatens = self.winning_cells(color).next().is_some();
        let counts = !(forced || threatens || self.tree.position.outcome().is_some());
        let won = if counts && (limits.quiet == 0 || limits.plies <= 3) {
            Ok(false)
        } else {
            let quiet = limits.quiet - u32::from(counts);
            self.wins_from_here(ProofLimits { plies: limits.plies - 1, quiet })
        };
        self.tree.undo();
        won
    }

    /// Returns whether the defender, who is to move, loses after every move. The game is open.
    fn defender_loses(&mut self, limits: ProofLimits) -> Result<bool, LimitReached> {
        if self.tree.evaluator.winning_move(&self.tree.position).is_some() || limits.plies < 2 {
            return Ok(false);
        }
        let mut list = self.lists.pop().unwrap_or_default();
        let won = self.defender_loses_with(limits, &mut list);
        self.lists.push(list);
        won
    }

    /// [`MateProver::defender_loses`] with a buffer: first the moves that may hold, then all
    /// others.
    fn defender_loses_with(
        &mut self,
        limits: ProofLimits,
        list: &mut MoveList,
    ) -> Result<bool, LimitReached> {
        list.clear();
        let attacked = self.tree.evaluator.defenses(&self.tree.position, list).is_some();
        let attacker = self.tree.position.color_to_move().opponent();
        let winning: Vec<Move> = self.winning_cells(attacker).map(Move::stone).take(2).collect();
        self.sort_defenses(list);
        let first = list.len();
        self.push_other_moves(list);
        if !attacked {
            self.sort_defenses(list);
            // A stone far from everything often refutes a move without a threat.
            list.rotate_right(1);
        }
        for (index, &mv) in list.iter().enumerate() {
            let loses = attacked
                && index >= first
                && winning.iter().any(|&answer| self.ends_in_win(&[mv, answer]));
            if !loses && !self.defense_loses(mv, limits)? {
                self.defense_history[mv.cell().map_or(0, Cell::index)] += 1;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether the attacker wins after this move of the defender.
    fn defense_loses(&mut self, mv: Move, limits: ProofLimits) -> Result<bool, LimitReached> {
        self.play(mv)?;
        let won = self.wins_from_here(ProofLimits { plies: limits.plies - 1, ..limits });
        self.tree.undo();
        won
    }

    /// Sorts defenses: first those that held before, then by ordering score.
    fn sort_defenses(&self, list: &mut MoveList) {
        let held = |mv: Move| mv.cell().map_or(0, |cell| self.defense_history[cell.index()]);
        list.sort_by_cached_key(|&mv| {
            Reverse((held(mv), self.tree.evaluator.ordering_score(&self.tree.position, mv)))
        });
    }

    /// Adds the legal moves that are not in the list.
    fn push_other_moves(&mut self, list: &mut MoveList) {
        let mut legal = self.lists.pop().unwrap_or_default();
        legal.clear();
        self.tree.position.legal_moves(&mut legal);
        let first = list.len();
        for &mv in &legal {
            if !list[..first].contains(&mv) {
                list.push(mv);
            }
        }
        self.lists.push(legal);
    }

    /// Returns whether the other side threatens to win with its next move.
    fn is_threatened(&self) -> bool {
        let enemy = self.tree.position.color_to_move().opponent();
        self.winning_cells(enemy).next().is_some()
    }

    /// The cells where a color wins at once.
    fn winning_cells(&self, color: Color) -> impl Iterator<Item = Cell> + '_ {
        self.tree.evaluator.winning_cells(&self.tree.position, color)
    }

    /// Returns whether these moves, played by the rules, end the game in the attacker's favor.
    fn ends_in_win(&mut self, moves: &[Move]) -> bool {
        self.nodes += moves.len() as u64;
        let outcome = self.tree.outcome_after(moves);
        outcome.is_some_and(|outcome| outcome.winner == Some(self.attacker))
    }

    fn play(&mut self, mv: Move) -> Result<(), LimitReached> {
        self.nodes += 1;
        if self.nodes > self.max_nodes {
            return Err(LimitReached);
        }
        if self.nodes >= self.next_clock_check {
            self.next_clock_check = self.nodes + CLOCK_NODES;
            if self.until.is_some_and(|end| Instant::now() >= end) {
                return Err(LimitReached);
            }
        }
        self.tree.play(mv);
        Ok(())
    }
}

/// The number of nodes between checks of the time.
const CLOCK_NODES: u64 = 1024;

/// Larger numbers of quiet moves are treated as this one.
const MAX_QUIET: usize = 3;

/// Results for positions with the attacker to move, by their 64-bit key.
#[derive(Clone, Debug, Default)]
pub(super) struct MateTable(HashMap<Key, MateEntry>);

/// The results for a position. 0 is unknown.
#[derive(Clone, Copy, Debug, Default)]
struct MateEntry {
    /// The least plies within which a win is proved.
    won: u32,
    /// The first move of that win.
    first: Option<Move>,
    /// The most plies within which no win was found, by the number of quiet moves allowed.
    tried: [u32; MAX_QUIET + 1],
}

/// The maximum number of positions, about 250 MB. The table is cleared then.
const MAX_POSITIONS: usize = 4_000_000;

impl MateTable {
    /// Returns whether a position is won within the limits, if that is known.
    pub(super) fn get(&self, key: Key, limits: ProofLimits) -> Option<bool> {
        let entry = self.0.get(&key)?;
        if entry.won > 0 && entry.won <= limits.plies {
            return Some(true);
        }
        let quiet = (limits.quiet as usize).min(MAX_QUIET);
        entry.tried[quiet..].iter().any(|&plies| plies >= limits.plies).then_some(false)
    }

    /// Returns the first move of the shortest known win.
    pub(super) fn first(&self, key: Key) -> Option<Move> {
        self.0.get(&key).and_then(|entry| entry.first)
    }

    /// Stores the first move of a win within the limits, or that none was found.
    pub(super) fn put(&mut self, key: Key, limits: ProofLimits, first: Option<Move>) {
        if self.0.len() >= MAX_POSITIONS {
            self.0.clear();
        }
        let entry = self.0.entry(key).or_default();
        if first.is_some() {
            if entry.won == 0 || limits.plies < entry.won {
                *entry = MateEntry { won: limits.plies, first, ..*entry };
            }
        } else if let Some(tried) = entry.tried.get_mut(limits.quiet as usize) {
            *tried = (*tried).max(limits.plies);
        }
    }
}

/// Adds every legal cell where a stone of the color to move creates a winning cell of that color,
/// and some others. The position must have no such cell yet; the evaluator belongs to it.
///
/// A new winning cell for a line needs a window of the line's length around the stone with all but
/// two of its stones and no enemy stone, or a capture that removes the enemy stones. A new winning
/// cell for captures needs a capture now, or a group of which the stone occupies the other end.
pub(super) fn push_threatening_moves(
    position: &Position,
    evaluator: &LineEvaluator,
    moves: &mut MoveList,
) {
    let color = position.color_to_move();
    let scan = ThreatScan { position, evaluator, color };
    position.board().for_each_empty(|cell| {
        let own = position.board().windows(color, cell);
        let enemy = position.board().windows(color.opponent(), cell);
        if scan.may_line_up(cell, own, enemy) || scan.may_capture(cell, own, enemy) {
            moves.push(Move::stone(cell));
        }
    });
    if position.is_opening_limited() || position.rules().renju_restricts(color) {
        moves.retain(|&mv| position.is_legal(mv));
    }
}

struct ThreatScan<'a> {
    position: &'a Position,
    evaluator: &'a LineEvaluator,
    color: Color,
}

impl ThreatScan<'_> {
    /// Returns whether a window through the cell lacks only two stones, including the one on the
    /// cell.
    fn may_line_up(&self, cell: Cell, own: Windows, enemy: Windows) -> bool {
        let length = u32::from(self.position.rules().line().length());
        let walls = self.position.board().map().walls(cell);
        (0..4).any(|direction| {
            let (own, stop) = (own.lane(direction), enemy.lane(direction) | walls.lane(direction));
            own.count_ones() + 2 >= length
                && (0..length).any(|back| {
                    let window = ((1 << length) - 1) << (CENTER - back);
                    stop & window == 0 && (own & window).count_ones() + 2 >= length
                })
        })
    }

    /// Returns whether a stone captures, or threatens a winning capture.
    fn may_capture(&self, cell: Cell, own: Windows, enemy: Windows) -> bool {
        let Some(capture) = self.position.rules().capture() else { return false };
        if !capture.captured(own, enemy).is_empty() {
            return true;
        }
        let Some(goal) = capture.goal else { return false };
        let missing = u32::from(goal.saturating_sub(self.position.captures(self.color)));
        capture.lengths().map(u32::from).any(|stones| {
            self.group_ends(cell, enemy, stones)
                .any(|end| self.evaluator.captured_at(self.color, end) + stones >= missing)
        })
    }

    /// Returns the empty cells at the other ends of enemy groups of that many stones next to the
    /// cell.
    fn group_ends(
        &self,
        cell: Cell,
        enemy: Windows,
        stones: u32,
    ) -> impl Iterator<Item = Cell> + '_ {
        let board = self.position.board();
        let walls = board.map().walls(cell);
        (0..8).filter_map(move |ray| {
            let (direction, up) = (ray / 2, ray % 2 == 0);
            let bit = |distance: u32| 1 << if up { CENTER + distance } else { CENTER - distance };
            let group = (1..=stones).fold(0, |group, distance| group | bit(distance));
            let (lane, wall) = (enemy.lane(direction), walls.lane(direction));
            if lane & group != group || wall & bit(stones + 1) != 0 {
                return None;
            }
            let step = board.map().step(direction) * if up { 1 } else { -1 };
            let end = Cell((cell.0 as i16 + step * (stones as i16 + 1)) as u16);
            board.content(end).color().is_none().then_some(end)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_hold_only_for_covered_limits() {
        let (mut known, key) = (MateTable::default(), Key(7));
        let limits = |plies, quiet| ProofLimits { plies, quiet };
        assert_eq!(known.get(key, limits(3, 0)), None);
        known.put(key, limits(5, 1), None);
        assert_eq!(known.get(key, limits(5, 1)), Some(false));
        assert_eq!(known.get(key, limits(3, 0)), Some(false));
        assert_eq!(known.get(key, limits(5, 2)), None);
        assert_eq!(known.get(key, limits(7, 1)), None);
        let first = Some(Move::stone(Cell(3)));
        known.put(key, limits(7, 2), first);
        assert_eq!(known.first(key), first);
        assert_eq!(known.get(key, limits(7, 0)), Some(true));
        assert_eq!(known.get(key, limits(9, 3)), Some(true));
        assert_eq!(known.get(key, limits(5, 2)), None);
        assert_eq!(known.get(Key(8), limits(7, 2)), None);
    }
}
