//! What an engine says of a search, out of lines that each say a part.

use pentarch_engine::search::Report;
use std::time::Duration;

/// The last word of an engine on its search, for clients.
///
/// A value brings its own depth; a line that is left out stays, and the counters never go back.
/// Lines of other ranks than the first do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    report: Option<Report>,
    nodes: u64,
    time: Duration,
}

impl Heard {
    /// Takes a report.
    pub fn add(&mut self, report: Report) {
        if report.multipv > 1 {
            return;
        }
        self.count(report.nodes, report.time);
        let line = self.report.take().map(|before| before.pv);
        let pv = match line {
            Some(line) if report.pv.is_empty() => line,
            _ => report.pv,
        };
        self.report = Some(Report { pv, ..report });
    }

    /// Takes counters that came without a value; what a line leaves out is zero.
    pub fn count(&mut self, nodes: u64, time: Duration) {
        (self.nodes, self.time) = (self.nodes.max(nodes), self.time.max(time));
    }

    /// All of it, none if there was no value.
    pub fn report(&self) -> Option<Report> {
        let report = self.report.clone()?;
        Some(Report { nodes: self.nodes, time: self.time, ..report })
    }
}
