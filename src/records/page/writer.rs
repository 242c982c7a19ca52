//! Writes pages as streams, one page or a set of linked pages.

use crate::page::encode::{BoardTable, encode};
use crate::page::{GameView, Html};
use crate::sanitize::escape_markup;
use crate::{AtomicFile, UncommittedFile};
use std::fs::File;
use std::io;
use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};

/// Writes a page: its head, then sections and games in any order, then its end.
///
/// ```
/// use pentarch_engine::Game;
/// use pentarch_records::page::{GameView, Html, PageWriter};
/// let mut game = Game::new("pente".parse().unwrap());
/// game.play("j10").unwrap();
/// let mut page = PageWriter::new(Vec::new(), "A game").unwrap();
/// page.section("Summary", &[Html::paragraph("One stone was placed.")]).unwrap();
/// page.game(&GameView::new(game)).unwrap();
/// let html = String::from_utf8(page.finish().unwrap()).unwrap();
/// assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
/// assert!(!html.contains("://"), "nothing leads to the network");
/// ```
#[derive(Debug)]
pub struct PageWriter<W: Write> {
    out: W,
    boards: BoardTable,
    games: usize,
    in_games: bool,
    place: PageInSet,
}

/// The place of a page in a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PageInSet {
    /// The number of its first game, from 1.
    pub first_game: usize,
    /// The number of games of a page and the file name of the first page.
    pub set: Option<(usize, String)>,
}

/// The scripts of the viewer, in the order of their dependencies.
const SCRIPTS: [&str; 3] = [
    include_str!("viewer/drawing.js"),
    include_str!("viewer/game.js"),
    include_str!("viewer/viewer.js"),
];
const STYLE: &str = include_str!("viewer/viewer.css");
/// Identifies a page of Pentarch.
pub(super) const GENERATOR: &str = "<meta name=\"generator\" content=\"Pentarch";

impl<W: Write> PageWriter<W> {
    /// Writes the head of a page.
    pub fn new(out: W, title: &str) -> io::Result<PageWriter<W>> {
        PageWriter::in_set(out, title, PageInSet { first_game: 1, set: None })
    }

    /// Writes the head of a page of a set.
    pub(super) fn in_set(mut out: W, title: &str, place: PageInSet) -> io::Result<PageWriter<W>> {
        let (title, version) = (escape_markup(title), env!("CARGO_PKG_VERSION"));
        write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             {GENERATOR} {version}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n\
             <link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        )?;
        Ok(PageWriter { out, boards: BoardTable::default(), games: 0, in_games: false, place })
    }

    /// Writes a section.
    pub fn section(&mut self, heading: &str, parts: &[Html]) -> io::Result<()> {
        self.end_games()?;
        writeln!(self.out, "<section>\n<h2>{}</h2>", escape_markup(heading))?;
        parts.iter().try_for_each(|part| write!(self.out, "{part}"))?;
        writeln!(self.out, "</section>")
    }

    /// Writes a game.
    pub fn game(&mut self, view: &GameView) -> io::Result<()> {
        if !self.in_games {
            writeln!(self.out, "<script type=\"application/json\" class=\"games\">")?;
            self.in_games = true;
        }
        self.games += 1;
        let json = script_json(&encode(view, &mut self.boards))?;
        writeln!(self.out, "{json}")
    }

    /// The number of games written.
    pub fn games(&self) -> usize {
        self.games
    }

    fn end_games(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.in_games) { writeln!(self.out, "</script>") } else { Ok(()) }
    }

    /// Writes the end of the page and returns the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_games()?;
        let boards = script_json(self.boards.data())?;
        writeln!(
            self.out,
            "<script type=\"application/json\" id=\"boards\">\n{boards}\n</script>"
        )?;
        let PageInSet { first_game, set } = &self.place;
        let (each, name) = set.clone().unwrap_or_default();
        writeln!(
            self.out,
            "<main id=\"viewer\" data-first-game=\"{first_game}\" data-games-a-page=\"{each}\" \
             data-page-name=\"{}\"><noscript>The games are shown by a script, which this browser does \
             not run.</noscript></main>",
            escape_markup(&name)
        )?;
        for script in SCRIPTS {
            write!(self.out, "<script>\n{script}</script>\n")?;
        }
        writeln!(self.out, "</body>\n</html>")?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Writes a link to another page of a set.
    pub(super) fn link(&mut self, file: &str, text: &str) -> io::Result<()> {
        self.end_games()?;
        let (file, text) = (escape_markup(&percent_encoded(file)), escape_markup(text));
        writeln!(self.out, "<p class=\"page-link\"><a href=\"{file}\">{text}</a></p>")
    }
}

/// Formats JSON for a script element: no text in it can end the element or begin a comment.
fn script_json<T: serde::Serialize + ?Sized>(value: &T) -> io::Result<String> {
    let json = serde_json::to_string(value)?;
    Ok(json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029"))
}

/// Encodes a file name for a URL.
fn percent_encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let text = |byte| match byte {
        byte if plain(byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    name.bytes().map(text).collect()
}

/// Writes games to several pages, each a file with at most a given number of games. The first has
/// the given name, `report.html`, the next ones `report-2.html` and so on.
///
/// All files are renamed to their names when the set is finished; until then an earlier set stays
/// unchanged. If a further page would overwrite a file that is not a page of Pentarch, that is an
/// error.
#[derive(Debug)]
pub struct PageSet {
    path: PathBuf,
    title: String,
    games_per_page: usize,
    number: usize,
    page: PageWriter<AtomicFile>,
    /// The full pages, which are renamed together with the last one.
    full: Vec<UncommittedFile>,
}

/// Why a page cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The file cannot be written.
    #[error("cannot write the page {}: {}; check the folder and the space left", .0.display(), .1)]
    Write(PathBuf, #[source] io::Error),
    /// A file that is not a page of Pentarch has the name of a further page.
    #[error("{} has the name of a further page and is not a page; move it or name another page", .0.display())]
    NotAPage(PathBuf),
}

impl PageSet {
    /// The number of games of a page, about ten megabytes.
    pub const GAMES_PER_PAGE: usize = 4000;

    /// Creates a set with [`PageSet::GAMES_PER_PAGE`].
    pub fn create(path: &Path, title: &str) -> Result<PageSet, PageError> {
        PageSet::with_games_per_page(path, title, PageSet::GAMES_PER_PAGE)
    }

    /// Creates a set with a number of games per page, at least one.
    pub fn with_games_per_page(
        path: &Path,
        title: &str,
        games_per_page: usize,
    ) -> Result<PageSet, PageError> {
        let games_per_page = games_per_page.max(1);
        let page = create_page(path, path, title, 1, games_per_page)
            .map_err(|error| PageError::Write(path.to_owned(), error))?;
        Ok(PageSet {
            path: path.to_owned(),
            title: title.to_owned(),
            games_per_page,
            number: 1,
            page,
            full: Vec::new(),
        })
    }

    /// Writes a section to the current page.
    pub fn section(&mut self, heading: &str, parts: &[Html]) -> Result<(), PageError> {
        let written = self.page.section(heading, parts);
        self.checked(written)
    }

    /// Writes a game to the current page, or to a new one if that is full.
    pub fn game(&mut self, view: &GameView) -> Result<(), PageError> {
        if self.page.games() >= self.games_per_page {
            self.start_next_page()?;
        }
        let written = self.page.game(view);
        self.checked(written)
    }

    /// Writes the end of the last page and returns the number of pages.
    pub fn finish(self) -> Result<usize, PageError> {
        let path = page_path(&self.path, self.number);
        // The first page links to the others, so it is renamed last.
        let finished = self.page.finish().and_then(|page| {
            page.commit()?;
            self.full.into_iter().rev().try_for_each(UncommittedFile::commit)
        });
        finished.map_err(|error| PageError::Write(path, error))?;
        Ok(self.number)
    }

    fn start_next_page(&mut self) -> Result<(), PageError> {
        let next = page_path(&self.path, self.number + 1);
        let failed = |error| PageError::Write(next.clone(), error);
        match File::open(&next) {
            Ok(file) => {
                if !is_page(file).map_err(failed)? {
                    return Err(PageError::NotAPage(next));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            Err(error) => return Err(failed(error)),
        }
        self.number += 1;
        let page = create_page(&next, &self.path, &self.title, self.number, self.games_per_page);
        let mut full = std::mem::replace(&mut self.page, page.map_err(failed)?);
        let linked = full.link(&file_name(&next), "More games on the next page");
        let written = linked.and_then(|()| full.finish()?.close());
        self.full.push(written.map_err(failed)?);
        let before = page_path(&self.path, self.number - 1);
        let linked = self.page.link(&file_name(&before), "The page before");
        self.checked(linked)
    }

    fn checked(&self, written: io::Result<()>) -> Result<(), PageError> {
        written.map_err(|error| PageError::Write(page_path(&self.path, self.number), error))
    }
}

fn create_page(
    path: &Path,
    first: &Path,
    title: &str,
    number: usize,
    games_per_page: usize,
) -> io::Result<PageWriter<AtomicFile>> {
    let place = PageInSet {
        first_game: (number - 1) * games_per_page + 1,
        set: Some((games_per_page, file_name(first))),
    };
    let title = if number == 1 { title.to_owned() } else { format!("{title}, page {number}") };
    PageWriter::in_set(AtomicFile::create(path)?, &title, place)
}

/// Returns the path of a page: `report.html`, `report-2.html`, ...
fn page_path(first: &Path, number: usize) -> PathBuf {
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

/// Returns whether a file is empty or a page of Pentarch.
fn is_page(file: File) -> io::Result<bool> {
    let mut head = Vec::new();
    file.take(400).read_to_end(&mut head)?;
    Ok(head.is_empty() || String::from_utf8_lossy(&head).contains(GENERATOR))
}
