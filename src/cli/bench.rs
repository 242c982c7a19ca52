//! `pentarch bench`: the node count of a fixed set of searches, which is the signature of the search.

use super::CommandResult;
use clap::Args;
use pentarch_engine::search::{Limits, Signal};
use pentarch_engine::{Engine, Game, Options};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

/// Search a fixed set of positions and print the node count, the signature of the search.
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// Search depth in plies
    #[arg(long, value_name = "N", default_value_t = 6)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
}

/// The limit of the search of a position.
#[derive(Clone, Copy)]
enum BenchLimit {
    /// The depth.
    Depth,
    /// A number of nodes that is proportional to the depth, for Monte Carlo tree search.
    Nodes,
    /// A search for a forced win with ten times as many nodes.
    Mate,
}
use BenchLimit::{Depth, Mate, Nodes};

/// The nodes per ply of depth of [`BenchLimit::Nodes`].
const NODES_PER_PLY: u64 = 500;
/// The greatest length of the forced wins of [`BenchLimit::Mate`].
const MATE_PLIES: u32 = 31;

impl BenchLimit {
    fn limits(self, depth: u32) -> Limits {
        let nodes = NODES_PER_PLY * u64::from(depth);
        match self {
            Depth => Limits::depth(depth),
            Nodes => Limits::nodes(nodes),
            Mate => Limits { mate: Some(MATE_PLIES), ..Limits::nodes(10 * nodes) },
        }
    }
}

/// The variant, the limit and the moves of each position, at least one for each evaluator and searcher.
/// Those of Pente are popular openings and positions with captures, those of Gomoku common patterns, the
/// others early tactical positions.
const POSITIONS: [(&str, BenchLimit, &str); 26] = [
    ("pro-pente", Depth, "j10 j9 m10"),
    ("pro-pente", Depth, "j10 i11 j13 k13 l11 j12 h10"),
    ("pro-pente", Depth, "j10 k11 m11 l12 j13 k12 m13 m10 k10 n9"),
    ("pro-pente", Depth, "j10 j9 m10 l8 g8 k8 i8 k9 i9 i7 k10"),
    ("keryo-pente+pro", Depth, "j10 k11 m10 k9 l12 k13 j12 m11 i11"),
    ("keryo-pente", Depth, "j10 k10 k11 i9 l12 m13 l10"),
    ("ninuki", Depth, "g7 h8 g10 h9 h11 i10 f9"),
    ("gomoku", Depth, "h8 i9 i8 j8 g8"),
    ("gomoku", Depth, "h8 h9 i9 g7 j10 k11 i10 g8 i8"),
    ("gomoku-standard", Depth, "h8 i9 g9 i7 i8 g8 h7"),
    ("renju", Depth, "h8 h9 j10 i8 g8 i10 i9"),
    ("d-pente", Depth, "j10 k10"),
    ("o-pente", Depth, "j10 k11 m11 l12 j13 k12"),
    ("plus-minus-pente", Depth, "j10 k11 m10 k9 l12 k13"),
    ("neutral-pente", Depth, "j10 k11 m11 l12 N@j13"),
    ("pente-plus", Depth, "j10 k11 m11 l12 P@j13,g7"),
    ("connect6", Depth, "j10 k11 k10 i9 j11"),
    ("team-pente", Depth, "j10 k11 m11 l12 j13 k12"),
    ("pente-3", Depth, "j10 k11 m11 l12 j13 k12"),
    ("pente-3", Nodes, "j10 k11 m11 l12 j13 k12"),
    ("keryo-pente", Mate, "j10 i12 l9 h14 j13 j14 j9 j11 k9 j8 m9 n9 j9 i9 k7"),
    ("pentalath", Depth, "d5 d6 c5 e6 d4"),
    ("pentalath-3", Nodes, "d5 d6 c5 e6 d4"),
    ("yavalath", Depth, "e5 d5 f6 c4"),
    ("pent-up", Nodes, "cg85,cg86,cg87,cg88,cg89 ch85,ch86,ch87,ch88,ch89"),
    ("pent-up-misere", Nodes, ""),
];

pub(super) fn run(args: &BenchArgs) -> CommandResult {
    let mut out = io::stdout().lock();
    let mut nodes = 0;
    let started = Instant::now();
    for (spec, limit, moves) in POSITIONS {
        let mut game = Game::new(spec.parse()?);
        for text in moves.split_whitespace() {
            game.play(text)?;
        }
        // A new engine for each position, so that its hash table is empty.
        let mut engine = Engine::new(Options { hash: 16, ..Options::default() });
        let found = engine.think_here(&game, limit.limits(args.depth), &Signal::new(), |_| ())?;
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
