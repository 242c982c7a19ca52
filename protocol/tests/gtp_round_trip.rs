//! GTP's parser and printer are inverses of each other.

use pentarch_protocol::gtp::{Color, Command, KataTime, Request, Response, ResponseReader, Vertex};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// An opaque word: a vertex, a name.
fn word() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z0-9@,+=_/.-]{1,12}", "[^\\pC\\pZ#]{1,6}"]
}

fn color() -> impl Strategy<Value = Color> {
    proptest::sample::select(vec![Color::Black, Color::White])
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        proptest::sample::select(vec![
            Command::ProtocolVersion,
            Command::Name,
            Command::Version,
            Command::ListCommands,
            Command::Quit,
            Command::ClearBoard,
            Command::Undo,
            Command::FinalScore,
            Command::ShowBoard,
            Command::ListGames,
        ]),
        word().prop_map(Command::KnownCommand),
        any::<(u32, u32)>().prop_map(|(columns, rows)| Command::BoardSize { columns, rows }),
        any::<u32>().prop_map(|size| Command::BoardSize { columns: size, rows: size }),
        "-?[0-9]{1,4}([.][0-9]{1,2})?".prop_map(Command::Komi),
        (color(), word()).prop_map(|(color, vertex)| Command::Play { color, vertex }),
        color().prop_map(Command::GenMove),
        color().prop_map(Command::RegGenMove),
        any::<u32>().prop_map(Command::GgUndo),
        any::<(u32, u32, u32)>().prop_map(|(main_s, byo_yomi_s, stones)| {
            Command::TimeSettings { main_s, byo_yomi_s, stones }
        }),
        (color(), -1_000_000_000_000..1_000_000_000_000_i64, any::<u32>()).prop_map(
            |(color, milliseconds, stones)| Command::TimeLeft { color, milliseconds, stones }
        ),
        Just(Command::KataListTimeSettings),
        kata_time().prop_map(Command::KataTimeSettings),
        word().prop_map(Command::FinalStatusList),
        vec(word(), 1..4).prop_map(|words| Command::SetGame(words.join(" "))),
    ]
}

/// Any of `KataGo`'s time settings.
fn kata_time() -> impl Strategy<Value = KataTime> {
    let time = || 0..1_000_000_000_000_u64;
    prop_oneof![
        Just(KataTime::None),
        time().prop_map(|main| KataTime::Absolute { main }),
        (time(), time(), any::<u32>()).prop_map(|(main, period, periods)| KataTime::ByoYomi {
            main,
            period,
            periods
        }),
        (time(), time(), any::<u32>()).prop_map(|(main, period, stones)| KataTime::Canadian {
            main,
            period,
            stones
        }),
        (time(), time()).prop_map(|(main, increment)| KataTime::Fischer { main, increment }),
    ]
}

/// A line that is not blank, perhaps with blanks before it.
fn line() -> impl Strategy<Value = String> {
    ("[ ]{0,2}", vec(word(), 1..4)).prop_map(|(indent, words)| indent + &words.join("  "))
}

/// Text as an engine may answer it: no blank line but the first, no blank at an end.
fn text() -> impl Strategy<Value = String> {
    (prop_oneof![Just(String::new()), line()], vec(line(), 0..4))
        .prop_map(|(first, more)| [vec![first], more].concat().join("\n"))
}

fn response() -> impl Strategy<Value = Response> {
    (option::of(any::<u32>()), text(), any::<bool>()).prop_map(|(id, text, success)| Response {
        id,
        result: if success { Ok(text) } else { Err(text) },
    })
}

/// All responses in these lines.
fn collect<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Response> {
    let mut reader = ResponseReader::new();
    lines.into_iter().filter_map(|line| reader.push(line)).collect()
}

/// A line that is nearly, or quite, in the grammar.
fn jumble() -> impl Strategy<Value = String> {
    let known: Vec<&str> =
        Command::names().chain(["b", "W", "black", "K10", "pass", "#", "=", "?", "=1"]).collect();
    let number = prop_oneof!["-?[0-9]{1,3}([.]5)?", "-?[0-9]{18,40}"];
    let piece =
        prop_oneof![proptest::sample::select(known).prop_map(str::to_owned), word(), number];
    vec((piece, "[ \t]{1,2}"), 0..6).prop_map(|pieces| {
        pieces.into_iter().map(|(piece, blank)| piece + &blank).collect::<String>()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn commands(command in command(), id in option::of(any::<u32>())) {
        let request = command.request(id);
        prop_assert_eq!(Request::parse(&request.to_string()), Some(request.clone()));
        prop_assert_eq!(Command::parse(&request), Ok(command), "{}", request);
    }

    #[test]
    fn responses(responses in vec(response(), 0..4)) {
        let text: String = responses.iter().map(Response::to_string).collect();
        prop_assert_eq!(collect(text.lines()), responses, "{}", text);
    }

    #[test]
    fn vertices(column in 0..52_u32, row in 0..u32::MAX) {
        let vertex = Vertex { column, row };
        prop_assert_eq!(Vertex::parse(&vertex.to_string()), Ok(vertex));
    }

    #[test]
    fn a_printed_request_reads_as_the_line_it_came_from(line in jumble()) {
        if let Some(request) = Request::parse(&line) {
            prop_assert_eq!(Request::parse(&request.to_string()), Some(request.clone()));
            if let Ok(command) = Command::parse(&request) {
                prop_assert_eq!(Command::parse(&command.request(None)), Ok(command));
            }
        }
    }

    #[test]
    fn a_printed_response_reads_as_the_lines_it_came_from(lines in vec(jumble(), 0..12)) {
        let found = collect(lines.iter().map(String::as_str));
        let text: String = found.iter().map(Response::to_string).collect();
        prop_assert_eq!(collect(text.lines()), found, "{}", text);
    }

    #[test]
    fn any_text_is_one_response(id: Option<u32>, text in "(?s:.){0,40}") {
        let printed = Response::success(id, text).to_string();
        prop_assert!(printed.ends_with("\n\n"));
        prop_assert_eq!(printed.matches("\n\n").count(), 1);
        let read = collect(printed.lines());
        prop_assert_eq!(read.len(), 1);
        prop_assert_eq!(read[0].to_string(), printed);
    }
}
