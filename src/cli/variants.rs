//! `pentarch variants`.

use super::ExitResult;
use super::io::wrap;
use clap::Args;
use pentarch_core::rules::catalog::{self, CATALOG};
use pentarch_core::rules::{Modifier, Ruleset};
use std::io::{self, Write};
use std::process::ExitCode;

/// List the variants.
#[derive(Debug, Args)]
pub(super) struct VariantsArgs {
    /// Print the full rules of this game
    #[arg(value_name = "SPEC")]
    spec: Option<Ruleset>,
}

pub(super) fn run(args: &VariantsArgs) -> ExitResult {
    let mut out = io::stdout().lock();
    match &args.spec {
        Some(rules) => describe(rules, &mut out)?,
        None => list(&mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn describe(rules: &Ruleset, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{rules}")?;
    if let Some(row) = catalog::find(&rules.to_string()) {
        writeln!(out, "{}", wrap(row.summary, 0))?;
    }
    writeln!(out)?;
    for (title, text) in rules.describe() {
        writeln!(out, "{}", wrap(&format!("{title:<8} {text}"), 9))?;
    }
    Ok(())
}

fn list(out: &mut impl Write) -> io::Result<()> {
    let width = CATALOG.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let line =
        |name: &str, text: &str| wrap(&format!("  {name:<width$}  {text}"), width + "    ".len());
    writeln!(out, "Variants:")?;
    for row in CATALOG {
        writeln!(out, "{}", line(row.name, row.summary))?;
        if !row.aliases.is_empty() {
            let aliases = format!("also called {}", row.aliases.join(", "));
            writeln!(out, "{}", line("", &aliases))?;
        }
    }
    writeln!(out, "\nModifiers, added with `+`:")?;
    for (word, summary) in Modifier::WORDS {
        writeln!(out, "{}", line(word, summary))?;
    }
    writeln!(out, "\n`pentarch variants SPEC` prints the full rules of a game.")
}
