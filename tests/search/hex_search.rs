//! The search of games on hexagons: what it proves, the wins that it finds, and the evaluator's
//! short cuts against the rules.

use fastrand::Rng;
use pentarch::board::{HexSymmetry, cells_of};
use pentarch::engine::{Engine, Game, Method, Options};
use pentarch::eval::{HexEvaluator, HexTables};
use pentarch::game::{Cell, Move, MoveList, Position as _};
use pentarch::hexes::{Position, completions};
use pentarch::search::{
    Evaluator as _, Limits, MoveGenerator as _, Report, Score, SearchPosition, Signal,
    ThreatGenerator as _,
};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SPECS: [&str; 8] = [
    "pentalath",
    "pentalath+swap1",
    "pentalath-hex",
    "pentalath+side=4+line=4",
    "pentalath+side=3+line=3",
    "yavalath",
    "yavalath+swap1",
    "yavalath+side=3",
];

fn start(spec: &str) -> Position {
    Position::new(spec.parse().unwrap())
}

fn legal(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

/// A random game of that many plies, or fewer if it ends before.
fn random_game(spec: &str, plies: u32, rng: &mut Rng) -> Position {
    let mut position = start(spec);
    while position.outcome().is_none() && position.ply() < plies {
        let moves = legal(&position);
        position.play(moves[rng.usize(..moves.len())]);
    }
    position
}

fn think(position: &Position, options: Options, limits: Limits) -> (Option<Move>, Report) {
    let mut game = Game::new(position.rules().to_ruleset());
    for mv in position.moves() {
        game.play_move(mv).unwrap();
    }
    let found = Engine::new(options).think_here(&game, limits, &Signal::new(), |_| ()).unwrap();
    (found.best, found.report)
}

/// 1, 0 or -1 for the side to move in an ended game.
fn ended(position: &Position) -> Option<i8> {
    let mover = position.side_of(position.to_move());
    let value = |winner| if winner == mover { 1 } else { -1 };
    position.outcome().map(|outcome| outcome.winner.map_or(0, value))
}

/// The values of positions by trying everything, in the words of the rules only, for games that cannot
/// come back to a position. A position is remembered with all its images.
struct Exhaustive {
    known: HashMap<u128, i8>,
    /// For each symmetry of the board, where in a picture the image of each cell is.
    shifts: Vec<Vec<u32>>,
}

impl Exhaustive {
    fn of(position: &Position) -> Exhaustive {
        let grid = position.grid();
        let places: HashMap<Cell, u32> = grid.iter().zip((0..).step_by(2)).collect();
        let shifts_of = |symmetry: HexSymmetry| {
            let mut shifts = vec![0; Cell::LIMIT];
            for cell in grid.iter() {
                shifts[cell.index()] = places[&symmetry.apply(grid, cell)];
            }
            shifts
        };
        let shifts = HexSymmetry::all(grid).map(shifts_of).collect();
        Exhaustive { known: HashMap::new(), shifts }
    }

    /// 1, 0 or -1 for the side to move.
    fn value(&mut self, position: &mut Position) -> i8 {
        if let Some(value) = ended(position) {
            return value;
        }
        let key = self.key(position);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        // Ends first, so that most wins are seen at once.
        let mut moves = legal(position);
        moves.sort_by_cached_key(|&mv| {
            position.play(mv);
            let open = position.outcome().is_none();
            position.undo();
            open
        });
        let mut best = -1;
        for mv in moves {
            position.play(mv);
            best = best.max(-self.value(position));
            position.undo();
            if best == 1 {
                break;
            }
        }
        self.known.insert(key, best);
        best
    }

    /// As long as every move has left a stone, the stones say whose turn it is, and images are worth
    /// the same: the least of their pictures. After a capture it is the key of the position.
    fn key(&self, position: &Position) -> u128 {
        let stones: Vec<(Cell, u128)> = position
            .cells()
            .filter_map(|cell| Some((cell, position.stone(cell)?)))
            .map(|(cell, color)| (cell, color.index() as u128 + 1))
            .collect();
        if stones.len() != position.ply() as usize {
            return u128::from(position.key().0) | 1 << 127;
        }
        let image = |shifts: &Vec<u32>| {
            stones.iter().fold(0, |image, (cell, color)| image | color << shifts[cell.index()])
        };
        self.shifts.iter().map(image).min().expect("the identity is a symmetry")
    }
}

/// The value of a small game by listing all its positions and working backwards from the ends;
/// what no side can force is a draw.
fn retrograde(spec: &str) -> i8 {
    let start = start(spec);
    let mut numbers = HashMap::from([(start.key(), 0)]);
    let mut queue = VecDeque::from([start.text()]);
    let (mut values, mut next): (Vec<i8>, Vec<Vec<usize>>) = (vec![0], Vec::new());
    let mut ends: Vec<bool> = vec![false];
    while let Some(text) = queue.pop_front() {
        let mut position = start.with_text(&text).unwrap();
        let mut reached = Vec::new();
        for mv in legal(&position) {
            position.play(mv);
            let number = *numbers.entry(position.key()).or_insert(values.len());
            if number == values.len() {
                values.push(ended(&position).unwrap_or(0));
                ends.push(position.outcome().is_some());
                queue.push_back(position.text());
            }
            reached.push(number);
            position.undo();
        }
        next.push(reached);
    }
    let verdict = |values: &[i8], number: usize| {
        let of = |&number: &usize| values[number];
        let reached = &next[number];
        match () {
            () if ends[number] => values[number],
            () if reached.iter().any(|n| of(n) == -1) => 1,
            () if reached.iter().all(|n| of(n) == 1) => -1,
            () => 0,
        }
    };
    loop {
        let mut changed = false;
        for number in (0..values.len()).rev() {
            let value = verdict(&values, number);
            changed |= value != std::mem::replace(&mut values[number], value);
        }
        if !changed {
            return values[0];
        }
    }
}

/// The value that the engine proves, 1, 0 or -1 for the side to move.
fn proved(position: &Position) -> i8 {
    let (_, report) =
        think(position, Options { exact: true, ..Options::default() }, Limits::default());
    assert!(report.depth > 0, "{}: nothing was proved", position.text());
    match report.score {
        score if score.is_win() => 1,
        score if score.is_loss() => -1,
        score => {
            assert_eq!(score, Score::DRAW, "a proof is a win, a loss or a draw");
            0
        }
    }
}

#[test]
fn small_boards_of_pentalath_are_solved() {
    for (spec, value) in [
        ("pentalath+side=2+line=3", 0),
        ("pentalath-hex+side=2+line=3", 1),
        ("pentalath+side=3+line=3", 1),
        ("pentalath+side=3+line=4", 1),
        ("pentalath+side=3", 1),
    ] {
        assert_eq!(retrograde(spec), value, "{spec}");
        assert_eq!(proved(&start(spec)), value, "{spec}");
    }
}

#[test]
fn small_boards_of_yavalath_are_solved() {
    for (spec, value) in [("yavalath+side=2", 0), ("yavalath+side=3", -1)] {
        let mut position = start(spec);
        assert_eq!(Exhaustive::of(&position).value(&mut position), value, "{spec}");
        assert_eq!(proved(&start(spec)), value, "{spec}");
    }
}

/// Late positions of all kinds, by alpha-beta and by the proofs of tree search, on one and two
/// threads.
#[test]
fn the_solvers_agree_with_exhaustive_search() {
    let mut seen = [0; 3];
    for (spec, plies) in [
        ("yavalath+side=3", 11),
        ("yavalath+side=4", 18),
        ("pentalath+side=4+line=4+max-plies=26", 18),
        ("pentalath+side=3+line=4+max-plies=12", 4),
    ] {
        for seed in 0..40 {
            let position = random_game(spec, plies, &mut Rng::with_seed(seed));
            if position.outcome().is_some() {
                continue;
            }
            let value = Exhaustive::of(&position).value(&mut position.clone());
            assert_eq!(proved(&position), value, "{}", position.text());
            seen[(value + 1) as usize] += 1;
            let threads = 1 + seed as usize % 2;
            let options = Options { method: Method::Tree, threads, ..Options::default() };
            let (_, report) = think(&position, options, Limits::nodes(20_000));
            let reported = match report.score {
                score if score.is_win() => 1,
                score if score.is_loss() => -1,
                _ => value,
            };
            assert_eq!(reported, value, "{}", position.text());
        }
    }
    assert!(seen.iter().all(|&count| count >= 5), "{seen:?}");
}

/// The length of a win that the side to move can force by making a row to complete, or winning,
/// with every move; every legal answer is tried.
fn win_by_rows(position: &mut Position, plies: u32) -> Option<u32> {
    let mover = position.color_to_move();
    let line = position.hexes().line;
    let wins = |position: &mut Position, mv: Move| {
        position.play(mv);
        let won = ended(position) == Some(-1);
        position.undo();
        won
    };
    let moves = legal(position);
    if moves.iter().any(|&mv| wins(position, mv)) {
        return Some(1);
    }
    for &mv in moves.iter().filter(|_| plies >= 3) {
        position.play(mv);
        let threatens = completions(position.stones(mover), line) & position.empty() != 0;
        let holds = |position: &mut Position| {
            let mut longest = 0;
            for answer in legal(position) {
                position.play(answer);
                let win = match ended(position) {
                    Some(1) => Some(0),
                    Some(_) => None,
                    None => win_by_rows(position, plies - 2),
                };
                position.undo();
                longest = longest.max(win?);
            }
            Some(longest)
        };
        let open = threatens && position.outcome().is_none();
        let win = if open { holds(position) } else { None };
        position.undo();
        if let Some(rest) = win {
            return Some(rest + 2);
        }
    }
    None
}

/// Wins by rows within eleven plies in random positions, found within a second's worth of nodes.
#[test]
fn forced_wins_are_found_and_announced() {
    for (spec, wanted) in [("pentalath", 40), ("pentalath-hex", 25), ("yavalath", 25)] {
        let (mut found, mut long) = (0, 0);
        for seed in 0.. {
            let mut rng = Rng::with_seed(seed);
            let plies = rng.u32(12..26);
            let mut position = random_game(spec, plies, &mut rng);
            if position.outcome().is_some() {
                continue;
            }
            let shallow = win_by_rows(&mut position, 3);
            let Some(length) = win_by_rows(&mut position, 11).filter(|_| shallow.is_none()) else {
                continue;
            };
            let started = Instant::now();
            let limits = Limits::nodes(200_000);
            let limits = Limits { move_time: Some(Duration::from_secs(1)), ..limits };
            let (_, report) = think(&position, Options::default(), limits);
            let text = position.text();
            assert!(report.score.is_win(), "{spec} {text}: a win in {length}, {report:?}");
            assert!(started.elapsed() < Duration::from_secs(2), "{text}");
            (found, long) = (found + 1, long + u32::from(length >= 7));
            if found >= wanted {
                break;
            }
        }
        assert!(long >= 3, "{spec}: {long} of {found} wins take seven plies or more");
    }
}

/// Calls `law` at every open ply of random games, with an evaluator that followed all of them.
fn at_every_ply(mut law: impl FnMut(&mut SearchPosition<Position, HexEvaluator>, &str)) {
    for spec in SPECS {
        let tables = Arc::new(HexTables::new(&spec.parse().unwrap()));
        for seed in 0..4 {
            let mut rng = Rng::with_seed(seed);
            let mut tree =
                SearchPosition::new(start(spec), HexEvaluator::new(Arc::clone(&tables), 0));
            while tree.position.outcome().is_none() && tree.position.ply() < 200 {
                let context = format!("{spec}, game {seed}, {}", tree.position.text());
                law(&mut tree, &context);
                let moves = legal(&tree.position);
                tree.play(moves[rng.usize(..moves.len())]);
            }
        }
    }
}

#[test]
fn following_moves_comes_to_the_same_as_starting_afresh() {
    at_every_ply(|tree, context| {
        let moves = legal(&tree.position);
        if let Some(&mv) = moves.last() {
            tree.play(mv);
            tree.undo();
        }
        let value = tree.evaluator.value(&tree.position);
        let (position, evaluator) = (&tree.position, &tree.evaluator);
        let mut fresh = evaluator.clone();
        fresh.reset(position);
        assert_eq!(value, fresh.value(position), "{context}");
        for mv in moves {
            let same = evaluator.ordering_score(position, mv) == fresh.ordering_score(position, mv);
            assert!(same, "{}, {context}", position.move_text(mv));
        }
    });
}

#[test]
fn lists_of_moves_hold_legal_ones_each_once() {
    at_every_ply(|tree, context| {
        let (position, evaluator) = (&tree.position, &tree.evaluator);
        let lists: [fn(&HexEvaluator, &Position, &mut MoveList); 3] = [
            |evaluator, position, list| {
                evaluator.candidates(position, list);
            },
            |evaluator, position, list| evaluator.tactical_moves(position, list),
            |evaluator, position, list| evaluator.threat_moves(position, false, list),
        ];
        let [candidates, urgent, _] = lists.map(|list| {
            let mut moves = MoveList::new();
            list(evaluator, position, &mut moves);
            let distinct: BTreeSet<_> = moves.iter().copied().collect();
            assert_eq!(distinct.len(), moves.len(), "{context}");
            assert!(moves.iter().all(|&mv| position.is_legal(mv)), "{context}");
            distinct
        });
        assert!(!candidates.is_empty(), "{context}");
        let loud = |mv: &&Move| !evaluator.is_quiet(position, **mv);
        let loud: BTreeSet<_> = candidates.iter().filter(loud).copied().collect();
        assert_eq!(urgent, loud, "{context}");
    });
}

#[test]
fn replies_are_asked_for_exactly_when_the_other_side_threatens_and_none_is_missed() {
    let mut threats = 0;
    at_every_ply(|tree, context| {
        if tree.evaluator.winning_move(&tree.position).is_some() {
            return;
        }
        let mut replies = MoveList::new();
        let threatened = tree.evaluator.defenses(&tree.position, &mut replies).is_some();
        threats += u32::from(threatened);
        for mv in legal(&tree.position) {
            tree.play(mv);
            let next = tree.evaluator.winning_move(&tree.position).is_some();
            let lost = ended(&tree.position) == Some(1);
            let loses = lost || tree.position.outcome().is_none() && next;
            tree.undo();
            let text = tree.position.move_text(mv);
            assert!(threatened || lost || !loses, "{text} loses unannounced, {context}");
            assert!(!threatened || loses || replies.contains(&mv), "{text} holds, {context}");
        }
    });
    assert!(threats > 50, "{threats}");
}

/// A game is the same seen in a mirror, and so is its value.
#[test]
fn images_have_the_same_value() {
    for spec in ["pentalath", "pentalath-hex", "yavalath"] {
        let tables = Arc::new(HexTables::new(&spec.parse().unwrap()));
        for seed in 0..20 {
            let position = random_game(spec, 14, &mut Rng::with_seed(seed));
            let grid = position.grid();
            let value = |position: &Position| {
                let mut evaluator = HexEvaluator::new(Arc::clone(&tables), 0);
                evaluator.reset(position);
                evaluator.value(position)
            };
            for symmetry in HexSymmetry::all(grid) {
                let mut image = start(spec);
                for mv in position.moves() {
                    let cell = mv.cell().unwrap();
                    image.play(Move::stone(symmetry.apply(grid, cell)));
                }
                assert_eq!(value(&image), value(&position), "{}", position.text());
            }
        }
    }
}

#[test]
fn searches_of_every_kind_keep_to_their_limits() {
    for spec in ["pentalath", "pentalath+swap1", "yavalath", "yavalath-3", "pentalath-3"] {
        for (plies, method) in [(0, Method::Best), (1, Method::Tree), (9, Method::AlphaBeta)] {
            let position = random_game(spec, plies, &mut Rng::with_seed(3));
            let options = Options { method, ..Options::default() };
            let (best, report) = think(&position, options.clone(), Limits::nodes(700));
            assert!(report.nodes <= 701, "{spec}: {} nodes", report.nodes);
            assert!(best.is_some_and(|mv| position.is_legal(mv)), "{spec}");
            let repeated = think(&position, options.clone(), Limits::nodes(700));
            assert_eq!(
                (best, report.score, report.pv),
                (repeated.0, repeated.1.score, repeated.1.pv)
            );
            let asked = *legal(&position).last().unwrap();
            let limits = Limits { search_moves: vec![asked], ..Limits::nodes(200) };
            assert_eq!(think(&position, options, limits).0, Some(asked), "{spec}");
        }
    }
}

/// Whoever chooses takes the better color.
#[test]
fn the_chooser_takes_a_won_position() {
    // A stone that wins by force on a small board is taken, one that loses is left to its owner.
    let mut seen = BTreeSet::new();
    let empty = start("pentalath+side=3+line=3+swap1");
    for cell in cells_of(empty.grid().all()) {
        let mut position = empty.clone();
        position.play(Move::stone(cell));
        let (best, report) = think(&position, Options::default(), Limits::nodes(200_000));
        assert!(report.score.is_win(), "{}", position.text());
        seen.insert(position.move_text(best.unwrap()));
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["keep", "swap"]);
}
