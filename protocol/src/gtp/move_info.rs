//! A report about a move in a running analysis, as engine and client know it.

use std::fmt::{self, Write as _};

use super::Flavor;
use crate::frame::clean;

/// What a search thinks of a move.
///
/// ```
/// use pentarch_protocol::gtp::{Flavor, MoveInfo};
///
/// let line = "info move K10 visits 120 winrate 5250 lcb 5250 order 0 pv K10 L11";
/// let info = &MoveInfo::parse_line(line)[0];
/// assert_eq!((info.visits, info.win_rate, info.pv.len()), (120, 0.525, 2));
/// assert_eq!(info.text(Flavor::Leela), line);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MoveInfo {
    /// The move.
    pub mv: String,
    /// How much was looked at for it: playouts, or nodes.
    pub visits: u64,
    /// The chance to win with it, from 0 to 1.
    pub win_rate: f64,
    /// The lead in points of the engine, if it sends one.
    pub score: Option<f64>,
    /// Its rank among the moves, from 0.
    pub order: u32,
    /// The line that follows, the move itself first.
    pub pv: Vec<String>,
}

impl MoveInfo {
    /// `info = "info" , "move" , word , { key , value } , [ "pv" , word , { word } ] ;`
    ///
    /// Numbers as the flavour has them. The lower bound `lcb`, by which some clients sort, is the
    /// chance itself.
    pub fn text(&self, flavor: Flavor) -> String {
        let Self { mv, visits, win_rate, score, order, pv } = self;
        let mut text = format!("info move {mv} visits {visits}");
        if flavor == Flavor::Leela {
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
            text = text + " pv " + &pv.join(" ");
        }
        text
    }

    /// The reports of one line. Keys that are not known are passed over, and so is whatever does
    /// not belong to a move.
    pub fn parse_line(line: &str) -> Vec<Self> {
        let line = clean(line);
        let mut words = line.split_whitespace().peekable();
        let mut found: Vec<Self> = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "info" => found.push(Self::empty()),
                "pv" => {
                    let mut pv = Vec::new();
                    while let Some(mv) = words.next_if(|word| !ENDS_OF_PV.contains(word)) {
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

    fn empty() -> Self {
        Self { mv: String::new(), visits: 0, win_rate: 0.0, score: None, order: 0, pv: Vec::new() }
    }

    fn set(&mut self, key: &str, value: &str) {
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
        match key {
            "move" => value.clone_into(&mut self.mv),
            "visits" => self.visits = value.parse().unwrap_or(0),
            "order" => self.order = value.parse().unwrap_or(0),
            "winrate" => {
                // Leela Zero's whole numbers are known by the missing point.
                let scale = if value.contains('.') { 1.0 } else { 10_000.0 };
                self.win_rate = number.unwrap_or(0.0) / scale;
            }
            "scoreLead" => self.score = number,
            _ => (),
        }
    }
}

/// Words after which the moves of a line have ended.
const ENDS_OF_PV: [&str; 5] = ["info", "rootInfo", "ownership", "pvVisits", "pvEdgeVisits"];

/// As `KataGo` and Sabaki have it.
impl fmt::Display for MoveInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Flavor::Kata))
    }
}
