//! Choices in words: what a swap opening asks for, and the stones that a point can take.

use super::words;
use pentarch_core::game::{Cell, Color, Move, MoveKind};
use pentarch_core::rules::SpecialStones;
use pentarch_engine::Game;

/// Something to be chosen, each option a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// What is asked.
    pub text: String,
    /// The moves to choose from, with what they mean.
    pub options: Vec<(Move, String)>,
    /// Whether the game cannot go on without an answer.
    pub is_due: bool,
}

impl Question {
    /// The choice of a color, if one is due.
    pub(super) fn of_colors(game: &Game) -> Option<Question> {
        if !game.is_choice() || game.outcome().is_some() {
            return None;
        }
        let options = game.legal_moves().into_iter().map(|mv| (mv, words::choice(game, mv)));
        let options: Vec<_> = options.collect();
        Some(Question { text: "Choose a color:".to_owned(), options, is_due: true })
    }

    /// What can be placed on a cell, if that is more than one thing. Unless `all` is asked for, a
    /// plain stone leaves nothing to ask.
    pub(super) fn at(game: &Game, cell: Cell, all: bool) -> Option<Question> {
        let moves = legal_at(game, cell);
        let has_plain = moves.iter().any(|mv| matches!(mv.kind(), MoveKind::Stone(_)));
        if moves.len() < 2 || has_plain && !all {
            return None;
        }
        let text = format!("What goes on {}?", game.cell_text(cell));
        let options = moves.into_iter().map(|mv| (mv, words::placed(game, mv))).collect();
        Some(Question { text, options, is_due: false })
    }

    /// The option that an answer means: its number, or the text of the move.
    pub(super) fn answer(&self, game: &Game, text: &str) -> Option<Move> {
        let by_number = text.parse().ok().and_then(|n: usize| self.options.get(n.checked_sub(1)?));
        let is_named = |(mv, _): &&(Move, String)| game.move_text(*mv).eq_ignore_ascii_case(text);
        by_number.or_else(|| self.options.iter().find(is_named)).map(|&(mv, _)| mv)
    }
}

/// The legal moves that put something on a cell.
pub(super) fn legal_at(game: &Game, cell: Cell) -> Vec<Move> {
    let mut moves = game.legal_moves();
    moves.retain(|mv| mv.cell() == Some(cell));
    moves
}

/// The special stones that can be placed now, by name.
pub(super) fn special_stones(game: &Game) -> Vec<&'static str> {
    let stones = game.rules().squares().map(|board| board.stones).unwrap_or_default();
    if stones == SpecialStones::default() || game.is_choice() {
        return Vec::new();
    }
    let mut found: [bool; 3] = [false; 3];
    for mv in game.legal_moves() {
        match mv.kind() {
            MoveKind::Neutral(_) => found[0] = true,
            MoveKind::Bomb(_) => found[1] = true,
            MoveKind::Power(..) => found[2] = true,
            _ => (),
        }
    }
    let names = ["neutral", "bomb", "power"];
    names.into_iter().zip(found).filter_map(|(name, found)| found.then_some(name)).collect()
}

/// The colors that a game has, in their order.
pub(super) fn colors(game: &Game) -> impl Iterator<Item = Color> + use<> {
    (0..game.seats()).map(Color)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(spec: &str, moves: &str) -> Game {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves.split_whitespace() {
            game.play(text).unwrap();
        }
        game
    }

    fn at(game: &Game, label: &str) -> Cell {
        game.grid().unwrap().parse(label).unwrap()
    }

    #[test]
    fn signs_are_asked_for_and_plain_stones_are_not() {
        let signs = game("plus-minus-pente", "j10 i10 k10 l10+ i12 i11");
        assert_eq!(Question::at(&signs, at(&signs, "a2"), false), None);
        let question = Question::at(&signs, at(&signs, "i9"), false).unwrap();
        let said: Vec<_> = question.options.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(
            said,
            [
                "i9+: captured stones are then White 2, Black 2",
                "i9-: captured stones are then White 0, Black 0"
            ]
        );
        assert_eq!(question.answer(&signs, "1"), Some(question.options[0].0));
        assert_eq!(question.answer(&signs, "I9-"), Some(question.options[1].0));
        assert_eq!((question.answer(&signs, "3"), question.answer(&signs, "0")), (None, None));
    }

    #[test]
    fn special_stones_are_offered_when_all_are_asked_for() {
        let bombs = game("atomic-pente", "j10 k10");
        let cell = at(&bombs, "c3");
        assert_eq!(Question::at(&bombs, cell, false), None);
        let question = Question::at(&bombs, cell, true).unwrap();
        assert!(question.options[1].1.contains("bomb"), "{question:?}");
        assert_eq!(special_stones(&bombs), ["bomb"]);
        assert!(special_stones(&game("pente", "j10")).is_empty());
    }

    #[test]
    fn colors_are_chosen_in_words() {
        let swap = game("d-pente", "j10 k10 a1 a2");
        let question = Question::of_colors(&swap).unwrap();
        assert!(question.is_due && question.options.len() == 2);
        let (_, text) = &question.options[0];
        assert_eq!(text, "swap: player 2 plays White from now on, player 1 Black");
        assert_eq!(Question::of_colors(&game("d-pente", "j10")), None);
        let hexes = game("pentalath+swap1", "a1");
        assert_eq!(Question::of_colors(&hexes).unwrap().options.len(), 2);
    }
}
