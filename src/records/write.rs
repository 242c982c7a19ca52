//! Games as text in any format that is written.

use super::format::Format;
use super::losses::Losses;
use super::{RecordedGame, json, list, moves, offset, pente_org, pos, psq, sgf};
use pentarch_core::rules::Ruleset;

/// Writes games one after the other, and keeps account of what was lost.
#[derive(Clone, Debug)]
pub struct RecordWriter {
    format: Format,
    rules: Ruleset,
    losses: Losses,
    written: usize,
}

impl RecordWriter {
    /// A writer of that format; the rules are those of games that name none. None for a format that
    /// is only read.
    pub fn new(format: Format, rules: Ruleset) -> Option<RecordWriter> {
        let losses = Losses::default();
        format.is_written().then_some(RecordWriter { format, rules, losses, written: 0 })
    }

    /// The text of a game with its last line break, or why the format cannot hold it.
    pub fn text(&mut self, game: &RecordedGame) -> Result<String, String> {
        let rules = game.ruleset(&self.rules).map_err(|error| error.to_string())?;
        let losses = &mut self.losses;
        let text = match self.format {
            Format::Json => Ok(json::write(game)),
            Format::Sgf => sgf::write(game, &rules, losses),
            Format::PenteOrg => {
                let text = pente_org::write(game, &rules, losses);
                Ok(if self.written > 0 { format!("\n{text}") } else { text })
            }
            Format::List => list::write(game, &rules, losses),
            Format::Moves => Ok(moves::write(game, losses)),
            Format::Pos => pos::write(game, &rules, losses),
            Format::Offset => offset::write(game, &rules, losses),
            Format::Psq => psq::write(game, &rules, losses),
            Format::Lib | Format::Rif | Format::Yixin => Err("this format is only read".to_owned()),
        }?;
        self.written += 1;
        Ok(text)
    }

    /// How many games were written.
    pub fn written(&self) -> usize {
        self.written
    }

    /// What the format could not hold of them.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }
}
