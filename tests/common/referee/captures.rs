//! What a placed stone removes: bombs, captures, poofs, captures with power stones, and the signs
//! that captured groups may have.

use super::board::{Board, Content, DIRECTIONS, Direction, LINES, Point, along};
use super::ruleset::Ruleset;

/// A stone that is placed.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    pub point: Point,
    pub content: Content,
    /// The color of the player who places it.
    pub mover: usize,
    pub is_bomb: bool,
    /// The power stone placed in this turn, which is never captured in it.
    pub fresh_joker: Option<Point>,
}

/// What a placement led to.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The board between the placement and the removals.
    pub placed: Board,
    /// The board after all removals.
    pub board: Board,
    /// The captured groups with what they were made of.
    pub groups: Vec<Vec<Content>>,
    /// The number of stones that the mover lost to their own move.
    pub poofed: usize,
    /// Whether the placed stone is still there.
    pub survived: bool,
    /// Whether anything was removed.
    pub removed: bool,
    /// The points of captured stones.
    pub captured: Vec<Point>,
}

/// Places a stone: the bomb clears, then all captures and poofs are found on that one position and
/// removed together (rules, section 1, "Order in a move").
pub fn place(rules: &Ruleset, board: &Board, placement: Placement) -> Effect {
    let Placement { point, content, mover, is_bomb, .. } = placement;
    let mut board = board.clone();
    board.set(point, content);
    let placed = board.clone();
    let cleared = if is_bomb { blast(&board, point) } else { Vec::new() };
    board.remove(&cleared);
    // A neutral stone belongs to nobody, and a bomb never captures.
    let is_plain = content != Content::Neutral && !is_bomb;
    let captured = if is_plain { groups(rules, &board, placement) } else { Vec::new() };
    let poofed =
        if is_plain && rules.poof { poofs(rules, &board, point, mover) } else { Vec::new() };
    let what = |group: &Vec<Point>| {
        group.iter().map(|&point| board.get(point).expect("a stone")).collect::<Vec<_>>()
    };
    let groups: Vec<_> = captured.iter().map(what).collect();
    let captured: Vec<_> = captured.concat();
    board.remove(&captured);
    board.remove(&poofed);
    Effect {
        survived: !poofed.contains(&point),
        removed: !(cleared.is_empty() && captured.is_empty() && poofed.is_empty()),
        poofed: poofed.len(),
        placed,
        board,
        groups,
        captured,
    }
}

/// The stones around a bomb, of all colors (S3); neutral stones survive.
fn blast(board: &Board, point: Point) -> Vec<Point> {
    let around = DIRECTIONS.map(|direction| along(point, direction, 1));
    let is_stone = |point: &Point| matches!(board.get(*point), Some(Content::Stone(_)));
    around.into_iter().filter(is_stone).collect()
}

/// Every group that the stone just placed captures.
///
/// A group of exactly one of the lengths of the game, in a straight line between the placed stone
/// and another stone of the mover (S1, S3, PO); the lengths are 2, with `keryo` 2 and 3 (S3, PO,
/// PBM). The stones between are of any other colors, mixed too (S1). The edge is no bracket, nor
/// is a neutral stone, which is not captured either.
///
/// Each power stone may be a bracket, and each older one may be captured (S1); where both lengths
/// can be read on one ray, the longer is taken.
pub fn groups(rules: &Ruleset, board: &Board, placement: Placement) -> Vec<Vec<Point>> {
    let rays = DIRECTIONS.into_iter();
    rays.filter_map(|direction| group(rules, board, placement, direction)).collect()
}

fn group(
    rules: &Ruleset,
    board: &Board,
    placement: Placement,
    direction: Direction,
) -> Option<Vec<Point>> {
    let Placement { point, mover, fresh_joker, .. } = placement;
    let is_prey = |point: &Point| {
        let older_joker = board.get(*point) == Some(Content::Joker) && fresh_joker != Some(*point);
        board.is_foreign(*point, mover) || older_joker
    };
    let lengths = rules.captures.iter().rev();
    let found = lengths.copied().find(|&length| {
        (1..=length).all(|steps| is_prey(&along(point, direction, steps)))
            && board.serves(along(point, direction, length + 1), mover)
    });
    found.map(|length| (1..=length).map(|steps| along(point, direction, steps)).collect())
}

/// The own stones that the stone just placed loses, each once (S3, AP): in every line in which the
/// mover's run through it has exactly a length that can be captured, with an enemy at both ends.
fn poofs(rules: &Ruleset, board: &Board, point: Point, mover: usize) -> Vec<Point> {
    let mut lost = Vec::new();
    for direction in LINES {
        let run = board.run_with(point, direction, mover);
        let length = run.len() as i32;
        let before = along(run[0], direction, -1);
        let behind = along(run[0], direction, length);
        let bounded = board.is_foreign(before, mover) && board.is_foreign(behind, mover);
        if bounded && rules.captures.contains(&length) {
            lost.extend(run);
        }
    }
    lost.sort_unstable();
    lost.dedup();
    lost
}

/// The sign strings that are legal for some captured groups (S3, PBM): threes first, then pairs,
/// within a length `+` before `-`; all stones taken off together may not exceed what the opponent
/// has. The first is all `+`.
pub fn sign_choices(lengths: &[usize], opponent: u16) -> Vec<String> {
    let threes = lengths.iter().filter(|&&length| length == 3).count();
    let pairs = lengths.len() - threes;
    let mut choices = Vec::new();
    for minus_threes in 0..=threes {
        for minus_pairs in 0..=pairs {
            if 3 * minus_threes + 2 * minus_pairs <= usize::from(opponent) {
                choices.push(signs(threes, minus_threes) + &signs(pairs, minus_pairs));
            }
        }
    }
    choices
}

fn signs(all: usize, minus: usize) -> String {
    "+".repeat(all - minus) + &"-".repeat(minus)
}

/// How many stones a string of signs adds to the mover's count and takes off the opponent's.
pub fn signed(groups: &[Vec<Content>], signs: &str) -> (u16, u16) {
    let mut lengths: Vec<_> = groups.iter().map(Vec::len).collect();
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    let (mut plus, mut minus) = (0, 0);
    for (length, sign) in lengths.into_iter().zip(signs.chars()) {
        match sign {
            '+' => plus += length as u16,
            _ => minus += length as u16,
        }
    }
    (plus, minus)
}
