//! Runs that are broken off: no game is lost, none is played twice, and the standing is that of an
//! unbroken run.

use super::tournaments::{Run, files, games, pentarch, random_engines, tournament};
use pentarch::records::{GameRecord, RecordFile};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Two engines that search and two that do not, in two variants.
fn four(head: &str) -> String {
    let engines = "[[engine]]\nname = 'a'\ncontrol = { nodes = 30 }\n\
                   [[engine]]\nname = 'b'\ncontrol = { nodes = 10 }\n";
    format!("control = {{ nodes = 1 }}\n{head}\n{engines}{}", random_engines(2))
}

/// What a game comes to, without the clock.
fn essence(games: &BTreeMap<u32, GameRecord>) -> Vec<(u32, Vec<String>, Vec<String>, String)> {
    let essence = |(&number, game): (&u32, &GameRecord)| {
        (number, game.players.clone(), game.moves.clone(), game.result.to_string())
    };
    games.iter().map(essence).collect()
}

/// The final standing without what depends on the clock.
fn standing(run: &Run) -> Value {
    let mut value: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.errors));
    for engine in value["engines"].as_array_mut().unwrap() {
        let engine = engine.as_object_mut().unwrap();
        engine.retain(|key, _| !["timeAMove", "nodesASecond"].contains(&key.as_str()));
    }
    value
}

#[test]
fn a_resumed_tournament_equals_an_unbroken_one() {
    for head in [
        "variants = ['gomoku+size=9', 'pente+size=9']\nconcurrency = 2",
        "variant = 'gomoku+size=9'\nformat = 'swiss'\nrounds = 3\nconcurrency = 2",
        "variant = 'gomoku+size=9'\nformat = 'knockout'",
    ] {
        let (file, records) = files(&four(head));
        let whole = tournament(&file, &["--json"]);
        assert_eq!(whole.code, Some(0), "{}", whole.errors);
        let unbroken = games(&records);
        let text = fs::read_to_string(&records).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for kept in [0, 1, lines.len() / 2, lines.len() - 1, lines.len()] {
            // What a kill leaves: whole lines and a part of the next one.
            let mut left = lines[..kept].join("\n");
            if kept > 0 {
                left.push('\n');
            }
            left += lines.get(kept).map_or("", |line| &line[..line.len() / 2]);
            fs::write(&records, left).unwrap();
            let resumed = tournament(&file, &["--json"]);
            assert_eq!(resumed.code, Some(0), "{}", resumed.errors);
            assert_eq!(essence(&games(&records)), essence(&unbroken), "{head}, {kept} kept");
            assert_eq!(standing(&resumed), standing(&whole), "{head}, {kept} kept");
        }
        fs::remove_file(&file).unwrap();
        fs::remove_file(&records).unwrap();
    }
}

/// What was played to its end needs no engine, not even one that is there no more.
#[test]
fn a_finished_tournament_starts_nobody() {
    let player = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players/ugi.sh");
    let engine = std::env::temp_dir().join(format!("pentarch-gone-{}.sh", std::process::id()));
    fs::copy(player, &engine).unwrap();
    let (file, records) = files(&format!(
        "variant = 'gomoku+size=9'\ncontrol = {{ nodes = 1 }}\nopenings = {{ random = 0 }}\n[[engine]]\n\
         name = 'script'\ncmd = 'sh {}'\n[[engine]]\nname = 'random'\nplayer = 'random'\n",
        engine.display()
    ));
    let whole = tournament(&file, &["--json"]);
    assert_eq!(whole.code, Some(0), "{}", whole.errors);
    fs::remove_file(&engine).unwrap();
    let again = tournament(&file, &["--json"]);
    assert_eq!(again.code, Some(0), "{}", again.errors);
    assert_eq!(standing(&again), standing(&whole));
    let said = tournament(&file, &[]);
    assert!(said.out.starts_with("all 2 games are in "), "{}", said.out);
    fs::remove_file(&file).unwrap();
    fs::remove_file(&records).unwrap();
}

/// The real thing: the program is killed again and again, and started again.
#[test]
fn killed_runs_go_on() {
    let (file, records) = files(&four("variant = 'pente+size=13'\ngames = 10\nconcurrency = 2"));
    let whole = tournament(&file, &["--json"]);
    let unbroken = games(&records);
    fs::remove_file(&records).unwrap();
    let mut rng = fastrand::Rng::with_seed(16);
    let mut kills = 0;
    let last = loop {
        let mut command = Command::new(super::PENTARCH);
        command.arg("tournament").arg(&file).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        // The first word says that the records are open.
        let mut first = [0];
        let _ = child.stdout.take().unwrap().read(&mut first);
        std::thread::sleep(Duration::from_millis(rng.u64(20..150)));
        let _ = child.kill();
        child.wait().unwrap();
        kills += 1;
        let finished = fs::read_to_string(&records).map_or(0, |text| text.lines().count());
        if kills == 5 || finished >= unbroken.len() {
            break tournament(&file, &["--json"]);
        }
    };
    assert_eq!(last.code, Some(0), "{}", last.errors);
    assert_eq!(essence(&games(&records)), essence(&unbroken));
    assert_eq!(standing(&last), standing(&whole));
    fs::remove_file(&file).unwrap();
    fs::remove_file(&records).unwrap();
}

/// Ctrl-C prints how it stands and the command that goes on with it.
#[cfg(unix)]
#[test]
fn an_interrupted_tournament_says_how_to_go_on() {
    let (file, records) = files(&four("variant = 'pente+size=13'\ngames = 1000\nconcurrency = 2"));
    let mut command = Command::new(super::PENTARCH);
    command.arg("tournament").arg(&file).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while fs::read_to_string(&records).map_or(0, |text| text.lines().count()) < 3 {
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let [out, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(out.contains(" of 6000 games, round-robin\n  # engine"), "{out}");
    let again = format!("tournament {}", file.display());
    assert!(errors.contains("interrupted") && errors.contains(&again), "{errors}");
    // What was counted is what is on record.
    let counted = games(&records).len();
    assert!(out.contains(&format!("\n{counted} of 6000 games")), "{counted}: {out}");
    fs::remove_file(&file).unwrap();
    fs::remove_file(&records).unwrap();
}

#[test]
fn a_second_arena_on_the_same_records_is_refused() {
    let (file, records) = files(&four("variant = 'gomoku+size=9'"));
    let held = RecordFile::open(&records, false).unwrap();
    let run = tournament(&file, &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.errors.contains("another arena is writing to the record file"), "{}", run.errors);
    drop(held);
    assert_eq!(tournament(&file, &[]).code, Some(0));
    fs::remove_file(&file).unwrap();
    fs::remove_file(&records).unwrap();
}

#[test]
fn records_of_another_tournament_are_refused() {
    let (file, records) = files(&four("variant = 'gomoku+size=9'\nrounds = 1"));
    assert_eq!(tournament(&file, &[]).code, Some(0));
    let before = fs::read_to_string(&records).unwrap();
    for (head, message) in [
        ("variant = 'pente+size=9'", "it is gomoku+size=9 and now pente+size=9 is played"),
        (
            "variant = 'gomoku+size=9'\nformat = 'swiss'",
            "its format is round-robin and now it is swiss",
        ),
        ("variant = 'gomoku+size=9'\nseed = 7", "the seed or the number of games"),
        ("variant = 'gomoku+size=9'\ngames = 4", "the seed or the number of games"),
    ] {
        fs::write(&file, four(head)).unwrap();
        let run = tournament(&file, &[]);
        assert_eq!(run.code, Some(2));
        assert!(run.errors.contains("line 1: game "), "{}", run.errors);
        assert!(run.errors.contains(message), "{}", run.errors);
        assert_eq!(fs::read_to_string(&records).unwrap(), before, "the records were touched");
    }
    // More rounds come after those that were played.
    fs::write(&file, four("variant = 'gomoku+size=9'\nrounds = 2")).unwrap();
    let run = tournament(&file, &[]);
    assert!(run.out.contains("24 games, 12 of them already in"), "{}{}", run.out, run.errors);
    assert!(fs::read_to_string(&records).unwrap().starts_with(&before));
    assert_eq!(games(&records).len(), 24);
    // A line that is no game, and a game that was recorded twice.
    let twice = format!("{before}{}\n", before.lines().next().unwrap());
    for (text, message) in
        [("{}\n", "line 1: "), (twice.as_str(), "line 13: game 1 was recorded twice")]
    {
        fs::write(&records, text).unwrap();
        fs::write(&file, four("variant = 'gomoku+size=9'")).unwrap();
        let run = tournament(&file, &[]);
        assert_eq!(run.code, Some(2));
        assert!(run.errors.replace("game 3", "game 1").contains(message), "{}", run.errors);
    }
    fs::remove_file(&file).unwrap();
    fs::remove_file(&records).unwrap();
}

#[test]
fn records_that_cannot_be_written_end_the_run() {
    let (file, _) = files(&four("variant = 'gomoku+size=9'"));
    let run = tournament(&file, &["--records", "/nowhere/x.jsonl"]);
    assert_eq!(run.code, Some(2));
    assert!(run.errors.contains("cannot open the record file /nowhere/x.jsonl"), "{}", run.errors);
    if cfg!(target_os = "linux") {
        let run = tournament(&file, &["--records", "/dev/full"]);
        assert_eq!(run.code, Some(2));
        assert!(run.errors.contains("cannot write to the record file /dev/full"), "{}", run.errors);
        assert!(run.errors.contains("make room"), "{}", run.errors);
    }
    fs::remove_file(&file).unwrap();
}

/// A match goes on with `--resume`; `--append` begins again.
#[test]
fn a_match_is_resumed() {
    let records = super::scratch("match.jsonl");
    let path = records.to_str().unwrap();
    let play = |games: &str, more: &[&str]| {
        let fixed = ["match", "--variant", "gomoku+size=9", "--nodes", "10", "--records", path];
        let engines = ["--engine", "nodes=20", "--engine", "player=random", "--games", games];
        pentarch(&[&fixed[..], &engines[..], more].concat())
    };
    assert_eq!(play("4", &[]).code, Some(0));
    let four = fs::read_to_string(&records).unwrap();
    let run = play("6", &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.errors.contains("--resume") && run.errors.contains("--append"), "{}", run.errors);
    let mut file = fs::File::options().append(true).open(&records).unwrap();
    file.write_all(b"{\"game\":5,\"da").unwrap();
    let run = play("6", &["--resume"]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    assert!(run.out.contains("6 games, "), "all games are counted: {}", run.out);
    assert!(fs::read_to_string(&records).unwrap().starts_with(&four));
    assert_eq!(games(Path::new(path)).len(), 6);
    fs::remove_file(&records).unwrap();
}

#[test]
fn equal_games_are_announced() {
    let run = pentarch(&["match", "--games", "2", "--nodes", "1", "--variant", "gomoku+size=5"]);
    assert!(run.out.contains("repeat the same game"), "{}", run.out);
    let engines = ["--engine", "nodes=2", "--engine", "nodes=1"];
    let quiet =
        [&["match", "--games", "2", "--nodes", "1", "--variant", "gomoku+size=5"], &engines[..]];
    assert!(!pentarch(&quiet.concat()).out.contains("the same game"));
}

/// The line about the sequential test.
fn verdict(run: &Run) -> &str {
    let line = run.out.lines().find(|line| line.starts_with("SPRT "));
    line.unwrap_or_else(|| panic!("{}{}", run.out, run.errors))
}

/// A sequential test decides by the results alone: the verdict is the same after interruptions, in
/// `merge`, in shards and on a second run, whatever the order in which the games ended.
#[test]
fn a_sequential_test_does_not_depend_on_how_it_was_run() {
    const TEST: &str = "elo0=-50,elo1=50,alpha=0.2,beta=0.2";
    let mut rng = fastrand::Rng::with_seed(66);
    let mut verdicts = BTreeMap::<bool, u32>::new();
    for seed in 16..20 {
        let head = format!(
            "variant = 'gomoku+size=5'\nformat = 'pair'\ngames = 200\ncontrol = {{ nodes = 1 }}\n\
             openings = {{ random = 2 }}\nseed = {seed}\nconcurrency = 4\n"
        );
        let (file, records) = files(&format!("{head}{}", random_engines(2)));
        let tested = file.with_extension("test.toml");
        let text = format!("{head}sprt = '{TEST}'\n{}", random_engines(2));
        fs::write(&tested, text).unwrap();
        let path = records.to_str().unwrap();
        let unbroken = tournament(&tested, &["--records", path]);
        let expected = verdict(&unbroken);
        *verdicts.entry(expected.contains("H1 accepted")).or_default() += 1;
        assert_eq!(verdict(&tournament(&tested, &["--records", path])), expected, "a second run");
        // All games, in the order in which four at a time may end.
        assert_eq!(tournament(&file, &["--records", path]).code, Some(0));
        let text = fs::read_to_string(&records).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_by_cached_key(|line| serde_json::from_str::<GameRecord>(line).unwrap().game);
        for chunk in lines.chunks_mut(8) {
            rng.shuffle(chunk);
        }
        for kept in [rng.usize(1..40), rng.usize(40..lines.len()), lines.len()] {
            fs::write(&records, lines[..kept].join("\n") + "\n").unwrap();
            let resumed = tournament(&tested, &["--records", path]);
            assert_eq!(verdict(&resumed), expected, "seed {seed}, {kept} games kept");
        }
        assert_eq!(verdict(&pentarch(&["merge", path, "--sprt", TEST])), expected);
        let parts = [1, 2, 3].map(|number| file.with_extension(format!("{number}of3.jsonl")));
        for number in 1..=3 {
            tournament(&file, &["--shard", &format!("{number}/3")]);
        }
        let [three, one, two] = [2, 0, 1].map(|at| parts[at].to_str().unwrap());
        assert_eq!(verdict(&pentarch(&["merge", three, one, two, "--sprt", TEST])), expected);
        // Without the first shard nothing is decided.
        let partial = pentarch(&["merge", three, two, "--sprt", TEST]);
        assert!(verdict(&partial).ends_with("undecided after 0 pairs"), "{}", partial.out);
        assert!(partial.errors.contains("the test waits for game 1: "), "{}", partial.errors);
        for path in parts.iter().chain([&file, &tested, &records]) {
            fs::remove_file(path).unwrap();
        }
    }
    assert_eq!(verdicts.len(), 2, "both hypotheses are accepted: {verdicts:?}");
}

/// The result of a record must be that of its moves.
#[test]
fn a_record_that_contradicts_its_moves_is_refused() {
    let (file, records) = files(&format!("variant = 'gomoku+size=5'\n{}", random_engines(2)));
    assert_eq!(tournament(&file, &[]).code, Some(0));
    let text = fs::read_to_string(&records).unwrap();
    let path = records.to_str().unwrap();
    let first = text.lines().next().unwrap();
    let wrong_result = ["p1win", "p2win", "draw"]
        .into_iter()
        .find(|result| !first.contains(&format!("\"result\":\"{result}\"")))
        .unwrap();
    for (key, value, message) in [
        ("result", Value::from(wrong_result), "contradicts its moves, which end with"),
        ("moves", Value::from(["c3", "b2"]), "does not end by `"),
        ("moves", Value::from(["c3", "c3"]), "illegal move `c3`"),
    ] {
        let mut game: Value = serde_json::from_str(first).unwrap();
        game[key] = value;
        fs::write(&records, text.replacen(first, &game.to_string(), 1)).unwrap();
        for run in [tournament(&file, &[]), pentarch(&["merge", path])] {
            assert_ne!(run.code, Some(0), "{}", run.out);
            assert!(run.errors.contains(message), "{message}: {}", run.errors);
        }
    }
    for path in [&file, &records] {
        fs::remove_file(path).unwrap();
    }
}

/// The lock of an arena that was just killed is waited for.
#[test]
fn a_lock_that_is_soon_released_is_waited_for() {
    let (file, records) = files(&four("variant = 'gomoku+size=9'"));
    let held = RecordFile::open(&records, false).unwrap();
    let releases = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        drop(held);
    });
    let run = tournament(&file, &["--check"]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    let run = tournament(&file, &[]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    releases.join().unwrap();
    for path in [&file, &records] {
        fs::remove_file(path).unwrap();
    }
}

/// A signal to the whole service ends the engines as well: no game is lost by it.
#[cfg(unix)]
#[test]
fn a_signal_to_engine_and_arena_loses_no_game() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    for mode in ["mute", "hang"] {
        let (records, log) = (super::scratch("games.jsonl"), super::scratch("errors.txt"));
        let engine = format!(
            "stderr='{}' dir='{directory}' cmd=sh -c 'echo $$ >&2; exec sh ugi.sh {mode}'",
            log.display()
        );
        let mut command = Command::new(super::PENTARCH);
        command.args(["match", "--variant", "gomoku+size=9", "--games", "1", "--nodes", "1"]);
        command.args(["--random-plies=0", "--engine", &engine, "--engine", "player=random"]);
        command.arg("--records").arg(&records).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let process = loop {
            std::thread::sleep(Duration::from_millis(20));
            let text = fs::read_to_string(&log).unwrap_or_default();
            if let Some(line) = text.lines().next().filter(|_| text.ends_with('\n')) {
                break line.to_owned();
            }
        };
        std::thread::sleep(Duration::from_millis(500));
        // The engine first, as the system may do it.
        let script = format!("kill -TERM {process}; kill -TERM {}", child.id());
        Command::new("sh").args(["-c", &script]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{mode}: {errors}");
        assert_eq!(fs::read_to_string(&records).unwrap_or_default(), "", "{mode}: {errors}");
        for path in [&records, &log] {
            fs::remove_file(path).unwrap();
        }
    }
}
