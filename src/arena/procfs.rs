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

/// How long the threads of some processes have run, and have been runnable without running, since they
/// began, by process and thread. It distinguishes a slow engine from a busy machine.
///
/// Source: `/proc/PID/task/TID/schedstat` (`Documentation/scheduler/sched-stats.rst`
/// of the kernel). On other systems nothing is known and every late move is the player's fault.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchedulingDelays(HashMap<(u32, u32), SchedulerTimes>);

/// What the scheduler counts for a thread.
#[derive(Clone, Copy, Debug, Default)]
struct SchedulerTimes {
    ran: Duration,
    waited: Duration,
}

impl SchedulingDelays {
    /// The delays of all threads of these processes.
    pub(crate) fn of_processes(processes: &[u32]) -> SchedulingDelays {
        let tasks = |&process: &u32| {
            let folder = format!("/proc/{process}/task");
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            entries.filter_map(move |entry| {
                let thread = entry.file_name().to_str()?.parse().ok()?;
                Some(((process, thread), scheduler_times(&format!("{folder}/{thread}"))?))
            })
        };
        SchedulingDelays(processes.iter().flat_map(tasks).collect())
    }

    /// The delays of these threads of this process.
    pub(crate) fn of_threads(threads: &[u32]) -> SchedulingDelays {
        let folder = |thread| format!("/proc/self/task/{thread}");
        let own = |&thread: &u32| Some(((thread, thread), scheduler_times(&folder(thread))?));
        SchedulingDelays(threads.iter().filter_map(own).collect())
    }

    /// The delay since an earlier measurement that is not due to these processes themselves: the
    /// longest wait of a thread, less the time for which the other threads may have taken its
    /// processor, spread over this number of processors.
    pub(crate) fn since(&self, before: &SchedulingDelays, processors: u32) -> Duration {
        let elapsed = |(thread, now): (&(u32, u32), &SchedulerTimes)| {
            let earlier = before.0.get(thread).copied().unwrap_or_default();
            let waited = now.waited.saturating_sub(earlier.waited);
            SchedulerTimes { ran: now.ran.saturating_sub(earlier.ran), waited }
        };
        let threads: Vec<SchedulerTimes> = self.0.iter().map(elapsed).collect();
        let ran: Duration = threads.iter().map(|thread| thread.ran).sum();
        let delay = |thread: &SchedulerTimes| {
            let others = ran.saturating_sub(thread.ran);
            thread.waited.saturating_sub(others / processors.max(1))
        };
        threads.iter().map(delay).max().unwrap_or_default()
    }
}

/// Reads `RAN WAITED TURNS`, in nanoseconds.
fn scheduler_times(folder: &str) -> Option<SchedulerTimes> {
    let text = fs::read_to_string(format!("{folder}/schedstat")).ok()?;
    let mut fields = text.split_whitespace().map(|field| field.parse().map(Duration::from_nanos));
    Some(SchedulerTimes { ran: fields.next()?.ok()?, waited: fields.next()?.ok()? })
}

/// How long the calling thread has run and has been runnable without running, if the system reports it.
pub(crate) fn own_activity() -> Option<Duration> {
    scheduler_times("/proc/thread-self").map(|times| times.ran + times.waited)
}

/// The number of processors on which this thread may run.
pub(crate) fn processors() -> u32 {
    std::thread::available_parallelism().map_or(1, |number| number.get() as u32)
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
    fn a_wait_for_own_threads_and_processes_is_no_delay() {
        let times = |list: &[(u32, u32, u64, u64)]| {
            let ms = Duration::from_millis;
            let list = list.iter().map(|&(process, thread, ran, waited)| {
                ((process, thread), SchedulerTimes { ran: ms(ran), waited: ms(waited) })
            });
            SchedulingDelays(list.collect())
        };
        let before = times(&[(1, 1, 50, 100), (1, 2, 0, 5), (3, 3, 0, 9)]);
        let now = times(&[(1, 1, 50, 110), (1, 2, 0, 25), (4, 4, 0, 7)]);
        assert_eq!(now.since(&before, 1), Duration::from_millis(20), "the longest wait");
        assert_eq!(before.since(&before, 1), Duration::ZERO);
        // Seven spinning threads take the processor from the eighth.
        let none = SchedulingDelays::default();
        let spinning: Vec<_> = (1..=8).map(|thread| (1, thread, 100, 700)).collect();
        assert_eq!(times(&spinning).since(&none, 1), Duration::ZERO);
        assert_eq!(times(&spinning).since(&none, 2), Duration::from_millis(350));
        // A child of the engine counts like a thread, another program does not.
        let child = times(&[(1, 1, 50, 80), (2, 2, 80, 50)]);
        assert_eq!(child.since(&none, 1), Duration::ZERO);
        assert_eq!(times(&[(1, 1, 50, 80)]).since(&none, 1), Duration::from_millis(80));
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
