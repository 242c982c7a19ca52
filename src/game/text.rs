//! What is wrong with a position text.

/// A text that is no position of the game: the field and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position text, field {number} ({field}): {reason}")]
pub struct PositionTextError {
    number: u8,
    field: &'static str,
    reason: String,
}

impl PositionTextError {
    /// The names of the fields, the same for every family of games.
    pub const FIELDS: [&'static str; 5] = ["board", "color to move", "captures", "stage", "ply"];

    /// What is wrong with the field of that index, from 0 to 4.
    pub(crate) fn new(field: usize, reason: impl Into<String>) -> PositionTextError {
        let field = field.min(PositionTextError::FIELDS.len() - 1);
        let name = PositionTextError::FIELDS[field];
        PositionTextError { number: field as u8 + 1, field: name, reason: reason.into() }
    }
}
