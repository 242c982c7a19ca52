//! Tests of the naive referee: its golden vectors and its refusals.

use crate::common::referee::hand_vectors::{OTHERS, PENTE};
use crate::common::referee::variant_vectors::{Case, GOLDEN, Result};
use crate::common::referee::vectors::{ILLEGAL, VECTORS};
use crate::common::referee::{Referee, from_capitals};

#[test]
fn vectors_have_the_expected_results() {
    for vector in VECTORS {
        let mut referee = Referee::new(vector.spec).unwrap();
        for capitals in vector.moves.split_whitespace() {
            let text = from_capitals(capitals);
            referee.play(&text).unwrap_or_else(|e| panic!("{}, {text}: {e}", vector.name));
        }
        let captures = referee.captures();
        let counts = (u32::from(captures[0]), u32::from(captures[1]));
        assert_eq!(counts, vector.captured, "{}", vector.name);
        let winner = referee.outcome().map(|o| o.winner.map_or(0, |side| side as u8 + 1));
        assert_eq!(winner, vector.winner, "{}", vector.name);
    }
}

#[test]
fn illegal_moves_are_refused() {
    for (spec, moves, illegal) in ILLEGAL {
        let moves: Vec<_> = moves.split_whitespace().map(from_capitals).collect();
        let mut referee = Referee::after(spec, &moves.join(" ")).unwrap();
        assert!(referee.play(&from_capitals(illegal)).is_err(), "{spec}: {moves:?}, {illegal}");
    }
}

fn check(case: &Case) {
    let name = case.name;
    let referee = Referee::after(case.spec, case.moves).unwrap_or_else(|e| panic!("{name}: {e}"));
    let result = match referee.outcome() {
        None => Result::Open(referee.seat() + 1),
        Some(end) => end.winner.map_or(Result::Draw(end.kind), |w| Result::Won(w + 1, end.kind)),
    };
    assert_eq!(result, case.result, "{name}");
    assert_eq!(referee.captures(), case.captures, "{name}");
    let legal = referee.legal_moves();
    assert!(legal.is_sorted());
    for &text in case.legal {
        assert!(legal.iter().any(|other| other == text), "{name}: {text} is legal");
        assert!(referee.clone().play(text).is_ok(), "{name}: {text} is legal");
    }
    for &text in case.illegal {
        assert!(!legal.iter().any(|other| other == text), "{name}: {text} is not legal");
        assert!(referee.clone().play(text).is_err(), "{name}: {text} is not legal");
    }
}

#[test]
fn games_of_the_variants_have_the_expected_results() {
    for case in [GOLDEN, PENTE, OTHERS].into_iter().flatten() {
        check(case);
    }
}

/// The legal moves of the first plies (rules, sections 2 and 6).
#[test]
fn moves_of_the_first_plies_are_those_of_the_rules() {
    for (spec, moves, number) in [
        ("pente", "", 1),
        ("pente", "j10", 360),
        ("neutral-pente", "", 2),
        ("atomic-pente", "", 2),
        ("pente-plus", "", 13),
        ("gomoku-standard", "", 225),
        ("d-pente", "a1 a2 a3 a4", 2),
        ("swap2-pente", "a1 a2 a3", 3),
        ("swap2-pente", "a1 a2 a3 more a4 a5", 2),
        ("pente+swap1", "a1", 2),
        ("pente+swap3", "a1 a2 a3", 2),
    ] {
        let legal = Referee::after(spec, moves).unwrap().legal_moves();
        assert_eq!(legal.len(), number, "{spec} {moves}: {legal:?}");
    }
}

#[test]
fn pairs_that_make_no_sense_are_refused_by_both_names() {
    for (spec, one, two) in [
        ("pente+pro+swap2", "pro", "swap2"),
        ("pente+swap+players=3", "swap", "players=3"),
        ("team-pente+g", "g", "teams"),
        ("pente-4+poof", "poof", "players=4"),
        ("pente+o+teams", "o", "teams"),
        ("plus-minus-pente+players=3", "plus-minus", "players=3"),
        ("pente-3+boat=strict", "boat=strict", "players=3"),
        ("pente+plus-minus+five-only", "plus-minus", "five-only"),
        ("pente+boat+boat=strict", "boat", "boat=strict"),
        ("boat-pente+o", "boat", "o"),
        ("team-pente+players=3", "players=3", "teams"),
        ("pente+anti=any+five-only", "anti=any", "five-only"),
        ("anti-pente+anti=any", "anti", "anti=any"),
        ("gomoku+keryo", "gomoku", "keryo"),
        ("renju+line=4", "renju", "line=4"),
        ("pente+line=4", "pente", "line=4"),
        ("connect6+swap2", "connect6", "swap2"),
        ("ninuki-renju+keryo", "ninuki-renju", "keryo"),
        ("pente-plus+poof", "plus", "poof"),
        ("pente-plus+size=13", "plus", "size=13"),
        ("pente+swap2+centre-first", "swap2", "centre-first"),
        ("pente+g+size=7", "g", "size=7"),
    ] {
        let error = Referee::new(spec).expect_err(spec);
        assert!(error.contains(&format!("`{one}`")), "{spec}: {error}");
        assert!(error.contains(&format!("`{two}`")), "{spec}: {error}");
    }
    for spec in [
        "team-pente+boat=strict",
        "team-pente+players=4",
        "o-pente+keryo+poof+boat=strict",
        "pente-plus+size=13+diamonds=g7,a1",
        "d-pente+centre-first",
        "Double_Swap Pente",
        "renju+swap2+size=19",
        "gomoku+size=4x3+line=3",
    ] {
        assert!(Referee::new(spec).is_ok(), "{spec}");
    }
}

/// There are legal moves, all of them playable, exactly while there is no outcome.
#[test]
fn random_games_end_when_there_are_no_moves() {
    let mut seed = 7_u64;
    for spec in SPECS {
        let mut referee = Referee::new(spec).unwrap();
        while referee.plies() < 200 {
            let legal = referee.legal_moves();
            assert_eq!(legal.is_empty(), referee.outcome().is_some());
            if legal.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
            referee.play(&legal[(seed >> 33) as usize % legal.len()]).unwrap();
        }
    }
}

const SPECS: &[&str] = &[
    "pente",
    "pro-pente",
    "d-pente",
    "swap2-keryo",
    "g-pente",
    "o-pente",
    "plus-minus-pente",
    "pente+plus-minus+keryo+poof+boat",
    "five-in-a-row-pente",
    "neutral-pente",
    "atomic-pente",
    "anti-pente",
    "pente+anti=any",
    "poof-pente",
    "boat-pente",
    "boat-pente-strict",
    "pente-13",
    "pente-plus",
    "pente-3",
    "pente-4",
    "team-pente",
    "ninuki",
    "ninuki-renju",
    "gomoku",
    "renju",
    "caro",
    "caro-standard",
    "connect6",
    "anti-pente+size=7",
    "o-pente+size=7+neutral+atomic",
    "ninuki-renju+size=7",
    "renju+size=7",
    "team-pente+boat=strict+size=6+anti",
    "pente-3+boat+size=6+goal=4",
];
