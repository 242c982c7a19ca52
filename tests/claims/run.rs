//! Checks the claims of many positions and counts what became of them.
#![allow(clippy::print_stdout, reason = "a run reports what it found")]

use crate::check::{Checked, Claim, Effort, Verdict, check, requests};
use crate::games::move_texts;
use crate::minimize::minimized;
use crate::positions::{KINDS, Kind, combination, from_game, rows, small};
use fastrand::Rng;
use pentarch::engine::Game;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::Mutex;

/// Room for a solver that follows a long game to its end.
pub(crate) const STACK: usize = 64 << 20;

/// A run of the checker.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) seed: u64,
    /// The run ends after the round in which there are this many claims.
    pub(crate) claims: usize,
    /// The games, or none for every row of the catalog and random combinations.
    pub(crate) specs: Vec<String>,
    pub(crate) combinations: usize,
    pub(crate) budgets: Vec<u64>,
    /// One game of so many is played a round.
    pub(crate) share: usize,
    pub(crate) effort: Effort,
    /// Where false claims are appended, one a line, as they are found.
    pub(crate) file: Option<String>,
}

/// What became of the claims about a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) positions: usize,
    pub(crate) claims: usize,
    pub(crate) held: usize,
    pub(crate) wrong: Vec<String>,
    pub(crate) undecided: Vec<String>,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.positions += other.positions;
        self.claims += other.claims;
        self.held += other.held;
        self.wrong.extend(other.wrong);
        self.undecided.extend(other.undecided);
    }
}

/// A game to play and to check.
#[derive(Clone, Debug)]
struct Unit {
    group: String,
    spec: String,
    kind: Kind,
    seed: u64,
}

/// Where a game is, as UGI has it.
pub(crate) fn place(game: &Game) -> String {
    if game.ply() as usize > game.moves().len() {
        return format!("fen {}", game.text());
    }
    format!("startpos moves {}", move_texts(game).join(" "))
}

impl Run {
    fn units(&self, round: u64) -> Vec<Unit> {
        let mut rng = Rng::with_seed(self.seed ^ round.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let mut units = Vec::new();
        let mut add = |group: &str, spec: String, kind| {
            let seed = rng.u64(..);
            units.push(Unit { group: group.to_owned(), spec, kind, seed });
        };
        let mut pick = Rng::with_seed(self.seed.wrapping_add(round));
        for kind in KINDS {
            for spec in &self.specs {
                add(spec, spec.clone(), kind);
            }
            if !self.specs.is_empty() {
                continue;
            }
            for name in rows() {
                add(name, small(name, kind, &mut pick), kind);
            }
            let mut mixed = Rng::with_seed(self.seed);
            let combinations: Vec<String> =
                (0..self.combinations).map(|_| combination(&mut mixed)).collect();
            // A share of the combinations a round.
            let share = (0..combinations.len().min(10)).map(|_| pick.usize(..combinations.len()));
            for place in share {
                add("combinations", combinations[place].clone(), kind);
            }
        }
        units.into_iter().skip(round as usize % self.share).step_by(self.share).collect()
    }

    /// Checks round by round until there are claims enough, or false ones where `stops` says so.
    pub(crate) fn go(&self, stops: bool) -> BTreeMap<String, Counts> {
        let pool = ThreadPoolBuilder::new().stack_size(STACK).build().unwrap();
        let mut table: BTreeMap<String, Counts> = BTreeMap::new();
        let file = Mutex::new(self.file.as_ref().map(|path| {
            OpenOptions::new().create(true).append(true).open(path).expect("a file to write to")
        }));
        for round in 0.. {
            let units = self.units(round);
            let found: Vec<(String, Counts)> = pool.install(|| {
                let counts =
                    units.par_iter().map(|unit| (unit.group.clone(), self.count(unit, &file)));
                counts.collect()
            });
            for (group, counts) in found {
                counts.undecided.iter().for_each(|line| println!("UNDECIDED {line}"));
                table.entry(group).or_default().add(counts);
            }
            let claims: usize = table.values().map(|counts| counts.claims).sum();
            let wrong: usize = table.values().map(|counts| counts.wrong.len()).sum();
            let open: usize = table.values().map(|counts| counts.undecided.len()).sum();
            println!("round {round}: {claims} claims, {wrong} false, {open} undecided");
            if claims >= self.claims || stops && wrong > 0 || round > 10_000 {
                break;
            }
        }
        table
    }

    fn count(&self, unit: &Unit, file: &Mutex<Option<std::fs::File>>) -> Counts {
        let mut rng = Rng::with_seed(unit.seed);
        let mut counts = Counts::default();
        for game in from_game(&unit.spec, unit.kind, &mut rng) {
            counts.positions += 1;
            let mut written = HashSet::new();
            for checked in check(&game, &requests(&game, &self.budgets), self.effort) {
                counts.claims += 1;
                let Checked { request, claim, said, verdict } = checked;
                let line = |why: &str| {
                    format!("{} | {} | {request} | {said} | {why}", game.rules(), place(&game))
                };
                match verdict {
                    Verdict::True => counts.held += 1,
                    Verdict::Undecided => counts.undecided.push(line("undecided")),
                    Verdict::False(why) => {
                        let line = line(&why);
                        let is_estimate = matches!(claim, Some(Claim::NoValue(_)));
                        let kind = match claim {
                            Some(Claim::NoValue(_)) => None,
                            claim => claim,
                        };
                        if !written.insert((kind, request.exact, request.method as u8)) {
                            counts.wrong.push(line);
                            continue;
                        }
                        let smaller = if is_estimate { None } else { minimized(&game, request) };
                        let line = match smaller {
                            Some((text, Checked { said, verdict: Verdict::False(why), .. })) => {
                                format!("{line} | minimized: fen {text} | {said} | {why}")
                            }
                            _ => line,
                        };
                        println!("FALSE {line}");
                        if let Some(file) = &mut *file.lock().unwrap() {
                            writeln!(file, "{line}").expect("a file to write to");
                        }
                        counts.wrong.push(line);
                    }
                }
            }
        }
        counts
    }
}

/// Prints what became of the claims, a game a line.
pub(crate) fn print(table: &BTreeMap<String, Counts>) {
    let row = |name: &str, c: &Counts| {
        let (wrong, open) = (c.wrong.len(), c.undecided.len());
        println!(
            "{name:<40} {:>9} {:>7} {:>7} {wrong:>6} {open:>9}",
            c.positions, c.claims, c.held
        );
    };
    println!("{:<40} positions  claims    true  false undecided", "game");
    let mut all = Counts::default();
    for (name, counts) in table {
        row(name, counts);
        all.add(counts.clone());
    }
    row("all", &all);
}

pub(crate) fn setting(name: &str, default: &str) -> String {
    env::var(name).ok().filter(|text| !text.is_empty()).unwrap_or_else(|| default.to_owned())
}

/// What the first positions of every game have to say; other seeds are for scripts/check-claims.
#[test]
fn no_claim_is_false() {
    let run = Run {
        seed: 64,
        claims: 200,
        specs: Vec::new(),
        combinations: 20,
        budgets: vec![50, 1_000, 20_000],
        share: 8,
        effort: Effort { plays: 500_000, advice: 50 },
        file: None,
    };
    let table = run.go(true);
    let wrong: Vec<&String> = table.values().flat_map(|counts| &counts.wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let held: usize = table.values().map(|counts| counts.held).sum();
    let open: usize = table.values().map(|counts| counts.undecided.len()).sum();
    assert!(held >= 150 && open * 8 < held, "{held} claims hold, {open} are undecided");
}

#[test]
#[ignore = "takes minutes; run scripts/check-claims"]
fn claims_hold_on_many_positions() {
    let number = |name, default| setting(name, default).parse::<u64>().expect("a number");
    let run = Run {
        seed: number("PENTARCH_SEED", "1"),
        claims: number("PENTARCH_CLAIMS", "20000") as usize,
        specs: setting("PENTARCH_SPECS", "").split_whitespace().map(str::to_owned).collect(),
        combinations: number("PENTARCH_COMBINATIONS", "200") as usize,
        budgets: vec![50, 1_000, 20_000],
        share: 1,
        effort: Effort { plays: number("PENTARCH_PLAYS", "3000000"), advice: 400 },
        file: env::var("PENTARCH_FALSE_CLAIMS").ok().filter(|path| !path.is_empty()),
    };
    let table = run.go(setting("PENTARCH_KEEP_GOING", "0") == "0");
    print(&table);
    let wrong: Vec<&String> = table.values().flat_map(|counts| &counts.wrong).collect();
    assert!(wrong.is_empty(), "{} false claims", wrong.len());
}
