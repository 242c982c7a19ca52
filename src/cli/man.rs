//! The subcommand `man`.

use super::ExitResult;
use clap::{Args, Command};
use clap_mangen::Man;
use pentarch_records::AtomicFile;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Folder in which to write the pages `pentarch.1`, `pentarch-match.1` and so on; it is created if it
    /// does not exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &ManArgs, mut program: Command) -> ExitResult {
    let folder = &args.folder;
    program.build();
    fs::create_dir_all(folder)
        .and_then(|()| write_pages(&program, folder))
        .map_err(|error| format!("cannot write to {}: {error}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(command: &Command, folder: &Path) -> io::Result<()> {
    for subcommand in command.get_subcommands() {
        if !subcommand.is_hide_set() && subcommand.get_name() != "help" {
            write_pages(subcommand, folder)?;
        }
    }
    let version = format!("pentarch {}", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(version).manual("Pentarch");
    let mut page = Vec::new();
    man.render(&mut page)?;
    // Tables and commands in the help texts are neither justified nor hyphenated.
    let page = String::from_utf8_lossy(&page);
    let is_title = |line: &&str| line.starts_with(".TH");
    let title = page.lines().find(is_title).unwrap_or_default();
    let page = page.replacen(title, &format!("{title}\n.ad l\n.nh"), 1);
    AtomicFile::write(&folder.join(man.get_filename()), page.as_bytes())
}
