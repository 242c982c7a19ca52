//! The protocols, their capabilities, and the detection of one from the first line.

use std::fmt;
use std::str::FromStr;

use crate::input::clean;

/// A protocol that this crate parses and prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The Universal Game Interface.
    Ugi,
    /// UCI, the flavor of UGI that chess programs use.
    Uci,
    /// The Go Text Protocol, version 2.
    Gtp,
    /// The protocol of Gomocup and Piskvork, with Yixin's and Rapfi's extensions.
    Gomocup,
    /// The protocol of pente.org's server.
    Sidecar,
}

/// The properties of a dialect.
#[derive(Debug, Clone, Copy)]
pub struct Capabilities {
    /// The name that a user types.
    pub name: &'static str,
    /// The name in sentences.
    pub title: &'static str,
    /// Returns whether a first line, in lower case and without surrounding blanks, is possible in this
    /// dialect only.
    pub is_first_line: fn(&str) -> bool,
    /// The line that asks an engine to end.
    pub quit_line: &'static str,
    /// Whether a client can set options by name.
    pub has_options: bool,
    /// Whether a client can start a game at any position.
    pub has_positions: bool,
    /// Whether a client can let an engine ponder in its opponents' time.
    pub has_pondering: bool,
}

impl Capabilities {
    /// The values that most dialects have.
    const DEFAULT: Self = Self {
        name: "",
        title: "",
        is_first_line: |_| false,
        quit_line: "quit",
        has_options: false,
        has_positions: false,
        has_pondering: false,
    };
}

/// The text is not the name of a dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect, expected {}", Dialect::name_list())]
pub struct UnknownDialect;

impl Dialect {
    /// Every dialect, in the order in which help texts list them.
    pub const ALL: [Self; 5] = [Self::Ugi, Self::Uci, Self::Gtp, Self::Gomocup, Self::Sidecar];

    /// Returns the properties of the dialect.
    pub const fn capabilities(self) -> Capabilities {
        match self {
            Self::Ugi => Capabilities {
                name: "ugi",
                title: "UGI",
                is_first_line: |line| line == "ugi",
                has_options: true,
                has_positions: true,
                has_pondering: true,
                ..Capabilities::DEFAULT
            },
            Self::Uci => Capabilities {
                name: "uci",
                title: "UCI",
                is_first_line: |line| line == "uci",
                ..Self::Ugi.capabilities()
            },
            // Its clients begin with any command, so it is the default of `detect`.
            Self::Gtp => Capabilities { name: "gtp", title: "GTP", ..Capabilities::DEFAULT },
            Self::Gomocup => Capabilities {
                name: "gomocup",
                title: "Gomocup's protocol",
                is_first_line: |line| {
                    let first = line.split_whitespace().next().unwrap_or_default();
                    first.starts_with("yx")
                        || matches!(first, "start" | "rectstart" | "about" | "info")
                },
                quit_line: "END",
                has_options: true,
                ..Capabilities::DEFAULT
            },
            Self::Sidecar => Capabilities {
                name: "sidecar",
                title: "the protocol of pente.org's server",
                quit_line: "QUIT",
                has_options: true,
                ..Capabilities::DEFAULT
            },
        }
    }

    /// Detects the dialect of a client from the first line that it sends.
    ///
    /// `ugi` or `uci` as the only word selects that dialect; a line whose first word is `START`,
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
        let matches = |dialect: &Self| (dialect.capabilities().is_first_line)(line.trim());
        Self::ALL.into_iter().find(matches).unwrap_or(Self::Gtp)
    }

    /// Returns the name that a user types.
    pub const fn name(self) -> &'static str {
        self.capabilities().name
    }

    /// Returns the name in sentences, such as `Gomocup's protocol`.
    pub const fn title(self) -> &'static str {
        self.capabilities().title
    }

    /// Returns the names of all dialects as messages list them: `` `a`, `b` or `c` ``.
    pub fn name_list() -> String {
        let names = Self::ALL.map(|dialect| format!("`{dialect}`"));
        let [first @ .., last] = names.as_slice() else { return String::new() };
        format!("{} or {last}", first.join(", "))
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
        let message = UnknownDialect.to_string();
        assert!(message.starts_with("unknown dialect, expected `ugi`, `uci`, `gtp`"), "{message}");
        assert_eq!(message.matches(" or `").count(), 1, "{message}");
    }
}
