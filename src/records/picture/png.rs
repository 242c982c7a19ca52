//! Pictures as PNG. Text is drawn as the outlines of `DejaVu` Sans, so that a picture does not depend on
//! the fonts of the machine.

use super::PictureOptions;
use super::svg::TextMode;
use pentarch_engine::Game;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::fmt::Write as _;
use std::sync::OnceLock;
use ttf_parser::{Face, OutlineBuilder};

/// Returns the SVG path of a text that begins at the origin, on the base line, and its width, both
/// in the unit of `size`. Characters that the font lacks are left out.
pub(super) fn text_path(text: &str, size: f64) -> (String, f64) {
    static FONT: OnceLock<Option<Face<'static>>> = OnceLock::new();
    let font = FONT.get_or_init(|| Face::parse(dejavu::sans::regular(), 0).ok());
    let Some(font) = font else { return (String::new(), 0.0) };
    let scale = size / f64::from(font.units_per_em());
    let mut path = PathBuilder { data: String::new(), scale, x: 0.0 };
    for glyph in text.chars().filter_map(|character| font.glyph_index(character)) {
        // A glyph without an outline is a space.
        let _ = font.outline_glyph(glyph, &mut path);
        path.x += f64::from(font.glyph_hor_advance(glyph).unwrap_or_default()) * scale;
    }
    (path.data, path.x)
}

/// An SVG path under construction. `y` grows downward in the picture and upward in the font.
struct PathBuilder {
    data: String,
    scale: f64,
    x: f64,
}

impl PathBuilder {
    fn at(&self, x: f32, y: f32) -> String {
        format!("{:.2} {:.2}", self.x + f64::from(x) * self.scale, -f64::from(y) * self.scale)
    }
}

impl OutlineBuilder for PathBuilder {
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

/// Why a PNG cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw a picture of {width}x{height} pixels: {reason}; ask for a smaller one")]
pub struct PngError {
    width: u32,
    height: u32,
    reason: String,
}

impl PictureOptions {
    /// The maximum length of a side of a PNG in pixels.
    pub const MAX_PIXELS: u32 = 4096;

    /// Draws the game as PNG, at most [`PictureOptions::MAX_PIXELS`] on a side.
    pub fn png(&self, game: &Game) -> Result<Vec<u8>, PngError> {
        let svg = self.svg_with(game, TextMode::Paths, None);
        let failed = |width, height| move |reason: String| PngError { width, height, reason };
        let tree = Tree::from_str(&svg, &Options::default());
        let tree = tree.map_err(|error| failed(0, 0)(error.to_string()))?;
        let (width, height) = (tree.size().width(), tree.size().height());
        let longest = width.max(height);
        let wanted = self.size.map_or(longest, |size| size as f32);
        let scale = wanted.min(PictureOptions::MAX_PIXELS as f32) / longest;
        let pixels = |length: f32| ((length * scale).round() as u32).max(1);
        let (wide, high) = (pixels(width), pixels(height));
        let mut pixmap = Pixmap::new(wide, high)
            .ok_or_else(|| failed(wide, high)("out of memory".to_owned()))?;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
        pixmap.encode_png().map_err(|error| failed(wide, high)(error.to_string()))
    }
}
