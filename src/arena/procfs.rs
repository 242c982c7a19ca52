//! Information about processes from Linux's `/proc`: descendants and scheduling delays. On other
//! systems nothing is known.

use std::collections::HashMap;
use std::fs;
use std::time::Duration;

/// The descendants of a process, in no particular order.
pub(crate) fn descendants(root: u32) -> Vec<u32> {
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

/// All processes with their parents.
fn parents() -> impl Iterator<Item = (u32, u32)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        Some((process, stat(process)?.parent))
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    parent: u32,
}

fn stat(process: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    parse_stat(&text)
}

/// Parses `PID (NAME) STATE PARENT ...`; a name may contain blanks and parentheses (`man 5 proc`).
fn parse_stat(text: &str) -> Option<Stat> {
    let (_, rest) = text.rsplit_once(')')?;
    let parent = rest.split_whitespace().nth(1)?.parse().ok()?;
    Some(Stat { parent })
}

/// How long the threads of some processes have been runnable without running, since they began, by
/// process and thread. It distinguishes a slow engine from a busy machine.
///
/// Source: `/proc/PID/task/TID/schedstat`, second field (`Documentation/scheduler/sched-stats.rst`
/// of the kernel). On other systems nothing is known and every late move is the player's fault.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchedulingDelays(HashMap<(u32, u32), Duration>);

impl SchedulingDelays {
    /// The delays of all threads of these processes.
    pub(crate) fn of_processes(processes: &[u32]) -> SchedulingDelays {
        let tasks = |&process: &u32| {
            let folder = format!("/proc/{process}/task");
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            entries.filter_map(move |entry| {
                let thread = entry.file_name().to_str()?.parse().ok()?;
                Some(((process, thread), waited(&format!("{folder}/{thread}"))?))
            })
        };
        SchedulingDelays(processes.iter().flat_map(tasks).collect())
    }

    /// The delays of these threads of this process.
    pub(crate) fn of_threads(threads: &[u32]) -> SchedulingDelays {
        let folder = |thread| format!("/proc/self/task/{thread}");
        let own = |&thread: &u32| Some(((thread, thread), waited(&folder(thread))?));
        SchedulingDelays(threads.iter().filter_map(own).collect())
    }

    /// The time lost since an earlier measurement: threads of a process wait in parallel, processes
    /// one after the other.
    pub(crate) fn since(&self, before: &SchedulingDelays) -> Duration {
        let mut longest: HashMap<u32, Duration> = HashMap::new();
        for (thread, now) in &self.0 {
            let earlier = before.0.get(thread).copied().unwrap_or_default();
            let longest = longest.entry(thread.0).or_default();
            *longest = now.saturating_sub(earlier).max(*longest);
        }
        longest.values().sum()
    }
}

/// Reads `RAN WAITED TURNS`, in nanoseconds.
fn waited(folder: &str) -> Option<Duration> {
    let text = fs::read_to_string(format!("{folder}/schedstat")).ok()?;
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// The id of the calling thread, if the system reports it.
pub(crate) fn this_thread() -> Option<u32> {
    fs::read_link("/proc/thread-self").ok()?.file_name()?.to_str()?.parse().ok()
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

    #[test]
    fn threads_wait_side_by_side_and_processes_one_for_the_other() {
        let waits = |list: &[(u32, u32, u64)]| {
            let list = list
                .iter()
                .map(|&(process, thread, ms)| ((process, thread), Duration::from_millis(ms)));
            SchedulingDelays(list.collect())
        };
        let before = waits(&[(1, 1, 100), (1, 2, 5), (3, 3, 9)]);
        let now = waits(&[(1, 1, 110), (1, 2, 25), (4, 4, 7)]);
        assert_eq!(now.since(&before), Duration::from_millis(20 + 7));
        assert_eq!(before.since(&before), Duration::ZERO);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_tells_of_this_thread() {
        let thread = this_thread().unwrap();
        assert_eq!(SchedulingDelays::of_threads(&[thread]).0.len(), 1);
        let process = SchedulingDelays::of_processes(&[std::process::id()]);
        assert!(process.0.contains_key(&(std::process::id(), thread)));
    }
}
