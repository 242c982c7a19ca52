//! Games that the engine under test is asked about, and the rules that hold its moves.

use super::{Finding, StepResult, wrong};
use fastrand::Rng;
use pentarch_core::game::Move;
use pentarch_core::rules::{BoardRules, Ruleset};
use pentarch_engine::search::{Limits, Signal};
use pentarch_engine::{Engine, Game, Options};

/// Nodes for a move of the side that is to win.
const NODES: u64 = 100;

/// An open game with this number of plies, or one less where that would end it.
pub(super) fn opened(rules: &Ruleset, plies: usize) -> Game {
    opened_by(rules, plies, |_, _| true)
}

/// [`opened`] with moves of one kind alone.
pub(super) fn opened_by(
    rules: &Ruleset,
    plies: usize,
    suits: impl Fn(&Game, Move) -> bool,
) -> Game {
    let mut game = Game::new(rules.clone());
    let mut rng = Rng::with_seed(1);
    for _ in 0..plies {
        let mut moves = game.legal_moves();
        moves.retain(|&mv| suits(&game, mv));
        let Some(mv) = rng.choice(moves) else { break };
        if game.play_move(mv).is_err() {
            break;
        }
        if game.outcome().is_some() {
            game.undo();
            break;
        }
    }
    game
}

/// A finished game that the first player wins against one that moves at random, or no one wins.
pub(super) fn finished(rules: &Ruleset) -> Result<Game, Finding> {
    let mut game = Game::new(rules.clone());
    let mut rng = Rng::with_seed(2);
    let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
    while game.outcome().is_none() {
        let chosen = if game.side_of(game.to_move()).index() == 0 {
            let limits = Limits::nodes(NODES);
            let found = engine.think_here(&game, limits, &Signal::new(), |_| ());
            found.ok().and_then(|found| found.best)
        } else {
            rng.choice(&game.legal_moves()).copied()
        };
        let Some(mv) = chosen else { return wrong("no game could be played out to ask about") };
        game.play_move(mv).map_err(|error| Finding::Wrong(error.to_string()))?;
    }
    Ok(game)
}

/// Games in which a stone may be taken before one is given up.
const ATTEMPTS: u64 = 10;

/// An open game whose last stone stands where one was taken before. None where nothing is taken.
pub(super) fn refilled(rules: &Ruleset, suits: impl Fn(&Game, Move) -> bool) -> Option<Game> {
    let takes = match rules.board() {
        BoardRules::Squares(board) => board.capture.is_some(),
        BoardRules::Hexes(board) => board.surround,
        BoardRules::Tiles(_) => false,
    };
    if !takes {
        return None;
    }
    (0..ATTEMPTS).find_map(|seed| {
        let mut game = Game::new(rules.clone());
        let mut rng = Rng::with_seed(seed);
        while game.outcome().is_none() {
            let mut moves = game.legal_moves();
            moves.retain(|&mv| suits(&game, mv));
            let played = game.moves();
            let is_again = |mv: &&Move| mv.cell().is_some() && played.contains(mv);
            let again = moves.iter().find(is_again).copied();
            let is_last = again.is_some();
            let mv = again.or_else(|| rng.choice(moves))?;
            game.play_move(mv).ok()?;
            if is_last && game.outcome().is_none() {
                return Some(game);
            }
        }
        None
    })
}

/// Plays the engine's move, which must be legal.
pub(super) fn play_move(game: &mut Game, mv: Move) -> StepResult {
    game.play_move(mv).or_else(|error| wrong(error.to_string()))
}
