"""`python -m pentarch` runs the program."""

import os
import subprocess
import sys

from . import find_binary


def main() -> None:
    command = [find_binary(), *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execvp(command[0], command)


main()
