//! A tile chosen cell by cell.

use pentarch_core::game::{Move, MoveKind};
use pentarch_core::stacking::{Oriented, Spot};
use pentarch_engine::Game;
use pentarch_records::picture::{MarkedPoint, tile_spots};
use std::collections::BTreeSet;

/// The cells chosen so far, and the tiles that they can become.
#[derive(Clone, Debug, Default)]
pub(super) struct TileChoice {
    chosen: Vec<Spot>,
    /// The legal tiles with all these cells.
    fitting: Vec<Move>,
}

impl TileChoice {
    /// Chooses a cell, or no longer.
    pub(super) fn toggle(&mut self, game: &Game, spot: Spot) {
        match self.chosen.iter().position(|&chosen| chosen == spot) {
            Some(index) => drop(self.chosen.remove(index)),
            None if self.chosen.len() < 5 => self.chosen.push(spot),
            None => (),
        }
        self.fitting = game.legal_moves();
        self.fitting.retain(|&mv| {
            let spots = tile_spots(mv);
            self.chosen.iter().all(|spot| spots.contains(spot))
        });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    pub(super) fn clear(&mut self) {
        *self = TileChoice::default();
    }

    /// The move text of five cells, or of the only tile that fits.
    pub(super) fn text(&self, game: &Game) -> Option<String> {
        match self.fitting.as_slice() {
            [mv] if !self.is_empty() => Some(game.move_text(*mv)),
            _ if self.chosen.len() == 5 => {
                let names: Vec<_> = self.chosen.iter().map(Spot::to_string).collect();
                Some(names.join(","))
            }
            _ => None,
        }
    }

    /// The chosen cells, and those that can come next, to be drawn.
    pub(super) fn marks(&self) -> Vec<MarkedPoint> {
        let chosen = self.chosen.iter().map(|&spot| MarkedPoint::at_spot(spot, "#"));
        let mut next: BTreeSet<Spot> = BTreeSet::new();
        if !self.is_empty() {
            next.extend(self.fitting.iter().flat_map(|&mv| tile_spots(mv)));
        }
        let next = next.iter().filter(|spot| !self.chosen.contains(spot));
        chosen.chain(next.map(|&spot| MarkedPoint::at_spot(spot, ""))).collect()
    }

    /// What the chosen cells can become, in words.
    pub(super) fn words(&self, game: &Game) -> String {
        let shapes = |mv: &Move| match mv.kind() {
            MoveKind::Tile(orientation, _) => Some(Oriented::of(orientation).shape.letter()),
            _ => None,
        };
        let shapes: BTreeSet<char> = self.fitting.iter().filter_map(shapes).collect();
        let shapes: Vec<_> = shapes.iter().map(char::to_string).collect();
        let level = |mv| game.stacking().map_or(1, |position| position.level_of(mv));
        match (self.fitting.as_slice(), self.chosen.len()) {
            (_, 0) => "Space chooses the cells of a tile, enter places it.".to_owned(),
            ([], _) => "No tile that may be placed has these cells.".to_owned(),
            ([mv], 5) => format!("Tile {} on level {}: enter places it.", shapes[0], level(*mv)),
            ([mv], _) => {
                format!("Only tile {} on level {} fits: enter places it.", shapes[0], level(*mv))
            }
            (tiles, chosen) => {
                let (count, left) = (tiles.len(), 5 - chosen);
                format!("{left} more cells; {count} tiles fit: {}.", shapes.join(" "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_become_a_tile() {
        let mut game = Game::new("pent-up".parse().unwrap());
        game.play("cg85,cg86,cg87,cg88,cg89").unwrap();
        let mut choice = TileChoice::default();
        let toggle =
            |choice: &mut TileChoice, text: &str| choice.toggle(&game, text.parse().unwrap());
        for text in ["ch85", "ch86", "ch87"] {
            toggle(&mut choice, text);
        }
        assert_eq!(choice.text(&game), None);
        assert!(choice.words(&game).starts_with("2 more cells; "), "{}", choice.words(&game));
        assert!(choice.marks().len() > 3 + 5);
        for text in ["ch88", "ch89"] {
            toggle(&mut choice, text);
        }
        assert_eq!(choice.text(&game).as_deref(), Some("ch85,ch86,ch87,ch88,ch89"));
        assert_eq!(choice.words(&game), "Tile I on level 1: enter places it.");
        toggle(&mut choice, "ci85");
        assert_eq!(choice.marks().len(), 5, "five are enough");
        toggle(&mut choice, "ch89");
        toggle(&mut choice, "cg89");
        assert_eq!(choice.words(&game), "No tile that may be placed has these cells.");
        assert!(game.play(&choice.text(&game).unwrap()).is_err());
    }
}
