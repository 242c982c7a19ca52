//! Games as the viewer reads them: one JSON object each, with what every ply changes on the board.
//!
//! A ply is a number, `16 * cell + content`, if it does nothing but put a stone on a cell. Any other
//! is an object: `set` lists such numbers in the order of change (content 0 takes a stone off);
//! `tile` is `[content, level]` of a tile on the cells in `at`; `move` is the text where it is not that of
//! the cells; `say` what a move without a cell means; `captures` whose stones each color has now
//! captured, if that has changed. Contents are 1 to 4 for the colors, 5 for a neutral stone, 6 for a power
//! stone, and 9 to 12 for the bombs of the colors.
//!
//! Lists by ply (`chances`, `scores`, `depths`, `nodes`, `times`) have null where nothing is known;
//! `marks`, `comments` and `lines` are lists of `[ply, ...]`. Plies count from 0; a line begins at the
//! position before its ply.

use crate::page::{GameView, Judges, Line, Note};
use crate::picture::{CellShape, Layout, Letters, Point, Prisoners};
use pentarch_core::game::{Cell, Color, Move, MoveKind, Orientation, Place, Seat};
use pentarch_core::stacking::{OrientedTile, Spot};
use pentarch_engine::Game;
use serde::Serialize;
use std::collections::HashMap;
use std::time::Duration;

/// Added to the content of a bomb.
const BOMB: u8 = 8;

/// A ply of a game or of a line.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Ply {
    /// A stone of a color on a cell.
    Stone(u32),
    /// Anything else.
    Other(Box<OtherPly>),
}

#[derive(Clone, Debug, Default, Serialize)]
struct OtherPly {
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    say: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tile: Option<[u8; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    at: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    captures: Option<Vec<Vec<u8>>>,
}

/// A game. Empty members are left out.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GameData<'a> {
    board: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    title: &'a str,
    players: &'a [String],
    #[serde(skip_serializing_if = "str::is_empty")]
    date: &'a str,
    /// The side that won, or -1 for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<i8>,
    #[serde(skip_serializing_if = "str::is_empty")]
    reason: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    detail: &'a str,
    /// A digit a ply and one more: the seat that makes it, from 0.
    seats: String,
    /// The seat that owns each color in the end.
    owners: Vec<u8>,
    /// What lies on the board in the beginning, as one ply each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    start: Vec<Ply>,
    /// Plies before the starting position.
    #[serde(skip_serializing_if = "is_zero")]
    plies_before: u32,
    moves: Vec<Ply>,
    /// Whether each player judges the game, or one judge does.
    #[serde(skip_serializing_if = "is_false")]
    own_values: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    chances: Vec<Option<u16>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<Option<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depths: Vec<Option<u32>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Option<u64>>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    times: Vec<Option<u64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<(usize, &'static str)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<(usize, &'a str)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<(usize, Vec<LineData<'a>>)>,
}

/// A line: its name, its value, its plies.
type LineData<'a> = (&'a str, Option<String>, Vec<Ply>);

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Replays a game and its lines, and puts them into the viewer's words.
pub(super) fn encode<'a>(view: &'a GameView, boards: &mut Boards) -> GameData<'a> {
    let GameView { game, header, notes, judges } = view;
    let board = boards.of(game);
    let played = game.start();
    let mut replay = Replay { prisoners: Prisoners::at_start(&played), game: played, board };
    let (start, plies_before) = (replay.start(), replay.game.ply());
    let (mut seats, mut moves, mut lines) = (String::new(), Vec::new(), Vec::new());
    let played = game.moves();
    for (ply, mv) in played.iter().copied().map(Some).chain([None]).enumerate() {
        let found = notes.get(ply).map_or(&[][..], |note| &note.lines);
        let found: Vec<_> = found.iter().map(|line| replay.line(line)).collect();
        if !found.is_empty() {
            lines.push((ply, found));
        }
        seats.push(char::from(b'0' + replay.game.to_move().0));
        moves.extend(mv.and_then(|mv| replay.play(mv)));
    }
    GameData {
        board: board.number,
        title: &header.title,
        players: &header.players,
        date: &header.date,
        winner: header.result.map(|winner| winner.map_or(-1, |side| side.0 as i8)),
        reason: &header.reason,
        detail: &header.detail,
        seats,
        owners: (0..game.seats()).map(|color| game.seat_of(Color(color)).0).collect(),
        start,
        plies_before,
        moves,
        own_values: *judges == Judges::EachPlayer,
        chances: by_ply(notes, chance),
        scores: by_ply(notes, |note| note.score.map(|score| score.to_string())),
        depths: by_ply(notes, |note| note.depth),
        nodes: by_ply(notes, |note| note.nodes),
        times: by_ply(notes, |note| note.time.map(milliseconds)),
        marks: some_plies(notes, |note| note.mark.map(super::Mark::key)),
        comments: some_plies(notes, |note| Some(note.comment.as_str()).filter(|c| !c.is_empty())),
        lines,
    }
}

/// The probability to win in thousandths.
fn chance(note: &Note) -> Option<u16> {
    let chance =
        note.win_probability.or(note.score.map(pentarch_engine::search::Score::win_probability))?;
    Some((chance.clamp(0.0, 1.0) * 1000.0).round() as u16)
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A value of each note up to the last that has one.
fn by_ply<T>(notes: &[Note], value: impl Fn(&Note) -> Option<T>) -> Vec<Option<T>> {
    let mut values: Vec<_> = notes.iter().map(value).collect();
    values.truncate(values.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
    values
}

/// The plies whose notes have a value, with it.
fn some_plies<'a, T>(notes: &'a [Note], value: impl Fn(&'a Note) -> Option<T>) -> Vec<(usize, T)> {
    notes.iter().enumerate().filter_map(|(ply, note)| Some((ply, value(note)?))).collect()
}

/// A game that is played again to see what its moves change.
struct Replay<'a> {
    game: Game,
    prisoners: Prisoners,
    board: &'a Numbered,
}

impl Replay<'_> {
    /// What lies on the board before the first move.
    fn start(&self) -> Vec<Ply> {
        let mut start = Vec::new();
        if let Some(position) = self.game.stacking() {
            start.extend(position.tiles().map(|tile| {
                let at = tile.cells().map(spot_number).collect();
                other(OtherPly {
                    tile: Some([tile.color.0 + 1, tile.level]),
                    at,
                    ..OtherPly::default()
                })
            }));
            return start;
        }
        let stone = |cell| self.game.content(cell).map(|color| self.number(cell, color.0 + 1));
        start.extend(self.game.cells().into_iter().filter_map(stone).map(Ply::Stone));
        if self.game.captures().iter().any(|&count| count > 0) {
            let captures = Some(self.captures());
            start.push(other(OtherPly { captures, ..OtherPly::default() }));
        }
        start
    }

    /// The plies of a line up to its first illegal move. The game is then as it was.
    fn line<'a>(&mut self, line: &'a Line) -> LineData<'a> {
        let before = self.prisoners.clone();
        let plies: Vec<_> = line.moves.iter().map_while(|&mv| self.play(mv)).collect();
        for _ in &plies {
            self.game.undo();
        }
        self.prisoners = before;
        (&line.name, line.score.map(|score| score.to_string()), plies)
    }

    /// Plays a move, if it is legal, and tells what it did.
    fn play(&mut self, mv: Move) -> Option<Ply> {
        let seat = self.game.to_move();
        let level = self.game.stacking().map_or(0, |position| position.level_of(mv));
        let color = self.game.color_to_move();
        self.game.play_move(mv).ok()?;
        let captures = self.prisoners.follow(&self.game).then(|| self.captures());
        if let MoveKind::Tile(orientation, place) = mv.kind() {
            let tile = Some([color.0 + 1, level]);
            let at = tile_cells(orientation, place);
            return Some(other(OtherPly { tile, at, ..OtherPly::default() }));
        }
        let text = self.game.move_text(mv);
        let Some(cell) = mv.cell() else {
            let owned = (0..self.game.seats()).map(Color);
            let owned = owned.into_iter().find(|&color| self.game.seat_of(color) == seat);
            let name = self.game.rules().color_names().name(owned.unwrap_or(color));
            let say = Some(words(mv.kind(), name));
            return Some(other(OtherPly { mv: Some(text), say, ..OtherPly::default() }));
        };
        let changes = self.game.changes().iter();
        let set: Vec<_> = changes.map(|change| self.number(change.cell, change.after)).collect();
        let set = match mv.kind() {
            MoveKind::Bomb(_) => self.mark_bomb(set, cell),
            _ => set,
        };
        let mv = Some(text).filter(|text| *text != self.game.cell_text(cell));
        if let (None, None, [stone]) = (&mv, &captures, set.as_slice()) {
            return Some(Ply::Stone(*stone));
        }
        Some(other(OtherPly { mv, set, captures, ..OtherPly::default() }))
    }

    /// The stone on a cell becomes a bomb.
    fn mark_bomb(&self, mut set: Vec<u32>, cell: Cell) -> Vec<u32> {
        let cell = self.board.cell(cell);
        if let Some(bomb) = set.iter_mut().find(|number| **number >> 4 == cell && **number & 15 > 0)
        {
            *bomb += u32::from(BOMB);
        }
        set
    }

    fn number(&self, cell: Cell, content: u8) -> u32 {
        self.board.cell(cell) << 4 | u32::from(content)
    }

    /// By capturing color, the contents that the stones had; 0 where that is unknown.
    fn captures(&self) -> Vec<Vec<u8>> {
        let content = |stone: &Option<Color>| stone.map_or(0, |color| color.0 + 1);
        self.prisoners.iter().map(|(_, stones)| stones.iter().map(content).collect()).collect()
    }
}

fn other(ply: OtherPly) -> Ply {
    Ply::Other(Box::new(ply))
}

/// What a move without a cell means, after `NAME`.
fn words(kind: MoveKind, color: &str) -> String {
    match kind {
        MoveKind::Swap => format!("swaps and takes {color}"),
        MoveKind::Keep => format!("keeps {color}"),
        MoveKind::More => "asks for two more stones".to_owned(),
        _ => "passes".to_owned(),
    }
}

fn spot_number(spot: Spot) -> u32 {
    u32::from(spot.place().0)
}

/// The cells of a tile in the order of its text.
fn tile_cells(orientation: Orientation, place: Place) -> Vec<u32> {
    let cells = OrientedTile::of(orientation).cells.iter();
    let side = u32::from(Spot::SIDE);
    cells.map(|&(dx, dy)| u32::from(place.0) + u32::from(dy) * side + u32::from(dx)).collect()
}

// The boards of a page: each is described once, and games name it by its number.

/// A board as the viewer reads it. Lengths are in distances between cells, `y` grows downwards.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BoardData {
    /// The canonical text of the rules.
    rules: String,
    /// `point`, `hexagon` or `square`.
    shape: &'static str,
    /// The middles of the cells by number.
    cells: Vec<[f64; 2]>,
    /// The names of the cells by number. On a table, of whose cells none is listed, the names of the
    /// columns: cell `row * columns + column` has the middle `(column, -row)`.
    names: Vec<String>,
    outline: Vec<[f64; 2]>,
    lines: Vec<[f64; 4]>,
    stars: Vec<[f64; 2]>,
    diamonds: Vec<[f64; 2]>,
    labels: Vec<(f64, f64, String)>,
    /// Left, top, width, height.
    bounds: [f64; 4],
    /// The names of the colors in the order of play.
    colors: Vec<&'static str>,
    /// The side of each seat, from 0.
    sides: Vec<u8>,
    /// The captured stones that win; 0 where they only count; none where nothing is captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<u16>,
}

/// The boards that were met.
#[derive(Clone, Debug, Default)]
pub(super) struct Boards {
    known: HashMap<String, Numbered>,
    data: Vec<BoardData>,
}

/// A board's number, and those of its cells.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    pub number: usize,
    cells: HashMap<Cell, u32>,
}

impl Numbered {
    /// The viewer's number of a cell.
    pub(super) fn cell(&self, cell: Cell) -> u32 {
        self.cells.get(&cell).copied().unwrap_or_default()
    }
}

impl Boards {
    /// The board of a game, which becomes known.
    pub(super) fn of(&mut self, game: &Game) -> &Numbered {
        let data = &mut self.data;
        self.known.entry(game.rules().to_string()).or_insert_with(|| {
            let layout = Layout::of(game, Letters::All);
            let cells = layout.cells.iter().zip(0..).map(|(&(cell, _), n)| (cell, n)).collect();
            data.push(describe(game, &layout));
            Numbered { number: data.len() - 1, cells }
        })
    }

    /// All boards in the order of their numbers.
    pub(super) fn data(&self) -> &[BoardData] {
        &self.data
    }
}

fn describe(game: &Game, layout: &Layout) -> BoardData {
    let names = match layout.shape {
        CellShape::Square => (0..Spot::SIDE).map(Spot::column_name).collect(),
        CellShape::Point | CellShape::Hexagon => {
            layout.cells.iter().map(|&(cell, _)| game.cell_text(cell)).collect()
        }
    };
    let palette = game.rules().color_names();
    let seats = game.seats();
    let ((left, top), (right, bottom)) = layout.bounds;
    let capture = game.placement().and_then(|position| position.rules().capture());
    let surround = game.hexes().filter(|position| position.hexes().surround).map(|_| 0);
    BoardData {
        rules: game.rules().to_string(),
        shape: match layout.shape {
            CellShape::Point => "point",
            CellShape::Hexagon => "hexagon",
            CellShape::Square => "square",
        },
        cells: layout.cells.iter().map(|&(_, point)| rounded(point)).collect(),
        names,
        outline: layout.outline.iter().copied().map(rounded).collect(),
        lines: layout
            .lines
            .iter()
            .map(|&((x1, y1), (x2, y2))| [x1, y1, x2, y2].map(round))
            .collect(),
        stars: layout.stars.iter().copied().map(rounded).collect(),
        diamonds: layout.diamonds.iter().copied().map(rounded).collect(),
        labels: match layout.shape {
            // The viewer names the rows and columns of the part of a table that it shows.
            CellShape::Square => Vec::new(),
            CellShape::Point | CellShape::Hexagon => {
                let label = |((x, y), name): &(Point, String)| (round(*x), round(*y), name.clone());
                layout.labels.iter().map(label).collect()
            }
        },
        bounds: [left, top, right - left, bottom - top].map(round),
        colors: (0..seats).map(|color| palette.name(Color(color))).collect(),
        sides: (0..seats).map(|seat| game.side_of(Seat(seat)).0).collect(),
        goal: capture.map(|capture| capture.goal.unwrap_or(0)).or(surround),
    }
}

fn rounded((x, y): Point) -> [f64; 2] {
    [round(x), round(y)]
}

/// A thousandth of a cell is less than a pixel.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
