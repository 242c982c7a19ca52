//! Moves and their texts (the protocol, "Cells and moves").

use super::board::Point;

/// A move as its text says it; whether it is legal is another question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Take the other color.
    Swap,
    /// Keep the color.
    Keep,
    /// Two more stones, then the other side chooses.
    More,
    /// A stone, with the signs of the groups that it captures, as written (`plus-minus`).
    Stone(Point, String),
    /// A neutral stone (`neutral`).
    Neutral(Point),
    /// A stone that is a bomb (`atomic`).
    Bomb(Point),
    /// A power stone and the bonus stone (`plus`).
    Joker(Point, Option<Point>),
}

impl Move {
    /// The point that the limits of an opening bind, whatever is put there.
    pub fn point(&self) -> Option<Point> {
        match self {
            Move::Swap | Move::Keep | Move::More => None,
            Move::Stone(point, _)
            | Move::Neutral(point)
            | Move::Bomb(point)
            | Move::Joker(point, _) => Some(*point),
        }
    }

    /// The canonical text.
    pub fn text(&self) -> String {
        match self {
            Move::Swap => "swap".to_owned(),
            Move::Keep => "keep".to_owned(),
            Move::More => "more".to_owned(),
            Move::Stone(point, signs) => format!("{}{signs}", point_text(*point)),
            Move::Neutral(point) => format!("N@{}", point_text(*point)),
            Move::Bomb(point) => format!("B@{}", point_text(*point)),
            Move::Joker(point, None) => format!("P@{}", point_text(*point)),
            Move::Joker(point, Some(bonus)) => {
                format!("P@{},{}", point_text(*point), point_text(*bonus))
            }
        }
    }

    /// Reads a text, in either case.
    pub fn parse(text: &str) -> Result<Move, String> {
        let lower = text.to_ascii_lowercase();
        match lower.as_str() {
            "swap" => return Ok(Move::Swap),
            "keep" => return Ok(Move::Keep),
            "more" => return Ok(Move::More),
            _ => (),
        }
        if let Some(rest) = lower.strip_prefix("n@") {
            return Ok(Move::Neutral(point(rest)?));
        }
        if let Some(rest) = lower.strip_prefix("b@") {
            return Ok(Move::Bomb(point(rest)?));
        }
        if let Some(rest) = lower.strip_prefix("p@") {
            return match rest.split_once(',') {
                Some((stone, bonus)) => Ok(Move::Joker(point(stone)?, Some(point(bonus)?))),
                None => Ok(Move::Joker(point(rest)?, None)),
            };
        }
        let bare = lower.trim_end_matches(['+', '-']);
        let signs = lower[bare.len()..].to_owned();
        Ok(Move::Stone(point(bare)?, signs))
    }
}

/// The canonical text of a point: no letter skipped, the row from the bottom.
pub fn point_text((column, row): Point) -> String {
    let letter = char::from(b'a' + (column - 1) as u8);
    format!("{letter}{row}")
}

/// The point that a text means; case is ignored.
pub fn point(text: &str) -> Result<Point, String> {
    let malformed = || format!("`{text}` is not a point");
    let mut characters = text.chars();
    let letter = characters.next().ok_or_else(malformed)?.to_ascii_lowercase();
    let digits = characters.as_str();
    if !letter.is_ascii_lowercase() || !digits.chars().all(|digit| digit.is_ascii_digit()) {
        return Err(malformed());
    }
    if digits.starts_with('0') {
        return Err(malformed());
    }
    let row: u8 = digits.parse().map_err(|_| malformed())?;
    let column = letter as i32 - 'a' as i32 + 1;
    Ok((column, i32::from(row)))
}

/// A move with points in capitals, which skip I, as canonical text: `K10` is `j10`, `P@K10,G7` is
/// `P@j10,g7`. The words of swap openings are the same in both.
pub fn from_capitals(text: &str) -> String {
    if text.chars().all(|letter| letter.is_ascii_lowercase()) {
        return text.to_owned();
    }
    if let Some((kind, points)) = text.split_once('@') {
        let points: Vec<_> = points.split(',').map(from_capitals).collect();
        return format!("{kind}@{}", points.join(","));
    }
    let mut characters = text.chars();
    let letter = characters.next().expect("a point starts with a letter");
    let digits = characters.as_str();
    assert!(letter.is_ascii_uppercase() && letter != 'I', "`{text}` is no point in capitals");
    let number = letter as u8 - b'A';
    let skipped = u8::from(letter > 'I');
    let lower = char::from(b'a' + number - skipped);
    format!("{lower}{digits}")
}
