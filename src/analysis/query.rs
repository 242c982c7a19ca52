//! What is asked of a position, and what was found.

use pentarch_core::game::{Move, Outcome};
use pentarch_engine::Game;
use pentarch_engine::search::{Bound, Limits, Report, Score, SearchResult};

/// A position and how to look at it.
#[derive(Clone, Debug)]
pub struct Query {
    /// The position, with the moves that led to it.
    pub game: Game,
    /// What bounds the search. Some limit has to.
    pub limits: Limits,
    /// How many of the best moves to find lines for.
    pub multi_pv: u32,
}

impl Query {
    /// Asks for the best move.
    pub fn new(game: Game, limits: Limits) -> Query {
        Query { game, limits, multi_pv: 1 }
    }

    /// A query for each position of a game, from its starting position to its last: one more than
    /// it has moves.
    pub fn of_game(game: &Game, limits: &Limits) -> Vec<Query> {
        let mut replay = game.replay();
        let mut queries = vec![Query::new(replay.position().clone(), limits.clone())];
        while replay.next().is_some() {
            queries.push(Query::new(replay.position().clone(), limits.clone()));
        }
        queries
    }
}

/// What was found out about a position. Values are for the seat to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// How the game has ended, if it has; nothing is searched then.
    pub outcome: Option<Outcome>,
    /// The value of the position; none where an engine does not say.
    pub score: Option<Score>,
    /// What the value says of the true one.
    pub bound: Bound,
    /// Nodes that were visited.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// The best moves, the best first. There is one at least unless the game has ended.
    pub lines: Vec<Line>,
}

/// A move and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The move.
    pub mv: Move,
    /// Its value for the seat that makes it; none where an engine does not say.
    pub score: Option<Score>,
    /// What the value says of the true one.
    pub bound: Bound,
    /// Those of the nodes that were spent on this move, as far as the engine says.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// The best play for both sides, this move first.
    pub pv: Vec<Move>,
}

impl Analysis {
    /// A game that has ended, from where its next player would sit.
    pub(super) fn ended(game: &Game, outcome: Outcome) -> Analysis {
        let side = game.side_of(game.to_move());
        let sides = game.rules().seating().sides();
        let score = match outcome.winner {
            Some(winner) if winner == side => Score::win_in(0),
            Some(_) => Score::loss_in(0),
            None if sides == 2 => Score::DRAW,
            None => Score::from_win_probability(1.0 / f64::from(sides)),
        };
        Analysis {
            outcome: Some(outcome),
            score: Some(score),
            bound: Bound::Exact,
            nodes: 0,
            depth: 0,
            lines: Vec::new(),
        }
    }

    /// An open game with these lines, the best first, for that many nodes in all.
    pub(super) fn of_lines(lines: Vec<Line>, nodes: u64) -> Analysis {
        let best = lines.first();
        Analysis {
            outcome: None,
            score: best.and_then(|line| line.score),
            bound: best.map_or(Bound::Exact, |line| line.bound),
            nodes,
            depth: best.map_or(0, |line| line.depth),
            lines,
        }
    }
}

impl Line {
    pub(super) fn of_report(report: &Report) -> Option<Line> {
        Some(Line {
            mv: *report.pv.first()?,
            score: Some(report.score),
            bound: report.bound,
            nodes: report.move_nodes,
            depth: report.depth,
            pv: report.pv.clone(),
        })
    }
}

/// The reports of a search by rank, as they come.
#[derive(Debug, Default)]
pub(super) struct Lines {
    complete: Vec<Line>,
    coming: Vec<Line>,
    /// Nodes in all.
    nodes: u64,
}

impl Lines {
    /// Takes a report. Those of an iteration come by rank from 1 on, and count when there are as
    /// many as of the one before.
    pub(super) fn take(&mut self, report: &Report) {
        if report.multipv <= 1 {
            self.coming.clear();
        }
        self.coming.extend(Line::of_report(report));
        self.nodes = report.nodes;
        if self.coming.len() >= self.complete.len() {
            self.complete.clone_from(&self.coming);
        }
    }

    /// What is known so far, if anything is.
    pub(super) fn so_far(&self) -> Option<Analysis> {
        let known = !self.complete.is_empty();
        known.then(|| Analysis::of_lines(self.complete.clone(), self.nodes))
    }

    /// What is known at the end: the line of the result, or of several lines those of the last
    /// iteration that has found them all, since values of different depths do not compare. A win is
    /// one in any company.
    pub(super) fn finish(self, found: &SearchResult) -> Analysis {
        let Some(best) = Line::of_report(&found.report) else {
            return Analysis::of_lines(self.complete, self.nodes);
        };
        let nodes = found.report.nodes;
        let depth = self.complete.first().map(|line| line.depth);
        if self.complete.len() > 1 && depth != Some(best.depth) && !found.report.score.is_win() {
            return Analysis::of_lines(self.complete, nodes);
        }
        let count = self.complete.len().max(1);
        let others = self.complete.into_iter().filter(|line| line.mv != best.mv);
        let mut lines: Vec<Line> = [best.clone()].into_iter().chain(others).collect();
        lines.truncate(count);
        Analysis::of_lines(lines, nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(rank: u32, game: &Game, text: &str, depth: u32, score: i32) -> Report {
        Report {
            depth,
            seldepth: depth,
            multipv: rank,
            score: Score::points(score),
            bound: Bound::Exact,
            nodes: 100 * u64::from(depth),
            move_nodes: 100 * u64::from(depth),
            time: std::time::Duration::ZERO,
            hashfull: 0,
            pv: vec![game.parse_move(text).unwrap()],
        }
    }

    fn texts(game: &Game, analysis: &Analysis) -> Vec<String> {
        analysis.lines.iter().map(|line| game.move_text(line.mv)).collect()
    }

    #[test]
    fn a_new_iteration_counts_when_all_its_lines_are_there() {
        let game = Game::new("gomoku".parse().unwrap());
        let mut lines = Lines::default();
        assert_eq!(lines.so_far(), None);
        lines.take(&report(1, &game, "h8", 1, 30));
        lines.take(&report(2, &game, "g8", 1, 20));
        lines.take(&report(1, &game, "a1", 2, 50));
        assert_eq!(texts(&game, &lines.so_far().unwrap()), ["h8", "g8"]);
        lines.take(&report(2, &game, "h8", 2, 40));
        assert_eq!(texts(&game, &lines.so_far().unwrap()), ["a1", "h8"]);
        // The search is broken off while it looks at the third iteration.
        let result = |score| {
            let report = Report { score, ..report(1, &game, "h8", 3, 0) };
            SearchResult { best: report.pv.first().copied(), report }
        };
        let finish = |score| {
            let mut lines = Lines::default();
            lines.take(&report(1, &game, "a1", 2, 50));
            lines.take(&report(2, &game, "h8", 2, 40));
            lines.finish(&result(score))
        };
        let analysis = finish(Score::points(10));
        assert_eq!(texts(&game, &analysis), ["a1", "h8"]);
        assert_eq!((analysis.depth, analysis.nodes), (2, 300));
        let won = finish(Score::win_in(5));
        assert_eq!(texts(&game, &won), ["h8", "a1"]);
        assert_eq!((won.depth, won.score), (3, Some(Score::win_in(5))));
        // Of one line the result is the last word.
        let mut one = Lines::default();
        one.take(&report(1, &game, "a1", 2, 50));
        assert_eq!(texts(&game, &one.finish(&result(Score::points(10)))), ["h8"]);
    }

    #[test]
    fn a_game_has_one_position_more_than_moves() {
        let mut game = Game::new("gomoku".parse().unwrap());
        for text in ["h8", "a1", "h9"] {
            game.play(text).unwrap();
        }
        let queries = Query::of_game(&game, &Limits::nodes(1));
        let moves: Vec<_> = queries.iter().map(|query| query.game.moves().len()).collect();
        assert_eq!(moves, [0, 1, 2, 3]);
        assert_eq!(queries[3].game.text(), game.text());
    }
}
