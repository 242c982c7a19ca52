//! `GoGui`'s analyze menu, and the dialogs of settings that it makes from entries of the type `param`.

use super::super::codec::gtp::{Codec, VertexBoard, is_plain, with_vertices};
use super::super::state::SessionState;
use super::{CommandResult, GtpSession, done, success};
use pentarch_core::game::{Cell, Color, Move};
use pentarch_core::rules::Ruleset;
use pentarch_engine::search::{Report, Score};
use pentarch_engine::{Game, OptionRow, OptionType, Options, Threat};
use pentarch_protocol::gtp::{
    Command, Graphics, Mark, MenuCommand, MenuEntry, ParameterGroup, Vertex,
};
use pentarch_records::picture::CandidateMove;
use std::collections::BTreeMap;
use std::time::Duration;

/// The background of good moves.
const GREEN: &str = "#a0e0a0";

/// Returns the entries of the menu, one a line. Entries with graphics need a board.
pub(super) fn menu(game: &Game) -> String {
    let parameters = |group| Command::Parameters { group, change: None };
    let entries = [
        ("gfx", "Threats", Command::Menu(MenuCommand::Threats)),
        ("gfx", "Best Moves", Command::Menu(MenuCommand::BestMoves)),
        ("gfx", "Principal Variation", Command::Menu(MenuCommand::Variation)),
        ("gfx", "Candidate Map", Command::Menu(MenuCommand::Candidates)),
        ("gfx", "Captures", Command::Menu(MenuCommand::Captures)),
        ("gfx", "Legal Map", Command::Menu(MenuCommand::LegalMap)),
        ("string", "Whose Turn", Command::Menu(MenuCommand::Status)),
        ("string", "Position Text", Command::Menu(MenuCommand::Position)),
        ("string", "Rules", Command::Menu(MenuCommand::Rules)),
        ("string", "Show Board", Command::ShowBoard),
        ("string", "Final Score", Command::FinalScore),
        ("none", "Clear Cache", Command::ClearCache),
        ("param", "Strength, Time and Game", parameters(ParameterGroup::General)),
        ("param", "Search", parameters(ParameterGroup::Search)),
    ];
    let has_board = VertexBoard::of(game).is_some();
    let shown = entries.into_iter().filter(|&(kind, ..)| has_board || kind != "gfx");
    let lines = shown.map(|(kind, label, command)| {
        let (kind, label) = (kind.to_owned(), label.to_owned());
        MenuEntry { kind, label, command: command.to_string() }.to_string()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the answer to an entry that needs no search.
pub(super) fn report(game: &Game, command: MenuCommand) -> String {
    let lines = match command {
        MenuCommand::Threats => threats(game),
        MenuCommand::Captures => captures(game),
        MenuCommand::LegalMap => legal_map(game),
        MenuCommand::Position => return game.text(),
        MenuCommand::Rules => {
            let sentences = game.rules().describe().into_iter();
            let lines = sentences.map(|(title, text)| format!("{title}: {text}"));
            let text = lines.collect::<Vec<_>>().join("\n");
            return if game.grid().is_some() { with_vertices(&text) } else { text };
        }
        MenuCommand::BestMoves
        | MenuCommand::Variation
        | MenuCommand::Candidates
        | MenuCommand::Status => Vec::new(),
    };
    text(&lines)
}

/// Returns the answer to an entry that needs a search.
pub(super) fn search_report(
    game: &Game,
    command: MenuCommand,
    reports: &[Report],
    codec: Codec,
) -> String {
    let Some(best) = reports.first() else { return "TEXT nothing was found".to_owned() };
    let line = codec.line(game, &best.pv);
    let about = format!(
        "{}, depth {}, {} nodes: {}",
        value_text(best.score),
        best.depth,
        best.nodes,
        line.iter().map(|(_, mv)| mv.as_str()).collect::<Vec<_>>().join(" ")
    );
    let summary = Graphics::Text(about);
    if command == MenuCommand::Variation {
        return text(&[Graphics::Variation(line), summary]);
    }
    let labels = reports.iter().filter_map(|report| {
        let first = *report.pv.first()?;
        let (_, mv) = codec.line(game, &[first]).pop()?;
        let value = CandidateMove { mv: first, score: report.score }.short_value();
        Some((Vertex::parse(&mv).ok()?, value))
    });
    let labels: Vec<(Vertex, String)> = labels.collect();
    if command == MenuCommand::Candidates {
        let win_rates = reports.iter().map(|report| report.score.win_probability());
        let colors = labels.iter().zip(win_rates).map(|((vertex, _), win_rate)| {
            Graphics::Color(background(win_rate, best.score.win_probability()), vec![*vertex])
        });
        let mut lines: Vec<_> = colors.collect();
        lines.extend([Graphics::Label(labels), summary]);
        return text(&lines);
    }
    let first = Vertex::parse(line.first().map_or("", |(_, mv)| mv.as_str())).ok();
    let mark = Graphics::Color(GREEN.to_owned(), first.into_iter().collect());
    text(&[Graphics::Label(labels), mark, summary])
}

/// Returns the background of a move with a win rate: green for that of the best move, paler the lower it
/// is, and palest at two thirds of it.
fn background(win_rate: f64, best: f64) -> String {
    let missing = 3.0 * (1.0 - win_rate / best.max(0.01));
    let pale = (220.0 * missing.clamp(0.0, 1.0)).round() as u8;
    format!("#{pale:02x}d0{pale:02x}")
}

/// Joins the lines that draw anything.
fn text(lines: &[Graphics]) -> String {
    let lines = lines.iter().filter(|line| !line.is_empty());
    lines.map(Graphics::to_string).collect::<Vec<_>>().join("\n")
}

/// Returns the text of a score: `+1.5` in hundreds of points, or `W5` and `L4` for the plies to the end.
fn value_text(score: Score) -> String {
    match score.mate() {
        Some(plies) if plies > 0 => format!("W{plies}"),
        Some(plies) => format!("L{}", -plies),
        None => format!("{:+.1}", f64::from(score.value()) / 100.0),
    }
}

/// Draws a letter on each stone of a threat, and lists all threats as text.
fn threats(game: &Game) -> Vec<Graphics> {
    let threats = game.threats();
    let letter = |threat: &Threat| threat.call.to_string().chars().next().unwrap_or('?');
    let mut labels: BTreeMap<Cell, String> = BTreeMap::new();
    // The most urgent threat comes first and is the one to show.
    for threat in &threats {
        let name: String = letter(threat).to_uppercase().collect();
        for &cell in &threat.stones {
            labels.entry(cell).or_insert_with(|| name.clone());
        }
    }
    let names = game.rules().color_names().names();
    let text = threats.iter().map(|threat| {
        let name = names.get(threat.color.index()).copied().unwrap_or("?");
        let stones: Vec<_> = VertexBoard::vertices(game, threat.stones.iter().copied())
            .iter()
            .map(Vertex::to_string)
            .collect();
        format!("{name}: {} {}", threat.call, stones.join("-"))
    });
    let text = text.collect::<Vec<_>>().join(", ");
    let text = if text.is_empty() { "no threats".to_owned() } else { text };
    let points = VertexBoard::vertices(game, labels.keys().copied());
    let labels = points.into_iter().zip(labels.into_values()).collect();
    vec![Graphics::Label(labels), Graphics::Text(text)]
}

/// Returns the plain moves with the cells that they fill.
fn plain_moves(game: &Game) -> Vec<(Cell, Move)> {
    let moves = game.legal_moves().into_iter().filter(|&mv| is_plain(mv));
    moves.filter_map(|mv| Some((mv.cell()?, mv))).collect()
}

/// Draws the points where the side to move captures now, and the stones that it would capture.
fn captures(game: &Game) -> Vec<Graphics> {
    let before: Vec<(Cell, Option<Color>)> =
        game.cells().into_iter().map(|cell| (cell, game.content(cell))).collect();
    let stones = before.iter().filter(|(_, stone)| stone.is_some()).count();
    let (mut points, mut captured, mut max) = (Vec::new(), Vec::new(), 0);
    let mut after = game.clone();
    for (cell, mv) in plain_moves(game) {
        if after.play_move(mv).is_err() {
            continue;
        }
        let is_captured = |&&(cell, stone): &&(Cell, Option<Color>)| {
            stone.is_some() && after.content(cell).is_none()
        };
        let lost: Vec<Cell> = before.iter().filter(is_captured).map(|&(cell, _)| cell).collect();
        after.undo();
        if !lost.is_empty() {
            points.push(cell);
            max = max.max(lost.len());
            captured.extend(lost);
        }
    }
    captured.sort_unstable();
    captured.dedup();
    let text = match points.len() {
        0 => format!("no captures, {stones} stones on the board"),
        count => format!("{count} capturing moves, {max} stones at most"),
    };
    vec![
        Graphics::Points(Mark::Circle, VertexBoard::vertices(game, points)),
        Graphics::Points(Mark::Cross, VertexBoard::vertices(game, captured)),
        Graphics::Text(text),
    ]
}

/// Draws the legal points green and the other empty points red.
fn legal_map(game: &Game) -> Vec<Graphics> {
    let cells: Vec<Cell> = plain_moves(game).into_iter().map(|(cell, _)| cell).collect();
    let empty = game.cells().into_iter().filter(|&cell| game.content(cell).is_none());
    let mut closed: Vec<Cell> = empty.collect();
    closed.retain(|cell| !cells.contains(cell));
    let text = format!("{} legal points, {} empty points closed", cells.len(), closed.len());
    vec![
        Graphics::Color(GREEN.to_owned(), VertexBoard::vertices(game, cells)),
        Graphics::Color("#e0a0a0".to_owned(), VertexBoard::vertices(game, closed)),
        Graphics::Text(text),
    ]
}

/// The key of the time for a move without a clock, in seconds.
const TIME: &str = "seconds_a_move";
/// The key of the game.
const GAME: &str = "game";
/// The largest number of values that a dialog offers as a list.
const MAX_LISTED: u64 = 16;

/// Returns the options of a dialog.
fn rows(group: ParameterGroup) -> impl Iterator<Item = &'static OptionRow> {
    const TABLE: &[OptionRow] = &Options::TABLE;
    // The number of lines is given by the entries of the menu.
    let is_shown =
        |row: &&OptionRow| !matches!(row.option_type, OptionType::Ignored) && row.name != "MultiPV";
    let belongs =
        move |row: &&OptionRow| (row.name == "Level") == (group == ParameterGroup::General);
    TABLE.iter().filter(is_shown).filter(belongs)
}

/// Returns the key of an option: words with `_` between them, which a dialog shows as blanks.
fn key(row: &OptionRow) -> String {
    row.flag.replace('-', "_")
}

impl GtpSession {
    /// Lists the settings of a dialog, one a line, or changes one of them.
    pub(super) fn parameters(
        &mut self,
        state: &mut SessionState,
        group: ParameterGroup,
        change: Option<&(String, String)>,
    ) -> CommandResult {
        let Some((name, value)) = change else {
            return success(self.parameter_list(state, group));
        };
        if let Some(row) = rows(group).find(|row| key(row) == *name) {
            let mut options = state.engine.options().clone();
            row.set(&mut options, &option_value(row, value)).map_err(|error| error.to_string())?;
            state.engine.set_options(options);
            return done();
        }
        match (group, name.as_str()) {
            (ParameterGroup::General, TIME) => {
                self.clock.move_time = seconds(value)?;
                done()
            }
            (ParameterGroup::General, GAME) => self.change_game(state, value),
            _ => Err(format!("unknown setting `{}`", short(name))),
        }
    }

    fn parameter_list(&self, state: &SessionState, group: ParameterGroup) -> String {
        let options = state.engine.options();
        let mut lines: Vec<String> = rows(group).map(|row| line(row, options)).collect();
        if group == ParameterGroup::General {
            lines.push(format!("[string] {TIME} {}", self.clock.move_time.as_secs_f64()));
            lines.push(format!("[string] {GAME} {}", state.game.rules()));
        }
        lines.join("\n")
    }

    /// Changes the game, unless the client uses other processes with the same command line as referees, which
    /// would not be informed.
    fn change_game(&mut self, state: &mut SessionState, name: &str) -> CommandResult {
        let rules: Ruleset = name.parse().map_err(|error| format!("{error}"))?;
        if rules == *state.game.rules() {
            return done();
        }
        if self.is_referee {
            return Err(format!(
                "the referee is a process of its own and knows the command line only: in the \
                 command of the program write `--variant {rules}`, then attach it again"
            ));
        }
        self.set_game(state, name)
    }
}

/// Parses a positive time, in seconds with or without decimals.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    let time = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| format!("{TIME}: expected more than 0 seconds, found `{}`", short(text)))
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Returns the line of an option.
fn line(row: &OptionRow, options: &Options) -> String {
    let list = |words: &[String]| format!("[list/{}]", words.join("/"));
    let (kind, value) = match row.option_type {
        OptionType::Switch { get, .. } => ("[bool]".to_owned(), u8::from(get(options)).to_string()),
        OptionType::Number { least, most, .. } if most - least < MAX_LISTED => {
            let numbers: Vec<String> = (least..=most).map(|number| number.to_string()).collect();
            (list(&numbers), row.get(options))
        }
        OptionType::Choice { words, .. } => {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            (list(&words), row.get(options))
        }
        _ => ("[string]".to_owned(), row.get(options)),
    };
    format!("{kind} {} {value}", key(row))
}

/// Converts a value of a dialog, which has 1 and 0 for on and off, to one of an option.
fn option_value(row: &OptionRow, value: &str) -> String {
    match (row.option_type, value) {
        (OptionType::Switch { .. }, "1") => "true".to_owned(),
        (OptionType::Switch { .. }, "0") => "false".to_owned(),
        _ => value.to_owned(),
    }
}
