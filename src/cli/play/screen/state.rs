//! What a screen shows besides the game.

use super::super::cursor::Cursor;
use super::super::tile_choice::TileChoice;
use crate::play::Host;
use pentarch_records::picture::{CursorTarget, TextStyle, tile_spots};

/// The game with what somebody is about to do.
#[derive(Debug)]
pub(super) struct Screen {
    pub host: Host,
    pub look: TextStyle,
    /// What has been typed of a line.
    pub input: String,
    pub cursor: Cursor,
    pub tile: TileChoice,
    /// The option of a question on which the arrows are.
    pub selected: usize,
    /// A page of text over the board, and its first line that is shown.
    pub page: Option<(Vec<String>, usize)>,
    /// The game that the cursor belongs to, and its ply.
    known: (String, u32),
}

impl Screen {
    pub(super) fn new(mut host: Host, look: TextStyle) -> Screen {
        host.has_cursor = true;
        let cursor = Cursor::of(host.game());
        let (input, tile) = (String::new(), TileChoice::default());
        let mut screen = Screen {
            host,
            look,
            input,
            cursor,
            tile,
            selected: 0,
            page: None,
            known: (String::new(), 0),
        };
        screen.follow();
        screen
    }

    /// Forgets what belongs to an older position.
    pub(super) fn follow(&mut self) {
        let game = self.host.game();
        let now = (game.rules().to_string(), game.ply());
        if now.0 != self.known.0 {
            self.cursor = Cursor::of(game);
        }
        if now != self.known {
            self.tile.clear();
            self.selected = 0;
            self.look_at_tile();
            self.known = now;
        }
        if let Some(page) = self.host.page.take() {
            self.page = Some((page, 0));
        }
        let options = self.host.question.as_ref().map_or(0, |asked| asked.options.len());
        self.selected = self.selected.min(options.saturating_sub(1));
    }

    /// Goes to the tile that an engine has placed, which may lie beyond the part of the table that is
    /// seen.
    fn look_at_tile(&mut self) {
        let last = self.host.table.plies().last();
        let of_engine = last.filter(|ply| !self.host.table.sitters()[ply.seat.index()].is_person());
        let spot = of_engine.and_then(|ply| tile_spots(ply.mv).first().copied());
        if let Some(spot) = spot {
            self.cursor.at = CursorTarget::Spot(spot);
        }
    }

    /// Does what a line says.
    pub(super) fn do_line(&mut self, line: &str) {
        self.host.do_line(line);
        self.follow();
    }
}

/// A screen for tests, of a game between players that are listed with commas.
#[cfg(test)]
pub(super) fn of(spec: &str, players: &str) -> Screen {
    use crate::play::{Setup, Sitter, Table};
    use pentarch_arena::TimeControl;
    use pentarch_engine::{Game, Options};
    let game = Game::new(spec.parse().unwrap());
    let table = Table::new(&game, Sitter::parse_all(players, game.seats(), 1).unwrap(), None);
    let options = Options { hash: 1, ..Options::default() };
    let setup = Setup { level: 1, options, control: TimeControl::default() };
    Screen::new(Host::new(table, setup), TextStyle::Plain)
}
