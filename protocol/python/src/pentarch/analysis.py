"""Analysis of many positions by `pentarch analyze`: `AsyncAnalyzer` for asyncio, `Analyzer` without it."""

from __future__ import annotations

import asyncio
import itertools
import json
import time as clock
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, Union

from ._process import (
    Command,
    EngineError,
    EngineTerminatedError,
    LoopThread,
    PentarchError,
    Process,
    command_line,
)
from .game import Game, Outcome, Threat

#: Called with the number of completed positions and of all, which is `None` if it is not known.
Progress = Callable[[int, Union[int, None]], None]


class AnalysisError(PentarchError):
    """A query was refused.

    Attributes:
        query: the query.
        field: the field of the protocol that is wrong, if it is known.
        turn: the turn that failed, if it is only one.
    """

    def __init__(self, query: Query, message: str, field: str | None = None, turn: int | None = None) -> None:
        super().__init__(message)
        self.query = query
        self.field = field
        self.turn = turn
        self._positions = 1


@dataclass(frozen=True)
class Query:
    """What to analyze. Each limit applies to each position; without one it is 10,000 nodes.

    Attributes:
        moves: the moves of the game, a list or a text with blanks between them.
        rules: the game, `NAME[+modifier...]`.
        start: the position text before the moves, if it is not the start of the game.
        turns: the positions to analyze: 0 is the one before the first move. The default is the last one.
        nodes, time, depth: limits, the time in seconds.
        mate: ends as soon as a win within this number of plies is found.
        multipv: the number of best moves.
        allow_moves, avoid_moves: the only moves to search, or moves not to search.
        priority: queries with a higher number are answered first.
        report_every: seconds between reports during the search; see `on_update` of the analyzers.
        board, picture, threats: adds the board as text, as SVG, or its threats to the result.
        tag: anything; the client does not use it.
    """

    moves: Sequence[str] | str = ()
    rules: str = "pente"
    start: str | None = None
    turns: Iterable[int] | None = None
    nodes: int | None = None
    time: float | None = None
    depth: int | None = None
    mate: int | None = None
    multipv: int = 1
    allow_moves: Sequence[str] = ()
    avoid_moves: Sequence[str] = ()
    priority: int = 0
    report_every: float | None = None
    board: bool = False
    picture: bool = False
    threats: bool = False
    tag: Any = field(default=None, compare=False)

    def __post_init__(self) -> None:
        moves = self.moves.split() if isinstance(self.moves, str) else self.moves
        object.__setattr__(self, "moves", tuple(moves))
        if self.turns is not None:
            object.__setattr__(self, "turns", tuple(dict.fromkeys(self.turns)))

    def positions(self) -> tuple[int, ...]:
        """Returns the turns that are analyzed."""
        return (len(self.moves),) if self.turns is None else tuple(self.turns)

    def to_json(self) -> dict[str, Any]:
        """Returns the query of the protocol, without an id."""
        query: dict[str, Any] = {"rules": self.rules, "moves": self.moves}
        optional = {
            "initialPosition": self.start,
            "analyzeTurns": self.turns,
            "maxNodes": self.nodes,
            "maxTime": self.time,
            "maxDepth": self.depth,
            "mate": self.mate,
            "reportDuringSearchEvery": self.report_every,
        }
        query.update((name, value) for name, value in optional.items() if value is not None)
        flags = {
            "allowMoves": tuple(self.allow_moves),
            "avoidMoves": tuple(self.avoid_moves),
            "priority": self.priority,
            "includeBoard": self.board,
            "includePicture": self.picture,
            "includeThreats": self.threats,
        }
        query.update((name, value) for name, value in flags.items() if value)
        if self.multipv != 1:
            query["multiPV"] = self.multipv
        return query


@dataclass(frozen=True)
class MoveInfo:
    """One of the best moves of a position, with its value for the player who makes it.

    Attributes:
        move: the move.
        order: its rank, from 0.
        score: points on the scale of `winrate`; `None` if another engine sent no value.
        winrate: the probability to win, where a draw is half a win; 1 and 0 are proved.
        mate: the plies to the end if it is decided, negative for a loss.
        bound: the relation of the score to the true one: `exact`, `lower` or `upper`.
        nodes: nodes spent on the move.
        depth: depth in plies.
        pv: the principal variation, which starts with the move.
    """

    move: str
    order: int
    score: int | None
    winrate: float | None
    mate: int | None
    bound: str | None
    nodes: int | None
    depth: int | None
    pv: tuple[str, ...]


@dataclass(frozen=True)
class Analysis:
    """The result for one position of a query. Values are for the player to move.

    Attributes:
        query: the query, unchanged.
        turn: the number of moves before the position.
        seat, side, color: who moves, each from 1.
        score, winrate, mate, bound, nodes, depth: as in `MoveInfo`.
        captures: the captured stones that count for each color.
        outcome: how the game ended, if it has.
        moves: the best moves, the best one first.
        is_final: false if another result for the same position follows.
        is_empty: the position was canceled before there was a result.
        board, picture, threats: if the query requested them.
        warnings: what the engine says about the query.
    """

    query: Query
    turn: int
    seat: int | None = None
    side: int | None = None
    color: int | None = None
    score: int | None = None
    winrate: float | None = None
    mate: int | None = None
    bound: str | None = None
    nodes: int | None = None
    depth: int | None = None
    captures: tuple[int, ...] = ()
    outcome: Outcome | None = None
    moves: tuple[MoveInfo, ...] = ()
    is_final: bool = True
    is_empty: bool = False
    board: str | None = None
    picture: str | None = None
    threats: tuple[Threat, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def best(self) -> str | None:
        """The best move; `None` if the game has ended."""
        return self.moves[0].move if self.moves else None

    def game(self) -> Game:
        """Returns the position."""
        return Game(self.query.rules, self.query.moves[: self.turn], start=self.query.start)

    def _repr_svg_(self) -> str:
        return self.picture or self.game().svg()

    @classmethod
    def _parse(cls, query: Query, answer: Mapping[str, Any], warnings: tuple[str, ...]) -> Analysis:
        turn = answer["turnNumber"]
        if answer.get("noResults"):
            return cls(query, turn, is_empty=True, warnings=warnings)
        root = answer["rootInfo"]
        outcome = root.get("outcome")
        return cls(
            query,
            turn,
            root.get("seat"),
            root.get("side"),
            root.get("color"),
            root.get("score"),
            root.get("winrate"),
            root.get("mate"),
            root.get("bound"),
            root.get("nodes"),
            root.get("depth"),
            tuple(root.get("captures") or ()),
            Outcome(outcome["result"], outcome.get("reason")) if outcome else None,
            tuple(
                [
                    MoveInfo(
                        info["move"],
                        info["order"],
                        info.get("score"),
                        info.get("winrate"),
                        info.get("mate"),
                        info.get("bound"),
                        info.get("nodes"),
                        info.get("depth"),
                        tuple(info.get("pv") or ()),
                    )
                    for info in answer["moveInfos"]
                ]
            ),
            not answer["isDuringSearch"],
            False,
            answer.get("board"),
            answer.get("picture"),
            tuple(
                Threat(threat["color"], threat["call"], tuple(threat["stones"]))
                for threat in answer.get("threats") or ()
            ),
            warnings,
        )


@dataclass
class _Job:
    """A query that the engine has. `slots` has the place of each open turn in the order of the batch."""

    query: Query
    batch: _Batch
    slots: dict[int, int]
    warnings: tuple[str, ...] = ()


_Result = Union[Analysis, AnalysisError]


class _Batch:
    """Queries whose results go to one reader. Lives on the event loop of the analyzer."""

    def __init__(
        self,
        analyzer: AsyncAnalyzer,
        max_pending: int,
        ordered: bool = False,
        on_update: Callable[[Analysis], None] | None = None,
    ) -> None:
        self._analyzer = analyzer
        self._max_pending = max_pending
        self._ordered = ordered
        self.on_update = on_update
        #: Positions that were submitted and not yet taken.
        self.pending = 0
        self._submitted = 0
        self._next = 0
        self._held: dict[int, _Result | None] = {}
        self._ready: deque[_Result] = deque()
        self._wake = asyncio.Event()
        self._taken = asyncio.Event()
        self.failure: Exception | None = None

    @property
    def room(self) -> int:
        """The number of positions that may be submitted now."""
        return self._max_pending - self.pending

    def submit(self, queries: Iterable[Query]) -> None:
        jobs = []
        for query in queries:
            slots = {}
            for turn in query.positions():
                slots[turn] = self._submitted
                self._submitted += 1
            if slots:
                jobs.append(_Job(query, self, slots))
                self.pending += len(slots)
        self._analyzer._submit(jobs)

    async def wait_for_room(self) -> None:
        while self.room <= 0:
            self._taken.clear()
            await self._taken.wait()

    async def take(self, wait: bool = True) -> list[_Result]:
        """Returns the results that are ready, at least one if `wait` is set; none if nothing is pending."""
        while not self._ready:
            if self.failure is not None:
                raise self.failure
            if not wait or not self.pending:
                break
            self._wake.clear()
            await self._wake.wait()
        ready = list(self._ready)
        self._ready.clear()
        self.pending -= len(ready)
        self._taken.set()
        return ready

    async def exchange(self, queries: Sequence[Query], wait: bool) -> list[_Result]:
        self.submit(queries)
        await self._analyzer._process.drain()
        return await self.take(wait)

    def wake(self) -> None:
        self._wake.set()

    def put(self, slot: int, result: _Result | None) -> None:
        """Adds the result of a slot; `None` if the error of its query has taken another slot."""
        if not self._ordered:
            self._put_next(result)
        else:
            self._held[slot] = result
            while self._next in self._held:
                self._put_next(self._held.pop(self._next))
                self._next += 1
        self._wake.set()

    def _put_next(self, result: _Result | None) -> None:
        if result is None:
            self.pending -= 1
            self._taken.set()
        else:
            self._ready.append(result)

    def cancel(self) -> None:
        self._analyzer._cancel(self)


class AsyncAnalyzer:
    """A process of `pentarch analyze`.

        async with await AsyncAnalyzer.start(workers=4) as analyzer:
            async for analysis in analyzer.analyze_many(queries):
                print(analysis.best, analysis.winrate)

    Queries of several tasks may run at the same time. With a limit of nodes the results do not depend on that.
    A canceled task cancels its queries in the engine.
    """

    def __init__(self, process: Process, workers: int | None) -> None:
        self._process = process
        self._max_pending = 256 if workers is None else max(256, 8 * workers)
        self._jobs: dict[str, _Job] = {}
        self._actions: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._ids = itertools.count(1)
        self._failure: Exception | None = None
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def start(
        cls,
        *,
        workers: int | None = None,
        hash: int | None = None,
        engine: str | None = None,
        patience: float | None = None,
        command: Command | None = None,
    ) -> AsyncAnalyzer:
        """Starts the process.

        Args:
            workers: the number of positions to analyze concurrently; one per processor by default.
            hash: the size of the hash tables of all searches together in MiB.
            engine: another engine, in the form of `pentarch match --engine`.
            patience: seconds without an answer after which another engine hangs.
            command: the complete command, instead of all of these.
        """
        options = {"workers": workers, "hash": hash, "engine": engine, "patience": patience}
        arguments = [f"--{name}={value}" for name, value in options.items() if value is not None]
        process = await Process.start(command_line(command, ["analyze", *arguments]))
        return cls(process, workers)

    async def analyze(self, query: Query, *, on_update: Callable[[Analysis], None] | None = None) -> Analysis:
        """Analyzes one position.

        Args:
            query: a query of one turn.
            on_update: called with each report during the search, if `query.report_every` is set.

        Raises:
            AnalysisError: the query was refused.
        """
        results = await self.analyze_turns(query, on_update=on_update)
        if len(results) != 1:
            raise ValueError(f"the query has {len(results)} turns; use `analyze_turns`")
        return results[0]

    async def analyze_turns(
        self, query: Query, *, on_update: Callable[[Analysis], None] | None = None
    ) -> list[Analysis]:
        """Analyzes every turn of a query; returns the results in the order of `query.turns`."""
        batch = _Batch(self, max_pending=1 << 30, ordered=True, on_update=on_update)
        results: list[Analysis] = []
        try:
            batch.submit([query])
            await self._process.drain()
            while batch.pending:
                for result in await batch.take():
                    if isinstance(result, AnalysisError):
                        raise result
                    results.append(result)
        finally:
            batch.cancel()
        return results

    async def analyze_many(
        self,
        queries: Iterable[Query] | AsyncIterable[Query],
        *,
        ordered: bool = False,
        max_pending: int | None = None,
        progress: Progress | None = None,
        on_update: Callable[[Analysis], None] | None = None,
        on_error: Callable[[AnalysisError], None] | None = None,
    ) -> AsyncIterator[Analysis]:
        """Analyzes any number of queries, and yields the results as soon as they are ready.

        Queries are taken from the iterable only as results are taken from here, so that neither has to be in
        memory. When the iteration ends early, the queries that are not completed are canceled.

        Args:
            queries: the queries.
            ordered: yields the results in the order of the queries.
            max_pending: the number of positions that the engine has at a time.
            progress: called after each result.
            on_update: called with each report during a search.
            on_error: called for each query that is refused, instead of raising the error.
        """
        batch = _Batch(self, max_pending or self._max_pending, ordered, on_update)
        feeder = asyncio.ensure_future(self._feed(batch, queries))
        feeder.add_done_callback(lambda _: batch.wake())
        count = _Count(queries, progress, on_error)
        try:
            while not feeder.done() or batch.pending:
                if feeder.done():
                    feeder.result()
                if batch.pending == 0:
                    # Nothing is ready before the next query.
                    batch._wake.clear()
                    await batch._wake.wait()
                    continue
                for analysis in count.done(await batch.take()):
                    yield analysis
            feeder.result()
        finally:
            feeder.cancel()
            batch.cancel()

    async def _feed(self, batch: _Batch, queries: Iterable[Query] | AsyncIterable[Query]) -> None:
        if isinstance(queries, AsyncIterable):
            async for query in queries:
                await batch.wait_for_room()
                batch.submit([query])
                batch.wake()
                await self._process.drain()
            return
        iterator = iter(queries)
        while True:
            await batch.wait_for_room()
            if not (chunk := _take(iterator, min(batch.room, 32))):
                return
            batch.submit(chunk)
            batch.wake()
            await self._process.drain()
            await asyncio.sleep(0)

    async def version(self) -> str:
        """Returns the version of the engine."""
        return str((await self._action("query_version"))["version"])

    async def clear_cache(self) -> None:
        """Frees the memory of idle workers."""
        await self._action("clear_cache")

    async def close(self) -> None:
        """Cancels all queries and ends the process."""
        for batch in {id(job.batch): job.batch for job in self._jobs.values()}.values():
            batch.failure = batch.failure or EngineError("the analyzer was closed")
            batch.wake()
            batch.cancel()
        await self._process.close(timeout=5)
        await self._reader

    async def __aenter__(self) -> AsyncAnalyzer:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _submit(self, jobs: Iterable[_Job]) -> None:
        if self._failure is not None:
            raise self._failure
        lines = []
        for job in jobs:
            name = str(next(self._ids))
            self._jobs[name] = job
            lines.append(json.dumps({"id": name, **job.query.to_json()}))
        self._process.send(lines)

    def _cancel(self, batch: _Batch) -> None:
        names = [name for name, job in self._jobs.items() if job.batch is batch]
        lines = []
        for name in names:
            del self._jobs[name]
            action = {"id": f"end-{name}", "action": "terminate", "terminateId": name}
            lines.append(json.dumps(action))
        if lines:
            try:
                self._process.send(lines)
            except EngineError:
                pass  # It has ended, and its queries with it.

    async def _action(self, action: str) -> dict[str, Any]:
        name = f"{action}-{next(self._ids)}"
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._actions[name] = future
        try:
            self._process.send([json.dumps({"id": name, "action": action})])
            return await future
        finally:
            del self._actions[name]

    async def _read(self) -> None:
        try:
            self._failure = await self._process.read(self._deliver)
        except Exception as error:
            self._failure = error
            self._process.kill()
        for job in self._jobs.values():
            job.batch.failure = self._failure
            job.batch.wake()
        self._jobs.clear()
        for future in self._actions.values():
            if not future.done():
                future.set_exception(self._failure)

    def _deliver(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            if not line:
                continue
            try:
                answer = json.loads(line)
                self._answer(answer)
            except (ValueError, KeyError, TypeError) as error:
                raise EngineError(f"unexpected answer {line[:200]!r}: {error!r}") from error

    def _answer(self, answer: Mapping[str, Any]) -> None:
        name = answer.get("id", "")
        job = self._jobs.get(name)
        if job is None:
            future = self._actions.get(name)
            if future is not None and not future.done():
                if "error" in answer:
                    future.set_exception(EngineError(answer["error"]))
                else:
                    future.set_result(dict(answer))
            return  # Another answer is of a query that was canceled.
        if "error" in answer:
            self._refuse(name, job, answer)
        elif "warning" in answer and "turnNumber" not in answer:
            job.warnings += (answer["warning"],)
        elif "rootInfo" in answer or "noResults" in answer:
            analysis = Analysis._parse(job.query, answer, job.warnings)
            if not analysis.is_final:
                if job.batch.on_update is not None:
                    job.batch.on_update(analysis)
                return
            slot = job.slots.pop(analysis.turn)
            if not job.slots:
                del self._jobs[name]
            job.batch.put(slot, analysis)

    def _refuse(self, name: str, job: _Job, answer: Mapping[str, Any]) -> None:
        turn = answer.get("turnNumber")
        error = AnalysisError(job.query, answer["error"], answer.get("field"), turn)
        slots = [job.slots.pop(turn)] if turn in job.slots else list(job.slots.values())
        error._positions = len(slots)
        if turn is None or not job.slots:
            del self._jobs[name]
        for slot in slots:
            job.batch.put(slot, error if slot == slots[0] else None)


class Analyzer:
    """A process of `pentarch analyze`, for programs without asyncio.

        with Analyzer(workers=4) as analyzer:
            for analysis in analyzer.analyze_many(queries):
                print(analysis.best, analysis.winrate)

    Methods may be called by several threads at the same time. An interrupt cancels the queries.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        hash: int | None = None,
        engine: str | None = None,
        patience: float | None = None,
        command: Command | None = None,
    ) -> None:
        """Starts the process; the arguments are those of `AsyncAnalyzer.start`."""
        self._loop = LoopThread("pentarch analyze")
        try:
            self._analyzer = self._loop.run(
                AsyncAnalyzer.start(workers=workers, hash=hash, engine=engine, patience=patience, command=command)
            )
        except BaseException:
            self._loop.close()
            raise

    def analyze(self, query: Query, *, on_update: Callable[[Analysis], None] | None = None) -> Analysis:
        """Analyzes one position, as `AsyncAnalyzer.analyze`. `on_update` is called on another thread."""
        return self._loop.run(self._analyzer.analyze(query, on_update=on_update))

    def analyze_turns(
        self, query: Query, *, on_update: Callable[[Analysis], None] | None = None
    ) -> list[Analysis]:
        """Analyzes every turn of a query; returns the results in the order of `query.turns`."""
        return self._loop.run(self._analyzer.analyze_turns(query, on_update=on_update))

    def analyze_many(
        self,
        queries: Iterable[Query],
        *,
        ordered: bool = False,
        max_pending: int | None = None,
        progress: Progress | None = None,
        on_update: Callable[[Analysis], None] | None = None,
        on_error: Callable[[AnalysisError], None] | None = None,
    ) -> Iterator[Analysis]:
        """Analyzes any number of queries, and yields the results as soon as they are ready.

        The arguments are those of `AsyncAnalyzer.analyze_many`. The queries are taken on this thread, only as
        results are taken from here. Closing the iterator cancels the queries that are not completed.
        """

        async def new_batch() -> _Batch:
            return _Batch(self._analyzer, max_pending or self._analyzer._max_pending, ordered, on_update)

        batch = self._loop.run(new_batch())
        count = _Count(queries, progress, on_error)
        iterator = iter(queries)
        more = True
        try:
            while more or batch.pending:
                chunk: list[Query] = []
                wanted = min(batch.room, 32)
                if more and wanted > 0:
                    chunk = _take(iterator, wanted)
                    more = bool(chunk)
                wait = not more or batch.room <= sum(len(query.positions()) for query in chunk)
                yield from count.done(self._loop.run(batch.exchange(chunk, wait)))
        finally:
            self._loop.post(batch.cancel)

    def version(self) -> str:
        """Returns the version of the engine."""
        return self._loop.run(self._analyzer.version())

    def clear_cache(self) -> None:
        """Frees the memory of idle workers."""
        self._loop.run(self._analyzer.clear_cache())

    def close(self) -> None:
        """Cancels all queries and ends the process."""
        try:
            self._loop.run(self._analyzer.close())
        except EngineTerminatedError:
            return  # Another call has closed it.
        self._loop.close()

    def __enter__(self) -> Analyzer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Count:
    """Counts the completed positions of a batch for `progress`, and sorts out the errors."""

    def __init__(
        self,
        queries: object,
        progress: Progress | None,
        on_error: Callable[[AnalysisError], None] | None,
    ) -> None:
        self._progress = progress
        self._on_error = on_error
        self._completed = 0
        self._total: int | None = None
        if progress is not None and isinstance(queries, Sized) and isinstance(queries, Iterable):
            self._total = sum(len(query.positions()) for query in queries)

    def done(self, results: Iterable[_Result]) -> Iterator[Analysis]:
        for result in results:
            self._completed += result._positions if isinstance(result, AnalysisError) else 1
            if not isinstance(result, AnalysisError):
                yield result
            elif self._on_error is None:
                raise result
            else:
                self._on_error(result)
            if self._progress is not None:
                self._progress(self._completed, self._total)


def _take(iterator: Iterator[Query], count: int) -> list[Query]:
    """Takes up to `count` queries, fewer if they come slowly; none at the end."""
    deadline = clock.monotonic() + 0.02
    chunk: list[Query] = []
    for query in itertools.islice(iterator, count):
        chunk.append(query)
        if clock.monotonic() > deadline:
            break
    return chunk
