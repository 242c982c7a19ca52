//! The line of a proof: the winner's shortest way, the others' longest, as far as the tree knows it
//! and then to the end of the game.

use super::guide::{Decided, Guide};
use super::node::Node;
use pentarch_core::game::{Move, MoveList, Position, Side};

/// How many plies a position may still last that a guide calls decided.
const MOST_PLIES: usize = 4;

/// The line of a move that is proven to end with that winner, from the move to the end of the
/// game.
pub(super) fn proof_line<P: Position, G: Guide<P>>(
    position: &mut P,
    guide: &mut G,
    node: &Node,
    winner: Side,
) -> Vec<Move> {
    let mut line = vec![node.mv];
    position.play(node.mv);
    line.extend(below(position, guide, node, winner));
    let mut played = 1;
    for &mv in &line[1..] {
        position.play(mv);
        played += 1;
    }
    while position.outcome().is_none() && line.len() < played + MOST_PLIES {
        let Some(mv) = next_move(position, guide, winner) else { break };
        position.play(mv);
        line.push(mv);
    }
    for _ in 0..line.len() {
        position.undo();
    }
    line
}

/// The moves of the tree below a node of that proof.
fn below<P: Position, G: Guide<P>>(
    position: &mut P,
    guide: &G,
    node: &Node,
    winner: Side,
) -> Vec<Move> {
    let wins = position.side_of(position.to_move()) == winner;
    let fixed = guide.has_fixed_length();
    let mut best: Option<(u32, Vec<Move>)> = None;
    let children = node.children().into_iter().flat_map(|all| all.nodes.iter());
    for child in children.filter(|child| child.proof() == Some(Decided(Some(winner)))) {
        position.play(child.mv);
        let rest = below(position, guide, child, winner);
        let length = rest.len() as u32 + plies_to_end(position, child, winner);
        position.undo();
        let better = |&(known, _): &(u32, Vec<Move>)| {
            if wins { length < known } else { length > known }
        };
        if best.as_ref().is_none_or(better) {
            best = Some((length, std::iter::once(child.mv).chain(rest).collect()));
        }
        if fixed || wins && length == 0 {
            break;
        }
    }
    best.map_or_else(Vec::new, |(_, line)| line)
}

/// What the end of a node's line in the tree adds to it: nothing is known below a position that the
/// guide has decided, which the mover wins with the next move or loses with the one after it.
fn plies_to_end<P: Position>(position: &P, node: &Node, winner: Side) -> u32 {
    let is_leaf = node.children().is_none() && position.outcome().is_none();
    match position.side_of(position.to_move()) == winner {
        _ if !is_leaf => 0,
        true => 1,
        false => 2,
    }
}

/// A move with which a decided game goes on: one that wins for the winner, any that does not end it
/// for the others.
fn next_move<P: Position, G: Guide<P>>(
    position: &mut P,
    guide: &mut G,
    winner: Side,
) -> Option<Move> {
    let wins = position.side_of(position.to_move()) == winner;
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut after = |mv: Move, decide: &mut dyn FnMut(&mut P) -> Option<Option<Side>>| {
        position.play(mv);
        let result = decide(position);
        position.undo();
        result
    };
    let mut ended = |position: &mut P| position.outcome().map(|outcome| outcome.winner);
    if !wins {
        let open = moves.iter().find(|&&mv| after(mv, &mut ended).is_none());
        return open.or(moves.first()).copied();
    }
    let at_once = moves.iter().find(|&&mv| after(mv, &mut ended) == Some(Some(winner)));
    let mut decided = |position: &mut P| guide.decided(position).map(|Decided(side)| side);
    let soon = || moves.iter().find(|&&mv| after(mv, &mut decided) == Some(Some(winner)));
    at_once.or_else(soon).copied()
}
