//! `pentarch tournament`.

use super::CommandResult;
use super::limits::LimitArgs;
use super::live::Live;
use super::plan::say_plan;
use super::play_match::concurrency;
use clap::Args;
use pentarch_arena::{
    ArenaError, CancelToken, CrossTable, EXIT_INTERRUPTED, GameResultLine, Hypothesis, LiveView,
    MergedResults, Overrides, ResumeState, RunOptions, RunResult, Shard, StandingsTable,
    Tournament, write_report,
};
use pentarch_records::RecordFile;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Plays a tournament: engines, games and limits are in a file; the same command again goes on where it
/// was.
///
/// Every finished game is on the disk before the next one starts. The options here are instead of what
/// the file says.
#[derive(Debug, Args)]
#[command(after_long_help = FILE_HELP)]
pub(super) struct TournamentArgs {
    /// The tournament, in TOML; see the end of `--help`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where finished games go, a JSON line each [default: the file's name with .jsonl, with --shard such
    /// as NAME.2of4.jsonl]
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Write a page with the standing and every game, those of earlier runs too
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Play a part only, such as 2/4; `merge` joins the parts
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Say what would be played, and play nothing
    #[arg(long)]
    check: bool,
    /// Print the final standing as JSON, and nothing else
    #[arg(long)]
    json: bool,
    /// A variant; may be given several times
    #[arg(long = "variant", value_name = "SPEC")]
    variants: Vec<String>,
    /// The games of a matchup
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// The rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Games to play at the same time
    #[arg(long, value_name = "N", value_parser = concurrency)]
    concurrency: Option<usize>,
    /// Give each of the games at the same time cores of its own, where the system can
    #[arg(long)]
    pin: bool,
    /// Chooses openings and the moves of random players
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// What the help says about the file.
const FILE_HELP: &str = "\
FILE is TOML:
  variant = \"pente\"         what is played, or several:
  variants = [\"pente\", { rules = \"pente-4\", format = \"seats\", games = 4 }]
  format = \"round-robin\"    or pair, gauntlet (the first engine meets all
                            others), pyramid (each engine meets those before it,
                            so that a new last one meets all), swiss, knockout,
                            seats (as many engines at a board as it has seats,
                            in all orders)
  games = 2                 of a matchup, in a Swiss of a pairing
  rounds = 1                how often everybody meets everybody; in a Swiss
                            the number of rounds
  referee = \"ours\"          or \"engines\": see `match --help`
  first = \"alternate\"       or \"loser\": the loser begins the next game
  control = { nodes = 2000 }
                            or movetime = SECONDS, depth = PLIES,
                            tc = \"[MOVES/]TIME[+INCREMENT]\"
  openings = { random = 4 } or { random = 4, balance = 100, nodes = 20000 },
                            or \"FILE\", or { file = \"FILE\",
                            order = \"random\", symmetries = true }
  adjudication = { resign = \"movecount=3,score=600\", max-plies = 200 }
                            also draw, proven = NODES, strict-time, as in
                            `match`
  sprt = \"elo0=0,elo1=20\"   in a pair
  concurrency, pin = true, seed, margin (milliseconds), patience (seconds)
                            as in `match`
  [[engine]]                for each engine: name, cmd, proto, dir, player,
                            start, stop, restart, stderr, options = {},
                            env = {}, control = {}, ponder, as in `match`; without
                            cmd it is the one built in

A Swiss pairs engines with equal points who have not met; its ties are broken by Buchholz, then by \
Sonneborn-Berger. A knockout is seeded in the order of the engines; a meeting is won by more points, then \
by more wins from the second seat, then by the better seed. Openings are the same for all pairs of \
a round. Paths in the file are relative to its folder.

With nodes or depth and one thread a game depends on nothing but the seed, its pairing and its number, so \
that a run that was broken off and resumed equals an unbroken one. Only one program can write to a record \
file at a time. A tournament whose file has changed refuses the games of the old one; more rounds, \
and in a pair more games, may be added.

The exit code is 0 when all is played, 1 if a test was failed (H0 is accepted) or --check found something \
wrong, 2 if it could not run, 130 if it was interrupted.";

pub(super) fn run(args: &TournamentArgs) -> CommandResult {
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
        return say_plan(&tournament, args.shard, &args.record_path(), &mut out);
    }
    let path = args.record_path();
    let (mut records, resume) = open_records(&tournament, &path)?;
    if !args.json {
        announce(&mut out, &tournament, &resume, &path)?;
    }
    let cancel = CancelToken::of_signals()?;
    let live_view = LiveView::default();
    let mut live = Live::new(tournament.games(), resume.len(), live_view.clone());
    let (shard, pin) = (args.shard, args.pin);
    let course = RunOptions { records: Some(&mut records), resume, shard, cancel, live_view, pin };
    let ended = tournament.run(course, |progress| {
        live.advance(progress, || {
            if args.json {
                return Ok(());
            }
            writeln!(out, "{}", GameResultLine(progress))?;
            out.flush()
        })
    });
    live.end();
    let ended = match ended {
        // Given on as it is, so that a closed standard output is recognized.
        Err(ArenaError::Output(error)) => return Err(error.into()),
        ended => ended?,
    };
    let planned = args.shard.is_none().then(|| tournament.games());
    write_end(&mut out, &ended, planned, args.json)?;
    drop(records);
    if let Some(report) = &args.report {
        let mut union = MergedResults::default();
        RecordFile::read(&path, |record| union.add(&record))?;
        write_report(report, &union, tournament.sprt(), &[path])?;
    }
    if ended.interrupted {
        writeln!(io::stderr(), "interrupted; the same command goes on with it:\n  {}", again())?;
        return Ok(ExitCode::from(EXIT_INTERRUPTED as u8));
    }
    let rejected = ended.sprt.is_some_and(|trial| trial.accepted() == Some(Hypothesis::H0));
    Ok(if rejected { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Opens the records to go on with them.
pub(super) fn open_records(
    tournament: &Tournament,
    path: &Path,
) -> Result<(RecordFile, ResumeState), Box<dyn Error>> {
    let mut resume = ResumeState::default();
    let (records, cut) = RecordFile::resume(path, |record| resume.add(tournament, &record))?;
    if cut {
        log::warn!("{}: cut off the half-written game at its end", path.display());
    }
    Ok((records, resume))
}

/// The command line that was given.
pub(super) fn again() -> String {
    shell_words::join(std::env::args())
}

fn announce(
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

/// Prints how it has ended.
fn write_end(
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
