//! The questions that clients of GNU Go ask: Kigo draws its board from the answers.

use super::super::codec::gtp::{Codec, VertexBoard};
use super::super::state::SessionState;
use super::gogui::{NextVertex, captured_by, legal_moves, stone_owner};
use super::search::{PendingSearch, SearchPurpose};
use super::{CommandResult, GtpSession, Reply, done, is_to_move, success};
use pentarch_engine::search::Report;
use pentarch_engine::{Game, Options};
use pentarch_protocol::gtp::{Color, Command};

/// The number of moves of `top_moves`, as in GNU Go.
const TOP_MOVES: u32 = 10;

impl GtpSession {
    pub(super) fn gnugo_command(
        &mut self,
        state: &mut SessionState,
        id: Option<u32>,
        command: &Command,
    ) -> CommandResult {
        let game = &state.game;
        match *command {
            Command::Level(level) => {
                let level = level.clamp(*Options::LEVEL.start(), *Options::LEVEL.end());
                let options = Options { level, ..state.engine.options().clone() };
                state.engine.set_options(options);
                done()
            }
            Command::QueryBoardSize => match VertexBoard::of(game).map(VertexBoard::size) {
                None => Err("this game has no board".to_owned()),
                Some((columns, rows)) if columns == rows => success(columns.to_string()),
                Some((columns, rows)) => success(format!("{columns} {rows}")),
            },
            Command::ListStones(color) => {
                let mut cells = game.cells();
                cells.retain(|&cell| stone_owner(game, cell) == Some(color));
                let vertices = VertexBoard::vertices(game, cells).into_iter();
                success(vertices.map(|vertex| vertex.to_string()).collect::<Vec<_>>().join(" "))
            }
            Command::Captures(color) => success(captured_by(game, color).to_string()),
            Command::AllLegal(color) if !is_to_move(game, color) => success(""),
            Command::AllLegal(_) => {
                let mut texts = legal_moves(game, NextVertex::Plain);
                texts.retain(|text| text != "pass");
                success(texts.join(" "))
            }
            Command::MoveHistory => {
                let moves = self.codec.line(&game.start(), &game.moves()).into_iter().rev();
                let lines = moves.map(|(color, text)| {
                    let color = if color == Color::Black { "black" } else { "white" };
                    format!("{color} {text}")
                });
                success(lines.collect::<Vec<_>>().join("\n"))
            }
            Command::TopMoves(color) => {
                let is_waiting = color.is_some_and(|color| !is_to_move(game, color));
                if is_waiting || game.outcome().is_some() {
                    return success("");
                }
                let mover = super::color(game.to_move());
                let limits = self.limits(state, mover);
                let pending = PendingSearch::new(id, mover, SearchPurpose::TopMoves, limits, None);
                self.search(state, pending, TOP_MOVES)?;
                Ok(Reply::Later)
            }
            _ => success(format!("{:.3}", self.searched.as_secs_f64())),
        }
    }
}

/// Returns the vertices of the best moves, each with its win rate in percent.
pub(super) fn top_moves(game: &Game, reports: &[Report], codec: Codec) -> String {
    let texts = reports.iter().filter_map(|report| {
        let text = codec.move_text(game, *report.pv.first()?)?;
        Some(format!("{text} {:.2}", 100.0 * report.score.win_probability()))
    });
    texts.collect::<Vec<_>>().join(" ")
}
