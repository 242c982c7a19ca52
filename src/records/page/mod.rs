//! Pages to look at games: one self-contained HTML file with text, tables and plots, and a viewer in
//! which every game is stepped through on its board.
//!
//! A page links to nothing on the network. [`PageWriter`] writes it as a stream, so that ten
//! thousand games need no memory; [`PageSet`] cuts such a stream into files. What stands on a page
//! is made by [`Html`], which escapes all text, and by [`GameView`], a game with what is to be said
//! of its moves.
//!
//! The rules are asked here: the viewer gets the cells that each ply changes, and draws them. The
//! format that it reads is described in `encode.rs`.

mod boards;
mod encode;
mod html;
mod plot;
mod set;
mod view;
mod writer;

pub use html::{Align, Html, Table, TableCell};
pub use plot::{Plot, Series};
pub use set::{PageError, PageSet};
pub use view::{GameView, Header, Judges, Line, Mark, Note};
pub use writer::PageWriter;
