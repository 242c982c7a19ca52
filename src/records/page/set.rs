//! Games over several pages.

use super::writer::{GENERATOR, PlaceInSet};
use super::{GameView, Html, PageWriter};
use crate::{AtomicFile, WrittenFile};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Pages in files: the first has the name that was asked for, `report.html`, the next ones
/// `report-2.html` and so on; each but the last has as many games.
///
/// The files take their names together when the set is finished; until then those of an earlier set
/// stay as they are. A file in the place of a further page must be a page of an earlier set; any other
/// file is left as it is, which is an error.
#[derive(Debug)]
pub struct PageSet {
    path: PathBuf,
    title: String,
    games_a_page: usize,
    number: usize,
    page: PageWriter<AtomicFile>,
    /// The full pages, which take their names together with the last one.
    full: Vec<WrittenFile>,
}

/// Why a page cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The file cannot be written.
    #[error("cannot write the page {}: {}; check the folder and the space left", .0.display(), .1)]
    Write(PathBuf, #[source] io::Error),
    /// Another file has the name of a page.
    #[error("{} has the name of a further page and is none; move it or name another page", .0.display())]
    Foreign(PathBuf),
}

impl PageSet {
    /// Games that a page holds: about ten megabytes of them.
    pub const GAMES_A_PAGE: usize = 4000;

    /// Begins the first page.
    pub fn create(path: &Path, title: &str) -> Result<PageSet, PageError> {
        PageSet::with_games_a_page(path, title, PageSet::GAMES_A_PAGE)
    }

    /// Begins the first page of a set whose pages have that many games, at least one.
    pub fn with_games_a_page(
        path: &Path,
        title: &str,
        games_a_page: usize,
    ) -> Result<PageSet, PageError> {
        let games_a_page = games_a_page.max(1);
        let page = begin(path, path, title, 1, games_a_page)
            .map_err(|error| PageError::Write(path.to_owned(), error))?;
        Ok(PageSet {
            path: path.to_owned(),
            title: title.to_owned(),
            games_a_page,
            number: 1,
            page,
            full: Vec::new(),
        })
    }

    /// Writes a section on the page under way.
    pub fn section(&mut self, heading: &str, parts: &[Html]) -> Result<(), PageError> {
        let written = self.page.section(heading, parts);
        self.checked(written)
    }

    /// Writes a game, on a new page if that under way is full.
    pub fn game(&mut self, view: &GameView) -> Result<(), PageError> {
        if self.page.games() >= self.games_a_page {
            self.turn_page()?;
        }
        let written = self.page.game(view);
        self.checked(written)
    }

    /// Writes the end of the last page, and says how many pages there are.
    pub fn finish(self) -> Result<usize, PageError> {
        let path = name(&self.path, self.number);
        // The first page, which leads to the others, comes last.
        let finished = self.page.finish().and_then(|page| {
            page.commit()?;
            self.full.into_iter().rev().try_for_each(WrittenFile::commit)
        });
        finished.map_err(|error| PageError::Write(path, error))?;
        Ok(self.number)
    }

    fn turn_page(&mut self) -> Result<(), PageError> {
        let next = name(&self.path, self.number + 1);
        let failed = |error| PageError::Write(next.clone(), error);
        match File::open(&next) {
            Ok(file) => {
                if !is_page(file).map_err(failed)? {
                    return Err(PageError::Foreign(next));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            Err(error) => return Err(failed(error)),
        }
        self.number += 1;
        let page = begin(&next, &self.path, &self.title, self.number, self.games_a_page);
        let mut full = std::mem::replace(&mut self.page, page.map_err(failed)?);
        let linked = full.link(&file_name(&next), "More games on the next page");
        let written = linked.and_then(|()| full.finish()?.close());
        self.full.push(written.map_err(failed)?);
        let before = name(&self.path, self.number - 1);
        let linked = self.page.link(&file_name(&before), "The page before");
        self.checked(linked)
    }

    fn checked(&self, written: io::Result<()>) -> Result<(), PageError> {
        written.map_err(|error| PageError::Write(name(&self.path, self.number), error))
    }
}

fn begin(
    path: &Path,
    first: &Path,
    title: &str,
    number: usize,
    games_a_page: usize,
) -> io::Result<PageWriter<AtomicFile>> {
    let place = PlaceInSet {
        first_game: (number - 1) * games_a_page + 1,
        set: Some((games_a_page, file_name(first))),
    };
    let title = if number == 1 { title.to_owned() } else { format!("{title}, page {number}") };
    PageWriter::in_set(AtomicFile::create(path)?, &title, place)
}

/// The name of a page of a set: `report.html`, `report-2.html`, ...
fn name(first: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return first.to_owned();
    }
    let stem = first.file_stem().unwrap_or_default().to_string_lossy();
    let end = first.extension().map_or(String::new(), |end| format!(".{}", end.to_string_lossy()));
    first.with_file_name(format!("{stem}-{number}{end}"))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether a file is a page that was written here.
fn is_page(file: File) -> io::Result<bool> {
    let mut head = Vec::new();
    file.take(400).read_to_end(&mut head)?;
    Ok(head.is_empty() || String::from_utf8_lossy(&head).contains(GENERATOR))
}
