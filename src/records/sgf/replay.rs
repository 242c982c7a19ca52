//! A file's game played by the rules.

use super::{Sgf, SgfMove, Stone};
use crate::board::Grid;
use crate::engine::{Game, GameError, IllegalMove, moves_at};
use crate::game::{Cell, Color, MoveKind, PositionTextError};
use crate::rules::{Ruleset, SpecError};
use std::collections::BTreeMap;

/// Why a text is no game in SGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// There is no `(;` in it.
    #[error("this is no SGF: a game begins with `(;`")]
    NoTree,
    /// It stops in the middle.
    #[error("the file ends in the middle of the game")]
    NoEnd,
    /// A size that is none.
    #[error("`SZ[{0}]` is no size")]
    Size(String),
    /// A point that is none.
    #[error("`{0}` is no point of the board")]
    Point(String),
    /// Stones that come or go after the first move.
    #[error("node {0} sets up stones after the first move")]
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

impl Sgf {
    /// Plays the first moves of the file, `moves` at most. The rules are those that the file names
    /// if it names ours, else `rules` with the file's size.
    pub fn replay(&self, rules: &Ruleset, moves: usize) -> Result<Game, SgfError> {
        let mut game = self.start(rules)?;
        // Where White makes the first move, as pente.org has it, White is the first player.
        let leader = self.moves.first().and_then(|mv| Some(mv.point.as_ref()?.0));
        let flipped = self.stones.is_empty() && game.ply() == 0 && leader == Some(Stone::White);
        for (index, mv) in self.moves.iter().enumerate().take(moves) {
            play(&mut game, mv, flipped).map_err(|problem| SgfError::Move(index + 1, problem))?;
        }
        Ok(game)
    }

    fn start(&self, rules: &Ruleset) -> Result<Game, SgfError> {
        let named = self.rules.as_deref().and_then(|text| text.parse::<Ruleset>().ok());
        let rules = named.unwrap_or_else(|| rules.clone());
        let grid = Game::new(rules.clone()).grid().ok_or(SgfError::NoBoard)?;
        let own = (u32::from(grid.columns()), u32::from(grid.rows()));
        let rules = match self.size {
            Some((columns, rows)) if (columns, rows) != own => {
                rules.with(&format!("size={columns}x{rows}"))?
            }
            _ => rules,
        };
        let start = Game::new(rules);
        if self.stones.is_empty() && self.first.is_none() {
            return Ok(start);
        }
        let grid = start.grid().ok_or(SgfError::NoBoard)?;
        let mut stones = BTreeMap::new();
        for (stone, text) in &self.stones {
            let cell = cell(grid, text).ok_or_else(|| SgfError::Point(text.clone()))?;
            stones.insert(cell, color(*stone));
        }
        let mover = || self.moves.iter().find_map(|mv| Some(mv.point.as_ref()?.0));
        let first = self.first.or_else(mover).unwrap_or(Stone::Black);
        Ok(start.with_stones(&stones, color(first))?)
    }
}

const fn color(stone: Stone) -> Color {
    match stone {
        Stone::Black => Color(0),
        Stone::White => Color(1),
    }
}

fn play(game: &mut Game, mv: &SgfMove, flipped: bool) -> Result<(), Problem> {
    if let Some(text) = &mv.text {
        game.play(text)?;
        return Ok(());
    }
    let Some((stone, text)) = &mv.point else { return Ok(()) };
    let grid = game.grid();
    let is_pass = text.is_empty() || text == "tt" && grid.is_some_and(|g| g.columns() <= 19);
    if is_pass {
        // Programs that know only alternate turns pass for those whose turn it is not.
        let pass = MoveKind::Pass.into();
        if game.check_move(pass).is_ok() {
            game.play_move(pass)?;
        }
        return Ok(());
    }
    let cell = grid.and_then(|grid| cell(grid, text)).ok_or(Problem::Point(text.clone()))?;
    let moves = moves_at(game, cell);
    // Where colors are chosen some programs write the player and some the stone.
    let colors_tell =
        game.seats() == 2 && game.rules().squares().is_none_or(|board| board.swap.is_none());
    if colors_tell && (Stone::of(game.color_to_move()) == *stone) == flipped {
        return Err(Problem::Turn);
    }
    for mv in moves {
        game.check_move(mv)?;
        game.play_move(mv)?;
    }
    Ok(())
}

/// `jj`, or `K10` as pente.org writes.
fn cell(grid: Grid, text: &str) -> Option<Cell> {
    if let [column @ b'a'..=b'z', row @ b'a'..=b'z'] = text.as_bytes() {
        let (column, row) = (i32::from(column - b'a'), i32::from(row - b'a'));
        return grid.get(column, i32::from(grid.rows()) - 1 - row);
    }
    let letter = text.chars().next()?.to_ascii_uppercase();
    let column = "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(letter)?;
    let row: i32 = text.get(1..)?.parse().ok()?;
    grid.get(column as i32, row.checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replay(text: &str) -> Result<Game, String> {
        let sgf: Sgf = text.parse().map_err(|error: SgfError| error.to_string())?;
        let rules = "pro-pente".parse().unwrap();
        sgf.replay(&rules, usize::MAX).map_err(|error| error.to_string())
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
        let game = text.parse::<Sgf>().unwrap().replay(&rules, usize::MAX).unwrap();
        let moves: Vec<_> = game.moves().iter().map(|&mv| game.move_text(mv)).collect();
        assert_eq!(moves, ["j10", "k10", "a19", "b18", "swap", "c17", "d16"]);
        let again = Sgf::of(&game).to_string();
        assert!(again.ends_with(";B[jj];W[kj];B[aa];W[bb];MT[swap];B[cc];W[dd])"), "{again}");
        assert_eq!(replay(&again).unwrap().text(), game.text());
    }

    #[test]
    fn stones_at_the_start() {
        let game = replay("(;SZ[5]RU[gomoku]AB[aa:bb]AW[ee]PL[W];W[ed])").unwrap();
        assert_eq!(game.text(), "bb3/bb3/5/4w/4w b - - 7");
        let again = Sgf::of(&game).to_string();
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
        let text = Sgf::of(&game).to_string();
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
            ("(;B[jj];AW[aa])", "node 1 sets up stones after the first move"),
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
