//! Random games, for measuring the rules, for sampling and for search.

use super::Position;
use super::bitboards::completions;
use super::position::{HexBoard, MoveRules};
use crate::board::{Bitboard, bit, cells_of};
use crate::game::{Cell, ChangeListener, Color, EmptyCells, Outcome};
use fastrand::Rng;

/// Plays games to the end from one starting position, each move drawn uniformly from the legal
/// ones. It keeps neither history nor key, but every move runs the pipeline of
/// [`Position::play`](crate::game::Position::play).
///
/// ```
/// use pentarch_core::hexes::{Playout, Position};
/// let start = Position::new("pentalath".parse().unwrap());
/// let mut playout = Playout::new(&start);
/// let outcome = playout.run(&mut fastrand::Rng::with_seed(1));
/// assert!(playout.plies() >= 9 || outcome.winner.is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Playout {
    rules: MoveRules,
    start: HexBoard,
    board: HexBoard,
    watch: Watch,
    /// By color: where a stone would complete a winning row, kept up by games that want it.
    wins: [Bitboard; 3],
    /// By color: where a stone would complete a row that loses.
    losses: [Bitboard; 3],
}

/// The empty cells, and who loses stones.
#[derive(Clone, Debug)]
struct Watch {
    free: EmptyCells<128>,
    /// The colors that lost stones in the last move, a bit each.
    bled: u8,
}

impl Watch {
    fn new(empty: Bitboard) -> Watch {
        let mut free = EmptyCells::default();
        cells_of(empty).for_each(|cell| free.removed(cell, Color(0)));
        Watch { free, bled: 0 }
    }
}

impl ChangeListener for Watch {
    #[inline]
    fn placed(&mut self, cell: Cell, color: Color) {
        self.free.placed(cell, color);
    }

    #[inline]
    fn removed(&mut self, cell: Cell, color: Color) {
        self.free.removed(cell, color);
        self.bled |= 1 << color.0;
    }
}

/// How often a cell is drawn before the legal ones are listed.
const TRIES: u32 = 8;

impl Playout {
    /// Prepares playouts from an open position. A choice of colors is taken to be made.
    pub fn new(position: &Position) -> Playout {
        let (rules, mut start) = (position.move_rules, position.board);
        start.state.choosing = false;
        let watch = Watch::new(start.empty);
        Playout { rules, start, board: start, watch, wins: [0; 3], losses: [0; 3] }
    }

    /// Plays one game from the starting position to its end and returns how it ended.
    pub fn run(&mut self, rng: &mut Rng) -> Outcome {
        self.run_with(rng, |_, _| ())
    }

    /// [`Playout::run`] that shows each cell before it is played, none for a pass, and the game so
    /// far.
    pub fn run_with(
        &mut self,
        rng: &mut Rng,
        mut watch: impl FnMut(&Playout, Option<Cell>),
    ) -> Outcome {
        self.reset();
        loop {
            if let Some(outcome) = self.board.state.outcome {
                return outcome;
            }
            let cell = self.draw(rng);
            watch(self, cell);
            self.play(cell);
        }
    }

    /// [`Playout::run`] with players who take a win, else block one, and do not lose by a short row
    /// if they need not (decisive and anti-decisive moves; Teytaud and Teytaud 2010).
    pub fn run_decisive(&mut self, rng: &mut Rng) -> Outcome {
        self.reset();
        (0..3).map(Color).for_each(|color| self.look_at(color));
        loop {
            if let Some(outcome) = self.board.state.outcome {
                return outcome;
            }
            let color = self.board.state.color;
            let cell = self.decisive(rng).or_else(|| self.draw_careful(rng));
            self.watch.bled = 0;
            self.play(cell);
            self.look_at(color);
            let bled = self.watch.bled;
            if bled != 0 {
                (0..3).map(Color).filter(|o| bled >> o.0 & 1 != 0).for_each(|o| self.look_at(o));
            }
        }
    }

    /// The length of the game so far, in plies from the start of the game.
    pub fn plies(&self) -> u32 {
        self.board.state.ply
    }

    /// The stones that a color has taken.
    pub fn captures(&self, color: Color) -> u16 {
        self.board.state.taken[color.index() % 3]
    }

    fn reset(&mut self) {
        if self.board != self.start {
            self.board = self.start;
            self.watch = Watch::new(self.board.empty);
        }
    }

    #[inline]
    fn play(&mut self, cell: Option<Cell>) {
        match cell {
            Some(cell) => self.board.place(&self.rules, &mut self.watch, cell),
            None => self.board.pass(&self.rules),
        }
    }

    /// A legal cell, none if there is none.
    #[inline]
    fn draw(&self, rng: &mut Rng) -> Option<Cell> {
        let color = self.board.state.color;
        let hexes = &self.rules.hexes;
        if !hexes.surround && !hexes.must_block {
            return Some(self.watch.free.draw(rng));
        }
        for _ in 0..TRIES {
            let cell = self.watch.free.draw(rng);
            if hexes.surround && self.board.may_place(color, cell) {
                return Some(cell);
            }
        }
        draw_from(self.board.legal_cells(&self.rules, color), rng)
    }

    /// [`Playout::draw`] that avoids rows that lose.
    #[inline]
    fn draw_careful(&self, rng: &mut Rng) -> Option<Cell> {
        let losses = self.losses[self.board.state.color.index() % 3];
        for _ in 0..TRIES {
            let cell = self.draw(rng)?;
            if losses & bit(cell) == 0 {
                return Some(cell);
            }
        }
        let legal = self.board.legal_cells(&self.rules, self.board.state.color);
        let safe = legal & !losses;
        draw_from(if safe == 0 { legal } else { safe }, rng)
    }

    /// A cell that wins, or else one where the next player would.
    #[inline]
    fn decisive(&self, rng: &mut Rng) -> Option<Cell> {
        let color = self.board.state.color;
        let next = self.board.next_color(&self.rules);
        let own = self.wins[color.index() % 3] & self.board.empty;
        let theirs = self.wins[next.index() % 3] & self.board.empty;
        if own | theirs == 0 {
            return None;
        }
        let may = |cell: &Cell| !self.rules.hexes.surround || self.board.may_place(color, *cell);
        let win = cells_of(own).find(may);
        let careful = theirs & !self.losses[color.index() % 3];
        win.or_else(|| draw_from(careful, rng).filter(may))
    }

    /// Notes where a color's rows can be completed.
    #[inline]
    fn look_at(&mut self, color: Color) {
        let stones = self.board.of(color);
        let line = self.rules.hexes.line;
        let wins = completions(stones, line);
        self.wins[color.index() % 3] = wins;
        if let Some(losing) = self.rules.hexes.losing_line {
            self.losses[color.index() % 3] = completions(stones, losing) & !wins;
        }
    }
}

/// One of the cells of a set, none if it is empty.
fn draw_from(cells: Bitboard, rng: &mut Rng) -> Option<Cell> {
    let count = cells.count_ones() as usize;
    (count > 0).then(|| cells_of(cells).nth(rng.usize(..count))).flatten()
}
