//! A win in one, and the moves that prevent the opponent's, are found by the smallest searches.
#![allow(clippy::print_stdout, reason = "a run reports what it found")]

use crate::common::specs;
use crate::games::with_rules;
use crate::positions::{KINDS, Kind, from_game, rows, small};
use crate::run::{STACK, place, setting};
use crate::solver::Rules;
use fastrand::Rng;
use pentarch::engine::{Engine, Game, Options};
use pentarch::search::{Limits, Signal};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// What the side to move must not miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duty {
    /// Moves that win in this turn.
    Win,
    /// Moves after which the next player does not win in a turn; all others lose.
    Defend,
}

/// Nodes of the searches that must miss nothing.
const NODES: u64 = 50;

/// A position in which some moves are right and others are not.
#[derive(Clone, Debug)]
pub(crate) struct Tactic<M> {
    pub(crate) duty: Duty,
    pub(crate) right: Vec<M>,
    /// For a duty to defend: a wrong move and the move that wins after it.
    lesson: Option<(M, M)>,
}

/// A move that wins in the turn of the side to move, the `likely` one if it does.
fn winning_move<R: Rules>(rules: &mut R, likely: Option<&R::Move>) -> Option<R::Move> {
    let side = rules.side();
    let mut moves = rules.moves();
    if let Some(place) = likely.and_then(|likely| moves.iter().position(|mv| mv == likely)) {
        moves[..=place].rotate_right(1);
    }
    let wins_by = |rules: &mut R, mv: &R::Move| {
        rules.play(mv);
        let result = rules.result();
        rules.undo();
        result == Some(Some(side))
    };
    if let Some(mv) = moves.iter().find(|mv| wins_by(rules, mv)) {
        return Some(mv.clone());
    }
    // A turn of several stones.
    moves.into_iter().find(|mv| {
        rules.play(mv);
        let moves_on = rules.result().is_none() && rules.side() == side;
        let wins = moves_on && rules.moves().iter().any(|next| wins_by(rules, next));
        rules.undo();
        wins
    })
}

/// The duty of the side to move, if it has one.
pub(crate) fn tactic<R: Rules>(rules: &mut R) -> Option<Tactic<R::Move>> {
    let side = rules.side();
    let moves = rules.moves();
    let mut right = Vec::new();
    for mv in &moves {
        rules.play(mv);
        let wins = match rules.result() {
            Some(result) => result == Some(side),
            None => {
                rules.side() == side && {
                    let second = winning_move(rules, None);
                    second.is_some()
                }
            }
        };
        rules.undo();
        if wins {
            right.push(mv.clone());
        }
    }
    if !right.is_empty() {
        return Some(Tactic { duty: Duty::Win, right, lesson: None });
    }
    let (mut likely, mut lesson, mut harmless) = (None, None, 0);
    for mv in &moves {
        rules.play(mv);
        let refuted = match rules.result() {
            Some(Some(winner)) => winner != side,
            Some(None) => false,
            None if rules.side() == side => false,
            None => match winning_move(rules, likely.as_ref()) {
                Some(win) => {
                    likely = Some(win.clone());
                    lesson = Some((mv.clone(), win));
                    true
                }
                None => false,
            },
        };
        rules.undo();
        if !refuted {
            right.push(mv.clone());
            harmless += 1;
        }
        // On large boards a position without a threat is left early.
        if harmless >= 40 && lesson.is_none() {
            return None;
        }
    }
    let asks = !right.is_empty() && right.len() < moves.len();
    asks.then_some(Tactic { duty: Duty::Defend, right, lesson })
}

/// What a search of a position came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) wins: usize,
    pub(crate) defenses: usize,
    only_defenses: usize,
    pub(crate) missed: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.wins += other.wins;
        self.defenses += other.defenses;
        self.only_defenses += other.only_defenses;
        self.missed.extend(other.missed);
    }
}

/// Asks the engine for a move where there is a duty.
pub(crate) fn look(game: &Game) -> Tally {
    let mut tally = Tally::default();
    let found = with_rules!(game, rules => tactic(&mut rules));
    let Some(Tactic { duty, right, lesson }) = found else { return tally };
    match duty {
        Duty::Win => tally.wins += 1,
        Duty::Defend => {
            tally.defenses += 1;
            tally.only_defenses += usize::from(right.len() == 1);
        }
    }
    let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
    let best = engine.search(game, Limits::nodes(NODES), &Signal::new(), |_| ());
    let best = best.ok().and_then(|found| found.best);
    if best.is_some_and(|best| right.contains(&best)) {
        return tally;
    }
    let text = |mv| game.move_text(mv);
    let best = best.map_or("none".to_owned(), text);
    let right: Vec<String> = right.into_iter().take(6).map(text).collect();
    let why = match (duty, lesson) {
        (Duty::Defend, Some((wrong, answer))) => {
            let mut after = game.clone();
            let answer = match after.play_move(wrong) {
                Ok(()) => after.move_text(answer),
                Err(_) => String::new(),
            };
            format!("loses at once as {} does to {answer}; {right:?} does not", text(wrong))
        }
        _ => format!("misses the win by {right:?}"),
    };
    let line = format!("{} | {} | nodes {NODES} | {best} | {why}", game.rules(), place(game));
    tally.missed.push(line);
    tally
}

/// A game of the row for a position: often on a small board, where special stones matter soon.
fn spec_of(name: &str, kind: Kind, rng: &mut Rng) -> String {
    if kind == Kind::Tense && rng.u8(..3) == 0 { name.to_owned() } else { small(name, kind, rng) }
}

/// Looks at that many positions with a duty of one game.
fn of_row(name: &str, wanted: usize, seed: u64) -> Tally {
    let mut tally = Tally::default();
    let mut rng = Rng::with_seed(seed);
    for _ in 0..wanted * 20 {
        if tally.wins + tally.defenses >= wanted {
            break;
        }
        let kind = KINDS[[0, 0, 0, 1, 2][rng.usize(..5)]];
        let spec = if name.contains('+') { name.to_owned() } else { spec_of(name, kind, &mut rng) };
        for game in from_game(&spec, kind, &mut rng) {
            tally.add(look(&game));
        }
    }
    tally
}

/// Looks at positions of all rows, in parts of a row side by side, and prints a table.
fn of_rows(names: &[String], wanted: usize, seed: u64) -> Vec<String> {
    const PART: usize = 50;
    let pool = ThreadPoolBuilder::new().stack_size(STACK).build().unwrap();
    let mut missed = Vec::new();
    println!("{:<40}   wins defenses only-one  missed", "game");
    for name in names {
        let parts: Vec<usize> = (0..wanted.div_ceil(PART)).collect();
        let tallies: Vec<Tally> = pool.install(|| {
            let part =
                |&part: &usize| of_row(name, PART.min(wanted), seed + part as u64 * 1_000_003);
            parts.par_iter().map(part).collect()
        });
        let mut all = Tally::default();
        for tally in tallies {
            all.add(tally);
        }
        let Tally { wins, defenses, only_defenses, .. } = all;
        println!("{name:<40} {wins:>6} {defenses:>8} {only_defenses:>8} {:>7}", all.missed.len());
        for line in &all.missed {
            println!("MISSED {line}");
        }
        missed.extend(all.missed);
    }
    missed
}

/// The games of the catalog, and combinations of modifiers on boards of their own.
fn all_games() -> Vec<String> {
    let combinations = specs().into_iter().filter(|spec| spec.contains('+'));
    let names = rows().into_iter().map(str::to_owned).chain(combinations);
    names
        .chain(["atomic-pente+boat=strict+size=9", "atomic-pente+size=13"].map(str::to_owned))
        .collect()
}

#[test]
fn no_win_or_only_defense_in_one_is_missed() {
    let names: Vec<String> = rows().into_iter().map(str::to_owned).collect();
    let missed = of_rows(&names, 8, 5);
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
#[ignore = "takes minutes; run scripts/check-claims --tactics-in-one"]
fn no_win_or_only_defense_in_one_is_missed_in_many_positions() {
    let seed = setting("PENTARCH_SEED", "1").parse().expect("a number");
    let wanted = setting("PENTARCH_POSITIONS", "2000").parse().expect("a number");
    let named = setting("PENTARCH_SPECS", "");
    let named: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    let missed = of_rows(&if named.is_empty() { all_games() } else { named }, wanted, seed);
    assert!(missed.is_empty(), "{} misses", missed.len());
}
