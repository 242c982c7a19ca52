//! Games that are ended before the rules end them, because nothing is open any more.
//!
//! The rules by score are those of cutechess and fastchess, with both engines asked: `resign` and
//! `draw` look at what the engines have said of the positions in which they moved.

use pentarch_core::game::Side;
use pentarch_engine::search::{Limits, Signal};
use pentarch_engine::{Engine, EngineError, Game, Options};
use pentarch_records::RecordedPly;
use std::fmt;
use std::str::FromStr;

/// When a game is ended early. By default it is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// A win on which both engines agree.
    pub resign: Option<ResignRule>,
    /// A draw on which both engines agree.
    pub draw: Option<DrawRule>,
    /// A draw after that many plies, those of the opening included.
    pub max_plies: Option<u32>,
    /// A win that a search of that many nodes after each move proves.
    pub proven: Option<u64>,
    /// Whether a late move loses even if the machine was too busy for the player to be in time.
    pub strict_time: bool,
}

/// A win by score: `movecount=N,score=S`. Each side has said in each of its last N moves that one of
/// them is S points or more ahead.
///
/// ```
/// use pentarch_arena::ResignRule;
/// let rule: ResignRule = "movecount=3,score=600".parse().unwrap();
/// assert_eq!((rule.move_count, rule.score), (3, 600));
/// assert_eq!(rule.to_string().parse(), Ok(rule));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// The moves of each side.
    pub move_count: u32,
    /// The least lead, in points.
    pub score: u32,
}

/// A draw by score: `movenumber=M,movecount=N,score=S`. After M moves each side has said in each of
/// its last N moves that nobody is more than S points ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The moves of each side before which no game is drawn.
    pub move_number: u32,
    /// The moves of each side.
    pub move_count: u32,
    /// The greatest lead, in points.
    pub score: u32,
}

/// A text that is no rule. The message names the word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// No such word.
    #[error("unknown word `{0}`, expected {1}")]
    Unknown(String, &'static str),
    /// A value that is no number.
    #[error("`{0}`: expected a number from {1} to {2}")]
    Number(String, u32, u32),
    /// A word that must be there.
    #[error("`{0}=` is missing")]
    Missing(&'static str),
}

/// Why a game was ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both sides agree that it is won.
    Win(Side, ResignRule),
    /// Both sides agree that it is drawn.
    Draw(DrawRule),
    /// It is too long.
    Length(u32),
    /// A win in that many plies is proved.
    Proof(Side, u32),
}

impl Verdict {
    /// The winner.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Verdict::Win(side, _) | Verdict::Proof(side, _) => Some(side),
            Verdict::Draw(_) | Verdict::Length(_) => None,
        }
    }

    /// The reason in a word, as records have it.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Win(..) => "adjudicated-win",
            Verdict::Draw(_) => "adjudicated-draw",
            Verdict::Length(_) => "adjudicated-length",
            Verdict::Proof(..) => "adjudicated-proof",
        }
    }
}

/// What was seen, in a sentence.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Win(side, ResignRule { move_count, score }) => write!(
                f,
                "for {move_count} moves both sides said that side {side} leads by {score} or more"
            ),
            Verdict::Draw(DrawRule { move_count, score, .. }) => {
                write!(f, "for {move_count} moves neither side saw a lead of more than {score}")
            }
            Verdict::Length(plies) => write!(f, "no end after {plies} plies"),
            Verdict::Proof(side, plies) => {
                write!(f, "a win of side {side} within {plies} plies is proved")
            }
        }
    }
}

impl Adjudication {
    /// Whether it has a rule that needs two sides with opposite interests.
    pub(crate) fn needs_two_sides(&self) -> bool {
        self.resign.is_some() || self.draw.is_some() || self.proven.is_some()
    }

    /// The verdict on an open game of that many sides, if there is one, except for proofs.
    pub(crate) fn judge(&self, plies: &[RecordedPly], sides: u8) -> Option<Verdict> {
        let too_long = self.max_plies.filter(|&most| plies.len() >= most as usize);
        let said = Said { plies, sides };
        let won = || self.resign.and_then(|rule| rule.judge(said));
        let drawn = || self.draw.and_then(|rule| rule.judge(said));
        won().or_else(drawn).or(too_long.map(Verdict::Length))
    }
}

/// What the sides have said of their moves.
#[derive(Clone, Copy)]
struct Said<'a> {
    plies: &'a [RecordedPly],
    sides: u8,
}

impl<'a> Said<'a> {
    /// The moves of a side, newest first.
    fn moves(self, side: Side) -> impl Iterator<Item = &'a RecordedPly> {
        let of_side =
            move |ply: &&RecordedPly| ply.seat > 0 && (ply.seat - 1) % self.sides.max(1) == side.0;
        self.plies.iter().rev().filter(of_side)
    }

    /// Whether the last moves of a side all had values that fit.
    fn agrees(self, side: Side, moves: u32, fits: impl Fn(i32) -> bool) -> bool {
        let last = self.moves(side).take(moves as usize);
        last.filter(|ply| ply.score.is_some_and(&fits)).count() == moves as usize
    }
}

impl ResignRule {
    const WORDS: &str = "movecount=N,score=S";

    fn judge(self, said: Said<'_>) -> Option<Verdict> {
        let score = self.score as i32;
        [Side(0), Side(1)].into_iter().find_map(|winner| {
            let loser = Side(1 - winner.0);
            let agreed = said.agrees(winner, self.move_count, |value| value >= score)
                && said.agrees(loser, self.move_count, |value| value <= -score);
            agreed.then_some(Verdict::Win(winner, self))
        })
    }
}

impl DrawRule {
    const WORDS: &str = "movenumber=M,movecount=N,score=S";

    fn judge(self, said: Said<'_>) -> Option<Verdict> {
        let even = |value: i32| value.unsigned_abs() <= self.score;
        let agreed = [Side(0), Side(1)].into_iter().all(|side| {
            let moves = said.moves(side).count();
            moves >= self.move_number as usize && said.agrees(side, self.move_count, even)
        });
        agreed.then_some(Verdict::Draw(self))
    }
}

/// The values of `KEY=NUMBER` words between commas or blanks, by key.
fn numbers<const N: usize>(
    text: &str,
    keys: [&'static str; N],
    words: &'static str,
) -> Result<[u32; N], RuleError> {
    let mut values = [None; N];
    let blank = |letter: char| letter == ',' || letter.is_whitespace();
    for word in text.split(blank).filter(|word| !word.is_empty()) {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let unknown = || RuleError::Unknown(word.chars().take(40).collect(), words);
        let index = keys.iter().position(|&known| known == key).ok_or_else(unknown)?;
        let (least, most) = if key == "movecount" { (1, MOST_MOVES) } else { (0, MOST_POINTS) };
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        let wrong = || RuleError::Number(word.chars().take(40).collect(), least, most);
        values[index] = Some(number.ok_or_else(wrong)?);
    }
    let mut found = [0; N];
    for ((value, key), place) in values.into_iter().zip(keys).zip(&mut found) {
        *place = value.ok_or(RuleError::Missing(key))?;
    }
    Ok(found)
}

const MOST_MOVES: u32 = 1000;
const MOST_POINTS: u32 = 30_000;

impl FromStr for ResignRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<ResignRule, RuleError> {
        let [move_count, score] = numbers(text, ["movecount", "score"], ResignRule::WORDS)?;
        Ok(ResignRule { move_count, score })
    }
}

impl FromStr for DrawRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<DrawRule, RuleError> {
        let keys = ["movenumber", "movecount", "score"];
        let [move_number, move_count, score] = numbers(text, keys, DrawRule::WORDS)?;
        Ok(DrawRule { move_number, move_count, score })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "movecount={},score={}", self.move_count, self.score)
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule { move_number, move_count, score } = self;
        write!(f, "movenumber={move_number},movecount={move_count},score={score}")
    }
}

/// Looks for wins that nothing can prevent.
#[derive(Debug)]
pub(crate) struct Prover {
    /// One that looks for forced wins, and one that proves the value of every position it finishes.
    engines: [Engine; 2],
    nodes: u64,
}

impl Prover {
    /// A prover that visits that many nodes a position.
    pub(crate) fn new(nodes: u64) -> Prover {
        let engine = |exact| Engine::new(Options { hash: 4, exact, ..Options::default() });
        Prover { engines: [engine(false), engine(true)], nodes: nodes.div_ceil(2) }
    }

    /// The winner of an open game of two sides, if it is proved. The same position has always the
    /// same answer.
    pub(crate) fn judge(&mut self, game: &Game) -> Result<Option<Verdict>, EngineError> {
        let mover = game.side_of(game.to_move());
        for engine in &mut self.engines {
            engine.clear();
            let limits = Limits::nodes(self.nodes);
            let found = engine.think_here(game, limits, &Signal::new(), |_| ())?;
            if let Some(plies) = found.report.score.mate() {
                let winner = if plies > 0 { mover } else { Side(1 - mover.0) };
                return Ok(Some(Verdict::Proof(winner, plies.unsigned_abs())));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::game::Seat;

    fn verdict(rules: &Adjudication, scores: &[Option<i32>]) -> Option<Verdict> {
        // Moves in turn with what was said before each, for the one who said it.
        let ply = |(&score, seat): (&Option<i32>, u8)| RecordedPly {
            seat,
            score,
            ..RecordedPly::default()
        };
        let plies: Vec<_> = scores.iter().zip([1, 2].into_iter().cycle()).map(ply).collect();
        rules.judge(&plies, 2)
    }

    #[test]
    fn both_must_agree_on_a_win() {
        let rule: ResignRule = "movecount=2,score=600".parse().unwrap();
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        let (won, lost) = (Some(700), Some(-700));
        assert_eq!(verdict(&rules, &[won, lost, won]), None);
        let seat = |side| Some(Verdict::Win(Side(side), rule));
        assert_eq!(verdict(&rules, &[won, lost, won, lost]), seat(0));
        assert_eq!(verdict(&rules, &[lost, won, lost, won]), seat(1));
        assert_eq!(verdict(&rules, &[won, lost, won, Some(-599)]), None, "one hopes on");
        assert_eq!(verdict(&rules, &[won, lost, None, lost]), None, "silence is no agreement");
        assert_eq!(verdict(&rules, &[won, won, won, won]), None, "both cannot lead");
        assert_eq!(verdict(&rules, &[None, None, won, lost, won, lost]), seat(0));
    }

    #[test]
    fn both_must_agree_on_a_draw() {
        let rule: DrawRule = "movenumber=3 movecount=2 score=10".parse().unwrap();
        let rules = Adjudication { draw: Some(rule), ..Adjudication::default() };
        let even = Some(-10);
        assert_eq!(verdict(&rules, &[even; 5]), None, "too early");
        assert_eq!(verdict(&rules, &[even; 6]), Some(Verdict::Draw(rule)));
        assert_eq!(verdict(&rules, &[even, even, even, Some(11), even, even]), None);
    }

    #[test]
    fn a_game_may_be_too_long() {
        let rules = Adjudication { max_plies: Some(3), ..Adjudication::default() };
        assert_eq!(verdict(&rules, &[None; 2]), None);
        assert_eq!(verdict(&rules, &[None; 3]), Some(Verdict::Length(3)));
    }

    #[test]
    fn a_win_is_proved_for_either_side() {
        let mut game = Game::new("gomoku".parse().unwrap());
        for text in ["h8", "a1", "i8", "c1", "j8"] {
            game.play(text).unwrap();
            if game.ply() < 5 {
                assert_eq!(Prover::new(400).judge(&game).unwrap(), None, "{text}");
            }
        }
        game.play("a15").unwrap();
        let Some(Verdict::Proof(side, plies)) = Prover::new(2000).judge(&game).unwrap() else {
            panic!("three in a row with the move wins")
        };
        assert_eq!((side, plies), (game.side_of(Seat(0)), 3));
        game.play("k8").unwrap();
        let Some(Verdict::Proof(side, _)) = Prover::new(2000).judge(&game).unwrap() else {
            panic!("an open four wins for who made it")
        };
        assert_eq!(side, Side(0));
    }

    #[test]
    fn bad_rules_name_the_word() {
        for (text, message) in [
            ("movecount=0,score=1", "`movecount=0`: expected a number from 1 to 1000"),
            ("movecount=1,score=x", "`score=x`: expected a number from 0 to 30000"),
            ("moves=1", "unknown word `moves=1`, expected movecount=N,score=S"),
            ("movecount=1", "`score=` is missing"),
        ] {
            assert_eq!(text.parse::<ResignRule>().unwrap_err().to_string(), message);
        }
    }
}
