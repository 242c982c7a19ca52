//! Games of ours as nodes, so that any viewer of SGF shows the right stones.

use super::Tree;
use super::tree::NodeId;
use super::view::{Stone, View};
use pentarch_core::game::{Color, Move, MoveKind};
use pentarch_core::rules::{Ruleset, SquareBoardRules};
use pentarch_engine::{Game, IllegalMove};
use std::collections::BTreeMap;

/// The number that the format has for gomoku and renju.
const GOMOKU: &str = "4";

impl Tree {
    /// A tree whose root is a game as it stands: the rules, the board, the stones on it, and who is
    /// to move. Its moves so far are not told.
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
        let view = View::of(game);
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
        if !says_all(game, &start) {
            tree.push(root, "POS", &game.text());
        }
        for stone in [Stone::Black, Stone::White] {
            for point in view.points(Some(stone)) {
                tree.push(root, stone.setup(), &point);
            }
        }
        tree.push(root, "PL", Stone::of(game.color_to_move()).letter());
        tree.push_marks(root, game);
        tree
    }

    /// Says by `GM` that the game is gomoku, if it is. The other games have no number; programs for
    /// Go refuse games with any but their own.
    pub fn push_game_number(&mut self, rules: &Ruleset) {
        let plain = rules.squares().is_some_and(|board| board.capture.is_none());
        if plain && rules.seating().seats == 2 && !rules.seating().double_turns {
            self.push(Tree::ROOT, "GM", GOMOKU);
        }
    }

    /// Plays a move and adds it after a node, which is the game as it was before. What a viewer
    /// cannot know by itself, such as captures, is set up in one more node. Returns the last node,
    /// after which the game goes on and where comments and marks belong.
    pub fn play(&mut self, node: NodeId, game: &mut Game, mv: Move) -> Result<NodeId, IllegalMove> {
        let mut view = View::of(game);
        let stone = Stone::of(game.color_to_move());
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
        let last = self.set_up(node, &view, &View::of(game));
        self.push_marks(last, game);
        Ok(last)
    }

    /// Adds a node that makes one board of another where they differ.
    fn set_up(&mut self, node: NodeId, shown: &View, wanted: &View) -> NodeId {
        if shown == wanted {
            return node;
        }
        let setup = self.add(node);
        for (cell, stone) in shown.changes(wanted) {
            self.push(setup, stone.map_or("AE", Stone::setup), &wanted.point(cell));
        }
        setup
    }

    /// Marks what is neither black nor white: stones of a third and a fourth color by triangles,
    /// those of no color by squares on empty points.
    fn push_marks(&mut self, node: NodeId, game: &Game) {
        if !has_own_marks(game) {
            return;
        }
        let view = View::of(game);
        for (property, colors) in [("TR", 2..4), ("SQ", 4..6)] {
            for cell in game.cells() {
                if game.content(cell).is_some_and(|color| colors.contains(&color.0)) {
                    self.push(node, property, &view.point(cell));
                }
            }
        }
    }
}

/// Whether the stones and who is to move say all about a position.
fn says_all(game: &Game, start: &Game) -> bool {
    let stone = |cell| Some((cell, game.content(cell)?));
    let stones: BTreeMap<_, _> = game.cells().into_iter().filter_map(stone).collect();
    let plain = game.seats() == 2 && stones.values().all(|&color| color < Color::NEUTRAL);
    let set_up = || start.with_stones(&stones, game.color_to_move());
    plain && game.grid().is_some() && set_up().is_ok_and(|again| again.text() == game.text())
}

/// Whether there may be stones that are neither black nor white.
pub(super) fn has_own_marks(game: &Game) -> bool {
    let special =
        |board: &SquareBoardRules| board.stones.neutral > 0 || board.stones.power.is_some();
    game.seats() > 2 || game.rules().squares().is_some_and(special)
}
