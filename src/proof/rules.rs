//! Small boards as bits: the rules of games that can be proved, and what follows from them.

use crate::board::Grid;
use crate::game::{Cell, Color};
use crate::placement::Position;
use crate::rules::{Capture, Opening, SquareRules};

/// Bits from one row of a board to the next.
const STRIDE: u32 = 8;

/// The steps of the four directions of lines. At least one column is never used, so that a line
/// cannot go on at the other edge.
const STEPS: [u32; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];

/// The longest side of a [`SmallRules`] board.
pub const LONGEST_SIDE: u8 = 7;

/// The most captured stones that can be asked for: counts below it fit into four bits.
const HIGHEST_GOAL: u16 = 16;

/// Why a game is not for this search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSmall {
    /// Its board is too large.
    #[error("boards of up to 7x7 points can be proved, this one has {0}")]
    Size(Grid),
    /// It has rules that the bits do not know.
    #[error("only games of two players, plain stones, pairs and threes, and lines can be proved")]
    Rules,
    /// Runs that are too long do not win.
    #[error("games in which longer lines do not win can be proved only where none fits the board")]
    Overline,
    /// Nothing ends the captures.
    #[error("a game in which captures never win may go in circles, and is not proved")]
    Circles,
    /// More captured stones than the table can count.
    #[error("games up to a goal of {HIGHEST_GOAL} captured stones can be proved, this one has {0}")]
    Goal(u16),
    /// A cap that could end a game before the stones do.
    #[error("a cap of {0} plies may end this game early, and is not proved")]
    PlyCap(u32),
}

/// The rules of a small game.
#[derive(Clone, Debug)]
pub struct SmallRules {
    grid: Grid,
    opening: Opening,
    limited_stones: u32,
    /// Every point of the board.
    pub(super) full: u64,
    line: u32,
    /// The stones of the groups that are captured: none, pairs, or pairs and threes.
    longest_group: u32,
    /// Captured stones that win.
    goal: u8,
    lines: Vec<u64>,
    /// By bit: the groups that a stone there may capture, with the other bracket.
    groups: Vec<Vec<Group>>,
    segments: Vec<Group>,
}

/// Points in a row that may be captured together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The points between.
    pub inner: u64,
    /// The points at the ends; of a group that a given stone captures, the other end.
    pub brackets: u64,
}

/// A position of a small game: stones and captured stones by color, and the color to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SmallBoard {
    /// The stones of each color.
    pub stones: [u64; 2],
    /// The stones that each color has captured.
    pub captured: [u8; 2],
    /// The color to move, 0 or 1.
    pub color: u8,
}

/// How a game ends for the first color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i8)]
pub enum Value {
    /// The second player wins.
    Second = -1,
    /// Nobody wins.
    Draw = 0,
    /// The first player wins.
    First = 1,
}

impl Value {
    /// A win of a color.
    pub const fn win(color: usize) -> Value {
        if color == 0 { Value::First } else { Value::Second }
    }
}

/// One of the eight ways to look along a line.
#[derive(Clone, Copy, Debug)]
struct Ray {
    step: u32,
    forward: bool,
}

impl Ray {
    const ALL: [Ray; 8] = {
        let mut rays = [Ray { step: 0, forward: false }; 8];
        let mut index = 0;
        while index < 8 {
            rays[index] = Ray { step: STEPS[index / 2], forward: index % 2 == 0 };
            index += 1;
        }
        rays
    };

    /// The points from which a point of the set lies that many steps along the ray.
    #[inline]
    const fn before(self, set: u64, distance: u32) -> u64 {
        let shift = self.step * distance;
        if self.forward { set >> shift } else { set << shift }
    }
}

/// The lowest points of all runs of that length within a set, in one direction.
#[inline]
pub(super) fn runs(set: u64, step: u32, length: u32) -> u64 {
    (1..length).fold(set, |runs, distance| runs & set >> (step * distance))
}

/// The points of runs of that length that begin at the lowest points given.
pub(super) fn spread(lowest: u64, step: u32, length: u32) -> u64 {
    (1..length).fold(lowest, |points, distance| points | lowest << (step * distance))
}

impl SmallRules {
    /// The bits of a game, if it is one for this search.
    pub fn new(rules: &SquareRules) -> Result<SmallRules, NotSmall> {
        let grid = rules.grid();
        if grid.columns().max(grid.rows()) > LONGEST_SIDE {
            return Err(NotSmall::Size(grid));
        }
        let capture = rules.capture();
        let longest_group = capture.map_or(0, Capture::longest);
        if !rules.is_plain() || longest_group > 3 {
            return Err(NotSmall::Rules);
        }
        let line = rules.line();
        if line.exact() && line.length() < grid.columns().max(grid.rows()) {
            return Err(NotSmall::Overline);
        }
        let goal = capture.map_or(Some(0), |capture| capture.goal).ok_or(NotSmall::Circles)?;
        if goal > HIGHEST_GOAL {
            return Err(NotSmall::Goal(goal));
        }
        // Each ply puts a stone on the board, and every one that leaves it is counted.
        let longest_game = grid.cells() as u32 + 2 * u32::from(goal);
        if rules.max_plies() <= longest_game {
            return Err(NotSmall::PlyCap(rules.max_plies()));
        }
        let mut small = SmallRules {
            grid,
            opening: rules.opening(),
            limited_stones: rules.limited_stones(),
            full: grid.iter().map(|cell| bit(grid, cell)).sum(),
            line: line.length().into(),
            longest_group: longest_group.into(),
            goal: goal as u8,
            lines: Vec::new(),
            groups: vec![Vec::new(); 64],
            segments: Vec::new(),
        };
        small.list_lines();
        small.list_groups();
        Ok(small)
    }

    fn list_lines(&mut self) {
        for step in STEPS {
            let mut lowest = runs(self.full, step, self.line);
            while lowest != 0 {
                self.lines.push(spread(lowest & lowest.wrapping_neg(), step, self.line));
                lowest &= lowest - 1;
            }
        }
    }

    fn list_groups(&mut self) {
        for length in 2..=self.longest_group {
            for step in STEPS {
                let mut lowest = runs(self.full, step, length + 2);
                while lowest != 0 {
                    let near = lowest.trailing_zeros();
                    let far = near + step * (length + 1);
                    let inner = spread(1 << (near + step), step, length);
                    self.groups[near as usize].push(Group { inner, brackets: 1 << far });
                    self.groups[far as usize].push(Group { inner, brackets: 1 << near });
                    self.segments.push(Group { inner, brackets: 1 << near | 1 << far });
                    lowest &= lowest - 1;
                }
            }
        }
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The number of stones before which an opening may limit where they go.
    pub(super) fn limited_stones(&self) -> u32 {
        self.limited_stones
    }

    pub(super) fn line(&self) -> u32 {
        self.line
    }

    pub(super) fn longest_group(&self) -> u32 {
        self.longest_group
    }

    /// Every winning line.
    pub(super) fn lines(&self) -> &[u64] {
        &self.lines
    }

    /// Every place where stones can be captured.
    pub(super) fn segments(&self) -> &[Group] {
        &self.segments
    }

    /// A position as bits.
    pub fn board(&self, position: &Position) -> SmallBoard {
        let of = |color: u8| {
            let own = |cell: &Cell| position.stone(*cell) == Some(Color(color));
            position.grid().iter().filter(own).map(|cell| bit(self.grid, cell)).sum()
        };
        SmallBoard {
            stones: [of(0), of(1)],
            captured: [0, 1].map(|color| position.captures(Color(color)) as u8),
            color: crate::game::Position::color_to_move(position).0,
        }
    }

    /// The bits of a set, column by column and upwards in a column.
    pub(super) fn in_order(&self, points: u64) -> Vec<u32> {
        let (columns, rows) = (u32::from(self.grid.columns()), u32::from(self.grid.rows()));
        let bits = (0..columns).flat_map(|column| (0..rows).map(move |row| row * STRIDE + column));
        bits.filter(|bit| points >> bit & 1 != 0).collect()
    }

    /// The cell of a bit.
    pub fn cell(&self, bit: u32) -> Cell {
        self.grid.at((bit % STRIDE) as u8, (bit / STRIDE) as u8)
    }

    /// The empty points.
    #[inline]
    pub fn empty(&self, board: &SmallBoard) -> u64 {
        self.full & !(board.stones[0] | board.stones[1])
    }

    /// The points where the color to move may place a stone.
    pub fn legal(&self, board: &SmallBoard) -> u64 {
        let placed = board.placed();
        if placed >= self.limited_stones {
            return self.empty(board);
        }
        let first = (board.stones[0] != 0).then(|| self.cell(board.stones[0].trailing_zeros()));
        let allowed = |cell: Cell| {
            let grid = self.grid;
            self.opening.check(grid, 2, placed, || first, cell).is_ok()
        };
        let open = self.grid.iter().filter(|&cell| allowed(cell));
        let allowed: u64 = open.map(|cell| bit(self.grid, cell)).sum();
        self.empty(board) & allowed
    }

    /// The board after a stone, and the value if that ends the game.
    #[inline]
    pub fn play(&self, board: &SmallBoard, bit: u32) -> (SmallBoard, Option<Value>) {
        let mover = usize::from(board.color & 1);
        let mut next = *board;
        next.color ^= 1;
        next.stones[mover] |= 1 << bit;
        for group in &self.groups[bit as usize & 63] {
            let taken = board.stones[1 - mover] & group.inner == group.inner;
            if taken && board.stones[mover] & group.brackets != 0 {
                next.stones[1 - mover] &= !group.inner;
                next.captured[mover] += group.inner.count_ones() as u8;
            }
        }
        let own = next.stones[mover];
        let has_line = STEPS.iter().any(|&step| runs(own, step, self.line) != 0);
        if has_line || self.goal > 0 && next.captured[mover] >= self.goal {
            return (next, Some(Value::win(mover)));
        }
        (next, (self.empty(&next) == 0).then_some(Value::Draw))
    }

    /// The empty points where a stone of a color would win at once, and those where it would capture.
    #[inline]
    pub(super) fn wins(&self, board: &SmallBoard, color: usize) -> (u64, u64) {
        let empty = self.empty(board);
        let own = board.stones[color];
        let mut wins = 0;
        for step in STEPS {
            for gap in 0..self.line {
                let below = (1..=gap).fold(empty, |cells, n| cells & own << (step * n));
                let above = 1..self.line - gap;
                wins |= above.fold(below, |cells, n| cells & own >> (step * n));
            }
        }
        let captures = self.captures(board, color);
        let mut left = captures;
        // No stone captures in more than eight directions.
        let most = 8 * self.longest_group as u8;
        if board.captured[color] + most < self.goal {
            left = 0;
        }
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            if board.captured[color] + self.gain(board, color, bit) >= self.goal {
                wins |= 1 << bit;
            }
        }
        (wins, captures)
    }

    /// The empty points where a stone of a color would capture.
    #[inline]
    pub(super) fn captures(&self, board: &SmallBoard, color: usize) -> u64 {
        if self.longest_group == 0 {
            return 0;
        }
        let (own, enemy) = (board.stones[color], board.stones[1 - color]);
        let mut captures = 0;
        for ray in Ray::ALL {
            let two = ray.before(enemy, 1) & ray.before(enemy, 2);
            captures |= two & ray.before(own, 3);
            if self.longest_group > 2 {
                captures |= two & ray.before(enemy, 3) & ray.before(own, 4);
            }
        }
        captures & self.empty(board)
    }

    /// The number of stones that a stone of a color would capture.
    fn gain(&self, board: &SmallBoard, color: usize, bit: u32) -> u8 {
        let (own, enemy) = (board.stones[color], board.stones[1 - color]);
        let taken =
            |group: &&Group| enemy & group.inner == group.inner && own & group.brackets != 0;
        let groups = self.groups[bit as usize & 63].iter().filter(taken);
        groups.map(|group| group.inner.count_ones() as u8).sum()
    }
}

impl SmallBoard {
    /// How many stones were placed before, if none was set up.
    pub(super) fn placed(&self) -> u32 {
        let stones = (self.stones[0] | self.stones[1]).count_ones();
        stones + u32::from(self.captured[0]) + u32::from(self.captured[1])
    }
}

/// The bit of a cell.
pub(super) fn bit(grid: Grid, cell: Cell) -> u64 {
    1 << (u32::from(grid.row(cell)) * STRIDE + u32::from(grid.column(cell)))
}

/// The steps of the four directions.
pub(super) const fn steps() -> [u32; 4] {
    STEPS
}
