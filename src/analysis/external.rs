//! Engines that are not ours, by the arena's players.

use super::analyst::{AnalysisError, Analyst, Stop};
use super::analyzer::Settings;
use super::query::{Analysis, Line, Lines, Query};
use pentarch_arena::{
    Action, ArenaError, ChildPlayer, Decision, EngineKind, EngineSpec, NewGame, Opening,
    PlayedMove, Player as _, PlayerError, ProtocolSettings, TimeControl, Timeouts, Timer, Turn,
};
use pentarch_core::game::Move;
use pentarch_core::rules::Ruleset;
use pentarch_engine::Game;
use pentarch_engine::search::Bound;

/// An engine in a process of its own. A position is a new game to it, so that no answer depends
/// on the ones before.
pub(super) struct OtherEngine {
    spec: EngineSpec,
    timeouts: Timeouts,
    /// The engine that runs and what it plays.
    running: Option<(Ruleset, ChildPlayer)>,
}

impl OtherEngine {
    pub(super) fn new(settings: &Settings) -> OtherEngine {
        OtherEngine { spec: settings.engine.clone(), timeouts: settings.timeouts, running: None }
    }

    /// What it is called in messages.
    fn name(&self) -> String {
        let command = match &self.spec.kind {
            EngineKind::Child { launch, .. } => launch.command_line(),
            _ => String::new(),
        };
        self.spec.name.clone().unwrap_or(command)
    }

    fn failed(&self, reason: impl Into<String>) -> AnalysisError {
        AnalysisError::Other { name: self.name(), reason: reason.into() }
    }

    fn error(&self, failure: PlayerError) -> AnalysisError {
        match failure {
            PlayerError::Arena(ArenaError::Canceled) => AnalysisError::Stopped,
            PlayerError::Arena(error) => self.failed(error.to_string()),
            PlayerError::Fault(fault) => self.failed(fault.to_string()),
        }
    }

    fn unaskable(&self, field: &'static str, reason: &'static str) -> AnalysisError {
        AnalysisError::Unaskable { name: self.name(), field, reason }
    }

    /// The engine for the rules of a query: the one that runs, if it plays them.
    fn player(&mut self, rules: &Ruleset, stop: &Stop) -> Result<ChildPlayer, PlayerError> {
        if let Some((played, mut player)) = self.running.take()
            && played == *rules
        {
            player.set_cancel_token(stop.token().clone());
            return Ok(player);
        }
        let EngineKind::Child { launch, dialect, options } = &self.spec.kind else {
            return Err(ArenaError::Setup("it is built in".to_owned()).into());
        };
        let token = stop.token().clone();
        let label = self.name();
        let program = (launch, label.as_str());
        let rules = rules.clone().into();
        let conversation = ProtocolSettings { dialect: *dialect, options, ponder: false };
        let player = ChildPlayer::start(&rules, conversation, program, self.timeouts, token);
        player.map_err(PlayerError::from)
    }

    fn ask(
        &self,
        player: &mut ChildPlayer,
        query: &Query,
        history: &(Opening, Vec<PlayedMove>),
    ) -> Result<Decision, PlayerError> {
        let game = &query.game;
        let timer = Timer::new(self.control(query));
        let seat = game.to_move();
        player.new_game(&NewGame { number: 1, seat, game, timer: &timer })?;
        let (opening, plies) = history;
        let timers = vec![timer; game.seats().into()];
        player.choose(&Turn { game, opening, plies, timers: &timers })
    }

    /// The limits of a query that the arena can pass on; the engine's own come first.
    fn control(&self, query: &Query) -> TimeControl {
        let limits = &query.limits;
        self.spec.control.unwrap_or(TimeControl {
            clock: None,
            move_time: limits.move_time,
            nodes: limits.nodes,
            depth: limits.depth,
        })
    }

    fn analysis(&self, game: &Game, decision: &Decision) -> Result<Analysis, AnalysisError> {
        let Action::Move(mv) = decision.action else { return Err(self.failed("it resigns here")) };
        if let Err(reason) = game.check_move(mv) {
            let text = format!("illegal move `{}`: {reason}", game.move_text(mv));
            return Err(self.failed(text));
        }
        let nodes = decision.report.as_ref().map_or(0, |report| report.nodes);
        Ok(Analysis::of_lines(vec![line(mv, decision)], nodes))
    }
}

impl Analyst for OtherEngine {
    fn analyze(
        &mut self,
        query: &Query,
        stop: &Stop,
        _: &mut (dyn FnMut(&Lines) + Send),
    ) -> Result<Analysis, AnalysisError> {
        if !query.limits.search_moves.is_empty() {
            return Err(self.unaskable("allowMoves", "the arena's players choose among all moves"));
        }
        let rules = query.game.rules();
        let history = history(&query.game);
        let mut player = self.player(rules, stop).map_err(|failure| self.error(failure))?;
        if history.0.position.is_some() && !player.supports_positions() {
            self.running = Some((rules.clone(), player));
            let reason = "its protocol has no word for a position that no moves lead to";
            return Err(self.unaskable("initialPosition", reason));
        }
        match self.ask(&mut player, query, &history) {
            Ok(decision) => {
                self.running = Some((rules.clone(), player));
                self.analysis(&query.game, &decision)
            }
            // One that was interrupted is still thinking, and ends with the player.
            Err(PlayerError::Arena(error)) => Err(self.error(error.into())),
            Err(failure) => {
                self.running = Some((rules.clone(), player));
                Err(self.error(failure))
            }
        }
    }

    fn clear(&mut self) {
        self.running = None;
    }
}

/// Where a game began, and the moves from there on.
fn history(game: &Game) -> (Opening, Vec<PlayedMove>) {
    let mut back = game.clone();
    let mut plies = Vec::new();
    while let Some(mv) = back.undo() {
        plies.push(PlayedMove { seat: back.to_move(), mv });
    }
    plies.reverse();
    let start = Game::new(game.rules().clone());
    let position = Some(back.text()).filter(|text| *text != start.text());
    (Opening { position, moves: Vec::new() }, plies)
}

/// What the engine says of the move it has chosen.
fn line(mv: Move, decision: &Decision) -> Line {
    let Some(report) = &decision.report else {
        return Line { mv, score: None, bound: Bound::Exact, nodes: 0, depth: 0, pv: vec![mv] };
    };
    let pv = if report.pv.first() == Some(&mv) { report.pv.clone() } else { vec![mv] };
    let (score, bound) = (Some(report.score), report.bound);
    Line { mv, score, bound, nodes: report.move_nodes, depth: report.depth, pv }
}
