//! The tactics format: a position with a forced win, one a line.
//!
//! ```ebnf
//! line     = spec , ";" , "win in" , plies , ";" , "by" , { move } , ";" , position , ";" , source ;
//! position = "moves" , { move } | "position" , position text ;
//! ```
//!
//! `spec` is a game as everywhere, `plies` the length of the shortest win that was found, its last
//! move included, and `by` gives every first move known to win within that length. `moves` lead to
//! the position from the start of the game; a position text is that of `SPEC.md`. The source says
//! where the position comes from. Blanks around fields do not count, nor do empty lines and lines
//! that begin with `#`.

use crate::tactics::{Prover, Reach, Spent, Win};
use pentarch_core::game::{Key, Move, PositionTextError};
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::eval::StoneTables;
use pentarch_engine::search::{Limits, Score, Signal};
use pentarch_engine::{Engine, EngineError, Game, GameError, Options};
use pentarch_records::{RecordedGame, ReplayError};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::{fmt, io};

/// A position with a forced win for the side to move.
///
/// ```
/// use pentarch_analysis::tactics::Tactic;
/// let line = "gomoku+line=3+size=5; win in 3; by c3; moves b2 a1 c2 d2; by hand";
/// let tactic: Tactic = line.parse().unwrap();
/// assert_eq!((tactic.plies, tactic.first.len()), (3, 1));
/// assert_eq!(tactic.to_string(), line);
/// let error = line.replace("a1", "b2").parse::<Tactic>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "field 4 (position): illegal move `b2`: the point is occupied",
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Tactic {
    /// The game at the position, which is open.
    pub game: Game,
    /// The position text that the game begins at, unless it is the start of the game.
    pub start: Option<String>,
    /// Plies to the end, the winning move included.
    pub plies: u32,
    /// The first moves that are known to win within that length; at least one.
    pub first: Vec<Move>,
    /// Where the position comes from.
    pub source: String,
}

/// A line that is no tactic: the field and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("field {number} ({}): {problem}", FIELDS[.number - 1])]
pub struct TacticError {
    number: usize,
    problem: Problem,
}

const FIELDS: [&str; 5] = ["game", "length", "first moves", "position", "source"];

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Problem {
    #[error(transparent)]
    Spec(#[from] VariantSpecError),
    #[error(transparent)]
    Move(#[from] GameError),
    #[error(transparent)]
    Position(#[from] PositionTextError),
    #[error("expected `{0}`")]
    Expected(&'static str),
    #[error("the game is over there")]
    Over,
    #[error("expected a game of stones")]
    Tiles,
}

/// Why tactics cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TacticsFileError {
    /// The file cannot be read.
    #[error("cannot read the tactics in {}: {}; check the path", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// A line is no tactic.
    #[error("{} line {line}, {error}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        error: TacticError,
    },
    /// The file has no tactic in it.
    #[error("no position in {}", .0.display())]
    Empty(PathBuf),
}

impl Tactic {
    /// Reads a file of tactics.
    pub fn read(path: &Path) -> Result<Vec<Tactic>, TacticsFileError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| TacticsFileError::File(path.to_owned(), error))?;
        let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
        let tactics: Vec<Tactic> = lines
            .filter(|(_, text)| !text.trim().is_empty() && !text.trim_start().starts_with('#'))
            .map(|(line, text)| {
                let path = || path.to_owned();
                text.parse().map_err(|error| TacticsFileError::Line { path: path(), line, error })
            })
            .collect::<Result<_, _>>()?;
        if tactics.is_empty() { Err(TacticsFileError::Empty(path.to_owned())) } else { Ok(tactics) }
    }
}

impl FromStr for Tactic {
    type Err = TacticError;

    fn from_str(line: &str) -> Result<Tactic, TacticError> {
        let fields: Vec<&str> = line.splitn(5, ';').map(str::trim).collect();
        let field = |index: usize, keyword: &'static str| {
            let text = fields.get(index).copied().unwrap_or_default();
            let rest = text.strip_prefix(keyword.split(' ').next().unwrap_or_default());
            rest.ok_or(TacticError { number: index + 1, problem: Problem::Expected(keyword) })
        };
        let at = |number| move |problem| TacticError { number, problem };
        let rules = field(0, "")?.parse().map_err(|error: VariantSpecError| at(1)(error.into()))?;
        let game = Game::new(rules);
        if game.placement().is_none() {
            return Err(at(1)(Problem::Tiles));
        }
        let plies = parse_plies(field(1, "win in N")?).ok_or(Problem::Expected("win in N"));
        let first = field(2, "by MOVE...")?;
        let place = fields.get(3).copied().unwrap_or_default();
        let (game, start) = parse_place(game, place).map_err(at(4))?;
        let source = field(4, "")?.to_owned();
        if source.is_empty() {
            return Err(at(5)(Problem::Expected("where the position comes from")));
        }
        let first = parse_first(&game, first).map_err(at(3))?;
        Ok(Tactic { game, start, plies: plies.map_err(at(2))?, first, source })
    }
}

/// The number after `win in`.
fn parse_plies(text: &str) -> Option<u32> {
    let plies = text.trim_start().strip_prefix("in ")?.trim().parse().ok()?;
    (1..=MOST_PLIES).contains(&plies).then_some(plies)
}

/// The longest win that can be written down.
const MOST_PLIES: u32 = 999;

fn parse_place(mut game: Game, text: &str) -> Result<(Game, Option<String>), Problem> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let start = match word {
        "moves" => {
            for mv in rest.split_whitespace() {
                game.play(mv)?;
            }
            None
        }
        "position" => {
            game = game.with_text(rest)?;
            Some(game.text())
        }
        _ => return Err(Problem::Expected("moves MOVE... or position TEXT")),
    };
    if game.outcome().is_some() { Err(Problem::Over) } else { Ok((game, start)) }
}

fn parse_first(game: &Game, text: &str) -> Result<Vec<Move>, Problem> {
    let mut first = Vec::new();
    for text in text.split_whitespace() {
        first.push(game.clone().play(text)?);
    }
    if first.is_empty() { Err(Problem::Expected("by MOVE...")) } else { Ok(first) }
}

impl fmt::Display for Tactic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = |moves: &[Move]| {
            let texts: Vec<_> = moves.iter().map(|&mv| self.game.move_text(mv)).collect();
            texts.join(" ")
        };
        let (rules, plies, source) = (self.game.rules(), self.plies, &self.source);
        write!(f, "{rules}; win in {plies}; by {}; ", texts(&self.first))?;
        match &self.start {
            Some(text) => write!(f, "position {text}; {source}"),
            None => write!(f, "moves {}; {source}", texts(&self.game.moves())),
        }
    }
}

// How many tactics an engine solves.

/// What the engine made of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveResult {
    /// It announced a win, and its move is one that is known or was proved to win so soon.
    Solved,
    /// It announced no win.
    Missed,
    /// It announced a win by a move, or in a length, that was not proved within the limit.
    Unproved,
    /// It announced a loss, or a win where there is none.
    False,
    /// It gave no answer.
    Failed,
}

/// Asks the engine about a position, with a number of nodes and a fresh table, and judges the answer.
pub fn solve(tactic: &Tactic, nodes: u64) -> Result<SolveResult, EngineError> {
    let mut engine = Engine::new(Options { hash: HASH, ..Options::default() });
    let found = engine.think_here(&tactic.game, Limits::nodes(nodes), &Signal::new(), |_| ())?;
    Ok(judge(tactic, found.best, Some(found.report.score)))
}

/// Judges an answer to a position, of any engine: its move, and its value of the position.
pub fn judge(tactic: &Tactic, best: Option<Move>, score: Option<Score>) -> SolveResult {
    let Some(mate) = score.and_then(Score::mate) else { return SolveResult::Missed };
    let (Ok(plies @ 1..), Some(best)) = (u32::try_from(mate), best) else {
        return SolveResult::False;
    };
    if plies >= tactic.plies && tactic.first.contains(&best) {
        return SolveResult::Solved;
    }
    let Some(position) = tactic.game.placement() else { return SolveResult::Unproved };
    let tables = Arc::new(StoneTables::new(position.rules()));
    let mut prover = Prover::new(position, tables, PROOF_NODES);
    let quiet = if plies <= COMPLETE { 1 } else { 2 };
    match prover.wins_by(best, Reach { plies, quiet }) {
        Ok(true) => SolveResult::Solved,
        Ok(false) if plies <= COMPLETE => SolveResult::False,
        _ => SolveResult::Unproved,
    }
}

/// The size of the engine's table, in MiB; enough for a million nodes.
const HASH: usize = 16;
/// What the proof of a move that is not listed may cost, in nodes.
const PROOF_NODES: u64 = 3_000_000;
/// A refusal of the prover with one quiet move is final up to this length.
const COMPLETE: u32 = 5;

// Tactics from recorded games.

/// Looks for positions with a forced win shortly before the end of games.
#[derive(Clone, Debug)]
pub struct Miner {
    rules: Ruleset,
    tables: Option<Arc<StoneTables>>,
    /// How many plies before the end of a game to look.
    pub before_end: RangeInclusive<u32>,
    /// How many quiet moves a win may have; see [`Reach`].
    pub quiet: u32,
    /// The most nodes to spend on a position.
    pub nodes: u64,
}

/// What a game had to offer.
#[derive(Clone, Debug, Default)]
pub struct Mined {
    /// The positions that were looked at: the winner was to move.
    pub looked_at: usize,
    /// The positions that were not decided within the limit of nodes.
    pub undecided: usize,
    /// Those with a forced win no longer than the rest of the game.
    pub tactics: Vec<Tactic>,
}

impl Miner {
    /// A miner for games of these rules, where a record names no others.
    pub fn new(rules: Ruleset) -> Miner {
        let tables = rules.narrow().map(|rules| Arc::new(StoneTables::new(&rules)));
        Miner { rules, tables, before_end: 3..=9, quiet: 1, nodes: 1_000_000 }
    }

    /// Looks at a game.
    pub fn mine(&self, recorded: &RecordedGame) -> Result<Mined, ReplayError> {
        let mut game = recorded.replay(&self.rules)?;
        let mut mined = Mined::default();
        let Some(winner) = recorded.winner() else { return Ok(mined) };
        let length = game.moves().len();
        for before_end in 1..=*self.before_end.end() {
            if game.undo().is_none() {
                break;
            }
            let wanted = self.before_end.contains(&before_end);
            if !wanted || game.side_of(game.to_move()) != winner {
                continue;
            }
            mined.looked_at += 1;
            let ply = length - before_end as usize + 1;
            let source = format!("{}, ply {ply}", recorded.name);
            match self.prove(&game, before_end, source, recorded.initial_position.clone()) {
                Ok(tactic) => mined.tactics.extend(tactic),
                Err(Spent) => mined.undecided += 1,
            }
        }
        Ok(mined)
    }

    /// The position as a tactic if it is won within that number of plies.
    fn prove(
        &self,
        game: &Game,
        plies: u32,
        source: String,
        start: Option<String>,
    ) -> Result<Option<Tactic>, Spent> {
        let Some(position) = game.placement() else { return Ok(None) };
        let tables = match &self.tables {
            Some(tables) if tables.serve(position.rules()) => Arc::clone(tables),
            _ => Arc::new(StoneTables::new(position.rules())),
        };
        let mut prover = Prover::new(position, tables, self.nodes);
        let Some(Win { plies, .. }) = prover.shortest(Reach { plies, quiet: self.quiet })? else {
            return Ok(None);
        };
        let first = prover.first_moves(Reach { plies, quiet: self.quiet })?;
        // A game that began at a position text is written as the position itself.
        let start = start.map(|_| game.text());
        Ok(Some(Tactic { game: game.clone(), start, plies, first, source }))
    }
}

/// The positions met so far, so that each is kept once.
#[derive(Clone, Debug, Default)]
pub struct Seen(HashSet<(String, Option<Key>)>);

impl Seen {
    /// Whether a position is met for the first time.
    pub fn is_new(&mut self, tactic: &Tactic) -> bool {
        let key = tactic.game.placement().map(pentarch_core::game::Position::key);
        self.0.insert((tactic.game.rules().to_string(), key))
    }
}
