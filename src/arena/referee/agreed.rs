//! A game whose rules only its engines know. After each move both are asked how it stands; where they do
//! not say the same, the game ends in a disagreement and both answers are on record.

use super::Referee;
use super::live::{Beginning, Board, End, Illegal, Seats};
use crate::adjudication::Verdict;
use crate::fault::{ArenaError, Ending, Failure, Fault};
use crate::player::{Decision, ForeignMove, ForeignPosition, ForeignTurn, Opinion, Player};
use crate::rulebook::ForeignOpening;
use crate::schedule::Pairing;
use crate::time::Timer;
use pentarch_core::game::Seat;
use pentarch_engine::search::Report;
use pentarch_records::{GameResult, RecordedPly};

/// A game in which no engine sees an end is ended after that many moves.
const MOST_PLIES: u32 = 10_000;

/// What both engines say of a position.
pub(super) struct AgreedBoard<'a> {
    referee: &'a Referee<'a>,
    /// The names of the players by seat.
    names: [&'a str; 2],
    opening: &'a ForeignOpening,
    moves: Vec<String>,
    /// Who is to move, as both have said.
    turn: Seat,
    /// The legal moves by seat of the engine that lists them.
    legal_moves: [Option<Vec<String>>; 2],
    /// Who played the last move, unless it belongs to the opening.
    last: Option<Seat>,
}

const SEATS: [Seat; 2] = [Seat(0), Seat(1)];

impl<'a> AgreedBoard<'a> {
    pub(super) fn new(
        referee: &'a Referee<'a>,
        pairing: &Pairing,
        opening: &'a ForeignOpening,
    ) -> AgreedBoard<'a> {
        let names = SEATS.map(|seat| referee.names[pairing.entrant(seat).index()].as_str());
        let moves = opening.moves.clone();
        let (turn, legal_moves) = (Seat(0), [None, None]);
        AgreedBoard { referee, names, opening, moves, turn, legal_moves, last: None }
    }

    fn position(&self) -> ForeignPosition<'_> {
        ForeignPosition { start: self.opening.position.as_deref(), moves: &self.moves }
    }

    /// What the engines say, each in a few words.
    fn dispute(&self, said: &[String; 2]) -> String {
        let [first, second] = said;
        let [a, b] = self.names;
        format!("`{a}` says {first}, `{b}` says {second}")
    }

    /// What two opinions come to: none goes on.
    fn settle(&mut self, opinions: [Opinion; 2]) -> Option<End> {
        let refused = opinions.each_ref().map(|opinion| opinion.complaint.as_deref());
        if let (Some(mover), [first, second]) = (self.last, refused)
            && let Some(complaint) = [first, second][mover.index()]
        {
            let text = self.moves.last().map_or("", String::as_str);
            let text = format!("`{text}`, of which it says itself: {complaint}");
            return Some(End::By(mover, Fault::IllegalMove(text)));
        }
        let same = opinions[0].result == opinions[1].result
            && (opinions[0].result.is_some() || opinions[0].turn == opinions[1].turn)
            && refused == [None, None];
        if !same {
            let text = self.dispute(&opinions.each_ref().map(Opinion::words));
            return Some(End::Result(GameResult::Draw, Ending::Disagreement(text)));
        }
        let [first, second] = opinions;
        if let Some(result) = first.result {
            return Some(End::Result(result, Ending::Agreed));
        }
        self.turn = first.turn;
        self.legal_moves = [first.legal_moves, second.legal_moves];
        None
    }

    /// The arena's verdict on an open game.
    fn verdict(&self, plies: &[RecordedPly]) -> Option<End> {
        let too_long = plies.len() >= MOST_PLIES as usize;
        let verdict = self.referee.terms.adjudication.judge(plies, 2);
        let verdict = verdict.or_else(|| too_long.then_some(Verdict::Length(MOST_PLIES)));
        verdict.map(End::adjudicated)
    }
}

impl Opinion {
    /// In a few words.
    fn words(&self) -> String {
        match (&self.complaint, self.result) {
            (Some(complaint), _) => format!("`{complaint}`"),
            (None, Some(result)) => result.to_string(),
            (None, None) => format!("that it is open and player {} is to move", self.turn.0 + 1),
        }
    }
}

impl Board for AgreedBoard<'_> {
    type Move = ForeignMove;

    fn rules(&self) -> String {
        self.referee.terms.rules.to_string()
    }

    fn referee(&self) -> Option<String> {
        Some("engines".to_owned())
    }

    fn initial_position(&self) -> Option<String> {
        self.opening.position.clone()
    }

    fn opening(&self) -> Vec<RecordedPly> {
        // Who made these moves only the engines know.
        self.opening
            .moves
            .iter()
            .map(|mv| RecordedPly::searched(mv.clone(), None, Vec::new()))
            .collect()
    }

    fn to_move(&self) -> Seat {
        self.turn
    }

    fn prepare(&self, player: &mut dyn Player, _: Beginning<'_>) -> Result<(), Failure> {
        player.new_foreign_game()
    }

    fn end(
        &mut self,
        plies: &[RecordedPly],
        players: &mut Seats<'_>,
    ) -> Result<Option<End>, ArenaError> {
        let mut opinions = Vec::new();
        for seat in SEATS {
            match players.player(seat).judge(&self.position()) {
                Ok(opinion) => opinions.push(opinion),
                Err(failure) => return failure.fault().map(|fault| Some(End::By(seat, fault))),
            }
        }
        let Ok(opinions) = <[Opinion; 2]>::try_from(opinions) else { return Ok(None) };
        Ok(self.settle(opinions).or_else(|| self.verdict(plies)))
    }

    fn ask(
        &self,
        player: &mut dyn Player,
        timers: &[Timer],
    ) -> Result<Decision<ForeignMove>, Failure> {
        player.choose_text(&ForeignTurn { position: self.position(), seat: self.turn, timers })
    }

    fn play(&mut self, mv: ForeignMove, report: Option<&Report>) -> Result<RecordedPly, Illegal> {
        let ForeignMove { text: mv, pv } = mv;
        let lists = |seat: usize| self.legal_moves[seat].as_ref().map(|list| list.contains(&mv));
        let (mover, other) = (self.turn.index(), 1 - self.turn.index());
        match (lists(mover), lists(other)) {
            (Some(false), _) => {
                let text = format!("`{mv}` is none of the legal moves that it lists itself");
                return Err(Illegal::Fault(Fault::IllegalMove(text)));
            }
            (_, Some(false)) => {
                let mut said = [format!("`{mv}`"), "that this is no legal move".to_owned()];
                said.rotate_left(mover);
                return Err(Illegal::Disputed(self.dispute(&said)));
            }
            _ => {}
        }
        self.moves.push(mv.clone());
        self.last = Some(self.turn);
        Ok(RecordedPly::searched(mv, report, pv))
    }
}
