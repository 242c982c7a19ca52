//! `pentarch prove`: values, certificates and their check.

use crate::run::{folder, run};
use std::fs;

#[test]
fn a_value_is_proved_and_checked() {
    let folder = folder("prove", "proved");
    let variant = ["prove", "--variant", "pente+goal=3+size=5"];
    let (code, out, _) = run(&folder, variant.iter().chain(&["--certificate", "c.txt"]), "");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with("pente+goal=3+size=5: the first player wins; "), "{out}");
    let (code, out, _) = run(&folder, ["prove", "--check", "c.txt"], "");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("the first player wins, proved by "), "{out}");
    let text = fs::read_to_string(folder.join("c.txt")).unwrap();
    fs::write(folder.join("c.txt"), text.replace("value first", "value second")).unwrap();
    let (code, _, error) = run(&folder, ["prove", "--check", "c.txt"], "");
    assert_eq!(code, Some(2));
    assert!(error.contains("the value needs `second win`"), "{error}");
}

#[test]
fn limits_and_large_boards_are_named() {
    let folder = folder("prove", "limits");
    let small = ["prove", "--variant", "pente+size=7", "--memory", "1"];
    for limit in [["--nodes", "1000"], ["--time", "0.01"]] {
        let (code, out, _) = run(&folder, small.iter().chain(&limit), "");
        assert_eq!(code, Some(1), "{out}");
        assert!(out.contains("not decided within the limit of nodes or time, after "), "{out}");
    }
    let (code, _, error) = run(&folder, ["prove"], "");
    assert_eq!(code, Some(2));
    assert!(error.contains("boards of up to 7x7 points can be proved, this one has 19"), "{error}");
    let (code, _, error) = run(&folder, ["prove", "--variant", "pentalath"], "");
    assert_eq!(code, Some(2));
    assert!(error.contains("only games on squares can be proved"), "{error}");
}

#[test]
fn a_position_has_a_value_too() {
    let folder = folder("prove", "position");
    // In tic-tac-toe a side next to the first corner loses.
    let arguments = ["prove", "--variant", "gomoku+size=3x3+line=3", "--moves", "a1 b1"];
    let (code, out, _) = run(&folder, arguments.iter().chain(&["--certificate", "c.txt"]), "");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("the first player wins; "), "{out}");
    let text = fs::read_to_string(folder.join("c.txt")).unwrap();
    assert!(text.contains("\nposition 3/3/bw1 b "), "{text}");
    let (code, out, _) = run(&folder, ["prove", "--check", "c.txt"], "");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("the first player wins, proved by "), "{out}");
}
