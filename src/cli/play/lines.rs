//! The front end for pipes, screen readers and simple terminals: reads and prints lines.

use super::controller::GameController;
use super::{stdout_look, text};
use pentarch_core::rules::{Ruleset, catalog};
use pentarch_records::picture::{PictureOptions, TextStyle};
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// The width at which texts are wrapped.
const WIDTH: usize = 100;

/// Executes lines until the input ends or a person quits.
pub(super) fn run(
    controller: &mut GameController,
    input: impl BufRead,
    out: impl Write,
) -> io::Result<()> {
    let mut printer = LinePrinter { out, look: stdout_look(), position: None, rules: None };
    printer.print_results(controller)?;
    let mut lines = input.split(b'\n');
    while !controller.has_quit {
        while controller.is_busy() {
            let ply = controller.game().ply();
            if controller.tick(Duration::from_millis(100)) {
                printer.print_move(controller, ply)?;
                printer.print_results(controller)?;
            }
        }
        printer.print_board(controller)?;
        let Some(line) = lines.next() else { break };
        let ply = controller.game().ply();
        controller.execute_line(&String::from_utf8_lossy(&line?));
        printer.print_move(controller, ply)?;
        printer.print_results(controller)?;
    }
    Ok(())
}

struct LinePrinter<W> {
    out: W,
    look: TextStyle,
    /// The position that was printed last, or `None` to print it again.
    position: Option<String>,
    /// The ruleset whose name was printed last.
    rules: Option<Ruleset>,
}

impl<W: Write> LinePrinter<W> {
    /// Prints a requested page, and the messages unless a board with them will follow.
    fn print_results(&mut self, controller: &mut GameController) -> io::Result<()> {
        for line in controller.page.take().into_iter().flatten() {
            self.print_wrapped(&line)?;
        }
        let is_printed = self.position.as_deref() == Some(&position_id(controller));
        if controller.board_requested || !is_printed {
            self.position = None;
            return self.out.flush();
        }
        for message in std::mem::take(&mut controller.messages) {
            self.print_wrapped(&message)?;
        }
        if let Some(question) = controller.question.as_ref().filter(|open| !open.is_required) {
            writeln!(self.out, "{}", question.prompt)?;
            for (number, (_, text)) in (1..).zip(&question.options) {
                writeln!(self.out, "  {number}. {text}")?;
            }
        }
        self.out.flush()
    }

    fn print_wrapped(&mut self, text: &str) -> io::Result<()> {
        for line in text::wrap(text, WIDTH) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    /// Prints the move played since `ply` if an engine moves next. Before the turn of a person, the move
    /// is printed with the board.
    fn print_move(&mut self, controller: &GameController, ply: u32) -> io::Result<()> {
        if controller.game().ply() > ply
            && controller.is_busy()
            && let Some(text) = text::last_move(&controller.state)
        {
            writeln!(self.out, "{text}.")?;
        }
        Ok(())
    }

    /// Prints the board, the players and the status if they have changed.
    fn print_board(&mut self, controller: &mut GameController) -> io::Result<()> {
        let position = position_id(controller);
        if self.position.as_ref() == Some(&position) {
            return Ok(());
        }
        self.position = Some(position);
        let drawing = PictureOptions {
            last_move: true,
            threats: controller.shows_threats,
            ..PictureOptions::default()
        };
        let mut lines = drawing.board_lines(controller.game(), self.look, None);
        lines.extend(text::player_lines(controller, self.look));
        lines.extend(text::status_lines(controller, None, WIDTH));
        writeln!(self.out)?;
        let rules = controller.game().rules();
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
        controller.messages.clear();
        self.out.flush()
    }
}

/// A text that differs whenever the board must be printed again.
fn position_id(controller: &GameController) -> String {
    let (game, state) = (controller.game(), &controller.state);
    format!("{} {} {:?} {:?}", game.rules(), game.text(), state.end(), state.players())
}
