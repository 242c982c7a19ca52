//! What was overwritten, to be taken back in reverse.

/// Entries, the last ones last. A caller writes every entry that it may need into spare room, and then says
/// how many of them to keep: in the innermost loops a few written in vain cost less than to ask each time.
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

    /// Forgets the entries since the log had that length, and shows each, the last one first.
    #[inline]
    pub(super) fn take_back(&mut self, len: usize, revert: impl FnMut(&T)) {
        self.since(len).iter().rev().for_each(revert);
        self.truncate(len);
    }

    /// Forgets the entries since the log had that length.
    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_in_reverse_and_the_rest_of_the_room_counts_for_nothing() {
        let mut log = UndoLog::new(0);
        for start in (0..300).step_by(3) {
            assert_eq!(log.len(), start);
            log.room(5).copy_from_slice(&[start, start + 1, start + 2, 1000, 1000]);
            log.keep(3);
        }
        assert_eq!(log.since(296), [296, 297, 298, 299]);
        let mut seen = Vec::new();
        log.take_back(297, |&entry| seen.push(entry));
        assert_eq!((seen, log.len()), (vec![299, 298, 297], 297));
        log.push(7);
        assert_eq!((log.since(296), log.since(400)), (&[296, 7][..], &[][..]));
    }
}
