//! The last lines exchanged with an engine, for the record of a fault.

use std::collections::VecDeque;

/// How many lines are kept.
const LINES: usize = 20;

/// How many characters of each.
const WIDTH: usize = 200;

/// The last lines in both directions, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Exchange(VecDeque<String>);

impl Exchange {
    /// Adds a line: `<` was sent to the engine, `>` came from it.
    pub(super) fn add(&mut self, direction: char, line: &str) {
        // The oldest line makes room, and its memory is used again.
        let full = self.0.len() == LINES;
        let mut text = full.then(|| self.0.pop_front()).flatten().unwrap_or_default();
        text.clear();
        text.extend([direction, ' ']);
        let cut = line.char_indices().nth(WIDTH).map(|(end, _)| end);
        let head = &line[..cut.unwrap_or(line.len())];
        if head.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
            text.push_str(head);
        } else {
            text.extend(head.chars().map(|c| if c.is_control() { ' ' } else { c }));
        }
        if cut.is_some() {
            text.push('…');
        }
        self.0.push_back(text);
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.0.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded() {
        let mut exchange = Exchange::default();
        for number in 0..30 {
            exchange.add('<', &format!("line {number}"));
        }
        exchange.add('>', &"\u{1b}[31m".repeat(100));
        let lines = exchange.lines();
        assert_eq!((lines.len(), lines[0].as_str()), (20, "< line 11"));
        assert_eq!(lines[19].chars().count(), 203);
        assert!(lines[19].starts_with(">  [31m [31m") && lines[19].ends_with('…'));
    }
}
