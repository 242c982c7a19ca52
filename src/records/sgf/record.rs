//! Conversion between recorded games and trees.

use crate::charset::Charset;
use crate::sgf::replay::{
    LetterMeanings, NodeMove, PointGrid, SgfColor, SgfError, SgfMoveError, TreeReplay,
    has_marked_stones, parse_points,
};
use crate::sgf::{NodeId, Tree};
use crate::write::LostData;
use crate::{GameResult, RecordedGame, RecordedPly, Variation};
use pentarch_core::game::{Color, Move, MoveKind, Side};
use pentarch_core::rules::catalog::{pente_org_spec_of_name, pente_org_spec_of_number};
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::Game;

/// The private property of the root with the data of a game for which SGF has no property, as JSON.
const GAME_DATA: &str = "JR";
/// The private property of a node with the data of a move, as JSON.
const PLY_DATA: &str = "JP";

/// The kinds of marks and their properties.
const MARK_PROPERTIES: [(&str, &str); 5] =
    [("triangle", "TR"), ("square", "SQ"), ("circle", "CR"), ("cross", "MA"), ("label", "LB")];

/// The properties of the root that are read, and those about the file and not about its game.
const READ_AT_ROOT: [&str; 22] = [
    "POS", "RU", "SZ", "GM", "RE", "DT", "EV", "PC", "RO", "TM", "TE", "PB", "PW", "BR", "WR",
    GAME_DATA, "FF", "CA", "AP", "ST", "VW", "PL",
];

/// The properties of the root that may have one value.
const SINGLE_VALUED: [&str; 16] = [
    "RU", "SZ", "GM", "RE", "DT", "EV", "PC", "RO", "TM", "TE", "PB", "PW", "BR", "WR", GAME_DATA,
    "C",
];

/// The properties of any node that are read.
const READ_AT_ANY_NODE: [&str; 15] =
    ["B", "W", "MT", "AB", "AW", "AE", "PL", "C", PLY_DATA, "TR", "SQ", "CR", "MA", "LB", "VW"];

/// Opening rules of renju. Their stones are recorded like all others (renju.net, "Openings rules").
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

/// The maximum number of kinds of unread data, and the maximum length of each.
const MAX_UNREAD: usize = 60;

/// The data of a file that is not kept, each kind once.
#[derive(Debug, Default)]
pub(super) struct UnreadData(Vec<String>);

impl UnreadData {
    /// Adds data without a value.
    pub(super) fn add(&mut self, name: &str) {
        let name: String = name.chars().take(MAX_UNREAD).collect();
        if self.0.len() < MAX_UNREAD && !self.0.contains(&name) {
            self.0.push(name);
        }
    }

    /// Adds a value that is not understood.
    pub(super) fn add_value(&mut self, name: &str, value: &str) {
        self.add(&format!("{name}[{}]", value.trim()));
    }
}

/// The maximum length of a game.
const MAX_MOVES: usize = 100_000;

/// Converts a tree to a game. Illegal moves are kept as points. Where the file contradicts the
/// rules otherwise, the game ends, with a warning.
pub(crate) fn read_game(tree: &Tree, variant: Option<&Ruleset>) -> Result<RecordedGame, String> {
    let mut unread = UnreadData::default();
    let rules = rules_without_spec(tree, variant, &mut unread)?;
    let mut replay = TreeReplay::new(tree, &rules).map_err(|error| error.to_string())?;
    let mut game = read_game_data(tree, &replay, &mut unread)?;
    let start = replay.clone();
    let mut refused = None;
    for node in tree.main_line() {
        let read = read_node(&mut replay, node, true, &mut refused, &mut game.moves);
        if game.moves.len() > MAX_MOVES {
            return Err(format!("more than {MAX_MOVES} moves"));
        }
        read_annotations(tree, node, &replay, &mut game, &mut unread);
        if let Err(error) = read {
            if game.moves.is_empty() {
                return Err(error.to_string());
            }
            game.warnings.push(format!("{error}; the game is kept up to there"));
            break;
        }
    }
    let passed = replay.has_ignored_pass();
    read_variations(tree, start, &mut game, &mut unread)?;
    if passed {
        unread.add("passes");
    }
    if let Some(label) = tree.get(Tree::ROOT, "CA")
        && label.parse::<Charset>().is_err()
    {
        unread.add_value("CA", label);
    }
    list_unread_properties(tree, &mut unread);
    game.unread = unread.0;
    Ok(game)
}

/// Adds the moves of a node to those of its line. `refused` counts the moves since the first
/// illegal one; illegal moves are recorded too. An error means that the node contradicts its line
/// otherwise, and the line ends.
pub(super) fn read_node(
    replay: &mut TreeReplay<'_>,
    node: NodeId,
    is_main: bool,
    refused: &mut Option<usize>,
    moves: &mut Vec<String>,
) -> Result<(), SgfError> {
    for mv in replay.moves_of(node)? {
        if refused.is_none() {
            let before = replay.plies();
            match replay.play(mv) {
                Err(SgfError::Move(_, SgfMoveError::Illegal(_) | SgfMoveError::Text(_))) => {
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

/// Lists the properties that are not read: those of unknown kinds, those in the wrong nodes, and
/// those with too many values.
fn list_unread_properties(tree: &Tree, unread: &mut UnreadData) {
    let mut seen = Vec::new();
    for (name, value) in tree.properties(Tree::ROOT) {
        if SINGLE_VALUED.contains(&name) && seen.contains(&name) {
            unread.add_value(name, value);
        }
        seen.push(name);
        if !READ_AT_ANY_NODE.contains(&name) && !READ_AT_ROOT.contains(&name) {
            unread.add(name);
        }
    }
    for node in tree.nodes().filter(|&node| node != Tree::ROOT) {
        for (name, _) in tree.properties(node).filter(|(name, _)| !READ_AT_ANY_NODE.contains(name))
        {
            unread.add(name);
        }
    }
    if tree.has_stray_text() {
        unread.add("text outside of brackets");
    }
}

/// Returns the rules of a file that does not name a spec: those that its own names mean, else those
/// of the user.
fn rules_without_spec(
    tree: &Tree,
    variant: Option<&Ruleset>,
    unread: &mut UnreadData,
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
            unread.add_value("RU", named);
            Some("renju")
        }
        (Some(number @ 101..=200), _) => match pente_org_spec_of_number(number - 100) {
            None if variant.is_none() && !is_ours => {
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
            unread.add_value("RU", named);
        }
        // Games other than gomoku have no number.
        if let (Some(number), None) = (number.filter(|&number| number != 4), variant) {
            unread.add_value("GM", &number.to_string());
        }
    }
    // Some gomoku programs write the numbers of other games, but on boards that no other game has.
    let size = tree.get(Tree::ROOT, "SZ").map(str::trim);
    let is_gomoku = number == Some(4) || matches!(size, Some("15" | "20"));
    let fallback = if is_gomoku { "gomoku" } else { "pente" };
    let said = said.and_then(|spec| spec.parse().ok()).or_else(|| variant.cloned());
    said.map_or_else(|| fallback.parse().map_err(|error: VariantSpecError| error.to_string()), Ok)
}

/// Reads the data about the game as a whole.
fn read_game_data(
    tree: &Tree,
    replay: &TreeReplay<'_>,
    unread: &mut UnreadData,
) -> Result<RecordedGame, String> {
    let get = |name: &str| tree.get(Tree::ROOT, name).unwrap_or_default().to_owned();
    let mut game: RecordedGame = match tree.get(Tree::ROOT, GAME_DATA) {
        Some(json) => {
            serde_json::from_str(json).map_err(|error| format!("`{GAME_DATA}`: {error}"))?
        }
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
    // Black is the first player, except where White makes the first move.
    let order = if replay.is_white_first() { ["W", "B"] } else { ["B", "W"] };
    if game.players.is_empty() {
        let names = order.map(|color| get(&format!("P{color}")));
        game.players = if names.iter().all(String::is_empty) { Vec::new() } else { names.to_vec() };
    }
    if game.ratings.is_empty() {
        let ratings = order.map(|color| {
            let (name, text) = (format!("{color}R"), get(&format!("{color}R")));
            let rating = text.trim().parse().ok();
            if rating.is_none() && !matches!(text.trim(), "" | "?") {
                unread.add_value(&name, &text);
            }
            rating
        });
        game.ratings = if ratings == [None, None] { Vec::new() } else { ratings.to_vec() };
    }
    let text = get("RE");
    match parse_result(text.trim(), order) {
        Some((result, reason)) => {
            game.result = game.result.or(result);
            if game.reason.is_empty() {
                reason.clone_into(&mut game.reason);
            }
        }
        None => unread.add_value("RE", &text),
    }
    Ok(game)
}

/// The reasons of results in SGF and in records.
const REASONS: [(&str, &str); 3] = [("R", "resign"), ("T", "time"), ("F", "forfeit")];

/// Parses `RE`: the result and its reason. Returns `None` if the value is unknown.
fn parse_result(text: &str, order: [&str; 2]) -> Option<(Option<GameResult>, &'static str)> {
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
        // c-gomoku-cli writes a point.
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

/// Reads the comments, marks and data of a node. Before the first move they belong to the game.
fn read_annotations(
    tree: &Tree,
    node: NodeId,
    replay: &TreeReplay<'_>,
    game: &mut RecordedGame,
    unread: &mut UnreadData,
) {
    let has_marked_stones = has_marked_stones(&replay.game);
    let says = |name: &str| match name {
        // The comment of the root is read with the game.
        "C" => node != Tree::ROOT,
        PLY_DATA => true,
        "TR" | "SQ" => !has_marked_stones,
        name => mark_of(name).is_some(),
    };
    if !tree.properties(node).any(|(name, _)| says(name)) {
        return;
    }
    let index = game.moves.len().checked_sub(1);
    if let Some(ply) = index.and_then(|index| game.ply_mut(index)) {
        read_ply_annotations(tree, node, replay, ply, unread);
        return;
    }
    for (name, value) in tree.properties(node).filter(|(name, _)| says(name)) {
        if name == "C" {
            game.comment += if game.comment.is_empty() { "" } else { "\n" };
            game.comment += value;
        } else {
            unread.add_value(name, value);
        }
    }
}

/// Returns the kind of a mark.
fn mark_of(property: &str) -> Option<&'static str> {
    MARK_PROPERTIES.iter().find(|(_, known)| *known == property).map(|&(name, _)| name)
}

/// Adds the comments, marks and data of a node to its move. The comment of the root belongs to the
/// game.
pub(super) fn read_ply_annotations(
    tree: &Tree,
    node: NodeId,
    replay: &TreeReplay<'_>,
    ply: &mut RecordedPly,
    unread: &mut UnreadData,
) {
    let has_marked_stones = has_marked_stones(&replay.game);
    // c-gomoku-cli does not name itself in `AP`.
    let foreign = tree.get(Tree::ROOT, "AP").is_none();
    for (name, value) in tree.properties(node) {
        match (name, mark_of(name)) {
            ("C", _) if node == Tree::ROOT => (),
            ("C", _) if foreign && parse_milliseconds(value).is_some() => {
                ply.time = parse_milliseconds(value);
            }
            ("C", _) => {
                ply.comment += if ply.comment.is_empty() { "" } else { "\n" };
                ply.comment += value;
            }
            (PLY_DATA, _) => match serde_json::from_str::<RecordedPly>(value) {
                Ok(read) => {
                    let RecordedPly { mv, comment, marks, .. } = std::mem::take(ply);
                    *ply = RecordedPly { mv, comment, marks, ..read };
                }
                Err(_) => unread.add_value(name, value),
            },
            ("TR" | "SQ", _) if has_marked_stones => (),
            (_, Some("label")) => {
                let (point, label) = value.split_once(':').unwrap_or((value, ""));
                match replay.shape().parse(point.trim()) {
                    Some(cell) => {
                        let text = format!("label {} {label}", replay.game.cell_text(cell));
                        ply.marks.push(text.trim_end().to_owned());
                    }
                    None => unread.add_value(name, value),
                }
            }
            (_, Some(mark)) => match parse_points(replay.shape(), value) {
                Ok(cells) => {
                    let marks = cells.into_iter().map(|cell| replay.game.cell_text(cell));
                    ply.marks.extend(marks.map(|cell| format!("{mark} {cell}")));
                }
                Err(_) => unread.add_value(name, value),
            },
            _ => (),
        }
    }
}

/// Parses the time of a move as c-gomoku-cli writes it in a comment, `17ms`.
fn parse_milliseconds(comment: &str) -> Option<f64> {
    let digits = comment.strip_suffix("ms").filter(|text| text.len() < 16)?;
    digits.parse::<u64>().ok().map(|time| time as f64)
}

/// Converts a game to a tree.
pub(crate) fn to_tree(game: &RecordedGame, rules: &Ruleset) -> Result<Tree, String> {
    let mut now = game.start(rules).map_err(|error| error.to_string())?;
    let mut tree = Tree::start(&now);
    tree.push_game_number(now.rules());
    tree.push_game_data(game, &now);
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
            add_illegal_move(&mut tree, node, &now, text, index)
        });
        if let Some(ply) = game.ply(index) {
            tree.push_ply_data(node, &now, ply);
        }
        nodes.push(node);
    }
    push_variations(&mut tree, &start, game, nodes);
    Ok(tree)
}

impl Tree {
    /// Adds the data about a game as a whole to the root: names, date, result, comment, and, as
    /// JSON, the data for which SGF has no property.
    pub fn push_game_data(&mut self, game: &RecordedGame, start: &Game) {
        let root = Tree::ROOT;
        let two = start.seats() == 2;
        let mut push = |name: &str, value: &str| {
            if !value.is_empty() {
                self.push(root, name, value);
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
        // A date of SGF has no time of day.
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
                    format!("{}+{reason}", SgfColor::of(Color(side.0)).letter())
                }
                Some(GameResult::Draw) => "0".to_owned(),
                _ => String::new(),
            },
        );
        let rest = data_without_property(game, two);
        if rest != RecordedGame::default() {
            let mut json = serde_json::to_value(&rest).unwrap_or_default();
            if let Some(object) = json.as_object_mut() {
                object.remove("moves");
            }
            push(GAME_DATA, &json.to_string());
        }
    }

    /// Adds the data of a move to its node: marks, comment, and, as JSON, the rest. `game` is the
    /// position after the move.
    pub fn push_ply_data(&mut self, node: NodeId, game: &Game, ply: &RecordedPly) {
        for mark in &ply.marks {
            let mut words = mark.splitn(3, ' ');
            let (kind, cell, label) =
                (words.next().unwrap_or_default(), words.next().unwrap_or_default(), words.next());
            let property = MARK_PROPERTIES.iter().find(|(name, _)| *name == kind);
            let cell = game.parse_move(cell).ok().and_then(Move::cell);
            if let (Some((_, property)), Some(cell)) = (property, cell) {
                let point = PointGrid::of(game).point(cell);
                let label = label.map_or(String::new(), |label| format!(":{label}"));
                self.push(node, property, &(point + &label));
            }
        }
        if !ply.comment.is_empty() {
            self.push(node, "C", &ply.comment);
        }
        let rest = RecordedPly {
            mv: String::new(),
            comment: String::new(),
            marks: Vec::new(),
            ..ply.clone()
        };
        if rest != RecordedPly::default() {
            let mut json = serde_json::to_value(&rest).unwrap_or_default();
            if let Some(object) = json.as_object_mut() {
                object.remove("move");
            }
            self.push(node, PLY_DATA, &json.to_string());
        }
    }
}

/// Returns the data that is not written in properties of SGF.
fn data_without_property(game: &RecordedGame, two: bool) -> RecordedGame {
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

/// Adds a node for an illegal move, as a point if it has one.
pub(super) fn add_illegal_move(
    tree: &mut Tree,
    node: NodeId,
    game: &Game,
    text: &str,
    index: usize,
) -> NodeId {
    let node = tree.add(node);
    let cell = game.parse_move(text).ok().filter(|mv| matches!(mv.kind(), MoveKind::Stone(_)));
    let shape = PointGrid::of(game);
    match cell.and_then(Move::cell).filter(|cell| game.cells().contains(cell)) {
        Some(cell) => {
            tree.push(node, SgfColor::of(Color(index as u8 % 2)).letter(), &shape.point(cell));
        }
        None => tree.push(node, "MT", text),
    }
    node
}

/// Formats a game as SGF.
pub(crate) fn write(
    game: &RecordedGame,
    rules: &Ruleset,
    lost: &mut LostData,
) -> Result<String, String> {
    let known = |mark: &String| {
        let kind = mark.split(' ').next().unwrap_or_default();
        MARK_PROPERTIES.iter().any(|&(name, _)| name == kind)
    };
    lost.add_if(!game.plies.iter().flat_map(|ply| &ply.marks).all(known), "marks of other kinds");
    Ok(to_tree(game, rules)?.to_string() + "\n")
}

/// The maximum number of moves in variations.
const MAX_VARIATION_MOVES: usize = 1_000_000;

/// The maximum number of warnings about variations.
const MAX_WARNINGS: usize = 16;

/// A node that begins or continues a line.
struct PendingNode {
    node: NodeId,
    /// The line that it belongs to, or from which it branches.
    line: usize,
    /// The number of moves before it.
    ply: usize,
    branches: bool,
    /// The number of moves of the line since the first illegal one.
    refused: Option<usize>,
    /// The meanings of the letters before it.
    letters: LetterMeanings,
}

/// Reads the variations of a tree. Where a variation contradicts the rules by more than an illegal
/// move, it ends, with a warning.
fn read_variations(
    tree: &Tree,
    start: TreeReplay<'_>,
    game: &mut RecordedGame,
    unread: &mut UnreadData,
) -> Result<(), String> {
    if tree.main_line().all(|node| !tree.is_variation(node)) {
        return Ok(());
    }
    let mut replay = start;
    let letters = replay.letters();
    let mut count = 0;
    let mut lines: Vec<Variation> = Vec::new();
    let root =
        PendingNode { node: Tree::ROOT, line: 0, ply: 0, branches: false, refused: None, letters };
    let mut open = vec![root];
    while let Some(PendingNode { node, line, ply, branches, mut refused, letters }) = open.pop() {
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
        if count > MAX_VARIATION_MOVES {
            return Err(format!("more than {MAX_VARIATION_MOVES} moves"));
        }
        let ply = ply + texts.len();
        if let Some(variation) = line.checked_sub(1).and_then(|index| lines.get_mut(index)) {
            let added = texts.into_iter().map(|mv| RecordedPly { mv, ..RecordedPly::default() });
            variation.plies.extend(added);
            match variation.plies.last_mut() {
                Some(last) => read_ply_annotations(tree, node, &replay, last, unread),
                None if tree.get(node, "C").is_some() => {
                    unread.add("comments before the first move of a variation");
                }
                None => (),
            }
        }
        if let Err(error) = read {
            if line > 0 && game.warnings.len() < MAX_WARNINGS {
                game.warnings.push(format!("a variation: {error}; it is kept up to there"));
            }
            continue;
        }
        // The stack is last in, first out: the line continues before its variations begin.
        let children: Vec<NodeId> = tree.children(node).collect();
        let letters = replay.letters();
        for (index, &child) in children.iter().enumerate().rev() {
            open.push(PendingNode {
                node: child,
                line,
                ply,
                branches: index > 0,
                refused,
                letters,
            });
        }
    }
    game.variations = remove_empty_variations(lines);
    Ok(())
}

/// Removes empty variations. A variation that branches from an empty one then branches from the
/// line before it.
fn remove_empty_variations(lines: Vec<Variation>) -> Vec<Variation> {
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

/// Adds the variations of a record to its tree. `main` is the node after each move of the game, the
/// root first.
fn push_variations(tree: &mut Tree, start: &Game, game: &RecordedGame, main: Vec<NodeId>) {
    // For each line: the ply at which it begins, its moves from the start of the game, and its
    // nodes from there on.
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
                add_illegal_move(tree, node, &now, &ply.mv, moves.len())
            });
            tree.push_ply_data(node, &now, ply);
            moves.push(&ply.mv);
            nodes.push(node);
        }
        lines.push((variation.ply, moves, nodes));
    }
}
