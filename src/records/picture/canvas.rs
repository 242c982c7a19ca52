//! An SVG drawing that grows. Lengths are in cells, sizes of text and of pens in pixels.

use super::{Point, escaped};
use std::fmt::Write as _;

/// The side of a cell in pixels.
pub(super) const CELL: f64 = 36.0;
/// The height of a line of text below the board.
const LINE: f64 = 22.0;
const MARGIN: f64 = 24.0;

pub(super) const PAPER: &str = "#ffffff";
pub(super) const INK: &str = "#222222";
pub(super) const FAINT: &str = "#6b6b6b";
pub(super) const WOOD: &str = "#e3bd78";
pub(super) const GRAIN: &str = "#7d5b22";
// Colors of Okabe and Ito (2008), darkened: people who see fewer colors tell them apart.
pub(super) const RED: &str = "#c64f0c";
pub(super) const GREEN: &str = "#0a7a5c";
pub(super) const BLUE: &str = "#0061a8";
pub(super) const SKY: &str = "#5cc0ff";
pub(super) const GOLD: &str = "#e0a800";
pub(super) const GRAY: &str = "#9d9d9d";

/// How text is put into a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lettering {
    /// As text, in a font of whoever shows it.
    Text,
    /// As shapes, for machines without fonts.
    #[cfg(feature = "png")]
    Shapes,
}

/// An SVG drawing that grows.
#[derive(Debug)]
pub(super) struct Canvas {
    body: String,
    /// What is left of and above the drawing, in cells.
    origin: Point,
    width: f64,
    height: f64,
    lettering: Lettering,
}

impl Canvas {
    /// A drawing with room for a box, given by its upper left and its lower right corner.
    pub(super) fn new((from, to): (Point, Point), lettering: Lettering) -> Canvas {
        let (width, height) = ((to.0 - from.0) * CELL, (to.1 - from.1) * CELL);
        Canvas { body: String::new(), origin: from, width, height, lettering }
    }

    /// A point in pixels.
    fn pixel(&self, (x, y): Point) -> (Pixels, Pixels) {
        (Pixels((x - self.origin.0) * CELL), Pixels((y - self.origin.1) * CELL))
    }

    /// A circle, whose radius is in cells. `style` has any other attributes.
    pub(super) fn circle(&mut self, at: Point, radius: f64, style: &str) {
        let ((x, y), r) = (self.pixel(at), Pixels(radius * CELL));
        let _ = writeln!(self.body, r#"<circle cx="{x}" cy="{y}" r="{r}" {style}/>"#);
    }

    pub(super) fn line(&mut self, from: Point, to: Point, style: &str) {
        let ((x1, y1), (x2, y2)) = (self.pixel(from), self.pixel(to));
        let _ = writeln!(self.body, r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>"#);
    }

    /// A square cell or more of them.
    pub(super) fn rect(&mut self, from: Point, to: Point, fill: &str) {
        let (x, y) = self.pixel(from);
        let (width, height) = (Pixels((to.0 - from.0) * CELL), Pixels((to.1 - from.1) * CELL));
        let _ = writeln!(
            self.body,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>"#
        );
    }

    /// A closed shape with corners relative to a point.
    pub(super) fn polygon(&mut self, (x, y): Point, corners: &[Point], style: &str) {
        let corner = |&(dx, dy): &Point| {
            let (x, y) = self.pixel((x + dx, y + dy));
            format!("{x},{y}")
        };
        let points: Vec<_> = corners.iter().map(corner).collect();
        let _ = writeln!(self.body, r#"<polygon points="{}" {style}/>"#, points.join(" "));
    }

    /// Text with its middle at a point.
    pub(super) fn label(&mut self, at: Point, size: f64, fill: &str, text: &str) {
        let (x, y) = self.pixel(at);
        self.text((x.0, y.0 + size * 0.35), size, fill, "middle", text);
    }

    fn text(&mut self, (x, y): (f64, f64), size: f64, fill: &str, anchor: &str, text: &str) {
        let (x, y, size) = (Pixels(x), Pixels(y), Pixels(size));
        match self.lettering {
            Lettering::Text => {
                let text = escaped(text);
                let _ = writeln!(
                    self.body,
                    r#"<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}">{text}</text>"#
                );
            }
            #[cfg(feature = "png")]
            Lettering::Shapes => {
                let (shape, width) = super::lettering::outline(text, size.0);
                let x = if anchor == "middle" { Pixels(x.0 - width / 2.0) } else { x };
                let _ = writeln!(
                    self.body,
                    r#"<path transform="translate({x} {y})" fill="{fill}" d="{shape}"/>"#
                );
            }
        }
    }

    /// Lines of text below everything.
    pub(super) fn lines(&mut self, text: &str) {
        for line in text.lines().filter(|line| !line.is_empty()) {
            self.height += LINE;
            self.text((MARGIN, self.height - LINE / 4.0), 14.0, INK, "start", line);
            // A letter of this size is at most so wide.
            self.width = self.width.max(2.0 * MARGIN + 8.0 * line.chars().count() as f64);
        }
    }

    /// Makes room below everything, and returns the middles, in cells, of a row of things there: the
    /// `number`th is `step` cells from the left.
    pub(super) fn row(&mut self) -> impl Fn(f64) -> Point + use<> {
        self.height += LINE;
        let (width, height, origin) = (self.width, self.height, self.origin);
        let x = origin.0 + (MARGIN + 9.0) / CELL;
        let y = origin.1 + (height - LINE / 2.0) / CELL;
        let last = origin.0 + (width - MARGIN) / CELL;
        move |steps| ((x + steps).min(last), y)
    }

    /// The drawing as SVG; its longer side has `size` pixels, if that is given.
    pub(super) fn finish(self, size: Option<u32>) -> String {
        let (width, height) = (self.width.ceil(), (self.height + MARGIN / 2.0).ceil());
        let scale = size.map_or(1.0, |size| f64::from(size) / width.max(height));
        let (wide, high) = ((width * scale).round(), (height * scale).round());
        let body = self.body;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{wide}\" height=\"{high}\" font-family=\"sans-serif\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n{body}</svg>\n"
        )
    }
}

/// A length in pixels, written with at most one decimal.
#[derive(Clone, Copy, Debug)]
struct Pixels(f64);

impl std::fmt::Display for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round();
        if tenths % 10.0 == 0.0 {
            write!(f, "{}", (tenths / 10.0) as i64)
        } else {
            write!(f, "{:.1}", tenths / 10.0)
        }
    }
}
