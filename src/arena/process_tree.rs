//! Which processes descend from one, as Linux tells in `/proc`; elsewhere none are known.

use std::collections::HashMap;
use std::fs;

/// The processes that a process has started, theirs, and so on, in no order.
pub(super) fn descendants(root: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for (process, parent) in parents() {
        children.entry(parent).or_default().push(process);
    }
    let mut found = children.remove(&root).unwrap_or_default();
    let mut next = 0;
    while let Some(&process) = found.get(next) {
        found.extend(children.remove(&process).unwrap_or_default());
        next += 1;
    }
    found
}

/// Every process with its parent.
fn parents() -> impl Iterator<Item = (u32, u32)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        Some((process, stat(process)?.parent))
    })
}

/// What `/proc/PID/stat` says of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    parent: u32,
}

fn stat(process: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    parse_stat(&text)
}

/// `PID (NAME) STATE PARENT ...`, in which a name may have blanks and parentheses, `man 5 proc`.
fn parse_stat(text: &str) -> Option<Stat> {
    let (_, rest) = text.rsplit_once(')')?;
    let parent = rest.split_whitespace().nth(1)?.parse().ok()?;
    Some(Stat { parent })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn names_may_hold_anything() {
        let stat = |parent| Some(Stat { parent });
        assert_eq!(parse_stat("7 (sh) S 3 7 7 0 -1"), stat(3));
        assert_eq!(parse_stat("7 (a) S 9 (b) R 4 7"), stat(4));
        assert_eq!(parse_stat("7 (sh"), None);
    }

    #[test]
    fn a_child_of_a_child_is_found() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 20 & echo $!; wait"]).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let output = child.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).unwrap();
        let sleeper: u32 = line.trim().parse().unwrap();
        assert_eq!(descendants(child.id()), [sleeper]);
        assert!(descendants(std::process::id()).contains(&sleeper));
        Command::new("kill").args([line.trim(), &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
    }
}
