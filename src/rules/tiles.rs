//! Games of tiles in layers.

/// How the tiles of Pent-Up are counted in the end (S2); its moves are the same in all variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tiles {
    /// Most tiles on the lowest level win, ties go upwards; else most on the highest, downwards.
    pub misere: bool,
}
