//! The tunable parameters of alpha-beta search.
//!
//! A new parameter is a row of the table below and its use. `pentarch tune` tunes them in matches.

use crate::search::ThreatBudget;

/// A tunable parameter: name, range and access.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name of the option that sets the parameter.
    pub name: &'static str,
    /// A description of one line.
    pub help: &'static str,
    /// The minimum.
    pub least: i32,
    /// The maximum.
    pub most: i32,
    /// Returns the value.
    pub get: fn(&Parameters) -> i32,
    /// Sets the value.
    pub set: fn(&mut Parameters, i32),
}

/// Defines [`Parameters`] from rows of: field, option name, default, minimum, maximum, description.
macro_rules! parameters {
    ($($field:ident, $name:literal, $default:literal, $least:literal, $most:literal, $help:literal;)*) => {
        /// The tunable parameters of alpha-beta search. Depths are in plies; margins and scores are in points, where
        /// 400 points mean odds of e to 1.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $(#[doc = $help] pub $field: i32,)*
        }

        impl Parameters {
            /// The default values, used in games without tuned values of their own.
            pub const DEFAULT: Parameters = Parameters { $($field: $default,)* };

            /// All parameters, in the order of the table.
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
        "Margin of reverse futility pruning per ply of depth";
    fail_high_margin, "FailHighMargin", 0, -500, 500,
        "Margin above beta at which an expected cut node is searched one ply less deep";
    fail_high_slope, "FailHighSlope", 30, 0, 500,
        "Increase of the margin of fail-high reductions per ply of depth";
    iir_depth, "IirDepth", 4, 2, 30,
        "Least depth of internal iterative reductions, in nodes without a table move";
    futility_depth, "FutilityDepth", 4, 0, 12,
        "Greatest depth of futility pruning of quiet moves";
    futility_margin, "FutilityMargin", 85, 10, 400,
        "Margin of futility pruning per ply of depth";
    futility_base, "FutilityBase", 45, -200, 400,
        "Constant part of the margin of futility pruning";
    count_base, "CountBase", 3717, 1000, 12_000,
        "Late move pruning with trained ordering: constant part of the move count, in thousandths";
    count_linear, "CountLinear", 1538, 0, 4000,
        "Late move pruning with trained ordering: moves per ply of depth, in thousandths";
    count_square, "CountSquare", 125, 0, 1000,
        "Late move pruning with trained ordering: moves per depth squared, in thousandths";
    count_worse, "CountWorse", 65, 10, 100,
        "Percentage of that move count if the static evaluation is not improving";
    rough_depth, "RoughDepth", 4, 0, 12,
        "Greatest depth of late move pruning with heuristic ordering";
    rough_base, "RoughBase", 4, 1, 40,
        "Late move pruning with heuristic ordering: constant part of the move count";
    rough_square, "RoughSquare", 2, 0, 10,
        "Late move pruning with heuristic ordering: moves per depth squared";
    reduction_quiet, "ReductionQuiet", 103, 40, 400,
        "Divisor of log(depth) * log(index) in the late move reduction of quiet moves, in hundredths";
    reduction_tactical, "ReductionTactical", 130, 40, 400,
        "Divisor of log(depth) * log(index) in that of tactical moves, in hundredths";
    reduction_base, "ReductionBase", 8, -200, 200,
        "Constant part of the late move reduction, in hundredths of a ply";
    reduction_pv, "ReductionPv", 100, 0, 300,
        "Decrease of the late move reduction in PV nodes, in hundredths of a ply";
    reduction_depth, "ReductionDepth", 3, 2, 8,
        "Least depth of late move reductions";
    reduction_index, "ReductionIndex", 2, 1, 10,
        "Number of moves per node before late move reductions start";
    reduction_cut, "ReductionCut", 180, 0, 400,
        "Increase of the late move reduction in expected cut nodes, in hundredths of a ply";
    reduction_worse, "ReductionWorse", 100, 0, 400,
        "Increase of the late move reduction if the static evaluation is not improving, in hundredths";
    reduction_attack, "ReductionAttack", 50, 0, 300,
        "Decrease of the late move reduction for continued attacks, in hundredths of a ply";
    deeper_margin, "DeeperMargin", 68, 1, 4000,
        "Margin above alpha at which a re-search after a reduction is one ply deeper";
    deeper_slope, "DeeperSlope", 22, 0, 400,
        "Increase of the margins of deeper re-searches per ply of reduction";
    deepest_margin, "DeepestMargin", 700, 1, 8000,
        "Margin above alpha at which a re-search after a reduction is two plies deeper";
    shallower_slope, "ShallowerSlope", 2, 0, 40,
        "Margin above the best score, per ply of depth, below which a re-search is one ply less deep";
    singular_depth, "SingularDepth", 7, 3, 100,
        "Least depth of singular extensions";
    singular_margin, "SingularMargin", 2, 0, 100,
        "Margin of singular extensions below the score of the table, per ply of depth";
    singular_double, "SingularDouble", 50, 1, 2000,
        "Additional margin of a double singular extension";
    razor_margin, "RazorMargin", 38, 0, 2000,
        "Constant part of the razoring margin below alpha";
    razor_slope, "RazorSlope", 28, 0, 1000,
        "Razoring margin per ply of depth";
    aspiration_depth, "AspirationDepth", 4, 2, 12,
        "Least depth of an iteration with an aspiration window";
    aspiration_margin, "AspirationMargin", 120, 10, 600,
        "Initial half-width of the aspiration window";
    killer_weight, "KillerWeight", 374, 0, 4000,
        "Ordering bonus of a killer move";
    history_weight, "HistoryWeight", 89, 0, 1000,
        "Weight of the history score in move ordering, in thousandths";
    history_bonus, "HistoryBonus", 400, 20, 2000,
        "Greatest history bonus of a beta cutoff, on a scale of 4000";
    leaf_nodes, "LeafNodes", 27, 0, 400,
        "Nodes of the threat search at leaf nodes";
    leaf_threats, "LeafThreats", 6, 1, 20,
        "Greatest number of consecutive threats in the threat search at leaf nodes";
    null_move_depth, "NullMoveDepth", 12, 1, 30,
        "Least depth of the search for a null-move threat";
    null_move_nodes, "NullMoveNodes", 29, 0, 400,
        "Nodes of the search for a null-move threat";
    null_move_threats, "NullMoveThreats", 8, 1, 20,
        "Greatest number of consecutive threats in the search for a null-move threat";
    win_value, "WinValue", 600, 0, 20_000,
        "Least score at the root at which the win search starts";
    win_share, "WinShare", 40, 0, 90,
        "Greatest percentage of all nodes for the win search";
    win_count, "WinCount", 100, 10, 200,
        "Move count of late move pruning for the attacker in the win search, in percent";
    win_futility, "WinFutility", 4, 0, 100,
        "Greatest depth of futility pruning for the attacker in the win search";
    win_answers, "WinAnswers", 400, 2, 400,
        "Least number of answers to a threat at which the win search does not extend them";
    root_share, "RootShare", 16, 2, 200,
        "The threat search at the root gets one in this many of all nodes";
}

impl Parameters {
    /// Tuned values for games that only lines win, with one stone a turn. They are the result of 3,500 pairs of games
    /// of gomoku at 8,000 nodes a move (`pentarch tune`), with the difference from the default doubled. Against the
    /// default they scored 593-536-171 in gomoku, 152-118-30 in renju and 84-88-28 in gomoku-standard.
    ///
    /// The values of the win search are chosen by the number of wins found without a loss in playing strength:
    /// it finds 276 of 423 wins of another engine within 40,000 nodes (249 before), and scored 159-140-67 in gomoku
    /// at 100 ms. With `win_value` 0 and `win_share` 75 it finds 298, but scored 48-60-24.
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

    /// Tuned values for games that captures can win. They are the result of 4,000 pairs of games of pro-pente and
    /// keryo-pente at 6,000 nodes a move (`pentarch tune`), then of 4,200 pairs at 45 ms, with the difference doubled
    /// each time. The first step scored 444-356 in pro-pente at 10,000 and 25,000 nodes; with the difference tripled
    /// it scored 370-430. The second step scored 708-692 in pro-pente and 741-659 in keryo-pente at 50 ms. In gomoku
    /// such values scored 40-45-15.
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

    /// Returns the parameters for games that only lines win, with one stone a turn. Values other than the default are
    /// kept; the rest are tuned for these games.
    #[must_use]
    pub fn for_lines(self) -> Parameters {
        self.tuned(&Parameters::LINES)
    }

    /// Returns the parameters for games that captures can win, like [`Parameters::for_lines`].
    #[must_use]
    pub fn for_captures(self) -> Parameters {
        self.tuned(&Parameters::CAPTURES)
    }

    fn tuned(mut self, tuned: &Parameters) -> Parameters {
        for Parameter { get, set, .. } in Parameters::TABLE {
            if get(&self) == get(&Parameters::DEFAULT) {
                set(&mut self, get(tuned));
            }
        }
        self
    }

    /// Returns the limits of the threat search at leaf nodes.
    pub(super) fn leaf_budget(&self) -> ThreatBudget {
        budget(self.leaf_nodes, self.leaf_threats)
    }

    /// Returns the limits of the search for a null-move threat.
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
    fn values_other_than_the_default_are_not_tuned() {
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
    fn each_row_sets_a_parameter_of_its_own_within_its_range() {
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
