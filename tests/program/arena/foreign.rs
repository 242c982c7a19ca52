//! Games that only the engines know: tic-tac-toe, refereed by what both engines say.

use super::{PENTARCH, scratch};
use crate::run::{folder, run};
use pentarch::records::GameRecord;
use std::path::Path;
use std::process::Command;

/// An engine of tic-tac-toe that misbehaves as `mode` says, for the command line.
fn engine(mode: &str) -> String {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    format!("--engine=dir='{directory}' cmd=sh tic-tac-toe.sh {mode}")
}

/// Plays two games of that engine, and returns what was printed and recorded.
fn play(mode: &str, options: &[&str]) -> (String, Vec<GameRecord>) {
    let path = scratch("foreign.jsonl");
    let mut command = Command::new(PENTARCH);
    command.args(["match", "--variant", "tic-tac-toe", "--referee", "engines", "--games", "2"]);
    command.args([&engine(mode), &engine("other"), "--tc", "60"]).args(options);
    let output = command.arg("--records").arg(&path).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let records = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (String::from_utf8(output.stdout).unwrap(), records)
}

/// The moves, the result and what is said of it of the first game.
fn first(mode: &str, options: &[&str]) -> (String, String, String) {
    let (_, records) = play(mode, options);
    let GameRecord { moves, result, reason, detail, .. } = &records[0];
    let detail = detail.clone().unwrap_or_default();
    (moves.join(" "), format!("{result} {reason}"), detail)
}

#[test]
fn a_game_is_played_by_rules_that_both_engines_know() {
    for mode in ["good", "blind"] {
        let (out, records) = play(mode, &[]);
        for record in &records {
            assert_eq!(record.moves, ["a1", "b1", "c1", "a2", "b2", "c2", "a3"]);
            let result = (record.result.to_string(), record.reason.as_str());
            assert_eq!(result, ("p1win".to_owned(), "engines-agree"));
            assert_eq!(record.referee.as_deref(), Some("engines"));
            assert_eq!((record.rules.as_str(), record.times.len()), ("tic-tac-toe", 7));
            let last = &record.plies[6];
            assert_eq!((last.seat, last.score, last.depth), (1, Some(5), Some(2)));
            assert_eq!(last.pv, ["a3", "b3"]);
        }
        assert!(out.contains("ends: engines-agree 1-1-0"), "{out}");
    }
}

#[test]
fn what_engines_do_not_agree_on_ends_the_game() {
    let won = "a1 b1 c1 a2 b2 c2 a3".to_owned();
    let disputed = "draw engines-disagree".to_owned();
    for (mode, moves, said) in [
        ("liar", won.as_str(), "`liar` says p2win, `other` says p1win"),
        (
            "endless",
            &won,
            "`endless` says that it is open and player 2 is to move, `other` says p1win",
        ),
        (
            "turn",
            "a1",
            "`turn` says that it is open and player 1 is to move, `other` says that it is open and \
             player 2 is to move",
        ),
        (
            "cheat-blind",
            "a1 b1",
            "`cheat-blind` says `a1`, `other` says that this is no legal move",
        ),
    ] {
        assert_eq!(
            first(mode, &[]),
            (moves.to_owned(), disputed.clone(), said.to_owned()),
            "{mode}"
        );
    }
}

#[test]
fn an_engine_is_held_to_its_own_words() {
    let (moves, result, detail) = first("cheat", &[]);
    assert_eq!((moves.as_str(), result.as_str()), ("a1 b1", "p2win illegal-move"));
    assert_eq!(detail, "`a1` is none of the legal moves that it lists itself");
    let (_, result, detail) = first("mute", &[]);
    assert_eq!(result, "p2win refused");
    assert_eq!(detail, "refused `query p1turn`: no answer");
}

#[test]
fn games_of_engines_have_openings_and_verdicts() {
    let path = scratch("openings.txt");
    std::fs::write(&path, "# two openings\nb2\na1 b2\n").unwrap();
    let (moves, result, _) = first("good", &["--openings", path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(
        (moves.as_str(), result.as_str()),
        ("b2 a1 b1 c1 a2 c2 a3 b3 c3", "draw engines-agree")
    );
    let (moves, result, _) = first("good", &["--max-plies", "3"]);
    assert_eq!((moves.as_str(), result.as_str()), ("a1 b1 c1", "draw adjudicated-length"));
}

/// A tournament of three, one of whom lies, in two games that the arena does not know.
#[test]
fn a_tournament_of_unknown_games_is_resumed_merged_and_shown() {
    let folder = folder("foreign", "tournament");
    let engine = |name: &str| {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
        format!("[[engine]]\ncmd = 'sh tic-tac-toe.sh {name}'\ndir = '{directory}'\n")
    };
    let head =
        "variants = ['tic-tac-toe', '<b>other']\nreferee = 'engines'\ncontrol = {nodes = 1}\n";
    let engines: String = ["one", "two", "liar"].map(engine).concat();
    std::fs::write(folder.join("cup.toml"), format!("{head}{engines}")).unwrap();
    let pentarch = |arguments: &[&str]| run(&folder, arguments, "");
    let (code, out, errors) = pentarch(&["tournament", "cup.toml"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("ends: engines-agree 4, engines-disagree 8"), "{out}");
    // The last game was cut short, and is played again.
    let path = folder.join("cup.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 100]).unwrap();
    let (_, again, _) = pentarch(&["tournament", "cup.toml"]);
    assert!(again.contains("12 games, 11 of them already"), "{again}");
    let (code, merged, errors) = pentarch(&["merge", "cup.jsonl", "--report", "cup.html"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{merged}");
    let page = std::fs::read_to_string(folder.join("cup.html")).unwrap();
    assert!(page.contains("<h2>Games without a board</h2>"));
    assert!(page.contains("1. a1 b1 2. c1 a2 3. b2 c2 4. a3") && page.contains("&lt;b&gt;other"));
    assert_eq!(page.matches("<summary>Game ").count(), 12);
    let (code, _, errors) = pentarch(&["convert", "cup.jsonl", "--to", "sgf"]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("line 1: unknown variant `tic-tac-toe`"), "{errors}");
}

#[test]
fn who_cannot_be_asked_does_not_play() {
    let refused = |arguments: &[&str]| {
        let all = ["match", "--variant", "nim", "--nodes", "1"].iter().chain(arguments);
        let (code, _, errors) = run(Path::new("."), all, "");
        assert_eq!(code, Some(2), "{errors}");
        errors
    };
    assert!(refused(&[]).contains("unknown variant `nim`"));
    assert!(refused(&[]).contains("use --referee engines"));
    let ours = refused(&["--referee", "engines"]);
    assert!(ours.contains("every engine is a command over UGI"), "{ours}");
    let random = refused(&["--referee", "engines", "--random-plies", "2"]);
    assert!(random.contains("random openings need a game whose rules are known here"), "{random}");
    let proof = ["--referee", "engines", "--adjudicate-proven", &engine("a"), &engine("b")];
    assert!(refused(&proof).contains("adjudicated by proof"));
}
