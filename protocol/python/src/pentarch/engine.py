"""Engines that speak UGI, for matches and live analysis: `UgiEngine` for asyncio, `SimpleEngine` without it.

The interface is that of `chess.engine` in python-chess, where the games are the same.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar, Union, overload

from ._process import (
    Command,
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    LoopThread,
    Process,
    command_line,
)

T = TypeVar("T")

#: The value of an option; `None` sets its default.
OptionValue = Union[str, int, bool, None]

#: Options that the client sets itself.
MANAGED_OPTIONS = ("UCI_Variant", "MultiPV", "Ponder")


class Position(Protocol):
    """A position of a game, such as `Game`."""

    @property
    def rules(self) -> str: ...
    @property
    def start(self) -> str | None: ...
    @property
    def moves(self) -> Sequence[str]: ...


@dataclass(frozen=True)
class Limit:
    """When a search ends: at the first of these limits.

    Attributes:
        time: seconds for the move.
        depth: plies.
        nodes: nodes.
        mate: ends as soon as a win within this number of plies is found.
        clocks: the seconds that each seat has left, the first seat first.
        increments: the seconds that each seat gets for a move.
        remaining_moves: moves to the next time control.
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    clocks: Sequence[float] = ()
    increments: Sequence[float] = ()
    remaining_moves: int | None = None

    def _words(self) -> list[str]:
        words: list[str] = []
        for name, times in (("time", self.clocks), ("inc", self.increments)):
            for seat, seconds in enumerate(times, 1):
                words += [f"p{seat}{name}", str(round(seconds * 1000))]
        if self.time is not None:
            words += ["movetime", str(max(1, round(self.time * 1000)))]
        numbers = {
            "movestogo": self.remaining_moves,
            "depth": self.depth,
            "nodes": self.nodes,
            "mate": self.mate,
        }
        for name, number in numbers.items():
            if number is not None:
                words += [name, str(number)]
        return words or ["infinite"]


@dataclass(frozen=True)
class Option:
    """An option of an engine, as it describes it."""

    name: str
    type: str
    default: OptionValue = None
    min: int | None = None
    max: int | None = None
    var: tuple[str, ...] = ()

    def text(self, value: OptionValue) -> str:
        """Returns the value as the protocol writes it.

        Raises:
            EngineError: the option cannot have it.
        """
        if value is None:
            value = self.default
        if self.type == "check":
            if isinstance(value, bool) or value in ("true", "false"):
                return str(value).lower()
            raise EngineError(f"option {self.name}: expected True or False, found {value!r}")
        if self.type == "spin":
            try:
                number = int(value)  # type: ignore[arg-type]
            except (TypeError, ValueError):
                raise EngineError(f"option {self.name}: expected a number, found {value!r}") from None
            if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
                raise EngineError(f"option {self.name}: {number} is not in {self.min} to {self.max}")
            return str(number)
        text = "" if value is None else str(value)
        if any(character in text for character in "\r\n\0"):
            raise EngineError(f"option {self.name}: the value has a line break")
        return text or "<empty>"

    @classmethod
    def _parse(cls, text: str) -> Option | None:
        words = text.split()
        keys = ("name", "type", "default", "min", "max", "var")
        found: dict[str, list[list[str]]] = {}
        current: list[str] = []
        for word in words:
            # A value may be a keyword, but not of `name`, which ends at `type`.
            if word in keys and not (word == "name" and "name" in found):
                current = []
                found.setdefault(word, []).append(current)
            else:
                current.append(word)
        if "name" not in found or "type" not in found:
            return None
        values = {key: [" ".join(value) for value in values] for key, values in found.items()}
        kind = values["type"][0]
        default: OptionValue = values["default"][0] if "default" in values else None
        number = {"min": None, "max": None} | {key: int(values[key][0]) for key in ("min", "max") if key in values}
        if kind == "check":
            default = default == "true"
        elif kind == "spin" and isinstance(default, str):
            default = int(default)
        elif kind == "string" and default == "<empty>":
            default = ""
        return cls(values["name"][0], kind, default, number["min"], number["max"], tuple(values.get("var", ())))


@dataclass(frozen=True)
class Info:
    """What an engine says about a line of play. Values are for the player to move.

    Attributes:
        depth, seldepth: the depth in plies, and the largest one.
        multipv: the rank of the line, from 1.
        score: points on the scale of `winrate`; `None` if there is a `mate`.
        mate: the plies to the end, negative for a loss.
        bound: `lower` or `upper` if the score is only a bound.
        nodes, nps, time, hashfull: effort; the time is in seconds, `hashfull` in permille.
        pv: the principal variation.
        ponder: the reply that the engine expects.
        string: a text.
    """

    depth: int | None = None
    seldepth: int | None = None
    multipv: int = 1
    score: int | None = None
    mate: int | None = None
    bound: str | None = None
    nodes: int | None = None
    nps: int | None = None
    time: float | None = None
    hashfull: int | None = None
    pv: tuple[str, ...] = ()
    ponder: str | None = None
    string: str | None = None

    @property
    def winrate(self) -> float | None:
        """The probability to win, where a draw is half a win; exact if `mate` is set and is no bound."""
        if self.mate is not None:
            return 1.0 if self.mate > 0 else 0.0
        return None if self.score is None else 1 / (1 + math.exp(-self.score / 400))


def _parse_info(text: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    text, _, string = text.partition(" string ") if " string " in text else (text, "", "")
    if string:
        fields["string"] = string
    words = deque(text.split()[1:])
    while words:
        word = words.popleft()
        try:
            if word in ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull"):
                fields[word] = int(words.popleft())
            elif word == "time":
                fields[word] = int(words.popleft()) / 1000
            elif word == "score":
                kind, value = words.popleft(), int(words.popleft())
                fields.update(score=value if kind == "cp" else None, mate=value if kind == "mate" else None)
                fields["bound"] = None
            elif word in ("lowerbound", "upperbound"):
                fields["bound"] = word.removesuffix("bound")
            elif word == "ponder":
                fields["ponder"] = words.popleft()
            elif word == "pv":
                fields["pv"] = tuple(words)
                break
        except (IndexError, ValueError):
            continue
    return fields


@dataclass(frozen=True)
class PlayResult:
    """A move of an engine: `None` if it has none, the reply that it expects, and its last line."""

    move: str | None
    ponder: str | None
    info: Info


class _Search:
    """A search that the engine was asked for and has not completed."""

    def __init__(self, engine: UgiEngine) -> None:
        self._engine = engine
        self.lines: dict[int, Info] = {}
        # A reader that is slower than the engine loses the oldest reports.
        self.reports: deque[Info] = deque(maxlen=4096)
        self.changed = asyncio.Event()
        self.best: asyncio.Future[PlayResult] = asyncio.get_running_loop().create_future()
        # An error of a search that nobody waits for is not reported.
        self.best.add_done_callback(lambda best: best.cancelled() or best.exception())
        self._stopped = False

    def stop(self) -> None:
        if not self._stopped and not self.best.done():
            self._stopped = True
            try:
                self._engine._process.send(["stop"])
            except EngineTerminatedError:
                pass  # The reader reports it.

    def deliver(self, line: str) -> None:
        if line.startswith("bestmove"):
            words = line.split()
            none = len(words) < 2 or words[1] in ("none", "(none)", "0000")
            first = self.lines.get(1, Info())
            ponder = words[3] if len(words) > 3 and words[2] == "ponder" else first.ponder
            self.finish(PlayResult(None if none else words[1], ponder, first))
        elif line.startswith("info string error:"):
            self.finish(EngineError(line.removeprefix("info string error:").strip()))
        else:
            fields = _parse_info(line)
            rank = fields.get("multipv", 1)
            if "pv" in fields:
                fields.setdefault("ponder", None)
            self.lines[rank] = replace(self.lines.get(rank, Info()), **fields)
            self.reports.append(self.lines[rank])
            self.changed.set()

    def finish(self, result: PlayResult | Exception) -> None:
        if not self.best.done():
            if isinstance(result, Exception):
                self.best.set_exception(result)
            else:
                self.best.set_result(result)
        self.changed.set()


class AnalysisResult:
    """A running analysis; iterate over it to read the reports of the engine.

    async with await engine.analysis(game) as analysis:
        async for info in analysis:
            if info.depth and info.depth > 12:
                break
    """

    def __init__(self, search: _Search) -> None:
        self._search = search

    @property
    def multipv(self) -> list[Info]:
        """The last report of each line, the best one first."""
        return [info for _, info in sorted(self._search.lines.items())]

    @property
    def info(self) -> Info:
        """The last report of the best line."""
        return self._search.lines.get(1, Info())

    def stop(self) -> None:
        """Stops the search; the reports up to its end follow."""
        self._search.stop()

    async def wait(self) -> PlayResult:
        """Waits for the end of the search."""
        return await asyncio.shield(self._search.best)

    async def get(self) -> Info | None:
        """Returns the next report; `None` at the end of the search."""
        search = self._search
        while not search.reports:
            if search.best.done():
                search.best.result()
                return None
            search.changed.clear()
            await search.changed.wait()
        return search.reports.popleft()

    async def __aiter__(self) -> AsyncIterator[Info]:
        while (info := await self.get()) is not None:
            yield info

    async def __aenter__(self) -> AnalysisResult:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stop()


class UgiEngine:
    """A process of an engine that speaks UGI.

        async with await UgiEngine.popen_ugi() as engine:
            result = await engine.play(Game("gomoku"), Limit(time=0.1))

    One search runs at a time: a new one stops the one before. A canceled task stops its search.

    Attributes:
        name, author: what the engine says about itself.
        options: its options.
    """

    def __init__(self, process: Process, timeout: float | None) -> None:
        self._process = process
        self._timeout = timeout
        self.name = ""
        self.author = ""
        self.options: dict[str, Option] = {}
        self._configured: dict[str, OptionValue] = {}
        self._sent: dict[str, str] = {}
        self._game_id: object = self
        self._commands = asyncio.Lock()
        self._search: _Search | None = None
        self._answers: list[str] = []
        self._waiting: deque[tuple[str, asyncio.Future[list[str]]]] = deque()
        self._failure: EngineTerminatedError | None = None
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def popen_ugi(
        cls,
        command: Command | None = None,
        *,
        timeout: float | None = 10.0,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> UgiEngine:
        """Starts an engine.

        Args:
            command: the program and its arguments; `pentarch ugi` by default.
            timeout: seconds for each answer except that of a search, which has its limit in addition.
            cwd, env: as in `subprocess`.

        Raises:
            EngineError: it does not answer as UGI requires.
        """
        engine = cls(await Process.start(command_line(command, ["ugi"]), cwd, env), timeout)
        try:
            for line in await engine._send(["ugi"], "ugiok"):
                kind, _, text = line.partition(" ")
                if line.startswith("id name "):
                    engine.name = line.removeprefix("id name ")
                elif line.startswith("id author "):
                    engine.author = line.removeprefix("id author ")
                elif kind == "option" and (option := Option._parse(text)):
                    engine.options[option.name] = option
        except BaseException:
            await engine.close()
            raise
        return engine

    @property
    def returncode(self) -> int | None:
        """The exit code of the process, `None` while it runs."""
        return self._process.returncode

    async def ping(self) -> None:
        """Waits until the engine has answered the commands before. It may be searching."""
        await self._send([], "readyok")

    async def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Sets options, which stay set.

        Raises:
            EngineError: there is no such option, it cannot have the value, or the client sets it itself.
        """
        for name in options:
            if name in MANAGED_OPTIONS:
                raise EngineError(f"option {name} is set by the client itself")
            self._option(name).text(options[name])
        async with self._commands:
            await self._idle()
            before = dict(self._configured)
            self._configured.update(options)
            try:
                await self._checked(self._option_lines({}))
            except BaseException:
                self._configured = before
                raise

    async def play(
        self,
        position: Position,
        limit: Limit,
        *,
        game_id: object = None,
        root_moves: Sequence[str] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> PlayResult:
        """Searches a move.

        Args:
            position: the position.
            limit: when the search ends.
            game_id: tells games apart: a new one makes the engine forget the one before.
            root_moves: the only moves to search.
            options: options for this search only.
        """
        search = await self._go(position, limit, game_id, root_moves, options or {})
        return await self._finish(search, limit)

    @overload
    async def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        multipv: None = None,
        game_id: object = None,
        root_moves: Sequence[str] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> Info: ...

    @overload
    async def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        multipv: int,
        game_id: object = None,
        root_moves: Sequence[str] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> list[Info]: ...

    async def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        multipv: int | None = None,
        game_id: object = None,
        root_moves: Sequence[str] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> Info | list[Info]:
        """Analyzes a position. With `multipv` returns a list of that many lines, the best one first."""
        more = {**(options or {}), **({} if multipv is None else {"MultiPV": multipv})}
        search = await self._go(position, limit, game_id, root_moves, more)
        await self._finish(search, limit)
        result = AnalysisResult(search)
        return result.info if multipv is None else result.multipv

    async def analysis(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game_id: object = None,
        root_moves: Sequence[str] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> AnalysisResult:
        """Starts an analysis, which without a limit runs until it is stopped."""
        more = {**(options or {}), **({} if multipv is None else {"MultiPV": multipv})}
        return AnalysisResult(await self._go(position, limit or Limit(), game_id, root_moves, more))

    async def quit(self) -> None:
        """Asks the engine to end, and waits for it."""
        try:
            self._process.send(["quit"])
        except EngineTerminatedError:
            pass
        await self.close()

    async def close(self) -> None:
        """Ends the process."""
        await self._process.close(timeout=5)
        await self._reader

    async def __aenter__(self) -> UgiEngine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.quit()

    def _option(self, name: str) -> Option:
        if name not in self.options:
            raise EngineError(f"{self.name or 'the engine'} has no option {name}")
        return self.options[name]

    def _option_lines(self, options: Mapping[str, OptionValue]) -> list[str]:
        """Returns the lines that set the configured options and these, and reset those of the search before."""
        wanted = {**self._configured, **options}
        lines = []
        for name in [*self._sent, *(name for name in wanted if name not in self._sent)]:
            if name == "UCI_Variant":
                continue
            text = self._option(name).text(wanted.get(name))
            if self._sent.get(name) != text:
                lines.append(f"setoption name {name} value {text}")
                self._sent[name] = text
        return lines

    async def _go(
        self,
        position: Position,
        limit: Limit,
        game_id: object,
        root_moves: Sequence[str] | None,
        options: Mapping[str, OptionValue],
    ) -> _Search:
        async with self._commands:
            await self._idle()
            lines = self._option_lines(options)
            if self._sent.get("UCI_Variant") != position.rules:
                # An engine of one game need not have the option.
                lines.append(f"setoption name UCI_Variant value {position.rules}")
                self._sent.pop("UCI_Variant", None)
            if game_id is not self._game_id and (game_id is not None or self._game_id is self):
                lines.append("uginewgame")
            start = f"fen {position.start}" if position.start else "startpos"
            moves = ["moves", *position.moves] if position.moves else []
            lines.append(" ".join(["position", start, *moves]))
            await self._checked(lines)
            self._sent["UCI_Variant"] = position.rules
            self._game_id = game_id
            search = _Search(self)
            words = ["go", *limit._words()]
            if root_moves is not None:
                words += ["searchmoves", *root_moves]
            self._search = search
            try:
                self._process.send([" ".join(words)])
            except EngineTerminatedError:
                self._search = None
                raise self._failure or self._process.terminated() from None
        return search

    async def _finish(self, search: _Search, limit: Limit) -> PlayResult:
        timeout = None
        if limit.time is not None and self._timeout is not None:
            timeout = limit.time + self._timeout
        try:
            return await asyncio.wait_for(asyncio.shield(search.best), timeout)
        except asyncio.TimeoutError:
            search.stop()
            raise EngineTimeoutError(f"{self.name} did not move within {timeout:g} seconds") from None
        except asyncio.CancelledError:
            search.stop()
            raise

    async def _idle(self) -> None:
        """Stops the search that runs, and waits for its end."""
        search = self._search
        if search is None:
            return
        search.stop()
        done, _ = await asyncio.wait([search.best], timeout=self._timeout)
        if not done:
            raise EngineTimeoutError(f"{self.name} does not stop")
        self._search = None

    async def _checked(self, lines: Sequence[str]) -> None:
        """Sends commands that have no answer except errors."""
        for line in await self._send(lines, "readyok"):
            if line.startswith("info string error:"):
                # What the engine has accepted is unknown now.
                self._sent.pop("UCI_Variant", None)
                raise EngineError(line.removeprefix("info string error:").strip())

    async def _send(self, lines: Sequence[str], end: str) -> list[str]:
        """Sends commands and returns the lines up to `end`."""
        if self._failure is not None:
            raise self._failure
        if any("\n" in line or "\r" in line for line in lines):
            raise EngineError("a command has a line break")
        answer: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()
        self._process.send([*lines, *(["isready"] if end == "readyok" else [])])
        self._waiting.append((end, answer))
        await self._process.drain()
        try:
            return await asyncio.wait_for(answer, self._timeout)
        except asyncio.TimeoutError:
            raise EngineTimeoutError(
                f"{self.name or 'the engine'} did not answer within {self._timeout:g} seconds"
            ) from None

    async def _read(self) -> None:
        try:
            self._failure = await self._process.read(self._deliver)
        except Exception as error:
            self._failure = EngineTerminatedError(f"unexpected answer: {error!r}")
            self._process.kill()
        for _, answer in self._waiting:
            if not answer.done():
                answer.set_exception(self._failure)
        self._waiting.clear()
        if self._search is not None:
            self._search.finish(self._failure)

    def _deliver(self, lines: Sequence[bytes]) -> None:
        for raw in lines:
            line = raw.decode("utf-8", "replace").strip()
            if self._waiting and line == self._waiting[0][0]:
                _, answer = self._waiting.popleft()
                answers, self._answers = self._answers, []
                if not answer.done():
                    answer.set_result(answers)
            elif self._search is not None and not self._search.best.done():
                if line.startswith(("info ", "bestmove")):
                    self._search.deliver(line)
            elif self._waiting:
                self._answers.append(line)


class SimpleAnalysisResult:
    """A running analysis; iterate over it to read the reports of the engine.

    with engine.analysis(game) as analysis:
        for info in analysis:
            if info.depth and info.depth > 12:
                break
    """

    def __init__(self, result: AnalysisResult, loop: LoopThread) -> None:
        self._result = result
        self._loop = loop

    @property
    def multipv(self) -> list[Info]:
        """The last report of each line, the best one first."""
        return self._result.multipv

    @property
    def info(self) -> Info:
        """The last report of the best line."""
        return self._result.info

    def stop(self) -> None:
        """Stops the search; the reports up to its end follow."""
        self._loop.post(self._result.stop)

    def wait(self) -> PlayResult:
        """Waits for the end of the search."""
        return self._loop.run(self._result.wait())

    def get(self) -> Info | None:
        """Returns the next report; `None` at the end of the search."""
        return self._loop.run(self._result.get())

    def __iter__(self) -> Iterator[Info]:
        while (info := self.get()) is not None:
            yield info

    def __enter__(self) -> SimpleAnalysisResult:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class SimpleEngine:
    """A process of an engine that speaks UGI, for programs without asyncio.

        with SimpleEngine.popen_ugi() as engine:
            result = engine.play(Game("gomoku"), Limit(time=0.1))

    The methods are those of `UgiEngine`.
    """

    def __init__(self, engine: UgiEngine, loop: LoopThread) -> None:
        self._engine = engine
        self._loop = loop

    @classmethod
    def popen_ugi(
        cls,
        command: Command | None = None,
        *,
        timeout: float | None = 10.0,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> SimpleEngine:
        """Starts an engine, as `UgiEngine.popen_ugi`."""
        loop = LoopThread("UGI engine")
        try:
            return cls(loop.run(UgiEngine.popen_ugi(command, timeout=timeout, cwd=cwd, env=env)), loop)
        except BaseException:
            loop.close()
            raise

    @property
    def name(self) -> str:
        return self._engine.name

    @property
    def author(self) -> str:
        return self._engine.author

    @property
    def options(self) -> Mapping[str, Option]:
        return self._engine.options

    @property
    def returncode(self) -> int | None:
        return self._engine.returncode

    def ping(self) -> None:
        self._loop.run(self._engine.ping())

    def configure(self, options: Mapping[str, OptionValue]) -> None:
        self._loop.run(self._engine.configure(options))

    def play(
        self,
        position: Position,
        limit: Limit,
        *,
        game_id: object = None,
        root_moves: Sequence[str] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> PlayResult:
        return self._loop.run(
            self._engine.play(position, limit, game_id=game_id, root_moves=root_moves, options=options)
        )

    @overload
    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        multipv: None = None,
        game_id: object = None,
        root_moves: Sequence[str] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> Info: ...

    @overload
    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        multipv: int,
        game_id: object = None,
        root_moves: Sequence[str] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> list[Info]: ...

    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        multipv: int | None = None,
        game_id: object = None,
        root_moves: Sequence[str] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> Info | list[Info]:
        analyse: Callable[..., Coroutine[Any, Any, Info | list[Info]]] = self._engine.analyse
        return self._loop.run(
            analyse(position, limit, multipv=multipv, game_id=game_id, root_moves=root_moves, options=options)
        )

    def analysis(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game_id: object = None,
        root_moves: Sequence[str] | None = None,
        options: Mapping[str, OptionValue] | None = None,
    ) -> SimpleAnalysisResult:
        result = self._loop.run(
            self._engine.analysis(
                position, limit, multipv=multipv, game_id=game_id, root_moves=root_moves, options=options
            )
        )
        return SimpleAnalysisResult(result, self._loop)

    def quit(self) -> None:
        try:
            self._loop.run(self._engine.quit())
        except EngineTerminatedError:
            return  # Another call has closed it.
        self._loop.close()

    def close(self) -> None:
        try:
            self._loop.run(self._engine.close())
        except EngineTerminatedError:
            return  # Another call has closed it.
        self._loop.close()

    def __enter__(self) -> SimpleEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.quit()
