//! Proofs of forced wins by the naive referee: it plays every move and decides every end.
//!
//! The engine under test only advises the attacker; bad advice can make a proof fail, but never
//! succeed.
use crate::common::referee::{Referee, Stone};
use pentarch::engine::{Engine, Game, Options};
use pentarch::eval::StoneTables;
use pentarch::game::{Move, Position as _};
use pentarch::placement::Position;
use pentarch::rules::RuleTier;
use pentarch::search::{Limits, Signal};
use pentarch::tactics::{Prover, Reach, Spent, Win};
use std::sync::Arc;

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The claim is false: the line of play that shows it.
    Refuted(Vec<String>),
    /// Nobody knew how to go on after this line of play; the claim may be true.
    Unverified(Vec<String>),
    /// The proof would take more moves than are allowed.
    TooLong,
}

/// A game as both sides of a proof see it.
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) referee: Referee,
    pub(crate) position: Position,
}

/// A proof in progress.
pub(crate) struct Proof {
    /// Of rules of lines and captures alone.
    tables: Option<Arc<StoneTables>>,
    /// One that knows nothing yet, after the one that made the claim, whose table remembers more.
    engines: Vec<Engine>,
    attacker: usize,
    /// The moves from the start of the proof.
    line: Vec<String>,
    /// The naive referee's moves that may still be played.
    plays: u64,
}

impl Board {
    pub(crate) fn new(spec: &str, moves: impl IntoIterator<Item = String>) -> Board {
        let rules = spec.parse().unwrap_or_else(|error| panic!("{spec}: {error}"));
        let mut board =
            Board { referee: Referee::new(spec).unwrap(), position: Position::new(rules) };
        for mv in moves {
            let parsed = board.position.parse_move(&mv).unwrap();
            board.position.try_play(parsed).unwrap_or_else(|error| panic!("{spec}, {mv}: {error}"));
            board.referee.play(&mv).unwrap_or_else(|error| panic!("{spec}, {mv}: {error}"));
        }
        board
    }

    pub(crate) fn of(game: &Game) -> Board {
        let moves = game.moves().into_iter().map(|mv| game.move_text(mv));
        Board::new(&game.rules().to_string(), moves)
    }
}

/// `None` while a game is open, `Some(None)` for a draw, else the winning side.
#[allow(clippy::option_option, reason = "open, drawn or won")]
pub(crate) fn result(referee: &Referee) -> Option<Option<usize>> {
    referee.outcome().map(|outcome| outcome.winner)
}

/// Whether the side to move wins within that many plies, by that first move if one is given, whatever
/// the other side does. Advised by the engine that says so, if one does.
pub(crate) fn prove_win(
    board: &Board,
    plies: u32,
    first: Option<Move>,
    plays: u64,
    claimant: Option<Engine>,
) -> Result<(), Failure> {
    let mut proof = Proof::new(board, board.referee.seat(), plays, claimant);
    let Board { referee, mut position } = board.clone();
    match first {
        Some(mv) => proof.attack_by(&referee, &mut position, plies, mv).map(|_| ()),
        None => proof.attack(&referee, &mut position, plies).map(|_| ()),
    }
}

/// Whether the side to move loses within that many plies, whatever it does. Advised by the engine that
/// says so.
pub(crate) fn prove_loss(
    board: &Board,
    plies: u32,
    plays: u64,
    claimant: Engine,
) -> Result<(), Failure> {
    let mut proof = Proof::new(board, 1 - board.referee.seat(), plays, Some(claimant));
    let Board { referee, mut position } = board.clone();
    proof.defend(&referee, &mut position, plies)
}

impl Proof {
    fn new(board: &Board, attacker: usize, plays: u64, claimant: Option<Engine>) -> Proof {
        let rules = board.position.rules();
        let tables =
            (rules.tier() <= RuleTier::SwapOpening).then(|| Arc::new(StoneTables::new(rules)));
        let ignorant = Engine::new(Options { hash: 4, ..Options::default() });
        let engines = claimant.into_iter().chain([ignorant]).collect();
        Proof { tables, engines, attacker, line: Vec::new(), plays }
    }

    /// The game after a move by the naive rules.
    fn after(&mut self, referee: &Referee, text: &str) -> Result<Referee, Failure> {
        self.plays = self.plays.checked_sub(1).ok_or(Failure::TooLong)?;
        let mut after = referee.clone();
        after.play(text).map_err(|_| Failure::Refuted(self.line_with(text)))?;
        Ok(after)
    }

    fn line_with(&self, text: &str) -> Vec<String> {
        self.line.iter().cloned().chain([text.to_owned()]).collect()
    }

    /// Proves that the attacker, to move, wins. Returns its move if it wins at once.
    fn attack(
        &mut self,
        referee: &Referee,
        position: &mut Position,
        plies: u32,
    ) -> Result<Option<String>, Failure> {
        let mv = self.advice(position, plies)?;
        self.attack_by(referee, position, plies, mv)
    }

    fn attack_by(
        &mut self,
        referee: &Referee,
        position: &mut Position,
        plies: u32,
        mv: Move,
    ) -> Result<Option<String>, Failure> {
        let text = position.move_text(mv);
        let after = self.after(referee, &text)?;
        match result(&after) {
            Some(Some(winner)) if winner == self.attacker => return Ok(Some(text)),
            None if plies >= 2 => (),
            _ => return Err(Failure::Refuted(self.line_with(&text))),
        }
        self.go_on(&after, position, plies - 1, mv).map(|_| None)
    }

    /// Proves that the attacker wins after a move that leaves the game open, whoever is to move then.
    /// Returns the attacker's next move if it wins at once.
    fn go_on(
        &mut self,
        after: &Referee,
        position: &mut Position,
        plies: u32,
        mv: Move,
    ) -> Result<Option<String>, Failure> {
        self.line.push(position.move_text(mv));
        position.play(mv);
        let proof = if after.seat() == self.attacker {
            self.attack(after, position, plies)
        } else {
            self.defend(after, position, plies).map(|()| None)
        };
        position.undo();
        self.line.pop();
        proof
    }

    /// Proves that every move of the defender, to move, loses.
    fn defend(
        &mut self,
        referee: &Referee,
        position: &mut Position,
        plies: u32,
    ) -> Result<(), Failure> {
        let mut answers: Vec<String> = Vec::new();
        for text in referee.legal_moves() {
            let after = self.after(referee, &text)?;
            match result(&after) {
                None if plies >= 2 => (),
                Some(Some(winner)) if winner == self.attacker => continue,
                _ => return Err(Failure::Refuted(self.line_with(&text))),
            }
            if self.is_answered(&after, &answers)? {
                continue;
            }
            let mv = position.parse_move(&text).unwrap();
            answers.extend(self.go_on(&after, position, plies - 1, mv)?);
        }
        Ok(())
    }

    /// Whether one of these moves wins at once.
    fn is_answered(&mut self, referee: &Referee, answers: &[String]) -> Result<bool, Failure> {
        for answer in answers.iter().rev().take(4) {
            if referee.content_on(answer) == Some(Stone::Empty) {
                // What was legal after another defense may be forbidden now.
                match self.after(referee, answer) {
                    Ok(after) if result(&after) == Some(Some(self.attacker)) => return Ok(true),
                    Err(Failure::TooLong) => return Err(Failure::TooLong),
                    _ => (),
                }
            }
        }
        Ok(false)
    }

    /// A move that is said to win within that many plies: by the prover, else by the engine. An error
    /// if the prover refuses a win so short that its refusal is final, or if nobody knows one.
    fn advice(&mut self, position: &Position, plies: u32) -> Result<Move, Failure> {
        let nodes = if plies <= COMPLETE { 20_000_000 } else { 200_000 };
        match self.shortest(position, plies, nodes) {
            Some(Ok(Some(win))) => return Ok(win.first),
            Some(Ok(None)) if plies <= COMPLETE => return Err(Failure::Refuted(self.line.clone())),
            _ => (),
        }
        let rules = position.rules().to_ruleset();
        let game = Game::from_text(rules, &position.text()).unwrap();
        // A search that knows a win may look for no shorter one, unless it is told to.
        let shorter = Limits { mate: Some(plies), ..Limits::nodes(300_000) };
        let [little, more, much] = [3_000, 30_000, 300_000].map(Limits::nodes);
        let asked = [little, more, much, shorter].into_iter().find_map(|limits| {
            self.engines.iter_mut().find_map(|engine| {
                let found =
                    engine.think_here(&game, limits.clone(), &Signal::new(), |_| ()).unwrap();
                let mate = found.report.score.mate()?;
                if (1..=plies as i32).contains(&mate) { found.best } else { None }
            })
        });
        if let Some(mv) = asked {
            return Ok(mv);
        }
        // The engine may know a longer win only.
        let win = self.shortest(position, plies, 5_000_000).and_then(|found| found.ok().flatten());
        let win = win.map(|win| win.first).or_else(|| self.move_that_wins(&game, plies));
        win.ok_or_else(|| Failure::Unverified(self.line.clone()))
    }

    /// A move after which the engine calls the attacker the winner in time, asked of each in turn.
    fn move_that_wins(&mut self, game: &Game, plies: u32) -> Option<Move> {
        game.legal_moves().into_iter().find(|&mv| {
            let mut after = game.clone();
            if after.play_move(mv).is_err() || after.outcome().is_some() {
                return false;
            }
            let limits = Limits::nodes(3_000);
            let sign = if after.to_move().index() == self.attacker { 1 } else { -1 };
            self.engines.iter_mut().any(|engine| {
                let found =
                    engine.think_here(&after, limits.clone(), &Signal::new(), |_| ()).unwrap();
                let mate = found.report.score.mate();
                mate.is_some_and(|mate| (1..plies as i32).contains(&(sign * mate)))
            })
        })
    }

    /// What the prover says, of rules that it knows.
    fn shortest(
        &self,
        position: &Position,
        plies: u32,
        nodes: u64,
    ) -> Option<Result<Option<Win>, Spent>> {
        let tables = self.tables.as_ref()?;
        let mut prover = Prover::new(position, Arc::clone(tables), nodes);
        Some(prover.shortest(Reach { plies, quiet: 1 }))
    }
}

/// Up to this length a refusal of the prover is final.
const COMPLETE: u32 = 5;
