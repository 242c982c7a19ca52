//! Evaluation of games of lines and captures on square boards.

mod sure_wins;
mod threats;

use super::capture_zone::Reply;
use super::cell_sets::CellUnion;
use super::near_stones::{
    for_each_near_stones, push_first_stone, push_near_stones, push_nearest_legal,
};
use super::network::NetworkState;
use super::noise::noise;
use super::pattern_map::{PatternMap, Urgent};
use super::pattern_state::Mark;
use super::patterns::PatternTables;
use super::scale::Scale;
use super::shapes::Urgency;
use super::terms::kinds;
use crate::search::{Coverage, Evaluator, MoveGenerator, Score, Window};
use pentarch_core::board::{CENTER, LANE_LOW_BITS, Symmetry, Windows};
use pentarch_core::game::{Cell, Color, Key, Move, MoveList, Position as _};
use pentarch_core::placement::Position;
use std::sync::Arc;

/// Knows, for each empty cell and color, what a stone there would make of its lines and what it
/// would capture. Kept up to date move by move.
///
/// In exact mode every legal move is a candidate, and a position in which no line can be won any
/// more is known to be a draw.
#[derive(Clone, Debug)]
pub struct LineEvaluator {
    patterns: PatternMap<2>,
    /// The state of the patterns before each ply.
    marks: Vec<Mark<2>>,
    /// What corrects the values of the weights, where the tables have a network.
    network: Option<NetworkState>,
    /// The outline of the position, if it was asked for since the last ply was followed or taken back.
    outline: Option<Outline>,
    exact: bool,
    seed: u64,
    scale: Scale,
    /// Where each symmetry but the identity takes each cell, if mirror images are treated alike.
    images: Arc<[Vec<Cell>]>,
}

/// What a network corrects, and what it must know for that besides the cells.
#[derive(Clone, Copy, Debug)]
struct Outline {
    /// The value of the weights.
    value: Score,
    /// The kinds of position.
    kinds: [usize; 2],
}

/// The points by which a network all but never corrects the value of the weights: by 1,550 it did in 3 of
/// 48,000 positions of gomoku, and in 58 of 35,000 of Pro-Pente.
const GREATEST_CORRECTION: i32 = 2000;

/// The ordering score down to which tactical moves come before quiet ones in games with captures. Of the
/// nodes that list moves four in five of keryo-pente end before they come to quiet ones. By nodes it won
/// against -600 and -900, and -2000 lost against -900.
const QUIET_CEILING: i32 = -1200;

/// The largest board, in cells, whose mirror images are treated alike in exact mode: on larger
/// ones the look-up costs more than it saves.
const MIRRORED_CELLS: usize = 49;

impl LineEvaluator {
    /// An evaluator for positions of the ruleset that the tables serve. A `seed` other than 0
    /// disturbs values a little, each seed in its own way.
    pub fn new(tables: Arc<PatternTables>, exact: bool, seed: u64) -> LineEvaluator {
        LineEvaluator {
            network: tables.network.clone().map(NetworkState::new),
            patterns: PatternMap::new(tables),
            marks: Vec::new(),
            outline: None,
            exact,
            seed,
            scale: Scale::default(),
            images: Arc::default(),
        }
    }

    /// The patterns of all cells.
    pub(super) fn patterns(&self) -> &PatternMap<2> {
        &self.patterns
    }

    /// The scale of values.
    pub(super) fn scale(&self) -> Scale {
        self.scale
    }

    /// The static value for the side to move, without a network.
    pub fn value_of_weights(&self, position: &Position) -> Score {
        self.weigh(position, self.patterns.urgent(position.color_to_move()))
    }

    fn weigh(&self, position: &Position, (urgencies, captures): Urgent) -> Score {
        let mover = position.color_to_move();
        let rule = position.rules().capture();
        let of_color = |color: Color, role| {
            self.patterns.color_value(color, role, rule, position.captures(color))
        };
        let value = of_color(mover, 0) - of_color(mover.opponent(), 1);
        let value = value + self.patterns.tables.weights.threat(urgencies, captures);
        self.scale.score(value + noise(position.key(), self.seed))
    }

    /// Works an outline out, unless it is known.
    #[inline]
    fn outline(&mut self, position: &Position) -> Outline {
        if let Some(known) = self.outline {
            return known;
        }
        let urgent = self.patterns.urgent(position.color_to_move());
        let value = self.weigh(position, urgent);
        *self.outline.insert(Outline { value, kinds: kinds(position, urgent) })
    }

    /// The cells on which a stone of a color would win at once: by a line, or by what it captures
    /// there. A cell that does both may come twice. Openings are not asked.
    pub fn winning_cells<'a>(
        &'a self,
        position: &'a Position,
        color: Color,
    ) -> impl Iterator<Item = Cell> + 'a {
        let captures = self.patterns.captures_of(color, Self::missing(position, color));
        self.fives(position, color).chain(captures)
    }

    /// The cells on which a stone of a color would complete a line.
    fn fives<'a>(
        &'a self,
        position: &'a Position,
        color: Color,
    ) -> impl Iterator<Item = Cell> + 'a {
        let sees_all = self.sees_all(position, color);
        let fives = self.patterns.set(color, Urgency::Five).iter();
        fives.filter(move |&cell| sees_all || completes_line(position, color, cell))
    }

    /// Whether there may be such cells.
    #[inline]
    fn may_win(&self, position: &Position, color: Color) -> bool {
        self.patterns.may_win(color, Self::missing(position, color))
    }

    /// The cells on which a stone of a color would capture something.
    pub fn capturing_cells(&self, color: Color) -> impl Iterator<Item = Cell> + '_ {
        self.patterns.captures(color).iter()
    }

    /// The number of stones that a stone of that color would capture on a cell.
    pub fn captured_at(&self, color: Color, cell: Cell) -> u32 {
        self.patterns.at(color, cell).captured_stones()
    }

    /// Whether what the tables call a five wins for certain. Not so an overline of Renju's Black.
    #[inline]
    fn sees_all(&self, position: &Position, color: Color) -> bool {
        self.patterns.tables.sees_all() && !position.rules().renju_restricts(color)
    }

    /// Whether the rules may close a cell to the color to move, judged by what a stone there would
    /// make: two threes or fours, or too long a run.
    #[inline]
    fn may_be_forbidden(&self, position: &Position, cell: Cell) -> bool {
        let color = position.color_to_move();
        position.rules().renju_restricts(color)
            && Urgency::OF_SEVERAL
                .contains(&self.patterns.tables.urgency(self.patterns.at(color, cell)))
    }

    /// Whether a stone of the color to move may go to an empty cell.
    #[inline]
    fn is_allowed(&self, position: &Position, mv: Move) -> bool {
        let limited = position.is_opening_limited();
        let asked = limited || mv.cell().is_some_and(|cell| self.may_be_forbidden(position, cell));
        !asked || position.is_legal(mv)
    }

    /// Whether the rules may close empty cells to the color to move.
    #[inline]
    fn is_restricted(position: &Position) -> bool {
        position.is_opening_limited() || position.rules().renju_restricts(position.color_to_move())
    }

    /// The cells of tactical moves of the color to move.
    fn tactical_cells(&self, position: &Position) -> CellUnion {
        let mover = position.color_to_move();
        self.patterns.tactical_cells(mover, std::iter::once(mover.opponent()))
    }

    /// Takes out the moves that are forbidden.
    fn retain_allowed(&self, position: &Position, moves: &mut MoveList) {
        if position.rules().renju_restricts(position.color_to_move()) {
            moves.retain(|&mv| self.is_allowed(position, mv));
        }
    }

    /// Adds a move that is not listed yet and not forbidden.
    fn push_allowed(&self, position: &Position, cell: Cell, moves: &mut MoveList) {
        let mv = Move::stone(cell);
        if !moves.contains(&mv) && self.is_allowed(position, mv) {
            moves.push(mv);
        }
    }

    /// Shows the network the plies that it has not seen. Most plies of a search for threats are taken back
    /// before anyone asks.
    #[inline]
    fn catch_up(&mut self) {
        if let Some(network) = &mut self.network
            && let Some(mark) = self.marks.get(network.plies())
        {
            let changed = self.patterns.changed_since(mark);
            network.catch_up(self.marks.len(), &self.patterns, changed);
        }
    }

    /// How many more captured stones win; beyond any number if captures do not.
    fn missing(position: &Position, color: Color) -> u32 {
        let goal = position.rules().capture().and_then(|capture| capture.goal);
        goal.map_or(u32::MAX, |goal| u32::from(goal.saturating_sub(position.captures(color))))
    }
}

/// Where symmetries take the cells, in exact mode on small boards without a limit on the opening.
fn images(position: &Position, exact: bool) -> Arc<[Vec<Cell>]> {
    let (grid, rules) = (position.grid(), position.rules());
    let limited = rules.limited_stones() > 0;
    if !exact || limited || grid.cells() > MIRRORED_CELLS {
        return Arc::default();
    }
    let image = |symmetry: Symmetry| grid.iter().map(|cell| symmetry.apply(grid, cell)).collect();
    Symmetry::all(grid).skip(1).map(image).collect()
}

/// Whether a stone on an empty cell makes a winning line, asked of the rule itself.
fn completes_line(position: &Position, color: Color, cell: Cell) -> bool {
    let around = position.board().windows(color, cell).0;
    position.rules().line_of(color).wins(Windows(around | LANE_LOW_BITS << CENTER))
}

impl Evaluator<Position> for LineEvaluator {
    fn reset(&mut self, position: &Position) {
        self.patterns.reset(position.board());
        if let Some(network) = &mut self.network {
            network.reset(&self.patterns, position.grid().iter());
        }
        self.marks.clear();
        self.outline = None;
        self.scale = Scale::of_stones(position.rules());
        self.images = images(position, self.exact);
    }

    #[inline]
    fn advance(&mut self, position: &Position) {
        self.outline = None;
        self.patterns.push_mark(&mut self.marks);
        let changed = position.changes().iter().map(|change| change.cell);
        self.patterns.update(position.board(), &changed);
    }

    #[inline]
    fn retract(&mut self, _: &Position) {
        self.outline = None;
        if let Some(mark) = self.marks.pop() {
            self.patterns.restore(mark);
        }
        if let Some(network) = &mut self.network {
            network.go_back(self.marks.len());
        }
    }

    fn value(&mut self, position: &Position) -> Score {
        if self.network.is_none() {
            return self.value_of_weights(position);
        }
        let Outline { value, kinds: [threat, count] } = self.outline(position);
        self.catch_up();
        let Some(network) = &self.network else { return value };
        value.plus(network.points(position.color_to_move(), threat, count))
    }

    fn value_bounds(&mut self, position: &Position) -> Window {
        if self.network.is_none() {
            return Window::FULL;
        }
        let Outline { value, .. } = self.outline(position);
        Window { alpha: value.plus(-GREATEST_CORRECTION), beta: value.plus(GREATEST_CORRECTION) }
    }

    /// Always: to wait for open fours to be answered first lost matches.
    fn is_quiescent(&self, _: &Position) -> bool {
        true
    }

    fn range(&self, position: &Position) -> Window {
        if !self.exact || position.rules().capture().is_some() {
            return Window::FULL;
        }
        let mover = position.color_to_move();
        let mut range = Window::FULL;
        if !line_is_alive(position, mover) {
            range.beta = Score::DRAW;
        }
        if !line_is_alive(position, mover.opponent()) {
            range.alpha = Score::DRAW;
        }
        range
    }

    #[inline]
    fn table_key(&self, position: &Position) -> Key {
        let images = self.images.iter().map(|image| position.transformed_key(image));
        images.fold(position.key(), |least, key| if key.0 < least.0 { key } else { least })
    }
}

impl MoveGenerator<Position> for LineEvaluator {
    #[inline]
    fn winning_move(&self, position: &Position) -> Option<Move> {
        let mover = position.color_to_move();
        if !self.may_win(position, mover) {
            return None;
        }
        let winning = self.winning_cells(position, mover).map(Move::stone);
        winning.into_iter().find(|&mv| self.is_allowed(position, mv))
    }

    fn refutes(&self, position: &Position, mv: Move) -> bool {
        position.is_obvious_win(mv)
    }

    #[inline]
    fn defenses(&self, position: &Position, moves: &mut MoveList) -> Option<Coverage> {
        let mover = position.color_to_move();
        let ends = position.ply() + 2 > position.rules().max_plies();
        if ends || !self.may_win(position, mover.opponent()) {
            return None;
        }
        let mut threats = self.winning_cells(position, mover.opponent());
        let threat = threats.next()?;
        // One stone stands in the way of one point; with more of them, only captures are left.
        if threats.all(|cell| cell == threat) {
            self.push_allowed(position, threat, moves);
        }
        for cell in self.capturing_cells(mover) {
            let reply = Reply::with_stone(position, cell);
            let mut fives = self.fives(position, mover.opponent());
            if fives.all(|five| reply.breaks_sure_line(position, five)) {
                self.push_allowed(position, cell, moves);
            }
        }
        Some(Coverage::AgainstThreat)
    }

    fn candidates(&self, position: &Position, moves: &mut MoveList) -> Coverage {
        if self.exact {
            position.legal_moves(moves);
            return Coverage::All;
        }
        if position.is_opening_limited() {
            push_nearest_legal(position, moves);
        } else {
            push_near_stones(position, moves);
            self.retain_allowed(position, moves);
            if moves.is_empty() {
                push_first_stone(position, moves);
            }
        }
        Coverage::Selective
    }

    #[inline]
    fn ordering_score(&self, position: &Position, mv: Move) -> i32 {
        let Some(cell) = mv.cell() else { return 0 };
        let mover = position.color_to_move();
        let tables = &self.patterns.tables;
        let [own, their] = [mover, mover.opponent()].map(|color| self.patterns.at(color, cell));
        tables.ordering_score(own, their)
    }

    fn add_ordering_scores(&mut self, position: &Position, moves: &mut [(Move, i32)]) {
        for (mv, score) in moves.iter_mut() {
            *score += self.ordering_score(position, *mv);
        }
        if !self.network.as_ref().is_some_and(NetworkState::orders_moves) {
            return;
        }
        self.catch_up();
        let Outline { kinds, .. } = self.outline(position);
        if let Some(network) = &self.network {
            network.add_scores(position.color_to_move(), kinds, moves);
        }
    }

    #[inline]
    fn is_quiet(&self, position: &Position, mv: Move) -> bool {
        let Some(cell) = mv.cell() else { return false };
        let mover = position.color_to_move();
        let tables = &self.patterns.tables;
        let [own, their] = [mover, mover.opponent()].map(|color| self.patterns.at(color, cell));
        tables.is_quiet_attack(own) && tables.is_quiet_defense(their)
    }

    fn distinguishes_quiet_moves(&self) -> bool {
        true
    }

    fn has_trained_ordering(&self, _: &Position) -> bool {
        true
    }

    fn quiet_threshold(&self, position: &Position) -> i32 {
        if position.rules().capture().is_some() { QUIET_CEILING } else { i32::MAX }
    }

    /// Not with captures, where it lost: 32-48 in pro-pente, 40,000 nodes a move.
    fn has_reliable_ordering(&self, position: &Position) -> bool {
        position.rules().capture().is_none()
    }

    fn quiet_moves(&self, position: &Position, moves: &mut MoveList) {
        if !self.exact && !position.is_opening_limited() {
            // What may be forbidden is tactical.
            let tactical = self.tactical_cells(position);
            for_each_near_stones(position, |cell| {
                if !tactical.contains(cell) {
                    moves.push(Move::stone(cell));
                }
            });
        }
        // The first stone, and what is not just near others.
        if moves.is_empty() {
            self.candidates(position, moves);
            moves.retain(|&mv| self.is_quiet(position, mv));
        }
    }

    fn tactical_moves(&self, position: &Position, moves: &mut MoveList) {
        let all = self.tactical_cells(position).iter().map(Move::stone);
        if Self::is_restricted(position) {
            moves.extend(all.filter(|&mv| self.is_allowed(position, mv)));
        } else {
            moves.extend(all);
        }
    }
}

/// Whether a color can still make a winning line somewhere, if the other stops playing: a run of
/// cells that the other color has not taken.
fn line_is_alive(position: &Position, color: Color) -> bool {
    let board = position.board();
    let length = u32::from(position.rules().line().length());
    (0..board.map().lines() as u8).any(|number| {
        let open = !(board.map().wall(number) | board.line(color.opponent(), number));
        (1..length).fold(open, |runs, shift| runs & open >> shift) != 0
    })
}
