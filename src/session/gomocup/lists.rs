//! Lists of stones: what comes between `BOARD`, `YXBOARD` or `SWAP2BOARD` and `DONE`.

use super::{CommandResult, Gomocup, is_of_info};
use crate::dialects::gomocup::is_own_turn;
use crate::state::SessionState;
use pentarch_protocol::gomocup::{Command, Owner, Response, Stone, SyntaxError};

/// A list of stones that is being read.
pub(super) struct List {
    purpose: Purpose,
    stones: Vec<Stone>,
    /// The first thing wrong with it.
    error: Option<String>,
}

/// What is to happen when it is complete.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Board,
    YxBoard,
    Swap2Board,
}

/// More stones than any board has points; captured ones are listed as well.
const MOST_STONES: usize = 10_000;

impl Gomocup {
    /// Begins to read a list.
    pub(super) fn open_list(&mut self, purpose: Purpose) -> Vec<Response> {
        self.list = Some(List { purpose, stones: Vec::new(), error: None });
        Vec::new()
    }

    /// Takes a line of an open list of stones.
    pub(super) fn list_line(
        &mut self,
        mut list: List,
        command: Result<Command, SyntaxError>,
        state: &mut SessionState,
    ) -> CommandResult {
        let mut told = Vec::new();
        match command {
            Ok(Command::Done) => return self.close_list(list, state),
            Ok(Command::Stone(stone)) if list.stones.len() < MOST_STONES => {
                list.stones.push(stone);
            }
            Ok(Command::Stone(_)) => _ = list.error.get_or_insert("too many stones".to_owned()),
            Ok(Command::Info(info)) => told = self.info(info, state),
            Ok(command) => {
                return Err(format!(
                    "expected a stone or DONE, found {command}: the list is dropped"
                )
                .into());
            }
            Err(error) if is_of_info(&error) => told = vec![Response::Message(error.to_string())],
            Err(error) => _ = list.error.get_or_insert_with(|| error.to_string()),
        }
        self.list = Some(list);
        Ok(told)
    }

    fn close_list(&mut self, list: List, state: &mut SessionState) -> CommandResult {
        if let Some(error) = list.error {
            return Err(error.into());
        }
        let start = self.new_game(state)?;
        match list.purpose {
            Purpose::YxBoard => {
                let game = self.codec.game(&start, &list.stones);
                state.set_game(game?);
                Ok(Vec::new())
            }
            Purpose::Board if !is_own_turn(&list.stones) => {
                let own =
                    list.stones.iter().filter(|stone| stone.owner == Some(Owner::Own)).count();
                let rest = list.stones.len() - own;
                Err(format!("{own} own stones and {rest} of the opponent: it is not my turn")
                    .into())
            }
            Purpose::Board => {
                let game = self.codec.game(&start, &list.stones);
                self.think(state, game?)
            }
            Purpose::Swap2Board => {
                let points: Vec<_> = list.stones.into_iter().map(|stone| stone.point).collect();
                self.open_with(state, &points)
            }
        }
    }
}
