//! The puzzles of Pent-Up: what the program prints is checked by means of its own.

use crate::common::tile_referee::{Cells, Referee};
use pentarch::puzzle::{RingSearch, SearchDeadline, Surrounded, check_rings};
use pentarch::stacking::Pentomino;
use std::collections::BTreeSet;
use std::process::Command;

fn puzzle(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentarch"));
    let output = command.arg("puzzle").args(args).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn level_six_is_reached_by_the_rules_as_the_naive_referee_knows_them() {
    let out = puzzle(&["level", "--target", "6", "--time", "60", "--width", "50"]);
    let moves = out.lines().find_map(|line| line.strip_prefix("moves: ")).unwrap();
    let mut referee = Referee::new("pent-up");
    for (index, text) in moves.split(' ').enumerate() {
        referee.play(text).unwrap();
        let number = format!("{:>2}. ", index + 1);
        let line = out.lines().find(|line| line.starts_with(&number)).unwrap();
        let level = referee.tiles[index].level;
        assert!(line.ends_with(text) && line.contains(&format!(" level {level} ")), "{line}");
    }
    assert!(out.starts_with("run 1 reaches level "), "{out}");
    let highest = referee.tiles.iter().map(|tile| tile.level).max().unwrap();
    assert!(highest >= 6, "{out}");
    assert!(out.contains(&format!("level {highest} reached after ")), "{out}");
    // The last picture shows that level.
    let picture = out.split("up to level").last().unwrap();
    assert!(picture.contains(&format!("w{highest} ")) || picture.contains(&format!("b{highest} ")));
}

#[test]
fn a_level_that_is_not_reached_is_said_to_be_open() {
    let out = puzzle(&["level", "--target", "12", "--time", "0.3", "--width", "5"]);
    assert!(
        out.contains("is the highest that ") && out.contains("does not exclude level 12"),
        "{out}"
    );
    let out = puzzle(&["level", "--time", "0.0001", "--width", "10000"]);
    assert!(out.contains("give more --time"), "{out}");
}

/// The neighbors of a tile's cells.
fn beside(cells: &Cells) -> Cells {
    let near = cells.iter().flat_map(|&(x, y)| [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
    near.filter(|cell| !cells.contains(cell)).collect()
}

/// Every fixed tile that covers a cell and nothing that is taken.
fn covering(fixed: &[Cells], (x, y): (i32, i32), taken: &Cells) -> Vec<Cells> {
    let moved = |tile: &Cells, (a, b): (i32, i32)| -> Cells {
        tile.iter().map(|&(c, d)| (c + x - a, d + y - b)).collect()
    };
    let all = fixed.iter().flat_map(|tile| tile.iter().map(move |&cell| moved(tile, cell)));
    all.filter(|tile: &Cells| tile.is_disjoint(taken)).collect()
}

/// Two white tiles never surround a tile: tried with tiles that the referee grew, and without
/// asking that the two be different, so three is the least.
#[test]
fn two_tiles_are_too_few_for_any_ring() {
    let referee = Referee::new("pent-up");
    let fixed: Vec<Cells> =
        referee.legal().values().flat_map(|(_, points)| points.clone()).collect();
    assert_eq!(fixed.len(), 63);
    for shape in referee.shapes() {
        let required = beside(&shape);
        for first in covering(&fixed, *required.iter().next().unwrap(), &shape) {
            let rest: Cells = required.difference(&first).copied().collect();
            let taken: Cells = shape.union(&first).copied().collect();
            let Some(&cell) = rest.iter().next() else { panic!("one tile is a ring?") };
            let enough = |second: &Cells| rest.is_subset(second);
            assert!(!covering(&fixed, cell, &taken).iter().any(enough), "{shape:?}");
        }
    }
}

#[test]
fn every_tile_is_surrounded_by_three_white_tiles_and_those_by_black_ones() {
    let out = puzzle(&["surround", "--time", "60", "--threads", "2"]);
    let mut letters = BTreeSet::new();
    for answer in out.split("\n\n") {
        let (line, picture) = answer.split_once('\n').unwrap();
        if line.starts_with("12 tiles: ") {
            break;
        }
        let (letter, rest) = line.split_once(": ").unwrap();
        let ring = check_rings(picture).unwrap();
        assert!(
            rest.starts_with(&format!("{} white tiles, proved minimal; ", ring.white)),
            "{line}"
        );
        assert!(rest.ends_with(&format!("; surrounded by {} black tiles", ring.black)), "{line}");
        assert!(ring.is_surrounded && ring.white == 3, "{line}");
        letters.insert(letter.to_owned());
    }
    assert_eq!(letters.into_iter().collect::<String>(), "FILNPTUVWXYZ");
    assert!(out.contains("12 tiles: 12 with a ring proved minimal, 12 with"), "{out}");
}

#[test]
fn a_search_without_time_claims_nothing() {
    let deadline = SearchDeadline::new(None);
    deadline.stop();
    let shape = Pentomino::from_letter('W').unwrap();
    if let Some(answer) = RingSearch::new(shape, &deadline).run() {
        assert!(!matches!(answer.surrounded, Surrounded::Impossible));
    }
    let out = puzzle(&["surround", "--tile", "w", "--time", "0.0001"]);
    assert!(!out.contains("none can be surrounded"), "{out}");
}

/// A picture that is spoilt in any of many ways is refused, or at least not the same answer.
#[test]
fn the_check_of_pictures_sees_what_is_wrong() {
    let out = puzzle(&["surround", "--tile", "X"]);
    let (_, picture) = out.split_once('\n').unwrap();
    let (picture, _) = picture.split_once("\n\n").unwrap();
    let right = check_rings(picture).unwrap();
    let mut spoilt = 0;
    for (at, letter) in picture.char_indices() {
        let other = match letter {
            'w' => "b",
            'b' => "w",
            '|' => " ",
            _ => continue,
        };
        // Cells and the outlines beside them stand in every second line from the third on;
        // elsewhere these signs are corners, or names of columns.
        let line = picture[..at].matches('\n').count();
        if line < 2 || line % 2 != 0 || !picture[at..].contains('\n') {
            continue;
        }
        let mut text = picture.to_owned();
        text.replace_range(at..=at, other);
        let verdict = check_rings(&text);
        assert!(verdict.is_err() || verdict.as_ref() != Ok(&right), "at {at}:\n{text}");
        spoilt += 1;
    }
    assert!(spoilt > 50);
    assert!(check_rings("").is_err() && check_rings("nonsense\n\n|b1\u{e9} ").is_err());
}
