//! The search against plain minimax, and what it must prove.

use crate::common::{draw, legal, start};
use fastrand::Rng;
use pentarch::engine::{Engine, Game, Options};
use pentarch::eval::{LineEvaluator, StoneTables};
use pentarch::game::{
    Cell, Change, Color, EndReason, IllegalReason, Key, Move, MoveList, Outcome, Position, Seat,
    Side, mix,
};
use pentarch::search::{
    AlphaBeta, AlphaBetaSettings, Bound, Evaluator, Limits, MoveGenerator, Report, Score,
    SearchPosition, Searcher, Signal, ThreatGenerator, TranspositionTable,
};
use rayon::ThreadPoolBuilder;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Values positions by their key, so that no value can be guessed; every move is a candidate.
#[derive(Clone, Debug)]
struct HashEvaluator;

impl<P: Position> Evaluator<P> for HashEvaluator {
    fn reset(&mut self, _: &P) {}
    fn advance(&mut self, _: &P) {}
    fn retract(&mut self, _: &P) {}

    fn value(&mut self, position: &P) -> Score {
        Score::points((mix(position.key().0) % 2001) as i32 - 1000)
    }
}

impl<P: Position> MoveGenerator<P> for HashEvaluator {}

impl<P: Position> ThreatGenerator<P> for HashEvaluator {}

/// The value by trying everything, in the words of the rules only.
fn minimax<P: Position>(position: &mut P, depth: u32, ply: u32) -> Score {
    let side = |p: &P| p.side_of(p.to_move());
    if let Some(outcome) = position.outcome() {
        return match outcome.winner {
            None => Score::DRAW,
            Some(winner) if winner == side(position) => Score::win_in(ply),
            Some(_) => Score::loss_in(ply),
        };
    }
    if depth == 0 {
        return HashEvaluator.value(position);
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mover = side(position);
    let values = moves.into_iter().map(|mv| {
        position.play(mv);
        let value = minimax(position, depth - 1, ply + 1);
        let value = if side(position) == mover { value } else { -value };
        position.undo();
        value
    });
    values.max().expect("an open position has a move")
}

fn search_value<P: Position>(position: &P, depth: u32, threads: usize) -> (Score, Report) {
    let report = search(position, &Limits::depth(depth), threads);
    (report.score, report)
}

fn search<P: Position>(position: &P, limits: &Limits, threads: usize) -> Report {
    let table = Arc::new(TranspositionTable::new(4).unwrap());
    let pool = (threads > 1)
        .then(|| Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().unwrap()));
    let mut searcher = AlphaBeta::new(HashEvaluator, table, pool, AlphaBetaSettings::default());
    searcher.search(position, limits, &Signal::new(), &mut |_: &Report| ()).report
}

#[test]
fn the_search_equals_minimax_on_small_boards() {
    for (spec, depth) in
        [("gomoku+size=3x3+line=3", 9), ("gomoku+size=4x4+line=3", 4), ("pente+size=5", 3)]
    {
        for seed in 0..6 {
            let mut rng = Rng::with_seed(seed);
            let mut position = start(spec);
            for _ in 0..rng.usize(..6) {
                if let Some(mv) = draw(&position, &mut rng) {
                    position.play(mv);
                }
            }
            if position.outcome().is_some() {
                continue;
            }
            let expected = minimax(&mut position, depth, 0);
            for threads in [1, 2] {
                let (value, _) = search_value(&position, depth, threads);
                assert_eq!(value, expected, "{spec} {} threads {threads}", position.text());
            }
        }
    }
}

/// A made-up game: a tree of three moves a node in which seats play in no fixed order, so that a
/// side often moves twice in a row, and whose ends are scattered at random.
#[derive(Clone, Debug)]
struct TurnGame {
    seed: u64,
    path: Vec<Move>,
}

impl TurnGame {
    fn hash(&self) -> u64 {
        self.path.iter().fold(self.seed, |hash, mv| mix(hash ^ u64::from(mv.bits()) << 7))
    }
}

impl Position for TurnGame {
    type Error = IllegalReason;

    fn to_move(&self) -> Seat {
        Seat((self.hash() >> 20) as u8 & 3)
    }
    fn side_of(&self, seat: Seat) -> Side {
        Side(seat.0 & 1)
    }
    fn color_to_move(&self) -> Color {
        Color(self.to_move().0)
    }
    fn ply(&self) -> u32 {
        self.path.len() as u32
    }
    fn outcome(&self) -> Option<Outcome> {
        let ended = !self.path.is_empty() && self.hash().is_multiple_of(13);
        ended.then(|| Outcome::win(Side((self.hash() >> 8) as u8 & 1), EndReason::Line))
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
fn the_sign_flips_with_the_side_and_not_with_the_ply() {
    for seed in 0..40 {
        let mut game = TurnGame { seed: mix(seed), path: Vec::new() };
        for depth in 1..=6 {
            let expected = minimax(&mut game, depth, 0);
            for threads in [1, 2] {
                assert_eq!(search_value(&game, depth, threads).0, expected, "{seed} depth {depth}");
            }
        }
    }
}

/// In a narrow window a move that loses may come before one of which only a bound is known.
#[test]
fn a_search_that_is_broken_off_announces_no_end_that_others_can_avoid() {
    let mut announced = [0, 0];
    for seed in 0..120 {
        let mut game = TurnGame { seed: mix(seed), path: Vec::new() };
        for nodes in (10..400).step_by(3) {
            let report = search(&game, &Limits::nodes(nodes), 1);
            let Some(plies) = report.score.mate().filter(|n| n.unsigned_abs() <= 8) else {
                continue;
            };
            let end = minimax(&mut game, plies.unsigned_abs(), 0);
            assert_eq!(end.is_win(), plies > 0, "{seed} nodes {nodes}");
            assert_eq!(end.is_loss(), plies < 0, "{seed} nodes {nodes}");
            announced[usize::from(plies > 0)] += 1;
        }
    }
    assert!(announced.iter().all(|&count| count > 100), "{announced:?}");
}

fn engine(options: Options) -> Engine {
    Engine::new(options)
}

fn think(
    spec: &str,
    moves: &str,
    limits: Limits,
    options: Options,
) -> (Game, Report, Option<Move>) {
    let mut game = Game::new(spec.parse().unwrap());
    for text in moves.split_whitespace() {
        game.play(text).unwrap();
    }
    let found = engine(options).think_here(&game, limits, &Signal::new(), |_| ()).unwrap();
    (game, found.report, found.best)
}

/// Win, draw or loss for the first player, proved.
fn proved(spec: &str) -> Option<i32> {
    let options = Options { exact: true, ..Options::default() };
    let (_, report, _) = think(spec, "", Limits::default(), options);
    assert!(report.depth > 0, "{spec}: nothing was proved");
    if report.score.mate().is_none() {
        assert_eq!((report.score, report.bound), (Score::DRAW, Bound::Exact), "{spec}");
    }
    report.score.mate().map(i32::signum)
}

#[test]
fn small_mnk_games_have_their_known_values() {
    assert_eq!(proved("gomoku+size=3x3+line=3"), None);
    assert_eq!(proved("gomoku+size=4x3+line=3"), Some(1));
    assert_eq!(proved("gomoku+size=4x4+line=4"), None);
}

#[test]
fn one_thread_with_a_node_limit_is_deterministic() {
    let run = || {
        let (_, report, best) =
            think("pente", "j10 k11 m10 l12", Limits::nodes(20_000), Options::default());
        (report.nodes, report.score, report.depth, report.pv, best)
    };
    let first = run();
    assert_eq!(first.0, 20_000);
    assert_eq!(first, run());
}

#[test]
fn a_win_in_one_is_played_and_a_four_is_blocked() {
    for nodes in [1, 100, 5000] {
        let (game, report, best) =
            think("pente", "j10 a1 k10 c1 l10 e1 m10 g1", Limits::nodes(nodes), Options::default());
        assert!(["i10", "n10"].contains(&game.move_text(best.unwrap()).as_str()));
        assert_eq!(report.score, Score::win_in(1));
        let (game, _, best) =
            think("pente", "j10 i10 k10 c1 l10 e1 m10", Limits::nodes(nodes), Options::default());
        assert_eq!(game.move_text(best.unwrap()), "n10");
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut game = Game::new("gomoku".parse().unwrap());
    game.play("h8").unwrap();
    let only = game.parse_move("a15").unwrap();
    let limits = Limits { search_moves: vec![only], ..Limits::depth(2) };
    let found = engine(Options::default()).think_here(&game, limits, &Signal::new(), |_| ());
    assert_eq!(found.unwrap().best, Some(only));
}

#[test]
fn several_lines_are_reported_in_order_of_worth() {
    let game = Game::new("gomoku".parse().unwrap());
    let mut lines = Vec::new();
    let options = Options { multi_pv: 3, ..Options::default() };
    let mut game = game;
    game.play("h8").unwrap();
    engine(options)
        .think_here(&game, Limits::depth(3), &Signal::new(), |report| lines.push(report.clone()))
        .unwrap();
    let last: Vec<_> = lines.iter().filter(|report| report.depth == 3).collect();
    let score = |rank: u32| last.iter().find(|r| r.multipv == rank).unwrap().score;
    assert!(score(1) >= score(2) && score(2) >= score(3));
    let firsts: std::collections::BTreeSet<_> = last.iter().map(|r| r.pv[0]).collect();
    assert_eq!(firsts.len(), 3);
}

/// The median of a few tries, because another process may hold the machine for a moment.
#[test]
fn a_stopped_search_answers_within_ten_milliseconds() {
    for (spec, threads) in [("pente", 1), ("gomoku", 2), ("gomoku-standard", 1)] {
        let mut game = Game::new(spec.parse().unwrap());
        let first = legal(game.placement().unwrap())[0];
        game.play_move(first).unwrap();
        let mut engine = engine(Options { threads, ..Options::default() });
        let mut stop = || {
            let limits = Limits { infinite: true, ..Limits::default() };
            let thinking = engine.think(&game, limits, false, |_, _| (), |_, _| ()).unwrap();
            std::thread::sleep(Duration::from_millis(60));
            let stopped = Instant::now();
            thinking.stop();
            let found = thinking.join().unwrap();
            assert!(game.legal_moves().contains(&found.best.unwrap()));
            stopped.elapsed()
        };
        let mut tries: Vec<_> = (0..7).map(|_| stop()).collect();
        tries.sort();
        assert!(tries[3] < Duration::from_millis(10), "{spec}: {tries:?}");
    }
}

#[test]
fn proofs_agree_with_minimax_from_any_position() {
    // So late that the games can be tried out, and that many lines are dead.
    for (spec, plies, seeds) in [
        ("gomoku+size=3x3+line=3", 2..7, 400),
        ("gomoku-standard+size=4x3+line=3", 5..9, 400),
        ("gomoku+size=4x4+line=3", 9..13, 400),
        ("gomoku+size=5x4+line=4", 13..18, 200),
        ("gomoku+size=7x3+line=3", 14..19, 300),
    ] {
        for seed in 0..seeds {
            let mut rng = Rng::with_seed(seed);
            let mut position = start(spec);
            for _ in 0..rng.usize(plies.clone()) {
                let moves = legal(&position);
                if !moves.is_empty() {
                    position.play(moves[rng.usize(..moves.len())]);
                }
            }
            if position.outcome().is_some() {
                continue;
            }
            let expected = minimax(&mut position, 99, 0);
            let tables = Arc::new(StoneTables::new(position.rules()));
            let tree = SearchPosition::new(position.clone(), LineEvaluator::new(tables, true, 0));
            let range = tree.evaluator.range(&position);
            let in_range = range.alpha <= expected && expected <= range.beta;
            assert!(in_range, "{spec}, {}: {expected} not in {range:?}", position.text());
            let options = Options { exact: true, hash: 1, ..Options::default() };
            let game = Game::from_text(spec.parse().unwrap(), &position.text()).unwrap();
            let found = engine(options)
                .think_here(&game, Limits::default(), &Signal::new(), |_| ())
                .unwrap();
            let sign = |score: Score| score.mate().map(i32::signum);
            let (got, text) = (found.report.score, position.text());
            assert_eq!(sign(got), sign(expected), "{spec}, {text}");
            let best = found.best.unwrap();
            position.play(best);
            assert_eq!(sign(-minimax(&mut position, 99, 1)), sign(expected), "{spec}, {text}");
        }
    }
}
