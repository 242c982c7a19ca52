//! Plays one game. The clocks, the faults and the record are the arena's; the rules are those of our own
//! [`Game`](pentarch_engine::Game), or what both engines say they are.

mod agreed;
mod known;
mod live;

use self::agreed::AgreedBoard;
use self::known::KnownBoard;
use self::live::{Board, LiveGame};
use super::fault::{ArenaError, Ending};
use super::player::Player;
use super::runner::Match;
use super::schedule::{Pairing, Start};
use super::tournament::Watch;
use pentarch_records::{GameRecord, GameResult};

/// The engines of a match, in the order in which they were named.
pub(super) type Players = Vec<Box<dyn Player>>;

/// Holds the players of a match to its terms.
#[derive(Debug)]
pub(super) struct Referee<'a> {
    pub(super) terms: &'a Match,
    /// By entrant.
    pub(super) names: Vec<String>,
    pub(super) watch: Watch,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Played {
    pub(super) ending: Ending,
    pub(super) record: GameRecord,
}

/// How often a game is played again that was spoiled by too busy a machine.
const REPEATS: u32 = 2;

impl Referee<'_> {
    /// Plays a game. Whatever a player does wrong ends it; an error is our own. A game that was spoiled
    /// by too busy a machine is played again.
    pub(super) fn play(
        &self,
        pairing: &Pairing,
        players: &mut Players,
    ) -> Result<Played, ArenaError> {
        let mut repeats = 0;
        loop {
            let (record, ending) = self.play_once(pairing, players)?;
            if !ending.is_no_fault_of_players() {
                return Ok(Played { ending, record });
            }
            let (number, why) = (pairing.number, ending.detail().unwrap_or_default());
            if repeats == REPEATS {
                log::warn!("game {number} has no winner: {why}");
                return Ok(Played { ending, record });
            }
            repeats += 1;
            log::warn!(
                "game {number} is played again: {why}; lower --concurrency, or allow more time"
            );
        }
    }

    fn play_once(
        &self,
        pairing: &Pairing,
        players: &mut Players,
    ) -> Result<(GameRecord, Ending), ArenaError> {
        match &pairing.start {
            Start::Ours(opening) => {
                let board = KnownBoard::new(self.terms, opening).map_err(|error| {
                    ArenaError::Setup(format!("the opening of game {}: {error}", pairing.number))
                })?;
                self.finish(pairing, board, players)
            }
            Start::Engines(opening) => {
                let board = AgreedBoard::new(self, pairing, opening);
                self.finish(pairing, board, players)
            }
        }
    }

    fn finish(
        &self,
        pairing: &Pairing,
        board: impl Board,
        players: &mut Players,
    ) -> Result<(GameRecord, Ending), ArenaError> {
        let mut game = LiveGame::new(self, pairing, board);
        let (result, ending): (GameResult, _) = game.run(players)?;
        Ok((game.record(result, &ending), ending))
    }
}
