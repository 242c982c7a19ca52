//! Small disturbances of values, so that games between equal engines differ.

use pentarch_core::game::Key;
use pentarch_core::game::mix;

/// Between -8 and 8 points, always the same for a position and a seed; nothing for seed 0.
#[inline]
pub(super) fn noise(key: Key, seed: u64) -> i32 {
    if seed == 0 { 0 } else { (mix(key.0 ^ mix(seed)) % 17) as i32 - 8 }
}
