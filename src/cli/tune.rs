//! `pentarch tune`.

use super::args::{AdjudicationArgs, LimitArgs, RandomOpeningArgs, concurrency};
use super::io::progress_bar;
use super::{CommandResult, command_line};
use clap::Args;
use pentarch_arena::{
    Adjudication, CancelToken, EngineSpec, INTERRUPTED, Match, Openings, Timeouts,
};
use pentarch_core::rules::Ruleset;
use pentarch_lab::{SpsaSchedule, Tunable, TunableSpec, Tuning, TuningState};
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Tunes options of an engine by games of the engine against itself.
///
/// All values are perturbed at once. Two players with opposite perturbations play a pair of games, and the
/// values move towards those of the winner (SPSA). The parameters are options of any engine over UGI or
/// UCI, or of the built-in engine; `pentarch ugi --tunable` lists those of its search.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct TuneArgs {
    /// Parameter to tune: NAME or `NAME=START,MIN,MAX,C_END`; may be repeated
    #[arg(long = "parameter", value_name = "PARAMETER", required = true)]
    parameters: Vec<TunableSpec>,
    /// Engine, as in `pentarch match --engine`
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineSpec>,
    /// Game; may be repeated, then pairs of games use the games in turn [default: pente]
    #[arg(long = "variant", value_name = "SPEC")]
    variants: Vec<Ruleset>,
    /// Number of pairs of games
    #[arg(long, value_name = "N", default_value_t = 5000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    pairs: u32,
    /// Number of pairs between two updates of the values
    #[arg(long, value_name = "N", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    batch: u32,
    /// Final step for each point by which a pair is won, as a share of `C_END`
    #[arg(long, value_name = "R_END", default_value_t = SpsaSchedule::default().rate, value_parser = positive)]
    r_end: f64,
    /// Exponent by which steps shrink
    #[arg(long, value_name = "ALPHA", default_value_t = SpsaSchedule::default().alpha, value_parser = positive)]
    alpha: f64,
    /// Exponent by which perturbations shrink
    #[arg(long, value_name = "GAMMA", default_value_t = SpsaSchedule::default().gamma, value_parser = positive)]
    gamma: f64,
    /// Stability constant A, which makes the first steps smaller, as a share of all pairs
    #[arg(long, value_name = "SHARE", default_value_t = SpsaSchedule::default().stability, value_parser = positive)]
    a_ratio: f64,
    #[command(flatten)]
    limits: LimitArgs,
    /// File of openings, one per line, for all games or one for each --variant; sampled by --seed
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    openings: Vec<PathBuf>,
    #[command(flatten)]
    random_openings: RandomOpeningArgs,
    /// Seed of the openings and the perturbations
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of concurrent games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = concurrency)]
    concurrency: usize,
    /// Write perturbations, results and values to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Resume the run of the record file
    #[arg(long, requires = "records")]
    resume: bool,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    /// Print the values after each this many pairs [default: a twentieth of all]
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
}

const HELP: &str = "\
C_END is the perturbation at the end of the run; at the start it is a little larger. It should be worth a \
few Elo. NAME alone starts at the default of the option and uses its whole range, with a twentieth of the \
range as C_END. Whole numbers are rounded up or down at random.

The k-th of N pairs is perturbed by c = C_END (N/k)^GAMMA. Then the value moves by r c for each point by \
which the pair is won, -2 to 2, where r = R_END ((A+N)/(A+k))^ALPHA (C_END/c)^2 and A = SHARE N. These are \
the gains of Spall with the terms of fishtest and OpenBench. More pairs need a smaller R_END; 5000 pairs \
are few.

With --nodes or --depth the same seed gives the same values, whatever --concurrency, and an interrupted \
and resumed run equals an uninterrupted one.

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
    let (mut file, state) = match &args.records {
        Some(path) => {
            let (file, state) = tuning.open(path, args.resume)?;
            (Some(file), state)
        }
        None => (None, tuning.initial_state()),
    };
    let every = args.every.unwrap_or(tuning.pairs.div_ceil(20)).max(1);
    let bar = progress_bar(tuning.pairs as usize, "{wide_bar} {pos} of {len} pairs, {eta} left");
    bar.set_position(u64::from(state.pairs));
    let mut out = io::stdout();
    let mut printed = state.pairs / every;
    let state = tuning.run(state, file.as_mut(), &cancel, |state| {
        bar.set_position(u64::from(state.pairs));
        if state.pairs / every == printed || state.pairs == tuning.pairs {
            return Ok(());
        }
        printed = state.pairs / every;
        bar.suspend(|| writeln!(out, "{}", value_table(&tuning, state)))
    });
    bar.finish_and_clear();
    let state = state?;
    writeln!(out, "{}", value_table(&tuning, &state))?;
    if let Some(last) = &state.last_fault {
        let faults = state.faults;
        writeln!(io::stderr(), "pentarch: {faults} games ended by a fault, the last by `{last}`")?;
    }
    if state.interrupted {
        if args.records.is_some() {
            let resume = if args.resume { "" } else { " --resume" };
            writeln!(io::stderr(), "interrupted; to resume:\n  {}{resume}", command_line())?;
        }
        return Ok(ExitCode::from(INTERRUPTED as u8));
    }
    let pairs = tuning.tunables.iter().zip(state.values());
    let words: Vec<String> = pairs
        .map(|(tunable, value)| format!("option.{}={}", tunable.name, value.round() as i64))
        .collect();
    writeln!(out, "{}", words.join(" "))?;
    Ok(ExitCode::SUCCESS)
}

/// The current and initial values.
fn value_table(tuning: &Tuning, state: &TuningState) -> String {
    let names = tuning.tunables.iter().map(|tunable| tunable.name.chars().count());
    let width = names.max().unwrap_or(0).max("parameter".len());
    let games = 2 * state.pairs;
    let head = format!("pair {} of {}, {games} games", state.pairs, tuning.pairs);
    let columns = format!("{:width$}    value   start  change in C_END", "parameter");
    let rows = tuning.tunables.iter().zip(state.values()).map(|(tunable, value)| {
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
            variants.iter().enumerate().map(|(index, rules)| self.to_match(index, rules)).collect();
        let matches = matches?;
        let mut tunables = Vec::new();
        for terms in &matches {
            tunables = Tunable::resolve_all(&self.parameters, &terms.declared_options(cancel)?)?;
        }
        let &TuneArgs { pairs, batch, seed, .. } = self;
        let schedule = SpsaSchedule {
            rate: self.r_end,
            alpha: self.alpha,
            gamma: self.gamma,
            stability: self.a_ratio,
        };
        Ok(Tuning { tunables, schedule, pairs, batch, seed, matches })
    }

    /// The match of the engine against itself in one variant.
    fn to_match(&self, index: usize, rules: &Ruleset) -> Result<Match, Box<dyn Error>> {
        let engine = self.engine.clone().unwrap_or_default();
        let file = self.openings.get(index).or_else(|| self.openings.first());
        let openings = match file {
            Some(path) => Openings::read(path, rules)?.arranged(rules, Some(self.seed), false),
            None => self.random_openings.openings(self.seed),
        };
        Ok(Match {
            rules: rules.clone().into(),
            engines: vec![engine.clone(), engine],
            control: self.limits.control_or_default(),
            games: 2 * self.pairs,
            sprt: None,
            openings,
            concurrency: self.concurrency,
            timeouts: Timeouts::default(),
            seed: self.seed,
            adjudication: self.adjudication.or(Adjudication::default()),
        })
    }
}
