//! A solver: what it knows, what it may spend, and the value of a position.

use crate::proof::small_game::{STEPS, SmallBoard, SmallRules, Value, bits, runs, spread};
use crate::proof::table::{Counts, Key, Table};
use std::time::Instant;

/// The limit was reached; nothing is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not decided within the limit of nodes or time")]
pub struct Spent;

/// What a search may spend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// The most positions to look at.
    pub nodes: Option<u64>,
    /// When to give up.
    pub until: Option<Instant>,
}

/// Proves values of a small game.
///
/// Two questions with two answers each decide it: does the first color win, and if not, does the
/// second. Short wins of either are looked for first. Each question is a full search: a side that has to
/// show something needs one move, the other is granted all of its moves. What is left out is left out
/// for a reason that holds for sure:
///
/// - Moves that leave a win at once unanswered, and positions in which the color that asks can form
///   no line and capture too little any more, even with help; see the modules `node` and `safety`.
/// - Positions like one that was answered: images under rotation and reflection, positions that
///   differ only in the color of stones that no line and no capture can come to depend on, and
///   positions with captured stones that are worse for the color that did not win, or better for the one
///   that did; see the module `table`.
///
/// The search takes positions as bits. What it finds can be written down as a strategy, which is
/// checked by the rules themselves, move by move: see [`strategies`](super::strategies).
#[derive(Debug)]
pub struct Solver {
    pub(super) rules: SmallRules,
    /// Whether positions are won by the color that asks.
    pub(super) table: Table,
    /// What was not won within a number of plies.
    pub(super) failed: Table,
    pub(super) budget: Budget,
    nodes: u64,
    /// How often a stone on a point settled a position, by color.
    pub(super) history: [[u32; 64]; 2],
    /// The positions after the moves of those that are being searched.
    pub(super) open: Vec<Node>,
}

/// Nodes between looks at the clock.
const CLOCK_NODES: u64 = 1 << 12;

impl Solver {
    /// A solver with tables of that many MiB.
    pub fn new(rules: SmallRules, mebibytes: usize, budget: Budget) -> Solver {
        // Short wins need less room than whole games.
        let (table, failed) = (Table::new(mebibytes), Table::new((mebibytes / 4).max(1)));
        let history = [[0; 64]; 2];
        Solver { rules, table, failed, budget, nodes: 0, history, open: Vec::new() }
    }

    /// The rules.
    pub fn rules(&self) -> &SmallRules {
        &self.rules
    }

    /// The positions looked at so far, each with all of its moves.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of an open position.
    pub fn value(&mut self, board: &SmallBoard) -> Result<Value, Spent> {
        for color in 0..2 {
            if self.wins_soon(board, color)? {
                return Ok(Value::win(color.into()));
            }
        }
        for color in 0..2 {
            if self.wins(board, color)? {
                return Ok(Value::win(color.into()));
            }
        }
        Ok(Value::Draw)
    }

    /// Counts a position and looks at the limits.
    pub(super) fn count_node(&mut self) -> Result<(), Spent> {
        self.nodes += 1;
        let spent = self.budget.nodes.is_some_and(|nodes| self.nodes > nodes)
            || self.nodes.is_multiple_of(CLOCK_NODES) && self.is_late();
        if spent { Err(Spent) } else { Ok(()) }
    }

    /// Whether the time is up.
    pub(super) fn is_late(&self) -> bool {
        self.budget.until.is_some_and(|end| Instant::now() >= end)
    }
}

// The search: whether a color wins, by alpha-beta over everything that can be played.

/// No limit of plies.
const TO_THE_END: u32 = u32::MAX;

/// What it is worth to the defender that a place is closed where the attacker might capture: more than
/// anything that lines are worth. It is what brings proofs of draws to an end.
const CLOSED_GROUP: i32 = 4000;

/// A color asks whether it wins.
#[derive(Clone, Copy, Debug)]
struct Question {
    attacker: u8,
    /// The plies after which the answer is no for want of a win.
    plies: u32,
}

impl Question {
    /// The question that is left after a ply.
    fn after_a_ply(self) -> Question {
        let plies = if self.plies == TO_THE_END { TO_THE_END } else { self.plies - 1 };
        Question { plies, ..self }
    }
}

impl Solver {
    /// Whether a color wins an open position.
    pub(super) fn wins(&mut self, board: &SmallBoard, attacker: u8) -> Result<bool, Spent> {
        self.wins_within(board, attacker, TO_THE_END)
    }

    /// Whether a color is found to win an open position within that many plies, or later.
    pub(super) fn wins_within(
        &mut self,
        board: &SmallBoard,
        attacker: u8,
        plies: u32,
    ) -> Result<bool, Spent> {
        let node = match self.rules.look(board, attacker) {
            Ok(node) => node,
            Err(answer) => return Ok(answer),
        };
        let question = Question { attacker, plies };
        if let Some(answer) = self.remembered(&node, question) {
            return Ok(answer);
        }
        self.open.clear();
        self.search(&node, question)
    }

    /// Whether a color wins after a move, if that is known without a search.
    pub(super) fn known(&self, board: &SmallBoard, bit: u32, attacker: u8) -> Option<bool> {
        let (next, end) = self.rules.play(board, bit);
        if let Some(value) = end {
            return Some(value == Value::win(attacker.into()));
        }
        match self.rules.look(&next, attacker) {
            Ok(node) => self.table.answer(node.key?, node.worst, node.best),
            Err(answer) => Some(answer),
        }
    }

    fn search(&mut self, node: &Node, question: Question) -> Result<bool, Spent> {
        self.count_node()?;
        let begin = self.open.len();
        let wanted = node.board.color == question.attacker;
        let answer = if self.has_known_move(node, question) {
            wanted
        } else {
            self.search_moves(begin, question, wanted)?
        };
        self.open.truncate(begin);
        self.remember(node, question, answer);
        Ok(answer)
    }

    /// Looks at the positions after all moves; whether one is known to have the answer that the mover
    /// wants. If none is, the open ones are put aside for the search.
    fn has_known_move(&mut self, node: &Node, question: Question) -> bool {
        let attacker = question.attacker;
        let defends = node.board.color != attacker;
        let begin = self.open.len();
        let moves = self.rules.ranked(node, attacker);
        // What was good elsewhere says something about lines, and misleads where stones are captured.
        let learned = u32::from(node.exposed == 0);
        let history = self.history[usize::from(node.board.color & 1)];
        for (bit, rank) in moves.iter() {
            let (next, end) = self.rules.play(&node.board, bit);
            let seen = match end {
                Some(value) => Err(value == Value::win(attacker.into())),
                None => self.rules.look(&next, attacker),
            };
            match seen {
                Err(answer) if answer != defends => return true,
                Err(_) => {}
                Ok(next) => {
                    let exposed = if defends { next.exposed as i32 } else { 0 };
                    let settled = (learned * history[bit as usize & 63] / 51) as i32;
                    let rank = rank + settled - CLOSED_GROUP * exposed;
                    self.open.push(Node { bit: bit as u8, rank, ..next });
                }
            }
        }
        // The table is asked in one go, so that the memory answers many questions at a time.
        let after = question.after_a_ply();
        let mut kept = begin;
        let mut found = false;
        for index in begin..self.open.len() {
            let next = self.open[index];
            if let Some(answer) = self.remembered(&next, after) {
                found |= answer != defends;
            } else {
                self.open[kept] = next;
                kept += 1;
            }
        }
        self.open.truncate(kept);
        found
    }

    /// Searches the positions that were put aside, until one has the answer that the mover wants.
    fn search_moves(
        &mut self,
        begin: usize,
        question: Question,
        wanted: bool,
    ) -> Result<bool, Spent> {
        let after = question.after_a_ply();
        for index in begin..self.open.len() {
            let left = index..self.open.len();
            let best = left.max_by_key(|&other| self.open[other].rank).unwrap_or(index);
            self.open.swap(index, best);
            let next = self.open[index];
            // It may have been met since it was put aside.
            let answer = match self.remembered(&next, after) {
                Some(answer) => answer,
                None => self.search(&next, after)?,
            };
            if answer == wanted {
                self.reward(&next);
                return Ok(wanted);
            }
        }
        Ok(!wanted)
    }

    /// Counts that the last move settled a position.
    fn reward(&mut self, next: &Node) {
        let mover = usize::from(next.board.color & 1 == 0);
        let history = &mut self.history[mover];
        let count = &mut history[usize::from(next.bit & 63)];
        *count += self.rules.empty(&next.board).count_ones();
        if *count > 1 << 18 {
            *history = history.map(|count| count / 2);
        }
    }

    /// The answer for a position, as far as it is remembered or the plies do not suffice.
    fn remembered(&self, node: &Node, question: Question) -> Option<bool> {
        let known = node.key.and_then(|key| self.table.answer(key, node.worst, node.best));
        if known.is_some() || question.plies == TO_THE_END {
            return known;
        }
        // Wins at once are seen without a search. A defender who is not threatened lasts for two plies.
        let quiet = node.points == self.rules.empty(&node.board);
        let least = if node.board.color == question.attacker || !quiet { 1 } else { 2 };
        let failed = node.key.map_or(0, |key| self.failed.failed_plies(key, node.worst));
        (question.plies <= least.max(failed)).then_some(false)
    }

    fn remember(&mut self, node: &Node, question: Question, answer: bool) {
        let Some(key) = node.key else { return };
        if answer {
            self.table.put_won(key, node.worst);
        } else if question.plies == TO_THE_END {
            self.table.put_not_won(key, node.best);
        } else {
            self.failed.put_failed(key, node.best, question.plies);
        }
    }
}

// Short wins first: the same search with a limit of plies that grows.
//
// A win that needs few plies is found long before a search without a limit comes to it, because such
// a search follows its first moves to the end of the game. What is not won within a limit says nothing
// about the value.

/// The longest wins that are looked for in this way.
const LONGEST: u32 = 21;

/// Positions that may be looked at before they are given up.
const MOST_NODES: u64 = 4_000_000;

impl Solver {
    /// Whether a color is found to win within a growing number of plies.
    pub(super) fn wins_soon(&mut self, board: &SmallBoard, color: u8) -> Result<bool, Spent> {
        let odd = u32::from(board.color != color);
        let limits = (1..=LONGEST).step_by(2).map(|plies| plies + odd);
        let found = self.for_a_while(|solver| {
            for plies in limits {
                if solver.wins_within(board, color, plies)? {
                    return Ok(Some(()));
                }
            }
            Ok(None)
        })?;
        Ok(found.is_some())
    }

    /// The move of a color that wins soonest, if one is found.
    pub(super) fn shortest(
        &mut self,
        board: &SmallBoard,
        color: u8,
        moves: &[u32],
    ) -> Result<Option<u32>, Spent> {
        self.for_a_while(|solver| {
            for plies in (2..LONGEST).step_by(2) {
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

    /// Looks for something until a number of positions is spent; nothing is found then.
    fn for_a_while<T>(
        &mut self,
        look: impl FnOnce(&mut Solver) -> Result<Option<T>, Spent>,
    ) -> Result<Option<T>, Spent> {
        let (whole, enough) = (self.budget.nodes, self.nodes() + MOST_NODES);
        if whole.is_some_and(|whole| whole <= enough) {
            return look(self);
        }
        self.budget.nodes = Some(enough);
        let found = look(self);
        self.budget.nodes = whole;
        if self.is_late() { found } else { found.or(Ok(None)) }
    }
}

// A position of a search, with what is seen of it at once.

/// An open position that is not decided at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub board: SmallBoard,
    /// The moves that are worth a look: the others lose at once.
    pub points: u64,
    /// The points where each color would capture.
    pub captures: [u64; 2],
    /// The stones that are never captured.
    pub safe: u64,
    /// What results are kept under; none while an opening limits where stones go.
    pub key: Option<Key>,
    /// Counts that have the same answer as those of the board, and so have all between: the worst for
    /// the color that asks, and the best.
    pub worst: Counts,
    pub best: Counts,
    /// The places where the color that asks may yet capture.
    pub exposed: u32,
    /// The point of the move that led here, and how early it is looked at.
    pub bit: u8,
    pub rank: i32,
}

impl SmallRules {
    /// A look at an open position: whether the attacker wins, if that is seen at once, or what a search
    /// starts from.
    ///
    /// A color that can win at once does. One that is threatened with a win at once either takes the
    /// point, if it is the only one, or captures; every other move loses. A color that can form no line
    /// and capture too little, even with help, does not win.
    pub(super) fn look(&self, board: &SmallBoard, attacker: u8) -> Result<Node, bool> {
        let mover = usize::from(board.color & 1);
        let limited = board.placed() < self.limited_stones();
        let (wins, mine) = self.wins(board, mover);
        let (threats, theirs) = self.wins(board, 1 - mover);
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
        let counts = Counts::of(board, attacker);
        let mut node = Node {
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
        if !limited && !self.settle(&mut node, attacker) {
            return Err(false);
        }
        Ok(node)
    }

    /// Fills in what follows from what is settled; whether the attacker may still win.
    fn settle(&self, node: &mut Node, attacker: u8) -> bool {
        let own = usize::from(attacker & 1);
        let settled = self.settled(&node.board);
        if !settled.may_win(&node.board, own, self.goal) {
            return false;
        }
        // Counts that can no longer come to the goal are as good as any other that cannot.
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
        node.key = Some(Key::new(self.least_image(stones), attacker, node.board.color));
        node.safe = settled.safe;
        node.exposed = settled.chances[own].groups;
        true
    }
}

// The order in which moves are looked at.

/// Moves with what it is worth to look at them early, the best ones first.
pub(super) struct Moves {
    list: [(i32, u8); 64],
    count: usize,
}

impl Moves {
    /// The bits of their points, and what they are worth.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, i32)> {
        self.list[..self.count].iter().map(|&(worth, bit)| (bit.into(), worth))
    }
}

impl SmallRules {
    /// Moves, those first that matter most to the lines and captures of the attacker, who has to
    /// make something of the game.
    pub(super) fn ranked(&self, node: &Node, attacker: u8) -> Moves {
        let Node { ref board, points, captures, safe, .. } = *node;
        let (attacker, mover) = (usize::from(attacker & 1), usize::from(board.color & 1));
        let (own, enemy) = (board.stones[attacker], board.stones[1 - attacker]);
        let mut worth = [0i32; 64];
        // Each stone of a line doubles what it is worth; one that can still be captured from it
        // makes it a quarter (Erdős and Selfridge, "On a combinatorial game", 1973).
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
            // A capture that comes to be threatened, and one that is suffered.
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
        let mut moves = Moves { list: [(0, 0); 64], count: 0 };
        for bit in bits(points) {
            moves.list[moves.count & 63] = (worth[bit as usize & 63], bit as u8);
            moves.count += 1;
        }
        moves.list[..moves.count].sort_unstable_by(|one, two| two.cmp(one));
        moves
    }
}

/// Adds to the worth of all points of a set.
fn add(worth: &mut [i32; 64], points: u64, value: i32) {
    for bit in bits(points) {
        worth[bit as usize & 63] += value;
    }
}

// What can be said of a position without a search: stones that nobody can capture any more, how many
// stones a color can still capture, who can still win, and stones that no longer matter.
//
// A stone is **safe** if every group that it could be captured with is closed: a safe stone of the
// enemy lies between, or a safe stone of its own color is a bracket, or both brackets are safe stones
// of the enemy, so that none of them is ever placed. The safe stones are the greatest set of which this
// holds. The first of them to be captured would need another one gone, so none ever is; the argument
// is that of Benson for Go ("Life in the game of Go", 1976).
//
// A color captures a group only by placing one of its brackets while the other one stands, and the
// points between are empty then. As long as the enemy captures nothing, brackets stay, and no stone
// of a color can come to stand between them and be captured there. So it captures each group once at
// most, and of two groups along one line, each with a bracket between those of the other, only one.

/// What is settled in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    /// The stones that are never captured.
    pub safe: u64,
    /// The safe stones whose color matters to no line and no capture any more.
    pub idle: u64,
    /// By color.
    pub chances: [Chances; 2],
}

/// What a color may still achieve, if the other helps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chances {
    /// Whether there is room for a line.
    pub line: bool,
    /// The places where it may capture.
    pub groups: u32,
    /// The most stones that it captures while none of its own are captured.
    captures: u32,
    /// The points of its lines, and of its groups with their brackets.
    live: u64,
}

impl Settled {
    /// The most stones that a color may still capture in the position, if there is a bound.
    pub(super) fn most_captures(&self, board: &SmallBoard, color: usize, goal: u8) -> Option<u32> {
        let enemy = 1 - color;
        // A capture of the enemy that wins ends the game: it opens nothing.
        let spared = self.chances[enemy].groups == 0 || board.captured[enemy] + 2 >= goal;
        let captures = self.chances[color].captures;
        (captures == 0 || spared).then_some(captures)
    }

    /// Whether a color can still win, if the other helps.
    pub(super) fn may_win(&self, board: &SmallBoard, color: usize, goal: u8) -> bool {
        let needed = u32::from(goal - board.captured[color]);
        self.chances[color].line
            || goal > 0 && self.most_captures(board, color, goal).is_none_or(|most| most >= needed)
    }
}

impl SmallRules {
    /// What is settled in a position.
    pub(super) fn settled(&self, board: &SmallBoard) -> Settled {
        let safe = self.safe_stones(board);
        let chances = [0, 1].map(|color| self.chances(board, safe, color));
        let idle = safe & !(chances[0].live | chances[1].live);
        Settled { safe, idle, chances }
    }

    fn chances(&self, board: &SmallBoard, safe: u64, color: usize) -> Chances {
        let mut chances = Chances::default();
        // A color never comes to points with safe stones of the other.
        let open = self.full & !(board.stones[1 - color] & safe);
        for step in STEPS {
            let lines = runs(open, step, self.line);
            chances.line |= lines != 0;
            chances.live |= spread(lines, step, self.line);
        }
        let (prey, taken) = (self.full & !safe, board.stones[color] & safe);
        for length in 2..=self.longest_group {
            for step in STEPS {
                let lowest = groups(open, taken, prey, step, length);
                chances.groups += lowest.count_ones();
                chances.captures += length * apart(lowest, step, length);
                chances.live |= spread(lowest, step, length + 2);
            }
        }
        chances
    }

    /// The stones that are never captured.
    fn safe_stones(&self, board: &SmallBoard) -> u64 {
        let mut safe = board.stones[0] | board.stones[1];
        if self.longest_group == 0 {
            return safe;
        }
        loop {
            let mut exposed = 0;
            for color in 0..2 {
                let own = board.stones[color] & safe;
                let enemy = board.stones[1 - color] & safe;
                let (open, prey) = (self.full & !own, self.full & !enemy);
                for length in 2..=self.longest_group {
                    for step in STEPS {
                        let lowest = groups(open, enemy, prey, step, length);
                        exposed |= own & spread(lowest << step, step, length);
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

/// The lowest brackets of the groups that may be captured: both brackets are open to the color that
/// captures and not both taken by it for good, and the points between may hold its prey.
#[inline]
fn groups(open: u64, taken: u64, prey: u64, step: u32, length: u32) -> u64 {
    let other = step * (length + 1);
    let between = runs(prey, step, length) >> step;
    open & open >> other & between & !(taken & taken >> other)
}

/// How many of the groups can be captured if none leaves room for those that begin up to its length
/// higher on the line: a bracket of each lies between those of the other.
fn apart(mut lowest: u64, step: u32, length: u32) -> u32 {
    let mut count = 0;
    while lowest != 0 {
        let nearer = (1..=length).fold(0, |points, n| points | lowest << (step * n));
        let first = lowest & !nearer;
        count += first.count_ones();
        lowest &= !spread(first, step, length + 1);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Value;
    use pentarch_core::placement::Position;

    /// What is settled at any time holds to the end of a game in which both colors like to capture.
    #[test]
    fn what_is_settled_stays_so() {
        let mut rng = fastrand::Rng::with_seed(23);
        let mut bounded = 0;
        for spec in ["pente+size=5", "keryo-pente+size=5", "ninuki+size=6", "pente+size=7"] {
            let start = Position::new(spec.parse().unwrap());
            let rules = SmallRules::new(start.rules()).unwrap();
            for _ in 0..1500 {
                let mut board = rules.board(&start);
                let mut settled = Vec::new();
                let end = loop {
                    let now = rules.settled(&board);
                    settled.push((board, now));
                    let captures = rules.captures(&board, usize::from(board.color));
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
                        let won = end == Value::win(color);
                        assert!(!won || now.may_win(&then, color, rules.goal), "{spec} {then:?}");
                    }
                }
            }
        }
        assert!(bounded > 100, "{bounded}");
    }
}
