//! Pent-Up compared with its naive referee, and invariants of games of tiles only.

use crate::common::tile_referee::Referee;
use crate::laws::tiles::SPECS;
use crate::laws::{Family, at_every_ply, legal};
use fastrand::Rng;
use pentarch::game::{Color, EndReason, Move, MoveKind, Position as _, Side};
use pentarch::stacking::{Pentomino, PlacedTile, Playout, Position, Spot};
use std::collections::BTreeSet;

fn start(spec: &str) -> Position {
    Family::start(spec)
}

fn legal_texts(position: &Position) -> Vec<String> {
    let mut texts: Vec<_> = legal(position).iter().map(|&mv| position.move_text(mv)).collect();
    texts.sort();
    texts
}

fn assert_agree(position: &Position, referee: &Referee, context: &str) {
    assert_eq!(legal_texts(position), referee.legal_moves(), "legal moves, {context}");
    assert_eq!(position.to_move().index(), referee.to_move(), "turn, {context}");
    for (placed, lying) in position.tiles().zip(&referee.tiles) {
        assert_eq!(usize::from(placed.level), lying.level, "level, {context}");
        assert_eq!(placed.color.index(), lying.owner, "color, {context}");
    }
    let winner = position.outcome().map(|outcome| outcome.winner.map(Side::index));
    assert_eq!(winner, referee.result(), "result, {context}");
}

#[test]
fn games_agree_with_the_naive_referee() {
    let mut widest = 0;
    for spec in SPECS {
        for game in 0..10 {
            let mut rng = Rng::with_seed(game);
            let mut position = start(spec);
            let mut referee = Referee::new(spec);
            while let Some(mv) = position.draw(game, &mut rng) {
                let context = format!("{spec}, game {game}, {}", position.text());
                assert_agree(&position, &referee, &context);
                referee.play(&position.move_text(mv)).unwrap();
                position.play(mv);
            }
            assert_agree(&position, &referee, &format!("{spec}, game {game}, the end"));
            assert_eq!(position.ply(), 24);
            let (low, high) = position.bounds().unwrap();
            widest = widest.max(high.column - low.column + 1);
            assert_eq!(position.outcome().unwrap().reason, EndReason::Levels);
        }
    }
    assert!(widest > 60, "too wide for words of 64 bits: {widest}");
}

#[test]
fn the_second_ply_has_the_same_moves() {
    let (mut position, referee) = (start("pent-up"), Referee::new("pent-up"));
    let mut counts = [0, 0];
    for text in referee.legal_moves() {
        let mut after = referee.clone();
        after.play(&text).unwrap();
        counts[0] += after.legal_moves().len();
        position.play(position.parse_move(&text).unwrap());
        counts[1] += legal(&position).len();
        position.undo();
    }
    assert_eq!(counts, [62_644, 62_644]);
}

#[test]
fn results_of_many_random_games_agree_with_the_naive_count() {
    let mut results = BTreeSet::new();
    for spec in SPECS {
        let mut playout = Playout::default();
        let mut rng = Rng::with_seed(5);
        for _ in 0..2000 {
            let mut position = start(spec);
            playout.run(&mut position, &mut rng);
            let winner = position.outcome().unwrap().winner;
            // Counted again from the tiles on the table.
            let mut lead = (1..=12).map(|level| {
                let count = |color| {
                    let own = |tile: &PlacedTile| tile.color == Color(color) && tile.level == level;
                    position.tiles().filter(own).count()
                };
                count(0).cmp(&count(1))
            });
            let decisive = |order: &std::cmp::Ordering| order.is_ne();
            let lead = if spec == "pent-up" { lead.rfind(decisive) } else { lead.find(decisive) };
            let expected = lead.map(|order| usize::from(order.is_lt()));
            assert_eq!(winner.map(Side::index), expected);
            results.insert((spec, expected));
        }
    }
    assert_eq!(results.len(), 6, "each side wins and draws come up: {results:?}");
}

#[test]
fn the_set_of_tiles() {
    let referee = Referee::new("pent-up");
    assert_eq!((referee.orientations(), referee.shapes().len()), (63, 12));
    assert_eq!(legal_texts(&start("pent-up")), referee.legal_moves());
}

/// A position with every tile moved by a map of cells.
fn image(position: &Position, map: impl Fn(Spot) -> Spot) -> Position {
    let palette = position.rules().color_names();
    let mut text = Vec::new();
    let mut tiles: Vec<PlacedTile> = position.tiles().collect();
    tiles.sort_by_key(|tile| tile.level);
    for tile in &tiles {
        let points: Vec<_> = tile.cells().map(|spot| map(spot).to_string()).collect();
        text.push(format!("{}:{}", palette.letter(tile.color), points.join(",")));
    }
    let board = if text.is_empty() { "-".to_owned() } else { text.join("/") };
    let mover = palette.letter(position.color_to_move());
    let text = format!("{board} {mover} - - {}", position.ply() + 1);
    Position::from_text(position.rules().as_ref().clone(), &text).unwrap()
}

/// The legal moves as sets of cells, moved by a map.
fn legal_cells(position: &Position, map: impl Fn(Spot) -> Spot) -> BTreeSet<BTreeSet<Spot>> {
    let cells = |mv: Move| match mv.kind() {
        MoveKind::Tile(orientation, place) => {
            let level = 1;
            let spot = Spot::at(place).unwrap();
            PlacedTile { orientation, spot, level, color: Color(0) }.cells().map(&map).collect()
        }
        other => panic!("{other:?}"),
    };
    legal(position).into_iter().map(cells).collect()
}

#[test]
fn translations_and_symmetries_commute_with_play() {
    at_every_ply::<Position>(|position, context, rng| {
        if position.ply() == 0 {
            return; // the first place is a convention of texts
        }
        // Rotated and reflected around a point near the middle, then translated.
        let way = rng.u8(..8);
        let by = (rng.i32(-3..=3), rng.i32(-3..=3));
        let map = |spot: Spot| {
            let (x, y) = (i32::from(spot.column) - 84, i32::from(spot.row) - 84);
            let (x, y) = if way & 1 != 0 { (-x, y) } else { (x, y) };
            let (x, y) = if way & 2 != 0 { (x, -y) } else { (x, y) };
            let (x, y) = if way & 4 != 0 { (y, x) } else { (x, y) };
            Spot::new(84 + x + by.0, 84 + y + by.1).unwrap()
        };
        let free = position.bounds().is_some_and(|(low, high)| {
            let spread = |near: u8, far: u8| near.abs_diff(84).max(far.abs_diff(84));
            spread(low.column, high.column).max(spread(low.row, high.row)) < 30
        });
        if free && position.ply() > 4 {
            let image = image(position, map);
            assert_eq!(legal_cells(position, map), legal_cells(&image, |spot| spot), "{context}");
            assert_eq!(position.outcome(), image.outcome(), "{context}");
        }
    });
}

#[test]
fn the_order_of_placements_does_not_matter() {
    at_every_ply::<Position>(|position, context, _| {
        let twin = image(position, |spot| spot);
        assert_eq!(twin.key(), position.key(), "{context}");
        for shape in Pentomino::all() {
            if position.outcome().is_none() {
                let count = |position: &Position| {
                    let mut count = 0;
                    let level = position.for_each_place(shape, |_| count += 1);
                    assert_eq!(level, position.highest_level(shape), "{context}");
                    (level, count)
                };
                assert_eq!(count(&twin), count(position), "{context}");
            }
        }
    });
}

#[test]
fn reasons_of_refusals() {
    let mut position = start("pent-up");
    let refused = |position: &Position, text: &str| {
        let mv = position.parse_move(text).unwrap();
        position.check(mv).unwrap_err().to_string()
    };
    let bar = "cg85,cg86,cg87,cg88,cg89";
    let away = "ch85,ch86,ch87,ch88,ch89";
    assert_eq!(refused(&position, away), "the lower left corner of the first tile's box is cg85");
    position.try_play(position.parse_move(bar).unwrap()).unwrap();
    assert_eq!(refused(&position, bar), "the tile would rest on one tile only, it needs two");
    assert_eq!(refused(&position, "cg85,cg86,cg87,cg88,ch85"), "the tile would not lie flat");
    let corner = "a tile on the table must share an edge with another tile on the table";
    assert_eq!(refused(&position, "ch84,ch83,ch82,ch81,ch80"), corner);
    position.try_play(position.parse_move(away).unwrap()).unwrap();
    let low = "the P tile must go to level 2, here it would lie on level 1";
    assert_eq!(refused(&position, "ci85,ci86,ci87,cj85,cj86"), low);
    let used = "the I tile of this color has been played";
    assert_eq!(refused(&position, "ci85,ci86,ci87,ci88,ci89"), used);
}

#[test]
fn random_games_have_the_measured_statistics() {
    // A prototype measured 46.0 % wins of the first player and 51.8 % of the second.
    let mut playout = Playout::default();
    let mut rng = Rng::with_seed(1);
    let mut wins = [0, 0, 0];
    for _ in 0..4000 {
        let mut position = start("pent-up");
        let winner = playout.run(&mut position, &mut rng).unwrap().winner;
        wins[winner.map_or(2, Side::index)] += 1;
    }
    assert!((1680..2000).contains(&wins[0]) && (1920..2230).contains(&wins[1]), "{wins:?}");
}
