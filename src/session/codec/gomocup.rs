//! Gomocup's protocol: games, points and moves, limits, lists of stones, openings and messages.
//!
//! The protocol has two players who place a stone on a point in turn, and swap2 as the only opening
//! with a choice. Passes and choices have no point.

use super::InfoAccumulator;
use pentarch_core::board::Grid;
use pentarch_core::game::{Cell, Move, MoveKind};
use pentarch_core::rules::{BoardRules, Ruleset, SquareBoardRules, SwapRule, VariantSpecError};
use pentarch_engine::search::{Bound, Clock, Limits, Report, Score};
use pentarch_engine::{Game, GameError, IllegalMove};
use pentarch_protocol::gomocup::{
    Command, Coordinates, Info, InfoKey, Owner, Point, Response, Stone,
};
use std::time::Duration;

/// Converts values of the engine to those of Gomocup's protocol, with points in this order, and back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Codec(pub Coordinates);

/// Why a point is not a move. The game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointError {
    /// The game is not played on squares.
    #[error("this game has no points to play on")]
    NoPoints,
    /// The point is not on the board.
    #[error("illegal move: {0} is not on the board of size {1}")]
    OffBoard(Point, Grid),
    /// The point does not stand for a move.
    #[error("illegal move {0}: {1}")]
    Text(Point, GameError),
    /// The move is illegal.
    #[error("illegal move {0}: {1}")]
    Illegal(Point, IllegalMove),
}

impl Codec {
    /// Returns the point of a cell.
    pub fn point(self, grid: Grid, cell: Cell) -> Point {
        Point::on_board(self.0, grid.column(cell), grid.row(cell), grid.rows())
    }

    /// Returns the cell of a point.
    ///
    /// # Errors
    /// The point is not on the board.
    pub fn cell(self, grid: Grid, point: Point) -> Result<Cell, PointError> {
        let (column, row) = point.column_and_row(self.0, grid.rows());
        grid.get(column, row).ok_or(PointError::OffBoard(point, grid))
    }

    /// Returns the move of a point: a stone, with the sign `+` for each capture that needs one. It need
    /// not be legal.
    ///
    /// # Errors
    /// The point is not on the board, or its text is not a move.
    pub fn parse_move(self, game: &Game, point: Point) -> Result<Move, PointError> {
        let grid = game.grid().ok_or(PointError::NoPoints)?;
        let label = grid.label(self.cell(grid, point)?);
        game.parse_move(&label).map_err(|error| PointError::Text(point, error))
    }

    /// Returns the point of a move, if the point alone identifies the move.
    pub fn point_of(self, game: &Game, mv: Move) -> Option<Point> {
        let (grid, cell) = (game.grid()?, mv.cell()?);
        let point = self.point(grid, cell);
        (self.parse_move(game, point) == Ok(mv)).then_some(point)
    }

    /// Returns the points of the moves that place a stone.
    pub fn points(self, grid: Grid, moves: &[Move]) -> Vec<Point> {
        moves.iter().filter_map(|mv| mv.cell()).map(|cell| self.point(grid, cell)).collect()
    }

    /// Plays a stone.
    ///
    /// # Errors
    /// The point is not a legal move; the game is unchanged.
    pub fn play(self, game: &mut Game, point: Point) -> Result<Move, PointError> {
        let mv = self.parse_move(game, point)?;
        game.check_move(mv).map_err(|reason| PointError::Illegal(point, reason))?;
        game.play_move(mv).map_err(|error| PointError::Text(point, error))?;
        Ok(mv)
    }
}

/// The numbers of `INFO rule` and their games. Rule 2 of Gomocup, several games on one board, is no
/// longer in use.
const RULES: [(i64, &str); 5] =
    [(0, "gomoku"), (1, "gomoku-standard"), (4, "renju"), (8, "caro"), (9, "caro-standard")];

/// The number of `INFO rule` is not a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 0, 1, 4, 8 or 9")]
pub struct UnknownRule;

/// The protocol cannot express the moves of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{rules}` cannot be played over Gomocup's protocol, which knows {known}")]
pub struct UnsupportedGame {
    rules: String,
    known: &'static str,
}

/// Returns the game of a number of `INFO rule`.
///
/// # Errors
/// The number is not a game.
pub fn rules(number: i64) -> Result<Ruleset, UnknownRule> {
    let row = RULES.iter().find(|(known, _)| *known == number);
    row.and_then(|(_, name)| name.parse().ok()).ok_or(UnknownRule)
}

/// Returns the number of a game that is nearest to an unknown number. Bit 1, several games on one board,
/// is ignored.
pub(crate) fn nearest_rule(number: i64) -> i64 {
    const SEVERAL_GAMES: i64 = 2;
    let wanted = if number > 0 { number & !SEVERAL_GAMES } else { number };
    let known = RULES.iter().map(|&(known, _)| known);
    known.min_by_key(|known| known.abs_diff(wanted)).unwrap_or(0)
}

/// Returns the `INFO` that selects a game: by number if there is one, regardless of the size, else by
/// name. Swap2 is not part of it.
pub fn rule_info(wanted: &Ruleset) -> Info {
    let size = wanted.squares().map_or(String::new(), |board| format!("size={}", board.grid));
    let is_wanted = |name: &str| {
        let rules = name.parse::<Ruleset>().and_then(|rules| rules.with(&size));
        rules.is_ok_and(|rules| {
            rules == *wanted || rules.with("swap2").is_ok_and(|rules| rules == *wanted)
        })
    };
    match RULES.into_iter().find(|(_, name)| is_wanted(name)) {
        Some((number, _)) => Info::Number(InfoKey::Rule, number),
        None => Info::Variant(wanted.to_string()),
    }
}

/// Returns the command that starts a game on a board.
pub fn start_command(grid: Grid) -> Command {
    let (columns, rows) = (grid.columns().into(), grid.rows().into());
    if columns == rows {
        Command::Start { columns, rows }
    } else {
        Command::RectStart { columns, rows }
    }
}

/// Returns the board of a game that the protocol can express.
///
/// # Errors
/// The moves are not points placed by two players, or the opening has another choice than swap2.
pub(crate) fn supported_board(rules: &Ruleset) -> Result<&SquareBoardRules, UnsupportedGame> {
    let known = match rules.board() {
        BoardRules::Tiles(_) => "points only",
        BoardRules::Hexes(_) => "squares only",
        BoardRules::Squares(_) if rules.seating().seats != 2 => "two players only",
        BoardRules::Squares(board) if board.swap.is_some_and(|swap| swap != SwapRule::Swap2) => {
            "of all openings with a choice swap2 only"
        }
        BoardRules::Squares(board) => return Ok(board),
    };
    Err(UnsupportedGame { rules: rules.to_string(), known })
}

/// Returns `supported_board` for a manager, which in addition cannot express a turn of several stones.
///
/// # Errors
/// Those of `supported_board`, or a turn has several stones.
pub fn managed_board(rules: &Ruleset) -> Result<&SquareBoardRules, UnsupportedGame> {
    let board = supported_board(rules)?;
    if rules.seating().double_turns {
        return Err(UnsupportedGame { rules: rules.to_string(), known: "one stone a turn only" });
    }
    Ok(board)
}

/// The value of `time_left` in a game without a clock.
const NO_CLOCK: i64 = 2_147_483_647;

/// The time for a move that is "as fast as possible".
const MIN_MOVE_TIME: Duration = Duration::from_millis(10);

/// The limits that a manager sets for the moves of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameLimits {
    /// Time for each move; zero means as fast as possible.
    pub turn: Option<Duration>,
    /// Time for the whole game.
    pub game: Option<Duration>,
    /// Time left for the game.
    pub left: Option<Duration>,
    /// Time that each move adds.
    pub increment: Duration,
    /// The maximum depth, in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes for each move.
    pub nodes: Option<u64>,
}

/// A number of `INFO` is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("INFO {key} {number}: expected {min} or more")]
pub struct InfoValueError {
    /// The key.
    pub key: InfoKey,
    /// The number.
    pub number: i64,
    /// The smallest valid number.
    pub min: u64,
}

impl InfoValueError {
    /// Returns a number that must not be negative.
    fn natural(key: InfoKey, number: i64) -> Result<u64, InfoValueError> {
        u64::try_from(number).map_err(|_| InfoValueError { key, number, min: 0 })
    }
}

/// Returns `INFO time_left` for a clock, or for a game without one.
pub fn time_left_info(clock: Option<Clock>) -> Info {
    Info::Number(InfoKey::TimeLeft, clock.map_or(NO_CLOCK, |clock| millis(clock.left)))
}

impl GameLimits {
    /// Sets a limit; ignores keys that limit nothing.
    ///
    /// # Errors
    /// The number is out of range.
    pub fn set(&mut self, key: InfoKey, number: i64) -> Result<(), InfoValueError> {
        let time = || InfoValueError::natural(key, number).map(Duration::from_millis);
        // Managers send numbers below 1 for no limit.
        let count = u64::try_from(number).ok().filter(|&count| count > 0);
        match key {
            InfoKey::TimeoutTurn => self.turn = Some(time()?),
            InfoKey::TimeoutMatch => {
                self.game = Some(time()?).filter(|time| !time.is_zero());
                self.left = self.game;
            }
            InfoKey::TimeLeft if number == NO_CLOCK => self.left = None,
            InfoKey::TimeLeft => {
                self.left = Some(Duration::from_millis(u64::try_from(number).unwrap_or(0)));
            }
            InfoKey::TimeIncrement => self.increment = time()?,
            InfoKey::MaxDepth => {
                self.depth = count.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
            }
            InfoKey::MaxNode => self.nodes = count,
            _ => {}
        }
        Ok(())
    }

    /// Returns the `INFO`s that a manager sends before a game.
    pub fn infos(&self) -> Vec<Info> {
        let number = |key, value: Option<i64>| value.map(|value| Info::Number(key, value));
        let increment = Some(self.increment).filter(|time| !time.is_zero());
        let nodes = self.nodes.map(|nodes| i64::try_from(nodes).unwrap_or(i64::MAX));
        let infos = [
            number(InfoKey::TimeoutTurn, self.turn.map(millis)),
            number(InfoKey::TimeoutMatch, Some(self.game.map_or(0, millis))),
            number(InfoKey::TimeIncrement, increment.map(millis)),
            number(InfoKey::MaxDepth, self.depth.map(i64::from)),
            number(InfoKey::MaxNode, nodes),
        ];
        infos.into_iter().flatten().collect()
    }

    /// Resets the clock for a new game.
    pub fn restart(&mut self) {
        self.left = self.game;
    }

    /// Subtracts the time of a search from the clock, for managers that do not send `time_left`.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.map(|left| left.saturating_sub(time));
    }

    /// Adds the increment after an answer, which may have taken several searches.
    pub(crate) fn end_move(&mut self) {
        self.left = self.left.map(|left| left.saturating_add(self.increment));
    }

    /// Returns the limits of the next search; none if the manager has set none.
    pub(crate) fn next_search(&self) -> Limits {
        let clock =
            self.left.map(|left| Clock { left, increment: self.increment, moves_to_go: None });
        Limits {
            clock,
            move_time: self.turn.map(|turn| turn.max(MIN_MOVE_TIME)),
            depth: self.depth,
            nodes: self.nodes,
            ..Limits::default()
        }
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// Why a list of stones is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoneListError {
    /// Only renju has points without an owner.
    #[error("{0},3: games do not go on after a win")]
    Neither(Point),
    /// A stone has no owner.
    #[error("{0}: expected 1 or 2 after the point")]
    NoOwner(Point),
    /// The stones are not in the order of the moves, which the captures depend on.
    #[error("the stones must come in the order of the moves, the players in turn")]
    Order,
    /// The numbers of stones are not those of players who take turns.
    #[error("{own} own stones and {opponent} of the opponent cannot be")]
    Count {
        /// The number of stones of the brain.
        own: usize,
        /// The number of stones of its opponent.
        opponent: usize,
    },
    /// A stone, numbered from 1, cannot be placed.
    #[error("stone {0}: {1}")]
    Stone(usize, PointError),
}

/// Returns the lines of `BOARD` with stones in the order of the moves; the next move is the brain's.
pub fn board_commands(points: &[Point]) -> Vec<Command> {
    let next = points.len() % 2;
    let stones = points.iter().enumerate().map(|(index, &point)| {
        let owner = if index % 2 == next { Owner::Own } else { Owner::Opponent };
        Command::Stone(Stone { point, owner: Some(owner) })
    });
    [Command::Board].into_iter().chain(stones).chain([Command::Done]).collect()
}

/// Returns whether it is the brain's turn after these stones.
pub(crate) fn is_own_turn(list: &[Stone]) -> bool {
    let count = |owner| list.iter().filter(|stone| stone.owner == Some(owner)).count();
    let (own, opponent) = (count(Owner::Own), count(Owner::Opponent));
    own == opponent || own + 1 == opponent
}

impl Codec {
    /// Returns the game with the stones of `BOARD` or `YXBOARD`.
    ///
    /// In games with captures the stones must be in the order of the moves. In others they may be in any
    /// order, as managers of gomoku do not keep it; the players then take turns in the order of their
    /// stones.
    ///
    /// # Errors
    /// The list is not a game.
    pub fn game(self, start: &Game, list: &[Stone]) -> Result<Game, StoneListError> {
        let stones = stones_with_owners(start.rules(), list)?;
        let stones = if alternate(&stones) {
            stones
        } else if start.rules().squares().is_some_and(|board| board.capture.is_some()) {
            return Err(StoneListError::Order);
        } else {
            in_turn(&stones)?
        };
        self.place(start, stones.into_iter().map(|(point, _)| point))
    }

    /// Returns the game with stones that the players placed in turn.
    ///
    /// # Errors
    /// A stone cannot be placed.
    pub fn place(
        self,
        start: &Game,
        points: impl IntoIterator<Item = Point>,
    ) -> Result<Game, StoneListError> {
        let mut game = start.clone();
        for (point, number) in points.into_iter().zip(1..) {
            self.play(&mut game, point).map_err(|error| StoneListError::Stone(number, error))?;
        }
        Ok(game)
    }
}

/// Returns the stones with their owners, without the forbidden points of renju.
fn stones_with_owners(
    rules: &Ruleset,
    list: &[Stone],
) -> Result<Vec<(Point, Owner)>, StoneListError> {
    let mut stones = Vec::new();
    for &Stone { point, owner } in list {
        match owner {
            Some(Owner::Neither) if rules.to_string().starts_with("renju") => {}
            Some(Owner::Neither) => return Err(StoneListError::Neither(point)),
            Some(owner) => stones.push((point, owner)),
            None => return Err(StoneListError::NoOwner(point)),
        }
    }
    Ok(stones)
}

fn alternate(stones: &[(Point, Owner)]) -> bool {
    stones.windows(2).all(|pair| matches!(pair, [(_, a), (_, b)] if a != b))
}

/// Reorders the stones so that the players take turns.
fn in_turn(stones: &[(Point, Owner)]) -> Result<Vec<(Point, Owner)>, StoneListError> {
    let of = |owner| stones.iter().copied().filter(move |stone| stone.1 == owner);
    let (own, opponent): (Vec<_>, Vec<_>) =
        (of(Owner::Own).collect(), of(Owner::Opponent).collect());
    let (first, second) =
        if own.len() >= opponent.len() { (&own, &opponent) } else { (&opponent, &own) };
    if first.len() - second.len() > 1 {
        return Err(StoneListError::Count { own: own.len(), opponent: opponent.len() });
    }
    let mut rest = second.iter();
    Ok(first.iter().flat_map(|stone| [Some(stone), rest.next()]).flatten().copied().collect())
}

/// Why an opening, or an answer to one, is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// The game does not have this opening.
    #[error("SWAP2BOARD: {0}")]
    Rules(VariantSpecError),
    /// The number of stones is not one of this opening.
    #[error("SWAP2BOARD: expected 0, 3 or 5 stones, found {0}")]
    Count(usize),
    /// A stone cannot be placed.
    #[error(transparent)]
    Stone(#[from] StoneListError),
    /// The answer is not possible now.
    #[error("`{0}` is no answer in this opening")]
    Answer(String),
    /// A stone of an answer cannot be placed.
    #[error(transparent)]
    Point(#[from] PointError),
}

/// Returns whether `SWAP2BOARD` asks for the next moves: the first three stones, or a choice.
pub fn is_swap2_turn(game: &Game) -> bool {
    let opens = || game.rules().with("swap2").is_ok_and(|rules| rules == *game.rules());
    (game.ply() == 0 && opens()) || is_choice(game)
}

/// Returns whether the seat to move must choose a color.
fn is_choice(game: &Game) -> bool {
    game.check_move(MoveKind::Swap.into()).is_ok()
}

impl Codec {
    /// Returns the opening of a game with none, three or five stones on the board.
    ///
    /// # Errors
    /// The rules or the stones do not fit the opening.
    pub fn opening(self, rules: &Ruleset, points: &[Point]) -> Result<Game, OpeningError> {
        let rules = rules.with("swap2").map_err(OpeningError::Rules)?;
        if ![0, 3, 5].contains(&points.len()) {
            return Err(OpeningError::Count(points.len()));
        }
        let mut game = Game::new(rules);
        for (&point, number) in points.iter().zip(1..) {
            if number == 4 {
                let more = game.play_move(MoveKind::More.into());
                more.map_err(|error| OpeningError::Answer(error.to_string()))?;
            }
            self.play(&mut game, point).map_err(|error| StoneListError::Stone(number, error))?;
        }
        Ok(game)
    }

    /// Returns the moves of an answer to `SWAP2BOARD`, or to a request for one move. The last one need not
    /// be legal.
    ///
    /// # Errors
    /// The answer is not possible now.
    pub fn moves(self, game: &Game, answer: &Response) -> Result<Vec<Move>, OpeningError> {
        let wrong = || OpeningError::Answer(answer.to_string());
        let points = match answer {
            Response::Moves(points) if !points.is_empty() => points.as_slice(),
            Response::Swap => &[],
            _ => return Err(wrong()),
        };
        let choice = match (is_choice(game), points.len()) {
            (false, 1) => None,
            (false, 3) if is_swap2_turn(game) => None,
            (true, 2) if game.check_move(MoveKind::More.into()).is_ok() => Some(MoveKind::More),
            (true, 0 | 1) => Some(choice(game, points.is_empty()).ok_or_else(wrong)?),
            _ => return Err(wrong()),
        };
        let mut game = game.clone();
        let mut moves = Vec::new();
        if let Some(choice) = choice {
            game.play_move(choice.into()).map_err(|_| wrong())?;
            moves.push(choice.into());
        }
        for &point in points {
            let mv = self.parse_move(&game, point)?;
            moves.push(mv);
            if game.play_move(mv).is_err() {
                break;
            }
        }
        Ok(moves)
    }
}

/// Returns the answer for the moves of a seat in an opening that place these stones. A seat that
/// places none takes the color that does not move next.
pub(crate) fn opening_answer(stones: Vec<Point>) -> Response {
    if stones.is_empty() { Response::Swap } else { Response::Moves(stones) }
}

/// Returns the choice after which the opponent is to move, or the chooser again.
fn choice(game: &Game, opponent_moves: bool) -> Option<MoveKind> {
    let seat = game.to_move();
    [MoveKind::Swap, MoveKind::Keep].into_iter().find(|&kind| {
        let mut game = game.clone();
        game.play_move(kind.into()).is_ok() && (game.to_move() != seat) == opponent_moves
    })
}

impl Codec {
    /// Returns a report on a position as the text of a `MESSAGE`:
    /// `depth 7-12 ev 37 n 1234 n/ms 99 tm 12 pv 7,7 8,8`, with `multipv 2` after the depth for other ranks
    /// than the first.
    ///
    /// The protocol does not specify a form. This is the one of Rapfi's mode `ucilike`, which clients of Rapfi
    /// read, <https://github.com/dhbloo/rapfi>, `Rapfi/search/searchoutput.cpp`. [`Codec::report`] reads
    /// Rapfi's other form too, which has bars between the fields.
    pub fn message(self, game: &Game, report: &Report) -> String {
        let rank =
            if report.multipv > 1 { format!("multipv {} ", report.multipv) } else { String::new() };
        let Report { depth, seldepth, nodes, .. } = report;
        let (speed, time) = (report.nps() / 1000, report.time.as_millis());
        let (value, pv) = (value_text(report.score), self.line_text(game, report));
        format!(
            "depth {depth}-{seldepth} {rank}ev {value} n {nodes} n/ms {speed} tm {time} pv {pv}"
        )
    }

    /// Returns the text of the `MESSAGE` at the end of a search, in Rapfi's form:
    /// `Speed 99K | Depth 7-12 | Eval 37 | Node 1234 | Time 12ms`.
    pub(crate) fn summary(report: &Report) -> String {
        let Report { depth, seldepth, nodes, .. } = *report;
        let speed = match report.nps() {
            nps if nps < 100_000 => nps.to_string(),
            nps => format!("{}K", nps / 1000),
        };
        let nodes = if nodes < 10_000 { nodes.to_string() } else { format!("{}K", nodes / 1000) };
        let (value, time) = (value_text(report.score), report.time.as_millis());
        format!(
            "Speed {speed} | Depth {depth}-{seldepth} | Eval {value} | Node {nodes} | Time {time}ms"
        )
    }

    /// Returns the fields of a line that Rapfi sends with `INFO show_detail 2`, of which `lines` are sent.
    pub(crate) fn details(self, game: &Game, report: &Report, lines: u32) -> Vec<String> {
        vec![
            format!("PV {}", report.multipv.saturating_sub(1)),
            format!("NUMPV {lines}"),
            format!("DEPTH {}", report.depth),
            format!("SELDEPTH {}", report.seldepth),
            format!("NODES {}", report.move_nodes),
            format!("TOTALNODES {}", report.nodes),
            format!("TOTALTIME {}", report.time.as_millis()),
            format!("SPEED {}", report.nps()),
            format!("EVAL {}", value_text(report.score)),
            format!("WINRATE {:.6}", report.score.win_probability()),
            format!("BESTLINE {}", self.line_text(game, report)),
            "PV DONE".to_owned(),
        ]
    }

    /// Returns the points of the principal variation.
    fn line_text(self, game: &Game, report: &Report) -> String {
        let line: Vec<_> = report.pv.iter().map(|&mv| self.move_text(game, mv)).collect();
        line.join(" ")
    }

    /// Parses a report on a position; `None` without a score. Other missing fields are zero, and the
    /// principal variation ends before the first word that is not a legal move.
    pub fn report(self, game: &Game, message: &str) -> Option<Report> {
        let (mut multipv, message) = rank(message);
        let mut words = message.split([' ', '|', ',']).filter(|word| !word.is_empty());
        let (mut depth, mut seldepth, mut nodes, mut time) = (0, 0, 0, Duration::ZERO);
        let mut score = None;
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_str() {
                "depth" => (depth, seldepth) = words.next().and_then(depths).unwrap_or_default(),
                "eval" | "ev" => score = parse_score(words.next()?, || words.next()),
                "multipv" => multipv = words.next().and_then(|rank| rank.parse().ok()).unwrap_or(1),
                "node" | "nodes" | "n" => nodes = words.next().and_then(count).unwrap_or(0),
                "time" | "tm" => time = words.next().and_then(parse_time).unwrap_or_default(),
                _ => {}
            }
        }
        let pv = self.line(game, message);
        let bound = Bound::Exact;
        Some(Report {
            depth,
            seldepth,
            multipv,
            score: score?,
            bound,
            nodes,
            move_nodes: nodes,
            time,
            hashfull: 0,
            pv,
        })
    }

    /// Adds a `MESSAGE` to those of the same search, if it is a report.
    pub fn accumulate(self, game: &Game, message: &str, accumulator: &mut InfoAccumulator) {
        if let Some(report) = self.report(game, message) {
            accumulator.add(report);
        }
    }

    /// Returns the text of a move: its point, or its canonical text if it has none.
    pub fn move_text(self, game: &Game, mv: Move) -> String {
        match (mv.cell(), game.grid()) {
            (Some(cell), Some(grid)) => self.point(grid, cell).to_string(),
            _ => game.move_text(mv),
        }
    }

    /// Returns the legal moves after `pv`, or after the last bar.
    fn line(self, game: &Game, message: &str) -> Vec<Move> {
        let words = message.split_once(" pv ").or_else(|| message.rsplit_once('|'));
        let (_, words) = words.unwrap_or_default();
        let mut game = game.clone();
        let play = |word: &str| self.play_word(&mut game, word);
        words.split_whitespace().map_while(play).collect()
    }

    fn play_word(self, game: &mut Game, word: &str) -> Option<Move> {
        let Some((x, y)) = word.split_once(',') else {
            // A choice, or a point in the notation of Rapfi's messages.
            return game.play(&word.to_ascii_lowercase()).ok();
        };
        self.play(game, Point::new(x.parse().ok()?, y.parse().ok()?)).ok()
    }
}

/// Returns a score as Rapfi writes it: `37`, `+M5` for a win in five plies, `-M4` for a loss in four.
fn value_text(score: Score) -> String {
    match score.mate() {
        None => score.value().to_string(),
        Some(plies) if plies > 0 => format!("+M{plies}"),
        Some(plies) => format!("-M{}", plies.unsigned_abs()),
    }
}

/// Returns the rank of a message such as `(2) depth 3`, from 1, and the rest of the message.
fn rank(message: &str) -> (u32, &str) {
    let ranked = message.trim_start().strip_prefix('(').and_then(|rest| {
        let (number, rest) = rest.split_once(')')?;
        Some((number.parse().ok()?, rest))
    });
    ranked.unwrap_or((1, message))
}

/// Parses `12-18`, or one number for both.
fn depths(text: &str) -> Option<(u32, u32)> {
    let (depth, deepest) = text.split_once('-').unwrap_or((text, text));
    Some((depth.parse().ok()?, deepest.parse().ok()?))
}

/// Parses `55`, `mate -4` or `-M4`, where the last two are a loss in four plies.
fn parse_score<'a>(text: &'a str, mut next: impl FnMut() -> Option<&'a str>) -> Option<Score> {
    let mate = |plies: u32, is_loss: bool| {
        if is_loss { Score::loss_in(plies) } else { Score::win_in(plies) }
    };
    if text.eq_ignore_ascii_case("mate") {
        let plies: i32 = next()?.parse().ok()?;
        return Some(mate(plies.unsigned_abs(), plies <= 0));
    }
    if let Some((sign, plies)) = text.split_once(['M', 'm']) {
        return Some(mate(plies.parse().ok()?, sign == "-"));
    }
    text.parse().ok().map(Score::points)
}

/// Parses `1234`, or `12K` and similar.
fn count(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => 1,
        "K" | "k" => 1_000,
        "M" => 1_000_000,
        "G" | "B" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// Parses `1234`, `1234ms`, `12s` or `3min`.
fn parse_time(text: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "ms" => 1,
        "s" => 1_000,
        "min" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    Some(Duration::from_millis(digits.parse::<u64>().ok()?.checked_mul(unit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const XY: Codec = Codec(Coordinates::Xy);
    const YX: Codec = Codec(Coordinates::Yx);

    #[test]
    fn points_and_cells() {
        let grid = Grid::new(15, 10).unwrap();
        for (x, y, label) in [(0, 0, "a10"), (14, 9, "o1"), (3, 7, "d3")] {
            let cell = XY.cell(grid, Point::new(x, y)).unwrap();
            assert_eq!(grid.label(cell), label);
            assert_eq!(YX.cell(grid, Point::new(y, x)), Ok(cell));
            assert_eq!(XY.point(grid, cell), Point::new(x, y));
            assert_eq!(YX.point(grid, cell), Point::new(y, x));
        }
        for (x, y) in [(-1, -1), (15, 0), (0, 10), (i32::MIN, i32::MIN), (i32::MAX, i32::MAX)] {
            assert!(XY.cell(grid, Point::new(x, y)).is_err(), "{x},{y}");
        }
    }

    #[test]
    fn points_of_moves_are_read_as_they_are_written() {
        let mut game = Game::new("plus-minus-pente".parse().unwrap());
        for text in ["j10", "k10", "a1", "l10"] {
            game.play(text).unwrap();
        }
        for &mv in &game.legal_moves() {
            let point = XY.point_of(&game, mv).unwrap();
            assert_eq!(XY.parse_move(&game, point), Ok(mv));
        }
        assert_eq!(XY.points(game.grid().unwrap(), &game.moves()).len(), 4);
        let neutral = Game::new("neutral-pente".parse().unwrap());
        let mv = neutral.parse_move("N@a1").unwrap();
        assert_eq!(XY.point_of(&neutral, mv), None);
    }

    #[test]
    fn games_are_read_as_they_are_written() {
        for spec in ["gomoku", "gomoku-standard+size=20x10", "renju", "caro-standard", "pente"] {
            let wanted: Ruleset = spec.parse().unwrap();
            let read = match rule_info(&wanted) {
                Info::Number(InfoKey::Rule, number) => rules(number).unwrap(),
                Info::Variant(spec) => spec.parse().unwrap(),
                other => panic!("{other}"),
            };
            let size = format!("size={}", wanted.squares().unwrap().grid);
            assert_eq!(read.with(&size).unwrap(), wanted);
        }
        assert_eq!(rule_info(&"gomoku+swap2".parse().unwrap()), Info::Number(InfoKey::Rule, 0));
    }

    #[test]
    fn errors_about_numbers_list_the_known_ones() {
        for number in [2, 3, 5, -1, i64::MAX] {
            let message = rules(number).unwrap_err().to_string();
            assert!(RULES.iter().all(|(known, _)| message.contains(&known.to_string())));
        }
    }

    #[test]
    fn unsupported_games() {
        for (spec, known) in [
            ("pent-up", "points only"),
            ("yavalath", "squares only"),
            ("pente-3", "two players"),
            ("d-pente", "swap2 only"),
        ] {
            let error = supported_board(&spec.parse().unwrap()).unwrap_err().to_string();
            assert!(error.contains(known), "{error}");
        }
        assert_eq!(supported_board(&"swap2-pente".parse().unwrap()).map(drop), Ok(()));
        let connect6 = "connect6".parse().unwrap();
        assert!(supported_board(&connect6).is_ok() && managed_board(&connect6).is_err());
    }

    #[test]
    fn limits_are_read_as_they_are_written() {
        let time = |millis| Some(Duration::from_millis(millis));
        let none = GameLimits::default();
        for limits in [
            none,
            GameLimits { turn: time(500), ..none },
            GameLimits { turn: time(0), depth: Some(7), ..none },
            GameLimits {
                game: time(9000),
                left: time(9000),
                increment: Duration::from_millis(20),
                ..none
            },
            GameLimits { nodes: Some(100_000), ..none },
        ] {
            let mut read = none;
            for info in limits.infos() {
                let Info::Number(key, number) = info else { panic!("{info}") };
                read.set(key, number).unwrap();
            }
            assert_eq!(read, limits);
        }
    }

    #[test]
    fn clocks_are_read_as_they_are_written() {
        for left in [None, Some(Duration::ZERO), Some(Duration::from_millis(1234))] {
            let clock = left.map(|left| Clock { left, increment: left, moves_to_go: None });
            let Info::Number(key, number) = time_left_info(clock) else { panic!("no number") };
            let mut read = GameLimits { left: Some(Duration::MAX), ..GameLimits::default() };
            read.set(key, number).unwrap();
            assert_eq!(read.left, left);
        }
    }

    const X: Option<Owner> = Some(Owner::Own);
    const O: Option<Owner> = Some(Owner::Opponent);

    fn start(spec: &str) -> Game {
        Game::new(spec.parse().unwrap())
    }

    fn read(spec: &str, stones: &[(i32, i32, Option<Owner>)]) -> Result<Vec<String>, String> {
        let stone = |&(x, y, owner)| Stone { point: Point::new(x, y), owner };
        let list: Vec<_> = stones.iter().map(stone).collect();
        let game = Codec::default().game(&start(spec), &list).map_err(|error| error.to_string())?;
        Ok(game.moves().into_iter().map(|mv| game.move_text(mv)).collect())
    }

    #[test]
    fn stones_in_order_are_moves() {
        let moves = [(7, 7, X), (8, 7, O), (7, 8, X), (9, 9, O)];
        assert_eq!(read("gomoku", &moves).unwrap(), ["h8", "i8", "h7", "j6"]);
        // White's two stones are captured, and a point of them is played again.
        let moves = [(9, 9, O), (10, 9, X), (8, 8, O), (11, 9, X), (12, 9, O), (10, 9, X)];
        assert_eq!(read("pente", &moves).unwrap().len(), 6);
    }

    #[test]
    fn stones_in_any_order_are_played_in_turn_where_nothing_is_captured() {
        let heap = [(7, 7, X), (7, 8, X), (8, 7, O), (9, 9, O)];
        assert_eq!(read("gomoku", &heap).unwrap(), ["h8", "i8", "h7", "j6"]);
        let heap = [(7, 7, X), (8, 7, O), (9, 9, O)];
        assert_eq!(read("gomoku", &heap).unwrap(), ["i8", "h8", "j6"]);
        assert!(read("pente", &heap).unwrap_err().contains("order"));
        let heap = [(7, 7, O), (8, 7, O), (9, 9, O)];
        assert!(read("gomoku", &heap).unwrap_err().contains("cannot be"));
    }

    #[test]
    fn whose_turn_it_is() {
        let list = |owners: &[Option<Owner>]| -> Vec<Stone> {
            owners.iter().map(|&owner| Stone { point: Point::new(0, 0), owner }).collect()
        };
        for (owners, own) in [
            (&[][..], true),
            (&[O], true),
            (&[X], false),
            (&[X, O], true),
            (&[O, O], false),
            (&[O, X, O], true),
        ] {
            assert_eq!(is_own_turn(&list(owners)), own, "{owners:?}");
        }
    }

    #[test]
    fn invalid_lists() {
        for (stones, message) in [
            (&[(7, 7, X), (7, 7, O)][..], "stone 2: illegal move 7,7: the point is occupied"),
            (&[(7, 15, O)], "stone 1: illegal move: 7,15 is not on the board of size 15"),
            (&[(7, 7, None)], "expected 1 or 2"),
            (&[(7, 7, Some(Owner::Neither))], "7,7,3"),
        ] {
            assert!(read("gomoku", stones).unwrap_err().contains(message), "{message}");
        }
    }

    #[test]
    fn lists_are_read_as_they_are_written() {
        let codec = Codec::default();
        let mut game = start("pente");
        for text in ["j10", "k10", "m10", "l10"] {
            let grid = game.grid().unwrap();
            let mut list = Vec::new();
            for command in board_commands(&codec.points(grid, &game.moves())) {
                if let Command::Stone(stone) = command {
                    list.push(stone);
                }
            }
            assert!(is_own_turn(&list));
            assert_eq!(codec.game(&start("pente"), &list).unwrap().text(), game.text());
            game.play(text).unwrap();
        }
    }

    /// Covers every path through the opening.
    #[test]
    fn answers_are_read_as_they_are_written() {
        let codec = Codec::default();
        let three = ["h8", "i8", "h9"];
        let place = |words: &[&str]| {
            let mut game = Game::new("gomoku+swap2".parse().unwrap());
            for word in words {
                game.play(word).unwrap();
            }
            game
        };
        for (before, played) in [
            (&[][..], &three[..]),
            (&three, &["swap"]),
            (&three, &["keep", "a1"]),
            (&three, &["more", "a1", "b1"]),
            (&["h8", "i8", "h9", "more", "a1", "b1"], &["keep"]),
            (&["h8", "i8", "h9", "more", "a1", "b1"], &["swap", "c1"]),
        ] {
            let game = place(before);
            assert!(is_swap2_turn(&game));
            let after = place(&[before, played].concat());
            let moves = after.moves().split_off(before.len());
            let stones = codec.points(game.grid().unwrap(), &moves);
            let answer = opening_answer(stones);
            assert_eq!(codec.moves(&game, &answer), Ok(moves), "{played:?}");
            // The question is read as the same game.
            let asked = codec.points(game.grid().unwrap(), &game.moves());
            let rules = "gomoku".parse().unwrap();
            assert_eq!(codec.opening(&rules, &asked).unwrap().text(), game.text());
        }
    }

    #[test]
    fn invalid_answers() {
        let codec = Codec::default();
        let plain = Game::new("gomoku".parse().unwrap());
        let points = |count| Response::Moves(vec![Point::new(7, 7); count]);
        for answer in [points(0), points(2), points(3), Response::Swap, Response::Ok] {
            assert!(codec.moves(&plain, &answer).is_err(), "{answer}");
        }
        assert_eq!(codec.moves(&plain, &points(1)).unwrap().len(), 1);
        let off = Response::Moves(vec![Point::new(44, 44)]);
        assert!(codec.moves(&plain, &off).unwrap_err().to_string().contains("not on the board"));
    }

    fn gomoku(moves: &[&str]) -> Game {
        let mut game = Game::new("gomoku".parse().unwrap());
        for text in moves {
            game.play(text).unwrap();
        }
        game
    }

    #[test]
    fn reports_are_read_as_they_are_written() {
        let game = gomoku(&["h8"]);
        let pv: Vec<_> = ["i8", "h9"].map(|text| game.parse_move(text).unwrap()).to_vec();
        let (win, loss) = (Score::win_in(5), Score::loss_in(4));
        for (score, multipv) in [(Score::points(-37), 1), (win, 2), (loss, 1), (Score::DRAW, 1)] {
            let (time, pv, bound) = (Duration::from_millis(1234), pv.clone(), Bound::Exact);
            let (depth, seldepth, nodes, hashfull) = (7, 12, 123_456, 0);
            let report = Report {
                depth,
                seldepth,
                multipv,
                score,
                bound,
                nodes,
                move_nodes: nodes,
                time,
                hashfull,
                pv,
            };
            for codec in [Codec(Coordinates::Xy), Codec(Coordinates::Yx)] {
                let message = codec.message(&game, &report);
                assert_eq!(codec.report(&game, &message), Some(report.clone()), "{message}");
            }
        }
    }

    #[test]
    fn messages_of_rapfi() {
        let codec = Codec::default();
        let game = gomoku(&["h8"]);
        let report = codec.report(&game, "Depth 12-18 | Eval 55 | Time 1500ms | I8 H9 H9").unwrap();
        assert_eq!((report.depth, report.seldepth, report.score), (12, 18, Score::points(55)));
        assert_eq!((report.time, report.pv.len()), (Duration::from_millis(1500), 2));
        let text = "Speed 810K | Depth 9-11 | Eval -M4 | Node 12M | Time 15s";
        let report = codec.report(&game, text).unwrap();
        assert_eq!((report.score, report.nodes), (Score::loss_in(4), 12_000_000));
        let report = codec.report(&game, "depth 8-9 ev +M7 n 42K n/ms 3 tm 7 pv I8").unwrap();
        assert_eq!((report.score, report.pv.len()), (Score::win_in(7), 1));
    }

    #[test]
    fn messages_of_a_search_are_combined() {
        let game = gomoku(&[]);
        let mut accumulator = InfoAccumulator::default();
        for message in [
            "hello",
            "Depth 3-5 | Eval 10 | Time 20ms | H8 H9",
            "(2) depth 4-6 eval 90 nodes 9000 nps 1 time 900 pv 0,0",
            "Speed 90K | Depth 4-6 | Eval -31 | Node 70 | Time 30ms",
        ] {
            Codec::default().accumulate(&game, message, &mut accumulator);
        }
        let report = accumulator.report().unwrap();
        assert_eq!((report.depth, report.score, report.nodes), (4, Score::points(-31), 70));
        assert_eq!((report.time.as_millis(), report.pv.len()), (30, 2));
    }

    #[test]
    fn other_messages_are_not_reports() {
        let game = gomoku(&[]);
        for text in ["", "hello", "eval", "Depth 3 | Eval x", "REALTIME VAL 3", "|", "((", "depth"]
        {
            assert_eq!(Codec::default().report(&game, text), None, "{text}");
        }
        let report = Codec::default().report(&game, "Depth x | Eval 3 | Node 1.5M").unwrap();
        assert_eq!((report.depth, report.nodes), (0, 0));
        let huge = Codec::default().report(&game, "eval mate -2147483648 pv 99,99 é,1").unwrap();
        assert_eq!((huge.score, huge.pv.len()), (Score::loss_in(u32::MAX), 0));
    }
}
