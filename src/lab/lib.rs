//! How the numbers in [`eval`](pentarch_engine::eval) are made: games of the engine against itself, values of
//! deeper searches, and weights fitted to both; and how those of the search are, by matches of the
//! engine against itself ([`Tuning`]).
//!
//! Each step is a command of `pentarch train`, or `pentarch tune`, is repeatable by its seed, and writes
//! a file that says what made it.

mod adam;
mod corpus;
mod descent;
mod fit;
mod forecast;
mod game_file;
mod games;
mod gradient;
mod hex_corpus;
mod layout;
mod line_file;
mod network_fit;
mod policy_fit;
mod policy_gradient;
mod positions;
mod regression;
mod rescore;
mod self_play;
mod spsa;
mod starts;
mod training_game;
mod tunable;
mod tuning;

pub use adam::Adam;
pub use corpus::{Corpus, CorpusError, PositionKind};
pub use fit::Fit;
pub use forecast::Aim;
pub use game_file::{GameFile, Manifest};
pub use games::{Example, Games, Source};
pub use hex_corpus::HexCorpus;
pub use line_file::FileError;
pub use network_fit::{NetworkFeatures, NetworkFit, NetworkReport};
pub use policy_fit::{PolicyFeatures, PolicyFit, PolicyMove, PolicyReport};
pub use positions::{Check, Positions};
pub use regression::{ChoiceFeatures, Regression, ValueFeatures};
pub use rescore::{RescoreError, rescore};
pub use self_play::{SelfPlay, SelfPlayError};
pub use spsa::{Attempt, Gains, Spsa};
pub use starts::Starts;
pub use training_game::{Aside, GameTextError, Searched, TrainingGame};
pub use tunable::{Request, Tunable, TunableError};
pub use tuning::{Course, Tuning, TuningError, TuningFile};
