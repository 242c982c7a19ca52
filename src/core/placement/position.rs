//! A game of placed stones in play.

use super::pipeline::{Board, State};
use crate::board::{
    CellContent, Grid, LineMap, SquareBoard, StoneTextError, Windows, parse_stone, stone_text,
};
use crate::game::{
    self, CaptureSigns, Cell, Change, Color, History, IllegalReason, Key, Move, MoveKind, MoveList,
    Outcome, PLY_CAP_HORIZON, Position as _, Seat, Side, state_key, stone_content,
};
use crate::rules::{CapturedGroups, OpeningStage, OpeningViolation, RuleTier, SquareRules};
use std::sync::Arc;

/// Why a move on squares is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPlacement {
    /// What no game allows.
    #[error(transparent)]
    Common(#[from] IllegalReason),
    /// The opening does not allow the point.
    #[error(transparent)]
    Opening(#[from] OpeningViolation),
    /// `more` where it is not offered.
    #[error("no more stones may be asked for")]
    NoMore,
    /// A winning run made while a swap opening is under way.
    #[error("a stone of the opening must not complete a winning line")]
    OpeningLine,
    /// A special stone in a swap opening.
    #[error("the stones of the opening are plain ones")]
    OpeningStone,
    /// The player's special stones are used up.
    #[error("no {0} are left")]
    NoneLeft(&'static str),
    /// A power stone whose bonus stone is missing, or may not be there.
    #[error("{0}")]
    Bonus(&'static str),
    /// More taken from the opponent's count than is there.
    #[error("more would be taken from the opponent's count than is there")]
    CountTooLow,
    /// Fours that the rules do not allow.
    #[error("this would leave {0} of one's own")]
    Four(&'static str),
    /// A shape that is forbidden.
    #[error("this point is forbidden: {0}")]
    Forbidden(&'static str),
}

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
    history: History<State>,
}

impl Position {
    /// The start of a game.
    pub fn new(rules: SquareRules) -> Position {
        let map = Arc::new(LineMap::new(rules.grid()));
        let stones = rules.stones();
        let colorless = stones.neutral > 0 || stones.power.is_some();
        let colors = if colorless { Color::POWER.0 + 1 } else { rules.seating().seats };
        let squares = SquareBoard::new(map, colors);
        let board = Board { squares, state: State::start(&rules) };
        let history = History::new(&rules.to_string());
        let mut position = Position { rules: Arc::new(rules), board, history };
        position.restart_history();
        position
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Arc<SquareRules> {
        &self.rules
    }

    /// The board's grid.
    pub fn grid(&self) -> Grid {
        self.board.squares.grid()
    }

    /// The stones.
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

    /// The color of the stone on a cell, if the board has the cell and a stone lies there.
    pub fn stone(&self, cell: Cell) -> Option<Color> {
        self.grid().contains(cell).then(|| self.board().content(cell).color())?
    }

    /// The captured stones that count for a color.
    pub fn captures(&self, color: Color) -> u16 {
        self.board.state.counts[color.index() & 3]
    }

    /// The groups that a stone of a color on an empty cell would capture from its
    /// [opponent](Color::opponent), power stones in them or not.
    #[inline]
    pub fn captured_by(&self, color: Color, cell: Cell) -> CapturedGroups {
        let Some(capture) = self.rules.capture() else { return CapturedGroups::default() };
        if self.rules.stones().power.is_some() {
            return self.board.groups_taken(&self.rules, capture, color, cell);
        }
        let windows = |color| self.board().windows(color, cell);
        capture.captured(windows(color), windows(color.opponent()))
    }

    /// The empty cells, as windows around an empty one, on which a stone of its [opponent](Color::opponent) would
    /// have a color's stone there lost with a row of it.
    pub fn poof_points(&self, color: Color, cell: Cell) -> Windows {
        let poofing = self.rules.capture().filter(|capture| capture.poof);
        poofing.map_or(Windows(0), |capture| self.board.poof_points(capture, color, cell))
    }

    /// Whether the opening may still limit where the next stone goes.
    #[inline]
    pub fn is_opening_limited(&self) -> bool {
        self.board.is_opening_limited(&self.rules)
    }

    /// How far the swap opening has come.
    pub fn stage(&self) -> OpeningStage {
        self.board.state.variant.stage
    }

    /// Whether a color is to be chosen.
    pub fn is_choice(&self) -> bool {
        self.stage().is_choice()
    }

    /// The seat that owns a color.
    pub fn seat_of(&self, color: Color) -> Seat {
        Seat(color.0 ^ u8::from(self.board.state.variant.swapped))
    }

    /// Whose five is being answered, if one is.
    pub fn pending_five(&self) -> Option<Color> {
        self.board.state.variant.five.map(|five| five.maker)
    }

    /// Whether the color to move may still place a stone of that kind somewhere, as far as their number goes.
    pub fn has_special_left(&self, kind: MoveKind) -> bool {
        self.board.has_special_left(&self.rules, self.color_to_move(), kind)
    }

    /// Adds every legal move that puts something on an empty cell of an open game.
    pub fn push_moves_at(&self, cell: Cell, moves: &mut MoveList) {
        self.board.push_moves_at(&self.rules, cell, moves);
    }

    /// Adds the legal moves that put a power stone on an empty cell, with bonus stones on some diamonds alone
    /// if one of these is free then.
    pub fn push_power_moves_at(&self, cell: Cell, bonuses: &[Cell], moves: &mut MoveList) {
        self.board.push_power_moves_at(&self.rules, cell, bonuses, moves);
    }

    /// Whether a run stands with which any stone wins for the color to move, as power stones that may now be
    /// read as its own complete it.
    pub fn power_run_exists(&self) -> bool {
        self.board.power_run_exists(&self.rules, None)
    }

    /// Calls `visit` with every empty cell on which a stone might change whether the rules forbid the
    /// color to move a stone on `cell`, an empty one; with some more than once.
    pub fn for_each_forbidden_dependency(&self, cell: Cell, mut visit: impl FnMut(Cell)) {
        self.board.for_each_forbidden_dependency(&self.rules, cell, &mut visit);
    }

    /// How the game would stand after a legal move; none also if the move is not legal.
    pub fn outcome_after(&self, mv: Move) -> Option<Outcome> {
        let legal = self.board.state.outcome.is_none() && self.is_legal(mv);
        legal.then(|| self.board.outcome_after(&self.rules, mv)).flatten()
    }

    /// Whether a legal move would win for the side that makes it.
    pub fn would_win(&self, mv: Move) -> bool {
        let known = self.look_at(mv);
        known.unwrap_or_else(|| self.is_won_by(self.to_move(), self.outcome_after(mv)))
    }

    /// Whether a move is legal and, as a look at the lines through its cells tells, would win.
    pub fn is_obvious_win(&self, mv: Move) -> bool {
        let is_empty = |cell| self.board().content(cell) == CellContent::EMPTY;
        mv.cell().is_some_and(is_empty) && self.look_at(mv) == Some(true) && self.is_legal(mv)
    }

    /// Whether a move would win, where a look at the lines through its cells tells.
    fn look_at(&self, mv: Move) -> Option<bool> {
        let (board, color) = (&self.board, self.color_to_move());
        let look = |(cell, signs)| board.is_obvious_win(&self.rules, color, cell, signs);
        match mv.kind() {
            MoveKind::Power(cell, Some(bonus)) => {
                board.completes_line_with_bonus(&self.rules, cell, bonus).then_some(true)
            }
            kind => kind.stone().and_then(look),
        }
    }

    /// Whether a color's stone on an empty cell would win for its side, if it were that color's turn.
    pub fn would_win_for(&self, color: Color, cell: Cell) -> bool {
        let known = self.board.is_obvious_win(&self.rules, color, cell, None);
        known.unwrap_or_else(|| {
            self.is_won_by(self.seat_of(color), self.board.outcome_by(&self.rules, color, cell))
        })
    }

    /// Whether the side of a seat wins by an outcome.
    fn is_won_by(&self, seat: Seat, outcome: Option<Outcome>) -> bool {
        outcome.is_some_and(|outcome| outcome.winner == Some(self.side_of(seat)))
    }

    /// Takes every ply back, which keeps the tables: much cheaper than a new position.
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
        let stones = self.grid().iter();
        let zobrist = self.history.zobrist();
        stones
            .fold(zobrist.empty(), |key, c| key ^ zobrist.cell(c, self.board.squares.content(c).0))
    }

    /// Forgets all plies; the position is the one that stones and state make.
    fn restart_history(&mut self) {
        self.history.restart(self.board_key(), self.state_key(&self.board.state));
    }

    /// The key of the position with every stone moved to where `image`, indexed by cell, says.
    pub fn transformed_key(&self, image: &[Cell]) -> Key {
        let zobrist = self.history.zobrist();
        let board = &self.board.squares;
        let stones = self.grid().iter().zip(image);
        Key(stones.fold(self.history.key().0, |key, (cell, &other)| {
            let content = board.content(cell).0;
            key ^ zobrist.cell(cell, content) ^ zobrist.cell(other, content)
        }))
    }

    /// The part of the key that is not on the board: the color to move, the counts that a goal
    /// depends on, the opening stage, and the plies to the cap where they are few.
    #[inline]
    fn state_key(&self, state: &State) -> u64 {
        let has_goal = self.rules.capture().is_some_and(|capture| capture.goal.is_some());
        let counts = if has_goal { state.counts } else { [0; 4] };
        let opened = state.stones.min(self.rules.limited_stones());
        let plies_left = self.rules.max_plies().saturating_sub(state.ply);
        if self.rules.tier() != RuleTier::Plain {
            return state.variant_key(counts, opened, plies_left);
        }
        let shifts = [8, 20, 32, 44];
        let counts = counts.into_iter().zip(shifts).map(|(count, shift)| u64::from(count) << shift);
        let word = counts.fold(u64::from(state.color.0), |word, count| word | count);
        state_key(word | u64::from(opened) << 60, plies_left)
    }

    /// Sets up stones, counts and turn without history; `stalemate` and wins are the caller's.
    pub(super) fn set_up(&mut self, stones: &[(Cell, Color)], state: State) {
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
        let boat_or_power = rules.breakable_fives().is_some() || rules.stones().power.is_some();
        self.board.state.variant.stands =
            (rules.has_perfect_fives() || boat_or_power) && self.board.has_runs(rules);
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
        if self.board.state.outcome.is_some() {
            return;
        }
        moves.reserve(usize::from(self.board.squares.empty()));
        if self.rules.tier() != RuleTier::Plain {
            self.board.push_variant_moves(&self.rules, moves);
        } else if self.is_opening_limited() {
            let open = self.grid().iter().filter(|&cell| self.board.is_open(&self.rules, cell));
            moves.extend(open.map(Move::stone));
        } else {
            self.board.squares.for_each_empty(|cell| moves.push(Move::stone(cell)));
        }
    }

    fn check(&self, mv: Move) -> Result<(), IllegalPlacement> {
        if self.board.state.outcome.is_some() {
            return Err(IllegalReason::GameOver.into());
        }
        if self.rules.tier() != RuleTier::Plain {
            return self.board.check_variant(&self.rules, mv);
        }
        let MoveKind::Stone(cell) = mv.kind() else {
            return Err(IllegalReason::unknown(mv.kind()).into());
        };
        if !self.grid().contains(cell) {
            return Err(IllegalReason::OffBoard.into());
        }
        if self.board.squares.content(cell) != CellContent::EMPTY {
            return Err(IllegalReason::Occupied.into());
        }
        Ok(self.board.opening_allows(&self.rules, cell)?)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let before = self.board.state;
        self.history.begin(mv, before);
        self.board.play(&self.rules, &mut self.history, mv);
        self.history.end(self.state_key(&self.board.state));
    }

    /// Only where two seats take turns and plain stones are all there is.
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
        self.history.end(self.state_key(&self.board.state));
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

    /// That of a stone that captures nothing, after which it is the next seat's turn: to look for captures
    /// takes longer than it saves.
    #[inline]
    fn key_after(&self, mv: Move) -> Key {
        let Some(cell) = mv.cell() else { return self.key() };
        let (state, zobrist) = (&self.board.state, self.history.zobrist());
        let mut next = State { stones: state.stones + 1, ..*state };
        let mut changed = zobrist.cell(cell, stone_content(state.color));
        if let MoveKind::Power(_, bonus) = mv.kind() {
            next.variant.special[state.color.index() & 3] += 1;
            changed = zobrist.cell(cell, stone_content(Color::POWER));
            changed ^= bonus.map_or(0, |bonus| zobrist.cell(bonus, stone_content(state.color)));
        }
        next.pass_turn(&self.rules);
        self.history.key_with(changed, self.state_key(&next))
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

    /// Reads a move whose points are named by another convention, which `cell` knows. Where captures
    /// need signs, none stand for `+` throughout.
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

    /// The longer groups and pairs that a stone would capture and that need a sign each.
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

    /// The text of a move with its points named by another convention.
    pub fn move_text_by(&self, mv: Move, label: impl Fn(Cell) -> String) -> String {
        stone_text(mv, label)
    }
}
