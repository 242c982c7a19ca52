//! The lines of pente.org's server: games by the numbers of the site, points by number, levels from
//! 1 to 8.

use pentarch_core::game::{EndReason, Move};
use pentarch_core::rules::Ruleset;
use pentarch_core::rules::catalog::{PENTE_ORG_GAMES, pente_org_spec_of_number};
use pentarch_engine::{Game, GameError};
use pentarch_protocol::sidecar::{Question, Response, SIZE};

/// Our levels for those of the site, from 1 on: evenly spread, the last at full strength.
const LEVELS: [u32; 8] = [1, 3, 4, 5, 6, 8, 9, 10];

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// The site has no such game, or it has choices, for which there are no points.
    #[error("game {0}: expected 1, 3, 5, 9, 11, 13, 15, 25, or the number after one of these")]
    Game(u32),
    /// There is no such level.
    #[error("level {0}: expected one from 1 to 8")]
    Level(u32),
    /// A point is no move. With the number of the move in the game, from 1, and the point.
    #[error("move {0}, point {1}: {2}")]
    Move(usize, u32, GameError),
    /// Nobody is to move.
    #[error("the game is over: {0}")]
    Over(EndReason),
}

/// Our level for one of the site.
///
/// # Errors
/// [`QuestionError::Level`].
pub fn level(theirs: u32) -> Result<u32, QuestionError> {
    let level = theirs.checked_sub(1).and_then(|index| LEVELS.get(index as usize));
    level.copied().ok_or(QuestionError::Level(theirs))
}

/// The game of a question, open.
///
/// The tournament rule holds in rated games only, which a question does not say: it is taken back
/// where the moves do not keep to it.
///
/// # Errors
/// All but [`QuestionError::Level`].
pub fn game(question: &Question) -> Result<Game, QuestionError> {
    let rules = rules(question.game).ok_or(QuestionError::Game(question.game))?;
    let game = replay(&rules, &question.moves).or_else(|error| {
        let untied = untied(&rules).ok_or(error)?;
        replay(&untied, &question.moves)
    })?;
    match game.outcome() {
        Some(outcome) => Err(QuestionError::Over(outcome.reason)),
        None => Ok(game),
    }
}

/// The rules of a game by its number, if all its moves are points of the board.
fn rules(number: u32) -> Option<Ruleset> {
    let rules: Ruleset = pente_org_spec_of_number(number)?.parse().ok()?;
    (!has_choices(&rules)).then_some(rules)
}

/// Whether some move of the game may be no point of the board.
fn has_choices(rules: &Ruleset) -> bool {
    rules.squares().is_none_or(|board| board.swap.is_some())
}

fn replay(rules: &Ruleset, points: &[u32]) -> Result<Game, QuestionError> {
    let mut game = Game::new(rules.clone());
    for (index, &point) in points.iter().enumerate() {
        let played = move_at(&game, point).and_then(|mv| game.play_move(mv));
        played.map_err(|error| QuestionError::Move(index + 1, point, error))?;
    }
    Ok(game)
}

/// The move at a point. Rows count from the bottom here; the rules are the same either way.
fn move_at(game: &Game, point: u32) -> Result<Move, GameError> {
    let (column, row) = ((point % SIZE) as i32, (point / SIZE) as i32);
    let cell = game.grid().and_then(|grid| grid.get(column, row));
    game.parse_move(&cell.map_or_else(|| point.to_string(), |cell| game.cell_text(cell)))
}

/// The point of a move.
fn point_of(game: &Game, mv: Move) -> Option<u32> {
    let (grid, cell) = (game.grid()?, mv.cell()?);
    Some(u32::from(grid.row(cell)) * SIZE + u32::from(grid.column(cell)))
}

/// The answer of one turn's moves, the first of which is played in this game. None if they have no
/// points.
pub fn answer(game: &Game, moves: &[Move]) -> Option<Response> {
    let mut points = moves.iter().map(|&mv| point_of(game, mv));
    let first = points.next()??;
    let second = points.next().flatten();
    let in_pairs = game.rules().seating().double_turns;
    Some(if in_pairs { Response::pair(first, second) } else { Response::Move(first) })
}

/// The moves of one turn that an answer stands for, the first of which is due in this game. They need
/// not be legal.
///
/// # Errors
/// A number is no point of the board.
pub fn moves(game: &Game, answer: u32) -> Result<Vec<Move>, GameError> {
    let in_pairs = game.rules().seating().double_turns;
    let (first, second) = if in_pairs { Response::unpack(answer) } else { (answer, None) };
    [Some(first), second].into_iter().flatten().map(|point| move_at(game, point)).collect()
}

/// The question for the next move of a game, or none where the site has no such game or the start was
/// no empty board.
pub fn question(game: &Game, level: u32) -> Option<Question> {
    let moves = game.moves();
    let moves = moves.into_iter().map(|mv| point_of(game, mv)).collect::<Option<_>>()?;
    Some(Question { game: number_of(game.rules())?, level, moves })
}

/// The number of a game, of whose opening a question says nothing.
pub fn number_of(wanted: &Ruleset) -> Option<u32> {
    let served =
        || PENTE_ORG_GAMES.iter().filter_map(|&(number, ..)| Some((number, rules(number)?)));
    let close = || {
        let untied = untied(wanted)?;
        served().find(|(_, rules)| rules.with("free").is_ok_and(|free| free == untied))
    };
    served().find(|(_, rules)| rules == wanted).or_else(close).map(|(number, _)| number)
}

/// The game without limits on its first stones, if these are all that its opening has.
fn untied(rules: &Ruleset) -> Option<Ruleset> {
    rules.with("free").ok().filter(|_| !has_choices(rules))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(game: u32, moves: &[u32]) -> Result<Game, QuestionError> {
        super::game(&Question { game, level: 8, moves: moves.to_vec() })
    }

    #[test]
    fn numbers_of_games() {
        for (spec, number) in [
            ("pro-pente", 1),
            ("pente", 1),
            ("pente-freestyle", 1),
            ("pro-pente+keryo", 3),
            ("keryo-pente", 3),
            ("g-pente", 9),
            ("poof-pente", 11),
            ("connect6", 13),
            ("boat-pente-strict", 15),
            ("o-pente", 25),
        ] {
            assert_eq!(number_of(&spec.parse().unwrap()), Some(number), "{spec}");
        }
        for spec in ["d-pente", "swap2-pente", "pente-13", "boat-pente", "pentalath", "renju"] {
            assert_eq!(number_of(&spec.parse().unwrap()), None, "{spec}");
        }
        for number in [1, 3, 5, 9, 11, 13, 15, 25] {
            assert_eq!(rules(number), rules(number + 1), "speed twin of {number}");
            assert!(rules(number).is_some(), "{number}");
        }
        for number in [0, 7, 17, 27, 29, 31, 50, u32::MAX] {
            assert_eq!(asked(number, &[]).unwrap_err(), QuestionError::Game(number));
        }
    }

    #[test]
    fn questions_are_read_as_they_are_written() {
        // The second stone of the first player stands at the center, as in games without ratings.
        for moves in [&[180, 0, 181][..], &[180, 0, 200, 360], &[]] {
            let game = asked(1, moves).unwrap();
            let question = question(&game, 8).unwrap();
            assert_eq!((question.game, question.moves.as_slice()), (1, moves));
        }
        assert_eq!(asked(1, &[180, 0, 360]).unwrap().rules().to_string(), "pro-pente");
        assert_eq!(asked(1, &[180, 0, 181]).unwrap().rules().to_string(), "pente-freestyle");
        let error = asked(1, &[180, 0, 180]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "move 3, point 180: illegal move `j10`: the point is occupied"
        );
    }

    #[test]
    fn answers_are_read_as_they_are_written() {
        let pente = asked(1, &[180]).unwrap();
        let six = asked(13, &[180]).unwrap();
        for (game, texts) in [(&pente, &["a1"][..]), (&six, &["s19", "a2"]), (&six, &["k10"])] {
            let moves: Vec<_> = texts.iter().map(|text| game.parse_move(text).unwrap()).collect();
            let Some(Response::Move(number)) = answer(game, &moves) else { panic!() };
            assert_eq!(super::moves(game, number), Ok(moves));
        }
        assert_eq!(answer(&pente, &[pente.parse_move("j10").unwrap()]), Some(Response::Move(180)));
    }

    #[test]
    fn levels_rise() {
        let ours: Vec<_> = (1..=8).map(|theirs| level(theirs).unwrap()).collect();
        assert!(ours.is_sorted_by(|a, b| a < b));
        assert_eq!((ours[0], ours[7]), (1, 10));
        assert_eq!(
            (level(0), level(9)),
            (Err(QuestionError::Level(0)), Err(QuestionError::Level(9)))
        );
    }
}
