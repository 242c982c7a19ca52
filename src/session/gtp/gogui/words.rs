//! Sentences in the terms of the window: the first player is Black and has black stones, whatever
//! the game itself calls them.

use super::super::special::{Next, Special};
use pentarch_core::game::{Color as StoneColor, EndReason, MoveKind, Outcome, Seat, Side};
use pentarch_engine::Game;

/// The players in the order of play.
const NAMES: [&str; 4] = ["Black", "White", "Red", "Green"];
const NUMBERS: [&str; 7] = ["no", "one", "two", "three", "four", "five", "six"];

/// What the window calls a player.
pub(super) fn seat_name(game: &Game, seat: Seat) -> &'static str {
    let names = NAMES.get(..usize::from(game.seats())).unwrap_or(&NAMES);
    names.get(seat.index()).copied().unwrap_or("?")
}

/// What the window calls those who win together.
fn side_name(game: &Game, side: Side) -> String {
    let seats = (0..game.seats()).map(Seat).filter(|&seat| game.side_of(seat) == side);
    seats.map(|seat| seat_name(game, seat)).collect::<Vec<_>>().join(" and ")
}

/// Who won and how.
pub(super) fn result(game: &Game) -> String {
    match game.outcome() {
        None => "The game is not over.".to_owned(),
        Some(Outcome { winner: None, reason }) => format!("A draw: {}.", draw(reason)),
        Some(Outcome { winner: Some(side), reason }) => {
            let name = side_name(game, side);
            let verb = if name.contains(" and ") { "have" } else { "has" };
            format!("{name} {verb} won {}.", win(game, side, reason))
        }
    }
}

fn win(game: &Game, winner: Side, reason: EndReason) -> String {
    let number = |length: Option<u8>| {
        let word = length.and_then(|length| NUMBERS.get(usize::from(length)));
        word.copied().unwrap_or("enough")
    };
    match reason {
        EndReason::Line => format!("with {} in a row", number(game.winning_length())),
        EndReason::ShortLine => "because a row that is too short loses".to_owned(),
        EndReason::Captures => format!("with {} captured stones", captured(game, winner)),
        EndReason::NoMove => "because no legal move is left".to_owned(),
        EndReason::Levels => "with more tiles on the deciding level".to_owned(),
        EndReason::FullBoard => "on a full board".to_owned(),
        EndReason::PlyCap => "in the longest game that is allowed".to_owned(),
    }
}

const fn draw(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Line => "both have a line",
        EndReason::Captures => "the captures decide nothing",
        EndReason::FullBoard => "the board is full",
        EndReason::NoMove => "no legal move is left",
        EndReason::PlyCap => "the game is as long as it may be",
        EndReason::ShortLine => "a row was too short",
        EndReason::Levels => "the levels are equal",
    }
}

/// The captured stones of a side.
fn captured(game: &Game, side: Side) -> u32 {
    let of_side = |color: &u8| game.side_of(game.seat_of(StoneColor(*color))) == side;
    let counts = (0..).zip(game.captures());
    counts.filter(|(color, _)| of_side(color)).map(|(_, count)| u32::from(count)).sum()
}

/// Whose turn it is and what there is to do; the captures where the window cannot count them.
pub(in super::super) fn status(game: &Game, next: Next) -> String {
    if game.outcome().is_some() {
        return result(game);
    }
    let name = seat_name(game, game.to_move());
    let mut text = match next {
        Next::Special(kind) => {
            format!("{name} to place a {} stone: click on its point", kind.word())
        }
        Next::Bonus(_) => format!("{name} to place the bonus stone"),
        Next::Plain if game.is_choice() => {
            let choices = super::choice_points(game);
            let choices: Vec<_> = choices
                .iter()
                .map(|&(_, kind)| format!("{} {}", choice_letter(kind), choice(game, kind)))
                .collect();
            format!("{name} to choose by a click on a stone: {}", choices.join("; "))
        }
        Next::Plain => turn(game),
    };
    if let Some(kind) = last_choice(game) {
        text = format!("{}; {text}", chosen(game, kind));
    }
    if game.seats() > 2 && game.captures().iter().any(|&count| count > 0) {
        text = format!("{text}; captured {}", captures(game));
    }
    text
}

/// Whose turn it is, and whose stone is to be placed if it is not the player's own.
fn turn(game: &Game) -> String {
    let (seat, owner) = (game.to_move(), game.seat_of(game.color_to_move()));
    let name = seat_name(game, seat);
    if seat == owner || game.seats() > 2 {
        return format!("{name} to move");
    }
    format!("{name} to place a {} stone", seat_name(game, owner).to_lowercase())
}

/// The captured stones of each player.
pub(super) fn captures(game: &Game) -> String {
    let counts = (0..).map(StoneColor).zip(game.captures());
    let texts =
        counts.map(|(color, count)| format!("{} {count}", seat_name(game, game.seat_of(color))));
    texts.collect::<Vec<_>>().join(", ")
}

/// The choice in a swap opening that was the last move.
pub(super) fn last_choice(game: &Game) -> Option<MoveKind> {
    let kind = game.moves().last()?.kind();
    matches!(kind, MoveKind::Swap | MoveKind::Keep | MoveKind::More).then_some(kind)
}

/// What was chosen.
fn chosen(game: &Game, kind: MoveKind) -> String {
    let mut before = game.clone();
    before.undo();
    let name = seat_name(game, before.to_move());
    match kind {
        MoveKind::Swap => format!("{name} has swapped: all stones changed hands and color"),
        MoveKind::Keep => format!("{name} has kept the stones as they were"),
        _ => format!("{name} has asked for two more stones"),
    }
}

/// The letters on the stone that stands for a choice.
pub(super) const fn choice_letter(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::Swap => "S",
        MoveKind::Keep => "K",
        _ => "+2",
    }
}

/// What a choice means.
pub(super) fn choice(game: &Game, kind: MoveKind) -> String {
    let name = seat_name(game, game.to_move()).to_lowercase();
    match kind {
        MoveKind::Swap => "swap: all stones change hands and color".to_owned(),
        MoveKind::Keep => format!("keep the {name} stones"),
        _ => "place two more stones, then the other player chooses".to_owned(),
    }
}

/// What a click on a stone that stands for a special stone does.
pub(super) fn special(kind: Special) -> String {
    format!("click here, then on a point, to place a {} stone", kind.word())
}
