//! `train`: from games to weights that are played with.

use crate::run;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(test: &str) -> PathBuf {
    run::folder("train", test)
}

fn run(folder: &Path, arguments: &str) -> (Option<i32>, String, String) {
    run::run(folder, arguments.split(' '), "")
}

/// The header and the numbers of an evaluation file.
fn eval_file(folder: &Path, name: &str) -> (String, Vec<u8>) {
    let bytes = fs::read(folder.join(name)).unwrap();
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
    (String::from_utf8(bytes[..=end].to_vec()).unwrap(), bytes[end..].to_vec())
}

/// What a command writes to standard output; it succeeds.
fn done(folder: &Path, arguments: &str) -> String {
    let (code, out, err) = run(folder, arguments);
    assert_eq!(code, Some(0), "{arguments}: {err}");
    out
}

/// What a command complains of.
fn refused(folder: &Path, arguments: &str) -> String {
    let (code, out, err) = run(folder, arguments);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments}");
    err
}

/// The last that a conversation says of a search, without its speed.
fn last_report(folder: &Path, talk: &str) -> String {
    let (_, out, _) = run::run(folder, ["ugi"], talk);
    let last = out.lines().rfind(|line| line.contains(" score ")).unwrap();
    last.split(" nps ").next().unwrap().to_owned()
}

const PLAY: &str = "train selfplay games --variants pro-pente,keryo-pente --nodes 60";

fn play(folder: &Path, name: &str, games: u32, more: &str) -> String {
    let command = PLAY.replacen("games", name, 1);
    done(folder, &format!("{command} --games {games}{more}"));
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn games_are_the_same_whatever_the_threads_and_wherever_they_were_broken_off() {
    let folder = folder("selfplay");
    let games = play(&folder, "games", 12, "");
    assert_eq!(games.lines().count(), 13);
    assert!(games.lines().nth(2).unwrap().contains("\"variant\":\"keryo-pente\""), "{games}");
    assert!(games.contains("\"asides\""), "{games}");
    assert_eq!(play(&folder, "threads", 12, " --threads 2"), games);
    // Broken off within the sixth game.
    let end = games.match_indices('\n').nth(5).unwrap().0 + 40;
    fs::write(folder.join("broken"), &games[..end]).unwrap();
    assert_eq!(play(&folder, "broken", 12, " --resume"), games);
    assert_ne!(play(&folder, "other", 12, " --seed 2"), games);
    let exists = refused(&folder, &format!("{PLAY} --games 12"));
    assert!(exists.contains("games exists already; continue it with --resume"), "{exists}");
    let other = refused(&folder, &format!("{PLAY} --games 12 --seed 2 --resume"));
    assert!(other.contains("games was made with other settings"), "{other}");
    for (variants, message) in [
        ("yavalath-3", "has no weights to train: only stones on squares have"),
        ("pent-up", "has no weights to train: only stones on squares have"),
        ("chess", "unknown variant"),
    ] {
        let said = refused(&folder, &format!("train selfplay new --variants {variants}"));
        assert!(said.contains(message), "{said}");
        assert!(!folder.join("new").exists());
    }
}

/// Shards play each game once, as one run does, and a shard is resumed only as itself.
#[test]
fn shards_play_the_same_games() {
    let folder = folder("shards");
    let whole = play(&folder, "whole", 9, "");
    let mut games = vec![""; 9];
    let parts = [1, 2].map(|shard| {
        play(&folder, &format!("part{shard}"), 9, &format!(" --threads 2 --shard {shard}/2"))
    });
    for (shard, part) in parts.iter().enumerate() {
        assert!(part.starts_with('{') && part.contains(&format!("\"shard\":\"{}/2\"", shard + 1)));
        for (number, game) in part.lines().skip(1).enumerate() {
            games[2 * number + shard] = game;
        }
    }
    assert_eq!(games, whole.lines().skip(1).collect::<Vec<_>>());
    let end = parts[1].match_indices('\n').nth(2).unwrap().0 + 9;
    fs::write(folder.join("broken"), &parts[1][..end]).unwrap();
    assert_eq!(play(&folder, "broken", 9, " --shard 2/2 --resume"), parts[1]);
    let other = refused(
        &folder,
        &format!("{PLAY} --games 9 --shard 1/2 --resume").replacen("games", "part2", 1),
    );
    assert!(other.contains("part2 was made with other settings"), "{other}");
    done(&folder, "train fit part1 part2 --out weights.txt");
}

#[test]
fn games_begin_in_the_middle_of_others() {
    let folder = folder("starts");
    let game = "j10 k11 j13 k9 j11 j12 k12 l13 i10 l11 m11 k10 h9 g8 k13 k8 k7 l10 m10 l9";
    fs::write(folder.join("others.txt"), format!("{game}\n")).unwrap();
    let games = play(&folder, "games", 6, " --from others.txt --least-plies 5");
    assert!(games.contains("\"starts\":[\"others.txt: 1 games, hash "), "{games}");
    let moves: Vec<&str> = game.split(' ').collect();
    let opening = |line: &str| -> Vec<String> {
        let played: serde_json::Value = serde_json::from_str(line).unwrap();
        let texts = played["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap());
        texts.take(played["opening"].as_u64().unwrap() as usize).map(str::to_owned).collect()
    };
    for line in games.lines().skip(1) {
        let first = opening(line);
        assert!((5..=10).contains(&first.len()), "{line}");
        assert_eq!(first, moves[..first.len()], "{line}");
    }
    let strays = play(&folder, "strays", 12, " --from others.txt --least-plies 5 --random-moves 2");
    let openings = strays.lines().skip(1).map(opening);
    let following = openings.filter(|first| *first == moves[..first.len()]).count();
    assert!((1..12).contains(&following), "{following} of {strays}");
    let said = |more: &str| refused(&folder, &format!("{PLAY} {more}").replacen("games", "new", 1));
    assert!(said("--from gone.txt").contains("gone.txt"));
    let long = said("--from others.txt --least-plies 30");
    assert!(long.contains("no game of --from is long enough"), "{long}");
    fs::write(folder.join("short.txt"), "j10 k11 j13\n").unwrap();
    assert!(said("--from short.txt").contains("--from has no game"));
    assert!(said("--random-moves 2").contains("--from"));
    assert!(said("--least-plies 9").contains("--least-plies 9 is more than --most-plies 8"));
}

#[test]
fn values_of_deeper_searches_take_the_place_of_others() {
    let folder = folder("rescore");
    let games = play(&folder, "games", 4, "");
    done(&folder, "train rescore games deeper --nodes 300");
    let deeper = fs::read_to_string(folder.join("deeper")).unwrap();
    assert_eq!(deeper.lines().count(), games.lines().count());
    assert!(deeper.lines().next().unwrap().contains("\"rescored\":300"), "{deeper}");
    let moves = |text: &str| -> Vec<String> {
        let parts = text.lines().skip(1).map(|line| line.split("\"opening\"").next().unwrap());
        parts.map(str::to_owned).collect()
    };
    assert_eq!(moves(&deeper), moves(&games));
    assert_ne!(deeper.lines().nth(1), games.lines().nth(1));
    done(&folder, "train rescore games halves --nodes 300 --limit 2");
    done(&folder, "train rescore games halves --nodes 300 --resume --threads 2");
    assert_eq!(fs::read_to_string(folder.join("halves")).unwrap(), deeper);
}

#[test]
fn weights_are_fitted_checked_and_played_with() {
    let folder = folder("fit");
    play(&folder, "games", 40, "");
    let fit = "train fit games --out weights.txt --epochs 2 --choices 300";
    done(&folder, fit);
    let (header, numbers) = eval_file(&folder, "weights.txt");
    for line in ["pentarch evaluation ", "\nkind weights\n", "\ngames captures\n"] {
        assert!(header.contains(line), "{line}: {header}");
    }
    assert!(header.contains("\n# Pentarch"), "{header}");
    assert!(header.contains("\n# games: 40 games, hash "), "{header}");
    done(&folder, &format!("{} --threads 2", fit.replace("weights", "again")));
    assert_eq!(eval_file(&folder, "again.txt").1, numbers);
    let check = done(&folder, "train check games --eval-file weights.txt --choices 300");
    assert!(check.contains("weights.txt: value loss "), "{check}");
    assert!(check.contains("built in: value loss 0."), "{check}");
    let value = |options: &str, game: &str| {
        let talk = format!(
            "ugi\n{options}setoption name UCI_Variant value {game}\nposition startpos moves j10 k10 m10\n\
             go nodes 200\n"
        );
        last_report(&folder, &talk)
    };
    let with_file = "setoption name EvalFile value weights.txt\n";
    assert_ne!(value(with_file, "pro-pente"), value("", "pro-pente"));
    // The file is for no games of lines alone.
    assert_eq!(value(with_file, "gomoku"), value("", "gomoku"));
    let back = format!("{with_file}setoption name EvalFile value <empty>\n");
    assert_eq!(value(&back, "pro-pente"), value("", "pro-pente"));
    let game = "match --engine option.EvalFile=weights.txt --engine name=old --nodes 100 --games 2";
    assert!(done(&folder, game).contains("2 games"));
}

/// Of two stones a turn, and of more than two colors, for whom the tree plays as well as alpha-beta.
#[test]
fn weights_of_other_turns_are_fitted_checked_and_played_with() {
    let folder = folder("turns");
    for (variants, game, nodes) in
        [("connect6", "connect6", 100), ("pente-3,pente-4,team-pente", "pente-3", 60)]
    {
        let play = format!("train selfplay {game} --variants {variants} --games 30");
        done(&folder, &format!("{play} --nodes {nodes} --balance 20000"));
        let games = fs::read_to_string(folder.join(game)).unwrap();
        assert!(games.contains("\"winner\":1"), "{games}");
        let file = format!("{game}.txt");
        done(&folder, &format!("train fit {game} --out {file} --epochs 2 --choices 300"));
        let check = done(&folder, &format!("train check {game} --eval-file {file}"));
        assert!(check.contains(&format!("{file}: value loss ")), "{check}");
        let value = |file: &str| {
            let talk = format!(
                "ugi\nsetoption name EvalFile value {file}\nsetoption name UCI_Variant value {game}\n\
                 position startpos moves j10 k10 m10\ngo nodes 300\n"
            );
            last_report(&folder, &talk)
        };
        assert_ne!(value(&file), value("<empty>"), "{game}");
    }
    let games = fs::read_to_string(folder.join("pente-3")).unwrap();
    assert!(games.contains("\"winner\":2"), "{games}");
    let said = refused(&folder, "train network connect6");
    assert!(said.contains("no positions in these files"), "{said}");
}

#[test]
fn weights_on_hexagons_are_fitted_checked_and_played_with() {
    let folder = folder("hexes");
    let play = "train selfplay games --variants yavalath --games 60 --nodes 60 --least-plies 1";
    done(&folder, play);
    let games = fs::read_to_string(folder.join("games")).unwrap();
    assert!(games.contains("\"asides\":[{"), "{games}");
    done(&folder, "train fit games --out weights.txt --epochs 3");
    let (header, numbers) = eval_file(&folder, "weights.txt");
    for line in ["\n# games: 60 games, hash ", "\ngames yavalath\n", "\nkind hex-weights\n"] {
        assert!(header.contains(line), "{line}: {header}");
    }
    // Numbers that are all 0 take about 200 bytes.
    assert!(numbers.len() > 1000, "{}", numbers.len());
    let check = done(&folder, "train check games --eval-file weights.txt");
    assert!(check.contains("weights.txt: value loss "), "{check}");
    assert!(check.contains("built in: value loss 0."), "{check}");
    let value = |file: &str, game: &str| {
        let talk = format!(
            "ugi\nsetoption name EvalFile value {file}\nsetoption name UCI_Variant value {game}\n\
             position startpos moves d4 e5\ngo nodes 200\n"
        );
        last_report(&folder, &talk)
    };
    let values = ["weights.txt", "<empty>", "classical"].map(|file| value(file, "yavalath"));
    assert!(values[0] != values[1] && values[1] != values[2] && values[0] != values[2]);
    // Games of other rules, and of three, have no fitted weights.
    for game in ["pentalath+line=4", "yavalath-3"] {
        assert_eq!(value("weights.txt", game), value("<empty>", game), "{game}");
        assert_eq!(value("classical", game), value("<empty>", game), "{game}");
    }
    assert_eq!(value("weights.txt", "pentalath"), value("<empty>", "pentalath"));
    let game = "match --variant yavalath --engine option.EvalFile=weights.txt --engine name=old \
                --nodes 100 --games 2";
    assert!(done(&folder, game).contains("2 games"));
    done(&folder, "train selfplay five --variants pentalath --games 4 --nodes 60");
    let said = refused(&folder, "train fit games five");
    assert!(said.contains("pentalath uses other weights than the games before it"), "{said}");
    let said = refused(&folder, "train check five --eval-file weights.txt");
    assert!(said.contains("the weights are for no games of pentalath"), "{said}");
    let said = refused(&folder, "train network games");
    assert!(said.contains("yavalath has no weights that can be trained"), "{said}");
}

#[test]
fn a_network_is_fitted_and_played_with() {
    let folder = folder("network");
    play(&folder, "games", 30, "");
    let fit = "train network games --out new.network --epochs 3 --shapes 1 --flags captures";
    done(&folder, fit);
    let (_, numbers) = eval_file(&folder, "new.network");
    done(&folder, &format!("{} --threads 2", fit.replace("new", "again")));
    assert_eq!(eval_file(&folder, "again.network").1, numbers);
    let game = "match --engine option.EvalFile=new.network --engine name=old --nodes 100 --games 2";
    assert!(done(&folder, game).contains("2 games"));
    let more = fit.replace("new", "more");
    done(&folder, &format!("{more} --from new.network"));
    let (header, more) = eval_file(&folder, "more.network");
    assert!(header.contains("# started from a file of hash "));
    assert_ne!(more, numbers);
    let other = refused(&folder, "train network games --shapes 2 --from new.network");
    assert!(other.contains("new.network is no network of these --shapes and --flags"), "{other}");
    let gone = refused(&folder, "train network games --from gone.network");
    assert!(gone.contains("cannot read the evaluation gone.network"), "{gone}");
    let many = refused(&folder, "train network games --shapes 3 --flags captures,exposes");
    assert!(many.contains("too many kinds of cells"), "{many}");
}

#[test]
fn a_network_is_given_a_head_for_moves() {
    let folder = folder("policy");
    play(&folder, "games", 30, "");
    done(&folder, "train network games --out bare.network --epochs 1 --shapes 1 --flags captures");
    let fit = "train policy games --network bare.network --out new.network --epochs 2";
    done(&folder, fit);
    let (said, numbers) = eval_file(&folder, "new.network");
    for line in
        ["\ntensor policy.pairs ", ": train network games", ": train policy games", "held out"]
    {
        assert!(said.contains(line), "{line}: {said}");
    }
    // Again, whatever the threads; and a head that is there already is replaced.
    done(&folder, &format!("{} --threads 2", fit.replace("new", "again")));
    assert_eq!(eval_file(&folder, "again.network").1, numbers);
    done(&folder, &fit.replace("new", "more").replace("bare", "new"));
    assert_eq!(eval_file(&folder, "more.network").1, numbers);
    let game = "match --engine option.EvalFile=new.network --engine name=old --nodes 100 --games 2";
    assert!(done(&folder, game).contains("2 games"));
    done(&folder, "train selfplay lines --variants gomoku --games 4 --nodes 60");
    let other = refused(&folder, "train policy lines --network new.network");
    assert!(other.contains("new.network is no network for games of lines"), "{other}");
    let gone = refused(&folder, "train policy games --network gone.network");
    assert!(gone.contains("cannot read the evaluation gone.network"), "{gone}");
}

#[test]
fn files_that_are_none_are_refused() {
    let folder = folder("faults");
    let games = play(&folder, "games", 4, "");
    done(&folder, "train selfplay lines --variants gomoku --games 4 --nodes 60");
    let head = games.lines().next().unwrap();
    for (name, text, message) in [
        ("empty", String::new(), "empty line 1: no manifest"),
        ("text", "hello\n".to_owned(), "text line 1: no manifest"),
        ("line", format!("{head}\n{{}}\n"), "line line 2: no game"),
        ("only", format!("{head}\n"), "no positions in these files"),
        ("move", games.replacen("\"moves\":[\"", "\"moves\":[\"zz", 1), "game 1: "),
    ] {
        fs::write(folder.join(name), text).unwrap();
        let said = refused(&folder, &format!("train fit {name}"));
        assert!(said.contains(message), "{name}: {said}");
    }
    let said = refused(&folder, "train fit games lines");
    assert!(said.contains("gomoku uses other weights than the games before it"), "{said}");
    assert!(refused(&folder, "train fit nothing").contains("nothing"));
    fs::write(folder.join("bad.txt"), "games lines\ncell 1 2\n").unwrap();
    fs::write(folder.join("old.network"), "pentarch network 1\ngames lines\nshapes 2\n\nxx")
        .unwrap();
    fs::write(folder.join("bad.network"), "pentarch evaluation 2\ntensor cells i16 many\n\nxx")
        .unwrap();
    for (file, message) in [
        ("bad.txt", "bad.txt, expected the first line `pentarch evaluation 2`"),
        ("old.network", "found `pentarch network 1`; files of other versions cannot be read"),
        ("bad.network", "bad.network, line 2: "),
        ("games", "games, expected the first line"),
        ("/dev/zero", "is no file"),
        ("gone", "cannot read the evaluation gone"),
    ] {
        let (_, out, err) = run(&folder, &format!("train check games --eval-file {file}"));
        assert!(out.is_empty() && err.contains(message), "{file}: {err}");
        let talk = format!("ugi\nsetoption name EvalFile value {file}\n");
        let (code, out, _) = run::run(&folder, ["ugi"], &talk);
        assert_eq!(code, Some(0));
        assert!(out.contains("info string error: option `EvalFile`"), "{out}");
    }
    done(&folder, "train fit lines --epochs 1 --out lines.txt");
    let said = refused(&folder, "train check games --eval-file lines.txt");
    assert!(said.contains("the weights are for no games of captures"), "{said}");
}
