//! Which moves are worth a look.

use super::VariantEvaluator;
use super::listing::PlainStones;
use crate::eval::capture_zone::breaks_lines;
use crate::eval::cell_sets::CellUnion;
use crate::eval::near_stones::for_each_near_stones;
use crate::eval::shapes::Urgency;
use crate::game::{Cell, Color, Move, MoveKind, MoveList, Position as _};
use crate::placement::Position;
use crate::rules::{Capture, Stage};

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

    pub(super) fn push_candidates(&self, position: &Position, moves: &mut MoveList) {
        if position.stage() != Stage::Play {
            return Self::push_opening_stones(position, moves);
        }
        let plain = PlainStones::of(position);
        let mut is_first = true;
        for_each_near_stones(position, |cell| {
            is_first = false;
            self.push_worthy_on(position, plain, cell, moves);
        });
        if is_first {
            self.push_worthy_on(position, plain, position.grid().center(), moves);
        }
    }

    /// Stones of a swap opening: near ones, and a coarse net of distant ones, from which a balanced
    /// position can be made.
    fn push_opening_stones(position: &Position, moves: &mut MoveList) {
        let grid = position.grid();
        let center = grid.center();
        let mut near = Vec::new();
        for_each_near_stones(position, |cell| near.push(cell));
        if near.is_empty() {
            near.push(center);
        }
        let net = |cell: &Cell| {
            let (column, row) = (grid.column(*cell), grid.row(*cell));
            grid.chebyshev(center, *cell) <= 7 && column.is_multiple_of(2) && row.is_multiple_of(2)
        };
        let distant = grid.iter().filter(net);
        let mut all = MoveList::new();
        for cell in near.into_iter().chain(distant) {
            position.add_moves_on(cell, &mut all);
            all.retain(|mv| !moves.contains(mv));
            moves.append(&mut all);
        }
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
        let plain = PlainStones::of(position);
        for cell in cells.iter() {
            self.push_worthy_on(position, plain, cell, moves);
        }
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
