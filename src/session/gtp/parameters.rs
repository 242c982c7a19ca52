//! The dialogs of settings that `GoGui` makes from the type `param` of its analyze menu.

use super::super::state::SessionState;
use super::{CommandResult, Gtp, done, success};
use pentarch_core::rules::Ruleset;
use pentarch_engine::{OptionRow, OptionType, Options};
use pentarch_protocol::gtp::ParameterGroup;
use std::time::Duration;

/// The key of the time for a move without a clock, in seconds.
const TIME: &str = "seconds_a_move";
/// The key of the game.
const GAME: &str = "game";
/// The most numbers that are offered as a list to choose from.
const MOST_LISTED: u64 = 16;

/// What stands in a dialog of its own: the strength, which everyone looks for.
fn is_general(row: &OptionRow) -> bool {
    row.name == "Level"
}

fn rows(group: ParameterGroup) -> impl Iterator<Item = &'static OptionRow> {
    const TABLE: &[OptionRow] = &Options::TABLE;
    // How many lines are shown is the charts' own matter.
    let is_shown =
        |row: &&OptionRow| !matches!(row.option_type, OptionType::Ignored) && row.name != "MultiPV";
    let belongs = move |row: &&OptionRow| is_general(row) == (group == ParameterGroup::General);
    TABLE.iter().filter(is_shown).filter(belongs)
}

/// The key of an option: words with `_` between them, which a dialog shows as blanks.
fn key(row: &OptionRow) -> String {
    row.flag.replace('-', "_")
}

impl Gtp {
    /// The settings of a dialog a line each, or one of them changed.
    pub(super) fn parameters(
        &mut self,
        state: &mut SessionState,
        group: ParameterGroup,
        change: Option<&(String, String)>,
    ) -> CommandResult {
        let Some((name, value)) = change else {
            return success(self.list(state, group));
        };
        if let Some(row) = rows(group).find(|row| key(row) == *name) {
            let mut options = state.engine.options().clone();
            row.set(&mut options, &protocol_value(row, value))
                .map_err(|error| error.to_string())?;
            state.engine.set_options(options);
            return done();
        }
        match (group, name.as_str()) {
            (ParameterGroup::General, TIME) => {
                self.clock.set_move_time(seconds(value)?);
                done()
            }
            (ParameterGroup::General, GAME) => self.change_game(state, value),
            _ => Err(format!("unknown setting `{}`", short(name))),
        }
    }

    fn list(&self, state: &SessionState, group: ParameterGroup) -> String {
        let options = state.engine.options();
        let mut lines: Vec<String> = rows(group).map(|row| line(row, options)).collect();
        if group == ParameterGroup::General {
            lines.push(format!("[string] {TIME} {}", self.clock.move_time().as_secs_f64()));
            lines.push(format!("[string] {GAME} {}", state.game.rules()));
        }
        lines.join("\n")
    }

    /// Another game, unless the client has started other processes by the same command line to be
    /// its referees: nothing would tell them.
    fn change_game(&mut self, state: &mut SessionState, name: &str) -> CommandResult {
        let rules: Ruleset = name.parse().map_err(|error| format!("{error}"))?;
        if rules == *state.game.rules() {
            return done();
        }
        if self.is_ruler {
            return Err(format!(
                "the referee is a process of its own and knows the command line only: in the \
                 command of the program write `--variant {rules}`, then attach it again"
            ));
        }
        self.set_game(state, name)
    }
}

/// A time that is more than none, in seconds with or without decimals.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    let time = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| format!("{TIME}: expected more than 0 seconds, found `{}`", short(text)))
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The line of an option.
fn line(row: &OptionRow, options: &Options) -> String {
    let list = |words: &[String]| format!("[list/{}]", words.join("/"));
    let (kind, value) = match row.option_type {
        OptionType::Switch { get, .. } => ("[bool]".to_owned(), u8::from(get(options)).to_string()),
        OptionType::Number { least, most, .. } if most - least < MOST_LISTED => {
            let numbers: Vec<String> = (least..=most).map(|number| number.to_string()).collect();
            (list(&numbers), row.get(options))
        }
        OptionType::Choice { words, .. } => {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            (list(&words), row.get(options))
        }
        _ => ("[string]".to_owned(), row.get(options)),
    };
    format!("{kind} {} {value}", key(row))
}

/// A value as options have it: dialogs write 1 and 0 for on and off.
fn protocol_value(row: &OptionRow, value: &str) -> String {
    match (row.option_type, value) {
        (OptionType::Switch { .. }, "1") => "true".to_owned(),
        (OptionType::Switch { .. }, "0") => "false".to_owned(),
        _ => value.to_owned(),
    }
}
