//! Sentences about a game: whose turn it is, what a move does, how it ended.

use super::question::colors;
use super::table::{End, Fault, Table};
use pentarch_core::game::{Color, Move, MoveKind, Outcome, EndReason, Seat};
use pentarch_core::rules::OpeningStage;
use pentarch_engine::Game;
use std::time::Duration;

/// The name of a color.
pub(super) fn color(game: &Game, color: Color) -> &'static str {
    game.rules().color_names().name(color)
}

/// The color that a seat owns.
pub(super) fn color_of(game: &Game, seat: Seat) -> Color {
    colors(game).find(|&color| game.seat_of(color) == seat).unwrap_or(Color(seat.0))
}

/// Whether a swap opening may still exchange the colors.
pub(super) fn is_undecided(game: &Game) -> bool {
    let hexes = game
        .hexes()
        .is_some_and(|position| position.hexes().swap1 && (game.is_choice() || game.ply() == 0));
    hexes || game.placement().is_some_and(|position| position.stage() != OpeningStage::Play)
}

/// A seat by its color and player, `White (you)`; by its number while colors are undecided.
pub(super) fn seat(table: &Table, seat: Seat) -> String {
    let (game, sitter) = (table.game(), &table.sitters()[seat.index()]);
    if is_undecided(game) {
        format!("player {seat} ({sitter})")
    } else {
        format!("{} ({sitter})", color(game, color_of(game, seat)))
    }
}

/// Whose turn it is, or how the game has ended.
pub(super) fn state(table: &Table) -> String {
    capital(&state_of(table))
}

fn state_of(table: &Table) -> String {
    let game = table.game();
    if let Some(end) = table.end() {
        return ended(table, end);
    }
    let mover = seat(table, game.to_move());
    if game.is_choice() {
        return format!("{mover} chooses a color.");
    }
    let what = if game.stacking().is_some() { "tile" } else { "stone" };
    let placed = if is_undecided(game) {
        format!(", with a {} {what}", color(game, game.color_to_move()).to_lowercase())
    } else {
        String::new()
    };
    format!("{mover} to move{placed}.")
}

fn ended(table: &Table, end: End) -> String {
    let game = table.game();
    let won = match table.winner() {
        None => "The game is a draw".to_owned(),
        Some(side) => {
            let seats = (0..game.seats()).map(Seat).filter(|&seat| game.side_of(seat) == side);
            let names: Vec<_> = seats.map(|winner| seat(table, winner)).collect();
            let verb = if names.len() > 1 { "have" } else { "has" };
            format!("{} {verb} won", names.join(" and "))
        }
    };
    match end {
        End::Rules(outcome) => format!("{won}: {}.", reason(game, outcome)),
        End::Fault(fault) => {
            let loser = seat(table, fault.seat());
            let how = match fault {
                Fault::Resigned(_) => "gives up",
                Fault::FlagFall(_) => "has run out of time",
            };
            match table.winner() {
                Some(_) => format!("{won}: {loser} {how}."),
                None => format!("The game is over: {loser} {how}."),
            }
        }
    }
}

fn reason(game: &Game, outcome: Outcome) -> String {
    let line = || {
        let line = game.deciding_stones();
        let cells: Vec<_> = line.iter().map(|&cell| game.cell_text(cell)).collect();
        if cells.is_empty() { String::new() } else { format!(", {}", cells.join(" ")) }
    };
    match outcome.reason {
        EndReason::Line => format!("a winning row{}", line()),
        EndReason::ShortLine => format!("the other made a row that loses{}", line()),
        EndReason::Captures => "enough captured stones".to_owned(),
        EndReason::FullBoard => "the board is full".to_owned(),
        EndReason::NoMove => "no move is left".to_owned(),
        EndReason::PlyCap => "the game has lasted too long".to_owned(),
        EndReason::Levels => "all tiles are placed, and the levels count".to_owned(),
    }
}

/// What a choice of color means: `swap: player 2 plays White from now on, player 1 Black`.
pub(super) fn choice(game: &Game, mv: Move) -> String {
    let (chooser, word) = (game.to_move(), game.move_text(mv));
    let mut after = game.clone();
    if after.play_move(mv).is_err() {
        return word;
    }
    let other = Seat(1 - chooser.0 % 2);
    if mv.kind() == MoveKind::More {
        return format!(
            "{word}: player {chooser} places two more stones, then player {other} chooses"
        );
    }
    let [mine, yours] = [chooser, other].map(|seat| color(&after, color_of(&after, seat)));
    format!("{word}: player {chooser} plays {mine} from now on, player {other} {yours}")
}

/// What a move puts on its cell: `B@j10: a bomb`.
pub(super) fn placed(game: &Game, mv: Move) -> String {
    let text = game.move_text(mv);
    let what = match mv.kind() {
        MoveKind::Neutral(_) => "a neutral stone, which blocks and belongs to nobody".to_owned(),
        MoveKind::Bomb(_) => "a bomb, which clears the eight points around it".to_owned(),
        MoveKind::Power(_, None) => "a power stone, which is of any color".to_owned(),
        MoveKind::Power(_, Some(cell)) => {
            format!("a power stone, and a bonus stone on {}", game.cell_text(cell))
        }
        MoveKind::Signed(..) => {
            let mut after = game.clone();
            let _ = after.play_move(mv);
            format!("captured stones are then {}", captures(&after))
        }
        _ => "a plain stone".to_owned(),
    };
    format!("{text}: {what}")
}

/// The captured stones by color, `White 2, Black 0`.
fn captures(game: &Game) -> String {
    let counts = colors(game).zip(game.captures());
    counts
        .map(|(owner, count)| format!("{} {count}", color(game, owner)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The last move with what it has captured: `Black plays k11, captures j10 k10`.
pub(super) fn last_move(table: &Table) -> Option<String> {
    moved(table).map(|said| capital(&said))
}

fn moved(table: &Table) -> Option<String> {
    let (game, ply) = (table.game(), table.plies().last()?);
    let mut before = game.clone();
    before.undo();
    let mover = if before.is_choice() || is_undecided(&before) {
        format!("player {}", ply.seat)
    } else {
        color(game, color_of(game, ply.seat)).to_owned()
    };
    let text = game.move_text(ply.mv);
    let said = match ply.mv.kind().word() {
        Some(_) if before.is_choice() => {
            let (_, meaning) = choice(&before, ply.mv)
                .split_once(": ")
                .map(|(a, b)| (a.to_owned(), b.to_owned()))?;
            return Some(format!("{mover}: {text}; {meaning}"));
        }
        Some(word) => format!("{mover}: {word}"),
        None => format!("{mover} plays {text}"),
    };
    let taken = game.changes().iter().filter(|change| change.after == 0);
    let taken: Vec<_> = taken.map(|change| game.cell_text(change.cell)).collect();
    Some(if taken.is_empty() { said } else { format!("{said}, takes off {}", taken.join(" ")) })
}

/// A text with a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A time as clocks show it: `1:05:09`, `4:07`, and `0:09.3` when little is left.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 if seconds < 20 => format!("0:{rest:02}.{}", time.subsec_millis() / 100),
        0 => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sitter;
    use super::*;

    fn table(spec: &str, players: &str, moves: &str) -> Table {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves.split_whitespace() {
            game.play(text).unwrap();
        }
        let sitters = Sitter::parse_all(players, game.seats(), 5).unwrap();
        Table::new(&game, sitters, None)
    }

    #[test]
    fn turns_and_moves_are_told() {
        let pente = table("pente", "you,engine:7", "j10 k10 a1 l10 m10");
        assert_eq!(state(&pente), "Black (engine, level 7) to move.");
        assert_eq!(last_move(&pente).unwrap(), "White plays m10, takes off l10 k10");
        let opening = table("d-pente", "you,Ann", "j10 k10");
        assert_eq!(state(&opening), "Player 1 (you) to move, with a white stone.");
        let chosen = table("d-pente", "you,Ann", "j10 k10 a1 a2 swap");
        let said = last_move(&chosen).unwrap();
        assert_eq!(said, "Player 2: swap; player 2 plays White from now on, player 1 Black");
        assert_eq!(state(&chosen), "White (Ann) to move.");
    }

    #[test]
    fn ends_are_told_with_who_and_why() {
        let mut line = table("gomoku+size=5x5+line=3", "you,Ann", "c3 a1 b2 a2 d4");
        assert_eq!(state(&line), "Black (you) has won: a winning row, b2 c3 d4.");
        line.undo();
        line.lose(Fault::FlagFall(Seat(0))).unwrap();
        assert_eq!(state(&line), "White (Ann) has won: Black (you) has run out of time.");
        let mut three = table("pente-3", "a,b,c", "j10");
        three.lose(Fault::Resigned(Seat(1))).unwrap();
        assert_eq!(state(&three), "The game is over: Black (b) gives up.");
    }

    #[test]
    fn times_are_those_of_clocks() {
        let ms = Duration::from_millis;
        assert_eq!(
            [clock(ms(9_340)), clock(ms(247_000)), clock(ms(3_909_000))],
            ["0:09.3", "4:07", "1:05:09"]
        );
    }
}
