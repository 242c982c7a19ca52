//! A tree's moves played by the rules.

use super::view::{Shape, Stone};
use super::{NodeId, SyntaxError, Tree};
use pentarch_core::game::{Cell, Color, MoveKind, Outcome, PositionTextError};
use pentarch_core::rules::{Ruleset, SpecError};
use pentarch_engine::{Game, GameError, IllegalMove, moves_at};
use std::collections::BTreeMap;

/// Why a text is no game in SGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// It is no tree.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A size that is none.
    #[error("`SZ[{0}]` is no size")]
    Size(String),
    /// A point that is none.
    #[error("`{0}` is no point of the board")]
    Point(String),
    /// Stones that come or go after the first move, other than the rules say.
    #[error("after move {0} stones are set up that the rules put elsewhere")]
    Setup(usize),
    /// The board does not fit the rules.
    #[error(transparent)]
    Rules(#[from] SpecError),
    /// The game has no board of squares.
    #[error("this game is not played on a board of squares")]
    NoBoard,
    /// The stones at the start are none that the rules allow.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// A move that cannot be played.
    #[error("move {0}: {1}")]
    Move(usize, Problem),
}

/// Why a move cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It is the other color's turn.
    #[error("it is the other color's turn")]
    Turn,
    /// Not a point.
    #[error("`{0}` is no point of the board")]
    Point(String),
    /// The rules forbid it.
    #[error("illegal: {0}")]
    Illegal(#[from] IllegalMove),
    /// Its text is no move.
    #[error(transparent)]
    Text(#[from] GameError),
}

impl Tree {
    /// The tree of a game with all its moves, and how it ended if the rules have ended it.
    pub fn of(game: &Game) -> Tree {
        let mut now = game.clone();
        while now.undo().is_some() {}
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

    /// Plays the first moves of the main line, `moves` at most. The rules are those that the file
    /// names if it names ours, else `rules` with the file's size.
    pub fn replay(&self, rules: &Ruleset, moves: usize) -> Result<Game, SgfError> {
        let mut replay = Replay::new(self, rules)?;
        for node in self.main_line() {
            if replay.moves >= moves && self.has_move(node) {
                break;
            }
            replay.step(node)?;
        }
        Ok(replay.game)
    }

    fn has_move(&self, node: NodeId) -> bool {
        self.properties(node).any(|(name, _)| matches!(name, "B" | "W" | "MT"))
    }

    /// `SZ`: columns and rows.
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
        Some(side) => format!("{}+", Stone::of(Color(side.0)).letter()),
    }
}

/// A game as it follows a line of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Replay<'a> {
    tree: &'a Tree,
    pub(crate) game: Game,
    shape: Shape,
    /// Whether the first player is White, as pente.org has it.
    flipped: bool,
    /// The nodes with a move so far.
    moves: usize,
}

impl<'a> Replay<'a> {
    /// The game before the first move.
    pub(crate) fn new(tree: &'a Tree, rules: &Ruleset) -> Result<Replay<'a>, SgfError> {
        let start = Game::new(board_rules(tree, rules)?);
        let shape = Shape::of(&start);
        let before = || tree.main_line().take_while(|&node| !tree.has_move(node));
        let mut stones = BTreeMap::new();
        let mut first = None;
        for (name, value) in before().flat_map(|node| tree.properties(node)) {
            match name {
                "AB" | "AW" | "AE" => {
                    for cell in cells(shape, value)? {
                        match name {
                            "AE" => stones.remove(&cell),
                            "AB" => stones.insert(cell, Color(0)),
                            _ => stones.insert(cell, Color(1)),
                        };
                    }
                }
                "PL" => first = color(value),
                _ => (),
            }
        }
        let mut all = tree.main_line().flat_map(|node| tree.properties(node));
        let leader = all.find_map(|(name, _)| (name.len() == 1).then(|| color(name)).flatten());
        let position = tree.get(Tree::ROOT, "POS").filter(|_| own_rules(tree).is_some());
        let game = match position {
            Some(text) => start.with_text(text)?,
            None if stones.is_empty() && first.is_none() => start,
            None => start.with_stones(&stones, first.or(leader).unwrap_or(Color(0)))?,
        };
        let bare = stones.is_empty() && game.ply() == 0;
        let flipped = bare && game.seats() == 2 && leader == Some(Color(1));
        Ok(Replay { tree, game, shape, flipped, moves: 0 })
    }

    /// Whether the first player is White.
    pub(crate) fn is_flipped(&self) -> bool {
        self.flipped
    }

    /// The moves played so far.
    pub(super) fn plies(&self) -> usize {
        self.game.moves().len()
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    /// Does what a node says.
    pub(crate) fn step(&mut self, node: NodeId) -> Result<(), SgfError> {
        let (mut point, mut text) = (None, None);
        for (name, value) in self.tree.properties(node) {
            match name {
                "B" => point = Some((Stone::Black, value.trim())),
                "W" => point = Some((Stone::White, value.trim())),
                "MT" => text = Some(value.trim()),
                _ => (),
            }
        }
        if point.is_some() || text.is_some() {
            self.moves += 1;
            let played = self.play(point, text);
            played.map_err(|problem| SgfError::Move(self.moves, problem))?;
        }
        if self.moves > 0 { self.check_setup(node) } else { Ok(()) }
    }

    fn play(&mut self, point: Option<(Stone, &str)>, text: Option<&str>) -> Result<(), Problem> {
        let game = &mut self.game;
        if let Some(text) = text {
            game.play(text)?;
            return Ok(());
        }
        let Some((stone, text)) = point else { return Ok(()) };
        let small = self.shape.size().is_some_and(|(columns, _)| columns <= 19);
        if text.is_empty() || text == "tt" && small {
            // Programs that know only alternate turns pass for those whose turn it is not.
            let pass = MoveKind::Pass.into();
            if game.check_move(pass).is_ok() {
                game.play_move(pass)?;
            }
            return Ok(());
        }
        let cell = self.shape.parse(text).ok_or_else(|| Problem::Point(text.to_owned()))?;
        let moves = moves_at(game, cell);
        // Where colors are chosen some programs write the player and some the stone.
        let chosen = game.rules().squares().is_some_and(|board| board.swap.is_some());
        let colors_tell = game.seats() == 2 && !chosen;
        if colors_tell && (Stone::of(game.color_to_move()) == stone) == self.flipped {
            return Err(Problem::Turn);
        }
        for mv in moves {
            game.check_move(mv)?;
            game.play_move(mv)?;
        }
        Ok(())
    }

    /// Refuses stones set up otherwise than the rules have put them.
    fn check_setup(&self, node: NodeId) -> Result<(), SgfError> {
        for (name, value) in self.tree.properties(node) {
            let wanted = match name {
                "AE" => None,
                "AB" | "AW" => Some((name == "AB") != self.flipped),
                _ => continue,
            };
            for cell in cells(self.shape, value)? {
                let color = self.game.content(cell).filter(|color| *color < Color::NEUTRAL);
                if color.map(|color| Stone::of(color) == Stone::Black) != wanted {
                    return Err(SgfError::Setup(self.moves));
                }
            }
        }
        Ok(())
    }
}

/// The rules that a file names, if they are ours.
fn own_rules(tree: &Tree) -> Option<Ruleset> {
    tree.get(Tree::ROOT, "RU")?.trim().parse().ok()
}

/// The rules of a file, else those given, on a board of its size.
fn board_rules(tree: &Tree, rules: &Ruleset) -> Result<Ruleset, SgfError> {
    let rules = own_rules(tree).unwrap_or_else(|| rules.clone());
    let Some((columns, rows)) = tree.size()? else { return Ok(rules) };
    let own = Shape::of(&Game::new(rules.clone())).size().ok_or(SgfError::NoBoard)?;
    if (columns, rows) == (own.0.into(), own.1.into()) {
        return Ok(rules);
    }
    Ok(rules.with(&format!("size={columns}x{rows}"))?)
}

fn color(text: &str) -> Option<Color> {
    match text.trim().chars().next()?.to_ascii_uppercase() {
        'B' | '1' => Some(Color(0)),
        'W' | '2' => Some(Color(1)),
        _ => None,
    }
}

/// A point, or a rectangle of points, `aa:cc`.
fn cells(shape: Shape, value: &str) -> Result<Vec<Cell>, SgfError> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_finished_game_comes_back() {
        let mut game = Game::new("gomoku+size=3x3+line=3".parse().unwrap());
        for text in ["b2", "a1", "b1", "a3", "b3"] {
            game.play(text).unwrap();
        }
        let text = Tree::of(&game).to_string();
        assert!(text.contains("RE[B+]") && text.contains(";B[bb];W[ac]"), "{text}");
        assert_eq!(replay(&text).unwrap().text(), game.text());
    }

    #[test]
    fn what_is_wrong_is_named() {
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
            ("(;B[jj];W[zz])", "move 2: `zz` is no point of the board"),
            ("(;B[jj];MT[x])", "move 2: illegal move `x`"),
        ] {
            let found = replay(text).map(|game| game.text()).unwrap_err();
            assert!(found.starts_with(error), "{text}: {found}");
        }
    }
}
