//! The tables of `SPEC.md` about the documents of the protocols: each line is sent to the program, and the
//! class of the answer is compared.

use crate::run;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

const SPEC: &str = include_str!("../../protocol/SPEC.md");

/// A row of a table.
#[derive(Clone, Debug)]
struct Row<'a> {
    dialect: &'a str,
    lines: Vec<&'a str>,
    class: &'a str,
}

/// Returns the rows of the tables.
fn rows() -> Vec<Row<'static>> {
    let (_, section) = SPEC.split_once("\n## Commands of the protocols' documents\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut dialect = "";
    let mut rows = Vec::new();
    for line in section.lines() {
        if let Some((_, rest)) = line.split_once("Dialect `") {
            dialect = rest.split('`').next().unwrap();
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let ["", lines, class, _, ""] = cells[..]
            && lines.starts_with('`')
        {
            rows.push(Row { dialect, lines: lines.split('`').skip(1).step_by(2).collect(), class });
        }
    }
    rows
}

/// Returns what the program answers to lines, in a game in which little has to be searched.
fn answer(folder: &Path, dialect: &str, lines: &[&str]) -> String {
    let (arguments, start): (&[&str], &str) = match dialect {
        "gtp" => (&["gtp", "--variant", "gomoku+size=9", "--time", "0.02"], ""),
        "gomocup" => (&["gomocup"], "START 15\nINFO max_depth 1\n"),
        _ => (&[dialect, "--variant", "gomoku+size=9"], ""),
    };
    let (code, out, err) = run::run(folder, arguments, &format!("{start}{}\n", lines.join("\n")));
    assert_eq!((code, err.as_str()), (Some(0), ""), "{lines:?}");
    out
}

/// Returns the class of the answer to lines.
fn class(dialect: &str, out: &str) -> &'static str {
    let starts =
        |words: &[&str]| out.lines().any(|line| words.iter().any(|word| line.starts_with(word)));
    let (unknown, refused) = match dialect {
        "gtp" => (starts(&["? unknown command", "? syntax error"]), starts(&["?"])),
        // A refusal of INFO is a message, because it is never answered.
        "gomocup" => (false, starts(&["ERROR", "UNKNOWN", "MESSAGE INFO rule"])),
        _ => {
            let unknown =
                starts(&["info string error: unknown command", "info string error: malf"]);
            (unknown, starts(&["info string error:", "info string ignored:"]))
        }
    };
    match (unknown, refused) {
        (true, _) => "unknown",
        (false, true) => "refused",
        (false, false) => "supported",
    }
}

/// Lines to which the program answers with every field that it sends.
const RICH: [(&str, &[&str]); 4] = [
    (
        "ugi",
        &[
            "ugi",
            "isready",
            "query result",
            "setoption name MultiPV value 2",
            "go depth 3",
            "position startpos moves a1 a9 b1 b9 c1 c9 d1 d9",
            "go depth 2",
        ],
    ),
    (
        "uci",
        &[
            "uci",
            "isready",
            "setoption name UCI_ShowWDL value true",
            "setoption name MultiPV value 2",
            "go depth 3",
            "position startpos moves a1 a9 b1 b9 c1 c9 d1 d9",
            "go depth 2",
        ],
    ),
    (
        "gtp",
        &[
            "kata-search_analyze b 1 rootInfo true ownership true ownershipStdev true noResultValue true \
             movesOwnership true movesOwnershipStdev true pvVisits true pvEdgeVisits true",
            "lz-genmove_analyze b 1",
        ],
    ),
    (
        "gomocup",
        &[
            "ABOUT",
            "YXSHOWFORBID",
            "YXSHOWINFO",
            "INFO show_detail 3",
            "SWAP2BOARD",
            "7,7",
            "0,0",
            "7,8",
            "DONE",
            "START 15",
            "YXSWAP2STEP1",
            "START 15",
            "INFO max_depth 2",
            "YXBOARD 0,0,2 0,14,1 1,0,2 1,14,1 2,0,2 3,14,1 3,0,2 DONE",
            "YXSEARCHDEFEND",
            "BEGIN",
            "HELLO",
        ],
    ),
];

#[test]
fn the_tables_of_the_documents_are_true() {
    let folder = run::folder("documents", "all");
    std::fs::write(folder.join("game.sgf"), "(;GM[4]SZ[9];B[ee];W[dd])").unwrap();
    let rich = RICH.map(|(dialect, lines)| (dialect, answer(&folder, dialect, lines)));
    let rows = rows();
    assert!(rows.len() > 200, "{}", rows.len());
    let queue = Mutex::new(rows.into_iter());
    let wrong = Mutex::new(Vec::new());
    let work = || {
        loop {
            let next = queue.lock().unwrap().next();
            let Some(Row { dialect, lines, class: expected }) = next else { return };
            let (found, out) = if let Some(field) = lines[0].strip_prefix("< ") {
                let (_, out) = rich.iter().find(|(known, _)| *known == dialect).unwrap();
                let is_sent = if field.contains(' ') || field.contains('"') {
                    out.contains(field)
                } else {
                    out.split_whitespace().any(|word| word == field)
                };
                (if is_sent { "sent" } else { "not sent" }, out.clone())
            } else {
                let out = answer(&folder, dialect, &lines);
                (class(dialect, &out), out)
            };
            // Lines without effect are answered as if they had one.
            let expected = if expected == "no effect" { "supported" } else { expected };
            if found != expected {
                wrong.lock().unwrap().push(format!("{lines:?}: {found}\n{out}"));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} rows\n{}", wrong.len(), wrong.join("\n"));
}
