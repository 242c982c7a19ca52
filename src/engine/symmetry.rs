//! Symmetries of games. Opening books and lists of openings treat symmetric positions as one.

use super::Game;
use pentarch_core::board::{self, HexSymmetry};
use pentarch_core::game::{Cell, Move, MoveKind};
use pentarch_core::rules::OpeningRule;
use std::collections::BTreeSet;

/// A symmetry of the board under which the rules of a game are invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSymmetry {
    /// The image of each cell, by the index of the cell. Empty for the identity.
    cells: Vec<Cell>,
}

impl GameSymmetry {
    /// The identity.
    pub const IDENTITY: GameSymmetry = GameSymmetry { cells: Vec::new() };

    /// Returns the image of a cell.
    pub fn cell(&self, cell: Cell) -> Cell {
        self.cells.get(cell.index()).copied().unwrap_or(cell)
    }

    /// Returns the image of a move. Moves without cells, such as `swap`, and tiles do not change.
    pub fn apply(&self, mv: Move) -> Move {
        Move::from(match mv.kind() {
            MoveKind::Stone(cell) => MoveKind::Stone(self.cell(cell)),
            MoveKind::Signed(cell, signs) => MoveKind::Signed(self.cell(cell), signs),
            MoveKind::Neutral(cell) => MoveKind::Neutral(self.cell(cell)),
            MoveKind::Bomb(cell) => MoveKind::Bomb(self.cell(cell)),
            MoveKind::Power(cell, bonus) => {
                MoveKind::Power(self.cell(cell), bonus.map(|cell| self.cell(cell)))
            }
            other => other,
        })
    }

    /// Returns the inverse symmetry.
    pub fn inverse(&self) -> GameSymmetry {
        let mut cells = self.cells.clone();
        for (from, to) in self.cells.iter().enumerate() {
            cells[to.index()] = Cell(from as u16);
        }
        GameSymmetry { cells }
    }
}

/// The representative of all positions that are symmetric to that of a game, with the symmetries that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalPosition {
    /// The text of the representative: the least among the texts of the symmetric positions.
    pub text: String,
    /// The symmetries that map the game to the representative: more than one if the position is symmetric.
    symmetries: Vec<GameSymmetry>,
}

impl CanonicalPosition {
    /// Returns the image of a move of the game in the representative. Moves that a symmetry of the position maps to
    /// each other have the same image.
    pub fn apply(&self, mv: Move) -> Move {
        self.symmetries.iter().map(|symmetry| symmetry.apply(mv)).min().unwrap_or(mv)
    }

    /// Returns the move of the game whose image is a move of the representative.
    pub fn apply_inverse(&self, mv: Move) -> Move {
        self.symmetries.first().map_or(mv, |symmetry| symmetry.inverse().apply(mv))
    }

    /// Whether a symmetry other than the identity maps the position to itself.
    pub fn is_symmetric(&self) -> bool {
        self.symmetries.len() > 1
    }
}

impl Game {
    /// Returns the symmetries of the board under which the rules are invariant, the identity first: at most eight on
    /// a square, twelve on a hexagon. A game that starts from a position text has only the identity. So has a
    /// game of tiles, whose table has no center.
    pub fn symmetries(&self) -> Vec<GameSymmetry> {
        let start = Game::new(self.rules().clone());
        let mut symmetries = vec![GameSymmetry::IDENTITY];
        if self.starts_from(&start) {
            let first_moves: BTreeSet<Move> = start.legal_moves().into_iter().collect();
            let others = start.board_symmetries().into_iter();
            symmetries.extend(others.filter(|symmetry| start.has_symmetry(symmetry, &first_moves)));
        }
        symmetries
    }

    /// Returns the representative of all positions that are symmetric to this one.
    ///
    /// ```
    /// use pentarch_engine::Game;
    /// let game = |moves: [&str; 2]| {
    ///     let mut game = Game::new("pente".parse().unwrap());
    ///     moves.map(|mv| game.play(mv).unwrap());
    ///     game
    /// };
    /// let (up, left) = (game(["j10", "j12"]), game(["j10", "h10"]));
    /// assert_eq!(up.canonical().text, left.canonical().text);
    /// assert_ne!(up.canonical().text, game(["j10", "k12"]).canonical().text);
    /// ```
    pub fn canonical(&self) -> CanonicalPosition {
        let mut least = CanonicalPosition { text: self.text(), symmetries: Vec::new() };
        for symmetry in self.symmetries() {
            let Some(text) = self.transformed(&symmetry).map(|game| game.text()) else { continue };
            if text < least.text {
                least = CanonicalPosition { text, symmetries: vec![symmetry] };
            } else if text == least.text {
                least.symmetries.push(symmetry);
            }
        }
        least
    }

    /// Returns the game with the images of its moves, or `None` if one of them is illegal.
    fn transformed(&self, symmetry: &GameSymmetry) -> Option<Game> {
        if *symmetry == GameSymmetry::IDENTITY {
            return Some(self.clone());
        }
        let mut game = Game::new(self.rules().clone());
        for mv in self.moves() {
            game.play_move(symmetry.apply(mv)).ok()?;
        }
        Some(game)
    }

    /// Whether the moves of the game, played from `start`, lead to the same position.
    fn starts_from(&self, start: &Game) -> bool {
        self.ply() as usize == self.moves().len() + start.ply() as usize && {
            let mut game = start.clone();
            self.moves().into_iter().all(|mv| game.play_move(mv).is_ok())
                && game.text() == self.text()
        }
    }

    /// Returns the symmetries of the board except the identity.
    fn board_symmetries(&self) -> Vec<GameSymmetry> {
        let permutation = |map: &dyn Fn(Cell) -> Cell| {
            let count = self.cells().iter().map(|cell| cell.index() + 1).max().unwrap_or(0);
            let mut cells: Vec<Cell> = (0..count).map(|index| Cell(index as u16)).collect();
            for cell in self.cells() {
                cells[cell.index()] = map(cell);
            }
            GameSymmetry { cells }
        };
        match (self.grid(), self.hex_grid()) {
            (Some(grid), _) => {
                let symmetries = board::Symmetry::all(grid).skip(1);
                symmetries.map(|symmetry| permutation(&|cell| symmetry.apply(grid, cell))).collect()
            }
            (_, Some(grid)) => {
                let symmetries = HexSymmetry::all(grid).skip(1);
                symmetries.map(|symmetry| permutation(&|cell| symmetry.apply(grid, cell))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the rules are invariant under a symmetry: the legal first moves, the center if an opening rule
    /// measures distances from it, and the points of bonus stones.
    fn has_symmetry(&self, symmetry: &GameSymmetry, first_moves: &BTreeSet<Move>) -> bool {
        let fixed = |cells: BTreeSet<Cell>| {
            cells.iter().map(|&cell| symmetry.cell(cell)).collect::<BTreeSet<_>>() == cells
        };
        if !first_moves.iter().all(|&mv| first_moves.contains(&symmetry.apply(mv))) {
            return false;
        }
        let Some(rules) = self.rules().squares() else { return true };
        let grid = rules.grid;
        let limited = rules.opening != OpeningRule::FREE;
        let diamonds = rules.stones.power.map(|(_, diamonds)| diamonds.cells(grid).collect());
        (!limited || symmetry.cell(grid.center()) == grid.center()) && diamonds.is_none_or(fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symmetries(spec: &str) -> usize {
        Game::new(spec.parse().unwrap()).symmetries().len()
    }

    #[test]
    fn games_have_the_symmetries_of_their_rules() {
        assert_eq!(symmetries("pente"), 8);
        assert_eq!(symmetries("pente-plus"), 8);
        assert_eq!(symmetries("pente-plus+diamonds=g7,m7"), 2);
        assert_eq!(symmetries("gomoku+size=10x8"), 4);
        assert_eq!(symmetries("gomoku+size=10"), 8);
        // The center cell of an even board is not at its geometric center.
        assert_eq!(symmetries("pro-pente+size=10"), 2);
        assert_eq!(symmetries("yavalath"), 12);
        assert_eq!(symmetries("pentalath"), 2);
        assert_eq!(symmetries("pent-up"), 1);
    }

    #[test]
    fn symmetric_games_share_a_representative() {
        for spec in ["pente", "keryo-pente+pro", "renju", "d-pente", "neutral-pente", "yavalath"] {
            let mut rng = fastrand::Rng::with_seed(7);
            let mut game = Game::new(spec.parse().unwrap());
            while game.outcome().is_none() && game.ply() < 12 {
                let moves = game.legal_moves();
                game.play_move(moves[rng.usize(..moves.len())]).unwrap();
                let canonical = game.canonical();
                for symmetry in game.symmetries() {
                    let transformed = game.transformed(&symmetry).unwrap();
                    assert_eq!(
                        transformed.canonical().text,
                        canonical.text,
                        "{spec}, {}",
                        game.text()
                    );
                    for mv in game.moves() {
                        assert_eq!(symmetry.inverse().apply(symmetry.apply(mv)), mv);
                        let representative = canonical.apply(mv);
                        assert_eq!(
                            canonical.apply(canonical.apply_inverse(representative)),
                            representative
                        );
                        assert_eq!(
                            transformed.canonical().apply(symmetry.apply(mv)),
                            representative
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_game_from_a_position_text_has_only_the_identity() {
        let game = Game::new("pente".parse().unwrap());
        let mut later = game.clone();
        later.play("j10").unwrap();
        let from_text = game.with_text(&later.text()).unwrap();
        assert_eq!((from_text.symmetries().len(), later.symmetries().len()), (1, 8));
    }
}
