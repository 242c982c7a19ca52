//! Threats that are still quiet: what the search takes for answers to them, and the wins that it
//! forces with them, held to the rules and to the prover.

#![allow(clippy::print_stdout, reason = "the long run tells what it found")]

use crate::common::{draw, start};
use fastrand::Rng;
use pentarch::engine::{Engine, Game, Options};
use pentarch::eval::{LineEvaluator, PatternTables};
use pentarch::game::{Color, MoveList, Position as _};
use pentarch::placement::Position;
use pentarch::search::{AlphaBeta, AlphaBetaSettings, Limits, Signal, TranspositionTable};
use pentarch::tactics::{Prover, Reach, Tactic};
use std::env;
use std::path::Path;
use std::sync::Arc;

/// Games in which captures matter much, on boards small enough for the stones to meet.
const SPECS: [&str; 9] = [
    "pente",
    "keryo-pente",
    "gomoku",
    "ninuki",
    "gomoku-standard",
    "pente+size=11",
    "keryo-pente+size=9",
    "pente+size=9+goal=4",
    "keryo-pente+size=10+goal=4",
];

/// Longer threats are not proved again.
const FURTHEST: u32 = 14;

struct Asker {
    tables: Arc<PatternTables>,
    searcher: AlphaBeta<LineEvaluator>,
}

impl Asker {
    fn new(spec: &str) -> Asker {
        let tables = Arc::new(PatternTables::new(&spec.parse().unwrap()));
        let evaluator = LineEvaluator::new(Arc::clone(&tables), false, 0);
        let table = Arc::new(TranspositionTable::new(4).unwrap());
        Asker {
            tables,
            searcher: AlphaBeta::new(evaluator, table, None, AlphaBetaSettings::default()),
        }
    }

    /// Whether the side to move wins with fours and captures alone.
    fn wins_by_fours(&self, position: &Position) -> bool {
        let mut prover = Prover::new(position, Arc::clone(&self.tables), 3_000_000);
        prover.wins(Reach { plies: 15, quiet: 0 }) != Ok(false)
    }

    /// Plays a claimed win to its end: the attacker asks again at each move, the defender plays
    /// whatever is legal. Returns how many defenses were tried.
    fn play_out(&self, position: &Position, rng: &mut Rng) -> Option<usize> {
        let (mut plies, mut mv) = self.searcher.forced_win(position, NODES)?;
        let mut after = position.clone();
        let mut tried = 0;
        loop {
            after.play(mv);
            if let Some(outcome) = after.outcome() {
                assert_eq!(outcome.winner, Some(position.side_of(position.to_move())));
                return Some(tried);
            }
            // Every defense at first, then one by chance: more often one that answers something.
            let mut defenses = MoveList::new();
            after.legal_moves(&mut defenses);
            if tried > 0 {
                let zone = self.searcher.null_move_threat(&after, 500).map(|(_, zone)| zone);
                let sensible = zone.filter(|zone| !zone.is_empty() && rng.u8(..) < 200);
                let list = sensible.unwrap_or(defenses);
                defenses = vec![list[rng.usize(..list.len())]];
            }
            let mut next = None;
            for &defense in &defenses {
                after.play(defense);
                let context = format!("{} {}", after.rules(), after.text());
                assert_eq!(after.outcome(), None, "{context}");
                let found = self.searcher.forced_win(&after, NODES);
                let (length, answer) = found.unwrap_or_else(|| panic!("{context}: no win"));
                assert!(length + 2 <= plies.max(3), "{context}: {length} after {plies}");
                if next.is_none() || rng.usize(..defenses.len()) == 0 {
                    next = Some((defense, length, answer));
                }
                after.undo();
                tried += 1;
            }
            let (defense, length, answer) = next.unwrap();
            after.play(defense);
            (plies, mv) = (length, answer);
        }
    }

    /// Every move outside of the zone loses as soon as was said. Returns how many there are.
    fn check(&self, position: &Position) -> Option<(usize, usize)> {
        let found = self.searcher.null_move_threat(position, 500);
        let (plies, zone) = found.filter(|&(plies, _)| plies <= FURTHEST)?;
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let mut after = position.clone();
        for &mv in moves.iter().filter(|mv| !zone.contains(mv)) {
            after.play(mv);
            let mut prover = Prover::new(&after, Arc::clone(&self.tables), 1_000_000);
            let won = prover.wins(Reach { plies: plies - 1, quiet: 0 });
            let (text, mv) = (position.text(), position.move_text(mv));
            assert_eq!(won, Ok(true), "{} {text}: {mv} of {plies}", position.rules());
            after.undo();
        }
        Some((zone.len(), moves.len()))
    }
}

/// Every position of a game that the engine plays, with a random move now and then.
fn positions(spec: &str, seed: u64) -> Vec<Position> {
    let mut rng = Rng::with_seed(seed);
    let mut game = Game::new(spec.parse().unwrap());
    let mut engine = Engine::new(Options { hash: 1, seed: seed + 1, ..Options::default() });
    let (mut position, mut positions) = (start(spec), Vec::new());
    while game.outcome().is_none() && game.ply() < 120 {
        let mv = if game.ply() < 5 || rng.u8(..) < 60 {
            draw(&position, &mut rng)
        } else {
            let limits = Limits::nodes(150);
            engine.think_here(&game, limits, &Signal::new(), |_| ()).unwrap().best
        };
        let mv = mv.unwrap();
        game.play(&position.move_text(mv)).unwrap();
        position.play(mv);
        positions.push(position.clone());
    }
    positions
}

fn check_threats(games: u64) {
    let (mut threats, mut zone, mut all) = (0, 0, 0);
    for spec in SPECS {
        let asker = Asker::new(spec);
        for position in (0..games).flat_map(|seed| positions(spec, seed)) {
            if let Some((answers, moves)) = asker.check(&position) {
                (threats, zone, all) = (threats + 1, zone + answers, all + moves);
            }
        }
    }
    println!("{threats} threats, {zone} of {all} moves may answer them");
    assert!(threats as u64 > 5 * games && zone * 4 < all, "{threats} threats, {zone} of {all}");
}

#[test]
fn a_move_that_does_not_touch_a_threat_loses_to_it() {
    check_threats(2);
}

#[test]
#[ignore = "takes minutes; PENTARCH_GAMES_EACH sets how many games of each kind"]
fn a_move_that_does_not_touch_a_threat_loses_to_it_in_many_games() {
    let games = env::var("PENTARCH_GAMES_EACH").ok().and_then(|text| text.parse().ok());
    check_threats(games.unwrap_or(100));
}

/// The nodes that a search for a forced win may visit.
const NODES: u64 = 100_000;

fn tactics(name: &str) -> Vec<Tactic> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tactics").join(name);
    Tactic::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// Positions of the tactics files, all proved by the naive referee or the prover, in which fours
/// and captures alone do not win.
#[test]
fn double_threats_win_where_fours_and_captures_do_not() {
    let mut rng = Rng::with_seed(1);
    for (names, least) in [
        (["pente.txt", "double-pente.txt"].as_slice(), 15),
        (["keryo.txt", "double-keryo.txt"].as_slice(), 8),
        (["gomoku.txt"].as_slice(), 5),
    ] {
        let (mut all, mut won, mut defenses) = (0, 0, 0);
        for tactic in names.iter().flat_map(|name| tactics(name)).filter(|tactic| tactic.plies >= 5)
        {
            let position = tactic.game.placement().unwrap();
            let asker = Asker::new(&tactic.game.rules().to_string());
            if asker.wins_by_fours(position) {
                continue;
            }
            all += 1;
            if let Some(tried) = asker.play_out(position, &mut rng) {
                (won, defenses) = (won + 1, defenses + tried);
            }
        }
        println!("{names:?}: {won} of {all} won, {defenses} defenses");
        assert!(won >= least && won * 3 >= all * 2, "{names:?}: {won} of {all}");
    }
}

/// The same stones win by double threats without captures, but not with them.
#[test]
fn double_threats_that_a_capture_breaks_are_no_wins() {
    let (without, with) = (Asker::new("gomoku+size=19"), Asker::new("pente-freestyle"));
    let mut broken = 0;
    for seed in 0..40 {
        for position in positions("pente-freestyle", seed) {
            if position.captures(Color(0)) + position.captures(Color(1)) > 0 {
                break;
            }
            let mut plain = start("gomoku+size=19");
            for mv in position.moves() {
                plain.play(mv);
            }
            let Some((_, mv)) = without.searcher.forced_win(&plain, NODES) else { continue };
            if without.wins_by_fours(&plain) || position.outcome().is_some() {
                continue;
            }
            let mut prover = Prover::new(&position, Arc::clone(&with.tables), 300_000);
            if prover.wins(Reach { plies: 7, quiet: 1 }) == Ok(false) {
                let claim = with.searcher.forced_win(&position, NODES);
                let short = claim.is_some_and(|(plies, _)| plies <= 7);
                assert!(!short, "{}: {}", position.text(), position.move_text(mv));
                broken += i32::from(claim.is_none());
            }
        }
    }
    assert!(broken >= 5, "{broken} positions");
}
