//! The file format of weights and networks.
//!
//! A file begins with lines of text: [`FORMAT`], then `key value` fields, `tensor NAME TYPE LENGTH` for each
//! list of numbers, and remarks after `# `. An empty line ends this header. The rest is the numbers of all
//! tensors in the order of their lines, little-endian, compressed with raw DEFLATE (RFC 1951).

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use std::fmt::Write as _;

/// The first line of a file. The number changes when files of the previous version can no longer be read.
const FORMAT: &str = "pentarch evaluation 2";
/// The DEFLATE level, of 10.
const COMPRESSION_LEVEL: u8 = 9;
/// The most bytes that the numbers of a file may take once decompressed.
const MAX_NUMBER_BYTES: usize = 64 << 20;

/// Why bytes are not an evaluation file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The file is of another version, or of another kind altogether.
    #[error(
        "expected the first line `{FORMAT}`, found `{0}`; files of other versions cannot be read"
    )]
    Version(String),
    /// A line of the header is malformed.
    #[error("line {line}: {reason}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A field is missing or unknown, or has a bad value.
    #[error("field `{field}`: {reason}")]
    Field {
        /// The key of the field.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A tensor is missing or unknown, or has the wrong type or length.
    #[error("tensor `{tensor}`: {reason}")]
    Tensor {
        /// The name of the tensor.
        tensor: String,
        /// What is wrong with it.
        reason: String,
    },
    /// There are fewer bytes than the tensors take.
    #[error("expected {expected} bytes of numbers after the header, found {found}")]
    Length {
        /// The bytes that the tensors of the header take.
        expected: usize,
        /// The bytes found.
        found: usize,
    },
    /// The numbers cannot be decompressed.
    #[error("the numbers cannot be decompressed: the file is truncated or damaged")]
    Compression,
}

/// The contents of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct TensorFile {
    fields: Vec<(String, String)>,
    tensors: Vec<(String, Tensor)>,
    /// How the numbers were made, a line each.
    pub remarks: Vec<String>,
}

#[derive(Clone, Debug)]
enum Tensor {
    I16(Vec<i16>),
    I32(Vec<i32>),
}

impl TensorFile {
    /// An empty file of a kind, with remarks on how its numbers were made, a line each.
    pub(super) fn new(kind: &str, remarks: &[String]) -> TensorFile {
        let mut file = TensorFile { remarks: remarks.to_vec(), ..TensorFile::default() };
        file.add_field("kind", kind);
        file
    }

    /// Adds a field. Neither part has a line break, and the key has no space.
    pub(super) fn add_field(&mut self, key: &str, value: &str) {
        self.fields.push((key.to_owned(), value.to_owned()));
    }

    pub(super) fn add_i16(&mut self, name: &str, numbers: impl IntoIterator<Item = i16>) {
        self.tensors.push((name.to_owned(), Tensor::I16(numbers.into_iter().collect())));
    }

    pub(super) fn add_i32(&mut self, name: &str, numbers: impl IntoIterator<Item = i32>) {
        self.tensors.push((name.to_owned(), Tensor::I32(numbers.into_iter().collect())));
    }

    /// Removes a field and returns its value.
    pub(super) fn take_field(&mut self, key: &str) -> Result<String, FormatError> {
        let index = self.fields.iter().position(|(known, _)| known == key);
        let index = index.ok_or_else(|| field_error(key, "missing"))?;
        Ok(self.fields.remove(index).1)
    }

    pub(super) fn has_tensor(&self, name: &str) -> bool {
        self.tensors.iter().any(|(known, _)| known == name)
    }

    /// Removes a tensor of that many numbers and returns them.
    pub(super) fn take_i16(&mut self, name: &str, length: usize) -> Result<Vec<i16>, FormatError> {
        match self.take_tensor(name)? {
            Tensor::I16(numbers) => checked(name, numbers, length),
            Tensor::I32(_) => Err(tensor_error(name, "expected i16, found i32")),
        }
    }

    /// Removes a tensor of that many numbers and returns them.
    pub(super) fn take_i32(&mut self, name: &str, length: usize) -> Result<Vec<i32>, FormatError> {
        match self.take_tensor(name)? {
            Tensor::I32(numbers) => checked(name, numbers, length),
            Tensor::I16(_) => Err(tensor_error(name, "expected i32, found i16")),
        }
    }

    /// Removes a tensor of that many rows and returns them.
    pub(super) fn take_rows<const N: usize>(
        &mut self,
        name: &str,
        rows: usize,
    ) -> Result<Vec<[i16; N]>, FormatError> {
        let numbers = self.take_i16(name, rows * N)?;
        Ok(numbers.as_chunks().0.to_vec())
    }

    fn take_tensor(&mut self, name: &str) -> Result<Tensor, FormatError> {
        let index = self.tensors.iter().position(|(known, _)| known == name);
        let index = index.ok_or_else(|| tensor_error(name, "missing"))?;
        Ok(self.tensors.remove(index).1)
    }

    /// Checks that every field and tensor has been taken.
    pub(super) fn finish(&self) -> Result<(), FormatError> {
        if let Some((key, _)) = self.fields.first() {
            return Err(field_error(key, "unknown"));
        }
        self.tensors.first().map_or(Ok(()), |(name, _)| Err(tensor_error(name, "unknown")))
    }

    /// The bytes of the file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut header = format!("{FORMAT}\n");
        let mut numbers = Vec::new();
        for (key, value) in &self.fields {
            let _ = writeln!(header, "{key} {value}");
        }
        for (name, tensor) in &self.tensors {
            let (number_type, length) = match tensor {
                Tensor::I16(tensor) => {
                    numbers.extend(tensor.iter().flat_map(|number| number.to_le_bytes()));
                    ("i16", tensor.len())
                }
                Tensor::I32(tensor) => {
                    numbers.extend(tensor.iter().flat_map(|number| number.to_le_bytes()));
                    ("i32", tensor.len())
                }
            };
            let _ = writeln!(header, "tensor {name} {number_type} {length}");
        }
        for remark in &self.remarks {
            let _ = writeln!(header, "# {}", remark.replace('\n', " "));
        }
        header.push('\n');
        let mut bytes = header.into_bytes();
        bytes.extend(compress_to_vec(&numbers, COMPRESSION_LEVEL));
        bytes
    }

    /// Reads a file.
    pub(super) fn parse(bytes: &[u8]) -> Result<TensorFile, FormatError> {
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap_or(bytes.len());
        let header = String::from_utf8_lossy(&bytes[..end]);
        let mut lines = header.lines().enumerate();
        let first = lines.next().map_or("", |(_, line)| line);
        if first != FORMAT {
            return Err(FormatError::Version(short(first)));
        }
        let mut file = TensorFile::default();
        let mut shapes = Vec::new();
        for (index, line) in lines {
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            match key {
                "#" => file.remarks.push(value.to_owned()),
                "tensor" => shapes.push(TensorShape::parse(value).ok_or_else(|| {
                    let reason =
                        format!("expected `tensor NAME TYPE LENGTH`, found `{}`", short(line));
                    FormatError::Line { line: index + 1, reason }
                })?),
                _ => file.fields.push((short(key), value.to_owned())),
            }
        }
        let expected = shapes.iter().try_fold(0, |sum: usize, shape| {
            sum.checked_add(shape.bytes()?).filter(|&sum| sum <= MAX_NUMBER_BYTES)
        });
        let expected = expected.ok_or_else(|| {
            tensor_error("all", &format!("more than {} MiB in all", MAX_NUMBER_BYTES >> 20))
        })?;
        let compressed = bytes.get(end + 2..).unwrap_or_default();
        let numbers = decompress_to_vec_with_limit(compressed, expected)
            .map_err(|_| FormatError::Compression)?;
        if numbers.len() != expected {
            return Err(FormatError::Length { expected, found: numbers.len() });
        }
        let mut rest = &numbers[..];
        for shape in shapes {
            let (numbers, others) = rest.split_at(shape.bytes().unwrap_or_default());
            let tensor = if shape.is_wide {
                let (words, _) = numbers.as_chunks();
                Tensor::I32(words.iter().map(|&word| i32::from_le_bytes(word)).collect())
            } else {
                let (words, _) = numbers.as_chunks();
                Tensor::I16(words.iter().map(|&word| i16::from_le_bytes(word)).collect())
            };
            file.tensors.push((shape.name, tensor));
            rest = others;
        }
        Ok(file)
    }
}

/// A tensor line of a header.
struct TensorShape {
    name: String,
    /// Whether the numbers are `i32` instead of `i16`.
    is_wide: bool,
    length: usize,
}

impl TensorShape {
    fn parse(text: &str) -> Option<TensorShape> {
        let mut words = text.split(' ');
        let name = short(words.next()?);
        let is_wide = match words.next()? {
            "i16" => false,
            "i32" => true,
            _ => return None,
        };
        let length = words.next()?.parse().ok()?;
        words.next().is_none().then_some(TensorShape { name, is_wide, length })
    }

    fn bytes(&self) -> Option<usize> {
        self.length.checked_mul(if self.is_wide { 4 } else { 2 })
    }
}

fn checked<T>(name: &str, numbers: Vec<T>, length: usize) -> Result<Vec<T>, FormatError> {
    if numbers.len() == length {
        Ok(numbers)
    } else {
        Err(tensor_error(name, &format!("expected {length} numbers, found {}", numbers.len())))
    }
}

/// The error of a field.
pub(super) fn field_error(field: &str, reason: &str) -> FormatError {
    FormatError::Field { field: field.to_owned(), reason: reason.to_owned() }
}

fn tensor_error(tensor: &str, reason: &str) -> FormatError {
    FormatError::Tensor { tensor: tensor.to_owned(), reason: reason.to_owned() }
}

/// The beginning of a text, as much as an error message quotes.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> TensorFile {
        let mut file = TensorFile::new("example", &["made\nby hand".to_owned()]);
        file.add_i16("short", [1, -2, i16::MIN, i16::MAX]);
        file.add_i32("long", [i32::MIN, 7]);
        file
    }

    #[test]
    fn contents_survive_a_round_trip() {
        let mut read = TensorFile::parse(&example().to_bytes()).unwrap();
        assert_eq!(read.remarks, ["made by hand"]);
        assert_eq!(read.take_field("kind").unwrap(), "example");
        assert_eq!(read.take_rows("short", 2).unwrap(), [[1, -2], [i16::MIN, i16::MAX]]);
        assert_eq!(read.take_i32("long", 2).unwrap(), [i32::MIN, 7]);
        assert_eq!(read.finish(), Ok(()));
    }

    #[test]
    fn bad_bytes_are_refused_with_the_reason() {
        let bytes = example().to_bytes();
        let refused = |bytes: &[u8]| TensorFile::parse(bytes).unwrap_err().to_string();
        assert!(refused(b"").contains("expected the first line"));
        assert!(refused(b"pentarch network 1\ngames lines\n\nxx").contains("`pentarch network 1`"));
        assert!(refused(b"games lines\ncell 1000 1 2 3 4\n").contains("other versions"));
        assert!(refused(&bytes[..bytes.len() - 1]).contains("cannot be decompressed"));
        let changed = |from: &str, to: &str| {
            let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
            let text = String::from_utf8_lossy(&bytes[..end]).replacen(from, to, 1);
            refused(&[text.as_bytes(), &bytes[end..]].concat())
        };
        assert!(changed("i16 4", "i16 5").contains("expected 18 bytes of numbers"));
        assert!(changed("i16 4", "i16 3").contains("cannot be decompressed"));
        assert!(changed("i16 4", "i64 4").contains("line 3: expected `tensor"));
        assert!(changed("i16 4", "i16 99999999999").contains("more than 64 MiB"));
    }

    #[test]
    fn fields_and_tensors_must_be_known_and_of_the_right_length() {
        let mut file = example();
        let text = |error: FormatError| error.to_string();
        assert_eq!(text(file.take_field("games").unwrap_err()), "field `games`: missing");
        assert_eq!(text(file.take_i16("gone", 1).unwrap_err()), "tensor `gone`: missing");
        assert_eq!(text(file.finish().unwrap_err()), "field `kind`: unknown");
        file.take_field("kind").unwrap();
        assert_eq!(text(file.finish().unwrap_err()), "tensor `short`: unknown");
        let wrong = file.take_i16("short", 5).unwrap_err();
        assert_eq!(text(wrong), "tensor `short`: expected 5 numbers, found 4");
        let wrong = file.take_i16("long", 2).unwrap_err();
        assert_eq!(text(wrong), "tensor `long`: expected i16, found i32");
    }
}
