//! What players and the machine do wrong, and what is no fault.

use super::{PENTARCH, assert_fault, duel, play, run, script, spec, timed_duel};
use pentarch::arena::{ArenaError, EngineSpec, Match, TimeControl, Timeouts};
use pentarch::records::RecordFile;
use std::time::{Duration, Instant};

#[test]
fn a_crash_loses_the_game() {
    assert_fault(&duel(script("ugi", "crash")), "crash", "exit status: 7");
    assert_fault(&duel(script("gtp", "crash")), "crash", "exit status: 7");
    assert_fault(&duel(script("uci", "crash")), "crash", "exit status: 7");
    assert_fault(&duel(script("gomocup", "crash")), "crash", "exit status: 7");
}

#[test]
fn an_engine_that_leaves_after_its_move_loses_the_game() {
    assert_fault(&duel(script("ugi", "leaves_after")), "crash", "exit status: 5");
}

/// An engine with words before `cmd=`.
fn with(words: &str, mode: &str) -> EngineSpec {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    spec(&format!("{words} dir='{directory}' cmd=sh ugi.sh {mode}"))
}

#[test]
fn an_engine_that_died_is_started_again_as_asked() {
    let crash = |words| Match { games: 4, ..duel(with(words, "crash")) };
    assert_fault(&crash("restart=crash"), "crash", "exit status: 7");
    assert_fault(&crash("restart=on"), "crash", "exit status: 7");
    let (_, records) = play(&crash("restart=off"));
    let details: Vec<_> = records.iter().map(|record| record.detail.as_deref().unwrap()).collect();
    assert!(details[0].contains("exit status: 7"), "{details:?}");
    assert!(details[1..].iter().all(|detail| detail.contains("`restart=off`")), "{details:?}");
}

#[test]
fn an_engine_has_its_environment_and_its_log() {
    let log = super::scratch("engine.log");
    std::fs::write(&log, "before\n").unwrap();
    let words = format!("env.PLAYER='a b' stderr={}", log.display());
    let game = duel(with(&words, "environment"));
    let timeouts = Timeouts { response: Duration::from_secs(2), ..game.timeouts };
    let (_, records) = play(&Match { timeouts, games: 1, ..game });
    assert!(["line", "full-board"].contains(&records[0].reason.as_str()), "{:?}", records[0]);
    play(&Match { games: 1, ..duel(with(&words, "flood")) });
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    assert!(text.starts_with("before\nnoise\nnoise\n"), "{text}");
    let unwritable = run(&duel(with("stderr=/nowhere/x", "good")), None, |_| Ok(())).unwrap_err();
    assert!(unwritable.to_string().contains("cannot write `stderr=/nowhere/x`"), "{unwritable}");
}

#[test]
fn an_engine_may_be_given_little_time_to_start() {
    let start = Instant::now();
    let error = run(&duel(with("start=0.2", "mute")), None, |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("no answer to `ugi` within 200 ms"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// The second answer comes with the first and is dropped, unless the machine is so busy that it
/// comes between the next question and its answer: then the point is occupied.
#[test]
fn a_second_answer_is_no_move_of_the_opponent() {
    for record in play(&duel(script("ugi", "twice"))).1 {
        let reason = record.reason.as_str();
        assert!(["line", "full-board", "illegal-move"].contains(&reason), "{record:?}");
    }
}

/// An answer that comes again after a while is a move only of who was asked, and then no legal one.
#[test]
fn a_late_second_answer_never_ends_the_run() {
    for record in play(&duel(script("ugi", "again"))).1 {
        let reason = record.reason.as_str();
        assert!(["line", "full-board", "illegal-move"].contains(&reason), "{record:?}");
        if reason == "illegal-move" {
            let loser = if record.game % 2 == 1 { "p2win" } else { "p1win" };
            assert_eq!(record.result.to_string(), loser, "it is its own fault");
        }
    }
}

#[test]
fn an_engine_that_thinks_the_game_over_loses_it() {
    assert_fault(&duel(script("gtp", "passes")), "illegal-move", "pass");
    assert_fault(&duel(script("ugi", "claims")), "no-move-given", "");
}

#[test]
fn a_fault_has_the_last_lines_exchanged() {
    let (_, records) = play(&Match { games: 1, ..duel(script("ugi", "illegal")) });
    let lines = &records[0].exchange;
    assert!(lines.len() <= 20 && lines[0].starts_with(['<', '>']), "{lines:?}");
    let [.., position, go, answer] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(position.starts_with("< position startpos moves a1 "), "{lines:?}");
    assert_eq!(go, "< go nodes 1");
    assert!(answer.starts_with("> bestmove "), "{lines:?}");
    let (_, records) = play(&Match { games: 1, ..duel(script("ugi", "crash")) });
    assert_eq!(records[0].exchange.last().unwrap(), "< go nodes 1", "of a dead process as well");
    let (_, records) = play(&Match { games: 1, ..duel(script("ugi", "good")) });
    assert!(records[0].exchange.is_empty(), "a game without a fault has none");
}

#[test]
fn a_name_is_cut_and_has_no_escapes() {
    let (summary, _) = play(&Match { games: 1, ..duel(script("ugi", "named")) });
    let name = &summary.names[0];
    assert!(name.starts_with("[31m<b>xxx") && name.chars().count() <= 101, "{name}");
    assert!(!name.chars().any(char::is_control));
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
    let timeouts = Timeouts { response: silence, ..game.timeouts };
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
    let timeouts = Timeouts { response: Duration::from_millis(500), ..game.timeouts };
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
fn a_deadline_holds_whatever_is_written() {
    assert_hang(script("ugi", "infos"));
    assert_hang(script("ugi", "megabytes"));
    assert_hang(script("ugi", "binary"));
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
    // In the coordinates of the engine as well.
    assert_fault(&duel(script("gomocup", "illegal")), "illegal-move", "; the engine wrote `");
    assert_fault(&duel(script("gomocup", "outside")), "illegal-move", "44,44 is not on the board");
    assert_fault(&duel(script("ugi", "nonsense")), "illegal-move", "`e44` is not on the board");
}

#[test]
fn answers_that_are_no_move_lose_the_game() {
    assert_fault(&duel(script("ugi", "garbled")), "garbled", "bestmove a1 a2 a3");
    assert_fault(&duel(script("gtp", "garbled")), "garbled", "I am lost");
    assert_fault(&duel(script("gomocup", "garbled")), "garbled", "4;4");
    assert_fault(&duel(script("gomocup", "two")), "garbled", "4,4 5,5");
    assert_fault(&duel(script("ugi", "none")), "no-move-given", "");
    assert_fault(&duel(script("gtp", "failure")), "refused", "out of ideas");
    assert_fault(&duel(script("gtp", "refuses")), "refused", "illegal move");
    assert_fault(&duel(script("ugi", "resign")), "resigned", "");
    assert_fault(&duel(script("gtp", "resign")), "resigned", "");
}

#[test]
fn a_complaint_counts_if_no_move_comes() {
    let game = duel(script("gomocup", "failure"));
    let timeouts = Timeouts { response: Duration::from_millis(300), ..game.timeouts };
    assert_fault(&Match { timeouts, ..game }, "refused", "out of ideas");
}

#[test]
fn a_brain_that_does_not_introduce_itself_can_play() {
    let game = duel(script("gomocup", "shy"));
    let timeouts = Timeouts { response: Duration::from_millis(500), ..game.timeouts };
    let (summary, records) = play(&Match { timeouts, ..game });
    assert_eq!(summary.names[0], "sh gomocup.sh shy");
    assert!(records.iter().all(|record| ["line", "full-board"].contains(&record.reason.as_str())));
}

/// Another engine's word for the game is used; one that does not list it is warned of.
#[test]
fn a_game_goes_by_the_word_of_the_engine() {
    let mut game = Match { games: 1, ..duel(script("ugi", "words")) };
    game.rules = "keryo-pente+pro".parse().unwrap();
    let (_, records) = play(&game);
    assert_eq!(records[0].reason, "illegal-move", "it took the word, and knows no opening");
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
        ("gomocup", "complains"),
        ("gomocup", "busy"),
        ("gomocup", "clockless"),
        ("ugi", "leaves"),
        ("ugi", "unasked"),
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

#[test]
fn a_flood_of_output_does_no_harm() {
    let game = Match { games: 1, ..duel(script("ugi", "flood")) };
    let (_, records) = play(&game);
    assert_eq!(records[0].reason, "line");
}

#[test]
fn an_engine_that_does_not_start_ends_the_run() {
    let run = |engine, silence| {
        let timeouts = Timeouts { response: Duration::from_millis(silence), ..Timeouts::default() };
        let start = Instant::now();
        let error =
            super::run(&Match { timeouts, concurrency: 2, ..duel(engine) }, None, |_| Ok(()));
        assert!(start.elapsed() < Duration::from_secs(5));
        error.unwrap_err().to_string()
    };
    let dead = run(script("ugi", "dead"), 20_000);
    assert!(dead.contains("`sh ugi.sh dead` does not start as UGI asks"), "{dead}");
    assert!(dead.contains("exit status: 3"), "{dead}");
    let loud = run(spec("cmd=sh -c 'echo no such library >&2; exit 3'"), 20_000);
    assert!(loud.contains("exit status: 3 (it wrote: no such library)"), "{loud}");
    let left = run(script("ugi", "handshake"), 20_000);
    assert!(left.contains("exit status: 6"), "{left}");
    let mute = run(script("ugi", "mute"), 200);
    assert!(mute.contains("no answer to `ugi` within 200 ms"), "{mute}");
    let missing = run(spec("cmd=/nowhere/engine --flag"), 200);
    assert!(missing.contains("cannot start the engine `/nowhere/engine --flag`"), "{missing}");
    let option = run(spec(&format!("option.Hahs=1 cmd={PENTARCH} ugi")), 20_000);
    assert!(option.contains("did you mean `Hash`?"), "{option}");
    let mut size = duel(script("gtp", "good"));
    size.rules = "gomoku".parse().unwrap();
    let size = super::run(&size, None, |_| Ok(())).unwrap_err().to_string();
    assert!(size.contains("refused `boardsize 15`: unacceptable size"), "{size}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run_with_a_message() {
    let mut file = RecordFile::open("/dev/full".as_ref(), false).unwrap();
    let error = run(&duel(spec("")), Some(&mut file), |_| Ok(())).unwrap_err();
    assert!(matches!(error, ArenaError::Record(_)));
    assert!(error.to_string().contains("make room"), "{error}");
}
