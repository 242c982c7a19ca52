//! `pentarch tournament --check`: describes what would be played.

use super::ExitResult;
use pentarch_arena::{
    ByoYomi, ClockControl, EngineKind, Entrant, FirstMove, Match, Matchup, Openings, ResumeState,
    Rulebook, Shard, TimeControl, Tournament, TournamentFormat, TournamentVariant,
};
use pentarch_records::RecordFile;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Describes the engines, the games, the first round and the number of games already recorded. Fails if
/// the records do not fit the tournament.
pub(super) fn print_dry_run(
    tournament: &Tournament,
    shard: Option<Shard>,
    records: &Path,
    out: &mut impl Write,
) -> ExitResult {
    let mut resume = ResumeState::default();
    if records.exists()
        && let Err(error) = RecordFile::read(records, |record| resume.add(tournament, &record))
    {
        writeln!(io::stderr(), "pentarch: {error}")?;
        return Ok(ExitCode::FAILURE);
    }
    for engine in tournament.engines() {
        if let EngineKind::Child { launch, .. } = &engine.kind
            && let Err(error) = launch.check_program()
        {
            writeln!(io::stderr(), "pentarch: {error}")?;
            return Ok(ExitCode::FAILURE);
        }
    }
    let (names, draw) = (tournament.labels(), tournament.pairings());
    let (games, rounds) = (tournament.games(), counted(draw.rounds(), "round"));
    writeln!(out, "{}: {} engines, {games} games, {rounds}", tournament.format, names.len())?;
    writeln!(out, "\nengines:")?;
    for (entrant, name) in tournament.entrants().zip(&names) {
        writeln!(out, "  {name}: {}", described(tournament, entrant))?;
    }
    writeln!(out, "\ngames:")?;
    for event in &tournament.variants {
        writeln!(out, "  {}: {}", event.settings.rules, meetings(tournament, event, &names))?;
    }
    let concurrency = tournament.variants.first().map_or(1, |event| event.settings.concurrency);
    writeln!(out, "  {} at a time", counted(concurrency as u32, "game"))?;
    let matchups = draw.first_matchups();
    writeln!(out, "\nround 1{}:", if draw.rounds() > 1 { later_rounds(tournament) } else { "" })?;
    for matchup in matchups.iter().filter(|matchup| matchup.round == 1) {
        let members: Vec<&str> =
            matchup.members.iter().map(|entrant| names[entrant.index()].as_str()).collect();
        let rules = &tournament.variants[matchup.variant].settings.rules;
        let (first, last) = (matchup.first_game, matchup.first_game + matchup.games - 1);
        let numbers =
            if first == last { format!("game {first}") } else { format!("games {first}-{last}") };
        writeln!(out, "  {numbers}: {} ({rules})", members.join(" v "))?;
    }
    if tournament.format == TournamentFormat::Swiss && names.len() % 2 == 1 {
        writeln!(out, "  in each round one engine has a bye, which counts as a win")?;
    }
    writeln!(out)?;
    if let Some(shard) = shard {
        writeln!(out, "shard {shard}: {} games", shard_games(shard, &matchups))?;
    }
    match resume.len() {
        0 => writeln!(out, "finished games go to {}", records.display())?,
        played => {
            writeln!(out, "{played} games are already in {}", records.display())?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A number and a noun in the singular or plural.
fn counted(number: u32, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn shard_games(shard: Shard, matchups: &[Matchup]) -> usize {
    let sets = matchups.iter().flat_map(|matchup| {
        let size = matchup.set_size();
        (0..matchup.games).map(move |game| matchup.first_set + game / size)
    });
    sets.filter(|&set| shard.holds(set)).count()
}

fn later_rounds(tournament: &Tournament) -> &'static str {
    match tournament.format {
        format if format.follows_results() => "; the others depend on the results",
        _ => "; the other rounds repeat it with other openings",
    }
}

/// The kind of an engine and its limits.
fn described(tournament: &Tournament, entrant: Entrant) -> String {
    let spec = &tournament.engines()[entrant.index()];
    let kind = match &spec.kind {
        EngineKind::BuiltIn(_) => "built in".to_owned(),
        EngineKind::Random(_) => return "plays random moves".to_owned(),
        EngineKind::Child { launch, dialect, .. } => {
            format!("`{}` over {dialect}", launch.command_line())
        }
    };
    let ponders = if spec.ponder { ", ponders" } else { "" };
    let common = tournament.variants.first().map(|event| event.settings.control);
    let control = spec.control.or(common).unwrap_or_default();
    format!("{kind}, {}{ponders}", limits(&control))
}

fn limits(control: &TimeControl) -> String {
    let words = [
        control.nodes.map(|nodes| format!("{nodes} nodes a move")),
        control.depth.map(|depth| format!("depth {depth}")),
        control.move_time.map(|time| format!("{} s a move", time.as_secs_f64())),
        control.clock.as_ref().map(clock),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn clock(clock: &ClockControl) -> String {
    let time = format!("{} s on the clock", clock.time.as_secs_f64());
    let moves = clock.moves.map(|moves| format!(" for every {moves} moves"));
    let increment = Some(clock.increment.as_secs_f64()).filter(|&seconds| seconds > 0.0);
    let increment = increment.map(|seconds| format!(" and {seconds} s added after each move"));
    let overtime = clock.byo_yomi.map(|ByoYomi { periods, length }| {
        format!(", then {} of {} s", counted(periods, "period"), length.as_secs_f64())
    });
    [Some(time), moves, increment, overtime].into_iter().flatten().collect()
}

/// The pairings in a variant, the number of games and the openings.
fn meetings(tournament: &Tournament, event: &TournamentVariant, names: &[String]) -> String {
    let terms = &event.settings;
    let seats = usize::from(terms.rules.seats()).min(names.len());
    let games = counted(terms.games, "game");
    let first = names.first().map_or("", String::as_str);
    let (who, members) = match event.format {
        TournamentFormat::Pair => (format!("all play {games}"), names.len()),
        TournamentFormat::Gauntlet => {
            (format!("{first} plays {games} against each other engine"), 2)
        }
        TournamentFormat::RoundRobin | TournamentFormat::Pyramid => {
            (format!("each pair of engines plays {games}"), 2)
        }
        TournamentFormat::Swiss => {
            let pairs = "engines with equal points that have not met play";
            (format!("in each round {pairs} {games}"), 2)
        }
        TournamentFormat::Knockout => {
            (format!("in each round pairs play {games}, and the loser is out"), 2)
        }
        TournamentFormat::Seats => {
            (format!("each {seats} engines at one board play {games}"), seats)
        }
    };
    let seats = match (tournament.first, members) {
        (FirstMove::Loser, _) => "the loser moves first in the next one".to_owned(),
        (_, 2) => "two from each opening, with the seats swapped".to_owned(),
        _ => format!("{members} from each opening, each engine once in each seat"),
    };
    format!("{who}, {seats};\n    {}", openings(terms))
}

fn openings(terms: &Match) -> String {
    let in_turn = |number: usize| format!("{} in turn", counted(number as u32, "opening"));
    let from_start = || "from the initial position".to_owned();
    match (&terms.rules, &terms.openings) {
        (Rulebook::Engines(game), _) if game.openings.is_empty() => from_start(),
        (Rulebook::Engines(game), _) => in_turn(game.openings.len()),
        (_, Openings::List(list)) => in_turn(list.len()),
        (_, Openings::Random { plies: 0, .. }) => from_start(),
        (_, Openings::Random { plies, .. }) => {
            format!("an opening is {}", counted(*plies, "random move"))
        }
        (_, Openings::Balanced { plies, balance, .. }) => format!(
            "an opening is {} that a search of {} nodes values within {} points",
            counted(*plies, "random move"),
            balance.nodes,
            balance.window
        ),
    }
}
