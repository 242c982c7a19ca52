//! The database of `RenjuNet` (`.rif`): XML, read only.
//!
//! ```text
//! <player id="7" name="Ada" surname="Byron" .../>   <tournament id="3" name="..." .../>
//! <game id="1" tournament="3" round="1" rule="1" black="7" white="8" bresult="1" ...>
//!   <move>h8 i9 j10</move>
//! </game>
//! ```
//!
//! `bresult` is Black's: 1, 0.5 or 0. Points have a letter, none skipped, and the row from the bottom.
//! There is no published schema (`quinstella.net/dev/renjunet_database_format`); readers such as
//! `import-rif.js` agree on this much.

use super::read::Found;
use super::{GameResult, RecordedGame};
use pentarch_core::game::Side;
use pentarch_core::rules::Ruleset;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashMap;
use std::io::Cursor;

/// The games of a database.
pub(super) struct Rif {
    reader: Reader<Cursor<String>>,
    /// The line of the last place that was counted.
    line: usize,
    counted: usize,
    names: HashMap<(Kind, String), String>,
    game: Option<(usize, RecordedGame)>,
    in_moves: bool,
    is_over: bool,
}

/// What has a number and a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Player,
    Tournament,
    Rule,
}

impl Rif {
    pub(super) fn new(text: String) -> Rif {
        let mut reader = Reader::from_reader(Cursor::new(text));
        reader.config_mut().check_end_names = false;
        Rif {
            reader,
            line: 1,
            counted: 0,
            names: HashMap::new(),
            game: None,
            in_moves: false,
            is_over: false,
        }
    }

    /// The next game.
    pub(super) fn next(&mut self, rules: &Ruleset) -> Option<Found> {
        let mut buffer = Vec::new();
        while !self.is_over {
            buffer.clear();
            match self.reader.read_event_into(&mut buffer) {
                Err(error) => {
                    self.is_over = true;
                    return Some((self.line(), Err(error.to_string())));
                }
                Ok(Event::Eof) => {
                    self.is_over = true;
                    let reason = "the file ends in the middle of a game".to_owned();
                    return self.game.take().map(|(line, _)| (line, Err(reason)));
                }
                Ok(Event::Empty(tag) | Event::Start(tag)) => self.open(&tag, rules),
                Ok(Event::Text(text)) if self.in_moves => {
                    if let (Some((_, game)), Ok(text)) = (&mut self.game, text.decode()) {
                        game.moves.extend(text.split_whitespace().map(str::to_lowercase));
                    }
                }
                Ok(Event::End(tag)) => match tag.name().as_ref() {
                    b"move" => self.in_moves = false,
                    b"game" => return self.game.take().map(|(line, game)| (line, Ok(game))),
                    _ => (),
                },
                Ok(_) => (),
            }
        }
        None
    }

    fn line(&mut self) -> usize {
        let at =
            (self.reader.buffer_position() as usize).min(self.reader.get_ref().get_ref().len());
        let text = self.reader.get_ref().get_ref().as_bytes();
        self.line += text[self.counted..at].split(|&byte| byte == b'\n').count() - 1;
        self.counted = at;
        self.line
    }

    fn open(&mut self, tag: &BytesStart<'_>, rules: &Ruleset) {
        let kind = match tag.name().as_ref() {
            b"player" => Kind::Player,
            b"tournament" => Kind::Tournament,
            b"rule" => Kind::Rule,
            b"game" => {
                let line = self.line();
                self.game = Some((line, self.header(tag, rules)));
                return;
            }
            b"move" => {
                self.in_moves = true;
                return;
            }
            _ => return,
        };
        let names = [attribute(tag, "surname"), attribute(tag, "name")];
        let name = names.into_iter().rev().flatten().collect::<Vec<_>>().join(" ");
        if let Some(id) = attribute(tag, "id").filter(|_| !name.is_empty()) {
            self.names.insert((kind, id), name);
        }
    }

    fn header(&self, tag: &BytesStart<'_>, rules: &Ruleset) -> RecordedGame {
        let text = |key: &str| attribute(tag, key).unwrap_or_default();
        let named = |kind, key: &str| {
            let id = text(key);
            self.names.get(&(kind, id.clone())).cloned().unwrap_or(id)
        };
        let rule = named(Kind::Rule, "rule");
        RecordedGame {
            game: text("id").parse().ok(),
            event: named(Kind::Tournament, "tournament"),
            round: text("round"),
            players: vec![named(Kind::Player, "black"), named(Kind::Player, "white")],
            rules: Some(rules.to_string()),
            result: match text("bresult").as_str() {
                "1" => Some(GameResult::Win(Side(0))),
                "0" => Some(GameResult::Win(Side(1))),
                "0.5" => Some(GameResult::Draw),
                _ => None,
            },
            comment: if rule.is_empty() { rule } else { format!("rule {rule}") },
            ..RecordedGame::default()
        }
    }
}

/// An attribute with its entities read.
fn attribute(tag: &BytesStart<'_>, key: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(key).ok()??;
    Some(attribute.unescape_value().ok()?.into_owned())
}
