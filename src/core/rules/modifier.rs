//! The words that change a base game: their texts, what each does, and which do not go together.

use super::{
    BaseGame, BoardRules, BreakableFives, CaptureRule, Diamonds, ForbiddenRule, FourBan, LineRule,
    OpeningRule, Ruleset, Seating, SquareBoardRules, SwapRule, VariantSpec, VariantSpecError,
};
use crate::board::Grid;
use std::fmt;

/// A word of a [`VariantSpec`] after the name. The order is canonical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Modifier {
    /// The first stone anywhere (S3).
    Free,
    /// The tournament rule (S1, S3, PO).
    Pro,
    /// The tournament rule with distance four (AP, BGA).
    LongPro,
    /// The tournament rule with eight more points closed (PO).
    G,
    /// Four stones, then a choice: D-Pente (S3, PO).
    Swap,
    /// The first stone of `swap` at the center.
    CenterFirst,
    /// One stone, then a choice (PBM, AP).
    Swap1,
    /// Three stones, then a choice that may be handed back (S3, PO, AP, BGA).
    Swap2,
    /// Three stones, then a choice (BGA).
    Swap3,
    /// Captures of exactly three in addition to pairs (S3, PO).
    Keryo,
    /// Captures happen but never win (S3).
    FiveOnly,
    /// Captures add to the own count or are subtracted from the opponent's (S3, PBM).
    PlusMinus,
    /// Pairs placed between two enemies are lost (S3, PO, AP).
    Poof,
    /// A reply may break a five (S3, PO, AP, BGA).
    Boat(BreakableFives),
    /// Two neutral stones a player (S3).
    Neutral,
    /// One bomb a player (S3).
    Atomic,
    /// No open fours (S3, MOK).
    Anti(FourBan),
    /// Two power stones a player: Pente Plus (S1).
    Plus,
    /// Three or four players (S1, S3, PBM).
    Players(u8),
    /// Two teams of two (S1).
    Teams,
    /// The length of a winning run; twice as many captured stones win, three times with `keryo` (BGA).
    Goal(u8),
    /// The length of a winning run, in games without captures.
    Line(u8),
    /// The size of the board.
    Size(Grid),
    /// The number of cells on a short side of a board of hexagons.
    Side(u8),
    /// The points for the bonus stones of `plus` (S1).
    Diamonds(Diamonds),
    /// The number of plies after which a game is a draw (LUD).
    MaxPlies(u32),
}

/// Why a word is not a modifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WordError {
    Unknown,
    Value { expected: &'static str },
}

impl Modifier {
    /// Every word with the form of its value, and what it does.
    pub const WORDS: [(&'static str, &'static str); 29] = [
        ("free", "player 1's first stone anywhere"),
        ("pro", "player 1's second stone outside the central 5x5"),
        ("long-pro", "player 1's second stone outside the central 7x7"),
        ("g", "as pro, with eight points of the center's row and column closed"),
        ("swap", "player 1 places four stones, player 2 chooses a color"),
        ("centre-first", "with swap: the first of the four stones at the center"),
        ("swap1", "player 1 places one stone, player 2 chooses a color"),
        ("swap2", "player 1 places three stones, player 2 chooses or places two more; then 1 does"),
        ("swap3", "player 1 places three stones, player 2 chooses a color"),
        ("keryo", "threes are captured as well as pairs; 15 captured stones win"),
        ("five-only", "captures never win; first stone anywhere"),
        ("plus-minus", "each captured group adds to one's own count or takes from the other's"),
        ("poof", "a pair of one's own that comes to lie between enemies is lost"),
        ("boat", "a five can be answered with one move: broken, or won first"),
        ("boat=strict", "a five that a capture can break wins only if it is not broken at once"),
        ("o", "keryo, poof and boat=strict together"),
        ("neutral", "two neutral stones a player, which block and belong to nobody"),
        ("atomic", "once a game a stone may be a bomb, which clears its neighbors"),
        ("anti", "no move may leave an open four of one's own"),
        ("anti=any", "no move may leave a four of one's own that can become five"),
        ("plus", "two power stones a player, which count as any color, with bonus stones"),
        ("players=N", "N colors in turn, 2 to 4"),
        ("teams", "four colors, the first and third against the second and fourth"),
        ("goal=N", "N in a row, 2N captured stones (3N with keryo); N from 3 to 6"),
        ("line=K", "K in a row, in games without captures; K from 3 to 6"),
        ("size=N", "a board of N x N, 5 to 25; gomoku also size=MxN, 3 to 25 columns x rows"),
        ("diamonds=P,P,...", "with plus: the points for bonus stones, such as g7,n7; 16 at most"),
        ("side=N", "hexagons: N cells on a short side, 2 to 7 in half hexagons, else 2 to 5"),
        ("max-plies=N", "a game of N plies is a draw; 1 to 100000, by default 2500"),
    ];

    /// The modifiers without a value to read, with their texts.
    const FIXED: [(&str, Modifier); 21] = [
        ("free", Modifier::Free),
        ("pro", Modifier::Pro),
        ("long-pro", Modifier::LongPro),
        ("g", Modifier::G),
        ("swap", Modifier::Swap),
        ("centre-first", Modifier::CenterFirst),
        ("swap1", Modifier::Swap1),
        ("swap2", Modifier::Swap2),
        ("swap3", Modifier::Swap3),
        ("keryo", Modifier::Keryo),
        ("five-only", Modifier::FiveOnly),
        ("plus-minus", Modifier::PlusMinus),
        ("poof", Modifier::Poof),
        ("boat", Modifier::Boat(BreakableFives::ByAnyReply)),
        ("boat=strict", Modifier::Boat(BreakableFives::OnlyByCapture)),
        ("neutral", Modifier::Neutral),
        ("atomic", Modifier::Atomic),
        ("anti", Modifier::Anti(FourBan::OpenFours)),
        ("anti=any", Modifier::Anti(FourBan::AllFours)),
        ("plus", Modifier::Plus),
        ("teams", Modifier::Teams),
    ];

    /// Reads one word in canonical spelling (lower case, hyphens).
    pub(super) fn parse(text: &str) -> Result<Modifier, WordError> {
        let text = match text {
            "center-first" => "centre-first",
            "double-swap" => "swap2",
            _ => text,
        };
        if let Some(&(_, modifier)) = Modifier::FIXED.iter().find(|(known, _)| *known == text) {
            return Ok(modifier);
        }
        let (word, value) = match text.split_once('=') {
            Some((word, value)) => (word, Some(value)),
            None => (text, None),
        };
        let (modifier, expected) = match word {
            "players" => {
                (number(value, 2..=4).map(|n| Modifier::Players(n as u8)), "a number from 2 to 4")
            }
            "diamonds" => (
                value.and_then(Diamonds::parse).map(Modifier::Diamonds),
                "up to 16 points with commas, such as g7,n7",
            ),
            "goal" => (length(value).map(Modifier::Goal), "a number from 3 to 6"),
            "line" => (length(value).map(Modifier::Line), "a number from 3 to 6"),
            "size" => (
                value.and_then(size).map(Modifier::Size),
                "a number from 5 to 25, or columns x rows from 3 to 25",
            ),
            "side" => {
                (number(value, 2..=7).map(|n| Modifier::Side(n as u8)), "a number from 2 to 7")
            }
            "max-plies" => {
                (number(value, 1..=100_000).map(Modifier::MaxPlies), "a number from 1 to 100000")
            }
            "boat" => (None, "no value, or `strict`"),
            "anti" => (None, "no value, or `any`"),
            "center-first" | "double-swap" => (None, "no value"),
            _ if Modifier::FIXED.iter().any(|(known, _)| *known == word) => (None, "no value"),
            _ => return Err(WordError::Unknown),
        };
        modifier.ok_or(WordError::Value { expected })
    }

    /// Whether the word names an opening. A spec has at most one.
    pub(super) fn is_opening(self) -> bool {
        use Modifier::{Free, G, LongPro, Pro};
        matches!(self, Free | Pro | LongPro | G) || self.swap().is_some()
    }

    /// The swap opening that the word names.
    pub(super) fn swap(self) -> Option<SwapRule> {
        match self {
            Modifier::Swap => Some(SwapRule::DPente),
            Modifier::Swap1 => Some(SwapRule::Swap1),
            Modifier::Swap2 => Some(SwapRule::Swap2),
            Modifier::Swap3 => Some(SwapRule::Swap3),
            _ => None,
        }
    }

    /// Whether two words set the same component.
    pub(super) fn same_kind(self, other: Modifier) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
            || self.is_opening() && other.is_opening()
    }

    /// Whether a word of this kind cannot replace another that a variant's name includes.
    pub(super) fn is_fixed(self) -> bool {
        matches!(self, Modifier::Boat(_) | Modifier::Anti(_))
    }

    /// The least size of a board on which the word has a meaning.
    pub(super) fn least_size(self) -> u8 {
        match self {
            Modifier::Pro => 7,
            Modifier::LongPro | Modifier::G => 9,
            _ => 0,
        }
    }
}

fn number(value: Option<&str>, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
    let text = value?;
    let plain = text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten().filter(|n| range.contains(n))
}

fn length(value: Option<&str>) -> Option<u8> {
    let (low, high) = (*LineRule::LENGTHS.start(), *LineRule::LENGTHS.end());
    number(value, low.into()..=high.into()).map(|n| n as u8)
}

fn size(text: &str) -> Option<Grid> {
    let side = |text, least| number(Some(text), least..=Grid::MAX.into()).map(|n| n as u8);
    match text.split_once('x') {
        None => side(text, 5).and_then(|n| Grid::new(n, n)),
        Some((columns, rows)) => Grid::new(side(columns, 3)?, side(rows, 3)?),
    }
}

impl fmt::Display for Modifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Modifier::Players(n) => write!(f, "players={n}"),
            Modifier::Diamonds(diamonds) => write!(f, "diamonds={diamonds}"),
            Modifier::Goal(n) => write!(f, "goal={n}"),
            Modifier::Line(n) => write!(f, "line={n}"),
            Modifier::Size(grid) if grid.shorter_side() < 5 => {
                write!(f, "size={}x{}", grid.columns(), grid.rows())
            }
            Modifier::Size(grid) => write!(f, "size={grid}"),
            Modifier::Side(n) => write!(f, "side={n}"),
            Modifier::MaxPlies(n) => write!(f, "max-plies={n}"),
            fixed => {
                let known = Modifier::FIXED.iter().find(|(_, modifier)| modifier == fixed);
                f.write_str(known.map_or("", |(text, _)| text))
            }
        }
    }
}

/// Refuses a spec of which two words do not combine. The error names both.
pub(super) fn check_pairs(spec: &VariantSpec) -> Result<(), VariantSpecError> {
    let words = spec.modifiers();
    for (index, &first) in words.iter().enumerate() {
        for &second in &words[index + 1..] {
            if clash(first, second) || clash(second, first) {
                return Err(VariantSpecError::Clash(first.to_string(), second.to_string()));
            }
        }
    }
    let has = |wanted: fn(&Modifier) -> bool| words.iter().any(wanted);
    for &word in words {
        match word {
            Modifier::CenterFirst if !has(|m| *m == Modifier::Swap) => {
                return Err(VariantSpecError::Needs(word.to_string(), "swap"));
            }
            Modifier::Diamonds(_) if !has(|m| *m == Modifier::Plus) => {
                return Err(VariantSpecError::Needs(word.to_string(), "plus"));
            }
            _ => (),
        }
    }
    let resized = has(|m| matches!(m, Modifier::Size(grid) if grid.shorter_side() != 19));
    let standard = spec.base_game() == BaseGame::Pente && !resized;
    if has(|m| *m == Modifier::Plus) && !standard && !has(|m| matches!(m, Modifier::Diamonds(_))) {
        // The standard points are those of the board of 19x19.
        return Err(VariantSpecError::Needs("plus".to_owned(), "size=19` or `diamonds=..."));
    }
    Ok(())
}

/// Whether the first word does not combine with the second.
fn clash(first: Modifier, second: Modifier) -> bool {
    use Modifier::{Anti, Boat as Five, FiveOnly, G, Players, PlusMinus, Poof, Teams};
    match first {
        // Openings and captures for two players only.
        _ if first.swap().is_some() => matches!(second, Players(3..) | Teams),
        G | PlusMinus | Poof if matches!(second, Players(3..) | Teams) => true,
        // It tests the replies of one opponent.
        Five(BreakableFives::OnlyByCapture) => matches!(second, Players(3..)),
        // Neither color could win.
        Anti(FourBan::AllFours) | PlusMinus => second == FiveOnly,
        Teams => matches!(second, Players(2 | 3)),
        Modifier::Plus => !goes_with_plus(second),
        _ => false,
    }
}

/// Whether a word combines with `plus`.
fn goes_with_plus(word: Modifier) -> bool {
    use Modifier::{
        CenterFirst, Diamonds, FiveOnly, Keryo, MaxPlies, Neutral, Players, Plus, Size,
    };
    let known = matches!(
        word,
        CenterFirst
            | Diamonds(_)
            | FiveOnly
            | Keryo
            | MaxPlies(_)
            | Neutral
            | Players(2)
            | Plus
            | Size(_)
    );
    known || word.is_opening()
}

/// The number of power stones that `plus` gives each player (S1).
const POWER_STONES: u8 = 2;
/// The number of neutral stones that `neutral` gives each player (S3).
const NEUTRAL_STONES: u8 = 2;

impl Ruleset {
    /// Applies one word that passed [`check_pairs`].
    pub(super) fn apply(
        &mut self,
        modifier: Modifier,
        spec: &VariantSpec,
    ) -> Result<(), VariantSpecError> {
        let refused = |why| VariantSpecError::not_for(modifier, spec, why);
        match (&mut self.board, modifier) {
            (BoardRules::Tiles(_), _) => {
                Err(refused(", a game of tiles: a table without edges, 24 tiles to place"))
            }
            (_, Modifier::MaxPlies(plies)) => {
                self.max_plies = plies;
                Ok(())
            }
            (BoardRules::Hexes(hexes), _) => {
                *hexes = hexes.with(modifier, self.seating.seats).map_err(refused)?;
                Ok(())
            }
            (BoardRules::Squares(squares), _) => {
                squares.apply(modifier, &mut self.seating, spec).map_err(refused)
            }
        }
    }
}

impl SquareBoardRules {
    /// Applies one word, or says why it does not apply.
    fn apply(
        &mut self,
        modifier: Modifier,
        seating: &mut Seating,
        spec: &VariantSpec,
    ) -> Result<(), &'static str> {
        if let Some(why) = spec.base_game().refuses(modifier) {
            return Err(why);
        }
        if let Some(swap) = modifier.swap() {
            self.swap = Some(swap);
            self.opening = OpeningRule::FREE;
            return Ok(());
        }
        match modifier {
            Modifier::Free => self.opening = OpeningRule::FREE,
            Modifier::Pro => self.opening = OpeningRule::PRO,
            Modifier::LongPro => self.opening = OpeningRule::LONG_PRO,
            Modifier::G => self.opening = OpeningRule::G,
            Modifier::CenterFirst => self.opening = OpeningRule::CENTER,
            Modifier::Line(length) => self.line = self.line.with_length(length),
            Modifier::Goal(length) => self.set_goals(length),
            Modifier::Boat(boat) => self.breakable_fives = Some(boat),
            Modifier::Neutral => self.stones.neutral = NEUTRAL_STONES,
            Modifier::Atomic => self.stones.bombs = 1,
            Modifier::Anti(fours) => self.forbidden = Some(ForbiddenRule::Fours(fours)),
            Modifier::Plus => self.stones.power = Some((POWER_STONES, Diamonds::STANDARD)),
            Modifier::Diamonds(diamonds) => {
                self.stones.power = self.stones.power.map(|(count, _)| (count, diamonds));
            }
            Modifier::Players(seats) => seating.seats = seats,
            Modifier::Teams => {
                seating.seats = 4;
                seating.teams = true;
            }
            Modifier::Size(grid) => {
                let small = grid.shorter_side() < 5 || grid.columns() != grid.rows();
                if small && !spec.base_game().takes_any_size() {
                    return Err(", which is played on squares of 5 to 25");
                }
                self.grid = grid;
            }
            capturing => self.apply_to_captures(capturing, spec),
        }
        Ok(())
    }

    fn apply_to_captures(&mut self, modifier: Modifier, spec: &VariantSpec) {
        let change = |capture: CaptureRule| match modifier {
            Modifier::Keryo => CaptureRule { longer: Some(3), goal: Some(15), ..capture },
            Modifier::FiveOnly => CaptureRule { goal: None, ..capture },
            Modifier::PlusMinus => CaptureRule { signs: true, ..capture },
            Modifier::Poof => CaptureRule { poof: true, ..capture },
            _ => capture,
        };
        self.capture = self.capture.map(change);
        let named = spec.modifiers().iter().any(|m| m.is_opening());
        if modifier == Modifier::FiveOnly && self.opening == OpeningRule::CENTER && !named {
            self.opening = OpeningRule::FREE;
        }
    }

    /// Sets the length of winning runs and the capture goal in proportion (BGA).
    fn set_goals(&mut self, length: u8) {
        self.line = self.line.with_length(length);
        let scale = |capture: CaptureRule| {
            let goal = capture.goal.map(|_| u16::from(capture.longest_group()) * u16::from(length));
            CaptureRule { goal, ..capture }
        };
        self.capture = self.capture.map(scale);
    }
}

impl BaseGame {
    /// Why a word does not apply to the base game, `None` if it does.
    fn refuses(self, modifier: Modifier) -> Option<&'static str> {
        use Modifier::{Line, MaxPlies, Size};
        if matches!(modifier, Size(_) | MaxPlies(_)) {
            return None;
        }
        if let Modifier::Side(_) = modifier {
            return Some(", a game on squares; it belongs to games on hexagons");
        }
        let swaps = matches!(modifier, Modifier::Swap1 | Modifier::Swap2);
        match self {
            BaseGame::Pente | BaseGame::Ninuki => match modifier {
                Line(_) => Some(", a game with captures; `goal=N` sets both goals"),
                _ => None,
            },
            BaseGame::Gomoku | BaseGame::GomokuStandard => match modifier {
                Line(_) => None,
                Modifier::Goal(_) => Some(", a game without captures; `line=K` sets the length"),
                Modifier::Swap3 | Modifier::Swap | Modifier::CenterFirst => {
                    Some(", which takes `swap1` and `swap2`")
                }
                _ if modifier.is_opening() => None,
                _ => Some(", a game without captures"),
            },
            BaseGame::Renju | BaseGame::Caro | BaseGame::CaroStandard if swaps => None,
            BaseGame::Renju | BaseGame::Caro | BaseGame::CaroStandard => {
                Some(", which takes `swap1`, `swap2`, `size` and `max-plies` only")
            }
            BaseGame::NinukiRenju | BaseGame::Connect6 => {
                Some(", which takes `size` and `max-plies` only")
            }
            // Their words are tested elsewhere.
            _ => None,
        }
    }

    /// Whether boards may be rectangles or smaller than 5x5.
    fn takes_any_size(self) -> bool {
        matches!(self, BaseGame::Gomoku | BaseGame::GomokuStandard)
    }
}
