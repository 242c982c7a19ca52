//! Parts of an HTML page. All text is escaped.

use crate::sanitize::escape_markup;
use std::fmt;
use std::fmt::Write as _;

/// A part of a page. All text in it is escaped.
///
/// ```
/// use pentarch_records::page::Html;
/// let text = Html::paragraph("<b> & \"Mallory\"");
/// assert_eq!(text.to_string(), "<p>&lt;b&gt; &amp; &quot;Mallory&quot;</p>\n");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(pub(super) String);

impl Html {
    /// A paragraph. Line breaks become spaces.
    pub fn paragraph(text: &str) -> Html {
        Html(format!("<p>{}</p>\n", escape_markup(text)))
    }

    /// A heading within a section.
    pub fn heading(text: &str) -> Html {
        Html(format!("<h3>{}</h3>\n", escape_markup(text)))
    }

    /// Preformatted text.
    pub fn preformatted(text: &str) -> Html {
        Html(format!("<pre>{}</pre>\n", escape_markup(text)))
    }

    /// A list with one item for each text.
    pub fn list<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> Html {
        let items =
            items.into_iter().map(|item| format!("<li>{}</li>\n", escape_markup(item.as_ref())));
        Html(format!("<ul>\n{}</ul>\n", items.collect::<String>()))
    }

    /// A part that is collapsed until its name is clicked.
    pub fn collapsible(name: &str, parts: &[Html]) -> Html {
        let body: String = parts.iter().map(|part| part.0.as_str()).collect();
        Html(format!("<details><summary>{}</summary>\n{body}</details>\n", escape_markup(name)))
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A table. A click on the head of a column sorts the rows by it.
///
/// ```
/// use pentarch_records::page::{Align, Html, Table, TableCell};
/// let mut table = Table::new("Standings", &[("Player", Align::Left), ("Points", Align::Right)]);
/// table.row(["Ann".into(), TableCell::text("1.5").with_tooltip("one win, one draw")]);
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

/// The alignment of a column.
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
    tooltip: String,
    game: Option<usize>,
}

impl TableCell {
    /// Creates a cell with a text.
    pub fn text(text: impl fmt::Display) -> TableCell {
        TableCell { text: text.to_string(), ..TableCell::default() }
    }

    /// Adds a tooltip.
    pub fn with_tooltip(self, tooltip: &str) -> TableCell {
        TableCell { tooltip: tooltip.to_owned(), ..self }
    }

    /// Makes the cell a link to a game, counted from 1 in the order of the games.
    pub fn with_game(self, number: usize) -> TableCell {
        TableCell { game: Some(number), ..self }
    }

    fn html(&self) -> String {
        let text = escape_markup(&self.text);
        let text = match self.game {
            Some(number) => {
                format!("<a href=\"#game={number}\" data-game=\"{number}\">{text}</a>")
            }
            None => text,
        };
        if self.tooltip.is_empty() {
            return text;
        }
        format!("<span title=\"{}\">{text}</span>", escape_markup(&self.tooltip))
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
    /// Creates a table without rows. The first column names the rows.
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
            escape_markup(&table.caption)
        );
        for (name, align) in &table.head {
            let _ = write!(html, "<th scope=\"col\"{}>{}</th>", class(*align), escape_markup(name));
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

/// A line plot.
///
/// ```
/// use pentarch_records::page::{Html, Plot, Series};
/// let plot = Plot::new("SPRT", "game", "log-likelihood ratio")
///     .with(Series::new("LLR", [(1.0, 0.1), (2.0, 0.4), (3.0, 0.2)]))
///     .with_threshold("H1", 2.94);
/// assert!(Html::from(&plot).to_string().contains("<polyline class=\"series-0\""));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    title: String,
    x: String,
    y: String,
    series: Vec<Series>,
    thresholds: Vec<(String, f64)>,
}

/// A line of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

impl Series {
    /// Creates a line through points, from left to right. Points that are not finite are left out.
    pub fn new(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        let finite = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        Series { name: name.to_owned(), points: points.into_iter().filter(finite).collect() }
    }
}

impl Plot {
    /// Creates an empty plot with the names of its axes.
    pub fn new(title: &str, x: &str, y: &str) -> Plot {
        let [title, x, y] = [title, x, y].map(str::to_owned);
        Plot { title, x, y, series: Vec::new(), thresholds: Vec::new() }
    }

    /// Adds a line.
    pub fn with(mut self, series: Series) -> Plot {
        self.series.push(series);
        self
    }

    /// Adds a horizontal line with a name.
    pub fn with_threshold(mut self, name: &str, y: f64) -> Plot {
        if y.is_finite() {
            self.thresholds.push((name.to_owned(), y));
        }
        self
    }
}

/// The size of a plot and the margins of its frame, in pixels.
const PLOT_SIZE: (f64, f64) = (640.0, 280.0);
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;
/// The maximum number of points drawn. Lines with more points are thinned out.
const MAX_POINTS: usize = 1200;
/// The number of combinations of color and dashes for lines.
const LINE_STYLES: usize = 8;

/// Maps numbers to positions on an axis.
struct PlotAxis {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

impl PlotAxis {
    /// Creates an axis for some numbers. A single number gets a margin.
    fn new(values: impl Iterator<Item = f64>, (start, end): (f64, f64)) -> PlotAxis {
        let (low, high) =
            values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let (low, high) = if high - low < 1e-9 { (low - 0.5, high + 0.5) } else { (low, high) };
        PlotAxis { low, high, start, end }
    }

    fn at(&self, value: f64) -> f64 {
        self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)
    }

    /// Returns round numbers along the axis: 1, 2 or 5 times a power of ten apart.
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
        let thresholds = plot.thresholds.iter().map(|&(_, y)| y);
        let x = PlotAxis::new(points().map(|&(x, _)| x), (LEFT, PLOT_SIZE.0 - RIGHT));
        let y =
            PlotAxis::new(points().map(|&(_, y)| y).chain(thresholds), (PLOT_SIZE.1 - BOTTOM, TOP));
        let title = escape_markup(&plot.title);
        let mut svg = format!(
            "<figure class=\"plot\"><figcaption>{title}</figcaption>\n\
             <svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{title}\">\n",
            PLOT_SIZE.0, PLOT_SIZE.1
        );
        plot.axes(&mut svg, &x, &y);
        for (name, threshold) in &plot.thresholds {
            let (y, left, right) = (y.at(*threshold), LEFT, PLOT_SIZE.0 - RIGHT);
            let _ = writeln!(
                svg,
                "<line class=\"level\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                right - 4.0,
                y - 4.0,
                escape_markup(name)
            );
        }
        for (number, series) in plot.series.iter().enumerate() {
            let step = series.points.len().div_ceil(MAX_POINTS).max(1);
            let last = series.points.len().saturating_sub(1);
            let kept = series.points.iter().enumerate();
            let kept = kept.filter(|(index, _)| index % step == 0 || *index == last);
            let text: Vec<_> =
                kept.map(|(_, &(a, b))| format!("{:.1},{:.1}", x.at(a), y.at(b))).collect();
            let (class, text) = (number % LINE_STYLES, text.join(" "));
            let _ = writeln!(svg, "<polyline class=\"series-{class}\" points=\"{text}\"/>");
        }
        svg += "</svg>\n";
        plot.legend(&mut svg);
        Html(svg + "</figure>\n")
    }
}

impl Plot {
    fn axes(&self, svg: &mut String, x: &PlotAxis, y: &PlotAxis) {
        let (right, bottom) = (PLOT_SIZE.0 - RIGHT, PLOT_SIZE.1 - BOTTOM);
        for tick in y.ticks(5.0) {
            let at = y.at(tick);
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                at + 4.0,
                format_number(tick)
            );
        }
        for tick in x.ticks(8.0) {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                x.at(tick),
                bottom + 16.0,
                format_number(tick)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(12 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            f64::midpoint(LEFT, right),
            PLOT_SIZE.1 - 6.0,
            escape_markup(&self.x),
            f64::midpoint(TOP, bottom),
            escape_markup(&self.y)
        );
    }

    /// Adds the names of the lines with a sample of each.
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
                number % LINE_STYLES,
                escape_markup(&series.name)
            );
        }
        *html += "</ul>\n";
    }
}

/// Formats a number of an axis without rounding errors.
fn format_number(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
