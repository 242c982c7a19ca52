//! Games seen in a mirror: what books and lists of openings treat as one.

use super::Game;
use pentarch_core::board::{HexSymmetry, Symmetry};
use pentarch_core::game::{Cell, Move, MoveKind};
use pentarch_core::rules::OpeningRule;
use std::collections::BTreeSet;

/// A symmetry of a board that a game's rules do not notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Where it takes each cell, by the number of the cell. Empty for the identity.
    cells: Vec<Cell>,
}

impl Image {
    /// The image that changes nothing.
    pub const IDENTITY: Image = Image { cells: Vec::new() };

    /// Where a cell goes.
    pub fn cell(&self, cell: Cell) -> Cell {
        self.cells.get(cell.index()).copied().unwrap_or(cell)
    }

    /// The same move on the other side of the mirror. Tiles and words stay as they are.
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

    /// The image that leads back.
    pub fn inverse(&self) -> Image {
        let mut cells = self.cells.clone();
        for (from, to) in self.cells.iter().enumerate() {
            cells[to.index()] = Cell(from as u16);
        }
        Image { cells }
    }
}

/// The position that all images of a game have in common, and the way there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The text of the position, the least of all images.
    pub text: String,
    /// The images that lead there: one, or more where the position itself is symmetric.
    images: Vec<Image>,
}

impl Canonical {
    /// A move of the game as one of the position; moves that a symmetry of the position makes alike
    /// are one.
    pub fn apply(&self, mv: Move) -> Move {
        self.images.iter().map(|image| image.apply(mv)).min().unwrap_or(mv)
    }

    /// A move of the position as one of the game.
    pub fn back(&self, mv: Move) -> Move {
        self.images.first().map_or(mv, |image| image.inverse().apply(mv))
    }

    /// Whether the position is its own image.
    pub fn is_symmetric(&self) -> bool {
        self.images.len() > 1
    }
}

impl Game {
    /// The symmetries of the board that leave the rules as they are, the identity first: eight of a
    /// square, twelve of a hexagon. A game that begins at a position of its own has the identity
    /// alone, and so do tiles, whose table has no middle.
    pub fn images(&self) -> Vec<Image> {
        let start = Game::new(self.rules().clone());
        let mut images = vec![Image::IDENTITY];
        if self.begins_at(&start) {
            let first: BTreeSet<Move> = start.legal_moves().into_iter().collect();
            let others = start.board_images().into_iter();
            images.extend(others.filter(|image| start.is_fixed_by(image, &first)));
        }
        images
    }

    /// The position that all images of the game have in common.
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
    pub fn canonical(&self) -> Canonical {
        let mut least = Canonical { text: self.text(), images: Vec::new() };
        for image in self.images() {
            let Some(text) = self.seen_in(&image).map(|game| game.text()) else { continue };
            if text < least.text {
                least = Canonical { text, images: vec![image] };
            } else if text == least.text {
                least.images.push(image);
            }
        }
        least
    }

    /// The same game on the other side of the mirror, or none if the rules do not allow it there.
    fn seen_in(&self, image: &Image) -> Option<Game> {
        if *image == Image::IDENTITY {
            return Some(self.clone());
        }
        let mut game = Game::new(self.rules().clone());
        for mv in self.moves() {
            game.play_move(image.apply(mv)).ok()?;
        }
        Some(game)
    }

    /// Whether the game began where another one is.
    fn begins_at(&self, start: &Game) -> bool {
        self.ply() as usize == self.moves().len() + start.ply() as usize && {
            let mut game = start.clone();
            self.moves().into_iter().all(|mv| game.play_move(mv).is_ok())
                && game.text() == self.text()
        }
    }

    /// What each symmetry of the board does, the identity left out.
    fn board_images(&self) -> Vec<Image> {
        let image = |take: &dyn Fn(Cell) -> Cell| {
            let count = self.cells().iter().map(|cell| cell.index() + 1).max().unwrap_or(0);
            let mut cells: Vec<Cell> = (0..count).map(|number| Cell(number as u16)).collect();
            for cell in self.cells() {
                cells[cell.index()] = take(cell);
            }
            Image { cells }
        };
        match (self.grid(), self.hex_grid()) {
            (Some(grid), _) => {
                let symmetries = Symmetry::all(grid).skip(1);
                symmetries.map(|symmetry| image(&|cell| symmetry.apply(grid, cell))).collect()
            }
            (_, Some(grid)) => {
                let symmetries = HexSymmetry::all(grid).skip(1);
                symmetries.map(|symmetry| image(&|cell| symmetry.apply(grid, cell))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the rules are the same in the mirror: what may be played first, which is `first`, how
    /// far everything is from the center, and the points for bonus stones.
    fn is_fixed_by(&self, image: &Image, first: &BTreeSet<Move>) -> bool {
        let fixed = |cells: BTreeSet<Cell>| {
            cells.iter().map(|&cell| image.cell(cell)).collect::<BTreeSet<_>>() == cells
        };
        if !first.iter().all(|&mv| first.contains(&image.apply(mv))) {
            return false;
        }
        let Some(rules) = self.rules().squares() else { return true };
        let grid = rules.grid;
        let limited = rules.opening != OpeningRule::FREE;
        let diamonds = rules.stones.power.map(|(_, diamonds)| diamonds.cells(grid).collect());
        (!limited || image.cell(grid.center()) == grid.center()) && diamonds.is_none_or(fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn images(spec: &str) -> usize {
        Game::new(spec.parse().unwrap()).images().len()
    }

    #[test]
    fn rules_that_notice_a_symmetry_do_not_have_it() {
        assert_eq!(images("pente"), 8);
        assert_eq!(images("pente-plus"), 8);
        assert_eq!(images("pente-plus+diamonds=g7,m7"), 2);
        assert_eq!(images("gomoku+size=10x8"), 4);
        assert_eq!(images("gomoku+size=10"), 8);
        // The center of an even board is not its middle.
        assert_eq!(images("pro-pente+size=10"), 2);
        assert_eq!(images("yavalath"), 12);
        assert_eq!(images("pentalath"), 2);
        assert_eq!(images("pent-up"), 1);
    }

    #[test]
    fn images_of_a_game_have_one_text_and_lead_back() {
        for spec in ["pente", "keryo-pente+pro", "renju", "d-pente", "neutral-pente", "yavalath"] {
            let mut rng = fastrand::Rng::with_seed(7);
            let mut game = Game::new(spec.parse().unwrap());
            while game.outcome().is_none() && game.ply() < 12 {
                let moves = game.legal_moves();
                game.play_move(moves[rng.usize(..moves.len())]).unwrap();
                let canonical = game.canonical();
                for image in game.images() {
                    let seen = game.seen_in(&image).unwrap();
                    assert_eq!(seen.canonical().text, canonical.text, "{spec}, {}", game.text());
                    for mv in game.moves() {
                        assert_eq!(image.inverse().apply(image.apply(mv)), mv);
                        let there = canonical.apply(mv);
                        assert_eq!(canonical.apply(canonical.back(there)), there);
                        assert_eq!(seen.canonical().apply(image.apply(mv)), there);
                    }
                }
            }
        }
    }

    #[test]
    fn a_game_from_a_position_stands_alone() {
        let game = Game::new("pente".parse().unwrap());
        let mut later = game.clone();
        later.play("j10").unwrap();
        let from_text = game.with_text(&later.text()).unwrap();
        assert_eq!((from_text.images().len(), later.images().len()), (1, 8));
    }
}
