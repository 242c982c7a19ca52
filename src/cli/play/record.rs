//! Games in files: saved in any format that is written, gone on with from any that is read.

use super::table::End;
use super::{Sitter, Table};
use crate::output::Output;
use pentarch_core::game::Side;
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_records::{
    self as records, GameResult, ReadOptions, RecordFormat, RecordWriter, RecordedGame,
    RecordedPly, format_utc, sanitize_line,
};
use std::io::Write as _;
use std::path::Path;
use std::time::SystemTime;

/// The game as it is on record. What an older record says of the moves that it shares is kept.
pub(super) fn recorded(table: &Table) -> RecordedGame {
    let (game, start) = (table.game(), table.start());
    let mut plies: Vec<RecordedPly> = table.plies().map(|ply| ply.recorded(game)).collect();
    let mut record = table.record.clone().unwrap_or_default();
    for (ply, old) in plies.iter_mut().zip(&record.plies).take_while(|(new, old)| new.mv == old.mv)
    {
        ply.clone_from(old);
    }
    let same = plies.iter().zip(&record.moves).take_while(|(new, old)| new.mv == **old).count();
    record.variations.retain(|variation| variation.line > 0 || variation.ply <= same);
    if same < record.moves.len() {
        // Lines that branch off other lines cannot be told from those that are gone.
        record.variations.retain(|variation| variation.line == 0);
    }
    let control = table.clock().map_or(String::new(), |clock| clock.to_string());
    let is_timed = table.clock().is_some();
    RecordedGame {
        date: format_utc(SystemTime::now()),
        rules: Some(game.rules().to_string()),
        players: table.sitters().iter().map(Sitter::recorded).collect(),
        computers: table.sitters().iter().map(|sitter| Some(!sitter.is_person())).collect(),
        time_controls: if is_timed { vec![control; table.sitters().len()] } else { Vec::new() },
        initial_position: (*start.text() != Game::new(game.rules().clone()).text())
            .then(|| start.text()),
        opening_plies: record.opening_plies.filter(|&count| count <= same),
        moves: plies.iter().map(|ply| ply.mv.clone()).collect(),
        times: Vec::new(),
        plies,
        captures: Some(game.captures()),
        result: table.end().map(|_| result(table.winner())),
        reason: match table.end() {
            Some(End::Rules(outcome)) => outcome.reason.to_string(),
            Some(End::Fault(fault)) => fault.word().to_owned(),
            None => String::new(),
        },
        detail: String::new(),
        ..record
    }
}

fn result(winner: Option<Side>) -> GameResult {
    winner.map_or(GameResult::Draw, GameResult::Win)
}

/// The format that the name of a file asks for.
fn format_of(path: &Path) -> Option<RecordFormat> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match ending.as_str() {
        "jsonl" | "json" => RecordFormat::Json,
        "txt" | "pgn" => RecordFormat::PenteOrg,
        other => other.parse().ok().filter(|format: &RecordFormat| format.is_writable())?,
    })
}

/// Writes the game; the file that the game was last saved to or loaded from may be replaced. Says what
/// was done, and what the format could not hold.
pub(super) fn save(
    table: &Table,
    path: &Path,
    format: Option<&str>,
    known: Option<&Path>,
) -> Result<String, String> {
    let shown = sanitize_line(&path.display().to_string());
    let format = match format {
        Some(name) => name.parse::<RecordFormat>().map_err(|error| error.to_string())?,
        None => format_of(path).ok_or_else(|| {
            format!(
                "what format is {shown}? Name it `.sgf`, `.jsonl`, `.txt` (pente.org), `.psq`, \
                     or write the format after it"
            )
        })?,
    };
    if path.exists() && known != Some(path) {
        return Err(format!("the file {shown} exists; name another"));
    }
    let record = recorded(table);
    let rules = table.game().rules().clone();
    let mut writer =
        RecordWriter::new(format, rules).ok_or_else(|| format!("`{format}` is only read"))?;
    let text = writer.text(&record).map_err(|error| format!("{format} cannot hold {error}"))?;
    let written = Output::open(Some(path), &[]).and_then(|mut output| {
        output.write_all(text.as_bytes())?;
        output.finish()
    });
    written.map_err(|error| format!("{error}; name another file"))?;
    let losses = writer.lost();
    Ok(if losses.is_empty() {
        format!("Saved as {format}: {shown}.")
    } else {
        let lost: Vec<_> = losses.iter().map(|(what, _)| what).collect();
        format!("Saved as {format}: {shown}. The format cannot hold {}.", lost.join(", "))
    })
}

/// A game of a file, and how many the file has.
pub(crate) fn load(
    path: &Path,
    number: usize,
    rules: &Ruleset,
) -> Result<(RecordedGame, Game, usize), String> {
    let hints = ReadOptions { rules: Some(rules.clone()), ..ReadOptions::default() };
    // A file that names its game is believed, one that does not is of the game that is played.
    let named = ReadOptions::default();
    let (mut chosen, mut count) = (None, 0);
    for hints in [named, hints] {
        count = 0;
        for read in records::read(path, &hints).map_err(|error| error.to_string())? {
            count += 1;
            if count == number {
                chosen = Some(read.map_err(|error| error.to_string())?);
            }
        }
        let is_legal = chosen.as_ref().is_some_and(|game| open(game, rules).is_ok());
        if is_legal {
            break;
        }
    }
    let shown = sanitize_line(&path.display().to_string());
    let mut record = chosen.ok_or_else(|| match count {
        0 => format!("no game in the file {shown}"),
        1 => format!("the file {shown} has one game, not {number}"),
        _ => format!("the file {shown} has {count} games, not {number}"),
    })?;
    if let Some(warning) = record.warnings.first() {
        return Err(format!("the file {shown}: {warning}"));
    }
    let game = open(&record, rules).map_err(|error| format!("the file {shown}: {error}"))?;
    let _ = record.make_canonical(rules);
    Ok((record, game, count))
}

fn open(record: &RecordedGame, rules: &Ruleset) -> Result<Game, String> {
    let mut game = record.start(rules).map_err(|error| error.to_string())?;
    for text in &record.moves {
        game.play(text).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

/// Who plays on a game on record.
pub(crate) fn sitters(record: &RecordedGame, seats: u8, level: u32) -> Vec<Sitter> {
    let is_computer = |seat: usize| record.computers.get(seat) == Some(&Some(true));
    let of_seat = |seat| Sitter::of_record(record.player(seat), seat, is_computer(seat), level);
    (0..usize::from(seats)).map(of_seat).collect()
}
