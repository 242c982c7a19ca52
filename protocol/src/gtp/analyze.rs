//! The commands that report on a search while it runs, as Leela Zero, `KataGo` and Sabaki have
//! them.

use super::arguments::Arguments;
use super::{Color, SyntaxError};

/// What is to be analysed, and how it is reported.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Analyze {
    /// What the search is for.
    pub task: Task,
    /// How numbers are written.
    pub flavor: Flavor,
    /// Whose move it is, if the command says so.
    pub color: Option<Color>,
    /// The time between two reports, in hundredths of a second.
    pub interval: Option<u32>,
    /// Report at least that many moves.
    pub min_moves: Option<u32>,
    /// Report at most that many moves.
    pub max_moves: Option<u32>,
    /// Whether a part about the position itself is wanted.
    pub root_info: bool,
    /// Moves that are looked at, or not.
    pub restrictions: Vec<Restriction>,
}

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Task {
    /// To watch it, until the next line comes.
    Watch,
    /// To play the move that it finds.
    Play,
    /// To answer with the move that it finds.
    Search,
    /// To answer with the move that it finds, or none if a line comes before.
    CancellableSearch,
}

/// How the numbers of a report are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flavor {
    /// As Leela Zero: whole numbers, 10000 for certainty.
    Leela,
    /// As `KataGo`: fractions of 1, scores.
    Kata,
    /// As Sabaki: the same.
    Sabaki,
}

/// `avoid COLOR MOVE,MOVE,... PLIES` or `allow ...`: moves of a color that the search leaves out,
/// or that are all it looks at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Restriction {
    /// Whether these moves are looked at and no others.
    pub allow: bool,
    /// Whose moves.
    pub color: Color,
    /// The vertices.
    pub moves: Vec<String>,
    /// For that many plies.
    pub plies: u32,
}

/// What `KataGo` can add to its reports and we have nothing to say about.
const SILENT: [&str; 6] = [
    "ownership",
    "ownershipStdev",
    "movesOwnership",
    "movesOwnershipStdev",
    "pvVisits",
    "pvEdgeVisits",
];

impl Analyze {
    /// The names of the commands.
    pub(super) const KINDS: [(&'static str, Task, Flavor); 8] = [
        ("lz-analyze", Task::Watch, Flavor::Leela),
        ("kata-analyze", Task::Watch, Flavor::Kata),
        ("analyze", Task::Watch, Flavor::Sabaki),
        ("lz-genmove_analyze", Task::Play, Flavor::Leela),
        ("kata-genmove_analyze", Task::Play, Flavor::Kata),
        ("genmove_analyze", Task::Play, Flavor::Sabaki),
        ("kata-search_analyze", Task::Search, Flavor::Kata),
        ("kata-search_analyze_cancellable", Task::CancellableSearch, Flavor::Kata),
    ];

    /// What the command of that name does.
    pub(super) fn kind(name: &str) -> Option<(Task, Flavor)> {
        let known = Self::KINDS.iter().find(|(known, ..)| *known == name);
        known.map(|&(_, task, flavor)| (task, flavor))
    }

    /// A command without arguments.
    pub fn new(task: Task, flavor: Flavor) -> Self {
        Self {
            task,
            flavor,
            color: None,
            interval: None,
            min_moves: None,
            max_moves: None,
            root_info: false,
            restrictions: Vec::new(),
        }
    }

    /// `analyze = [ color ] , [ natural ] , { key , value } ;`
    ///
    /// `value = natural | boolean | color , word , natural ;` by key. A number after the color is
    /// the interval.
    pub(super) fn parse(
        task: Task,
        flavor: Flavor,
        args: &mut Arguments<'_>,
    ) -> Result<Self, SyntaxError> {
        let mut analyze = Self::new(task, flavor);
        if args.peek().is_some_and(|word| Color::parse(word).is_ok()) {
            analyze.color = Some(args.color()?);
        }
        if args.peek().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
            analyze.interval = Some(args.number("a number of hundredths of a second")?);
        }
        while let Some(key) = args.next() {
            analyze.set(key, args)?;
        }
        Ok(analyze)
    }

    fn set(&mut self, key: &str, args: &mut Arguments<'_>) -> Result<(), SyntaxError> {
        match key {
            "interval" => {
                self.interval = Some(args.number("a number of hundredths of a second")?);
            }
            "minmoves" => self.min_moves = Some(args.number("a number of moves")?),
            "maxmoves" => self.max_moves = Some(args.number("a number of moves")?),
            "rootInfo" => self.root_info = boolean(args)?,
            "avoid" | "allow" => {
                let color = args.color()?;
                let moves = args.word("vertices with commas")?.split(',').map(str::to_owned);
                let moves = moves.collect();
                let plies = args.number("a number of plies")?;
                let allow = key == "allow";
                self.restrictions.push(Restriction { allow, color, moves, plies });
            }
            silent if SILENT.contains(&silent) => {
                boolean(args)?;
            }
            other => {
                let expected = "`interval`, `minmoves`, `maxmoves`, `rootInfo`, `avoid` or `allow`";
                return Err(SyntaxError::expected(expected, other));
            }
        }
        Ok(())
    }

    /// The name and the arguments as they are printed.
    pub(super) fn words(&self) -> (&'static str, Vec<String>) {
        let same = |&&(_, task, flavor): &&(_, _, _)| (task, flavor) == (self.task, self.flavor);
        let name = Self::KINDS.iter().find(same).map_or("kata-search_analyze", |(name, ..)| name);
        let mut words: Vec<String> = self.color.iter().map(|c| c.lower().to_owned()).collect();
        let numbers = [
            ("interval", self.interval),
            ("minmoves", self.min_moves),
            ("maxmoves", self.max_moves),
        ];
        for (key, value) in numbers {
            words.extend(value.into_iter().flat_map(|n| [key.to_owned(), n.to_string()]));
        }
        if self.root_info {
            words.extend(["rootInfo", "true"].map(str::to_owned));
        }
        for restriction in &self.restrictions {
            let key = if restriction.allow { "allow" } else { "avoid" };
            let moves = restriction.moves.join(",");
            let (color, plies) = (restriction.color.to_string(), restriction.plies.to_string());
            words.extend([key.to_owned(), color, moves, plies]);
        }
        (name, words)
    }
}

/// `boolean = "true" | "false" ;`
fn boolean(args: &mut Arguments<'_>) -> Result<bool, SyntaxError> {
    const EXPECTED: &str = "`true` or `false`";
    let word = args.word(EXPECTED)?;
    word.parse().map_err(|_| SyntaxError::expected(EXPECTED, word))
}
