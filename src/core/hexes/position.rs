//! A game on hexagons in play. A move has the steps that all games share, in their order: place, take
//! what is surrounded, lines, victory, whose turn.

use super::bitboards::{completions, has_liberty, has_line, surrounded};
use crate::board::{
    Bitboard, HexGrid, StoneTextError, bit, cells_of, neighbors, neighbors_of, parse_stone,
    stone_text,
};
use crate::game::{
    self, Cell, Change, ChangeListener, Color, EndReason, History, IllegalReason, Key, Move,
    MoveKind, MoveList, Outcome, Seat, Side, state_key,
};
use crate::rules::{HexBoardRules, HexRules};
use std::sync::Arc;

/// Why a move on hexagons is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalHexMove {
    /// What no game allows.
    #[error(transparent)]
    Common(#[from] IllegalReason),
    /// A stone without liberty.
    #[error("the stone would have no free cell beside its group")]
    Suicide,
    /// A stone that lets the next player win.
    #[error("the next player could win: win now, or take a cell where that wins")]
    MustBlock,
}

/// The rules as far as a move asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveRules {
    pub hexes: HexBoardRules,
    pub seats: u8,
    pub max_plies: u32,
}

/// Everything of a position that is not on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The color to move.
    pub color: Color,
    /// How the game ended.
    pub outcome: Option<Outcome>,
    /// Plies played.
    pub ply: u32,
    /// Passes in a row up to now.
    pub passes: u8,
    /// The colors that are out of the game, a bit each.
    pub out: u8,
    /// Whether the seat to move has to choose its color.
    pub choosing: bool,
    /// Whether the first two seats have swapped colors.
    pub swapped: bool,
    /// Captured stones by the color that took them.
    pub taken: [u16; 3],
}

/// The stones and the state: a position without history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HexBoard {
    /// By color.
    pub stones: [Bitboard; 3],
    pub empty: Bitboard,
    pub state: State,
}

impl MoveRules {
    /// The rules of a game.
    pub(super) fn new(rules: &HexRules) -> MoveRules {
        let seats = rules.seating().seats.min(3);
        MoveRules { hexes: *rules.board(), seats, max_plies: rules.max_plies() }
    }
}

impl State {
    fn start() -> State {
        State {
            color: Color(0),
            outcome: None,
            ply: 0,
            passes: 0,
            out: 0,
            choosing: false,
            swapped: false,
            taken: [0; 3],
        }
    }

    /// The seat that owns a color.
    #[inline]
    pub(super) fn seat_of(&self, color: Color) -> Seat {
        Seat(if self.swapped { color.0 ^ 1 } else { color.0 })
    }

    /// The color after another one, of those still in the game.
    #[inline]
    fn next(&self, color: Color, seats: u8) -> Color {
        let mut next = color.0;
        for _ in 0..seats {
            next = if next + 1 >= seats { 0 } else { next + 1 };
            if self.out >> next & 1 == 0 {
                break;
            }
        }
        Color(next)
    }
}

impl HexBoard {
    pub(super) fn start(rules: &MoveRules) -> HexBoard {
        HexBoard { stones: [0; 3], empty: rules.hexes.grid.all(), state: State::start() }
    }

    /// The stones of a color.
    #[inline]
    pub(super) fn of(&self, color: Color) -> Bitboard {
        self.stones[color.index() % 3]
    }

    /// The color whose turn is next.
    #[inline]
    pub(super) fn next_color(&self, rules: &MoveRules) -> Color {
        self.state.next(self.state.color, rules.seats)
    }

    /// The stones that a stone of a color on an empty cell would take.
    #[inline]
    pub(super) fn captured_by(&self, color: Color, cell: Cell) -> Bitboard {
        let empty = self.empty & !bit(cell);
        let beside = neighbors(cell);
        let mut dead = 0;
        for (index, &stones) in self.stones.iter().enumerate() {
            if index != color.index() && beside & stones != 0 {
                dead |= surrounded(stones, beside, empty);
            }
        }
        dead
    }

    /// Whether a color may place a stone on an empty cell of a game with surrounding: it needs a
    /// liberty when surrounded groups are gone.
    #[inline]
    pub(super) fn may_place(&self, color: Color, cell: Cell) -> bool {
        neighbors(cell) & self.empty != 0
            || has_liberty(self.of(color), cell, self.empty)
            || self.captured_by(color, cell) != 0
    }

    /// The cells where a color may place a stone if it is its turn.
    #[inline]
    pub(super) fn legal_cells(&self, rules: &MoveRules, color: Color) -> Bitboard {
        if rules.hexes.surround {
            let open = self.empty & neighbors_of(self.empty);
            let tight = cells_of(self.empty & !open).filter(|&cell| self.may_place(color, cell));
            return tight.fold(open, |cells, cell| cells | bit(cell));
        }
        if rules.hexes.must_block {
            let line = rules.hexes.line;
            let next = self.state.next(color, rules.seats);
            let threats = completions(self.of(next), line) & self.empty;
            if threats != 0 {
                return threats | completions(self.of(color), line) & self.empty;
            }
        }
        self.empty
    }

    /// Why the color to move may not place a stone on a cell of the board.
    pub(super) fn check_cell(&self, rules: &MoveRules, cell: Cell) -> Result<(), IllegalHexMove> {
        if self.empty & bit(cell) == 0 {
            return Err(IllegalReason::Occupied.into());
        }
        if self.legal_cells(rules, self.state.color) & bit(cell) != 0 {
            return Ok(());
        }
        Err(if rules.hexes.surround { IllegalHexMove::Suicide } else { IllegalHexMove::MustBlock })
    }

    /// Places a stone of the color to move on a legal cell.
    #[inline]
    pub(super) fn place<J: ChangeListener>(
        &mut self,
        rules: &MoveRules,
        listener: &mut J,
        cell: Cell,
    ) {
        let color = self.state.color;
        self.stones[color.index() % 3] |= bit(cell);
        self.empty &= !bit(cell);
        listener.placed(cell, color);
        if rules.hexes.surround {
            let dead = self.captured_by(color, cell);
            if dead != 0 {
                self.take(listener, dead);
            }
        }
        self.state.passes = 0;
        if neighbors(cell) & self.of(color) != 0 {
            self.judge_lines(rules);
        }
        self.end_turn(rules);
    }

    /// Takes dead stones off the board and counts them.
    #[cold]
    fn take<J: ChangeListener>(&mut self, listener: &mut J, dead: Bitboard) {
        let count = &mut self.state.taken[self.state.color.index() % 3];
        *count = count.saturating_add(dead.count_ones() as u16);
        for (stones, color) in self.stones.iter_mut().zip((0..).map(Color)) {
            cells_of(*stones & dead).for_each(|cell| listener.removed(cell, color));
            *stones &= !dead;
        }
        self.empty |= dead;
    }

    /// What the mover's lines mean.
    #[inline]
    fn judge_lines(&mut self, rules: &MoveRules) {
        let MoveRules { hexes, seats, .. } = rules;
        let color = self.state.color;
        let own = self.of(color);
        if has_line(own, hexes.line) {
            self.state.outcome = Some(self.win(color, EndReason::Line));
        } else if hexes.losing_line.is_some_and(|length| has_line(own, length)) {
            self.state.out |= 1 << color.0;
            if self.state.out.count_ones() + 1 == u32::from(*seats) {
                let left = self.next_color(rules);
                self.state.outcome = Some(self.win(left, EndReason::ShortLine));
            }
        }
    }

    /// The win of the seat that owns a color. Every seat is a side of its own.
    pub(super) fn win(&self, color: Color, reason: EndReason) -> Outcome {
        Outcome::win(Side(self.state.seat_of(color).0), reason)
    }

    /// Makes the forced pass of the color to move.
    pub(super) fn pass(&mut self, rules: &MoveRules) {
        self.state.passes += 1;
        self.end_turn(rules);
    }

    /// Makes the choice after the first stone: the second color goes on, whoever owns it now.
    pub(super) fn choose(&mut self, rules: &MoveRules, swap: bool) {
        self.state.swapped = swap;
        self.state.choosing = false;
        self.state.ply += 1;
        self.state.outcome = self.stalemate(rules);
    }

    /// Hands the turn on, and ends a game that nobody can or may go on with.
    #[inline]
    fn end_turn(&mut self, rules: &MoveRules) {
        self.state.color = self.next_color(rules);
        self.state.choosing = rules.hexes.swap1 && self.state.ply == 0;
        self.state.ply += 1;
        if self.state.outcome.is_none() {
            self.state.outcome = self.stalemate(rules);
        }
    }

    /// The draw, if nobody can go on or nobody may.
    #[inline]
    pub(super) fn stalemate(&self, rules: &MoveRules) -> Option<Outcome> {
        if self.empty == 0 {
            return Some(Outcome::draw(EndReason::FullBoard));
        }
        if self.state.passes >= rules.seats {
            return Some(Outcome::draw(EndReason::NoMove));
        }
        (self.state.ply >= rules.max_plies).then_some(Outcome::draw(EndReason::PlyCap))
    }
}

/// A game on hexagons in play, with the history that `undo` needs.
///
/// ```
/// use pentarch_core::game::Position as _;
/// use pentarch_core::hexes::Position;
/// let mut position = Position::new("pentalath".parse().unwrap());
/// let middle = position.parse_move("d5").unwrap();
/// position.try_play(middle).unwrap();
/// assert_eq!(position.try_play(middle).unwrap_err().to_string(), "the point is occupied");
/// assert_eq!(position.undo(), Some(middle));
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    rules: Arc<HexRules>,
    pub(super) move_rules: MoveRules,
    pub(super) board: HexBoard,
    history: History<HexBoard>,
}

impl Position {
    /// The start of a game.
    pub fn new(rules: HexRules) -> Position {
        let move_rules = MoveRules::new(&rules);
        let history = History::new(&rules.to_string());
        let board = HexBoard::start(&move_rules);
        let mut position = Position { rules: Arc::new(rules), move_rules, board, history };
        position.restart_history();
        position
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Arc<HexRules> {
        &self.rules
    }

    /// The rules of the game on hexagons.
    #[inline]
    pub fn hexes(&self) -> &HexBoardRules {
        &self.move_rules.hexes
    }

    /// The board.
    pub fn grid(&self) -> HexGrid {
        self.move_rules.hexes.grid
    }

    /// The cells of the board in their order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.grid().iter()
    }

    /// The name of a cell.
    pub fn label(&self, cell: Cell) -> String {
        self.grid().label(cell)
    }

    /// A color's stones.
    #[inline]
    pub fn stones(&self, color: Color) -> Bitboard {
        self.board.of(color)
    }

    /// The cells without a stone.
    #[inline]
    pub fn empty(&self) -> Bitboard {
        self.board.empty
    }

    /// The color of the stone on a cell.
    pub fn stone(&self, cell: Cell) -> Option<Color> {
        (0..3).map(Color).find(|&color| self.stones(color) & bit(cell) != 0)
    }

    /// The stones that a color has taken.
    pub fn captures(&self, color: Color) -> u16 {
        self.board.state.taken[color.index() % 3]
    }

    /// The color whose turn comes after this one.
    #[inline]
    pub fn next_color(&self) -> Color {
        self.board.next_color(&self.move_rules)
    }

    /// The seat that owns a color.
    pub fn seat_of(&self, color: Color) -> Seat {
        self.board.state.seat_of(color)
    }

    /// The colors still in the game besides the one to move.
    pub fn opponents(&self) -> impl Iterator<Item = Color> {
        let (out, seats, mover) =
            (self.board.state.out, self.move_rules.seats, self.board.state.color);
        (0..seats).map(Color).filter(move |&color| color != mover && out >> color.0 & 1 == 0)
    }

    /// Whether the seat to move has to choose its color.
    #[inline]
    pub fn is_choice(&self) -> bool {
        self.board.state.choosing
    }

    /// The cells where a color may place a stone if it is its turn, in an open game without a
    /// choice.
    #[inline]
    pub fn legal_cells(&self, color: Color) -> Bitboard {
        self.board.legal_cells(&self.move_rules, color)
    }

    /// Whether a color may place a stone on a cell of a set of empty ones if it is its turn:
    /// [`Position::legal_cells`] for a few cells.
    #[inline]
    pub fn legal_among(&self, color: Color, cells: Bitboard) -> Bitboard {
        if !self.move_rules.hexes.surround {
            return cells & self.legal_cells(color);
        }
        let legal = cells_of(cells).filter(|&cell| self.board.may_place(color, cell));
        legal.fold(0, |cells, cell| cells | bit(cell))
    }

    /// The stones that a stone of a color on an empty cell would take.
    #[inline]
    pub fn captured_by(&self, color: Color, cell: Cell) -> Bitboard {
        if self.move_rules.hexes.surround { self.board.captured_by(color, cell) } else { 0 }
    }

    /// The same position in a game that is a draw if it lasts for that many more plies.
    pub fn with_plies_left(&self, plies: u32) -> Position {
        let mut position = self.clone();
        position.move_rules.max_plies = self.move_rules.max_plies.min(self.board.state.ply + plies);
        position.restart_history();
        position
    }

    /// The plies left until the ply cap.
    pub fn plies_left(&self) -> u32 {
        self.move_rules.max_plies.saturating_sub(self.board.state.ply)
    }

    /// Takes every ply back to where the position was set up.
    pub fn rewind(&mut self) {
        while game::Position::undo(self).is_some() {}
    }

    /// The moves played since the position was set up, in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> {
        self.history.moves()
    }

    /// The key worked out from the stones, which the running key must equal.
    pub fn compute_key(&self) -> Key {
        Key(self.board_key() ^ self.state_key(&self.board.state))
    }

    /// The part of the key that is on the board, worked out from the stones.
    fn board_key(&self) -> u64 {
        let zobrist = self.history.zobrist();
        let colors = (0..3).map(Color);
        let stones = colors.flat_map(|c| cells_of(self.stones(c)).map(move |cell| (cell, c.0 + 1)));
        stones.fold(zobrist.empty(), |key, (cell, s)| key ^ zobrist.cell(cell, s))
    }

    /// Forgets all plies; the position is the one that stones and state make.
    fn restart_history(&mut self) {
        self.history.restart(self.board_key(), self.state_key(&self.board.state));
    }

    /// The part of the key that is not on the board.
    #[inline]
    fn state_key(&self, state: &State) -> u64 {
        let word = u64::from(state.color.0)
            | u64::from(state.passes) << 8
            | u64::from(state.out) << 16
            | u64::from(state.choosing) << 24
            | u64::from(state.swapped) << 25;
        state_key(word, self.move_rules.max_plies.saturating_sub(state.ply))
    }

    /// Sets up stones and state without history.
    pub(super) fn set_up(&mut self, board: HexBoard) {
        self.board = board;
        self.restart_history();
    }

    /// Reads a move in canonical text. It need not be legal.
    pub fn parse_move(&self, text: &str) -> Result<Move, StoneTextError> {
        self.parse_move_by(text, |point| self.grid().parse(point).map_err(StoneTextError::from))
    }

    /// Reads a move whose points are named by another convention, which `cell` knows.
    pub fn parse_move_by<E: From<StoneTextError>>(
        &self,
        text: &str,
        cell: impl Fn(&str) -> Result<Cell, E>,
    ) -> Result<Move, E> {
        parse_stone(text, cell)
    }

    /// The canonical text of a move on this board.
    pub fn move_text(&self, mv: Move) -> String {
        self.move_text_by(mv, |cell| self.grid().label(cell))
    }

    /// The text of a move with its points named by another convention.
    pub fn move_text_by(&self, mv: Move, label: impl Fn(Cell) -> String) -> String {
        stone_text(mv, label)
    }
}

impl game::Position for Position {
    type Error = IllegalHexMove;

    #[inline]
    fn to_move(&self) -> Seat {
        self.board.state.seat_of(self.board.state.color)
    }

    #[inline]
    fn side_of(&self, seat: Seat) -> Side {
        Side(seat.0)
    }

    #[inline]
    fn color_to_move(&self) -> Color {
        self.board.state.color
    }

    #[inline]
    fn ply(&self) -> u32 {
        self.board.state.ply
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.board.state.outcome
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        if self.board.state.outcome.is_some() {
            return;
        }
        if self.board.state.choosing {
            moves.extend([MoveKind::Swap, MoveKind::Keep].map(Move::from));
            return;
        }
        let cells = self.legal_cells(self.board.state.color);
        moves.extend(cells_of(cells).map(Move::stone));
        if cells == 0 {
            moves.push(MoveKind::Pass.into());
        }
    }

    fn check(&self, mv: Move) -> Result<(), IllegalHexMove> {
        if self.board.state.outcome.is_some() {
            return Err(IllegalReason::GameOver.into());
        }
        let choosing = self.board.state.choosing;
        let cell = match mv.kind() {
            MoveKind::Swap | MoveKind::Keep if choosing => return Ok(()),
            _ if choosing => return Err(IllegalReason::MustChoose { more: false }.into()),
            MoveKind::Stone(cell) => cell,
            MoveKind::Pass if self.legal_cells(self.board.state.color) == 0 => return Ok(()),
            kind => return Err(IllegalReason::unknown(kind).into()),
        };
        if !self.grid().contains(cell) {
            return Err(IllegalReason::OffBoard.into());
        }
        self.board.check_cell(&self.move_rules, cell)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let before = self.board;
        self.history.begin(mv, before);
        match mv.kind() {
            MoveKind::Swap => self.board.choose(&self.move_rules, true),
            MoveKind::Keep => self.board.choose(&self.move_rules, false),
            MoveKind::Pass => self.board.pass(&self.move_rules),
            _ => {
                if let Some(cell) = mv.cell() {
                    self.board.place(&self.move_rules, &mut self.history, cell);
                }
            }
        }
        self.history.end(self.state_key(&self.board.state));
    }

    #[inline]
    fn undo(&mut self) -> Option<Move> {
        let (mv, before) = self.history.undo(|_| ())?;
        self.board = before;
        Some(mv)
    }

    #[inline]
    fn key(&self) -> Key {
        self.history.key()
    }

    #[inline]
    fn changes(&self) -> &[Change] {
        self.history.last_changes()
    }
}
