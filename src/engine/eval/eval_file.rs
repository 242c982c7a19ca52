//! An evaluation out of a file, instead of the one that is part of the program.

use super::hexes::{HexGame, HexWeights};
use super::network::{Network, NetworkError};
use super::weights::{Genre, Weights, WeightsError};
use pentarch_core::game::mix_bytes;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The weights or the network of a file. Games of another genre keep those of the program.
#[derive(Clone, Debug)]
pub struct EvalFile {
    path: PathBuf,
    /// A hash of what the file held.
    content: u64,
    /// How a network was made.
    remarks: Vec<String>,
    evaluation: Evaluation,
}

/// What a file can hold.
#[derive(Clone, Debug)]
enum Evaluation {
    Weights(Arc<Weights>),
    Hexes(Arc<HexWeights>),
    Network(Arc<Network>),
    /// Weights of the program, of whatever games, without a network, and on hexagons windows.
    Classical,
}

/// Those of the same path and content are the same.
impl PartialEq for EvalFile {
    fn eq(&self, other: &EvalFile) -> bool {
        (&self.path, self.content) == (&other.path, other.content)
    }
}

impl Eq for EvalFile {}

/// Why a file is no evaluation.
#[derive(Debug, thiserror::Error)]
pub enum EvalFileError {
    /// It cannot be read.
    #[error("cannot read the evaluation {}: {}; check the path", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// It is no file, or larger than any evaluation.
    #[error("the evaluation {} is no file of at most {} MiB", .0.display(), EvalFile::LARGEST >> 20)]
    Unfit(PathBuf),
    /// It is no text.
    #[error("the evaluation {} is no text; make one with `pentarch train fit`", .0.display())]
    Binary(PathBuf),
    /// It has no weights in it.
    #[error("the evaluation {}, {}; make one with `pentarch train fit`", .0.display(), .1)]
    Weights(PathBuf, #[source] WeightsError),
    /// It begins as a network but is none.
    #[error("the evaluation {}, {}; make one with `pentarch train network`", .0.display(), .1)]
    Network(PathBuf, #[source] NetworkError),
}

impl EvalFile {
    /// The size of the largest file that is read, in bytes.
    pub const LARGEST: u64 = 16 << 20;

    /// Reads a file.
    pub fn read(path: &Path) -> Result<EvalFile, EvalFileError> {
        let failed = |error| EvalFileError::File(path.to_owned(), error);
        let about = std::fs::metadata(path).map_err(failed)?;
        if !about.is_file() || about.len() > EvalFile::LARGEST {
            return Err(EvalFileError::Unfit(path.to_owned()));
        }
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path).map_err(failed)?;
        file.take(EvalFile::LARGEST).read_to_end(&mut bytes).map_err(failed)?;
        let content = mix_bytes(0, bytes.iter().copied());
        let mut remarks = Vec::new();
        let evaluation = if Network::begins(&bytes) {
            remarks = Network::remarks(&bytes);
            let network = Network::from_bytes(&bytes);
            let network = network.map_err(|e| EvalFileError::Network(path.to_owned(), e))?;
            Evaluation::Network(Arc::new(network))
        } else {
            let text =
                String::from_utf8(bytes).map_err(|_| EvalFileError::Binary(path.to_owned()))?;
            let wrong = |error| EvalFileError::Weights(path.to_owned(), error);
            if HexWeights::begins(&text) {
                Evaluation::Hexes(Arc::new(text.parse().map_err(wrong)?))
            } else {
                Evaluation::Weights(Arc::new(text.parse().map_err(wrong)?))
            }
        };
        Ok(EvalFile { path: path.to_owned(), content, remarks, evaluation })
    }

    /// What stands for the weights of the program without a network, and for windows on hexagons.
    pub const CLASSICAL: &str = "classical";

    /// The weights of the program without a network.
    pub fn classical() -> EvalFile {
        let path = PathBuf::from(EvalFile::CLASSICAL);
        EvalFile { path, content: 0, remarks: Vec::new(), evaluation: Evaluation::Classical }
    }

    /// Whether it says how games of a genre are evaluated.
    pub fn is_for(&self, genre: Genre) -> bool {
        match &self.evaluation {
            Evaluation::Weights(weights) => weights.genre() == genre,
            Evaluation::Network(network) => network.genre() == genre,
            Evaluation::Hexes(_) => false,
            Evaluation::Classical => true,
        }
    }

    /// Whether it is [`EvalFile::classical`].
    pub fn is_classical(&self) -> bool {
        matches!(self.evaluation, Evaluation::Classical)
    }

    /// Where it was read.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a network says of how it was made, a line each.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// A hash of what it held.
    pub fn hash(&self) -> u64 {
        self.content
    }

    /// The weights for games of a genre, if it has any.
    pub fn weights(&self, genre: Genre) -> Option<&Arc<Weights>> {
        match &self.evaluation {
            Evaluation::Weights(weights) if weights.genre() == genre => Some(weights),
            _ => None,
        }
    }

    /// The weights for a game on hexagons, if it has any.
    pub fn hex_weights(&self, game: HexGame) -> Option<&Arc<HexWeights>> {
        match &self.evaluation {
            Evaluation::Hexes(weights) if weights.game() == game => Some(weights),
            _ => None,
        }
    }

    /// The network for games of a genre, if it has one.
    pub fn network(&self, genre: Genre) -> Option<&Arc<Network>> {
        match &self.evaluation {
            Evaluation::Network(network) if network.genre() == genre => Some(network),
            _ => None,
        }
    }
}
