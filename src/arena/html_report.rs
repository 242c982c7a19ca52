//! A tournament as a page: the table, who beat whom, how strength was found out, and every game on its
//! board.

use crate::merge::Union;
use crate::ratings::Ratings;
use crate::schedule::Format;
use crate::sprt::{Sprt, Trial};
use crate::standings::Standing;
use crate::text_report::{CrossTable, MoveList, Table as Results};
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

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The page cannot be written.
    #[error(transparent)]
    Page(#[from] PageError),
    /// The games cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// How many points a line of a plot has at most.
const POINTS: usize = 500;

/// How many engines have a line of their own in a plot.
const LINES: usize = 8;

/// Writes the report of the games in these files, and says over how many pages. Games are read one
/// after the other, so that ten thousand need no memory.
pub fn write_report(
    path: &Path,
    union: &Union,
    test: Option<Sprt>,
    files: &[PathBuf],
) -> Result<usize, ReportError> {
    let standing = union.standing();
    let trial = test.map(|test| union.trial(test));
    let results = Results::new(&standing, Some(union.planned()), trial.as_ref());
    let mut pages = PageSet::create(path, &title(&standing))?;
    pages.section("Standing", &[standings(&results), notes_on(&results)])?;
    if standing.duels.len() > 1 {
        pages.section("Who beat whom", &[cross_table(&standing)])?;
    }
    pages.section("Course", &course(union, test))?;
    let mut boardless = Boardless::default();
    for file in files {
        let mut failed = None;
        RecordFile::read(file, |record| {
            match view(&record) {
                Some(view) if failed.is_none() => failed = pages.game(&view).err(),
                Some(_) => {}
                None => boardless.add(&record),
            }
            Ok(())
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
    }
    if let Some(parts) = boardless.finish() {
        pages.section("Games without a board", &parts)?;
    }
    Ok(pages.finish()?)
}

/// Games that cannot be shown on a board, such as those whose rules only the engines know: their moves as
/// text.
#[derive(Default)]
struct Boardless {
    games: Vec<Html>,
    left_out: usize,
}

/// How many games without a board a report has.
const BOARDLESS: usize = 4000;

impl Boardless {
    fn add(&mut self, record: &GameRecord) {
        if self.games.len() == BOARDLESS {
            self.left_out += 1;
            return;
        }
        let players = record.players.join(" v ");
        let (number, rules, result) = (record.game, &record.rules, record.result);
        let name = format!("Game {number}, {rules}: {players}: {result}, {}", record.reason);
        let moves = Html::preformatted(&MoveList(record).to_string());
        let detail = record.detail.as_deref().map(Html::paragraph);
        let lines = Some(record.exchange.join("\n")).filter(|lines| !lines.is_empty());
        let lines = lines.map(|lines| Html::preformatted(&lines));
        let parts: Vec<Html> = detail.into_iter().chain([moves]).chain(lines).collect();
        self.games.push(Html::collapsible(&name, &parts));
    }

    fn finish(mut self) -> Option<Vec<Html>> {
        if self.left_out > 0 {
            let text = format!("{} more are in the records only.", self.left_out);
            self.games.push(Html::paragraph(&text));
        }
        Some(self.games).filter(|games| !games.is_empty())
    }
}

fn title(standing: &Standing) -> String {
    match standing.names.as_slice() {
        [first, second] => format!("{first} against {second}"),
        names => format!("{}: {} engines", standing.format, names.len()),
    }
}

fn standings(results: &Results) -> Html {
    // Ties are broken by it in rounds that follow results; elsewhere it says nothing of its own.
    let swiss = results.format == Format::Swiss.to_string();
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

/// What stands below the table on a terminal as well.
fn notes_on(results: &Results) -> Html {
    let text = results.to_string();
    let below = text.lines().skip(2 + results.engines.len());
    let breaks = "S-B, Sonneborn-Berger: the points of the opponents, by the share taken from each";
    Html::list(below.chain([breaks]).collect::<Vec<_>>())
}

fn cross_table(standing: &Standing) -> Html {
    let order: Vec<_> = standing.table().iter().map(|row| row.entrant).collect();
    let ranks: Vec<String> = (1..=order.len()).map(|rank| rank.to_string()).collect();
    let mut head = vec![("Engine", Align::Left), ("Rank", Align::Right)];
    head.extend(ranks.iter().map(|rank| (rank.as_str(), Align::Right)));
    let mut table = Table::new("Points of the row against the column", &head);
    let cells = CrossTable(standing);
    for (&row, rank) in order.iter().zip(&ranks) {
        let cell = |&column| match cells.cell(row, column) {
            Some((points, games)) if row != column => {
                let hint = format!("{} against {}", standing.name(row), standing.name(column));
                TableCell::text(format!("{points} of {games}")).with_tooltip(&hint)
            }
            _ => TableCell::default(),
        };
        let name = [TableCell::text(standing.name(row)), TableCell::text(rank)];
        table.row(name.into_iter().chain(order.iter().map(cell)));
    }
    Html::from(&table)
}

/// How the numbers came about, game after game in the order of their numbers.
fn course(union: &Union, test: Option<Sprt>) -> Vec<Html> {
    let mut standing = Standing::new(union.standing().names, Format::Pair);
    let games = union.scores().count();
    let every = games.div_ceil(POINTS).max(1);
    let (mut elo, mut llr) = ([Vec::new(), Vec::new(), Vec::new()], Vec::new());
    let mut ratings: Vec<Vec<(f64, f64)>> = vec![Vec::new(); standing.names.len()];
    // Ratings of many engines take a while, a tenth of the points shows as much.
    let every_rating = games.div_ceil(POINTS / 10).max(1);
    for (score, number) in union.scores().zip(1..) {
        standing.count(score);
        let x = number as f64;
        if standing.names.len() == 2 && (number % every == 0 || number == games) {
            if let Some(strength) = standing.duel().strength() {
                let bounds = [0.0, -strength.error, strength.error];
                for (line, by) in elo.iter_mut().zip(bounds) {
                    line.push((x, strength.elo + by));
                }
            }
            let weigh = |test: Sprt| (x, test.llr(standing.duel().pairs()));
            llr.extend(test.map(weigh));
        } else if standing.names.len() > 2
            && (number % every_rating == 0 || number == games)
            && let Some(found) = Ratings::of(&standing)
        {
            for (line, rating) in ratings.iter_mut().zip(&found.rows) {
                line.push((x, rating.elo));
            }
        }
    }
    let mut parts = Vec::new();
    if standing.names.len() == 2 {
        let [middle, lower, upper] = elo;
        let plot = Plot::new("Elo difference with its error of 95 %", "games", "Elo")
            .with(Series::new("Elo", middle))
            .with(Series::new("lower", lower))
            .with(Series::new("upper", upper))
            .with_threshold("equal", 0.0);
        parts.push(Html::from(&plot));
    } else {
        let mut plot = Plot::new("Ratings", "games", "Elo");
        for row in standing.table().iter().take(LINES) {
            let line = std::mem::take(&mut ratings[row.entrant.index()]);
            plot = plot.with(Series::new(standing.name(row.entrant), line));
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
        parts.push(Html::paragraph(&decision(&union.trial(test))));
    }
    parts
}

fn decision(trial: &Trial) -> String {
    let accepted = trial.accepted().map_or("nothing yet".to_owned(), |found| format!("{found:?}"));
    format!("{trial} after {} pairs: accepted is {accepted}", trial.pairs())
}

/// A game on its board; none if its rules or its beginning cannot be read, or if it was refereed by engines
/// that do not play by our rules.
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

/// Why it ended. In a game of more than two sides the fault of one gives the game to nobody.
fn reason(record: &GameRecord) -> String {
    let by = record.player_at_fault().map_or(String::new(), |name| format!(" of {name}, who lost"));
    record.reason.clone() + &by
}

/// What happened, and the last lines exchanged with the engine whose fault it was.
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
