//! Files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempPath};

/// A file that appears under its name only when it is complete.
///
/// Until [`AtomicFile::commit`] the bytes are in a temporary file in the same folder,
/// `.NAME.XXXXXX.new`, so that a reader sees the old file or the new one. If the value is dropped
/// before, the temporary file is removed; if the process is killed, it remains. A device or a pipe
/// cannot be renamed and is written to directly.
#[derive(Debug)]
pub struct AtomicFile(AtomicTarget);

#[derive(Debug)]
enum AtomicTarget {
    Device(BufWriter<File>),
    File { writer: BufWriter<NamedTempFile>, path: PathBuf },
}

/// A complete file on the disk that is not renamed to its final name yet.
#[derive(Debug)]
pub struct UncommittedFile(Option<(TempPath, PathBuf)>);

impl AtomicFile {
    /// Creates a temporary file for `path`, which may exist. A symbolic link is followed.
    ///
    /// # Errors
    ///
    /// If the path is a folder or a write-protected file, or if no file can be created in its
    /// folder.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let metadata = fs::metadata(&path).ok();
        match &metadata {
            Some(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Some(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(&path)?;
                return Ok(AtomicFile(AtomicTarget::Device(BufWriter::new(file))));
            }
            Some(metadata) if metadata.permissions().readonly() => {
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
            // The umask applies, as for any new file.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
        if let Some(metadata) = metadata {
            file.as_file().set_permissions(metadata.permissions())?;
        }
        Ok(AtomicFile(AtomicTarget::File { writer: BufWriter::new(file), path }))
    }

    /// Flushes the file and renames it to its final name.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be written or the file cannot be renamed. The old file is unchanged
    /// then.
    pub fn commit(self) -> io::Result<()> {
        self.close()?.commit()
    }

    /// Flushes and closes the file without renaming it.
    pub fn close(self) -> io::Result<UncommittedFile> {
        match self.0 {
            AtomicTarget::Device(mut writer) => {
                writer.flush()?;
                Ok(UncommittedFile(None))
            }
            AtomicTarget::File { writer, path } => {
                let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                Ok(UncommittedFile(Some((file.into_temp_path(), path))))
            }
        }
    }

    /// Writes a complete file.
    pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(bytes)?;
        file.commit()
    }
}

impl UncommittedFile {
    /// Renames the file to its final name.
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
            AtomicTarget::Device(writer) => writer.write(bytes),
            AtomicTarget::File { writer, .. } => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            AtomicTarget::Device(writer) => writer.flush(),
            AtomicTarget::File { writer, .. } => writer.flush(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests write their input")]
mod tests {
    use super::*;

    #[test]
    fn the_old_file_stays_until_the_new_one_is_complete() {
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
