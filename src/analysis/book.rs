//! How opening books are made: from recorded games, and by search from the root outward.

use crate::{AnalysisError, Analyzer, Query};
use pentarch_core::game::Move;
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Limits, Score};
use pentarch_engine::{BookMove, BookPosition, Canonical, Game};
use pentarch_records::{GameResult, RecordedGame, ReplayError};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

// A book by search, from the root outward: drop-out expansion.
//
// The next position to search is the leaf that is nearest to the root, where every point that a
// move on the way falls behind the best counts as distance (T. Lincke, Strategies for the automatic
// construction of opening books, Computers and Games 2000). So good lines become long, and bad ones
// are known for a move or two.

/// The points that are as far as a ply.
const POINTS_A_PLY: i32 = 20;
/// How many positions are searched at a time, whatever the number of threads, so that a book does not
/// depend on it.
const AT_A_TIME: usize = 8;

/// A book under construction.
#[derive(Debug)]
pub struct Expansion {
    rules: Ruleset,
    limits: Limits,
    width: u32,
    root: String,
    nodes: BTreeMap<String, Node>,
}

/// A position that was searched.
#[derive(Debug)]
struct Node {
    game: Game,
    /// The position as its images share it.
    canonical: Canonical,
    edges: Vec<Edge>,
    visited: u64,
}

/// A move of a position that was searched.
#[derive(Debug)]
struct Edge {
    mv: Move,
    /// The position that it leads to, as its images share it.
    child: String,
    /// What the search of the parent says, then what the child says, for the mover.
    value: Score,
}

/// Why a book cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum ExpansionError {
    /// Values of three sides and more cannot be handed up the tree.
    #[error("a book by search needs a game of two sides, {0} has more; build it from games")]
    Sides(String),
    /// A position cannot be analyzed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

impl Expansion {
    /// A book that begins at the start of a game. Each position is searched within `limits` for the
    /// best `width` moves.
    pub fn new(rules: Ruleset, limits: Limits, width: u32) -> Result<Expansion, ExpansionError> {
        if rules.seating().sides() != 2 {
            return Err(ExpansionError::Sides(rules.to_string()));
        }
        let root = Game::new(rules.clone()).canonical().text;
        Ok(Expansion { rules, limits, width, root, nodes: BTreeMap::new() })
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was searched yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Searches the next positions, up to a number of them in all. False if there are none left.
    pub fn grow(&mut self, most: usize, analyzer: &Analyzer) -> Result<bool, ExpansionError> {
        let mut leaves = self.leaves();
        leaves.truncate(AT_A_TIME.min(most.saturating_sub(self.nodes.len())));
        let leaves: Vec<(Game, Canonical)> =
            leaves.into_iter().map(|game| (game.clone(), game.canonical())).collect();
        let query = |(game, canonical): &(Game, Canonical)| {
            let search_moves = unlike(game, canonical);
            let limits = Limits { search_moves, ..self.limits.clone() };
            Query { multi_pv: self.width, ..Query::new(game.clone(), limits) }
        };
        let queries: Vec<Query> = leaves.iter().map(query).collect();
        let found = analyzer.analyze(&queries)?;
        for ((game, canonical), analysis) in leaves.into_iter().zip(found) {
            let child = |mv: Move| after(&game, mv).canonical().text;
            let edge = |mv: Move, value: Score| Edge { mv, child: child(mv), value };
            let lines = analysis.lines.iter();
            let edges = lines.filter_map(|line| Some(edge(line.mv, line.score?))).collect();
            let text = canonical.text.clone();
            self.nodes.insert(text, Node { game, canonical, edges, visited: analysis.nodes });
        }
        self.hand_up();
        Ok(!queries.is_empty())
    }

    /// The positions to search next, the nearest first.
    fn leaves(&self) -> Vec<Game> {
        let mut leaves = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        let start = Game::new(self.rules.clone());
        let mut heap = BinaryHeap::from([Reverse((0, self.root.as_str()))]);
        let mut games: HashMap<&str, Game> = HashMap::from([(self.root.as_str(), start)]);
        while let Some(Reverse((distance, text))) = heap.pop() {
            if !seen.insert(text) {
                continue;
            }
            let Some(node) = self.nodes.get(text) else {
                leaves.extend(games.remove(text).filter(|game| game.outcome().is_none()));
                if leaves.len() == AT_A_TIME {
                    break;
                }
                continue;
            };
            let best = node.value();
            for edge in &node.edges {
                let behind = best.value() - edge.value.value();
                heap.push(Reverse((distance + POINTS_A_PLY + behind, edge.child.as_str())));
                if !self.nodes.contains_key(&edge.child) {
                    games.entry(edge.child.as_str()).or_insert_with(|| after(&node.game, edge.mv));
                }
            }
        }
        leaves
    }

    /// Gives every move the value of the position that it leads to, if that was searched, the last
    /// plies first.
    fn hand_up(&mut self) {
        let mut order: Vec<String> = self.nodes.keys().cloned().collect();
        order.sort_by_cached_key(|text| Reverse(self.nodes[text].game.ply()));
        for text in order {
            let node = &self.nodes[&text];
            let side = |game: &Game| game.side_of(game.to_move());
            let known = |edge: &Edge| {
                let child = self.nodes.get(&edge.child)?;
                let same = side(&child.game) == side(&node.game);
                let value = child.value();
                Some(if same { value } else { -value })
            };
            let values: Vec<Option<Score>> = node.edges.iter().map(known).collect();
            if let Some(node) = self.nodes.get_mut(&text) {
                for (edge, value) in node.edges.iter_mut().zip(values) {
                    edge.value = value.unwrap_or(edge.value);
                }
            }
        }
    }

    /// The book so far.
    pub fn positions(&self) -> Vec<BookPosition> {
        let rules = self.rules.to_string();
        let position = |(text, node): (&String, &Node)| {
            let known = |edge: &Edge| BookMove {
                mv: node.game.move_text(node.canonical.apply(edge.mv)),
                score: Some(edge.value.value()),
                nodes: Some(node.visited),
                ..BookMove::default()
            };
            let mut moves: Vec<BookMove> = node.edges.iter().map(known).collect();
            moves.sort_by_key(|known| Reverse(known.score));
            BookPosition { rules: rules.clone(), position: text.clone(), moves }
        };
        self.nodes.iter().map(position).collect()
    }
}

impl Node {
    /// What the best move is worth.
    fn value(&self) -> Score {
        self.edges.iter().map(|edge| edge.value).max().unwrap_or(Score::DRAW)
    }
}

/// The position after a move that a search found, which is legal.
fn after(game: &Game, mv: Move) -> Game {
    let mut game = game.clone();
    let _ = game.play_move(mv);
    game
}

/// One of all moves that a symmetry of the position makes alike; none at all, which means every move,
/// where it has no symmetry.
fn unlike(game: &Game, canonical: &Canonical) -> Vec<Move> {
    if !canonical.is_symmetric() {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let mut moves = game.legal_moves();
    moves.retain(|&mv| seen.insert(canonical.apply(mv)));
    moves
}

// A book out of recorded games: what was played, how often, and with what success.

/// Counts the first moves of games, images of a position as one.
#[derive(Clone, Debug)]
pub struct BookOfGames {
    plies: usize,
    positions: BTreeMap<(String, String), BTreeMap<String, BookMove>>,
}

impl BookOfGames {
    /// A book of the first plies of games.
    pub fn new(plies: usize) -> BookOfGames {
        BookOfGames { plies, positions: BTreeMap::new() }
    }

    /// Counts a game, by `rules` where it names none. One that has no result counts as drawn; of one
    /// that goes against the rules nothing is counted.
    pub fn add(&mut self, record: &RecordedGame, rules: &Ruleset) -> Result<(), ReplayError> {
        let mut game = record.start(rules)?;
        let spec = game.rules().to_string();
        let mut found = Vec::new();
        for text in record.moves.iter().take(self.plies) {
            let side = game.side_of(game.to_move());
            let canonical = game.canonical();
            let mv = game.parse_move(text)?;
            let mirrored = game.move_text(canonical.apply(mv));
            game.play_move(mv)?;
            let points = match record.result {
                Some(GameResult::Win(winner)) => f64::from(u8::from(winner == side)),
                Some(GameResult::Draw) | None => 0.5,
            };
            found.push((canonical.text, mirrored, points));
        }
        for (position, mv, points) in found {
            let moves = self.positions.entry((spec.clone(), position)).or_default();
            let known = moves.entry(mv).or_default();
            known.games += 1;
            known.points += points;
        }
        Ok(())
    }

    /// The positions, with the moves that as many games as `least` went on with, the most played
    /// first.
    pub fn finish(self, least: u32) -> Vec<BookPosition> {
        let positions = self.positions.into_iter().map(|((rules, position), moves)| {
            let moves = moves.into_iter().filter(|(_, known)| known.games >= least);
            let mut moves: Vec<BookMove> =
                moves.map(|(mv, known)| BookMove { mv, ..known }).collect();
            moves.sort_by_key(|known| std::cmp::Reverse(known.games));
            BookPosition { rules, position, moves }
        });
        positions.filter(|position| !position.moves.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use pentarch_core::game::Side;

    fn book(workers: usize, positions: usize) -> Vec<BookPosition> {
        let analyzer = Analyzer::new(&Settings { workers, ..Settings::default() }).unwrap();
        let rules = "gomoku+size=7".parse().unwrap();
        let mut book = Expansion::new(rules, Limits::nodes(200), 3).unwrap();
        while book.len() < positions && book.grow(positions, &analyzer).unwrap() {}
        book.positions()
    }

    #[test]
    fn good_lines_are_longer_than_bad_ones() {
        let positions = book(1, 60);
        assert_eq!(positions.len(), 60);
        let plies = |at: &BookPosition| at.position.rsplit(' ').next().unwrap().parse().unwrap();
        let longest: u32 = positions.iter().map(plies).max().unwrap();
        assert!(longest >= 6, "{longest} plies: the tree is as broad as it is deep");
        // A move is worth what the position is that it leads to.
        let root = positions.iter().find(|at| plies(at) == 1).unwrap();
        let mut game = Game::new("gomoku+size=7".parse().unwrap());
        game.play(&root.moves[0].mv).unwrap();
        let text = game.canonical().text;
        let child = positions.iter().find(|at| at.position == text).unwrap();
        assert_eq!(root.moves[0].score.unwrap(), -child.moves[0].score.unwrap());
    }

    #[test]
    fn a_book_does_not_depend_on_the_threads() {
        assert_eq!(book(1, 20), book(2, 20));
    }

    #[test]
    fn three_sides_have_no_book_by_search() {
        let rules = "pente-3".parse().unwrap();
        let refused = Expansion::new(rules, Limits::nodes(1), 2).unwrap_err();
        assert!(refused.to_string().contains("pente-3 has more"), "{refused}");
    }

    fn record(moves: &str, result: Option<GameResult>) -> RecordedGame {
        let moves = moves.split(' ').map(str::to_owned).collect();
        RecordedGame { moves, result, ..RecordedGame::default() }
    }

    #[test]
    fn games_that_mirror_each_other_are_counted_together() {
        let rules: Ruleset = "pente".parse().unwrap();
        let mut book = BookOfGames::new(3);
        let first = Some(GameResult::Win(Side(0)));
        for (moves, result) in [
            ("j10 k10 m10 k12", first),
            ("j10 i10 g10", Some(GameResult::Draw)),
            ("j10 j11 j13", None),
            ("j10 k11 m10", first),
        ] {
            book.add(&record(moves, result), &rules).unwrap();
        }
        assert!(book.add(&record("j10 j10", None), &rules).is_err());
        let moves = |positions: Vec<BookPosition>| -> Vec<(u32, f64)> {
            let moves = positions.iter().flat_map(|position| &position.moves);
            moves.map(|known| (known.games, known.points)).collect()
        };
        let mut all = moves(book.clone().finish(1));
        all.sort_by(|a, b| b.partial_cmp(a).unwrap());
        assert_eq!(all, [(4, 3.0), (3, 2.0), (3, 1.0), (1, 1.0), (1, 0.0)]);
        assert_eq!(moves(book.finish(4)), [(4, 3.0)]);
    }
}
