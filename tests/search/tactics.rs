//! Tactics: the positions in `tests/tactics` and the prover, held to the naive referee.

use crate::common::{can_force, draw, start};
use crate::proof::{Board, Failure, prove_win, result};
use fastrand::Rng;
use pentarch::engine::Game;
use pentarch::eval::StoneTables;
use pentarch::game::Position as _;
use pentarch::placement::Position;
use pentarch::tactics::{
    ForcedWin, LimitReached, MateProver, ProofLimits, SolveResult, Tactic, solve,
};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) const FILES: [&str; 3] = ["pente.txt", "keryo.txt", "gomoku.txt"];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tactics").join(name)
}

pub(crate) fn read(name: &str) -> Vec<Tactic> {
    Tactic::read(&file(name), None).unwrap_or_else(|error| panic!("{error}"))
}

fn prover(position: &Position, nodes: u64) -> MateProver {
    MateProver::new(position, Arc::new(StoneTables::new(position.rules())), nodes)
}

#[test]
fn the_files_hold_what_they_promise() {
    for (name, least) in [("pente.txt", 60), ("keryo.txt", 30), ("gomoku.txt", 30)] {
        let tactics = read(name);
        assert!(tactics.len() >= least, "{name}: {}", tactics.len());
        for plies in [3, 5, 7, 9] {
            let number = tactics.iter().filter(|tactic| tactic.plies == plies).count();
            assert!(number >= 5, "{name}: {number} wins in {plies}");
        }
        let text = std::fs::read_to_string(file(name)).unwrap();
        let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let printed: Vec<_> = tactics.iter().map(Tactic::to_string).collect();
        assert_eq!(lines, printed, "{name}: what is read is printed the same");
    }
}

#[test]
fn the_documentation_shows_a_line_of_the_files() {
    let page = include_str!("../../protocol/book/analysis.md");
    let tactics = read("gomoku.txt");
    assert!(tactics.iter().any(|tactic| page.contains(&format!("\n{tactic}\n"))));
}

#[test]
fn a_line_that_is_no_tactic_is_refused_by_its_field() {
    let good = "gomoku+size=5+line=3; win in 3; by c3; moves b2 a1 c2 d2; by hand";
    assert!(good.parse::<Tactic>().is_ok());
    for (wrong, by, expected) in [
        ("gomoku+", "gomoko+", "field 1 (game): "),
        ("win in 3", "win in x", "field 2 (length): expected `win in N`"),
        ("win in 3", "win in 0", "field 2 (length): expected `win in N`"),
        ("win in 3", "lose in 3", "field 2 (length): expected `win in N`"),
        ("by c3", "by", "field 3 (first moves): expected `by MOVE...`"),
        ("by c3", "by b2", "field 3 (first moves): illegal move `b2`: the point is occupied"),
        ("moves b2", "moves z2", "field 4 (position): illegal move `z2`"),
        ("moves b2 a1 c2 d2", "position 5/5", "field 4 (position): position text, field"),
        ("moves b2 a1 c2 d2", "moves b2 a1 c2 e2 d2", "field 4 (position): the game is over"),
        ("moves", "", "field 4 (position): expected `moves MOVE... or position TEXT`"),
        ("; by hand", "", "field 5 (source): expected"),
    ] {
        let line = good.replace(wrong, by);
        let error = line.parse::<Tactic>().expect_err(&line).to_string();
        assert!(error.starts_with(expected), "{line}: {error}");
    }
    let place = Game::new("gomoku".parse().unwrap()).text();
    let line = format!("gomoku; win in 3; by h8; position {place}; by hand");
    assert_eq!(line.parse::<Tactic>().unwrap().to_string(), line);
}

/// The naive referee's moves that a proof of a long win may take, about half a second's worth.
const PLAYS: u64 = 60_000;

#[test]
fn every_position_is_a_win_against_every_defense_by_the_naive_rules() {
    let (mut proved, mut longer, mut left) = (0, 0, 0);
    for tactic in FILES.into_iter().flat_map(read) {
        let short = tactic.plies <= 5;
        let plays = if short { u64::MAX } else { PLAYS };
        match prove_win(&Board::of(&tactic.game), tactic.plies, Some(tactic.first[0]), plays, None)
        {
            Ok(()) => (proved, longer) = (proved + 1, longer + i32::from(!short)),
            Err(Failure::TooLong) if !short => left += 1,
            Err(failure) => panic!("{tactic}: {failure:?}"),
        }
    }
    // Every win within five plies is proved, and most of the longer ones; the prover alone answers
    // for those left.
    assert!(longer >= 30, "{proved} proved, {longer} of them longer than 5 plies, {left} left");
}

#[test]
fn a_wrong_entry_is_caught() {
    let tactic = &read("pente.txt")[0];
    assert_eq!(tactic.plies, 3);
    let board = Board::of(&tactic.game);
    assert_eq!(prove_win(&board, 3, Some(tactic.first[0]), u64::MAX, None), Ok(()));
    let wrong = tactic.game.legal_moves().into_iter().find(|mv| !tactic.first.contains(mv));
    let planted = prove_win(&board, 3, wrong, u64::MAX, None);
    assert!(matches!(planted, Err(Failure::Refuted(_))), "{planted:?}");
    let hurried = prove_win(&board, 1, Some(tactic.first[0]), u64::MAX, None);
    assert!(matches!(hurried, Err(Failure::Refuted(_))), "{hurried:?}");
}

/// A defense by the naive rules after which the attacker has no move that wins at once.
fn naive_defense(board: &Board, first: &str) -> Option<String> {
    let mut after = board.referee.clone();
    after.play(first).unwrap();
    let attacker = board.referee.seat();
    after.legal_moves().into_iter().find(|defense| {
        let mut open = after.clone();
        open.play(defense).unwrap();
        let wins = |text: &String| {
            let mut end = open.clone();
            end.play(text).unwrap();
            result(&end) == Some(Some(attacker))
        };
        result(&open) == Some(Some(1 - attacker)) || !open.legal_moves().iter().any(wins)
    })
}

#[test]
fn near_misses_are_refused_by_the_prover_and_by_the_naive_rules() {
    let misses = read("refused.txt");
    assert!(misses.len() >= 20);
    for miss in misses {
        let reach = ProofLimits { plies: 3, quiet: 3 };
        let board = Board::of(&miss.game);
        let answer = prover(&board.position, 1_000_000).wins_by(miss.first[0], reach);
        assert_eq!(answer, Ok(false), "{miss}");
        let first = miss.game.move_text(miss.first[0]);
        assert!(naive_defense(&board, &first).is_some(), "{miss}: no defense");
    }
}

#[test]
fn within_three_plies_the_prover_misses_nothing() {
    let mut compared = 0;
    for tactic in FILES.into_iter().flat_map(|name| read(name).into_iter().take(2)) {
        let board = Board::of(&tactic.game);
        let mut prover = prover(&board.position, 1_000_000);
        for mv in tactic.game.legal_moves() {
            let wins = prover.wins_by(mv, ProofLimits { plies: 3, quiet: 0 }).unwrap();
            assert_eq!(wins, tactic.first.contains(&mv), "{tactic}: {}", tactic.game.move_text(mv));
            if !wins && compared % 8 == 0 {
                let text = tactic.game.move_text(mv);
                assert!(naive_defense(&board, &text).is_some(), "{tactic}: {text}");
            }
            compared += 1;
        }
    }
}

/// Small boards are soon full, so this is the hardest test of what the prover claims to see.
#[test]
fn on_small_boards_the_prover_agrees_with_trying_everything() {
    let (mut won, mut open) = (0, 0);
    for (spec, furthest, plies) in [
        ("gomoku+size=6+line=4", 5, 6..18),
        ("gomoku-standard+size=6+line=4", 5, 6..18),
        ("pente+size=5", 5, 6..18),
        ("pente+size=7+goal=3", 3, 6..18),
        ("pro-pente+size=7+goal=3", 3, 0..5),
        ("keryo-pente+size=6+goal=3", 3, 6..18),
        ("five-in-a-row-pente+size=6", 3, 6..18),
    ] {
        for seed in 0..60 {
            let mut rng = Rng::with_seed(seed);
            let mut position = start(spec);
            for _ in 0..rng.usize(plies.clone()) {
                if let Some(mv) = draw(&position, &mut rng) {
                    position.play(mv);
                }
            }
            if position.outcome().is_some() {
                continue;
            }
            let reach = ProofLimits { plies: furthest, quiet: 1 };
            let found = prover(&position, u64::MAX).shortest(reach).unwrap();
            let text = position.text();
            let shortest = (1..=furthest).step_by(2).find(|&plies| can_force(&mut position, plies));
            assert_eq!(found.map(|win| win.plies), shortest, "{spec}, {text}");
            won += i32::from(shortest.is_some_and(|plies| plies > 1));
            open += i32::from(shortest.is_none());
        }
    }
    assert!(won >= 30 && open >= 30, "{won} wins longer than a ply, {open} without a win");
}

#[test]
fn the_engine_solves_most_of_the_tactics_and_claims_nothing_false() {
    let (mut solved, mut all) = (0, 0);
    for tactic in FILES.into_iter().flat_map(read) {
        let verdict = solve(&tactic, 10_000).unwrap();
        assert!(verdict != SolveResult::False, "{tactic}");
        (solved, all) = (solved + i32::from(verdict == SolveResult::Solved), all + 1);
    }
    assert!(solved * 10 >= all * 8, "{solved} of {all} solved");
}

/// The exit code of `pentarch tactics` and what it prints, errors included.
fn run(words: &[&str]) -> (Option<i32>, String) {
    let binary = env!("CARGO_BIN_EXE_pentarch");
    let output = Command::new(binary).arg("tactics").args(words).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn the_commands_tell_what_is_wrong() {
    let refused = file("refused.txt");
    let (code, text) = run(&["check", refused.to_str().unwrap()]);
    assert!(code == Some(1) && text.contains("24 positions, 24 wrong"), "{text}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, line, expected) in [
        (
            "tactics",
            "# a comment\n\npente; win in 3; by a1; moves j9; nobody",
            "line 3, field 4 (pos",
        ),
        ("empty", "# nothing\n", "no position in "),
        ("records", "{\"game\": 1}", "line 1: neither `moves` nor `rules`"),
        ("list", "1-0 Y", "line 1: expected a result"),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, line).unwrap();
        let verb = if ["records", "list"].contains(&name) { "mine" } else { "solve" };
        let (code, text) = run(&[verb, path.to_str().unwrap()]);
        // Other games of a file are still read.
        let wanted = if verb == "mine" { 1 } else { 2 };
        assert!(code == Some(wanted) && text.contains(expected), "{name}: {text}");
    }
    let (code, text) = run(&["solve", "no such file"]);
    assert!(code == Some(2) && text.contains("check the path"), "{text}");
}

#[test]
fn a_game_is_mined_as_its_line_says() {
    // Player 1 makes an open four and wins; player 2 never answers.
    let list = "1-0 Y 1600 1600 K10 A1 K13 C1 K11 E1 K12 G1 K14\n1-0 N 1600 1600 K10 A1 K9 C1\n";
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mined");
    std::fs::write(&path, list).unwrap();
    let (code, text) = run(&["mine", path.to_str().unwrap(), "--to", "5"]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(code, Some(0), "{text}");
    assert!(lines[0].starts_with("pro-pente; win in 3; by j12"), "{text}");
    assert!(lines[0].ends_with("moves j10 a1 j13 c1 j11 e1; rated game 1, ply 7"), "{text}");
    assert!(text.contains("1 games refused by the rules"), "{text}");
}

#[test]
fn a_name_forges_no_line() {
    let game = "\"rules\":\"pro-pente\",\"result\":\"p1win\",\"moves\":[\"j10\",\"a1\",\"j13\",\"c1\",\"j11\",\"e1\",\
                \"j12\",\"g1\",\"j14\"]";
    let name = r"\u001b[2Jx\npente; win in 1; by a1\u009b\u202e";
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("forged.json");
    let lines = format!(
        "{{\"players\":[\"{name}\",\"y\"],\"event\":\"{name}\",{game}}}\n{{\"rules\":\"{name}\"}}\n"
    );
    std::fs::write(&path, lines).unwrap();
    let (_, text) = run(&["mine", path.to_str().unwrap(), "--to", "5"]);
    assert!(text.starts_with("pro-pente; win in 3; by j12"), "{text}");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "{text:?}");
    assert!(text.lines().all(|line| !line.starts_with("pente;")), "{text}");
}

#[test]
fn a_prover_out_of_nodes_or_time_says_so_and_can_go_on_from_the_same_position() {
    let tactics = read("pente.txt");
    let tactic = tactics.iter().find(|tactic| tactic.plies == 7).unwrap();
    let reach = ProofLimits { plies: 7, quiet: 1 };
    let position = tactic.game.placement().unwrap();
    assert_eq!(prover(position, 50).shortest(reach), Err(LimitReached));
    assert_eq!(prover(position, 1 << 40).until(Instant::now()).shortest(reach), Err(LimitReached));
    let mut hasty = prover(position, 1 << 40).until(Instant::now() + Duration::from_micros(200));
    assert_eq!(hasty.wins(ProofLimits { plies: 5, quiet: 1 }), Err(LimitReached));
    let mut again = hasty.until(Instant::now() + Duration::from_mins(10));
    assert_eq!(again.shortest(reach).unwrap().map(|win| win.plies), Some(7));
}

#[test]
fn a_win_is_told_with_its_first_move() {
    for tactic in read("gomoku.txt").into_iter().filter(|tactic| tactic.plies <= 5) {
        let reach = ProofLimits { plies: tactic.plies, quiet: 1 };
        let win: ForcedWin =
            prover(tactic.game.placement().unwrap(), 1_000_000).shortest(reach).unwrap().unwrap();
        assert_eq!(win.plies, tactic.plies, "{tactic}");
        assert!(tactic.first.contains(&win.first), "{tactic}");
    }
}
