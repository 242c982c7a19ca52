//! Text to trees.

use super::Tree;
use super::tree::NodeId;
use crate::charset::Decoder;

/// Why a text is no tree of SGF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// There is no `(;` in it.
    #[error("this is no SGF: a game begins with `(;`")]
    NoTree,
    /// It stops in the middle.
    #[error("the file ends in the middle of the game")]
    NoEnd,
    /// Another game begins in it.
    #[error("the game does not end before the next one begins")]
    Unclosed,
    /// A value of nothing.
    #[error("a value in brackets has no property before it")]
    NoProperty,
    /// More names of properties than any program has.
    #[error("more than 65,535 kinds of properties")]
    Names,
    /// Positions in larger texts cannot be counted.
    #[error("the text is longer than 4 GiB")]
    Length,
}

/// The trees of a text, one after the other, each with the number of the line where it begins.
///
/// What is between them does not count. After an error the next tree is looked for where a line
/// begins with `(;`. A tree that is not closed ends where the first property of a file, `FF` or `GM`,
/// says that another has begun.
#[derive(Clone, Debug)]
pub struct Trees<T> {
    text: T,
    at: usize,
    /// The number of the line at `counted`.
    line: usize,
    counted: usize,
    read: usize,
}

/// ```text
/// collection = { tree } ;
/// tree       = "(" , node , { node } , { tree } , ")" ;
/// node       = ";" , { property } ;
/// property   = [ digit ] , letter , { letter } , value , { value } ;
/// value      = "[" , { character | "\" , character } , "]" ;
/// ```
///
/// This is version FF\[4\] (red-bean.com/sgf), read with patience: small letters in names are the
/// decoration of older versions and do not count, nor does anything else between values. A line
/// break after `\` is none.
impl Tree {
    /// Reads the first tree of a file, in the character set that its `CA` names.
    pub fn parse_bytes(bytes: Vec<u8>) -> Result<Tree, SyntaxError> {
        Tree::parse(&Decoder::default().decode_sgf(bytes))
    }

    /// Reads the first tree of a text.
    pub fn parse(text: &str) -> Result<Tree, SyntaxError> {
        match Trees::new(text).next() {
            Some((_, tree)) => tree,
            None => Err(SyntaxError::NoTree),
        }
    }
}

impl<T: AsRef<str>> Trees<T> {
    /// The trees of a text.
    pub fn new(text: T) -> Trees<T> {
        Trees { text, at: 0, line: 1, counted: 0, read: 0 }
    }

    /// The number of the line at a place further on.
    fn line_at(&mut self, at: usize) -> usize {
        self.line += self.text.as_ref()[self.counted..at].matches('\n').count();
        self.counted = at;
        self.line
    }

    /// Where the next tree begins.
    fn next_start(&self) -> Option<usize> {
        let rest = &self.text.as_ref()[self.at..];
        let open = rest.match_indices('(').map(|(at, _)| at);
        let mut trees = open.filter(|at| rest[at + 1..].trim_start().starts_with(';'));
        let first = || rest.find('(').filter(|_| self.read == 0);
        trees.next().or_else(first).map(|at| self.at + at)
    }
}

impl<T: AsRef<str>> Iterator for Trees<T> {
    type Item = (usize, Result<Tree, SyntaxError>);

    fn next(&mut self) -> Option<Self::Item> {
        let Some(start) = self.next_start() else {
            let none = self.read == 0 && !self.text.as_ref().trim().is_empty();
            (self.read, self.at) = (self.read + 1, self.text.as_ref().len());
            return none.then_some((1, Err(SyntaxError::NoTree)));
        };
        let line = self.line_at(start);
        self.read += 1;
        let mut parser = Parser { text: &self.text.as_ref()[start..], at: 0, open: Vec::new() };
        let tree = parser.tree();
        self.at = match tree {
            Ok(_) => start + parser.at,
            Err(SyntaxError::Unclosed) => {
                let passed = &self.text.as_ref()[start + 1..start + parser.at];
                passed.rfind("(;").map_or(start + parser.at, |at| start + 1 + at)
            }
            Err(_) => {
                let from = start + parser.at;
                self.text.as_ref()[from..]
                    .find("\n(;")
                    .map_or(self.text.as_ref().len(), |at| from + at + 1)
            }
        };
        Some((line, tree))
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// For each open parenthesis the node that it began after.
    open: Vec<Option<NodeId>>,
}

impl Parser<'_> {
    fn tree(&mut self) -> Result<Tree, SyntaxError> {
        if u32::try_from(self.text.len()).is_err() {
            return Err(SyntaxError::Length);
        }
        let mut tree = Tree::unrooted();
        let mut node: Option<NodeId> = None;
        let (mut name, mut number) = (String::new(), None);
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            self.at += 1;
            match byte {
                b'(' => self.open.push(node),
                b')' => {
                    node = self.open.pop().unwrap_or_default();
                    if self.open.is_empty() {
                        return if tree.is_rooted() { Ok(tree) } else { Err(SyntaxError::NoTree) };
                    }
                }
                b';' => {
                    node = Some(tree.add_after(node));
                    name.clear();
                    number = None;
                }
                b'[' => {
                    let start = tree.text_end();
                    self.value(&mut tree)?;
                    if ends_in_a_tree(tree.text_since(start)) {
                        return Err(SyntaxError::Unclosed);
                    }
                    let node = node.ok_or(SyntaxError::NoTree)?;
                    if !name.is_empty() {
                        if node != Tree::ROOT && (name == "FF" || name == "GM") {
                            return Err(SyntaxError::Unclosed);
                        }
                        number = Some(tree.number(&name).ok_or(SyntaxError::Names)?);
                        name.clear();
                    }
                    tree.link(node, number.ok_or(SyntaxError::NoProperty)?, start);
                }
                b'A'..=b'Z' => name.push(char::from(byte)),
                // `5A`, the offers of a fifth move in renju, is not `A`.
                b'0'..=b'9' if matches!(self.text.as_bytes().get(self.at), Some(b'A'..=b'Z')) => {
                    name.push(char::from(byte));
                }
                // Small letters decorate names in older versions.
                byte if byte.is_ascii_lowercase() || byte.is_ascii_whitespace() => (),
                _ => tree.set_stray(),
            }
        }
        Err(if tree.is_rooted() { SyntaxError::NoEnd } else { SyntaxError::NoTree })
    }

    /// The text up to the closing bracket.
    fn value(&mut self, tree: &mut Tree) -> Result<(), SyntaxError> {
        loop {
            let rest = &self.text[self.at..];
            let end = rest.find([']', '\\', '\r']).ok_or(SyntaxError::NoEnd)?;
            tree.write(&rest[..end]);
            self.at += end + 1;
            match rest.as_bytes()[end] {
                b']' => return Ok(()),
                b'\r' if !rest[end + 1..].starts_with('\n') => tree.write("\n"),
                b'\r' => (),
                _ => self.escaped(tree)?,
            }
        }
    }

    /// What comes after a backslash: a character that stands for itself, or a line break that does
    /// not count.
    fn escaped(&mut self, tree: &mut Tree) -> Result<(), SyntaxError> {
        let rest = &self.text[self.at..];
        let c = rest.chars().next().ok_or(SyntaxError::NoEnd)?;
        self.at += c.len_utf8();
        match c {
            '\n' => (),
            '\r' => self.at += usize::from(rest[1..].starts_with('\n')),
            c => tree.write(c.encode_utf8(&mut [0; 4])),
        }
        Ok(())
    }
}

/// Whether a value has no bracket of its own at its end but that of the next tree, `(;FF[4]`.
fn ends_in_a_tree(value: &str) -> bool {
    let name = value.trim_end_matches(|c: char| c.is_ascii_digit());
    name.ends_with("\n(;FF[") || name.ends_with("\n(;GM[")
}
