//! The text form of a proved value.
//!
//! ```text
//! pentarch proof 1
//! game pente+size=5x3
//! value draw
//! strategy first draw 1234
//! c2 a1 b3 ...
//! strategy second draw 987
//! b2 ...
//! ```
//!
//! A strategy names one move for each position in which its player is to move. Which position a move
//! is for is not written: it follows from the order in which a walk meets the positions. The walk
//! begins at the start of the game or at the line `position TEXT`. Where the other player is to move it
//! tries all legal moves, column by column and upwards in a column. Where the player of the strategy
//! is to move it takes the next move of the list; but if it met the position or an image of it under a
//! rotation or reflection of the board before, it takes none and goes no further: what is played there
//! is what was played in that, moved like the board. Two positions are the same if stones, captured
//! counts and the color to move are. Images count only once no opening limits where stones go any more.

use super::board::Value;
use pentarch_core::board::Grid;
use pentarch_core::game::Cell;
use std::fmt;

/// What one player can bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The player's color: 0 is that of the player who begins a game.
    pub color: u8,
    /// Whether the player wins, or else does not lose.
    pub wins: bool,
}

/// A list of moves that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// What it shows.
    pub claim: Claim,
    /// The moves, in the order in which their positions are met.
    pub moves: Vec<Cell>,
}

/// The value of a position with the strategies that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The game, as `NAME[+modifier...]`.
    pub game: String,
    /// The position, if it is not the start of the game.
    pub start: Option<String>,
    /// The value.
    pub value: Value,
    /// One strategy for a win, one of each player for a draw.
    pub strategies: Vec<Strategy>,
}

/// A text that is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateTextError {
    /// Another line was expected.
    #[error("line {line} of the certificate: expected {expected}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// Something that is no point of the board.
    #[error("line {line} of the certificate: {error}")]
    Point {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: String,
    },
}

const HEAD: &str = "pentarch proof 1";

/// Moves in a line.
const WIDTH: usize = 32;

impl Value {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Value::First => "first",
            Value::Draw => "draw",
            Value::Second => "second",
        }
    }

    fn from_word(word: &str) -> Option<Value> {
        [Value::First, Value::Draw, Value::Second].into_iter().find(|value| value.word() == word)
    }
}

impl Certificate {
    /// The text; `grid` is the board of the game.
    pub fn text(&self, grid: Grid) -> String {
        let mut text = format!("{HEAD}\ngame {}\n", self.game);
        if let Some(start) = &self.start {
            text.extend(["position ", start, "\n"]);
        }
        text.extend(["value ", self.value.word(), "\n"]);
        for strategy in &self.strategies {
            let head = format!("strategy {} {}\n", strategy.claim, strategy.moves.len());
            text.push_str(&head);
            for row in strategy.moves.chunks(WIDTH) {
                let labels: Vec<_> = row.iter().map(|&cell| grid.label(cell)).collect();
                text += &labels.join(" ");
                text.push('\n');
            }
        }
        text
    }

    /// Reads a text; `grid` says what board a game has.
    pub fn parse(
        text: &str,
        grid: impl Fn(&str) -> Option<Grid>,
    ) -> Result<Certificate, CertificateTextError> {
        let wrong = |line, expected| CertificateTextError::Line { line, expected };
        let mut lines = text.lines().zip(1..).peekable();
        let mut expect = |word: &str, expected: &'static str| {
            let (found, line) = lines.peek().copied().unwrap_or(("", 0));
            let rest = found.strip_prefix(word).map(str::to_owned);
            let rest = rest.ok_or_else(|| wrong(line, expected));
            if rest.is_ok() {
                lines.next();
            }
            rest
        };
        expect(HEAD, "`pentarch proof 1`")?;
        let game = expect("game ", "`game NAME`")?;
        let grid = grid(&game).ok_or_else(|| wrong(2, "a game on squares"))?;
        let start = expect("position ", "").ok();
        let value = expect("value ", "`value first`, `value draw` or `value second`")?;
        let value = Value::from_word(&value).ok_or_else(|| wrong(3, "first, draw or second"))?;
        let mut strategies: Vec<Strategy> = Vec::new();
        for (text, line) in lines {
            if let Some(head) = text.strip_prefix("strategy ") {
                let claim = head.rsplit_once(' ').and_then(|(claim, _)| Claim::parse(claim));
                let claim =
                    claim.ok_or_else(|| wrong(line, "`strategy first|second win|draw N`"))?;
                strategies.push(Strategy { claim, moves: Vec::new() });
                continue;
            }
            let strategy = strategies.last_mut().ok_or_else(|| wrong(line, "`strategy ...`"))?;
            for label in text.split_whitespace() {
                let cell = grid.parse(label);
                let point = |error: pentarch_core::board::LabelError| CertificateTextError::Point {
                    line,
                    error: error.to_string(),
                };
                strategy.moves.push(cell.map_err(point)?);
            }
        }
        Ok(Certificate { game, start, value, strategies })
    }
}

impl Claim {
    fn parse(text: &str) -> Option<Claim> {
        let all =
            [0, 1].into_iter().flat_map(|color| [false, true].map(|wins| Claim { color, wins }));
        all.into_iter().find(|claim| claim.to_string() == text)
    }
}

/// `first win`, `second draw` and so on.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = if self.color == 0 { "first" } else { "second" };
        write!(f, "{player} {}", if self.wins { "win" } else { "draw" })
    }
}
