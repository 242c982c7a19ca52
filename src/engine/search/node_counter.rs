//! Counting nodes, and ending a search in the middle of it.

/// The search must end; whatever is under way counts for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted;

/// Takes note of every node that a part of a search visits, and says when it must end.
pub trait NodeCounter {
    /// Counts a node that is about to be visited.
    fn count_node(&mut self) -> Result<(), Aborted>;
}

/// A search that only its own budget ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl NodeCounter for Unlimited {
    fn count_node(&mut self) -> Result<(), Aborted> {
        Ok(())
    }
}
