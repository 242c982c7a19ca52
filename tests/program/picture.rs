//! Pictures: what they show is what the position says.

use fastrand::Rng;
use pentarch::engine::Game;
use pentarch::game::Color;
use pentarch::picture::{self, Letters};
use pentarch::stacking::{Placed, Playout, Position, Spot};
use std::process::Command;

fn random_position(spec: &str, plies: u32, seed: u64) -> Position {
    let mut position = Position::new(spec.parse().unwrap());
    let mut rng = Rng::with_seed(seed);
    for _ in 0..plies {
        let mv = Playout::default().draw(&position, &mut rng).unwrap();
        pentarch::game::Position::play(&mut position, mv);
    }
    position
}

fn as_game(position: &Position) -> Game {
    Game::from_text(position.rules().to_ruleset(), &position.text()).unwrap()
}

/// The uppermost tile at a point.
fn top(position: &Position, spot: Spot) -> Option<Placed> {
    position.tiles().filter(|tile| tile.cells().any(|cell| cell == spot)).max_by_key(|t| t.level)
}

/// Every cell has its tile's color and level, and an outline runs just where tiles differ.
#[test]
fn pictures_of_tiles_in_text_show_every_cell() {
    for (seed, plies) in [(1, 1), (2, 7), (3, 15), (4, 24)] {
        let position = random_position("pent-up", plies, seed);
        let picture = picture::board(&as_game(&position), Letters::All);
        let rows: Vec<Vec<char>> = picture.lines().map(|line| line.chars().collect()).collect();
        let at = |row: usize, column: usize| rows[row].get(column).copied().unwrap_or(' ');
        let (low, high) = position.bounds().unwrap();
        for row in low.row..=high.row {
            for column in low.column..=high.column {
                let y = 2 + 2 * usize::from(high.row - row);
                let x = 5 + 4 * usize::from(column - low.column);
                let here = top(&position, Spot { column, row });
                let label: String = [at(y, x), at(y, x + 1)].iter().collect();
                let expected = here.map_or("  ".to_owned(), |tile| {
                    format!("{}{}", if tile.color == Color(0) { 'w' } else { 'b' }, tile.level)
                });
                assert_eq!(label, expected, "{column} {row}\n{picture}");
                let right = top(&position, Spot { column: column + 1, row });
                assert_eq!(at(y, x + 3) == '|', here != right, "{column} {row}\n{picture}");
                let below = top(&position, Spot { column, row: row - 1 });
                assert_eq!(at(y + 1, x + 1) == '-', here != below, "{column} {row}\n{picture}");
            }
        }
    }
}

/// A hexagon for every cell, a disc for every stone, a third color that is neither of the others,
/// and rows that are each half a cell beside the next.
#[test]
fn pictures_of_hexagons_show_every_cell() {
    let mut game = Game::new("pentalath-3".parse().unwrap());
    for text in ["d5", "e5", "e6", "g13"] {
        game.play(text).unwrap();
    }
    let text = picture::board(&game, Letters::All);
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], " g . . . . . . . . . . . . W g13");
    assert_eq!(rows[2], "   e . . . . B R . . . . . e11");
    assert_eq!(rows[6], "       a . . . . . . . a7");
    let svg = picture::svg(&game);
    assert_eq!(svg.matches("<polygon").count(), 70);
    let discs: Vec<&str> = svg.lines().filter(|line| line.starts_with("<circle")).collect();
    assert_eq!(discs.len(), 4);
    let fill = |disc: &&str| {
        disc.split('"').skip_while(|part| !part.contains("fill")).nth(1).map(str::to_owned)
    };
    let mut colors: Vec<_> = discs.iter().map(fill).collect();
    colors.sort();
    colors.dedup();
    assert_eq!(colors.len(), 3, "{discs:?}");
}

#[test]
fn pictures_in_svg_have_every_cell_and_every_outline() {
    let position = random_position("pent-up-misere", 17, 5);
    let svg = picture::svg(&as_game(&position));
    assert!(svg.starts_with("<svg xmlns=") && svg.trim_end().ends_with("</svg>"));
    let (low, high) = position.bounds().unwrap();
    let mut cells = 0;
    let mut levels = [0; 13];
    let mut lines = 0;
    for row in low.row - 1..=high.row {
        for column in low.column - 1..=high.column {
            let here = top(&position, Spot { column, row });
            if let Some(tile) = here {
                cells += 1;
                levels[usize::from(tile.level)] += 1;
            }
            lines += usize::from(here != top(&position, Spot { column: column + 1, row }));
            lines += usize::from(here != top(&position, Spot { column, row: row + 1 }));
        }
    }
    // One rectangle is the paper.
    assert_eq!(svg.matches("<rect").count(), cells + 1);
    assert_eq!(svg.matches("stroke-width=\"3\"").count(), lines);
    for (level, count) in levels.into_iter().enumerate().skip(1) {
        let label = format!("font-size=\"16\" fill=\"#222222\" text-anchor=\"middle\">{level}<");
        let other = label.replace("#222222", "#ffffff");
        assert_eq!(svg.matches(&label).count() + svg.matches(&other).count(), count);
    }
    assert!(svg.contains("Black to move, ply 18"));
}

#[test]
fn boards_of_stones_in_svg_have_every_stone() {
    let mut game = Game::new("pente".parse().unwrap());
    for text in ["j10", "k11", "m10"] {
        game.play(text).unwrap();
    }
    let svg = picture::svg(&game);
    assert_eq!(svg.matches("<circle").count(), 3);
    assert_eq!(svg.matches("fill=\"#ffffff\" stroke").count(), 2);
    assert!(svg.contains(">Captures: White 0, Black 0<"));
}

/// Captures decide many games, so every picture says them, of all colors.
#[test]
fn pictures_say_what_was_captured() {
    for (spec, moves, text, svg) in [
        ("pente", "j10 k10 a1 l10 m10", "captured by: White 2, Black 0\n", ">Captures: White 2, "),
        ("pentalath-3", "d5", "captured by: White 0, Black 0, Red 0\n", "White 0, Black 0, Red 0<"),
    ] {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves.split(' ') {
            game.play(text).unwrap();
        }
        assert!(picture::board(&game, Letters::All).contains(text), "{spec}");
        assert!(picture::svg(&game).contains(svg), "{spec}");
    }
    for spec in ["gomoku", "yavalath"] {
        let game = Game::new(spec.parse().unwrap());
        assert!(!(picture::board(&game, Letters::All) + &picture::svg(&game)).contains("aptur"));
    }
}

fn show(args: &[&str]) -> (bool, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_pentarch")).arg("show").args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[test]
fn show_draws_positions_and_refuses_what_is_none() {
    let bar = "cg85,cg86,cg87,cg88,cg89";
    let (ok, text, _) = show(&["--variant", "pent-up", "--moves", bar]);
    assert!(
        ok && text.contains("85 |w1 | 85") && text.contains(&format!("position: w:{bar} b - - 2"))
    );
    let from = format!("w:{bar} b - - 2");
    let (ok, svg, _) = show(&["--variant", "pent-up", "--position", &from, "--format", "svg"]);
    assert!(ok && svg.matches("<rect").count() == 6);
    let (ok, text, _) = show(&["--variant", "pent-up"]);
    assert!(ok && text.starts_with("(the table is empty)\n"));
    let (ok, svg, _) = show(&["--variant", "pent-up", "--format", "svg"]);
    assert!(ok && svg.contains("White to move, ply 1"));
    let (ok, text, _) = show(&["--variant", "gomoku", "--moves", "h8 i9"]);
    assert!(ok && text.contains("Black to move, ply 3"));
    let (ok, _, error) = show(&["--variant", "pent-up", "--moves", "j10"]);
    assert!(
        !ok && error.starts_with("pentarch: illegal move `j10`: a tile is five points"),
        "{error}"
    );
    let (ok, _, error) = show(&["--variant", "pent-up", "--output", "/no/such/folder/x"]);
    assert!(!ok && error.contains("cannot write the picture"), "{error}");
}
