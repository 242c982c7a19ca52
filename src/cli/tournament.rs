//! `pentarch tournament`.

use super::args::{LimitArgs, concurrency};
use super::dry_run::print_dry_run;
use super::live::LiveDisplay;
use super::{ExitResult, command_line};
use clap::Args;
use pentarch_arena::{
    ArenaError, CancelToken, CrossTable, EXIT_INTERRUPTED, GameResultLine, Hypothesis, LiveView,
    MergedResults, Overrides, ResumeState, RunOptions, RunResult, Shard, Sprt, StandingsTable,
    Tournament, write_report,
};
use pentarch_records::RecordFile;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Plays a tournament whose engines, games and limits are in a file. The same command resumes it.
///
/// Every finished game is written to disk before the next one starts. Options override the file.
#[derive(Debug, Args)]
#[command(after_long_help = FILE_HELP)]
pub(super) struct TournamentArgs {
    /// The tournament file, in TOML; see the end of `--help`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File for finished games, as JSON lines [default: the name of the tournament file with .jsonl, with
    /// --shard such as NAME.2of4.jsonl]
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Write an HTML page with the standing and every game, including those of earlier runs
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Play one shard, such as 2/4; `merge` combines the shards
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Print what would be played, without playing
    #[arg(long)]
    check: bool,
    /// Print the final standing as JSON, and nothing else
    #[arg(long)]
    json: bool,
    /// Variant; may be repeated
    #[arg(long = "variant", value_name = "SPEC")]
    variants: Vec<String>,
    /// Number of games of each matchup
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Number of rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Number of concurrent games
    #[arg(long, value_name = "N", value_parser = concurrency)]
    concurrency: Option<usize>,
    /// Pin each concurrent game to its own cores, if the system can
    #[arg(long)]
    pin: bool,
    /// Seed of the openings and of random players
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

const FILE_HELP: &str = "\
FILE is TOML:
  variant = \"pente\"         the game, or several:
  variants = [\"pente\", { rules = \"pente-4\", format = \"seats\", games = 4 }]
  format = \"round-robin\"    or pair, gauntlet (the first engine meets all
                            others), pyramid (each engine meets those before it,
                            so that an engine added at the end meets all),
                            swiss, knockout, seats (as many engines at a board
                            as it has seats, in all orders)
  games = 2                 games of each matchup
  rounds = 1                number of rounds; in a round robin every pair of
                            engines meets once a round
  referee = \"ours\"          or \"engines\": see `match --help`
  first = \"alternate\"       or \"loser\": the loser moves first in the next game
  control = { nodes = 2000 }
                            or movetime = SECONDS, depth = PLIES,
                            tc = \"[MOVES/]TIME[+INCREMENT]\"
  openings = { random = 4 } or { random = 4, balance = 100, nodes = 20000 },
                            or \"FILE\", or { file = \"FILE\",
                            order = \"random\", symmetries = true }
  adjudication = { resign = \"movecount=3,score=600\", max-plies = 200 }
                            also draw, proven = NODES, strict-time, as in
                            `match`
  sprt = \"elo0=0,elo1=20\"   only with the format pair
  concurrency, pin = true, seed, margin (milliseconds), patience (seconds)
                            as in `match`
  [[engine]]                for each engine: name, cmd, proto, dir, player,
                            start, stop, restart, stderr, options = {},
                            env = {}, control = {}, margin, ponder, as in `match`;
                            without cmd it is the built-in engine
  [each]                    what all engines have in common, with the same keys
                            except cmd; those of an engine override them

A Swiss tournament pairs engines with equal points that have not met; ties are broken by Buchholz, then by \
Sonneborn-Berger. A knockout is seeded in the order of the engines; a matchup is won by more points, \
then by more wins from the second seat, then by the better seed. All pairs of a round use the same \
openings. Paths in the file are relative to its folder.

With a node or depth limit and one thread, a game depends only on the seed, its pairing and its number, so \
an interrupted and resumed run equals an uninterrupted one. Only one process can write to a record file \
at a time. After a change of the tournament file, games recorded before it are refused; only rounds, \
and with the format pair games, may be added.

The exit code is 0 if all games are played, 1 if a test failed (H0 was accepted) or --check found an \
error, 2 if the tournament could not run, 130 if it was interrupted.";

pub(super) fn run(args: &TournamentArgs) -> ExitResult {
    let cancel = CancelToken::of_signals()?;
    let tournament = match args.read() {
        Ok(tournament) => tournament,
        Err(error) if args.check => {
            writeln!(io::stderr(), "pentarch: {error}")?;
            return Ok(ExitCode::FAILURE);
        }
        Err(error) => return Err(error),
    };
    let mut out = io::stdout();
    if args.check {
        return print_dry_run(&tournament, args.shard, &args.record_path(), &mut out);
    }
    let path = args.record_path();
    let (mut records, resume) = open_records(&tournament, &path)?;
    if !args.json {
        // Before the last game a closed standard output is an error, since games are missing.
        print_start(&mut out, &tournament, &resume, &path).map_err(ArenaError::Output)?;
    }
    let live_view = LiveView::default();
    let mut display = LiveDisplay::new(tournament.games(), resume.len(), live_view.clone());
    let (shard, pin) = (args.shard, args.pin);
    let course = RunOptions { records: Some(&mut records), resume, shard, cancel, live_view, pin };
    let ended = tournament.run(course, |progress| {
        display.game_ended(progress, || {
            if args.json {
                return Ok(());
            }
            writeln!(out, "{}", GameResultLine(progress))?;
            out.flush()
        })
    });
    display.end();
    let ended = ended?;
    let planned = args.shard.is_none().then(|| tournament.games());
    print_standing(&mut out, &ended, planned, args.json)?;
    drop(records);
    if let Some(report) = &args.report {
        report_records(report, &path, tournament.sprt())?;
    }
    if ended.interrupted {
        let command = command_line();
        writeln!(io::stderr(), "interrupted; the same command resumes it:\n  {command}")?;
        return Ok(ExitCode::from(EXIT_INTERRUPTED as u8));
    }
    let rejected = ended.sprt.is_some_and(|trial| trial.accepted() == Some(Hypothesis::H0));
    Ok(if rejected { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Fails if the folder of a file does not exist. The report is written after the last game, which is too
/// late for this error.
pub(super) fn check_folder(file: &Path) -> Result<(), String> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(format!("cannot write {}: there is no folder {}", file.display(), folder.display()))
        }
        _ => Ok(()),
    }
}

/// Opens a record file to resume it. Truncates an incomplete last game.
pub(super) fn open_records(
    tournament: &Tournament,
    path: &Path,
) -> Result<(RecordFile, ResumeState), Box<dyn Error>> {
    let mut resume = ResumeState::default();
    let (records, cut) = RecordFile::resume(path, |record| resume.add(tournament, &record))?;
    if cut {
        log::warn!("{}: removed the incomplete game at its end", path.display());
    }
    Ok((records, resume))
}

fn print_start(
    out: &mut impl Write,
    tournament: &Tournament,
    resume: &ResumeState,
    path: &Path,
) -> io::Result<()> {
    let games = tournament.games();
    match resume.len() {
        0 => writeln!(out, "{games} games, recorded in {}", path.display()),
        played if played == games as usize => {
            writeln!(out, "all {games} games are in {} already", path.display())
        }
        played => writeln!(out, "{games} games, {played} of them already in {}", path.display()),
    }
}

/// Writes the report of the games of a record file.
pub(super) fn report_records(
    report: &Path,
    records: &Path,
    test: Option<Sprt>,
) -> Result<(), Box<dyn Error>> {
    let mut union = MergedResults::default();
    RecordFile::read(records, |record| union.add(&record))?;
    write_report(report, &union, test, &[records.to_owned()])?;
    Ok(())
}

pub(super) fn print_standing(
    out: &mut impl Write,
    ended: &RunResult,
    planned: Option<u32>,
    json: bool,
) -> Result<(), Box<dyn Error>> {
    let table = StandingsTable::new(&ended.results, planned, ended.sprt.as_ref());
    if json {
        serde_json::to_writer(&mut *out, &table)?;
        writeln!(out)?;
    } else {
        writeln!(out, "\n{table}")?;
        if ended.results.head_to_head.len() > 1 {
            writeln!(out, "\n{}", CrossTable(&ended.results))?;
        }
    }
    Ok(out.flush()?)
}

impl TournamentArgs {
    fn read(&self) -> Result<Tournament, Box<dyn Error>> {
        let overrides = Overrides {
            variants: self.variants.clone(),
            games: self.games,
            rounds: self.rounds,
            control: self.limits.control(),
            concurrency: self.concurrency,
            seed: self.seed,
        };
        let tournament = Tournament::read(&self.file, &overrides)?;
        tournament.check(self.shard)?;
        if let Some(report) = &self.report {
            check_folder(report)?;
        }
        Ok(tournament)
    }

    fn record_path(&self) -> PathBuf {
        let default = || match self.shard {
            Some(Shard { number, of }) => self.file.with_extension(format!("{number}of{of}.jsonl")),
            None => self.file.with_extension("jsonl"),
        };
        self.records.clone().unwrap_or_else(default)
    }
}
