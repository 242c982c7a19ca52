//! Options as UGI and UCI declare them.

use super::{Codec, VARIANT};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::Parameter;
use pentarch_engine::{OptionRow, OptionType, Options};
use pentarch_protocol::ugi::{OptionDecl, OptionKind};

impl Codec {
    /// Every option with its default, which is what it is set to now: the game first, and with
    /// `tunable` the numbers of the search last.
    pub fn declarations(
        self,
        rules: &Ruleset,
        options: &Options,
        tunable: bool,
    ) -> Vec<OptionDecl> {
        let variant = OptionDecl { name: VARIANT.to_owned(), kind: self.variants(rules) };
        let listed = Options::TABLE.len() + if tunable { Options::TUNABLE.len() } else { 0 };
        let rows = Options::rows().take(listed).map(|row| declaration(row, options));
        [variant].into_iter().chain(rows).collect()
    }
}

fn declaration(row: &OptionRow, options: &Options) -> OptionDecl {
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let kind = match row.option_type {
        OptionType::Number { least, most, get, .. } => OptionKind::Spin {
            default: number(get(options)),
            min: number(least),
            max: number(most),
        },
        OptionType::Parameter(Parameter { least, most, get, .. }) => OptionKind::Spin {
            default: get(&options.parameters).into(),
            min: least.into(),
            max: most.into(),
        },
        OptionType::Switch { get, .. } => OptionKind::Check { default: get(options) },
        OptionType::Choice { words, .. } => OptionKind::Combo {
            default: row.get(options),
            choices: words.iter().map(|&word| word.to_owned()).collect(),
        },
        OptionType::File { get, .. } => OptionKind::Text { default: get(options) },
        OptionType::Ignored => OptionKind::Check { default: false },
    };
    OptionDecl { name: row.name.to_owned(), kind }
}
