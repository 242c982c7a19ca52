//! Warnings that are true again and again, such as those about an engine each time it is started.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// How many warnings are remembered; what is said after them is said again.
const REMEMBERED: usize = 1000;

static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Warns, unless this run has done so before in the same words.
pub(super) fn warn_once(text: &str) {
    if is_new(text) {
        log::warn!(target: "pentarch::arena", "{text}");
    }
}

fn is_new(text: &str) -> bool {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    !said.contains(text) && (said.len() >= REMEMBERED || said.insert(text.to_owned()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_second_time_it_is_not_said() {
        assert!(super::is_new("a has no such thing"));
        assert!(super::is_new("b has no such thing"));
        assert!(!super::is_new("a has no such thing"));
    }
}
