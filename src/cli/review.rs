//! `pentarch review`.

use super::CommandResult;
use super::games::Complaints;
use super::options::count;
use super::output::Output;
use super::progress;
use clap::Args;
use indicatif::{HumanDuration, ProgressBar};
use pentarch_analysis::review::{
    GameReview, ReviewBudget, ReviewFile, ReviewProgress, ReviewTask, ReviewText, Reviewer,
    game_view, puzzles, sgf_tree,
};
use pentarch_analysis::tactics::SeenPositions;
use pentarch_arena::CancelToken;
use pentarch_core::rules::Ruleset;
use pentarch_records::page::{Align, Html, PageSet, Table, TableCell};
use pentarch_records::{Charset, ReadOptions};
use std::error::Error;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Reviews games: finds the mistakes and what would have been better.
///
/// Reads games in any format that `convert` reads. Each position is searched, and the move that was
/// played once more by itself; the difference is what it gave away, as a probability to win. Missed
/// wins are proved before they are reported. Prints a table of the games, their mistakes and a summary
/// of each game and player.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub(super) struct ReviewArgs {
    /// Files of games; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Nodes for each search, of which there are two a move at most
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many positions to look at at the same time; nothing else depends on it [default: one a processor]
    #[arg(long, value_name = "N", value_parser = count)]
    workers: Option<usize>,
    /// MiB for the tables of all searches together
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: u64,
    /// The game where a file names none: NAME[+modifier...]
    #[arg(long, value_name = "SPEC")]
    variant: Option<Ruleset>,
    /// The character set of files that name none: GB18030, Big5, KOI8-R, windows-1251 [default: UTF-8,
    /// or guessed where the bytes are none]
    #[arg(long, value_name = "NAME")]
    charset: Option<Charset>,
    /// Write the games to this file with comments, marks and better lines
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Write a JSON line a game to this file; the same command goes on there after an interruption
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a page for browsers to this file, with boards, graphs and mistakes to click through
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the proved wins that were not played to this file, for `tactics solve` and `tactics check`
    #[arg(long, value_name = "FILE")]
    puzzles: Option<PathBuf>,
}

/// What the help says beyond the options.
const HELP: &str = "\
A mistake is a loss of win probability: an inaccuracy (?!) of 10 % or more, a mistake (?) of 20 %,
a blunder (??) of 30 %. Accuracy is lichess's, from 0 to 100. A missed win (`let a proved win go`)
is proved against every defense; a missed defense is a move after which the opponent has a proved
win that another move is proved to prevent. A win that came later than it could is no mistake, but
a puzzle.

Games that cannot be read are named with file, line and reason, the others are reviewed; then the
exit code is 1. A game with an illegal move is reviewed up to it. Ctrl-C keeps what is done: games
are in the --json file one by one, and the other files are written with the games that are done.

Example:
  pentarch review my-games.sgf --nodes 20000 --html review.html --puzzles my-puzzles.txt";

/// The exit code of an interrupted run.
const INTERRUPTED: u8 = 130;

pub(super) fn run(args: &ReviewArgs) -> CommandResult {
    args.check_paths()?;
    let (tasks, complaints) = args.tasks()?;
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
    let mut meter = Meter::new(positions, tasks.len(), done.len());
    let mut outputs = Outputs::open(args)?;
    let mut rest = tasks;
    let left = rest.split_off(done.len());
    for (task, review) in rest.iter().zip(&done) {
        outputs.add(task, review)?;
    }
    let mut writer = Writer { outputs, file, failed: None };
    reviewer.review(left, &cancel, |progress| match progress {
        ReviewProgress::Position => {
            meter.position();
            ControlFlow::Continue(())
        }
        ReviewProgress::Game(task, review) => {
            meter.game();
            writer.take(&task, &review)
        }
    })?;
    meter.end();
    if let Some(error) = writer.failed {
        return Err(error);
    }
    writer.outputs.finish()?;
    if cancel.is_canceled() {
        let hint =
            if args.json.is_some() { "the same command goes on" } else { "--json would keep them" };
        writeln!(io::stderr(), "pentarch: interrupted, {} games are done; {hint}", meter.games)?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(complaints.exit_code())
}

impl ReviewArgs {
    /// Refuses to write two things into one file, or over what is read.
    fn check_paths(&self) -> Result<(), Box<dyn Error>> {
        let written = [&self.sgf, &self.json, &self.html, &self.puzzles];
        let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let mut seen: Vec<PathBuf> = self.files.iter().map(real).collect();
        for path in written.into_iter().flatten() {
            let real = real(path);
            // A device such as /dev/null takes anything.
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

    /// The games of all files.
    fn tasks(&self) -> Result<(Vec<ReviewTask>, Complaints), Box<dyn Error>> {
        let hints =
            ReadOptions { format: None, rules: self.variant.clone(), charset: self.charset };
        let usual = || "pente".parse::<Ruleset>();
        let rules = self.variant.clone().map_or_else(usual, Ok)?;
        let (mut tasks, mut complaints) = (Vec::new(), Complaints::default());
        complaints.read(&self.files, &hints, |path, game, complaints| {
            let file = path.display().to_string();
            let line = game.line;
            match ReviewTask::new(game, &file, &rules) {
                Ok(task) => {
                    if let Some(fault) = task.fault() {
                        complaints
                            .add(&format!("{file} line {line}: {fault}; reviewed up to there"));
                    }
                    tasks.push(task);
                }
                Err(error) => complaints.add(&format!("{file} line {line}: {error}")),
            }
            Ok::<(), Box<dyn Error>>(())
        })?;
        Ok((tasks, complaints))
    }
}

/// Where finished games go.
struct Writer {
    outputs: Outputs,
    file: Option<ReviewFile>,
    failed: Option<Box<dyn Error>>,
}

impl Writer {
    fn take(&mut self, task: &ReviewTask, review: &GameReview) -> ControlFlow<()> {
        let appended = self.file.as_mut().map_or(Ok(()), |file| file.append(review));
        let written = appended.map_err(Box::from).and_then(|()| self.outputs.add(task, review));
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// The texts and files that are written besides the lines of JSON.
struct Outputs {
    digest: ReviewText,
    sgf: Option<Output>,
    page: Option<(PageSet, Table)>,
    puzzles: Option<Output>,
    seen: SeenPositions,
}

impl Outputs {
    fn open(args: &ReviewArgs) -> Result<Outputs, Box<dyn Error>> {
        let open = |path: &Option<PathBuf>| -> io::Result<Option<Output>> {
            path.as_deref().map(|path| Output::open(Some(path), &args.files)).transpose()
        };
        let page = match &args.html {
            Some(path) => Some((PageSet::create(path, &title(&args.files))?, games_table())),
            None => None,
        };
        let (sgf, puzzles) = (open(&args.sgf)?, open(&args.puzzles)?);
        Ok(Outputs {
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
                2..=MOST_ROWS => page.section("Games", &[Html::from(&table)])?,
                // The board is not to be looked for below them.
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

/// A longer table of games is folded up on a page.
const MOST_ROWS: usize = 12;

/// What a page is called.
fn title(files: &[PathBuf]) -> String {
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

/// How far a run is: a bar on a terminal, else a line every so often.
struct Meter {
    bar: ProgressBar,
    positions: usize,
    all_games: usize,
    games: usize,
    next_line: Instant,
}

/// Between lines.
const LINE: Duration = Duration::from_secs(5);

impl Meter {
    fn new(positions: usize, all_games: usize, games: usize) -> Meter {
        let template = "{wide_bar} {pos} of {len} positions{msg}, {elapsed}, {eta} to go";
        let bar = progress::bar(positions, template);
        Meter { bar, positions, all_games, games, next_line: Instant::now() + LINE }
    }

    fn position(&mut self) {
        self.bar.inc(1);
        if self.bar.is_hidden() && Instant::now() >= self.next_line {
            self.next_line = Instant::now() + LINE;
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

    fn game(&mut self) {
        self.games += 1;
        self.bar.set_message(format!(", {} of {} games", self.games, self.all_games));
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
