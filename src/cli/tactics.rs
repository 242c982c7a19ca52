//! `pentarch tactics`: finds, solves and checks positions with a forced win.

use super::CommandResult;
use super::analyze::other_engine;
use super::args::thread_count;
use super::io::{GameReader, progress_bar};
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use pentarch_analysis::tactics::{
    Mined, Miner, Prover, Reach, Seen, SolveResult, Spent, Tactic, judge, solve,
};
use pentarch_analysis::{Analysis, AnalysisError, Analyzer, Query, Settings};
use pentarch_arena::EngineSpec;
use pentarch_core::rules::Ruleset;
use pentarch_engine::EngineError;
use pentarch_engine::eval::StoneTables;
use pentarch_engine::search::Limits;
use pentarch_records::{Charset, Hints};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Find, prove and solve positions with a forced win.
#[derive(Debug, Args)]
pub(super) struct TacticsArgs {
    #[command(subcommand)]
    command: TacticsCommand,
}

#[derive(Debug, Subcommand)]
enum TacticsCommand {
    /// Count the positions that the engine solves within node budgets.
    Solve(Box<SolveArgs>),
    /// Extract positions with a forced win from game records.
    Mine(MineArgs),
    /// Prove the wins of tactics files again, against every defense.
    Check(TacticsCheckArgs),
}

pub(super) fn run(args: &TacticsArgs) -> CommandResult {
    match &args.command {
        TacticsCommand::Solve(args) => solve_files(args),
        TacticsCommand::Mine(args) => mine(args),
        TacticsCommand::Check(args) => check_files(args),
    }
}

fn tactics_progress_bar(length: usize, what: &'static str) -> ProgressBar {
    progress_bar(length, "{bar:30} {pos} of {len} {msg}, {eta} left").with_message(what)
}

/// A pool of threads, each of which works on one position at a time.
fn thread_pool(threads: usize) -> Result<ThreadPool, Box<dyn Error>> {
    let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
    Ok(builder.build().map_err(|error| format!("cannot start {threads} threads: {error}"))?)
}

/// The stack size of a thread in bytes, enough for the longest proof that can be requested.
const STACK: usize = 16 << 20;

/// Extracts positions with a forced win from game records.
///
/// Searches the positions shortly before the end of each game in which the winner is to move, and keeps
/// those in which the winner can force the win against every defense, no later than it was won. Prints them
/// in the tactics format, each with all first moves of the shortest wins.
#[derive(Debug, Args)]
struct MineArgs {
    /// File of games in any format that `convert` reads
    records: PathBuf,
    /// Game if the records do not name it
    #[arg(long, value_name = "SPEC", default_value = "pro-pente")]
    variant: Ruleset,
    /// Character set of files that do not name it: GB18030, Big5, KOI8-R, windows-1251 [default: UTF-8,
    /// or a guess if the text is not UTF-8]
    #[arg(long, value_name = "NAME")]
    charset: Option<Charset>,
    /// Least number of plies before the end
    #[arg(long, value_name = "PLIES", default_value_t = 3, value_parser = plies_before_end())]
    from: u32,
    /// Greatest number of plies before the end
    #[arg(long, value_name = "PLIES", default_value_t = 9, value_parser = plies_before_end())]
    to: u32,
    /// Number of moves of a win that may neither threaten nor answer a threat
    #[arg(long, value_name = "MOVES", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=3))]
    quiet: u32,
    /// Maximum nodes for a position
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Skip this many games
    #[arg(long, value_name = "GAMES", default_value_t = 0)]
    skip: usize,
    /// Stop after this many positions
    #[arg(long, value_name = "POSITIONS", default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    /// Number of games to search concurrently
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = thread_count)]
    threads: usize,
}

fn plies_before_end() -> impl clap::builder::TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(1..=25)
}

/// The number of games of a batch for each thread. The positions of a batch are printed together.
const GAMES_PER_THREAD: usize = 8;

fn mine(args: &MineArgs) -> CommandResult {
    if args.from > args.to {
        return Err(format!("--from {} is more than --to {}", args.from, args.to).into());
    }
    let hints = Hints { format: None, rules: Some(args.variant.clone()), charset: args.charset };
    let mut reader = GameReader::default();
    let games = reader.read_all(&args.records, &hints);
    let games = games.get(args.skip..).unwrap_or_default();
    let mut miner = Miner::new(args.variant.clone());
    miner.before_end = args.from..=args.to;
    miner.quiet = args.quiet;
    miner.nodes = args.nodes;
    let pool = thread_pool(args.threads)?;
    let bar = tactics_progress_bar(games.len(), "games");
    let mut output = MineOutput::default();
    let mut out = io::stdout();
    for batch in games.chunks(GAMES_PER_THREAD * args.threads) {
        let mined: Vec<_> =
            pool.install(|| batch.par_iter().map(|game| miner.mine(game)).collect());
        for mined in mined {
            match mined {
                Ok(mined) => output.print(mined, args.limit, &mut out)?,
                Err(error) => {
                    output.refused += 1;
                    log::info!("a game was left out: {error}");
                }
            }
        }
        bar.inc(batch.len() as u64);
        if output.printed >= args.limit {
            break;
        }
    }
    bar.finish_and_clear();
    out.flush()?;
    writeln!(
        io::stderr(),
        "{} positions of {} searched, {} undecided; {} games refused by the rules",
        output.printed,
        output.searched,
        output.undecided,
        output.refused,
    )?;
    Ok(reader.exit_code())
}

/// The counts of `tactics mine`.
#[derive(Default)]
struct MineOutput {
    seen: Seen,
    printed: usize,
    searched: usize,
    undecided: usize,
    refused: usize,
}

impl MineOutput {
    /// Prints the new positions of a game, up to the limit.
    fn print(&mut self, mined: Mined, limit: usize, out: &mut impl Write) -> io::Result<()> {
        self.searched += mined.looked_at;
        self.undecided += mined.undecided;
        for tactic in mined.tactics {
            if self.printed < limit && self.seen.is_new(&tactic) {
                self.printed += 1;
                writeln!(out, "{tactic}")?;
            }
        }
        out.flush()
    }
}

/// Counts the positions that an engine solves within node budgets.
///
/// A position is solved if the engine reports a win and its first move is one that the file lists, or
/// that is proved to win as soon as reported. The table has a row for each length of win, then the number
/// of reported wins that were not proved, and of false reports: a loss, or a win by a move that does not
/// win. The exit code is 1 if there is a false report.
#[derive(Debug, Args)]
struct SolveArgs {
    /// Tactics files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Budgets in nodes
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1000,10000,100000")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Vec<u64>,
    /// Another engine, as in `pentarch match --help`, one process per thread [default: the built-in engine]
    #[arg(long, value_name = "ENGINE", value_parser = other_engine)]
    engine: Option<EngineSpec>,
    /// Number of positions to search concurrently
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = thread_count)]
    threads: usize,
    /// Print JSON lines: one for each file, budget and length of win
    #[arg(long)]
    json: bool,
    /// Print the positions that were not solved with the largest budget
    #[arg(long)]
    show_missed: bool,
}

fn solve_files(args: &SolveArgs) -> CommandResult {
    let solver = TacticsSolver::new(args)?;
    let mut out = io::stdout();
    let mut any_false = false;
    for path in &args.files {
        let tactics = Tactic::read(path)?;
        let bar = tactics_progress_bar(tactics.len() * args.nodes.len(), "searches");
        let mut budgets = Vec::new();
        for &nodes in &args.nodes {
            let results = solver.solve_all(&tactics, nodes, || bar.inc(1))?;
            budgets.push(BudgetResults { nodes, results });
        }
        bar.finish_and_clear();
        let report = SolveReport { path, tactics: &tactics, budgets: &budgets };
        if args.json {
            report.write_json(&mut out)?;
        } else {
            report.write_table(&mut out)?;
        }
        if args.show_missed {
            report.write_missed(&mut out)?;
        }
        out.flush()?;
        any_false |=
            budgets.iter().any(|budget| budget.count(&tactics, None, SolveResult::False) > 0);
    }
    Ok(if any_false { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Searches positions with the built-in engine, or with another one through an [`Analyzer`].
struct TacticsSolver {
    pool: ThreadPool,
    other: Option<Analyzer>,
}

impl TacticsSolver {
    fn new(args: &SolveArgs) -> Result<TacticsSolver, Box<dyn Error>> {
        let analyzer = |engine: &EngineSpec| {
            let (workers, engine) = (args.threads, engine.clone());
            Analyzer::new(&Settings { workers, engine, ..Settings::default() })
        };
        let other = args.engine.as_ref().map(analyzer).transpose()?;
        Ok(TacticsSolver { pool: thread_pool(args.threads)?, other })
    }

    /// The results of positions in their order; `done` is called after each search.
    fn solve_all(
        &self,
        tactics: &[Tactic],
        nodes: u64,
        done: impl Fn() + Sync,
    ) -> Result<Vec<SolveResult>, Box<dyn Error>> {
        let Some(analyzer) = &self.other else {
            let search = |tactic: &Tactic| {
                let result = solve(tactic, nodes);
                done();
                result
            };
            let results: Result<_, EngineError> =
                self.pool.install(|| tactics.par_iter().map(search).collect());
            return Ok(results?);
        };
        let query = |tactic: &Tactic| Query::new(tactic.game.clone(), Limits::nodes(nodes));
        let queries: Vec<Query> = tactics.iter().map(query).collect();
        let answers = analyzer.analyze_all(&queries, done);
        for (index, answer) in answers.iter().enumerate() {
            if let Err(error) = answer {
                log::error!("position {}: {error}", index + 1);
            }
        }
        let result = |(tactic, answer): (&Tactic, &Result<Analysis, AnalysisError>)| {
            answer.as_ref().map_or(SolveResult::Failed, |answer| {
                judge(tactic, answer.lines.first().map(|line| line.mv), answer.score)
            })
        };
        Ok(self.pool.install(|| tactics.par_iter().zip(&answers).map(result).collect()))
    }
}

/// The results of all positions of a file with one node budget.
struct BudgetResults {
    nodes: u64,
    results: Vec<SolveResult>,
}

impl BudgetResults {
    /// The number of positions with a result, of all lengths of win or of one.
    fn count(&self, tactics: &[Tactic], plies: Option<u32>, result: SolveResult) -> usize {
        let pairs = tactics.iter().zip(&self.results);
        let has_length = |tactic: &Tactic| plies.is_none_or(|plies| tactic.plies == plies);
        pairs.filter(|(tactic, own)| has_length(tactic) && **own == result).count()
    }
}

struct SolveReport<'a> {
    path: &'a Path,
    tactics: &'a [Tactic],
    budgets: &'a [BudgetResults],
}

impl SolveReport<'_> {
    /// The number of positions of each length of win.
    fn lengths(&self) -> BTreeMap<u32, usize> {
        let mut lengths = BTreeMap::new();
        for tactic in self.tactics {
            *lengths.entry(tactic.plies).or_insert(0) += 1;
        }
        lengths
    }

    fn write_table(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", self.path.display())?;
        write!(out, "{:>8} {:>10}", "win in", "positions")?;
        for budget in self.budgets {
            write!(out, " {:>16}", format!("{} nodes", budget.nodes))?;
        }
        writeln!(out)?;
        let lengths = self.lengths().into_iter().map(|(plies, count)| (Some(plies), count));
        for (plies, positions) in lengths.chain([(None, self.tactics.len())]) {
            let length = plies.map_or("all".to_owned(), |plies| plies.to_string());
            write!(out, "{length:>8} {positions:>10}")?;
            for budget in self.budgets {
                let solved = budget.count(self.tactics, plies, SolveResult::Solved);
                let percent = 100.0 * solved as f64 / positions.max(1) as f64;
                write!(out, " {:>16}", format!("{solved} ({percent:.1} %)"))?;
            }
            writeln!(out)?;
        }
        let failed =
            |budget: &BudgetResults| budget.count(self.tactics, None, SolveResult::Failed) > 0;
        let mut rows = vec![("unproved", SolveResult::Unproved), ("false", SolveResult::False)];
        if self.budgets.iter().any(failed) {
            rows.push(("failed", SolveResult::Failed));
        }
        for (name, result) in rows {
            write!(out, "{name:>8} {:>10}", "")?;
            for budget in self.budgets {
                write!(out, " {:>16}", budget.count(self.tactics, None, result))?;
            }
            writeln!(out)?;
        }
        writeln!(out)
    }

    fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        for budget in self.budgets {
            for (plies, positions) in self.lengths() {
                let count = |result| budget.count(self.tactics, Some(plies), result);
                let line = serde_json::json!({
                    "file": self.path.display().to_string(),
                    "nodes": budget.nodes,
                    "plies": plies,
                    "positions": positions,
                    "solved": count(SolveResult::Solved),
                    "missed": count(SolveResult::Missed),
                    "unproved": count(SolveResult::Unproved),
                    "false": count(SolveResult::False),
                    "failed": count(SolveResult::Failed),
                });
                writeln!(out, "{line}")?;
            }
        }
        Ok(())
    }

    /// Prints the positions that were not solved with the last budget, with their results.
    fn write_missed(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(budget) = self.budgets.last() else { return Ok(()) };
        for (tactic, result) in self.tactics.iter().zip(&budget.results) {
            if *result != SolveResult::Solved {
                writeln!(out, "{:<9} {tactic}", format!("{result:?}").to_lowercase())?;
            }
        }
        Ok(())
    }
}

/// Proves the wins of tactics files again, against every defense.
///
/// Lists every position whose win cannot be proved with the length and the first moves of the file, or
/// has a shorter win, and every position that the node limit leaves undecided. The exit code is 1 if
/// there is one.
#[derive(Debug, Args)]
struct TacticsCheckArgs {
    /// Tactics files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Number of moves of a win that may neither threaten nor answer a threat
    #[arg(long, value_name = "MOVES", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=3))]
    quiet: u32,
    /// Maximum nodes for a position
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of positions to prove concurrently
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = thread_count)]
    threads: usize,
}

fn check_files(args: &TacticsCheckArgs) -> CommandResult {
    let pool = thread_pool(args.threads)?;
    let mut out = io::stdout();
    let mut all_hold = true;
    for path in &args.files {
        let tactics = Tactic::read(path)?;
        let bar = tactics_progress_bar(tactics.len(), "positions");
        let check = |tactic: &Tactic| {
            let fault = args.check(tactic).err();
            bar.inc(1);
            fault
        };
        let faults: Vec<_> = pool.install(|| tactics.par_iter().map(check).collect());
        bar.finish_and_clear();
        for (tactic, fault) in tactics.iter().zip(&faults) {
            if let Some(fault) = fault {
                writeln!(out, "{}: {fault}\n  {tactic}", path.display())?;
            }
        }
        let faults: Vec<_> = faults.iter().flatten().collect();
        let undecided =
            faults.iter().filter(|fault| matches!(fault, TacticFault::Undecided(_))).count();
        let wrong = faults.len() - undecided;
        write!(out, "{}: {} positions, {wrong} wrong", path.display(), tactics.len())?;
        match undecided {
            0 => writeln!(out)?,
            _ => writeln!(out, ", {undecided} undecided")?,
        }
        all_hold &= faults.is_empty();
    }
    out.flush()?;
    Ok(if all_hold { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Why a position of a tactics file is wrong or undecided.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum TacticFault {
    #[error("no game of stones on squares")]
    NoStones,
    #[error("no win found")]
    NoWin,
    #[error("a win in {0}")]
    Length(u32),
    #[error("the first moves are {0}")]
    FirstMoves(String),
    #[error(transparent)]
    Undecided(#[from] Spent),
}

impl TacticsCheckArgs {
    fn check(&self, tactic: &Tactic) -> Result<(), TacticFault> {
        let position = tactic.game.placement().ok_or(TacticFault::NoStones)?;
        let tables = Arc::new(StoneTables::new(position.rules()));
        let mut prover = Prover::new(position, tables, self.nodes);
        let reach = Reach { plies: tactic.plies, quiet: self.quiet };
        let win = prover.shortest(reach)?.ok_or(TacticFault::NoWin)?;
        if win.plies != tactic.plies {
            return Err(TacticFault::Length(win.plies));
        }
        let mut first = prover.first_moves(reach)?;
        let mut listed = tactic.first.clone();
        first.sort_unstable();
        listed.sort_unstable();
        if first == listed {
            return Ok(());
        }
        let texts: Vec<_> = first.iter().map(|&mv| tactic.game.move_text(mv)).collect();
        Err(TacticFault::FirstMoves(texts.join(" ")))
    }
}
