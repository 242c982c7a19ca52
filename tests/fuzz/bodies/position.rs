//! Any text as a position: nothing panics, and what is understood is printed such that it is understood
//! in the same way, now and some moves later.

use pentarch::engine::Game;

/// Moves that are played after a position.
const MOVES: usize = 3;

/// Reads a text as a position of the game. True if it is one.
pub(crate) fn position(start: &Game, text: &str) -> bool {
    let mut game = match start.with_text(text) {
        Ok(game) => game,
        Err(error) => {
            assert!(error.to_string().len() < 1000, "{error}");
            return false;
        }
    };
    same(start, &game);
    for step in 1..=MOVES {
        let legal = game.legal_moves();
        if game.outcome().is_some() || legal.is_empty() {
            break;
        }
        let mv = legal[(text.len() * step) % legal.len()];
        let (before, name) = (game.text(), game.move_text(mv));
        game.play(&name).unwrap_or_else(|error| panic!("{name} in {before}: {error}"));
        // A game that is over need not have a text, since nothing can be played there.
        if game.outcome().is_none() {
            same(start, &game);
        }
    }
    true
}

/// The printed position is read as the same position.
fn same(start: &Game, game: &Game) {
    let printed = game.text();
    let again = start.with_text(&printed);
    let again = again.unwrap_or_else(|error| panic!("{}, {printed}: {error}", start.rules()));
    assert_eq!(again.text(), printed);
    assert_eq!(again.to_move(), game.to_move(), "{printed}");
    assert_eq!(again.captures(), game.captures(), "{printed}");
    assert_eq!(again.outcome(), game.outcome(), "{printed}");
    let moves = |game: &Game| game.legal_moves().iter().map(|&mv| game.move_text(mv)).collect();
    let (mut found, mut expected): (Vec<_>, Vec<_>) = (moves(&again), moves(game));
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{printed}");
}
