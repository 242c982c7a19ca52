"""Plays a game of gomoku through PyGomo: pygomo_game.py BINARY"""

import os
import sys
import tempfile

from pygomo import EngineClient


def main(binary):
    # The library starts a path without arguments; a name that begins with pbrain- speaks Gomocup.
    brain = os.path.join(tempfile.mkdtemp(), "pbrain-pentarch")
    os.symlink(binary, brain)
    reports = []
    with EngineClient(brain) as engine:
        assert engine.start(board_size=15)
        engine.configure(timeout_turn=200)
        taken = {"h8"}
        move = "h8"
        for _ in range(5):
            result = engine.turn(move, on_info=reports.append)
            reply = str(result.move)
            taken.add(result.move.to_algebraic())
            free = (f"{column}{row}" for row in (1, 3, 5, 15) for column in "acegikmo")
            move = next(point for point in free if point not in taken)
            taken.add(move)
            assert reply, result
        assert len(taken) == 11, taken
    print(f"five moves and replies, {len(reports)} reports")


if __name__ == "__main__":
    main(sys.argv[1])
