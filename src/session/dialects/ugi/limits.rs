//! Limits of a search and clocks: the arguments of `go`.

use super::Codec;
use pentarch_engine::search::{Clock, Limits};
use pentarch_engine::{Game, GameError, IllegalMove};
use pentarch_protocol::ugi::{Flavor, Go, Millis};
use std::time::Duration;

/// Why the arguments of `go` are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsError {
    /// A text that is no move.
    #[error(transparent)]
    Text(#[from] GameError),
    /// A move that may not be played.
    #[error("searchmoves: illegal move `{0}`: {1}")]
    Illegal(String, IllegalMove),
}

impl Codec {
    /// Limits of the seat to move as arguments of `go`, with the clocks of all seats if there is
    /// one among the limits.
    pub fn go(self, game: &Game, limits: &Limits, clocks: &[Option<Clock>]) -> Go {
        let search_moves = self.move_texts(game, &limits.search_moves);
        Go { search_moves, ..self.bounds(limits, clocks) }
    }

    /// [`Codec::go`] without the moves that are searched, in any game.
    pub fn bounds(self, limits: &Limits, clocks: &[Option<Clock>]) -> Go {
        let mut go = Go {
            moves_to_go: limits.clock.and_then(|clock| clock.moves_to_go),
            move_time: limits.move_time.map(at_least_one),
            depth: limits.depth,
            nodes: limits.nodes,
            mate: limits.mate.map(|plies| self.mate_count(plies)),
            infinite: limits.infinite,
            ..Go::default()
        };
        if limits.clock.is_some() {
            let seats = go.time.iter_mut().zip(&mut go.increment).zip(clocks);
            for ((time, increment), clock) in seats {
                *time = clock.map(|clock| at_least_one(clock.left));
                *increment = clock.map(|clock| millis(clock.increment));
            }
        }
        go
    }

    /// The limits that the arguments of `go` set for the seat to move.
    pub fn limits(self, game: &Game, go: &Go) -> Result<Limits, LimitsError> {
        let clock = own(game, &go.time).map(|left| Clock {
            left: duration(left),
            increment: duration(own(game, &go.increment).unwrap_or(0)),
            moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
        });
        let mut search_moves = Vec::new();
        for text in &go.search_moves {
            let mv = self.parse_move(game, text)?;
            if game.outcome().is_none()
                && let Err(reason) = game.check_move(mv)
            {
                return Err(LimitsError::Illegal(game.move_text(mv), reason));
            }
            search_moves.push(mv);
        }
        let mut limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            mate: go.mate.map(|count| self.mate_plies(count)),
            move_time: go.move_time.map(duration),
            clock,
            infinite: go.infinite,
            search_moves,
        };
        // A bare `go`, or one that knows only the other side's clock, is endless as in UCI.
        limits.infinite |= !limits.is_bounded();
        Ok(limits)
    }

    /// The plies in which a win is looked for, where the client says `mate count`.
    fn mate_plies(self, count: u32) -> u32 {
        match self.0 {
            Flavor::Ugi => count,
            Flavor::Uci => count.saturating_mul(2).saturating_sub(1),
        }
    }

    /// The inverse of [`Codec::mate_plies`].
    fn mate_count(self, plies: u32) -> u32 {
        match self.0 {
            Flavor::Ugi => plies,
            Flavor::Uci => plies.div_ceil(2),
        }
    }
}

/// The time of the seat to move. Arenas for two players know the clocks of the sides alone, and
/// partners have one clock there.
fn own(game: &Game, times: &[Option<Millis>]) -> Option<Millis> {
    let seat = game.to_move();
    let side = game.side_of(seat);
    let time = |index: usize| times.get(index).copied().flatten();
    time(seat.index()).or_else(|| time(side.0.into()))
}

/// A flag that has fallen leaves no time, but no less.
fn duration(time: Millis) -> Duration {
    Duration::from_millis(u64::try_from(time).unwrap_or(0))
}

fn millis(time: Duration) -> Millis {
    Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX)
}

/// Some engines take no time at all for no limit.
fn at_least_one(time: Duration) -> Millis {
    millis(time).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_are_written() {
        let mut game = Game::new("gomoku".parse().unwrap());
        game.play("h8").unwrap();
        let clock = |left, increment, moves_to_go| {
            let (left, increment) = (Duration::from_millis(left), Duration::from_millis(increment));
            Some(Clock { left, increment, moves_to_go })
        };
        let search_moves = game.legal_moves()[..2].to_vec();
        for limits in [
            Limits::depth(7),
            Limits::nodes(u64::MAX),
            Limits::move_time(Duration::from_millis(1500)),
            Limits { mate: Some(5), ..Limits::default() },
            Limits { infinite: true, ..Limits::default() },
            Limits { search_moves, ..Limits::depth(1) },
            Limits { clock: clock(60_000, 0, None), ..Limits::default() },
            Limits { clock: clock(500, 20, Some(40)), ..Limits::nodes(9) },
        ] {
            for flavor in [Flavor::Ugi, Flavor::Uci] {
                let clocks = [clock(1, 2, None), limits.clock];
                let go = Codec(flavor).go(&game, &limits, &clocks);
                assert_eq!(Codec(flavor).limits(&game, &go), Ok(limits.clone()), "{go}");
            }
        }
    }

    #[test]
    fn mates_in_moves() {
        let uci = Codec(Flavor::Uci);
        for (plies, moves) in [(1, 1), (3, 2), (5, 3)] {
            assert_eq!((uci.mate_plies(moves), uci.mate_count(plies)), (plies, moves));
        }
        assert_eq!((uci.mate_plies(0), uci.mate_count(0)), (0, 0));
    }
}
