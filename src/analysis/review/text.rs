//! Reviews as text: a table of games, their mistakes and their players.

use crate::review::report::{GameReview, MissedWin, PlayerReview, PlyReview};
use pentarch_records::GameResult;
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;

/// The text of the reviews of many games, collected one game at a time.
#[derive(Clone, Debug, Default)]
pub struct ReviewText {
    rows: Vec<[String; 8]>,
    games: String,
    /// By name, with their order.
    players: BTreeMap<String, (usize, PlayerTotals)>,
}

/// The totals of a player over all games.
#[derive(Clone, Debug, Default)]
struct PlayerTotals {
    games: u32,
    /// The sum of the accuracies of all moves.
    accuracy: f64,
    sum: PlayerReview,
}

/// The maximum length of a name in the table.
const MAX_NAME_CHARS: usize = 40;

const TABLE_HEAD: [&str; 8] = ["game", "name", "moves", "accuracy", "?!", "?", "??", "missed wins"];

impl ReviewText {
    /// Adds the next game.
    pub fn add(&mut self, review: &GameReview) {
        let number = self.rows.len() + 1;
        let seats = &review.seats;
        let each = |of: &dyn Fn(&PlayerReview) -> String| -> String {
            seats.iter().map(of).collect::<Vec<_>>().join("/")
        };
        self.rows.push([
            number.to_string(),
            review.name.chars().take(MAX_NAME_CHARS).collect(),
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
                self.players.entry(seat.name.clone()).or_insert((order, PlayerTotals::default()));
            totals.add(seat);
        }
    }

    fn add_game(&mut self, number: usize, review: &GameReview) {
        let place = match review.file.as_str() {
            "" => String::new(),
            file => format!(" ({file} line {})", review.line),
        };
        let text = &mut self.games;
        // Writing into a string cannot fail.
        let _ = writeln!(text, "\nGame {number}, {}{place}", review.name);
        let _ = writeln!(text, "  {}", review.summary);
        for seat in &review.seats {
            let _ = writeln!(text, "  {}", seat.summary);
        }
        for ply in review.plies.iter().filter(|ply| ply.is_noted()) {
            let sign = ply.class.map_or("", super::MistakeClass::sign);
            let line: Vec<&str> = ply.pv.iter().take(9).map(String::as_str).collect();
            let better = if ply.best == ply.mv { "" } else { &format!(" [{}]", line.join(" ")) };
            let _ = writeln!(
                text,
                "  {:>4}. {}{sign} {}: {}{better}",
                ply.ply,
                ply.mv,
                player_name(review, ply),
                describe_ply(ply),
            );
        }
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.rows.len()
    }
}

impl PlayerTotals {
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

impl fmt::Display for ReviewText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = TABLE_HEAD.map(str::to_owned);
        let lines = || [&head].into_iter().chain(&self.rows);
        let width = |column: usize| lines().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..TABLE_HEAD.len()).filter_map(width).collect();
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
            let games = counted(totals.games, "game", "games");
            match totals.sum.moves {
                0 => writeln!(f, "  {name}, {games}: no move of their own.")?,
                moves => {
                    let accuracy = totals.accuracy / f64::from(moves);
                    let figures = player_figures(&totals.sum, accuracy);
                    writeln!(f, "  {name}, {games}: {figures}")?;
                }
            }
        }
        Ok(())
    }
}

/// Formats a count: `no blunder`, `1 blunder`, `2 blunders`.
pub(super) fn counted(number: u32, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {one}"),
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

/// Formats a probability: `62 %`.
pub(super) fn percent(probability: f64) -> String {
    format!("{:.0} %", 100.0 * probability)
}

/// Returns the result as a clause.
pub(super) fn result_clause(review: &GameReview) -> String {
    match review.result {
        Some(GameResult::Win(side)) => {
            let names: Vec<&str> = winners(review, side.0).collect();
            match names.as_slice() {
                [] => format!("side {side} won"),
                names => format!("{} won", names.join(" and ")),
            }
        }
        Some(GameResult::Draw) => "it was drawn".to_owned(),
        None => "it was broken off".to_owned(),
    }
}

/// Returns the names of the players of a side, counted from 0.
fn winners(review: &GameReview, side: u8) -> impl Iterator<Item = &str> {
    let of_side = move |ply: &&PlyReview| ply.side == side + 1;
    let mut seats: Vec<u8> = review.plies.iter().filter(of_side).map(|ply| ply.seat).collect();
    if seats.is_empty() {
        seats.push(side + 1);
    }
    seats.sort_unstable();
    seats.dedup();
    let names = seats.into_iter().filter_map(|seat| review.seats.get(usize::from(seat) - 1));
    names.map(|player| player.name.as_str())
}

/// Returns a summary of the game.
pub(super) fn summarize_game(review: &GameReview) -> String {
    let moves = counted(review.plies.len() as u32, "move", "moves");
    let mut parts = vec![format!("{}, {moves}: {}.", review.rules, result_clause(review))];
    let turning = review.turning_point.and_then(|ply| review.plies.get(ply as usize - 1));
    if let Some(ply) = turning {
        parts.push(format!(
            "It turned at move {}, where {} played {} ({} instead of {} to win); {} was better.",
            ply.ply,
            player_name(review, ply),
            ply.mv,
            percent(ply.played_win_rate),
            percent(ply.win_rate),
            ply.best,
        ));
    } else if !review.plies.is_empty() && !review.plies.iter().any(PlyReview::is_noted) {
        parts.push("Nobody made a mistake that the search has seen.".to_owned());
    }
    parts.extend(
        review.plies.iter().filter(|ply| ply.choice).map(|ply| describe_choice(review, ply)),
    );
    if let Some(fault) = &review.fault {
        parts.push(format!("The review ends before the record does: {fault}."));
    }
    parts.join(" ")
}

/// Describes a choice of colors.
fn describe_choice(review: &GameReview, ply: &PlyReview) -> String {
    let (name, mv) = (player_name(review, ply), &ply.mv);
    let played = percent(ply.played_win_rate);
    if ply.best == ply.mv {
        format!("At move {} {name} chose `{mv}`, the best choice ({played} to win).", ply.ply)
    } else {
        let (best, win) = (&ply.best, percent(ply.win_rate));
        format!(
            "At move {} {name} chose `{mv}` ({played} to win); `{best}` was worth {win}.",
            ply.ply
        )
    }
}

/// Returns the name of the player of a move.
pub(super) fn player_name<'a>(review: &'a GameReview, ply: &PlyReview) -> &'a str {
    let player = review.seats.get(usize::from(ply.seat).wrapping_sub(1));
    player.map_or("", |player| player.name.as_str())
}

/// Returns a summary of a player.
pub(super) fn summarize_player(review: &GameReview, player: &PlayerReview) -> String {
    let Some(accuracy) = player.accuracy else {
        return format!("{} made no move of their own.", player.name);
    };
    let text = format!("{}: {}", player.name, player_figures(player, accuracy));
    let own = review.plies.iter().filter(|ply| ply.seat == player.seat && ply.class.is_some());
    let Some(worst) = own.max_by(|a, b| a.loss.total_cmp(&b.loss)) else { return text };
    let (loss, mv) = (percent(worst.loss), &worst.mv);
    format!("{text} The worst move was {mv} at move {}, which gave away {loss}.", worst.ply)
}

/// Returns the numbers of a player as a sentence.
pub(super) fn player_figures(player: &PlayerReview, accuracy: f64) -> String {
    let mut parts = vec![format!(
        "accuracy {accuracy:.1} over {}, with {}, {} and {}",
        counted(player.moves, "move", "moves"),
        counted(player.inaccuracies, "inaccuracy", "inaccuracies"),
        counted(player.mistakes, "mistake", "mistakes"),
        counted(player.blunders, "blunder", "blunders"),
    )];
    if player.missed_wins > 0 {
        let wins = counted(player.missed_wins, "proved win", "proved wins");
        parts.push(format!("let {wins} go"));
    }
    if player.missed_defenses > 0 {
        let missed = counted(player.missed_defenses, "proved defense", "proved defenses");
        parts.push(format!("missed {missed}"));
    }
    parts.join("; ") + "."
}

/// Describes a move. Empty if it is not noteworthy.
pub(super) fn describe_ply(ply: &PlyReview) -> String {
    let mut parts = Vec::new();
    if let Some(class) = ply.class {
        let (before, after) = (percent(ply.win_rate), percent(ply.played_win_rate));
        parts.push(format!("{}: {before} to win before it, {after} after it.", class.name()));
    }
    if let Some(win) = &ply.missed_win {
        parts.push(describe_missed_win(win));
    }
    if let Some(defense) = &ply.missed_defense {
        parts.push(format!(
            "Missed defense: the opponent now wins in {}; after {} there is no win so short.",
            counted_plies(defense.plies),
            defense.moves.join(" or "),
        ));
    } else if ply.class.is_some() && ply.missed_win.is_none() && ply.best != ply.mv {
        parts.push(format!("{} was better.", ply.best));
    }
    if ply.choice && ply.class.is_none() {
        let best = if ply.best == ply.mv { "the best choice" } else { "as good a choice as any" };
        parts.push(format!("{best}: {} to win.", percent(ply.played_win_rate)));
    }
    capitalized(&parts.join(" "))
}

/// Describes a win that was not played.
fn describe_missed_win(win: &MissedWin) -> String {
    let moves = match win.moves.as_slice() {
        [one] => one.clone(),
        many => {
            let shown = many.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = many.len().saturating_sub(4);
            if more > 0 { format!("{shown} or {more} more") } else { shown }
        }
    };
    let plies = counted_plies(win.plies);
    if win.kept {
        format!("There was a shorter win, in {plies}, by {moves}.")
    } else {
        format!("Missed win in {plies}, by {moves}.")
    }
}

/// Formats a number of plies: `1 ply`, `5 plies`.
pub(super) fn counted_plies(plies: u32) -> String {
    counted(plies, "ply", "plies")
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
