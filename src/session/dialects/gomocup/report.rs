//! What a search reports, as a `MESSAGE`.
//!
//! The protocol says nothing of its form. Ours is a list of words with values; that of Rapfi, whose
//! "normal" messages follow Yixin's, has bars between them and scores such as `+M5` for a win in five
//! plies, <https://github.com/dhbloo/rapfi>, `Rapfi/search/searchoutput.cpp`.

use super::Codec;
use crate::dialects::Heard;
use pentarch_core::game::Move;
use pentarch_engine::Game;
use pentarch_engine::search::{Bound, Report, Score};
use pentarch_protocol::gomocup::Point;
use std::time::Duration;

impl Codec {
    /// A report on a position as a line for a human:
    /// `depth 7-12 eval 37 nodes 1234 nps 99000 time 12 pv 7,7 8,8`.
    pub fn message(self, game: &Game, report: &Report) -> String {
        let rank =
            if report.multipv > 1 { format!("({}) ", report.multipv) } else { String::new() };
        let Report { depth, seldepth, score, nodes, .. } = report;
        let (nps, time) = (report.nps(), report.time.as_millis());
        let line: Vec<_> = report.pv.iter().map(|&mv| self.move_text(game, mv)).collect();
        let pv = line.join(" ");
        format!(
            "{rank}depth {depth}-{seldepth} eval {score} nodes {nodes} nps {nps} time {time} pv {pv}"
        )
    }

    /// Reads a report on a position, none where there is no score. What a brain leaves out is zero,
    /// and its line ends at the first word that is no legal point.
    pub fn report(self, game: &Game, message: &str) -> Option<Report> {
        let (multipv, message) = rank(message);
        let mut words = message.split([' ', '|', ',']).filter(|word| !word.is_empty());
        let (mut depth, mut seldepth, mut nodes, mut time) = (0, 0, 0, Duration::ZERO);
        let mut score = None;
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_str() {
                "depth" => (depth, seldepth) = words.next().and_then(depths).unwrap_or_default(),
                "eval" | "ev" => score = parse_score(words.next()?, || words.next()),
                "node" | "nodes" | "n" => nodes = words.next().and_then(count).unwrap_or(0),
                "time" | "tm" => time = words.next().and_then(parse_time).unwrap_or_default(),
                _ => {}
            }
        }
        let pv = self.line(game, message);
        let bound = Bound::Exact;
        Some(Report {
            depth,
            seldepth,
            multipv,
            score: score?,
            bound,
            nodes,
            move_nodes: nodes,
            time,
            hashfull: 0,
            pv,
        })
    }

    /// Adds a `MESSAGE` to what was said of a search before, if it says something of it.
    pub fn hear(self, game: &Game, message: &str, heard: &mut Heard) {
        if let Some(report) = self.report(game, message) {
            heard.add(report);
        }
    }

    /// The text of a move: a point, or a word where it has none.
    pub fn move_text(self, game: &Game, mv: Move) -> String {
        match (mv.cell(), game.grid()) {
            (Some(cell), Some(grid)) => self.point(grid, cell).to_string(),
            _ => game.move_text(mv),
        }
    }

    /// The moves after `pv`, or after the last bar.
    fn line(self, game: &Game, message: &str) -> Vec<Move> {
        let words = message.split_once(" pv ").or_else(|| message.rsplit_once('|'));
        let (_, words) = words.unwrap_or_default();
        let mut game = game.clone();
        let play = |word: &str| self.play_word(&mut game, word);
        words.split_whitespace().map_while(play).collect()
    }

    fn play_word(self, game: &mut Game, word: &str) -> Option<Move> {
        let Some((x, y)) = word.split_once(',') else {
            // A choice of ours, or a point as Rapfi names it in its messages.
            return game.play(&word.to_ascii_lowercase()).ok();
        };
        self.play(game, Point::new(x.parse().ok()?, y.parse().ok()?)).ok()
    }
}

/// The rank of a line among the best, from 1, and the rest of the message.
fn rank(message: &str) -> (u32, &str) {
    let ranked = message.trim_start().strip_prefix('(').and_then(|rest| {
        let (number, rest) = rest.split_once(')')?;
        Some((number.parse().ok()?, rest))
    });
    ranked.unwrap_or((1, message))
}

/// `12-18`, or one number for both.
fn depths(text: &str) -> Option<(u32, u32)> {
    let (depth, deepest) = text.split_once('-').unwrap_or((text, text));
    Some((depth.parse().ok()?, deepest.parse().ok()?))
}

/// `55`, `mate -4` as we write it, or `-M4`: a win or loss in a number of plies.
fn parse_score<'a>(text: &'a str, mut next: impl FnMut() -> Option<&'a str>) -> Option<Score> {
    let mate = |plies: u32, is_loss: bool| {
        if is_loss { Score::loss_in(plies) } else { Score::win_in(plies) }
    };
    if text.eq_ignore_ascii_case("mate") {
        let plies: i32 = next()?.parse().ok()?;
        return Some(mate(plies.unsigned_abs(), plies <= 0));
    }
    if let Some((sign, plies)) = text.split_once(['M', 'm']) {
        return Some(mate(plies.parse().ok()?, sign == "-"));
    }
    text.parse().ok().map(Score::points)
}

/// `1234`, or `12K` and the like.
fn count(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => 1,
        "K" | "k" => 1_000,
        "M" => 1_000_000,
        "G" | "B" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// `1234` or `1234ms`; `12s` and `3min` where a brain rounds.
fn parse_time(text: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "ms" => 1,
        "s" => 1_000,
        "min" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    Some(Duration::from_millis(digits.parse::<u64>().ok()?.checked_mul(unit)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_protocol::gomocup::Coordinates;

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new("gomoku".parse().unwrap());
        for text in moves {
            game.play(text).unwrap();
        }
        game
    }

    #[test]
    fn reports_are_read_as_they_are_written() {
        let game = game(&["h8"]);
        let pv: Vec<_> = ["i8", "h9"].map(|text| game.parse_move(text).unwrap()).to_vec();
        let (win, loss) = (Score::win_in(5), Score::loss_in(4));
        for (score, multipv) in [(Score::points(-37), 1), (win, 2), (loss, 1), (Score::DRAW, 1)] {
            let (time, pv, bound) = (Duration::from_millis(1234), pv.clone(), Bound::Exact);
            let (depth, seldepth, nodes, hashfull) = (7, 12, 123_456, 0);
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
            for codec in [Codec(Coordinates::Xy), Codec(Coordinates::Yx)] {
                let message = codec.message(&game, &report);
                assert_eq!(codec.report(&game, &message), Some(report.clone()), "{message}");
            }
        }
    }

    #[test]
    fn messages_of_rapfi() {
        let codec = Codec::default();
        let game = game(&["h8"]);
        let report = codec.report(&game, "Depth 12-18 | Eval 55 | Time 1500ms | I8 H9 H9").unwrap();
        assert_eq!((report.depth, report.seldepth, report.score), (12, 18, Score::points(55)));
        assert_eq!((report.time, report.pv.len()), (Duration::from_millis(1500), 2));
        let text = "Speed 810K | Depth 9-11 | Eval -M4 | Node 12M | Time 15s";
        let report = codec.report(&game, text).unwrap();
        assert_eq!((report.score, report.nodes), (Score::loss_in(4), 12_000_000));
        let report = codec.report(&game, "depth 8-9 ev +M7 n 42K n/ms 3 tm 7 pv I8").unwrap();
        assert_eq!((report.score, report.pv.len()), (Score::win_in(7), 1));
    }

    #[test]
    fn what_a_brain_says_of_its_search() {
        let game = game(&[]);
        let mut heard = Heard::default();
        for message in [
            "hello",
            "Depth 3-5 | Eval 10 | Time 20ms | H8 H9",
            "(2) depth 4-6 eval 90 nodes 9000 nps 1 time 900 pv 0,0",
            "Speed 90K | Depth 4-6 | Eval -31 | Node 70 | Time 30ms",
        ] {
            Codec::default().hear(&game, message, &mut heard);
        }
        let report = heard.report().unwrap();
        assert_eq!((report.depth, report.score, report.nodes), (4, Score::points(-31), 70));
        assert_eq!((report.time.as_millis(), report.pv.len()), (30, 2));
    }

    #[test]
    fn other_messages_are_no_reports() {
        let game = game(&[]);
        for text in ["", "hello", "eval", "Depth 3 | Eval x", "REALTIME VAL 3", "|", "((", "depth"]
        {
            assert_eq!(Codec::default().report(&game, text), None, "{text}");
        }
        let report = Codec::default().report(&game, "Depth x | Eval 3 | Node 1.5M").unwrap();
        assert_eq!((report.depth, report.nodes), (0, 0));
        let huge = Codec::default().report(&game, "eval mate -2147483648 pv 99,99 é,1").unwrap();
        assert_eq!((huge.score, huge.pv.len()), (Score::loss_in(u32::MAX), 0));
    }
}
