//! Reviews in sentences.

use super::report::{GameReview, MissedWin, PlayerReview, PlyReview};
use pentarch_records::GameResult;

/// A number of things: `no blunder`, `1 blunder`, `2 blunders`.
pub(super) fn count(number: u32, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {one}"),
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

/// A probability: `62 %`.
pub(super) fn percent(probability: f64) -> String {
    format!("{:.0} %", 100.0 * probability)
}

/// Who has won, in a clause.
pub(super) fn result(review: &GameReview) -> String {
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

/// The names of those who sit on a side, counted from 0. Seats take turns between two teams.
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

/// The game in a paragraph.
pub(super) fn of_game(review: &GameReview) -> String {
    let moves = count(review.plies.len() as u32, "move", "moves");
    let mut parts = vec![format!("{}, {moves}: {}.", review.rules, result(review))];
    let turning = review.turning_point.and_then(|ply| review.plies.get(ply as usize - 1));
    if let Some(ply) = turning {
        parts.push(format!(
            "It turned at move {}, where {} played {} ({} instead of {} to win); {} was better.",
            ply.ply,
            name(review, ply),
            ply.mv,
            percent(ply.played_win_rate),
            percent(ply.win_rate),
            ply.best,
        ));
    } else if !review.plies.is_empty() && !review.plies.iter().any(PlyReview::is_noted) {
        parts.push("Nobody made a mistake that the search has seen.".to_owned());
    }
    parts.extend(review.plies.iter().filter(|ply| ply.choice).map(|ply| choice(review, ply)));
    if let Some(fault) = &review.fault {
        parts.push(format!("The review ends before the record does: {fault}."));
    }
    parts.join(" ")
}

/// A choice of colors in a sentence.
fn choice(review: &GameReview, ply: &PlyReview) -> String {
    let (name, mv) = (name(review, ply), &ply.mv);
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

/// The name of the player of a move.
pub(super) fn name<'a>(review: &'a GameReview, ply: &PlyReview) -> &'a str {
    let player = review.seats.get(usize::from(ply.seat).wrapping_sub(1));
    player.map_or("", |player| player.name.as_str())
}

/// A player in a paragraph.
pub(super) fn of_player(review: &GameReview, player: &PlayerReview) -> String {
    let Some(accuracy) = player.accuracy else {
        return format!("{} made no move of their own.", player.name);
    };
    let text = format!("{}: {}", player.name, figures(player, accuracy));
    let own = review.plies.iter().filter(|ply| ply.seat == player.seat && ply.class.is_some());
    let Some(worst) = own.max_by(|a, b| a.loss.total_cmp(&b.loss)) else { return text };
    let (loss, mv) = (percent(worst.loss), &worst.mv);
    format!("{text} The worst move was {mv} at move {}, which gave away {loss}.", worst.ply)
}

/// The numbers of a player in a sentence.
pub(super) fn figures(player: &PlayerReview, accuracy: f64) -> String {
    let mut parts = vec![format!(
        "accuracy {accuracy:.1} over {}, with {}, {} and {}",
        count(player.moves, "move", "moves"),
        count(player.inaccuracies, "inaccuracy", "inaccuracies"),
        count(player.mistakes, "mistake", "mistakes"),
        count(player.blunders, "blunder", "blunders"),
    )];
    if player.missed_wins > 0 {
        let wins = count(player.missed_wins, "proved win", "proved wins");
        parts.push(format!("let {wins} go"));
    }
    if player.missed_defenses > 0 {
        let missed = count(player.missed_defenses, "proved defense", "proved defenses");
        parts.push(format!("missed {missed}"));
    }
    parts.join("; ") + "."
}

/// What is to be said of a move, in a line; empty if nothing is.
pub(super) fn of_ply(ply: &PlyReview) -> String {
    let mut parts = Vec::new();
    if let Some(class) = ply.class {
        let (before, after) = (percent(ply.win_rate), percent(ply.played_win_rate));
        parts.push(format!("{}: {before} to win before it, {after} after it.", class.name()));
    }
    if let Some(win) = &ply.missed_win {
        parts.push(missed_win(win));
    }
    if let Some(defense) = &ply.missed_defense {
        parts.push(format!(
            "Missed defense: the opponent now wins in {}; after {} there is no win so short.",
            plies(defense.plies),
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

/// A win that was not played, in a sentence.
fn missed_win(win: &MissedWin) -> String {
    let moves = match win.moves.as_slice() {
        [one] => one.clone(),
        many => {
            let shown = many.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = many.len().saturating_sub(4);
            if more > 0 { format!("{shown} or {more} more") } else { shown }
        }
    };
    let plies = plies(win.plies);
    if win.kept {
        format!("There was a shorter win, in {plies}, by {moves}.")
    } else {
        format!("Missed win in {plies}, by {moves}.")
    }
}

/// A number of plies: `1 ply`, `5 plies`.
pub(super) fn plies(plies: u32) -> String {
    count(plies, "ply", "plies")
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
