//! Move texts (the protocol, "Cells and moves").

use super::Point;

/// The canonical text of a point: no letter skipped, the row from the bottom.
pub fn text((column, row): Point) -> String {
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

/// A point in capitals, which skip I, as canonical text: `K10` is `j10`.
pub fn from_capitals(text: &str) -> String {
    let mut characters = text.chars();
    let letter = characters.next().expect("a point starts with a letter");
    let digits = characters.as_str();
    assert!(letter.is_ascii_uppercase() && letter != 'I', "`{text}` is no point in capitals");
    let number = letter as u8 - b'A';
    let skipped = u8::from(letter > 'I');
    let lower = char::from(b'a' + number - skipped);
    format!("{lower}{digits}")
}
