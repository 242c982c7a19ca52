//! Text as shapes, so that a picture needs no font of the machine: the outlines of `DejaVu` Sans.

use std::fmt::Write as _;
use std::sync::OnceLock;
use ttf_parser::{Face, OutlineBuilder};

/// The path of a text that begins at the origin, on the base line, and its width; all in the unit of
/// the size. Characters that the font lacks are left out.
pub(super) fn outline(text: &str, size: f64) -> (String, f64) {
    static FONT: OnceLock<Option<Face<'static>>> = OnceLock::new();
    let font = FONT.get_or_init(|| Face::parse(dejavu::sans::regular(), 0).ok());
    let Some(font) = font else { return (String::new(), 0.0) };
    let scale = size / f64::from(font.units_per_em());
    let mut path = Path { data: String::new(), scale, x: 0.0 };
    for glyph in text.chars().filter_map(|character| font.glyph_index(character)) {
        // A glyph without an outline is a blank.
        let _ = font.outline_glyph(glyph, &mut path);
        path.x += f64::from(font.glyph_hor_advance(glyph).unwrap_or_default()) * scale;
    }
    (path.data, path.x)
}

/// A path under way, in units of the picture: `y` grows downwards there, upwards in fonts.
struct Path {
    data: String,
    scale: f64,
    x: f64,
}

impl Path {
    fn at(&self, x: f32, y: f32) -> String {
        format!("{:.2} {:.2}", self.x + f64::from(x) * self.scale, -f64::from(y) * self.scale)
    }
}

impl OutlineBuilder for Path {
    fn move_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        let _ = write!(self.data, "M{to}");
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        let _ = write!(self.data, "L{to}");
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (by, to) = (self.at(x1, y1), self.at(x, y));
        let _ = write!(self.data, "Q{by} {to}");
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (by, and, to) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        let _ = write!(self.data, "C{by} {and} {to}");
    }

    fn close(&mut self) {
        self.data.push('Z');
    }
}
