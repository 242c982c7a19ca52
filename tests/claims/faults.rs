//! Positions of which the engine once said what is false, with the truth about them.
//!
//! The solver decides the truth first, so that a mistake in this file is found too.

use crate::check::{Checked, Claim, Effort, Verdict, check, decide, requests};
use crate::solver::WHOLE_GAME;
use crate::tactics_in_one::look;
use pentarch::engine::{Engine, Game, Options};
use pentarch::game::Move;
use pentarch::search::{Limits, Signal};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What the rules say of a position for the side to move.
#[derive(Clone, Copy, Debug)]
enum Truth {
    Draw,
    /// Wins within that many plies.
    WinIn(u32),
    /// Does not win within that many plies.
    NoWinIn(u32),
    /// Does not lose within that many plies.
    NoLossIn(u32),
}

use Truth::{Draw, NoLossIn, NoWinIn, WinIn};

/// A position, the truth about it, and the moves of which the engine must play one.
struct Fault {
    spec: &'static str,
    /// Moves from the start, or a position text after `fen`.
    position: &'static str,
    truth: Truth,
    best: &'static [&'static str],
}

/// For the truth, and for what the engine claims.
const EFFORT: Effort = Effort { plays: 30_000_000, advice: 400 };
const CLAIM_EFFORT: Effort = Effort { plays: 1_000_000, advice: 100 };
/// Limits at which false values were reported.
const BUDGETS: [u64; 6] = [50, 100, 200, 1_000, 5_000, 20_000];

impl Fault {
    fn game(&self) -> Game {
        let rules = self.spec.parse().unwrap();
        let Some(text) = self.position.strip_prefix("fen ") else {
            let mut game = Game::new(rules);
            for mv in self.position.split_whitespace() {
                game.play(mv).unwrap_or_else(|error| panic!("{}: {error}", self.spec));
            }
            return game;
        };
        Game::from_text(rules, text).unwrap()
    }

    /// The solver says the same.
    fn verify(&self, game: &Game) {
        let holds = |claim| match decide(game, claim, None, EFFORT) {
            Verdict::Undecided => panic!("{}: {claim:?} is undecided", self.spec),
            verdict => verdict == Verdict::True,
        };
        let is_true = match self.truth {
            Draw => holds(Claim::Draw),
            WinIn(plies) => holds(Claim::WinIn(plies)),
            NoWinIn(plies) => !holds(Claim::WinIn(plies)),
            NoLossIn(plies) => !holds(Claim::LossIn(plies)),
        };
        assert!(is_true, "{}: {:?} is wrong", self.spec, self.truth);
        if !self.best.is_empty() {
            let legal = game.legal_moves().into_iter();
            let keep = legal.filter(|&mv| self.keeps(game, mv)).map(|mv| game.move_text(mv));
            let keep: BTreeSet<String> = keep.collect();
            let best: BTreeSet<String> = self.best.iter().map(|&mv| mv.to_owned()).collect();
            assert_eq!(keep, best, "{}", self.spec);
        }
    }

    /// Whether a move keeps what the truth promises.
    fn keeps(&self, game: &Game, mv: Move) -> bool {
        if let WinIn(plies) = self.truth {
            return decide(game, Claim::WinIn(plies), Some(mv), EFFORT) == Verdict::True;
        }
        let mut after = game.clone();
        after.play_move(mv).unwrap();
        match (self.truth, after.outcome()) {
            (_, Some(outcome)) => {
                outcome.winner.is_none_or(|side| side == game.side_of(game.to_move()))
            }
            (NoLossIn(plies), None) => {
                decide(&after, Claim::WinIn(plies - 1), None, EFFORT) != Verdict::True
            }
            (Draw, None) => decide(&after, Claim::NotWon, None, EFFORT) == Verdict::True,
            _ => panic!("{}: no move is best", self.spec),
        }
    }

    fn check(&self) {
        let game = self.game();
        self.verify(&game);
        let checked = check(&game, &requests(&game, &BUDGETS), CLAIM_EFFORT);
        let mut wrong = String::new();
        for Checked { request, said, verdict, .. } in checked {
            if matches!(verdict, Verdict::False(_)) {
                writeln!(wrong, "{request}: {said}: {verdict:?}").unwrap();
            }
        }
        assert!(wrong.is_empty(), "{} {}:\n{wrong}", self.spec, self.position);
        if self.best.is_empty() {
            return;
        }
        for nodes in [5_000, 20_000] {
            let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
            let found = engine.search(&game, Limits::nodes(nodes), &Signal::new(), |_| ());
            let best = game.move_text(found.unwrap().best.unwrap());
            assert!(self.best.contains(&best.as_str()), "{} {}: {best}", self.spec, self.position);
        }
    }
}

/// Writes a test for each position, so that they run side by side.
macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident: $spec:literal, $position:literal, $truth:expr, $best:expr;)*) => {
        $(
            $(#[$doc])*
            #[test]
            fn $name() {
                let (truth, best) = ($truth, &$best);
                Fault { spec: $spec, position: $position, truth, best }.check();
            }
        )*
    };
}

faults! {
    /// Candidates without the power stone all lose, which is no proof.
    a_power_stone_is_the_only_defense:
        "pente-plus+size=7+diamonds=b2,f2,b6,f6",
        "d4 b3 d3 d5 c4 b5 b4 e4 c5 d2 c3 c1 d4 c2 c6 c7 e3",
        NoLossIn(2), ["P@e5,b2"];
    /// White answers f6 by `P@f7,b2`, which leaves no win in one.
    a_power_stone_refutes_a_win:
        "pente-plus+size=7+diamonds=b2,f2,b6,f6",
        "P@d4,b6 g1 b3 b5 c4 d5 c5 c6 g2 c3 c5 a7 c4 a2 c5 e6 c4",
        WinIn(3), ["P@f7,f6", "P@g7,f6"];
    /// A neutral stone serves as a pass in zugzwang.
    a_neutral_stone_passes:
        "neutral-pente+size=6",
        "d4 a3 a4 e3 e4 f4 c4 b4 d3 d5 c2 c3 b1 f5 f1 d2 d3 e2 f2 e2 e1 e2 c1 d1 c5 b5 d3 b3 b6 c4 d4 \
         e3 c4 b4 c6 d6 e5 a1 b2 f6 a6 a5 a2",
        Draw, [];
    /// The tenth captured stone with an open four left is a draw: g3 answers e9.
    a_capture_that_leaves_an_open_four_draws:
        "anti-pente+size=11",
        "fen 11/11/wbbb7/4b6/4b6/4b1w4/4w1b4/6b4/3www5/11/11 b 8,0 - 30",
        NoWinIn(3), [];
    /// The first root move's value stood although e5 draws.
    an_unfinished_iteration_proves_no_loss:
        "boat-pente+size=6",
        "d4 d3 e6 a4 b2 f1 b3 a1 d2 d1 e2 c6 b5 c2 d6 b1 a2 b4 c3 f4 a5 e3 f2 f3 d5 b3 e4 a6 c5 c1 f6 \
         a3 e1",
        Draw, [];
    an_unfinished_search_hides_no_win:
        "pente+goal=4+size=5+poof",
        "c3 a2 d2 b4 b3 d4 d3 a3 e4 e1 a4 c3 a1 c2 d2 c4 c1 d1 c5 e5 b2 d3 d2 b1 b2 a3",
        WinIn(WHOLE_GAME), ["b5"];
    /// c2 forces d4 and a full board.
    a_loss_of_one_against_two_is_a_draw:
        "pente-3+size=6",
        "d4 b4 f1 f5 b1 a4 f4 b6 e3 b2 a5 e4 c6 d1 b5 e6 c5 f3 d5 e2 a3 a6 f2 a1 a2 e3 e1 d6 e3 e2 c1 \
         b3 c3 d2 d3 c4 f6 e5",
        Draw, [];
    /// The power stone and its bonus stone capture the last stones together.
    a_power_stone_and_its_bonus_stone_win_by_captures:
        "pente-plus+size=9+diamonds=c3,g3,c7,g7",
        "e5 d4 e6 e7 f7 d6 d5 c5 c4 b4 a3 b3 f8 g8 b6 e4 e3 e6 e5 f6 g6 c4 d4 c3 f4 d4 e5 g5 a4 d5 a2",
        WinIn(1), ["P@f9,g3"];
}

/// Writes a test for each position in which a move of fifty nodes missed a win or the only defense.
macro_rules! missed {
    ($($name:ident: $spec:literal, $position:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let (truth, best) = (Draw, &[]);
                let game = Fault { spec: $spec, position: $position, truth, best }.game();
                let tally = look(&game);
                assert_eq!(tally.wins + tally.defenses, 1, "{}", $spec);
                assert!(tally.missed.is_empty(), "{:?}", tally.missed);
            }
        )*
    };
}

missed! {
    a_pente_move_does_not_lose_at_once:
        "d-pente+size=6",
        "e4 e3 d4 c3 keep c4 f4 d2 d3 a4 b4 a5 b4 c3 b2 f3 b3 b1 e2 c5 e5 d4 b6 b5 e3 d4 a3 \
         d3 f5 f6 f5 e1";
    a_power_stone_wins_on_a_small_board:
        "pente-plus+size=5+diamonds=b2,d2,b4,d4",
        "c3 d2 e4 c2 b2 b3 a2 e5 c5 c4 e1 b1 a4 d3 b4 b5 a5 d4";
    a_power_stone_keeps_a_power_stone_from_winning:
        "pente-plus+size=6+diamonds=b2,e2,b5,e5",
        "d4 f6 e5 P@c3,e5 d5 c6 b2 e6 d6 e4 e3 d4 P@b3,b5 b4";
    the_only_defense_is_a_power_stone_with_its_bonus:
        "pente-plus+size=6+diamonds=b2,e2,b5,e5",
        "d4 f6 e5 P@c3,e5 d5 c6 b2 e6 d6 e4 e3 d4 P@b3,b5 b4 d3 f3";
    a_power_stone_wins_late:
        "pente-plus+size=6+diamonds=b2,e2,b5,e5",
        "d4 b2 P@c2,e2 c3 b4 a1 c4 e4 e3 a4 e1 c6 a2 c1 f2 d2 f1 b5 f3 f5 b1 c5 d5 e6 a5 \
         P@d6,b5 f6 b3 d3 c5 d5 c4 c5 P@a3,b5";
    the_only_defense_in_ninuki_renju:
        "ninuki-renju",
        "h8 c14 d13 f8 d15 m11 i7 o13 c15 f6 f13 n12 g13 m13 e12 j13 g14 h13 d12 c13 f10 e11 \
         g9 f5 l10 f11 a15 f4 k5 f3 e15 j6 f15 f7 f2 h11 h10 m10 b15 d11 d13 h4 e12 f9 l11 k3 \
         g15 f14 c11 c12 k13 g10 l12 k14 l13 i1 g8 l9 m14 e14 h6 j14 i11 b14 g12 h15 k12 k13 \
         k9 l12 n5 h12";
    two_stones_of_a_turn_win:
        "connect6",
        "q4 o1 o15 h18 o17 k18 l17 q6 s8 p2 q7 o6 q1 d11 n6 p4 m1 j3 o3 o2 p5 r6 p3 p7 n3 s4 \
         j19 s2 m16 s6 p6 r9 m17 r7 q8 o16 k16 q3 p9 o5 l16 n4 q9 q10 k15";
    two_stones_of_a_turn_win_on_a_small_board:
        "connect6+size=9",
        "i8 c5 e7 h9 g6 f5 d6 g8 g9 g5 g7 f8 a3 f6 f7 h7 e6 e5 g4 e8 i3 h8 e9 h4 d8 d5 d4 i6 \
         f4 d7 i5";
    two_stones_of_a_turn_are_prevented:
        "connect6",
        "q8 q17 h13 o10 m17 p9 p10 q9 p8 o8 n9 q7 q6 l8 q10 p12 n7 d17 k17 q11 q5 q4 o7 o6 p5 \
         l9 o9 m9 l11 m7 l6 n8 l10 n6 l4 l7 p11 m5 k3 i17 j2 n4 p4 o5 o4 m3 o3 p2 j8 k5 m4 \
         n14 m6 n3 l3 p3 j3 n5 n2 n1 j6 l5 k1 j5";
    two_stones_of_a_turn_win_among_many:
        "connect6",
        "r17 c12 n6 i4 d11 m7 n7 g2 d9 g18 d13 n9 f18 n5 q17 o19 k17 e12 r2 m18 l8 p18 n4 d12 \
         c10 b10 g3 q18 l17 e17 f11 c14 e14 j17 d15 j16 a12 k16 l15 l7 e8 h9 r14 g6 d10 l6 n3 \
         h19 g8 e16 c13 i8 c8 m5 p15";
    a_win_of_three_players_by_a_line:
        "connect6",
        "p18 q13 k19 s13 r13 n18 m10 a15 q17 f6 s15 c15 b16 c6 i18 p17 n17 n6 s14 n16 q11 o6 \
         r11 q18 c16 f14 o11 r14 q7 h8 q19 b15 j18 p4 o17 d15 p10 q15 r12 d17 d18 r15 c13 o16 \
         e16 d16 n15 e13 e19 b13 q16 i7 f19 o5 q12 a17 d8 s17 s16 r18 m4 c14 l15 s19 d6 s9 \
         p12 r19 o12 m19 m9 h2 e18";
    the_only_defense_of_three_players:
        "pentalath-3+side=6",
        "f8 d5 b1 c3 c5 e7 e8 c4 b3 e5 d7 e6 b7 d3 d6 c7 d8 d4 e4 c6 c2 d4 e2 b6 e3 b4 d2 f5 \
         e9 d3 b5 c8 a6 c7 a4 a5 f7 f6 e6 e7 b7 d6 f6 e6 f4 f3";
    a_win_of_three_players_on_a_large_board:
        "pentalath-3",
        "c6 c5 e8 e6 f8 b6 d6 d7 c7 d5 e7 b7 c4 e5 f7 f6 c8 g8 e4 d8 b5 f10 f9 f5 e9 g9 g10 \
         b4 e8 g7 g2 g6 g8 d4";
    the_only_defenses_are_bombs:
        "atomic-pente+size=13",
        "g7 i2 j9 h11 i5 h6 j7 j8 i7 h7 i6 k7 i7 i9 h10 i4 j6 h5 h4 k6 j2 l6 B@k5 g6 j3 m5 l6 \
         i6 f6 h8 j10 h8 h9 j6 f5 k8 i8 j7 h7 i9 l8";
    a_bomb_does_not_open_a_loss:
        "atomic-pente+size=7",
        "d4 d2 f4 c4 e4 e2 c2 b5 f2 B@e3 d3 e4 e5 d4 c5 b1 d3 f4 a6 e2 B@f3 b5 e3 g3 d5 b3 e4 \
         b4 b2 f5 c6 c2 d3 b7 b6 e4 g6 a7 b6 e4";
    the_only_defenses_are_bombs_late:
        "atomic-pente+size=7",
        "d4 b6 c5 g6 b4 e2 d6 e7 d5 e5 e3 B@d3 b5 a5 f4 e4 e6 e3 a3 e2 e1 b3 f3 b4 d6 d4 f2 \
         b5 c4 e4 f1 f5 d3 e2 d3 g1 d2 d4";
    bombs_break_a_strict_five:
        "atomic-pente+boat=strict+size=9",
        "e5 B@b4 e7 e4 d4 b2 d6 f6 c7 c3 e5 f4 d4 f5 g4 f4 d7 f7";
    bombs_and_a_strict_five_early:
        "atomic-pente+boat=strict+size=9",
        "e5 g5 g7 c4 f6 a6 h8";
}
