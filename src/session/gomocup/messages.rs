//! What is told to the user during a search.

use super::stones;
use crate::engine::{Game, Options};
use crate::game::Move;
use crate::search::Report;
use pentarch_protocol::gomocup::{Coordinates, Response};

/// A progress report: a line for a human and, where the client shows more, Yixin's lines for it.
pub(super) fn report(
    report: &Report,
    game: &Game,
    coordinates: Coordinates,
    detail: bool,
) -> Vec<Response> {
    let message = |text: String| Response::Message(text);
    let line: Vec<_> = report.pv.iter().map(|&mv| move_text(game, coordinates, mv)).collect();
    let pv = line.join(" ");
    let rank = if report.multipv > 1 { format!("({}) ", report.multipv) } else { String::new() };
    let (depth, seldepth) = (report.depth, report.seldepth);
    let (score, nodes, nps) = (report.score, report.nodes, report.nps());
    let mut lines = vec![message(format!(
        "{rank}depth {depth}-{seldepth} eval {score} nodes {nodes} nps {nps} time {} pv {pv}",
        report.time.as_millis()
    ))];
    // Yixin-Board reads points here and crashes on anything else, such as a choice in an opening.
    let is_point = report.pv.first().is_some_and(|mv| mv.cell().is_some());
    if let Some(best) = line.first().filter(|_| is_point && detail && report.multipv == 1) {
        let points = report.pv.iter().zip(&line).filter(|(mv, _)| mv.cell().is_some());
        let points: Vec<_> = points.map(|(_, text)| text.as_str()).collect();
        lines.push(message(format!("REALTIME BEST {best}")));
        lines.push(message(format!("REALTIME VAL {}", score.value())));
        lines.push(message(format!("REALTIME PV {}", points.join(" "))));
    }
    lines
}

fn move_text(game: &Game, coordinates: Coordinates, mv: Move) -> String {
    match (mv.cell(), game.grid()) {
        (Some(cell), Some(grid)) => stones::point(grid, coordinates, cell).to_string(),
        _ => game.move_text(mv),
    }
}

/// The largest settings that the engine takes, as Yixin-Board wants them: threads, and the binary
/// logarithm of the hash table's KiB.
pub(super) fn largest_settings() -> Vec<Response> {
    let hash = (*Options::HASH.end() * 1024).ilog2();
    let lines = [
        crate::NAME_AND_VERSION.to_owned(),
        format!("INFO MAX_THREAD_NUM {}", Options::THREADS.end()),
        format!("INFO MAX_HASH_SIZE {hash}"),
    ];
    lines.map(Response::Message).to_vec()
}
