//! Whole games and lists in GTP, where one answer decides the next command.

use super::engine::Engine;
use std::time::Duration;

fn gtp(args: &str) -> Engine {
    Engine::start(&args.split(' ').collect::<Vec<_>>())
}

fn end(engine: Engine) {
    let end = engine.finish(Duration::from_secs(10)).expect("it ends with its input");
    assert_eq!((end.status.code(), end.errors.as_str()), (Some(0), ""));
}

#[test]
fn every_listed_command_is_known_and_no_other() {
    let mut engine = gtp("gtp");
    let list = engine.gtp("list_commands").unwrap();
    let names: Vec<&str> = list.lines().collect();
    // Version 2 wants these of every engine, and controllers of games these.
    let required = "protocol_version name version known_command list_commands quit boardsize \
                    clear_board komi play genmove reg_genmove undo gg-undo time_settings \
                    time_left final_score showboard list_games set_game";
    for name in required.split_whitespace() {
        assert!(names.contains(&name), "{name}");
    }
    for name in &names {
        assert_eq!(engine.gtp(&format!("known_command {name}")).as_deref(), Ok("true"), "{name}");
        if *name != "quit" {
            // The empty line ends an analysis.
            let answer = engine.gtp(&format!("{name}\n"));
            let known = !answer.as_ref().is_err_and(|error| error.contains("unknown command"));
            assert!(known, "{name}: {answer:?}");
        }
        let wrong = format!("known_command {name}x");
        assert_eq!(engine.gtp(&wrong).as_deref(), Ok("false"), "{wrong}");
    }
    end(engine);
}

#[test]
fn every_listed_game_can_be_set() {
    let mut engine = gtp("gtp");
    let list = engine.gtp("list_games").unwrap();
    for name in list.lines() {
        assert_eq!(engine.gtp(&format!("set_game {name}")).as_deref(), Ok(""), "{name}");
        assert!(engine.gtp("showboard").unwrap().ends_with("ply 1"), "{name}");
    }
    end(engine);
}

/// Both sides by `genmove` to the end: the loser resigns, the winner passes, the score agrees.
fn play_out(args: &str) {
    let mut engine = gtp(args);
    let mut follower = gtp(args);
    let colors = ["b", "w"];
    let mut plies = 0;
    let score = loop {
        if let Ok(score) = engine.gtp("final_score") {
            break score;
        }
        assert!(plies < 400, "{args}: a game without an end");
        let mover = colors[plies % 2];
        let answer = engine.gtp(&format!("genmove {mover}")).unwrap();
        assert_eq!(follower.gtp(&format!("play {mover} {answer}")).as_deref(), Ok(""), "{answer}");
        plies += 1;
    };
    let answers = colors.map(|color| engine.gtp(&format!("genmove {color}")).unwrap());
    let expected = match score.as_str() {
        "B+1" => ["pass", "resign"],
        "W+1" => ["resign", "pass"],
        "0" => ["pass", "pass"],
        _ => panic!("no score: {score}"),
    };
    assert_eq!(answers, expected, "{args}: {score}");
    assert_eq!(follower.gtp("final_score"), Ok(score));
    for color in colors {
        assert_eq!(follower.gtp(&format!("play {color} pass")).as_deref(), Ok(""));
    }
    end(engine);
    end(follower);
}

#[test]
fn games_by_genmove_end_as_both_sides_see_it() {
    for variant in ["pro-pente", "keryo-pente", "ninuki", "gomoku-standard+size=9"] {
        play_out(&format!("gtp --time 0.01 --variant {variant}"));
    }
    play_out("gtp --time 0.01 --variant gomoku+size=3x3+line=3");
    for variant in ["pentalath", "pentalath-hex", "yavalath", "yavalath+swap1+side=4"] {
        play_out(&format!("gtp --time 0.01 --variant {variant}"));
    }
    play_out("gtp --time 0.01 --variant pent-up");
    play_out("gtp --time 0.01 --variant pent-up-misere");
}

#[test]
fn any_number_of_games_in_one_process() {
    let mut engine = gtp("gtp --time 0.01 --variant gomoku+size=7+line=4");
    for _ in 0..5 {
        let mut turn = ["b", "w"].iter().cycle();
        while engine.gtp("final_score").is_err() {
            engine.gtp(&format!("genmove {}", turn.next().unwrap())).unwrap();
        }
        assert_eq!(engine.gtp("clear_board").as_deref(), Ok(""));
    }
    end(engine);
}

/// Strictly alternating questions to two engines, as arenas for Go ask them: whoever has no turn
/// passes, nobody passes twice in a row before the end, and the scores agree.
fn alternate(variant: &str) {
    let args = format!("gtp --time 0.01 --variant {variant}");
    let mut engines = [gtp(&args), gtp(&args)];
    let mut passes = 0;
    for turn in 0..1200 {
        let (mover, other) = (turn % 2, 1 - turn % 2);
        let color = ["b", "w"][mover];
        let answer = engines[mover].gtp(&format!("genmove {color}")).unwrap();
        if answer == "resign" {
            break;
        }
        let played = engines[other].gtp(&format!("play {color} {answer}"));
        assert_eq!(played.as_deref(), Ok(""), "{variant}: {answer}");
        passes = if answer == "pass" { passes + 1 } else { 0 };
        if passes == 2 {
            break;
        }
    }
    let [black, white] = engines.each_mut().map(|engine| engine.gtp("final_score"));
    assert!(black.is_ok() && black == white, "{variant}: {black:?} {white:?}");
    let [black, white] = engines;
    end(black);
    end(white);
}

#[test]
fn arenas_for_go_play_openings_and_turns_of_their_own() {
    for variant in [
        "d-pente",
        "swap2-pente",
        "pente+swap1",
        "pente+swap3",
        "gomoku+swap2+size=9",
        "connect6",
        "pente-3+size=9",
        "pente-4+size=9",
        "team-pente+size=9",
        "plus-minus-pente",
        "neutral-pente",
        "pente-plus",
        "ninuki-renju",
    ] {
        alternate(variant);
    }
}
