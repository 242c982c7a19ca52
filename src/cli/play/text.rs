//! Texts about a game for both front ends: sentences, pages, and the lines below or beside a board.

use super::controller::{GameController, SearchPurpose, special_stones};
use super::game::{Forfeit, GameState, LocalGameEnd};
use anstyle::Style;
use pentarch_core::game::{Color, EndReason, Move, MoveKind, Outcome, Seat};
use pentarch_core::rules::OpeningStage;
use pentarch_core::stacking::Pentomino;
use pentarch_engine::Game;
use pentarch_records::picture::{
    AZURE, GRAY, Prisoners, StyledLine, TextStyle, foreground, stone_symbol,
};
use std::time::Duration;

fn colors(game: &Game) -> impl Iterator<Item = Color> + use<> {
    (0..game.seats()).map(Color)
}

fn color_name(game: &Game, color: Color) -> &'static str {
    game.rules().color_names().name(color)
}

/// The color that a seat plays.
fn color_of(game: &Game, seat: Seat) -> Color {
    colors(game).find(|&color| game.seat_of(color) == seat).unwrap_or(Color(seat.0))
}

/// Whether a swap opening may still swap the colors.
fn colors_are_undecided(game: &Game) -> bool {
    let hexes = game
        .hexes()
        .is_some_and(|position| position.hexes().swap1 && (game.is_choice() || game.ply() == 0));
    hexes || game.placement().is_some_and(|position| position.stage() != OpeningStage::Play)
}

/// A seat by its color and player, such as `White (you)`; by its number while colors are undecided.
fn seat_text(state: &GameState, seat: Seat) -> String {
    let (game, player) = (state.game(), &state.players()[seat.index()]);
    if colors_are_undecided(game) {
        format!("player {seat} ({player})")
    } else {
        format!("{} ({player})", color_name(game, color_of(game, seat)))
    }
}

/// A sentence that says whose turn it is or how the game has ended.
pub(super) fn status(state: &GameState) -> String {
    let game = state.game();
    if let Some(end) = state.end() {
        return capitalized(&end_text(state, end));
    }
    let mover = seat_text(state, game.to_move());
    if game.is_choice() {
        return capitalized(&format!("{mover} chooses a color."));
    }
    let what = if game.stacking().is_some() { "tile" } else { "stone" };
    let placed = if colors_are_undecided(game) {
        format!(", with a {} {what}", color_name(game, game.color_to_move()).to_lowercase())
    } else {
        String::new()
    };
    capitalized(&format!("{mover} to move{placed}."))
}

fn end_text(state: &GameState, end: LocalGameEnd) -> String {
    let game = state.game();
    let won = match state.winner() {
        None => "The game is a draw".to_owned(),
        Some(side) => {
            let seats = (0..game.seats()).map(Seat).filter(|&seat| game.side_of(seat) == side);
            let names: Vec<_> = seats.map(|winner| seat_text(state, winner)).collect();
            let verb = if names.len() > 1 { "have" } else { "has" };
            format!("{} {verb} won", names.join(" and "))
        }
    };
    match end {
        LocalGameEnd::Rules(outcome) => format!("{won}: {}.", reason_text(game, outcome)),
        LocalGameEnd::Forfeit(forfeit) => {
            let loser = seat_text(state, forfeit.seat());
            let how = match forfeit {
                Forfeit::Resignation(_) => "resigns",
                Forfeit::FlagFall(_) => "has run out of time",
            };
            match state.winner() {
                Some(_) => format!("{won}: {loser} {how}."),
                None => format!("The game is over: {loser} {how}."),
            }
        }
    }
}

fn reason_text(game: &Game, outcome: Outcome) -> String {
    let line = || {
        let line = game.deciding_stones();
        let cells: Vec<_> = line.iter().map(|&cell| game.cell_text(cell)).collect();
        if cells.is_empty() { String::new() } else { format!(", {}", cells.join(" ")) }
    };
    match outcome.reason {
        EndReason::Line => format!("a winning row{}", line()),
        EndReason::ShortLine => format!("the opponent made a losing row{}", line()),
        EndReason::Captures => "enough captured stones".to_owned(),
        EndReason::FullBoard => "the board is full".to_owned(),
        EndReason::NoMove => "no legal move is left".to_owned(),
        EndReason::PlyCap => "the game is too long".to_owned(),
        EndReason::Levels => "all tiles are placed and the levels are compared".to_owned(),
    }
}

/// Describes a color choice: `swap: player 2 plays White from now on, player 1 Black`.
pub(super) fn choice(game: &Game, mv: Move) -> String {
    format!("{}: {}", game.move_text(mv), choice_effect(game, mv))
}

fn choice_effect(game: &Game, mv: Move) -> String {
    let chooser = game.to_move();
    let other = Seat(1 - chooser.0 % 2);
    if mv.kind() == MoveKind::More {
        return format!("player {chooser} places two more stones, then player {other} chooses");
    }
    let mut after = game.clone();
    let _ = after.play_move(mv);
    let [own, their] = [chooser, other].map(|seat| color_name(&after, color_of(&after, seat)));
    format!("player {chooser} plays {own} from now on, player {other} {their}")
}

/// Describes what a move places: `B@j10: a bomb, which clears the eight points around it`.
pub(super) fn placement(game: &Game, mv: Move) -> String {
    let what = match mv.kind() {
        MoveKind::Neutral(_) => "a neutral stone, which blocks and belongs to nobody".to_owned(),
        MoveKind::Bomb(_) => "a bomb, which clears the eight points around it".to_owned(),
        MoveKind::Power(_, None) => "a power stone, which counts as any color".to_owned(),
        MoveKind::Power(_, Some(cell)) => {
            format!("a power stone, and a bonus stone on {}", game.cell_text(cell))
        }
        MoveKind::Signed(..) => {
            let mut after = game.clone();
            let _ = after.play_move(mv);
            let counts = colors(&after).zip(after.captures());
            let counts = counts
                .map(|(color, count)| format!("{} {count}", color_name(&after, color)))
                .collect::<Vec<_>>();
            format!("captured stones are then {}", counts.join(", "))
        }
        _ => "a plain stone".to_owned(),
    };
    format!("{}: {what}", game.move_text(mv))
}

/// A sentence without its period about the last move: `Black plays k11, captures j10 k10`.
pub(super) fn last_move(state: &GameState) -> Option<String> {
    let (game, played) = (state.game(), state.played().last()?);
    let mut before = game.clone();
    before.undo();
    let mover = if before.is_choice() || colors_are_undecided(&before) {
        format!("player {}", played.seat)
    } else {
        color_name(game, color_of(game, played.seat)).to_owned()
    };
    let move_text = game.move_text(played.mv);
    let text = match played.mv.kind().word() {
        Some(_) if before.is_choice() => {
            format!("{mover}: {move_text}; {}", choice_effect(&before, played.mv))
        }
        Some(word) => format!("{mover}: {word}"),
        None => format!("{mover} plays {move_text}"),
    };
    let removed = game.changes().iter().filter(|change| change.after == 0);
    let removed: Vec<_> = removed.map(|change| game.cell_text(change.cell)).collect();
    let removed = if removed.is_empty() {
        String::new()
    } else {
        format!(", takes off {}", removed.join(" "))
    };
    Some(capitalized(&format!("{text}{removed}")))
}

/// A sentence from the text of an error, which is in lower case and without a period.
pub(super) fn sentence(text: &str) -> String {
    let mut text = capitalized(text);
    if !text.ends_with(['.', '?', '!', ':', '`']) {
        text.push('.');
    }
    text
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A time as on a clock: `1:05:09`, `4:07`, and `0:09.3` below 20 seconds.
fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 if seconds < 20 => format!("0:{rest:02}.{}", time.subsec_millis() / 100),
        0 => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// A page with the moves of the game and their players.
pub(super) fn move_list(state: &GameState) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (number, played) in (1..).zip(state.played()) {
        let player = seat_text(state, played.seat);
        lines.push(format!("{number:>3}. {:<10} {player}", state.game().move_text(played.mv)));
    }
    if lines.is_empty() {
        lines.push("no move yet".to_owned());
    }
    lines
}

/// A page with the rules of the game.
pub(super) fn rules_page(game: &Game) -> Vec<String> {
    let rows = game.rules().describe();
    let rows = rows.into_iter().map(|(title, text)| format!("{title:<9} {text}"));
    [game.rules().to_string(), String::new()].into_iter().chain(rows).collect()
}

/// The greatest number of captured stones that are drawn as discs.
const MAX_DISCS: usize = 15;

/// Lines with the players in the order of play, their clocks and captured stones or tiles.
pub(super) fn player_lines(controller: &GameController, look: TextStyle) -> Vec<StyledLine> {
    let (game, state) = (controller.game(), &controller.state);
    let prisoners = Prisoners::of(game);
    let mut lines = Vec::new();
    for seat in (0..game.seats()).map(Seat) {
        let is_mover = game.to_move() == seat && state.end().is_none();
        let color = color_of(game, seat);
        let mut line = StyledLine::plain(if is_mover { "> " } else { "  " });
        if colors_are_undecided(game) {
            line.push(Style::new().bold(), format!("player {seat}"));
        } else {
            let (style, text) = stone_symbol(game.rules().color_names(), color, look);
            let space = if look == TextStyle::Colored { " " } else { "" };
            line.push(style, format!("{space}{text}{space}"));
            line.push(Style::new().bold(), format!(" {}", color_name(game, color)));
        }
        line.push(Style::new(), format!("  {}", state.players()[seat.index()]));
        if game.rules().seating().teams {
            line.push(foreground(GRAY), format!(", team {}", game.side_of(seat)));
        }
        if let Some(left) = controller.time_left(seat) {
            line.push(Style::new().bold(), format!("  {}", clock_text(left)));
        }
        lines.push(line);
        lines.extend(possession_lines(game, color, &prisoners, look));
    }
    lines
}

/// The captured stones, or the placed and remaining tiles, of a color.
fn possession_lines(
    game: &Game,
    color: Color,
    prisoners: &Prisoners,
    look: TextStyle,
) -> Vec<StyledLine> {
    if let Some(position) = game.stacking() {
        let levels = (1..=usize::from(position.top().max(1)))
            .map(|level| position.counts(color)[level].to_string());
        let left = position.shapes_left(color);
        let left: String = Pentomino::all()
            .filter(|shape| left >> shape.index() & 1 != 0)
            .map(Pentomino::letter)
            .collect();
        let levels = levels.collect::<Vec<_>>().join(" ");
        let left = if left.is_empty() { "none".to_owned() } else { left };
        return vec![
            StyledLine::styled(foreground(GRAY), format!("      tiles by level {levels}")),
            StyledLine::styled(foreground(GRAY), format!("      left {left}")),
        ];
    }
    let rule = game.rules().squares().and_then(|board| board.capture);
    if rule.is_none() && game.rules().hexes().is_none_or(|board| !board.surround) {
        return Vec::new();
    }
    let count = game.captures().get(color.index()).copied().unwrap_or(0);
    let goal = rule.and_then(|rule| rule.goal).map_or(String::new(), |goal| format!(" of {goal}"));
    let mut line = StyledLine::styled(foreground(GRAY), format!("      captured {count}{goal} "));
    let captured = prisoners.of_color(color);
    if look == TextStyle::Colored && captured.len() <= MAX_DISCS {
        for &stone in captured {
            let (style, text) = match stone {
                Some(stone) => stone_symbol(game.rules().color_names(), stone, look),
                None => (foreground(GRAY), "●".to_owned()),
            };
            line.push(style, text);
        }
    }
    vec![line]
}

/// The greatest number of options that a screen shows at once, those around the selected one.
const MAX_OPTIONS: usize = 7;

/// Lines with the last move, whose turn it is, the open question, messages and threats. A screen passes
/// the index of the selected option.
pub(super) fn status_lines(
    controller: &GameController,
    selected: Option<usize>,
    width: usize,
) -> Vec<StyledLine> {
    let (game, state) = (controller.game(), &controller.state);
    let mut lines = Vec::new();
    let mut push = |style: Style, text: &str| {
        lines.extend(wrap(text, width).into_iter().map(|line| StyledLine::styled(style, line)));
    };
    if let Some(text) = last_move(state) {
        push(Style::new(), &format!("{text}."));
    }
    push(Style::new().bold(), &status(state));
    let special = special_stones(game);
    if controller.waits_for_person() && !special.is_empty() {
        let how = if selected.is_some() { "tab lists them" } else { "write it before the point" };
        push(foreground(GRAY), &format!("Also to be placed: {}; {how}.", special.join(", ")));
    }
    if let Some(question) = &controller.question {
        push(Style::new().bold(), &question.prompt);
        let all = question.options.len();
        let first =
            selected.map_or(0, |at| at.saturating_sub(3).min(all.saturating_sub(MAX_OPTIONS)));
        let shown = if selected.is_some() { MAX_OPTIONS } else { all };
        for (index, (_, text)) in question.options.iter().enumerate().skip(first).take(shown) {
            let is_selected = selected == Some(index);
            let style = if is_selected { foreground(AZURE).bold() } else { Style::new() };
            let mark = if is_selected { '>' } else { ' ' };
            push(style, &format!("{mark} {}. {text}", index + 1));
        }
    }
    for message in &controller.messages {
        push(Style::new(), message);
    }
    if controller.shows_threats {
        for threat in game.threats() {
            let cells = threat.stones.iter().map(|&cell| game.cell_text(cell));
            let cells = cells.collect::<Vec<_>>().join(" ");
            let name = color_name(game, threat.color);
            push(foreground(GRAY), &format!("{name} {}: {cells}", threat.call));
        }
    }
    lines
}

/// The progress of the running search: the player, the time, the depth and the first moves of the line.
pub(super) fn search_progress(controller: &GameController) -> Option<String> {
    let search = controller.search.as_ref()?;
    let player = match search.purpose {
        SearchPurpose::Move(seat) => seat_text(&controller.state, seat),
        SearchPurpose::Hint => "The engine for hints".to_owned(),
    };
    let seconds = search.started.elapsed().as_secs();
    let report = search.report.as_ref().map_or(String::new(), |report| {
        let line = report.pv.iter().take(3).map(|&mv| controller.game().move_text(mv));
        format!(", depth {}: {}", report.depth, line.collect::<Vec<_>>().join(" "))
    });
    Some(format!("{player} thinks, {seconds} s{report}"))
}

/// Wraps a text at words, or within words that are longer than a line. Continuation lines are indented
/// like the first one, and below a numbered option like its text.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    if text.chars().count() <= width {
        return vec![text.to_owned()];
    }
    let first_indent = text.chars().take_while(|&c| c == ' ').count().min(width - 1);
    let number = text.find(". ").filter(|&at| text[..at].ends_with(|c: char| c.is_ascii_digit()));
    let indent = number.map_or(first_indent, |at| at + 2).min(width - 1);
    let mut lines = vec![" ".repeat(first_indent)];
    let mut is_empty = true;
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let line = lines.last_mut().expect("there is always a line");
            let gap = usize::from(!is_empty);
            let room = width.saturating_sub(line.chars().count() + gap);
            if word.len() <= room {
                line.push_str(&" ".repeat(gap));
                line.extend(word);
                is_empty = false;
                break;
            }
            if is_empty {
                let rest = word.split_off(room.max(1));
                line.extend(word);
                word = rest;
            }
            lines.push(" ".repeat(indent));
            is_empty = true;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::game::LocalPlayer;
    use super::*;

    fn state(spec: &str, players: &str, moves: &str) -> GameState {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves.split_whitespace() {
            game.play(text).unwrap();
        }
        let players = LocalPlayer::parse_list(players, game.seats(), 5).unwrap();
        GameState::new(&game, players, None)
    }

    #[test]
    fn turns_and_moves_are_described() {
        let pente = state("pente", "you,engine:7", "j10 k10 a1 l10 m10");
        assert_eq!(status(&pente), "Black (engine, level 7) to move.");
        assert_eq!(last_move(&pente).unwrap(), "White plays m10, takes off l10 k10");
        let opening = state("d-pente", "you,Ann", "j10 k10");
        assert_eq!(status(&opening), "Player 1 (you) to move, with a white stone.");
        let chosen = state("d-pente", "you,Ann", "j10 k10 a1 a2 swap");
        let text = last_move(&chosen).unwrap();
        assert_eq!(text, "Player 2: swap; player 2 plays White from now on, player 1 Black");
        assert_eq!(status(&chosen), "White (Ann) to move.");
    }

    #[test]
    fn ends_are_described_with_winner_and_reason() {
        let mut line = state("gomoku+size=5x5+line=3", "you,Ann", "c3 a1 b2 a2 d4");
        assert_eq!(status(&line), "Black (you) has won: a winning row, b2 c3 d4.");
        line.undo();
        line.forfeit(Forfeit::FlagFall(Seat(0))).unwrap();
        assert_eq!(status(&line), "White (Ann) has won: Black (you) has run out of time.");
        let mut three = state("pente-3", "a,b,c", "j10");
        three.forfeit(Forfeit::Resignation(Seat(1))).unwrap();
        assert_eq!(status(&three), "The game is over: Black (b) resigns.");
    }

    #[test]
    fn times_are_formatted_as_on_a_clock() {
        let ms = Duration::from_millis;
        assert_eq!(
            [clock_text(ms(9_340)), clock_text(ms(247_000)), clock_text(ms(3_909_000))],
            ["0:09.3", "4:07", "1:05:09"]
        );
    }

    #[test]
    fn long_texts_are_wrapped_at_words() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("  one two", 6), ["  one", "  two"]);
        assert_eq!(wrap("> 1. a b", 7), ["> 1. a", "     b"]);
        assert_eq!(wrap("abcdefgh i", 3), ["abc", "def", "gh", "i"]);
        assert_eq!(wrap("cg85,cg86,cg87", 20), ["cg85,cg86,cg87"]);
        assert_eq!((wrap("", 5).len(), wrap("ab", 0)), (1, vec!["a".to_owned(), "b".to_owned()]));
    }
}
