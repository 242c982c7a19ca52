"""Pentarch: gomoku, renju, Pente and its variants, Connect6, Pentalath and Pent-Up, from Python.

- `Game`: rules, legal moves, results, pictures.
- `Analyzer`, `AsyncAnalyzer`: values and best moves of many positions.
- `SimpleEngine`, `UgiEngine`: an engine for matches and live analysis.
- `read_games`, `games_frame`, `plies_frame`, `review`: records of games.
"""

from ._process import (
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    PentarchError,
    find_binary,
)
from .analysis import Analysis, AnalysisError, Analyzer, AsyncAnalyzer, MoveInfo, Query
from .engine import (
    AnalysisResult,
    Info,
    Limit,
    Option,
    PlayResult,
    SimpleAnalysisResult,
    SimpleEngine,
    UgiEngine,
)
from .game import Game, IllegalMoveError, Outcome, RulesError, Threat, variants
from .records import (
    GameRecord,
    RecordedPly,
    ReviewedGame,
    ReviewedPly,
    games_frame,
    plies_frame,
    read_games,
    review,
)

__all__ = [
    "Analysis",
    "AnalysisError",
    "AnalysisResult",
    "Analyzer",
    "AsyncAnalyzer",
    "EngineError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "Game",
    "GameRecord",
    "IllegalMoveError",
    "Info",
    "Limit",
    "MoveInfo",
    "Option",
    "Outcome",
    "PentarchError",
    "PlayResult",
    "Query",
    "RecordedPly",
    "ReviewedGame",
    "ReviewedPly",
    "RulesError",
    "SimpleAnalysisResult",
    "SimpleEngine",
    "Threat",
    "UgiEngine",
    "find_binary",
    "games_frame",
    "plies_frame",
    "read_games",
    "review",
    "variants",
]
