//! Whole matches: over every protocol, side by side, until a test accepts a hypothesis.

use super::{PENTARCH, assert_fault, duel, play, run, scratch, script, spec};
use pentarch::arena::{
    ArenaError, EngineSpec, GameResultLine, Hypothesis, Match, MatchSummary, Openings, TimeControl,
};
use pentarch::records::RecordFile;
use pentarch::rules::Ruleset;
use pentarch_protocol::Dialect;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The binary, as an engine of GTP that is given its game, against random moves on hexagons.
#[test]
fn the_binary_plays_on_hexagons_over_gtp() {
    for variant in ["pentalath", "pentalath-hex+swap1", "yavalath", "yavalath-3"] {
        let gtp = || spec(&format!("proto=gtp cmd={PENTARCH} gtp --time 0.02"));
        let rules: Ruleset = variant.parse().unwrap();
        let others = usize::from(rules.seating().seats) - 1;
        let random = std::iter::repeat_with(|| spec("player=random")).take(others);
        let game = Match {
            engines: [gtp()].into_iter().chain(random).collect(),
            rules: rules.into(),
            games: 2,
            openings: Openings::Random { plies: 2, seed: 3 },
            ..duel(spec(""))
        };
        for record in play(&game).1 {
            let ending = record.reason.as_str();
            let by_rules = ["line", "short-line", "full-board", "no-move"].contains(&ending);
            assert!(by_rules, "{variant}: {ending}, {:?}", record.detail);
            let reports = record.plies.iter().filter(|ply| ply.score.is_some());
            assert!(reports.count() > 0, "{variant}: GTP's analysis is read");
        }
    }
}

/// The binary, which is given the game and a time on its command line, against random moves: over each
/// protocol whatever it has words for.
#[test]
fn the_binary_plays_what_a_protocol_has_words_for() {
    let refused = AtomicUsize::new(0);
    let play_all = |dialect: Dialect| {
        let mut played = 0;
        for variant in ["pro-pente", "gomoku+size=9", "swap2-pente+size=9", "connect6"] {
            let options = format!("--variant {variant} --hash 4 --time 0.01");
            let engine = spec(&format!("proto={dialect} cmd={PENTARCH} {dialect} {options}"));
            let game = Match { rules: variant.parse().unwrap(), games: 2, ..duel(engine) };
            let summary = run(&game, None, |finished| {
                let ending = finished.record.reason.as_str();
                let by_rules = ["line", "captures", "full-board"].contains(&ending);
                assert!(by_rules, "{dialect}, {variant}: {ending}, {:?}", finished.record.detail);
                Ok(())
            });
            match summary {
                Ok(_) => played += 1,
                Err(ArenaError::Setup(_)) => _ = refused.fetch_add(1, Ordering::Relaxed),
                Err(error) => panic!("{dialect}, {variant}: {error}"),
            }
        }
        assert!(played > 1, "{dialect}");
    };
    thread::scope(|scope| {
        for dialect in Dialect::ALL {
            let play_all = &play_all;
            scope.spawn(move || play_all(dialect));
        }
    });
    assert_eq!(refused.into_inner(), 3, "Gomocup one, the server of pente.org two");
}

/// The binary against itself over two protocols, each game to an end by the rules.
#[test]
fn the_binary_plays_over_every_protocol() {
    for (variant, dialects, plies) in [
        ("gomoku", ["uci", "gomocup"], 4),
        ("gomoku-standard+size=9", ["gomocup", "uci"], 4),
        ("gomoku+size=10x8", ["gomocup", "ugi"], 2),
        ("pro-pente+size=13", ["gomocup", "uci"], 0),
        ("renju", ["gomocup", "ugi"], 3),
        ("gomoku+swap2", ["gomocup", "gomocup"], 0),
        ("swap2-pente+size=13", ["gomocup", "ugi"], 0),
        ("d-pente+size=13", ["uci", "ugi"], 0),
        ("connect6", ["sidecar", "ugi"], 3),
        ("o-pente", ["ugi", "sidecar"], 2),
    ] {
        let engines = dialects.map(|dialect| {
            spec(&format!(
                "name={dialect} proto={dialect} cmd={PENTARCH} {dialect} --hash 4 --time 0.01"
            ))
        });
        let game = Match {
            rules: variant.parse().unwrap(),
            engines: engines.into(),
            control: TimeControl { nodes: Some(300), ..TimeControl::default() },
            games: 2,
            openings: Openings::Random { plies, seed: 3 },
            concurrency: 2,
            ..duel(spec(""))
        };
        for record in play(&game).1 {
            let ending = record.reason.as_str();
            let by_rules = ["line", "captures", "full-board"].contains(&ending);
            assert!(by_rules, "{variant}: {ending}, {:?}", record.detail);
            for ply in &record.plies[record.opening_plies..] {
                let player = record.players[usize::from(ply.seat) - 1].as_str();
                let reported = ply.score.is_some() && ply.nodes.is_some() && !ply.pv.is_empty();
                assert!(reported || !["ugi", "uci"].contains(&player), "{variant}: {ply:?}");
            }
        }
    }
}

#[test]
fn what_gomocup_cannot_tell_ends_the_run() {
    let gomocup = || spec(&format!("proto=gomocup cmd={PENTARCH} gomocup"));
    let tiles = Match { rules: "pent-up".parse().unwrap(), ..duel(gomocup()) };
    let error = run(&tiles, None, |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("knows points only"), "{error}");
    let path = scratch("position");
    let text = "position 9/9/9/9/4b4/9/9/9/9 w - - 2";
    fs::write(&path, text).unwrap();
    let mut game = duel(gomocup());
    game.openings = Openings::read(&path, game.rules.built_in().unwrap()).unwrap();
    fs::remove_file(&path).unwrap();
    let error = run(&game, None, |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("use openings of moves"), "{error}");
    let choice = Match { rules: "d-pente".parse().unwrap(), games: 2, ..duel(gomocup()) };
    let error = run(&choice, None, |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("knows of all openings with a choice swap2 only"), "{error}");
}

#[test]
fn games_side_by_side_are_all_recorded() {
    let good = Match { games: 12, concurrency: 4, ..duel(script("ugi", "crash")) };
    assert_fault(&good, "crash", "");
    let (summary, _) = play(&Match { games: 7, concurrency: 3, ..duel(script("gtp", "good")) });
    assert_eq!(summary.head_to_head.total().games(), 7);
    assert_eq!(summary.head_to_head.pairs().iter().sum::<u32>(), 3);
}

/// What an engine keeps of a game would make the next one depend on who played before it.
#[test]
fn engines_over_gtp_are_told_to_forget_the_last_game() {
    let (_, records) = play(&duel(script("gtp", "remembers")));
    for record in records {
        assert!(["line", "full-board"].contains(&record.reason.as_str()), "{record:?}");
    }
}

#[test]
fn games_side_by_side_do_not_wait_for_each_other() {
    // The script sleeps for 0.4 s in each game.
    let start = Instant::now();
    play(&Match { games: 6, concurrency: 6, ..duel(script("ugi", "slow")) });
    let time = start.elapsed();
    assert!(time < Duration::from_secs(2), "{time:?}");
}

#[test]
fn the_built_in_engine_beats_random() {
    let engines = [spec("name=own nodes=200"), spec("player=random")];
    let openings = Openings::Random { plies: 2, seed: 7 };
    let rules = "pente".parse().unwrap();
    let game = Match {
        rules,
        engines: engines.into(),
        games: 20,
        openings,
        concurrency: 2,
        ..duel(spec(""))
    };
    let (summary, records) = play(&game);
    assert_eq!(summary.head_to_head.total().wins, 20, "{records:?}");
    for record in &records {
        for (ply, mv) in record.plies.iter().zip(&record.moves) {
            let is_own = record.players[usize::from(ply.seat) - 1] == "own";
            assert_eq!(ply.score.is_some(), is_own && ply.time.is_some(), "{ply:?}");
            assert_eq!((&ply.mv, ply.pv.first().unwrap_or(mv)), (mv, mv));
        }
        assert!(record.plies.iter().any(|ply| ply.mate == Some(1)), "{record:?}");
    }
    let text = summary.to_string();
    assert!(text.contains("own against random: 20 games, 20 wins, 0 losses"), "{text}");
    assert!(text.contains("first player, whoever it was: 10 wins, 10 losses"), "{text}");
    let short = "\nin short: pente, nodes 200 against nodes 1, 2 random plies, 20 games: +20 =0 -0 \
                 (100.0 %, Elo +inf +/- inf)";
    assert!(text.ends_with(short), "{text}");
}

/// Plays until the test has a verdict or `games` are played; returns what was recorded as well.
fn tried(engines: [EngineSpec; 2], games: u32) -> (MatchSummary, usize) {
    let path = scratch("tried.jsonl");
    let mut file = RecordFile::open(&path, false).unwrap();
    let sprt = Some("elo0=0,elo1=200".parse().unwrap());
    let openings = Openings::Random { plies: 4, seed: 1 };
    let game =
        Match { engines: engines.into(), games, sprt, openings, concurrency: 3, ..duel(spec("")) };
    let mut reported = 0;
    let summary = run(&game, Some(&mut file), |finished| {
        reported += 1;
        let line = GameResultLine(finished).to_string();
        assert!(line.contains(", LLR ") && line.ends_with(" (-2.94, 2.94)"), "{line}");
        Ok(())
    });
    let recorded = fs::read_to_string(&path).unwrap().lines().count();
    fs::remove_file(&path).unwrap();
    assert_eq!(reported, recorded);
    (summary.unwrap(), recorded)
}

#[test]
fn a_verdict_ends_the_match_when_begun_pairs_are_finished() {
    let unequal = [spec("name=own nodes=200"), spec("player=random")];
    let (summary, games) = tried(unequal, 2000);
    let trial = summary.sprt.unwrap();
    assert_eq!(trial.accepted(), Some(Hypothesis::H1), "{summary}");
    assert!(games < 100 && games.is_multiple_of(2), "{games}");
    assert!(games as u32 >= 2 * trial.pairs());
    assert_eq!(summary.head_to_head.pairs().iter().sum::<u32>() as usize, games / 2);
    assert!(summary.to_string().contains("(-2.94, 2.94), H1 accepted after "), "{summary}");

    // An engine splits every pair with itself.
    let equal = [spec("nodes=20"), spec("nodes=20")];
    let (summary, games) = tried(equal, 2000);
    assert_eq!(summary.sprt.unwrap().accepted(), Some(Hypothesis::H0), "{summary}");
    assert!(games < 200 && games.is_multiple_of(2), "{games}");
    assert_eq!(summary.head_to_head.total().score(), Some(0.5));
}

#[test]
fn a_test_without_a_verdict_plays_all_games() {
    let (summary, games) = tried([spec("player=random"), spec("player=random")], 5);
    assert_eq!(games, 5);
    assert_eq!(summary.sprt.unwrap().pairs(), 2, "only whole pairs count");
    let text = summary.to_string();
    assert!(text.contains(" (-2.94, 2.94), undecided after 2 pairs"), "{text}");
    assert!(text.ends_with(" (-2.94, 2.94) undecided"), "{text}");
}

#[test]
fn equal_seeds_give_equal_games() {
    let moves = |seed| {
        let engines = [spec("option.Seed=3 nodes=100"), spec("player=random")];
        let openings = Openings::Random { plies: 4, seed };
        let game =
            Match { engines: engines.into(), openings, seed, concurrency: 2, ..duel(spec("")) };
        let (_, mut records) = play(&game);
        records.sort_by_key(|record| record.game);
        records.into_iter().map(|record| record.moves).collect::<Vec<_>>()
    };
    assert_eq!(moves(5), moves(5));
    assert_ne!(moves(5), moves(6));
}

#[test]
fn a_record_file_is_never_overwritten() {
    let path = scratch("kept.jsonl");
    fs::write(&path, "{\"cut short").unwrap();
    let error = RecordFile::open(&path, false).unwrap_err().to_string();
    assert!(error.contains("--append"), "{error}");
    let mut file = RecordFile::open(&path, true).unwrap();
    let game = Match { games: 1, ..duel(spec("")) };
    run(&game, Some(&mut file), |_| Ok(())).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(text.starts_with("{\"cut short\n{\"game\":1,"), "{text}");
}

/// Three engines at one board take each seat equally often, over processes too, and share the points.
#[test]
fn many_engines_sit_at_one_board() {
    let child = format!("name=child cmd={} ugi", env!("CARGO_BIN_EXE_pentarch"));
    for (variant, engines, games) in [
        ("pente-3+size=9", vec!["nodes=300", child.as_str(), "player=random"], 6),
        ("pente-4+goal=4+size=9", vec!["nodes=200", "player=random"], 4),
        ("team-pente+size=9", vec!["nodes=200", child.as_str()], 4),
    ] {
        let engines: Vec<_> = engines.into_iter().map(spec).collect();
        let rules: pentarch::rules::Ruleset = variant.parse().unwrap();
        let (seats, count) = (u32::from(rules.seating().seats), engines.len() as u32);
        let openings = Openings::Random { plies: 3, seed: 4 };
        let control = TimeControl { nodes: Some(300), ..TimeControl::default() };
        let game =
            Match { rules: rules.into(), engines, games, openings, control, ..duel(spec("")) };
        let mut reported = 0;
        let summary = run(&game, None, |finished| {
            reported += 1;
            assert_eq!(finished.record.players.len(), seats as usize);
            Ok(())
        })
        .unwrap();
        assert_eq!(reported, games);
        let rows = summary.points.rows();
        assert!(rows.iter().all(|row| row.seats == games * seats / count), "{variant}: {rows:?}");
        let points: f64 = rows.iter().map(|row| row.points).sum();
        assert!((points - f64::from(games)).abs() < 1e-9, "{variant}: {rows:?}");
    }
}
