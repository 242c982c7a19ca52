//! The queries that wait and those that are being answered.

use super::analyst::Stop;
use super::request::GameQuery;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The most bytes of queries that wait: about 40,000 short ones. A client that sends more than this
/// before it reads an answer has to wait.
const LIMIT: usize = 32 << 20;

/// Where a turn stands in line: by priority, then by age, then in the order of the query.
type Place = (Reverse<i64>, u64, u32);

/// Turns of queries, ordered by who is next.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: BTreeMap<Place, Arc<Pending>>,
    running: HashMap<Place, Stop>,
    /// By id, with how many of their turns are not answered.
    unfinished: HashMap<String, (Arc<Pending>, usize)>,
    bytes: usize,
    /// How many queries there have been.
    count: u64,
    closed: bool,
}

/// A query that is not answered in full.
#[derive(Debug)]
struct Pending {
    number: u64,
    query: Box<GameQuery>,
}

impl Pending {
    fn place(&self, index: usize) -> Place {
        (Reverse(self.query.turns[index].1), self.number, index as u32)
    }
}

/// One turn of a query, taken out of the queue to be answered.
#[derive(Debug)]
pub(super) struct Job {
    place: Place,
    pending: Arc<Pending>,
    /// Ends its analysis.
    pub stop: Stop,
}

impl Job {
    fn new(place: Place, pending: Arc<Pending>) -> Job {
        Job { place, pending, stop: Stop::new() }
    }

    /// The query.
    pub(super) fn query(&self) -> &GameQuery {
        &self.pending.query
    }

    /// How many of its moves lead to the position.
    pub(super) fn turn(&self) -> u32 {
        self.query().turns[self.place.2 as usize].0
    }
}

impl Queue {
    /// Adds a query as soon as there is room, and says how many turns it has. Refused, and given
    /// back, if one of its id is not answered in full.
    pub(super) fn push(&self, query: Box<GameQuery>) -> Result<usize, Box<GameQuery>> {
        let size = query.size();
        let full =
            |state: &mut State| !state.closed && state.bytes > 0 && state.bytes + size > LIMIT;
        let state = self.changed.wait_while(self.lock(), full);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.unfinished.contains_key(&query.id) {
            return Err(query);
        }
        let turns = query.turns.len();
        let pending = Arc::new(Pending { number: state.count, query });
        for index in 0..turns {
            state.waiting.insert(pending.place(index), Arc::clone(&pending));
        }
        state.count += 1;
        state.bytes += size;
        state.unfinished.insert(pending.query.id.clone(), (pending, turns));
        Ok(turns)
    }

    /// Takes the turn that is next, if one is left.
    pub(super) fn take(&self) -> Option<Job> {
        let mut state = self.lock();
        let (place, pending) = state.waiting.pop_first()?;
        let job = Job::new(place, pending);
        state.running.insert(place, job.stop.clone());
        Some(job)
    }

    /// Forgets a job that is done. Its answer goes out afterwards, so that whoever has read the last
    /// one of a query can use its id again.
    pub(super) fn finish(&self, job: &Job) {
        let mut state = self.lock();
        state.running.remove(&job.place);
        let query = job.query();
        if let Some((_, left)) = state.unfinished.get_mut(&query.id) {
            *left -= 1;
            if *left == 0 {
                state.unfinished.remove(&query.id);
                state.bytes = state.bytes.saturating_sub(query.size());
            }
        }
        self.changed.notify_all();
    }

    /// Ends the queries of an id, or all, and of them certain turns, or all. Those that run will be
    /// answered by what they know; those that wait are returned and are no longer waiting.
    pub(super) fn terminate(&self, id: Option<&str>, turns: Option<&[u32]>) -> Vec<Job> {
        let mut state = self.lock();
        let meant: Vec<Arc<Pending>> = match id {
            Some(id) => state.unfinished.get(id).map(|(p, _)| Arc::clone(p)).into_iter().collect(),
            None => state.unfinished.values().map(|(pending, _)| Arc::clone(pending)).collect(),
        };
        let mut ended = Vec::new();
        for pending in meant {
            for (index, (turn, _)) in pending.query.turns.iter().enumerate() {
                if turns.is_some_and(|turns| !turns.contains(turn)) {
                    continue;
                }
                let place = pending.place(index);
                if let Some(stop) = state.running.get(&place) {
                    stop.stop();
                } else if state.waiting.remove(&place).is_some() {
                    ended.push(Job::new(place, Arc::clone(&pending)));
                }
            }
        }
        ended.sort_by_key(|job| (job.place.1, job.place.2));
        ended
    }

    /// Ends everything at once; nothing more is waited for, and nothing more begins.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.waiting.clear();
        state.running.values().for_each(Stop::stop);
        self.changed.notify_all();
    }

    /// Waits until nothing runs, but not for long.
    pub(super) fn wait_idle(&self, most: Duration) {
        let busy = |state: &mut State| !state.running.is_empty();
        drop(self.changed.wait_timeout_while(self.lock(), most, busy));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::{Reader, Request};
    use super::*;

    fn query(text: &str) -> Box<GameQuery> {
        let mut reader = Reader::new(&"gomoku".parse().unwrap(), 1);
        match reader.read(text.as_bytes(), &mut Vec::new()) {
            Ok(Request::Analyze(query)) => query,
            other => panic!("{other:?}"),
        }
    }

    fn name(job: &Job) -> String {
        format!("{}{}", job.query().id, job.turn())
    }

    #[test]
    fn the_urgent_come_first_then_the_old() {
        let queue = Queue::default();
        for text in [
            r#"{"id":"a","moves":["h8"],"analyzeTurns":[1,0,1]}"#,
            r#"{"id":"b","priority":-1}"#,
            r#"{"id":"c","moves":["h8","h9"],"analyzeTurns":[0,1,2],"priorities":[0,7,1]}"#,
        ] {
            queue.push(query(text)).unwrap();
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.take()).map(|job| name(&job)).collect();
        assert_eq!(order, ["c1", "c2", "a1", "a0", "c0", "b0"]);
    }

    #[test]
    fn an_id_is_free_again_when_all_its_turns_are_answered() {
        let queue = Queue::default();
        let text = r#"{"id":"a","moves":["h8"],"analyzeTurns":[0,1]}"#;
        assert_eq!(queue.push(query(text)).unwrap(), 2);
        let running = queue.take().unwrap();
        assert_eq!(queue.push(query(text)).unwrap_err().id, "a");
        let ended = queue.terminate(Some("a"), None);
        assert_eq!(ended.iter().map(name).collect::<Vec<_>>(), ["a1"]);
        assert!(running.stop.is_stopped() && queue.take().is_none());
        queue.finish(&ended[0]);
        assert!(queue.push(query(text)).is_err());
        queue.finish(&running);
        assert_eq!(queue.push(query(text)).unwrap(), 2);
        assert_eq!(queue.lock().bytes, query(text).size());
    }
}
