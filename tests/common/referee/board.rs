//! The board: what lies where, and the runs of a color.

/// Column and row, both from 1; row 1 is the lowest (the protocol, "Cells and moves").
pub type Point = (i32, i32);

/// A step along a line.
pub type Direction = (i32, i32);

/// The eight directions.
pub const DIRECTIONS: [Direction; 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// One direction of each of the four kinds of line.
pub const LINES: [Direction; 4] = [(1, 0), (1, 1), (0, 1), (-1, 1)];

/// What a point of the board holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Empty,
    /// A stone of a color (0-based).
    Stone(u8),
    /// A stone that belongs to nobody (`neutral`).
    Neutral,
    /// A power stone (`plus`).
    Joker,
}

/// All points and what they hold.
#[derive(Clone, Debug)]
pub struct Board {
    columns: i32,
    rows: i32,
    contents: Vec<Content>,
}

/// The point `steps` steps away.
pub fn along(from: Point, direction: Direction, steps: i32) -> Point {
    (from.0 + direction.0 * steps, from.1 + direction.1 * steps)
}

impl Board {
    pub fn new(columns: i32, rows: i32) -> Board {
        Board { columns, rows, contents: vec![Content::Empty; (columns * rows) as usize] }
    }

    /// The place of a point in the list of contents, unless it lies off the board.
    fn index(&self, (column, row): Point) -> Option<usize> {
        let inside = (1..=self.columns).contains(&column) && (1..=self.rows).contains(&row);
        inside.then(|| ((row - 1) * self.columns + column - 1) as usize)
    }

    /// What a point holds; nothing at all, not even emptiness, off the board.
    pub fn get(&self, point: Point) -> Option<Content> {
        self.index(point).map(|index| self.contents[index])
    }

    pub fn set(&mut self, point: Point, content: Content) {
        let index = self.index(point).expect("a point of the board");
        self.contents[index] = content;
    }

    pub fn remove(&mut self, points: &[Point]) {
        for &point in points {
            self.set(point, Content::Empty);
        }
    }

    pub fn is_empty(&self, point: Point) -> bool {
        self.get(point) == Some(Content::Empty)
    }

    /// All points, edges included.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let columns = self.columns;
        (1..=self.rows).flat_map(move |row| (1..=columns).map(move |column| (column, row)))
    }

    pub fn is_full(&self) -> bool {
        !self.contents.contains(&Content::Empty)
    }

    /// Whether a point can be part of a line of a color: its own stones, and every power stone.
    pub fn serves(&self, point: Point, color: usize) -> bool {
        matches!(self.get(point), Some(Content::Joker)) || self.is_of(point, color)
    }

    /// Whether a stone of this color lies on a point.
    pub fn is_of(&self, point: Point, color: usize) -> bool {
        self.get(point) == Some(Content::Stone(color as u8))
    }

    /// Whether a stone of another color lies on a point.
    pub fn is_foreign(&self, point: Point, color: usize) -> bool {
        matches!(self.get(point), Some(Content::Stone(other)) if usize::from(other) != color)
    }

    /// How many points in a row, behind this one, can be part of a line of a color.
    pub fn reach(&self, from: Point, direction: Direction, color: usize) -> i32 {
        let mut steps = 0;
        while self.serves(along(from, direction, steps + 1), color) {
            steps += 1;
        }
        steps
    }

    /// The run that a point would be part of with a stone of this color on it, from end to end.
    pub fn run_with(&self, point: Point, direction: Direction, color: usize) -> Vec<Point> {
        let before = self.reach(point, (-direction.0, -direction.1), color);
        let behind = self.reach(point, direction, color);
        (-before..=behind).map(|steps| along(point, direction, steps)).collect()
    }

    /// The length of that run.
    pub fn length_with(&self, point: Point, direction: Direction, color: usize) -> i32 {
        let before = self.reach(point, (-direction.0, -direction.1), color);
        before + 1 + self.reach(point, direction, color)
    }

    /// All runs of a color of at least `least` stones, each as long as it can be.
    pub fn runs(&self, color: usize, least: i32) -> Vec<Vec<Point>> {
        let mut runs = Vec::new();
        for point in self.points().filter(|&point| self.serves(point, color)) {
            for direction in LINES {
                let starts_here = !self.serves(along(point, direction, -1), color);
                if starts_here && 1 + self.reach(point, direction, color) >= least {
                    runs.push(self.run_with(point, direction, color));
                }
            }
        }
        runs
    }
}
