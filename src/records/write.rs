//! Writes games in any format, and counts the data that a format cannot hold.

use crate::RecordedGame;
use crate::format::RecordFormat;
use pentarch_core::rules::Ruleset;
use std::collections::BTreeMap;
use std::fmt;

/// Writes games one after the other and counts what is lost.
#[derive(Clone, Debug)]
pub struct RecordWriter {
    format: RecordFormat,
    rules: Ruleset,
    lost: LostData,
    written: usize,
}

impl RecordWriter {
    /// Creates a writer; `rules` are those of games that name none. Returns `None` for a format that
    /// is only read.
    pub fn new(format: RecordFormat, rules: Ruleset) -> Option<RecordWriter> {
        let lost = LostData::default();
        format.is_writable().then_some(RecordWriter { format, rules, lost, written: 0 })
    }

    /// Returns the text of a game with its last line break.
    ///
    /// # Errors
    ///
    /// The reason why the format cannot hold the game.
    pub fn text(&mut self, game: &RecordedGame) -> Result<String, String> {
        let rules = game.ruleset(&self.rules).map_err(|error| error.to_string())?;
        let text = self.format.write(game, &rules, self.written, &mut self.lost)?;
        self.written += 1;
        Ok(text)
    }

    /// The number of games written.
    pub fn written(&self) -> usize {
        self.written
    }

    /// The data of these games that the format could not hold.
    pub fn lost(&self) -> &LostData {
        &self.lost
    }
}

/// The kinds of data that were lost in writing games, each with the number of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LostData(BTreeMap<&'static str, usize>);

impl LostData {
    /// Returns whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The kinds of lost data with the number of games, most frequent first.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let mut lost: Vec<_> = self.0.iter().map(|(&kind, &games)| (kind, games)).collect();
        lost.sort_by_key(|&(_, games)| std::cmp::Reverse(games));
        lost.into_iter()
    }

    /// Counts a game that loses data of this kind.
    pub(super) fn add(&mut self, kind: &'static str) {
        *self.0.entry(kind).or_default() += 1;
    }

    pub(super) fn add_if(&mut self, lost: bool, kind: &'static str) {
        if lost {
            self.add(kind);
        }
    }

    /// Counts the rules as lost if they are not the default of the format.
    pub(super) fn check_variant(&mut self, game: &RecordedGame, default: &str) {
        let other = game.rules.as_deref().is_some_and(|rules| rules != default);
        self.add_if(other, "the variant, which --variant gives back");
    }

    pub(super) fn check_names(&mut self, game: &RecordedGame) {
        self.add_if(game.players.iter().any(|name| !name.is_empty()), "names of players");
    }

    pub(super) fn check_ratings(&mut self, game: &RecordedGame) {
        let known = game.ratings.iter().any(Option::is_some) || game.rated.is_some();
        self.add_if(known, "ratings");
        self.check_player_types(game);
    }

    pub(super) fn check_player_types(&mut self, game: &RecordedGame) {
        self.add_if(game.computers.iter().any(Option::is_some), "kinds of players");
    }

    pub(super) fn check_result(&mut self, game: &RecordedGame) {
        self.add_if(game.result.is_some(), "results");
    }

    /// Checks all data but the moves.
    pub(super) fn check_all_but_moves(&mut self, game: &RecordedGame) {
        self.check_variant(game, "gomoku");
        self.check_names(game);
        self.check_ratings(game);
        self.check_result(game);
        self.check_headers(game);
        self.check_plies(game);
    }

    /// Checks the data about the game as a whole: date, event, time controls and the rest.
    pub(super) fn check_headers(&mut self, game: &RecordedGame) {
        self.add_if(!game.date.is_empty(), "dates");
        let events = [&game.event, &game.site, &game.round, &game.section];
        self.add_if(events.iter().any(|text| !text.is_empty()), "events");
        self.add_if(!game.time_controls.is_empty(), "time controls");
        self.check_own_headers(game);
    }

    /// Checks the data that only the records of the arena have.
    fn check_own_headers(&mut self, game: &RecordedGame) {
        self.add_if(!game.reason.is_empty() || !game.detail.is_empty(), "reasons of results");
        let numbers = game.game.is_some() || game.opening_plies.is_some();
        self.add_if(numbers, "numbers of games and of plies in the opening");
        self.check_other_fields(game);
        self.add_if(!game.comment.is_empty(), "comments");
    }

    /// Checks the fields that Pentarch does not know.
    pub(super) fn check_other_fields(&mut self, game: &RecordedGame) {
        self.add_if(!game.other.is_empty(), "fields of other programs");
    }

    /// Checks times, values, comments, marks and variations.
    pub(super) fn check_plies(&mut self, game: &RecordedGame) {
        let timed = !game.times.is_empty() || game.plies.iter().any(|ply| ply.time.is_some());
        self.add_if(timed, "times");
        self.check_annotations(game);
    }

    /// Checks what [`LostData::check_plies`] does, except times.
    pub(super) fn check_annotations(&mut self, game: &RecordedGame) {
        let values = game.plies.iter().any(|ply| {
            let numbers = ply.depth.is_some() || ply.nodes.is_some();
            ply.score.is_some() || ply.mate.is_some() || numbers || !ply.pv.is_empty()
        });
        self.add_if(values, "values of moves");
        self.add_if(game.plies.iter().any(|ply| !ply.comment.is_empty()), "comments on moves");
        self.add_if(game.plies.iter().any(|ply| !ply.marks.is_empty()), "marks");
        self.add_if(!game.variations.is_empty(), "variations");
    }
}

/// The kinds, separated by commas.
impl fmt::Display for LostData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (kind, games)) in self.iter().enumerate() {
            let plural = if games == 1 { "game" } else { "games" };
            write!(f, "{}{kind} ({games} {plural})", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
