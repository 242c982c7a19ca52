//! Games of the engine against itself, and searches of their positions with more nodes.

use super::training_game::{GameTextError, SidePosition, TrainingGame};
use fastrand::Rng;
use pentarch_arena::{BalanceCriterion, Opening, Openings, OpeningsError};
use pentarch_core::game::{Cell, Move, mix_bytes};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Limits, SearchResult, Signal};
use pentarch_engine::{Engine, EngineError, Game, Options};
use pentarch_records::{self as records, ReadError, ReadOptions};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The settings of self-play. The same settings give the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// The texts of the rulesets, which games use in turn.
    pub variants: Vec<String>,
    /// The nodes of each search.
    pub nodes: u64,
    /// The least and the greatest number of moves of an opening.
    pub opening: [u32; 2],
    /// The files of games that openings are sampled from; if empty, openings are random moves.
    #[serde(default, rename = "starts", skip_serializing_if = "Vec::is_empty")]
    pub opening_sources: Vec<String>,
    /// The most random moves that follow an opening sampled from a game, so that one game gives several
    /// openings.
    #[serde(default, rename = "strays")]
    pub random_moves: u32,
    /// The greatest absolute score of a random opening, in points, by a search of `nodes` nodes.
    pub balance: u32,
    /// The percentage of positions after which a random move is searched as well.
    #[serde(rename = "asides")]
    pub side_positions: u32,
    /// The seed of openings and side positions.
    pub seed: u64,
    /// The shard whose games are played, such as `2/4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// Why a game cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// No opening was found.
    #[error(transparent)]
    Opening(#[from] OpeningsError),
    /// No game of the opening sources has a usable position.
    #[error(
        "{0}: no game of --from is long enough, or none is by these rules; use other games or fewer plies"
    )]
    OpeningSources(String),
    /// The engine cannot search.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An opening or a move of the engine is illegal: a bug.
    #[error("{0}")]
    Bug(String),
}

/// The hash table of a game's searches in MiB. Searches of few nodes fill little of it.
const HASH: usize = 1;

impl SelfPlay {
    /// The ply at which a game ends as a draw.
    pub const MAX_PLIES: u32 = 200;
    /// The stack size that a thread needs to play a game, in bytes.
    pub const STACK: usize = Engine::STACK;

    /// Plays the game with a number, from 0. The thread needs [`SelfPlay::STACK`] bytes of stack.
    pub fn game(
        &self,
        rules: &[Ruleset],
        starts: &StartPositions,
        number: u32,
    ) -> Result<TrainingGame, SelfPlayError> {
        let bug = |error: &dyn std::error::Error| SelfPlayError::Bug(error.to_string());
        let rules = &rules[number as usize % rules.len().max(1)];
        let mut rng = Rng::with_seed(self.seed.rotate_left(32) ^ u64::from(number));
        let mut game = if starts.is_empty() {
            self.random_opening(rules, number, &mut rng)?.play(rules).map_err(|e| bug(&e))?
        } else {
            let start = starts.sample(rules, self.opening, &mut rng);
            let start = start.ok_or_else(|| SelfPlayError::OpeningSources(rules.to_string()))?;
            after_random_moves(start, rng.u32(..=self.random_moves), &mut rng)
        };
        let mut played = TrainingGame {
            variant: rules.to_string(),
            moves: game.moves().into_iter().map(|mv| game.move_text(mv)).collect(),
            opening: game.ply() as usize,
            values: Vec::new(),
            best: Vec::new(),
            winner: None,
            side_positions: Vec::new(),
        };
        let mut engine = Engine::new(Options { hash: HASH, ..Options::default() });
        while game.outcome().is_none() && game.ply() < SelfPlay::MAX_PLIES {
            let found = search(&mut engine, &game, self.nodes)?;
            let value = found.report.score;
            played.values.push(value.value());
            let own = game.side_of(game.to_move()).index() as u8;
            // With three or more sides a proved loss does not name the winner.
            if value.is_win() || value.is_loss() && rules.seating().sides() == 2 {
                played.winner = Some(if value.is_win() { own } else { 1 - own });
                return Ok(played);
            }
            if rng.u32(..100) < self.side_positions {
                let side = self.side_position(&mut engine, &game, found.best, &mut rng)?;
                played.side_positions.extend(side);
            }
            let best = found.best.ok_or_else(|| SelfPlayError::Bug("no move".to_owned()))?;
            played.moves.push(game.move_text(best));
            game.play_move(best).map_err(|error| bug(&error))?;
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        played.winner = winner.map(|side| side.index() as u8);
        Ok(played)
    }

    /// A balanced opening of a random number of moves. Tries the other numbers if there is none: in
    /// gomoku hardly any opening of two moves is balanced.
    fn random_opening(
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

    /// Searches the position after a random move near the stones other than the best move. `None` if the
    /// drawn move is the best one or ends the game.
    fn side_position(
        &self,
        engine: &mut Engine,
        game: &Game,
        best: Option<Move>,
        rng: &mut Rng,
    ) -> Result<Option<SidePosition>, SelfPlayError> {
        let near = moves_near_stones(game);
        let Some(mv) = rng.choice(near).filter(|&mv| Some(mv) != best) else { return Ok(None) };
        let Some(after) = after_move(game, mv) else { return Ok(None) };
        let found = search(engine, &after, self.nodes)?;
        Ok(found.best.map(|reply| SidePosition {
            ply: game.ply() as usize,
            mv: game.move_text(mv),
            value: found.report.score.value(),
            best: after.move_text(reply),
        }))
    }
}

/// The game after at most this many random moves near its stones; stops before a move that ends it.
fn after_random_moves(mut game: Game, moves: u32, rng: &mut Rng) -> Game {
    for _ in 0..moves {
        let near = rng.choice(moves_near_stones(&game));
        let Some(after) = near.and_then(|mv| after_move(&game, mv)) else { break };
        game = after;
    }
    game
}

/// The game after a move, or `None` if the move is illegal or ends the game.
fn after_move(game: &Game, mv: Move) -> Option<Game> {
    let mut after = game.clone();
    after.play_move(mv).ok()?;
    after.outcome().is_none().then_some(after)
}

fn search(engine: &mut Engine, game: &Game, nodes: u64) -> Result<SearchResult, SelfPlayError> {
    Ok(engine.search_on_this_thread(game, Limits::nodes(nodes), &Signal::new(), |_| ())?)
}

/// The legal moves within two cells of a stone; on squares diagonal steps count as one.
fn moves_near_stones(game: &Game) -> Vec<Move> {
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

/// Games of records from which self-play takes its openings.
///
/// Short searches after random openings end games early, so such games hardly ever reach half-full
/// boards, and a network fitted to them alone predicts those badly: over 1,000 games of gomoku at 300 ms a
/// move between engines of similar strength the loss of a network was 0.639, where the weights that it
/// corrects had 0.578.
#[derive(Clone, Debug, Default)]
pub struct StartPositions {
    /// The moves of each game.
    games: Vec<Vec<String>>,
    sources: Vec<String>,
}

/// The number of moves at the end of a game that are not used: the game is as good as decided.
const DECIDED: usize = 10;
/// The number of positions that are sampled before [`StartPositions::sample`] gives up.
const SAMPLES: usize = 1000;

impl StartPositions {
    /// Adds the games of a file, in any format that [`records`] reads, that begin at the initial
    /// position.
    pub fn add(&mut self, path: &Path) -> Result<(), ReadError> {
        let (mut hash, before) = (0, self.games.len());
        for game in records::read(path, &ReadOptions::default())? {
            let game = game?;
            if let Some(reason) = game.warnings.first() {
                let (path, reason) = (path.to_owned(), reason.clone());
                return Err(ReadError::Line { path, line: game.line, reason });
            }
            if game.initial_position.is_none() && game.moves.len() > DECIDED {
                hash = mix_bytes(hash, game.moves.iter().flat_map(|text| text.bytes()));
                self.games.push(game.moves);
            }
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let games = self.games.len() - before;
        self.sources.push(format!("{name}: {games} games, hash {hash:016x}"));
        Ok(())
    }

    /// The name, the number of games and the hash of each file.
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Samples a position at a ply between `least` and `most` of a random game whose moves are legal by
    /// these rules. `None` if no sample is usable.
    fn sample(&self, rules: &Ruleset, [least, most]: [u32; 2], rng: &mut Rng) -> Option<Game> {
        (0..SAMPLES).find_map(|_| {
            let moves = rng.choice(&self.games)?;
            let last = moves.len().checked_sub(DECIDED)?.min(most as usize);
            let plies = (least as usize <= last).then(|| rng.usize(least as usize..=last))?;
            let mut game = Game::new(rules.clone());
            for text in &moves[..plies] {
                game.play(text).ok()?;
            }
            game.outcome().is_none().then_some(game)
        })
    }
}

/// Why a game cannot be searched again.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    /// The game cannot be replayed.
    #[error(transparent)]
    Game(#[from] GameTextError),
    /// The engine cannot search.
    #[error(transparent)]
    Search(#[from] SelfPlayError),
}

/// The hash table of [`rescore`] in MiB.
const RESCORE_HASH: usize = 8;

/// Replaces the scores and best moves of a game by those of searches of `nodes` nodes. The thread needs
/// [`SelfPlay::STACK`] bytes of stack.
pub fn rescore(game: &TrainingGame, nodes: u64) -> Result<TrainingGame, RescoreError> {
    let mut rescored = TrainingGame { best: Vec::new(), ..game.clone() };
    let mut engine = Engine::new(Options { hash: RESCORE_HASH, ..Options::default() });
    let mut position = Game::new(game.rules()?);
    let mut next_side = 0;
    for ply in 0..=game.moves.len() {
        if let Some(index) = ply.checked_sub(game.opening).filter(|&i| i < game.values.len()) {
            let found = search(&mut engine, &position, nodes)?;
            rescored.values[index] = found.report.score.value();
            if ply < game.moves.len() {
                rescored.best.extend(found.best.map(|mv| position.move_text(mv)));
            }
        }
        let at_ply = |side: &&mut SidePosition| side.ply == ply;
        while let Some(side) = rescored.side_positions.get_mut(next_side).filter(at_ply) {
            position.play(&side.mv).map_err(GameTextError::Move)?;
            let found = search(&mut engine, &position, nodes)?;
            side.value = found.report.score.value();
            if let Some(mv) = found.best {
                side.best = position.move_text(mv);
            }
            position.undo();
            next_side += 1;
        }
        if let Some(text) = game.moves.get(ply) {
            position.play(text).map_err(GameTextError::Move)?;
        }
    }
    Ok(rescored)
}
