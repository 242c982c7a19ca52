//! What the user is shown during a search.

use crate::dialects::gomocup::Codec;
use pentarch_engine::search::Report;
use pentarch_engine::{Game, Options};
use pentarch_protocol::gomocup::Response;

/// A progress report: a line for a human and, where the client shows more, Yixin's lines for it.
pub(super) fn report(report: &Report, game: &Game, codec: Codec, detail: bool) -> Vec<Response> {
    let mut lines = vec![codec.message(game, report)];
    let points: Vec<_> = report.pv.iter().filter(|mv| mv.cell().is_some()).collect();
    let points: Vec<_> = points.into_iter().map(|&mv| codec.move_text(game, mv)).collect();
    // Yixin-Board reads points here and crashes on anything else, such as a choice in an opening.
    let is_point = report.pv.first().is_some_and(|mv| mv.cell().is_some());
    if let Some(best) = points.first().filter(|_| is_point && detail && report.multipv == 1) {
        lines.push(format!("REALTIME BEST {best}"));
        lines.push(format!("REALTIME VAL {}", report.score.value()));
        lines.push(format!("REALTIME PV {}", points.join(" ")));
    }
    lines.into_iter().map(Response::Message).collect()
}

/// The largest settings that the engine takes, as Yixin-Board wants them: threads, and the binary
/// logarithm of the hash table's KiB.
pub(super) fn largest_settings() -> Vec<Response> {
    let hash = (*Options::HASH.end() * 1024).ilog2();
    let lines = [
        pentarch_engine::NAME_AND_VERSION.to_owned(),
        format!("INFO MAX_THREAD_NUM {}", Options::THREADS.end()),
        format!("INFO MAX_HASH_SIZE {hash}"),
    ];
    lines.map(Response::Message).to_vec()
}
