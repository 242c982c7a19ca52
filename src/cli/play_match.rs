//! `pentarch match`.

use super::CommandResult;
use super::adjudication::AdjudicationArgs;
use super::limits::LimitArgs;
use super::progress;
use super::random_openings::RandomOpeningArgs;
use super::speak;
use super::tournament::{again, open_records};
use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressState};
use pentarch_arena::{
    Adjudication, ArenaError, CancelToken, EXIT_INTERRUPTED, EngineSpec, FinishedGame, ForeignGame,
    GameResultLine, Match, MatchSummary, MoveText, Openings, ResumeState, Rulebook, RunOptions,
    Sprt, TimeControl, Timeouts, Tournament, parse_seconds,
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
/// or a late one loses a game; the match goes on.
#[derive(Debug, Args)]
#[command(after_long_help = spec_help())]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct MatchArgs {
    /// The game: NAME[+modifier...], see `pentarch variants`
    #[arg(long, value_name = "SPEC", default_value = "pente")]
    variant: String,
    /// Who knows the rules: `ours`, or `engines` in a game of two that only the engines know
    #[arg(long, value_name = "WHO", default_value = "ours", value_parser = ["ours", "engines"])]
    referee: String,
    /// An engine, given up to as often as there are seats; see the end of `--help` [default: the built-in engine]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<EngineSpec>,
    /// The number of games, the most with --sprt [default: 10, with --sprt 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Stop as soon as a sequential test decides, such as elo0=0,elo1=20; see the end of `--help`
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    #[command(flatten)]
    limits: LimitArgs,
    /// A file with one opening a line: `j10 k10 n9`, or `position TEXT`
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    openings: Option<PathBuf>,
    /// The order of the openings in the file: as they are there, or at random by --seed
    #[arg(long, value_name = "ORDER", requires = "openings", value_parser = ["sequential", "random"])]
    order: Option<String>,
    /// After the openings of the file play them in every symmetry that the rules allow
    #[arg(long, requires = "openings")]
    symmetries: bool,
    #[command(flatten)]
    random_openings: RandomOpeningArgs,
    /// Chooses the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games to play at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = concurrency)]
    concurrency: usize,
    /// Give each of the games at the same time cores of its own, where the system can
    #[arg(long)]
    pin: bool,
    /// Write each finished game to this file, as a JSON line
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Go on with the match whose first games are in the record file
    #[arg(long, requires = "records")]
    resume: bool,
    /// Add to a record file that exists, beginning with game 1 again
    #[arg(long, requires = "records", conflicts_with = "resume")]
    append: bool,
    /// How many milliseconds a move may take beyond its limit
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    margin: u64,
    /// How many seconds an engine may be silent where no clock limits it
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    patience: Duration,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    /// Print the moves of each game [default: true up to 20 games]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    show_moves: Option<bool>,
}

/// What the help says about `--engine`.
fn spec_help() -> String {
    SPEC_HELP.replace("{dialects}", &speak::names())
}

const SPEC_HELP: &str = "\
ENGINE is a text of words KEY=VALUE, quotes hold blanks together:
  cmd=COMMAND LINE    start this program; takes the rest of the text
  proto={dialects}
                      what it speaks [default: ugi]
  dir=PATH            where it runs
  env.NAME=VALUE      added to its environment
  start=SECONDS stop=SECONDS
                      how long it may take to introduce itself, and to leave
  restart=on|off|crash
                      a new process for every game, never one, or one after it died [default: crash]
  stderr=FILE         where its standard error is added, up to 16 MiB
  name=NAME           what to call it
  option.NAME=VALUE   set an option: any that it declares over UGI or UCI, the built-in engine's too; any
                      INFO of Gomocup; Seed of the random player
  tc= movetime= nodes= depth=
                      limits of its own, instead of those of the match
  ponder=true         thinks in the opponent's time, over UGI and UCI and the built-in engine
  player=random       without cmd=: moves at random

A value of 400 points means odds of e to 1, the 100 that --balance means by itself 1.3 to 1. The search \
has one thread, so that the same seed gives the same openings.

Instead of balanced openings the engines can balance the game themselves: a variant with a swap opening, \
such as --variant gomoku+swap2 --random-plies 0, or d-pente.

TEST is elo0=E,elo1=E[,alpha=P][,beta=P][,model=M]. It weighs two hypotheses on how many Elo the first \
engine is stronger, H0 elo0 and H1 elo1, after each pair of games (pentanomial GSPRT). alpha is how \
often H0 is rejected wrongly, beta how often H1 [default: 0.05]. model=logistic, the default, means the \
Elo of the report and of cutechess, model=normalized that of fastchess's default.

A UGI engine is sent the variant if it declares the option UCI_Variant, a GTP engine if it lists \
`set_game`; for others it belongs on the command line, since GTP by itself knows the size of the board \
only. GTP has no nodes and no depth, and times only in whole seconds unless the engine knows \
`kata-time_settings`. A Gomocup engine is sent `rule` for gomoku, renju and caro, and for all others \
the variant, which only this engine knows.

With --referee engines any game of two can be played that both engines know over UGI: after each move \
both are asked `query gameover`, `query result`, `query p1turn` and, where they know it, `query \
legalmoves`. A game in which they do not agree ends without a winner, with the reason engines-disagree \
and both answers on record. Openings are a file of moves, one opening a line.

Examples:
  pentarch match --variant pro-pente --games 2
  pentarch match --engine option.Level=3 --engine player=random --nodes 1000
  pentarch match --variant gomoku --engine 'proto=gtp cmd=pentarch gtp --variant gomoku'
  pentarch match --tc 10+0.1 --games 200 --concurrency 4 --records games.jsonl \\
      --engine 'name=new cmd=./new ugi' --engine 'name=old cmd=./old ugi'
  pentarch match --sprt elo0=0,elo1=20 --nodes 20000 \\
      --engine 'name=new cmd=./new ugi' --engine 'name=old cmd=./old ugi'";

pub(super) fn concurrency(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=1024).contains(number));
    number.ok_or_else(|| "expected a number from 1 to 1024".to_owned())
}

pub(super) fn run(args: &MatchArgs) -> CommandResult {
    let game = args.to_match()?;
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
    let mut out = io::stdout();
    if game.repeats_games() {
        writeln!(
            out,
            "note: without a clock these engines play the same game again from the same opening; more \
             openings (--openings, --random-plies) or a clock make games different"
        )?;
    }
    let bar = progress_bar(game.games);
    bar.set_position(resume.len() as u64);
    let cancel = CancelToken::of_signals()?;
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
        bar.suspend(|| write_game(&mut out, progress, show_moves))
    });
    bar.finish_and_clear();
    let ended = match ended {
        // Given on as it is, so that a closed standard output is recognized.
        Err(ArenaError::Output(error)) => return Err(error.into()),
        ended => ended?,
    };
    writeln!(out, "\n{}", MatchSummary::new(game.conditions(), &ended))?;
    out.flush()?;
    if ended.interrupted {
        let resume = if args.resume || args.records.is_none() { "" } else { " --resume" };
        if args.records.is_some() {
            writeln!(io::stderr(), "interrupted; to go on with it:\n  {}{resume}", again())?;
        }
        return Ok(ExitCode::from(EXIT_INTERRUPTED as u8));
    }
    Ok(ExitCode::SUCCESS)
}

impl MatchArgs {
    /// What the user means.
    fn to_match(&self) -> Result<Match, Box<dyn Error>> {
        let engines = match self.engines.as_slice() {
            [] => vec![EngineSpec::default(), EngineSpec::default()],
            [one] => vec![one.clone(), EngineSpec::default()],
            more => more.to_vec(),
        };
        let tenth =
            TimeControl { move_time: Some(Duration::from_millis(100)), ..Default::default() };
        let control = self.limits.control().unwrap_or(tenth);
        let (rules, openings) = self.rules_and_openings()?;
        let default_games = if self.sprt.is_some() { 20_000 } else { 10 };
        let margin = Duration::from_millis(self.margin);
        Ok(Match {
            rules,
            engines,
            control,
            games: self.games.unwrap_or(default_games),
            sprt: self.sprt,
            openings,
            concurrency: self.concurrency,
            timeouts: Timeouts { margin, response: self.patience, ..Timeouts::default() },
            seed: self.seed,
            adjudication: self.adjudication.over(Adjudication::default()),
        })
    }
}

impl MatchArgs {
    /// What is played, and where its games begin.
    fn rules_and_openings(&self) -> Result<(Rulebook, Openings), Box<dyn Error>> {
        if self.referee == "engines" {
            if self.symmetries || self.order.is_some() {
                return Err("openings of a game that only the engines know are played as they \
                            stand: leave --order and --symmetries out"
                    .into());
            }
            if self.random_openings.are_given() {
                return Err(
                    "only the engines know the legal moves of this game: give openings in a \
                            file with --openings, or none"
                        .into(),
                );
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
                "invalid value '{}' for '--variant <SPEC>': {error}; a game that only the engines \
                 know is played with --referee engines",
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

/// A bar on the standard error, which draws nothing unless that is a terminal.
pub(super) fn progress_bar(games: u32) -> ProgressBar {
    let template = "{wide_bar} {pos} of {len} games, {elapsed}{left}{msg}";
    let left = |state: &ProgressState, out: &mut dyn fmt::Write| {
        // No game of this run has ended yet.
        let eta = state.eta();
        let _ =
            if eta.is_zero() { Ok(()) } else { write!(out, ", {:#} to go", HumanDuration(eta)) };
    };
    progress::bar(games as usize, "").with_style(progress::style(template).with_key("left", left))
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
