//! The boards of a page: each is described once, and games name it by its number.

use crate::picture::{CellShape, Layout, Letters, Point};
use pentarch_core::game::{Cell, Color, Seat};
use pentarch_core::stacking::Spot;
use pentarch_engine::Game;
use serde::Serialize;
use std::collections::HashMap;

/// A board as the viewer reads it. Lengths are in distances between cells, `y` grows downwards.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BoardData {
    /// The canonical text of the rules.
    rules: String,
    /// `point`, `hexagon` or `square`.
    shape: &'static str,
    /// The middles of the cells by number.
    cells: Vec<[f64; 2]>,
    /// The names of the cells by number. On a table, of whose cells none is listed, the names of the
    /// columns: cell `row * columns + column` has the middle `(column, -row)`.
    names: Vec<String>,
    outline: Vec<[f64; 2]>,
    lines: Vec<[f64; 4]>,
    stars: Vec<[f64; 2]>,
    diamonds: Vec<[f64; 2]>,
    labels: Vec<(f64, f64, String)>,
    /// Left, top, width, height.
    bounds: [f64; 4],
    /// The names of the colors in the order of play.
    colors: Vec<&'static str>,
    /// The side of each seat, from 0.
    sides: Vec<u8>,
    /// The captured stones that win; 0 where they only count; none where nothing is captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<u16>,
}

/// The boards that were met.
#[derive(Clone, Debug, Default)]
pub(super) struct Boards {
    known: HashMap<String, Numbered>,
    data: Vec<BoardData>,
}

/// A board's number, and those of its cells.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    pub number: usize,
    cells: HashMap<Cell, u32>,
}

impl Numbered {
    /// The viewer's number of a cell.
    pub(super) fn cell(&self, cell: Cell) -> u32 {
        self.cells.get(&cell).copied().unwrap_or_default()
    }
}

impl Boards {
    /// The board of a game, which becomes known.
    pub(super) fn of(&mut self, game: &Game) -> &Numbered {
        let data = &mut self.data;
        self.known.entry(game.rules().to_string()).or_insert_with(|| {
            let layout = Layout::of(game, Letters::All);
            let cells = layout.cells.iter().zip(0..).map(|(&(cell, _), n)| (cell, n)).collect();
            data.push(describe(game, &layout));
            Numbered { number: data.len() - 1, cells }
        })
    }

    /// All boards in the order of their numbers.
    pub(super) fn data(&self) -> &[BoardData] {
        &self.data
    }
}

fn describe(game: &Game, layout: &Layout) -> BoardData {
    let names = match layout.shape {
        CellShape::Square => (0..Spot::SIDE).map(Spot::column_name).collect(),
        CellShape::Point | CellShape::Hexagon => {
            layout.cells.iter().map(|&(cell, _)| game.cell_text(cell)).collect()
        }
    };
    let palette = game.rules().color_names();
    let seats = game.seats();
    let ((left, top), (right, bottom)) = layout.bounds;
    let capture = game.placement().and_then(|position| position.rules().capture());
    let surround = game.hexes().filter(|position| position.hexes().surround).map(|_| 0);
    BoardData {
        rules: game.rules().to_string(),
        shape: match layout.shape {
            CellShape::Point => "point",
            CellShape::Hexagon => "hexagon",
            CellShape::Square => "square",
        },
        cells: layout.cells.iter().map(|&(_, point)| rounded(point)).collect(),
        names,
        outline: layout.outline.iter().copied().map(rounded).collect(),
        lines: layout
            .lines
            .iter()
            .map(|&((x1, y1), (x2, y2))| [x1, y1, x2, y2].map(round))
            .collect(),
        stars: layout.stars.iter().copied().map(rounded).collect(),
        diamonds: layout.diamonds.iter().copied().map(rounded).collect(),
        labels: match layout.shape {
            // The viewer names the rows and columns of the part of a table that it shows.
            CellShape::Square => Vec::new(),
            CellShape::Point | CellShape::Hexagon => {
                let label = |((x, y), name): &(Point, String)| (round(*x), round(*y), name.clone());
                layout.labels.iter().map(label).collect()
            }
        },
        bounds: [left, top, right - left, bottom - top].map(round),
        colors: (0..seats).map(|color| palette.name(Color(color))).collect(),
        sides: (0..seats).map(|seat| game.side_of(Seat(seat)).0).collect(),
        goal: capture.map(|capture| capture.goal.unwrap_or(0)).or(surround),
    }
}

fn rounded((x, y): Point) -> [f64; 2] {
    [round(x), round(y)]
}

/// A thousandth of a cell is less than a pixel.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
