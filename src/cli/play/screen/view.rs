//! A picture of the whole screen.

use super::super::panel::{self, wrap};
use super::state::Screen;
use anstyle::Style;
use pentarch_records::picture::{AZURE, GRAY, MarkedPoint, PictureOptions, StyledLine, foreground};

/// The lines of the screen, and where its cursor is: column and row.
#[derive(Debug)]
pub(super) struct Frame {
    pub lines: Vec<StyledLine>,
    pub cursor: Option<(u16, u16)>,
}

/// The least columns of what stands beside the board.
const LEAST_PANEL: usize = 30;
/// The least size of a screen, columns and rows.
const LEAST: (usize, usize) = (24, 10);
/// The rows below the board: the line to type in, and the keys.
const BELOW: usize = 2;

/// Draws the screen for a size.
pub(super) fn frame(screen: &mut Screen, (columns, rows): (u16, u16)) -> Frame {
    screen.follow();
    let (width, height) = (usize::from(columns), usize::from(rows));
    if width < LEAST.0 || height < LEAST.1 {
        let text = format!("a window of {}x{} or more, please", LEAST.0, LEAST.1);
        let lines = wrap(&text, width).into_iter().map(StyledLine::plain).collect();
        return Frame { lines, cursor: None };
    }
    if screen.page.is_some() {
        return page(screen, width, height);
    }
    let board = board(screen);
    let room = height - BELOW;
    let board_width = board.iter().map(StyledLine::width).max().unwrap_or(0);
    let beside = width >= board_width.min(width) + 1 + LEAST_PANEL;
    // A wide board leaves the panel its place.
    let is_beside = beside || width > 2 * LEAST_PANEL;
    let mut lines = if is_beside {
        let most = width - 1 - LEAST_PANEL;
        let (board, more) = cropped(&board, most.min(board_width), room);
        let shown = board.first().map_or(0, StyledLine::width);
        let panel = panel(screen, (width - shown - 1, room), more, true);
        side_by_side(board, panel, shown, room)
    } else {
        let rows_of_board = board.len().min(room - (room / 3).max(4));
        let (mut board, more) = cropped(&board, width.min(board_width), rows_of_board);
        let rest = room - board.len();
        board.extend(panel(screen, (width, rest), more, false));
        board
    };
    lines.resize(room, StyledLine::default());
    let on_board = lines.iter().zip(0..).find_map(|(line, row)| Some((line.cursor()? as u16, row)));
    let (prompt, at) = prompt(screen, width);
    let typing = !screen.input.is_empty() || screen.host.question.is_some() || on_board.is_none();
    let cursor = if typing { Some((at as u16, room as u16)) } else { on_board };
    lines.push(prompt);
    lines.push(keys(screen, width));
    Frame { lines, cursor }
}

/// The whole board.
fn board(screen: &Screen) -> Vec<StyledLine> {
    let host = &screen.host;
    let game = host.game();
    let is_persons = host.table.end().is_none() && host.table.mover().is_person();
    let open: Vec<_> = if is_persons && game.stacking().is_none() {
        game.legal_moves().iter().filter_map(|mv| mv.cell()).collect()
    } else {
        Vec::new()
    };
    let advice = host.advice.map_or(Vec::new(), |mv| MarkedPoint::of_move(mv, "?"));
    let drawing = PictureOptions {
        last_move: true,
        // Where only one point is open, it is the others that need no mark.
        illegal_points: open.iter().any(|&cell| cell != open[0]),
        threats: host.shows_threats,
        marks: screen.tile.marks().into_iter().chain(advice).collect(),
        ..PictureOptions::default()
    };
    drawing.board_lines(game, screen.look, Some(screen.cursor.at))
}

/// The part of a board around its cursor that fits, and in which directions it goes on.
fn cropped(board: &[StyledLine], width: usize, height: usize) -> (Vec<StyledLine>, Option<String>) {
    let whole = board.iter().map(StyledLine::width).max().unwrap_or(0);
    let at = board.iter().enumerate().find_map(|(row, line)| Some((line.cursor()?, row)));
    let (column, row) = at.unwrap_or((whole / 2, board.len() / 2));
    let first = |at: usize, room: usize, all: usize| {
        at.saturating_sub(room / 2).min(all.saturating_sub(room))
    };
    let (left, top) = (first(column, width, whole), first(row, height, board.len()));
    let shown = board.iter().skip(top).take(height).map(|line| line.crop(left, width)).collect();
    let hidden = [
        (left > 0, "left"),
        (left + width < whole, "right"),
        (top > 0, "above"),
        (top + height < board.len(), "below"),
    ];
    let hidden: Vec<_> = hidden.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
    let more = (!hidden.is_empty()).then(|| format!("The board goes on: {}.", hidden.join(", ")));
    (shown, more)
}

/// What stands beside the board, or below it, where the news come first.
fn panel(
    screen: &Screen,
    (width, height): (usize, usize),
    more: Option<String>,
    is_beside: bool,
) -> Vec<StyledLine> {
    let (host, game) = (&screen.host, screen.host.game());
    let title = format!("{}, ply {}", game.rules(), game.ply() + 1);
    let mut players = vec![StyledLine::styled(Style::new().bold(), title)];
    players.extend(panel::players(host, screen.look));
    let mut news = Vec::new();
    let mut say = |style: Style, text: &str| {
        news.extend(wrap(text, width).into_iter().map(|line| StyledLine::styled(style, line)));
    };
    let is_tile = game.stacking().is_some() && host.table.end().is_none();
    if let Some(text) = panel::thinking(host) {
        say(foreground(AZURE), &text);
    } else if host.is_paused && host.table.end().is_none() {
        say(foreground(AZURE), "The engines wait: enter lets them go on.");
    } else if is_tile && host.table.mover().is_person() {
        say(foreground(AZURE), &screen.tile.words(game));
    }
    news.extend(panel::news(host, Some(screen.selected), width));
    if let Some(more) = more {
        news.extend(
            wrap(&more, width).into_iter().map(|line| StyledLine::styled(foreground(GRAY), line)),
        );
    }
    let mut lines = if is_beside {
        players.into_iter().chain([StyledLine::default()]).chain(news).collect::<Vec<_>>()
    } else {
        news.into_iter().chain(players).collect()
    };
    lines.truncate(height);
    // What room is left shows the last moves.
    let free = (height - lines.len()).saturating_sub(1);
    if free > 1 {
        lines.push(StyledLine::default());
        lines.extend(last_moves(screen, width, free - 1));
    }
    lines.into_iter().map(|line| line.crop(0, width)).collect()
}

/// The last moves, a round a line.
fn last_moves(screen: &Screen, width: usize, most: usize) -> Vec<StyledLine> {
    let (game, table) = (screen.host.game(), &screen.host.table);
    let texts: Vec<_> = table.plies().map(|ply| game.move_text(ply.mv)).collect();
    let round = if game.stacking().is_some() { 1 } else { usize::from(game.seats()) };
    let rounds: Vec<_> = (1..).zip(texts.chunks(round)).collect();
    let lines = rounds.iter().skip(rounds.len().saturating_sub(most)).map(|(number, moves)| {
        let moves: Vec<_> = moves.iter().map(|text| format!("{text:<7}")).collect();
        let text = format!("{number:>3}. {}", moves.join(" "));
        StyledLine::styled(foreground(GRAY), text.chars().take(width).collect::<String>())
    });
    lines.collect()
}

/// Lines of a fixed width with others to the right of them.
fn side_by_side(
    left: Vec<StyledLine>,
    right: Vec<StyledLine>,
    width: usize,
    rows: usize,
) -> Vec<StyledLine> {
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let row = |_| {
        let mut line = left.next().unwrap_or_default().crop(0, width);
        line.push(Style::new(), " ");
        line.append(right.next().unwrap_or_default());
        line
    };
    (0..rows).map(row).collect()
}

/// The line in which somebody types, and the column of its end.
fn prompt(screen: &Screen, width: usize) -> (StyledLine, usize) {
    let game = screen.host.game();
    let mut line = StyledLine::styled(Style::new().bold(), "> ");
    if screen.input.is_empty() {
        let at = screen.cursor.name(game);
        let is_persons = screen.host.table.mover().is_person() && screen.host.table.end().is_none();
        let text = match is_persons {
            _ if screen.host.question.is_some() => "up, down and enter choose, or type".to_owned(),
            true => format!("{at}: enter plays there, or type a move or a command"),
            false => format!("{at}: type a command"),
        };
        line.push(foreground(GRAY), text.chars().take(width - 3).collect::<String>());
        return (line, 2);
    }
    // The end of what is typed is seen.
    let shown = width - 4;
    let skipped = screen.input.chars().count().saturating_sub(shown);
    line.push(Style::new(), screen.input.chars().skip(skipped).collect::<String>());
    let at = line.width();
    (line, at)
}

fn keys(screen: &Screen, width: usize) -> StyledLine {
    let text = if screen.host.is_busy() {
        "enter: move now   ctrl-Z: undo   F1: help   ctrl-C: leave"
    } else {
        "F1 help   F2 hint   F3 threats   F4 undo   save FILE   new GAME   ctrl-C leave"
    };
    StyledLine::styled(foreground(GRAY), text.chars().take(width).collect::<String>())
}

/// A page of text in place of the board.
fn page(screen: &mut Screen, width: usize, height: usize) -> Frame {
    let Some((text, first)) = &mut screen.page else {
        return Frame { lines: Vec::new(), cursor: None };
    };
    let all: Vec<String> = text.iter().flat_map(|line| wrap(line, width)).collect();
    let room = height - 1;
    *first = (*first).min(all.len().saturating_sub(room));
    let mut lines: Vec<StyledLine> =
        all.iter().skip(*first).take(room).map(StyledLine::plain).collect();
    lines.resize(room, StyledLine::default());
    let keys = if all.len() > room {
        "up, down, page up, page down: scroll   any other key: back to the game"
    } else {
        "any key: back to the game"
    };
    lines.push(StyledLine::styled(foreground(GRAY), keys.chars().take(width).collect::<String>()));
    Frame { lines, cursor: None }
}

#[cfg(test)]
mod tests {
    use super::super::state;
    use super::*;

    /// Every picture fits its window, and the cursor is on it.
    #[test]
    fn pictures_fit_windows_of_any_size() {
        for (spec, players) in [
            ("pente", "Ann,Bob"),
            ("pente-4", "Ann,Bob,Cid,Somebody with a name"),
            ("d-pente", "Ann,Bob"),
            ("pentalath", "Ann,Bob"),
            ("pent-up", "Ann,Bob"),
        ] {
            let mut screen = state::of(spec, players);
            for line in ["j10", "k10", "l11", "m12", "nonsense and more of it, far too much of it"]
            {
                screen.do_line(line);
            }
            for size @ (columns, rows) in
                [(1, 1), (24, 10), (40, 12), (60, 20), (80, 24), (200, 60)]
            {
                for is_page in [false, true] {
                    screen.page = is_page.then(|| (vec!["word ".repeat(40); 30], 29));
                    let frame = frame(&mut screen, size);
                    let widest = frame.lines.iter().map(StyledLine::width).max().unwrap_or(0);
                    assert!(widest <= columns.into(), "{spec} {size:?}: {widest}");
                    assert!(
                        columns == 1 || frame.lines.len() == usize::from(rows),
                        "{spec} {size:?}"
                    );
                    let on =
                        frame.cursor.is_none_or(|(column, row)| column < columns && row < rows);
                    assert!(on, "{spec} {size:?}: {:?}", frame.cursor);
                }
            }
        }
    }

    #[test]
    fn the_cursor_is_seen_on_a_board_that_does_not_fit() {
        let mut screen = state::of("pente", "Ann,Bob");
        let text = |screen: &mut Screen| {
            let frame = frame(screen, (60, 14));
            frame
                .lines
                .iter()
                .map(|line| line.text(pentarch_records::picture::TextStyle::Plain) + "\n")
                .collect::<String>()
        };
        let first = text(&mut screen);
        assert!(first.contains("The board goes on") && first.contains("[.]"), "{first}");
        for _ in 0..9 {
            screen.cursor.step(screen.host.game(), crate::play::cursor::Direction::Up);
        }
        assert!(text(&mut screen).contains(" 19 . . . . . . . . .[.]"));
    }
}
