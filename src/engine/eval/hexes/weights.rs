//! The weights of games on hexagons, and the tables made of them.
//!
//! Games between two colors have weights of spans and rings, fitted to games of the engine against itself by
//! `pentarch train fit`; the headers of the `*.weights` files say what they were fitted to. All other games use
//! hand-chosen scores of windows.

use super::tuples::{
    CONTENTS, HexOrderingIndex, HexValueIndex, MAX_CAPTURED, PLACE_BITS, TupleContents, Tuples,
    with_colors_exchanged,
};
use crate::eval::eval_file::EvalFile;
use crate::eval::scale::ValueScale;
use crate::eval::tensor_file::{FormatError, TensorFile, field_error};
use pentarch_core::game::{Cell, Color, Position as _};
use pentarch_core::hexes::Position;
use pentarch_core::rules::{HexBoardRules, HexRules};
use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

/// The weights of a game on hexagons between two colors. Values are in quarters of a point of
/// [`Score`](crate::search::Score); of ordering scores 350 points are odds of e to 1.
#[derive(Clone, Debug)]
pub struct HexWeights {
    game: HexGame,
    values: Vec<i16>,
    ordering: Vec<i16>,
    /// Computed when first asked for.
    scores: OnceLock<Arc<TupleScores>>,
}

/// A class of games on hexagons that share weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HexGame {
    /// Rows of five win, and surrounded groups are captured.
    Pentalath,
    /// Rows of four win, and rows of three lose.
    Yavalath,
}

impl HexGame {
    const ALL: [HexGame; 2] = [HexGame::Pentalath, HexGame::Yavalath];

    /// The class of a ruleset, if there are weights for it: two colors, on a board of any size.
    pub fn of(rules: &HexRules) -> Option<HexGame> {
        let hexes = rules.board();
        match (hexes.surround, hexes.line, hexes.losing_line) {
            _ if rules.seating().seats != 2 => None,
            (true, 5, None) => Some(HexGame::Pentalath),
            (false, 4, Some(3)) => Some(HexGame::Yavalath),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            HexGame::Pentalath => "pentalath",
            HexGame::Yavalath => "yavalath",
        }
    }
}

impl fmt::Display for HexGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

static PENTALATH: LazyLock<Arc<HexWeights>> =
    LazyLock::new(|| built_in(include_bytes!("pentalath.weights")));
static YAVALATH: LazyLock<Arc<HexWeights>> =
    LazyLock::new(|| built_in(include_bytes!("yavalath.weights")));

/// A file that is part of the program; a test reads all of them.
fn built_in(bytes: &[u8]) -> Arc<HexWeights> {
    Arc::new(HexWeights::from_bytes(bytes).expect("a built-in weights file"))
}

impl HexWeights {
    /// The kind of file that holds weights of a game on hexagons.
    pub(in crate::eval) const KIND: &str = "hex-weights";
    /// The number of weights of values.
    pub const VALUES: usize = HexValueIndex::COUNT;
    /// The number of weights of move ordering.
    pub const ORDERING: usize = HexOrderingIndex::COUNT;

    /// Weights of [`HexWeights::VALUES`] and [`HexWeights::ORDERING`] numbers.
    pub fn new(game: HexGame, values: Vec<i16>, ordering: Vec<i16>) -> HexWeights {
        let lengths = [values.len(), ordering.len()];
        debug_assert_eq!(lengths, [HexWeights::VALUES, HexWeights::ORDERING]);
        HexWeights { game, values, ordering, scores: OnceLock::new() }
    }

    /// The built-in weights of a class.
    pub fn built_in(game: HexGame) -> &'static Arc<HexWeights> {
        match game {
            HexGame::Pentalath => &PENTALATH,
            HexGame::Yavalath => &YAVALATH,
        }
    }

    /// The class of games that the weights are for.
    pub fn game(&self) -> HexGame {
        self.game
    }

    /// The weights of values.
    pub fn values(&self) -> &[i16] {
        &self.values
    }

    /// The weights of move ordering.
    pub fn ordering(&self) -> &[i16] {
        &self.ordering
    }

    /// The bytes of a file with these weights and remarks on how they were made, a line each.
    pub fn to_bytes(&self, remarks: &[String]) -> Vec<u8> {
        let mut file = TensorFile::new(HexWeights::KIND, remarks);
        file.add_field("games", self.game.name());
        file.add_i16("values", self.values.iter().copied());
        file.add_i16("ordering", self.ordering.iter().copied());
        file.to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<HexWeights, FormatError> {
        let mut file = TensorFile::parse(bytes)?;
        file.take_field("kind")?;
        HexWeights::from_file(file)
    }

    /// The weights in a file.
    pub(in crate::eval) fn from_file(mut file: TensorFile) -> Result<HexWeights, FormatError> {
        let games = file.take_field("games")?;
        let game = HexGame::ALL.into_iter().find(|game| game.name() == games);
        let game =
            game.ok_or_else(|| field_error("games", "expected `pentalath` or `yavalath`"))?;
        let values = file.take_i16("values", HexWeights::VALUES)?;
        let ordering = file.take_i16("ordering", HexWeights::ORDERING)?;
        file.finish()?;
        Ok(HexWeights::new(game, values, ordering))
    }
}

/// The scores of tuples by their contents, and of what no tuple shows.
#[derive(Clone, Debug)]
pub(super) struct TupleScores {
    /// By contents, the value for each color; of fitted weights, the value if that color is to move.
    values: Vec<[i16; 3]>,
    /// By color and by [`HexOrderingIndex::raw`], the ordering score of a stone.
    ordering: [Vec<i16>; 3],
    pub terms: HexTerms,
    pub scale: ValueScale,
    /// Whether the scores are fitted weights, which give whole values from the perspective of the color to move.
    pub is_fitted: bool,
}

/// The scores of what no tuple shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct HexTerms {
    /// The value of being to move.
    pub tempo: i32,
    /// The value of each enemy stone in atari.
    pub enemy_in_atari: i32,
    /// The value of each own stone in atari.
    pub own_in_atari: i32,
    /// The ordering score of a move by the number of stones that it captures.
    pub captured: [i32; MAX_CAPTURED + 1],
    /// The ordering score of a move on the last liberty of an own group.
    pub saves: i32,
}

impl HexTerms {
    /// Chosen by matches of `pentalath` at 5,000 nodes a move, 300 games a step. Smaller values of stones in atari
    /// are weaker, larger ones are no better.
    const HAND_CHOSEN: HexTerms = HexTerms {
        tempo: 12,
        enemy_in_atari: 80,
        own_in_atari: -50,
        captured: [0, 120, 180, 240, 300, 360],
        saves: 60,
    };
}

/// The values of windows of five, four and other lengths by the number of stones of one color, without stones of
/// others. Chosen by matches of the engine against itself, 200 games at 2,000 nodes a move.
const FIVES: [i16; 7] = [0, 4, 14, 42, 110, 0, 0];
const FOURS: [i16; 7] = [0, 5, 16, 40, 0, 0, 0];
const OTHERS: [i16; 7] = [0, 5, 15, 40, 90, 120, 0];
/// The ordering score of each point that a move gains in windows.
const ORDERING_SCORE_PER_POINT: i16 = 4;

impl TupleScores {
    fn of_weights(weights: &HexWeights) -> TupleScores {
        let value = |index: u16| weights.values[usize::from(index)];
        let ordering = |index: u16| weights.ordering[usize::from(index)];
        let mut captured = [0; MAX_CAPTURED + 1];
        for (stones, score) in captured.iter_mut().enumerate().skip(1) {
            *score = ordering(HexOrderingIndex::captured(stones)).into();
        }
        let terms = HexTerms {
            tempo: value(HexValueIndex::TEMPO).into(),
            enemy_in_atari: value(HexValueIndex::ENEMY_IN_ATARI).into(),
            own_in_atari: value(HexValueIndex::OWN_IN_ATARI).into(),
            captured,
            saves: ordering(HexOrderingIndex::SAVES).into(),
        };
        let seen_by_both = |contents: TupleContents| {
            [contents, with_colors_exchanged(contents)]
                .map(|contents| value(HexValueIndex::of(contents)))
        };
        let ordering_by = |perspective: fn(TupleContents) -> TupleContents| -> Vec<i16> {
            let moves = HexOrderingIndex::all_moves();
            let score =
                |(contents, place)| ordering(HexOrderingIndex::of(perspective(contents), place));
            moves.map(score).collect()
        };
        TupleScores {
            values: (0..CONTENTS as TupleContents)
                .map(|contents| {
                    let [first, second] = seen_by_both(contents);
                    [first, second, 0]
                })
                .collect(),
            ordering: [
                ordering_by(|contents| contents),
                ordering_by(with_colors_exchanged),
                Vec::new(),
            ],
            terms,
            scale: ValueScale::FITTED_HEXES,
            is_fitted: true,
        }
    }

    /// The hand-chosen scores of windows.
    fn of_windows(hexes: HexBoardRules) -> TupleScores {
        let values = match hexes.line {
            5 => FIVES,
            4 => FOURS,
            _ => OTHERS,
        };
        let by_color = |contents: TupleContents, score: fn(&[i16; 7], [usize; 3]) -> i16| {
            let [a, b, c] = stones_by_color(contents, hexes.line);
            [score(&values, [a, b, c]), score(&values, [b, c, a]), score(&values, [c, a, b])]
        };
        let all = 0..1 << (2 * hexes.line);
        let ordering = |color: usize| {
            let scores = all
                .clone()
                .map(|contents| ORDERING_SCORE_PER_POINT * by_color(contents, window_gain)[color]);
            scores.flat_map(|score| [score; 1 << PLACE_BITS]).collect()
        };
        TupleScores {
            ordering: [0, 1, 2].map(ordering),
            values: all.map(|contents| by_color(contents, window_value)).collect(),
            terms: HexTerms::HAND_CHOSEN,
            scale: ValueScale::of_hexes(hexes),
            is_fitted: false,
        }
    }

    /// The value of a tuple for each color.
    #[inline]
    pub(super) fn values(&self, contents: TupleContents) -> [i16; 3] {
        self.values.get(usize::from(contents)).copied().unwrap_or_default()
    }
}

/// The number of stones of each color in a window.
fn stones_by_color(contents: TupleContents, cells: u8) -> [usize; 3] {
    let mut stones = [0; 3];
    for place in 0..cells {
        if let Some(color) = usize::from(contents >> (2 * place) & 3).checked_sub(1) {
            stones[color] += 1;
        }
    }
    stones
}

/// The value of a window for the first color.
fn window_value(values: &[i16; 7], [own, a, b]: [usize; 3]) -> i16 {
    if a + b == 0 { values[own.min(6)] } else { 0 }
}

/// The points that one more stone of the first color gains in a window: for a longer row of its own, or for a row
/// of another color that it blocks.
fn window_gain(values: &[i16; 7], [own, a, b]: [usize; 3]) -> i16 {
    match (own, a.min(b)) {
        _ if a + b == 0 => {
            values[(own + 1).min(6)].max(values[own.min(6)]) - values[own.min(6)] + 1
        }
        (0, 0) => values[(a + b).min(6)],
        _ => 0,
    }
}

/// The tuples of a board and their scores, the same for every game of a ruleset.
#[derive(Clone, Debug)]
pub struct HexTables {
    pub(super) tuples: Tuples,
    pub(super) scores: Arc<TupleScores>,
}

impl HexTables {
    /// The tables for a ruleset: with the weights of a file, if it has some for the game, else with built-in
    /// weights, if there are some, else with hand-chosen scores.
    pub fn with_file(rules: &HexRules, file: Option<&EvalFile>) -> HexTables {
        let game = HexGame::of(rules).filter(|_| !file.is_some_and(EvalFile::is_classical));
        let weights = game.map(|game| {
            let read = file.and_then(|file| file.hex_weights(game));
            read.unwrap_or_else(|| HexWeights::built_in(game))
        });
        let Some(weights) = weights else { return HexTables::hand_chosen(rules) };
        let tuples = Tuples::spans_and_rings(rules.board().grid);
        let scores = weights.scores.get_or_init(|| Arc::new(TupleScores::of_weights(weights)));
        HexTables { tuples, scores: Arc::clone(scores) }
    }

    /// The tables with built-in weights or hand-chosen scores.
    pub fn new(rules: &HexRules) -> HexTables {
        HexTables::with_file(rules, None)
    }

    /// The tables with hand-chosen scores, which serve any number of colors.
    pub(super) fn hand_chosen(rules: &HexRules) -> HexTables {
        let hexes = *rules.board();
        let scores = Arc::new(TupleScores::of_windows(hexes));
        HexTables { tuples: Tuples::windows(hexes), scores }
    }

    /// The ordering score of a stone on an empty cell by the tuples of the cell.
    #[inline]
    pub(super) fn ordering_score(
        &self,
        color: Color,
        cell: Cell,
        contents: &[TupleContents],
    ) -> i32 {
        let scores = &self.scores.ordering[color.index() % 3];
        let places = self.tuples.for_ordering(cell).iter();
        let score = |at: &super::tuples::TuplePlace| {
            let contents = contents.get(usize::from(at.tuple)).copied().unwrap_or_default();
            scores.get(HexOrderingIndex::raw(contents, at.place)).map_or(0, |&score| score.into())
        };
        places.map(score).sum()
    }

    /// The sums of the values of all tuples for each color.
    pub(super) fn totals(&self, contents: &[TupleContents]) -> [i32; 3] {
        let add = |mut totals: [i32; 3], &contents: &TupleContents| {
            let values = self.scores.values(contents);
            totals.iter_mut().zip(values).for_each(|(total, value)| *total += i32::from(value));
            totals
        };
        contents.iter().fold([0; 3], add)
    }

    /// The value for the color to move by the sums of all tuples: its own sum if it is fitted, else its lead over the
    /// best rival.
    pub(super) fn lead(&self, position: &Position, totals: &[i32; 3]) -> i32 {
        let own = totals[position.color_to_move().index() % 3];
        if self.scores.is_fitted {
            return own;
        }
        let rivals = position.opponents().map(|color| totals[color.index() % 3]);
        own - rivals.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_as_they_are_written() {
        for game in HexGame::ALL {
            let weights = HexWeights::built_in(game);
            let again = HexWeights::from_bytes(&weights.to_bytes(&[])).unwrap();
            assert_eq!((again.game(), weights.game()), (game, game));
            assert_eq!(again.values, weights.values);
            assert_eq!(again.ordering, weights.ordering);
            assert!(weights.values.iter().filter(|&&number| number != 0).count() > 100);
        }
    }

    #[test]
    fn files_of_other_games_are_refused() {
        let mut file = TensorFile::default();
        file.add_field("games", "chess");
        let error = HexWeights::from_file(file).unwrap_err().to_string();
        assert_eq!(error, "field `games`: expected `pentalath` or `yavalath`");
    }
}
