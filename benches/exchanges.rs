//! Measures the number of requests per second that the arena exchanges with engines that answer at once,
//! and for comparison with a child that only echoes lines: `cargo bench --bench exchanges`.
//!
//! The engines are this program. They play gomoku on the first empty point, so a game has 61 moves. The
//! time includes the arena's other work: starting games, checking the rules, writing records.

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use pentarch::arena::{
    Adjudication, Course, EngineSpec, Match, Openings, TimeControl, Timeouts, Tournament,
};
use pentarch::records::RecordFile;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;
use std::{env, fs};

/// The number of moves of a game, and the numbers of concurrent games.
const MOVES: u32 = 61;
const GAMES: u32 = 500;

/// The number of measurements.
const REPEATS: usize = 5;

fn main() -> io::Result<()> {
    match env::args().nth(1).as_deref() {
        Some("echo") => echo(),
        Some("ugi") => speak_ugi(),
        Some("gomocup") => speak_gomocup(),
        _ => {
            for dialect in ["ugi", "gomocup"] {
                measure(dialect)?;
            }
            Ok(())
        }
    }
}

fn measure(dialect: &str) -> io::Result<()> {
    let mut ratios = Vec::new();
    for _ in 0..REPEATS {
        let (before, played, after) = (echoes()?, exchanges(dialect)?, echoes()?);
        let bare = f64::midpoint(before, after);
        println!("{dialect}: {played:.0} a second, a bare echo {before:.0} and {after:.0}");
        ratios.push(played / bare);
    }
    ratios.sort_by(f64::total_cmp);
    let (least, most) = (ratios[0], ratios[REPEATS - 1]);
    println!("{dialect}: ratio {:.2}, from {least:.2} to {most:.2}", ratios[REPEATS / 2]);
    Ok(())
}

/// The exchanges per second of games over a dialect.
fn exchanges(dialect: &str) -> io::Result<f64> {
    let program = env::current_exe()?;
    let program = shell_words::quote(&program.to_string_lossy()).into_owned();
    let engine = |name: &str| -> EngineSpec {
        format!("name={name} proto={dialect} cmd={program} {dialect}").parse().unwrap()
    };
    let terms = Match {
        rules: "gomoku".parse::<pentarch::rules::Ruleset>().unwrap().into(),
        engines: vec![engine("one"), engine("other")],
        control: TimeControl { nodes: Some(1000), ..TimeControl::default() },
        games: GAMES,
        sprt: None,
        openings: Openings::Random { plies: 0, seed: 1 },
        concurrency: 1,
        timeouts: Timeouts::default(),
        seed: 1,
        adjudication: Adjudication::default(),
    };
    let path = env::temp_dir().join(format!("pentarch-exchanges-{}.jsonl", std::process::id()));
    let mut records = RecordFile::open(&path, false).map_err(io::Error::other)?;
    let mut moves = 0;
    let start = Instant::now();
    let course = Course { records: Some(&mut records), ..Course::default() };
    let ended = Tournament::of_match(terms).run(course, |progress| {
        moves += progress.record.moves.len();
        Ok(())
    });
    let time = start.elapsed();
    fs::remove_file(path)?;
    ended.map_err(io::Error::other)?;
    assert_eq!(moves, (MOVES * GAMES) as usize);
    Ok(moves as f64 / time.as_secs_f64())
}

/// The exchanges per second with two echoing children, in turn.
fn echoes() -> io::Result<f64> {
    let start = Instant::now();
    let mut children = [Echo::start()?, Echo::start()?];
    let number = MOVES * GAMES;
    for turn in 0..number {
        let Echo { input, output, .. } = &mut children[turn as usize % 2];
        input.write_all(b"TURN 10,10\n")?;
        let mut answer = [0; 64];
        assert!(output.read(&mut answer)? > 0);
    }
    for Echo { child, input, .. } in children {
        drop(input);
        { child }.wait()?;
    }
    Ok(f64::from(number) / start.elapsed().as_secs_f64())
}

struct Echo {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Echo {
    fn start() -> io::Result<Echo> {
        let mut command = Command::new(env::current_exe()?);
        command.arg("echo").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Ok(Echo { child, input, output })
    }
}

fn echo() -> io::Result<()> {
    let (mut input, mut output) = (raw_input(), raw_output());
    let mut bytes = [0; 4096];
    loop {
        let read = input.read(&mut bytes)?;
        if read == 0 {
            return Ok(());
        }
        output.write_all(&bytes[..read])?;
    }
}

/// Standard input and output without the buffers and locks of the standard library.
fn raw_input() -> fs::File {
    fs::File::open("/dev/stdin").unwrap()
}

fn raw_output() -> fs::File {
    fs::File::options().write(true).open("/dev/stdout").unwrap()
}

/// The occupied points of a 15 x 15 board, by column and row from 0.
struct Board([[bool; 15]; 15]);

impl Board {
    fn new() -> Board {
        Board([[false; 15]; 15])
    }

    fn take(&mut self, column: usize, row: usize) {
        self.0[row][column] = true;
    }

    fn first_free(&self) -> (usize, usize) {
        let free = |number: &usize| !self.0[number / 15][number % 15];
        let number = (0..225).find(free).unwrap_or_default();
        (number % 15, number / 15)
    }
}

fn speak_ugi() -> io::Result<()> {
    let (input, mut output) = (BufReader::new(raw_input()), raw_output());
    let mut board = Board::new();
    for line in input.lines() {
        let line = line?;
        let answer = match line.split(' ').next().unwrap_or_default() {
            "ugi" => {
                "id name instant\noption name UCI_Variant type combo default gomoku var gomoku\n\
                      ugiok\n"
                    .to_owned()
            }
            "isready" => "readyok\n".to_owned(),
            "position" => {
                board = Board::new();
                let moves = line.split_once("moves ").map_or("", |(_, moves)| moves);
                for mv in moves.split_ascii_whitespace() {
                    let row: usize = mv[1..].parse().unwrap();
                    board.take(usize::from(mv.as_bytes()[0] - b'a'), row - 1);
                }
                continue;
            }
            "go" => {
                let (column, row) = board.first_free();
                format!("bestmove {}{}\n", (b'a' + column as u8) as char, row + 1)
            }
            "quit" => return Ok(()),
            _ => continue,
        };
        output.write_all(answer.as_bytes())?;
    }
    Ok(())
}

fn speak_gomocup() -> io::Result<()> {
    let (input, mut output) = (BufReader::new(raw_input()), raw_output());
    let mut board = Board::new();
    for line in input.lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let answer = match word {
            "ABOUT" => "name=\"instant\"\n".to_owned(),
            "START" => {
                board = Board::new();
                "OK\n".to_owned()
            }
            "BEGIN" | "TURN" => {
                if let Some((column, row)) = rest.split_once(',') {
                    board.take(column.parse().unwrap(), row.parse().unwrap());
                }
                let (column, row) = board.first_free();
                board.take(column, row);
                format!("{column},{row}\n")
            }
            "END" => return Ok(()),
            _ => continue,
        };
        output.write_all(answer.as_bytes())?;
    }
    Ok(())
}
