//! GTP's parser and printer are inverses of each other.

use pentarch_protocol::gtp::{
    AnalysisFormat, Analyze, Color, Command, Graphics, KataTime, Mark, MenuCommand, MenuEntry,
    MoveInfo, MoveRestriction, Request, Response, ResponseReader, RulesQuery, SearchTask, Vertex,
};
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

/// A name and nothing else.
fn plain() -> impl Strategy<Value = Command> {
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
        Command::Stop,
        Command::GetKomi,
        Command::QueryBoardSize,
        Command::GetHandicap,
        Command::MoveHistory,
        Command::TopMoves(None),
        Command::TopMoves(Some(Color::Black)),
        Command::TopMoves(Some(Color::White)),
        Command::CpuTime,
        Command::KataGetRules,
        Command::KataListParams,
        Command::KataGetParams,
        Command::KataGetModels,
        Command::KataInternal("kata-raw-nn all".to_owned()),
        Command::ClearCache,
        Command::KataListTimeSettings,
        Command::AnalyzeCommands,
        Command::Interrupt,
        Command::Title,
        Command::Rules(RulesQuery::GameId),
        Command::Rules(RulesQuery::BoardSize),
        Command::Rules(RulesQuery::Board),
        Command::Rules(RulesQuery::BoardGraphics),
        Command::Rules(RulesQuery::LegalMoves),
        Command::Rules(RulesQuery::SideToMove),
        Command::Rules(RulesQuery::CapturedCount),
        Command::Rules(RulesQuery::FinalResult),
        Command::Menu(MenuCommand::Threats),
        Command::Menu(MenuCommand::BestMoves),
        Command::Menu(MenuCommand::Variation),
        Command::Menu(MenuCommand::Candidates),
        Command::Menu(MenuCommand::Captures),
        Command::Menu(MenuCommand::LegalMap),
        Command::Menu(MenuCommand::Status),
        Command::Menu(MenuCommand::Position),
        Command::Menu(MenuCommand::Rules),
    ])
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        plain(),
        arrangement(),
        analyze().prop_map(Command::Analyze),
        (words(), option::of(0..9999_u32))
            .prop_filter("a number at the end is the move", |(file, before)| {
                before.is_some()
                    || file.rsplit(' ').next().is_some_and(|w| w.parse::<u32>().is_err())
            })
            .prop_filter("a number alone is a file", |(file, before)| {
                before.is_none() || !file.is_empty()
            })
            .prop_map(|(file, before)| Command::LoadSgf { file, before }),
        option::of(words()).prop_map(Command::PrintSgf),
        words().prop_map(Command::GuiVersion),
        word().prop_map(Command::KnownCommand),
        any::<(u32, u32)>().prop_map(|(columns, rows)| Command::BoardSize { columns, rows }),
        any::<u32>().prop_map(|size| Command::BoardSize { columns: size, rows: size }),
        "-?[0-9]{1,4}([.][0-9]{1,2})?".prop_map(Command::Komi),
        (color(), word()).prop_map(|(color, vertex)| Command::Play { color, vertex }),
        color().prop_map(Command::GenMove),
        color().prop_map(Command::RegGenMove),
        color().prop_map(Command::ListStones),
        color().prop_map(Command::Captures),
        color().prop_map(Command::AllLegal),
        any::<u32>().prop_map(Command::Level),
        any::<u64>().prop_map(Command::KataBenchmark),
        words().prop_map(Command::KataSetRules),
        (word(), words()).prop_map(|(rule, value)| Command::KataSetRule { rule, value }),
        word().prop_map(Command::KgsRules),
        word().prop_map(Command::KataGetParam),
        (word(), words()).prop_map(|(name, value)| Command::KataSetParam { name, value }),
        words().prop_map(Command::KataSetParams),
        any::<u32>().prop_map(Command::GgUndo),
        any::<(u32, u32, u32)>().prop_map(|(main_s, byo_yomi_s, stones)| {
            Command::TimeSettings { main_s, byo_yomi_s, stones }
        }),
        (color(), -1_000_000_000_000..1_000_000_000_000_i64, any::<u32>()).prop_map(
            |(color, milliseconds, stones)| Command::TimeLeft { color, milliseconds, stones }
        ),
        Just(Command::KataListTimeSettings),
        kata_time().prop_map(Command::KataTimeSettings),
        kata_time()
            .prop_filter("KGS knows four kinds", |time| {
                !matches!(time, KataTime::Fischer { .. } | KataTime::FischerCapped { .. })
            })
            .prop_map(Command::KgsTimeSettings),
        word().prop_map(Command::FinalStatusList),
        words().prop_map(Command::SetGame),
    ]
}

/// Words with a blank between them.
fn words() -> impl Strategy<Value = String> {
    vec(word(), 1..4).prop_map(|words| words.join(" "))
}

/// Stones and moves at once.
fn arrangement() -> impl Strategy<Value = Command> {
    let stones = || vec((color(), word()), 0..4);
    prop_oneof![
        stones().prop_map(Command::PlaySequence),
        stones().prop_map(Command::Setup),
        stones().prop_map(Command::SetPosition),
        color().prop_map(Command::SetupPlayer),
        color().prop_map(Command::CancellableSearch),
        any::<u32>().prop_map(Command::FixedHandicap),
        any::<u32>().prop_map(Command::PlaceFreeHandicap),
        vec(word(), 1..4).prop_map(Command::SetFreeHandicap),
    ]
}

fn analyze() -> impl Strategy<Value = Analyze> {
    let number = || option::of(any::<u32>());
    let kind = proptest::sample::select(vec![
        (SearchTask::Watch, AnalysisFormat::Leela),
        (SearchTask::Watch, AnalysisFormat::Kata),
        (SearchTask::Watch, AnalysisFormat::Sabaki),
        (SearchTask::Play, AnalysisFormat::Leela),
        (SearchTask::Play, AnalysisFormat::Kata),
        (SearchTask::Play, AnalysisFormat::Sabaki),
        (SearchTask::Search, AnalysisFormat::Kata),
        (SearchTask::CancellableSearch, AnalysisFormat::Kata),
    ]);
    let moves = vec("[A-HJ-Z]{1,2}[0-9]{1,2}", 1..4);
    let restriction = (any::<bool>(), color(), moves, any::<u32>())
        .prop_map(|(allow, color, moves, plies)| MoveRestriction { allow, color, moves, plies });
    let numbers = (number(), number(), number());
    (kind, option::of(color()), numbers, any::<bool>(), vec(restriction, 0..3)).prop_map(
        |((task, format), color, (interval, min_moves, max_moves), root_info, restrictions)| {
            Analyze {
                color,
                interval,
                min_moves,
                max_moves,
                root_info,
                restrictions,
                ..Analyze::new(task, format)
            }
        },
    )
}

fn vertex() -> impl Strategy<Value = Vertex> {
    (0..52_u32, 0..99_u32).prop_map(|(column, row)| Vertex { column, row })
}

fn graphics() -> impl Strategy<Value = Graphics> {
    let mark = proptest::sample::select(vec![
        Mark::Black,
        Mark::White,
        Mark::Circle,
        Mark::Cross,
        Mark::Square,
        Mark::Triangle,
    ]);
    prop_oneof![
        (mark, vec(vertex(), 0..4)).prop_map(|(mark, points)| Graphics::Points(mark, points)),
        (word(), vec(vertex(), 0..4)).prop_map(|(color, points)| Graphics::Color(color, points)),
        vec((vertex(), "[^\\pC\\p{Zl}\\p{Zp}\"#]{0,12}"), 0..4).prop_map(Graphics::Label),
        vec((vertex(), -1.0..1.0_f64), 0..4).prop_map(Graphics::Influence),
        vec((color(), word()), 0..4).prop_map(Graphics::Variation),
        words().prop_map(Graphics::Text),
        Just(Graphics::Clear),
    ]
}

/// A report whose numbers are as exact as they are printed.
fn move_info() -> impl Strategy<Value = MoveInfo> {
    let word = || "[A-HJ-T]([1-9]|1[0-9])|pass";
    let numbers = (any::<u64>(), 0..=10_000_u32, option::of(-9999..9999_i32), any::<u32>());
    (word(), numbers, vec(word(), 0..4)).prop_map(|(mv, (visits, rate, score, order), pv)| {
        let (win_rate, score) = (f64::from(rate) / 10_000.0, score.map(|n| f64::from(n) / 100.0));
        MoveInfo { mv, visits, win_rate, score, order, pv }
    })
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
        (time(), time(), option::of(time()), option::of(time())).prop_map(
            |(main, increment, cap, move_cap)| KataTime::FischerCapped {
                main,
                increment,
                cap,
                move_cap
            }
        ),
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

/// Returns lines that are in the grammar or almost so.
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
    fn lines_of_graphics(graphics in graphics()) {
        prop_assert_eq!(graphics.to_string().parse(), Ok(graphics));
    }

    #[test]
    fn entries_of_the_menu(kind in "[a-z]{1,6}", label in "[A-Za-z ]{0,8}[a-z]", command in words()) {
        let entry = MenuEntry { kind, label: label.trim().to_owned(), command };
        prop_assert_eq!(MenuEntry::parse(&entry.to_string()), Some(entry));
    }

    #[test]
    fn reports(infos in vec(move_info(), 0..4), leela: bool) {
        let format = if leela { AnalysisFormat::Leela } else { AnalysisFormat::Kata };
        let infos: Vec<MoveInfo> = infos
            .into_iter()
            .map(|info| MoveInfo { score: info.score.filter(|_| !leela), ..info })
            .collect();
        let texts: Vec<String> = infos.iter().map(|info| info.text(format)).collect();
        prop_assert_eq!(MoveInfo::parse_line(&texts.join(" ")), infos);
    }

    #[test]
    fn any_text_is_read_as_reports_and_graphics(line in "(?s:.){0,60}") {
        let infos = MoveInfo::parse_line(&format!("info move {line}"));
        prop_assert!(infos.iter().all(|info| !info.mv.is_empty()));
        if let Ok(graphics) = line.parse::<Graphics>() {
            prop_assert_eq!(graphics.to_string().parse(), Ok(graphics));
        }
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
