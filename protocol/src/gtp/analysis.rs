//! The commands that report on a search while it runs, as Leela Zero, `KataGo` and Sabaki have them,
//! and their reports.

use std::fmt::{self, Write as _};

use nom::Parser;
use nom::combinator::map_opt;

use super::Color;
use super::command::{color, milliseconds, seconds_text};
use crate::grammar::{Mismatch, Parsed, end, exact_number, expect, joined, word};
use crate::input::clean;

/// What to analyze and how to report it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Analyze {
    /// The purpose of the search.
    pub task: SearchTask,
    /// The notation of numbers.
    pub format: AnalysisFormat,
    /// The color to move, if the command names it.
    pub color: Option<Color>,
    /// The time between two reports, in milliseconds.
    pub interval: Option<u32>,
    /// Report at least that many moves.
    pub min_moves: Option<u32>,
    /// Report at most that many moves.
    pub max_moves: Option<u32>,
    /// Whether to report the value of the position itself.
    pub root_info: bool,
    /// Which moves to search.
    pub restrictions: Vec<MoveRestriction>,
}

/// The purpose of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SearchTask {
    /// Report until the next line comes.
    Watch,
    /// Play the best move.
    Play,
    /// Answer with the best move.
    Search,
    /// Answer with the best move, or with none if a line comes before the end.
    CancellableSearch,
}

/// The notation of the numbers of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnalysisFormat {
    /// Leela Zero's: whole numbers, 10000 for certainty.
    Leela,
    /// `KataGo`'s: fractions of 1, scores.
    Kata,
    /// Sabaki's, which is that of `KataGo`.
    Sabaki,
}

/// `avoid COLOR MOVE,MOVE,... PLIES` or `allow ...`: moves of a color that the search leaves out, or
/// to which it is restricted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MoveRestriction {
    /// Whether only these moves are searched, rather than all others.
    pub allow: bool,
    /// The color that makes the moves.
    pub color: Color,
    /// The vertices.
    pub moves: Vec<String>,
    /// The number of plies for which the restriction applies.
    pub plies: u32,
}

/// The commands with their tasks and formats.
const ANALYZE_COMMANDS: [(&str, SearchTask, AnalysisFormat); 8] = [
    ("lz-analyze", SearchTask::Watch, AnalysisFormat::Leela),
    ("kata-analyze", SearchTask::Watch, AnalysisFormat::Kata),
    ("analyze", SearchTask::Watch, AnalysisFormat::Sabaki),
    ("lz-genmove_analyze", SearchTask::Play, AnalysisFormat::Leela),
    ("kata-genmove_analyze", SearchTask::Play, AnalysisFormat::Kata),
    ("genmove_analyze", SearchTask::Play, AnalysisFormat::Sabaki),
    ("kata-search_analyze", SearchTask::Search, AnalysisFormat::Kata),
    ("kata-search_analyze_cancellable", SearchTask::CancellableSearch, AnalysisFormat::Kata),
];

/// Keys of `KataGo` that are accepted and ignored.
const IGNORED_KEYS: [&str; 7] = [
    "ownership",
    "ownershipStdev",
    "movesOwnership",
    "movesOwnershipStdev",
    "pvVisits",
    "pvEdgeVisits",
    "noResultValue",
];

impl Analyze {
    /// The names of the commands.
    pub(super) const NAMES: [&'static str; 8] = {
        let [a, b, c, d, e, f, g, h] = ANALYZE_COMMANDS;
        [a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0]
    };

    /// Creates a command without arguments.
    pub fn new(task: SearchTask, format: AnalysisFormat) -> Self {
        Self {
            task,
            format,
            color: None,
            interval: None,
            min_moves: None,
            max_moves: None,
            root_info: false,
            restrictions: Vec::new(),
        }
    }

    /// Reads what follows a key.
    fn set<'a>(&mut self, key: &str, at: &'a str, input: &'a str) -> Parsed<'a, ()> {
        const KEYS: &str = "`interval`, `minmoves`, `maxmoves`, `rootInfo`, `avoid` or `allow`";
        let rest;
        match key {
            "interval" => (rest, self.interval) = interval(input)?,
            "minmoves" => (rest, self.min_moves) = moves(input)?,
            "maxmoves" => (rest, self.max_moves) = moves(input)?,
            "rootInfo" => (rest, self.root_info) = boolean(input)?,
            "avoid" | "allow" => {
                let vertices = expect("vertices with commas", word);
                let plies = exact_number("a number of plies");
                let (after, (color, moves, plies)) = (color, vertices, plies).parse(input)?;
                let moves = moves.split(',').map(str::to_owned).collect();
                let allow = key == "allow";
                self.restrictions.push(MoveRestriction { allow, color, moves, plies });
                rest = after;
            }
            ignored if IGNORED_KEYS.contains(&ignored) => (rest, _) = boolean(input)?,
            _ => return Err(Mismatch::stop(KEYS, at)),
        }
        Ok((rest, ()))
    }
}

/// `analyze = name , [ color ] , [ number ] , { key , value } ;`
///
/// `value = number | natural | boolean | color , word , natural ;` by key. A number after the color is the
/// interval.
pub(super) fn analyze(input: &str) -> Parsed<'_, Analyze> {
    let command = |word: &str| ANALYZE_COMMANDS.iter().find(|(name, ..)| *name == word);
    let (mut rest, &(_, task, format)) = map_opt(word, command).parse(input)?;
    let mut analyze = Analyze::new(task, format);
    let next_is = |rest, test: fn(&str) -> bool| word(rest).is_ok_and(|(_, word)| test(word));
    if next_is(rest, |word| Color::parse(word).is_ok()) {
        (rest, analyze.color) = color.map(Some).parse(rest)?;
    }
    if next_is(rest, |word| word.starts_with(|c: char| c.is_ascii_digit())) {
        (rest, analyze.interval) = interval(rest)?;
    }
    while end(rest).is_err() {
        let (after, key) = word(rest)?;
        (rest, ()) = analyze.set(key, rest, after)?;
    }
    Ok((rest, analyze))
}

/// A time in hundredths of a second, with or without decimals; one that is too long becomes the longest.
fn interval(input: &str) -> Parsed<'_, Option<u32>> {
    let time = |word: &str| {
        let hundredths = u64::try_from(milliseconds(word)?).ok()?;
        Some(u32::try_from(hundredths / 100).unwrap_or(u32::MAX))
    };
    expect("a number of hundredths of a second", map_opt(word, time)).map(Some).parse(input)
}

fn moves(input: &str) -> Parsed<'_, Option<u32>> {
    exact_number("a number of moves").map(Some).parse(input)
}

/// `boolean = "true" | "false" ;`
fn boolean(input: &str) -> Parsed<'_, bool> {
    expect("`true` or `false`", map_opt(word, |word| word.parse().ok())).parse(input)
}

impl fmt::Display for Analyze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_same = |&&(_, task, format): &&(&str, SearchTask, AnalysisFormat)| {
            (task, format) == (self.task, self.format)
        };
        let command = ANALYZE_COMMANDS.iter().find(is_same);
        f.write_str(command.map_or("kata-search_analyze", |(name, ..)| name))?;
        if let Some(color) = self.color {
            write!(f, " {}", color.lowercase())?;
        }
        if let Some(interval) = self.interval {
            write!(f, " interval {}", seconds_text(100 * i64::from(interval)))?;
        }
        for (key, value) in [("minmoves", self.min_moves), ("maxmoves", self.max_moves)] {
            value.map_or(Ok(()), |value| write!(f, " {key} {value}"))?;
        }
        f.write_str(if self.root_info { " rootInfo true" } else { "" })?;
        for MoveRestriction { allow, color, moves, plies } in &self.restrictions {
            let key = if *allow { "allow" } else { "avoid" };
            write!(f, " {key} {color} {} {plies}", moves.join(","))?;
        }
        Ok(())
    }
}

/// A report on one move of an analysis.
///
/// ```
/// use pentarch_protocol::gtp::{AnalysisFormat, MoveInfo};
///
/// let line = "info move K10 visits 120 winrate 5250 lcb 5250 order 0 pv K10 L11";
/// let info = &MoveInfo::parse_line(line)[0];
/// assert_eq!((info.visits, info.win_rate, info.pv.len()), (120, 0.525, 2));
/// assert_eq!(info.text(AnalysisFormat::Leela), line);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MoveInfo {
    /// The move.
    pub mv: String,
    /// The playouts or nodes spent on it.
    pub visits: u64,
    /// The probability to win with it, from 0 to 1.
    pub win_rate: f64,
    /// The lead in points of the engine, if it sends one.
    pub score: Option<f64>,
    /// Its rank among the moves, from 0.
    pub order: u32,
    /// The principal variation, starting with the move itself.
    pub pv: Vec<String>,
}

impl MoveInfo {
    /// `info = "info" , "move" , word , { key , value } , [ "pv" , word , { word } ] ;`
    ///
    /// Numbers are in the notation of the format. The lower bound `lcb`, by which some clients sort,
    /// equals the win rate.
    pub fn text(&self, format: AnalysisFormat) -> String {
        let Self { mv, visits, win_rate, score, order, pv } = self;
        let mut text = format!("info move {mv} visits {visits}");
        if format == AnalysisFormat::Leela {
            let rate = (win_rate * 10_000.0).round() as i64;
            let _ = write!(text, " winrate {rate} lcb {rate}");
        } else {
            let _ = write!(text, " winrate {win_rate:.6} lcb {win_rate:.6}");
            if let Some(score) = score {
                let _ = write!(text, " scoreMean {score:.6} scoreLead {score:.6}");
            }
        }
        let _ = write!(text, " order {order}");
        if !pv.is_empty() {
            let _ = write!(text, " pv {}", joined(pv));
        }
        text
    }

    /// Returns the reports of one line. Skips unknown keys and whatever does not belong to a move.
    pub fn parse_line(line: &str) -> Vec<Self> {
        let line = clean(line);
        let mut words = line.split_whitespace().peekable();
        let mut found: Vec<Self> = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "info" => found.push(Self {
                    mv: String::new(),
                    visits: 0,
                    win_rate: 0.0,
                    score: None,
                    order: 0,
                    pv: Vec::new(),
                }),
                "pv" => {
                    let mut pv = Vec::new();
                    while let Some(mv) = words.next_if(|word| !PV_ENDS.contains(word)) {
                        pv.push(mv.to_owned());
                    }
                    if let Some(info) = found.last_mut() {
                        info.pv = pv;
                    }
                }
                "rootInfo" | "ownership" => break,
                key => {
                    if let (Some(info), Some(value)) = (found.last_mut(), words.next()) {
                        info.set(key, value);
                    }
                }
            }
        }
        found.retain(|info| !info.mv.is_empty());
        found
    }

    fn set(&mut self, key: &str, value: &str) {
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
        match key {
            "move" => value.clone_into(&mut self.mv),
            "visits" => self.visits = value.parse().unwrap_or(0),
            "order" => self.order = value.parse().unwrap_or(0),
            "winrate" => {
                // Leela Zero's whole numbers have no decimal point.
                let scale = if value.contains('.') { 1.0 } else { 10_000.0 };
                self.win_rate = number.unwrap_or(0.0) / scale;
            }
            "scoreLead" => self.score = number,
            _ => (),
        }
    }
}

/// Words that end a principal variation.
const PV_ENDS: [&str; 5] = ["info", "rootInfo", "ownership", "pvVisits", "pvEdgeVisits"];

/// In the format of `KataGo` and Sabaki.
impl fmt::Display for MoveInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(AnalysisFormat::Kata))
    }
}
