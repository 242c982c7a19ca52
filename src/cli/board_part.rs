//! As much of a board as there is room for on a terminal: the rows in which the game goes on.

/// The fewest rows of a board that say anything.
const LEAST: usize = 5;

/// A board in so many lines, or nothing if they are too few. First what names the columns below, then what
/// stands below the board is left out, whose end says whose turn it is, then rows far from the last move,
/// which stands in parentheses.
pub(super) fn part_of_board(board: &[String], room: usize) -> Vec<String> {
    if board.len() <= room {
        return board.to_vec();
    }
    let header = board.first().filter(|line| !line.trim().is_empty());
    let footer = board.iter().skip(1).position(|line| Some(line) == header);
    let (Some(header), Some(rows)) = (header, footer) else {
        // A board without names of columns, such as one of hexagons: its rows come first.
        let rows = board.len().min(room);
        return if rows < LEAST { Vec::new() } else { board[..rows].to_vec() };
    };
    let (rows, below) = (&board[1..=rows], &board[rows + 2..]);
    if room < 1 + LEAST {
        return Vec::new();
    }
    // The first line below says what was captured, where anything can be.
    let spare = room.saturating_sub(1 + rows.len());
    let kept = spare.max(usize::from(below.len() > 1 && room > 1 + LEAST)).min(below.len());
    let shown = window(rows, room - 1 - kept);
    [header].into_iter().chain(shown).chain(&below[..kept]).cloned().collect()
}

/// So many rows with the last move among them, and as many stones as can be.
fn window(rows: &[String], size: usize) -> &[String] {
    let size = size.min(rows.len());
    let last = rows.iter().position(|row| row.contains('(')).unwrap_or(rows.len() / 2);
    let stones = |start: usize| -> usize {
        rows[start..start + size].iter().map(|row| stones_of(row)).sum()
    };
    // The more room around the last move, the better, if the number of stones is equal.
    let margin = |start: usize| (last - start).min(start + size - 1 - last);
    let starts = (0..=rows.len() - size).filter(|&start| (start..start + size).contains(&last));
    let start = starts.max_by_key(|&start| (stones(start), margin(start))).unwrap_or(0);
    &rows[start..start + size]
}

/// The stones of a row, whose empty points are dots and whose ends are its number.
fn stones_of(row: &str) -> usize {
    row.chars().filter(|letter| letter.is_alphabetic()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board with the last move in that row and stones in these; the first row is the upper one.
    fn board(last: usize, stones: &[usize]) -> Vec<String> {
        let row = |number: usize| match number {
            number if number == last => format!("{number} .(W).{number}"),
            number if stones.contains(&number) => format!("{number} . B .{number}"),
            number => format!("{number} . . .{number}"),
        };
        let names = ["   a b c".to_owned()];
        let below = ["captured by: White 0, Black 2".to_owned(), "White to move".to_owned()];
        names.iter().cloned().chain((10..29).map(row)).chain(names.clone()).chain(below).collect()
    }

    /// The rows that are shown in so many lines, and how many lines stand below them.
    fn shown(last: usize, stones: &[usize], room: usize) -> (Vec<usize>, usize) {
        let part = part_of_board(&board(last, stones), room);
        assert!(part.len() <= room && part.iter().take(1).all(|line| line == "   a b c"));
        let rows = part.iter().filter_map(|line| line.get(..2)?.parse().ok());
        let below = part.iter().filter(|line| line.contains(' ') && line.len() > 12).count();
        (rows.collect(), below)
    }

    #[test]
    fn rows_far_from_the_last_move_are_left_out() {
        assert_eq!(shown(20, &[], 23), ((10..29).collect(), 2), "all of it");
        assert_eq!(shown(20, &[], 22), ((10..29).collect(), 2), "without the lower names");
        assert_eq!(shown(20, &[], 21), ((10..29).collect(), 1));
        assert_eq!(shown(20, &[], 20), ((11..29).collect(), 1), "captures are worth a row");
        assert_eq!(shown(20, &[], 9), ((17..24).collect(), 1));
        assert_eq!(shown(20, &[17, 18, 14], 9), ((14..21).collect(), 1), "stones are worth more");
        assert_eq!(shown(28, &[], 9), ((22..29).collect(), 1));
        assert_eq!(shown(20, &[], 6), ((18..23).collect(), 0));
        assert_eq!(shown(20, &[], 5), (Vec::new(), 0));
    }
}
