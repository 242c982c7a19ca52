//! Boards for people to look at: as plain text, in the colors of a terminal, as SVG and as PNG.

mod escape;
mod layout;
#[cfg(feature = "png")]
mod png;
mod svg;
mod text;
mod tiles;

pub(crate) use escape::{escaped, printable};
pub use layout::{CellShape, Layout, Point};
#[cfg(feature = "png")]
pub use png::PngError;
pub use svg::{svg, tiles_svg};
pub use text::{AZURE, GRAY, Letters, Look, Prisoners, Spans, Target, board, disc, ink};
pub use tiles::{DrawnTile, drawn, tiles_text};

use pentarch_core::game::{Cell, Move, MoveKind};
use pentarch_core::stacking::{OrientedTile, Spot};
use pentarch_engine::Game;
use pentarch_engine::search::Score;

// What a picture shows besides the position.

/// What is drawn besides the stones or tiles, the coordinates, and the captures.
///
/// ```
/// use pentarch_engine::Game;
/// use pentarch_records::picture::{Drawing, MarkedPoint};
/// let mut game = Game::new("pente".parse().unwrap());
/// game.play("j10").unwrap();
/// let mark = MarkedPoint::parse(&game, "k11=A").unwrap();
/// let drawing = Drawing { numbers: true, crop: true, marks: vec![mark], ..Drawing::default() };
/// assert!(drawing.svg(&game).contains(">A</text>"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is drawn or not, whatever the others say")]
pub struct Drawing {
    /// How columns are named.
    pub letters: Letters,
    /// Whether the last move is marked.
    pub last_move: bool,
    /// Whether stones have the number of the ply that put them there.
    pub numbers: bool,
    /// Whether points are marked on which the seat to move may not place anything.
    pub dead: bool,
    /// Whether threes and fours that threaten something are marked, in games that have such calls.
    pub threats: bool,
    /// Moves with their values, the best one first.
    pub candidates: Vec<Candidate>,
    /// Points with a text.
    pub marks: Vec<MarkedPoint>,
    /// Whether only the part of the board around the stones is drawn.
    pub crop: bool,
    /// The length of the longer side in pixels; by default a cell has 36.
    pub size: Option<u32>,
}

/// A move and what it is worth for the seat that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Its value.
    pub score: Score,
}

impl Candidate {
    /// The value in two or three characters: the chance to win in percent, or the plies to a proved
    /// end, `#3` to a win and `-#4` to a loss.
    pub fn short_value(self) -> String {
        match self.score.mate() {
            Some(plies) if plies < 0 => format!("-#{}", -plies),
            Some(plies) => format!("#{plies}"),
            None => format!("{:.0}", self.score.win_probability() * 100.0),
        }
    }
}

/// A point with a text; a ring if the text is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedPoint {
    /// The cell of a board.
    pub(super) cell: Option<Cell>,
    /// The spot of a table.
    pub(super) spot: Option<Spot>,
    /// What stands there.
    pub text: String,
}

/// Why a text marks no point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MarkError {
    /// The part before `=` names no point of the board.
    #[error("the mark `{0}` names no point of this board; write it as `{1}` or `{1}=A`")]
    Point(String, String),
    /// More than fits.
    #[error("the mark `{0}` is too long: {most} characters fit", most = MarkedPoint::MOST)]
    Long(String),
}

impl MarkedPoint {
    /// The longest text.
    pub const MOST: usize = 4;

    /// A spot of a table with a text.
    pub fn on_table(spot: Spot, text: &str) -> MarkedPoint {
        MarkedPoint { cell: None, spot: Some(spot), text: text.to_owned() }
    }

    /// The points that a move puts something on, each with a text.
    pub fn all_of(mv: Move, text: &str) -> Vec<MarkedPoint> {
        let mark = |cell, spot| MarkedPoint { cell, spot, text: text.to_owned() };
        let spots = tile_spots(mv).into_iter().map(|spot| mark(None, Some(spot)));
        mv.cell().map(|cell| mark(Some(cell), None)).into_iter().chain(spots).collect()
    }

    /// Reads `j10=A`, or `j10` for a ring.
    pub fn parse(game: &Game, text: &str) -> Result<MarkedPoint, MarkError> {
        let shown: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
        let (point, label) = text.split_once('=').unwrap_or((text, ""));
        if label.chars().count() > MarkedPoint::MOST {
            return Err(MarkError::Long(shown));
        }
        let (mut cell, mut spot) = (None, None);
        if game.stacking().is_some() {
            spot = point.parse().ok();
        } else {
            let is_named = |cell: &Cell| game.cell_text(*cell).eq_ignore_ascii_case(point);
            cell = game.cells().into_iter().find(is_named);
        }
        if cell.is_none() && spot.is_none() {
            let example = game.cells().first().map(|&cell| game.cell_text(cell));
            return Err(MarkError::Point(shown, example.unwrap_or_else(|| "cg85".to_owned())));
        }
        Ok(MarkedPoint { cell, spot, text: label.to_owned() })
    }
}

/// The middles of the cells that a move puts something on.
pub(super) fn middles(mv: Move, middle: impl Fn(Cell) -> Option<Point>) -> Vec<Point> {
    let spots = tile_spots(mv).into_iter().map(spot_middle);
    mv.cell().and_then(middle).into_iter().chain(spots).collect()
}

/// The spots of a tile; none of other moves, and of a tile that is not on the table.
pub fn tile_spots(mv: Move) -> Vec<Spot> {
    let MoveKind::Tile(orientation, place) = mv.kind() else { return Vec::new() };
    let Some(corner) = Spot::at(place) else { return Vec::new() };
    let cells = OrientedTile::of(orientation).cells.iter();
    cells.map(|&(dx, dy)| Spot { column: corner.column + dx, row: corner.row + dy }).collect()
}

/// The middle of a spot of a table.
pub(super) fn spot_middle(spot: Spot) -> Point {
    (f64::from(spot.column), -f64::from(spot.row))
}
