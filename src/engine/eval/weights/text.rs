//! Weights as text: a line is a key with its numbers, `#` begins a remark.

use super::parameters::{CLASSES, class_digits, orders_of};
use super::{CellWeights, Weights};
use crate::eval::shapes::{Shape, Urgency};
use std::fmt;
use std::str::FromStr;

/// Why a text has no weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct WeightsError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// What is wrong with a line.
type Read<T> = Result<T, String>;

impl FromStr for Weights {
    type Err = WeightsError;

    /// Reads a table. What it does not name has the weight 0. The first line says which games it is
    /// for.
    fn from_str(text: &str) -> Result<Weights, WeightsError> {
        let mut weights: Option<Weights> = None;
        for (number, line) in lines(text) {
            let wrong = |reason| WeightsError { line: number, reason };
            let (key, numbers) = line.split_once(' ').unwrap_or((line, ""));
            match &mut weights {
                None if key == "games" => {
                    weights = Some(Weights::zero(numbers.parse().map_err(wrong)?));
                }
                None => return Err(wrong(format!("expected `games`, found `{}`", short(key)))),
                Some(weights) => weights.read_line(key, numbers).map_err(wrong)?,
            }
        }
        let end = text.lines().count().max(1);
        weights.ok_or_else(|| WeightsError { line: end, reason: "no line `games`".to_owned() })
    }
}

impl Weights {
    fn read_line(&mut self, key: &str, numbers: &str) -> Read<()> {
        let ordering = &mut self.ordering;
        match key {
            "cell" => self.read_cell(numbers)?,
            "threat" => {
                let (row, rest) = read_row(numbers, Urgency::COUNT)?;
                let (column, rest) = read_row(rest, Urgency::COUNT)?;
                self.threats[row][column] = read(rest)?;
            }
            "point" => read_role(numbers, &mut self.points)?,
            "count" => read_role(numbers, &mut self.counts)?,
            "capture_threat" => self.capture_threat = read(numbers)?,
            "vulnerable" => self.vulnerable = read(numbers)?,
            "takes" => ordering.takes = read(numbers)?,
            "saves" => ordering.saves = read(numbers)?,
            "attacks" => ordering.attacks = read(numbers)?,
            "exposes" => ordering.exposes = read(numbers)?,
            "guards" => ordering.guards = read(numbers)?,
            "spares" => ordering.spares = read(numbers)?,
            "urgency" => read_role(numbers, &mut ordering.urgency)?,
            _ => return Err(format!("unknown key `{}`", short(key))),
        }
        Ok(())
    }

    /// Reads the weights of cells with some shapes, digits by [`Shape`], for the lines in every
    /// order.
    fn read_cell(&mut self, text: &str) -> Read<()> {
        let (digits, rest) = text.split_once(' ').unwrap_or((text, ""));
        let [mover, other, makes, stops] = read(rest)?;
        let weights = CellWeights { value: [mover, other], ordering: [makes, stops] };
        let known = digits.bytes().all(|digit| (b'0'..=b'0' + Shape::Five as u8).contains(&digit));
        let shapes: Option<[u8; 4]> = digits.as_bytes().try_into().ok().filter(|_| known);
        let shapes =
            shapes.ok_or_else(|| format!("expected four shapes, found `{}`", short(digits)))?;
        for index in orders_of(shapes.map(|digit| digit - b'0')) {
            self.cells[index] = weights;
        }
        Ok(())
    }
}

/// Reads exactly `N` numbers.
fn read<const N: usize>(numbers: &str) -> Read<[i16; N]> {
    let number = |text: &str| {
        text.parse().map_err(|_| format!("expected a number, found `{}`", short(text)))
    };
    let read: Vec<i16> = numbers.split_ascii_whitespace().map(number).collect::<Read<_>>()?;
    let found = read.len();
    read.try_into().map_err(|_| format!("expected {N} numbers, found {found}"))
}

/// Reads the number of a row, in front of the row itself.
fn read_row(text: &str, rows: usize) -> Read<(usize, &str)> {
    let (row, rest) = text.split_once(' ').unwrap_or((text, ""));
    let number = row.parse().ok().filter(|&row| row < rows);
    let number =
        number.ok_or_else(|| format!("expected a row below {rows}, found `{}`", short(row)))?;
    Ok((number, rest))
}

fn read_role<const N: usize, const M: usize>(text: &str, rows: &mut [[i16; N]; M]) -> Read<()> {
    let (row, rest) = read_row(text, M)?;
    rows[row] = read(rest)?;
    Ok(())
}

/// The lines that say something, by their numbers.
pub(in crate::eval) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim_end));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// As much of a text as an error says.
pub(in crate::eval) fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The table, without remarks and without what is 0.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "games {}\n", self.genre)?;
        for class in 0..CLASSES {
            let digits = class_digits(class);
            let index = orders_of(digits).next().unwrap_or_default();
            let CellWeights { value, ordering } = self.cells[index];
            let name: String = digits.iter().map(|&digit| char::from(b'0' + digit)).collect();
            write_row(f, &format!("cell {name}"), &[value, ordering].concat())?;
        }
        for (row, columns) in self.threats.iter().enumerate() {
            for (column, numbers) in columns.iter().enumerate() {
                write_row(f, &format!("threat {row} {column}"), numbers)?;
            }
        }
        write_role(f, "point", &self.points)?;
        write_role(f, "count", &self.counts)?;
        let ordering = &self.ordering;
        for (key, numbers) in [
            ("capture_threat", self.capture_threat.as_slice()),
            ("vulnerable", &self.vulnerable),
            ("takes", &ordering.takes),
            ("saves", &ordering.saves),
            ("attacks", &ordering.attacks),
            ("exposes", &ordering.exposes),
            ("guards", &ordering.guards),
            ("spares", &ordering.spares),
        ] {
            write_row(f, key, numbers)?;
        }
        write_role(f, "urgency", &ordering.urgency)
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, key: &str, numbers: &[i16]) -> fmt::Result {
    if numbers.iter().all(|&number| number == 0) {
        return Ok(());
    }
    f.write_str(key)?;
    numbers.iter().try_for_each(|number| write!(f, " {number}"))?;
    f.write_str("\n")
}

fn write_role<const N: usize, const M: usize>(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    rows: &[[i16; N]; M],
) -> fmt::Result {
    let mut rows = rows.iter().enumerate();
    rows.try_for_each(|(row, numbers)| write_row(f, &format!("{key} {row}"), numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Genre;

    #[test]
    fn what_is_written_is_read_again() {
        for genre in Genre::ALL {
            let text = Weights::built_in(genre).to_string();
            let read: Weights = text.parse().unwrap();
            assert_eq!(read.to_string(), text);
            assert_eq!(read.genre(), genre);
            assert!(text.lines().count() > 100, "{text}");
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for (text, message) in [
            ("", "line 1: no line `games`"),
            ("# weights\ncell 1000 1 2 3 4", "line 2: expected `games`, found `cell`"),
            ("games chess", "found `chess`"),
            ("games lines\ncell 1008 1 2 3 4", "line 2: expected four shapes, found `1008`"),
            ("games lines\ncell 100 1 2 3 4", "line 2: expected four shapes, found `100`"),
            ("games lines\ncell 1000 1 2 3", "line 2: expected 4 numbers, found 3"),
            ("games lines\ncell 1000 1 2 3 40000", "expected a number, found `40000`"),
            ("games lines\nthreat 7 0 1 2 3 4", "expected a row below 7, found `7`"),
            ("games lines\npoint", "expected a row below 2, found ``"),
            ("games lines\nqueen 9", "unknown key `queen`"),
        ] {
            let found = text.parse::<Weights>().expect_err(text).to_string();
            assert!(found.contains(message), "{text}: {found}");
        }
    }
}
