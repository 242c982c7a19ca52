//! GTP: names of games, boards and vertices, moves, clocks and reports.
//!
//! GTP was made for Go. It has two colors, vertices and `pass`, and most of its clients know only
//! these. A move that needs more is written in one of two ways: in *extended* texts with the words and
//! signs of the canonical ones (`swap`, `K10+-`, `N@K10`), or by vertices alone, where a stone on the
//! board represents a choice (see [`choice_points`]).

use super::InfoAccumulator;
use pentarch_core::board::{Grid, HexGrid};
use pentarch_core::game::{Cell, IllegalReason, Move, MoveKind, Outcome, Seat, Side};
use pentarch_core::rules::catalog::CATALOG;
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::search::{Bound, Report, Score};
use pentarch_engine::{Game, StoneTextError, TileTextError, choice_points, moves_at};
use pentarch_protocol::gtp::{
    AnalysisFormat, Color, Command, KataTime, MoveInfo, SyntaxError, Vertex,
};
use std::time::Duration;

/// Converts values of the engine to those of GTP, and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codec {
    /// Whether moves are printed in extended texts. Both forms are parsed.
    pub extended: bool,
}

/// Returns the command that selects a game.
pub fn set_game(rules: &Ruleset) -> Command {
    Command::SetGame(rules.to_string())
}

/// Returns the game that `set_game` selects.
///
/// # Errors
/// The name is not a game.
pub fn rules(name: &str) -> Result<Ruleset, VariantSpecError> {
    name.parse()
}

/// Returns the names of the games, for `list_games`.
pub fn games() -> impl Iterator<Item = &'static str> {
    CATALOG.iter().map(|row| row.name)
}

/// Returns the color of a seat. The first and third players are black in the protocol, regardless of the
/// color of their stones.
pub const fn color(seat: Seat) -> Color {
    if seat.0.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// Returns the color of a side.
pub const fn side_color(side: Side) -> Color {
    color(Seat(side.0))
}

/// Returns the answer to `final_score` in a finished game. GTP requires a margin, which is one point for
/// a win.
pub fn final_score(outcome: Outcome) -> &'static str {
    match outcome.winner.map(side_color) {
        None => "0",
        Some(Color::Black) => "B+1",
        Some(Color::White) => "W+1",
    }
}

/// A board whose cells are GTP's vertices.
#[derive(Clone, Copy, Debug)]
pub enum VertexBoard {
    /// A rectangle of points.
    Squares(Grid),
    /// Hexagons, on a square of vertices as wide as the longest row.
    Hexes(HexGrid),
}

/// Why a game cannot be played on a board of a size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// A hexagonal board has an odd longest row and as many rows; other boards of hexagons have a fixed
    /// size. With the length of the longest row.
    #[error("unacceptable size: the longest row has {0} cells")]
    Hexes(u32),
    /// The rules do not allow the size.
    #[error("unacceptable size: {0}")]
    Rules(#[from] VariantSpecError),
}

impl VertexBoard {
    /// Returns the board of a game; `None` for tiles on an unlimited table.
    pub fn of(game: &Game) -> Option<VertexBoard> {
        let squares = game.grid().map(VertexBoard::Squares);
        squares.or_else(|| game.hex_grid().map(VertexBoard::Hexes))
    }

    /// Returns the number of columns and rows of vertices.
    pub fn size(self) -> (u32, u32) {
        match self {
            VertexBoard::Squares(grid) => (grid.columns().into(), grid.rows().into()),
            VertexBoard::Hexes(grid) => (grid.longest_row().into(), grid.longest_row().into()),
        }
    }

    /// Returns the command that sets this size.
    pub fn boardsize(self) -> Command {
        let (columns, rows) = self.size();
        Command::BoardSize { columns, rows }
    }

    /// Returns the same rules on a board of another size; `None` if the size is that of this board.
    ///
    /// # Errors
    /// The rules do not allow the size.
    pub fn resized(
        self,
        rules: &Ruleset,
        columns: u32,
        rows: u32,
    ) -> Result<Option<Ruleset>, SizeError> {
        if self.has_size(columns, rows) {
            return Ok(None);
        }
        let modifier = match self {
            VertexBoard::Squares(_) if columns == rows => format!("size={columns}"),
            VertexBoard::Squares(_) => format!("size={columns}x{rows}"),
            VertexBoard::Hexes(_) if columns != rows || columns.is_multiple_of(2) => {
                return Err(SizeError::Hexes(self.size().0));
            }
            VertexBoard::Hexes(_) => format!("side={}", columns.div_ceil(2)),
        };
        Ok(Some(rules.with(&modifier)?))
    }

    /// Returns whether the board has a size. For hexagons, the number of rows of cells is accepted too.
    fn has_size(self, columns: u32, rows: u32) -> bool {
        let own_rows = match self {
            VertexBoard::Squares(_) => self.size().1,
            VertexBoard::Hexes(grid) => u32::from(grid.rows()),
        };
        columns == self.size().0 && (rows == own_rows || rows == self.size().1)
    }

    /// Returns whether the cells are hexagons.
    pub(crate) fn is_hex(self) -> bool {
        matches!(self, VertexBoard::Hexes(_))
    }

    /// Returns the cell of a vertex, if there is one.
    pub fn cell(self, vertex: Vertex) -> Option<Cell> {
        let index = |n: u32| i32::try_from(n).unwrap_or(-1);
        match self {
            VertexBoard::Squares(grid) => grid.get(index(vertex.column), index(vertex.row)),
            VertexBoard::Hexes(grid) => grid.at_skewed(vertex.row, vertex.column),
        }
    }

    /// Returns the vertex of a cell.
    pub fn vertex(self, cell: Cell) -> Vertex {
        match self {
            VertexBoard::Squares(grid) => {
                Vertex { column: grid.column(cell).into(), row: grid.row(cell).into() }
            }
            VertexBoard::Hexes(grid) => {
                Vertex { column: grid.skewed_column(cell).into(), row: grid.row(cell).into() }
            }
        }
    }

    /// Returns the vertices of cells of a game.
    pub fn vertices(game: &Game, cells: impl IntoIterator<Item = Cell>) -> Vec<Vertex> {
        let board = VertexBoard::of(game);
        cells.into_iter().filter_map(|cell| Some(board?.vertex(cell))).collect()
    }
}

/// Why a text is not a move of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is neither a vertex nor a word that is a move.
    #[error(transparent)]
    Vertex(#[from] SyntaxError),
    /// The vertex is outside the board.
    #[error("illegal move: {}", IllegalReason::OffBoard)]
    OffBoard,
    /// The text is not a move with stones.
    #[error("illegal move: {0}")]
    Stone(#[from] StoneTextError),
    /// The text is not a tile, such as the vertices of a client that knows nothing else.
    #[error("illegal move: {0}")]
    Tile(#[from] TileTextError),
}

/// Returns whether a move is written as a vertex or `pass`, which every client knows.
pub fn is_plain(mv: Move) -> bool {
    match mv.kind() {
        MoveKind::Neutral(_) | MoveKind::Bomb(_) | MoveKind::Power(..) => false,
        MoveKind::Signed(_, signs) => signs.longer[1] + signs.pairs[1] == 0,
        _ => true,
    }
}

/// Returns whether a move text uses Pentarch's extensions of GTP, such as `N@j10` or `swap`.
pub(crate) fn is_extended_move_text(text: &str) -> bool {
    let word = MoveKind::from_word(text).is_some_and(|kind| kind != MoveKind::Pass);
    word || text.contains(['@', '+', '-'])
}

/// Replaces the points of a sentence, such as `j10` or `N@j10`, by vertices.
pub(crate) fn with_vertices(sentence: &str) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while !rest.is_empty() {
        let is_part = |c: char| c.is_alphanumeric();
        let word = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        match vertex_of_label(&rest[..word]) {
            Some(vertex) => text += &vertex.to_string(),
            None => text += &rest[..word],
        }
        let between = rest[word..].find(is_part).map_or(rest.len(), |next| word + next);
        text += &rest[word..between];
        rest = &rest[between..];
    }
    text
}

/// Returns the vertex of a point in canonical notation: a lower-case letter, I included, and a row.
fn vertex_of_label(word: &str) -> Option<Vertex> {
    let letter = word.chars().next().filter(char::is_ascii_lowercase)?;
    let row: u32 = word[1..].parse().ok().filter(|row| (1..=99).contains(row))?;
    Some(Vertex { column: u32::from(letter) - u32::from('a'), row: row - 1 })
}

impl Codec {
    /// Returns the cell of a vertex.
    ///
    /// # Errors
    /// The text is not a vertex of the board.
    pub fn cell(self, game: &Game, text: &str) -> Result<Cell, MoveError> {
        let vertex = Vertex::parse(text)?;
        VertexBoard::of(game).and_then(|board| board.cell(vertex)).ok_or(MoveError::OffBoard)
    }

    /// Returns the moves of a text: one, or two if a stone implies that its player keeps the color. They
    /// need not be legal.
    ///
    /// # Errors
    /// The text is not a move.
    pub fn parse_move(self, game: &Game, text: &str) -> Result<Vec<Move>, MoveError> {
        let mv = game.parse_move_by(text, |point| self.cell(game, point))?;
        Ok(match mv.kind() {
            MoveKind::Stone(cell) => moves_at(game, cell),
            _ => vec![mv],
        })
    }

    /// Returns the text of a move. Without extended texts a choice is the vertex of the stone that
    /// represents it; `None` if there are fewer stones than choices.
    pub fn move_text(self, game: &Game, mv: Move) -> Option<String> {
        let board = VertexBoard::of(game);
        if mv.kind().word().is_some() && mv.kind() != MoveKind::Pass && !self.extended {
            let points = choice_points(game);
            let (cell, _) = points.into_iter().find(|&(_, kind)| kind == mv.kind())?;
            return Some(board?.vertex(cell).to_string());
        }
        let label = |cell| board.map_or_else(String::new, |board| board.vertex(cell).to_string());
        if let MoveKind::Signed(cell, _) = mv.kind()
            && is_plain(mv)
            && !self.extended
        {
            return Some(label(cell));
        }
        Some(game.move_text_by(mv, label))
    }

    /// Returns the texts of a line of moves, with the colors that make them.
    pub fn line(self, game: &Game, line: &[Move]) -> Vec<(Color, String)> {
        let mut game = game.clone();
        let mut texts = Vec::new();
        for &mv in line {
            let text = self.move_text(&game, mv).unwrap_or_else(|| game.move_text(mv));
            texts.push((color(game.to_move()), text));
            if game.play_move(mv).is_err() {
                break;
            }
        }
        texts
    }

    /// Returns the moves of a line before the first illegal one.
    pub fn parse_line(self, game: &Game, texts: &[String]) -> Vec<Move> {
        let mut ahead = game.clone();
        let mut moves = Vec::new();
        for text in texts {
            let Ok(read) = self.parse_move(&ahead, text) else { break };
            for mv in read {
                if ahead.play_move(mv).is_err() {
                    return moves;
                }
                moves.push(mv);
            }
        }
        moves
    }
}

/// The settings of a clock: a main time, then periods in which a number of moves must be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSettings {
    /// The time before the first period.
    pub main: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// The length of a period.
    pub period: Duration,
    /// The moves to make in a period; 0 without periods.
    pub stones: u32,
    /// The number of periods that the moves may use up, one after the other; 0 without periods.
    pub periods: u32,
    /// The most that the clock may show.
    pub cap: Option<Duration>,
    /// The most that a move may take.
    pub move_cap: Option<Duration>,
}

impl TimeSettings {
    /// Returns the settings of a command, an inner `None` for no limit and an outer one for commands that
    /// set no clock.
    #[expect(clippy::option_option, reason = "no limit differs from no settings")]
    pub(crate) fn from_command(command: &Command) -> Option<Option<TimeSettings>> {
        match *command {
            Command::TimeSettings { main_s, byo_yomi_s, stones } => {
                let millis = |seconds: u32| 1000 * u64::from(seconds);
                // A period without stones means no limit at all. Nobody plays without any time: programs send
                // only zeros if their user has set no time.
                let unlimited = stones == 0 && (byo_yomi_s > 0 || main_s == 0);
                let settings = TimeSettings::new(millis(main_s), 0, millis(byo_yomi_s), stones);
                Some((!unlimited).then_some(settings))
            }
            Command::KgsTimeSettings(kata) | Command::KataTimeSettings(kata) => {
                Some(TimeSettings::from_kata(kata))
            }
            _ => None,
        }
    }

    /// Converts `KataGo`'s settings. Periods of byo-yomi are periods of one move.
    fn from_kata(settings: KataTime) -> Option<TimeSettings> {
        Some(match settings {
            KataTime::None => return None,
            KataTime::Absolute { main } => TimeSettings::new(main, 0, 0, 0),
            KataTime::ByoYomi { main, period, periods } => {
                TimeSettings { periods, ..TimeSettings::new(main, 0, period, 1) }
            }
            KataTime::Canadian { main, period, stones } => {
                TimeSettings::new(main, 0, period, stones)
            }
            KataTime::Fischer { main, increment } => TimeSettings::new(main, increment, 0, 0),
            KataTime::FischerCapped { main, increment, cap, move_cap } => TimeSettings {
                cap: cap.map(Duration::from_millis),
                move_cap: move_cap.map(Duration::from_millis),
                ..TimeSettings::new(main, increment, 0, 0)
            },
        })
    }

    /// Creates settings from times in milliseconds.
    fn new(main: u64, increment: u64, period: u64, stones: u32) -> TimeSettings {
        let time = Duration::from_millis;
        let (main, increment, period) = (time(main), time(increment), time(period));
        let periods = u32::from(stones > 0);
        TimeSettings { main, increment, period, stones, periods, cap: None, move_cap: None }
    }

    /// Returns the command for engines that know `KataGo`'s extension, with decimals and increments.
    pub fn kata_command(self) -> Command {
        let (main, period) = (millis(self.main), millis(self.period));
        let increment = millis(self.increment);
        Command::KataTimeSettings(match self.stones {
            0 if self.cap.is_some() || self.move_cap.is_some() => {
                let (cap, move_cap) = (self.cap.map(millis), self.move_cap.map(millis));
                KataTime::FischerCapped { main, increment, cap, move_cap }
            }
            0 => KataTime::Fischer { main, increment },
            1 => KataTime::ByoYomi { main, period, periods: self.periods.max(1) },
            stones => KataTime::Canadian { main, period, stones },
        })
    }

    /// Returns the command for all other engines: in whole seconds, rounded up, without increments.
    pub fn standard_command(self) -> Command {
        let main_s = if self.main.is_zero() { 0 } else { whole_seconds(self.main) };
        let byo_yomi_s = if self.stones == 0 { 0 } else { whole_seconds(self.period) };
        Command::TimeSettings { main_s, byo_yomi_s, stones: self.stones }
    }
}

/// The time left of the main time, or of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// The time left.
    pub time: Duration,
    /// The moves to make in it; 0 in the main time.
    pub stones: u32,
}

impl TimeLeft {
    /// Returns the color and the time of the command `time_left`. A negative time, after the flag has
    /// fallen, becomes zero.
    pub(crate) fn from_command(command: &Command) -> Option<(Color, TimeLeft)> {
        let &Command::TimeLeft { color, milliseconds, stones } = command else { return None };
        let time = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
        Some((color, TimeLeft { time, stones }))
    }

    /// Returns the command for engines that understand decimals.
    pub fn kata_command(self, color: Color) -> Command {
        let milliseconds = i64::try_from(millis(self.time)).unwrap_or(i64::MAX);
        Command::TimeLeft { color, milliseconds, stones: self.stones }
    }

    /// Returns the command for all other engines: in whole seconds, rounded down.
    pub fn standard_command(self, color: Color) -> Command {
        TimeLeft { time: Duration::from_secs(self.time.as_secs()), ..self }.kata_command(color)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Rounds up, to at least one second: `time_settings 0 0 0` would mean no limit.
fn whole_seconds(time: Duration) -> u32 {
    (time.as_secs_f64().ceil() as u32).max(1)
}

impl Codec {
    /// Returns a report on a position as one on the first move of its principal variation.
    fn move_info(self, game: &Game, report: &Report) -> MoveInfo {
        let pv: Vec<_> = self.line(game, &report.pv).into_iter().map(|(_, mv)| mv).collect();
        MoveInfo {
            mv: pv.first().cloned().unwrap_or_default(),
            visits: report.move_nodes,
            win_rate: report.score.win_probability(),
            score: Some(lead(report.score)),
            order: report.multipv.saturating_sub(1),
            pv,
        }
    }

    /// Returns the line of an analysis: a move of each rank, then the value of the position with
    /// `with_root`.
    pub fn analysis(
        self,
        game: &Game,
        reports: &[Report],
        format: AnalysisFormat,
        with_root: bool,
    ) -> String {
        let infos = (0..).zip(reports).map(|(order, report)| {
            let info = MoveInfo { order, ..self.move_info(game, report) };
            info.text(format)
        });
        let mut text = infos.collect::<Vec<_>>().join(" ");
        if let Some(best) = reports.first().filter(|_| with_root) {
            let (rate, lead, nodes) = (best.score.win_probability(), lead(best.score), best.nodes);
            let root = format!(" rootInfo visits {nodes} winrate {rate:.6} scoreLead {lead:.6}");
            text.push_str(&root);
        }
        text
    }

    /// Adds a line of an analysis to those of the same search.
    pub fn accumulate(self, game: &Game, line: &str, accumulator: &mut InfoAccumulator) {
        for info in MoveInfo::parse_line(line) {
            accumulator.add(self.report(game, &info));
        }
    }

    /// Converts a report on a move to one on the position. The score is the lead if there is one, else
    /// it follows from the win rate. An analysis has no depth and no time.
    pub fn report(self, game: &Game, info: &MoveInfo) -> Report {
        let first = std::slice::from_ref(&info.mv);
        let pv = self.parse_line(game, if info.pv.is_empty() { first } else { &info.pv });
        let score = match info.score {
            Some(lead) => Score::points((100.0 * lead).round() as i32),
            None => Score::from_win_probability(info.win_rate),
        };
        Report {
            depth: 0,
            seldepth: 0,
            multipv: info.order.saturating_add(1),
            score,
            bound: Bound::Exact,
            nodes: info.visits,
            move_nodes: info.visits,
            time: Duration::ZERO,
            hashfull: 0,
            pv,
        }
    }
}

/// Converts a score to the lead in points.
fn lead(score: Score) -> f64 {
    f64::from(score.value()) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_as_they_are_written() {
        for name in games().chain(["pente+size=13", "gomoku+swap2+size=9"]) {
            let wanted: Ruleset = name.parse().unwrap();
            let Command::SetGame(sent) = set_game(&wanted) else { panic!("{name}") };
            assert_eq!(rules(&sent), Ok(wanted));
        }
    }

    fn start(spec: &str) -> Game {
        Game::new(spec.parse().unwrap())
    }

    #[test]
    fn cells_are_read_as_they_are_written() {
        for spec in ["pente", "gomoku+size=10x8", "pentalath", "pentalath-hex", "yavalath"] {
            let game = start(spec);
            let board = VertexBoard::of(&game).unwrap();
            for cell in game.cells() {
                assert_eq!(board.cell(board.vertex(cell)), Some(cell), "{spec}");
            }
        }
        assert!(VertexBoard::of(&start("pent-up")).is_none());
    }

    #[test]
    fn hexagons_lie_on_a_square_of_vertices() {
        let game = start("pentalath");
        let board = VertexBoard::of(&game).unwrap();
        for (label, vertex) in [("a1", "A1"), ("g1", "A7"), ("g13", "N7")] {
            let cell = board.cell(Vertex::parse(vertex).unwrap()).unwrap();
            assert_eq!(game.cell_text(cell), label);
        }
        assert_eq!(board.cell(Vertex::parse("T19").unwrap()), None);
    }

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for (from, to) in [("gomoku", "gomoku+size=10x8"), ("pente", "pente-13")] {
            let (from, to) = (start(from), start(to));
            let Command::BoardSize { columns, rows } = VertexBoard::of(&to).unwrap().boardsize()
            else {
                panic!("{to:?}")
            };
            let board = VertexBoard::of(&from).unwrap();
            assert_eq!(board.resized(from.rules(), columns, rows), Ok(Some(to.rules().clone())));
            let own = board.size();
            assert_eq!(board.resized(from.rules(), own.0, own.1), Ok(None));
        }
        let pentalath = start("pentalath-hex");
        let board = VertexBoard::of(&pentalath).unwrap();
        let error = board.resized(pentalath.rules(), 8, 8).unwrap_err().to_string();
        assert_eq!(error, "unacceptable size: the longest row has 9 cells");
    }

    const EXTENDED: Codec = Codec { extended: true };
    const VERTICES: Codec = Codec { extended: false };

    fn game(spec: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves {
            game.play(text).unwrap();
        }
        game
    }

    #[test]
    fn extended_texts_are_canonical_texts_with_vertices() {
        let pente = game("pente", &[]);
        for (canonical, vertices) in [
            ("j10", "K10"),
            ("h8", "H8"),
            ("i9", "J9"),
            ("a1", "A1"),
            ("s19", "T19"),
            ("N@j10", "N@K10"),
            ("P@j10,g7", "P@K10,G7"),
            ("swap", "swap"),
            ("keep", "keep"),
            ("more", "more"),
            ("pass", "pass"),
        ] {
            let mv = pente.parse_move(canonical).unwrap();
            assert_eq!(EXTENDED.move_text(&pente, mv).as_deref(), Some(vertices));
            for text in [vertices.to_owned(), vertices.to_lowercase(), vertices.to_uppercase()] {
                assert_eq!(EXTENDED.parse_move(&pente, &text), Ok(vec![mv]));
            }
        }
        let tiles = game("pent-up", &[]);
        let tile = "cg85,cg86,cg87,cg88,cg89";
        let mv = tiles.parse_move(tile).unwrap();
        assert_eq!(EXTENDED.move_text(&tiles, mv).as_deref(), Some(tile));
        assert_eq!(EXTENDED.parse_move(&tiles, tile), Ok(vec![mv]));
    }

    #[test]
    fn points_of_a_sentence_become_vertices() {
        for (sentence, expected) in [
            ("the center, j10", "the center, K10"),
            ("a bomb (`B@j10`), S3, h8", "a bomb (`B@K10`), S3, H8"),
            ("`P@j10,g7`: d4 j4 p16.", "`P@K10,G7`: D4 K4 Q16."),
            ("19 columns, a b2b, \u{e9}1, i0", "19 columns, a b2b, \u{e9}1, i0"),
            ("", ""),
        ] {
            assert_eq!(with_vertices(sentence), expected);
        }
    }

    #[test]
    fn invalid_texts_differ_from_vertices_off_the_board() {
        let pente = game("pente", &[]);
        for text in ["", "I9", "hello", "K10 K11", "K10,", "@", "\u{e9}@"] {
            let error = VERTICES.parse_move(&pente, text).unwrap_err();
            let stone = text.contains('@');
            assert!(matches!(error, MoveError::Vertex(_)) != stone, "{text:?}: {error}");
        }
        assert_eq!(VERTICES.parse_move(&pente, "Z19"), Err(MoveError::OffBoard));
    }

    /// Parses every legal move as it is printed, by vertices too if it has one.
    #[test]
    fn moves_are_read_as_they_are_written() {
        let captures = ["j10", "k10", "a1", "l10"];
        for (spec, moves) in [
            ("pente", &[][..]),
            ("plus-minus-pente", &captures),
            ("neutral-pente", &["j10", "k10"]),
            ("pente-plus", &["j10", "k10"]),
            ("d-pente", &["j10", "k10", "l12", "m13"]),
            ("swap2-pente", &["s19", "a1", "j10"]),
            ("pentalath-hex+swap1", &["e5"]),
            ("pent-up", &[]),
        ] {
            let game = game(spec, moves);
            for &mv in &game.legal_moves() {
                let text = EXTENDED.move_text(&game, mv).unwrap();
                assert_eq!(EXTENDED.parse_move(&game, &text), Ok(vec![mv]), "{spec} {text}");
                if let Some(text) = VERTICES.move_text(&game, mv).filter(|_| is_plain(mv)) {
                    assert_eq!(VERTICES.parse_move(&game, &text), Ok(vec![mv]), "{spec} {text}");
                }
            }
        }
    }

    #[test]
    fn a_choice_may_come_as_a_stone() {
        let choice = game("swap2-pente", &["j10", "k10", "a1"]);
        for (answer, moves) in
            [("K10", "swap"), ("L10", "keep"), ("A1", "more"), ("keep", "keep"), ("B2", "keep b2")]
        {
            let read = VERTICES.parse_move(&choice, answer).unwrap();
            let texts: Vec<_> = read.into_iter().map(|mv| choice.move_text(mv)).collect();
            assert_eq!(texts.join(" "), moves, "{answer}");
        }
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        for codec in [EXTENDED, VERTICES] {
            let start = game("swap2-pente", &[]);
            let played = game("swap2-pente", &["j10", "k10", "a1", "keep", "b2", "c3"]).moves();
            let texts: Vec<_> = codec.line(&start, &played).into_iter().map(|(_, mv)| mv).collect();
            assert_eq!(codec.parse_line(&start, &texts), played, "{texts:?}");
        }
        let pente = game("pente", &[]);
        let texts = ["K10", "A1", "A1", "B2"].map(str::to_owned);
        assert_eq!(VERTICES.parse_line(&pente, &texts).len(), 2);
    }

    #[test]
    fn settings_are_read_as_they_are_written() {
        let main = TimeSettings::new(90_500, 0, 0, 0);
        let settings = [
            main,
            TimeSettings { increment: Duration::from_millis(100), ..main },
            TimeSettings { cap: Some(Duration::from_secs(100)), ..main },
            TimeSettings { move_cap: Some(Duration::from_secs(9)), ..main },
            TimeSettings::new(0, 0, 1_500, 1),
            TimeSettings { periods: 5, ..TimeSettings::new(60_000, 0, 1_500, 1) },
            TimeSettings::new(10_000, 0, 59_500, 40),
        ];
        for settings in settings {
            assert_eq!(TimeSettings::from_command(&settings.kata_command()), Some(Some(settings)));
        }
        for settings in [(90, 0, 0), (0, 5, 1), (600, 30, 25)] {
            let (main, period, stones) = settings;
            let settings = TimeSettings::new(1000 * main, 0, 1000 * period, stones);
            assert_eq!(
                TimeSettings::from_command(&settings.standard_command()),
                Some(Some(settings))
            );
        }
        assert_eq!(
            TimeSettings::from_command(&Command::KataTimeSettings(KataTime::None)),
            Some(None)
        );
        assert_eq!(TimeSettings::from_command(&Command::Name), None);
    }

    #[test]
    fn whole_seconds_are_never_too_few_at_the_start_nor_too_many_later() {
        let settings = TimeSettings::new(200, 0, 59_001, 3).standard_command();
        let expected = Command::TimeSettings { main_s: 1, byo_yomi_s: 60, stones: 3 };
        assert_eq!(settings, expected);
        let left = TimeLeft { time: Duration::from_millis(1_999), stones: 2 };
        let rounded = TimeLeft { time: Duration::from_secs(1), ..left };
        assert_eq!(
            TimeLeft::from_command(&left.standard_command(Color::White)),
            Some((Color::White, rounded))
        );
        assert_eq!(
            TimeLeft::from_command(&left.kata_command(Color::Black)),
            Some((Color::Black, left))
        );
    }

    #[test]
    fn reports_are_read_as_they_are_written() {
        let mut game = Game::new("pente".parse().unwrap());
        game.play("j10").unwrap();
        let pv: Vec<_> = ["k10", "a1"].map(|text| game.parse_move(text).unwrap()).to_vec();
        let report = |multipv, points| Report {
            depth: 0,
            seldepth: 0,
            multipv,
            score: Score::points(points),
            bound: Bound::Exact,
            nodes: 1234,
            move_nodes: 1234,
            time: Duration::ZERO,
            hashfull: 0,
            pv: pv.clone(),
        };
        let reports = [report(1, 250), report(2, -37)];
        for (extended, format) in [(true, AnalysisFormat::Kata), (false, AnalysisFormat::Kata)] {
            let codec = Codec { extended };
            let line = codec.analysis(&game, &reports, format, true);
            let read = MoveInfo::parse_line(&line);
            let read: Vec<_> = read.iter().map(|info| codec.report(&game, info)).collect();
            assert_eq!(read, reports, "{line}");
        }
        // Leela Zero's format has win rates of four digits and no lead.
        let codec = Codec { extended: false };
        let line = codec.analysis(&game, &reports, AnalysisFormat::Leela, false);
        let read = codec.report(&game, &MoveInfo::parse_line(&line)[0]);
        assert!((read.score.value() - 250).abs() <= 1, "{line}");
    }
}
