//! Records that other readers and earlier versions got wrong, each with its right answer.

use crate::run;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

static FOLDERS: AtomicUsize = AtomicUsize::new(0);

/// What `convert` makes of a file: the exit code, the games and what it says.
fn convert(name: &str, bytes: &[u8], arguments: &[&str]) -> (Option<i32>, String, String) {
    let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let folder = run::folder("cases", &number.to_string());
    fs::write(folder.join(name), bytes).unwrap();
    run::run(&folder, [&["convert", name], arguments].concat(), "")
}

/// The only game of a file as JSON, and what is said of it.
fn json(name: &str, bytes: &[u8], arguments: &[&str]) -> (Option<i32>, serde_json::Value, String) {
    let (code, out, err) = convert(name, bytes, &[&["--to", "json"], arguments].concat());
    let game = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    (code, game, err)
}

fn moves(game: &serde_json::Value) -> String {
    let moves = game["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap());
    moves.collect::<Vec<_>>().join(" ")
}

/// Moves whose color contradicts the turns are never given to the other color.
#[test]
fn colors_of_sgf_are_read() {
    for (text, kept, reason) in [
        ("(;GM[4]SZ[15];B[hh];B[ii];W[gg];W[jj])", "h8", "move 2: it is the other color's turn"),
        (
            "(;GM[4]SZ[15];B[hh];W[];B[gg];W[jj])",
            "h8",
            "move 3: it is the other color's turn; the rules do not allow the pass before",
        ),
        // After a move against the rules colors count as before.
        ("(;GM[4]SZ[15];B[hh];W[hh];B[gg];B[aa])", "h8 h8 g9", "move 4: it is the other"),
        // Black is to place two stones.
        ("(;RU[connect6];B[jj];W[aa];W[bb];B[cc];W[dd])", "j10 a19 b18 c17", "move 5: it is the"),
        ("(;RU[connect6];B[jj];W[aa][bb][cc])", "j10 a19 b18", "move 4: it is the other"),
        // After a swap opening letters are players or stones, but not first one and then the other.
        ("(;RU[swap1-x]GM[4]SZ[15];B[hh];W[ii];W[gg])", "h8 i7", "move 3: it is the other"),
        ("(;GM[4]SZ[15];B[hh];W[zz];B[gg])", "h8", "move 2: `zz` is no point"),
    ] {
        let (code, game, err) = json("a.sgf", text.as_bytes(), &[]);
        assert_eq!((code, moves(&game).as_str()), (Some(1), kept), "{text}: {err}");
        assert!(err.contains(&format!("a.sgf line 1: {reason}")), "{text}: {err}");
        assert!(err.contains("; the game is kept up to there"), "{err}");
    }
    for text in ["(;GM[4]SZ[15];B[];W[hh];B[ii])", "(;GM[4]SZ[15];B[zz];W[hh])"] {
        let (code, out, err) = convert("a.sgf", text.as_bytes(), &["--to", "json"]);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.contains("a.sgf line 1: move "), "{err}");
    }
    // Programs of strict turns pass for the other color, and after the end.
    let passes = "(;GM[4]SZ[15];B[hh];B[];W[ii];B[gg];W[];B[])";
    let (code, game, err) = json("a.sgf", passes.as_bytes(), &[]);
    assert_eq!((code, moves(&game).as_str()), (Some(0), "h8 i7 g9"), "{err}");
    assert_eq!(err, "pentarch: not read: passes (1 game)\n");
}

#[test]
fn moves_of_one_node_are_all_read() {
    let (code, game, err) = json("a.sgf", b"(;GM[4]SZ[15];B[hh]W[ii];B[gg])", &[]);
    assert_eq!((code, moves(&game).as_str(), err.as_str()), (Some(0), "h8 i7 g9", ""));
}

#[test]
fn a_variation_keeps_its_colors() {
    let text = b"(;GM[4]SZ[15];B[hh];W[ii](;B[gg])(;W[jj];B[kk]))";
    let (code, out, err) = convert("a.sgf", text, &["--to", "sgf"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(out.contains(";B[hh];W[ii];B[gg])") && !out.contains("B[jj]"), "{out}");
    assert!(err.contains("a variation: move 3: it is the other color's turn"), "{err}");
}

#[test]
fn setup_that_contradicts_the_moves_is_named_and_the_moves_before_are_kept() {
    let main = b"(;GM[4]SZ[15];B[hh];W[ii];B[gg];AE[hh]AW[gg];W[ff])";
    let (code, game, err) = json("a.sgf", main, &[]);
    assert_eq!((code, moves(&game).as_str()), (Some(1), "h8 i7 g9"), "{err}");
    assert!(err.contains("after move 3 stones are set up that the rules put elsewhere"), "{err}");
    for text in [
        "(;GM[4]SZ[15];B[hh];W[ii];B[gg](;W[ff])(;AE[hh]AW[gg]AB[ii]))",
        // Before the first move, too.
        "(;GM[4]SZ[15](;B[hh];W[ii];B[gg];W[ff])(;AW[gg];B[ii]))",
    ] {
        let (code, game, err) = json("a.sgf", text.as_bytes(), &[]);
        assert_eq!((code, moves(&game).as_str()), (Some(1), "h8 i7 g9 f10"), "{err}");
        assert_eq!(game.get("variations"), None);
        assert!(err.contains("a variation: after move "), "{err}");
    }
}

#[test]
fn values_that_are_not_understood_are_named_as_properties_are() {
    let text = "(;FF[4]SZ[15]GM[4]RU[RIF]KM[0]BR[1 dan]WR[5]RE[B+]PC[x]DT[2017-03-26,27]EV[none]\
                RO[3 (final)]TM[3600]OT[30s]SO[y];B[hh];W[hg];B[ij])";
    let (code, game, err) = json("a.sgf", text.as_bytes(), &[]);
    assert_eq!((code, game["rules"].as_str()), (Some(0), Some("renju")), "{err}");
    let kinds = "BR[1 dan] (1 game), KM (1 game), OT (1 game), RU[RIF] (1 game), SO (1 game)";
    assert_eq!(err, format!("pentarch: not read: {kinds}\n"));
    for (text, kinds) in [
        ("RE[1-0]", "RE[1-0] (1 game)"),
        ("RE[0-1]", "RE[0-1] (1 game)"),
        ("RE[Void]WR[1500?]", "RE[Void] (1 game), WR[1500?] (1 game)"),
        ("RE[B+3.5]", "RE[B+3.5] (1 game)"),
        ("RU[Japanese]", "RU[Japanese] (1 game)"),
        ("PB[a]PB[b]", "PB[b] (1 game)"),
        ("TR[aa]", "TR[aa] (1 game)"),
        (";B[gg]LB[zz:1]PW[x]", "LB[zz:1] (1 game), PW (1 game)"),
        ("(;B[gg])(;C[empty])", "comments before the first move of a variation (1 game)"),
        (";B[gg]C[win rate [51.2%] ok]", "text outside of brackets (1 game)"),
    ] {
        let text = format!("(;GM[4]SZ[15]{text})");
        let (code, _, err) = json("a.sgf", text.as_bytes(), &[]);
        assert_eq!((code, err), (Some(0), format!("pentarch: not read: {kinds}\n")), "{text}");
    }
    let (_, game, err) = json("a.sgf", b"(;GM[1]SZ[19]RE[W+Resign];B[jj])", &[]);
    assert_eq!((game["result"].as_str(), game["reason"].as_str()), (Some("p2win"), Some("resign")));
    assert_eq!(err, "pentarch: not read: GM[1] (1 game)\n", "Go is not Pente");
}

#[test]
fn a_comment_of_a_root_with_a_move_is_kept_once() {
    let text = b"(;GM[4]SZ[15]GN[root]B[hh]C[first];W[ii])";
    let (_, game, _) = json("a.sgf", text, &[]);
    assert_eq!((&game["comment"], game.get("plies")), (&"first".into(), None), "{game}");
    let (_, out, _) = convert("a.sgf", text, &["--to", "sgf"]);
    assert_eq!(out.matches("first").count(), 1, "{out}");
    // Before the first move there are comments on the game alone.
    let (_, game, _) = json("a.sgf", b"(;GM[4]SZ[15]C[one];C[two];B[hh])", &[]);
    assert_eq!(game["comment"], "one\ntwo");
}

/// Text is decoded by the label of the file, else by the option, else by a guess that is named.
#[test]
fn character_sets_are_read() {
    let name = |bytes: &[u8], label: &str| {
        let file = [b"(;GM[4]SZ[15]CA[", label.as_bytes(), b"]PB[", bytes, b"];B[hh];W[ii])"];
        let (code, game, err) = json("a.sgf", &file.concat(), &[]);
        assert_eq!((code, moves(&game).as_str(), err.as_str()), (Some(0), "h8 i7", ""), "{label}");
        game["players"][0].as_str().unwrap().to_owned()
    };
    for (bytes, label, expected) in [
        (b"\xbf\xc2\xbd\xe0".as_slice(), "GB2312", "柯洁"),
        (b"\xbf\xc2\xbd\xe0", "GBK", "柯洁"),
        (b"\xbf\xc2\xbd\xe0", "GB18030", "柯洁"),
        // The second bytes are those of `\` and `]`.
        (b"\xa5\x5c\xb3\x5c", "Big5", "功許"),
        (b"\x83\x5d\x94\x5c", "Shift_JIS", "ゾ能"),
        (b"\xb1\xe8", "EUC-KR", "김"),
        (b"Dvo\xf8\xe1k", "ISO-8859-2", "Dvořák"),
        (b"Dvo\xf8\xe1k", "windows-1250", "Dvořák"),
        (b"\xc8\xe2\xe0\xed\xee\xe2", "windows-1251", "Иванов"),
        (b"\xe9\xd7\xc1\xce\xcf\xd7", "KOI8-R", "Иванов"),
        ("柯洁".as_bytes(), "utf-8", "柯洁"),
    ] {
        assert_eq!(name(bytes, label), expected, "{label}");
    }
    let file = b"(;GM[4]CA[Shift_JIS]SZ[15]PB[\x93\x7d\x8bB]PW[\x8c\xdc\x96\xda\x95\xc0\x82\xd7]\
                 EV[\x96\xbc\x90l\x90\xed\x95\\\x8e\xa6\x94\\];B[hh];W[ii])";
    let (_, game, err) = json("a.sgf", file, &[]);
    assert_eq!((moves(&game).as_str(), &game["event"]), ("h8 i7", &"名人戦表示能".into()), "{err}");
    let (code, game, err) = json("a.sgf", b"(;GM[4]SZ[15]CA[no-such]PB[M\xfcller];B[hh])", &[]);
    assert_eq!((code, &game["players"][0]), (Some(0), &"Müller".into()), "{err}");
    assert!(err.contains("a.sgf: its text is read as windows-1252, a guess; --charset"), "{err}");
    assert!(err.contains("not read: CA[no-such] (1 game)"), "{err}");
    let koi8 = b"(;GM[4]SZ[15]PB[\xe9\xd7\xc1\xce\xcf\xd7];B[hh])";
    let (_, game, err) = json("a.sgf", koi8, &["--charset", "koi8-r"]);
    assert_eq!((&game["players"][0], err.as_str()), (&"Иванов".into(), ""));
    let (code, _, err) = convert("a.sgf", koi8, &["--to", "json", "--charset", "no-such"]);
    assert_eq!((code, err.contains("`no-such` is no character set")), (Some(2), true), "{err}");
    let text = b"[Game \"Pente\"]\n[Player 1 Name \"\xc8\xe2\xe0\xed\xee\xe2\"]\n\n1. K10 L9 1-0\n";
    let (_, game, _) = json("a.txt", text, &["--charset", "windows-1251"]);
    assert_eq!(game["players"][0], "Иванов");
    let xml = b"<?xml version=\"1.0\" encoding='windows-1251'?><database><players><player id=\"1\" \
                name=\"\xc8\xe2\xe0\xed\"/></players><game black=\"1\" white=\"2\"><move>h8</move></game></database>";
    assert_eq!(json("a.rif", xml, &[]).1["players"][0], "Иван");
}

#[test]
fn a_library_is_read_in_the_character_set_that_is_named() {
    let lib = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x78\x08\xd2\xaa\xb5\xe3\0\0\x89\x40";
    let (code, game, err) = json("a.lib", lib, &["--charset", "gbk"]);
    assert_eq!((code, moves(&game).as_str(), err.as_str()), (Some(0), "h8 i7", ""));
    assert_eq!(game["plies"][0]["comment"], "要点");
    assert!(json("a.lib", lib, &[]).2.contains("a guess; --charset"), "a guess is named");
}

#[test]
fn the_player_who_opened_has_the_first_seat() {
    let file = "Piskvorky 15x15, 11:11, 1\n8,8,0\n9,9,10\n7,7,20\n10,10,5\nA.zip\nB.zip\n0\n";
    let players = |file: &str| json("a.psq", file.as_bytes(), &[]).1["players"].clone();
    assert_eq!(players(file), serde_json::json!(["B.zip", "A.zip"]));
    assert_eq!(players(&file.replace("11, 1", "11, 0")), serde_json::json!(["A.zip", "B.zip"]));
    let file = "Piskvorky 15x15, 3:4, 0\n8,8,x\nA\nB\nC\n-1\nleague\n";
    let kinds = "code[-1] (1 game), levels[3:4] (1 game), line[C] (1 game), lines after the code \
                 (1 game), time[x] (1 game)";
    assert_eq!(json("a.psq", file.as_bytes(), &[]).2, format!("pentarch: not read: {kinds}\n"));
}

#[test]
fn a_game_that_is_not_known_is_refused() {
    for name in ["Renju", "Go (9x9)", "Unknown-Pente"] {
        let text = format!("[Game \"{name}\"]\n[Player 1 Name \"a\"]\n\n1. K10 L9 1-0\n");
        let (code, out, err) = convert("a.txt", text.as_bytes(), &["--to", "json"]);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        let reason =
            format!("a.txt line 1: the game `{name}` is not known; --variant names its rules");
        assert!(err.contains(&reason), "{err}");
        let (code, game, _) = json("a.txt", text.as_bytes(), &["--variant", "pente"]);
        assert_eq!((code, &game["rules"]), (Some(0), &"pente".into()));
    }
    let (code, _, err) = convert("a.sgf", b"(;GM[199]SZ[19];W[K10])", &["--to", "json"]);
    assert!(code == Some(1) && err.contains("game 99 of pente.org is not known"), "{err}");
}

#[test]
fn headers_that_are_not_understood_are_named() {
    let text = "[Game \"Pente\"]\n[Rated \"maybe\"]\n[Player 1 Rating \"1 dan\"]\n[ECO \"B00\"]\n\
                [Result \"Resign\"]\n[Round \"1\"]\n[Round \"2\"]\n\n1. K10 L9\n";
    let kinds = "ECO (1 game), Player 1 Rating[1 dan] (1 game), Rated[maybe] (1 game), \
                 Result[Resign] (1 game), Round[1] (1 game)";
    let (code, game, err) = json("a.txt", text.as_bytes(), &[]);
    assert_eq!((code, err), (Some(0), format!("pentarch: not read: {kinds}\n")));
    assert_eq!(game["round"], "2");
}

#[test]
fn a_file_without_a_game_is_named() {
    let lib = b"\xffRenLib\xff\x03\x04\xff\xff";
    for (name, bytes, reason) in [
        ("a.html", b"<html><body>no games</body></html>".as_slice(), "in no format of records"),
        ("empty", b"", "there is no game in it"),
        ("a.txt", b"# nothing\n\n", "there is no game in it"),
        ("a.lib", lib, "the file ends in its header"),
        ("a.rif", b"<database><games></games></database>", "there is no game in it"),
        ("a.py", b"import os\n", "line 1 is in no format of records that is known: `import os`"),
    ] {
        for arguments in [["convert", name, "--to", "json"], ["review", name, "--nodes", "10"]] {
            let folder = run::folder("cases", &format!("none-{}-{name}", arguments[0]));
            fs::write(folder.join(name), bytes).unwrap();
            let (code, out, err) = run::run(&folder, arguments, "");
            assert_eq!(code, Some(1), "{name}: {out}{err}");
            assert!(err.contains(name) && err.contains(reason), "{name}: {err}");
        }
    }
}

const RIF: &str = "<!DOCTYPE x [<!ENTITY a \"h8\">]><DATABASE><players><player id=\"1\" name=\"A\" surname=\"B\"/>\
    <player id=\"2\" name=\"B\" surname=\"C &amp; &lt;D&gt;\"/></players><openings><opening id=\"1\" name=\"1d\"/></openings>\
    <GAMES><GAME id=\"1\" black=\"1\" white=\"2\" bresult=\"1\" opening=\"1\" alt=\"h9 h7\" swap=\"1\" btime=\"\">";

#[test]
fn nothing_of_a_game_of_rif_is_dropped() {
    let file = |rest: &str| format!("{RIF}{rest}</GAME></GAMES></DATABASE>");
    let text =
        file("<move><![CDATA[h8 i9]]> &#106;10</move><info>a &lt;b&gt; &amp; <![CDATA[c]]></info>");
    let (code, game, err) = json("a.rif", text.as_bytes(), &[]);
    assert_eq!((code, moves(&game).as_str(), err.as_str()), (Some(0), "h8 i9 j10", ""));
    assert_eq!(game["players"], serde_json::json!(["A B", "B C & <D>"]));
    assert_eq!(game["comment"], "a <b> & c");
    assert_eq!(game["rif"], serde_json::json!({"alt": "h9 h7", "opening": "1d", "swap": "1"}));
    let (code, _, err) =
        convert("a.rif", file("<move>&a; i9</move>").as_bytes(), &["--to", "json"]);
    assert!(code == Some(1) && err.contains("line 1: the entity `&a;` is not known"), "{err}");
    let (_, game, err) = json("a.rif", file("<move>h8 i9 -- g8</move><x>y</x>").as_bytes(), &[]);
    assert_eq!(moves(&game), "h8 i9 pass g8");
    assert!(err.contains("illegal move `pass`"), "{err}");
    assert!(err.contains("not read: <x> (1 game), text of other elements (1 game)"), "{err}");
}

#[test]
fn a_date_that_the_calendar_does_not_have_stays_as_it_is() {
    let file = |date: &str, time: &str| {
        let header =
            format!("[Game \"Pente\"]\n[Date \"{date}\"]\n[Time \"{time}\"]\n\n1. K10 L9 1-0\n");
        let (_, out, _) = convert("a.txt", header.as_bytes(), &["--to", "pente-org"]);
        let game = json("a.txt", header.as_bytes(), &[]).1;
        assert_eq!(json("b.txt", out.as_bytes(), &[]).1["date"], game["date"], "{out}");
        game["date"].as_str().unwrap().to_owned()
    };
    assert_eq!(file("31/12/2019", "25:61:00"), "31/12/2019 25:61:00");
    assert_eq!(file("12/31/2019", "25:61:00"), "12/31/2019 25:61:00");
    assert_eq!(file("02/29/2023", "-"), "02/29/2023");
    assert_eq!(file("12/31/2019", "23:59:00"), "2019-12-31T23:59:00Z");
    assert_eq!(file("2019.12.31", "-"), "2019-12-31");
}

#[test]
fn a_column_that_does_not_exist_is_shown_as_it_is() {
    for (name, text) in [
        ("a.txt", "[Game \"Pente\"]\n\n1. K10 I9 2. N10 M9 1-0\n"),
        ("b.txt", "1-0 Y 1600 1600 K10 I9 N10\n"),
    ] {
        let (code, _, err) = convert(name, text.as_bytes(), &["--to", "json"]);
        assert!(code == Some(1) && err.contains("`I9` is no point"), "{err}");
    }
}

#[test]
fn a_position_of_yixin_board_is_read() {
    let (code, game, err) = json("a.pos", b"15\n15\n4\n7 7\n8 8\n6 7\n6 6\n", &[]);
    assert_eq!((code, moves(&game).as_str(), err.as_str()), (Some(0), "h8 i7 h9 g9", ""));
    assert_eq!(game["rules"], "gomoku");
    let (_, game, _) = json("a.pos", b"10\n12\n1\n9 11\n", &[]);
    assert_eq!((moves(&game).as_str(), &game["rules"]), ("l1", &"gomoku+size=12x10".into()));
    for (text, reason) in [
        ("15\n15\n2\n7 7\n", "line 4: the file ends before stone 2 of 2"),
        ("15\n15\n1\n7 15\n", "line 4: `7 15` is not on the board"),
        ("15\n15\n1\n7 7\n8 8\n", "line 5: `8` after the last of 1 stones"),
    ] {
        let (code, _, err) = convert("a.pos", text.as_bytes(), &["--to", "json"]);
        assert!(code == Some(1) && err.contains(reason), "{reason}: {err}");
    }
}

/// Characters that change the direction of writing are seen, in each format and in messages.
#[test]
fn directions_of_writing_are_shown_escaped() {
    let name = "a\u{202e}b\u{200f}";
    let text = format!("(;GM[4]SZ[15]PB[{name}]PW[x]C[\u{2066}c]\u{61c}X\u{202d}[1];B[hh])");
    for format in ["json", "sgf", "pente-org", "psq"] {
        let (_, out, err) = convert("a.sgf", text.as_bytes(), &["--to", format]);
        let shown = if format == "json" { r"a\\u{202e}b\\u{200f}" } else { r"a\u{202e}b\u{200f}" };
        let shown = if format == "sgf" { r"a\\u{202e}b\\u{200f}" } else { shown };
        assert!(out.contains(shown), "{format}: {out}");
        for text in [out, err] {
            assert!(!text.contains(['\u{202e}', '\u{202d}', '\u{200f}', '\u{2066}', '\u{61c}']));
        }
    }
}
