//! Captured stones, by who has them and whose they were.

use pentarch_core::game::Color;
use pentarch_engine::Game;

/// The captured stones of each color of a game, as they lie beside a board.
///
/// What counts is [`Game::captures`]; whose stones they were follows from the moves, and is not
/// known of those that were captured before the starting position of a game of three or more.
///
/// ```
/// use pentarch_engine::Game;
/// use pentarch_core::game::Color;
/// use pentarch_records::picture::Prisoners;
/// let mut game = Game::new("pente".parse().unwrap());
/// for text in ["j10", "k10", "a1", "l10", "m10"] {
///     game.play(text).unwrap();
/// }
/// let prisoners = Prisoners::of(&game);
/// assert_eq!(prisoners.of_color(Color(0)), [Some(Color(1)); 2]);
/// assert!(prisoners.of_color(Color(1)).is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prisoners {
    /// By capturing color: whose stones they were, in the order of capture.
    stones: Vec<Vec<Option<Color>>>,
}

impl Prisoners {
    /// The captured stones after all moves of a game; none in games that take no stones.
    pub fn of(game: &Game) -> Prisoners {
        let (mut replayed, moves) = (game.clone(), game.moves());
        while replayed.undo().is_some() {}
        let mut prisoners = Prisoners::at_start(&replayed);
        for mv in moves {
            if replayed.play_move(mv).is_err() {
                break;
            }
            prisoners.follow(&replayed);
        }
        prisoners
    }

    /// The captured stones of a position of which nothing older is known.
    pub fn at_start(game: &Game) -> Prisoners {
        let mut prisoners = Prisoners { stones: vec![Vec::new(); game.captures().len()] };
        prisoners.follow(game);
        prisoners
    }

    /// Takes note of the last ply of a game. Says whether anything was captured or given back.
    pub fn follow(&mut self, game: &Game) -> bool {
        let counts = game.captures();
        let colors = counts.len() as u8;
        let gain = |(have, count): (&Vec<_>, &u16)| usize::from(*count) > have.len();
        let gaining = self.stones.iter().zip(&counts).filter(|&pair| gain(pair)).count();
        let mut changed = false;
        for ((color, count), have) in (0..).map(Color).zip(&counts).zip(&mut self.stones) {
            let count = usize::from(*count);
            changed |= count != have.len();
            if count > have.len() {
                let more = count - have.len();
                let lost = game.changes().iter().filter(|change| change.after == 0);
                let lost: Vec<_> = lost.map(|change| Color(change.before - 1)).collect();
                let others = lost.into_iter().filter(|&lost| lost != color && lost.0 < colors);
                let others: Vec<_> = others.collect();
                match others.len() == more && gaining == 1 {
                    _ if colors == 2 => have.resize(count, Some(color.opponent())),
                    true => have.extend(others.into_iter().map(Some)),
                    false => have.resize(count, None),
                }
            }
            have.truncate(count);
        }
        changed
    }

    /// Whose stones a color has captured, in the order of capture; none where that is unknown.
    pub fn of_color(&self, color: Color) -> &[Option<Color>] {
        self.stones.get(color.index()).map_or(&[], Vec::as_slice)
    }

    /// By capturing color.
    pub fn iter(&self) -> impl Iterator<Item = (Color, &[Option<Color>])> {
        (0..).map(Color).zip(self.stones.iter().map(Vec::as_slice))
    }
}
