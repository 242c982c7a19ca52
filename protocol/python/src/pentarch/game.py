"""Games, whose rules are those of the engine."""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._process import EngineTerminatedError, PentarchError, find_binary, run

if TYPE_CHECKING:
    from .analysis import Query


class RulesError(PentarchError, ValueError):
    """The engine does not know the game, or cannot read the position."""


class IllegalMoveError(PentarchError, ValueError):
    """The rules do not allow a move; the text has the reason."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended.

    Attributes:
        result: `p1win` to `p4win`, or `draw`. With teams the number is that of the side.
        reason: such as `line`, `captures` or `full-board`.
    """

    result: str
    reason: str | None = None

    @property
    def winner(self) -> int | None:
        """The seat that won, from 1, or with teams its side; `None` for a draw."""
        return int(self.result[1]) if self.result.endswith("win") else None


@dataclass(frozen=True)
class Threat:
    """A four, a tessera, a three or a tria on the board: its color, from 1, its name, and its stones."""

    color: int
    call: str
    stones: tuple[str, ...]


@dataclass(frozen=True)
class _State:
    seat: int
    side: int
    color: int
    captures: tuple[int, ...]
    fen: str
    outcome: Outcome | None


class Game:
    """A game in play.

        game = Game("pente", "j10 k11")
        game.push("m10")
        print(game.legal_moves, game.outcome)

    The engine decides the rules: a process of it, which all games share, is started at the first question.
    In a notebook a game shows its board.

    Attributes:
        rules: the game, `NAME[+modifier...]`; `variants` lists the names.
        start: the position text before the moves, if it is not the start of the game.
    """

    def __init__(self, rules: str = "pente", moves: Iterable[str] | str = (), start: str | None = None) -> None:
        self.rules = rules
        self.start = start
        self._moves: tuple[str, ...] = ()
        self._state: _State | None = None
        self._legal: tuple[str, ...] | None = None
        self.push_all(moves.split() if isinstance(moves, str) else moves)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves, in the spelling in which they were given."""
        return self._moves

    @property
    def turn(self) -> int:
        """The seat to move, from 1."""
        return self._ask().seat

    @property
    def side(self) -> int:
        """The side of the seat to move, from 1: partners have the same."""
        return self._ask().side

    @property
    def color(self) -> int:
        """The color that the seat to move places, from 1; after a swap it is not the number of the seat."""
        return self._ask().color

    @property
    def captures(self) -> tuple[int, ...]:
        """The captured stones that count for each color."""
        return self._ask().captures

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, `None` in an open game."""
        return self._ask().outcome

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """All legal moves."""
        if self._legal is None:
            (answer,) = _referee.ask(self, ["query legalmoves"])
            self._legal = tuple(answer.split())
        return self._legal

    @property
    def threats(self) -> tuple[Threat, ...]:
        """The threats on the board."""
        (answer,) = _referee.ask(self, ["query threats"])
        threats = (word.split(":") for word in answer.split())
        return tuple(Threat(int(color), call, tuple(stones.split(","))) for color, call, stones in threats)

    def fen(self) -> str:
        """Returns the position text."""
        return self._ask().fen

    def push(self, move: str) -> None:
        """Plays a move.

        Raises:
            IllegalMoveError: the rules do not allow it. The game is unchanged.
        """
        self.push_all([move])

    def push_all(self, moves: Iterable[str]) -> None:
        """Plays moves; if one of them is illegal, none of them.

        Raises:
            IllegalMoveError: the rules do not allow one of them.
        """
        before = self._moves, self._state, self._legal
        self._moves += tuple(moves)
        self._state = self._legal = None
        try:
            for move in self._moves:
                if not move or move.split() != [move]:
                    raise IllegalMoveError(f"illegal move {move!r}: it is not one word")
            self._ask()
        except BaseException:
            self._moves, self._state, self._legal = before
            raise

    def pop(self) -> str:
        """Takes back the last move and returns it.

        Raises:
            IndexError: there is none.
        """
        move = self._moves[-1]
        self._moves = self._moves[:-1]
        self._state = self._legal = None
        return move

    def at(self, ply: int) -> Game:
        """Returns the game after its first `ply` moves."""
        return Game(self.rules, self._moves[:ply], self.start)

    def copy(self) -> Game:
        """Returns a game that changes independently of this one."""
        return self.at(len(self._moves))

    def query(self, **options: Any) -> Query:
        """Returns a query about the position for the analyzers. The options are those of `Query`."""
        from .analysis import Query

        return Query(self._moves, self.rules, self.start, **options)

    def svg(
        self,
        *,
        numbers: bool = False,
        crop: bool = False,
        threats: bool = False,
        candidates: int = 0,
        nodes: int | None = None,
        marks: Sequence[str] = (),
    ) -> str:
        """Returns a picture of the board, drawn by `pentarch show`.

        Args:
            numbers: the number of the ply on each stone.
            crop: only the part of the board around the stones.
            threats: marks the threats.
            candidates: the number of best moves to show with their chances to win, 0 for none.
            nodes: nodes of the search for them.
            marks: points to mark, `j10` or `j10=A`.
        """
        flags = {"--numbers": numbers, "--crop": crop, "--threats": threats}
        arguments = [flag for flag, is_set in flags.items() if is_set]
        arguments += [f"--mark={mark}" for mark in marks]
        if candidates:
            arguments += ["--candidates", f"--count={candidates}"]
            arguments += [] if nodes is None else [f"--nodes={nodes}"]
        return self._show("svg", arguments)

    def _show(self, format: str, arguments: Sequence[str]) -> str:
        start = [] if self.start is None else [f"--position={self.start}"]
        command = ["show", f"--variant={self.rules}", f"--moves={' '.join(self._moves)}", *start]
        return run([*command, f"--format={format}", *arguments]).decode()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self._show("text", []).rstrip("\n")

    def __repr__(self) -> str:
        start = "" if self.start is None else f", start={self.start!r}"
        return f"Game({self.rules!r}, {' '.join(self._moves)!r}{start})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.rules, self.start, self._moves) == (other.rules, other.start, other._moves)

    __hash__ = None  # type: ignore[assignment]

    def _ask(self) -> _State:
        if self._state is None:
            questions = ["turn", "side", "colour", "captures", "fen", "result", "reason"]
            answers = _referee.ask(self, [f"query {question}" for question in questions])
            seat, side, color, captures, fen, result, reason = answers
            self._state = _State(
                int(seat),
                int(side),
                int(color),
                tuple(int(count) for count in captures.split(",") if count.isdigit()),
                fen,
                None if result == "none" else Outcome(result, reason),
            )
        return self._state


def variants() -> dict[str, str]:
    """Returns the named games, each with its description."""
    listed = run(["variants"]).decode().split("\n\n")[0]
    return dict(re.findall(r"^  (\S+) +(.+)$", listed, re.MULTILINE))


class _Referee:
    """A process of `pentarch ugi` that answers questions about the rules, one game after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._rules = ""

    def ask(self, game: Game, questions: Sequence[str]) -> list[str]:
        with self._lock:
            try:
                return self._exchange(game, questions)
            except (EngineTerminatedError, OSError):
                # It was killed from outside; the question itself has no state.
                self._close()
                return self._exchange(game, questions)
            except KeyboardInterrupt:
                self._close()
                raise

    def _exchange(self, game: Game, questions: Sequence[str]) -> list[str]:
        lines = []
        if self._process is None:
            self._start()
            lines.append("ugi")
        if game.rules != self._rules:
            lines.append(f"setoption name UCI_Variant value {game.rules}")
        start = "startpos" if game.start is None else f"fen {game.start}"
        lines += ["isready", " ".join(["position", start, "moves", *game.moves]), "isready", *questions, "isready"]
        if any("\n" in line or "\r" in line for line in lines):
            raise RulesError("a line break in the rules, the position or a move")
        assert self._process is not None and self._process.stdin is not None
        self._rules = ""
        self._process.stdin.write("\n".join(lines) + "\n")
        self._process.stdin.flush()
        of_rules, of_moves, answers = self._read(), self._read(), self._read()
        if error := _error(of_rules):
            raise RulesError(error)
        self._rules = game.rules
        if error := _error(of_moves):
            raise (IllegalMoveError if error.startswith("move ") else RulesError)(error)
        return [line.removeprefix("response").strip() for line in answers]

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [find_binary(), "ugi", "--hash", "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self._rules = ""

    def _read(self) -> list[str]:
        assert self._process is not None and self._process.stdout is not None
        lines = []
        while (line := self._process.stdout.readline().rstrip("\n")) != "readyok":
            if not line and self._process.poll() is not None:
                raise EngineTerminatedError(f"pentarch ugi ended with exit code {self._process.returncode}")
            lines.append(line)
        return lines

    def _close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        self._process = None

    def close(self) -> None:
        with self._lock:
            self._close()

    def forget(self) -> None:
        """Gives up the process without ending it: in a fork it is that of the parent."""
        if self._process is not None:
            assert self._process.stdin is not None and self._process.stdout is not None
            self._process.stdin.close()
            self._process.stdout.close()
            self._process.returncode = 0
        self._process = None
        self._lock = threading.Lock()


def _error(lines: Sequence[str]) -> str | None:
    for line in lines:
        if line.startswith("info string error:"):
            return line.removeprefix("info string error:").strip()
    return None


_referee = _Referee()
atexit.register(_referee.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_referee.forget)
