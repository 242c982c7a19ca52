//! Reviews as text: a table of games, their mistakes, and the players.

use super::report::{GameReview, PlayerReview};
use super::words;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// What a terminal is told of all games, gathered a game at a time.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    rows: Vec<[String; 8]>,
    games: String,
    /// By name, in the order in which they were met.
    players: BTreeMap<String, (usize, Totals)>,
}

/// What all games say of a player.
#[derive(Clone, Debug, Default)]
struct Totals {
    games: u32,
    /// The sum of the accuracies of all moves.
    accuracy: f64,
    sum: PlayerReview,
}

/// More than this much of a name spoils the table.
const MOST_NAME: usize = 40;

const HEAD: [&str; 8] = ["game", "name", "moves", "accuracy", "?!", "?", "??", "missed wins"];

impl Digest {
    /// Takes the next game.
    pub fn add(&mut self, review: &GameReview) {
        let number = self.rows.len() + 1;
        let seats = &review.seats;
        let each = |of: &dyn Fn(&PlayerReview) -> String| -> String {
            seats.iter().map(of).collect::<Vec<_>>().join("/")
        };
        self.rows.push([
            number.to_string(),
            review.name.chars().take(MOST_NAME).collect(),
            review.plies.len().to_string(),
            each(&|seat| seat.accuracy.map_or("-".to_owned(), |value| format!("{value:.1}"))),
            each(&|seat| seat.inaccuracies.to_string()),
            each(&|seat| seat.mistakes.to_string()),
            each(&|seat| seat.blunders.to_string()),
            each(&|seat| seat.missed_wins.to_string()),
        ]);
        self.add_game(number, review);
        for seat in seats {
            let order = self.players.len();
            let (_, totals) =
                self.players.entry(seat.name.clone()).or_insert((order, Totals::default()));
            totals.add(seat);
        }
    }

    fn add_game(&mut self, number: usize, review: &GameReview) {
        let place = match review.file.as_str() {
            "" => String::new(),
            file => format!(" ({file} line {})", review.line),
        };
        let text = &mut self.games;
        // Writing into a text cannot fail.
        let _ = writeln!(text, "\nGame {number}, {}{place}", review.name);
        let _ = writeln!(text, "  {}", review.summary);
        for seat in &review.seats {
            let _ = writeln!(text, "  {}", seat.summary);
        }
        for ply in review.plies.iter().filter(|ply| ply.is_noted()) {
            let sign = ply.class.map_or("", super::Class::sign);
            let line: Vec<&str> = ply.pv.iter().take(9).map(String::as_str).collect();
            let better = if ply.best == ply.mv { "" } else { &format!(" [{}]", line.join(" ")) };
            let _ = writeln!(
                text,
                "  {:>4}. {}{sign} {}: {}{better}",
                ply.ply,
                ply.mv,
                words::name(review, ply),
                words::of_ply(ply),
            );
        }
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.rows.len()
    }
}

impl Totals {
    fn add(&mut self, seat: &PlayerReview) {
        self.games += 1;
        self.accuracy += seat.accuracy.unwrap_or(0.0) * f64::from(seat.moves);
        let sum = &mut self.sum;
        for (total, own) in [
            (&mut sum.moves, seat.moves),
            (&mut sum.inaccuracies, seat.inaccuracies),
            (&mut sum.mistakes, seat.mistakes),
            (&mut sum.blunders, seat.blunders),
            (&mut sum.missed_wins, seat.missed_wins),
            (&mut sum.missed_defenses, seat.missed_defenses),
        ] {
            *total += own;
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = HEAD.map(str::to_owned);
        let lines = || [&head].into_iter().chain(&self.rows);
        let width = |column: usize| lines().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..HEAD.len()).filter_map(width).collect();
        for row in lines() {
            let mut text = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                if column == 1 {
                    write!(text, "{cell:<width$}  ")?;
                } else {
                    write!(text, "{cell:>width$}  ")?;
                }
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        f.write_str(&self.games)?;
        if self.rows.len() < 2 {
            return Ok(());
        }
        writeln!(f, "\nPlayers")?;
        let mut players: Vec<_> = self.players.iter().collect();
        players.sort_by_key(|(_, (order, _))| *order);
        for (name, (_, totals)) in players {
            let games = words::count(totals.games, "game", "games");
            match totals.sum.moves {
                0 => writeln!(f, "  {name}, {games}: no move of their own.")?,
                moves => {
                    let accuracy = totals.accuracy / f64::from(moves);
                    let figures = words::figures(&totals.sum, accuracy);
                    writeln!(f, "  {name}, {games}: {figures}")?;
                }
            }
        }
        Ok(())
    }
}
