//! A conversation line by line, for pipes, for screen readers, and for terminals that can no more.

use super::{Host, look, panel, words};
use pentarch_core::rules::{Ruleset, catalog};
use pentarch_records::picture::{PictureOptions, TextStyle};
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// The columns of texts.
const WIDTH: usize = 100;

/// Plays with lines of moves and commands until the input ends.
pub(crate) fn run(host: &mut Host, input: impl BufRead, out: impl Write) -> io::Result<()> {
    let mut printer = Printer { out, look: look::of_stdout(), shown: None, rules: None };
    printer.news(host)?;
    let mut lines = input.split(b'\n');
    while !host.is_leaving {
        while host.is_busy() {
            let ply = host.game().ply();
            if host.tick(Duration::from_millis(100)) {
                printer.moved(host, ply)?;
                printer.news(host)?;
            }
        }
        printer.board(host)?;
        let Some(line) = lines.next() else { break };
        let ply = host.game().ply();
        host.do_line(&String::from_utf8_lossy(&line?));
        printer.moved(host, ply)?;
        printer.news(host)?;
    }
    Ok(())
}

struct Printer<W> {
    out: W,
    look: TextStyle,
    /// The position that was shown last.
    shown: Option<String>,
    /// The game that was named last.
    rules: Option<Ruleset>,
}

impl<W: Write> Printer<W> {
    /// What a line has led to, besides moves.
    fn news(&mut self, host: &mut Host) -> io::Result<()> {
        for line in host.page.take().into_iter().flatten() {
            for part in panel::wrap(&line, WIDTH) {
                writeln!(self.out, "{part}")?;
            }
        }
        let is_shown = self.shown.as_deref() == Some(&position(host));
        if host.wants_board || !is_shown {
            // The board has the notes below it.
            self.shown = None;
        } else {
            self.notes(host)?;
        }
        self.out.flush()
    }

    fn notes(&mut self, host: &mut Host) -> io::Result<()> {
        for note in host.notes.drain(..) {
            for part in panel::wrap(&note, WIDTH) {
                writeln!(self.out, "{part}")?;
            }
        }
        if let Some(asked) = host.question.as_ref().filter(|asked| !asked.is_due) {
            writeln!(self.out, "{}", asked.text)?;
            for (number, (_, text)) in (1..).zip(&asked.options) {
                writeln!(self.out, "  {number}. {text}")?;
            }
        }
        Ok(())
    }

    /// The move since a ply, unless a board is about to show it.
    fn moved(&mut self, host: &Host, ply: u32) -> io::Result<()> {
        // The last move before a person's turn stands below the board.
        if host.game().ply() > ply
            && host.is_busy()
            && let Some(said) = words::last_move(&host.table)
        {
            writeln!(self.out, "{said}.")?;
        }
        Ok(())
    }

    /// The board, if it is another than before.
    fn board(&mut self, host: &mut Host) -> io::Result<()> {
        let now = position(host);
        if self.shown.as_ref() == Some(&now) {
            return Ok(());
        }
        self.shown = Some(now);
        let drawing = PictureOptions {
            last_move: true,
            threats: host.shows_threats,
            ..PictureOptions::default()
        };
        let mut lines = drawing.board_lines(host.game(), self.look, None);
        lines.extend(panel::players(host, self.look));
        lines.extend(panel::news(host, None, WIDTH));
        writeln!(self.out)?;
        let rules = host.game().rules();
        if self.rules.as_ref() != Some(rules) {
            let summary = catalog::find(&rules.to_string()).map_or("", |row| row.summary);
            writeln!(self.out, "{}", format!("{rules}  {summary}").trim_end())?;
            self.rules = Some(rules.clone());
        }
        for line in lines {
            let text = line.text(self.look);
            let text = if self.look == TextStyle::Plain { text.trim_end() } else { &text };
            writeln!(self.out, "{text}")?;
        }
        host.notes.clear();
        self.out.flush()
    }
}

/// What tells one picture from another.
fn position(host: &Host) -> String {
    let sitters = host.table.sitters();
    format!("{} {} {:?} {:?}", host.game().rules(), host.game().text(), host.table.end(), sitters)
}
