//! Invariants that hold at every ply of every game: one suite that runs for each family of games.

pub(crate) mod hexes;
mod squares;
pub(crate) mod tiles;

use fastrand::Rng;
use pentarch::game::{Cell, Key, Move, MoveKind, Outcome, Position, PositionTextError, Seat};
use pentarch::{hexes as hex, placement, stacking};
use std::collections::BTreeSet;

/// What the suite needs of a family of games.
pub(crate) trait Family: Position {
    /// The number of random games of each spec.
    const GAMES: u64 = 4;
    /// The number of ways to draw moves. The number of a game selects one.
    const STYLES: u64 = 1;
    /// Whether all tries are played at every ply; otherwise a sample is.
    const PLAYS_ALL: bool = true;

    /// The specs of the games to test.
    fn specs() -> Vec<String>;

    /// The start of a game.
    fn start(spec: &str) -> Self;

    /// Draws a move so that rare events occur. `None` ends the game.
    fn draw(&self, game: u64, rng: &mut Rng) -> Option<Move>;

    /// The cells of the board.
    fn cells(&self) -> Vec<Cell>;

    /// The content of a cell, with the numbers of [`Position::changes`].
    fn content(&self, cell: Cell) -> u8;

    /// The contents of all cells.
    fn contents(&self) -> Vec<u8> {
        self.cells().into_iter().map(|cell| self.content(cell)).collect()
    }

    /// Legal and illegal moves that include all legal ones for which [`Family::is_tried`] holds.
    fn tries(&self, rng: &mut Rng) -> Vec<Move>;

    /// Whether a legal move is among [`Family::tries`].
    fn is_tried(mv: Move) -> bool;

    /// The part of the position that is compared after every refused move. All of it may take too long.
    fn glance(&self) -> String {
        format!("{:?}", self.key())
    }

    /// The symmetries of the board as maps of cells; empty where play is not symmetric.
    fn symmetries(&self) -> Vec<Box<dyn Fn(Cell) -> Cell>>;

    /// The properties that only positions of the family have.
    fn more(&self) -> String {
        String::new()
    }

    fn name(&self) -> String;
    fn rewind(&mut self);
    fn compute_key(&self) -> Key;
    fn text(&self) -> String;
    /// Reads a text as a new position of the same rules.
    fn read(&self, text: &str) -> Result<Self, PositionTextError>;
    fn move_text(&self, mv: Move) -> String;
    fn parse_move(&self, text: &str) -> Option<Move>;
}

/// The methods that are the same for all families.
macro_rules! methods_of_all {
    () => {
        fn start(spec: &str) -> Self {
            Position::new(spec.parse().unwrap_or_else(|error| panic!("{spec}: {error}")))
        }

        fn name(&self) -> String {
            self.rules().to_string()
        }

        fn rewind(&mut self) {
            self.rewind();
        }

        fn text(&self) -> String {
            self.text()
        }

        fn read(&self, text: &str) -> Result<Self, PositionTextError> {
            Position::from_text(self.rules().as_ref().clone(), text)
        }

        fn move_text(&self, mv: Move) -> String {
            self.move_text(mv)
        }

        fn parse_move(&self, text: &str) -> Option<Move> {
            self.parse_move(text).ok()
        }
    };
}
pub(crate) use methods_of_all;

/// All legal moves in the order of generation.
pub(crate) fn legal<F: Family>(position: &F) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// All visible properties of a position.
type Visible = (String, Key, Option<Outcome>, Vec<Move>, Vec<u8>, Seat, String);

pub(crate) fn visible<F: Family>(position: &F) -> Visible {
    let (text, key, outcome) = (position.text(), position.key(), position.outcome());
    let (moves, contents) = (legal(position), position.contents());
    (text, key, outcome, moves, contents, position.to_move(), position.more())
}

/// Calls `law` at every ply of some random games of each spec.
pub(crate) fn at_every_ply<F: Family>(mut law: impl FnMut(&mut F, &str, &mut Rng)) {
    for spec in F::specs() {
        for game in 0..F::GAMES {
            let mut rng = Rng::with_seed(game);
            let mut position = F::start(&spec);
            loop {
                let context = format!("{spec}, game {game}, {}", position.text());
                law(&mut position, &context, &mut rng);
                let Some(mv) = position.draw(game, &mut rng) else { break };
                position.play(mv);
            }
        }
    }
}

fn undo_restores_everything<F: Family>() {
    at_every_ply::<F>(|position, context, rng| {
        let before = visible(position);
        for game in 0..F::STYLES {
            if let Some(mv) = position.draw(game, rng) {
                position.play(mv);
                assert_eq!(position.undo(), Some(mv), "{context}");
            }
            assert_eq!(visible(position), before, "{context}");
        }
    });
}

fn undoing_a_whole_game_restores_the_start<F: Family>() {
    for spec in F::specs() {
        for game in 0..F::STYLES {
            let mut rng = Rng::with_seed(7 + game);
            let mut position = F::start(&spec);
            let before = visible(&position);
            while let Some(mv) = position.draw(game, &mut rng) {
                position.play(mv);
            }
            position.rewind();
            assert_eq!(visible(&position), before, "{spec}");
            assert_eq!(position.undo(), None);
        }
    }
}

fn the_incremental_key_equals_the_computed_key<F: Family>() {
    at_every_ply::<F>(|position, context, _| {
        assert_eq!(position.key(), position.compute_key(), "{context}");
    });
}

fn different_games_have_different_keys<F: Family>() {
    let starts: Vec<F> = F::specs().iter().map(|spec| F::start(spec)).collect();
    let names: BTreeSet<_> = starts.iter().map(F::name).collect();
    let keys: BTreeSet<_> = starts.iter().map(|start| start.key().0).collect();
    assert_eq!(keys.len(), names.len());
}

fn position_text_has_the_whole_state<F: Family>() {
    at_every_ply::<F>(|position, context, _| {
        let read = position.read(&position.text());
        let mut read = read.unwrap_or_else(|error| panic!("{context}: {error}"));
        assert_eq!(visible(&read), visible(position), "{context}");
        assert_eq!(read.undo(), None, "{context}");
    });
}

fn open_if_and_only_if_there_are_moves<F: Family>() {
    at_every_ply::<F>(|position, context, _| {
        assert_eq!(position.outcome().is_none(), !legal(position).is_empty(), "{context}");
    });
}

fn legal_moves_are_those_that_can_be_played_each_once<F: Family>() {
    at_every_ply::<F>(|position, context, rng| {
        let moves = legal(position);
        let set: BTreeSet<Move> = moves.iter().copied().collect();
        assert_eq!(set.len(), moves.len(), "{context}");
        assert!(moves.iter().all(|&mv| position.is_legal(mv)), "{context}");
        let tries: BTreeSet<Move> = position.tries(rng).into_iter().collect();
        for &mv in &tries {
            assert_eq!(position.is_legal(mv), set.contains(&mv), "{context}, {mv:?}");
        }
        let mut tried = moves.iter().filter(|&&mv| F::is_tried(mv));
        assert!(tried.all(|mv| tries.contains(mv)), "{context}");
    });
}

fn errors_change_nothing<F: Family>() {
    at_every_ply::<F>(|position, context, rng| {
        let (before, glance) = (visible(position), position.glance());
        for mv in position.tries(rng) {
            if !F::PLAYS_ALL && position.is_legal(mv) {
                continue;
            }
            match position.try_play(mv) {
                Ok(()) => assert_eq!(position.undo(), Some(mv), "{context}"),
                Err(_) => assert_eq!(position.glance(), glance, "{context}, {mv:?}"),
            }
        }
        assert_eq!(visible(position), before, "{context}");
    });
}

fn move_text_is_read_back_in_either_case<F: Family>() {
    at_every_ply::<F>(|position, context, rng| {
        if let Some(mv) = position.draw(2, rng) {
            let text = position.move_text(mv);
            assert_eq!(position.parse_move(&text), Some(mv), "{context}");
            assert_eq!(position.parse_move(&text.to_uppercase()), Some(mv), "{context}");
        }
    });
}

fn changes_are_those_of_the_last_ply<F: Family>() {
    at_every_ply::<F>(|position, context, rng| {
        let Some(mv) = position.draw(2, rng) else { return };
        let cells = position.cells();
        let mut replayed: Vec<_> = cells.iter().map(|&cell| position.content(cell)).collect();
        position.play(mv);
        for change in position.changes() {
            let index = cells.iter().position(|&cell| cell == change.cell).unwrap();
            assert_eq!(replayed[index], change.before, "{context}");
            replayed[index] = change.after;
        }
        let contents: Vec<_> = cells.iter().map(|&cell| position.content(cell)).collect();
        assert_eq!(replayed, contents, "{context}");
        position.undo();
    });
}

/// The image of a move under a map of cells.
fn image(mv: Move, at: impl Fn(Cell) -> Cell) -> Move {
    Move::from(match mv.kind() {
        MoveKind::Stone(cell) => MoveKind::Stone(at(cell)),
        MoveKind::Signed(cell, signs) => MoveKind::Signed(at(cell), signs),
        MoveKind::Neutral(cell) => MoveKind::Neutral(at(cell)),
        MoveKind::Bomb(cell) => MoveKind::Bomb(at(cell)),
        MoveKind::Power(cell, bonus) => MoveKind::Power(at(cell), bonus.map(at)),
        kind => kind,
    })
}

fn symmetries_commute_with_play<F: Family>() {
    for spec in F::specs() {
        for (number, symmetry) in F::start(&spec).symmetries().into_iter().enumerate() {
            let mut rng = Rng::with_seed(3);
            let (mut position, mut mirrored) = (F::start(&spec), F::start(&spec));
            while let Some(mv) = position.draw(3, &mut rng) {
                let context = format!("{spec}, symmetry {number}, {}", position.text());
                assert!(mirrored.try_play(image(mv, &symmetry)).is_ok(), "{context}");
                position.play(mv);
                assert_eq!(position.outcome(), mirrored.outcome(), "{context}");
                for cell in position.cells() {
                    let there = mirrored.content(symmetry(cell));
                    assert_eq!(position.content(cell), there, "{context}");
                }
            }
        }
    }
}

/// Defines the tests of the suite for a family.
macro_rules! family {
    ($name:ident, $position:ty, [$($law:ident),* $(,)?]) => {
        mod $name {
            $(#[test]
            fn $law() {
                super::$law::<$position>();
            })*
        }
    };
}

/// Defines the tests of the suite for each family.
macro_rules! laws {
    ($($name:ident: $position:ty),*) => {
        $(family!($name, $position, [
            undo_restores_everything,
            undoing_a_whole_game_restores_the_start,
            the_incremental_key_equals_the_computed_key,
            different_games_have_different_keys,
            position_text_has_the_whole_state,
            open_if_and_only_if_there_are_moves,
            legal_moves_are_those_that_can_be_played_each_once,
            errors_change_nothing,
            move_text_is_read_back_in_either_case,
            changes_are_those_of_the_last_ply,
            symmetries_commute_with_play,
        ]);)*
    };
}

laws!(on_squares: super::placement::Position, on_hexes: super::hex::Position, of_tiles: super::stacking::Position);
