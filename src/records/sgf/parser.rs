//! Text to nodes to a game's main line.

use super::replay::SgfError;
use super::{Sgf, SgfMove, Stone};
use std::str::{Chars, FromStr};

/// A property: its letters and its values.
type Property = (String, Vec<String>);

/// ```text
/// tree     = "(" , node , { node } , { tree } , ")" ;
/// node     = ";" , { property } ;
/// property = letter , { letter } , value , { value } ;
/// value    = "[" , { character | "\" , character } , "]" ;
/// ```
/// Of several trees the first is read, and of several variations the first.
impl FromStr for Sgf {
    type Err = SgfError;

    fn from_str(text: &str) -> Result<Sgf, SgfError> {
        let mut sgf = Sgf::default();
        for (index, node) in main_line(text)?.iter().enumerate() {
            sgf.take(node, index)?;
        }
        Ok(sgf)
    }
}

/// The nodes up to the first end of a variation: each variation before has begun with its first.
fn main_line(text: &str) -> Result<Vec<Vec<Property>>, SgfError> {
    let start = text.find("(;").or_else(|| text.find('(')).ok_or(SgfError::NoTree)?;
    let mut chars = text.get(start..).unwrap_or_default().chars();
    let mut nodes: Vec<Vec<Property>> = Vec::new();
    let mut name = String::new();
    while let Some(c) = chars.next() {
        match c {
            ';' => nodes.push(Vec::new()),
            '[' => {
                let value = value(&mut chars)?;
                let node = nodes.last_mut().ok_or(SgfError::NoTree)?;
                if name.is_empty() {
                    // One more value of the same property.
                    let property = node.last_mut().ok_or(SgfError::NoTree)?;
                    property.1.push(value);
                } else {
                    node.push((std::mem::take(&mut name), vec![value]));
                }
            }
            ')' => return Ok(nodes),
            // Lower-case letters were decoration in older versions of the format.
            'A'..='Z' => name.push(c),
            _ => (),
        }
    }
    Err(SgfError::NoEnd)
}

/// The text up to the closing bracket.
fn value(chars: &mut Chars<'_>) -> Result<String, SgfError> {
    let mut text = String::new();
    while let Some(c) = chars.next() {
        match c {
            ']' => return Ok(text),
            '\\' => text.extend(chars.next()),
            _ => text.push(c),
        }
    }
    Err(SgfError::NoEnd)
}

impl Sgf {
    fn take(&mut self, node: &[Property], index: usize) -> Result<(), SgfError> {
        let mut mv = SgfMove { point: None, text: None };
        for (name, values) in node {
            let value = values.first().map_or("", |value| value.trim());
            match name.as_str() {
                "SZ" => self.size = Some(size(value)?),
                "RU" => self.rules = Some(value.to_owned()),
                "RE" => self.result = Some(value.to_owned()),
                "PL" => self.first = stone(value),
                "AB" | "AW" if self.moves.is_empty() => {
                    let color = if name == "AB" { Stone::Black } else { Stone::White };
                    for point in points(values) {
                        self.stones.push((color, point?));
                    }
                }
                "AB" | "AW" | "AE" => return Err(SgfError::Setup(index)),
                "B" => mv.point = Some((Stone::Black, value.to_owned())),
                "W" => mv.point = Some((Stone::White, value.to_owned())),
                "MT" => mv.text = Some(value.to_owned()),
                _ => (),
            }
        }
        if mv.point.is_some() || mv.text.is_some() {
            self.moves.push(mv);
        }
        Ok(())
    }
}

fn stone(text: &str) -> Option<Stone> {
    match text.chars().next()?.to_ascii_uppercase() {
        'B' | '1' => Some(Stone::Black),
        'W' | '2' => Some(Stone::White),
        _ => None,
    }
}

/// `size = natural , [ ":" , natural ] ;`
fn size(text: &str) -> Result<(u32, u32), SgfError> {
    let (columns, rows) = text.split_once(':').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse().map_err(|_| SgfError::Size(text.to_owned()));
    Ok((number(columns)?, number(rows)?))
}

/// Points and rectangles of points, `aa:cc`.
fn points(values: &[String]) -> impl Iterator<Item = Result<String, SgfError>> {
    values.iter().flat_map(|value| {
        let value = value.trim();
        match value.split_once(':') {
            None => vec![Ok(value.to_owned())],
            Some((from, to)) => rectangle(from, to).map_or_else(
                || vec![Err(SgfError::Point(value.to_owned()))],
                |all| all.into_iter().map(Ok).collect(),
            ),
        }
    })
}

fn rectangle(from: &str, to: &str) -> Option<Vec<String>> {
    let corner = |text: &str| match text.as_bytes() {
        [column @ b'a'..=b'z', row @ b'a'..=b'z'] => Some((*column, *row)),
        _ => None,
    };
    let ((left, top), (right, bottom)) = (corner(from)?, corner(to)?);
    let columns = move |row: u8| {
        (left..=right).map(move |column| [column, row].map(char::from).iter().collect())
    };
    Some((top..=bottom).flat_map(columns).collect())
}
