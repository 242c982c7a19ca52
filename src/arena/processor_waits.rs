//! How long threads have waited for a processor, which tells an engine that is slow from a machine
//! that is too busy.
//!
//! Linux counts for every thread the time that it was ready to run and did not
//! (`/proc/PID/task/TID/schedstat`, second field, `Documentation/scheduler/sched-stats.rst` of the
//! kernel). Elsewhere nothing is known and every late move is the player's fault.

use std::collections::HashMap;
use std::fs;
use std::time::Duration;

/// What the threads of some processes have waited since they began, by process and thread.
#[derive(Clone, Debug, Default)]
pub(super) struct ProcessorWaits(HashMap<(u32, u32), Duration>);

impl ProcessorWaits {
    /// Of all threads of these processes.
    pub(super) fn of_processes(processes: &[u32]) -> ProcessorWaits {
        let tasks = |&process: &u32| {
            let folder = format!("/proc/{process}/task");
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            entries.filter_map(move |entry| {
                let thread = entry.file_name().to_str()?.parse().ok()?;
                Some(((process, thread), waited(&format!("{folder}/{thread}"))?))
            })
        };
        ProcessorWaits(processes.iter().flat_map(tasks).collect())
    }

    /// Of these threads of this process.
    pub(super) fn of_threads(threads: &[u32]) -> ProcessorWaits {
        let folder = |thread| format!("/proc/self/task/{thread}");
        let own = |&thread: &u32| Some(((thread, thread), waited(&folder(thread))?));
        ProcessorWaits(threads.iter().filter_map(own).collect())
    }

    /// What was lost by waiting since an earlier look at the same processes: threads of a process
    /// wait side by side, processes one for the other.
    pub(super) fn since(&self, before: &ProcessorWaits) -> Duration {
        let mut longest: HashMap<u32, Duration> = HashMap::new();
        for (thread, now) in &self.0 {
            let earlier = before.0.get(thread).copied().unwrap_or_default();
            let longest = longest.entry(thread.0).or_default();
            *longest = now.saturating_sub(earlier).max(*longest);
        }
        longest.values().sum()
    }
}

/// `RAN WAITED TURNS`, in nanoseconds.
fn waited(folder: &str) -> Option<Duration> {
    let text = fs::read_to_string(format!("{folder}/schedstat")).ok()?;
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// The number of the calling thread, where the system tells.
pub(super) fn this_thread() -> Option<u32> {
    fs::read_link("/proc/thread-self").ok()?.file_name()?.to_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_wait_side_by_side_and_processes_one_for_the_other() {
        let waits = |list: &[(u32, u32, u64)]| {
            let list = list
                .iter()
                .map(|&(process, thread, ms)| ((process, thread), Duration::from_millis(ms)));
            ProcessorWaits(list.collect())
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
        assert_eq!(ProcessorWaits::of_threads(&[thread]).0.len(), 1);
        let process = ProcessorWaits::of_processes(&[std::process::id()]);
        assert!(process.0.contains_key(&(std::process::id(), thread)));
    }
}
