//! Games of the engine against itself.

use super::starts::Starts;
use super::training_game::{Aside, TrainingGame};
use fastrand::Rng;
use pentarch_arena::{BalanceCriterion, Opening, Openings, OpeningsError};
use pentarch_core::game::{Cell, Move};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Limits, SearchResult, Signal};
use pentarch_engine::{Engine, EngineError, Game, Options};
use serde::{Deserialize, Serialize};

/// How games are played. The same settings give the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// The rulesets, in words; games take turns.
    pub variants: Vec<String>,
    /// How many nodes a search visits.
    pub nodes: u64,
    /// The fewest and the most moves of an opening.
    pub opening: [u32; 2],
    /// What the games are from that openings are taken of; without any, their moves are random.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<String>,
    /// The most random moves near the stones after the beginning of another game, so that one beginning
    /// gives many games.
    #[serde(default)]
    pub strays: u32,
    /// The greatest value of an opening for either side, in points, as a search of as many nodes says.
    pub balance: u32,
    /// After how many of a hundred positions a random move is looked at as well.
    pub asides: u32,
    /// Chooses openings and asides.
    pub seed: u64,
}

/// Why a game cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// There is no opening.
    #[error(transparent)]
    Opening(#[from] OpeningsError),
    /// No game has a position to begin with.
    #[error(
        "{0}: no game of --from is long enough, or none is by these rules; take other games or fewer plies"
    )]
    Starts(String),
    /// The engine cannot think.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An opening, or a move of the engine, is against the rules, which is a defect.
    #[error("{0}")]
    Defect(String),
}

/// Few nodes fill little of a table, and each game has one of its own.
const HASH: usize = 1;

impl SelfPlay {
    /// A longer game is a draw.
    pub const MOST_PLIES: u32 = 200;
    /// Room on the stack of a thread that plays.
    pub const STACK: usize = Engine::STACK;

    /// Plays the game of that number, counted from 0, on a thread with [`SelfPlay::STACK`] bytes of
    /// stack.
    pub fn game(
        &self,
        rules: &[Ruleset],
        starts: &Starts,
        number: u32,
    ) -> Result<TrainingGame, SelfPlayError> {
        let defect = |error: &dyn std::error::Error| SelfPlayError::Defect(error.to_string());
        let rules = &rules[number as usize % rules.len().max(1)];
        let mut rng = Rng::with_seed(self.seed.rotate_left(32) ^ u64::from(number));
        let mut game = if starts.is_empty() {
            self.opening(rules, number, &mut rng)?.play(rules).map_err(|e| defect(&e))?
        } else {
            let start = starts.draw(rules, self.opening, &mut rng);
            let start = start.ok_or_else(|| SelfPlayError::Starts(rules.to_string()))?;
            stray(start, rng.u32(..=self.strays), &mut rng)
        };
        let mut played = TrainingGame {
            variant: rules.to_string(),
            moves: texts(&game),
            opening: game.ply() as usize,
            values: Vec::new(),
            best: Vec::new(),
            winner: None,
            asides: Vec::new(),
        };
        let mut engine = Engine::new(Options { hash: HASH, ..Options::default() });
        while game.outcome().is_none() && game.ply() < SelfPlay::MOST_PLIES {
            let found = search(&mut engine, &game, self.nodes)?;
            let value = found.report.score;
            played.values.push(value.value());
            let own = game.side_of(game.to_move()).index() as u8;
            // Of more than two a loser does not say who wins.
            if value.is_win() || value.is_loss() && rules.seating().sides() == 2 {
                played.winner = Some(if value.is_win() { own } else { 1 - own });
                return Ok(played);
            }
            if rng.u32(..100) < self.asides {
                played.asides.extend(self.aside(&mut engine, &game, found.best, &mut rng)?);
            }
            let best = found.best.ok_or_else(|| SelfPlayError::Defect("no move".to_owned()))?;
            played.moves.push(game.move_text(best));
            game.play_move(best).map_err(|error| defect(&error))?;
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        played.winner = winner.map(|side| side.index() as u8);
        Ok(played)
    }

    /// A balanced opening of some number of random moves; other numbers are tried where one has none, as
    /// two may in gomoku, where the move is worth much.
    fn opening(
        &self,
        rules: &Ruleset,
        number: u32,
        rng: &mut Rng,
    ) -> Result<Opening, OpeningsError> {
        let [least, most] = self.opening;
        let most = most.max(least);
        let drawn = rng.u32(least..=most);
        let balance = BalanceCriterion { window: self.balance, nodes: self.nodes };
        let get = |plies| Openings::Balanced { plies, seed: self.seed, balance }.get(number, rules);
        let mut opening = get(drawn);
        for plies in (drawn + 1..=most).chain(least..drawn) {
            if !matches!(opening, Err(OpeningsError::Unbalanced { .. })) {
                break;
            }
            opening = get(plies);
        }
        opening
    }

    /// A random move near the last one, that is not the best, and what comes of it.
    fn aside(
        &self,
        engine: &mut Engine,
        game: &Game,
        best: Option<Move>,
        rng: &mut Rng,
    ) -> Result<Option<Aside>, SelfPlayError> {
        let near = near_stones(game);
        let Some(mv) = rng.choice(near).filter(|&mv| Some(mv) != best) else { return Ok(None) };
        let Some(after) = going_on(game, mv) else { return Ok(None) };
        let found = search(engine, &after, self.nodes)?;
        Ok(found.best.map(|reply| Aside {
            ply: game.ply() as usize,
            mv: game.move_text(mv),
            value: found.report.score.value(),
            best: after.move_text(reply),
        }))
    }
}

/// The game after so many random moves near its stones, or fewer if one would end it.
fn stray(mut game: Game, moves: u32, rng: &mut Rng) -> Game {
    for _ in 0..moves {
        let near = rng.choice(near_stones(&game));
        let Some(after) = near.and_then(|mv| going_on(&game, mv)) else { break };
        game = after;
    }
    game
}

/// The game after a move, if that is legal and does not end it.
fn going_on(game: &Game, mv: Move) -> Option<Game> {
    let mut after = game.clone();
    after.play_move(mv).ok()?;
    after.outcome().is_none().then_some(after)
}

/// Searches a position on this thread.
pub(super) fn search(
    engine: &mut Engine,
    game: &Game,
    nodes: u64,
) -> Result<SearchResult, SelfPlayError> {
    Ok(engine.think_on_this_thread(game, Limits::nodes(nodes), &Signal::new(), |_| ())?)
}

/// The moves of a game in words.
fn texts(game: &Game) -> Vec<String> {
    game.moves().into_iter().map(|mv| game.move_text(mv)).collect()
}

/// The legal moves within two cells of a stone, on squares in a row or diagonally.
fn near_stones(game: &Game) -> Vec<Move> {
    let stones: Vec<Cell> =
        game.cells().into_iter().filter(|&cell| game.content(cell).is_some()).collect();
    let distance = |a: Cell, b: Cell| match (game.grid(), game.hex_grid()) {
        (Some(grid), _) => Some(grid.chebyshev(a, b)),
        (None, Some(grid)) => Some(grid.distance(a, b)),
        (None, None) => None,
    };
    let near = |mv: &Move| {
        let cell = mv.cell();
        stones
            .iter()
            .any(|&stone| cell.and_then(|cell| distance(cell, stone)).is_some_and(|far| far <= 2))
    };
    game.legal_moves().into_iter().filter(near).collect()
}
