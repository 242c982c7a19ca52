//! Games on a terminal of their own: what keys do, what is seen, and how the terminal is left.

use super::run::{folder, run};
use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, tcgetattr};
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::fd::AsFd;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use vt100::Parser;

const LEFT: &str = "\u{1b}[D";
const RIGHT: &str = "\u{1b}[C";
const UP: &str = "\u{1b}[A";
const F1: &str = "\u{1b}OP";
const CTRL_C: &str = "\u{3}";
const CTRL_Z: &str = "\u{1a}";

fn positive(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap()
}

/// A terminal on which somebody plays.
struct Terminal {
    pty: Pty,
    seen: Arc<Mutex<Parser>>,
    child: Child,
    /// How the terminal was before.
    modes: LocalModes,
}

impl Terminal {
    /// Starts `pentarch play` on a terminal of some columns and rows.
    fn play(test: &str, size: (u16, u16), arguments: &str) -> Terminal {
        Terminal::start(test, size, &format!("play {arguments}"))
    }

    fn start(test: &str, (columns, rows): (u16, u16), arguments: &str) -> Terminal {
        let (pty, pts) = open().unwrap();
        pty.resize(Size::new(rows, columns)).unwrap();
        let modes = tcgetattr(&pty).unwrap().local_modes;
        let command = Command::new(env!("CARGO_BIN_EXE_pentarch"));
        let command = command.args(arguments.split_whitespace()).env("TERM", "xterm");
        let command = command.env("NO_COLOR", "1").env("LC_ALL", "C");
        let child = command.current_dir(folder("terminal", test)).spawn(pts).unwrap();
        let seen = Arc::new(Mutex::new(Parser::new(positive(rows), positive(columns), 0)));
        let mut output = File::from(pty.as_fd().try_clone_to_owned().unwrap());
        let parser = Arc::clone(&seen);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // At the end Linux has an error for those who read.
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                parser.lock().unwrap().process(&bytes[..count]);
            }
        });
        Terminal { pty, seen, child, modes }
    }

    fn type_keys(&self, keys: &str) {
        (&self.pty).write_all(keys.as_bytes()).unwrap();
    }

    fn text(&self) -> String {
        self.seen.lock().unwrap().screen().contents()
    }

    /// Waits until the terminal shows all of some texts.
    #[track_caller]
    fn shows(&self, texts: &[&str]) {
        let begin = Instant::now();
        while !texts.iter().all(|text| self.text().contains(text)) {
            assert!(begin.elapsed().as_secs() < 60, "{texts:?} is not shown in\n{}", self.text());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the process has left; how, and what is then on the terminal, which must be as it
    /// was.
    #[track_caller]
    fn left(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().unwrap();
        let begin = Instant::now();
        while self.seen.lock().unwrap().screen().alternate_screen() {
            assert!(begin.elapsed().as_secs() < 60, "the screen is not given back");
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(50));
        let modes = tcgetattr(&self.pty).unwrap().local_modes;
        assert_eq!(modes, self.modes, "keys are read and shown as before");
        let parser = self.seen.lock().unwrap();
        let screen = parser.screen();
        assert!(!screen.hide_cursor() && !screen.bracketed_paste());
        (status, screen.contents())
    }
}

/// Lines are wrapped between words, not within them.
#[test]
fn lists_and_rules_are_wrapped_at_the_width_of_the_terminal() {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for arguments in [&["variants"][..], &["variants", "pro-pente"], &["variants", "renju"]] {
        let (_, plain, _) = run(&folder("terminal", "plain"), arguments, "");
        assert!(plain.lines().any(|line| line.len() > 80), "{plain}");
        let terminal = Terminal::start("wrap", (80, 300), &arguments.join(" "));
        terminal.shows(&[plain.split_whitespace().last().unwrap()]);
        assert_eq!(words(&terminal.text()), words(&plain));
    }
    let terminal = Terminal::start("wrap", (80, 300), "");
    terminal.shows(&["in a terminal."]);
    assert!(terminal.text().contains("\nPentalath, Yavalath and Pent-Up."), "{}", terminal.text());
}

#[test]
fn moves_are_chosen_with_the_arrows() {
    let terminal = Terminal::play("arrows", (80, 24), "--variant gomoku --players Ann,Bob");
    terminal.shows(&["gomoku, ply 1", "> B Black  Ann", "h8: enter plays there"]);
    assert!(!terminal.modes.difference(tcgetattr(&terminal.pty).unwrap().local_modes).is_empty());
    terminal.type_keys("\r");
    terminal.shows(&["1. h8", "> W White  Bob"]);
    terminal.type_keys(&[RIGHT, UP, "\r"].concat());
    terminal.shows(&["1. h8      i9", "> B Black  Ann"]);
    // An occupied point is refused in words; typed moves and keys go together.
    terminal.type_keys("\r");
    terminal.shows(&["the point is occupied"]);
    terminal.type_keys(&["a1\r", LEFT, LEFT, " "].concat());
    terminal.shows(&["2. a1      g9"]);
    terminal.type_keys(CTRL_Z);
    terminal.shows(&["gomoku, ply 4"]);
    terminal.type_keys(F1);
    terminal.shows(&["any other key: back to the game"]);
    terminal.type_keys("x");
    terminal.shows(&["gomoku, ply 4"]);
    terminal.type_keys(CTRL_C);
    let (status, text) = terminal.left();
    assert!(status.success());
    assert!(
        text.contains("To continue: pentarch play --variant gomoku --moves 'h8 i9 a1'"),
        "{text}"
    );
}

#[test]
fn the_engine_answers_and_choices_are_made_with_the_arrows() {
    let arguments = "--variant d-pente --players engine,Ann --nodes 50 --seed 1";
    let terminal = Terminal::play("choice", (120, 40), arguments);
    terminal.shows(&["1. swap", "2. keep", "up, down and enter choose"]);
    terminal.type_keys("\u{1b}[B\r");
    // The engine has the first stone after it.
    terminal.shows(&["keep", "enter plays there"]);
    terminal.type_keys("quit\r");
    assert!(terminal.left().0.success());
}

#[test]
fn a_new_size_is_a_new_picture() {
    let terminal = Terminal::play("size", (80, 24), "--players Ann,Bob");
    terminal.shows(&["pente, ply 1"]);
    for (columns, rows, text) in [
        (60, 20, "The board continues"),
        (20, 6, "24x10 characters"),
        (120, 40, "White (Ann) to move."),
    ] {
        terminal.seen.lock().unwrap().screen_mut().set_size(positive(rows), positive(columns));
        terminal.pty.resize(Size::new(rows, columns)).unwrap();
        terminal.shows(&[text]);
    }
    // On the largest nothing is cut.
    terminal.shows(&[" 19 ", "  1 ", "ctrl-C leave"]);
    terminal.type_keys(CTRL_C);
    terminal.left();
}

#[test]
fn signals_and_a_lost_terminal_end_it() {
    let terminal = Terminal::play("signal", (80, 24), "--variant yavalath --players engine,Ann");
    terminal.shows(&["yavalath"]);
    kill_process(Pid::from_child(&terminal.child), Signal::TERM).unwrap();
    assert!(terminal.left().0.success());
    let Terminal { pty, mut child, seen, .. } = Terminal::play("lost", (80, 24), "");
    while !seen.lock().unwrap().screen().contents().contains("pente") {
        thread::sleep(Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    child.wait().unwrap();
    drop(pty);
}

/// Alone on a terminal the program says what it can do, and waits for nothing.
#[test]
fn the_program_alone_says_what_it_can_do() {
    let (pty, pts) = open().unwrap();
    pty.resize(Size::new(40, 120)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pentarch")).spawn(pts).unwrap();
    let mut text = Vec::new();
    let _ = (&pty).read_to_end(&mut text);
    assert!(child.wait().unwrap().success());
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("pentarch play"), "{text}");
}
