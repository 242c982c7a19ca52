//! What each word does to the rules of a base game.

use super::{
    Base, Board, Capture, Diamonds, Forbidden, Modifier, Opening, Ruleset, Seating, Spec,
    SpecError, Squares,
};

/// What `plus` gives each player (S1).
const POWER_STONES: u8 = 2;
/// What `neutral` gives each player (S3).
const NEUTRAL_STONES: u8 = 2;

impl Ruleset {
    /// Applies one word, which [`combine`](super::combine) has let pass.
    pub(super) fn apply(&mut self, modifier: Modifier, spec: &Spec) -> Result<(), SpecError> {
        let refused = |why| SpecError::not_for(modifier, spec, why);
        match (&mut self.board, modifier) {
            (Board::Tiles(_), _) => {
                Err(refused(", a game of tiles: a table without edges, 24 tiles to place"))
            }
            (_, Modifier::MaxPlies(plies)) => {
                self.max_plies = plies;
                Ok(())
            }
            (Board::Hexes(hexes), _) => {
                *hexes = hexes.with(modifier, self.seating.seats).map_err(refused)?;
                Ok(())
            }
            (Board::Squares(squares), _) => {
                squares.apply(modifier, &mut self.seating, spec).map_err(refused)
            }
        }
    }
}

impl Squares {
    /// Applies one word, or says what is in its way.
    fn apply(
        &mut self,
        modifier: Modifier,
        seating: &mut Seating,
        spec: &Spec,
    ) -> Result<(), &'static str> {
        if let Some(why) = spec.base_game().refuses(modifier) {
            return Err(why);
        }
        if let Some(swap) = modifier.swap() {
            self.swap = Some(swap);
            self.opening = Opening::FREE;
            return Ok(());
        }
        match modifier {
            Modifier::Free => self.opening = Opening::FREE,
            Modifier::Pro => self.opening = Opening::PRO,
            Modifier::LongPro => self.opening = Opening::LONG_PRO,
            Modifier::G => self.opening = Opening::G,
            Modifier::CenterFirst => self.opening = Opening::CENTER,
            Modifier::Line(length) => self.line = self.line.with_length(length),
            Modifier::Goal(length) => self.set_goals(length),
            Modifier::Boat(boat) => self.boat = Some(boat),
            Modifier::Neutral => self.stones.neutral = NEUTRAL_STONES,
            Modifier::Atomic => self.stones.bombs = 1,
            Modifier::Anti(fours) => self.forbidden = Some(Forbidden::Fours(fours)),
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

    fn apply_to_captures(&mut self, modifier: Modifier, spec: &Spec) {
        let change = |capture: Capture| match modifier {
            Modifier::Keryo => Capture { longer: Some(3), goal: Some(15), ..capture },
            Modifier::FiveOnly => Capture { goal: None, ..capture },
            Modifier::PlusMinus => Capture { signs: true, ..capture },
            Modifier::Poof => Capture { poof: true, ..capture },
            _ => capture,
        };
        self.capture = self.capture.map(change);
        let named = spec.modifiers().iter().any(|m| m.is_opening());
        if modifier == Modifier::FiveOnly && self.opening == Opening::CENTER && !named {
            self.opening = Opening::FREE;
        }
    }

    /// A line of that length, and captures to match (BGA).
    fn set_goals(&mut self, length: u8) {
        self.line = self.line.with_length(length);
        let scale = |capture: Capture| {
            let goal = capture.goal.map(|_| u16::from(capture.longest()) * u16::from(length));
            Capture { goal, ..capture }
        };
        self.capture = self.capture.map(scale);
    }
}

impl Base {
    /// Why a word means nothing in the base game, if so.
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
            Base::Pente | Base::Ninuki => match modifier {
                Line(_) => Some(", a game with captures; `goal=N` sets both goals"),
                _ => None,
            },
            Base::Gomoku | Base::GomokuStandard => match modifier {
                Line(_) => None,
                Modifier::Goal(_) => Some(", a game without captures; `line=K` sets the length"),
                Modifier::Swap3 | Modifier::Swap | Modifier::CenterFirst => {
                    Some(", which takes `swap1` and `swap2`")
                }
                _ if modifier.is_opening() => None,
                _ => Some(", a game without captures"),
            },
            Base::Renju | Base::Caro | Base::CaroStandard if swaps => None,
            Base::Renju | Base::Caro | Base::CaroStandard => {
                Some(", which takes `swap1`, `swap2`, `size` and `max-plies` only")
            }
            Base::NinukiRenju | Base::Connect6 => Some(", which takes `size` and `max-plies` only"),
            // Their words are seen to apart.
            _ => None,
        }
    }

    /// Whether boards need not be squares of five and more.
    fn takes_any_size(self) -> bool {
        matches!(self, Base::Gomoku | Base::GomokuStandard)
    }
}
