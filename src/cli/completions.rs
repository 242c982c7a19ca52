//! The subcommand `completions`.

use super::ExitResult;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::{Write as _, stdout};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  pentarch completions bash > ~/.local/share/bash-completion/completions/pentarch
  pentarch completions zsh > ~/.zfunc/_pentarch      # with `fpath+=~/.zfunc` before `compinit`
  pentarch completions fish > ~/.config/fish/completions/pentarch.fish
  pentarch completions powershell >> $PROFILE";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompletionsArgs {
    /// Shell to complete in.
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs, program: &Command) -> ExitResult {
    // The generators would offer hidden subcommands.
    let visible = program.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    let mut visible = Command::new("pentarch")
        .version(env!("CARGO_PKG_VERSION"))
        .args(program.get_arguments().cloned())
        .subcommands(visible.cloned());
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut visible, "pentarch", &mut script);
    stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
