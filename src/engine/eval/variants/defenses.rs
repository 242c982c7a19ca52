//! The moves that may prevent a win with the next one.

use super::VariantEvaluator;
use super::listing::Listing;
use crate::eval::capture_zone::{
    Reply, group_ends_in_sight, push_capturable_cells, spoiling_cells,
};
use crate::eval::cell_sets::CellUnion;
use crate::eval::shapes::Urgency;
use pentarch_core::board::{CENTER, CellContent, LANE_LOW_BITS, Windows};
use pentarch_core::game::{Cell, Color, Move, MoveKind, MoveList, Position as _};
use pentarch_core::placement::Position;
use pentarch_core::rules::{BreakableFives, ForbiddenRule};
use smallvec::SmallVec;

/// The threats that are listed without asking for memory, as there are seldom more of them.
const FEW_THREATS: usize = 8;

/// Where the moves lie that may prevent a threat.
pub(super) enum Defense {
    /// On the point itself, and where a stone leaves no line to complete: it captures, clears its neighbors,
    /// closes a five that must not be closed, or lets the stone that completes it be poofed. Against a win by
    /// captures also near to it, where stones are poofed or a bomb is left.
    There,
    /// On the point itself, on captures, and this near to it.
    Near(u8),
    /// On the point itself, on captures, and wherever power stones lie whose bonus stones lie there.
    WithBonus,
    /// On the point itself, on captures, where the mover makes a five, and beside groups with a stone of the
    /// line, which can be captured then: a five of which every run can be broken wins nothing yet.
    Beside,
    /// Anywhere: a stone can change what a five is worth without touching it.
    Anywhere,
}

impl Defense {
    pub(super) fn of(position: &Position) -> Defense {
        let (rules, seating) = (position.rules(), position.rules().seating());
        let takes_turns = seating.seats == 2 && !seating.double_turns;
        let poofing = Self::poofing(position);
        let plain = poofing.is_none() && rules.stones().bombs == 0 && rules.forbidden().is_none();
        if rules.breakable_fives().is_some() && takes_turns && plain {
            Defense::Beside
        } else if rules.breakable_fives().is_some() || rules.has_perfect_fives() {
            Defense::Anywhere
        } else if rules.stones().power.is_some() {
            Defense::WithBonus
        } else if rules.stones().bombs > 0 && (poofing.is_some() || !takes_turns) {
            Defense::Near(Self::bombing(position))
        } else if !takes_turns {
            // Partners may help to capture, and to have the stone poofed that completes the line.
            Defense::Near(poofing.unwrap_or(0))
        } else {
            Defense::There
        }
    }

    /// How far from the point a bomb may lie that clears something of what threatens there. A group so long that
    /// its other end is further off would make a line on the point itself.
    fn bombing(position: &Position) -> u8 {
        position.rules().line().length()
    }

    /// How far from a stone others may be that have it poofed or lose a row with it, where rows are poofed.
    fn poofing(position: &Position) -> Option<u8> {
        let poofing = position.rules().capture().filter(|capture| capture.poof);
        poofing.map(|capture| capture.longest_group().max(3))
    }
}

impl<const N: usize> VariantEvaluator<N> {
    /// Some legal stone.
    pub(super) fn any_stone(position: &Position) -> Option<Move> {
        let empty = position.grid().iter().find(|&cell| position.is_legal(Move::stone(cell)));
        empty.map(Move::stone)
    }

    /// The cells on which an enemy would win if it were its turn, asked of the rules.
    pub(super) fn threats(&self, position: &Position) -> SmallVec<[Cell; FEW_THREATS]> {
        let mut cells = SmallVec::new();
        // A partner can still meet the threats of those who move later.
        let teams = position.rules().seating().teams;
        let next = Color((position.color_to_move().0 + 1) & 3);
        for enemy in Self::enemies(position).filter(|&enemy| !teams || enemy == next) {
            if Self::has_double_turns(position) {
                for urgency in Urgency::FOURS_AND_FIVES {
                    cells.extend(self.patterns.set(enemy, urgency).iter());
                }
                continue;
            }
            if self.patterns.may_win(enemy, Self::missing(position, enemy)) {
                let wins = |&cell: &Cell| {
                    self.is_sure_five(position, enemy, cell) || position.would_win_for(enemy, cell)
                };
                cells.extend(self.promising(position, enemy).filter(wins));
            }
        }
        cells
    }

    /// Adds the moves that may prevent threats on those cells where a stone does nothing but stand there,
    /// capture, clear its neighbors, and change what stones in its sight are worth.
    pub(super) fn stop_lines(&self, position: &Position, threats: &[Cell], moves: &mut MoveList) {
        let poofing = Defense::poofing(position);
        let has_bomb = position.has_special_left(MoveKind::Bomb(threats[0]));
        // What is poofed counts as captured, on either side, and bombs clear what would be captured.
        let distance = if has_bomb { Some(Defense::bombing(position)) } else { poofing };
        if let Some(distance) = distance
            && !self.are_lines(position, threats)
        {
            return self.defend(position, threats, distance, moves);
        }
        let captures = self.patterns.captures(position.color_to_move()).iter();
        let stops = |&cell: &Cell| {
            Reply::with_stone(position, cell).breaks_lines(position, threats.iter().copied())
        };
        // Where fours are forbidden, a capture that reaches the goal and leaves one ends the game as a draw.
        let forbids_fours = matches!(position.rules().forbidden(), Some(ForbiddenRule::Fours(_)));
        let missing = Self::missing(position, position.color_to_move());
        let ends_game = |cell: &Cell| {
            let pattern = self.patterns.at(position.color_to_move(), *cell);
            forbids_fours && pattern.captured_stones() >= missing
        };
        let mut cells = CellUnion::new();
        cells.extend(captures.filter(|cell| stops(cell) || ends_game(cell)));
        if position.rules().line().is_caro() || poofing.is_some() {
            // One of them may be an end of another.
            let ends = spoiling_cells(position, threats[0]).chain(threats.iter().copied());
            cells.extend(ends.filter(stops));
        }
        // A stone that only stands there is in the way of one point.
        if threats.iter().all(|threat| *threat == threats[0]) {
            cells.extend(threats.iter().copied());
        }
        self.push_all_on(position, Listing::without_bombs(position), cells, moves);
        if has_bomb {
            Self::bomb_lines(position, threats, moves);
        }
    }

    /// Adds the moves that may prevent a win on the first of those cells where a five can be answered by
    /// captures of it, or by a five of one's own, which has to be broken first.
    pub(super) fn make_capturable(
        &self,
        position: &Position,
        threats: &[Cell],
        moves: &mut MoveList,
    ) {
        let mover = position.color_to_move();
        let mut cells = CellUnion::of(threats[0]);
        cells.add(self.patterns.captures(mover));
        cells.add(self.patterns.set(mover, Urgency::Five));
        // Where every five can be answered, nothing but captures threatens to win at once.
        let strict = position.rules().breakable_fives() == Some(BreakableFives::OnlyByCapture);
        if let Some(capture) = position.rules().capture().filter(|_| strict) {
            let enemy = mover.opponent();
            cells.extend(group_ends_in_sight(position, enemy, threats[0]));
            // The five may capture what is placed with another stone, which stood at one end of a group that
            // has an enemy at the other.
            let mut captured = MoveList::new();
            push_capturable_cells(position.board(), capture, enemy, threats[0], &mut captured);
            cells.extend(captured.iter().filter_map(|mv| mv.cell()));
        }
        self.push_all_on(position, Listing::of(position), cells, moves);
    }

    /// Adds the bombs that leave no line to complete on any of those cells.
    fn bomb_lines(position: &Position, threats: &[Cell], moves: &mut MoveList) {
        let (board, grid) = (position.board(), position.grid());
        let enemy = position.color_to_move().opponent();
        let stones = |five| board.windows(enemy, five);
        let breaks_line = |cell: Cell, five: Cell| {
            let cleared = grid.neighbors(cell).map(|other| board.map().window_bit(five, other));
            let left = cleared.fold(stones(five).0, |left, cleared| left & !cleared);
            cell == five
                || !position.rules().line_of(enemy).wins(Windows(left | LANE_LOW_BITS << CENTER))
        };
        // Some stone of each line is cleared, those of the first among them.
        let mut cells = CellUnion::of(threats[0]);
        let around = board.map().cells_in(threats[0], stones(threats[0]));
        cells.extend(around.flat_map(|stone| grid.neighbors(stone)));
        let breaks_all = |cell| threats.iter().all(|&five| breaks_line(cell, five));
        let bombs = cells.iter().filter(|&cell| board.content(cell) == CellContent::EMPTY);
        let bombs = bombs.filter(|&cell| breaks_all(cell)).map(MoveKind::Bomb).map(Move::from);
        moves.extend(bombs.filter(|&mv| position.is_legal(mv)));
    }

    /// Whether none of the threats on those cells is to reach the goal of captures.
    pub(super) fn are_lines(&self, position: &Position, threats: &[Cell]) -> bool {
        let enemy = position.color_to_move().opponent();
        let missing = Self::missing(position, enemy);
        threats.iter().all(|&cell| self.patterns.at(enemy, cell).captured_stones() < missing)
    }

    /// Adds the moves that may prevent threats on those cells.
    pub(super) fn defend(
        &self,
        position: &Position,
        threats: &[Cell],
        distance: u8,
        moves: &mut MoveList,
    ) {
        let mover = position.color_to_move();
        let grid = position.grid();
        let mut cells = CellUnion::new();
        cells.extend(threats.iter().copied());
        if distance > 0 {
            let near = |cell: Cell| threats.iter().any(|&t| grid.chebyshev(t, cell) <= distance);
            position.board().for_each_empty(|cell| {
                if near(cell) {
                    cells.insert(cell);
                }
            });
        }
        cells.add(self.patterns.captures(mover));
        if Self::has_double_turns(position) {
            for urgency in Urgency::FOURS_AND_FIVES {
                cells.add(self.patterns.set(mover, urgency));
            }
        }
        self.push_all_on(position, Listing::of(position), cells, moves);
    }

    /// Where all listed moves lose by their own poofs, adds one that does not, if there is one: the threat is
    /// carried out a ply later.
    pub(super) fn outlast_poofs(position: &Position, moves: &mut MoveList) {
        let Some(capture) = position.rules().capture().filter(|capture| capture.poof) else {
            return;
        };
        let (mover, enemy) = (position.to_move(), position.color_to_move().opponent());
        if Self::missing(position, enemy) > u32::from(capture.max_poofed()) {
            return;
        }
        let loses = |mv: &Move| {
            let winner = position.outcome_after(*mv).and_then(|outcome| outcome.winner);
            winner.is_some_and(|winner| winner != position.side_of(mover))
        };
        if !moves.is_empty() && moves.iter().all(loses) {
            let mut all = MoveList::new();
            position.legal_moves(&mut all);
            moves.extend(all.into_iter().find(|mv| !loses(mv)));
        }
    }

    /// Adds what may break a five that is being answered, or win first; something at least.
    pub(super) fn answers_to_five(&self, position: &Position, moves: &mut MoveList) {
        let mover = position.color_to_move();
        let mut cells = CellUnion::new();
        cells.add(self.patterns.captures(mover));
        cells.add(self.patterns.set(mover, Urgency::Five));
        self.push_all_on(position, Listing::of(position), cells, moves);
        if position.rules().stones().bombs > 0 {
            let mut all = MoveList::new();
            position.legal_moves(&mut all);
            moves.extend(all.into_iter().filter(|mv| matches!(mv.kind(), MoveKind::Bomb(_))));
        }
        if moves.is_empty() {
            moves.extend(Self::any_stone(position));
        }
        if moves.is_empty() {
            position.legal_moves(moves);
        }
    }
}
