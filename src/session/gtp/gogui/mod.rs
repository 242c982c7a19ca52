//! `GoGui`'s rules extension: the engine is the referee of a game that the program does not know.
//!
//! `board` has what the characters of the board show, `graphics` what is drawn over them, `words`
//! the sentences.

mod board;
mod graphics;
mod words;

use super::special::{Next, legal_cells, special_points};
use crate::dialects::gtp::{Board, color, is_plain};
use pentarch_core::game::{Cell, Color as StoneColor, Move, MoveKind};
use pentarch_engine::{Game, choice_points};
use pentarch_protocol::gtp::{Color, Graphics, Rules, Vertex};
use std::collections::BTreeSet;

pub(super) use words::status;

/// The answer to a question about the rules.
pub(super) fn answer(game: &Game, next: Next, query: Rules) -> String {
    match query {
        // One name for every game: the process plays one, and a change of the name would make
        // GoGui give up its ruler.
        Rules::GameId => "Pentarch".to_owned(),
        Rules::BoardSize => board::size(game),
        Rules::Board => board::characters(game),
        Rules::BoardGraphics => {
            let lines = graphics::lines(game, next);
            let lines = lines.iter().filter(|line| !line.is_empty()).map(Graphics::to_string);
            lines.collect::<Vec<_>>().join("\n")
        }
        Rules::LegalMoves => legal_moves(game, next).join(" "),
        Rules::SideToMove => color_name(color(game.to_move())).to_owned(),
        Rules::CapturedCount => captured_count(game),
        Rules::FinalResult => words::result(game),
    }
}

const fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// The vertices that a player may choose: those of stones, also those that stand for choices or
/// special stones, and `pass` where the rules have it.
fn legal_moves(game: &Game, next: Next) -> Vec<String> {
    let pass = next == Next::Plain && game.check_move(MoveKind::Pass.into()).is_ok();
    let mut texts: Vec<_> =
        Board::vertices(game, open_cells(game, next)).iter().map(Vertex::to_string).collect();
    texts.extend(pass.then(|| "pass".to_owned()));
    texts
}

/// The cells of [`legal_moves`].
fn open_cells(game: &Game, next: Next) -> BTreeSet<Cell> {
    if let Some(cells) = legal_cells(game, next) {
        return cells.into_iter().collect();
    }
    let mut moves = game.legal_moves();
    moves.retain(|&mv| is_plain(mv));
    let choices = choice_points(game);
    let mut cells: BTreeSet<Cell> = moves.iter().filter_map(|mv| mv.cell()).collect();
    cells.extend(choices.iter().map(|&(cell, _)| cell));
    cells.extend(special_points(game).iter().map(|&(cell, _)| cell));
    if choices.iter().any(|&(_, kind)| kind == MoveKind::Keep) || choices.len() == 1 {
        cells.extend(stones_after_keep(game));
    }
    cells
}

/// Where the player to move may place a stone by which the color is kept.
fn stones_after_keep(game: &Game) -> Vec<Cell> {
    let mut kept = game.clone();
    if kept.play_move(MoveKind::Keep.into()).is_err() || kept.to_move() != game.to_move() {
        return Vec::new();
    }
    kept.legal_moves().into_iter().filter_map(Move::cell).collect()
}

/// Stones captured by the players whom the window calls Black, then by those whom it calls White.
fn captured_count(game: &Game) -> String {
    let counts = || (0..).map(StoneColor).zip(game.captures());
    let of = |player: Color| {
        let theirs = counts().filter(|&(stones, _)| color(game.seat_of(stones)) == player);
        theirs.map(|(_, count)| u32::from(count)).sum::<u32>()
    };
    format!("{} {}", of(Color::Black), of(Color::White))
}
