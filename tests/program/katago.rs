//! `pentarch katago` and `analyze --present-as katago` as clients of `KataGo` use them.

use crate::analyze::is_like;
use crate::run::{folder, run};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const SPEC: &str = include_str!("../../protocol/SPEC.md");

/// What is answered to queries. Nothing but answers is on standard output.
fn answers(arguments: &[&str], queries: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = queries.iter().map(|query| format!("{query}\n")).collect();
    let input = lines.concat();
    let (code, out, err) = run(&folder("katago", "answers"), arguments, &input);
    assert_eq!(code, Some(0), "{err}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ask(query: &Value) -> Value {
    let arguments = ["analyze", "--present-as", "katago", "--variant", "gomoku", "--hash", "16"];
    let mut found = answers(&arguments, std::slice::from_ref(query));
    assert_eq!(found.len(), 1, "{query}: {found:?}");
    found.remove(0)
}

/// A query of a client for Go, with other fields.
fn query(fields: &Value) -> Value {
    let mut query = json!({"id": "a", "rules": "japanese", "komi": 6.5, "boardXSize": 15,
        "boardYSize": 15, "moves": [["B", "H8"], ["W", "J9"], ["B", "H9"]], "maxVisits": 5});
    query.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    query
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list")).iter().map(number).collect()
}

/// The fields of `KataGo`'s documentation, by where they are.
fn documented() -> BTreeMap<&'static str, &'static str> {
    BTreeMap::from([
        (
            "query",
            "id moves initialStones initialPlayer rules komi whiteHandicapBonus boardXSize boardYSize \
             analyzeTurns maxVisits rootPolicyTemperature rootFpuReductionMax analysisPVLen \
             includeOwnership includeOwnershipStdev includeMovesOwnership includeMovesOwnershipStdev \
             includePolicy includePVVisits includeNoResultValue avoidMoves allowMoves overrideSettings \
             reportDuringSearchEvery firstReportDuringSearchAfter priority priorities",
        ),
        (
            "overrideSettings",
            "reportAnalysisWinratesAs maxVisits maxTime playoutDoublingAdvantage wideRootNoise \
             ignorePreRootHistory antiMirror rootNumSymmetriesToSample humanSLProfile",
        ),
        ("action", "query_version query_models clear_cache terminate terminate_all"),
        (
            "answer",
            "id isDuringSearch turnNumber moveInfos rootInfo ownership ownershipStdev policy humanPolicy \
             noResults",
        ),
        (
            "moveInfos",
            "move visits edgeVisits winrate scoreMean scoreStdev scoreLead scoreSelfplay prior \
             noResultValue humanPrior utility lcb utilityLcb weight edgeWeight order playSelectionValue \
             isSymmetryOf pv pvVisits pvEdgeVisits ownership ownershipStdev",
        ),
        (
            "rootInfo",
            "winrate scoreLead scoreSelfplay scoreStdev utility visits weight thisHash symHash \
             currentPlayer rawWinrate rawLead rawScoreSelfplay rawScoreSelfplayStdev rawNoResultProb \
             rawStWrError rawStScoreError rawVarTimeLeft humanWinrate humanScoreMean humanScoreStdev \
             humanStWrError humanStScoreError",
        ),
    ])
}

/// The table of the specification: by where a field is, the fields that are supported, not applicable,
/// and refused.
fn table() -> BTreeMap<String, [Vec<String>; 3]> {
    let section = SPEC.split("### KataGo's fields\n").nth(1).expect("the section");
    let section = section.split("\n### ").next().unwrap();
    let rows =
        section.lines().filter(|line| line.starts_with("| `") || line.starts_with("| query"));
    let names = |cell: &str| -> Vec<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        let place = cells[0].trim().trim_matches('`').to_owned();
        (place, [1, 2, 3].map(|index| names(cells[index])))
    };
    rows.map(row).collect()
}

/// Each field is what the table says, and no field of the documentation is missing.
#[test]
fn the_table_of_fields_is_true() {
    let table = table();
    for (place, fields) in documented() {
        let mut known: Vec<&str> = fields.split_whitespace().collect();
        let row = table.get(place).unwrap_or_else(|| panic!("no row for {place}"));
        let mut listed: Vec<&str> = row.iter().flatten().map(String::as_str).collect();
        known.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, known, "{place}");
    }
    // An answer that has everything.
    let everything = query(&json!({"includeOwnership": true, "includeOwnershipStdev": true,
        "includeMovesOwnership": true, "includeMovesOwnershipStdev": true, "includePolicy": true,
        "includePVVisits": true, "includeNoResultValue": true}));
    let answer = ask(&everything);
    let objects = [
        ("answer", &answer),
        ("moveInfos", &answer["moveInfos"][0]),
        ("rootInfo", &answer["rootInfo"]),
    ];
    for (place, object) in objects {
        let [supported, inapplicable, _] = &table[place];
        for field in supported.iter().filter(|field| *field != "noResults") {
            assert!(object.get(field).is_some(), "{place} has no {field}: {object}");
        }
        for field in inapplicable {
            assert!(object.get(field).is_none(), "{place} has {field}: {object}");
        }
    }
    let plain = ask(&query(&json!({})));
    let [supported, inapplicable, _] = &table["query"];
    for field in supported {
        let wrong = query(&json!({ field: {"no": "such value"} }));
        // An object is one of the forms of rules.
        if field == "rules" || field == "overrideSettings" {
            assert_eq!(ask(&wrong), plain, "{field}");
            continue;
        }
        let answer = ask(&wrong);
        assert!(answer["error"].is_string() && answer["field"] == **field, "{field}: {answer}");
    }
    for field in inapplicable {
        for value in [json!(0.5), json!("N-1"), json!(2)] {
            assert_eq!(ask(&query(&json!({ field: value }))), plain, "{field}");
        }
    }
    let with_setting =
        |key: &str, value: &Value| ask(&query(&json!({"overrideSettings": { key: value }})));
    let [supported, inapplicable, refused] = &table["overrideSettings"];
    for key in supported {
        let answer = with_setting(key, &json!("nothing"));
        assert_eq!(answer["field"], "overrideSettings", "{key}: {answer}");
    }
    for key in inapplicable {
        assert_eq!(with_setting(key, &json!(0.04)), plain, "{key}");
    }
    for key in refused {
        let answer = with_setting(key, &json!("rank_5k"));
        assert_eq!(answer["field"], "overrideSettings", "{key}: {answer}");
    }
    for action in &table["action"][0] {
        let sent = json!({"id": "x", "action": action, "terminateId": "none"});
        let answer = ask(&sent);
        assert!(answer["error"].is_null() && answer["action"] == **action, "{answer}");
    }
}

/// The rules of Go mean the variant, vertices are those of GTP, and no line is a warning.
#[test]
fn values_have_their_documented_meanings() {
    let fields = json!({"includePolicy": true, "includeOwnership": true, "analysisPVLen": 2,
        "initialPlayer": "B", "overrideSettings": {"maxTime": 60, "wideRootNoise": 0.04},
        "rootPolicyTemperature": 1.2, "includeMovesOwnership": true});
    for rules in [json!("chinese"), json!({"ko": "SIMPLE", "suicide": false}), Value::Null] {
        let mut query = query(&fields);
        query["rules"] = rules;
        let answer = ask(&query);
        let infos = answer["moveInfos"].as_array().unwrap();
        assert_eq!(infos.len(), 10, "{answer}");
        for (order, info) in infos.iter().enumerate() {
            assert_eq!(info["order"], order, "{info}");
            let pv = info["pv"].as_array().unwrap();
            assert!(pv[0] == info["move"] && pv.len() <= 3, "{info}");
            for mv in pv {
                let mv = mv.as_str().unwrap();
                assert!(mv.starts_with(|c: char| c.is_ascii_uppercase() && c != 'I'), "{info}");
            }
            let rate = number(&info["winrate"]);
            assert!((0.0..=1.0).contains(&rate), "{info}");
            assert!((number(&info["utility"]) - (2.0 * rate - 1.0)).abs() < 1e-6, "{info}");
            let lead = number(&info["scoreLead"]);
            assert!((rate - 1.0 / (1.0 + (-lead / 4.0).exp())).abs() < 1e-4, "{info}");
            assert_eq!(info["visits"], info["edgeVisits"], "{info}");
            assert!(info["visits"].as_u64() >= Some(1), "{info}");
            assert!((0.0..=1.0).contains(&number(&info["prior"])), "{info}");
            assert_eq!(numbers(&info["ownership"]).len(), 225);
        }
        let policy = numbers(&answer["policy"]);
        let taken = |column: usize, row: usize| policy[(15 - row) * 15 + column];
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        assert!(policy.len() == 226 && near(policy[225], -1.0), "there is no pass");
        assert!(
            [taken(7, 8), taken(8, 9), taken(7, 9)].map(|value| near(value, -1.0)) == [true; 3]
        );
        let sum: f64 = policy.iter().filter(|&&value| value >= 0.0).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        let ownership = numbers(&answer["ownership"]);
        assert_eq!(ownership.len(), 225);
        // White is to move, and values are for the side to move.
        assert!(near(ownership[7 * 15 + 7], -1.0) && near(ownership[6 * 15 + 8], 1.0));
        assert_eq!(answer["rootInfo"]["currentPlayer"], "W");
        assert_eq!(answer["rootInfo"]["visits"], 5, "{answer}");
        assert_eq!(answer["rootInfo"]["thisHash"].as_str().unwrap().len(), 32);
    }
}

#[test]
fn win_rates_are_reported_for_whom_the_settings_say() {
    // Black has an open four, White is to move.
    let moves = json!([
        ["B", "H8"],
        ["W", "A1"],
        ["B", "J8"],
        ["W", "C1"],
        ["B", "K8"],
        ["W", "E1"],
        ["B", "L8"]
    ]);
    for (perspective, rate) in [("BLACK", 1.0), ("WHITE", 0.0), ("SIDETOMOVE", 0.0)] {
        let settings = json!({"reportAnalysisWinratesAs": perspective});
        let answer = ask(&query(&json!({"moves": moves, "overrideSettings": settings})));
        let root = &answer["rootInfo"];
        assert_eq!(root["winrate"], rate, "{perspective}: {root}");
        assert_eq!(number(&root["scoreLead"]) > 0.0, rate > 0.5, "{perspective}: {root}");
        assert_eq!(answer["moveInfos"][0]["winrate"], rate, "{perspective}: {answer}");
    }
}

/// Two moves of a color and passes give the turn to the other player, and each counts as a turn.
#[test]
fn moves_out_of_turn_and_passes_are_understood() {
    let player = |moves: &Value, fields: &Value| {
        let mut query = query(&json!({"moves": moves}));
        query.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let answer = ask(&query);
        assert!(answer["error"].is_null(), "{moves}: {answer}");
        answer["rootInfo"]["currentPlayer"].as_str().unwrap().to_owned()
    };
    let none = json!({});
    for (moves, next) in [
        (json!([["W", "H8"]]), "B"),
        (json!([["b", "H8"], ["b", "h9"]]), "W"),
        (json!([["B", "pass"]]), "W"),
        (json!([["B", "H8"], ["W", "pass"], ["B", "PASS"], ["W", "j9"]]), "B"),
        (json!([["B", "(7,0)"]]), "W"),
    ] {
        assert_eq!(player(&moves, &none), next, "{moves}");
    }
    assert_eq!(player(&json!([]), &json!({"initialPlayer": "W"})), "W");
    let handicap = json!({"initialStones": [["B", "D4"], ["B", "L12"]], "initialPlayer": "W"});
    assert_eq!(player(&json!([]), &handicap), "W");
    // (7,0) is the topmost point of the eighth column.
    let twice = ask(&query(&json!({"moves": [["B", "(7,0)"], ["W", "H15"]]})));
    let error = twice["error"].as_str().unwrap();
    assert!(error.contains("Illegal move 1: H15: "), "{error}");
    let turns = query(&json!({"moves": [["B", "H8"], ["W", "pass"], ["B", "H9"]],
        "analyzeTurns": [0, 1, 2, 3]}));
    let arguments = ["analyze", "--present-as", "katago", "--variant", "gomoku"];
    let mut found = answers(&arguments, &[turns]);
    found.sort_by_key(|answer| answer["turnNumber"].as_u64());
    let players: Vec<_> =
        found.iter().map(|answer| answer["rootInfo"]["currentPlayer"].as_str().unwrap()).collect();
    assert_eq!(players, ["B", "W", "B", "W"]);
}

/// The command lines with which clients start `KataGo`, in a folder with a configuration.
#[test]
fn the_command_line_of_katago_is_understood() {
    let folder = folder("katago", "command");
    fs::write(folder.join("more.cfg"), "maxVisits = 3\nreportAnalysisWinratesAs = WHITE\n")
        .unwrap();
    fs::write(
        folder.join("a.cfg"),
        "# of KataGo\nlogDir = logs  # not here\n@include more.cfg\nvariant = renju\n\
         reportAnalysisWinratesAs = BLACK\nnumAnalysisThreads = 2\nnnMaxBatchSize = 64\n",
    )
    .unwrap();
    let go =
        json!({"id": "a", "rules": "tromp-taylor", "moves": [["B", "H8"]], "includePolicy": true});
    let version = json!({"id": "v", "action": "query_version"});
    let models = json!({"id": "m", "action": "query_models"});
    let input = format!("{go}\n{version}\n{models}\n");
    let words = "katago analysis -model none.bin.gz -human-model none.gz -config a.cfg \
                 -override-config homeDataDir=/nowhere,maxVisits=4 -override-config nodesPerVisit=7 \
                 -analysis-threads 1";
    let (code, out, err) = run(&folder, words.split_whitespace(), &input);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("Started, ready to begin handling requests\n"), "{err}");
    let mut found: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    found.sort_by_key(|answer| answer["id"].to_string());
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[0]["rootInfo"]["visits"], 4, "{}", found[0]);
    assert_eq!(found[0]["rootInfo"]["currentPlayer"], "W");
    assert_eq!(found[0]["policy"].as_array().unwrap().len(), 226);
    assert_eq!(found[1]["models"][0]["usesHumanSLProfile"], false);
    assert_eq!(found[2]["version"], "1.15.3");
    assert_eq!(found[2]["git_hash"], "<omitted>");

    // The variant of the configuration, and a program whose file name begins with `katago`, which needs no word `katago`.
    #[cfg(unix)]
    {
        let link = folder.join("katago-link");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pentarch"), &link).unwrap();
        let output = std::process::Command::new(link).arg("version").output().unwrap();
        assert!(output.stdout.starts_with(b"KataGo v1.15.3\n"), "{output:?}");
    }
    let gtp = "katago gtp -config a.cfg -model none.bin.gz -override-config numSearchThreads=64,maxTime=0.05";
    let commands = "name\nboardsize 15\nplay b H8\ngenmove w\nquit\n";
    let (code, out, err) = run(&folder, gtp.split_whitespace(), commands);
    assert_eq!((code, out.starts_with("= KataGo\n")), (Some(0), true), "{out} {err}");
    assert!(err.contains("GTP ready"), "{err}");

    for (words, reason) in [
        ("katago analysis -config none.cfg", "cannot read the configuration none.cfg"),
        ("katago analysis -override-config maxVisits=0", "`maxVisits = 0` in the configuration"),
        ("katago analysis -override-config variant=chess", "unknown variant `chess`"),
        ("katago analysis -override-config variant=pente-3", "has more than two sides"),
        ("katago analysis -override-config variant=pent-up", "has no points"),
        ("analyze --present-as leela", "expected `katago`"),
    ] {
        let (code, _, err) = run(&folder, words.split_whitespace(), "");
        assert!(code == Some(2) && err.contains(reason), "{words}: {err}");
    }
}

/// A search that takes longer than the test ends with the input, if the client asks for that.
#[test]
fn the_end_of_the_input_may_stop_all_searches() {
    let endless =
        query(&json!({"maxVisits": 1_000_000_000_000_u64, "boardXSize": 19, "boardYSize": 19}));
    let (code, _, err) = run(
        &folder("katago", "quit"),
        ["katago", "analysis", "-quit-without-waiting", "--variant", "pente"],
        &format!("{endless}\n{}\n", json!({"id": "v", "action": "query_version"})),
    );
    assert_eq!(code, Some(0), "{err}");
}

/// What programs that no registry has send, and what they need in the answers: `*` is any value, and other
/// fields may be added.
#[test]
fn transcripts_of_clients_hold() {
    let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    for name in ["ogatak.txt", "query_analysis_engine_example.txt"] {
        let text = fs::read_to_string(clients.join(name)).unwrap();
        let part = |sign: &str| -> Vec<&str> {
            text.lines().filter_map(|line| line.strip_prefix(sign)).collect()
        };
        let arguments: Vec<&str> = part("$ ")[0].split_whitespace().collect();
        let (code, out, err) =
            run(&folder("katago", "clients"), arguments, &(part("> ").join("\n") + "\n"));
        assert_eq!(code, Some(0), "{name}: {err}");
        let mut found: Vec<Value> =
            out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for expected in part("< ") {
            let expected: Value = serde_json::from_str(expected).unwrap();
            let place = found.iter().position(|answer| has(answer, &expected));
            let place = place.unwrap_or_else(|| panic!("{name}: {expected} is not in {found:#?}"));
            found.remove(place);
        }
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}

/// Whether a value has the fields of an expected one.
fn has(found: &Value, expected: &Value) -> bool {
    let object = |expected: &Map<String, Value>, found: &Map<String, Value>| {
        expected.iter().all(|(key, value)| found.get(key).is_some_and(|own| has(own, value)))
    };
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => object(expected, found),
        (Value::Array(found), Value::Array(expected)) if expected.len() == 1 => {
            !found.is_empty() && found.iter().all(|own| has(own, &expected[0]))
        }
        _ => is_like(found, expected),
    }
}
