//! `pentarch compliance`.

use super::{ExitResult, protocol};
use clap::Args;
use pentarch_arena::compliance::{ComplianceSettings, ComplianceStep, StepVerdict, check};
use pentarch_arena::{EngineKind, EngineSpec, parse_seconds};
use pentarch_core::rules::Ruleset;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Tests whether engines follow their protocol, step by step.
///
/// Each step begins with a new process of the engine. Steps that are wrong or missing are printed with their
/// exchange. A step that fails is repeated, and `unstable` if it is right then. The exit code is 1 if a step is
/// wrong or unstable.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct ComplianceArgs {
    #[arg(value_name = "ENGINE", required = true, help = engine_help())]
    engines: Vec<EngineSpec>,
    /// Game to request
    #[arg(long, value_name = "SPEC", default_value = "gomoku")]
    variant: Ruleset,
    /// Seconds for a move
    #[arg(long, value_name = "SECONDS", default_value = "0.2", value_parser = parse_seconds)]
    time: Duration,
    /// Seconds for any other answer
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    patience: Duration,
    /// Run only the steps whose names contain this text
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    only: String,
    /// Print the exchange of every step
    #[arg(long)]
    verbose: bool,
}

fn engine_help() -> String {
    format!("An engine: proto={} [dir=PATH] cmd=COMMAND LINE", protocol::dialect_names())
}

const HELP: &str = "\
A step is `missing` if the protocol makes it optional, and `wrong` if an arena or a GUI would fail. An engine
whose first move is illegal plays another game, and no further step is tested. The
game is requested as the protocol allows: in UGI and UCI by the option UCI_Variant, in GTP by `set_game`,
in Gomocup by `INFO rule` and `INFO variant`, in the protocol of the players of pente.org (sidecar) by the
number of the game. For an engine that plays another game, set --variant and the options on its command
line.

Examples:
  pentarch compliance 'proto=gomocup cmd=./pbrain-mine'
  pentarch compliance --variant pente 'proto=ugi cmd=pentarch ugi' 'proto=gtp cmd=pentarch gtp'";

/// The number of steps with each verdict.
#[derive(Default)]
struct VerdictCounts {
    right: u32,
    wrong: u32,
    missing: u32,
    unstable: u32,
}

pub(super) fn run(args: &ComplianceArgs) -> ExitResult {
    let mut out = io::stdout();
    let mut all_right = true;
    for (index, spec) in args.engines.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let count = test(args, spec, &mut out)?;
        all_right &= count.wrong == 0 && count.unstable == 0;
    }
    Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Tests one engine and prints each step when it is finished.
fn test(
    args: &ComplianceArgs,
    spec: &EngineSpec,
    out: &mut impl Write,
) -> Result<VerdictCounts, Box<dyn std::error::Error>> {
    let EngineKind::Child { launch, dialect, .. } = &spec.kind else {
        return Err("expected an engine that is a program: proto=... cmd=...".into());
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
    let mut count = VerdictCounts::default();
    let mut written = Ok(());
    check(&subject, |step| {
        match step.verdict {
            StepVerdict::Right => count.right += 1,
            StepVerdict::Wrong(_) => count.wrong += 1,
            StepVerdict::Missing(_) => count.missing += 1,
            StepVerdict::Unstable(_) => count.unstable += 1,
        }
        let shown = write_step(out, step, args.verbose);
        if written.is_ok() {
            written = shown;
        }
    })?;
    written?;
    let VerdictCounts { right, wrong, missing, unstable } = count;
    let steps = right + wrong + missing + unstable;
    if steps == 0 {
        return Err(format!("no step has `{}` in its name", args.only).into());
    }
    let unstable = if unstable > 0 { format!(", {unstable} unstable") } else { String::new() };
    writeln!(out, "{steps} steps: {right} right, {wrong} wrong, {missing} missing{unstable}")?;
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
