//! Trees to text.

use super::Tree;
use super::tree::NodeId;
use std::fmt::{self, Write};

/// Nodes on a line of the file.
const NODES_A_LINE: usize = 10;

/// A tree without blank lines of its own. What must not be in a text is escaped: brackets and
/// backslashes as the format has it, control characters by a sign for a character that is unknown.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('(')?;
        let (mut node, mut nodes) = (Tree::ROOT, 0);
        loop {
            self.print(node, f)?;
            match self.first_child(node) {
                Some(child) => {
                    let is_variation = self.is_variation(child);
                    nodes = if is_variation { 0 } else { nodes };
                    if nodes % NODES_A_LINE == 0 {
                        f.write_char('\n')?;
                    }
                    f.write_str(if is_variation { "(" } else { "" })?;
                    (node, nodes) = (child, nodes + 1);
                }
                None => match self.close(node, f)? {
                    Some(next) => {
                        f.write_str("\n(")?;
                        (node, nodes) = (next, 1);
                    }
                    None => return f.write_char(')'),
                },
            }
        }
    }
}

impl Tree {
    fn print(&self, node: NodeId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(';')?;
        let mut last = "";
        for (name, value) in self.properties(node) {
            if name != last {
                let is_setup = node == Tree::ROOT && matches!(name, "AB" | "AW");
                f.write_str(if is_setup { "\n" } else { "" })?;
                f.write_str(name)?;
                last = name;
            }
            f.write_char('[')?;
            escape(value, f)?;
            f.write_char(']')?;
        }
        Ok(())
    }

    /// Closes the variations that end with a node. Returns the next one, if there is one.
    fn close(
        &self,
        mut node: NodeId,
        f: &mut fmt::Formatter<'_>,
    ) -> Result<Option<NodeId>, fmt::Error> {
        while let Some(parent) = self.parent(node) {
            if self.is_variation(node) {
                f.write_char(')')?;
            }
            if let Some(next) = self.next_variation(node) {
                return Ok(Some(next));
            }
            node = parent;
        }
        Ok(None)
    }
}

fn escape(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for c in text.chars() {
        match c {
            ']' | '\\' => write!(f, "\\{c}")?,
            '\n' | '\t' => f.write_char(c)?,
            c if c.is_control() => f.write_char(char::REPLACEMENT_CHARACTER)?,
            c => f.write_char(c)?,
        }
    }
    Ok(())
}
