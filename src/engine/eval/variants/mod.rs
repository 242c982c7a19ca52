//! Evaluation of stone games that are more than lines and pairs: swap openings, special stones, fives
//! that can be answered, forbidden moves, three and four colors.
//!
//! The patterns of [`LineEvaluator`](super::LineEvaluator) say where something may happen; whether
//! it does is asked of the rules, by playing it on a copy.

mod bonuses;
mod defenses;
mod diamonds;
mod guide;
mod listing;
mod moves;
mod terms;
mod value;

use super::near_stones::{depends_on, push_nearest_legal};
use super::pattern_map::PatternMap;
use super::pattern_state::Mark;
use super::patterns::PatternTables;
use super::scale::Scale;
use super::shapes::Urgency;
use crate::search::{Coverage, Evaluator, MoveGenerator, Score, ThreatGenerator};
use bonuses::has_power_left;
use defenses::Defense;
use diamonds::Diamonds;
pub use guide::VariantGuide;
use listing::Listing;
use pentarch_core::game::{Cell, Color, Move, MoveKind, MoveList, Position as _, Side};
use pentarch_core::placement::Position;
use pentarch_core::rules::{OpeningStage, SpecialStones, SquareRules};
use std::iter;
use std::sync::Arc;

/// Knows the patterns of up to `N` colors, beside stones of no color.
#[derive(Clone, Debug)]
pub struct VariantEvaluator<const N: usize> {
    patterns: PatternMap<N>,
    marks: Vec<Mark<N>>,
    /// The side that the search is for; with three sides or more, all others are against it.
    root: Side,
    exact: bool,
    seed: u64,
    scale: Scale,
    /// Where bonus stones go; nowhere in games without power stones.
    diamonds: Diamonds,
    /// Whether a stone that makes five by its patterns wins, once the opening is over.
    fives_win: bool,
}

/// The ordering score down to which tactical moves come before quiet ones in games with captures. With -900
/// matches by nodes came out the same, while more nodes listed quiet moves in vain.
const QUIET_CEILING: i32 = -1600;

impl<const N: usize> VariantEvaluator<N> {
    /// An evaluator for positions of the ruleset that the tables serve. In exact mode every legal
    /// move is a candidate; a `seed` other than 0 disturbs values a little.
    pub fn new(tables: Arc<PatternTables>, exact: bool, seed: u64) -> VariantEvaluator<N> {
        let patterns = PatternMap::new(tables);
        let (scale, diamonds) = (Scale::default(), Diamonds::on(iter::empty()));
        VariantEvaluator {
            patterns,
            marks: Vec::new(),
            root: Side(0),
            exact,
            seed,
            scale,
            diamonds,
            fives_win: false,
        }
    }

    /// The side that owns a color.
    fn side_of(position: &Position, color: Color) -> Side {
        position.side_of(position.seat_of(color))
    }

    fn colors(position: &Position) -> impl Iterator<Item = Color> {
        (0..position.rules().seating().seats).map(Color)
    }

    /// The colors that play against the owner of the color to move.
    #[inline]
    fn enemies(position: &Position) -> impl Iterator<Item = Color> + '_ {
        let mover = position.color_to_move();
        // Of two colors no side need be asked.
        let seats = if N == 2 { 2 } else { position.rules().seating().seats };
        (0..seats).map(Color).filter(move |&color| {
            let side = |color| Self::side_of(position, color);
            color != mover && (N == 2 || side(color) != side(mover))
        })
    }

    /// How many more captured stones win for a color; beyond any number if captures do not.
    fn missing(position: &Position, color: Color) -> u32 {
        let goal = position.rules().capture().and_then(|capture| capture.goal);
        goal.map_or(u32::MAX, |goal| u32::from(goal.saturating_sub(Self::count(position, color))))
    }

    /// The captured stones that count for a color, a partner's included.
    fn count(position: &Position, color: Color) -> u16 {
        let own = position.captures(color);
        if position.rules().seating().teams {
            own + position.captures(Color((color.0 + 2) & 3))
        } else {
            own
        }
    }

    /// The cells on which a color may win at once, as far as the patterns show.
    fn promising<'a>(
        &'a self,
        position: &'a Position,
        color: Color,
    ) -> impl Iterator<Item = Cell> + 'a {
        let fives = self.patterns.set(color, Urgency::Five).iter();
        fives.chain(self.patterns.captures_of(color, Self::missing(position, color)))
    }

    /// Whether a color's stone on a cell makes a five by its patterns that is known to win.
    #[inline]
    fn is_sure_five(&self, position: &Position, color: Color, cell: Cell) -> bool {
        let pattern = self.patterns.at(color, cell);
        let settled = position.stage() == OpeningStage::Play && !position.is_opening_limited();
        self.fives_win && settled && self.patterns.tables.urgency(pattern) == Urgency::Five
    }

    /// A move on one of the [promising](VariantEvaluator::promising) cells that wins at once.
    #[inline]
    fn win_on_promising(&self, position: &Position) -> Option<Move> {
        let (color, rules) = (position.color_to_move(), position.rules());
        if !self.patterns.may_win(color, Self::missing(position, color)) {
            return None;
        }
        if !rules.capture().is_some_and(|capture| capture.signs) {
            let wins = |&cell: &Cell| {
                let mv = Move::stone(cell);
                // Whether a stone may be placed is asked last: it hardly ever wins where it may not.
                self.is_sure_five(position, color, cell)
                    || position.would_win(mv) && position.is_legal(mv)
            };
            let win = self.promising(position, color).find(wins).map(Move::stone);
            if win.is_some() || rules.stones() == SpecialStones::default() {
                return win;
            }
        }
        let mut moves = MoveList::new();
        for cell in self.promising(position, color) {
            position.push_moves_at(cell, &mut moves);
        }
        moves.into_iter().find(|&mv| position.would_win(mv))
    }

    /// Follows changes of cells that no play made, such as from one leaf of a tree to another.
    fn follow(&mut self, position: &Position, cells: impl Iterator<Item = Cell>) {
        self.marks.clear();
        let cells: Vec<_> = cells.collect();
        self.patterns.update(position.board(), &cells.iter().copied());
        self.patterns.forget();
    }

    /// The cells on which the next color would win if it were its turn.
    fn threats_of_next(&self, position: &Position) -> Vec<Cell> {
        let next = Color((position.color_to_move().0 + 1) % position.rules().seating().seats);
        let wins = |cell: &Cell| position.would_win_for(next, *cell);
        self.promising(position, next).filter(wins).collect()
    }

    /// Adds the moves to search where nothing is urgent.
    fn list_candidates(
        &self,
        position: &Position,
        listing: Listing,
        moves: &mut MoveList,
    ) -> Coverage {
        let limited = position.is_opening_limited();
        let lists_all = self.exact
            || position.stage().is_choice()
            || limited && position.stage() != OpeningStage::Play;
        if lists_all {
            position.legal_moves(moves);
            return Coverage::All;
        }
        if limited {
            push_nearest_legal(position, moves);
            return Coverage::Selective;
        }
        self.push_candidates(position, listing, moves);
        if moves.is_empty() {
            position.legal_moves(moves);
        }
        Coverage::Selective
    }

    /// Whether two stones a turn make threats that one stone does not answer.
    fn has_double_turns(position: &Position) -> bool {
        position.rules().seating().double_turns
    }

    /// Whether the next stone ends the turn of the color to move, of two stones or of the one that the
    /// game begins with. Such games have no swaps, so every ply is a stone.
    fn is_last_stone(position: &Position) -> bool {
        position.rules().seating().color(position.ply() + 1) != position.color_to_move()
    }
}

/// Whether any five wins, of two that take turns, whatever stands around it.
fn fives_win(rules: &SquareRules) -> bool {
    let answered = rules.breakable_fives().is_some() || rules.has_perfect_fives();
    let spoiled = rules.line().is_caro() || rules.capture().is_some_and(|capture| capture.poof);
    let shared = rules.line().exact() && rules.stones().power.is_some();
    let limited = rules.forbidden().is_some() || rules.seating().seats > 2;
    !(answered || spoiled || shared || limited || rules.seating().double_turns)
}

impl<const N: usize> Evaluator<Position> for VariantEvaluator<N> {
    fn reset(&mut self, position: &Position) {
        self.patterns.reset(position.board());
        self.marks.clear();
        self.root = position.side_of(position.to_move());
        self.scale = Scale::of_stones(position.rules());
        self.fives_win = self.patterns.tables.sees_all() && fives_win(position.rules());
        let power = position.rules().stones().power;
        let diamonds = power.into_iter().flat_map(|(_, diamonds)| diamonds.cells(position.grid()));
        self.diamonds = Diamonds::on(diamonds);
    }

    fn advance(&mut self, position: &Position) {
        self.patterns.push_mark(&mut self.marks);
        let changed = position.changes().iter().map(|change| change.cell);
        self.patterns.update(position.board(), &changed);
    }

    fn retract(&mut self, _: &Position) {
        if let Some(mark) = self.marks.pop() {
            self.patterns.restore(mark);
        }
    }

    fn value(&mut self, position: &Position) -> Score {
        self.static_value(position)
    }

    /// Not while a five stands or can be made that a capture may break: it threatens to win later.
    fn is_quiescent(&self, position: &Position) -> bool {
        let no_fives = |enemy| self.patterns.set(enemy, Urgency::Five).is_empty();
        !position.stage().is_choice()
            && position.pending_five().is_none()
            && Self::enemies(position).all(no_fives)
    }
}

impl<const N: usize> MoveGenerator<Position> for VariantEvaluator<N> {
    fn winning_move(&self, position: &Position) -> Option<Move> {
        if position.stage().is_choice() {
            return None;
        }
        let win = self.win_on_promising(position);
        if win.is_some() || position.rules().stones() == SpecialStones::default() {
            return win;
        }
        let any = position.power_run_exists().then(|| Self::any_stone(position)).flatten();
        any.filter(|&mv| position.would_win(mv))
            .or_else(|| self.win_with_bonus(position))
            .or_else(|| self.win_by_captures_with_bonus(position))
    }

    fn refutes(&self, position: &Position, mv: Move) -> bool {
        position.is_obvious_win(mv)
    }

    fn defenses(&self, position: &Position, moves: &mut MoveList) -> Option<Coverage> {
        if position.stage() != OpeningStage::Play
            || position.ply() + 2 > position.rules().max_plies()
        {
            return None;
        }
        // Among more than two sides another player moves before some of the threats are carried out, and
        // may have no move that leaves them.
        let many = position.rules().seating().sides() > 2;
        let mut coverage = if many { Coverage::Selective } else { Coverage::AgainstThreat };
        if position.pending_five().is_some() {
            self.answers_to_five(position, moves);
            return Some(coverage);
        }
        let threats = self.threats(position);
        if threats.is_empty() {
            return None;
        }
        match Defense::of(position) {
            Defense::WithBonus if self.exact => {
                coverage = self.list_candidates(position, Listing::of(position), moves);
            }
            Defense::WithBonus => {
                self.stop_with_bonus(position, &threats, moves);
                coverage = Coverage::Selective;
            }
            // A stone farther than two king's steps from every other changes no line and no capture of the
            // next move.
            Defense::Anywhere => {
                self.list_candidates(position, Listing::of(position), moves);
            }
            Defense::There => self.stop_lines(position, &threats, moves),
            Defense::Beside => self.make_capturable(position, &threats, moves),
            Defense::Near(distance) => self.defend(position, &threats, distance, moves),
        }
        Self::outlast_poofs(position, moves);
        Some(coverage)
    }

    /// With power stones, those that lie far from every other stone and whose bonus stone stops the threat.
    /// A power stone with each empty diamond, on each cell that was never taken.
    fn has_more_moves_than(&self, position: &Position, count: usize) -> bool {
        let cells = position.grid().cells().saturating_sub(position.ply() as usize);
        has_power_left(position) && cells * self.empty_diamonds(position).len() > count
    }

    fn remaining_defenses(&self, position: &Position, moves: &mut MoveList) {
        if matches!(Defense::of(position), Defense::WithBonus) {
            self.push_remaining_power_stones(position, &self.threats(position), moves);
        } else {
            position.legal_moves(moves);
        }
    }

    fn candidates(&self, position: &Position, moves: &mut MoveList) -> Coverage {
        self.list_candidates(position, self.of_worthy(position), moves)
    }

    fn ordering_score(&self, position: &Position, mv: Move) -> i32 {
        self.score_of_move(position, mv)
    }

    fn is_quiet(&self, position: &Position, mv: Move) -> bool {
        let (MoveKind::Stone(cell), color) = (mv.kind(), position.color_to_move()) else {
            return false;
        };
        let tables = &self.patterns.tables;
        let own = self.patterns.at(color, cell);
        tables.is_quiet_attack(own)
            && Self::enemies(position)
                .all(|enemy| tables.is_quiet_defense(self.patterns.at(enemy, cell)))
    }

    fn distinguishes_quiet_moves(&self) -> bool {
        true
    }

    fn quiet_threshold(&self, position: &Position) -> i32 {
        if position.rules().capture().is_some() { QUIET_CEILING } else { i32::MAX }
    }

    fn has_trained_ordering(&self, _: &Position) -> bool {
        true
    }

    fn tactical_moves(&self, position: &Position, moves: &mut MoveList) {
        if self.exact && position.stage() == OpeningStage::Play {
            // Together with the quiet moves these are all legal ones.
            position.legal_moves(moves);
            moves.retain(|&mv| !self.is_quiet(position, mv));
        } else if position.stage() == OpeningStage::Play {
            self.push_tactical_moves(position, moves);
        } else if position.stage().is_choice() {
            position.legal_moves(moves);
        }
    }
}

impl<const N: usize> ThreatGenerator<Position> for VariantEvaluator<N> {
    fn threat_moves(&self, position: &Position, narrow: bool, moves: &mut MoveList) {
        // Among many it is not clear who answers a threat; of two stones only the first makes a four
        // that the other completes before anybody can.
        let many = position.rules().seating().sides() > 2;
        let late = Self::has_double_turns(position) && Self::is_last_stone(position);
        if many || late || position.is_opening_limited() || position.stage() != OpeningStage::Play {
            return;
        }
        self.push_threat_moves(position, narrow, moves);
    }

    /// Not with power stones, which narrow searches leave out of threats as well.
    fn continues_vcf(&self, _: &Position, mv: Move) -> bool {
        !matches!(mv.kind(), MoveKind::Power(..))
    }

    fn depends_on(&self, position: &Position, mv: Move, earlier: Move) -> bool {
        depends_on(position, &self.patterns, mv, earlier)
    }
}
