//! A small efficiently updatable network (NNUE, Nasu 2018) that corrects the value of the weights.
//!
//! Each empty cell is a feature: the pair of buckets of what a stone of either color would make there. The
//! weights of all features are summed in an accumulator for either color, the two accumulators are clipped,
//! and one hidden layer gives the value. A second head, the policy, corrects the ordering scores of moves.
//! All numbers are integers, and the accumulators are updated by differences, so that a value is the same on
//! every machine.

mod accumulator;
mod buckets;
mod simd;

pub(super) use accumulator::Accumulator;
pub use buckets::FeatureBuckets;

use super::terms::NetworkInput;
use super::weights::RuleClass;
use crate::eval::tensor_file::{FormatError, TensorFile};
use crate::search::Score;
use buckets::RowPredictor;
use pentarch_core::rules::RuleTier;
use pentarch_core::rules::SquareRules;
use simd::HiddenLayer;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

/// The width of an accumulator. Its last number is not clipped and goes straight to the value.
pub const ACCUMULATOR_SIZE: usize = 32;
/// The inputs of the hidden layers: the accumulators of both sides.
pub const INPUTS: usize = 2 * ACCUMULATOR_SIZE;
/// The neurons of the hidden layer of the value.
pub const HIDDEN: usize = 16;
/// The neurons of the hidden layer of the policy.
pub const POLICY_HIDDEN: usize = HIDDEN;
/// The kinds of positions by the most urgent threat classes of both sides and by which side has captures, or,
/// without captures, is forbidden moves.
pub const THREAT_BUCKETS: usize = 196;
/// The kinds of positions by the tenths of the way to the goal of captures, of both sides.
pub const CAPTURE_BUCKETS: usize = 100;

/// The quantized 1 of clipped accumulators and of the outputs of neurons.
const QA: i32 = 256;
/// The quantized 1 of the weights of hidden layers.
const QB: i32 = 128;
/// The number in the last place of an accumulator that stands for odds of e to 1.
const Q_LINEAR: i32 = 1024;
/// The quantized point of the weights of output layers.
const Q_OUTPUT: i32 = 16;

/// What one feature, or one kind of position, adds to an accumulator.
type FeatureWeights = [i16; ACCUMULATOR_SIZE];

/// The weights of a cell's feature. They do not fit in the fastest cache, so that each has a cache line to
/// itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct CellWeights(FeatureWeights);

impl Deref for CellWeights {
    type Target = FeatureWeights;

    #[inline]
    fn deref(&self) -> &FeatureWeights {
        &self.0
    }
}

/// A quantized network: its weights are integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    rule_class: RuleClass,
    buckets: FeatureBuckets,
    /// By perspective, then by the bucket of the own color, then by that of the other.
    cells: Vec<CellWeights>,
    /// Added to the accumulator of the side to move, by threat bucket.
    threats: Vec<FeatureWeights>,
    /// Added to the accumulator of the side to move, by capture bucket.
    captures: Vec<FeatureWeights>,
    bias: FeatureWeights,
    hidden: HiddenLayer,
    hidden_bias: [i32; HIDDEN],
    output: [i16; HIDDEN],
    output_bias: i32,
    policy: Option<Policy>,
}

/// The head of a network that corrects ordering scores
/// ([policy head](https://www.chessprogramming.org/AlphaZero)): the hidden layer's outputs, which depend on the
/// whole board, weighed by the buckets of the cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Points by perspective, then by the bucket of the side to move, then by that of the other.
    pairs: Vec<i16>,
    /// By perspective and by the bucket of the side to move: the weights of the neurons.
    own: Vec<PolicyWeights>,
    /// By perspective and by the bucket of the other side: the weights of the neurons.
    their: Vec<PolicyWeights>,
    hidden: HiddenLayer,
    /// The bias of the neurons by threat bucket.
    threats: Vec<PolicyWeights>,
}

/// A number for each neuron of the policy.
type PolicyWeights = [i16; POLICY_HIDDEN];

/// A [`Network`] in floating point, as a fit works on it. The fields hold the rows of the integer network one
/// after the other; values are in logits.
#[derive(Clone, Debug, Default)]
pub struct FloatNetwork {
    /// By perspective, then by the bucket of the own color, then by that of the other.
    pub cells: Vec<f32>,
    /// By threat bucket.
    pub threats: Vec<f32>,
    /// By capture bucket.
    pub captures: Vec<f32>,
    /// The bias of the accumulators.
    pub bias: Vec<f32>,
    /// The weights of each neuron.
    pub hidden: Vec<f32>,
    /// The bias of each neuron.
    pub hidden_bias: Vec<f32>,
    /// The weights of the neurons in the value.
    pub output: Vec<f32>,
    /// The bias of the value.
    pub output_bias: f32,
}

/// A [`Policy`] in floating point, as a fit works on it. Scores are in logits.
#[derive(Clone, Debug, Default)]
pub struct FloatPolicy {
    /// By both buckets.
    pub pairs: Vec<f32>,
    /// By the bucket of the side to move.
    pub own: Vec<f32>,
    /// By the bucket of the other side.
    pub their: Vec<f32>,
    /// The weights of each neuron.
    pub hidden: Vec<f32>,
    /// The bias of the neurons by threat bucket.
    pub threats: Vec<f32>,
}

static CAPTURES: LazyLock<Arc<Network>> =
    LazyLock::new(|| built_in(include_bytes!("captures.network")));
static LINES: LazyLock<Arc<Network>> = LazyLock::new(|| built_in(include_bytes!("lines.network")));
static RENJU: LazyLock<Arc<Network>> = LazyLock::new(|| built_in(include_bytes!("renju.network")));

/// A file that is part of the program; a test reads all of them.
fn built_in(bytes: &[u8]) -> Arc<Network> {
    Arc::new(Network::from_bytes(bytes).expect("a built-in network file"))
}

impl Network {
    /// The winning length of the games that the built-in networks are for.
    const BUILT_IN_LINE: u8 = 5;

    /// The built-in network for a ruleset, if there is one.
    pub fn built_in(rules: &SquareRules) -> Option<&'static Arc<Network>> {
        if rules.tier() == RuleTier::Full || rules.line().length() != Network::BUILT_IN_LINE {
            return None;
        }
        match (RuleClass::of(rules), rules.capture()) {
            (RuleClass::Captures, _) => Some(&CAPTURES),
            (RuleClass::Lines, None) => Some(&LINES),
            (RuleClass::Renju, None) => Some(&RENJU),
            _ => None,
        }
    }

    /// The class of rulesets that the network is for.
    pub fn rule_class(&self) -> RuleClass {
        self.rule_class
    }

    /// The buckets of its features.
    pub fn buckets(&self) -> &FeatureBuckets {
        &self.buckets
    }

    /// The network with a policy head.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Network {
        Network { policy: Some(policy), ..self }
    }

    /// The correction in points for the side to move, computed from scratch.
    pub fn correction(&self, input: &NetworkInput) -> i32 {
        let sums = self.accumulate(input);
        self.points([&sums[0], &sums[1]], input.threat_bucket, input.capture_bucket)
    }

    /// The inputs of both hidden layers, 0 to 256 for 0 to 1, computed from scratch.
    pub fn inputs(&self, input: &NetworkInput) -> [i16; INPUTS] {
        let sums = self.accumulate(input);
        let kinds = [&self.threats[input.threat_bucket], &self.captures[input.capture_bucket]];
        simd::inputs([&sums[0], &sums[1]], kinds)
    }

    /// The correction in points of the ordering score of a cell with these buckets, for the side to move and for
    /// the other, computed from scratch; 0 without a policy.
    pub fn ordering_points(&self, input: &NetworkInput, buckets: [u8; 2]) -> i32 {
        self.policy.as_ref().map_or(0, |policy| {
            let inputs = self.inputs(input);
            policy.perspective(&inputs, input.mover, input.threat_bucket).points(buckets)
        })
    }

    /// The accumulators of the side to move and of the other. Sums wrap around, which no useful network comes
    /// near.
    fn accumulate(&self, input: &NetworkInput) -> [FeatureWeights; 2] {
        let add = |sum: &mut FeatureWeights, weights: &FeatureWeights| {
            sum.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
        };
        let mut sums = [self.bias; 2];
        let [own_cells, their_cells] =
            [input.mover, input.mover ^ 1].map(|color| self.cells_seen_by(color));
        let index =
            |own: u8, their: u8| usize::from(own) * self.buckets.count() + usize::from(their);
        for &[own, their] in &input.cells {
            add(&mut sums[0], &own_cells[index(own, their)]);
            add(&mut sums[1], &their_cells[index(their, own)]);
        }
        sums
    }

    /// The weights of cells from the perspective of a color, by the bucket of that color, then of the other.
    #[inline]
    fn cells_seen_by(&self, color: usize) -> &[CellWeights] {
        let pairs = self.buckets.pairs();
        &self.cells[color % self.rule_class.perspectives() * pairs..][..pairs]
    }

    /// The value in points for the side to move, by the accumulators of that side and of the other and by the
    /// buckets of the position.
    #[inline]
    fn points(
        &self,
        sums: [&FeatureWeights; 2],
        threat_bucket: usize,
        capture_bucket: usize,
    ) -> i32 {
        let kinds = [&self.threats[threat_bucket], &self.captures[capture_bucket]];
        let (sum, linear) = simd::evaluate(self, sums, kinds);
        sum / (QA * Q_OUTPUT) + linear * Score::SCALE as i32 / Q_LINEAR
    }
}

/// A policy from the perspective of one side to move, with the outputs of its neurons for a position.
#[derive(Clone, Copy, Debug)]
struct PolicyPerspective<'a> {
    pairs: &'a [i16],
    own: &'a [PolicyWeights],
    their: &'a [PolicyWeights],
    neurons: PolicyWeights,
}

impl Policy {
    /// The policy for the color `mover` in a position with these inputs.
    #[inline]
    fn perspective(
        &self,
        inputs: &[i16; INPUTS],
        mover: usize,
        threat_bucket: usize,
    ) -> PolicyPerspective<'_> {
        let buckets = self.pairs.len() / self.own.len();
        let perspectives = self.own.len() / buckets;
        let first = mover % perspectives * buckets;
        PolicyPerspective {
            pairs: &self.pairs[first * buckets..][..buckets * buckets],
            own: &self.own[first..][..buckets],
            their: &self.their[first..][..buckets],
            neurons: simd::policy_neurons(self, inputs, threat_bucket),
        }
    }
}

impl PolicyPerspective<'_> {
    /// The correction of the ordering score of a cell with these buckets, for the side to move and for the other.
    /// Sums wrap around, which no useful network comes near.
    #[expect(
        clippy::inline_always,
        reason = "each version for a processor is compiled from this code"
    )]
    #[inline(always)]
    fn points(&self, [own, their]: [u8; 2]) -> i32 {
        let [own, their] = [own, their].map(usize::from);
        let rows = self.own[own].iter().zip(&self.their[their]).zip(&self.neurons);
        let weighed = rows.map(|((&own, &their), &neuron)| {
            i32::from(own.wrapping_add(their)) * i32::from(neuron)
        });
        i32::from(self.pairs[own * self.own.len() + their]) + weighed.sum::<i32>() / (QA * Q_OUTPUT)
    }
}

/// Quantization. Numbers too large for their type saturate.
impl Network {
    /// The quantized 1 of a neuron before it is clipped.
    const NEURON_SCALE: f32 = (QA * QB) as f32;

    /// Rounds a network. A logit becomes `value_scale` times as many points as [`Score`] has for it.
    pub fn quantize(
        rule_class: RuleClass,
        buckets: FeatureBuckets,
        float: &FloatNetwork,
        value_scale: f32,
    ) -> Network {
        let scale = feature_scale(value_scale);
        let rows = |numbers: &[f32]| -> Vec<FeatureWeights> {
            numbers.chunks_exact(ACCUMULATOR_SIZE).map(|row| feature_weights(row, &scale)).collect()
        };
        let output_scale = output_scale(value_scale);
        let mut network = Network {
            rule_class,
            buckets,
            cells: rows(&float.cells).into_iter().map(CellWeights).collect(),
            threats: rows(&float.threats),
            captures: rows(&float.captures),
            bias: feature_weights(&float.bias, &scale),
            hidden: HiddenLayer::new(&rounded(&float.hidden, QB as f32)),
            hidden_bias: [0; HIDDEN],
            output: [0; HIDDEN],
            output_bias: (float.output_bias * output_scale * QA as f32).round() as i32,
            policy: None,
        };
        for (bias, &number) in network.hidden_bias.iter_mut().zip(&float.hidden_bias) {
            *bias = (number * Network::NEURON_SCALE).round() as i32;
        }
        for (weight, &number) in network.output.iter_mut().zip(&float.output) {
            *weight = (number * output_scale).round() as i16;
        }
        network
    }

    /// A floating-point network that [`Network::quantize`] rounds to this one.
    pub fn to_float(&self, value_scale: f32) -> FloatNetwork {
        let scale = feature_scale(value_scale);
        let rows = |rows: &[FeatureWeights]| {
            let number = |(&number, one): (&i16, &f32)| f32::from(number) / one;
            rows.iter().flat_map(|row| row.iter().zip(&scale).map(number)).collect()
        };
        let output_scale = output_scale(value_scale);
        FloatNetwork {
            cells: rows(&self.cells.iter().map(|row| row.0).collect::<Vec<_>>()),
            threats: rows(&self.threats),
            captures: rows(&self.captures),
            bias: rows(&[self.bias]),
            hidden: self
                .hidden
                .rows()
                .flatten()
                .map(|number| f32::from(number) / QB as f32)
                .collect(),
            hidden_bias: self.hidden_bias.map(|bias| bias as f32 / Network::NEURON_SCALE).to_vec(),
            output: self.output.map(|weight| f32::from(weight) / output_scale).to_vec(),
            output_bias: self.output_bias as f32 / (output_scale * QA as f32),
        }
    }
}

impl Policy {
    /// Rounds a policy. A logit becomes that many points. Numbers too large for their type saturate.
    pub fn quantize(float: &FloatPolicy, points: f32) -> Policy {
        Policy {
            pairs: float.pairs.iter().map(|logits| (logits * points).round() as i16).collect(),
            own: rounded(&float.own, points * Q_OUTPUT as f32),
            their: rounded(&float.their, points * Q_OUTPUT as f32),
            hidden: HiddenLayer::new(&rounded(&float.hidden, QB as f32)),
            threats: rounded(&float.threats, QA as f32),
        }
    }
}

/// Rows of rounded multiples of `scale`.
fn rounded<const N: usize>(numbers: &[f32], scale: f32) -> Vec<[i16; N]> {
    let (rows, _) = numbers.as_chunks::<N>();
    rows.iter().map(|row| row.map(|number| (number * scale).round() as i16)).collect()
}

/// The quantized 1 of each place of an accumulator.
fn feature_scale(value_scale: f32) -> [f32; ACCUMULATOR_SIZE] {
    let mut scale = [QA as f32; ACCUMULATOR_SIZE];
    scale[ACCUMULATOR_SIZE - 1] = value_scale * Q_LINEAR as f32;
    scale
}

/// The quantized logit of the output layer.
fn output_scale(value_scale: f32) -> f32 {
    value_scale * Score::SCALE as f32 * Q_OUTPUT as f32
}

fn feature_weights(numbers: &[f32], scale: &[f32; ACCUMULATOR_SIZE]) -> FeatureWeights {
    let mut weights = [0; ACCUMULATOR_SIZE];
    for ((weight, &number), one) in weights.iter_mut().zip(numbers).zip(scale) {
        *weight = (number * one).round() as i16;
    }
    weights
}

/// Files.
impl Network {
    /// The kind of file that holds a network.
    pub(in crate::eval) const KIND: &str = "network";

    /// The bytes of a file with this network and remarks on how it was made, a line each.
    pub fn to_bytes(&self, remarks: &[String]) -> Vec<u8> {
        let mut file = TensorFile::new(Network::KIND, remarks);
        file.add_field("games", self.rule_class.name());
        self.buckets.add_to(&mut file);
        let cells: Vec<FeatureWeights> = self.cells.iter().map(|row| row.0).collect();
        let predictor = RowPredictor::new(&self.buckets);
        let residuals = cells.chunks_exact(self.buckets.pairs());
        file.add_i16("cells", residuals.flat_map(|rows| predictor.residuals(rows)).flatten());
        file.add_i16("threats", self.threats.iter().flatten().copied());
        file.add_i16("captures", self.captures.iter().flatten().copied());
        file.add_i16("bias", self.bias);
        file.add_i16("hidden", self.hidden.rows().flatten());
        file.add_i16("output", self.output);
        file.add_i32("hidden_bias", self.hidden_bias);
        file.add_i32("output_bias", [self.output_bias]);
        if let Some(policy) = &self.policy {
            file.add_i16("policy.pairs", policy.pairs.iter().copied());
            file.add_i16("policy.own", policy.own.iter().flatten().copied());
            file.add_i16("policy.their", policy.their.iter().flatten().copied());
            file.add_i16("policy.hidden", policy.hidden.rows().flatten());
            file.add_i16("policy.threats", policy.threats.iter().flatten().copied());
        }
        file.to_bytes()
    }

    /// Reads a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, FormatError> {
        let mut file = TensorFile::parse(bytes)?;
        file.take_field("kind")?;
        Network::from_file(file)
    }

    /// The network in a file.
    pub(in crate::eval) fn from_file(mut file: TensorFile) -> Result<Network, FormatError> {
        let rule_class = RuleClass::of_file(&mut file)?;
        let buckets = FeatureBuckets::of_file(&mut file)?;
        let perspectives = rule_class.perspectives();
        let mut cells = file.take_rows("cells", perspectives * buckets.pairs())?;
        let predictor = RowPredictor::new(&buckets);
        cells.chunks_exact_mut(buckets.pairs()).for_each(|rows| predictor.restore(rows));
        let policy = if file.has_tensor("policy.pairs") {
            Some(Policy {
                pairs: file.take_i16("policy.pairs", perspectives * buckets.pairs())?,
                own: file.take_rows("policy.own", perspectives * buckets.count())?,
                their: file.take_rows("policy.their", perspectives * buckets.count())?,
                hidden: HiddenLayer::new(&file.take_rows("policy.hidden", POLICY_HIDDEN)?),
                threats: file.take_rows("policy.threats", THREAT_BUCKETS)?,
            })
        } else {
            None
        };
        let mut network = Network {
            rule_class,
            cells: cells.into_iter().map(CellWeights).collect(),
            threats: file.take_rows("threats", THREAT_BUCKETS)?,
            captures: file.take_rows("captures", CAPTURE_BUCKETS)?,
            bias: [0; ACCUMULATOR_SIZE],
            hidden: HiddenLayer::new(&file.take_rows("hidden", HIDDEN)?),
            hidden_bias: [0; HIDDEN],
            output: [0; HIDDEN],
            output_bias: file.take_i32("output_bias", 1)?[0],
            policy,
            buckets,
        };
        network.bias.copy_from_slice(&file.take_i16("bias", ACCUMULATOR_SIZE)?);
        network.hidden_bias.copy_from_slice(&file.take_i32("hidden_bias", HIDDEN)?);
        network.output.copy_from_slice(&file.take_i16("output", HIDDEN)?);
        file.finish()?;
        Ok(network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_take_no_more_than_three_megabytes() {
        let files: [&[u8]; 3] = [
            include_bytes!("captures.network"),
            include_bytes!("lines.network"),
            include_bytes!("renju.network"),
        ];
        let bytes: usize = files.iter().map(|file| file.len()).sum();
        assert!(bytes <= 3_000_000, "{bytes}");
    }

    #[test]
    fn networks_can_be_read_and_are_for_the_games_that_they_know() {
        let known = |spec: &str| {
            let network = Network::built_in(&spec.parse().unwrap());
            network.map(|network| network.rule_class())
        };
        for (spec, class) in [
            ("pro-pente", Some(RuleClass::Captures)),
            ("keryo-pente", Some(RuleClass::Captures)),
            ("pente+goal=4", None),
            ("o-pente", None),
            ("boat-pente", None),
            ("five-in-a-row-pente", None),
            ("gomoku", Some(RuleClass::Lines)),
            ("renju", Some(RuleClass::Renju)),
            ("connect6", None),
            ("pente-3", None),
            ("gomoku+line=4", None),
        ] {
            assert_eq!(known(spec), class, "{spec}");
        }
    }
}
