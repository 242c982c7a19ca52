//! What is being played right now, for those who look on.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The games under way by number, each as a line.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<Mutex<BTreeMap<u32, String>>>);

impl Watch {
    /// A game has begun.
    pub(super) fn begin(&self, number: u32, line: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(number, line);
    }

    /// A game has ended.
    pub(super) fn end(&self, number: u32) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
    }

    /// The games under way.
    pub fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}
