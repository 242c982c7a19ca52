//! Pictures as PNG.

use super::Drawing;
use super::canvas::Lettering;
use pentarch_engine::Game;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Why a picture cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw a picture of {width}x{height} pixels: {reason}; ask for a smaller one")]
pub struct PngError {
    width: u32,
    height: u32,
    reason: String,
}

impl Drawing {
    /// The longest side of a PNG in pixels.
    pub const MOST_PIXELS: u32 = 4096;

    /// The game as a picture in PNG, no longer than [`Drawing::MOST_PIXELS`] on a side.
    pub fn png(&self, game: &Game) -> Result<Vec<u8>, PngError> {
        let svg = self.svg_with(game, Lettering::Shapes, None);
        let failed = |width, height| move |reason: String| PngError { width, height, reason };
        let tree = Tree::from_str(&svg, &Options::default());
        let tree = tree.map_err(|error| failed(0, 0)(error.to_string()))?;
        let (width, height) = (tree.size().width(), tree.size().height());
        let longest = width.max(height);
        let wanted = self.size.map_or(longest, |size| size as f32);
        let scale = wanted.min(Drawing::MOST_PIXELS as f32) / longest;
        let pixels = |length: f32| ((length * scale).round() as u32).max(1);
        let (wide, high) = (pixels(width), pixels(height));
        let mut pixmap = Pixmap::new(wide, high)
            .ok_or_else(|| failed(wide, high)("there is no memory".to_owned()))?;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
        pixmap.encode_png().map_err(|error| failed(wide, high)(error.to_string()))
    }
}
