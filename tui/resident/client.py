"""A command that another process does: the resident engine of the same user.

Whatever is wrong with that one, it is done in the own process, and one line says why.
Nothing is printed before all of the result is there, so nothing is printed twice.
"""

from __future__ import annotations

import io
import os
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from claimscope.tui.resident import wire
from claimscope.tui.resident.place import distrust, is_same_user, socket_path

BEGIN_SECONDS = 10.0
"""Until the engine says that it has begun; a check itself may take minutes."""


UTF8 = {"stdout": ["utf-8", "strict"], "stderr": ["utf-8", "backslashreplace"]}
"""Encoding of each stream and what becomes of what it cannot write."""


class Unusable(Exception):
    """Why the resident engine does not do it."""


class EngineAnswer(NamedTuple):
    """What a command of the engine came to."""

    code: int
    printed: bytes
    said: str = ""
    """Its standard error, where that was not written straight to ours."""


def ask(words: Sequence[str], *, reads_stdin: bool) -> int | None:
    """The exit code of `claimscope WORDS`, done by the resident engine, its output
    printed; None where it has to be done in this process. Raises FileNotFoundError
    where no engine runs."""
    path = socket_path()
    path.lstat()
    if not _writes_itself():
        return None
    try:
        return _ask_and_print(path, words, reads_stdin)
    except Unusable as error:
        print(
            f"note: the resident engine is not used: {error}; judged in this process",
            file=sys.stderr,
            flush=True,
        )
        return None


def ask_engine(header: dict[str, Any]) -> dict[str, Any] | None:
    """What the engine says to a request of one word (status, stop); None when none
    runs. Raises Unusable."""
    try:
        with _connect(socket_path()) as connection:
            wire.send(connection, header)
            return wire.receive(connection)[0]
    except FileNotFoundError:
        return None
    except (OSError, wire.Broken) as error:
        raise Unusable(_why(error)) from None


def _writes_itself() -> bool:
    """Whether standard output and error are those of the process: somebody who has put
    others in their place wants to have what is said."""
    try:
        return sys.stdout.fileno() == 1 and sys.stderr.fileno() == 2
    except (AttributeError, OSError, ValueError):
        return False


def _ask_and_print(path: Path, words: Sequence[str], reads_stdin: bool) -> int:
    request = request_of(words)
    with _connect(path) as connection:
        given = _spool_stdin() if reads_stdin else os.open(os.devnull, os.O_RDONLY)
        try:
            answer = _request_answer(connection, request, [given, 1, 2])
        finally:
            os.close(given)
    with suppress(BrokenPipeError):  # who reads us went away (`| head`)
        sys.stdout.flush()
        sys.stdout.buffer.write(answer.printed)
        sys.stdout.buffer.flush()
        return answer.code
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def output_of(words: Sequence[str], given: bytes, folder: Path) -> EngineAnswer:
    """What `claimscope WORDS`, done by the resident engine, prints in a folder with
    `given` as its standard input; all text is UTF-8. Raises FileNotFoundError where no
    engine runs, Unusable."""
    path = socket_path()
    path.lstat()
    request = request_of(words, UTF8) | {"cwd": str(folder)}
    with (
        _connect(path) as connection,
        tempfile.TemporaryFile() as stdin,
        tempfile.TemporaryFile() as stderr,
        open(os.devnull, "wb") as stdout,
    ):
        stdin.write(given)
        stdin.seek(0)
        files = [stdin.fileno(), stdout.fileno(), stderr.fileno()]
        answer = _request_answer(connection, request, files)
        stderr.seek(0)
        return answer._replace(said=stderr.read().decode("utf-8", "replace"))


def open_stream(words: Sequence[str], files: Sequence[int]) -> socket.socket:
    """A connection to a copy of the engine that does `claimscope WORDS` with these open
    files as its standard ones, UTF-8, written as it goes on; it is ended by closing the
    connection. Raises FileNotFoundError where no engine runs, Unusable."""
    path = socket_path()
    path.lstat()
    connection = _connect(path)
    try:
        _begin(connection, request_of(words, UTF8) | {"do": "stream"}, files)
    except BaseException:
        connection.close()
        raise
    return connection


def read_answer(connection: socket.socket) -> EngineAnswer:
    """What the command came to, once it has ended. Raises Unusable."""
    try:
        header, printed, _ = wire.receive(connection)
        return EngineAnswer(int(header["code"]), printed)
    except (OSError, wire.Broken, KeyError) as error:
        raise Unusable(_why(error)) from None


def _request_answer(
    connection: socket.socket, request: dict[str, Any], files: Sequence[int]
) -> EngineAnswer:
    """Raises Unusable."""
    _begin(connection, request, files)
    return read_answer(connection)


def _begin(
    connection: socket.socket, request: dict[str, Any], files: Sequence[int]
) -> None:
    """Raises Unusable."""
    try:
        wire.send(connection, request)
        header, _, _ = wire.receive(connection)
        if header.get("begun") is not True:
            raise Unusable(str(header.get("refused", "it does not say why")))
        # Not before: files that nobody receives would stay open where they wait.
        wire.send(connection, {}, files=files)
        connection.settimeout(None)
    except (OSError, wire.Broken) as error:
        raise Unusable(_why(error)) from None


def request_of(
    words: Sequence[str], streams: Mapping[str, Sequence[str | None]] | None = None
) -> dict[str, Any]:
    """All that another process needs to do what this one would. streams: their
    encodings, where they are not this process's."""
    mask = os.umask(0o077)
    os.umask(mask)
    streams = streams or {
        name: [stream.encoding, stream.errors]
        for name, stream in (("stdout", sys.stdout), ("stderr", sys.stderr))
    }
    try:
        cwd = os.getcwd()
    except OSError as error:
        raise Unusable(f"the present folder is gone ({error.strerror})") from None
    return {
        "do": "run",
        "words": list(words),
        "cwd": cwd,
        "environment": dict(os.environ),
        "umask": mask,
        "streams": streams,
    }


def _connect(path: Path) -> socket.socket:
    """Raises FileNotFoundError, Unusable."""
    if why := distrust(path):
        raise Unusable(why)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(BEGIN_SECONDS)
    try:
        connection.connect(str(path))
        if not is_same_user(connection):
            raise Unusable("it is another user's")
    except ConnectionRefusedError:
        connection.close()
        with suppress(OSError):  # it was killed; a new one makes its own
            path.unlink()
        raise Unusable("it was killed") from None
    except OSError as error:
        connection.close()
        raise Unusable(_why(error)) from None
    except Unusable:
        connection.close()
        raise
    return connection


def _spool_stdin() -> int:
    """Standard input, read to its end into a file, which is then the standard input of
    this process too, should it be done here after all."""
    spool = tempfile.TemporaryFile()
    spool.write(sys.stdin.buffer.read())
    spool.seek(0)
    handle = os.open(f"/proc/self/fd/{spool.fileno()}", os.O_RDONLY)
    sys.stdin = io.TextIOWrapper(spool, encoding="utf-8")
    return handle


def _why(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it does not answer"
    if isinstance(error, wire.Broken | ConnectionError):
        return "it ended in the middle"
    return str(error)
