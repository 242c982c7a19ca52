//! Records as trees and trees as records.

use super::replay::{Problem, Replay, SgfError};
use super::view::{Shape, Stone};
use super::{NodeId, Tree, variations};
use crate::losses::Losses;
use crate::{GameResult, RecordedGame, RecordedPly};
use pentarch_core::game::{Color, Move, MoveKind, Side};
use pentarch_core::rules::pente_org::{spec_of_name, spec_of_number};
use pentarch_core::rules::{Ruleset, SpecError};
use pentarch_engine::Game;

/// What our records say of a game and SGF has no property for, as JSON.
const RECORD: &str = "JR";
/// What our records say of a move.
const PLY: &str = "JP";

/// Our names of marks and the properties.
const MARKS: [(&str, &str); 5] =
    [("triangle", "TR"), ("square", "SQ"), ("circle", "CR"), ("cross", "MA"), ("label", "LB")];

/// The properties that are read, and those that speak of the file and not of its game.
const READ: [&str; 35] = [
    "B", "W", "MT", "AB", "AW", "AE", "PL", "POS", "RU", "SZ", "GM", "RE", "DT", "EV", "PC", "RO",
    "C", "TM", "TE", "PB", "PW", "BR", "WR", RECORD, PLY, "TR", "SQ", "CR", "MA", "LB", "FF", "CA",
    "AP", "ST", "VW",
];

/// More kinds of properties that are not read are not named, nor more letters of one.
const MOST_UNREAD: usize = 16;

/// More moves are no game.
const MOST_MOVES: usize = 100_000;

/// The main line of a tree as a game. Moves that the rules refuse are kept as points.
pub(crate) fn read_game(tree: &Tree, wanted: Option<&Ruleset>) -> Result<RecordedGame, String> {
    let rules = usual_rules(tree, wanted)?;
    let mut replay = Replay::new(tree, &rules).map_err(|error| error.to_string())?;
    let mut game = head(tree, &replay)?;
    let start = replay.clone();
    let mut refused = false;
    for node in tree.main_line() {
        let before = game.moves.len();
        if !refused {
            match replay.step(node) {
                Ok(()) => {
                    let moves = replay.game.moves();
                    game.moves.extend(moves[before..].iter().map(|&mv| replay.game.move_text(mv)));
                }
                // What was played against the rules is on record all the same.
                Err(SgfError::Move(_, problem)) if !matches!(problem, Problem::Point(_)) => {
                    refused = true;
                }
                Err(error) => return Err(error.to_string()),
            }
        }
        if refused {
            game.moves.extend(bare_move(tree, node, replay.shape(), &replay.game));
        }
        if game.moves.len() > MOST_MOVES {
            return Err(format!("more than {MOST_MOVES} moves"));
        }
        notes(tree, node, &replay, &mut game);
    }
    variations::read(tree, start, &mut game)?;
    let unread = tree.names().filter(|name| !READ.contains(name)).take(MOST_UNREAD);
    game.unread = unread.map(|name| name.chars().take(MOST_UNREAD).collect()).collect();
    Ok(game)
}

/// The rules where the file does not name ours: those of its own names, then those wanted.
fn usual_rules(tree: &Tree, wanted: Option<&Ruleset>) -> Result<Ruleset, String> {
    let number = tree.get(Tree::ROOT, "GM").and_then(|text| text.trim().parse::<u32>().ok());
    let words = tree.get(Tree::ROOT, "RU").unwrap_or_default().to_ascii_lowercase();
    let said = match (number, words.trim()) {
        (Some(4), "0") => Some("gomoku"),
        (Some(4), "1") => Some("gomoku-standard"),
        (Some(4), "4") => Some("renju"),
        (_, words) if words.contains("renju") => Some("renju"),
        (Some(4), words) if words.contains("standard") => Some("gomoku-standard"),
        (Some(number @ 101..=200), _) => spec_of_number(number - 100),
        (_, words) => spec_of_name(words),
    };
    // Programs for gomoku write the numbers of other games, but on boards that no other game has.
    let size = tree.get(Tree::ROOT, "SZ").map(str::trim);
    let is_gomoku = number == Some(4) || matches!(size, Some("15" | "20"));
    let fallback = if is_gomoku { "gomoku" } else { "pente" };
    let said = said.and_then(|spec| spec.parse().ok()).or_else(|| wanted.cloned());
    said.map_or_else(|| fallback.parse().map_err(|error: SpecError| error.to_string()), Ok)
}

/// A move of a node that is not played: its text, or the name of its point.
pub(super) fn bare_move(tree: &Tree, node: NodeId, shape: Shape, game: &Game) -> Option<String> {
    if let Some(text) = tree.get(node, "MT") {
        return Some(text.to_owned());
    }
    let point = tree.get(node, "B").or_else(|| tree.get(node, "W"))?;
    Some(match shape.parse(point.trim()) {
        Some(cell) => game.cell_text(cell),
        None => "pass".to_owned(),
    })
}

/// What is said of the game as a whole.
fn head(tree: &Tree, replay: &Replay<'_>) -> Result<RecordedGame, String> {
    let get = |name: &str| tree.get(Tree::ROOT, name).unwrap_or_default().to_owned();
    let mut game: RecordedGame = match tree.get(Tree::ROOT, RECORD) {
        Some(json) => serde_json::from_str(json).map_err(|error| format!("`{RECORD}`: {error}"))?,
        None => RecordedGame::default(),
    };
    let start = &replay.game;
    let rules = start.rules();
    game.rules = Some(rules.to_string());
    let bare = Game::new(rules.clone()).text();
    game.initial_position = Some(start.text()).filter(|text| *text != bare);
    if game.date.is_empty() {
        game.date = get("DT");
    }
    for (field, name) in [
        (&mut game.event, "EV"),
        (&mut game.site, "PC"),
        (&mut game.round, "RO"),
        (&mut game.comment, "C"),
    ] {
        *field = get(name);
    }
    if game.detail.is_empty() {
        game.detail = get("TE");
    }
    if game.time_controls.is_empty() {
        game.time_controls.extend(tree.get(Tree::ROOT, "TM").map(str::to_owned));
    }
    // Black is the first player, but where White makes the first move.
    let order = if replay.is_flipped() { ["W", "B"] } else { ["B", "W"] };
    if game.players.is_empty() {
        let names = order.map(|color| get(&format!("P{color}")));
        game.players = if names.iter().all(String::is_empty) { Vec::new() } else { names.to_vec() };
    }
    if game.ratings.is_empty() {
        let ratings = order.map(|color| get(&format!("{color}R")).trim().parse().ok());
        game.ratings = if ratings == [None, None] { Vec::new() } else { ratings.to_vec() };
    }
    let result = get("RE");
    game.result =
        game.result.or(match result.trim().chars().next().map(|c| c.to_ascii_uppercase()) {
            Some(c @ ('B' | 'W')) => {
                Some(GameResult::Win(Side(u8::from(c.to_string() != order[0]))))
            }
            Some('0' | 'D') => Some(GameResult::Draw),
            _ => None,
        });
    Ok(game)
}

/// What a node says of the last move: comments, marks, and our own.
fn notes(tree: &Tree, node: NodeId, replay: &Replay<'_>, game: &mut RecordedGame) {
    let own_marks = super::play::has_own_marks(&replay.game);
    let says = |name: &str| match name {
        "C" | PLY => true,
        "TR" | "SQ" => !own_marks,
        name => mark_of(name).is_some(),
    };
    let Some(index) = game.moves.len().checked_sub(1) else { return };
    if tree.properties(node).any(|(name, _)| says(name))
        && let Some(ply) = game.ply_mut(index)
    {
        note(tree, node, replay, ply);
    }
}

/// Our name of a mark.
fn mark_of(property: &str) -> Option<&'static str> {
    MARKS.iter().find(|(_, known)| *known == property).map(|&(name, _)| name)
}

/// Adds what a node says to its move.
pub(super) fn note(tree: &Tree, node: NodeId, replay: &Replay<'_>, ply: &mut RecordedPly) {
    let own_marks = super::play::has_own_marks(&replay.game);
    // c-gomoku-cli does not name itself.
    let foreign = tree.get(Tree::ROOT, "AP").is_none();
    for (name, value) in tree.properties(node) {
        match (name, mark_of(name)) {
            ("C", _) if foreign && milliseconds(value).is_some() => ply.time = milliseconds(value),
            ("C", _) => {
                ply.comment += if ply.comment.is_empty() { "" } else { "\n" };
                ply.comment += value;
            }
            (PLY, _) => {
                let read = serde_json::from_str::<RecordedPly>(value).unwrap_or_default();
                let RecordedPly { mv, comment, marks, .. } = std::mem::take(ply);
                *ply = RecordedPly { mv, comment, marks, ..read };
            }
            ("TR" | "SQ", _) if own_marks => (),
            (_, Some(mark)) => {
                let (point, label) = value.split_once(':').unwrap_or((value, ""));
                let Some(cell) = replay.shape().parse(point.trim()) else { continue };
                let text = format!("{mark} {} {label}", replay.game.cell_text(cell));
                ply.marks.push(text.trim_end().to_owned());
            }
            _ => (),
        }
    }
}

/// The time of a move as c-gomoku-cli has it in a comment, `17ms`.
fn milliseconds(comment: &str) -> Option<f64> {
    let digits = comment.strip_suffix("ms").filter(|text| text.len() < 16)?;
    digits.parse::<u64>().ok().map(|time| time as f64)
}

/// A game as a tree.
pub(crate) fn write_game(game: &RecordedGame, rules: &Ruleset) -> Result<Tree, String> {
    let mut now = game.start(rules).map_err(|error| error.to_string())?;
    let mut tree = Tree::start(&now);
    tree.push_game_number(now.rules());
    push_head(&mut tree, game, &now);
    let start = now.clone();
    let mut node = Tree::ROOT;
    let mut nodes = vec![node];
    let mut refused = false;
    for (index, text) in game.moves.iter().enumerate() {
        let played = match now.parse_move(text) {
            Ok(mv) if !refused => tree.play(node, &mut now, mv).ok(),
            _ => None,
        };
        node = played.unwrap_or_else(|| {
            refused = true;
            push_refused(&mut tree, node, &now, text, index)
        });
        if let Some(ply) = game.ply(index) {
            push_notes(&mut tree, node, &now, ply);
        }
        nodes.push(node);
    }
    variations::push(&mut tree, &start, game, nodes);
    Ok(tree)
}

impl Tree {
    /// Says at the root what a record says of its game as a whole: names, date, result, comment and
    /// what SGF has no property for.
    pub fn push_head(&mut self, game: &RecordedGame, start: &Game) {
        push_head(self, game, start);
    }

    /// Says after a node what a record says of the move to it: marks, comment, values. The game is the
    /// one after the move.
    pub fn push_notes(&mut self, node: NodeId, game: &Game, ply: &RecordedPly) {
        push_notes(self, node, game, ply);
    }
}

fn push_head(tree: &mut Tree, game: &RecordedGame, start: &Game) {
    let root = Tree::ROOT;
    let two = start.seats() == 2;
    let mut push = |name: &str, value: &str| {
        if !value.is_empty() {
            tree.push(root, name, value);
        }
    };
    if two {
        push("PB", game.player(0));
        push("PW", game.player(1));
        for (name, rating) in ["BR", "WR"].into_iter().zip(&game.ratings) {
            push(name, &rating.map_or(String::new(), |rating| rating.to_string()));
        }
    }
    push("EV", &game.event);
    push("PC", &game.site);
    push("RO", &game.round);
    push("DT", game.date.split('T').next().unwrap_or_default());
    push("C", &game.comment);
    push(
        "RE",
        &match game.result {
            Some(GameResult::Win(side)) if side.0 < 2 => {
                format!("{}+", Stone::of(Color(side.0)).letter())
            }
            Some(GameResult::Draw) => "0".to_owned(),
            _ => String::new(),
        },
    );
    let rest = rest_of_head(game, two);
    if rest != RecordedGame::default() {
        let mut json = serde_json::to_value(&rest).unwrap_or_default();
        if let Some(object) = json.as_object_mut() {
            object.remove("moves");
        }
        push(RECORD, &json.to_string());
    }
}

/// What is not written in properties of SGF.
fn rest_of_head(game: &RecordedGame, two: bool) -> RecordedGame {
    let known = if two { 2 } else { 0 };
    let seats = |count: usize| count == 0 || count == known;
    let named = game.players.iter().any(|name| !name.is_empty());
    let rated = game.ratings.iter().any(Option::is_some);
    RecordedGame {
        game: game.game,
        date: if game.date.contains('T') { game.date.clone() } else { String::new() },
        section: game.section.clone(),
        players: if named && seats(game.players.len()) { Vec::new() } else { game.players.clone() },
        ratings: if rated && seats(game.ratings.len()) { Vec::new() } else { game.ratings.clone() },
        computers: game.computers.clone(),
        rated: game.rated,
        time_controls: game.time_controls.clone(),
        opening_plies: game.opening_plies,
        times: game.times.clone(),
        captures: game.captures.clone(),
        result: game.result.filter(|result| matches!(result, GameResult::Win(side) if side.0 > 1)),
        reason: game.reason.clone(),
        detail: game.detail.clone(),
        other: game.other.clone(),
        ..RecordedGame::default()
    }
}

/// A move that the rules refuse, as a point if it has one.
pub(super) fn push_refused(
    tree: &mut Tree,
    node: NodeId,
    game: &Game,
    text: &str,
    index: usize,
) -> NodeId {
    let node = tree.add(node);
    let cell = game.parse_move(text).ok().filter(|mv| matches!(mv.kind(), MoveKind::Stone(_)));
    let shape = Shape::of(game);
    match cell.and_then(Move::cell).filter(|cell| game.cells().contains(cell)) {
        Some(cell) => {
            tree.push(node, Stone::of(Color(index as u8 % 2)).letter(), &shape.point(cell));
        }
        None => tree.push(node, "MT", text),
    }
    node
}

pub(super) fn push_notes(tree: &mut Tree, node: NodeId, game: &Game, ply: &RecordedPly) {
    for mark in &ply.marks {
        let mut words = mark.splitn(3, ' ');
        let (kind, cell, label) =
            (words.next().unwrap_or_default(), words.next().unwrap_or_default(), words.next());
        let property = MARKS.iter().find(|(name, _)| *name == kind);
        let cell = game.parse_move(cell).ok().and_then(Move::cell);
        if let (Some((_, property)), Some(cell)) = (property, cell) {
            let point = Shape::of(game).point(cell);
            let label = label.map_or(String::new(), |label| format!(":{label}"));
            tree.push(node, property, &(point + &label));
        }
    }
    if !ply.comment.is_empty() {
        tree.push(node, "C", &ply.comment);
    }
    let rest =
        RecordedPly { mv: String::new(), comment: String::new(), marks: Vec::new(), ..ply.clone() };
    if rest != RecordedPly::default() {
        let mut json = serde_json::to_value(&rest).unwrap_or_default();
        if let Some(object) = json.as_object_mut() {
            object.remove("move");
        }
        tree.push(node, PLY, &json.to_string());
    }
}

/// Writes a game.
pub(crate) fn write(
    game: &RecordedGame,
    rules: &Ruleset,
    _: &mut Losses,
) -> Result<String, String> {
    Ok(write_game(game, rules)?.to_string() + "\n")
}
