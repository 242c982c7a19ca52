//! A game on hexagons in play.

use super::IllegalHex;
use super::core::{Core, MoveRules, State};
use crate::board::{Bitboard, HexGrid, StoneTextError, bit, each, parse_stone, stone_text};
use crate::game::{
    self, Cell, Change, Color, History, Illegal, Key, Move, MoveKind, MoveList, Outcome, Seat,
    Side, state_key,
};
use crate::rules::{HexRules, Hexes};
use std::sync::Arc;

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
    pub(super) core: Core,
    history: History<Core>,
}

impl Position {
    /// The start of a game.
    pub fn new(rules: HexRules) -> Position {
        let move_rules = MoveRules::new(&rules);
        let history = History::new(&rules.to_string());
        let core = Core::start(&move_rules);
        let mut position = Position { rules: Arc::new(rules), move_rules, core, history };
        position.restart_history();
        position
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Arc<HexRules> {
        &self.rules
    }

    /// The rules of the game on hexagons.
    #[inline]
    pub fn hexes(&self) -> &Hexes {
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
        self.core.of(color)
    }

    /// The cells without a stone.
    #[inline]
    pub fn empty(&self) -> Bitboard {
        self.core.empty
    }

    /// The color of the stone on a cell.
    pub fn stone(&self, cell: Cell) -> Option<Color> {
        (0..3).map(Color).find(|&color| self.stones(color) & bit(cell) != 0)
    }

    /// The stones that a color has taken.
    pub fn captures(&self, color: Color) -> u16 {
        self.core.state.taken[color.index() % 3]
    }

    /// The color whose turn comes after this one.
    #[inline]
    pub fn next_color(&self) -> Color {
        self.core.next_color(&self.move_rules)
    }

    /// The seat that owns a color.
    pub fn seat_of(&self, color: Color) -> Seat {
        self.core.state.seat_of(color)
    }

    /// The colors still in the game besides the one to move.
    pub fn rivals(&self) -> impl Iterator<Item = Color> {
        let (out, seats, mover) =
            (self.core.state.out, self.move_rules.seats, self.core.state.color);
        (0..seats).map(Color).filter(move |&color| color != mover && out >> color.0 & 1 == 0)
    }

    /// Whether the seat to move has to choose its color.
    #[inline]
    pub fn is_choice(&self) -> bool {
        self.core.state.choosing
    }

    /// The cells where a color may place a stone if it is its turn, in an open game without a
    /// choice.
    #[inline]
    pub fn legal_cells(&self, color: Color) -> Bitboard {
        self.core.legal_cells(&self.move_rules, color)
    }

    /// Whether a color may place a stone on a cell of a set of empty ones if it is its turn:
    /// [`Position::legal_cells`] for a few cells.
    #[inline]
    pub fn legal_of(&self, color: Color, cells: Bitboard) -> Bitboard {
        if !self.move_rules.hexes.surround {
            return cells & self.legal_cells(color);
        }
        let legal = each(cells).filter(|&cell| self.core.may_place(color, cell));
        legal.fold(0, |cells, cell| cells | bit(cell))
    }

    /// The stones that a stone of a color on an empty cell would take.
    #[inline]
    pub fn takes(&self, color: Color, cell: Cell) -> Bitboard {
        if self.move_rules.hexes.surround { self.core.takes(color, cell) } else { 0 }
    }

    /// The same position in a game that is a draw if it lasts for that many more plies.
    pub fn ending_within(&self, plies: u32) -> Position {
        let mut position = self.clone();
        position.move_rules.max_plies = self.move_rules.max_plies.min(self.core.state.ply + plies);
        position.restart_history();
        position
    }

    /// The plies left until the ply cap.
    pub fn plies_left(&self) -> u32 {
        self.move_rules.max_plies.saturating_sub(self.core.state.ply)
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
    pub fn fresh_key(&self) -> Key {
        Key(self.board_key() ^ self.state_key(&self.core.state))
    }

    /// The part of the key that is on the board, worked out from the stones.
    fn board_key(&self) -> u64 {
        let zobrist = self.history.zobrist();
        let colors = (0..3).map(Color);
        let stones = colors.flat_map(|c| each(self.stones(c)).map(move |cell| (cell, c.0 + 1)));
        stones.fold(zobrist.empty(), |key, (cell, s)| key ^ zobrist.cell(cell, s))
    }

    /// Forgets all plies; the position is the one that stones and state make.
    fn restart_history(&mut self) {
        self.history.restart(self.board_key(), self.state_key(&self.core.state));
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
    pub(super) fn set_up(&mut self, core: Core) {
        self.core = core;
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
    type Illegal = IllegalHex;

    #[inline]
    fn to_move(&self) -> Seat {
        self.core.state.seat_of(self.core.state.color)
    }

    #[inline]
    fn side_of(&self, seat: Seat) -> Side {
        Side(seat.0)
    }

    #[inline]
    fn color_to_move(&self) -> Color {
        self.core.state.color
    }

    #[inline]
    fn ply(&self) -> u32 {
        self.core.state.ply
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.core.state.outcome
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        if self.core.state.outcome.is_some() {
            return;
        }
        if self.core.state.choosing {
            moves.extend([MoveKind::Swap, MoveKind::Keep].map(Move::from));
            return;
        }
        let cells = self.legal_cells(self.core.state.color);
        moves.extend(each(cells).map(Move::stone));
        if cells == 0 {
            moves.push(MoveKind::Pass.into());
        }
    }

    fn check(&self, mv: Move) -> Result<(), IllegalHex> {
        if self.core.state.outcome.is_some() {
            return Err(Illegal::GameOver.into());
        }
        let choosing = self.core.state.choosing;
        let cell = match mv.kind() {
            MoveKind::Swap | MoveKind::Keep if choosing => return Ok(()),
            _ if choosing => return Err(Illegal::MustChoose { more: false }.into()),
            MoveKind::Stone(cell) => cell,
            MoveKind::Pass if self.legal_cells(self.core.state.color) == 0 => return Ok(()),
            kind => return Err(Illegal::unknown(kind).into()),
        };
        if !self.grid().contains(cell) {
            return Err(Illegal::OffBoard.into());
        }
        self.core.check_cell(&self.move_rules, cell)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let before = self.core;
        self.history.begin(mv, before);
        match mv.kind() {
            MoveKind::Swap => self.core.choose(&self.move_rules, true),
            MoveKind::Keep => self.core.choose(&self.move_rules, false),
            MoveKind::Pass => self.core.pass(&self.move_rules),
            _ => {
                if let Some(cell) = mv.cell() {
                    self.core.place(&self.move_rules, &mut self.history, cell);
                }
            }
        }
        self.history.end(self.state_key(&self.core.state));
    }

    #[inline]
    fn undo(&mut self) -> Option<Move> {
        let (mv, before) = self.history.undo(|_| ())?;
        self.core = before;
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
