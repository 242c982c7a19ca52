//! How moves are limited, as options of a match and of a tournament.

use clap::Args;
use pentarch_arena::{ClockControl, TimeControl, parse_seconds};
use std::time::Duration;

/// Limits of moves.
#[derive(Clone, Debug, Args)]
pub(super) struct LimitArgs {
    /// A clock for each player, in seconds: [MOVES/]TIME[+INCREMENT]
    #[arg(long, value_name = "CLOCK", conflicts_with = "movetime")]
    tc: Option<ClockControl>,
    /// Time for each move [default: 0.1, unless something else limits the moves]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    movetime: Option<Duration>,
    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies to look ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

impl LimitArgs {
    /// The limits, if any was given.
    pub(super) fn control(&self) -> Option<TimeControl> {
        let control = TimeControl {
            clock: self.tc,
            move_time: self.movetime,
            nodes: self.nodes,
            depth: self.depth,
        };
        (!control.is_unbounded()).then_some(control)
    }
}
