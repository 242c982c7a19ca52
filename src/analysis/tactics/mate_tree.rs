//! The whole tree of a forced win: one move of the winner, every defense.

use crate::tactics::{Prover, Reach};
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

/// A forced win of the side to move, with an answer to every legal defense.
///
/// The engine says which move to try; the tree is played out by the rules alone, each line to the
/// end of the game, so that it is a proof whoever looked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateTree {
    /// The first move, and all that follows.
    pub attack: Attack,
    /// Whether no shorter win exists. If not, none was found.
    pub is_shortest: bool,
    /// The nodes that it took.
    pub nodes: u64,
}

/// A move of the winner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The move.
    pub mv: Move,
    /// Plies to the end against the longest defense, this one included.
    pub plies: u32,
    /// The defenses, the longest first; none if the move wins.
    pub defenses: Vec<Defense>,
}

/// Moves of the other sides that have one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defense {
    /// The moves: several only where all of them lose at once to one answer.
    pub moves: Vec<Move>,
    /// What follows, which is another defense where the next move is not the winner's.
    pub answer: Answer,
}

/// What follows a defense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The winner's move.
    Attack(Attack),
    /// The moves of the next of several defenders, or of the same again.
    Defenses(Vec<Defense>),
}

/// Why there is no tree.
#[derive(Debug, thiserror::Error)]
pub enum NoMate {
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(pentarch_core::game::EndReason),
    /// No win was found.
    #[error("no win found within {0} nodes")]
    NotFound(u64),
    /// A win was found, but not all of its defenses were answered.
    #[error("a win in {plies} was found, but {nodes} nodes do not answer every defense; give more")]
    Unfinished {
        /// The length that was announced.
        plies: u32,
        /// The limit.
        nodes: u64,
    },
    /// The engine cannot think.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Attack {
    /// The line of the longest defense.
    pub fn line(&self) -> Vec<Move> {
        let mut line = vec![self.mv];
        let mut defenses = &self.defenses;
        while let Some(defense) = defenses.first() {
            line.extend(defense.moves.first());
            defenses = match &defense.answer {
                Answer::Attack(attack) => {
                    line.push(attack.mv);
                    &attack.defenses
                }
                Answer::Defenses(defenses) => defenses,
            };
        }
        line
    }
}

impl Defense {
    /// Plies to the end, the defense included.
    pub fn plies(&self) -> u32 {
        1 + match &self.answer {
            Answer::Attack(attack) => attack.plies,
            Answer::Defenses(defenses) => longest(defenses),
        }
    }
}

fn longest(defenses: &[Defense]) -> u32 {
    defenses.iter().map(Defense::plies).max().unwrap_or(0)
}

/// Finds a win of the side to move within a number of nodes, the shortest that it can, and builds its
/// tree.
pub fn mate_tree(game: &Game, nodes: u64) -> Result<MateTree, NoMate> {
    if let Some(outcome) = game.outcome() {
        return Err(NoMate::Over(outcome.reason));
    }
    let mut builder = Builder {
        engine: Engine::new(Options { hash: HASH, ..Options::default() }),
        winner: game.side_of(game.to_move()),
        nodes_left: nodes,
        known: HashMap::new(),
    };
    let found = builder.look(game, Limits::nodes(nodes / 4))?;
    let Some((mut plies, mut first)) = found else { return Err(NoMate::NotFound(nodes)) };
    let mut is_shortest = plies == 1;
    if let Some(mut prover) = prover(game, nodes / 4).filter(|_| plies > 1) {
        // A refusal with one quiet move is final for wins within five plies.
        let sooner = prover.shortest(Reach { plies: plies.saturating_sub(1), quiet: 1 });
        is_shortest = match sooner {
            Ok(Some(win)) => {
                (plies, first) = (win.plies, win.first);
                win.plies <= COMPLETE + 2
            }
            Ok(None) if plies <= COMPLETE + 2 => true,
            Ok(None) => {
                let quiet = plies.saturating_sub(3) / 2;
                prover.wins(Reach { plies: plies - 2, quiet }) == Ok(false)
            }
            Err(_) => false,
        };
        builder.nodes_left = builder.nodes_left.saturating_sub(prover.nodes());
    }
    let mut copy = game.clone();
    let attack = builder.attempt(&mut copy, first, plies)?;
    let Some(attack) = attack else { return Err(NoMate::Unfinished { plies, nodes }) };
    is_shortest |= attack.plies == 1;
    Ok(MateTree { attack, is_shortest, nodes: nodes - builder.nodes_left })
}

/// The size of the engine's table, in MiB.
const HASH: usize = 64;
/// What the search for one answer may cost, in nodes.
const ANSWER_NODES: u64 = 20_000;
/// A refusal of the prover with one quiet move is final up to this length.
const COMPLETE: u32 = 5;

/// The prover for games of lines and pairs between two.
fn prover(game: &Game, nodes: u64) -> Option<Prover> {
    let position =
        game.placement().filter(|position| position.rules().tier() <= RuleTier::SwapOpening)?;
    let tables = Arc::new(StoneTables::new(position.rules()));
    (game.seats() == 2).then(|| Prover::new(position, tables, nodes))
}

/// Builds a tree.
struct Builder {
    engine: Engine,
    winner: Side,
    nodes_left: u64,
    /// Answers by position text, with the plies within which they were asked to win.
    known: HashMap<String, Attack>,
}

impl Builder {
    /// The length and first move of the win that the engine sees for the side to move.
    fn look(&mut self, game: &Game, limits: Limits) -> Result<Option<(u32, Move)>, EngineError> {
        let found = self.engine.think_here(game, limits, &Signal::new(), |_| ())?;
        self.nodes_left = self.nodes_left.saturating_sub(found.report.nodes);
        let plies = found.report.score.mate().and_then(|plies| u32::try_from(plies).ok());
        Ok(plies.zip(found.best).filter(|&(plies, _)| plies > 0))
    }

    /// A move of the winner with all that follows, if it wins within that many plies.
    fn attempt(
        &mut self,
        game: &mut Game,
        mv: Move,
        most: u32,
    ) -> Result<Option<Attack>, EngineError> {
        if !self.play(game, mv) {
            return Ok(None);
        }
        let defenses = match game.outcome() {
            Some(outcome) => Ok((outcome.winner == Some(self.winner)).then(Vec::new)),
            None if most < 2 => Ok(None),
            None => self.defenses(game, most - 1),
        };
        game.undo();
        Ok(defenses?.map(|defenses| Attack { mv, plies: 1 + longest(&defenses), defenses }))
    }

    fn play(&mut self, game: &mut Game, mv: Move) -> bool {
        self.nodes_left = self.nodes_left.saturating_sub(1);
        self.nodes_left > 0 && game.play_move(mv).is_ok()
    }

    /// The answer to whatever was played, if the winner wins within that many plies: an attack, or
    /// more defenses.
    fn answer(&mut self, game: &mut Game, most: u32) -> Result<Option<Answer>, EngineError> {
        if game.side_of(game.to_move()) != self.winner {
            return Ok(self.defenses(game, most)?.map(Answer::Defenses));
        }
        let key = game.text();
        if let Some(attack) = self.known.get(&key).filter(|attack| attack.plies <= most) {
            return Ok(Some(Answer::Attack(attack.clone())));
        }
        let limits =
            Limits { mate: Some(most), ..Limits::nodes(ANSWER_NODES.min(self.nodes_left)) };
        let Some((_, mv)) = self.look(game, limits)? else { return Ok(None) };
        let attack = self.attempt(game, mv, most)?;
        self.known.extend(attack.clone().map(|attack| (key, attack)));
        Ok(attack.map(Answer::Attack))
    }

    /// Every legal defense with its answer, the longest first, if all of them lose within that many
    /// plies. Those that lose at once to the same move stand together.
    fn defenses(
        &mut self,
        game: &mut Game,
        most: u32,
    ) -> Result<Option<Vec<Defense>>, EngineError> {
        let mut defenses: Vec<Defense> = Vec::new();
        let mut wins: Vec<Move> = Vec::new();
        if most == 0 {
            return Ok(None);
        }
        for mv in game.legal_moves() {
            if !self.play(game, mv) {
                return Ok(None);
            }
            let answer = match game.outcome() {
                Some(outcome) if outcome.winner == Some(self.winner) => {
                    Ok(Some(Answer::Defenses(Vec::new())))
                }
                Some(_) => Ok(None),
                None => match self.at_once(game, &wins)? {
                    Some(attack) => Ok(Some(Answer::Attack(attack))),
                    None => self.answer(game, most - 1),
                },
            };
            game.undo();
            let Some(answer) = answer? else { return Ok(None) };
            if let Answer::Attack(Attack { mv, plies: 1, .. }) = answer
                && !wins.contains(&mv)
            {
                wins.push(mv);
            }
            match defenses.iter_mut().find(|known| known.plies() <= 2 && known.answer == answer) {
                Some(known) => known.moves.push(mv),
                None => defenses.push(Defense { moves: vec![mv], answer }),
            }
        }
        defenses.sort_by_key(|defense| (std::cmp::Reverse(defense.plies()), defense.moves.len()));
        Ok(Some(defenses))
    }

    /// A win at once by one of these moves.
    fn at_once(&mut self, game: &mut Game, moves: &[Move]) -> Result<Option<Attack>, EngineError> {
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

// The tree of a forced win as text, JSON and SGF.

/// How a tree is written.
#[derive(Clone, Copy, Debug)]
pub struct MateText<'a> {
    /// The position that the tree starts from.
    pub game: &'a Game,
    /// The tree.
    pub tree: &'a MateTree,
}

/// What stands for moves that are too many to list.
const MOST_LISTED: usize = 12;

impl MateText<'_> {
    /// A sentence, then a line for each defense with its answer, indented. Defenses that have the same
    /// answer and last as long share one.
    pub fn text(&self) -> String {
        let MateTree { attack, nodes, .. } = self.tree;
        let (seat, plies, first) =
            (self.game.to_move(), attack.plies, self.game.move_text(attack.mv));
        let how = self.proof();
        let mut text =
            format!("player {seat} wins in {plies} with {first}; {how}; {nodes} nodes\n");
        let mut game = self.game.clone();
        let _ = game.play_move(attack.mv);
        push_defenses(&mut text, &mut game, &attack.defenses, 1);
        text
    }

    /// Whether the length is proved to be the least.
    fn proof(&self) -> &'static str {
        if self.tree.is_shortest { "proved shortest" } else { "a shorter win is not ruled out" }
    }

    /// One JSON object.
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

    /// The game so far with the tree as variations, the longest defense as the main line.
    pub fn sgf(&self) -> Tree {
        let mut tree = Tree::of(self.game);
        let end = tree.main_line().last().unwrap_or(Tree::ROOT);
        let comment = format!("mate in {}, {}", self.tree.attack.plies, self.proof());
        tree.push(end, "C", &comment);
        add_attack(&mut tree, end, &mut self.game.clone(), &self.tree.attack);
        tree
    }
}

/// Moves as a list, or how many they are.
fn moves_text(game: &Game, group: &[&Defense]) -> String {
    let moves: Vec<_> = group.iter().flat_map(|defense| &defense.moves).collect();
    if moves.len() > MOST_LISTED {
        return format!("any of {} others", moves.len());
    }
    moves.iter().map(|&&mv| game.move_text(mv)).collect::<Vec<_>>().join(" ")
}

/// Defenses that have the same answer and last as long, the longest first. A text shows what follows
/// the first of them.
fn groups(defenses: &[Defense]) -> Vec<Vec<&Defense>> {
    let key = |defense: &Defense| match &defense.answer {
        Answer::Attack(attack) => Some((attack.mv, attack.plies)),
        Answer::Defenses(_) => None,
    };
    let mut groups: Vec<Vec<&Defense>> = Vec::new();
    for defense in defenses {
        let same = |group: &&mut Vec<&Defense>| {
            key(defense).is_some() && group.first().is_some_and(|first| key(first) == key(defense))
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(defense),
            None => groups.push(vec![defense]),
        }
    }
    // The many moves that meet nothing come after the few that do.
    let moves = |group: &[&Defense]| group.iter().map(|one| one.moves.len()).sum::<usize>();
    groups.sort_by_key(|group| {
        (std::cmp::Reverse(group.first().map_or(0, |one| one.plies())), moves(group))
    });
    groups
}

fn push_defenses(text: &mut String, game: &mut Game, defenses: &[Defense], indent: usize) {
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
            Answer::Attack(attack) => {
                let answer = game.move_text(attack.mv);
                let _ = writeln!(text, "{margin}{moves}: {answer}, mate in {}", attack.plies);
                if game.play_move(attack.mv).is_ok() {
                    push_defenses(text, game, &attack.defenses, indent + 1);
                    game.undo();
                }
            }
            Answer::Defenses(more) => {
                let _ = writeln!(text, "{margin}{moves}");
                push_defenses(text, game, more, indent + 1);
            }
        }
        game.undo();
    }
}

fn attack_json(game: &mut Game, attack: &Attack) -> Value {
    let mv = game.move_text(attack.mv);
    if game.play_move(attack.mv).is_err() {
        return Value::Null;
    }
    let defenses = defenses_json(game, &attack.defenses);
    game.undo();
    json!({ "move": mv, "plies": attack.plies, "defenses": defenses })
}

fn defenses_json(game: &mut Game, defenses: &[Defense]) -> Vec<Value> {
    let mut list = Vec::new();
    for defense in defenses {
        let moves: Vec<_> = defense.moves.iter().map(|&mv| game.move_text(mv)).collect();
        let Some(&first) = defense.moves.first() else { continue };
        if game.play_move(first).is_err() {
            continue;
        }
        list.push(match &defense.answer {
            Answer::Attack(attack) => {
                json!({ "moves": moves, "attack": attack_json(game, attack) })
            }
            Answer::Defenses(more) => {
                json!({ "moves": moves, "defenses": defenses_json(game, more) })
            }
        });
        game.undo();
    }
    list
}

fn add_attack(tree: &mut Tree, node: NodeId, game: &mut Game, attack: &Attack) {
    if let Ok(node) = tree.play(node, game, attack.mv) {
        add_defenses(tree, node, game, &attack.defenses);
        game.undo();
    }
}

/// Of many moves that have one answer the first stands for all.
fn add_defenses(tree: &mut Tree, node: NodeId, game: &mut Game, defenses: &[Defense]) {
    for defense in defenses {
        let others = defense.moves.len().saturating_sub(1);
        let Some(&first) = defense.moves.first() else { continue };
        let Ok(next) = tree.play(node, game, first) else { continue };
        if others > 0 {
            tree.push(next, "C", &format!("or any of {others} others"));
        }
        match &defense.answer {
            Answer::Attack(attack) => add_attack(tree, next, game, attack),
            Answer::Defenses(more) => add_defenses(tree, next, game, more),
        }
        game.undo();
    }
}
