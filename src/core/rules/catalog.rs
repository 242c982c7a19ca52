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
        summary: "19x19, first stone at the center; five in a row or ten captured stones win.",
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
        summary: "Pro-Pente with eight points of the center's row and column closed as well.",
        source: "PO",
    },
    Row {
        name: "d-pente",
        aliases: &["dpente"],
        stands_for: "pente+swap",
        summary: "Player 1 places four stones, player 2 chooses a color.",
        source: "S3, PO",
    },
    Row {
        name: "swap2-pente",
        aliases: &["double-swap-pente"],
        stands_for: "pente+swap2",
        summary: "Player 1 places three stones, player 2 chooses or places two more for player 1 to choose.",
        source: "S3, PO, AP, BGA",
    },
    Row {
        name: "keryo-pente",
        aliases: &["keryo"],
        stands_for: "pente+keryo",
        summary: "Pente with captures of three besides pairs; fifteen captured stones win.",
        source: "S3, PO, PBM",
    },
    Row {
        name: "o-pente",
        aliases: &["opente"],
        stands_for: "pente+keryo+poof+boat=strict",
        summary: "Keryo-Pente in which poofs lose stones and a five that a capture can break may be answered.",
        source: "S3, PO, AP",
    },
    Row {
        name: "dk-pente",
        aliases: &["d-keryo-pente"],
        stands_for: "pente+swap+keryo",
        summary: "Keryo-Pente with the opening of D-Pente.",
        source: "PO",
    },
    Row {
        name: "swap2-keryo",
        aliases: &["swap2-keryo-pente"],
        stands_for: "pente+swap2+keryo",
        summary: "Keryo-Pente with the opening of Swap2-Pente.",
        source: "PO",
    },
    Row {
        name: "plus-minus-pente",
        aliases: &["pente-plus-minus"],
        stands_for: "pente+plus-minus",
        summary: "Each captured pair adds to one's own count or takes from the opponent's.",
        source: "S3, PBM",
    },
    Row {
        name: "five-in-a-row-pente",
        aliases: &["five-in-a-row"],
        stands_for: "pente+five-only",
        summary: "Pente in which captures never win; first stone anywhere.",
        source: "S3",
    },
    Row {
        name: "neutral-pente",
        aliases: &[],
        stands_for: "pente+neutral",
        summary: "Two neutral stones a player, which block and belong to nobody.",
        source: "S3",
    },
    Row {
        name: "atomic-pente",
        aliases: &[],
        stands_for: "pente+atomic",
        summary: "Once a game a stone may be a bomb, which clears its eight neighbors.",
        source: "S3",
    },
    Row {
        name: "anti-pente",
        aliases: &[],
        stands_for: "pente+anti",
        summary: "No move may leave an open four of one's own.",
        source: "S3, MOK",
    },
    Row {
        name: "poof-pente",
        aliases: &[],
        stands_for: "pente+poof",
        summary: "A pair of one's own that comes to lie between two enemies is lost.",
        source: "S3, PO, AP",
    },
    Row {
        name: "boat-pente",
        aliases: &[],
        stands_for: "pente+boat",
        summary: "A five can be answered with one move: broken, or won first.",
        source: "S3",
    },
    Row {
        name: "boat-pente-strict",
        aliases: &["strict-boat-pente"],
        stands_for: "pente+boat=strict",
        summary: "A five that a capture can break wins only if it is not broken at once.",
        source: "PO, AP, BGA",
    },
    Row {
        name: "pente-13",
        aliases: &[],
        stands_for: "pente+size=13",
        summary: "Pente on 13x13.",
        source: "S3",
    },
    Row {
        name: "pente-plus",
        aliases: &[],
        stands_for: "pente+plus",
        summary: "Two power stones a player, which count as any color; each gives a bonus stone.",
        source: "S1",
    },
    Row {
        name: "pente-3",
        aliases: &[],
        stands_for: "pente+players=3",
        summary: "Pente for three, each against all others.",
        source: "S1, S3, PBM",
    },
    Row {
        name: "pente-4",
        aliases: &[],
        stands_for: "pente+players=4",
        summary: "Pente for four, each against all others.",
        source: "S1, S3, PBM",
    },
    Row {
        name: "team-pente",
        aliases: &["pente-teams"],
        stands_for: "pente+teams",
        summary: "Pente for two teams of two, who count their captures together.",
        source: "S1",
    },
    Row {
        name: "ninuki",
        aliases: &[],
        stands_for: "ninuki",
        summary: "13x13, Black starts anywhere and plays the second stone at least three away from \
                  the first; five in a row or five captured pairs win.",
        source: "S5",
    },
    Row {
        name: "ninuki-renju",
        aliases: &[],
        stands_for: "ninuki-renju",
        summary: "15x15, center first; exactly five that no capture can break, or five pairs; no double threes.",
        source: "PBM",
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
        name: "renju",
        aliases: &[],
        stands_for: "renju",
        summary: "15x15; overlines, double fours and double threes are closed to Black; White wins with five or more.",
        source: "Gomocup rule 4, RIF",
    },
    Row {
        name: "caro",
        aliases: &[],
        stands_for: "caro",
        summary: "15x15; five between two enemies do not win, six always do.",
        source: "Gomocup rule 8",
    },
    Row {
        name: "caro-standard",
        aliases: &["standard-caro"],
        stands_for: "caro-standard",
        summary: "15x15; exactly five that do not lie between two enemies win.",
        source: "Gomocup rule 9",
    },
    Row {
        name: "connect6",
        aliases: &["connect-6"],
        stands_for: "connect6",
        summary: "19x19; six in a row win; one stone, then two a turn.",
        source: "MOK",
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
    Row {
        name: "pentalath",
        aliases: &["ndengrod"],
        stands_for: "pentalath",
        summary: "70 hexagons in a trapezium; five in a row win, groups without liberty are taken.",
        source: "S4, LUD",
    },
    Row {
        name: "pentalath-hex",
        aliases: &["hex-pentalath"],
        stands_for: "pentalath-hex",
        summary: "Pentalath on a hexagon of 61 cells.",
        source: "S4, LUD",
    },
    Row {
        name: "pentalath-3",
        aliases: &[],
        stands_for: "pentalath-3",
        summary: "Pentalath for three: White, Black and Red.",
        source: "S4",
    },
    Row {
        name: "yavalath",
        aliases: &[],
        stands_for: "yavalath",
        summary: "Hexagon of 61 cells; four in a row win, three without four lose.",
        source: "S4, LUD",
    },
    Row {
        name: "yavalath-3",
        aliases: &[],
        stands_for: "yavalath-3",
        summary: "Yavalath for three, who must not let the next player win; three puts out, the last \
                  one left wins.",
        source: "S4",
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
