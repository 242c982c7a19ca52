//! GTP: names of games, boards and vertices, moves, clocks and reports.
//!
//! GTP was made for Go. It knows two colors, vertices and `pass`, and this is what most of its clients
//! know. A game that needs more is written in two ways: in *extended* texts with the words and signs
//! of the canonical ones (`swap`, `K10+-`, `N@K10`), or by vertices alone, where a stone on the board
//! stands for a choice (see [`choice_points`](pentarch_engine::choice_points)).

mod board;
mod moves;
mod report;
mod time;

pub use board::{Board, SizeError};
pub use moves::{MoveError, is_extended, is_plain, with_vertices};
pub use time::{TimeLeft, TimeSettings};

use pentarch_core::game::{Outcome, Seat, Side};
use pentarch_core::rules::catalog::CATALOG;
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_protocol::gtp::{Color, Command};

/// Values of the engine as GTP writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codec {
    /// Whether moves are written in extended texts. All texts are read.
    pub extended: bool,
}

/// The command that selects a game.
pub fn set_game(rules: &Ruleset) -> Command {
    Command::SetGame(rules.to_string())
}

/// The game that a name of `set_game` selects.
pub fn rules(name: &str) -> Result<Ruleset, VariantSpecError> {
    name.parse()
}

/// The names of the games in the answer to `list_games`.
pub fn games() -> impl Iterator<Item = &'static str> {
    CATALOG.iter().map(|row| row.name)
}

/// The color of a seat. The first player is black in the command language, whatever color the stones
/// have, and so is the third.
pub const fn color(seat: Seat) -> Color {
    if seat.0.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// The color of a side.
pub const fn side_color(side: Side) -> Color {
    color(Seat(side.0))
}

/// The answer to `final_score` in a finished game. GTP wants a margin; a win has that of one point.
pub fn final_score(outcome: Outcome) -> &'static str {
    match outcome.winner.map(side_color) {
        None => "0",
        Some(Color::Black) => "B+1",
        Some(Color::White) => "W+1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_as_they_are_written() {
        for name in games().chain(["pente+size=13", "gomoku+swap2+size=9"]) {
            let wanted: Ruleset = name.parse().unwrap();
            let Command::SetGame(sent) = set_game(&wanted) else { panic!("{name}") };
            assert_eq!(rules(&sent), Ok(wanted));
        }
    }
}
