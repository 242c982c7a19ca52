//! `GoGui`'s rules extension: the engine is the referee of a game that `GoGui` does not know.
//!
//! `GoGui` shows four characters for the cells, and graphics above them. A point has room for three
//! letters, and the text of the status bar disappears after every move. So a letter on a stone says what a
//! click there does, and a sentence follows the letter after blanks: `GoGui` shows it under the mouse.
//!
//! `GoGui` has two colors of players, each of whom places stones of that color. So it is shown the owners
//! of stones: after a swap the stones on the board change their color there, and Black always has black
//! stones.
//!
//! `GoGui` runs several processes and sends only the moves to all of them. So the kind of a special stone
//! (neutral, bomb or power stone) is selected by a move: a click on a stone with its letter. The player is
//! still to move then, and the next vertex is where the special stone goes.

use super::super::codec::gtp::{VertexBoard, color, is_plain};
use pentarch_core::game::{
    Cell, Color as StoneColor, EndReason, Move, MoveKind, Outcome, Seat, Side,
};
use pentarch_engine::{Game, choice_points, stones_in_order};
use pentarch_protocol::gtp::{Color, Graphics, Mark, RulesQuery, Vertex};
use std::collections::BTreeSet;

/// Returns the answer to a question about the rules.
pub(super) fn answer(game: &Game, next: NextVertex, query: RulesQuery) -> String {
    match query {
        // The same name for every game, because GoGui would detach the referee if the name changed.
        RulesQuery::GameId => "Pentarch".to_owned(),
        RulesQuery::BoardSize => board_size(game),
        RulesQuery::Board => board_characters(game),
        RulesQuery::BoardGraphics => {
            let lines = board_graphics(game, next);
            let lines = lines.iter().filter(|line| !line.is_empty()).map(Graphics::to_string);
            lines.collect::<Vec<_>>().join("\n")
        }
        RulesQuery::LegalMoves => legal_moves(game, next).join(" "),
        RulesQuery::SideToMove => color_name(color(game.to_move())).to_owned(),
        RulesQuery::CapturedCount => captured_count(game),
        RulesQuery::FinalResult => result_text(game),
    }
}

const fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Returns the vertices that a player may choose, including stones that represent choices or special stones,
/// and `pass` if it is legal.
pub(super) fn legal_moves(game: &Game, next: NextVertex) -> Vec<String> {
    let pass = next == NextVertex::Plain && game.check_move(MoveKind::Pass.into()).is_ok();
    let mut texts: Vec<_> =
        VertexBoard::vertices(game, open_cells(game, next)).iter().map(Vertex::to_string).collect();
    texts.extend(pass.then(|| "pass".to_owned()));
    texts
}

/// Returns the cells of [`legal_moves`].
fn open_cells(game: &Game, next: NextVertex) -> BTreeSet<Cell> {
    if let Some(cells) = special_cells(game, next) {
        return cells.into_iter().collect();
    }
    let mut moves = game.legal_moves();
    moves.retain(|&mv| is_plain(mv));
    let choices = choice_points(game);
    let mut cells: BTreeSet<Cell> = moves.iter().filter_map(|mv| mv.cell()).collect();
    cells.extend(choices.iter().map(|&(cell, _)| cell));
    cells.extend(special_points(game).iter().map(|&(cell, _)| cell));
    if choices.iter().any(|&(_, kind)| kind == MoveKind::Keep) || choices.len() == 1 {
        cells.extend(stones_after_keep(game));
    }
    cells
}

/// Returns the cells where a stone implies that the player to move keeps the color.
fn stones_after_keep(game: &Game) -> Vec<Cell> {
    let mut kept = game.clone();
    if kept.play_move(MoveKind::Keep.into()).is_err() || kept.to_move() != game.to_move() {
        return Vec::new();
    }
    kept.legal_moves().into_iter().filter_map(Move::cell).collect()
}

/// Returns the stones captured by Black in `GoGui`, then by White.
fn captured_count(game: &Game) -> String {
    format!("{} {}", captured_by(game, Color::Black), captured_by(game, Color::White))
}

/// Returns the number of stones that a player has captured.
pub(super) fn captured_by(game: &Game, player: Color) -> u32 {
    let counts = (0..).map(StoneColor).zip(game.captures());
    let owned = counts.filter(|&(stones, _)| color(game.seat_of(stones)) == player);
    owned.map(|(_, count)| u32::from(count)).sum()
}

/// A kind of special stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpecialStone {
    Neutral,
    Bomb,
    Power,
}

/// The meaning of the next vertex of the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NextVertex {
    /// A plain stone, or the choice or special stone that a stone on the board represents.
    #[default]
    Plain,
    /// A special stone.
    SpecialStone(SpecialStone),
    /// The bonus stone of a power stone on this cell.
    Bonus(Cell),
}

/// The meaning of a vertex that is not a plain stone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum VertexMeaning {
    Move(Move),
    /// A selection of the meaning of the next vertex.
    Selection(NextVertex),
}

impl SpecialStone {
    const ALL: [SpecialStone; 3] = [SpecialStone::Neutral, SpecialStone::Bomb, SpecialStone::Power];

    /// Returns the name of the kind.
    const fn word(self) -> &'static str {
        match self {
            SpecialStone::Neutral => "neutral",
            SpecialStone::Bomb => "bomb",
            SpecialStone::Power => "power",
        }
    }

    /// Returns the letter on the stone that represents the kind.
    const fn letter(self) -> &'static str {
        match self {
            SpecialStone::Neutral => "N",
            SpecialStone::Bomb => "B",
            SpecialStone::Power => "P",
        }
    }

    fn of(mv: Move) -> Option<SpecialStone> {
        match mv.kind() {
            MoveKind::Neutral(_) => Some(SpecialStone::Neutral),
            MoveKind::Bomb(_) => Some(SpecialStone::Bomb),
            MoveKind::Power(..) => Some(SpecialStone::Power),
            _ => None,
        }
    }
}

/// Returns the stones that represent the special stones that may be placed now. These are the first stones in
/// the order of the moves. The last stone never represents one, because programs repeat the last move, which
/// must not have a meaning.
fn special_points(game: &Game) -> Vec<(Cell, SpecialStone)> {
    if game.is_choice() {
        return Vec::new();
    }
    let moves = game.legal_moves();
    let is_legal =
        |&kind: &SpecialStone| moves.iter().any(|&mv| SpecialStone::of(mv) == Some(kind));
    let mut stones = stones_in_order(game);
    stones.pop();
    stones.into_iter().zip(SpecialStone::ALL.into_iter().filter(is_legal)).collect()
}

/// Returns the meaning of a cell if it is not a plain stone. The move need not be legal.
pub(super) fn vertex_meaning(game: &Game, next: NextVertex, cell: Cell) -> Option<VertexMeaning> {
    let kind = match next {
        NextVertex::Plain => {
            let points = special_points(game);
            let (_, kind) = points.into_iter().find(|&(point, _)| point == cell)?;
            return Some(VertexMeaning::Selection(NextVertex::SpecialStone(kind)));
        }
        NextVertex::SpecialStone(SpecialStone::Neutral) => MoveKind::Neutral(cell),
        NextVertex::SpecialStone(SpecialStone::Bomb) => MoveKind::Bomb(cell),
        NextVertex::SpecialStone(SpecialStone::Power) if !bonus_cells(game, cell).is_empty() => {
            return Some(VertexMeaning::Selection(NextVertex::Bonus(cell)));
        }
        NextVertex::SpecialStone(SpecialStone::Power) => MoveKind::Power(cell, None),
        NextVertex::Bonus(power) => MoveKind::Power(power, Some(cell)),
    };
    Some(VertexMeaning::Move(kind.into()))
}

/// Returns the cells where the selected stone may go; `None` for a plain stone.
fn special_cells(game: &Game, next: NextVertex) -> Option<Vec<Cell>> {
    match next {
        NextVertex::Plain => None,
        NextVertex::SpecialStone(kind) => {
            let moves =
                game.legal_moves().into_iter().filter(|&mv| SpecialStone::of(mv) == Some(kind));
            Some(moves.filter_map(Move::cell).collect())
        }
        NextVertex::Bonus(power) => Some(bonus_cells(game, power)),
    }
}

/// Returns the cells where the bonus stone of a power stone on a cell may go.
fn bonus_cells(game: &Game, power: Cell) -> Vec<Cell> {
    let bonus = |mv: Move| match mv.kind() {
        MoveKind::Power(cell, bonus) if cell == power => bonus,
        _ => None,
    };
    game.legal_moves().into_iter().filter_map(bonus).collect()
}

/// Returns `19`, `15 10` or `13 hex`.
fn board_size(game: &Game) -> String {
    let Some(board) = VertexBoard::of(game) else { return "0".to_owned() };
    let (columns, rows) = board.size();
    let size = if columns == rows { columns.to_string() } else { format!("{columns} {rows}") };
    if board.is_hex() { size + " hex" } else { size }
}

/// Returns rows from the top: `X` and `O` for stones of Black and White, `.` for a cell that is empty or has
/// another stone, `?` if there is no cell.
///
/// `GoGui` 1.6 shows the hexagon of column x and row y if the character of column y and row x is not `?`.
/// So the `?` are mirrored, which makes no difference on symmetric boards. On others a `?` may replace a
/// stone; all stones are then drawn as graphics, so that they look the same.
fn board_characters(game: &Game) -> String {
    let Some(board) = VertexBoard::of(game) else { return String::new() };
    let (columns, rows) = board.size();
    let with_stones = !has_hidden_cells(game, board);
    let character = |column, row| {
        let vertex = Vertex { column, row };
        if is_hidden(board, vertex) {
            return '?';
        }
        match board.cell(vertex).filter(|_| with_stones).and_then(|cell| stone_owner(game, cell)) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            // Other stones are drawn as graphics.
            None => '.',
        }
    };
    let rows = (0..rows).rev();
    let rows = rows.map(|row| (0..columns).map(|column| character(column, row)).collect());
    // The first row starts on a new line, so that the rows are aligned.
    std::iter::once(String::new()).chain(rows).collect::<Vec<String>>().join("\n")
}

/// Returns whether the character of a vertex is `?`.
fn is_hidden(board: VertexBoard, vertex: Vertex) -> bool {
    let mirrored = Vertex { column: vertex.row, row: vertex.column };
    board.is_hex() && board.cell(mirrored).is_none()
}

/// Returns the owner of the stone on a cell if it is drawn as a stone. Those of the third and fourth players
/// and neutral ones are not.
pub(super) fn stone_owner(game: &Game, cell: Cell) -> Option<Color> {
    let color = game.content(cell)?;
    match game.seat_of(color).0 {
        _ if color >= StoneColor::NEUTRAL => None,
        0 => Some(Color::Black),
        1 => Some(Color::White),
        _ => None,
    }
}

/// Returns whether a `?` replaces a cell.
fn has_hidden_cells(game: &Game, board: VertexBoard) -> bool {
    game.cells().into_iter().any(|cell| is_hidden(board, board.vertex(cell)))
}

/// Draws the stones that the characters do not show, as a variation with empty labels instead of move
/// numbers.
fn hidden_stones(game: &Game) -> Vec<Graphics> {
    let Some(board) = VertexBoard::of(game).filter(|&board| has_hidden_cells(game, board)) else {
        return Vec::new();
    };
    let drawn = |cell| Some((stone_owner(game, cell)?, board.vertex(cell)));
    let stones: Vec<(Color, Vertex)> = game.cells().into_iter().filter_map(drawn).collect();
    let numbers = stones.iter().map(|&(_, vertex)| (vertex, String::new())).collect();
    let stones = stones.into_iter().map(|(color, vertex)| (color, vertex.to_string())).collect();
    vec![Graphics::Variation(stones), Graphics::Label(numbers)]
}

/// The backgrounds of stones that are neither Black's nor White's: those of the third and fourth players,
/// neutral and power stones.
const STONE_COLORS: [&str; 4] = ["#e03030", "#30a030", "#808080", "#e0c000"];
/// The backgrounds of the points that show whose turn it is, by seat.
const TURN_COLORS: [&str; 4] = ["#000000", "#ffffff", STONE_COLORS[0], STONE_COLORS[1]];
/// The background of points to click on, or just clicked on.
const GREEN: &str = "#60d060";
/// The background of empty points where the player to move may not play.
const CLOSED: &str = "#707070";
/// The background of the stones that decided the game.
const DECIDED: &str = "#ffe000";

/// Draws what the characters of the board cannot show: other colors, what stones represent, closed points,
/// the line that won, and whose turn it is.
fn board_graphics(game: &Game, next: NextVertex) -> Vec<Graphics> {
    let mut lines = hidden_stones(game);
    lines.extend(other_stones(game));
    lines.push(Graphics::Points(Mark::Triangle, VertexBoard::vertices(game, bombs(game))));
    if game.outcome().is_some() {
        let decided = VertexBoard::vertices(game, game.deciding_stones());
        lines.push(Graphics::Color(DECIDED.to_owned(), decided));
    } else {
        lines.push(background(game, CLOSED, closed_points(game, next)));
        lines.extend(choice_labels(game, next));
        lines.extend(turn_marker(game));
    }
    lines.push(Graphics::Text(status(game, next)));
    lines
}

fn background(game: &Game, color: &str, cells: impl IntoIterator<Item = Cell>) -> Graphics {
    Graphics::Color(color.to_owned(), VertexBoard::vertices(game, cells))
}

/// Draws stones that are neither Black's nor White's, as circles on a colored background.
fn other_stones(game: &Game) -> Vec<Graphics> {
    let mut lines = Vec::new();
    for (number, color) in (2..).zip(STONE_COLORS) {
        let of_color = |cell: &Cell| game.content(*cell) == Some(StoneColor(number));
        let cells: Vec<_> = game.cells().into_iter().filter(of_color).collect();
        lines.push(background(game, color, cells.iter().copied()));
        lines.push(Graphics::Points(Mark::Circle, VertexBoard::vertices(game, cells)));
    }
    lines
}

/// Returns the bombs on the board.
fn bombs(game: &Game) -> Vec<Cell> {
    let moves = game.moves();
    let is_bomb = |cell: &Cell| {
        let last = moves.iter().rev().find(|mv| mv.cell() == Some(*cell));
        last.is_some_and(|mv| matches!(mv.kind(), MoveKind::Bomb(_)))
    };
    stones_in_order(game).into_iter().filter(is_bomb).collect()
}

/// Returns the empty points where the player to move may not place the selected stone.
fn closed_points(game: &Game, next: NextVertex) -> Vec<Cell> {
    if game.is_choice() {
        return Vec::new();
    }
    let open = open_cells(game, next);
    let is_closed = |cell: &Cell| game.content(*cell).is_none() && !open.contains(cell);
    game.cells().into_iter().filter(is_closed).collect()
}

/// Draws letters on the stones that represent something.
fn choice_labels(game: &Game, next: NextVertex) -> Vec<Graphics> {
    let mut marked: Vec<(Cell, &str, String)> = Vec::new();
    for (cell, kind) in choice_points(game) {
        marked.push((cell, choice_letter(kind), choice_text(game, kind)));
    }
    match next {
        NextVertex::Plain => {
            let points = special_points(game).into_iter();
            marked.extend(points.map(|(cell, kind)| (cell, kind.letter(), special_text(kind))));
        }
        NextVertex::SpecialStone(kind) => {
            let points = special_points(game).into_iter().filter(|&(_, other)| other == kind);
            marked.extend(points.map(|(cell, _)| (cell, kind.letter(), status(game, next))));
        }
        NextVertex::Bonus(power) => marked.push((power, "P", status(game, next))),
    }
    let Some(board) = VertexBoard::of(game) else { return Vec::new() };
    let is_urgent = game.is_choice() || next != NextVertex::Plain;
    let urgent = marked.iter().map(|&(cell, ..)| cell).filter(|_| is_urgent);
    let background = background(game, GREEN, urgent);
    let labels =
        marked.iter().map(|(cell, letter, text)| (board.vertex(*cell), label(letter, text)));
    vec![background, Graphics::Label(labels.collect())]
}

/// Returns a label with a letter, and a sentence beyond the edge of the point, which appears under the mouse.
fn label(letter: &str, text: &str) -> String {
    format!("   {letter}{}{text}", " ".repeat(16))
}

/// Draws whose turn it is with more than two players: a colored point in a corner, outside the board if
/// possible.
fn turn_marker(game: &Game) -> Vec<Graphics> {
    let Some(board) = VertexBoard::of(game).filter(|_| game.seats() > 2) else { return Vec::new() };
    let seat = game.to_move();
    let name = seat_name(game, seat);
    let letter = name.get(..1).unwrap_or_default();
    let text = label(letter, &format!("{name} to move"));
    let (columns, rows) = board.size();
    let top = (0..columns).map(|column| Vertex { column, row: rows - 1 });
    let is_free =
        |vertex: &Vertex| board.cell(*vertex).is_none_or(|cell| game.content(cell).is_none());
    let Some(corner) = top.into_iter().find(is_free) else { return Vec::new() };
    // GoGui cannot color a vertex without a cell.
    let color = TURN_COLORS.get(seat.index()).unwrap_or(&CLOSED);
    let background = board.cell(corner).map(|_| Graphics::Color((*color).to_owned(), vec![corner]));
    background.into_iter().chain([Graphics::Label(vec![(corner, text)])]).collect()
}

/// The names of the players, in the order of play.
const NAMES: [&str; 4] = ["Black", "White", "Red", "Green"];
const NUMBERS: [&str; 7] = ["no", "one", "two", "three", "four", "five", "six"];

/// Returns the name of a player in `GoGui`: the first one is Black, regardless of the game's own names.
fn seat_name(game: &Game, seat: Seat) -> &'static str {
    let names = NAMES.get(..usize::from(game.seats())).unwrap_or(&NAMES);
    names.get(seat.index()).copied().unwrap_or("?")
}

/// Returns the names of the players of a side.
fn side_name(game: &Game, side: Side) -> String {
    let seats = (0..game.seats()).map(Seat).filter(|&seat| game.side_of(seat) == side);
    seats.map(|seat| seat_name(game, seat)).collect::<Vec<_>>().join(" and ")
}

/// Returns the sentence that says who won and how.
fn result_text(game: &Game) -> String {
    match game.outcome() {
        None => "The game is not over.".to_owned(),
        Some(Outcome { winner: None, reason }) => format!("A draw: {}.", draw_reason(reason)),
        Some(Outcome { winner: Some(side), reason }) => {
            let name = side_name(game, side);
            let verb = if name.contains(" and ") { "have" } else { "has" };
            format!("{name} {verb} won {}.", win_reason(game, side, reason))
        }
    }
}

fn win_reason(game: &Game, winner: Side, reason: EndReason) -> String {
    let number = |length: Option<u8>| {
        let word = length.and_then(|length| NUMBERS.get(usize::from(length)));
        word.copied().unwrap_or("enough")
    };
    match reason {
        EndReason::Line => format!("with {} in a row", number(game.winning_length())),
        EndReason::ShortLine => "because a row that is too short loses".to_owned(),
        EndReason::Captures => format!("with {} captured stones", captured_stones(game, winner)),
        EndReason::NoMove => "because no legal move is left".to_owned(),
        EndReason::Levels => "with more tiles on the deciding level".to_owned(),
        EndReason::FullBoard => "on a full board".to_owned(),
        EndReason::PlyCap => "in the longest game that is allowed".to_owned(),
    }
}

const fn draw_reason(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Line => "both have a line",
        EndReason::Captures => "the captures decide nothing",
        EndReason::FullBoard => "the board is full",
        EndReason::NoMove => "no legal move is left",
        EndReason::PlyCap => "the game is as long as it may be",
        EndReason::ShortLine => "a row was too short",
        EndReason::Levels => "the levels are equal",
    }
}

/// Returns the number of stones that a side has captured.
fn captured_stones(game: &Game, side: Side) -> u32 {
    let of_side = |color: &u8| game.side_of(game.seat_of(StoneColor(*color))) == side;
    let counts = (0..).zip(game.captures());
    counts.filter(|(color, _)| of_side(color)).map(|(_, count)| u32::from(count)).sum()
}

/// Returns the sentence that says whose turn it is and what can be done, and the captures with more than two
/// players, which `GoGui` cannot show.
pub(super) fn status(game: &Game, next: NextVertex) -> String {
    if game.outcome().is_some() {
        return result_text(game);
    }
    let name = seat_name(game, game.to_move());
    let mut text = match next {
        NextVertex::SpecialStone(kind) => {
            format!("{name} to place a {} stone: click on its point", kind.word())
        }
        NextVertex::Bonus(_) => format!("{name} to place the bonus stone"),
        NextVertex::Plain if game.is_choice() => {
            let choices = choice_points(game);
            let choices: Vec<_> = choices
                .iter()
                .map(|&(_, kind)| format!("{} {}", choice_letter(kind), choice_text(game, kind)))
                .collect();
            format!("{name} to choose by a click on a stone: {}", choices.join("; "))
        }
        NextVertex::Plain => turn_text(game),
    };
    if let Some(kind) = last_choice(game) {
        text = format!("{}; {text}", last_choice_text(game, kind));
    }
    if game.seats() > 2 && game.captures().iter().any(|&count| count > 0) {
        text = format!("{text}; captured {}", captures_text(game));
    }
    text
}

/// Returns whose turn it is, and the color of the stone if it is not the player's own.
fn turn_text(game: &Game) -> String {
    let (seat, owner) = (game.to_move(), game.seat_of(game.color_to_move()));
    let name = seat_name(game, seat);
    if seat == owner || game.seats() > 2 {
        return format!("{name} to move");
    }
    format!("{name} to place a {} stone", seat_name(game, owner).to_lowercase())
}

/// Returns the captured stones of each player.
fn captures_text(game: &Game) -> String {
    let counts = (0..).map(StoneColor).zip(game.captures());
    let texts =
        counts.map(|(color, count)| format!("{} {count}", seat_name(game, game.seat_of(color))));
    texts.collect::<Vec<_>>().join(", ")
}

/// Returns the last move if it was a choice in a swap opening.
fn last_choice(game: &Game) -> Option<MoveKind> {
    let kind = game.moves().last()?.kind();
    matches!(kind, MoveKind::Swap | MoveKind::Keep | MoveKind::More).then_some(kind)
}

/// Returns the sentence about the last move, which was a choice.
fn last_choice_text(game: &Game, kind: MoveKind) -> String {
    let mut before = game.clone();
    before.undo();
    let name = seat_name(game, before.to_move());
    match kind {
        MoveKind::Swap => format!("{name} has swapped: all stones changed hands and color"),
        MoveKind::Keep => format!("{name} has kept the stones as they were"),
        _ => format!("{name} has asked for two more stones"),
    }
}

/// Returns the letters on the stone that represents a choice.
const fn choice_letter(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::Swap => "S",
        MoveKind::Keep => "K",
        _ => "+2",
    }
}

/// Returns the meaning of a choice.
fn choice_text(game: &Game, kind: MoveKind) -> String {
    let name = seat_name(game, game.to_move()).to_lowercase();
    match kind {
        MoveKind::Swap => "swap: all stones change hands and color".to_owned(),
        MoveKind::Keep => format!("keep the {name} stones"),
        _ => "place two more stones, then the other player chooses".to_owned(),
    }
}

/// Returns the effect of a click on a stone that represents a special stone.
fn special_text(kind: SpecialStone) -> String {
    format!("click here, then on a point, to place a {} stone", kind.word())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(spec: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves {
            game.play(text).unwrap();
        }
        game
    }

    /// Returns the move of a sequence of vertices.
    fn played(game: &Game, points: &[&str]) -> String {
        let mut next = NextVertex::Plain;
        for point in points {
            let cell = game.grid().unwrap().parse(point).unwrap();
            match vertex_meaning(game, next, cell) {
                Some(VertexMeaning::Move(mv)) => return game.move_text(mv),
                Some(VertexMeaning::Selection(other)) => next = other,
                None => return "plain".to_owned(),
            }
        }
        format!("{next:?}")
    }

    #[test]
    fn a_stone_selects_the_next_one() {
        let bombs = game("atomic-pente", &["j10", "a1"]);
        assert_eq!(played(&bombs, &["j10", "b2"]), "B@b2");
        assert_eq!(played(&bombs, &["b2"]), "plain");
        let neutral = game("neutral-pente", &["j10", "a1"]);
        assert_eq!(played(&neutral, &["j10", "b2"]), "N@b2");
    }

    #[test]
    fn the_last_stone_selects_nothing() {
        let bombs = game("atomic-pente", &["j10", "a1"]);
        assert_eq!(played(&bombs, &["a1"]), "plain");
        assert!(special_points(&game("atomic-pente", &["j10"])).is_empty());
    }

    #[test]
    fn used_up_special_stones_are_not_offered() {
        let bombs = game("atomic-pente", &["j10", "a1", "B@s19", "a3"]);
        assert!(special_points(&bombs).is_empty());
        assert!(special_points(&game("pente", &["j10", "a1"])).is_empty());
    }

    #[test]
    fn a_power_stone_requests_its_bonus_stone() {
        let power = game("pente-plus", &["j10", "a1"]);
        assert_eq!(played(&power, &["j10", "b2", "g7"]), "P@b2,g7");
        let cell = power.grid().unwrap().parse("b2").unwrap();
        let open = special_cells(&power, NextVertex::Bonus(cell)).unwrap();
        let labels: Vec<_> = open.into_iter().map(|cell| power.cell_text(cell)).collect();
        let diamonds = "d4 j4 p4 g7 m7 d10 p10 g13 m13 d16 j16 p16";
        assert_eq!(labels.join(" "), diamonds);
        // There is no bonus stone for an occupied point; the rules report the error.
        assert_eq!(played(&power, &["j10", "a1"]), "P@a1");
    }
}
