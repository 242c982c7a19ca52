//! The steps of GTP.

mod steps;

use super::game::play_move;
use super::talk::Talk;
use super::{Check, Finding, SPECIAL, StepResult, Subject, missing, wrong};
use pentarch_core::game::{Move, Side};
use pentarch_engine::Game;
use pentarch_protocol::gtp::{Color, Command, Response, ResponseReader};
use pentarch_session::dialects::gtp::{Board, Codec, MoveError, color, final_score, side_color};

/// A controller.
pub(super) struct Client {
    talk: Talk,
    subject: Subject,
    board: Option<Board>,
    /// The commands that the engine lists.
    known: Vec<String>,
    is_greeted: bool,
}

/// What version 2 wants of every engine that plays.
const REQUIRED: [&str; 11] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
];

impl super::Client for Client {
    fn new(talk: Talk, subject: &Subject) -> Client {
        let board = Board::of(&Game::new(subject.rules.clone()));
        Client { talk, subject: subject.clone(), board, known: Vec::new(), is_greeted: false }
    }

    fn talk(&mut self) -> &mut Talk {
        &mut self.talk
    }

    fn greet(&mut self) -> StepResult {
        if self.is_greeted {
            return Ok(());
        }
        self.list()?;
        self.choose_game().or_else(|finding| match finding {
            Finding::Lost(_) => Err(finding),
            _ => Ok(()),
        })
    }

    fn checks(_: &Subject) -> Vec<Check<Client>> {
        vec![
            ("lists its commands", Client::introduction),
            ("gives version 2, a name and a version", Client::names),
            ("says which commands it knows", Client::known_command),
            ("repeats numbers and passes over comments", Client::framing),
            ("can be told the game", Client::choose_game),
            ("takes the size of the board and komi", Client::board_size),
            ("answers genmove with a legal move", Client::moves),
            ("takes moves in any case of letters", Client::plays),
            ("refuses illegal moves and keeps the position", Client::illegal_moves),
            ("takes moves back", Client::undo),
            ("takes times", Client::times),
            ("refuses what it does not know", Client::bad_input),
            ("answers commands sent in one piece in order", Client::pipelined),
            ("sees the end of a game", Client::end_of_game),
            ("shows its rules to GoGui", Client::gogui_rules),
            ("analyses until the next line", Client::analysis),
            (SPECIAL[0].0, |client| client.special(SPECIAL[0].1)),
            (SPECIAL[1].0, |client| client.special(SPECIAL[1].1)),
            (SPECIAL[2].0, |client| client.special(SPECIAL[2].1)),
            ("plays a game against itself", Client::whole_game),
            ("leaves when told, with an answer", Client::quit),
            ("leaves at the end of its input", Client::end_of_input),
        ]
    }
}

impl Client {
    /// Reads one response.
    fn hear(&mut self) -> Result<Response, Finding> {
        let mut reader = ResponseReader::new();
        loop {
            let line = self.talk.raw_line(self.subject.patience)?;
            if let Some(response) = reader.push(&line) {
                return Ok(response);
            }
        }
    }

    fn ask(&mut self, request: &str) -> Result<Result<String, String>, Finding> {
        self.talk.say(request);
        Ok(self.hear()?.result)
    }

    fn command(&mut self, command: &Command) -> Result<Result<String, String>, Finding> {
        self.ask(&command.request(None).to_string())
    }

    /// Sends a command that must succeed.
    fn must(&mut self, command: &Command) -> Result<String, Finding> {
        match self.command(command)? {
            Ok(answer) => Ok(answer),
            Err(error) => wrong(format!("it refuses `{}`: {error}", command.request(None))),
        }
    }

    fn knows(&self, command: &str) -> bool {
        self.known.iter().any(|known| known == command)
    }

    fn list(&mut self) -> StepResult {
        let list = self.must(&Command::ListCommands)?;
        self.known = list.split_whitespace().map(str::to_owned).collect();
        self.is_greeted = true;
        Ok(())
    }

    /// An empty board.
    fn clear(&mut self) -> StepResult {
        if let Some(board) = self.board {
            self.must(&board.boardsize())?;
        }
        self.must(&Command::ClearBoard)?;
        if self.knows("time_settings") {
            let byo_yomi_s = self.subject.move_time.as_secs().max(1) as u32;
            self.must(&Command::TimeSettings { main_s: 0, byo_yomi_s, stones: 1 })?;
        }
        Ok(())
    }

    /// Plays moves from the start of the game on.
    fn play(&mut self, moves: &[Move]) -> Result<Game, Finding> {
        let mut game = Game::new(self.subject.rules.clone());
        for &mv in moves {
            self.must(&play_command(&game, mv))?;
            play_move(&mut game, mv)?;
        }
        Ok(game)
    }

    /// Asks for a move, which must be legal, and plays it.
    fn generate(&mut self, game: &mut Game) -> StepResult {
        let answer = self.must(&Command::GenMove(color(game.to_move())))?;
        read(game, &answer)?.into_iter().try_for_each(|mv| play_move(game, mv))
    }

    /// Whether the engine sees the end of a game as the rules do: who has lost resigns, all others
    /// pass, and the score says who has won.
    fn agrees(&mut self, game: &Game) -> StepResult {
        let Some(outcome) = game.outcome() else { return Ok(()) };
        if game.seats() == 2 {
            let loser = outcome.winner.map(|side| side_color(Side(1 - side.0)));
            for color in [Color::Black, Color::White] {
                let answer = self.must(&Command::GenMove(color))?.trim().to_ascii_lowercase();
                let expected = if loser == Some(color) { "resign" } else { "pass" };
                if answer != expected {
                    return wrong(format!(
                        "after the end {color} answers `{answer}`, not `{expected}`"
                    ));
                }
            }
        }
        if !self.knows("final_score") {
            return missing("no `final_score`");
        }
        let score = self.must(&Command::FinalScore)?;
        // The margin is no matter.
        let expected = final_score(outcome).trim_end_matches('1');
        if score.trim().starts_with(expected) {
            return Ok(());
        }
        wrong(format!("final_score is `{score}`, not `{expected}`"))
    }
}

/// Moves are sent in extended texts, which leave nothing open.
const CODEC: Codec = Codec { extended: true };

/// The text of a move with vertices.
fn move_text(game: &Game, mv: Move) -> String {
    CODEC.move_text(game, mv).unwrap_or_default()
}

/// The command that plays a move of the seat to move.
fn play_command(game: &Game, mv: Move) -> Command {
    Command::Play { color: color(game.to_move()), vertex: move_text(game, mv) }
}

/// The moves that an answer stands for.
fn read(game: &Game, answer: &str) -> Result<Vec<Move>, Finding> {
    CODEC.parse_move(game, answer.trim()).or_else(|error| match error {
        MoveError::Vertex(_) => wrong(format!("`{answer}` is no vertex")),
        error => wrong(format!("`{answer}`: {error}")),
    })
}
