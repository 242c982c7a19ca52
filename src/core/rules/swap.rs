//! Swap openings: who places the first stones, and who chooses a color.

use crate::game::{Color, Seat};

/// A swap opening. Each of its stones and choices is a ply of the seat that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Swap {
    /// One stone, then player 2 chooses; the second color moves next (PBM, AP).
    One,
    /// Three stones, then player 2 chooses, or places two more and lets player 1 choose (S3, PO,
    /// AP, BGA).
    Two,
    /// Three stones, then player 2 chooses (BGA).
    Three,
    /// Four stones, then player 2 chooses: D-Pente (S3, PO).
    Four,
}

/// How far a swap opening has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Ordinary play.
    #[default]
    Play,
    /// Player 1 places the first stones.
    First,
    /// Player 2 chooses.
    Choice,
    /// Player 2 places two more.
    More,
    /// Player 1 chooses.
    LastChoice,
}

impl Stage {
    /// Every stage, by the letter that position texts show it with.
    pub const LETTERS: [(char, Stage); 4] =
        [('f', Stage::First), ('c', Stage::Choice), ('m', Stage::More), ('l', Stage::LastChoice)];

    /// Whether a color is to be chosen.
    pub const fn is_choice(self) -> bool {
        matches!(self, Stage::Choice | Stage::LastChoice)
    }

    /// Whether a stone of the opening is to be placed.
    pub const fn is_placing(self) -> bool {
        matches!(self, Stage::First | Stage::More)
    }

    /// The seat that places or chooses, if the stage decides it.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Stage::Play => None,
            Stage::First | Stage::LastChoice => Some(Seat(0)),
            Stage::Choice | Stage::More => Some(Seat(1)),
        }
    }
}

impl Swap {
    /// The number of stones that player 1 places.
    pub const fn first_stones(self) -> u32 {
        match self {
            Swap::One => 1,
            Swap::Two | Swap::Three => 3,
            Swap::Four => 4,
        }
    }

    /// Whether player 2 may ask for two more stones.
    pub const fn has_more(self) -> bool {
        matches!(self, Swap::Two)
    }

    /// The stage once that number of stones has been placed during `stage`.
    pub const fn after_stone(self, stage: Stage, stones: u32) -> Stage {
        match stage {
            Stage::First if stones >= self.first_stones() => Stage::Choice,
            Stage::More if stones >= self.first_stones() + 2 => Stage::LastChoice,
            stage => stage,
        }
    }

    /// The color of a stone: the two take turns, whoever places them.
    pub const fn color(stones: u32) -> Color {
        Color((stones & 1) as u8)
    }
}
