//! The file that a command writes: whole or not at all.

use pentarch_records::AtomicFile;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Standard output, or a file that takes its name when all is written.
#[derive(Debug)]
pub(super) enum Output {
    Stdout(BufWriter<io::Stdout>),
    File(AtomicFile),
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
        let is_same = |input: &PathBuf| {
            input.canonicalize().is_ok_and(|input| path.canonicalize().is_ok_and(|it| it == input))
        };
        if path.is_file() && inputs.iter().any(is_same) {
            return Err(failed(io::Error::other(
                "it is one of the files that are read; name another",
            )));
        }
        AtomicFile::create(path).map(Output::File).map_err(failed)
    }

    /// Writes what is left, and gives a file its name.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Output::Stdout(mut writer) => writer.flush(),
            Output::File(file) => file.commit(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(writer) => writer.write(bytes),
            Output::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(writer) => writer.flush(),
            Output::File(file) => file.flush(),
        }
    }
}
