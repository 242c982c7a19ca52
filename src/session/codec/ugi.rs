//! UGI and UCI: names of games, moves, positions, limits, options and reports.
//!
//! The two differ in keywords, which the protocol crate knows, and in three things known here. UCI
//! counts the moves up to a mate where UGI counts plies. Chess programs know two games of gomoku on
//! 15x15, `gomoku` with exactly five in a row and `gomokufreestyle` with five or more. There a stone
//! is a pawn that drops from the hand, `P@h8`, and White, in capital letters, moves first, as in
//! cutechess.

use super::InfoAccumulator;
use pentarch_core::game::{Move, Outcome, PositionTextError};
use pentarch_core::rules::catalog::CATALOG;
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::search::{self, Bound, Clock, Limits, Parameter, Report};
use pentarch_engine::{Game, GameError, IllegalMove, OptionRow, OptionType, Options};
use pentarch_protocol::ugi::{
    BestMove, Command, Flavor, Go, Info, Millis, OptionDecl, OptionKind, Response, Score,
    ScoreBound, StartPosition,
};
use std::sync::LazyLock;
use std::time::Duration;

/// The name of the option that selects the game.
pub const VARIANT: &str = "UCI_Variant";
/// The button that clears the transposition table.
pub(crate) const CLEAR_HASH: &str = "Clear Hash";
/// The option of UCI for analysis, in which no move is played from a book.
pub(crate) const ANALYSE_MODE: &str = "UCI_AnalyseMode";
/// The option of UCI that names the opponent, which has no effect.
pub(crate) const OPPONENT: &str = "UCI_Opponent";
/// The option of UCI for `wdl` in `info`.
pub(crate) const SHOW_WDL: &str = "UCI_ShowWDL";

/// The games whose moves are drops in UCI: their names in UCI and here.
const DROPS: [(&str, &str); 2] = [("gomoku", "gomoku-standard"), ("gomokufreestyle", "gomoku")];

/// Converts values of the engine to those of UGI or UCI, and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codec(pub Flavor);

impl Codec {
    /// Returns the rules of the game of that name.
    ///
    /// # Errors
    /// The name is not a game.
    pub fn rules(self, name: &str) -> Result<Ruleset, VariantSpecError> {
        let known = DROPS.iter().find(|(uci, _)| uci.eq_ignore_ascii_case(name));
        match known {
            Some((_, own)) if self.0 == Flavor::Uci => own.parse(),
            _ => name.parse(),
        }
    }

    /// Returns the name of a game.
    pub fn variant(self, rules: &Ruleset) -> String {
        self.renamed(rules.to_string())
    }

    /// Returns the option that selects the game: all games of the catalog, and the selected one as the
    /// default.
    pub fn variants(self, selected: &Ruleset) -> OptionKind {
        OptionKind::Combo {
            default: self.variant(selected),
            choices: CATALOG.iter().map(|row| self.renamed(row.name.to_owned())).collect(),
        }
    }

    /// Returns the choice that means a game among those that an engine declares for the option, also if
    /// it orders the modifiers differently.
    pub fn declared<'a>(self, rules: &Ruleset, option: &'a OptionDecl) -> Option<&'a str> {
        let OptionKind::Combo { choices, .. } = &option.kind else { return None };
        let name = self.variant(rules);
        let same = |word: &&String| word.eq_ignore_ascii_case(&name);
        let equal = |word: &&String| self.rules(word).is_ok_and(|read| read == *rules);
        let word = choices.iter().find(same).or_else(|| choices.iter().find(equal));
        word.map(String::as_str)
    }

    fn renamed(self, name: String) -> String {
        let drops = DROPS.iter().find(|(_, own)| *own == name);
        match drops {
            Some((uci, _)) if self.0 == Flavor::Uci => (*uci).to_owned(),
            _ => name,
        }
    }

    /// Returns whether the moves of a game are drops.
    fn has_drops(self, game: &Game) -> bool {
        // Called for each move: comparing the names of the games would cost more than the rest.
        static GAMES: LazyLock<Vec<Ruleset>> =
            LazyLock::new(|| DROPS.iter().filter_map(|(_, own)| own.parse().ok()).collect());
        self.0 == Flavor::Uci && GAMES.contains(game.rules())
    }

    /// Parses a move. It need not be legal.
    ///
    /// # Errors
    /// The text is not a move.
    pub fn parse_move(self, game: &Game, text: &str) -> Result<Move, GameError> {
        game.parse_move(self.canonical(game, text))
    }

    /// Returns the text of a move without the mark of a drop.
    pub fn canonical<'a>(self, game: &Game, text: &'a str) -> &'a str {
        let drop = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@"));
        match drop {
            Some(point) if self.has_drops(game) => point,
            _ => text,
        }
    }

    /// Returns the text of a move.
    pub fn move_text(self, game: &Game, mv: Move) -> String {
        let text = game.move_text(mv);
        if self.has_drops(game) { format!("P@{text}") } else { text }
    }

    /// Returns the texts of moves.
    pub fn move_texts(self, game: &Game, moves: &[Move]) -> Vec<String> {
        let mark = if self.has_drops(game) { "P@" } else { "" };
        moves.iter().map(|&mv| format!("{mark}{}", game.move_text(mv))).collect()
    }

    /// Returns the answer to `query result`. The number is that of the side.
    pub fn result(self, outcome: Option<Outcome>) -> String {
        match outcome {
            None => "none".to_owned(),
            Some(Outcome { winner: None, .. }) => "draw".to_owned(),
            Some(Outcome { winner: Some(side), .. }) => format!("p{side}win"),
        }
    }
}

/// An error in the command `position` or `moves`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The text after `fen` is no position.
    #[error(transparent)]
    Start(#[from] PositionTextError),
    /// A move, numbered from 1, cannot be played.
    #[error("move {0}: {1}")]
    Move(usize, GameError),
}

impl Codec {
    /// Returns the command for the position of a game that began at the position text `start`, or at
    /// the start position without one.
    pub fn position(self, game: &Game, start: Option<&str>, moves: &[Move]) -> Command {
        let start =
            start.map_or(StartPosition::StartPos, |text| StartPosition::Fen(text.to_owned()));
        Command::Position { start, moves: self.move_texts(game, moves) }
    }

    /// Returns the game at a position; `game` is one of the same rules at its start.
    ///
    /// # Errors
    /// The position text is malformed, or a move is illegal.
    pub fn game(
        self,
        game: &Game,
        start: &StartPosition,
        moves: &[String],
    ) -> Result<Game, PositionError> {
        let mut game = match start {
            StartPosition::StartPos => game.clone(),
            StartPosition::Fen(text) => game.with_text(&self.position_text(game, text))?,
        };
        self.play(&mut game, moves)?;
        Ok(game)
    }

    /// Plays moves, all or none.
    ///
    /// # Errors
    /// A move is illegal; the game is unchanged.
    pub fn play(self, game: &mut Game, moves: &[String]) -> Result<(), PositionError> {
        for (index, text) in moves.iter().enumerate() {
            let mv = self.parse_move(game, text);
            if let Err(error) = mv.and_then(|mv| game.play_move(mv)) {
                for _ in 0..index {
                    game.undo();
                }
                return Err(PositionError::Move(index + 1, error));
            }
        }
        Ok(())
    }

    /// Converts a position text of cutechess, with the stones in hand in brackets, to one of the game.
    fn position_text(self, game: &Game, text: &str) -> String {
        let hand = text.split_once('[').and_then(|(board, rest)| {
            let (_, rest) = rest.split_once(']')?;
            let mover = rest.split_whitespace().next()?;
            Some((board, mover))
        });
        match hand {
            Some((board, mover)) if self.has_drops(game) => {
                let stones = board.chars().filter(char::is_ascii_alphabetic).count();
                let board = board.replace('P', "b").replace('p', "w");
                let mover = if mover == "w" { "b" } else { "w" };
                format!("{board} {mover} - - {}", stones + 1)
            }
            _ => text.to_owned(),
        }
    }
}

/// An error in the arguments of `go`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsError {
    /// The text is not a move.
    #[error(transparent)]
    Text(#[from] GameError),
    /// The move is illegal.
    #[error("searchmoves: illegal move `{0}`: {1}")]
    Illegal(String, IllegalMove),
}

impl Codec {
    /// Returns the limits of the seat to move as arguments of `go`, with the clocks of all seats if the
    /// limits have one.
    pub fn go(self, game: &Game, limits: &Limits, clocks: &[Option<Clock>]) -> Go {
        let search_moves = self.move_texts(game, &limits.search_moves);
        Go { search_moves, ..self.go_without_moves(limits, clocks) }
    }

    /// Returns [`Codec::go`] without `searchmoves`, for a game whose moves are not known here.
    pub fn go_without_moves(self, limits: &Limits, clocks: &[Option<Clock>]) -> Go {
        let mut go = Go {
            moves_to_go: limits.clock.and_then(|clock| clock.moves_to_go),
            move_time: limits.move_time.map(at_least_one),
            depth: limits.depth,
            nodes: limits.nodes,
            mate: limits.mate.map(|plies| self.mate_count(plies)),
            infinite: limits.infinite,
            ..Go::default()
        };
        if limits.clock.is_some() {
            let seats = go.time.iter_mut().zip(&mut go.increment).zip(clocks);
            for ((time, increment), clock) in seats {
                *time = clock.map(|clock| at_least_one(clock.left));
                *increment = clock.map(|clock| millis(clock.increment));
            }
        }
        go
    }

    /// Returns the limits that the arguments of `go` set for the seat to move.
    ///
    /// # Errors
    /// A move of `searchmoves` is illegal.
    pub fn limits(self, game: &Game, go: &Go) -> Result<Limits, LimitsError> {
        let clock = time_to_move(game, &go.time).map(|left| Clock {
            left: duration(left),
            increment: duration(time_to_move(game, &go.increment).unwrap_or(0)),
            moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
        });
        let search_moves = go.search_moves.iter().map(|text| self.search_move(game, text));
        let search_moves = search_moves.collect::<Result<_, _>>()?;
        let mut limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            mate: go.mate.map(|count| self.mate_plies(count)),
            move_time: go.move_time.map(duration),
            clock,
            infinite: go.infinite,
            search_moves,
        };
        // A bare `go`, or one with only the other side's clock, is infinite, as in UCI.
        limits.infinite |= !limits.is_bounded();
        Ok(limits)
    }

    /// Parses a move of `searchmoves`.
    ///
    /// # Errors
    /// The text is not a legal move.
    pub(crate) fn search_move(self, game: &Game, text: &str) -> Result<Move, LimitsError> {
        let mv = self.parse_move(game, text)?;
        if game.outcome().is_none()
            && let Err(reason) = game.check_move(mv)
        {
            return Err(LimitsError::Illegal(game.move_text(mv), reason));
        }
        Ok(mv)
    }

    /// Converts the number of `go mate` to plies.
    fn mate_plies(self, count: u32) -> u32 {
        match self.0 {
            Flavor::Ugi => count,
            Flavor::Uci => count.saturating_mul(2).saturating_sub(1),
        }
    }

    /// Converts plies to the number of `go mate`.
    fn mate_count(self, plies: u32) -> u32 {
        match self.0 {
            Flavor::Ugi => plies,
            Flavor::Uci => plies.div_ceil(2),
        }
    }
}

/// Returns the time of the seat to move. Arenas for two players send only the clocks of the sides, where
/// partners share one.
fn time_to_move(game: &Game, times: &[Option<Millis>]) -> Option<Millis> {
    let seat = game.to_move();
    let side = game.side_of(seat);
    let time = |index: usize| times.get(index).copied().flatten();
    time(seat.index()).or_else(|| time(side.0.into()))
}

/// Converts a time; a negative one, after the flag has fallen, becomes zero.
fn duration(time: Millis) -> Duration {
    Duration::from_millis(u64::try_from(time).unwrap_or(0))
}

fn millis(time: Duration) -> Millis {
    Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX)
}

/// Returns at least one millisecond, because some engines treat zero as no limit.
fn at_least_one(time: Duration) -> Millis {
    millis(time).max(1)
}

impl Codec {
    /// Returns the declarations of all options, with the current values as defaults: the game first,
    /// and with `tunable` the search parameters last.
    pub fn declarations(
        self,
        rules: &Ruleset,
        options: &Options,
        tunable: bool,
    ) -> Vec<OptionDecl> {
        let variant = OptionDecl { name: VARIANT.to_owned(), kind: self.variants(rules) };
        let listed = Options::TABLE.len() + if tunable { Options::TUNABLE.len() } else { 0 };
        let rows = Options::rows().map(|row| declaration(row, options));
        let mut declared = vec![variant];
        declared.extend(rows.take(listed));
        let own = [(CLEAR_HASH, OptionKind::Button)].into_iter().chain(match self.0 {
            Flavor::Ugi => Vec::new(),
            Flavor::Uci => vec![
                (ANALYSE_MODE, OptionKind::Check { default: false }),
                (OPPONENT, OptionKind::Text { default: String::new() }),
                (SHOW_WDL, OptionKind::Check { default: false }),
            ],
        });
        let own = own.map(|(name, kind)| OptionDecl { name: name.to_owned(), kind });
        // After the options that programs for chess list first.
        let after = declared.iter().position(|option| option.name == "Ponder");
        let rest = declared.split_off(after.map_or(1, |index| index + 1));
        declared.into_iter().chain(own).chain(rest).collect()
    }
}

fn declaration(row: &OptionRow, options: &Options) -> OptionDecl {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let kind = match row.option_type {
        OptionType::Number { least, most, get, .. } => OptionKind::Spin {
            default: number(get(options)),
            min: number(least),
            max: number(most),
        },
        OptionType::Parameter(Parameter { least, most, get, .. }) => OptionKind::Spin {
            default: get(&options.parameters).into(),
            min: least.into(),
            max: most.into(),
        },
        OptionType::Switch { get, .. } => OptionKind::Check { default: get(options) },
        OptionType::Choice { words, .. } => OptionKind::Combo {
            default: row.get(options),
            choices: words.iter().map(|&word| word.to_owned()).collect(),
        },
        OptionType::File { get, .. } => OptionKind::Text { default: get(options) },
        OptionType::Ignored => OptionKind::Check { default: false },
    };
    OptionDecl { name: row.name.to_owned(), kind }
}

impl Codec {
    /// Returns a report on a position as `info`.
    pub fn info(self, game: &Game, report: &Report) -> Info {
        let bound = match report.bound {
            Bound::Exact => None,
            Bound::Lower => Some(ScoreBound::Lower),
            Bound::Upper => Some(ScoreBound::Upper),
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

    /// Parses a report on a position; `None` without a score. Other missing fields are zero, and the
    /// principal variation ends before the first illegal move.
    pub fn report(self, game: &Game, info: &Info) -> Option<Report> {
        let report = self.report_without_pv(info)?;
        Some(Report { pv: self.line(game, &info.pv), ..report })
    }

    /// Parses a report without its principal variation, for a game whose moves are not known here.
    fn report_without_pv(self, info: &Info) -> Option<Report> {
        let score = self.parse_score(info.score?);
        Some(Report {
            depth: info.depth.unwrap_or(0),
            seldepth: info.seldepth.or(info.depth).unwrap_or(0),
            multipv: info.multipv.unwrap_or(1),
            score,
            bound: match info.bound {
                None => Bound::Exact,
                Some(ScoreBound::Lower) => Bound::Lower,
                Some(ScoreBound::Upper) => Bound::Upper,
            },
            nodes: info.nodes.unwrap_or(0),
            move_nodes: info.nodes.unwrap_or(0),
            time: Duration::from_millis(info.time_ms.unwrap_or(0)),
            hashfull: info.hashfull.unwrap_or(0),
            pv: Vec::new(),
        })
    }

    /// Adds an `info` line to those of the same search.
    pub fn accumulate(self, game: &Game, info: &Info, accumulator: &mut InfoAccumulator) {
        accumulate(self.report(game, info), info, accumulator);
    }

    /// [`Codec::accumulate`] for a game whose moves are not known here.
    pub fn accumulate_without_pv(self, info: &Info, accumulator: &mut InfoAccumulator) {
        accumulate(self.report_without_pv(info), info, accumulator);
    }

    /// Returns the moves before the first illegal one.
    fn line(self, game: &Game, texts: &[String]) -> Vec<Move> {
        let mut game = game.clone();
        let play = |text: &String| {
            let mv = self.parse_move(&game, text).ok()?;
            game.play_move(mv).ok()?;
            Some(mv)
        };
        texts.iter().map_while(play).collect()
    }

    /// Returns the answer to `go`: the best move, and in UCI the expected reply from the principal
    /// variation. In UGI it is in the last `info`, because clients read two words only.
    pub fn best_move(self, game: &Game, best: Option<Move>, pv: &[Move]) -> Response {
        let reply = pv.get(1).filter(|_| self.0 == Flavor::Uci && pv.first().copied() == best);
        Response::BestMove(best.map(|mv| BestMove {
            mv: self.move_text(game, mv),
            ponder: reply.map(|&reply| self.move_text(game, reply)),
        }))
    }

    /// Returns the chances to win, to draw and to lose of a score, in thousandths. Without a proof a draw
    /// counts as half a win and half a loss.
    pub(crate) fn wdl(score: search::Score, is_proved_draw: bool) -> [u32; 3] {
        if is_proved_draw {
            return [0, 1000, 0];
        }
        let win = (1000.0 * score.win_probability()).round() as u32;
        [win, 0, 1000_u32.saturating_sub(win)]
    }

    /// Returns the answer to `go` in a finished game. Tools that know only UCI take its result from the
    /// score.
    pub(crate) fn no_move(self, outcome: Outcome) -> Vec<Response> {
        let score = match outcome.winner {
            Some(_) => search::Score::loss_in(0),
            None => search::Score::DRAW,
        };
        let score = Info { depth: Some(0), score: Some(self.score(score)), ..Info::default() };
        let score = (self.0 == Flavor::Uci).then_some(Response::Info(score));
        score.into_iter().chain([Response::BestMove(None)]).collect()
    }

    /// Converts a score: UGI counts plies up to a mate, UCI the winner's moves.
    fn score(self, score: search::Score) -> Score {
        match (score.mate(), self.0) {
            (None, _) => Score::Centipawns(score.value()),
            (Some(plies), Flavor::Ugi) => Score::Mate(plies),
            (Some(plies), Flavor::Uci) => {
                Score::Mate(if plies > 0 { (plies + 1) / 2 } else { plies / 2 })
            }
        }
    }

    /// Parses a score. The winner makes the last move.
    fn parse_score(self, score: Score) -> search::Score {
        let plies = |count: i32| match self.0 {
            Flavor::Ugi => count.unsigned_abs(),
            Flavor::Uci if count > 0 => (count.unsigned_abs()).saturating_mul(2) - 1,
            Flavor::Uci => count.unsigned_abs().saturating_mul(2),
        };
        match score {
            Score::Centipawns(points) => search::Score::points(points),
            Score::Mate(count) if count > 0 => search::Score::win_in(plies(count)),
            Score::Mate(count) => search::Score::loss_in(plies(count)),
        }
    }
}

fn accumulate(report: Option<Report>, info: &Info, accumulator: &mut InfoAccumulator) {
    match report {
        Some(report) => accumulator.add(report),
        None if info.multipv.is_some_and(|rank| rank > 1) => {}
        None => {
            let time = Duration::from_millis(info.time_ms.unwrap_or(0));
            accumulator.add_counters(info.nodes.unwrap_or(0), time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_protocol::Dialect;

    const UGI: Codec = Codec(Flavor::Ugi);
    const UCI: Codec = Codec(Flavor::Uci);

    #[test]
    fn two_names_mean_other_games_in_uci() {
        for (name, in_uci, in_ugi) in [
            ("gomoku", "gomoku-standard", "gomoku"),
            ("GomokuFreestyle", "gomoku", "gomoku"),
            ("pente", "pente", "pente"),
            ("gomoku+size=9", "gomoku+size=9", "gomoku+size=9"),
        ] {
            assert_eq!(UCI.rules(name).unwrap().to_string(), in_uci);
            if let Ok(rules) = UGI.rules(name) {
                assert_eq!(rules.to_string(), in_ugi);
            }
        }
        for codec in [UGI, UCI] {
            let listed = codec.variants(&"pente".parse().unwrap());
            let OptionKind::Combo { choices, .. } = listed else { panic!("{listed:?}") };
            for name in choices {
                assert_eq!(codec.variant(&codec.rules(&name).unwrap()), name);
            }
        }
    }

    #[test]
    fn stones_of_gomoku_are_dropped() {
        let gomoku = Game::new(UCI.rules("gomoku").unwrap());
        let center = gomoku.parse_move("h8").unwrap();
        assert_eq!(UCI.parse_move(&gomoku, "P@h8"), Ok(center));
        assert_eq!(UCI.parse_move(&gomoku, "h8"), Ok(center));
        assert_eq!(UCI.move_text(&gomoku, center), "P@h8");
        assert_eq!(UCI.move_texts(&gomoku, &[center]), ["P@h8"]);
        let pente = Game::new(UCI.rules("pente").unwrap());
        assert_eq!(UCI.canonical(&pente, "P@h8"), "P@h8");
        assert_eq!(UGI.canonical(&gomoku, "P@h8"), "P@h8");
    }

    #[test]
    fn moves_are_read_as_they_are_written() {
        for name in ["gomoku", "plus-minus-pente", "neutral-pente", "d-pente", "pentalath"] {
            for codec in [UGI, UCI] {
                let game = Game::new(codec.rules(name).unwrap());
                for &mv in &game.legal_moves() {
                    let text = codec.move_text(&game, mv);
                    assert_eq!(codec.parse_move(&game, &text), Ok(mv), "{name} {text}");
                }
            }
        }
    }

    #[test]
    fn a_game_goes_by_the_word_that_an_engine_declares() {
        let choices = ["pente", "pro-pente+keryo", "gomoku"].map(str::to_owned).to_vec();
        let kind = OptionKind::Combo { default: String::new(), choices };
        let option = OptionDecl { name: VARIANT.to_owned(), kind };
        for (flavor, rules, word) in [
            (Flavor::Ugi, "keryo-pente+pro", Some("pro-pente+keryo")),
            (Flavor::Ugi, "pente", Some("pente")),
            (Flavor::Ugi, "gomoku", Some("gomoku")),
            (Flavor::Uci, "gomoku-standard", Some("gomoku")),
            (Flavor::Uci, "gomoku", None),
            (Flavor::Ugi, "pente+size=13", None),
        ] {
            let rules: Ruleset = rules.parse().unwrap();
            assert_eq!(Codec(flavor).declared(&rules, &option), word, "{rules}");
        }
    }

    #[test]
    fn hands_in_brackets() {
        let uci = Codec(Flavor::Uci);
        let gomoku = Game::new(uci.rules("gomokufreestyle").unwrap());
        let read =
            |text: &str| uci.game(&gomoku, &StartPosition::Fen(text.to_owned()), &[]).unwrap();
        let start = format!("{}15[PPpp] w - - 0 1", "15/".repeat(14));
        assert_eq!(read(&start).text(), gomoku.text());
        let one = format!("{}7P7[PPpp] b - - 0 1", "15/".repeat(14));
        assert_eq!((read(&one).stone(7, 0).is_some(), read(&one).ply()), (true, 1));
        assert_eq!(read(&gomoku.text()).text(), gomoku.text());
    }

    #[test]
    fn positions_are_read_as_they_are_written() {
        for (flavor, name) in [(Flavor::Ugi, "d-pente"), (Flavor::Uci, "gomoku")] {
            let codec = Codec(flavor);
            let start = Game::new(codec.rules(name).unwrap());
            let mut game = start.clone();
            for text in ["h8", "i8", "h9"] {
                game.play(text).unwrap();
            }
            let Command::Position { start: from, moves } =
                codec.position(&game, Some(&start.text()), &game.moves())
            else {
                panic!("not a position");
            };
            assert_eq!(codec.game(&start, &from, &moves).unwrap().text(), game.text());
        }
    }

    #[test]
    fn moves_are_played_all_or_none() {
        let ugi = Codec(Flavor::Ugi);
        let mut game = Game::new("gomoku".parse().unwrap());
        let error = ugi.play(&mut game, &["h8".to_owned(), "h8".to_owned()]).unwrap_err();
        assert_eq!((error.to_string().split(':').next(), game.ply()), (Some("move 2"), 0));
    }

    #[test]
    fn limits_are_read_as_they_are_written() {
        let mut game = Game::new("gomoku".parse().unwrap());
        game.play("h8").unwrap();
        let clock = |left, increment, moves_to_go| {
            let (left, increment) = (Duration::from_millis(left), Duration::from_millis(increment));
            Some(Clock { left, increment, moves_to_go })
        };
        let search_moves = game.legal_moves()[..2].to_vec();
        for limits in [
            Limits::depth(7),
            Limits::nodes(u64::MAX),
            Limits::move_time(Duration::from_millis(1500)),
            Limits { mate: Some(5), ..Limits::default() },
            Limits { infinite: true, ..Limits::default() },
            Limits { search_moves, ..Limits::depth(1) },
            Limits { clock: clock(60_000, 0, None), ..Limits::default() },
            Limits { clock: clock(500, 20, Some(40)), ..Limits::nodes(9) },
        ] {
            for flavor in [Flavor::Ugi, Flavor::Uci] {
                let clocks = [clock(1, 2, None), limits.clock];
                let go = Codec(flavor).go(&game, &limits, &clocks);
                assert_eq!(Codec(flavor).limits(&game, &go), Ok(limits.clone()), "{go}");
            }
        }
    }

    #[test]
    fn clocks_of_the_specification() {
        let game = Game::new("gomoku".parse().unwrap());
        for (flavor, dialect) in [(Flavor::Ugi, Dialect::Ugi), (Flavor::Uci, Dialect::Uci)] {
            crate::clock_table::check(dialect, |lines| {
                let [line] = lines else { panic!("{lines:?}") };
                let Ok(Command::Go(go)) = flavor.command(line) else { panic!("{line}") };
                Codec(flavor).limits(&game, &go).unwrap()
            });
        }
    }

    #[test]
    fn mate_limits_in_moves() {
        let uci = Codec(Flavor::Uci);
        for (plies, moves) in [(1, 1), (3, 2), (5, 3)] {
            assert_eq!((uci.mate_plies(moves), uci.mate_count(plies)), (plies, moves));
        }
        assert_eq!((uci.mate_plies(0), uci.mate_count(0)), (0, 0));
    }

    #[test]
    fn mate_scores_in_moves() {
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
