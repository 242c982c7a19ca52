//! The options that UGI and UCI declare and set.

use super::desk::Desk;
use crate::dialects::ugi::{Codec, VARIANT};
use crate::engine::{Method, Options, UnknownMethod};
use crate::rules::SpecError;
use pentarch_protocol::nearest;
use pentarch_protocol::ugi::{OptionDecl, OptionKind};
use std::ops::RangeInclusive;

/// An option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    Variant,
    Hash,
    Threads,
    MultiPv,
    Ponder,
    Level,
    Seed,
    OwnBook,
    Exact,
    ForcedWins,
    Method,
}

impl Setting {
    /// All of them, in the order of declaration.
    const ALL: [Setting; 11] = [
        Setting::Variant,
        Setting::Hash,
        Setting::Threads,
        Setting::MultiPv,
        Setting::Ponder,
        Setting::Level,
        Setting::Seed,
        Setting::OwnBook,
        Setting::Exact,
        Setting::ForcedWins,
        Setting::Method,
    ];

    const fn name(self) -> &'static str {
        match self {
            Setting::Variant => VARIANT,
            Setting::Hash => "Hash",
            Setting::Threads => "Threads",
            Setting::MultiPv => "MultiPV",
            Setting::Ponder => "Ponder",
            Setting::Level => "Level",
            Setting::Seed => "Seed",
            Setting::OwnBook => "OwnBook",
            Setting::Exact => "Exact",
            Setting::ForcedWins => "ForcedWins",
            Setting::Method => "Method",
        }
    }

    /// What it may be, and what it is now.
    fn kind(self, desk: &Desk, codec: Codec) -> OptionKind {
        let options = desk.engine.options();
        match self {
            Setting::Variant => codec.variants(desk.game.rules()),
            Setting::Hash => spin(options.hash, Options::HASH),
            Setting::Threads => spin(options.threads, Options::THREADS),
            Setting::MultiPv => spin(options.multi_pv, Options::MULTI_PV),
            Setting::Level => spin(options.level, Options::LEVEL),
            Setting::Seed => spin(options.seed, Options::SEED),
            // There is no book to use, and whether to ponder is the arena's choice, made with
            // `go ponder`.
            Setting::Ponder | Setting::OwnBook => OptionKind::Check { default: false },
            Setting::Exact => OptionKind::Check { default: options.exact },
            Setting::ForcedWins => OptionKind::Check { default: options.forced_wins },
            Setting::Method => OptionKind::Combo {
                default: options.method.to_string(),
                choices: Method::ALL.map(|method| method.to_string()).to_vec(),
            },
        }
    }
}

fn spin<T: TryInto<i64> + Copy>(now: T, range: RangeInclusive<T>) -> OptionKind {
    let number = |value: T| value.try_into().unwrap_or(i64::MAX);
    OptionKind::Spin {
        default: number(now),
        min: number(*range.start()),
        max: number(*range.end()),
    }
}

/// Every option with its default, which is what it is set to now.
pub(super) fn declarations(desk: &Desk, codec: Codec) -> Vec<OptionDecl> {
    let declare = |setting: Setting| OptionDecl {
        name: setting.name().to_owned(),
        kind: setting.kind(desk, codec),
    };
    Setting::ALL.into_iter().map(declare).collect()
}

/// Sets an option, or says why not. Names are compared without case.
pub(super) fn set(
    desk: &mut Desk,
    codec: Codec,
    name: &str,
    value: Option<&str>,
) -> Result<(), String> {
    let setting =
        Setting::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name.trim()));
    let Some(setting) = setting else {
        let hint = nearest(name, Setting::ALL.map(Setting::name));
        let hint = hint.map_or(String::new(), |known| format!(", did you mean `{known}`?"));
        let name: String = name.chars().take(40).collect();
        return Err(format!("unknown option `{name}`{hint}"));
    };
    let (name, value) = (setting.name(), value.unwrap_or_default().trim());
    let mut options = desk.engine.options();
    match setting {
        Setting::Variant => return set_variant(desk, codec, value),
        Setting::Hash => options.hash = number(name, value, Options::HASH)?,
        Setting::Threads => options.threads = number(name, value, Options::THREADS)?,
        Setting::MultiPv => options.multi_pv = number(name, value, Options::MULTI_PV)?,
        Setting::Level => options.level = number(name, value, Options::LEVEL)?,
        Setting::Seed => options.seed = number(name, value, Options::SEED)?,
        Setting::Exact => options.exact = check(name, value)?,
        Setting::ForcedWins => options.forced_wins = check(name, value)?,
        Setting::Method => {
            let named = |error: UnknownMethod| format!("option `{name}`: {error}");
            options.method = value.parse().map_err(named)?;
        }
        Setting::OwnBook if check(name, value)? => {
            return Err("option `OwnBook`: this engine comes without a book".to_owned());
        }
        Setting::OwnBook => (),
        Setting::Ponder => {
            check(name, value)?;
        }
    }
    desk.engine.set_options(options);
    Ok(())
}

/// Acts at once: the position becomes the start of that game.
fn set_variant(desk: &mut Desk, codec: Codec, spec: &str) -> Result<(), String> {
    if spec.is_empty() {
        return Err("option `UCI_Variant`: expected a game, such as `pro-pente`".to_owned());
    }
    let rules = codec.rules(spec).map_err(|error: SpecError| error.to_string())?;
    desk.set_rules(rules);
    Ok(())
}

fn number<T>(name: &str, text: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let parsed = text.parse::<T>().ok().filter(|number| range.contains(number));
    let shown: String = text.chars().take(40).collect();
    parsed.ok_or_else(|| {
        format!(
            "option `{name}`: expected a number from {} to {}, found `{shown}`",
            range.start(),
            range.end()
        )
    })
}

fn check(name: &str, text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        other => {
            let shown: String = other.chars().take(40).collect();
            Err(format!("option `{name}`: expected `true` or `false`, found `{shown}`"))
        }
    }
}
