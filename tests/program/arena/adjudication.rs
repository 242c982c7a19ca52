//! Games that the arena ends early, each with a reason of its own.

use super::{duel, play, spec};
use pentarch::arena::{Adjudication, Match, Openings};

#[test]
fn a_long_game_is_drawn() {
    let rules = Adjudication { max_plies: Some(6), ..Adjudication::default() };
    for record in play(&Match { adjudication: rules, ..duel(spec("player=random")) }).1 {
        assert_eq!((record.moves.len(), record.reason.as_str()), (6, "adjudicated-length"));
        assert_eq!(record.result.to_string(), "draw");
        assert_eq!(record.detail.as_deref(), Some("no end after 6 plies"));
    }
}

#[test]
fn a_proved_win_ends_the_game() {
    let rules = Adjudication { proven: Some(1000), ..Adjudication::default() };
    let openings = Openings::Random { plies: 0, seed: 1 };
    let game = Match { adjudication: rules, openings, games: 2, ..duel(spec("nodes=100")) };
    for record in play(&game).1 {
        assert_eq!(record.reason, "adjudicated-proof");
        let winner = if record.game == 1 { "p1win" } else { "p2win" };
        assert_eq!(record.result.to_string(), winner, "the engine beats the random player");
    }
}

#[test]
fn engines_that_agree_end_the_game() {
    let rules = Adjudication {
        resign: Some("movecount=2,score=300".parse().unwrap()),
        draw: Some("movenumber=2,movecount=2,score=1000".parse().unwrap()),
        ..Adjudication::default()
    };
    let both = vec![spec("name=a nodes=100"), spec("name=b nodes=100")];
    let game = Match { adjudication: rules, engines: both, games: 2, ..duel(spec("")) };
    for record in play(&game).1 {
        assert!(["adjudicated-win", "adjudicated-draw"].contains(&record.reason.as_str()));
        let last = record.plies.iter().rev().take(4).map(|ply| ply.score.unwrap().abs());
        let least = if record.reason == "adjudicated-win" { 300..=i32::MAX } else { 0..=1000 };
        assert!(last.into_iter().all(|score| least.contains(&score)), "{record:?}");
    }
}

#[test]
fn three_sides_agree_on_nothing() {
    let rules = Adjudication { proven: Some(1000), ..Adjudication::default() };
    let game = Match { rules: "pente-3".parse().unwrap(), ..duel(spec("")) };
    let error = super::run(&Match { adjudication: rules, ..game }, None, |_| Ok(())).unwrap_err();
    assert!(error.to_string().contains("more than two sides"), "{error}");
}
