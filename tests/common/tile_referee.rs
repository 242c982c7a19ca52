//! The naive referee of Pent-Up: the project's independent second implementation of its rules.
//!
//! Slow, plain and written from section 5 of the rules and section 3 of the protocol alone,
//! without a look at the engine. A tile is a set of cells; the tiles themselves are found by
//! growing cells, not listed. There is no undo: clone the referee.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Column and row, both from 1.
pub type Point = (i32, i32);
/// The cells of a tile, by column, then by row.
pub type Cells = BTreeSet<Point>;

/// A tile that lies: whose it is, its cells, its level from 1.
#[derive(Clone, Debug)]
pub struct Lying {
    pub owner: usize,
    pub cells: Cells,
    pub level: usize,
}

/// A game in progress, or one that is over.
#[derive(Clone, Debug)]
pub struct Referee {
    misere: bool,
    pub tiles: Vec<Lying>,
    /// By point: the numbers of the tiles there, from the bottom.
    stacks: HashMap<Point, Vec<usize>>,
    /// Each fixed tile with its corner at the origin, and the shape that it is.
    fixed: BTreeMap<Cells, Cells>,
}

/// The lower left corner of the first tile's box, `cg85`.
const FIRST: Point = (85, 85);

impl Referee {
    pub fn new(spec: &str) -> Referee {
        let misere = match spec {
            "pent-up" => false,
            "pent-up-misere" => true,
            other => panic!("no such game: {other}"),
        };
        let fixed = grow().into_iter().map(|cells| (cells.clone(), shape(&cells))).collect();
        Referee { misere, tiles: Vec::new(), stacks: HashMap::new(), fixed }
    }

    /// All orientations: one for each fixed tile.
    pub fn orientations(&self) -> usize {
        self.fixed.len()
    }

    /// All shapes.
    pub fn shapes(&self) -> BTreeSet<Cells> {
        self.fixed.values().cloned().collect()
    }

    pub fn to_move(&self) -> usize {
        self.tiles.len() % 2
    }

    pub fn is_over(&self) -> bool {
        self.tiles.len() == 24
    }

    fn height(&self, point: Point) -> usize {
        self.stacks.get(&point).map_or(0, Vec::len)
    }

    /// The level of a tile at these cells as far as support goes.
    fn level(&self, cells: &Cells) -> Option<usize> {
        let heights: BTreeSet<usize> = cells.iter().map(|&point| self.height(point)).collect();
        if heights.len() > 1 {
            return None; // not flat
        }
        let height = heights.into_iter().next()?;
        if height == 0 {
            let beside = |&(x, y): &Point| {
                let near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
                near.into_iter().any(|point| self.height(point) > 0)
            };
            return (self.tiles.is_empty() || cells.iter().any(beside)).then_some(1);
        }
        let below: BTreeSet<usize> =
            cells.iter().map(|point| *self.stacks[point].last().unwrap()).collect();
        (below.len() >= 2).then_some(height + 1)
    }

    /// Every place of a shape with the level there, without a look at the highest level.
    fn places(&self, of: &Cells) -> Vec<(usize, Cells)> {
        let mut places = Vec::new();
        for (fixed, _) in self.fixed.iter().filter(|(_, shape)| *shape == of) {
            if self.tiles.is_empty() {
                places.push((1, moved(fixed, FIRST)));
                continue;
            }
            let xs = self.stacks.keys().map(|point| point.0);
            let ys = self.stacks.keys().map(|point| point.1);
            for x in xs.clone().min().unwrap() - 5..=xs.max().unwrap() + 5 {
                for y in ys.clone().min().unwrap() - 5..=ys.clone().max().unwrap() + 5 {
                    let cells = moved(fixed, (x, y));
                    if let Some(level) = self.level(&cells) {
                        places.push((level, cells));
                    }
                }
            }
        }
        places
    }

    /// The legal places of each shape that the mover has left, with the level.
    pub fn legal(&self) -> BTreeMap<Cells, (usize, Vec<Cells>)> {
        let mut legal = BTreeMap::new();
        if self.is_over() {
            return legal;
        }
        let played = self.tiles.iter().filter(|tile| tile.owner == self.to_move());
        let played: BTreeSet<Cells> = played.map(|tile| shape(&tile.cells)).collect();
        for shape in self.shapes().difference(&played) {
            let places = self.places(shape);
            let highest = places.iter().map(|&(level, _)| level).max().unwrap();
            let kept = places.into_iter().filter(|&(level, _)| level == highest);
            legal.insert(shape.clone(), (highest, kept.map(|(_, cells)| cells).collect()));
        }
        legal
    }

    /// The texts of all legal moves in byte order.
    pub fn legal_moves(&self) -> Vec<String> {
        let legal = self.legal();
        let mut texts: Vec<String> =
            legal.values().flat_map(|(_, places)| places.iter().map(text)).collect();
        texts.sort();
        texts
    }

    /// Plays a tile given as text, or refuses it.
    pub fn play(&mut self, text: &str) -> Result<(), ()> {
        let cells: Cells =
            text.split(',').map(|name| point(name).ok_or(())).collect::<Result<_, _>>()?;
        let legal = self.legal();
        let found = legal.values().find(|(_, places)| places.contains(&cells));
        let level = found.ok_or(())?.0;
        for &point in &cells {
            self.stacks.entry(point).or_default().push(self.tiles.len());
        }
        self.tiles.push(Lying { owner: self.to_move(), cells, level });
        Ok(())
    }

    /// The winner, or nobody, of a game that is over.
    #[allow(clippy::option_option, reason = "open, drawn, or won by a seat")]
    pub fn result(&self) -> Option<Option<usize>> {
        if !self.is_over() {
            return None;
        }
        let highest = self.tiles.iter().map(|tile| tile.level).max().unwrap();
        let mut levels: Vec<usize> = (1..=highest).collect();
        if !self.misere {
            levels.reverse();
        }
        for level in levels {
            let count = |owner| {
                self.tiles.iter().filter(|tile| tile.level == level && tile.owner == owner).count()
            };
            if count(0) != count(1) {
                return Some(Some(usize::from(count(1) > count(0))));
            }
        }
        Some(None)
    }
}

/// All sets of five cells that hang together by edges, with the corner of their box at (0, 0).
fn grow() -> BTreeSet<Cells> {
    let mut sets: BTreeSet<Cells> = BTreeSet::from([Cells::from([(0, 0)])]);
    for _ in 1..5 {
        let mut larger = BTreeSet::new();
        for set in &sets {
            for &(x, y) in set {
                for next in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                    let mut more = set.clone();
                    if more.insert(next) {
                        larger.insert(at_origin(&more));
                    }
                }
            }
        }
        sets = larger;
    }
    sets
}

fn at_origin(cells: &Cells) -> Cells {
    let left = cells.iter().map(|cell| cell.0).min().unwrap();
    let low = cells.iter().map(|cell| cell.1).min().unwrap();
    moved(cells, (-left, -low))
}

fn moved(cells: &Cells, by: Point) -> Cells {
    cells.iter().map(|&(x, y)| (x + by.0, y + by.1)).collect()
}

/// The least of all the ways to turn and flip a tile: two tiles are the same if these are.
pub fn shape(cells: &Cells) -> Cells {
    let mut cells = cells.clone();
    let mut ways = Vec::new();
    for turn in 0..8 {
        cells = cells.iter().map(|&(x, y)| (y, -x)).collect();
        if turn == 4 {
            cells = cells.iter().map(|&(x, y)| (-x, y)).collect();
        }
        ways.push(at_origin(&cells));
    }
    ways.into_iter().min().unwrap()
}

/// `a` to `z`, `aa` to `az`, and so on, then the row.
fn text(cells: &Cells) -> String {
    let name = |&(x, y): &Point| {
        let letter = |n: i32| char::from(b'a' + n as u8);
        let letters = if x <= 26 {
            letter(x - 1).to_string()
        } else {
            format!("{}{}", letter((x - 1) / 26 - 1), letter((x - 1) % 26))
        };
        format!("{letters}{y}")
    };
    cells.iter().map(name).collect::<Vec<_>>().join(",")
}

fn point(name: &str) -> Option<Point> {
    let split = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, digits) = name.split_at(split);
    let column = letters.bytes().fold(0, |n, letter| n * 26 + i32::from(letter - b'a') + 1);
    Some((column, digits.parse().ok()?))
}
