//! Stage two of reading GTP: what a request means.

mod grammar;
mod words;

use std::fmt;

use super::arguments::Arguments;
use super::{Analyze, Color, KataTime, Request, SyntaxError};
use crate::nearest;
use grammar::TABLE;

/// A command from the controller to the engine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Command {
    /// `protocol_version`: answer `2`.
    ProtocolVersion,
    /// `name` of the engine.
    Name,
    /// `version` of the engine.
    Version,
    /// `known_command NAME`: answer `true` or `false`.
    KnownCommand(String),
    /// `list_commands`: all names, one a line.
    ListCommands,
    /// `quit`: answer, then end.
    Quit,
    /// `boardsize N`, `boardsize COLUMNS ROWS` or `rectangular_boardsize COLUMNS ROWS`.
    BoardSize {
        /// The width.
        columns: u32,
        /// The height.
        rows: u32,
    },
    /// `clear_board`: back to the start position.
    ClearBoard,
    /// `komi X`: any number; the games here have no use for it.
    Komi(String),
    /// `play COLOR MOVE`.
    Play {
        /// The color that moves.
        color: Color,
        /// A vertex, `pass`, a word of a swap opening, or longer move text with
        /// vertices in it.
        vertex: String,
    },
    /// `gogui-play_sequence COLOR MOVE COLOR MOVE ...`: all of them, or none.
    PlaySequence(Vec<(Color, String)>),
    /// `gogui-setup COLOR VERTEX ...`: stones that are there from the start, on an empty board.
    Setup(Vec<(Color, String)>),
    /// `set_position COLOR VERTEX ...`: as `gogui-setup` after `clear_board`.
    SetPosition(Vec<(Color, String)>),
    /// `gogui-setup_player COLOR`: who is to move after a setup.
    SetupPlayer(Color),
    /// `fixed_handicap N`: that many stones of the first player where a Go board has them.
    FixedHandicap(u32),
    /// `place_free_handicap N`: that many stones of the first player.
    PlaceFreeHandicap(u32),
    /// `set_free_handicap VERTEX ...`: stones of the first player.
    SetFreeHandicap(Vec<String>),
    /// `genmove COLOR`: choose a move and play it.
    GenMove(Color),
    /// `reg_genmove COLOR` or `kata-search COLOR`: choose a move and do not play it.
    RegGenMove(Color),
    /// `kata-search_cancellable COLOR`: the same, until the next line comes.
    CancellableSearch(Color),
    /// `lz-analyze`, `kata-genmove_analyze` and their kin: report on a search while it runs.
    Analyze(Analyze),
    /// `stop`: end an analysis, as any line does.
    Stop,
    /// `undo`: take back one move.
    Undo,
    /// `gg-undo N`: take back that many moves; a bare `gg-undo` is one.
    GgUndo(u32),
    /// `time_settings MAIN BYO_YOMI STONES`, in seconds.
    TimeSettings {
        /// The time before the first byo-yomi period.
        main_s: u32,
        /// The length of a period; 0 means that the main time is all there is.
        byo_yomi_s: u32,
        /// The moves to make in a period; 0 with a period means no limit.
        stones: u32,
    },
    /// `kgs-time_settings KIND TIMES`, the first four kinds of the next but one.
    KgsTimeSettings(KataTime),
    /// `kata-list_time_settings`: the kinds that the next command knows.
    KataListTimeSettings,
    /// `kata-time_settings KIND TIMES`, in seconds with decimals.
    KataTimeSettings(KataTime),
    /// `time_left COLOR SECONDS STONES`, decimals allowed.
    TimeLeft {
        /// Whose clock it is.
        color: Color,
        /// What is left of the main time or of the period.
        milliseconds: i64,
        /// The moves left in the period; 0 in the main time.
        stones: u32,
    },
    /// `final_score`: who won.
    FinalScore,
    /// `final_status_list STATUS`: the stones that are `alive`, `dead` or `seki`.
    FinalStatusList(String),
    /// `showboard`: print the board for a human.
    ShowBoard,
    /// `list_games`: the games that `set_game` knows, one a line.
    ListGames,
    /// `set_game NAME`: change to this game; the name may contain blanks.
    SetGame(String),
    /// `loadsgf FILE [MOVE]`: the game of a file, up to the move of that number, which is left out.
    LoadSgf {
        /// The path, in which blanks may stand singly.
        file: String,
        /// The number of the first move that is left out, from 1.
        before: Option<u32>,
    },
    /// `printsgf [FILE]`: the game as SGF, as the answer or into a file.
    PrintSgf(Option<String>),
    /// `clear_cache`: forget what earlier searches found.
    ClearCache,
    /// A command of `GoGui`'s rules extension.
    Rules(Rules),
    /// A dialog of settings, `gogui-param_general` or `gogui-param_search`: the settings a line each,
    /// or one of them changed.
    Parameters {
        /// Which dialog it is.
        group: ParameterGroup,
        /// The key of a setting and its new value, which may be empty.
        change: Option<(String, String)>,
    },
    /// `gogui-analyze_commands`: an entry of the analyze menu a line.
    AnalyzeCommands,
    /// An entry of the analyze menu.
    Chart(Chart),
    /// `gogui-interrupt`: the engine heeds the comment line `# interrupt`.
    Interrupt,
    /// `gogui-title`: a title for the window.
    Title,
    /// `gogui-version VERSION`: which `GoGui` it is.
    GuiVersion(String),
}

/// What `GoGui` asks of an engine that knows the rules of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rules {
    /// `gogui-rules_game_id`: a name for the rules.
    GameId,
    /// `gogui-rules_board_size`: `19`, `15 10` or `13 hex`.
    BoardSize,
    /// `gogui-rules_board`: rows from the top, `X`, `O`, `.`, and `?` where there is no cell.
    Board,
    /// `gogui-rules_board_gfx`: what the four characters cannot show, as graphics.
    BoardGraphics,
    /// `gogui-rules_legal_moves`: vertices; none when the game is over.
    LegalMoves,
    /// `gogui-rules_side_to_move`: `black` or `white`.
    SideToMove,
    /// `gogui-rules_captured_count`: stones captured by Black, then by White.
    CapturedCount,
    /// `gogui-rules_final_result`: how the game ended, in words.
    FinalResult,
}

/// A dialog of settings, an entry of the analyze menu of the type `param`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParameterGroup {
    /// `gogui-param_general`: how strong the engine is, how long it thinks, what it plays.
    General,
    /// `gogui-param_search`: what it thinks with.
    Search,
}

/// The entries of the analyze menu. All answer with graphics except the last three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Chart {
    /// Trias, tesseras, threes and fours.
    Threats,
    /// The best moves with their values, by a search.
    BestMoves,
    /// The line that a search expects.
    Variation,
    /// The moves that a short search prefers, on the stronger a ground the better they are.
    Candidates,
    /// Moves that capture now, and the stones that they take.
    Captures,
    /// The legal points.
    LegalMap,
    /// Whose turn it is and what there is to do, in words.
    Status,
    /// The position as text.
    Position,
    /// The rules in words.
    Rules,
}

impl Command {
    /// Commands that are a name and nothing else, with their names.
    pub(super) const PLAIN: [(&'static str, Command); 34] = [
        ("protocol_version", Self::ProtocolVersion),
        ("name", Self::Name),
        ("version", Self::Version),
        ("list_commands", Self::ListCommands),
        ("quit", Self::Quit),
        ("clear_board", Self::ClearBoard),
        ("stop", Self::Stop),
        ("undo", Self::Undo),
        ("kata-list_time_settings", Self::KataListTimeSettings),
        ("final_score", Self::FinalScore),
        ("showboard", Self::ShowBoard),
        ("list_games", Self::ListGames),
        ("clear_cache", Self::ClearCache),
        ("gogui-interrupt", Self::Interrupt),
        ("gogui-title", Self::Title),
        ("gogui-analyze_commands", Self::AnalyzeCommands),
        ("gogui-rules_game_id", Self::Rules(Rules::GameId)),
        ("gogui-rules_board_size", Self::Rules(Rules::BoardSize)),
        ("gogui-rules_board", Self::Rules(Rules::Board)),
        ("gogui-rules_board_gfx", Self::Rules(Rules::BoardGraphics)),
        ("gogui-rules_legal_moves", Self::Rules(Rules::LegalMoves)),
        ("gogui-rules_side_to_move", Self::Rules(Rules::SideToMove)),
        ("gogui-rules_captured_count", Self::Rules(Rules::CapturedCount)),
        ("gogui-rules_final_result", Self::Rules(Rules::FinalResult)),
        ("pentarch-threats", Self::Chart(Chart::Threats)),
        ("pentarch-best_moves", Self::Chart(Chart::BestMoves)),
        ("pentarch-variation", Self::Chart(Chart::Variation)),
        ("pentarch-candidates", Self::Chart(Chart::Candidates)),
        ("pentarch-captures", Self::Chart(Chart::Captures)),
        ("pentarch-legal_map", Self::Chart(Chart::LegalMap)),
        ("pentarch-status", Self::Chart(Chart::Status)),
        ("pentarch-position", Self::Chart(Chart::Position)),
        ("pentarch-rules", Self::Chart(Chart::Rules)),
        ("help", Self::ListCommands),
    ];

    /// What a request means. Words that are left over are an error.
    pub fn parse(request: &Request) -> Result<Self, SyntaxError> {
        let mut args = Arguments::new(&request.args);
        let name = request.name.as_str();
        let plain = Self::PLAIN.iter().find(|(known, _)| *known == name);
        let command = if let Some((_, command)) = plain {
            command.clone()
        } else if let Some((_, grammar)) = TABLE.iter().find(|(known, _)| *known == name) {
            grammar(&mut args)?
        } else if let Some((task, flavor)) = Analyze::kind(name) {
            Self::Analyze(Analyze::parse(task, flavor, &mut args)?)
        } else {
            let nearest = nearest(name, Self::names()).map(str::to_owned);
            return Err(SyntaxError::UnknownCommand { nearest });
        };
        args.end()?;
        Ok(command)
    }

    /// The names of all commands.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let plain = Self::PLAIN.iter().map(|(name, _)| *name);
        let table = TABLE.iter().map(|(name, _)| *name);
        plain.chain(table).chain(Analyze::KINDS.iter().map(|(name, ..)| *name))
    }

    /// The request that a controller sends for this command.
    pub fn request(&self, id: Option<u32>) -> Request {
        let (name, args) = self.words();
        Request { id, name: name.to_owned(), args }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.request(None).fmt(f)
    }
}
