//! `rif`, the database of `RenjuNet`: XML. Read only.
//!
//! ```text
//! <player id="7" name="Ada" surname="Byron" .../>   <tournament id="3" name="..." .../>
//! <game id="1" tournament="3" round="1" rule="1" black="7" white="8" bresult="1" ...>
//!   <move>h8 i9 j10</move>
//! </game>
//! ```
//!
//! `bresult` is the result of Black: 1, 0.5 or 0. A point is a letter, of which none is skipped,
//! and the row from the bottom; `--` is a pass. `<info>` is a comment. Other attributes of a game
//! are kept unchanged in the field `rif`. Tags in capitals are read too. There is no published
//! schema (`quinstella.net/dev/renjunet_database_format`); readers such as `import-rif.js` agree on
//! this much.

use super::format::ParsedGame;
use super::{GameResult, RecordedGame};
use pentarch_core::game::Side;
use pentarch_core::rules::Ruleset;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::io::Cursor;

/// The games of a database.
pub(super) struct RifGames {
    reader: Reader<Cursor<String>>,
    /// The line at byte `counted`.
    line: usize,
    counted: usize,
    names: HashMap<(EntityKind, String), String>,
    game: Option<OpenGame>,
    is_over: bool,
    rules: Ruleset,
}

/// A game whose end is not read yet.
struct OpenGame {
    line: usize,
    record: RecordedGame,
    moves: String,
    info: String,
    /// The element whose text is being read.
    element: Element,
    /// Why the game cannot be read.
    wrong: Option<String>,
}

impl OpenGame {
    fn add_unread(&mut self, what: &str) {
        if !self.record.unread.iter().any(|known| known == what) {
            self.record.unread.push(what.to_owned());
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Moves,
    Info,
    Other,
}

/// The kinds of entities that have an id and a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum EntityKind {
    Player,
    Tournament,
    Rule,
    Opening,
}

impl RifGames {
    pub(super) fn new(text: String, rules: Ruleset) -> RifGames {
        let mut reader = Reader::from_reader(Cursor::new(text));
        reader.config_mut().check_end_names = false;
        let names = HashMap::new();
        RifGames { reader, line: 1, counted: 0, names, game: None, is_over: false, rules }
    }
}

impl Iterator for RifGames {
    type Item = ParsedGame;

    fn next(&mut self) -> Option<ParsedGame> {
        let mut buffer = Vec::new();
        while !self.is_over {
            buffer.clear();
            match self.reader.read_event_into(&mut buffer) {
                Err(error) => {
                    self.is_over = true;
                    return Some(ParsedGame {
                        line: self.current_line(),
                        game: Err(error.to_string()),
                    });
                }
                Ok(Event::Eof) => {
                    self.is_over = true;
                    let reason = "the file ends in the middle of a game".to_owned();
                    return self
                        .game
                        .take()
                        .map(|game| ParsedGame { line: game.line, game: Err(reason) });
                }
                Ok(Event::Empty(tag)) => {
                    self.open(&tag);
                    if let Some(found) = self.close(&tag.name().as_ref().to_ascii_lowercase()) {
                        return Some(found);
                    }
                }
                Ok(Event::Start(tag)) => self.open(&tag),
                Ok(Event::Text(text)) => self.text(&text.decode().unwrap_or_default()),
                Ok(Event::CData(text)) => self.text(&text.decode().unwrap_or_default()),
                Ok(Event::GeneralRef(entity)) => match resolved(&entity) {
                    Ok(text) => self.text(&text),
                    Err(reason) => {
                        if let Some(game) = &mut self.game {
                            game.wrong.get_or_insert(reason);
                        }
                    }
                },
                Ok(Event::End(tag)) => {
                    if let Some(found) = self.close(&tag.name().as_ref().to_ascii_lowercase()) {
                        return Some(found);
                    }
                }
                Ok(_) => (),
            }
        }
        None
    }
}

impl RifGames {
    fn text(&mut self, text: &str) {
        let Some(game) = &mut self.game else { return };
        match game.element {
            Element::Moves => game.moves.push_str(text),
            Element::Info => game.info.push_str(text),
            Element::Other if text.trim().is_empty() => (),
            Element::Other => game.add_unread("text of other elements"),
        }
    }

    /// Ends an element. Returns the game if it is the end of one.
    fn close(&mut self, name: &[u8]) -> Option<ParsedGame> {
        match (name, &mut self.game) {
            (b"move" | b"info", Some(game)) => {
                // The texts of two elements must not run together.
                game.moves.push(' ');
                game.element = Element::Other;
                None
            }
            (b"game", _) => {
                let OpenGame { line, mut record, moves, info, wrong, .. } = self.game.take()?;
                if let Some(reason) = wrong {
                    return Some(ParsedGame { line, game: Err(reason) });
                }
                record.moves = moves.split_whitespace().map(point).collect();
                let comments = [record.comment.as_str(), info.trim()];
                let known: Vec<&str> =
                    comments.into_iter().filter(|text| !text.is_empty()).collect();
                record.comment = known.join("\n");
                Some(ParsedGame { line, game: Ok(record) })
            }
            _ => None,
        }
    }

    fn current_line(&mut self) -> usize {
        let at =
            (self.reader.buffer_position() as usize).min(self.reader.get_ref().get_ref().len());
        let text = self.reader.get_ref().get_ref().as_bytes();
        self.line += text[self.counted..at].split(|&byte| byte == b'\n').count() - 1;
        self.counted = at;
        self.line
    }

    fn open(&mut self, tag: &BytesStart<'_>) {
        let name = tag.name().as_ref().to_ascii_lowercase();
        let (attributes, wrong) = attributes(tag);
        let kind = match name.as_slice() {
            b"player" => EntityKind::Player,
            b"tournament" => EntityKind::Tournament,
            b"rule" => EntityKind::Rule,
            b"opening" => EntityKind::Opening,
            b"game" => {
                let nested = self.game.is_some().then(|| "a game begins in another".to_owned());
                let wrong = nested.or(wrong);
                self.game = Some(OpenGame {
                    line: self.current_line(),
                    record: self.header(attributes),
                    moves: String::new(),
                    info: String::new(),
                    element: Element::Other,
                    wrong,
                });
                return;
            }
            name => {
                if let Some(game) = &mut self.game {
                    game.element = match name {
                        b"move" => Element::Moves,
                        b"info" => Element::Info,
                        _ => Element::Other,
                    };
                    if game.element == Element::Other {
                        game.add_unread(&format!("<{}>", String::from_utf8_lossy(name)));
                    }
                }
                return;
            }
        };
        let text = |key: &str| attributes.get(key).map_or("", String::as_str);
        let name = [text("name"), text("surname")].join(" ").trim().to_owned();
        if !name.is_empty() && attributes.contains_key("id") {
            self.names.insert((kind, text("id").to_owned()), name);
        }
    }

    fn header(&self, mut attributes: HashMap<String, String>) -> RecordedGame {
        let mut take = |key: &str| attributes.remove(key).unwrap_or_default();
        let named = |kind, id: String| self.names.get(&(kind, id.clone())).cloned().unwrap_or(id);
        let rule = named(EntityKind::Rule, take("rule"));
        let result = take("bresult");
        let mut game = RecordedGame {
            game: take("id").parse().ok(),
            event: named(EntityKind::Tournament, take("tournament")),
            round: take("round"),
            players: vec![
                named(EntityKind::Player, take("black")),
                named(EntityKind::Player, take("white")),
            ],
            rules: Some(self.rules.to_string()),
            result: match result.as_str() {
                "1" => Some(GameResult::Win(Side(0))),
                "0" => Some(GameResult::Win(Side(1))),
                "0.5" => Some(GameResult::Draw),
                _ => None,
            },
            comment: if rule.is_empty() { rule } else { format!("rule {rule}") },
            ..RecordedGame::default()
        };
        if game.result.is_none() && !result.is_empty() {
            game.unread.push(format!("bresult[{result}]"));
        }
        let opening = named(EntityKind::Opening, take("opening"));
        attributes.insert("opening".to_owned(), opening);
        let other = attributes.into_iter().filter(|(_, value)| !value.is_empty());
        let other: Map<String, Value> = other.map(|(key, value)| (key, value.into())).collect();
        if !other.is_empty() {
            game.other.insert("rif".to_owned(), other.into());
        }
        game
    }
}

/// Parses a point of a list of moves, or a pass.
fn point(text: &str) -> String {
    if text == "--" { "pass".to_owned() } else { text.to_lowercase() }
}

/// Resolves an entity that XML defines, or a number. Entities that the file declares are not
/// resolved.
fn resolved(entity: &BytesRef<'_>) -> Result<String, String> {
    let name = entity.decode().map_err(|error| error.to_string())?;
    match entity.resolve_char_ref() {
        Ok(Some(c)) => Ok(c.to_string()),
        Ok(None) => match resolve_predefined_entity(&name) {
            Some(text) => Ok(text.to_owned()),
            None => Err(format!("the entity `&{name};` is not known")),
        },
        Err(error) => Err(error.to_string()),
    }
}

/// Returns the attributes of a tag by lower-case name, with their entities resolved, and what is
/// wrong with the first invalid one.
fn attributes(tag: &BytesStart<'_>) -> (HashMap<String, String>, Option<String>) {
    let (mut attributes, mut wrong) = (HashMap::new(), None);
    for attribute in tag.attributes().with_checks(false) {
        let read = attribute.map_err(|error| error.to_string()).and_then(|attribute| {
            let key = String::from_utf8_lossy(attribute.key.as_ref()).to_lowercase();
            let value = attribute.unescape_value().map_err(|error| format!("`{key}`: {error}"))?;
            Ok((key, value.into_owned()))
        });
        match read {
            Ok((key, value)) => {
                attributes.insert(key, value);
            }
            Err(reason) => {
                wrong.get_or_insert(reason);
            }
        }
    }
    (attributes, wrong)
}
