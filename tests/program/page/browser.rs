//! The viewer in a browser without a window, if there is one.

use super::{HOSTILE, games, page, scratch, view};
use pentarch::engine::Game;
use pentarch::page::{
    Align, GameView, Html, PageWriter, Plot, ScoreSource, Series, Table, TableCell,
};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Clicks and types as a person would, and writes what it found into the page.
const DRIVER: &str = include_str!("driver.js");

/// The names that browsers of the Chromium family have.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser, if one is installed; without one the tests that need it say so and hold nothing.
#[expect(clippy::print_stderr, reason = "a test that holds nothing must say so")]
fn browser() -> Option<&'static str> {
    let runs = |name: &&str| {
        Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success())
    };
    let found = BROWSERS.into_iter().find(runs);
    if found.is_none() {
        eprintln!("skipped: no browser of the Chromium family is installed");
    }
    found
}

/// A page with every kind of board, and all that pages have besides.
fn gallery() -> String {
    let mut page = PageWriter::new(Vec::new(), "Gallery").unwrap();
    let mut table = Table::new(
        "Standings",
        &[("Player", Align::Left), ("Elo", Align::Right), ("Games", Align::Right)],
    );
    for (number, (name, elo)) in
        [("Ann", "+31"), ("Bob", "-12"), (HOSTILE, "-19")].into_iter().enumerate()
    {
        table.row([name.into(), elo.into(), TableCell::text(number + 1).with_game(number + 1)]);
    }
    let wave = |phase: f64| {
        (0..200).map(move |n| (f64::from(n), (f64::from(n) / 20.0 + phase).sin() * 3.0))
    };
    let plot = Plot::new("Log-likelihood ratio", "game", "LLR")
        .with(Series::new("Ann - Bob", wave(0.0)))
        .with(Series::new("Bob - Cleo", wave(1.0)))
        .with_threshold("H1 accepted", 2.94)
        .with_threshold("H0 accepted", -2.94);
    page.section(
        "Result",
        &[Html::paragraph("Three players met."), Html::from(&table), Html::from(&plot)],
    )
    .unwrap();
    for (seed, spec) in (1..).zip([
        "pente",
        "pentalath",
        "pent-up",
        "pente-4",
        "atomic-pente",
        "swap2-pente",
        "pente-plus",
        "yavalath-3",
        "neutral-pente",
        "gomoku+size=9x14",
    ]) {
        let mut view = view(spec, 45, seed);
        view.score_source =
            if seed % 2 == 0 { ScoreSource::Players } else { ScoreSource::Reviewer };
        view.header.detail = format!("More on {spec}\n{HOSTILE}");
        page.game(&view).unwrap();
    }
    page.game(&GameView::new(Game::new("renju".parse().unwrap()))).unwrap();
    String::from_utf8(page.finish().unwrap()).unwrap()
}

/// Opens a page from its file with the driver at its end, and returns what the driver wrote.
fn drive(browser: &str, file: &Path, html: &str) -> String {
    fs::write(file, format!("{html}<script>\n{DRIVER}</script>\n")).unwrap();
    let profile = file.with_extension("profile");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-extensions",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-dev-shm-usage",
            "--virtual-time-budget=20000",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--dump-dom"])
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let _ = fs::remove_dir_all(profile);
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let found =
        dom.split("<output id=\"driver\">").nth(1).and_then(|rest| rest.split("</output>").next());
    found.unwrap_or_else(|| panic!("the driver wrote nothing: {dom}")).to_owned()
}

/// Every game from its first position to its last and back, every mistake and line, the list, the
/// graph and the tables, and no error in the console.
#[test]
fn a_browser_steps_through_every_game() {
    let folder = scratch("page-browser");
    let html = gallery();
    fs::write(folder.join("gallery.html"), &html).unwrap();
    let Some(browser) = browser() else {
        return;
    };
    let found = drive(browser, &folder.join("driven.html"), &html);
    let plies: usize =
        games(&html).iter().map(|game| game["moves"].as_array().unwrap().len()).sum();
    assert_eq!(found, format!("ok: {} games, {plies} plies", games(&html).len()));
}

/// A page of thousands of games draws only the rows in sight.
#[test]
fn a_browser_lists_thousands_of_games() {
    let Some(browser) = browser() else { return };
    let folder = scratch("page-thousands");
    let html = page(&[view("pente", 12, 1)]);
    let game = html.split("class=\"games\">\n").nth(1).unwrap().lines().next().unwrap();
    let html = html.replace(game, &vec![game; 5000].join("\n"));
    let found = drive(browser, &folder.join("driven.html"), &html);
    assert_eq!(found, "ok: 5000 games, 12 plies");
}
