//! Where games begin.

use super::tournaments::games;
use super::{duel, play, scratch, spec};
use crate::run::run;
use pentarch::arena::{BalanceCriterion, Entrant, Match, Opening, Openings, Tournament};
use pentarch::engine::{Engine, Game, Options};
use pentarch::rules::Ruleset;
use pentarch::rules::catalog::CATALOG;
use pentarch::search::{Limits, Score, Signal};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The moves of an opening as canonical texts.
fn texts(opening: &Opening, rules: &Ruleset) -> Vec<String> {
    let game = opening.play(rules).unwrap();
    opening.moves.iter().map(|&mv| game.move_text(mv)).collect()
}

#[test]
fn pairs_share_an_opening_and_swap_seats() {
    let rules: Ruleset = "gomoku".parse().unwrap();
    let path = scratch("openings");
    fs::write(&path, "# three\nH8 h9\n\nh8 i9 # second\nposition 15/15/15/15/15/15/15/7b7/15/15/15/15/15/15/15 w - - 2 moves a1\n").unwrap();
    let openings = Openings::read(&path, &rules).unwrap();
    fs::remove_file(&path).unwrap();
    let [a, b] = Entrant::BOTH;
    let expected = [
        (1, [a, b], "h8 h9"),
        (2, [b, a], "h8 h9"),
        (3, [a, b], "h8 i9"),
        (4, [b, a], "h8 i9"),
        (5, [a, b], "a1"),
        (6, [b, a], "a1"),
        (7, [a, b], "h8 h9"),
    ];
    let game = Match { rules: rules.clone().into(), openings, games: 7, ..duel(spec("")) };
    let opening = |number| game.openings.get(number, &rules).unwrap();
    let matchups = Tournament::of_match(game.clone()).pairings().first_matchups();
    let games: Vec<_> = matchups[0].games().collect();
    let moves = |number| texts(&opening(number), &rules).join(" ");
    let found: Vec<_> =
        games.iter().map(|f| (f.number, f.seats.clone(), moves(f.opening))).collect();
    assert_eq!(
        found,
        expected.map(|(number, seats, moves)| (number, seats.to_vec(), moves.to_owned()))
    );
    assert!(opening(games[4].opening).position.is_some());
}

#[test]
fn a_bad_opening_is_named_with_its_line() {
    let rules = "pro-pente".parse().unwrap();
    for (text, message) in [
        ("j10 k10 n9\nj10 k10 j11\n", "line 2: illegal move `j11`: this stone must keep"),
        ("#\n\nK10x\n", "line 3: illegal move `K10x`"),
        ("position nonsense\n", "line 1: position text, field"),
        ("# nothing\n", "no opening in"),
    ] {
        let path = scratch("bad-openings");
        fs::write(&path, text).unwrap();
        let error = Openings::read(&path, &rules).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        fs::remove_file(&path).unwrap();
    }
    let error = Openings::read(&scratch("none"), &rules).unwrap_err().to_string();
    assert!(error.contains("check the path"), "{error}");
}

/// Openings as Gomocup, c-gomoku-cli, pente.org and programs for Go write them.
#[test]
fn openings_are_read_in_every_format() {
    let rules: Ruleset = "gomoku".parse().unwrap();
    for text in ["h8i9", "0,0, 1,-1\n", "h8 i9 ; 12", "1. H8 J9", "(;GM[4]SZ[15];B[hh];W[ig])"] {
        let path = scratch("formats");
        fs::write(&path, text.replace("i9", if text == "h8i9" { "i7" } else { "i9" })).unwrap();
        let Openings::List(list) = Openings::read(&path, &rules).unwrap() else { panic!("{text}") };
        assert_eq!(texts(&list[0], &rules), ["h8", "i9"], "{text}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn random_openings_are_open_games_of_every_variant() {
    for row in CATALOG {
        let rules = row.ruleset();
        for number in 0..20 {
            let opening = Openings::Random { plies: 6, seed: 2 }.get(number, &rules).unwrap();
            assert_eq!(opening.play(&rules).unwrap().moves().len(), 6, "{}", row.name);
        }
    }
    let tiny = "gomoku+size=3x3+line=3".parse().unwrap();
    let error = Openings::Random { plies: 9, seed: 1 }.get(0, &tiny).unwrap_err().to_string();
    assert!(error.contains("--random-plies"), "{error}");
}

/// The worth of a position to the side to move, as a search of `nodes` nodes sees it.
fn value(game: &Game, nodes: u64) -> Score {
    let limits = Limits::nodes(nodes);
    let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
    engine.search(game, limits, &Signal::new(), |_| ()).unwrap().report.score
}

#[test]
fn balanced_openings_have_small_values_in_every_variant() {
    // How many nodes judge does not matter here, as long as they are the same.
    let balance = BalanceCriterion { window: 60, nodes: 5_000 };
    let mut unbalanced = 0;
    for row in CATALOG {
        let rules = row.ruleset();
        let balanced = Openings::Balanced { plies: 5, seed: 2, balance };
        let random = Openings::Random { plies: 5, seed: 2 };
        for number in 0..3 {
            let opening = balanced.get(number, &rules).unwrap();
            let game = opening.play(&rules).unwrap();
            assert_eq!(game.moves().len(), 5, "{}", row.name);
            let value = value(&game, balance.nodes).value();
            let alone = rules.seating().sides() > 2;
            assert!(alone || value.abs() <= 60, "{}: {opening:?} is worth {value}", row.name);
            let first_draw = random.get(number, &rules).unwrap();
            unbalanced += u32::from(opening != first_draw);
        }
    }
    assert!(unbalanced > 10, "only {unbalanced} openings were drawn again");
}

#[test]
fn balanced_openings_depend_on_the_seed_alone() {
    let rules = "pro-pente".parse().unwrap();
    let openings = |seed| {
        let balance = BalanceCriterion { nodes: 2000, ..BalanceCriterion::default() };
        let openings = Openings::Balanced { plies: 4, seed, balance };
        [2, 0, 1, 0].map(|number| openings.get(number, &rules).unwrap())
    };
    let found = openings(3);
    assert_eq!(found, openings(3));
    assert_eq!(found[1], found[3]);
    assert_ne!(found, openings(4));
    let start = BalanceCriterion { window: 0, nodes: 50 };
    let none = Openings::Balanced { plies: 0, seed: 1, balance: start };
    let error = none.get(0, &rules).unwrap_err().to_string();
    assert!(error.contains("widen --balance"), "{error}");
}

#[test]
fn pairs_share_a_balanced_opening() {
    let balance = BalanceCriterion { nodes: 2000, ..BalanceCriterion::default() };
    let openings = Openings::Balanced { plies: 4, seed: 1, balance };
    let rules: Ruleset = "pente".parse().unwrap();
    let engines = [spec("player=random"), spec("player=random option.Seed=5")];
    let game = Match {
        games: 8,
        concurrency: 4,
        engines: engines.into(),
        openings,
        rules: rules.into(),
        ..duel(spec(""))
    };
    let (_, mut records) = play(&game);
    records.sort_by_key(|record| record.game);
    for pair in records.chunks(2) {
        let number = (pair[0].game - 1) / 2;
        let opening = game.openings.get(number, game.rules.built_in().unwrap()).unwrap();
        let opening = texts(&opening, game.rules.built_in().unwrap());
        assert_eq!(opening.len(), 4);
        assert_eq!(pair[0].moves[..4], opening);
        assert_eq!(pair[1].moves[..4], opening);
    }
}

/// What `match` makes of a file of openings is what a tournament file makes of it.
#[test]
fn a_match_arranges_the_openings_of_a_file() {
    let path = scratch("arranged");
    fs::write(&path, "a1 b3\na1 c4\na1 d5\na1 e6\n").unwrap();
    let openings = |more: &[&str]| {
        let records = scratch("arranged.jsonl");
        let mut arguments = vec!["match", "--variant=gomoku+size=9", "--nodes=1", "--games=64"];
        arguments.extend(["--openings", path.to_str().unwrap()]);
        arguments.extend(["--records", records.to_str().unwrap()]);
        arguments.extend(["--engine=player=random"; 2]);
        arguments.extend(more);
        let (code, _, errors) = run(Path::new("."), arguments, "");
        assert_eq!(code, Some(0), "{errors}");
        let played = games(&records);
        let list: Vec<String> = played.values().map(|game| game.moves[..2].join(" ")).collect();
        fs::remove_file(&records).unwrap();
        list
    };
    let plain = openings(&[]);
    let shuffled = openings(&["--order=random", "--seed=2"]);
    let mirrored = openings(&["--symmetries"]);
    fs::remove_file(&path).unwrap();
    let different = |list: &[String]| list.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(
        plain[..8],
        ["a1 b3", "a1 b3", "a1 c4", "a1 c4", "a1 d5", "a1 d5", "a1 e6", "a1 e6"]
    );
    assert_ne!(plain, shuffled);
    assert_eq!((different(&plain).len(), different(&shuffled)), (4, different(&plain)));
    assert_eq!(mirrored[..8], plain[..8], "first as they are");
    assert_eq!(different(&mirrored).len(), 4 * 8);
}

/// The openings of all shards are as many as asked for, and no two are equal.
#[test]
fn shards_have_no_opening_in_common() {
    let written = |shard: &str| -> Vec<String> {
        let line = format!(
            "openings --variant gomoku+size=9 --plies 3 --nodes 50 --count 7 --seed 3 {shard}"
        );
        let (code, out, err) = run(Path::new("."), line.split_whitespace(), "");
        assert_eq!(code, Some(0), "{err}");
        out.lines().map(str::to_owned).collect()
    };
    assert_eq!(written("--shard 1/1"), written(""));
    let parts = ["--shard 1/3", "--shard 2/3", "--shard 3/3"].map(written);
    assert_eq!(parts.each_ref().map(Vec::len), [3, 2, 2]);
    let all: BTreeSet<_> = parts.concat().into_iter().collect();
    assert_eq!(all.len(), 7, "{all:?}");
}
