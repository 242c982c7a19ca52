//! Engine against engine: a match of two players, refereed, timed, recorded and counted.
//!
//! [`Match`] is what to play, [`Match::run`] plays it. A [`Player`] is an engine built in or a
//! process that speaks a [dialect](pentarch_protocol::Dialect). What a player does wrong - a crash,
//! silence, an illegal move, a late one - is a [`Fault`]: it ends the game, has a reason in the
//! record, and the match goes on.
//! What we cannot do - start an engine, write a record - is an [`ArenaError`] and ends the run
//! with a message; the games finished so far are on the disk.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod adjudication;
mod asking;
mod balance;
mod builtin;
mod child;
pub mod compliance;
mod controller;
mod engine_log;
mod exchange;
mod fault;
mod opening;
mod pages;
mod pinning;
mod pipes;
mod player;
mod points_table;
mod process;
mod process_tree;
mod processor_waits;
mod ratings;
mod referee;
mod report;
mod rivals;
mod rulebook;
mod runner;
mod said_once;
mod schedule;
mod score;
mod spec;
mod sprt;
mod standing;
mod statistics;
pub mod supervisor;
mod table;
mod team;
mod time;
mod tournament;
mod wait;

pub use adjudication::{Adjudication, DrawRule, ResignRule, RuleError, Verdict};
pub use balance::Balance;
pub use child::ChildPlayer;
pub use controller::Conversation;
pub use fault::{ArenaError, Ending, Failure, Fault};
pub use opening::{Opening, OpeningError, Openings, Unplayable};
pub use pages::{ReportError, write_report};
pub use player::{
    Action, Decision, ForeignMove, ForeignPosition, ForeignTurn, NewGame, Opinion, Player, Ply,
    Turn,
};
pub use points_table::{PointsRow, PointsTable};
pub(crate) use process::{Deadline, Process};
pub use process::{Launch, Restart};
pub use ratings::{Rating, Ratings};
pub use report::{GameLine, MoveList, Summary};
pub use rivals::{Rivals, points_of_first};
pub use rulebook::{ForeignGame, ForeignOpening, ForeignOpeningsError, NoName, Rulebook};
pub use runner::{Match, Progress};
pub use schedule::{
    Draw, DrawnEvent, Encounter, Entrant, First, Fixture, Format, MatchScore, Pairing, Shard, Start,
};
pub use score::{Effort, Score};
pub use spec::{EngineKind, EngineSpec, SpecError};
pub use sprt::{EloModel, Hypothesis, Sprt, SprtError, Trial};
pub use standing::{Plies, Row, Standing};
pub use statistics::{Standings, Strength, Tally};
pub use supervisor::supervise_with;
pub use table::{Counts, CrossTable, EngineRow, Table, TrialRow};
pub use time::{ByoYomi, ClockControl, FlagFall, TimeControl, TimeError, Timer, parse_seconds};
pub use tournament::{
    Course, Ended, Event, FileError, Ledger, Overrides, Tournament, Union, Watch, WatchedGame,
};
pub use wait::{CancelToken, INTERRUPTED, Timeouts};
