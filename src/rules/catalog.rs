//! The named combinations, a row each.

use super::Ruleset;

/// A variant that has a name of its own.
#[derive(Debug)]
pub struct Row {
    /// Its name, which is also its canonical text form.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// The base game and the modifiers that the name stands for.
    pub stands_for: &'static str,
    /// The rules in a sentence or two.
    pub summary: &'static str,
    /// Where the rules are written; the keys are explained in [`rules`](super).
    pub source: &'static str,
}

/// Every named variant, base games included. The order breaks ties between names.
pub const CATALOG: &[Row] = &[
    Row {
        name: "pente",
        aliases: &[],
        stands_for: "pente",
        summary: "19x19, first stone at the centre; five in a row or ten captured stones win.",
        source: "S1, S3, PO",
    },
    Row {
        name: "pente-freestyle",
        aliases: &["freestyle-pente"],
        stands_for: "pente+free",
        summary: "Pente with the first stone anywhere.",
        source: "S3",
    },
    Row {
        name: "pro-pente",
        aliases: &["tournament-pente"],
        stands_for: "pente+pro",
        summary: "Pente with the tournament rule: player 1's second stone outside the central 5x5.",
        source: "S1, S3, PO",
    },
    Row {
        name: "long-pro-pente",
        aliases: &[],
        stands_for: "pente+long-pro",
        summary: "Pente with player 1's second stone outside the central 7x7.",
        source: "AP, BGA",
    },
    Row {
        name: "g-pente",
        aliases: &[],
        stands_for: "pente+g",
        summary: "Pro-Pente with eight points of the centre's row and column closed as well.",
        source: "PO",
    },
    Row {
        name: "keryo-pente",
        aliases: &["keryo"],
        stands_for: "pente+keryo",
        summary: "Pente with captures of three besides pairs; fifteen captured stones win.",
        source: "S3, PO, PBM",
    },
    Row {
        name: "five-in-a-row-pente",
        aliases: &["five-in-a-row"],
        stands_for: "pente+five-only",
        summary: "Pente in which captures never win; first stone anywhere.",
        source: "S3",
    },
    Row {
        name: "pente-13",
        aliases: &[],
        stands_for: "pente+size=13",
        summary: "Pente on 13x13.",
        source: "S3",
    },
    Row {
        name: "ninuki",
        aliases: &[],
        stands_for: "ninuki",
        summary: "13x13, Black starts anywhere and plays his second stone at least three away from \
                  his first; five in a row or five captured pairs win.",
        source: "S5",
    },
    Row {
        name: "gomoku",
        aliases: &["gomoku-freestyle", "freestyle-gomoku"],
        stands_for: "gomoku",
        summary: "15x15 without captures; five or more in a row win.",
        source: "Gomocup rule 0",
    },
    Row {
        name: "gomoku-standard",
        aliases: &["standard-gomoku"],
        stands_for: "gomoku-standard",
        summary: "15x15 without captures; exactly five in a row win.",
        source: "Gomocup rule 1",
    },
    Row {
        name: "pent-up",
        aliases: &["pentup"],
        stands_for: "pent-up",
        summary: "Twelve pentominoes a player, stacked as high as each fits; most tiles on the \
                  highest level win.",
        source: "S2",
    },
    Row {
        name: "pent-up-misere",
        aliases: &["misere-pent-up", "pentup-misere"],
        stands_for: "pent-up-misere",
        summary: "Pent-Up in which most tiles on the lowest level win.",
        source: "S2",
    },
];

/// The row of that name or alias, in canonical spelling.
pub fn find(name: &str) -> Option<&'static Row> {
    CATALOG.iter().find(|row| row.name == name || row.aliases.contains(&name))
}

/// The names and aliases of all rows.
pub fn names() -> impl Iterator<Item = &'static str> {
    CATALOG.iter().flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()))
}

impl Row {
    /// The rules of the row.
    pub fn ruleset(&self) -> Ruleset {
        self.name.parse().unwrap_or_else(|error| panic!("catalog row {}: {error}", self.name))
    }
}
