//! An exact solver of small games.

use crate::LimitReached;
use crate::proof::small_game::{
    GameValue, STEPS, SmallBoard, SmallRules, bits, run_points, run_starts,
};
use crate::proof::table::{CaptureCounts, ProofTable, TableKey};
use std::time::Instant;

/// The limits of a solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolverLimits {
    /// The maximum number of positions.
    pub nodes: Option<u64>,
    /// The time at which to stop.
    pub until: Option<Instant>,
}

/// Proves values of a small game.
///
/// Two yes-no questions decide it: does the first color win, and if not, does the second. Short
/// wins of either are searched first. Each question is a full search: the attacker needs one move,
/// the defender is granted all moves. Positions and moves are omitted only if that is provably
/// correct:
///
/// - Moves that leave an immediate win unanswered, and positions in which the attacker can form no
///   line and capture too little, even with help; see `SmallRules::classify` and `StaticFacts`.
/// - Positions equivalent to one that was answered: images under rotation and reflection, positions
///   that differ only in the color of stones that cannot matter to a line or capture, and positions
///   whose captures are worse for a color that did not win or better for one that did; see the
///   module `table`.
///
/// The search works on bitboards. [`prove_value`](super::prove_value) writes its result as a strategy, which is
/// checked by the rules of the game.
#[derive(Debug)]
pub struct Solver {
    pub(super) rules: SmallRules,
    /// Positions that the attacker wins or does not win.
    pub(super) table: ProofTable,
    /// Positions that the attacker does not win within a number of plies.
    pub(super) failed: ProofTable,
    pub(super) limits: SolverLimits,
    nodes: u64,
    /// By color: how often a stone on a point decided a position.
    pub(super) history: [[u32; 64]; 2],
    /// A stack of the positions after the moves of those being searched.
    pub(super) open: Vec<SolverNode>,
}

/// The number of nodes between checks of the time.
const CLOCK_NODES: u64 = 1 << 12;

impl Solver {
    /// Creates a solver with tables of that many MiB.
    pub fn new(rules: SmallRules, mebibytes: usize, limits: SolverLimits) -> Solver {
        // Short wins need less memory than whole games.
        let (table, failed) = (ProofTable::new(mebibytes), ProofTable::new((mebibytes / 4).max(1)));
        let history = [[0; 64]; 2];
        Solver { rules, table, failed, limits, nodes: 0, history, open: Vec::new() }
    }

    /// The rules.
    pub fn rules(&self) -> &SmallRules {
        &self.rules
    }

    /// The number of positions searched, each with all of its moves.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the value of an open position.
    pub fn value(&mut self, board: &SmallBoard) -> Result<GameValue, LimitReached> {
        for color in 0..2 {
            if self.wins_by_deepening(board, color)? {
                return Ok(GameValue::win(color.into()));
            }
        }
        for color in 0..2 {
            if self.wins(board, color)? {
                return Ok(GameValue::win(color.into()));
            }
        }
        Ok(GameValue::Draw)
    }

    /// Counts a position and checks the limits.
    pub(super) fn count_node(&mut self) -> Result<(), LimitReached> {
        self.nodes += 1;
        let spent = self.limits.nodes.is_some_and(|nodes| self.nodes > nodes)
            || self.nodes.is_multiple_of(CLOCK_NODES) && self.is_late();
        if spent { Err(LimitReached) } else { Ok(()) }
    }

    /// Returns whether the time is up.
    pub(super) fn is_late(&self) -> bool {
        self.limits.until.is_some_and(|end| Instant::now() >= end)
    }
}

/// No limit of plies.
const UNLIMITED: u32 = u32::MAX;

/// The ordering value for the defender of closing a place where the attacker might capture. It is
/// higher than any value of lines, and it makes proofs of draws finish.
const CLOSED_GROUP: i32 = 4000;

/// The question of a search: does the attacker win?
#[derive(Clone, Copy, Debug)]
struct WinQuestion {
    attacker: u8,
    /// The plies within which it must win.
    plies: u32,
}

impl WinQuestion {
    /// Returns the question after a ply.
    fn after_ply(self) -> WinQuestion {
        let plies = if self.plies == UNLIMITED { UNLIMITED } else { self.plies - 1 };
        WinQuestion { plies, ..self }
    }
}

impl Solver {
    /// Returns whether a color wins an open position.
    pub(super) fn wins(&mut self, board: &SmallBoard, attacker: u8) -> Result<bool, LimitReached> {
        self.wins_within(board, attacker, UNLIMITED)
    }

    /// Returns whether a color wins an open position within `plies`. `true` may also be a later
    /// win.
    pub(super) fn wins_within(
        &mut self,
        board: &SmallBoard,
        attacker: u8,
        plies: u32,
    ) -> Result<bool, LimitReached> {
        let node = match self.rules.classify(board, attacker) {
            Ok(node) => node,
            Err(answer) => return Ok(answer),
        };
        let question = WinQuestion { attacker, plies };
        if let Some(answer) = self.probe(&node, question) {
            return Ok(answer);
        }
        self.open.clear();
        self.search(&node, question)
    }

    /// Returns whether a color wins after a move, if that is known without a search.
    pub(super) fn known_result(&self, board: &SmallBoard, bit: u32, attacker: u8) -> Option<bool> {
        let (next, end) = self.rules.play(board, bit);
        if let Some(value) = end {
            return Some(value == GameValue::win(attacker.into()));
        }
        match self.rules.classify(&next, attacker) {
            Ok(node) => self.table.answer(node.key?, node.worst, node.best),
            Err(answer) => Some(answer),
        }
    }

    fn search(&mut self, node: &SolverNode, question: WinQuestion) -> Result<bool, LimitReached> {
        self.count_node()?;
        let begin = self.open.len();
        let wanted = node.board.color == question.attacker;
        let answer = if self.has_known_move(node, question) {
            wanted
        } else {
            self.search_moves(begin, question, wanted)?
        };
        self.open.truncate(begin);
        self.store(node, question, answer);
        Ok(answer)
    }

    /// Classifies the positions after all moves. Returns whether one is known to have the result
    /// that the mover wants; if not, the undecided ones are on the stack `open`.
    fn has_known_move(&mut self, node: &SolverNode, question: WinQuestion) -> bool {
        let attacker = question.attacker;
        let defends = node.board.color != attacker;
        let begin = self.open.len();
        let moves = self.rules.rank_moves(node, attacker);
        // The history is useful for lines and misleading where stones are captured.
        let learned = u32::from(node.exposed == 0);
        let history = self.history[usize::from(node.board.color & 1)];
        for (bit, rank) in moves.iter() {
            let (next, end) = self.rules.play(&node.board, bit);
            let seen = match end {
                Some(value) => Err(value == GameValue::win(attacker.into())),
                None => self.rules.classify(&next, attacker),
            };
            match seen {
                Err(answer) if answer != defends => return true,
                Err(_) => {}
                Ok(next) => {
                    let exposed = if defends { next.exposed as i32 } else { 0 };
                    let settled = (learned * history[bit as usize & 63] / 51) as i32;
                    let rank = rank + settled - CLOSED_GROUP * exposed;
                    self.open.push(SolverNode { bit: bit as u8, rank, ..next });
                }
            }
        }
        // All probes are made together, so that the memory accesses overlap.
        let after = question.after_ply();
        let mut kept = begin;
        let mut found = false;
        for index in begin..self.open.len() {
            let next = self.open[index];
            if let Some(answer) = self.probe(&next, after) {
                found |= answer != defends;
            } else {
                self.open[kept] = next;
                kept += 1;
            }
        }
        self.open.truncate(kept);
        found
    }

    /// Searches the positions on the stack until one has the result that the mover wants.
    fn search_moves(
        &mut self,
        begin: usize,
        question: WinQuestion,
        wanted: bool,
    ) -> Result<bool, LimitReached> {
        let after = question.after_ply();
        for index in begin..self.open.len() {
            let left = index..self.open.len();
            let best = left.max_by_key(|&other| self.open[other].rank).unwrap_or(index);
            self.open.swap(index, best);
            let next = self.open[index];
            // It may have been stored since it was pushed.
            let answer = match self.probe(&next, after) {
                Some(answer) => answer,
                None => self.search(&next, after)?,
            };
            if answer == wanted {
                self.update_history(&next);
                return Ok(wanted);
            }
        }
        Ok(!wanted)
    }

    /// Updates the history for a move that decided a position.
    fn update_history(&mut self, next: &SolverNode) {
        let mover = usize::from(next.board.color & 1 == 0);
        let history = &mut self.history[mover];
        let count = &mut history[usize::from(next.bit & 63)];
        *count += self.rules.empty(&next.board).count_ones();
        if *count > 1 << 18 {
            *history = history.map(|count| count / 2);
        }
    }

    /// Returns the result of a position if it is stored or the plies do not suffice for a win.
    fn probe(&self, node: &SolverNode, question: WinQuestion) -> Option<bool> {
        let known = node.key.and_then(|key| self.table.answer(key, node.worst, node.best));
        if known.is_some() || question.plies == UNLIMITED {
            return known;
        }
        // Immediate wins are found without a search. A defender without a threat against it lasts
        // two plies.
        let quiet = node.points == self.rules.empty(&node.board);
        let least = if node.board.color == question.attacker || !quiet { 1 } else { 2 };
        let failed = node.key.map_or(0, |key| self.failed.failed_plies(key, node.worst));
        (question.plies <= least.max(failed)).then_some(false)
    }

    fn store(&mut self, node: &SolverNode, question: WinQuestion, answer: bool) {
        let Some(key) = node.key else { return };
        if answer {
            self.table.put_won(key, node.worst);
        } else if question.plies == UNLIMITED {
            self.table.put_not_won(key, node.best);
        } else {
            self.failed.put_failed(key, node.best, question.plies);
        }
    }
}

/// The maximum length of wins that iterative deepening looks for.
const MAX_DEEPENING_PLIES: u32 = 21;

/// The maximum number of positions of iterative deepening.
const DEEPENING_NODES: u64 = 4_000_000;

impl Solver {
    /// Returns whether a color wins within a limit of plies that grows. A short win is found much
    /// sooner than by a search without a limit, which follows its first moves to the end of the
    /// game. Without a win within the limits, the value is unknown.
    pub(super) fn wins_by_deepening(
        &mut self,
        board: &SmallBoard,
        color: u8,
    ) -> Result<bool, LimitReached> {
        let odd = u32::from(board.color != color);
        let limits = (1..=MAX_DEEPENING_PLIES).step_by(2).map(|plies| plies + odd);
        let found = self.with_node_limit(|solver| {
            for plies in limits {
                if solver.wins_within(board, color, plies)? {
                    return Ok(Some(()));
                }
            }
            Ok(None)
        })?;
        Ok(found.is_some())
    }

    /// Returns the move of a color that wins soonest, if one is found.
    pub(super) fn shortest_win(
        &mut self,
        board: &SmallBoard,
        color: u8,
        moves: &[u32],
    ) -> Result<Option<u32>, LimitReached> {
        self.with_node_limit(|solver| {
            for plies in (2..MAX_DEEPENING_PLIES).step_by(2) {
                for &bit in moves {
                    let (next, end) = solver.rules().play(board, bit);
                    if end.is_none() && solver.wins_within(&next, color, plies)? {
                        return Ok(Some(bit));
                    }
                }
            }
            Ok(None)
        })
    }

    /// Runs a search with a limit of nodes. At the limit its result is `None`.
    fn with_node_limit<T>(
        &mut self,
        look: impl FnOnce(&mut Solver) -> Result<Option<T>, LimitReached>,
    ) -> Result<Option<T>, LimitReached> {
        let (whole, enough) = (self.limits.nodes, self.nodes() + DEEPENING_NODES);
        if whole.is_some_and(|whole| whole <= enough) {
            return look(self);
        }
        self.limits.nodes = Some(enough);
        let found = look(self);
        self.limits.nodes = whole;
        if self.is_late() { found } else { found.or(Ok(None)) }
    }
}

/// An open position that is not decided statically.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolverNode {
    pub board: SmallBoard,
    /// The moves to search: the others lose at once.
    pub points: u64,
    /// The points where each color captures.
    pub captures: [u64; 2],
    /// The stones that can never be captured.
    pub safe: u64,
    /// The key in the tables; `None` while an opening rule restricts where stones go.
    pub key: Option<TableKey>,
    /// The worst and the best captures for the attacker that have the same result as those of the
    /// board.
    pub worst: CaptureCounts,
    pub best: CaptureCounts,
    /// The number of places where the attacker may still capture.
    pub exposed: u32,
    /// The point of the move that led here, and its rank in the move order.
    pub bit: u8,
    pub rank: i32,
}

impl SmallRules {
    /// Classifies an open position: whether the attacker wins, if that is decided statically, or
    /// else the node to search.
    ///
    /// A color that can win at once does so. A color that is threatened with an immediate win must
    /// either take the point, if it is the only one, or capture. A color that can form no line and
    /// capture too little, even with help, does not win.
    pub(super) fn classify(&self, board: &SmallBoard, attacker: u8) -> Result<SolverNode, bool> {
        let mover = usize::from(board.color & 1);
        let limited = board.placed() < self.limited_stones();
        let (wins, mine) = self.winning_and_capturing_points(board, mover);
        let (threats, theirs) = self.winning_and_capturing_points(board, 1 - mover);
        let points = match threats.count_ones() {
            _ if limited => self.legal(board),
            _ if wins != 0 => return Err(board.color == attacker),
            0 => self.empty(board),
            1 => mine | threats,
            _ => mine,
        };
        if points == 0 {
            return Err(board.color != attacker);
        }
        let captures = if mover == 0 { [mine, theirs] } else { [theirs, mine] };
        let counts = CaptureCounts::of(board, attacker);
        let mut node = SolverNode {
            board: *board,
            points,
            captures,
            safe: 0,
            key: None,
            worst: counts,
            best: counts,
            exposed: 0,
            bit: 0,
            rank: 0,
        };
        if !limited && !self.apply_static_facts(&mut node, attacker) {
            return Err(false);
        }
        Ok(node)
    }

    /// Fills in the static facts. Returns whether the attacker may still win.
    fn apply_static_facts(&self, node: &mut SolverNode, attacker: u8) -> bool {
        let own = usize::from(attacker & 1);
        let settled = self.static_facts(&node.board);
        if !settled.may_win(&node.board, own, self.goal) {
            return false;
        }
        // Captures that cannot reach the goal any more are equivalent to all others that cannot.
        let most = [own, 1 - own].map(|color| {
            let most = settled.most_captures(&node.board, color, self.goal);
            let most = most.and_then(|most| self.goal.checked_sub(most as u8 + 1));
            most.filter(|&most| node.board.captured[color] <= most)
        });
        if let Some(most) = most[0] {
            (node.worst.own, node.best.own) = (0, most);
        }
        if let Some(most) = most[1] {
            (node.worst.enemy, node.best.enemy) = (most, 0);
        }
        let stones = node.board.stones.map(|stones| stones | settled.idle);
        node.key = Some(TableKey::new(self.least_image(stones), attacker, node.board.color));
        node.safe = settled.safe;
        node.exposed = settled.chances[own].groups;
        true
    }
}

/// Moves with their ordering values, the best first.
pub(super) struct RankedMoves {
    list: [(i32, u8); 64],
    count: usize,
}

impl RankedMoves {
    /// Iterates over the bits of the points and their values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, i32)> {
        self.list[..self.count].iter().map(|&(worth, bit)| (bit.into(), worth))
    }
}

impl SmallRules {
    /// Orders moves: first those that matter most to the lines and captures of the attacker.
    pub(super) fn rank_moves(&self, node: &SolverNode, attacker: u8) -> RankedMoves {
        let SolverNode { ref board, points, captures, safe, .. } = *node;
        let (attacker, mover) = (usize::from(attacker & 1), usize::from(board.color & 1));
        let (own, enemy) = (board.stones[attacker], board.stones[1 - attacker]);
        let mut worth = [0i32; 64];
        // Each own stone of a line doubles its value; each enemy stone that can still be captured
        // divides it by four (Erdős and Selfridge, "On a combinatorial game", 1973).
        for &line in self.lines() {
            if line & enemy & safe != 0 {
                continue;
            }
            let stones = (line & own).count_ones();
            let line_worth = (80 << stones) >> (2 * (line & enemy).count_ones());
            add(&mut worth, line & points, line_worth);
        }
        let empty = self.empty(board);
        for group in self.segments() {
            let between = group.inner & board.stones[1 - mover];
            let mine = group.inner & board.stones[mover];
            // A new threat to capture, and a move into a capture.
            if between == group.inner && group.brackets & empty == group.brackets {
                add(&mut worth, group.brackets & points, 300);
            }
            let left = group.inner & !mine;
            let closed = (group.brackets & board.stones[1 - mover]).is_power_of_two();
            if between == 0
                && left.is_power_of_two()
                && closed
                && group.brackets & empty != 0
                && left & empty != 0
            {
                add(&mut worth, left & points, -1000);
            }
        }
        let taking = if mover == attacker { 3000 } else { 1000 };
        add(&mut worth, captures[mover] & points, taking);
        add(&mut worth, captures[1 - mover] & points, 1500);
        let mut moves = RankedMoves { list: [(0, 0); 64], count: 0 };
        for bit in bits(points) {
            moves.list[moves.count & 63] = (worth[bit as usize & 63], bit as u8);
            moves.count += 1;
        }
        moves.list[..moves.count].sort_unstable_by(|one, two| two.cmp(one));
        moves
    }
}

/// Adds to the values of all points of a set.
fn add(worth: &mut [i32; 64], points: u64, value: i32) {
    for bit in bits(points) {
        worth[bit as usize & 63] += value;
    }
}

/// Facts that hold from a position on, whatever is played: stones that can never be captured, the
/// captures that are still possible, who can still win, and stones that do not matter any more.
///
/// A stone is **safe** if every group with which it could be captured is closed: a safe enemy stone
/// is in it, or a safe stone of its own color is a bracket, or both brackets are safe enemy stones,
/// so that neither is ever placed. The safe stones are the greatest set with this property. The
/// first of them to be captured would need another one to be captured before, so none ever is, as
/// in the argument of Benson for Go ("Life in the game of Go", 1976).
///
/// A color captures a group only by placing one of its brackets while the other one is there, and
/// the points between are empty afterwards. While the enemy captures nothing, brackets stay, and no
/// enemy stone can come between them and be captured there. So each group is captured at most once,
/// and of two groups along one line, each with a bracket between those of the other, only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StaticFacts {
    /// The stones that can never be captured.
    pub safe: u64,
    /// The safe stones whose color matters to no line and no capture any more.
    pub idle: u64,
    /// By color.
    pub chances: [WinningChances; 2],
}

/// What a color may still achieve with the help of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WinningChances {
    /// Whether a line is still possible.
    pub line: bool,
    /// The number of places where it may capture.
    pub groups: u32,
    /// The maximum number of captures while none of its own stones are captured.
    captures: u32,
    /// The points of its possible lines, and of its possible captures with their brackets.
    live: u64,
}

impl StaticFacts {
    /// Returns the maximum number of further captures of a color, if it is bounded.
    pub(super) fn most_captures(&self, board: &SmallBoard, color: usize, goal: u8) -> Option<u32> {
        let enemy = 1 - color;
        // A winning capture of the enemy ends the game, so it opens nothing.
        let spared = self.chances[enemy].groups == 0 || board.captured[enemy] + 2 >= goal;
        let captures = self.chances[color].captures;
        (captures == 0 || spared).then_some(captures)
    }

    /// Returns whether a color can still win with the help of the other.
    pub(super) fn may_win(&self, board: &SmallBoard, color: usize, goal: u8) -> bool {
        let needed = u32::from(goal - board.captured[color]);
        self.chances[color].line
            || goal > 0 && self.most_captures(board, color, goal).is_none_or(|most| most >= needed)
    }
}

impl SmallRules {
    /// Returns the static facts of a position.
    pub(super) fn static_facts(&self, board: &SmallBoard) -> StaticFacts {
        let safe = self.safe_stones(board);
        let chances = [0, 1].map(|color| self.chances(board, safe, color));
        let idle = safe & !(chances[0].live | chances[1].live);
        StaticFacts { safe, idle, chances }
    }

    fn chances(&self, board: &SmallBoard, safe: u64, color: usize) -> WinningChances {
        let mut chances = WinningChances::default();
        // A color never gets points with safe stones of the other.
        let open = self.full & !(board.stones[1 - color] & safe);
        for step in STEPS {
            let lines = run_starts(open, step, self.line);
            chances.line |= lines != 0;
            chances.live |= run_points(lines, step, self.line);
        }
        let (capturable, taken) = (self.full & !safe, board.stones[color] & safe);
        for length in 2..=self.max_group {
            for step in STEPS {
                let lowest = capturable_groups(open, taken, capturable, step, length);
                chances.groups += lowest.count_ones();
                chances.captures += length * count_disjoint(lowest, step, length);
                chances.live |= run_points(lowest, step, length + 2);
            }
        }
        chances
    }

    /// Returns the stones that can never be captured.
    fn safe_stones(&self, board: &SmallBoard) -> u64 {
        let mut safe = board.stones[0] | board.stones[1];
        if self.max_group == 0 {
            return safe;
        }
        loop {
            let mut exposed = 0;
            for color in 0..2 {
                let own = board.stones[color] & safe;
                let enemy = board.stones[1 - color] & safe;
                let (open, capturable) = (self.full & !own, self.full & !enemy);
                for length in 2..=self.max_group {
                    for step in STEPS {
                        let lowest = capturable_groups(open, enemy, capturable, step, length);
                        exposed |= own & run_points(lowest << step, step, length);
                    }
                }
            }
            if exposed == 0 {
                return safe;
            }
            safe &= !exposed;
        }
    }
}

/// Returns the lowest brackets of the groups that may be captured: both brackets are available to
/// the capturing color and not both held by its safe stones, and the points between may hold enemy
/// stones.
#[inline]
fn capturable_groups(open: u64, taken: u64, capturable: u64, step: u32, length: u32) -> u64 {
    let other = step * (length + 1);
    let between = run_starts(capturable, step, length) >> step;
    open & open >> other & between & !(taken & taken >> other)
}

/// Returns how many of the groups along lines can be captured, if capturing one excludes those that
/// begin up to its length higher on the line: a bracket of each is between those of the other.
fn count_disjoint(mut lowest: u64, step: u32, length: u32) -> u32 {
    let mut count = 0;
    while lowest != 0 {
        let nearer = (1..=length).fold(0, |points, n| points | lowest << (step * n));
        let first = lowest & !nearer;
        count += first.count_ones();
        lowest &= !run_points(first, step, length + 1);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::GameValue;
    use pentarch_core::placement::Position;

    /// Static facts of any position hold to the end of random games with many captures.
    #[test]
    fn static_facts_hold_to_the_end_of_the_game() {
        let mut rng = fastrand::Rng::with_seed(23);
        let mut bounded = 0;
        for spec in ["pente+size=5", "keryo-pente+size=5", "ninuki+size=6", "pente+size=7"] {
            let start = Position::new(spec.parse().unwrap());
            let rules = SmallRules::new(start.rules()).unwrap();
            for _ in 0..1500 {
                let mut board = rules.board(&start);
                let mut settled = Vec::new();
                let end = loop {
                    let now = rules.static_facts(&board);
                    settled.push((board, now));
                    let captures = rules.capturing_points(&board, usize::from(board.color));
                    let legal = rules.legal(&board);
                    let liked = if rng.u8(..) < 200 { captures & legal } else { 0 };
                    let points = rules.in_order(if liked != 0 { liked } else { legal });
                    let (next, end) = rules.play(&board, points[rng.usize(..points.len())]);
                    board = next;
                    if let Some(end) = end {
                        break end;
                    }
                };
                for (then, now) in settled {
                    for color in 0..2 {
                        let taken = u32::from(board.captured[color] - then.captured[color]);
                        let stays = now.safe & then.stones[color] & !board.stones[color];
                        assert_eq!(stays, 0, "{spec} {then:?}");
                        if let Some(most) = now.most_captures(&then, color, rules.goal) {
                            assert!(taken <= most, "{spec} {then:?} {taken} {most}");
                            bounded += u32::from(taken > 0);
                        }
                        let won = end == GameValue::win(color);
                        assert!(!won || now.may_win(&then, color, rules.goal), "{spec} {then:?}");
                    }
                }
            }
        }
        assert!(bounded > 100, "{bounded}");
    }
}
