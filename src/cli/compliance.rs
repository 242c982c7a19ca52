//! `pentarch compliance`.

use super::{CommandResult, speak};
use clap::Args;
use pentarch_arena::compliance::{ComplianceSettings, ComplianceStep, StepVerdict, check};
use pentarch_arena::{EngineKind, EngineSpec, parse_seconds};
use pentarch_core::rules::Ruleset;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Tests whether engines keep to their protocol, step by step.
///
/// What is wrong or missing is shown with the exchange. The exit code is 0 if nothing is wrong, 1 if
/// something is.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct ComplianceArgs {
    #[arg(value_name = "ENGINE", required = true, help = engine_help())]
    engines: Vec<EngineSpec>,
    /// The game to ask for
    #[arg(long, value_name = "SPEC", default_value = "gomoku")]
    variant: Ruleset,
    /// Seconds for a move
    #[arg(long, value_name = "SECONDS", default_value = "0.2", value_parser = parse_seconds)]
    time: Duration,
    /// Seconds for any other answer
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    patience: Duration,
    /// Only the steps with this text in their names
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    only: String,
    /// Show the exchange of every step
    #[arg(long)]
    verbose: bool,
}

fn engine_help() -> String {
    format!("An engine: proto={} [dir=PATH] cmd=COMMAND LINE", speak::names())
}

const HELP: &str = "\
A step is `missing` where the protocol leaves it to the engine, and `wrong` where an arena or a
GUI would stumble. The game is asked for as far as the protocol has words for it: UGI and UCI by
the option UCI_Variant, GTP by `set_game`, Gomocup by `INFO rule` and `INFO variant`, the protocol of
pente.org's players (sidecar) by the number of the game. An engine that plays one game only is tested with
--variant and, where it has options for that, on its command line.

Examples:
  pentarch compliance 'proto=gomocup cmd=./pbrain-mine'
  pentarch compliance --variant pente 'proto=ugi cmd=pentarch ugi' 'proto=gtp cmd=pentarch gtp'";

/// How often each verdict was given.
#[derive(Default)]
struct Count {
    right: u32,
    wrong: u32,
    missing: u32,
}

pub(super) fn run(args: &ComplianceArgs) -> CommandResult {
    let mut out = io::stdout();
    let mut all_right = true;
    for (index, spec) in args.engines.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        all_right &= test(args, spec, &mut out)?.wrong == 0;
    }
    Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Tests one engine and prints the steps as they are done.
fn test(
    args: &ComplianceArgs,
    spec: &EngineSpec,
    out: &mut impl Write,
) -> Result<Count, Box<dyn std::error::Error>> {
    let EngineKind::Child { launch, dialect, .. } = &spec.kind else {
        return Err("an engine to test is a program: proto=... cmd=...".into());
    };
    let subject = ComplianceSettings {
        launch: launch.clone(),
        dialect: *dialect,
        rules: args.variant.clone(),
        move_time: args.time,
        patience: args.patience,
        only: args.only.clone(),
    };
    writeln!(out, "{dialect}, {}, {}", args.variant, launch.command_line())?;
    let mut count = Count::default();
    let mut written = Ok(());
    check(&subject, |step| {
        match step.verdict {
            StepVerdict::Right => count.right += 1,
            StepVerdict::Wrong(_) => count.wrong += 1,
            StepVerdict::Missing(_) => count.missing += 1,
        }
        let shown = write_step(out, step, args.verbose);
        if written.is_ok() {
            written = shown;
        }
    })?;
    written?;
    if count.right + count.wrong + count.missing == 0 {
        return Err(format!("no step has `{}` in its name", args.only).into());
    }
    let Count { right, wrong, missing } = count;
    writeln!(
        out,
        "{} steps: {right} right, {wrong} wrong, {missing} missing",
        right + wrong + missing
    )?;
    out.flush()?;
    Ok(count)
}

fn write_step(out: &mut impl Write, step: &ComplianceStep, verbose: bool) -> io::Result<()> {
    writeln!(out, "{step}")?;
    if verbose && step.verdict == StepVerdict::Right {
        for line in &step.exchange {
            writeln!(out, "         {line}")?;
        }
    }
    out.flush()
}
