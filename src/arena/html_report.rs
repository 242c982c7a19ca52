//! The report of a tournament as HTML: the table, the cross table, the course of the ratings, and
//! every game on its board.

use crate::merge::MergedResults;
use crate::ratings::Ratings;
use crate::schedule::TournamentFormat;
use crate::sprt::{OrderedSprt, Sprt, SprtState};
use crate::standings::TournamentResults;
use crate::text_report::{CrossTable, MoveText, StandingsTable};
use pentarch_core::game::Move;
use pentarch_engine::Game;
use pentarch_engine::search::Score;
use pentarch_records::page::{
    Align, GameHeader, GameView, Html, MoveMark, NamedLine, PageError, PageSet, Plot, PlyNote,
    ScoreSource, Series, Table, TableCell,
};
use pentarch_records::{GameRecord, GameResult, RecordError, RecordFile, RecordedPly};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A page cannot be written.
    #[error(transparent)]
    Page(#[from] PageError),
    /// The games cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// The maximum number of points of a line in a plot.
const MAX_PLOT_POINTS: usize = 500;

/// The maximum number of engines with a line in a plot.
const MAX_PLOT_LINES: usize = 8;

/// Writes the report of the games in these files and returns the number of pages. Games are read
/// one at a time, so that memory does not grow with their number.
pub fn write_report(
    path: &Path,
    merged: &MergedResults,
    test: Option<Sprt>,
    files: &[PathBuf],
) -> Result<usize, ReportError> {
    let results = merged.results();
    let sprt = test.map(|test| merged.sprt(test).0);
    let table = StandingsTable::new(&results, Some(merged.planned()), sprt.as_ref());
    let mut pages = PageSet::create(path, &title(&results))?;
    pages.section("Standings", &[standings(&table), notes_on(&table)])?;
    if results.head_to_head.len() > 1 {
        pages.section("Cross table", &[cross_table(&results)])?;
    }
    if !table.head_to_head.is_empty() {
        pages.section("Head to head", &[head_to_head(&table)])?;
    }
    pages.section("Ratings over time", &course(merged, test))?;
    let mut text_only = TextOnlyGames::default();
    for file in files {
        let mut failed = None;
        RecordFile::read(file, |record| {
            match view(&record) {
                Some(view) if failed.is_none() => failed = pages.game(&view).err(),
                Some(_) => {}
                None => text_only.add(&record),
            }
            Ok(())
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
    }
    if let Some(parts) = text_only.finish() {
        pages.section("Games without a board", &parts)?;
    }
    Ok(pages.finish()?)
}

/// Games that cannot be shown on a board, such as those whose rules only the engines know; their
/// moves are shown as text.
#[derive(Default)]
struct TextOnlyGames {
    games: Vec<Html>,
    left_out: usize,
}

/// The maximum number of games without a board in a report.
const MAX_TEXT_ONLY: usize = 4000;

impl TextOnlyGames {
    fn add(&mut self, record: &GameRecord) {
        if self.games.len() == MAX_TEXT_ONLY {
            self.left_out += 1;
            return;
        }
        let players = record.players.join(" v ");
        let (number, rules, result) = (record.game, &record.rules, record.result);
        let name = format!("Game {number}, {rules}: {players}: {result}, {}", record.reason);
        let moves = Html::preformatted(&MoveText(record).to_string());
        let detail = record.detail.as_deref().map(Html::paragraph);
        let lines = Some(record.exchange.join("\n")).filter(|lines| !lines.is_empty());
        let lines = lines.map(|lines| Html::preformatted(&lines));
        let parts: Vec<Html> = detail.into_iter().chain([moves]).chain(lines).collect();
        self.games.push(Html::collapsible(&name, &parts));
    }

    fn finish(mut self) -> Option<Vec<Html>> {
        if self.left_out > 0 {
            let text = format!("{} more games are in the records only.", self.left_out);
            self.games.push(Html::paragraph(&text));
        }
        Some(self.games).filter(|games| !games.is_empty())
    }
}

fn title(results: &TournamentResults) -> String {
    match results.names.as_slice() {
        [first, second] => format!("{first} against {second}"),
        names => format!("{}: {} engines", results.format, names.len()),
    }
}

fn standings(results: &StandingsTable) -> Html {
    // Buchholz breaks ties in a Swiss only.
    let swiss = results.format == TournamentFormat::Swiss.to_string();
    let mut head = vec![
        ("Engine", Align::Left),
        ("Rank", Align::Right),
        ("Points", Align::Right),
        ("Seats", Align::Right),
        ("Won", Align::Right),
        ("Drawn", Align::Right),
        ("Lost", Align::Right),
        ("Elo", Align::Right),
        ("±", Align::Right),
    ];
    head.extend(swiss.then_some(("Buchholz", Align::Right)));
    head.extend([
        ("S-B", Align::Right),
        ("ms/move", Align::Right),
        ("Nodes/s", Align::Right),
        ("Depth", Align::Right),
        ("Lost by", Align::Left),
    ]);
    let mut table = Table::new(&format!("{} games", results.games), &head);
    for row in &results.engines {
        let number = |value: Option<f64>| {
            TableCell::text(value.map_or(String::new(), |value| format!("{value:.1}")))
        };
        let whole = |value: u32| TableCell::text(value);
        let losses: Vec<String> =
            row.losses_by.iter().map(|(word, count)| format!("{word} {count}")).collect();
        let buchholz = swiss.then(|| number(Some(row.buchholz)));
        let name_to_elo = [
            TableCell::from(row.name.clone()),
            TableCell::text(row.rank),
            number(Some(row.points)),
            whole(row.seats),
            whole(row.counts.wins),
            whole(row.counts.draws),
            whole(row.counts.losses),
            number(row.elo),
            number(row.elo_error),
        ];
        let nodes = row.nodes_a_second.map_or(String::new(), |value| format!("{value:.0}"));
        let rest = [
            number(Some(row.sonneborn_berger)),
            number(row.time_a_move),
            TableCell::text(nodes),
            number(row.depth),
            TableCell::from(losses.join(", ")),
        ];
        table.row(name_to_elo.into_iter().chain(buchholz).chain(rest));
    }
    Html::from(&table)
}

fn head_to_head(results: &StandingsTable) -> Html {
    let head = [
        ("Engine", Align::Left),
        ("Against", Align::Left),
        ("Won", Align::Right),
        ("Drawn", Align::Right),
        ("Lost", Align::Right),
        ("Elo", Align::Right),
        ("±", Align::Right),
        ("Normalized Elo", Align::Right),
        ("±", Align::Right),
        ("LOS", Align::Right),
        ("Pairs with 0, 1/2, 1, 1 1/2, 2 points", Align::Left),
    ];
    let mut table = Table::new("Results of the engine against the other", &head);
    for row in &results.head_to_head {
        let name = |number| results.engines.iter().find(|row| row.number == number);
        let [first, second] =
            row.engines.map(|number| name(number).map_or("?", |row| row.name.as_str()));
        let number = |value: f64| TableCell::text(format!("{value:.1}"));
        table.row([
            TableCell::text(first),
            TableCell::text(second),
            TableCell::text(row.counts.wins),
            TableCell::text(row.counts.draws),
            TableCell::text(row.counts.losses),
            number(row.elo),
            number(row.elo_error),
            number(row.normalized_elo),
            number(row.normalized_elo_error),
            TableCell::text(format!("{:.1} %", row.los * 100.0)),
            TableCell::text(row.pairs.map(|count| count.to_string()).join(" ")),
        ]);
    }
    Html::from(&table)
}

/// The notes below the table, as in the text report.
fn notes_on(results: &StandingsTable) -> Html {
    let text = results.to_string();
    let below = text.lines().skip(2 + results.engines.len());
    let breaks = "S-B, Sonneborn-Berger: the points of the opponents, by the share taken from each";
    Html::list(below.chain([breaks]).collect::<Vec<_>>())
}

fn cross_table(results: &TournamentResults) -> Html {
    let order: Vec<_> = results.ranking().iter().map(|row| row.entrant).collect();
    let ranks: Vec<String> = (1..=order.len()).map(|rank| rank.to_string()).collect();
    let mut head = vec![("Engine", Align::Left), ("Rank", Align::Right)];
    head.extend(ranks.iter().map(|rank| (rank.as_str(), Align::Right)));
    let mut table = Table::new("Points of the row against the column", &head);
    let cells = CrossTable(results);
    for (&row, rank) in order.iter().zip(&ranks) {
        let cell = |&column| match cells.cell(row, column) {
            Some((points, games)) if row != column => {
                let hint = format!("{} against {}", results.name(row), results.name(column));
                TableCell::text(format!("{points} of {games}")).with_tooltip(&hint)
            }
            _ => TableCell::default(),
        };
        let name = [TableCell::text(results.name(row)), TableCell::text(rank)];
        table.row(name.into_iter().chain(order.iter().map(cell)));
    }
    Html::from(&table)
}

/// The course of the Elo difference or the ratings, game by game.
fn course(merged: &MergedResults, test: Option<Sprt>) -> Vec<Html> {
    let mut results = TournamentResults::new(merged.results().names, TournamentFormat::Pair);
    let games = merged.scores().count();
    let every = games.div_ceil(MAX_PLOT_POINTS).max(1);
    let (mut elo, mut llr) = ([Vec::new(), Vec::new(), Vec::new()], Vec::new());
    let mut ratings: Vec<Vec<(f64, f64)>> = vec![Vec::new(); results.names.len()];
    // Fitting the ratings of many engines is slow; fewer points suffice.
    let every_rating = games.div_ceil(MAX_PLOT_POINTS / 10).max(1);
    let mut sprt = test.map(OrderedSprt::new);
    for (score, number) in merged.scores().zip(1..) {
        results.count(score);
        let state = sprt.as_mut().map(|sprt| sprt.add(score));
        let x = number as f64;
        if results.names.len() == 2 && (number % every == 0 || number == games) {
            if let Some(estimate) = results.first_pair().elo_estimate() {
                let bounds = [0.0, -estimate.error, estimate.error];
                for (line, by) in elo.iter_mut().zip(bounds) {
                    line.push((x, estimate.elo + by));
                }
            }
            llr.extend(state.map(|state| (x, state.llr())));
        } else if results.names.len() > 2
            && (number % every_rating == 0 || number == games)
            && let Some(found) = Ratings::of(&results)
        {
            for (line, rating) in ratings.iter_mut().zip(&found.rows) {
                line.push((x, rating.elo));
            }
        }
    }
    let mut parts = Vec::new();
    if results.names.len() == 2 {
        let [middle, lower, upper] = elo;
        let plot = Plot::new("Elo difference with its error of 95 %", "games", "Elo")
            .with(Series::new("Elo", middle))
            .with(Series::new("lower", lower))
            .with(Series::new("upper", upper))
            .with_threshold("equal", 0.0);
        parts.push(Html::from(&plot));
    } else {
        let mut plot = Plot::new("Ratings", "games", "Elo");
        for row in results.ranking().iter().take(MAX_PLOT_LINES) {
            let line = std::mem::take(&mut ratings[row.entrant.index()]);
            plot = plot.with(Series::new(results.name(row.entrant), line));
        }
        parts.push(Html::from(&plot));
    }
    if let Some(test) = test {
        let (lower, upper) = test.bounds();
        let plot = Plot::new(&format!("SPRT {test}"), "games", "log-likelihood ratio")
            .with(Series::new("LLR", llr))
            .with_threshold("H0", lower)
            .with_threshold("H1", upper);
        parts.push(Html::from(&plot));
        parts.push(Html::paragraph(&decision(&merged.sprt(test).0)));
    }
    parts
}

fn decision(sprt: &SprtState) -> String {
    let accepted = sprt.accepted().map_or("nothing yet".to_owned(), |found| format!("{found:?}"));
    format!("{sprt} after {} pairs: accepted is {accepted}", sprt.pairs())
}

/// A game on its board. `None` if its rules or its position cannot be read, or if its moves are
/// illegal by the built-in rules and the engines were the referee.
fn view(record: &GameRecord) -> Option<GameView> {
    let rules: pentarch_core::rules::Ruleset = record.rules.parse().ok()?;
    let mut game = match &record.initial_position {
        Some(text) => Game::from_text(rules, text).ok()?,
        None => Game::new(rules),
    };
    let mut notes = Vec::new();
    for (index, text) in record.moves.iter().enumerate() {
        let ply = record.plies.get(index);
        let note = ply.map_or_else(PlyNote::default, |ply| note(&game, ply));
        if game.play(text).is_err() {
            if record.referee.is_some() {
                return None;
            }
            break;
        }
        notes.push(note);
    }
    if let Some(detail) = &record.detail {
        let mark = game.outcome().is_none().then_some(MoveMark::Fault);
        notes.push(PlyNote { mark, comment: detail.clone(), ..PlyNote::default() });
    }
    let header = GameHeader {
        title: format!("Game {}", record.game),
        players: record.players.clone(),
        date: record.date.clone(),
        result: Some(match record.result {
            GameResult::Win(side) => Some(side),
            GameResult::Draw => None,
        }),
        reason: reason(record),
        detail: detail(record),
    };
    Some(GameView { game, header, notes, score_source: ScoreSource::Players })
}

/// The reason of the end. In a game of more than two sides, a fault of one player gives the win to
/// nobody.
fn reason(record: &GameRecord) -> String {
    let by = record.player_at_fault().map_or(String::new(), |name| format!(" of {name}, who lost"));
    record.reason.clone() + &by
}

/// The details of the end, and the transcript tail of the engine at fault.
fn detail(record: &GameRecord) -> String {
    let mut text = record.detail.clone().unwrap_or_default();
    if !record.exchange.is_empty() {
        text += "\nthe last lines, < to the engine and > from it:";
    }
    for line in &record.exchange {
        text += "\n";
        text += line;
    }
    text
}

fn note(game: &Game, ply: &RecordedPly) -> PlyNote {
    let score = match (ply.mate, ply.score) {
        (Some(plies), _) if plies > 0 => Some(Score::win_in(plies.unsigned_abs())),
        (Some(plies), _) => Some(Score::loss_in(plies.unsigned_abs())),
        (None, Some(points)) => Some(Score::points(points)),
        (None, None) => None,
    };
    let mut after = game.clone();
    let expected: Vec<Move> = ply.pv.iter().map_while(|text| after.play(text).ok()).collect();
    let line = NamedLine { name: "expected".to_owned(), score, moves: expected };
    PlyNote {
        score,
        depth: ply.depth,
        nodes: ply.nodes,
        time: ply.time.map(|time| Duration::from_secs_f64(time.clamp(0.0, 1e12) / 1000.0)),
        lines: if line.moves.len() > 1 { vec![line] } else { Vec::new() },
        ..PlyNote::default()
    }
}
