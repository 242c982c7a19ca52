//! `pentarch show`.

use super::ExitResult;
use super::args::PositionArgs;
use super::play::terminal_has_colors;
use clap::{Args, ValueEnum};
use pentarch_engine::search::{Limits, Report, Signal};
use pentarch_engine::{Engine, Game, Options};
use pentarch_records::AtomicFile;
use pentarch_records::picture::{CandidateMove, MarkedPoint, PictureOptions};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Draw a position.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct ShowArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Format of the picture [default: by the extension of --output, else colored text on a terminal with
    /// colors, else text]
    #[arg(long, value_enum)]
    format: Option<PictureFormat>,
    /// Write the picture to this file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show the ply number on each stone
    #[arg(long)]
    numbers: bool,
    /// Search the position and show the best moves with their win probabilities in percent, or `#N` for a
    /// proved win in N plies
    #[arg(long)]
    candidates: bool,
    /// Nodes of the search for candidates
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "candidates",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of candidates to show
    #[arg(long, value_name = "N", default_value_t = 5, requires = "candidates",
          value_parser = clap::value_parser!(u32).range(1..=50))]
    count: u32,
    /// Mark threatening fours and threes
    #[arg(long)]
    threats: bool,
    /// Mark the points on which the player to move cannot play
    #[arg(long)]
    dead: bool,
    /// Mark a point, optionally with up to four characters: j10 or j10=A; may be repeated
    #[arg(long, value_name = "POINT[=TEXT]")]
    mark: Vec<String>,
    /// Show only the part of the board around the stones
    #[arg(long)]
    crop: bool,
    /// Longer side of an SVG or PNG in pixels
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(64..=4096))]
    pixels: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PictureFormat {
    /// Plain text
    Text,
    /// Text with terminal colors
    Ansi,
    /// Vector graphics
    Svg,
    /// Bitmap
    #[cfg(feature = "png")]
    Png,
}

pub(super) fn run(args: &ShowArgs) -> ExitResult {
    let game = args.position.game()?;
    let marks = args.mark.iter().map(|text| MarkedPoint::parse(&game, text));
    let drawing = PictureOptions {
        last_move: true,
        numbers: args.numbers,
        illegal_points: args.dead,
        threats: args.threats,
        candidates: if args.candidates { candidates(&game, args)? } else { Vec::new() },
        marks: marks.collect::<Result<_, _>>()?,
        crop: args.crop,
        size: args.pixels,
        ..PictureOptions::default()
    };
    let about = || format!("variant: {}\nposition: {}\n", game.rules(), game.text());
    let picture = match args.format.map_or_else(|| default_format(args.output.as_deref()), Ok)? {
        PictureFormat::Text => (drawing.text(&game) + &about()).into_bytes(),
        PictureFormat::Ansi => (drawing.ansi(&game) + &about()).into_bytes(),
        PictureFormat::Svg => drawing.svg(&game).into_bytes(),
        #[cfg(feature = "png")]
        PictureFormat::Png => drawing.png(&game)?,
    };
    write(&picture, args.output.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

fn write(picture: &[u8], output: Option<&Path>) -> Result<(), Box<dyn std::error::Error>> {
    match output {
        None if picture.starts_with(b"\x89PNG") && io::stdout().is_terminal() => {
            Err("a terminal cannot show a PNG; name a file with `--output`".into())
        }
        None => {
            let mut out = io::stdout().lock();
            out.write_all(picture)?;
            Ok(out.flush()?)
        }
        Some(path) => AtomicFile::write(path, picture).map_err(|error| {
            format!("cannot write the picture {}: {error}; name another file", path.display())
                .into()
        }),
    }
}

/// The format of the extension of a file, or what the terminal can show.
fn default_format(output: Option<&Path>) -> Result<PictureFormat, String> {
    let Some(path) = output else {
        let colors = terminal_has_colors();
        return Ok(if colors { PictureFormat::Ansi } else { PictureFormat::Text });
    };
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("svg") => Ok(PictureFormat::Svg),
        #[cfg(feature = "png")]
        Some("png") => Ok(PictureFormat::Png),
        Some("txt") | None => Ok(PictureFormat::Text),
        Some(other) => Err(format!(
            "cannot write pictures as .{other}: name a file that ends in {}, or a --format",
            if cfg!(feature = "png") { ".svg, .png or .txt" } else { ".svg or .txt" },
        )),
    }
}

/// Searches the position and returns the best moves, the best one first.
fn candidates(
    game: &Game,
    args: &ShowArgs,
) -> Result<Vec<CandidateMove>, Box<dyn std::error::Error>> {
    if game.outcome().is_some() {
        return Ok(Vec::new());
    }
    let options = Options { hash: 16, multi_pv: args.count, ..Options::default() };
    let mut lines: Vec<Option<CandidateMove>> = vec![None; args.count as usize];
    let keep = |report: &Report| {
        let line = lines.get_mut(report.multipv.saturating_sub(1) as usize);
        if let (Some(line), Some(&mv)) = (line, report.pv.first()) {
            *line = Some(CandidateMove { mv, score: report.score });
        }
    };
    let found =
        Engine::new(options).search(game, Limits::nodes(args.nodes), &Signal::new(), keep)?;
    let mut candidates: Vec<CandidateMove> = lines.into_iter().flatten().collect();
    // After an aborted iteration some lines are from the iteration before.
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    let mut seen = Vec::new();
    candidates.retain(|candidate| {
        let is_new = !seen.contains(&candidate.mv);
        seen.push(candidate.mv);
        is_new
    });
    let best = candidates.iter().position(|candidate| Some(candidate.mv) == found.best);
    match (best, found.best) {
        (Some(best), _) => candidates[..=best].rotate_right(1),
        (None, Some(mv)) => candidates.insert(0, CandidateMove { mv, score: found.report.score }),
        (None, None) => (),
    }
    candidates.truncate(args.count as usize);
    Ok(candidates)
}
