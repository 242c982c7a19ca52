//! The evaluator's short cuts against the rules, at every ply of random games of every ruleset.

use crate::common::{draw, legal, specs, start};
use fastrand::Rng;
use pentarch::eval::{
    ACCUMULATOR_SIZE, CAPTURE_BUCKETS, EvalFile, FeatureBuckets, FloatNetwork, FloatPolicy, HIDDEN,
    INPUTS, LineEvaluator, Network, NetworkInput, POLICY_HIDDEN, Policy, RuleClass, StoneTables,
    THREAT_BUCKETS, ValueTerm, WeightedEvaluator as _, Weights,
};
use pentarch::game::{Cell, EndReason, Move, Position as _};
use pentarch::placement::Position;
use pentarch::rules::OpeningStage;
use pentarch::rules::RuleTier;
use pentarch::search::{
    Evaluator as _, MoveGenerator as _, Score, SearchPosition, ThreatGenerator as _,
};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

type Pair = SearchPosition<Position, LineEvaluator>;

/// Calls `law` at every open ply of random games, with an evaluator that followed all of them
/// and, now and then, plies that were taken back.
fn at_every_ply(law: impl FnMut(&mut Pair, &str)) {
    at_every_ply_with(|spec| StoneTables::new(&spec.parse().unwrap()), law);
}

/// The same with other tables.
fn at_every_ply_with(tables: impl Fn(&str) -> StoneTables, mut law: impl FnMut(&mut Pair, &str)) {
    let plays_lines = |position: &Position| {
        position.rules().tier() < RuleTier::Full && position.stage() == OpeningStage::Play
    };
    let plain = specs().into_iter().filter(|spec| plays_lines(&start(spec)));
    for spec in plain {
        let tables = Arc::new(tables(&spec));
        for seed in 0..3 {
            let mut rng = Rng::with_seed(seed);
            let evaluator = LineEvaluator::new(Arc::clone(&tables), false, 0);
            let mut tree = SearchPosition::new(start(&spec), evaluator);
            while let Some(mv) = draw(&tree.position, &mut rng) {
                let context = format!("{spec}, game {seed}, {}", tree.position.text());
                law(&mut tree, &context);
                tree.play(mv);
            }
        }
    }
}

/// What a move leads to: whether it ended the game with a win, and how much it captured.
fn effect(tree: &mut Pair, mv: Move) -> (bool, u32) {
    let mover = tree.position.color_to_move();
    let before = tree.position.captures(mover);
    tree.play(mv);
    let won = tree.position.outcome().is_some_and(|outcome| outcome.winner.is_some());
    let captured = tree.position.captures(mover) - before;
    tree.undo();
    (won, captured.into())
}

#[test]
fn winning_and_capturing_cells_are_what_playing_them_does() {
    at_every_ply(|tree, context| {
        let (position, evaluator) = (&tree.position, &tree.evaluator);
        let mover = position.color_to_move();
        let legal = legal(position);
        let is_legal = |cell: &Cell| legal.contains(&Move::stone(*cell));
        let winning: BTreeSet<_> =
            evaluator.winning_cells(position, mover).filter(is_legal).collect();
        let capturing: BTreeSet<_> = evaluator.capturing_cells(mover).filter(is_legal).collect();
        let winning_move = evaluator.winning_move(position);
        assert_eq!(winning_move.is_some(), !winning.is_empty(), "{context}");
        for mv in legal {
            let cell = mv.cell().unwrap();
            let label = tree.position.grid().label(cell);
            let (won, captured) = effect(tree, mv);
            assert_eq!(winning.contains(&cell), won, "wins at {label}, {context}");
            assert_eq!(capturing.contains(&cell), captured > 0, "captures at {label}, {context}");
            let reported = tree.evaluator.captured_at(mover, cell);
            assert_eq!(reported, captured, "{label}, {context}");
        }
    });
}

#[test]
fn replies_are_asked_for_exactly_when_the_other_side_threatens_and_none_is_missed() {
    at_every_ply(|tree, context| {
        if tree.evaluator.winning_move(&tree.position).is_some() {
            return;
        }
        let mut replies = Vec::new();
        let threatened = tree.evaluator.defenses(&tree.position, &mut replies).is_some();
        let legal = legal(&tree.position);
        assert!(replies.iter().all(|mv| legal.contains(mv)), "{context}");
        for mv in legal {
            tree.play(mv);
            let open = tree.position.outcome().is_none();
            let loses = open && tree.evaluator.winning_move(&tree.position).is_some();
            tree.undo();
            let text = tree.position.move_text(mv);
            assert!(threatened || !loses, "{text} loses unannounced, {context}");
            assert!(!threatened || loses || replies.contains(&mv), "{text} holds, {context}");
        }
    });
}

#[test]
fn no_reply_leaves_a_line_to_complete() {
    let mut captures = 0;
    at_every_ply(|tree, context| {
        if tree.evaluator.winning_move(&tree.position).is_some() {
            return;
        }
        let mut replies = Vec::new();
        tree.evaluator.defenses(&tree.position, &mut replies);
        for mv in replies {
            let text = tree.position.move_text(mv);
            tree.play(mv);
            let open = tree.position.outcome().is_none();
            captures += usize::from(tree.position.changes().len() > 1);
            for five in legal(&tree.position).into_iter().filter(|_| open) {
                tree.play(five);
                let reason = tree.position.outcome().map(|outcome| outcome.reason);
                tree.undo();
                assert_ne!(reason, Some(EndReason::Line), "{text}, {context}");
            }
            tree.undo();
        }
    });
    assert!(captures > 100, "{captures}");
}

#[test]
fn captures_after_which_another_one_wins_are_threats() {
    let mut found = 0;
    at_every_ply(|tree, context| {
        let mover = tree.position.color_to_move();
        let capture = tree.position.rules().capture();
        let Some(goal) = capture.and_then(|capture| capture.goal) else { return };
        let mut threats = Vec::new();
        tree.evaluator.threat_moves(&tree.position, false, &mut threats);
        let legal = legal(&tree.position);
        for cell in tree.evaluator.capturing_cells(mover).collect::<Vec<_>>() {
            let mv = Move::stone(cell);
            if !legal.contains(&mv) {
                continue;
            }
            tree.play(mv);
            let missing = goal.saturating_sub(tree.position.captures(mover));
            let (evaluator, open) = (&tree.evaluator, tree.position.outcome().is_none());
            let mut others = evaluator.capturing_cells(mover);
            let wins = others.any(|other| evaluator.captured_at(mover, other) >= missing.into());
            drop(others);
            tree.undo();
            if open && wins {
                let text = tree.position.move_text(mv);
                assert!(threats.contains(&mv), "{text}, {context}");
                found += 1;
            }
        }
    });
    assert!(found > 100, "{found}");
}

#[test]
fn following_moves_comes_to_the_same_as_starting_afresh() {
    at_every_ply(|tree, context| {
        let value = tree.evaluator.value(&tree.position);
        let (position, evaluator) = (&tree.position, &tree.evaluator);
        let mut fresh = evaluator.clone();
        fresh.reset(position);
        assert_eq!(value, fresh.value(position), "{context}");
        for mv in legal(position) {
            let same = evaluator.ordering_score(position, mv) == fresh.ordering_score(position, mv);
            assert!(same, "{}, {context}", position.move_text(mv));
        }
    });
}

/// Values that lag behind the moves, with plies taken back on the way, some before the evaluator has
/// seen them, catch up. The key of the table does not wait for that.
#[test]
fn values_are_the_same_whenever_they_are_asked_for() {
    for spec in ["gomoku", "gomoku-standard", "renju"] {
        let tables = Arc::new(StoneTables::new(&spec.parse().unwrap()));
        for seed in 0..20 {
            let mut rng = Rng::with_seed(seed);
            let evaluator = LineEvaluator::new(Arc::clone(&tables), false, 0);
            let mut tree = SearchPosition::new(start(spec), evaluator);
            for step in 0..300 {
                let mv = draw(&tree.position, &mut rng).filter(|_| rng.u8(..3) > 0);
                match mv {
                    Some(mv) => {
                        tree.make_move(mv);
                        if rng.u8(..4) == 0 {
                            tree.undo();
                        } else {
                            let key = tree.evaluator.table_key(&tree.position);
                            tree.update_evaluator();
                            assert_eq!(key, tree.evaluator.table_key(&tree.position), "{spec}");
                        }
                    }
                    None => (0..rng.usize(..6).min(tree.position.ply() as usize))
                        .for_each(|_| tree.undo()),
                }
                if rng.u8(..4) == 0 && tree.position.outcome().is_none() {
                    let value = tree.evaluator.value(&tree.position);
                    let mut fresh = tree.evaluator.clone();
                    fresh.reset(&tree.position);
                    let context = format!("{spec}, game {seed}, step {step}");
                    assert_eq!(value, fresh.value(&tree.position), "{context}");
                }
            }
        }
    }
}

#[test]
fn candidates_are_legal_and_never_none() {
    at_every_ply(|tree, context| {
        let mut moves = Vec::new();
        tree.evaluator.candidates(&tree.position, &mut moves);
        assert!(!moves.is_empty(), "{context}");
        assert!(moves.iter().all(|&mv| tree.position.is_legal(mv)), "{context}");
        let distinct: BTreeSet<_> = moves.iter().collect();
        assert_eq!(distinct.len(), moves.len(), "{context}");
    });
}

#[test]
fn candidates_are_listed_as_quiet_or_as_tactical() {
    let mut seen = [0; 2];
    at_every_ply(|tree, context| {
        let (position, evaluator) = (&tree.position, &tree.evaluator);
        let [mut all, mut quiet, mut tactical] = [Vec::new(), Vec::new(), Vec::new()];
        evaluator.candidates(position, &mut all);
        evaluator.quiet_moves(position, &mut quiet);
        evaluator.tactical_moves(position, &mut tactical);
        let is_quiet = |mv: &Move| evaluator.is_quiet(position, *mv);
        let (expected, others): (Vec<Move>, Vec<Move>) = all.into_iter().partition(is_quiet);
        assert_eq!(quiet, expected, "{context}");
        assert!(others.iter().all(|mv| tactical.contains(mv)), "{context}");
        assert!(!tactical.iter().any(is_quiet), "{context}");
        seen = [seen[0] + quiet.len(), seen[1] + others.len()];
    });
    assert!(seen.iter().all(|&seen| seen > 10_000), "{seen:?}");
}

/// What terms come to with weights.
pub(crate) fn total(terms: &[ValueTerm], weights: &[i16]) -> i32 {
    let weigh =
        |&(place, count): &ValueTerm| i32::from(weights[usize::from(place)]) * i32::from(count);
    terms.iter().map(weigh).sum()
}

#[test]
fn terms_add_up_to_values_and_ordering_scores() {
    at_every_ply(|tree, context| {
        let value = tree.evaluator.value(&tree.position);
        let (position, evaluator) = (&tree.position, &tree.evaluator);
        let weights = Weights::built_in(RuleClass::of(position.rules()));
        let (values, ordering) = (weights.values(), weights.ordering());
        let terms = evaluator.value_terms(position);
        assert_eq!(terms.others, Vec::<Vec<_>>::new());
        let points = total(&terms.sum, &values) * evaluator.scale_percent() / 100;
        assert_eq!(value, Score::points(points), "{context}");
        for mv in legal(position) {
            let terms = evaluator.ordering_terms(position, mv).into_iter();
            let sum: i32 = terms.map(|place| i32::from(ordering[usize::from(place)])).sum();
            // What all but wins is not fitted.
            let added = evaluator.ordering_score(position, mv) - sum;
            assert!([0, 2000, 4000, 9000].contains(&added), "{added}, {context}");
        }
    });
}

/// A network of no use, whose numbers are as large as those of one that was fitted.
fn any_network(rule_class: RuleClass, buckets: &FeatureBuckets) -> Network {
    let mut rng = Rng::with_seed(5);
    let mut numbers = |count: usize, width: f32| {
        (0..count).map(|_| width * (2.0 * rng.f32() - 1.0)).collect::<Vec<f32>>()
    };
    let rows = buckets.count() * buckets.count();
    let mut cells = numbers(rule_class.perspectives() * rows * ACCUMULATOR_SIZE, 0.1);
    cells.chunks_mut(rows * ACCUMULATOR_SIZE).for_each(|view| view[..ACCUMULATOR_SIZE].fill(0.0));
    let float = FloatNetwork {
        cells,
        threats: numbers(THREAT_BUCKETS * ACCUMULATOR_SIZE, 0.2),
        captures: numbers(CAPTURE_BUCKETS * ACCUMULATOR_SIZE, 0.2),
        bias: numbers(ACCUMULATOR_SIZE, 0.5),
        hidden: numbers(HIDDEN * INPUTS, 0.5),
        hidden_bias: numbers(HIDDEN, 0.5),
        output: numbers(HIDDEN, 0.5),
        output_bias: 0.1,
    };
    let singles = rule_class.perspectives() * buckets.count() * POLICY_HIDDEN;
    let policy = FloatPolicy {
        pairs: numbers(rule_class.perspectives() * rows, 2.0),
        own: numbers(singles, 1.0),
        their: numbers(singles, 1.0),
        hidden: numbers(POLICY_HIDDEN * INPUTS, 0.2),
        threats: numbers(THREAT_BUCKETS * POLICY_HIDDEN, 0.5),
    };
    Network::quantize(rule_class, buckets.clone(), &float, 1.0)
        .with_policy(Policy::quantize(&policy, 350.0))
}

#[test]
fn networks_follow_moves_and_are_read_as_they_are_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (mut corrected, mut ordered) = (0, 0);
    for rule_class in [RuleClass::Captures, RuleClass::Lines, RuleClass::Renju] {
        let buckets = FeatureBuckets::new(2, [true, false, true, false]).unwrap();
        let network = any_network(rule_class, &buckets);
        let path = folder.join(format!("{rule_class}.network"));
        std::fs::write(&path, network.to_bytes(&["of no use".to_owned()])).unwrap();
        let file = EvalFile::read(&path).unwrap();
        assert_eq!(**file.network(rule_class).unwrap(), network);
        let tables = |spec: &str| StoneTables::with_file(&spec.parse().unwrap(), Some(&file));
        at_every_ply_with(tables, |tree, context| {
            let value = tree.evaluator.value(&tree.position);
            let (position, evaluator) = (&tree.position, &tree.evaluator);
            let mut fresh = evaluator.clone();
            fresh.reset(position);
            assert_eq!(value, fresh.value(position), "{context}");
            let of_weights = evaluator.value_without_network(position);
            // Games that the file is not for are played by the network of the program, if any.
            let is_for = RuleClass::of(position.rules()) == rule_class;
            let built_in = || Network::built_in(position.rules()).map(|network| &**network);
            let used = if is_for { Some(&network) } else { built_in() };
            let points = used.map_or(0, |network| {
                network.correction(&evaluator.network_input(position, network.buckets()))
            });
            assert_eq!(value, of_weights.plus(points), "{context}");
            let mut scores: Vec<(Move, i32)> =
                legal(position).into_iter().map(|mv| (mv, 3)).collect();
            let moves = scores.clone();
            tree.evaluator.add_ordering_scores(&tree.position, &mut scores);
            let (position, evaluator) = (&tree.position, &tree.evaluator);
            for ((mv, _), (_, score)) in moves.into_iter().zip(scores) {
                let points = used.map_or(0, |network| {
                    let buckets = network.buckets();
                    let groups = evaluator.buckets_of(position, mv, buckets);
                    network.ordering_points(&evaluator.network_input(position, buckets), groups)
                });
                let expected = 3 + evaluator.ordering_score(position, mv) + points;
                assert_eq!(score, expected, "{context}");
                ordered += usize::from(points != 0);
            }
            corrected += usize::from(points != 0);
        });
    }
    assert!(corrected > 1000 && ordered > 1000, "{corrected} {ordered}");
}

#[test]
fn what_is_no_network_is_refused() {
    let buckets = FeatureBuckets::new(1, [false; 4]).unwrap();
    let bytes = any_network(RuleClass::Lines, &buckets).to_bytes(&[]);
    let said = |bytes: &[u8]| Network::from_bytes(bytes).unwrap_err().to_string();
    assert!(said(b"games lines").contains("expected the first line `pentarch evaluation"));
    assert!(said(&bytes[..bytes.len() - 1]).contains("cannot be decompressed"));
    assert!(said(b"pentarch evaluation 2\nkind network\n\n").contains("cannot be decompressed"));
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
    let other = |from: &str, to: &str| {
        let text = String::from_utf8_lossy(&bytes[..end]).replacen(from, to, 1);
        said(&[text.as_bytes(), &bytes[end..]].concat())
    };
    assert!(other("lines", "chess").contains("field `games`: expected one of"));
    assert!(other("buckets 1", "buckets 9").contains("field `buckets`: expected 1 to 3"));
    assert!(other("buckets 1", "buckets 1 flag").contains("field `buckets`: unknown flag"));
    assert!(other("buckets 1", "packets 1").contains("field `buckets`: missing"));
    assert!(other("buckets", "color red\nbuckets").contains("field `color`: unknown"));
    assert!(other("tensor output ", "tensor input ").contains("tensor `output`: missing"));
    // The numbers of a smaller network.
    assert!(other("buckets 1", "buckets 2").contains("tensor `cells`: expected "));
    assert!(other("hidden_bias i32 16", "hidden_bias i16 32").contains("expected i32, found i16"));
}

/// The same cells are worth other points to a color that some moves are forbidden.
#[test]
fn networks_tell_colors_apart_where_the_rules_do() {
    let buckets = FeatureBuckets::new(2, [false; 4]).unwrap();
    for rule_class in [RuleClass::Lines, RuleClass::Renju] {
        let network = any_network(rule_class, &buckets);
        let points = [0, 1].map(|mover| {
            let cells = vec![[3, 0], [9, 2], [0, 17]];
            network.correction(&NetworkInput { cells, mover, threat_bucket: 0, capture_bucket: 0 })
        });
        assert_eq!(
            points[0] == points[1],
            rule_class == RuleClass::Lines,
            "{rule_class}: {points:?}"
        );
    }
    let value = |moves: &str| {
        let mut position = start("renju");
        for text in moves.split(' ') {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
        }
        let tables = StoneTables::with_file(&"renju".parse().unwrap(), None);
        let mut evaluator = LineEvaluator::new(Arc::new(tables), false, 0);
        evaluator.reset(&position);
        evaluator.value(&position)
    };
    // Two open twos that cross, of whoever is to move: a three-three is forbidden to Black alone.
    let black = value("g8 a1 i8 a15 h7 o1 h9 o15");
    let white = value("a1 g8 a15 i8 o1 h7 o15 h9 h1");
    assert!(black < white, "{black:?} {white:?}");
}
