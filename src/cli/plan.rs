//! What a tournament would play, in words.

use super::CommandResult;
use pentarch_arena::{
    ByoYomi, ClockControl, EngineKind, EngineSpec, Entrant, FirstMove, Match, Matchup, Openings,
    ResumeState, Rulebook, Shard, TimeControl, Tournament, TournamentFormat, TournamentVariant,
};
use pentarch_records::RecordFile;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Says what would be played, or what of it is left after the games in `records`.
pub(super) fn say_plan(
    tournament: &Tournament,
    shard: Option<Shard>,
    records: &Path,
    out: &mut impl Write,
) -> CommandResult {
    let mut resume = ResumeState::default();
    if records.exists()
        && let Err(error) = RecordFile::read(records, |record| resume.add(tournament, &record))
    {
        writeln!(io::stderr(), "pentarch: {error}")?;
        return Ok(ExitCode::FAILURE);
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
    let at_a_time = tournament.variants.first().map_or(1, |event| event.settings.concurrency);
    writeln!(out, "  {} at a time", counted(at_a_time as u32, "game"))?;
    let matchups = draw.first_matchups();
    writeln!(out, "\nround 1{}:", if draw.rounds() > 1 { follow_up(tournament) } else { "" })?;
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
        writeln!(out, "  one engine rests in each round and has the points of a win")?;
    }
    writeln!(out)?;
    if let Some(shard) = shard {
        writeln!(out, "shard {shard}: {} games", size_of(shard, &matchups))?;
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

/// A number of things.
fn counted(number: u32, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// How many games a part has.
fn size_of(shard: Shard, matchups: &[Matchup]) -> usize {
    let sets = matchups.iter().flat_map(|matchup| {
        let size = matchup.set_size();
        (0..matchup.games).map(move |game| matchup.first_set + game / size)
    });
    sets.filter(|&set| shard.holds(set)).count()
}

/// What comes after the first round.
fn follow_up(tournament: &Tournament) -> &'static str {
    match tournament.format {
        format if format.follows_results() => "; the others depend on the results",
        _ => "; the others are like it, from other openings",
    }
}

/// What an engine is, and how its moves are limited.
fn described(tournament: &Tournament, entrant: Entrant) -> String {
    let spec = &tournament.engines()[entrant.index()];
    let is = match &spec.kind {
        EngineKind::BuiltIn(_) => "built in".to_owned(),
        EngineKind::Random(_) => return "plays legal moves at random".to_owned(),
        EngineKind::Child { launch, dialect, .. } => {
            format!("`{}` over {dialect}", launch.command_line())
        }
    };
    let ponders = if spec.ponder { ", thinks in the opponent's time" } else { "" };
    format!("{is}, {}{ponders}", limits(&control_of(tournament, spec)))
}

fn control_of(tournament: &Tournament, spec: &EngineSpec) -> TimeControl {
    let common = tournament.variants.first().map(|event| event.settings.control);
    spec.control.or(common).unwrap_or_default()
}

/// Limits of moves in words.
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
    let increment = increment.map(|seconds| format!(" and {seconds} s more with each move"));
    let overtime = clock.byo_yomi.map(|ByoYomi { periods, length }| {
        format!(", then {} of {} s", counted(periods, "period"), length.as_secs_f64())
    });
    [Some(time), moves, increment, overtime].into_iter().flatten().collect()
}

/// Who meets whom in a variant, how often, and from where.
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
            let pairs = "engines with equal points who have not met play";
            (format!("in each round {pairs} {games}"), 2)
        }
        TournamentFormat::Knockout => {
            (format!("in each round two play {games}, and one of them is out"), 2)
        }
        TournamentFormat::Seats => {
            (format!("each {seats} engines at one board play {games}"), seats)
        }
    };
    let seats = match (tournament.first, members) {
        (FirstMove::Loser, _) => "the loser begins the next one".to_owned(),
        (_, 2) => "two from each opening, with seats exchanged".to_owned(),
        _ => format!("{members} from each opening, with each engine once in each seat"),
    };
    format!("{who}, {seats};\n    {}", openings(terms))
}

/// Where games begin.
fn openings(terms: &Match) -> String {
    let in_turn = |number: usize| format!("{} in turn", counted(number as u32, "opening"));
    let from_start = || "from the start of the game".to_owned();
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
