//! Text reports: a line for each game, the moves, the summary of a match and the standings of a
//! tournament.

use crate::error::sanitize;
use crate::ratings::Ratings;
use crate::run::{FinishedGame, RunResult};
use crate::schedule::{Entrant, TournamentFormat};
use crate::sprt::{Hypothesis, SprtState};
use crate::standings::{EnginePoints, PointsTable, RankedEngine, TournamentResults};
use crate::statistics::{EloEstimate, HeadToHead, WinDrawLoss};
use pentarch_records::{GameRecord, GameResult};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The summary of a match. Its last line contains all that a commit message needs.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSummary {
    pub names: Vec<String>,
    /// The game, the time controls and the openings in a few words.
    pub conditions: String,
    /// The results of the two engines against each other.
    pub head_to_head: HeadToHead,
    /// The points of each engine.
    pub points: PointsTable,
    /// The number of games that the machine spoiled, which do not count.
    pub spoiled: u32,
    /// The state of the sequential test, if there is one.
    pub sprt: Option<SprtState>,
}

/// The line about a finished game, with the score so far.
#[derive(Clone, Copy, Debug)]
pub struct GameResultLine<'a>(pub &'a FinishedGame<'a>);

/// The moves of a game, two a number, wrapped to lines.
#[derive(Clone, Copy, Debug)]
pub struct MoveText<'a>(pub &'a GameRecord);

impl fmt::Display for GameResultLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FinishedGame { games, record, results, sprt } = self.0;
        let (head_to_head, points) = (results.first_pair(), &results.points);
        let many = results.names.len() > 2 && results.format != TournamentFormat::Pair;
        let rules = if many { format!(", {}", record.rules) } else { String::new() };
        let players = record.players.join(" v ");
        write!(f, "game {} of {games}{rules}: {players}: ", record.game)?;
        match record.result {
            GameResult::Win(side) => {
                let winner = record.players.get(side.index()).map_or("?", String::as_str);
                write!(f, "{winner} wins, ")?;
            }
            GameResult::Draw if record.is_spoiled() => f.write_str("not counted, ")?,
            GameResult::Draw => match record.player_at_fault() {
                Some(name) => write!(f, "{name} loses, ")?,
                None => f.write_str("draw, ")?,
            },
        }
        f.write_str(record.detail.as_ref().unwrap_or(&record.reason))?;
        let WinDrawLoss { wins, draws, losses } = head_to_head.total();
        let plies = record.moves.len();
        if many {
            return write!(f, ", {plies} plies");
        }
        if head_to_head.total().games() == 0 {
            return write!(f, ", {plies} plies; points {points}");
        }
        write!(f, ", {plies} plies; score {wins}-{losses}-{draws}")?;
        sprt.map_or(Ok(()), |sprt| write!(f, ", {sprt}"))
    }
}

/// The maximum width of lines of moves.
const WIDTH: usize = 96;

impl fmt::Display for MoveText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = &self.0.initial_position {
            writeln!(f, "    from {position}")?;
        }
        let pairs = self.0.moves.chunks(2).zip(1..);
        let words = pairs.map(|(pair, number)| format!("{number}. {}", pair.join(" ")));
        let mut line = String::from("   ");
        for word in words {
            if line.len() + 1 + word.len() > WIDTH {
                writeln!(f, "{line}")?;
                line = String::from("   ");
            }
            line.push(' ');
            line += &word;
        }
        f.write_str(&line)
    }
}

impl fmt::Display for MatchSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head_to_head = &self.head_to_head;
        if self.spoiled > 0 {
            let games = plural(self.spoiled, "game");
            writeln!(f, "not counted: {games} that the machine spoiled")?;
        }
        let total = head_to_head.total();
        let (Some(estimate), [first, second]) =
            (head_to_head.elo_estimate(), self.names.as_slice())
        else {
            return self.table_of_points(f);
        };
        let games = plural(total.games(), "game");
        writeln!(f, "{first} against {second}: {games}, {}", scored(total))?;
        let pairs = head_to_head.pairs();
        let sample = match (estimate.from_pairs, pairs.iter().sum()) {
            (true, pairs) => plural(pairs, "pair"),
            (false, _) => games,
        };
        let (elo, error) = (signed(estimate.elo), number(estimate.error));
        let superiority = estimate.los * 100.0;
        writeln!(f, "Elo difference: {elo} +/- {error} (95 %, {sample}), LOS {superiority:.1} %")?;
        let (elo, error) = (signed(estimate.normalized_elo), number(estimate.normalized_elo_error));
        writeln!(f, "normalized Elo: {elo} +/- {error}")?;
        for (tally, seat) in head_to_head.by_seat().into_iter().zip(["first", "second"]) {
            if tally.games() > 0 {
                writeln!(f, "{first} as {seat} player: {}", counts(tally))?;
            }
        }
        writeln!(f, "first player, whoever it was: {}", scored(head_to_head.first_player()))?;
        if pairs.iter().sum::<u32>() > 0 {
            let pairs = pairs.map(|count| count.to_string()).join(" ");
            writeln!(f, "pairs with 0, 1/2, 1, 1 1/2, 2 points: {pairs}")?;
        }
        if let Some(sprt) = &self.sprt {
            let pairs = plural(sprt.pairs(), "pair");
            writeln!(f, "SPRT {}: {sprt}, {} after {pairs}", sprt.test(), conclusion(sprt))?;
        }
        write!(f, "ends:")?;
        for (index, (word, [won, lost, drawn])) in head_to_head.endings().iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma} {word} {won}-{lost}-{drawn}")?;
        }
        write!(f, "\nin short: {}", self.in_short(estimate))
    }
}

impl MatchSummary {
    pub fn new(conditions: String, ended: &RunResult) -> MatchSummary {
        let results = &ended.results;
        MatchSummary {
            names: results.names.clone(),
            conditions,
            head_to_head: results.first_pair(),
            points: results.points.clone(),
            spoiled: results.spoiled,
            sprt: ended.sprt,
        }
    }

    /// The lines of the engines, in games of more than two sides or engines.
    fn table_of_points(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.points.games() == 0 {
            return write!(f, "no games between {}", self.names.join(" and "));
        }
        let games = plural(self.points.games(), "game");
        write!(f, "{games}; points, and seats won, drawn and lost:")?;
        for (name, row) in self.names.iter().zip(self.points.rows()) {
            let EnginePoints { seats, wins, draws, losses, points } = row;
            write!(f, "\n{name}: {points:.2} of {seats} seats, +{wins} ={draws} -{losses}")?;
        }
        write!(f, "\nin short: {}, {games}: {}", self.conditions, self.points)
    }

    /// The last line, such as `pente, movetime 0.05, 4 random plies, 20 games: +12 =1 -7 (62.5 %,
    /// Elo +88.7 +/- 97.1), LLR 0.71 (-2.94, 2.94) undecided`.
    fn in_short(&self, estimate: EloEstimate) -> String {
        let total = self.head_to_head.total();
        let WinDrawLoss { wins, draws, losses } = total;
        let sprt = match &self.sprt {
            Some(sprt) => format!(", {sprt} {}", conclusion(sprt)),
            None => String::new(),
        };
        format!(
            "{}, {}: +{wins} ={draws} -{losses} ({}, Elo {} +/- {}){sprt}",
            self.conditions,
            plural(total.games(), "game"),
            percent(total),
            signed(estimate.elo),
            number(estimate.error),
        )
    }
}

fn counts(tally: WinDrawLoss) -> String {
    let WinDrawLoss { wins, draws, losses } = tally;
    format!("{}, {}, {}", plural(wins, "win"), plural(losses, "loss"), plural(draws, "draw"))
}

/// The counts and the score in percent.
fn scored(tally: WinDrawLoss) -> String {
    format!("{}, {}", counts(tally), percent(tally))
}

/// The score in percent; a half without games.
fn percent(tally: WinDrawLoss) -> String {
    format!("{:.1} %", tally.score().unwrap_or(0.5) * 100.0)
}

/// The conclusion of a test.
fn conclusion(sprt: &SprtState) -> &'static str {
    match sprt.accepted() {
        Some(Hypothesis::H0) => "H0 accepted",
        Some(Hypothesis::H1) => "H1 accepted",
        None => "undecided",
    }
}

fn plural(count: u32, noun: &str) -> String {
    match (count, noun) {
        (1, noun) => format!("1 {noun}"),
        (count, "loss") => format!("{count} losses"),
        (count, noun) => format!("{count} {noun}s"),
    }
}

/// A number with one decimal and its sign.
fn signed(value: f64) -> String {
    let text = number(value);
    if value > 0.0 { format!("+{text}") } else { text }
}

/// A number with one decimal, or `inf`.
fn number(value: f64) -> String {
    if value.is_infinite() {
        if value > 0.0 { "inf" } else { "-inf" }.to_owned()
    } else {
        format!("{:.1}", value + 0.0) // no minus before a zero
    }
}

/// The standings of a tournament with ratings, as text and as JSON.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StandingsTable {
    /// The version of the JSON format.
    pub schema: u32,
    pub format: String,
    /// The number of finished games.
    pub games: u32,
    /// The number of further games that the machine spoiled, which do not count.
    pub spoiled: u32,
    /// The number of games of the whole tournament, if known.
    pub planned: Option<u32>,
    /// Whether all games are finished.
    pub complete: bool,
    /// The model of the ratings.
    pub rating_model: Option<&'static str>,
    /// Whether the games alone determine the ratings.
    pub ratings_connected: bool,
    /// The engines, the best first.
    pub engines: Vec<StandingsRow>,
    /// The results of each two engines with a side each.
    pub head_to_head: Vec<HeadToHeadRow>,
    /// The games of two sides from the view of the first player.
    pub first_player: WinDrawLoss,
    /// The number of games by reason of their end.
    pub endings: BTreeMap<String, u32>,
    /// The mean, the least and the greatest number of moves of a game.
    pub plies: Option<[f64; 3]>,
    /// The state of the sequential test.
    pub sprt: Option<SprtRow>,
}

/// An engine in the standings.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StandingsRow {
    /// Its rank, from 1.
    pub rank: usize,
    /// Its number in the tournament, from 1.
    pub number: usize,
    pub name: String,
    pub points: f64,
    /// The number of seats taken.
    pub seats: u32,
    /// The results of these seats.
    #[serde(flatten)]
    pub counts: WinDrawLoss,
    /// The number of byes.
    pub rests: u32,
    /// Its rating; 0 is the mean of all engines.
    pub elo: Option<f64>,
    /// Half the width of the rating's 95 % confidence interval.
    pub elo_error: Option<f64>,
    /// The sum of the opponents' points.
    pub buchholz: f64,
    /// The sum of the opponents' points, weighted by the share taken from each.
    pub sonneborn_berger: f64,
    /// The mean time of a move, in milliseconds.
    pub time_a_move: Option<f64>,
    pub nodes_a_second: Option<f64>,
    pub depth: Option<f64>,
    /// The number of losses by reason.
    pub losses_by: BTreeMap<String, u32>,
}

/// The results of two engines against each other. In JSON, what is infinite is `null`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HeadToHeadRow {
    /// The numbers of the engines in the tournament, from 1; all numbers are from the view of the
    /// first.
    pub engines: [usize; 2],
    #[serde(flatten)]
    pub counts: WinDrawLoss,
    /// The numbers of pairs of games that gave the first engine 0, 1/2, 1, 1 1/2 and 2 points.
    pub pairs: [u32; 5],
    /// The Elo difference.
    pub elo: f64,
    /// Half the width of its 95 % confidence interval.
    pub elo_error: f64,
    pub normalized_elo: f64,
    pub normalized_elo_error: f64,
    /// The likelihood of superiority, from 0 to 1.
    pub los: f64,
    /// Whether the differences are based on pairs; otherwise no pair is complete.
    pub from_pairs: bool,
}

/// The state of a sequential test.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SprtRow {
    /// The parameters of the test.
    pub test: String,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The values at which a hypothesis is accepted.
    pub bounds: [f64; 2],
    /// The number of pairs considered.
    pub pairs: u32,
    /// `H0` or `H1`; `None` while undecided.
    pub accepted: Option<&'static str>,
}

impl StandingsTable {
    /// The standings; `planned` is the number of games of the whole tournament.
    pub fn new(
        results: &TournamentResults,
        planned: Option<u32>,
        sprt: Option<&SprtState>,
    ) -> StandingsTable {
        let ratings = Ratings::of(results);
        let rows = results.ranking();
        let row =
            |(row, rank): (&RankedEngine, usize)| engine_row(results, ratings.as_ref(), row, rank);
        StandingsTable {
            schema: 1,
            format: results.format.to_string(),
            games: results.games(),
            spoiled: results.spoiled,
            planned,
            complete: planned == Some(results.games() + results.spoiled),
            rating_model: ratings.as_ref().map(|ratings| ratings.model),
            ratings_connected: ratings.as_ref().is_some_and(Ratings::is_connected),
            engines: rows.iter().zip(1..).map(row).collect(),
            head_to_head: results.head_to_head.iter().filter_map(head_to_head_row).collect(),
            first_player: results.first_player,
            endings: results.endings.clone(),
            plies: results.lengths.map(|lengths| {
                let mean = lengths.total as f64 / f64::from(lengths.games.max(1));
                [mean, f64::from(lengths.shortest), f64::from(lengths.longest)]
            }),
            sprt: sprt.map(SprtRow::new),
        }
    }
}

fn head_to_head_row(
    (&(first, second), results): (&(Entrant, Entrant), &HeadToHead),
) -> Option<HeadToHeadRow> {
    let estimate = results.elo_estimate()?;
    Some(HeadToHeadRow {
        engines: [first.index() + 1, second.index() + 1],
        counts: results.total(),
        pairs: results.pairs(),
        elo: estimate.elo + 0.0,
        elo_error: estimate.error,
        normalized_elo: estimate.normalized_elo,
        normalized_elo_error: estimate.normalized_elo_error,
        los: estimate.los,
        from_pairs: estimate.from_pairs,
    })
}

fn engine_row(
    results: &TournamentResults,
    ratings: Option<&Ratings>,
    row: &RankedEngine,
    rank: usize,
) -> StandingsRow {
    let index = row.entrant.index();
    let rating = ratings.and_then(|ratings| ratings.rows.get(index));
    let rating = rating.filter(|rating| rating.games > 0);
    let effort = results.efforts.get(index).copied().unwrap_or_default();
    let losses = results.losses.iter().filter(|((entrant, _), _)| *entrant == row.entrant);
    StandingsRow {
        rank,
        number: index + 1,
        name: results.name(row.entrant).to_owned(),
        points: row.points,
        seats: row.game_points.seats,
        counts: WinDrawLoss {
            wins: row.game_points.wins,
            draws: row.game_points.draws,
            losses: row.game_points.losses,
        },
        rests: row.rests,
        elo: rating.map(|rating| rating.elo),
        elo_error: rating.map(|rating| rating.error),
        buchholz: row.buchholz,
        sonneborn_berger: row.sonneborn_berger,
        time_a_move: effort.time_a_move(),
        nodes_a_second: effort.nodes_a_second(),
        depth: effort.depth(),
        losses_by: losses.map(|((_, reason), count)| (reason.clone(), *count)).collect(),
    }
}

impl SprtRow {
    fn new(sprt: &SprtState) -> SprtRow {
        let (lower, upper) = sprt.test().bounds();
        SprtRow {
            test: sprt.test().to_string(),
            llr: sprt.llr(),
            bounds: [lower, upper],
            pairs: sprt.pairs(),
            accepted: sprt.accepted().map(|hypothesis| match hypothesis {
                Hypothesis::H0 => "H0",
                Hypothesis::H1 => "H1",
            }),
        }
    }
}

/// The maximum width of a name in a line.
const NAME: usize = 28;

impl fmt::Display for StandingsTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = self.planned.map_or(String::new(), |planned| format!(" of {planned}"));
        writeln!(f, "{}{of} games, {}", self.games, self.format)?;
        let names = self.engines.iter().map(|row| sanitize(&row.name, NAME).chars().count());
        let width = names.max().unwrap_or(0).max("engine".len());
        let swiss = self.format == TournamentFormat::Swiss.to_string();
        let rests = self.engines.iter().any(|row| row.rests > 0);
        // With short names the table fits into 80 columns.
        let mut head = format!("  # {:width$} points games    +    =    -    Elo  +/-", "engine");
        if rests {
            head += " rests";
        }
        if swiss {
            head += " Buchholz";
        }
        head += "    S-B ms/move nodes/s depth";
        writeln!(f, "{head}")?;
        for row in &self.engines {
            let number = |value: Option<f64>, decimals: usize| {
                value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
            };
            let mut line = String::new();
            write!(
                line,
                "{:3} {:width$} {:6.1} {:5} {:4} {:4} {:4} {:>6} {:>4}",
                row.rank,
                sanitize(&row.name, NAME),
                row.points,
                row.seats,
                row.counts.wins,
                row.counts.draws,
                row.counts.losses,
                number(row.elo.map(|elo| elo + 0.0), 0),
                number(row.elo_error, 0),
            )?;
            if rests {
                write!(line, " {:5}", row.rests)?;
            }
            if swiss {
                write!(line, " {:8.1}", row.buchholz)?;
            }
            write!(
                line,
                " {:6.1} {:>7} {:>7} {:>5}",
                row.sonneborn_berger,
                number(row.time_a_move, 1),
                row.nodes_a_second.map_or("-".to_owned(), thousands),
                number(row.depth, 1)
            )?;
            writeln!(f, "{}", line.trim_end())?;
        }
        self.below(f)
    }
}

impl StandingsTable {
    /// The notes below the rows.
    fn below(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(model), false) = (self.rating_model, self.ratings_connected) {
            writeln!(
                f,
                "ratings ({model}): the games alone do not determine them, because not everybody lost and \
                 won points, directly or along others; a drawn game against the mean was added for each"
            )?;
        } else if let Some(model) = self.rating_model {
            let is_difference = model == Ratings::DIFFERENCE;
            let method = if is_difference { "half for each" } else { "maximum likelihood" };
            writeln!(f, "ratings: {model}, {method}, 95 % error, 0 is the mean")?;
        }
        if let ([row], 2) = (self.head_to_head.as_slice(), self.engines.len()) {
            let name = |number| self.engines.iter().find(|row| row.number == number);
            let [first, second] =
                row.engines.map(|number| name(number).map_or("?", |row| row.name.as_str()));
            let (first, second) = (sanitize(first, NAME), sanitize(second, NAME));
            writeln!(f, "{first} against {second}: {}", row.difference())?;
        }
        let WinDrawLoss { wins, draws, losses } = self.first_player;
        let total = wins + draws + losses;
        if total > 0 {
            let share = (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(total) * 100.0;
            writeln!(f, "first player: +{wins} ={draws} -{losses} ({share:.1} %)")?;
        }
        if let Some([mean, least, most]) = self.plies {
            writeln!(f, "moves a game: {mean:.1}, from {least} to {most}")?;
        }
        if self.spoiled > 0 {
            writeln!(f, "not counted: {} that the machine spoiled", plural(self.spoiled, "game"))?;
        }
        let ends: Vec<String> =
            self.endings.iter().map(|(word, count)| format!("{word} {count}")).collect();
        write!(f, "ends: {}", if ends.is_empty() { "none".to_owned() } else { ends.join(", ") })?;
        if let Some(sprt) = &self.sprt {
            let [lower, upper] = sprt.bounds;
            let accepted =
                sprt.accepted.map_or("undecided".to_owned(), |h| format!("{h} accepted"));
            let SprtRow { test, llr, pairs, .. } = sprt;
            write!(
                f,
                "\nSPRT {test}: LLR {llr:.2} ({lower:.2}, {upper:.2}), {accepted} after {pairs} pairs"
            )?;
        }
        Ok(())
    }
}

impl HeadToHeadRow {
    /// The differences in words.
    pub(crate) fn difference(&self) -> String {
        let sample = if self.from_pairs {
            format!("pairs {}", self.pairs.map(|count| count.to_string()).join(" "))
        } else {
            plural(self.counts.games(), "game")
        };
        let (elo, error) = (signed(self.elo), number(self.elo_error));
        let (nelo, nelo_error) = (signed(self.normalized_elo), number(self.normalized_elo_error));
        let los = self.los * 100.0;
        format!(
            "Elo {elo} +/- {error}, normalized {nelo} +/- {nelo_error}, LOS {los:.1} % ({sample})"
        )
    }
}

/// A number of nodes in short form: `950`, `12k`, `3.4M`.
fn thousands(value: f64) -> String {
    match value {
        value if value < 1e4 => format!("{value:.0}"),
        value if value < 1e6 => format!("{:.0}k", value / 1e3),
        value => format!("{:.1}M", value / 1e6),
    }
}

/// The cross table: the points of the row's engine against the column's, in the order of the
/// ranking.
#[derive(Clone, Debug)]
pub struct CrossTable<'a>(pub &'a TournamentResults);

impl CrossTable<'_> {
    /// Points and games of one engine against another.
    pub fn cell(&self, row: Entrant, column: Entrant) -> Option<(f64, u32)> {
        let duel = self.0.head_to_head.get(&(row.min(column), row.max(column)))?;
        let total = duel.total();
        let points = f64::from(total.wins) + f64::from(total.draws) / 2.0;
        let games = total.games();
        Some((if row < column { points } else { f64::from(games) - points }, games))
    }
}

impl fmt::Display for CrossTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order: Vec<Entrant> = self.0.ranking().iter().map(|row| row.entrant).collect();
        let names =
            order.iter().map(|&entrant| sanitize(self.0.name(entrant), NAME).chars().count());
        let width = names.max().unwrap_or(0);
        write!(f, "{:width$}      ", "")?;
        (1..=order.len()).try_for_each(|rank| write!(f, " {rank:>9}"))?;
        for (&row, rank) in order.iter().zip(1..) {
            write!(f, "\n{rank:3}  {:width$} ", sanitize(self.0.name(row), NAME))?;
            for &column in &order {
                let text = match self.cell(row, column) {
                    _ if row == column => "*".to_owned(),
                    Some((points, games)) => format!("{points}/{games}"),
                    None => String::new(),
                };
                write!(f, " {text:>9}")?;
            }
        }
        Ok(())
    }
}
