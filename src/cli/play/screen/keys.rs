//! What keys do.

use super::super::cursor::Direction;
use super::state::Screen;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use pentarch_records::picture::CursorTarget;

/// The longest line that can be typed; a path may be long.
const LONGEST: usize = 400;

impl Screen {
    /// Takes what has happened on the terminal.
    pub(super) fn take(&mut self, event: Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Paste(text) => {
                let line = text.lines().next().unwrap_or_default();
                line.chars().for_each(|letter| self.letter(letter));
            }
            _ => (),
        }
        self.follow();
    }

    fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => self.host.is_leaving = true,
            _ if self.page.is_some() => self.page_key(key.code),
            KeyCode::Char('z') if control => self.do_line("undo"),
            KeyCode::Char('u') if control => self.input.clear(),
            KeyCode::Char(_) if control => (),
            KeyCode::F(1) => self.do_line("help"),
            KeyCode::F(2) => self.do_line("hint"),
            KeyCode::F(3) => self.do_line("threats"),
            KeyCode::F(4) => self.do_line("undo"),
            KeyCode::Char('?') if self.input.is_empty() => self.do_line("help"),
            KeyCode::Char(' ') if self.input.is_empty() => self.choose(false),
            KeyCode::Char(letter) => self.letter(letter),
            KeyCode::Backspace => drop(self.input.pop()),
            KeyCode::Tab => self.place_any(),
            KeyCode::Enter => self.enter(),
            KeyCode::Esc => self.escape(),
            KeyCode::Up => self.arrow(Direction::Up),
            KeyCode::Down => self.arrow(Direction::Down),
            KeyCode::Left => self.arrow(Direction::Left),
            KeyCode::Right => self.arrow(Direction::Right),
            _ => (),
        }
    }

    fn letter(&mut self, letter: char) {
        if !letter.is_control() && self.input.chars().count() < LONGEST {
            self.input.push(letter);
        }
    }

    /// Scrolls a page, or closes it.
    fn page_key(&mut self, key: KeyCode) {
        let Some((lines, first)) = &mut self.page else { return };
        let last = lines.len().saturating_sub(1);
        match key {
            KeyCode::Up => *first = first.saturating_sub(1),
            KeyCode::Down => *first = (*first + 1).min(last),
            KeyCode::PageUp => *first = first.saturating_sub(10),
            KeyCode::PageDown => *first = (*first + 10).min(last),
            _ => self.page = None,
        }
    }

    fn arrow(&mut self, direction: Direction) {
        let options = self.host.question.as_ref().map_or(0, |asked| asked.options.len());
        match direction {
            Direction::Up if options > 0 => self.selected = self.selected.saturating_sub(1),
            Direction::Down if options > 0 => {
                self.selected = (self.selected + 1).min(options - 1);
            }
            _ => self.cursor.step(self.host.game(), direction),
        }
    }

    /// Takes back what is begun: a line, a question, a tile.
    fn escape(&mut self) {
        if !self.input.is_empty() {
            self.input.clear();
        } else if self.host.question.is_some() {
            self.host.dismiss();
        } else {
            self.tile.clear();
            self.host.notes.clear();
        }
    }

    /// A line that is typed, a question, an engine that thinks, or the cursor, in this order.
    fn enter(&mut self) {
        if !self.input.is_empty() {
            let line = std::mem::take(&mut self.input);
            return self.do_line(&line);
        }
        let question = self.host.question.as_ref();
        let answer = question.and_then(|asked| asked.options.get(self.selected));
        if let Some(&(mv, _)) = answer {
            self.host.notes.clear();
            return self.host.play_as_person(mv);
        }
        if self.host.is_busy() || self.host.is_paused {
            return self.host.go_on();
        }
        self.choose(true);
    }

    /// Plays where the cursor is, or chooses a cell of a tile there.
    fn choose(&mut self, is_final: bool) {
        self.host.notes.clear();
        match self.cursor.at {
            CursorTarget::Cell(cell) => self.host.point_at(cell),
            CursorTarget::Spot(spot) => match self.tile.text(self.host.game()).filter(|_| is_final)
            {
                Some(text) => self.do_line(&text),
                None => self.tile.toggle(self.host.game(), spot),
            },
        }
    }

    /// Asks for everything that can be placed where the cursor is.
    fn place_any(&mut self) {
        if let CursorTarget::Cell(cell) = self.cursor.at
            && !self.host.is_busy()
            && !self.host.game().is_choice()
        {
            self.host.notes.clear();
            self.host.ask_at(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::state;
    use super::*;

    /// Types keys, given as they are printed on keyboards; `<` is backspace and `␡` is Ctrl-U.
    fn press(screen: &mut Screen, keys: &str) {
        for key in keys.chars() {
            let (code, modifiers) = match key {
                '←' => (KeyCode::Left, KeyModifiers::NONE),
                '→' => (KeyCode::Right, KeyModifiers::NONE),
                '↑' => (KeyCode::Up, KeyModifiers::NONE),
                '↓' => (KeyCode::Down, KeyModifiers::NONE),
                '<' => (KeyCode::Backspace, KeyModifiers::NONE),
                '⏎' => (KeyCode::Enter, KeyModifiers::NONE),
                '⎋' => (KeyCode::Esc, KeyModifiers::NONE),
                '⇥' => (KeyCode::Tab, KeyModifiers::NONE),
                '␡' => (KeyCode::Char('u'), KeyModifiers::CONTROL),
                letter => (KeyCode::Char(letter), KeyModifiers::NONE),
            };
            screen.take(Event::Key(KeyEvent::new(code, modifiers)));
        }
    }

    fn moves(screen: &Screen) -> String {
        let game = screen.host.game();
        game.moves().into_iter().map(|mv| game.move_text(mv) + " ").collect()
    }

    #[test]
    fn moves_are_placed_and_typed() {
        let mut screen = state::of("gomoku", "Ann,Bob");
        press(&mut screen, "⏎→→↑⏎");
        assert_eq!(moves(&screen), "h8 j9 ");
        // What is typed goes before the cursor, and is taken back.
        press(&mut screen, "a12<⏎");
        assert_eq!(moves(&screen), "h8 j9 a1 ");
        press(&mut screen, "b2⎋c3␡d4");
        assert_eq!(screen.input, "d4");
        screen.take(Event::Paste("5\nquit".to_owned()));
        assert_eq!((screen.input.as_str(), screen.host.is_leaving), ("d45", false));
    }

    #[test]
    fn questions_are_answered_with_the_arrows() {
        let mut screen = state::of("swap2-pente", "Ann,Bob");
        press(&mut screen, "j10⏎k10⏎a1⏎");
        assert_eq!(screen.host.question.as_ref().unwrap().options.len(), 3);
        press(&mut screen, "↑↓↓↓↓");
        assert_eq!(screen.selected, 2, "the last one");
        press(&mut screen, "↑⏎");
        assert_eq!(moves(&screen), "j10 k10 a1 keep ");
        // Whatever else can be placed is asked for.
        let mut screen = state::of("atomic-pente", "Ann,Bob");
        press(&mut screen, "⏎→⏎→⇥");
        assert!(screen.host.question.is_some());
        press(&mut screen, "⎋");
        assert!(screen.host.question.is_none());
    }

    #[test]
    fn a_page_is_scrolled_and_closed() {
        let mut screen = state::of("pente", "Ann,Bob");
        press(&mut screen, "?↓↓↑");
        assert_eq!(screen.page.as_ref().unwrap().1, 1);
        press(&mut screen, "q");
        assert!(screen.page.is_none() && screen.input.is_empty());
    }
}
