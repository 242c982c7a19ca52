//! Networks in files: lines of text that say what is there and how it was made, an empty line, then
//! the numbers, two or four bytes each with the lowest first, deflated where the head says `packed`.
//! Rows of cells are less what others foretell of them, where groups have kin.

use super::neurons::Neurons;
use super::{
    CONTEXT, COUNTS, CellRow, DIMENSIONS, Genre, Grouping, HIDDEN, INPUTS, Network, Policy, Row,
    THREATS, kin_rows,
};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use std::borrow::Cow;
use std::fmt::Write as _;

/// How hard numbers are packed, of 10.
const PACKING: u8 = 9;

/// The first line.
const MAGIC: &str = "pentarch network 1";

/// Why bytes are no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// They begin otherwise.
    #[error("no network: it does not begin with `{MAGIC}`")]
    Magic,
    /// A line of the head is wrong.
    #[error("line {0}: {1}")]
    Head(usize, String),
    /// There are more or fewer numbers than the head calls for.
    #[error("expected {expected} bytes after the head, found {found}")]
    Length {
        /// What the head calls for.
        expected: usize,
        /// What is there.
        found: usize,
    },
    /// The numbers cannot be unpacked.
    #[error("the numbers after the head cannot be unpacked: the file is cut or damaged")]
    Packed,
}

impl Network {
    /// Whether bytes begin as a network does.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// The remarks of a file on how it was made, a line each.
    pub fn remarks(bytes: &[u8]) -> Vec<String> {
        let head = String::from_utf8_lossy(&bytes[..head_end(bytes)]);
        head.lines().filter_map(|line| line.strip_prefix("# ")).map(str::to_owned).collect()
    }

    /// The file, with remarks on how it was made, a line each.
    pub fn to_bytes(&self, remarks: &[String]) -> Vec<u8> {
        let mut head =
            format!("{MAGIC}\ngames {}\nshapes {}\nflags", self.genre, self.grouping.kept());
        for (name, _) in Grouping::FLAGS.iter().zip(self.grouping.flags()).filter(|(_, flag)| *flag)
        {
            let _ = write!(head, " {name}");
        }
        head.push_str("\npacked deflate\n");
        if self.policy.is_some() {
            head.push_str("policy\n");
        }
        for remark in remarks {
            let _ = writeln!(head, "# {}", remark.replace('\n', " "));
        }
        head.push('\n');
        let cells: Vec<Row> = self.cells.iter().map(|row| row.0).collect();
        let views = cells.chunks_exact(self.grouping.pairs());
        let cells: Vec<Row> =
            views.flat_map(|rows| kin_rows::differences(&self.grouping, rows)).collect();
        let rows = cells.iter().chain(&self.threats).chain(&self.counts).chain([&self.bias]);
        let small = rows.flatten().copied().chain(self.neurons.rows().flatten()).chain(self.last);
        let mut numbers: Vec<u8> = small.flat_map(i16::to_le_bytes).collect();
        let large = self.neuron_bias.iter().chain([&self.last_bias]);
        numbers.extend(large.flat_map(|number| number.to_le_bytes()));
        if let Some(Policy { pairs, own, their, neurons, kinds }) = &self.policy {
            let cells = own.iter().chain(their).flatten();
            let small = pairs.iter().chain(cells).copied().chain(neurons.rows().flatten());
            let small = small.chain(kinds.iter().flatten().copied());
            numbers.extend(small.flat_map(i16::to_le_bytes));
        }
        let mut bytes = head.into_bytes();
        bytes.extend(compress_to_vec(&numbers, PACKING));
        bytes
    }

    /// Reads a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !Network::begins(bytes) {
            return Err(NetworkError::Magic);
        }
        let end = head_end(bytes);
        let head = Head::parse(&String::from_utf8_lossy(&bytes[..end]))?;
        let expected = head.bytes();
        let mut numbers = Cow::Borrowed(bytes.get(end + 2..).unwrap_or_default());
        if head.is_packed {
            let unpacked = decompress_to_vec_with_limit(&numbers, expected);
            numbers = Cow::Owned(unpacked.map_err(|_| NetworkError::Packed)?);
        }
        let found = numbers.len();
        if found != expected {
            return Err(NetworkError::Length { expected, found });
        }
        let mut numbers = Numbers(&numbers);
        let mut cells = numbers.rows(head.cells());
        for rows in cells.chunks_exact_mut(head.grouping.pairs()) {
            kin_rows::restore(&head.grouping, rows);
        }
        Ok(Network {
            genre: head.genre,
            cells: cells.into_iter().map(CellRow).collect(),
            threats: numbers.rows(THREATS),
            counts: numbers.rows(COUNTS),
            bias: numbers.row(),
            neurons: Neurons::new(&numbers.rows(HIDDEN)),
            last: numbers.row(),
            neuron_bias: std::array::from_fn(|_| numbers.large()),
            last_bias: numbers.large(),
            policy: head.policy_rows().map(|[pairs, own, their, neurons, kinds]| Policy {
                pairs: (0..pairs).map(|_| numbers.small()).collect(),
                own: numbers.rows(own),
                their: numbers.rows(their),
                neurons: Neurons::new(&numbers.rows(neurons)),
                kinds: numbers.rows(kinds),
            }),
            grouping: head.grouping,
        })
    }
}

/// What the head says of the numbers after it.
#[derive(Debug)]
struct Head {
    genre: Genre,
    grouping: Grouping,
    is_packed: bool,
    has_policy: bool,
}

impl Head {
    fn parse(text: &str) -> Result<Head, NetworkError> {
        let (mut genre, mut kept, mut flags) = (None, None, [false; 4]);
        let (mut is_packed, mut has_policy) = (false, false);
        let lines = text.lines().enumerate().skip(1);
        for (index, line) in lines.filter(|(_, line)| !line.starts_with('#')) {
            let wrong = |reason: String| NetworkError::Head(index + 1, reason);
            let (key, words) = line.split_once(' ').unwrap_or((line, ""));
            match key {
                "games" => genre = Some(words.parse().map_err(wrong)?),
                "shapes" => kept = words.parse().ok(),
                "flags" => {
                    flags = Grouping::FLAGS.map(|flag| words.split(' ').any(|word| word == flag));
                }
                "packed" if words == "deflate" => is_packed = true,
                "policy" if words.is_empty() => has_policy = true,
                _ => {
                    let key: String = key.chars().take(40).collect();
                    return Err(wrong(format!("unknown key `{key}`")));
                }
            }
        }
        let missing =
            |what: &str| NetworkError::Head(1, format!("no line `{what}` that is of use"));
        let genre: Genre = genre.ok_or_else(|| missing("games"))?;
        let grouping = kept.and_then(|kept| Grouping::new(kept, flags));
        let grouping = grouping.ok_or_else(|| missing("shapes"))?;
        Ok(Head { genre, grouping, is_packed, has_policy })
    }

    /// The number of rows of cells.
    fn cells(&self) -> usize {
        self.genre.views() * self.grouping.pairs()
    }

    /// The number of rows of each part of a head for moves, if there is one.
    fn policy_rows(&self) -> Option<[usize; 5]> {
        self.has_policy.then(|| Policy::rows(self.genre, &self.grouping))
    }

    /// How long the numbers are.
    fn bytes(&self) -> usize {
        let rows = self.cells() + THREATS + COUNTS + 1;
        let small = rows * DIMENSIONS + HIDDEN * (INPUTS + 1);
        let policy = self.policy_rows().map_or(0, |[pairs, own, their, neurons, kinds]| {
            pairs + (own + their + kinds) * CONTEXT + neurons * INPUTS
        });
        2 * (small + policy) + 4 * (HIDDEN + 1)
    }
}

/// Where the empty line after the head begins.
fn head_end(bytes: &[u8]) -> usize {
    bytes.windows(2).position(|pair| pair == b"\n\n").unwrap_or(bytes.len())
}

/// Numbers that are yet to be read; beyond the end they are 0.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.0.split_first_chunk().unwrap_or((&[0; N], &[]));
        self.0 = rest;
        *bytes
    }

    fn small(&mut self) -> i16 {
        i16::from_le_bytes(self.bytes())
    }

    fn large(&mut self) -> i32 {
        i32::from_le_bytes(self.bytes())
    }

    fn row<const N: usize>(&mut self) -> [i16; N] {
        std::array::from_fn(|_| self.small())
    }

    fn rows<const N: usize>(&mut self, count: usize) -> Vec<[i16; N]> {
        (0..count).map(|_| self.row()).collect()
    }
}
