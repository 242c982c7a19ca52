//! The text form of a proved value.
//!
//! ```text
//! pentarch proof 1
//! game pente+size=5x3
//! value draw
//! strategy first draw 1234
//! c2 a1 b3 ...
//! strategy second draw 987
//! b2 ...
//! ```
//!
//! A strategy names one move for each position in which its player is to move. Which position a move
//! is for is not written: it follows from the order in which a walk meets the positions. The walk
//! begins at the start of the game or at the line `position TEXT`. Where the other player is to move it
//! tries all legal moves, column by column and upwards in a column. Where the player of the strategy
//! is to move it takes the next move of the list; but if it met the position or an image of it under a
//! rotation or reflection of the board before, it takes none and goes no further: what is played there
//! is what was played in that, moved like the board. Two positions are the same if stones, captured
//! counts and the color to move are. Images count only once no opening limits where stones go any more.

use crate::proof::small_game::{SmallBoard, Value};
use crate::proof::solver::{Solver, Spent};
use pentarch_core::board::{Grid, Symmetry};
use pentarch_core::game::{Cell, Color, Move, Outcome, Position as _, PositionTextError, Side};
use pentarch_core::placement::Position;
use pentarch_core::rules::RuleTier;
use pentarch_core::rules::{SquareRules, VariantSpecError};
use std::collections::HashSet;
use std::fmt;

/// What one player can bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The player's color: 0 is that of the player who begins a game.
    pub color: u8,
    /// Whether the player wins, or else does not lose.
    pub wins: bool,
}

/// A list of moves that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// What it shows.
    pub claim: Claim,
    /// The moves, in the order in which their positions are met.
    pub moves: Vec<Cell>,
}

/// The value of a position with the strategies that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The game, as `NAME[+modifier...]`.
    pub game: String,
    /// The position, if it is not the start of the game.
    pub start: Option<String>,
    /// The value.
    pub value: Value,
    /// One strategy for a win, one of each player for a draw.
    pub strategies: Vec<Strategy>,
}

/// A text that is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateTextError {
    /// Another line was expected.
    #[error("line {line} of the certificate: expected {expected}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// Something that is no point of the board.
    #[error("line {line} of the certificate: {error}")]
    Point {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: String,
    },
}

const HEAD: &str = "pentarch proof 1";

/// Moves in a line.
const WIDTH: usize = 32;

impl Value {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Value::First => "first",
            Value::Draw => "draw",
            Value::Second => "second",
        }
    }

    fn from_word(word: &str) -> Option<Value> {
        [Value::First, Value::Draw, Value::Second].into_iter().find(|value| value.word() == word)
    }
}

impl Certificate {
    /// The text; `grid` is the board of the game.
    pub fn text(&self, grid: Grid) -> String {
        let mut text = format!("{HEAD}\ngame {}\n", self.game);
        if let Some(start) = &self.start {
            text.extend(["position ", start, "\n"]);
        }
        text.extend(["value ", self.value.word(), "\n"]);
        for strategy in &self.strategies {
            let head = format!("strategy {} {}\n", strategy.claim, strategy.moves.len());
            text.push_str(&head);
            for row in strategy.moves.chunks(WIDTH) {
                let labels: Vec<_> = row.iter().map(|&cell| grid.label(cell)).collect();
                text += &labels.join(" ");
                text.push('\n');
            }
        }
        text
    }

    /// Reads a text; `grid` says what board a game has.
    pub fn parse(
        text: &str,
        grid: impl Fn(&str) -> Option<Grid>,
    ) -> Result<Certificate, CertificateTextError> {
        let wrong = |line, expected| CertificateTextError::Line { line, expected };
        let mut lines = text.lines().zip(1..).peekable();
        let mut expect = |word: &str, expected: &'static str| {
            let (found, line) = lines.peek().copied().unwrap_or(("", 0));
            let rest = found.strip_prefix(word).map(str::to_owned);
            let rest = rest.ok_or_else(|| wrong(line, expected));
            if rest.is_ok() {
                lines.next();
            }
            rest
        };
        expect(HEAD, "`pentarch proof 1`")?;
        let game = expect("game ", "`game NAME`")?;
        let grid = grid(&game).ok_or_else(|| wrong(2, "a game on squares"))?;
        let start = expect("position ", "").ok();
        let value = expect("value ", "`value first`, `value draw` or `value second`")?;
        let value = Value::from_word(&value).ok_or_else(|| wrong(3, "first, draw or second"))?;
        let mut strategies: Vec<Strategy> = Vec::new();
        for (text, line) in lines {
            if let Some(head) = text.strip_prefix("strategy ") {
                let claim = head.rsplit_once(' ').and_then(|(claim, _)| Claim::parse(claim));
                let claim =
                    claim.ok_or_else(|| wrong(line, "`strategy first|second win|draw N`"))?;
                strategies.push(Strategy { claim, moves: Vec::new() });
                continue;
            }
            let strategy = strategies.last_mut().ok_or_else(|| wrong(line, "`strategy ...`"))?;
            for label in text.split_whitespace() {
                let cell = grid.parse(label);
                let point = |error: pentarch_core::board::LabelError| CertificateTextError::Point {
                    line,
                    error: error.to_string(),
                };
                strategy.moves.push(cell.map_err(point)?);
            }
        }
        Ok(Certificate { game, start, value, strategies })
    }
}

impl Claim {
    fn parse(text: &str) -> Option<Claim> {
        let all =
            [0, 1].into_iter().flat_map(|color| [false, true].map(|wins| Claim { color, wins }));
        all.into_iter().find(|claim| claim.to_string() == text)
    }
}

/// `first win`, `second draw` and so on.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = if self.color == 0 { "first" } else { "second" };
        write!(f, "{player} {}", if self.wins { "win" } else { "draw" })
    }
}

// The check of a certificate, by the rules of the game and nothing else.

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// It is no certificate.
    #[error(transparent)]
    Text(#[from] CertificateTextError),
    /// Its game is none.
    #[error(transparent)]
    Game(#[from] VariantSpecError),
    /// Its position is none of the game.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// The board has too many points for the check.
    #[error("boards of up to {MOST_POINTS} points can be checked")]
    Size,
    /// Positions of the game are more than stones and counts, or may come again.
    #[error("only games of two players, plain stones, and captures that win can be checked")]
    Rules,
    /// The strategies are not those that the value needs.
    #[error("the value needs {0}, and no other strategy")]
    Strategies(String),
    /// A position has no move.
    #[error("the strategy `{0}` has no move after: {1}")]
    Missing(Claim, String),
    /// A move cannot be played.
    #[error("the strategy `{0}` has an illegal move at the end of: {1}")]
    Illegal(Claim, String),
    /// A line does not end as claimed.
    #[error("the strategy `{0}` fails: {1}")]
    Fails(Claim, String),
    /// Moves that belong to no position.
    #[error("the strategy `{0}` has {1} moves too many")]
    Left(Claim, usize),
}

/// A value that is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The game.
    pub game: String,
    /// The value.
    pub value: Value,
    /// The moves of the strategies.
    pub moves: usize,
    /// The moves of both players that were played to see it.
    pub plies: u64,
}

/// The most points of a board: what lies on so many and two counts of 16 bits fit into a number.
const MOST_POINTS: usize = 60;

/// Checks that the text of a certificate proves the value that it names.
///
/// Every position that a strategy can lead to is played, by the rules of the game, after every legal
/// move of the other player, and every line must end as claimed. Of a position and its images under the
/// rotations and reflections of the board only the one that is met first is played: what a strategy
/// does there it does in the images as well, with every move moved. So the check relies on rules that
/// treat all images alike once no opening limits where stones go, and on positions that never come
/// again, because each move adds to the stones and the captured ones.
pub fn check(text: &str) -> Result<Checked, CheckError> {
    let grid = |game: &str| game.parse::<SquareRules>().ok().map(|rules| rules.grid());
    let certificate = Certificate::parse(text, grid)?;
    let rules: SquareRules = certificate.game.parse()?;
    if rules.grid().cells() > MOST_POINTS {
        return Err(CheckError::Size);
    }
    let in_circles = rules.capture().is_some_and(|capture| capture.goal.is_none());
    if in_circles || rules.tier() != RuleTier::Plain {
        return Err(CheckError::Rules);
    }
    let mut start = Position::new(rules);
    if let Some(text) = &certificate.start {
        start = start.with_text(text)?;
    }
    let needed = Claim::of(certificate.value);
    let claims = certificate.strategies.iter().map(|strategy| strategy.claim);
    if !claims.eq(needed.iter().copied()) {
        let needed: Vec<_> = needed.iter().map(|claim| format!("`{claim}`")).collect();
        return Err(CheckError::Strategies(needed.join(" and ")));
    }
    let mut plies = 0;
    for strategy in &certificate.strategies {
        plies += Verifier::new(&start, strategy).run()?;
    }
    let moves = certificate.strategies.iter().map(|strategy| strategy.moves.len()).sum();
    Ok(Checked { game: certificate.game, value: certificate.value, moves, plies })
}

struct Verifier<'a> {
    position: Position,
    claim: Claim,
    moves: std::slice::Iter<'a, Cell>,
    /// The cells, column by column and upwards in a column.
    cells: Vec<Cell>,
    /// What a stone on a cell adds to the number of each image.
    digits: Vec<Vec<u128>>,
    /// The positions with the player of the strategy to move that were met, one of all images.
    seen: HashSet<u128>,
    plies: u64,
}

impl<'a> Verifier<'a> {
    fn new(start: &Position, strategy: &'a Strategy) -> Verifier<'a> {
        let grid = start.grid();
        let mut cells: Vec<Cell> = grid.iter().collect();
        cells.sort_by_key(|&cell| (grid.column(cell), grid.row(cell)));
        let digit = |cell| Symmetry::all(grid).map(move |to| digit(to.apply(grid, cell))).collect();
        Verifier {
            position: start.clone(),
            claim: strategy.claim,
            moves: strategy.moves.iter(),
            cells,
            digits: grid.iter().map(digit).collect(),
            // Each position that is met for the first time takes a move.
            seen: HashSet::with_capacity(strategy.moves.len()),
            plies: 0,
        }
    }

    /// Walks through everything; the number of plies.
    fn run(mut self) -> Result<u64, CheckError> {
        match self.position.outcome() {
            Some(outcome) => self.judge(outcome)?,
            None => self.enter()?,
        }
        match self.moves.len() {
            0 => Ok(self.plies),
            left => Err(CheckError::Left(self.claim, left)),
        }
    }

    fn enter(&mut self) -> Result<(), CheckError> {
        if self.position.color_to_move() == Color(self.claim.color) {
            return self.follow();
        }
        for index in 0..self.cells.len() {
            let mv = Move::stone(self.cells[index]);
            if self.position.is_legal(mv) {
                self.play(mv)?;
            }
        }
        Ok(())
    }

    /// Plays the move of the strategy, unless the position or an image of it was met before.
    fn follow(&mut self) -> Result<(), CheckError> {
        if !self.seen.insert(self.number()) {
            return Ok(());
        }
        let next = self.moves.next().copied();
        let cell = next.ok_or_else(|| CheckError::Missing(self.claim, self.line()))?;
        let mv = Move::stone(cell);
        if !self.position.is_legal(mv) {
            let line = format!("{} {}", self.line(), self.position.label(cell));
            return Err(CheckError::Illegal(self.claim, line));
        }
        self.play(mv)
    }

    fn play(&mut self, mv: Move) -> Result<(), CheckError> {
        self.plies += 1;
        self.position.play(mv);
        let walked = match self.position.outcome() {
            Some(outcome) => self.judge(outcome),
            None => self.enter(),
        };
        self.position.undo();
        walked
    }

    /// Whether a game that ended so ended as claimed.
    fn judge(&self, outcome: Outcome) -> Result<(), CheckError> {
        let own = Side(self.claim.color);
        let holds = match outcome.winner {
            Some(winner) => winner == own,
            None => !self.claim.wins,
        };
        if holds { Ok(()) } else { Err(CheckError::Fails(self.claim, self.line())) }
    }

    /// The position as a number that only its images share: the least of theirs, or its own while an
    /// opening limits where stones go. No two others have the same one.
    fn number(&self) -> u128 {
        let mut images = [0; 8];
        for (cell, digits) in self.position.cells().zip(&self.digits) {
            if let Some(color) = self.position.stone(cell) {
                for (image, digit) in images.iter_mut().zip(digits) {
                    *image += digit << color.0;
                }
            }
        }
        let count = if self.position.is_opening_limited() { 1 } else { self.digits[0].len() };
        let stones = images[1..count].iter().fold(images[0], |least, &image| least.min(image));
        let captured = [Color(0), Color(1)].map(|color| u128::from(self.position.captures(color)));
        stones << 32 | captured[0] << 16 | captured[1]
    }

    fn line(&self) -> String {
        let moves: Vec<_> = self.position.moves().map(|mv| self.position.move_text(mv)).collect();
        moves.join(" ")
    }
}

/// The place of a cell in base 3, in which its digit says what lies there: nothing, or the stone of
/// the first color or the second.
fn digit(cell: Cell) -> u128 {
    3u128.pow(cell.index() as u32)
}

// Strategies: what a player plays so as to keep the value of a position.

impl Claim {
    /// The strategies that prove a value: one for a win, one of each player for a draw.
    pub(super) fn of(value: Value) -> &'static [Claim] {
        const FIRST_WINS: Claim = Claim { color: 0, wins: true };
        const SECOND_WINS: Claim = Claim { color: 1, wins: true };
        const DRAWS: [Claim; 2] =
            [Claim { color: 0, wins: false }, Claim { color: 1, wins: false }];
        match value {
            Value::First => &[FIRST_WINS],
            Value::Draw => &DRAWS,
            Value::Second => &[SECOND_WINS],
        }
    }

    /// The color that wins, or that is kept from it.
    fn attacker(self) -> u8 {
        if self.wins { self.color } else { 1 - self.color }
    }
}

/// Searches for the strategies that prove the value of a position, out of what a solver knows.
///
/// `game` and `start` are the texts that the certificate names the game and the position by.
pub fn strategies(
    solver: &mut Solver,
    board: &SmallBoard,
    value: Value,
    game: String,
    start: Option<String>,
) -> Result<Certificate, Spent> {
    let mut strategies = Vec::new();
    for &claim in Claim::of(value) {
        let mut walk = StrategyBuilder { solver, claim, known: HashSet::new(), moves: Vec::new() };
        walk.enter(board)?;
        strategies.push(Strategy { claim, moves: walk.moves });
    }
    Ok(Certificate { game, start, value, strategies })
}

/// A walk through all that can happen when one player follows a strategy.
struct StrategyBuilder<'a> {
    solver: &'a mut Solver,
    claim: Claim,
    /// The positions with a move of the strategy, one of all images.
    known: HashSet<SmallBoard>,
    moves: Vec<Cell>,
}

impl StrategyBuilder<'_> {
    /// Looks at an open position.
    fn enter(&mut self, board: &SmallBoard) -> Result<(), Spent> {
        if board.color == self.claim.color { self.follow(board) } else { self.answer_all(board) }
    }

    fn answer_all(&mut self, board: &SmallBoard) -> Result<(), Spent> {
        for bit in self.solver.rules().in_order(self.solver.rules().legal(board)) {
            let (next, end) = self.solver.rules().play(board, bit);
            if end.is_none() {
                self.enter(&next)?;
            }
        }
        Ok(())
    }

    fn follow(&mut self, board: &SmallBoard) -> Result<(), Spent> {
        if !self.known.insert(self.solver.rules().canonical(board)) {
            return Ok(());
        }
        let bit = self.choose(board)?;
        self.moves.push(self.solver.rules().cell(bit));
        let (next, end) = self.solver.rules().play(board, bit);
        if end.is_none() { self.enter(&next) } else { Ok(()) }
    }

    /// A move that keeps what is claimed: one that is known to, else one that is found to.
    fn choose(&mut self, board: &SmallBoard) -> Result<u32, Spent> {
        let (attacker, wanted) = (self.claim.attacker(), self.claim.wins);
        let rules = self.solver.rules();
        let legal = rules.in_order(rules.legal(board));
        let won = Some(Value::win(self.claim.color.into()));
        if let Some(&bit) = legal.iter().find(|&&bit| rules.play(board, bit).1 == won) {
            return Ok(bit);
        }
        // What is decided without a search is so whatever is played.
        let moves = rules.look(board, attacker).map(|node| rules.ranked(&node, attacker));
        let moves = moves.map_or(legal, |moves| moves.iter().map(|(bit, _)| bit).collect());
        let keeps = |bit: &&u32| self.solver.known(board, **bit, attacker) == Some(wanted);
        if let Some(&bit) = moves.iter().find(keeps) {
            return Ok(bit);
        }
        if wanted && let Some(bit) = self.solver.shortest(board, attacker, &moves)? {
            return Ok(bit);
        }
        for &bit in &moves {
            let (next, end) = self.solver.rules().play(board, bit);
            if end.is_none() && self.solver.wins(&next, attacker)? == wanted {
                return Ok(bit);
            }
        }
        // A claim that does not hold has no move; the check refuses what is written then.
        Ok(moves.first().copied().unwrap_or_default())
    }
}
