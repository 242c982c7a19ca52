//! Groups of options that several subcommands share.

use clap::Args;
use pentarch_arena::{
    Adjudication, BalanceCriterion, ClockControl, DrawRule, Openings, ResignRule, TimeControl,
    parse_seconds,
};
use pentarch_core::game::PositionTextError;
use pentarch_core::rules::Ruleset;
use pentarch_engine::{Game, GameError, Options};
use std::time::Duration;

/// Parses a number of search threads.
pub(super) fn thread_count(text: &str) -> Result<usize, String> {
    let mut options = Options::default();
    options.set("Threads", text).map_err(|error| error.reason())?;
    Ok(options.threads)
}

/// Parses a number of games that are played concurrently.
pub(super) fn concurrency(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=1024).contains(number));
    number.ok_or_else(|| "expected a number from 1 to 1024".to_owned())
}

/// The limits of each move.
#[derive(Clone, Debug, Args)]
pub(super) struct LimitArgs {
    /// Clock of each player in seconds: [MOVES/]TIME[+INCREMENT]
    #[arg(long, value_name = "CLOCK", conflicts_with = "movetime")]
    tc: Option<ClockControl>,
    /// Time for each move [default: 0.1, unless another limit is set]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    movetime: Option<Duration>,
    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search depth in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

impl LimitArgs {
    /// The limits, or `None` if none is set.
    pub(super) fn control(&self) -> Option<TimeControl> {
        let control = TimeControl {
            clock: self.tc,
            move_time: self.movetime,
            nodes: self.nodes,
            depth: self.depth,
        };
        (!control.is_unbounded()).then_some(control)
    }

    /// The limits, or 0.1 seconds a move if none is set.
    pub(super) fn control_or_default(&self) -> TimeControl {
        let move_time = Some(Duration::from_millis(100));
        self.control().unwrap_or(TimeControl { move_time, ..TimeControl::default() })
    }
}

/// A position.
#[derive(Clone, Debug, Args)]
pub(super) struct PositionArgs {
    /// Game: NAME[+modifier...]
    #[arg(long, value_name = "SPEC", default_value = "pente")]
    variant: Ruleset,
    /// Moves to play first, separated by spaces, or a line of `pentarch convert --to moves`
    #[arg(long, value_name = "M M M", default_value = "", hide_default_value = true)]
    moves: String,
    /// Position text to start from, instead of the initial position
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
}

/// Why the options do not give a position.
#[derive(Debug, thiserror::Error)]
pub(super) enum PositionArgsError {
    #[error(transparent)]
    Text(#[from] PositionTextError),
    #[error(transparent)]
    Move(#[from] GameError),
}

impl PositionArgs {
    /// The game after the moves.
    pub(super) fn game(&self) -> Result<Game, PositionArgsError> {
        let mut game = Game::new(self.variant.clone());
        if let Some(text) = &self.position {
            game = game.with_text(text)?;
        }
        // The result and the comment of a recorded game are no moves.
        let end = self.moves.find([';', '#']).unwrap_or(self.moves.len());
        let mut words = self.moves[..end].split_whitespace().peekable();
        if words.next_if_eq(&"position").is_some() {
            let text: Vec<_> = words.by_ref().take_while(|word| *word != "moves").collect();
            game = game.with_text(&text.join(" "))?;
        }
        for text in words {
            game.play(text)?;
        }
        Ok(game)
    }
}

/// The openings of games for which no file of openings is given.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct RandomOpeningArgs {
    /// Number of random moves at the start; 0 starts at the initial position [default: 4]
    #[arg(long, value_name = "N")]
    random_plies: Option<u32>,
    /// Use random moves only if a search values them within this number of points
    #[arg(long, value_name = "POINTS", num_args = 0..=1, require_equals = true, default_missing_value = "100")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=20_000), conflicts_with = "openings")]
    balance: Option<u32>,
    /// Nodes of the search of --balance
    #[arg(long, value_name = "N", requires = "balance", default_value_t = BalanceCriterion::NODES)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    balance_nodes: u64,
}

impl RandomOpeningArgs {
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

    /// Whether random moves were requested.
    pub(super) fn are_given(self) -> bool {
        self.random_plies.is_some_and(|plies| plies > 0) || self.balance.is_some()
    }
}

/// When games end before the rules end them.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Adjudication")]
pub(super) struct AdjudicationArgs {
    /// Win if both engines reported in each of their last N moves that one side leads by S points or more;
    /// with twosided=false the reports of the side that is behind suffice
    #[arg(long, value_name = "movecount=N,score=S[,twosided=false]")]
    resign: Option<ResignRule>,
    /// Draw if, after M moves each, both engines reported in their last N moves a lead of at most S points
    #[arg(long, value_name = "movenumber=M,movecount=N,score=S")]
    draw: Option<DrawRule>,
    /// Draw after this number of plies, including the opening
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: Option<u32>,
    /// Win as soon as a search of this number of nodes after a move proves it
    #[arg(long, value_name = "NODES", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "4000", value_parser = clap::value_parser!(u64).range(2..))]
    adjudicate_proven: Option<u64>,
    /// Count a late move as a loss even if the machine was too busy; by default the game is replayed, at
    /// most twice
    #[arg(long)]
    strict_time: bool,
}

impl AdjudicationArgs {
    /// The rules of the options; options that are not set are taken from `defaults`.
    pub(super) fn or(self, defaults: Adjudication) -> Adjudication {
        Adjudication {
            resign: self.resign.or(defaults.resign),
            draw: self.draw.or(defaults.draw),
            max_plies: self.max_plies.or(defaults.max_plies),
            proven: self.adjudicate_proven.or(defaults.proven),
            strict_time: self.strict_time || defaults.strict_time,
        }
    }
}
