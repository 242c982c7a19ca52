//! `pentarch puzzle`.

use super::CommandResult;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use pentarch_analysis::puzzle::{
    RingAnswer, RingSearch, SearchDeadline, Surrounded, Tower, TowerSearch, check_rings,
};
use pentarch_arena::parse_seconds;
use pentarch_core::game::Move;
use pentarch_core::rules::{Palette, TileRules};
use pentarch_core::stacking::{Position, Shape};
use pentarch_engine::{Game, Options};
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
    puzzle: Puzzle,
}

#[derive(Debug, Subcommand)]
enum Puzzle {
    /// Reach a level by the rules, both colors helping each other
    Level(LevelArgs),
    /// Surround a black tile with the fewest white ones, and those with the other black ones
    Surround(SurroundArgs),
}

#[derive(Debug, Args)]
struct Effort {
    /// Threads to search with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// When to end the search
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    time: Duration,
}

#[derive(Debug, Args)]
struct LevelArgs {
    #[command(flatten)]
    effort: Effort,
    /// The level to reach; the leaflet asks for 6
    #[arg(long, value_name = "N", default_value_t = 6)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=i64::from(TowerSearch::MAX_LEVEL)))]
    target: u8,
    /// Positions that each run keeps at a time
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=10_000))]
    width: u16,
    /// Chooses the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Args)]
struct SurroundArgs {
    #[command(flatten)]
    effort: Effort,
    /// The tile in the middle, F I L N P T U V W X Y or Z [default: each of them]
    #[arg(long, value_name = "LETTER", value_parser = shape)]
    tile: Option<Shape>,
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| Options::THREADS.contains(number));
    number.ok_or_else(|| "expected a number from 1 to 256".to_owned())
}

fn shape(text: &str) -> Result<Shape, String> {
    let mut letters = text.chars();
    let shape = letters.next().and_then(Shape::from_letter).filter(|_| letters.next().is_none());
    shape.ok_or_else(|| "expected one of F I L N P T U V W X Y Z".to_owned())
}

pub(super) fn run(args: &PuzzleArgs) -> CommandResult {
    let mut out = io::stdout().lock();
    match &args.puzzle {
        Puzzle::Level(args) => level(args, &mut out)?,
        Puzzle::Surround(args) => surround(args, &mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A bar of seconds or tiles.
fn progress(length: usize, what: &'static str) -> ProgressBar {
    super::progress::bar(length, "{elapsed_precise} {wide_bar} {pos}/{len} {msg}")
        .with_message(what)
}

/// Sums up what the runs of all threads came to.
struct Climb {
    runs: u64,
    best: Option<Tower>,
}

fn level(args: &LevelArgs, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let rules: TileRules = "pent-up".parse()?;
    let start = Position::new(rules);
    let begun = Instant::now();
    let deadline = SearchDeadline::new(begun.checked_add(args.effort.time));
    let (sender, towers) = channel();
    let climb = thread::scope(|scope| {
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
        let climb = climb(args, &towers, &deadline, out);
        deadline.stop();
        climb
    })?;
    let spent = begun.elapsed().as_secs_f64();
    let Some(tower) = climb.best else {
        writeln!(out, "no run of the search ended within {spent:.1} s; give more --time")?;
        return Ok(());
    };
    show_tower(&tower, out)?;
    let runs = climb.runs;
    if tower.level >= args.target {
        writeln!(out, "level {} reached after {runs} runs and {spent:.1} s", tower.level)?;
    } else {
        writeln!(
            out,
            "level {} is the highest that {runs} runs found in {spent:.1} s; that says nothing \
             about level {}, which no proof excludes below level {}",
            tower.level,
            args.target,
            TowerSearch::MAX_LEVEL + 1
        )?;
    }
    Ok(())
}

/// Takes the towers as they come and ends the search when one is high enough. Where there is no
/// bar, each higher tower is reported in a line.
fn climb(
    args: &LevelArgs,
    towers: &Receiver<Tower>,
    deadline: &SearchDeadline,
    out: &mut impl Write,
) -> io::Result<Climb> {
    let bar = progress(args.effort.time.as_secs() as usize, "seconds");
    let begun = Instant::now();
    let mut climb = Climb { runs: 0, best: None };
    for tower in towers {
        climb.runs += 1;
        if climb.best.as_ref().is_none_or(|best| tower.level > best.level) {
            if bar.is_hidden() {
                writeln!(out, "run {} reaches level {}", climb.runs, tower.level)?;
                out.flush()?;
            }
            climb.best = Some(tower);
        }
        let level = climb.best.as_ref().map_or(0, |best| best.level);
        bar.set_position(begun.elapsed().as_secs());
        bar.set_message(format!("seconds, {} runs, level {level}", climb.runs));
        if level >= args.target {
            deadline.stop();
        }
    }
    bar.finish_and_clear();
    Ok(climb)
}

/// Plays the moves by the rules and draws the tiles level by level.
fn show_tower(tower: &Tower, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new("pent-up".parse()?);
    for (index, &mv) in tower.moves.iter().enumerate() {
        game.play_move(mv)?;
        writeln!(out, "{:>2}. {}", index + 1, described(&game, mv))?;
    }
    let Some(position) = game.stacking() else { return Ok(()) };
    let tiles = drawn_tiles(position);
    for level in 1..=tower.level {
        let below: Vec<DrawnTile> =
            tiles.iter().filter(|tile| tile.level <= level).cloned().collect();
        writeln!(out, "\nup to level {level}:")?;
        write!(out, "{}", tiles_text(&below, game.rules().palette()))?;
    }
    let moves: Vec<_> = game.moves().into_iter().map(|mv| game.move_text(mv)).collect();
    writeln!(out, "\nmoves: {}", moves.join(" "))?;
    Ok(())
}

/// A move with whose tile it is and the level it went to.
fn described(game: &Game, mv: Move) -> String {
    let placed = game.stacking().and_then(|position| position.tiles().last());
    let names = game.rules().palette().names();
    placed.map_or_else(String::new, |placed| {
        let name = names.get(placed.color.index()).copied().unwrap_or("?");
        let (shape, level) = (placed.oriented().shape, placed.level);
        format!("{name} {shape} level {level}  {}", game.move_text(mv))
    })
}

/// A shape with what was found for it.
type Found = (Shape, Option<RingAnswer>);

fn surround(args: &SurroundArgs, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let shapes: Vec<Shape> = args.tile.map_or_else(|| Shape::all().collect(), |tile| vec![tile]);
    let begun = Instant::now();
    let bar = progress(shapes.len(), "tiles");
    let (sender, answers) = channel();
    let next = AtomicUsize::new(0);
    let mut minimal = 0;
    let mut enclosed = 0;
    thread::scope(|scope| -> Result<(), Box<dyn std::error::Error>> {
        for _ in 0..args.effort.threads.min(shapes.len()) {
            let sender = sender.clone();
            let (shapes, next) = (&shapes, &next);
            scope.spawn(move || solve_next(shapes, next, args.effort.time, &sender));
        }
        drop(sender);
        for (shape, answer) in &answers {
            bar.inc(1);
            bar.suspend(|| show_rings(shape, answer.as_ref(), out))?;
            minimal += u32::from(answer.as_ref().is_some_and(|answer| answer.is_minimal));
            let by = |answer: &RingAnswer| matches!(answer.surrounded, Surrounded::By(_));
            enclosed += u32::from(answer.as_ref().is_some_and(by));
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    let (count, spent) = (shapes.len(), begun.elapsed().as_secs_f64());
    writeln!(
        out,
        "{count} tiles: {minimal} with a ring proved minimal, {enclosed} with a minimal ring that \
         the other black tiles surround; {spent:.1} s"
    )?;
    Ok(())
}

/// Solves one tile after the other; the time for a tile is an equal share of what is left for all.
fn solve_next(shapes: &[Shape], next: &AtomicUsize, time: Duration, answers: &Sender<Found>) {
    let begun = Instant::now();
    while let Some(&shape) = shapes.get(next.fetch_add(1, Ordering::Relaxed)) {
        let waiting = shapes.len().saturating_sub(next.load(Ordering::Relaxed)) as u32;
        let share = time.saturating_sub(begun.elapsed()) / (waiting + 1);
        let deadline = SearchDeadline::new(Instant::now().checked_add(share));
        let answer = RingSearch::new(shape, &deadline).run();
        if answers.send((shape, answer)).is_err() {
            return;
        }
    }
}

/// Prints an answer after its picture has been read back and checked.
fn show_rings(shape: Shape, answer: Option<&RingAnswer>, out: &mut impl Write) -> io::Result<()> {
    let Some(answer) = answer else {
        return writeln!(out, "{shape}: no ring found in the time given\n");
    };
    let picture = tiles_text(&answer.tiles, Palette::WhiteFirst);
    let checked = check_rings(&picture).map_err(io::Error::other)?;
    let black = if let Surrounded::By(count) = answer.surrounded { count } else { 0 };
    if (checked.white, checked.black) != (answer.fewest, black)
        || checked.is_surrounded != (black > 0)
    {
        return Err(io::Error::other(format!(
            "the answer for {shape} is not what its picture shows"
        )));
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
