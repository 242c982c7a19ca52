//! A game of placed stones in play.

use super::pipeline::{Core, State};
use crate::board::{
    Content, Grid, LineMap, SquareBoard, StoneTextError, Windows, parse_stone, stone_text,
};
use crate::game::{
    self, CAP_IN_SIGHT, Cell, Change, Color, History, Illegal, Key, Move, MoveKind, MoveList,
    Outcome, Position as _, Seat, Side, Signs, content_of, state_key,
};
use crate::rules::{Captured, OpeningLimit, SquareRules, Stage};
use std::sync::Arc;

/// Why a move on squares is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPlacement {
    /// What no game allows.
    #[error(transparent)]
    Common(#[from] Illegal),
    /// The opening does not allow the point.
    #[error(transparent)]
    Opening(#[from] OpeningLimit),
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
    pub(super) core: Core,
    history: History<State>,
}

impl Position {
    /// The start of a game.
    pub fn new(rules: SquareRules) -> Position {
        let map = Arc::new(LineMap::new(rules.grid()));
        let stones = rules.stones();
        let colorless = stones.neutral > 0 || stones.power.is_some();
        let colors = if colorless { Color::POWER.0 + 1 } else { rules.seating().seats };
        let board = SquareBoard::new(map, colors);
        let core = Core { board, state: State::start(&rules) };
        let history = History::new(&rules.to_string());
        let mut position = Position { rules: Arc::new(rules), core, history };
        position.restart_history();
        position
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Arc<SquareRules> {
        &self.rules
    }

    /// The board's grid.
    pub fn grid(&self) -> Grid {
        self.core.board.grid()
    }

    /// The stones.
    pub fn board(&self) -> &SquareBoard {
        &self.core.board
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
        self.core.state.counts[color.index() & 3]
    }

    /// The groups that a stone of a color on an empty cell would capture from its
    /// [opponent](Color::opponent), power stones in them or not.
    #[inline]
    pub fn captured_by(&self, color: Color, cell: Cell) -> Captured {
        let Some(capture) = self.rules.capture() else { return Captured::default() };
        if self.rules.stones().power.is_some() {
            return self.core.groups_taken(&self.rules, capture, color, cell);
        }
        let windows = |color| self.board().windows(color, cell);
        capture.captured(windows(color), windows(color.opponent()))
    }

    /// The empty cells, as windows around an empty one, on which a stone of its [opponent](Color::opponent) would
    /// have a color's stone there lost with a row of it.
    pub fn poofing_cells(&self, color: Color, cell: Cell) -> Windows {
        let poofing = self.rules.capture().filter(|capture| capture.poof);
        poofing.map_or(Windows(0), |capture| self.core.poofing_cells(capture, color, cell))
    }

    /// Whether the opening may still limit where the next stone goes.
    #[inline]
    pub fn is_opening_limited(&self) -> bool {
        self.core.is_opening_limited(&self.rules)
    }

    /// How far the swap opening has come.
    pub fn stage(&self) -> Stage {
        self.core.state.extra.stage
    }

    /// Whether a color is to be chosen.
    pub fn is_choice(&self) -> bool {
        self.stage().is_choice()
    }

    /// The seat that owns a color.
    pub fn owner(&self, color: Color) -> Seat {
        Seat(color.0 ^ u8::from(self.core.state.extra.swapped))
    }

    /// Whose five is being answered, if one is.
    pub fn answered_five(&self) -> Option<Color> {
        self.core.state.extra.five.map(|five| five.maker)
    }

    /// Whether the color to move may still place a stone of that kind somewhere, as far as their number goes.
    pub fn has_left(&self, kind: MoveKind) -> bool {
        self.core.has_left(&self.rules, self.color_to_move(), kind)
    }

    /// Adds every legal move that puts something on an empty cell of an open game.
    pub fn add_moves_on(&self, cell: Cell, moves: &mut MoveList) {
        self.core.add_moves_on(&self.rules, cell, moves);
    }

    /// Adds the legal moves that put a power stone on an empty cell, with bonus stones on some diamonds alone
    /// if one of these is free then.
    pub fn add_power_moves(&self, cell: Cell, bonuses: &[Cell], moves: &mut MoveList) {
        self.core.add_power_moves(&self.rules, cell, bonuses, moves);
    }

    /// Whether a run stands with which any stone wins for the color to move, as power stones that may now be
    /// read as its own complete it.
    pub fn stands_with_power(&self) -> bool {
        self.core.stands_with_power(&self.rules, None)
    }

    /// Calls `visit` with every empty cell on which a stone might change whether the rules forbid the
    /// color to move a stone on `cell`, an empty one; with some more than once.
    pub fn for_each_reason(&self, cell: Cell, mut visit: impl FnMut(Cell)) {
        self.core.for_each_reason(&self.rules, cell, &mut visit);
    }

    /// How the game would stand after a legal move; none also if the move is not legal.
    pub fn outcome_of(&self, mv: Move) -> Option<Outcome> {
        let legal = self.core.state.outcome.is_none() && self.is_legal(mv);
        legal.then(|| self.core.outcome_of(&self.rules, mv)).flatten()
    }

    /// Whether a legal move would win for the side that makes it.
    pub fn would_win(&self, mv: Move) -> bool {
        let known = self.look_at(mv);
        known.unwrap_or_else(|| self.is_won_by(self.to_move(), self.outcome_of(mv)))
    }

    /// Whether a move is legal and, as a look at the lines through its cells tells, would win.
    pub fn wins_at_a_look(&self, mv: Move) -> bool {
        let is_empty = |cell| self.board().content(cell) == Content::EMPTY;
        mv.cell().is_some_and(is_empty) && self.look_at(mv) == Some(true) && self.is_legal(mv)
    }

    /// Whether a move would win, where a look at the lines through its cells tells.
    fn look_at(&self, mv: Move) -> Option<bool> {
        let (core, color) = (&self.core, self.color_to_move());
        let look = |(cell, signs)| core.wins_at_a_look(&self.rules, color, cell, signs);
        match mv.kind() {
            MoveKind::Power(cell, Some(bonus)) => {
                core.completes_line_with_bonus(&self.rules, cell, bonus).then_some(true)
            }
            kind => kind.stone().and_then(look),
        }
    }

    /// Whether a color's stone on an empty cell would win for its side, if it were that color's turn.
    pub fn would_win_by(&self, color: Color, cell: Cell) -> bool {
        let known = self.core.wins_at_a_look(&self.rules, color, cell, None);
        known.unwrap_or_else(|| {
            self.is_won_by(self.owner(color), self.core.outcome_by(&self.rules, color, cell))
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
    pub fn fresh_key(&self) -> Key {
        Key(self.board_key() ^ self.state_key(&self.core.state))
    }

    /// The part of the key that is on the board, worked out from the stones.
    fn board_key(&self) -> u64 {
        let stones = self.grid().iter();
        let zobrist = self.history.zobrist();
        stones.fold(zobrist.empty(), |key, c| key ^ zobrist.cell(c, self.core.board.content(c).0))
    }

    /// Forgets all plies; the position is the one that stones and state make.
    fn restart_history(&mut self) {
        self.history.restart(self.board_key(), self.state_key(&self.core.state));
    }

    /// The key of the position with every stone moved to where `image`, indexed by cell, says.
    pub fn key_of_image(&self, image: &[Cell]) -> Key {
        let zobrist = self.history.zobrist();
        let board = &self.core.board;
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
        if !self.rules.is_plain() {
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
            if let Some(color) = self.core.board.content(cell).color() {
                self.core.board.lift(color, cell);
            }
        }
        for &(cell, color) in stones {
            self.core.board.place(color, cell);
        }
        self.core.state = state;
        let rules = &self.rules;
        let boat_or_power = rules.boat().is_some() || rules.stones().power.is_some();
        self.core.state.extra.stands =
            (rules.has_perfect_fives() || boat_or_power) && self.core.has_runs(rules);
        self.core.state.set_turn(&self.rules);
        self.restart_history();
    }
}

impl game::Position for Position {
    type Illegal = IllegalPlacement;

    #[inline]
    fn to_move(&self) -> Seat {
        self.core.state.seat
    }

    #[inline]
    fn side_of(&self, seat: Seat) -> Side {
        self.rules.seating().side_of(seat)
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
        moves.reserve(usize::from(self.core.board.empty()));
        if !self.rules.is_plain() {
            self.core.push_variant_moves(&self.rules, moves);
        } else if self.is_opening_limited() {
            let open = self.grid().iter().filter(|&cell| self.core.is_open(&self.rules, cell));
            moves.extend(open.map(Move::stone));
        } else {
            self.core.board.for_each_empty(|cell| moves.push(Move::stone(cell)));
        }
    }

    fn check(&self, mv: Move) -> Result<(), IllegalPlacement> {
        if self.core.state.outcome.is_some() {
            return Err(Illegal::GameOver.into());
        }
        if !self.rules.is_plain() {
            return self.core.check_variant(&self.rules, mv);
        }
        let MoveKind::Stone(cell) = mv.kind() else {
            return Err(Illegal::unknown(mv.kind()).into());
        };
        if !self.grid().contains(cell) {
            return Err(Illegal::OffBoard.into());
        }
        if self.core.board.content(cell) != Content::EMPTY {
            return Err(Illegal::Occupied.into());
        }
        Ok(self.core.opening_allows(&self.rules, cell)?)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let before = self.core.state;
        self.history.begin(mv, before);
        self.core.play(&self.rules, &mut self.history, mv);
        self.history.end(self.state_key(&self.core.state));
    }

    /// Only where two seats take turns and plain stones are all there is.
    fn null_move(&mut self) -> bool {
        let (state, rules) = (self.core.state, &self.rules);
        let plain = rules.is_plain() || rules.plays_lines() && state.extra.stage == Stage::Play;
        let early = state.ply + CAP_IN_SIGHT < rules.max_plies();
        if state.outcome.is_some()
            || !(plain && early && rules.seating().seats == 2)
            || self.is_opening_limited()
        {
            return false;
        }
        self.history.begin(MoveKind::Pass.into(), state);
        self.core.state.pass_turn(rules);
        self.history.end(self.state_key(&self.core.state));
        true
    }

    #[inline]
    fn undo(&mut self) -> Option<Move> {
        let board = &mut self.core.board;
        let (mv, before) = self.history.undo(|change| {
            if let Some(color) = Content(change.after).color() {
                board.lift(color, change.cell);
            }
            if let Some(color) = Content(change.before).color() {
                board.place(color, change.cell);
            }
        })?;
        self.core.state = before;
        Some(mv)
    }

    #[inline]
    fn key(&self) -> Key {
        self.history.key()
    }

    /// That of a stone that captures nothing, after which it is the next seat's turn: to look for captures
    /// takes longer than it saves.
    #[inline]
    fn key_ahead(&self, mv: Move) -> Key {
        let Some(cell) = mv.cell() else { return self.key() };
        let (state, zobrist) = (&self.core.state, self.history.zobrist());
        let mut next = State { stones: state.stones + 1, ..*state };
        let mut changed = zobrist.cell(cell, content_of(state.color));
        if let MoveKind::Power(_, bonus) = mv.kind() {
            next.extra.special[state.color.index() & 3] += 1;
            changed = zobrist.cell(cell, content_of(Color::POWER));
            changed ^= bonus.map_or(0, |bonus| zobrist.cell(bonus, content_of(state.color)));
        }
        next.pass_turn(&self.rules);
        self.history.key_after(changed, self.state_key(&next))
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
        let signs = Signs { longer: split(groups[0], longer), pairs: split(groups[1], pairs) };
        Ok(MoveKind::Signed(cell, signs).into())
    }

    /// The longer groups and pairs that a stone would capture and that need a sign each.
    fn groups_to_sign(&self, cell: Cell) -> [u8; 2] {
        if self.grid().contains(cell) && self.board().content(cell) == Content::EMPTY {
            self.core.signed_groups(self.rules(), cell)
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
