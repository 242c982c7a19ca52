//! Replays the moves of a tree by the rules, and writes games as trees.

use crate::sgf::{NodeId, SgfSyntaxError, Tree};
use pentarch_core::board::{Grid, HexGrid};
use pentarch_core::game::{Cell, Color, Move, MoveKind, Outcome, PositionTextError};
use pentarch_core::rules::{Ruleset, SquareBoardRules, VariantSpecError};
use pentarch_engine::{Game, GameError, IllegalMove, moves_at};
use std::collections::BTreeMap;

/// Why a text is not a game in SGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// It is not a tree.
    #[error(transparent)]
    Syntax(#[from] SgfSyntaxError),
    /// The size is invalid.
    #[error("`SZ[{0}]` is no size")]
    Size(String),
    /// A point is not on the board.
    #[error("`{0}` is no point of the board")]
    Point(String),
    /// Stones are set up after the first move otherwise than the rules put them.
    #[error("after move {0} stones are set up that the rules put elsewhere")]
    Setup(usize),
    /// `PL` after the first move names another color than the one to move.
    #[error("after move {0} `PL` names another color than the one to move")]
    ToMove(usize),
    /// A node has both `MT` and several points.
    #[error("move {0}: a node with `MT` and several points")]
    Several(usize),
    /// The rules do not allow the size of the board.
    #[error(transparent)]
    Rules(#[from] VariantSpecError),
    /// The game has no board of squares.
    #[error("this game is not played on a board of squares")]
    NoBoard,
    /// The rules do not allow the stones at the start.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// A move cannot be played.
    #[error("move {0}: {1}")]
    Move(usize, SgfMoveError),
}

/// Why a move of SGF cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfMoveError {
    /// It is the other color's turn.
    #[error("it is the other color's turn")]
    Turn,
    /// It is the other color's turn after a pass that the rules do not have.
    #[error("it is the other color's turn; the rules do not allow the pass before")]
    Pass,
    /// The point is not on the board.
    #[error("`{0}` is no point of the board")]
    Point(String),
    /// The move is illegal.
    #[error("illegal: {0}")]
    Illegal(#[from] IllegalMove),
    /// The text of `MT` is not a move.
    #[error(transparent)]
    Text(#[from] GameError),
}

impl Tree {
    /// Creates the tree of a game with all its moves, and its result if the game is over.
    pub fn of(game: &Game) -> Tree {
        let mut now = game.start();
        let mut tree = Tree::start(&now);
        if let Some(outcome) = game.outcome() {
            tree.push(Tree::ROOT, "RE", &result(outcome));
        }
        let mut node = Tree::ROOT;
        for mv in game.moves() {
            match tree.play(node, &mut now, mv) {
                Ok(last) => node = last,
                Err(_) => break,
            }
        }
        tree
    }

    /// Plays the main line up to `moves` moves. The rules are those of the file if it names rules
    /// of Pentarch, else `rules` with the board size of the file.
    pub fn replay(&self, rules: &Ruleset, moves: usize) -> Result<Game, SgfError> {
        let mut replay = TreeReplay::new(self, rules)?;
        for node in self.main_line() {
            for mv in replay.moves_of(node)? {
                if replay.moves >= moves {
                    return Ok(replay.game);
                }
                replay.play(mv)?;
            }
            replay.check_setup(node, true)?;
        }
        Ok(replay.game)
    }

    fn has_move(&self, node: NodeId) -> bool {
        self.properties(node).any(|(name, _)| matches!(name, "B" | "W" | "MT"))
    }

    /// Parses `SZ`: columns and rows.
    ///
    /// `size = natural , [ ":" , natural ] ;`
    fn size(&self) -> Result<Option<(u32, u32)>, SgfError> {
        let Some(text) = self.get(Tree::ROOT, "SZ") else { return Ok(None) };
        let (columns, rows) = text.split_once(':').unwrap_or((text, text));
        let wrong = |_| SgfError::Size(text.to_owned());
        let number = |text: &str| text.trim().parse().map_err(wrong);
        Ok(Some((number(columns)?, number(rows)?)))
    }
}

fn result(outcome: Outcome) -> String {
    match outcome.winner {
        None => "0".to_owned(),
        Some(side) => format!("{}+", SgfColor::of(Color(side.0)).letter()),
    }
}

/// The game at a node of a tree.
#[derive(Clone, Debug)]
pub(crate) struct TreeReplay<'a> {
    tree: &'a Tree,
    pub(crate) game: Game,
    shape: PointGrid,
    /// Whether White moves first, as pente.org has it.
    white_first: bool,
    /// The number of moves of the file so far, including passes that the rules do not have.
    moves: usize,
    letters: LetterMeanings,
    /// Whether the color to move has passed in a game without passes.
    has_ignored_pass: bool,
}

/// The possible meanings of `B` and `W`, as far as the moves agree with them. They differ after a
/// swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LetterMeanings {
    /// The letter may be the color of the stone.
    stone: bool,
    /// The letter may be the player.
    player: bool,
}

/// A move of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum NodeMove<'a> {
    /// A stone on a point, or a pass.
    Point(SgfColor, &'a str),
    /// The text of `MT`.
    Text(&'a str),
}

impl<'a> TreeReplay<'a> {
    /// Creates the game before the first move.
    pub(crate) fn new(tree: &'a Tree, rules: &Ruleset) -> Result<TreeReplay<'a>, SgfError> {
        let start = Game::new(board_rules(tree, rules)?);
        let shape = PointGrid::of(&start);
        let before = || tree.main_line().take_while(|&node| !tree.has_move(node));
        let mut stones = BTreeMap::new();
        let mut first = None;
        for (name, value) in before().flat_map(|node| tree.properties(node)) {
            match name {
                "AB" | "AW" | "AE" => {
                    for cell in parse_points(shape, value)? {
                        match name {
                            "AE" => stones.remove(&cell),
                            "AB" => stones.insert(cell, Color(0)),
                            _ => stones.insert(cell, Color(1)),
                        };
                    }
                }
                "PL" => first = parse_color(value),
                _ => (),
            }
        }
        let mut all = tree.main_line().flat_map(|node| tree.properties(node));
        let leader =
            all.find_map(|(name, _)| (name.len() == 1).then(|| parse_color(name)).flatten());
        let position = tree.get(Tree::ROOT, "POS").filter(|_| rules_of_file(tree).is_some());
        let game = match position {
            Some(text) => start.with_text(text)?,
            None if stones.is_empty() && first.is_none() => start,
            None => start.with_stones(&stones, first.or(leader).unwrap_or(Color(0)))?,
        };
        let bare = stones.is_empty() && game.ply() == 0;
        let white_first = bare && game.seats() == 2 && leader == Some(Color(1));
        let letters = LetterMeanings { stone: true, player: true };
        Ok(TreeReplay {
            tree,
            game,
            shape,
            white_first,
            moves: 0,
            letters,
            has_ignored_pass: false,
        })
    }

    /// Returns whether White moves first.
    pub(crate) fn is_white_first(&self) -> bool {
        self.white_first
    }

    /// The number of moves played so far.
    pub(super) fn plies(&self) -> usize {
        self.game.moves().len()
    }

    pub(super) fn shape(&self) -> PointGrid {
        self.shape
    }

    /// Returns whether a pass was ignored because the rules do not have it.
    pub(super) fn has_ignored_pass(&self) -> bool {
        self.has_ignored_pass
    }

    pub(super) fn letters(&self) -> LetterMeanings {
        self.letters
    }

    /// Takes moves back, to a node at which the letters had this meaning.
    pub(super) fn go_back(&mut self, plies: usize, letters: LetterMeanings) {
        while self.plies() > plies && self.game.undo().is_some() {}
        (self.moves, self.letters) = (plies, letters);
    }

    /// Returns the moves of a node in their order. A node of FF4 has at most one.
    pub(super) fn moves_of(&self, node: NodeId) -> Result<Vec<NodeMove<'a>>, SgfError> {
        let (mut points, mut texts) = (Vec::new(), Vec::new());
        for (name, value) in self.tree.properties(node) {
            match name {
                "B" => points.push(NodeMove::Point(SgfColor::Black, value.trim())),
                "W" => points.push(NodeMove::Point(SgfColor::White, value.trim())),
                "MT" => texts.push(NodeMove::Text(value.trim())),
                _ => (),
            }
        }
        match texts.len() {
            0 => Ok(points),
            // The point is for other programs.
            count if points.len() <= count => Ok(texts),
            _ => Err(SgfError::Several(self.moves + 1)),
        }
    }

    /// Plays a move of a node. After an error the game is unchanged.
    pub(super) fn play(&mut self, mv: NodeMove<'_>) -> Result<(), SgfError> {
        self.moves += 1;
        let played = match mv {
            NodeMove::Text(text) => self.game.play(text).map(|_| ()).map_err(SgfMoveError::from),
            NodeMove::Point(stone, text) if self.is_pass(text) => self.pass(stone),
            NodeMove::Point(stone, text) => self.play_point(stone, text),
        };
        played.map_err(|problem| SgfError::Move(self.moves, problem))
    }

    /// Returns whether a point is a pass: empty, or `tt` on boards of up to 19 columns.
    pub(super) fn is_pass(&self, text: &str) -> bool {
        let small = self.shape.size().is_some_and(|(columns, _)| columns <= 19);
        text.is_empty() || text == "tt" && small
    }

    /// Programs that know only alternating turns pass for a player whose turn it is not, and after
    /// the end.
    fn pass(&mut self, stone: SgfColor) -> Result<(), SgfMoveError> {
        let pass = MoveKind::Pass.into();
        if self.game.check_move(pass).is_ok() {
            self.letters = self.letters_after(stone)?;
            self.game.play_move(pass)?;
        } else if self.game.outcome().is_none() && self.letters_after(stone) == Ok(self.letters) {
            self.has_ignored_pass = true;
        }
        Ok(())
    }

    fn play_point(&mut self, stone: SgfColor, text: &str) -> Result<(), SgfMoveError> {
        let cell = self.shape.parse(text).ok_or_else(|| SgfMoveError::Point(text.to_owned()))?;
        let (plies, letters) = (self.plies(), self.letters);
        let played = moves_at(&self.game, cell).into_iter().try_for_each(|mv| {
            if mv.cell().is_some() {
                self.letters = self.letters_after(stone)?;
            }
            self.game.check_move(mv)?;
            self.game.play_move(mv)?;
            Ok(())
        });
        if played.is_err() {
            let moves = self.moves;
            self.go_back(plies, letters);
            self.moves = moves;
        }
        played
    }

    /// Returns the remaining meanings of the letters if the color to move has this one. In games of
    /// more than two players the letters have no meaning.
    fn letters_after(&self, letter: SgfColor) -> Result<LetterMeanings, SgfMoveError> {
        if self.game.seats() != 2 {
            return Ok(self.letters);
        }
        let agrees = |color| (SgfColor::of(color) == letter) != self.white_first;
        let left = LetterMeanings {
            stone: self.letters.stone && agrees(self.game.color_to_move()),
            player: self.letters.player && agrees(Color(self.game.to_move().0)),
        };
        match left {
            LetterMeanings { stone: false, player: false } if self.has_ignored_pass => {
                Err(SgfMoveError::Pass)
            }
            LetterMeanings { stone: false, player: false } => Err(SgfMoveError::Turn),
            left => Ok(left),
        }
    }

    /// Checks the letter of a move that comes `later` moves after the first illegal one. Only in
    /// games with alternating turns it can be checked.
    pub(super) fn check_refused(&self, mv: NodeMove<'_>, later: usize) -> Result<(), SgfError> {
        let NodeMove::Point(letter, _) = mv else { return Ok(()) };
        let (game, rules) = (&self.game, self.game.rules());
        let swaps = rules.squares().is_some_and(|board| board.swap.is_some());
        if game.seats() != 2 || swaps || rules.seating().double_turns {
            return Ok(());
        }
        let color = Color((game.color_to_move().0 + later as u8 % 2) % 2);
        if (SgfColor::of(color) == letter) == self.white_first {
            return Err(SgfError::Move(self.moves + later, SgfMoveError::Turn));
        }
        Ok(())
    }

    /// Returns an error if stones are set up otherwise than the rules have put them. Stones that
    /// the main line has before its first move are the start of the game.
    pub(super) fn check_setup(&self, node: NodeId, is_main: bool) -> Result<(), SgfError> {
        if is_main && self.moves == 0 {
            return Ok(());
        }
        for (name, value) in self.tree.properties(node) {
            let wanted = match name {
                "AE" => None,
                "AB" | "AW" => Some((name == "AB") != self.white_first),
                "PL" => {
                    let letter = match parse_color(value) {
                        Some(Color(0)) => SgfColor::Black,
                        Some(_) => SgfColor::White,
                        None => continue,
                    };
                    self.letters_after(letter).map_err(|_| SgfError::ToMove(self.moves))?;
                    continue;
                }
                _ => continue,
            };
            for cell in parse_points(self.shape, value)? {
                let color = self.game.content(cell).filter(|color| *color < Color::NEUTRAL);
                if color.map(|color| SgfColor::of(color) == SgfColor::Black) != wanted {
                    return Err(SgfError::Setup(self.moves));
                }
            }
        }
        Ok(())
    }
}

/// Returns the rules of a file if `RU` is a spec.
fn rules_of_file(tree: &Tree) -> Option<Ruleset> {
    tree.get(Tree::ROOT, "RU")?.trim().parse().ok()
}

/// Returns the rules of a file, or `rules` if it names none, with the board size of the file.
fn board_rules(tree: &Tree, rules: &Ruleset) -> Result<Ruleset, SgfError> {
    let rules = rules_of_file(tree).unwrap_or_else(|| rules.clone());
    let Some((columns, rows)) = tree.size()? else { return Ok(rules) };
    let own = PointGrid::of(&Game::new(rules.clone())).size().ok_or(SgfError::NoBoard)?;
    if (columns, rows) == (own.0.into(), own.1.into()) {
        return Ok(rules);
    }
    Ok(rules.with(&format!("size={columns}x{rows}"))?)
}

fn parse_color(text: &str) -> Option<Color> {
    match text.trim().chars().next()?.to_ascii_uppercase() {
        'B' | '1' => Some(Color(0)),
        'W' | '2' => Some(Color(1)),
        _ => None,
    }
}

/// Parses a point, or a rectangle of points, `aa:cc`.
pub(super) fn parse_points(shape: PointGrid, value: &str) -> Result<Vec<Cell>, SgfError> {
    let wrong = || SgfError::Point(value.to_owned());
    let value = value.trim();
    let Some((from, to)) = value.split_once(':') else {
        return Ok(vec![shape.parse(value).ok_or_else(wrong)?]);
    };
    let corner = |text: &str| match text.as_bytes() {
        [column @ b'a'..=b'z', row @ b'a'..=b'z'] => Some((*column, *row)),
        _ => None,
    };
    let ((left, top), (right, bottom)) = corner(from).zip(corner(to)).ok_or_else(wrong)?;
    let columns = |row: u8| (left..=right).map(move |column| [column, row].map(char::from));
    let points = (top..=bottom).flat_map(columns);
    points.map(|point| shape.parse(&String::from_iter(point)).ok_or_else(wrong)).collect()
}

/// The number of gomoku and renju in the property `GM`.
const GOMOKU_NUMBER: &str = "4";

impl Tree {
    /// Creates a tree whose root is a position: the rules, the board, the stones, and the color to
    /// move. The moves that led to it are left out.
    ///
    /// ```
    /// use pentarch_engine::Game;
    /// use pentarch_records::sgf::Tree;
    /// let mut game = Game::new("pente".parse()?);
    /// let mut tree = Tree::start(&game);
    /// let mut node = Tree::ROOT;
    /// for text in ["j10", "k10", "a1", "l10", "m10"] {
    ///     let mv = game.parse_move(text)?;
    ///     node = tree.play(node, &mut game, mv)?;
    /// }
    /// tree.push(node, "C", "a pair is captured");
    /// assert!(tree.to_string().ends_with(";B[jj];W[kj];B[as];W[lj];B[mj];AE[kj][lj]C[a pair is captured])"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(game: &Game) -> Tree {
        let mut tree = Tree::new();
        let root = Tree::ROOT;
        for (name, text) in [("FF", "4"), ("CA", "UTF-8"), ("AP", "Pentarch")] {
            tree.push(root, name, text);
        }
        let view = GoBoard::of(game);
        if let Some((columns, rows)) = view.size() {
            let size =
                if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") };
            tree.push(root, "SZ", &size);
        }
        tree.push(root, "RU", &game.rules().to_string());
        let start = Game::new(game.rules().clone());
        if game.text() == start.text() {
            return tree;
        }
        if !setup_is_complete(game, &start) {
            tree.push(root, "POS", &game.text());
        }
        for stone in [SgfColor::Black, SgfColor::White] {
            for point in view.points(Some(stone)) {
                tree.push(root, stone.setup(), &point);
            }
        }
        tree.push(root, "PL", SgfColor::of(game.color_to_move()).letter());
        tree.push_marks(root, game);
        tree
    }

    /// Adds `GM` if the game is gomoku. The other games have no number, and Go programs refuse
    /// games with any number but their own.
    pub fn push_game_number(&mut self, rules: &Ruleset) {
        let plain = rules.squares().is_some_and(|board| board.capture.is_none());
        if plain && rules.seating().seats == 2 && !rules.seating().double_turns {
            self.push(Tree::ROOT, "GM", GOMOKU_NUMBER);
        }
    }

    /// Plays a move and adds a node for it after `node`, which is the position before it. Changes
    /// that a viewer cannot know, such as captures, are set up in one more node. Returns the last
    /// node, to which comments and marks belong.
    pub fn play(&mut self, node: NodeId, game: &mut Game, mv: Move) -> Result<NodeId, IllegalMove> {
        let mut view = GoBoard::of(game);
        let stone = SgfColor::of(game.color_to_move());
        let text = game.move_text(mv);
        game.check_move(mv)?;
        let _ = game.play_move(mv);
        let node = self.add(node);
        match mv.kind() {
            MoveKind::Pass => self.push(node, stone.letter(), ""),
            kind => {
                if let Some(cell) = mv.cell() {
                    self.push(node, stone.letter(), &view.point(cell));
                    view.place(cell, stone);
                }
                if !matches!(kind, MoveKind::Stone(_)) {
                    self.push(node, "MT", &text);
                }
            }
        }
        let last = self.set_up(node, &view, &GoBoard::of(game));
        self.push_marks(last, game);
        Ok(last)
    }

    /// Adds a node that sets up the difference between two boards.
    fn set_up(&mut self, node: NodeId, shown: &GoBoard, wanted: &GoBoard) -> NodeId {
        if shown == wanted {
            return node;
        }
        let setup = self.add(node);
        for (cell, stone) in shown.changes(wanted) {
            self.push(setup, stone.map_or("AE", SgfColor::setup), &wanted.point(cell));
        }
        setup
    }

    /// Marks the stones that are neither black nor white: those of the third and fourth color with
    /// triangles, neutral ones with squares on empty points.
    fn push_marks(&mut self, node: NodeId, game: &Game) {
        if !has_marked_stones(game) {
            return;
        }
        let view = GoBoard::of(game);
        for (property, colors) in [("TR", 2..4), ("SQ", 4..6)] {
            for cell in game.cells() {
                if game.content(cell).is_some_and(|color| colors.contains(&color.0)) {
                    self.push(node, property, &view.point(cell));
                }
            }
        }
    }
}

/// Returns whether the stones and the color to move determine the position.
fn setup_is_complete(game: &Game, start: &Game) -> bool {
    let stone = |cell| Some((cell, game.content(cell)?));
    let stones: BTreeMap<_, _> = game.cells().into_iter().filter_map(stone).collect();
    let plain = game.seats() == 2 && stones.values().all(|&color| color < Color::NEUTRAL);
    let set_up = || start.with_stones(&stones, game.color_to_move());
    plain && game.grid().is_some() && set_up().is_ok_and(|again| again.text() == game.text())
}

/// Returns whether a game may have stones that are neither black nor white.
pub(super) fn has_marked_stones(game: &Game) -> bool {
    let special =
        |board: &SquareBoardRules| board.stones.neutral > 0 || board.stones.power.is_some();
    game.seats() > 2 || game.rules().squares().is_some_and(special)
}

/// A color of SGF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SgfColor {
    Black,
    White,
}

impl SgfColor {
    /// Returns the color of a player: Black for the first and third, White for the others.
    pub(super) const fn of(color: Color) -> SgfColor {
        if color.0.is_multiple_of(2) { SgfColor::Black } else { SgfColor::White }
    }

    /// The property of a move.
    pub(super) const fn letter(self) -> &'static str {
        match self {
            SgfColor::Black => "B",
            SgfColor::White => "W",
        }
    }

    /// The property that sets up a stone.
    pub(super) const fn setup(self) -> &'static str {
        match self {
            SgfColor::Black => "AB",
            SgfColor::White => "AW",
        }
    }
}

/// The points of a board in columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointGrid {
    Squares(Grid),
    /// Hexagons on a square of points as wide as their longest row, each row shifted.
    Hexes(HexGrid),
    /// A table of tiles, which has no points.
    None,
}

impl PointGrid {
    pub(super) fn of(game: &Game) -> PointGrid {
        match (game.grid(), game.hex_grid()) {
            (Some(grid), _) => PointGrid::Squares(grid),
            (None, Some(grid)) => PointGrid::Hexes(grid),
            (None, None) => PointGrid::None,
        }
    }

    /// The numbers of columns and rows.
    pub(super) fn size(self) -> Option<(u8, u8)> {
        match self {
            PointGrid::Squares(grid) => Some((grid.columns(), grid.rows())),
            PointGrid::Hexes(grid) => Some((grid.longest_row(), grid.longest_row())),
            PointGrid::None => None,
        }
    }

    /// Returns the column and row of a cell, from the lower left.
    fn place(self, cell: Cell) -> (u8, u8) {
        match self {
            PointGrid::Squares(grid) => (grid.column(cell), grid.row(cell)),
            PointGrid::Hexes(grid) => (grid.skewed_column(cell), grid.row(cell)),
            PointGrid::None => (0, 0),
        }
    }

    /// Returns the cell at a column and row, from the lower left.
    fn cell(self, column: i32, row: i32) -> Option<Cell> {
        match self {
            PointGrid::Squares(grid) => grid.get(column, row),
            PointGrid::Hexes(grid) => grid.at_skewed(row.try_into().ok()?, column.try_into().ok()?),
            PointGrid::None => None,
        }
    }

    /// Formats a cell as two letters, counted from the upper left.
    pub(super) fn point(self, cell: Cell) -> String {
        let (column, row) = self.place(cell);
        let top = self.size().map_or(0, |(_, rows)| rows.saturating_sub(1));
        [column, top.saturating_sub(row)].map(|n| char::from(b'a' + n)).iter().collect()
    }

    /// Parses a point: two letters, counted from the upper left, or `K10` as pente.org writes it.
    pub(super) fn parse(self, text: &str) -> Option<Cell> {
        let (_, rows) = self.size()?;
        if let [column @ b'a'..=b'z', row @ b'a'..=b'z'] = text.as_bytes() {
            return self.cell((column - b'a').into(), i32::from(rows) - 1 - i32::from(row - b'a'));
        }
        let letter = text.chars().next()?.to_ascii_uppercase();
        let column = "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(letter)?;
        let row: i32 = text.get(1..)?.parse().ok()?;
        self.cell(column as i32, row.checked_sub(1)?)
    }

    fn neighbors(self, cell: Cell) -> impl Iterator<Item = Cell> {
        let (column, row) = self.place(cell);
        let (column, row) = (i32::from(column), i32::from(row));
        let steps = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)];
        steps.into_iter().filter_map(move |(column, row)| self.cell(column, row))
    }
}

/// The stones that a viewer of SGF shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GoBoard {
    shape: PointGrid,
    /// By cell index.
    stones: Vec<Option<SgfColor>>,
}

impl GoBoard {
    /// Returns the board of a game. Neutral stones are not shown.
    pub(super) fn of(game: &Game) -> GoBoard {
        let cells = game.cells();
        let mut stones = vec![None; cells.last().map_or(0, |cell| cell.index() + 1)];
        for cell in cells {
            let color = game.content(cell).filter(|color| color.0 < Color::NEUTRAL.0);
            stones[cell.index()] = color.map(SgfColor::of);
        }
        GoBoard { shape: PointGrid::of(game), stones }
    }

    pub(super) fn size(&self) -> Option<(u8, u8)> {
        self.shape.size()
    }

    pub(super) fn point(&self, cell: Cell) -> String {
        self.shape.point(cell)
    }

    /// The points with this content.
    pub(super) fn points(&self, stone: Option<SgfColor>) -> impl Iterator<Item = String> {
        let cells = (0..).map(Cell).zip(&self.stones);
        cells.filter(move |&(_, &there)| there == stone).map(|(cell, _)| self.point(cell))
    }

    /// Returns the cells that differ in another board, with their content there; those that become
    /// empty first.
    pub(super) fn changes(&self, other: &GoBoard) -> Vec<(Cell, Option<SgfColor>)> {
        let cells = (0..).map(Cell).zip(self.stones.iter().zip(&other.stones));
        let differ = cells.filter(|(_, (before, after))| before != after);
        let mut changes: Vec<_> = differ.map(|(cell, (_, &after))| (cell, after)).collect();
        changes.sort_by_key(|&(_, stone)| stone.map_or(0, |stone| 1 + stone as u8));
        changes
    }

    /// Places a stone as a Go program does: groups of the other color without liberties are
    /// removed, then its own.
    pub(super) fn place(&mut self, cell: Cell, stone: SgfColor) {
        self.stones[cell.index()] = Some(stone);
        let around: Vec<_> = self.shape.neighbors(cell).collect();
        for next in around {
            if self.stones[next.index()].is_some_and(|there| there != stone) {
                self.remove_if_surrounded(next);
            }
        }
        self.remove_if_surrounded(cell);
    }

    fn remove_if_surrounded(&mut self, cell: Cell) {
        let color = self.stones[cell.index()];
        let mut group = vec![cell];
        let mut visited = 0;
        while let Some(&stone) = group.get(visited) {
            visited += 1;
            for next in self.shape.neighbors(stone) {
                match self.stones[next.index()] {
                    None => return,
                    there if there == color && !group.contains(&next) => group.push(next),
                    _ => (),
                }
            }
        }
        for cell in group {
            self.stones[cell.index()] = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_of_several_moves_is_played_move_by_move() {
        let tree = Tree::parse("(;GM[4]SZ[15];B[hh]W[ii];B[gg])").unwrap();
        let plies = |most| tree.replay(&"gomoku".parse().unwrap(), most).unwrap().ply();
        assert_eq!([0, 1, 2, 3, 9].map(plies), [0, 1, 2, 3, 3]);
    }

    fn replay(text: &str) -> Result<Game, String> {
        let tree = Tree::parse(text).map_err(|error| error.to_string())?;
        let rules = "pro-pente".parse().unwrap();
        tree.replay(&rules, usize::MAX).map_err(|error| error.to_string())
    }

    #[test]
    fn games_of_other_programs() {
        for (text, plies) in [
            ("(;GM[1]FF[4]SZ[19]KM[6.5];B[jj];W[ki];B[mg])", 3),
            ("(;GM[102]SZ[19]PW[a]PB[b];W[K10];B[L9];W[N7];B[C3])", 4),
            ("  (;SZ[15:15]RU[unknown]C[a \\] b];B[hh]LB[aa:x])junk", 1),
            ("(;SZ[19];B[jj](;B[];W[aa])(;W[bb]))", 2),
            ("(;RU[gomoku]SZ[9:7];B[ag];W[ia];B[tt])", 2),
        ] {
            let game = replay(text);
            assert_eq!(game.map(|game| game.ply()), Ok(plies), "{text}");
        }
    }

    #[test]
    fn a_swap_opening_of_an_arena_for_go_and_our_own() {
        let rules = "d-pente".parse().unwrap();
        let text = "(;B[jj];W[];B[kj];W[];B[aa];W[];B[bb];W[jj];B[];W[cc];B[dd])";
        let game = Tree::parse(text).unwrap().replay(&rules, usize::MAX).unwrap();
        let moves: Vec<_> = game.moves().iter().map(|&mv| game.move_text(mv)).collect();
        assert_eq!(moves, ["j10", "k10", "a19", "b18", "swap", "c17", "d16"]);
        let again = Tree::of(&game).to_string();
        assert!(again.ends_with(";B[jj];W[kj];B[aa];W[bb];MT[swap];B[cc];W[dd])"), "{again}");
        assert_eq!(replay(&again).unwrap().text(), game.text());
    }

    #[test]
    fn stones_at_the_start() {
        let game = replay("(;SZ[5]RU[gomoku]AB[aa:bb]AW[ee]PL[W];W[ed])").unwrap();
        assert_eq!(game.text(), "bb3/bb3/5/4w/4w b - - 7");
        let again = Tree::of(&game).to_string();
        assert_eq!(
            again,
            "(;FF[4]CA[UTF-8]AP[Pentarch]SZ[5]RU[gomoku+size=5]\n\
                           AB[ab][bb][aa][ba]\nAW[ee]PL[W]\n;W[ed])"
        );
        assert_eq!(replay(&again).unwrap().text(), game.text());
    }

    #[test]
    fn a_finished_game_survives_a_round_trip() {
        let mut game = Game::new("gomoku+size=3x3+line=3".parse().unwrap());
        for text in ["b2", "a1", "b1", "a3", "b3"] {
            game.play(text).unwrap();
        }
        let text = Tree::of(&game).to_string();
        assert!(text.contains("RE[B+]") && text.contains(";B[bb];W[ac]"), "{text}");
        assert_eq!(replay(&text).unwrap().text(), game.text());
    }

    #[test]
    fn errors_name_the_cause() {
        for (text, error) in [
            ("no game", "this is no SGF: a game begins with `(;`"),
            ("(;B[jj]", "the file ends in the middle of the game"),
            ("(;B[jj", "the file ends in the middle of the game"),
            ("([x])", "this is no SGF: a game begins with `(;`"),
            ("(;SZ[x])", "`SZ[x]` is no size"),
            ("(;SZ[40])", "modifier `size=40x40` needs"),
            ("(;AB[zz])", "`zz` is no point of the board"),
            ("(;AB[cc:x])", "`cc:x` is no point of the board"),
            ("(;B[jj];AW[aa])", "after move 1 stones are set up that the rules put elsewhere"),
            ("(;B[aa])", "move 1: illegal: the first stone goes to the center"),
            ("(;B[jj];B[aa])", "move 2: it is the other color's turn"),
            ("(;B[jj];W[];B[aa])", "move 3: it is the other color's turn; the rules do not"),
            ("(;B[jj]W[aa]W[bb])", "move 3: it is the other color's turn"),
            ("(;B[jj]MT[aa]W[bb])", "move 1: a node with `MT` and several points"),
            ("(;B[jj];PL[B])", "after move 1 `PL` names another color than the one to move"),
            ("(;B[jj];W[zz])", "move 2: `zz` is no point of the board"),
            ("(;B[jj];MT[x])", "move 2: illegal move `x`"),
        ] {
            let found = replay(text).map(|game| game.text()).unwrap_err();
            assert!(found.starts_with(error), "{text}: {found}");
        }
    }

    #[test]
    fn stones_are_captured_as_in_go() {
        let game = Game::new("gomoku+size=5".parse().unwrap());
        let mut view = GoBoard::of(&game);
        let grid = game.grid().unwrap();
        let mut place = |text: &str, stone| {
            view.place(grid.parse(text).unwrap(), stone);
            view.stones.iter().flatten().count()
        };
        let counts = [("a1", SgfColor::White), ("b1", SgfColor::White), ("a2", SgfColor::Black)];
        assert_eq!(counts.map(|(text, stone)| place(text, stone)), [1, 2, 3]);
        assert_eq!(place("b2", SgfColor::Black), 4);
        assert_eq!(place("c1", SgfColor::Black), 3, "two are captured");
        assert_eq!(place("a1", SgfColor::White), 4);
        assert_eq!(place("b1", SgfColor::White), 3, "nothing is captured, so it is suicide");
    }

    #[test]
    fn points_survive_a_round_trip() {
        for spec in ["pente", "gomoku+size=10x8", "pentalath", "yavalath", "pente+size=25"] {
            let game = Game::new(spec.parse().unwrap());
            let shape = PointGrid::of(&game);
            for cell in game.cells() {
                assert_eq!(shape.parse(&shape.point(cell)), Some(cell), "{spec}");
            }
        }
    }
}
