//! The data of games and boards for the viewer. Each game is a JSON object with the changes of
//! every ply.
//!
//! A ply that only places a stone is a number, `16 * cell + content`. Any other is an object: `set`
//! lists such numbers in the order of change (content 0 removes a stone); `tile` is `[content,
//! level]` of a tile on the cells in `at`; `move` is the text where it is not that of the cells;
//! `say` describes a move without a cell; `captures` lists the former colors of the stones that
//! each color has captured, if that has changed. Contents are 1 to 4 for the colors, 5 for a
//! neutral stone, 6 for a power stone, and 9 to 12 for the bombs of the colors.
//!
//! Lists by ply (`chances`, `scores`, `depths`, `nodes`, `times`) have null for unknown values;
//! `marks`, `comments` and `lines` are lists of `[ply, ...]`. Plies count from 0; a line begins at
//! the position before its ply.

use crate::page::{GameView, MoveMark, NamedLine, PlyNote, ScoreSource};
use crate::picture::{BoardLayout, CellShape, ColumnLetters, PicturePoint, Prisoners};
use pentarch_core::game::{Cell, Color, Move, MoveKind, Orientation, Place, Seat};
use pentarch_core::stacking::{OrientedTile, Spot};
use pentarch_engine::Game;
use serde::Serialize;
use std::collections::HashMap;
use std::time::Duration;

/// The content of a bomb is that of its color plus this.
const BOMB: u8 = 8;

/// A ply of a game or of a line.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum PlyData {
    /// A stone on a cell.
    Stone(u32),
    /// Anything else.
    Other(Box<PlyChanges>),
}

#[derive(Clone, Debug, Default, Serialize)]
struct PlyChanges {
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

/// A game. Empty fields are left out.
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
    /// The seat of each ply as a digit from 0, and that of the last position.
    seats: String,
    /// The seat that owns each color at the end.
    owners: Vec<u8>,
    /// The stones or tiles of the starting position, one ply each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    start: Vec<PlyData>,
    /// The plies before the starting position.
    #[serde(skip_serializing_if = "is_zero")]
    plies_before: u32,
    moves: Vec<PlyData>,
    /// Whether each player scored its own moves.
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
    /// In milliseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    times: Vec<Option<u64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<(usize, &'static str)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<(usize, &'a str)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<(usize, Vec<LineData<'a>>)>,
}

/// A line: its name, its score, its plies.
type LineData<'a> = (&'a str, Option<String>, Vec<PlyData>);

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Replays a game and its lines and encodes them.
pub(super) fn encode<'a>(view: &'a GameView, boards: &mut BoardTable) -> GameData<'a> {
    let GameView { game, header, notes, score_source } = view;
    let board = boards.of(game);
    let played = game.start();
    let mut encoder = GameEncoder { prisoners: Prisoners::at_start(&played), game: played, board };
    let (start, plies_before) = (encoder.start(), encoder.game.ply());
    let (mut seats, mut moves, mut lines) = (String::new(), Vec::new(), Vec::new());
    let played = game.moves();
    for (ply, mv) in played.iter().copied().map(Some).chain([None]).enumerate() {
        let found = notes.get(ply).map_or(&[][..], |note| &note.lines);
        let found: Vec<_> = found.iter().map(|line| encoder.line(line)).collect();
        if !found.is_empty() {
            lines.push((ply, found));
        }
        seats.push(char::from(b'0' + encoder.game.to_move().0));
        moves.extend(mv.and_then(|mv| encoder.play(mv)));
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
        own_values: *score_source == ScoreSource::Players,
        chances: by_ply(notes, win_permille),
        scores: by_ply(notes, |note| note.score.map(|score| score.to_string())),
        depths: by_ply(notes, |note| note.depth),
        nodes: by_ply(notes, |note| note.nodes),
        times: by_ply(notes, |note| note.time.map(milliseconds)),
        marks: some_plies(notes, |note| note.mark.map(MoveMark::key)),
        comments: some_plies(notes, |note| Some(note.comment.as_str()).filter(|c| !c.is_empty())),
        lines,
    }
}

/// The win probability in thousandths.
fn win_permille(note: &PlyNote) -> Option<u16> {
    let chance =
        note.win_probability.or(note.score.map(pentarch_engine::search::Score::win_probability))?;
    Some((chance.clamp(0.0, 1.0) * 1000.0).round() as u16)
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns a value of each note, up to the last note that has it.
fn by_ply<T>(notes: &[PlyNote], value: impl Fn(&PlyNote) -> Option<T>) -> Vec<Option<T>> {
    let mut values: Vec<_> = notes.iter().map(value).collect();
    values.truncate(values.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
    values
}

/// Returns the plies whose notes have a value, with that value.
fn some_plies<'a, T>(
    notes: &'a [PlyNote],
    value: impl Fn(&'a PlyNote) -> Option<T>,
) -> Vec<(usize, T)> {
    notes.iter().enumerate().filter_map(|(ply, note)| Some((ply, value(note)?))).collect()
}

/// A game that is replayed to encode its changes.
struct GameEncoder<'a> {
    game: Game,
    prisoners: Prisoners,
    board: &'a NumberedBoard,
}

impl GameEncoder<'_> {
    /// Encodes the starting position.
    fn start(&self) -> Vec<PlyData> {
        let mut start = Vec::new();
        if let Some(position) = self.game.stacking() {
            start.extend(position.tiles().map(|tile| {
                let at = tile.cells().map(spot_number).collect();
                other(PlyChanges {
                    tile: Some([tile.color.0 + 1, tile.level]),
                    at,
                    ..PlyChanges::default()
                })
            }));
            return start;
        }
        let stone = |cell| self.game.content(cell).map(|color| self.number(cell, color.0 + 1));
        start.extend(self.game.cells().into_iter().filter_map(stone).map(PlyData::Stone));
        if self.game.captures().iter().any(|&count| count > 0) {
            let captures = Some(self.captures());
            start.push(other(PlyChanges { captures, ..PlyChanges::default() }));
        }
        start
    }

    /// Encodes a line up to its first illegal move. The game is unchanged afterwards.
    fn line<'a>(&mut self, line: &'a NamedLine) -> LineData<'a> {
        let before = self.prisoners.clone();
        let plies: Vec<_> = line.moves.iter().map_while(|&mv| self.play(mv)).collect();
        for _ in &plies {
            self.game.undo();
        }
        self.prisoners = before;
        (&line.name, line.score.map(|score| score.to_string()), plies)
    }

    /// Plays a move and encodes its changes. Returns `None` if it is illegal.
    fn play(&mut self, mv: Move) -> Option<PlyData> {
        let seat = self.game.to_move();
        let level = self.game.stacking().map_or(0, |position| position.level_of(mv));
        let color = self.game.color_to_move();
        self.game.play_move(mv).ok()?;
        let captures = self.prisoners.follow(&self.game).then(|| self.captures());
        if let MoveKind::Tile(orientation, place) = mv.kind() {
            let tile = Some([color.0 + 1, level]);
            let at = tile_cells(orientation, place);
            return Some(other(PlyChanges { tile, at, ..PlyChanges::default() }));
        }
        let text = self.game.move_text(mv);
        let Some(cell) = mv.cell() else {
            let owned = (0..self.game.seats()).map(Color);
            let owned = owned.into_iter().find(|&color| self.game.seat_of(color) == seat);
            let name = self.game.rules().color_names().name(owned.unwrap_or(color));
            let say = Some(describe_choice(mv.kind(), name));
            return Some(other(PlyChanges { mv: Some(text), say, ..PlyChanges::default() }));
        };
        let changes = self.game.changes().iter();
        let set: Vec<_> = changes.map(|change| self.number(change.cell, change.after)).collect();
        let set = match mv.kind() {
            MoveKind::Bomb(_) => self.mark_bomb(set, cell),
            _ => set,
        };
        let mv = Some(text).filter(|text| *text != self.game.cell_text(cell));
        if let (None, None, [stone]) = (&mv, &captures, set.as_slice()) {
            return Some(PlyData::Stone(*stone));
        }
        Some(other(PlyChanges { mv, set, captures, ..PlyChanges::default() }))
    }

    /// Makes the stone on a cell a bomb.
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

    /// Returns, by capturing color, the former contents of the stones; 0 if unknown.
    fn captures(&self) -> Vec<Vec<u8>> {
        let content = |stone: &Option<Color>| stone.map_or(0, |color| color.0 + 1);
        self.prisoners.iter().map(|(_, stones)| stones.iter().map(content).collect()).collect()
    }
}

fn other(ply: PlyChanges) -> PlyData {
    PlyData::Other(Box::new(ply))
}

/// Describes a move without a cell, as it follows the name of its player.
fn describe_choice(kind: MoveKind, color: &str) -> String {
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

/// Returns the cells of a tile in the order of its text.
fn tile_cells(orientation: Orientation, place: Place) -> Vec<u32> {
    let cells = OrientedTile::of(orientation).cells.iter();
    let side = u32::from(Spot::SIDE);
    cells.map(|&(dx, dy)| u32::from(place.0) + u32::from(dy) * side + u32::from(dx)).collect()
}

/// The geometry of a board for the viewer. The unit is the distance of two neighboring cells; `y`
/// grows downward.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BoardData {
    /// The canonical text of the rules.
    rules: String,
    /// `point`, `hexagon` or `square`.
    shape: &'static str,
    /// The centers of the cells by number.
    cells: Vec<[f64; 2]>,
    /// The names of the cells by number. For a table, whose cells are not listed, the names of the
    /// columns: cell `row * columns + column` has the center `(column, -row)`.
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
    /// The captures that win: 0 if they are only counted, `None` if the game has no captures.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<u16>,
}

/// The boards of a page. Each is described once; games refer to it by its number.
#[derive(Clone, Debug, Default)]
pub(super) struct BoardTable {
    known: HashMap<String, NumberedBoard>,
    data: Vec<BoardData>,
}

/// The number of a board, and those of its cells.
#[derive(Clone, Debug)]
pub(super) struct NumberedBoard {
    pub number: usize,
    cells: HashMap<Cell, u32>,
}

impl NumberedBoard {
    /// The number of a cell for the viewer.
    pub(super) fn cell(&self, cell: Cell) -> u32 {
        self.cells.get(&cell).copied().unwrap_or_default()
    }
}

impl BoardTable {
    /// Returns the board of a game and adds it if it is new.
    pub(super) fn of(&mut self, game: &Game) -> &NumberedBoard {
        let data = &mut self.data;
        self.known.entry(game.rules().to_string()).or_insert_with(|| {
            let layout = BoardLayout::of(game, ColumnLetters::All);
            let cells = layout.cells.iter().zip(0..).map(|(&(cell, _), n)| (cell, n)).collect();
            data.push(describe(game, &layout));
            NumberedBoard { number: data.len() - 1, cells }
        })
    }

    /// The boards in the order of their numbers.
    pub(super) fn data(&self) -> &[BoardData] {
        &self.data
    }
}

fn describe(game: &Game, layout: &BoardLayout) -> BoardData {
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
            // The viewer names the rows and columns of the visible part of a table.
            CellShape::Square => Vec::new(),
            CellShape::Point | CellShape::Hexagon => {
                let label =
                    |((x, y), name): &(PicturePoint, String)| (round(*x), round(*y), name.clone());
                layout.labels.iter().map(label).collect()
            }
        },
        bounds: [left, top, right - left, bottom - top].map(round),
        colors: (0..seats).map(|color| palette.name(Color(color))).collect(),
        sides: (0..seats).map(|seat| game.side_of(Seat(seat)).0).collect(),
        goal: capture.map(|capture| capture.goal.unwrap_or(0)).or(surround),
    }
}

fn rounded((x, y): PicturePoint) -> [f64; 2] {
    [round(x), round(y)]
}

/// A thousandth of a cell is less than a pixel.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
