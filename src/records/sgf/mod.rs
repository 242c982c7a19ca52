//! Game trees of SGF, the Smart Game Format (version FF4, red-bean.com/sgf), which Go programs read
//! and write.
//!
//! The first player is Black, as in GTP, whatever color the stones have. Points count from the
//! upper left: `jj` is the center of 19x19. `K10`, as pente.org writes it, is read too. `RU` is the
//! spec of the rules. Two properties are private: `MT` is the canonical text of a move that is more
//! than a stone on a point (choices, special stones, signs, tiles), and `POS` is the position text
//! of a start in the middle of a game. After a move that changes the board otherwise than a Go
//! program expects, above all by captures, a node corrects the board with `AE`, `AB` and `AW`.
//! Hexagons are on a square of points, each row shifted, as in GTP. Stones of the third and fourth
//! color are shown as those of the first and second with a triangle, neutral stones as squares.

mod record;
mod replay;
mod tree;

pub(super) use record::{read_game, write};
pub use replay::{SgfError, SgfMoveError};
pub use tree::{NodeId, SgfSyntaxError, Tree, Trees};

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_engine::Game;

    #[test]
    fn trees_survive_a_round_trip() {
        for text in [
            "(;)",
            "(;FF[4]GM[4]\n;B[aa];W[bb]\n(;B[cc]C[a\\]b\\\\ c:d])\n(;B[dd]LB[aa:1][bb:2];W[ee]\n(;B[ff])\n(;)\n(;B[gg])))",
        ] {
            assert_eq!(Tree::parse(text).unwrap().to_string(), text);
        }
        let mut tree = Tree::new();
        tree.push(Tree::ROOT, "PB", "\x1b[2J]\r\u{9b}\\");
        assert_eq!(tree.to_string(), "(;PB[\u{fffd}[2J\\]\u{fffd}\u{fffd}\\\\])");
        let soft = Tree::parse("(;C[one\\\r\n line\\\n,\r\ntwo])").unwrap();
        assert_eq!(soft.get(Tree::ROOT, "C"), Some("one line,\ntwo"));
    }

    #[test]
    fn deep_trees_do_not_overflow_the_stack() {
        let deep = 100_000;
        let text = format!("{}{}", "(;B[aa]".repeat(deep), ")".repeat(deep));
        let tree = Tree::parse(&text).unwrap();
        assert_eq!((tree.len(), tree.main_line().count()), (deep, deep));
        let mut wide = String::from("(;");
        (0..deep).for_each(|_| wide += "(;W[bb](;B[aa])(;B[ab])");
        let wide = wide + &")".repeat(deep + 1);
        assert_eq!(Tree::parse(&wide).unwrap().to_string().matches("W[bb]").count(), deep);
        assert_eq!(Tree::parse(&"(".repeat(deep)), Err(SgfSyntaxError::NoTree));
        assert_eq!(Tree::parse(&"(;".repeat(deep)), Err(SgfSyntaxError::NoEnd));
        assert!(tree.bytes() <= 64 * deep, "{} bytes a node", tree.bytes() / deep);
    }

    #[test]
    fn the_other_trees_of_a_file_are_read() {
        let text = "junk (x)\n(;FF[4];B[aa])\n\n(;FF[4];B[bb\n(;FF[4]C[3])(;GM[4];B[dd]\n\
                    (;FF[4]C[5])\n(;[x])\n(;C[7]";
        let read: Vec<_> = Trees::new(text)
            .map(|(line, tree)| {
                (line, tree.map(|tree| tree.get(Tree::ROOT, "C").map(str::to_owned)))
            })
            .collect();
        let comment = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(
            read,
            [
                (2, Ok(None)),
                (4, Err(SgfSyntaxError::Unclosed)),
                (5, comment("3")),
                (5, Err(SgfSyntaxError::Unclosed)),
                (6, comment("5")),
                (7, Err(SgfSyntaxError::NoProperty)),
                (8, Err(SgfSyntaxError::NoEnd)),
            ]
        );
        assert_eq!(Trees::new(" \n").count(), 0);
    }

    #[test]
    fn any_viewer_shows_the_stones_of_the_game() {
        // Black surrounds a stone, which is captured in Go and not in Pente.
        let mut game = Game::new("pente-freestyle".parse().unwrap());
        for text in ["j9", "j10", "h10", "a1", "k10", "a2", "j11", "s1", "i10"] {
            game.play(text).unwrap();
        }
        let text = Tree::of(&game).to_string();
        assert!(text.ends_with(";B[ij];AW[jj])"), "{text}");
        for (spec, moves, end) in [
            ("gomoku+size=5", "b1 a1 a2", ";B[be];W[ae];B[ad];AW[ae])"),
            ("pente-3", "j10 k10 a1", ";B[jj];W[kj];B[as]TR[as])"),
            ("neutral-pente", "j10 N@k10", ";B[jj];W[kj]MT[N@k10];AE[kj]SQ[kj])"),
            ("pentalath", "a1 b1", ";B[am];W[al])"),
            ("pent-up", "cg85,cg86,cg87,cg88,cg89", ";MT[cg85,cg86,cg87,cg88,cg89])"),
        ] {
            let mut game = Game::new(spec.parse().unwrap());
            for text in moves.split(' ') {
                game.play(text).unwrap();
            }
            let text = Tree::of(&game).to_string();
            assert!(text.ends_with(end), "{text}");
            let again = Tree::parse(&text).unwrap().replay(game.rules(), usize::MAX);
            assert_eq!(again.unwrap().text(), game.text(), "{text}");
        }
    }
}
