//! Tree search on games small enough to be solved, of two and of three sides.

use crate::common::start;
use fastrand::Rng;
use pentarch::game::{
    Cell, Change, Color, EndReason, IllegalReason, Key, Move, MoveList, Outcome, Position, Seat,
    Side, mix,
};
use pentarch::search::{Guide, Limits, Mcts, MctsSettings, Report, Rewards, Searcher, Signal};
use rayon::ThreadPoolBuilder;
use std::sync::Arc;

/// Knows nothing: every move counts alike, games go on at random.
#[derive(Clone, Debug)]
struct NoGuide;

impl<P: Position> Guide<P> for NoGuide {
    fn moves(&mut self, position: &P, _: usize, moves: &mut Vec<(Move, f32)>) -> bool {
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        moves.extend(legal.into_iter().map(|mv| (mv, 1.0)));
        true
    }

    fn estimate(&mut self, position: &mut P, rng: &mut Rng) -> Rewards {
        let mut played = 0;
        let mut legal = MoveList::new();
        while position.outcome().is_none() {
            legal.clear();
            position.legal_moves(&mut legal);
            position.play(legal[rng.usize(..legal.len())]);
            played += 1;
        }
        let winner = position.outcome().and_then(|outcome| outcome.winner);
        (0..played).for_each(|_| assert!(position.undo().is_some()));
        Rewards::of_winner(winner)
    }
}

fn settings() -> MctsSettings {
    MctsSettings { multi_pv: 1, tree_mebibytes: 64, seed: 7 }
}

/// The best move and the last report.
fn search<P: Position>(position: &P, nodes: u64, threads: usize) -> (Option<Move>, Report) {
    let pool = (threads > 1)
        .then(|| Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().unwrap()));
    let mut searcher = Mcts::new(NoGuide, pool, settings());
    let found =
        searcher.search(position, &Limits::nodes(nodes), &Signal::new(), &mut |_: &Report| ());
    (found.best, found.report)
}

/// The winner if all play for their own win, then a draw, and nobody can choose who else wins; if
/// somebody can, the value is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Known(Option<Side>),
    Unknown,
}

fn solve<P: Position>(position: &mut P) -> Value {
    if let Some(outcome) = position.outcome() {
        return Value::Known(outcome.winner);
    }
    let mover = position.side_of(position.to_move());
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut values = Vec::new();
    for mv in moves {
        position.play(mv);
        values.push(solve(position));
        position.undo();
    }
    if values.contains(&Value::Known(Some(mover))) {
        Value::Known(Some(mover))
    } else if values.contains(&Value::Unknown) {
        Value::Unknown
    } else if values.contains(&Value::Known(None)) {
        Value::Known(None)
    } else if values.iter().all(|value| *value == values[0]) {
        values[0]
    } else {
        Value::Unknown
    }
}

fn assert_solved<P: Position>(position: &P, threads: usize) -> Value {
    let value = solve(&mut position.clone());
    let (best, report) = search(position, 60_000, threads);
    let mover = position.side_of(position.to_move());
    match value {
        Value::Known(Some(side)) if side == mover => assert!(report.score.is_win(), "{report:?}"),
        Value::Known(Some(_)) => assert!(report.score.is_loss(), "{report:?}"),
        Value::Known(None) => assert_eq!(report.score.value(), 0, "{report:?}"),
        // It may be certain that it loses, but not to whom.
        Value::Unknown => assert!(!report.score.is_win(), "{report:?}"),
    }
    if let (Value::Known(_), Some(best)) = (value, best) {
        let mut after = position.clone();
        after.play(best);
        assert_eq!(solve(&mut after), value, "the best move keeps the value");
    }
    value
}

#[test]
fn small_boards_are_solved() {
    for (spec, moves) in [
        ("gomoku+size=3x3+line=3", "b2 a1"),
        ("gomoku+size=3x3+line=3", "b2 b1"),
        ("gomoku+size=3x3+line=3", "a1 b1 a3"),
        ("gomoku+size=4x3+line=3", "b2 a1 d3"),
    ] {
        let mut position = start(spec);
        for text in moves.split(' ') {
            position.try_play(position.parse_move(text).unwrap()).unwrap();
        }
        for threads in [1, 2] {
            assert!(matches!(assert_solved(&position, threads), Value::Known(_)), "{spec} {moves}");
        }
    }
}

/// A made-up game of three sides: a tree of three moves a node, whose seats play in no fixed
/// order and whose ends are scattered at random.
#[derive(Clone, Debug)]
struct ThreeSides {
    seed: u64,
    path: Vec<Move>,
}

impl ThreeSides {
    fn hash(&self) -> u64 {
        self.path.iter().fold(self.seed, |hash, mv| mix(hash ^ u64::from(mv.bits()) << 7))
    }
}

impl Position for ThreeSides {
    type Error = IllegalReason;

    fn to_move(&self) -> Seat {
        Seat((self.hash() >> 20) as u8 % 3)
    }
    fn side_of(&self, seat: Seat) -> Side {
        Side(seat.0)
    }
    fn color_to_move(&self) -> Color {
        Color(self.to_move().0)
    }
    fn ply(&self) -> u32 {
        self.path.len() as u32
    }
    fn outcome(&self) -> Option<Outcome> {
        let ended = self.path.len() >= 5 || !self.path.is_empty() && self.hash().is_multiple_of(9);
        let winner = (self.hash() >> 8) as u8 % 6;
        ended.then(|| match winner {
            3.. => Outcome::draw(EndReason::FullBoard),
            side => Outcome::win(Side(side), EndReason::Line),
        })
    }
    fn legal_moves(&self, moves: &mut MoveList) {
        if self.outcome().is_none() {
            moves.extend((0..3).map(|n| Move::stone(Cell(n))));
        }
    }
    fn check(&self, _: Move) -> Result<(), IllegalReason> {
        Ok(())
    }
    fn play(&mut self, mv: Move) {
        self.path.push(mv);
    }
    fn undo(&mut self) -> Option<Move> {
        self.path.pop()
    }
    fn key(&self) -> Key {
        Key(self.hash())
    }
    fn changes(&self) -> &[Change] {
        &[]
    }
}

#[test]
fn games_of_three_sides_are_solved_where_nobody_makes_kings() {
    let mut values = Vec::new();
    for seed in 0..120 {
        let position = ThreeSides { seed: mix(seed), path: Vec::new() };
        values.push(assert_solved(&position, 1 + seed as usize % 2));
    }
    let mover_wins = values.iter().filter(|value| matches!(value, Value::Known(Some(_)))).count();
    let drawn = values.iter().filter(|value| **value == Value::Known(None)).count();
    let unknown = values.iter().filter(|value| **value == Value::Unknown).count();
    assert!(mover_wins > 10 && drawn > 2 && unknown > 2, "{mover_wins} {drawn} {unknown}");
}

/// The tree stops growing at its limit, and the search goes on.
#[test]
fn a_full_tree_is_searched_on() {
    let position = start("gomoku+size=9");
    let settings = MctsSettings { tree_mebibytes: 1, ..settings() };
    let mut last = 0;
    let mut sink = |report: &Report| last = report.hashfull;
    let mut searcher = Mcts::new(NoGuide, None, settings);
    let found = searcher.search(&position, &Limits::nodes(4000), &Signal::new(), &mut sink);
    assert_eq!((found.report.nodes, last), (4000, 1000));
    assert!(found.best.is_some());
}
