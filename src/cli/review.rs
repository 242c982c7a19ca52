//! `pentarch review`.

use super::ExitResult;
use super::args::thread_count;
use super::io::{GameReader, OutputTarget, progress_bar};
use clap::Args;
use indicatif::{HumanDuration, ProgressBar};
use pentarch_analysis::review::{
    GameReview, ReviewBudget, ReviewEvent, ReviewFile, ReviewTask, ReviewText, Reviewer, game_view,
    puzzles, sgf_tree,
};
use pentarch_analysis::tactics::SeenPositions;
use pentarch_arena::{CancelToken, EXIT_INTERRUPTED, Shard};
use pentarch_core::rules::Ruleset;
use pentarch_records::page::{Align, Html, PageSet, Table, TableCell};
use pentarch_records::{Charset, ReadOptions};
use std::error::Error;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Reviews games: finds the mistakes and the better moves.
///
/// Reads games in any format that `convert` reads. Searches each position; the loss of a move is the
/// difference of the win probabilities before and after it. Mistakes are confirmed by longer searches, and
/// missed wins are proved, before they are reported. Prints a table of the games, their mistakes and a summary of each game and player.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct ReviewArgs {
    /// Files of games, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Nodes of the search of each position; before a move is marked, four times as many are searched
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of positions to search concurrently; does not change the results [default: one per processor]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    workers: Option<usize>,
    /// Size of the hash tables of all searches together in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: u64,
    /// Game of files that do not name it: NAME[+modifier...]
    #[arg(long, value_name = "SPEC")]
    variant: Option<Ruleset>,
    /// Character set of files that do not name it: GB18030, Big5, KOI8-R, windows-1251 [default: UTF-8,
    /// or a guess if the text is not UTF-8]
    #[arg(long, value_name = "NAME")]
    charset: Option<Charset>,
    /// Review only every Nth game from the Kth on, such as 2/4
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Write the games as SGF to this file, with comments, marks and better lines
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Write a JSON line for each game to this file; after an interruption the same command resumes it
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write an HTML page to this file, with boards, graphs and links to the mistakes
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the missed wins that were proved to this file, for `tactics solve` and `tactics check`
    #[arg(long, value_name = "FILE")]
    puzzles: Option<PathBuf>,
}

const HELP: &str = "\
Moves are marked by their loss of win probability: an inaccuracy (?!) loses 10 % or more, a mistake (?)
20 %, a blunder (??) 30 %. Accuracy is that of lichess, from 0 to 100. A missed win (`let a proved win
go`) is proved against every defense; a missed defense is a move after which the opponent has a proved
win, where another move provably prevents it. A win by a longer way than necessary is no mistake, but
it becomes a puzzle.

For each game that cannot be read, the file, line and reason are printed; the other games are reviewed,
and the exit code is 1. A game with an illegal move is reviewed up to that move. Ctrl-C keeps finished
games: the --json file has them already, and the other files are written with them.

With --shard K/N several machines share the games. The JSON lines of all shards, in the order of the games,
are those of a review without shards, and the same command without --shard takes them over:
  pentarch review games.sgf --shard 1/2 --json 1.jsonl
  pentarch review games.sgf --shard 2/2 --json 2.jsonl
  paste -d '\\n' 1.jsonl 2.jsonl | sed '/^$/d' > all.jsonl
  pentarch review games.sgf --json all.jsonl --html review.html

Example:
  pentarch review my-games.sgf --nodes 20000 --html review.html --puzzles my-puzzles.txt";

pub(super) fn run(args: &ReviewArgs) -> ExitResult {
    args.check_paths()?;
    let (tasks, reader) = args.tasks()?;
    let budget = ReviewBudget::nodes(args.nodes);
    let (file, done) = match &args.json {
        Some(path) => {
            let (file, done) = ReviewFile::open(path, &tasks, &budget)?;
            (Some(file), done)
        }
        None => (None, Vec::new()),
    };
    let workers = args.workers.unwrap_or_else(rayon::current_num_threads);
    let reviewer = Reviewer::new(workers, args.hash as usize, budget)?;
    let cancel = CancelToken::of_signals()?;
    let positions = tasks.iter().skip(done.len()).map(ReviewTask::positions).sum();
    let mut display = ReviewProgressDisplay::new(positions, tasks.len(), done.len());
    let mut outputs = ReviewOutputs::open(args)?;
    let mut rest = tasks;
    let left = rest.split_off(done.len());
    for (task, review) in rest.iter().zip(&done) {
        outputs.add(task, review)?;
    }
    let mut writer = ReviewWriter { outputs, file, error: None };
    reviewer.review(left, &cancel, |progress| match progress {
        ReviewEvent::Position => {
            display.position_done();
            ControlFlow::Continue(())
        }
        ReviewEvent::Game(task, review) => {
            display.game_done();
            writer.write(&task, &review)
        }
    })?;
    display.bar.finish_and_clear();
    if let Some(error) = writer.error {
        return Err(error);
    }
    writer.outputs.finish()?;
    if cancel.is_canceled() {
        let hint = if args.json.is_some() {
            "the same command resumes them"
        } else {
            "use --json to resume such a run"
        };
        writeln!(io::stderr(), "pentarch: interrupted, {} games are done; {hint}", display.games)?;
        return Ok(ExitCode::from(EXIT_INTERRUPTED as u8));
    }
    Ok(reader.exit_code())
}

impl ReviewArgs {
    /// Fails if an output file is also an input or another output.
    fn check_paths(&self) -> Result<(), Box<dyn Error>> {
        let written = [&self.sgf, &self.json, &self.html, &self.puzzles];
        let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let mut seen: Vec<PathBuf> = self.files.iter().map(real).collect();
        for path in written.into_iter().flatten() {
            let real = real(path);
            // A device such as /dev/null can be written several times.
            if real.exists() && !real.is_file() {
                continue;
            }
            if seen.contains(&real) {
                return Err(format!("{} is named twice; name another file", path.display()).into());
            }
            seen.push(real);
        }
        Ok(())
    }

    /// Reads the games of all files.
    fn tasks(&self) -> Result<(Vec<ReviewTask>, GameReader), Box<dyn Error>> {
        let hints =
            ReadOptions { format: None, rules: self.variant.clone(), charset: self.charset };
        let rules = self.variant.clone().map_or_else(|| "pente".parse(), Ok)?;
        let (mut tasks, mut reader) = (Vec::new(), GameReader::default());
        let mut number = 0;
        reader.read(&self.files, &hints, |path, game, reader| {
            let file = path.display().to_string();
            let line = game.line;
            match ReviewTask::new(game, &file, &rules) {
                Ok(task) => {
                    if let Some(fault) = task.fault() {
                        reader
                            .report(&format!("{file} line {line}: {fault}; reviewed up to there"));
                    }
                    if self.shard.is_none_or(|shard| shard.holds(number)) {
                        tasks.push(task);
                    }
                    number += 1;
                }
                Err(error) => reader.report(&format!("{file} line {line}: {error}")),
            }
            Ok::<(), Box<dyn Error>>(())
        })?;
        Ok((tasks, reader))
    }
}

/// Writes finished games. The first error stops the review.
struct ReviewWriter {
    outputs: ReviewOutputs,
    file: Option<ReviewFile>,
    error: Option<Box<dyn Error>>,
}

impl ReviewWriter {
    fn write(&mut self, task: &ReviewTask, review: &GameReview) -> ControlFlow<()> {
        let appended = self.file.as_mut().map_or(Ok(()), |file| file.append(review));
        let written = appended.map_err(Box::from).and_then(|()| self.outputs.add(task, review));
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// The outputs other than the JSON lines.
struct ReviewOutputs {
    digest: ReviewText,
    sgf: Option<OutputTarget>,
    page: Option<(PageSet, Table)>,
    puzzles: Option<OutputTarget>,
    seen: SeenPositions,
}

impl ReviewOutputs {
    fn open(args: &ReviewArgs) -> Result<ReviewOutputs, Box<dyn Error>> {
        let open = |path: &Option<PathBuf>| -> io::Result<Option<OutputTarget>> {
            path.as_deref().map(|path| OutputTarget::open(Some(path), &args.files)).transpose()
        };
        let page = match &args.html {
            Some(path) => Some((PageSet::create(path, &page_title(&args.files))?, games_table())),
            None => None,
        };
        let (sgf, puzzles) = (open(&args.sgf)?, open(&args.puzzles)?);
        Ok(ReviewOutputs {
            digest: ReviewText::default(),
            sgf,
            page,
            puzzles,
            seen: SeenPositions::default(),
        })
    }

    fn add(&mut self, task: &ReviewTask, review: &GameReview) -> Result<(), Box<dyn Error>> {
        self.digest.add(review);
        if let Some(sgf) = &mut self.sgf {
            writeln!(sgf, "{}", sgf_tree(task, review))?;
        }
        if let Some((page, table)) = &mut self.page {
            page.game(&game_view(task, review))?;
            add_row(table, self.digest.games(), review);
        }
        if let Some(file) = &mut self.puzzles {
            for puzzle in puzzles(task, review) {
                if self.seen.is_new(&puzzle) {
                    writeln!(file, "{puzzle}")?;
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Box<dyn Error>> {
        if let Some((mut page, table)) = self.page {
            let games = self.digest.games();
            match games {
                0 | 1 => (),
                2..=MAX_OPEN_ROWS => page.section("Games", &[Html::from(&table)])?,
                // Folded, so that the board below stays in view.
                _ => page.section(
                    "Games",
                    &[Html::collapsible(&format!("All {games} games"), &[Html::from(&table)])],
                )?,
            }
            page.finish()?;
        }
        for file in [self.sgf, self.puzzles].into_iter().flatten() {
            file.finish()?;
        }
        let mut out = io::stdout();
        write!(out, "{}", self.digest)?;
        Ok(out.flush()?)
    }
}

/// The greatest number of games of a table that is not folded.
const MAX_OPEN_ROWS: usize = 12;

fn page_title(files: &[PathBuf]) -> String {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match files {
        [one] => format!("Review of {}", name(one)),
        many => format!("Review of {} files", many.len()),
    }
}

fn games_table() -> Table {
    let right = ["Moves", "Accuracy", "Inaccuracies", "Mistakes", "Blunders", "Missed wins"];
    let mut head = vec![("Game", Align::Right), ("Name", Align::Left)];
    head.extend(right.map(|name| (name, Align::Right)));
    Table::new("Games, numbers by seat", &head)
}

fn add_row(table: &mut Table, number: usize, review: &GameReview) {
    let each = |of: &dyn Fn(&pentarch_analysis::review::PlayerReview) -> String| -> String {
        review.seats.iter().map(of).collect::<Vec<_>>().join(" / ")
    };
    table.row([
        TableCell::text(number).with_game(number),
        TableCell::text(&review.name).with_tooltip(&review.summary),
        TableCell::text(review.plies.len()),
        each(&|seat| seat.accuracy.map_or("-".to_owned(), |value| format!("{value:.1}"))).into(),
        each(&|seat| seat.inaccuracies.to_string()).into(),
        each(&|seat| seat.mistakes.to_string()).into(),
        each(&|seat| seat.blunders.to_string()).into(),
        each(&|seat| seat.missed_wins.to_string()).into(),
    ]);
}

/// The progress of a review: a bar on a terminal, else a line every few seconds.
struct ReviewProgressDisplay {
    bar: ProgressBar,
    positions: usize,
    all_games: usize,
    /// The number of finished games.
    games: usize,
    next_line: Instant,
}

/// The interval between two lines of progress.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

impl ReviewProgressDisplay {
    fn new(positions: usize, all_games: usize, games: usize) -> ReviewProgressDisplay {
        let template = "{wide_bar} {pos} of {len} positions{msg}, {elapsed}, {eta} to go";
        let bar = progress_bar(positions, template);
        let next_line = Instant::now() + LINE_INTERVAL;
        ReviewProgressDisplay { bar, positions, all_games, games, next_line }
    }

    fn position_done(&mut self) {
        self.bar.inc(1);
        if self.bar.is_hidden() && Instant::now() >= self.next_line {
            self.next_line = Instant::now() + LINE_INTERVAL;
            let (done, left) = (self.bar.position(), HumanDuration(self.bar.eta()));
            let _ = writeln!(
                io::stderr(),
                "{done} of {} positions, {} of {} games, {left} to go",
                self.positions,
                self.games,
                self.all_games
            );
        }
    }

    fn game_done(&mut self) {
        self.games += 1;
        self.bar.set_message(format!(", {} of {} games", self.games, self.all_games));
    }
}
