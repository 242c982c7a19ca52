//! What a client may ask about the current position.

use std::fmt;

use crate::grammar::{Mismatch, Parsed, expect, word};

/// A question of the command `query`; the engine answers with one `response`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Query {
    /// `p1turn` to `p4turn`: whether this player, counted from 1, is to move.
    PlayerTurn(u8),
    /// `gameover`: whether the game has ended.
    GameOver,
    /// `result`: who won.
    Result,
    /// `turn`: the number of the seat to move.
    Turn,
    /// `side`: the number of the side to move.
    Side,
    /// `colour`: the number of the color that the mover places.
    Color,
    /// `legalmoves`: all legal moves.
    LegalMoves,
    /// `captures`: the captured stones of each color.
    Captures,
    /// `fen`: the position as text.
    Fen,
    /// `variant`: the ruleset as text.
    Variant,
    /// `reason`: why the game ended.
    Reason,
    /// `threats`: what each side threatens.
    Threats,
}

impl Query {
    /// Every question.
    pub const ALL: [Self; 15] = [
        Self::PlayerTurn(1),
        Self::PlayerTurn(2),
        Self::PlayerTurn(3),
        Self::PlayerTurn(4),
        Self::GameOver,
        Self::Result,
        Self::Turn,
        Self::Side,
        Self::Color,
        Self::LegalMoves,
        Self::Captures,
        Self::Fen,
        Self::Variant,
        Self::Reason,
        Self::Threats,
    ];

    /// The question that a word asks; `color` is understood too.
    fn from_word(word: &str) -> Option<Self> {
        let word = if word == "color" { "colour" } else { word };
        Self::ALL.into_iter().find(|query| query.to_string() == word)
    }
}

/// `query = "p1turn" | "p2turn" | "p3turn" | "p4turn" | "gameover" | "result" | "turn"
///        | "side" | "colour" | "color" | "legalmoves" | "captures" | "fen" | "variant"
///        | "reason" | "threats" ;`
pub(super) fn query(input: &str) -> Parsed<'_, Query> {
    const EXPECTED: &str = "a question such as `p1turn`, `gameover` or `result`";
    let (rest, asked) = nom::Parser::parse(&mut expect(EXPECTED, word), input)?;
    Query::from_word(asked).map(|query| (rest, query)).ok_or(Mismatch::stop(EXPECTED, input))
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::PlayerTurn(player) => return write!(f, "p{player}turn"),
            Self::GameOver => "gameover",
            Self::Result => "result",
            Self::Turn => "turn",
            Self::Side => "side",
            Self::Color => "colour",
            Self::LegalMoves => "legalmoves",
            Self::Captures => "captures",
            Self::Fen => "fen",
            Self::Variant => "variant",
            Self::Reason => "reason",
            Self::Threats => "threats",
        };
        f.write_str(word)
    }
}
