//! The replies to threats that the evaluator of variants lists, against the rules.

use crate::common::{legal, start, winning_move};
use crate::eval_variants::{at_every_ply, where_lines_are_sought, wins};
use pentarch::board::CellContent;
use pentarch::eval::{StoneTables, VariantEvaluator};
use pentarch::game::{EndReason, Move, MoveKind, Position as _};
use pentarch::placement::Position;
use pentarch::rules::SpecialStones;
use pentarch::search::{MoveGenerator as _, SearchPosition};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Asks, where a win threatens, whether every move that is not listed against it loses at once; returns
/// whether one does.
fn misses_no_reply<const N: usize>(
    tree: &SearchPosition<Position, VariantEvaluator<N>>,
    context: &str,
) -> bool {
    let position = &tree.position;
    let mut after = position.clone();
    if winning_move(&mut after, None).is_some() {
        return false;
    }
    let mut replies = Vec::new();
    if tree.evaluator.defenses(position, &mut replies).is_none() {
        return false;
    }
    assert!(replies.iter().all(|&mv| position.is_legal(mv)), "{context}");
    let replies: BTreeSet<_> = replies.into_iter().collect();
    let mine = position.side_of(position.to_move());
    let grid = position.grid();
    let stones: Vec<_> =
        grid.iter().filter(|&cell| position.board().content(cell) != CellContent::EMPTY).collect();
    let is_far = |cell| stones.iter().all(|&stone| grid.chebyshev(stone, cell) > 2);
    let mut threat = None;
    for mv in legal(position) {
        // Of power stones without effect, far ones are like near ones.
        let far = matches!(mv.kind(), MoveKind::Power(cell, _) if is_far(cell));
        if far || replies.contains(&mv) {
            continue;
        }
        after.play(mv);
        let lost = if let Some(outcome) = after.outcome() {
            outcome.winner.is_some_and(|winner| winner != mine)
        } else {
            threat = winning_move(&mut after, threat);
            threat.is_some()
        };
        after.undo();
        assert!(lost, "{} holds, {context}", after.move_text(mv));
    }
    true
}

/// Where two sides take single turns.
#[test]
fn no_reply_to_a_threat_is_missed() {
    let mut threats = 0;
    at_every_ply(2, |tree, context| {
        let seating = tree.position.rules().seating();
        if seating.sides() == 2 && !seating.double_turns {
            threats += usize::from(misses_no_reply(tree, context));
        }
    });
    assert!(threats > 100, "only {threats} threats came up");
}

/// Lines are sought and seldom finished, so that there are many threats where more than stones on the spot
/// prevent a win: captures that break lines, power stones.
#[test]
fn no_reply_is_missed_where_lines_are_sought() {
    for (spec, least) in [
        ("pente-plus", 100),
        ("pente-plus+keryo", 100),
        ("pente-plus+neutral", 60),
        ("caro", 60),
        ("caro-standard", 60),
        ("poof-pente", 60),
        ("poof-pente+keryo", 60),
        ("neutral-pente", 50),
        ("neutral-pente+keryo", 40),
        ("atomic-pente", 60),
        ("atomic-pente+keryo", 60),
        ("atomic-pente+neutral", 40),
        ("atomic-pente+anti", 40),
        ("atomic-pente+goal=3", 30),
        ("atomic-pente+keryo+goal=4", 30),
        ("o-pente", 60),
        ("ninuki-renju", 60),
        ("boat-pente-strict+size=13", 60),
        ("boat-pente-strict", 60),
        ("boat-pente-strict+goal=4", 30),
        ("boat-pente-strict+neutral", 40),
        ("boat-pente-strict+five-only", 40),
        ("boat-pente-strict+plus-minus", 40),
        ("boat-pente", 1),
        ("boat-pente-strict+keryo", 60),
    ] {
        let (mut threats, mut has_left) = (0, 0);
        where_lines_are_sought(spec, 40, |tree, context| {
            threats += usize::from(misses_no_reply(tree, context));
            let position = &tree.position;
            let power = MoveKind::Power(position.grid().center(), None);
            has_left += usize::from(position.has_special_left(power));
        });
        let has_power = start(spec).rules().stones().power.is_some();
        assert!(threats > least && has_power == (has_left > 100), "{spec} {threats} {has_left}");
    }
}

/// A position of `pente-plus` as text, with an evaluator that has seen it.
fn with_power(rows: &str) -> SearchPosition<Position, VariantEvaluator<2>> {
    let position = start("pente-plus").with_text(&format!("{rows} w 0,0 power=2,2 11")).unwrap();
    let tables = Arc::new(StoneTables::new(position.rules()));
    SearchPosition::new(position, VariantEvaluator::new(tables, false, 0))
}

/// A row of three beside a diamond, or with a gap on one, but not without room or on the diamond itself.
#[test]
fn a_power_stone_and_its_bonus_stone_complete_a_line() {
    for (row, wins) in [
        ("3www13", true),
        ("4ww1w11", true),
        ("2bwww13", true),
        ("3bww1wb10", false),
        ("4www12", false),
    ] {
        let rows = format!("{}{row}/19/19/19/19/19/19", "19/".repeat(12));
        let tree = with_power(&rows);
        let won = legal(&tree.position).into_iter().any(|mv| wins_by_line(&tree.position, mv));
        assert_eq!(
            (tree.evaluator.winning_move(&tree.position).is_some(), won),
            (wins, wins),
            "{row}"
        );
    }
}

fn wins_by_line(position: &Position, mv: Move) -> bool {
    wins(position, mv) && position.outcome_after(mv).unwrap().reason == EndReason::Line
}

/// The bonus stone on g7 captures g8 and g9 of an open four, between itself and the power stone on g10.
#[test]
fn a_bonus_stone_captures_up_to_its_power_stone() {
    let tree = with_power(&format!("{}6b12/5bbbb10/19/19/19/19/19/19/19", "19/".repeat(10)));
    assert!(misses_no_reply(&tree, "guard"));
    let mut replies = Vec::new();
    tree.evaluator.defenses(&tree.position, &mut replies);
    let capture = tree.position.parse_move("P@g10,g7").unwrap();
    assert!(replies.contains(&capture), "{replies:?}");
}

/// A power stone on the point completes the line, and one elsewhere is no better than none.
#[test]
fn against_a_line_power_stones_that_capture_nothing_are_no_reply() {
    for (row, expected) in [("4wbbbb10", &["j9"][..]), ("5bbbb10", &[])] {
        let tree = with_power(&format!("{}{row}/19/19/19/19/19/19/19/19", "19/".repeat(10)));
        assert!(misses_no_reply(&tree, row));
        let mut replies = Vec::new();
        tree.evaluator.defenses(&tree.position, &mut replies);
        let replies: Vec<_> = replies.into_iter().map(|mv| tree.position.move_text(mv)).collect();
        assert_eq!(replies, expected, "{row}");
    }
}

/// Where a stone does nothing but stand there and capture.
#[test]
fn no_reply_leaves_a_line_to_complete() {
    let mut captures = 0;
    at_every_ply(8, |tree, context| {
        let rules = tree.position.rules();
        let plain = rules.seating().seats == 2 && rules.stones() == SpecialStones::default();
        let takes = rules.capture().is_some_and(|capture| !capture.poof);
        if !plain || !takes || rules.breakable_fives().is_some() || rules.has_perfect_fives() {
            return;
        }
        let mut replies = Vec::new();
        if tree.evaluator.defenses(&tree.position, &mut replies).is_none() {
            return;
        }
        let mut after = tree.position.clone();
        for mv in replies {
            after.play(mv);
            captures += usize::from(after.changes().len() > 1);
            let open = after.outcome().is_none();
            for five in legal(&after).into_iter().filter(|_| open) {
                let reason = after.outcome_after(five).map(|outcome| outcome.reason);
                let text = after.move_text(five);
                assert_ne!(reason, Some(EndReason::Line), "{text}, {context}");
            }
            after.undo();
        }
    });
    assert!(captures > 100, "{captures}");
}
