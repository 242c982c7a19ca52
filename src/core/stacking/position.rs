//! A game of tiles in play.

use super::layers::{Layers, Placements, UndoSpans};
use super::{OrientedTile, Pentomino, PlacedTile, Spot};
use crate::game::{
    self, Cell, Change, Color, EndReason, IllegalReason, Key, Move, MoveKind, MoveList,
    Orientation, Outcome, Seat, Side, mix,
};
use crate::rules::{TileBoardRules, TileRules};
use std::sync::Arc;

/// Why a tile may not be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalTileMove {
    /// A reason that all families of games share.
    #[error(transparent)]
    Common(#[from] IllegalReason),
    /// A stone instead of a tile.
    #[error("this game is played with tiles, five points each, such as `c4,c5,c6,d4,d5`")]
    NoTile,
    /// A tile that the color has already placed.
    #[error("the {0} tile of this color has been played")]
    TileUsed(char),
    /// A first tile that is not at [`FIRST_TILE_CORNER`].
    #[error("the lower left corner of the first tile's box is {0}")]
    FirstPlace(&'static str),
    /// A tile with cells on several levels.
    #[error("the tile would not lie flat")]
    NotFlat,
    /// A tile on the table that touches no other.
    #[error("a tile on the table must share an edge with another tile on the table")]
    NotAdjacent,
    /// A tile exactly on top of another one.
    #[error("the tile would rest on one tile only, it needs two")]
    OneSupport,
    /// A tile below the highest level at which it fits.
    #[error("the {shape} tile must go to level {highest}, here it would lie on level {level}")]
    TooLow {
        /// The letter of the tile.
        shape: char,
        /// The level on which it would lie, from 1.
        level: u8,
        /// The highest level at which it fits.
        highest: u8,
    },
}

/// The number of tiles on each level. Level 1 is the table; index 0 is not used.
pub type LevelCounts = [u8; Layers::MAX_LEVEL + 1];

/// The lower left corner of the first tile's bounding box: the middle of the table.
pub const FIRST_TILE_CORNER: Spot = Spot { column: 84, row: 84 };
const START_NAME: &str = "cg85";

/// A game of tiles in play, with the history that `undo` needs.
///
/// ```
/// use pentarch_core::game::Position as _;
/// use pentarch_core::stacking::Position;
/// let mut position = Position::new("pent-up".parse().unwrap());
/// let bar = position.parse_move("cg85,cg86,cg87,cg88,cg89").unwrap();
/// position.try_play(bar).unwrap();
/// let error = position.try_play(bar).unwrap_err();
/// assert_eq!(error.to_string(), "the tile would rest on one tile only, it needs two");
/// assert_eq!(position.undo(), Some(bar));
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    rules: Arc<TileRules>,
    scoring: TileBoardRules,
    layers: Layers,
    tiles: Vec<(PlacedTile, UndoSpans)>,
    /// The number of tiles that were set up instead of played.
    set_up: usize,
    /// By color: the shapes that are not yet placed, as bits.
    left: [u16; 2],
    counts: [LevelCounts; 2],
    key: u64,
}

impl Position {
    /// The number of tiles, which is the length of a game.
    pub const TILES: u32 = 2 * Pentomino::COUNT as u32;

    /// The start of a game.
    pub fn new(rules: TileRules) -> Position {
        let scoring = *rules.board();
        Position {
            scoring,
            layers: Layers::new(),
            tiles: Vec::with_capacity(Position::TILES as usize),
            set_up: 0,
            left: [(1 << Pentomino::COUNT) - 1; 2],
            counts: [[0; Layers::MAX_LEVEL + 1]; 2],
            key: mix(u64::from(scoring.misere)),
            rules: Arc::new(rules),
        }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Arc<TileRules> {
        &self.rules
    }

    /// The rules of comparing tiles at the end.
    #[inline]
    pub fn scoring(&self) -> TileBoardRules {
        self.scoring
    }

    /// The tiles on the table, in the order of play.
    pub fn tiles(&self) -> impl DoubleEndedIterator<Item = PlacedTile> + ExactSizeIterator {
        self.tiles.iter().map(|&(placed, _)| placed)
    }

    /// The moves played since the position was set up, in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> {
        self.tiles().skip(self.set_up).map(PlacedTile::as_move)
    }

    /// The shapes that a color has not yet placed, as bits.
    #[inline]
    pub fn shapes_left(&self, color: Color) -> u16 {
        self.left[color.index() & 1]
    }

    /// The number of tiles of a color on each level.
    #[inline]
    pub fn counts(&self, color: Color) -> &LevelCounts {
        &self.counts[color.index() & 1]
    }

    /// The number of tiles stacked at a point.
    pub fn height(&self, spot: Spot) -> u8 {
        self.layers.height(spot)
    }

    /// The highest level with a tile, 0 on an empty table.
    #[inline]
    pub fn top(&self) -> u8 {
        self.layers.top()
    }

    /// The lower left and upper right corner of the bounding box of all tiles, `None` if there are none.
    pub fn bounds(&self) -> Option<(Spot, Spot)> {
        self.layers.bounds()
    }

    /// The highest level at which a shape fits, which is the only one where it may be placed.
    #[inline]
    pub fn highest_level(&self, shape: Pentomino) -> u8 {
        if self.layers.is_empty() { 1 } else { self.layers.highest_level(shape) }
    }

    /// Calls `take` with all legal places of a shape, and returns its level.
    #[inline]
    pub(super) fn places(&self, shape: Pentomino, mut take: impl FnMut(Placements)) -> u8 {
        if !self.layers.is_empty() {
            return self.layers.places(shape, take);
        }
        let (row, base) = (FIRST_TILE_CORNER.row, i16::from(FIRST_TILE_CORNER.column));
        for orientation in shape.orientations() {
            take(Placements { orientation, row, base, columns: 1 });
        }
        1
    }

    /// Calls `take` with every legal move of a shape, and returns its level.
    #[inline]
    pub fn for_each_place(&self, shape: Pentomino, mut take: impl FnMut(Move)) -> u8 {
        self.places(shape, |places| {
            for spot in places.spots() {
                take(Move::tile(places.orientation, spot.place()));
            }
        })
    }

    /// The level of a legal move, from 1.
    #[inline]
    pub fn level_of(&self, mv: Move) -> u8 {
        let MoveKind::Tile(orientation, place) = mv.kind() else { return 1 };
        // Any cell of a legal tile has its level.
        let (dx, dy) = OrientedTile::of(orientation).cells[0];
        let cell = |spot: Spot| Spot { column: spot.column + dx, row: spot.row + dy };
        Spot::at(place).map_or(1, |spot| self.layers.height(cell(spot)) + 1)
    }

    /// The number of cells at the level of a legal move that would share an edge with its tile.
    pub fn edge_contacts(&self, mv: Move) -> u32 {
        let MoveKind::Tile(orientation, place) = mv.kind() else { return 0 };
        Spot::at(place)
            .map_or(0, |spot| self.layers.edge_contacts(OrientedTile::of(orientation), spot))
    }

    /// The side that is ahead with the tiles on the table, `None` if neither is.
    #[inline]
    pub fn leader(&self) -> Option<Side> {
        self.scoring.leader(&self.counts)
    }

    /// Takes back every ply to where the position was set up.
    pub fn rewind(&mut self) {
        while game::Position::undo(self).is_some() {}
    }

    /// Places a tile that lies flat on its level.
    #[inline]
    pub(super) fn put(&mut self, placed: PlacedTile) {
        let PlacedTile { orientation, spot, level, color } = placed;
        let side = color.index() & 1;
        let before = self.layers.put(orientation, spot, level, color);
        self.left[side] &= !(1 << placed.oriented().shape.index());
        self.counts[side][usize::from(level)] += 1;
        self.key ^= placed.hash();
        self.tiles.push((placed, before));
    }

    /// Excludes the tiles so far from `undo`.
    pub(super) fn fix_tiles(&mut self) {
        self.set_up = self.tiles.len();
    }

    /// The level on which a tile would lie at a place, or why it may not lie there.
    pub(super) fn check_support(
        &self,
        orientation: Orientation,
        spot: Spot,
    ) -> Result<u8, IllegalTileMove> {
        let oriented = OrientedTile::of(orientation);
        let level = self.layers.level_of(oriented, spot).ok_or(IllegalTileMove::NotFlat)?;
        if level > 1 && self.layers.has_tile_at(orientation, spot, level - 1) {
            return Err(IllegalTileMove::OneSupport);
        }
        let cell = |&(dx, dy): &(u8, u8)| Spot { column: spot.column + dx, row: spot.row + dy };
        let mut cells = oriented.cells.iter().map(cell);
        if level == 1 && !self.layers.is_empty() && !cells.any(|spot| self.layers.is_edge(spot)) {
            return Err(IllegalTileMove::NotAdjacent);
        }
        Ok(level)
    }

    #[inline]
    fn mover(&self) -> Color {
        Color((self.tiles.len() & 1) as u8)
    }
}

/// Methods that all families of games have, for what games of tiles lack.
impl Position {
    /// An empty iterator: the table has no numbered cells.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        std::iter::empty()
    }

    /// An empty text.
    pub fn label(&self, _: Cell) -> String {
        String::new()
    }

    /// Always `None`.
    pub fn stone(&self, _: Cell) -> Option<Color> {
        None
    }

    /// Always 0.
    pub fn captures(&self, _: Color) -> u16 {
        0
    }

    /// Always false.
    pub fn is_choice(&self) -> bool {
        false
    }
}

impl game::Position for Position {
    type Error = IllegalTileMove;

    #[inline]
    fn to_move(&self) -> Seat {
        Seat(self.mover().0)
    }

    #[inline]
    fn side_of(&self, seat: Seat) -> Side {
        Side(seat.0)
    }

    #[inline]
    fn color_to_move(&self) -> Color {
        self.mover()
    }

    #[inline]
    fn ply(&self) -> u32 {
        self.tiles.len() as u32
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let over = self.tiles.len() == Position::TILES as usize;
        over.then(|| Outcome { winner: self.leader(), reason: EndReason::Levels })
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let left = self.shapes_left(self.mover());
        for shape in Pentomino::all().filter(|shape| left >> shape.index() & 1 != 0) {
            self.for_each_place(shape, |mv| moves.push(mv));
        }
    }

    fn check(&self, mv: Move) -> Result<(), IllegalTileMove> {
        if self.tiles.len() == Position::TILES as usize {
            return Err(IllegalReason::GameOver.into());
        }
        let (orientation, place) = match mv.kind() {
            MoveKind::Tile(orientation, place) => (orientation, place),
            kind @ (MoveKind::Pass | MoveKind::Swap | MoveKind::Keep | MoveKind::More) => {
                return Err(IllegalReason::unknown(kind).into());
            }
            MoveKind::Stone(_)
            | MoveKind::Signed(..)
            | MoveKind::Neutral(_)
            | MoveKind::Bomb(_)
            | MoveKind::Power(..) => return Err(IllegalTileMove::NoTile),
        };
        let oriented = OrientedTile::of(orientation);
        let shape = oriented.shape;
        let on_table = |spot: &Spot| {
            let side = Spot::SIDE;
            spot.column <= side - oriented.width && spot.row <= side - oriented.height
        };
        let spot = Spot::at(place).filter(on_table).ok_or(IllegalReason::OffBoard)?;
        if self.layers.is_empty() && spot != FIRST_TILE_CORNER {
            return Err(IllegalTileMove::FirstPlace(START_NAME));
        }
        if self.shapes_left(self.mover()) >> shape.index() & 1 == 0 {
            return Err(IllegalTileMove::TileUsed(shape.letter()));
        }
        let level = self.check_support(orientation, spot)?;
        match self.highest_level(shape) {
            highest if highest == level => Ok(()),
            highest => Err(IllegalTileMove::TooLow { shape: shape.letter(), level, highest }),
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let MoveKind::Tile(orientation, place) = mv.kind() else { return };
        let Some(spot) = Spot::at(place) else { return };
        let level = self.level_of(mv);
        self.put(PlacedTile { orientation, spot, level, color: self.mover() });
    }

    #[inline]
    fn undo(&mut self) -> Option<Move> {
        if self.tiles.len() == self.set_up {
            return None;
        }
        let (placed, before) = self.tiles.pop()?;
        let PlacedTile { orientation, spot, level, color } = placed;
        self.layers.undo_put(orientation, spot, level, color, before);
        self.left[color.index() & 1] |= 1 << placed.oriented().shape.index();
        self.counts[color.index() & 1][usize::from(level)] -= 1;
        self.key ^= placed.hash();
        Some(placed.as_move())
    }

    #[inline]
    fn key(&self) -> Key {
        Key(self.key)
    }

    /// Always empty, because tiles have more places than there are cell numbers.
    fn changes(&self) -> &[Change] {
        &[]
    }
}
