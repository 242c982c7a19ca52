//! Game records in many formats, pictures of games, and HTML pages to replay them.
//!
//! - [`GameRecord`] is a finished game of the arena; a [`RecordFile`] is a file of them, as JSON lines.
//! - [`RecordedGame`] is a game of any format: [`read()`] reads it, a [`RecordWriter`] writes it.
//! - [`sgf`] reads and writes game trees of the Smart Game Format.
//! - [`picture`] draws positions as text, SVG and PNG.
//! - [`page`] writes HTML pages with a viewer for games.

mod atomic_file;
mod charset;
mod coordinates;
mod date;
mod format;
mod game_record;
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
mod sanitize;
pub mod sgf;
mod write;
mod yixin;

pub use atomic_file::{AtomicFile, UncommittedFile};
pub use charset::{Charset, UnknownCharset};
pub use date::format_utc;
pub use format::{RecordFormat, UnknownFormat};
pub use game_record::{
    CompleteLines, GameRecord, GameResult, RecordError, RecordFile, RecordedPly, TournamentGame,
    UnknownResult, append_json_line, to_millis,
};
pub use pgn::results_as_pgn;
pub use read::{
    MAX_FILE_BYTES, ReadError, ReadOptions, RecordReader, read, read_from, read_regular_file,
    read_text,
};
pub use recorded::{RecordedGame, ReplayError, Variation};
pub use sanitize::{sanitize_line, sanitize_lines};
pub use write::{LostData, RecordWriter};
