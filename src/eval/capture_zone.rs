//! Cells on which a stone changes what later moves capture.

use crate::board::{CENTER, LANES, RADIUS, SquareBoard, Windows};
use crate::game::{Cell, Color, Move, MoveList, Position as _};
use crate::placement::Position;
use crate::rules::{Capture, Captured};

/// Adds both ends of every group of a color that could be captured if the enemy stood at one end
/// and came to the other: a stone at either makes the other a capture.
pub(super) fn push_group_ends(
    board: &SquareBoard,
    capture: Capture,
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
    capture: Capture,
    color: Color,
    cell: Cell,
    moves: &mut MoveList,
) {
    let own = board.windows(color, cell).0;
    let taken = own | board.windows(color.opponent(), cell).0 | board.map().walls(cell).0;
    let free = |distance: u32| !taken >> (CENTER + distance);
    let stone = |distance: u32| own >> (CENTER + distance);
    let start = !taken >> (CENTER - 1) & stone(1) & LANES;
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

/// Adds the empty cells on which an enemy stone would be captured, with others, by a stone of a
/// color on `cell`.
pub(super) fn push_capturable_cells(
    board: &SquareBoard,
    capture: Capture,
    color: Color,
    cell: Cell,
    moves: &mut MoveList,
) {
    let own = board.windows(color, cell);
    let enemy = board.windows(color.opponent(), cell);
    let walls = board.map().walls(cell);
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
    let beside = (group >> (CENTER + 1) | group >> (CENTER - 1)) & LANES;
    let Some(capture) = position.rules().capture().filter(|_| beside != 0) else { return 0 };
    let taken = group | windows(mover) | windows(Color::NEUTRAL) | board.map().walls(cell).0;
    let mut guards = 0;
    for length in capture.lengths() {
        for sign in [1, -1] {
            let place = |distance: u8| CENTER.wrapping_add_signed(sign * i32::from(distance));
            let end = place(length + 1);
            let whole = (1..=length).fold(LANES, |all, distance| all & group >> place(distance));
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
    let stone = board.map().seen_from(cell, placed);
    position.rules().line_of(color).wins(Windows(own | power | stone | LANES << CENTER))
}

/// The empty cells on which a stone of the color to move spoils a line that the enemy could complete on
/// `five`, without capturing anything: it closes one that must not be closed, or has the enemy's stone poofed.
pub(super) fn spoiling_cells(position: &Position, five: Cell) -> impl Iterator<Item = Cell> {
    const ALL: u64 = LANES * ((1 << (2 * RADIUS + 1)) - 1);
    let (board, line) = (position.board(), position.rules().line());
    let enemy = position.color_to_move().opponent();
    let stones =
        [enemy, enemy.opponent(), Color::NEUTRAL].map(|color| board.windows(color, five).0);
    let [own, ends, neutral] = stones;
    let own = Windows(own | LANES << CENTER);
    let spoils = |bit: u64| {
        line.is_caro() && !line.wins_beside(own, Windows(ends | bit))
            || position.would_poof_beside(enemy, five, Windows(bit))
    };
    let mut left = ALL & !(own.0 | ends | neutral | board.map().walls(five).0);
    let mut spoiling = 0;
    while left != 0 {
        let bit = left & left.wrapping_neg();
        left &= !bit;
        spoiling |= if spoils(bit) { bit } else { 0 };
    }
    board.map().cells_in(five, Windows(spoiling))
}

/// Whether a stone of the color to move leaves the enemy no line to complete on one of the `fives`: it takes a
/// stone of each, closes it where a five must not be closed, or stands in the way.
pub(super) fn breaks_lines(
    position: &Position,
    cell: Cell,
    mut fives: impl Iterator<Item = Cell>,
) -> bool {
    let captured = position.captured_by(position.color_to_move(), cell);
    fives.all(|five| five == cell || !leaves_line(position, cell, captured, 0, five))
}

/// The same for a power stone, which stands in nobody's way.
pub(super) fn breaks_lines_with_power(
    position: &Position,
    cell: Cell,
    mut fives: impl Iterator<Item = Cell>,
) -> bool {
    let captured = position.captured_by(position.color_to_move(), cell);
    fives.all(|five| {
        let power = position.board().map().seen_from(five, cell);
        !leaves_line(position, cell, captured, power, five)
    })
}

/// Whether the enemy has a line to complete on `five` when groups around `cell` are captured, with what of it
/// comes to lie in the windows of `five`, or a stone of the color to move.
fn leaves_line(
    position: &Position,
    cell: Cell,
    captured: Captured,
    placed: u64,
    five: Cell,
) -> bool {
    let (board, rules) = (position.board(), position.rules());
    let enemy = position.color_to_move().opponent();
    let stones = captured.cells(cell, board.map().steps());
    let taken = stones.fold(0, |taken, stone| taken | board.map().seen_from(five, stone));
    let is_shared = rules.stones().power.is_some();
    let power = if is_shared { board.windows(Color::POWER, five).0 } else { 0 };
    let line = (board.windows(enemy, five).0 | power) & !taken;
    let seen = || board.map().seen_from(five, cell);
    let may_poof = rules.capture().is_some_and(|capture| capture.poof);
    if may_poof && position.would_poof_beside(enemy, five, Windows(seen())) {
        return false;
    }
    let own = Windows(line | placed | LANES << CENTER);
    let closing = || board.windows(enemy.opponent(), five).0 | seen();
    let ends = if rules.line().is_caro() { closing() } else { 0 };
    rules.line_of(enemy).wins_beside(own, Windows(ends))
}
