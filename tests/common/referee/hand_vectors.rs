//! Two or more games of each variant, worked out by hand from the text of the rules; the comment
//! above each says how. Moves are in UGI letters.

use super::Kind::{Captures, Line};
use super::variant_vectors::Case;
use super::variant_vectors::Result::{Draw, Open, Won};

/// Writes a table of cases a little shorter:
/// name: variant, moves, captures, result, legal, illegal.
macro_rules! cases {
    ($(
        $name:literal: $spec:literal, $moves:literal, $captures:expr, $result:expr,
        $legal:expr, $illegal:expr;
    )*) => {
        &[$(Case {
            name: $name,
            spec: $spec,
            moves: $moves,
            captures: &$captures,
            result: $result,
            legal: &$legal,
            illegal: &$illegal,
        }),*]
    };
}

/// The games of the variants of Pente for two.
#[rustfmt::skip]
pub const PENTE: &[Case] = cases! {
    // m10 takes k10 l10. Black has captured nothing, so nothing can be taken off it.
    "plus-minus, a minus needs a count":
        "plus-minus-pente", "j10 k10 a1 l10", [0, 0], Open(1),
        ["m10+"], ["m10-", "m10+-"];
    // d1 took b1 c1: Black has 2. m10 takes k10 l10 and m11 m12: one pair can be taken off, two
    // pairs are 4 stones and more than 2; `+` is written before `-`.
    "plus-minus, minuses together may not exceed the count":
        "plus-minus-pente", "j10 a1 b1 k10 c1 d1+ m13 l10 a19 m11 c19 m12", [0, 2], Open(1),
        ["m10++", "m10+-"], ["m10--", "m10-+"];
    "plus-minus, one pair each way":
        "plus-minus-pente", "j10 a1 b1 k10 c1 d1+ m13 l10 a19 m11 c19 m12 m10+-", [2, 0], Open(2),
        ["k10"], ["m10"];

    // The neutral stone on m10 does not take k10 l10, and lies where it lies.
    "neutral, no bracket":
        "neutral-pente", "j10 k10 a1 l10 N@m10", [0, 0], Open(2),
        ["N@b2", "m9"], ["m10", "N@m10", "k10"];
    // j10 to m10 with a neutral stone at either end: no five, and no room for one. White has
    // placed two neutral stones, Black one.
    "neutral, no part of a line, and two a player":
        "neutral-pente", "j10 a1 k10 c1 l10 e1 m10 g1 N@n10 N@i10 N@o10 i1", [0, 0], Open(1),
        ["n11"], ["N@p10", "i10", "n10"];

    // Around j9 lie j10 (White's own) and k10 (Black); j11 and k11 are two away.
    "atomic, all around vanish and nobody scores":
        "atomic-pente", "j10 k10 j11 k11 B@j9", [0, 0], Open(2),
        ["j10", "k10", "B@a1"], ["j9", "j11", "k11"];
    // l10 is next to the bomb and vanishes; k10 stays, nothing is captured. White has no bomb left.
    "atomic, a bomb captures nothing":
        "atomic-pente", "j10 k10 a1 l10 B@m10 a5", [0, 0], Open(1),
        ["l10"], ["k10", "m10", "B@a9"];

    // e10 f10 g10 and the power stone h10 are four; the bonus stone on the diamond d10 makes five.
    "plus, power stone and bonus stone make a five":
        "pente-plus", "j10 a1 e10 c1 f10 e1 g10 g1 P@h10,d10", [0, 0], Won(1, Line), [], [];
    "plus, without a win there is a bonus stone":
        "pente-plus", "j10 a1 e10 c1 f10 e1 g10 g1", [0, 0], Open(1),
        ["P@h10,d10", "P@h10,g7"], ["P@h10", "P@h10,e11"];
    // d10 to g10 are four: the power stone on h10 makes the five, and has no bonus.
    "plus, a power stone that wins has no bonus stone":
        "pente-plus", "j10 a1 e10 c1 f10 e1 g10 g1 d10 i1", [0, 0], Open(1),
        ["P@h10", "P@i10,g7"], ["P@h10,g7"];
    // l10 takes k10, an older power stone as an enemy's, and j10 up to i10. Both points are free.
    "plus, a power stone is captured with a stone":
        "pente-plus", "j10 i10 P@k10,g7 l10", [0, 2], Open(1),
        ["j10", "k10", "P@k10,m7"], ["g7", "P@k10,g7"];
    // d5 to g5 are White's; Black's power stone on h5 is White's fifth as soon as White has moved,
    // though that move is far away.
    "plus, an older power stone completes a line without the last stone":
        "pente-plus", "j10 a1 d5 c1 e5 e1 f5 g1 g5 P@h5,g13 a19", [0, 0], Won(1, Line), [], [];

    // k8 takes i8 and j8, two older power stones between h8 and k8; but h8 to l8 are five, read so.
    "plus, a five that stands with power stones wins though they are captured":
        "pente-plus", "j10 a1 P@i8,d4 a3 h8 P@j8,d16 l8 a5 k8", [2, 0], Won(1, Line), [], [];
    // The same with a power stone on k8, which then has no bonus.
    "plus, so it does with a power stone":
        "pente-plus", "j10 a1 P@i8,d4 a3 h8 P@j8,d16 l8 a5", [0, 0], Open(1),
        ["P@k8"], ["P@k8,g7"];

    // a5 b5 lies between the edge and c5.
    "poof, the edge bounds nothing":
        "poof-pente", "j10 c5 a5 a1 b5", [0, 0], Open(2), ["d5"], ["a5", "b5"];
    // k5 k6 lies between k4 and k7, k5 l5 between j5 and m5: three stones go, k5 only once.
    "poof, two lines, and the placed stone counts once":
        "poof-pente", "j10 k4 k6 k7 l5 j5 a19 m5 k5", [0, 3], Open(2), ["k5", "k6", "l5"], [];

    // j10 to n10: Black has one more move, wherever.
    "boat, the opponent has one more move":
        "boat-pente", "j10 a1 k10 c1 l10 e1 m10 g1 n10", [0, 0], Open(2), ["a3"], ["n10"];
    "boat, a five that stands wins":
        "boat-pente", "j10 a1 k10 c1 l10 e1 m10 g1 n10 i1", [0, 0], Won(1, Line), [], [];
    // Black answers the five with another, a3 to e3.
    "boat, a five in reply wins":
        "boat-pente", "j10 a3 k10 b3 l10 c3 m10 d3 n10 e3", [0, 0], Won(2, Line), [], [];
    // Three seats: White's five, then seats 2 and 3 move; no one breaks it.
    "boat, every other seat has a move":
        "pente-3+boat", "j10 a1 a3 k10 c1 c3 l10 e1 e3 m10 g1 g3 n10 i1", [0, 0, 0], Open(3),
        ["a5"], [];
    "boat, after the last reply the five wins":
        "pente-3+boat", "j10 a1 a3 k10 c1 c3 l10 e1 e3 m10 g1 g3 n10 i1 i3", [0, 0, 0],
        Won(1, Line), [], [];

    // No two of j10 to n10 lie in a line that ends at a Black stone.
    "boat=strict, a five that cannot be broken wins at once":
        "boat-pente-strict", "j10 a3 k10 b3 l10 c3 m10 d3 n10", [0, 0], Won(1, Line), [], [];
    // l12 would take l11 l10 up to l9, and so break j10 to n10.
    "boat=strict, a five that can be broken waits":
        "boat-pente-strict", "j10 l9 k10 a3 l11 b3 l10 c3 m10 d3 n10", [0, 0], Open(2),
        ["l12", "e3"], [];
    "boat=strict, broken by the capture":
        "boat-pente-strict", "j10 l9 k10 a3 l11 b3 l10 c3 m10 d3 n10 l12", [0, 2], Open(1),
        ["l10"], [];
    // Black makes a five too, but White's stands.
    "boat=strict, a five in reply does not win":
        "boat-pente-strict", "j10 l9 k10 a3 l11 b3 l10 c3 m10 d3 n10 e3", [0, 0], Won(1, Line),
        [], [];
    "boat, in the same game it does":
        "boat-pente", "j10 l9 k10 a3 l11 b3 l10 c3 m10 d3 n10 e3", [0, 0], Won(2, Line), [], [];

    // m10 and i10 make four with both ends empty; n10 and h10 leave one completing point.
    "anti, a four open at both ends":
        "anti-pente", "j10 a1 k10 c1 l10 e1", [0, 0], Open(1), ["h10", "n10"], ["i10", "m10"];
    "anti=any, no four at all":
        "pente+anti=any", "j10 a1 k10 c1 l10 e1", [0, 0], Open(1),
        ["o10"], ["h10", "i10", "m10", "n10"];
    // m10 makes j10 . l10 m10 n10 . p10: k10 and o10 complete fives that share l10 m10 n10. With
    // k10 only m10 completes one.
    "anti, a four that is open inside":
        "anti-pente", "j10 a1 l10 c1 n10 e1 p10 g1", [0, 0], Open(1), ["k10", "m11"], ["m10"];
    // j10 takes five pairs in five directions; one of the stones taken is j12, the block of
    // f12 to i12, which is open at e12 and j12 then. No winner.
    "anti, the goal and an open four in one move are a draw":
        "anti-pente+free",
        "g10 i10 j13 h10 m10 j11 j7 j12 m13 k10 f12 l10 g12 j9 h12 j8 i12 k11 a1 l12 j10",
        [10, 0], Draw(Captures), [], [];

    // Stones W B W B by seat 1; whoever has White moves.
    "swap, taken":
        "d-pente", "a1 b2 c5 d9 swap", [0, 0], Open(2), ["e5"], ["keep"];
    "swap, kept":
        "d-pente", "a1 b2 c5 d9 keep", [0, 0], Open(1), ["e5"], ["swap"];
    "swap, seat 1 places all four":
        "d-pente", "a1 b2 c5", [0, 0], Open(1), ["d9"], ["swap", "keep"];
    "swap with centre-first":
        "d-pente+centre-first", "", [0, 0], Open(1), ["j10"], ["a1"];
    // Black moves next; swap makes seat 1 Black.
    "swap2, taken": "swap2-pente", "a1 c3 e7 swap", [0, 0], Open(1), ["e5"], ["more"];
    "swap2, kept": "swap2-pente", "a1 c3 e7 keep", [0, 0], Open(2), ["e5"], ["more"];
    "swap2, two more stones by seat 2":
        "swap2-pente", "a1 c3 e7 more h8", [0, 0], Open(2), ["m5"], ["keep"];
    "swap2, then seat 1 chooses":
        "swap2-pente", "a1 c3 e7 more h8 m5", [0, 0], Open(1), ["keep", "swap"], ["more", "a2"];
    "swap2, seat 1 takes Black, who moves":
        "swap2-pente", "a1 c3 e7 more h8 m5 swap", [0, 0], Open(1), ["a2"], ["swap"];
    "swap2, seat 1 stays White":
        "swap2-pente", "a1 c3 e7 more h8 m5 keep", [0, 0], Open(2), ["a2"], ["swap"];
    // White's third stone in a row would be three of three.
    "swap2, a stone of the stage may not win":
        "pente+swap2+goal=3", "a1 a9 b1 more c9", [0, 0], Open(2), ["d1"], ["c1"];
    "swap1, kept": "pente+swap1", "a1 keep", [0, 0], Open(2), ["a2"], ["swap"];
    "swap3, no more stones":
        "pente+swap3", "a1 c3 e7", [0, 0], Open(2), ["keep", "swap"], ["more", "a2"];
    // Seat 2 took White, and White makes a1 to e1.
    "swap1, the seat that has the winning color wins":
        "pente+swap1", "a1 swap a3 b1 c3 c1 e3 d1 g3 e1", [0, 0], Won(2, Line), [], [];
};

/// The games of more than two, and the relatives.
#[rustfmt::skip]
pub const OTHERS: &[Case] = cases! {
    // k10 is the second color's, l10 the third's: a mixed pair, both count.
    "three seats, a mixed pair":
        "pente-3", "j10 k10 l10 m10", [2, 0, 0], Open(2), ["k10", "l10"], ["m10"];
    // Ply 4 is player 1's second stone.
    "three seats, Pro binds ply 4":
        "pente-3+pro", "j10 k10 l10", [0, 0, 0], Open(1), ["g10", "m10"], ["k12", "l11", "j8"];
    // e1 to i1 are the third color's.
    "three seats, the third wins":
        "pente-3", "j10 a10 e1 a19 c10 f1 c19 e10 g1 e19 g10 h1 g19 a15 i1", [0, 0, 0],
        Won(3, Line), [], [];
    // i10 is no bracket of the fourth color; m10 takes a stone of the third and of the second.
    "four seats, a mixed pair":
        "pente-4", "j10 k10 l10 i10 m10", [2, 0, 0, 0], Open(2), ["k10"], ["i10"];
    "four seats, all in turn": "pente-4", "j10 a1 c1", [0, 0, 0, 0], Open(4), ["e1"], [];
    // k10 is an opponent's, l10 the partner's: both go, one counts.
    "teams, a pair mixed with a partner's stone counts one":
        "team-pente", "j10 k10 l10 a1 m10", [1, 0, 0, 0], Open(2), ["k10", "l10"], [];
    // k10 l10 are the partner's.
    "teams, the partner's pair goes and counts nothing":
        "team-pente", "j10 a1 k10 c1 a19 e1 l10 g1 m10", [0, 0, 0, 0], Open(2),
        ["k10", "l10"], [];
    // Seat 3 plays m10, but j10 is the partner's.
    "teams, a partner's stone is no bracket":
        "team-pente", "j10 k10 a1 l10 a19 c19 m10", [0, 0, 0, 0], Open(4), [], ["k10", "l10"];
    // e5 to h5 are seat 1's, i5 is seat 3's.
    "teams, a five is of one color":
        "team-pente", "j10 a19 i5 a17 e5 c19 s1 c17 f5 e19 s3 e17 g5 g19 s5 g17 h5",
        [0, 0, 0, 0], Open(2), ["d5"], [];
    "teams, the side wins":
        "team-pente",
        "j10 a19 i5 a17 e5 c19 s1 c17 f5 e19 s3 e17 g5 g19 s5 g17 h5 i19 s7 i17 d5",
        [0, 0, 0, 0], Won(1, Line), [], [];

    // d8 to h8 is a five, but f10 would take f9 f8 up to f7.
    "ninuki-renju, a five that can be broken is not perfect":
        "ninuki-renju", "h8 f7 g8 a1 f9 c1 f8 e1 e8 g1 d8", [0, 0], Open(2), ["f10"], [];
    // White does not break it: the move ends with a perfect five of Black on the board.
    "ninuki-renju, a five that was not broken wins":
        "ninuki-renju", "h8 f7 g8 a1 f9 c1 f8 e1 e8 g1 d8 a15", [0, 0], Won(1, Line), [], [];
    "ninuki-renju, a five that was broken does not":
        "ninuki-renju", "h8 f7 g8 a1 f9 c1 f8 e1 e8 g1 d8 f10", [0, 2], Open(1), ["f8"], [];
    // e8 to j8 are six.
    "ninuki-renju, six do not win":
        "ninuki-renju", "h8 a1 i8 c1 e8 e1 f8 g1 j8 i1 g8", [0, 0], Open(2), ["a15"], [];
    // h10 makes f10 g10 h10 and h8 h9 h10, both open; h11 and e10 make one three each.
    "ninuki-renju, a double-three":
        "ninuki-renju", "h8 a1 h9 c1 f10 e1 g10 g1", [0, 0], Open(1), ["h11", "e10"], ["h10"];
    // The same, but h10 is the last point that completes i11 to l14: m15 is Black's.
    "ninuki-renju, a double-three that stops a four":
        "ninuki-renju", "h8 i11 h9 j12 f10 k13 m15 l14 g10 a1", [0, 0], Open(1), ["h10"], [];

    // As in ninuki-renju above, but White is free.
    "renju, a double-three of Black":
        "renju", "h8 a1 h9 c1 f10 e1 g10 g1", [0, 0], Open(1), ["h11", "e10"], ["h10"];
    "renju, a double-three of White":
        "renju", "a1 h8 c1 h9 e1 f10 g1 g10 i1", [0, 0], Open(2), ["h10"], [];
    // g8 would join e8 f8 and h8 i8 j8 to six.
    "renju, an overline of Black":
        "renju", "h8 a1 i8 c1 e8 e1 f8 g1 j8 i1", [0, 0], Open(1), ["k8"], ["g8"];
    // h8 makes e8 . g8 h8 i8 . k8: f8 and j8 complete fives of different fours.
    "renju, a double-four on one line":
        "renju", "e8 a1 g8 c1 i8 e1 k8 g1", [0, 0], Open(1), ["f8"], ["h8"];
    // h10 makes h8 h9 h10, a three, and f10 g10 h10, which is none: e10 makes no open four because
    // d10 is White's, and i10 is itself an overline (i8 to i13).
    "renju, a three whose open four is forbidden is none":
        "renju", "i8 a1 i9 c1 i11 e1 i12 g1 i13 i1 h8 k1 f10 m1 g10 o1 h9 d10", [0, 0], Open(1),
        ["h10"], ["i10"];
    // h8 joins e8 f8 g8 and i8 j8.
    "renju, six of White win":
        "renju", "a1 e8 c1 f8 e1 g8 g1 i8 i1 j8 k1 h8", [0, 0], Won(2, Line), [], [];

    // White's c8 and i8 close d8 to h8.
    "caro, a closed five": "caro", "d8 c8 e8 i8 f8 a1 g8 c1 h8", [0, 0], Open(2), ["e1"], [];
    "caro, the edge is no stone":
        "caro", "a8 f8 b8 a1 c8 c1 d8 e1 e8", [0, 0], Won(1, Line), [], [];
    // c8 and j8 close d8 to i8.
    "caro, a closed six":
        "caro", "d8 c8 e8 j8 f8 a1 g8 c1 i8 e1 h8", [0, 0], Won(1, Line), [], [];
    "caro-standard, a closed six":
        "caro-standard", "d8 c8 e8 j8 f8 a1 g8 c1 i8 e1 h8", [0, 0], Open(2), ["g1"], [];
    "caro-standard, six that are not closed":
        "caro-standard", "d8 a15 e8 c15 f8 a1 g8 c1 i8 e1 h8", [0, 0], Open(2), ["g1"], [];
    "caro-standard, a five closed at one end":
        "caro-standard", "d8 c8 e8 a1 f8 c1 g8 e1 h8", [0, 0], Won(1, Line), [], [];
    "caro-standard, a closed five":
        "caro-standard", "d8 c8 e8 i8 f8 a1 g8 c1 h8", [0, 0], Open(2), ["e1"], [];

    "connect6, two stones a turn": "connect6", "j10 a1", [0, 0], Open(2), ["a3"], ["a1"];
    // j10 to n10 are five, and both of Black's turns are over.
    "connect6, five do not win":
        "connect6", "j10 a1 a3 k10 l10 a5 a7 m10 n10", [0, 0], Open(2), ["c1"], [];
    "connect6, six win with the first stone of a turn":
        "connect6", "j10 a1 a3 k10 l10 a5 a7 m10 n10 c1 c3 o10", [0, 0], Won(1, Line), [], [];
};
