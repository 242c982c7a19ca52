"""Reviews a game of gomoku with KaTrain's engine and game, without its window: katrain_review.py KATAGO CONFIG

KATAGO is a link to the engine with the name katago, CONFIG a configuration of KataGo.
"""

import os
import sys
import tempfile
import time
import traceback

home = tempfile.mkdtemp()
os.environ.update(KIVY_HOME=home, KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1", KIVY_NO_FILELOG="1")

from katrain.core.constants import OUTPUT_ERROR  # noqa: E402
from katrain.core.engine import KataGoEngine  # noqa: E402
from katrain.core.game import Game, KaTrainSGF  # noqa: E402

# Black overlooks at move 9 that White wins.
GAME = (
    "(;GM[1]FF[4]SZ[15]KM[6.5]RU[Japanese];B[hh];W[hi];B[ih];W[gh];B[jh];W[kh];B[ig];W[ij];B[aa]"
    ";W[gj];B[bb];W[kj])"
)
# A pass, and two moves of Black in a row.
PASSES = "(;GM[1]FF[4]SZ[9]KM[0]RU[Chinese];B[ee];W[];B[dd];B[cc])"


class KaTrain:
    """What the engine and the game need of the application."""

    pondering = False

    def __init__(self):
        self.errors = []

    def log(self, message, level=0):
        if level == OUTPUT_ERROR:
            self.errors.append(message)

    def __call__(self, *message, **_):
        self.errors.append(message)

    def config(self, key, default=None):
        return {"general/anim_pv_time": 0.5, "game/handicap": 0}.get(key, default)


def wait(engine, condition, what):
    end = time.time() + 60
    while not condition():
        assert time.time() < end and engine.check_alive(), f"no {what}: {engine.katrain.errors}"
        time.sleep(0.05)


def main(katago, config):
    katrain = KaTrain()
    settings = {
        "katago": katago,
        "model": os.devnull,
        "config": config,
        "max_visits": 30,
        "fast_visits": 5,
        "max_time": 5.0,
        "wide_root_noise": 0.04,
        "_enable_ownership": True,
    }
    engine = KataGoEngine(katrain, settings)
    assert not katrain.errors, katrain.errors
    game = Game(katrain, engine, move_tree=KaTrainSGF.parse_sgf(GAME))
    nodes = [game.root]
    while nodes[-1].children:
        nodes.append(nodes[-1].children[0])
    wait(engine, lambda: all(node.analysis_complete for node in nodes), "analysis of the game")
    assert len(nodes) == 13

    for node in nodes:
        moves = node.candidate_moves
        shown = [move for move in moves if "prior" in move]
        assert len(shown) >= 5 and all(0 <= move["winrate"] <= 1 for move in moves), moves
        best = min(shown, key=lambda move: move["order"])
        assert best["order"] == 0 and best["pv"][0] == best["move"], best
        assert len(node.ownership) == 225 and len(node.policy) == 226
        assert abs(sum(p for p in node.policy if p >= 0) - 1) < 1e-4
        assert node.policy_ranking[0][1].gtp() != "pass"
        # Values are for Black.
        assert (node.winrate > 0.5) == (node.score > 0), (node.winrate, node.score)
    for node in nodes[1:]:
        assert node.points_lost is not None, node
        # The texts that KaTrain shows next to the board.
        assert node.comment(sgf=True, interactive=False)
    assert nodes[9].winrate < 0.2 < nodes[8].winrate, [node.winrate for node in nodes]
    print("lost:", ", ".join(f"{node.move.gtp()} {node.points_lost:.1f}" for node in nodes[1:]))

    # More moves, a region, pondering, and a game on another board.
    node = nodes[4]
    known = set(node.analysis["moves"])
    node.analyze(engine, find_alternatives=True, visits=10)
    wait(engine, lambda: set(node.analysis["moves"]) > known, "alternatives")
    node.analyze(engine, region_of_interest=(5, 9, 5, 9), visits=10)
    wait(engine, engine.is_idle, "region")
    engine.request_analysis(node, lambda *_: reports.append(1), ponder=True, visits=10, time_limit=False)
    reports = []
    wait(engine, lambda: reports, "report of pondering")
    engine.stop_pondering()
    wait(engine, engine.is_idle, "end of pondering")
    small = Game(katrain, engine, move_tree=KaTrainSGF.parse_sgf(PASSES))
    last = small.root
    while last.children:
        last = last.children[0]
    wait(engine, lambda: last.analysis_complete, "analysis with a pass")
    assert not katrain.errors, katrain.errors
    engine.shutdown(finish=True)
    print("a game with its candidates, policy and occupancy, alternatives, a region, pondering, passes")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception:
        # Kivy has replaced sys.stderr.
        traceback.print_exc(file=sys.__stderr__)
        sys.exit(1)
