//! `pentarch tactics mine`.

use super::super::CommandResult;
use super::super::games::{Complaints, read_all};
use super::super::options::count;
use clap::Args;
use pentarch_analysis::tactics::{MiningResult, SeenPositions, TacticMiner};
use pentarch_core::rules::Ruleset;
use pentarch_records::{Charset, ReadOptions};
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::PathBuf;

/// Takes positions with a forced win out of game records.
///
/// Looks at the positions shortly before the end of each game in which the winner is to move, and
/// keeps those where the winner can force the win, no later than it came, against every defense.
/// Prints them in the tactics format, each with all first moves that win as soon.
#[derive(Debug, Args)]
pub(super) struct MineArgs {
    /// A file of games in any format that `convert` reads
    records: PathBuf,
    /// The game where the records name none
    #[arg(long, value_name = "SPEC", default_value = "pro-pente")]
    variant: Ruleset,
    /// The character set of files that name none: GB18030, Big5, KOI8-R, windows-1251 [default: UTF-8,
    /// or guessed where the bytes are none]
    #[arg(long, value_name = "NAME")]
    charset: Option<Charset>,
    /// The fewest plies before the end
    #[arg(long, value_name = "PLIES", default_value_t = 3, value_parser = plies())]
    from: u32,
    /// The most plies before the end
    #[arg(long, value_name = "PLIES", default_value_t = 9, value_parser = plies())]
    to: u32,
    /// How many moves of a win may neither threaten nor answer a threat
    #[arg(long, value_name = "MOVES", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=3))]
    quiet: u32,
    /// The most nodes for a position
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Begin after this many games
    #[arg(long, value_name = "GAMES", default_value_t = 0)]
    skip: usize,
    /// End with this many positions
    #[arg(long, value_name = "POSITIONS", default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    /// Games to look at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    threads: usize,
}

fn plies() -> impl clap::builder::TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(1..=25)
}

/// Games a thread takes at once; what they yield is written together.
const BATCH: usize = 8;

pub(super) fn run(args: &MineArgs) -> CommandResult {
    if args.from > args.to {
        return Err(format!("--from {} comes after --to {}", args.from, args.to).into());
    }
    let hints =
        ReadOptions { format: None, rules: Some(args.variant.clone()), charset: args.charset };
    let mut complaints = Complaints::default();
    let games = read_all(&args.records, &hints, &mut complaints);
    let games = games.get(args.skip..).unwrap_or_default();
    let mut miner = TacticMiner::new(args.variant.clone());
    miner.before_end = args.from..=args.to;
    miner.quiet = args.quiet;
    miner.nodes = args.nodes;
    let pool = super::pool(args.threads)?;
    let bar = super::progress(games.len(), "games");
    let mut total = Total::default();
    let mut out = io::stdout();
    for batch in games.chunks(BATCH * args.threads) {
        let mined: Vec<_> =
            pool.install(|| batch.par_iter().map(|game| miner.mine(game)).collect());
        for mined in mined {
            match mined {
                Ok(mined) => total.write(mined, args.limit, &mut out)?,
                Err(error) => total.refuse(&error.to_string()),
            }
        }
        bar.inc(batch.len() as u64);
        if total.written >= args.limit {
            break;
        }
    }
    bar.finish_and_clear();
    out.flush()?;
    writeln!(
        io::stderr(),
        "{} positions of {} looked at, {} undecided; {} games refused by the rules",
        total.written,
        total.looked_at,
        total.undecided,
        total.refused,
    )?;
    Ok(complaints.exit_code())
}

/// What came out so far.
#[derive(Default)]
struct Total {
    seen: SeenPositions,
    written: usize,
    looked_at: usize,
    undecided: usize,
    refused: usize,
}

impl Total {
    fn write(&mut self, mined: MiningResult, limit: usize, out: &mut impl Write) -> io::Result<()> {
        self.looked_at += mined.searched;
        self.undecided += mined.undecided;
        for tactic in mined.tactics {
            if self.written < limit && self.seen.is_new(&tactic) {
                self.written += 1;
                writeln!(out, "{tactic}")?;
            }
        }
        out.flush()
    }

    fn refuse(&mut self, reason: &str) {
        self.refused += 1;
        log::info!("a game was left out: {reason}");
    }
}
