//! What players and the machine do wrong, and what is no fault.

use super::{PENTARCH, assert_fault, duel, play, script, spec, timed_duel};
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
    let timeouts = Timeouts { silence: Duration::from_millis(300), ..game.timeouts };
    assert_fault(&Match { timeouts, ..game }, "refused", "out of ideas");
}

#[test]
fn a_brain_that_does_not_introduce_itself_can_play() {
    let game = duel(script("gomocup", "shy"));
    let timeouts = Timeouts { silence: Duration::from_millis(500), ..game.timeouts };
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
        ("gomocup", "clockless"),
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

#[test]
fn a_flood_of_output_does_no_harm() {
    let game = Match { games: 1, ..duel(script("ugi", "flood")) };
    let (_, records) = play(&game);
    assert_eq!(records[0].reason, "line");
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

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run_with_a_message() {
    let mut file = RecordFile::open("/dev/full".as_ref(), false).unwrap();
    let error = duel(spec("")).run(Some(&mut file), |_| Ok(())).unwrap_err();
    assert!(matches!(error, ArenaError::Record(_)));
    assert!(error.to_string().contains("make room"), "{error}");
}
