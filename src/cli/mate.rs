//! `pentarch mate`.

use super::CommandResult;
use super::position::PositionArgs;
use clap::{Args, ValueEnum};
use pentarch_analysis::tactics::{MateError, MateReport, mate_tree};
use std::io::{self, Write};
use std::process::ExitCode;

/// Find a forced win of the side to move and show its whole tree.
///
/// Every legal defense is answered and played out by the rules, the longest first. In a text, defenses
/// that have the same answer and last as long share a line, and what follows is that of the first;
/// JSON and SGF have each by itself, but for those that lose at once to the same move. The first line says whether the length is proved to be
/// the least. The exit code is 1 where no win is found or not every defense could be answered.
#[derive(Debug, Args)]
pub(super) struct MateArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The most nodes to spend
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How the tree is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each defense, indented
    Text,
    /// One object
    Json,
    /// Variations of a game record
    Sgf,
}

pub(super) fn run(args: &MateArgs) -> CommandResult {
    let game = args.position.game()?;
    let mut out = io::stdout().lock();
    let tree = match mate_tree(&game, args.nodes) {
        Ok(tree) => tree,
        Err(error @ MateError::Engine(_)) => return Err(error.into()),
        Err(none) => {
            match args.format {
                Format::Json => {
                    let variant = game.rules().to_string();
                    let line = serde_json::json!({
                        "schema": 1, "variant": variant, "position": game.text(),
                        "mate": null, "reason": none.to_string(),
                    });
                    writeln!(out, "{line}")?;
                }
                Format::Text | Format::Sgf => writeln!(io::stderr(), "{none}")?,
            }
            return Ok(ExitCode::from(1));
        }
    };
    let text = MateReport { game: &game, tree: &tree };
    match args.format {
        Format::Text => out.write_all(text.text().as_bytes())?,
        Format::Json => writeln!(out, "{}", text.json())?,
        Format::Sgf => writeln!(out, "{}", text.sgf())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
