//! The naive referee: the project's independent second implementation of the rules, for tests.
//!
//! Slow, plain and written straight from the text of the rules and of the protocol,
//! without a look at the engine. A rule is plain data in [`ruleset::Ruleset`] and one function in
//! [`captures`], [`lines`], [`forbidden`], [`openings`] or [`judge`]; [`Referee::play`] calls them
//! in the order of the rules, section 1, "Order in a move". There is no undo: clone the referee.
//!
//! Where the text of the rules leaves a combination open, this is how it is read here:
//!
//! Turns and stages
//! - At a choice the color to place is that of the next stone; it is the same after every choice
//!   but `more`, and after that too.
//! - Stones of a swap stage follow every rule of the variant (captures, signs, poofs, `anti`); only
//!   special stones are not offered, and a stone that makes a winning run is illegal. Choices are
//!   plies, but the openings count only what is placed.
//! - Gomoku, Renju, Caro and Connect6 have no rule for the first stone.
//! - The ply cap draws a game in which a five may still be answered; on a full board, or without a
//!   legal reply, the five wins.
//!
//! Captures
//! - Neutral stones and bombs capture and poof nothing. A bomb clears stones of colors only.
//! - A winning run is looked for on the whole board after every ply of its owner, also after a
//!   neutral stone or a bomb; with `poof` only if the placed stone survived.
//! - With `poof` the mover's run is judged first, then its win by captures, then the opponent's.
//!   With `plus-minus` poofed stones have no sign and are added to the opponent's count.
//! - In `plus-minus` a text has all signs in canonical order or none, which means all `+`.
//! - Among several seats the stones between may be of any other colors, the brackets are the
//!   mover's own; with `teams` only opponents' stones count, for both partners together.
//!
//! `anti`
//! - Asked on the whole board for the mover, after every kind of move, also for a four that the
//!   move did not make. A shape alone counts: what completing it would capture is not asked.
//! - To reach the goal means what would win by captures. The draw comes before all else.
//!
//! `boat`
//! - A five together with a win by captures wins at once.
//! - A reply is judged in this order: the replier's run, its win by captures, the maker's standing
//!   run, the maker's win by captures.
//! - With more seats the five is answered by each other seat in turn, until it stands no more: then
//!   the game goes on as if it had not been made.
//! - `boat=strict`: the opponent (with `teams` the next seat) must have a legal plain stone that
//!   captures from the run, one for each run; bombs do not count.
//!
//! `plus`
//! - A power stone that wins, or leaves no diamond empty, has no bonus stone. The mover's runs are
//!   of its own stones and all power stones.
//! - Diamonds are written `diamonds=g7,m7`.
//!
//! Ninuki-Renju and Renju
//! - The next move after one's own is the opponent's: the mover's exact five is perfect if the
//!   opponent can capture none of its stones, the opponent's exact five whenever it stands.
//! - A four is four stones that one empty point turns into an exact five; a double-three is excused
//!   if one enemy four can no longer be completed, whatever other fours there are.
//!
//! Specs
//! - An explicit word replaces the opening, size, goal, seats or ply cap of the catalog's name; two
//!   explicit words with one key and different values are refused.
//! - `five-only` alone is `free` in Pente; Ninuki keeps its own opening.
//! - `plus` goes with Ninuki only if the diamonds are given, as on all boards but 19x19.

pub mod board;
mod captures;
mod forbidden;
pub mod hand_vectors;
mod judge;
mod legal;
mod lines;
mod moves;
mod openings;
pub mod plain;
mod ruleset;
pub mod variant_vectors;
pub mod vectors;
mod words;

pub use board::Content as Stone;
use board::{Board, Point};
use captures::{Effect, Placement, place, signed};
use judge::Pending;
use moves::Move;
#[allow(unused_imports, reason = "each test uses what it needs")]
pub use moves::from_capitals;
use openings::Stage;
use ruleset::Ruleset;
use std::sync::Arc;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Line,
    Captures,
    Full,
    NoMove,
    Plies,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winning side (with teams: 0 or 1, else the seat), or nobody: a draw.
    pub winner: Option<usize>,
    pub kind: Kind,
}

/// A game in progress, or one that is over.
#[derive(Clone, Debug)]
pub struct Referee {
    rules: Arc<Ruleset>,
    board: Board,
    plies: u32,
    /// The number of plies that placed something, which is what the openings count.
    placed: usize,
    /// Where the first stone was placed.
    first: Option<Point>,
    /// Counted captured stones, by capturing color.
    captured: Vec<u16>,
    /// The seat that owns each color.
    owner: Vec<usize>,
    /// Special stones left, by color.
    neutrals: Vec<u8>,
    bombs: Vec<u8>,
    jokers: Vec<u8>,
    stage: Stage,
    pending: Option<Pending>,
    /// Whether the player to move has a four that `anti` forbids, before the move.
    stands_forbidden: bool,
    outcome: Option<Outcome>,
}

impl Referee {
    /// The empty board of `spec`, written `NAME[+modifier...]`, unless the rules refuse it.
    pub fn new(spec: &str) -> Result<Referee, String> {
        let rules = Ruleset::parse(spec)?;
        let seats = rules.seats;
        Ok(Referee {
            board: Board::new(rules.columns, rules.rows),
            plies: 0,
            placed: 0,
            first: None,
            captured: vec![0; seats],
            owner: (0..seats).collect(),
            neutrals: vec![rules.neutrals; seats],
            bombs: vec![rules.bombs; seats],
            jokers: vec![rules.jokers; seats],
            stage: Stage::start(rules.opening),
            pending: None,
            stands_forbidden: false,
            outcome: None,
            rules: Arc::new(rules),
        })
    }

    /// The game after some moves, separated by spaces.
    pub fn after(spec: &str, moves: &str) -> Result<Referee, String> {
        let mut referee = Referee::new(spec)?;
        for text in moves.split_whitespace() {
            referee.play(text).map_err(|error| format!("{spec}, {text}: {error}"))?;
        }
        Ok(referee)
    }

    /// The width of the board.
    pub fn columns(&self) -> i32 {
        self.rules.columns
    }

    /// The height of the board.
    pub fn rows(&self) -> i32 {
        self.rules.rows
    }

    /// The seat to move, 0-based.
    pub fn seat(&self) -> usize {
        match self.stage {
            Stage::Placing { seat, .. } | Stage::Choosing { seat, .. } => seat,
            Stage::Over => self.owner[self.color()],
        }
    }

    /// The number of the color that is placed next.
    pub fn color(&self) -> usize {
        let turns = self.placed.div_ceil(self.rules.stones_a_turn);
        turns % self.rules.seats
    }

    /// The number of sides.
    pub fn sides(&self) -> usize {
        if self.rules.teams { 2 } else { self.rules.seats }
    }

    /// Whether a move is a choice, or touches something that lies on the board.
    pub fn is_near(&self, text: &str) -> bool {
        let point = Move::parse(text).ok().and_then(|mv| mv.point());
        let is_taken = |direction| {
            let content = self.board.get(board::along(point.unwrap_or_default(), direction, 1));
            content.is_some_and(|content| content != Stone::Empty)
        };
        point.is_none() || board::DIRECTIONS.into_iter().any(is_taken)
    }

    /// The side of the seat to move.
    pub fn side_to_move(&self) -> usize {
        self.side_of_seat(self.seat())
    }

    fn side_of_seat(&self, seat: usize) -> usize {
        if self.rules.teams { seat % 2 } else { seat }
    }

    /// The side that owns a color.
    fn side(&self, color: usize) -> usize {
        self.side_of_seat(self.owner[color])
    }

    /// The number of plies played.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// What lies on a point; nothing off the board.
    pub fn content(&self, column: i32, row: i32) -> Option<Stone> {
        self.board.get((column, row))
    }

    /// What lies on a point given as text.
    pub fn content_on(&self, text: &str) -> Option<Stone> {
        moves::point(text).ok().and_then(|point| self.board.get(point))
    }

    /// Counted captured stones, by capturing color.
    pub fn captures(&self) -> Vec<u16> {
        self.captured.clone()
    }

    /// How the game ended, if it did.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Canonical texts of all legal moves in byte order; none when the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let legal = self.candidates().filter(|mv| self.allowed(mv).is_ok());
        let mut texts: Vec<String> = legal.map(|mv| mv.text()).collect();
        texts.sort();
        texts
    }

    fn has_legal_move(&self) -> bool {
        self.candidates().any(|mv| self.allowed(&mv).is_ok())
    }

    /// Plays a move, or says why it cannot be played and changes nothing.
    ///
    /// The steps are those of the rules, section 1, "Order in a move", in that order.
    pub fn play(&mut self, text: &str) -> Result<(), String> {
        if self.outcome.is_some() {
            return Err("the game is over".to_owned());
        }
        let mv = Move::parse(text)?;
        self.allowed(&mv)?;
        self.fits(&mv)?;
        self.plies += 1;
        self.outcome = match mv {
            Move::Swap | Move::Keep | Move::More => {
                self.choose(&mv);
                None
            }
            _ => self.put(&mv),
        };
        if self.outcome.is_none() {
            self.outcome = self.stale();
        }
        Ok(())
    }

    fn choose(&mut self, mv: &Move) {
        if *mv == Move::Swap {
            self.owner.swap(0, 1);
        }
        self.stage = match (mv, self.stage) {
            (Move::More, Stage::Choosing { seat, .. }) => Stage::Placing { seat, left: 2 },
            _ => Stage::Over,
        };
    }

    /// Places what a move places, and judges.
    fn put(&mut self, mv: &Move) -> Option<Outcome> {
        let mover = self.color();
        let point = mv.point().expect("a move on a point");
        match mv {
            Move::Neutral(_) => self.neutrals[mover] -= 1,
            Move::Bomb(_) => self.bombs[mover] -= 1,
            Move::Joker(..) => self.jokers[mover] -= 1,
            _ => (),
        }
        let effect = self.effect(mv);
        let mut stood = self.stood(mover, &effect);
        self.take(mv, mover, &effect);
        if let Move::Joker(joker, Some(bonus)) = mv {
            let content = Stone::Stone(mover as u8);
            let fresh_joker = Some(*joker);
            let stone = Placement { point: *bonus, content, mover, is_bomb: false, fresh_joker };
            let effect = place(&self.rules, &self.board, stone);
            stood |= self.stood(mover, &effect);
            self.take(mv, mover, &effect);
        }
        self.first = self.first.or(Some(point));
        self.placed += 1;
        let in_stage = self.stage != Stage::Over;
        self.stage = self.stage.after_stone(self.rules.opening);
        // Set first: what the opponent could do is part of judging some fives.
        self.stands_forbidden = self.has_open_four(self.color());
        if in_stage { None } else { self.judge(mover, effect.survived, stood) }
    }

    /// Takes over the board after a placement and counts what was captured.
    fn take(&mut self, mv: &Move, mover: usize, effect: &Effect) {
        self.board = effect.board.clone();
        if let (true, Move::Stone(_, signs)) = (self.rules.plus_minus, mv) {
            let all_plus = "+".repeat(effect.groups.len());
            let signs = if signs.is_empty() { &all_plus } else { signs };
            let (plus, minus) = signed(&effect.groups, signs);
            self.captured[mover] += plus;
            self.captured[1 - mover] -= minus;
        } else {
            let counts = |stone: &&Stone| match stone {
                Stone::Stone(color) => self.side(usize::from(*color)) != self.side(mover),
                _ => true,
            };
            let number = effect.groups.iter().flatten().filter(counts).count();
            self.captured[mover] += number as u16;
        }
        // Only two players can poof.
        if effect.poofed > 0 {
            self.captured[1 - mover] += effect.poofed as u16;
        }
    }

    /// What the stone of a move, without the bonus stone, leads to.
    fn effect(&self, mv: &Move) -> Effect {
        let mover = self.color();
        let point = mv.point().expect("a move on a point");
        let content = match mv {
            Move::Neutral(_) => Stone::Neutral,
            Move::Joker(..) => Stone::Joker,
            _ => Stone::Stone(mover as u8),
        };
        let is_bomb = matches!(mv, Move::Bomb(_));
        let fresh_joker = matches!(mv, Move::Joker(..)).then_some(point);
        let placement = Placement { point, content, mover, is_bomb, fresh_joker };
        place(&self.rules, &self.board, placement)
    }
}
