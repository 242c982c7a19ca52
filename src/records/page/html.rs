//! Parts of a page: text goes in, markup that says just this text comes out.

use crate::picture::escaped;
use std::fmt;
use std::fmt::Write as _;

/// A piece of a page. All text in it has been escaped.
///
/// ```
/// use pentarch_records::page::Html;
/// let text = Html::paragraph("<b> & \"Mallory\"");
/// assert_eq!(text.to_string(), "<p>&lt;b&gt; &amp; &quot;Mallory&quot;</p>\n");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(pub(super) String);

impl Html {
    /// A paragraph. Line breaks in it become spaces.
    pub fn paragraph(text: &str) -> Html {
        Html(format!("<p>{}</p>\n", escaped(text)))
    }

    /// A heading below that of a section.
    pub fn heading(text: &str) -> Html {
        Html(format!("<h3>{}</h3>\n", escaped(text)))
    }

    /// Text as it is written, line by line.
    pub fn preformatted(text: &str) -> Html {
        Html(format!("<pre>{}</pre>\n", escaped(text)))
    }

    /// A list with a point for each text.
    pub fn list<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> Html {
        let items = items.into_iter().map(|item| format!("<li>{}</li>\n", escaped(item.as_ref())));
        Html(format!("<ul>\n{}</ul>\n", items.collect::<String>()))
    }

    /// A part that is folded up until somebody clicks on its name.
    pub fn folded(name: &str, parts: &[Html]) -> Html {
        let body: String = parts.iter().map(|part| part.0.as_str()).collect();
        Html(format!("<details><summary>{}</summary>\n{body}</details>\n", escaped(name)))
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A table. Its columns can be sorted by a click on their heads.
///
/// ```
/// use pentarch_records::page::{Align, Html, Table, TableCell};
/// let mut table = Table::new("Standings", &[("Player", Align::Left), ("Points", Align::Right)]);
/// table.row(["Ann".into(), TableCell::text("1.5").with_hint("one win, one draw")]);
/// table.row(["Bob".into(), TableCell::text("0.5").with_game(2)]);
/// let html = Html::from(&table).to_string();
/// assert!(html.contains("<th scope=\"row\">Ann</th>"));
/// assert!(html.contains("<a href=\"#game=2\" data-game=\"2\">0.5</a>"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    caption: String,
    head: Vec<(String, Align)>,
    rows: Vec<Vec<TableCell>>,
}

/// How a column is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Text.
    #[default]
    Left,
    /// Numbers.
    Right,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableCell {
    text: String,
    hint: String,
    game: Option<usize>,
}

impl TableCell {
    /// A cell with a text.
    pub fn text(text: impl fmt::Display) -> TableCell {
        TableCell { text: text.to_string(), ..TableCell::default() }
    }

    /// The cell with a longer text that is shown by and by.
    pub fn with_hint(self, hint: &str) -> TableCell {
        TableCell { hint: hint.to_owned(), ..self }
    }

    /// The cell as a link to a game, counted from 1 in the order in which games are written.
    pub fn with_game(self, number: usize) -> TableCell {
        TableCell { game: Some(number), ..self }
    }

    fn html(&self) -> String {
        let text = escaped(&self.text);
        let text = match self.game {
            Some(number) => {
                format!("<a href=\"#game={number}\" data-game=\"{number}\">{text}</a>")
            }
            None => text,
        };
        if self.hint.is_empty() {
            return text;
        }
        format!("<span title=\"{}\">{text}</span>", escaped(&self.hint))
    }
}

impl From<&str> for TableCell {
    fn from(text: &str) -> TableCell {
        TableCell::text(text)
    }
}

impl From<String> for TableCell {
    fn from(text: String) -> TableCell {
        TableCell { text, ..TableCell::default() }
    }
}

impl Table {
    /// A table without rows. The first column names what a row is about.
    pub fn new(caption: &str, head: &[(&str, Align)]) -> Table {
        let head = head.iter().map(|&(name, align)| (name.to_owned(), align)).collect();
        Table { caption: caption.to_owned(), head, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = TableCell>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl From<&Table> for Html {
    fn from(table: &Table) -> Html {
        let class = |align| if align == Align::Right { " class=\"number\"" } else { "" };
        let mut html = format!(
            "<div class=\"scroll\"><table>\n<caption>{}</caption>\n<thead><tr>",
            escaped(&table.caption)
        );
        for (name, align) in &table.head {
            let _ = write!(html, "<th scope=\"col\"{}>{}</th>", class(*align), escaped(name));
        }
        html += "</tr></thead>\n<tbody>\n";
        for row in &table.rows {
            html += "<tr>";
            for (column, cell) in row.iter().enumerate() {
                let align = table.head.get(column).map_or(Align::Left, |&(_, align)| align);
                let (class, cell) = (class(align), cell.html());
                let _ = match column {
                    0 => write!(html, "<th scope=\"row\"{class}>{cell}</th>"),
                    _ => write!(html, "<td{class}>{cell}</td>"),
                };
            }
            html += "</tr>\n";
        }
        Html(html + "</tbody>\n</table></div>\n")
    }
}

// Plots of numbers as SVG within a page.

/// A plot of lines over one axis.
///
/// ```
/// use pentarch_records::page::{Html, Plot, Series};
/// let plot = Plot::new("SPRT", "game", "log-likelihood ratio")
///     .with(Series::new("LLR", [(1.0, 0.1), (2.0, 0.4), (3.0, 0.2)]))
///     .with_level("H1", 2.94);
/// assert!(Html::from(&plot).to_string().contains("<polyline class=\"series-0\""));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    title: String,
    x: String,
    y: String,
    series: Vec<Series>,
    levels: Vec<(String, f64)>,
}

/// A line of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

impl Series {
    /// A line through points, from left to right. Points that are no numbers are left out.
    pub fn new(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        let finite = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        Series { name: name.to_owned(), points: points.into_iter().filter(finite).collect() }
    }
}

impl Plot {
    /// An empty plot with the names of its axes.
    pub fn new(title: &str, x: &str, y: &str) -> Plot {
        let [title, x, y] = [title, x, y].map(str::to_owned);
        Plot { title, x, y, series: Vec::new(), levels: Vec::new() }
    }

    /// The plot with one more line.
    pub fn with(mut self, series: Series) -> Plot {
        self.series.push(series);
        self
    }

    /// The plot with a horizontal line that has a name.
    pub fn with_level(mut self, name: &str, y: f64) -> Plot {
        if y.is_finite() {
            self.levels.push((name.to_owned(), y));
        }
        self
    }
}

/// The size of a plot and of the frame in it, in pixels.
const SIZE: (f64, f64) = (640.0, 280.0);
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;
/// More points than this are thinned out: no more can be seen.
const MOST_POINTS: usize = 1200;
/// Lines are told apart by color and by dashes; there are that many of both.
const STYLES: usize = 8;

/// Where a number lies on an axis.
struct Axis {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis for some numbers, with a little room if there is only one.
    fn new(values: impl Iterator<Item = f64>, (start, end): (f64, f64)) -> Axis {
        let (low, high) =
            values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let (low, high) = if high - low < 1e-9 { (low - 0.5, high + 0.5) } else { (low, high) };
        Axis { low, high, start, end }
    }

    fn at(&self, value: f64) -> f64 {
        self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)
    }

    /// Round numbers along the axis: 1, 2 or 5 times a power of ten apart.
    fn ticks(&self, about: f64) -> Vec<f64> {
        let rough = (self.high - self.low) / about;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = step.into_iter().find(|&step| step >= rough).unwrap_or(rough);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).take(50).map(|number| number as f64 * step).collect()
    }
}

impl From<&Plot> for Html {
    fn from(plot: &Plot) -> Html {
        let points = || plot.series.iter().flat_map(|series| &series.points);
        let levels = plot.levels.iter().map(|&(_, y)| y);
        let x = Axis::new(points().map(|&(x, _)| x), (LEFT, SIZE.0 - RIGHT));
        let y = Axis::new(points().map(|&(_, y)| y).chain(levels), (SIZE.1 - BOTTOM, TOP));
        let title = escaped(&plot.title);
        let mut svg = format!(
            "<figure class=\"plot\"><figcaption>{title}</figcaption>\n\
             <svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{title}\">\n",
            SIZE.0, SIZE.1
        );
        plot.axes(&mut svg, &x, &y);
        for (name, level) in &plot.levels {
            let (y, left, right) = (y.at(*level), LEFT, SIZE.0 - RIGHT);
            let _ = writeln!(
                svg,
                "<line class=\"level\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                right - 4.0,
                y - 4.0,
                escaped(name)
            );
        }
        for (number, series) in plot.series.iter().enumerate() {
            let step = series.points.len().div_ceil(MOST_POINTS).max(1);
            let last = series.points.len().saturating_sub(1);
            let kept = series.points.iter().enumerate();
            let kept = kept.filter(|(index, _)| index % step == 0 || *index == last);
            let text: Vec<_> =
                kept.map(|(_, &(a, b))| format!("{:.1},{:.1}", x.at(a), y.at(b))).collect();
            let (class, text) = (number % STYLES, text.join(" "));
            let _ = writeln!(svg, "<polyline class=\"series-{class}\" points=\"{text}\"/>");
        }
        svg += "</svg>\n";
        plot.legend(&mut svg);
        Html(svg + "</figure>\n")
    }
}

impl Plot {
    fn axes(&self, svg: &mut String, x: &Axis, y: &Axis) {
        let (right, bottom) = (SIZE.0 - RIGHT, SIZE.1 - BOTTOM);
        for tick in y.ticks(5.0) {
            let at = y.at(tick);
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                at + 4.0,
                number(tick)
            );
        }
        for tick in x.ticks(8.0) {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                x.at(tick),
                bottom + 16.0,
                number(tick)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(12 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            f64::midpoint(LEFT, right),
            SIZE.1 - 6.0,
            escaped(&self.x),
            f64::midpoint(TOP, bottom),
            escaped(&self.y)
        );
    }

    /// The names of the lines, each with a piece of its line.
    fn legend(&self, html: &mut String) {
        if self.series.len() < 2 {
            return;
        }
        *html += "<ul class=\"legend\">";
        for (number, series) in self.series.iter().enumerate() {
            let _ = write!(
                html,
                "<li><svg viewBox=\"0 0 28 8\" width=\"28\" height=\"8\" aria-hidden=\"true\">\
                 <polyline class=\"series-{}\" points=\"0,4 28,4\"/></svg> {}</li>",
                number % STYLES,
                escaped(&series.name)
            );
        }
        *html += "</ul>\n";
    }
}

/// A number of an axis, without the dust of binary fractions.
fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
