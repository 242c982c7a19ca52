//! Random numbers for hashing positions.

use super::Cell;

/// A 64-bit number for each content of each cell, the numbers that a position key is the XOR of
/// (Zobrist 1970). Content 0, an empty cell, hashes to 0.
#[derive(Debug)]
pub struct Zobrist {
    /// Indexed by cell, then by content modulo 8.
    cells: Box<[[u64; 8]]>,
    seed: u64,
}

impl Zobrist {
    /// Numbers that depend on a game's name alone, so that keys of different rulesets never agree.
    ///
    /// The name is not hashed by the standard library, whose hash may change with the compiler, and
    /// with it every search that depends on which results share a slot of the table.
    pub fn of(game: &str) -> Zobrist {
        let seed = mix_bytes(0, game.bytes());
        let row = |cell: usize| {
            std::array::from_fn(|content| match content {
                0 => 0,
                _ => mix(seed ^ mix((cell * 8 + content) as u64)),
            })
        };
        Zobrist { cells: (0..Cell::LIMIT).map(row).collect(), seed }
    }

    /// The number of an empty board.
    pub fn empty(&self) -> u64 {
        mix(self.seed)
    }

    /// The number of a content on a cell.
    #[inline]
    pub fn cell(&self, cell: Cell, content: u8) -> u64 {
        self.cells[cell.index() % Cell::LIMIT][usize::from(content % 8)]
    }
}

/// Scrambles a number into a 64-bit hash; the output function of `SplitMix64` (Steele, Lea and
/// Flood 2014).
#[inline]
pub const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Goes on with a 64-bit hash, 0 at first, over some more bytes.
pub fn mix_bytes(hash: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(hash, |hash, byte| mix(hash ^ u64::from(byte)))
}
