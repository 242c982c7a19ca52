//! Pages of text: the commands, the moves of a game, its rules.

use super::command::ROWS;
use super::table::Table;
use super::words;
use pentarch_engine::Game;

/// What can be typed, and how moves are written in this game.
pub(super) fn commands(game: &Game, has_cursor: bool) -> Vec<String> {
    let mut page = vec!["Moves".to_owned()];
    page.extend(moves(game).into_iter().map(|line| format!("  {line}")));
    if has_cursor {
        page.push(String::new());
        page.push("Keys".to_owned());
        for (key, help) in KEYS {
            page.push(format!("  {key:<12} {help}"));
        }
    }
    page.push(String::new());
    page.push("Commands".to_owned());
    for row in &ROWS {
        let usage = format!("{} {}", row.words[0], row.arguments);
        page.push(format!("  {:<19} {}", usage.trim_end(), row.help));
    }
    page
}

/// The keys of a screen.
const KEYS: [(&str, &str); 9] = [
    ("arrows", "move the cursor; choose where something is asked"),
    ("enter", "play there; do what is typed; the engine moves at once"),
    ("space", "choose a cell of a tile"),
    ("tab", "everything that can be placed there: bombs, neutral stones"),
    ("F1 or ?", "this page"),
    ("F2", "hint"),
    ("F3", "show threats"),
    ("F4, ctrl-Z", "undo"),
    ("ctrl-C", "leave"),
];

/// How moves are written.
fn moves(game: &Game) -> Vec<String> {
    let mut lines = Vec::new();
    if game.stacking().is_some() {
        lines.push("cg85,cg86,cg87,cg88,cg89  the five points of a tile".to_owned());
        return lines;
    }
    let first = game.cells().first().map_or(String::new(), |&cell| game.cell_text(cell));
    lines.push(match game.hexes() {
        Some(_) => format!("{first:<14} letter of the row, and the place in it"),
        None => "j10            column and row".to_owned(),
    });
    let stones = game.rules().squares().map(|board| board.stones).unwrap_or_default();
    if stones.neutral > 0 {
        lines.push("neutral j10    a neutral stone, also N@j10".to_owned());
    }
    if stones.bombs > 0 {
        lines.push("bomb j10       a bomb, also B@j10".to_owned());
    }
    if stones.power.is_some() {
        lines.push("power j10 g7   a power stone with its bonus stone, also P@j10,g7".to_owned());
    }
    if game.rules().squares().and_then(|board| board.capture).is_some_and(|rule| rule.signs) {
        lines.push("m10+, m10-     a capture that adds to yours, or takes from theirs".to_owned());
    }
    let is_swap = game.rules().squares().is_some_and(|board| board.swap.is_some())
        || game.rules().hexes().is_some_and(|board| board.swap1);
    if is_swap {
        lines.push("swap, keep     the choice of a color, where it is asked for".to_owned());
    }
    if game.rules().hexes().is_some_and(|board| board.surround) {
        lines.push("pass           where nothing else can be played".to_owned());
    }
    lines
}

/// The moves of the game, with who made them.
pub(super) fn game_moves(table: &Table) -> Vec<String> {
    let game = table.game();
    let mut lines: Vec<String> = Vec::new();
    for (number, ply) in (1..).zip(table.plies()) {
        let who = words::seat(table, ply.seat);
        lines.push(format!("{number:>3}. {:<10} {who}", game.move_text(ply.mv)));
    }
    if lines.is_empty() {
        lines.push("no move yet".to_owned());
    }
    lines
}

/// The rules of the game.
pub(super) fn rules(game: &Game) -> Vec<String> {
    let rows = game.rules().describe();
    let rows = rows.into_iter().map(|(title, text)| format!("{title:<9} {text}"));
    [game.rules().to_string(), String::new()].into_iter().chain(rows).collect()
}
