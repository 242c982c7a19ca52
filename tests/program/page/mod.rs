//! Pages of games: what the viewer is given is what the rules say, foreign text stays text, and a
//! browser steps through every kind of board.

mod browser;

use fastrand::Rng;
use pentarch::engine::Game;
use pentarch::game::{Color, Move, Side};
use pentarch::page::{
    Align, GameHeader, GameView, Html, MoveMark, NamedLine, PageError, PageSet, PageWriter, Plot,
    PlyNote, ScoreSource, Series, Table, TableCell,
};
use pentarch::search::Score;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A random game, often with stones near each other, so that things happen.
fn random_game(spec: &str, plies: usize, seed: u64) -> Game {
    let mut game = Game::new(spec.parse().unwrap());
    let mut rng = Rng::with_seed(seed);
    while game.outcome().is_none() && game.moves().len() < plies {
        let mv = draw(&game, &mut rng);
        game.play_move(mv).unwrap();
    }
    game
}

fn draw(game: &Game, rng: &mut Rng) -> Move {
    let moves = game.legal_moves();
    let last = game.moves().iter().rev().find_map(|mv| mv.cell());
    let near = |mv: &&Move| {
        let distance = |(a, b): (u16, u16)| a.abs_diff(b);
        mv.cell().zip(last).is_some_and(|(a, b)| {
            distance((a.0 % 19, b.0 % 19)) + distance((a.0 / 19, b.0 / 19)) < 4
        })
    };
    let close: Vec<_> = moves.iter().filter(near).collect();
    if close.is_empty() || rng.u8(..5) == 0 {
        moves[rng.usize(..moves.len())]
    } else {
        *close[rng.usize(..close.len())]
    }
}

/// A note on every move, as an analysis would have it.
fn notes(game: &Game, rng: &mut Rng) -> Vec<PlyNote> {
    let mut replayed = game.start();
    let mut notes = Vec::new();
    for (ply, mv) in game.moves().into_iter().enumerate() {
        let mark = [MoveMark::Inaccuracy, MoveMark::Blunder, MoveMark::MissedWin, MoveMark::Good];
        let marked = ply % 7 == 3;
        let mut note = PlyNote {
            score: Some(Score::points(rng.i32(-600..600))),
            depth: Some(rng.u32(4..15)),
            nodes: Some(rng.u64(1000..100_000)),
            time: Some(Duration::from_millis(rng.u64(10..3000))),
            mark: marked.then(|| mark[ply / 7 % mark.len()]),
            ..PlyNote::default()
        };
        if marked {
            note.comment.push_str("Loses 31 % of the chance to win.");
            let mut ahead = replayed.clone();
            let mut moves = Vec::new();
            while moves.len() < 5 && ahead.outcome().is_none() {
                moves.push(draw(&ahead, rng));
                ahead.play_move(moves[moves.len() - 1]).unwrap();
            }
            note.lines =
                vec![NamedLine { name: "best".to_owned(), score: Some(Score::win_in(5)), moves }];
        }
        replayed.play_move(mv).unwrap();
        notes.push(note);
    }
    notes
}

fn view(spec: &str, plies: usize, seed: u64) -> GameView {
    let game = random_game(spec, plies, seed);
    let seats = usize::from(game.seats());
    let players =
        ["Ann", "Bob", "Cleo", "Dan"].map(str::to_owned).into_iter().take(seats).collect();
    let notes = notes(&game, &mut Rng::with_seed(seed));
    let view = GameView::new(game);
    let header = GameHeader { players, date: "2026-01-31".to_owned(), ..view.header };
    GameView { header, notes, ..view }
}

fn page(views: &[GameView]) -> String {
    let mut page = PageWriter::new(Vec::new(), "Games").unwrap();
    for view in views {
        page.game(view).unwrap();
    }
    String::from_utf8(page.finish().unwrap()).unwrap()
}

/// The JSON texts of the script elements whose tags have an attribute.
fn scripts(html: &str, attribute: &str) -> Vec<Value> {
    let tag = format!("<script type=\"application/json\" {attribute}>\n");
    let bodies = html.split(&tag).skip(1).map(|rest| rest.split("</script>").next().unwrap());
    bodies.flat_map(str::lines).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn games(html: &str) -> Vec<Value> {
    scripts(html, "class=\"games\"")
}

fn boards(html: &str) -> Value {
    scripts(html, "id=\"boards\"").remove(0)
}

/// A reader of plies that knows nothing but the format.
#[derive(Clone, Default)]
struct Reader {
    contents: HashMap<String, u64>,
    captures: Vec<usize>,
}

impl Reader {
    fn apply(&mut self, board: &Value, ply: &Value) {
        let number = |value: &Value| value.as_u64().unwrap();
        let none = Vec::new();
        let list = |name: &str| ply.get(name).and_then(Value::as_array).unwrap_or(&none);
        let stones = if ply.is_u64() { std::slice::from_ref(ply) } else { list("set").as_slice() };
        for (cell, content) in stones.iter().map(|n| (number(n) >> 4, number(n) & 15)) {
            let name = board["names"][cell as usize].as_str().unwrap().to_owned();
            self.contents.insert(name, content);
        }
        for cell in list("at") {
            let (column, row) = (number(cell) % 168, number(cell) / 168);
            let name = board["names"][column as usize].as_str().unwrap();
            let tile = number(&ply["tile"][0]) | number(&ply["tile"][1]) << 4;
            self.contents.insert(format!("{name}{}", row + 1), tile);
        }
        if let Some(captures) = ply.get("captures") {
            let counts = captures.as_array().unwrap().iter();
            self.captures = counts.map(|stones| stones.as_array().unwrap().len()).collect();
        }
    }

    /// Compares all that was read with a game.
    fn check(&self, game: &Game) {
        let captures: Vec<_> = game.captures().into_iter().map(usize::from).collect();
        if self.captures.is_empty() {
            assert!(captures.iter().all(|&count| count == 0));
        } else {
            assert_eq!(self.captures, captures);
        }
        if let Some(position) = game.stacking() {
            let lying: usize = self.contents.len();
            let mut top = HashMap::new();
            for tile in position.tiles() {
                let content = u64::from(tile.color.0 + 1) | u64::from(tile.level) << 4;
                top.extend(tile.cells().map(|cell| (cell.to_string(), content)));
            }
            assert_eq!((lying, &self.contents), (top.len(), &top));
        }
        for cell in game.cells() {
            let content = self.contents.get(&game.cell_text(cell)).copied().unwrap_or(0);
            // A bomb is a stone of its color.
            let content = if content > 8 { content - 8 } else { content };
            let color = content.checked_sub(1).map(|number| Color(number as u8));
            assert_eq!(color, game.content(cell), "{}", game.cell_text(cell));
        }
    }
}

/// Games whose plies change the board in all ways there are.
const SPECS: [&str; 17] = [
    "pente",
    "keryo-pente",
    "poof-pente",
    "plus-minus-pente",
    "atomic-pente",
    "neutral-pente",
    "pente-plus",
    "d-pente",
    "swap2-pente",
    "pente-3",
    "pente-4",
    "team-pente",
    "connect6",
    "gomoku+size=7x12",
    "pentalath-3",
    "yavalath+swap1",
    "pent-up",
];

/// After each ply, in the game and in every line, the reader's board is the game's.
#[test]
fn pages_have_what_every_ply_changes() {
    for (seed, spec) in (1..).zip(SPECS) {
        let view = view(spec, 60, seed);
        let html = page(std::slice::from_ref(&view));
        let (data, boards) = (&games(&html)[0], boards(&html));
        let board = &boards[data["board"].as_u64().unwrap() as usize];
        let mut replayed = Game::new(spec.parse().unwrap());
        let mut reader = Reader::default();
        let plies = data["moves"].as_array().unwrap();
        assert_eq!(plies.len(), view.game.moves().len(), "{spec}");
        let empty = Vec::new();
        let lines = data.get("lines").and_then(Value::as_array).unwrap_or(&empty);
        for (number, (ply, mv)) in plies.iter().zip(view.game.moves()).enumerate() {
            for line in lines.iter().filter(|line| line[0] == number) {
                let (mut ahead, mut there) = (replayed.clone(), reader.clone());
                let moves = &view.notes[number].lines[0].moves;
                assert_eq!(line[1][0][2].as_array().unwrap().len(), moves.len());
                for (ply, &mv) in line[1][0][2].as_array().unwrap().iter().zip(moves) {
                    ahead.play_move(mv).unwrap();
                    there.apply(board, ply);
                    there.check(&ahead);
                }
            }
            let seat = data["seats"].as_str().unwrap().as_bytes()[number] - b'0';
            assert_eq!(seat, replayed.to_move().0, "{spec} ply {number}");
            replayed.play_move(mv).unwrap();
            reader.apply(board, ply);
            reader.check(&replayed);
        }
    }
}

/// A game that begins at a position text shows the stones and counts of it.
#[test]
fn games_from_a_position_begin_with_its_stones() {
    for (seed, spec) in (20..).zip(["pente", "pente-3", "pentalath", "pent-up"]) {
        let game = random_game(spec, 19, seed);
        let mut later = Game::from_text(spec.parse().unwrap(), &game.text()).unwrap();
        later.play_move(draw(&later, &mut Rng::with_seed(seed))).unwrap();
        let html = page(&[GameView::new(later.clone())]);
        let (data, boards) = (&games(&html)[0], boards(&html));
        assert_eq!(data["plies_before"], game.ply());
        let mut reader = Reader::default();
        for ply in data["start"].as_array().unwrap() {
            reader.apply(&boards[0], ply);
        }
        reader.check(&game);
        reader.apply(&boards[0], &data["moves"][0]);
        reader.check(&later);
    }
}

/// Text of others, which would like to be more.
const HOSTILE: &str =
    "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> \u{1b}[31m\u{202e}'\"&";

#[test]
fn foreign_text_stays_text() {
    let mut view = view("pente", 9, 3);
    view.header.players = vec![HOSTILE.to_owned(), "x".repeat(10_000)];
    view.header.title = HOSTILE.to_owned();
    view.header.detail = HOSTILE.to_owned();
    view.notes[3].comment = HOSTILE.to_owned();
    view.notes[3].lines[0].name = HOSTILE.to_owned();
    let mut page = PageWriter::new(Vec::new(), HOSTILE).unwrap();
    let mut table = Table::new(HOSTILE, &[(HOSTILE, Align::Left), ("n", Align::Right)]);
    table.row([HOSTILE.into(), TableCell::text(1).with_tooltip(HOSTILE).with_game(1)]);
    let plot = Plot::new(HOSTILE, HOSTILE, HOSTILE).with_threshold(HOSTILE, 0.5);
    let plot = plot.with(Series::new(HOSTILE, [(0.0, 0.0), (f64::NAN, 1.0), (1.0, 1.0)]));
    let parts = [
        Html::paragraph(HOSTILE),
        Html::heading(HOSTILE),
        Html::preformatted(HOSTILE),
        Html::list([HOSTILE]),
        Html::from(&table),
        Html::from(&plot),
        Html::collapsible(HOSTILE, &[Html::paragraph("x")]),
    ];
    page.section(HOSTILE, &parts).unwrap();
    page.game(&view).unwrap();
    let html = String::from_utf8(page.finish().unwrap()).unwrap();
    assert!(!html.contains("<script>alert") && !html.contains("<img") && !html.contains("<!--"));
    assert!(!html.contains('\u{1b}') && !html.contains("://"));
    assert_eq!(html.matches("<script").count(), html.matches("</script>").count());
    assert_eq!(games(&html)[0]["players"][0], HOSTILE, "data keeps the text");
}

/// Ten thousand games of thirty moves with a value, a depth, nodes and a time each stay below 20 MB.
#[test]
fn games_are_small() {
    let sizes = (0..20).map(|seed| {
        let mut view = view("pente", 30, 100 + seed);
        view.score_source = ScoreSource::Players;
        let html = page(&[view]);
        html.lines().find(|line| line.starts_with("{\"board\":")).unwrap().len()
    });
    let mean = sizes.sum::<usize>() / 20;
    assert!((500..1900).contains(&mean), "{mean} bytes a game");
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn sets_of_pages_turn_over_and_spare_the_files_of_others() {
    let folder = scratch("page-set");
    let first = folder.join("a report.html");
    let write = |count: usize| -> Result<usize, PageError> {
        let mut set = PageSet::with_games_per_page(&first, "Report", 2)?;
        set.section("Standings", &[Html::paragraph("None.")])?;
        let view = view("gomoku", 5, 1);
        for _ in 0..count {
            set.game(&view)?;
        }
        set.finish()
    };
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(write(5).unwrap(), 3);
    let counts = ["a report.html", "a report-2.html", "a report-3.html"]
        .map(|name| games(&read(name)).len());
    assert_eq!(counts, [2, 2, 1]);
    assert!(read("a report.html").contains("<a href=\"a%20report-2.html\">"));
    assert!(read("a report-2.html").contains("data-first-game=\"3\""));
    assert!(read("a report-2.html").contains("<a href=\"a%20report.html\">"));
    // Again over pages of ours, but not over anything else.
    assert_eq!(write(4).unwrap(), 2);
    let whole = read("a report.html");
    fs::write(folder.join("a report-2.html"), "my diary").unwrap();
    assert!(matches!(write(4), Err(PageError::NotAPage(_))));
    assert!(read("a report.html") == whole, "a report that fails leaves the old one as it is");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "no temporary file is left");
    assert_eq!(read("a report-2.html"), "my diary");
    assert!(matches!(
        PageSet::create(Path::new("/no/such/x.html"), "x"),
        Err(PageError::Write(..))
    ));
}

/// Whoever won, the page says so.
#[test]
fn results_are_told_by_side() {
    let mut view = view("team-pente", 12, 4);
    for (result, winner) in
        [(None, Value::Null), (Some(None), (-1).into()), (Some(Some(Side(1))), 1.into())]
    {
        view.header.result = result;
        let data = games(&page(std::slice::from_ref(&view))).remove(0);
        assert_eq!(data.get("winner").cloned().unwrap_or_default(), winner);
    }
    let board = boards(&page(std::slice::from_ref(&view)));
    assert_eq!(board[0]["sides"], serde_json::json!([0, 1, 0, 1]));
}
