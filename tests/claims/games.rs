//! Games for the [solver](crate::solver): the rules of the library, which are fast, and the naive
//! referees, which share no code with them.

use crate::common::{hex_referee, referee};
use crate::solver::Rules;
use pentarch::engine::Game;
use pentarch::game::{Move, MoveList, Position, Side};
use pentarch::{hexes, placement, stacking};

/// A position of the library.
#[derive(Clone, Debug)]
pub(crate) struct Library<P>(pub(crate) P);

impl<P: Position> Rules for Library<P> {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut moves = MoveList::new();
        self.0.legal_moves(&mut moves);
        moves
    }

    fn play(&mut self, mv: &Move) {
        self.0.play(*mv);
    }

    fn undo(&mut self) {
        self.0.undo();
    }

    fn side(&self) -> usize {
        self.0.side_of(self.0.to_move()).index()
    }

    fn result(&self) -> Option<Option<usize>> {
        let outcome = self.0.outcome()?;
        Some(outcome.winner.map(Side::index))
    }

    /// The key of a position leaves the ply out, on which the ply cap depends.
    fn key(&self) -> Option<u64> {
        Some(self.0.key().0 ^ u64::from(self.0.ply()).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// A game of the library of any family.
#[derive(Clone, Debug)]
pub(crate) enum AnyPosition {
    Squares(placement::Position),
    Hexes(hexes::Position),
    Tiles(stacking::Position),
}

impl AnyPosition {
    pub(crate) fn of(game: &Game) -> AnyPosition {
        match (game.placement(), game.hexes(), game.stacking()) {
            (Some(position), ..) => AnyPosition::Squares(position.clone()),
            (_, Some(position), _) => AnyPosition::Hexes(position.clone()),
            (.., Some(position)) => AnyPosition::Tiles(position.clone()),
            _ => unreachable!("a game is of one of three families"),
        }
    }
}

/// Runs `$body` with `$rules` bound to the game's rules, of whatever family.
macro_rules! with_rules {
    ($game:expr, $rules:ident => $body:expr) => {
        match $crate::games::AnyPosition::of($game) {
            $crate::games::AnyPosition::Squares(position) => {
                let mut $rules = $crate::games::Library(position);
                $body
            }
            $crate::games::AnyPosition::Hexes(position) => {
                let mut $rules = $crate::games::Library(position);
                $body
            }
            $crate::games::AnyPosition::Tiles(position) => {
                let mut $rules = $crate::games::Library(position);
                $body
            }
        }
    };
}
pub(crate) use with_rules;

/// A referee whose moves are texts.
pub(crate) trait Referee: Clone {
    fn legal(&self) -> Vec<String>;
    fn play_text(&mut self, text: &str);
    fn side_to_move(&self) -> usize;
    #[allow(clippy::option_option, reason = "open, drawn or won")]
    fn end(&self) -> Option<Option<usize>>;
}

impl Referee for referee::Referee {
    fn legal(&self) -> Vec<String> {
        self.legal_moves()
    }

    fn play_text(&mut self, text: &str) {
        self.play(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }

    fn side_to_move(&self) -> usize {
        self.side_to_move()
    }

    fn end(&self) -> Option<Option<usize>> {
        self.outcome().map(|outcome| outcome.winner)
    }
}

impl Referee for hex_referee::Referee {
    fn legal(&self) -> Vec<String> {
        self.legal_moves()
    }

    fn play_text(&mut self, text: &str) {
        self.play(text).unwrap_or_else(|()| panic!("{text} is illegal"));
    }

    fn side_to_move(&self) -> usize {
        self.to_move()
    }

    fn end(&self) -> Option<Option<usize>> {
        self.result()
    }
}

/// A game by a referee, which is copied before every move.
#[derive(Clone, Debug)]
pub(crate) struct Naive<R>(pub(crate) Vec<R>);

impl<R: Referee> Naive<R> {
    fn after(mut start: R, texts: &[String]) -> Naive<R> {
        for text in texts {
            start.play_text(text);
        }
        Naive(vec![start])
    }

    fn now(&self) -> &R {
        self.0.last().expect("a start")
    }
}

impl<R: Referee> Rules for Naive<R> {
    type Move = String;

    fn moves(&self) -> Vec<String> {
        self.now().legal()
    }

    fn play(&mut self, mv: &String) {
        let mut after = self.now().clone();
        after.play_text(mv);
        self.0.push(after);
    }

    fn undo(&mut self) {
        self.0.pop();
    }

    fn side(&self) -> usize {
        self.now().side_to_move()
    }

    fn result(&self) -> Option<Option<usize>> {
        self.now().end()
    }

    fn key(&self) -> Option<u64> {
        None
    }
}

/// The game by its naive referee, from its moves: games of stones that begin at the start.
#[derive(Clone, Debug)]
pub(crate) enum NaiveGame {
    Squares(Naive<referee::Referee>),
    Hexes(Naive<hex_referee::Referee>),
}

impl NaiveGame {
    pub(crate) fn of(game: &Game) -> Option<NaiveGame> {
        let texts = move_texts(game);
        if texts.len() != game.ply() as usize {
            return None;
        }
        let spec = game.rules().to_string();
        if game.placement().is_some() {
            let start = referee::Referee::new(&spec).expect("a game that the library knows");
            return Some(NaiveGame::Squares(Naive::after(start, &texts)));
        }
        let start = game.hexes().map(|_| hex_referee::Referee::new(&spec))?;
        Some(NaiveGame::Hexes(Naive::after(start, &texts)))
    }
}

/// The texts of a game's moves from where it begins.
pub(crate) fn move_texts(game: &Game) -> Vec<String> {
    game.start().line_texts(&game.moves())
}
