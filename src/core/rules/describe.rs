//! A ruleset in words, made from its components.

use super::catalog::CATALOG;
use super::{
    BoardRules, BreakableFives, CaptureRule, ColorNames, ForbiddenRule, FourBan, HexBoardRules,
    HexRules, OpeningRule, Rules, Ruleset, SquareRules, SwapRule, TileRules, VariantSpec,
};
use crate::game::Color;
use std::fmt::Write as _;

impl Ruleset {
    /// The rules as titled sentences, in the order in which a player would ask.
    pub fn describe(&self) -> Vec<(&'static str, String)> {
        match *self.board() {
            BoardRules::Squares(board) => squares(&self.on(board)),
            BoardRules::Hexes(board) => hexes(&self.on(board)),
            BoardRules::Tiles(board) => tiles(&self.on(board)),
        }
    }
}

/// The rules of the games on squares.
fn squares(rules: &SquareRules) -> Vec<(&'static str, String)> {
    let grid = rules.grid();
    let board = format!(
        "{0} points, {1} columns and {2} rows; the edges count.",
        grid.cells(),
        grid.columns(),
        grid.rows()
    );
    let mut text = vec![
        ("Board", board),
        ("Players", seats(rules)),
        ("Opening", opening(rules.opening(), rules)),
    ];
    text.extend(rules.swap().map(|rule| ("Swap", swap(rule, rules))));
    text.push(("Line", line(rules)));
    if let Some(capture) = rules.capture() {
        text.push(("Capture", captures(capture, rules)));
        text.push(("Goal", goal(capture, rules)));
    }
    text.extend(special_stones(rules));
    text.extend(rules.forbidden().map(|rule| ("Forbidden", forbidden(rule))));
    text.extend(rules.breakable_fives().map(|rule| ("Answer", answer(rule, rules))));
    let plies = rules.max_plies();
    let draw = format!("no empty point, no legal move for the player to move, or {plies} plies.");
    text.push(("Draw", draw));
    text.push(("Source", sources(rules.spec())));
    text
}

/// The rules of Pent-Up (S2).
fn tiles(rules: &TileRules) -> Vec<(&'static str, String)> {
    let (end, next) =
        if rules.board().misere { ("lowest", "next above") } else { ("highest", "next below") };
    vec![
        ("Board", "a table with a square grid and without edges.".to_owned()),
        ("Players", players(rules.color_names())),
        (
            "Tiles",
            "each player has the twelve pentominoes once each and places one a turn, turned and \
             flipped at will; the first tile's box begins at cg85."
                .to_owned(),
        ),
        (
            "Placing",
            "flat on the grid: on the table, sharing an edge with another tile on the table, or \
             resting on at least two tiles of any color. The tile chosen must go to the highest \
             level at which it fits anywhere."
                .to_owned(),
        ),
        (
            "Goal",
            format!(
                "when all 24 tiles are placed, most tiles on the {end} level win; if equal, on \
                 the {next}, and so on."
            ),
        ),
        ("Draw", "equal numbers of tiles on every level.".to_owned()),
        ("Source", sources(rules.spec())),
    ]
}

/// The rules of Pentalath and Yavalath (S4, LUD).
fn hexes(rules: &HexRules) -> Vec<(&'static str, String)> {
    let hexes = *rules.board();
    let grid = hexes.grid;
    let lengths: Vec<_> = (0..grid.rows()).map(|row| grid.row_length(row).to_string()).collect();
    let (cells, lengths) = (grid.cells(), lengths.join(", "));
    let board =
        format!("{cells} hexagons, a {grid}: rows of {lengths} cells, row a at the bottom.");
    let mut text = vec![("Board", board), ("Players", seats(rules))];
    let mut say = |title, sentence: &str| text.push((title, sentence.to_owned()));
    if hexes.swap1 {
        say(
            "Opening",
            "player 1 places a stone, player 2 chooses: `swap` takes its color, `keep` the other; \
             the second color goes on.",
        );
    }
    say("Line", &hex_line(hexes, rules.seating().seats));
    if hexes.surround {
        say(
            "Capture",
            "a stone takes every group of another color that has no free cell beside it, all at \
             once; then its own group must have one, else the move is illegal. Lines count after \
             that.",
        );
        say("Pass", "whoever has no legal cell must pass, and nobody else may.");
    }
    if hexes.must_block {
        say(
            "Block",
            "if the next player could win at once, one must win oneself or take one of the cells \
             where that player could.",
        );
    }
    let draw = if hexes.surround { "every player in turn had to pass" } else { "no empty cell" };
    say("Draw", &format!("{draw}, or {} plies.", rules.max_plies()));
    say("Source", &sources(rules.spec()));
    text
}

fn hex_line(hexes: HexBoardRules, seats: u8) -> String {
    let line = hexes.line;
    let mut text = format!("{line} or more own stones in a row, in any of three directions, win");
    if let Some(losing) = hexes.losing_line {
        let fate = match seats {
            2 => "lose",
            _ => "put a player out, whose stones stay, and the last one left wins",
        };
        let _ = write!(text, "; {losing} in a row without that {fate}");
    }
    text + "."
}

fn players(names: ColorNames) -> String {
    let names = names.names();
    format!("{} in turn; player 1 has {} and begins.", names[..2].join(" and "), names[0])
}

fn seats<B>(rules: &Rules<B>) -> String {
    let seating = rules.seating();
    let names = &rules.color_names().all_names()[..usize::from(seating.seats)];
    let mut text = if seating.seats == 2 {
        players(rules.color_names())
    } else {
        format!("{} in turn, each a color of its own.", names.join(", "))
    };
    if seating.teams {
        let pairs = [[names[0], names[2]], [names[1], names[3]]].map(|pair| pair.join(" and "));
        text = format!("{text} {} play together against {}.", pairs[0], pairs[1]);
    }
    if seating.double_turns {
        text += " The first turn is one stone, every other two.";
    }
    text
}

fn swap(swap: SwapRule, rules: &SquareRules) -> String {
    let names = rules.color_names().names();
    let (first, second) = (names[0], names[1]);
    let placed = match swap {
        SwapRule::Swap1 => format!("player 1 places one stone, {first}"),
        SwapRule::Swap2 | SwapRule::Swap3 => {
            format!("player 1 places three stones, {first}, {second} and {first}")
        }
        SwapRule::DPente => {
            format!("player 1 places four stones, {first}, {second}, {first} and {second}")
        }
    };
    let next = names[usize::from(SwapRule::color(swap.first_stones()).0)];
    let more = if swap.has_more() {
        format!(
            ", or `more`: player 2 places {second} and {first}, and player 1 chooses: `swap` takes \
             {second}, `keep` {first}"
        )
    } else {
        String::new()
    };
    format!(
        "{placed}; player 2 chooses: `swap` takes {first}, `keep` {second}{more}. {next} moves next. \
         These stones are plain, and none may complete a winning line."
    )
}

fn goal(capture: CaptureRule, rules: &SquareRules) -> String {
    let whose =
        if rules.seating().teams { "of the opponents', both partners' together, " } else { "" };
    let goal = match capture.goal {
        None => "captures never win".to_owned(),
        Some(goal) if capture.poof => {
            format!("{goal} captured stones win if they are more than the opponent's")
        }
        Some(goal) => format!("{goal} captured stones {whose}win"),
    };
    if rules.has_perfect_fives() {
        format!(
            "a five of which no stone can be captured by the next move wins, on the whole board and \
             for either; {goal}, which is a draw if the opponent then has such a five."
        )
    } else {
        format!("a winning line wins at once; {goal}.")
    }
}

fn special_stones(rules: &SquareRules) -> Vec<(&'static str, String)> {
    let stones = rules.stones();
    let mut text = Vec::new();
    if stones.neutral > 0 {
        let sentence = format!(
            "{} a player, placed instead of an own stone (`N@j10`): they block, belong to nobody and \
             are never captured.",
            stones.neutral
        );
        text.push(("Neutral", sentence));
    }
    if stones.bombs > 0 {
        let sentence = "once a game a player may declare the stone just placed a bomb (`B@j10`): it \
                        stays, all stones of colors on its eight neighbors vanish and nobody \
                        scores them; a bomb captures nothing.";
        text.push(("Bomb", sentence.to_owned()));
    }
    if let Some((count, diamonds)) = stones.power {
        let sentence = format!(
            "{count} a player (`P@j10,g7`): an own stone for the turn in which it is placed, later \
             any color for whoever needs it, line by line, as a stone of a line, a bracket or a \
             capture; with it comes an own stone on an empty diamond, unless it wins or none is \
             empty. Diamonds: {diamonds}."
        );
        text.push(("Power", sentence));
    }
    text
}

fn forbidden(rule: ForbiddenRule) -> String {
    match rule {
        ForbiddenRule::Fours(FourBan::OpenFours) => {
            "a move that leaves an own line with two empty points that each would complete a winning \
             run, the two runs sharing a stone; not if it makes a winning run. If it reaches the \
             capture goal, the game is a draw."
        }
        ForbiddenRule::Fours(FourBan::AllFours) => {
            "a move that leaves an own line with an empty point that would complete a winning run; \
             not if it makes one. If it reaches the capture goal, the game is a draw."
        }
        ForbiddenRule::Renju => {
            "to Black: six or more in a row, two fours, two threes whose open fours are allowed; \
             never a move that makes exactly five."
        }
        ForbiddenRule::DoubleThree => {
            "two threes through the stone, unless it makes exactly five, captures from an enemy five \
             or takes away the last point that completes an enemy four."
        }
    }
    .to_owned()
}

fn answer(boat: BreakableFives, rules: &SquareRules) -> String {
    let whom =
        if rules.seating().sides() > 2 { "each other player has" } else { "the opponent has" };
    match boat {
        BreakableFives::ByAnyReply => format!(
            "after a five {whom} one more move: an own five or the capture goal wins; else a five that \
             still stands has won; else the game goes on."
        ),
        BreakableFives::OnlyByCapture => "a five wins at once, unless every such run has a stone that the opponent \
                         could capture; then the opponent has one move, after which a run that still stands \
                         wins."
            .to_owned(),
    }
}

fn opening(opening: OpeningRule, rules: &SquareRules) -> String {
    let grid = rules.grid();
    let center = grid.label(grid.center());
    let first = if opening.center_first {
        format!("player 1's first stone goes to the center, {center}")
    } else {
        "player 1's first stone goes anywhere".to_owned()
    };
    let Some(second) = opening.second else { return first + "." };
    let anchor = if second.from_center { "the center" } else { "their first" };
    let mut text = format!(
        "{first}; their second stone at least {} king's steps away from {anchor}",
        second.distance
    );
    if second.closes_axes {
        text += ", and not on the center's row or column within four steps";
    }
    text + "."
}

fn line(rules: &SquareRules) -> String {
    let line = rules.line();
    let number = line.length();
    let mut text = if line.exact() {
        format!("exactly {number} own stones in a row, in any direction, win; longer rows do not.")
    } else {
        format!("{number} or more own stones in a row, in any direction, win.")
    };
    if line.is_caro() {
        text += " A row of that length with an enemy stone at both ends does not win.";
    }
    if rules.line_of(Color(0)) != rules.line_of(Color(1)) {
        text += " Black needs exactly five.";
    }
    text
}

fn captures(capture: CaptureRule, rules: &SquareRules) -> String {
    let groups = match capture.longer {
        None => "exactly two",
        Some(_) => "exactly two or exactly three",
    };
    let enemy =
        if rules.seating().seats > 2 { "foreign stones of any colors" } else { "enemy stones" };
    let mut text = format!(
        "a stone that encloses {groups} {enemy} in a straight line, between itself and \
         another own stone, takes them off the board, in all directions at once; freed points may \
         be played again; "
    );
    text += if capture.poof {
        "own stones in a row of such a length through the placed one, with enemy stones at both ends, \
         are lost to the opponent at the same time."
    } else {
        "moving in between two enemy stones is safe."
    };
    if capture.signs {
        text += " For each captured group the mover chooses: `+` adds its stones to their own count, `-` \
                 takes them off the opponent's, never more than are there.";
    }
    text
}

/// The sources of every named variant whose rules are part of the spec, each once.
fn sources(spec: &VariantSpec) -> String {
    let mut keys: Vec<&str> = Vec::new();
    for row in CATALOG.iter().filter(|row| spec.includes(row.ruleset().spec())) {
        for key in row.source.split(", ").filter(|key| !keys.contains(key)).collect::<Vec<_>>() {
            keys.push(key);
        }
    }
    keys.into_iter().map(source_name).collect::<Vec<_>>().join("; ")
}

/// The name of the source with a key.
fn source_name(key: &str) -> &str {
    match key {
        "S1" => "the leaflet of Winning Moves",
        "S2" => "the leaflet of Pent-Up (Nestor Romeral Andres)",
        "S3" => "\"Pente\", PerGioco newsletter 12 (Marino Carpignano, 2022)",
        "S4" => "Pentalath (Cameron Browne)",
        "S5" => "the card \"Gomoku Ninuki\"",
        "PO" => "pente.org",
        "PBM" => "Richard's PBeM server",
        "AP" => "Abstract Play",
        "BGA" => "Board Game Arena",
        "MOK" => "\"Other Five-In-A-Row Games\"",
        "LUD" => "Ludii",
        "RIF" => "the Renju International Federation",
        other => other,
    }
}
