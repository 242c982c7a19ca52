//! Opening books: positions with the moves that are worth playing in them.
//!
//! A book is a file of JSON lines, one position a line: `rules` is the game, `position` the text that
//! all images of a position share ([`Game::canonical`]), and each of the `moves`, as it is written
//! there, has a `score` in points for the seat to move with the `nodes` behind it, the number of
//! recorded `games` and the `points` that its player made in them.

use super::Game;
use crate::search::{Bound, Report, Score, SearchResult};
use fastrand::Rng;
use pentarch_core::game::Move;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The moves of one position, a line of a book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookPosition {
    /// The game, `NAME[+modifier...]`.
    pub rules: String,
    /// The position text that its images share.
    pub position: String,
    /// The moves, the best first.
    pub moves: Vec<BookMove>,
}

/// A move of a book, and what speaks for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BookMove {
    /// Its canonical text in the position that images share.
    #[serde(rename = "move")]
    pub mv: String,
    /// What a search found it worth, in points for the seat to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The nodes of that search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// How many recorded games went on with it.
    #[serde(default)]
    pub games: u32,
    /// What its player made in them: 1 for a win, a half for a draw.
    #[serde(default)]
    pub points: f64,
}

impl BookMove {
    /// What it is worth: what a search says, or else what games say, as if one more of them had been
    /// won and one lost.
    pub fn value(&self) -> Score {
        let share = (self.points + 1.0) / (f64::from(self.games) + 2.0);
        self.score.map_or_else(|| Score::from_win_probability(share), Score::points)
    }
}

/// An opening book in memory.
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
    /// It is no file, or larger than any book.
    #[error("the book {} is no file of at most {} MiB", .0.display(), Book::LARGEST >> 20)]
    Unfit(PathBuf),
    /// A line is no position.
    #[error("{} line {line}: {reason}; make a book with `pentarch book build`", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

impl Book {
    /// The size of the largest file that is read, in bytes.
    pub const LARGEST: u64 = 256 << 20;
    /// How many points a move may be worth less than the best and still be played.
    pub const MARGIN: i32 = 10;

    /// A book of those positions.
    pub fn new(path: &Path, positions: impl IntoIterator<Item = BookPosition>) -> Book {
        let pairs = positions.into_iter().map(|BookPosition { rules, position, mut moves }| {
            moves.sort_by_key(|mv| std::cmp::Reverse(mv.value()));
            ((rules, position), moves)
        });
        Book { path: path.to_owned(), positions: pairs.collect() }
    }

    /// Reads a book.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        let failed = |error| BookError::File(path.to_owned(), error);
        let about = std::fs::metadata(path).map_err(failed)?;
        if !about.is_file() || about.len() > Book::LARGEST {
            return Err(BookError::Unfit(path.to_owned()));
        }
        let text = std::fs::read_to_string(path).map_err(failed)?;
        let mut positions = Vec::new();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let wrong = |error: serde_json::Error| {
                let (path, reason) = (path.to_owned(), error.to_string());
                BookError::Line { path, line, reason }
            };
            positions.push(serde_json::from_str(text).map_err(wrong)?);
        }
        Ok(Book::new(path, positions))
    }

    /// Where it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Every position, those of a game in the order of their plies and texts.
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

    /// The moves of a position that may be played, the best first.
    pub fn moves(&self, game: &Game) -> Vec<(Move, &BookMove)> {
        let canonical = game.canonical();
        let key = (game.rules().to_string(), canonical.text.clone());
        let Some(known) = self.positions.get(&key) else { return Vec::new() };
        let as_played = |mv: &str| Some(canonical.back(game.parse_move(mv).ok()?));
        let moves = known.iter().filter_map(|known| Some((as_played(&known.mv)?, known)));
        moves.filter(|(mv, _)| game.check_move(*mv).is_ok()).collect()
    }

    /// Draws one of the moves that are worth as much as the best, give or take
    /// [`Book::MARGIN`] points; what more games were played with is drawn more often.
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
        let mut upto = 0;
        let (mv, known) = good.into_iter().find(|(_, known)| {
            upto += weight(known);
            drawn < upto
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
    fn images_of_a_position_get_the_images_of_its_moves() {
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
    fn moves_within_the_margin_are_all_played() {
        let book = book(&[("m10", 20), ("l10", 10), ("k12", 9)]);
        let game = game(&["j10", "k10"]);
        let draw = |seed| game.move_text(book.choose(&game, seed).unwrap().best.unwrap());
        let drawn: std::collections::BTreeSet<String> = (1..40).map(draw).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), ["l10", "m10"]);
        assert_eq!(draw(7), draw(7));
    }

    #[test]
    fn games_speak_where_no_search_did() {
        let known = |games, points| BookMove { games, points, ..BookMove::default() }.value();
        assert_eq!(known(0, 0.0), Score::points(0));
        assert!(known(10, 8.0) > known(2, 1.5) && known(10, 2.0) < Score::points(0));
    }
}
