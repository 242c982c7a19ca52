//! The reports of an engine on one search, combined.

use pentarch_engine::search::Report;
use std::time::Duration;

/// Combines the lines of an engine about one search into one report, for clients.
///
/// A score comes with its own depth; a missing principal variation keeps the previous one, and the
/// counters never decrease. Lines of other ranks than the first are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InfoAccumulator {
    report: Option<Report>,
    nodes: u64,
    time: Duration,
}

impl InfoAccumulator {
    /// Adds a report.
    pub fn add(&mut self, report: Report) {
        if report.multipv > 1 {
            return;
        }
        self.add_counters(report.nodes, report.time);
        let previous = self.report.take().map(|report| report.pv);
        let pv = match previous {
            Some(pv) if report.pv.is_empty() => pv,
            _ => report.pv,
        };
        self.report = Some(Report { pv, ..report });
    }

    /// Adds counters that came without a score; a missing one is zero.
    pub(crate) fn add_counters(&mut self, nodes: u64, time: Duration) {
        (self.nodes, self.time) = (self.nodes.max(nodes), self.time.max(time));
    }

    /// Returns the combined report, or `None` if there was no score.
    pub fn report(&self) -> Option<Report> {
        let report = self.report.clone()?;
        Some(Report { nodes: self.nodes, time: self.time, ..report })
    }
}
