"""The program: where it is, and processes of it."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, Union

T = TypeVar("T")

#: A program and its arguments: a list, or a text that is split as a shell does.
Command = Union[str, Sequence[str]]


class PentarchError(Exception):
    """The base of all errors of this package."""


class EngineError(PentarchError):
    """An engine refused a command, or answered what its protocol does not allow."""


class EngineTerminatedError(EngineError):
    """The process of an engine ended, or was closed, before it answered."""


class EngineTimeoutError(EngineError, TimeoutError):
    """An engine did not answer in time."""


def find_binary() -> str:
    """Returns the path of the program `pentarch`.

    The first that exists: the environment variable `PENTARCH`, the program that was installed with this
    package, `pentarch` on the search path.

    Raises:
        FileNotFoundError: none of them exists.
    """
    if given := os.environ.get("PENTARCH"):
        return given
    name = "pentarch" + (sysconfig.get_config_var("EXE") or "")
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", f"{os.name}_user"),
        # `pip install --target FOLDER`
        str(Path(__file__).resolve().parent.parent / "bin"),
    ]
    for folder in folders:
        # A script of Python with this name is no program of the engine.
        path = Path(folder) / name
        if path.is_file():
            return str(path)
    if found := shutil.which("pentarch"):
        return found
    raise FileNotFoundError(
        "the program `pentarch` is not installed: run `pip install pentarch`, or set the environment "
        "variable PENTARCH to its path"
    )


def command_line(command: Command | None, arguments: Sequence[str]) -> list[str]:
    """Returns the given command, or the program with the arguments."""
    if command is None:
        return [find_binary(), *arguments]
    return shlex.split(command) if isinstance(command, str) else list(command)


def run(arguments: Sequence[str], stdin: bytes = b"") -> bytes:
    """Runs the program to its end and returns what it printed.

    Raises:
        PentarchError: it failed; the text is its message.
    """
    done = subprocess.run([find_binary(), *arguments], input=stdin, capture_output=True, check=False)
    if done.returncode != 0:
        message = done.stderr.decode("utf-8", "replace").strip()
        raise PentarchError(message or f"`pentarch {arguments[0]}` failed with exit code {done.returncode}")
    return done.stdout


class Process:
    """A process of an engine on the running event loop, whose lines go to a callback."""

    def __init__(self, process: asyncio.subprocess.Process, name: str) -> None:
        self._process = process
        self._name = name
        self._errors: deque[str] = deque(maxlen=20)
        self._closed = False
        assert process.stdin is not None
        self._stdin = process.stdin

    @classmethod
    async def start(
        cls, command: Sequence[str], cwd: str | None = None, env: Mapping[str, str] | None = None
    ) -> Process:
        options: dict[str, Any] = {}
        # An interrupt from the keyboard is for the client, which then closes the engine in order.
        if sys.platform == "win32":
            options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
        else:
            options["start_new_session"] = True
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            limit=1 << 20,
            cwd=cwd,
            env=env,
            **options,
        )
        return cls(process, Path(command[0]).name)

    @property
    def returncode(self) -> int | None:
        return self._process.returncode

    def send(self, lines: Sequence[str]) -> None:
        """Queues lines for the process; `drain` waits until there is room for more."""
        if self._closed or self._stdin.is_closing():
            raise self.terminated()
        self._stdin.write("".join([line + "\n" for line in lines]).encode())

    async def drain(self) -> None:
        try:
            await self._stdin.drain()
        except ConnectionError:
            pass  # The end of the output follows, and reports it.

    async def read(self, deliver: Callable[[list[bytes]], None]) -> EngineTerminatedError:
        """Calls `deliver` with a list of lines each time there are some; returns at the end of the output."""
        errors = asyncio.ensure_future(self._read_errors())
        stdout = self._process.stdout
        assert stdout is not None
        rest = b""
        try:
            while chunk := await stdout.read(1 << 18):
                lines = chunk.split(b"\n")
                lines[0] = rest + lines[0]
                rest = lines.pop()
                if lines:
                    deliver(lines)
            await self._process.wait()
            await errors
        finally:
            errors.cancel()
        return self.terminated()

    async def _read_errors(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        rest = b""
        while chunk := await stderr.read(1 << 16):
            *lines, rest = (rest + chunk).split(b"\n")
            self._errors.extend(line.decode("utf-8", "replace") for line in lines)
            rest = rest[-4096:]
        if rest:
            self._errors.append(rest.decode("utf-8", "replace"))

    def terminated(self) -> EngineTerminatedError:
        if self._closed:
            return EngineTerminatedError(f"{self._name} was closed")
        code = self._process.returncode
        end = "ended" if code is None else f"ended with exit code {code}"
        return EngineTerminatedError("\n".join([f"{self._name} {end}", *self._errors]))

    async def close(self, timeout: float) -> None:
        """Closes the input, waits for the end of the process and kills it after a time."""
        self._closed = True
        self._stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), timeout)
        except asyncio.TimeoutError:
            self.kill()
            await self._process.wait()

    def kill(self) -> None:
        try:
            self._process.kill()
        except ProcessLookupError:
            pass


class LoopThread:
    """An event loop on a thread of its own, for the blocking clients. Any thread may call its methods."""

    def __init__(self, name: str) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine there to its end. An interrupt cancels it."""
        with self._lock:
            if self._closed:
                coroutine.close()
                raise EngineTerminatedError("the engine was closed")
            future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise EngineTerminatedError("the engine was closed") from None
        except BaseException:
            future.cancel()
            raise

    def post(self, function: Callable[[], object]) -> None:
        """Calls a function there, without waiting for it."""
        with self._lock:
            if not self._closed:
                self._loop.call_soon_threadsafe(function)

    def close(self) -> None:
        """Cancels what runs there, and ends the thread."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        asyncio.run_coroutine_threadsafe(_cancel_other_tasks(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_other_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
