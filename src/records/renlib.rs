//! Libraries of `RenLib` (`.lib`): a tree of moves on 15x15 with comments.
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
//! (gomoku/RenLib, `MoveNode.cpp` and `RenLibDoc.cpp`; dhbloo/rapfi, `database/dbutils.cpp`.) Old
//! files have no header; they are read on request. A library is read as its lines: a game for each
//! end of a branch, whose comments are those on its way.

use super::RecordedGame;
use super::charset::Decoder;
use super::labels::{from_top, grid};
use super::read::Found;
use crate::read::many_lines;
use pentarch_core::rules::Ruleset;

const HEADER: &[u8] = b"\xffRenLib\xff";
const HEADER_SIZE: usize = 20;

const SIBLING: u8 = 0x80;
const LEAF: u8 = 0x40;
const COMMENT: u8 = 0x28;
const NO_MOVE: u8 = 0x02;
const EXTENSION: u8 = 0x01;
const BOARD_TEXT: u8 = 0x01;

/// The branches of a tree, each from the root to its end.
pub(super) struct Branches {
    bytes: Vec<u8>,
    at: usize,
    /// From the root to the last node read.
    path: Vec<Node>,
    /// Where in the path the siblings to come go, the next one last.
    open: Vec<usize>,
    is_over: bool,
    decoder: Decoder,
}

/// Where a text begins and ends among the bytes.
type Place = (usize, usize);

struct Node {
    /// Column and row from the upper left, none without a move.
    point: Option<(i32, i32)>,
    comment: String,
}

impl Branches {
    pub(super) fn new(bytes: Vec<u8>, decoder: &mut Decoder) -> Branches {
        let at = if bytes.starts_with(HEADER) { HEADER_SIZE } else { 0 };
        let mut branches = Branches {
            bytes,
            at,
            path: Vec::new(),
            open: Vec::new(),
            is_over: false,
            decoder: Decoder::default(),
        };
        // A comment alone is too short to guess by.
        let mut texts = Vec::new();
        while let Some((_, _, comment, board_text)) = branches.raw_node() {
            texts.extend([comment, board_text]);
        }
        branches.at = at;
        decoder.look_at(texts.into_iter().map(|(start, end)| &branches.bytes[start..end]));
        branches.decoder = decoder.clone();
        branches
    }

    /// The next branch as a game. What is wrong is found at a byte, not in a line.
    pub(super) fn next(&mut self, rules: &Ruleset) -> Option<Found> {
        if self.is_over || self.at == self.bytes.len() {
            return None;
        }
        if self.at > self.bytes.len() {
            self.is_over = true;
            return Some((1, Err("the file ends in its header".to_owned())));
        }
        let found = self.branch().and_then(|()| self.game(rules));
        Some((1, found))
    }

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
                self.open.push(here);
            }
            if self.path.len() > MOST_MOVES {
                self.is_over = true;
                return Err(format!("byte {start}: a branch of more than {MOST_MOVES} moves"));
            }
            if flags & LEAF != 0 {
                return Ok(());
            }
        }
    }

    /// Reads a node to the end of the path. Returns its flags, or none at the end of the file.
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
        self.path.push(Node { point, comment });
        Some(flags)
    }

    /// Reads a node: its point and flags, and where its comment and its text on the board are.
    fn raw_node(&mut self) -> Option<(u8, u8, Place, Place)> {
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

    fn text(&mut self) -> Option<Place> {
        let start = self.at;
        while !self.pair()?.contains(&0) {}
        let text = &self.bytes[start..self.at];
        let length = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        Some((start, start + length))
    }

    fn decoded(&mut self, (start, end): Place) -> String {
        let text = self.decoder.decode(self.bytes[start..end].to_vec());
        // A line and what is more are divided by a backspace.
        many_lines(&text.replace('\u{8}', "\n"))
    }

    /// The path as a game; then it goes back to where the next sibling belongs.
    fn game(&mut self, rules: &Ruleset) -> Result<RecordedGame, String> {
        let grid = grid(rules)?;
        let mut game = RecordedGame { rules: Some(rules.to_string()), ..RecordedGame::default() };
        let mut wrong = None;
        for node in &self.path {
            if let Some((column, row)) = node.point {
                match from_top(grid, column, row) {
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
        match self.open.pop() {
            Some(index) => self.path.truncate(index),
            None => self.is_over = true,
        }
        wrong.map_or(Ok(game), Err)
    }
}

/// A branch cannot be longer than its board has points, but for a few nodes without moves.
const MOST_MOVES: usize = 1000;
