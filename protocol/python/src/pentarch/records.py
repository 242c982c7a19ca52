"""Records of games: those of matches and tournaments, and every format that `pentarch convert` reads."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from ._process import PentarchError, find_binary, run
from .game import Game, Outcome

if TYPE_CHECKING:
    import pandas

StrPath = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class RecordedPly:
    """A move of a recorded game, with what its player said about it.

    Attributes:
        move: the move.
        seat: who made it, from 1.
        time: milliseconds.
        score, mate, depth, nodes, pv: as in `Info`.
        comment: a comment.
    """

    move: str
    seat: int | None = None
    time: float | None = None
    score: int | None = None
    mate: int | None = None
    depth: int | None = None
    nodes: int | None = None
    pv: tuple[str, ...] = ()
    comment: str | None = None


@dataclass(frozen=True)
class GameRecord:
    """A recorded game.

    Attributes:
        rules: the game, `NAME[+modifier...]`.
        moves: the moves.
        players: the names by seat.
        result: `p1win` to `p4win` or `draw`; `None` if it is unknown.
        reason: why it ended, such as `line`, `captures` or `time`.
        start: the position text before the moves, if it is not the start of the game.
        opening_plies: the number of moves that were set and not chosen.
        date: when it was played, as in the file.
        plies: what is known of each move.
        json: all that the record has.
    """

    rules: str
    moves: tuple[str, ...]
    players: tuple[str, ...]
    result: str | None
    reason: str | None
    start: str | None
    opening_plies: int
    date: str | None
    plies: tuple[RecordedPly, ...]
    json: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def outcome(self) -> Outcome | None:
        return None if self.result is None else Outcome(self.result, self.reason)

    def game(self, plies: int | None = None) -> Game:
        """Returns the game, or the position after its first `plies` moves."""
        return Game(self.rules, self.moves[:plies], self.start)

    def _repr_svg_(self) -> str:
        return self.game().svg(numbers=True)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> GameRecord:
        """Returns the game of a JSON line."""
        plies = record.get("plies")
        seats = len(record.get("players") or ()) or 2
        # In older records it is a count.
        objects: Iterable[Mapping[str, Any]] = (
            plies if isinstance(plies, list) else ({"move": move} for move in record["moves"])
        )
        return cls(
            record.get("rules", "pente"),
            tuple(record["moves"]),
            tuple(record.get("players") or (f"player {seat + 1}" for seat in range(seats))),
            record.get("result"),
            record.get("reason"),
            record.get("initialPosition"),
            record.get("openingPlies") or 0,
            record.get("date"),
            tuple(
                RecordedPly(
                    ply["move"],
                    ply.get("seat"),
                    ply.get("time"),
                    ply.get("score"),
                    ply.get("mate"),
                    ply.get("depth"),
                    ply.get("nodes"),
                    tuple(ply.get("pv") or ()),
                    ply.get("comment"),
                )
                for ply in objects
            ),
            record,
        )


def read_games(paths: StrPath | Sequence[StrPath], *, rules: str | None = None) -> Iterator[GameRecord]:
    """Reads the games of files, one after the other.

    JSON lines, as `match` and `tournament` write them, are read here; files in other formats are converted by
    the program.

    Args:
        paths: a file, or several.
        rules: the game of files that do not name it.

    Raises:
        PentarchError: a file has no games, or not only games.
    """
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        with open(path, "rb") as file:
            first = next((line for line in file if line.strip()), b"")
            if first.lstrip().startswith(b"{"):
                file.seek(0)
                for number, line in enumerate(file, 1):
                    if not line.strip():
                        continue
                    try:
                        record = json.loads(line)
                        if rules is not None:
                            record.setdefault("rules", rules)
                        yield GameRecord.from_json(record)
                    except (ValueError, KeyError, TypeError, AttributeError) as error:
                        raise PentarchError(f"{os.fspath(path)} line {number}: no game: {error!r}") from error
                continue
        variant = [] if rules is None else [f"--variant={rules}"]
        converted = run(["convert", *variant, "--to=json", "--", os.fspath(path)])
        for line in converted.splitlines():
            yield GameRecord.from_json(json.loads(line))


def games_frame(games: StrPath | Iterable[StrPath] | Iterable[GameRecord]) -> pandas.DataFrame:
    """Returns a pandas data frame with a row for each game: its columns are `rules`, `player1`, ..., `result`,
    `reason`, `winner` (the name), `plies`, `opening_plies`, `date` and `moves`.

    Args:
        games: files, or records that were read.
    """
    import pandas

    rows = []
    for game in _records(games):
        winner = game.outcome.winner if game.outcome else None
        # With teams a result is that of the side, whose partners sit opposite each other.
        teams = len(game.players) == 4 and "team" in game.rules
        names = [" and ".join(game.players[side::2]) for side in range(2)] if teams else list(game.players)
        row: dict[str, Any] = {"rules": game.rules}
        row.update((f"player{seat}", name) for seat, name in enumerate(game.players, 1))
        row.update(
            result=game.result,
            reason=game.reason,
            winner=names[winner - 1] if winner is not None and winner <= len(names) else None,
            plies=len(game.moves),
            opening_plies=game.opening_plies,
            date=game.date,
            moves=" ".join(game.moves),
        )
        rows.append(row)
    return pandas.DataFrame(rows)


def plies_frame(games: StrPath | Iterable[StrPath] | Iterable[GameRecord]) -> pandas.DataFrame:
    """Returns a pandas data frame with a row for each move: its columns are `game` (from 0, the row of
    `games_frame`), `ply` (from 1), `player`, and those of `RecordedPly`."""
    import pandas

    columns = ["game", "ply", "player", "move", "seat", "time", "score", "mate", "depth", "nodes", "pv", "comment"]
    rows = []
    for number, game in enumerate(_records(games)):
        for count, ply in enumerate(game.plies, 1):
            seat = ply.seat
            player = game.players[seat - 1] if seat is not None and seat <= len(game.players) else None
            row = [number, count, player, ply.move, seat, ply.time, ply.score, ply.mate, ply.depth, ply.nodes]
            rows.append([*row, " ".join(ply.pv), ply.comment])
    return pandas.DataFrame(rows, columns=columns)


def _records(games: StrPath | Iterable[StrPath] | Iterable[GameRecord]) -> Iterator[GameRecord]:
    if isinstance(games, (str, os.PathLike)):
        games = [games]
    for item in games:
        if isinstance(item, GameRecord):
            yield item
        else:
            yield from read_games(item)


@dataclass(frozen=True)
class ReviewedPly:
    """A move of a reviewed game; values are those before it, for the player who made it.

    Attributes:
        ply: its number, from 1.
        move, seat: the move, and who made it.
        loss: the decrease of the probability to win; `None` if it was not searched.
        accuracy: 0 to 100.
        kind: `inaccuracy`, `mistake`, `blunder`, or `None`.
        winrate, played_winrate: the probability to win with the best move and with the one that was made.
        best: the best move.
        pv: the line that starts with it.
        is_opening: the move was set and not chosen.
        missed_win: the plies in which the player could have won, if that was proved.
    """

    ply: int
    move: str
    seat: int
    loss: float | None
    accuracy: float | None
    kind: str | None
    winrate: float | None
    played_winrate: float | None
    best: str | None
    pv: tuple[str, ...]
    is_opening: bool
    missed_win: int | None


@dataclass(frozen=True)
class ReviewedGame:
    """A game with the value of each move.

    Attributes:
        name: such as `a against b, game 1`.
        rules, moves, players, result, start: as in `GameRecord`.
        plies: the moves.
        turning_point: the ply at which the game turned.
        fault: why the review ends before the record does.
        summary: sentences about the game.
        json: all that the review has.
    """

    name: str
    rules: str
    moves: tuple[str, ...]
    players: tuple[str, ...]
    result: str | None
    start: str | None
    plies: tuple[ReviewedPly, ...]
    turning_point: int | None
    fault: str | None
    summary: str
    json: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def worst(self) -> ReviewedPly | None:
        """The move with the largest loss, the first of them."""
        searched = [ply for ply in self.plies if ply.loss is not None]
        return max(searched, key=lambda ply: ply.loss or 0.0, default=None)

    def game(self, plies: int | None = None) -> Game:
        """Returns the game, or the position after its first `plies` moves."""
        return Game(self.rules, self.moves[:plies], self.start)

    @classmethod
    def from_json(cls, review: Mapping[str, Any]) -> ReviewedGame:
        """Returns the game of a JSON line of `pentarch review`."""
        plies = []
        for ply in review["plies"]:
            missed = ply.get("missedWin")
            plies.append(
                ReviewedPly(
                    ply["ply"],
                    ply["move"],
                    ply["seat"],
                    ply.get("loss"),
                    ply.get("accuracy"),
                    ply.get("class"),
                    ply.get("winRate"),
                    ply.get("playedWinRate"),
                    ply.get("best"),
                    tuple(ply.get("pv") or ()),
                    bool(ply.get("opening")),
                    missed["plies"] if missed else None,
                )
            )
        summary = review.get("summary") or ""
        return cls(
            review.get("name") or "",
            review["rules"],
            tuple(review["moves"]),
            tuple(review.get("players") or ()),
            review.get("result"),
            review.get("initialPosition"),
            tuple(plies),
            review.get("turningPoint"),
            review.get("fault"),
            summary if isinstance(summary, str) else " ".join(summary),
            review,
        )


def review(
    paths: StrPath | Sequence[StrPath],
    *,
    nodes: int | None = None,
    workers: int | None = None,
    rules: str | None = None,
) -> list[ReviewedGame]:
    """Finds the mistakes in games, as `pentarch review` does.

    Args:
        paths: a file of games in any format, or several.
        nodes: nodes of each search.
        workers: the number of positions to search concurrently.
        rules: the game of files that do not name it.

    Raises:
        PentarchError: a file cannot be read.
    """
    files = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    options = {"nodes": nodes, "workers": workers, "variant": rules}
    arguments = [f"--{name}={value}" for name, value in options.items() if value is not None]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "review.jsonl"
        command = [find_binary(), "review", *arguments, f"--json={output}", "--"]
        command += [os.fspath(path) for path in files]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise PentarchError(done.stderr.decode("utf-8", "replace").strip())
        with output.open(encoding="utf-8") as lines:
            return [ReviewedGame.from_json(json.loads(line)) for line in lines]
