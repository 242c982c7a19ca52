import importlib.util
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import pentarch
from pentarch import GameRecord, find_binary, games_frame, plies_frame, read_games, review

HAS_PANDAS = importlib.util.find_spec("pandas") is not None


class Records(unittest.TestCase):
    folder: Path
    games: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.games = cls.folder / "a match.jsonl"
        engines = ["--engine=name=weak option.Level=2", "--engine=name=random player=random"]
        command = [find_binary(), "match", "--variant=pro-pente", "--games=2", "--nodes=100"]
        subprocess.run([*command, *engines, f"--records={cls.games}"], check=True, stdout=subprocess.DEVNULL)

    def test_the_records_of_a_match(self) -> None:
        games = list(read_games(self.games))
        self.assertEqual([game.players for game in games], [("weak", "random"), ("random", "weak")])
        for game in games:
            self.assertEqual(game.rules, "pro-pente")
            self.assertEqual(tuple(ply.move for ply in game.plies), game.moves)
            self.assertEqual(game.outcome, game.game().outcome)
            self.assertEqual(len(game.game(2).moves), 2)
            self.assertIsNotNone(game.date)
            self.assertTrue(any(ply.score is not None for ply in game.plies))
            self.assertTrue(game._repr_svg_().startswith("<svg"))
            self.assertIn("tournament", game.json)

    def test_other_formats(self) -> None:
        sgf = self.folder / "-games.sgf"
        converted = subprocess.run(
            [find_binary(), "convert", str(self.games), "--to=sgf"], check=True, capture_output=True
        )
        sgf.write_bytes(converted.stdout)
        games = list(read_games([sgf, self.games]))
        self.assertEqual([game.moves for game in games[:2]], [game.moves for game in games[2:]])
        moves = self.folder / "moves.txt"
        moves.write_text("h8 h9 i8 ; p1win\n")
        (game,) = read_games(moves, rules="gomoku")
        self.assertEqual((game.rules, game.moves, game.result), ("gomoku", ("h8", "h9", "i8"), "p1win"))

    def test_older_records(self) -> None:
        game = GameRecord.from_json({"moves": ["j10"], "plies": 1})
        self.assertEqual((game.rules, game.plies[0].move, game.outcome), ("pente", "j10", None))

    def test_files_that_are_no_games(self) -> None:
        bad = self.folder / "bad.jsonl"
        for text in ('{"moves":["j10"]}\n{"moves"\n', '{"moves":["j10"]}\n{}\n', '{"moves":["j10"]}\n7\n'):
            bad.write_text(text)
            with self.assertRaisesRegex(pentarch.PentarchError, "bad.jsonl line 2"):
                list(read_games(bad))
        bad.write_text("nothing that is a game")
        with self.assertRaises(pentarch.PentarchError):
            list(read_games(bad))
        with self.assertRaises(FileNotFoundError):
            list(read_games(self.folder / "none"))

    @unittest.skipUnless(HAS_PANDAS, "pandas is not installed")
    def test_data_frames(self) -> None:
        games = games_frame(self.games)
        self.assertEqual(list(games["rules"]), ["pro-pente"] * 2)
        self.assertEqual(set(games["player1"]), {"weak", "random"})
        self.assertEqual(list(games["winner"]), ["weak", "weak"])
        plies = plies_frame(read_games(self.games))
        self.assertEqual(len(plies), games["plies"].sum())
        self.assertEqual(set(plies["player"]), {"weak", "random"})
        self.assertGreater(plies.groupby("player")["score"].count()["weak"], 0)
        self.assertEqual(list(plies_frame([]).columns)[:3], ["game", "ply", "player"])
        team = {"rules": "team-pente", "moves": [], "players": list("abcd"), "result": "p2win"}
        self.assertEqual(games_frame([GameRecord.from_json(team)])["winner"][0], "b and d")

    def test_a_review(self) -> None:
        reviews = review(self.games, nodes=100)
        self.assertEqual([game.moves for game in reviews], [game.moves for game in read_games(self.games)])
        for game in reviews:
            worst = game.worst
            assert worst is not None and worst.loss is not None
            self.assertEqual(game.moves[worst.ply - 1], worst.move)
            self.assertEqual(game.game(worst.ply).moves[-1], worst.move)
            self.assertTrue(game.summary)
            json.dumps(dict(game.json))
        with self.assertRaises(pentarch.PentarchError):
            review(self.folder / "none")


if __name__ == "__main__":
    unittest.main()
