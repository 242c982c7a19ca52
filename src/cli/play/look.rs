//! What the terminal can show, as far as its environment says so.

use pentarch_records::picture::TextStyle;
use std::env;
use std::io::{self, IsTerminal as _};

/// Whether stdout is a terminal with colors and Unicode, and nobody asked for none: see
/// <no-color.org>.
pub(crate) fn shows_colors() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let locale = locale.map(|name| name.to_uppercase()).unwrap_or_default();
    let unicode = locale.contains("UTF-8") || locale.contains("UTF8");
    io::stdout().is_terminal() && is_able() && unicode && set("NO_COLOR").is_none()
}

/// Whether stdin and stdout are a terminal on which a cursor moves.
pub(crate) fn shows_screens() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && is_able()
}

/// How boards are shown on stdout.
pub(super) fn of_stdout() -> TextStyle {
    if shows_colors() { TextStyle::Colored } else { TextStyle::Plain }
}

fn is_able() -> bool {
    set("TERM").is_some_and(|term| term != "dumb")
}

fn set(name: &str) -> Option<String> {
    let value = env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.to_string_lossy().into_owned())
}
