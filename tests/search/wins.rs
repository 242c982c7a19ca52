//! Wins and threats in play: none that can be seen is missed, and none is announced that is none.

use crate::common::{can_force, draw, legal, specs, start, winning_move};
use fastrand::Rng;
use pentarch::engine::{Engine, Game, Options};
use pentarch::game::Position as _;
use pentarch::placement;
use pentarch::rules::RuleTier;
use pentarch::search::{Limits, Parameters, Signal};
use pentarch::tactics::Tactic;

/// Whether a move neither loses at once nor leaves the next to move a win at once.
fn can_hold(position: &mut placement::Position) -> bool {
    let mut threat = None;
    legal(position).into_iter().any(|mv| {
        position.play(mv);
        let lost = position.outcome().is_some_and(|outcome| outcome.winner.is_some());
        let answer = if lost { None } else { winning_move(position, threat) };
        position.undo();
        threat = answer.or(threat);
        !lost && answer.is_none()
    })
}

/// Whether most moves leave the next to move a win at once.
fn is_threatened(position: &mut placement::Position, rng: &mut Rng) -> bool {
    let moves = legal(position);
    let mut loses = |position: &mut placement::Position| {
        position.play(moves[rng.usize(..moves.len())]);
        let loses = winning_move(position, None).is_some();
        position.undo();
        loses
    };
    (0..3).any(|_| loses(position))
}

#[test]
fn no_win_in_one_is_missed_and_no_threat_left_that_can_be_met() {
    let (mut won, mut held) = (0, 0);
    // With two stones a turn a threat may wait for the second.
    let single = |spec: &String| !start(spec).rules().seating().double_turns;
    for spec in specs().into_iter().filter(single) {
        let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
        for seed in 0..4 {
            let mut rng = Rng::with_seed(seed);
            let mut position = start(&spec);
            while let Some(mv) = draw(&position, &mut rng) {
                position.play(mv);
                if position.outcome().is_some() || !position.ply().is_multiple_of(5) {
                    continue;
                }
                let text = position.text();
                let game = Game::from_text(spec.parse().unwrap(), &text).unwrap();
                let side = game.side_of(game.to_move());
                let mut place = game.placement().unwrap().clone();
                let can_win = winning_move(&mut place, None).is_some();
                // Other rules have more moves, and threats that are seen only by searching. Where
                // nothing is at stake, it takes less not to give a win away.
                let at_stake = can_win || is_threatened(&mut place, &mut rng);
                let nodes = if position.rules().tier() == RuleTier::Plain || !at_stake {
                    400
                } else {
                    3000
                };
                let found =
                    engine.think_here(&game, Limits::nodes(nodes), &Signal::new(), |_| ()).unwrap();
                let holdable = !can_win && can_hold(&mut place);
                place.try_play(found.best.unwrap()).unwrap();
                if can_win {
                    let winner = place.outcome().and_then(|outcome| outcome.winner);
                    assert_eq!(winner, Some(side), "{spec}, {text}");
                    won += 1;
                } else if holdable {
                    assert_eq!(winning_move(&mut place, None), None, "{spec}, {text}");
                    held += 1;
                }
            }
        }
    }
    assert!(won > 50 && held > 50, "{won} wins and {held} defenses were asked for");
}

#[test]
fn every_announced_win_is_one_against_all_defenses() {
    let (mut announced, mut longer) = (0, 0);
    for (spec, furthest) in [
        ("gomoku+size=6+line=4", 5),
        ("gomoku-standard+size=6+line=4", 5),
        ("pente+size=5", 5),
        ("pente+size=7+goal=4", 3),
        ("keryo-pente+size=6", 3),
        ("ninuki+size=7", 3),
        ("connect6+size=7", 2),
    ] {
        let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
        for seed in 0..60 {
            let mut rng = Rng::with_seed(seed);
            let mut position = start(spec);
            for _ in 0..6 + rng.usize(..12) {
                if let Some(mv) = draw(&position, &mut rng) {
                    position.play(mv);
                }
            }
            if position.outcome().is_some() {
                continue;
            }
            let game = Game::from_text(spec.parse().unwrap(), &position.text()).unwrap();
            let found =
                engine.think_here(&game, Limits::nodes(2000), &Signal::new(), |_| ()).unwrap();
            if let Some(plies @ 1..) = found.report.score.mate()
                && plies <= furthest
            {
                let text = position.text();
                assert!(can_force(&mut position, plies as u32), "{spec}, {text}: mate {plies}");
                announced += 1;
                longer += i32::from(plies > 1);
            }
        }
    }
    assert!(
        announced > 100 && longer > 30,
        "{announced} wins, {longer} of them longer than one ply"
    );
}

/// The position after moves from the start.
fn after(spec: &str, moves: &str) -> Game {
    let mut game = Game::new(spec.parse().unwrap());
    for text in moves.split_whitespace() {
        game.play(text).unwrap();
    }
    game
}

fn answer(game: &Game, options: Options, limits: Limits) -> (String, Option<i32>) {
    let found = Engine::new(options).think_here(game, limits, &Signal::new(), |_| ()).unwrap();
    (game.move_text(found.best.unwrap()), found.report.score.mate())
}

#[test]
fn every_level_takes_its_win_and_from_the_fourth_on_none_leaves_a_four() {
    let win = after("pente", "j10 a1 k10 c1 l10 e1 m10 g1");
    let four = after("pente", "j10 i10 k10 c1 l10 e1 m10");
    for level in 1..=10 {
        for seed in 0..20 {
            let options = Options { level, seed, hash: 1, ..Options::default() };
            let (best, _) = answer(&win, options.clone(), Limits::nodes(2_000));
            assert!(best == "i10" || best == "n10", "level {level} plays {best}");
            if level >= 4 {
                let (best, _) = answer(&four, options, Limits::nodes(2_000));
                assert_eq!(best, "n10", "level {level}");
            }
        }
    }
}

#[test]
fn a_low_level_chooses_among_close_moves() {
    let game = after("gomoku", "h8 i9 i8");
    let moves = |level| -> std::collections::BTreeSet<_> {
        let options = |seed| Options { level, seed, hash: 1, ..Options::default() };
        (0..30).map(|seed| answer(&game, options(seed), Limits::nodes(2_000)).0).collect()
    };
    assert!(moves(1).len() > 1, "level 1 always plays the same");
    assert!(moves(1).len() >= moves(9).len());
}

#[test]
fn go_mate_finds_long_forced_wins_that_a_shallow_search_does_not_see() {
    let text = std::fs::read_to_string("tests/tactics/gomoku.txt").unwrap();
    let tactics = text.lines().filter_map(|line| line.parse::<Tactic>().ok());
    let mut found = 0;
    for tactic in tactics.filter(|tactic| tactic.plies >= 7) {
        let limits = Limits { mate: Some(tactic.plies), nodes: Some(50_000), ..Limits::default() };
        let (best, mate) = answer(&tactic.game, Options { hash: 4, ..Options::default() }, limits);
        let first = tactic.first.iter().any(|&mv| tactic.game.move_text(mv) == best);
        found += usize::from(first && mate == Some(tactic.plies as i32));
    }
    assert!(found >= 12, "{found} found");
}

#[test]
fn a_win_is_announced_sooner_if_it_is_looked_for_alone() {
    let text = std::fs::read_to_string("tests/tactics/announced.txt").unwrap();
    let free = text.lines().filter(|line| line.starts_with("gomoku;"));
    let tactics: Vec<Tactic> = free.take(40).map(|line| line.parse().unwrap()).collect();
    let announced = |win_share| {
        let parameters = Parameters { win_share, ..Parameters::DEFAULT };
        let options = Options { hash: 8, parameters, ..Options::default() };
        let wins = |tactic: &&Tactic| {
            let (_, mate) = answer(&tactic.game, options.clone(), Limits::nodes(12_000));
            mate.is_some_and(|plies| plies > 0)
        };
        tactics.iter().filter(wins).count()
    };
    let [without, with] = [0, Parameters::DEFAULT.win_share].map(announced);
    assert!(with > without && with >= 12, "{with} with it, {without} without");
}

#[test]
fn forced_wins_can_be_switched_off() {
    let game = after("gomoku", "h8 h9 i9 g7 j10 k11 i10 g8 i8");
    let nodes = |forced_wins| {
        let options = Options { forced_wins, hash: 4, ..Options::default() };
        let limits = Limits::depth(6);
        Engine::new(options).think_here(&game, limits, &Signal::new(), |_| ()).unwrap().report.nodes
    };
    assert_ne!(nodes(true), nodes(false));
}

#[test]
fn a_search_that_is_broken_off_announces_no_loss_that_it_has_not_proved() {
    let text = "9/3ww1b1b/2b3w2/bww1wbwb1/2bb2w2/9/w1b3b2/4w4/9 w 11,11 - 43";
    let game = Game::from_text("keryo-pente+size=9".parse().unwrap(), text).unwrap();
    for nodes in [200, 500, 1_000, 2_000, 5_000] {
        let options = Options { hash: 4, ..Options::default() };
        let (_, mate) = answer(&game, options, Limits::nodes(nodes));
        assert!(mate.is_none_or(|plies| plies < -6), "mate {mate:?} after {nodes} nodes");
    }
}

/// What answers the threat has stones poofed that win for the other side, which was played though any other
/// move lasts a ply longer.
#[test]
fn nobody_loses_by_a_poof_for_want_of_another_move() {
    for text in [
        "19/19/19/19/19/12b6/19/2b7w8/3w2w12/4wbbbbw9/5wwww10/8wb9/5bwb1w9/7w2w8/11b7/19/12w6/19/19 b 8,4 - 38",
        "19/19/19/8bb9/9w1w7/10b8/9b1b7/8b1w1b6/7b3w1w5/6w1bw2wb5/9bb1bw5/8w1b1bwb4/10w2w5/9b3w5/13b5/19/19/19/19 w 4,8 - 45",
        "19/19/19/19/19/19/6b12/7w1b9/7bw1w8/8bw9/10bw7/7b2wwww5/8bw3b5/11w7/19/19/19/19/19 b 8,6 - 34",
    ] {
        let mut game = Game::from_text("poof-pente".parse().unwrap(), text).unwrap();
        let options = Options { hash: 4, ..Options::default() };
        let (best, mate) = answer(&game, options, Limits::nodes(1_000));
        assert_eq!(mate, Some(-2), "{text}");
        game.play(&best).unwrap();
        assert_eq!(game.outcome(), None, "{text}");
    }
}
