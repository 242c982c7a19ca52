//! Thinking in the opponent's time.

use super::{PENTARCH, duel, play, scratch, script, spec};
use pentarch::arena::{EngineSpec, Match};

/// A game of an engine that writes down what it is sent against one that plays the first free point.
fn sent(mode: &str, dialect: &str) -> (Vec<String>, String) {
    let path = scratch("sent.txt");
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/players");
    let command = format!("cmd=sh ugi.sh {mode} {}", path.display());
    let engine = spec(&format!("proto={dialect} ponder=true dir='{directory}' {command}"));
    let game = Match { games: 2, ..duel(engine) };
    let engines = vec![game.engines[0].clone(), script("ugi", "good")];
    let (_, records) = play(&Match { engines, ..game });
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(records.iter().all(|record| record.reason == "line"), "{records:?}");
    (text.lines().map(str::to_owned).collect(), records[0].moves.join(" "))
}

fn count(lines: &[String], begin: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(begin)).count()
}

#[test]
fn a_search_goes_on_when_the_expected_reply_is_played() {
    for (dialect, pondered) in [("ugi", "go nodes 1 ponder"), ("uci", "go nodes 1 ponder")] {
        let (lines, moves) = sent("ponders", dialect);
        let first: Vec<&str> = moves.split(' ').take(4).collect();
        let at = lines.iter().position(|line| line == pondered).unwrap();
        let position = format!("position startpos moves {}", first[..2].join(" "));
        assert_eq!(lines[at - 1], position, "its move and the reply that it expects");
        assert_eq!(lines[at + 1], "ponderhit");
        let (asked, hits) = (count(&lines, pondered), count(&lines, "ponderhit"));
        // The game ends while the reply to the last move is awaited, at most once a game.
        let stops = count(&lines, "stop");
        assert_eq!(asked, hits + stops, "{lines:?}");
        assert!(hits > 5 && stops <= 2, "{hits} {stops}");
        assert_eq!(count(&lines, "go nodes 1") - asked, 2, "each game has one question");
    }
}

#[test]
fn a_search_is_stopped_when_another_reply_is_played() {
    let (lines, _) = sent("misses", "ugi");
    assert_eq!(count(&lines, "ponderhit"), 0);
    let (pondered, stops) = (count(&lines, "go nodes 1 ponder"), count(&lines, "stop"));
    assert!(pondered > 5 && pondered == stops, "{pondered} {stops}");
    for (line, next) in lines.iter().zip(&lines[1..]) {
        assert!(line != "go nodes 1 ponder" || next == "stop", "the next is {next}");
    }
    let last = lines.iter().rposition(|line| line == "stop").unwrap();
    assert!(lines[last..].iter().all(|line| !line.starts_with("go")), "{:?}", &lines[last..]);
}

#[test]
fn our_own_engine_ponders_in_either_way() {
    let child = format!("name=child ponder=true cmd={PENTARCH} ugi");
    let game = duel(spec("name=built-in ponder=true nodes=200"));
    let engines = vec![game.engines[0].clone(), spec(&format!("nodes=200 {child}"))];
    let (_, records) = play(&Match { engines, games: 2, ..game });
    for record in records {
        assert!(["line", "full-board"].contains(&record.reason.as_str()), "{record:?}");
    }
}

#[test]
fn who_has_no_word_for_it_does_not_ponder() {
    for (text, reason) in [
        ("ponder=true proto=gtp cmd=x", "GTP has no word for it"),
        ("ponder=true proto=gomocup cmd=x", "Gomocup's protocol has no word for it"),
        ("ponder=true player=random", "a random player does not search"),
        ("ponder=perhaps", "expected `true` or `false`"),
    ] {
        let error = text.parse::<EngineSpec>().unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert!(spec("ponder=true cmd=x").ponder && !spec("cmd=x").ponder);
}
