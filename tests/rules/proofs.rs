//! Proved values of small games: the bitboards compared with the rules, the search with plain minimax, and
//! certificates with the naive referee, which uses neither.

mod naive;

use crate::common::{draw, legal, start};
use naive::naive_check;
use pentarch::game::{Color, Key, Move, Outcome, Position as _, Side};
use pentarch::placement::Position;
use pentarch::proof::{
    Certificate, CertificateCheckError, Claim, GameValue, SmallBoard, SmallRules, Solver,
    SolverLimits, check_certificate, prove_value,
};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

/// Games on boards that are small enough to be proved.
const SMALL: [&str; 9] = [
    "pente+size=5",
    "pente+size=6",
    "pente+size=7+pro",
    "pente-freestyle+size=5",
    "keryo-pente+size=6",
    "ninuki+size=7",
    "pente+goal=4+size=6",
    "gomoku+size=5x4+line=4",
    "gomoku-standard+size=5",
];

fn value_of(outcome: Outcome) -> GameValue {
    match outcome.winner {
        None => GameValue::Draw,
        Some(Side(0)) => GameValue::First,
        Some(_) => GameValue::Second,
    }
}

/// Compares every legal move of a position on the bitboards and by the rules.
fn compare_with_rules(spec: &str, rules: &SmallRules, position: &mut Position) {
    let board = rules.board(position);
    let moves = legal(position);
    let cells = |bits: u64| (0..64).filter(move |bit| bits >> bit & 1 != 0);
    let open: HashSet<_> = cells(rules.legal(&board)).map(|bit| rules.cell(bit)).collect();
    assert_eq!(open, moves.iter().filter_map(|mv| mv.cell()).collect(), "{spec}");
    for bit in cells(rules.legal(&board)) {
        let (next, end) = rules.play(&board, bit);
        let mv = Move::stone(rules.cell(bit));
        position.play(mv);
        let text = position.text();
        let (stones, captured) = (rules.board(position), position.outcome().map(value_of));
        assert_eq!((next.stones, next.captured), (stones.stones, stones.captured), "{spec} {text}");
        assert_eq!(end, captured, "{spec} {text}");
        assert!(end.is_some() || next == stones, "{spec} {text}");
        position.undo();
    }
}

#[test]
fn bitboards_play_by_the_rules() {
    let mut rng = fastrand::Rng::with_seed(18);
    for spec in SMALL {
        let rules = SmallRules::new(start(spec).rules()).unwrap();
        for _ in 0..40 {
            let mut position = start(spec);
            while let Some(mv) = draw(&position, &mut rng) {
                compare_with_rules(spec, &rules, &mut position);
                position.play(mv);
            }
        }
    }
}

#[test]
fn games_without_bitboards_are_refused() {
    let refused = |spec: &str| SmallRules::new(start(spec).rules()).unwrap_err().to_string();
    assert_eq!(refused("pente"), "boards of up to 7x7 points can be proved, this one has 19");
    assert!(refused("poof-pente+size=5").starts_with("only games of two players"));
    assert!(refused("pente+swap1+size=5").starts_with("only games of two players"));
    assert!(refused("pente-3+size=5").starts_with("only games of two players"));
    assert!(refused("five-in-a-row-pente+size=5").contains("repeat positions"));
    assert!(refused("gomoku-standard+size=6").contains("longer lines"));
    assert!(refused("pente+size=5+max-plies=30").contains("cap of 30 plies"));
}

/// The value by minimax to the end of the game, `None` if there are too many positions.
fn minimax(position: &mut Position, known: &mut HashMap<Key, GameValue>) -> Option<GameValue> {
    if let Some(outcome) = position.outcome() {
        return Some(value_of(outcome));
    }
    if let Some(&value) = known.get(&position.key()) {
        return Some(value);
    }
    let mut values = Vec::new();
    for mv in legal(position) {
        position.play(mv);
        let value = minimax(position, known);
        position.undo();
        values.push(value?);
    }
    let first = position.color_to_move() == Color(0);
    let values = values.into_iter();
    let value = if first { values.max() } else { values.min() }?;
    known.insert(position.key(), value);
    (known.len() < 5_000).then_some(value)
}

/// A position of a random game with few enough empty points for minimax.
fn late_position(spec: &str, empty: u16, rng: &mut fastrand::Rng) -> Position {
    loop {
        let mut position = start(spec);
        while position.outcome().is_none() && position.board().empty() > empty {
            let mv = draw(&position, rng).unwrap();
            position.play(mv);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Games that random play often brings to a nearly full board.
const LATE: [&str; 6] = [
    "pente+size=5",
    "pente-freestyle+size=5",
    "keryo-pente+size=5",
    "ninuki+size=5",
    "gomoku+size=5x4+line=4",
    "gomoku-standard+size=5",
];

#[test]
fn values_are_those_of_minimax() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut seen = HashMap::new();
    for spec in LATE {
        for _ in 0..30 {
            let mut position = late_position(spec, 4, &mut rng);
            let rules = SmallRules::new(position.rules()).unwrap();
            let board = rules.board(&position);
            let mut solver = Solver::new(rules, 1, SolverLimits::default());
            // Captures can empty points of a full board.
            let Some(value) = minimax(&mut position, &mut HashMap::new()) else { continue };
            *seen.entry(value).or_insert(0) += 1;
            assert_eq!(solver.value(&board), Ok(value), "{spec} {}", position.text());
        }
    }
    assert!(seen.len() == 3 && seen.values().all(|&count| count > 5), "{seen:?}");
}

/// [`minimax`] on the bitboards, which another test compares with the rules. It can start with any captures.
fn bit_minimax(
    rules: &SmallRules,
    board: &SmallBoard,
    known: &mut HashMap<SmallBoard, GameValue>,
) -> Option<GameValue> {
    if let Some(&value) = known.get(board) {
        return Some(value);
    }
    let points = (0..64).filter(|bit| rules.legal(board) >> bit & 1 != 0);
    let values: Option<Vec<_>> = points
        .map(|bit| match rules.play(board, bit) {
            (_, Some(value)) => Some(value),
            (next, None) => bit_minimax(rules, &next, known),
        })
        .collect();
    let values = values?.into_iter();
    let value = if board.color == 0 { values.max() } else { values.min() }?;
    known.insert(*board, value);
    (known.len() < 5_000).then_some(value)
}

/// The solver reuses results for other counts of captured stones, with bounds on what can still be captured.
/// Positions of one game share a solver here, each with several counts.
#[test]
fn values_are_right_for_other_counts() {
    let mut rng = fastrand::Rng::with_seed(41);
    let mut seen = HashMap::new();
    for (spec, goal) in [("pente+size=5", 10), ("keryo-pente+size=5", 15), ("ninuki+size=5", 10)] {
        let rules = SmallRules::new(start(spec).rules()).unwrap();
        let mut solver = Solver::new(rules.clone(), 4, SolverLimits::default());
        for _ in 0..60 {
            let position = late_position(spec, rng.u16(3..6), &mut rng);
            for _ in 0..8 {
                let captured = [0, 1].map(|_| rng.u8(0..goal));
                let board = SmallBoard { captured, ..rules.board(&position) };
                let Some(value) = bit_minimax(&rules, &board, &mut HashMap::new()) else {
                    continue;
                };
                *seen.entry(value).or_insert(0) += 1;
                let text = position.text();
                assert_eq!(solver.value(&board), Ok(value), "{spec} {captured:?} {text}");
            }
        }
    }
    assert!(seen.len() == 3 && seen.values().all(|&count| count > 50), "{seen:?}");
}

/// The value of a game and the text of its certificate, from a position on.
fn proved(position: &Position) -> (GameValue, String) {
    let (mut solver, board) = solver_at(position);
    let value = solver.value(&board).unwrap();
    (value, certificate(&mut solver, position, value))
}

/// A solver and the bits of a position.
fn solver_at(position: &Position) -> (Solver, SmallBoard) {
    let rules = SmallRules::new(position.rules()).unwrap();
    let board = rules.board(position);
    (Solver::new(rules, 8, SolverLimits::default()), board)
}

/// The text of a certificate of a value, a false one if the position has another value.
fn certificate(solver: &mut Solver, position: &Position, value: GameValue) -> String {
    let board = solver.rules().board(position);
    let game = position.rules().to_string();
    let text = (position.ply() > 0).then(|| position.text());
    let proof = prove_value(solver, &board, value, game, text).unwrap();
    proof.text(position.grid())
}

/// Published values of m,n,k games (Uiterwijk and van den Herik, "The advantage of the initiative",
/// 2000), and Pente with three in a row, where the third stone in a row cannot be stopped.
#[test]
fn published_values_are_found() {
    let known = [
        ("gomoku+size=3x3+line=3", GameValue::Draw),
        ("gomoku+size=4x3+line=3", GameValue::First),
        ("gomoku+size=4x4+line=4", GameValue::Draw),
        ("gomoku+size=5x3+line=4", GameValue::Draw),
        ("pente+goal=3+size=5", GameValue::First),
    ];
    for (spec, value) in known {
        let (mut solver, board) = solver_at(&start(spec));
        assert_eq!(solver.value(&board), Ok(value), "{spec}");
    }
}

#[test]
fn a_limit_of_nodes_ends_a_search() {
    let rules = SmallRules::new(start("pente+size=7").rules()).unwrap();
    let board = rules.board(&start("pente+size=7"));
    let budget = SolverLimits { nodes: Some(1000), until: None };
    let mut solver = Solver::new(rules, 1, budget);
    assert!(solver.value(&board).is_err());
    assert_eq!(solver.nodes(), 1001);
}

/// The result of the naive referee for a certificate that begins at a position.
fn naive(position: &Position, text: &str) -> Result<String, String> {
    let moves: Vec<_> = position.moves().map(|mv| position.move_text(mv)).collect();
    naive_check(text, &moves.join(" "))
}

#[test]
fn certificates_hold_by_the_rules_and_by_the_naive_referee() {
    let mut rng = fastrand::Rng::with_seed(77);
    let games = ["gomoku+size=3x3+line=3", "gomoku+size=4x3+line=3", "pente+goal=3+size=5"];
    let mut positions: Vec<_> = games.map(start).to_vec();
    for spec in ["pente+size=5", "keryo-pente+size=5", "ninuki+size=5"] {
        positions.extend((0..6).map(|_| late_position(spec, 4, &mut rng)));
    }
    let mut values = HashSet::new();
    for position in positions {
        let (value, text) = proved(&position);
        values.insert(value);
        let checked = check_certificate(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(checked.value, value);
        assert_eq!(naive(&position, &text).as_deref(), Ok(value.word()), "{text}");
    }
    assert_eq!(values.len(), 3, "{values:?}");
}

/// Strategies for a value that a position does not have: all moves are present, legal and in order, but
/// some line ends differently.
#[test]
fn strategies_for_another_value_are_refused() {
    let mut rng = fastrand::Rng::with_seed(4);
    let mut positions = vec![start("gomoku+size=3x3+line=3")];
    for spec in LATE {
        positions.extend((0..4).map(|_| late_position(spec, 3, &mut rng)));
    }
    let mut refused = 0;
    for position in positions {
        let (mut solver, board) = solver_at(&position);
        let value = solver.value(&board).unwrap();
        let others = [GameValue::First, GameValue::Draw, GameValue::Second];
        for other in others.into_iter().filter(|&other| other != value) {
            let text = certificate(&mut solver, &position, other);
            let error = check_certificate(&text).unwrap_err();
            assert!(matches!(error, CertificateCheckError::Fails(..)), "{error}\n{text}");
            assert_eq!(naive(&position, &text).unwrap_err(), "a line fails", "{text}");
            refused += 1;
        }
    }
    assert_eq!(refused, 50);
}

/// Both checkers agree on a certificate with one changed move, and almost never accept it.
#[test]
fn a_changed_move_is_detected() {
    let mut rng = fastrand::Rng::with_seed(9);
    let positions = [
        start("pente+goal=3+size=5"),
        late_position("pente+size=5", 5, &mut rng),
        late_position("keryo-pente+size=5", 5, &mut rng),
    ];
    let mut refused = 0;
    for position in positions {
        let (_, text) = proved(&position);
        let grid = position.grid();
        let proof = Certificate::parse(&text, |_| Some(grid)).unwrap();
        for _ in 0..100 {
            let mut changed = proof.clone();
            let strategy = rng.usize(..changed.strategies.len());
            let moves = &mut changed.strategies[strategy].moves;
            let (place, others) = (rng.usize(..moves.len()), grid.iter());
            let others: Vec<_> = others.filter(|&cell| cell != moves[place]).collect();
            moves[place] = others[rng.usize(..others.len())];
            let text = changed.text(grid);
            let (checked, naive) = (check_certificate(&text), naive(&position, &text));
            assert_eq!(checked.is_ok(), naive.is_ok(), "{checked:?} {naive:?}\n{text}");
            refused += u32::from(naive.is_err());
        }
    }
    assert!(refused > 200, "{refused}");
}

#[test]
fn false_certificates_are_refused() {
    let (_, text) = proved(&start("pente+goal=3+size=5"));
    let grid = start("pente+goal=3+size=5").grid();
    let parsed = Certificate::parse(&text, |_| Some(grid)).unwrap();
    assert_eq!(parsed.text(grid), text);
    let with = |change: &dyn Fn(&mut Certificate)| {
        let mut changed = parsed.clone();
        change(&mut changed);
        let text = changed.text(grid);
        assert!(naive_check(&text, "").is_err(), "{text}");
        check_certificate(&text).unwrap_err()
    };
    let missing = with(&|proof| _ = proof.strategies[0].moves.pop());
    assert!(matches!(missing, CertificateCheckError::Missing(..)), "{missing}");
    let left = with(&|proof| proof.strategies[0].moves.push(grid.center()));
    assert!(matches!(left, CertificateCheckError::Left(_, 1)), "{left}");
    let illegal = with(&|proof| proof.strategies[0].moves[1] = grid.center());
    assert!(matches!(illegal, CertificateCheckError::Illegal(..)), "{illegal}");
    let draw = with(&|proof| proof.value = GameValue::Draw);
    assert!(matches!(draw, CertificateCheckError::Strategies(_)), "{draw}");
    let second = with(&|proof| {
        proof.value = GameValue::Second;
        proof.strategies[0].claim = Claim { color: 1, wins: true };
    });
    assert!(
        matches!(second, CertificateCheckError::Illegal(..) | CertificateCheckError::Fails(..)),
        "{second}"
    );
    // The last move of a strategy wins, another one does not.
    let last = parsed.strategies[0].moves.last().copied();
    let fails = with(&|proof| {
        let others = grid.iter().filter(|&cell| Some(cell) != last);
        let moves = &mut proof.strategies[0].moves;
        let count = moves.len();
        moves.truncate(count - 1);
        moves.extend(others.take(1));
    });
    assert!(!matches!(fails, CertificateCheckError::Text(_)), "{fails}");
    assert!(check_certificate("pentarch proof 2\n").unwrap_err().to_string().contains("line 1"));
}

/// The naive referee accepts every certificate in the repository.
#[test]
fn stored_certificates_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/proofs");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        check_certificate(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        naive_check(&text, "").unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        count += 1;
    }
    assert!(count > 0);
}

/// The naive referee accepts the certificate in the file `PENTARCH_PROOF`, which begins at the start of a game:
/// `PENTARCH_PROOF=FILE cargo test --release --test rules -- --ignored the_certificate_of_a_file`.
#[test]
#[ignore = "takes a file"]
fn the_certificate_of_a_file() {
    let text = fs::read_to_string(std::env::var("PENTARCH_PROOF").unwrap()).unwrap();
    naive_check(&text, "").unwrap();
}
