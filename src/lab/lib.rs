//! Training of the evaluation and tuning of the search, for developers (feature `lab`).
//!
//! `pentarch train` makes the numbers in [`eval`](pentarch_engine::eval): it plays games of the engine
//! against itself ([`SelfPlay`]), searches their positions again with more nodes ([`rescore`]), and fits
//! weights ([`LinearFit`]), a network ([`NetworkFit`]) and a policy head ([`PolicyFit`]) to them.
//! `pentarch tune` moves options of an engine by matches of the engine against itself ([`Tuning`]).
//!
//! Every step is repeatable by its seed and writes a file whose first lines say how it was made.

mod corpus;
mod linear_fit;
mod loss;
mod network_fit;
mod optimizer;
mod policy_fit;
mod self_play;
mod spsa;
mod training_file;
mod training_game;
mod tuning;

pub use corpus::{Corpus, CorpusError, HexCorpus, TrainingGames, TrainingSource};
pub use linear_fit::{LinearFit, Regression, RegressionData, ValidationReport};
pub use loss::TrainingTarget;
pub use network_fit::{NetworkFit, NetworkReport};
pub use policy_fit::{PolicyFit, PolicyReport};
pub use self_play::{RescoreError, SelfPlay, SelfPlayError, StartPositions, rescore};
pub use spsa::{SpsaSchedule, Tunable, TunableError, TunableSpec};
pub use training_file::{JsonLinesError, TrainingFile, TrainingManifest};
pub use training_game::{GameTextError, SidePosition, TrainingGame};
pub use tuning::{Tuning, TuningError, TuningState};
