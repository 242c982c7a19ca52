//! A ruleset in words, made from its components.

use super::catalog::CATALOG;
use super::{Capture, LineRule, Opening, Palette, Ruleset, Spec, Tiles};

impl Ruleset {
    /// The rules as titled sentences, in the order in which a player would ask.
    pub fn describe(&self) -> Vec<(&'static str, String)> {
        if let Some(rules) = self.tiles() {
            return tiles(self, rules);
        }
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

/// The rules of Pent-Up (S2).
fn tiles(rules: &Ruleset, tiles: Tiles) -> Vec<(&'static str, String)> {
    let (end, next) =
        if tiles.misere { ("lowest", "next above") } else { ("highest", "next below") };
    vec![
        ("Board", "a table with a square grid and without edges.".to_owned()),
        ("Players", players(rules.palette())),
        (
            "Tiles",
            "each player has the twelve pentominoes once each and places one a turn, turned and \
             flipped at will; the first tile's box begins at cg85."
                .to_owned(),
        ),
        (
            "Placing",
            "flat on the grid: on the table, sharing an edge with another tile on the table, or \
             resting on at least two tiles of any colour. The tile chosen must go to the highest \
             level at which it fits anywhere."
                .to_owned(),
        ),
        (
            "Goal",
            format!(
                "when all 24 tiles are placed, most tiles on the {end} level win; if equal, on \
                 the {next}, and so on."
            ),
        ),
        ("Draw", "equal numbers of tiles on every level.".to_owned()),
        ("Source", sources(rules.spec())),
    ]
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
