//! Certificates: the text format of proved values, their construction by a solver, and their check
//! by the rules.
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
//! A strategy has one move for each position in which its player is to move. The position of a move
//! is not written; it follows from the order in which a traversal meets the positions. The
//! traversal begins at the start of the game or at the line `position TEXT`. Where the other player
//! is to move it tries all legal moves, column by column and upward in a column. Where the player
//! of the strategy is to move it plays the next move of the list. But if the position, or its image
//! under a rotation or reflection of the board, was met before, it takes no move and goes no
//! deeper: the strategy plays the move of that position, mapped like the board. Positions are equal
//! if their stones, captures and color to move are. Images are considered only when no opening rule
//! restricts where stones go any more.

use crate::LimitReached;
use crate::proof::small_game::{GameValue, SmallBoard};
use crate::proof::solver::Solver;
use pentarch_core::board::{Grid, Symmetry};
use pentarch_core::game::{Cell, Color, Move, Outcome, Position as _, PositionTextError, Side};
use pentarch_core::placement::Position;
use pentarch_core::rules::RuleTier;
use pentarch_core::rules::{SquareRules, VariantSpecError};
use std::collections::HashSet;
use std::fmt;

/// What a player can achieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The color of the player: 0 is the player who begins the game.
    pub color: u8,
    /// Whether the player wins; otherwise the player does not lose.
    pub wins: bool,
}

/// A strategy that proves a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The claim.
    pub claim: Claim,
    /// The moves, in the order in which their positions are met.
    pub moves: Vec<Cell>,
}

/// The value of a position with the strategies that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The game, as `NAME[+modifier...]`.
    pub game: String,
    /// The position text, unless it is the start of the game.
    pub start: Option<String>,
    /// The value.
    pub value: GameValue,
    /// One strategy for a win, one of each player for a draw.
    pub strategies: Vec<Strategy>,
}

/// Why a text is not a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateTextError {
    /// A line is not the expected one.
    #[error("line {line} of the certificate: expected {expected}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The expected content.
        expected: &'static str,
    },
    /// A label is not a point of the board.
    #[error("line {line} of the certificate: {error}")]
    Point {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: String,
    },
}

const FIRST_LINE: &str = "pentarch proof 1";

/// The number of moves in a line.
const MOVES_PER_LINE: usize = 32;

impl GameValue {
    /// The word in certificates.
    pub const fn word(self) -> &'static str {
        match self {
            GameValue::First => "first",
            GameValue::Draw => "draw",
            GameValue::Second => "second",
        }
    }

    fn from_word(word: &str) -> Option<GameValue> {
        [GameValue::First, GameValue::Draw, GameValue::Second]
            .into_iter()
            .find(|value| value.word() == word)
    }
}

impl Certificate {
    /// Formats the certificate; `grid` is the board of the game.
    pub fn text(&self, grid: Grid) -> String {
        let mut text = format!("{FIRST_LINE}\ngame {}\n", self.game);
        if let Some(start) = &self.start {
            text.extend(["position ", start, "\n"]);
        }
        text.extend(["value ", self.value.word(), "\n"]);
        for strategy in &self.strategies {
            let head = format!("strategy {} {}\n", strategy.claim, strategy.moves.len());
            text.push_str(&head);
            for row in strategy.moves.chunks(MOVES_PER_LINE) {
                let labels: Vec<_> = row.iter().map(|&cell| grid.label(cell)).collect();
                text += &labels.join(" ");
                text.push('\n');
            }
        }
        text
    }

    /// Parses a certificate; `grid` returns the board of a game.
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
        expect(FIRST_LINE, "`pentarch proof 1`")?;
        let game = expect("game ", "`game NAME`")?;
        let grid = grid(&game).ok_or_else(|| wrong(2, "a game on squares"))?;
        let start = expect("position ", "").ok();
        let value = expect("value ", "`value first`, `value draw` or `value second`")?;
        let value =
            GameValue::from_word(&value).ok_or_else(|| wrong(3, "first, draw or second"))?;
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

/// Why a certificate is not a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateCheckError {
    /// The text is not a certificate.
    #[error(transparent)]
    Text(#[from] CertificateTextError),
    /// The game is unknown.
    #[error(transparent)]
    Game(#[from] VariantSpecError),
    /// The position does not fit the game.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// The board has too many points for the check.
    #[error("boards of up to {MAX_POINTS} points can be checked")]
    Size,
    /// Positions of the game are more than stones and captures, or may repeat.
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

/// A proof that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedProof {
    /// The game.
    pub game: String,
    /// The value.
    pub value: GameValue,
    /// The number of moves of the strategies.
    pub moves: usize,
    /// The number of moves played in the check.
    pub plies: u64,
}

/// The maximum number of points of a board: a position, in base 3, and two counts of 16 bits fit
/// into 128 bits.
const MAX_POINTS: usize = 60;

/// Checks that a certificate proves the value that it names.
///
/// Every position that a strategy can lead to is played by the rules of the game, for every legal
/// move of the other player, and every line must end as claimed. Of a position and its images under
/// rotations and reflections only the one that is met first is played, because the strategy plays
/// the mapped move in the images. So the check assumes rules that are symmetric once no opening
/// rule restricts where stones go, and positions that never repeat, since each move adds to the
/// stones and the captured ones.
pub fn check_certificate(text: &str) -> Result<CheckedProof, CertificateCheckError> {
    let grid = |game: &str| game.parse::<SquareRules>().ok().map(|rules| rules.grid());
    let certificate = Certificate::parse(text, grid)?;
    let rules: SquareRules = certificate.game.parse()?;
    if rules.grid().cells() > MAX_POINTS {
        return Err(CertificateCheckError::Size);
    }
    let can_repeat = rules.capture().is_some_and(|capture| capture.goal.is_none());
    if can_repeat || rules.tier() != RuleTier::Plain {
        return Err(CertificateCheckError::Rules);
    }
    let mut start = Position::new(rules);
    if let Some(text) = &certificate.start {
        start = start.with_text(text)?;
    }
    let needed = Claim::of(certificate.value);
    let claims = certificate.strategies.iter().map(|strategy| strategy.claim);
    if !claims.eq(needed.iter().copied()) {
        let needed: Vec<_> = needed.iter().map(|claim| format!("`{claim}`")).collect();
        return Err(CertificateCheckError::Strategies(needed.join(" and ")));
    }
    let mut plies = 0;
    for strategy in &certificate.strategies {
        plies += Verifier::new(&start, strategy).run()?;
    }
    let moves = certificate.strategies.iter().map(|strategy| strategy.moves.len()).sum();
    Ok(CheckedProof { game: certificate.game, value: certificate.value, moves, plies })
}

struct Verifier<'a> {
    position: Position,
    claim: Claim,
    moves: std::slice::Iter<'a, Cell>,
    /// The cells, column by column and upward in a column.
    cells: Vec<Cell>,
    /// What a stone on a cell adds to the number of each image.
    digits: Vec<Vec<u128>>,
    /// The numbers of the positions met in which the player of the strategy is to move.
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
            // Each new position takes a move.
            seen: HashSet::with_capacity(strategy.moves.len()),
            plies: 0,
        }
    }

    /// Traverses all lines and returns the number of moves played.
    fn run(mut self) -> Result<u64, CertificateCheckError> {
        match self.position.outcome() {
            Some(outcome) => self.check_outcome(outcome)?,
            None => self.visit()?,
        }
        match self.moves.len() {
            0 => Ok(self.plies),
            left => Err(CertificateCheckError::Left(self.claim, left)),
        }
    }

    fn visit(&mut self) -> Result<(), CertificateCheckError> {
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
    fn follow(&mut self) -> Result<(), CertificateCheckError> {
        if !self.seen.insert(self.number()) {
            return Ok(());
        }
        let next = self.moves.next().copied();
        let cell = next.ok_or_else(|| CertificateCheckError::Missing(self.claim, self.line()))?;
        let mv = Move::stone(cell);
        if !self.position.is_legal(mv) {
            let line = format!("{} {}", self.line(), self.position.label(cell));
            return Err(CertificateCheckError::Illegal(self.claim, line));
        }
        self.play(mv)
    }

    fn play(&mut self, mv: Move) -> Result<(), CertificateCheckError> {
        self.plies += 1;
        self.position.play(mv);
        let checked = match self.position.outcome() {
            Some(outcome) => self.check_outcome(outcome),
            None => self.visit(),
        };
        self.position.undo();
        checked
    }

    /// Checks that a game ended as claimed.
    fn check_outcome(&self, outcome: Outcome) -> Result<(), CertificateCheckError> {
        let own = Side(self.claim.color);
        let holds = match outcome.winner {
            Some(winner) => winner == own,
            None => !self.claim.wins,
        };
        if holds { Ok(()) } else { Err(CertificateCheckError::Fails(self.claim, self.line())) }
    }

    /// Returns the number of the position, which only its images share: the least of theirs, or its
    /// own while an opening rule restricts where stones go.
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

/// Returns the value of a cell in base 3, in which its digit is its content: nothing, or a stone of
/// the first or second color.
fn digit(cell: Cell) -> u128 {
    3u128.pow(cell.index() as u32)
}

impl Claim {
    /// Returns the claims that prove a value: one for a win, one of each player for a draw.
    pub(super) fn of(value: GameValue) -> &'static [Claim] {
        const FIRST_WINS: Claim = Claim { color: 0, wins: true };
        const SECOND_WINS: Claim = Claim { color: 1, wins: true };
        const DRAWS: [Claim; 2] =
            [Claim { color: 0, wins: false }, Claim { color: 1, wins: false }];
        match value {
            GameValue::First => &[FIRST_WINS],
            GameValue::Draw => &DRAWS,
            GameValue::Second => &[SECOND_WINS],
        }
    }

    /// Returns the color that wins or is kept from winning.
    fn attacker(self) -> u8 {
        if self.wins { self.color } else { 1 - self.color }
    }
}

/// Proves the value of a position with a solver that knows it, and returns the strategies as a
/// certificate.
///
/// `game` and `start` are the texts of the game and of the position in the certificate.
pub fn prove_value(
    solver: &mut Solver,
    board: &SmallBoard,
    value: GameValue,
    game: String,
    start: Option<String>,
) -> Result<Certificate, LimitReached> {
    let mut strategies = Vec::new();
    for &claim in Claim::of(value) {
        let mut builder =
            StrategyBuilder { solver, claim, seen: HashSet::new(), moves: Vec::new() };
        builder.visit(board)?;
        strategies.push(Strategy { claim, moves: builder.moves });
    }
    Ok(Certificate { game, start, value, strategies })
}

/// Builds the strategy of a player by traversing all replies of the other.
struct StrategyBuilder<'a> {
    solver: &'a mut Solver,
    claim: Claim,
    /// The positions with a move of the strategy, one of all images.
    seen: HashSet<SmallBoard>,
    moves: Vec<Cell>,
}

impl StrategyBuilder<'_> {
    /// Visits an open position.
    fn visit(&mut self, board: &SmallBoard) -> Result<(), LimitReached> {
        if board.color == self.claim.color { self.follow(board) } else { self.answer_all(board) }
    }

    fn answer_all(&mut self, board: &SmallBoard) -> Result<(), LimitReached> {
        for bit in self.solver.rules().in_order(self.solver.rules().legal(board)) {
            let (next, end) = self.solver.rules().play(board, bit);
            if end.is_none() {
                self.visit(&next)?;
            }
        }
        Ok(())
    }

    fn follow(&mut self, board: &SmallBoard) -> Result<(), LimitReached> {
        if !self.seen.insert(self.solver.rules().canonical(board)) {
            return Ok(());
        }
        let bit = self.choose(board)?;
        self.moves.push(self.solver.rules().cell(bit));
        let (next, end) = self.solver.rules().play(board, bit);
        if end.is_none() { self.visit(&next) } else { Ok(()) }
    }

    /// Chooses a move that keeps the claim: one that is known to keep it, else one that is
    /// searched.
    fn choose(&mut self, board: &SmallBoard) -> Result<u32, LimitReached> {
        let (attacker, wanted) = (self.claim.attacker(), self.claim.wins);
        let rules = self.solver.rules();
        let legal = rules.in_order(rules.legal(board));
        let won = Some(GameValue::win(self.claim.color.into()));
        if let Some(&bit) = legal.iter().find(|&&bit| rules.play(board, bit).1 == won) {
            return Ok(bit);
        }
        // If the position is decided without a search, any move keeps the claim.
        let moves = rules.classify(board, attacker).map(|node| rules.rank_moves(&node, attacker));
        let moves = moves.map_or(legal, |moves| moves.iter().map(|(bit, _)| bit).collect());
        let keeps = |bit: &&u32| self.solver.known_result(board, **bit, attacker) == Some(wanted);
        if let Some(&bit) = moves.iter().find(keeps) {
            return Ok(bit);
        }
        if wanted && let Some(bit) = self.solver.shortest_win(board, attacker, &moves)? {
            return Ok(bit);
        }
        for &bit in &moves {
            let (next, end) = self.solver.rules().play(board, bit);
            if end.is_none() && self.solver.wins(&next, attacker)? == wanted {
                return Ok(bit);
            }
        }
        // A false claim has no such move; the check refuses the certificate then.
        Ok(moves.first().copied().unwrap_or_default())
    }
}
