//! Lines that real UGI clients and engines send.

use pentarch_protocol::ugi::{
    BestMove, Command, EngineId, Flavor, Go, Info, OptionDecl, OptionKind, Query, Response, Score,
    ScoreBound, StartPosition, SyntaxError,
};

fn list(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

fn position(start: StartPosition, moves: &str) -> Command {
    Command::Position { start, moves: list(moves) }
}

fn set(name: &str, value: Option<&str>) -> Command {
    Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
}

#[test]
fn what_cutegames_and_cutergames_send() {
    let clocks = Go {
        time: [Some(10_000), Some(-12), None, None],
        increment: [Some(100), Some(100), None, None],
        ..Go::default()
    };
    let fen = StartPosition::Fen("x5o/7/o5x x 0 1".to_owned());
    for (line, command) in [
        ("ugi", Command::Ugi),
        ("isready", Command::IsReady),
        ("uginewgame", Command::UgiNewGame),
        ("setoption name UCI_Variant value keryo-pente+swap", {
            set("UCI_Variant", Some("keryo-pente+swap"))
        }),
        ("position startpos", position(StartPosition::StartPos, "")),
        ("position startpos moves j10 k11 j8", position(StartPosition::StartPos, "j10 k11 j8")),
        ("position fen x5o/7/o5x x 0 1", position(fen.clone(), "")),
        ("position fen x5o/7/o5x x 0 1 moves g2", position(fen, "g2")),
        ("moves j10", Command::Moves(list("j10"))),
        ("go p1time 10000 p2time -12 p1inc 100 p2inc 100", Command::Go(clocks)),
        ("go movetime 10", Command::Go(Go { move_time: Some(10), ..Go::default() })),
        ("go depth 3", Command::Go(Go { depth: Some(3), ..Go::default() })),
        ("go nodes 20000", Command::Go(Go { nodes: Some(20_000), ..Go::default() })),
        ("go infinite", Command::Go(Go { infinite: true, ..Go::default() })),
        ("query p1turn", Command::Query(Query::PlayerTurn(1))),
        ("query gameover", Command::Query(Query::GameOver)),
        ("query result", Command::Query(Query::Result)),
        ("stop", Command::Stop),
        ("quit", Command::Quit),
    ] {
        assert_eq!(Command::parse(line), Ok(command.clone()), "{line}");
        assert_eq!(command.to_string(), line);
    }
}

#[test]
fn other_ways_to_write_a_command() {
    let clocks = Go {
        time: [Some(1000), Some(2000), None, None],
        increment: [Some(1), Some(2), None, None],
        ..Go::default()
    };
    let saturated = Go {
        time: [Some(i64::MAX), Some(i64::MIN), None, None],
        depth: Some(u32::MAX),
        nodes: Some(u64::MAX),
        ..Go::default()
    };
    let huge = "9".repeat(100);
    let saturating = format!("go wtime {huge} btime -{huge} depth {huge} nodes {huge}");
    let searched = Go { search_moves: list("a1 b2"), depth: Some(2), ..Go::default() };
    for (line, command) in [
        ("UGI\r", Command::Ugi),
        ("  IsReady  ", Command::IsReady),
        ("show", Command::Show),
        ("query color", Command::Query(Query::Color)),
        ("position startpos moves", position(StartPosition::StartPos, "")),
        ("position\tstartpos  moves  j10", position(StartPosition::StartPos, "j10")),
        ("go wtime 1000 btime 2000 winc 1 binc 2", Command::Go(clocks)),
        (&saturating, Command::Go(saturated)),
        ("go searchmoves a1 b2 depth 2", Command::Go(searched)),
        ("go depth 1 depth 2", Command::Go(Go { depth: Some(2), ..Go::default() })),
        ("setoption name Clear Hash", set("Clear Hash", None)),
        ("setoption name Log File value my file.txt", set("Log File", Some("my file.txt"))),
        ("setoption name Log File value <empty>", set("Log File", Some(""))),
        ("setoption name Log File value", set("Log File", Some(""))),
    ] {
        assert_eq!(Command::parse(line), Ok(command), "{line}");
    }
}

#[test]
fn malformed_commands() {
    for (line, message) in [
        ("", "empty line, expected a command"),
        (" \t\0 ", "empty line, expected a command"),
        ("gor", "unknown command `gor`, did you mean `go`?"),
        ("postion startpos", "unknown command `postion`, did you mean `position`?"),
        ("xyzzy 1 2", "unknown command `xyzzy`"),
        ("ugi now", "malformed `ugi`: expected the end of the line, found `now`"),
        ("GO west", "malformed `go`: expected a limit such as `movetime` or `depth`, found `west`"),
        ("go depth -3", "malformed `go`: expected a whole number after `depth`, found `-3`"),
        (
            "go nodes",
            "malformed `go`: expected a whole number after `nodes`, found the end of the line",
        ),
        (
            "go p1time soon",
            "malformed `go`: expected a number of milliseconds after `p1time`, found `soon`",
        ),
        (
            "go searchmoves depth 3",
            "malformed `go`: expected a move after `searchmoves`, found `depth`",
        ),
        (
            "query who",
            "malformed `query`: expected a question such as `p1turn`, `gameover` or `result`, \
             found `who`",
        ),
        ("query result p1turn", "malformed `query`: expected the end of the line, found `p1turn`"),
        ("query p5turn", ""),
        ("query p0turn", ""),
        (
            "position",
            "malformed `position`: expected `startpos` or `fen`, found the end of the line",
        ),
        ("position j10", "malformed `position`: expected `startpos` or `fen`, found `j10`"),
        ("position startpos j10", "malformed `position`: expected the word `moves`, found `j10`"),
        (
            "position fen",
            "malformed `position`: expected a position text, found the end of the line",
        ),
        ("position fen moves j10", "malformed `position`: expected a position text, found `moves`"),
        ("moves", "malformed `moves`: expected a move, found the end of the line"),
        ("setoption Hash 3", "malformed `setoption`: expected the word `name`, found `Hash`"),
        (
            "setoption name value 3",
            "malformed `setoption`: expected the name of an option, found `value`",
        ),
        ("perft", "malformed `perft`: expected a depth, a whole number, found the end of the line"),
        ("perft 1.5", "malformed `perft`: expected a depth, a whole number, found `1.5`"),
    ] {
        let error = Command::parse(line).unwrap_err().to_string();
        assert!(!message.is_empty() || error.starts_with("malformed"), "{line}: {error}");
        assert!(message.is_empty() || error == message, "{line}: {error}");
    }
    let long = Command::parse(&"x".repeat(1 << 20)).unwrap_err();
    assert_eq!(
        long,
        SyntaxError::Unknown { word: format!("{}...", "x".repeat(40)), nearest: None }
    );
}

#[test]
fn what_engines_answer() {
    let last = Info {
        depth: Some(3),
        seldepth: Some(9),
        score: Some(Score::Centipawns(-31)),
        bound: Some(ScoreBound::Upper),
        nodes: Some(20_000),
        nps: Some(1_000_000),
        hashfull: Some(12),
        time_ms: Some(20),
        pv: list("k11 j8+"),
        ..Info::default()
    };
    let mate = Info { multipv: Some(1), score: Some(Score::Mate(-4)), ..Info::default() };
    let choices = list("pente gomoku");
    let combo = OptionKind::Combo { default: "pente".to_owned(), choices };
    let spin = OptionKind::Spin { default: 64, min: 1, max: 1_048_576 };
    let option = |name: &str, kind| Response::Option(OptionDecl { name: name.to_owned(), kind });
    for (line, response) in [
        ("id name Pentarch 0.1.0", Response::Id(EngineId::Name("Pentarch 0.1.0".to_owned()))),
        ("id author The Pentarch founders", {
            Response::Id(EngineId::Author("The Pentarch founders".to_owned()))
        }),
        ("option name UCI_Variant type combo default pente var pente var gomoku", {
            option("UCI_Variant", combo)
        }),
        ("option name Hash type spin default 64 min 1 max 1048576", option("Hash", spin)),
        ("option name Ponder type check default false", {
            option("Ponder", OptionKind::Check { default: false })
        }),
        ("option name Clear Hash type button", option("Clear Hash", OptionKind::Button)),
        ("option name Log File type string default <empty>", {
            option("Log File", OptionKind::Text { default: String::new() })
        }),
        ("ugiok", Response::UgiOk),
        ("readyok", Response::ReadyOk),
        (
            "info depth 3 seldepth 9 score cp -31 upperbound nodes 20000 nps 1000000 hashfull 12 \
             time 20 pv k11 j8+",
            Response::Info(last),
        ),
        ("info multipv 1 score mate -4", Response::Info(mate)),
        ("info string book move", {
            Response::Info(Info { text: Some("book move".to_owned()), ..Info::default() })
        }),
        ("info string", Response::Info(Info::default())),
        ("info string error: unknown command `x`", {
            Response::Error("unknown command `x`".to_owned())
        }),
        ("bestmove k11", Response::BestMove(Some("k11".to_owned().into()))),
        ("bestmove none", Response::BestMove(None)),
        ("response true", Response::Answer("true".to_owned())),
        ("response j10 k11 j8", Response::Answer("j10 k11 j8".to_owned())),
        ("response", Response::Answer(String::new())),
        (" 3 . X O .", Response::Text(" 3 . X O .".to_owned())),
        ("", Response::Text(String::new())),
    ] {
        assert_eq!(Response::parse(line), Ok(response.clone()), "{line}");
        assert_eq!(response.to_string(), line);
    }
}

#[test]
fn foreign_engines_are_understood() {
    let depth = Info { depth: Some(4), nodes: Some(7), ..Info::default() };
    for (line, response) in [
        ("info depth 4 currmove e2e4 currmovenumber 1 nodes 7 tbhits 0", {
            Response::Info(depth.clone())
        }),
        ("info depth 4 score cp nodes 7 time -1 nps fast", Response::Info(depth)),
        ("info pv a1 b2 wdl 1 2 3", {
            Response::Info(Info { pv: list("a1 b2"), wdl: Some([1, 2, 3]), ..Info::default() })
        }),
        ("info wdl 1 x pv a1", { Response::Info(Info { pv: list("a1"), ..Info::default() }) }),
        ("info", Response::Info(Info::default())),
        ("bestmove a1 ponder b2", {
            let (mv, ponder) = ("a1".to_owned(), Some("b2".to_owned()));
            Response::BestMove(Some(BestMove { mv, ponder }))
        }),
        ("bestmove a1 ponder (none)", Response::BestMove(Some("a1".to_owned().into()))),
        ("bestmove a1 ponder", Response::BestMove(Some("a1".to_owned().into()))),
        ("bestmove (none)", Response::BestMove(None)),
        ("readyok \r", Response::ReadyOk),
        ("readyok?", Response::Text("readyok?".to_owned())),
        ("id elo 3000", Response::Text("id elo 3000".to_owned())),
    ] {
        assert_eq!(Response::parse(line), Ok(response), "{line}");
    }
    for line in [
        "bestmove",
        "bestmove a1 b2",
        "bestmove a1 ponder b2 c3",
        "option",
        "option Hash type spin",
        "option name Hash",
        "option name Hash type",
        "option name Hash type number",
        "option name Hash type spin default many min 0 max 1",
        "option name Hash type spin default 1 min 0",
        "option name Clear type button now",
    ] {
        assert!(matches!(Response::parse(line), Err(SyntaxError::Malformed { .. })), "{line}");
    }
}

#[test]
fn what_uci_clients_send_and_engines_answer() {
    let clocks = Go {
        time: [Some(10_000), Some(9_000), None, None],
        increment: [Some(100), Some(50), None, None],
        ..Go::default()
    };
    for (line, command) in [
        ("uci", Command::Ugi),
        ("UciNewGame", Command::UgiNewGame),
        ("go wtime 10000 btime 9000 winc 100 binc 50", Command::Go(clocks)),
        ("position startpos moves P@h8", position(StartPosition::StartPos, "P@h8")),
    ] {
        assert_eq!(Flavor::Uci.command(line), Ok(command.clone()), "{line}");
        let printed = Flavor::Uci.command_text(&command);
        assert!(printed.eq_ignore_ascii_case(line), "{printed}");
    }
    for (line, response) in [
        ("uciok", Response::UgiOk),
        ("bestmove (none)", Response::BestMove(None)),
        ("ugiok", Response::Text("ugiok".to_owned())),
    ] {
        assert_eq!(Flavor::Uci.response(line), Ok(response.clone()));
        assert_eq!(Flavor::Uci.response_text(&response), line);
    }
    assert_eq!(Flavor::Ugi.response("uciok"), Ok(Response::Text("uciok".to_owned())));
    for (flavor, word, hint) in [(Flavor::Uci, "ugi", "uci"), (Flavor::Ugi, "uci", "ugi")] {
        let error = flavor.command(word).unwrap_err();
        assert_eq!(error.to_string(), format!("unknown command `{word}`, did you mean `{hint}`?"));
    }
}

#[test]
fn uci_skips_what_it_does_not_know() {
    for (line, command) in [
        ("joho debug on", Command::Ignored("debug on".to_owned())),
        ("register later", Command::Ignored("register later".to_owned())),
        ("would you please stop", Command::Stop),
        ("a b go depth 3", Command::Go(Go { depth: Some(3), ..Go::default() })),
    ] {
        assert_eq!(Flavor::Uci.command(line), Ok(command), "{line}");
    }
    for line in ["joho", "joho perft 3", "x ugi"] {
        let error = Flavor::Uci.command(line).unwrap_err().to_string();
        assert!(error.starts_with("unknown command"), "{error}");
    }
    assert!(Flavor::Ugi.command("joho stop").is_err());
    let depth = |depth| Go { depth: Some(depth), ..Go::default() };
    for (line, go, skipped) in [
        ("go depth 3", depth(3), ""),
        ("go tempo 5 depth 3 now", depth(3), "found `tempo`"),
        ("go depth many", depth(1), "found `many`"),
        ("go depth nodes 7", Go { depth: Some(1), nodes: Some(7), ..Go::default() }, "`nodes`"),
        ("go movetime", Go { move_time: Some(1), ..Go::default() }, "the end of the line"),
        ("go searchmoves depth 3", depth(3), "a move after `searchmoves`"),
        ("go", Go::default(), ""),
    ] {
        let (found, error) = Go::parse_leniently(line);
        assert_eq!(found, go, "{line}");
        let error = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(skipped) && error.is_empty() == skipped.is_empty(), "{error}");
    }
}
