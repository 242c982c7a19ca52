//! The row that has won.

use super::{Layout, Letters, Point};
use crate::engine::Game;
use crate::game::{Cell, Color, Outcome, Reason};

/// The stones of the row that ended a game, from end to end; none if no row did.
///
/// ```
/// use pentarch::engine::Game;
/// use pentarch::picture::winning_line;
/// let mut game = Game::new("gomoku+size=5x5+line=3".parse().unwrap());
/// for text in ["c3", "a1", "b2", "a2", "d4"] {
///     assert!(winning_line(&game).is_empty());
///     game.play(text).unwrap();
/// }
/// let line: Vec<_> = winning_line(&game).into_iter().map(|cell| game.cell_text(cell)).collect();
/// assert_eq!(line, ["b2", "c3", "d4"]);
/// ```
pub fn winning_line(game: &Game) -> Vec<Cell> {
    let ended = game.outcome();
    if !matches!(ended, Some(Outcome { reason: Reason::Line | Reason::ShortLine, .. })) {
        return Vec::new();
    }
    let layout = Layout::of(game, Letters::All);
    let is_near = |(x, y): Point, (a, b): Point| (x - a).hypot(y - b) < 0.1;
    let at = |point: Point| layout.cells.iter().find(|&&(_, other)| is_near(point, other));
    let placed = game.changes().iter().filter(|change| change.after != 0);
    let placed = placed.filter_map(|change| layout.cells.iter().find(|cell| cell.0 == change.cell));
    // On squares the four directions, on hexagons the three of their rows.
    let rise = 0.75_f64.sqrt();
    let directions: &[Point] = match game.grid() {
        Some(_) => &[(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, -1.0)],
        None => &[(1.0, 0.0), (0.5, rise), (0.5, -rise)],
    };
    let run = |(cell, from): (Cell, Point), (dx, dy): Point, color: Color| {
        // A power stone is of every color.
        let belongs = |cell| game.content(cell).is_some_and(|c| c == color || c == Color::POWER);
        let go = |sign: f64| {
            let step = move |n: i32| {
                (from.0 + sign * f64::from(n) * dx, from.1 + sign * f64::from(n) * dy)
            };
            let cells = (1..).map_while(move |n| at(step(n)).map(|&(cell, _)| cell));
            cells.take_while(|&cell| belongs(cell)).collect::<Vec<_>>()
        };
        let mut row = go(-1.0);
        row.reverse();
        row.push(cell);
        row.extend(go(1.0));
        row
    };
    let mut rows = Vec::new();
    for &(cell, point) in placed {
        for color in (0..game.seats()).map(Color) {
            let is_of = game.content(cell).is_some_and(|c| c == color || c == Color::POWER);
            rows.extend(
                directions.iter().filter(|_| is_of).map(|&way| run((cell, point), way, color)),
            );
        }
    }
    rows.into_iter().max_by_key(Vec::len).filter(|row| row.len() > 2).unwrap_or_default()
}
