//! Boards and tables as SVG.

use crate::picture::layout::{DrawnStone, Piece, Scene};
use crate::picture::tiles::{DrawnTile, TopView, tile_counts};
use crate::picture::{BoardLayout, CellShape, PictureOptions, PicturePoint};
use crate::sanitize::escape_markup;
use pentarch_core::game::Color;
use pentarch_core::rules::ColorNames;
use pentarch_engine::Game;
use std::fmt::Write as _;

/// Draws a game as SVG: the board with its stones, or the tiles from above with outlines, colors
/// and levels; below it the captures or tiles of each player, and the seat to move or the result.
pub fn svg(game: &Game) -> String {
    PictureOptions { last_move: true, ..PictureOptions::default() }.svg(game)
}

/// Draws tiles from above as SVG. They need not be those of a game.
pub fn tiles_svg(drawn: &[DrawnTile], palette: ColorNames) -> String {
    let Some(view) = TopView::new(drawn) else {
        return SvgImage::new(((0.0, 0.0), (3.0, 3.0)), TextMode::Text).finish(None);
    };
    let layout = BoardLayout::table(view.low, view.high);
    let mut image = SvgImage::new(layout.bounds, TextMode::Text);
    draw_tiles(&mut image, &view, palette);
    draw_labels(&mut image, &layout);
    image.finish(None)
}

impl PictureOptions {
    /// Draws the game as SVG.
    pub fn svg(&self, game: &Game) -> String {
        self.svg_with(game, TextMode::Text, self.size)
    }

    pub(super) fn svg_with(&self, game: &Game, text_mode: TextMode, size: Option<u32>) -> String {
        let scene = Scene::new(game, self);
        let mut image = SvgImage::new(scene.layout.bounds, text_mode);
        let palette = game.rules().color_names();
        if let Some(position) = game.stacking() {
            if let Some(view) = TopView::new(&scene.tiles) {
                draw_tiles(&mut image, &view, palette);
                draw_last_tile(&mut image, &scene);
            }
            draw_labels(&mut image, &scene.layout);
            draw_overlays(&mut image, &scene);
            image.lines(&tile_counts(position));
        } else {
            draw_board(&mut image, &scene);
            draw_labels(&mut image, &scene.layout);
            draw_stones(&mut image, &scene, palette);
            draw_overlays(&mut image, &scene);
        }
        draw_captions(&mut image, &scene, self, palette);
        image.finish(size)
    }
}

/// Draws the captured stones and writes the text below the board.
fn draw_captions(
    image: &mut SvgImage,
    scene: &Scene<'_>,
    options: &PictureOptions,
    palette: ColorNames,
) {
    for (color, stones) in scene.prisoners.iter().filter(|(_, stones)| !stones.is_empty()) {
        let at = image.row();
        draw_stone(image, at(0.0), 0.28, Piece::Stone(color), palette);
        image.label(at(0.62), 14.0, INK, ":");
        for (place, prisoner) in stones.iter().enumerate() {
            let at = at(1.1 + 0.48 * place as f64);
            match prisoner {
                Some(color) => draw_stone(image, at, 0.21, Piece::Stone(*color), palette),
                None => image.circle(at, 0.2, &format!("fill=\"none\" stroke=\"{FAINT}\"")),
            }
        }
    }
    image.lines(&scene.caption(options));
}

/// Draws the empty board.
fn draw_board(image: &mut SvgImage, scene: &Scene<'_>) {
    let layout = &scene.layout;
    if layout.shape == CellShape::Point {
        let ((left, top), (right, bottom)) = layout.bounds;
        image.rect((left + 0.9, top + 0.9), (right - 0.9, bottom - 0.9), WOOD);
    }
    for &(from, to) in &layout.lines {
        image.line(from, to, &format!("stroke=\"{GRAIN}\" stroke-width=\"1\""));
    }
    for &at in &layout.stars {
        image.circle(at, 0.08, &format!("class=\"star\" fill=\"{GRAIN}\""));
    }
    for &at in &layout.diamonds {
        let corners = [(0.0, -0.3), (0.3, 0.0), (0.0, 0.3), (-0.3, 0.0)];
        image.polygon(at, &corners, &format!("fill=\"none\" stroke=\"{BLUE}\" stroke-width=\"2\""));
    }
    if layout.shape == CellShape::Hexagon {
        let style = format!("class=\"cell\" fill=\"{WOOD}\" stroke=\"{GRAIN}\"");
        for &(cell, at) in &layout.cells {
            image.polygon(at, &layout.outline, &style);
            let name = scene.game.cell_text(cell);
            image.label(at, 10.0, GRAIN, name.trim_start_matches(char::is_alphabetic));
        }
    }
    for &(x, y) in &scene.illegal_points {
        let style = format!("stroke=\"{RED}\" stroke-width=\"2\"");
        image.line((x - 0.16, y - 0.16), (x + 0.16, y + 0.16), &style);
        image.line((x - 0.16, y + 0.16), (x + 0.16, y - 0.16), &style);
    }
}

/// Draws the names of columns and rows.
fn draw_labels(image: &mut SvgImage, layout: &BoardLayout) {
    for (at, name) in &layout.labels {
        image.label(*at, 13.0, FAINT, name);
    }
}

fn draw_stones(image: &mut SvgImage, scene: &Scene<'_>, palette: ColorNames) {
    let radius = if scene.layout.shape == CellShape::Hexagon { 0.4 } else { 0.45 };
    for &at in &scene.captured {
        let style =
            format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.5\" stroke-dasharray=\"4 4\"");
        image.circle(at, radius - 0.06, &style);
    }
    for drawn in &scene.stones {
        let has_text = drawn.number.is_some()
            || scene.marks.iter().any(|(at, text)| *at == drawn.at && !text.is_empty());
        if has_text {
            draw_stone_with_text(image, drawn.at, radius, drawn.piece, palette);
        } else {
            draw_stone(image, drawn.at, radius, drawn.piece, palette);
        }
        draw_number_and_ring(image, drawn, palette, has_text);
    }
    for threat in &scene.threats {
        let (color, dashes) =
            if threat.is_four { (RED, "") } else { ("#2f9be8", " stroke-dasharray=\"8 5\"") };
        let style = format!(
            "class=\"threat\" stroke=\"{color}\" stroke-width=\"5\" stroke-opacity=\"0.9\" stroke-linecap=\"round\"{dashes}"
        );
        image.line(threat.from, threat.to, &style);
    }
}

/// Draws the number of a stone, and a ring if the last move placed it.
fn draw_number_and_ring(
    image: &mut SvgImage,
    drawn: &DrawnStone,
    palette: ColorNames,
    has_text: bool,
) {
    let is_light = is_light(drawn.piece, palette);
    let (ink, ring) = if is_light { (INK, BLUE) } else { (PAPER, SKY) };
    let ring =
        if matches!(fill_color(drawn.piece.color(), palette), RED | GREEN) { PAPER } else { ring };
    let radius = match drawn.number {
        Some(number) => {
            image.label(drawn.at, if number > 99 { 12.0 } else { 15.0 }, ink, &number.to_string());
            0.38
        }
        // The ring is around the text or the symbol of the stone.
        None if has_text => 0.38,
        None if has_symbol(drawn.piece, palette) => 0.36,
        None => 0.24,
    };
    if drawn.is_last {
        let style = format!("class=\"last\" fill=\"none\" stroke=\"{ring}\" stroke-width=\"3\"");
        image.circle(drawn.at, radius, &style);
    }
}

/// The fill color of a stone.
fn fill_color(color: Color, palette: ColorNames) -> &'static str {
    match palette.name(color) {
        "White" => PAPER,
        "Red" => RED,
        "Green" => GREEN,
        "Neutral" => GRAY,
        "Power" => GOLD,
        _ => INK,
    }
}

fn has_symbol(piece: Piece, palette: ColorNames) -> bool {
    matches!(piece, Piece::Bomb(_)) || !matches!(fill_color(piece.color(), palette), PAPER | INK)
}

fn is_light(piece: Piece, palette: ColorNames) -> bool {
    matches!(fill_color(piece.color(), palette), PAPER | GRAY | GOLD)
}

/// Draws a stone that will have a text. Its symbol is an outline around the text.
fn draw_stone_with_text(
    image: &mut SvgImage,
    at: PicturePoint,
    radius: f64,
    piece: Piece,
    palette: ColorNames,
) {
    let color = fill_color(piece.color(), palette);
    image.circle(at, radius, &format!("class=\"stone\" fill=\"{color}\" stroke=\"{INK}\""));
    let ink = if is_light(piece, palette) { INK } else { PAPER };
    let pen = format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.5\" stroke-opacity=\"0.6\"");
    // The corners touch the edge of the stone.
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
    image.polygon(at, &corners, &pen);
}

/// Draws a stone. A stone that is neither white nor black has a symbol in addition to its color.
fn draw_stone(
    image: &mut SvgImage,
    at: PicturePoint,
    radius: f64,
    piece: Piece,
    palette: ColorNames,
) {
    let color = fill_color(piece.color(), palette);
    image.circle(at, radius, &format!("class=\"stone\" fill=\"{color}\" stroke=\"{INK}\""));
    let r = radius * 0.42;
    let scaled =
        |corners: &[PicturePoint]| corners.iter().map(|(x, y)| (x * r, y * r)).collect::<Vec<_>>();
    let ink = if is_light(piece, palette) { INK } else { PAPER };
    let (x, y) = at;
    let pen = format!("stroke=\"{ink}\" stroke-width=\"2\"");
    match (piece, color) {
        (Piece::Bomb(_), _) => {
            for turn in 0..4 {
                let (dy, dx) = (f64::from(turn) * std::f64::consts::FRAC_PI_4).sin_cos();
                let (dx, dy) = (dx * r * 1.6, dy * r * 1.6);
                image.line((x - dx, y - dy), (x + dx, y + dy), &pen);
            }
            image.circle(at, r * 0.85, &format!("fill=\"{ink}\""));
        }
        (_, GRAY) => {
            image.line((x - r, y - r), (x + r, y + r), &pen);
            image.line((x - r, y + r), (x + r, y - r), &pen);
        }
        (_, GOLD) => {
            let star: Vec<_> = (0..10)
                .map(|n| {
                    let (sin, cos) = (f64::from(n) * std::f64::consts::PI / 5.0).sin_cos();
                    let reach = if n % 2 == 0 { 1.5 } else { 0.6 };
                    (sin * reach, -cos * reach)
                })
                .collect();
            image.polygon(at, &scaled(&star), &format!("fill=\"{ink}\""));
        }
        (_, RED) => {
            let triangle = [(0.0, -1.1), (1.0, 0.7), (-1.0, 0.7)];
            image.polygon(at, &scaled(&triangle), &format!("fill=\"{ink}\""));
        }
        (_, GREEN) => {
            let square = [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)];
            image.polygon(at, &scaled(&square), &format!("fill=\"{ink}\""));
        }
        _ => (),
    }
}

/// Draws candidates and marks.
fn draw_overlays(image: &mut SvgImage, scene: &Scene<'_>) {
    let is_table = scene.layout.shape == CellShape::Square;
    for (rank, (cells, value)) in scene.candidates.iter().enumerate().rev() {
        let Some(&at) = cells.first() else { continue };
        // The best candidate is emphasized.
        let (pen, ground) = if rank == 0 { (3, "#bfe3ff") } else { (1, "#e9f5ff") };
        if is_table {
            let style =
                format!("stroke=\"{BLUE}\" stroke-width=\"{}\" stroke-dasharray=\"6 4\"", pen + 1);
            draw_outline(image, cells, &style);
        }
        let style = format!(
            "class=\"candidate\" fill=\"{ground}\" stroke=\"{BLUE}\" stroke-width=\"{pen}\""
        );
        image.circle(at, 0.42, &style);
        let size = if value.chars().count() > 3 { 11.0 } else { 14.0 };
        image.label(at, size, INK, value);
    }
    for (at, text) in &scene.marks {
        let on_stone = scene.stones.iter().find(|stone| stone.at == *at);
        if text.is_empty() || on_stone.is_none() {
            let ground = if on_stone.is_some() || text.is_empty() { "none" } else { PAPER };
            let style =
                format!("class=\"mark\" fill=\"{ground}\" stroke=\"{RED}\" stroke-width=\"3\"");
            image.circle(*at, 0.36, &style);
        }
        let palette = scene.game.rules().color_names();
        let ink =
            if on_stone.is_none_or(|stone| is_light(stone.piece, palette)) { INK } else { PAPER };
        let size = [16.0, 16.0, 15.0, 12.0, 10.0][text.chars().count().min(4)];
        if !text.is_empty() {
            image.label(*at, size, ink, text);
        }
    }
}

/// Returns the upper left and the lower right corner of a cell of a table.
fn corners((x, y): PicturePoint) -> (PicturePoint, PicturePoint) {
    ((x - 0.5, y - 0.5), (x + 0.5, y + 0.5))
}

/// Draws the outline of some cells of a table.
fn draw_outline(image: &mut SvgImage, cells: &[PicturePoint], style: &str) {
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
                image.line(from, to, style);
            }
        }
    }
}

fn draw_last_tile(image: &mut SvgImage, scene: &Scene<'_>) {
    let Some(tile) = scene.last_tile.and_then(|last| scene.tiles.get(last)) else { return };
    let cells: Vec<_> = tile.cells.iter().map(|&spot| super::spot_center(spot)).collect();
    let style = "class=\"last\" stroke=\"#e8730c\" stroke-width=\"5\" stroke-linecap=\"round\"";
    draw_outline(image, &cells, style);
}

/// Draws tiles from above: colors, levels and outlines.
fn draw_tiles(image: &mut SvgImage, view: &TopView<'_>, palette: ColorNames) {
    let center = |column: i32, row: i32| (f64::from(column), -f64::from(row));
    for row in view.rows() {
        for column in view.columns() {
            let Some(index) = view.at(column, row) else { continue };
            let tile = view.tile(index);
            let is_white = palette.letter(tile.color) == 'w';
            let ((left, top), (right, bottom)) = corners(center(column, row));
            image.rect((left, top), (right, bottom), &shade(is_white, tile.level));
            image.line((left, top), (right, top), CELL_LINE);
            image.line((left, top), (left, bottom), CELL_LINE);
            let ink = if is_white { INK } else { PAPER };
            image.label(center(column, row), 16.0, ink, &tile.level.to_string());
        }
    }
    for row in *view.rows().start() - 1..=*view.rows().end() + 1 {
        for column in *view.columns().start()..=view.columns().end() + 1 {
            let ((left, top), (right, bottom)) = corners(center(column, row));
            if view.line_left(column, row) {
                image.line((left, top), (left, bottom), TILE_OUTLINE);
            }
            if view.line_below(column, row) {
                image.line((left, bottom), (right, bottom), TILE_OUTLINE);
            }
        }
    }
}

const TILE_OUTLINE: &str = r##"stroke="#111111" stroke-width="3" stroke-linecap="round""##;
const CELL_LINE: &str = r##"stroke="#8a8a8a" stroke-width="0.5""##;

/// White tiles are lighter on higher levels, black ones darker.
fn shade(is_white: bool, level: u8) -> String {
    let level = i32::from(level.min(7));
    let [red, green, blue] = if is_white {
        [186 + 9 * level, 178 + 10 * level, 160 + 12 * level]
    } else {
        [112 - 10 * level, 122 - 10 * level, 138 - 10 * level]
    };
    format!("rgb({red},{green},{blue})")
}

/// The side of a cell in pixels.
pub(super) const CELL_SIDE: f64 = 36.0;
/// The height of a line of text below the board, in pixels.
const LINE_HEIGHT: f64 = 22.0;
const MARGIN: f64 = 24.0;

pub(super) const PAPER: &str = "#ffffff";
pub(super) const INK: &str = "#222222";
pub(super) const FAINT: &str = "#6b6b6b";
pub(super) const WOOD: &str = "#e3bd78";
pub(super) const GRAIN: &str = "#7d5b22";
// The colors of Okabe and Ito (2008), darkened. They are distinguishable for people with color
// blindness.
pub(super) const RED: &str = "#c64f0c";
pub(super) const GREEN: &str = "#0a7a5c";
pub(super) const BLUE: &str = "#0061a8";
pub(super) const SKY: &str = "#5cc0ff";
pub(super) const GOLD: &str = "#e0a800";
pub(super) const GRAY: &str = "#9d9d9d";

/// How text is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextMode {
    /// As SVG text, in a font of the viewer.
    Text,
    /// As paths, for machines without fonts.
    #[cfg(feature = "png")]
    Paths,
}

/// An SVG image under construction. Positions and radii are in cells, sizes of text and strokes in
/// pixels.
#[derive(Debug)]
pub(super) struct SvgImage {
    body: String,
    /// The upper left corner, in cells.
    origin: PicturePoint,
    width: f64,
    height: f64,
    text_mode: TextMode,
}

impl SvgImage {
    /// Creates an image of a box, given by its upper left and its lower right corner.
    pub(super) fn new((from, to): (PicturePoint, PicturePoint), text_mode: TextMode) -> SvgImage {
        let (width, height) = ((to.0 - from.0) * CELL_SIDE, (to.1 - from.1) * CELL_SIDE);
        SvgImage { body: String::new(), origin: from, width, height, text_mode }
    }

    /// Converts a point to pixels.
    fn pixel(&self, (x, y): PicturePoint) -> (Pixels, Pixels) {
        (Pixels((x - self.origin.0) * CELL_SIDE), Pixels((y - self.origin.1) * CELL_SIDE))
    }

    /// Adds a circle. `style` is any other attributes.
    pub(super) fn circle(&mut self, at: PicturePoint, radius: f64, style: &str) {
        let ((x, y), r) = (self.pixel(at), Pixels(radius * CELL_SIDE));
        let _ = writeln!(self.body, r#"<circle cx="{x}" cy="{y}" r="{r}" {style}/>"#);
    }

    pub(super) fn line(&mut self, from: PicturePoint, to: PicturePoint, style: &str) {
        let ((x1, y1), (x2, y2)) = (self.pixel(from), self.pixel(to));
        let _ = writeln!(self.body, r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>"#);
    }

    /// Adds a rectangle.
    pub(super) fn rect(&mut self, from: PicturePoint, to: PicturePoint, fill: &str) {
        let (x, y) = self.pixel(from);
        let (width, height) =
            (Pixels((to.0 - from.0) * CELL_SIDE), Pixels((to.1 - from.1) * CELL_SIDE));
        let _ = writeln!(
            self.body,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>"#
        );
    }

    /// Adds a polygon with corners relative to a point.
    pub(super) fn polygon(&mut self, (x, y): PicturePoint, corners: &[PicturePoint], style: &str) {
        let corner = |&(dx, dy): &PicturePoint| {
            let (x, y) = self.pixel((x + dx, y + dy));
            format!("{x},{y}")
        };
        let points: Vec<_> = corners.iter().map(corner).collect();
        let _ = writeln!(self.body, r#"<polygon points="{}" {style}/>"#, points.join(" "));
    }

    /// Adds text centered at a point.
    pub(super) fn label(&mut self, at: PicturePoint, size: f64, fill: &str, text: &str) {
        let (x, y) = self.pixel(at);
        self.text((x.0, y.0 + size * 0.35), size, fill, "middle", text);
    }

    fn text(&mut self, (x, y): (f64, f64), size: f64, fill: &str, anchor: &str, text: &str) {
        let (x, y, size) = (Pixels(x), Pixels(y), Pixels(size));
        match self.text_mode {
            TextMode::Text => {
                let text = escape_markup(text);
                let _ = writeln!(
                    self.body,
                    r#"<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}">{text}</text>"#
                );
            }
            #[cfg(feature = "png")]
            TextMode::Paths => {
                let (shape, width) = super::png::text_path(text, size.0);
                let x = if anchor == "middle" { Pixels(x.0 - width / 2.0) } else { x };
                let _ = writeln!(
                    self.body,
                    r#"<path transform="translate({x} {y})" fill="{fill}" d="{shape}"/>"#
                );
            }
        }
    }

    /// Adds lines of text at the bottom.
    pub(super) fn lines(&mut self, text: &str) {
        for line in text.lines().filter(|line| !line.is_empty()) {
            self.height += LINE_HEIGHT;
            self.text((MARGIN, self.height - LINE_HEIGHT / 4.0), 14.0, INK, "start", line);
            // A letter of this size is at most 8 pixels wide.
            self.width = self.width.max(2.0 * MARGIN + 8.0 * line.chars().count() as f64);
        }
    }

    /// Adds a row at the bottom and returns a function that converts a distance from its left end,
    /// in cells, to a point.
    pub(super) fn row(&mut self) -> impl Fn(f64) -> PicturePoint + use<> {
        self.height += LINE_HEIGHT;
        let (width, height, origin) = (self.width, self.height, self.origin);
        let x = origin.0 + (MARGIN + 9.0) / CELL_SIDE;
        let y = origin.1 + (height - LINE_HEIGHT / 2.0) / CELL_SIDE;
        let last = origin.0 + (width - MARGIN) / CELL_SIDE;
        move |steps| ((x + steps).min(last), y)
    }

    /// Returns the image as SVG. Its longer side has `size` pixels, if that is given.
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

/// A length in pixels, formatted with at most one decimal.
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
