//! `pentarch variants`.

use super::CommandResult;
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

pub(super) fn run(args: &VariantsArgs) -> CommandResult {
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
        writeln!(out, "{}", row.summary)?;
    }
    writeln!(out)?;
    for (title, text) in rules.describe() {
        writeln!(out, "{title:<8} {text}")?;
    }
    Ok(())
}

fn list(out: &mut impl Write) -> io::Result<()> {
    let width = CATALOG.iter().map(|row| row.name.len()).max().unwrap_or(0);
    writeln!(out, "Variants:")?;
    for row in CATALOG {
        writeln!(out, "  {:<width$}  {}", row.name, row.summary)?;
        if !row.aliases.is_empty() {
            writeln!(out, "  {:<width$}  also called {}", "", row.aliases.join(", "))?;
        }
    }
    writeln!(out, "\nModifiers, added with `+`:")?;
    for (word, summary) in Modifier::WORDS {
        writeln!(out, "  {word:<width$}  {summary}")?;
    }
    writeln!(out, "\n`pentarch variants SPEC` prints the full rules of a game.")
}
