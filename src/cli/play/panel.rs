//! What stands beside a board: the players, their stones and clocks, whose turn it is.

use super::thought::Purpose;
use super::{Host, question, words};
use anstyle::Style;
use pentarch_core::game::{Color, Seat};
use pentarch_core::stacking::Shape;
use pentarch_records::picture::{
    AZURE, GRAY, Prisoners, StyledLine, TextStyle, foreground, stone_symbol,
};

/// The greatest number of captured stones that are shown one by one.
const MOST_DISCS: usize = 15;

/// The players in the order of play, each with what they have.
pub(super) fn players(host: &Host, look: TextStyle) -> Vec<StyledLine> {
    let game = host.game();
    let prisoners = Prisoners::of(game);
    let mut lines = Vec::new();
    for seat in (0..game.seats()).map(Seat) {
        let is_mover = game.to_move() == seat && host.table.end().is_none();
        let color = words::color_of(game, seat);
        let mut line = StyledLine::plain(if is_mover { "> " } else { "  " });
        if words::is_undecided(game) {
            line.push(Style::new().bold(), format!("player {seat}"));
        } else {
            let (style, text) = stone_symbol(game.rules().palette(), color, look);
            let room = if look == TextStyle::Colored { " " } else { "" };
            line.push(style, format!("{room}{text}{room}"));
            line.push(Style::new().bold(), format!(" {}", words::color(game, color)));
        }
        line.push(Style::new(), format!("  {}", host.table.sitters()[seat.index()]));
        if game.rules().seating().teams {
            line.push(foreground(GRAY), format!(", team {}", game.side_of(seat)));
        }
        if let Some(left) = host.left(seat) {
            line.push(Style::new().bold(), format!("  {}", words::clock(left)));
        }
        lines.push(line);
        lines.extend(possession(host, color, &prisoners, look));
    }
    lines
}

/// The captured stones or the tiles of a color.
fn possession(
    host: &Host,
    color: Color,
    prisoners: &Prisoners,
    look: TextStyle,
) -> Vec<StyledLine> {
    let game = host.game();
    if let Some(position) = game.stacking() {
        let levels = (1..=usize::from(position.top().max(1)))
            .map(|level| position.counts(color)[level].to_string());
        let left = position.shapes_left(color);
        let left: String = Shape::all()
            .filter(|shape| left >> shape.index() & 1 != 0)
            .map(Shape::letter)
            .collect();
        let levels = levels.collect::<Vec<_>>().join(" ");
        let left = if left.is_empty() { "none".to_owned() } else { left };
        return vec![
            StyledLine::styled(foreground(GRAY), format!("      tiles by level {levels}")),
            StyledLine::styled(foreground(GRAY), format!("      left {left}")),
        ];
    }
    let rule = game.rules().squares().and_then(|board| board.capture);
    let takes = rule.is_some() || game.rules().hexes().is_some_and(|board| board.surround);
    if !takes {
        return Vec::new();
    }
    let count = game.captures().get(color.index()).copied().unwrap_or(0);
    let goal = rule.and_then(|rule| rule.goal).map_or(String::new(), |goal| format!(" of {goal}"));
    let mut line = StyledLine::styled(foreground(GRAY), format!("      captured {count}{goal} "));
    let taken = prisoners.of_color(color);
    if look == TextStyle::Colored && taken.len() <= MOST_DISCS {
        for &stone in taken {
            let (style, text) = match stone {
                Some(stone) => stone_symbol(game.rules().palette(), stone, look),
                None => (foreground(GRAY), "●".to_owned()),
            };
            line.push(style, text);
        }
    }
    vec![line]
}

/// The greatest number of options that stand on a screen at once, those around the selected one.
const MOST_OPTIONS: usize = 7;

/// What is going on: whose turn it is, what is asked, what is to be said.
pub(super) fn news(host: &Host, selected: Option<usize>, width: usize) -> Vec<StyledLine> {
    let mut lines = Vec::new();
    let mut say = |style: Style, text: &str| {
        lines.extend(wrap(text, width).into_iter().map(|line| StyledLine::styled(style, line)));
    };
    if let Some(said) = words::last_move(&host.table) {
        say(Style::new(), &format!("{said}."));
    }
    let is_over = host.table.end().is_some();
    say(Style::new().bold(), &words::state(&host.table));
    let bombs = question::special_stones(host.game());
    if !is_over && !bombs.is_empty() && host.table.mover().is_person() {
        let how = if selected.is_some() { "tab shows it" } else { "write it before the point" };
        say(foreground(GRAY), &format!("Also to be placed: {}; {how}.", bombs.join(", ")));
    }
    if let Some(asked) = &host.question {
        say(Style::new().bold(), &asked.text);
        let all = asked.options.len();
        let first =
            selected.map_or(0, |at| at.saturating_sub(3).min(all.saturating_sub(MOST_OPTIONS)));
        let shown = if selected.is_some() { MOST_OPTIONS } else { all };
        let numbered = (1..).zip(&asked.options);
        for (number, (_, text)) in numbered.skip(first).take(shown) {
            let is_selected = selected == Some(number - 1);
            let style = if is_selected { foreground(AZURE).bold() } else { Style::new() };
            let mark = if is_selected { '>' } else { ' ' };
            say(style, &format!("{mark} {number}. {text}"));
        }
    }
    for note in &host.notes {
        say(Style::new(), note);
    }
    if host.shows_threats {
        for threat in host.game().threats() {
            let cells = threat.stones.iter().map(|&cell| host.game().cell_text(cell));
            let cells = cells.collect::<Vec<_>>().join(" ");
            let name = words::color(host.game(), threat.color);
            say(foreground(GRAY), &format!("{name} {}: {cells}", threat.call));
        }
    }
    lines
}

/// What the engine is thinking, while it does.
pub(super) fn thinking(host: &Host) -> Option<String> {
    let thought = host.thought.as_ref()?;
    let who = match thought.purpose {
        Purpose::Move(seat) => words::seat(&host.table, seat),
        Purpose::Hint => "The adviser".to_owned(),
    };
    let seconds = thought.time().as_secs();
    let report = thought.report.as_ref().map_or(String::new(), |report| {
        let line = report.pv.iter().take(3).map(|&mv| host.game().move_text(mv));
        format!(", depth {}: {}", report.depth, line.collect::<Vec<_>>().join(" "))
    });
    Some(format!("{who} thinks, {seconds} s{report}"))
}

/// A text in lines of at most that width, broken between words where that is possible. The lines after
/// the first of an entry with a number are indented as its text is.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    if text.chars().count() <= width {
        return vec![text.to_owned()];
    }
    let begins = text.chars().take_while(|&c| c == ' ').count().min(width - 1);
    let number = text.find(". ").filter(|&at| text[..at].ends_with(|c: char| c.is_ascii_digit()));
    let indent = number.map_or(begins, |at| at + 2).min(width - 1);
    let mut lines = vec![" ".repeat(begins)];
    let mut is_fresh = true;
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let line = lines.last_mut().expect("there is always a line");
            let gap = usize::from(!is_fresh);
            let room = width.saturating_sub(line.chars().count() + gap);
            if word.len() <= room {
                line.push_str(&" ".repeat(gap));
                line.extend(word);
                is_fresh = false;
                break;
            }
            if is_fresh {
                // A word longer than a line is cut.
                let rest = word.split_off(room.max(1));
                line.extend(word);
                word = rest;
            }
            lines.push(" ".repeat(indent));
            is_fresh = true;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn long_texts_are_broken_between_words() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("  one two", 6), ["  one", "  two"]);
        assert_eq!(wrap("> 1. a b", 7), ["> 1. a", "     b"]);
        assert_eq!(wrap("abcdefgh i", 3), ["abc", "def", "gh", "i"]);
        assert_eq!(wrap("cg85,cg86,cg87", 20), ["cg85,cg86,cg87"]);
        assert_eq!((wrap("", 5).len(), wrap("ab", 0)), (1, vec!["a".to_owned(), "b".to_owned()]));
    }
}
