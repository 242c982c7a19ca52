//! Networks in files: lines of text that say what is there and how it was made, an empty line, then
//! the numbers, two or four bytes each with the lowest first, deflated where the head says `packed`.

use super::{COUNTS, DIMENSIONS, Genre, Grouping, HIDDEN, INPUTS, Network, Row, THREATS};
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

/// What the flags of a grouping are called.
const FLAGS: [&str; 3] = ["captures", "attacks", "exposes"];

impl Network {
    /// Whether bytes begin as a network does.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// The file, with remarks on how it was made, a line each.
    pub fn to_bytes(&self, remarks: &[String]) -> Vec<u8> {
        let mut head =
            format!("{MAGIC}\ngames {}\nshapes {}\nflags", self.genre, self.grouping.kept());
        for (name, _) in FLAGS.iter().zip(self.grouping.flags()).filter(|(_, flag)| *flag) {
            let _ = write!(head, " {name}");
        }
        head.push_str("\npacked deflate\n");
        for remark in remarks {
            let _ = writeln!(head, "# {}", remark.replace('\n', " "));
        }
        head.push('\n');
        let rows = self.cells.iter().chain(&self.threats).chain(&self.counts).chain([&self.bias]);
        let small = rows.flatten().chain(self.neurons.iter().flatten()).chain(&self.last);
        let mut numbers: Vec<u8> = small.flat_map(|number| number.to_le_bytes()).collect();
        let large = self.neuron_bias.iter().chain([&self.last_bias]);
        numbers.extend(large.flat_map(|number| number.to_le_bytes()));
        let mut bytes = head.into_bytes();
        bytes.extend(compress_to_vec(&numbers, PACKING));
        bytes
    }

    /// Reads a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !Network::begins(bytes) {
            return Err(NetworkError::Magic);
        }
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]);
        let (mut genre, mut kept, mut flags, mut packed) = (None, None, [false; 3], false);
        let lines = head.lines().enumerate().skip(1);
        for (index, line) in lines.filter(|(_, line)| !line.starts_with('#')) {
            let wrong = |reason: String| NetworkError::Head(index + 1, reason);
            let (key, words) = line.split_once(' ').unwrap_or((line, ""));
            match key {
                "games" => genre = Some(words.parse().map_err(wrong)?),
                "shapes" => kept = words.parse().ok(),
                "flags" => flags = FLAGS.map(|flag| words.split(' ').any(|word| word == flag)),
                "packed" if words == "deflate" => packed = true,
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
        let cells = genre.views() * grouping.count() * grouping.count();
        let rows = cells + THREATS + COUNTS + 1;
        let expected = 2 * (rows * DIMENSIONS + HIDDEN * (INPUTS + 1)) + 4 * (HIDDEN + 1);
        let mut numbers = Cow::Borrowed(bytes.get(end + 2..).unwrap_or_default());
        if packed {
            let unpacked = decompress_to_vec_with_limit(&numbers, expected);
            numbers = Cow::Owned(unpacked.map_err(|_| NetworkError::Packed)?);
        }
        let found = numbers.len();
        if found != expected {
            return Err(NetworkError::Length { expected, found });
        }
        let mut numbers = Numbers(&numbers);
        Ok(Network {
            genre,
            cells: numbers.rows(cells),
            threats: numbers.rows(THREATS),
            counts: numbers.rows(COUNTS),
            bias: numbers.row(),
            neurons: (0..HIDDEN).map(|_| std::array::from_fn(|_| numbers.small())).collect(),
            last: std::array::from_fn(|_| numbers.small()),
            neuron_bias: std::array::from_fn(|_| numbers.large()),
            last_bias: numbers.large(),
            grouping,
        })
    }
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

    fn row(&mut self) -> Row {
        std::array::from_fn(|_| self.small())
    }

    fn rows(&mut self, count: usize) -> Vec<Row> {
        (0..count).map(|_| self.row()).collect()
    }
}
