//! The games that modifiers are applied to.

use super::{
    Board, Forbidden, Hexes, LineRule, Opening, Palette, Ruleset, Seating, Spec, Squares, Tiles,
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
        let seats = match self {
            Base::Pentalath3 | Base::Yavalath3 => 3,
            _ => 2,
        };
        Ruleset {
            spec: Spec::base(self),
            palette: self.palette(),
            seating: Seating { seats, teams: false, double_turns: self == Base::Connect6 },
            max_plies: MAX_PLIES,
            board: self.board(),
        }
    }

    fn palette(self) -> Palette {
        match self.board() {
            Board::Squares(_) if self != Base::Pente => Palette::BlackFirst,
            _ => Palette::WhiteFirst,
        }
    }

    fn board(self) -> Board {
        let pente = Squares::PENTE;
        let gomoku =
            Squares { grid: Grid::square(15), opening: Opening::FREE, capture: None, ..pente };
        Board::Squares(match self {
            Base::Pente => pente,
            Base::Ninuki => Squares { grid: Grid::square(13), opening: Opening::NINUKI, ..pente },
            Base::NinukiRenju => Squares {
                line: LineRule::new(5, true),
                capture: pente.capture,
                opening: Opening::CENTER,
                forbidden: Some(Forbidden::DoubleThree),
                perfect_fives: true,
                ..gomoku
            },
            Base::Gomoku => gomoku,
            Base::GomokuStandard => Squares { line: LineRule::new(5, true), ..gomoku },
            Base::Renju => Squares { forbidden: Some(Forbidden::Renju), ..gomoku },
            Base::Caro => Squares { line: LineRule::caro(5, false), ..gomoku },
            Base::CaroStandard => Squares { line: LineRule::caro(5, true), ..gomoku },
            Base::Connect6 => {
                Squares { grid: Grid::square(19), line: LineRule::new(6, false), ..gomoku }
            }
            Base::PentUp => return Tiles { misere: false }.into(),
            Base::PentUpMisere => return Tiles { misere: true }.into(),
            Base::Pentalath | Base::Pentalath3 => return Hexes::PENTALATH.into(),
            Base::PentalathHex => return Hexes::PENTALATH_HEX.into(),
            Base::Yavalath => return Hexes::YAVALATH.into(),
            Base::Yavalath3 => return Hexes::YAVALATH_3.into(),
        })
    }
}
