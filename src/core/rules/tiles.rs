//! Games of tiles in layers.

use crate::game::Side;

/// How the tiles of Pent-Up are counted in the end (S2); its moves are the same in all variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tiles {
    /// Most tiles on the lowest level win, ties go upwards; else most on the highest, downwards.
    pub misere: bool,
}

impl Tiles {
    /// Who is ahead by the tiles of each color on each level, counted from level 1 at index
    /// 1; nobody if all levels are equal (S2).
    #[inline]
    pub fn leader(self, counts: &[[u8; 13]; 2]) -> Option<Side> {
        let differs = |&level: &usize| counts[0][level] != counts[1][level];
        let mut levels = 1..counts[0].len();
        let decisive = if self.misere { levels.find(differs) } else { levels.rfind(differs) };
        decisive.map(|level| Side(u8::from(counts[0][level] < counts[1][level])))
    }
}
