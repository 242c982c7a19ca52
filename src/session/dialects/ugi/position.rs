//! Positions: `position` and `moves`.

use super::Codec;
use pentarch_core::game::{Move, PositionTextError};
use pentarch_engine::{Game, GameError};
use pentarch_protocol::ugi::{Command, Start};

/// Why a position is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The text after `fen`.
    #[error(transparent)]
    Start(#[from] PositionTextError),
    /// A move, numbered from 1.
    #[error("move {0}: {1}")]
    Move(usize, GameError),
}

impl Codec {
    /// The command for the position of a game, which began at a position text if one is given.
    pub fn position(self, game: &Game, start: Option<&str>, moves: &[Move]) -> Command {
        let start = start.map_or(Start::StartPos, |text| Start::Fen(text.to_owned()));
        Command::Position { start, moves: self.move_texts(game, moves) }
    }

    /// The game at a position, where `game` is any of the same rules at its start.
    pub fn game(self, game: &Game, start: &Start, moves: &[String]) -> Result<Game, PositionError> {
        let mut game = match start {
            Start::StartPos => game.clone(),
            Start::Fen(text) => game.with_text(&self.position_text(game, text))?,
        };
        self.play(&mut game, moves)?;
        Ok(game)
    }

    /// Plays moves, all or none.
    pub fn play(self, game: &mut Game, moves: &[String]) -> Result<(), PositionError> {
        for (index, text) in moves.iter().enumerate() {
            let mv = self.parse_move(game, text);
            if let Err(error) = mv.and_then(|mv| game.play_move(mv)) {
                for _ in 0..index {
                    game.undo();
                }
                return Err(PositionError::Move(index + 1, error));
            }
        }
        Ok(())
    }

    /// A position text as the game reads it: cutechess' own have the stones in hand in brackets.
    fn position_text(self, game: &Game, text: &str) -> String {
        let hand = text.split_once('[').and_then(|(board, rest)| {
            let (_, rest) = rest.split_once(']')?;
            let mover = rest.split_whitespace().next()?;
            Some((board, mover))
        });
        match hand {
            Some((board, mover)) if self.has_drops(game) => {
                let stones = board.chars().filter(char::is_ascii_alphabetic).count();
                let board = board.replace('P', "b").replace('p', "w");
                let mover = if mover == "w" { "b" } else { "w" };
                format!("{board} {mover} - - {}", stones + 1)
            }
            _ => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_protocol::ugi::Flavor;

    #[test]
    fn hands_in_brackets() {
        let uci = Codec(Flavor::Uci);
        let gomoku = Game::new(uci.rules("gomokufreestyle").unwrap());
        let read = |text: &str| uci.game(&gomoku, &Start::Fen(text.to_owned()), &[]).unwrap();
        let start = format!("{}15[PPpp] w - - 0 1", "15/".repeat(14));
        assert_eq!(read(&start).text(), gomoku.text());
        let one = format!("{}7P7[PPpp] b - - 0 1", "15/".repeat(14));
        assert_eq!((read(&one).stone(7, 0).is_some(), read(&one).ply()), (true, 1));
        assert_eq!(read(&gomoku.text()).text(), gomoku.text());
    }

    #[test]
    fn positions_are_read_as_they_are_written() {
        for (flavor, name) in [(Flavor::Ugi, "d-pente"), (Flavor::Uci, "gomoku")] {
            let codec = Codec(flavor);
            let start = Game::new(codec.rules(name).unwrap());
            let mut game = start.clone();
            for text in ["h8", "i8", "h9"] {
                game.play(text).unwrap();
            }
            let Command::Position { start: from, moves } =
                codec.position(&game, Some(&start.text()), &game.moves())
            else {
                panic!("not a position");
            };
            assert_eq!(codec.game(&start, &from, &moves).unwrap().text(), game.text());
        }
    }

    #[test]
    fn moves_are_played_all_or_none() {
        let ugi = Codec(Flavor::Ugi);
        let mut game = Game::new("gomoku".parse().unwrap());
        let error = ugi.play(&mut game, &["h8".to_owned(), "h8".to_owned()]).unwrap_err();
        assert_eq!((error.to_string().split(':').next(), game.ply()), (Some("move 2"), 0));
    }
}
