//! Evaluation of games of placed stones on square boards.
//!
//! The [`PatternMap`] knows what a stone of each color would make of each empty cell, and follows the game by
//! differences. The tables of a ruleset turn these patterns into values and ordering scores, and a network corrects
//! the values. Everything here is an estimate or a short cut: the rules decide.

mod bitboards;
mod calls;
mod captures;
mod cell_pattern;
mod defenses;
mod guide;
mod line_pattern;
mod moves;
mod network;
mod pattern_map;
mod power_stones;
mod tables;
mod terms;
mod threats;
mod weights;

pub use calls::{Call, Threat, threats};
pub use guide::StoneGuide;
pub use network::{
    ACCUMULATOR_SIZE, CAPTURE_BUCKETS, FeatureBuckets, FloatNetwork, FloatPolicy, HIDDEN, INPUTS,
    Network, POLICY_HIDDEN, Policy, THREAT_BUCKETS,
};
pub use tables::StoneTables;
pub use terms::NetworkInput;
pub use weights::{RuleClass, Weights};

use super::scale::{ValueScale, noise};
use crate::search::{Evaluator, Score, Window};
use line_pattern::ThreatClass;
use network::Accumulator;
use pattern_map::{PatternMap, UndoPoint};
use pentarch_core::board::{CENTER, LANE_LOW_BITS, Symmetry, Windows};
use pentarch_core::game::{Cell, Color, Key, Position as _, Side};
use pentarch_core::placement::Position;
use pentarch_core::rules::{CaptureRule, OpeningStage, SquareRules};
use power_stones::Diamonds;
use std::iter;
use std::sync::Arc;
use weights::{THEM, US, ValueIndex};

/// An evaluator of games of placed stones for up to `N` colors.
///
/// `LINES` is the rule tier, a constant so that either tier is compiled without the branches of the other. With it,
/// the evaluator serves games below [`RuleTier::Full`](pentarch_core::rules::RuleTier), once their openings
/// leave no choice: there the patterns alone show wins, captures and threats, and values may come from a
/// network. Without it, it serves all games: the patterns show where something may happen, and the rules are asked
/// whether it does.
///
/// In exact mode every legal move is a candidate, and positions in which no line can be won any more are drawn.
#[derive(Clone, Debug)]
pub struct StoneEvaluator<const N: usize, const LINES: bool> {
    tables: Arc<StoneTables>,
    patterns: PatternMap<N>,
    /// The states before each ply since the reset.
    undo_points: Vec<UndoPoint<N>>,
    /// The accumulator of the network, if there is one.
    accumulator: Option<Accumulator>,
    /// What has been evaluated since the last ply.
    cached: Option<CachedEvaluation>,
    exact: bool,
    seed: u64,
    scale: ValueScale,
    /// The side that the search is for. With three sides or more, all others play against it.
    root: Side,
    /// By symmetry, without the identity: the image of each cell. Empty if mirror images are distinguished.
    images: Arc<[Vec<Cell>]>,
    /// Where bonus stones may go; none in games without power stones.
    diamonds: Diamonds,
    /// Whether every [`ThreatClass::Five`] wins once the opening is over.
    fives_win: bool,
}

/// The evaluator of games that play lines.
pub type LineEvaluator = StoneEvaluator<2, true>;
/// The evaluator of all other games of stones.
pub type VariantEvaluator<const N: usize> = StoneEvaluator<N, false>;

/// The part of an evaluation that the network corrects, and the buckets that the network takes besides cells.
#[derive(Clone, Copy, Debug)]
struct CachedEvaluation {
    value: Score,
    buckets: [usize; 2],
}

/// The threats of two colors.
#[derive(Clone, Copy, Debug)]
struct Threats {
    /// The most urgent threat classes of the color to move and of the other.
    classes: [ThreatClass; 2],
    /// Which color has captures; in games of two stones a turn, whether one stone of the turn is played.
    flags: [bool; 2],
}

impl Threats {
    const NONE: Threats = Threats { classes: [ThreatClass::Quiet; 2], flags: [false; 2] };
}

/// The most points by which networks correct values but for rare exceptions: by 1,550 in 3 of 48,000 positions of
/// gomoku and in 58 of 35,000 of Pro-Pente.
const MAX_CORRECTION: i32 = 2000;

/// The largest board, in cells, on which exact searches treat mirror images alike. On larger boards computing the keys
/// takes longer than it saves.
const MAX_MIRRORED_CELLS: usize = 49;

/// The points that make a side's chances e times as good as another's among three sides and more. Weights are fitted at
/// a value scale of 250 percent for it.
const POINTS_PER_LOGIT: f32 = 1000.0;

impl<const N: usize, const LINES: bool> StoneEvaluator<N, LINES> {
    /// An evaluator for the rulesets that the tables serve. A `seed` other than 0 disturbs values a little.
    pub fn new(tables: Arc<StoneTables>, exact: bool, seed: u64) -> StoneEvaluator<N, LINES> {
        StoneEvaluator {
            accumulator: tables.network.clone().filter(|_| LINES).map(Accumulator::new),
            tables,
            patterns: PatternMap::new(0),
            undo_points: Vec::new(),
            cached: None,
            exact,
            seed,
            scale: ValueScale::default(),
            root: Side(0),
            images: Arc::default(),
            diamonds: Diamonds::new(iter::empty()),
            fives_win: false,
        }
    }

    /// The number of stones that a stone of a color would capture on a cell.
    pub fn captured_at(&self, color: Color, cell: Cell) -> u32 {
        self.patterns.at(color, cell).captured_stones()
    }

    /// The cells on which a stone of a color would capture.
    pub fn capturing_cells(&self, color: Color) -> impl Iterator<Item = Cell> + '_ {
        self.patterns.captures(color).iter()
    }

    /// The side that owns a color.
    fn side_of(position: &Position, color: Color) -> Side {
        position.side_of(position.seat_of(color))
    }

    /// The colors that play against the owner of the color to move.
    #[inline]
    fn enemies(position: &Position) -> impl Iterator<Item = Color> + '_ {
        let mover = position.color_to_move();
        // Two colors are always enemies.
        let seats = if N == 2 { 2 } else { position.rules().seating().seats };
        (0..seats).map(Color).filter(move |&color| {
            let side = |color| Self::side_of(position, color);
            color != mover && (N == 2 || side(color) != side(mover))
        })
    }

    /// Whether a turn has two stones, so that one stone does not answer its threats.
    fn has_double_turns(position: &Position) -> bool {
        !LINES && position.rules().seating().double_turns
    }

    /// Whether the next stone ends the turn of the color to move, which has two stones, or one at the beginning of the
    /// game. Such games have no swaps, so that every ply is a stone.
    fn is_last_stone(position: &Position) -> bool {
        position.rules().seating().color(position.ply() + 1) != position.color_to_move()
    }

    /// The captured stones that count for a color, with those of its partner.
    #[inline]
    fn captured_stones(position: &Position, color: Color) -> u16 {
        let own = position.captures(color);
        if !LINES && position.rules().seating().teams {
            own + position.captures(Color((color.0 + 2) & 3))
        } else {
            own
        }
    }

    /// How many more captured stones win for a color; `u32::MAX` if captures do not win.
    #[inline]
    fn missing(position: &Position, color: Color) -> u32 {
        let goal = position.rules().capture().and_then(|capture| capture.goal);
        goal.map_or(u32::MAX, |goal| {
            u32::from(goal.saturating_sub(Self::captured_stones(position, color)))
        })
    }

    /// The cells on which a color may win at once, as far as patterns show. A cell may come twice.
    fn winning_candidates<'a>(
        &'a self,
        position: &Position,
        color: Color,
    ) -> impl Iterator<Item = Cell> + use<'a, N, LINES> {
        let fives = self.patterns.cells(color, ThreatClass::Five).iter();
        let missing = Self::missing(position, color);
        fives.chain(self.captures_of(color, missing))
    }

    fn captures_of(
        &self,
        color: Color,
        stones: u32,
    ) -> impl Iterator<Item = Cell> + use<'_, N, LINES> {
        let StoneEvaluator { tables, patterns, .. } = self;
        patterns.captures_of(tables, color, stones)
    }

    /// Whether a color may win with one stone. If not, there are no [winning
    /// candidates](StoneEvaluator::winning_candidates).
    #[inline]
    fn may_win(&self, position: &Position, color: Color) -> bool {
        self.patterns.may_win(&self.tables, color, Self::missing(position, color))
    }

    /// The threats of the color to move and of the other, in games of two colors.
    #[inline]
    fn threats(&self, position: &Position) -> Threats {
        let mover = position.color_to_move();
        let colors = [mover, mover.opponent()];
        let captures = colors.map(|color| !self.patterns.captures(color).is_empty());
        let flags = if Self::has_double_turns(position) {
            [Self::is_last_stone(position), false]
        } else {
            captures
        };
        Threats { classes: colors.map(|color| self.patterns.most_urgent(color)), flags }
    }

    /// The threats of one color, `side` being [`US`] for the color to move, as if no other had any.
    fn lone_threats(&self, color: Color, side: usize) -> Threats {
        let mut threats = Threats::NONE;
        threats.classes[side] = self.patterns.most_urgent(color);
        threats.flags[side] = !self.patterns.captures(color).is_empty();
        threats
    }
}

/// Values.
impl<const N: usize, const LINES: bool> StoneEvaluator<N, LINES> {
    /// The static value for the side to move, without the correction of the network.
    pub fn value_without_network(&self, position: &Position) -> Score {
        if LINES || position.rules().seating().seats == 2 {
            return self.two_color_value(position, self.threats(position));
        }
        self.scaled(position, self.many_color_points(position))
    }

    #[inline]
    fn two_color_value(&self, position: &Position, threats: Threats) -> Score {
        let mover = position.color_to_move();
        let us = self.color_points(position, mover, US);
        let them = self.color_points(position, mover.opponent(), THEM);
        self.scaled(position, us - them + self.threat_points(threats))
    }

    /// The score of points for the owner of the color to move. Before a choice of colors it is that of the side to move:
    /// the player who chooses takes the better color, so that balance is what counts.
    #[inline]
    fn scaled(&self, position: &Position, points: i32) -> Score {
        let points = match position.stage() {
            _ if LINES => points,
            OpeningStage::Play => points,
            OpeningStage::Choice | OpeningStage::LastChoice => points.abs(),
            OpeningStage::First | OpeningStage::More => -points.abs(),
        };
        self.scale.score(points + noise(position.key(), self.seed))
    }

    #[inline]
    fn threat_points(&self, threats: Threats) -> i32 {
        self.tables.weights.threat_value(threats.classes, threats.flags)
    }

    /// The points of having the move if nothing is urgent.
    fn tempo(&self) -> i32 {
        self.threat_points(Threats::NONE)
    }

    /// The points of a color by itself, [`US`] or [`THEM`]: every term of the evaluation that depends on one color only.
    /// A new term of this kind is added here.
    #[inline]
    fn color_points(&self, position: &Position, color: Color, side: usize) -> i32 {
        let weights = &self.tables.weights;
        let captures = self.patterns.captures(color).len() as i32;
        let captured = Self::captured_stones(position, color);
        let tenths = tenths_of_goal(position.rules().capture(), captured);
        self.patterns.sum(color, side)
            + captures * i32::from(weights.capturing_cells[side][tenths])
            + i32::from(weights.captured_stones[side][tenths])
    }

    /// The points for the owner of the color to move among more than two colors.
    fn many_color_points(&self, position: &Position) -> i32 {
        let side = Self::side_of(position, position.color_to_move());
        if position.rules().seating().sides() == 2 {
            let other = Side(side.0 ^ 1);
            return self.tempo() + self.side_points(position, side)
                - self.side_points(position, other);
        }
        let value = self.points_against_all(position);
        if side == self.root { value } else { -value }
    }

    /// The value for the root side among three sides and more: its odds if chances go by strength (Luce's choice axiom,
    /// 1959). An even game of three sides is a third for each and therefore not worth 0.
    fn points_against_all(&self, position: &Position) -> i32 {
        let strength =
            |side: Side| self.side_points_with_tempo(position, side) as f32 / POINTS_PER_LOGIT;
        let own = strength(self.root);
        let others = (0..position.rules().seating().sides()).map(Side);
        let others = others.filter(|&side| side != self.root);
        let odds: f32 = others.map(|side| (strength(side) - own).exp()).sum();
        (-Score::SCALE * f64::from(odds).ln()) as i32
    }

    /// The points of a side among more than two colors, with those of having the move.
    fn side_points_with_tempo(&self, position: &Position, side: Side) -> i32 {
        let has_move = side == Self::side_of(position, position.color_to_move());
        self.side_points(position, side) + if has_move { self.tempo() } else { 0 }
    }

    /// The points of the colors of a side among more than two colors, with their threats as if no other had any.
    fn side_points(&self, position: &Position, side: Side) -> i32 {
        let colors = (0..position.rules().seating().seats).map(Color);
        let own = colors.filter(|&color| Self::side_of(position, color) == side);
        let points = own.map(|color| {
            let side = if color == position.color_to_move() { US } else { THEM };
            let gain = self.threat_points(self.lone_threats(color, side)) - self.tempo();
            self.color_points(position, color, side) + if side == US { gain } else { -gain }
        });
        points.sum()
    }

    /// The evaluation that the network corrects, computed once for a position.
    #[inline]
    fn cached(&mut self, position: &Position) -> CachedEvaluation {
        if let Some(cached) = self.cached {
            return cached;
        }
        let threats = self.threats(position);
        let value = self.two_color_value(position, threats);
        *self.cached.insert(CachedEvaluation { value, buckets: network_buckets(position, threats) })
    }

    /// Brings the accumulator up to date. It lags behind, because most plies of a search for threats are undone before a
    /// value is asked for.
    #[inline]
    fn update_accumulator(&mut self) {
        if let Some(accumulator) = &mut self.accumulator
            && let Some(point) = self.undo_points.get(accumulator.plies())
        {
            let changed = self.patterns.changed_since(point);
            accumulator.update(self.undo_points.len(), &self.patterns, changed);
        }
    }

    /// Follows changes of cells that no play made, such as from one leaf of a tree to another. Nothing before can be
    /// undone.
    fn follow_changes(&mut self, position: &Position, cells: impl Iterator<Item = Cell>) {
        self.undo_points.clear();
        let cells: Vec<_> = cells.collect();
        self.patterns.update(&self.tables, position.board(), &cells.iter().copied());
        self.patterns.clear_undo();
    }
}

impl<const N: usize, const LINES: bool> Evaluator<Position> for StoneEvaluator<N, LINES> {
    fn reset(&mut self, position: &Position) {
        let rules = position.rules();
        self.patterns.reset(&self.tables, position.board());
        if let Some(accumulator) = &mut self.accumulator {
            accumulator.reset(&self.patterns, position.grid().iter());
        }
        self.undo_points.clear();
        self.cached = None;
        self.scale = ValueScale::of_stones(rules);
        self.root = position.side_of(position.to_move());
        self.images = if LINES { images(position, self.exact) } else { Arc::default() };
        self.fives_win = self.tables.fives_are_exact() && fives_win(rules);
        let power = rules.stones().power;
        let diamonds = power.into_iter().flat_map(|(_, diamonds)| diamonds.cells(position.grid()));
        self.diamonds = Diamonds::new(diamonds);
    }

    #[inline]
    fn advance(&mut self, position: &Position) {
        self.cached = None;
        self.patterns.save(&mut self.undo_points);
        let changed = position.changes().iter().map(|change| change.cell);
        self.patterns.update(&self.tables, position.board(), &changed);
    }

    #[inline]
    fn retract(&mut self, _: &Position) {
        self.cached = None;
        if let Some(point) = self.undo_points.pop() {
            self.patterns.restore(point);
        }
        if let Some(accumulator) = &mut self.accumulator {
            accumulator.rollback(self.undo_points.len());
        }
    }

    fn value(&mut self, position: &Position) -> Score {
        if !LINES || self.accumulator.is_none() {
            return self.value_without_network(position);
        }
        let CachedEvaluation { value, buckets: [threats, captures] } = self.cached(position);
        self.update_accumulator();
        let Some(accumulator) = &self.accumulator else { return value };
        value.plus(accumulator.points(position.color_to_move(), threats, captures))
    }

    fn value_bounds(&mut self, position: &Position) -> Window {
        if !LINES || self.accumulator.is_none() {
            return Window::FULL;
        }
        let CachedEvaluation { value, .. } = self.cached(position);
        Window { alpha: value.plus(-MAX_CORRECTION), beta: value.plus(MAX_CORRECTION) }
    }

    /// In games that play lines always: waiting until open fours are answered lost matches. In others not while a five is
    /// on the board or can be made that a capture may break, because it threatens to win later.
    fn is_quiescent(&self, position: &Position) -> bool {
        let has_no_five = |enemy| self.patterns.cells(enemy, ThreatClass::Five).is_empty();
        LINES
            || !position.stage().is_choice()
                && position.pending_five().is_none()
                && Self::enemies(position).all(has_no_five)
    }

    fn range(&self, position: &Position) -> Window {
        let mut range = Window::FULL;
        if !LINES || !self.exact || position.rules().capture().is_some() {
            return range;
        }
        let mover = position.color_to_move();
        if !can_make_line(position, mover) {
            range.beta = Score::DRAW;
        }
        if !can_make_line(position, mover.opponent()) {
            range.alpha = Score::DRAW;
        }
        range
    }

    #[inline]
    fn table_key(&self, position: &Position) -> Key {
        if !LINES {
            return position.key();
        }
        let images = self.images.iter().map(|image| position.transformed_key(image));
        images.fold(position.key(), |least, key| if key.0 < least.0 { key } else { least })
    }
}

/// The tenth of the way to the goal that captured stones are, 0 to 9.
#[inline]
fn tenths_of_goal(rule: Option<CaptureRule>, captured: u16) -> usize {
    let goal = rule.and_then(|rule| rule.goal);
    goal.map_or(0, |goal| usize::from(captured) * 10 / usize::from(goal.max(1))).min(9)
}

/// The buckets of a position for a network: by threats, with the colors that are forbidden moves in place of captures in
/// games without captures; and by captured stones.
#[inline]
fn network_buckets(position: &Position, threats: Threats) -> [usize; 2] {
    let mover = position.color_to_move();
    let colors = [mover, mover.opponent()];
    let rule = position.rules().capture();
    let forbidden = || colors.map(|color| position.rules().renju_restricts(color));
    let flags = if rule.is_some() { threats.flags } else { forbidden() };
    let [us, them] = colors.map(|color| tenths_of_goal(rule, position.captures(color)));
    [ValueIndex::threat_bucket(threats.classes, flags), 10 * us + them]
}

/// The images of the cells under all symmetries but the identity, in exact mode on small boards without limits on the
/// opening.
fn images(position: &Position, exact: bool) -> Arc<[Vec<Cell>]> {
    let (grid, rules) = (position.grid(), position.rules());
    let limited = rules.limited_stones() > 0;
    if !exact || limited || grid.cells() > MAX_MIRRORED_CELLS {
        return Arc::default();
    }
    let image = |symmetry: Symmetry| grid.iter().map(|cell| symmetry.apply(grid, cell)).collect();
    Symmetry::all(grid).skip(1).map(image).collect()
}

/// Whether every five wins in games of two alternating colors, whatever surrounds it.
fn fives_win(rules: &SquareRules) -> bool {
    let can_be_answered = rules.breakable_fives().is_some() || rules.has_perfect_fives();
    let can_be_spoiled =
        rules.line().is_caro() || rules.capture().is_some_and(|capture| capture.poof);
    let can_be_too_long = rules.line().exact() && rules.stones().power.is_some();
    let is_limited = rules.forbidden().is_some() || rules.seating().seats > 2;
    !(can_be_answered
        || can_be_spoiled
        || can_be_too_long
        || is_limited
        || rules.seating().double_turns)
}

/// Whether a stone of a color on an empty cell makes a winning line by the line rule.
fn completes_line(position: &Position, color: Color, cell: Cell) -> bool {
    let around = position.board().windows(color, cell).0;
    position.rules().line_of(color).wins(Windows(around | LANE_LOW_BITS << CENTER))
}

/// Whether a color can still make a winning line if the other stops playing: whether there is a run of the winning length
/// without enemy stones.
fn can_make_line(position: &Position, color: Color) -> bool {
    let board = position.board();
    let length = u32::from(position.rules().line().length());
    (0..board.map().lines() as u8).any(|number| {
        let open = !(board.map().wall(number) | board.line(color.opponent(), number));
        (1..length).fold(open, |runs, shift| runs & open >> shift) != 0
    })
}
