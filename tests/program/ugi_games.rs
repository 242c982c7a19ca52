//! A whole game of every name in the catalog between processes of the real binary over UGI, one at
//! each seat, that must agree with each other and with the rules at every ply.

use pentarch::engine::Game;
use pentarch::rules::catalog::CATALOG;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Nodes a move.
const NODES: u32 = 60;

/// What every process is asked after each ply.
const QUERIES: [&str; 8] =
    ["turn", "side", "colour", "gameover", "result", "reason", "captures", "fen"];

/// A player in a process of its own.
struct Player {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player {
    fn start(variant: &str) -> Player {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pentarch"))
            .arg("ugi")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut player = Player { child, input, output };
        player.send(&format!("ugi\nsetoption name UCI_Variant value {variant}"));
        player.send("setoption name Hash value 1\nisready");
        player.answer("readyok");
        player.send("uginewgame\nposition startpos");
        player
    }

    fn send(&mut self, lines: &str) {
        writeln!(self.input, "{lines}").unwrap();
    }

    /// What follows a word at the start of the next line that has it.
    fn answer(&mut self, word: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "no {word}");
            assert!(!line.starts_with("info string error"), "{line}");
            if let Some(rest) = line.strip_prefix(word) {
                return rest.trim().to_owned();
            }
        }
    }

    fn ask(&mut self, query: &str) -> String {
        self.send(&format!("query {query}"));
        self.answer("response")
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}

/// Plays a game; at each ply all players say the same, and that what the rules say.
fn play(variant: &str) {
    let mut game = Game::new(variant.parse().unwrap());
    let mut players: Vec<_> = (0..game.seats()).map(|_| Player::start(variant)).collect();
    loop {
        let said: Vec<Vec<String>> = players
            .iter_mut()
            .map(|player| QUERIES.iter().map(|query| player.ask(query)).collect())
            .collect();
        let context = format!("{variant}, ply {}", game.ply());
        assert!(said.iter().all(|answers| *answers == said[0]), "{context}: {said:?}");
        assert_eq!(said[0][7], game.text(), "{context}");
        let result = match game.outcome() {
            None => "none".to_owned(),
            Some(outcome) => {
                outcome.winner.map_or("draw".to_owned(), |side| format!("p{}win", side.0 + 1))
            }
        };
        assert_eq!(said[0][4], result, "{context}");
        assert_eq!(said[0][3], (result != "none").to_string(), "{context}");
        if result != "none" {
            return;
        }
        let seat = game.to_move().index();
        assert_eq!(said[0][0], (seat + 1).to_string(), "{context}");
        players[seat].send(&format!("go nodes {NODES}"));
        let answer = players[seat].answer("bestmove");
        let best = answer.split_whitespace().next().unwrap();
        game.play(best).unwrap_or_else(|error| panic!("{context}: {best}: {error}"));
        for player in &mut players {
            player.send(&format!("moves {best}"));
        }
    }
}

#[test]
fn processes_agree_at_every_ply_of_every_game() {
    assert!(CATALOG.len() >= 39);
    for row in CATALOG {
        play(row.name);
    }
}

/// The memory of a process that is in use, in MiB.
#[cfg(target_os = "linux")]
fn resident_mebibytes(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
}

#[cfg(target_os = "linux")]
#[test]
fn new_games_and_first_searches_do_not_touch_the_whole_hash_table() {
    let mut player = Player::start("gomoku");
    player.send("setoption name Hash value 2048");
    for _ in 0..3 {
        player.send("uginewgame\nposition startpos\ngo nodes 1");
        player.answer("bestmove");
    }
    let used = resident_mebibytes(player.child.id());
    assert!(used < 200, "{used} MiB after searches of one node with a table of 2048");
}
