//! The features of a network: the bucket of a cell for a color, and how the weights of one pair of buckets
//! are predicted from others in files.

use super::{ACCUMULATOR_SIZE, FeatureWeights};
use crate::eval::stones::cell_pattern::CellPattern;
use crate::eval::stones::line_pattern::LinePattern;
use crate::eval::tensor_file::{FormatError, TensorFile, field_error};
use std::iter;

/// The buckets of cells by the best of the four line patterns that a stone there would make, and by whether the
/// stone captures, attacks or exposes a group, or by which of the patterns have many completions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureBuckets {
    /// The number of best patterns that count.
    patterns: usize,
    flags: Flags,
    /// By the [halves](CellPattern::halves) of a cell's pattern: two numbers whose sum is the bucket.
    halves: [Box<[u8; 1 << 16]>; 2],
    /// By bucket, its coarse bucket.
    coarse: Vec<u8>,
}

/// Whether captures, attacks, exposed groups and completions count.
type Flags = [bool; 4];

impl FeatureBuckets {
    /// The names of the flags of [`FeatureBuckets::new`], in their order.
    pub const FLAGS: [&str; 4] = ["captures", "attacks", "exposes", "completions"];

    /// The buckets by the best `patterns` line patterns, one to three, and by what the flags select. Of two
    /// patterns the second counts only as far as it matters next to the first. Completions need three patterns
    /// and exclude the other flags. Returns `None` if there would be more than 255 buckets.
    pub fn new(patterns: usize, flags: Flags) -> Option<FeatureBuckets> {
        let [capture_flags @ .., completions] = flags;
        if !(1..=3).contains(&patterns)
            || completions && (patterns < 3 || capture_flags.contains(&true))
        {
            return None;
        }
        let code = |lower: usize| {
            if completions { code_with_completions(lower) } else { plain_code(patterns, lower) }
        };
        // Without completions the bits above the patterns do not distinguish cells.
        let cells = if completions { 1 << 16 } else { 1 << 12 };
        let of_cells: Vec<usize> = (0..cells).map(code).collect();
        let mut codes = of_cells.clone();
        codes.sort_unstable();
        codes.dedup();
        let width = 1usize << capture_flags.iter().filter(|&&flag| flag).count();
        let count = codes.len() * width;
        if count > usize::from(u8::MAX) {
            return None;
        }
        let base = |code| (codes.binary_search(code).unwrap_or_default() * width) as u8;
        let bases: Vec<u8> = of_cells.iter().map(base).collect();
        let [captures, attacks, exposes] = FeatureBuckets::offsets(capture_flags);
        let offset = |lines: usize, offset: u8| if lines == 0 { 0 } else { offset };
        let lower = |half: usize| bases[half % cells] + offset(half >> 12, attacks);
        let upper = |half: usize| offset(half >> 4, captures) + offset(half & 0xf, exposes);
        let halves = [half_table(lower), half_table(upper)];
        let coarse =
            if completions { without_completions(&codes) } else { (0..count as u8).collect() };
        Some(FeatureBuckets { patterns, flags, halves, coarse })
    }

    /// What captures, attacks and exposed groups add to a bucket.
    fn offsets(flags: [bool; 3]) -> [u8; 3] {
        let below = |flag: usize| flags[flag + 1..].iter().filter(|&&other| other).count();
        std::array::from_fn(|flag| u8::from(flags[flag]) << below(flag))
    }

    /// The number of buckets.
    pub fn count(&self) -> usize {
        self.coarse.len()
    }

    /// The number of pairs of buckets, one for either color.
    pub fn pairs(&self) -> usize {
        self.count().pow(2)
    }

    /// The coarse bucket of each bucket, numbered from 0: the bucket without completions. A fit has no weight of
    /// its own for each pair of buckets, only for each pair of coarse ones.
    pub fn coarse(&self) -> &[u8] {
        &self.coarse
    }

    /// The bucket of a cell. Occupied cells, and those where a stone makes nothing, are in bucket 0.
    #[inline]
    pub(in crate::eval::stones) fn of(&self, pattern: CellPattern) -> u8 {
        self.lookup()(pattern)
    }

    /// [`FeatureBuckets::of`] for a loop, with the tables in registers.
    #[inline]
    pub(super) fn lookup(&self) -> impl Fn(CellPattern) -> u8 {
        let halves = self.halves.each_ref().map(|half| &**half);
        move |pattern| {
            let [lower, upper] = pattern.halves();
            halves[0][lower & 0xffff].wrapping_add(halves[1][upper & 0xffff])
        }
    }

    /// Adds the fields of a file that name the buckets.
    pub(super) fn add_to(&self, file: &mut TensorFile) {
        let flags = FeatureBuckets::FLAGS.into_iter().zip(self.flags);
        let flags = flags.filter(|&(_, flag)| flag).map(|(name, _)| name.to_owned());
        let words: Vec<String> = iter::once(self.patterns.to_string()).chain(flags).collect();
        file.add_field("buckets", &words.join(" "));
    }

    /// Takes the buckets out of a file.
    pub(super) fn of_file(file: &mut TensorFile) -> Result<FeatureBuckets, FormatError> {
        let field = file.take_field("buckets")?;
        let mut words = field.split(' ');
        let patterns = words.next().and_then(|word| word.parse().ok());
        let mut flags = [false; 4];
        for word in words {
            let flag = FeatureBuckets::FLAGS.iter().position(|&flag| flag == word);
            flags[flag.ok_or_else(|| field_error("buckets", "unknown flag"))?] = true;
        }
        let buckets = patterns.and_then(|patterns| FeatureBuckets::new(patterns, flags));
        buckets.ok_or_else(|| {
            field_error("buckets", "expected 1 to 3 patterns and at most 255 buckets")
        })
    }
}

fn half_table(of: impl Fn(usize) -> u8) -> Box<[u8; 1 << 16]> {
    let table: Box<[u8]> = (0..1 << 16).map(of).collect();
    table.try_into().expect("a half has sixteen bits")
}

/// The best patterns of four, three bits each.
fn plain_code(patterns: usize, lower: usize) -> usize {
    let mut all = [9, 6, 3, 0].map(|shift| lower >> shift & 7);
    all.sort_unstable_by_key(|&pattern| std::cmp::Reverse(pattern));
    if patterns == 2 {
        all[1] = relevant_second(all[0], all[1]);
    }
    all[..patterns].iter().fold(0, |code, pattern| code << 3 | pattern)
}

/// The three best patterns of four, each with its completions bit. Next to a four one other pattern counts,
/// without completions; next to an open four and a five none does.
fn code_with_completions(lower: usize) -> usize {
    let line = |line: usize| (lower >> (3 * line) & 7) << 1 | lower >> (12 + line) & 1;
    let mut all = [0, 1, 2, 3].map(line);
    all.sort_unstable_by_key(|&line| std::cmp::Reverse(line));
    let [first, second, third, _] = all;
    let plain = |line: usize| line & !1;
    let [first, second, third] = match first >> 1 {
        FIVE | OPEN_FOUR => [plain(first), 0, 0],
        FOUR => [plain(first), plain(second), 0],
        _ => [first, second, third],
    };
    (first << 4 | second) << 4 | third
}

/// The numbers of codes without their completions bits.
fn without_completions(codes: &[usize]) -> Vec<u8> {
    const COMPLETIONS: usize = 0x111;
    let mut plain: Vec<usize> = codes.iter().map(|code| code & !COMPLETIONS).collect();
    plain.sort_unstable();
    plain.dedup();
    let number =
        |code: &usize| plain.binary_search(&(code & !COMPLETIONS)).unwrap_or_default() as u8;
    codes.iter().map(number).collect()
}

const OPEN_THREE: usize = LinePattern::OpenThree as usize;
const FOUR: usize = LinePattern::Four as usize;
const OPEN_FOUR: usize = LinePattern::OpenFour as usize;
const FIVE: usize = LinePattern::Five as usize;

/// The second best pattern of a cell as far as it matters next to the best: next to a five or an open four it
/// does not, next to a four only if it makes a second threat. Fewer buckets see more positions each: with
/// captures, 80 buckets predicted better than 144 (loss 0.0821 against 0.0829). With three patterns, in games of
/// lines alone, it was the other way round (0.0657 against 0.0648).
fn relevant_second(first: usize, second: usize) -> usize {
    match first {
        0..FOUR => second,
        FOUR if second >= OPEN_THREE => second,
        _ => LinePattern::Weak as usize,
    }
}

/// Predicts the weights of a pair of buckets from other pairs. Files store the residuals, which compress better.
///
/// A fit makes the weights of a pair out of those of its coarse pair and those of either bucket, so that the
/// prediction is exact but for rounding.
pub(super) struct RowPredictor {
    /// By bucket, the first bucket of the same coarse bucket.
    first: Vec<usize>,
}

impl RowPredictor {
    /// The bucket whose rows show how two buckets of the same coarse bucket differ. Bucket 0 would not do: its
    /// row with itself is always 0.
    const REFERENCE: usize = 1;

    pub(super) fn new(buckets: &FeatureBuckets) -> RowPredictor {
        let coarse = buckets.coarse();
        let first = |of: &u8| coarse.iter().position(|other| other == of).unwrap_or_default();
        RowPredictor { first: coarse.iter().map(first).collect() }
    }

    /// The residuals of the rows of one perspective.
    pub(super) fn residuals(&self, rows: &[FeatureWeights]) -> Vec<FeatureWeights> {
        let residual = |(index, row): (usize, &FeatureWeights)| match self.predictors(index) {
            Some(others) => combine(row, others, rows, i16::wrapping_sub),
            None => *row,
        };
        rows.iter().enumerate().map(residual).collect()
    }

    /// Turns residuals back into the rows of one perspective.
    pub(super) fn restore(&self, rows: &mut [FeatureWeights]) {
        for index in 0..rows.len() {
            if let Some(others) = self.predictors(index) {
                rows[index] = combine(&rows[index], others, rows, i16::wrapping_add);
            }
        }
    }

    /// The rows that predict a row, if there are any: that of the first bucket of the same coarse bucket, and two
    /// whose difference, the second minus the third, is how the buckets differ. All three precede the row.
    fn predictors(&self, index: usize) -> Option<[usize; 3]> {
        const REFERENCE: usize = RowPredictor::REFERENCE;
        let count = self.first.len();
        let (own, their) = (index / count, index % count);
        let row = |own: usize, their: usize| own * count + their;
        if own <= REFERENCE || their <= REFERENCE {
            return None;
        }
        let first = self.first[own];
        if first != own {
            return Some([row(first, their), row(own, REFERENCE), row(first, REFERENCE)]);
        }
        let first = self.first[their];
        let predictors = [row(own, first), row(REFERENCE, their), row(REFERENCE, first)];
        (first != their).then_some(predictors)
    }
}

/// Combines a row with the prediction of three others.
fn combine(
    row: &FeatureWeights,
    [first, plus, minus]: [usize; 3],
    rows: &[FeatureWeights],
    with: fn(i16, i16) -> i16,
) -> FeatureWeights {
    let predicted =
        |i: usize| rows[first][i].wrapping_add(rows[plus][i]).wrapping_sub(rows[minus][i]);
    let mut combined = [0; ACCUMULATOR_SIZE];
    for (i, number) in combined.iter_mut().enumerate() {
        *number = with(row[i], predicted(i));
    }
    combined
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    #[test]
    fn buckets_are_numbered_from_nothing_up() {
        for (patterns, flags, count, coarse) in [
            (1, [false; 4], 8, 8),
            (2, [true, false, true, false], 80, 80),
            (2, [true, true, true, false], 160, 160),
            (3, [false; 4], 120, 120),
            (3, [true, false, false, false], 240, 240),
            (3, [false, false, false, true], 228, 43),
        ] {
            let buckets = FeatureBuckets::new(patterns, flags).unwrap();
            assert_eq!(buckets.count(), count);
            assert_eq!(buckets.of(CellPattern::default()), 0);
            let [lower, upper] = buckets.halves.each_ref().map(|half| half.iter().max().unwrap());
            assert_eq!(usize::from(lower + upper), count - 1);
            assert_eq!(buckets.coarse()[0], 0);
            assert_eq!(usize::from(*buckets.coarse().iter().max().unwrap()), coarse - 1);
        }
        for (patterns, flags) in [
            (3, [true, true, true, false]),
            (0, [false; 4]),
            (2, [false, false, false, true]),
            (3, [true, false, false, true]),
        ] {
            assert!(FeatureBuckets::new(patterns, flags).is_none(), "{patterns} {flags:?}");
        }
    }

    /// The bucket of four line patterns, each with its completions bit.
    fn bucket(buckets: &FeatureBuckets, lines: [(LinePattern, bool); 4]) -> u8 {
        let lines = lines.into_iter().enumerate();
        let cell = lines.fold(CellPattern::default(), |cell, (direction, (pattern, many))| {
            cell.with(direction, pattern as u8 | u8::from(many) << 6)
        });
        buckets.of(cell)
    }

    #[test]
    fn completions_distinguish_buckets_where_they_matter() {
        use LinePattern::{Five, Four, OpenTwo, Two, Weak};
        let buckets = FeatureBuckets::new(3, [false, false, false, true]).unwrap();
        let same = |a, b| bucket(&buckets, a) == bucket(&buckets, b);
        let [weak, two, open] = [Weak, Two, OpenTwo].map(|pattern| (pattern, false));
        let [many_weak, many_two] = [Weak, Two].map(|pattern| (pattern, true));
        assert!(!same([weak; 4], [weak, many_weak, weak, weak]));
        assert!(!same([open, two, weak, weak], [many_two, weak, open, weak]));
        assert!(same([open, many_two, weak, weak], [many_two, weak, open, weak]));
        assert!(!same([open, open, two, weak], [open, open, many_two, weak]));
        assert!(same([open, open, two, many_weak], [open, open, two, weak]));
        assert!(same([(Four, false), two, weak, weak], [weak, (Four, true), many_two, many_weak]));
        assert!(same([(Five, false), two, weak, weak], [weak, (Five, false), open, many_weak]));
    }

    #[test]
    fn rows_are_restored_and_predicted_rows_leave_no_residual() {
        let mut rng = Rng::with_seed(4);
        let mut rows = |count: usize| -> Vec<FeatureWeights> {
            (0..count).map(|_| std::array::from_fn(|_| rng.i16(..))).collect()
        };
        let plain = FeatureBuckets::new(2, [false; 4]).unwrap();
        let any = rows(plain.pairs());
        let residuals = RowPredictor::new(&plain).residuals(&any);
        assert_eq!(residuals, any, "every bucket is its own coarse bucket");
        let buckets = FeatureBuckets::new(3, [false, false, false, true]).unwrap();
        let predictor = RowPredictor::new(&buckets);
        let (count, coarse) = (buckets.count(), buckets.coarse());
        let mut any = rows(buckets.pairs());
        let mut restored = predictor.residuals(&any);
        predictor.restore(&mut restored);
        assert_eq!(restored, any);
        let [by_coarse, own_rows, their_rows] = [256 * 256, count, count].map(&mut rows);
        for (index, row) in any.iter_mut().enumerate() {
            let (own, their) = (index / count, index % count);
            let pair = 256 * usize::from(coarse[own]) + usize::from(coarse[their]);
            let parts = [by_coarse[pair], own_rows[own], their_rows[their]];
            *row = std::array::from_fn(|i| {
                parts.iter().fold(0, |sum: i16, part| sum.wrapping_add(part[i]))
            });
        }
        any[0] = [0; ACCUMULATOR_SIZE];
        let residuals = predictor.residuals(&any);
        let few = residuals.iter().filter(|row| **row != [0; ACCUMULATOR_SIZE]).count();
        assert!(few < 43 * 43 + 4 * count, "{few}");
    }
}
