//! A row of the table: how an option is named, read and set.

use super::{OptionError, Options};
use crate::search::Parameter;

/// An option as a user knows it.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// The name. Case does not matter in what a user writes.
    pub name: &'static str,
    /// The name on the command line, empty for a number that only tuners set.
    pub flag: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
    /// The values that it takes, and how they are read and set.
    pub access: Access,
}

/// The values that an option takes, and how they are read and set.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// A whole number from `least` to `most`.
    Number {
        /// The least number.
        least: u64,
        /// The greatest number.
        most: u64,
        /// Reads it.
        get: fn(&Options) -> u64,
        /// Sets it.
        set: fn(&mut Options, u64),
    },
    /// On or off.
    Switch {
        /// Reads it.
        get: fn(&Options) -> bool,
        /// Sets it.
        set: fn(&mut Options, bool),
    },
    /// One of several words.
    Choice {
        /// The words.
        words: &'static [&'static str],
        /// Reads the number of the word, from 0.
        get: fn(&Options) -> usize,
        /// Sets it by its number.
        set: fn(&mut Options, usize),
    },
    /// The path of a file, empty for none.
    File {
        /// The path.
        get: fn(&Options) -> String,
        /// Reads the file, or says why it cannot be used.
        set: fn(&mut Options, &str) -> Result<(), String>,
        /// Takes over what other options have read.
        copy: fn(&Options, &mut Options),
    },
    /// A number of the search.
    Parameter(Parameter),
    /// A switch that clients look for and that changes nothing, whether it is on or off.
    Ignored,
}

impl OptionRow {
    /// The option of a name.
    pub fn find(name: &str) -> Option<&'static OptionRow> {
        Options::rows().find(|row| row.name.eq_ignore_ascii_case(name.trim()))
    }

    pub(super) const fn of_parameter(parameter: &Parameter) -> OptionRow {
        let &Parameter { name, help, .. } = parameter;
        OptionRow { name, flag: "", help, access: Access::Parameter(*parameter) }
    }

    /// The value among some options, as a user writes it.
    pub fn get(&self, options: &Options) -> String {
        match self.access {
            Access::Number { get, .. } => get(options).to_string(),
            Access::Switch { get, .. } => get(options).to_string(),
            Access::Choice { words, get, .. } => words[get(options)].to_owned(),
            Access::File { get, .. } => get(options),
            Access::Parameter(Parameter { get, .. }) => get(&options.parameters).to_string(),
            Access::Ignored => false.to_string(),
        }
    }

    /// Sets the value that a user has written, or says why not and changes nothing.
    pub fn set(&self, options: &mut Options, text: &str) -> Result<(), OptionError> {
        let text = text.trim();
        let wrong = || self.wrong(text);
        match self.access {
            Access::Number { least, most, set, .. } => {
                let number = text.parse().ok().filter(|number| (least..=most).contains(number));
                set(options, number.ok_or_else(wrong)?);
            }
            Access::Switch { set, .. } => set(options, switch(text).ok_or_else(wrong)?),
            Access::Choice { words, set, .. } => {
                let index = words.iter().position(|word| word.eq_ignore_ascii_case(text));
                set(options, index.ok_or_else(wrong)?);
            }
            Access::File { set, .. } => {
                let refused = |reason| OptionError::Refused { name: self.name, reason };
                set(options, text).map_err(refused)?;
            }
            Access::Parameter(Parameter { least, most, set, .. }) => {
                let number = text.parse().ok().filter(|number| (least..=most).contains(number));
                set(&mut options.parameters, number.ok_or_else(wrong)?);
            }
            Access::Ignored => {
                switch(text).ok_or_else(wrong)?;
            }
        }
        Ok(())
    }

    /// Sets the number in its range that is nearest to one; what takes no number stays as it is.
    pub fn set_nearest(&self, options: &mut Options, number: u64) {
        if let Access::Number { least, most, set, .. } = self.access {
            set(options, number.clamp(least, most));
        }
    }

    /// Sets the value of other options.
    pub fn copy(&self, from: &Options, to: &mut Options) {
        match self.access {
            Access::Number { get, set, .. } => set(to, get(from)),
            Access::Switch { get, set } => set(to, get(from)),
            Access::Choice { get, set, .. } => set(to, get(from)),
            // A file need not be read again.
            Access::File { copy, .. } => copy(from, to),
            Access::Parameter(Parameter { get, set, .. }) => {
                set(&mut to.parameters, get(&from.parameters));
            }
            Access::Ignored => (),
        }
    }

    /// The values that it takes, in words.
    pub fn expected(&self) -> String {
        match self.access {
            Access::Number { least, most, .. } => format!("a number from {least} to {most}"),
            Access::Parameter(Parameter { least, most, .. }) => {
                format!("a number from {least} to {most}")
            }
            Access::Switch { .. } | Access::Ignored => "`true` or `false`".to_owned(),
            Access::File { .. } => "the path of a file".to_owned(),
            Access::Choice { words, .. } => {
                let (last, others) = words.split_last().unwrap_or((&"nothing", &[]));
                format!("`{}` or `{last}`", others.join("`, `"))
            }
        }
    }

    fn wrong(&self, text: &str) -> OptionError {
        let found = text.chars().take(40).collect();
        OptionError::Value { name: self.name, expected: self.expected(), found }
    }
}

/// On or off, as a user writes it.
fn switch(text: &str) -> Option<bool> {
    text.to_ascii_lowercase().parse().ok()
}
