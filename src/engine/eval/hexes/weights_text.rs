//! Weights of games on hexagons as text.
//!
//! A line is a key with cells and a number. Cells are written in the view of the color to move: `.` for
//! an empty one, `X` and `O` for its stones and the other's, `#` beyond the edge, `*` for the cell of a
//! move. A ring begins with its middle.

use super::places::{
    HexOrder, HexValue, MOST_TAKEN, MOVES, MOVES_IN_RINGS, PLACE_BITS, VALUE_TERMS,
};
use super::tuples::{CONTENTS, Contents, RING, RINGS, SPAN};
use super::weights::{HexGame, HexWeights};
use crate::eval::weights::{WeightsError, lines, short};
use std::fmt;
use std::str::FromStr;

impl HexWeights {
    /// Whether a text begins as weights for games on hexagons.
    pub(in crate::eval) fn begins(text: &str) -> bool {
        lines(text).next().is_some_and(|(_, line)| read_game(line).is_some())
    }

    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let &[key, ref rest @ .., number] = &words[..] else {
            return Err(format!("expected a key and a number, found `{}`", short(line)));
        };
        let number =
            number.parse().map_err(|_| format!("expected a number, found `{}`", short(number)))?;
        let (cells, one) = (rest.first().copied().unwrap_or_default(), rest.len() == 1);
        match key {
            "span" if one => self.values[usize::from(HexValue::of(whole(cells, SPAN)?))] = number,
            "ring" if one => {
                self.values[usize::from(HexValue::of(RINGS + whole(cells, RING)?))] = number;
            }
            "move" if one => {
                let place = if cells.len() == RING {
                    let (ring, moves) = read_cells(cells, RING)?;
                    (moves == Some(0)).then(|| HexOrder::of(RINGS + ring, 0))
                } else {
                    let (contents, place) = read_cells(cells, SPAN)?;
                    place.map(|place| HexOrder::of(contents, place))
                };
                let place =
                    place.ok_or_else(|| format!("no cell of a move in `{}`", short(cells)))?;
                self.ordering[usize::from(place)] = number;
            }
            "takes" if one => {
                let stones = cells.parse().ok().filter(|stones| (1..=MOST_TAKEN).contains(stones));
                let stones =
                    stones.ok_or_else(|| format!("no number of stones: `{}`", short(cells)))?;
                self.ordering[usize::from(HexOrder::takes(stones))] = number;
            }
            "saves" if rest.is_empty() => self.ordering[usize::from(HexOrder::SAVES)] = number,
            _ => {
                let term = VALUE_TERMS.iter().position(|&term| term == key && rest.is_empty());
                let term =
                    term.ok_or_else(|| format!("unknown key `{}`, or too many words", short(key)))?;
                self.values[CONTENTS + term] = number;
            }
        }
        Ok(())
    }
}

/// The game of the first line.
fn read_game(line: &str) -> Option<HexGame> {
    let name = line.strip_prefix("games ")?.trim();
    HexGame::ALL.into_iter().find(|game| game.name() == name)
}

/// Contents without the place of a move.
fn whole(cells: &str, count: usize) -> Result<Contents, String> {
    match read_cells(cells, count)? {
        (contents, None) => Ok(contents),
        (_, Some(_)) => Err(format!("expected cells of `.XO#`, found `{}`", short(cells))),
    }
}

/// The signs of cells by their digits.
const SIGNS: [u8; 4] = *b".XO#";

/// Contents, and the place of a move among them.
fn read_cells(cells: &str, count: usize) -> Result<(Contents, Option<u8>), String> {
    let (mut contents, mut place) = (0, None);
    if cells.len() != count {
        return Err(format!("expected {count} cells, found `{}`", short(cells)));
    }
    for (number, sign) in (0..).zip(cells.bytes()) {
        match SIGNS.iter().position(|&known| known == sign) {
            Some(digit) => contents |= (digit as Contents) << (2 * number),
            None if sign == b'*' && place.is_none() => place = Some(number),
            None => return Err(format!("expected cells of `.XO#`, found `{}`", short(cells))),
        }
    }
    Ok((contents, place))
}

fn write_cells(contents: Contents, count: usize, place: Option<usize>) -> String {
    let sign = |n: usize| {
        let digit = contents >> (2 * n) & 3;
        if Some(n) == place { '*' } else { char::from(SIGNS[usize::from(digit)]) }
    };
    (0..count).map(sign).collect()
}

impl FromStr for HexWeights {
    type Err = WeightsError;

    /// Reads a table. What it does not name has the weight 0. The first line says which games it is for.
    fn from_str(text: &str) -> Result<HexWeights, WeightsError> {
        let mut weights: Option<HexWeights> = None;
        for (number, line) in lines(text) {
            let wrong = |reason| WeightsError { line: number, reason };
            if let Some(weights) = &mut weights {
                weights.read_line(line).map_err(wrong)?;
                continue;
            }
            let game = read_game(line).ok_or_else(|| {
                wrong(format!("expected `games pentalath` or `yavalath`, found `{}`", short(line)))
            })?;
            let [values, ordering] = HexWeights::COUNTS.map(|count| vec![0; count]);
            weights = Some(HexWeights::new(game, values, ordering));
        }
        let end = text.lines().count().max(1);
        weights.ok_or_else(|| WeightsError { line: end, reason: "no line `games`".to_owned() })
    }
}

/// The table, without remarks and without what is 0.
impl fmt::Display for HexWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "games {}\n", self.game())?;
        let some = |numbers: &[i16]| -> Vec<(usize, i16)> {
            let numbers = numbers.iter().copied().enumerate();
            numbers.filter(|&(_, number)| number != 0).collect()
        };
        for (place, number) in some(&self.values) {
            match (place as Contents).checked_sub(RINGS) {
                _ if place >= CONTENTS => write!(f, "{}", VALUE_TERMS[place - CONTENTS])?,
                None => write!(f, "span {}", write_cells(place as Contents, SPAN, None))?,
                Some(ring) => write!(f, "ring {}", write_cells(ring, RING, None))?,
            }
            writeln!(f, " {number}")?;
        }
        writeln!(f)?;
        for (place, number) in some(&self.ordering) {
            let taken = (place + 1).saturating_sub(MOVES + MOVES_IN_RINGS);
            match place.checked_sub(MOVES) {
                None => {
                    let cells = write_cells(
                        (place >> PLACE_BITS) as Contents,
                        SPAN,
                        Some(place % (1 << PLACE_BITS)),
                    );
                    write!(f, "move {cells}")?;
                }
                Some(_) if taken > MOST_TAKEN => write!(f, "saves")?,
                Some(_) if taken > 0 => write!(f, "takes {taken}")?,
                Some(ring) => {
                    write!(f, "move {}", write_cells((ring << 2) as Contents, RING, Some(0)))?;
                }
            }
            writeln!(f, " {number}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_the_program_are_written_as_they_are_read() {
        for game in HexGame::ALL {
            let weights = HexWeights::built_in(game);
            let again: HexWeights = weights.to_string().parse().unwrap();
            assert_eq!((again.game(), weights.game()), (game, game));
            assert_eq!(again.values, weights.values);
            assert_eq!(again.ordering, weights.ordering);
            assert!(weights.values.iter().filter(|&&number| number != 0).count() > 100);
        }
    }

    #[test]
    fn a_line_may_be_read_from_either_end_and_a_ring_turned() {
        let text = "games yavalath\nspan .XXO.# 7\nring .X.O... -3\nmove .*X..# 9\nmove *X.O... 4\n\
                    takes 2 5\nsaves 6\ntempo 8";
        let weights: HexWeights = text.parse().unwrap();
        let value = |cells: &str, count, rings: Contents| {
            weights.values[usize::from(HexValue::of(rings + read_cells(cells, count).unwrap().0))]
        };
        assert_eq!(value("#.OXX.", SPAN, 0), 7);
        assert_eq!(value(".XXO..", SPAN, 0), 0);
        for ring in [".O.X...", "..X.O..", "....X.O", "..O...X"] {
            assert_eq!(value(ring, RING, RINGS), -3, "{ring}");
        }
        assert_eq!(value(".XO....", RING, RINGS), 0);
        let order = |cells: &str| {
            let (contents, place) = read_cells(cells, cells.len()).unwrap();
            let rings = if cells.len() == RING { RINGS } else { 0 };
            weights.ordering[usize::from(HexOrder::of(rings + contents, place.unwrap()))]
        };
        assert_eq!(["#..X*.", ".X*..#", "*.O.X.."].map(order), [9, 0, 4]);
        let places = [HexOrder::takes(2), HexOrder::SAVES].map(usize::from);
        assert_eq!(places.map(|place| weights.ordering[place]), [5, 6]);
        assert_eq!(weights.values[usize::from(HexValue::TEMPO)], 8);
    }

    #[test]
    fn a_text_that_is_no_table_is_refused_with_the_line() {
        for (text, message) in [
            ("", "line 1: no line `games`"),
            (
                "games chess",
                "line 1: expected `games pentalath` or `yavalath`, found `games chess`",
            ),
            ("games yavalath\nspan ..X 4", "line 2: expected 6 cells, found `..X`"),
            ("games yavalath\nspan ..XY.. 4", "line 2: expected cells of `.XO#`, found `..XY..`"),
            ("games yavalath\nspan .*XX.. 4", "line 2: expected cells of `.XO#`, found `.*XX..`"),
            ("games yavalath\nspan ..XX.. four", "line 2: expected a number, found `four`"),
            ("games yavalath\n\nmove ..XX.. 4", "line 3: no cell of a move in `..XX..`"),
            ("games yavalath\nmove .*.X... 4", "line 2: no cell of a move in `.*.X...`"),
            ("games yavalath\ntakes 9 4", "line 2: no number of stones: `9`"),
            ("games yavalath\nspan", "line 2: expected a key and a number, found `span`"),
            ("games yavalath\nspam ..XX.. 4", "line 2: unknown key `spam`, or too many words"),
        ] {
            assert_eq!(text.parse::<HexWeights>().unwrap_err().to_string(), message);
        }
    }
}
