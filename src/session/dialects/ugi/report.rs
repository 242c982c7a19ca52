//! What a search reports: `info` and `bestmove`.

use super::Codec;
use crate::dialects::Heard;
use pentarch_core::game::{Move, Outcome};
use pentarch_engine::Game;
use pentarch_engine::search::{self, Bound, Report};
use pentarch_protocol::ugi::{BoundWord, Flavor, Info, Response, Score};
use std::time::Duration;

impl Codec {
    /// A report on a position.
    pub fn info(self, game: &Game, report: &Report) -> Info {
        let bound = match report.bound {
            Bound::Exact => None,
            Bound::Lower => Some(BoundWord::Lower),
            Bound::Upper => Some(BoundWord::Upper),
        };
        let pv = self.move_texts(game, &report.pv);
        Info {
            depth: Some(report.depth),
            seldepth: Some(report.seldepth),
            multipv: Some(report.multipv),
            score: Some(self.score(report.score)),
            bound,
            nodes: Some(report.nodes),
            nps: Some(report.nps()),
            hashfull: Some(report.hashfull),
            time_ms: Some(u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX)),
            ponder: pv.get(1).cloned(),
            pv,
            ..Info::default()
        }
    }

    /// Reads a report on a position, none where there is no score. What else an engine leaves out is
    /// zero, and its line ends at the first move that is none.
    pub fn report(self, game: &Game, info: &Info) -> Option<Report> {
        let report = self.report_without_line(info)?;
        Some(Report { pv: self.line(game, &info.pv), ..report })
    }

    /// [`Codec::report`] for a game whose moves are not known here.
    pub fn report_without_line(self, info: &Info) -> Option<Report> {
        let score = self.parse_score(info.score?);
        Some(Report {
            depth: info.depth.unwrap_or(0),
            seldepth: info.seldepth.or(info.depth).unwrap_or(0),
            multipv: info.multipv.unwrap_or(1),
            score,
            bound: match info.bound {
                None => Bound::Exact,
                Some(BoundWord::Lower) => Bound::Lower,
                Some(BoundWord::Upper) => Bound::Upper,
            },
            nodes: info.nodes.unwrap_or(0),
            move_nodes: info.nodes.unwrap_or(0),
            time: Duration::from_millis(info.time_ms.unwrap_or(0)),
            hashfull: info.hashfull.unwrap_or(0),
            pv: Vec::new(),
        })
    }

    /// Adds a line of a search to what was said of it before.
    pub fn hear(self, game: &Game, info: &Info, heard: &mut Heard) {
        note(self.report(game, info), info, heard);
    }

    /// [`Codec::hear`] in a game whose moves are not known here.
    pub fn hear_without_line(self, info: &Info, heard: &mut Heard) {
        note(self.report_without_line(info), info, heard);
    }

    /// The moves of a line as far as they are legal.
    fn line(self, game: &Game, texts: &[String]) -> Vec<Move> {
        let mut game = game.clone();
        let play = |text: &String| {
            let mv = self.parse_move(&game, text).ok()?;
            game.play_move(mv).ok()?;
            Some(mv)
        };
        texts.iter().map_while(play).collect()
    }

    /// The answer to `go`.
    pub fn best_move(self, game: &Game, best: Option<Move>) -> Response {
        Response::BestMove(best.map(|mv| self.move_text(game, mv).into()))
    }

    /// The answer to `go` in a finished game. Tools that know UCI alone see its result in the score.
    pub fn no_move(self, outcome: Outcome) -> Vec<Response> {
        let score = match outcome.winner {
            Some(_) => search::Score::loss_in(0),
            None => search::Score::DRAW,
        };
        let score = Info { depth: Some(0), score: Some(self.score(score)), ..Info::default() };
        let score = (self.0 == Flavor::Uci).then_some(Response::Info(score));
        score.into_iter().chain([Response::BestMove(None)]).collect()
    }

    /// A score: UGI counts plies up to a mate, UCI the winner's moves.
    fn score(self, score: search::Score) -> Score {
        match (score.mate(), self.0) {
            (None, _) => Score::Centipoints(score.value()),
            (Some(plies), Flavor::Ugi) => Score::Mate(plies),
            (Some(plies), Flavor::Uci) => {
                Score::Mate(if plies > 0 { (plies + 1) / 2 } else { plies / 2 })
            }
        }
    }

    /// Reads a score. The winner makes the last move.
    fn parse_score(self, score: Score) -> search::Score {
        let plies = |count: i32| match self.0 {
            Flavor::Ugi => count.unsigned_abs(),
            Flavor::Uci if count > 0 => (count.unsigned_abs()).saturating_mul(2) - 1,
            Flavor::Uci => count.unsigned_abs().saturating_mul(2),
        };
        match score {
            Score::Centipoints(points) => search::Score::points(points),
            Score::Mate(count) if count > 0 => search::Score::win_in(plies(count)),
            Score::Mate(count) => search::Score::loss_in(plies(count)),
        }
    }
}

/// Adds a line of a search to what was said of it before.
fn note(report: Option<Report>, info: &Info, heard: &mut Heard) {
    match report {
        Some(report) => heard.add(report),
        None if info.multipv.is_some_and(|rank| rank > 1) => {}
        None => {
            let time = Duration::from_millis(info.time_ms.unwrap_or(0));
            heard.count(info.nodes.unwrap_or(0), time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_in_moves() {
        let uci = Codec(Flavor::Uci);
        for (plies, moves) in [(1, 1), (3, 2), (5, 3)] {
            assert_eq!(uci.score(search::Score::win_in(plies)), Score::Mate(moves));
        }
        assert_eq!(uci.score(search::Score::loss_in(2)), Score::Mate(-1));
        assert_eq!(uci.score(search::Score::loss_in(0)), Score::Mate(0));
    }

    #[test]
    fn scores_are_read_as_they_are_written() {
        for codec in [Flavor::Ugi, Flavor::Uci].map(Codec) {
            let wins = [1, 3, 9].map(search::Score::win_in);
            let losses = [0, 2, 8].map(search::Score::loss_in);
            let points = [-250, 0, 31].map(search::Score::points);
            for own in wins.into_iter().chain(losses).chain(points) {
                assert_eq!(codec.parse_score(codec.score(own)), own);
            }
        }
    }

    #[test]
    fn reports_are_read_as_they_are_written() {
        let mut game = Game::new("gomoku".parse().unwrap());
        game.play("h8").unwrap();
        let pv: Vec<_> = ["i8", "h9"].map(|text| game.parse_move(text).unwrap()).to_vec();
        let bounds = [Bound::Exact, Bound::Lower, Bound::Upper];
        let (win, loss) = (search::Score::win_in(5), search::Score::loss_in(4));
        let scores = [search::Score::points(-37), win, loss, search::Score::loss_in(0)];
        for (bound, score) in bounds.into_iter().cycle().zip(scores) {
            let (time, pv) = (Duration::from_millis(1234), pv.clone());
            let (depth, seldepth, multipv, nodes, hashfull) = (7, 12, 2, 123_456, 78);
            let report = Report {
                depth,
                seldepth,
                multipv,
                score,
                bound,
                nodes,
                move_nodes: nodes,
                time,
                hashfull,
                pv,
            };
            for codec in [Codec(Flavor::Ugi), Codec(Flavor::Uci)] {
                let info = codec.info(&game, &report);
                assert_eq!(codec.report(&game, &info), Some(report.clone()), "{info}");
            }
        }
    }

    #[test]
    fn a_report_of_a_foreign_engine_is_read_as_far_as_it_goes() {
        let game = Game::new("gomoku".parse().unwrap());
        let ugi = Codec(Flavor::Ugi);
        let read = |text: &str| match Response::parse(text) {
            Ok(Response::Info(info)) => ugi.report(&game, &info),
            other => panic!("{other:?}"),
        };
        assert_eq!(read("info depth 3 nodes 5 pv h8"), None);
        let report = read("info score cp 2147483647 pv h8 h8 i8").unwrap();
        assert_eq!((report.pv.len(), report.depth, report.nodes), (1, 0, 0));
        for (text, score) in [
            ("info score mate -2147483648", search::Score::loss_in(u32::MAX)),
            ("info score mate 2147483647", search::Score::win_in(u32::MAX)),
        ] {
            assert_eq!(read(text).map(|report| report.score), Some(score));
        }
    }
}
