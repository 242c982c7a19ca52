//! Golden vectors: short games with their outcome, played by every implementation of the rules.
//!
//! The ones called "golden" are those of the rules, section 6, which independent rule sets agree
//! on; the others were worked out by hand from the text of the rules. Moves are in capitals, which
//! skip I; see [`super::from_capitals`].

/// A game and what it leads to.
#[derive(Clone, Copy, Debug)]
pub struct Vector {
    pub name: &'static str,
    /// The variant, `NAME[+modifier...]`.
    pub spec: &'static str,
    /// Moves in capitals, separated by single spaces.
    pub moves: &'static str,
    /// Counted captured stones of player 1 and player 2.
    pub captured: (u32, u32),
    /// [`OPEN`], [`DRAW`], or the winning seat from 1.
    pub winner: Option<u8>,
}

/// The game is not over.
pub const OPEN: Option<u8> = None;
/// The game is a draw.
pub const DRAW: Option<u8> = Some(0);
const FIRST: Option<u8> = Some(1);
const SECOND: Option<u8> = Some(2);

/// Four pairs around K10, taken at once by the last move.
const FOUR_PAIRS: &str = "G10 J10 K13 H10 N10 K11 K7 K12 A1 L10 C1 M10 E1 K9 G1 K8 K10";
/// Five pairs around K10, taken at once by the last move.
const FIVE_PAIRS: &str =
    "G10 J10 K13 H10 N10 K11 K7 K12 N13 L10 A1 M10 C1 K9 E1 K8 G1 L11 J1 M12 K10";
/// Pairs in all eight directions from K10.
const EIGHT_PAIRS: &str = "G7 H8 G10 J9 G13 H10 K7 J10 K13 H12 N7 J11 N10 K8 N13 K9 \
    A1 K11 C1 K12 E1 M8 G1 L9 J1 L10 L1 M10 N1 M12 P1 L11 K10";
/// Threes in all eight directions from K10.
const EIGHT_THREES: &str = "F6 J9 F10 H8 F14 G7 K6 J10 K14 H10 O6 G10 O10 J11 O14 H12 \
    A1 G13 C1 K9 E1 K8 G1 K7 J1 K11 L1 K12 N1 K13 P1 L9 \
    A19 M8 C19 N7 E19 L10 G19 M10 J19 N10 L19 L11 N19 M12 P19 N13 K10";
/// Player 1 joins three and two to six in a row.
const SIX: &str = "E10 A1 F10 C1 G10 E1 J10 G1 K10 J1 H10";
/// Player 1 makes six across and exactly five up with one stone.
const SIX_AND_FIVE: &str = "E10 A1 F10 C1 G10 E1 J10 G1 K10 J1 H6 L1 H7 N1 H8 A3 H9 C3 H10";
/// Player 1 makes five with ply 9.
const FIVE: &str = "A1 A3 B1 C3 C1 E3 D1 G3 E1";
/// A five, and the capture from it that wins by the tenth stone.
const BROKEN_BY_THE_TENTH: &str = "K10 L11 E8 L10 M12 M11 L12 M10 H11 K11 L9 L11 K9 L10 J9 K8 M9 K10 J12 L10 M8 \
    K11 H12 K9 L8 J10 H9 K11 M10 M11 J11 K12 J10";
/// A five, and a capture from it.
const BROKEN: &str = "K10 J13 K13 H12 K9 H13 J12 H11 L12 J10 K12 H10 K11 L10";
/// A move that loses three stones.
const THREE_POOFED: &str = "K10 O9 O13 L11 O14 M12 L9 N13";

/// Writes a table of vectors a little shorter: name: spec, moves, captured, winner.
macro_rules! vectors {
    ($(
        $name:literal: $spec:literal, $moves:expr, $first:literal - $second:literal, $winner:expr;
    )*) => {
        &[$(Vector {
            name: $name,
            spec: $spec,
            moves: $moves,
            captured: ($first, $second),
            winner: $winner,
        }),*]
    };
}

/// The games.
#[rustfmt::skip]
pub const VECTORS: &[Vector] = vectors! {
    // Rules.md section 6.
    "golden: one pair":
        "pro-pente", "K10 L10 N8 M10 N10", 2-0, OPEN;
    "golden: two pairs at once":
        "pro-pente", "K10 O8 O9 L12 L9 N11 K9 K11 M10 K8", 0-4, OPEN;
    "golden: win by captures":
        "pro-pente",
        "K10 J11 J13 J10 H13 H11 F12 H10 G10 J12 J10 J11 G9 K12 H9 K11 K13 H10 K12 G12 F13",
        10-0, FIRST;
    "golden: keryo, three at once":
        "keryo-pente+pro", "K10 L7 O7 M7 N8 N7 K7", 3-0, OPEN;
    "golden: keryo, two and three in one move":
        "keryo-pente+pro", "K10 O7 N9 P9 L11 O8 K11 K9 M10 K12", 0-5, OPEN;
    "golden: poof, plain":
        "poof-pente+pro", "K10 K12 K13 K11", 2-0, OPEN;
    "golden: poof, capture and poof in one move":
        "poof-pente+pro", "K10 K13 J13 K12 K14 K9 K11", 2-2, OPEN;
    "golden: poof, the mover loses by poofing":
        "poof-pente+pro",
        "K10 F11 F9 G11 G10 H11 F10 H9 G9 G8 G10 K11 G9 F8 J9 G10 K9 K8 H10", 0-10, SECOND;
    "golden: boat=strict, the breaking capture is the tenth stone":
        "boat-pente-strict+pro", BROKEN_BY_THE_TENTH, 10-2, FIRST;
    "golden: boat, the breaking capture is the tenth stone":
        "boat-pente+pro", BROKEN_BY_THE_TENTH, 10-2, FIRST;
    "golden: boat=strict, five broken, the game goes on":
        "boat-pente-strict+pro", BROKEN, 0-2, OPEN;
    "golden: boat, five broken, the game goes on":
        "boat-pente+pro", BROKEN, 0-2, OPEN;
    "golden: o, a run of three poofed":
        "o-pente+pro", THREE_POOFED, 3-0, OPEN;
    "golden: keryo with poof, a run of three poofed":
        "keryo-pente+poof+pro", THREE_POOFED, 3-0, OPEN;

    // Captures (section 1).
    "moving in between two enemies is safe":
        "pente-freestyle", "A1 B1 D1 C1 K10", 0-0, OPEN;
    "a capture diagonally down to the right, by player 2":
        "pente-freestyle", "F7 D9 E8 T1 T19 G6", 0-2, OPEN;
    "a gap in the pair protects it":
        "pente-freestyle", "A1 B1 K10 D1 E1", 0-0, OPEN;
    "two pairs behind each other, four stones, are safe":
        "pente-freestyle", "A1 B1 T19 C1 T1 D1 A19 E1 F1", 0-0, OPEN;
    "moving in between is safe, and captures itself":
        "pente-freestyle", "A1 B1 D1 C4 C2 T19 C3 C1", 0-2, OPEN;
    "a single stone is not captured":
        "pente-freestyle", "A1 B1 C1", 0-0, OPEN;
    "three stones are not captured":
        "pente-freestyle", "A1 B1 T19 C1 T1 D1 E1", 0-0, OPEN;
    "capture along the edge from the corner":
        "pente-freestyle", "D1 B1 T19 C1 A1", 2-0, OPEN;
    "capture along a diagonal from the corner":
        "pente-freestyle", "Q16 S18 A1 R17 T19", 2-0, OPEN;
    "the old bracket on the edge":
        "pente-freestyle", "T10 S10 A1 R10 Q10", 2-0, OPEN;
    "the edge is no bracket":
        "pente-freestyle", "K10 A10 K1 B10 C10", 0-0, OPEN;
    "eight pairs at once":
        "pente-freestyle", EIGHT_PAIRS, 16-0, FIRST;
    "player 2 plays on a freed point again, now safe":
        "pente-freestyle", "A1 B1 K10 C1 D1 B1 K12 C1", 2-0, OPEN;
    "the captor plays on a freed point":
        "pente-freestyle", "A1 B1 K10 C1 D1 K12 C1", 2-0, OPEN;
    "a capture breaks a four":
        "pente-freestyle", "G4 E5 A19 F5 C19 H5 E19 G6 T1 G5 G7 J5", 2-0, OPEN;
    "the same four, not broken":
        "pente-freestyle", "G4 E5 A19 F5 C19 H5 E19 G6 T1 G5 T3 J5", 0-0, SECOND;

    // Wins (sections 1 and 3).
    "four pairs are not enough": "pente-freestyle", FOUR_PAIRS, 8-0, OPEN;
    "five pairs win": "pente-freestyle", FIVE_PAIRS, 10-0, FIRST;
    "goal=4, eight captured stones win": "pente-freestyle+goal=4", FOUR_PAIRS, 8-0, FIRST;
    "goal=4, four in a row win": "pente-freestyle+goal=4", "A1 A3 B1 C3 C1 E3 D1", 0-0, FIRST;
    "goal=6, ten captured stones are not enough":
        "pente-freestyle+goal=6", FIVE_PAIRS, 10-0, OPEN;
    "goal=6, five in a row are not enough": "pente-freestyle+goal=6", FIVE, 0-0, OPEN;
    "five in a row wins": "pente-freestyle", FIVE, 0-0, FIRST;
    "a five and the tenth stone in one move are one win":
        "pente-freestyle",
        "G10 J10 K13 H10 N10 K11 K7 K12 N13 L10 L9 M10 M8 K9 N7 K8 O6 L11 J1 M12 K10",
        10-0, FIRST;
    "six in a row wins": "pente-freestyle", SIX, 0-0, FIRST;
    "two lines in one move are one win": "pente-freestyle", SIX_AND_FIVE, 0-0, FIRST;
    "five-only, ten captured stones do not win":
        "five-in-a-row-pente", FIVE_PAIRS, 10-0, OPEN;
    "five-only, sixteen captured stones do not win":
        "five-in-a-row-pente", EIGHT_PAIRS, 16-0, OPEN;
    "five-only, a five wins": "five-in-a-row-pente", FIVE, 0-0, FIRST;

    // Keryo (section 3).
    "keryo, three stones are captured":
        "keryo-pente+free", "A1 B1 T19 C1 T1 D1 E1", 3-0, OPEN;
    "keryo, four stones are not":
        "keryo-pente+free", "A1 B1 T19 C1 T1 D1 A19 E1 F1", 0-0, OPEN;
    "keryo, a three formed in between is safe":
        "keryo-pente+free", "A1 B1 E1 D1 K10 C1", 0-0, OPEN;
    "keryo, a pair and a three in one move":
        "keryo-pente+free", "D1 B1 A5 C1 K10 A2 M10 A3 O10 A4 A1", 5-0, OPEN;
    "the same in pente, the pair alone":
        "pente-freestyle", "D1 B1 A5 C1 K10 A2 M10 A3 O10 A4 A1", 2-0, OPEN;
    "keryo, ten captured stones are not enough": "keryo-pente+free", FIVE_PAIRS, 10-0, OPEN;
    "keryo, eight threes at once": "keryo-pente+free", EIGHT_THREES, 24-0, FIRST;
    "keryo with goal=4 needs twelve": "keryo-pente+free+goal=4", FOUR_PAIRS, 8-0, OPEN;

    // Openings (section 2).
    "pro, plies 3 and 4 and no limit later": "pro-pente", "K10 L10 N10 K11 L11", 0-0, OPEN;
    "without a word ply 3 may be close": "pente", "K10 L10 K11", 0-0, OPEN;
    "long-pro, distance 4": "long-pro-pente", "K10 L10 O10", 0-0, OPEN;
    "g, distance 3 off the axes": "g-pente", "K10 L10 N9", 0-0, OPEN;
    "g, distance 3 on a diagonal": "g-pente", "K10 L10 N13", 0-0, OPEN;
    "g, distance 5 on the axis": "g-pente", "K10 L10 K15", 0-0, OPEN;
    "g binds player 1 alone": "g-pente", "K10 K13 N9 K14", 0-0, OPEN;
    "an explicit word replaces the variant's": "pro-pente+free", "A1 B1 C1", 0-0, OPEN;
    "five-only is free": "pente+five-only", "A1 B1 C1", 0-0, OPEN;
    "the center of 13x13": "pente-13", "G7 A1 N13", 0-0, OPEN;
    "the center of 8x8": "pente+size=8", "E5 A1 H8", 0-0, OPEN;

    // Ninuki (section 4, S5).
    "ninuki, distance 3 along a row": "ninuki", "D4 E4 G4", 0-0, OPEN;
    "ninuki, distance 3 as a knight goes": "ninuki", "A1 G7 C4", 0-0, OPEN;
    "ninuki, the center is nothing special": "ninuki", "A1 B1 G7", 0-0, OPEN;
    "ninuki, five pairs": "ninuki",
        "D7 F7 G10 E7 K7 G8 G4 G9 K10 H7 A1 J7 C1 G6 E1 G5 A13 H8 C13 J9 G7", 10-0, FIRST;
    "ninuki, six in a row":
        "ninuki", "E10 A1 J10 C1 F10 E1 G10 G1 K10 J1 H10", 0-0, FIRST;

    // Gomoku (section 4).
    "gomoku, no captures": "gomoku", "A1 B1 K10 C1 D1", 0-0, OPEN;
    "gomoku, six wins": "gomoku", SIX, 0-0, FIRST;
    "gomoku-standard, six does not win": "gomoku-standard", SIX, 0-0, OPEN;
    "gomoku-standard, six and five in one move": "gomoku-standard", SIX_AND_FIVE, 0-0, FIRST;
    "gomoku-standard, five after an older six": "gomoku-standard",
        "E10 A1 F10 C1 G10 E1 J10 G1 K10 J1 H10 L1 H9 N1 H8 A3 H7 C3 H6", 0-0, FIRST;
    "gomoku-standard with line=3, four does not win":
        "gomoku-standard+line=3", "A1 A3 B1 C5 D1 E7 C1", 0-0, OPEN;
    "gomoku 4x3, four along the long side":
        "gomoku+size=4x3+line=4", "A1 A2 B1 B2 D1 A3 C1", 0-0, FIRST;

    // Draws (section 1).
    "draw, full board":
        "gomoku+size=3x3+line=3", "A3 B3 C3 B2 B1 A1 A2 C2 C1", 0-0, DRAW;
    "a win on the last point is a win":
        "gomoku+size=3x3+line=3", "A1 A2 B1 B2 C2 C3 B3 A3 C1", 0-0, FIRST;
    "draw, ninuki on 5x5 leaves no ply 3": "ninuki+size=5", "C3 A1", 0-0, DRAW;
    "draw, ply cap": "pente+max-plies=4", "K10 A1 C1 E1", 0-0, DRAW;
    "a win with the last ply is a win": "pente-freestyle+max-plies=9", FIVE, 0-0, FIRST;
};

/// Moves that are not legal: variant, moves before, the move (capitals).
pub const ILLEGAL: &[(&str, &str, &str)] = &[
    ("pente", "", "A1"),
    ("pente", "", "K11"),
    ("pente", "K10", "K10"),
    ("pente", "K10", "U1"),
    ("pente", "K10", "A20"),
    ("pente-freestyle", "", "A0"),
    ("pente-freestyle", "A1 B1 K10 C1 D1", "A1"),
    ("pente-freestyle", FIVE, "J3"),
    ("pente+max-plies=4", "K10 A1 C1 E1", "G1"),
    ("pente-13", "", "K10"),
    ("pente-13", "G7", "O1"),
    ("pente+size=8", "", "D4"),
    ("pro-pente", "", "K11"),
    ("pro-pente", "K10 L10", "M10"),
    ("pro-pente", "K10 L10", "M12"),
    ("pro-pente", "K10 L10", "J11"),
    ("keryo-pente", "", "A1"),
    ("five-in-a-row-pente+pro", "", "A1"),
    ("five-in-a-row-pente+pro", "K10 L10", "M10"),
    ("long-pro-pente", "", "A1"),
    ("long-pro-pente", "K10 L10", "N10"),
    ("long-pro-pente", "K10 L10", "N13"),
    ("g-pente", "", "A1"),
    ("g-pente", "K10 L10", "M12"),
    ("g-pente", "K10 L10", "K6"),
    ("g-pente", "K10 L10", "K7"),
    ("g-pente", "K10 L10", "K13"),
    ("g-pente", "K10 L10", "K14"),
    ("g-pente", "K10 L10", "F10"),
    ("g-pente", "K10 L10", "G10"),
    ("g-pente", "K10 L10", "N10"),
    ("g-pente", "K10 L10", "O10"),
    ("ninuki", "D4 E4", "F4"),
    ("ninuki", "D4 E4", "D6"),
    ("ninuki", "D4 E4", "F6"),
    ("ninuki", "A1 G7", "C3"),
    ("ninuki", "", "O1"),
    ("gomoku", "", "Q1"),
    ("gomoku+size=4x3+line=4", "", "A4"),
    ("gomoku+size=4x3+line=4", "", "E1"),
];
