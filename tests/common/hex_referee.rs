//! The naive referee of Pentalath and Yavalath: the project's independent second implementation of
//! their rules.
//!
//! Slow, plain and written from section 4 of the rules and section 3 of the protocol alone, without
//! a look at the engine. The board is a map from row and place to color, groups are found by walking,
//! rows by following a direction. There is no undo: clone the referee.
#![allow(clippy::struct_excessive_bools, reason = "plain is what it is for")]

use std::collections::{BTreeSet, HashMap};

/// Row from the short edge and place in it, both from 0.
pub type Point = (i32, i32);

/// A game in progress, or one that is over.
#[derive(Clone, Debug)]
pub struct Referee {
    trapezium: bool,
    side: i32,
    line: usize,
    yavalath: bool,
    seats: usize,
    swap1: bool,
    max_plies: u32,
    pub board: HashMap<Point, usize>,
    /// The color to move.
    color: usize,
    /// By color: the seat that owns it.
    owner: Vec<usize>,
    out: BTreeSet<usize>,
    passes: usize,
    choosing: bool,
    plies: u32,
    captured: Vec<u32>,
    end: Option<(Option<usize>, &'static str)>,
}

impl Referee {
    pub fn new(spec: &str) -> Referee {
        let mut words = spec.split('+');
        let name = words.next().unwrap();
        let seats = if name.ends_with("-3") { 3 } else { 2 };
        let yavalath = name.starts_with("yavalath");
        let trapezium = !yavalath && name != "pentalath-hex";
        let mut referee = Referee {
            trapezium,
            side: if trapezium { 7 } else { 5 },
            line: if yavalath { 4 } else { 5 },
            yavalath,
            seats,
            swap1: false,
            max_plies: 2500,
            board: HashMap::new(),
            color: 0,
            owner: (0..seats).collect(),
            out: BTreeSet::new(),
            passes: 0,
            choosing: false,
            plies: 0,
            captured: vec![0; seats],
            end: None,
        };
        for word in words {
            match word.split_once('=') {
                None if word == "swap1" => referee.swap1 = true,
                Some(("side", side)) => referee.side = side.parse().unwrap(),
                Some(("line", line)) => referee.line = line.parse().unwrap(),
                Some(("max-plies", plies)) => referee.max_plies = plies.parse().unwrap(),
                _ => panic!("what is {word}?"),
            }
        }
        referee
    }

    fn rows(&self) -> i32 {
        if self.trapezium { self.side } else { 2 * self.side - 1 }
    }

    fn length(&self, row: i32) -> i32 {
        let widest = self.side - 1;
        if row <= widest { self.side + row } else { self.side + 2 * widest - row }
    }

    fn is_on_board(&self, (row, place): Point) -> bool {
        (0..self.rows()).contains(&row) && (0..self.length(row)).contains(&place)
    }

    pub fn points(&self) -> Vec<Point> {
        let row = |row: i32| (0..self.length(row)).map(move |place| (row, place));
        (0..self.rows()).flat_map(row).collect()
    }

    /// One step along axis 0, 1 or 2, forwards or backwards; the point may lie off the board.
    fn step(&self, (row, place): Point, axis: usize, forwards: bool) -> Point {
        let sign = if forwards { 1 } else { -1 };
        if axis == 0 {
            return (row, place + sign);
        }
        let (low, high) = if forwards { (row, row + 1) } else { (row - 1, row) };
        let widens = self.length(high) > self.length(low);
        // Upwards, axis 1 leans to the left and axis 2 to the right.
        let leaning = match (axis, widens) {
            (1, true) | (2, false) => 0,
            (1, false) => -1,
            _ => 1,
        };
        (row + sign, place + sign * leaning)
    }

    pub fn neighbors(&self, point: Point) -> Vec<Point> {
        let all = (0..3).flat_map(|axis| [true, false].map(|f| self.step(point, axis, f)));
        all.filter(|&near| self.is_on_board(near)).collect()
    }

    /// The longest row of a color through a point that holds one of its stones.
    fn row_through(&self, point: Point, color: usize) -> usize {
        let count = |axis: usize, forwards: bool| {
            let mut at = self.step(point, axis, forwards);
            let mut stones = 0;
            while self.is_on_board(at) && self.board.get(&at) == Some(&color) {
                stones += 1;
                at = self.step(at, axis, forwards);
            }
            stones
        };
        (0..3).map(|axis| 1 + count(axis, true) + count(axis, false)).max().unwrap()
    }

    fn group(&self, point: Point) -> (BTreeSet<Point>, BTreeSet<Point>) {
        let color = self.board[&point];
        let (mut group, mut liberties) = (BTreeSet::from([point]), BTreeSet::new());
        let mut open = vec![point];
        while let Some(at) = open.pop() {
            for near in self.neighbors(at) {
                match self.board.get(&near) {
                    None => {
                        liberties.insert(near);
                    }
                    Some(&other) if other == color && group.insert(near) => open.push(near),
                    Some(_) => (),
                }
            }
        }
        (group, liberties)
    }

    /// The board after a stone, and how many were taken; none for suicide.
    fn placed(&self, point: Point, color: usize) -> Option<(Referee, u32)> {
        let mut after = self.clone();
        after.board.insert(point, color);
        if self.yavalath {
            return Some((after, 0));
        }
        let foreign: Vec<Point> =
            after.board.iter().filter(|&(_, &c)| c != color).map(|(&p, _)| p).collect();
        let dead: Vec<Point> =
            foreign.into_iter().filter(|&p| after.group(p).1.is_empty()).collect();
        for point in &dead {
            after.board.remove(point);
        }
        (!after.group(point).1.is_empty()).then_some((after, dead.len() as u32))
    }

    /// The seat to move.
    pub fn to_move(&self) -> usize {
        if self.choosing { 1 } else { self.owner[self.color] }
    }

    fn next_color(&self) -> usize {
        let mut color = self.color;
        loop {
            color = (color + 1) % self.seats;
            if !self.out.contains(&color) {
                return color;
            }
        }
    }

    fn empty(&self) -> Vec<Point> {
        self.points().into_iter().filter(|point| !self.board.contains_key(point)).collect()
    }

    /// The points where a color would stand in a row of four at once.
    fn fours(&self, color: usize) -> Vec<Point> {
        let makes = |&point: &Point| self.row_through(point, color) >= 4;
        self.empty().into_iter().filter(makes).collect()
    }

    fn legal_points(&self) -> Vec<Point> {
        if !self.yavalath {
            let legal = |&point: &Point| self.placed(point, self.color).is_some();
            return self.empty().into_iter().filter(legal).collect();
        }
        if self.seats == 3 {
            let threats = self.fours(self.next_color());
            if !threats.is_empty() {
                return threats.into_iter().chain(self.fours(self.color)).collect();
            }
        }
        self.empty()
    }

    /// The texts of all legal moves in byte order.
    pub fn legal_moves(&self) -> Vec<String> {
        if self.end.is_some() {
            return Vec::new();
        }
        if self.choosing {
            return vec!["keep".to_owned(), "swap".to_owned()];
        }
        let texts: BTreeSet<String> = self.legal_points().into_iter().map(text).collect();
        if texts.is_empty() { vec!["pass".to_owned()] } else { texts.into_iter().collect() }
    }

    /// Plays a move given as text, or refuses it.
    pub fn play(&mut self, text: &str) -> Result<(), ()> {
        if !self.legal_moves().iter().any(|legal| legal == text) {
            return Err(());
        }
        self.plies += 1;
        match text {
            "swap" | "keep" => {
                self.choosing = false;
                if text == "swap" {
                    self.owner = vec![1, 0];
                }
            }
            "pass" => {
                self.passes += 1;
                self.color = self.next_color();
                if self.passes == self.seats {
                    self.end = Some((None, "no-move"));
                }
            }
            _ => self.place(text),
        }
        if self.end.is_none() && self.plies >= self.max_plies {
            self.end = Some((None, "ply-cap"));
        }
        Ok(())
    }

    fn place(&mut self, text: &str) {
        let point = self.points().into_iter().find(|&p| self::text(p) == text).unwrap();
        let (after, taken) = self.placed(point, self.color).unwrap();
        self.board = after.board;
        self.captured[self.color] += taken;
        self.passes = 0;
        let row = self.row_through(point, self.color);
        if row >= self.line {
            self.end = Some((Some(self.owner[self.color]), "line"));
        } else if self.yavalath && row == 3 {
            self.out.insert(self.color);
            if self.out.len() + 1 == self.seats {
                let left = (0..self.seats).find(|color| !self.out.contains(color)).unwrap();
                self.end = Some((Some(self.owner[left]), "short-line"));
            }
        }
        if self.end.is_none() && self.empty().is_empty() {
            self.end = Some((None, "full-board"));
        }
        self.color = self.next_color();
        self.choosing = self.swap1 && self.plies == 1;
    }

    /// The empty points where a stone of a color would complete a winning row.
    pub fn completing_points(&self, color: usize) -> Vec<Point> {
        let completes = |&point: &Point| self.row_through(point, color) >= self.line;
        self.empty().into_iter().filter(completes).collect()
    }

    /// The points where the color to move wins with its next stone.
    pub fn winning_points(&self) -> Vec<Point> {
        let points = self.completing_points(self.color).into_iter();
        points.filter(|&point| self.placed(point, self.color).is_some()).collect()
    }

    /// The points where a stone of the color to move leaves it another one that would complete a
    /// winning row, as long as nothing is taken.
    pub fn threatening_points(&self) -> Vec<Point> {
        let threatens = |&point: &Point| {
            let mut after = self.clone();
            after.board.insert(point, self.color);
            !after.completing_points(self.color).is_empty()
        };
        self.empty().into_iter().filter(threatens).collect()
    }

    /// The winning seat, or nobody, of a game that is over.
    #[allow(clippy::option_option, reason = "open, drawn, or won by a seat")]
    pub fn result(&self) -> Option<Option<usize>> {
        self.end.map(|(winner, _)| winner)
    }

    pub fn reason(&self) -> Option<&'static str> {
        self.end.map(|(_, reason)| reason)
    }

    pub fn captured(&self) -> &[u32] {
        &self.captured
    }

    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Sets stones up, for positions that the rules speak of.
    pub fn set_up(&mut self, stones: &[(&str, usize)]) {
        for &(name, color) in stones {
            let point = self.points().into_iter().find(|&p| text(p) == name).unwrap();
            self.board.insert(point, color);
        }
    }
}

/// A letter for the row, from the short edge, and the place from 1.
pub fn text((row, place): Point) -> String {
    format!("{}{}", char::from(b'a' + row as u8), place + 1)
}
