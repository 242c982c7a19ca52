//! A finished game as it is counted, whether just played or read from a record.

use crate::schedule::Entrant;
use pentarch_core::game::Side;
use pentarch_records::{GameRecord, GameResult};

/// A finished game without its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredGame {
    /// Its number in the tournament, from 1.
    pub number: u32,
    /// The round, from 1.
    pub round: u32,
    /// The matchup, from 1.
    pub matchup: u32,
    /// The set of games with the same opening, from 0 within the matchup.
    pub set: u32,
    /// The variant, as an index.
    pub variant: usize,
    /// How many sides the variant has.
    pub sides: u8,
    /// Who sat on each seat.
    pub seats: Vec<Entrant>,
    /// How it ended.
    pub result: GameResult,
    /// The side at fault, in a game of more than two sides.
    pub fault: Option<Side>,
    /// The reason of the end.
    pub reason: String,
    /// Whether the machine spoiled the game: it does not count.
    pub is_spoiled: bool,
    pub plies: u32,
    /// The effort of each seat.
    pub effort: Vec<SearchEffort>,
}

/// The effort of an engine for its own moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchEffort {
    pub moves: u32,
    /// The time of all moves, in milliseconds.
    pub time: f64,
    /// The nodes of the moves for which it reported nodes.
    pub nodes: u64,
    /// The time of those moves, in milliseconds.
    pub node_time: f64,
    /// The sum of the reported depths.
    pub depths: u64,
    /// The number of moves for which it reported a depth.
    pub depth_moves: u32,
}

impl SearchEffort {
    /// The sum of both.
    pub fn plus(self, other: SearchEffort) -> SearchEffort {
        SearchEffort {
            moves: self.moves + other.moves,
            time: self.time + other.time,
            nodes: self.nodes.saturating_add(other.nodes),
            node_time: self.node_time + other.node_time,
            depths: self.depths.saturating_add(other.depths),
            depth_moves: self.depth_moves + other.depth_moves,
        }
    }

    /// Nodes a second, if the engine reports nodes.
    pub fn nodes_a_second(self) -> Option<f64> {
        (self.nodes > 0 && self.node_time > 0.0)
            .then(|| self.nodes as f64 / self.node_time * 1000.0)
    }

    /// The mean depth, if the engine reports depths.
    pub fn depth(self) -> Option<f64> {
        (self.depth_moves > 0).then(|| self.depths as f64 / f64::from(self.depth_moves))
    }

    /// The mean time of a move, in milliseconds.
    pub fn time_a_move(self) -> Option<f64> {
        (self.moves > 0).then(|| self.time / f64::from(self.moves))
    }
}

impl ScoredGame {
    /// A game of which only the result is known.
    pub fn new(seats: &[Entrant], sides: u8, result: GameResult) -> ScoredGame {
        ScoredGame {
            number: 1,
            round: 1,
            matchup: 1,
            set: 0,
            variant: 0,
            sides,
            seats: seats.to_vec(),
            result,
            fault: None,
            reason: String::new(),
            is_spoiled: false,
            plies: 0,
            effort: vec![SearchEffort::default(); seats.len()],
        }
    }

    /// The engine that won; of a team, the one on the first seat of the side.
    pub fn winner(&self) -> Option<Entrant> {
        match self.result {
            GameResult::Win(Side(side)) => self.seats.get(usize::from(side)).copied(),
            GameResult::Draw => None,
        }
    }

    /// The engines of each side.
    pub fn sides(&self) -> Vec<Vec<Entrant>> {
        let sides = usize::from(self.sides.max(1));
        (0..sides)
            .map(|side| self.seats.iter().copied().skip(side).step_by(sides).collect())
            .collect()
    }

    /// The share of each side in the game's point: all of it for the winner, or equal shares for
    /// all sides not at fault.
    pub fn shares(&self) -> Vec<f64> {
        let sides = self.sides.max(1);
        let left = f64::from(sides) - f64::from(u8::from(self.fault.is_some()));
        let share = |side: u8| match self.result {
            GameResult::Win(winner) => f64::from(u8::from(winner == Side(side))),
            GameResult::Draw if self.fault == Some(Side(side)) => 0.0,
            GameResult::Draw => 1.0 / left,
        };
        (0..sides).map(share).collect()
    }
}

/// Rounds a sum of points to the exact fraction, so that it does not depend on the order of the
/// games.
pub(crate) fn round_points(points: f64) -> f64 {
    // A point is shared by up to four sides, and a side's share by up to two seats.
    const PARTS: f64 = 24.0;
    (points * PARTS).round() / PARTS
}

impl ScoredGame {
    /// Reads a record, given the number of sides of each variant. `None` if the record names no
    /// tournament or contradicts itself.
    pub fn of_record(record: &GameRecord, sides: &[u8]) -> Option<ScoredGame> {
        let place = record.tournament.as_ref()?;
        let variant = (place.variant as usize).checked_sub(1)?;
        let seats: Option<Vec<Entrant>> =
            place.entrants.iter().map(|&number| Some(Entrant(number.checked_sub(1)?))).collect();
        let seats = seats.filter(|seats| seats.len() == record.players.len())?;
        let effort = (0..seats.len()).map(|seat| effort(record, seat as u8 + 1)).collect();
        Some(ScoredGame {
            number: record.game,
            round: place.round,
            matchup: place.encounter,
            set: place.set.checked_sub(1)?,
            variant,
            sides: *sides.get(variant)?,
            seats,
            result: record.result,
            fault: record.fault_seat.and_then(|seat| Some(Side(seat.checked_sub(1)?))),
            reason: record.reason.clone(),
            is_spoiled: record.is_spoiled(),
            plies: record.moves.len() as u32,
            effort,
        })
    }
}

/// The effort of a seat, from 1.
fn effort(record: &GameRecord, seat: u8) -> SearchEffort {
    let mine = record.plies.iter().filter(|ply| ply.seat == seat);
    let own = mine.filter_map(|ply| {
        let time = ply.time?;
        Some(SearchEffort {
            moves: 1,
            time,
            nodes: ply.nodes.unwrap_or(0),
            node_time: if ply.nodes.is_some() { time } else { 0.0 },
            depths: u64::from(ply.depth.unwrap_or(0)),
            depth_moves: u32::from(ply.depth.is_some()),
        })
    });
    own.fold(SearchEffort::default(), SearchEffort::plus)
}
