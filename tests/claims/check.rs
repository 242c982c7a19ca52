//! What the engine claims of a position, and whether it is true.

use crate::games::{NaiveGame, with_rules};
use crate::solver::{Camp, OutOfPlays, Rules, Solver, WHOLE_GAME};
use pentarch::engine::{Engine, Game, Options, SearchMethod};
use pentarch::game::Move;
use pentarch::search::{Bound, Limits, Report, Signal};
use std::collections::HashMap;
use std::fmt;

/// How the engine is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) nodes: u64,
    pub(crate) exact: bool,
    pub(crate) method: SearchMethod,
    /// How many lines are asked for.
    pub(crate) lines: u32,
    /// A win within that many plies is all that is asked for.
    pub(crate) mate: Option<u32>,
}

impl Request {
    fn new(nodes: u64) -> Request {
        Request { nodes, exact: false, method: SearchMethod::Best, lines: 1, mate: None }
    }
}

/// The limits and options as UGI has them.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { nodes, exact, method, lines, mate } = self;
        write!(f, "nodes {nodes}")?;
        mate.map_or(Ok(()), |plies| write!(f, " mate {plies}"))?;
        if *exact {
            f.write_str(", Exact true")?;
        }
        if *method != SearchMethod::Best {
            write!(f, ", Method {method}")?;
        }
        if *lines > 1 {
            write!(f, ", MultiPV {lines}")?;
        }
        Ok(())
    }
}

/// A statement about the value of a position for the side to move. Of several sides, one plays
/// against all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Claim {
    /// The side to move wins within that many plies against every defense.
    WinIn(u32),
    /// The side to move loses within that many plies whatever it plays.
    LossIn(u32),
    /// The side to move loses within that many plies if it plays the move.
    LossByMoveIn(u32),
    Draw,
    /// The side to move cannot force a win.
    NotWon,
    /// The others cannot force a win.
    NotLost,
    /// A value that is neither a win, a draw nor a loss, reported as exact by a proof.
    NoValue(i32),
}

impl Claim {
    /// The side to move loses sooner or later.
    pub(crate) const LOSS: Claim = Claim::LossIn(WHOLE_GAME);

    /// What a report claims, if it claims anything. A mate is a promise whatever its bound; where the
    /// bound leaves its length open, any length keeps the promise.
    pub(crate) fn of(report: &Report, exact: bool) -> Option<Claim> {
        let (value, bound) = (report.score.value(), report.bound);
        match report.score.mate() {
            Some(plies) if plies >= 0 && bound == Bound::Upper => Some(Claim::WinIn(WHOLE_GAME)),
            Some(plies) if plies >= 0 => Some(Claim::WinIn(plies.unsigned_abs())),
            Some(_) if bound == Bound::Lower && report.multipv == 1 => Some(Claim::LOSS),
            Some(_) if bound == Bound::Lower => Some(Claim::LossByMoveIn(WHOLE_GAME)),
            Some(plies) if report.multipv > 1 => Some(Claim::LossByMoveIn(plies.unsigned_abs())),
            Some(plies) => Some(Claim::LossIn(plies.unsigned_abs())),
            // Depth 0: nothing is proved.
            None if !exact || report.depth == 0 || report.multipv > 1 => None,
            None => match bound {
                Bound::Exact if value == 0 => Some(Claim::Draw),
                Bound::Exact => Some(Claim::NoValue(value)),
                Bound::Upper if value <= 0 => Some(Claim::NotWon),
                Bound::Lower if value >= 0 => Some(Claim::NotLost),
                _ => None,
            },
        }
    }
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    True,
    /// Why.
    False(String),
    /// The solver would have to play too many moves.
    Undecided,
}

/// A claim that the engine made when it was asked in some way.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub(crate) request: Request,
    pub(crate) claim: Option<Claim>,
    /// The report as UGI has it.
    pub(crate) said: String,
    pub(crate) verdict: Verdict,
}

/// What the solver may spend on a claim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) plays: u64,
    /// Times that the attacker may ask for advice.
    pub(crate) advice: u32,
}

/// The requests that are made of a game.
pub(crate) fn requests(game: &Game, budgets: &[u64]) -> Vec<Request> {
    let mut requests = Vec::new();
    for &nodes in budgets {
        let plain = Request::new(nodes);
        requests.extend([plain, Request { exact: true, ..plain }]);
        if game.hexes().is_some() || game.seats() > 2 {
            let methods = [SearchMethod::Mcts, SearchMethod::AlphaBeta];
            requests.extend(methods.map(|method| Request { method, ..plain }));
        }
        if nodes >= 1_000 {
            requests.push(Request { lines: 3, ..plain });
            requests.push(Request { mate: Some(5), ..plain });
        }
    }
    requests
}

/// Asks the engine in each of these ways, and decides all that it claims.
pub(crate) fn check(game: &Game, requests: &[Request], effort: Effort) -> Vec<Checked> {
    with_rules!(game, rules => check_rules(game, &mut rules, requests, effort))
}

fn check_rules<R: Rules<Move = Move>>(
    game: &Game,
    rules: &mut R,
    requests: &[Request],
    effort: Effort,
) -> Vec<Checked> {
    let mut decider = Decider::new(game, rules.side(), effort);
    let mut checked: Vec<Checked> = Vec::new();
    for &request in requests {
        let Request { exact, method, lines: multi_pv, .. } = request;
        let options = Options { hash: 1, exact, method, multi_pv, ..Options::default() };
        let limits = Limits { mate: request.mate, ..Limits::nodes(request.nodes) };
        let mut engine = Engine::new(options);
        let mut reports: Vec<Report> = Vec::new();
        let found = engine.search(game, limits, &Signal::new(), |report| {
            reports.push(report.clone());
        });
        let mut refuse = |why: &str| {
            let (said, verdict) = (why.to_owned(), Verdict::False(why.to_owned()));
            checked.push(Checked { request, claim: None, said, verdict });
        };
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                refuse(&error.to_string());
                continue;
            }
        };
        let Some(best) = found.best.filter(|&best| game.check_move(best).is_ok()) else {
            refuse("bestmove is no legal move");
            continue;
        };
        reports.push(found.report);
        let mut claims = Vec::new();
        // The last report is the one that the move belongs to.
        for (place, report) in reports.iter().rev().enumerate() {
            let best = if place == 0 { Some(best) } else { report.pv.first().copied() };
            let Some(claim) = Claim::of(report, request.exact) else { continue };
            let of_move = report.multipv > 1 || matches!(claim, Claim::LossByMoveIn(_));
            let is_same = |&(known, by)| known == claim && (by == best || !of_move);
            let is_known = claims.iter().any(is_same);
            if is_known || place > 0 && matches!(claim, Claim::NoValue(_)) {
                continue;
            }
            claims.push((claim, best));
            let verdict = decider.verdict(rules, claim, best);
            let verdict = confirmed(game, claim, best, verdict, decider.plays_of_last());
            let said = said(game, report, best);
            checked.push(Checked { request, claim: Some(claim), said, verdict });
        }
    }
    checked
}

/// The naive referee's moves for a verdict that would refute the engine, and for a sample of others.
const NAIVE_PLAYS: [u64; 2] = [40_000, 1_000];

/// The verdict, if the naive referee comes to the same: it is asked about every false claim, and about
/// true ones that took few moves to decide.
fn confirmed(
    game: &Game,
    claim: Claim,
    best: Option<Move>,
    verdict: Verdict,
    plays: u64,
) -> Verdict {
    let (why, budget) = match &verdict {
        Verdict::False(_) if matches!(claim, Claim::NoValue(_)) => return verdict,
        Verdict::False(why) => (why.as_str(), NAIVE_PLAYS[0]),
        Verdict::True if plays < NAIVE_PLAYS[1] / 4 => ("", NAIVE_PLAYS[1]),
        _ => return verdict,
    };
    let best = best.map(|best| game.move_text(best));
    let root = game.side_of(game.to_move()).index();
    let held = match NaiveGame::of(game) {
        Some(NaiveGame::Squares(mut rules)) => holds(&mut rules, root, claim, best, budget),
        Some(NaiveGame::Hexes(mut rules)) => holds(&mut rules, root, claim, best, budget),
        None => Err(OutOfPlays),
    };
    match held {
        Ok(held) if held != (verdict == Verdict::True) => {
            Verdict::False(format!("the naive referee disagrees: {verdict:?}"))
        }
        Ok(false) => Verdict::False(format!("{why}; so says the naive referee")),
        _ => verdict,
    }
}

/// Whether a claim holds, by a solver without advice or memory.
fn holds<R: Rules>(
    rules: &mut R,
    root: usize,
    claim: Claim,
    best: Option<R::Move>,
    plays: u64,
) -> Result<bool, OutOfPlays> {
    let mut win = Solver::new(Camp::Side(root), plays);
    let mut loss = Solver::new(Camp::AllBut(root), plays);
    Ok(match (claim, best) {
        (Claim::WinIn(plies), Some(best)) => {
            win.wins_after(rules, &best, plies.saturating_sub(1))?
        }
        (Claim::WinIn(plies), None) => win.wins(rules, plies)?,
        (Claim::LossIn(plies), _) => loss.wins(rules, plies)?,
        (Claim::LossByMoveIn(plies), Some(best)) => {
            loss.wins_after(rules, &best, plies.saturating_sub(1))?
        }
        (Claim::NotWon, _) => !win.wins(rules, WHOLE_GAME)?,
        (Claim::NotLost, _) => !loss.wins(rules, WHOLE_GAME)?,
        (Claim::Draw, _) => !win.wins(rules, WHOLE_GAME)? && !loss.wins(rules, WHOLE_GAME)?,
        (Claim::NoValue(_), _) | (Claim::LossByMoveIn(_), None) => false,
    })
}

/// A report and its move as UGI has them.
fn said(game: &Game, report: &Report, best: Option<Move>) -> String {
    let Report { score, bound, depth, nodes, .. } = report;
    let kind = if score.mate().is_some() { "" } else { "cp " };
    let bound = match bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let best = best.map_or("none".to_owned(), |best| game.move_text(best));
    format!("{kind}{score}{bound} by {best} (depth {depth}, {nodes} nodes)")
}

/// Decides the claims about one position.
struct Decider<'a> {
    game: &'a Game,
    effort: Effort,
    root: usize,
    win: Solver<'a, Move>,
    loss: Solver<'a, Move>,
    verdicts: HashMap<(Claim, Option<Move>), Verdict>,
}

impl<'a> Decider<'a> {
    fn new(game: &'a Game, root: usize, effort: Effort) -> Self {
        let solver =
            |camp| Solver::new(camp, 0).advised_by(advisor(game, root, camp, effort.advice));
        let (win, loss) = (solver(Camp::Side(root)), solver(Camp::AllBut(root)));
        Decider { game, effort, root, win, loss, verdicts: HashMap::new() }
    }

    fn verdict<R: Rules<Move = Move>>(
        &mut self,
        rules: &mut R,
        claim: Claim,
        best: Option<Move>,
    ) -> Verdict {
        if let Some(verdict) = self.verdicts.get(&(claim, best)) {
            return verdict.clone();
        }
        self.win.plays = self.effort.plays;
        self.loss.plays = self.effort.plays;
        let verdict = self.decide(rules, claim, best).unwrap_or(Verdict::Undecided);
        self.verdicts.insert((claim, best), verdict.clone());
        verdict
    }

    /// The moves played to decide the last new claim.
    fn plays_of_last(&self) -> u64 {
        2 * self.effort.plays - self.win.plays - self.loss.plays
    }

    fn text(&self, mv: Option<&Move>) -> String {
        mv.map_or("?".to_owned(), |&mv| self.game.move_text(mv))
    }

    /// The text of the move that decided an answer about the position after a move.
    fn answer(&self, first: Move) -> String {
        let mut after = self.game.clone();
        let answer = self.win.decisive(1);
        let known = answer.filter(|_| after.play_move(first).is_ok());
        known.map_or("?".to_owned(), |&mv| after.move_text(mv))
    }

    fn decide<R: Rules<Move = Move>>(
        &mut self,
        rules: &mut R,
        claim: Claim,
        best: Option<Move>,
    ) -> Result<Verdict, OutOfPlays> {
        let verdict = |holds, why: String| if holds { Verdict::True } else { Verdict::False(why) };
        Ok(match claim {
            Claim::WinIn(plies) => {
                let Some(best) = best else {
                    let wins = self.win.wins(rules, plies)?;
                    return Ok(verdict(wins, "no move wins in time".to_owned()));
                };
                if self.win.wins_after(rules, &best, plies.saturating_sub(1))? {
                    return Ok(Verdict::True);
                }
                let answer = self.answer(best);
                let best = self.text(Some(&best));
                match self.win.wins(rules, plies) {
                    Ok(true) => {
                        let other = self.text(self.win.decisive(0));
                        Verdict::False(format!("{best} is answered by {answer}; {other} wins"))
                    }
                    Ok(false) => {
                        let later = self.later(rules, Camp::Side(self.root));
                        Verdict::False(format!(
                            "{best} is answered by {answer}; no move wins in time{later}"
                        ))
                    }
                    Err(OutOfPlays) => Verdict::False(format!("{best} is answered by {answer}")),
                }
            }
            Claim::LossIn(plies) => {
                let lost = self.loss.wins(rules, plies)?;
                let saves = self.text(self.loss.decisive(0));
                let later = if lost { "" } else { self.later(rules, Camp::AllBut(self.root)) };
                verdict(lost, format!("{saves} does not lose in time{later}"))
            }
            Claim::LossByMoveIn(plies) => match best {
                Some(best) => {
                    let lost = self.loss.wins_after(rules, &best, plies.saturating_sub(1))?;
                    verdict(lost, format!("{} does not lose in time", self.text(Some(&best))))
                }
                None => Verdict::False("a line without moves".to_owned()),
            },
            Claim::NotWon => self.not_won(rules)?,
            Claim::NotLost => self.not_lost(rules)?,
            Claim::Draw => match self.not_lost(rules) {
                Ok(Verdict::True) => self.not_won(rules)?,
                Err(OutOfPlays) => match self.not_won(rules)? {
                    Verdict::True => Verdict::Undecided,
                    other => other,
                },
                Ok(other) => other,
            },
            Claim::NoValue(value) => Verdict::False(format!("{value} is the value of no game")),
        })
    }

    /// What a camp that does not win in time has got otherwise.
    fn later<R: Rules<Move = Move>>(&mut self, rules: &mut R, camp: Camp) -> &'static str {
        let solver = if camp == Camp::Side(self.root) { &mut self.win } else { &mut self.loss };
        solver.plays = self.effort.plays;
        match solver.wins(rules, WHOLE_GAME) {
            Ok(true) => " (but later: the length alone is wrong)",
            Ok(false) => " (nor ever)",
            Err(OutOfPlays) => "",
        }
    }

    fn not_won<R: Rules<Move = Move>>(&mut self, rules: &mut R) -> Result<Verdict, OutOfPlays> {
        Ok(if self.win.wins(rules, WHOLE_GAME)? {
            Verdict::False(format!("{} wins", self.text(self.win.decisive(0))))
        } else {
            Verdict::True
        })
    }

    fn not_lost<R: Rules<Move = Move>>(&mut self, rules: &mut R) -> Result<Verdict, OutOfPlays> {
        Ok(if self.loss.wins(rules, WHOLE_GAME)? {
            Verdict::False(format!("side {} loses against all", self.root + 1))
        } else {
            Verdict::True
        })
    }
}

/// Asks an engine which move wins for a camp.
fn advisor(
    game: &Game,
    root: usize,
    camp: Camp,
    asks: u32,
) -> impl FnMut(&[Move], u32) -> Option<Move> + use<> {
    let mut left = asks;
    let mut engine = None;
    let game = game.clone();
    move |line, plies| {
        // Of many sides, those that play together have no engine.
        if plies == WHOLE_GAME || game.seats() > 2 && camp == Camp::AllBut(root) {
            return None;
        }
        left = left.checked_sub(1)?;
        let engine =
            engine.get_or_insert_with(|| Engine::new(Options { hash: 1, ..Options::default() }));
        let mut game = game.clone();
        for &mv in line {
            game.play_move(mv).ok()?;
        }
        let mut found = None;
        // A long win may take more nodes.
        for nodes in [1_500, 8_000] {
            let result = engine.search(&game, Limits::nodes(nodes), &Signal::new(), |_| ()).ok()?;
            let wins = result.report.score.is_win();
            found = result.best;
            if wins {
                break;
            }
        }
        found
    }
}

/// Whether a claim about a position holds, if the position's best move is the one given.
pub(crate) fn decide(game: &Game, claim: Claim, best: Option<Move>, effort: Effort) -> Verdict {
    with_rules!(game, rules => {
        let mut decider = Decider::new(game, rules.side(), effort);
        decider.verdict(&mut rules, claim, best)
    })
}
