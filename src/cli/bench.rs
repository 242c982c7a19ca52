//! `pentarch bench`: the signature of the search.

use super::CommandResult;
use crate::engine::{Engine, Game, Options};
use crate::search::{Limits, Signal};
use clap::Args;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

/// Search a fixed set of positions.
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// Plies to look ahead
    #[arg(long, value_name = "N", default_value_t = 6)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
}

/// Variants with the moves to the position, from openings to fights. The Pente games are openings
/// that people play and positions in which captures are near; the Gomoku ones common patterns.
const POSITIONS: [(&str, &str); 10] = [
    ("pro-pente", "j10 j9 m10"),
    ("pro-pente", "j10 i11 j13 k13 l11 j12 h10"),
    ("pro-pente", "j10 k11 m11 l12 j13 k12 m13 m10 k10 n9"),
    ("pro-pente", "j10 j9 m10 l8 g8 k8 i8 k9 i9 i7 k10"),
    ("keryo-pente+pro", "j10 k11 m10 k9 l12 k13 j12 m11 i11"),
    ("keryo-pente", "j10 k10 k11 i9 l12 m13 l10"),
    ("ninuki", "g7 h8 g10 h9 h11 i10 f9"),
    ("gomoku", "h8 i9 i8 j8 g8"),
    ("gomoku", "h8 h9 i9 g7 j10 k11 i10 g8 i8"),
    ("gomoku-standard", "h8 i9 g9 i7 i8 g8 h7"),
];

pub(super) fn run(args: &BenchArgs) -> CommandResult {
    let mut out = io::stdout().lock();
    let mut nodes = 0;
    let started = Instant::now();
    for (spec, moves) in POSITIONS {
        let mut game = Game::new(spec.parse()?);
        for text in moves.split_whitespace() {
            game.play(text)?;
        }
        // A fresh engine each time, so that no position depends on the ones before it.
        let mut engine = Engine::new(Options { hash: 16, ..Options::default() });
        let found = engine.think_here(&game, Limits::depth(args.depth), &Signal::new(), |_| ())?;
        let best = found.best.map_or("none".to_owned(), |mv| game.move_text(mv));
        nodes += found.report.nodes;
        writeln!(
            out,
            "{spec:<16} {:>10} nodes  {:>8}  {best}",
            found.report.nodes, found.report.score
        )?;
        out.flush()?;
    }
    let nps = nodes as f64 / started.elapsed().as_secs_f64().max(1e-6);
    writeln!(out, "Bench: {nodes}")?;
    writeln!(out, "{nps:.0} nps")?;
    Ok(ExitCode::SUCCESS)
}
