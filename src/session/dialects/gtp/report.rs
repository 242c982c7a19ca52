//! What a search reports: the moves of `lz-analyze` and `kata-analyze`.

use super::Codec;
use crate::dialects::Heard;
use pentarch_engine::Game;
use pentarch_engine::search::{Bound, Report, Score};
use pentarch_protocol::gtp::{Flavor, MoveInfo};
use std::time::Duration;

impl Codec {
    /// A report on a position, of the move that comes first in its line.
    pub fn move_info(self, game: &Game, report: &Report) -> MoveInfo {
        let pv: Vec<_> = self.line(game, &report.pv).into_iter().map(|(_, mv)| mv).collect();
        MoveInfo {
            mv: pv.first().cloned().unwrap_or_default(),
            visits: report.move_nodes,
            win_rate: report.score.win_probability(),
            score: Some(lead(report.score)),
            order: report.multipv.saturating_sub(1),
            pv,
        }
    }

    /// The line of an analysis: a move of each rank, then the value of the position if the client
    /// wants it.
    pub fn analysis(
        self,
        game: &Game,
        reports: &[Report],
        flavor: Flavor,
        with_root: bool,
    ) -> String {
        let infos = (0..).zip(reports).map(|(order, report)| {
            let info = MoveInfo { order, ..self.move_info(game, report) };
            info.text(flavor)
        });
        let mut text = infos.collect::<Vec<_>>().join(" ");
        if let Some(best) = reports.first().filter(|_| with_root) {
            let (rate, lead, nodes) = (best.score.win_probability(), lead(best.score), best.nodes);
            let root = format!(" rootInfo visits {nodes} winrate {rate:.6} scoreLead {lead:.6}");
            text.push_str(&root);
        }
        text
    }

    /// Adds a line of an analysis to what was said of a search before.
    pub fn hear(self, game: &Game, line: &str, heard: &mut Heard) {
        for info in MoveInfo::parse_line(line) {
            heard.add(self.report(game, &info));
        }
    }

    /// Reads a report on a position. The lead counts if there is one, else the chance to win. An
    /// analysis has no depth and no time.
    pub fn report(self, game: &Game, info: &MoveInfo) -> Report {
        let first = std::slice::from_ref(&info.mv);
        let pv = self.parse_line(game, if info.pv.is_empty() { first } else { &info.pv });
        let score = match info.score {
            Some(lead) => Score::points((100.0 * lead).round() as i32),
            None => Score::from_win_probability(info.win_rate),
        };
        Report {
            depth: 0,
            seldepth: 0,
            multipv: info.order.saturating_add(1),
            score,
            bound: Bound::Exact,
            nodes: info.visits,
            move_nodes: info.visits,
            time: Duration::ZERO,
            hashfull: 0,
            pv,
        }
    }
}

/// The lead in plain stones.
fn lead(score: Score) -> f64 {
    f64::from(score.value()) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_as_they_are_written() {
        let mut game = Game::new("pente".parse().unwrap());
        game.play("j10").unwrap();
        let pv: Vec<_> = ["k10", "a1"].map(|text| game.parse_move(text).unwrap()).to_vec();
        let report = |multipv, points| Report {
            depth: 0,
            seldepth: 0,
            multipv,
            score: Score::points(points),
            bound: Bound::Exact,
            nodes: 1234,
            move_nodes: 1234,
            time: Duration::ZERO,
            hashfull: 0,
            pv: pv.clone(),
        };
        let reports = [report(1, 250), report(2, -37)];
        for (extended, flavor) in [(true, Flavor::Kata), (false, Flavor::Kata)] {
            let codec = Codec { extended };
            let line = codec.analysis(&game, &reports, flavor, true);
            let read = MoveInfo::parse_line(&line);
            let read: Vec<_> = read.iter().map(|info| codec.report(&game, info)).collect();
            assert_eq!(read, reports, "{line}");
        }
        // Leela Zero's win rates have four digits and no lead.
        let codec = Codec { extended: false };
        let line = codec.analysis(&game, &reports, Flavor::Leela, false);
        let read = codec.report(&game, &MoveInfo::parse_line(&line)[0]);
        assert!((read.score.value() - 250).abs() <= 1, "{line}");
    }
}
