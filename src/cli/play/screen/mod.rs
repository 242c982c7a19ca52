//! A board on the whole terminal, on which a cursor moves.

mod keys;
mod state;
mod terminal;
mod view;

use super::{Host, look, words};
use crossterm::event;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use state::Screen;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use terminal::Terminal;

/// How often clocks and engines are looked at.
const BEAT: Duration = Duration::from_millis(50);
/// How often they are drawn while they run.
const PULSE: Duration = Duration::from_millis(200);

/// Plays until somebody leaves, then says how to go on.
pub(crate) fn run(host: Host) -> io::Result<()> {
    let signals = leave_by_signals()?;
    let mut screen = Screen::new(host, look::of_stdout());
    {
        let mut terminal = Terminal::enter()?;
        // New sizes are heard from the first look at the keys on, which must not come after a picture.
        event::poll(Duration::ZERO)?;
        let mut drawn: Option<Instant> = None;
        while !screen.host.is_leaving && !signals.load(Ordering::Relaxed) {
            let has_changed = screen.host.tick(Duration::ZERO);
            let is_old = |drawn: Instant| screen.host.is_running() && drawn.elapsed() >= PULSE;
            if has_changed || drawn.is_none_or(is_old) {
                draw(&mut screen, &mut terminal)?;
                drawn = Some(Instant::now());
            }
            if terminal::wait_for_keys(BEAT) {
                break;
            }
            // Everything that has been typed, then one picture.
            while event::poll(Duration::ZERO)? {
                screen.take(event::read()?);
                drawn = None;
            }
        }
    }
    farewell(&screen.host, &mut io::stdout())
}

fn draw(screen: &mut Screen, terminal: &mut Terminal) -> io::Result<()> {
    let size = Terminal::size()?;
    let frame = view::frame(screen, size);
    let lines = frame.lines.iter().map(|line| line.text(screen.look)).collect();
    terminal.show(lines, size, frame.cursor)
}

/// Raised by the signals that ask a process to leave. In raw mode Ctrl-C is a key.
fn leave_by_signals() -> io::Result<Arc<AtomicBool>> {
    let raised = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    let signals = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
    #[cfg(not(unix))]
    let signals = [SIGINT, SIGTERM];
    for signal in signals {
        flag::register(signal, Arc::clone(&raised))?;
    }
    Ok(raised)
}

/// What is left on the terminal: how the game stands, and the command that goes on with it.
fn farewell(host: &Host, out: &mut impl Write) -> io::Result<()> {
    let (game, start) = (host.game(), host.table.start());
    if host.table.plies().next().is_none() {
        return Ok(());
    }
    writeln!(out, "{}", words::state(&host.table))?;
    let moves: Vec<_> = game.moves().into_iter().map(|mv| game.move_text(mv)).collect();
    let fresh = pentarch_engine::Game::new(game.rules().clone());
    let position = if start.text() == fresh.text() {
        String::new()
    } else {
        format!(" --position '{}'", start.text())
    };
    let (rules, moves) = (game.rules(), moves.join(" "));
    writeln!(out, "To go on: pentarch play --variant {rules}{position} --moves '{moves}'")
}
