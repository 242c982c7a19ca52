//! Parts of a page: text goes in, markup that says just this text comes out.

use crate::picture::escaped;
use std::fmt::{self, Write as _};

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
