//! Game trees with properties, stored about as compactly as their text, and their parser and
//! printer.

use crate::charset::Decoder;
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write;

/// A game tree of SGF: nodes with properties.
///
/// Values are escaped when the tree is printed. The children of a node are variations; the first is
/// the main line.
///
/// ```
/// use pentarch_records::sgf::Tree;
/// let mut tree = Tree::new();
/// let first = tree.add(Tree::ROOT);
/// tree.push(first, "B", "jj");
/// tree.push(first, "C", "the center [tengen]");
/// let answers = [tree.add(first), tree.add(first)];
/// tree.push(answers[0], "W", "kj");
/// tree.push(answers[1], "W", "aa");
/// let text = tree.to_string();
/// assert_eq!(text, "(;\n;B[jj]C[the center [tengen\\]]\n(;W[kj])\n(;W[aa]))");
/// let again = Tree::parse(&text).unwrap();
/// assert_eq!(again.get(again.main_line().nth(1).unwrap(), "C"), Some("the center [tengen]"));
/// assert_eq!(again.to_string(), text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<TreeNode>,
    values: Vec<PropertyValue>,
    /// The texts of all values, concatenated.
    text: String,
    names: Vec<Box<str>>,
    /// Whether the file has text outside of values, such as after an unescaped bracket.
    has_stray_text: bool,
    numbers: BTreeMap<Box<str>, u16>,
}

/// The number of a node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// No node or value.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TreeNode {
    parent: u32,
    first_child: u32,
    last_child: u32,
    /// The next variation.
    next: u32,
    first_value: u32,
    last_value: u32,
}

/// A value of a property of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PropertyValue {
    start: u32,
    length: u32,
    /// The next value of the node, of this property or another.
    next: u32,
    name: u16,
}

const BARE_NODE: TreeNode = TreeNode {
    parent: NONE,
    first_child: NONE,
    last_child: NONE,
    next: NONE,
    first_value: NONE,
    last_value: NONE,
};

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}

impl Tree {
    /// The root.
    pub const ROOT: NodeId = NodeId(0);

    /// Creates a tree with only a root, without properties.
    pub fn new() -> Tree {
        Tree {
            nodes: vec![BARE_NODE],
            values: Vec::new(),
            text: String::new(),
            names: Vec::new(),
            has_stray_text: false,
            numbers: BTreeMap::new(),
        }
    }

    /// Creates a tree without a root, for the parser.
    pub(super) fn unrooted() -> Tree {
        Tree { nodes: Vec::new(), ..Tree::new() }
    }

    /// Adds the root, or a node after another, for the parser.
    pub(super) fn add_after(&mut self, before: Option<NodeId>) -> NodeId {
        if self.nodes.is_empty() {
            self.nodes.push(BARE_NODE);
            return Tree::ROOT;
        }
        self.add(before.unwrap_or(Tree::ROOT))
    }

    /// Returns whether the tree has a root. Only a tree in the parser may have none.
    pub(super) fn is_rooted(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Records that the file has text outside of values.
    pub(super) fn set_stray_text(&mut self) {
        self.has_stray_text = true;
    }

    pub(super) fn has_stray_text(&self) -> bool {
        self.has_stray_text
    }

    /// The nodes in the order of the file.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The number of nodes, including the root.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the tree is only a root without properties.
    pub fn is_empty(&self) -> bool {
        self.len() == 1 && self.values.is_empty()
    }

    /// The allocated memory in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<TreeNode>();
        nodes + self.values.capacity() * size_of::<PropertyValue>() + self.text.capacity()
    }

    /// Adds a node as the last child of another.
    pub fn add(&mut self, parent: NodeId) -> NodeId {
        let id = self.nodes.len() as u32;
        self.nodes.push(TreeNode { parent: parent.0, ..BARE_NODE });
        let last = std::mem::replace(&mut self.nodes[parent.0 as usize].last_child, id);
        match self.nodes.get_mut(last as usize) {
            Some(sibling) => sibling.next = id,
            None => self.nodes[parent.0 as usize].first_child = id,
        }
        NodeId(id)
    }

    /// Adds a value to a property of a node. The name of the property consists of capital letters,
    /// such as `C` for a comment; the value may have any characters.
    pub fn push(&mut self, node: NodeId, property: &str, value: &str) {
        let start = self.text.len() as u32;
        self.text.push_str(value);
        let Some(name) = self.number(property) else { return };
        self.link(node, name, start);
    }

    /// Returns the number of the name of a property. Returns `None` if there are too many names.
    pub(super) fn number(&mut self, name: &str) -> Option<u16> {
        if let Some(&number) = self.numbers.get(name) {
            return Some(number);
        }
        let number = u16::try_from(self.names.len()).ok()?;
        self.names.push(name.into());
        self.numbers.insert(name.into(), number);
        Some(number)
    }

    /// Appends text to a value that [`Tree::link`] ends.
    pub(super) fn write(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The start of the text of the next value.
    pub(super) fn text_end(&self) -> u32 {
        self.text.len() as u32
    }

    /// The text written since `start`.
    pub(super) fn text_since(&self, start: u32) -> &str {
        &self.text[start as usize..]
    }

    /// Makes the text written since `start` a value of a node.
    pub(super) fn link(&mut self, node: NodeId, name: u16, start: u32) {
        let id = self.values.len() as u32;
        let length = self.text.len() as u32 - start;
        self.values.push(PropertyValue { start, length, next: NONE, name });
        let node = &mut self.nodes[node.0 as usize];
        let last = std::mem::replace(&mut node.last_value, id);
        if last == NONE {
            node.first_value = id;
        } else {
            self.values[last as usize].next = id;
        }
    }

    /// The properties of a node in their order, each with one value. A property with several values
    /// occurs several times.
    pub fn properties(&self, node: NodeId) -> impl Iterator<Item = (&str, &str)> {
        let first = self.nodes[node.0 as usize].first_value;
        let next = |value: &&PropertyValue| self.values.get(value.next as usize);
        std::iter::successors(self.values.get(first as usize), next).map(|value| {
            let (start, end) = (value.start as usize, (value.start + value.length) as usize);
            (&*self.names[usize::from(value.name)], &self.text[start..end])
        })
    }

    /// Returns the first value of a property of a node.
    pub fn get(&self, node: NodeId, property: &str) -> Option<&str> {
        self.properties(node).find(|&(name, _)| name == property).map(|(_, value)| value)
    }

    /// The children of a node, the main line first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(node), |&child| self.next_variation(child))
    }

    /// The nodes of the main line, from the root on.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(Tree::ROOT), |&node| self.first_child(node))
    }

    /// The parent of a node; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        node_id(self.nodes[node.0 as usize].parent)
    }

    /// The first child of a node.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        node_id(self.nodes[node.0 as usize].first_child)
    }

    /// The next sibling of a node.
    pub fn next_variation(&self, node: NodeId) -> Option<NodeId> {
        node_id(self.nodes[node.0 as usize].next)
    }

    /// Returns whether a node has siblings.
    pub fn is_variation(&self, node: NodeId) -> bool {
        let first = self.parent(node).and_then(|parent| self.first_child(parent));
        first.is_some_and(|first| self.next_variation(first).is_some())
    }
}

fn node_id(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}

/// Why a text is not a tree of SGF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfSyntaxError {
    /// It has no `(;`.
    #[error("this is no SGF: a game begins with `(;`")]
    NoTree,
    /// It ends in the middle of a game.
    #[error("the file ends in the middle of the game")]
    NoEnd,
    /// Another game begins before the end of the game.
    #[error("the game does not end before the next one begins")]
    Unclosed,
    /// A value has no property before it.
    #[error("a value in brackets has no property before it")]
    NoProperty,
    /// More names of properties than numbers for them.
    #[error("more than 65,535 kinds of properties")]
    Names,
    /// The text is too long for its offsets.
    #[error("the text is longer than 4 GiB")]
    Length,
}

/// Parses the trees of a text, one after the other. Each comes with the number of its first line.
///
/// Text between trees is ignored. After an error, the next tree is the next line that begins with
/// `(;`. A tree that is not closed ends where `FF` or `GM`, the first properties of a file, begin
/// another.
#[derive(Clone, Debug)]
pub struct Trees<T> {
    text: T,
    at: usize,
    /// The line number at byte `counted`.
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
/// This is version FF\[4\] (red-bean.com/sgf), read leniently: lower-case letters in names, which
/// older versions have, are ignored, as is any other text between values. A line break after `\` is
/// removed.
impl Tree {
    /// Parses the first tree of a file, in the character set that its `CA` names.
    pub fn parse_bytes(bytes: Vec<u8>) -> Result<Tree, SgfSyntaxError> {
        Tree::parse(&Decoder::default().decode_sgf(bytes))
    }

    /// Parses the first tree of a text.
    pub fn parse(text: &str) -> Result<Tree, SgfSyntaxError> {
        match Trees::new(text).next() {
            Some((_, tree)) => tree,
            None => Err(SgfSyntaxError::NoTree),
        }
    }
}

impl<T: AsRef<str>> Trees<T> {
    /// Creates a parser of the trees of a text.
    pub fn new(text: T) -> Trees<T> {
        Trees { text, at: 0, line: 1, counted: 0, read: 0 }
    }

    /// Returns the line number at a later byte.
    fn line_at(&mut self, at: usize) -> usize {
        self.line += self.text.as_ref()[self.counted..at].matches('\n').count();
        self.counted = at;
        self.line
    }

    /// Returns the byte at which the next tree begins.
    fn next_start(&self) -> Option<usize> {
        let rest = &self.text.as_ref()[self.at..];
        let open = rest.match_indices('(').map(|(at, _)| at);
        let mut trees = open.filter(|at| rest[at + 1..].trim_start().starts_with(';'));
        let first = || rest.find('(').filter(|_| self.read == 0);
        trees.next().or_else(first).map(|at| self.at + at)
    }
}

impl<T: AsRef<str>> Iterator for Trees<T> {
    type Item = (usize, Result<Tree, SgfSyntaxError>);

    fn next(&mut self) -> Option<Self::Item> {
        let Some(start) = self.next_start() else {
            let none = self.read == 0 && !self.text.as_ref().trim().is_empty();
            (self.read, self.at) = (self.read + 1, self.text.as_ref().len());
            return none.then_some((1, Err(SgfSyntaxError::NoTree)));
        };
        let line = self.line_at(start);
        self.read += 1;
        let mut parser = SgfParser { text: &self.text.as_ref()[start..], at: 0, open: Vec::new() };
        let tree = parser.tree();
        self.at = match tree {
            Ok(_) => start + parser.at,
            Err(SgfSyntaxError::Unclosed) => {
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

struct SgfParser<'a> {
    text: &'a str,
    at: usize,
    /// For each open parenthesis, the node before it.
    open: Vec<Option<NodeId>>,
}

impl SgfParser<'_> {
    fn tree(&mut self) -> Result<Tree, SgfSyntaxError> {
        if u32::try_from(self.text.len()).is_err() {
            return Err(SgfSyntaxError::Length);
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
                        return if tree.is_rooted() {
                            Ok(tree)
                        } else {
                            Err(SgfSyntaxError::NoTree)
                        };
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
                        return Err(SgfSyntaxError::Unclosed);
                    }
                    let node = node.ok_or(SgfSyntaxError::NoTree)?;
                    if !name.is_empty() {
                        if node != Tree::ROOT && (name == "FF" || name == "GM") {
                            return Err(SgfSyntaxError::Unclosed);
                        }
                        number = Some(tree.number(&name).ok_or(SgfSyntaxError::Names)?);
                        name.clear();
                    }
                    tree.link(node, number.ok_or(SgfSyntaxError::NoProperty)?, start);
                }
                b'A'..=b'Z' => name.push(char::from(byte)),
                // `5A`, the offers of a fifth move in renju, differs from `A`.
                b'0'..=b'9' if matches!(self.text.as_bytes().get(self.at), Some(b'A'..=b'Z')) => {
                    name.push(char::from(byte));
                }
                // Older versions have lower-case letters in names.
                byte if byte.is_ascii_lowercase() || byte.is_ascii_whitespace() => (),
                _ => tree.set_stray_text(),
            }
        }
        Err(if tree.is_rooted() { SgfSyntaxError::NoEnd } else { SgfSyntaxError::NoTree })
    }

    /// Reads a value up to its closing bracket.
    fn value(&mut self, tree: &mut Tree) -> Result<(), SgfSyntaxError> {
        loop {
            let rest = &self.text[self.at..];
            let end = rest.find([']', '\\', '\r']).ok_or(SgfSyntaxError::NoEnd)?;
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

    /// Reads the character after a backslash. A line break is removed.
    fn escaped(&mut self, tree: &mut Tree) -> Result<(), SgfSyntaxError> {
        let rest = &self.text[self.at..];
        let c = rest.chars().next().ok_or(SgfSyntaxError::NoEnd)?;
        self.at += c.len_utf8();
        match c {
            '\n' => (),
            '\r' => self.at += usize::from(rest[1..].starts_with('\n')),
            c => tree.write(c.encode_utf8(&mut [0; 4])),
        }
        Ok(())
    }
}

/// Returns whether a value without a closing bracket has run into the next tree, `(;FF[4]`.
fn ends_in_a_tree(value: &str) -> bool {
    let name = value.trim_end_matches(|c: char| c.is_ascii_digit());
    name.ends_with("\n(;FF[") || name.ends_with("\n(;GM[")
}

/// The number of nodes on a line of text.
const NODES_PER_LINE: usize = 10;

/// Brackets and backslashes are escaped; control characters become U+FFFD.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('(')?;
        let (mut node, mut nodes) = (Tree::ROOT, 0);
        loop {
            self.print(node, f)?;
            match self.first_child(node) {
                Some(child) => {
                    let is_variation = self.is_variation(child);
                    nodes = if is_variation { 0 } else { nodes };
                    if nodes % NODES_PER_LINE == 0 {
                        f.write_char('\n')?;
                    }
                    f.write_str(if is_variation { "(" } else { "" })?;
                    (node, nodes) = (child, nodes + 1);
                }
                None => match self.close(node, f)? {
                    Some(next) => {
                        f.write_str("\n(")?;
                        (node, nodes) = (next, 1);
                    }
                    None => return f.write_char(')'),
                },
            }
        }
    }
}

impl Tree {
    fn print(&self, node: NodeId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(';')?;
        let mut last = "";
        for (name, value) in self.properties(node) {
            if name != last {
                let is_setup = node == Tree::ROOT && matches!(name, "AB" | "AW");
                f.write_str(if is_setup { "\n" } else { "" })?;
                f.write_str(name)?;
                last = name;
            }
            f.write_char('[')?;
            escape(value, f)?;
            f.write_char(']')?;
        }
        Ok(())
    }

    /// Closes the variations that end with a node. Returns the next variation.
    fn close(
        &self,
        mut node: NodeId,
        f: &mut fmt::Formatter<'_>,
    ) -> Result<Option<NodeId>, fmt::Error> {
        while let Some(parent) = self.parent(node) {
            if self.is_variation(node) {
                f.write_char(')')?;
            }
            if let Some(next) = self.next_variation(node) {
                return Ok(Some(next));
            }
            node = parent;
        }
        Ok(None)
    }
}

fn escape(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for c in text.chars() {
        match c {
            ']' | '\\' => write!(f, "\\{c}")?,
            '\n' | '\t' => f.write_char(c)?,
            c if c.is_control() => f.write_char(char::REPLACEMENT_CHARACTER)?,
            c => f.write_char(c)?,
        }
    }
    Ok(())
}
