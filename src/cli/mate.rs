//! `pentarch mate`.

use super::ExitResult;
use super::args::PositionArgs;
use clap::{Args, ValueEnum};
use pentarch_analysis::tactics::{MateError, MateReport, mate_tree};
use std::io::{self, Write};
use std::process::ExitCode;

/// Find a forced win of the side to move and show its whole tree.
///
/// Every legal defense is answered and checked by the rules, the longest one first. As text, defenses with
/// the same answer and the same length share a line, followed by the continuation of the first one. JSON and
/// SGF list each defense separately, except those that lose at once to the same move. The first line says
/// whether the length is proved to be the shortest. The exit code is 1 if no win is found or not every defense
/// could be answered.
#[derive(Debug, Args)]
pub(super) struct MateArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Maximum nodes
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Format of the tree
    #[arg(long, value_enum, default_value_t = TreeFormat::Text)]
    format: TreeFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TreeFormat {
    /// An indented line for each defense
    Text,
    /// One JSON object
    Json,
    /// Variations of a game record
    Sgf,
}

pub(super) fn run(args: &MateArgs) -> ExitResult {
    let game = args.position.game()?;
    let mut out = io::stdout().lock();
    let tree = match mate_tree(&game, args.nodes) {
        Ok(tree) => tree,
        Err(error @ MateError::Engine(_)) => return Err(error.into()),
        Err(none) => {
            match args.format {
                TreeFormat::Json => {
                    let variant = game.rules().to_string();
                    let line = serde_json::json!({
                        "schema": 1, "variant": variant, "position": game.text(),
                        "mate": null, "reason": none.to_string(),
                    });
                    writeln!(out, "{line}")?;
                }
                TreeFormat::Text | TreeFormat::Sgf => writeln!(io::stderr(), "{none}")?,
            }
            return Ok(ExitCode::from(1));
        }
    };
    let text = MateReport { game: &game, tree: &tree };
    match args.format {
        TreeFormat::Text => out.write_all(text.text().as_bytes())?,
        TreeFormat::Json => writeln!(out, "{}", text.json())?,
        TreeFormat::Sgf => writeln!(out, "{}", text.sgf())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
