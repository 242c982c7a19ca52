//! What `pentarch` says to somebody who starts it alone on a terminal.

use super::CommandResult;
use std::io::{self, Write};
use std::process::ExitCode;

const TEXT: &str = "\
Pentarch plays Pente and its variants, Ninuki, Gomoku, Pentalath and Pent-Up.

  pentarch play              play against the engine, here in the terminal
  pentarch play --help       other games, levels, clocks, friends, saved games
  pentarch variants          the games, and their rules
  pentarch show              draw a position
  pentarch match             let engines play each other
  pentarch review FILE       find the mistakes in games
  pentarch analyze           answer questions about positions, for scripts
  pentarch --help            everything else

Programs with a board of their own start `pentarch` with a pipe and speak UGI, UCI, GTP or Gomocup
with it; `pentarch gtp` does so on a terminal.
";

pub(super) fn run() -> CommandResult {
    let mut out = io::stdout().lock();
    out.write_all(TEXT.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use super::TEXT;
    use clap::CommandFactory as _;

    #[test]
    fn every_command_that_is_named_exists() {
        let cli = Cli::command();
        let named = TEXT.lines().filter_map(|line| line.strip_prefix("  pentarch "));
        let words: Vec<_> = named.filter_map(|line| line.split_whitespace().next()).collect();
        assert!(words.len() > 6);
        for word in words.iter().filter(|word| **word != "--help") {
            assert!(cli.find_subcommand(word).is_some(), "{word}");
        }
    }
}
