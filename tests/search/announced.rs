//! The wins and losses that the engine announces, held to the naive referee.

#![allow(clippy::print_stdout, reason = "the long run reports what it found")]

use crate::common::draw;
use crate::proof::{Board, Failure, prove_loss, prove_win};
use crate::tactics::{FILES, read};
use fastrand::Rng;
use pentarch::engine::{Engine, Game, Options};
use pentarch::game::{Move, Position as _};
use pentarch::search::{Limits, Signal};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the engine and the referee may spend.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Nodes of a search of the engine.
    nodes: u64,
    /// The naive referee's moves for a proof.
    plays: u64,
    /// The longest announcement that is looked at.
    furthest: u32,
}

/// What became of the wins and losses that the engine announced.
#[derive(Debug, Default)]
struct Announcements {
    positions: usize,
    announced: usize,
    /// Proved by the naive referee against every defense, by length.
    proved: BTreeMap<u32, usize>,
    /// Claims that were not looked at for their length.
    far: Vec<String>,
    /// Claims whose proofs would take too many moves.
    costly: Vec<String>,
    /// Claims for which nobody knew how to go on.
    unverified: Vec<String>,
    /// Claims that are wrong.
    refuted: Vec<String>,
}

impl Announcements {
    /// Of one position: a claim must hold by the naive rules.
    fn of(board: &Board, effort: Effort) -> Announcements {
        let mut seen = Announcements { positions: 1, ..Announcements::default() };
        let spec = board.position.rules().to_string();
        let moves: Vec<String> =
            board.position.moves().map(|mv| board.position.move_text(mv)).collect();
        let mut game = Game::new(spec.parse().unwrap());
        for text in &moves {
            game.play(text).unwrap();
        }
        let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
        let limits = Limits::nodes(effort.nodes);
        let found = engine.search(&game, limits, &Signal::new(), |_| ()).unwrap();
        let Some(mate) = found.report.score.mate() else { return seen };
        seen.announced = 1;
        let plies = mate.unsigned_abs();
        let claim = |line: &[String]| format!("{spec} {moves:?}: mate {mate}, after {line:?}");
        if plies > effort.furthest {
            seen.far.push(claim(&[]));
            return seen;
        }
        let proof = if mate > 0 {
            prove_win(board, plies, found.best, effort.plays, Some(engine))
        } else {
            prove_loss(board, plies, effort.plays, engine)
        };
        match proof {
            Ok(()) => *seen.proved.entry(plies).or_default() += 1,
            Err(Failure::TooLong) => seen.costly.push(claim(&[])),
            Err(Failure::Unverified(line)) => seen.unverified.push(claim(&line)),
            Err(Failure::Refuted(line)) => seen.refuted.push(claim(&line)),
        }
        seen
    }

    /// Of the first so many positions, shared out among the processors; prints what was found.
    fn of_first(
        wanted: usize,
        positions: impl Iterator<Item = Board>,
        effort: Effort,
    ) -> Announcements {
        let boards: Vec<Board> = positions.take(wanted).collect();
        let pool = ThreadPoolBuilder::new().stack_size(Engine::STACK).build().unwrap();
        let done = AtomicUsize::new(0);
        let seen = pool.install(|| {
            let seen = boards.par_iter().map(|board| {
                let seen = Announcements::of(board, effort);
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if done.is_multiple_of(500) {
                    println!("{done} of {} positions", boards.len());
                }
                seen
            });
            seen.reduce(Announcements::default, Announcements::join)
        });
        seen.report(effort);
        seen
    }

    fn join(mut self, other: Announcements) -> Announcements {
        self.positions += other.positions;
        self.announced += other.announced;
        for (plies, number) in other.proved {
            *self.proved.entry(plies).or_default() += number;
        }
        self.far.extend(other.far);
        self.costly.extend(other.costly);
        self.unverified.extend(other.unverified);
        self.refuted.extend(other.refuted);
        self
    }

    /// Prints what was found, with all that is undecided.
    fn report(&self, effort: Effort) {
        let proved: usize = self.proved.values().sum();
        let Announcements { positions, announced, .. } = self;
        for (what, claims) in [("long", &self.far), ("costly", &self.costly)] {
            for claim in claims {
                println!("too {what}: {claim}");
            }
        }
        println!(
            "{positions} positions, {announced} wins and losses announced: {proved} proved {:?}, \
             {} of more than {} plies, {} too costly, {} unverified, {} refuted",
            self.proved,
            self.far.len(),
            effort.furthest,
            self.costly.len(),
            self.unverified.len(),
            self.refuted.len(),
        );
    }

    /// No claim was wrong, and enough of them were looked at to say so.
    fn judge(&self) {
        let proved: usize = self.proved.values().sum();
        assert_eq!(self.refuted, Vec::<String>::new());
        assert_eq!(self.unverified, Vec::<String>::new());
        assert!(proved * 2 > self.announced && proved * 4 > self.positions, "{self:?}");
    }
}

const SPECS: [&str; 8] = [
    "pente",
    "keryo-pente",
    "gomoku",
    "ninuki",
    "pente-13",
    "gomoku-standard",
    "keryo-pente+size=9",
    "pente+size=9+goal=4",
];

/// Positions of a random game or, with nodes, of a game that the engine plays with that many a move.
fn positions_of_a_game(spec: &str, seed: u64, nodes: Option<u64>) -> Vec<Board> {
    let mut rng = Rng::with_seed(seed);
    let mut game = Game::new(spec.parse().unwrap());
    let mut engine = Engine::new(Options { hash: 1, seed: seed + 1, ..Options::default() });
    let (mut board, mut boards) = (Board::new(spec, []), Vec::new());
    while game.outcome().is_none() && game.ply() < 90 {
        let random = nodes.is_none() || game.ply() < 5;
        let mv: Option<Move> = if random {
            draw(&board.position, &mut rng)
        } else {
            let limits = Limits::nodes(nodes.unwrap_or(1));
            engine.search(&game, limits, &Signal::new(), |_| ()).unwrap().best
        };
        let text = game.move_text(mv.unwrap());
        if game.ply() >= 5 {
            boards.push(board.clone());
        }
        game.play(&text).unwrap();
        board.position.play(mv.unwrap());
        board.referee.play(&text).unwrap();
    }
    // The end of a game is where wins are announced.
    boards.split_off(boards.len().saturating_sub(7))
}

/// Positions of games of those rulesets in turn.
fn positions<'a>(specs: &'a [&str]) -> impl Iterator<Item = Board> + 'a {
    let games = (0..).flat_map(move |seed| specs.iter().map(move |&spec| (seed, spec)));
    games.flat_map(|(seed, spec)| {
        [None, Some(200)].into_iter().flat_map(move |nodes| positions_of_a_game(spec, seed, nodes))
    })
}

/// Positions of the files of tactics and of games of all [`SPECS`].
fn mixed_positions() -> impl Iterator<Item = Board> {
    let tactics = FILES.into_iter().flat_map(read).map(|tactic| Board::of(&tactic.game));
    tactics.chain(positions(&SPECS))
}

#[test]
fn every_announced_win_holds_against_every_defense_by_the_naive_rules() {
    let effort = Effort { nodes: 3_000, plays: 15_000, furthest: 11 };
    Announcements::of_first(500, mixed_positions(), effort).judge();
}

/// The first win's last move is forbidden after another defense; the second is one of five plies in
/// which a search that knows one of seven does not look for it; the third takes both stones of a turn.
#[test]
fn claims_that_hold_are_not_refuted_for_want_of_advice() {
    for (spec, moves, plies) in [
        (
            "ninuki-renju",
            "h8 d1 i7 e2 h7 j6 g9 h6 h9 g7 f9 j7 f8 h10 i5 h7 j8 e7 h8 j5 i8 j4 j3 k8 i6 i4 l9 k8 k6 h3 \
             h9 j7 i7",
            3,
        ),
        (
            "neutral-pente",
            "j10 k9 N@i9 h7 i10 k10 k11 k8 N@i8 i7 k7 h10 g7 j7 i10 j8 h6 l10 m11",
            5,
        ),
        (
            "connect6",
            "b1 c1 d1 k7 j7 f1 e1 h1 j6 j5 l7 l8 k6 i6 m9 k8 k5 k4 k10 i8 h9 g10 m4 h4 j8 h8 m8",
            2,
        ),
    ] {
        let board = Board::new(spec, moves.split(' ').map(str::to_owned));
        assert_eq!(prove_win(&board, plies, None, u64::MAX, None), Ok(()), "{spec}");
    }
}

/// The line of a loss was that of one move, which another outlasts: it was said to be lost in 6.
#[test]
fn a_loss_lasts_as_long_as_the_best_defense() {
    let moves = "g10 q12 h10 swap q11 i10 f10 i8 q13 q14 q9 q10 p10 h9 f11 j7 k6 h11 h8 f9";
    let board = Board::new("swap2-pente", moves.split(' ').map(str::to_owned));
    let effort = Effort { nodes: 10_000, plays: 1_000_000, furthest: 15 };
    let seen = Announcements::of(&board, effort);
    assert_eq!(seen.proved, BTreeMap::from([(8, 1)]), "{seen:?}");
}

/// A search that ends before it has looked at all moves again knows of the others what it found before:
/// with 50 nodes this position was said to be lost in 4.
#[test]
fn a_loss_is_no_shorter_where_a_search_is_broken_off() {
    let moves = "g7 g6 m7 h6 i6 j3 f6 i2 k2 k10 b5 g5 h3 h8 e5 c3 a1 l11 c6 i4 j2 m12 j5 k11 b13 k6 l5 b3 \
                 e6 d2 h9 l6 l2 g6 g4 g6 f5 d7 d5";
    let board = Board::new("pente-13", moves.split(' ').map(str::to_owned));
    for nodes in (20..=120).step_by(10) {
        let effort = Effort { nodes, plays: 1_000_000, furthest: 15 };
        let seen = Announcements::of(&board, effort);
        assert_eq!(seen.proved, BTreeMap::from([(6, 1)]), "{nodes}: {seen:?}");
    }
}

/// Black's j7 threatens to complete a line on i6. The answer that looks best has two white stones poofed,
/// which loses at once: the win was told a ply too short.
#[test]
fn a_loss_by_a_poof_comes_no_sooner_than_that_by_the_threat() {
    let moves = "j10 i11 k10 i10 k9 i12 i9 k11 j9 i14 i13 k8 j11 h8 i9 k9 k10 l9 m9 j11 l11 k10 k9 l9 k12 h9 \
                 k10 k11 k9 m10 j13 j7";
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    for (left, plies) in [(0, 2), (1, 3), (2, 4)] {
        let board = Board::new("poof-pente", moves[..moves.len() - left].iter().cloned());
        let effort = Effort { nodes: 10_000, plays: 1_000_000, furthest: 15 };
        let seen = Announcements::of(&board, effort);
        assert_eq!(seen.proved, BTreeMap::from([(plies, 1)]), "{left} plies before: {seen:?}");
    }
}

/// The setting of that name, or a default where it is empty.
fn setting(name: &str, default: &str) -> String {
    env::var(name).ok().filter(|text| !text.is_empty()).unwrap_or_else(|| default.to_owned())
}

#[test]
#[ignore = "takes minutes; run scripts/verify-wins"]
fn announced_wins_hold_on_many_positions() {
    let number = |name, default| setting(name, default).parse::<u64>().expect("a number");
    let effort = Effort {
        nodes: number("PENTARCH_NODES", "10000"),
        plays: number("PENTARCH_PLAYS", "2000000"),
        furthest: number("PENTARCH_PLIES", "15") as u32,
    };
    let wanted = number("PENTARCH_POSITIONS", "5000") as usize;
    let variants = setting("PENTARCH_VARIANTS", "");
    let specs: Vec<&str> = variants.split_whitespace().collect();
    if specs.is_empty() {
        Announcements::of_first(wanted, mixed_positions(), effort).judge();
    }
    let mut wrong = Vec::new();
    for spec in specs {
        println!("{spec}:");
        let seen = Announcements::of_first(wanted, positions(&[spec]), effort);
        wrong.extend(seen.refuted.into_iter().chain(seen.unverified));
    }
    assert_eq!(wrong, Vec::<String>::new());
}
