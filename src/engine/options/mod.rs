//! What a user may set: one table, from which every protocol, the arena and the command line draw.
//!
//! A new option is a field of [`Options`], a row of [`Options::TABLE`] and its use.

mod error;
mod method;
mod row;

use super::Book;
use crate::eval::EvalFile;
use crate::search::Parameters;
pub use error::OptionError;
pub use method::Method;
pub use row::{Access, OptionRow};
use std::path::Path;
use std::sync::Arc;

/// The engine's options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the hash table in MiB.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
    /// How many of the best moves to show lines for.
    pub multi_pv: u32,
    /// Playing strength, 10 is full.
    pub level: u32,
    /// Makes the engine vary its play; 0 plays the same every time.
    pub seed: u64,
    /// Proves the value of a position instead of estimating it.
    pub exact: bool,
    /// Looks for forced wins beside the main search.
    pub forced_wins: bool,
    /// How games are searched that more than one method knows.
    pub method: Method,
    /// Plays from the book, if there is one.
    pub own_book: bool,
    /// The opening book.
    pub book: Option<Arc<Book>>,
    /// An evaluation of stones on squares, instead of that of the program.
    pub eval_file: Option<Arc<EvalFile>>,
    /// The numbers of alpha-beta that only matches can choose.
    pub parameters: Parameters,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 64,
            threads: 1,
            multi_pv: 1,
            level: 10,
            seed: 0,
            exact: false,
            forced_wins: true,
            method: Method::Best,
            own_book: false,
            book: None,
            eval_file: None,
            parameters: Parameters::DEFAULT,
        }
    }
}

/// A row whose value is a number, with its range.
macro_rules! number {
    ($name:literal, $flag:literal, $help:literal, $range:ident, $field:ident: $type:ty) => {
        OptionRow {
            name: $name,
            flag: $flag,
            help: $help,
            access: Access::Number {
                least: *Options::$range.start() as u64,
                most: *Options::$range.end() as u64,
                get: |options| options.$field as u64,
                set: |options, number| options.$field = number as $type,
            },
        }
    };
}

/// A row whose value is on or off.
macro_rules! switch {
    ($name:literal, $flag:literal, $help:literal, $field:ident) => {
        OptionRow {
            name: $name,
            flag: $flag,
            help: $help,
            access: Access::Switch {
                get: |options| options.$field,
                set: |options, on| options.$field = on,
            },
        }
    };
}

impl Options {
    /// The sizes of the hash table that may be asked for, in MiB.
    pub const HASH: std::ops::RangeInclusive<usize> = 1..=65_536;
    /// The numbers of threads that may be asked for.
    pub const THREADS: std::ops::RangeInclusive<usize> = 1..=256;
    /// The numbers of lines that may be asked for.
    pub const MULTI_PV: std::ops::RangeInclusive<u32> = 1..=100;
    /// The seeds: what a protocol can write.
    pub const SEED: std::ops::RangeInclusive<u64> = 0..=i64::MAX as u64;
    /// The levels.
    pub const LEVEL: std::ops::RangeInclusive<u32> = 1..=10;

    /// Every option, in the order in which protocols list them.
    pub const TABLE: [OptionRow; 12] = [
        number!("Hash", "hash", "Size of the hash table, in MiB", HASH, hash: usize),
        number!("Threads", "threads", "Search threads", THREADS, threads: usize),
        number!("MultiPV", "multi-pv", "How many of the best moves to show", MULTI_PV, multi_pv: u32),
        // Whether to ponder is the client's choice, made with `go ponder`.
        OptionRow {
            name: "Ponder",
            flag: "ponder",
            help: "Search in the opponent's time",
            access: Access::Ignored,
        },
        number!("Level", "level", "Playing strength from 1, 10 is full", LEVEL, level: u32),
        number!("Seed", "seed", "Vary the play; 0 plays the same every time", SEED, seed: u64),
        switch!("OwnBook", "own-book", "Play from the opening book of BookFile", own_book),
        OptionRow {
            name: "BookFile",
            flag: "book-file",
            help: "The opening book; a Seed other than 0 makes its choices repeatable",
            access: Access::File {
                get: book_file,
                set: read_book,
                copy: |from, to| to.book.clone_from(&from.book),
            },
        },
        switch!("Exact", "exact", "Prove the value of a position instead of estimating it", exact),
        switch!(
            "ForcedWins",
            "forced-wins",
            "Look for forced wins beside the main search",
            forced_wins
        ),
        OptionRow {
            name: "Method",
            flag: "method",
            help: "How games are searched that several methods know: best, alpha-beta or mcts",
            access: Access::Choice {
                words: &Method::NAMES,
                get: |options| options.method as usize,
                set: |options, index| options.method = Method::ALL[index % Method::ALL.len()],
            },
        },
        OptionRow {
            name: "EvalFile",
            flag: "eval-file",
            help: "An evaluation made by `train`, for the games that it names, or `classical`",
            access: Access::File {
                get: eval_file,
                set: read_eval,
                copy: |from, to| to.eval_file.clone_from(&from.eval_file),
            },
        },
    ];

    /// The numbers of the search, which nobody but a tuner needs: protocols list them where that is
    /// asked for, and take them always.
    pub const TUNABLE: [OptionRow; Parameters::TABLE.len()] = {
        let mut rows = [OptionRow::of_parameter(&Parameters::TABLE[0]); Parameters::TABLE.len()];
        let mut index = 1;
        while index < rows.len() {
            rows[index] = OptionRow::of_parameter(&Parameters::TABLE[index]);
            index += 1;
        }
        rows
    };

    /// Every option that can be set, those of [`Options::TUNABLE`] last.
    pub fn rows() -> impl Iterator<Item = &'static OptionRow> {
        const TABLE: &[OptionRow] = &Options::TABLE;
        const TUNABLE: &[OptionRow] = &Options::TUNABLE;
        TABLE.iter().chain(TUNABLE)
    }

    /// Sets the option of a name, or says why not and changes nothing.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let row = OptionRow::find(name).ok_or_else(|| OptionError::unknown(name, &[]))?;
        row.set(self, value)
    }
}

/// The path of the book, as it was given.
fn book_file(options: &Options) -> String {
    options.book.as_ref().map_or(String::new(), |book| book.path().display().to_string())
}

/// Reads the book of that path; none for an empty one.
fn read_book(options: &mut Options, path: &str) -> Result<(), String> {
    let read = |path| Book::read(Path::new(path)).map_err(|error| error.to_string());
    options.book = if path.is_empty() { None } else { Some(Arc::new(read(path)?)) };
    Ok(())
}

/// The path of the evaluation, as it was given.
fn eval_file(options: &Options) -> String {
    options.eval_file.as_ref().map_or(String::new(), |file| file.path().display().to_string())
}

/// Reads the evaluation of that path; none for an empty one. A word stands for the program's own
/// weights.
fn read_eval(options: &mut Options, path: &str) -> Result<(), String> {
    let read = |path| EvalFile::read(Path::new(path)).map_err(|error| error.to_string());
    let file = match path {
        "" => None,
        EvalFile::CLASSICAL => Some(EvalFile::classical()),
        path => Some(read(path)?),
    };
    options.eval_file = file.map(Arc::new);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Parameter;

    #[test]
    fn every_option_is_read_as_it_is_written() {
        for row in Options::rows() {
            let values: Vec<String> = match row.access {
                Access::Number { least, most, .. } => vec![least.to_string(), most.to_string()],
                Access::Parameter(Parameter { least, most, .. }) => {
                    vec![least.to_string(), most.to_string()]
                }
                Access::Switch { .. } => vec!["true".to_owned(), "false".to_owned()],
                Access::Choice { words, .. } => words.iter().map(|&word| word.to_owned()).collect(),
                Access::File { .. } => vec![String::new()],
                Access::Ignored => vec!["false".to_owned()],
            };
            for value in values {
                let mut options = Options::default();
                options.set(&row.name.to_uppercase(), &value).unwrap();
                assert_eq!(row.get(&options), value, "{}", row.name);
                // Nothing else changes.
                row.set(&mut options, &row.get(&Options::default())).unwrap();
                assert_eq!(options, Options::default(), "{}", row.name);
            }
        }
    }

    #[test]
    fn what_is_refused_changes_nothing() {
        for (name, value, message) in [
            ("Hash", "0", "option `Hash`: expected a number from 1 to 65536, found `0`"),
            (
                "Seed",
                "-1",
                "option `Seed`: expected a number from 0 to 9223372036854775807, found `-1`",
            ),
            ("exact", "1", "option `Exact`: expected `true` or `false`, found `1`"),
            (
                "Method",
                "uct",
                "option `Method`: expected `best`, `alpha-beta` or `mcts`, found `uct`",
            ),
            ("OwnBook", "yes", "option `OwnBook`: expected `true` or `false`, found `yes`"),
            (
                "BookFile",
                "/no/such/book",
                "option `BookFile`: cannot read the book /no/such/book: No such file or directory (os \
                 error 2); check the path",
            ),
            ("RfpMargin", "9", "option `RfpMargin`: expected a number from 10 to 400, found `9`"),
            ("RfpMargn", "9", "unknown option `RfpMargn`, did you mean `RfpMargin`?"),
            ("Threds", "1", "unknown option `Threds`, did you mean `Threads`?"),
        ] {
            let mut options = Options::default();
            assert_eq!(options.set(name, value).unwrap_err().to_string(), message);
            assert_eq!(options, Options::default());
        }
    }
}
