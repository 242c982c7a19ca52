//! The tree of a forced win as text, JSON and SGF.

use super::mate_tree::{Answer, Attack, Defense, MateTree};
use pentarch_engine::Game;
use pentarch_records::sgf::{NodeId, Tree};
use serde_json::{Value, json};
use std::fmt::Write as _;

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
        let mut line = self.game.clone();
        let text = |game: &mut Game, mv| {
            let text = game.move_text(mv);
            let _ = game.play_move(mv);
            text
        };
        let pv: Vec<_> = attack.line().into_iter().map(|mv| text(&mut line, mv)).collect();
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
