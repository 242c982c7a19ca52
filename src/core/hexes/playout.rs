//! Random games, for measuring the rules, for sampling and for search.

use super::Position;
use super::bitboards::completions;
use super::position::{HexBoard, MoveRules};
use crate::board::{Bitboard, bit, cells_of};
use crate::game::{Cell, ChangeListener, Color, EmptyCells, Outcome};
use fastrand::Rng;

/// Plays random games from one starting position to their ends, each move drawn uniformly from the legal
/// ones. It keeps neither history nor key, but every move runs the steps of
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
    listener: PlayoutListener,
    /// By color: the cells that complete a winning row. Only [`Playout::run_decisive`] updates them.
    wins: [Bitboard; 3],
    /// By color: the cells that complete a losing row.
    losses: [Bitboard; 3],
}

/// Keeps the empty cells, and notes which colors lose stones.
#[derive(Clone, Debug)]
struct PlayoutListener {
    empty: EmptyCells<128>,
    /// The colors that lost stones in the last move, a bit each.
    lost_stones: u8,
}

impl PlayoutListener {
    fn new(empty: Bitboard) -> PlayoutListener {
        let mut cells = EmptyCells::default();
        cells_of(empty).for_each(|cell| cells.removed(cell, Color(0)));
        PlayoutListener { empty: cells, lost_stones: 0 }
    }
}

impl ChangeListener for PlayoutListener {
    #[inline]
    fn placed(&mut self, cell: Cell, color: Color) {
        self.empty.placed(cell, color);
    }

    #[inline]
    fn removed(&mut self, cell: Cell, color: Color) {
        self.empty.removed(cell, color);
        self.lost_stones |= 1 << color.0;
    }
}

/// The number of cells that are drawn before the legal ones are listed.
const TRIES: u32 = 8;

impl Playout {
    /// Prepares playouts from an open position. A pending choice of a color is skipped.
    pub fn new(position: &Position) -> Playout {
        let (rules, mut start) = (position.move_rules, position.board);
        start.state.choosing = false;
        let listener = PlayoutListener::new(start.empty);
        Playout { rules, start, board: start, listener, wins: [0; 3], losses: [0; 3] }
    }

    /// Plays one game from the starting position to its end and returns how it ended.
    pub fn run(&mut self, rng: &mut Rng) -> Outcome {
        self.run_with(rng, |_, _| ())
    }

    /// [`Playout::run`] that calls `watch` with the game so far and each cell before it is played, `None` for
    /// a pass.
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

    /// [`Playout::run`] with players who win if they can, else block a win, and avoid losing rows
    /// (decisive and anti-decisive moves; Teytaud and Teytaud 2010).
    pub fn run_decisive(&mut self, rng: &mut Rng) -> Outcome {
        self.reset();
        (0..3).map(Color).for_each(|color| self.update_completions(color));
        loop {
            if let Some(outcome) = self.board.state.outcome {
                return outcome;
            }
            let color = self.board.state.color;
            let cell = self.decisive(rng).or_else(|| self.draw_careful(rng));
            self.listener.lost_stones = 0;
            self.play(cell);
            self.update_completions(color);
            let lost_stones = self.listener.lost_stones;
            if lost_stones != 0 {
                (0..3)
                    .map(Color)
                    .filter(|o| lost_stones >> o.0 & 1 != 0)
                    .for_each(|o| self.update_completions(o));
            }
        }
    }

    /// The length of the game so far, in plies from the start of the game.
    pub fn plies(&self) -> u32 {
        self.board.state.ply
    }

    /// The number of stones that a color has captured.
    pub fn captures(&self, color: Color) -> u16 {
        self.board.state.captures[color.index() % 3]
    }

    fn reset(&mut self) {
        if self.board != self.start {
            self.board = self.start;
            self.listener = PlayoutListener::new(self.board.empty);
        }
    }

    #[inline]
    fn play(&mut self, cell: Option<Cell>) {
        match cell {
            Some(cell) => self.board.place(&self.rules, &mut self.listener, cell),
            None => self.board.pass(&self.rules),
        }
    }

    /// A random legal cell, `None` if there is none.
    #[inline]
    fn draw(&self, rng: &mut Rng) -> Option<Cell> {
        let color = self.board.state.color;
        let hexes = &self.rules.hexes;
        if !hexes.surround && !hexes.must_block {
            return Some(self.listener.empty.draw(rng));
        }
        for _ in 0..TRIES {
            let cell = self.listener.empty.draw(rng);
            if hexes.surround && self.board.may_place(color, cell) {
                return Some(cell);
            }
        }
        draw_from(self.board.legal_cells(&self.rules, color), rng)
    }

    /// [`Playout::draw`] that avoids losing rows.
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

    /// A cell that wins, or else one where the next player would win.
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

    /// Updates the cells that complete a color's rows.
    #[inline]
    fn update_completions(&mut self, color: Color) {
        let stones = self.board.of(color);
        let line = self.rules.hexes.line;
        let wins = completions(stones, line);
        self.wins[color.index() % 3] = wins;
        if let Some(losing) = self.rules.hexes.losing_line {
            self.losses[color.index() % 3] = completions(stones, losing) & !wins;
        }
    }
}

/// A random cell of a set, `None` if it is empty.
fn draw_from(cells: Bitboard, rng: &mut Rng) -> Option<Cell> {
    let count = cells.count_ones() as usize;
    (count > 0).then(|| cells_of(cells).nth(rng.usize(..count))).flatten()
}
