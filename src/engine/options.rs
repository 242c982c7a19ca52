//! The options of the engine, in one table. Every protocol, the arena and the command line use it.
//!
//! A new option is a field of [`Options`], a row of [`Options::TABLE`] and its use.

use super::Book;
use crate::eval::EvalFile;
use crate::search::{Handicap, Limits, Parameter, Parameters};
use pentarch_protocol::nearest;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The engine's options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the hash table in MiB.
    pub hash: usize,
    /// Number of search threads.
    pub threads: usize,
    /// Number of principal variations to report.
    pub multi_pv: u32,
    /// Playing strength from 1 to 10, which is full strength.
    pub level: u32,
    /// Seed of random variation in play. With 0 the engine plays deterministically.
    pub seed: u64,
    /// Whether to prove the value of a position instead of estimating it.
    pub exact: bool,
    /// Whether to search for forced wins in addition to the main search.
    pub forced_wins: bool,
    /// The search method for games that support more than one.
    pub method: SearchMethod,
    /// Whether to play from `book`.
    pub own_book: bool,
    /// The opening book.
    pub book: Option<Arc<Book>>,
    /// Evaluation weights that replace the built-in ones in the games that the file names.
    pub eval_file: Option<Arc<EvalFile>>,
    /// The tunable parameters of alpha-beta search.
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
            method: SearchMethod::Best,
            own_book: false,
            book: None,
            eval_file: None,
            parameters: Parameters::DEFAULT,
        }
    }
}

/// The search method for games on hexagons, and for placed stones with three or more sides. In other
/// games this choice has no effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchMethod {
    /// The stronger method for the game. For two players on hexagons that is alpha-beta: at 50 ms a move from
    /// balanced openings of four plies, 60 games each, it beat tree search 50-10 in `pentalath`, 50-10 in
    /// `pentalath-hex` and 58-2 in `yavalath`.
    #[default]
    Best,
    /// Alpha-beta with a static evaluation.
    AlphaBeta,
    /// Monte Carlo tree search.
    Mcts,
}

impl SearchMethod {
    const ALL: [SearchMethod; 3] =
        [SearchMethod::Best, SearchMethod::AlphaBeta, SearchMethod::Mcts];
    /// The names of [`SearchMethod::ALL`], in the same order.
    const NAMES: [&'static str; 3] = ["best", "alpha-beta", "mcts"];
}

impl fmt::Display for SearchMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SearchMethod::NAMES[*self as usize])
    }
}

/// A row of an integer option with a range.
macro_rules! number {
    ($name:literal, $flag:literal, $help:literal, $range:ident, $field:ident: $type:ty) => {
        OptionRow {
            name: $name,
            flag: $flag,
            help: $help,
            option_type: OptionType::Number {
                least: *Options::$range.start() as u64,
                most: *Options::$range.end() as u64,
                get: |options| options.$field as u64,
                set: |options, number| options.$field = number as $type,
            },
        }
    };
}

/// A row of a boolean option.
macro_rules! switch {
    ($name:literal, $flag:literal, $help:literal, $field:ident) => {
        OptionRow {
            name: $name,
            flag: $flag,
            help: $help,
            option_type: OptionType::Switch {
                get: |options| options.$field,
                set: |options, on| options.$field = on,
            },
        }
    };
}

impl Options {
    /// The valid sizes of the hash table, in MiB.
    pub const HASH: std::ops::RangeInclusive<usize> = 1..=65_536;
    /// The valid numbers of threads.
    pub const THREADS: std::ops::RangeInclusive<usize> = 1..=256;
    /// The valid numbers of principal variations.
    pub const MULTI_PV: std::ops::RangeInclusive<u32> = 1..=100;
    /// The valid seeds. Protocols limit integers to 63 bits.
    pub const SEED: std::ops::RangeInclusive<u64> = 0..=i64::MAX as u64;
    /// The valid levels.
    pub const LEVEL: std::ops::RangeInclusive<u32> = 1..=10;

    /// The options for users, in the order in which protocols list them.
    pub const TABLE: [OptionRow; 12] = [
        number!("Hash", "hash", "Size of the hash table in MiB", HASH, hash: usize),
        number!("Threads", "threads", "Number of search threads", THREADS, threads: usize),
        number!(
            "MultiPV",
            "multi-pv",
            "Number of principal variations to show",
            MULTI_PV,
            multi_pv: u32
        ),
        // Clients expect this option. Whether a search ponders depends on `go ponder` alone.
        OptionRow {
            name: "Ponder",
            flag: "ponder",
            help: "Search during the opponent's time",
            option_type: OptionType::Ignored,
        },
        number!(
            "Level",
            "level",
            "Playing strength from 1 to 10, which is full strength",
            LEVEL,
            level: u32
        ),
        number!(
            "Seed",
            "seed",
            "Seed of random variation in play; 0 makes play deterministic",
            SEED,
            seed: u64
        ),
        switch!("OwnBook", "own-book", "Play from the opening book in BookFile", own_book),
        OptionRow {
            name: "BookFile",
            flag: "book-file",
            help: "Path of the opening book; a Seed other than 0 fixes its random choices",
            option_type: OptionType::File {
                get: book_path,
                set: load_book,
                copy: |from, to| to.book.clone_from(&from.book),
            },
        },
        switch!("Exact", "exact", "Prove the value of a position instead of estimating it", exact),
        switch!(
            "ForcedWins",
            "forced-wins",
            "Search for forced wins in addition to the main search",
            forced_wins
        ),
        OptionRow {
            name: "Method",
            flag: "method",
            help: "Search method for games that support several: best, alpha-beta or mcts",
            option_type: OptionType::Choice {
                words: &SearchMethod::NAMES,
                get: |options| options.method as usize,
                set: |options, index| {
                    options.method = SearchMethod::ALL[index % SearchMethod::ALL.len()];
                },
            },
        },
        OptionRow {
            name: "EvalFile",
            flag: "eval-file",
            help: "Path of evaluation weights made by `train`, or `classical`",
            option_type: OptionType::File {
                get: eval_path,
                set: load_eval,
                copy: |from, to| to.eval_file.clone_from(&from.eval_file),
            },
        },
    ];

    /// The options that set search parameters, for tuning. Protocols always accept them, but list them only on
    /// request.
    pub const TUNABLE: [OptionRow; Parameters::TABLE.len()] = {
        let mut rows = [OptionRow::of_parameter(&Parameters::TABLE[0]); Parameters::TABLE.len()];
        let mut index = 1;
        while index < rows.len() {
            rows[index] = OptionRow::of_parameter(&Parameters::TABLE[index]);
            index += 1;
        }
        rows
    };

    /// Every option: [`Options::TABLE`], then [`Options::TUNABLE`].
    pub fn rows() -> impl Iterator<Item = &'static OptionRow> {
        const TABLE: &[OptionRow] = &Options::TABLE;
        const TUNABLE: &[OptionRow] = &Options::TUNABLE;
        TABLE.iter().chain(TUNABLE)
    }

    /// Sets an option by name. On an error nothing changes.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let row = OptionRow::find(name).ok_or_else(|| OptionError::unknown(name, &[]))?;
        row.set(self, value)
    }
}

fn book_path(options: &Options) -> String {
    options.book.as_ref().map_or(String::new(), |book| book.path().display().to_string())
}

/// Reads the book at a path. An empty path removes the book.
fn load_book(options: &mut Options, path: &str) -> Result<(), String> {
    let read = |path| Book::read(Path::new(path)).map_err(|error| error.to_string());
    options.book = if path.is_empty() { None } else { Some(Arc::new(read(path)?)) };
    Ok(())
}

fn eval_path(options: &Options) -> String {
    options.eval_file.as_ref().map_or(String::new(), |file| file.path().display().to_string())
}

/// Reads the evaluation at a path. An empty path selects the default evaluation, and
/// [`EvalFile::CLASSICAL`] the built-in weights without a network.
fn load_eval(options: &mut Options, path: &str) -> Result<(), String> {
    let read = |path| EvalFile::read(Path::new(path)).map_err(|error| error.to_string());
    let file = match path {
        "" => None,
        EvalFile::CLASSICAL => Some(EvalFile::classical()),
        path => Some(read(path)?),
    };
    options.eval_file = file.map(Arc::new);
    Ok(())
}

/// One option: its names, its help text and its type.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// The name in protocols, compared without regard to case.
    pub name: &'static str,
    /// The name on the command line, empty for a search parameter, which has none.
    pub flag: &'static str,
    /// A description of one line.
    pub help: &'static str,
    /// The type, with the functions that read and set the value.
    pub option_type: OptionType,
}

/// The type of an option, with the functions that read and set its value.
#[derive(Clone, Copy, Debug)]
pub enum OptionType {
    /// An integer from `least` to `most`.
    Number {
        /// The minimum.
        least: u64,
        /// The maximum.
        most: u64,
        /// Returns the value.
        get: fn(&Options) -> u64,
        /// Sets the value.
        set: fn(&mut Options, u64),
    },
    /// A boolean, `true` or `false`.
    Switch {
        /// Returns the value.
        get: fn(&Options) -> bool,
        /// Sets the value.
        set: fn(&mut Options, bool),
    },
    /// One of several words.
    Choice {
        /// The words.
        words: &'static [&'static str],
        /// Returns the index of the selected word.
        get: fn(&Options) -> usize,
        /// Selects a word by its index.
        set: fn(&mut Options, usize),
    },
    /// The path of a file, empty for none.
    File {
        /// Returns the path.
        get: fn(&Options) -> String,
        /// Reads the file. The error is a message for the user.
        set: fn(&mut Options, &str) -> Result<(), String>,
        /// Copies the contents of the file from other options.
        copy: fn(&Options, &mut Options),
    },
    /// A search parameter.
    Parameter(Parameter),
    /// A boolean that clients expect and that has no effect.
    Ignored,
}

impl OptionRow {
    /// Returns the option with a name.
    pub fn find(name: &str) -> Option<&'static OptionRow> {
        Options::rows().find(|row| row.name.eq_ignore_ascii_case(name.trim()))
    }

    const fn of_parameter(parameter: &Parameter) -> OptionRow {
        let &Parameter { name, help, .. } = parameter;
        OptionRow { name, flag: "", help, option_type: OptionType::Parameter(*parameter) }
    }

    /// Returns the value as text that [`OptionRow::set`] accepts.
    pub fn get(&self, options: &Options) -> String {
        match self.option_type {
            OptionType::Number { get, .. } => get(options).to_string(),
            OptionType::Switch { get, .. } => get(options).to_string(),
            OptionType::Choice { words, get, .. } => words[get(options)].to_owned(),
            OptionType::File { get, .. } => get(options),
            OptionType::Parameter(Parameter { get, .. }) => get(&options.parameters).to_string(),
            OptionType::Ignored => false.to_string(),
        }
    }

    /// Sets the value from text. On an error nothing changes.
    pub fn set(&self, options: &mut Options, text: &str) -> Result<(), OptionError> {
        let text = text.trim();
        let invalid = || self.invalid_value(text);
        let parse_switch = || text.to_ascii_lowercase().parse::<bool>().map_err(|_| invalid());
        match self.option_type {
            OptionType::Number { least, most, set, .. } => {
                let number = text.parse().ok().filter(|number| (least..=most).contains(number));
                set(options, number.ok_or_else(invalid)?);
            }
            OptionType::Switch { set, .. } => set(options, parse_switch()?),
            OptionType::Choice { words, set, .. } => {
                let index = words.iter().position(|word| word.eq_ignore_ascii_case(text));
                set(options, index.ok_or_else(invalid)?);
            }
            OptionType::File { set, .. } => {
                let refused = |reason| OptionError::Refused { name: self.name, reason };
                set(options, text).map_err(refused)?;
            }
            OptionType::Parameter(Parameter { least, most, set, .. }) => {
                let number = text.parse().ok().filter(|number| (least..=most).contains(number));
                set(&mut options.parameters, number.ok_or_else(invalid)?);
            }
            OptionType::Ignored => {
                parse_switch()?;
            }
        }
        Ok(())
    }

    /// Sets an option of type [`OptionType::Number`] to a number clamped to its range. Options of other types
    /// do not change.
    pub fn set_clamped(&self, options: &mut Options, number: u64) {
        if let OptionType::Number { least, most, set, .. } = self.option_type {
            set(options, number.clamp(least, most));
        }
    }

    /// Copies the value of this option from other options. Files are not read again.
    pub fn copy(&self, from: &Options, to: &mut Options) {
        match self.option_type {
            OptionType::Number { get, set, .. } => set(to, get(from)),
            OptionType::Switch { get, set } => set(to, get(from)),
            OptionType::Choice { get, set, .. } => set(to, get(from)),
            OptionType::File { copy, .. } => copy(from, to),
            OptionType::Parameter(Parameter { get, set, .. }) => {
                set(&mut to.parameters, get(&from.parameters));
            }
            OptionType::Ignored => (),
        }
    }

    /// Describes the accepted values, as in "a number from 1 to 10".
    pub fn expected(&self) -> String {
        match self.option_type {
            OptionType::Number { least, most, .. } => format!("a number from {least} to {most}"),
            OptionType::Parameter(Parameter { least, most, .. }) => {
                format!("a number from {least} to {most}")
            }
            OptionType::Switch { .. } | OptionType::Ignored => "`true` or `false`".to_owned(),
            OptionType::File { .. } => "the path of a file".to_owned(),
            OptionType::Choice { words, .. } => {
                let (last, others) = words.split_last().unwrap_or((&"nothing", &[]));
                format!("`{}` or `{last}`", others.join("`, `"))
            }
        }
    }

    fn invalid_value(&self, text: &str) -> OptionError {
        let found = text.chars().take(40).collect();
        OptionError::Value { name: self.name, expected: self.expected(), found }
    }
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no option with this name. The second text suggests a similar name, or is empty.
    #[error("unknown option `{0}`{1}")]
    Unknown(String, String),
    /// The value is malformed or out of range.
    #[error("option `{name}`: expected {expected}, found `{found}`")]
    Value {
        /// The name of the option.
        name: &'static str,
        /// The accepted values ([`OptionRow::expected`]).
        expected: String,
        /// The value, truncated to 40 characters.
        found: String,
    },
    /// The engine cannot use the value, for example a file that does not exist.
    #[error("option `{name}`: {reason}")]
    Refused {
        /// The name of the option.
        name: &'static str,
        /// The reason.
        reason: String,
    },
}

impl OptionError {
    /// Returns the message without the name of the option and its value, for contexts that show both.
    pub fn reason(&self) -> String {
        match self {
            OptionError::Value { expected, .. } => format!("expected {expected}"),
            OptionError::Refused { reason, .. } => reason.clone(),
            OptionError::Unknown(..) => self.to_string(),
        }
    }

    /// Returns the error for an unknown name. It suggests the most similar name among all options and `others`.
    pub fn unknown(name: &str, others: &[&'static str]) -> OptionError {
        let names = Options::rows().map(|row| row.name).chain(others.iter().copied());
        let hint = nearest(name, names);
        let hint = hint.map_or(String::new(), |known| format!(", did you mean `{known}`?"));
        OptionError::Unknown(name.chars().take(40).collect(), hint)
    }
}

/// What the engine does at a level below full strength: it searches fewer nodes and fewer root moves, adds noise
/// to the evaluation, and at the lowest levels does not search for forced wins. The steps are chosen so that
/// each level scores about two thirds against the level below it at 0.1 s a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    nodes: u64,
    pub(crate) handicap: Handicap,
}

/// For the levels from 1 to 9: nodes, root moves, evaluation noise in points, search for forced wins.
const LEVELS: [(u64, usize, i32, bool); 9] = [
    (5, 5, 1020, false),
    (30, 6, 390, false),
    (140, 9, 212, false),
    (260, 9, 195, false),
    (600, 10, 136, false),
    (1_200, 12, 94, true),
    (3_000, 16, 51, true),
    (6_000, 22, 31, true),
    (20_000, 40, 12, true),
];

impl Level {
    /// Returns the level of a number from 1 on, or `None` for full strength.
    pub(crate) fn of(level: u32) -> Option<Level> {
        let index = level.checked_sub(1)? as usize;
        let &(nodes, max_root_moves, eval_noise, forced_wins) = LEVELS.get(index)?;
        Some(Level { nodes, handicap: Handicap { max_root_moves, eval_noise, forced_wins } })
    }

    /// Returns the limits with the number of nodes restricted to that of the level.
    pub(crate) fn limits(self, limits: Limits) -> Limits {
        let nodes = limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes));
        Limits { nodes: Some(nodes), ..limits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_parses_its_own_text() {
        for row in Options::rows() {
            let values: Vec<String> = match row.option_type {
                OptionType::Number { least, most, .. } => vec![least.to_string(), most.to_string()],
                OptionType::Parameter(Parameter { least, most, .. }) => {
                    vec![least.to_string(), most.to_string()]
                }
                OptionType::Switch { .. } => vec!["true".to_owned(), "false".to_owned()],
                OptionType::Choice { words, .. } => {
                    words.iter().map(|&word| word.to_owned()).collect()
                }
                OptionType::File { .. } => vec![String::new()],
                OptionType::Ignored => vec!["false".to_owned()],
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
    fn invalid_values_change_nothing() {
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
