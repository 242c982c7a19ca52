//! Matches and tournaments between engines: processes, protocols, clocks, referees, schedules and statistics.
//!
//! A [`Tournament`] says what is played; [`Tournament::run`] plays it. A [`Player`] is the built-in engine or a
//! process that speaks a [dialect](pentarch_protocol::Dialect). A crash, a hang, an illegal move or a late
//! move is a [`Fault`]: it ends the game, the record names the reason, and the run continues. What is the
//! arena's own failure, such as an engine that cannot be started or a record that cannot be written, is an
//! [`ArenaError`] and ends the run; finished games are on the disk.
//!
//! Each layer uses only the ones above it in this list:
//!
//! 1. values: `time_control`, `adjudication`, `opening`, `rulebook`, `error`, `procfs`, `wait`
//! 2. an engine's process: `supervisor`, `pinning`, `pipes`, `process`
//! 3. players: `player`, `builtin`, `controller` (one file a dialect), `child`, `engine_spec`
//! 4. one game: `match_settings`, `live_view`, `referee`
//! 5. many games: `schedule`, `pairing`, `scheduler`, `score`, `statistics`, `sprt`, `standings`, `ratings`
//! 6. runs: `tournament`, `tournament_file`, `run`, `merge`, `tuning_match`
//! 7. reports: `text_report`, `html_report`
//!
//! [`compliance`] tests how well an engine keeps to its protocol; it uses layers 1 and 2 only.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod adjudication;
mod builtin;
mod child;
pub mod compliance;
mod controller;
mod engine_spec;
mod error;
mod html_report;
mod live_view;
mod match_settings;
mod merge;
mod opening;
mod pairing;
mod pinning;
mod pipes;
mod player;
mod process;
mod procfs;
mod ratings;
mod referee;
mod rulebook;
mod run;
mod schedule;
mod scheduler;
mod score;
mod sprt;
mod standings;
mod statistics;
pub mod supervisor;
mod text_report;
mod time_control;
mod tournament;
mod tournament_file;
mod tuning_match;
mod wait;

pub use adjudication::{
    Adjudication, AdjudicationResult, AdjudicationRuleError, DrawRule, ResignRule,
};
pub use child::ChildPlayer;
pub use controller::ProtocolSettings;
pub use engine_spec::{EngineKind, EngineSpec, EngineSpecError};
pub use error::{ArenaError, Fault, PlayerError, Termination};
pub use html_report::{ReportError, write_report};
pub use live_view::{LiveGameView, LiveView};
pub use match_settings::Match;
pub use merge::MergedResults;
pub use opening::{BalanceCriterion, Opening, Openings, OpeningsError, UnplayableOpening};
pub use pairing::{PairingGenerator, PairingVariant};
pub use player::{
    Action, Decision, ForeignMove, ForeignPosition, ForeignTurn, NewGame, PlayedMove, Player,
    StatusReport, Turn,
};
pub use process::{LaunchOptions, RestartPolicy};
pub use ratings::{Rating, Ratings};
pub use rulebook::{ForeignGame, ForeignOpening, ForeignOpeningsError, InvalidGameName, Rulebook};
pub use run::{FinishedGame, ResumeState, RunOptions, RunResult};
pub use schedule::{
    Entrant, FirstMove, GameSetup, GameStart, MatchScore, Matchup, ScheduledGame, Shard,
    TournamentFormat,
};
pub use score::{ScoredGame, SearchEffort};
pub use sprt::{EloModel, Hypothesis, Sprt, SprtError, SprtState};
pub use standings::{
    EnginePoints, GameLengths, PointsTable, RankedEngine, SideTotals, TournamentResults,
};
pub use statistics::{EloEstimate, HeadToHead, WinDrawLoss};
pub use supervisor::supervise_with;
pub use text_report::{
    CrossTable, GameResultLine, HeadToHeadRow, MatchSummary, MoveText, SprtRow, StandingsRow,
    StandingsTable,
};
pub use time_control::{
    ByoYomi, ClockControl, FlagFall, TimeControl, TimeError, Timer, parse_seconds,
};
pub use tournament::{Tournament, TournamentVariant};
pub use tournament_file::{Overrides, TournamentFileError};
pub use tuning_match::{TuningMatch, first_seat_points};
pub use wait::{CancelToken, EXIT_INTERRUPTED, Timeouts};
