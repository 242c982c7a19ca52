//! The referee of a game. The arena keeps the clocks, judges faults and writes the record; the
//! rules come from the built-in [`Game`] or from what both engines report.

use crate::adjudication::{AdjudicationResult, WinProver};
use crate::error::{ArenaError, Fault, PlayerError, Termination};
use crate::live_view::LiveView;
use crate::match_settings::Match;
use crate::opening::Opening;
use crate::player::{
    Action, Decision, ForeignMove, ForeignPosition, ForeignTurn, NewGame, PlayedMove, Player,
    StatusReport, Turn,
};
use crate::rulebook::ForeignOpening;
use crate::schedule::{Entrant, GameSetup, GameStart};
use crate::time_control::Timer;
use pentarch_core::game::{Move, Seat, Side};
use pentarch_engine::Game;
use pentarch_engine::search::Report;
use pentarch_records::picture::PictureOptions;
use pentarch_records::{GameRecord, GameResult, RecordedPly, format_utc, to_millis};
use std::time::SystemTime;

/// The engines of a match in the order in which they were named.
pub(crate) type Players = Vec<Box<dyn Player>>;

/// Runs games by the settings of a match.
#[derive(Debug)]
pub(crate) struct Referee<'a> {
    pub(crate) settings: &'a Match,
    /// By entrant.
    pub(crate) names: Vec<String>,
    pub(crate) live_view: LiveView,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Played {
    pub(crate) ending: Termination,
    pub(crate) record: GameRecord,
}

/// How often a game is replayed after the machine spoiled it.
const MAX_REPEATS: u32 = 2;

impl Referee<'_> {
    /// Plays a game to its end. Only errors of the arena are returned. A game spoiled by the machine
    /// is replayed.
    pub(crate) fn play(
        &self,
        pairing: &GameSetup,
        players: &mut Players,
    ) -> Result<Played, ArenaError> {
        let mut repeats = 0;
        loop {
            let (record, ending) = self.play_once(pairing, players)?;
            if !ending.is_spoiled() {
                return Ok(Played { ending, record });
            }
            let (number, why) = (pairing.number, ending.detail().unwrap_or_default());
            if repeats == MAX_REPEATS {
                log::warn!("game {number} is not counted: {why}");
                return Ok(Played { ending, record });
            }
            repeats += 1;
            let busy = matches!(ending, Termination::Fault(Fault::MachineBusy { .. }));
            let advice = if busy { "; lower --concurrency, or allow more time" } else { "" };
            log::warn!("game {number} is played again: {why}{advice}");
        }
    }

    fn play_once(
        &self,
        pairing: &GameSetup,
        players: &mut Players,
    ) -> Result<(GameRecord, Termination), ArenaError> {
        match &pairing.start {
            GameStart::BuiltIn(opening) => {
                let arbiter = BuiltInArbiter::new(self.settings, opening).map_err(|error| {
                    ArenaError::Setup(format!("the opening of game {}: {error}", pairing.number))
                })?;
                self.finish(pairing, arbiter, players)
            }
            GameStart::Foreign(opening) => {
                let arbiter = ConsensusArbiter::new(self, pairing, opening);
                self.finish(pairing, arbiter, players)
            }
        }
    }

    fn finish(
        &self,
        pairing: &GameSetup,
        arbiter: impl Arbiter,
        players: &mut Players,
    ) -> Result<(GameRecord, Termination), ArenaError> {
        let mut game = OngoingGame::new(self, pairing, arbiter);
        let (result, ending): (GameResult, _) = game.run(players)?;
        Ok((game.record(result, &ending), ending))
    }
}

/// Knows the rules of a game and its position. There are two: the built-in rules, and the consensus
/// of the engines.
pub(crate) trait Arbiter {
    type Move;

    /// The rules as records name them.
    fn rules(&self) -> String;

    /// The name of the referee if the built-in rules do not decide.
    fn referee(&self) -> Option<String> {
        None
    }

    /// The text of the start position; `None` is the start of the game.
    fn initial_position(&self) -> Option<String>;

    /// The moves of the opening.
    fn opening(&self) -> Vec<RecordedPly>;

    fn to_move(&self) -> Seat;

    /// The captured stones that count for each color.
    fn captures(&self) -> Vec<u16> {
        Vec::new()
    }

    /// The board as text, if it can be drawn.
    fn picture(&self) -> Option<String> {
        None
    }

    /// Prepares a player for the game.
    fn prepare(&self, player: &mut dyn Player, new: Beginning<'_>) -> Result<(), PlayerError>;

    /// How the game has ended; `None` while it is in progress. All ends other than resignations and
    /// faults of a move are found here.
    fn end(
        &mut self,
        plies: &[RecordedPly],
        players: &mut SeatedPlayers<'_>,
    ) -> Result<Option<GameEnd>, ArenaError>;

    /// Asks the player to move for its decision.
    fn ask(
        &self,
        player: &mut dyn Player,
        timers: &[Timer],
    ) -> Result<Decision<Self::Move>, PlayerError>;

    /// Plays a move if it is legal. The player's report goes to the record.
    fn play(
        &mut self,
        mv: Self::Move,
        report: Option<&Report>,
    ) -> Result<RecordedPly, RejectedMove>;
}

/// The game that begins, for a player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning<'a> {
    pub(crate) number: u32,
    pub(crate) seat: Seat,
    pub(crate) timer: &'a Timer,
}

/// How a game ends.
pub(crate) enum GameEnd {
    /// By its rules or by adjudication.
    Result(GameResult, Termination),
    /// By a fault of this seat.
    By(Seat, Fault),
}

/// Why a move was not played.
pub(crate) enum RejectedMove {
    /// It is illegal.
    Illegal(Fault),
    /// The engines do not agree on its legality.
    Disputed(String),
}

/// The players of a game by seat.
pub(crate) struct SeatedPlayers<'a> {
    players: &'a mut Players,
    seats: &'a [Entrant],
}

impl SeatedPlayers<'_> {
    pub(crate) fn player(&mut self, seat: Seat) -> &mut dyn Player {
        let entrant = self.seats[seat.index() % self.seats.len().max(1)];
        self.players[entrant.index()].as_mut()
    }
}

/// A game in progress under either arbiter: turns, clocks, faults and the record.
pub(crate) struct OngoingGame<'a, B> {
    referee: &'a Referee<'a>,
    pairing: &'a GameSetup,
    arbiter: B,
    opening_plies: usize,
    plies: Vec<RecordedPly>,
    timers: Vec<Timer>,
    fault: Option<Side>,
    /// The seat at fault and its transcript tail.
    culprit: Option<Seat>,
    exchange: Vec<String>,
}

impl<'a, B: Arbiter> OngoingGame<'a, B> {
    pub(crate) fn new(
        referee: &'a Referee<'a>,
        pairing: &'a GameSetup,
        arbiter: B,
    ) -> OngoingGame<'a, B> {
        let timer = |&entrant: &Entrant| Timer::new(referee.settings.time_control_of(entrant));
        let timers = pairing.seats.iter().map(timer).collect();
        let plies = arbiter.opening();
        OngoingGame {
            referee,
            pairing,
            arbiter,
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
    ) -> Result<(GameResult, Termination), ArenaError> {
        let mut seats = SeatedPlayers { players, seats: &self.pairing.seats };
        let mut ended = self.play(&mut seats);
        if let Some(seat) = self.culprit {
            self.exchange = seats.player(seat).transcript_tail();
            if let Ok((_, Termination::Fault(Fault::IllegalMove(text)))) = &mut ended {
                quote_answer(text, &self.exchange);
            }
        }
        for seat in self.first_seats() {
            seats.player(seat).end_game();
        }
        ended
    }

    fn play(
        &mut self,
        seats: &mut SeatedPlayers<'_>,
    ) -> Result<(GameResult, Termination), ArenaError> {
        for seat in self.first_seats() {
            let new =
                Beginning { number: self.pairing.number, seat, timer: &self.timers[seat.index()] };
            if let Err(failure) = self.arbiter.prepare(seats.player(seat), new) {
                return failure
                    .into_fault()
                    .map(|fault| self.lost_by(seat, Termination::Fault(fault)));
            }
        }
        loop {
            match self.arbiter.end(&self.plies, seats)? {
                None => {}
                Some(GameEnd::Result(result, ending)) => return Ok((result, ending)),
                Some(GameEnd::By(seat, fault)) => {
                    return Ok(self.lost_by(seat, Termination::Fault(fault)));
                }
            }
            let (number, moves) = (self.pairing.number, self.plies.len());
            self.referee.live_view.show(number, moves, || self.arbiter.picture());
            let seat = self.arbiter.to_move();
            let decided = self.arbiter.ask(seats.player(seat), &self.timers);
            match decided.and_then(|decision| self.take(decision)) {
                Ok(None) => {}
                Ok(Some(ending @ Termination::Disagreement(_))) => {
                    return Ok((GameResult::Draw, ending));
                }
                Ok(Some(ending)) => return Ok(self.lost_by(seat, ending)),
                Err(failure) => {
                    return failure
                        .into_fault()
                        .map(|fault| self.lost_by(seat, Termination::Fault(fault)));
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

    /// Carries out a decision; returns the reason if it ends the game.
    fn take(&mut self, decision: Decision<B::Move>) -> Result<Option<Termination>, PlayerError> {
        let Decision { action, time, report } = decision;
        let seat = self.arbiter.to_move();
        let margin = self.referee.settings.margin_of(self.pairing.entrant(seat));
        let spent = self.timers[seat.index()].spend(time, margin);
        spent.map_err(Fault::FlagFall)?;
        let Action::Move(mv) = action else { return Ok(Some(Termination::Resigned)) };
        let ply = match self.arbiter.play(mv, report.as_ref()) {
            Ok(ply) => ply,
            Err(RejectedMove::Illegal(fault)) => return Err(fault.into()),
            Err(RejectedMove::Disputed(text)) => return Ok(Some(Termination::Disagreement(text))),
        };
        self.plies.push(RecordedPly { seat: seat.0 + 1, time: Some(to_millis(time)), ..ply });
        Ok(None)
    }

    /// The end by a fault of a seat. The opponents win; with more than two sides nobody does.
    fn lost_by(&mut self, seat: Seat, ending: Termination) -> (GameResult, Termination) {
        self.culprit = matches!(ending, Termination::Fault(_)).then_some(seat);
        let strict = self.referee.settings.adjudication.strict_time;
        let ending = match ending {
            Termination::Fault(Fault::MachineBusy { fall, .. }) if strict => {
                Termination::Fault(Fault::FlagFall(fall))
            }
            ending if ending.is_spoiled() => return (GameResult::Draw, ending),
            ending => ending,
        };
        let sides = self.referee.settings.rules.sides();
        let loser = Side(seat.0 % sides.max(1));
        if sides > 2 {
            self.fault = Some(loser);
            return (GameResult::Draw, ending);
        }
        (GameResult::Win(Side(1 - loser.0 % 2)), ending)
    }

    pub(crate) fn record(self, result: GameResult, ending: &Termination) -> GameRecord {
        let by_seat = |text: &dyn Fn(Entrant) -> String| {
            self.pairing.seats.iter().map(|&entrant| text(entrant)).collect()
        };
        GameRecord {
            game: self.pairing.number,
            date: format_utc(SystemTime::now()),
            rules: self.arbiter.rules(),
            referee: self.arbiter.referee(),
            players: by_seat(&|entrant| self.referee.names[entrant.index()].clone()),
            time_controls: by_seat(&|entrant| {
                self.referee.settings.time_control_of(entrant).to_string()
            }),
            initial_position: self.arbiter.initial_position(),
            opening_plies: self.opening_plies,
            moves: self.plies.iter().map(|ply| ply.mv.clone()).collect(),
            times: self.plies.iter().filter_map(|ply| ply.time).collect(),
            captures: self.arbiter.captures(),
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

/// Appends the answer of the engine to the text of an illegal move, unless the text has the move as
/// the engine writes it. Other dialects have other coordinates.
fn quote_answer(text: &mut String, exchange: &[String]) {
    let heard = exchange.iter().rev().filter_map(|line| line.strip_prefix("> "));
    let mut answers = heard.map(|line| line.trim_start_matches('=').trim());
    let Some(answer) = answers.find(|answer| !answer.is_empty()) else { return };
    if !answer.split_whitespace().any(|word| text.contains(&format!("`{word}`"))) {
        *text = format!("{text}; the engine wrote `{answer}`");
    }
}

/// A position under the built-in rules.
pub(crate) struct BuiltInArbiter<'a> {
    settings: &'a Match,
    opening: &'a Opening,
    game: Game,
    /// The moves from the start position.
    plies: Vec<PlayedMove>,
    prover: Option<WinProver>,
}

impl<'a> BuiltInArbiter<'a> {
    /// The position after the opening; the reason if the opening cannot be played.
    pub(crate) fn new(
        settings: &'a Match,
        opening: &'a Opening,
    ) -> Result<BuiltInArbiter<'a>, String> {
        let rules = settings.rules.built_in().ok_or("the rules are not built in")?;
        let mut game = opening.start(rules).map_err(|error| error.to_string())?;
        let mut plies = Vec::new();
        for &mv in &opening.moves {
            plies.push(PlayedMove { seat: game.to_move(), mv });
            game.play_move(mv).map_err(|error| error.to_string())?;
        }
        let prover = settings.adjudication.proven.map(WinProver::new);
        Ok(BuiltInArbiter { settings, opening, game, plies, prover })
    }

    /// Adjudicates a game in progress. No clock runs meanwhile.
    fn verdict(&mut self, plies: &[RecordedPly]) -> Result<Option<AdjudicationResult>, ArenaError> {
        let sides = self.game.rules().seating().sides();
        let agreed = self.settings.adjudication.judge(plies, sides);
        match (&mut self.prover, agreed) {
            (Some(prover), None) => Ok(prover.judge(&self.game)?),
            (_, agreed) => Ok(agreed),
        }
    }
}

impl Arbiter for BuiltInArbiter<'_> {
    type Move = Move;

    fn rules(&self) -> String {
        self.game.rules().to_string()
    }

    fn initial_position(&self) -> Option<String> {
        self.opening.position.clone()
    }

    fn opening(&self) -> Vec<RecordedPly> {
        let ply = |&PlayedMove { seat, mv }: &PlayedMove| {
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

    fn prepare(&self, player: &mut dyn Player, new: Beginning<'_>) -> Result<(), PlayerError> {
        let Beginning { number, seat, timer } = new;
        player.new_game(&NewGame { number, seat, game: &self.game, timer })
    }

    fn end(
        &mut self,
        plies: &[RecordedPly],
        _: &mut SeatedPlayers<'_>,
    ) -> Result<Option<GameEnd>, ArenaError> {
        if let Some(outcome) = self.game.outcome() {
            return Ok(Some(GameEnd::Result(outcome.into(), Termination::Rules(outcome.reason))));
        }
        Ok(self.verdict(plies)?.map(GameEnd::adjudicated))
    }

    fn ask(&self, player: &mut dyn Player, timers: &[Timer]) -> Result<Decision, PlayerError> {
        let (game, opening, plies) = (&self.game, self.opening, self.plies.as_slice());
        player.choose(&Turn { game, opening, plies, timers })
    }

    fn play(&mut self, mv: Move, report: Option<&Report>) -> Result<RecordedPly, RejectedMove> {
        let seat = self.game.to_move();
        let played = self.game.play_move(mv);
        played.map_err(|error| RejectedMove::Illegal(Fault::IllegalMove(error.to_string())))?;
        self.plies.push(PlayedMove { seat, mv });
        Ok(RecordedPly::of_move(&self.game, mv, report))
    }
}

impl GameEnd {
    /// The end by adjudication.
    pub(crate) fn adjudicated(verdict: AdjudicationResult) -> GameEnd {
        let result = verdict.winner().map_or(GameResult::Draw, GameResult::Win);
        GameEnd::Result(result, Termination::Adjudicated(verdict))
    }
}

/// A game in which no engine reports an end is ended after this number of plies.
const MAX_FOREIGN_PLIES: u32 = 10_000;

/// A position whose rules only the engines know. After each move both engines are asked for the
/// status; if they disagree, the game ends and the record quotes both.
pub(crate) struct ConsensusArbiter<'a> {
    referee: &'a Referee<'a>,
    /// The names of the players by seat.
    names: [&'a str; 2],
    opening: &'a ForeignOpening,
    moves: Vec<String>,
    /// The seat to move, as both engines reported.
    turn: Seat,
    /// The legal moves, by seat of the engine that lists them.
    legal_moves: [Option<Vec<String>>; 2],
    /// Who played the last move; `None` if it belongs to the opening.
    last: Option<Seat>,
}

const SEATS: [Seat; 2] = [Seat(0), Seat(1)];

impl<'a> ConsensusArbiter<'a> {
    pub(crate) fn new(
        referee: &'a Referee<'a>,
        pairing: &GameSetup,
        opening: &'a ForeignOpening,
    ) -> ConsensusArbiter<'a> {
        let names = SEATS.map(|seat| referee.names[pairing.entrant(seat).index()].as_str());
        let moves = opening.moves.clone();
        let (turn, legal_moves) = (Seat(0), [None, None]);
        ConsensusArbiter { referee, names, opening, moves, turn, legal_moves, last: None }
    }

    fn position(&self) -> ForeignPosition<'_> {
        ForeignPosition { start: self.opening.position.as_deref(), moves: &self.moves }
    }

    /// Quotes what each engine says.
    fn dispute(&self, said: &[String; 2]) -> String {
        let [first, second] = said;
        let [a, b] = self.names;
        format!("`{a}` says {first}, `{b}` says {second}")
    }

    /// Compares two reports: returns the end of the game, or updates the turn if the game
    /// continues.
    fn settle(&mut self, reports: [StatusReport; 2]) -> Option<GameEnd> {
        let refused = reports.each_ref().map(|report| report.complaint.as_deref());
        if let (Some(mover), [first, second]) = (self.last, refused)
            && let Some(complaint) = [first, second][mover.index()]
        {
            let text = self.moves.last().map_or("", String::as_str);
            let text = format!("`{text}`, which it rejects itself: {complaint}");
            return Some(GameEnd::By(mover, Fault::IllegalMove(text)));
        }
        let same = reports[0].result == reports[1].result
            && (reports[0].result.is_some() || reports[0].turn == reports[1].turn)
            && refused == [None, None];
        if !same {
            let text = self.dispute(&reports.each_ref().map(StatusReport::words));
            return Some(GameEnd::Result(GameResult::Draw, Termination::Disagreement(text)));
        }
        let [first, second] = reports;
        if let Some(result) = first.result {
            return Some(GameEnd::Result(result, Termination::Agreed));
        }
        self.turn = first.turn;
        self.legal_moves = [first.legal_moves, second.legal_moves];
        None
    }

    /// Adjudicates a game in progress.
    fn verdict(&self, plies: &[RecordedPly]) -> Option<GameEnd> {
        let too_long = plies.len() >= MAX_FOREIGN_PLIES as usize;
        let verdict = self.referee.settings.adjudication.judge(plies, 2);
        let verdict =
            verdict.or_else(|| too_long.then_some(AdjudicationResult::Length(MAX_FOREIGN_PLIES)));
        verdict.map(GameEnd::adjudicated)
    }
}

impl StatusReport {
    /// The report in a few words.
    fn words(&self) -> String {
        match (&self.complaint, self.result) {
            (Some(complaint), _) => format!("`{complaint}`"),
            (None, Some(result)) => result.to_string(),
            (None, None) => format!("that it is open and player {} is to move", self.turn.0 + 1),
        }
    }
}

impl Arbiter for ConsensusArbiter<'_> {
    type Move = ForeignMove;

    fn rules(&self) -> String {
        self.referee.settings.rules.to_string()
    }

    fn referee(&self) -> Option<String> {
        Some("engines".to_owned())
    }

    fn initial_position(&self) -> Option<String> {
        self.opening.position.clone()
    }

    fn opening(&self) -> Vec<RecordedPly> {
        // Only the engines know who made these moves.
        self.opening
            .moves
            .iter()
            .map(|mv| RecordedPly::with_report(mv.clone(), None, Vec::new()))
            .collect()
    }

    fn to_move(&self) -> Seat {
        self.turn
    }

    fn prepare(&self, player: &mut dyn Player, _: Beginning<'_>) -> Result<(), PlayerError> {
        player.new_foreign_game()
    }

    fn end(
        &mut self,
        plies: &[RecordedPly],
        players: &mut SeatedPlayers<'_>,
    ) -> Result<Option<GameEnd>, ArenaError> {
        let mut reports = Vec::new();
        for seat in SEATS {
            match players.player(seat).report_status(&self.position()) {
                Ok(report) => reports.push(report),
                Err(failure) => {
                    return failure.into_fault().map(|fault| Some(GameEnd::By(seat, fault)));
                }
            }
        }
        let Ok(reports) = <[StatusReport; 2]>::try_from(reports) else { return Ok(None) };
        Ok(self.settle(reports).or_else(|| self.verdict(plies)))
    }

    fn ask(
        &self,
        player: &mut dyn Player,
        timers: &[Timer],
    ) -> Result<Decision<ForeignMove>, PlayerError> {
        player.choose_text(&ForeignTurn { position: self.position(), seat: self.turn, timers })
    }

    fn play(
        &mut self,
        mv: ForeignMove,
        report: Option<&Report>,
    ) -> Result<RecordedPly, RejectedMove> {
        let ForeignMove { text: mv, pv } = mv;
        let lists = |seat: usize| self.legal_moves[seat].as_ref().map(|list| list.contains(&mv));
        let (mover, other) = (self.turn.index(), 1 - self.turn.index());
        match (lists(mover), lists(other)) {
            (Some(false), _) => {
                let text = format!("`{mv}` is none of the legal moves that it lists itself");
                return Err(RejectedMove::Illegal(Fault::IllegalMove(text)));
            }
            (_, Some(false)) => {
                let mut said = [format!("`{mv}`"), "that this is no legal move".to_owned()];
                said.rotate_left(mover);
                return Err(RejectedMove::Disputed(self.dispute(&said)));
            }
            _ => {}
        }
        self.moves.push(mv.clone());
        self.last = Some(self.turn);
        Ok(RecordedPly::with_report(mv, report, pv))
    }
}
