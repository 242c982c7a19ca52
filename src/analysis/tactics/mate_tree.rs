//! The complete tree of a forced win: one move of the winner, every defense.

use crate::tactics::{MateProver, ProofLimits};
use pentarch_core::game::{Move, Side};
use pentarch_core::rules::RuleTier;
use pentarch_engine::eval::StoneTables;
use pentarch_engine::search::{Limits, Signal};
use pentarch_engine::{Engine, EngineError, Game, Options};
use pentarch_records::sgf::{NodeId, Tree};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// A forced win of the side to move with an answer to every legal defense.
///
/// The engine chooses the moves to try. The tree is played by the rules alone, each line to the end
/// of the game, so it is a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateTree {
    /// The first move and its defenses.
    pub attack: AttackNode,
    /// Whether it is proved that no shorter win exists.
    pub is_shortest: bool,
    /// The number of nodes searched.
    pub nodes: u64,
}

/// A move of the winner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttackNode {
    /// The move.
    pub mv: Move,
    /// The plies to the end against the longest defense, including this move.
    pub plies: u32,
    /// The defenses, the longest first. Empty if the move wins.
    pub defenses: Vec<DefenseNode>,
}

/// Moves of the other sides with the same reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefenseNode {
    /// The moves: several only if all of them lose at once to the same reply.
    pub moves: Vec<Move>,
    /// What follows.
    pub answer: DefenseReply,
}

/// What follows a defense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefenseReply {
    /// A move of the winner.
    Attack(AttackNode),
    /// The moves of the next defender, or of the same one again.
    Defenses(Vec<DefenseNode>),
}

/// Why there is no tree.
#[derive(Debug, thiserror::Error)]
pub enum MateError {
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(pentarch_core::game::EndReason),
    /// No win was found.
    #[error("no win found within {0} nodes")]
    NotFound(u64),
    /// A win was found, but not all of its defenses were refuted.
    #[error("a win in {plies} was found, but {nodes} nodes do not refute every defense; give more")]
    Unfinished {
        /// The length of the win.
        plies: u32,
        /// The limit.
        nodes: u64,
    },
    /// The engine cannot search.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl AttackNode {
    /// Returns the line of the longest defense.
    pub fn line(&self) -> Vec<Move> {
        let mut line = vec![self.mv];
        let mut defenses = &self.defenses;
        while let Some(defense) = defenses.first() {
            line.extend(defense.moves.first());
            defenses = match &defense.answer {
                DefenseReply::Attack(attack) => {
                    line.push(attack.mv);
                    &attack.defenses
                }
                DefenseReply::Defenses(defenses) => defenses,
            };
        }
        line
    }
}

impl DefenseNode {
    /// Returns the plies to the end, including the defense.
    pub fn plies(&self) -> u32 {
        1 + match &self.answer {
            DefenseReply::Attack(attack) => attack.plies,
            DefenseReply::Defenses(defenses) => longest(defenses),
        }
    }
}

fn longest(defenses: &[DefenseNode]) -> u32 {
    defenses.iter().map(DefenseNode::plies).max().unwrap_or(0)
}

/// Finds a win of the side to move within a number of nodes, as short as possible, and builds its
/// tree.
pub fn mate_tree(game: &Game, nodes: u64) -> Result<MateTree, MateError> {
    if let Some(outcome) = game.outcome() {
        return Err(MateError::Over(outcome.reason));
    }
    let mut builder = MateTreeBuilder {
        engine: Engine::new(Options { hash: HASH_MIB, ..Options::default() }),
        winner: game.side_of(game.to_move()),
        nodes_left: nodes,
        known: HashMap::new(),
    };
    let found = builder.search_win(game, Limits::nodes(nodes / 4))?;
    let Some((mut plies, mut first)) = found else { return Err(MateError::NotFound(nodes)) };
    let mut is_shortest = plies == 1;
    if let Some(mut prover) = prover(game, nodes / 4).filter(|_| plies > 1) {
        // A negative result with one quiet move is final for wins within five plies.
        let sooner = prover.shortest(ProofLimits { plies: plies.saturating_sub(1), quiet: 1 });
        is_shortest = match sooner {
            Ok(Some(win)) => {
                (plies, first) = (win.plies, win.first);
                win.plies <= MAX_COMPLETE_PLIES + 2
            }
            Ok(None) if plies <= MAX_COMPLETE_PLIES + 2 => true,
            Ok(None) => {
                let quiet = plies.saturating_sub(3) / 2;
                prover.wins(ProofLimits { plies: plies - 2, quiet }) == Ok(false)
            }
            Err(_) => false,
        };
        builder.nodes_left = builder.nodes_left.saturating_sub(prover.nodes());
    }
    let mut copy = game.clone();
    let attack = builder.attempt(&mut copy, first, plies)?;
    let Some(attack) = attack else { return Err(MateError::Unfinished { plies, nodes }) };
    is_shortest |= attack.plies == 1;
    Ok(MateTree { attack, is_shortest, nodes: nodes - builder.nodes_left })
}

/// The size of the engine's hash table in MiB.
const HASH_MIB: usize = 64;
/// The maximum number of nodes of the search for one reply.
const ANSWER_NODES: u64 = 20_000;
/// The length up to which a negative result of the prover with one quiet move is final.
const MAX_COMPLETE_PLIES: u32 = 5;

/// Creates a prover, if it supports the game: two players, lines and captures.
fn prover(game: &Game, nodes: u64) -> Option<MateProver> {
    let position =
        game.placement().filter(|position| position.rules().tier() <= RuleTier::SwapOpening)?;
    let tables = Arc::new(StoneTables::new(position.rules()));
    (game.seats() == 2).then(|| MateProver::new(position, tables, nodes))
}

/// Builds a tree.
struct MateTreeBuilder {
    engine: Engine,
    winner: Side,
    nodes_left: u64,
    /// Replies by position text.
    known: HashMap<String, AttackNode>,
}

impl MateTreeBuilder {
    /// Searches a win of the side to move. Returns its length and first move.
    fn search_win(
        &mut self,
        game: &Game,
        limits: Limits,
    ) -> Result<Option<(u32, Move)>, EngineError> {
        let found = self.engine.search(game, limits, &Signal::new(), |_| ())?;
        self.nodes_left = self.nodes_left.saturating_sub(found.report.nodes);
        let plies = found.report.score.mate().and_then(|plies| u32::try_from(plies).ok());
        Ok(plies.zip(found.best).filter(|&(plies, _)| plies > 0))
    }

    /// Builds the tree after a move of the winner, if it wins within `max` plies.
    fn attempt(
        &mut self,
        game: &mut Game,
        mv: Move,
        max: u32,
    ) -> Result<Option<AttackNode>, EngineError> {
        if !self.play(game, mv) {
            return Ok(None);
        }
        let defenses = match game.outcome() {
            Some(outcome) => Ok((outcome.winner == Some(self.winner)).then(Vec::new)),
            None if max < 2 => Ok(None),
            None => self.defenses(game, max - 1),
        };
        game.undo();
        Ok(defenses?.map(|defenses| AttackNode { mv, plies: 1 + longest(&defenses), defenses }))
    }

    fn play(&mut self, game: &mut Game, mv: Move) -> bool {
        self.nodes_left = self.nodes_left.saturating_sub(1);
        self.nodes_left > 0 && game.play_move(mv).is_ok()
    }

    /// Finds the reply to a defense, if the winner wins within `max` plies: an attack, or more
    /// defenses.
    fn answer(&mut self, game: &mut Game, max: u32) -> Result<Option<DefenseReply>, EngineError> {
        if game.side_of(game.to_move()) != self.winner {
            return Ok(self.defenses(game, max)?.map(DefenseReply::Defenses));
        }
        let key = game.text();
        if let Some(attack) = self.known.get(&key).filter(|attack| attack.plies <= max) {
            return Ok(Some(DefenseReply::Attack(attack.clone())));
        }
        let limits = Limits { mate: Some(max), ..Limits::nodes(ANSWER_NODES.min(self.nodes_left)) };
        let Some((_, mv)) = self.search_win(game, limits)? else { return Ok(None) };
        let attack = self.attempt(game, mv, max)?;
        self.known.extend(attack.clone().map(|attack| (key, attack)));
        Ok(attack.map(DefenseReply::Attack))
    }

    /// Finds the replies to all legal defenses, the longest first, if all of them lose within `max`
    /// plies. Those that lose at once to the same move are grouped.
    fn defenses(
        &mut self,
        game: &mut Game,
        max: u32,
    ) -> Result<Option<Vec<DefenseNode>>, EngineError> {
        let mut defenses: Vec<DefenseNode> = Vec::new();
        let mut wins: Vec<Move> = Vec::new();
        if max == 0 {
            return Ok(None);
        }
        for mv in game.legal_moves() {
            if !self.play(game, mv) {
                return Ok(None);
            }
            let answer = match game.outcome() {
                Some(outcome) if outcome.winner == Some(self.winner) => {
                    Ok(Some(DefenseReply::Defenses(Vec::new())))
                }
                Some(_) => Ok(None),
                None => match self.immediate_win(game, &wins)? {
                    Some(attack) => Ok(Some(DefenseReply::Attack(attack))),
                    None => self.answer(game, max - 1),
                },
            };
            game.undo();
            let Some(answer) = answer? else { return Ok(None) };
            if let DefenseReply::Attack(AttackNode { mv, plies: 1, .. }) = answer
                && !wins.contains(&mv)
            {
                wins.push(mv);
            }
            match defenses.iter_mut().find(|known| known.plies() <= 2 && known.answer == answer) {
                Some(known) => known.moves.push(mv),
                None => defenses.push(DefenseNode { moves: vec![mv], answer }),
            }
        }
        defenses.sort_by_key(|defense| (std::cmp::Reverse(defense.plies()), defense.moves.len()));
        Ok(Some(defenses))
    }

    /// Returns an immediate win by one of these moves.
    fn immediate_win(
        &mut self,
        game: &mut Game,
        moves: &[Move],
    ) -> Result<Option<AttackNode>, EngineError> {
        if game.side_of(game.to_move()) != self.winner {
            return Ok(None);
        }
        for &mv in moves {
            if let Some(attack) = self.attempt(game, mv, 1)? {
                return Ok(Some(attack));
            }
        }
        Ok(None)
    }
}

/// Formats a tree as text, JSON and SGF.
#[derive(Clone, Copy, Debug)]
pub struct MateReport<'a> {
    /// The position at the root of the tree.
    pub game: &'a Game,
    /// The tree.
    pub tree: &'a MateTree,
}

/// The maximum number of moves that are listed.
const MAX_LISTED: usize = 12;

impl MateReport<'_> {
    /// Formats the tree as text: a sentence, then one line for each defense with its reply,
    /// indented. Defenses with the same reply and length share a line.
    pub fn text(&self) -> String {
        let MateTree { attack, nodes, .. } = self.tree;
        let (seat, plies, first) =
            (self.game.to_move(), attack.plies, self.game.move_text(attack.mv));
        let how = self.minimality();
        let mut text =
            format!("player {seat} wins in {plies} with {first}; {how}; {nodes} nodes\n");
        let mut game = self.game.clone();
        let _ = game.play_move(attack.mv);
        push_defenses(&mut text, &mut game, &attack.defenses, 1);
        text
    }

    /// Says whether the length is proved to be minimal.
    fn minimality(&self) -> &'static str {
        if self.tree.is_shortest { "proved shortest" } else { "a shorter win is not ruled out" }
    }

    /// Formats the tree as a JSON object.
    pub fn json(&self) -> Value {
        let attack = &self.tree.attack;
        let pv = self.game.line_texts(&attack.line());
        json!({
            "schema": 1,
            "variant": self.game.rules().to_string(),
            "position": self.game.text(),
            "seat": self.game.to_move().index() + 1,
            "mate": attack.plies,
            "shortest": self.tree.is_shortest,
            "nodes": self.tree.nodes,
            "pv": pv,
            "attack": attack_json(&mut self.game.clone(), attack),
        })
    }

    /// Formats the game with the tree as variations. The longest defense is the main line.
    pub fn sgf(&self) -> Tree {
        let mut tree = Tree::of(self.game);
        let end = tree.main_line().last().unwrap_or(Tree::ROOT);
        let comment = format!("mate in {}, {}", self.tree.attack.plies, self.minimality());
        tree.push(end, "C", &comment);
        add_attack(&mut tree, end, &mut self.game.clone(), &self.tree.attack);
        tree
    }
}

/// Lists moves, or says how many they are.
fn moves_text(game: &Game, group: &[&DefenseNode]) -> String {
    let moves: Vec<_> = group.iter().flat_map(|defense| &defense.moves).collect();
    if moves.len() > MAX_LISTED {
        return format!("any of {} others", moves.len());
    }
    moves.iter().map(|&&mv| game.move_text(mv)).collect::<Vec<_>>().join(" ")
}

/// Groups defenses with the same reply and length, the longest first. The text shows what follows
/// the first of a group.
fn groups(defenses: &[DefenseNode]) -> Vec<Vec<&DefenseNode>> {
    let key = |defense: &DefenseNode| match &defense.answer {
        DefenseReply::Attack(attack) => Some((attack.mv, attack.plies)),
        DefenseReply::Defenses(_) => None,
    };
    let mut groups: Vec<Vec<&DefenseNode>> = Vec::new();
    for defense in defenses {
        let same = |group: &&mut Vec<&DefenseNode>| {
            key(defense).is_some() && group.first().is_some_and(|first| key(first) == key(defense))
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(defense),
            None => groups.push(vec![defense]),
        }
    }
    // Small groups, which answer the threat, come before large ones, which do not.
    let moves = |group: &[&DefenseNode]| group.iter().map(|one| one.moves.len()).sum::<usize>();
    groups.sort_by_key(|group| {
        (std::cmp::Reverse(group.first().map_or(0, |one| one.plies())), moves(group))
    });
    groups
}

fn push_defenses(text: &mut String, game: &mut Game, defenses: &[DefenseNode], indent: usize) {
    for group in groups(defenses) {
        let moves = moves_text(game, &group);
        let margin = "  ".repeat(indent);
        let Some((first, answer)) =
            group.first().and_then(|one| Some((*one.moves.first()?, &one.answer)))
        else {
            continue;
        };
        if game.play_move(first).is_err() {
            continue;
        }
        match answer {
            DefenseReply::Attack(attack) => {
                let answer = game.move_text(attack.mv);
                let _ = writeln!(text, "{margin}{moves}: {answer}, mate in {}", attack.plies);
                if game.play_move(attack.mv).is_ok() {
                    push_defenses(text, game, &attack.defenses, indent + 1);
                    game.undo();
                }
            }
            DefenseReply::Defenses(more) => {
                let _ = writeln!(text, "{margin}{moves}");
                push_defenses(text, game, more, indent + 1);
            }
        }
        game.undo();
    }
}

fn attack_json(game: &mut Game, attack: &AttackNode) -> Value {
    let mv = game.move_text(attack.mv);
    if game.play_move(attack.mv).is_err() {
        return Value::Null;
    }
    let defenses = defenses_json(game, &attack.defenses);
    game.undo();
    json!({ "move": mv, "plies": attack.plies, "defenses": defenses })
}

fn defenses_json(game: &mut Game, defenses: &[DefenseNode]) -> Vec<Value> {
    let mut list = Vec::new();
    for defense in defenses {
        let moves: Vec<_> = defense.moves.iter().map(|&mv| game.move_text(mv)).collect();
        let Some(&first) = defense.moves.first() else { continue };
        if game.play_move(first).is_err() {
            continue;
        }
        list.push(match &defense.answer {
            DefenseReply::Attack(attack) => {
                json!({ "moves": moves, "attack": attack_json(game, attack) })
            }
            DefenseReply::Defenses(more) => {
                json!({ "moves": moves, "defenses": defenses_json(game, more) })
            }
        });
        game.undo();
    }
    list
}

fn add_attack(tree: &mut Tree, node: NodeId, game: &mut Game, attack: &AttackNode) {
    if let Ok(node) = tree.play(node, game, attack.mv) {
        add_defenses(tree, node, game, &attack.defenses);
        game.undo();
    }
}

/// Of moves with the same reply, the first represents all.
fn add_defenses(tree: &mut Tree, node: NodeId, game: &mut Game, defenses: &[DefenseNode]) {
    for defense in defenses {
        let others = defense.moves.len().saturating_sub(1);
        let Some(&first) = defense.moves.first() else { continue };
        let Ok(next) = tree.play(node, game, first) else { continue };
        if others > 0 {
            tree.push(next, "C", &format!("or any of {others} others"));
        }
        match &defense.answer {
            DefenseReply::Attack(attack) => add_attack(tree, next, game, attack),
            DefenseReply::Defenses(more) => add_defenses(tree, next, game, more),
        }
        game.undo();
    }
}
