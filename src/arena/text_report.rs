//! A match in words: a line a game, the moves, and the final table.

use crate::error::plain;
use crate::ratings::Ratings;
use crate::run::{Ended, Progress};
use crate::schedule::{Entrant, Format};
use crate::sprt::{Hypothesis, Trial};
use crate::standings::{PointsRow, PointsTable, Row, Standing};
use crate::statistics::{Standings, Strength, Tally};
use pentarch_records::{GameRecord, GameResult};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The final table of a match. Its last line has all that a commit message needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The names of the engines.
    pub names: Vec<String>,
    /// What was played and how, in a few words.
    pub conditions: String,
    /// Their results.
    pub standings: Standings,
    /// The points of each engine.
    pub points: PointsTable,
    /// The test, if there was one.
    pub trial: Option<Trial>,
}

/// A finished game in a line, with the score so far.
#[derive(Clone, Copy, Debug)]
pub struct GameLine<'a>(pub &'a Progress<'a>);

/// The moves of a game, two a number, over as many lines as they need.
#[derive(Clone, Copy, Debug)]
pub struct MoveList<'a>(pub &'a GameRecord);

impl fmt::Display for GameLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { games, record, standing, trial } = self.0;
        let (standings, points) = (standing.duel(), &standing.points);
        let many = standing.names.len() > 2 && standing.format != Format::Pair;
        let rules = if many { format!(", {}", record.rules) } else { String::new() };
        let players = record.players.join(" v ");
        write!(f, "game {} of {games}{rules}: {players}: ", record.game)?;
        match record.result {
            GameResult::Win(side) => {
                let winner = record.players.get(side.index()).map_or("?", String::as_str);
                write!(f, "{winner} wins, ")?;
            }
            GameResult::Draw => match record.player_at_fault() {
                Some(name) => write!(f, "{name} loses, ")?,
                None => f.write_str("draw, ")?,
            },
        }
        f.write_str(record.detail.as_ref().unwrap_or(&record.reason))?;
        let Tally { wins, draws, losses } = standings.total();
        let plies = record.moves.len();
        if many {
            return write!(f, ", {plies} plies");
        }
        if standings.total().games() == 0 {
            return write!(f, ", {plies} plies; points {points}");
        }
        write!(f, ", {plies} plies; score {wins}-{losses}-{draws}")?;
        trial.map_or(Ok(()), |trial| write!(f, ", {trial}"))
    }
}

/// The width that lines of moves keep to.
const WIDTH: usize = 96;

impl fmt::Display for MoveList<'_> {
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

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let standings = &self.standings;
        let total = standings.total();
        let (Some(strength), [first, second]) = (standings.strength(), self.names.as_slice())
        else {
            return self.table_of_points(f);
        };
        let games = plural(total.games(), "game");
        writeln!(f, "{first} against {second}: {games}, {}", scored(total))?;
        let pairs = standings.pairs();
        let sample = match (strength.from_pairs, pairs.iter().sum()) {
            (true, pairs) => plural(pairs, "pair"),
            (false, _) => games,
        };
        let (elo, error) = (signed(strength.elo), number(strength.error));
        let superiority = strength.superiority * 100.0;
        writeln!(f, "Elo difference: {elo} +/- {error} (95 %, {sample}), LOS {superiority:.1} %")?;
        let (elo, error) = (signed(strength.normalized), number(strength.normalized_error));
        writeln!(f, "normalized Elo: {elo} +/- {error}")?;
        for (tally, seat) in standings.by_seat().into_iter().zip(["first", "second"]) {
            if tally.games() > 0 {
                writeln!(f, "{first} as {seat} player: {}", counts(tally))?;
            }
        }
        writeln!(f, "first player, whoever it was: {}", scored(standings.first_player()))?;
        if pairs.iter().sum::<u32>() > 0 {
            let pairs = pairs.map(|count| count.to_string()).join(" ");
            writeln!(f, "pairs with 0, 1/2, 1, 1 1/2, 2 points: {pairs}")?;
        }
        if let Some(trial) = &self.trial {
            let pairs = plural(trial.pairs(), "pair");
            writeln!(f, "SPRT {}: {trial}, {} after {pairs}", trial.test(), conclusion(trial))?;
        }
        write!(f, "ends:")?;
        for (index, (word, [won, lost, drawn])) in standings.endings().iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma} {word} {won}-{lost}-{drawn}")?;
        }
        write!(f, "\nin short: {}", self.in_short(strength))
    }
}

impl Summary {
    /// What there is to say after a match.
    pub fn new(conditions: String, ended: &Ended) -> Summary {
        let standing = &ended.standing;
        Summary {
            names: standing.names.clone(),
            conditions,
            standings: standing.duel(),
            points: standing.points.clone(),
            trial: ended.trial,
        }
    }

    /// A line an engine, for games of more than two sides or engines.
    fn table_of_points(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.points.games() == 0 {
            return write!(f, "no games between {}", self.names.join(" and "));
        }
        let games = plural(self.points.games(), "game");
        write!(f, "{games}; points, and seats won, drawn and lost:")?;
        for (name, row) in self.names.iter().zip(self.points.rows()) {
            let PointsRow { seats, wins, draws, losses, points } = row;
            write!(f, "\n{name}: {points:.2} of {seats} seats, +{wins} ={draws} -{losses}")?;
        }
        write!(f, "\nin short: {}, {games}: {}", self.conditions, self.points)
    }

    /// Such as `pente, movetime 0.05, 4 random plies, 20 games: +12 =1 -7 (62.5 %, Elo +88.7 +/-
    /// 97.1), LLR 0.71 (-2.94, 2.94) undecided`.
    fn in_short(&self, strength: Strength) -> String {
        let total = self.standings.total();
        let Tally { wins, draws, losses } = total;
        let trial = match &self.trial {
            Some(trial) => format!(", {trial} {}", conclusion(trial)),
            None => String::new(),
        };
        format!(
            "{}, {}: +{wins} ={draws} -{losses} ({}, Elo {} +/- {}){trial}",
            self.conditions,
            plural(total.games(), "game"),
            percent(total),
            signed(strength.elo),
            number(strength.error),
        )
    }
}

fn counts(tally: Tally) -> String {
    let Tally { wins, draws, losses } = tally;
    format!("{}, {}, {}", plural(wins, "win"), plural(losses, "loss"), plural(draws, "draw"))
}

/// The counts and the score in percent.
fn scored(tally: Tally) -> String {
    format!("{}, {}", counts(tally), percent(tally))
}

/// The score, a half before any game.
fn percent(tally: Tally) -> String {
    format!("{:.1} %", tally.score().unwrap_or(0.5) * 100.0)
}

/// What a test has come to.
fn conclusion(trial: &Trial) -> &'static str {
    match trial.accepted() {
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

/// A number with a decimal and its sign.
fn signed(value: f64) -> String {
    let text = number(value);
    if value > 0.0 { format!("+{text}") } else { text }
}

/// A number with a decimal, or a word for infinity.
fn number(value: f64) -> String {
    if value.is_infinite() {
        if value > 0.0 { "inf" } else { "-inf" }.to_owned()
    } else {
        format!("{:.1}", value + 0.0) // no minus before a zero
    }
}

/// A standing with its ratings, worked out once.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// The number of what is here.
    pub schema: u32,
    /// How the engines are brought together.
    pub format: String,
    /// Finished games.
    pub games: u32,
    /// Games of the whole tournament, if that is known.
    pub planned: Option<u32>,
    /// Whether all of them are finished.
    pub complete: bool,
    /// The model of the ratings.
    pub rating_model: Option<&'static str>,
    /// Whether the games alone determine the ratings.
    pub ratings_connected: bool,
    /// The engines, the best first.
    pub engines: Vec<EngineRow>,
    /// Games of two sides that the first player won, drew and lost.
    pub first_player: Counts,
    /// How games ended, and how often.
    pub endings: BTreeMap<String, u32>,
    /// The mean number of moves of a game, the least and the most.
    pub plies: Option<[f64; 3]>,
    /// The sequential test.
    pub sprt: Option<TrialRow>,
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Counts {
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
}

/// An engine in the table.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EngineRow {
    /// Its place, from 1.
    pub rank: usize,
    /// Its number in the tournament, from 1.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: f64,
    /// Seats that it has taken.
    pub seats: u32,
    /// How they ended.
    #[serde(flatten)]
    pub counts: Counts,
    /// Rounds in which it rested.
    pub rests: u32,
    /// Its rating, where 0 is the mean.
    pub elo: Option<f64>,
    /// Half the width of the rating's interval of 95 %.
    pub elo_error: Option<f64>,
    /// The points of its opponents.
    pub buchholz: f64,
    /// The same, weighed by what it took from them.
    pub sonneborn_berger: f64,
    /// The mean milliseconds of a move.
    pub time_a_move: Option<f64>,
    /// Nodes a second.
    pub nodes_a_second: Option<f64>,
    /// The mean depth.
    pub depth: Option<f64>,
    /// How often it lost in which way.
    pub losses_by: BTreeMap<String, u32>,
}

/// A sequential test in the table.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialRow {
    /// The test.
    pub test: String,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Where hypotheses are accepted.
    pub bounds: [f64; 2],
    /// The pairs of games that count.
    pub pairs: u32,
    /// `H0`, `H1` or nothing yet.
    pub accepted: Option<&'static str>,
}

impl Counts {
    fn of(tally: Tally) -> Counts {
        Counts { wins: tally.wins, draws: tally.draws, losses: tally.losses }
    }
}

impl Table {
    /// The table of a standing; `planned` is the number of games of the whole tournament.
    pub fn new(standing: &Standing, planned: Option<u32>, trial: Option<&Trial>) -> Table {
        let ratings = Ratings::of(standing);
        let rows = standing.table();
        let row = |(row, rank): (&Row, usize)| engine_row(standing, ratings.as_ref(), row, rank);
        Table {
            schema: 1,
            format: standing.format.to_string(),
            games: standing.games(),
            planned,
            complete: planned == Some(standing.games()),
            rating_model: ratings.as_ref().map(Ratings::model),
            ratings_connected: ratings.as_ref().is_some_and(Ratings::is_connected),
            engines: rows.iter().zip(1..).map(row).collect(),
            first_player: Counts::of(standing.first_player),
            endings: standing.endings.clone(),
            plies: standing.plies.map(|plies| {
                let mean = plies.total as f64 / f64::from(plies.games.max(1));
                [mean, f64::from(plies.least), f64::from(plies.most)]
            }),
            sprt: trial.map(TrialRow::new),
        }
    }
}

fn engine_row(standing: &Standing, ratings: Option<&Ratings>, row: &Row, rank: usize) -> EngineRow {
    let index = row.entrant.index();
    let rating = ratings.and_then(|ratings| ratings.rows.get(index));
    let rating = rating.filter(|rating| rating.games > 0);
    let effort = standing.efforts.get(index).copied().unwrap_or_default();
    let losses = standing.losses.iter().filter(|((entrant, _), _)| *entrant == row.entrant);
    EngineRow {
        rank,
        number: index + 1,
        name: standing.name(row.entrant).to_owned(),
        points: row.points,
        seats: row.row.seats,
        counts: Counts { wins: row.row.wins, draws: row.row.draws, losses: row.row.losses },
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

impl TrialRow {
    fn new(trial: &Trial) -> TrialRow {
        let (lower, upper) = trial.test().bounds();
        TrialRow {
            test: trial.test().to_string(),
            llr: trial.llr(),
            bounds: [lower, upper],
            pairs: trial.pairs(),
            accepted: trial.accepted().map(|hypothesis| match hypothesis {
                Hypothesis::H0 => "H0",
                Hypothesis::H1 => "H1",
            }),
        }
    }
}

/// How many letters of a name a line shows.
const NAME: usize = 28;

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = self.planned.map_or(String::new(), |planned| format!(" of {planned}"));
        writeln!(f, "{}{of} games, {}", self.games, self.format)?;
        let names = self.engines.iter().map(|row| plain(&row.name, NAME).chars().count());
        let width = names.max().unwrap_or(0).max("engine".len());
        let swiss = self.format == Format::Swiss.to_string();
        let rests = self.engines.iter().any(|row| row.rests > 0);
        // Short names leave it within the 80 columns of a terminal.
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
                plain(&row.name, NAME),
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

impl Table {
    /// What stands below the rows.
    fn below(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(model), false) = (self.rating_model, self.ratings_connected) {
            writeln!(
                f,
                "ratings ({model}): the games alone do not determine them, because not everybody lost and \
                 won points, directly or along others; a drawn game against the mean was added for each"
            )?;
        } else if let Some(model) = self.rating_model {
            writeln!(f, "ratings: {model}, maximum likelihood, 95 % error, 0 is the mean")?;
        }
        let Counts { wins, draws, losses } = self.first_player;
        let total = wins + draws + losses;
        if total > 0 {
            let share = (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(total) * 100.0;
            writeln!(f, "first player: +{wins} ={draws} -{losses} ({share:.1} %)")?;
        }
        if let Some([mean, least, most]) = self.plies {
            writeln!(f, "moves a game: {mean:.1}, from {least} to {most}")?;
        }
        let ends: Vec<String> =
            self.endings.iter().map(|(word, count)| format!("{word} {count}")).collect();
        write!(f, "ends: {}", if ends.is_empty() { "none".to_owned() } else { ends.join(", ") })?;
        if let Some(trial) = &self.sprt {
            let [lower, upper] = trial.bounds;
            let accepted =
                trial.accepted.map_or("undecided".to_owned(), |h| format!("{h} accepted"));
            let TrialRow { test, llr, pairs, .. } = trial;
            write!(
                f,
                "\nSPRT {test}: LLR {llr:.2} ({lower:.2}, {upper:.2}), {accepted} after {pairs} pairs"
            )?;
        }
        Ok(())
    }
}

/// A number of nodes, short: `950`, `12k`, `3.4M`.
fn thousands(value: f64) -> String {
    match value {
        value if value < 1e4 => format!("{value:.0}"),
        value if value < 1e6 => format!("{:.0}k", value / 1e3),
        value => format!("{:.1}M", value / 1e6),
    }
}

/// The points of each engine against each other, in the order of the table: as the row sees it.
#[derive(Clone, Debug)]
pub struct CrossTable<'a>(pub &'a Standing);

impl CrossTable<'_> {
    /// Points and games of one engine against another.
    pub fn cell(&self, row: Entrant, column: Entrant) -> Option<(f64, u32)> {
        let duel = self.0.duels.get(&(row.min(column), row.max(column)))?;
        let total = duel.total();
        let points = f64::from(total.wins) + f64::from(total.draws) / 2.0;
        let games = total.games();
        Some((if row < column { points } else { f64::from(games) - points }, games))
    }
}

impl fmt::Display for CrossTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order: Vec<Entrant> = self.0.table().iter().map(|row| row.entrant).collect();
        let names = order.iter().map(|&entrant| plain(self.0.name(entrant), NAME).chars().count());
        let width = names.max().unwrap_or(0);
        write!(f, "{:width$}      ", "")?;
        (1..=order.len()).try_for_each(|rank| write!(f, " {rank:>9}"))?;
        for (&row, rank) in order.iter().zip(1..) {
            write!(f, "\n{rank:3}  {:width$} ", plain(self.0.name(row), NAME))?;
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
