//! `pentarch perft`.

use super::CommandResult;
use super::args::PositionArgs;
use clap::Args;
use pentarch_engine::Game;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// Count the move sequences of each length.
#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Length of the longest sequences
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Split the last count by the first move
    #[arg(long)]
    divide: bool,
}

pub(super) fn run(args: &PerftArgs) -> CommandResult {
    let mut game = args.position.game()?;
    let never = AtomicBool::new(false);
    let mut out = io::stdout().lock();
    for depth in 1..=args.depth {
        if args.divide && depth == args.depth {
            divide(&mut game, depth, &mut out)?;
        }
        let nodes = game.perft(depth, &never).unwrap_or_default();
        writeln!(out, "perft {depth} {nodes}")?;
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the count after each first move, in byte order of the moves.
fn divide(game: &mut Game, depth: u32, out: &mut impl Write) -> io::Result<()> {
    let mut moves: Vec<_> =
        game.legal_moves().into_iter().map(|mv| (game.move_text(mv), mv)).collect();
    moves.sort();
    let never = AtomicBool::new(false);
    for (text, mv) in moves {
        if game.play_move(mv).is_ok() {
            let nodes = game.perft(depth - 1, &never).unwrap_or_default();
            game.undo();
            writeln!(out, "{text} {nodes}")?;
        }
    }
    Ok(())
}
