//! The base games, the named variants, and the games of pente.org.

use super::{
    BoardRules, ColorNames, ForbiddenRule, HexBoardRules, LineRule, OpeningRule, Ruleset, Seating,
    SquareBoardRules, TileBoardRules, VariantSpec,
};
use crate::board::Grid;

/// The games that modifiers are applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BaseGame {
    /// Captures of pairs and five in a row on 19x19 (S1, S3, PO).
    Pente,
    /// Captures of pairs and five in a row on 13x13 (S5).
    Ninuki,
    /// Captures of pairs and perfect fives on 15x15 (PBM).
    NinukiRenju,
    /// Five or more in a row on 15x15.
    Gomoku,
    /// Exactly five in a row on 15x15.
    GomokuStandard,
    /// Gomoku with forbidden points for Black.
    Renju,
    /// Gomoku in which five between two enemies do not win; six do.
    Caro,
    /// Caro in which exactly five win.
    CaroStandard,
    /// Six in a row on 19x19, two stones a turn.
    Connect6,
    /// Pentominoes in layers (S2).
    PentUp,
    /// Pent-Up in which the lowest level decides (S2).
    PentUpMisere,
    /// Five in a row and surrounded groups on a trapezium of hexagons (S4).
    Pentalath,
    /// Pentalath on a hexagon (S4).
    PentalathHex,
    /// Pentalath for three (S4).
    Pentalath3,
    /// Four in a row win, three lose, on a hexagon (S4).
    Yavalath,
    /// Yavalath for three (S4).
    Yavalath3,
}

/// The number of plies after which any game is a draw, unless `max-plies` sets it (LUD).
const MAX_PLIES: u32 = 2500;

impl BaseGame {
    /// Every base game.
    pub const ALL: [BaseGame; 16] = [
        BaseGame::Pente,
        BaseGame::Ninuki,
        BaseGame::NinukiRenju,
        BaseGame::Gomoku,
        BaseGame::GomokuStandard,
        BaseGame::Renju,
        BaseGame::Caro,
        BaseGame::CaroStandard,
        BaseGame::Connect6,
        BaseGame::PentUp,
        BaseGame::PentUpMisere,
        BaseGame::Pentalath,
        BaseGame::PentalathHex,
        BaseGame::Pentalath3,
        BaseGame::Yavalath,
        BaseGame::Yavalath3,
    ];

    /// The name of the base game in a [`VariantSpec`].
    pub const fn name(self) -> &'static str {
        match self {
            BaseGame::Pente => "pente",
            BaseGame::Ninuki => "ninuki",
            BaseGame::NinukiRenju => "ninuki-renju",
            BaseGame::Gomoku => "gomoku",
            BaseGame::GomokuStandard => "gomoku-standard",
            BaseGame::Renju => "renju",
            BaseGame::Caro => "caro",
            BaseGame::CaroStandard => "caro-standard",
            BaseGame::Connect6 => "connect6",
            BaseGame::PentUp => "pent-up",
            BaseGame::PentUpMisere => "pent-up-misere",
            BaseGame::Pentalath => "pentalath",
            BaseGame::PentalathHex => "pentalath-hex",
            BaseGame::Pentalath3 => "pentalath-3",
            BaseGame::Yavalath => "yavalath",
            BaseGame::Yavalath3 => "yavalath-3",
        }
    }

    /// The rules without any modifier.
    pub(super) fn rules(self) -> Ruleset {
        let seats = match self {
            BaseGame::Pentalath3 | BaseGame::Yavalath3 => 3,
            _ => 2,
        };
        Ruleset {
            spec: VariantSpec::base(self),
            color_names: self.color_names(),
            seating: Seating { seats, teams: false, double_turns: self == BaseGame::Connect6 },
            max_plies: MAX_PLIES,
            board: self.board(),
        }
    }

    fn color_names(self) -> ColorNames {
        match self.board() {
            BoardRules::Squares(_) if self != BaseGame::Pente => ColorNames::BlackFirst,
            _ => ColorNames::WhiteFirst,
        }
    }

    fn board(self) -> BoardRules {
        let pente = SquareBoardRules::PENTE;
        let gomoku = SquareBoardRules {
            grid: Grid::square(15),
            opening: OpeningRule::FREE,
            capture: None,
            ..pente
        };
        BoardRules::Squares(match self {
            BaseGame::Pente => pente,
            BaseGame::Ninuki => {
                SquareBoardRules { grid: Grid::square(13), opening: OpeningRule::NINUKI, ..pente }
            }
            BaseGame::NinukiRenju => SquareBoardRules {
                line: LineRule::new(5, true),
                capture: pente.capture,
                opening: OpeningRule::CENTER,
                forbidden: Some(ForbiddenRule::DoubleThree),
                perfect_fives: true,
                ..gomoku
            },
            BaseGame::Gomoku => gomoku,
            BaseGame::GomokuStandard => SquareBoardRules { line: LineRule::new(5, true), ..gomoku },
            BaseGame::Renju => SquareBoardRules { forbidden: Some(ForbiddenRule::Renju), ..gomoku },
            BaseGame::Caro => SquareBoardRules { line: LineRule::caro(5, false), ..gomoku },
            BaseGame::CaroStandard => SquareBoardRules { line: LineRule::caro(5, true), ..gomoku },
            BaseGame::Connect6 => {
                SquareBoardRules { grid: Grid::square(19), line: LineRule::new(6, false), ..gomoku }
            }
            BaseGame::PentUp => return TileBoardRules { misere: false }.into(),
            BaseGame::PentUpMisere => return TileBoardRules { misere: true }.into(),
            BaseGame::Pentalath | BaseGame::Pentalath3 => return HexBoardRules::PENTALATH.into(),
            BaseGame::PentalathHex => return HexBoardRules::PENTALATH_HEX.into(),
            BaseGame::Yavalath => return HexBoardRules::YAVALATH.into(),
            BaseGame::Yavalath3 => return HexBoardRules::YAVALATH_3.into(),
        })
    }
}

/// A named variant.
#[derive(Debug)]
pub struct Variant {
    /// The name, which is also the canonical spec.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// The base game and modifiers, as `NAME[+modifier...]`.
    pub definition: &'static str,
    /// The rules in a sentence or two.
    pub summary: &'static str,
    /// The keys of the sources, see [`rules`](super).
    pub source: &'static str,
}

/// Every named variant, base games included. If several names fit a spec, the first is used.
pub const CATALOG: &[Variant] = &[
    Variant {
        name: "pente",
        aliases: &[],
        definition: "pente",
        summary: "19x19, first stone at the center; five in a row or ten captured stones win.",
        source: "S1, S3, PO",
    },
    Variant {
        name: "pente-freestyle",
        aliases: &["freestyle-pente"],
        definition: "pente+free",
        summary: "Pente with the first stone anywhere.",
        source: "S3",
    },
    Variant {
        name: "pro-pente",
        aliases: &["tournament-pente"],
        definition: "pente+pro",
        summary: "Pente with the tournament rule: player 1's second stone outside the central 5x5.",
        source: "S1, S3, PO",
    },
    Variant {
        name: "long-pro-pente",
        aliases: &[],
        definition: "pente+long-pro",
        summary: "Pente with player 1's second stone outside the central 7x7.",
        source: "AP, BGA",
    },
    Variant {
        name: "g-pente",
        aliases: &[],
        definition: "pente+g",
        summary: "Pro-Pente with eight points of the center's row and column closed as well.",
        source: "PO",
    },
    Variant {
        name: "d-pente",
        aliases: &["dpente"],
        definition: "pente+swap",
        summary: "Player 1 places four stones, player 2 chooses a color.",
        source: "S3, PO",
    },
    Variant {
        name: "swap2-pente",
        aliases: &["double-swap-pente"],
        definition: "pente+swap2",
        summary: "Player 1 places three stones, player 2 chooses or places two more for player 1 to choose.",
        source: "S3, PO, AP, BGA",
    },
    Variant {
        name: "keryo-pente",
        aliases: &["keryo"],
        definition: "pente+keryo",
        summary: "Pente with captures of three besides pairs; fifteen captured stones win.",
        source: "S3, PO, PBM",
    },
    Variant {
        name: "o-pente",
        aliases: &["opente"],
        definition: "pente+keryo+poof+boat=strict",
        summary: "Keryo-Pente in which poofs lose stones and a five that a capture can break may be answered.",
        source: "S3, PO, AP",
    },
    Variant {
        name: "dk-pente",
        aliases: &["d-keryo-pente"],
        definition: "pente+swap+keryo",
        summary: "Keryo-Pente with the opening of D-Pente.",
        source: "PO",
    },
    Variant {
        name: "swap2-keryo",
        aliases: &["swap2-keryo-pente"],
        definition: "pente+swap2+keryo",
        summary: "Keryo-Pente with the opening of Swap2-Pente.",
        source: "PO",
    },
    Variant {
        name: "plus-minus-pente",
        aliases: &["pente-plus-minus"],
        definition: "pente+plus-minus",
        summary: "Each captured pair adds to one's own count or takes from the opponent's.",
        source: "S3, PBM",
    },
    Variant {
        name: "five-in-a-row-pente",
        aliases: &["five-in-a-row"],
        definition: "pente+five-only",
        summary: "Pente in which captures never win; first stone anywhere.",
        source: "S3",
    },
    Variant {
        name: "neutral-pente",
        aliases: &[],
        definition: "pente+neutral",
        summary: "Two neutral stones a player, which block and belong to nobody.",
        source: "S3",
    },
    Variant {
        name: "atomic-pente",
        aliases: &[],
        definition: "pente+atomic",
        summary: "Once a game a stone may be a bomb, which clears its eight neighbors.",
        source: "S3",
    },
    Variant {
        name: "anti-pente",
        aliases: &[],
        definition: "pente+anti",
        summary: "No move may leave an open four of one's own.",
        source: "S3, MOK",
    },
    Variant {
        name: "poof-pente",
        aliases: &[],
        definition: "pente+poof",
        summary: "A pair of one's own that comes to lie between two enemies is lost.",
        source: "S3, PO, AP",
    },
    Variant {
        name: "boat-pente",
        aliases: &[],
        definition: "pente+boat",
        summary: "A five can be answered with one move: broken, or won first.",
        source: "S3",
    },
    Variant {
        name: "boat-pente-strict",
        aliases: &["strict-boat-pente"],
        definition: "pente+boat=strict",
        summary: "A five that a capture can break wins only if it is not broken at once.",
        source: "PO, AP, BGA",
    },
    Variant {
        name: "pente-13",
        aliases: &[],
        definition: "pente+size=13",
        summary: "Pente on 13x13.",
        source: "S3",
    },
    Variant {
        name: "pente-plus",
        aliases: &[],
        definition: "pente+plus",
        summary: "Two power stones a player, which count as any color; each gives a bonus stone.",
        source: "S1",
    },
    Variant {
        name: "pente-3",
        aliases: &[],
        definition: "pente+players=3",
        summary: "Pente for three, each against all others.",
        source: "S1, S3, PBM",
    },
    Variant {
        name: "pente-4",
        aliases: &[],
        definition: "pente+players=4",
        summary: "Pente for four, each against all others.",
        source: "S1, S3, PBM",
    },
    Variant {
        name: "team-pente",
        aliases: &["pente-teams"],
        definition: "pente+teams",
        summary: "Pente for two teams of two, who count their captures together.",
        source: "S1",
    },
    Variant {
        name: "ninuki",
        aliases: &[],
        definition: "ninuki",
        summary: "13x13, Black starts anywhere and plays the second stone at least three away from \
                  the first; five in a row or five captured pairs win.",
        source: "S5",
    },
    Variant {
        name: "ninuki-renju",
        aliases: &[],
        definition: "ninuki-renju",
        summary: "15x15, center first; exactly five that no capture can break, or five pairs; no double threes.",
        source: "PBM",
    },
    Variant {
        name: "gomoku",
        aliases: &["gomoku-freestyle", "freestyle-gomoku"],
        definition: "gomoku",
        summary: "15x15 without captures; five or more in a row win.",
        source: "Gomocup rule 0",
    },
    Variant {
        name: "gomoku-standard",
        aliases: &["standard-gomoku"],
        definition: "gomoku-standard",
        summary: "15x15 without captures; exactly five in a row win.",
        source: "Gomocup rule 1",
    },
    Variant {
        name: "renju",
        aliases: &[],
        definition: "renju",
        summary: "15x15; overlines, double fours and double threes are closed to Black; White wins with five or more.",
        source: "Gomocup rule 4, RIF",
    },
    Variant {
        name: "caro",
        aliases: &[],
        definition: "caro",
        summary: "15x15; five between two enemies do not win, six always do.",
        source: "Gomocup rule 8",
    },
    Variant {
        name: "caro-standard",
        aliases: &["standard-caro"],
        definition: "caro-standard",
        summary: "15x15; exactly five that do not lie between two enemies win.",
        source: "Gomocup rule 9",
    },
    Variant {
        name: "connect6",
        aliases: &["connect-6"],
        definition: "connect6",
        summary: "19x19; six in a row win; one stone, then two a turn.",
        source: "MOK",
    },
    Variant {
        name: "pent-up",
        aliases: &["pentup"],
        definition: "pent-up",
        summary: "Twelve pentominoes a player, stacked as high as each fits; most tiles on the \
                  highest level win.",
        source: "S2",
    },
    Variant {
        name: "pent-up-misere",
        aliases: &["misere-pent-up", "pentup-misere"],
        definition: "pent-up-misere",
        summary: "Pent-Up in which most tiles on the lowest level win.",
        source: "S2",
    },
    Variant {
        name: "pentalath",
        aliases: &["ndengrod"],
        definition: "pentalath",
        summary: "70 hexagons in a trapezium; five in a row win, groups without liberty are taken.",
        source: "S4, LUD",
    },
    Variant {
        name: "pentalath-hex",
        aliases: &["hex-pentalath"],
        definition: "pentalath-hex",
        summary: "Pentalath on a hexagon of 61 cells.",
        source: "S4, LUD",
    },
    Variant {
        name: "pentalath-3",
        aliases: &[],
        definition: "pentalath-3",
        summary: "Pentalath for three: White, Black and Red.",
        source: "S4",
    },
    Variant {
        name: "yavalath",
        aliases: &[],
        definition: "yavalath",
        summary: "Hexagon of 61 cells; four in a row win, three without four lose.",
        source: "S4, LUD",
    },
    Variant {
        name: "yavalath-3",
        aliases: &[],
        definition: "yavalath-3",
        summary: "Yavalath for three, who must not let the next player win; three puts out, the last \
                  one left wins.",
        source: "S4",
    },
];

/// The variant with a name or alias in canonical spelling.
pub fn find(name: &str) -> Option<&'static Variant> {
    CATALOG.iter().find(|row| row.name == name || row.aliases.contains(&name))
}

/// The names and aliases of all variants.
pub fn names() -> impl Iterator<Item = &'static str> {
    CATALOG.iter().flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()))
}

impl Variant {
    /// The rules of the variant.
    pub fn ruleset(&self) -> Ruleset {
        self.name.parse().unwrap_or_else(|error| panic!("catalog row {}: {error}", self.name))
    }
}

/// The games of pente.org: number, name and spec (rainwolf/pente.org, `GridStateFactory.java`).
pub const PENTE_ORG_GAMES: [(u32, &str, &str); 12] = [
    (1, "Pente", "pro-pente"),
    (3, "Keryo-Pente", "pro-pente+keryo"),
    (5, "Gomoku", "gomoku-standard+size=19"),
    (7, "D-Pente", "d-pente"),
    (9, "G-Pente", "g-pente"),
    (11, "Poof-Pente", "pro-pente+poof"),
    (13, "Connect6", "connect6"),
    (15, "Boat-Pente", "pro-pente+boat=strict"),
    (17, "DK-Pente", "dk-pente"),
    (25, "O-Pente", "o-pente"),
    (27, "Swap2-Pente", "swap2-pente"),
    (29, "Swap2-Keryo", "swap2-keryo"),
];

/// The spec of a game of pente.org by its name. Prefixes for speed and turn-based play are ignored.
pub fn pente_org_spec_of_name(name: &str) -> Option<&'static str> {
    let plain = name.trim().trim_start_matches("Speed ").trim_start_matches("Turn-based ");
    let known = PENTE_ORG_GAMES.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(plain));
    known.map(|&(_, _, spec)| spec)
}

/// The spec of a game of pente.org by its number. The next even number is the game at speed, and 50 more
/// the turn-based game.
pub fn pente_org_spec_of_number(number: u32) -> Option<&'static str> {
    let number = if number > 50 { number - 50 } else { number };
    let known = PENTE_ORG_GAMES.iter().find(|(known, ..)| *known == number || known + 1 == number);
    known.map(|&(_, _, spec)| spec)
}
