//! Threats that are still quiet: what the search takes for answers to them, and the wins that it
//! forces with them, held to the rules and to the prover.

#![allow(clippy::print_stdout, reason = "the long run reports what it found")]

use crate::common::{draw, start};
use fastrand::Rng;
use pentarch::engine::{Engine, Game, Options};
use pentarch::eval::{LineEvaluator, StoneTables};
use pentarch::game::{Color, Move, MoveList, Position as _};
use pentarch::placement::Position;
use pentarch::search::{
    Limits, MoveGenerator as _, SearchPosition, Signal, ThreatBudget, ThreatResult, ThreatSolver,
    ThreatWin, TranspositionTable, Unlimited,
};
use pentarch::tactics::{Prover, Reach, Tactic};
use std::env;
use std::path::Path;
use std::sync::Arc;

/// Games in which captures matter much, on boards small enough for the stones to meet.
const SPECS: [&str; 10] = [
    "pente",
    "keryo-pente",
    "gomoku",
    "ninuki",
    "gomoku-standard",
    "renju",
    "pente+size=11",
    "keryo-pente+size=9",
    "pente+size=9+goal=4",
    "keryo-pente+size=10+goal=4",
];

/// Longer threats are not proved again.
const FURTHEST: u32 = 14;

struct Asker {
    tables: Arc<StoneTables>,
    table: TranspositionTable,
}

impl Asker {
    fn new(spec: &str) -> Asker {
        let tables = Arc::new(StoneTables::new(&spec.parse().unwrap()));
        Asker { tables, table: TranspositionTable::new(4).unwrap() }
    }

    fn tree(&self, position: &Position) -> SearchPosition<Position, LineEvaluator> {
        let evaluator = LineEvaluator::new(Arc::clone(&self.tables), false, 0);
        SearchPosition::new(position.clone(), evaluator)
    }

    /// What the solver makes of fours and captures.
    fn vcf(&self, position: &Position, budget: ThreatBudget) -> ThreatResult {
        self.vcf_nodes(position, budget).0
    }

    /// The same, with the nodes that it took.
    fn vcf_nodes(&self, position: &Position, budget: ThreatBudget) -> (ThreatResult, u64) {
        let mut solver = ThreatSolver::new(&self.table);
        let result = solver.vcf(&mut self.tree(position), &mut Unlimited, budget).unwrap();
        (result, solver.nodes())
    }

    /// What the solver makes of threats of every kind.
    fn dfpn(&self, position: &Position, nodes: u64) -> ThreatResult {
        let mut solver = ThreatSolver::new(&self.table);
        solver.dfpn(&mut self.tree(position), &mut Unlimited, nodes).unwrap()
    }

    /// The length of a null-move threat, where nobody wins at once, with its relevance zone.
    fn null_move_threat(&self, position: &Position) -> Option<(u32, Vec<Move>)> {
        let mut tree = self.tree(position);
        if tree.position.outcome().is_some()
            || tree.evaluator.winning_move(&tree.position).is_some()
            || tree.evaluator.defenses(&tree.position, &mut MoveList::new()).is_some()
        {
            return None;
        }
        let mut solver = ThreatSolver::new(&self.table);
        let budget = ThreatBudget { nodes: 500, threats: 500, narrow: false };
        let threat = solver.null_move_threat(&mut tree, &mut Unlimited, budget).unwrap().win()?;
        Some((threat.plies, solver.zone().to_vec()))
    }

    /// Whether the side to move wins with fours and captures alone.
    fn wins_by_fours(&self, position: &Position) -> bool {
        let mut prover = Prover::new(position, Arc::clone(&self.tables), 3_000_000);
        prover.wins(Reach { plies: 15, quiet: 0 }) != Ok(false)
    }

    /// Plays a claimed win to its end: the attacker asks again at each move, the defender plays
    /// whatever is legal. Returns how many defenses were tried.
    fn play_out(&self, position: &Position, rng: &mut Rng) -> Option<usize> {
        let ThreatWin { mut plies, mut mv } = self.dfpn(position, NODES).win()?;
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
                let zone = self.null_move_threat(&after).map(|(_, zone)| zone);
                let sensible = zone.filter(|zone| !zone.is_empty() && rng.u8(..) < 200);
                let list = sensible.unwrap_or(defenses);
                defenses = vec![list[rng.usize(..list.len())]];
            }
            let mut next = None;
            for &defense in &defenses {
                after.play(defense);
                let context = format!("{} {}", after.rules(), after.text());
                assert_eq!(after.outcome(), None, "{context}");
                let found = self.dfpn(&after, NODES).win();
                let ThreatWin { plies: length, mv: answer } =
                    found.unwrap_or_else(|| panic!("{context}: no win"));
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
        let found = self.null_move_threat(position);
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

/// A position after some moves.
fn position_after(spec: &str, moves: &str) -> Position {
    let mut position = start(spec);
    for text in moves.split(' ') {
        let mv = position.parse_move(text).unwrap();
        position.try_play(mv).unwrap();
    }
    position
}

const PLENTY: ThreatBudget = ThreatBudget { nodes: 10_000, threats: 20, narrow: false };

#[test]
fn a_win_by_fours_is_found_with_its_length() {
    for (spec, moves, plies) in [
        ("gomoku", "g8 a1 h8 c1 i8 e1 j8 g1", 1),
        ("gomoku", "h8 a1 i8 c1 j8 e1", 3),
        // A four whose answer is forced, then one that crosses an open three.
        ("gomoku", "e8 d8 f8 a1 g8 c1 h9 e1 h10 g1 h11 j1", 3),
        ("pente+size=15", "h8 a1 i8 c1 j8 e1", 3),
        // The pair on the e-file, which a stone on e7 captures, blocks two lines of four.
        ("pente-freestyle", "f5 e5 g5 j5 h5 e6 i5 l12 a6 n12 b6 l14 c6 n14 d6 l10 e4 n10", 3),
        // Black's exact fives and open fours win as in Gomoku.
        ("renju", "h8 a1 i8 c1 j8 e1", 3),
    ] {
        let position = position_after(spec, moves);
        let win = Asker::new(spec).vcf(&position, PLENTY).win();
        let ThreatWin { plies: found, mv } = win.unwrap_or_else(|| panic!("{spec} {moves}"));
        assert_eq!(found, plies, "{spec} {moves}");
        assert!(position.is_legal(mv));
    }
}

#[test]
fn no_win_is_claimed_where_the_threats_do_not_win() {
    for (spec, moves) in [
        ("gomoku", "h8 a1"),
        ("gomoku", "h8 a1 i8 c1"),
        // A closed three makes a four that is stopped.
        ("gomoku", "h8 g8 i8 c1 j8 e1"),
        // Six in a row is no win for Black, and two fours at once are forbidden.
        ("renju", "c8 a1 d8 c1 e8 e1 g8 g1 h8 i1"),
        ("renju", "h8 g8 i8 k12 j8 a1 k9 c1 k10 e1 k11 g1"),
        // The pair that makes the four is captured.
        ("pente+size=15", "h8 a1 i9 c1"),
    ] {
        let asker = Asker::new(spec);
        let position = position_after(spec, moves);
        assert_eq!(asker.vcf(&position, PLENTY), ThreatResult::NoWin, "{spec} {moves}");
    }
}

/// Six threes that have nothing to do with each other: their fours can be made in any order. One four of
/// each has a stone beside it, with which it could become a three; the other is alone and leads nowhere.
#[test]
fn threats_that_must_lead_on_and_build_on_each_other_are_not_tried_in_all_orders() {
    let black = [4, 10, 16].map(|row| {
        let beside = row + 2;
        format!("d{row} e{row} f{row} c{beside} p{row} o{row} n{row} q{beside}")
    });
    let white = [4, 10, 16].map(|row| {
        let far = row - 3;
        format!("g{row} m{row} d{far} g{far} j{far} m{far} p{far} s{far}")
    });
    let (black, white) = (black.join(" "), white.join(" "));
    let pairs = black.split(' ').zip(white.split(' '));
    let moves: Vec<&str> = pairs.flat_map(|(black, white)| [black, white]).collect();
    let position = position_after("gomoku+size=19", &moves.join(" "));
    let [all, narrow] = [false, true].map(|narrow| {
        let budget = ThreatBudget { narrow, ..PLENTY };
        let (result, nodes) = Asker::new("gomoku+size=19").vcf_nodes(&position, budget);
        assert_eq!(result, ThreatResult::NoWin);
        nodes
    });
    // The better four of each three, and its answer.
    assert_eq!(narrow, 12);
    assert!(all > 20 * narrow, "{all} nodes");
}

/// The win in 7 begins with a threat that three captures answer.
#[test]
fn a_thrifty_search_follows_no_threat_with_many_defenses() {
    let position = position_after("pente", "j10 i11 i9 k11 h9 h8 j11 j10 i9 g9 k9 j9 g3");
    let [all, narrow] = [false, true]
        .map(|narrow| Asker::new("pente").vcf(&position, ThreatBudget { narrow, ..PLENTY }));
    assert_eq!(all.win().map(|win| win.plies), Some(7));
    assert_eq!(narrow, ThreatResult::NoWin);
}

/// A win that is found so is a win by continuous threats, and few of those are missed.
#[test]
fn threats_that_build_on_each_other_win_nearly_all_that_can_be_won() {
    let (mut wins, mut found) = (0, 0);
    for spec in SPECS {
        for position in (1..=12).flat_map(|seed| positions(spec, seed)) {
            if position.outcome().is_some() {
                continue;
            }
            let [all, narrow] = [false, true].map(|narrow| {
                Asker::new(spec).vcf(&position, ThreatBudget { narrow, ..PLENTY }).win()
            });
            assert!(all.is_some() || narrow.is_none(), "{spec} {}", position.text());
            if all.is_some_and(|win| win.plies >= 5) {
                wins += 1;
                found += usize::from(narrow.is_some());
            }
        }
    }
    assert!(wins >= 20 && found * 10 >= wins * 9, "{found} of {wins}");
}

#[test]
fn a_spent_budget_tells_nothing() {
    let mut spent = 0;
    let tactics = ["gomoku.txt", "pente.txt"].into_iter().flat_map(tactics);
    for tactic in tactics.filter(|tactic| tactic.plies >= 5) {
        let position = tactic.game.placement().unwrap();
        let asker = Asker::new(&tactic.game.rules().to_string());
        let few = asker.vcf(position, ThreatBudget { nodes: 1, ..PLENTY });
        // With what can be seen at once a node may do.
        if few.win().is_some() {
            let fresh = Asker::new(&tactic.game.rules().to_string());
            assert!(fresh.vcf(position, PLENTY).win().is_some(), "{tactic}");
            continue;
        }
        // Nothing wrong is remembered: with more nodes some are won by fours after all.
        if asker.vcf(position, PLENTY).win().is_some() {
            assert_eq!(few, ThreatResult::Unknown, "{tactic}");
            spent += 1;
        } else {
            assert_eq!(asker.dfpn(position, 0), ThreatResult::Unknown, "{tactic}");
        }
    }
    assert!(spent >= 3, "{spent} positions");
}

/// The tree of the caller is left as it was, and the zone holds every move of the proof.
#[test]
fn a_relevance_zone_holds_the_moves_of_its_proof() {
    let mut zones = 0;
    for spec in SPECS {
        let tables = Arc::new(StoneTables::new(&spec.parse().unwrap()));
        for position in [7, 8].into_iter().flat_map(|seed| positions(spec, seed)) {
            let asker =
                Asker { tables: Arc::clone(&tables), table: TranspositionTable::new(1).unwrap() };
            let Some((plies, zone)) = asker.null_move_threat(&position) else { continue };
            let (fresh, key) = (TranspositionTable::new(1).unwrap(), position.key());
            let (mut solver, mut tree) = (ThreatSolver::new(&fresh), asker.tree(&position));
            assert!(tree.null_move());
            let budget = ThreatBudget { nodes: 500, threats: 500, narrow: false };
            let win = solver.vcf(&mut tree, &mut Unlimited, budget).unwrap().win();
            tree.undo();
            assert_eq!(tree.position.key(), key);
            let context = format!("{spec} {}", position.text());
            assert_eq!(win.map(|win| win.plies + 1), Some(plies), "{context}");
            // A cell that becomes free only on the way is no move of the zone.
            for mv in solver.line().iter().filter(|&&mv| position.is_legal(mv)) {
                assert!(zone.contains(mv), "{}, {context}", position.move_text(*mv));
            }
            zones += 1;
        }
    }
    assert!(zones > 20, "{zones} threats");
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
            let Some(ThreatWin { mv, .. }) = without.dfpn(&plain, NODES).win() else { continue };
            if without.wins_by_fours(&plain) || position.outcome().is_some() {
                continue;
            }
            let mut prover = Prover::new(&position, Arc::clone(&with.tables), 300_000);
            if prover.wins(Reach { plies: 7, quiet: 1 }) == Ok(false) {
                let claim = with.dfpn(&position, NODES).win();
                let short = claim.is_some_and(|win| win.plies <= 7);
                assert!(!short, "{}: {}", position.text(), position.move_text(mv));
                broken += i32::from(claim.is_none());
            }
        }
    }
    assert!(broken >= 5, "{broken} positions");
}
