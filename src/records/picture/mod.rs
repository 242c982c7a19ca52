//! Pictures of positions: plain text, text in the colors of a terminal, SVG and PNG.

mod layout;
#[cfg(feature = "png")]
mod png;
mod svg;
mod text;
mod tiles;

pub use layout::{BoardLayout, CellShape, PicturePoint};
#[cfg(feature = "png")]
pub use png::PngError;
pub use svg::{svg, tiles_svg};
pub use text::{
    AZURE, ColumnLetters, CursorTarget, GRAY, Prisoners, StyledLine, TextStyle, board, foreground,
    stone_symbol,
};
pub use tiles::{DrawnTile, drawn_tiles, tiles_text};

use pentarch_core::game::{Cell, Move, MoveKind};
use pentarch_core::stacking::{OrientedTile, Spot};
use pentarch_engine::Game;
use pentarch_engine::search::Score;

/// What a picture shows in addition to the stones or tiles, the coordinates and the captures.
///
/// ```
/// use pentarch_engine::Game;
/// use pentarch_records::picture::{PictureOptions, MarkedPoint};
/// let mut game = Game::new("pente".parse().unwrap());
/// game.play("j10").unwrap();
/// let mark = MarkedPoint::parse(&game, "k11=A").unwrap();
/// let drawing = PictureOptions { numbers: true, crop: true, marks: vec![mark], ..PictureOptions::default() };
/// assert!(drawing.svg(&game).contains(">A</text>"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "the options are independent")]
pub struct PictureOptions {
    /// The names of the columns.
    pub letters: ColumnLetters,
    /// Marks the last move.
    pub last_move: bool,
    /// Numbers the stones by the ply that placed them.
    pub numbers: bool,
    /// Marks the points where the seat to move may not play.
    pub illegal_points: bool,
    /// Marks the threes and fours that are threats, in games in which these are called.
    pub threats: bool,
    /// Moves with their scores, the best first.
    pub candidates: Vec<CandidateMove>,
    /// Points with a text.
    pub marks: Vec<MarkedPoint>,
    /// Draws only the part of the board around the stones.
    pub crop: bool,
    /// The length of the longer side in pixels. By default a cell has 36 pixels.
    pub size: Option<u32>,
}

/// A move and its score for the seat that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CandidateMove {
    /// The move.
    pub mv: Move,
    /// Its score.
    pub score: Score,
}

impl CandidateMove {
    /// Returns the score in two or three characters: the win probability in percent, or the plies
    /// to a proved end, `#3` to a win and `-#4` to a loss.
    pub fn short_value(self) -> String {
        match self.score.mate() {
            Some(plies) if plies < 0 => format!("-#{}", -plies),
            Some(plies) => format!("#{plies}"),
            None => format!("{:.0}", self.score.win_probability() * 100.0),
        }
    }
}

/// A point with a text. If the text is empty it is drawn as a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedPoint {
    /// The cell, on a board.
    pub(super) cell: Option<Cell>,
    /// The spot, on a table.
    pub(super) spot: Option<Spot>,
    /// The text.
    pub text: String,
}

/// Why a text is not a marked point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MarkError {
    /// The part before `=` is not a point of the board. The second text is a valid point.
    #[error("the mark `{0}` names no point of this board; write it as `{1}` or `{1}=A`")]
    Point(String, String),
    /// The text after `=` is too long.
    #[error("the mark `{0}` is too long: {most} characters fit", most = MarkedPoint::MAX_CHARS)]
    Long(String),
}

impl MarkedPoint {
    /// The maximum length of the text in characters.
    pub const MAX_CHARS: usize = 4;

    /// Creates a mark at a spot of a table.
    pub fn at_spot(spot: Spot, text: &str) -> MarkedPoint {
        MarkedPoint { cell: None, spot: Some(spot), text: text.to_owned() }
    }

    /// Creates marks at the points that a move occupies.
    pub fn of_move(mv: Move, text: &str) -> Vec<MarkedPoint> {
        let mark = |cell, spot| MarkedPoint { cell, spot, text: text.to_owned() };
        let spots = tile_spots(mv).into_iter().map(|spot| mark(None, Some(spot)));
        mv.cell().map(|cell| mark(Some(cell), None)).into_iter().chain(spots).collect()
    }

    /// Parses `j10=A`, or `j10` for a ring.
    pub fn parse(game: &Game, text: &str) -> Result<MarkedPoint, MarkError> {
        let shown: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
        let (point, label) = text.split_once('=').unwrap_or((text, ""));
        if label.chars().count() > MarkedPoint::MAX_CHARS {
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

/// The centers of the cells that a move occupies.
pub(super) fn move_centers(
    mv: Move,
    center: impl Fn(Cell) -> Option<PicturePoint>,
) -> Vec<PicturePoint> {
    let spots = tile_spots(mv).into_iter().map(spot_center);
    mv.cell().and_then(center).into_iter().chain(spots).collect()
}

/// Returns the spots of a tile. Empty for other moves and for a tile that is not on the table.
pub fn tile_spots(mv: Move) -> Vec<Spot> {
    let MoveKind::Tile(orientation, place) = mv.kind() else { return Vec::new() };
    let Some(corner) = Spot::at(place) else { return Vec::new() };
    let cells = OrientedTile::of(orientation).cells.iter();
    cells.map(|&(dx, dy)| Spot { column: corner.column + dx, row: corner.row + dy }).collect()
}

/// The center of a spot of a table.
pub(super) fn spot_center(spot: Spot) -> PicturePoint {
    (f64::from(spot.column), -f64::from(spot.row))
}
