//! Lines that real GTP controllers send.

use pentarch_protocol::gtp::{Color, Command, KataTime, Request};

fn parse(line: &str) -> Result<Command, String> {
    let request = Request::parse(line).expect("a request");
    Command::parse(&request).map_err(|error| error.to_string())
}

fn play(color: Color, vertex: &str) -> Command {
    Command::Play { color, vertex: vertex.to_owned() }
}

#[test]
fn what_gogui_gomill_and_sabaki_send() {
    for (line, command) in [
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
    ] {
        assert_eq!(parse(line), Ok(command.clone()), "{line}");
        assert_eq!(command.to_string(), line);
        assert_eq!(command.request(Some(7)).to_string(), format!("7 {line}"));
    }
}

#[test]
fn other_ways_to_write_a_command() {
    for (line, command) in [
        ("3 play black k10 # centre", play(Color::Black, "k10")),
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
