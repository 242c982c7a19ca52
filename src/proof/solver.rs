//! The search: whether a value is reached, by alpha-beta over everything that can be played.

use super::rules::{SmallBoard, SmallRules, Value};
use super::safety::Settled;
use super::table::{Bounds, Table};
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
/// Short wins of either color are looked for first. What has none is found by two questions with two
/// answers each: does the first color win, and if not, does it at least draw. Each is a full search: a side that has to
/// show something needs one move, the other is granted all of its moves. What is left out is left out
/// for a reason that holds for sure:
///
/// - A side that can win at once does. One that is threatened with a win at once either takes the
///   point, if it is the only one, or captures; every other move loses.
/// - A color that can form no line and capture nothing any more, even with help, does not win; see the
///   module `safety`.
/// - Images of a position under rotation and reflection have its value, and so have positions that
///   differ only in the color of stones that no line and no capture can come to depend on.
///
/// The search takes positions as bits. What it finds can be written down as a strategy, which is
/// checked by the rules themselves, move by move: see [`strategies`](super::strategies).
#[derive(Debug)]
pub struct Solver {
    rules: SmallRules,
    table: Table,
    budget: Budget,
    nodes: u64,
    /// What was not won within a number of plies.
    failed: Table,
    /// How often a stone on a point settled a position, by color.
    history: [[u32; 64]; 2],
}

/// A move with what it is worth to look at it early.
type Ranked = (i32, u8);

/// The moves of a position.
pub(super) struct Moves {
    list: [Ranked; 64],
    count: usize,
}

/// Nodes between looks at the clock.
const CLOCK_NODES: u64 = 1 << 14;

/// Positions with that many empty points look for a known move before any is searched.
const LOOK_AHEAD: u32 = 8;

impl Solver {
    /// A solver with a table of that many MiB.
    pub fn new(rules: SmallRules, mebibytes: usize, budget: Budget) -> Solver {
        // Short wins need less room than whole games.
        let (table, failed) = (Table::new(mebibytes), Table::new((mebibytes / 4).max(1)));
        Solver { rules, table, failed, budget, nodes: 0, history: [[0; 64]; 2] }
    }

    /// The rules.
    pub fn rules(&self) -> &SmallRules {
        &self.rules
    }

    /// The positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of an open position.
    pub fn value(&mut self, board: &SmallBoard) -> Result<Value, Spent> {
        if self.wins_soon(board, 0)? {
            return Ok(Value::First);
        }
        self.forget_failures();
        if self.wins_soon(board, 1)? {
            return Ok(Value::Second);
        }
        Ok(if self.reaches(board, Value::First)? {
            Value::First
        } else if self.reaches(board, Value::Draw)? {
            Value::Draw
        } else {
            Value::Second
        })
    }

    /// Whether the value of an open position is the goal or better for the first color.
    pub fn reaches(&mut self, board: &SmallBoard, goal: Value) -> Result<bool, Spent> {
        self.count_node()?;
        let mover = usize::from(board.color & 1);
        // The first color wants the answer to be yes.
        let wanted = mover == 0;
        let Some(points) = self.forced_points(board) else {
            let (wins, _) = self.rules.wins(board, mover);
            return Ok((wins != 0) == wanted);
        };
        let settled = self.rules.settled(board);
        let key = self.key(board, &settled);
        if let Some(known) = self.bounds(&key, &settled).reaches(goal) {
            return Ok(known);
        }
        let moves = self.ranked(board, points, &settled, goal);
        let reached = if self.has_known_move(board, &moves, goal, wanted) {
            wanted
        } else {
            self.search_moves(board, &moves, goal, wanted)?
        };
        self.learn(&key, &settled, goal, reached);
        Ok(reached)
    }

    /// The points where the mover has to look; none if he wins at once or cannot stop the other from
    /// doing so.
    pub(super) fn forced_points(&self, board: &SmallBoard) -> Option<u64> {
        let points = self.rules.legal(board);
        if board.placed() < self.rules.limited_stones() {
            return Some(points);
        }
        let mover = usize::from(board.color & 1);
        let (wins, captures) = self.rules.wins(board, mover);
        if wins != 0 {
            return None;
        }
        let (threats, _) = self.rules.wins(board, 1 - mover);
        let points = match threats.count_ones() {
            0 => points,
            1 => captures | threats,
            _ => captures,
        };
        (points != 0).then_some(points)
    }

    /// What is known of a position: by its table entry, and by what is settled.
    pub(super) fn bounds(&self, key: &SmallBoard, settled: &Settled) -> Bounds {
        let mut bounds = self.table.get(key);
        if !settled.may_win[0] {
            bounds = bounds.with(Value::First, false);
        }
        if !settled.may_win[1] {
            bounds = bounds.with(Value::Draw, true);
        }
        bounds
    }

    /// Remembers whether a position reaches a goal.
    pub(super) fn learn(
        &mut self,
        key: &SmallBoard,
        settled: &Settled,
        goal: Value,
        reached: bool,
    ) {
        let bounds = self.bounds(key, settled).with(goal, reached);
        self.table.put(key, bounds);
    }

    /// Whether a position was not won within that many plies or more.
    pub(super) fn has_failed(&self, key: &SmallBoard, plies: u32) -> bool {
        self.failed.number(key) > u64::from(plies / 2)
    }

    /// Remembers that a position was not won within that many plies.
    pub(super) fn fail(&mut self, key: &SmallBoard, plies: u32) {
        self.failed.put_number(key, u64::from(plies / 2 + 1).min(15));
    }

    /// Forgets what was not won soon, which is true of one color alone.
    pub(super) fn forget_failures(&mut self) {
        self.failed.clear();
    }

    /// Counts a position and looks at the limits.
    pub(super) fn count_node(&mut self) -> Result<(), Spent> {
        self.nodes += 1;
        let spent = self.budget.nodes.is_some_and(|nodes| self.nodes > nodes)
            || self.nodes.is_multiple_of(CLOCK_NODES)
                && self.budget.until.is_some_and(|end| Instant::now() >= end);
        if spent { Err(Spent) } else { Ok(()) }
    }

    /// Plays one move after the other until one brings the answer that the mover wants.
    fn search_moves(
        &mut self,
        board: &SmallBoard,
        moves: &Moves,
        goal: Value,
        wanted: bool,
    ) -> Result<bool, Spent> {
        for &(_, bit) in moves.iter() {
            let (next, end) = self.rules.play(board, bit.into());
            let reached = match end {
                Some(value) => value >= goal,
                None => self.reaches(&next, goal)?,
            };
            if reached == wanted {
                self.reward(board, bit.into());
                return Ok(wanted);
            }
        }
        Ok(!wanted)
    }

    /// Whether a move is known to bring the answer that the mover wants.
    fn has_known_move(&self, board: &SmallBoard, moves: &Moves, goal: Value, wanted: bool) -> bool {
        let many = self.rules.empty(board).count_ones() >= LOOK_AHEAD;
        many && moves.iter().any(|&(_, bit)| self.known(board, bit.into(), goal) == Some(wanted))
    }

    /// Whether the goal is reached after a move, if that is known without a search.
    pub(super) fn known(&self, board: &SmallBoard, bit: u32, goal: Value) -> Option<bool> {
        let (next, end) = self.rules.play(board, bit);
        if let Some(value) = end {
            return Some(value >= goal);
        }
        let settled = self.rules.settled(&next);
        self.table.get(&self.key(&next, &settled)).reaches(goal)
    }

    /// The position under which results are kept: stones whose color no longer matters are of both.
    pub(super) fn key(&self, board: &SmallBoard, settled: &Settled) -> SmallBoard {
        let stones = board.stones.map(|stones| stones | settled.idle);
        self.rules.canonical(&SmallBoard { stones, ..*board })
    }

    pub(super) fn reward(&mut self, board: &SmallBoard, bit: u32) {
        let history = &mut self.history[usize::from(board.color & 1)];
        history[bit as usize & 63] += self.rules.empty(board).count_ones();
        if history[bit as usize & 63] > 1 << 18 {
            *history = history.map(|count| count / 2);
        }
    }

    /// The moves, those first that matter most to the lines and captures of the side that has to
    /// make something of the game.
    pub(super) fn ranked(
        &self,
        board: &SmallBoard,
        points: u64,
        settled: &Settled,
        goal: Value,
    ) -> Moves {
        let attacker = usize::from(goal != Value::First);
        let mover = usize::from(board.color & 1);
        let (own, enemy) = (board.stones[attacker], board.stones[1 - attacker]);
        let mut worth = [0i32; 64];
        // Each stone of a line doubles what it is worth; one that can still be captured from it
        // makes it a quarter (Erdős and Selfridge, "On a combinatorial game", 1973).
        for &line in self.rules.lines() {
            if line & enemy & settled.safe == 0 {
                let stones = (line & own).count_ones();
                let line_worth = (80 << stones) >> (2 * (line & enemy).count_ones());
                add(&mut worth, line & points, line_worth);
            }
        }
        let captures = [0, 1].map(|color| self.rules.captures(board, color));
        let empty = self.rules.empty(board);
        for group in self.rules.segments() {
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
        let mut left = points;
        while left != 0 {
            let bit = left.trailing_zeros() as u8;
            left &= left - 1;
            let settled_before = (self.history[mover][usize::from(bit & 63)] / 51) as i32;
            moves.list[moves.count & 63] = (worth[usize::from(bit & 63)] + settled_before, bit);
            moves.count += 1;
        }
        moves.list[..moves.count].sort_unstable_by(|one, two| two.cmp(one));
        moves
    }

    /// The legal moves in the order in which the search would try them.
    pub(super) fn in_turn(&self, board: &SmallBoard, goal: Value) -> Vec<u32> {
        let settled = self.rules.settled(board);
        let moves = self.ranked(board, self.rules.legal(board), &settled, goal);
        moves.bits().collect()
    }
}

impl Moves {
    fn iter(&self) -> impl Iterator<Item = &Ranked> {
        self.list[..self.count].iter()
    }

    /// The bits of their points.
    pub(super) fn bits(&self) -> impl Iterator<Item = u32> {
        self.iter().map(|&(_, bit)| bit.into())
    }
}

/// Adds to the worth of all points of a set.
fn add(worth: &mut [i32; 64], points: u64, value: i32) {
    let mut left = points;
    while left != 0 {
        worth[left.trailing_zeros() as usize & 63] += value;
        left &= left - 1;
    }
}
