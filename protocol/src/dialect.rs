//! The languages an engine can speak, and how a first line selects one.

use std::fmt;
use std::str::FromStr;

use crate::frame::clean;

/// A protocol that this crate parses and prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The Universal Game Interface.
    Ugi,
    /// The Go Text Protocol, version 2.
    Gtp,
}

/// The text names no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect, expected `ugi` or `gtp`")]
pub struct UnknownDialect;

impl Dialect {
    /// Every dialect, in the order in which help texts list them.
    pub const ALL: [Self; 2] = [Self::Ugi, Self::Gtp];

    /// Tells which dialect a client speaks from the first line that it sends.
    ///
    /// The word `ugi` selects UGI, anything else GTP. Case, control characters
    /// and surrounding blanks do not matter.
    ///
    /// ```
    /// use pentarch_protocol::Dialect;
    ///
    /// assert_eq!(Dialect::detect(" UGI\r"), Dialect::Ugi);
    /// assert_eq!(Dialect::detect("1 protocol_version"), Dialect::Gtp);
    /// ```
    pub fn detect(first_line: &str) -> Self {
        if clean(first_line).trim().eq_ignore_ascii_case("ugi") { Self::Ugi } else { Self::Gtp }
    }

    /// The dialect's name as a user types it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ugi => "ugi",
            Self::Gtp => "gtp",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        Self::ALL
            .into_iter()
            .find(|dialect| text.eq_ignore_ascii_case(dialect.name()))
            .ok_or(UnknownDialect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_word_ugi_selects_ugi() {
        for line in ["ugi", "UGI", "  Ugi ", "\0ugi\r", "\u{feff}ugi"] {
            assert_eq!(Dialect::detect(line), Dialect::Ugi, "{line:?}");
        }
        for line in ["", "name", "ugiok", "uginewgame", "1 ugi", "# ugi"] {
            assert_eq!(Dialect::detect(line), Dialect::Gtp, "{line:?}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.to_string().parse(), Ok(dialect));
        }
        assert_eq!("uhp".parse::<Dialect>(), Err(UnknownDialect));
    }
}
