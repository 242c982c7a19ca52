//! `pentarch match`.

use super::args::{AdjudicationArgs, LimitArgs, RandomOpeningArgs, concurrency};
use super::io::{progress_bar, progress_style};
use super::tournament::{check_folder, open_records, print_standing, report_records};
use super::{ExitResult, command_line, protocol};
use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressState};
use pentarch_arena::{
    Adjudication, ArenaError, CancelToken, EXIT_INTERRUPTED, EngineSpec, FinishedGame, ForeignGame,
    GameResultLine, Match, MatchSummary, MoveText, Openings, ResumeState, Rulebook, RunOptions,
    Sprt, Timeouts, Tournament, parse_seconds,
};
use pentarch_core::rules::Ruleset;
use pentarch_records::RecordFile;
use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Plays games between two engines, or more at one board.
///
/// Two games are a pair: the same opening with the seats swapped. A crash, a hang, an illegal move
/// or a late move loses the game; the match continues.
#[derive(Debug, Args)]
#[command(after_long_help = spec_help())]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct MatchArgs {
    /// Game: NAME[+modifier...], see `pentarch variants`
    #[arg(long, value_name = "SPEC", default_value = "pente")]
    variant: String,
    /// Who applies the rules: `ours`, or `engines` for a two-player game that only the engines know
    #[arg(long, value_name = "WHO", default_value = "ours", value_parser = ["ours", "engines"])]
    referee: String,
    /// An engine; may be repeated up to the number of seats; see the end of `--help` [default: the built-in engine]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,
    /// Words that all engines have in common, such as `proto=gomocup tc=60+1`; those of --engine override them
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true)]
    each: String,
    /// Number of games; with --sprt the maximum [default: 10, with --sprt 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Stop as soon as a sequential test (SPRT) decides, such as elo0=0,elo1=20; see the end of `--help`
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    #[command(flatten)]
    limits: LimitArgs,
    /// File of openings, one per line: `j10 k10 n9`, or `position TEXT`
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    openings: Option<PathBuf>,
    /// Order of the openings of the file; `random` depends on --seed
    #[arg(long, value_name = "ORDER", requires = "openings", value_parser = ["sequential", "random"])]
    order: Option<String>,
    /// After the openings of the file, play their images under all symmetries that the rules allow
    #[arg(long, requires = "openings")]
    symmetries: bool,
    #[command(flatten)]
    random_openings: RandomOpeningArgs,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of concurrent games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = concurrency)]
    concurrency: usize,
    /// Pin each concurrent game to its own cores, if the system can
    #[arg(long)]
    pin: bool,
    /// Write each finished game to this file as a JSON line
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Resume the match whose first games are in the record file
    #[arg(long, requires = "records")]
    resume: bool,
    /// Append to an existing record file, starting with game 1 again
    #[arg(long, requires = "records", conflicts_with = "resume")]
    append: bool,
    /// Milliseconds that a move may take beyond its limit
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    margin: u64,
    /// Seconds without an answer after which an engine hangs, if no clock limits it
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    patience: Duration,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    /// Print the moves of each game [default: true up to 20 games]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    show_moves: Option<bool>,
    /// Write an HTML page with the result and every game on record, including those of earlier runs
    #[arg(long, value_name = "FILE.html", requires = "records", conflicts_with = "append")]
    report: Option<PathBuf>,
    /// Print the final result as JSON, and nothing else
    #[arg(long, conflicts_with = "show_moves")]
    json: bool,
}

fn spec_help() -> String {
    SPEC_HELP.replace("{dialects}", &protocol::dialect_names())
}

const SPEC_HELP: &str = "\
ENGINE is a list of words KEY=VALUE; quotes protect spaces:
  cmd=COMMAND LINE    the program to start; takes the rest of the text
  proto={dialects}
                      its protocol [default: ugi]
  dir=PATH            its working directory
  env.NAME=VALUE      an addition to its environment
  start=SECONDS stop=SECONDS
                      the time it may take to start and to exit
  restart=on|off|crash
                      start a new process for every game, never, or after a crash [default: crash]
  stderr=FILE         append its standard error to this file, up to 16 MiB
  name=NAME           its name
  option.NAME=VALUE   set an option: any that it declares over UGI or UCI, or of the built-in engine; any
                      INFO of Gomocup; Seed of the random player
  tc= movetime= nodes= depth=
                      its own limits, instead of those of the match
  margin=MS           its own --margin
  ponder=true         search during the opponent's time; only UGI, UCI and the built-in engine
  player=random       without cmd=: play random moves

400 points of value are one logit, odds of e to 1; the default of --balance, 100, is 1.3 to 1. The search \
has one thread, so the same seed gives the same openings.

Instead of balanced openings, the engines can balance the game themselves in a variant with a swap \
opening, such as --variant gomoku+swap2 --random-plies 0, or d-pente.

TEST is elo0=E,elo1=E[,alpha=P][,beta=P][,model=M]. It compares two hypotheses about the Elo difference \
of the first engine, H0: elo0 and H1: elo1, after each pair of games (pentanomial GSPRT). Pairs are added \
in the order of their numbers, so that the decision does not depend on interruptions and --concurrency. alpha is the \
probability of rejecting a true H0, beta that of rejecting a true H1 [default: 0.05]. model=logistic, the \
default, is the Elo of the report and of cutechess; model=normalized is the default of fastchess.

The arena sends the variant to a UGI engine that declares the option UCI_Variant and to a GTP engine that \
lists `set_game`. Other engines need it on their command line: plain GTP has only the board size. GTP \
has no node and depth limits, and only whole seconds unless the engine knows `kata-time_settings`. To a \
Gomocup engine the arena sends `rule` for gomoku, renju and caro, and for other games the variant, which \
only this engine knows.

With --referee engines, two engines can play any two-player game that both know over UGI. After each move \
the arena asks both `query gameover`, `query result`, `query p1turn` and, if they know it, `query \
legalmoves`. A game in which they disagree ends without a winner, with the reason engines-disagree \
and both answers in the record. Openings are a file of moves, one opening per line.

Examples:
  pentarch match --variant pro-pente --games 2
  pentarch match --engine option.Level=3 --engine player=random --nodes 1000
  pentarch match --variant gomoku --engine 'proto=gtp cmd=pentarch gtp --variant gomoku'
  pentarch match --tc 10+0.1 --games 200 --concurrency 4 --records games.jsonl \\
      --engine 'name=new cmd=./new ugi' --engine 'name=old cmd=./old ugi'
  pentarch match --each 'proto=gomocup movetime=1' --engine 'cmd=./pbrain-a' --engine 'cmd=./pbrain-b'
  pentarch match --sprt elo0=0,elo1=20 --nodes 20000 \\
      --engine 'name=new cmd=./new ugi' --engine 'name=old cmd=./old ugi'";

pub(super) fn run(args: &MatchArgs) -> ExitResult {
    let cancel = CancelToken::of_signals()?;
    let game = args.to_match()?;
    if let Some(report) = &args.report {
        check_folder(report)?;
    }
    let tournament = Tournament::of_match(game.clone());
    let (mut records, resume) = match &args.records {
        Some(path) if args.resume => {
            let (records, resume) = open_records(&tournament, path)?;
            (Some(records), resume)
        }
        Some(path) => (Some(RecordFile::open(path, args.append)?), ResumeState::default()),
        None => (None, ResumeState::default()),
    };
    let show_moves = args.show_moves.unwrap_or(game.games <= 20);
    // Before the last game a closed standard output is an error, since games are missing.
    let mut out = io::stdout();
    if game.repeats_games() && !args.json {
        writeln!(
            out,
            "note: without a clock these engines repeat the same game from the same opening; use more \
             openings (--openings, --random-plies) or a clock"
        )
        .map_err(ArenaError::Output)?;
    }
    let bar = game_progress_bar(game.games);
    bar.set_position(resume.len() as u64);
    let course = RunOptions {
        records: records.as_mut(),
        resume,
        cancel,
        pin: args.pin,
        ..RunOptions::default()
    };
    let ended = tournament.run(course, |progress| {
        bar.set_message(progress.sprt.map_or(String::new(), |trial| format!(", {trial}")));
        bar.inc(1);
        bar.suspend(|| if args.json { Ok(()) } else { write_game(&mut out, progress, show_moves) })
    });
    bar.finish_and_clear();
    let ended = ended?;
    if args.json {
        print_standing(&mut out, &ended, Some(game.games), true)?;
    } else {
        writeln!(out, "\n{}", MatchSummary::new(game.conditions(), &ended))?;
        out.flush()?;
    }
    drop(records);
    if let (Some(report), Some(path)) = (&args.report, &args.records) {
        report_records(report, path, game.sprt)?;
    }
    if ended.interrupted {
        let resume = if args.resume || args.records.is_none() { "" } else { " --resume" };
        if args.records.is_some() {
            let command = command_line();
            writeln!(io::stderr(), "interrupted; to resume:\n  {command}{resume}")?;
        }
        return Ok(ExitCode::from(EXIT_INTERRUPTED as u8));
    }
    Ok(ExitCode::SUCCESS)
}

impl MatchArgs {
    fn to_match(&self) -> Result<Match, Box<dyn Error>> {
        // Up to two engines that are not given are the built-in one.
        let built_in = 2_usize.saturating_sub(self.engines.len());
        let texts =
            self.engines.iter().map(String::as_str).chain(std::iter::repeat_n("", built_in));
        let engine = |text: &str| {
            EngineSpec::with_common(&self.each, text)
                .map_err(|error| format!("invalid value '{text}' for '--engine <ENGINE>': {error}"))
        };
        let engines = texts.map(engine).collect::<Result<Vec<_>, String>>()?;

        let (rules, openings) = self.rules_and_openings()?;
        let default_games = if self.sprt.is_some() { 20_000 } else { 10 };
        let margin = Duration::from_millis(self.margin);
        Ok(Match {
            rules,
            engines,
            control: self.limits.control_or_default(),
            games: self.games.unwrap_or(default_games),
            sprt: self.sprt,
            openings,
            concurrency: self.concurrency,
            timeouts: Timeouts { margin, response: self.patience, ..Timeouts::default() },
            seed: self.seed,
            adjudication: self.adjudication.or(Adjudication::default()),
        })
    }

    fn rules_and_openings(&self) -> Result<(Rulebook, Openings), Box<dyn Error>> {
        if self.referee == "engines" {
            if self.symmetries || self.order.is_some() {
                return Err(
                    "--order and --symmetries need a game whose rules are known here".into()
                );
            }
            if self.random_openings.are_given() {
                return Err("random openings need a game whose rules are known here: use a file \
                            of --openings, or none"
                    .into());
            }
            let game = ForeignGame::new(&self.variant)?;
            let game = match &self.openings {
                Some(path) => game.read_openings(path)?,
                None => game,
            };
            return Ok((Rulebook::Engines(game), Openings::Random { plies: 0, seed: self.seed }));
        }
        let rules: Ruleset = self.variant.parse().map_err(|error| {
            format!(
                "invalid value '{}' for '--variant <SPEC>': {error}; for a game that only the \
                 engines know use --referee engines",
                self.variant
            )
        })?;
        let openings = match &self.openings {
            Some(path) => {
                let shuffle = (self.order.as_deref() == Some("random")).then_some(self.seed);
                Openings::read(path, &rules)?.reordered(&rules, shuffle, self.symmetries)
            }
            None => self.random_openings.openings(self.seed),
        };
        Ok((rules.into(), openings))
    }
}

/// The progress bar of a match or tournament.
pub(super) fn game_progress_bar(games: u32) -> ProgressBar {
    let template = "{wide_bar} {pos} of {len} games, {elapsed}{left}{msg}";
    let left = |state: &ProgressState, out: &mut dyn fmt::Write| {
        // The estimate is zero until the first game of this run ends.
        let eta = state.eta();
        let _ =
            if eta.is_zero() { Ok(()) } else { write!(out, ", {:#} to go", HumanDuration(eta)) };
    };
    progress_bar(games as usize, "").with_style(progress_style(template).with_key("left", left))
}

fn write_game(
    out: &mut impl Write,
    progress: &FinishedGame<'_>,
    show_moves: bool,
) -> io::Result<()> {
    let mut text = GameResultLine(progress).to_string();
    if show_moves {
        text = format!("{text}\n{}", MoveText(progress.record));
    }
    writeln!(out, "{text}")?;
    out.flush()
}
