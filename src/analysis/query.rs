//! Queries about positions and their results.

use pentarch_core::game::{Move, Outcome};
use pentarch_engine::Game;
use pentarch_engine::search::{Bound, Limits, Report, Score, SearchResult};

/// A position and the limits of its search.
#[derive(Clone, Debug)]
pub struct AnalysisQuery {
    /// The position, with the moves that led to it.
    pub game: Game,
    /// The limits of the search. At least one must be set.
    pub limits: Limits,
    /// The number of best moves for which lines are wanted.
    pub multi_pv: u32,
}

impl AnalysisQuery {
    /// Creates a query for the best move.
    pub fn new(game: Game, limits: Limits) -> AnalysisQuery {
        AnalysisQuery { game, limits, multi_pv: 1 }
    }

    /// Creates a query for each position of a game, from its starting position to its last: one
    /// more than it has moves.
    pub fn of_game(game: &Game, limits: &Limits) -> Vec<AnalysisQuery> {
        let mut replay = game.replay();
        let mut queries = vec![AnalysisQuery::new(replay.position().clone(), limits.clone())];
        while replay.next().is_some() {
            queries.push(AnalysisQuery::new(replay.position().clone(), limits.clone()));
        }
        queries
    }
}

/// The analysis of a position. Scores are for the seat to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The result, if the game is over. Nothing is searched then.
    pub outcome: Option<Outcome>,
    /// The score; `None` if the engine reports none.
    pub score: Option<Score>,
    /// The kind of bound of the score.
    pub bound: Bound,
    /// The number of nodes.
    pub nodes: u64,
    /// The search depth in plies.
    pub depth: u32,
    /// The best moves, the best first. At least one unless the game is over.
    pub lines: Vec<AnalysisLine>,
}

/// A move and its analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisLine {
    /// The move.
    pub mv: Move,
    /// The score for the seat that makes it; `None` if the engine reports none.
    pub score: Option<Score>,
    /// The kind of bound of the score.
    pub bound: Bound,
    /// The nodes spent on this move, if the engine reports them.
    pub nodes: u64,
    /// The search depth in plies.
    pub depth: u32,
    /// The principal variation, this move first.
    pub pv: Vec<Move>,
}

impl Analysis {
    /// Creates the analysis of a game that is over, for the seat that would be next.
    pub(super) fn ended(game: &Game, outcome: Outcome) -> Analysis {
        Analysis {
            outcome: Some(outcome),
            score: Some(score_of_outcome(game, outcome, 0)),
            bound: Bound::Exact,
            nodes: 0,
            depth: 0,
            lines: Vec::new(),
        }
    }

    /// Creates the analysis of an open game from its lines, the best first.
    pub(super) fn of_lines(lines: Vec<AnalysisLine>, nodes: u64) -> Analysis {
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

    /// Adds lines that were only estimated. They rank below those that were searched, except wins.
    pub(super) fn with_lines(self, mut estimated: Vec<AnalysisLine>) -> Analysis {
        let Analysis { mut lines, nodes, .. } = self;
        let least = lines.iter().filter_map(|line| line.score).min();
        for line in estimated.iter_mut().filter(|line| line.bound != Bound::Exact) {
            line.score = line.score.map(|score| least.map_or(score, |least| score.min(least)));
        }
        estimated.sort_by_key(|line| std::cmp::Reverse(line.score));
        let is_win = |line: &AnalysisLine| line.score.is_some_and(Score::is_win);
        let (wins, others): (Vec<_>, Vec<_>) = estimated.into_iter().partition(is_win);
        let first_open = lines.iter().position(|line| !is_win(line)).unwrap_or(lines.len());
        lines.splice(first_open..first_open, wins);
        lines.extend(others);
        Analysis::of_lines(lines, nodes)
    }
}

/// Returns the score of the end of a game after some plies, for the seat to move.
pub(super) fn score_of_outcome(game: &Game, outcome: Outcome, plies: u32) -> Score {
    let sides = game.rules().seating().sides();
    match outcome.winner {
        Some(winner) if winner == game.side_of(game.to_move()) => Score::win_in(plies),
        Some(_) => Score::loss_in(plies),
        None if sides == 2 => Score::DRAW,
        None => Score::from_win_probability(1.0 / f64::from(sides)),
    }
}

impl AnalysisLine {
    pub(super) fn of_report(report: &Report) -> Option<AnalysisLine> {
        Some(AnalysisLine {
            mv: *report.pv.first()?,
            score: Some(report.score),
            bound: report.bound,
            nodes: report.move_nodes,
            depth: report.depth,
            pv: report.pv.clone(),
        })
    }
}

/// Collects the reports of a search by rank.
#[derive(Debug, Default)]
pub(super) struct LineCollector {
    complete: Vec<AnalysisLine>,
    incoming: Vec<AnalysisLine>,
    /// The number of nodes.
    nodes: u64,
}

impl LineCollector {
    /// Adds a report. The reports of an iteration come by rank from 1 on; they replace those of the
    /// iteration before when there are as many.
    pub(super) fn add(&mut self, report: &Report) {
        if report.multipv <= 1 {
            self.incoming.clear();
        }
        self.incoming.extend(AnalysisLine::of_report(report));
        self.nodes = report.nodes;
        if self.incoming.len() >= self.complete.len() {
            self.complete.clone_from(&self.incoming);
        }
    }

    /// Returns the lines of the last complete iteration.
    pub(super) fn so_far(&self) -> Option<Analysis> {
        let known = !self.complete.is_empty();
        known.then(|| Analysis::of_lines(self.complete.clone(), self.nodes))
    }

    /// Returns the final analysis: the line of the result, or, of several lines, those of the last
    /// complete iteration, since scores of different depths are not comparable. A win is always
    /// included.
    pub(super) fn finish(self, found: &SearchResult) -> Analysis {
        let Some(best) = AnalysisLine::of_report(&found.report) else {
            return Analysis::of_lines(self.complete, self.nodes);
        };
        let nodes = found.report.nodes;
        let depth = self.complete.first().map(|line| line.depth);
        if self.complete.len() > 1 && depth != Some(best.depth) && !found.report.score.is_win() {
            return Analysis::of_lines(self.complete, nodes);
        }
        let count = self.complete.len().max(1);
        let others = self.complete.into_iter().filter(|line| line.mv != best.mv);
        let mut lines: Vec<AnalysisLine> = [best.clone()].into_iter().chain(others).collect();
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
        let mut lines = LineCollector::default();
        assert_eq!(lines.so_far(), None);
        lines.add(&report(1, &game, "h8", 1, 30));
        lines.add(&report(2, &game, "g8", 1, 20));
        lines.add(&report(1, &game, "a1", 2, 50));
        assert_eq!(texts(&game, &lines.so_far().unwrap()), ["h8", "g8"]);
        lines.add(&report(2, &game, "h8", 2, 40));
        assert_eq!(texts(&game, &lines.so_far().unwrap()), ["a1", "h8"]);
        // The search is stopped during the third iteration.
        let result = |score| {
            let report = Report { score, ..report(1, &game, "h8", 3, 0) };
            SearchResult { best: report.pv.first().copied(), report }
        };
        let finish = |score| {
            let mut lines = LineCollector::default();
            lines.add(&report(1, &game, "a1", 2, 50));
            lines.add(&report(2, &game, "h8", 2, 40));
            lines.finish(&result(score))
        };
        let analysis = finish(Score::points(10));
        assert_eq!(texts(&game, &analysis), ["a1", "h8"]);
        assert_eq!((analysis.depth, analysis.nodes), (2, 300));
        let won = finish(Score::win_in(5));
        assert_eq!(texts(&game, &won), ["h8", "a1"]);
        assert_eq!((won.depth, won.score), (3, Some(Score::win_in(5))));
        // Of one line, the result counts.
        let mut one = LineCollector::default();
        one.add(&report(1, &game, "a1", 2, 50));
        assert_eq!(texts(&game, &one.finish(&result(Score::points(10)))), ["h8"]);
    }

    #[test]
    fn a_game_has_one_position_more_than_moves() {
        let mut game = Game::new("gomoku".parse().unwrap());
        for text in ["h8", "a1", "h9"] {
            game.play(text).unwrap();
        }
        let queries = AnalysisQuery::of_game(&game, &Limits::nodes(1));
        let moves: Vec<_> = queries.iter().map(|query| query.game.moves().len()).collect();
        assert_eq!(moves, [0, 1, 2, 3]);
        assert_eq!(queries[3].game.text(), game.text());
    }
}
