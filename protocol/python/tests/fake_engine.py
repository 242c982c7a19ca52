"""An engine that fails as its argument says."""

import sys
import time

fault = sys.argv[1]


def say(line: str) -> None:
    print(line, flush=True)


for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "ugi":
        if fault == "silent":
            time.sleep(60)
        if fault == "dead":
            print("cannot load the weights", file=sys.stderr)
            sys.exit(3)
        say("id name Fake")
        say("option name Move Overhead type spin default 10 min 0 max 100")
        say("option name Style type combo default the solid one var the solid one var wild")
        say("option name Label type string default <empty>")
        say("option name Clear type button")
        say("ugiok")
    elif word == "isready":
        say("readyok")
    elif word == "go":
        if fault == "crash":
            sys.exit(7)
        elif fault == "hang":
            pass
        elif fault == "none":
            say("bestmove (none)")
        elif fault == "garbage":
            say("\x00\x01 garbage")
            say("info depth x score cp pv")
            say("info score cp 12 lowerbound depth 3 pv a1 b2")
            say("info string is about the score cp 5 pv c3")
            say("bestmove a1 ponder b2")
    elif word == "stop" and fault == "hang":
        pass
    elif word == "quit":
        break
