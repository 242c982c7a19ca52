//! The entries of `GoGui`'s analyze menu.

use super::super::state::SessionState;
use crate::dialects::gtp::{Board, Codec, is_plain, with_vertices};
use pentarch_core::game::{Cell, Color, Move};
use pentarch_engine::search::{Report, Score};
use pentarch_engine::{Game, Threat};
use pentarch_protocol::gtp::{Chart, Command, Graphics, Mark, MenuEntry, ParameterGroup, Vertex};
use pentarch_records::picture::CandidateMove;
use std::collections::BTreeMap;

/// The background of what is good.
const GREEN: &str = "#a0e0a0";

/// Every entry: what it is, its label, the command. What is drawn needs a board.
pub(super) fn menu(game: &Game) -> String {
    let parameters = |group| Command::Parameters { group, change: None };
    let entries = [
        ("gfx", "Threats", Command::Chart(Chart::Threats)),
        ("gfx", "Best Moves", Command::Chart(Chart::BestMoves)),
        ("gfx", "Principal Variation", Command::Chart(Chart::Variation)),
        ("gfx", "Candidate Map", Command::Chart(Chart::Candidates)),
        ("gfx", "Captures", Command::Chart(Chart::Captures)),
        ("gfx", "Legal Map", Command::Chart(Chart::LegalMap)),
        ("string", "Whose Turn", Command::Chart(Chart::Status)),
        ("string", "Position Text", Command::Chart(Chart::Position)),
        ("string", "Rules", Command::Chart(Chart::Rules)),
        ("string", "Show Board", Command::ShowBoard),
        ("string", "Final Score", Command::FinalScore),
        ("none", "Clear Cache", Command::ClearCache),
        ("param", "Strength, Time and Game", parameters(ParameterGroup::General)),
        ("param", "Search", parameters(ParameterGroup::Search)),
    ];
    let has_board = Board::of(game).is_some();
    let shown = entries.into_iter().filter(|&(kind, ..)| has_board || kind != "gfx");
    let lines = shown.map(|(kind, label, command)| {
        let (kind, label) = (kind.to_owned(), label.to_owned());
        MenuEntry { kind, label, command: command.to_string() }.to_string()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// An entry that needs no search.
pub(super) fn chart(state: &SessionState, chart: Chart) -> String {
    let game = &state.game;
    let lines = match chart {
        Chart::Threats => threats(game),
        Chart::Captures => captures(game),
        Chart::LegalMap => legal_map(game),
        Chart::Position => return game.text(),
        Chart::Rules => {
            let sentences = game.rules().describe().into_iter();
            let lines = sentences.map(|(title, text)| format!("{title}: {text}"));
            let text = lines.collect::<Vec<_>>().join("\n");
            return if game.grid().is_some() { with_vertices(&text) } else { text };
        }
        Chart::BestMoves | Chart::Variation | Chart::Candidates | Chart::Status => Vec::new(),
    };
    text(&lines)
}

/// An entry that shows what a search found.
pub(super) fn searched(
    state: &SessionState,
    chart: Chart,
    reports: &[Report],
    codec: Codec,
) -> String {
    let Some(best) = reports.first() else { return "TEXT nothing was found".to_owned() };
    let line = codec.line(&state.game, &best.pv);
    let about = format!(
        "{}, depth {}, {} nodes: {}",
        value_text(best.score),
        best.depth,
        best.nodes,
        line.iter().map(|(_, mv)| mv.as_str()).collect::<Vec<_>>().join(" ")
    );
    let summary = Graphics::Text(about);
    if chart == Chart::Variation {
        return text(&[Graphics::Variation(line), summary]);
    }
    let labels = reports.iter().filter_map(|report| {
        let first = *report.pv.first()?;
        let (_, mv) = codec.line(&state.game, &[first]).pop()?;
        let value = CandidateMove { mv: first, score: report.score }.short_value();
        Some((Vertex::parse(&mv).ok()?, value))
    });
    let labels: Vec<(Vertex, String)> = labels.collect();
    if chart == Chart::Candidates {
        let chances = reports.iter().map(|report| report.score.win_probability());
        let grounds = labels.iter().zip(chances).map(|((vertex, _), chance)| {
            Graphics::Color(ground(chance, best.score.win_probability()), vec![*vertex])
        });
        let mut lines: Vec<_> = grounds.collect();
        lines.extend([Graphics::Label(labels), summary]);
        return text(&lines);
    }
    let first = Vertex::parse(line.first().map_or("", |(_, mv)| mv.as_str())).ok();
    let mark = Graphics::Color(GREEN.to_owned(), first.into_iter().collect());
    text(&[Graphics::Label(labels), mark, summary])
}

/// The ground of a move with some chance to win: green like the best one, the paler the less it is,
/// palest at two thirds of that.
fn ground(chance: f64, best: f64) -> String {
    let missing = 3.0 * (1.0 - chance / best.max(0.01));
    let pale = (220.0 * missing.clamp(0.0, 1.0)).round() as u8;
    format!("#{pale:02x}d0{pale:02x}")
}

/// The lines that draw anything.
fn text(lines: &[Graphics]) -> String {
    let lines = lines.iter().filter(|line| !line.is_empty());
    lines.map(Graphics::to_string).collect::<Vec<_>>().join("\n")
}

/// A value in words: points of a stone's worth with a sign, or the plies to the end.
fn value_text(score: Score) -> String {
    match score.mate() {
        Some(plies) if plies > 0 => format!("W{plies}"),
        Some(plies) => format!("L{}", -plies),
        None => format!("{:+.1}", f64::from(score.value()) / 100.0),
    }
}

/// A letter on each stone that is part of a call, and all calls as text.
fn threats(game: &Game) -> Vec<Graphics> {
    let calls = game.threats();
    let letter = |threat: &Threat| threat.call.to_string().chars().next().unwrap_or('?');
    let mut labels: BTreeMap<Cell, String> = BTreeMap::new();
    // The most pressing call comes first and is the one to be shown.
    for threat in &calls {
        let name: String = letter(threat).to_uppercase().collect();
        for &cell in &threat.stones {
            labels.entry(cell).or_insert_with(|| name.clone());
        }
    }
    let names = game.rules().color_names().names();
    let text = calls.iter().map(|threat| {
        let name = names.get(threat.color.index()).copied().unwrap_or("?");
        let stones: Vec<_> = Board::vertices(game, threat.stones.iter().copied())
            .iter()
            .map(Vertex::to_string)
            .collect();
        format!("{name}: {} {}", threat.call, stones.join("-"))
    });
    let text = text.collect::<Vec<_>>().join(", ");
    let text = if text.is_empty() { "no threats".to_owned() } else { text };
    let points = Board::vertices(game, labels.keys().copied());
    let labels = points.into_iter().zip(labels.into_values()).collect();
    vec![Graphics::Label(labels), Graphics::Text(text)]
}

/// The plain moves with the cell that each fills.
fn plain_moves(game: &Game) -> Vec<(Cell, Move)> {
    let moves = game.legal_moves().into_iter().filter(|&mv| is_plain(mv));
    moves.filter_map(|mv| Some((mv.cell()?, mv))).collect()
}

/// Where the side to move captures now, and the stones that would go.
fn captures(game: &Game) -> Vec<Graphics> {
    let before: Vec<(Cell, Option<Color>)> =
        game.cells().into_iter().map(|cell| (cell, game.content(cell))).collect();
    let stones = before.iter().filter(|(_, stone)| stone.is_some()).count();
    let (mut points, mut taken, mut most) = (Vec::new(), Vec::new(), 0);
    let mut after = game.clone();
    for (cell, mv) in plain_moves(game) {
        if after.play_move(mv).is_err() {
            continue;
        }
        let gone = |&&(cell, stone): &&(Cell, Option<Color>)| {
            stone.is_some() && after.content(cell).is_none()
        };
        let lost: Vec<Cell> = before.iter().filter(gone).map(|&(cell, _)| cell).collect();
        after.undo();
        if !lost.is_empty() {
            points.push(cell);
            most = most.max(lost.len());
            taken.extend(lost);
        }
    }
    taken.sort_unstable();
    taken.dedup();
    let text = match points.len() {
        0 => format!("no captures, {stones} stones on the board"),
        count => format!("{count} capturing moves, {most} stones at most"),
    };
    vec![
        Graphics::Points(Mark::Circle, Board::vertices(game, points)),
        Graphics::Points(Mark::Cross, Board::vertices(game, taken)),
        Graphics::Text(text),
    ]
}

/// Green where a stone may go.
fn legal_map(game: &Game) -> Vec<Graphics> {
    let cells: Vec<Cell> = plain_moves(game).into_iter().map(|(cell, _)| cell).collect();
    let empty = game.cells().into_iter().filter(|&cell| game.content(cell).is_none());
    let mut closed: Vec<Cell> = empty.collect();
    closed.retain(|cell| !cells.contains(cell));
    let text = format!("{} legal points, {} empty points closed", cells.len(), closed.len());
    vec![
        Graphics::Color(GREEN.to_owned(), Board::vertices(game, cells)),
        Graphics::Color("#e0a0a0".to_owned(), Board::vertices(game, closed)),
        Graphics::Text(text),
    ]
}
