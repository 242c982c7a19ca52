//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempPath};

/// A file that takes its name when all of it is written.
///
/// Until [`AtomicFile::commit`] the bytes are in a temporary file in the same folder, so a reader sees the
/// old file or the new one, whatever happens to the program. A file that is dropped before is removed; a
/// killed program leaves the temporary file, `.NAME.XXXXXX.new`. A device or a pipe cannot be renamed and
/// is written to directly.
#[derive(Debug)]
pub struct AtomicFile(Target);

#[derive(Debug)]
enum Target {
    Device(BufWriter<File>),
    File { writer: BufWriter<NamedTempFile>, path: PathBuf },
}

/// A file whose bytes are on the disk and that waits for its name.
#[derive(Debug)]
pub struct WrittenFile(Option<(TempPath, PathBuf)>);

impl AtomicFile {
    /// Begins a file of this name, which may exist. A symbolic link is followed.
    ///
    /// # Errors
    ///
    /// If the path is a folder or a write-protected file, or no file can be created in its folder.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let about = fs::metadata(&path).ok();
        match &about {
            Some(about) if about.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Some(about) if !about.is_file() => {
                let file = File::options().write(true).open(&path)?;
                return Ok(AtomicFile(Target::Device(BufWriter::new(file))));
            }
            Some(about) if about.permissions().readonly() => {
                return Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "the file is write-protected",
                ));
            }
            _ => (),
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let prefix = format!(".{name}.");
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(".new");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The umask applies, as to any new file.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
        if let Some(about) = about {
            file.as_file().set_permissions(about.permissions())?;
        }
        Ok(AtomicFile(Target::File { writer: BufWriter::new(file), path }))
    }

    /// Writes what is buffered and gives the file its name.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be written or the file cannot be renamed; then the old file is unchanged.
    pub fn commit(self) -> io::Result<()> {
        self.close()?.commit()
    }

    /// Writes what is buffered and closes the file, which keeps its temporary name.
    pub fn close(self) -> io::Result<WrittenFile> {
        match self.0 {
            Target::Device(mut writer) => {
                writer.flush()?;
                Ok(WrittenFile(None))
            }
            Target::File { writer, path } => {
                let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                Ok(WrittenFile(Some((file.into_temp_path(), path))))
            }
        }
    }

    /// Writes a file whole.
    pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(bytes)?;
        file.commit()
    }
}

impl WrittenFile {
    /// Gives the file its name.
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            Some((temporary, path)) => temporary.persist(path).map_err(|error| error.error),
            None => Ok(()),
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Device(writer) => writer.write(bytes),
            Target::File { writer, .. } => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Target::Device(writer) => writer.flush(),
            Target::File { writer, .. } => writer.flush(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests write their input")]
mod tests {
    use super::*;

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.html");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(&vec![b'x'; 100_000]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        AtomicFile::write(&path, b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        let files = || fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files(), 1, "no temporary file is left");
        let error = AtomicFile::create(&folder.path().join("no/folder")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(AtomicFile::create(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_modes_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        AtomicFile::write(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).unwrap();
        assert_eq!(AtomicFile::create(&file).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        AtomicFile::write(Path::new("/dev/null"), b"x").unwrap();
    }
}
