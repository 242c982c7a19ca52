//! Who sits at the board, and whose turn it is.

use crate::game::{Color, Seat, Side};

/// Who sits at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seating {
    /// The number of seats, which is the number of colors.
    pub seats: u8,
    /// Whether the first and the third seat are one side, the second and the fourth the other.
    pub teams: bool,
    /// Whether each turn but the first has two stones.
    pub double_turns: bool,
}

impl Seating {
    /// The side that a seat belongs to.
    #[inline]
    pub const fn side_of(self, seat: Seat) -> Side {
        if self.teams { Side(seat.0 & 1) } else { Side(seat.0) }
    }

    /// The number of sides.
    pub const fn sides(self) -> u8 {
        if self.teams { 2 } else { self.seats }
    }

    /// The color of a stone, by the number of stones placed before it.
    #[inline]
    pub const fn color(self, stones: u32) -> Color {
        let turn = if self.double_turns { stones.div_ceil(2) } else { stones };
        let seats = self.seats as u32;
        // Asked after every stone, and a division takes long.
        let place = if seats.is_power_of_two() { turn & (seats - 1) } else { turn % seats };
        Color(place as u8)
    }

    /// The seat that plays after `seat`.
    #[inline]
    pub const fn next(self, seat: Seat) -> Seat {
        if seat.0 + 1 == self.seats { Seat(0) } else { Seat(seat.0 + 1) }
    }
}
