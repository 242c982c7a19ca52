//! Builds opening books: from recorded games, and by search from the root outward.

use crate::{AnalysisError, AnalysisQuery, Analyzer};
use pentarch_core::game::Move;
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Limits, Score};
use pentarch_engine::{BookMove, BookPosition, CanonicalPosition, Game};
use pentarch_records::{GameResult, RecordedGame, ReplayError};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

/// The distance of a ply in points.
const POINTS_PER_PLY: i32 = 20;
/// The number of positions searched at a time. It is constant, so that a book does not depend on
/// the number of threads.
const BATCH_SIZE: usize = 8;

/// Builds a book by search: drop-out expansion.
///
/// The next position to search is the leaf nearest to the root. Each ply on the way adds to the
/// distance, as does every point by which a move is worse than the best (T. Lincke, Strategies for
/// the automatic construction of opening books, Computers and Games 2000). So good lines become
/// long, and bad ones end after a move or two.
#[derive(Debug)]
pub struct BookFromSearch {
    rules: Ruleset,
    limits: Limits,
    width: u32,
    root: String,
    nodes: BTreeMap<String, BookNode>,
}

/// A position that was searched.
#[derive(Debug)]
struct BookNode {
    game: Game,
    /// The canonical form of the position.
    canonical: CanonicalPosition,
    edges: Vec<BookEdge>,
    nodes_searched: u64,
}

/// A move of a position that was searched.
#[derive(Debug)]
struct BookEdge {
    mv: Move,
    /// The canonical text of the position after it.
    child: String,
    /// The score for the mover: that of the search of the parent, replaced by that of the child
    /// once it is searched.
    value: Score,
}

/// Why a book cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum SearchBookError {
    /// The scores of three or more sides cannot be backed up.
    #[error("a book by search needs a game of two sides, {0} has more; build it from games")]
    Sides(String),
    /// A position cannot be analyzed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

impl BookFromSearch {
    /// Creates a book that begins at the start of a game. Each position is searched within `limits`
    /// for the best `width` moves.
    pub fn new(
        rules: Ruleset,
        limits: Limits,
        width: u32,
    ) -> Result<BookFromSearch, SearchBookError> {
        if rules.seating().sides() != 2 {
            return Err(SearchBookError::Sides(rules.to_string()));
        }
        let root = Game::new(rules.clone()).canonical().text;
        Ok(BookFromSearch { rules, limits, width, root, nodes: BTreeMap::new() })
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether no position was searched yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Searches the next positions, up to `max` of them in total. Returns false if none are left.
    pub fn grow(&mut self, max: usize, analyzer: &Analyzer) -> Result<bool, SearchBookError> {
        let mut leaves = self.leaves();
        leaves.truncate(BATCH_SIZE.min(max.saturating_sub(self.nodes.len())));
        let leaves: Vec<(Game, CanonicalPosition)> =
            leaves.into_iter().map(|game| (game.clone(), game.canonical())).collect();
        let query = |(game, canonical): &(Game, CanonicalPosition)| {
            let search_moves = distinct_moves(game, canonical);
            let limits = Limits { search_moves, ..self.limits.clone() };
            AnalysisQuery { multi_pv: self.width, ..AnalysisQuery::new(game.clone(), limits) }
        };
        let queries: Vec<AnalysisQuery> = leaves.iter().map(query).collect();
        let found = analyzer.analyze(&queries)?;
        for ((game, canonical), analysis) in leaves.into_iter().zip(found) {
            let child = |mv: Move| after(&game, mv).canonical().text;
            let edge = |mv: Move, value: Score| BookEdge { mv, child: child(mv), value };
            let lines = analysis.lines.iter();
            let edges = lines.filter_map(|line| Some(edge(line.mv, line.score?))).collect();
            let text = canonical.text.clone();
            self.nodes
                .insert(text, BookNode { game, canonical, edges, nodes_searched: analysis.nodes });
        }
        self.back_up_scores();
        Ok(!queries.is_empty())
    }

    /// Returns the positions to search next, the nearest first.
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
                if leaves.len() == BATCH_SIZE {
                    break;
                }
                continue;
            };
            let best = node.value();
            for edge in &node.edges {
                let behind = best.value() - edge.value.value();
                heap.push(Reverse((distance + POINTS_PER_PLY + behind, edge.child.as_str())));
                if !self.nodes.contains_key(&edge.child) {
                    games.entry(edge.child.as_str()).or_insert_with(|| after(&node.game, edge.mv));
                }
            }
        }
        leaves
    }

    /// Backs up the scores: each move gets the score of the position after it, the last plies
    /// first.
    fn back_up_scores(&mut self) {
        let mut order: Vec<String> = self.nodes.keys().cloned().collect();
        order.sort_by_cached_key(|text| Reverse(self.nodes[text].game.ply()));
        for text in order {
            let node = &self.nodes[&text];
            let side = |game: &Game| game.side_of(game.to_move());
            let known = |edge: &BookEdge| {
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

    /// Returns the positions of the book.
    pub fn positions(&self) -> Vec<BookPosition> {
        let rules = self.rules.to_string();
        let position = |(text, node): (&String, &BookNode)| {
            let known = |edge: &BookEdge| BookMove {
                mv: node.game.move_text(node.canonical.apply(edge.mv)),
                score: Some(edge.value.value()),
                nodes: Some(node.nodes_searched),
                ..BookMove::default()
            };
            let mut moves: Vec<BookMove> = node.edges.iter().map(known).collect();
            moves.sort_by_key(|known| Reverse(known.score));
            BookPosition { rules: rules.clone(), position: text.clone(), moves }
        };
        self.nodes.iter().map(position).collect()
    }
}

impl BookNode {
    /// Returns the score of the best move.
    fn value(&self) -> Score {
        self.edges.iter().map(|edge| edge.value).max().unwrap_or(Score::DRAW)
    }
}

/// Returns the position after a move found by a search, which is legal.
fn after(game: &Game, mv: Move) -> Game {
    let mut game = game.clone();
    let _ = game.play_move(mv);
    game
}

/// Returns one of each set of moves that are symmetric in the position. Empty, which means every
/// move, if the position has no symmetry.
fn distinct_moves(game: &Game, canonical: &CanonicalPosition) -> Vec<Move> {
    if !canonical.is_symmetric() {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let mut moves = game.legal_moves();
    moves.retain(|&mv| seen.insert(canonical.apply(mv)));
    moves
}

/// Builds a book from recorded games: the first moves with their frequency and success. Symmetric
/// positions are counted together.
#[derive(Clone, Debug)]
pub struct BookFromGames {
    plies: usize,
    positions: BTreeMap<(String, String), BTreeMap<String, BookMove>>,
}

impl BookFromGames {
    /// Creates a book of the first `plies` of games.
    pub fn new(plies: usize) -> BookFromGames {
        BookFromGames { plies, positions: BTreeMap::new() }
    }

    /// Adds a game, by `rules` if it names none. A game without a result counts as a draw. After an
    /// error nothing is counted.
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

    /// Returns the positions with the moves played in at least `min_games` games, the most frequent
    /// first.
    pub fn finish(self, min_games: u32) -> Vec<BookPosition> {
        let positions = self.positions.into_iter().map(|((rules, position), moves)| {
            let moves = moves.into_iter().filter(|(_, known)| known.games >= min_games);
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
    use crate::AnalyzerOptions;
    use pentarch_core::game::Side;

    fn book(workers: usize, positions: usize) -> Vec<BookPosition> {
        let analyzer =
            Analyzer::new(&AnalyzerOptions { workers, ..AnalyzerOptions::default() }).unwrap();
        let rules = "gomoku+size=7".parse().unwrap();
        let mut book = BookFromSearch::new(rules, Limits::nodes(200), 3).unwrap();
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
        // The score of a move is that of the position after it.
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
        let refused = BookFromSearch::new(rules, Limits::nodes(1), 2).unwrap_err();
        assert!(refused.to_string().contains("pente-3 has more"), "{refused}");
    }

    fn record(moves: &str, result: Option<GameResult>) -> RecordedGame {
        let moves = moves.split(' ').map(str::to_owned).collect();
        RecordedGame { moves, result, ..RecordedGame::default() }
    }

    #[test]
    fn games_that_mirror_each_other_are_counted_together() {
        let rules: Ruleset = "pente".parse().unwrap();
        let mut book = BookFromGames::new(3);
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
