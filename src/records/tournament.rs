//! What a record says of the tournament that its game belongs to, so that records alone suffice to go
//! on with it and to join its parts.

use serde::{Deserialize, Serialize};

/// The place of a game in its tournament. Its number is the record's `game`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TournamentGame {
    /// A fingerprint of all that the games depend on: engines, variants, limits, openings, seed.
    pub id: String,
    /// How the engines are brought together, such as `round-robin`.
    pub format: String,
    /// How many games there are to be.
    pub games: u32,
    /// The round, from 1.
    pub round: u32,
    /// The number of the encounter, from 1.
    pub encounter: u32,
    /// The set of games with the same opening, from 1 within the encounter.
    pub set: u32,
    /// The variant, from 1 in the order of the tournament.
    pub variant: u32,
    /// The number of the engine on each seat, from 1 in the order of the tournament.
    pub entrants: Vec<u8>,
    /// The part of the tournament that played it, such as `2/4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}
