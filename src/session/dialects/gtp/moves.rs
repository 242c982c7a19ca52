//! Moves as texts with vertices.

use super::{Board, Codec, color};
use pentarch_core::game::{Cell, IllegalReason, Move, MoveKind};
use pentarch_engine::{Game, StoneTextError, TileTextError, choice_points, moves_at};
use pentarch_protocol::gtp::{Color, SyntaxError, Vertex};

/// Why a text is no move of a game, as GTP has it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Not a vertex, nor a word that is a move.
    #[error(transparent)]
    Vertex(#[from] SyntaxError),
    /// A vertex outside the board.
    #[error("illegal move: {}", IllegalReason::OffBoard)]
    OffBoard,
    /// No move with stones.
    #[error("illegal move: {0}")]
    Stone(#[from] StoneTextError),
    /// No tile. A client that knows only vertices learns here that it cannot play.
    #[error("illegal move: {0}")]
    Tile(#[from] TileTextError),
}

/// Whether a move is written as a vertex or `pass`, which every client knows.
pub fn is_plain(mv: Move) -> bool {
    match mv.kind() {
        MoveKind::Neutral(_) | MoveKind::Bomb(_) | MoveKind::Power(..) => false,
        MoveKind::Signed(_, signs) => signs.longer[1] + signs.pairs[1] == 0,
        _ => true,
    }
}

/// Whether the text is an extended one, which only clients of this engine send.
pub fn is_extended(text: &str) -> bool {
    let word = MoveKind::from_word(text).is_some_and(|kind| kind != MoveKind::Pass);
    word || text.contains(['@', '+', '-'])
}

/// A sentence about a board of squares with its points, such as `j10` or `N@j10`, as vertices.
pub fn with_vertices(sentence: &str) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while !rest.is_empty() {
        let is_part = |c: char| c.is_alphanumeric();
        let word = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        match vertex_of_label(&rest[..word]) {
            Some(vertex) => text += &vertex.to_string(),
            None => text += &rest[..word],
        }
        let between = rest[word..].find(is_part).map_or(rest.len(), |next| word + next);
        text += &rest[word..between];
        rest = &rest[between..];
    }
    text
}

/// The vertex of a point in the notation of sentences: a small letter, none left out, and a row.
fn vertex_of_label(word: &str) -> Option<Vertex> {
    let letter = word.chars().next().filter(char::is_ascii_lowercase)?;
    let row: u32 = word[1..].parse().ok().filter(|row| (1..=99).contains(row))?;
    Some(Vertex { column: u32::from(letter) - u32::from('a'), row: row - 1 })
}

impl Codec {
    /// The cell of a vertex.
    pub fn cell(self, game: &Game, text: &str) -> Result<Cell, MoveError> {
        let vertex = Vertex::parse(text)?;
        Board::of(game).and_then(|board| board.cell(vertex)).ok_or(MoveError::OffBoard)
    }

    /// The moves that a text stands for: one, or two where a stone means that one keeps one's color.
    /// They need not be legal.
    pub fn parse_move(self, game: &Game, text: &str) -> Result<Vec<Move>, MoveError> {
        let mv = game.parse_move_by(text, |point| self.cell(game, point))?;
        Ok(match mv.kind() {
            MoveKind::Stone(cell) => moves_at(game, cell),
            _ => vec![mv],
        })
    }

    /// A move as text. Clients that know only vertices learn a choice by the stone that stands for
    /// it; none does where there are fewer stones than choices.
    pub fn move_text(self, game: &Game, mv: Move) -> Option<String> {
        let board = Board::of(game);
        if mv.kind().word().is_some() && mv.kind() != MoveKind::Pass && !self.extended {
            let points = choice_points(game);
            let (cell, _) = points.into_iter().find(|&(_, kind)| kind == mv.kind())?;
            return Some(board?.vertex(cell).to_string());
        }
        let label = |cell| board.map_or_else(String::new, |board| board.vertex(cell).to_string());
        if let MoveKind::Signed(cell, _) = mv.kind()
            && is_plain(mv)
            && !self.extended
        {
            return Some(label(cell));
        }
        Some(game.move_text_by(mv, label))
    }

    /// The texts of a line of moves, with the colors that make them.
    pub fn line(self, game: &Game, line: &[Move]) -> Vec<(Color, String)> {
        let mut game = game.clone();
        let mut texts = Vec::new();
        for &mv in line {
            let text = self.move_text(&game, mv).unwrap_or_else(|| game.move_text(mv));
            texts.push((color(game.to_move()), text));
            if game.play_move(mv).is_err() {
                break;
            }
        }
        texts
    }

    /// The moves of a line as far as they are legal.
    pub fn parse_line(self, game: &Game, texts: &[String]) -> Vec<Move> {
        let mut ahead = game.clone();
        let mut moves = Vec::new();
        for text in texts {
            let Ok(read) = self.parse_move(&ahead, text) else { break };
            for mv in read {
                if ahead.play_move(mv).is_err() {
                    return moves;
                }
                moves.push(mv);
            }
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENDED: Codec = Codec { extended: true };
    const VERTICES: Codec = Codec { extended: false };

    fn game(spec: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves {
            game.play(text).unwrap();
        }
        game
    }

    #[test]
    fn extended_texts_are_canonical_texts_with_vertices() {
        let pente = game("pente", &[]);
        for (canonical, vertices) in [
            ("j10", "K10"),
            ("h8", "H8"),
            ("i9", "J9"),
            ("a1", "A1"),
            ("s19", "T19"),
            ("N@j10", "N@K10"),
            ("P@j10,g7", "P@K10,G7"),
            ("swap", "swap"),
            ("keep", "keep"),
            ("more", "more"),
            ("pass", "pass"),
        ] {
            let mv = pente.parse_move(canonical).unwrap();
            assert_eq!(EXTENDED.move_text(&pente, mv).as_deref(), Some(vertices));
            for text in [vertices.to_owned(), vertices.to_lowercase(), vertices.to_uppercase()] {
                assert_eq!(EXTENDED.parse_move(&pente, &text), Ok(vec![mv]));
            }
        }
        let tiles = game("pent-up", &[]);
        let tile = "cg85,cg86,cg87,cg88,cg89";
        let mv = tiles.parse_move(tile).unwrap();
        assert_eq!(EXTENDED.move_text(&tiles, mv).as_deref(), Some(tile));
        assert_eq!(EXTENDED.parse_move(&tiles, tile), Ok(vec![mv]));
    }

    #[test]
    fn points_of_a_sentence_become_vertices() {
        for (sentence, expected) in [
            ("the center, j10", "the center, K10"),
            ("a bomb (`B@j10`), S3, h8", "a bomb (`B@K10`), S3, H8"),
            ("`P@j10,g7`: d4 j4 p16.", "`P@K10,G7`: D4 K4 Q16."),
            ("19 columns, a b2b, \u{e9}1, i0", "19 columns, a b2b, \u{e9}1, i0"),
            ("", ""),
        ] {
            assert_eq!(with_vertices(sentence), expected);
        }
    }

    #[test]
    fn what_is_no_move_is_told_from_what_is_off_the_board() {
        let pente = game("pente", &[]);
        for text in ["", "I9", "hello", "K10 K11", "K10,", "@", "\u{e9}@"] {
            let error = VERTICES.parse_move(&pente, text).unwrap_err();
            let stone = text.contains('@');
            assert!(matches!(error, MoveError::Vertex(_)) != stone, "{text:?}: {error}");
        }
        assert_eq!(VERTICES.parse_move(&pente, "Z19"), Err(MoveError::OffBoard));
    }

    /// Every legal move is read as it is written, by vertices too where it has some.
    #[test]
    fn moves_are_read_as_they_are_written() {
        let captures = ["j10", "k10", "a1", "l10"];
        for (spec, moves) in [
            ("pente", &[][..]),
            ("plus-minus-pente", &captures),
            ("neutral-pente", &["j10", "k10"]),
            ("pente-plus", &["j10", "k10"]),
            ("d-pente", &["j10", "k10", "l12", "m13"]),
            ("swap2-pente", &["s19", "a1", "j10"]),
            ("pentalath-hex+swap1", &["e5"]),
            ("pent-up", &[]),
        ] {
            let game = game(spec, moves);
            for &mv in &game.legal_moves() {
                let text = EXTENDED.move_text(&game, mv).unwrap();
                assert_eq!(EXTENDED.parse_move(&game, &text), Ok(vec![mv]), "{spec} {text}");
                if let Some(text) = VERTICES.move_text(&game, mv).filter(|_| is_plain(mv)) {
                    assert_eq!(VERTICES.parse_move(&game, &text), Ok(vec![mv]), "{spec} {text}");
                }
            }
        }
    }

    #[test]
    fn a_choice_may_come_as_a_stone() {
        let choice = game("swap2-pente", &["j10", "k10", "a1"]);
        for (answer, moves) in
            [("K10", "swap"), ("L10", "keep"), ("A1", "more"), ("keep", "keep"), ("B2", "keep b2")]
        {
            let read = VERTICES.parse_move(&choice, answer).unwrap();
            let texts: Vec<_> = read.into_iter().map(|mv| choice.move_text(mv)).collect();
            assert_eq!(texts.join(" "), moves, "{answer}");
        }
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        for codec in [EXTENDED, VERTICES] {
            let start = game("swap2-pente", &[]);
            let played = game("swap2-pente", &["j10", "k10", "a1", "keep", "b2", "c3"]).moves();
            let texts: Vec<_> = codec.line(&start, &played).into_iter().map(|(_, mv)| mv).collect();
            assert_eq!(codec.parse_line(&start, &texts), played, "{texts:?}");
        }
        let pente = game("pente", &[]);
        let texts = ["K10", "A1", "A1", "B2"].map(str::to_owned);
        assert_eq!(VERTICES.parse_line(&pente, &texts).len(), 2);
    }
}
