//! Games that the engine under test is asked about, and the rules that hold its moves.

use super::{Finding, Outcome, wrong};
use crate::engine::{Engine, Game, Options};
use crate::game::{Move, MoveKind};
use crate::rules::Ruleset;
use crate::search::{Limits, Signal};
use fastrand::Rng;

/// A finished game: its moves as texts, and how it stands at the end.
pub(super) struct FinishedGame {
    pub(super) moves: Vec<String>,
    pub(super) game: Game,
}

/// Nodes for a move of the side that is to win.
const NODES: u64 = 100;

/// An open game with a number of plies, or one less where that would end it.
pub(super) fn opened(rules: &Ruleset, plies: usize) -> (Game, Vec<String>) {
    opened_by(rules, plies, |_| true)
}

/// The same with such moves alone.
pub(super) fn opened_by(
    rules: &Ruleset,
    plies: usize,
    suits: impl Fn(&str) -> bool,
) -> (Game, Vec<String>) {
    let mut game = Game::new(rules.clone());
    let mut rng = Rng::with_seed(1);
    let mut moves = Vec::new();
    for _ in 0..plies {
        let mut texts: Vec<_> = game.legal_moves().iter().map(|&mv| game.move_text(mv)).collect();
        texts.retain(|text| suits(text));
        let Some(text) = rng.choice(texts) else { break };
        if game.play(&text).is_err() {
            break;
        }
        if game.outcome().is_some() {
            game.undo();
            break;
        }
        moves.push(text);
    }
    (game, moves)
}

/// A game that the first player wins against one that moves at random, or no one wins.
pub(super) fn finished(rules: &Ruleset) -> Result<FinishedGame, Finding> {
    let mut game = Game::new(rules.clone());
    let mut rng = Rng::with_seed(2);
    let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
    let mut moves = Vec::new();
    while game.outcome().is_none() {
        let chosen = if game.side_of(game.to_move()).index() == 0 {
            let limits = Limits::nodes(NODES);
            let found = engine.think_here(&game, limits, &Signal::new(), |_| ());
            found.ok().and_then(|found| found.best)
        } else {
            rng.choice(&game.legal_moves()).copied()
        };
        let Some(mv) = chosen else { return wrong("no game could be played out to ask about") };
        moves.push(game.move_text(mv));
        game.play_move(mv).map_err(|error| Finding::Wrong(error.to_string()))?;
    }
    Ok(FinishedGame { moves, game })
}

/// Games in which a stone may be taken before one is given up.
const ATTEMPTS: u64 = 10;

/// An open game whose last stone stands where one was taken before. None where nothing is taken.
pub(super) fn refilled(
    rules: &Ruleset,
    suits: impl Fn(&str) -> bool,
) -> Option<(Game, Vec<String>)> {
    if rules.capture().is_none() && !rules.hexes().is_some_and(|hexes| hexes.surround) {
        return None;
    }
    (0..ATTEMPTS).find_map(|seed| {
        let mut game = Game::new(rules.clone());
        let mut rng = Rng::with_seed(seed);
        let mut moves: Vec<String> = Vec::new();
        while game.outcome().is_none() {
            let legal = game.legal_moves();
            let mut texts: Vec<_> = legal.iter().map(|&mv| game.move_text(mv)).collect();
            texts.retain(|text| suits(text));
            let again = texts.iter().find(|text| moves.contains(text) && !is_word(text)).cloned();
            let is_last = again.is_some();
            let text = again.or_else(|| rng.choice(texts))?;
            game.play(&text).ok()?;
            moves.push(text);
            if is_last && game.outcome().is_none() {
                return Some((game, moves));
            }
        }
        None
    })
}

/// Whether a move is no stone.
fn is_word(text: &str) -> bool {
    MoveKind::from_word(text).is_some()
}

/// Plays the engine's move, which must be legal.
pub(super) fn play_move(game: &mut Game, mv: Move) -> Outcome {
    game.play_move(mv).or_else(|error| wrong(error.to_string()))
}

/// Plays the engine's move given as a text, which must be legal.
pub(super) fn play(game: &mut Game, text: &str) -> Outcome {
    match game.play(text) {
        Ok(_) => Ok(()),
        Err(error) => wrong(error.to_string()),
    }
}
