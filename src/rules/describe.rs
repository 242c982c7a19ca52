//! A ruleset in words, made from its components.

use super::catalog::CATALOG;
use super::{Capture, LineRule, Opening, Palette, Ruleset, Spec};

impl Ruleset {
    /// The rules as titled sentences, in the order in which a player would ask.
    pub fn describe(&self) -> Vec<(&'static str, String)> {
        let mut text = vec![
            (
                "Board",
                format!(
                    "{0} points, {1} columns and {2} rows; the edges count.",
                    self.grid().cells(),
                    self.grid().columns(),
                    self.grid().rows()
                ),
            ),
            ("Players", players(self.palette())),
            ("Opening", opening(self.opening(), self)),
            ("Line", line(self.line())),
        ];
        if let Some(capture) = self.capture() {
            text.push(("Capture", captures(capture)));
            let goal = capture.goal.map_or("captures never win".to_owned(), |goal| {
                format!("{goal} captured stones win")
            });
            text.push(("Goal", format!("a winning line wins at once; {goal}.")));
        }
        text.push((
            "Draw",
            format!(
                "no empty point, no legal move for the player to move, or {} plies.",
                self.max_plies()
            ),
        ));
        text.push(("Source", sources(self.spec())));
        text
    }
}

fn players(palette: Palette) -> String {
    let names = palette.names();
    format!("{} in turn; player 1 has {} and begins.", names.join(" and "), names[0])
}

fn opening(opening: Opening, rules: &Ruleset) -> String {
    let grid = rules.grid();
    let centre = grid.label(grid.centre());
    let first = if opening.centre_first {
        format!("player 1's first stone goes to the centre, {centre}")
    } else {
        "player 1's first stone goes anywhere".to_owned()
    };
    let Some(second) = opening.second else { return first + "." };
    let anchor = if second.from_centre { "the centre" } else { "his first" };
    let mut text = format!(
        "{first}; his second stone at least {} king's steps away from {anchor}",
        second.distance
    );
    if second.closes_axes {
        text += ", and not on the centre's row or column within four steps";
    }
    text + "."
}

fn line(line: LineRule) -> String {
    let number = line.length();
    if line.exact() {
        format!("exactly {number} own stones in a row, in any direction, win; longer rows do not.")
    } else {
        format!("{number} or more own stones in a row, in any direction, win.")
    }
}

fn captures(capture: Capture) -> String {
    let groups = if capture.threes { "exactly two or exactly three" } else { "exactly two" };
    format!(
        "a stone that encloses {groups} enemy stones in a straight line, between itself and \
         another own stone, takes them off the board, in all directions at once; freed points may \
         be played again; moving in between two enemy stones is safe."
    )
}

/// The sources of every named variant whose rules are part of the spec, each once.
fn sources(spec: &Spec) -> String {
    let mut keys: Vec<&str> = Vec::new();
    for row in CATALOG.iter().filter(|row| spec.includes(row.ruleset().spec())) {
        for key in row.source.split(", ").filter(|key| !keys.contains(key)).collect::<Vec<_>>() {
            keys.push(key);
        }
    }
    keys.join(", ")
}
