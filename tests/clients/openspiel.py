"""OpenSpiel's GTP bot with the engine, and its rules against ours.

python3 openspiel.py PENTARCH

Random games of gomoku and of m,n,k games are played by OpenSpiel's rules; after each move both must
agree on the legal moves and on the end. Then the engine plays against random moves through the bot.
"""

import random
import sys

import pyspiel
from open_spiel.python.bots import gtp

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
# OpenSpiel's game, our name for it, columns, rows.
GAMES = [
    ("gomoku", "gomoku", 15, 15),
    ("gomoku(size=9)", "gomoku+size=9", 9, 9),
    ("gomoku(size=7,connect=4)", "gomoku+line=4+size=7", 7, 7),
    ("mnk(m=3,n=3,k=3)", "gomoku+line=3+size=3x3", 3, 3),
    ("mnk(m=5,n=4,k=4)", "gomoku+line=4+size=5x4", 5, 4),
    ("mnk(m=7,n=9,k=5)", "gomoku+size=7x9", 7, 9),
]
RANDOM_GAMES = 10


class Bot(gtp.GTPBot):
    """The bot, with the vertices of GTP in place of OpenSpiel's numbers."""

    def __init__(self, engine, name, spec, columns, rows):
        arguments = [engine, "gtp", "--variant", spec, "--time", "0.05"]
        super().__init__(pyspiel.load_game(name), arguments)
        self.columns, self.rows = columns, rows

    def vertex(self, action):
        row, column = divmod(action, self.columns)
        return f"{LETTERS[column]}{self.rows - row}"

    def action(self, vertex):
        column = LETTERS.index(vertex[0].upper())
        return (self.rows - int(vertex[1:])) * self.columns + column

    def inform_action(self, state, player_id, action):
        self.gtp_cmd("play", self._player_colors[player_id], self.vertex(action))

    def step(self, state):
        return self.action(self.gtp_cmd("genmove", self._player_colors[state.current_player()]))

    def legal(self):
        return {self.action(word) for word in self.gtp_cmd("gogui-rules_legal_moves").split()}

    def score(self):
        """The returns of both players, or none while the game is open."""
        try:
            answer = self.gtp_cmd("final_score")
        except gtp.CommandError:
            return None
        return {"b+1": [1.0, -1.0], "w+1": [-1.0, 1.0], "0": [0.0, 0.0]}[answer]


def agree(bot, state):
    assert bot.legal() == set(state.legal_actions()), f"legal moves differ:\n{state}"
    expected = list(state.returns()) if state.is_terminal() else None
    assert bot.score() == expected, f"{bot.score()} for {expected}:\n{state}"


def random_game(bot, game, rng):
    state = game.new_initial_state()
    bot.restart()
    agree(bot, state)
    while not state.is_terminal():
        action = rng.choice(state.legal_actions())
        bot.inform_action(state, state.current_player(), action)
        state.apply_action(action)
        agree(bot, state)
    return state.returns()[0]


def game_of_the_bot(bot, game, rng, seat):
    state = game.new_initial_state()
    bot.restart()
    while not state.is_terminal():
        if state.current_player() == seat:
            action = bot.step(state)
        else:
            action = rng.choice(state.legal_actions())
            bot.inform_action(state, state.current_player(), action)
        state.apply_action(action)
        agree(bot, state)
    return state.returns()[seat]


def main():
    rng = random.Random(1)
    for name, spec, columns, rows in GAMES:
        game = pyspiel.load_game(name)
        bot = Bot(sys.argv[1], name, spec, columns, rows)
        assert bot.name == f"pentarch {spec}", bot.name
        results = [random_game(bot, game, rng) for _ in range(RANDOM_GAMES)]
        ours = [game_of_the_bot(bot, game, rng, seat) for seat in (0, 1)]
        assert all(result >= 0 for result in ours), f"{spec}: lost against random moves"
        bot.close()
        decided = sum(result != 0 for result in results)
        print(f"OpenSpiel: {name}: {len(results)} random games agree, {decided} of them decided")


if __name__ == "__main__":
    main()
