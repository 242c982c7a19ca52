import asyncio
import sys
import time
import unittest
from pathlib import Path

from pentarch import (
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    Game,
    Limit,
    SimpleEngine,
    UgiEngine,
)

GAME = Game("gomoku", "h8 h9 i8")


def fake(fault: str) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("fake_engine.py")), fault]


class Simple(unittest.TestCase):
    engine: SimpleEngine

    @classmethod
    def setUpClass(cls) -> None:
        cls.engine = SimpleEngine.popen_ugi()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.engine.quit()

    def test_the_engine_describes_itself(self) -> None:
        self.assertRegex(self.engine.name, r"^Pentarch \d")
        threads = self.engine.options["Threads"]
        self.assertEqual((threads.type, threads.default, threads.min), ("spin", 1, 1))
        self.assertEqual(self.engine.options["Method"].var, ("best", "alpha-beta", "mcts"))
        self.assertIs(self.engine.options["Exact"].default, False)
        self.assertEqual(self.engine.options["BookFile"].default, "")

    def test_moves_are_legal_in_games_of_all_families(self) -> None:
        for rules in ("pente", "swap2-pente", "connect6", "pentalath", "yavalath-3", "pent-up", "team-pente"):
            game = Game(rules)
            for _ in range(4):
                result = self.engine.play(game, Limit(nodes=50), game_id=game)
                assert result.move is not None
                self.assertIn(result.move, game.legal_moves)
                game.push(result.move)

    def test_a_game_to_its_end(self) -> None:
        game = Game("gomoku+size=7")
        with SimpleEngine.popen_ugi() as other:
            players = [self.engine, other]
            clocks = [5.0, 5.0]
            while game.outcome is None:
                limit = Limit(clocks=clocks, increments=[0.01, 0.01], nodes=100)
                move = players[game.turn - 1].play(game, limit).move
                assert move is not None
                game.push(move)
        assert game.outcome is not None
        self.assertIsNotNone(game.outcome.reason)
        self.assertIsNone(self.engine.play(game, Limit(nodes=10)).move)

    def test_equal_searches_have_equal_results(self) -> None:
        results = [self.engine.play(GAME, Limit(nodes=500), game_id=object()) for _ in range(2)]
        self.assertEqual(results[0].move, results[1].move)
        self.assertEqual(results[0].info.score, results[1].info.score)
        self.assertEqual(results[0].info.nodes, 500)

    def test_several_lines(self) -> None:
        lines = self.engine.analyse(GAME, Limit(nodes=600), multipv=3)
        self.assertEqual([line.multipv for line in lines], [1, 2, 3])
        self.assertEqual(len({line.pv[0] for line in lines}), 3)
        info = self.engine.analyse(GAME, Limit(nodes=600))
        assert info.winrate is not None
        self.assertTrue(0 < info.winrate < 1)

    def test_a_win_has_winrate_1(self) -> None:
        game = Game("gomoku+size=3x3+line=3", "b2 a1 b1 a3")
        info = self.engine.analyse(game, Limit(depth=3))
        self.assertEqual((info.mate, info.score, info.winrate), (1, None, 1.0))

    def test_root_moves(self) -> None:
        result = self.engine.play(GAME, Limit(nodes=100), root_moves=["a1"])
        self.assertEqual(result.move, "a1")

    def test_live_analysis(self) -> None:
        depths = []
        with self.engine.analysis(GAME) as analysis:
            for info in analysis:
                depths.append(info.depth or 0)
                if depths[-1] >= 6:
                    break
        self.assertEqual(depths[-1], 6)
        self.assertIsNotNone(analysis.wait().move)
        self.assertGreaterEqual(analysis.info.depth or 0, 6)
        # A limited one ends by itself.
        limited = self.engine.analysis(GAME, Limit(depth=3))
        self.assertEqual(max(info.depth or 0 for info in limited), 3)

    def test_a_new_search_stops_the_one_before(self) -> None:
        analysis = self.engine.analysis(GAME)
        before = time.monotonic()
        self.engine.ping()
        self.assertIsNotNone(self.engine.play(GAME, Limit(nodes=10)).move)
        self.assertLess(time.monotonic() - before, 5)
        self.assertIsNotNone(analysis.wait().move)

    def test_options(self) -> None:
        self.engine.configure({"Hash": 8, "Threads": 1})
        for options, message in (
            ({"Threads": 0}, "not in 1 to 256"),
            ({"Threads": "x"}, "expected a number"),
            ({"Exact": "maybe"}, "expected True"),
            ({"NoSuch": 1}, "no option NoSuch"),
            ({"MultiPV": 2}, "set by the client"),
            ({"BookFile": "a\nquit"}, "line break"),
        ):
            with self.assertRaisesRegex(EngineError, message):
                self.engine.configure(options)
        with self.assertRaisesRegex(EngineError, "no-such-book"):
            self.engine.configure({"BookFile": "no-such-book"})
        # An option of one search does not change the next one.
        weak = self.engine.play(GAME, Limit(nodes=3000), options={"Level": 1})
        strong = self.engine.play(GAME, Limit(nodes=3000))
        assert weak.info.nodes is not None and strong.info.nodes is not None
        self.assertLess(weak.info.nodes, strong.info.nodes)

    def test_errors_of_positions_and_limits(self) -> None:
        class Wrong:
            rules, start, moves = "gomoku", None, ["h8", "h8"]

        with self.assertRaisesRegex(EngineError, "illegal move `h8`"):
            self.engine.play(Wrong(), Limit(nodes=10))
        with self.assertRaisesRegex(EngineError, "unknown variant"):
            Wrong.rules = "chess"
            self.engine.play(Wrong(), Limit(nodes=10))
        with self.assertRaisesRegex(EngineError, "."):
            self.engine.play(GAME, Limit(nodes=10), root_moves=["h8"])
        self.assertIsNotNone(self.engine.play(GAME, Limit(nodes=10)).move)


class Faults(unittest.TestCase):
    def test_an_engine_that_does_not_start(self) -> None:
        with self.assertRaises(FileNotFoundError):
            SimpleEngine.popen_ugi(["no-such-engine"])
        with self.assertRaisesRegex(EngineTerminatedError, "exit code 3\ncannot load the weights"):
            SimpleEngine.popen_ugi(fake("dead"))
        with self.assertRaises(EngineTimeoutError):
            SimpleEngine.popen_ugi(fake("silent"), timeout=0.5)

    def test_a_crash_during_a_search(self) -> None:
        engine = SimpleEngine.popen_ugi(fake("crash"))
        with self.assertRaisesRegex(EngineTerminatedError, "exit code 7"):
            engine.play(GAME, Limit(nodes=10))
        with self.assertRaises(EngineTerminatedError):
            engine.ping()
        self.assertEqual(engine.returncode, 7)
        engine.quit()

    def test_an_engine_that_hangs(self) -> None:
        with SimpleEngine.popen_ugi(fake("hang"), timeout=0.5) as engine:
            with self.assertRaises(EngineTimeoutError):
                engine.play(GAME, Limit(time=0.1))
            with self.assertRaises(TimeoutError):
                engine.play(GAME, Limit(time=0.1))

    def test_strange_lines(self) -> None:
        with SimpleEngine.popen_ugi(fake("garbage")) as engine:
            result = engine.play(GAME, Limit(nodes=10))
            self.assertEqual((result.move, result.ponder), ("a1", "b2"))
            self.assertEqual((result.info.score, result.info.bound, result.info.depth), (12, "lower", 3))
            self.assertEqual(result.info.string, "is about the score cp 5 pv c3")
        with SimpleEngine.popen_ugi(fake("none")) as engine:
            self.assertIsNone(engine.play(GAME, Limit(nodes=10)).move)

    def test_names_and_values_of_several_words(self) -> None:
        with SimpleEngine.popen_ugi(fake("none")) as engine:
            self.assertEqual(engine.options["Move Overhead"].max, 100)
            self.assertEqual(engine.options["Style"].default, "the solid one")
            self.assertEqual(engine.options["Style"].var, ("the solid one", "wild"))
            self.assertEqual(engine.options["Clear"].type, "button")
            engine.configure({"Move Overhead": 3, "Style": "wild"})

    def test_a_closed_engine(self) -> None:
        engine = SimpleEngine.popen_ugi()
        engine.quit()
        engine.quit()
        engine.close()
        with self.assertRaises(EngineTerminatedError):
            engine.play(GAME, Limit(nodes=10))
        self.assertEqual(engine.returncode, 0)


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    async def test_engines_search_at_the_same_time(self) -> None:
        engines = [await UgiEngine.popen_ugi() for _ in range(3)]
        results = await asyncio.gather(*(engine.play(GAME, Limit(nodes=300)) for engine in engines))
        self.assertEqual(len({result.move for result in results}), 1)
        for engine in engines:
            await engine.quit()

    async def test_a_canceled_search_stops(self) -> None:
        async with await UgiEngine.popen_ugi() as engine:
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.play(GAME, Limit(time=30)), 0.2)
            before = time.monotonic()
            self.assertIsNotNone((await engine.play(GAME, Limit(nodes=10))).move)
            self.assertLess(time.monotonic() - before, 5)

    async def test_the_reports_of_an_analysis(self) -> None:
        async with await UgiEngine.popen_ugi() as engine:
            async with await engine.analysis(GAME, multipv=2) as analysis:
                async for info in analysis:
                    if info.depth == 4 and info.multipv == 2:
                        break
            await analysis.wait()
            self.assertEqual([line.multipv for line in analysis.multipv], [1, 2])


if __name__ == "__main__":
    unittest.main()
