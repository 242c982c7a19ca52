//! Pictures: what they show is what the position says.

use fastrand::Rng;
use pentarch::engine::Game;
use pentarch::game::Color;
use pentarch::picture::{
    self, CandidateMove, ColumnLetters, MarkedPoint, PictureOptions, Prisoners,
};
use pentarch::search::Score;
use pentarch::stacking::{PlacedTile, Playout, Position, Spot};
use std::process::Command;

fn random_position(spec: &str, plies: u32, seed: u64) -> Position {
    let mut position = Position::new(spec.parse().unwrap());
    let mut rng = Rng::with_seed(seed);
    for _ in 0..plies {
        let mv = Playout::default().draw(&position, &mut rng).unwrap();
        pentarch::game::Position::play(&mut position, mv);
    }
    position
}

fn as_game(position: &Position) -> Game {
    Game::from_text(position.rules().to_ruleset(), &position.text()).unwrap()
}

/// The uppermost tile at a point.
fn top(position: &Position, spot: Spot) -> Option<PlacedTile> {
    position.tiles().filter(|tile| tile.cells().any(|cell| cell == spot)).max_by_key(|t| t.level)
}

/// Every cell has its tile's color and level, and an outline runs just where tiles differ.
#[test]
fn pictures_of_tiles_in_text_show_every_cell() {
    for (seed, plies) in [(1, 1), (2, 7), (3, 15), (4, 24)] {
        let position = random_position("pent-up", plies, seed);
        let picture = picture::board(&as_game(&position), ColumnLetters::All);
        let rows: Vec<Vec<char>> = picture.lines().map(|line| line.chars().collect()).collect();
        let at = |row: usize, column: usize| rows[row].get(column).copied().unwrap_or(' ');
        let (low, high) = position.bounds().unwrap();
        for row in low.row..=high.row {
            for column in low.column..=high.column {
                let y = 2 + 2 * usize::from(high.row - row);
                let x = 5 + 4 * usize::from(column - low.column);
                let here = top(&position, Spot { column, row });
                let label: String = [at(y, x), at(y, x + 1)].iter().collect();
                let expected = here.map_or("  ".to_owned(), |tile| {
                    format!("{}{}", if tile.color == Color(0) { 'w' } else { 'b' }, tile.level)
                });
                assert_eq!(label, expected, "{column} {row}\n{picture}");
                let right = top(&position, Spot { column: column + 1, row });
                assert_eq!(at(y, x + 3) == '|', here != right, "{column} {row}\n{picture}");
                let below = top(&position, Spot { column, row: row - 1 });
                assert_eq!(at(y + 1, x + 1) == '-', here != below, "{column} {row}\n{picture}");
            }
        }
    }
}

/// A hexagon for every cell, a disc for every stone, a third color that is neither of the others,
/// and rows that are each half a cell beside the next.
#[test]
fn pictures_of_hexagons_show_every_cell() {
    let mut game = Game::new("pentalath-3".parse().unwrap());
    for text in ["d5", "e5", "e6", "g13"] {
        game.play(text).unwrap();
    }
    let text = picture::board(&game, ColumnLetters::All);
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], " g . . . . . . . . . . . . W g13");
    assert_eq!(rows[2], "   e . . . . B R . . . . . e11");
    assert_eq!(rows[6], "       a . . . . . . . a7");
    let svg = picture::svg(&game);
    assert_eq!(svg.matches("class=\"cell\"").count(), 70);
    let discs: Vec<&str> = svg.lines().filter(|line| line.contains("class=\"stone\"")).collect();
    assert_eq!(discs.len(), 4);
    let fill = |disc: &&str| {
        disc.split('"').skip_while(|part| !part.contains("fill")).nth(1).map(str::to_owned)
    };
    let mut colors: Vec<_> = discs.iter().map(fill).collect();
    colors.sort();
    colors.dedup();
    assert_eq!(colors.len(), 3, "{discs:?}");
}

#[test]
fn pictures_in_svg_have_every_cell_and_every_outline() {
    let position = random_position("pent-up-misere", 17, 5);
    let svg = picture::svg(&as_game(&position));
    assert!(svg.starts_with("<svg xmlns=") && svg.trim_end().ends_with("</svg>"));
    let (low, high) = position.bounds().unwrap();
    let mut cells = 0;
    let mut levels = [0; 13];
    let mut lines = 0;
    for row in low.row - 1..=high.row {
        for column in low.column - 1..=high.column {
            let here = top(&position, Spot { column, row });
            if let Some(tile) = here {
                cells += 1;
                levels[usize::from(tile.level)] += 1;
            }
            lines += usize::from(here != top(&position, Spot { column: column + 1, row }));
            lines += usize::from(here != top(&position, Spot { column, row: row + 1 }));
        }
    }
    // One rectangle is the paper.
    assert_eq!(svg.matches("<rect").count(), cells + 1);
    assert_eq!(svg.matches("stroke-width=\"3\"").count(), lines);
    for (level, count) in levels.into_iter().enumerate().skip(1) {
        let label = format!("font-size=\"16\" fill=\"#222222\" text-anchor=\"middle\">{level}<");
        let other = label.replace("#222222", "#ffffff");
        assert_eq!(svg.matches(&label).count() + svg.matches(&other).count(), count);
    }
    assert!(svg.contains("Black to move, ply 18"));
}

#[test]
fn boards_of_stones_in_svg_have_every_stone() {
    let mut game = Game::new("pente".parse().unwrap());
    for text in ["j10", "k11", "m10"] {
        game.play(text).unwrap();
    }
    let svg = picture::svg(&game);
    assert_eq!(svg.matches("class=\"stone\"").count(), 3);
    assert_eq!(svg.matches("fill=\"#ffffff\" stroke").count(), 2);
    assert!(svg.contains(">Captures: White 0, Black 0<"));
}

/// Captures decide many games, so every picture says them, of all colors.
#[test]
fn pictures_say_what_was_captured() {
    for (spec, moves, text, svg) in [
        ("pente", "j10 k10 a1 l10 m10", "captured by: White 2, Black 0\n", ">Captures: White 2, "),
        ("pentalath-3", "d5", "captured by: White 0, Black 0, Red 0\n", "White 0, Black 0, Red 0<"),
    ] {
        let mut game = Game::new(spec.parse().unwrap());
        for text in moves.split(' ') {
            game.play(text).unwrap();
        }
        assert!(picture::board(&game, ColumnLetters::All).contains(text), "{spec}");
        assert!(picture::svg(&game).contains(svg), "{spec}");
    }
    for spec in ["gomoku", "yavalath"] {
        let game = Game::new(spec.parse().unwrap());
        assert!(
            !(picture::board(&game, ColumnLetters::All) + &picture::svg(&game)).contains("aptur")
        );
    }
}

/// What stands on a point of a plain board, without the parentheses of the last move.
fn letter_at(text: &str, column: usize, row: u8) -> char {
    let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{row} "))).unwrap();
    line.chars().nth(4 + 2 * column).unwrap()
}

/// Without escape sequences.
fn uncolored(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap().to_owned();
    first + &parts.map(|part| part.split_once('m').unwrap().1).collect::<String>()
}

/// Plays a random game of stones.
fn random_game(spec: &str, plies: usize, seed: u64) -> Game {
    let mut game = Game::new(spec.parse().unwrap());
    let mut rng = Rng::with_seed(seed);
    while game.outcome().is_none() && game.moves().len() < plies {
        let moves = game.legal_moves();
        let special: Vec<_> =
            moves.iter().filter(|mv| game.move_text(**mv).contains('@')).collect();
        let chosen =
            if special.is_empty() || rng.u8(..4) > 0 { moves.iter().collect() } else { special };
        let mv = *chosen[rng.usize(..chosen.len())];
        game.play_move(mv).unwrap();
    }
    game
}

/// In all formats each stone of every kind of game is there once, and where it lies.
#[test]
fn every_format_shows_every_stone() {
    let specs = ["pente", "pente-4", "atomic-pente", "neutral-pente", "pente-plus", "pentalath-3"];
    for (seed, spec) in (1..).zip(specs) {
        let game = random_game(spec, 40, seed);
        let drawing = PictureOptions { last_move: true, ..PictureOptions::default() };
        let (text, ansi, svg) = (drawing.text(&game), drawing.ansi(&game), drawing.svg(&game));
        let stones = game.cells().into_iter().filter(|&cell| game.content(cell).is_some()).count();
        let captured: u16 = game.captures().iter().sum();
        let capturers = game.captures().iter().filter(|&&count| count > 0).count();
        let drawn = stones + usize::from(captured) + capturers;
        assert_eq!(svg.matches("class=\"stone\"").count(), drawn, "{spec}");
        let is_disc = |c: &char| "●▲■✕★✹".contains(*c);
        assert_eq!(uncolored(&ansi).chars().filter(is_disc).count(), stones, "{spec}");
        if let Some(grid) = game.grid() {
            let palette = game.rules().color_names();
            for cell in grid.iter() {
                let letter = letter_at(&text, grid.column(cell).into(), grid.row(cell) + 1);
                let expected = game.content(cell).map_or('.', |color| palette.letter(color));
                assert_eq!(letter.to_ascii_lowercase(), expected, "{spec} {}", grid.label(cell));
            }
        }
    }
}

/// Captured stones take their numbers with them, and lie beside the board.
#[test]
fn numbers_and_prisoners_follow_the_moves() {
    let mut game = Game::new("pente".parse().unwrap());
    for text in ["j10", "k10", "a1", "l10", "m10", "k10"] {
        game.play(text).unwrap();
    }
    let drawing =
        PictureOptions { numbers: true, crop: true, last_move: true, ..PictureOptions::default() };
    let text = drawing.text(&game);
    for expected in ["W1", "W3", "W5", "(B6)", "captured by: White 2, Black 0"] {
        assert!(text.contains(expected), "{text}");
    }
    assert!(!text.contains("B2") && !text.contains("B4"), "{text}");
    let svg = drawing.svg(&game);
    let numbers = svg.lines().filter(|line| line.contains("font-size=\"15\""));
    let mut numbers: Vec<_> = numbers.map(|line| line.split(['>', '<']).nth(2).unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, ["1", "3", "5", "6"]);
    assert_eq!(svg.matches("class=\"stone\"").count(), 4 + 1 + 2, "one capturer, two prisoners");
    assert_eq!(svg.matches("class=\"last\"").count(), 1);
    let mark = MarkedPoint::parse(&game, "a1=Z").unwrap();
    let marked = PictureOptions { marks: vec![mark], ..drawing }.svg(&game);
    assert!(
        marked.contains(">Z<")
            && !marked.contains("font-size=\"15\" fill=\"#222222\" text-anchor=\"middle\">3<")
    );
    // Without the moves the count still tells whose stones they are.
    let later = Game::from_text(game.rules().clone(), &game.text()).unwrap();
    assert_eq!(Prisoners::of(&later), Prisoners::of(&game));
}

#[test]
fn marks_candidates_threats_and_dead_points_are_shown() {
    let mut game = Game::new("renju".parse().unwrap());
    // A stone of Black on h10 would make two open threes at once, which is forbidden.
    for text in ["h8", "o1", "h9", "o3", "f10", "o5", "g10", "o7"] {
        game.play(text).unwrap();
    }
    let forbidden: Vec<_> = game
        .cells()
        .into_iter()
        .filter(|&cell| {
            game.content(cell).is_none()
                && !game.legal_moves().iter().any(|mv| mv.cell() == Some(cell))
        })
        .collect();
    assert_eq!(forbidden.iter().map(|&cell| game.cell_text(cell)).collect::<Vec<_>>(), ["h10"]);
    let candidate = |text: &str, score| CandidateMove { mv: game.parse_move(text).unwrap(), score };
    let drawing = PictureOptions {
        illegal_points: true,
        threats: true,
        candidates: vec![candidate("i9", Score::win_in(5)), candidate("c3", Score::points(0))],
        marks: vec![
            MarkedPoint::parse(&game, "H8=<A>").unwrap(),
            MarkedPoint::parse(&game, "d4").unwrap(),
        ],
        ..PictureOptions::default()
    };
    let text = drawing.text(&game);
    for expected in
        [" x ", " #5 ", " 50 ", " <A> ", " o ", "1. i9: 100.0 %, mate 5\n", "2. c3: 50.0 %, 0\n"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let svg = drawing.svg(&game);
    assert!(svg.contains(">&lt;A&gt;<") && svg.contains(">#5<") && !svg.contains("<A>"));
    assert_eq!(svg.matches("class=\"mark\"").count(), 1, "a mark on a stone is only text");
    assert_eq!(svg.matches("class=\"candidate\"").count(), 2);
    let mut game = Game::new("pente".parse().unwrap());
    for text in ["j10", "a1", "k10", "c1", "l10"] {
        game.play(text).unwrap();
    }
    let drawing = PictureOptions { threats: true, ..PictureOptions::default() };
    assert!(drawing.text(&game).contains("White tria: j10 k10 l10\n"));
    assert_eq!(drawing.svg(&game).matches("class=\"threat\"").count(), 1);
    for wrong in ["j20", "", "=A", "j10=ABCDE", "\u{1b}[31m"] {
        let error = MarkedPoint::parse(&game, wrong).unwrap_err().to_string();
        assert!(!error.contains('\u{1b}') && error.starts_with("the mark"), "{error}");
    }
}

/// A picture of pixels has stones where they lie, and letters on a machine without fonts.
#[cfg(feature = "png")]
#[test]
fn pictures_in_png_have_stones_and_letters_and_a_bound() {
    use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
    let mut game = Game::new("gomoku+size=5".parse().unwrap());
    for text in ["c3", "a1"] {
        game.play(text).unwrap();
    }
    let png = PictureOptions { size: Some(700), ..PictureOptions::default() }.png(&game).unwrap();
    let pixels = Pixmap::decode_png(&png).unwrap();
    assert_eq!(pixels.width().max(pixels.height()), 700);
    // Five columns and three more cells of room.
    let cell = f64::from(pixels.width()) / 7.0;
    let at = |x: f64, y: f64| {
        pixels.pixel(((x + 1.5) * cell) as u32, ((y + 1.5) * cell) as u32).unwrap()
    };
    let gray = |pixel: PremultipliedColorU8| pixel.red().max(pixel.green()).max(pixel.blue());
    assert!(gray(at(2.0, 2.0)) < 60, "a black stone on c3");
    let corner = at(0.0, 4.0);
    assert!(corner.red() > 240 && corner.blue() > 240, "a white stone on a1");
    let wood = at(1.5, 1.5);
    assert!(wood.blue() < 150 && wood.red() > 200, "wood between points");
    let (left, low) = ((0.2 * cell) as u32, (6.7 * cell) as u32);
    let rows = low..pixels.height();
    let ink = rows.flat_map(|y| (left..pixels.width()).map(move |x| (x, y)));
    let dark = ink.filter(|&(x, y)| gray(pixels.pixel(x, y).unwrap()) < 100).count();
    assert!(dark > 500, "the caption has {dark} dark pixels");
    let largest =
        PictureOptions { size: Some(1_000_000), ..PictureOptions::default() }.png(&game).unwrap();
    let pixels = Pixmap::decode_png(&largest).unwrap();
    assert_eq!(pixels.width().max(pixels.height()), PictureOptions::MAX_PIXELS);
}

#[cfg(feature = "png")]
#[test]
fn show_writes_the_format_that_the_name_asks_for() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, begin) in
        [("a.png", &b"\x89PNG"[..]), ("b.SVG", b"<svg xmlns"), ("c.txt", b"    a b c")]
    {
        let path = folder.join(name);
        let (ok, out, error) = show(&["--moves", "j10", "--output", path.to_str().unwrap()]);
        assert!(ok && out.is_empty(), "{error}");
        assert!(std::fs::read(path).unwrap().starts_with(begin), "{name}");
    }
    let (ok, text, _) = show(&["--moves", "j10 k10", "--crop", "--mark", "i9=X"]);
    assert!(
        ok && !text.contains('\u{1b}') && text.contains("(B)") && text.contains(" X "),
        "{text}"
    );
    let (ok, text, _) = show(&["--moves", "j10", "--format", "ansi"]);
    assert!(ok && text.contains("\u{1b}[") && text.contains('●'), "{text}");
    let (ok, text, _) =
        show(&["--variant", "pentalath", "--candidates", "--nodes", "300", "--count", "3"]);
    assert!(ok && text.contains("\n1. ") && !text.contains("\n4. "), "{text}");
    let (ok, _, error) = show(&["--mark", "z99"]);
    assert!(!ok && error.contains("the mark `z99` names no point of this board"), "{error}");
}

fn show(args: &[&str]) -> (bool, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_pentarch")).arg("show").args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[test]
fn show_draws_positions_and_refuses_what_is_none() {
    let bar = "cg85,cg86,cg87,cg88,cg89";
    let (ok, text, _) = show(&["--variant", "pent-up", "--moves", bar]);
    assert!(
        ok && text.contains("85 |w1*| 85") && text.contains(&format!("position: w:{bar} b - - 2"))
    );
    let from = format!("w:{bar} b - - 2");
    let (ok, svg, _) = show(&["--variant", "pent-up", "--position", &from, "--format", "svg"]);
    assert!(ok && svg.matches("<rect").count() == 6);
    let (ok, text, _) = show(&["--variant", "pent-up"]);
    assert!(ok && text.starts_with("(the table is empty)\n"));
    let (ok, svg, _) = show(&["--variant", "pent-up", "--format", "svg"]);
    assert!(ok && svg.contains("White to move, ply 1"));
    let (ok, text, _) = show(&["--variant", "gomoku", "--moves", "h8 i9"]);
    assert!(ok && text.contains("Black to move, ply 3"));
    let (ok, _, error) = show(&["--variant", "pent-up", "--moves", "j10"]);
    assert!(
        !ok && error.starts_with("pentarch: illegal move `j10`: a tile is five points"),
        "{error}"
    );
    let (ok, _, error) = show(&["--variant", "pent-up", "--output", "/no/such/folder/x"]);
    assert!(!ok && error.contains("cannot write the picture"), "{error}");
}
