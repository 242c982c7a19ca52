//! The tactics format, its solving by an engine, and the mining of tactics from recorded games. The
//! format has one position with a forced win a line:
//!
//! ```ebnf
//! line     = spec , ";" , "win in" , plies , ";" , "by" , { move } , ";" , position , ";" , source ;
//! position = "moves" , { move } | "position" , position text ;
//! ```
//!
//! `spec` is the spec of a game, `plies` the length of the shortest win that was found, including
//! its last move, and `by` lists every first move known to win within that length. `moves` lead to
//! the position from the start of the game; a position text is that of `SPEC.md`. The source says
//! where the position comes from. Spaces around fields are ignored, as are empty lines and lines
//! that begin with `#`.

use crate::LimitReached;
use crate::tactics::{ForcedWin, MateProver, ProofLimits};
use pentarch_core::game::{Key, Move, PositionTextError};
use pentarch_core::rules::{Ruleset, VariantSpecError};
use pentarch_engine::eval::StoneTables;
use pentarch_engine::search::{Limits, Score, Signal};
use pentarch_engine::{Engine, EngineError, Game, GameError, Options};
use pentarch_records::{Charset, RecordedGame, ReplayError, read_text};
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
    /// The position text of the start, unless it is the start of the game.
    pub start: Option<String>,
    /// The plies to the end, including the winning move.
    pub plies: u32,
    /// The first moves known to win within that length. At least one.
    pub first: Vec<Move>,
    /// The source of the position.
    pub source: String,
}

/// Why a line is not a tactic: the field and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("field {number} ({}): {problem}", FIELDS[.number - 1])]
pub struct TacticError {
    number: usize,
    problem: FieldProblem,
}

const FIELDS: [&str; 5] = ["game", "length", "first moves", "position", "source"];

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum FieldProblem {
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

/// Why a file of tactics cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TacticsFileError {
    /// The file cannot be read.
    #[error("cannot read the tactics in {}: {}; check the path", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// A line is not a tactic.
    #[error("{} line {line}, {error}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        error: TacticError,
    },
    /// The file has no tactic.
    #[error("no position in {}", .0.display())]
    Empty(PathBuf),
}

impl Tactic {
    /// Reads a file of tactics. Without a character set its text is UTF-8, or in a guessed one.
    pub fn read(path: &Path, charset: Option<Charset>) -> Result<Vec<Tactic>, TacticsFileError> {
        let text = read_text(path, charset)
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
            rest.ok_or(TacticError { number: index + 1, problem: FieldProblem::Expected(keyword) })
        };
        let at = |number| move |problem| TacticError { number, problem };
        let rules = field(0, "")?.parse().map_err(|error: VariantSpecError| at(1)(error.into()))?;
        let game = Game::new(rules);
        if game.placement().is_none() {
            return Err(at(1)(FieldProblem::Tiles));
        }
        let plies = parse_plies(field(1, "win in N")?).ok_or(FieldProblem::Expected("win in N"));
        let first = field(2, "by MOVE...")?;
        let place = fields.get(3).copied().unwrap_or_default();
        let (game, start) = parse_position(game, place).map_err(at(4))?;
        let source = field(4, "")?.to_owned();
        if source.is_empty() {
            return Err(at(5)(FieldProblem::Expected("where the position comes from")));
        }
        let first = parse_first(&game, first).map_err(at(3))?;
        Ok(Tactic { game, start, plies: plies.map_err(at(2))?, first, source })
    }
}

/// Parses the number after `win in`.
fn parse_plies(text: &str) -> Option<u32> {
    let plies = text.trim_start().strip_prefix("in ")?.trim().parse().ok()?;
    (1..=MAX_PLIES).contains(&plies).then_some(plies)
}

/// The maximum length of a win.
const MAX_PLIES: u32 = 999;

fn parse_position(mut game: Game, text: &str) -> Result<(Game, Option<String>), FieldProblem> {
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
        _ => return Err(FieldProblem::Expected("moves MOVE... or position TEXT")),
    };
    if game.outcome().is_some() { Err(FieldProblem::Over) } else { Ok((game, start)) }
}

fn parse_first(game: &Game, text: &str) -> Result<Vec<Move>, FieldProblem> {
    let mut first = Vec::new();
    for text in text.split_whitespace() {
        first.push(game.clone().play(text)?);
    }
    if first.is_empty() { Err(FieldProblem::Expected("by MOVE...")) } else { Ok(first) }
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

/// The result of an engine for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveResult {
    /// It announced a win, and its move is known or proved to win within that length.
    Solved,
    /// It announced no win.
    Missed,
    /// It announced a win by a move or in a length that was not proved within the limit.
    Unproved,
    /// It announced a loss, or a win that does not exist.
    False,
    /// It gave no answer.
    Failed,
}

/// Searches a position with a number of nodes and an empty table and judges the result.
pub fn solve(tactic: &Tactic, nodes: u64) -> Result<SolveResult, EngineError> {
    let mut engine = Engine::new(Options { hash: HASH_MIB, ..Options::default() });
    let found = engine.search(&tactic.game, Limits::nodes(nodes), &Signal::new(), |_| ())?;
    Ok(judge_answer(tactic, found.best, Some(found.report.score)))
}

/// Judges the answer of any engine to a position: its move and its score.
pub fn judge_answer(tactic: &Tactic, best: Option<Move>, score: Option<Score>) -> SolveResult {
    let Some(mate) = score.and_then(Score::mate) else { return SolveResult::Missed };
    let (Ok(plies @ 1..), Some(best)) = (u32::try_from(mate), best) else {
        return SolveResult::False;
    };
    if plies >= tactic.plies && tactic.first.contains(&best) {
        return SolveResult::Solved;
    }
    let Some(position) = tactic.game.placement() else { return SolveResult::Unproved };
    let tables = Arc::new(StoneTables::new(position.rules()));
    let mut prover = MateProver::new(position, tables, PROOF_NODES);
    let quiet = if plies <= MAX_COMPLETE_PLIES { 1 } else { 2 };
    match prover.wins_by(best, ProofLimits { plies, quiet }) {
        Ok(true) => SolveResult::Solved,
        Ok(false) if plies <= MAX_COMPLETE_PLIES => SolveResult::False,
        _ => SolveResult::Unproved,
    }
}

/// The size of the engine's hash table in MiB, enough for a million nodes.
const HASH_MIB: usize = 16;
/// The maximum number of nodes of the proof of a move that is not listed.
const PROOF_NODES: u64 = 3_000_000;
/// The length up to which a negative result of the prover with one quiet move is final.
const MAX_COMPLETE_PLIES: u32 = 5;

/// Finds positions with a forced win shortly before the end of games.
#[derive(Clone, Debug)]
pub struct TacticMiner {
    rules: Ruleset,
    tables: Option<Arc<StoneTables>>,
    /// The plies before the end of a game at which positions are searched.
    pub before_end: RangeInclusive<u32>,
    /// The number of quiet moves of a win; see [`ProofLimits`].
    pub quiet: u32,
    /// The maximum number of nodes for a position.
    pub nodes: u64,
}

/// The tactics of a game.
#[derive(Clone, Debug, Default)]
pub struct MiningResult {
    /// The number of positions searched: those with the winner to move.
    pub searched: usize,
    /// The number of positions that were not decided within the limit.
    pub undecided: usize,
    /// The positions with a forced win no longer than the rest of the game.
    pub tactics: Vec<Tactic>,
}

impl TacticMiner {
    /// Creates a miner for games of these rules, unless a record names others.
    pub fn new(rules: Ruleset) -> TacticMiner {
        let tables = rules.narrow().map(|rules| Arc::new(StoneTables::new(&rules)));
        TacticMiner { rules, tables, before_end: 3..=9, quiet: 1, nodes: 1_000_000 }
    }

    /// Searches a game.
    pub fn mine(&self, recorded: &RecordedGame) -> Result<MiningResult, ReplayError> {
        let mut game = recorded.replay(&self.rules)?;
        let mut mined = MiningResult::default();
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
            mined.searched += 1;
            let ply = length - before_end as usize + 1;
            let source = format!("{}, ply {ply}", recorded.name);
            match self.prove(&game, before_end, source, recorded.initial_position.clone()) {
                Ok(tactic) => mined.tactics.extend(tactic),
                Err(LimitReached) => mined.undecided += 1,
            }
        }
        Ok(mined)
    }

    /// Returns the position as a tactic if it is won within that number of plies.
    fn prove(
        &self,
        game: &Game,
        plies: u32,
        source: String,
        start: Option<String>,
    ) -> Result<Option<Tactic>, LimitReached> {
        let Some(position) = game.placement() else { return Ok(None) };
        let tables = match &self.tables {
            Some(tables) if tables.serve(position.rules()) => Arc::clone(tables),
            _ => Arc::new(StoneTables::new(position.rules())),
        };
        let mut prover = MateProver::new(position, tables, self.nodes);
        let Some(ForcedWin { plies, .. }) =
            prover.shortest(ProofLimits { plies, quiet: self.quiet })?
        else {
            return Ok(None);
        };
        let first = prover.first_moves(ProofLimits { plies, quiet: self.quiet })?;
        // If a game began at a position text, the tactic is written as a position.
        let start = start.map(|_| game.text());
        Ok(Some(Tactic { game: game.clone(), start, plies, first, source }))
    }
}

/// The positions met so far, for removing duplicates.
#[derive(Clone, Debug, Default)]
pub struct SeenPositions(HashSet<(String, Option<Key>)>);

impl SeenPositions {
    /// Returns whether a position is met for the first time.
    pub fn is_new(&mut self, tactic: &Tactic) -> bool {
        let key = tactic.game.placement().map(pentarch_core::game::Position::key);
        self.0.insert((tactic.game.rules().to_string(), key))
    }
}
