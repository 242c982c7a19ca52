//! The game in play: its players, its clocks, its history, and its record in a file.

use crate::io::OutputTarget;
use pentarch_arena::{ClockControl, TimeControl, Timer};
use pentarch_core::game::{Move, Outcome, Seat, Side};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::Report;
use pentarch_engine::{Game, GameError, Options};
use pentarch_records::{
    self as records, GameResult, ReadOptions, RecordFormat, RecordWriter, RecordedGame,
    RecordedPly, format_utc, sanitize_line, to_millis,
};
use std::fmt;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A player of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LocalPlayer {
    /// A person at this terminal, by name.
    Person(String),
    /// The engine, by level.
    Engine(u32),
}

/// The default name of the person at the terminal.
const YOU: &str = "you";
/// The longest name that is shown.
const MAX_NAME: usize = 20;

impl LocalPlayer {
    /// The person at the terminal in the first seat, and engines in all other seats.
    pub(super) fn you_against_engines(seats: u8, level: u32) -> Vec<LocalPlayer> {
        let you = LocalPlayer::Person(YOU.to_owned());
        let engines = (1..seats).map(|_| LocalPlayer::Engine(level));
        [you].into_iter().chain(engines).collect()
    }

    /// Parses a comma-separated list with one player for each seat: `engine`, `engine:LEVEL`, or the name
    /// of a person.
    pub(super) fn parse_list(
        text: &str,
        seats: u8,
        level: u32,
    ) -> Result<Vec<LocalPlayer>, String> {
        let players = text.split(',').map(|text| LocalPlayer::parse(text.trim(), level));
        let players = players.collect::<Result<Vec<_>, _>>()?;
        if players.len() == usize::from(seats) {
            return Ok(players);
        }
        let example = vec!["engine"; usize::from(seats) - 1].join(",");
        Err(format!("this game has {seats} seats; name {seats} players, such as `{YOU},{example}`"))
    }

    fn parse(text: &str, level: u32) -> Result<LocalPlayer, String> {
        let (word, own_level) = text.split_once(':').map_or((text, None), |(w, l)| (w, Some(l)));
        if word.eq_ignore_ascii_case("engine") {
            return Ok(LocalPlayer::Engine(own_level.map_or(Ok(level), parse_level)?));
        }
        let name: String = sanitize_line(text).chars().take(MAX_NAME).collect();
        if name.is_empty() {
            Err("a player without a name".to_owned())
        } else {
            Ok(LocalPlayer::Person(name))
        }
    }

    /// The players of a recorded game. Engines of unknown level get the default level.
    fn of_record(record: &RecordedGame, seats: u8, level: u32) -> Vec<LocalPlayer> {
        let player = |seat: usize| {
            let is_computer = record.computers.get(seat) == Some(&Some(true));
            LocalPlayer::of_recorded_name(record.player(seat), seat, is_computer, level)
        };
        (0..usize::from(seats)).map(player).collect()
    }

    fn of_recorded_name(name: &str, seat: usize, is_computer: bool, level: u32) -> LocalPlayer {
        let mut levels = (1..=*Options::LEVEL.end()).map(LocalPlayer::Engine);
        match levels.find(|engine| engine.recorded_name() == name) {
            Some(engine) => engine,
            None if is_computer => LocalPlayer::Engine(level),
            None if name.is_empty() => LocalPlayer::Person(format!("player {}", seat + 1)),
            None => LocalPlayer::Person(sanitize_line(name).chars().take(MAX_NAME).collect()),
        }
    }

    /// The name in game records.
    fn recorded_name(&self) -> String {
        match self {
            LocalPlayer::Person(name) => name.clone(),
            LocalPlayer::Engine(level) => format!("Pentarch, level {level}"),
        }
    }

    pub(super) fn is_person(&self) -> bool {
        matches!(self, LocalPlayer::Person(_))
    }
}

/// Parses the level of an engine.
pub(super) fn parse_level(text: &str) -> Result<u32, String> {
    let range = Options::LEVEL;
    let level = text.trim().parse().ok().filter(|level| range.contains(level));
    level.ok_or_else(|| {
        let text: String = sanitize_line(text).chars().take(20).collect();
        format!("`{text}` is no level, expected {} to {}", range.start(), range.end())
    })
}

impl fmt::Display for LocalPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LocalPlayer::Person(name) => f.write_str(name),
            LocalPlayer::Engine(level) => write!(f, "engine, level {level}"),
        }
    }
}

/// A game in play.
#[derive(Clone, Debug)]
pub(super) struct GameState {
    game: Game,
    /// The position before the first move.
    start: Game,
    players: Vec<LocalPlayer>,
    clock: Option<ClockControl>,
    /// The clocks by seat.
    timers: Vec<Timer>,
    played: Vec<PlayedPly>,
    /// The moves that were taken back, the next one to redo last.
    undone: Vec<Move>,
    forfeit: Option<Forfeit>,
    /// The record that the game was loaded from.
    record: Option<RecordedGame>,
}

#[derive(Clone, Debug)]
pub(super) struct PlayedPly {
    pub seat: Seat,
    pub mv: Move,
    /// The time of the move, if it is known.
    time: Option<Duration>,
    /// The search report of the engine before the move.
    report: Option<Report>,
    /// The clocks before the move.
    timers: Vec<Timer>,
}

/// How a seat loses a game other than by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forfeit {
    Resignation(Seat),
    FlagFall(Seat),
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalGameEnd {
    Rules(Outcome),
    Forfeit(Forfeit),
}

/// Why a move cannot be played.
#[derive(Debug, thiserror::Error)]
pub(super) enum PlayError {
    #[error(transparent)]
    Move(#[from] GameError),
    #[error("the game is over; `undo` takes back, `new` starts another")]
    Over,
}

impl Forfeit {
    /// The seat that loses.
    pub(super) const fn seat(self) -> Seat {
        match self {
            Forfeit::Resignation(seat) | Forfeit::FlagFall(seat) => seat,
        }
    }

    /// The reason in game records, the same as in records of the arena.
    const fn recorded_reason(self) -> &'static str {
        match self {
            Forfeit::Resignation(_) => "resigned",
            Forfeit::FlagFall(_) => "time",
        }
    }
}

impl GameState {
    /// Continues a game, whose moves can be taken back.
    pub(super) fn new(
        game: &Game,
        players: Vec<LocalPlayer>,
        clock: Option<ClockControl>,
    ) -> GameState {
        let start = game.start();
        let moves = game.moves();
        let timer = Timer::new(TimeControl { clock, ..TimeControl::default() });
        let timers = vec![timer; usize::from(game.seats())];
        let mut state = GameState {
            game: start.clone(),
            start,
            players,
            clock,
            timers,
            played: Vec::new(),
            undone: Vec::new(),
            forfeit: None,
            record: None,
        };
        for mv in moves {
            // The moves were legal in `game`.
            let _ = state.push(mv, None, None);
        }
        state
    }

    /// Another game with the same clocks, and with the same players if it has as many seats.
    pub(super) fn restarted(&self, game: &Game, level: u32) -> GameState {
        let players = if game.seats() == self.game.seats() {
            self.players.clone()
        } else {
            LocalPlayer::you_against_engines(game.seats(), level)
        };
        GameState::new(game, players, self.clock)
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// The position before the first move.
    pub(super) fn start(&self) -> &Game {
        &self.start
    }

    pub(super) fn players(&self) -> &[LocalPlayer] {
        &self.players
    }

    pub(super) fn set_players(&mut self, players: Vec<LocalPlayer>) {
        self.players = players;
    }

    /// The player to move.
    pub(super) fn mover(&self) -> &LocalPlayer {
        &self.players[self.game.to_move().index()]
    }

    pub(super) fn clock(&self) -> Option<ClockControl> {
        self.clock
    }

    /// The clock of a seat.
    pub(super) fn timer(&self, seat: Seat) -> &Timer {
        &self.timers[seat.index()]
    }

    pub(super) fn played(&self) -> &[PlayedPly] {
        &self.played
    }

    /// How the game has ended, or `None` if it has not.
    pub(super) fn end(&self) -> Option<LocalGameEnd> {
        let forfeit = self.forfeit.map(LocalGameEnd::Forfeit);
        self.game.outcome().map(LocalGameEnd::Rules).or(forfeit)
    }

    /// The side that has won. With three or more sides a forfeit has no winner.
    pub(super) fn winner(&self) -> Option<Side> {
        match self.end()? {
            LocalGameEnd::Rules(outcome) => outcome.winner,
            LocalGameEnd::Forfeit(forfeit) if self.game.rules().seating().sides() == 2 => {
                Some(Side(1 - self.game.side_of(forfeit.seat()).0 % 2))
            }
            LocalGameEnd::Forfeit(_) => None,
        }
    }

    /// Plays a move and subtracts its time from the clock. If the flag falls, the move is not played and
    /// the game is lost. An engine is late only after `margin`.
    pub(super) fn play(
        &mut self,
        mv: Move,
        time: Duration,
        margin: Duration,
        report: Option<Report>,
    ) -> Result<(), PlayError> {
        if self.end().is_some() {
            return Err(PlayError::Over);
        }
        let seat = self.game.to_move();
        let before = self.timers.clone();
        self.push(mv, Some(time), report)?;
        self.undone.clear();
        if self.timers[seat.index()].spend(time, margin).is_err() {
            self.timers = before;
            self.played.pop();
            self.game.undo();
            self.forfeit = Some(Forfeit::FlagFall(seat));
        }
        Ok(())
    }

    fn push(
        &mut self,
        mv: Move,
        time: Option<Duration>,
        report: Option<Report>,
    ) -> Result<(), GameError> {
        let seat = self.game.to_move();
        self.game.play_move(mv)?;
        self.played.push(PlayedPly { seat, mv, time, report, timers: self.timers.clone() });
        Ok(())
    }

    /// Takes back a forfeit, or the last move of a person and the moves after it; if only engines play,
    /// the last move. Returns `false` if there is nothing to take back.
    pub(super) fn undo(&mut self) -> bool {
        if self.forfeit.take().is_some() {
            return true;
        }
        let last = if self.players.iter().any(LocalPlayer::is_person) {
            let is_person = |played: &PlayedPly| self.players[played.seat.index()].is_person();
            self.played.iter().rposition(is_person)
        } else {
            self.played.len().checked_sub(1)
        };
        let Some(last) = last else { return false };
        for played in self.played.drain(last..).rev() {
            self.game.undo();
            self.undone.push(played.mv);
            self.timers = played.timers;
        }
        true
    }

    /// Replays moves that were taken back, up to the turn of a person. Returns the number of moves.
    pub(super) fn redo(&mut self) -> usize {
        let mut count = 0;
        while let Some(mv) = self.undone.pop() {
            if self.push(mv, None, None).is_err() {
                break;
            }
            count += 1;
            if self.mover().is_person() {
                break;
            }
        }
        count
    }

    /// Ends the game by a forfeit.
    pub(super) fn forfeit(&mut self, forfeit: Forfeit) -> Result<(), PlayError> {
        if self.end().is_some() {
            return Err(PlayError::Over);
        }
        self.forfeit = Some(forfeit);
        Ok(())
    }

    /// The record of the game. Comments and variations of the loaded record are kept for the moves that
    /// both share.
    fn to_record(&self) -> RecordedGame {
        let (game, start) = (&self.game, &self.start);
        let ply = |played: &PlayedPly| {
            let ply = RecordedPly::of_move(game, played.mv, played.report.as_ref());
            RecordedPly { seat: played.seat.0 + 1, time: played.time.map(to_millis), ..ply }
        };
        let mut plies: Vec<RecordedPly> = self.played.iter().map(ply).collect();
        let mut record = self.record.clone().unwrap_or_default();
        let shared = plies.iter_mut().zip(&record.plies);
        for (ply, old) in shared.take_while(|(new, old)| new.mv == old.mv) {
            ply.clone_from(old);
        }
        let shared =
            plies.iter().zip(&record.moves).take_while(|(new, old)| new.mv == **old).count();
        record.variations.retain(|variation| variation.line > 0 || variation.ply <= shared);
        if shared < record.moves.len() {
            // Variations of other variations may belong to one that was removed.
            record.variations.retain(|variation| variation.line == 0);
        }
        let time_controls = match self.clock {
            Some(clock) => vec![clock.to_string(); self.players.len()],
            None => Vec::new(),
        };
        RecordedGame {
            date: format_utc(SystemTime::now()),
            rules: Some(game.rules().to_string()),
            players: self.players.iter().map(LocalPlayer::recorded_name).collect(),
            computers: self.players.iter().map(|player| Some(!player.is_person())).collect(),
            time_controls,
            initial_position: (*start.text() != Game::new(game.rules().clone()).text())
                .then(|| start.text()),
            opening_plies: record.opening_plies.filter(|&count| count <= shared),
            moves: plies.iter().map(|ply| ply.mv.clone()).collect(),
            times: Vec::new(),
            plies,
            captures: Some(game.captures()),
            result: self.end().map(|_| self.winner().map_or(GameResult::Draw, GameResult::Win)),
            reason: match self.end() {
                Some(LocalGameEnd::Rules(outcome)) => outcome.reason.to_string(),
                Some(LocalGameEnd::Forfeit(forfeit)) => forfeit.recorded_reason().to_owned(),
                None => String::new(),
            },
            detail: String::new(),
            ..record
        }
    }

    /// Saves the game. Refuses to overwrite a file other than `known`. Returns a message that names the
    /// format and what it cannot hold.
    pub(super) fn save(
        &self,
        path: &Path,
        format: Option<&str>,
        known: Option<&Path>,
    ) -> Result<String, String> {
        let shown = sanitize_line(&path.display().to_string());
        let format = match format {
            Some(name) => name.parse::<RecordFormat>().map_err(|error| error.to_string())?,
            None => format_of(path).ok_or_else(|| {
                format!(
                    "what format is {shown}? Name it `.sgf`, `.jsonl`, `.txt` (pente.org), `.psq`, \
                     or write the format after it"
                )
            })?,
        };
        if path.exists() && known != Some(path) {
            return Err(format!("the file {shown} exists; name another"));
        }
        let mut writer = RecordWriter::new(format, self.game.rules().clone())
            .ok_or_else(|| format!("`{format}` is only read"))?;
        let text = writer
            .text(&self.to_record())
            .map_err(|error| format!("{format} cannot hold {error}"))?;
        let written = OutputTarget::open(Some(path), &[]).and_then(|mut output| {
            output.write_all(text.as_bytes())?;
            output.finish()
        });
        written.map_err(|error| format!("{error}; name another file"))?;
        let losses = writer.lost();
        Ok(if losses.is_empty() {
            format!("Saved as {format}: {shown}.")
        } else {
            let lost: Vec<_> = losses.iter().map(|(what, _)| what).collect();
            format!("Saved as {format}: {shown}. The format cannot hold {}.", lost.join(", "))
        })
    }
}

/// The format of a file by its extension.
fn format_of(path: &Path) -> Option<RecordFormat> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "jsonl" | "json" => RecordFormat::Json,
        "txt" | "pgn" => RecordFormat::PenteOrg,
        other => other.parse().ok().filter(|format: &RecordFormat| format.is_writable())?,
    })
}

/// A game that was loaded from a file.
pub(super) struct LoadedGame {
    pub state: GameState,
    /// The name of the game.
    pub name: String,
    /// The number of games in the file.
    pub games: usize,
}

impl LoadedGame {
    /// Loads a game by its number, from 1. A file that does not name its game is read with the rules of
    /// the game in play. The players are those of the record unless `players` names others.
    pub(super) fn read(
        path: &Path,
        number: usize,
        current: &GameState,
        players: Option<&str>,
        level: u32,
    ) -> Result<LoadedGame, String> {
        let (record, game, games) = read_record(path, number, current.game.rules())?;
        let players = match players {
            Some(players) => LocalPlayer::parse_list(players, game.seats(), level)?,
            None => LocalPlayer::of_record(&record, game.seats(), level),
        };
        let mut state = GameState::new(&game, players, current.clock);
        let name = record.name.clone();
        state.record = Some(record);
        Ok(LoadedGame { state, name, games })
    }
}

/// A game of a file, its last position, and the number of games in the file.
fn read_record(
    path: &Path,
    number: usize,
    rules: &Ruleset,
) -> Result<(RecordedGame, Game, usize), String> {
    let (mut chosen, mut count) = (None, 0);
    // First without a hint, so that the game that a file names has precedence over the rules in play.
    for hints in [
        ReadOptions::default(),
        ReadOptions { rules: Some(rules.clone()), ..ReadOptions::default() },
    ] {
        count = 0;
        for read in records::read(path, &hints).map_err(|error| error.to_string())? {
            count += 1;
            if count == number {
                chosen = Some(read.map_err(|error| error.to_string())?);
            }
        }
        if chosen.as_ref().is_some_and(|game| replay(game, rules).is_ok()) {
            break;
        }
    }
    let shown = sanitize_line(&path.display().to_string());
    let mut record = chosen.ok_or_else(|| match count {
        0 => format!("no game in the file {shown}"),
        1 => format!("the file {shown} has one game, not {number}"),
        _ => format!("the file {shown} has {count} games, not {number}"),
    })?;
    if let Some(warning) = record.warnings.first() {
        return Err(format!("the file {shown}: {warning}"));
    }
    let game = replay(&record, rules).map_err(|error| format!("the file {shown}: {error}"))?;
    let _ = record.make_canonical(rules);
    Ok((record, game, count))
}

fn replay(record: &RecordedGame, rules: &Ruleset) -> Result<Game, String> {
    let mut game = record.start(rules).map_err(|error| error.to_string())?;
    for text in &record.moves {
        game.play(text).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_TIME: Duration = Duration::ZERO;

    fn state(spec: &str, players: &str, moves: &str) -> GameState {
        let game = Game::new(spec.parse().unwrap());
        let players = LocalPlayer::parse_list(players, game.seats(), 5).unwrap();
        let mut state = GameState::new(&game, players, Some("2+1".parse().unwrap()));
        for text in moves.split_whitespace() {
            let mv = state.game().parse_move(text).unwrap();
            state.play(mv, NO_TIME, NO_TIME, None).unwrap();
        }
        state
    }

    #[test]
    fn undo_and_redo_stop_at_the_turn_of_a_person() {
        let mut against_engine = state("pente", "you,engine", "j10 k10 l11 m12");
        assert!(against_engine.undo());
        assert_eq!(against_engine.game().ply(), 2);
        assert_eq!((against_engine.redo(), against_engine.redo()), (2, 0));
        let mut friends = state("pente", "Ann,Bob", "j10 k10 l11");
        assert!(friends.undo());
        assert_eq!(friends.game().ply(), 2);
        let mut second = state("pente", "engine,you", "j10");
        assert!(!second.undo(), "no move of the person");
        let mut engines = state("pente-3", "engine,engine,engine", "j10 k10 l11");
        assert!(engines.undo());
        assert_eq!(engines.game().ply(), 2);
    }

    #[test]
    fn undo_restores_clocks_and_a_new_move_prevents_redo() {
        let mut state = state("pente", "Ann,Bob", "j10");
        let left = state.timer(Seat(1)).limit();
        let mv = state.game().parse_move("k10").unwrap();
        state.play(mv, Duration::from_secs(1), NO_TIME, None).unwrap();
        assert!(state.undo());
        assert_eq!(state.timer(Seat(1)).limit(), left);
        state.play(mv, NO_TIME, NO_TIME, None).unwrap();
        assert_eq!(state.redo(), 0);
    }

    #[test]
    fn a_forfeit_loses_to_the_other_side_and_can_be_taken_back() {
        let mut two = state("pente", "Ann,Bob", "j10");
        let mv = two.game().parse_move("k10").unwrap();
        two.play(mv, Duration::from_secs(9), NO_TIME, None).unwrap();
        assert_eq!(two.end(), Some(LocalGameEnd::Forfeit(Forfeit::FlagFall(Seat(1)))));
        assert_eq!((two.winner(), two.game().ply()), (Some(Side(0)), 1));
        assert!(two.play(mv, NO_TIME, NO_TIME, None).is_err());
        assert!(two.undo());
        assert_eq!((two.end(), two.game().ply()), (None, 1));
        let mut three = state("pente-3", "a,b,c", "j10");
        three.forfeit(Forfeit::Resignation(Seat(1))).unwrap();
        assert!(three.end().is_some() && three.winner().is_none());
    }

    #[test]
    fn a_list_of_players_has_one_for_each_seat() {
        let parse = |text, seats| LocalPlayer::parse_list(text, seats, 5);
        let (ann, five) = (LocalPlayer::Person("Ann".to_owned()), LocalPlayer::Engine(5));
        assert_eq!(parse("Ann, engine", 2), Ok(vec![ann.clone(), five.clone()]));
        let team = vec![LocalPlayer::Engine(9), ann, five, LocalPlayer::Person(YOU.to_owned())];
        assert_eq!(parse("engine:9,Ann,ENGINE,you", 4), Ok(team));
        for (text, seats, part) in [
            ("you", 2, "name 2 players, such as `you,engine`"),
            ("you,", 2, "without a name"),
            ("you,engine:11", 2, "`11` is no level, expected 1 to 10"),
            ("you,engine:", 2, "`` is no level"),
        ] {
            let error = parse(text, seats).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn players_round_trip_through_records() {
        let recorded = LocalPlayer::of_recorded_name;
        for player in LocalPlayer::parse_list("you,engine:3,Ann", 3, 5).unwrap() {
            assert_eq!(recorded(&player.recorded_name(), 0, false, 5), player);
        }
        assert_eq!(recorded("rapfi", 0, true, 5), LocalPlayer::Engine(5));
        assert_eq!(recorded("", 1, false, 5).to_string(), "player 2");
    }
}
