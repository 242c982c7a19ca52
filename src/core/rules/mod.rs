//! A ruleset is a record of small rule components, each in a file of its own.
//!
//! [`Rules`] has what all games have and one of three boards: [`SquareBoardRules`], [`HexBoardRules`] or [`TileBoardRules`],
//! each with the components that only its games know. [`Ruleset`] is a game on any of them,
//! [`catalog`] names the combinations that people play, [`VariantSpec`] is the text form,
//! `NAME[+modifier...]`. Rules are cited by the keys of the sources:
//! S1 the Winning Moves leaflet, S2 the Pent-Up leaflet, S3 the `PerGioco` newsletter, S4
//! Pentalath, S5 the "Gomoku Ninuki" card, PO
//! pente.org, PBM Richard's `PBeM` server, AP Abstract Play, BGA Board Game Arena, MOK "Other
//! Five-In-A-Row Games", LUD Ludii, RIF the Renju International Federation.
//!
//! # Readings
//!
//! Where the sources say nothing, these readings are built:
//!
//! - An opening word goes with every game, Gomoku and Ninuki included, and takes the place of the
//!   game's own opening. What a limit needs of the board (7 or 9 a side) is asked of the shorter
//!   side.
//! - `five-only` frees the first stone only if no opening is named, by a word or by the variant:
//!   `pro-pente+five-only` keeps its limit. Ninuki keeps its own opening with it.
//! - `goal` belongs to games with captures, `line` to those without.
//! - A stone that leaves the next player no legal point ends the game as a draw at once, such as
//!   Black's first in the center of 5x5 Ninuki, after White's reply.
//! - If several ends apply to a move, a line comes before captures, a win before any draw, a full
//!   board before the want of a move and that before the ply cap.
//! - A position text may show any stones and counts once the opening's limits are past, but not a
//!   game that its side to move has already won.
//! - Stones of a swap opening follow every other rule of the game, signs and forbidden points
//!   included. Choices are plies, but openings count only what is placed.
//! - Neutral stones and bombs capture and poof nothing; a bomb clears stones of colors only.
//! - With `poof` the mover's line comes first, then the mover's win by captures, then the opponent's.
//! - `anti` looks at the whole board after every move, also at a four that the move did not make;
//!   what would complete it need not be legal. The draw by reaching the goal comes before all else.
//! - `boat`: a reply is judged by the replier's line and captures, the five that stands, the maker's
//!   captures. With more seats each other one replies in turn until the five stands no more. The ply
//!   cap draws while a five is being answered; on a full board, or without a legal reply, it wins.
//! - `boat=strict` asks for a legal plain stone of the next seat that captures from the run.
//! - Ninuki-Renju: the move after one's own is the opponent's, whose five is perfect whenever it
//!   stands after one's move. One enemy four that can no longer be completed excuses a double three.
//! - Ninuki measures the distance from where the first ply put something. `plus` needs `diamonds` on
//!   any board but that of Pente.
//! - Pent-Up: a tile on the table shares an edge with another tile on the table; corners do not
//!   count, and enclosed holes may be filled. The highest level is asked of the tile chosen, over
//!   all its orientations and places. If all levels are equal, the game is a draw.
//! - Pentalath: there is no rule against repetition but the ply cap; the draw by passes needs every
//!   seat in turn to have passed. Lines are looked for when surrounded groups are gone.
//! - Yavalath: whoever makes three on the last cell has lost; a full board draws only between
//!   players who are still in. In Yavalath for three the duty to block stays when two are left.

pub mod catalog;
mod describe;
mod modifier;
mod opening;
mod ruleset;
mod spec;
mod squares;

pub use crate::line::{CaptureRule, CapturedGroups, LineRule};
pub use catalog::{BaseGame, Variant};
pub use modifier::Modifier;
pub use opening::{OpeningRule, OpeningStage, OpeningViolation, SecondStoneLimit, SwapRule};
pub use ruleset::{
    BoardKind, BoardRules, ColorNames, HexBoardRules, HexRules, Rules, Ruleset, Seating,
    SquareRules, TileBoardRules, TileRules,
};
pub use spec::{VariantSpec, VariantSpecError};
pub use squares::{
    BreakableFives, Diamonds, ForbiddenRule, FourBan, RuleTier, SpecialStones, SquareBoardRules,
};
