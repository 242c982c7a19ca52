//! UGI's parser and printer are inverses of each other.

use pentarch_protocol::ugi::{
    BestMove, Command, EngineId, Flavor, Go, Info, OptionDecl, OptionKind, Query, Response, Score,
    ScoreBound, StartPosition,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// The keywords of the grammar.
const RESERVED: &str = "name value type moves startpos fen default min max var none (none) ponder \
    <empty> error: p1time p2time p3time p4time p1inc p2inc p3inc p4inc wtime btime winc binc \
    movestogo movetime depth nodes mate infinite searchmoves seldepth multipv score cp lowerbound \
    upperbound nps hashfull time pv string currmove currmovenumber currline refutation tbhits \
    cpuload wdl id option info bestmove response ugiok readyok ugi isready uginewgame stop quit \
    ponderhit setoption position go query d show perft eval name author check spin combo button \
    p1turn p2turn gameover result";

/// Any characters at all, line ends included.
const ANY: &str = "(?s:.){0,40}";

fn reserved(word: &str) -> bool {
    RESERVED.split_whitespace().any(|known| known == word)
}

/// An opaque word: a move, a field of a position, a piece of a name.
fn word() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z0-9@,+=_/.-]{1,12}", "[^\\pC\\pZ]{1,6}"]
        .prop_filter("a free word", |word| !reserved(word))
}

fn words(least: usize) -> impl Strategy<Value = Vec<String>> {
    vec(word(), least..5)
}

fn phrase(least: usize) -> impl Strategy<Value = String> {
    words(least).prop_map(|words| words.join(" "))
}

fn go() -> impl Strategy<Value = Go> {
    let clocks = || proptest::array::uniform4(option::of(any::<i64>()));
    let counts = option::of(any::<u32>());
    let flags = (any::<bool>(), any::<bool>());
    (
        clocks(),
        clocks(),
        (counts.clone(), counts.clone(), counts),
        option::of(any::<i64>()),
        option::of(any::<u64>()),
        flags,
        words(0),
    )
        .prop_map(|(time, increment, counts, move_time, nodes, flags, search_moves)| Go {
            time,
            increment,
            moves_to_go: counts.0,
            move_time,
            depth: counts.1,
            nodes,
            mate: counts.2,
            infinite: flags.0,
            ponder: flags.1,
            search_moves,
        })
}

fn query() -> impl Strategy<Value = Query> {
    let others = vec![
        Query::GameOver,
        Query::Result,
        Query::Turn,
        Query::Side,
        Query::Color,
        Query::LegalMoves,
        Query::Captures,
        Query::Fen,
        Query::Variant,
        Query::Reason,
        Query::Threats,
    ];
    prop_oneof![(1..=4_u8).prop_map(Query::PlayerTurn), proptest::sample::select(others)]
}

fn command() -> impl Strategy<Value = Command> {
    let start = prop_oneof![Just(StartPosition::StartPos), phrase(1).prop_map(StartPosition::Fen)];
    prop_oneof![
        proptest::sample::select(vec![
            Command::Ugi,
            Command::IsReady,
            Command::UgiNewGame,
            Command::Stop,
            Command::Quit,
            Command::PonderHit,
            Command::Show,
            Command::Eval,
        ]),
        (phrase(1), option::of(phrase(0)))
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        (start, words(0)).prop_map(|(start, moves)| Command::Position { start, moves }),
        words(1).prop_map(Command::Moves),
        go().prop_map(Command::Go),
        query().prop_map(Command::Query),
        any::<u32>().prop_map(Command::Perft),
        Just(Command::Ignored("debug on".to_owned())),
    ]
}

fn kind() -> impl Strategy<Value = OptionKind> {
    prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<(i64, i64, i64)>().prop_map(|(default, min, max)| OptionKind::Spin {
            default,
            min,
            max
        }),
        (phrase(0), vec(phrase(0), 0..4))
            .prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        phrase(0).prop_map(|default| OptionKind::Text { default }),
    ]
}

fn info() -> impl Strategy<Value = Info> {
    let score =
        prop_oneof![any::<i32>().prop_map(Score::Centipawns), any::<i32>().prop_map(Score::Mate),];
    let bound = proptest::sample::select(vec![ScoreBound::Lower, ScoreBound::Upper]);
    (
        proptest::array::uniform4(option::of(any::<u32>())),
        proptest::array::uniform3(option::of(any::<u64>())),
        option::of(score),
        option::of(bound),
        option::of(word()),
        words(0),
        option::of(phrase(1)),
    )
        .prop_map(|(small, large, score, bound, ponder, pv, text)| Info {
            depth: small[0],
            seldepth: small[1],
            multipv: small[2],
            score,
            bound,
            wdl: small[0].zip(small[3]).map(|(win, loss)| [win, 0, loss]),
            nodes: large[0],
            nps: large[1],
            hashfull: small[3],
            time_ms: large[2],
            ponder,
            pv,
            text,
        })
}

fn best() -> impl Strategy<Value = BestMove> {
    (word(), option::of(word())).prop_map(|(mv, ponder)| BestMove { mv, ponder })
}

fn response() -> impl Strategy<Value = Response> {
    prop_oneof![
        phrase(0).prop_map(|text| Response::Id(EngineId::Name(text))),
        phrase(0).prop_map(|text| Response::Id(EngineId::Author(text))),
        (phrase(1), kind()).prop_map(|(name, kind)| Response::Option(OptionDecl { name, kind })),
        Just(Response::UgiOk),
        Just(Response::ReadyOk),
        info().prop_map(Response::Info),
        option::of(best()).prop_map(Response::BestMove),
        phrase(0).prop_map(Response::Answer),
        phrase(0).prop_map(Response::Error),
        ("[ ]{0,3}", phrase(0)).prop_map(|(indent, text)| Response::Text(indent + &text)),
    ]
}

/// The beginnings of lines that continue with any words.
const HEADS: [&str; 12] = [
    "",
    "go",
    "go depth 3",
    "position startpos",
    "position fen",
    "position startpos moves",
    "setoption name",
    "option name X type",
    "option name X type spin default 1",
    "info",
    "info string",
    "bestmove",
];

/// Returns lines that are in the grammar or almost so.
fn jumble() -> impl Strategy<Value = String> {
    let known: Vec<&str> = RESERVED.split_whitespace().collect();
    let number = prop_oneof!["-?[0-9]{1,3}", "-?[0-9]{18,40}"];
    let piece =
        prop_oneof![proptest::sample::select(known).prop_map(str::to_owned), word(), number];
    let pieces = vec(("[ \t]{1,2}", piece), 0..7);
    (proptest::sample::select(HEADS.to_vec()), pieces).prop_map(|(head, pieces)| {
        let tail: String = pieces.into_iter().map(|(blank, piece)| blank + &piece).collect();
        head.to_owned() + &tail
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn commands(command in command()) {
        let line = command.to_string();
        prop_assert_eq!(Command::parse(&line), Ok(command.clone()), "{}", line);
        let line = Flavor::Uci.command_text(&command);
        prop_assert_eq!(Flavor::Uci.command(&line), Ok(command), "{}", line);
    }

    #[test]
    fn responses(response in response()) {
        let line = response.to_string();
        prop_assert_eq!(Response::parse(&line), Ok(response.clone()), "{}", line);
        let line = Flavor::Uci.response_text(&response);
        prop_assert_eq!(Flavor::Uci.response(&line), Ok(response), "{}", line);
    }

    #[test]
    fn what_is_sent_during_a_search_is_long_enough(info in info(), best in option::of(best())) {
        let error = Response::Error(String::new());
        let empty = Response::Info(Info::default());
        let best = Response::BestMove(best);
        for response in [Response::Info(info), empty, error, best, Response::ReadyOk] {
            prop_assert!(response.to_string().len() + 1 >= 8, "{}", response);
        }
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
    fn any_text_prints_on_one_line(text in ANY, moves in vec(ANY, 0..4)) {
        let start = StartPosition::Fen(text.clone());
        let lines = [
            Command::SetOption { name: text.clone(), value: Some(text.clone()) }.to_string(),
            Command::Position { start, moves: moves.clone() }.to_string(),
            Command::Go(Go { search_moves: moves.clone(), ..Go::default() }).to_string(),
            Response::Text(text.clone()).to_string(),
            Response::Error(text.clone()).to_string(),
            Response::Info(Info { pv: moves, text: Some(text), ..Info::default() }).to_string(),
        ];
        for line in lines {
            prop_assert!(!line.contains(char::is_control), "{:?}", line);
        }
    }
}
