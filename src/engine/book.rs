//! Opening books: positions with good moves.
//!
//! A book is a file of JSON lines, one position a line: `rules` is the variant, `position` the text of the
//! representative of all symmetric positions ([`Game::canonical`]), and `moves` the moves in that position. Each move
//! has a `score` in points for the seat to move, the number of `nodes` of the search that found the score, the
//! number of recorded `games` with the move, and the `points` that its player scored in them.

use super::Game;
use crate::search::{Bound, Report, Score, SearchResult};
use fastrand::Rng;
use pentarch_core::game::Move;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One position of a book with its moves, which is one line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookPosition {
    /// The variant, `NAME[+modifier...]`.
    pub rules: String,
    /// The position text of [`Game::canonical`].
    pub position: String,
    /// The moves, best first.
    pub moves: Vec<BookMove>,
}

/// A move of a book with its statistics.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BookMove {
    /// The move text in the position of [`Game::canonical`].
    #[serde(rename = "move")]
    pub mv: String,
    /// The score that a search found, in points for the seat to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The number of nodes of that search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The number of recorded games with this move.
    #[serde(default)]
    pub games: u32,
    /// The points that its player scored in those games: 1 for a win, 0.5 for a draw.
    #[serde(default)]
    pub points: f64,
}

impl BookMove {
    /// Returns the score of the search if there is one, otherwise an estimate from the games with one win and
    /// one loss added (Laplace's rule of succession).
    pub fn value(&self) -> Score {
        let share = (self.points + 1.0) / (f64::from(self.games) + 2.0);
        self.score.map_or_else(|| Score::from_win_probability(share), Score::points)
    }
}

/// An opening book.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    path: PathBuf,
    positions: HashMap<(String, String), Vec<BookMove>>,
}

impl Eq for Book {}

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read the book {}: {}; check the path", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The path is not a regular file of at most [`Book::MAX_BYTES`] bytes.
    #[error("the book {} is not a regular file of at most {} MiB", .0.display(), Book::MAX_BYTES >> 20)]
    InvalidFile(PathBuf),
    /// A line is not a valid position.
    #[error("{} line {line}: {reason}; make a book with `pentarch book build`", .path.display())]
    Line {
        /// The path of the file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
        /// The error of the JSON parser.
        reason: String,
    },
}

impl Book {
    /// The greatest size of a book file in bytes.
    pub const MAX_BYTES: u64 = 256 << 20;
    /// The engine plays moves that score at most this many points less than the best.
    pub const MARGIN: i32 = 10;

    /// Returns a book of positions. `path` is where it was read from.
    pub fn new(path: &Path, positions: impl IntoIterator<Item = BookPosition>) -> Book {
        let pairs = positions.into_iter().map(|BookPosition { rules, position, mut moves }| {
            moves.sort_by_key(|mv| std::cmp::Reverse(mv.value()));
            ((rules, position), moves)
        });
        Book { path: path.to_owned(), positions: pairs.collect() }
    }

    /// Reads a book file.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        let failed = |error| BookError::File(path.to_owned(), error);
        let metadata = std::fs::metadata(path).map_err(failed)?;
        if !metadata.is_file() || metadata.len() > Book::MAX_BYTES {
            return Err(BookError::InvalidFile(path.to_owned()));
        }
        let text = std::fs::read_to_string(path).map_err(failed)?;
        let mut positions = Vec::new();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let invalid = |error: serde_json::Error| {
                let (path, reason) = (path.to_owned(), error.to_string());
                BookError::Line { path, line, reason }
            };
            positions.push(serde_json::from_str(text).map_err(invalid)?);
        }
        Ok(Book::new(path, positions))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns all positions, sorted by rules, ply and position text.
    pub fn positions(&self) -> Vec<BookPosition> {
        let ply = |position: &str| position.rsplit(' ').next().and_then(|n| n.parse::<u32>().ok());
        let mut all: Vec<BookPosition> = self
            .positions
            .iter()
            .map(|((rules, position), moves)| BookPosition {
                rules: rules.clone(),
                position: position.clone(),
                moves: moves.clone(),
            })
            .collect();
        all.sort_by_cached_key(|p| (p.rules.clone(), ply(&p.position), p.position.clone()));
        all
    }

    /// Returns the moves of the book that are legal in a position, best first.
    pub fn moves(&self, game: &Game) -> Vec<(Move, &BookMove)> {
        let canonical = game.canonical();
        let key = (game.rules().to_string(), canonical.text.clone());
        let Some(known) = self.positions.get(&key) else { return Vec::new() };
        let from_canonical = |mv: &str| Some(canonical.apply_inverse(game.parse_move(mv).ok()?));
        let moves = known.iter().filter_map(|known| Some((from_canonical(&known.mv)?, known)));
        moves.filter(|(mv, _)| game.check_move(*mv).is_ok()).collect()
    }

    /// Chooses at random among the moves within [`Book::MARGIN`] points of the best, weighted by the number of
    /// recorded games plus one. The choice is reproducible for a `seed` other than 0. `None` if the book has no
    /// legal move for the position.
    pub fn choose(&self, game: &Game, seed: u64) -> Option<SearchResult> {
        let moves = self.moves(game);
        let best = moves.first()?.1.value();
        let is_good = |known: &BookMove| best.value() - known.value().value() <= Book::MARGIN;
        let good: Vec<_> = moves.iter().take_while(|(_, known)| is_good(known)).collect();
        let weight = |known: &BookMove| u64::from(known.games) + 1;
        let total: u64 = good.iter().map(|(_, known)| weight(known)).sum();
        let mut rng =
            if seed == 0 { Rng::new() } else { Rng::with_seed(seed ^ u64::from(game.ply())) };
        let drawn = rng.u64(..total);
        let mut cumulative = 0;
        let (mv, known) = good.into_iter().find(|(_, known)| {
            cumulative += weight(known);
            drawn < cumulative
        })?;
        let report = Report {
            depth: 1,
            seldepth: 1,
            multipv: 1,
            score: known.value(),
            bound: Bound::Exact,
            nodes: 0,
            move_nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv: vec![*mv],
        };
        Some(SearchResult { best: Some(*mv), report })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new("pente".parse().unwrap());
        for mv in moves {
            game.play(mv).unwrap();
        }
        game
    }

    fn book(moves: &[(&str, i32)]) -> Book {
        let known = |&(mv, score): &(&str, i32)| BookMove {
            mv: mv.to_owned(),
            score: Some(score),
            ..BookMove::default()
        };
        let canonical = game(&["j10", "k10"]).canonical();
        let position = canonical.text.clone();
        let texts = moves.iter().map(known).map(|mut known| {
            let mv = game(&[]).parse_move(&known.mv).unwrap();
            known.mv = game(&[]).move_text(canonical.apply(mv));
            known
        });
        let moves = texts.collect();
        Book::new(Path::new("b"), [BookPosition { rules: "pente".to_owned(), position, moves }])
    }

    #[test]
    fn symmetric_positions_have_symmetric_moves() {
        let book = book(&[("m10", 20)]);
        for (second, answer) in [("k10", "m10"), ("i10", "g10"), ("j11", "j13"), ("j9", "j7")] {
            let game = game(&["j10", second]);
            let found = book.choose(&game, 1).unwrap();
            assert_eq!(game.move_text(found.best.unwrap()), answer);
            assert_eq!(found.report.score, Score::points(20));
        }
        assert_eq!(book.choose(&game(&["j10"]), 1), None);
    }

    #[test]
    fn all_moves_within_the_margin_are_played() {
        let book = book(&[("m10", 20), ("l10", 10), ("k12", 9)]);
        let game = game(&["j10", "k10"]);
        let draw = |seed| game.move_text(book.choose(&game, seed).unwrap().best.unwrap());
        let drawn: std::collections::BTreeSet<String> = (1..40).map(draw).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), ["l10", "m10"]);
        assert_eq!(draw(7), draw(7));
    }

    #[test]
    fn moves_without_a_search_are_valued_by_games() {
        let known = |games, points| BookMove { games, points, ..BookMove::default() }.value();
        assert_eq!(known(0, 0.0), Score::points(0));
        assert!(known(10, 8.0) > known(2, 1.5) && known(10, 2.0) < Score::points(0));
    }
}
