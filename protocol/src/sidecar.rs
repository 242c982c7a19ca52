//! The protocol of pente.org's server, which asks a program for moves.
//!
//! The server runs one program for each game and keeps the list of moves itself: each question
//! contains the whole game. Points are numbers, `19 * y + x` on a board of 19x19, and an answer is one
//! number (rainwolf/pente.org, `MMAIProtocol.java` and the design document next to it).

use std::fmt;

use nom::Parser;
use nom::combinator::{map_opt, verify};
use nom::multi::count;

pub use crate::grammar::SyntaxError;
use crate::grammar::{Parsed, expect, grammar, natural32, number, parse_lines, text, word};

/// The number of columns and of rows of the board.
pub const SIZE: u32 = 19;
/// The number of points of the board.
pub const POINTS: u32 = SIZE * SIZE;
/// The second point of a packed turn of one stone.
const NO_STONE: u32 = POINTS;
/// The factor of the first point of a packed turn.
const PACKING: u32 = POINTS + 1;

grammar! {
    ignore_case: true;
    /// A line from the server to the program.
    pub enum Command {
        /// `MOVE game level n m1 ... mn`: a question for the next move.
        Move(Question) = "MOVE" => question,
        /// `QUIT`: end the process.
        Quit = "QUIT",
    }
}

grammar! {
    ignore_case: true;
    /// A line from the program to the server.
    pub enum Response {
        /// `OK move`: one point, or the packed points of a turn of Connect6.
        Move(u32) = "OK" => number("a move"),
        /// `ERR text`: the question has no answer.
        Error(String) = "ERR" => text,
    }
}

parse_lines!(Command Response);

impl Command {
    /// Returns the names of all commands.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::GRAMMAR.keywords()
    }
}

/// The arguments of `MOVE`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Question {
    /// The number of the game at pente.org.
    pub game: u32,
    /// The level of play, from 1 to 8.
    pub level: u32,
    /// The points of the moves so far.
    pub moves: Vec<u32>,
}

/// `question = natural , natural , natural , { natural } ;` the third is the number of points.
fn question(input: &str) -> Parsed<'_, Question> {
    let up_to = |most| verify(map_opt(word, natural32), move |number| *number <= most);
    let (rest, game) = number("the number of a game").parse(input)?;
    let (rest, level) = number("a level").parse(rest)?;
    let (rest, length) = expect("a number of moves up to 361", up_to(POINTS)).parse(rest)?;
    let point = expect("a point from 0 to 360", up_to(POINTS - 1));
    let (rest, moves) = count(point, length as usize).parse(rest)?;
    Ok((rest, Question { game, level, moves }))
}

impl Response {
    /// Creates the answer for a turn of two stones, or of one if the game begins or ends with it.
    pub fn pair(first: u32, second: Option<u32>) -> Self {
        Self::Move(first * PACKING + second.unwrap_or(NO_STONE))
    }

    /// Returns the points of an answer for a turn of two stones; the inverse of [`Response::pair`].
    ///
    /// ```
    /// use pentarch_protocol::sidecar::Response;
    ///
    /// assert_eq!(Response::pair(180, Some(200)), Response::Move(65360));
    /// assert_eq!(Response::unpack(65360), (180, Some(200)));
    /// ```
    pub fn unpack(packed: u32) -> (u32, Option<u32>) {
        let second = packed % PACKING;
        (packed / PACKING, (second != NO_STONE).then_some(second))
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.game, self.level, self.moves.len())?;
        self.moves.iter().try_for_each(|point| write!(f, " {point}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        for line in ["MOVE 1 8 0", "MOVE 13 5 3 180 0 360", "QUIT"] {
            assert_eq!(Command::parse(line).unwrap().to_string(), line);
        }
        for line in ["OK 180", "OK 65360", "ERR the game is over"] {
            assert_eq!(Response::parse(line).unwrap().to_string(), line);
        }
        assert_eq!(Command::parse(" quit\r"), Ok(Command::Quit));
    }

    #[test]
    fn wrong_lines_name_the_wrong_word() {
        let error = |line| Command::parse(line).unwrap_err().to_string();
        assert_eq!(error("STOP"), "unknown command `STOP`");
        assert_eq!(error(""), "empty line, expected a command");
        assert_eq!(error("MOVE 1 x 0"), "malformed `MOVE`: expected a level, found `x`");
        assert_eq!(
            error("MOVE 1 8 2 180"),
            "malformed `MOVE`: expected a point from 0 to 360, found the end of the line"
        );
        assert_eq!(
            error("MOVE 1 8 1 361"),
            "malformed `MOVE`: expected a point from 0 to 360, found `361`"
        );
        assert_eq!(
            error("MOVE 1 8 1 180 181"),
            "malformed `MOVE`: expected the end of the line, found `181`"
        );
        assert_eq!(
            error("MOVE 1 8 99999999999 180"),
            "malformed `MOVE`: expected a number of moves up to 361, found `99999999999`"
        );
    }

    #[test]
    fn packed_turns() {
        for (first, second) in [(0, Some(0)), (180, None), (360, Some(360)), (0, Some(360))] {
            let Response::Move(packed) = Response::pair(first, second) else { panic!() };
            assert_eq!(Response::unpack(packed), (first, second));
        }
    }
}
