//! The table of clocks in `SPEC.md`: lines of each dialect, and the limits of the search that follows.

use pentarch_engine::search::Limits;
use pentarch_protocol::Dialect;
use std::time::Duration;

const SPEC: &str = include_str!("../../protocol/SPEC.md");

/// Compares the rows of a dialect with the limits that its session derives from their lines.
pub(crate) fn check(dialect: Dialect, limits: impl Fn(&[&str]) -> Limits) {
    let start = format!("| `{dialect}` | ");
    let rows: Vec<&str> = SPEC.lines().filter_map(|line| line.strip_prefix(&start)).collect();
    let rows: Vec<&&str> = rows.iter().filter(|row| row.matches('|').count() == 5).collect();
    assert!(rows.len() >= 2, "{dialect}");
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [lines, left, added, moves, most, ""] = cells[..] else { panic!("{row}") };
        let lines: Vec<&str> = lines.split('`').skip(1).step_by(2).collect();
        let seconds = |cell: &str| {
            (!cell.is_empty()).then(|| Duration::from_secs_f64(cell.parse().expect("seconds")))
        };
        let found = limits(&lines);
        let clock = found.clock.map(|clock| (Some(clock.left), Some(clock.increment)));
        assert_eq!(clock.unwrap_or_default(), (seconds(left), seconds(added)), "{row}");
        let moves_to_go = found.clock.and_then(|clock| clock.moves_to_go);
        assert_eq!(moves_to_go, moves.parse().ok(), "{row}");
        assert_eq!(found.move_time, seconds(most), "{row}");
    }
}
