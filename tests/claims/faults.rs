//! Positions of which the engine once said what is false, with the truth about them.
//!
//! The solver decides the truth first, so that a mistake in this file is found too.

use crate::check::{Checked, Claim, Effort, Verdict, check, decide, requests};
use crate::solver::WHOLE_GAME;
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
    /// Loses, but not within that many plies.
    LossAfter(u32),
}

use Truth::{Draw, LossAfter, NoLossIn, NoWinIn, WinIn};

/// A position, the truth about it, and the moves of which the engine must play one.
struct Fault {
    spec: &'static str,
    /// Moves from the start, or a position text after `fen`.
    position: &'static str,
    truth: Truth,
    best: &'static [&'static str],
}

const EFFORT: Effort = Effort { plays: 30_000_000, advice: 400 };
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
            LossAfter(plies) => !holds(Claim::LossIn(plies)) && holds(Claim::LOSS),
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
        let checked = check(&game, &requests(&game, &BUDGETS), EFFORT);
        let mut wrong = String::new();
        for Checked { request, said, verdict, .. } in checked {
            if verdict != Verdict::True {
                writeln!(wrong, "{request}: {said}: {verdict:?}").unwrap();
            }
        }
        assert!(wrong.is_empty(), "{} {}:\n{wrong}", self.spec, self.position);
        if self.best.is_empty() {
            return;
        }
        for nodes in [5_000, 20_000] {
            let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
            let found = engine.think_here(&game, Limits::nodes(nodes), &Signal::new(), |_| ());
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
