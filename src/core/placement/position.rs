//! A game of placed stones in play.

use super::IllegalPlacement;
use super::state::{Board, SquareState};
use crate::board::{
    CellContent, Grid, LineMap, SquareBoard, StoneTextError, Windows, parse_stone, stone_text,
};
use crate::game::{
    self, CaptureSigns, Cell, Change, Color, History, IllegalReason, Key, Move, MoveKind, MoveList,
    Outcome, PLY_CAP_HORIZON, Position as _, Seat, Side, stone_content,
};
use crate::rules::{CapturedGroups, OpeningStage, RuleTier, SquareRules};
use std::sync::Arc;

/// A game of placed stones in play, with the history that `undo` needs.
///
/// ```
/// use pentarch_core::game::Position as _;
/// use pentarch_core::placement::Position;
/// let mut position = Position::new("pro-pente".parse().unwrap());
/// let center = position.parse_move("j10").unwrap();
/// position.try_play(center).unwrap();
/// let again = position.try_play(center).unwrap_err();
/// assert_eq!(again.to_string(), "the point is occupied");
/// assert_eq!(position.undo(), Some(center));
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    rules: Arc<SquareRules>,
    pub(super) board: Board,
    history: History<SquareState>,
}

impl Position {
    /// The start of a game.
    pub fn new(rules: SquareRules) -> Position {
        let map = Arc::new(LineMap::new(rules.grid()));
        let stones = rules.stones();
        let colorless = stones.neutral > 0 || stones.power.is_some();
        let colors = if colorless { Color::POWER.0 + 1 } else { rules.seating().seats };
        let squares = SquareBoard::new(map, colors);
        let board = Board { squares, state: SquareState::start(&rules) };
        let history = History::new(&rules.to_string());
        let mut position = Position { rules: Arc::new(rules), board, history };
        position.restart_history();
        position
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Arc<SquareRules> {
        &self.rules
    }

    /// The grid of the board.
    pub fn grid(&self) -> Grid {
        self.board.squares.grid()
    }

    /// The stones on the board.
    pub fn board(&self) -> &SquareBoard {
        &self.board.squares
    }

    /// The cells of the board in their order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.grid().iter()
    }

    /// The name of a cell.
    pub fn label(&self, cell: Cell) -> String {
        self.grid().label(cell)
    }

    /// The color of the stone on a cell, `None` if the cell is empty or not on the board.
    pub fn stone(&self, cell: Cell) -> Option<Color> {
        self.grid().contains(cell).then(|| self.board().content(cell).color())?
    }

    /// The captured stones that count for a color.
    pub fn captures(&self, color: Color) -> u16 {
        self.board.state.counts[color.index() & 3]
    }

    /// The groups that a color's stone on an empty cell would capture from its
    /// [opponent](Color::opponent); they may include power stones.
    #[inline]
    pub fn captured_by(&self, color: Color, cell: Cell) -> CapturedGroups {
        let Some(capture) = self.rules.capture() else { return CapturedGroups::default() };
        if self.rules.stones().power.is_some() {
            return self.board.captured_groups(&self.rules, capture, color, cell);
        }
        let windows = |color| self.board().windows(color, cell);
        capture.captured(windows(color), windows(color.opponent()))
    }

    /// The empty points, as windows around an empty cell, at which a stone of its
    /// [opponent](Color::opponent) would make a color's stone on the cell lost by a poof.
    pub fn poof_points(&self, color: Color, cell: Cell) -> Windows {
        let poofing = self.rules.capture().filter(|capture| capture.poof);
        poofing.map_or(Windows(0), |capture| self.board.poof_points(capture, color, cell))
    }

    /// Whether the opening may limit where the next stone goes.
    #[inline]
    pub fn is_opening_limited(&self) -> bool {
        self.board.is_opening_limited(&self.rules)
    }

    /// The stage of the swap opening; [`OpeningStage::Play`] in games without one.
    pub fn stage(&self) -> OpeningStage {
        self.board.state.variant.stage
    }

    /// Whether the seat to move has to choose a color.
    pub fn is_choice(&self) -> bool {
        self.stage().is_choice()
    }

    /// The seat that owns a color.
    pub fn seat_of(&self, color: Color) -> Seat {
        self.board.state.seat_of(color)
    }

    /// The color whose five the others may still break, if there is one.
    pub fn pending_five(&self) -> Option<Color> {
        self.board.state.variant.pending_five.map(|five| five.maker)
    }

    /// Whether the color to move has a stone of this kind left.
    pub fn has_special_left(&self, kind: MoveKind) -> bool {
        self.board.check_special_left(&self.rules, self.color_to_move(), kind).is_ok()
    }

    /// Appends every legal move that places a stone on a cell; none if it is not empty.
    pub fn push_moves_at(&self, cell: Cell, moves: &mut MoveList) {
        self.board.push_moves_at(&self.rules, cell, moves);
    }

    /// Appends the legal moves that place a power stone on a cell, with only the bonus stones on `bonuses`
    /// if one of these diamonds is empty then.
    pub fn push_power_moves_at(&self, cell: Cell, bonuses: &[Cell], moves: &mut MoveList) {
        self.board.push_power_moves_at(&self.rules, cell, bonuses, moves);
    }

    /// Whether the color to move has a run that power stones complete, so that any stone wins.
    pub fn power_run_exists(&self) -> bool {
        self.board.power_run_exists(&self.rules, None)
    }

    /// Calls `visit` with every empty cell on which a stone might change whether the rules forbid the
    /// color to move a stone on `cell`, which is empty; with some cells more than once.
    pub fn for_each_forbidden_dependency(&self, cell: Cell, mut visit: impl FnMut(Cell)) {
        self.board.for_each_forbidden_dependency(&self.rules, cell, &mut visit);
    }

    /// The outcome after a move; `None` if the game would be open, or if the move is not legal.
    pub fn outcome_after(&self, mv: Move) -> Option<Outcome> {
        let legal = self.board.state.outcome.is_none() && self.is_legal(mv);
        legal.then(|| self.board.outcome_of_move(&self.rules, mv)).flatten()
    }

    /// Whether a legal move would win for the side that makes it.
    pub fn would_win(&self, mv: Move) -> bool {
        let known = self.wins_on_lines(mv);
        known.unwrap_or_else(|| self.is_won_by(self.to_move(), self.outcome_after(mv)))
    }

    /// Whether a move is legal and certainly wins, as far as the lines through its cells show.
    pub fn is_obvious_win(&self, mv: Move) -> bool {
        let is_empty = |cell| self.board().content(cell) == CellContent::EMPTY;
        mv.cell().is_some_and(is_empty) && self.wins_on_lines(mv) == Some(true) && self.is_legal(mv)
    }

    /// Whether a move would win, `None` if the lines through its cells do not show it.
    fn wins_on_lines(&self, mv: Move) -> Option<bool> {
        let (board, color) = (&self.board, self.color_to_move());
        match mv.kind() {
            MoveKind::Power(cell, Some(bonus)) => {
                board.completes_line_with_bonus(&self.rules, cell, bonus).then_some(true)
            }
            kind => {
                let (cell, signs) = kind.stone()?;
                board.is_obvious_win(&self.rules, color, cell, signs)
            }
        }
    }

    /// Whether a color's stone on an empty cell would win for its side if that color were to move.
    pub fn would_win_for(&self, color: Color, cell: Cell) -> bool {
        let known = self.board.is_obvious_win(&self.rules, color, cell, None);
        known.unwrap_or_else(|| {
            self.is_won_by(
                self.seat_of(color),
                self.board.outcome_of_stone(&self.rules, color, cell),
            )
        })
    }

    /// Whether an outcome is a win for the side of a seat.
    fn is_won_by(&self, seat: Seat, outcome: Option<Outcome>) -> bool {
        outcome.is_some_and(|outcome| outcome.winner == Some(self.side_of(seat)))
    }

    /// Takes back every ply to where the position was set up. Keeps the tables, so it is much cheaper than a
    /// new position.
    pub fn rewind(&mut self) {
        while game::Position::undo(self).is_some() {}
    }

    /// The moves played since the position was set up, in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> {
        self.history.moves()
    }

    /// The key computed from the stones, which the incremental key must equal.
    pub fn compute_key(&self) -> Key {
        Key(self.board_key() ^ self.board.state.key(&self.rules))
    }

    /// The part of the key that is on the board, computed from the stones.
    fn board_key(&self) -> u64 {
        let stones = self.grid().iter();
        let zobrist = self.history.zobrist();
        stones
            .fold(zobrist.empty(), |key, c| key ^ zobrist.cell(c, self.board.squares.content(c).0))
    }

    /// Removes all plies from the history: the position becomes one that was set up.
    fn restart_history(&mut self) {
        self.history.restart(self.board_key(), self.board.state.key(&self.rules));
    }

    /// The key of the position with the stone of every cell moved to `image[cell]`.
    pub fn transformed_key(&self, image: &[Cell]) -> Key {
        let zobrist = self.history.zobrist();
        let board = &self.board.squares;
        let stones = self.grid().iter().zip(image);
        Key(stones.fold(self.history.key().0, |key, (cell, &other)| {
            let content = board.content(cell).0;
            key ^ zobrist.cell(cell, content) ^ zobrist.cell(other, content)
        }))
    }

    /// Sets up stones, counts and turn without history. The caller sets the outcome.
    pub(super) fn set_up(&mut self, stones: &[(Cell, Color)], state: SquareState) {
        self.rewind();
        for cell in self.grid().iter() {
            if let Some(color) = self.board.squares.content(cell).color() {
                self.board.squares.remove(color, cell);
            }
        }
        for &(cell, color) in stones {
            self.board.squares.place(color, cell);
        }
        self.board.state = state;
        let rules = &self.rules;
        let breakable_or_power =
            rules.breakable_fives().is_some() || rules.stones().power.is_some();
        self.board.state.variant.run_exists =
            (rules.has_perfect_fives() || breakable_or_power) && self.board.any_run_exists(rules);
        self.board.state.set_turn(&self.rules);
        self.restart_history();
    }
}

impl game::Position for Position {
    type Error = IllegalPlacement;

    #[inline]
    fn to_move(&self) -> Seat {
        self.board.state.seat
    }

    #[inline]
    fn side_of(&self, seat: Seat) -> Side {
        self.rules.seating().side_of(seat)
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
        if self.board.state.outcome.is_none() {
            self.board.push_moves(&self.rules, moves);
        }
    }

    fn check(&self, mv: Move) -> Result<(), IllegalPlacement> {
        match self.board.state.outcome {
            Some(_) => Err(IllegalReason::GameOver.into()),
            None => self.board.check(&self.rules, mv),
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let before = self.board.state;
        self.history.begin(mv, before);
        self.board.play(&self.rules, &mut self.history, mv);
        self.history.end(self.board.state.key(&self.rules));
    }

    /// Possible in games of two seats with plain stones and single turns only.
    fn null_move(&mut self) -> bool {
        let (state, rules) = (self.board.state, &self.rules);
        let plain = rules.tier() < RuleTier::Full && state.variant.stage == OpeningStage::Play;
        let early = state.ply + PLY_CAP_HORIZON < rules.max_plies();
        if state.outcome.is_some()
            || !(plain && early && rules.seating().seats == 2)
            || self.is_opening_limited()
        {
            return false;
        }
        self.history.begin(MoveKind::Pass.into(), state);
        self.board.state.pass_turn(rules);
        self.history.end(self.board.state.key(&self.rules));
        true
    }

    #[inline]
    fn undo(&mut self) -> Option<Move> {
        let board = &mut self.board.squares;
        let (mv, before) = self.history.undo(|change| {
            if let Some(color) = CellContent(change.after).color() {
                board.remove(color, change.cell);
            }
            if let Some(color) = CellContent(change.before).color() {
                board.place(color, change.cell);
            }
        })?;
        self.board.state = before;
        Some(mv)
    }

    #[inline]
    fn key(&self) -> Key {
        self.history.key()
    }

    /// The key after a stone that captures nothing, with the turn of the next seat. To find captures would
    /// take longer than it saves.
    #[inline]
    fn key_after(&self, mv: Move) -> Key {
        let Some(cell) = mv.cell() else { return self.key() };
        let (state, zobrist) = (&self.board.state, self.history.zobrist());
        let mut next = SquareState { stones: state.stones + 1, ..*state };
        let mut changed = zobrist.cell(cell, stone_content(state.color));
        if let MoveKind::Power(_, bonus) = mv.kind() {
            next.variant.special[state.color.index() & 3] += 1;
            changed = zobrist.cell(cell, stone_content(Color::POWER));
            changed ^= bonus.map_or(0, |bonus| zobrist.cell(bonus, stone_content(state.color)));
        }
        next.pass_turn(&self.rules);
        self.history.key_with(changed, next.key(&self.rules))
    }

    #[inline]
    fn changes(&self) -> &[Change] {
        self.history.last_changes()
    }
}

impl Position {
    /// Reads a move in canonical text. It need not be legal.
    pub fn parse_move(&self, text: &str) -> Result<Move, StoneTextError> {
        self.parse_move_by(text, |point| self.grid().parse(point).map_err(StoneTextError::from))
    }

    /// Reads a move whose points have another notation, which `cell` reads. Where captures
    /// need signs, a move without any has `+` for all.
    pub fn parse_move_by<E: From<StoneTextError>>(
        &self,
        text: &str,
        cell: impl Fn(&str) -> Result<Cell, E>,
    ) -> Result<Move, E> {
        let bare = text.trim_end_matches(['+', '-']);
        let mv = parse_stone(bare, cell)?;
        let MoveKind::Stone(cell) = mv.kind() else { return Ok(mv) };
        let groups = self.groups_to_sign(cell);
        let signs = &text[bare.len()..];
        let count = usize::from(groups[0] + groups[1]);
        if !signs.is_empty() && signs.len() != count {
            let text = text.chars().take(40).collect();
            return Err(StoneTextError::Signs { text, groups: count }.into());
        }
        if count == 0 {
            return Ok(mv);
        }
        let minus = |text: &str| text.bytes().filter(|&sign| sign == b'-').count() as u8;
        let (longer, pairs) = signs.split_at(usize::from(groups[0]).min(signs.len()));
        let split = |all: u8, signs: &str| [all - minus(signs), minus(signs)];
        let signs =
            CaptureSigns { longer: split(groups[0], longer), pairs: split(groups[1], pairs) };
        Ok(MoveKind::Signed(cell, signs).into())
    }

    /// The numbers of longer groups and of pairs that a stone would capture and that need a sign each.
    fn groups_to_sign(&self, cell: Cell) -> [u8; 2] {
        if self.grid().contains(cell) && self.board().content(cell) == CellContent::EMPTY {
            self.board.signed_groups(self.rules(), cell)
        } else {
            [0, 0]
        }
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
