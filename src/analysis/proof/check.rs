//! The check of a certificate, by the rules of the game and nothing else.

use super::board::Value;
use super::certificate::{Certificate, CertificateTextError, Claim, Strategy};
use pentarch_core::board::Symmetry;
use pentarch_core::game::{Cell, Color, Move, Outcome, Position as _, PositionTextError, Side};
use pentarch_core::placement::Position;
use pentarch_core::rules::RuleTier;
use pentarch_core::rules::{SquareRules, VariantSpecError};
use std::collections::HashSet;

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
        plies += Walk::new(&start, strategy).run()?;
    }
    let moves = certificate.strategies.iter().map(|strategy| strategy.moves.len()).sum();
    Ok(Checked { game: certificate.game, value: certificate.value, moves, plies })
}

struct Walk<'a> {
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

impl<'a> Walk<'a> {
    fn new(start: &Position, strategy: &'a Strategy) -> Walk<'a> {
        let grid = start.grid();
        let mut cells: Vec<Cell> = grid.iter().collect();
        cells.sort_by_key(|&cell| (grid.column(cell), grid.row(cell)));
        let digit = |cell| Symmetry::all(grid).map(move |to| digit(to.apply(grid, cell))).collect();
        Walk {
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
