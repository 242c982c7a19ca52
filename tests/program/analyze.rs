//! `pentarch analyze` as a script meets it: lines through pipes.

use pentarch::rules::catalog::CATALOG;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

const BINARY: &str = env!("CARGO_BIN_EXE_pentarch");
const SPEC: &str = include_str!("../../protocol/SPEC.md");

/// A program that analyzes, spoken to a line at a time.
struct Analysis {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
}

impl Analysis {
    fn start(arguments: &[&str]) -> Analysis {
        let mut child = Command::new(BINARY)
            .arg("analyze")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = child.stdout.take().map(BufReader::new);
        Analysis { child, input, output }
    }

    fn send(&mut self, query: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{query}").unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        let length = self.output.as_mut().unwrap().read_line(&mut line).unwrap();
        assert!(length > 0, "the output has ended");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Ends the input and reads what is left; the program must leave with 0.
    fn finish(mut self) -> Vec<Value> {
        self.input = None;
        let lines = self.output.take().unwrap().lines();
        let read = |line: String| {
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
        };
        let answers = lines.map(|line| read(line.unwrap())).collect();
        assert!(self.child.wait().unwrap().success());
        answers
    }
}

/// What is answered to some input.
fn answers(arguments: &[&str], input: &[u8]) -> Vec<Value> {
    let mut analysis = Analysis::start(arguments);
    let mut stdin = analysis.input.take().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).unwrap());
        analysis.finish()
    })
}

fn lines(queries: &[Value]) -> Vec<u8> {
    queries.iter().flat_map(|query| format!("{query}\n").into_bytes()).collect()
}

fn ask(arguments: &[&str], query: &Value) -> Value {
    let mut found = answers(arguments, &lines(std::slice::from_ref(query)));
    assert_eq!(found.len(), 1, "{query}: {found:?}");
    found.remove(0)
}

/// The answers by id and turn.
fn sorted(answers: Vec<Value>) -> BTreeMap<(String, u64), Value> {
    let key = |answer: &Value| {
        (answer["id"].as_str().unwrap().to_owned(), answer["turnNumber"].as_u64().unwrap())
    };
    let count = answers.len();
    let sorted: BTreeMap<_, _> = answers.into_iter().map(|answer| (key(&answer), answer)).collect();
    assert_eq!(sorted.len(), count, "one answer a turn");
    sorted
}

/// The conversation of the specification: what is sent, and all that comes back in some order.
#[test]
fn the_example_of_the_specification_holds() {
    let block = SPEC.split("```analyze\n").nth(1).expect("the example");
    let block = block.split("```").next().unwrap();
    let part = |sign: &str| {
        let lines = block.lines().filter_map(|line| line.strip_prefix(sign));
        lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let mut found = answers(&["--workers", "2"], (part(">").join("\n") + "\n").as_bytes());
    for expected in part("<") {
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let place = found.iter().position(|answer| is_like(answer, &expected));
        let place = place.unwrap_or_else(|| panic!("{expected} is not among {found:#?}"));
        found.remove(place);
    }
    assert!(found.is_empty(), "{found:?}");
}

/// Whether a value is the expected one, in which the text `*` stands for anything.
pub(crate) fn is_like(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (_, Value::String(any)) if any == "*" => true,
        (Value::Object(found), Value::Object(expected)) => {
            found.len() == expected.len()
                && expected
                    .iter()
                    .all(|(key, value)| found.get(key).is_some_and(|own| is_like(own, value)))
        }
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(own, value)| is_like(own, value))
        }
        _ => found == expected,
    }
}

/// An answer must say what the contract promises.
fn check(answer: &Value) {
    assert_eq!(answer["schema"], 1, "{answer}");
    assert_eq!(answer["isDuringSearch"], false, "{answer}");
    let values = |info: &Value| {
        let score = info["score"].as_i64().unwrap_or_else(|| panic!("a score: {answer}"));
        let winrate = info["winrate"].as_f64().unwrap();
        let logistic = 1.0 / (1.0 + (-score as f64 / 400.0).exp());
        assert!((winrate - logistic).abs() < 1e-4, "{answer}");
        assert!(["exact", "lower", "upper"].contains(&info["bound"].as_str().unwrap()), "{answer}");
        assert!(info["nodes"].is_u64() && info["depth"].is_u64(), "{answer}");
        assert_eq!(info["mate"].is_i64(), score.abs() > 20_000, "{answer}");
        score
    };
    let root = &answer["rootInfo"];
    values(root);
    for field in ["seat", "side", "color"] {
        assert!((1..=4).contains(&root[field].as_u64().unwrap()), "{answer}");
    }
    assert!(root["captures"].is_array(), "{answer}");
    let infos = answer["moveInfos"].as_array().unwrap();
    assert_eq!(infos.is_empty(), root.get("outcome").is_some(), "{answer}");
    for (order, info) in (0..).zip(infos) {
        values(info);
        assert_eq!(info["order"], order, "{answer}");
        assert_eq!(info["pv"][0], info["move"], "{answer}");
    }
}

#[test]
fn every_game_is_analyzed() {
    let queries: Vec<_> = CATALOG
        .iter()
        .map(|row| {
            json!({"id": row.name, "rules": row.name, "maxNodes": 20, "includeBoard": true,
                   "includePicture": true, "includeThreats": true})
        })
        .collect();
    let found = sorted(answers(&["--workers", "2", "--hash", "16"], &lines(&queries)));
    assert_eq!(found.len(), CATALOG.len());
    for answer in found.values() {
        check(answer);
        assert!(answer["picture"].as_str().unwrap().contains("<svg"), "{answer}");
        assert!(!answer["board"].as_str().unwrap().is_empty());
        assert!(answer["threats"].is_array());
    }
}

/// A short game with something to find at each turn.
fn game(id: &str, fields: &Value) -> Value {
    let mut query = json!({"id": id, "rules": "gomoku",
        "moves": ["h8", "h9", "i9", "g7", "j10", "k11", "i10"]});
    query.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    query
}

#[test]
fn answers_do_not_depend_on_the_workers_nor_on_the_order() {
    let turns: Vec<u32> = (0..=7).collect();
    let mut queries: Vec<_> = ["a", "b", "c"]
        .iter()
        .zip([300, 700, 150])
        .map(|(id, nodes)| {
            game(id, &json!({"maxNodes": nodes, "analyzeTurns": turns, "multiPV": 2}))
        })
        .collect();
    queries.push(json!({"id": "tree", "rules": "pente-3", "maxNodes": 100}));
    let one = sorted(answers(&["--workers", "1"], &lines(&queries)));
    assert_eq!(one.len(), 25);
    one.values().for_each(check);
    queries.reverse();
    assert_eq!(one, sorted(answers(&["--workers", "3", "--hash", "16"], &lines(&queries))));
}

#[test]
fn several_lines_are_ranked_and_differ() {
    let answer = ask(&[], &game("a", &json!({"multiPV": 4, "maxDepth": 3})));
    check(&answer);
    let infos = answer["moveInfos"].as_array().unwrap();
    assert_eq!(infos.len(), 4);
    let moves: std::collections::BTreeSet<_> =
        infos.iter().map(|info| info["move"].as_str().unwrap()).collect();
    assert_eq!(moves.len(), 4, "{answer}");
    assert_eq!(answer["rootInfo"]["score"], infos[0]["score"]);
}

#[test]
fn a_win_has_its_length_and_limits_are_kept() {
    let open_four = json!({"id": "w", "rules": "gomoku", "maxNodes": 2000,
        "moves": ["h8", "a1", "i8", "c1", "j8", "e1", "k8", "g1"]});
    let answer = ask(&[], &open_four);
    check(&answer);
    assert_eq!(answer["rootInfo"]["mate"], 1, "{answer}");
    assert_eq!(answer["rootInfo"]["winrate"], 1.0);
    assert_eq!(ask(&[], &game("d", &json!({"maxDepth": 2})))["rootInfo"]["depth"], 2);
    let nodes = ask(&[], &game("n", &json!({"maxVisits": 60})));
    assert!(nodes["rootInfo"]["nodes"].as_u64().unwrap() <= 60, "{nodes}");
    let default = ask(&["--nodes", "50"], &game("n", &json!({})));
    assert!(default["rootInfo"]["nodes"].as_u64().unwrap() <= 50, "{default}");
    check(&ask(&[], &game("t", &json!({"maxTime": 0.02, "mate": 5}))));
}

#[test]
fn moves_are_allowed_and_avoided() {
    let best = ask(&[], &game("a", &json!({"maxNodes": 200})))["moveInfos"][0]["move"].clone();
    let avoided = ask(&[], &game("a", &json!({"maxNodes": 200, "avoidMoves": [best]})));
    assert_ne!(avoided["moveInfos"][0]["move"], best);
    let only = json!({"maxNodes": 50, "allowMoves":
        [{"player": "W", "moves": ["A1", "K1"], "untilDepth": 1}]});
    let mv = ask(&[], &game("a", &only))["moveInfos"][0]["move"].clone();
    assert!(mv == "a1" || mv == "j1", "{mv}");
}

#[test]
fn forms_of_katago_are_understood() {
    let ours = json!({"id": "a", "rules": "pente", "moves": ["j10", "j11"], "maxNodes": 50});
    let theirs = json!({"id": "a", "rules": "pente", "moves": [["b", "K10"], ["w", "K11"]],
        "maxVisits": 50, "boardXSize": 19, "boardYSize": 19, "includeOwnership": false});
    assert_eq!(ask(&[], &ours), ask(&[], &theirs));
    let small = json!({"id": "a", "rules": "gomoku", "boardXSize": 9, "boardYSize": 9,
        "moves": [["B", "J9"]], "maxVisits": 10, "includeBoard": true});
    let answer = ask(&[], &small);
    assert!(answer["board"].as_str().unwrap().contains("  9 . . . . . . . . "), "{answer}");
}

/// Lines, the id and the field of what is wrong with them.
const BAD: [(&str, &str); 19] = [
    ("not JSON at all", "- -"),
    ("[1]", "- -"),
    (r#"{"id":"cut","moves":["#, "cut -"),
    (r#"{"maxNodes":5}"#, "- id"),
    (r#"{"id":7}"#, "- id"),
    (r#"{"id":"variant","rules":"nope"}"#, "variant rules"),
    (r#"{"id":"clash","rules":"pent-up+keryo"}"#, "clash rules"),
    (r#"{"id":"type","maxNodes":"many"}"#, "type maxNodes"),
    (r#"{"id":"zero","multiPV":0}"#, "zero multiPV"),
    (r#"{"id":"time","maxTime":-1}"#, "time maxTime"),
    (r#"{"id":"illegal","moves":["j10","j10"]}"#, "illegal moves"),
    (
        r#"{"id":"after","rules":"gomoku+size=3x3+line=3","moves":["b2","a1","b1","a3","b3","c3"]}"#,
        "after moves",
    ),
    (r#"{"id":"turn","moves":["j10"],"analyzeTurns":[2]}"#, "turn analyzeTurns"),
    (r#"{"id":"place","initialPosition":"9/9 w"}"#, "place initialPosition"),
    (r#"{"id":"stones","initialStones":[["B","Z10"]]}"#, "stones initialStones"),
    (r#"{"id":"none","maxNodes":5,"allowMoves":["a1"]}"#, "none allowMoves"),
    (r#"{"id":"act","action":"terminat"}"#, "act action"),
    (r#"{"id":"what","action":"terminate"}"#, "what terminateId"),
    (r#"{"id":"player","avoidMoves":[{"player":"x","moves":["A1"]}]}"#, "player avoidMoves"),
];

#[test]
fn bad_lines_are_answered_one_by_one_and_spoil_no_other() {
    let long = format!("{{\"id\":\"long\",\"x\":\"{}\"}}", "x".repeat(10 << 20));
    let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
    let deep = format!("{{\"moves\":{open}{close},\"id\":\"deep\"}}");
    let good = |id: &str| format!("{{\"id\":\"{id}\",\"maxNodes\":10}}");
    let odd = r#"{"id":"odd","maxNodes":10,"maxNode":1,"komi":7.5}"#;
    let mut input = format!("{}\r\n\n", good("good1")).into_bytes();
    for line in BAD.iter().map(|(line, _)| *line).chain([long.as_str(), &deep, odd]) {
        input.extend(format!("{line}\n").bytes());
    }
    input.extend(b"{\"id\":\"bytes\",\"rules\":\"\xff\"}\n");
    // The last line lacks its end.
    input.extend(good("good2").bytes());
    let found = answers(&["--workers", "1"], &input);
    assert!(found.iter().all(|answer| answer["schema"] == 1), "{found:?}");
    let of = |kind: &str| {
        let of_kind = found.iter().filter(|answer| answer.get(kind).is_some());
        let named = of_kind.map(|answer| {
            let text = |field: &str| answer[field].as_str().unwrap_or("-");
            format!("{} {}", text("id"), text("field"))
        });
        let mut named: Vec<_> = named.collect();
        named.sort();
        named
    };
    let bad = BAD.iter().map(|(_, problem)| (*problem).to_owned());
    let mut bad: Vec<_> = bad.chain(["long -", "deep -", "bytes -"].map(str::to_owned)).collect();
    bad.sort();
    assert_eq!(of("error"), bad);
    assert_eq!(of("warning"), ["odd komi", "odd maxNode"]);
    assert_eq!(of("moveInfos"), ["good1 -", "good2 -", "odd -"]);
}

/// What will not end by itself within the patience of a test.
fn endless(id: &str) -> Value {
    game(
        id,
        &json!({"maxNodes": 1_000_000_000_000_u64, "analyzeTurns": [1, 2], "priorities": [0, 1]}),
    )
}

#[test]
fn queries_are_terminated_whether_they_run_or_wait() {
    let mut analysis = Analysis::start(&["--workers", "1"]);
    analysis.send(&endless("a"));
    analysis.send(&endless("a"));
    let twice = analysis.read();
    assert_eq!((&twice["id"], &twice["field"]), (&json!("a"), &json!("id")));
    analysis
        .send(&json!({"id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [1]}));
    assert_eq!(
        analysis.read(),
        json!({"id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [1], "schema": 1})
    );
    assert_eq!(
        analysis.read(),
        json!({"id": "a", "turnNumber": 1, "isDuringSearch": false, "noResults": true, "schema": 1})
    );
    thread::sleep(std::time::Duration::from_millis(100));
    analysis.send(&json!({"id": "u", "action": "terminate_all"}));
    assert_eq!(analysis.read()["id"], "u");
    let last = analysis.read();
    assert_eq!((&last["id"], &last["turnNumber"]), (&json!("a"), &json!(2)));
    check(&last);
    // Its id is free again.
    analysis.send(&game("a", &json!({"maxNodes": 5})));
    check(&analysis.read());
    analysis.send(&json!({"id": "c", "action": "clear_cache"}));
    assert_eq!(analysis.read(), json!({"id": "c", "action": "clear_cache", "schema": 1}));
    analysis.send(&json!({"id": "v", "action": "query_version"}));
    assert_eq!(analysis.read()["version"], env!("CARGO_PKG_VERSION"));
    assert!(analysis.finish().is_empty());
}

#[test]
fn searches_report_while_they_run_and_the_urgent_comes_first() {
    let mut analysis = Analysis::start(&["--workers", "1"]);
    analysis.send(&game(
        "long",
        &json!({"maxNodes": 1_000_000_000_000_u64, "reportDuringSearchEvery": 0.02}),
    ));
    for _ in 0..3 {
        let report = analysis.read();
        assert_eq!((&report["id"], &report["isDuringSearch"]), (&json!("long"), &json!(true)));
        assert!(!report["moveInfos"].as_array().unwrap().is_empty(), "{report}");
    }
    analysis.send(&game("later", &json!({"maxNodes": 5})));
    analysis.send(&game("first", &json!({"maxNodes": 5, "priority": 3})));
    analysis.send(&json!({"id": "t", "action": "terminate", "terminateId": "long"}));
    let left = analysis.finish();
    let ids = left.iter().filter(|answer| answer["isDuringSearch"] == false);
    let ids: Vec<_> = ids.map(|answer| answer["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["long", "first", "later"]);
}

/// More answers than pipes and queues hold by themselves.
#[test]
fn a_client_may_send_everything_before_it_reads() {
    const COUNT: usize = 1_000;
    let mut analysis = Analysis::start(&["--workers", "2"]);
    for id in 0..COUNT {
        // Nothing is left to search here.
        analysis.send(&json!({"id": id.to_string(), "rules": "gomoku+size=25",
            "moves": ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"], "includePicture": true}));
        analysis.send(&json!({"id": "v", "action": "query_version"}));
    }
    let found = analysis.finish();
    assert_eq!(found.len(), 2 * COUNT);
    let bytes: usize = found.iter().map(|answer| answer.to_string().len()).sum();
    assert!(bytes > 5 << 20, "{bytes} bytes would fit into the queue");
}

#[test]
fn a_closed_output_ends_everything() {
    // The input stays open, and the search has nothing to say.
    let mut analysis = Analysis::start(&["--workers", "1"]);
    analysis.send(&endless("a"));
    analysis.output = None;
    assert!(analysis.child.wait().unwrap().success());
}

/// The greatest resident size so far, in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Queries about many games wait without a board each.
#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_number_of_queries() {
    let games = ["pente", "gomoku", "renju", "connect6", "keryo-pente", "pente-13", "caro"];
    let mut analysis = Analysis::start(&["--workers", "1", "--hash", "8"]);
    let mut peak_after = |count: usize| {
        let mut input = analysis.input.take().unwrap();
        let queries: Vec<u8> = (0..count)
            .flat_map(|id| {
                let query = json!({"id": id.to_string(), "rules": games[id % games.len()],
                    "maxNodes": 1});
                format!("{query}\n").into_bytes()
            })
            .collect();
        analysis.input = thread::scope(|scope| {
            let writer = scope.spawn(|| {
                input.write_all(&queries).unwrap();
                input
            });
            (0..count).for_each(|_| check(&analysis.read()));
            Some(writer.join().unwrap())
        });
        peak_memory(&analysis.child)
    };
    let few = peak_after(300);
    let many = peak_after(6_000);
    assert!(many < few + (24 << 10), "{few} KiB after 300 queries, {many} KiB after 6,000");
    assert!(analysis.finish().is_empty());
}

/// The shards answer each query once, and as one run does.
#[test]
fn shards_share_the_queries() {
    let mut queries: Vec<_> =
        (0..7).map(|id| game(&format!("q{id}"), &json!({"maxNodes": 10 + id}))).collect();
    queries.push(json!({"id": "bad", "rules": "chess"}));
    let mut whole = answers(&["--workers", "1"], &lines(&queries));
    queries.push(json!({"id": "c", "action": "clear_cache"}));
    let mut parts = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let mut part = answers(&["--workers", "1", "--shard", shard], &lines(&queries));
        let before = part.len();
        part.retain(|answer| answer["action"].is_null());
        assert_eq!(part.len() + 1, before, "each shard executes actions");
        assert!((2..=3).contains(&part.len()), "{shard}: {part:?}");
        parts.extend(part);
    }
    let by_id = |answer: &Value| answer["id"].to_string();
    whole.sort_by_key(by_id);
    parts.sort_by_key(by_id);
    assert_eq!(parts, whole);
}

/// A search that proves enough, or that ends early, has fewer lines than moves exist.
#[test]
fn there_are_as_many_lines_as_moves() {
    let win = ["h8", "a1", "i8", "c1", "j8", "e1", "k8", "g1"];
    let defense = ["h8", "a1", "i8", "c1", "j8", "e1", "k8"];
    for (rules, moves, fields, lines) in [
        ("gomoku", win.as_slice(), json!({"multiPV": 7, "maxNodes": 500}), 7),
        ("gomoku", &defense, json!({"multiPV": 7, "maxNodes": 500}), 7),
        ("gomoku", &win[..3], json!({"multiPV": 100, "maxNodes": 1}), 100),
        ("gomoku", &win[..3], json!({"multiPV": 9, "maxNodes": 1, "allowMoves": ["a2", "b5"]}), 2),
        ("gomoku+size=3x3+line=3", &["b2", "a1", "b1"], json!({"multiPV": 50, "maxNodes": 50}), 6),
        ("pente-3", &["j10"], json!({"multiPV": 20, "maxNodes": 3}), 20),
        ("pentalath", &[], json!({"multiPV": 61, "maxNodes": 3}), 61),
        ("pent-up", &[], json!({"multiPV": 30, "maxNodes": 2}), 30),
        ("swap2-pente", &["j10", "k10", "a1"], json!({"multiPV": 9, "maxNodes": 20}), 3),
    ] {
        let mut query = json!({"id": "a", "rules": rules, "moves": moves});
        query.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let answer = ask(&["--workers", "1"], &query);
        check(&answer);
        let infos = answer["moveInfos"].as_array().unwrap();
        let distinct: std::collections::BTreeSet<_> =
            infos.iter().map(|info| info["move"].as_str().unwrap()).collect();
        assert_eq!((infos.len(), distinct.len()), (lines, lines), "{query}: {answer}");
        let scores: Vec<_> = infos.iter().map(|info| info["score"].as_i64().unwrap()).collect();
        // Tree search, of three sides and of tiles, ranks moves by visits.
        let is_tree = ["pente-3", "pent-up"].contains(&rules);
        assert!(is_tree || scores.is_sorted_by(|a, b| a >= b), "{query}: {scores:?}");
    }
}

fn player(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/players").join(name).display().to_string()
}

#[test]
fn other_engines_answer_the_same_queries() {
    let queries = [
        game("a", &json!({"maxNodes": 60, "analyzeTurns": [0, 5, 7]})),
        game("b", &json!({"maxNodes": 5})),
    ];
    let ugi = format!("name=other cmd={BINARY} ugi --hash 1");
    let found = sorted(answers(&["--workers", "2", "--engine", &ugi], &lines(&queries)));
    assert_eq!(found.len(), 4);
    found.values().for_each(check);
    let own = sorted(answers(&["--hash", "8"], &lines(&queries)));
    for (key, answer) in found {
        assert_eq!(answer["moveInfos"][0]["move"], own[&key]["moveInfos"][0]["move"]);
    }
    let many = game("m", &json!({"maxNodes": 5, "multiPV": 3, "allowMoves": ["a1"]}));
    let found = answers(&["--engine", &ugi], &lines(&[many]));
    assert_eq!((&found[0]["field"], found[0]["warning"].is_string()), (&json!("multiPV"), true));
    assert_eq!((&found[1]["field"], found[1]["error"].is_string()), (&json!("allowMoves"), true));
    let gtp = format!("proto=gtp cmd={BINARY} gtp --variant gomoku --hash 1 --time 0.02");
    let found = sorted(answers(&["--workers", "1", "--engine", &gtp], &lines(&queries)));
    assert_eq!(found.len(), 4);
    found.values().for_each(check);
    // This one does not say what it thinks of its move.
    let silent = format!("proto=gtp cmd=sh {} fine", player("gtp.sh"));
    let small = json!({"id": "a", "rules": "gomoku+size=9", "moves": ["e5"]});
    let answer = ask(&["--workers", "1", "--engine", &silent], &small);
    assert_eq!(answer["rootInfo"]["score"], Value::Null, "{answer}");
    assert_eq!(answer["moveInfos"][0]["pv"], json!(["a1"]), "{answer}");
}

#[test]
fn an_engine_that_dies_or_hangs_costs_one_answer() {
    let turns = json!({"id": "a", "rules": "gomoku", "moves": ["a1", "b1", "c1"],
        "analyzeTurns": [0, 1, 2, 3], "maxTime": 0.05, "boardXSize": 9});
    for (mode, reason) in
        [("late-crash", "died"), ("late-hang", "no answer"), ("late-illegal", "illegal move")]
    {
        let engine = format!("cmd=sh {} {mode}", player("ugi.sh"));
        let found =
            answers(&["--workers", "1", "--engine", &engine], &lines(std::slice::from_ref(&turns)));
        assert_eq!(found.len(), 4, "{mode}: {found:?}");
        let is_fine = |answer: &Value| answer["moveInfos"].is_array();
        assert!(is_fine(&found[0]) && is_fine(&found[2]), "{mode}: {found:?}");
        let error = found[1]["error"].as_str().unwrap_or_default();
        assert!(error.contains(reason), "{mode}: {found:?}");
        assert_eq!((&found[1]["id"], &found[1]["turnNumber"]), (&json!("a"), &json!(1)));
    }
    let missing = answers(&["--engine", "cmd=/nowhere/engine"], &lines(&[turns]));
    assert!(
        missing.iter().all(|answer| answer["error"].as_str().unwrap().contains("/nowhere/engine"))
    );
}

/// Both scripts of the specification find the same worst moves.
#[test]
fn scripts_find_the_worst_move_of_each_game() {
    let section = SPEC.split("### Scripts\n").nth(1).expect("the scripts");
    let script = |fence: &str| {
        let block = section.split(fence).nth(1).expect(fence).split("```").next().unwrap();
        assert!(block.lines().count() <= if fence.contains("python") { 15 } else { 10 }, "{block}");
        block.to_owned()
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("analyze-scripts");
    std::fs::create_dir_all(&folder).unwrap();
    // White overlooks an open three, then Black does.
    let games = "j10 k11 m10 a1 l10 a2 k10\nj10 j11 m10 i11 a1 k11 a2 h11\n";
    std::fs::write(folder.join("games.txt"), games).unwrap();
    let programs = Path::new(BINARY).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let run = |program: &str, script: &str| {
        let mut command = Command::new(program);
        command.args(["-c", script]).current_dir(&folder).env("PATH", &path);
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol/python/src");
        command.env("PENTARCH", BINARY).env("PYTHONPATH", package);
        let output = command.output().ok()?;
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{program}: {errors}");
        Some(String::from_utf8(output.stdout).unwrap())
    };
    let found = |out: &str| {
        let lines = out.lines().filter(|line| line.starts_with("game ")).map(str::to_owned);
        lines.collect::<Vec<_>>()
    };
    let out = run("sh", &script("```sh\n")).unwrap();
    assert_eq!(found(&out).len(), 2, "{out}");
    assert!(out.contains("19 . . ."), "{out}");
    // Not every machine has Python.
    if Command::new("python3").arg("--version").output().is_ok() {
        let theirs = run("python3", &script("```python\n")).unwrap();
        assert_eq!(found(&theirs), found(&out));
        assert!(theirs.contains("19 . . ."), "{theirs}");
    }
}
