//! Writing a page as a stream.

use super::boards::Boards;
use super::encode::encode;
use super::{GameView, Html};
use crate::picture::escaped;
use std::io::{self, Write};

/// A page under way: its head is written, then sections and games as they come, then its end.
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
    boards: Boards,
    games: usize,
    in_games: bool,
    place: PlaceInSet,
}

/// Which page of a set this is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlaceInSet {
    /// The number of its first game, from 1.
    pub first_game: usize,
    /// How many games a page has, and the file names of the pages before their number and after it.
    pub set: Option<(usize, String)>,
}

/// What the viewer is made of, in the order in which the parts need each other.
const SCRIPTS: [&str; 6] = [
    include_str!("viewer/drawing.js"),
    include_str!("viewer/game.js"),
    include_str!("viewer/board.js"),
    include_str!("viewer/graph.js"),
    include_str!("viewer/games.js"),
    include_str!("viewer/viewer.js"),
];
const STYLE: &str = include_str!("viewer/viewer.css");
/// What tells a page of ours from other files.
pub(super) const GENERATOR: &str = "<meta name=\"generator\" content=\"Pentarch";

impl<W: Write> PageWriter<W> {
    /// Begins a page.
    pub fn new(out: W, title: &str) -> io::Result<PageWriter<W>> {
        PageWriter::in_set(out, title, PlaceInSet { first_game: 1, set: None })
    }

    /// Begins one of many pages.
    pub(super) fn in_set(mut out: W, title: &str, place: PlaceInSet) -> io::Result<PageWriter<W>> {
        let (title, version) = (escaped(title), env!("CARGO_PKG_VERSION"));
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
        Ok(PageWriter { out, boards: Boards::default(), games: 0, in_games: false, place })
    }

    /// Writes a section.
    pub fn section(&mut self, heading: &str, parts: &[Html]) -> io::Result<()> {
        self.end_games()?;
        writeln!(self.out, "<section>\n<h2>{}</h2>", escaped(heading))?;
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

    /// How many games were written.
    pub fn games(&self) -> usize {
        self.games
    }

    fn end_games(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.in_games) { writeln!(self.out, "</script>") } else { Ok(()) }
    }

    /// Writes the end of the page and gives back what it was written to.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_games()?;
        let boards = script_json(self.boards.data())?;
        writeln!(
            self.out,
            "<script type=\"application/json\" id=\"boards\">\n{boards}\n</script>"
        )?;
        let PlaceInSet { first_game, set } = &self.place;
        let (each, name) = set.clone().unwrap_or_default();
        writeln!(
            self.out,
            "<main id=\"viewer\" data-first-game=\"{first_game}\" data-games-a-page=\"{each}\" \
             data-page-name=\"{}\"><noscript>The games are shown by a script, which this reader does \
             not run.</noscript></main>",
            escaped(&name)
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
        let (file, text) = (escaped(&percent_encoded(file)), escaped(text));
        writeln!(self.out, "<p class=\"page-link\"><a href=\"{file}\">{text}</a></p>")
    }
}

/// JSON that can stand in a script element, whatever texts it has: nothing in it can end the element
/// or begin a comment.
fn script_json<T: serde::Serialize + ?Sized>(value: &T) -> io::Result<String> {
    let json = serde_json::to_string(value)?;
    Ok(json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029"))
}

/// A file name as part of an address.
fn percent_encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let text = |byte| match byte {
        byte if plain(byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    name.bytes().map(text).collect()
}
