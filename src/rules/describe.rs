//! A ruleset in words, made from its components.

use super::{Capture, LineRule, Opening, Palette, Ruleset, Spec, catalog};

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
    format!("{} begin, in turn; player 1 has {}.", names.join(" and "), names[0])
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

/// The sources of every catalog row whose rules are part of the spec.
fn sources(spec: &Spec) -> String {
    let canonical = spec.to_string();
    let name = canonical.split('+').next().unwrap_or_default();
    let base = catalog::find(spec.base_game().name()).map_or("", |row| row.source);
    let named = catalog::find(name).map_or("", |row| row.source);
    if base == named { base.to_owned() } else { format!("{named}; base game {base}") }
}
