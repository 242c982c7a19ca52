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

/// What there is to know of a dialect before its first line is read.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// What a user types.
    pub name: &'static str,
    /// What sentences call it.
    pub title: &'static str,
    /// First lines that are of this dialect alone, in lower case and without blanks around them.
    pub is_first_line: fn(&str) -> bool,
    /// The line that asks an engine to leave.
    pub farewell: &'static str,
    /// Whether a client can set options by their names.
    pub has_options: bool,
    /// Whether a client can begin a game at a position.
    pub has_positions: bool,
    /// Whether a client can let an engine think in its opponents' time.
    pub has_pondering: bool,
}

impl Facts {
    /// What most dialects have in common.
    const USUAL: Self = Self {
        name: "",
        title: "",
        is_first_line: |_| false,
        farewell: "quit",
        has_options: false,
        has_positions: false,
        has_pondering: false,
    };
}

/// The text names no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect, expected {}", Dialect::listed())]
pub struct UnknownDialect;

impl Dialect {
    /// Every dialect, in the order in which help texts list them.
    pub const ALL: [Self; 5] = [Self::Ugi, Self::Uci, Self::Gtp, Self::Gomocup, Self::Sidecar];

    /// What tells the dialects apart for those who do not speak them.
    pub const fn facts(self) -> Facts {
        match self {
            Self::Ugi => Facts {
                name: "ugi",
                title: "UGI",
                is_first_line: |line| line == "ugi",
                has_options: true,
                has_positions: true,
                has_pondering: true,
                ..Facts::USUAL
            },
            Self::Uci => Facts {
                name: "uci",
                title: "UCI",
                is_first_line: |line| line == "uci",
                ..Self::Ugi.facts()
            },
            // Its clients begin as they like: what no other dialect takes is of this one.
            Self::Gtp => Facts { name: "gtp", title: "GTP", ..Facts::USUAL },
            Self::Gomocup => Facts {
                name: "gomocup",
                title: "Gomocup's protocol",
                is_first_line: |line| {
                    let first = line.split_whitespace().next().unwrap_or_default();
                    first.starts_with("yx")
                        || matches!(first, "start" | "rectstart" | "about" | "info")
                },
                farewell: "END",
                has_options: true,
                ..Facts::USUAL
            },
            Self::Sidecar => Facts {
                name: "sidecar",
                title: "the protocol of pente.org's server",
                farewell: "QUIT",
                has_options: true,
                ..Facts::USUAL
            },
        }
    }

    /// Tells which dialect a client speaks from the first line that it sends.
    ///
    /// A name with which clients greet an engine, such as `ugi` and `uci`, selects that dialect if it
    /// stands alone; a line whose first word is `START`, `RECTSTART`, `ABOUT` or `INFO` or begins
    /// with `YX` selects Gomocup, anything else GTP. Case, control characters and surrounding blanks
    /// do not matter.
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
        let speaks = |dialect: &Self| (dialect.facts().is_first_line)(line.trim());
        Self::ALL.into_iter().find(speaks).unwrap_or(Self::Gtp)
    }

    /// The dialect's name as a user types it.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// What sentences call it, such as `Gomocup's protocol`.
    pub const fn title(self) -> &'static str {
        self.facts().title
    }

    /// The names of all dialects, as messages list them: `` `a`, `b` or `c` ``.
    pub fn listed() -> String {
        let names = Self::ALL.map(|dialect| format!("`{dialect}`"));
        let [before @ .., end] = names.as_slice() else { return String::new() };
        format!("{} or {end}", before.join(", "))
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
        let told = UnknownDialect.to_string();
        assert!(told.starts_with("unknown dialect, expected `ugi`, `uci`, `gtp`"), "{told}");
        assert_eq!(told.matches(" or `").count(), 1, "{told}");
    }
}
