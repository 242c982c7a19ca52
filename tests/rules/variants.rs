//! Tactical positions of every variant, `tests/variants`, proved by plain minimax with the naive referee.
//!
//! One position per line: game; claim; all right moves; wrong moves; the moves that lead to it; the topic.
//!
//! - `win in N`: the side to move wins within N plies and no sooner, whatever all others do. Up to
//!   three plies the right moves are all that do so, else some of them.
//! - `hold in N`: the right moves are all after which no other side can force a win within those N
//!   plies; every other move loses.
//! - `no win in N`: no move wins within N plies.
//! - `not MOVES in GAME`: moves that are wrong or illegal here, and right in that simpler game, with
//!   the same moves before and the same claim (for `no win`: that they win).

use crate::common::referee::Referee;
use crate::solver::{Solver, after};
use pentarch::engine::{Engine, Game, Options};
use pentarch::search::{Limits, Signal};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// The claim about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Win(u32),
    Hold(u32),
    NoWin(u32),
}

#[derive(Clone, Debug)]
struct Tactic {
    spec: String,
    claim: Claim,
    right: Vec<String>,
    wrong: Vec<String>,
    /// The game in which the wrong moves are right.
    simpler: Option<String>,
    moves: String,
    topic: String,
}

/// The greatest depth for which the list of right moves is complete.
const COMPLETE: u32 = 3;

fn list(text: &str) -> Vec<String> {
    text.split_whitespace().filter(|word| *word != "-").map(str::to_owned).collect()
}

impl Tactic {
    fn parse(line: &str) -> Option<Tactic> {
        let fields: [&str; 6] = line.split("; ").collect::<Vec<_>>().try_into().ok()?;
        let [spec, claim, right, wrong, moves, topic] = fields;
        let (kind, plies) = claim.rsplit_once(" in ")?;
        let plies = plies.parse().ok()?;
        let (wrong, simpler) = match wrong.strip_prefix("not ")?.split_once(" in ") {
            Some((wrong, simpler)) => (wrong, Some(simpler.to_owned())),
            None => (wrong.strip_prefix("not ")?, None),
        };
        Some(Tactic {
            spec: spec.to_owned(),
            claim: match kind {
                "win" => Claim::Win(plies),
                "hold" => Claim::Hold(plies),
                "no win" => Claim::NoWin(plies),
                _ => return None,
            },
            right: list(right.strip_prefix("by ")?),
            wrong: list(wrong),
            simpler,
            moves: moves.strip_prefix("moves ")?.to_owned(),
            topic: topic.to_owned(),
        })
    }

    /// The moves that are right in a game after the same moves; only among `asked` where the claim is too deep
    /// to try all.
    fn right_in(&self, referee: &Referee, asked: &[String]) -> Vec<String> {
        let mut solver = Solver::default();
        let side = referee.side_to_move();
        match self.claim {
            Claim::Win(plies) | Claim::NoWin(plies) if plies <= COMPLETE => {
                solver.winning(referee, plies)
            }
            Claim::Win(plies) | Claim::NoWin(plies) => {
                solver.attacks_nearby = true;
                let asked = asked.iter();
                let wins = |text: &&String| solver.wins(&after(referee, text), side, plies - 1);
                asked.filter(wins).cloned().collect()
            }
            Claim::Hold(plies) => solver.holding(referee, plies),
        }
    }

    fn check(&self) {
        let referee = Referee::after(&self.spec, &self.moves).unwrap();
        assert_eq!(referee.outcome(), None, "{self:?}");
        assert_eq!(self.right_in(&referee, &self.right), self.right, "{self:?}");
        let mut solver = Solver::default();
        match self.claim {
            Claim::Win(plies) => {
                assert!(!self.right.is_empty(), "{self:?}");
                // One ply sooner, or one turn where not all moves were tried.
                let sooner = if plies <= COMPLETE { plies - 1 } else { plies - 2 };
                assert!(!solver.wins(&referee, referee.side_to_move(), sooner), "{self:?}: sooner");
            }
            Claim::Hold(_) => {
                let all = referee.legal_moves().len();
                assert!(!self.right.is_empty() && self.right.len() < all, "{self:?}");
            }
            Claim::NoWin(_) => assert!(self.right.is_empty(), "{self:?}"),
        }
        self.check_wrong(&referee);
    }

    fn check_wrong(&self, referee: &Referee) {
        let bare: Vec<_> = self.right.iter().map(|text| stone(text)).collect();
        assert!(self.wrong.iter().all(|text| !bare.contains(&stone(text))), "{self:?}");
        if let Claim::Win(plies) = self.claim
            && plies > COMPLETE
        {
            let side = referee.side_to_move();
            for text in &self.wrong {
                let mut after = referee.clone();
                let wins =
                    after.play(text).is_ok() && Solver::default().wins(&after, side, plies - 1);
                assert!(!wins, "{self:?}: {text} is right");
            }
        }
        let Some(simpler) = &self.simpler else { return };
        let moves: Vec<_> = self.moves.split_whitespace().map(stone).collect();
        let plain = Referee::after(simpler, &moves.join(" ")).unwrap();
        let right = self.right_in(&plain, &self.wrong);
        for text in &self.wrong {
            assert!(right.contains(text), "{self:?}: {text} is wrong in {simpler} too");
        }
    }
}

/// The point of a move as a plain stone without signs.
fn stone(text: &str) -> String {
    let text = text.trim_end_matches(['+', '-']);
    let text = text.split_once('@').map_or(text, |(_, points)| points);
    text.split(',').next().unwrap_or(text).to_owned()
}

fn read(name: &str) -> Vec<Tactic> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/variants").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| Tactic::parse(line).unwrap_or_else(|| panic!("{name}: {line}"))).collect()
}

/// Defines a test for each file, so that they run in parallel.
macro_rules! files {
    ($($test:ident: $file:literal;)*) => {
        $(
            #[test]
            fn $test() {
                let tactics = read($file);
                tactics.iter().for_each(Tactic::check);
                assert!(tactics.len() >= 5, "{}: {}", $file, tactics.len());
            }
        )*

        const FILES: &[&str] = &[$($file),*];
    };
}

files! {
    anti: "anti.txt";
    atomic: "atomic.txt";
    boat: "boat.txt";
    boat_strict: "boat-strict.txt";
    caro: "caro.txt";
    connect6: "connect6.txt";
    five_only: "five-only.txt";
    keryo: "keryo.txt";
    neutral: "neutral.txt";
    ninuki_renju: "ninuki-renju.txt";
    o: "o.txt";
    players: "players.txt";
    plus: "plus.txt";
    plus_minus: "plus-minus.txt";
    poof: "poof.txt";
    renju: "renju.txt";
    swap: "swap.txt";
    teams: "teams.txt";
}

#[test]
fn every_file_is_proved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/variants");
    let names: BTreeSet<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let known = FILES.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(names, known);
    let all: Vec<_> = FILES.iter().flat_map(|name| read(name)).collect();
    let traps = all.iter().filter(|tactic| tactic.topic.starts_with("trap")).count();
    assert!(traps >= 2 * 12, "{traps} traps");
}

/// The number of nodes within which the engine must find a right move.
const NODES: u64 = 20_000;

#[test]
fn the_engine_solves_every_position() {
    let mut asked = 0;
    let mut missed = String::new();
    for tactic in FILES.iter().flat_map(|name| read(name)) {
        if let Claim::NoWin(_) = tactic.claim {
            continue;
        }
        let mut game = Game::new(tactic.spec.parse().unwrap());
        for text in tactic.moves.split_whitespace() {
            game.play(text).unwrap();
        }
        let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
        let limits = Limits::nodes(NODES);
        let found = engine.search(&game, limits, &Signal::new(), |_| ()).unwrap();
        let best = game.move_text(found.best.unwrap());
        if !tactic.right.contains(&best) {
            let Tactic { spec, claim, moves, right, .. } = &tactic;
            writeln!(missed, "{best} for {right:?}: {claim:?} in {spec} after {moves}").unwrap();
        }
        asked += 1;
    }
    assert!(missed.is_empty(), "of {asked} positions:\n{missed}");
    assert!(asked > 150, "only {asked} positions were asked for");
}

#[test]
fn wrong_claims_are_detected() {
    let tactic = |line: &str| Tactic::parse(line).unwrap();
    let holds = |tactic: Tactic| std::panic::catch_unwind(|| tactic.check()).is_ok();
    let good = "gomoku+size=5+line=3; win in 3; by b3 c2 c4 d3; not -; moves c3 e5; forced win";
    assert!(holds(tactic(&good.replace("b3 c2 c4 d3", &right(good)))));
    assert!(!holds(tactic(&good.replace("b3 c2", "b3"))));
    assert!(!holds(tactic(&good.replace("win in 3", "win in 1"))));
    assert!(!holds(tactic(&good.replace("win in 3", "no win in 3"))));
    assert!(!holds(tactic(&good.replace("win in 3", "hold in 3"))));
    assert!(!holds(tactic(&good.replace("not -", "not b3 in gomoku+size=5+line=3"))));
}

/// The right moves of a line, as the solver finds them.
fn right(line: &str) -> String {
    let tactic = Tactic::parse(line).unwrap();
    let referee = Referee::after(&tactic.spec, &tactic.moves).unwrap();
    tactic.right_in(&referee, &[]).join(" ")
}
