//! How far a long command is.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on the standard error, which draws nothing unless that is a terminal.
pub(super) fn bar(length: usize, template: &str) -> ProgressBar {
    ProgressBar::new(length as u64).with_style(style(template))
}

/// The style of a template, or the usual one if it is none.
pub(super) fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
