//! `pentarch train rescore`.

use super::super::options::count;
use super::super::{CommandResult, progress};
use clap::Args;
use pentarch_lab::{GameFile, rescore};
use rayon::prelude::*;
use std::path::PathBuf;
use std::process::ExitCode;

/// Replaces the values of games by those of deeper searches.
///
/// Reads a file of `train selfplay` and writes one whose values and best moves are those of searches of
/// more nodes, or of a newer engine; moves and results stay. A file that was not finished is gone on
/// with by --resume.
#[derive(Debug, Args)]
pub(super) struct RescoreArgs {
    /// The file of games
    games: PathBuf,
    /// The file to write
    out: PathBuf,
    /// Nodes for each search
    #[arg(long, value_name = "N", default_value_t = 5000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// End after this many games
    #[arg(long, value_name = "GAMES", default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    /// Games to look at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    threads: usize,
    /// Go on with the file
    #[arg(long)]
    resume: bool,
}

/// Games a thread looks at before they are written.
const BATCH: usize = 16;

pub(super) fn run(args: &RescoreArgs) -> CommandResult {
    let mut games = Vec::new();
    let mut manifest = GameFile::read(&args.games, |game| {
        games.push(game);
        Ok(())
    })?;
    games.truncate(args.limit);
    manifest.rescored = Some(args.nodes);
    let (mut file, done) = GameFile::open(&args.out, &manifest, args.resume)?;
    let pool = super::pool(args.threads)?;
    let bar = progress::bar(games.len(), "{bar:30} {pos} of {len} games, {eta} left");
    bar.inc(u64::from(done));
    let games = games.get(done as usize..).unwrap_or_default();
    for batch in games.chunks(BATCH * args.threads) {
        let again = |game| rescore(game, args.nodes);
        let found: Result<Vec<_>, _> = pool.install(|| batch.par_iter().map(again).collect());
        file.append(&found?)?;
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    Ok(ExitCode::SUCCESS)
}
