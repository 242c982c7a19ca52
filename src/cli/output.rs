//! The file that a command writes: whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Standard output, or a file that takes its name when all is written.
#[derive(Debug)]
pub(super) enum Output {
    Stdout(BufWriter<io::Stdout>),
    /// A device or a pipe, which cannot be renamed.
    Device(BufWriter<File>),
    File {
        writer: BufWriter<File>,
        temporary: Temporary,
        path: PathBuf,
    },
}

/// A file that goes away unless it is kept.
#[derive(Debug)]
pub(super) struct Temporary(Option<PathBuf>);

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

impl Output {
    /// Opens what a user has named, or standard output. It must be none of the files that are read.
    pub(super) fn open(path: Option<&Path>, inputs: &[PathBuf]) -> io::Result<Output> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Output::Stdout(BufWriter::new(io::stdout())));
        };
        let failed = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
        };
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if inputs.iter().any(|input| input.canonicalize().is_ok_and(|input| input == path)) {
            return Err(failed(io::Error::other(
                "it is one of the files that are read; name another",
            )));
        }
        match fs::metadata(&path) {
            Ok(about) if about.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(about) if !about.is_file() => {
                let file = File::options().write(true).open(&path).map_err(failed)?;
                Ok(Output::Device(BufWriter::new(file)))
            }
            _ => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let temporary = path.with_file_name(format!(".{name}.{}.new", process::id()));
                let file = File::create_new(&temporary).map_err(failed)?;
                let writer = BufWriter::new(file);
                Ok(Output::File { writer, temporary: Temporary(Some(temporary)), path })
            }
        }
    }

    /// Writes what is left, and gives a file its name.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Output::Stdout(mut writer) => writer.flush(),
            Output::Device(mut writer) => writer.flush(),
            Output::File { mut writer, mut temporary, path } => {
                writer.flush()?;
                if let Some(from) = &temporary.0 {
                    fs::rename(from, path)?;
                }
                temporary.0 = None;
                Ok(())
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(writer) => writer.write(bytes),
            Output::Device(writer) | Output::File { writer, .. } => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(writer) => writer.flush(),
            Output::Device(writer) | Output::File { writer, .. } => writer.flush(),
        }
    }
}
