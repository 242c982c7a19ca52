//! What counts of a finished game, whether it was played just now or is on record.

use crate::schedule::Entrant;
use pentarch_core::game::Side;
use pentarch_records::{GameRecord, GameResult};

/// A finished game without its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Its number in the tournament, from 1.
    pub number: u32,
    /// The round, from 1.
    pub round: u32,
    /// The encounter, from 1.
    pub encounter: u32,
    /// The set of games with the same opening, from 0 within the encounter.
    pub set: u32,
    /// The variant, as an index.
    pub event: usize,
    /// How many sides the variant has.
    pub sides: u8,
    /// Who sat on each seat.
    pub seats: Vec<Entrant>,
    /// How it ended.
    pub result: GameResult,
    /// The side that ended a game of more than two sides by a fault.
    pub fault: Option<Side>,
    /// Why, in a word.
    pub reason: String,
    /// How many moves it had.
    pub plies: u32,
    /// What each seat has spent.
    pub effort: Vec<Effort>,
}

/// What an engine has spent on moves of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Its moves.
    pub moves: u32,
    /// Milliseconds for all of them.
    pub time: f64,
    /// Nodes, of those moves for which it said a number.
    pub nodes: u64,
    /// Milliseconds of those moves.
    pub node_time: f64,
    /// The depths that it said, summed.
    pub depths: u64,
    /// How many depths it said.
    pub depth_moves: u32,
}

impl Effort {
    /// Both together.
    pub fn plus(self, other: Effort) -> Effort {
        Effort {
            moves: self.moves + other.moves,
            time: self.time + other.time,
            nodes: self.nodes.saturating_add(other.nodes),
            node_time: self.node_time + other.node_time,
            depths: self.depths.saturating_add(other.depths),
            depth_moves: self.depth_moves + other.depth_moves,
        }
    }

    /// Nodes a second, if the engine says nodes.
    pub fn nodes_a_second(self) -> Option<f64> {
        (self.nodes > 0 && self.node_time > 0.0)
            .then(|| self.nodes as f64 / self.node_time * 1000.0)
    }

    /// The mean depth, if the engine says depths.
    pub fn depth(self) -> Option<f64> {
        (self.depth_moves > 0).then(|| self.depths as f64 / f64::from(self.depth_moves))
    }

    /// The mean milliseconds of a move.
    pub fn time_a_move(self) -> Option<f64> {
        (self.moves > 0).then(|| self.time / f64::from(self.moves))
    }
}

impl Score {
    /// A game with a result of which nothing else is known.
    pub fn new(seats: &[Entrant], sides: u8, result: GameResult) -> Score {
        Score {
            number: 1,
            round: 1,
            encounter: 1,
            set: 0,
            event: 0,
            sides,
            seats: seats.to_vec(),
            result,
            fault: None,
            reason: String::new(),
            plies: 0,
            effort: vec![Effort::default(); seats.len()],
        }
    }

    /// The engine that won, in teams the one on the first seat of the side.
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

    /// What part of the game's point each side has: all for the winner, or equal parts for all who are
    /// not at fault.
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

/// A sum of points, to which thirds and halves of them were added, without what floating-point numbers add
/// by themselves: it is the same in whatever order the games ended.
pub(crate) fn exact(points: f64) -> f64 {
    // A point goes to one of up to four sides or is shared by them, and a side's by up to two seats.
    const PARTS: f64 = 24.0;
    (points * PARTS).round() / PARTS
}

impl Score {
    /// What a record says, in a tournament whose variants have these numbers of sides. None if it names
    /// no tournament or what it says of it cannot be.
    pub fn of_record(record: &GameRecord, sides: &[u8]) -> Option<Score> {
        let place = record.tournament.as_ref()?;
        let event = (place.variant as usize).checked_sub(1)?;
        let seats: Option<Vec<Entrant>> =
            place.entrants.iter().map(|&number| Some(Entrant(number.checked_sub(1)?))).collect();
        let seats = seats.filter(|seats| seats.len() == record.players.len())?;
        let effort = (0..seats.len()).map(|seat| effort(record, seat as u8 + 1)).collect();
        Some(Score {
            number: record.game,
            round: place.round,
            encounter: place.encounter,
            set: place.set.checked_sub(1)?,
            event,
            sides: *sides.get(event)?,
            seats,
            result: record.result,
            fault: record.fault_seat.and_then(|seat| Some(Side(seat.checked_sub(1)?))),
            reason: record.reason.clone(),
            plies: record.moves.len() as u32,
            effort,
        })
    }
}

/// What a seat, from 1, has spent on its moves.
fn effort(record: &GameRecord, seat: u8) -> Effort {
    let mine = record.plies.iter().filter(|ply| ply.seat == seat);
    let own = mine.filter_map(|ply| {
        let time = ply.time?;
        Some(Effort {
            moves: 1,
            time,
            nodes: ply.nodes.unwrap_or(0),
            node_time: if ply.nodes.is_some() { time } else { 0.0 },
            depths: u64::from(ply.depth.unwrap_or(0)),
            depth_moves: u32::from(ply.depth.is_some()),
        })
    });
    own.fold(Effort::default(), Effort::plus)
}
