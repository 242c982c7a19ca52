//! `lib`, the library of `RenLib`: a tree of moves on 15x15 with comments. Read only.
//!
//! ```text
//! file    = 0xFF "RenLib" 0xFF major minor, 10 bytes, { node }
//! node    = point flags [ two bytes of extension ] [ comment ] [ board text ]
//! point   = column from 1 in the low half, row from the top from 0 in the high half; 0 is no move
//! flags   = 0x80 a sibling comes after this node's children, 0x40 no children, 0x20 and 0x08 a
//!           comment, 0x10 mark, 0x04 start, 0x02 no move, 0x01 an extension, whose bit 0x0100 is a
//!           text on the board
//! comment = pairs of bytes, the last with a 0 in it
//! ```
//!
//! See gomoku/RenLib, `MoveNode.cpp` and `RenLibDoc.cpp`, and dhbloo/rapfi, `database/dbutils.cpp`.
//! Old files have no header; they are read if the user names the format. A library is read as its
//! branches: each path from the root to a leaf is a game, with the comments of its nodes.

use super::RecordedGame;
use super::charset::Decoder;
use super::coordinates::{cell_from_top, square_grid};
use super::format::ParsedGame;
use crate::sanitize_lines;
use pentarch_core::rules::Ruleset;

/// The first bytes of a library.
pub(super) const MAGIC: &[u8] = b"\xffRenLib\xff";
const HEADER_SIZE: usize = 20;

const SIBLING: u8 = 0x80;
const LEAF: u8 = 0x40;
const COMMENT: u8 = 0x28;
const NO_MOVE: u8 = 0x02;
const EXTENSION: u8 = 0x01;
const BOARD_TEXT: u8 = 0x01;

/// The branches of a tree, each from the root to a leaf.
pub(super) struct RenLibBranches {
    bytes: Vec<u8>,
    at: usize,
    /// The nodes from the root to the last node read.
    path: Vec<RenLibNode>,
    /// The lengths of the path at the nodes whose siblings are not read yet.
    siblings: Vec<usize>,
    is_over: bool,
    decoder: Decoder,
    rules: Ruleset,
}

/// A range of the bytes of the file.
type ByteRange = (usize, usize);

struct RenLibNode {
    /// Column and row from the upper left. `None` for a node without a move.
    point: Option<(i32, i32)>,
    comment: String,
}

impl RenLibBranches {
    pub(super) fn new(bytes: Vec<u8>, decoder: Decoder, rules: Ruleset) -> RenLibBranches {
        let at = if bytes.starts_with(MAGIC) { HEADER_SIZE } else { 0 };
        let mut branches = RenLibBranches {
            bytes,
            at,
            path: Vec::new(),
            siblings: Vec::new(),
            is_over: false,
            decoder,
            rules,
        };
        // A single comment is too short for a guess of the character set.
        let mut texts = Vec::new();
        while let Some((_, _, comment, board_text)) = branches.raw_node() {
            texts.extend([comment, board_text]);
        }
        branches.at = at;
        let texts = texts.into_iter().map(|(start, end)| &branches.bytes[start..end]);
        branches.decoder.guess_from(texts);
        branches
    }
}

impl Iterator for RenLibBranches {
    type Item = ParsedGame;

    /// An error is at a byte of the file; it has no line.
    fn next(&mut self) -> Option<ParsedGame> {
        if self.is_over || self.at == self.bytes.len() {
            return None;
        }
        if self.at > self.bytes.len() {
            self.is_over = true;
            let game = Err("the file ends in its header".to_owned());
            return Some(ParsedGame { line: 1, game });
        }
        let game = self.branch().and_then(|()| self.game());
        Some(ParsedGame { line: 1, game })
    }
}

impl RenLibBranches {
    /// Reads nodes until one has no children.
    fn branch(&mut self) -> Result<(), String> {
        loop {
            let start = self.at;
            let Some(flags) = self.node() else {
                self.is_over = true;
                return Err(format!("byte {start}: the file ends in the middle of the tree"));
            };
            let here = self.path.len() - 1;
            if flags & SIBLING != 0 {
                self.siblings.push(here);
            }
            if self.path.len() > MAX_NODES {
                self.is_over = true;
                return Err(format!("byte {start}: a branch of more than {MAX_NODES} moves"));
            }
            if flags & LEAF != 0 {
                return Ok(());
            }
        }
    }

    /// Reads a node and appends it to the path. Returns its flags, or `None` at the end of the
    /// file.
    fn node(&mut self) -> Option<u8> {
        let (point, flags, comment, board_text) = self.raw_node()?;
        let mut comment = self.decoded(comment);
        let text = self.decoded(board_text);
        if !text.is_empty() {
            comment += if comment.is_empty() { "" } else { "\n" };
            comment = comment + "[" + &text + "]";
        }
        let (column, row) = (i32::from(point & 0x0f) - 1, i32::from(point >> 4));
        let point = (point != 0 && flags & NO_MOVE == 0).then_some((column, row));
        self.path.push(RenLibNode { point, comment });
        Some(flags)
    }

    /// Reads a node: its point, its flags, its comment and its text on the board.
    fn raw_node(&mut self) -> Option<(u8, u8, ByteRange, ByteRange)> {
        let [point, flags] = self.pair()?;
        let extension = if flags & EXTENSION != 0 { self.pair()? } else { [0, 0] };
        let comment = if flags & COMMENT != 0 { self.text()? } else { (0, 0) };
        let board_text = if extension.contains(&BOARD_TEXT) { self.text()? } else { (0, 0) };
        Some((point, flags, comment, board_text))
    }

    fn pair(&mut self) -> Option<[u8; 2]> {
        let pair = self.bytes.get(self.at..self.at + 2)?;
        self.at += 2;
        pair.try_into().ok()
    }

    fn text(&mut self) -> Option<ByteRange> {
        let start = self.at;
        while !self.pair()?.contains(&0) {}
        let text = &self.bytes[start..self.at];
        let length = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        Some((start, start + length))
    }

    fn decoded(&mut self, (start, end): ByteRange) -> String {
        let text = self.decoder.decode(self.bytes[start..end].to_vec());
        // A backspace separates the first line from the rest.
        sanitize_lines(&text.replace('\u{8}', "\n"))
    }

    /// Converts the path to a game and shortens the path to the parent of the next sibling.
    fn game(&mut self) -> Result<RecordedGame, String> {
        let grid = square_grid(&self.rules)?;
        let mut game =
            RecordedGame { rules: Some(self.rules.to_string()), ..RecordedGame::default() };
        let mut wrong = None;
        for node in &self.path {
            if let Some((column, row)) = node.point {
                match cell_from_top(grid, column, row) {
                    Some(cell) => game.moves.push(grid.label(cell)),
                    None => wrong = Some(format!("byte {}: a point off the board", self.at)),
                }
            }
        }
        let mut ply = 0;
        for node in &self.path {
            ply += usize::from(node.point.is_some());
            if !node.comment.is_empty() {
                let comment = match ply {
                    0 => &mut game.comment,
                    _ => match game.ply_mut(ply - 1) {
                        Some(ply) => &mut ply.comment,
                        None => continue,
                    },
                };
                comment.push_str(&node.comment);
            }
        }
        match self.siblings.pop() {
            Some(index) => self.path.truncate(index),
            None => self.is_over = true,
        }
        wrong.map_or(Ok(game), Err)
    }
}

/// The longest branch. The board has fewer points, but a branch may have nodes without moves.
const MAX_NODES: usize = 1000;
