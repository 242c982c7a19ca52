import os
import subprocess
import sys
import threading
import unittest

import pentarch
from pentarch import Game, IllegalMoveError, RulesError
from pentarch.game import _referee


class Rules(unittest.TestCase):
    def test_moves_and_results(self) -> None:
        game = Game("gomoku+size=3x3+line=3", "b2 a1")
        game.push_all(["b1", "a3"])
        self.assertIsNone(game.outcome)
        self.assertEqual((game.turn, game.color), (1, 1))
        game.push("b3")
        assert game.outcome is not None
        self.assertEqual((game.outcome.result, game.outcome.reason, game.outcome.winner), ("p1win", "line", 1))
        self.assertEqual(game.legal_moves, ())
        self.assertEqual(game.pop(), "b3")
        self.assertIsNone(game.outcome)
        self.assertEqual(set(game.legal_moves), {"a2", "b3", "c1", "c2", "c3"})
        self.assertEqual(game.at(1).moves, ("b2",))

    def test_an_illegal_move_changes_nothing(self) -> None:
        game = Game("pente", "j10 k11")
        for move in ("j10", "z99", "j10 k12", "", "j9\nquit"):
            with self.assertRaises(IllegalMoveError):
                game.push(move)
            with self.assertRaises(IllegalMoveError):
                game.push_all(["l12", move])
        self.assertEqual(game.moves, ("j10", "k11"))
        self.assertEqual(game.turn, 1)
        with self.assertRaisesRegex(IllegalMoveError, "move 3: illegal move `j10`: the point is occupied"):
            Game("pente", "j10 k11 j10")
        with self.assertRaises(IndexError):
            Game().pop()

    def test_unknown_rules_and_positions(self) -> None:
        with self.assertRaisesRegex(RulesError, "unknown variant `chess`"):
            Game("chess")
        with self.assertRaisesRegex(RulesError, "field 1"):
            Game("gomoku", start="9/9 b - - 1")
        with self.assertRaises(RulesError):
            Game("gomoku\nquit")
        self.assertEqual(Game("pente").legal_moves, ("j10",))

    def test_captures_positions_and_threats(self) -> None:
        game = Game("pente", "j10 j11 a1 j12 j13")
        self.assertEqual(game.captures, (2, 0))
        again = Game("pente", start=game.fen())
        self.assertEqual((again.fen(), again.captures, again.turn), (game.fen(), (2, 0), 2))
        again.push("k12")
        self.assertEqual(Game("yavalath").captures, (0, 0))
        threats = Game("gomoku", "h8 a1 h9 a3 h10").threats
        self.assertEqual([(threat.color, threat.call) for threat in threats], [(1, "tria")])
        self.assertEqual(set(threats[0].stones), {"h8", "h9", "h10"})

    def test_a_swap_changes_the_color(self) -> None:
        game = Game("d-pente+size=9", "e5 d5 f5 g5")
        self.assertEqual((game.turn, set(game.legal_moves)), (2, {"keep", "swap"}))
        game.push("swap")
        self.assertEqual((game.turn, game.color), (2, 1))

    def test_partners_have_one_side(self) -> None:
        game = Game("team-pente", "j10 k10")
        self.assertEqual((game.turn, game.side), (3, 1))

    def test_copies_are_independent(self) -> None:
        game = Game("gomoku", "h8")
        copy = game.copy()
        self.assertEqual(copy, game)
        copy.push("h9")
        self.assertNotEqual(copy, game)
        self.assertEqual(repr(copy), "Game('gomoku', 'h8 h9')")

    def test_pictures(self) -> None:
        game = Game("pente", "j10 k11 m10")
        self.assertTrue(game._repr_svg_().startswith("<svg"))
        plain = game.svg()
        others = [
            game.svg(numbers=True),
            game.svg(crop=True),
            game.svg(candidates=3, nodes=50),
            game.svg(marks=["l12=A"]),
        ]
        self.assertEqual(len({plain, *others}), 5)
        self.assertIn(" 10 . . . . . . . . . W . .(W). . . . . . 10", str(game))
        start = Game("pente", "l12", start=Game("pente", "j10 k11").fen())
        self.assertTrue(start.svg().startswith("<svg"))
        with self.assertRaisesRegex(pentarch.PentarchError, "Z99"):
            game.svg(marks=["Z99"])

    def test_variants(self) -> None:
        listed = pentarch.variants()
        self.assertGreaterEqual(len(listed), 39)
        self.assertIn("19x19", listed["pente"])
        for name in listed:
            self.assertTrue(Game(name).legal_moves)

    def test_a_killed_referee_is_started_again(self) -> None:
        game = Game("pente", "j10")
        assert _referee._process is not None
        _referee._process.kill()
        _referee._process.wait()
        game.push("k11")
        self.assertEqual(game.turn, 1)

    def test_threads_ask_at_the_same_time(self) -> None:
        failures: list[BaseException] = []

        def play(rules: str) -> None:
            try:
                for _ in range(20):
                    game = Game(rules)
                    game.push(game.legal_moves[0])
                    self.assertEqual(game.turn, 2)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=play, args=[rules]) for rules in ("pente", "gomoku", "renju")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    @unittest.skipUnless(hasattr(os, "fork"), "fork")
    def test_a_fork_has_its_own_referee(self) -> None:
        script = (
            "import os, pentarch; game = pentarch.Game('gomoku', 'h8'); child = os.fork()\n"
            "for move in ('a1', 'a2', 'a3', 'a4') if child else ('b1', 'b2', 'b3'): game.push(move)\n"
            "if child: assert os.waitpid(child, 0)[1] == 0\n"
            "print(game.turn)"
        )
        command = [sys.executable, "-W", "error", "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
        self.assertEqual(done.stderr, "")
        self.assertEqual(sorted(done.stdout.split()), ["1", "2"])


class Module(unittest.TestCase):
    def test_the_module_runs_the_program(self) -> None:
        module = [sys.executable, "-m", "pentarch"]
        done = subprocess.run([*module, "--version"], capture_output=True, text=True, check=False)
        self.assertRegex(done.stdout, r"^pentarch \d")
        done = subprocess.run([*module, "no-such-command"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
