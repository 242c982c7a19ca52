//! Boards and tables as SVG, for web pages and viewers.

use crate::picture::layout::{DrawnStone, Piece, Scene};
use crate::picture::tiles::{DrawnTile, View, stock};
use crate::picture::{CellShape, Drawing, Layout, Point, escaped};
use pentarch_core::game::Color;
use pentarch_core::rules::ColorNames;
use pentarch_engine::Game;
use std::fmt::Write as _;

/// The game as a picture in SVG: stones on their board, or tiles from above with outlines, colors
/// and levels; below it what each player has, and whose turn it is or how the game ended.
pub fn svg(game: &Game) -> String {
    Drawing { last_move: true, ..Drawing::default() }.svg(game)
}

/// Tiles from above, whether or not they are those of a game, as SVG.
pub fn tiles_svg(drawn: &[DrawnTile], palette: ColorNames) -> String {
    let Some(view) = View::new(drawn) else {
        return Canvas::new(((0.0, 0.0), (3.0, 3.0)), Lettering::Text).finish(None);
    };
    let layout = Layout::table(view.low, view.high);
    let mut canvas = Canvas::new(layout.bounds, Lettering::Text);
    tiles(&mut canvas, &view, palette);
    labels(&mut canvas, &layout);
    canvas.finish(None)
}

impl Drawing {
    /// The game as a picture in SVG.
    pub fn svg(&self, game: &Game) -> String {
        self.svg_with(game, Lettering::Text, self.size)
    }

    pub(super) fn svg_with(&self, game: &Game, lettering: Lettering, size: Option<u32>) -> String {
        let scene = Scene::new(game, self);
        let mut canvas = Canvas::new(scene.layout.bounds, lettering);
        let palette = game.rules().color_names();
        if let Some(position) = game.stacking() {
            if let Some(view) = View::new(&scene.tiles) {
                tiles(&mut canvas, &view, palette);
                last_tile(&mut canvas, &scene);
            }
            labels(&mut canvas, &scene.layout);
            overlays(&mut canvas, &scene);
            canvas.lines(&stock(position));
        } else {
            ground(&mut canvas, &scene);
            labels(&mut canvas, &scene.layout);
            stones(&mut canvas, &scene, palette);
            overlays(&mut canvas, &scene);
        }
        captions(&mut canvas, &scene, self, palette);
        canvas.finish(size)
    }
}

/// The captured stones, drawn and in words, whose turn it is, and lists.
fn captions(canvas: &mut Canvas, scene: &Scene<'_>, drawing: &Drawing, palette: ColorNames) {
    for (color, stones) in scene.prisoners.iter().filter(|(_, stones)| !stones.is_empty()) {
        let at = canvas.row();
        stone(canvas, at(0.0), 0.28, Piece::Stone(color), palette);
        canvas.label(at(0.62), 14.0, INK, ":");
        for (place, prisoner) in stones.iter().enumerate() {
            let at = at(1.1 + 0.48 * place as f64);
            match prisoner {
                Some(color) => stone(canvas, at, 0.21, Piece::Stone(*color), palette),
                None => canvas.circle(at, 0.2, &format!("fill=\"none\" stroke=\"{FAINT}\"")),
            }
        }
    }
    canvas.lines(&scene.caption(drawing));
}

/// The board without anything on it.
fn ground(canvas: &mut Canvas, scene: &Scene<'_>) {
    let layout = &scene.layout;
    if layout.shape == CellShape::Point {
        let ((left, top), (right, bottom)) = layout.bounds;
        canvas.rect((left + 0.9, top + 0.9), (right - 0.9, bottom - 0.9), WOOD);
    }
    for &(from, to) in &layout.lines {
        canvas.line(from, to, &format!("stroke=\"{GRAIN}\" stroke-width=\"1\""));
    }
    for &at in &layout.stars {
        canvas.circle(at, 0.08, &format!("class=\"star\" fill=\"{GRAIN}\""));
    }
    for &at in &layout.diamonds {
        let corners = [(0.0, -0.3), (0.3, 0.0), (0.0, 0.3), (-0.3, 0.0)];
        canvas.polygon(
            at,
            &corners,
            &format!("fill=\"none\" stroke=\"{BLUE}\" stroke-width=\"2\""),
        );
    }
    if layout.shape == CellShape::Hexagon {
        let style = format!("class=\"cell\" fill=\"{WOOD}\" stroke=\"{GRAIN}\"");
        for &(cell, at) in &layout.cells {
            canvas.polygon(at, &layout.outline, &style);
            let name = scene.game.cell_text(cell);
            canvas.label(at, 10.0, GRAIN, name.trim_start_matches(char::is_alphabetic));
        }
    }
    for &(x, y) in &scene.dead {
        let style = format!("stroke=\"{RED}\" stroke-width=\"2\"");
        canvas.line((x - 0.16, y - 0.16), (x + 0.16, y + 0.16), &style);
        canvas.line((x - 0.16, y + 0.16), (x + 0.16, y - 0.16), &style);
    }
}

/// The names of columns and rows.
fn labels(canvas: &mut Canvas, layout: &Layout) {
    for (at, name) in &layout.labels {
        canvas.label(*at, 13.0, FAINT, name);
    }
}

fn stones(canvas: &mut Canvas, scene: &Scene<'_>, palette: ColorNames) {
    let radius = if scene.layout.shape == CellShape::Hexagon { 0.4 } else { 0.45 };
    for &at in &scene.taken {
        let style =
            format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.5\" stroke-dasharray=\"4 4\"");
        canvas.circle(at, radius - 0.06, &style);
    }
    for drawn in &scene.stones {
        let has_text = drawn.number.is_some()
            || scene.marks.iter().any(|(at, text)| *at == drawn.at && !text.is_empty());
        if has_text {
            stone_for_text(canvas, drawn.at, radius, drawn.piece, palette);
        } else {
            stone(canvas, drawn.at, radius, drawn.piece, palette);
        }
        sign_of_play(canvas, drawn, palette, has_text);
    }
    for threat in &scene.threats {
        let (color, dashes) =
            if threat.is_four { (RED, "") } else { ("#2f9be8", " stroke-dasharray=\"8 5\"") };
        let style = format!(
            "class=\"threat\" stroke=\"{color}\" stroke-width=\"5\" stroke-opacity=\"0.9\" stroke-linecap=\"round\"{dashes}"
        );
        canvas.line(threat.from, threat.to, &style);
    }
}

/// The number of a stone and whether it was the last one.
fn sign_of_play(canvas: &mut Canvas, drawn: &DrawnStone, palette: ColorNames, has_text: bool) {
    let is_light = is_light(drawn.piece, palette);
    let (ink, ring) = if is_light { (INK, BLUE) } else { (PAPER, SKY) };
    let ring = if matches!(fill(drawn.piece.color(), palette), RED | GREEN) { PAPER } else { ring };
    let radius = match drawn.number {
        Some(number) => {
            canvas.label(drawn.at, if number > 99 { 12.0 } else { 15.0 }, ink, &number.to_string());
            0.38
        }
        // The ring runs around a text, or the sign of a stone that has one.
        None if has_text => 0.38,
        None if has_sign(drawn.piece, palette) => 0.36,
        None => 0.24,
    };
    if drawn.is_last {
        let style = format!("class=\"last\" fill=\"none\" stroke=\"{ring}\" stroke-width=\"3\"");
        canvas.circle(drawn.at, radius, &style);
    }
}

/// The color of a stone, or that of a stone of no color.
fn fill(color: Color, palette: ColorNames) -> &'static str {
    match palette.name(color) {
        "White" => PAPER,
        "Red" => RED,
        "Green" => GREEN,
        "Neutral" => GRAY,
        "Power" => GOLD,
        _ => INK,
    }
}

fn has_sign(piece: Piece, palette: ColorNames) -> bool {
    matches!(piece, Piece::Bomb(_)) || !matches!(fill(piece.color(), palette), PAPER | INK)
}

fn is_light(piece: Piece, palette: ColorNames) -> bool {
    matches!(fill(piece.color(), palette), PAPER | GRAY | GOLD)
}

/// A stone that a text will stand on: its sign is an outline around the text.
fn stone_for_text(canvas: &mut Canvas, at: Point, radius: f64, piece: Piece, palette: ColorNames) {
    let color = fill(piece.color(), palette);
    canvas.circle(at, radius, &format!("class=\"stone\" fill=\"{color}\" stroke=\"{INK}\""));
    let ink = if is_light(piece, palette) { INK } else { PAPER };
    let pen = format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.5\" stroke-opacity=\"0.6\"");
    // All of them touch the edge of the stone.
    let corner = |turn: f64| (turn.sin() * radius * 0.95, -turn.cos() * radius * 0.95);
    let around = |count: u8, first: f64| {
        let step = std::f64::consts::TAU / f64::from(count);
        (0..count).map(|n| corner(first + f64::from(n) * step)).collect::<Vec<_>>()
    };
    let corners = match (piece, color) {
        (Piece::Bomb(_), _) => around(8, 0.0),
        (_, RED) => around(3, 0.0),
        (_, GREEN) => around(4, std::f64::consts::FRAC_PI_4),
        (_, GOLD) => around(5, 0.0),
        (_, GRAY) => around(4, 0.0),
        _ => return,
    };
    canvas.polygon(at, &corners, &pen);
}

/// A stone. Those that are neither white nor black have a sign as well as a color.
fn stone(canvas: &mut Canvas, at: Point, radius: f64, piece: Piece, palette: ColorNames) {
    let color = fill(piece.color(), palette);
    canvas.circle(at, radius, &format!("class=\"stone\" fill=\"{color}\" stroke=\"{INK}\""));
    let r = radius * 0.42;
    let scaled =
        |corners: &[Point]| corners.iter().map(|(x, y)| (x * r, y * r)).collect::<Vec<_>>();
    let ink = if is_light(piece, palette) { INK } else { PAPER };
    let (x, y) = at;
    let pen = format!("stroke=\"{ink}\" stroke-width=\"2\"");
    match (piece, color) {
        (Piece::Bomb(_), _) => {
            for turn in 0..4 {
                let (dy, dx) = (f64::from(turn) * std::f64::consts::FRAC_PI_4).sin_cos();
                let (dx, dy) = (dx * r * 1.6, dy * r * 1.6);
                canvas.line((x - dx, y - dy), (x + dx, y + dy), &pen);
            }
            canvas.circle(at, r * 0.85, &format!("fill=\"{ink}\""));
        }
        (_, GRAY) => {
            canvas.line((x - r, y - r), (x + r, y + r), &pen);
            canvas.line((x - r, y + r), (x + r, y - r), &pen);
        }
        (_, GOLD) => {
            let star: Vec<_> = (0..10)
                .map(|n| {
                    let (sin, cos) = (f64::from(n) * std::f64::consts::PI / 5.0).sin_cos();
                    let reach = if n % 2 == 0 { 1.5 } else { 0.6 };
                    (sin * reach, -cos * reach)
                })
                .collect();
            canvas.polygon(at, &scaled(&star), &format!("fill=\"{ink}\""));
        }
        (_, RED) => {
            let triangle = [(0.0, -1.1), (1.0, 0.7), (-1.0, 0.7)];
            canvas.polygon(at, &scaled(&triangle), &format!("fill=\"{ink}\""));
        }
        (_, GREEN) => {
            let square = [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)];
            canvas.polygon(at, &scaled(&square), &format!("fill=\"{ink}\""));
        }
        _ => (),
    }
}

/// Candidates and marks.
fn overlays(canvas: &mut Canvas, scene: &Scene<'_>) {
    let is_table = scene.layout.shape == CellShape::Square;
    for (rank, (cells, value)) in scene.candidates.iter().enumerate().rev() {
        let Some(&at) = cells.first() else { continue };
        // The best one stands out.
        let (pen, ground) = if rank == 0 { (3, "#bfe3ff") } else { (1, "#e9f5ff") };
        if is_table {
            let style =
                format!("stroke=\"{BLUE}\" stroke-width=\"{}\" stroke-dasharray=\"6 4\"", pen + 1);
            around(canvas, cells, &style);
        }
        let style = format!(
            "class=\"candidate\" fill=\"{ground}\" stroke=\"{BLUE}\" stroke-width=\"{pen}\""
        );
        canvas.circle(at, 0.42, &style);
        let size = if value.chars().count() > 3 { 11.0 } else { 14.0 };
        canvas.label(at, size, INK, value);
    }
    for (at, text) in &scene.marks {
        let on_stone = scene.stones.iter().find(|stone| stone.at == *at);
        if text.is_empty() || on_stone.is_none() {
            let ground = if on_stone.is_some() || text.is_empty() { "none" } else { PAPER };
            let style =
                format!("class=\"mark\" fill=\"{ground}\" stroke=\"{RED}\" stroke-width=\"3\"");
            canvas.circle(*at, 0.36, &style);
        }
        let palette = scene.game.rules().color_names();
        let ink =
            if on_stone.is_none_or(|stone| is_light(stone.piece, palette)) { INK } else { PAPER };
        let size = [16.0, 16.0, 15.0, 12.0, 10.0][text.chars().count().min(4)];
        if !text.is_empty() {
            canvas.label(*at, size, ink, text);
        }
    }
}

/// The upper left corner of a cell of a table and the lower right one.
fn corners((x, y): Point) -> (Point, Point) {
    ((x - 0.5, y - 0.5), (x + 0.5, y + 0.5))
}

/// The outline of some cells of a table.
fn around(canvas: &mut Canvas, cells: &[Point], style: &str) {
    let has = |x: f64, y: f64| cells.iter().any(|&(a, b)| (a - x).abs() + (b - y).abs() < 0.1);
    for &(x, y) in cells {
        let ((left, top), (right, bottom)) = corners((x, y));
        let edges = [
            ((x - 1.0, y), (left, top), (left, bottom)),
            ((x + 1.0, y), (right, top), (right, bottom)),
            ((x, y - 1.0), (left, top), (right, top)),
            ((x, y + 1.0), (left, bottom), (right, bottom)),
        ];
        for ((a, b), from, to) in edges {
            if !has(a, b) {
                canvas.line(from, to, style);
            }
        }
    }
}

fn last_tile(canvas: &mut Canvas, scene: &Scene<'_>) {
    let Some(tile) = scene.last_tile.and_then(|last| scene.tiles.get(last)) else { return };
    let cells: Vec<_> = tile.cells.iter().map(|&spot| super::spot_middle(spot)).collect();
    let style = "class=\"last\" stroke=\"#e8730c\" stroke-width=\"5\" stroke-linecap=\"round\"";
    around(canvas, &cells, style);
}

/// Tiles seen from above: colors, levels and outlines.
fn tiles(canvas: &mut Canvas, view: &View<'_>, palette: ColorNames) {
    let middle = |column: i32, row: i32| (f64::from(column), -f64::from(row));
    for row in view.rows() {
        for column in view.columns() {
            let Some(index) = view.at(column, row) else { continue };
            let tile = view.tile(index);
            let is_white = palette.letter(tile.color) == 'w';
            let ((left, top), (right, bottom)) = corners(middle(column, row));
            canvas.rect((left, top), (right, bottom), &shade(is_white, tile.level));
            canvas.line((left, top), (right, top), INSIDE);
            canvas.line((left, top), (left, bottom), INSIDE);
            let ink = if is_white { INK } else { PAPER };
            canvas.label(middle(column, row), 16.0, ink, &tile.level.to_string());
        }
    }
    for row in *view.rows().start() - 1..=*view.rows().end() + 1 {
        for column in *view.columns().start()..=view.columns().end() + 1 {
            let ((left, top), (right, bottom)) = corners(middle(column, row));
            if view.line_left(column, row) {
                canvas.line((left, top), (left, bottom), OUTLINE);
            }
            if view.line_below(column, row) {
                canvas.line((left, bottom), (right, bottom), OUTLINE);
            }
        }
    }
}

const OUTLINE: &str = r##"stroke="#111111" stroke-width="3" stroke-linecap="round""##;
const INSIDE: &str = r##"stroke="#8a8a8a" stroke-width="0.5""##;

/// White tiles grow lighter with their level, black ones darker.
fn shade(is_white: bool, level: u8) -> String {
    let level = i32::from(level.min(7));
    let [red, green, blue] = if is_white {
        [186 + 9 * level, 178 + 10 * level, 160 + 12 * level]
    } else {
        [112 - 10 * level, 122 - 10 * level, 138 - 10 * level]
    };
    format!("rgb({red},{green},{blue})")
}

// An SVG drawing that grows. Lengths are in cells, sizes of text and of pens in pixels.

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
                let (shape, width) = super::png::outline(text, size.0);
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
