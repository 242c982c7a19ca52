//! Adjudication: games that the arena ends before the rules do, because the result is clear.
//!
//! The rules by score are those of cutechess and fastchess: `resign` and `draw` look at the scores
//! that both engines reported for the positions in which they moved.

use pentarch_core::game::Side;
use pentarch_engine::search::{Limits, Signal};
use pentarch_engine::{Engine, EngineError, Game, Options};
use pentarch_records::RecordedPly;
use std::fmt;
use std::str::FromStr;

/// When a game is adjudicated. By default it never is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// A win on which both engines agree by score.
    pub resign: Option<ResignRule>,
    /// A draw on which both engines agree by score.
    pub draw: Option<DrawRule>,
    /// A draw after this number of plies, including those of the opening.
    pub max_plies: Option<u32>,
    /// A win that a search of this many nodes after each move proves.
    pub proven: Option<u64>,
    /// Whether a late move loses even if the machine was too busy for the player to be in time.
    pub strict_time: bool,
}

/// A win by score: `movecount=N,score=S[,twosided=false]`. In each of its last N moves each side
/// reported that the same side is S points or more ahead; if the rule is not two-sided, the reports of
/// the side that is behind suffice.
///
/// ```
/// use pentarch_arena::ResignRule;
/// let rule: ResignRule = "movecount=3,score=600".parse().unwrap();
/// assert_eq!((rule.move_count, rule.score, rule.two_sided), (3, 600, true));
/// assert_eq!(rule.to_string().parse(), Ok(rule));
/// let rule: ResignRule = "movecount=3,score=600,twosided=false".parse().unwrap();
/// assert!(!rule.two_sided);
/// assert_eq!(rule.to_string().parse(), Ok(rule));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// The number of moves of each side that must agree.
    pub move_count: u32,
    /// The least lead, in points.
    pub score: u32,
    /// Whether the winner must report its lead as well.
    pub two_sided: bool,
}

/// A draw by score: `movenumber=M,movecount=N,score=S`. After M moves of each side, in each of its
/// last N moves each side reported that nobody is more than S points ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The number of moves of each side before which no game is drawn.
    pub move_number: u32,
    /// The number of moves of each side that must agree.
    pub move_count: u32,
    /// The greatest lead, in points.
    pub score: u32,
}

/// Why a text is not an adjudication rule. The message names the word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdjudicationRuleError {
    /// An unknown word.
    #[error("unknown word `{0}`, expected {1}")]
    Unknown(String, &'static str),
    /// A value that is not a number in the range.
    #[error("`{0}`: expected a number from {1} to {2}")]
    Number(String, u32, u32),
    /// A required word is missing.
    #[error("`{0}=` is missing")]
    Missing(&'static str),
}

/// The result of an adjudication and the rule that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdjudicationResult {
    /// Both sides report a win of this side.
    Win(Side, ResignRule),
    /// Both sides report equality.
    Draw(DrawRule),
    /// The game reached the maximum number of plies.
    Length(u32),
    /// A search proved that this side wins within this number of plies.
    Proof(Side, u32),
}

impl AdjudicationResult {
    pub const fn winner(self) -> Option<Side> {
        match self {
            AdjudicationResult::Win(side, _) | AdjudicationResult::Proof(side, _) => Some(side),
            AdjudicationResult::Draw(_) | AdjudicationResult::Length(_) => None,
        }
    }

    /// The reason as records name it.
    pub const fn word(self) -> &'static str {
        match self {
            AdjudicationResult::Win(..) => "adjudicated-win",
            AdjudicationResult::Draw(_) => "adjudicated-draw",
            AdjudicationResult::Length(_) => "adjudicated-length",
            AdjudicationResult::Proof(..) => "adjudicated-proof",
        }
    }
}

/// The evidence, as a sentence.
impl fmt::Display for AdjudicationResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdjudicationResult::Win(side, ResignRule { move_count, score, two_sided }) => {
                let sides = if *two_sided { "both sides" } else { "its opponent" };
                write!(
                    f,
                    "for {move_count} moves {sides} reported that side {side} leads by {score} or more"
                )
            }
            AdjudicationResult::Draw(DrawRule { move_count, score, .. }) => {
                write!(
                    f,
                    "for {move_count} moves neither side reported a lead of more than {score}"
                )
            }
            AdjudicationResult::Length(plies) => write!(f, "no end after {plies} plies"),
            AdjudicationResult::Proof(side, plies) => {
                write!(f, "a win of side {side} within {plies} plies is proved")
            }
        }
    }
}

impl Adjudication {
    /// Whether a rule is set that needs two sides with opposite interests.
    pub(crate) fn needs_two_sides(&self) -> bool {
        self.resign.is_some() || self.draw.is_some() || self.proven.is_some()
    }

    /// Applies all rules except proofs to a game in progress with this number of sides.
    pub(crate) fn judge(&self, plies: &[RecordedPly], sides: u8) -> Option<AdjudicationResult> {
        let too_long = self.max_plies.filter(|&most| plies.len() >= most as usize);
        let scores = ReportedScores { plies, sides };
        let won = || self.resign.and_then(|rule| rule.judge(scores));
        let drawn = || self.draw.and_then(|rule| rule.judge(scores));
        won().or_else(drawn).or(too_long.map(AdjudicationResult::Length))
    }
}

/// The scores that the sides reported for their moves.
#[derive(Clone, Copy)]
struct ReportedScores<'a> {
    plies: &'a [RecordedPly],
    sides: u8,
}

impl<'a> ReportedScores<'a> {
    /// The moves of a side, newest first.
    fn moves(self, side: Side) -> impl Iterator<Item = &'a RecordedPly> {
        let of_side =
            move |ply: &&RecordedPly| ply.seat > 0 && (ply.seat - 1) % self.sides.max(1) == side.0;
        self.plies.iter().rev().filter(of_side)
    }

    /// Whether the last `moves` moves of a side all have scores for which `fits` is true.
    fn agrees(self, side: Side, moves: u32, fits: impl Fn(i32) -> bool) -> bool {
        let last = self.moves(side).take(moves as usize);
        last.filter(|ply| ply.score.is_some_and(&fits)).count() == moves as usize
    }
}

impl ResignRule {
    const SYNTAX: &str = "movecount=N,score=S[,twosided=false]";

    fn judge(self, scores: ReportedScores<'_>) -> Option<AdjudicationResult> {
        let score = self.score as i32;
        [Side(0), Side(1)].into_iter().find_map(|winner| {
            let loser = Side(1 - winner.0);
            let winner_agrees = || scores.agrees(winner, self.move_count, |value| value >= score);
            let agreed = scores.agrees(loser, self.move_count, |value| value <= -score)
                && (!self.two_sided || winner_agrees());
            agreed.then_some(AdjudicationResult::Win(winner, self))
        })
    }
}

impl DrawRule {
    const SYNTAX: &str = "movenumber=M,movecount=N,score=S";

    fn judge(self, scores: ReportedScores<'_>) -> Option<AdjudicationResult> {
        let even = |value: i32| value.unsigned_abs() <= self.score;
        let agreed = [Side(0), Side(1)].into_iter().all(|side| {
            let moves = scores.moves(side).count();
            moves >= self.move_number as usize && scores.agrees(side, self.move_count, even)
        });
        agreed.then_some(AdjudicationResult::Draw(self))
    }
}

/// Reads `KEY=NUMBER` words separated by commas or blanks; returns the numbers in the order of
/// `keys`.
fn numbers<const N: usize>(
    text: &str,
    keys: [&'static str; N],
    words: &'static str,
) -> Result<[u32; N], AdjudicationRuleError> {
    let mut values = [None; N];
    let blank = |letter: char| letter == ',' || letter.is_whitespace();
    for word in text.split(blank).filter(|word| !word.is_empty()) {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let unknown = || AdjudicationRuleError::Unknown(word.chars().take(40).collect(), words);
        let index = keys.iter().position(|&known| known == key).ok_or_else(unknown)?;
        let (least, most) = if key == "movecount" { (1, MOST_MOVES) } else { (0, MOST_POINTS) };
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        let wrong = || AdjudicationRuleError::Number(word.chars().take(40).collect(), least, most);
        values[index] = Some(number.ok_or_else(wrong)?);
    }
    let mut found = [0; N];
    for ((value, key), place) in values.into_iter().zip(keys).zip(&mut found) {
        *place = value.ok_or(AdjudicationRuleError::Missing(key))?;
    }
    Ok(found)
}

const MOST_MOVES: u32 = 1000;
const MOST_POINTS: u32 = 30_000;

impl FromStr for ResignRule {
    type Err = AdjudicationRuleError;

    fn from_str(text: &str) -> Result<ResignRule, AdjudicationRuleError> {
        let blank = |letter: char| letter == ',' || letter.is_whitespace();
        let is_switch = |word: &&str| ["twosided=true", "twosided=false"].contains(word);
        let (switches, rest): (Vec<&str>, Vec<&str>) = text.split(blank).partition(is_switch);
        let text = rest.join(",");
        let [move_count, score] = numbers(&text, ["movecount", "score"], ResignRule::SYNTAX)?;
        let two_sided = switches.last() != Some(&"twosided=false");
        Ok(ResignRule { move_count, score, two_sided })
    }
}

impl FromStr for DrawRule {
    type Err = AdjudicationRuleError;

    fn from_str(text: &str) -> Result<DrawRule, AdjudicationRuleError> {
        let keys = ["movenumber", "movecount", "score"];
        let [move_number, move_count, score] = numbers(text, keys, DrawRule::SYNTAX)?;
        Ok(DrawRule { move_number, move_count, score })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResignRule { move_count, score, two_sided } = self;
        let sides = if *two_sided { "" } else { ",twosided=false" };
        write!(f, "movecount={move_count},score={score}{sides}")
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule { move_number, move_count, score } = self;
        write!(f, "movenumber={move_number},movecount={move_count},score={score}")
    }
}

/// Searches for proved wins.
#[derive(Debug)]
pub(crate) struct WinProver {
    /// The first searches for forced wins, the second proves the value of every position that it
    /// finishes.
    engines: [Engine; 2],
    nodes: u64,
}

impl WinProver {
    /// A prover that visits at most this number of nodes a position.
    pub(crate) fn new(nodes: u64) -> WinProver {
        let engine = |exact| Engine::new(Options { hash: 4, exact, ..Options::default() });
        WinProver { engines: [engine(false), engine(true)], nodes: nodes.div_ceil(2) }
    }

    /// The winner of a game of two sides in progress, if it is proved. The same position always
    /// gives the same answer.
    pub(crate) fn judge(&mut self, game: &Game) -> Result<Option<AdjudicationResult>, EngineError> {
        let mover = game.side_of(game.to_move());
        for engine in &mut self.engines {
            engine.clear();
            let limits = Limits::nodes(self.nodes);
            let found = engine.search(game, limits, &Signal::new(), |_| ())?;
            if let Some(plies) = found.report.score.mate() {
                let winner = if plies > 0 { mover } else { Side(1 - mover.0) };
                return Ok(Some(AdjudicationResult::Proof(winner, plies.unsigned_abs())));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::game::Seat;

    fn verdict(rules: &Adjudication, scores: &[Option<i32>]) -> Option<AdjudicationResult> {
        // Moves alternate; each has the score that its mover reported.
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
        let seat = |side| Some(AdjudicationResult::Win(Side(side), rule));
        assert_eq!(verdict(&rules, &[won, lost, won, lost]), seat(0));
        assert_eq!(verdict(&rules, &[lost, won, lost, won]), seat(1));
        assert_eq!(verdict(&rules, &[won, lost, won, Some(-599)]), None, "one hopes on");
        assert_eq!(verdict(&rules, &[won, lost, None, lost]), None, "silence is no agreement");
        assert_eq!(verdict(&rules, &[won, won, won, won]), None, "both cannot lead");
        assert_eq!(verdict(&rules, &[None, None, won, lost, won, lost]), seat(0));
        // The loser alone may resign.
        let rule: ResignRule = "movecount=2,score=600,twosided=false".parse().unwrap();
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        let seat = |side| Some(AdjudicationResult::Win(Side(side), rule));
        assert_eq!(verdict(&rules, &[None, lost, Some(10), lost]), seat(0));
        assert_eq!(verdict(&rules, &[lost, None, lost, None]), seat(1));
        assert_eq!(verdict(&rules, &[won, None, won, None]), None);
    }

    #[test]
    fn both_must_agree_on_a_draw() {
        let rule: DrawRule = "movenumber=3 movecount=2 score=10".parse().unwrap();
        let rules = Adjudication { draw: Some(rule), ..Adjudication::default() };
        let even = Some(-10);
        assert_eq!(verdict(&rules, &[even; 5]), None, "too early");
        assert_eq!(verdict(&rules, &[even; 6]), Some(AdjudicationResult::Draw(rule)));
        assert_eq!(verdict(&rules, &[even, even, even, Some(11), even, even]), None);
    }

    #[test]
    fn a_game_may_be_too_long() {
        let rules = Adjudication { max_plies: Some(3), ..Adjudication::default() };
        assert_eq!(verdict(&rules, &[None; 2]), None);
        assert_eq!(verdict(&rules, &[None; 3]), Some(AdjudicationResult::Length(3)));
    }

    #[test]
    fn a_win_is_proved_for_either_side() {
        let mut game = Game::new("gomoku".parse().unwrap());
        for text in ["h8", "a1", "i8", "c1", "j8"] {
            game.play(text).unwrap();
            if game.ply() < 5 {
                assert_eq!(WinProver::new(400).judge(&game).unwrap(), None, "{text}");
            }
        }
        game.play("a15").unwrap();
        let Some(AdjudicationResult::Proof(side, plies)) =
            WinProver::new(2000).judge(&game).unwrap()
        else {
            panic!("three in a row with the move wins")
        };
        assert_eq!((side, plies), (game.side_of(Seat(0)), 3));
        game.play("k8").unwrap();
        let Some(AdjudicationResult::Proof(side, _)) = WinProver::new(2000).judge(&game).unwrap()
        else {
            panic!("an open four wins for who made it")
        };
        assert_eq!(side, Side(0));
    }

    #[test]
    fn bad_rules_name_the_word() {
        for (text, message) in [
            ("movecount=0,score=1", "`movecount=0`: expected a number from 1 to 1000"),
            ("movecount=1,score=x", "`score=x`: expected a number from 0 to 30000"),
            ("moves=1", "unknown word `moves=1`, expected movecount=N,score=S[,twosided=false]"),
            (
                "movecount=1,score=1,twosided=2",
                "unknown word `twosided=2`, expected movecount=N,score=S[,twosided=false]",
            ),
            ("movecount=1", "`score=` is missing"),
        ] {
            assert_eq!(text.parse::<ResignRule>().unwrap_err().to_string(), message);
        }
    }
}
