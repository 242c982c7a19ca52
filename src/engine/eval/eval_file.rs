//! Files that replace the built-in evaluation.

use super::hexes::{HexGame, HexWeights};
use super::stones::{Network, RuleClass, Weights};
use super::tensor_file::{FormatError, TensorFile, field_error};
use pentarch_core::game::mix_bytes;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An evaluation read from a file. Games that it is not for keep the built-in one.
#[derive(Clone, Debug)]
pub struct EvalFile {
    path: PathBuf,
    /// The hash of the bytes of the file.
    content: u64,
    remarks: Vec<String>,
    evaluation: Evaluation,
}

#[derive(Clone, Debug)]
enum Evaluation {
    Weights(Arc<Weights>),
    Hexes(Arc<HexWeights>),
    Network(Arc<Network>),
    /// The built-in weights without a network; on hexagons, the hand-chosen scores.
    Classical,
}

/// Files are equal if their paths and bytes are.
impl PartialEq for EvalFile {
    fn eq(&self, other: &EvalFile) -> bool {
        (&self.path, self.content) == (&other.path, other.content)
    }
}

impl Eq for EvalFile {}

/// Why a file cannot be used as an evaluation.
#[derive(Debug, thiserror::Error)]
pub enum EvalFileError {
    /// The file cannot be read.
    #[error("cannot read the evaluation {}: {}; check the path", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The path is not a regular file, or the file is too large.
    #[error("the evaluation {} is no file of at most {} MiB", .0.display(), EvalFile::MAX_BYTES >> 20)]
    NotAFile(PathBuf),
    /// The bytes are not an evaluation of this version.
    #[error("the evaluation {}, {}; make one with `pentarch train`", .0.display(), .1)]
    Format(PathBuf, #[source] FormatError),
}

impl EvalFile {
    /// The size of the largest file that is read, in bytes.
    pub const MAX_BYTES: u64 = 16 << 20;
    /// The path that selects [`EvalFile::classical`].
    pub const CLASSICAL: &str = "classical";

    /// Reads a file of weights or of a network.
    pub fn read(path: &Path) -> Result<EvalFile, EvalFileError> {
        let failed = |error| EvalFileError::File(path.to_owned(), error);
        let metadata = std::fs::metadata(path).map_err(failed)?;
        if !metadata.is_file() || metadata.len() > EvalFile::MAX_BYTES {
            return Err(EvalFileError::NotAFile(path.to_owned()));
        }
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path).map_err(failed)?;
        file.take(EvalFile::MAX_BYTES).read_to_end(&mut bytes).map_err(failed)?;
        let (evaluation, remarks) = Evaluation::parse(&bytes)
            .map_err(|error| EvalFileError::Format(path.to_owned(), error))?;
        let content = mix_bytes(0, bytes.iter().copied());
        Ok(EvalFile { path: path.to_owned(), content, remarks, evaluation })
    }

    /// The built-in evaluation without networks; on hexagons, without fitted weights.
    pub fn classical() -> EvalFile {
        let path = PathBuf::from(EvalFile::CLASSICAL);
        EvalFile { path, content: 0, remarks: Vec::new(), evaluation: Evaluation::Classical }
    }

    /// Whether the file replaces the evaluation of games of a class.
    pub fn is_for(&self, class: RuleClass) -> bool {
        match &self.evaluation {
            Evaluation::Weights(weights) => weights.rule_class() == class,
            Evaluation::Network(network) => network.rule_class() == class,
            Evaluation::Hexes(_) => false,
            Evaluation::Classical => true,
        }
    }

    /// Whether this is [`EvalFile::classical`].
    pub fn is_classical(&self) -> bool {
        matches!(self.evaluation, Evaluation::Classical)
    }

    /// The path that the file was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The remarks of the file on how it was made, a line each.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// The hash of the bytes of the file.
    pub fn hash(&self) -> u64 {
        self.content
    }

    /// The weights for games of a class, if the file has them.
    pub fn weights(&self, class: RuleClass) -> Option<&Arc<Weights>> {
        match &self.evaluation {
            Evaluation::Weights(weights) if weights.rule_class() == class => Some(weights),
            _ => None,
        }
    }

    /// The weights for a game on hexagons, if the file has them.
    pub fn hex_weights(&self, game: HexGame) -> Option<&Arc<HexWeights>> {
        match &self.evaluation {
            Evaluation::Hexes(weights) if weights.game() == game => Some(weights),
            _ => None,
        }
    }

    /// The network for games of a class, if the file has one.
    pub fn network(&self, class: RuleClass) -> Option<&Arc<Network>> {
        match &self.evaluation {
            Evaluation::Network(network) if network.rule_class() == class => Some(network),
            _ => None,
        }
    }
}

impl Evaluation {
    /// Reads the bytes of a file, with its remarks.
    fn parse(bytes: &[u8]) -> Result<(Evaluation, Vec<String>), FormatError> {
        let mut file = TensorFile::parse(bytes)?;
        let remarks = std::mem::take(&mut file.remarks);
        let kind = file.take_field("kind")?;
        let evaluation = match kind.as_str() {
            Weights::KIND => Evaluation::Weights(Arc::new(Weights::from_file(file)?)),
            HexWeights::KIND => Evaluation::Hexes(Arc::new(HexWeights::from_file(file)?)),
            Network::KIND => Evaluation::Network(Arc::new(Network::from_file(file)?)),
            _ => return Err(field_error("kind", "unknown")),
        };
        Ok((evaluation, remarks))
    }
}
