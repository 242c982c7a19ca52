//! A tree of nodes with properties, as compact as the text it is read from.

use std::collections::BTreeMap;

/// A game tree of SGF: nodes, each with properties and with the nodes that may follow it.
///
/// Whatever is written into it is escaped where the tree is printed. Children of a node are its
/// variations, the first is the main line.
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
    nodes: Vec<Node>,
    values: Vec<Value>,
    /// The texts of all values, one after the other.
    text: String,
    names: Vec<Box<str>>,
    /// Whether its file had text outside of values, as after a bracket that was not escaped.
    stray: bool,
    numbers: BTreeMap<Box<str>, u16>,
}

/// A node of a [`Tree`], by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// No node or value.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
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
struct Value {
    start: u32,
    length: u32,
    /// The next value of the node, of this property or another.
    next: u32,
    name: u16,
}

const BARE: Node = Node {
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
    /// The node that all others come from.
    pub const ROOT: NodeId = NodeId(0);

    /// A tree of a root without properties.
    pub fn new() -> Tree {
        Tree {
            nodes: vec![BARE],
            values: Vec::new(),
            text: String::new(),
            names: Vec::new(),
            stray: false,
            numbers: BTreeMap::new(),
        }
    }

    /// A tree that has no root yet, for the parser.
    pub(super) fn unrooted() -> Tree {
        Tree { nodes: Vec::new(), ..Tree::new() }
    }

    /// Adds a node at the end of what the parser has read: after a node, or as the root.
    pub(super) fn add_after(&mut self, before: Option<NodeId>) -> NodeId {
        if self.nodes.is_empty() {
            self.nodes.push(BARE);
            return Tree::ROOT;
        }
        self.add(before.unwrap_or(Tree::ROOT))
    }

    /// Whether there is a root, which only a tree in the parser may lack.
    pub(super) fn is_rooted(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Says that the file has text outside of values.
    pub(super) fn set_stray(&mut self) {
        self.stray = true;
    }

    pub(super) fn has_stray(&self) -> bool {
        self.stray
    }

    /// All nodes, in the order of the file.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The number of nodes, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but a root without properties.
    pub fn is_empty(&self) -> bool {
        self.len() == 1 && self.values.is_empty()
    }

    /// The memory that it takes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<Node>();
        nodes + self.values.capacity() * size_of::<Value>() + self.text.capacity()
    }

    /// Adds a node after another, as its last variation.
    pub fn add(&mut self, parent: NodeId) -> NodeId {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node { parent: parent.0, ..BARE });
        let last = std::mem::replace(&mut self.nodes[parent.0 as usize].last_child, id);
        match self.nodes.get_mut(last as usize) {
            Some(sibling) => sibling.next = id,
            None => self.nodes[parent.0 as usize].first_child = id,
        }
        NodeId(id)
    }

    /// Adds a value to a property of a node, capital letters such as `C` for a comment. The text
    /// may have any characters.
    pub fn push(&mut self, node: NodeId, property: &str, value: &str) {
        let start = self.text.len() as u32;
        self.text.push_str(value);
        let Some(name) = self.number(property) else { return };
        self.link(node, name, start);
    }

    /// The number of a property's name, none if there are too many names.
    pub(super) fn number(&mut self, name: &str) -> Option<u16> {
        if let Some(&number) = self.numbers.get(name) {
            return Some(number);
        }
        let number = u16::try_from(self.names.len()).ok()?;
        self.names.push(name.into());
        self.numbers.insert(name.into(), number);
        Some(number)
    }

    /// Takes a character of a value that [`Tree::link`] will end.
    pub(super) fn write(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Where the next value's text will begin.
    pub(super) fn text_end(&self) -> u32 {
        self.text.len() as u32
    }

    /// What was written since `start`.
    pub(super) fn text_since(&self, start: u32) -> &str {
        &self.text[start as usize..]
    }

    /// Makes what was written since `start` a value of a node.
    pub(super) fn link(&mut self, node: NodeId, name: u16, start: u32) {
        let id = self.values.len() as u32;
        let length = self.text.len() as u32 - start;
        self.values.push(Value { start, length, next: NONE, name });
        let node = &mut self.nodes[node.0 as usize];
        let last = std::mem::replace(&mut node.last_value, id);
        if last == NONE {
            node.first_value = id;
        } else {
            self.values[last as usize].next = id;
        }
    }

    /// The properties of a node with a value each, in their order: a property of several values
    /// comes several times.
    pub fn properties(&self, node: NodeId) -> impl Iterator<Item = (&str, &str)> {
        let first = self.nodes[node.0 as usize].first_value;
        let next = |value: &&Value| self.values.get(value.next as usize);
        std::iter::successors(self.values.get(first as usize), next).map(|value| {
            let (start, end) = (value.start as usize, (value.start + value.length) as usize);
            (&*self.names[usize::from(value.name)], &self.text[start..end])
        })
    }

    /// The first value of a property of a node.
    pub fn get(&self, node: NodeId, property: &str) -> Option<&str> {
        self.properties(node).find(|&(name, _)| name == property).map(|(_, value)| value)
    }

    /// The values of a property of a node.
    pub fn values_of<'a>(
        &'a self,
        node: NodeId,
        property: &'a str,
    ) -> impl Iterator<Item = &'a str> {
        let wanted = move |&(name, _): &(&str, &str)| name == property;
        self.properties(node).filter(wanted).map(|(_, value)| value)
    }

    /// The nodes that may follow a node, the main line first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(node), |&child| self.next_variation(child))
    }

    /// The root and the first child of each node.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(Tree::ROOT), |&node| self.first_child(node))
    }

    /// The node before, none for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        some(self.nodes[node.0 as usize].parent)
    }

    /// The first variation after a node.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        some(self.nodes[node.0 as usize].first_child)
    }

    /// The variation that comes after this one.
    pub fn next_variation(&self, node: NodeId) -> Option<NodeId> {
        some(self.nodes[node.0 as usize].next)
    }

    /// Whether several variations begin where this node does.
    pub fn is_variation(&self, node: NodeId) -> bool {
        let first = self.parent(node).and_then(|parent| self.first_child(parent));
        first.is_some_and(|first| self.next_variation(first).is_some())
    }
}

fn some(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}
