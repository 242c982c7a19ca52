//! The options that UGI declares and sets.

use super::desk::Desk;
use crate::engine::Options;
use crate::rules::SpecError;
use crate::rules::catalog::CATALOG;
use pentarch_protocol::nearest;
use pentarch_protocol::ugi::{OptionDecl, OptionKind};
use std::ops::RangeInclusive;

/// The names, in the order of declaration.
const NAMES: [&str; 9] =
    ["UCI_Variant", "Hash", "Threads", "MultiPV", "Ponder", "Level", "Seed", "OwnBook", "Exact"];

/// Every option with its default, which is what it is set to now.
pub(super) fn declarations(desk: &Desk) -> Vec<OptionDecl> {
    let options = desk.engine.options();
    let spin = |default: u64, min: u64, max: u64| OptionKind::Spin {
        default: default.cast_signed(),
        min: min.cast_signed(),
        max: max.cast_signed(),
    };
    let kinds = [
        OptionKind::Combo {
            default: desk.game.rules().to_string(),
            choices: CATALOG.iter().map(|row| row.name.to_owned()).collect(),
        },
        spin(options.hash as u64, *Options::HASH.start() as u64, *Options::HASH.end() as u64),
        spin(
            options.threads as u64,
            *Options::THREADS.start() as u64,
            *Options::THREADS.end() as u64,
        ),
        spin(
            options.multi_pv.into(),
            (*Options::MULTI_PV.start()).into(),
            (*Options::MULTI_PV.end()).into(),
        ),
        OptionKind::Check { default: false },
        spin(
            options.level.into(),
            (*Options::LEVEL.start()).into(),
            (*Options::LEVEL.end()).into(),
        ),
        spin(options.seed, 0, i64::MAX as u64),
        OptionKind::Check { default: false },
        OptionKind::Check { default: options.exact },
    ];
    let declare = |(name, kind): (&str, OptionKind)| OptionDecl { name: name.to_owned(), kind };
    NAMES.into_iter().zip(kinds).map(declare).collect()
}

/// Sets an option, or says why not. Names are compared without case.
pub(super) fn set(desk: &mut Desk, name: &str, value: Option<&str>) -> Result<(), String> {
    let known = NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name.trim()));
    let Some(known) = known else {
        let hint = nearest(name, NAMES).map_or(String::new(), |n| format!(", did you mean `{n}`?"));
        let name: String = name.chars().take(40).collect();
        return Err(format!("unknown option `{name}`{hint}"));
    };
    let value = value.unwrap_or_default().trim();
    let mut options = desk.engine.options();
    match known {
        "UCI_Variant" => return set_variant(desk, value),
        "Hash" => options.hash = number(known, value, Options::HASH)?,
        "Threads" => options.threads = number(known, value, Options::THREADS)?,
        "MultiPV" => options.multi_pv = number(known, value, Options::MULTI_PV)?,
        "Level" => options.level = number(known, value, Options::LEVEL)?,
        "Seed" => options.seed = number(known, value, 0..=i64::MAX as u64)?,
        "Exact" => options.exact = check(known, value)?,
        "OwnBook" if check(known, value)? => {
            return Err("option `OwnBook`: this engine comes without a book".to_owned());
        }
        // Nothing to set: there is no book to leave alone, and whether to ponder is the arena's
        // choice, made with `go ponder`.
        _ => return check(known, value).map(|_| ()),
    }
    desk.engine.set_options(options);
    Ok(())
}

/// Acts at once: the position becomes the start of that game.
fn set_variant(desk: &mut Desk, spec: &str) -> Result<(), String> {
    if spec.is_empty() {
        return Err("option `UCI_Variant`: expected a game, such as `pro-pente`".to_owned());
    }
    let rules = spec.parse().map_err(|error: SpecError| error.to_string())?;
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
