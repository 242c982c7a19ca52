//! One node of the alpha-beta search below the root, top to bottom in the usual order: end of the game, table
//! probe, win in one, threats, singular extension, reverse futility pruning, razoring, null-move threat, move
//! loop with pruning, reductions and re-searches, table store.
//!
//! Games differ by their [`ThreatGenerator`], not by branches here. The numbers that decide are in
//! [`Parameters`].

use super::move_picker::NodeState;
use super::parameters::Parameters;
use super::threads::{CurrentlySearching, SHARED_DEPTH};
use super::worker::Worker;
use crate::search::{
    Aborted, Bound, Coverage, Entry, NodeCounter, Score, ThreatGenerator, ThreatWin, Window,
};
use pentarch_core::game::{Key, Move, Outcome, Position};
use std::ops::Range;
use std::sync::LazyLock;

/// The greatest ply. It bounds the stack, and mate scores count plies. An exact search that reaches it is
/// aborted, any other takes the static value.
const MAX_PLY: u32 = 1000;
/// The plies of a null move, an open four, any move and the five.
const OPEN_FOUR_PLIES: u32 = 4;
/// A table entry serves for a singular extension if its depth is at most this much less than that of the node.
const SINGULAR_ENTRY_DEPTH: i32 = 2;
/// Lines are extended up to this many times the depth of the iteration.
const MAX_EXTENSION: u32 = 2;
/// The depths at which a move that raises alpha reduces the moves after it.
const ALPHA_RAISE_DEPTHS: Range<i32> = 3..12;
/// The greatest depth at which nodes are razored.
const RAZOR_DEPTH: i32 = 2;

/// What a move does in the node that searches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveClass {
    /// It makes no threat and answers none.
    Quiet,
    /// It makes a threat, or takes a point where the opponent would make one.
    Tactical,
    /// It may answer a null-move threat: it is reduced but never pruned.
    Answer,
    /// It answers a threat to win in one, or the search is exact: it is neither reduced nor pruned.
    Forced,
}

/// What is known of a move besides its class when its reduction is computed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LateMove {
    /// It caused a cutoff in a sibling node.
    pub is_killer: bool,
    /// It is tactical, and so was the move of the same side two plies before.
    pub continues_attack: bool,
}

/// How much pruning may rely on the move ordering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OrderingQuality {
    /// Late moves are pruned only at shallow depths outside the principal variation.
    Heuristic,
    /// Late moves are pruned at any depth, more of them if the static evaluation is not `improving`. If the
    /// ordering is `reliable`, reductions depend on everything that is known of a move.
    Trained { improving: bool, reliable: bool },
}

/// What a node knows when it decides how to search a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeContext<'a> {
    pub parameters: &'a Parameters,
    /// Plies left.
    pub depth: i32,
    /// Whether the window is wider than a null window.
    pub is_pv: bool,
    /// Whether a beta cutoff is expected.
    pub cut_node: bool,
    /// The static evaluation for the side to move, adjusted by the table, where it can prune.
    pub static_eval: Option<Score>,
    pub ordering: OrderingQuality,
    /// Whether the side to move is the attacker of a win search.
    pub is_attacker: bool,
}

/// How a move is searched (principal variation search: Marsland and Campbell 1982).
#[derive(Clone, Copy, Debug)]
pub(super) enum NodeType {
    /// With the whole window.
    Pv,
    /// With a null window first, `reduction` plies less deep. `best` is the best score so far.
    Scout { reduction: i32, best: Score },
}

/// What the search below a move needs to know of the node above.
#[derive(Clone, Copy, Debug)]
struct Parent {
    ply: u32,
    /// Whether the same side moves again.
    keeps_turn: bool,
    cut_node: bool,
    reliable: bool,
}

/// A win that the opponent could force after a null move. The moves that may prevent it are listed; every
/// other move loses within `plies`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NullMoveThreat {
    /// The length of the win, the null move included.
    pub plies: u32,
    /// Whether a search found it, rather than a look at the patterns.
    is_found_by_search: bool,
}

/// The result of a singular extension search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Singular {
    /// Several moves fail high.
    MultiCut(Score),
    /// The table move is extended by this many plies, or reduced if negative.
    Extension(i32),
}

impl<'a, P: Position, E: ThreatGenerator<P>> Worker<'a, P, E> {
    /// Searches the position of the tree to `depth` plies and returns its score for the side to move.
    pub(super) fn search_node(
        &mut self,
        window: Window,
        depth: i32,
        ply: u32,
    ) -> Result<Score, Aborted> {
        self.stack.at(ply).pv.clear();
        self.seldepth = self.seldepth.max(ply);
        if let Some(outcome) = self.tree.position.outcome() {
            return Ok(final_score(&self.tree.position, outcome, ply));
        }
        if self.is_refuted_like_sibling(ply) {
            return Ok(Score::win_in(ply + 1));
        }
        let excluded = self.stack.at(ply).node.excluded;
        let entry = self.probe_table().filter(|_| excluded.is_none());
        // The root needs a move, not only a score.
        let usable_entry = entry.filter(|_| ply > 0);
        let table_cutoff =
            |window| usable_entry.and_then(|entry| cutoff(entry, window, depth, ply));
        if let Some(score) = table_cutoff(window) {
            return Ok(score);
        }
        if let Some(value) =
            usable_entry.and_then(|entry| self.table_reverse_futility(window, depth, entry))
        {
            return Ok(value);
        }
        self.tree.update_evaluator();
        if ply >= MAX_PLY {
            let value = self.tree.evaluator.value(&self.tree.position);
            return if self.shared.settings.exact { Err(Aborted) } else { Ok(value) };
        }
        if let Some(score) = self.win_in_one(ply) {
            return Ok(score);
        }
        let window = window.within(self.tree.evaluator.range(&self.tree.position));
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        if let Some(score) = table_cutoff(window) {
            return Ok(score);
        }
        if self.is_win_search() && self.is_win_search_over() {
            return Err(Aborted);
        }
        let list = &mut self.stack.at(ply).list;
        list.clear();
        let defenses = self.tree.evaluator.defenses(&self.tree.position, list);
        let in_check = defenses.is_some();
        if !in_check && let Some(score) = self.static_win(ply) {
            return Ok(score);
        }
        if self.is_defender() && !in_check {
            return self.search_defender_node(window, depth, ply, entry);
        }
        if depth <= 0 && !in_check && !self.shared.settings.exact {
            if self.list_open_four_defenses(ply) && self.stack.at(ply).list.is_empty() {
                return Ok(Score::loss_in(ply + OPEN_FOUR_PLIES));
            }
            let value = self.tree.value_within(window);
            return self.leaf(window, depth, ply, value, entry);
        }
        let proves_loss = defenses.is_some_and(Coverage::proves_loss);
        if proves_loss && self.stack.at(ply).list.is_empty() {
            return Ok(Score::loss_in(ply + 2));
        }
        self.search_open_node(window, depth, ply, defenses, entry)
    }

    /// Searches a position in which the side to move has no win in one. `defenses` says what the listed
    /// defenses cover if the opponent threatens to win in one (the side to move is in check).
    fn search_open_node(
        &mut self,
        window: Window,
        depth: i32,
        ply: u32,
        defenses: Option<Coverage>,
        entry: Option<Entry>,
    ) -> Result<Score, Aborted> {
        let in_check = defenses.is_some();
        // Singular extension. A win search gives moves no scores that could be compared.
        let table_move_extension = match entry.filter(|_| !in_check && !self.is_win_search()) {
            Some(entry) => match self.singular_search(window, depth, ply, entry)? {
                Singular::MultiCut(score) => return Ok(score),
                Singular::Extension(plies) => plies,
            },
            None => 0,
        };
        // Static evaluation, reverse futility pruning and razoring.
        if !in_check
            && self.tree.evaluator.is_quiescent(&self.tree.position)
            && let Some(value) = self.lazy_reverse_futility(window, depth, entry)
        {
            return Ok(self.store_value(value, window, depth, ply, entry));
        }
        let context = self.node_context(window, depth, in_check, ply, entry);
        if context.razors(window.alpha) {
            let known = self.stack.at(ply).node.static_eval;
            let value = match known {
                Some((_, value)) => value,
                None => self.tree.evaluator.value(&self.tree.position),
            };
            return self.leaf(window, depth, ply, value, entry);
        }
        if let Some(value) = context.reverse_futility(window.beta)
            && self.tree.evaluator.is_quiescent(&self.tree.position)
        {
            return Ok(self.store_value(value, window, depth, ply, entry));
        }
        // Null-move threat. At lower depths the search for one costs as much as it saves.
        let searches_threat = depth >= context.parameters.null_move_depth;
        let threat = if in_check { None } else { self.list_threat_answers(ply, searches_threat)? };
        let loss_by_threat = threat.map(|threat| Score::loss_in(ply + threat.plies));
        if let Some(loss) = loss_by_threat.filter(|_| self.stack.at(ply).list.is_empty()) {
            return Ok(loss);
        }
        // Moves, extensions and reductions of the whole node.
        let table_move = entry.and_then(|entry| entry.mv);
        let defenses = defenses.or(threat.map(|_| Coverage::AgainstThreat));
        let defends = defenses.is_some();
        self.prepare_moves(ply, defenses, table_move);
        // The answers to an open four are classified one by one, like other moves.
        let answer =
            threat.filter(|threat| threat.is_found_by_search).map(|_| context.answer_class());
        let class = if in_check { Some(MoveClass::Forced) } else { answer };
        let iir = i32::from(!defends && context.internal_iterative_reduction(table_move));
        // A check extension (https://www.chessprogramming.org/Check_Extensions): a defense takes no depth.
        let extension = i32::from(in_check && (self.may_extend(ply) || self.is_defender()));
        let fail_high = i32::from(context.fail_high_reduction(window.beta));
        let depth = depth - iir;
        let context = NodeContext { depth: depth.max(0) + extension - fail_high, ..context };
        let extended = table_move.map(|mv| (mv, table_move_extension));
        let (score, best) = self.search_moves(window, context, ply, class, extended)?;
        if self.stack.at(ply).node.excluded.is_some() {
            // The excluded move may be the only one.
            return Ok(if score == -Score::INFINITE { window.alpha } else { score });
        }
        // Without a defense the opponent wins with its next move.
        let score = if score == -Score::INFINITE { Score::loss_in(ply + 2) } else { score };
        // The one place where losses of moves become a loss of the position: only a complete list proves it.
        let proves_loss = self.stack.at(ply).node.coverage.proves_loss();
        let score = if proves_loss { score } else { score.unproven() };
        let score = loss_by_threat.map_or(score, |loss| score.max(loss));
        self.store((score, best), window, depth, ply);
        Ok(score)
    }

    /// Searches moves in order until one fails high. Returns the best score and, if it raised alpha, the best
    /// move. `class` is the class of all moves, if they have one; `extended` is a move with its extension.
    pub(super) fn search_moves(
        &mut self,
        mut window: Window,
        mut context: NodeContext<'_>,
        ply: u32,
        class: Option<MoveClass>,
        extended: Option<(Move, i32)>,
    ) -> Result<(Score, Option<Move>), Aborted> {
        let mut best = (-Score::INFINITE, None);
        let mut searched = 0;
        let may_skip_quiets = class.is_none() && self.distinguishes_quiet_moves();
        loop {
            if may_skip_quiets {
                self.skip_quiets(&context, ply, searched, (window.alpha, best.0));
            }
            let Some((mv, number)) = self.next_free_move(ply, searched, context.depth) else {
                if best.0.is_loss() && self.list_unsearched(ply) {
                    continue;
                }
                break;
            };
            let depth = context.depth;
            let class = class.unwrap_or_else(|| self.classify(mv));
            if context.late_move_pruning(class, number, window.alpha, best.0) {
                self.skip_remaining(ply);
                continue;
            }
            if context.futility_pruning(class, number, window.alpha, best.0) {
                continue;
            }
            let node_type = if searched == 0 {
                NodeType::Pv
            } else {
                let was_noisy = ply >= 2 && self.stack.at(ply - 2).node.is_noisy;
                let late = LateMove {
                    is_killer: class == MoveClass::Quiet && self.stack.at(ply).node.is_killer(mv),
                    continues_attack: class == MoveClass::Tactical && was_noisy,
                };
                NodeType::Scout { reduction: context.reduction(class, number, late), best: best.0 }
            };
            self.stack.at(ply).node.is_noisy = class != MoveClass::Quiet;
            let extension =
                extended.map_or(0, |(other, plies)| if mv == other { plies } else { 0 });
            let score = self.search_move(mv, window, depth + extension, ply, node_type)?;
            searched += 1;
            self.note_searched(ply, mv);
            if score > best.0 {
                best.0 = score;
                if score > window.alpha {
                    best.1 = Some(mv);
                    window.alpha = score;
                    context.depth -= context.alpha_raise_reduction(score, window);
                    self.stack.update_pv(ply, mv);
                }
            }
            if score >= window.beta {
                let max_bonus = context.parameters.history_bonus;
                let seat = self.tree.position.to_move().index();
                self.history.reward(seat, mv, depth, max_bonus);
                self.stack.at(ply).node.add_killer(mv);
                break;
            }
        }
        Ok(best)
    }

    /// Plays a move, searches below it and takes it back. The score is that of the side to move in the node.
    pub(super) fn search_move(
        &mut self,
        mv: Move,
        window: Window,
        depth: i32,
        ply: u32,
        node_type: NodeType,
    ) -> Result<Score, Aborted> {
        self.counter.count_node()?;
        let tag = self.announce(mv, depth);
        let side = self.tree.side_to_move();
        let reliable = self.tree.evaluator.has_reliable_ordering(&self.tree.position);
        let cut_node = self.stack.at(ply).node.cut_node;
        self.shared.table.prefetch(self.search_key(self.tree.position.key_after(mv)));
        self.tree.make_move(mv);
        // The predicted key does not include captures.
        if self.tree.position.changes().len() > 1 {
            self.shared.table.prefetch(self.search_key(self.table_key()));
        }
        let keeps_turn = side == self.tree.side_to_move();
        let parent = Parent { ply, keeps_turn, cut_node, reliable };
        let result = match node_type {
            NodeType::Pv => self.search_child(parent, window, depth, false),
            NodeType::Scout { reduction, best } => {
                self.search_scout(parent, window, depth, reduction, best)
            }
        };
        self.tree.undo();
        if let (Some(searching), Some(tag)) = (&self.shared.currently_searching, tag) {
            searching.remove(tag);
        }
        result
    }

    /// Searches below a move with a null window and a reduction, and again without the reduction, to a changed
    /// depth, and with the whole window as long as the score is above alpha.
    fn search_scout(
        &mut self,
        parent: Parent,
        window: Window,
        mut depth: i32,
        reduction: i32,
        best: Score,
    ) -> Result<Score, Aborted> {
        let null = Window::null(window.alpha);
        let mut score = self.search_child(parent, null, depth - reduction, reduction > 0)?;
        if reduction > 0 && score > window.alpha {
            let bounds = [window.alpha, best];
            let parameters = &self.shared.settings.parameters;
            let change = match parameters.research_depth_change(score, bounds, depth, reduction) {
                _ if !parent.reliable => 0,
                change if self.may_extend(parent.ply) => change,
                change => change.min(0),
            };
            depth += change;
            if reduction + change > 0 {
                score = self.search_child(parent, null, depth, false)?;
            }
        }
        if score > window.alpha && score < window.beta {
            score = self.search_child(parent, window, depth, false)?;
        }
        Ok(score)
    }

    /// Searches the node below a move that is made. The sign flips if the side to move changed, not with the
    /// ply.
    fn search_child(
        &mut self,
        parent: Parent,
        window: Window,
        depth: i32,
        is_reduced: bool,
    ) -> Result<Score, Aborted> {
        let Parent { ply, keeps_turn, cut_node, reliable } = parent;
        // A reduced move is expected to be refuted, whatever the type of its node.
        let is_late = is_reduced && reliable && !keeps_turn;
        self.stack.at(ply + 1).node.cut_node =
            window.is_null() && (cut_node == keeps_turn || is_late);
        if keeps_turn {
            self.search_node(window, depth - 1, ply + 1)
        } else {
            self.search_node(-window, depth - 1, ply + 1).map(|score| -score)
        }
    }

    /// Tells the other threads that this one searches a move, at depths where that matters.
    fn announce(&self, mv: Move, depth: i32) -> Option<u64> {
        let searching =
            self.shared.currently_searching.as_ref().filter(|_| depth >= SHARED_DEPTH)?;
        let key = self.search_key(self.tree.position.key());
        let tag = CurrentlySearching::tag(key, mv, depth);
        searching.insert(tag);
        Some(tag)
    }

    /// The score at the horizon: a win by continuous threats, or else the static value.
    fn leaf(
        &mut self,
        window: Window,
        depth: i32,
        ply: u32,
        value: Score,
        entry: Option<Entry>,
    ) -> Result<Score, Aborted> {
        if value < window.beta && self.uses_threat_search() {
            let budget = self.shared.settings.parameters.leaf_budget();
            let result =
                self.solver.vcf_excluding_win_in_one(&mut self.tree, &mut self.counter, budget)?;
            if let Some(win) = result.win() {
                self.stack.at(ply).set_pv(self.solver.line());
                return Ok(Score::win_in(ply + win.plies));
            }
        }
        let is_quiescent = self.tree.evaluator.is_quiescent(&self.tree.position);
        Ok(if is_quiescent { self.store_value(value, window, depth, ply, entry) } else { value })
    }

    /// The score of a win in one, if there is one.
    fn win_in_one(&mut self, ply: u32) -> Option<Score> {
        let mv = self.tree.evaluator.winning_move(&self.tree.position)?;
        self.stack.at(ply).set_pv(&[mv]);
        if let Some(above) = ply.checked_sub(1) {
            self.stack.at(above).node.refutation = Some(mv);
        }
        Some(Score::win_in(ply + 1))
    }

    /// Whether the move that won at once in the sibling node before wins here too. This needs no update of the
    /// evaluator.
    fn is_refuted_like_sibling(&mut self, ply: u32) -> bool {
        let Some(above) = ply.checked_sub(1) else { return false };
        let Some(mv) = self.stack.at(above).node.refutation else { return false };
        let wins = self.tree.evaluator.refutes(&self.tree.position, mv);
        if wins {
            self.stack.at(ply).set_pv(&[mv]);
        } else {
            self.stack.at(above).node.refutation = None;
        }
        wins
    }

    /// The score of a win that the patterns show without a search. The side to move must not be in check.
    fn static_win(&mut self, ply: u32) -> Option<Score> {
        if !self.uses_threat_search() {
            return None;
        }
        let win = self.tree.evaluator.static_win(&self.tree.position)?;
        self.stack.at(ply).set_pv(&[win.mv]);
        Some(self.store_win(win, ply))
    }

    /// Whether wins by threats are looked for in addition to the search of all moves.
    pub(super) fn uses_threat_search(&self) -> bool {
        let settings = &self.shared.settings;
        !settings.exact && settings.handicap.forced_wins
    }

    /// Lists the moves that can answer a win which the opponent could force after a null move, if the patterns
    /// show such a win, or a search finds one where `searches` allows it.
    pub(super) fn list_threat_answers(
        &mut self,
        ply: u32,
        searches: bool,
    ) -> Result<Option<NullMoveThreat>, Aborted> {
        if self.list_open_four_defenses(ply) {
            return Ok(Some(NullMoveThreat { plies: OPEN_FOUR_PLIES, is_found_by_search: false }));
        }
        let searches = searches
            && self.uses_threat_search()
            && self.tree.evaluator.may_be_threatened(&self.tree.position);
        if !searches {
            return Ok(None);
        }
        let budget = self.shared.settings.parameters.null_move_budget();
        let (tree, counter) = (&mut self.tree, &mut self.counter);
        let result = self.solver.null_move_threat(tree, counter, budget)?;
        Ok(result.win().map(|win| {
            let list = &mut self.stack.at(ply).list;
            list.clear();
            list.extend_from_slice(self.solver.zone());
            NullMoveThreat { plies: win.plies, is_found_by_search: true }
        }))
    }

    /// Lists the defenses against an open four that the opponent could make. Returns `false` if it cannot.
    fn list_open_four_defenses(&mut self, ply: u32) -> bool {
        let wanted = self.uses_threat_search();
        let list = &mut self.stack.at(ply).list;
        list.clear();
        wanted && self.tree.evaluator.open_four_defenses(&self.tree.position, list)
    }

    /// Whether lines may be extended at a ply.
    fn may_extend(&self, ply: u32) -> bool {
        ply < MAX_EXTENSION * self.root_depth()
    }

    /// Searches all moves but the table move to half the depth, to see whether any comes close to it
    /// ([singular extensions](https://www.chessprogramming.org/Singular_Extensions); Anantharaman,
    /// Campbell and Hsu 1990). If several moves fail high, the node is cut
    /// ([multi-cut](https://www.chessprogramming.org/Multi-Cut); Björnsson and Marsland 2001). The side to move
    /// must not be in check.
    fn singular_search(
        &mut self,
        window: Window,
        depth: i32,
        ply: u32,
        entry: Entry,
    ) -> Result<Singular, Aborted> {
        let settings = &self.shared.settings;
        let Parameters { singular_depth, singular_margin, singular_double, .. } =
            settings.parameters;
        let is_reliable_entry = entry.bound != Bound::Upper
            && i32::from(entry.depth) + SINGULAR_ENTRY_DEPTH >= depth
            && entry.score.mate().is_none();
        let wanted = is_reliable_entry && depth >= singular_depth && !settings.exact;
        let mv = entry.mv.filter(|&mv| wanted && self.tree.position.is_legal(mv));
        let (Some(mv), true) = (mv, self.tree.evaluator.has_reliable_ordering(&self.tree.position))
        else {
            return Ok(Singular::Extension(0));
        };
        let beta = entry.score.plus(-singular_margin * depth);
        let node = &mut self.stack.at(ply).node;
        let cut_node = node.cut_node;
        node.excluded = Some(mv);
        let others = self.search_node(Window::null(beta.plus(-1)), depth / 2, ply);
        let node = &mut self.stack.at(ply).node;
        node.excluded = None;
        node.cut_node = cut_node;
        self.stack.at(ply).pv.clear();
        self.stack.at(ply).list.clear();
        let others = others?;
        Ok(match () {
            () if others < beta && !self.may_extend(ply) => Singular::Extension(0),
            () if others < beta.plus(-singular_double) && window.is_null() => {
                Singular::Extension(2)
            }
            () if others < beta => Singular::Extension(1),
            () if beta >= window.beta && window.is_null() => Singular::MultiCut(beta),
            () => Singular::Extension(-i32::from(entry.score >= window.beta)),
        })
    }

    /// The class of a move where nothing must be answered.
    pub(super) fn classify(&self, mv: Move) -> MoveClass {
        if !self.distinguishes_quiet_moves() {
            MoveClass::Forced
        } else if self.tree.evaluator.is_quiet(&self.tree.position, mv) {
            MoveClass::Quiet
        } else {
            MoveClass::Tactical
        }
    }

    fn distinguishes_quiet_moves(&self) -> bool {
        !self.shared.settings.exact && self.tree.evaluator.distinguishes_quiet_moves()
    }

    /// What the node knows before it searches. In check the static evaluation says nothing.
    pub(super) fn node_context(
        &mut self,
        window: Window,
        depth: i32,
        in_check: bool,
        ply: u32,
        entry: Option<Entry>,
    ) -> NodeContext<'a> {
        let parameters = &self.shared.settings.parameters;
        let ordering = if self.tree.evaluator.has_trained_ordering(&self.tree.position) {
            let improving = self.is_improving(in_check, ply);
            let reliable = self.tree.evaluator.has_reliable_ordering(&self.tree.position);
            OrderingQuality::Trained { improving, reliable }
        } else {
            OrderingQuality::Heuristic
        };
        let wanted = !in_check
            && !self.shared.settings.exact
            && NodeContext::uses_static_eval(parameters, depth, window, ordering);
        let NodeState { static_eval: known, cut_node, .. } = self.stack.at(ply).node;
        let known = known.map(|(_, value)| value);
        let static_eval = wanted.then(|| {
            let value = known.unwrap_or_else(|| self.tree.evaluator.value(&self.tree.position));
            entry.map_or(value, |entry| adjusted_by_table(value, entry))
        });
        let (is_pv, is_attacker) = (!window.is_null(), self.is_attacker());
        NodeContext { parameters, depth, is_pv, cut_node, static_eval, ordering, is_attacker }
    }

    /// Whether the static evaluation is better than two plies before, as far as both are known
    /// ([improving](https://www.chessprogramming.org/Improving)). Records the static evaluation.
    fn is_improving(&mut self, in_check: bool, ply: u32) -> bool {
        let wanted = !in_check && !self.shared.settings.exact;
        let now = wanted
            .then(|| (self.tree.side_to_move(), self.tree.evaluator.value(&self.tree.position)));
        self.stack.at(ply).node.static_eval = now;
        let before = ply.checked_sub(2).and_then(|ply| self.stack.at(ply).node.static_eval);
        now.zip(before).is_none_or(|((side, now), (other, before))| {
            now > if side == other { before } else { -before }
        })
    }

    /// [`NodeContext::reverse_futility`] by the lower bound of the static value, which needs no full evaluation.
    fn lazy_reverse_futility(
        &mut self,
        window: Window,
        depth: i32,
        entry: Option<Entry>,
    ) -> Option<Score> {
        let settings = &self.shared.settings;
        if settings.exact || !window.is_null() {
            return None;
        }
        let parameters = &settings.parameters;
        let is_futile = |value: &Score| is_reverse_futile(parameters, depth, *value, window.beta);
        let bounds = self.tree.evaluator.value_bounds(&self.tree.position);
        let value = Some(bounds.alpha).filter(is_futile)?;
        entry.is_none_or(|entry| is_futile(&adjusted_by_table(value, entry))).then_some(value)
    }

    /// [`NodeContext::reverse_futility`] by a static value that [`Worker::store_value`] left in the table, before
    /// the evaluator is updated. An entry of a search has a move if its score is a lower bound.
    fn table_reverse_futility(&self, window: Window, depth: i32, entry: Entry) -> Option<Score> {
        let Entry { mv, score, bound, .. } = entry;
        let settings = &self.shared.settings;
        let may_prune = !settings.exact && !self.is_win_search() && window.is_null();
        let is_static = mv.is_none() && bound == Bound::Lower && score.mate().is_none();
        let is_futile = || is_reverse_futile(&settings.parameters, depth, score, window.beta);
        (may_prune && is_static && is_futile()).then_some(score)
    }

    /// The key under which the position is stored, which mirror images may share.
    fn table_key(&self) -> Key {
        self.tree.evaluator.table_key(&self.tree.position)
    }

    /// The table entry of the position.
    pub(super) fn probe_table(&self) -> Option<Entry> {
        let key = self.table_key();
        let entry = self.probe(key);
        if !self.is_win_search() || entry.is_some_and(Entry::is_proof) {
            return entry;
        }
        // Of an entry of the main search that is no proof a win search can use the move only.
        let mv = entry.and_then(|entry| entry.mv);
        let nothing = Entry { mv, score: Score::loss_in(0), bound: Bound::Lower, depth: 0 };
        let known = self.probe(self.search_key(key));
        let known = known.map(|known| Entry { mv: known.mv.or(mv), ..known });
        known.or(mv.map(|_| nothing))
    }

    /// An entry of the table, without its move if that may belong to a mirror image.
    fn probe(&self, key: Key) -> Option<Entry> {
        let is_own = self.table_key() == self.tree.position.key();
        let entry = self.shared.table.probe(key)?;
        Some(Entry { mv: entry.mv.filter(|_| is_own), ..entry })
    }

    /// Stores the score and the best move of the position.
    pub(super) fn store(
        &self,
        (score, best): (Score, Option<Move>),
        window: Window,
        depth: i32,
        ply: u32,
    ) {
        let key = self.table_key();
        let mv = best.filter(|_| key == self.tree.position.key());
        let key = if score.mate().is_none() { self.search_key(key) } else { key };
        let (bound, depth) = (window.bound(score), depth.clamp(0, i32::from(u8::MAX)) as u8);
        self.shared.table.store(key, Entry { mv, score: score.at_node(ply), bound, depth });
    }

    /// Stores a win that no search of all moves found, unless the table has a shorter one. Returns its score at
    /// the root.
    fn store_win(&self, win: ThreatWin, ply: u32) -> Score {
        let (key, score) = (self.table_key(), Score::win_in(win.plies));
        let known = self.shared.table.probe(key);
        if !known.is_some_and(|known| known.is_proof() && known.score >= score) {
            let entry = Entry { mv: Some(win.mv), score, bound: Bound::Lower, depth: 0 };
            self.shared.table.store(key, entry);
        }
        Score::win_in(ply + win.plies)
    }

    /// Stores a value that no move was searched for, unless a deeper search has left the entry `known`. Returns
    /// the value.
    pub(super) fn store_value(
        &mut self,
        score: Score,
        window: Window,
        depth: i32,
        ply: u32,
        known: Option<Entry>,
    ) -> Score {
        let is_whole = self.stack.at(ply).node.excluded.is_none();
        if is_whole && known.is_none_or(|known| i32::from(known.depth) <= depth.max(0)) {
            self.store((score, None), window, depth, ply);
        }
        score
    }
}

impl NodeContext<'_> {
    /// Whether a static evaluation could prune anything.
    fn uses_static_eval(
        parameters: &Parameters,
        depth: i32,
        window: Window,
        ordering: OrderingQuality,
    ) -> bool {
        let max_depth = parameters.rfp_depth.max(parameters.futility_depth);
        window.is_null() && (depth <= max_depth || ordering != OrderingQuality::Heuristic)
    }

    fn is_reliable(&self) -> bool {
        matches!(self.ordering, OrderingQuality::Trained { reliable: true, .. })
    }

    /// Whether pruning by depth alone is allowed: a null window and at most `max_depth` plies left.
    fn is_shallow(&self, max_depth: i32) -> bool {
        !self.is_pv && self.depth <= max_depth
    }

    /// Whether the node is searched a ply less deep because the table has no move for it
    /// ([internal iterative reductions](https://www.chessprogramming.org/Internal_Iterative_Reductions)).
    fn internal_iterative_reduction(&self, table_move: Option<Move>) -> bool {
        self.ordering != OrderingQuality::Heuristic
            && self.depth >= self.parameters.iir_depth
            && table_move.is_none()
    }

    /// Whether a cut node is searched a ply less deep because its static evaluation is above beta already
    /// (fail-high reduction, as in Rapfi).
    fn fail_high_reduction(&self, beta: Score) -> bool {
        let &Parameters { fail_high_margin, fail_high_slope, .. } = self.parameters;
        let margin = fail_high_margin + fail_high_slope * self.depth;
        let is_above = |value: Score| value.value() >= beta.value() + margin;
        self.ordering != OrderingQuality::Heuristic
            && self.cut_node
            && self.static_eval.is_some_and(is_above)
    }

    /// The class of the moves that may answer a null-move threat.
    pub(super) fn answer_class(&self) -> MoveClass {
        if self.ordering == OrderingQuality::Heuristic {
            MoveClass::Forced
        } else {
            MoveClass::Answer
        }
    }

    /// The static evaluation if it is so far above beta that no search is needed
    /// ([reverse futility pruning](https://www.chessprogramming.org/Reverse_Futility_Pruning)).
    fn reverse_futility(&self, beta: Score) -> Option<Score> {
        self.static_eval
            .filter(|&value| is_reverse_futile(self.parameters, self.depth, value, beta))
    }

    /// Whether the static evaluation is so far below alpha that only a win by continuous threats can raise it
    /// ([razoring](https://www.chessprogramming.org/Razoring)).
    fn razors(&self, alpha: Score) -> bool {
        let &Parameters { razor_margin, razor_slope, .. } = self.parameters;
        let is_below =
            |value: Score| value.value() + razor_margin + razor_slope * self.depth < alpha.value();
        self.is_reliable()
            && self.is_shallow(RAZOR_DEPTH)
            && !alpha.is_loss()
            && self.static_eval.is_some_and(is_below)
    }

    /// Whether the `index`th move is pruned with all that come after it
    /// ([move-count pruning](https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning)). With a
    /// trained ordering it is done at any depth and in PV nodes, as in Rapfi.
    pub(super) fn late_move_pruning(
        &self,
        class: MoveClass,
        index: usize,
        alpha: Score,
        best: Score,
    ) -> bool {
        if !matches!(class, MoveClass::Quiet | MoveClass::Tactical)
            || !may_prune_moves(index, alpha, best)
        {
            return false;
        }
        let (numbers, depth) = (self.parameters, self.depth);
        match self.ordering {
            OrderingQuality::Heuristic => {
                let count = numbers.rough_base + numbers.rough_square * depth * depth;
                self.is_shallow(numbers.rough_depth) && index >= count as usize
            }
            OrderingQuality::Trained { improving, .. } => {
                let linear = numbers.count_linear + numbers.count_square * depth;
                let count = (numbers.count_base + linear * depth) / 1000;
                let worse = if improving { 100 } else { numbers.count_worse };
                let share = if self.is_attacker { worse * numbers.win_count / 100 } else { worse };
                index >= (count * share / 100) as usize
            }
        }
    }

    /// Whether the `index`th move is pruned because the static evaluation is too far below alpha for a quiet move
    /// ([futility pruning](https://www.chessprogramming.org/Futility_Pruning); Heinz 1998).
    pub(super) fn futility_pruning(
        &self,
        class: MoveClass,
        index: usize,
        alpha: Score,
        best: Score,
    ) -> bool {
        let &Parameters { futility_depth, win_futility, .. } = self.parameters;
        let &Parameters { futility_margin, futility_base, .. } = self.parameters;
        let max_depth = if self.is_attacker { win_futility } else { futility_depth };
        let gain = futility_base + futility_margin * self.depth;
        let is_futile = |value: Score| value.value() + gain <= alpha.value();
        class == MoveClass::Quiet
            && may_prune_moves(index, alpha, best)
            && self.is_shallow(max_depth)
            && self.static_eval.is_some_and(is_futile)
    }

    /// How many plies less deep the `index`th move is searched at first
    /// ([late move reductions](https://www.chessprogramming.org/Late_Move_Reductions)). The adjustments for a
    /// reliable ordering follow Rapfi.
    pub(super) fn reduction(&self, class: MoveClass, index: usize, late: LateMove) -> i32 {
        let numbers = self.parameters;
        let divisor = match class {
            MoveClass::Quiet => numbers.reduction_quiet,
            MoveClass::Tactical | MoveClass::Answer => numbers.reduction_tactical,
            MoveClass::Forced => return 0,
        };
        if self.depth < numbers.reduction_depth || (index as i32) < numbers.reduction_index {
            return 0;
        }
        let pv = if self.is_pv { numbers.reduction_pv } else { 0 };
        let base = f64::from(numbers.reduction_base - pv) / 100.0;
        let logs = logarithm(self.depth as usize) * logarithm(index);
        let reduction = logs / (f64::from(divisor) / 100.0) + base;
        let mut adjustment = 0;
        if let OrderingQuality::Trained { improving, reliable: true } = self.ordering {
            if self.cut_node && !late.is_killer {
                adjustment += numbers.reduction_cut;
            }
            if !improving && !self.is_pv && reduction > 1.0 {
                adjustment += numbers.reduction_worse;
            }
            if late.continues_attack {
                adjustment -= numbers.reduction_attack;
            }
        }
        ((reduction + f64::from(adjustment) / 100.0) as i32).clamp(0, self.depth - 2)
    }

    /// How many plies less deep moves are searched after one that raised alpha to `score` within the window, as
    /// in Rapfi.
    fn alpha_raise_reduction(&self, score: Score, window: Window) -> i32 {
        let is_inside = score < window.beta && score.mate().is_none();
        let applies = self.is_reliable() && is_inside && ALPHA_RAISE_DEPTHS.contains(&self.depth);
        i32::from(applies)
    }
}

impl Parameters {
    /// How much deeper a move is searched again after a search reduced by `reduction` plies scored above alpha:
    /// deeper if the score is far above alpha, less deep if it is hardly better than the best so far, as in
    /// Rapfi.
    fn research_depth_change(
        &self,
        score: Score,
        [alpha, best]: [Score; 2],
        depth: i32,
        reduction: i32,
    ) -> i32 {
        let above = score.value() - alpha.value() - self.deeper_slope * reduction;
        let (do_deeper, do_even_deeper) = (above > self.deeper_margin, above > self.deepest_margin);
        let do_shallower = score.value() < best.value() + self.shallower_slope * depth;
        i32::from(do_deeper) + i32::from(do_even_deeper) - i32::from(do_shallower)
    }
}

/// Whether a move may be pruned: some move was searched, and no score is a loss, from which the pruned move
/// might be the only escape.
fn may_prune_moves(index: usize, alpha: Score, best: Score) -> bool {
    index > 0 && !best.is_loss() && !alpha.is_loss()
}

/// The condition of reverse futility pruning for a static value.
fn is_reverse_futile(parameters: &Parameters, depth: i32, value: Score, beta: Score) -> bool {
    let &Parameters { rfp_depth, rfp_margin, .. } = parameters;
    depth <= rfp_depth && !beta.is_loss() && value.value() - rfp_margin * depth >= beta.value()
}

/// The natural logarithm of a depth or a move number.
fn logarithm(number: usize) -> f64 {
    static TABLE: LazyLock<Vec<f64>> =
        LazyLock::new(|| (0..512).map(|n| f64::from(n).ln()).collect());
    TABLE.get(number).map_or_else(|| (number as f64).ln(), |&known| known)
}

/// The score of a finished game for the side whose turn it would be.
fn final_score<P: Position>(position: &P, outcome: Outcome, ply: u32) -> Score {
    match outcome.winner {
        None => Score::DRAW,
        Some(winner) if winner == position.side_of(position.to_move()) => Score::win_in(ply),
        Some(_) => Score::loss_in(ply),
    }
}

/// The score of a table entry if it settles the window and is deep enough. A proof is deep enough always.
fn cutoff(entry: Entry, window: Window, depth: i32, ply: u32) -> Option<Score> {
    let score = entry.score.at_root(ply);
    let settles = window.is_settled_by(score, entry.bound);
    (settles && (i32::from(entry.depth) >= depth.min(i32::from(u8::MAX)) || entry.is_proof()))
        .then_some(score)
}

/// The static value, or the score of the table entry if that shows on which side of it the score lies.
fn adjusted_by_table(value: Score, entry: Entry) -> Score {
    let at_value = Window { alpha: value, beta: value };
    let is_beyond = at_value.is_settled_by(entry.score, entry.bound);
    if is_beyond && entry.score.mate().is_none() { entry.score } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Evaluator as _;
    use crate::search::MoveGenerator as _;
    use crate::search::alpha_beta::AlphaBetaSettings;
    use crate::search::alpha_beta::worker::tests::with_worker;
    use pentarch_core::game::{Cell, MoveList};

    const TRAINED: OrderingQuality = OrderingQuality::Trained { improving: true, reliable: true };

    fn context(depth: i32, value: i32, ordering: OrderingQuality) -> NodeContext<'static> {
        NodeContext {
            parameters: &Parameters::DEFAULT,
            depth,
            is_pv: false,
            cut_node: true,
            static_eval: Some(Score::points(value)),
            ordering,
            is_attacker: false,
        }
    }

    #[test]
    fn a_node_fails_high_where_a_cut_is_expected_and_the_value_is_far_above() {
        let beta = Score::points(40);
        let far =
            40 + Parameters::DEFAULT.fail_high_margin + 8 * Parameters::DEFAULT.fail_high_slope;
        assert!(context(8, far, TRAINED).fail_high_reduction(beta));
        assert!(!context(8, far - 1, TRAINED).fail_high_reduction(beta));
        assert!(!context(8, far, OrderingQuality::Heuristic).fail_high_reduction(beta));
        let all_node = NodeContext { cut_node: false, ..context(8, far, TRAINED) };
        assert!(!all_node.fail_high_reduction(beta));
    }

    #[test]
    fn an_answer_to_a_null_move_threat_is_reduced_and_never_left_out() {
        let (node, late) = (context(8, 0, TRAINED), 200);
        let (alpha, best) = (Score::points(0), Score::points(-300));
        assert_eq!(node.answer_class(), MoveClass::Answer);
        assert!(node.reduction(MoveClass::Answer, late, LateMove::default()) > 0);
        assert!(node.late_move_pruning(MoveClass::Tactical, late, alpha, best));
        assert!(!node.late_move_pruning(MoveClass::Answer, late, alpha, best));
        assert!(!node.futility_pruning(MoveClass::Answer, late, alpha, best));
        assert_eq!(node.reduction(MoveClass::Forced, late, LateMove::default()), 0);
    }

    #[test]
    fn who_looks_for_nothing_but_a_win_tries_less() {
        let numbers = Parameters::DEFAULT;
        let numbers = Parameters { win_count: 50, win_futility: 7, ..numbers };
        let [attacker, other] = [true, false].map(|attacks| NodeContext {
            parameters: &numbers,
            is_attacker: attacks,
            ..context(7, 0, TRAINED)
        });
        let (alpha, best) = (Score::points(i32::MAX), Score::DRAW);
        let tried = |node: NodeContext<'_>| {
            (1..200)
                .find(|&index| node.late_move_pruning(MoveClass::Tactical, index, alpha, best))
                .unwrap()
        };
        assert_eq!(tried(attacker), tried(other) / 2);
        assert!(attacker.futility_pruning(MoveClass::Quiet, 1, alpha, best));
        assert!(!attacker.futility_pruning(MoveClass::Tactical, 1, alpha, best));
        assert!(!other.futility_pruning(MoveClass::Quiet, 1, alpha, best));
        let deeper = NodeContext { depth: 8, ..attacker };
        assert!(!deeper.futility_pruning(MoveClass::Quiet, 1, alpha, best));
    }

    #[test]
    fn late_moves_are_reduced_by_what_is_expected_of_them() {
        let [plain, killer] =
            [false, true].map(|is_killer| LateMove { is_killer, continues_attack: false });
        let attacking = LateMove { is_killer: false, continues_attack: true };
        let cut = context(12, 0, TRAINED);
        let all = NodeContext { cut_node: false, ..cut };
        let worse = NodeContext {
            ordering: OrderingQuality::Trained { improving: false, reliable: true },
            ..all
        };
        let unsure = NodeContext {
            ordering: OrderingQuality::Trained { improving: false, reliable: false },
            ..cut
        };
        let quiet = |node: NodeContext<'_>, late| node.reduction(MoveClass::Quiet, 6, late);
        assert!(quiet(cut, plain) > quiet(cut, killer));
        assert_eq!(quiet(cut, killer), quiet(all, plain));
        assert!(quiet(worse, plain) > quiet(all, plain));
        assert_eq!(quiet(unsure, plain), quiet(all, plain));
        // Half a ply less shows in one number of moves or another.
        let tactical = |late| (3..40).map(move |i| all.reduction(MoveClass::Tactical, i, late));
        assert!(tactical(attacking).sum::<i32>() < tactical(plain).sum());
    }

    #[test]
    fn an_open_window_raised_is_searched_less_deep() {
        let node = NodeContext { is_pv: true, ..context(8, 0, TRAINED) };
        let window = Window { alpha: Score::points(10), beta: Score::points(90) };
        assert_eq!(node.alpha_raise_reduction(Score::points(10), window), 1);
        assert_eq!(node.alpha_raise_reduction(Score::points(90), window), 0);
        assert_eq!(node.alpha_raise_reduction(Score::loss_in(9), window), 0);
        assert_eq!(
            NodeContext { depth: 12, ..node }.alpha_raise_reduction(Score::points(10), window),
            0
        );
    }

    #[test]
    fn shallow_nodes_far_below_the_window_are_razored() {
        let far = Parameters::DEFAULT.razor_margin + 2 * Parameters::DEFAULT.razor_slope;
        let alpha = Score::points(far);
        assert!(context(2, -1, TRAINED).razors(alpha));
        assert!(!context(2, 0, TRAINED).razors(alpha));
        assert!(!context(3, -500, TRAINED).razors(alpha));
        assert!(!context(2, -1, OrderingQuality::Heuristic).razors(alpha));
        assert!(!NodeContext { is_pv: true, ..context(2, -1, TRAINED) }.razors(alpha));
        // Only a whole search may say that all is not lost.
        assert!(!context(2, -9000, TRAINED).razors(Score::loss_in(8)));
    }

    #[test]
    fn a_search_is_done_again_the_deeper_the_better_it_looks() {
        let numbers = Parameters::DEFAULT;
        let again = |found: i32, best: i32| {
            let bounds = [0, best].map(Score::points);
            numbers.research_depth_change(Score::points(found), bounds, 5, 3)
        };
        let (much, very_much) = (
            numbers.deeper_margin + 3 * numbers.deeper_slope,
            numbers.deepest_margin + 3 * numbers.deeper_slope,
        );
        assert_eq!(again(very_much + 1, -100), 2);
        assert_eq!(again(much + 1, -100), 1);
        assert_eq!(again(much, -100), 0);
        assert_eq!(again(1, 0), -1);
    }

    #[test]
    fn a_result_replaces_the_value_only_where_it_lies_beyond() {
        let value = Score::points(50);
        let with = |points, bound| {
            let entry = Entry { mv: None, score: Score::points(points), bound, depth: 3 };
            adjusted_by_table(value, entry)
        };
        assert_eq!(with(20, Bound::Exact), Score::points(20));
        assert_eq!(with(80, Bound::Lower), Score::points(80));
        assert_eq!(with(20, Bound::Lower), value);
        assert_eq!(with(20, Bound::Upper), Score::points(20));
        assert_eq!(with(80, Bound::Upper), value);
        // A win may be many plies away from here: it is for the search to say.
        let entry = Entry { mv: None, score: Score::win_in(9), bound: Bound::Lower, depth: 3 };
        assert_eq!(adjusted_by_table(value, entry), value);
    }

    #[test]
    fn a_value_that_prunes_is_known_at_the_next_visit() {
        let settings = AlphaBetaSettings::default();
        with_worker(("gomoku", "h8 a1 i9 a15"), settings, 1, |worker| {
            let value = worker.tree.evaluator.value(&worker.tree.position);
            let window = Window::null(value.plus(-2000));
            let mut moves = MoveList::new();
            worker.tree.evaluator.candidates(&worker.tree.position, &mut moves);
            let mv = moves.first().copied();
            // Of a node that leaves out a move the value is not that of the position.
            worker.stack.at(1).node.excluded = mv;
            assert_eq!(worker.search_node(window, 3, 1), Ok(value));
            assert_eq!(worker.probe_table(), None);
            worker.stack.at(1).node.excluded = None;
            assert_eq!(worker.search_node(window, 3, 1), Ok(value));
            assert_eq!(worker.counter.own(), 0);
            let entry = worker.probe_table().unwrap();
            assert_eq!(entry, Entry { mv: None, score: value, bound: Bound::Lower, depth: 3 });
            assert_eq!(worker.table_reverse_futility(window, 4, entry), Some(value));
            assert_eq!(worker.table_reverse_futility(Window::null(value), 4, entry), None);
            assert_eq!(worker.table_reverse_futility(window, 4, Entry { mv, ..entry }), None);
            assert_eq!(worker.table_reverse_futility(window, 9, entry), None);
        });
    }

    #[test]
    fn a_shorter_win_is_remembered_and_a_longer_one_is_not() {
        with_worker(("gomoku", "h8 a1"), AlphaBetaSettings::default(), 1, |worker| {
            let mv = Move::stone(Cell(3));
            for (found, known) in [(7, 7), (5, 5), (9, 5)] {
                let score = worker.store_win(ThreatWin { plies: found, mv }, 2);
                assert_eq!(score, Score::win_in(2 + found));
                let entry = worker.probe_table().unwrap();
                assert_eq!((entry.score, entry.mv), (Score::win_in(known), Some(mv)));
                assert!(entry.is_proof());
            }
        });
    }
}
