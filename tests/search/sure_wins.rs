//! Wins and losses that the evaluator sees without a search, held to the prover.

use crate::common::{draw, legal, specs, start};
use fastrand::Rng;
use pentarch::eval::{LineEvaluator, StoneTables};
use pentarch::game::{Color, Move, MoveList, Position as _};
use pentarch::placement::Position;
use pentarch::rules::RuleTier;
use pentarch::search::{MoveGenerator as _, SearchPosition, ThreatGenerator as _, ThreatWin};
use pentarch::tactics::{Prover, Reach};
use std::sync::Arc;

type Pair = SearchPosition<Position, LineEvaluator>;

/// Calls `law` at the positions of games in which nobody wins with the next move.
fn at_quiet_positions(spec: &str, games: u64, mut law: impl FnMut(&mut Pair, &Judge)) {
    let judge = Judge { tables: Arc::new(StoneTables::new(&spec.parse().unwrap())) };
    for seed in 0..games {
        let mut rng = Rng::with_seed(seed);
        let evaluator = LineEvaluator::new(Arc::clone(&judge.tables), false, 0);
        let mut tree = SearchPosition::new(start(spec), evaluator);
        while let Some(mv) = next(&tree, &mut rng) {
            tree.play(mv);
            let over = tree.position.outcome().is_some()
                || tree.evaluator.winning_move(&tree.position).is_some();
            if !over && tree.evaluator.defenses(&tree.position, &mut MoveList::new()).is_none() {
                law(&mut tree, &judge);
            }
        }
    }
}

/// The best of a few moves near the stones, so that lines grow and are not finished at once; now and then
/// any other.
fn next(tree: &Pair, rng: &mut Rng) -> Option<Move> {
    let any = draw(&tree.position, rng)?;
    let mut moves = MoveList::new();
    tree.evaluator.candidates(&tree.position, &mut moves);
    if moves.is_empty() || rng.u8(..) < 30 {
        return Some(any);
    }
    let some = (0..8).map(|_| moves[rng.usize(..moves.len())]);
    some.max_by_key(|&mv| tree.evaluator.ordering_score(&tree.position, mv))
}

struct Judge {
    tables: Arc<StoneTables>,
}

impl Judge {
    /// Whether the side to move wins within so many plies, with so many quiet moves.
    fn wins(&self, position: &Position, plies: u32, quiet: u32) -> bool {
        let mut prover = Prover::new(position, Arc::clone(&self.tables), 20_000_000);
        prover.wins(Reach { plies, quiet }) == Ok(true)
    }

    /// The same by a move.
    fn wins_by(&self, position: &Position, ThreatWin { plies, mv }: ThreatWin, quiet: u32) -> bool {
        let mut prover = Prover::new(position, Arc::clone(&self.tables), 20_000_000);
        prover.wins_by(mv, Reach { plies, quiet }) == Ok(true)
    }
}

/// The games of lines, on a smaller board as well.
fn games_of_lines() -> Vec<String> {
    let plays = |spec: &String| {
        let position = start(spec);
        let rules = position.rules();
        rules.tier() < RuleTier::Full && rules.swap().is_none() && rules.capture().is_none()
    };
    let smaller = ["gomoku+size=9", "gomoku-standard+size=9", "renju"].map(str::to_owned);
    specs().into_iter().filter(plays).chain(smaller).collect()
}

#[test]
fn wins_that_are_seen_are_wins_and_no_win_in_three_is_missed() {
    let (mut fours, mut longer, mut threes) = (0, 0, 0);
    for spec in games_of_lines() {
        at_quiet_positions(&spec, 12, |tree, judge| {
            let position = &tree.position;
            let context = format!("{spec} {}", position.text());
            let by_fours = tree.evaluator.static_vcf(&tree.position);
            // What Black must not answer wins for White as well.
            let sees_all =
                judge.tables.fives_are_exact() && !position.rules().renju_restricts(Color(0));
            let wins_in_three = judge.wins(position, 3, 0);
            match by_fours {
                Some(win) => {
                    assert!(judge.wins_by(position, win, 0), "{context}: {win:?}");
                    assert!(!sees_all || wins_in_three == (win.plies == 3), "{context}: {win:?}");
                    (fours, longer) = (fours + 1, longer + u32::from(win.plies == 5));
                }
                None => assert!(!sees_all || !wins_in_three, "{context}: missed"),
            }
            match tree.evaluator.static_win(&tree.position) {
                Some(win) if by_fours.is_none() => {
                    assert!(judge.wins_by(position, win, 1), "{context}: {win:?}");
                    threes += 1;
                }
                win => assert_eq!(win, by_fours, "{context}"),
            }
        });
    }
    assert!(fours > 100 && longer > 10 && threes > 5, "{fours}, {longer}, {threes}");
}

#[test]
fn every_move_but_the_defenses_loses_to_an_open_four() {
    let (mut threats, mut lost, mut others) = (0, 0, 0);
    for spec in games_of_lines() {
        at_quiet_positions(&spec, 12, |tree, judge| {
            let mut defenses = MoveList::new();
            if !tree.evaluator.open_four_defenses(&tree.position, &mut defenses) {
                return;
            }
            let mut position = tree.position.clone();
            let context = format!("{spec} {}", position.text());
            for mv in legal(&position).into_iter().filter(|mv| !defenses.contains(mv)) {
                position.play(mv);
                assert!(judge.wins(&position, 3, 0), "{context}: {}", position.text());
                position.undo();
                others += 1;
            }
            assert!(defenses.iter().all(|&mv| position.is_legal(mv)), "{context}");
            (threats, lost) = (threats + 1, lost + u32::from(defenses.is_empty()));
        });
    }
    assert!(threats > 100 && lost > 5 && others > 5000, "{threats}, {lost}, {others}");
}

#[test]
fn nothing_is_sure_where_stones_can_be_captured() {
    for spec in ["pente", "ninuki"] {
        let mut seen = 0;
        at_quiet_positions(spec, 4, |tree, _| {
            assert_eq!(tree.evaluator.static_win(&tree.position), None, "{}", tree.position.text());
            assert!(!tree.evaluator.open_four_defenses(&tree.position, &mut MoveList::new()));
            seen += usize::from(tree.position.color_to_move() == Color(0));
        });
        assert!(seen > 20, "{seen}");
    }
}
