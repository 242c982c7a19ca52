//! An exhaustive search for a forced win that trusts nothing but the rules.

use pentarch_core::board::{CENTER, Windows};
use pentarch_core::game::{Cell, Color, Key, Move, MoveList, Position as _, Side};
use pentarch_core::placement::Position;
use pentarch_engine::eval::{LineEvaluator, StoneTables};
use pentarch_engine::search::{MoveGenerator as _, SearchPosition};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// How far a [`Prover`] looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Plies to the end, the winning move included.
    pub plies: u32,
    /// How many of the attacker's moves may be quiet: neither a threat to win with the next move,
    /// nor an answer to such a threat, nor a win.
    pub quiet: u32,
}

/// A forced win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Win {
    /// Plies to the end, the winning move included.
    pub plies: u32,
    /// The move that begins it.
    pub first: Move,
}

/// The limit was reached; nothing is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not decided within the limit of nodes or time")]
pub struct Spent;

/// Proves forced wins for the side to move.
///
/// **A proof holds against every defense.** A position counts as won only if the side to move has
/// a move that ends the game in its favor or that leaves only positions counted as won after each
/// of the defender's legal moves, all of which are played. The evaluator only says where to look
/// first: a move that it calls winning is played, and the rules say whether it wins.
///
/// **What it may miss.** A refusal means that no win was found whose attacker makes at most
/// [`Reach::quiet`] quiet moves. Within three plies a quiet move never wins: a defender's stone far
/// from everything leaves it without a threat. So one quiet move allowed makes the search complete
/// for wins within five plies, two for seven, three for nine (Thomsen's lambda search counts
/// likewise; "Lambda-search in game trees", 2000). That rests on the evaluator: that it sees every
/// winning cell and every move that may stop a threat, as the laws of `tests/eval.rs` say. On a
/// board so full that no far point is left a win in three by a quiet move may be missed.
///
/// Results are kept by 64-bit position keys for the life of the prover; two positions of one search
/// with the same key would be taken for one (about one in 10^6 searches of a million positions).
#[derive(Debug)]
pub struct Prover {
    tree: SearchPosition<Position, LineEvaluator>,
    attacker: Side,
    known: ProofTable,
    /// How often a stone on a cell was the defense that held.
    held: Vec<u32>,
    /// The attacking move that won last, by the plies that were left.
    winners: [Option<Move>; 32],
    nodes: u64,
    most_nodes: u64,
    until: Option<Instant>,
    /// The node count at which to look at the clock again.
    next_look: u64,
    lists: Vec<MoveList>,
}

impl Prover {
    /// A prover for a position and its side to move, with the tables of its ruleset, that may visit
    /// that number of nodes in all: moves played.
    pub fn new(position: &Position, tables: Arc<StoneTables>, nodes: u64) -> Prover {
        let evaluator = LineEvaluator::new(tables, false, 0);
        let held = vec![0; position.grid().cells()];
        let attacker = position.side_of(position.to_move());
        Prover {
            tree: SearchPosition::new(position.clone(), evaluator),
            attacker,
            known: ProofTable::default(),
            held,
            winners: [None; 32],
            nodes: 0,
            most_nodes: nodes,
            until: None,
            next_look: 0,
            lists: Vec::new(),
        }
    }

    /// Ends every search at that moment.
    pub fn until(mut self, moment: Instant) -> Prover {
        self.until = Some(moment);
        self
    }

    /// The prover with that many more nodes to visit. What it knows it keeps.
    pub fn with_more(self, nodes: u64) -> Prover {
        Prover { most_nodes: self.nodes.saturating_add(nodes), ..self }
    }

    /// The nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move can force a win within that reach.
    pub fn wins(&mut self, reach: Reach) -> Result<bool, Spent> {
        if self.tree.position.outcome().is_some() {
            return Ok(false);
        }
        self.any(reach)
    }

    /// The shortest win within the reach, if one is found.
    pub fn shortest(&mut self, reach: Reach) -> Result<Option<Win>, Spent> {
        let (position, seating) = (&self.tree.position, self.tree.position.rules().seating());
        let seats =
            std::iter::successors(Some(position.to_move()), |&seat| Some(seating.next(seat)));
        // A win ends with a move of the side that wins.
        let ends: Vec<u32> = (1..=reach.plies)
            .zip(seats)
            .filter(|&(_, seat)| seating.side_of(seat) == self.attacker)
            .map(|(plies, _)| plies)
            .collect();
        for plies in ends {
            for quiet in 0..=reach.quiet {
                if self.wins(Reach { plies, quiet })? {
                    return Ok(self.first_move().map(|first| Win { plies, first }));
                }
            }
        }
        Ok(None)
    }

    /// The first move of the win that was found last.
    fn first_move(&self) -> Option<Move> {
        self.tree
            .evaluator
            .winning_move(&self.tree.position)
            .or_else(|| self.known.first(self.tree.position.key()))
    }

    /// Whether a move wins within that reach, counted from before it.
    pub fn wins_by(&mut self, mv: Move, reach: Reach) -> Result<bool, Spent> {
        if !self.tree.position.is_legal(mv) || reach.plies == 0 {
            return Ok(false);
        }
        let forced = self.is_threatened();
        self.attempt(mv, reach, forced)
    }

    /// Every first move that wins within that reach.
    pub fn first_moves(&mut self, reach: Reach) -> Result<MoveList, Spent> {
        let mut moves = MoveList::new();
        self.tree.position.legal_moves(&mut moves);
        let mut winning = MoveList::new();
        for mv in moves {
            if self.wins_by(mv, reach)? {
                winning.push(mv);
            }
        }
        Ok(winning)
    }

    /// Whether the attacker has won, or wins with this reach whoever is to move.
    fn decide(&mut self, reach: Reach) -> Result<bool, Spent> {
        let position = &self.tree.position;
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.winner == Some(self.attacker));
        }
        if reach.plies == 0 {
            return Ok(false);
        }
        let attacks = position.side_of(position.to_move()) == self.attacker;
        if attacks { self.any(reach) } else { self.all(reach) }
    }

    /// Whether some move of the attacker wins. The position is open.
    fn any(&mut self, reach: Reach) -> Result<bool, Spent> {
        if let Some(mv) = self.tree.evaluator.winning_move(&self.tree.position)
            && self.ends_in_win(&[mv])
        {
            return Ok(true);
        }
        if reach.plies < 2 {
            return Ok(false);
        }
        let key = self.tree.position.key();
        if let Some(known) = self.known.get(key, reach) {
            return Ok(known);
        }
        let mut list = self.lists.pop().unwrap_or_default();
        let won = self.any_of(reach, &mut list);
        self.lists.push(list);
        let first = won?;
        self.known.put(key, reach, first);
        if let Some(slot) = self.winners.get_mut(reach.plies as usize) {
            *slot = first.or(*slot);
        }
        Ok(first.is_some())
    }

    /// [`Prover::any`] with a buffer, for a position that no move wins at once.
    fn any_of(&mut self, reach: Reach, list: &mut MoveList) -> Result<Option<Move>, Spent> {
        list.clear();
        let forced = self.tree.evaluator.defenses(&self.tree.position, list).is_some();
        if !forced {
            threatening(&self.tree.position, &self.tree.evaluator, list);
        }
        self.sort_attacks(list, reach);
        // Threats first, with all of the reach; quiet ones among them are for later.
        for &mv in &*list {
            if self.attempt(mv, Reach { quiet: 0, ..reach }, forced)? {
                return Ok(Some(mv));
            }
        }
        if reach.quiet == 0 || reach.plies <= 3 {
            return Ok(None);
        }
        if !forced {
            list.clear();
            self.tree.position.legal_moves(list);
            self.sort_attacks(list, reach);
        }
        for &mv in &*list {
            if self.attempt(mv, reach, forced)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Sorts attacks: first the one that won last with as many plies, then by the ordering score
    /// of the evaluator.
    fn sort_attacks(&self, list: &mut MoveList, reach: Reach) {
        let won = self.winners.get(reach.plies as usize).copied().flatten();
        list.sort_by_cached_key(|&mv| {
            (won != Some(mv), Reverse(self.tree.evaluator.ordering_score(&self.tree.position, mv)))
        });
    }

    /// Whether a move of the attacker wins; `forced` if it answers a threat.
    fn attempt(&mut self, mv: Move, reach: Reach, forced: bool) -> Result<bool, Spent> {
        let color = self.tree.position.color_to_move();
        self.play(mv)?;
        let threatens = self.winning_cells(color).next().is_some();
        let counts = !(forced || threatens || self.tree.position.outcome().is_some());
        let won = if counts && (reach.quiet == 0 || reach.plies <= 3) {
            Ok(false)
        } else {
            let quiet = reach.quiet - u32::from(counts);
            self.decide(Reach { plies: reach.plies - 1, quiet })
        };
        self.tree.undo();
        won
    }

    /// Whether the attacker wins after every move of the defender. The position is open.
    fn all(&mut self, reach: Reach) -> Result<bool, Spent> {
        if self.tree.evaluator.winning_move(&self.tree.position).is_some() || reach.plies < 2 {
            return Ok(false);
        }
        let mut list = self.lists.pop().unwrap_or_default();
        let won = self.all_of(reach, &mut list);
        self.lists.push(list);
        won
    }

    /// [`Prover::all`] with a buffer: first the moves that may hold, then every other.
    fn all_of(&mut self, reach: Reach, list: &mut MoveList) -> Result<bool, Spent> {
        list.clear();
        let attacked = self.tree.evaluator.defenses(&self.tree.position, list).is_some();
        let attacker = self.tree.position.color_to_move().opponent();
        let winning: Vec<Move> = self.winning_cells(attacker).map(Move::stone).take(2).collect();
        self.sort_defenses(list);
        let first = list.len();
        self.push_other_moves(list);
        if !attacked {
            self.sort_defenses(list);
            // A stone far from everything often shows at once that there is no threat.
            list.rotate_right(1);
        }
        for (index, &mv) in list.iter().enumerate() {
            let loses = attacked
                && index >= first
                && winning.iter().any(|&answer| self.ends_in_win(&[mv, answer]));
            if !loses && !self.loses_by(mv, reach)? {
                self.held[mv.cell().map_or(0, Cell::index)] += 1;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the attacker wins after this move of the defender.
    fn loses_by(&mut self, mv: Move, reach: Reach) -> Result<bool, Spent> {
        self.play(mv)?;
        let won = self.decide(Reach { plies: reach.plies - 1, ..reach });
        self.tree.undo();
        won
    }

    /// Sorts defenses: first those that held before, then by ordering score.
    fn sort_defenses(&self, list: &mut MoveList) {
        let held = |mv: Move| mv.cell().map_or(0, |cell| self.held[cell.index()]);
        list.sort_by_cached_key(|&mv| {
            Reverse((held(mv), self.tree.evaluator.ordering_score(&self.tree.position, mv)))
        });
    }

    /// Adds the legal moves that are not in the list yet.
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

    /// Whether the side to move could be beaten by the other's next move.
    fn is_threatened(&self) -> bool {
        let enemy = self.tree.position.color_to_move().opponent();
        self.winning_cells(enemy).next().is_some()
    }

    /// The cells on which a color would win at once.
    fn winning_cells(&self, color: Color) -> impl Iterator<Item = Cell> + '_ {
        self.tree.evaluator.winning_cells(&self.tree.position, color)
    }

    /// Whether these moves, played by the rules, end the game in the attacker's favor.
    fn ends_in_win(&mut self, moves: &[Move]) -> bool {
        self.nodes += moves.len() as u64;
        let outcome = self.tree.outcome_after(moves);
        outcome.is_some_and(|outcome| outcome.winner == Some(self.attacker))
    }

    fn play(&mut self, mv: Move) -> Result<(), Spent> {
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            return Err(Spent);
        }
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + CLOCK_NODES;
            if self.until.is_some_and(|end| Instant::now() >= end) {
                return Err(Spent);
            }
        }
        self.tree.play(mv);
        Ok(())
    }
}

/// Nodes between looks at the clock.
const CLOCK_NODES: u64 = 1024;

// What a prover remembers of positions.

/// Greater numbers of quiet moves are treated as this one.
const MOST_QUIET: usize = 3;

/// What was found out of positions with the attacker to move, by their 64-bit key.
#[derive(Clone, Debug, Default)]
pub(super) struct ProofTable(HashMap<Key, ProofEntry>);

/// What is known of a position; 0 stands for nothing.
#[derive(Clone, Copy, Debug, Default)]
struct ProofEntry {
    /// The fewest plies within which a win is proved.
    won: u32,
    /// The first move of that win.
    first: Option<Move>,
    /// The most plies within which no win was found, by the number of quiet moves allowed.
    tried: [u32; MOST_QUIET + 1],
}

/// With this many positions, about 250 MB, everything is forgotten.
const MOST_POSITIONS: usize = 4_000_000;

impl ProofTable {
    /// Whether a position is known to be a win within that reach, or not to be one.
    pub(super) fn get(&self, key: Key, reach: Reach) -> Option<bool> {
        let entry = self.0.get(&key)?;
        if entry.won > 0 && entry.won <= reach.plies {
            return Some(true);
        }
        let quiet = (reach.quiet as usize).min(MOST_QUIET);
        entry.tried[quiet..].iter().any(|&plies| plies >= reach.plies).then_some(false)
    }

    /// The first move of the shortest win that is known.
    pub(super) fn first(&self, key: Key) -> Option<Move> {
        self.0.get(&key).and_then(|entry| entry.first)
    }

    /// Remembers the first move of a win within that reach, or that none was found.
    pub(super) fn put(&mut self, key: Key, reach: Reach, first: Option<Move>) {
        if self.0.len() >= MOST_POSITIONS {
            self.0.clear();
        }
        let entry = self.0.entry(key).or_default();
        if first.is_some() {
            if entry.won == 0 || reach.plies < entry.won {
                *entry = ProofEntry { won: reach.plies, first, ..*entry };
            }
        } else if let Some(tried) = entry.tried.get_mut(reach.quiet as usize) {
            *tried = (*tried).max(reach.plies);
        }
    }
}

// Which moves may threaten to win with the next one.

/// Adds every legal cell on which a stone of the color to move would leave that color a cell to
/// win on, and some others. The position has no such cell yet, and the evaluator belongs to it.
///
/// A new winning cell for a line needs a window of the line's length around the stone that has all
/// but two of its stones and no enemy, or a capture that takes the enemy away. A new winning cell
/// for captures needs a capture now, or a group that the stone shuts in from the other side.
pub(super) fn threatening(position: &Position, evaluator: &LineEvaluator, moves: &mut MoveList) {
    let color = position.color_to_move();
    let scan = Scan { position, evaluator, color };
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

struct Scan<'a> {
    position: &'a Position,
    evaluator: &'a LineEvaluator,
    color: Color,
}

impl Scan<'_> {
    /// Whether some window through the cell lacks just two stones, the cell's among them.
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

    /// Whether a stone captures, or threatens a capture that wins.
    fn may_capture(&self, cell: Cell, own: Windows, enemy: Windows) -> bool {
        let Some(capture) = self.position.rules().capture() else { return false };
        if !capture.captured(own, enemy).is_empty() {
            return true;
        }
        let Some(goal) = capture.goal else { return false };
        let missing = u32::from(goal.saturating_sub(self.position.captures(self.color)));
        capture.lengths().map(u32::from).any(|stones| {
            self.shut_in(cell, enemy, stones)
                .any(|end| self.evaluator.captured_at(self.color, end) + stones >= missing)
        })
    }

    /// The empty cells at the other ends of enemy groups of that many stones next to the cell.
    fn shut_in(&self, cell: Cell, enemy: Windows, stones: u32) -> impl Iterator<Item = Cell> + '_ {
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
    fn facts_hold_for_smaller_and_larger_reaches_only() {
        let (mut known, key) = (ProofTable::default(), Key(7));
        let reach = |plies, quiet| Reach { plies, quiet };
        assert_eq!(known.get(key, reach(3, 0)), None);
        known.put(key, reach(5, 1), None);
        assert_eq!(known.get(key, reach(5, 1)), Some(false));
        assert_eq!(known.get(key, reach(3, 0)), Some(false));
        assert_eq!(known.get(key, reach(5, 2)), None);
        assert_eq!(known.get(key, reach(7, 1)), None);
        let first = Some(Move::stone(Cell(3)));
        known.put(key, reach(7, 2), first);
        assert_eq!(known.first(key), first);
        assert_eq!(known.get(key, reach(7, 0)), Some(true));
        assert_eq!(known.get(key, reach(9, 3)), Some(true));
        assert_eq!(known.get(key, reach(5, 2)), None);
        assert_eq!(known.get(Key(8), reach(7, 2)), None);
    }
}
