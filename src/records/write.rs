//! Games as text in any format that is written.

use crate::format::Format;
use crate::{RecordedGame, game_record, line_formats, pente_org, psq, sgf};
use pentarch_core::rules::Ruleset;
use std::collections::BTreeMap;
use std::fmt;

/// Writes games one after the other, and keeps account of what was lost.
#[derive(Clone, Debug)]
pub struct RecordWriter {
    format: Format,
    rules: Ruleset,
    losses: Losses,
    written: usize,
}

impl RecordWriter {
    /// A writer of that format; the rules are those of games that name none. None for a format that
    /// is only read.
    pub fn new(format: Format, rules: Ruleset) -> Option<RecordWriter> {
        let losses = Losses::default();
        format.is_written().then_some(RecordWriter { format, rules, losses, written: 0 })
    }

    /// The text of a game with its last line break, or why the format cannot hold it.
    pub fn text(&mut self, game: &RecordedGame) -> Result<String, String> {
        let rules = game.ruleset(&self.rules).map_err(|error| error.to_string())?;
        let losses = &mut self.losses;
        let text = match self.format {
            Format::Json => Ok(game_record::write_line(game)),
            Format::Sgf => sgf::write(game, &rules, losses),
            Format::PenteOrg => {
                let text = pente_org::write(game, &rules, losses);
                Ok(if self.written > 0 { format!("\n{text}") } else { text })
            }
            Format::List => line_formats::write_list(game, &rules, losses),
            Format::Moves => Ok(line_formats::write_moves(game, losses)),
            Format::Pos => line_formats::write_pos(game, &rules, losses),
            Format::Offset => line_formats::write_offset(game, &rules, losses),
            Format::Psq => psq::write(game, &rules, losses),
            Format::Lib | Format::Rif | Format::Yixin => Err("this format is only read".to_owned()),
        }?;
        self.written += 1;
        Ok(text)
    }

    /// How many games were written.
    pub fn written(&self) -> usize {
        self.written
    }

    /// What the format could not hold of them.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }
}

// What a format cannot hold, counted, so that a user learns of it once.

/// What was lost in writing games, by kind with the number of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses(BTreeMap<&'static str, usize>);

impl Losses {
    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What was lost of the games so far, most often first.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let mut lost: Vec<_> = self.0.iter().map(|(&what, &games)| (what, games)).collect();
        lost.sort_by_key(|&(_, games)| std::cmp::Reverse(games));
        lost.into_iter()
    }

    /// Counts a game that has lost something.
    pub(super) fn add(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    pub(super) fn add_if(&mut self, lost: bool, what: &'static str) {
        if lost {
            self.add(what);
        }
    }

    /// The rules, where they are not those that a reader takes for granted.
    pub(super) fn rules_other_than(&mut self, game: &RecordedGame, usual: &str) {
        let other = game.rules.as_deref().is_some_and(|rules| rules != usual);
        self.add_if(other, "the variant, which --variant gives back");
    }

    pub(super) fn names(&mut self, game: &RecordedGame) {
        self.add_if(game.players.iter().any(|name| !name.is_empty()), "names of players");
    }

    pub(super) fn ratings(&mut self, game: &RecordedGame) {
        let known = game.ratings.iter().any(Option::is_some) || game.rated.is_some();
        self.add_if(known, "ratings");
        self.kinds_of_players(game);
    }

    pub(super) fn kinds_of_players(&mut self, game: &RecordedGame) {
        self.add_if(game.computers.iter().any(Option::is_some), "kinds of players");
    }

    pub(super) fn result(&mut self, game: &RecordedGame) {
        self.add_if(game.result.is_some(), "results");
    }

    /// Everything but the moves themselves.
    pub(super) fn all_but_moves(&mut self, game: &RecordedGame) {
        self.rules_other_than(game, "gomoku");
        self.names(game);
        self.ratings(game);
        self.result(game);
        self.headers(game);
        self.plies(game);
    }

    /// Date, event, time controls and whatever else is said of a game as a whole.
    pub(super) fn headers(&mut self, game: &RecordedGame) {
        self.add_if(!game.date.is_empty(), "dates");
        let events = [&game.event, &game.site, &game.round, &game.section];
        self.add_if(events.iter().any(|text| !text.is_empty()), "events");
        self.add_if(!game.time_controls.is_empty(), "time controls");
        self.more_headers(game);
    }

    /// What only our own records have.
    pub(super) fn more_headers(&mut self, game: &RecordedGame) {
        self.add_if(!game.reason.is_empty() || !game.detail.is_empty(), "reasons of results");
        let numbers = game.game.is_some() || game.opening_plies.is_some();
        self.add_if(numbers, "numbers of games and of plies in the opening");
        self.other(game);
        self.add_if(!game.comment.is_empty(), "comments");
    }

    /// What is in no field of its own.
    pub(super) fn other(&mut self, game: &RecordedGame) {
        self.add_if(!game.other.is_empty(), "fields of other programs");
    }

    /// Times, values, comments and variations.
    pub(super) fn plies(&mut self, game: &RecordedGame) {
        let timed = !game.times.is_empty() || game.plies.iter().any(|ply| ply.time.is_some());
        self.add_if(timed, "times");
        self.notes(game);
    }

    /// What is said of moves, but for times.
    pub(super) fn notes(&mut self, game: &RecordedGame) {
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

/// One line a kind.
impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (what, games)) in self.iter().enumerate() {
            let plural = if games == 1 { "game" } else { "games" };
            write!(f, "{}{what} ({games} {plural})", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
