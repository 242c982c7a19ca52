//! The field of a position text that tells what stones and counts do not: the stage of a swap
//! opening, special stones left, a five that is being answered, the result.

use super::pipeline::State;
use super::variant::{Answered, Extra};
use crate::game::{Color, Outcome, Reason, Side};
use crate::rules::{SquareRules, Stage};

/// How the stages are called in position texts.
const STAGES: [(&str, Stage); 4] = [
    ("first", Stage::First),
    ("choice", Stage::Choice),
    ("more", Stage::More),
    ("last-choice", Stage::LastChoice),
];

/// The reasons a finished game may have, besides a board or a turn that tells it.
const REASONS: [Reason; 5] =
    [Reason::Line, Reason::Captures, Reason::FullBoard, Reason::NoMove, Reason::PlyCap];

/// What the field says.
#[derive(Clone, Debug, Default)]
pub(super) struct Phase {
    pub extra: Extra,
    /// Plies that placed nothing.
    pub choices: u32,
    pub outcome: Option<Outcome>,
}

/// Writes the field; `-` if there is nothing to say.
pub(super) fn text(rules: &SquareRules, state: &State) -> String {
    let mut items = Vec::new();
    let extra = &state.extra;
    if let Some((name, _)) = STAGES.iter().find(|(_, stage)| *stage == extra.stage) {
        items.push(format!("stage={name}"));
    }
    if extra.swapped {
        items.push("swapped".to_owned());
    }
    if state.ply > state.stones {
        items.push(format!("choices={}", state.ply - state.stones));
    }
    for (name, most, placed) in special(rules, extra) {
        let left = placed.iter().take(rules.seating().seats.into());
        let left: Vec<_> = left.map(|&placed| most.saturating_sub(placed).to_string()).collect();
        items.push(format!("{name}={}", left.join(",")));
    }
    if let Some(five) = extra.five {
        items.push(format!("five={}{}", rules.palette().letter(five.maker), five.left));
    }
    if let Some(first) = extra.first {
        items.push(format!("first={}", rules.grid().label(first)));
    }
    if let Some(outcome) = state.outcome.filter(|_| !rules.is_plain()) {
        let winner = outcome.winner.map_or(0, |side| side.0 + 1);
        items.push(format!("result={winner}:{}", outcome.reason));
    }
    if items.is_empty() { "-".to_owned() } else { items.join(";") }
}

/// The kinds of special stones of a game: the name, how many each has, how many are placed.
fn special(rules: &SquareRules, extra: &Extra) -> Vec<(&'static str, u8, [u8; 4])> {
    let stones = rules.stones();
    let power = stones.power.map_or(0, |(count, _)| count);
    let all = [
        ("neutral", stones.neutral, extra.neutral),
        ("bombs", stones.bombs, extra.special),
        ("power", power, extra.special),
    ];
    all.into_iter().filter(|&(_, most, _)| most > 0).collect()
}

/// Reads the field, or says what is wrong with it.
pub(super) fn parse(rules: &SquareRules, text: &str) -> Result<Phase, String> {
    let mut phase = Phase::default();
    if text == "-" {
        return Ok(phase);
    }
    if rules.is_plain() {
        return Err("expected `-`, the game has no stages".to_owned());
    }
    for item in text.split(';') {
        let (name, value) = item.split_once('=').unwrap_or((item, ""));
        let read = match name {
            "stage" if rules.swap().is_some() => read_stage(&mut phase, value),
            "swapped" if rules.swap().is_some() && value.is_empty() => {
                phase.extra.swapped = true;
                Some(())
            }
            "choices" if rules.swap().is_some() => {
                value.parse().ok().filter(|&n| n <= 2).map(|n| phase.choices = n)
            }
            "five" if rules.boat().is_some() => read_five(&mut phase, rules, value),
            "first" if rules.opening().measures_from_first() => {
                rules.grid().parse(value).ok().map(|cell| phase.extra.first = Some(cell))
            }
            "result" => read_result(&mut phase, rules, value),
            _ => read_left(&mut phase, rules, name, value),
        };
        read.ok_or_else(|| {
            let item: String = item.chars().take(40).collect();
            format!("`{item}` says nothing about this game; expected such as `{}`", example(rules))
        })?;
    }
    Ok(phase)
}

/// What the field says at the start of a game.
fn example(rules: &SquareRules) -> String {
    text(rules, &State::start(rules))
}

fn read_stage(phase: &mut Phase, value: &str) -> Option<()> {
    let &(_, stage) = STAGES.iter().find(|(name, _)| *name == value)?;
    phase.extra.stage = stage;
    Some(())
}

fn read_five(phase: &mut Phase, rules: &SquareRules, value: &str) -> Option<()> {
    let mut letters = value.chars();
    let maker = rules.palette().stone(letters.next()?)?;
    let left: u8 = letters.as_str().parse().ok()?;
    let seats = rules.seating().seats;
    let fits = maker < Color(seats) && (1..seats).contains(&left);
    fits.then(|| phase.extra.five = Some(Answered { maker, left }))
}

fn read_result(phase: &mut Phase, rules: &SquareRules, value: &str) -> Option<()> {
    let (winner, reason) = value.split_once(':')?;
    let winner: u8 = winner.parse().ok()?;
    let reason = REASONS.into_iter().find(|known| known.to_string() == reason)?;
    let fits = winner <= rules.seating().sides();
    let winner = winner.checked_sub(1).map(Side);
    fits.then(|| phase.outcome = Some(Outcome { winner, reason }))
}

fn read_left(phase: &mut Phase, rules: &SquareRules, name: &str, value: &str) -> Option<()> {
    let kinds = special(rules, &Extra::default());
    let &(_, most, _) = kinds.iter().find(|(known, ..)| *known == name)?;
    let left: Option<Vec<u8>> = value.split(',').map(|n| n.parse::<u8>().ok()).collect();
    let left = left.filter(|left| left.len() == usize::from(rules.seating().seats))?;
    let placed =
        if name == "neutral" { &mut phase.extra.neutral } else { &mut phase.extra.special };
    for (placed, left) in placed.iter_mut().zip(left) {
        *placed = most.checked_sub(left)?;
    }
    Some(())
}
