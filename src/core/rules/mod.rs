//! Rulesets as data: a ruleset is a record of small rule components.
//!
//! [`Rules`] has what all games have and one of three boards: [`SquareBoardRules`], [`HexBoardRules`] or
//! [`TileBoardRules`], each with the components of its games. [`Ruleset`] is a game on any of them,
//! [`catalog`] names the combinations that people play, [`VariantSpec`] is the text form,
//! `NAME[+modifier...]`. Comments cite the sources of rules by these keys:
//! S1 the Winning Moves leaflet, S2 the Pent-Up leaflet, S3 the `PerGioco` newsletter, S4
//! Pentalath, S5 the "Gomoku Ninuki" card, PO
//! pente.org, PBM Richard's `PBeM` server, AP Abstract Play, BGA Board Game Arena, MOK "Other
//! Five-In-A-Row Games", LUD Ludii, RIF the Renju International Federation.
//!
//! # Interpretations
//!
//! Where the sources do not decide a case, the rules are these:
//!
//! - An opening word combines with every game, Gomoku and Ninuki included, and replaces the
//!   game's own opening. The least board size of an opening (7 or 9) applies to the shorter side.
//! - `five-only` frees the first stone only if no opening is named, by a word or by the variant:
//!   `pro-pente+five-only` keeps its limit. Ninuki keeps its own opening with it.
//! - `goal` belongs to games with captures, `line` to those without.
//! - A stone that leaves the next player no legal point ends the game as a draw at once, such as
//!   Black's first stone in the center of 5x5 Ninuki, after White's reply.
//! - If several ends apply to a move, a line comes before captures, a win before any draw, a full
//!   board before the lack of a move, and that before the ply cap.
//! - A position text may show any stones and counts once the opening no longer limits stones, except a
//!   game that the side to move has already won.
//! - Stones of a swap opening follow every other rule of the game, signs and forbidden points
//!   included. Choices are plies, but openings count stones only.
//! - Neutral stones and bombs neither capture nor poof; a bomb removes stones of colors only.
//! - With `poof` the mover's line comes first, then the mover's win by captures, then the opponent's.
//! - `anti` tests the whole board after every move, including fours that the move did not make;
//!   the point that would complete a four need not be legal. The draw by reaching the goal comes before all
//!   other ends.
//! - `boat`: a reply is tested for the replier's line and captures, then for the unbroken five, then for the
//!   captures of its maker. With more seats each other one replies in turn until the five is broken. The ply
//!   cap draws while a five is pending; on a full board, or without a legal reply, the five wins.
//! - `boat=strict` requires a legal plain stone of the next seat that captures from the run.
//! - Ninuki-Renju: the move after one's own is the opponent's, so an opponent's five is perfect if it
//!   remains after one's move. One enemy four that can no longer be completed excuses a double three.
//! - Ninuki measures the distance from the first stone that was placed. `plus` needs `diamonds` on
//!   any board but that of Pente.
//! - Pent-Up: a tile on the table shares an edge with another tile on the table; corners do not
//!   count, and enclosed holes may be filled. The highest level is that of the chosen tile, over
//!   all its orientations and places. If all levels are equal, the game is a draw.
//! - Pentalath: the ply cap is the only rule against repetition; the draw by passes needs a pass of every
//!   seat in turn. Lines are tested after surrounded groups are removed.
//! - Yavalath: whoever makes three on the last cell has lost; a full board is a draw only between
//!   players who are still in the game. In Yavalath for three the duty to block remains when two are left.

pub mod catalog;
mod describe;
mod modifier;
mod opening;
mod ruleset;
mod spec;
mod squares;

pub use crate::line::{CaptureRule, CapturedGroups, FourBan, LineRule};
pub use catalog::BaseGame;
pub use modifier::Modifier;
pub use opening::{OpeningRule, OpeningStage, OpeningViolation, SecondStoneLimit, SwapRule};
pub use ruleset::{
    BoardKind, BoardRules, ColorNames, HexBoardRules, HexRules, Rules, Ruleset, Seating,
    SquareRules, TileBoardRules, TileRules,
};
pub use spec::{VariantSpec, VariantSpecError};
pub use squares::{
    BreakableFives, Diamonds, ForbiddenRule, RuleTier, SpecialStones, SquareBoardRules,
};
