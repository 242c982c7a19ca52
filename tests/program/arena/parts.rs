//! Tournaments in parts, reports, and openings that are written for them.

use super::tournaments::{files, games, pentarch, random_engines, tournament};
use pentarch::arena::{Overrides, Tournament};
use pentarch::engine::Game;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A tournament with a variant for two, one of teams and one at a board of four.
fn four() -> String {
    let head = "variants = ['d-pente+size=9', 'team-pente+size=9',\n\
                { rules = 'pente-4+size=9', format = 'seats', games = 4 }]\n\
                control = { nodes = 1 }\n";
    format!("{head}{}", random_engines(4))
}

#[test]
fn parts_are_joined_to_the_whole() {
    let (file, whole) = files(&four());
    assert_eq!(tournament(&file, &[]).code, Some(0));
    let part = |number: u32| file.with_extension(format!("{number}of3.jsonl"));
    for number in 1..=3 {
        let run = tournament(&file, &["--shard", &format!("{number}/3")]);
        assert_eq!(run.code, Some(0), "{}", run.errors);
    }
    let parts: Vec<_> = (1..=3).map(part).collect();
    let texts: Vec<&str> = parts.iter().map(|path| path.to_str().unwrap()).collect();
    let merge = |arguments: &[&str]| pentarch(&[&["merge"], arguments].concat());
    let joined = merge(&[&texts[..], &["--json"]].concat());
    assert_eq!(joined.code, Some(0), "{}", joined.errors);
    let single = merge(&[whole.to_str().unwrap(), "--json"]);
    let value = |text: &str| {
        let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
        for engine in value["engines"].as_array_mut().unwrap() {
            engine["timeAMove"].take();
        }
        value
    };
    assert_eq!(value(&joined.out), value(&single.out));
    assert_eq!(value(&joined.out)["complete"], true);
    // Games from one opening stay together.
    for path in &parts {
        let sets: Vec<_> = games(path)
            .values()
            .map(|game| game.tournament.clone().unwrap())
            .map(|place| (place.encounter, place.set, place.entrants.len()))
            .collect();
        for set in &sets {
            let size = sets.iter().filter(|other| *other == set).count();
            assert!(size == 2 || size == 4, "{set:?} has {size} games");
        }
    }
    let missing = merge(&texts[1..]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.errors.contains("missing games: 1-2, "), "{}", missing.errors);
    assert!(missing.errors.contains("the shards 2/3, 3/3"), "{}", missing.errors);
    let twice = merge(&[texts[0], texts[1], texts[1]]);
    assert_eq!(twice.code, Some(1));
    assert!(twice.errors.contains("was recorded twice"), "{}", twice.errors);
    // A game of another tournament.
    fs::write(&file, four().replace("nodes = 1", "nodes = 2")).unwrap();
    fs::remove_file(&parts[2]).unwrap();
    assert_eq!(tournament(&file, &["--shard", "3/3"]).code, Some(0));
    let foreign = merge(&texts);
    assert_eq!(foreign.code, Some(1));
    assert!(foreign.errors.contains("belongs to another tournament"), "{}", foreign.errors);
    assert_eq!(merge(&["/nowhere/x"]).code, Some(2));
    for path in parts.iter().chain([&file, &whole]) {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn what_depends_on_results_cannot_be_split() {
    for (head, reason) in [
        ("format = 'swiss'", "cannot split a swiss: who meets whom depends on the results"),
        ("format = 'knockout'", "cannot split a knockout"),
        ("format = 'pair'\nfirst = 'loser'", "who begins depends on the game before"),
    ] {
        let (file, _) = files(&format!("variant = 'gomoku'\n{head}\n{}", random_engines(2)));
        let run = tournament(&file, &["--shard", "1/2"]);
        assert_eq!(run.code, Some(2), "{}", run.out);
        assert!(run.errors.contains(reason), "{}", run.errors);
        fs::remove_file(&file).unwrap();
    }
}

/// A sequential test on the games of both halves comes to what it says to all of them.
#[test]
fn a_test_decides_on_all_parts() {
    let own = "[[engine]]\nname = 'own'\ncontrol = { nodes = 20 }\n";
    let random = "[[engine]]\nname = 'random'\nplayer = 'random'\n";
    for (engines, code, text) in
        [([own, random], 0, "H1 accepted"), ([random, own], 1, "H0 accepted")]
    {
        let head = "variant = 'gomoku+size=9'\nformat = 'pair'\ngames = 60\n";
        let (file, _) = files(&format!("{head}{}", engines.concat()));
        let paths = [1, 2].map(|number| file.with_extension(format!("{number}of2.jsonl")));
        for number in 1..=2 {
            assert_eq!(tournament(&file, &["--shard", &format!("{number}/2")]).code, Some(0));
        }
        let [one, two] = [0, 1].map(|at| paths[at].to_str().unwrap());
        let run = pentarch(&["merge", one, two, "--sprt", "elo0=0,elo1=200"]);
        assert!(run.out.contains(text), "{}{}", run.out, run.errors);
        assert_eq!(run.code, Some(code));
        for path in paths.iter().chain([&file]) {
            fs::remove_file(path).unwrap();
        }
    }
}

/// `merge --watch` follows files that appear late and grow by parts of lines, and runs a command when the
/// test decides.
#[test]
fn a_test_is_decided_while_the_parts_are_played() {
    let own = "[[engine]]\nname = 'own'\ncontrol = { nodes = 20 }\n";
    let random = "[[engine]]\nname = 'random'\nplayer = 'random'\n";
    let head = "variant = 'gomoku+size=9'\nformat = 'pair'\ngames = 60\n";
    let (file, _) = files(&format!("{head}{own}{random}"));
    let folder = super::scratch("watched");
    fs::create_dir(&folder).unwrap();
    let paths = [1, 2].map(|number| folder.join(format!("{number}of2.jsonl")));
    let texts: Vec<String> = paths
        .iter()
        .zip(1..)
        .map(|(path, number)| {
            let shard = format!("{number}/2");
            let options = ["--shard", &shard, "--records", path.to_str().unwrap()];
            assert_eq!(tournament(&file, &options).code, Some(0));
            let text = fs::read_to_string(path).unwrap();
            fs::remove_file(path).unwrap();
            text
        })
        .collect();
    let (mark, folder_text) = (folder.join("mark"), folder.to_str().unwrap().to_owned());
    let command = format!("echo $PENTARCH_DECISION >>'{}'", mark.display());
    let watch = std::thread::spawn(move || {
        let options = ["merge", "--watch", &folder_text, "--interval", "0.05"];
        let test = ["--sprt", "elo0=0,elo1=200", "--on-decision", &command];
        pentarch(&[&options[..], &test].concat())
    });
    let append = |path: &std::path::Path, text: &str| {
        use std::io::Write as _;
        let mut file = fs::File::options().create(true).append(true).open(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(30));
    };
    // The second shard is there first: nothing can be decided.
    append(&paths[1], &texts[1]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(!watch.is_finished() && !mark.exists());
    for line in texts[0].split_inclusive('\n') {
        let (head, tail) = line.split_at(line.len() / 2);
        append(&paths[0], head);
        append(&paths[0], tail);
        if watch.is_finished() {
            break;
        }
    }
    let run = watch.join().unwrap();
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.errors);
    assert!(run.out.contains("H1 accepted"), "{}", run.out);
    assert_eq!(fs::read_to_string(&mark).unwrap(), "H1\n");
    let read = fs::read_to_string(&paths[0]).unwrap();
    assert!(read.len() < texts[0].len(), "it decided before the end");
    fs::remove_dir_all(&folder).unwrap();
    fs::remove_file(&file).unwrap();
}

#[test]
fn results_are_given_to_programs_that_rate() {
    let (file, records) = files(&format!("variant = 'gomoku'\n{}", random_engines(2)));
    assert_eq!(tournament(&file, &[]).code, Some(0));
    let pgn = file.with_extension("pgn");
    let run = pentarch(&["merge", records.to_str().unwrap(), "--pgn", pgn.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    let text = fs::read_to_string(&pgn).unwrap();
    assert_eq!(text.matches("[White \"r1\"]").count(), 1, "{text}");
    assert_eq!(text.matches("[Result \"").count(), 2, "{text}");
    for path in [&file, &records, &pgn] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_report_is_one_page_without_the_network() {
    let text = four().replace("'r1'", "'<script>alert(1)</script>'");
    let (file, records) = files(&text);
    let report = file.with_extension("html");
    let run = tournament(&file, &["--report", report.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    let page = fs::read_to_string(&report).unwrap();
    assert!(!page.contains("<script>alert"), "a name is not escaped");
    assert!(page.contains("&lt;script&gt;alert"));
    for part in ["Standing", "Cross table", "Ratings", "Sonneborn-Berger", "<svg"] {
        assert!(page.contains(part), "no {part}");
    }
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"));
    for path in [&file, &records, &report] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn openings_are_balanced_and_different() {
    for (variant, plies) in [("d-pente", 5), ("gomoku+size=9", 3), ("pente-3", 4), ("yavalath", 3)]
    {
        let fixed = ["openings", "--variant", variant, "--count", "6", "--nodes", "200"];
        let plies = plies.to_string();
        let run = pentarch(&[&fixed[..], &["--plies", &plies]].concat());
        assert_eq!(run.code, Some(0), "{variant}: {}", run.errors);
        let mut seen = BTreeSet::new();
        for line in run.out.lines() {
            let (moves, value) = line.split_once(" ; ").unwrap();
            let value: i32 = value.parse().unwrap();
            assert!(value.abs() <= 100 || variant == "pente-3", "{line}");
            let mut game = Game::new(variant.parse().unwrap());
            for mv in moves.split(' ') {
                game.play(mv).unwrap();
            }
            assert_eq!(game.moves().len().to_string(), plies);
            assert!(
                seen.insert(game.canonical().text),
                "{variant}: {moves} is an image of another"
            );
        }
        assert_eq!(seen.len(), 6);
        let again = pentarch(&[&fixed[..], &["--plies", &plies]].concat());
        assert_eq!(again.out, run.out, "the same seed gives the same openings");
    }
    // There is one opening of one move in the center, give or take a mirror: too few are named.
    let all =
        ["openings", "--variant", "pro-pente", "--plies", "1", "--count", "2", "--nodes", "50"];
    let run = pentarch(&[&all[..], &["--balance", "20000"]].concat());
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.errors.contains("only 1 of 2 openings were found"), "{}", run.errors);
}

#[test]
fn a_tournament_plays_written_openings() {
    let written =
        pentarch(&["openings", "--variant", "gomoku+size=9", "--plies", "3", "--nodes", "50"]);
    let head = "variant = 'gomoku+size=9'\nrounds = 2\ncontrol = { nodes = 1 }\n";
    let (file, records) = files("");
    let list = file.with_extension("txt");
    fs::write(&list, &written.out).unwrap();
    let name = list.file_name().unwrap().to_str().unwrap();
    fs::write(&file, format!("{head}openings = '{name}'\n{}", random_engines(2))).unwrap();
    let run = tournament(&file, &[]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    let lines: Vec<&str> = written.out.lines().collect();
    for (number, game) in games(Path::new(&records)) {
        let moves = game.moves[..3].join(" ");
        assert!(lines[(number as usize - 1) / 2].starts_with(&moves), "{moves}");
    }
    // The same openings in another order, and in all their mirrors.
    let read = |openings: &str| {
        let text = format!("{head}openings = {openings}\n{}", random_engines(2));
        let read = Tournament::parse(&text, &file, &Overrides::default());
        read.map(|mut read| read.variants.remove(0).settings)
    };
    let terms =
        read(&format!("{{ file = '{name}', order = 'random', symmetries = true }}")).unwrap();
    let rules = terms.rules.built_in().unwrap();
    let all: BTreeSet<_> = (0..terms.openings.count().unwrap())
        .map(|number| terms.openings.get(number, rules).unwrap().play(rules).unwrap())
        .map(|game| game.text())
        .collect();
    assert!(all.len() > 4 * lines.len() && all.len() <= 8 * lines.len(), "{}", all.len());
    let error = read(&format!("{{ file = '{name}', order = 'up' }}")).unwrap_err().to_string();
    assert!(error.contains("`order`: expected `sequential` or `random`"), "{error}");
    for path in [&file, &records, &list] {
        fs::remove_file(path).unwrap();
    }
}
