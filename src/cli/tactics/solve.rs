//! `pentarch tactics solve`.

use super::super::CommandResult;
use super::super::analyze::other_engine;
use super::super::options::count;
use clap::Args;
use pentarch_analysis::tactics::{SolveResult, Tactic, judge_answer, solve};
use pentarch_analysis::{Analysis, AnalysisError, AnalysisQuery, Analyzer, AnalyzerOptions};
use pentarch_arena::EngineSpec;
use pentarch_engine::EngineError;
use pentarch_engine::search::Limits;
use pentarch_records::Charset;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Counts the positions that an engine solves within budgets of nodes.
///
/// A position is solved if the engine announces a win and its first move is one that the file
/// lists, or that is proved to win as soon as announced. The table has a row for each length of
/// win. After it come the announcements that were not proved, and those that are false: a loss,
/// or a win by a move that wins nothing.
#[derive(Debug, Args)]
pub(super) struct SolveArgs {
    /// Tactics files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The character set of the files: GB18030, Big5, KOI8-R, windows-1251 [default: UTF-8, or guessed]
    #[arg(long, value_name = "NAME")]
    charset: Option<Charset>,
    /// Budgets in nodes
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1000,10000,100000")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Vec<u64>,
    /// Ask another engine, as in `pentarch match --help`, one process a thread [default: the built-in
    /// engine]
    #[arg(long, value_name = "ENGINE", value_parser = other_engine)]
    engine: Option<EngineSpec>,
    /// Positions to search at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count)]
    threads: usize,
    /// Print JSON lines instead: one for each file, budget and length of win
    #[arg(long)]
    json: bool,
    /// Print the positions that were not solved with the largest budget
    #[arg(long)]
    show_missed: bool,
}

pub(super) fn run(args: &SolveArgs) -> CommandResult {
    let solver = Solver::new(args)?;
    let mut out = io::stdout();
    let mut is_false = false;
    for path in &args.files {
        let tactics = Tactic::read(path, args.charset)?;
        let bar = super::progress(tactics.len() * args.nodes.len(), "searches");
        let mut scores = Vec::new();
        for &nodes in &args.nodes {
            let verdicts = solver.verdicts(&tactics, nodes, || bar.inc(1))?;
            scores.push(Scores { nodes, verdicts });
        }
        bar.finish_and_clear();
        let result = FileResult { path, tactics: &tactics, scores: &scores };
        if args.json {
            result.write_json(&mut out)?;
        } else {
            result.write_table(&mut out)?;
        }
        if args.show_missed {
            result.write_missed(&mut out)?;
        }
        out.flush()?;
        is_false |=
            scores.iter().any(|scores| scores.count(&tactics, None, SolveResult::False) > 0);
    }
    Ok(if is_false { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Who is asked: the built-in engine with a table of its own for each position, or another one.
enum Solver {
    BuiltIn(ThreadPool),
    Other(ThreadPool, Analyzer),
}

impl Solver {
    fn new(args: &SolveArgs) -> Result<Solver, Box<dyn Error>> {
        let pool = super::pool(args.threads)?;
        Ok(match &args.engine {
            None => Solver::BuiltIn(pool),
            Some(engine) => {
                let (workers, engine) = (args.threads, engine.clone());
                Solver::Other(
                    pool,
                    Analyzer::new(&AnalyzerOptions {
                        workers,
                        engine,
                        ..AnalyzerOptions::default()
                    })?,
                )
            }
        })
    }

    /// The verdicts on positions in their order; `done` is called for each.
    fn verdicts(
        &self,
        tactics: &[Tactic],
        nodes: u64,
        done: impl Fn() + Sync,
    ) -> Result<Vec<SolveResult>, Box<dyn Error>> {
        match self {
            Solver::BuiltIn(pool) => {
                let verdict = |tactic: &Tactic| {
                    let verdict = solve(tactic, nodes);
                    done();
                    verdict
                };
                let verdicts: Result<_, EngineError> =
                    pool.install(|| tactics.par_iter().map(verdict).collect());
                Ok(verdicts?)
            }
            Solver::Other(pool, analyzer) => {
                let query =
                    |tactic: &Tactic| AnalysisQuery::new(tactic.game.clone(), Limits::nodes(nodes));
                let queries: Vec<AnalysisQuery> = tactics.iter().map(query).collect();
                let answers = analyzer.analyze_all(&queries, done);
                for (index, answer) in answers.iter().enumerate() {
                    if let Err(error) = answer {
                        log::error!("position {}: {error}", index + 1);
                    }
                }
                let verdict = |(tactic, answer): (&Tactic, &Result<Analysis, AnalysisError>)| {
                    answer.as_ref().map_or(SolveResult::Failed, |answer| {
                        judge_answer(tactic, answer.lines.first().map(|line| line.mv), answer.score)
                    })
                };
                Ok(pool.install(|| tactics.par_iter().zip(&answers).map(verdict).collect()))
            }
        }
    }
}

/// The verdicts on all positions of a file with one budget.
struct Scores {
    nodes: u64,
    verdicts: Vec<SolveResult>,
}

impl Scores {
    /// How many positions, of a length if one is given, have that verdict.
    fn count(&self, tactics: &[Tactic], plies: Option<u32>, verdict: SolveResult) -> usize {
        let pairs = tactics.iter().zip(&self.verdicts);
        let of_length = |tactic: &Tactic| plies.is_none_or(|plies| tactic.plies == plies);
        pairs.filter(|(tactic, got)| of_length(tactic) && **got == verdict).count()
    }
}

/// What came out for a file.
struct FileResult<'a> {
    path: &'a Path,
    tactics: &'a [Tactic],
    scores: &'a [Scores],
}

impl FileResult<'_> {
    /// The lengths of win, each with the number of its positions; none is all of them.
    fn lengths(&self) -> BTreeMap<Option<u32>, usize> {
        let mut lengths = BTreeMap::new();
        for tactic in self.tactics {
            *lengths.entry(Some(tactic.plies)).or_insert(0) += 1;
        }
        lengths
    }

    fn write_table(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", self.path.display())?;
        write!(out, "{:>8} {:>10}", "win in", "positions")?;
        for scores in self.scores {
            write!(out, " {:>16}", format!("{} nodes", scores.nodes))?;
        }
        writeln!(out)?;
        let mut rows: Vec<_> = self.lengths().into_iter().collect();
        rows.push((None, self.tactics.len()));
        for (plies, positions) in rows {
            let length = plies.map_or("all".to_owned(), |plies| plies.to_string());
            write!(out, "{length:>8} {positions:>10}")?;
            for scores in self.scores {
                let solved = scores.count(self.tactics, plies, SolveResult::Solved);
                let percent = 100.0 * solved as f64 / positions.max(1) as f64;
                write!(out, " {:>16}", format!("{solved} ({percent:.1} %)"))?;
            }
            writeln!(out)?;
        }
        let rows = [
            ("unproved", SolveResult::Unproved),
            ("false", SolveResult::False),
            ("failed", SolveResult::Failed),
        ];
        let failed = |scores: &Scores| scores.count(self.tactics, None, SolveResult::Failed) > 0;
        let any_failed = self.scores.iter().any(failed);
        for (name, verdict) in rows.into_iter().filter(|row| row.0 != "failed" || any_failed) {
            write!(out, "{name:>8} {:>10}", "")?;
            for scores in self.scores {
                write!(out, " {:>16}", scores.count(self.tactics, None, verdict))?;
            }
            writeln!(out)?;
        }
        writeln!(out)
    }

    fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        for scores in self.scores {
            for (plies, positions) in self.lengths() {
                let count = |verdict| scores.count(self.tactics, plies, verdict);
                let line = serde_json::json!({
                    "file": self.path.display().to_string(),
                    "nodes": scores.nodes,
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

    /// The positions not solved with the last budget, with what was made of them.
    fn write_missed(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(scores) = self.scores.last() else { return Ok(()) };
        for (tactic, verdict) in self.tactics.iter().zip(&scores.verdicts) {
            if *verdict != SolveResult::Solved {
                writeln!(out, "{:<9} {tactic}", format!("{verdict:?}").to_lowercase())?;
            }
        }
        Ok(())
    }
}
