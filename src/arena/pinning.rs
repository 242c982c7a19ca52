//! CPU affinity: gives concurrent games disjoint sets of cores.
//!
//! The thread of a game is pinned; the engine processes that it starts, their descendants and the
//! threads of the built-in engine inherit the affinity.

use crate::error::ArenaError;

/// The cores of each game slot.
#[derive(Clone, Debug)]
pub(crate) struct Pinning {
    slots: Vec<Vec<usize>>,
}

impl Pinning {
    /// Divides the available cores into slots. It is an error if there are not enough.
    pub(crate) fn new(slots: usize, cores_a_slot: usize) -> Result<Pinning, ArenaError> {
        let cores = system::cores()
            .ok_or_else(|| "cores cannot be pinned on this system; leave --pin out".to_owned())?;
        let needed = slots.saturating_mul(cores_a_slot);
        if needed > cores.len() {
            return Err(format!(
                "--pin needs {needed} cores for {slots} games at a time with {cores_a_slot} each, and \
                 there are {}; lower --concurrency or Threads, or leave it out",
                cores.len()
            )
            .into());
        }
        let slots = cores.chunks(cores_a_slot.max(1)).take(slots).map(<[usize]>::to_vec).collect();
        Ok(Pinning { slots })
    }

    /// Pins the calling thread, and what it starts, to the cores of a slot.
    pub(crate) fn pin(&self, slot: usize) -> Result<(), ArenaError> {
        let Some(cores) = self.slots.get(slot) else { return Ok(()) };
        system::pin(cores).map_err(|error| {
            format!("cannot pin a game to the cores {cores:?}: {error}; leave --pin out").into()
        })
    }
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use std::io;

    /// The cores on which this thread may run.
    pub(crate) fn cores() -> Option<Vec<usize>> {
        let allowed = sched_getaffinity(None).ok()?;
        Some((0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect())
    }

    pub(crate) fn pin(cores: &[usize]) -> io::Result<()> {
        let mut set = CpuSet::new();
        for &core in cores {
            set.set(core);
        }
        Ok(sched_setaffinity(None, &set)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub(crate) fn cores() -> Option<Vec<usize>> {
        None
    }

    pub(crate) fn pin(_: &[usize]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
