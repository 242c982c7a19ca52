//! Valid and malformed lines of Gomocup's protocol.

use pentarch_protocol::gomocup::{
    About, Command, Coordinates, Info, InfoKey, Owner, Point, Response, Stone, SyntaxError,
};

fn stone(x: i32, y: i32, owner: Option<Owner>) -> Command {
    Command::Stone(Stone { point: Point::new(x, y), owner })
}

#[test]
fn commands_as_managers_write_them() {
    let other = |key: &str, value: &str| {
        Command::Info(Info::Other { key: key.to_owned(), value: value.to_owned() })
    };
    let number = |setting, number| Command::Info(Info::Number(setting, number));
    for (line, expected) in [
        ("START 15\r", Command::Start { columns: 15, rows: 15 }),
        ("start 20 10", Command::Start { columns: 20, rows: 10 }),
        ("START 20,10", Command::Start { columns: 20, rows: 10 }),
        ("RECTSTART 30,20", Command::RectStart { columns: 30, rows: 20 }),
        ("RECTSTART 30 , 20", Command::RectStart { columns: 30, rows: 20 }),
        ("TURN 10,10", Command::Turn(Point::new(10, 10))),
        ("  turn 10, 10 ", Command::Turn(Point::new(10, 10))),
        ("TURN -1,-1", Command::Turn(Point::new(-1, -1))),
        ("7,7", stone(7, 7, None)),
        ("7,7,1", stone(7, 7, Some(Owner::Own))),
        (" 7 , 7 , 2", stone(7, 7, Some(Owner::Opponent))),
        ("7,7,3", stone(7, 7, Some(Owner::Neither))),
        ("YXSTOP", Command::Stop),
        ("stop", Command::Stop),
        ("yxnbest 5", Command::NBest(5)),
        ("yxswap2step2", Command::Swap2Step2),
        ("yxbalanceone", Command::BalanceOne(0)),
        ("YXBALANCETWO -50", Command::BalanceTwo(-50)),
        ("yxblockreset", Command::BlockReset),
        ("yxhashload a b.bin", Command::HashFile("yxhashload a b.bin".to_owned())),
        ("YXDBTOTXT", Command::Database("YXDBTOTXT".to_owned())),
        ("INFO timeout_turn 1000", number(InfoKey::TimeoutTurn, 1000)),
        ("info TIME_LEFT -5", number(InfoKey::TimeLeft, -5)),
        ("INFO max_memory 99999999999999999999", number(InfoKey::MaxMemory, i64::MAX)),
        ("INFO folder C:\\My brains", other("folder", "C:\\My brains")),
        ("INFO evaluate 3,4", other("evaluate", "3,4")),
        ("INFO mystery", other("mystery", "")),
        ("INFO variant pente + pro", Command::Info(Info::Variant("pente + pro".to_owned()))),
        ("INFO coordinates YX", Command::Info(Info::Coordinates(Coordinates::Yx))),
    ] {
        assert_eq!(Command::parse(line), Ok(expected), "{line}");
    }
}

#[test]
fn malformed_commands() {
    for (line, expected) in [
        ("TURN", "malformed `TURN`: expected a point such as `7,7`, found the end of the line"),
        ("TURN 7", "malformed `TURN`: expected a point such as `7,7`, found `7`"),
        ("TURN 7,x", "malformed `TURN`: expected a point such as `7,7`, found `7,x`"),
        ("TURN 7,7 8,8", "malformed `TURN`: expected the end of the line, found `8,8`"),
        ("7,7,4", "malformed `stone`: expected `1`, `2` or `3` after the point, found `4`"),
        ("7;7", "malformed `stone`: expected a point such as `7,7`, found `7;7`"),
        ("START", "malformed `START`: expected the size of the board, found the end of the line"),
        ("START x", "malformed `START`: expected the size of the board, found `x`"),
        ("RECTSTART 20", "malformed `RECTSTART`: expected a comma and a height, found the end *"),
        ("BEGIN now", "malformed `BEGIN`: expected the end of the line, found `now`"),
        ("INFO", "malformed `INFO`: expected a key such as `timeout_turn`, found the end *"),
        ("INFO rule x", "malformed `INFO`: expected a whole number after `rule`, found `x`"),
        ("INFO coordinates xz", "malformed `INFO`: expected `xy` or `yx`, found `xz`"),
        ("BEGINN", "unknown command `BEGINN`, did you mean `BEGIN`?"),
        ("name", "unknown command `name`"),
        ("", "empty line, expected a command"),
    ] {
        let error = Command::parse(line).unwrap_err().to_string();
        match expected.strip_suffix('*') {
            Some(start) => assert!(error.starts_with(start), "{line}: {error}"),
            None => assert_eq!(error, expected, "{line}"),
        }
    }
    assert!(matches!(Command::parse("x"), Err(SyntaxError::Unknown { .. })));
}

#[test]
fn responses_as_brains_write_them() {
    let text = |text: &str| Response::Text(text.to_owned());
    let point = Point::new;
    for (line, expected) in [
        ("OK", Response::Ok),
        ("ok\r", Response::Ok),
        ("OK then", text("OK then")),
        ("7,7", Response::Moves(vec![point(7, 7)])),
        ("7,7 8,7 9,9", Response::Moves(vec![point(7, 7), point(8, 7), point(9, 9)])),
        ("7,7,", text("7,7,")),
        ("SWAP", Response::Swap),
        ("SUGGEST 3,4", Response::Suggest(point(3, 4))),
        ("FORBID 0110.", Response::Forbid(vec![point(1, 10)])),
        ("FORBID .", Response::Forbid(Vec::new())),
        ("FORBID 011.", text("FORBID 011.")),
        ("ERROR", Response::Error(String::new())),
        ("MESSAGE depth 3", Response::Message("depth 3".to_owned())),
        ("INFO EVAL +M5", Response::Detail("EVAL +M5".to_owned())),
        ("Some Brain by Nymand", text("Some Brain by Nymand")),
    ] {
        assert_eq!(Response::parse(line), Ok(expected), "{line}");
    }
    assert!(Response::parse("SUGGEST here").is_err());
}

#[test]
fn the_answer_to_about() {
    let line = "name=\"SomeBrain\", version=\"1.0\",author = \"Ny, mand\", country=\"\"";
    let Ok(Response::About(about)) = Response::parse(line) else { panic!("{line}") };
    assert_eq!(about.get("NAME"), Some("SomeBrain"));
    assert_eq!(about.get("author"), Some("Ny, mand"));
    assert_eq!((about.get("country"), about.get("www")), (Some(""), None));
    let quoted = About(vec![("name".to_owned(), "A \"B\"".to_owned())]);
    assert_eq!(quoted.to_string(), "name=\"A 'B'\"");
}
