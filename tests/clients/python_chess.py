"""Plays gomoku through python-chess, as any script around a UCI engine would: python_chess.py BINARY

The library knows chess; a board that answers its questions in cutechess' gomoku is enough for it.
"""

import sys

import chess
import chess.engine

SIZE = 15
START = "/".join(["15"] * SIZE) + "[" + "P" * 113 + "p" * 112 + "] w - - 0 1"


class Drop:
    """A move: a pawn from the hand onto a point such as h8."""

    def __init__(self, point):
        self.point = point

    def uci(self):
        return "P@" + self.point

    def __str__(self):
        return self.uci()


class Gomoku:
    """As much of a board as the library asks for."""

    chess960 = False

    def __init__(self, moves=()):
        self.move_stack = list(moves)

    @property
    def turn(self):
        return len(self.move_stack) % 2 == 0

    def root(self):
        return type(self)()

    def fen(self, **_):
        assert not self.move_stack, "positions are sent as the start and moves"
        return START

    def copy(self, stack=True):
        return type(self)(self.move_stack)

    def push(self, move):
        self.move_stack.append(move)

    def pop(self):
        return self.move_stack.pop()

    def parse_uci(self, text):
        # The library reads every move of an engine in lower case.
        assert text[:2] in ("P@", "p@"), text
        column, row = ord(text[2]) - ord("a"), int(text[3:])
        assert 0 <= column < SIZE and 1 <= row <= SIZE, text
        assert text[2:] not in [move.point for move in self.move_stack], f"{text} is occupied"
        return Drop(text[2:])

    def push_uci(self, text):
        move = self.parse_uci(text)
        self.push(move)
        return move

    def longest(self):
        """The longest row through the last stone."""
        points = [(ord(move.point[0]) - ord("a"), int(move.point[1:])) for move in self.move_stack]
        own = set(points[-1::-2])
        x, y = points[-1]

        def run(dx, dy):
            length = 0
            while (x + (length + 1) * dx, y + (length + 1) * dy) in own:
                length += 1
            return length

        return max(1 + run(dx, dy) + run(-dx, -dy) for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)])


class Freestyle(Gomoku):
    uci_variant = "gomokufreestyle"


class ExactFive(Gomoku):
    uci_variant = "gomoku"


def play(engine, board, wins):
    """A game of the engine against itself; the score of the last move is that of a win.

    White's first stones lie in the corners: from the empty board two equal players may well fill it.
    """
    for point in ["h8", "a1", "i9", "o15", "g8", "a15"]:
        board.push(Drop(point))
    while len(board.move_stack) < SIZE * SIZE:
        limit = chess.engine.Limit(time=0.02)
        result = engine.play(board, limit, info=chess.engine.INFO_SCORE, game=id(board))
        board.push(result.move)
        if wins(board.longest()):
            assert result.info["score"].relative == chess.engine.Mate(1), result.info
            print(f"{type(board).__name__}: {len(board.move_stack)} moves")
            return
    raise AssertionError("a game of gomoku without a winner")


def main(binary):
    with chess.engine.SimpleEngine.popen_uci([binary, "uci", "--hash", "16"], timeout=20) as engine:
        assert engine.id["name"].startswith("Pentarch"), engine.id
        variants = engine.options["UCI_Variant"]
        assert {"gomoku", "gomokufreestyle", "pente"} <= set(variants.var), variants
        assert engine.options["Threads"].min == 1
        engine.configure({"Threads": 1, "Level": 6})
        engine.ping()

        play(engine, Freestyle(), lambda length: length >= 5)
        play(engine, ExactFive(), lambda length: length == 5)

        board = Freestyle()
        board.push_uci("P@h8")
        clock = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1)
        board.push(engine.play(board, clock).move)
        engine.configure({"Level": 10})
        lines = engine.analyse(board, chess.engine.Limit(depth=4), multipv=3)
        # Of a variation the library reads what lies on a chess board, a to h and 1 to 8.
        shown = [(line["multipv"], line["depth"], "pv" in line, "score" in line) for line in lines]
        assert shown == [(number, 4, True, True) for number in (1, 2, 3)], lines
        with engine.analysis(board) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 3:
                    break
        engine.ping()
    print("the handshake, two games, clocks, analysis and its end")


if __name__ == "__main__":
    main(sys.argv[1])
