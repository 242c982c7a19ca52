//! A game of placed stones in play.

use super::pipeline::{Core, Journal, State};
use crate::board::{Content, Grid, LineMap, SquareBoard, Zobrist, mix};
use crate::game::{
    self, Cell, Change, Color, Illegal, Key, Move, MoveKind, MoveList, Outcome, Position as _,
    Seat, Side,
};
use crate::rules::{SquareRules, Stage};
use std::sync::Arc;

/// A game of placed stones in play, with the history that `undo` needs.
///
/// ```
/// use pentarch::game::Position as _;
/// use pentarch::placement::Position;
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
    log: Log,
    history: Vec<Record>,
}

/// From so many plies before the cap on, the key tells how many are left.
const CAP_IN_SIGHT: u32 = 512;

/// What `undo` needs of a ply.
#[derive(Clone, Copy, Debug)]
struct Record {
    mv: Move,
    before: State,
    key: Key,
    /// How many changes were logged before the ply.
    changes: u32,
}

/// The changed cells of all plies, and the key that follows them.
#[derive(Clone, Debug)]
struct Log {
    changes: Vec<Change>,
    key: Key,
    zobrist: Arc<Zobrist>,
}

impl Journal for Log {
    #[inline]
    fn placed(&mut self, cell: Cell, color: Color) {
        let after = Content::stone(color).0;
        self.key.0 ^= self.zobrist.cell(cell, after);
        self.changes.push(Change { cell, before: 0, after });
    }

    #[inline]
    fn captured(&mut self, cell: Cell, color: Color) {
        let before = Content::stone(color).0;
        self.key.0 ^= self.zobrist.cell(cell, before);
        self.changes.push(Change { cell, before, after: 0 });
    }
}

impl Position {
    /// The start of a game.
    pub fn new(rules: SquareRules) -> Position {
        let map = Arc::new(LineMap::new(rules.grid()));
        // Not the standard library's hash, which may change with the compiler, and with it every
        // search that depends on which results share a slot of the table.
        let name = rules.to_string();
        let seed = name.bytes().fold(0, |seed, byte| mix(seed ^ u64::from(byte)));
        let stones = rules.stones();
        let colorless = stones.neutral > 0 || stones.power.is_some();
        let colors = if colorless { Color::POWER.0 + 1 } else { rules.seating().seats };
        let board = SquareBoard::new(map, colors);
        let core = Core { board, state: State::start(&rules) };
        let zobrist = Arc::new(Zobrist::new(seed));
        let log = Log { changes: Vec::new(), key: Key(0), zobrist };
        let mut position = Position { rules: Arc::new(rules), core, log, history: Vec::new() };
        position.log.key = position.fresh_key();
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

    /// The captured stones that count for a color.
    pub fn captures(&self, color: Color) -> u16 {
        self.core.state.counts[color.index() & 3]
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

    /// The seat that owns a color.
    pub fn owner(&self, color: Color) -> Seat {
        Seat(color.0 ^ u8::from(self.core.state.extra.swapped))
    }

    /// Whose five is being answered, if one is.
    pub fn answered_five(&self) -> Option<Color> {
        self.core.state.extra.five.map(|five| five.maker)
    }

    /// Every legal move that puts something on an empty cell of an open game.
    pub fn moves_on(&self, cell: Cell) -> MoveList {
        self.core.moves_on(&self.rules, cell)
    }

    /// How the game would stand after a legal move; none also if the move is not legal.
    pub fn outcome_of(&self, mv: Move) -> Option<Outcome> {
        let legal = self.core.state.outcome.is_none() && self.is_legal(mv);
        legal.then(|| self.core.outcome_of(&self.rules, mv)).flatten()
    }

    /// Whether a color's stone on an empty cell would win for a side, if it were that color's turn.
    pub fn would_win(&self, color: Color, cell: Cell, side: Side) -> bool {
        let outcome = self.core.outcome_by(&self.rules, color, cell);
        outcome.is_some_and(|outcome| outcome.winner == Some(side))
    }

    /// Takes every ply back, which keeps the tables: much cheaper than a new position.
    pub fn rewind(&mut self) {
        while game::Position::undo(self).is_some() {}
    }

    /// The moves played since the position was set up, in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> {
        self.history.iter().map(|record| record.mv)
    }

    /// The key worked out from the stones, which the running key must equal.
    pub fn fresh_key(&self) -> Key {
        let stones = self.grid().iter();
        let zobrist = &self.log.zobrist;
        let board = stones
            .fold(zobrist.empty(), |key, c| key ^ zobrist.cell(c, self.core.board.content(c).0));
        Key(board ^ self.state_key(&self.core.state))
    }

    /// The key of the position with every stone moved to where `image`, indexed by cell, says.
    pub fn key_of_image(&self, image: &[Cell]) -> Key {
        let zobrist = &self.log.zobrist;
        let board = &self.core.board;
        let stones = self.grid().iter().zip(image);
        Key(stones.fold(self.log.key.0, |key, (cell, &other)| {
            let content = board.content(cell).0;
            key ^ zobrist.cell(cell, content) ^ zobrist.cell(other, content)
        }))
    }

    /// The part of the key that is not on the board: the color to move, the counts that a goal
    /// depends on, the opening stage, and the plies to the cap where they are few.
    #[inline]
    fn state_key(&self, state: &State) -> u64 {
        let mut word = u64::from(state.color.0);
        if self.rules.capture().is_some_and(|capture| capture.goal.is_some()) {
            for (color, count) in state.counts.iter().enumerate() {
                word |= u64::from(*count) << (8 + 12 * color);
            }
        }
        let limited = self.rules.limited_stones();
        word |= u64::from(state.stones.min(limited)) << 60;
        // The end that the ply cap makes matters once a search can see it.
        let left = self.rules.max_plies().saturating_sub(state.ply);
        if !self.rules.is_plain() {
            word = mix(word) ^ state.extra.word() ^ u64::from(state.seat.0) << 60;
        }
        if left < CAP_IN_SIGHT { mix(mix(word) ^ u64::from(left)) } else { mix(word) }
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
        self.core.set_turn(&self.rules);
        self.log.key = self.fresh_key();
    }
}

impl game::Position for Position {
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

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        if self.core.state.outcome.is_some() {
            return Err(Illegal::GameOver);
        }
        if !self.rules.is_plain() {
            return self.core.check_variant(&self.rules, mv);
        }
        let cell = match mv.kind() {
            MoveKind::Stone(cell) => cell,
            MoveKind::Signed(..) => return Err(Illegal::Signs),
            MoveKind::Neutral(_) => return Err(Illegal::NoSuchStone("neutral stones")),
            MoveKind::Bomb(_) => return Err(Illegal::NoSuchStone("bombs")),
            MoveKind::Power(..) => return Err(Illegal::NoSuchStone("power stones")),
            MoveKind::Swap | MoveKind::Keep | MoveKind::More => return Err(Illegal::NoChoice),
            MoveKind::Pass => return Err(Illegal::NoPass),
            MoveKind::Tile(..) => return Err(Illegal::NoSuchStone("tiles")),
        };
        if !self.grid().contains(cell) {
            return Err(Illegal::OffBoard);
        }
        if self.core.board.content(cell) != Content::EMPTY {
            return Err(Illegal::Occupied);
        }
        self.core.opening_allows(&self.rules, cell)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        let before = self.core.state;
        let key = self.log.key;
        let changes = self.log.changes.len() as u32;
        self.history.push(Record { mv, before, key, changes });
        self.core.play(&self.rules, &mut self.log, mv);
        self.log.key.0 ^= self.state_key(&before) ^ self.state_key(&self.core.state);
    }

    /// Only where two seats take turns and plain stones are all there is.
    fn null_move(&mut self) -> bool {
        let (state, rules) = (self.core.state, &self.rules);
        let plain = rules.is_plain() || rules.plays_plainly() && state.extra.stage == Stage::Play;
        let early = state.ply + CAP_IN_SIGHT < rules.max_plies();
        if state.outcome.is_some()
            || !(plain && early && rules.seating().seats == 2)
            || self.is_opening_limited()
        {
            return false;
        }
        let (key, changes) = (self.log.key, self.log.changes.len() as u32);
        let mv = Move::from(MoveKind::Pass);
        self.history.push(Record { mv, before: state, key, changes });
        let next = &mut self.core.state;
        (next.seat, next.color) = (rules.seating().next(state.seat), state.color.opponent());
        next.ply += 1;
        self.log.key.0 ^= self.state_key(&state) ^ self.state_key(&self.core.state);
        true
    }

    #[inline]
    fn undo(&mut self) -> Option<Move> {
        let record = self.history.pop()?;
        while self.log.changes.len() > record.changes as usize {
            let Some(change) = self.log.changes.pop() else { break };
            if let Some(color) = Content(change.after).color() {
                self.core.board.lift(color, change.cell);
            }
            if let Some(color) = Content(change.before).color() {
                self.core.board.place(color, change.cell);
            }
        }
        self.core.state = record.before;
        self.log.key = record.key;
        Some(record.mv)
    }

    #[inline]
    fn key(&self) -> Key {
        self.log.key
    }

    #[inline]
    fn changes(&self) -> &[Change] {
        let start = self.history.last().map_or(0, |record| record.changes as usize);
        &self.log.changes[start.min(self.log.changes.len())..]
    }
}
