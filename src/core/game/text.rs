//! Position texts: the five fields that all families write, and errors in them.

/// Why a text is not a position of the game: the field and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position text, field {} ({}): {reason}", *.field as u8 + 1, .field.name())]
pub struct PositionTextError {
    field: Field,
    reason: String,
}

/// A field of a position text. The fields are in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Board,
    Color,
    Captures,
    Stage,
    Ply,
}

impl Field {
    const ALL: [Field; 5] = [Field::Board, Field::Color, Field::Captures, Field::Stage, Field::Ply];

    fn name(self) -> &'static str {
        PositionTextError::FIELDS[self as usize]
    }

    /// An error in this field.
    pub(crate) fn wrong<T>(self, reason: impl Into<String>) -> Result<T, PositionTextError> {
        Err(PositionTextError { field: self, reason: reason.into() })
    }
}

impl PositionTextError {
    /// The names of the fields, which are the same for every family of games.
    pub const FIELDS: [&'static str; 5] = ["board", "color to move", "captures", "stage", "ply"];
}

/// An exclusive upper bound of the counts in texts, above all that can occur in play.
const CAPTURES_LIMIT: u32 = 65_536;
/// An exclusive upper bound of the ply numbers in texts.
const PLIES_LIMIT: u32 = 1_000_001;

/// Splits a text into its fields.
pub(crate) fn fields(text: &str) -> Result<[&str; 5], PositionTextError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let found = fields.len();
    let missing = Field::ALL[found.min(4)];
    fields.try_into().or_else(|_| missing.wrong(format!("expected five fields, found {found}")))
}

/// Reads a number of digits only that is below a limit.
pub(crate) fn number(text: &str, limit: u32) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten().filter(|&number| number < limit)
}

/// Reads the ply field, which counts from 1. Returns the number of plies played.
pub(crate) fn parse_ply(text: &str) -> Result<u32, PositionTextError> {
    match number(text, PLIES_LIMIT) {
        Some(ply) if ply > 0 => Ok(ply - 1),
        _ => Field::Ply.wrong("expected the number of the next ply, from 1"),
    }
}

/// Reads the letter of a color. Returns its index in the list.
pub(crate) fn parse_color(text: &str, letters: &[char]) -> Result<u8, PositionTextError> {
    let mut chars = text.chars();
    let found = chars.next().map(|letter| letter.to_ascii_lowercase());
    let color = letters.iter().position(|&letter| Some(letter) == found);
    if let (Some(color), None) = (color, chars.next()) {
        return Ok(color as u8);
    }
    let known: Vec<_> = letters.iter().map(|letter| format!("`{letter}`")).collect();
    Field::Color.wrong(format!("expected {}", known.join(" or ")))
}

/// Writes the captured stones of each seat's color.
pub(crate) fn captures_text(counts: &[u16]) -> String {
    counts.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
}

/// Reads the captured stones of `colors` colors.
pub(crate) fn parse_captures<const N: usize>(
    text: &str,
    colors: u8,
) -> Result<[u16; N], PositionTextError> {
    let count = |n: &str| number(n, CAPTURES_LIMIT).map(|n| n as u16);
    let parsed: Option<Vec<u16>> = text.split(',').map(count).collect();
    let parsed = parsed.filter(|parsed| parsed.len() == usize::from(colors));
    let Some(parsed) = parsed else {
        let reason = format!("expected {colors} numbers with commas, such as `0,0`");
        return Field::Captures.wrong(reason);
    };
    let mut counts = [0; N];
    counts.iter_mut().zip(parsed).for_each(|(count, parsed)| *count = parsed);
    Ok(counts)
}

/// Reads the captures field of a game without captures.
pub(crate) fn parse_no_captures(text: &str) -> Result<(), PositionTextError> {
    if text == "-" { Ok(()) } else { Field::Captures.wrong("expected `-`, nothing is captured") }
}

/// Writes rows from the top: a letter for each stone, a number for a run of empty cells, and `/` between
/// rows.
pub fn rows_text<R>(rows: impl Iterator<Item = R>) -> String
where
    R: Iterator<Item = Option<char>>,
{
    let mut text = String::new();
    for (index, row) in rows.enumerate() {
        if index > 0 {
            text.push('/');
        }
        let mut empty = 0;
        // The end of the row closes its last run like a stone.
        for letter in row.map(Some).chain([None]) {
            if let Some(None) = letter {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &std::mem::take(&mut empty).to_string();
            }
            text.extend(letter.flatten());
        }
    }
    text
}

/// What [`parse_rows`] needs to know of a row: its name, its number of cells, and the word for cells in
/// messages.
pub(crate) struct RowText<'a> {
    pub name: String,
    pub length: u8,
    pub cells: &'a str,
}

/// Reads rows from the top. Calls `stone` with the row of each letter, counted from the bottom, its place in
/// the row and the letter; it returns whether the letter is that of a stone.
pub(crate) fn parse_rows<'a>(
    text: &str,
    rows: u8,
    row: impl Fn(u8) -> RowText<'a>,
    mut stone: impl FnMut(u8, u8, char) -> bool,
) -> Result<(), PositionTextError> {
    let texts: Vec<&str> = text.split('/').collect();
    if texts.len() != usize::from(rows) {
        return Field::Board.wrong(format!("expected {rows} rows, found {}", texts.len()));
    }
    for (number, text) in (0..rows).rev().zip(texts) {
        let RowText { name, length, cells } = row(number);
        let (mut place, mut empty) = (0u32, 0u32);
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                empty = (empty * 10 + digit).min(1000);
                continue;
            }
            place = place.saturating_add(std::mem::take(&mut empty));
            // Letters past the end of the row are counted for the error below.
            let at = u8::try_from(place).unwrap_or(u8::MAX);
            if !stone(number, at, letter) {
                let reason = format!("row {name}: `{letter}` is neither a number nor a color");
                return Field::Board.wrong(reason);
            }
            place = place.saturating_add(1);
        }
        let found = place.saturating_add(empty);
        if found != u32::from(length) {
            let reason = format!("row {name}: expected {length} {cells}, found {found}");
            return Field::Board.wrong(reason);
        }
    }
    Ok(())
}
