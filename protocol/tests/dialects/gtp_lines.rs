//! Lines that real GTP controllers send.

use pentarch_protocol::gtp::{
    AnalysisFormat, Analyze, Color, Command, KataTime, MenuCommand, MoveRestriction, Request,
    RulesQuery, SearchTask,
};

fn parse(line: &str) -> Result<Command, String> {
    let request = Request::parse(line).expect("a request");
    Command::parse(&request).map_err(|error| error.to_string())
}

fn play(color: Color, vertex: &str) -> Command {
    Command::Play { color, vertex: vertex.to_owned() }
}

/// Checks that the lines are these commands and are printed as they were read.
fn check(lines: &[(&str, Command)]) {
    for (line, command) in lines {
        assert_eq!(parse(line), Ok(command.clone()), "{line}");
        assert_eq!(command.to_string(), *line);
        assert_eq!(command.request(Some(7)).to_string(), format!("7 {line}"));
    }
}

#[test]
fn what_gogui_gomill_and_sabaki_send() {
    check(&[
        ("protocol_version", Command::ProtocolVersion),
        ("name", Command::Name),
        ("version", Command::Version),
        ("list_commands", Command::ListCommands),
        ("known_command gogui-rules_game_id", {
            Command::KnownCommand("gogui-rules_game_id".to_owned())
        }),
        ("boardsize 19", Command::BoardSize { columns: 19, rows: 19 }),
        ("rectangular_boardsize 15 10", Command::BoardSize { columns: 15, rows: 10 }),
        ("clear_board", Command::ClearBoard),
        ("komi 6.5", Command::Komi("6.5".to_owned())),
        ("time_settings 300 30 1", {
            Command::TimeSettings { main_s: 300, byo_yomi_s: 30, stones: 1 }
        }),
        ("time_left B 299 0", {
            Command::TimeLeft { color: Color::Black, milliseconds: 299_000, stones: 0 }
        }),
        ("genmove b", Command::GenMove(Color::Black)),
        ("reg_genmove w", Command::RegGenMove(Color::White)),
        ("play W F6", play(Color::White, "F6")),
        ("play B pass", play(Color::Black, "pass")),
        ("play B P@K10,G7", play(Color::Black, "P@K10,G7")),
        ("undo", Command::Undo),
        ("gg-undo 2", Command::GgUndo(2)),
        ("final_score", Command::FinalScore),
        ("final_status_list dead", Command::FinalStatusList("dead".to_owned())),
        ("showboard", Command::ShowBoard),
        ("list_games", Command::ListGames),
        ("set_game Keryo-Pente with swap", Command::SetGame("Keryo-Pente with swap".to_owned())),
        ("quit", Command::Quit),
    ]);
}

#[test]
fn what_extensions_add() {
    check(&[
        ("gogui-rules_captured_count", Command::Rules(RulesQuery::CapturedCount)),
        ("gogui-rules_board_gfx", Command::Rules(RulesQuery::BoardGraphics)),
        ("gogui-analyze_commands", Command::AnalyzeCommands),
        ("pentarch-best_moves", Command::Menu(MenuCommand::BestMoves)),
        ("gogui-interrupt", Command::Interrupt),
        ("gogui-version 1.5.2", Command::GuiVersion("1.5.2".to_owned())),
        ("gogui-play_sequence B K10 W pass", {
            let moves = [(Color::Black, "K10"), (Color::White, "pass")];
            Command::PlaySequence(moves.map(|(color, text)| (color, text.to_owned())).to_vec())
        }),
        ("gogui-setup W A1", Command::Setup(vec![(Color::White, "A1".to_owned())])),
        ("gogui-setup_player W", Command::SetupPlayer(Color::White)),
        ("set_free_handicap D4 Q16", {
            Command::SetFreeHandicap(["D4", "Q16"].map(str::to_owned).to_vec())
        }),
        ("loadsgf my game.sgf 12", {
            Command::LoadSgf { file: "my game.sgf".to_owned(), before: Some(12) }
        }),
        ("loadsgf a.sgf", Command::LoadSgf { file: "a.sgf".to_owned(), before: None }),
        ("printsgf", Command::PrintSgf(None)),
        ("kgs-time_settings byoyomi 0 30 5", {
            Command::KgsTimeSettings(KataTime::ByoYomi { main: 0, period: 30_000, periods: 5 })
        }),
        ("kata-time_settings fischer-capped 60 5.5 -1 10", {
            let (cap, move_cap) = (None, Some(10_000));
            let (main, increment) = (60_000, 5_500);
            Command::KataTimeSettings(KataTime::FischerCapped { main, increment, cap, move_cap })
        }),
        ("kata-search_cancellable b", Command::CancellableSearch(Color::Black)),
        ("kata-analyze w interval 50 maxmoves 3 rootInfo true avoid W K10,A1 1", {
            let moves = ["K10", "A1"].map(str::to_owned).to_vec();
            Command::Analyze(Analyze {
                color: Some(Color::White),
                interval: Some(500),
                max_moves: Some(3),
                root_info: true,
                restrictions: vec![MoveRestriction {
                    allow: false,
                    color: Color::White,
                    moves,
                    plies: 1,
                }],
                ..Analyze::new(SearchTask::Watch, AnalysisFormat::Kata)
            })
        }),
    ]);
}

#[test]
fn other_ways_to_write_a_command() {
    for (line, command) in [
        ("3 play black k10 # center", play(Color::Black, "k10")),
        ("\tplay\twHiTe\tpass\r", play(Color::White, "pass")),
        ("play w F6", play(Color::White, "F6")),
        ("genmove WHITE", Command::GenMove(Color::White)),
        ("boardsize 15 10", Command::BoardSize { columns: 15, rows: 10 }),
        ("boardsize 13 13", Command::BoardSize { columns: 13, rows: 13 }),
        ("rectangular_boardsize 13 13", Command::BoardSize { columns: 13, rows: 13 }),
        ("gg-undo", Command::GgUndo(1)),
        ("komi -7", Command::Komi("-7".to_owned())),
        ("time_left w -3 0", {
            Command::TimeLeft { color: Color::White, milliseconds: -3000, stones: 0 }
        }),
        ("time_left b 1.25 2", {
            Command::TimeLeft { color: Color::Black, milliseconds: 1250, stones: 2 }
        }),
        ("lz-analyze B 10", {
            let watch = Analyze::new(SearchTask::Watch, AnalysisFormat::Leela);
            Command::Analyze(Analyze { color: Some(Color::Black), interval: Some(100), ..watch })
        }),
        ("analyze 100 ownership true movesOwnership false", {
            let watch = Analyze::new(SearchTask::Watch, AnalysisFormat::Sabaki);
            Command::Analyze(Analyze { interval: Some(1000), ..watch })
        }),
        ("kata-genmove_analyze b minmoves 2", {
            let play = Analyze::new(SearchTask::Play, AnalysisFormat::Kata);
            Command::Analyze(Analyze { color: Some(Color::Black), min_moves: Some(2), ..play })
        }),
        ("kata-search w", Command::RegGenMove(Color::White)),
        ("help", Command::ListCommands),
        ("loadsgf 7", Command::LoadSgf { file: "7".to_owned(), before: None }),
        ("kata-time_settings none", Command::KataTimeSettings(KataTime::None)),
        ("kata-time_settings fischer 10 0.1", {
            Command::KataTimeSettings(KataTime::Fischer { main: 10_000, increment: 100 })
        }),
        ("kata-time_settings byoyomi 0 1.5 3", {
            Command::KataTimeSettings(KataTime::ByoYomi { main: 0, period: 1500, periods: 3 })
        }),
    ] {
        assert_eq!(parse(line), Ok(command), "{line}");
    }
}

#[test]
fn malformed_commands() {
    for (line, message) in [
        ("genmov b", "unknown command: did you mean `genmove`?"),
        ("Play B K10", "unknown command: did you mean `play`?"),
        ("xyzzy", "unknown command"),
        ("12", "unknown command"),
        ("play", "syntax error: expected a color, `b` or `w`, found the end of the line"),
        ("play K10 B", "syntax error: expected a color, `b` or `w`, found `K10`"),
        ("play B", "syntax error: expected a vertex or `pass`, found the end of the line"),
        ("play B K10 K11", "syntax error: expected the end of the line, found `K11`"),
        ("name please", "syntax error: expected the end of the line, found `please`"),
        (
            "boardsize",
            "syntax error: expected a board size, a whole number, found the end of the line",
        ),
        ("boardsize -1", "syntax error: expected a board size, a whole number, found `-1`"),
        ("boardsize +9", "syntax error: expected a board size, a whole number, found `+9`"),
        ("boardsize 99999999999", ""),
        ("boardsize 19 x", "syntax error: expected a number of rows, found `x`"),
        ("boardsize 9 9 9", "syntax error: expected the end of the line, found `9`"),
        ("komi", "syntax error: expected a number, found the end of the line"),
        ("komi inf", "syntax error: expected a number, found `inf`"),
        ("komi 1e999", "syntax error: expected a number, found `1e999`"),
        ("gg-undo -1", "syntax error: expected a number of moves, found `-1`"),
        (
            "time_settings 1 2",
            "syntax error: expected a number of stones, found the end of the line",
        ),
        ("time_left B 99999999999999999999 0", ""),
        ("time_left B inf 0", "syntax error: expected a time in seconds, found `inf`"),
        ("kata-time_settings fischer 1 -1", ""),
        ("kata-time_settings hourglass 1", ""),
        ("kgs-time_settings fischer 1 1", ""),
        ("gogui-play_sequence B K10 W", ""),
        ("gogui-setup A1", ""),
        ("set_free_handicap", ""),
        ("fixed_handicap many", ""),
        ("loadsgf", ""),
        ("lz-analyze b x", ""),
        ("lz-analyze b 10 maxmoves", ""),
        ("lz-analyze b 10 maxmoves -1", ""),
        ("lz-analyze b 10 avoid b", ""),
        ("kata-analyze ownership maybe", ""),
        ("gogui-rules_board 1", "syntax error: expected the end of the line, found `1`"),
        ("known_command", ""),
        ("set_game", ""),
        ("final_status_list", ""),
    ] {
        let error = parse(line).unwrap_err();
        assert!(!message.is_empty() || error.starts_with("syntax error: "), "{line}: {error}");
        assert!(message.is_empty() || error == message, "{line}: {error}");
    }
    let error = parse(&format!("play B K10 {}", "x".repeat(1 << 20))).unwrap_err();
    assert!(error.len() < 120, "{error}");
}

#[test]
fn every_name_is_unique_and_known() {
    let names: Vec<&str> = Command::names().collect();
    for (index, name) in names.iter().enumerate() {
        assert!(!names.iter().skip(index + 1).any(|other| other == name), "{name} twice");
        let request = Request { id: None, name: (*name).to_owned(), args: Vec::new() };
        let refused = Command::parse(&request).err().map(|error| error.to_string());
        assert!(refused.is_none_or(|text| text.starts_with("syntax error")), "{name}");
    }
}
