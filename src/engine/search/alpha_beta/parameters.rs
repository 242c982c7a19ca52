//! The numbers of the search that only matches can choose.
//!
//! A new one is a row of the table below and its use. `pentarch tune` moves them together.

use crate::search::ThreatBudget;

/// A number of the search as a tuner knows it.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name of the option that sets it.
    pub name: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
    /// The least value.
    pub least: i32,
    /// The greatest value.
    pub most: i32,
    /// Reads it.
    pub get: fn(&Parameters) -> i32,
    /// Sets it.
    pub set: fn(&mut Parameters, i32),
}

/// The table: field, name of the option, default, least and greatest value, and what it means.
macro_rules! parameters {
    ($($field:ident, $name:literal, $default:literal, $least:literal, $most:literal, $help:literal;)*) => {
        /// The numbers of alpha-beta that only matches can choose. Depths are in plies, values in
        /// points, of which 400 are odds of e to 1.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $(#[doc = $help] pub $field: i32,)*
        }

        impl Parameters {
            /// The values that the engine plays with where no others are known to be better.
            pub const DEFAULT: Parameters = Parameters { $($field: $default,)* };

            /// Every number, in the order in which they are listed.
            pub const TABLE: &'static [Parameter] = &[$(Parameter {
                name: $name,
                help: $help,
                least: $least,
                most: $most,
                get: |parameters| parameters.$field,
                set: |parameters, value| parameters.$field = value,
            },)*];
        }
    };
}

parameters! {
    rfp_depth, "RfpDepth", 5, 0, 12,
        "Greatest depth of reverse futility pruning";
    rfp_margin, "RfpMargin", 139, 10, 400,
        "What the opponent may gain back with each ply left before that pruning";
    fail_high_margin, "FailHighMargin", 0, -500, 500,
        "What a node expected to fail high must be above beta to be searched a ply less deep";
    fail_high_slope, "FailHighSlope", 30, 0, 500,
        "What it must be above it besides for each ply left";
    iir_depth, "IirDepth", 4, 2, 30,
        "Least depth at which a node without a move from the table is searched a ply less deep";
    futility_depth, "FutilityDepth", 4, 0, 12,
        "Greatest depth at which quiet moves are left out for what they could gain";
    futility_margin, "FutilityMargin", 85, 10, 400,
        "What a quiet move may gain for each ply left";
    futility_base, "FutilityBase", 45, -200, 400,
        "What it may gain besides";
    count_base, "CountBase", 3717, 1000, 12_000,
        "Thousandths of moves that a node searches at any depth, where their order is fitted";
    count_linear, "CountLinear", 1538, 0, 4000,
        "Thousandths of moves that each ply left adds";
    count_square, "CountSquare", 125, 0, 1000,
        "Thousandths of moves that the square of the plies left adds";
    count_worse, "CountWorse", 65, 10, 100,
        "Percent of them that are searched where the static value is no better than two plies before";
    rough_depth, "RoughDepth", 4, 0, 12,
        "Greatest depth at which moves are left out by number where their order is rough";
    rough_base, "RoughBase", 4, 1, 40,
        "Moves that a node searches there at any depth";
    rough_square, "RoughSquare", 2, 0, 10,
        "Moves that the square of the plies left adds there";
    reduction_quiet, "ReductionQuiet", 103, 40, 400,
        "Divides the product of the logarithms of depth and number of a quiet move, in hundredths";
    reduction_tactical, "ReductionTactical", 130, 40, 400,
        "The same for a tactical move";
    reduction_base, "ReductionBase", 8, -200, 200,
        "Hundredths of plies that a late move is reduced besides";
    reduction_pv, "ReductionPv", 100, 0, 300,
        "Hundredths of plies that it is reduced less in a window that is no null window";
    reduction_depth, "ReductionDepth", 3, 2, 8,
        "Least depth at which moves are reduced";
    reduction_index, "ReductionIndex", 2, 1, 10,
        "Number of moves before the first that is reduced";
    reduction_cut, "ReductionCut", 180, 0, 400,
        "Hundredths of plies that it is reduced more where some move is expected to be too good";
    reduction_worse, "ReductionWorse", 100, 0, 400,
        "The same where the static value is no better than two plies before";
    reduction_attack, "ReductionAttack", 50, 0, 300,
        "Hundredths of plies that a tactical move after one of the same side is reduced less";
    deeper_margin, "DeeperMargin", 68, 1, 4000,
        "What a reduced search must find above alpha for the full one to look a ply deeper";
    deeper_slope, "DeeperSlope", 22, 0, 400,
        "What it must find besides, for either, for each ply that it was reduced";
    deepest_margin, "DeepestMargin", 700, 1, 8000,
        "What it must find above alpha for the full one to look two plies deeper";
    shallower_slope, "ShallowerSlope", 2, 0, 40,
        "For each ply left, what it must find above the best value for the full one to look as deep";
    singular_depth, "SingularDepth", 7, 3, 100,
        "Least depth at which it is asked whether the move from the table is the only good one";
    singular_margin, "SingularMargin", 2, 0, 100,
        "How far below it the others must be for that, for each ply left";
    singular_double, "SingularDouble", 50, 1, 2000,
        "How much farther for the move to be searched two plies deeper";
    razor_margin, "RazorMargin", 38, 0, 2000,
        "How far below alpha the static value must be to look at fours alone, two plies before the end";
    razor_slope, "RazorSlope", 28, 0, 1000,
        "How much farther for each ply left";
    aspiration_depth, "AspirationDepth", 4, 2, 12,
        "Least depth of an iteration that begins with a narrow window";
    aspiration_margin, "AspirationMargin", 120, 10, 600,
        "How far that window reaches to either side at first";
    killer_weight, "KillerWeight", 374, 0, 4000,
        "What a killer move adds to a fitted ordering score";
    history_weight, "HistoryWeight", 89, 0, 1000,
        "Thousandths of its history that a move adds to it";
    history_bonus, "HistoryBonus", 400, 20, 2000,
        "The most that one refutation adds to the history of its move, of 4000";
    leaf_nodes, "LeafNodes", 27, 0, 400,
        "Nodes of the search for a win by continuous threats at a leaf";
    leaf_threats, "LeafThreats", 6, 1, 20,
        "Threats in a row in it";
    null_move_depth, "NullMoveDepth", 12, 1, 30,
        "Least depth at which a win that a null move allows is looked for";
    null_move_nodes, "NullMoveNodes", 29, 0, 400,
        "Nodes of the search for it";
    null_move_threats, "NullMoveThreats", 8, 1, 20,
        "Threats in a row in it";
    win_value, "WinValue", 600, 0, 20_000,
        "Least value at the root with which a win alone is looked for as well";
    win_share, "WinShare", 40, 0, 90,
        "Percent of all nodes that this may take";
    win_count, "WinCount", 100, 10, 200,
        "Percent of the moves that a node searches by number for the attacker in it";
    win_futility, "WinFutility", 4, 0, 100,
        "Greatest depth at which the attacker in it has nothing but threats";
    win_answers, "WinAnswers", 400, 2, 400,
        "Least number of answers to a threat in it that takes a ply";
    root_share, "RootShare", 16, 2, 200,
        "The search for a win by threats at the root has one in this many of all nodes";
}

impl Parameters {
    /// The numbers of [`Parameters::DEFAULT`] that are others in games that only lines win, one stone a turn.
    /// `tune` moved them in 3,500 pairs of games of gomoku at 8,000 nodes a move, and they stand twice as
    /// far along: against the default 593-536-171 in gomoku, 152-118-30 in renju, 84-88-28 in
    /// gomoku-standard. Those of the search for a win are set by what it finds, as far as games do not lose
    /// by it: 276 of 423 wins of another engine within 40,000 nodes (249 before), and 159-140-67 in gomoku at
    /// 100 ms. From value 0 on with a share of 75 it finds 298 and loses, 48-60-24.
    const LINES: Parameters = Parameters {
        rfp_margin: 143,
        fail_high_margin: 9,
        fail_high_slope: 27,
        futility_margin: 81,
        futility_base: 28,
        count_base: 3848,
        count_linear: 1763,
        count_square: 150,
        count_worse: 76,
        reduction_quiet: 109,
        reduction_tactical: 135,
        reduction_base: -9,
        reduction_pv: 98,
        reduction_cut: 183,
        reduction_worse: 102,
        reduction_attack: 26,
        deeper_margin: 74,
        deeper_slope: 23,
        deepest_margin: 724,
        singular_depth: 6,
        singular_margin: 3,
        singular_double: 46,
        razor_margin: 40,
        razor_slope: 18,
        aspiration_margin: 95,
        killer_weight: 381,
        history_weight: 84,
        history_bonus: 392,
        leaf_nodes: 30,
        leaf_threats: 7,
        null_move_depth: 11,
        null_move_nodes: 27,
        null_move_threats: 6,
        win_value: 300,
        win_share: 60,
        win_count: 50,
        win_futility: 7,
        win_answers: 5,
        root_share: 14,
        ..Parameters::DEFAULT
    };

    /// The numbers of [`Parameters::DEFAULT`] that are others in games in which captures win. `tune` moved
    /// them in 4,000 pairs of games of pro-pente and keryo-pente at 6,000 nodes a move, then in 4,200 more at
    /// 45 ms, and each time they stand twice as far along: 444-356 in pro-pente at 10,000 and 25,000 nodes
    /// the first time, where three times as far came to 370-430; the second time 708-692 in pro-pente and
    /// 741-659 in keryo-pente at 50 ms. With such numbers gomoku came to 40-45-15.
    const CAPTURES: Parameters = Parameters {
        rfp_margin: 152,
        fail_high_margin: 74,
        fail_high_slope: 47,
        futility_margin: 103,
        futility_base: 82,
        count_base: 3728,
        count_linear: 1410,
        count_square: 98,
        count_worse: 68,
        reduction_quiet: 110,
        reduction_tactical: 167,
        reduction_base: 21,
        reduction_pv: 115,
        killer_weight: 391,
        history_weight: 76,
        history_bonus: 329,
        leaf_nodes: 30,
        leaf_threats: 6,
        null_move_nodes: 23,
        null_move_threats: 7,
        aspiration_margin: 200,
        win_value: 750,
        win_share: 19,
        win_count: 91,
        root_share: 15,
        ..Parameters::DEFAULT
    };

    /// The numbers for games that only lines win, one stone a turn: what was set to another value than the
    /// default stays as it is, the rest is tuned for them.
    #[must_use]
    pub fn for_lines(self) -> Parameters {
        self.tuned(&Parameters::LINES)
    }

    /// The same for games in which captures win.
    #[must_use]
    pub fn for_captures(self) -> Parameters {
        self.tuned(&Parameters::CAPTURES)
    }

    fn tuned(mut self, numbers: &Parameters) -> Parameters {
        for Parameter { get, set, .. } in Parameters::TABLE {
            if get(&self) == get(&Parameters::DEFAULT) {
                set(&mut self, get(numbers));
            }
        }
        self
    }

    /// What a search for a win by continuous threats may cost where the search of all moves ends.
    pub(super) fn leaf_budget(&self) -> ThreatBudget {
        budget(self.leaf_nodes, self.leaf_threats)
    }

    /// What the search for a null-move threat may cost at a node.
    pub(super) fn null_move_budget(&self) -> ThreatBudget {
        budget(self.null_move_nodes, self.null_move_threats)
    }
}

fn budget(nodes: i32, threats: i32) -> ThreatBudget {
    ThreatBudget { nodes: nodes.unsigned_abs(), threats: threats.unsigned_abs(), narrow: true }
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn what_was_set_stays_in_games_with_numbers_of_their_own() {
        let set = Parameters { leaf_nodes: 50, ..Parameters::DEFAULT };
        for (fit, own) in [
            (Parameters::for_lines as fn(Parameters) -> Parameters, Parameters::LINES),
            (Parameters::for_captures, Parameters::CAPTURES),
        ] {
            assert_eq!(fit(set), Parameters { leaf_nodes: 50, ..own });
            assert_eq!(fit(Parameters::DEFAULT), own);
            assert_ne!(own, Parameters::DEFAULT);
        }
    }

    #[test]
    fn each_row_is_a_number_of_its_own_within_its_range() {
        let mut names = BTreeSet::new();
        for parameter in Parameters::TABLE {
            let Parameter { name, least, most, get, set, .. } = *parameter;
            assert!(names.insert(name.to_lowercase()), "{name}");
            assert!(least < most, "{name}");
            assert!((least..=most).contains(&get(&Parameters::DEFAULT)), "{name}");
            for value in [least, most] {
                let mut parameters = Parameters::DEFAULT;
                set(&mut parameters, value);
                assert_eq!(get(&parameters), value, "{name}");
                for other in Parameters::TABLE.iter().filter(|other| other.name != name) {
                    assert_eq!((other.get)(&parameters), (other.get)(&Parameters::DEFAULT));
                }
            }
        }
    }
}
