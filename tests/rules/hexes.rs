//! Pentalath and Yavalath compared with a naive referee.

use crate::common::hex_referee::{self, Referee};
use crate::laws::hexes::SPECS;
use crate::laws::{Family, at_every_ply, legal};
use fastrand::Rng;
use pentarch::game::{Color, EndReason, Move, MoveKind, Outcome, Position as _, Seat, Side};
use pentarch::hexes::{Playout, Position};

/// The number of games of each spec, set by `PENTARCH_GAMES_PER_VARIANT`.
fn games() -> u64 {
    let asked = std::env::var("PENTARCH_GAMES_PER_VARIANT").ok();
    asked.map_or(12, |text| text.parse().expect("PENTARCH_GAMES_PER_VARIANT is a number"))
}

fn start(spec: &str) -> Position {
    Family::start(spec)
}

fn legal_texts(position: &Position) -> Vec<String> {
    let mut texts: Vec<_> = legal(position).iter().map(|&mv| position.move_text(mv)).collect();
    texts.sort();
    texts
}

/// Compares everything that the position and the referee can both report.
fn assert_agree(position: &Position, referee: &Referee, context: &str) {
    assert_eq!(legal_texts(position), referee.legal_moves(), "legal moves, {context}");
    let result = position.outcome().map(|outcome| outcome.winner.map(Side::index));
    assert_eq!(result, referee.result(), "result, {context}");
    let reason = position.outcome().map(|outcome| outcome.reason.to_string());
    assert_eq!(reason.as_deref(), referee.reason(), "reason, {context}");
    for (color, &count) in (0..).map(Color).zip(referee.captured()) {
        assert_eq!(u32::from(position.captures(color)), count, "captures, {context}");
    }
    if position.outcome().is_none() {
        assert_eq!(position.to_move().index(), referee.to_move(), "seat, {context}");
    }
    for point in referee.points() {
        let cell = position.grid().parse(&hex_referee::text(point)).unwrap();
        let stone = position.stone(cell).map(Color::index);
        assert_eq!(stone, referee.board.get(&point).copied(), "{context}");
    }
}

#[test]
fn random_games_agree_with_the_naive_referee() {
    let (mut passes, mut captures, mut out) = (0, 0, 0);
    let mut ends = std::collections::BTreeMap::<String, u32>::new();
    for spec in SPECS {
        for seed in 0..games() {
            let mut rng = Rng::with_seed(seed);
            let (mut position, mut referee) = (start(spec), Referee::new(spec));
            loop {
                let context = format!("{spec}, game {seed}, {}", position.text());
                assert_agree(&position, &referee, &context);
                let Some(mv) = position.draw(seed, &mut rng) else { break };
                passes += u32::from(mv.kind() == MoveKind::Pass);
                referee.play(&position.move_text(mv)).unwrap();
                position.play(mv);
            }
            captures += referee.captured().iter().sum::<u32>();
            out += u32::from(spec.starts_with("yavalath-3") && position.opponents().count() < 2);
            if let Some(reason) = referee.reason() {
                *ends.entry(reason.to_owned()).or_default() += 1;
            }
        }
    }
    // The events that the games were drawn for have occurred.
    assert!(passes > 5 && captures > 200 && out > 5, "{passes} {captures} {out}");
    for reason in ["line", "short-line", "full-board", "ply-cap"] {
        assert!(ends.contains_key(reason), "no game ended by {reason}: {ends:?}");
    }
}

/// Play cannot lead to passes of all colors in turn, because a cell that is illegal for one color is legal
/// for another. A position text can set up earlier passes.
#[test]
fn passes_of_all_seats_draw() {
    let mut found = 0;
    at_every_ply::<Position>(|position, context, _| {
        if !position.is_legal(MoveKind::Pass.into()) {
            return;
        }
        found += 1;
        assert_eq!(legal_texts(position), ["pass"], "{context}");
        let seats = position.rules().seating().seats;
        let mut fields: Vec<String> = position.text().split(' ').map(str::to_owned).collect();
        fields[3] = format!("passes={}", seats - 1);
        fields[4] = (position.ply() + 1 + 2 * u32::from(seats)).to_string();
        let text = fields.join(" ");
        let mut position = position.with_text(&text).unwrap();
        assert_eq!(position.outcome(), None, "{context}");
        position.play(MoveKind::Pass.into());
        assert_eq!(position.outcome(), Some(Outcome::draw(EndReason::NoMove)), "{context}");
    });
    assert!(found > 3, "{found}");
}

#[test]
fn playouts_run_the_same_pipeline() {
    for spec in SPECS.into_iter().filter(|spec| !spec.contains("swap1")) {
        let start = start(spec);
        let mut playout = Playout::new(&start);
        for seed in 0..games() {
            let mut rng = Rng::with_seed(seed);
            let mut referee = Referee::new(spec);
            let outcome = playout.run_with(&mut rng, |_, cell| {
                let text = cell.map_or("pass".to_owned(), |cell| start.grid().label(cell));
                referee.play(&text).unwrap();
            });
            assert_eq!(Some(outcome.winner.map(Side::index)), referee.result(), "{spec}");
            assert_eq!(Some(outcome.reason.to_string().as_str()), referee.reason(), "{spec}");
            assert_eq!(playout.plies(), referee.plies(), "{spec}");
            for (color, &count) in (0..).map(Color).zip(referee.captured()) {
                assert_eq!(u32::from(playout.captures(color)), count, "{spec}");
            }
        }
    }
}

/// Rules, section 6.
#[test]
fn golden_vector_of_three_colors() {
    let mut referee = Referee::new("pentalath-3");
    referee.set_up(&[("e1", 0), ("f2", 0), ("g1", 1), ("f1", 2)]);
    referee.play("g2").unwrap();
    let text = "b12/rw10/w10/10/9/8/7 w 0,0,0 - 7";
    let mut position = Position::from_text("pentalath-3".parse().unwrap(), text).unwrap();
    position.try_play(position.parse_move("g2").unwrap()).unwrap();
    assert_agree_on_stones(&position, &referee);
    assert_eq!(position.captures(Color(0)), 2);
    for gone in ["g1", "f1"] {
        assert_eq!(position.stone(position.grid().parse(gone).unwrap()), None);
    }
}

fn assert_agree_on_stones(position: &Position, referee: &Referee) {
    for point in referee.points() {
        let cell = position.grid().parse(&hex_referee::text(point)).unwrap();
        assert_eq!(position.stone(cell).map(Color::index), referee.board.get(&point).copied());
    }
}

#[test]
fn a_choice_changes_seats_and_not_the_turn_of_colors() {
    for (word, seats) in [("swap", [0, 1, 0]), ("keep", [1, 0, 1])] {
        let mut position = start("pentalath+swap1");
        position.play(position.parse_move("d5").unwrap());
        assert_eq!(position.to_move(), Seat(1));
        let stone = Move::stone(position.grid().parse("a1").unwrap());
        let error = position.try_play(stone).unwrap_err();
        assert_eq!(error.to_string(), "a color must be chosen first: `swap` or `keep`");
        position.try_play(position.parse_move(word).unwrap()).unwrap();
        for (seat, color, text) in [(seats[0], 1, "a1"), (seats[1], 0, "b1"), (seats[2], 1, "c1")] {
            assert_eq!(position.to_move(), Seat(seat), "{word}");
            assert_eq!(position.color_to_move(), Color(color), "{word}");
            position.try_play(position.parse_move(text).unwrap()).unwrap();
        }
        assert!(position.check(MoveKind::Swap.into()).is_err());
    }
}

#[test]
fn keys_depend_on_choices() {
    // The same stones and turn with either choice.
    let chosen = |word: &str| {
        let mut position = start("yavalath+swap1");
        for text in ["e5", word] {
            position.play(position.parse_move(text).unwrap());
        }
        position.key()
    };
    assert_ne!(chosen("swap"), chosen("keep"));
}

#[test]
fn wrong_texts_are_refused_with_the_field() {
    for (spec, text, why) in [
        ("yavalath", "5/6/7/8/9/8/7/6 w - - 1", "field 1 (board): expected 9 rows, found 8"),
        (
            "yavalath",
            "5/6/7/8/9/8/7/6/6 w - - 1",
            "field 1 (board): row a: expected 5 cells, found 6",
        ),
        (
            "yavalath",
            "5/6/7/8/9/8/7/6/r4 w - - 1",
            "field 1 (board): row a: `r` is neither a number nor a color",
        ),
        ("yavalath", "5/6/7/8/9/8/7/6/5 r - - 1", "field 2 (color to move): expected `w` or `b`"),
        ("yavalath", "5/6/7/8/9/8/7/6/5 w 0,0 - 1", "field 3 (captures): expected `-`, *"),
        ("yavalath", "5/6/7/8/9/8/7/6/5 w - passes=1 1", "field 4 (stage): expected `-`, or *"),
        ("yavalath", "5/6/7/8/9/8/7/6/5 w - - 2", "field 5 (ply): ply 2 is Black's, *"),
        ("yavalath", "5/6/7/8/9/8/7/6/wbwb1 w - - 3", "field 5 (ply): 4 stones lie there, *"),
        ("yavalath", "5/6/7/8/9/8/7/6/www1b w - - 9", "field 2 (color to move): White is out *"),
        ("yavalath", "5/6/7/8/9/8/7/6/wwww1 w - - 9", "field 1 (board): a winning row stands *"),
        ("yavalath+swap1", "5/6/7/8/9/8/7/6/w4 b - - 2", "field 4 (stage): `choice` belongs *"),
        ("yavalath", "5/6/7/8/9/8/7/6/w4 b - swapped 2", "field 4 (stage): `swapped` comes *"),
        ("pentalath+side=3", "bw3/w3/3 w 0 - 5", "field 3 (captures): expected 2 numbers *"),
        ("pentalath+side=3", "bw3/ww2/3 w 0,0 - 5", "field 1 (board): a group of Black has no *"),
        ("pentalath+side=3", "5/4/3 w 0,0 -", "field 5 (ply): expected five fields, found 4"),
        ("pentalath+side=3", "5/4/3 w 0,0 - 1000002", "field 5 (ply): expected the number of *"),
    ] {
        let error = Position::from_text(spec.parse().unwrap(), text).unwrap_err().to_string();
        let wanted = format!("position text, {why}");
        let matches = match wanted.strip_suffix('*') {
            Some(start) => error.starts_with(start),
            None => error == wanted,
        };
        assert!(matches, "{spec}, {text}:\n{error}\n{wanted}");
    }
}
