//! A match in words: a line a game, the moves, and the final table.

use super::points_table::{PointsRow, PointsTable};
use super::runner::Progress;
use super::schedule::Format;
use super::sprt::{Hypothesis, Trial};
use super::statistics::{Standings, Strength, Tally};
use super::tournament::Ended;
use pentarch_records::{GameRecord, GameResult};
use std::fmt;

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
            GameResult::Draw => match record.culprit() {
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
