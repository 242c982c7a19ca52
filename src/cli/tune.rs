//! `pentarch tune`.

use super::CommandResult;
use super::adjudication::AdjudicationArgs;
use super::limits::LimitArgs;
use super::play_match::concurrency;
use super::progress;
use super::random_openings::RandomOpeningArgs;
use super::tournament::again;
use clap::Args;
use pentarch_arena::{
    Adjudication, CancelToken, EXIT_INTERRUPTED, EngineSpec, Match, Openings, TimeControl, Timeouts,
};
use pentarch_core::rules::Ruleset;
use pentarch_lab::{Course, Gains, Request, Tunable, Tuning};
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Tunes numbers of an engine by games of the engine against itself.
///
/// All numbers are moved at once, to one side and to the other, two players with the one and the other
/// play a pair of games, and the numbers go a little to the side of the winner (SPSA). They are options
/// of any engine over UGI or UCI, or of the built-in one, whose numbers of the search `pentarch ugi
/// --tunable` lists.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct TuneArgs {
    /// A number: NAME or `NAME=START,MIN,MAX,C_END`; may be given many times
    #[arg(long = "parameter", value_name = "PARAMETER", required = true)]
    parameters: Vec<Request>,
    /// The engine, in the words of `pentarch match --engine`
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineSpec>,
    /// The game; pairs of games take turns if there are several [default: pente]
    #[arg(long = "variant", value_name = "SPEC")]
    variants: Vec<Ruleset>,
    /// The number of pairs of games
    #[arg(long, value_name = "N", default_value_t = 5000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    pairs: u32,
    /// How many pairs are played before the numbers move
    #[arg(long, value_name = "N", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    batch: u32,
    /// What part of `C_END` a number goes in the end for each point by which a pair is won
    #[arg(long, value_name = "R_END", default_value_t = Gains::default().rate, value_parser = positive)]
    r_end: f64,
    /// How fast steps shrink
    #[arg(long, value_name = "ALPHA", default_value_t = Gains::default().alpha, value_parser = positive)]
    alpha: f64,
    /// How fast moves to try shrink
    #[arg(long, value_name = "GAMMA", default_value_t = Gains::default().gamma, value_parser = positive)]
    gamma: f64,
    /// By what part of all pairs the first steps are held back
    #[arg(long, value_name = "PART", default_value_t = Gains::default().stability, value_parser = positive)]
    a_ratio: f64,
    #[command(flatten)]
    limits: LimitArgs,
    /// A file with one opening a line, for all games or one for each --variant, drawn by --seed
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    openings: Vec<PathBuf>,
    #[command(flatten)]
    random_openings: RandomOpeningArgs,
    /// Chooses openings and what is tried
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games to play at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = concurrency)]
    concurrency: usize,
    /// Write what was tried, how it ended and the numbers after it to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Go on with the run whose beginning is in that file
    #[arg(long, requires = "records")]
    resume: bool,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    /// Print the numbers after this many pairs [default: a twentieth of all]
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
}

const HELP: &str = "\
C_END is how far a number is moved to either side at the end; at the beginning it is a little further. It \
should be so large that it is worth a few Elo. NAME alone begins at the option's default and has its whole range and a \
twentieth of that as C_END. Whole numbers are rounded up or down at random.

The k-th of N pairs moves by c = C_END (N/k)^GAMMA and then goes r c for each point by which the pair is \
won, -2 to 2, where r = R_END ((A+N)/(A+k))^ALPHA (C_END/c)^2 and A = PART N: the gains of Spall, in the \
terms of fishtest and OpenBench. More pairs need smaller R_END; 5000 are few.

With --nodes or --depth the same seed gives the same numbers, whatever --concurrency, and a run that was \
broken off and resumed equals an unbroken one.

Examples:
  pentarch tune --parameter RfpMargin --parameter FutilityMargin=90,40,160,10 --variant gomoku --nodes 2000
  pentarch tune --engine 'cmd=./engine' --parameter 'Contempt=0,-50,50,5' --tc 2+0.02 --records tune.jsonl";

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number > 0.0 && number <= 1000.0);
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

pub(super) fn run(args: &TuneArgs) -> CommandResult {
    let cancel = CancelToken::of_signals()?;
    let tuning = args.tuning(&cancel)?;
    let (mut file, course) = match &args.records {
        Some(path) => {
            let (file, course) = tuning.open(path, args.resume)?;
            (Some(file), course)
        }
        None => (None, tuning.course()),
    };
    let every = args.every.unwrap_or(tuning.pairs.div_ceil(20)).max(1);
    let bar = progress::bar(tuning.pairs as usize, "{wide_bar} {pos} of {len} pairs, {eta} left");
    bar.set_position(u64::from(course.pairs));
    let mut out = io::stdout();
    let mut shown = course.pairs / every;
    let course = tuning.run(course, file.as_mut(), &cancel, |course| {
        bar.set_position(u64::from(course.pairs));
        if course.pairs / every == shown || course.pairs == tuning.pairs {
            return Ok(());
        }
        shown = course.pairs / every;
        bar.suspend(|| writeln!(out, "{}", table(&tuning, course)))
    });
    bar.finish_and_clear();
    let course = course?;
    writeln!(out, "{}", table(&tuning, &course))?;
    if let (faults @ 1.., Some(last)) = &course.faults {
        writeln!(io::stderr(), "pentarch: {faults} games ended by a fault, the last by `{last}`")?;
    }
    if course.interrupted {
        if args.records.is_some() {
            let resume = if args.resume { "" } else { " --resume" };
            writeln!(io::stderr(), "interrupted; to go on with it:\n  {}{resume}", again())?;
        }
        return Ok(ExitCode::from(EXIT_INTERRUPTED as u8));
    }
    let pairs = tuning.tunables.iter().zip(course.rounded());
    let words: Vec<String> =
        pairs.map(|(tunable, value)| format!("option.{}={value}", tunable.name)).collect();
    writeln!(out, "{}", words.join(" "))?;
    Ok(ExitCode::SUCCESS)
}

/// The numbers now, and where they come from.
fn table(tuning: &Tuning, course: &Course) -> String {
    let names = tuning.tunables.iter().map(|tunable| tunable.name.chars().count());
    let width = names.max().unwrap_or(0).max("parameter".len());
    let games = 2 * course.pairs;
    let head = format!("pair {} of {}, {games} games", course.pairs, tuning.pairs);
    let columns = format!("{:width$}    value   start  change in C_END", "parameter");
    let rows = tuning.tunables.iter().zip(course.values()).map(|(tunable, value)| {
        let Tunable { name, start, c_end, .. } = tunable;
        let change = (value - *start as f64) / c_end;
        format!("{name:width$} {value:8.1} {start:7} {change:+16.2}")
    });
    let lines: Vec<String> = [head, columns].into_iter().chain(rows).collect();
    lines.join("\n") + "\n"
}

impl TuneArgs {
    fn tuning(&self, cancel: &CancelToken) -> Result<Tuning, Box<dyn Error>> {
        let variants = match self.variants.as_slice() {
            [] => vec!["pente".parse()?],
            some => some.to_vec(),
        };
        if ![0, 1, variants.len()].contains(&self.openings.len()) {
            let (files, games) = (self.openings.len(), variants.len());
            let text =
                format!("{files} files of openings for {games} games; give one, or one for each");
            return Err(text.into());
        }
        let matches: Result<Vec<Match>, Box<dyn Error>> =
            variants.iter().enumerate().map(|(index, rules)| self.terms(index, rules)).collect();
        let matches = matches?;
        let mut tunables = Vec::new();
        for terms in &matches {
            tunables = Tunable::all(&self.parameters, &terms.declared_options(cancel)?)?;
        }
        let &TuneArgs { pairs, batch, seed, .. } = self;
        let gains = Gains {
            rate: self.r_end,
            alpha: self.alpha,
            gamma: self.gamma,
            stability: self.a_ratio,
        };
        Ok(Tuning { tunables, gains, pairs, batch, seed, matches })
    }

    /// A match of the engine against itself.
    fn terms(&self, index: usize, rules: &Ruleset) -> Result<Match, Box<dyn Error>> {
        let engine = self.engine.clone().unwrap_or_default();
        let tenth =
            TimeControl { move_time: Some(Duration::from_millis(100)), ..Default::default() };
        let file = self.openings.get(index).or_else(|| self.openings.first());
        let openings = match file {
            Some(path) => Openings::read(path, rules)?.reordered(rules, Some(self.seed), false),
            None => self.random_openings.openings(self.seed),
        };
        Ok(Match {
            rules: rules.clone().into(),
            engines: vec![engine.clone(), engine],
            control: self.limits.control().unwrap_or(tenth),
            games: 2 * self.pairs,
            sprt: None,
            openings,
            concurrency: self.concurrency,
            timeouts: Timeouts::default(),
            seed: self.seed,
            adjudication: self.adjudication.over(Adjudication::default()),
        })
    }
}
