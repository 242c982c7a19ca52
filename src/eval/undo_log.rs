//! What was overwritten, to be taken back in reverse.

/// Entries, the last ones last. They are written where there is room already, all that may be needed, and
/// then as many are kept as are: in the innermost loops an entry that need not be kept costs less than to
/// ask each time.
#[derive(Clone, Debug)]
pub(super) struct UndoLog<T> {
    /// Those that are kept, and beyond them room.
    entries: Vec<T>,
    len: usize,
    /// What room is filled with before anything is written.
    filler: T,
}

impl<T: Copy> UndoLog<T> {
    pub(super) const fn new(filler: T) -> UndoLog<T> {
        UndoLog { entries: Vec::new(), len: 0, filler }
    }

    /// The number of entries.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Room for so many entries behind the last one; [`UndoLog::keep`] says how many of them count.
    #[inline]
    pub(super) fn room(&mut self, count: usize) -> &mut [T] {
        let end = self.len + count;
        if self.entries.len() < end {
            self.entries.resize(2 * end, self.filler);
        }
        &mut self.entries[self.len..end]
    }

    /// [`UndoLog::room`] for a number that is known beforehand.
    #[inline]
    pub(super) fn room_of<const COUNT: usize>(&mut self) -> &mut [T; COUNT] {
        self.room(COUNT).first_chunk_mut().expect("it is as long as was asked for")
    }

    /// Keeps so many entries of the room that was asked for last.
    #[inline]
    pub(super) fn keep(&mut self, count: usize) {
        self.len = self.entries.len().min(self.len + count);
    }

    /// Adds an entry.
    #[inline]
    pub(super) fn push(&mut self, entry: T) {
        self.room(1)[0] = entry;
        self.keep(1);
    }

    /// The entries since the log had that length.
    #[inline]
    pub(super) fn since(&self, len: usize) -> &[T] {
        &self.entries[len.min(self.len)..self.len]
    }

    /// Forgets the entries since the log had that length.
    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}
