//! Which cells captures depend on, and which lines a stone breaks by what it captures.

use pentarch_core::board::{CENTER, LANE_LOW_BITS, RADIUS, SquareBoard, Windows};
use pentarch_core::game::{Cell, Color, Move, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::{CaptureRule, CapturedGroups};

/// Adds both ends of every group of a color that has a capturable length and two free ends: an enemy stone on either end
/// threatens a capture on the other.
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

/// Adds the ends of such groups whose first stone, in the order of lines, is on a cell.
fn push_ends(
    board: &SquareBoard,
    capture: CaptureRule,
    color: Color,
    cell: Cell,
    moves: &mut MoveList,
) {
    let own = board.windows(color, cell);
    let taken = own.0 | board.windows(color.opponent(), cell).0 | board.map().walls(cell).0;
    for length in capture.lengths() {
        let lanes = capture.open_groups_above(own, Windows(taken), length);
        for direction in (0..4).filter(|direction| lanes >> (16 * direction) & 1 != 0) {
            let step = board.map().step(direction);
            for distance in [-1, i16::from(length)] {
                moves.push(Move::stone(Cell((cell.0 as i16 + step * distance) as u16)));
            }
        }
    }
}

/// The free ends of the groups that would have a capturable length after a stone of a color on `cell`: of the group of
/// that stone and of the groups of all own stones in its windows.
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

/// The free ends of the groups of a stone that have a capturable length once another one is `placed`, if each end is empty
/// or holds an enemy. Cells of `freed` enemies count as empty.
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
        let closed = lane(enemy & !freed | closed);
        let ends = capture.map_or(0, |rule| rule.group_ends(lane(own), lane(enemy), closed));
        map.window_cells(stone, direction, ends)
    })
}

/// Adds the empty cells on which an enemy stone would complete a group that a stone of a color on `cell` captures.
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
        let [own, enemy, walls] = [own, enemy, walls].map(|windows| windows.lane(direction));
        for length in capture.lengths() {
            if let Some(gap) = capture.missing_group_stone(own, enemy, walls, length, sign) {
                let step = board.map().step(direction) * (sign * gap) as i16;
                moves.push(Move::stone(Cell((cell.0 as i16 + step) as u16)));
            }
        }
    }
}

/// The empty cells on which a stone of the color to move would flank a group, possibly with power stones in it, that a
/// second stone on `cell` then captures.
pub(super) fn flanking_cells(position: &Position, cell: Cell) -> impl Iterator<Item = Cell> {
    let flanks = flanking_windows(position, cell);
    // Mostly there are none.
    let cells = (flanks != 0).then(|| position.board().map().cells_in(cell, Windows(flanks)));
    cells.into_iter().flatten()
}

/// [`flanking_cells`] in the windows of the cell.
fn flanking_windows(position: &Position, cell: Cell) -> u64 {
    let (board, mover) = (position.board(), position.color_to_move());
    let windows = |color| board.windows(color, cell).0;
    let group = windows(mover.opponent()) | windows(Color::POWER);
    let adjacent = (group >> (CENTER + 1) | group >> (CENTER - 1)) & LANE_LOW_BITS;
    let Some(capture) = position.rules().capture().filter(|_| adjacent != 0) else { return 0 };
    let taken = group | windows(mover) | windows(Color::NEUTRAL) | board.map().walls(cell).0;
    capture.flank_points(Windows(group), Windows(taken)).0
}

/// Whether a stone of the color to move on `cell` captures a stone on whose cell the color would then complete a line.
pub(super) fn opens_line(position: &Position, cell: Cell) -> bool {
    let (board, color) = (position.board(), position.color_to_move());
    let captured = position.captured_by(color, cell);
    captured
        .cells(cell, board.map().steps())
        .any(|freed| completes_line_with(position, freed, cell))
}

/// Whether a stone of the color to move on `cell` would complete a line together with another on `placed`.
pub(super) fn completes_line_with(position: &Position, cell: Cell, placed: Cell) -> bool {
    let (board, color) = (position.board(), position.color_to_move());
    let [own, power] = [color, Color::POWER].map(|color| board.windows(color, cell).0);
    let stone = board.map().window_bit(cell, placed);
    position.rules().line_of(color).wins(Windows(own | power | stone | LANE_LOW_BITS << CENTER))
}

/// All bits of windows.
const ALL: u64 = LANE_LOW_BITS * ((1 << (2 * RADIUS + 1)) - 1);

/// The bits of a word.
fn bits(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = word & word.wrapping_neg();
        word &= !bit;
        (bit != 0).then_some(bit)
    })
}

/// The empty cells on which a stone of the color to move prevents the enemy from completing a line on `five` without a
/// capture: it blocks an end that must be open, or makes the enemy's stone poof.
pub(super) fn spoiling_cells(position: &Position, five: Cell) -> impl Iterator<Item = Cell> {
    let (board, line) = (position.board(), position.rules().line());
    let enemy = position.color_to_move().opponent();
    let Windows(mut spoiling) = position.poof_points(enemy, five);
    if line.is_caro() {
        let stones =
            [enemy, enemy.opponent(), Color::NEUTRAL].map(|color| board.windows(color, five).0);
        let [own, ends, neutral] = stones;
        let own = Windows(own | LANE_LOW_BITS << CENTER);
        // The ends are adjacent to stones of the line.
        let adjacent = (own.0 << 1 | own.0 >> 1) & ALL;
        let free = adjacent & !(own.0 | ends | neutral | board.map().walls(five).0);
        let closes = |bit: &u64| !line.wins_against(own, Windows(ends | bit));
        spoiling = bits(free).filter(closes).fold(spoiling, |cells, bit| cells | bit);
    }
    board.map().cells_in(five, Windows(spoiling))
}

/// A stone of the color to move on an empty cell, as an answer to threats.
#[derive(Clone, Copy, Debug)]
pub(super) struct DefendingStone {
    pub cell: Cell,
    /// The groups that it captures.
    pub captured: CapturedGroups,
    /// Whether it is a power stone, which blocks nobody.
    pub is_power: bool,
}

impl DefendingStone {
    /// A plain stone.
    #[inline]
    pub(super) fn plain(position: &Position, cell: Cell) -> DefendingStone {
        let captured = position.captured_by(position.color_to_move(), cell);
        DefendingStone { cell, captured, is_power: false }
    }

    /// Whether the enemy can complete no line on any of the `fives` afterwards: the stone blocks it, captures a stone of
    /// it, blocks an end that must be open, or makes the completing stone poof.
    #[inline]
    pub(super) fn breaks_lines(
        self,
        position: &Position,
        mut fives: impl Iterator<Item = Cell>,
    ) -> bool {
        fives.all(|five| five == self.cell && !self.is_power || !self.leaves_line(position, five))
    }

    /// [`DefendingStone::breaks_lines`] for one five that completes a line now, in games where only captures and a plain
    /// stone on `five` can break it: there are no poofs and no ends that must be open, and with power stones every line
    /// wins.
    #[inline]
    pub(super) fn breaks_sure_line(self, position: &Position, five: Cell) -> bool {
        if five == self.cell && !self.is_power {
            return true;
        }
        let captured = self.captured_in_windows(position.board(), five);
        captured != 0 && !self.leaves_line_without(captured, position, five)
    }

    /// The captured stones in the windows of `five`.
    #[inline]
    fn captured_in_windows(self, board: &SquareBoard, five: Cell) -> u64 {
        let stones = self.captured.cells(self.cell, board.map().steps());
        stones.fold(0, |seen, stone| seen | board.map().window_bit(five, stone))
    }

    /// Whether a stone of the enemy on the cell `five` would still complete a line after the stone and its captures.
    fn leaves_line(self, position: &Position, five: Cell) -> bool {
        let (board, enemy) = (position.board(), position.color_to_move().opponent());
        let Windows(poofing) = position.poof_points(enemy, five);
        if poofing != 0 && poofing & board.map().window_bit(five, self.cell) != 0 {
            return false;
        }
        self.leaves_line_without(self.captured_in_windows(board, five), position, five)
    }

    /// [`DefendingStone::leaves_line`] in games without poofs, with the captured stones in the windows of `five`.
    fn leaves_line_without(self, captured: u64, position: &Position, five: Cell) -> bool {
        let (board, rules) = (position.board(), position.rules());
        let enemy = position.color_to_move().opponent();
        let seen = || board.map().window_bit(five, self.cell);
        let is_shared = rules.stones().power.is_some();
        let power = if is_shared { board.windows(Color::POWER, five).0 } else { 0 };
        let placed = if self.is_power { seen() } else { 0 };
        let line = (board.windows(enemy, five).0 | power) & !captured;
        let own = Windows(line | placed | LANE_LOW_BITS << CENTER);
        let closing = || board.windows(enemy.opponent(), five).0 | seen();
        let ends = if rules.line().is_caro() { closing() } else { 0 };
        rules.line_of(enemy).wins_against(own, Windows(ends))
    }
}
