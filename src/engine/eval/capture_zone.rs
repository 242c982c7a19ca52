//! Cells on which a stone changes what later moves capture.

use pentarch_core::board::{CENTER, LANE_LOW_BITS, RADIUS, SquareBoard, Windows};
use pentarch_core::game::{Cell, Color, Move, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::{CaptureRule, CapturedGroups};

/// Adds both ends of every group of a color that could be captured if the enemy stood at one end
/// and came to the other: a stone at either makes the other a capture.
pub(super) fn push_group_ends(
    board: &SquareBoard,
    capture: CaptureRule,
    color: Color,
    moves: &mut MoveList,
) {
    let grid = board.grid();
    for row in 0..grid.rows() {
        let mut stones = board.line(color, row) >> RADIUS;
        while stones != 0 {
            let cell = grid.at(stones.trailing_zeros() as u8, row);
            stones &= stones - 1;
            push_ends(board, capture, color, cell, moves);
        }
    }
}

/// Adds the free ends of the groups whose first stone, in the order of lines, is that cell's.
fn push_ends(
    board: &SquareBoard,
    capture: CaptureRule,
    color: Color,
    cell: Cell,
    moves: &mut MoveList,
) {
    let own = board.windows(color, cell).0;
    let taken = own | board.windows(color.opponent(), cell).0 | board.map().walls(cell).0;
    let free = |distance: u32| !taken >> (CENTER + distance);
    let stone = |distance: u32| own >> (CENTER + distance);
    let start = !taken >> (CENTER - 1) & stone(1) & LANE_LOW_BITS;
    for length in capture.lengths().map(u32::from) {
        let lanes = (2..length).fold(start, |group, n| group & stone(n)) & free(length);
        for direction in (0..4).filter(|direction| lanes >> (16 * direction) & 1 != 0) {
            let step = board.map().step(direction);
            for distance in [-1, length as i16] {
                moves.push(Move::stone(Cell((cell.0 as i16 + step * distance) as u16)));
            }
        }
    }
}

/// The free ends of the groups that would be of a length to be captured if a color had a stone on `cell` as
/// well: of those with that stone, and with each that lies in its windows.
pub(super) fn group_ends_in_sight(
    position: &Position,
    color: Color,
    cell: Cell,
) -> impl Iterator<Item = Cell> {
    let map = position.board().map();
    let freed = position.captured_by(color, cell);
    let others = map.cells_in(cell, position.board().windows(color, cell));
    std::iter::once(cell).chain(others).flat_map(move |stone| {
        let seen = |sum, other| sum | map.window_bit(stone, other);
        let freed = freed.cells(cell, map.steps()).fold(0, seen);
        group_ends(position, color, stone, seen(0, cell), freed)
    })
}

/// The free ends of the groups with a color's stone that are of a length to be captured, another one `placed`,
/// where at both ends there is nothing, or an enemy whose cell is to be `freed`.
fn group_ends(
    position: &Position,
    color: Color,
    stone: Cell,
    placed: u64,
    freed: u64,
) -> impl Iterator<Item = Cell> {
    let (board, map) = (position.board(), position.board().map());
    let windows = |color| board.windows(color, stone).0;
    let own = windows(color) | placed | LANE_LOW_BITS << CENTER;
    let enemy = windows(color.opponent());
    let closed = windows(Color::NEUTRAL) | map.walls(stone).0;
    let capture = position.rules().capture();
    (0..4).flat_map(move |direction| {
        let lane = |windows: u64| Windows(windows).lane(direction);
        let above = (lane(own) >> CENTER).trailing_ones();
        let below = (lane(own) << (u16::BITS - CENTER)).leading_ones();
        let mut lengths = capture.into_iter().flat_map(CaptureRule::lengths);
        let is_group = lengths.any(|length| u32::from(length) == above + below);
        let ends = 1 << (CENTER + above) | 1 << (CENTER - 1).saturating_sub(below);
        let is_open = is_group && lane(enemy & !freed | closed) & ends == 0;
        let free = if is_open { ends & !lane(enemy) } else { 0 };
        map.window_cells(stone, direction, free)
    })
}

/// Adds the empty cells on which an enemy stone would be captured, with others, by a stone of a
/// color on `cell`.
pub(super) fn push_capturable_cells(
    board: &SquareBoard,
    capture: CaptureRule,
    color: Color,
    cell: Cell,
    moves: &mut MoveList,
) {
    let own = board.windows(color, cell);
    let enemy = board.windows(color.opponent(), cell);
    let neutral = board.windows(Color::NEUTRAL, cell);
    let walls = Windows(board.map().walls(cell).0 | neutral.0);
    for ray in 0..8 {
        let (direction, sign) = (ray / 2, if ray % 2 == 0 { 1 } else { -1 });
        let has = |lane: u16, distance: i32| lane >> (CENTER as i32 + sign * distance) & 1 != 0;
        let lanes = [own, enemy, walls].map(|windows| windows.lane(direction));
        for length in capture.lengths().map(i32::from) {
            let within = 1..=length;
            let mut gaps = within.clone().filter(|&distance| !has(lanes[1], distance));
            let (Some(gap), None) = (gaps.next(), gaps.next()) else { continue };
            if has(lanes[0], length + 1) && !has(lanes[0] | lanes[2], gap) {
                let step = board.map().step(direction) * (sign * gap) as i16;
                moves.push(Move::stone(Cell((cell.0 as i16 + step) as u16)));
            }
        }
    }
}

/// The empty cells from which a stone of the color to move would guard a group, power stones in it or not,
/// that another on `cell` then captures.
pub(super) fn guards(position: &Position, cell: Cell) -> impl Iterator<Item = Cell> {
    let guards = guard_windows(position, cell);
    // Mostly there is none.
    let cells = (guards != 0).then(|| position.board().map().cells_in(cell, Windows(guards)));
    cells.into_iter().flatten()
}

/// [`guards`] in the windows around the cell.
fn guard_windows(position: &Position, cell: Cell) -> u64 {
    let (board, mover) = (position.board(), position.color_to_move());
    let windows = |color| board.windows(color, cell).0;
    let group = windows(mover.opponent()) | windows(Color::POWER);
    let beside = (group >> (CENTER + 1) | group >> (CENTER - 1)) & LANE_LOW_BITS;
    let Some(capture) = position.rules().capture().filter(|_| beside != 0) else { return 0 };
    let taken = group | windows(mover) | windows(Color::NEUTRAL) | board.map().walls(cell).0;
    let mut guards = 0;
    for length in capture.lengths() {
        for sign in [1, -1] {
            let place = |distance: u8| CENTER.wrapping_add_signed(sign * i32::from(distance));
            let end = place(length + 1);
            let whole =
                (1..=length).fold(LANE_LOW_BITS, |all, distance| all & group >> place(distance));
            guards |= (whole & !taken >> end) << end;
        }
    }
    guards
}

/// Whether a stone of the color to move on `cell` captures one that blocks a line of four: on its cell
/// the color would win next.
pub(super) fn opens_line(position: &Position, cell: Cell) -> bool {
    let (board, color) = (position.board(), position.color_to_move());
    let captured = position.captured_by(color, cell);
    captured.cells(cell, board.map().steps()).any(|freed| completes_line(position, freed, cell))
}

/// Whether a stone of the color to move on `cell` would complete a line beside another on `placed`.
pub(super) fn completes_line(position: &Position, cell: Cell, placed: Cell) -> bool {
    let (board, color) = (position.board(), position.color_to_move());
    let [own, power] = [color, Color::POWER].map(|color| board.windows(color, cell).0);
    let stone = board.map().window_bit(cell, placed);
    position.rules().line_of(color).wins(Windows(own | power | stone | LANE_LOW_BITS << CENTER))
}

/// The bits of all windows.
const ALL: u64 = LANE_LOW_BITS * ((1 << (2 * RADIUS + 1)) - 1);

/// Each bit of a word.
fn bits(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = word & word.wrapping_neg();
        word &= !bit;
        (bit != 0).then_some(bit)
    })
}

/// The empty cells on which a stone of the color to move spoils a line that the enemy could complete on
/// `five`, without capturing anything: it closes one that must not be closed, or has the enemy's stone poofed.
pub(super) fn spoiling_cells(position: &Position, five: Cell) -> impl Iterator<Item = Cell> {
    let (board, line) = (position.board(), position.rules().line());
    let enemy = position.color_to_move().opponent();
    let Windows(mut spoiling) = position.poof_points(enemy, five);
    if line.is_caro() {
        let stones =
            [enemy, enemy.opponent(), Color::NEUTRAL].map(|color| board.windows(color, five).0);
        let [own, ends, neutral] = stones;
        let own = Windows(own | LANE_LOW_BITS << CENTER);
        // An end is beside a stone of the line.
        let beside = (own.0 << 1 | own.0 >> 1) & ALL;
        let free = beside & !(own.0 | ends | neutral | board.map().walls(five).0);
        let closes = |bit: &u64| !line.wins_against(own, Windows(ends | bit));
        spoiling = bits(free).filter(closes).fold(spoiling, |cells, bit| cells | bit);
    }
    board.map().cells_in(five, Windows(spoiling))
}

/// A stone of the color to move on an empty cell, which answers threats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    pub cell: Cell,
    /// The groups around the cell that it captures.
    pub captured: CapturedGroups,
    /// Whether it is a power stone, which stands in nobody's way.
    pub is_power: bool,
}

impl Reply {
    /// With a plain stone.
    #[inline]
    pub(super) fn with_stone(position: &Position, cell: Cell) -> Reply {
        let captured = position.captured_by(position.color_to_move(), cell);
        Reply { cell, captured, is_power: false }
    }

    /// Whether it leaves the enemy no line to complete on one of the `fives`: it takes a stone of each, closes
    /// it where a five must not be closed, has the stone that completes it poofed, or stands in the way.
    #[inline]
    pub(super) fn breaks_lines(
        self,
        position: &Position,
        mut fives: impl Iterator<Item = Cell>,
    ) -> bool {
        fives.all(|five| five == self.cell && !self.is_power || !self.leaves_line(position, five))
    }

    /// [`Reply::breaks_lines`] of one five that completes a line as the board is, where only what is captured, or
    /// a plain stone on `five`, can change that: there are no poofs and no ends that must not be closed, and
    /// where there are power stones any line wins.
    #[inline]
    pub(super) fn breaks_sure_line(self, position: &Position, five: Cell) -> bool {
        if five == self.cell && !self.is_power {
            return true;
        }
        let taken = self.taken_from(position.board(), five);
        taken != 0 && !self.leaves_line_without(taken, position, five)
    }

    /// What is captured of what lies in the windows of `five`.
    #[inline]
    fn taken_from(self, board: &SquareBoard, five: Cell) -> u64 {
        let stones = self.captured.cells(self.cell, board.map().steps());
        stones.fold(0, |taken, stone| taken | board.map().window_bit(five, stone))
    }

    /// Whether the enemy has a line to complete on `five` without what is captured, with what of the stone
    /// comes to lie in the windows of `five`.
    fn leaves_line(self, position: &Position, five: Cell) -> bool {
        let (board, enemy) = (position.board(), position.color_to_move().opponent());
        let Windows(poofing) = position.poof_points(enemy, five);
        if poofing != 0 && poofing & board.map().window_bit(five, self.cell) != 0 {
            return false;
        }
        self.leaves_line_without(self.taken_from(board, five), position, five)
    }

    /// [`Reply::leaves_line`] in games without poofs, once some stones in the windows of `five` are `taken`.
    fn leaves_line_without(self, taken: u64, position: &Position, five: Cell) -> bool {
        let (board, rules) = (position.board(), position.rules());
        let enemy = position.color_to_move().opponent();
        let seen = || board.map().window_bit(five, self.cell);
        let is_shared = rules.stones().power.is_some();
        let power = if is_shared { board.windows(Color::POWER, five).0 } else { 0 };
        let placed = if self.is_power { seen() } else { 0 };
        let line = (board.windows(enemy, five).0 | power) & !taken;
        let own = Windows(line | placed | LANE_LOW_BITS << CENTER);
        let closing = || board.windows(enemy.opponent(), five).0 | seen();
        let ends = if rules.line().is_caro() { closing() } else { 0 };
        rules.line_of(enemy).wins_against(own, Windows(ends))
    }
}
