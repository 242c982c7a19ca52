//! The check of a certificate, by the rules of the game and nothing else.

use super::board::Value;
use super::certificate::{Certificate, CertificateTextError, Claim, Strategy};
use crate::board::Symmetry;
use crate::game::{Cell, Color, Move, Outcome, Position as _, PositionTextError, Side};
use crate::placement::Position;
use crate::rules::{SpecError, SquareRules};
use std::collections::{HashMap, HashSet};

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// It is no certificate.
    #[error(transparent)]
    Text(#[from] CertificateTextError),
    /// Its game is none.
    #[error(transparent)]
    Game(#[from] SpecError),
    /// Its position is none of the game.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// The board has too many points for the check.
    #[error("boards of up to 64 points can be checked, with two players")]
    Size,
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
    /// The positions that were walked through, images counted each.
    pub positions: u64,
}

/// Checks that the text of a certificate proves the value that it names.
///
/// Every position that a strategy can lead to is played, by the rules of the game, after every legal
/// move of the other player, and every line must end as claimed. Symmetry only says which move is
/// meant: the images of a position are played as well, each by itself.
pub fn check(text: &str) -> Result<Checked, CheckError> {
    let grid = |game: &str| game.parse::<SquareRules>().ok().map(|rules| rules.grid());
    let certificate = Certificate::parse(text, grid)?;
    let rules: SquareRules = certificate.game.parse()?;
    if rules.grid().cells() > 64 || rules.seating().seats != 2 || rules.swap().is_some() {
        return Err(CheckError::Size);
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
    let mut positions = 0;
    for strategy in &certificate.strategies {
        positions += Walk::new(&start, strategy).run()?;
    }
    let moves = certificate.strategies.iter().map(|strategy| strategy.moves.len()).sum();
    Ok(Checked { game: certificate.game, value: certificate.value, moves, positions })
}

/// Stones by color, and captured stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Stones {
    stones: [u64; 2],
    captured: [u16; 2],
}

struct Walk<'a> {
    position: Position,
    claim: Claim,
    moves: std::slice::Iter<'a, Cell>,
    /// Where the symmetries of the board take each cell, and back.
    images: Vec<[Vec<Cell>; 2]>,
    /// The moves of the strategy by the least image of their position.
    answers: HashMap<Stones, Cell>,
    /// The positions, with the player of the strategy to move, that were walked through.
    seen: HashSet<Stones>,
    positions: u64,
}

impl<'a> Walk<'a> {
    fn new(start: &Position, strategy: &'a Strategy) -> Walk<'a> {
        let grid = start.grid();
        let images = Symmetry::all(grid).map(|symmetry| {
            let to: Vec<Cell> = grid.iter().map(|cell| symmetry.apply(grid, cell)).collect();
            let mut back = to.clone();
            for (cell, image) in grid.iter().zip(&to) {
                back[image.index()] = cell;
            }
            [to, back]
        });
        Walk {
            position: start.clone(),
            claim: strategy.claim,
            moves: strategy.moves.iter(),
            images: images.collect(),
            answers: HashMap::new(),
            seen: HashSet::new(),
            positions: 0,
        }
    }

    /// Walks through everything; the number of positions.
    fn run(mut self) -> Result<u64, CheckError> {
        match self.position.outcome() {
            Some(outcome) => self.judge(outcome)?,
            None => self.enter()?,
        }
        match self.moves.len() {
            0 => Ok(self.positions),
            left => Err(CheckError::Left(self.claim, left)),
        }
    }

    fn enter(&mut self) -> Result<(), CheckError> {
        if self.position.color_to_move() == Color(self.claim.color) {
            return self.follow();
        }
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        let grid = self.position.grid();
        moves.sort_by_key(|mv| mv.cell().map(|cell| (grid.column(cell), grid.row(cell))));
        moves.into_iter().try_for_each(|mv| self.play(mv))
    }

    /// Plays the move of the strategy.
    fn follow(&mut self) -> Result<(), CheckError> {
        let stones = self.stones();
        if !self.seen.insert(stones) {
            return Ok(());
        }
        self.positions += 1;
        let (least, image) = self.least_image(stones);
        let [to, back] = &self.images[image];
        let cell = if let Some(answer) = self.answers.get(&least) {
            back[answer.index()]
        } else {
            let next = self.moves.next().copied();
            let cell = next.ok_or_else(|| CheckError::Missing(self.claim, self.line()))?;
            self.answers.insert(least, to[cell.index()]);
            cell
        };
        let mv = Move::stone(cell);
        if !self.position.is_legal(mv) {
            let line = format!("{} {}", self.line(), self.position.label(cell));
            return Err(CheckError::Illegal(self.claim, line));
        }
        self.play(mv)
    }

    fn play(&mut self, mv: Move) -> Result<(), CheckError> {
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

    fn stones(&self) -> Stones {
        let of = |color| {
            let grid = self.position.grid();
            let own = grid.iter().filter(|&cell| self.position.stone(cell) == Some(color));
            own.map(|cell| 1 << cell.index()).sum()
        };
        let colors = [Color(0), Color(1)];
        Stones {
            stones: colors.map(of),
            captured: colors.map(|color| self.position.captures(color)),
        }
    }

    /// The least image of a position, and which symmetry leads to it.
    fn least_image(&self, stones: Stones) -> (Stones, usize) {
        let count = if self.position.is_opening_limited() { 1 } else { self.images.len() };
        let image = |index: usize| {
            let moved = stones.stones.map(|set| moved(set, &self.images[index][0]));
            (Stones { stones: moved, ..stones }, index)
        };
        (1..count).map(image).fold(image(0), Ord::min)
    }

    fn line(&self) -> String {
        let moves: Vec<_> = self.position.moves().map(|mv| self.position.move_text(mv)).collect();
        moves.join(" ")
    }
}

fn moved(set: u64, to: &[Cell]) -> u64 {
    let stones = to.iter().enumerate().filter(|(cell, _)| set >> cell & 1 != 0);
    stones.map(|(_, image)| 1 << image.index()).sum()
}
