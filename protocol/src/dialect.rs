//! The languages an engine can speak, and how a first line selects one.

use std::fmt;
use std::str::FromStr;

use crate::frame::clean;

/// A protocol that this crate parses and prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The Universal Game Interface.
    Ugi,
    /// UCI, the flavour of UGI that chess programs speak.
    Uci,
    /// The Go Text Protocol, version 2.
    Gtp,
    /// The protocol of Gomocup and Piskvork, with Yixin's and Rapfi's extensions.
    Gomocup,
    /// The questions of pente.org's server.
    Sidecar,
}

/// The text names no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect, expected {}", Dialect::NAMES)]
pub struct UnknownDialect;

impl Dialect {
    /// Every dialect, in the order in which help texts list them.
    pub const ALL: [Self; 5] = [Self::Ugi, Self::Uci, Self::Gtp, Self::Gomocup, Self::Sidecar];

    /// Their names, as messages list them.
    pub const NAMES: &str = "`ugi`, `uci`, `gtp`, `gomocup` or `sidecar`";

    /// Tells which dialect a client speaks from the first line that it sends.
    ///
    /// The word `ugi` alone selects UGI and `uci` UCI; a line whose first word is `START`,
    /// `RECTSTART`, `ABOUT` or `INFO` or begins with `YX` selects Gomocup, anything else GTP. Case,
    /// control characters and surrounding blanks do not matter.
    ///
    /// ```
    /// use pentarch_protocol::Dialect;
    ///
    /// assert_eq!(Dialect::detect(" UGI\r"), Dialect::Ugi);
    /// assert_eq!(Dialect::detect("START 15"), Dialect::Gomocup);
    /// assert_eq!(Dialect::detect("1 protocol_version"), Dialect::Gtp);
    /// ```
    pub fn detect(first_line: &str) -> Self {
        let line = clean(first_line).to_ascii_lowercase();
        match line.trim() {
            "ugi" => return Self::Ugi,
            "uci" => return Self::Uci,
            _ => {}
        }
        match line.split_whitespace().next() {
            Some("start" | "rectstart" | "about" | "info") => Self::Gomocup,
            Some(word) if word.starts_with("yx") => Self::Gomocup,
            _ => Self::Gtp,
        }
    }

    /// The dialect's name as a user types it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ugi => "ugi",
            Self::Uci => "uci",
            Self::Gtp => "gtp",
            Self::Gomocup => "gomocup",
            Self::Sidecar => "sidecar",
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
    fn first_lines() {
        for line in ["ugi", "UGI", "  Ugi ", "\0ugi\r", "\u{feff}ugi"] {
            assert_eq!(Dialect::detect(line), Dialect::Ugi, "{line:?}");
        }
        for line in ["uci", "UCI\r"] {
            assert_eq!(Dialect::detect(line), Dialect::Uci, "{line:?}");
        }
        for line in ["START 15", "start 20 20\r", "ABOUT", "info show_detail 1", "yxshowinfo"] {
            assert_eq!(Dialect::detect(line), Dialect::Gomocup, "{line:?}");
        }
        for line in ["", "name", "ugiok", "uginewgame", "1 ugi", "# ugi", "uci x", "1 start"] {
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
