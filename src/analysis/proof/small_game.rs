//! Rules and positions of small games as bitboards.

use pentarch_core::rules::RuleTier;

use pentarch_core::board::Grid;
use pentarch_core::game::{Cell, Color};
use pentarch_core::placement::Position;
use pentarch_core::rules::{CaptureRule, OpeningRule, SquareRules};

/// The number of bits of a row.
const STRIDE: u32 = 8;

/// The steps of the four directions of lines. At least one column is unused, so that a line cannot
/// wrap around the edge.
pub(super) const STEPS: [u32; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];

/// The maximum side of a [`SmallRules`] board.
pub const MAX_SIDE: u8 = 7;

/// The maximum capture goal: counts below it fit into four bits.
const MAX_CAPTURE_GOAL: u16 = 16;

/// Why the solver does not support a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsupportedGame {
    /// The board is too large.
    #[error("boards of up to 7x7 points can be proved, this one has {0}")]
    Size(Grid),
    /// The rules are too complex.
    #[error("only games of two players, plain stones, pairs and threes, and lines can be proved")]
    Rules,
    /// Overlines fit the board and do not win.
    #[error("games in which longer lines do not win can be proved only where none fits the board")]
    Overline,
    /// Captures do not win, so positions may repeat.
    #[error("a game in which captures never win may repeat positions, and cannot be proved")]
    Repetition,
    /// The capture goal is too high for the table.
    #[error(
        "games up to a goal of {MAX_CAPTURE_GOAL} captured stones can be proved, this one has {0}"
    )]
    Goal(u16),
    /// The ply cap could end a game.
    #[error("a cap of {0} plies may end this game early, so it cannot be proved")]
    PlyCap(u32),
}

/// The rules of a small game.
#[derive(Clone, Debug)]
pub struct SmallRules {
    grid: Grid,
    opening: OpeningRule,
    limited_stones: u32,
    /// All points of the board.
    pub(super) full: u64,
    pub(super) line: u32,
    /// The maximum size of a captured group: 0 without captures, 2 for pairs, 3 for pairs and
    /// threes.
    pub(super) max_group: u32,
    /// The capture goal.
    pub(super) goal: u8,
    lines: Vec<u64>,
    /// By bit: the groups that a stone there may capture. `brackets` is the other end.
    pub(super) groups: Vec<Vec<CaptureGroup>>,
    segments: Vec<CaptureGroup>,
}

/// A group of points in a row that may be captured together.
#[derive(Clone, Copy, Debug)]
pub(super) struct CaptureGroup {
    /// The captured points.
    pub inner: u64,
    /// The points at both ends; in `groups`, only the other end.
    pub brackets: u64,
}

/// Returns the lowest points of all runs of that length in a set, in one direction.
#[inline]
pub(super) fn run_starts(set: u64, step: u32, length: u32) -> u64 {
    (1..length).fold(set, |runs, distance| runs & set >> (step * distance))
}

/// Returns the points of the runs of that length with these lowest points.
pub(super) fn run_points(lowest: u64, step: u32, length: u32) -> u64 {
    (1..length).fold(lowest, |points, distance| points | lowest << (step * distance))
}

/// Iterates over the bits of a set, the lowest first.
#[inline]
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit)
    })
}

impl SmallRules {
    /// Creates the rules of a game, if it is supported.
    pub fn new(rules: &SquareRules) -> Result<SmallRules, UnsupportedGame> {
        let grid = rules.grid();
        if grid.columns().max(grid.rows()) > MAX_SIDE {
            return Err(UnsupportedGame::Size(grid));
        }
        let capture = rules.capture();
        let max_group = capture.map_or(0, CaptureRule::longest_group);
        if rules.tier() != RuleTier::Plain || max_group > 3 {
            return Err(UnsupportedGame::Rules);
        }
        let line = rules.line();
        if line.exact() && line.length() < grid.columns().max(grid.rows()) {
            return Err(UnsupportedGame::Overline);
        }
        let goal =
            capture.map_or(Some(0), |capture| capture.goal).ok_or(UnsupportedGame::Repetition)?;
        if goal > MAX_CAPTURE_GOAL {
            return Err(UnsupportedGame::Goal(goal));
        }
        // Each ply places a stone, and every removed stone is counted.
        let longest_game = grid.cells() as u32 + 2 * u32::from(goal);
        if rules.max_plies() <= longest_game {
            return Err(UnsupportedGame::PlyCap(rules.max_plies()));
        }
        let mut small = SmallRules {
            grid,
            opening: rules.opening(),
            limited_stones: rules.limited_stones(),
            full: grid.iter().map(|cell| bit(grid, cell)).sum(),
            line: line.length().into(),
            max_group: max_group.into(),
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
            let lowest = bits(run_starts(self.full, step, self.line));
            self.lines.extend(lowest.map(|bit| run_points(1 << bit, step, self.line)));
        }
    }

    fn list_groups(&mut self) {
        for length in 2..=self.max_group {
            for step in STEPS {
                for near in bits(run_starts(self.full, step, length + 2)) {
                    let far = near + step * (length + 1);
                    let inner = run_points(1 << (near + step), step, length);
                    self.groups[near as usize].push(CaptureGroup { inner, brackets: 1 << far });
                    self.groups[far as usize].push(CaptureGroup { inner, brackets: 1 << near });
                    self.segments.push(CaptureGroup { inner, brackets: 1 << near | 1 << far });
                }
            }
        }
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The number of stones before which an opening rule may restrict where they go.
    pub(super) fn limited_stones(&self) -> u32 {
        self.limited_stones
    }

    /// All winning lines.
    pub(super) fn lines(&self) -> &[u64] {
        &self.lines
    }

    /// All places where stones can be captured.
    pub(super) fn segments(&self) -> &[CaptureGroup] {
        &self.segments
    }

    /// Converts a position to bitboards.
    pub fn board(&self, position: &Position) -> SmallBoard {
        let of = |color: u8| {
            let own = |cell: &Cell| position.stone(*cell) == Some(Color(color));
            position.grid().iter().filter(own).map(|cell| bit(self.grid, cell)).sum()
        };
        SmallBoard {
            stones: [of(0), of(1)],
            captured: [0, 1].map(|color| position.captures(Color(color)) as u8),
            color: pentarch_core::game::Position::color_to_move(position).0,
        }
    }

    /// Returns the bits of a set, column by column and upward in a column.
    pub(super) fn in_order(&self, points: u64) -> Vec<u32> {
        let (columns, rows) = (u32::from(self.grid.columns()), u32::from(self.grid.rows()));
        let bits = (0..columns).flat_map(|column| (0..rows).map(move |row| row * STRIDE + column));
        bits.filter(|bit| points >> bit & 1 != 0).collect()
    }

    /// Returns the cell of a bit.
    pub fn cell(&self, bit: u32) -> Cell {
        self.grid.at((bit % STRIDE) as u8, (bit / STRIDE) as u8)
    }

    /// Returns the empty points.
    #[inline]
    pub fn empty(&self, board: &SmallBoard) -> u64 {
        self.full & !(board.stones[0] | board.stones[1])
    }

    /// Returns the points where the color to move may play.
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

    /// Returns the board after a move, and the value if the game is over.
    #[inline]
    pub fn play(&self, board: &SmallBoard, bit: u32) -> (SmallBoard, Option<GameValue>) {
        let mover = usize::from(board.color & 1);
        let mut next = *board;
        next.color ^= 1;
        next.stones[mover] |= 1 << bit;
        for taken in self.captured_groups(board, mover, bit) {
            next.stones[1 - mover] &= !taken;
            next.captured[mover] += taken.count_ones() as u8;
        }
        let own = next.stones[mover];
        let has_line = STEPS.iter().any(|&step| run_starts(own, step, self.line) != 0);
        if has_line || self.goal > 0 && next.captured[mover] >= self.goal {
            return (next, Some(GameValue::win(mover)));
        }
        (next, (self.empty(&next) == 0).then_some(GameValue::Draw))
    }

    /// Returns the groups that a stone of a color captures.
    #[inline]
    pub(super) fn captured_groups(
        &self,
        board: &SmallBoard,
        color: usize,
        bit: u32,
    ) -> impl Iterator<Item = u64> {
        let (own, enemy) = (board.stones[color], board.stones[1 - color]);
        let groups = self.groups[bit as usize & 63].iter();
        let taken = move |group: &&CaptureGroup| {
            enemy & group.inner == group.inner && own & group.brackets != 0
        };
        groups.filter(taken).map(|group| group.inner)
    }
}

/// Returns the bit of a cell.
pub(super) fn bit(grid: Grid, cell: Cell) -> u64 {
    1 << (u32::from(grid.row(cell)) * STRIDE + u32::from(grid.column(cell)))
}

/// A position of a small game: stones and captures by color, and the color to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SmallBoard {
    /// The stones of each color.
    pub stones: [u64; 2],
    /// The captures of each color.
    pub captured: [u8; 2],
    /// The color to move, 0 or 1.
    pub color: u8,
}

/// The value of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i8)]
pub enum GameValue {
    /// The second player wins.
    Second = -1,
    /// The game is drawn.
    Draw = 0,
    /// The first player wins.
    First = 1,
}

impl GameValue {
    /// Returns the value of a win of a color.
    pub const fn win(color: usize) -> GameValue {
        if color == 0 { GameValue::First } else { GameValue::Second }
    }
}

impl SmallBoard {
    /// Returns the number of stones placed, if none was set up.
    pub(super) fn placed(&self) -> u32 {
        let stones = (self.stones[0] | self.stones[1]).count_ones();
        stones + u32::from(self.captured[0]) + u32::from(self.captured[1])
    }
}

impl SmallRules {
    /// Returns the least image of a board under the symmetries of its grid, or the board itself
    /// while an opening rule may restrict where stones go.
    #[inline]
    pub(super) fn canonical(&self, board: &SmallBoard) -> SmallBoard {
        if board.placed() < self.limited_stones() {
            return *board;
        }
        SmallBoard { stones: self.least_image(board.stones), ..*board }
    }

    /// Returns the least image of stones.
    #[inline]
    pub(super) fn least_image(&self, original: [u64; 2]) -> [u64; 2] {
        let (columns, rows) = (u32::from(self.grid().columns()), u32::from(self.grid().rows()));
        let mut least = original;
        let transpositions = if columns == rows { 2 } else { 1 };
        for turned in 0..transpositions {
            let mut stones = original;
            if turned == 1 {
                stones = stones.map(transpose);
            }
            for _ in 0..2 {
                let mirrored = stones.map(|set| mirror(set) >> (8 - columns));
                least = least.min(stones).min(mirrored);
                stones = stones.map(|set| set.swap_bytes() >> (8 * (8 - rows)));
            }
        }
        least
    }
}

/// Reverses each row of eight bits.
const fn mirror(set: u64) -> u64 {
    const PAIRS: u64 = 0x5555_5555_5555_5555;
    const FOURS: u64 = 0x3333_3333_3333_3333;
    const EIGHTS: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let set = (set >> 1 & PAIRS) | (set & PAIRS) << 1;
    let set = (set >> 2 & FOURS) | (set & FOURS) << 2;
    (set >> 4 & EIGHTS) | (set & EIGHTS) << 4
}

/// Transposes eight by eight bits.
const fn transpose(set: u64) -> u64 {
    let fours = 0x0f0f_0f0f_0000_0000 & (set ^ set << 28);
    let set = set ^ fours ^ fours >> 28;
    let pairs = 0x3333_0000_3333_0000 & (set ^ set << 14);
    let set = set ^ pairs ^ pairs >> 14;
    let singles = 0x5500_5500_5500_5500 & (set ^ set << 7);
    set ^ singles ^ singles >> 7
}

/// One of the eight directions of a line.
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

    /// Returns the points from which a point of the set is `distance` steps along the ray.
    #[inline]
    const fn before(self, set: u64, distance: u32) -> u64 {
        let shift = self.step * distance;
        if self.forward { set >> shift } else { set << shift }
    }
}

impl SmallRules {
    /// Returns the empty points where a stone of a color wins at once, and those where it captures.
    #[inline]
    pub(super) fn winning_and_capturing_points(
        &self,
        board: &SmallBoard,
        color: usize,
    ) -> (u64, u64) {
        let empty = self.empty(board);
        let mut wins = empty & self.line_completions(board.stones[color]);
        let captures = self.capturing_points(board, color);
        // A stone captures in at most eight directions.
        let most = 8 * self.max_group as u8;
        if board.captured[color] + most >= self.goal {
            for bit in bits(captures) {
                let gain: u32 = self.captured_groups(board, color, bit).map(u64::count_ones).sum();
                if board.captured[color] + gain as u8 >= self.goal {
                    wins |= 1 << bit;
                }
            }
        }
        (wins, captures)
    }

    /// Returns the points that complete a line of the set.
    #[inline]
    fn line_completions(&self, own: u64) -> u64 {
        let mut gaps = 0;
        for step in STEPS {
            // By length: the points with a run of at least that length behind them, and before
            // them.
            let mut behind = [!0; MAX_SIDE as usize];
            let mut before = behind;
            for length in 1..self.line as usize {
                let shift = step * length as u32;
                behind[length] = behind[length - 1] & own << shift;
                before[length] = before[length - 1] & own >> shift;
            }
            for length in 0..self.line as usize {
                gaps |= behind[length] & before[self.line as usize - 1 - length];
            }
        }
        gaps
    }

    /// Returns the empty points where a stone of a color captures.
    #[inline]
    pub(super) fn capturing_points(&self, board: &SmallBoard, color: usize) -> u64 {
        if self.max_group == 0 {
            return 0;
        }
        let (own, enemy) = (board.stones[color], board.stones[1 - color]);
        let mut captures = 0;
        for ray in Ray::ALL {
            let two = ray.before(enemy, 1) & ray.before(enemy, 2);
            captures |= two & ray.before(own, 3);
            if self.max_group > 2 {
                captures |= two & ray.before(enemy, 3) & ray.before(own, 4);
            }
        }
        captures & self.empty(board)
    }
}
