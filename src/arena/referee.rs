//! Plays one game. The clocks, the faults and the record are the arena's; the rules are those of our own
//! [`Game`](pentarch_engine::Game), or what both engines say they are.

use crate::adjudication::{Prover, Verdict};
use crate::error::{ArenaError, Ending, Failure, Fault};
use crate::live_view::Watch;
use crate::match_settings::Match;
use crate::opening::Opening;
use crate::player::{
    Action, Decision, ForeignMove, ForeignPosition, ForeignTurn, NewGame, Opinion, Player, Ply,
    Turn,
};
use crate::rulebook::ForeignOpening;
use crate::schedule::{Entrant, Pairing, Start};
use crate::time_control::Timer;
use pentarch_core::game::{Move, Seat, Side};
use pentarch_engine::Game;
use pentarch_engine::search::Report;
use pentarch_records::picture::PictureOptions;
use pentarch_records::{GameRecord, GameResult, RecordedPly, format_utc, to_millis};
use std::time::SystemTime;

/// The engines of a match, in the order in which they were named.
pub(crate) type Players = Vec<Box<dyn Player>>;

/// Holds the players of a match to its terms.
#[derive(Debug)]
pub(crate) struct Referee<'a> {
    pub(crate) terms: &'a Match,
    /// By entrant.
    pub(crate) names: Vec<String>,
    pub(crate) watch: Watch,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Played {
    pub(crate) ending: Ending,
    pub(crate) record: GameRecord,
}

/// How often a game is played again that was spoiled by too busy a machine.
const REPEATS: u32 = 2;

impl Referee<'_> {
    /// Plays a game. Whatever a player does wrong ends it; an error is our own. A game that was spoiled
    /// by too busy a machine is played again.
    pub(crate) fn play(
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

/// Who knows the rules of a game, and the position in it.
pub(crate) trait Board {
    /// What a move is.
    type Move;

    /// The rules as the record names them.
    fn rules(&self) -> String;

    /// The word for the referee, if it is not the arena.
    fn referee(&self) -> Option<String> {
        None
    }

    /// The position text that the game began at, unless it was its start.
    fn initial_position(&self) -> Option<String>;

    /// The moves of the opening.
    fn opening(&self) -> Vec<RecordedPly>;

    /// The seat to move.
    fn to_move(&self) -> Seat;

    /// The captured stones that count for each color.
    fn captures(&self) -> Vec<u16> {
        Vec::new()
    }

    /// The board for those who look on, if it can be drawn.
    fn picture(&self) -> Option<String> {
        None
    }

    /// Prepares a player for the game.
    fn prepare(&self, player: &mut dyn Player, new: Beginning<'_>) -> Result<(), Failure>;

    /// How the game has ended, none while it goes on; the one place where a game ends that no player
    /// ends by resigning or by a fault of its move. The seats' players are in `players`.
    fn end(
        &mut self,
        plies: &[RecordedPly],
        players: &mut Seats<'_>,
    ) -> Result<Option<End>, ArenaError>;

    /// Asks the player whose turn it is.
    fn ask(
        &self,
        player: &mut dyn Player,
        timers: &[Timer],
    ) -> Result<Decision<Self::Move>, Failure>;

    /// Plays a move, if it is legal. What the player said of it is for the record.
    fn play(&mut self, mv: Self::Move, report: Option<&Report>) -> Result<RecordedPly, Illegal>;
}

/// What a player is told of a game that begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning<'a> {
    pub(crate) number: u32,
    pub(crate) seat: Seat,
    pub(crate) timer: &'a Timer,
}

/// How a game ends.
pub(crate) enum End {
    /// By its rules or by a verdict.
    Result(GameResult, Ending),
    /// By a fault of this seat.
    By(Seat, Fault),
}

/// A move that is not played.
pub(crate) enum Illegal {
    /// It is a fault of the player.
    Fault(Fault),
    /// The engines do not agree on it.
    Disputed(String),
}

/// The players of a game by seat.
pub(crate) struct Seats<'a> {
    players: &'a mut Players,
    seats: &'a [Entrant],
}

impl Seats<'_> {
    pub(crate) fn player(&mut self, seat: Seat) -> &mut dyn Player {
        let entrant = self.seats[seat.index() % self.seats.len().max(1)];
        self.players[entrant.index()].as_mut()
    }
}

/// A game in play.
pub(crate) struct LiveGame<'a, B> {
    referee: &'a Referee<'a>,
    pairing: &'a Pairing,
    board: B,
    opening_plies: usize,
    plies: Vec<RecordedPly>,
    timers: Vec<Timer>,
    fault: Option<Side>,
    /// The seat whose player did something wrong, and the last lines exchanged with it.
    culprit: Option<Seat>,
    exchange: Vec<String>,
}

impl<'a, B: Board> LiveGame<'a, B> {
    pub(crate) fn new(referee: &'a Referee<'a>, pairing: &'a Pairing, board: B) -> LiveGame<'a, B> {
        let timer = |&entrant: &Entrant| Timer::new(referee.terms.control_of(entrant));
        let timers = pairing.seats.iter().map(timer).collect();
        let plies = board.opening();
        LiveGame {
            referee,
            pairing,
            board,
            opening_plies: plies.len(),
            plies,
            timers,
            fault: None,
            culprit: None,
            exchange: Vec::new(),
        }
    }

    pub(crate) fn run(
        &mut self,
        players: &mut Players,
    ) -> Result<(GameResult, Ending), ArenaError> {
        let mut seats = Seats { players, seats: &self.pairing.seats };
        let ended = self.play(&mut seats);
        if let Some(seat) = self.culprit {
            self.exchange = seats.player(seat).exchange();
        }
        for seat in self.first_seats() {
            seats.player(seat).end_game();
        }
        ended
    }

    fn play(&mut self, seats: &mut Seats<'_>) -> Result<(GameResult, Ending), ArenaError> {
        for seat in self.first_seats() {
            let new =
                Beginning { number: self.pairing.number, seat, timer: &self.timers[seat.index()] };
            if let Err(failure) = self.board.prepare(seats.player(seat), new) {
                return failure.fault().map(|fault| self.lost_by(seat, Ending::Fault(fault)));
            }
        }
        loop {
            match self.board.end(&self.plies, seats)? {
                None => {}
                Some(End::Result(result, ending)) => return Ok((result, ending)),
                Some(End::By(seat, fault)) => return Ok(self.lost_by(seat, Ending::Fault(fault))),
            }
            let (number, moves) = (self.pairing.number, self.plies.len());
            self.referee.watch.show(number, moves, || self.board.picture());
            let seat = self.board.to_move();
            let decided = self.board.ask(seats.player(seat), &self.timers);
            match decided.and_then(|decision| self.take(decision)) {
                Ok(None) => {}
                Ok(Some(ending @ Ending::Disagreement(_))) => {
                    return Ok((GameResult::Draw, ending));
                }
                Ok(Some(ending)) => return Ok(self.lost_by(seat, ending)),
                Err(failure) => {
                    return failure.fault().map(|fault| self.lost_by(seat, Ending::Fault(fault)));
                }
            }
        }
    }

    /// The first seat of each engine.
    fn first_seats(&self) -> Vec<Seat> {
        let entrant = |seat: &Seat| self.pairing.entrant(*seat);
        let mut seats: Vec<Seat> = (0..self.pairing.seats.len() as u8).map(Seat).collect();
        seats.sort_by_key(entrant);
        seats.dedup_by_key(|seat| entrant(seat));
        seats.sort_unstable();
        seats
    }

    /// Does what a player has decided, which may end the game.
    fn take(&mut self, decision: Decision<B::Move>) -> Result<Option<Ending>, Failure> {
        let Decision { action, time, report } = decision;
        let seat = self.board.to_move();
        let spent = self.timers[seat.index()].spend(time, self.referee.terms.timeouts.margin);
        spent.map_err(Fault::FlagFall)?;
        let Action::Move(mv) = action else { return Ok(Some(Ending::Resigned)) };
        let ply = match self.board.play(mv, report.as_ref()) {
            Ok(ply) => ply,
            Err(Illegal::Fault(fault)) => return Err(fault.into()),
            Err(Illegal::Disputed(text)) => return Ok(Some(Ending::Disagreement(text))),
        };
        self.plies.push(RecordedPly { seat: seat.0 + 1, time: Some(to_millis(time)), ..ply });
        Ok(None)
    }

    /// The end by a fault of a seat. Its opponents have won; of many sides none has.
    fn lost_by(&mut self, seat: Seat, ending: Ending) -> (GameResult, Ending) {
        self.culprit = matches!(ending, Ending::Fault(_)).then_some(seat);
        let strict = self.referee.terms.adjudication.strict_time;
        let ending = match ending {
            Ending::Fault(Fault::MachineBusy { otherwise, .. }) if strict => {
                Ending::Fault(*otherwise)
            }
            ending if ending.is_no_fault_of_players() => return (GameResult::Draw, ending),
            ending => ending,
        };
        let sides = self.referee.terms.rules.sides();
        let loser = Side(seat.0 % sides.max(1));
        if sides > 2 {
            self.fault = Some(loser);
            return (GameResult::Draw, ending);
        }
        (GameResult::Win(Side(1 - loser.0 % 2)), ending)
    }

    pub(crate) fn record(self, result: GameResult, ending: &Ending) -> GameRecord {
        let by_seat = |text: &dyn Fn(Entrant) -> String| {
            self.pairing.seats.iter().map(|&entrant| text(entrant)).collect()
        };
        GameRecord {
            game: self.pairing.number,
            date: format_utc(SystemTime::now()),
            rules: self.board.rules(),
            referee: self.board.referee(),
            players: by_seat(&|entrant| self.referee.names[entrant.index()].clone()),
            time_controls: by_seat(&|entrant| self.referee.terms.control_of(entrant).to_string()),
            initial_position: self.board.initial_position(),
            opening_plies: self.opening_plies,
            moves: self.plies.iter().map(|ply| ply.mv.clone()).collect(),
            times: self.plies.iter().filter_map(|ply| ply.time).collect(),
            captures: self.board.captures(),
            plies: self.plies,
            result,
            reason: ending.to_string(),
            detail: ending.detail(),
            exchange: self.exchange,
            fault_seat: self.fault.map(|side| side.0 + 1),
            tournament: None,
        }
    }
}

/// A position that our rules know.
pub(crate) struct KnownBoard<'a> {
    terms: &'a Match,
    opening: &'a Opening,
    game: Game,
    /// The moves from where the game began on.
    plies: Vec<Ply>,
    prover: Option<Prover>,
}

impl<'a> KnownBoard<'a> {
    /// The position after the opening; the reason if the opening cannot be played.
    pub(crate) fn new(terms: &'a Match, opening: &'a Opening) -> Result<KnownBoard<'a>, String> {
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
        Some(PictureOptions { last_move: true, ..PictureOptions::default() }.text(&self.game))
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
    pub(crate) fn adjudicated(verdict: Verdict) -> End {
        let result = verdict.winner().map_or(GameResult::Draw, GameResult::Win);
        End::Result(result, Ending::Adjudicated(verdict))
    }
}

/// A game in which no engine sees an end is ended after that many moves.
const MOST_PLIES: u32 = 10_000;

/// What both engines say of a position.
pub(crate) struct AgreedBoard<'a> {
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
    pub(crate) fn new(
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
            .map(|mv| RecordedPly::with_report(mv.clone(), None, Vec::new()))
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
        Ok(RecordedPly::with_report(mv, report, pv))
    }
}
