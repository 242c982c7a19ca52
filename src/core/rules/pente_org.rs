//! The games of pente.org, by the numbers and names that the site gives them.

/// The games of the site by number and name, and as specs. All but the last few go by the tournament
/// rule there (rainwolf/pente.org, `GridStateFactory.java`).
pub const GAMES: [(u32, &str, &str); 12] = [
    (1, "Pente", "pro-pente"),
    (3, "Keryo-Pente", "pro-pente+keryo"),
    (5, "Gomoku", "gomoku-standard+size=19"),
    (7, "D-Pente", "d-pente"),
    (9, "G-Pente", "g-pente"),
    (11, "Poof-Pente", "pro-pente+poof"),
    (13, "Connect6", "connect6"),
    (15, "Boat-Pente", "pro-pente+boat=strict"),
    (17, "DK-Pente", "dk-pente"),
    (25, "O-Pente", "o-pente"),
    (27, "Swap2-Pente", "swap2-pente"),
    (29, "Swap2-Keryo", "swap2-keryo"),
];

/// The rules of a game of the site by its name, as a spec; speed and turns by mail do not count.
pub fn spec_of_name(name: &str) -> Option<&'static str> {
    let plain = name.trim().trim_start_matches("Speed ").trim_start_matches("Turn-based ");
    let known = GAMES.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(plain));
    known.map(|&(_, _, spec)| spec)
}

/// The rules of a game of the site by its number, as a spec. The even number above a game is its speed
/// twin, and 50 more a game by mail.
pub fn spec_of_number(number: u32) -> Option<&'static str> {
    let number = if number > 50 { number - 50 } else { number };
    let known = GAMES.iter().find(|(known, ..)| *known == number || known + 1 == number);
    known.map(|&(_, _, spec)| spec)
}
