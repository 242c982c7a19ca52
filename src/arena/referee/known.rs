//! A game by our own rules.

use super::live::{Beginning, Board, End, Illegal, Seats};
use crate::adjudication::{Prover, Verdict};
use crate::fault::{ArenaError, Ending, Failure, Fault};
use crate::opening::Opening;
use crate::player::{Decision, NewGame, Player, Ply, Turn};
use crate::runner::Match;
use crate::time::Timer;
use pentarch_core::game::{Move, Seat};
use pentarch_engine::Game;
use pentarch_engine::search::Report;
use pentarch_records::picture::Drawing;
use pentarch_records::{GameResult, RecordedPly};

/// A position that our rules know.
pub(super) struct KnownBoard<'a> {
    terms: &'a Match,
    opening: &'a Opening,
    game: Game,
    /// The moves from where the game began on.
    plies: Vec<Ply>,
    prover: Option<Prover>,
}

impl<'a> KnownBoard<'a> {
    /// The position after the opening; the reason if the opening cannot be played.
    pub(super) fn new(terms: &'a Match, opening: &'a Opening) -> Result<KnownBoard<'a>, String> {
        let rules = terms.rules.ours().ok_or("its rules are not ours")?;
        let mut game = opening.start(rules).map_err(|error| error.to_string())?;
        let mut plies = Vec::new();
        for &mv in &opening.moves {
            plies.push(Ply { seat: game.to_move(), mv });
            game.play_move(mv).map_err(|error| error.to_string())?;
        }
        let prover = terms.adjudication.proven.map(Prover::new);
        Ok(KnownBoard { terms, opening, game, plies, prover })
    }

    /// The arena's verdict on an open game. No clock runs meanwhile.
    fn verdict(&mut self, plies: &[RecordedPly]) -> Result<Option<Verdict>, ArenaError> {
        let sides = self.game.rules().seating().sides();
        let agreed = self.terms.adjudication.judge(plies, sides);
        match (&mut self.prover, agreed) {
            (Some(prover), None) => Ok(prover.judge(&self.game)?),
            (_, agreed) => Ok(agreed),
        }
    }
}

impl Board for KnownBoard<'_> {
    type Move = Move;

    fn rules(&self) -> String {
        self.game.rules().to_string()
    }

    fn initial_position(&self) -> Option<String> {
        self.opening.position.clone()
    }

    fn opening(&self) -> Vec<RecordedPly> {
        let ply = |&Ply { seat, mv }: &Ply| {
            let ply = RecordedPly::of_move(&self.game, mv, None);
            RecordedPly { seat: seat.0 + 1, ..ply }
        };
        self.plies.iter().map(ply).collect()
    }

    fn to_move(&self) -> Seat {
        self.game.to_move()
    }

    fn captures(&self) -> Vec<u16> {
        self.game.captures()
    }

    fn picture(&self) -> Option<String> {
        Some(Drawing { last_move: true, ..Drawing::default() }.text(&self.game))
    }

    fn prepare(&self, player: &mut dyn Player, new: Beginning<'_>) -> Result<(), Failure> {
        let Beginning { number, seat, timer } = new;
        player.new_game(&NewGame { number, seat, game: &self.game, timer })
    }

    fn end(&mut self, plies: &[RecordedPly], _: &mut Seats<'_>) -> Result<Option<End>, ArenaError> {
        if let Some(outcome) = self.game.outcome() {
            return Ok(Some(End::Result(outcome.into(), Ending::Rules(outcome.reason))));
        }
        Ok(self.verdict(plies)?.map(End::adjudicated))
    }

    fn ask(&self, player: &mut dyn Player, timers: &[Timer]) -> Result<Decision, Failure> {
        let (game, opening, plies) = (&self.game, self.opening, self.plies.as_slice());
        player.choose(&Turn { game, opening, plies, timers })
    }

    fn play(&mut self, mv: Move, report: Option<&Report>) -> Result<RecordedPly, Illegal> {
        let seat = self.game.to_move();
        let played = self.game.play_move(mv);
        played.map_err(|error| Illegal::Fault(Fault::IllegalMove(error.to_string())))?;
        self.plies.push(Ply { seat, mv });
        Ok(RecordedPly::of_move(&self.game, mv, report))
    }
}

impl End {
    /// By a verdict of the arena.
    pub(super) fn adjudicated(verdict: Verdict) -> End {
        let result = verdict.winner().map_or(GameResult::Draw, GameResult::Win);
        End::Result(result, Ending::Adjudicated(verdict))
    }
}
