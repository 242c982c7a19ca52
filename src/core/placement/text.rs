//! Position text: one line that holds the whole state, both ways. The grammar is in the protocol
//! crate's `SPEC.md`.

use super::Position;
use super::state::{PendingFive, SquareState, VariantState};
use crate::game::{
    Cell, Color, EndReason, Field, Outcome, Position as _, PositionTextError, RowText, Seat, Side,
    captures_text, fields, parse_captures, parse_color, parse_no_captures, parse_ply, parse_rows,
    rows_text,
};
use crate::rules::{OpeningStage, RuleTier, SquareRules};

impl Position {
    /// Writes the position, without the history that led to it.
    pub fn text(&self) -> String {
        let state = &self.board.state;
        let names = self.rules().color_names();
        let seats = usize::from(self.rules().seating().seats);
        let captures = match self.rules().capture() {
            Some(_) => captures_text(&state.counts[..seats]),
            None => "-".to_owned(),
        };
        let (board, color) = (board_text(self), names.letter(state.color));
        let stage = stage_text(self.rules(), state);
        format!("{board} {color} {captures} {stage} {}", state.ply + 1)
    }

    /// Reads a position of these rules. It has no history, so its first move cannot be undone.
    pub fn from_text(rules: SquareRules, text: &str) -> Result<Position, PositionTextError> {
        Position::new(rules).with_text(text)
    }

    /// Reads another position of the same rules. Cheaper than [`Position::from_text`].
    pub fn with_text(&self, text: &str) -> Result<Position, PositionTextError> {
        let rules = self.rules();
        let [board, color, captures, stage, ply] = fields(text)?;
        let names = rules.color_names();
        let stones = parse_board(board, rules)?;
        let color = Color(parse_color(color, &names.letters(rules.seating().seats))?);
        let counts = match rules.capture() {
            Some(_) => parse_captures(captures, rules.seating().seats)?,
            None => parse_no_captures(captures).map(|()| [0; 4])?,
        };
        let stage = parse_stage(rules, stage).or_else(|reason| Field::Stage.wrong(reason))?;
        let ply = parse_ply(ply)?;
        let Some(placed) = ply.checked_sub(stage.choices) else {
            return Field::Stage.wrong("more choices than plies");
        };
        let (variant, seat) = (stage.variant, Seat(color.0));
        let state =
            SquareState { seat, color, outcome: None, ply, stones: placed, counts, variant };
        let mut position = self.clone();
        position.set_up(&stones, state);
        if position.color_to_move() != color {
            let mover = names.name(position.color_to_move());
            let ply = ply + 1;
            return Field::Ply
                .wrong(format!("ply {ply} is {mover}'s, not that of the color to move"));
        }
        if rules.tier() == RuleTier::Plain {
            position.check_opening(&stones)?;
            position.board.state.outcome = position.outcome_of_last_move()?;
        } else {
            position.board.state.outcome = position.stated_outcome(&stage)?;
        }
        Ok(position)
    }

    /// The outcome of a game with more than plain stones. Its text says what ended it, because the board
    /// may not show it; else the game is open unless it cannot continue.
    fn stated_outcome(&self, stage: &StageField) -> Result<Option<Outcome>, PositionTextError> {
        let rules = self.rules();
        if stage.outcome.is_some() {
            return Ok(stage.outcome);
        }
        let may_have_run = rules.has_perfect_fives() || rules.stones().power.is_some();
        let maker = self.pending_five();
        let mut others =
            (0..rules.seating().seats).map(Color).filter(|&color| Some(color) != maker);
        if !may_have_run && others.any(|color| self.board.winning_run_exists(rules, color)) {
            let items = if rules.breakable_fives().is_some() {
                "`five=` or `result=`"
            } else {
                "`result=`"
            };
            return Field::Board.wrong(format!("a winning line stands, but no {items} is given"));
        }
        Ok(self.board.stalemate::<false>(rules))
    }

    /// Refuses stones other than those of the plies before while the opening may limit the next one.
    fn check_opening(&self, stones: &[(Cell, Color)]) -> Result<(), PositionTextError> {
        if !self.is_opening_limited() {
            return Ok(());
        }
        let seats = u32::from(self.rules().seating().seats);
        for seat in 0..seats {
            let placed = stones.iter().filter(|(_, color)| u32::from(color.0) == seat).count();
            let expected = (self.ply() + seats - 1 - seat) / seats;
            if placed != expected as usize {
                let name = self.rules().color_names().name(Color(seat as u8));
                let ply = self.ply() + 1;
                return Field::Ply.wrong(format!(
                    "before ply {ply} {name} has {expected} stones, the board {placed}"
                ));
            }
        }
        Ok(())
    }

    /// The outcome of a game of plain stones, which only the last move can have ended.
    fn outcome_of_last_move(&self) -> Result<Option<Outcome>, PositionTextError> {
        let mover = self.color_to_move();
        let last = mover.opponent();
        let has_line = |color| self.board.winning_run_exists(self.rules(), color);
        if has_line(mover) {
            return Field::Board.wrong("the color to move already has a winning line");
        }
        let goal = self.rules().capture().and_then(|capture| capture.goal);
        let at_goal = |color| goal.is_some_and(|goal| self.captures(color) >= goal);
        if at_goal(mover) {
            return Field::Captures.wrong("the color to move has already captured enough to win");
        }
        let winner = self.rules().seating().side_of(Seat(last.0));
        Ok(if has_line(last) {
            Some(Outcome::win(winner, EndReason::Line))
        } else if at_goal(last) {
            Some(Outcome::win(winner, EndReason::Captures))
        } else {
            self.board.stalemate::<false>(self.rules())
        })
    }
}

fn board_text(position: &Position) -> String {
    let (grid, names) = (position.grid(), position.rules().color_names());
    let letter = |cell| position.board().content(cell).color().map(|color| names.letter(color));
    let rows = (0..grid.rows()).rev();
    rows_text(rows.map(|row| (0..grid.columns()).map(move |column| letter(grid.at(column, row)))))
}

fn parse_board(text: &str, rules: &SquareRules) -> Result<Vec<(Cell, Color)>, PositionTextError> {
    let grid = rules.grid();
    let row =
        |row: u8| RowText { name: (row + 1).to_string(), length: grid.columns(), cells: "points" };
    let mut stones = Vec::new();
    parse_rows(text, grid.rows(), row, |row, column, letter| {
        let color = stone_of(letter, rules);
        let cell = grid.get(column.into(), row.into());
        stones.extend(cell.zip(color));
        color.is_some()
    })?;
    Ok(stones)
}

/// The color of the stone with this letter, if the game has such stones.
fn stone_of(letter: char, rules: &SquareRules) -> Option<Color> {
    let stones = rules.stones();
    rules.color_names().stone(letter).filter(|&color| match color {
        Color::NEUTRAL => stones.neutral > 0,
        Color::POWER => stones.power.is_some(),
        color => color.0 < rules.seating().seats,
    })
}

/// The names of the stages in position texts.
const STAGES: [(&str, OpeningStage); 4] = [
    ("first", OpeningStage::First),
    ("choice", OpeningStage::Choice),
    ("more", OpeningStage::More),
    ("last-choice", OpeningStage::LastChoice),
];

/// The reasons that a position text may give for the end of a game.
const REASONS: [EndReason; 5] = [
    EndReason::Line,
    EndReason::Captures,
    EndReason::FullBoard,
    EndReason::NoMove,
    EndReason::PlyCap,
];

/// The contents of the stage field: what stones and counts do not show, such as the stage of a swap
/// opening, the special stones left, a pending five and the result.
#[derive(Clone, Debug, Default)]
struct StageField {
    variant: VariantState,
    /// The number of plies that placed nothing.
    choices: u32,
    outcome: Option<Outcome>,
}

/// Writes the stage field; `-` if it is empty.
fn stage_text(rules: &SquareRules, state: &SquareState) -> String {
    let mut items = Vec::new();
    let variant = &state.variant;
    if let Some((name, _)) = STAGES.iter().find(|(_, stage)| *stage == variant.stage) {
        items.push(format!("stage={name}"));
    }
    if variant.swapped {
        items.push("swapped".to_owned());
    }
    if state.ply > state.stones {
        items.push(format!("choices={}", state.ply - state.stones));
    }
    for (name, most, placed) in special(rules, variant) {
        let left = placed.iter().take(rules.seating().seats.into());
        let left: Vec<_> = left.map(|&placed| most.saturating_sub(placed).to_string()).collect();
        items.push(format!("{name}={}", left.join(",")));
    }
    if let Some(five) = variant.pending_five {
        items.push(format!("five={}{}", rules.color_names().letter(five.maker), five.left));
    }
    if let Some(first) = variant.first {
        items.push(format!("first={}", rules.grid().label(first)));
    }
    if let Some(outcome) = state.outcome.filter(|_| rules.tier() != RuleTier::Plain) {
        let winner = outcome.winner.map_or(0, |side| side.0 + 1);
        items.push(format!("result={winner}:{}", outcome.reason));
    }
    if items.is_empty() { "-".to_owned() } else { items.join(";") }
}

/// The kinds of special stones of a game: the name, how many each has, how many are placed.
fn special(rules: &SquareRules, variant: &VariantState) -> Vec<(&'static str, u8, [u8; 4])> {
    let stones = rules.stones();
    let power = stones.power.map_or(0, |(count, _)| count);
    let all = [
        ("neutral", stones.neutral, variant.neutral),
        ("bombs", stones.bombs, variant.special),
        ("power", power, variant.special),
    ];
    all.into_iter().filter(|&(_, most, _)| most > 0).collect()
}

/// Reads the field, or says what is wrong with it.
fn parse_stage(rules: &SquareRules, text: &str) -> Result<StageField, String> {
    let mut field = StageField::default();
    if text == "-" {
        return Ok(field);
    }
    if rules.tier() == RuleTier::Plain {
        return Err("expected `-`, the game has no stages".to_owned());
    }
    for item in text.split(';') {
        let (name, value) = item.split_once('=').unwrap_or((item, ""));
        let read = match name {
            "stage" if rules.swap().is_some() => read_stage(&mut field, value),
            "swapped" if rules.swap().is_some() && value.is_empty() => {
                field.variant.swapped = true;
                Some(())
            }
            "choices" if rules.swap().is_some() => {
                value.parse().ok().filter(|&n| n <= 2).map(|n| field.choices = n)
            }
            "five" if rules.breakable_fives().is_some() => read_five(&mut field, rules, value),
            "first" if rules.opening().measures_from_first() => {
                rules.grid().parse(value).ok().map(|cell| field.variant.first = Some(cell))
            }
            "result" => read_result(&mut field, rules, value),
            _ => read_left(&mut field, rules, name, value),
        };
        read.ok_or_else(|| {
            let item: String = item.chars().take(40).collect();
            format!("`{item}` says nothing about this game; expected such as `{}`", example(rules))
        })?;
    }
    Ok(field)
}

/// What the field says at the start of a game.
fn example(rules: &SquareRules) -> String {
    stage_text(rules, &SquareState::start(rules))
}

fn read_stage(field: &mut StageField, value: &str) -> Option<()> {
    let &(_, stage) = STAGES.iter().find(|(name, _)| *name == value)?;
    field.variant.stage = stage;
    Some(())
}

fn read_five(field: &mut StageField, rules: &SquareRules, value: &str) -> Option<()> {
    let mut letters = value.chars();
    let maker = rules.color_names().stone(letters.next()?)?;
    let left: u8 = letters.as_str().parse().ok()?;
    let seats = rules.seating().seats;
    let fits = maker < Color(seats) && (1..seats).contains(&left);
    fits.then(|| field.variant.pending_five = Some(PendingFive { maker, left }))
}

fn read_result(field: &mut StageField, rules: &SquareRules, value: &str) -> Option<()> {
    let (winner, reason) = value.split_once(':')?;
    let winner: u8 = winner.parse().ok()?;
    let reason = REASONS.into_iter().find(|known| known.to_string() == reason)?;
    let fits = winner <= rules.seating().sides();
    let winner = winner.checked_sub(1).map(Side);
    fits.then(|| field.outcome = Some(Outcome { winner, reason }))
}

fn read_left(field: &mut StageField, rules: &SquareRules, name: &str, value: &str) -> Option<()> {
    let kinds = special(rules, &VariantState::default());
    let &(_, most, _) = kinds.iter().find(|(known, ..)| *known == name)?;
    let left: Option<Vec<u8>> = value.split(',').map(|n| n.parse::<u8>().ok()).collect();
    let left = left.filter(|left| left.len() == usize::from(rules.seating().seats))?;
    let placed =
        if name == "neutral" { &mut field.variant.neutral } else { &mut field.variant.special };
    for (placed, left) in placed.iter_mut().zip(left) {
        *placed = most.checked_sub(left)?;
    }
    Some(())
}
