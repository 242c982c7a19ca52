//! What is to be seen of a game, before it is known how it is drawn.

use super::drawing::{middles, spot_middle};
use super::text;
use super::{Drawing, DrawnTile, Layout, Point, Prisoners, drawn};
use pentarch_core::game::{Cell, Color, MoveKind};
use pentarch_engine::Game;
use pentarch_engine::eval::Call;
use std::collections::HashMap;
use std::fmt::Write as _;

/// What lies on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A stone of a color, or one of no color.
    Stone(Color),
    /// A stone that was declared a bomb.
    Bomb(Color),
}

impl Piece {
    pub(super) const fn color(self) -> Color {
        match self {
            Piece::Stone(color) | Piece::Bomb(color) => color,
        }
    }
}

/// A stone on the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawnStone {
    pub cell: Cell,
    pub at: Point,
    pub piece: Piece,
    /// The ply that put it there, if it is to be shown.
    pub number: Option<u32>,
    /// Whether the last move put it there.
    pub is_last: bool,
}

/// A run of stones that threatens something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawnThreat {
    pub from: Point,
    pub to: Point,
    /// Whether it is a four and not a three.
    pub is_four: bool,
}

/// A position with all that is drawn of it.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    pub game: &'a Game,
    pub layout: Layout,
    pub stones: Vec<DrawnStone>,
    /// Where the last move has captured.
    pub taken: Vec<Point>,
    pub tiles: Vec<DrawnTile>,
    pub dead: Vec<Point>,
    pub threats: Vec<DrawnThreat>,
    /// The cells of each candidate with its value.
    pub candidates: Vec<(Vec<Point>, String)>,
    pub marks: Vec<(Point, String)>,
    pub prisoners: Prisoners,
    pub last_tile: Option<usize>,
}

/// What a replay tells of the stones on the board.
#[derive(Default)]
struct Past {
    numbers: HashMap<Cell, u32>,
    bombs: HashMap<Cell, Color>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(game: &'a Game, drawing: &Drawing) -> Scene<'a> {
        let layout = Layout::of(game, drawing.letters);
        let places: HashMap<Cell, Point> = layout.cells.iter().copied().collect();
        let middle = |cell: Cell| places.get(&cell).copied();
        let past = Past::of(game);
        let changes = if drawing.last_move { game.changes() } else { &[] };
        let stone = |&(cell, at): &(Cell, Point)| {
            let color = game.content(cell)?;
            let bomb = past.bombs.get(&cell).map(|&color| Piece::Bomb(color));
            let piece = bomb.unwrap_or(Piece::Stone(color));
            let number = past.numbers.get(&cell).copied().filter(|_| drawing.numbers);
            let is_last = changes.iter().any(|change| change.cell == cell && change.after != 0);
            Some(DrawnStone { cell, at, piece, number, is_last })
        };
        let tiles = game.stacking().map_or_else(Vec::new, drawn);
        let last_tile = tiles.len().checked_sub(1);
        let value =
            |candidate: &super::Candidate| (middles(candidate.mv, middle), candidate.short_value());
        let mark = |mark: &super::MarkedPoint| {
            let at = mark.cell.and_then(middle).or(mark.spot.map(spot_middle))?;
            Some((at, mark.text.clone()))
        };
        let mut scene = Scene {
            game,
            stones: layout.cells.iter().filter_map(stone).collect(),
            taken: changes
                .iter()
                .filter(|change| change.after == 0 && game.content(change.cell).is_none())
                .filter_map(|change| middle(change.cell))
                .collect(),
            last_tile: last_tile.filter(|_| drawing.last_move && !game.moves().is_empty()),
            tiles,
            dead: if drawing.dead { dead(game, &layout) } else { Vec::new() },
            threats: if drawing.threats { threats(game, middle) } else { Vec::new() },
            candidates: drawing.candidates.iter().map(value).collect(),
            marks: drawing.marks.iter().filter_map(mark).collect(),
            prisoners: Prisoners::of(game),
            layout,
        };
        // A text of somebody's own takes the place of a number.
        let marked =
            |at: Point| scene.marks.iter().any(|(mark, text)| *mark == at && !text.is_empty());
        for stone in scene.stones.iter_mut().filter(|stone| marked(stone.at)) {
            stone.number = None;
        }
        let seen = scene.seen();
        if game.stacking().is_some() {
            scene.layout = Layout::table_with(&seen).unwrap_or(scene.layout);
        } else if drawing.crop {
            scene.layout = Layout::around(game, drawing.letters, &seen);
            let Scene { layout, dead, taken, .. } = &mut scene;
            dead.retain(|&at| layout.shows(at));
            taken.retain(|&at| layout.shows(at));
        }
        scene
    }

    /// The points that a picture must have.
    fn seen(&self) -> Vec<Point> {
        let stones = self.stones.iter().map(|stone| stone.at);
        let tiles = self.tiles.iter().flat_map(|tile| &tile.cells).map(|&spot| spot_middle(spot));
        let candidates = self.candidates.iter().flat_map(|(cells, _)| cells.iter().copied());
        let marks = self.marks.iter().map(|&(at, _)| at);
        stones.chain(tiles).chain(candidates).chain(marks).collect()
    }

    /// What stands below: the captures, whose turn it is or how the game ended, and lists.
    pub(super) fn caption(&self, drawing: &Drawing) -> String {
        text::caption(self.game) + "\n" + &lists(self.game, drawing)
    }
}

/// The candidates and the threats in words, a line each.
pub(super) fn lists(game: &Game, drawing: &Drawing) -> String {
    let mut text = String::new();
    for (rank, candidate) in (1..).zip(&drawing.candidates) {
        let chance = candidate.score.win_probability() * 100.0;
        let (name, score) = (game.move_text(candidate.mv), candidate.score);
        let _ = writeln!(text, "{rank}. {name}: {chance:.1} %, {score}");
    }
    if drawing.threats {
        for threat in game.threats() {
            let name = game.rules().color_names().name(threat.color);
            let stones: Vec<_> = threat.stones.iter().map(|&cell| game.cell_text(cell)).collect();
            let _ = writeln!(text, "{name} {}: {}", threat.call, stones.join(" "));
        }
    }
    text
}

impl Past {
    fn of(game: &Game) -> Past {
        let (mut replayed, moves) = (game.clone(), game.moves());
        while replayed.undo().is_some() {}
        let mut past = Past::default();
        for mv in moves {
            let color = replayed.color_to_move();
            if replayed.play_move(mv).is_err() {
                break;
            }
            for change in replayed.changes() {
                past.bombs.remove(&change.cell);
                if change.after == 0 {
                    past.numbers.remove(&change.cell);
                } else {
                    past.numbers.insert(change.cell, replayed.ply());
                }
            }
            if let MoveKind::Bomb(cell) = mv.kind() {
                past.bombs.insert(cell, color);
            }
        }
        past
    }
}

/// The empty cells of an open game on which the seat to move may not place anything.
fn dead(game: &Game, layout: &Layout) -> Vec<Point> {
    if game.outcome().is_some() || game.is_choice() {
        return Vec::new();
    }
    let open: Vec<_> =
        game.legal_moves().into_iter().filter_map(pentarch_core::game::Move::cell).collect();
    let closed = |cell: Cell| game.content(cell).is_none() && !open.contains(&cell);
    layout.cells.iter().filter(|(cell, _)| closed(*cell)).map(|&(_, at)| at).collect()
}

fn threats(game: &Game, middle: impl Fn(Cell) -> Option<Point>) -> Vec<DrawnThreat> {
    let drawn = |threat: pentarch_engine::eval::Threat| {
        let from = middle(*threat.stones.first()?)?;
        let to = middle(*threat.stones.last()?)?;
        let is_four = matches!(threat.call, Call::Tessera | Call::Four);
        Some(DrawnThreat { from, to, is_four })
    };
    game.threats().into_iter().filter_map(drawn).collect()
}
