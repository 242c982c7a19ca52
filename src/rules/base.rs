//! The games that modifiers are applied to.

use super::{
    Capture, Forbidden, Hexes, LineRule, Opening, Palette, Ruleset, Seating, Spec, SpecialStones,
    Tiles,
};
use crate::board::Grid;

/// The games that modifiers are applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// Pairs and fives on 19x19 (S1, S3, PO).
    Pente,
    /// Pairs and fives on 13x13 (S5).
    Ninuki,
    /// Pairs and perfect fives on 15x15 (PBM).
    NinukiRenju,
    /// Five or more in a row on 15x15.
    Gomoku,
    /// Exactly five in a row on 15x15.
    GomokuStandard,
    /// Gomoku with forbidden points for Black.
    Renju,
    /// Five between two enemies does not win, six does.
    Caro,
    /// Exactly five, not between two enemies.
    CaroStandard,
    /// Six in a row on 19x19, two stones a turn.
    Connect6,
    /// Pentominoes in layers (S2).
    PentUp,
    /// Pent-Up counted from the lowest level (S2).
    PentUpMisere,
    /// Fives and surrounded groups on a trapezium of hexagons (S4).
    Pentalath,
    /// Pentalath on a hexagon (S4).
    PentalathHex,
    /// Pentalath for three (S4).
    Pentalath3,
    /// Four wins, three loses, on a hexagon (S4).
    Yavalath,
    /// Yavalath for three (S4).
    Yavalath3,
}

/// The length at which any game is a draw, unless `max-plies` says otherwise (LUD).
const MAX_PLIES: u32 = 2500;

impl Base {
    /// Every base game.
    pub const ALL: [Base; 16] = [
        Base::Pente,
        Base::Ninuki,
        Base::NinukiRenju,
        Base::Gomoku,
        Base::GomokuStandard,
        Base::Renju,
        Base::Caro,
        Base::CaroStandard,
        Base::Connect6,
        Base::PentUp,
        Base::PentUpMisere,
        Base::Pentalath,
        Base::PentalathHex,
        Base::Pentalath3,
        Base::Yavalath,
        Base::Yavalath3,
    ];

    /// The name of the base game in a [`Spec`].
    pub const fn name(self) -> &'static str {
        match self {
            Base::Pente => "pente",
            Base::Ninuki => "ninuki",
            Base::NinukiRenju => "ninuki-renju",
            Base::Gomoku => "gomoku",
            Base::GomokuStandard => "gomoku-standard",
            Base::Renju => "renju",
            Base::Caro => "caro",
            Base::CaroStandard => "caro-standard",
            Base::Connect6 => "connect6",
            Base::PentUp => "pent-up",
            Base::PentUpMisere => "pent-up-misere",
            Base::Pentalath => "pentalath",
            Base::PentalathHex => "pentalath-hex",
            Base::Pentalath3 => "pentalath-3",
            Base::Yavalath => "yavalath",
            Base::Yavalath3 => "yavalath-3",
        }
    }

    /// The rules without any modifier.
    pub(super) fn rules(self) -> Ruleset {
        let pente = pente(self);
        let gomoku = Ruleset {
            grid: Grid::square(15),
            palette: Palette::BlackFirst,
            opening: Opening::FREE,
            capture: None,
            ..pente.clone()
        };
        let tiles = |misere| Ruleset {
            opening: Opening::FREE,
            capture: None,
            tiles: Some(Tiles { misere }),
            ..pente.clone()
        };
        let hexes = |seats, hexes: Hexes| Ruleset {
            opening: Opening::FREE,
            capture: None,
            line: LineRule::new(hexes.line, false),
            seating: Seating { seats, ..pente.seating },
            hexes: Some(hexes),
            ..pente.clone()
        };
        match self {
            Base::Pentalath => hexes(2, Hexes::PENTALATH),
            Base::PentalathHex => hexes(2, Hexes::PENTALATH_HEX),
            Base::Pentalath3 => hexes(3, Hexes::PENTALATH),
            Base::Yavalath => hexes(2, Hexes::YAVALATH),
            Base::Yavalath3 => hexes(3, Hexes::YAVALATH_3),
            Base::PentUp => tiles(false),
            Base::PentUpMisere => tiles(true),
            Base::Pente => pente,
            Base::Ninuki => Ruleset {
                grid: Grid::square(13),
                palette: Palette::BlackFirst,
                opening: Opening::NINUKI,
                ..pente
            },
            Base::NinukiRenju => Ruleset {
                line: LineRule::new(5, true),
                capture: pente.capture,
                opening: Opening::CENTER,
                forbidden: Some(Forbidden::DoubleThree),
                perfect_fives: true,
                ..gomoku
            },
            Base::Gomoku => gomoku,
            Base::GomokuStandard => Ruleset { line: LineRule::new(5, true), ..gomoku },
            Base::Renju => Ruleset { forbidden: Some(Forbidden::Renju), ..gomoku },
            Base::Caro => Ruleset { line: LineRule::caro(5, false), ..gomoku },
            Base::CaroStandard => Ruleset { line: LineRule::caro(5, true), ..gomoku },
            Base::Connect6 => Ruleset {
                grid: Grid::square(19),
                line: LineRule::new(6, false),
                seating: Seating { double_turns: true, ..gomoku.seating },
                ..gomoku
            },
        }
    }
}

/// The rules of Pente, from which those of the other games are made.
fn pente(base: Base) -> Ruleset {
    Ruleset {
        spec: Spec::base(base),
        grid: Grid::square(19),
        palette: Palette::WhiteFirst,
        seating: Seating { seats: 2, teams: false, double_turns: false },
        opening: Opening::CENTER,
        swap: None,
        line: LineRule::new(5, false),
        capture: Some(Capture { threes: false, goal: Some(10), signs: false, poof: false }),
        forbidden: None,
        boat: None,
        perfect_fives: false,
        stones: SpecialStones::default(),
        max_plies: MAX_PLIES,
        tiles: None,
        hexes: None,
        plain: true,
        plays_plainly: true,
        limited_stones: 1,
    }
}
