//! The options that end games early, the same for every command that plays games.

use clap::Args;
use pentarch_arena::{Adjudication, DrawRule, ResignRule};

/// When games are ended before the rules end them.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Adjudication")]
pub(super) struct AdjudicationArgs {
    /// A win if both engines said in each of their last N moves that one leads by S points or more
    #[arg(long, value_name = "movecount=N,score=S")]
    resign: Option<ResignRule>,
    /// A draw if, after M moves each, both said in their last N moves that nobody leads by more than S
    #[arg(long, value_name = "movenumber=M,movecount=N,score=S")]
    draw: Option<DrawRule>,
    /// A draw after this number of plies, the opening included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: Option<u32>,
    /// A win as soon as a search of this number of nodes after each move proves it
    #[arg(long, value_name = "NODES", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "4000", value_parser = clap::value_parser!(u64).range(2..))]
    adjudicate_proven: Option<u64>,
    /// A late move loses also when the machine was too busy; else the game is played again, at most twice
    #[arg(long)]
    strict_time: bool,
}

impl AdjudicationArgs {
    /// What the user means; what is not given is as in `file`.
    pub(super) fn over(self, file: Adjudication) -> Adjudication {
        Adjudication {
            resign: self.resign.or(file.resign),
            draw: self.draw.or(file.draw),
            max_plies: self.max_plies.or(file.max_plies),
            proven: self.adjudicate_proven.or(file.proven),
            strict_time: self.strict_time || file.strict_time,
        }
    }
}
