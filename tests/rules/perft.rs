//! Perft counts compared with the tables in `tests/perft/*.perft`, which name their sources.

use crate::common::referee::Referee;
use crate::common::{hex_referee, start, tile_referee};
use pentarch::engine::Game;
use pentarch::game::perft;
use std::fs;
use std::sync::atomic::AtomicBool;

/// The greatest count that is tested, set by `PENTARCH_PERFT_NODES`.
fn node_limit() -> u64 {
    let asked = std::env::var("PENTARCH_PERFT_NODES").ok();
    asked.map_or(3_000_000, |text| text.parse().expect("PENTARCH_PERFT_NODES is a number"))
}

/// The greatest count that is also tested with the naive referee, which is a thousand times slower.
fn referee_limit() -> u64 {
    node_limit() / 500
}

/// The naive referee of a family of games.
#[derive(Clone)]
enum Naive {
    Stones(Referee),
    Tiles(tile_referee::Referee),
    Hexes(hex_referee::Referee),
}

impl Naive {
    fn new(spec: &str) -> Naive {
        if spec.starts_with("pent-up") {
            Naive::Tiles(tile_referee::Referee::new(spec))
        } else if spec.starts_with("pentalath") || spec.starts_with("yavalath") {
            Naive::Hexes(hex_referee::Referee::new(spec))
        } else {
            Naive::Stones(Referee::new(spec).unwrap())
        }
    }

    fn legal_moves(&self) -> Vec<String> {
        match self {
            Naive::Stones(referee) => referee.legal_moves(),
            Naive::Tiles(referee) => referee.legal_moves(),
            Naive::Hexes(referee) => referee.legal_moves(),
        }
    }

    fn play(&mut self, text: &str) {
        match self {
            Naive::Stones(referee) => assert!(referee.play(text).is_ok(), "{text}"),
            Naive::Tiles(referee) => assert!(referee.play(text).is_ok(), "{text}"),
            Naive::Hexes(referee) => assert!(referee.play(text).is_ok(), "{text}"),
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        if depth <= 1 {
            return if depth == 0 { 1 } else { moves.len() as u64 };
        }
        let children = moves.into_iter().map(|text| {
            let mut child = self.clone();
            child.play(&text);
            child.perft(depth - 1)
        });
        children.sum()
    }
}

fn start_game(spec: &str) -> Game {
    Game::new(spec.parse().unwrap_or_else(|error| panic!("{spec}: {error}")))
}

#[test]
fn perft_tables_hold() {
    assert!(check_tables(node_limit()) >= 4);
}

/// All counts of the games on hexagons, up to 1.5 billion leaves, which take a minute.
/// `cargo test --release --test rules -- --ignored deep_perft`
#[test]
#[ignore = "takes a minute"]
fn deep_perft_of_hexagons_holds() {
    let table = include_str!("../perft/hexes.perft");
    assert!(check(table, "hexes.perft", u64::MAX) >= 20);
}

/// Tests every table up to a limit and returns the number of tables.
fn check_tables(limit: u64) -> u32 {
    let mut tables = 0;
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/perft")).unwrap() {
        let path = entry.unwrap().path();
        let table = fs::read_to_string(&path).unwrap();
        let counted = check(&table, &path.display().to_string(), limit);
        assert!(counted > 0, "{} counts nothing", path.display());
        tables += 1;
    }
    tables
}

/// Lines of a table: `variant SPEC`, `moves M...` (from the start), `perft DEPTH NODES`, and
/// comments after `#`. Returns the number of counts up to the limit, which were tested.
fn check(table: &str, name: &str, limit: u64) -> u32 {
    let mut game = start_game("pente");
    let mut referee = Naive::new("pente");
    let mut counted = 0;
    for line in table.lines() {
        let line = line.split('#').next().unwrap().trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => (),
            "variant" => {
                game = start_game(rest);
                referee = Naive::new(rest);
            }
            "moves" => {
                assert_eq!(game.ply(), 0, "{name}: moves follow their variant");
                for text in rest.split_whitespace() {
                    game.play(text).unwrap();
                    referee.play(text);
                }
            }
            "perft" => {
                let (depth, nodes) = rest.split_once(' ').unwrap();
                let nodes: u64 = nodes.parse().unwrap();
                let depth = depth.parse().unwrap();
                if nodes <= limit {
                    let count = game.perft(depth, &AtomicBool::new(false));
                    assert_eq!(count, Some(nodes), "{name}: {line}");
                    counted += 1;
                }
                if nodes <= referee_limit() {
                    assert_eq!(referee.perft(depth), nodes, "{name}, naively: {line}");
                }
            }
            _ => panic!("{name}: what is `{line}`?"),
        }
    }
    counted
}

/// Free placement on n cells has n (n-1) (n-2) ... sequences while no game can end.
#[test]
fn perft_of_free_placement_is_a_falling_factorial() {
    for (size, depth) in [(5_u64, 4), (15, 3)] {
        let cells = size * size;
        let expected: u64 = (0..u64::from(depth)).map(|placed| cells - placed).product();
        let mut position = start(&format!("gomoku+size={size}"));
        assert_eq!(perft(&mut position, depth), expected);
    }
}
