//! Random openings, as options of a match and of tuning.

use clap::Args;
use pentarch_arena::{BalanceCriterion, Openings};

/// How games begin where no file of openings is given.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct RandomOpeningArgs {
    /// Begin with this number of random moves; 0 begins at the start [default: 4]
    #[arg(long, value_name = "N")]
    random_plies: Option<u32>,
    /// Keep random moves only if a search values them within this number of points
    #[arg(long, value_name = "POINTS", num_args = 0..=1, require_equals = true, default_missing_value = "100")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=20_000), conflicts_with = "openings")]
    balance: Option<u32>,
    /// How many nodes that search takes
    #[arg(long, value_name = "N", requires = "balance", default_value_t = BalanceCriterion::NODES)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    balance_nodes: u64,
}

impl RandomOpeningArgs {
    /// The openings that a seed chooses.
    pub(super) fn openings(self, seed: u64) -> Openings {
        let plies = self.random_plies.unwrap_or(4);
        match self.balance {
            Some(window) => {
                let balance = BalanceCriterion { window, nodes: self.balance_nodes };
                Openings::Balanced { plies, seed, balance }
            }
            None => Openings::Random { plies, seed },
        }
    }

    /// Whether random moves were asked for.
    pub(super) fn are_given(self) -> bool {
        self.random_plies.is_some_and(|plies| plies > 0) || self.balance.is_some()
    }
}
