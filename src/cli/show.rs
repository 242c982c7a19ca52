//! `pentarch show`.

use super::CommandResult;
use crate::engine::Game;
use crate::picture::{self, Letters};
use crate::rules::Ruleset;
use clap::{Args, ValueEnum};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Draw a position.
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The game: NAME[+modifier...]
    #[arg(long, value_name = "SPEC", default_value = "pente")]
    variant: Ruleset,
    /// Moves to play first, separated by blanks
    #[arg(long, value_name = "M M M", default_value = "")]
    moves: String,
    /// The position to start from instead of the start of the game
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// What kind of picture
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write the picture to this file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a terminal
    Text,
    /// For a browser
    Svg,
}

pub(super) fn run(args: &ShowArgs) -> CommandResult {
    let mut game = match &args.position {
        Some(text) => Game::from_text(args.variant.clone(), text)?,
        None => Game::new(args.variant.clone()),
    };
    for text in args.moves.split_whitespace() {
        game.play(text)?;
    }
    let picture = match args.format {
        Format::Text => {
            let board = picture::board(&game, Letters::All);
            format!("{board}\nvariant: {}\nposition: {}\n", game.rules(), game.text())
        }
        Format::Svg => picture::svg(&game),
    };
    match &args.output {
        None => {
            let mut out = io::stdout().lock();
            out.write_all(picture.as_bytes())?;
            out.flush()?;
        }
        Some(path) => std::fs::write(path, picture).map_err(|error| {
            format!("cannot write the picture {}: {error}; name another file", path.display())
        })?,
    }
    Ok(ExitCode::SUCCESS)
}
