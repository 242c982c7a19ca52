//! `pentarch convert`.

use super::CommandResult;
use super::games::Complaints;
use super::output::Output;
use clap::Args;
use pentarch_core::rules::Ruleset;
use pentarch_records::{Charset, ReadOptions, RecordFormat, RecordWriter};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

/// Converts records of games.
///
/// Reads files in any of the formats, known by their content: pente-org, sgf, json (the lines of
/// `match --records`), pos, offset, psq, moves (a game a line as in UGI, then `; result`), list (a
/// line of result, ratings and moves in capitals), lib (of `RenLib`) and rif (of `RenjuNet`), which
/// are read only. What a format cannot hold is named on standard error. Games that cannot be read are
/// named with file, line and reason, the others are written; then the exit code is 1.
#[derive(Debug, Args)]
pub(super) struct ConvertArgs {
    /// Files of games; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format to write: pente-org, sgf, json, pos, offset, psq, moves or list
    #[arg(long, value_name = "FORMAT", value_parser = written)]
    to: RecordFormat,
    /// The format of the files, if not as their content looks
    #[arg(long, value_name = "FORMAT")]
    from: Option<RecordFormat>,
    /// The game where a file names none, with its board: `gomoku+size=20`
    #[arg(long, value_name = "SPEC")]
    variant: Option<Ruleset>,
    /// The character set of files that name none: GB18030, Big5, KOI8-R, windows-1251 [default: UTF-8,
    /// or guessed where the bytes are none]
    #[arg(long, value_name = "NAME")]
    charset: Option<Charset>,
    /// Write to this file, whole or not at all, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn written(text: &str) -> Result<RecordFormat, String> {
    match text.parse::<RecordFormat>() {
        Ok(format) if format.is_writable() => Ok(format),
        Ok(format) => Err(format!("`{format}` is only read")),
        Err(error) => Err(error.to_string()),
    }
}

pub(super) fn run(args: &ConvertArgs) -> CommandResult {
    let hints =
        ReadOptions { format: args.from, rules: args.variant.clone(), charset: args.charset };
    let usual = || "pente".parse::<Ruleset>();
    let rules = args.variant.clone().map_or_else(usual, Ok)?;
    let mut output = Output::open(args.output.as_deref(), &args.files)?;
    let mut writer = RecordWriter::new(args.to, rules.clone()).ok_or("this format is only read")?;
    let mut complaints = Complaints::default();
    let mut refused = Refused::default();
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let mut unread = Unread::default();
    complaints.read(&args.files, &hints, |path, mut game, complaints| {
        let place = || format!("{} line {}", path.display(), game.line);
        let place = place();
        match game.make_canonical(&rules) {
            Err(error) => {
                complaints.add(&format!("{place}: {error}"));
                return Ok::<(), Box<dyn Error>>(());
            }
            Ok(Some(error)) => refused.add(|| format!("{place}: {error}")),
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
    refused.report(&mut err)?;
    for (reason, games) in &left_out {
        writeln!(
            err,
            "pentarch: left out, as {} cannot hold {reason}: {}",
            args.to,
            plural(*games)
        )?;
    }
    Ok(if left_out.is_empty() { complaints.exit_code() } else { 1.into() })
}

fn plural(games: usize) -> String {
    if games == 1 { "1 game".to_owned() } else { format!("{games} games") }
}

/// Games that go against the rules; they are kept as they are.
#[derive(Default)]
struct Refused {
    games: usize,
    first: String,
}

impl Refused {
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
        let games = plural(self.games);
        writeln!(
            err,
            "pentarch: {games} with moves against the rules, kept as they are, first {}",
            self.first
        )
    }
}

/// What files say and is not read, by name, with the first value where only values are not understood,
/// and the number of games.
#[derive(Default)]
struct Unread(BTreeMap<String, (String, usize)>);

impl Unread {
    /// More kinds than any file has are not counted, for the sake of memory.
    const MOST: usize = 100;

    fn add(&mut self, names: &[String]) {
        for name in names {
            let (key, value) = match name.split_once('[') {
                Some((key, value)) => (format!("{key}["), value),
                None => (name.clone(), ""),
            };
            if self.0.len() < Unread::MOST || self.0.contains_key(&key) {
                self.0.entry(key).or_insert((value.to_owned(), 0)).1 += 1;
            }
        }
    }

    fn report(&self, err: &mut impl Write) -> io::Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let kinds = self.0.iter().map(|(name, (value, games))| {
            pentarch_records::sanitize_line(&format!("{name}{value} ({})", plural(*games)))
        });
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        writeln!(err, "pentarch: not read: {kinds}")
    }
}
