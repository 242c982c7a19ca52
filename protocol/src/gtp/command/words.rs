//! Commands as they are printed.

use super::{Command, ParameterGroup};
use crate::gtp::Color;
use crate::gtp::kata_time::seconds_text;

/// The words of a text, between blanks as the parser knows them.
fn split(text: &str) -> Vec<String> {
    text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn stones(stones: &[(Color, String)]) -> Vec<String> {
    stones.iter().flat_map(|(color, vertex)| [color.to_string(), vertex.clone()]).collect()
}

impl Command {
    /// The name and the arguments as they are printed.
    pub(super) fn words(&self) -> (&'static str, Vec<String>) {
        let one = |word: &dyn ToString| vec![word.to_string()];
        match self {
            Self::KnownCommand(name) => ("known_command", vec![name.clone()]),
            Self::BoardSize { columns, rows } if columns == rows => ("boardsize", one(columns)),
            Self::BoardSize { columns, rows } => {
                ("rectangular_boardsize", vec![columns.to_string(), rows.to_string()])
            }
            Self::Komi(komi) => ("komi", vec![komi.clone()]),
            Self::Play { color, vertex } => ("play", vec![color.to_string(), vertex.clone()]),
            Self::PlaySequence(moves) => ("gogui-play_sequence", stones(moves)),
            Self::Setup(list) => ("gogui-setup", stones(list)),
            Self::SetPosition(list) => ("set_position", stones(list)),
            Self::SetupPlayer(color) => ("gogui-setup_player", one(color)),
            Self::FixedHandicap(count) => ("fixed_handicap", one(count)),
            Self::PlaceFreeHandicap(count) => ("place_free_handicap", one(count)),
            Self::SetFreeHandicap(vertices) => ("set_free_handicap", vertices.clone()),
            Self::GenMove(color) => ("genmove", one(&color.lower())),
            Self::RegGenMove(color) => ("reg_genmove", one(&color.lower())),
            Self::CancellableSearch(color) => ("kata-search_cancellable", one(&color.lower())),
            Self::Analyze(analyze) => analyze.words(),
            Self::GgUndo(moves) => ("gg-undo", one(moves)),
            Self::TimeSettings { main_s, byo_yomi_s, stones } => {
                ("time_settings", [main_s, byo_yomi_s, stones].map(u32::to_string).to_vec())
            }
            Self::KgsTimeSettings(settings) => ("kgs-time_settings", settings.words()),
            Self::KataTimeSettings(settings) => ("kata-time_settings", settings.words()),
            Self::TimeLeft { color, milliseconds, stones } => {
                let seconds = seconds_text(*milliseconds);
                ("time_left", vec![color.to_string(), seconds, stones.to_string()])
            }
            Self::FinalStatusList(status) => ("final_status_list", vec![status.clone()]),
            Self::SetGame(name) => ("set_game", split(name)),
            Self::LoadSgf { file, before } => {
                let number = before.iter().map(u32::to_string);
                ("loadsgf", split(file).into_iter().chain(number).collect())
            }
            Self::PrintSgf(file) => ("printsgf", file.as_deref().map_or_else(Vec::new, split)),
            Self::Parameters { group, change } => {
                let name = match group {
                    ParameterGroup::General => "gogui-param_general",
                    ParameterGroup::Search => "gogui-param_search",
                };
                let words = |(key, value): &(String, String)| [split(key), split(value)].concat();
                (name, change.as_ref().map_or_else(Vec::new, words))
            }
            Self::GuiVersion(version) => ("gogui-version", split(version)),
            plain => {
                let known = Self::PLAIN.iter().find(|(_, command)| command == plain);
                (known.map_or("", |(name, _)| name), Vec::new())
            }
        }
    }
}
