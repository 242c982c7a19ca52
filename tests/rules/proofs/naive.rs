//! A checker of certificates with the naive referee. It has its own parser and uses nothing of the engine.

use super::SMALL;
use crate::common::referee::plain::{End, Plain, State};
use crate::common::referee::{Outcome, Referee};
use std::collections::HashSet;
use std::str::SplitWhitespace;

/// The value that a certificate proves; `moves` lead to its position.
pub(super) fn naive_check(text: &str, moves: &str) -> Result<String, String> {
    let line = |word: &str| text.lines().take(5).find_map(|line| line.strip_prefix(word));
    let referee = Referee::after(line("game ").ok_or("no game")?, moves)?;
    let mut shown = Vec::new();
    for part in text.split("\nstrategy ").skip(1) {
        let (head, moves) = part.split_once('\n').ok_or("no moves")?;
        let words: Vec<_> = head.split(' ').collect();
        let mut naive = Naive {
            player: usize::from(words[0] == "second"),
            wins: words[1] == "win",
            moves: moves.split_whitespace(),
            seen: HashSet::new(),
        };
        naive.walk(&referee)?;
        if naive.moves.next().is_some() {
            return Err("moves are left".to_owned());
        }
        shown.push((naive.player, naive.wins));
    }
    let value = match shown[..] {
        [(0, true)] => "first",
        [(1, true)] => "second",
        [(0, false), (1, false)] => "draw",
        _ => return Err("these strategies prove nothing".to_owned()),
    };
    if line("value ") == Some(value) { Ok(value.to_owned()) } else { Err("value".to_owned()) }
}

/// A walk through all games in which a player follows a strategy, in the order of the format. Of a position
/// and its images only the first is played.
struct Naive<'a> {
    player: usize,
    wins: bool,
    moves: SplitWhitespace<'a>,
    /// The visited positions with the player to move.
    seen: HashSet<u128>,
}

impl Naive<'_> {
    /// Walks from a position on. While an opening limits moves, no position occurs twice.
    fn walk(&mut self, referee: &Referee) -> Result<(), String> {
        if let Some(outcome) = referee.outcome() {
            return self.judge(outcome.winner);
        }
        if let Some((plain, state)) = Plain::of(referee) {
            return self.walk_plainly(&plain, &state);
        }
        let choices = if referee.seat() == self.player {
            vec![self.moves.next().ok_or("a move is missing")?.to_owned()]
        } else {
            // Byte order is column by column.
            referee.legal_moves()
        };
        choices.iter().try_for_each(|text| {
            let mut after = referee.clone();
            after.play(text)?;
            self.walk(&after)
        })
    }

    fn walk_plainly(&mut self, plain: &Plain, state: &State) -> Result<(), String> {
        if state.color != self.player {
            return plain.empty(state).try_for_each(|point| self.play(plain, state, point));
        }
        if !self.seen.insert(number(plain, state)) {
            return Ok(());
        }
        let text = self.moves.next().ok_or("a move is missing")?;
        let point = plain.point(text).filter(|&point| state.points[point] == 0);
        self.play(plain, state, point.ok_or("no empty point")?)
    }

    fn play(&mut self, plain: &Plain, state: &State, point: usize) -> Result<(), String> {
        match plain.after(state, point) {
            (_, Some(end)) => self.judge(end.winner),
            (next, None) => self.walk_plainly(plain, &next),
        }
    }

    fn judge(&self, winner: Option<usize>) -> Result<(), String> {
        let holds = match winner {
            Some(winner) => winner == self.player,
            None => !self.wins,
        };
        if holds { Ok(()) } else { Err("a line fails".to_owned()) }
    }
}

/// The least image of a position as a number in base 3, with the counts of captured stones. Only the images of
/// a position share it.
fn number(plain: &Plain, state: &State) -> u128 {
    let content = |&point: &usize| state.points[point];
    let order = |image: &&Vec<usize>, other: &&Vec<usize>| {
        image.iter().map(content).cmp(other.iter().map(content))
    };
    let least = plain.images().iter().min_by(order).unwrap();
    let digits = least.iter().map(content).map(u128::from);
    state.captured.iter().fold(
        digits.fold(0, |number, digit| number * 3 + digit),
        |number, &count| {
            assert!(count < 100);
            number * 100 + u128::from(count)
        },
    )
}

/// The image of a position under a symmetry.
fn image(image: &[usize], state: &State) -> State {
    let mut moved = *state;
    for (point, &from) in moved.points.iter_mut().zip(image) {
        *point = state.points[from];
    }
    moved
}

/// The two referees have the same moves, boards, counts and ends at every ply of random games, and so have all
/// images.
#[test]
fn the_fast_referee_plays_like_the_slow_one() {
    let mut rng = fastrand::Rng::with_seed(31);
    for spec in SMALL.iter().cycle().take(10 * SMALL.len()) {
        let mut referee = Referee::new(spec).unwrap();
        while referee.outcome().is_none() {
            let legal = referee.legal_moves();
            let plain = Plain::of(&referee);
            assert!(plain.is_some() || referee.plies() < 3, "{spec}");
            if let Some((plain, state)) = plain {
                let points: Vec<_> = legal.iter().filter_map(|text| plain.point(text)).collect();
                assert!(plain.empty(&state).eq(points.iter().copied()), "{spec}");
                for (text, &point) in legal.iter().zip(&points) {
                    let mut after = referee.clone();
                    after.play(text).unwrap();
                    let (next, end) = plain.after(&state, point);
                    let outcome = after.outcome().map(|Outcome { winner, .. }| End { winner });
                    assert_eq!(end, outcome, "{spec}");
                    assert_eq!(next.captured[..], after.captures(), "{spec}");
                    let open = Plain::of(&after).is_none_or(|(_, state)| state == next);
                    assert!(open, "{spec} {text} {state:?}");
                    for symmetry in plain.images() {
                        let there = symmetry.iter().position(|&from| from == point).unwrap();
                        let (moved, moved_end) = plain.after(&image(symmetry, &state), there);
                        assert_eq!((moved, moved_end), (image(symmetry, &next), end), "{spec}");
                    }
                }
            }
            referee.play(&legal[rng.usize(..legal.len())]).unwrap();
        }
    }
}
