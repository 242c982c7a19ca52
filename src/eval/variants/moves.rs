//! Which moves are worth a look.

use super::VariantEvaluator;
use crate::eval::capture_zone::{breaks_lines, opens_line};
use crate::eval::cell_pattern::CellPattern;
use crate::eval::cell_sets::CellUnion;
use crate::eval::near_stones::push_near_stones;
use crate::eval::shapes::{Shape, Urgency};
use crate::game::{Cell, Color, Move, MoveKind, MoveList, Position as _};
use crate::placement::Position;
use crate::rules::{Capture, Forbidden, OpenFours, SpecialStones, Stage};

/// Where the moves lie that may prevent a threat.
pub(super) enum Defense {
    /// On the point itself, and on captures that leave no line to complete.
    There,
    /// On the point itself, on captures, and this near to it.
    Near(u8),
    /// Anywhere: a stone can change what a five is worth without touching it.
    Anywhere,
}

impl Defense {
    pub(super) fn of(position: &Position) -> Defense {
        let rules = position.rules();
        if rules.boat().is_some() || rules.has_perfect_fives() || rules.stones().power.is_some() {
            Defense::Anywhere
        } else if rules.line().is_caro() || rules.stones().bombs > 0 {
            // Beyond the end of a five that must not be closed; beside a stone that a bomb clears.
            Defense::Near(rules.line().length())
        } else if let Some(capture) = rules.capture().filter(|capture| capture.poof) {
            // The stone that completes the line may be poofed.
            Defense::Near(capture.longest().max(3))
        } else if rules.seating().double_turns || rules.seating().seats + rules.stones().neutral > 2
        {
            // Partners and neutral stones may help to capture.
            Defense::Near(0)
        } else {
            Defense::There
        }
    }
}

/// The number of stones short of the goal, after it, at which every capture is tried as a threat.
const NEAR_GOAL: u32 = 6;
/// How many enemy stones a bomb should clear to be worth a look.
const WORTH_A_BOMB: usize = 3;
/// How much lower the ordering score of a special stone is than that of a plain one.
const SPARE: i32 = 1500;

impl<const N: usize> VariantEvaluator<N> {
    /// Some legal stone.
    pub(super) fn any_stone(position: &Position) -> Option<Move> {
        let empty = position.grid().iter().find(|&cell| position.is_legal(Move::stone(cell)));
        empty.map(Move::stone)
    }

    /// The cells on which an enemy would win if it were its turn, asked of the rules.
    pub(super) fn threats(&self, position: &Position) -> Vec<Cell> {
        let side = position.side_of(position.to_move());
        let mut cells = Vec::new();
        // A partner can still meet the threats of those who move later.
        let teams = position.rules().seating().teams;
        let next = Color((position.color_to_move().0 + 1) & 3);
        for enemy in Self::enemies(position, side).filter(|&enemy| !teams || enemy == next) {
            if Self::has_double_turns(position) {
                for urgency in Urgency::FOURS_AND_FIVES {
                    cells.extend(self.patterns.set(enemy, urgency).iter());
                }
                continue;
            }
            let wins = |cell: &Cell| position.would_win_by(enemy, *cell);
            cells.extend(self.promising(position, enemy).filter(wins));
        }
        cells
    }

    /// Adds the moves that may prevent threats on those cells where a stone does nothing but stand there
    /// and capture.
    pub(super) fn stop_lines(&self, position: &Position, threats: &[Cell], moves: &mut MoveList) {
        let captures = self.patterns.captures(position.color_to_move()).iter();
        let stops = |cell: &Cell| breaks_lines(position, *cell, threats.iter().copied());
        let mut cells = CellUnion::new();
        cells.extend(captures.filter(stops));
        // One stone stands in the way of one point; with more of them, only captures are left.
        if threats.iter().all(|threat| *threat == threats[0]) {
            cells.extend(threats.iter().copied());
        }
        self.push_all_on(position, cells, moves);
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
        self.push_all_on(position, cells, moves);
    }

    /// Adds what may break a five that is being answered, or win first; something at least.
    pub(super) fn answers_to_five(&self, position: &Position, moves: &mut MoveList) {
        let mover = position.color_to_move();
        let mut cells = CellUnion::new();
        cells.add(self.patterns.captures(mover));
        cells.add(self.patterns.set(mover, Urgency::Five));
        self.push_all_on(position, cells, moves);
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

    /// Adds all moves on some empty cells.
    fn push_all_on(&self, position: &Position, cells: CellUnion, moves: &mut MoveList) {
        let stones = position.rules().stones();
        let is_plain = stones == SpecialStones::default();
        for cell in cells.iter() {
            if is_plain && self.takes_plain_stone(position, cell) {
                moves.push(Move::stone(cell));
            } else {
                position.add_moves_on(cell, moves);
            }
        }
    }

    /// Adds the moves on some empty cells that are worth a look.
    fn push_worthy(
        &self,
        position: &Position,
        cells: impl IntoIterator<Item = Cell>,
        moves: &mut MoveList,
    ) {
        let mut all = MoveList::new();
        for cell in cells {
            // Searches list many cells, most of them for a plain stone.
            if self.takes_plain_stone(position, cell) && !self.may_be_special(position, cell) {
                moves.push(Move::stone(cell));
                continue;
            }
            position.add_moves_on(cell, &mut all);
            moves.extend(all.drain(..).filter(|&mv| self.is_worth_a_look(position, mv)));
        }
    }

    /// Whether it can be seen at once that a stone may go to an empty cell, and needs no signs there.
    fn takes_plain_stone(&self, position: &Position, cell: Cell) -> bool {
        if position.stage() != Stage::Play || position.is_opening_limited() {
            return false;
        }
        let rules = position.rules();
        let pattern = self.patterns.at(position.color_to_move(), cell);
        let captures = pattern.captured_stones() > 0;
        let needs_signs = captures && rules.capture().is_some_and(|capture| capture.signs);
        match rules.forbidden() {
            _ if needs_signs => false,
            None => true,
            Some(Forbidden::Fours(fours)) if rules.opens_by_captures_alone() => {
                self.makes_no_open_four(position, fours, pattern)
                    && !(captures && opens_line(position, cell))
            }
            Some(_) => false,
        }
    }

    /// Whether it can be seen at once that a stone of the mover makes no four that `anti` forbids on its own
    /// lines: it makes none at all, or only some with one point that wins each, and no other point could share
    /// their stones. Those too far off for the tables would have been points before.
    fn makes_no_open_four(
        &self,
        position: &Position,
        fours: OpenFours,
        pattern: CellPattern,
    ) -> bool {
        self.patterns.tables.urgency(pattern) < Urgency::Four
            || fours == OpenFours::Forbidden
                && pattern.lines_with(Shape::OpenFour) == 0
                && self.patterns.set(position.color_to_move(), Urgency::Five).is_empty()
    }

    /// Whether a special stone may be worth a look on a cell, if any is left.
    fn may_be_special(&self, position: &Position, cell: Cell) -> bool {
        let SpecialStones { neutral, bombs, power } = position.rules().stones();
        let worthy = |kind: MoveKind| self.is_worth_a_look(position, kind.into());
        bombs > 0
            || neutral > 0 && worthy(MoveKind::Neutral(cell))
            || power.is_some() && worthy(MoveKind::Power(cell, None))
    }

    pub(super) fn push_candidates(&self, position: &Position, moves: &mut MoveList) {
        let mut near = MoveList::new();
        push_near_stones(position, &mut near);
        if near.is_empty() {
            near.push(Move::stone(position.grid().center()));
        }
        if position.stage() != Stage::Play {
            return Self::push_opening_stones(position, &near, moves);
        }
        self.push_worthy(position, near.iter().filter_map(|mv| mv.cell()), moves);
    }

    /// Stones of a swap opening: near ones, and a coarse net of distant ones, from which a balanced
    /// position can be made.
    fn push_opening_stones(position: &Position, near: &[Move], moves: &mut MoveList) {
        let grid = position.grid();
        let center = grid.center();
        let net = |cell: &Cell| {
            let (column, row) = (grid.column(*cell), grid.row(*cell));
            grid.chebyshev(center, *cell) <= 7 && column.is_multiple_of(2) && row.is_multiple_of(2)
        };
        let distant = grid.iter().filter(net).map(Move::stone);
        let mut all = MoveList::new();
        for cell in near.iter().copied().chain(distant).filter_map(Move::cell) {
            position.add_moves_on(cell, &mut all);
            all.retain(|mv| !moves.contains(mv));
            moves.append(&mut all);
        }
    }

    /// Special stones only where they do something that a plain one does not.
    fn is_worth_a_look(&self, position: &Position, mv: Move) -> bool {
        let Some(cell) = mv.cell() else { return true };
        let side = position.side_of(position.to_move());
        let urgency = |color| self.patterns.tables.urgency(self.patterns.at(color, cell));
        let enemy = || Self::enemies(position, side).map(urgency).max().unwrap_or(Urgency::Quiet);
        match mv.kind() {
            MoveKind::Neutral(_) => enemy() >= Urgency::OpenThree,
            MoveKind::Bomb(_) => Self::cleared(position, cell) >= WORTH_A_BOMB,
            MoveKind::Power(..) => urgency(position.color_to_move()) >= Urgency::OpenThree,
            _ => true,
        }
    }

    /// How many enemy stones more than own ones lie around a cell.
    fn cleared(position: &Position, cell: Cell) -> usize {
        let side = position.side_of(position.to_move());
        let grid = position.grid();
        let around = grid.iter().filter(|&other| grid.chebyshev(cell, other) == 1);
        let owners = around.filter_map(|other| position.board().content(other).color());
        let (mut enemies, mut own) = (0, 0);
        for color in owners.filter(|&color| color != Color::NEUTRAL && color != Color::POWER) {
            if Self::side_of(position, color) == side { own += 1 } else { enemies += 1 }
        }
        usize::saturating_sub(enemies, own)
    }

    pub(super) fn push_tactical_moves(&self, position: &Position, moves: &mut MoveList) {
        let mover = position.color_to_move();
        let side = position.side_of(position.to_move());
        let mut cells = CellUnion::new();
        for urgency in Urgency::ABOVE_QUIET {
            cells.add(self.patterns.set(mover, urgency));
            if urgency >= Urgency::Four {
                for enemy in Self::enemies(position, side) {
                    cells.add(self.patterns.set(enemy, urgency));
                }
            }
        }
        cells.add(self.patterns.captures(mover));
        for enemy in Self::enemies(position, side) {
            cells.add(self.patterns.captures(enemy));
        }
        self.push_worthy(position, cells.iter(), moves);
    }

    pub(super) fn push_threat_moves(&self, position: &Position, moves: &mut MoveList) {
        let mover = position.color_to_move();
        let mut cells = CellUnion::new();
        for urgency in Urgency::FOURS {
            cells.add(self.patterns.set(mover, urgency));
        }
        let missing = Self::missing(position, mover);
        let near_goal =
            |cell: &Cell| missing <= self.patterns.at(mover, *cell).captured_stones() + NEAR_GOAL;
        cells.extend(self.patterns.captures(mover).iter().filter(near_goal));
        self.push_all_on(position, cells, moves);
    }

    /// The ordering score of a move: as in games of lines and pairs, special stones last.
    pub(super) fn score_of_move(&self, position: &Position, mv: Move) -> i32 {
        let Some(cell) = mv.cell() else { return 0 };
        let mover = position.color_to_move();
        let side = Self::side_of(position, mover);
        let tables = &self.patterns.tables;
        let pattern = self.patterns.at(mover, cell);
        let mut score = tables.attack(pattern);
        for enemy in Self::enemies(position, side) {
            let their = self.patterns.at(enemy, cell);
            score += tables.defense(their) + tables.clash(pattern, their);
        }
        let longest = position.rules().capture().map_or(2, Capture::longest);
        match mv.kind() {
            MoveKind::Stone(_) => score,
            MoveKind::Signed(_, signs) => score - i32::from(signs.stones(longest)[1]),
            _ => score - SPARE,
        }
    }
}
