//! A game on hexagons in play. A move has the steps of all games in their order: place, captures, outcome,
//! whose turn.

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
    /// A reason that all families of games share.
    #[error(transparent)]
    Common(#[from] IllegalReason),
    /// A stone that would have no liberty.
    #[error("the stone would have no free cell beside its group")]
    Suicide,
    /// A move that does not prevent a win of the next player.
    #[error("the next player could win: win now, or take a cell where that wins")]
    MustBlock,
}

/// The rules that the steps of a move need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveRules {
    pub hexes: HexBoardRules,
    pub seats: u8,
    pub max_plies: u32,
}

/// Everything of a position that is not on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HexState {
    /// The color to move.
    pub color: Color,
    /// How the game ended, `None` while it is open.
    pub outcome: Option<Outcome>,
    /// The number of plies played.
    pub ply: u32,
    /// The number of passes since the last stone.
    pub passes: u8,
    /// The colors that are eliminated, a bit each.
    pub out: u8,
    /// Whether the seat to move has to choose a color.
    pub choosing: bool,
    /// Whether the first two seats have swapped colors.
    pub swapped: bool,
    /// The captured stones, by capturing color.
    pub captures: [u16; 3],
}

/// The stones and the state: a position without history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HexBoard {
    /// The stones of each color.
    pub stones: [Bitboard; 3],
    pub empty: Bitboard,
    pub state: HexState,
}

impl MoveRules {
    pub(super) fn new(rules: &HexRules) -> MoveRules {
        let seats = rules.seating().seats.min(3);
        MoveRules { hexes: *rules.board(), seats, max_plies: rules.max_plies() }
    }
}

impl HexState {
    fn start() -> HexState {
        HexState {
            color: Color(0),
            outcome: None,
            ply: 0,
            passes: 0,
            out: 0,
            choosing: false,
            swapped: false,
            captures: [0; 3],
        }
    }

    /// The seat that owns a color.
    #[inline]
    pub(super) fn seat_of(&self, color: Color) -> Seat {
        Seat(if self.swapped { color.0 ^ 1 } else { color.0 })
    }

    /// The next color after another one that is still in the game.
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
        HexBoard { stones: [0; 3], empty: rules.hexes.grid.all(), state: HexState::start() }
    }

    /// The stones of a color.
    #[inline]
    pub(super) fn of(&self, color: Color) -> Bitboard {
        self.stones[color.index() % 3]
    }

    /// The color that moves after the color to move.
    #[inline]
    pub(super) fn next_color(&self, rules: &MoveRules) -> Color {
        self.state.next(self.state.color, rules.seats)
    }

    /// The stones that a color's stone on an empty cell would capture.
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

    /// Whether a color may place a stone on an empty cell in a game with captures: the stone needs a
    /// liberty after its captures.
    #[inline]
    pub(super) fn may_place(&self, color: Color, cell: Cell) -> bool {
        neighbors(cell) & self.empty != 0
            || has_liberty(self.of(color), cell, self.empty)
            || self.captured_by(color, cell) != 0
    }

    /// The cells where a color may place a stone if it is to move.
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
            let captured = self.captured_by(color, cell);
            if captured != 0 {
                self.remove_captured(listener, captured);
            }
        }
        self.state.passes = 0;
        if neighbors(cell) & self.of(color) != 0 {
            self.update_outcome(rules);
        }
        self.end_turn(rules);
    }

    /// Removes captured stones and counts them.
    #[cold]
    fn remove_captured<J: ChangeListener>(&mut self, listener: &mut J, captured: Bitboard) {
        let count = &mut self.state.captures[self.state.color.index() % 3];
        *count = count.saturating_add(captured.count_ones() as u16);
        for (stones, color) in self.stones.iter_mut().zip((0..).map(Color)) {
            cells_of(*stones & captured).for_each(|cell| listener.removed(cell, color));
            *stones &= !captured;
        }
        self.empty |= captured;
    }

    /// Sets the outcome by the mover's rows.
    #[inline]
    fn update_outcome(&mut self, rules: &MoveRules) {
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

    /// A win of the seat that owns a color. Every seat is a side of its own.
    pub(super) fn win(&self, color: Color, reason: EndReason) -> Outcome {
        Outcome::win(Side(self.state.seat_of(color).0), reason)
    }

    /// Plays the forced pass of the color to move.
    pub(super) fn pass(&mut self, rules: &MoveRules) {
        self.state.passes += 1;
        self.end_turn(rules);
    }

    /// Plays the choice after the first stone. The second color is to move in either case.
    pub(super) fn choose(&mut self, rules: &MoveRules, swap: bool) {
        self.state.swapped = swap;
        self.state.choosing = false;
        self.state.ply += 1;
        self.state.outcome = self.stalemate(rules);
    }

    /// Gives the turn to the next color, and ends a game that cannot continue.
    #[inline]
    fn end_turn(&mut self, rules: &MoveRules) {
        self.state.color = self.next_color(rules);
        self.state.choosing = rules.hexes.swap1 && self.state.ply == 0;
        self.state.ply += 1;
        if self.state.outcome.is_none() {
            self.state.outcome = self.stalemate(rules);
        }
    }

    /// A draw if the game cannot continue.
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

    /// The cells of the board in the order of their numbers.
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

    /// The number of stones that a color has captured.
    pub fn captures(&self, color: Color) -> u16 {
        self.board.state.captures[color.index() % 3]
    }

    /// The color that moves after the color to move.
    #[inline]
    pub fn next_color(&self) -> Color {
        self.board.next_color(&self.move_rules)
    }

    /// The seat that owns a color.
    pub fn seat_of(&self, color: Color) -> Seat {
        self.board.state.seat_of(color)
    }

    /// The colors that are still in the game, except the one to move.
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

    /// The cells where a color may place a stone if it is to move, in an open game without a pending
    /// choice.
    #[inline]
    pub fn legal_cells(&self, color: Color) -> Bitboard {
        self.board.legal_cells(&self.move_rules, color)
    }

    /// The cells among some empty cells where a color may place a stone if it is to move. Faster than
    /// [`Position::legal_cells`] for few cells.
    #[inline]
    pub fn legal_among(&self, color: Color, cells: Bitboard) -> Bitboard {
        if !self.move_rules.hexes.surround {
            return cells & self.legal_cells(color);
        }
        let legal = cells_of(cells).filter(|&cell| self.board.may_place(color, cell));
        legal.fold(0, |cells, cell| cells | bit(cell))
    }

    /// The stones that a color's stone on an empty cell would capture.
    #[inline]
    pub fn captured_by(&self, color: Color, cell: Cell) -> Bitboard {
        if self.move_rules.hexes.surround { self.board.captured_by(color, cell) } else { 0 }
    }

    /// The same position in a game that is a draw after `plies` more plies.
    pub fn with_plies_left(&self, plies: u32) -> Position {
        let mut position = self.clone();
        position.move_rules.max_plies = self.move_rules.max_plies.min(self.board.state.ply + plies);
        position.restart_history();
        position
    }

    /// The number of plies left to the ply cap.
    pub fn plies_left(&self) -> u32 {
        self.move_rules.max_plies.saturating_sub(self.board.state.ply)
    }

    /// Takes back every ply to where the position was set up.
    pub fn rewind(&mut self) {
        while game::Position::undo(self).is_some() {}
    }

    /// The moves played since the position was set up, in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> {
        self.history.moves()
    }

    /// The key computed from the stones, which the incremental key must equal.
    pub fn compute_key(&self) -> Key {
        Key(self.board_key() ^ self.state_key(&self.board.state))
    }

    /// The part of the key that is on the board, computed from the stones.
    fn board_key(&self) -> u64 {
        let zobrist = self.history.zobrist();
        let colors = (0..3).map(Color);
        let stones = colors.flat_map(|c| cells_of(self.stones(c)).map(move |cell| (cell, c.0 + 1)));
        stones.fold(zobrist.empty(), |key, (cell, s)| key ^ zobrist.cell(cell, s))
    }

    /// Removes all plies from the history: the position becomes one that was set up.
    fn restart_history(&mut self) {
        self.history.restart(self.board_key(), self.state_key(&self.board.state));
    }

    /// The part of the key that is not on the board.
    #[inline]
    fn state_key(&self, state: &HexState) -> u64 {
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

    /// Reads a move whose points have another notation, which `cell` reads.
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

    /// The text of a move with points in another notation, which `label` writes.
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
