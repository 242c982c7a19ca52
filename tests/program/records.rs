//! Records of games in every format: what is written is read back, and what others write is read.

use fastrand::Rng;
use pentarch::engine::Game;
use pentarch::records::{
    GameResult, ReadError, ReadOptions, RecordFormat, RecordWriter, RecordedGame, RecordedPly,
    read_from,
};
use pentarch::rules::Ruleset;
use pentarch::rules::catalog::CATALOG;
use std::io::Cursor;
use std::path::Path;

fn read(text: impl Into<Vec<u8>>, hints: &ReadOptions) -> Vec<Result<RecordedGame, ReadError>> {
    let bytes = Cursor::new(text.into());
    read_from(bytes, Path::new("games"), hints).unwrap().collect()
}

fn hints(format: Option<RecordFormat>, spec: &str) -> ReadOptions {
    ReadOptions { format, rules: Some(spec.parse().unwrap()), ..ReadOptions::default() }
}

fn texts(games: &[Result<RecordedGame, ReadError>]) -> Vec<String> {
    let text = |game: &Result<RecordedGame, ReadError>| match game {
        Ok(game) => game.moves.join(" "),
        Err(error) => error.to_string(),
    };
    games.iter().map(text).collect()
}

/// A random game with whatever its rules have, and notes on some of its moves.
fn random_game(rules: &Ruleset, rng: &mut Rng, number: u32) -> RecordedGame {
    let mut game = Game::new(rules.clone());
    let plies = if rules.tiles().is_some() { 3 } else { rng.u32(1..24) };
    let mut record = RecordedGame {
        game: Some(number),
        date: "2026-01-31T23:59:58Z".to_owned(),
        event: "Cup [A] \\ \"1\"".to_owned(),
        round: "3".to_owned(),
        rules: Some(rules.to_string()),
        players: (0..game.seats()).map(|seat| format!("Anna ]{seat}: \u{e9}\u{4e2d}")).collect(),
        ratings: (0..game.seats()).map(|seat| (seat > 0).then_some(1500)).collect(),
        rated: Some(false),
        reason: "line".to_owned(),
        ..RecordedGame::default()
    };
    for _ in 0..plies {
        let legal = game.legal_moves();
        // Rare moves come often, so that games have them.
        let special: Vec<_> = legal
            .iter()
            .copied()
            .filter(|&mv| {
                let text = game.move_text(mv);
                !text.starts_with(|c: char| c.is_ascii_lowercase())
                    || !text.contains(char::is_numeric)
            })
            .collect();
        let choices = if !special.is_empty() && rng.u8(..) < 90 { &special } else { &legal };
        let Some(&mv) = rng.choice(choices) else { break };
        record.moves.push(game.move_text(mv));
        game.play_move(mv).unwrap();
    }
    record.result = game.outcome().map(GameResult::from).or(Some(GameResult::Draw));
    record.name = format!("{}, game {number}", record.players.join(" against "));
    record
}

/// The same record with all that is known of its moves.
fn annotated(record: &RecordedGame) -> RecordedGame {
    let mut game = record.start(&"pente".parse().unwrap()).unwrap();
    let mut annotated = RecordedGame { comment: "two\nlines".to_owned(), ..record.clone() };
    for (index, text) in record.moves.iter().enumerate() {
        let mut ply =
            RecordedPly { mv: text.clone(), seat: game.to_move().0 + 1, ..RecordedPly::default() };
        if index % 2 == 0 {
            (ply.time, ply.score, ply.pv) = (Some(12.5), Some(-3), vec![text.clone()]);
            ply.comment = format!("a ] \\ comment\non {text}");
        } else if let Some(&cell) = game.cells().first() {
            ply.marks = vec![
                format!("label {} A:1", game.cell_text(cell)),
                format!("circle {}", game.cell_text(cell)),
            ];
        }
        annotated.plies.push(ply);
        game.play(text).unwrap();
    }
    annotated.captures = Some(game.captures());
    annotated.time_controls = vec!["nodes 5".to_owned(); usize::from(game.seats())];
    annotated
}

/// What is left of a record in a format of moves.
fn bare(record: &RecordedGame) -> (Vec<String>, Option<String>) {
    (record.moves.clone(), record.rules.clone())
}

#[test]
fn games_of_every_variant_come_back_from_every_format() {
    let mut rng = Rng::with_seed(7);
    let mut held = [0; RecordFormat::ALL.len()];
    for row in CATALOG {
        let rules: Ruleset = row.name.parse().unwrap();
        let games: Vec<_> = (1..=100).map(|number| random_game(&rules, &mut rng, number)).collect();
        for (index, (format, _)) in
            RecordFormat::ALL.into_iter().enumerate().filter(|(_, (f, _))| f.is_writable())
        {
            let mut writer = RecordWriter::new(format, rules.clone()).unwrap();
            let written: Vec<_> = games.iter().map(|game| (game, writer.text(game))).collect();
            let kept = written.iter().filter_map(|(game, text)| Some((game, text.as_ref().ok()?)));
            let (kept, text): (Vec<_>, String) =
                kept.map(|(game, text)| (*game, text.clone())).unzip();
            held[index] += kept.len();
            let again = read(text.clone(), &hints(Some(format), row.name));
            assert_eq!(again.len(), kept.len(), "{} {format}", row.name);
            for (game, again) in kept.iter().zip(again) {
                let mut again = again.unwrap();
                again.make_canonical(&rules).unwrap();
                again.line = 0;
                match format {
                    RecordFormat::Json | RecordFormat::Sgf | RecordFormat::PenteOrg => {
                        assert_eq!(&again, *game, "{format}\n{text}");
                    }
                    _ => assert_eq!(bare(&again), bare(game), "{} {format}", row.name),
                }
            }
        }
    }
    let all = CATALOG.len() * 100;
    for (index, (format, _)) in RecordFormat::ALL.into_iter().enumerate() {
        let least = match format {
            RecordFormat::Json
            | RecordFormat::Sgf
            | RecordFormat::PenteOrg
            | RecordFormat::Moves => all,
            RecordFormat::Pos | RecordFormat::Offset | RecordFormat::Psq | RecordFormat::List => {
                all / 3
            }
            RecordFormat::Lib | RecordFormat::Rif | RecordFormat::Yixin => 0,
        };
        assert!(held[index] >= least, "{format}: {} of {all}", held[index]);
    }
}

#[test]
fn comments_marks_and_values_come_back() {
    let mut rng = Rng::with_seed(3);
    for spec in ["pente", "swap2-pente", "pente-4", "pente-plus", "pentalath", "pent-up"] {
        let rules: Ruleset = spec.parse().unwrap();
        for number in 1..=5 {
            let game = annotated(&random_game(&rules, &mut rng, number));
            for format in [RecordFormat::Json, RecordFormat::Sgf] {
                let text = RecordWriter::new(format, rules.clone()).unwrap().text(&game).unwrap();
                let again = read(text.clone(), &ReadOptions::default()).remove(0).unwrap();
                assert_eq!(RecordedGame { line: 0, ..again }, game, "{text}");
            }
            let mut writer = RecordWriter::new(RecordFormat::Pos, rules.clone()).unwrap();
            if writer.text(&game).is_ok() {
                let lost = writer.lost().to_string();
                for kind in ["names", "dates", "results", "comments on moves", "times", "values"] {
                    assert!(lost.contains(kind), "{lost}");
                }
            }
        }
    }
}

/// As c-gomoku-cli writes a game.
const GOMOKU: &str = "(;FF[4]GM[4]GN[1]EV[a x b]DT[2024.05.01 12:00:00]RO[1.1]RU[1]SZ[15]PB[a]PW[b]RE[B+1]TE[5 in a row]\n\
                  ;B[hh]C[opening move]\n;W[ii]C[12ms];B[hi]C[0ms])\n\n";

/// Hand-written files in the form of other programs.
#[test]
fn files_of_other_programs_are_read() {
    let site = "(;FF[4]GM[101]SZ[19]PW[Ann]PB[Bob]RE[W]TV[x];W[K10];B[L9];W[N7])";
    let gogui = "(;FF[4]CA[UTF-8]AP[GoGui:1.5]\n;B[jj];W[kj]\n;B[aa])";
    let text = "[Game \"Speed D-Pente\"]\r\n[Site \"pente.org\"]\r\n[Date \"12/31/2003\"]\r\n\
        [Player 1 Name \"x\"]\r\n[Player 2 Name \"y\"]\r\n[Player 1 Rating \"1500\"]\r\n\
        [Result \"0-1\"]\r\n[Player's Swapped? \"Yes\"]\r\n\r\n1. K10 L10 2. A1 B1 3. C3 Resign 0-1\r\n";
    let brainking = "[GameType \"Pente\"]\n[White \"x\"]\n[WhiteRating \"1400\"]\n[Black \"y\"]\n\n1. K10 L9 2. G10";
    for (text, rules, moves, players) in [
        (GOMOKU, "gomoku-standard", "h8 i7 h7", "a b"),
        (site, "pro-pente", "j10 k9 m7", "Ann Bob"),
        (gogui, "pente", "j10 k10 a19", ""),
        (text, "d-pente", "j10 k10 a1 b1 swap c3", "x y"),
        (brainking, "pro-pente", "j10 k9 g10", "x y"),
        ("1. K10 L9 2. G10", "pro-pente", "j10 k9 g10", ""),
        (
            "Piskvorky 20x20, 11:11, 0\n10,10,0\n11,10,250\na.exe\nb.exe\n0\n",
            "gomoku+size=20",
            "j11 k11",
            "a.exe b.exe",
        ),
        (
            "Piskvorky 15x15 , 0 - 0\r\n8, 8\r\n9, 8\r\na.zip\r\nb.zip\r\n-1\r\n0,Freestyle15_1\r\n",
            "gomoku",
            "h8 i8",
            "a.zip b.zip",
        ),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\nwhatever\n", "gomoku", "h8", ""),
        (
            "(;GM[5]FF[4]5A[gg][hh]SZ[15]TM[600]PB[x]PW[y];B[hh];W[hg]C[\n a\n];)\n---\n",
            "gomoku",
            "h8 h9",
            "x y",
        ),
        ("(;GM[11]SZ[20]RU[x];B[jj])", "gomoku+size=20", "j11", ""),
        ("(;GM[1]SZ[15]RU[Renju rules];B[hh])", "renju", "h8", ""),
        ("(;GM[1]SZ[19];B[jj])", "pente", "j10", ""),
        ("h8i9\n", "gomoku", "h8 i7", ""),
        ("0,0, 1,-2\n", "gomoku", "h8 i10", ""),
        (
            "<database><players><player id=\"7\" name=\"A\" surname=\"B &amp; C\"/></players><games>\
          <game id=\"3\" black=\"7\" white=\"9\" bresult=\"0\"><move>h8 i9 j10</move></game></games></database>",
            "renju",
            "h8 i9 j10",
            "A B & C 9",
        ),
    ] {
        let game = read(text, &ReadOptions::default()).remove(0).unwrap();
        assert_eq!(game.rules.as_deref(), Some(rules), "{text}");
        assert_eq!(
            (game.moves.join(" ").as_str(), game.players.join(" ").as_str()),
            (moves, players)
        );
    }
    let won =
        |text| read(text, &ReadOptions::default()).remove(0).unwrap().result.map(|r| r.to_string());
    assert_eq!(won(site).as_deref(), Some("p1win"), "White moves first there");
    assert_eq!(won(text).as_deref(), Some("p2win"));
}

#[test]
fn times_in_comments_and_unknown_properties_are_told_apart() {
    let game = read(GOMOKU, &ReadOptions::default()).remove(0).unwrap();
    assert_eq!((game.plies[0].comment.as_str(), game.plies[0].time), ("opening move", None));
    assert_eq!((game.plies[1].comment.as_str(), game.plies[1].time), ("", Some(12.0)));
    assert_eq!((game.detail.as_str(), game.unread), ("5 in a row", vec!["GN".to_owned()]));
}

#[test]
fn a_file_in_utf_16_is_read() {
    let utf16 = "(;GM[4]SZ[15]PB[\u{4e2d}\u{6587}]PW[b];B[hh])".encode_utf16();
    let bytes: Vec<u8> = [0xfeff].into_iter().chain(utf16).flat_map(u16::to_le_bytes).collect();
    assert_eq!(
        read(bytes, &ReadOptions::default()).remove(0).unwrap().player(0),
        "\u{4e2d}\u{6587}"
    );
}

/// A tree of five nodes: h8 with two answers, the first of which has a comment and a reply.
#[test]
fn a_library_is_read_as_its_lines() {
    let mut file = b"\xffRenLib\xff\x03\x04".to_vec();
    file.extend([0xff; 10]);
    file.extend([0x78, 0x00]); // h8
    file.extend([0x69, 0x88]); // i9 with a sibling and a comment
    file.extend(b"good\x08more\0");
    file.extend([0x5a, 0x40]); // j10, the end
    file.extend([0x89, 0x41, 0x00, 0x01]); // i7, the end, a text on the board
    file.extend(b"A\0");
    let games = read(file.clone(), &ReadOptions::default());
    assert_eq!(texts(&games), ["h8 i9 j10", "h8 i7"]);
    assert_eq!(games[0].as_ref().unwrap().plies[1].comment, "good\nmore");
    assert_eq!(games[1].as_ref().unwrap().plies[1].comment, "[A]");
    file.truncate(25);
    let error = texts(&read(file, &ReadOptions::default())).remove(0);
    assert!(error.contains("byte 22: the file ends"), "{error}");
}

#[test]
fn what_is_wrong_is_named_and_the_rest_is_read() {
    for (text, lines) in [
        ("{\"moves\":[\"j10\"]}\n{\"moves\":[1]}\n\n{\"moves\":[\"a1\"]}", "j10|line 2: |a1"),
        ("(;FF[4];B[jj])\n(;FF[4];B[jj][\n(;FF[4];B[zz])\n(;B[kk])", "j10|line 2: |line 3: |k9"),
        ("1-0 Y 1 2 K10\n1-0 Q\n0-1 N ? ? L9", "j10|line 2: |k9"),
        ("h8i9\nz1\nh8", "h8 i7|line 2: `z1`|h8"),
        ("0,0,1\n0,0\n99,99", "line 1: an odd|h8|line 3: `99,99`"),
        ("[Game \"Pente\"]\n[oops]\n\n1. K10 1-0\n[Game \"Pente\"]\n\n1. L9 1-0", "line 2: |k9"),
        (
            "Piskvorky 15x15, 0:0, 0\n1,1,0\n16,1,0\n0\nPiskvorky 15x15, 0:0, 0\n1,2,0",
            "line 3: |a14",
        ),
        ("<a><game><move>h8</move></game><game", "h8|line 1: "),
    ] {
        let read = texts(&read(text, &ReadOptions::default()));
        assert_eq!(read.len(), lines.split('|').count(), "{read:?}");
        for (read, expected) in read.iter().zip(lines.split('|')) {
            assert!(read == expected || read.contains(expected), "{read} for {expected}");
        }
    }
}

/// Nothing that a file holds may panic or take for ever.
#[test]
fn any_bytes_are_read_or_refused() {
    let mut rng = Rng::with_seed(11);
    let pieces = [
        "(;",
        ")",
        "[",
        "]",
        "\\",
        "B[jj]",
        "{",
        "\"moves\":[\"j10\"]",
        "}",
        "1. ",
        "K10 ",
        "\n",
        "\"",
        "Piskvorky 15x15, 0:0, 0\n",
        "8,8,0\n",
        "<game ",
        "<move>h8",
        ">",
        "\u{0}",
        "h8i9",
        "-1,",
        "\u{e9}",
        "1-0 Y 1 1 ",
        "@",
        "N@",
        "position ",
        "SZ[3]",
        "RU[pente-plus]",
        "POS[x]",
        "AB[aa:zz]",
        "JR[{}]",
        "FF[4]",
    ];
    for _ in 0..400 {
        let text: String = (0..rng.usize(1..40)).map(|_| *rng.choice(&pieces).unwrap()).collect();
        for (format, _) in RecordFormat::ALL {
            for mut game in read(text.clone(), &hints(Some(format), "pente")).into_iter().flatten()
            {
                let _ = game.make_canonical(&"pente".parse().unwrap());
                for (to, _) in RecordFormat::ALL {
                    let writer = RecordWriter::new(to, "pente".parse().unwrap());
                    let _ = writer.map(|mut writer| writer.text(&game));
                }
            }
        }
    }
    for deep in ["[", "{\"a\":", "(;", "<a>"] {
        for (format, _) in RecordFormat::ALL {
            let games = read(deep.repeat(100_000), &hints(Some(format), "pente"));
            let rules = "pente".parse().unwrap();
            let is_none = |game: RecordedGame| game.clone().make_canonical(&rules).is_err();
            assert!(games.into_iter().flatten().all(is_none), "{deep} {format}");
        }
    }
}

#[test]
fn variations_come_back() {
    let text = "(;FF[4]SZ[15]RU[gomoku];B[hh](;W[ii](;B[hi]C[played];W[hg])(;B[ab]C[x](;W[ac])(;W[ad];B[ae])))\
                (;W[gg];B[gh]TR[gh])(;W[hh]))";
    let game = read(text, &ReadOptions::default()).remove(0).unwrap();
    assert_eq!(game.moves.join(" "), "h8 i7 h7 h9");
    let lines: Vec<_> = game
        .variations
        .iter()
        .map(|variation| {
            let moves: Vec<_> = variation.plies.iter().map(|ply| ply.mv.as_str()).collect();
            (variation.line, variation.ply, moves.join(" "))
        })
        .collect();
    let expected = [(0, 2, "a14 a13"), (1, 3, "a12 a11"), (0, 1, "g9 g8"), (0, 1, "h8")];
    assert_eq!(lines, expected.map(|(line, ply, moves)| (line, ply, moves.to_owned())));
    assert_eq!(game.variations[0].plies[0].comment, "x");
    for format in [RecordFormat::Sgf, RecordFormat::Json] {
        let text =
            RecordWriter::new(format, "gomoku".parse().unwrap()).unwrap().text(&game).unwrap();
        assert_eq!(read(text.clone(), &ReadOptions::default()).remove(0).unwrap(), game, "{text}");
    }
    let mut deep = String::from("(;RU[gomoku]");
    (0..100_000).for_each(|_| deep += "(;B[];W[](;)");
    let games = read(deep + &")".repeat(100_001), &ReadOptions::default());
    assert!(games[0].is_ok(), "{:?}", games[0]);
}

/// A record in which each field but moves and rules says something.
fn full_record() -> RecordedGame {
    let mut game = annotated(&RecordedGame {
        game: Some(7),
        date: "2026-01-31T23:59:58Z".to_owned(),
        event: "cup".to_owned(),
        site: "here".to_owned(),
        round: "2".to_owned(),
        section: "B".to_owned(),
        rules: Some("gomoku".to_owned()),
        players: vec!["Ann".to_owned(), "Bob".to_owned()],
        ratings: vec![Some(1500), None],
        computers: vec![Some(true), Some(false)],
        rated: Some(false),
        opening_plies: Some(2),
        moves: ["h8", "i7", "h9", "g9"].map(str::to_owned).to_vec(),
        times: vec![1.0, 2.0],
        result: Some(GameResult::Draw),
        reason: "agreed".to_owned(),
        detail: "by hand".to_owned(),
        ..RecordedGame::default()
    });
    let variation = r#"{"line":0,"ply":2,"plies":[{"move":"a1"}]}"#;
    game.variations = vec![serde_json::from_str(variation).unwrap()];
    game.other.insert("arbiter".to_owned(), "Eve".into());
    game
}

/// What a format drops of a game it names, field by field.
#[test]
fn no_field_is_dropped_without_a_word() {
    let full = serde_json::to_value(full_record()).unwrap();
    let fields = full.as_object().unwrap();
    assert!(fields.len() > 20, "{fields:?}");
    // Captures follow from the moves.
    let derived = ["moves", "rules", "captures"];
    for (field, value) in fields.iter().filter(|(field, _)| !derived.contains(&field.as_str())) {
        let mut line = serde_json::json!({"moves": full["moves"], "rules": "gomoku"});
        line[field] = value.clone();
        let game = read(line.to_string(), &ReadOptions::default()).remove(0).unwrap();
        for (format, _) in RecordFormat::ALL.into_iter().filter(|(format, _)| format.is_writable())
        {
            let mut writer = RecordWriter::new(format, "gomoku".parse().unwrap()).unwrap();
            let text = writer.text(&game).unwrap();
            let mut again = read(text.clone(), &hints(Some(format), "gomoku")).remove(0).unwrap();
            assert_eq!(again.unread, [""; 0], "{format}: {text}");
            again.make_canonical(&"gomoku".parse().unwrap()).unwrap();
            let again = serde_json::to_value(&again).unwrap();
            // Times of moves are times of plies there.
            let is_timed =
                format == RecordFormat::Psq && field == "times" && text.contains("8,8,1\n9,9,2");
            let is_kept = again.get(field) == Some(value) || is_timed;
            assert!(
                is_kept || !writer.lost().is_empty(),
                "{format} drops {field}, {value} becomes {:?}: {text}",
                again.get(field)
            );
        }
    }
}
