//! Game records: finished games as values and as files.
//!
//! [`GameRecord`] is one finished game; [`RecordFile`] appends them to a file of JSON lines;
//! [`RecordedGame`] is a game read back; [`sgf`] has games as Go programs write them.
//! [`picture`] draws games, [`page`] writes them to be stepped through in a browser.

mod atomic_file;
mod charset;
mod date;
mod format;
mod game_record;
mod labels;
mod line_formats;
pub mod page;
mod pente_org;
mod pgn;
pub mod picture;
mod psq;
mod read;
mod recorded;
mod renlib;
mod rif;
pub mod sgf;
mod write;
mod yixin;

pub use atomic_file::{AtomicFile, WrittenFile};
pub use charset::{Charset, UnknownCharset};
pub use date::utc_text;
pub use format::{Format, Hints, UnknownFormat};
pub use game_record::{
    GameRecord, GameResult, RecordError, RecordFile, RecordedPly, TournamentGame, UnknownResult,
    millis,
};
pub use pgn::results_as_pgn;
pub use read::{
    MOST_BYTES, ReadError, Records, many_lines, one_line, read, read_from, read_regular_file,
};
pub use recorded::{RecordedGame, ReplayError, Variation};
pub use write::{Losses, RecordWriter};
