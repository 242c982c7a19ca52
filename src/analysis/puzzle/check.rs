//! Checks answers by their pictures, independently of the search.

use std::collections::{BTreeMap, BTreeSet};

/// The rings of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedRing {
    /// The number of white tiles.
    pub white: usize,
    /// The number of black tiles, without the one in the center.
    pub black: usize,
    /// Whether every unit edge of every white tile touches a tile.
    pub is_surrounded: bool,
}

type Cells = BTreeSet<(usize, usize)>;

/// Checks a picture of tiles with one black tile in the center: every unit edge of it must touch a
/// white tile, tiles must be pentominoes, and a shape may occur only once in each color. An error
/// says what is wrong.
///
/// ```
/// let bar = "    a\n    +---+\n  1 |b1 | 1\n    +---+\n    a\n";
/// let error = pentarch_analysis::puzzle::check_rings(bar).unwrap_err();
/// assert_eq!(error, "a tile of 1 cells");
/// ```
pub fn check_rings(picture: &str) -> Result<CheckedRing, String> {
    let tiles = parse_tiles(picture)?;
    let mut shapes = BTreeSet::new();
    for (color, cells) in &tiles {
        if cells.len() != 5 {
            return Err(format!("a tile of {} cells", cells.len()));
        }
        if !shapes.insert((*color, shape(cells))) {
            return Err(format!("a tile of color `{color}` occurs twice"));
        }
    }
    let color_at: BTreeMap<(usize, usize), char> =
        tiles.iter().flat_map(|(color, cells)| cells.iter().map(|&cell| (cell, *color))).collect();
    let touches = |cells: &Cells, wanted: &dyn Fn(char) -> bool| {
        let beside = cells.iter().flat_map(|&cell| neighbors(cell));
        let mut beside = beside.filter(|cell| !cells.contains(cell));
        beside.all(|cell| color_at.get(&cell).is_some_and(|&color| wanted(color)))
    };
    let white: Vec<&Cells> =
        tiles.iter().filter(|(color, _)| *color == 'w').map(|(_, cells)| cells).collect();
    let black = || tiles.iter().filter(|(color, _)| *color == 'b').map(|(_, cells)| cells);
    if !black().any(|cells| touches(cells, &|color| color == 'w')) {
        return Err("no black tile is surrounded by white ones".to_owned());
    }
    Ok(CheckedRing {
        white: white.len(),
        black: black().count() - 1,
        is_surrounded: white.iter().all(|cells| touches(cells, &|_| true)),
    })
}

/// Returns the four neighbors of a cell. Cells of a picture count from 1.
fn neighbors((x, y): (usize, usize)) -> [(usize, usize); 4] {
    [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
}

/// Parses the tiles of a picture: cells without an outline between them.
fn parse_tiles(picture: &str) -> Result<Vec<(char, Cells)>, String> {
    let rows: Vec<Vec<char>> = picture.lines().map(|line| line.chars().collect()).collect();
    let at = |row: usize, column: usize| rows.get(row).and_then(|r| r.get(column)).copied();
    // Cells are in every second line from the third on, their letters in every fourth column.
    let color = |(x, y): (usize, usize)| at(2 * y, 4 * x + 1).filter(|c| matches!(c, 'w' | 'b'));
    let depth = rows.len() / 2;
    let width = rows.iter().map(Vec::len).max().unwrap_or(0) / 4;
    let cells = (1..=depth).flat_map(|y| (1..=width).map(move |x| (x, y)));
    let mut seen = Cells::new();
    let mut tiles = Vec::new();
    for cell in cells {
        let Some(letter) = color(cell) else { continue };
        if !seen.insert(cell) {
            continue;
        }
        let mut tile = Cells::from([cell]);
        let mut open = vec![cell];
        while let Some((x, y)) = open.pop() {
            let ways = [
                ((x + 1, y), at(2 * y, 4 * x + 4)),
                ((x - 1, y), at(2 * y, 4 * x)),
                ((x, y + 1), at(2 * y + 1, 4 * x + 2)),
                ((x, y - 1), at(2 * y - 1, 4 * x + 2)),
            ];
            for (next, between) in ways {
                if between.is_none_or(|line| line != ' ') || !tile.insert(next) {
                    continue;
                }
                if color(next) != Some(letter) || !seen.insert(next) {
                    return Err("a tile of two colors, or with an open outline".to_owned());
                }
                open.push(next);
            }
        }
        tiles.push((letter, tile));
    }
    Ok(tiles)
}

/// Returns the least of the eight orientations of a tile.
fn shape(cells: &Cells) -> Vec<(usize, usize)> {
    let far = cells.iter().map(|&(x, y)| x.max(y)).max().unwrap_or(0);
    let ways = (0..8).map(|way| {
        let image = cells.iter().map(|&(x, y)| {
            let x = if way & 1 != 0 { far - x } else { x };
            let y = if way & 2 != 0 { far - y } else { y };
            if way & 4 != 0 { (y, x) } else { (x, y) }
        });
        let image: BTreeSet<(usize, usize)> = image.collect();
        let left = image.iter().map(|cell| cell.0).min().unwrap_or(0);
        let low = image.iter().map(|cell| cell.1).min().unwrap_or(0);
        image.into_iter().map(|(x, y)| (x - left, y - low)).collect::<Vec<_>>()
    });
    ways.map(|mut cells: Vec<_>| {
        cells.sort_unstable();
        cells
    })
    .min()
    .unwrap_or_default()
}
