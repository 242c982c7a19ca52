//! The evaluator of variants against the rules, at every ply of random games.

use crate::common::{draw, legal, specs, start};
use crate::eval::total;
use fastrand::Rng;
use pentarch::board::CellContent;
use pentarch::eval::{RuleClass, StoneTables, VariantEvaluator, WeightedEvaluator as _, Weights};
use pentarch::game::{Cell, Color, EndReason, Move, MoveKind, Outcome, Position as _};
use pentarch::placement::Position;
use pentarch::rules::OpeningStage;
use pentarch::rules::RuleTier;
use pentarch::search::{
    Evaluator as _, MoveGenerator as _, Score, SearchPosition, ThreatGenerator as _,
};
use std::collections::BTreeSet;
use std::sync::Arc;

type Pair = SearchPosition<Position, VariantEvaluator<4>>;

/// Calls `law` at every open ply of random games of all rulesets that are more than lines and pairs,
/// with an evaluator that followed all of them and, now and then, plies that were taken back.
pub(crate) fn at_every_ply(games: u64, mut law: impl FnMut(&mut Pair, &str)) {
    for spec in specs().into_iter().filter(|spec| start(spec).rules().tier() != RuleTier::Plain) {
        let tables = Arc::new(StoneTables::new(&spec.parse().unwrap()));
        for seed in 0..games {
            let mut rng = Rng::with_seed(seed);
            let evaluator = VariantEvaluator::new(Arc::clone(&tables), false, 0);
            let mut tree = SearchPosition::new(start(&spec), evaluator);
            while let Some(mv) = draw(&tree.position, &mut rng) {
                let context = format!("{spec}, game {seed}, {}", tree.position.text());
                law(&mut tree, &context);
                tree.play(mv);
            }
        }
    }
}

/// Whether a move wins at once for whoever makes it.
pub(crate) fn wins(position: &Position, mv: Move) -> bool {
    let side = position.side_of(position.to_move());
    position.outcome_after(mv).is_some_and(|outcome| outcome.winner == Some(side))
}

#[test]
fn winning_moves_win_and_no_winning_stone_is_missed() {
    at_every_ply(2, |tree, context| {
        let position = &tree.position;
        let found = tree.evaluator.winning_move(position);
        assert!(found.is_none_or(|mv| wins(position, mv)), "{context}");
        if found.is_none() {
            let stone = |mv: &Move| match mv.kind() {
                MoveKind::Stone(_) | MoveKind::Signed(..) => true,
                // By two captures it may win later than can be seen.
                MoveKind::Power(cell, _) => {
                    position.captured_by(position.color_to_move(), cell).is_empty()
                }
                _ => false,
            };
            let missed = legal(position).into_iter().filter(stone).find(|&mv| wins(position, mv));
            let missed = missed.map(|mv| position.move_text(mv));
            assert_eq!(missed, None, "{context}");
        }
    });
}

/// Every legal move of the color that is not to move, as if the other had passed, with how the game would
/// stand.
fn as_if_passed(position: &Position) -> Vec<(Move, Option<Outcome>)> {
    let text = position.text();
    let [rows, color, captures, phase, ply] =
        text.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let (color, ply) = (if color == "b" { "w" } else { "b" }, ply.parse::<u32>().unwrap() + 1);
    let text = format!("{rows} {color} {captures} {phase} {ply}");
    let passed = position.with_text(&text).unwrap();
    legal(&passed).into_iter().map(|mv| (mv, passed.outcome_after(mv))).collect()
}

/// Games in which a look at a stone tells whether it wins, each in its own way.
const LOOKED_AT: [&str; 16] = [
    "ninuki-renju",
    "ninuki-renju+size=9",
    "boat-pente+size=9",
    "boat-pente-strict+size=9",
    "boat-pente-strict+size=5",
    "boat-pente+size=5",
    "o-pente+size=9",
    "poof-pente+size=9",
    "anti-pente+size=9",
    "anti-pente+goal=4+size=9",
    "anti-pente+plus-minus+size=9",
    "plus-minus-pente+boat+size=9",
    "neutral-pente+boat=strict+plus-minus+keryo+size=9",
    "atomic-pente+anti+size=9",
    "caro+size=9",
    "pente-plus",
];

/// Asks the quick look about every stone of either color, and the whole judgment; returns what stones
/// win or draw and what others leave open, and how many captures draw.
fn compare_looks(position: &Position) -> ([Vec<Move>; 2], usize) {
    let again = start(&position.rules().to_string()).with_text(&position.text()).unwrap();
    let mut ends = [Vec::new(), Vec::new()];
    let mut draws = 0;
    for mv in legal(position) {
        let outcome = position.outcome_after(mv);
        draws += usize::from(outcome == Some(Outcome::draw(EndReason::Captures)));
        let wins = wins(position, mv);
        let context = format!("{} {} {mv:?}", position.rules(), position.text());
        assert_eq!(position.would_win(mv), wins, "{context}");
        assert_eq!(again.would_win(mv), wins, "{context}, set up");
        assert!(wins || !position.is_obvious_win(mv), "{context}");
        ends[usize::from(outcome.is_none())].push(mv);
    }
    let is_taken = |cell: &Cell| position.stone(*cell).is_some();
    for cell in position.cells().filter(is_taken) {
        assert!(!position.is_obvious_win(Move::stone(cell)), "{cell:?} {}", position.text());
    }
    if position.stage() == OpeningStage::Play && position.pending_five().is_none() {
        let mut last = None;
        for (mv, outcome) in as_if_passed(position) {
            let is_stone = matches!(mv.kind(), MoveKind::Stone(_) | MoveKind::Signed(..));
            // Of several signs those come first that add all.
            if !is_stone || last.replace(mv.cell()) == Some(mv.cell()) {
                continue;
            }
            let (color, cell) = (position.color_to_move().opponent(), mv.cell().unwrap());
            let side = position.side_of(position.seat_of(color));
            let wins = outcome.is_some_and(|outcome| outcome.winner == Some(side));
            let context = format!("{} {} {mv:?}, the other", position.rules(), position.text());
            assert_eq!(position.would_win_for(color, cell), wins, "{context}");
        }
    }
    (ends, draws)
}

/// No game comes to an open four under `anti`, but a position can be set up with one: captures that reach
/// the goal draw there, wherever they are.
#[test]
fn captures_beside_a_standing_four_are_looked_at_as_the_rules_judge_them() {
    let rows = "9/9/9/2bbbb3/9/9/1bww5/9/9";
    for (text, draws) in [
        (format!("{rows} b 0,8 - 30"), 1),
        (format!("{rows} b 0,6 - 30"), 0),
        (format!("{rows} w 0,8 - 31"), 0),
    ] {
        let position = start("anti-pente+size=9").with_text(&text).unwrap();
        assert_eq!(compare_looks(&position).1, draws, "{text}");
    }
}

/// One of some moves: most often the best ordered of a `few` drawn ones, so that lines are sought.
fn promising<const N: usize>(
    tree: &SearchPosition<Position, VariantEvaluator<N>>,
    moves: &[Move],
    few: usize,
    rng: &mut Rng,
) -> Option<Move> {
    let any = *rng.choice(moves)?;
    let drawn = (0..few).filter_map(|_| rng.choice(moves).copied());
    let best = drawn.max_by_key(|&mv| tree.evaluator.ordering_score(&tree.position, mv));
    Some(best.filter(|_| rng.u8(..) > 30).unwrap_or(any))
}

/// Calls `law` at every open ply before the `last` of games in which lines are sought and seldom finished.
pub(crate) fn where_lines_are_sought(
    spec: &str,
    last: u32,
    mut law: impl FnMut(&SearchPosition<Position, VariantEvaluator<2>>, &str),
) {
    let tables = Arc::new(StoneTables::new(&spec.parse().unwrap()));
    for seed in 0..20 {
        let mut rng = Rng::with_seed(seed);
        let evaluator = VariantEvaluator::new(Arc::clone(&tables), false, 0);
        let mut tree = SearchPosition::new(start(spec), evaluator);
        while tree.position.outcome().is_none() && tree.position.ply() < last {
            let position = &tree.position;
            law(&tree, &format!("{spec}, game {seed}, {}", position.text()));
            let open = legal(position).into_iter();
            let open: Vec<_> = open.filter(|&mv| position.outcome_after(mv).is_none()).collect();
            let Some(mv) = promising(&tree, &open, 9, &mut rng) else { break };
            tree.play(mv);
        }
    }
}

/// The quick look at a stone, by either color, and the whole judgment. Lines are sought and seldom
/// finished, so that fives come to stand which are not perfect, or which are answered.
#[test]
fn a_stone_wins_by_a_quick_look_as_by_the_rules() {
    let (mut wins, mut standing, mut answered, mut opened) = (0, 0, 0, 0);
    for spec in LOOKED_AT {
        let is_perfect = start(spec).rules().has_perfect_fives();
        let mut ended = 0;
        let tables = Arc::new(StoneTables::new(&spec.parse().unwrap()));
        for seed in 0..8 {
            let mut rng = Rng::with_seed(seed);
            let evaluator = VariantEvaluator::<4>::new(Arc::clone(&tables), false, 0);
            let mut tree = SearchPosition::new(start(spec), evaluator);
            while tree.position.outcome().is_none() {
                let ([ends, open], draws) = compare_looks(&tree.position);
                ended += ends.len();
                opened += if spec.starts_with("anti") { draws } else { 0 };
                let Some(mv) = promising(&tree, &open, 6, &mut rng) else { break };
                tree.play(mv);
                let rows = tree.position.text();
                let stands = rows.contains("bbbbb") || rows.contains("wwwww");
                standing += usize::from(is_perfect && stands);
                answered += usize::from(tree.position.pending_five().is_some());
            }
        }
        assert!(ended > 20, "{spec}: {ended}");
        wins += if is_perfect { ended } else { 0 };
    }
    assert!(wins > 5000 && standing > 5, "{wins} wins, {standing} standing");
    assert!(answered > 30, "{answered} answered");
    assert!(opened > 0, "{opened} fours opened by captures that reach the goal");
}

/// Stones of no color, too, mean to an evaluator of two colors what they mean to one of four, which looks
/// each color up by itself.
#[test]
fn two_colors_are_seen_alike_by_evaluators_of_two_and_of_four() {
    let mut colorless = 0;
    let two_seats = |spec: &String| start(spec).rules().seating().seats == 2;
    let specs = specs().into_iter().filter(|spec| start(spec).rules().tier() != RuleTier::Plain);
    for (spec, seed) in specs.filter(two_seats).flat_map(|spec| [(spec.clone(), 1), (spec, 2)]) {
        let tables = Arc::new(StoneTables::new(&spec.parse().unwrap()));
        let evaluator = VariantEvaluator::<2>::new(Arc::clone(&tables), false, 0);
        let mut two = SearchPosition::new(start(&spec), evaluator);
        let mut four =
            SearchPosition::new(start(&spec), VariantEvaluator::<4>::new(tables, false, 0));
        let mut rng = Rng::with_seed(seed);
        while let Some(mv) = draw(&two.position, &mut rng) {
            let context = format!("{spec}, game {seed}, {}", two.position.text());
            assert_eq!(
                two.evaluator.value(&two.position),
                four.evaluator.value(&four.position),
                "{context}"
            );
            assert_eq!(
                two.evaluator.winning_move(&two.position),
                four.evaluator.winning_move(&four.position),
                "{context}"
            );
            for mv in legal(&two.position) {
                assert_eq!(
                    two.evaluator.ordering_score(&two.position, mv),
                    four.evaluator.ordering_score(&four.position, mv),
                    "{context} {mv:?}"
                );
                assert_eq!(
                    two.evaluator.is_quiet(&two.position, mv),
                    four.evaluator.is_quiet(&four.position, mv),
                    "{context} {mv:?}"
                );
            }
            let board = two.position.board();
            let is_colorless = |cell| board.content(cell).color() >= Some(Color::NEUTRAL);
            colorless += usize::from(two.position.cells().any(is_colorless));
            two.play(mv);
            four.play(mv);
            if rng.u8(..8) == 0 {
                two.undo();
                two.play(mv);
            }
        }
    }
    assert!(colorless > 300, "{colorless}");
}

#[test]
fn following_moves_comes_to_the_same_as_starting_afresh() {
    at_every_ply(2, |tree, context| {
        if tree.position.rules().seating().sides() > 2 {
            return;
        }
        let value = tree.evaluator.value(&tree.position);
        let (position, evaluator) = (&tree.position, &tree.evaluator);
        let mut fresh = evaluator.clone();
        fresh.reset(position);
        assert_eq!(value, fresh.value(position), "{context}");
        for mv in legal(position).into_iter().take(100) {
            let same = evaluator.ordering_score(position, mv) == fresh.ordering_score(position, mv);
            assert!(same, "{}, {context}", position.move_text(mv));
        }
    });
}

/// In games whose weights are fitted through this evaluator: two stones a turn, and many colors. Among
/// more than two sides strengths of 1000 points are odds of e to 1, and partners count two fifths.
#[test]
fn terms_add_up_to_values_and_ordering_scores() {
    let mut seen = [0; 3];
    at_every_ply(2, |tree, context| {
        let (position, evaluator) = (&tree.position, &tree.evaluator);
        let rule_class = RuleClass::of(position.rules());
        if !matches!(rule_class, RuleClass::DoubleTurns | RuleClass::Many)
            || position.stage() != OpeningStage::Play
        {
            return;
        }
        let weights = Weights::built_in(rule_class);
        let (values, ordering) = (weights.values(), weights.ordering());
        let terms = evaluator.value_terms(position);
        let own = total(&terms.sum, &values);
        let others: Vec<i32> = terms.others.iter().map(|terms| total(terms, &values)).collect();
        let seating = position.rules().seating();
        assert_eq!(others.len(), if seating.sides() > 2 { seating.sides().into() } else { 1 } - 1);
        assert_eq!(evaluator.scale_percent(), 100);
        let points = if others.is_empty() {
            if seating.teams { own * 40 / 100 } else { own }
        } else {
            let odds = others.iter().map(|other| (f64::from(other - own) / 1000.0).exp());
            (-400.0 * odds.sum::<f64>().ln()) as i32
        };
        let mut fresh = evaluator.clone();
        fresh.reset(position);
        let off = fresh.value(position).value() - Score::points(points).value();
        assert!(off.abs() <= i32::from(!others.is_empty()), "{points}, {off}, {context}");
        let enemies = if seating.sides() > 2 { seating.sides() - 1 } else { seating.seats / 2 };
        let stone = |mv: &Move| matches!(mv.kind(), MoveKind::Stone(_));
        for mv in legal(position).into_iter().filter(stone).take(60) {
            let terms = evaluator.ordering_terms(position, mv).into_iter();
            let sum: i32 = terms.map(|place| i32::from(ordering[usize::from(place)])).sum();
            // What all but wins is not fitted.
            let added = evaluator.ordering_score(position, mv) - sum;
            let each = [0, 2000, 4000, 9000].map(|near_win| near_win * i32::from(enemies));
            assert!(each.contains(&added), "{added}, {context}");
        }
        seen[usize::from(seating.sides() > 2) + usize::from(seating.teams) * 2] += 1;
    });
    assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
}

#[test]
fn candidates_are_legal_and_never_none() {
    at_every_ply(2, |tree, context| {
        let mut moves = Vec::new();
        tree.evaluator.candidates(&tree.position, &mut moves);
        assert!(!moves.is_empty(), "{context}");
        assert!(moves.iter().all(|&mv| tree.position.is_legal(mv)), "{context}");
        let distinct: BTreeSet<_> = moves.iter().collect();
        assert_eq!(distinct.len(), moves.len(), "{context}");
        moves.clear();
        tree.evaluator.tactical_moves(&tree.position, &mut moves);
        assert!(moves.iter().all(|&mv| tree.position.is_legal(mv)), "{context}");
        let distinct: BTreeSet<_> = moves.iter().collect();
        assert_eq!(distinct.len(), moves.len(), "{context}");
    });
}

/// Where a four of some kind or two threes are forbidden, no stone is listed that makes them. Lines are
/// sought, so that all kinds come up.
#[test]
fn no_stone_is_listed_that_is_forbidden() {
    for spec in [
        "anti-pente+size=9",
        "pente+anti=any+size=9",
        "anti-pente+keryo",
        "anti-pente+goal=6",
        "ninuki-renju+size=9",
    ] {
        let (mut fours, mut refused) = (0, 0);
        where_lines_are_sought(spec, u32::MAX, |tree, context| {
            let (position, evaluator) = (&tree.position, &tree.evaluator);
            let [mut listed, mut threats] = [Vec::new(), Vec::new()];
            evaluator.candidates(position, &mut listed);
            evaluator.tactical_moves(position, &mut listed);
            evaluator.threat_moves(position, false, &mut threats);
            for &mv in listed.iter().chain(&threats) {
                assert!(position.is_legal(mv), "{mv:?} {context}");
            }
            fours += threats.len();
            let is_refused = |cell: &Cell| {
                let empty = position.board().content(*cell) == CellContent::EMPTY;
                empty && !position.is_legal(Move::stone(*cell))
            };
            refused += position.cells().filter(is_refused).count();
        });
        assert!(fours > 500 && refused > 200, "{spec} {fours} {refused}");
    }
}

/// Plays moves; returns whether another one is legal then, and the tactical ones that are listed.
fn legal_and_listed(spec: &str, moves: &str, asked: &str) -> (bool, Vec<String>) {
    let mut position = start(spec);
    for mv in moves.split(' ') {
        position.play(position.parse_move(mv).unwrap());
    }
    let tables = Arc::new(StoneTables::new(position.rules()));
    let mut evaluator = VariantEvaluator::<2>::new(tables, false, 0);
    evaluator.reset(&position);
    let mut listed = Vec::new();
    evaluator.tactical_moves(&position, &mut listed);
    let is_legal = position.is_legal(position.parse_move(asked).unwrap());
    (is_legal, listed.into_iter().map(|mv| position.move_text(mv)).collect())
}

/// A stone behind `XX_XX_X`, too far from the first point for the tables, makes a second point
/// that shares stones with it.
#[test]
fn a_four_beside_another_one_may_be_an_open_four() {
    let moves = "j10 a1 k10 c1 m10 e1 n10 g1 p10 l1";
    let (is_legal, listed) = legal_and_listed("anti-pente", moves, "q10");
    assert!(!is_legal);
    assert!(!listed.is_empty() && !listed.contains(&"q10".to_owned()), "{listed:?}");
}

/// A capture that sets free a point between stones makes a four, or with another point an open one.
#[test]
fn a_capture_may_open_a_four() {
    let lone = "j10 l10 k10 l11 m10 a1 n10 c1 l12 e1";
    let open = &format!("{lone} p10 g1 q10 i1");
    for (spec, moves, expected) in
        [("anti-pente", lone, true), ("anti-pente", open, false), ("pente+anti=any", lone, false)]
    {
        let (is_legal, listed) = legal_and_listed(spec, moves, "l9");
        assert_eq!(is_legal, expected, "{spec} {moves}");
        assert_eq!(listed.contains(&"l9".to_owned()), expected, "{spec} {moves} {listed:?}");
    }
}
