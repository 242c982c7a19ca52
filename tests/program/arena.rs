//! Matches: what scripted players do wrong has the right result and reason, and every game is
//! played and recorded.

use pentarch::arena::{
    ArenaError, Balance, EngineSpec, Entrant, GameLine, Hypothesis, Match, Opening, Openings,
    Pairing, Schedule, Summary, TimeControl, Timeouts,
};
use pentarch::engine::{Engine, Game, Options};
use pentarch::records::{GameRecord, RecordFile};
use pentarch::rules::Ruleset;
use pentarch::rules::catalog::CATALOG;
use pentarch::search::{Limits, Score, Signal};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const PENTARCH: &str = env!("CARGO_BIN_EXE_pentarch");

/// A name for a file of one test.
fn scratch(name: &str) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("pentarch-{}-{number}-{name}", std::process::id());
    std::env::temp_dir().join(name)
}

fn spec(text: &str) -> EngineSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The moves of an opening as canonical texts.
fn texts(opening: &Opening, rules: &Ruleset) -> Vec<String> {
    let game = opening.play(rules).unwrap();
    opening.moves.iter().map(|&mv| game.move_text(mv)).collect()
}

/// A scripted engine that misbehaves as `mode` says.
fn script(dialect: &str, mode: &str) -> EngineSpec {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    let file = if dialect == "uci" { "ugi" } else { dialect };
    spec(&format!("proto={dialect} dir='{directory}' cmd=sh {file}.sh {mode}"))
}

/// A match against a random player on a board that scripts know, without a clock.
fn duel(engine: EngineSpec) -> Match {
    Match {
        rules: "gomoku+size=9".parse().unwrap(),
        engines: vec![engine, spec("player=random")],
        control: TimeControl { nodes: Some(1), ..TimeControl::default() },
        games: 4,
        sprt: None,
        openings: Openings::Random { plies: 0, seed: 1 },
        concurrency: 1,
        timeouts: Timeouts { silence: Duration::from_secs(20), ..Timeouts::default() },
        seed: 1,
    }
}

/// A match in which a move may take a tenth of a second and a hang is soon found.
fn timed_duel(engine: EngineSpec) -> Match {
    let move_time = Some(Duration::from_millis(100));
    Match { control: TimeControl { move_time, ..TimeControl::default() }, games: 2, ..duel(engine) }
}

/// Plays a match and returns what is on the disk at its end.
fn play(game: &Match) -> (Summary, Vec<GameRecord>) {
    let path = scratch("games.jsonl");
    let mut file = RecordFile::open(&path, false).unwrap();
    let mut told = 0;
    let summary = game
        .run(Some(&mut file), |finished| {
            told += 1;
            let lines = fs::read_to_string(&path)?;
            let number = format!("\"game\":{},", finished.record.game);
            assert!(lines.contains(&number), "told before it was on the disk");
            Ok(())
        })
        .unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let records: Vec<GameRecord> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    fs::remove_file(&path).unwrap();
    assert_eq!(told, game.games);
    let mut numbers: Vec<_> = records.iter().map(|record| record.game).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=game.games).collect::<Vec<_>>());
    (summary, records)
}

/// Checks that the first engine lost every game for this reason.
fn assert_fault(game: &Match, reason: &str, detail: &str) {
    let (summary, records) = play(game);
    for record in &records {
        let first_seat = record.game % 2 == 1;
        let result = if first_seat { "p2win" } else { "p1win" };
        let text = record.detail.clone().unwrap_or_default();
        assert_eq!(record.reason, reason, "{text}");
        assert_eq!(record.result.to_string(), result);
        assert!(text.contains(detail), "{text:?} has no {detail:?}");
        assert_eq!(record.times.len(), record.moves.len() - record.opening_plies);
        assert_eq!(record.plies.len(), record.moves.len());
    }
    assert_eq!(summary.standings.total().losses, game.games);
}

#[test]
fn a_crash_loses_the_game() {
    assert_fault(&duel(script("ugi", "crash")), "crash", "exit status: 7");
    assert_fault(&duel(script("gtp", "crash")), "crash", "exit status: 7");
    assert_fault(&duel(script("uci", "crash")), "crash", "exit status: 7");
    assert_fault(&duel(script("gomocup", "crash")), "crash", "exit status: 7");
}

#[test]
fn a_crash_before_the_first_move_loses_the_game() {
    let game = Match { games: 2, ..duel(script("ugi", "never")) };
    assert_fault(&game, "crash", "exit status: 4");
}

/// Plays a match whose first engine falls silent for good.
fn assert_hang(engine: EngineSpec) {
    let game = timed_duel(engine);
    let silence = Duration::from_millis(500);
    let move_time = Some(Duration::from_millis(250));
    let control = TimeControl { move_time, ..game.control };
    let timeouts = Timeouts { silence, ..game.timeouts };
    assert_fault(&Match { control, timeouts, ..game }, "hang", "no answer to `g");
}

#[test]
fn a_hang_loses_the_game_over_ugi() {
    assert_hang(script("ugi", "hang"));
}

#[test]
fn a_hang_loses_the_game_over_gtp() {
    assert_hang(script("gtp", "hang"));
}

#[test]
fn a_hang_loses_the_game_over_gomocup() {
    let game = timed_duel(script("gomocup", "hang"));
    let timeouts = Timeouts { silence: Duration::from_millis(500), ..game.timeouts };
    assert_fault(&Match { timeouts, ..game }, "hang", "no answer to `TURN");
}

#[test]
fn lines_without_an_answer_are_a_hang() {
    assert_hang(script("ugi", "endless"));
}

#[test]
fn a_line_without_an_end_is_a_hang() {
    assert_hang(script("ugi", "nolineend"));
}

#[test]
fn a_late_move_loses_the_game() {
    assert_fault(&timed_duel(script("ugi", "slow")), "time", "the clock had 100 ms");
    assert_fault(&timed_duel(script("gtp", "slow")), "time", "the clock had 100 ms");
    assert_fault(&timed_duel(script("gomocup", "slow")), "time", "the clock had 100 ms");
}

#[test]
fn an_illegal_move_loses_the_game() {
    assert_fault(&duel(script("ugi", "illegal")), "illegal-move", "the point is occupied");
    assert_fault(&duel(script("gtp", "illegal")), "illegal-move", "the point is occupied");
    assert_fault(&duel(script("uci", "illegal")), "illegal-move", "the point is occupied");
    assert_fault(&duel(script("gomocup", "illegal")), "illegal-move", "the point is occupied");
    assert_fault(&duel(script("gomocup", "outside")), "illegal-move", "44,44 is not on the board");
    assert_fault(&duel(script("ugi", "nonsense")), "illegal-move", "`e44` is not on the board");
}

#[test]
fn answers_that_are_no_move_lose_the_game() {
    assert_fault(&duel(script("ugi", "garbled")), "garbled", "bestmove a1 a2 a3");
    assert_fault(&duel(script("gtp", "garbled")), "garbled", "I am lost");
    assert_fault(&duel(script("gomocup", "garbled")), "garbled", "4;4");
    assert_fault(&duel(script("gomocup", "two")), "garbled", "4,4 5,5");
    assert_fault(&duel(script("gomocup", "failure")), "refused", "out of ideas");
    assert_fault(&duel(script("ugi", "none")), "no-move-given", "");
    assert_fault(&duel(script("gtp", "failure")), "refused", "out of ideas");
    assert_fault(&duel(script("gtp", "refuses")), "refused", "illegal move");
    assert_fault(&duel(script("ugi", "resign")), "resigned", "");
    assert_fault(&duel(script("gtp", "resign")), "resigned", "");
}

#[test]
fn what_is_no_fault_ends_games_by_the_rules() {
    for (dialect, mode) in [
        ("ugi", "good"),
        ("gtp", "good"),
        ("uci", "good"),
        ("gomocup", "good"),
        ("gomocup", "noisy"),
        ("gomocup", "suggest"),
        ("gomocup", "old"),
        ("ugi", "leaves"),
        ("ugi", "stays"),
    ] {
        let (summary, records) = play(&duel(script(dialect, mode)));
        let name = if mode == "old" { "Script by nobody" } else { &format!("Script {mode}") };
        assert_eq!(summary.names[0], name);
        for record in records {
            assert!(["line", "full-board"].contains(&record.reason.as_str()), "{record:?}");
        }
    }
}

/// The binary, as an engine of GTP that is told its game, against random moves on hexagons.
#[test]
fn the_binary_plays_on_hexagons_over_gtp() {
    for variant in ["pentalath", "pentalath-hex+swap1", "yavalath", "yavalath-3"] {
        let gtp = || spec(&format!("proto=gtp cmd={PENTARCH} gtp --time 0.02"));
        let rules: Ruleset = variant.parse().unwrap();
        let others = usize::from(rules.seating().seats) - 1;
        let random = std::iter::repeat_with(|| spec("player=random")).take(others);
        let game = Match {
            engines: [gtp()].into_iter().chain(random).collect(),
            rules,
            games: 2,
            openings: Openings::Random { plies: 2, seed: 3 },
            ..duel(spec(""))
        };
        for record in play(&game).1 {
            let ending = record.reason.as_str();
            let by_rules = ["line", "short-line", "full-board", "no-move"].contains(&ending);
            assert!(by_rules, "{variant}: {ending}, {:?}", record.detail);
        }
    }
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
    ] {
        let engines = dialects.map(|dialect| {
            spec(&format!("name={dialect} proto={dialect} cmd={PENTARCH} {dialect} --hash 4"))
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
    let error = tiles.run(None, |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("knows points only"), "{error}");
    let path = scratch("position");
    let text = "position 9/9/9/9/4b4/9/9/9/9 w - - 2";
    fs::write(&path, text).unwrap();
    let mut game = duel(gomocup());
    game.openings = Openings::read(&path, &game.rules).unwrap();
    fs::remove_file(&path).unwrap();
    let error = game.run(None, |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("use openings of moves"), "{error}");
    let choice = Match { rules: "d-pente".parse().unwrap(), games: 2, ..duel(gomocup()) };
    let error = choice.run(None, |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("knows of all openings with a choice swap2 only"), "{error}");
}

#[test]
fn a_flood_of_output_does_no_harm() {
    let game = Match { games: 1, ..duel(script("ugi", "flood")) };
    let (_, records) = play(&game);
    assert_eq!(records[0].reason, "line");
}

#[test]
fn games_side_by_side_are_all_recorded() {
    let good = Match { games: 12, concurrency: 4, ..duel(script("ugi", "crash")) };
    assert_fault(&good, "crash", "");
    let (summary, _) = play(&Match { games: 7, concurrency: 3, ..duel(script("gtp", "good")) });
    assert_eq!(summary.standings.total().games(), 7);
    assert_eq!(summary.standings.pairs().iter().sum::<u32>(), 3);
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
fn an_engine_that_does_not_start_ends_the_run() {
    let run = |engine, silence| {
        let timeouts = Timeouts { silence: Duration::from_millis(silence), ..Timeouts::default() };
        let start = Instant::now();
        let error = Match { timeouts, concurrency: 2, ..duel(engine) }.run(None, |_| Ok(()));
        assert!(start.elapsed() < Duration::from_secs(5));
        error.unwrap_err().to_string()
    };
    let dead = run(script("ugi", "dead"), 20_000);
    assert!(dead.contains("`sh ugi.sh dead` does not start as UGI asks"), "{dead}");
    assert!(dead.contains("exit status: 3"), "{dead}");
    let mute = run(script("ugi", "mute"), 200);
    assert!(mute.contains("no answer to `ugi` within 200 ms"), "{mute}");
    let missing = run(spec("cmd=/nowhere/engine --flag"), 200);
    assert!(missing.contains("cannot start the engine `/nowhere/engine --flag`"), "{missing}");
    let option = run(spec(&format!("option.Hahs=1 cmd={PENTARCH} ugi")), 20_000);
    assert!(option.contains("did you mean `Hash`?"), "{option}");
    let mut size = duel(script("gtp", "good"));
    size.rules = "gomoku".parse().unwrap();
    let size = size.run(None, |_| Ok(())).unwrap_err().to_string();
    assert!(size.contains("refused `boardsize 15`: unacceptable size"), "{size}");
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
    assert_eq!(summary.standings.total().wins, 20, "{records:?}");
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
fn tried(engines: [EngineSpec; 2], games: u32) -> (Summary, usize) {
    let path = scratch("tried.jsonl");
    let mut file = RecordFile::open(&path, false).unwrap();
    let sprt = Some("elo0=0,elo1=200".parse().unwrap());
    let openings = Openings::Random { plies: 4, seed: 1 };
    let game =
        Match { engines: engines.into(), games, sprt, openings, concurrency: 3, ..duel(spec("")) };
    let mut told = 0;
    let summary = game.run(Some(&mut file), |finished| {
        told += 1;
        let line = GameLine(finished).to_string();
        assert!(line.contains(", LLR ") && line.ends_with(" (-2.94, 2.94)"), "{line}");
        Ok(())
    });
    let recorded = fs::read_to_string(&path).unwrap().lines().count();
    fs::remove_file(&path).unwrap();
    assert_eq!(told, recorded);
    (summary.unwrap(), recorded)
}

#[test]
fn a_verdict_ends_the_match_when_begun_pairs_are_finished() {
    let unequal = [spec("name=own nodes=200"), spec("player=random")];
    let (summary, games) = tried(unequal, 2000);
    let trial = summary.trial.unwrap();
    assert_eq!(trial.accepted(), Some(Hypothesis::H1), "{summary}");
    assert!(games < 100 && games.is_multiple_of(2), "{games}");
    assert!(games as u32 >= 2 * trial.pairs());
    assert_eq!(summary.standings.pairs().iter().sum::<u32>() as usize, games / 2);
    assert!(summary.to_string().contains("(-2.94, 2.94), H1 accepted after "), "{summary}");

    // An engine splits every pair with itself.
    let equal = [spec("nodes=20"), spec("nodes=20")];
    let (summary, games) = tried(equal, 2000);
    assert_eq!(summary.trial.unwrap().accepted(), Some(Hypothesis::H0), "{summary}");
    assert!(games < 200 && games.is_multiple_of(2), "{games}");
    assert_eq!(summary.standings.total().score(), Some(0.5));
}

#[test]
fn a_test_without_a_verdict_plays_all_games() {
    let (summary, games) = tried([spec("player=random"), spec("player=random")], 5);
    assert_eq!(games, 5);
    assert_eq!(summary.trial.unwrap().pairs(), 2, "only whole pairs count");
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
    let schedule: Vec<_> =
        Schedule::new(rules.clone(), openings, 2, 7).map(Result::unwrap).collect();
    let moves = |pairing: &Pairing| texts(&pairing.opening, &rules).join(" ");
    let found: Vec<_> = schedule.iter().map(|p| (p.number, p.seats.clone(), moves(p))).collect();
    assert_eq!(
        found,
        expected.map(|(number, seats, moves)| (number, seats.to_vec(), moves.to_owned()))
    );
    assert!(schedule[4].opening.position.is_some());
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

/// The worth of a position to the side to move, as a short search sees it.
fn value(game: &Game) -> Score {
    let limits = Limits::nodes(Balance::NODES);
    let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
    engine.think_here(game, limits, &Signal::new(), |_| ()).unwrap().report.score
}

#[test]
fn balanced_openings_have_small_values_in_every_variant() {
    let balance = Balance { window: 60, ..Balance::default() };
    let mut unbalanced = 0;
    for row in CATALOG {
        let rules = row.ruleset();
        let balanced = Openings::Balanced { plies: 5, seed: 2, balance };
        let random = Openings::Random { plies: 5, seed: 2 };
        for number in 0..3 {
            let opening = balanced.get(number, &rules).unwrap();
            let game = opening.play(&rules).unwrap();
            assert_eq!(game.moves().len(), 5, "{}", row.name);
            let value = value(&game).value();
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
        let openings = Openings::Balanced { plies: 4, seed, balance: Balance::default() };
        [2, 0, 1, 0].map(|number| openings.get(number, &rules).unwrap())
    };
    let found = openings(3);
    assert_eq!(found, openings(3));
    assert_eq!(found[1], found[3]);
    assert_ne!(found, openings(4));
    let start = Balance { window: 0, nodes: 50 };
    let none = Openings::Balanced { plies: 0, seed: 1, balance: start };
    let error = none.get(0, &rules).unwrap_err().to_string();
    assert!(error.contains("widen --balance"), "{error}");
}

#[test]
fn pairs_share_a_balanced_opening() {
    let balance = Balance { nodes: 2000, ..Balance::default() };
    let openings = Openings::Balanced { plies: 4, seed: 1, balance };
    let rules: Ruleset = "pente".parse().unwrap();
    let engines = [spec("player=random"), spec("player=random option.Seed=5")];
    let game = Match {
        games: 8,
        concurrency: 4,
        engines: engines.into(),
        openings,
        rules,
        ..duel(spec(""))
    };
    let (_, mut records) = play(&game);
    records.sort_by_key(|record| record.game);
    for pair in records.chunks(2) {
        let number = (pair[0].game - 1) / 2;
        let opening = game.openings.get(number, &game.rules).unwrap();
        let opening = texts(&opening, &game.rules);
        assert_eq!(opening.len(), 4);
        assert_eq!(pair[0].moves[..4], opening);
        assert_eq!(pair[1].moves[..4], opening);
    }
}

#[test]
fn a_bad_engine_spec_names_the_word() {
    for (text, message) in [
        ("nmae=x", "unknown word `nmae=x`, did you mean `name=`?"),
        ("fast", "unknown word `fast`, expected one of name= proto="),
        ("proto=usi cmd=x", "`proto=usi`: expected `ugi`, `uci`, `gtp`, `gomocup` or `builtin`"),
        ("proto=gtp", "`proto=gtp`: expected a `cmd=` after it"),
        ("option.Hash=0", "`option.Hash=0`: expected a number from 1 to 65536"),
        ("option.Foo=0", "`option.Foo=0`: expected Hash, Threads, Level, Seed or Method"),
        ("tc=x", "`tc=x`: `x` is no clock"),
        ("movetime=-1", "`movetime=-1`: `-1` is no time"),
        ("nodes=0", "`nodes=0`: expected a number from 1"),
        ("cmd=", "`cmd=`: expected a command line after it"),
        ("name='a b", "the quote in `name='a b` has no end"),
        ("player=human", "`player=human`: expected `random`"),
    ] {
        let error = text.parse::<EngineSpec>().unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let named = spec("name='two words' tc=1/2+3 cmd=sh -c 'a b' name=c");
    assert_eq!(named.name.as_deref(), Some("two words"));
    assert!(format!("{named:?}").contains(r#"["-c", "a b", "name=c"]"#), "{named:?}");
}

#[test]
fn a_record_file_is_never_overwritten() {
    let path = scratch("kept.jsonl");
    fs::write(&path, "{\"cut short").unwrap();
    let error = RecordFile::open(&path, false).unwrap_err().to_string();
    assert!(error.contains("--append"), "{error}");
    let mut file = RecordFile::open(&path, true).unwrap();
    let game = Match { games: 1, ..duel(spec("")) };
    game.run(Some(&mut file), |_| Ok(())).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(text.starts_with("{\"cut short\n{\"game\":1,"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run_with_a_message() {
    let mut file = RecordFile::open("/dev/full".as_ref(), false).unwrap();
    let error = duel(spec("")).run(Some(&mut file), |_| Ok(())).unwrap_err();
    assert!(matches!(error, ArenaError::Record(_)));
    assert!(error.to_string().contains("make room"), "{error}");
}

/// Runs the real program.
fn pentarch(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(PENTARCH).arg("match").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn the_program_plays_itself_over_every_protocol() {
    let engine = format!("name=ugi cmd={PENTARCH} ugi");
    let other = format!("name=gtp proto=gtp cmd={PENTARCH} gtp --variant pro-pente --level 1");
    let (out, errors, code) = pentarch(&[
        "--variant",
        "pro-pente",
        "--games",
        "2",
        "--nodes",
        "200",
        "--engine",
        &engine,
        "--engine",
        &other,
    ]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains("game 1 of 2: ugi v gtp: "), "{out}");
    assert!(out.contains("\n    1. j10 "), "{out}");
    assert!(out.contains("ugi against gtp: 2 games"), "{out}");
    assert!(!out.contains("crash") && !out.contains("refused"), "{out}");
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    let mut command = Command::new(PENTARCH);
    command.args(["match", "--games", "1000", "--nodes", "50"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn misuse_is_explained() {
    for (arguments, message) in [
        (["--engine", "nmae=x"].as_slice(), "did you mean `name=`?"),
        (&["--variant", "pent"], "--variant"),
        (&["--tc", "x"], "no clock"),
        (&["--tc", "1", "--movetime", "1"], "cannot be used with"),
        (&["--openings", "/nowhere/x"], "check the path"),
        (&["--engine", "", "--engine", "", "--engine", ""], "3 engines cannot share the 2 seats"),
        (&["--append"], "--records"),
        (&["--balance", "--openings", "x"], "cannot be used with"),
        (&["--balance=-1"], "--balance"),
        (&["--sprt", "elo0=5,elo1=5"], "elo0 must be less than elo1"),
    ] {
        let (_, errors, code) = pentarch(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(errors.contains(message), "{errors}");
    }
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
        let game = Match { rules, engines, games, openings, control, ..duel(spec("")) };
        let mut told = 0;
        let summary = game
            .run(None, |finished| {
                told += 1;
                assert_eq!(finished.record.players.len(), seats as usize);
                Ok(())
            })
            .unwrap();
        assert_eq!(told, games);
        let rows = summary.points.rows();
        assert!(rows.iter().all(|row| row.seats == games * seats / count), "{variant}: {rows:?}");
        let points: f64 = rows.iter().map(|row| row.points).sum();
        assert!((points - f64::from(games)).abs() < 1e-9, "{variant}: {rows:?}");
    }
}
