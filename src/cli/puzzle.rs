//! `pentarch puzzle`: searches for solutions of the puzzles of the Pent-Up leaflet.

use super::ExitResult;
use super::args::thread_count;
use super::io::progress_bar;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use pentarch_analysis::puzzle::{
    RingAnswer, RingSearch, SearchDeadline, Surrounded, Tower, TowerSearch, check_rings,
};
use pentarch_arena::parse_seconds;
use pentarch_core::game::Move;
use pentarch_core::rules::{ColorNames, TileRules};
use pentarch_core::stacking::{Pentomino, Position};
use pentarch_engine::Game;
use pentarch_records::picture::{DrawnTile, drawn_tiles, tiles_text};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Solve the puzzles of the Pent-Up leaflet.
#[derive(Debug, Args)]
pub(super) struct PuzzleArgs {
    #[command(subcommand)]
    puzzle: PuzzleCommand,
}

#[derive(Debug, Subcommand)]
enum PuzzleCommand {
    /// Reach a level by the rules, with both colors cooperating
    Level(LevelArgs),
    /// Surround a black tile with the fewest white tiles, and those with the other black tiles
    Surround(SurroundArgs),
}

#[derive(Debug, Args)]
struct EffortArgs {
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = thread_count)]
    threads: usize,
    /// Maximum time
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    time: Duration,
}

#[derive(Debug, Args)]
struct LevelArgs {
    #[command(flatten)]
    effort: EffortArgs,
    /// Level to reach; the leaflet asks for 6
    #[arg(long, value_name = "N", default_value_t = 6)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(TowerSearch::MAX_LEVEL)))]
    target: u8,
    /// Number of positions that the beam search keeps
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=10_000))]
    width: u16,
    /// Seed of the search
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Args)]
struct SurroundArgs {
    #[command(flatten)]
    effort: EffortArgs,
    /// Tile in the middle, F I L N P T U V W X Y or Z [default: each of them]
    #[arg(long, value_name = "LETTER", value_parser = shape)]
    tile: Option<Pentomino>,
}

fn shape(text: &str) -> Result<Pentomino, String> {
    let mut letters = text.chars();
    let shape =
        letters.next().and_then(Pentomino::from_letter).filter(|_| letters.next().is_none());
    shape.ok_or_else(|| "expected one of F I L N P T U V W X Y Z".to_owned())
}

pub(super) fn run(args: &PuzzleArgs) -> ExitResult {
    let mut out = io::stdout().lock();
    match &args.puzzle {
        PuzzleCommand::Level(args) => level(args, &mut out)?,
        PuzzleCommand::Surround(args) => surround(args, &mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A progress bar of seconds or tiles.
fn puzzle_progress_bar(length: usize, what: &'static str) -> ProgressBar {
    progress_bar(length, "{elapsed_precise} {wide_bar} {pos}/{len} {msg}").with_message(what)
}

/// The result of the runs of all threads.
struct TowerResult {
    runs: u64,
    best: Option<Tower>,
}

fn level(args: &LevelArgs, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let rules: TileRules = "pent-up".parse()?;
    let start = Position::new(rules);
    let started = Instant::now();
    let deadline = SearchDeadline::new(started.checked_add(args.effort.time));
    let (sender, towers) = channel();
    let result = thread::scope(|scope| {
        for index in 0..args.effort.threads as u64 {
            let (sender, deadline, start) = (sender.clone(), &deadline, start.clone());
            let seed = args.seed.wrapping_add(index.rotate_left(32));
            let mut search = TowerSearch::new(start, seed, args.width.into());
            scope.spawn(move || {
                while let Some(tower) = search.run(deadline) {
                    if sender.send(tower).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let result = collect_towers(args, &towers, &deadline, out);
        deadline.stop();
        result
    })?;
    let spent = started.elapsed().as_secs_f64();
    let Some(tower) = result.best else {
        writeln!(out, "no run of the search ended within {spent:.1} s; give more --time")?;
        return Ok(());
    };
    print_tower(&tower, out)?;
    let runs = result.runs;
    if tower.level >= args.target {
        writeln!(out, "level {} reached after {runs} runs and {spent:.1} s", tower.level)?;
    } else {
        writeln!(
            out,
            "level {} is the highest that {runs} runs found in {spent:.1} s; this does not exclude \
             level {}: a proof excludes only level {} and above",
            tower.level,
            args.target,
            TowerSearch::MAX_LEVEL + 1
        )?;
    }
    Ok(())
}

/// Receives towers and stops the search when one is high enough. Without a visible progress bar, prints a
/// line for each higher tower.
fn collect_towers(
    args: &LevelArgs,
    towers: &Receiver<Tower>,
    deadline: &SearchDeadline,
    out: &mut impl Write,
) -> io::Result<TowerResult> {
    let bar = puzzle_progress_bar(args.effort.time.as_secs() as usize, "seconds");
    let started = Instant::now();
    let mut result = TowerResult { runs: 0, best: None };
    for tower in towers {
        result.runs += 1;
        if result.best.as_ref().is_none_or(|best| tower.level > best.level) {
            if bar.is_hidden() {
                writeln!(out, "run {} reaches level {}", result.runs, tower.level)?;
                out.flush()?;
            }
            result.best = Some(tower);
        }
        let level = result.best.as_ref().map_or(0, |best| best.level);
        bar.set_position(started.elapsed().as_secs());
        bar.set_message(format!("seconds, {} runs, level {level}", result.runs));
        if level >= args.target {
            deadline.stop();
        }
    }
    bar.finish_and_clear();
    Ok(result)
}

/// Plays the moves by the rules and draws the tiles level by level.
fn print_tower(tower: &Tower, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new("pent-up".parse()?);
    for (index, &mv) in tower.moves.iter().enumerate() {
        game.play_move(mv)?;
        writeln!(out, "{:>2}. {}", index + 1, tile_text(&game, mv))?;
    }
    let Some(position) = game.stacking() else { return Ok(()) };
    let tiles = drawn_tiles(position);
    for level in 1..=tower.level {
        let below: Vec<DrawnTile> =
            tiles.iter().filter(|tile| tile.level <= level).cloned().collect();
        writeln!(out, "\nup to level {level}:")?;
        write!(out, "{}", tiles_text(&below, game.rules().color_names()))?;
    }
    let moves: Vec<_> = game.moves().into_iter().map(|mv| game.move_text(mv)).collect();
    writeln!(out, "\nmoves: {}", moves.join(" "))?;
    Ok(())
}

/// The color, shape and level of the tile that was placed last, and its move.
fn tile_text(game: &Game, mv: Move) -> String {
    let placed = game.stacking().and_then(|position| position.tiles().last());
    let names = game.rules().color_names().names();
    placed.map_or_else(String::new, |placed| {
        let name = names.get(placed.color.index()).copied().unwrap_or("?");
        let (shape, level) = (placed.oriented().shape, placed.level);
        format!("{name} {shape} level {level}  {}", game.move_text(mv))
    })
}

/// A shape and the result of its search, `None` if no ring was found.
type ShapeResult = (Pentomino, Option<RingAnswer>);

fn surround(args: &SurroundArgs, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let shapes: Vec<Pentomino> =
        args.tile.map_or_else(|| Pentomino::all().collect(), |tile| vec![tile]);
    let started = Instant::now();
    let bar = puzzle_progress_bar(shapes.len(), "tiles");
    let (sender, answers) = channel();
    let next = AtomicUsize::new(0);
    let mut minimal = 0;
    let mut enclosed = 0;
    thread::scope(|scope| -> Result<(), Box<dyn std::error::Error>> {
        for _ in 0..args.effort.threads.min(shapes.len()) {
            let sender = sender.clone();
            let (shapes, next) = (&shapes, &next);
            scope.spawn(move || solve_shapes(shapes, next, args.effort.time, &sender));
        }
        drop(sender);
        for (shape, answer) in &answers {
            bar.inc(1);
            bar.suspend(|| print_rings(shape, answer.as_ref(), out))?;
            minimal += u32::from(answer.as_ref().is_some_and(|answer| answer.is_minimal));
            let by = |answer: &RingAnswer| matches!(answer.surrounded, Surrounded::By(_));
            enclosed += u32::from(answer.as_ref().is_some_and(by));
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    let (count, spent) = (shapes.len(), started.elapsed().as_secs_f64());
    writeln!(
        out,
        "{count} tiles: {minimal} with a ring proved minimal, {enclosed} with a minimal ring that \
         the other black tiles surround; {spent:.1} s"
    )?;
    Ok(())
}

/// Takes shapes from the list and solves them. The time for a shape is an equal share of the time left.
fn solve_shapes(
    shapes: &[Pentomino],
    next: &AtomicUsize,
    time: Duration,
    answers: &Sender<ShapeResult>,
) {
    let started = Instant::now();
    while let Some(&shape) = shapes.get(next.fetch_add(1, Ordering::Relaxed)) {
        let waiting = shapes.len().saturating_sub(next.load(Ordering::Relaxed)) as u32;
        let share = time.saturating_sub(started.elapsed()) / (waiting + 1);
        let deadline = SearchDeadline::new(Instant::now().checked_add(share));
        let answer = RingSearch::new(shape, &deadline).run();
        if answers.send((shape, answer)).is_err() {
            return;
        }
    }
}

/// Prints an answer, after parsing its picture and checking it against the answer.
fn print_rings(
    shape: Pentomino,
    answer: Option<&RingAnswer>,
    out: &mut impl Write,
) -> io::Result<()> {
    let Some(answer) = answer else {
        return writeln!(out, "{shape}: no ring found in the given time\n");
    };
    let picture = tiles_text(&answer.tiles, ColorNames::WhiteFirst);
    let checked = check_rings(&picture).map_err(io::Error::other)?;
    let black = if let Surrounded::By(count) = answer.surrounded { count } else { 0 };
    if (checked.white, checked.black) != (answer.fewest, black)
        || checked.is_surrounded != (black > 0)
    {
        return Err(io::Error::other(format!("the answer for {shape} contradicts its picture")));
    }
    let proof = if answer.is_minimal { "proved minimal" } else { "best found" };
    let seen = if answer.saw_all { "" } else { " or more" };
    let (fewest, rings) = (answer.fewest, answer.rings);
    write!(out, "{shape}: {fewest} white tiles, {proof}; {rings}{seen} such rings; ")?;
    match answer.surrounded {
        Surrounded::By(count) => writeln!(out, "surrounded by {count} black tiles")?,
        Surrounded::Impossible => writeln!(out, "none can be surrounded by the other black tiles")?,
        Surrounded::Unknown => writeln!(out, "none found that black tiles surround, not proved")?,
    }
    writeln!(out, "{picture}")?;
    out.flush()
}
