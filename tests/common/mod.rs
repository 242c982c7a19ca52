//! What several tests share: specs to walk over, random games and the naive referees.
#![allow(dead_code, unreachable_pub, reason = "each binary uses what it needs")]

pub mod hex_referee;
pub mod referee;
pub mod tile_referee;

use pentarch::game::{Move, Outcome, Position as _};
use pentarch::placement::Position;
use pentarch::rules::catalog::CATALOG;

/// Combinations of the rules that are more than lines and pairs.
const VARIANTS: &[&str] = &[
    "d-pente+centre-first",
    "pente+swap1",
    "dk-pente+plus-minus+size=9",
    "swap2-pente+neutral+size=7",
    "pente+swap3+poof+size=7",
    "gomoku+swap2+line=3+size=6",
    "renju+swap1",
    "renju+size=9",
    "caro+swap2",
    "caro+size=8",
    "caro-standard+size=8",
    "connect6+size=9",
    "ninuki-renju+size=9",
    "o-pente+size=9",
    "poof-pente+size=8+goal=4",
    "keryo-pente+poof+neutral+size=9",
    "boat-pente+size=8",
    "boat-pente+poof+size=7",
    "boat-pente-strict+size=8+atomic",
    "boat-pente+players=3+size=9",
    "team-pente+boat=strict+size=9",
    "plus-minus-pente+keryo+size=8",
    "neutral-pente+pro",
    "ninuki+neutral+atomic+size=7",
    "atomic-pente+neutral+anti+size=8",
    "anti-pente+size=8",
    "pente+anti=any+size=8",
    "anti-pente+poof+size=7",
    "anti-pente+five-only+size=8",
    "pente-plus+keryo+diamonds=c3,c7,g3,g7+size=9",
    "pente-plus+neutral+pro",
    "pente-3+size=9+goal=4",
    "pente-4+keryo+size=10",
    "team-pente+size=9",
    "pente-3+atomic+neutral+anti+size=9",
];

/// Every catalog row of a game of stones, and combinations that reach corners the catalog does not.
pub fn specs() -> Vec<String> {
    let rows = CATALOG.iter().filter(|row| row.ruleset().squares().is_some());
    let rows = rows.map(|row| row.name.to_owned());
    let combinations = [
        "pro-pente+keryo",
        "g-pente+size=9",
        "long-pro-pente+size=9+keryo",
        "pente+size=5",
        "pente+size=25",
        "pente+size=8+pro",
        "pente+goal=3+size=7",
        "pente+goal=4+keryo",
        "pente+goal=6",
        "keryo-pente+five-only+size=9",
        "pente+max-plies=30",
        "ninuki+size=5",
        "ninuki+keryo+size=7",
        "gomoku+size=3x3+line=3",
        "gomoku+size=5x4+line=4",
        "gomoku+size=25x3+line=3",
        "gomoku+line=6",
        "gomoku-standard+size=9",
        "gomoku-standard+line=4+size=7",
        "gomoku-standard+line=6",
        "gomoku+pro",
    ];
    rows.chain(combinations.iter().chain(VARIANTS).map(|&spec| spec.to_owned())).collect()
}

/// The start of a game.
pub fn start(spec: &str) -> Position {
    let rules = spec.parse().unwrap_or_else(|error| panic!("{spec}: {error}"));
    Position::new(rules)
}

/// All legal moves in the order of generation.
pub fn legal(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The canonical texts of all legal moves in byte order.
pub fn legal_texts(position: &Position) -> Vec<String> {
    let mut texts: Vec<_> = legal(position).iter().map(|&mv| position.move_text(mv)).collect();
    texts.sort();
    texts
}

/// Draws a move: often one near the stones, so that lines and captures come about.
pub fn draw(position: &Position, rng: &mut fastrand::Rng) -> Option<Move> {
    let moves = legal(position);
    if rng.u8(..4) > 0 {
        let near = near_stones(position);
        let is_close = |mv: &&Move| mv.cell().is_some_and(|cell| near[cell.index()]);
        let close: Vec<_> = moves.iter().filter(is_close).collect();
        if !close.is_empty() {
            return Some(*close[rng.usize(..close.len())]);
        }
    }
    (!moves.is_empty()).then(|| moves[rng.usize(..moves.len())])
}

/// By cell: whether a stone lies next to it.
fn near_stones(position: &Position) -> Vec<bool> {
    let grid = position.grid();
    let mut near = vec![false; grid.cells()];
    for stone in grid.iter().filter(|&cell| position.board().content(cell).color().is_some()) {
        let (column, row) = (i32::from(grid.column(stone)), i32::from(grid.row(stone)));
        for (dx, dy) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            if let Some(cell) = grid.get(column + dx, row + dy) {
                near[cell.index()] = true;
            }
        }
    }
    near
}

/// A move that wins at once for the side to move, if there is one.
///
/// `likely` is tried before all others: after most moves the threat that stood before still wins.
pub fn winning_move(position: &mut Position, likely: Option<Move>) -> Option<Move> {
    let side = position.side_of(position.to_move());
    let wins = |position: &mut Position, mv: Move| {
        position.play(mv);
        let outcome = position.outcome();
        position.undo();
        outcome.is_some_and(|outcome| outcome.winner == Some(side))
    };
    let likely = likely.filter(|&mv| position.is_legal(mv) && wins(position, mv));
    likely.or_else(|| legal(position).into_iter().find(|&mv| wins(position, mv)))
}

/// Whether the side to move can force a win within that many plies, by trying every move of both.
pub fn can_force(position: &mut Position, plies: u32) -> bool {
    let side = position.side_of(position.to_move());
    let wins = |outcome: Option<Outcome>| outcome.is_some_and(|o| o.winner == Some(side));
    if plies == 0 || position.outcome().is_some() {
        return false;
    }
    for mv in legal(position) {
        position.play(mv);
        let mut holds = wins(position.outcome());
        if !holds && position.outcome().is_none() && plies > 2 {
            holds = legal(position).into_iter().all(|answer| {
                position.play(answer);
                let lost = can_force(position, plies - 2);
                position.undo();
                lost
            });
        }
        position.undo();
        if holds {
            return true;
        }
    }
    false
}
