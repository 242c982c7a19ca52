//! Rows of cells as files have them: those of groups that have kin are nearly what others foretell, and
//! differences take less room.

use super::{DIMENSIONS, Grouping, Row};

/// The group by whose rows the others of a kin are compared. The one before it, nothing, has an empty row
/// beside itself.
const REFERENCE: usize = 1;

/// The rows of one view, less what others foretell of them.
pub(super) fn differences(grouping: &Grouping, rows: &[Row]) -> Vec<Row> {
    let kin = Kin::new(grouping);
    let row = |(number, row): (usize, &Row)| match kin.foretellers(number) {
        Some(others) => combine(row, others, rows, i16::wrapping_sub),
        None => *row,
    };
    rows.iter().enumerate().map(row).collect()
}

/// Makes rows of one view of differences.
pub(super) fn restore(grouping: &Grouping, rows: &mut [Row]) {
    let kin = Kin::new(grouping);
    for number in 0..rows.len() {
        if let Some(others) = kin.foretellers(number) {
            rows[number] = combine(&rows[number], others, rows, i16::wrapping_add);
        }
    }
}

/// For each group the first of its kin.
struct Kin(Vec<usize>);

impl Kin {
    fn new(grouping: &Grouping) -> Kin {
        let kin = grouping.kin();
        let first = |number: &u8| kin.iter().position(|other| other == number).unwrap_or_default();
        Kin(kin.iter().map(first).collect())
    }

    /// The rows that foretell the one of that number, if any do: that of the first of the kin, and two
    /// that show how the group differs from it, the first of them more, the second less. A fit adds
    /// groups up that way, so this is right but for rounding. All three come before the row.
    fn foretellers(&self, number: usize) -> Option<[usize; 3]> {
        let Kin(first) = self;
        let groups = first.len();
        let (own, their) = (number / groups, number % groups);
        let row = |own: usize, their: usize| own * groups + their;
        if own <= REFERENCE || their <= REFERENCE {
            return None;
        }
        if first[own] != own {
            return Some([row(first[own], their), row(own, REFERENCE), row(first[own], REFERENCE)]);
        }
        let kin = first[their];
        (kin != their).then(|| [row(own, kin), row(REFERENCE, their), row(REFERENCE, kin)])
    }
}

/// A row with what three others foretell.
fn combine(
    row: &Row,
    [kin, more, less]: [usize; 3],
    rows: &[Row],
    with: fn(i16, i16) -> i16,
) -> Row {
    let foretold = |i: usize| rows[kin][i].wrapping_add(rows[more][i]).wrapping_sub(rows[less][i]);
    let mut combined = [0; DIMENSIONS];
    for (i, number) in combined.iter_mut().enumerate() {
        *number = with(row[i], foretold(i));
    }
    combined
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    #[test]
    fn rows_come_back_and_kin_leave_nothing_over() {
        let mut rng = Rng::with_seed(4);
        let mut rows = |count: usize| -> Vec<Row> {
            (0..count).map(|_| std::array::from_fn(|_| rng.i16(..))).collect()
        };
        let plain = Grouping::new(2, [false; 4]).unwrap();
        let any = rows(plain.pairs());
        assert_eq!(differences(&plain, &any), any, "nobody has kin");
        let ample = Grouping::new(3, [false, false, false, true]).unwrap();
        let (groups, kin) = (ample.count(), ample.kin());
        let mut any = rows(ample.pairs());
        let mut kept = differences(&ample, &any);
        restore(&ample, &mut kept);
        assert_eq!(kept, any);
        let [by_kin, own_rows, their_rows] = [256 * 256, groups, groups].map(&mut rows);
        for (number, row) in any.iter_mut().enumerate() {
            let (own, their) = (number / groups, number % groups);
            let pair = 256 * usize::from(kin[own]) + usize::from(kin[their]);
            let parts = [by_kin[pair], own_rows[own], their_rows[their]];
            *row = std::array::from_fn(|i| {
                parts.iter().fold(0, |sum: i16, part| sum.wrapping_add(part[i]))
            });
        }
        any[0] = [0; DIMENSIONS];
        let left = differences(&ample, &any);
        let few = left.iter().filter(|row| **row != [0; DIMENSIONS]).count();
        assert!(few < 43 * 43 + 4 * groups, "{few}");
    }
}
