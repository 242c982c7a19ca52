import asyncio
import itertools
import json
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from pentarch import (
    Analysis,
    AnalysisError,
    Analyzer,
    AsyncAnalyzer,
    EngineError,
    EngineTerminatedError,
    Game,
    Query,
    find_binary,
)

WON = "b2 a1 b1 a3 b3"
TINY = "gomoku+size=3x3+line=3"


def query(number: int, nodes: int = 30) -> Query:
    columns = "abcdefghijklmno"
    return Query([f"{columns[number % 15]}{number // 15 % 15 + 1}"], "gomoku", nodes=nodes, tag=number)


class Queries(unittest.TestCase):
    def test_a_query_is_that_of_the_protocol(self) -> None:
        self.assertEqual(Query("a1 b2", "gomoku").to_json(), {"rules": "gomoku", "moves": ("a1", "b2")})
        query = Query(
            ["a1"],
            "gomoku",
            "15/15 b - - 1",
            range(2),
            10,
            0.5,
            3,
            5,
            2,
            ["c1"],
            ["c2"],
            7,
            0.1,
            True,
            True,
            True,
        )
        self.assertEqual(
            json.loads(json.dumps(query.to_json())),
            {
                "rules": "gomoku",
                "moves": ["a1"],
                "initialPosition": "15/15 b - - 1",
                "analyzeTurns": [0, 1],
                "maxNodes": 10,
                "maxTime": 0.5,
                "maxDepth": 3,
                "mate": 5,
                "multiPV": 2,
                "allowMoves": ["c1"],
                "avoidMoves": ["c2"],
                "priority": 7,
                "reportDuringSearchEvery": 0.1,
                "includeBoard": True,
                "includePicture": True,
                "includeThreats": True,
            },
        )


class Blocking(unittest.TestCase):
    analyzer: Analyzer

    @classmethod
    def setUpClass(cls) -> None:
        cls.analyzer = Analyzer(workers=2)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.analyzer.close()

    def test_a_result_has_every_field(self) -> None:
        asked = Query(
            "j10 k10 j11 k11 j12", multipv=3, nodes=2000, board=True, picture=True, threats=True, tag="mine"
        )
        result = self.analyzer.analyze(asked)
        self.assertIs(result.query, asked)
        self.assertEqual((result.turn, result.seat, result.side, result.color), (5, 2, 2, 2))
        self.assertEqual(result.captures, (0, 0))
        self.assertIsNone(result.outcome)
        self.assertEqual([move.order for move in result.moves], [0, 1, 2])
        self.assertEqual(result.best, result.moves[0].pv[0])
        self.assertEqual(result.winrate, result.moves[0].winrate)
        assert result.nodes is not None and result.board is not None
        self.assertLessEqual(result.nodes, 2020)
        self.assertIn("W", result.board)
        self.assertEqual(result.threats[0].color, 1)
        self.assertIn("j10", result.threats[0].stones)
        self.assertTrue(result._repr_svg_().startswith("<svg"))
        self.assertEqual(result.game(), Game("pente", "j10 k10 j11 k11 j12"))

    def test_wins_and_ended_games(self) -> None:
        turns = self.analyzer.analyze_turns(Query(WON, TINY, turns=[5, 4, 4]))
        self.assertEqual([analysis.turn for analysis in turns], [5, 4])
        ended, win = turns
        assert ended.outcome is not None
        self.assertEqual((ended.outcome.result, ended.outcome.reason, ended.outcome.winner), ("p1win", "line", 1))
        self.assertIsNone(ended.best)
        self.assertEqual((win.best, win.mate, win.winrate), ("b3", 1, 1.0))

    def test_a_batch_answers_every_query_once(self) -> None:
        reports: list[tuple[int, int | None]] = []
        queries = [query(number) for number in range(200)]
        results = list(
            self.analyzer.analyze_many(queries, progress=lambda done, total: reports.append((done, total)))
        )
        self.assertEqual(sorted(result.query.tag for result in results), list(range(200)))
        self.assertEqual(reports, [(count, 200) for count in range(1, 201)])

    def test_the_order_of_the_queries(self) -> None:
        queries = [
            Query("h8 h9", "gomoku", turns=range(3), nodes=500 if number % 5 == 0 else 5, tag=number)
            for number in range(40)
        ]
        results = list(self.analyzer.analyze_many(queries, ordered=True))
        expected = [(number, turn) for number in range(40) for turn in range(3)]
        self.assertEqual([(result.query.tag, result.turn) for result in results], expected)

    def test_results_do_not_depend_on_workers(self) -> None:
        queries = [query(number, nodes=200) for number in range(30)]
        with Analyzer(workers=1) as one, Analyzer(workers=5) as five:
            values = [
                [(result.best, result.score) for result in analyzer.analyze_many(queries, ordered=True)]
                for analyzer in (one, five)
            ]
        self.assertEqual(values[0], values[1])

    def test_queries_are_taken_as_results_are(self) -> None:
        taken = 0

        def endless() -> Iterator[Query]:
            nonlocal taken
            for taken in itertools.count(1):
                yield query(taken)

        results = self.analyzer.analyze_many(endless(), max_pending=10)
        for _ in itertools.islice(results, 50):
            self.assertLessEqual(taken, 50 + 10)
        time.sleep(0.1)
        self.assertLessEqual(taken, 50 + 10)
        results.close()  # type: ignore[attr-defined]
        # The canceled queries do not keep the analyzer busy.
        self.assertIsNotNone(self.analyzer.analyze(query(0)).best)

    def test_results_do_not_wait_for_the_end_of_slow_queries(self) -> None:
        def slow() -> Iterator[Query]:
            for number in range(4):
                yield query(number)
                time.sleep(0.2)
            self.assertGreaterEqual(len(seen), 2)

        seen: list[Analysis] = []
        for result in self.analyzer.analyze_many(slow()):
            seen.append(result)
        self.assertEqual(len(seen), 4)

    def test_a_refused_query_raises_or_is_reported(self) -> None:
        with self.assertRaisesRegex(AnalysisError, "move 2: illegal move `j10`") as caught:
            self.analyzer.analyze(Query("j10 j10"))
        self.assertEqual(caught.exception.field, "moves")
        bad = Query("j10 j10", turns=range(2), tag="bad")
        errors: list[AnalysisError] = []
        counts: list[int] = []
        results = list(
            self.analyzer.analyze_many(
                [query(1), bad, query(2)],
                ordered=True,
                on_error=errors.append,
                progress=lambda done, _: counts.append(done),
            )
        )
        self.assertEqual([result.query.tag for result in results], [1, 2])
        self.assertEqual([error.query.tag for error in errors], ["bad"])
        self.assertEqual(counts, [1, 3, 4])
        with self.assertRaises(AnalysisError):
            list(self.analyzer.analyze_many([query(1), bad, query(2)]))
        self.assertIsNotNone(self.analyzer.analyze(query(0)).best)

    def test_warnings_are_in_the_result(self) -> None:
        class Unknown(Query):
            def to_json(self) -> dict[str, object]:
                return {**super().to_json(), "komi": 6.5}

        result = self.analyzer.analyze(Unknown("j10", nodes=10))
        self.assertIn("komi", result.warnings[0])

    def test_updates_during_a_search(self) -> None:
        updates: list[Analysis] = []
        final = self.analyzer.analyze(Query("j10 k10", time=0.6, report_every=0.1), on_update=updates.append)
        self.assertTrue(final.is_final)
        self.assertGreaterEqual(len(updates), 2)
        self.assertFalse(any(update.is_final for update in updates))

    def test_threads_share_an_analyzer(self) -> None:
        results: list[Analysis] = []
        threads = [
            threading.Thread(target=lambda: results.extend(self.analyzer.analyze_many(map(query, range(50)))))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 200)

    def test_version_and_cache(self) -> None:
        self.assertRegex(self.analyzer.version(), r"^\d+\.\d+\.\d+")
        self.analyzer.clear_cache()

    def test_another_engine(self) -> None:
        with Analyzer(workers=1, engine=f"proto=ugi cmd='{find_binary()}' ugi") as analyzer:
            self.assertIsNotNone(analyzer.analyze(query(3)).best)

    def test_the_end_of_the_process_is_an_error(self) -> None:
        with Analyzer(command=[find_binary(), "analyze", "--wrong-option"]) as analyzer:
            with self.assertRaisesRegex(EngineTerminatedError, "wrong-option"):
                analyzer.analyze(query(0))
        script = 'import sys; sys.stdin.readline(); print(\'{"id":"1"}}\'); sys.stdin.read()'
        with Analyzer(command=[sys.executable, "-c", script]) as analyzer:
            with self.assertRaisesRegex(EngineError, "unexpected answer"):
                analyzer.analyze(query(0))

    def test_a_closed_analyzer(self) -> None:
        analyzer = Analyzer(workers=1)
        analyzer.close()
        analyzer.close()
        with self.assertRaises(EngineTerminatedError):
            analyzer.analyze(query(0))

    def test_threads_close_an_analyzer_at_the_same_time(self) -> None:
        for _ in range(10):
            analyzer = Analyzer(workers=1)
            failures: list[Exception] = []

            def use(analyzer: Analyzer = analyzer, failures: list[Exception] = failures) -> None:
                try:
                    while True:
                        analyzer.analyze(query(1, nodes=5))
                except EngineError as error:
                    failures.append(error)

            threads = [threading.Thread(target=use) for _ in range(3)]
            threads += [threading.Thread(target=analyzer.close) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(10)
                self.assertFalse(thread.is_alive())
            self.assertEqual(len(failures), 3)

    def test_close_does_not_wait_for_queries(self) -> None:
        before = time.monotonic()
        with Analyzer(workers=1) as analyzer:
            results = analyzer.analyze_many([Query("j10 k10", time=30.0) for _ in range(20)])
            threading.Timer(0.3, analyzer.close).start()
            with self.assertRaises(EngineError):
                next(results)
        self.assertLess(time.monotonic() - before, 5)

    def test_a_program_that_is_missing(self) -> None:
        with self.assertRaises(FileNotFoundError):
            Analyzer(command=["no-such-program"])


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    async def test_a_batch_and_single_queries(self) -> None:
        async with await AsyncAnalyzer.start(workers=2) as analyzer:
            batch = analyzer.analyze_many([query(number) for number in range(100)])
            single, results = await asyncio.gather(analyzer.analyze(query(7)), collect(batch))
            self.assertIsNotNone(single.best)
            self.assertEqual(sorted(result.query.tag for result in results), list(range(100)))

    async def test_an_asynchronous_source(self) -> None:
        async def source() -> AsyncIterator[Query]:
            for number in range(20):
                await asyncio.sleep(0.001)
                yield query(number)

        async with await AsyncAnalyzer.start(workers=2) as analyzer:
            results = await collect(analyzer.analyze_many(source(), max_pending=3, ordered=True))
        self.assertEqual([result.query.tag for result in results], list(range(20)))

    async def test_the_error_of_a_source(self) -> None:
        def source() -> Iterator[Query]:
            yield query(1)
            raise KeyError("mine")

        async with await AsyncAnalyzer.start(workers=2) as analyzer:
            with self.assertRaisesRegex(KeyError, "mine"):
                await collect(analyzer.analyze_many(source()))

    async def test_a_canceled_task_cancels_its_query(self) -> None:
        async with await AsyncAnalyzer.start(workers=1) as analyzer:
            task = asyncio.ensure_future(analyzer.analyze(Query("j10 k10", time=30.0)))
            waiting = asyncio.ensure_future(analyzer.analyze(query(1)))
            await asyncio.sleep(0.2)
            self.assertFalse(waiting.done())
            task.cancel()
            self.assertIsNotNone((await asyncio.wait_for(waiting, 5)).best)
            with self.assertRaises(asyncio.CancelledError):
                await task

    async def test_leaving_a_batch_cancels_the_rest(self) -> None:
        async with await AsyncAnalyzer.start(workers=1) as analyzer:
            queries = [query(1), *(Query("j10 k10", time=30.0) for _ in range(10))]
            batch = analyzer.analyze_many(queries)
            async for _ in batch:
                break
            await batch.aclose()  # type: ignore[attr-defined]
            self.assertIsNotNone((await asyncio.wait_for(analyzer.analyze(query(2)), 5)).best)

    async def test_a_killed_process_fails_every_query(self) -> None:
        async with await AsyncAnalyzer.start(workers=1) as analyzer:
            tasks = [asyncio.ensure_future(analyzer.analyze(Query("j10 k10", time=30.0))) for _ in range(3)]
            await asyncio.sleep(0.1)
            analyzer._process.kill()
            for outcome in await asyncio.gather(*tasks, return_exceptions=True):
                self.assertIsInstance(outcome, EngineTerminatedError)
            with self.assertRaises(EngineTerminatedError):
                await analyzer.analyze(query(1))


class Interrupts(unittest.TestCase):
    @unittest.skipIf(sys.platform == "win32", "signals")
    def test_ctrl_c_ends_a_batch_and_the_engine(self) -> None:
        import signal
        import subprocess

        script = """
import pentarch, signal
# A background job of a shell ignores the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
analyzer = pentarch.Analyzer(workers=1)
print(analyzer._analyzer._process._process.pid, flush=True)
try:
    with analyzer:
        list(analyzer.analyze_many(pentarch.Query("j10 k10", time=30.0) for _ in range(3)))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "batch.py"
            path.write_text(script)
            child = subprocess.Popen([sys.executable, path], stdout=subprocess.PIPE, text=True)
            assert child.stdout is not None
            engine = int(child.stdout.readline())
            time.sleep(0.5)
            child.send_signal(signal.SIGINT)
            out, _ = child.communicate(timeout=10)
        self.assertEqual(out, "interrupted\n")
        self.assertFalse(Path(f"/proc/{engine}/cmdline").exists() and Path(f"/proc/{engine}/cmdline").read_bytes())


async def collect(results: AsyncIterator[Analysis]) -> list[Analysis]:
    return [result async for result in results]


if __name__ == "__main__":
    unittest.main()
