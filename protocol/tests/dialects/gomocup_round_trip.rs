//! The parser and the printer of Gomocup's protocol are inverses of each other.

use pentarch_protocol::gomocup::{
    About, Command, Coordinates, Info, InfoKey, Owner, Point, Response, Stone,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Any characters at all, line ends included.
const ANY: &str = "(?s:.){0,40}";

/// All keys with a number.
const KEYS: [InfoKey; 12] = [
    InfoKey::TimeoutTurn,
    InfoKey::TimeoutMatch,
    InfoKey::TimeLeft,
    InfoKey::TimeIncrement,
    InfoKey::MaxMemory,
    InfoKey::MaxDepth,
    InfoKey::MaxNode,
    InfoKey::HashSize,
    InfoKey::ThreadNum,
    InfoKey::Rule,
    InfoKey::ShowDetail,
    InfoKey::Strength,
];

/// Texts between blanks.
fn phrase(least: usize) -> impl Strategy<Value = String> {
    vec("[a-zA-Z0-9@+=_/.-]{1,8}", least..5).prop_map(|words| words.join(" "))
}

fn point() -> impl Strategy<Value = Point> {
    any::<(i32, i32)>().prop_map(|(x, y)| Point::new(x, y))
}

fn info() -> impl Strategy<Value = Info> {
    let known = |key: &str| {
        let keys = KEYS.map(|key| key.to_string());
        keys.into_iter()
            .chain(["variant", "coordinates"].map(str::to_owned))
            .any(|k| k.eq_ignore_ascii_case(key))
    };
    let key = "[a-zA-Z_0-9]{1,12}".prop_filter("another key", move |key| !known(key));
    prop_oneof![
        (proptest::sample::select(KEYS.to_vec()), any::<i64>())
            .prop_map(|(key, number)| Info::Number(key, number)),
        phrase(1).prop_map(Info::Variant),
        proptest::sample::select(vec![Coordinates::Xy, Coordinates::Yx])
            .prop_map(Info::Coordinates),
        (key, phrase(0)).prop_map(|(key, value)| Info::Other { key, value }),
    ]
}

fn command() -> impl Strategy<Value = Command> {
    let owners = vec![Owner::Own, Owner::Opponent, Owner::Neither];
    prop_oneof![
        proptest::sample::select(vec![
            Command::About,
            Command::Restart,
            Command::Begin,
            Command::Board,
            Command::YxBoard,
            Command::Swap2Board,
            Command::Done,
            Command::Stop,
            Command::ShowInfo,
            Command::ShowForbid,
            Command::Swap2Step1,
            Command::Swap2Step2,
            Command::Swap2Step3,
            Command::HashClear,
            Command::SearchDefend,
            Command::Block,
            Command::BlockUndo,
            Command::BlockReset,
            Command::HashUsage,
            Command::HashFile("YXHASHDUMP table.bin".to_owned()),
            Command::Database("YXQUERYDATABASEALL".to_owned()),
            Command::End,
        ]),
        any::<i32>().prop_map(Command::BalanceOne),
        any::<i32>().prop_map(Command::BalanceTwo),
        any::<(u32, u32)>().prop_map(|(columns, rows)| Command::Start { columns, rows }),
        any::<(u32, u32)>().prop_map(|(columns, rows)| Command::RectStart { columns, rows }),
        point().prop_map(Command::Turn),
        point().prop_map(Command::TakeBack),
        point().prop_map(Command::Play),
        (point(), option::of(proptest::sample::select(owners)))
            .prop_map(|(point, owner)| Command::Stone(Stone { point, owner })),
        any::<u32>().prop_map(Command::NBest),
        info().prop_map(Command::Info),
    ]
}

fn response() -> impl Strategy<Value = Response> {
    let near = || (0..100_i32, 0..100_i32).prop_map(|(x, y)| Point::new(x, y));
    let field = ("[a-zA-Z][a-zA-Z0-9_]{0,7}", "[^\"\\pC]{0,12}");
    prop_oneof![
        Just(Response::Ok),
        Just(Response::Swap),
        vec(point(), 1..4).prop_map(Response::Moves),
        point().prop_map(Response::Suggest),
        phrase(0).prop_map(Response::Error),
        phrase(0).prop_map(Response::Unknown),
        phrase(0).prop_map(Response::Message),
        phrase(0).prop_map(Response::Debug),
        phrase(0).prop_map(Response::Detail),
        vec(field, 1..4).prop_map(|fields| Response::About(About(fields))),
        vec(near(), 0..5).prop_map(Response::Forbid),
    ]
}

/// A line that is nearly, or quite, in the grammar.
fn jumble() -> impl Strategy<Value = String> {
    let heads: Vec<&str> =
        Command::names().chain(["", "OK", "SWAP", "ERROR", "SUGGEST", "FORBID", "name"]).collect();
    let piece = prop_oneof![
        "-?[0-9]{1,3}(,-?[0-9]{1,3}){0,3}",
        "-?[0-9]{18,40}",
        proptest::sample::select(vec![
            ",",
            "=",
            "\"",
            "timeout_turn",
            "rule",
            "variant",
            "yx",
            "."
        ])
        .prop_map(str::to_owned),
        phrase(1),
    ];
    (proptest::sample::select(heads), vec(("[ \t]{0,2}", piece), 0..5)).prop_map(
        |(head, pieces)| {
            let tail: String = pieces.into_iter().map(|(blank, piece)| blank + &piece).collect();
            head.to_owned() + " " + &tail
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn commands(command in command()) {
        let line = command.to_string();
        prop_assert_eq!(Command::parse(&line), Ok(command.clone()), "{}", line);
        prop_assert_eq!(Command::parse(&line.to_ascii_lowercase()).is_ok(), true, "{}", line);
    }

    #[test]
    fn responses(response in response()) {
        let line = response.to_string();
        prop_assert_eq!(Response::parse(&line), Ok(response), "{}", line);
    }

    #[test]
    fn a_printed_line_reads_as_the_line_it_came_from(line in jumble()) {
        if let Ok(command) = Command::parse(&line) {
            prop_assert_eq!(Command::parse(&command.to_string()), Ok(command), "{}", line);
        }
        if let Ok(response) = Response::parse(&line) {
            prop_assert_eq!(Response::parse(&response.to_string()), Ok(response), "{}", line);
        }
    }

    #[test]
    fn any_text_prints_on_one_line(text in ANY) {
        let lines = [
            Command::Info(Info::Variant(text.clone())).to_string(),
            Command::Info(Info::Other { key: text.clone(), value: text.clone() }).to_string(),
            Response::Message(text.clone()).to_string(),
            Response::Text(text.clone()).to_string(),
            Response::About(About(vec![(text.clone(), text)])).to_string(),
        ];
        for line in lines {
            prop_assert!(!line.contains(char::is_control), "{:?}", line);
        }
    }
}

#[test]
fn points_name_each_cell_once() {
    for rows in 1..=25_u8 {
        for (row, column) in (0..rows).flat_map(|row| (0..25_u8).map(move |column| (row, column))) {
            for coordinates in [Coordinates::Xy, Coordinates::Yx] {
                let point = Point::on_board(coordinates, column, row, rows);
                let back = point.column_and_row(coordinates, rows);
                assert_eq!(back, (i32::from(column), i32::from(row)), "{coordinates:?} {rows}");
            }
        }
    }
}
