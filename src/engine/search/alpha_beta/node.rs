//! A node below the root, in named steps.

use super::extension::Singular;
use super::pruning::{LateMove, MoveClass, Pruning};
use super::search_move::NodeType;
use super::worker::Worker;
use crate::search::{Aborted, Coverage, Entry, Score};
use crate::search::{ThreatGenerator, Window};
use pentarch_core::game::{Move, Outcome, Position};

/// No line is followed further, for the sake of the stack and of values that count plies; a proof
/// that would have to is none.
const MAX_PLY: u32 = 1000;

impl<P: Position, E: ThreatGenerator<P>> Worker<'_, P, E> {
    /// The value of the position the tree is at, for the side to move.
    pub(super) fn node(&mut self, window: Window, depth: i32, ply: u32) -> Result<Score, Aborted> {
        self.stack.at(ply).pv.clear();
        self.seldepth = self.seldepth.max(ply);
        if let Some(outcome) = self.tree.outcome() {
            return Ok(final_score(self.tree.position(), outcome, ply));
        }
        if self.is_refuted_again(ply) {
            return Ok(Score::win_in(ply + 1));
        }
        let excluded = self.stack.at(ply).node.excluded;
        let entry = self.recall().filter(|_| excluded.is_none());
        // At the root it is the move that is wanted.
        let decisive = entry.filter(|_| ply > 0);
        let known = |window| decisive.and_then(|entry| cut_by_table(entry, window, depth, ply));
        if let Some(score) = known(window) {
            return Ok(score);
        }
        if let Some(value) = decisive.and_then(|entry| self.known_futility(window, depth, entry)) {
            return Ok(value);
        }
        self.tree.catch_up();
        if ply >= MAX_PLY {
            let value = self.tree.value();
            return if self.shared.settings.exact { Err(Aborted) } else { Ok(value) };
        }
        if let Some(score) = self.win_in_one(ply) {
            return Ok(score);
        }
        let window = window.within(self.tree.range());
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        if let Some(score) = known(window) {
            return Ok(score);
        }
        if self.seeks_win() && self.is_win_search_over() {
            return Err(Aborted);
        }
        let defenses = self.list_defenses(ply);
        let threatened = defenses.is_some();
        if !threatened && let Some(score) = self.sure_win(ply) {
            return Ok(score);
        }
        if self.is_defender() && !threatened {
            return self.defender_node(window, depth, ply, entry);
        }
        if depth <= 0 && !threatened && !self.shared.settings.exact {
            if let Some(score) = self.sure_loss(ply) {
                return Ok(score);
            }
            let value = self.tree.value_within(window);
            return self.leaf(window, depth, ply, value, entry);
        }
        let proves_loss = defenses.is_some_and(Coverage::proves_loss);
        if proves_loss && self.stack.at(ply).list.is_empty() {
            return Ok(Score::loss_in(ply + 2));
        }
        self.open_node(window, depth, ply, defenses, entry)
    }

    /// The value of an open position in which nobody wins at once, `entry` being what the table knows of
    /// it. If the opponent threatens to win, `defenses` is what the listed defenses cover.
    fn open_node(
        &mut self,
        window: Window,
        depth: i32,
        ply: u32,
        defenses: Option<Coverage>,
        entry: Option<Entry>,
    ) -> Result<Score, Aborted> {
        let threatened = defenses.is_some();
        // A search for a win gives moves no values that could be compared.
        let longer = match entry.filter(|_| !threatened && !self.seeks_win()) {
            Some(entry) => match self.singular(window, depth, ply, entry)? {
                Singular::Cut(score) => return Ok(score),
                Singular::Extension(plies) => plies,
            },
            None => 0,
        };
        if !threatened
            && self.tree.is_quiescent()
            && let Some(value) = self.clear_reverse_futility(window, depth, entry)
        {
            return Ok(self.remember_value(value, window, depth, ply, entry));
        }
        let pruning = self.pruning(window, depth, threatened, ply, entry);
        if pruning.razors(window.alpha) {
            let known = self.stack.at(ply).node.static_value;
            let value = known.map_or_else(|| self.tree.value(), |(_, value)| value);
            return self.leaf(window, depth, ply, value, entry);
        }
        if let Some(value) = pruning.reverse_futility(window.beta)
            && self.tree.is_quiescent()
        {
            return Ok(self.remember_value(value, window, depth, ply, entry));
        }
        // With fewer plies left a look for threats costs as much as it saves.
        let looks = depth >= pruning.parameters.null_move_depth;
        let threat = if threatened { None } else { self.list_answers(ply, looks)? };
        // All other moves lose by that threat.
        let least = threat.map(|threat| Score::loss_in(ply + threat.plies));
        if let Some(loss) = least.filter(|_| self.stack.at(ply).list.is_empty()) {
            return Ok(loss);
        }
        let table_move = entry.and_then(|entry| entry.mv);
        let defenses = defenses.or(threat.map(|_| Coverage::AgainstThreat));
        let defends = defenses.is_some();
        self.prepare_moves(ply, defenses, table_move);
        // The answers to what is seen at once are moves like others.
        let answer = threat.filter(|threat| threat.is_found).map(|_| pruning.answer());
        let class = if threatened { Some(MoveClass::Forced) } else { answer };
        let depth = depth - i32::from(!defends && pruning.lacks_move(table_move));
        // A defense leaves the question open: it takes no depth, as an answer to a check in chess
        // (https://www.chessprogramming.org/Check_Extensions).
        let extension = i32::from(threatened && (self.may_extend(ply) || self.is_defender()));
        let less = i32::from(pruning.fails_high(window.beta));
        let pruning = Pruning { depth: depth.max(0) + extension - less, ..pruning };
        let longer = table_move.map(|mv| (mv, longer));
        let (score, best) = self.search_moves(window, pruning, ply, class, longer)?;
        if self.stack.at(ply).node.excluded.is_some() {
            // There may be no other move at all.
            return Ok(if score == -Score::INFINITE { window.alpha } else { score });
        }
        // Without a move that may prevent it, the opponent's win comes next.
        let score = if score == -Score::INFINITE { Score::loss_in(ply + 2) } else { score };
        // The one place where losses of moves become a loss of the position: only a list that leaves nothing
        // out proves it.
        let proves_loss = self.stack.at(ply).node.coverage.proves_loss();
        let score = if proves_loss { score } else { score.unproven() };
        let score = least.map_or(score, |least| score.max(least));
        self.remember((score, best), window, depth, ply);
        Ok(score)
    }

    /// A win that is there for the taking.
    fn win_in_one(&mut self, ply: u32) -> Option<Score> {
        let mv = self.tree.winning_move()?;
        self.stack.at(ply).set_pv(&[mv]);
        if let Some(above) = ply.checked_sub(1) {
            self.stack.at(above).node.refutation = Some(mv);
        }
        Some(Score::win_in(ply + 1))
    }

    /// Whether what won after the move before this one wins again, which is seen before anything else is asked.
    fn is_refuted_again(&mut self, ply: u32) -> bool {
        let Some(above) = ply.checked_sub(1) else { return false };
        let Some(mv) = self.stack.at(above).node.refutation else { return false };
        let wins = self.tree.wins_again(mv);
        if wins {
            self.stack.at(ply).set_pv(&[mv]);
        } else {
            self.stack.at(above).node.refutation = None;
        }
        wins
    }

    /// A win that can be seen at once, if it is not the other side that threatens first.
    fn sure_win(&mut self, ply: u32) -> Option<Score> {
        let win = if self.wants_forced_wins() { self.tree.sure_win()? } else { return None };
        self.stack.at(ply).set_pv(&[win.mv]);
        Some(self.remember_win(win, ply))
    }

    /// The value at the end of the search: a win by continuous threats, or else the static value.
    fn leaf(
        &mut self,
        window: Window,
        depth: i32,
        ply: u32,
        value: Score,
        entry: Option<Entry>,
    ) -> Result<Score, Aborted> {
        if value < window.beta && self.wants_forced_wins() {
            let budget = self.shared.settings.parameters.leaf_budget();
            let result = self.solver.longer_vcf(&mut self.tree, &mut self.counter, budget)?;
            if let Some(win) = result.win() {
                self.stack.at(ply).set_pv(self.solver.line());
                return Ok(Score::win_in(ply + win.plies));
            }
        }
        let stands = self.tree.is_quiescent();
        Ok(if stands { self.remember_value(value, window, depth, ply, entry) } else { value })
    }

    /// What there is to know of a move that comes late.
    fn late_move(&mut self, mv: Move, class: MoveClass, ply: u32) -> LateMove {
        let was_loud = ply >= 2 && self.stack.at(ply - 2).node.is_loud;
        LateMove {
            is_killer: class == MoveClass::Quiet && self.stack.at(ply).node.is_killer(mv),
            goes_on: class == MoveClass::Tactical && was_loud,
        }
    }

    /// Searches the moves in order until one is too good, and returns the best value with its move.
    /// They are what `class` says, or each what it is by itself. One may be searched some plies `longer`.
    pub(super) fn search_moves(
        &mut self,
        mut window: Window,
        mut pruning: Pruning<'_>,
        ply: u32,
        class: Option<MoveClass>,
        longer: Option<(Move, i32)>,
    ) -> Result<(Score, Option<Move>), Aborted> {
        let mut best = (-Score::INFINITE, None);
        let mut searched = 0;
        let leaves_out = class.is_none() && self.tells_moves_apart();
        loop {
            if leaves_out {
                self.leave_out_unlisted(&pruning, ply, searched, (window.alpha, best.0));
            }
            let Some((mv, number)) = self.next_free_move(ply, searched, pruning.depth) else {
                if best.0.is_loss() && self.list_unsearched(ply) {
                    continue;
                }
                break;
            };
            let depth = pruning.depth;
            let class = class.unwrap_or_else(|| self.class(mv));
            if pruning.prunes_rest(class, number, window.alpha, best.0) {
                self.leave_out_rest(ply);
                continue;
            }
            if pruning.prunes(class, number, window.alpha, best.0) {
                continue;
            }
            let node_type = if searched == 0 {
                NodeType::Pv
            } else {
                let late = self.late_move(mv, class, ply);
                NodeType::Scout { reduction: pruning.reduction(class, number, late), best: best.0 }
            };
            self.stack.at(ply).node.is_loud = class != MoveClass::Quiet;
            let longer = longer.map_or(0, |(other, plies)| if mv == other { plies } else { 0 });
            let score = self.search_move(mv, window, depth + longer, ply, node_type)?;
            searched += 1;
            self.note_searched(ply, mv);
            if score > best.0 {
                best.0 = score;
                if score > window.alpha {
                    best.1 = Some(mv);
                    window.alpha = score;
                    pruning.depth -= pruning.less_after(score, window);
                    self.stack.update_pv(ply, mv);
                }
            }
            if score >= window.beta {
                let most = pruning.parameters.history_bonus;
                self.history.reward(self.tree.to_move().index(), mv, depth, most);
                self.stack.at(ply).node.remember_killer(mv);
                break;
            }
        }
        Ok(best)
    }
}

/// The value of an ended game for the side whose turn it would be.
fn final_score<P: Position>(position: &P, outcome: Outcome, ply: u32) -> Score {
    match outcome.winner {
        None => Score::DRAW,
        Some(winner) if winner == position.side_of(position.to_move()) => Score::win_in(ply),
        Some(_) => Score::loss_in(ply),
    }
}

/// The value from the table if it is deep enough to decide the node. A proven win or loss is deep
/// enough always.
fn cut_by_table(entry: Entry, window: Window, depth: i32, ply: u32) -> Option<Score> {
    let score = entry.score.at_root(ply);
    let decides = window.is_settled_by(score, entry.bound);
    (decides && (i32::from(entry.depth) >= depth.min(i32::from(u8::MAX)) || entry.is_proof()))
        .then_some(score)
}
