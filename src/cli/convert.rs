//! `pentarch convert`.

use super::ExitResult;
use super::io::{GameReader, OutputTarget};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command};
use pentarch_core::rules::Ruleset;
use pentarch_records::{Charset, ReadOptions, RecordFormat, RecordWriter};
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::PathBuf;

/// Converts game records.
///
/// Detects the format of files by their content: pente-org, sgf, json (the lines of `match --records`),
/// pos, offset, psq, moves (one game per line as in UGI, then `; result`), list (one line of result,
/// ratings and moves in capitals), and the formats that are only read, lib (`RenLib`) and rif (`RenjuNet`).
/// Prints to standard error what the written format cannot hold, and the file, line and reason of each
/// game that cannot be read; the other games are written, and the exit code is 1.
#[derive(Debug, Args)]
pub(super) struct ConvertArgs {
    /// Files of games, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Format to write: pente-org, sgf, json, pos, offset, psq, moves or list
    #[arg(long, value_name = "FORMAT", value_parser = WrittenFormat, hide_possible_values = true)]
    to: RecordFormat,
    /// Format of the files, instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    from: Option<RecordFormat>,
    /// Game of files that do not name it, with its board: `gomoku+size=20`
    #[arg(long, value_name = "SPEC")]
    variant: Option<Ruleset>,
    /// Character set of files that do not name it: GB18030, Big5, KOI8-R, windows-1251 [default: UTF-8,
    /// or a guess if the text is not UTF-8]
    #[arg(long, value_name = "NAME")]
    charset: Option<Charset>,
    /// Write to this file instead of standard output, atomically
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The parser of `--to`, which completions ask for the formats.
#[derive(Clone)]
struct WrittenFormat;

impl WrittenFormat {
    fn names() -> impl Iterator<Item = &'static str> {
        let formats = RecordFormat::ALL.into_iter();
        formats.filter(|(format, _)| format.is_writable()).map(|(_, name)| name)
    }

    fn parse(text: &str) -> Result<RecordFormat, String> {
        match text.parse::<RecordFormat>() {
            Ok(format) if format.is_writable() => Ok(format),
            Ok(format) => Err(format!("`{format}` is only read")),
            Err(_) => {
                let names: Vec<_> = WrittenFormat::names().collect();
                Err(format!("`{text}` is no format; expected one of {}", names.join(", ")))
            }
        }
    }
}

impl TypedValueParser for WrittenFormat {
    type Value = RecordFormat;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<RecordFormat, clap::Error> {
        WrittenFormat::parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(WrittenFormat::names().map(PossibleValue::new)))
    }
}

pub(super) fn run(args: &ConvertArgs) -> ExitResult {
    let hints =
        ReadOptions { format: args.from, rules: args.variant.clone(), charset: args.charset };
    let rules = args.variant.clone().map_or_else(|| "pente".parse(), Ok)?;
    let mut output = OutputTarget::open(args.output.as_deref(), &args.files)?;
    let mut writer = RecordWriter::new(args.to, rules.clone()).ok_or("this format is only read")?;
    let mut reader = GameReader::default();
    let mut illegal = IllegalGames::default();
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let mut unread = UnreadFields::default();
    reader.read(&args.files, &hints, |path, mut game, reader| {
        let place = format!("{} line {}", path.display(), game.line);
        match game.make_canonical(&rules) {
            Err(error) => {
                reader.report(&format!("{place}: {error}"));
                return Ok::<(), Box<dyn Error>>(());
            }
            Ok(Some(error)) => illegal.add(|| format!("{place}: {error}")),
            Ok(None) => (),
        }
        unread.add(&game.unread);
        match writer.text(&game) {
            Ok(text) => output.write_all(text.as_bytes())?,
            Err(reason) => *left_out.entry(reason).or_default() += 1,
        }
        Ok(())
    })?;
    output.finish()?;
    let mut err = io::stderr();
    if !writer.lost().is_empty() {
        writeln!(err, "pentarch: {} cannot hold {}", args.to, writer.lost())?;
    }
    unread.report(&mut err)?;
    illegal.report(&mut err)?;
    for (reason, games) in &left_out {
        writeln!(
            err,
            "pentarch: left out, as {} cannot hold {reason}: {}",
            args.to,
            count_games(*games)
        )?;
    }
    Ok(if left_out.is_empty() { reader.exit_code() } else { 1.into() })
}

fn count_games(games: usize) -> String {
    if games == 1 { "1 game".to_owned() } else { format!("{games} games") }
}

/// Games with moves that the rules do not allow. They are written nevertheless.
#[derive(Default)]
struct IllegalGames {
    games: usize,
    /// The first error.
    first: String,
}

impl IllegalGames {
    fn add(&mut self, reason: impl FnOnce() -> String) {
        if self.games == 0 {
            self.first = pentarch_records::sanitize_line(&reason());
        }
        self.games += 1;
    }

    fn report(&self, err: &mut impl Write) -> io::Result<()> {
        if self.games == 0 {
            return Ok(());
        }
        let games = count_games(self.games);
        writeln!(
            err,
            "pentarch: {games} with moves against the rules, kept as they are, first {}",
            self.first
        )
    }
}

/// The fields of files that were not read: by name, the first value (if the field is known but its value
/// is not) and the number of games.
#[derive(Default)]
struct UnreadFields(BTreeMap<String, (String, usize)>);

impl UnreadFields {
    /// The greatest number of fields that are counted, which bounds the memory.
    const MAX: usize = 100;

    fn add(&mut self, names: &[String]) {
        for name in names {
            let (key, value) = match name.split_once('[') {
                Some((key, value)) => (format!("{key}["), value),
                None => (name.clone(), ""),
            };
            if self.0.len() < UnreadFields::MAX || self.0.contains_key(&key) {
                self.0.entry(key).or_insert((value.to_owned(), 0)).1 += 1;
            }
        }
    }

    fn report(&self, err: &mut impl Write) -> io::Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let kinds = self.0.iter().map(|(name, (value, games))| {
            pentarch_records::sanitize_line(&format!("{name}{value} ({})", count_games(*games)))
        });
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        writeln!(err, "pentarch: not read: {kinds}")
    }
}
