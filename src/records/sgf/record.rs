//! Records as trees and trees as records.

use crate::charset::Charset;
use crate::sgf::replay::{
    Letters, NodeMove, Problem, Replay, SgfError, Shape, Stone, cells, has_own_marks,
};
use crate::sgf::{NodeId, Tree};
use crate::write::Losses;
use crate::{GameResult, RecordedGame, RecordedPly, Variation};
use pentarch_core::game::{Color, Move, MoveKind, Side};
use pentarch_core::rules::catalog::{pente_org_spec_of_name, pente_org_spec_of_number};
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::Game;

/// What our records say of a game and SGF has no property for, as JSON.
const RECORD: &str = "JR";
/// What our records say of a move.
const PLY: &str = "JP";

/// Our names of marks and the properties.
const MARKS: [(&str, &str); 5] =
    [("triangle", "TR"), ("square", "SQ"), ("circle", "CR"), ("cross", "MA"), ("label", "LB")];

/// The properties of the root that are read, and those that speak of the file and not of its game.
const READ_AT_ROOT: [&str; 22] = [
    "POS", "RU", "SZ", "GM", "RE", "DT", "EV", "PC", "RO", "TM", "TE", "PB", "PW", "BR", "WR",
    RECORD, "FF", "CA", "AP", "ST", "VW", "PL",
];

/// The properties of the root of which there is one value.
const SINGLE: [&str; 16] = [
    "RU", "SZ", "GM", "RE", "DT", "EV", "PC", "RO", "TM", "TE", "PB", "PW", "BR", "WR", RECORD, "C",
];

/// The properties of any node that are read.
const READ: [&str; 15] =
    ["B", "W", "MT", "AB", "AW", "AE", "PL", "C", PLY, "TR", "SQ", "CR", "MA", "LB", "VW"];

/// Rules of renju for its opening, whose stones are recorded like all others (renju.net, "Openings
/// rules").
const RENJU_OPENINGS: [&str; 8] = [
    "rif",
    "taraguchi-10",
    "taraguchi",
    "yamaguchi",
    "soosyrv-8",
    "soosorv-8",
    "tarannikov",
    "sakata",
];

/// More kinds of what is not read are not named, nor more letters of one.
const MOST_UNREAD: usize = 60;

/// What a file says and is not kept, each kind once.
#[derive(Debug, Default)]
pub(super) struct Unread(Vec<String>);

impl Unread {
    /// Something without a value.
    pub(super) fn name(&mut self, name: &str) {
        let name: String = name.chars().take(MOST_UNREAD).collect();
        if self.0.len() < MOST_UNREAD && !self.0.contains(&name) {
            self.0.push(name);
        }
    }

    /// A value of a property that is not understood.
    pub(super) fn value(&mut self, name: &str, value: &str) {
        self.name(&format!("{name}[{}]", value.trim()));
    }
}

/// More moves are no game.
const MOST_MOVES: usize = 100_000;

/// The main line of a tree as a game. Moves that the rules refuse are kept as points; where the file
/// contradicts them otherwise, the game is kept up to there, with a warning.
pub(crate) fn read_game(tree: &Tree, wanted: Option<&Ruleset>) -> Result<RecordedGame, String> {
    let mut unread = Unread::default();
    let rules = usual_rules(tree, wanted, &mut unread)?;
    let mut replay = Replay::new(tree, &rules).map_err(|error| error.to_string())?;
    let mut game = head(tree, &replay, &mut unread)?;
    let start = replay.clone();
    let mut refused = None;
    for node in tree.main_line() {
        let read = read_node(&mut replay, node, true, &mut refused, &mut game.moves);
        if game.moves.len() > MOST_MOVES {
            return Err(format!("more than {MOST_MOVES} moves"));
        }
        notes(tree, node, &replay, &mut game, &mut unread);
        if let Err(error) = read {
            if game.moves.is_empty() {
                return Err(error.to_string());
            }
            game.warnings.push(format!("{error}; the game is kept up to there"));
            break;
        }
    }
    let passed = replay.has_passed();
    read_variations(tree, start, &mut game, &mut unread)?;
    if passed {
        unread.name("passes");
    }
    if let Some(label) = tree.get(Tree::ROOT, "CA")
        && label.parse::<Charset>().is_err()
    {
        unread.value("CA", label);
    }
    other_properties(tree, &mut unread);
    game.unread = unread.0;
    Ok(game)
}

/// Adds the moves of a node to those of its line. `refused` counts the moves since the rules have refused
/// one; what was played against the rules is on record all the same. An error if the node contradicts the
/// line otherwise: it goes no further.
pub(super) fn read_node(
    replay: &mut Replay<'_>,
    node: NodeId,
    is_main: bool,
    refused: &mut Option<usize>,
    moves: &mut Vec<String>,
) -> Result<(), SgfError> {
    for mv in replay.moves_of(node)? {
        if refused.is_none() {
            let before = replay.plies();
            match replay.play(mv) {
                Err(SgfError::Move(_, Problem::Illegal(_) | Problem::Text(_))) => {
                    *refused = Some(0);
                }
                Err(error) => return Err(error),
                Ok(()) => {
                    let played = replay.game.moves();
                    moves.extend(played[before..].iter().map(|&mv| replay.game.move_text(mv)));
                }
            }
        }
        if let Some(later) = refused {
            replay.check_refused(mv, *later)?;
            moves.push(match mv {
                NodeMove::Text(text) => text.to_owned(),
                NodeMove::Point(_, text) => match replay.shape().parse(text) {
                    Some(cell) => replay.game.cell_text(cell),
                    None if replay.is_pass(text) => "pass".to_owned(),
                    None => return Err(SgfError::Point(text.to_owned())),
                },
            });
            *later += 1;
        }
    }
    if refused.is_none() { replay.check_setup(node, is_main) } else { Ok(()) }
}

/// Names the properties that nobody reads: of other kinds, in other nodes than they belong in, or with
/// more values than one.
fn other_properties(tree: &Tree, unread: &mut Unread) {
    let mut seen = Vec::new();
    for (name, value) in tree.properties(Tree::ROOT) {
        if SINGLE.contains(&name) && seen.contains(&name) {
            unread.value(name, value);
        }
        seen.push(name);
        if !READ.contains(&name) && !READ_AT_ROOT.contains(&name) {
            unread.name(name);
        }
    }
    for node in tree.nodes().filter(|&node| node != Tree::ROOT) {
        for (name, _) in tree.properties(node).filter(|(name, _)| !READ.contains(name)) {
            unread.name(name);
        }
    }
    if tree.has_stray() {
        unread.name("text outside of brackets");
    }
}

/// The rules where the file does not name ours: those of its own names, then those wanted.
fn usual_rules(
    tree: &Tree,
    wanted: Option<&Ruleset>,
    unread: &mut Unread,
) -> Result<Ruleset, String> {
    let number = tree.get(Tree::ROOT, "GM").and_then(|text| text.trim().parse::<u32>().ok());
    let named = tree.get(Tree::ROOT, "RU").unwrap_or_default().trim();
    let is_ours = named.parse::<Ruleset>().is_ok();
    let words = named.to_ascii_lowercase();
    let said = match (number, &*words) {
        (Some(4), "0") => Some("gomoku"),
        (Some(4), "1") => Some("gomoku-standard"),
        (Some(4), "4") => Some("renju"),
        (_, words) if words.contains("renju") => Some("renju"),
        (Some(4), words) if words.contains("standard") => Some("gomoku-standard"),
        (_, words) if RENJU_OPENINGS.contains(&words) => {
            unread.value("RU", named);
            Some("renju")
        }
        (Some(number @ 101..=200), _) => match pente_org_spec_of_number(number - 100) {
            None if wanted.is_none() && !is_ours => {
                return Err(format!(
                    "game {} of pente.org is not known; --variant names its rules",
                    number - 100
                ));
            }
            known => known,
        },
        (_, words) => pente_org_spec_of_name(words),
    };
    if said.is_none() && !is_ours {
        if !named.is_empty() {
            unread.value("RU", named);
        }
        // Other games than gomoku have no number of their own.
        if let (Some(number), None) = (number.filter(|&number| number != 4), wanted) {
            unread.value("GM", &number.to_string());
        }
    }
    // Programs for gomoku write the numbers of other games, but on boards that no other game has.
    let size = tree.get(Tree::ROOT, "SZ").map(str::trim);
    let is_gomoku = number == Some(4) || matches!(size, Some("15" | "20"));
    let fallback = if is_gomoku { "gomoku" } else { "pente" };
    let said = said.and_then(|spec| spec.parse().ok()).or_else(|| wanted.cloned());
    said.map_or_else(|| fallback.parse().map_err(|error: VariantSpecError| error.to_string()), Ok)
}

/// What is said of the game as a whole.
fn head(tree: &Tree, replay: &Replay<'_>, unread: &mut Unread) -> Result<RecordedGame, String> {
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
        let ratings = order.map(|color| {
            let (name, text) = (format!("{color}R"), get(&format!("{color}R")));
            let rating = text.trim().parse().ok();
            if rating.is_none() && !matches!(text.trim(), "" | "?") {
                unread.value(&name, &text);
            }
            rating
        });
        game.ratings = if ratings == [None, None] { Vec::new() } else { ratings.to_vec() };
    }
    let text = get("RE");
    match result(text.trim(), order) {
        Some((result, reason)) => {
            game.result = game.result.or(result);
            if game.reason.is_empty() {
                reason.clone_into(&mut game.reason);
            }
        }
        None => unread.value("RE", &text),
    }
    Ok(game)
}

/// The words of reasons that SGF has, by their letters and by ours.
const REASONS: [(&str, &str); 3] = [("R", "resign"), ("T", "time"), ("F", "forfeit")];

/// The result that `RE` names and the reason for it; `None` if it is none that is known.
fn result(text: &str, order: [&str; 2]) -> Option<(Option<GameResult>, &'static str)> {
    if ["", "?"].contains(&text) {
        return Some((None, ""));
    }
    if ["0", "D", "Draw"].iter().any(|draw| draw.eq_ignore_ascii_case(text)) {
        return Some((Some(GameResult::Draw), ""));
    }
    let (winner, reason) = text.split_once('+').unwrap_or((text, ""));
    let color = [("B", "Black"), ("W", "White")].into_iter().find(|(letter, word)| {
        winner.trim().eq_ignore_ascii_case(letter) || winner.trim().eq_ignore_ascii_case(word)
    });
    let side = Side(u8::from(color?.0 != order[0]));
    let words = [("R", "Resign"), ("T", "Time"), ("F", "Forfeit")];
    let reason = match reason.trim() {
        // c-gomoku-cli counts a point.
        "" | "0" | "1" => "",
        reason => {
            let (letter, _) = words.into_iter().find(|(letter, word)| {
                reason.eq_ignore_ascii_case(letter) || reason.eq_ignore_ascii_case(word)
            })?;
            REASONS.into_iter().find(|(known, _)| *known == letter)?.1
        }
    };
    Some((Some(GameResult::Win(side)), reason))
}

/// What a node says of the last move: comments, marks, and our own. Before the first move it speaks of the
/// game.
fn notes(
    tree: &Tree,
    node: NodeId,
    replay: &Replay<'_>,
    game: &mut RecordedGame,
    unread: &mut Unread,
) {
    let own_marks = has_own_marks(&replay.game);
    let says = |name: &str| match name {
        // The head has taken it.
        "C" => node != Tree::ROOT,
        PLY => true,
        "TR" | "SQ" => !own_marks,
        name => mark_of(name).is_some(),
    };
    if !tree.properties(node).any(|(name, _)| says(name)) {
        return;
    }
    let index = game.moves.len().checked_sub(1);
    if let Some(ply) = index.and_then(|index| game.ply_mut(index)) {
        note(tree, node, replay, ply, unread);
        return;
    }
    for (name, value) in tree.properties(node).filter(|(name, _)| says(name)) {
        if name == "C" {
            game.comment += if game.comment.is_empty() { "" } else { "\n" };
            game.comment += value;
        } else {
            unread.value(name, value);
        }
    }
}

/// Our name of a mark.
fn mark_of(property: &str) -> Option<&'static str> {
    MARKS.iter().find(|(_, known)| *known == property).map(|&(name, _)| name)
}

/// Adds what a node says to its move. The comment of the root is one on the game.
pub(super) fn note(
    tree: &Tree,
    node: NodeId,
    replay: &Replay<'_>,
    ply: &mut RecordedPly,
    unread: &mut Unread,
) {
    let own_marks = has_own_marks(&replay.game);
    // c-gomoku-cli does not name itself.
    let foreign = tree.get(Tree::ROOT, "AP").is_none();
    for (name, value) in tree.properties(node) {
        match (name, mark_of(name)) {
            ("C", _) if node == Tree::ROOT => (),
            ("C", _) if foreign && milliseconds(value).is_some() => ply.time = milliseconds(value),
            ("C", _) => {
                ply.comment += if ply.comment.is_empty() { "" } else { "\n" };
                ply.comment += value;
            }
            (PLY, _) => match serde_json::from_str::<RecordedPly>(value) {
                Ok(read) => {
                    let RecordedPly { mv, comment, marks, .. } = std::mem::take(ply);
                    *ply = RecordedPly { mv, comment, marks, ..read };
                }
                Err(_) => unread.value(name, value),
            },
            ("TR" | "SQ", _) if own_marks => (),
            (_, Some("label")) => {
                let (point, label) = value.split_once(':').unwrap_or((value, ""));
                match replay.shape().parse(point.trim()) {
                    Some(cell) => {
                        let text = format!("label {} {label}", replay.game.cell_text(cell));
                        ply.marks.push(text.trim_end().to_owned());
                    }
                    None => unread.value(name, value),
                }
            }
            (_, Some(mark)) => match cells(replay.shape(), value) {
                Ok(cells) => {
                    let marks = cells.into_iter().map(|cell| replay.game.cell_text(cell));
                    ply.marks.extend(marks.map(|cell| format!("{mark} {cell}")));
                }
                Err(_) => unread.value(name, value),
            },
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
    push_variations(&mut tree, &start, game, nodes);
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
    // The time of day is no part of a date of SGF.
    let day = game.date.split_once('T').map(|(day, _)| day).filter(|day| day.len() == 10);
    push("DT", day.unwrap_or(&game.date));
    if let [control] = game.time_controls.as_slice()
        && control.parse::<f64>().is_ok()
    {
        push("TM", control);
    }
    push("C", &game.comment);
    push(
        "RE",
        &match game.result {
            Some(GameResult::Win(side)) if side.0 < 2 => {
                let reason = REASONS.iter().find(|(_, reason)| *reason == game.reason);
                let reason = reason.map_or("", |(letter, _)| letter);
                format!("{}+{reason}", Stone::of(Color(side.0)).letter())
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
    losses: &mut Losses,
) -> Result<String, String> {
    let known = |mark: &String| {
        let kind = mark.split(' ').next().unwrap_or_default();
        MARKS.iter().any(|&(name, _)| name == kind)
    };
    losses.add_if(!game.plies.iter().flat_map(|ply| &ply.marks).all(known), "marks of other kinds");
    Ok(write_game(game, rules)?.to_string() + "\n")
}

// The lines of a tree that were not played, as records have them, both ways.

/// More moves in variations are no game.
const MOST_VARIATION_MOVES: usize = 1_000_000;

/// More warnings about variations say nothing new.
const MOST_WARNINGS: usize = 16;

/// A node that begins a variation or goes on with a line.
struct Step {
    node: NodeId,
    /// The line that it is of, or branches off.
    line: usize,
    /// The moves before it.
    ply: usize,
    branches: bool,
    /// The moves of the line since the rules have refused one.
    refused: Option<usize>,
    /// What the letters of moves may mean before it.
    letters: Letters,
}

/// Adds the variations of a tree to its main line. Where a variation contradicts the rules by more than an
/// illegal move, it is kept up to there, with a warning.
fn read_variations(
    tree: &Tree,
    start: Replay<'_>,
    game: &mut RecordedGame,
    unread: &mut Unread,
) -> Result<(), String> {
    if tree.main_line().all(|node| !tree.is_variation(node)) {
        return Ok(());
    }
    let mut replay = start;
    let letters = replay.letters();
    let mut count = 0;
    let mut lines: Vec<Variation> = Vec::new();
    let root = Step { node: Tree::ROOT, line: 0, ply: 0, branches: false, refused: None, letters };
    let mut open = vec![root];
    while let Some(Step { node, line, ply, branches, mut refused, letters }) = open.pop() {
        replay.go_back(ply, letters);
        let mut texts = Vec::new();
        let is_main = line == 0 && !branches;
        let read = read_node(&mut replay, node, is_main, &mut refused, &mut texts);
        let line = if branches {
            lines.push(Variation { line, ply, plies: Vec::new() });
            lines.len()
        } else {
            line
        };
        count += texts.len();
        if count > MOST_VARIATION_MOVES {
            return Err(format!("more than {MOST_VARIATION_MOVES} moves"));
        }
        let ply = ply + texts.len();
        if let Some(variation) = line.checked_sub(1).and_then(|index| lines.get_mut(index)) {
            let added = texts.into_iter().map(|mv| RecordedPly { mv, ..RecordedPly::default() });
            variation.plies.extend(added);
            match variation.plies.last_mut() {
                Some(last) => note(tree, node, &replay, last, unread),
                None if tree.get(node, "C").is_some() => {
                    unread.name("comments before the first move of a variation");
                }
                None => (),
            }
        }
        if let Err(error) = read {
            if line > 0 && game.warnings.len() < MOST_WARNINGS {
                game.warnings.push(format!("a variation: {error}; it is kept up to there"));
            }
            continue;
        }
        // The last one pushed comes first: the line goes on before its variations begin.
        let children: Vec<NodeId> = tree.children(node).collect();
        let letters = replay.letters();
        for (index, &child) in children.iter().enumerate().rev() {
            open.push(Step { node: child, line, ply, branches: index > 0, refused, letters });
        }
    }
    game.variations = without_empty(lines);
    Ok(())
}

/// The variations that have moves. What branches off one without moves branches off the line before.
fn without_empty(lines: Vec<Variation>) -> Vec<Variation> {
    let mut kept: Vec<Variation> = Vec::new();
    let mut numbers = vec![0];
    for variation in lines {
        let line = numbers[variation.line];
        if variation.plies.is_empty() {
            numbers.push(line);
        } else {
            kept.push(Variation { line, ..variation });
            numbers.push(kept.len());
        }
    }
    kept
}

/// Adds the variations of a record to its tree. `main` has the node after each move of the game, the
/// root first.
fn push_variations(tree: &mut Tree, start: &Game, game: &RecordedGame, main: Vec<NodeId>) {
    // For each line where it begins, its moves from the start on, and its nodes from there on.
    let main_moves: Vec<&str> = game.moves.iter().map(String::as_str).collect();
    let mut lines: Vec<(usize, Vec<&str>, Vec<NodeId>)> = vec![(0, main_moves, main)];
    for variation in &game.variations {
        let Some((begins, moves, nodes)) = lines.get(variation.line) else { return };
        let at = variation.ply.checked_sub(*begins).and_then(|index| nodes.get(index));
        let (Some(&node), Some(before)) = (at, moves.get(..variation.ply)) else { return };
        let mut moves = before.to_vec();
        let mut now = start.clone();
        let mut refused = before.iter().any(|text| now.play(text).is_err());
        let mut nodes = vec![node];
        let mut node = node;
        for ply in &variation.plies {
            let played = match now.parse_move(&ply.mv) {
                Ok(mv) if !refused => tree.play(node, &mut now, mv).ok(),
                _ => None,
            };
            node = played.unwrap_or_else(|| {
                refused = true;
                push_refused(tree, node, &now, &ply.mv, moves.len())
            });
            push_notes(tree, node, &now, ply);
            moves.push(&ply.mv);
            nodes.push(node);
        }
        lines.push((variation.ply, moves, nodes));
    }
}
